"""The commands as somebody meets them: where to begin, help by task, a configuration file, completion, refusals."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

from passline.cli.app import app
from passline.cli.group import GROUPS


def run(*words: str, stdin: str = "") -> Result:
    return CliRunner().invoke(app, words, input=stdin)


CALL = "import sys; sys.argv[0] = 'passline'; from passline.cli import main; main()"
RECORD = "passline 1\nhouse strip\nsit 1 Ann 500\n1 bet yo 5   # a nickname\n1 bet pass 15\nroll 4-2\n"


def test_alone_it_says_where_to_begin() -> None:
    told = run()
    assert told.exit_code == 0
    for line in ("passline play", "passline serve --open", "passline drill", "passline --help"):
        assert line in told.stdout


def test_help_is_a_word_too() -> None:
    assert run("help").stdout == run("--help").stdout
    assert run("help", "play").stdout == run("play", "--help").stdout
    assert "did you mean help?" in run("hlep").output
    assert "did you mean" not in run("journal", "help").output
    assert "yo is more than this command takes" in run("compare", "yo").output


def test_who_has_read_enough_is_no_failure() -> None:
    words = [sys.executable, "-m", "passline", "odds", "--house", "strip"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.close()
        assert running.stderr.read() == b""
    assert running.returncode == 0


def test_help_is_by_task_with_an_example_each() -> None:
    told = run("--help").stdout
    assert "More:" not in told  # every command has its group
    for title, (_, example) in GROUPS.items():
        assert f"{title}:" in told
        assert f"Example: {example}" in told


@pytest.mark.parametrize("command", ["play", "exact", "simulate", "serve", "drill", "verify"])
def test_values_are_called_what_people_call_them(command: str) -> None:
    told = run(command, "--help").stdout
    assert not [word for word in ("<str>", "<int>", "<list", "<float", "<Path", "range>", "{") if word in told]


def test_the_usage_line_names_arguments_without_braces() -> None:
    assert "Usage: passline simulate [OPTIONS] STRATEGY...\n" in run("simulate", "--help").stdout
    assert "Usage: passline dice-test [OPTIONS] [FILE]\n" in run("dice-test", "--help").stdout
    assert "--subject-to CONDITION" in run("search", "--help").stdout


def test_a_configuration_file_says_what_nobody_does(tmp_path: Path) -> None:
    config = tmp_path / "mine.toml"
    config.write_text('house = "strip"\nname = "Zoe"\ncurrency = "$"\n', encoding="utf-8")
    told = run("--config", str(config), "play", "--save", str(tmp_path / "e.craps"), "--no-journal", stdin="quit\n")
    assert "The Strip" in told.stdout
    assert "Zoe" in told.stdout
    assert "Bought in for $1500" in told.stdout
    unsigned = run("play", "--currency", "1x", "--no-journal", stdin="quit\n")
    assert "expected a sign such as $ or €" in unsigned.stderr
    config.write_text("colour = 3\n", encoding="utf-8")
    wrong = run("--config", str(config), "houses")
    assert wrong.exit_code == 2
    assert "expected house, unit, name" in wrong.stderr


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("passline play --house sy", "sydney"),
        ("passline exact three_point_dolly_", "three_point_dolly_1x"),
        ("passline drill off", "off-and-on"),
        ("passline clause strip:line.pu", "strip:line.put"),
        ("passline odds --wager craps_el", "craps_eleven"),
    ],
)
def test_completion_knows_houses_strategies_drills_clauses_and_wagers(words: str, expected: str) -> None:
    at = str(len(words.split()) - 1)
    asked = {"_PASSLINE_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": at}
    told = subprocess.run(
        [sys.executable, "-c", CALL], env=os.environ | asked, capture_output=True, text=True, check=False
    )
    assert told.stdout.split() == [expected], told.stderr


def test_a_refusal_of_a_replay_has_its_line_and_text(tmp_path: Path) -> None:
    path = tmp_path / "hand.craps"
    path.write_text(RECORD, encoding="utf-8")
    told = run("replay", str(path)).stdout
    assert "line 4: 1 bet yo 5: no: " in told
    assert "1 of 4 lines were refused" in told
    strict = run("replay", "--strict", str(path))
    assert strict.exit_code == 1
    assert "Did you mean eleven?" in strict.stderr


def test_every_line_that_cannot_be_read_is_named_at_once(tmp_path: Path) -> None:
    path = tmp_path / "wrong.craps"
    path.write_text("passline 1\nhouse strip\nsit 1 Ann 500\n1 bett pass\nroll 9-9\n", encoding="utf-8")
    told = run("replay", str(path))
    assert told.exit_code == 2
    assert [line.split(":")[1] for line in told.stderr.splitlines()] == ["4", "5"]


def test_the_manual_page_has_every_command_and_option() -> None:
    """It is made of the help, so nothing may be missing, and roff must take none of it for its own."""
    page = run("man").stdout
    commands = typer.main.get_command(app).commands  # type: ignore[attr-defined] # a group's
    for name, command in commands.items():
        assert f".SS passline {name}".replace("-", r"\-") in page, name
        for each in command.params:
            for option in (word for word in each.opts if word.startswith("--")):
                assert option.replace("-", r"\-") in page, (name, option)
    assert page.isascii()
    macros = {line.split()[0] for line in page.splitlines() if line.startswith((".", "'"))}
    assert macros == {".TH", ".SH", ".SS", ".B", ".I", ".PP", ".TP"}
