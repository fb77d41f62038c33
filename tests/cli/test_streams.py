"""Commands whose output cannot be written, or whose input is not there: one sentence, an exit code, no traceback."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from typer.main import get_command

from passline.cli.app import app
from tests.cli.running import refused

if TYPE_CHECKING:
    from collections.abc import Iterator

FULL = Path("/dev/full")


def shell(line: str, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a line of shell in which `$p` is the program."""
    given = {**os.environ, "p": f"{sys.executable} -m passline", "PASSLINE_CACHE": str(folder / "kept"), **environment}
    given = {name: value for name, value in given.items() if value != "unset"}
    ran = subprocess.run(
        ["bash", "-c", line], cwd=folder, env=given, capture_output=True, text=True, timeout=120, check=False
    )
    assert "Traceback" not in ran.stderr, ran.stderr
    assert "Exception ignored" not in ran.stderr, ran.stderr
    return ran


@pytest.mark.slow
@pytest.mark.skipif(not FULL.exists(), reason="there is no full device here")
@pytest.mark.parametrize("command", ["houses", "house sydney --json", "exact field --rolls 2"])
def test_a_full_device_is_told_of(command: str, tmp_path: Path) -> None:
    """Exit code 1 and the system's own words."""
    ran = shell(f"$p {command} >{FULL}", tmp_path)
    assert (ran.returncode, ran.stderr) == (1, "passline: No space left on device\n")


@pytest.mark.slow
@pytest.mark.parametrize("command", ["houses", "replay x.craps"])
def test_closed_streams_are_told_of(command: str, tmp_path: Path) -> None:
    """A file of ours never gets the number of a stream that was closed."""
    (tmp_path / "x.craps").write_text("passline 1\nhouse adelaide\nsit 1 Zoë 100\n", encoding="utf-8")
    ran = shell(f"$p {command} >&-", tmp_path)
    assert (ran.returncode, ran.stderr) == (1, "passline: Bad file descriptor\n")
    assert shell(f"$p {command} >&- 2>&-", tmp_path).returncode == 1
    assert shell(f"$p {command} <&- >/dev/null 2>&-", tmp_path).returncode == 0


@pytest.mark.slow
def test_a_closed_input_is_an_empty_one(tmp_path: Path) -> None:
    """No record stands on it, and a player who says nothing leaves."""
    ran = shell("$p replay - <&-", tmp_path)
    assert ran.returncode == 2
    assert "standard input:1:1" in ran.stderr
    ran = shell("$p play --plain --house strip --seed 1 --save x.craps <&-", tmp_path)
    assert ran.returncode == 0
    assert (tmp_path / "x.craps").is_file()


@pytest.mark.slow
def test_a_terminal_that_knows_only_ascii(tmp_path: Path) -> None:
    """What it cannot write is a question mark."""
    (tmp_path / "x.craps").write_text("passline 1\nhouse adelaide\nsit 1 Zoë 100\n", encoding="utf-8")
    plain = {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "LC_ALL": "C"}
    ran = shell(
        "set -e; $p replay x.craps; $p house sydney; $p simulate field --sessions 10 --rolls 2", tmp_path, **plain
    )
    assert ran.returncode == 0
    assert "Zo? sits at seat 1" in ran.stdout


@pytest.mark.slow
def test_files_are_written_before_anything_is_printed(tmp_path: Path) -> None:
    """Whoever stops reading after two lines has the files all the same."""
    shell("$p simulate field pass_flat --sessions 100 --rolls 5 --csv a.csv --no-exact | head -1", tmp_path)
    assert len((tmp_path / "a.csv").read_text(encoding="utf-8").splitlines()) > 3
    shell("$p simulate field --sessions 100 --rolls 5 --csv b.csv --no-exact >&-", tmp_path)
    assert (tmp_path / "b.csv").stat().st_size


@pytest.mark.slow
def test_no_home_and_no_place_for_machines(tmp_path: Path) -> None:
    """An answer all the same, and nothing is left in the folder one stands in."""
    assert shell("$p exact field --rolls 2", tmp_path, HOME="unset", PASSLINE_CACHE="unset").returncode == 0
    assert shell("$p exact field --rolls 2", tmp_path, HOME="", PASSLINE_CACHE="unset").returncode == 0
    assert shell("$p exact field --rolls 2", tmp_path, PASSLINE_CACHE="x" * 5000).returncode == 0
    assert list(tmp_path.iterdir()) == []


LONG = "x" * 5000
HUGE = 2**63


@pytest.mark.parametrize(
    "words",
    [
        ("house", LONG),
        ("play", "--plain", "--house", LONG),
        ("play", "--plain", "--house", "strip", "--save", LONG),
        ("play", "--plain", "--resume", LONG),
        ("replay", LONG),
        ("house", "check", LONG),
        ("strategy", "show", LONG),
        ("simulate", "field", "--csv", LONG),
        ("simulate", "field", "--rolls", HUGE, "--sessions", 1),
        ("simulate", "field", "--hands", HUGE, "--sessions", 1),
        ("simulate", "field", "--sessions", HUGE),
        ("exact", "field", "--rolls", HUGE),
        ("exact", "field", "--rolls", 3, "--bankroll", "9" * 2000),
        ("house", "x\x1b[2J"),
        ("house", "new", "ok", "--out", f"{LONG}/x.toml"),
    ],
    ids=lambda words: " ".join(str(word)[:12] for word in words),
)
def test_arguments_without_end_are_unreadable(
    words: tuple[object, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Exit code 2, a sentence, and nothing in it that a terminal obeys."""
    monkeypatch.chdir(tmp_path)
    assert refused(*words, code=2).replace("\n", "").isprintable()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
@pytest.mark.skipif(not FULL.exists(), reason="there is no full device here")
def test_a_house_that_found_no_room_can_be_made_again(tmp_path: Path) -> None:
    """A disk that is full leaves no empty file behind."""
    limited = "ulimit -f 8; trap '' XFSZ; $p house new riverboat"
    ran = shell(limited, tmp_path)
    assert ran.returncode == 2
    assert "riverboat.toml: File too large" in ran.stderr
    assert list(tmp_path.iterdir()) == []
    assert shell("$p house new riverboat", tmp_path).returncode == 0


def helped(group: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, str]]:  # noqa: ANN401 - Typer's commands
    """Every command and group of commands, with what its help says."""
    for name, command in group.commands.items():
        yield " ".join((*path, name)), command.help or ""
        if hasattr(command, "commands"):
            yield from helped(command, (*path, name))


@pytest.mark.parametrize(("command", "said"), [*helped(get_command(app))])
def test_every_command_has_an_example(command: str, said: str) -> None:
    """Of itself, in its help."""
    assert f"`passline {command.split(maxsplit=1)[0]}" in said, command
