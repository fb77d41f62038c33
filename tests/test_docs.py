"""What the documents say can be done: examples run, commands are there, names have examples, links lead somewhere."""

from __future__ import annotations

import doctest
import importlib
import re
import shlex
import subprocess
import sys
import tomllib
from itertools import takewhile
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

import passline
from passline.cli.app import app
from passline.engine.refusals import Refusal
from passline.strategies.language import conditions

ROOT = Path(__file__).parents[1]
PAGES = sorted([ROOT / "README.md", *ROOT.glob("docs/*.md"), *ROOT.glob("docs/tutorials/*.md")])
MODULES = sorted(
    ".".join(path.relative_to(ROOT / "src").with_suffix("").parts).removesuffix(".__init__")
    for path in (ROOT / "src" / "passline").rglob("*.py")
    if ">>> " in path.read_text()
)
LINK = re.compile(r"\]\((?!https?:|mailto:|#)([^)#\s]+)(?:#([^)\s]*))?\)")


@pytest.mark.parametrize("module", MODULES)
def test_examples_of_docstrings_run(module: str) -> None:
    result = doctest.testmod(importlib.import_module(module), optionflags=doctest.ELLIPSIS)
    assert result.attempted
    assert not result.failed


def test_every_public_name_has_an_example() -> None:
    """`docs/reference.md`, whose examples are run as README's are."""
    sections = re.split(r"^### ", (ROOT / "docs" / "reference.md").read_text(), flags=re.MULTILINE)[1:]
    named = {section.split("`")[1]: section for section in sections}
    assert set(named) == set(passline.__all__) - {"__version__"}
    assert [name for name, section in named.items() if ">>> " not in section] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_commands_of_the_documents_are_there(page: Path) -> None:
    """Every `passline …` line is read by the command line's own parser, options and all; nothing is done."""
    root = typer.main.get_command(app)
    wrong = [f"{line}: {problem}" for line in commands(page.read_text()) if (problem := unread(root, line))]
    assert wrong == []


SHOWN = [
    pytest.param(page, command, output, id=f"{page.stem}-{command.split()[1]}")
    for page in [ROOT / "README.md", *sorted(ROOT.glob("docs/tutorials/*.md"))]
    for command, output in re.findall(
        r"^```console\n\$ (passline .+)\n((?:(?!```).*\n)+)", page.read_text(), re.MULTILINE
    )
]


@pytest.mark.parametrize(("page", "command", "output"), SHOWN)
def test_a_page_shows_what_its_commands_print(
    page: Path, command: str, output: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Line by line, beside the files that the page writes; a line with an ellipsis alone stands for any others."""
    monkeypatch.chdir(tmp_path)
    for name, text in files_of(page.read_text()):
        (tmp_path / name).write_text(text)
    printed = CliRunner().invoke(app, shlex.split(command)[1:], env={"COLUMNS": "200"}, catch_exceptions=False).stdout
    pattern = "".join("(?:.*\n)*" if line == "…" else f"{re.escape(line)} *\n" for line in output.splitlines())
    assert re.fullmatch(pattern, printed), printed


def files_of(text: str) -> list[tuple[str, str]]:
    """The blocks that a page tells its reader to write as a file, which the paragraph before names."""
    return re.findall(
        r"`([\w-]+\.(?:toml|py))`(?:(?!\n\n|```).)*\n\n```(?:toml|python)\n(.*?)^```", text, re.MULTILINE | re.DOTALL
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["analysis", "coming-from-crapssim", "floor", "journal", "learning", "record", "strategies"]
)
def test_the_python_of_a_page_runs(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Block after block, but those of another simulator; `docs/client.md` has a test of its own, beside a server."""
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"^```python\n(.*?)^```", (ROOT / "docs" / f"{name}.md").read_text(), re.MULTILINE | re.DOTALL)
    names: dict[str, object] = {}
    for block in blocks:
        if not block.startswith("# crapssim"):
            exec(compile(block.replace("1_000_000", "1_000"), name, "exec"), names)  # noqa: S102 - ours
    assert names
    assert not isinstance(names.get("answer"), Refusal)


def tables_of(page: str) -> list[str]:
    return re.findall(r"^```toml\n(.*?)^```", (ROOT / "docs" / f"{page}.md").read_text(), re.MULTILINE | re.DOTALL)


def test_the_strategies_of_a_page_are_played() -> None:
    """Each block, with what a part of a file leaves out."""
    blocks = tables_of("strategies")
    assert len(blocks) > 4
    rest = {"name": "Mine", "description": "From the page.", "unit": 1, "want": [{"up": {"pass": 1}}]}
    for block in blocks:
        mine = {**rest, "count": {"outs": {"when": "seven out"}}, **tomllib.loads(block)}
        passline.ask(mine, house="strip", rolls=10, bankroll=300).simulate(sessions=3, seed=1, backend="numpy")


@pytest.mark.slow
@pytest.mark.parametrize(("block", "command"), [(0, "population"), (1, "population"), (2, "report")])
def test_the_questions_of_a_page_are_answered(block: int, command: str, tmp_path: Path) -> None:
    """Those of a table, of a pit and of a report."""
    asked, out = tmp_path / "q.toml", tmp_path / "out"
    asked.write_text(tables_of("analysis")[block])
    few = ["--out", str(out)] if command == "report" else ["--sessions", "3", "--seed", "1", "--csv", str(out)]
    done = CliRunner().invoke(app, [command, str(asked), *few], catch_exceptions=False)
    assert done.exit_code == 0
    assert out.exists()


@pytest.mark.slow
def test_the_python_of_the_readme_passes_a_strict_type_checker(tmp_path: Path) -> None:
    """As a program of somebody's, who checks it with mypy."""
    lines = re.findall(r"^(?:>>>|\.\.\.) ?(.*)$", (ROOT / "README.md").read_text(), re.MULTILINE)
    assert any("for event in table.roll" in line for line in lines)
    (tmp_path / "program.py").write_text("\n".join(lines) + "\n")
    command = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "program.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.stdout, done.returncode) == ("", 0)


def test_every_command_is_in_the_list_of_commands() -> None:
    listed = {line.split()[1] for line in commands((ROOT / "docs" / "commands.md").read_text())}
    group: Any = typer.main.get_command(app)
    assert set(group.commands) - listed == set()


def commands(text: str) -> list[str]:
    """The lines of blocks, and what stands between backquotes, that begin with our name; without comments and pipes."""
    blocks = re.findall(r"^```(?:console|sh|bash)?\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL)
    lines = [line.strip().removeprefix("$ ") for block in blocks for line in block.replace("\\\n", " ").splitlines()]
    lines += re.findall(r"`([^`\n]+)`", re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL))
    ours = [line.removeprefix(".venv/bin/").replace("\\|", "|") for line in lines]
    return [re.split(r"\s+#|\s*[|>&;]", line)[0] for line in ours if re.match(r"passline [a-z]", line)]


def unread(root: Any, line: str) -> str | None:  # noqa: ANN401 - Typer brings a click of its own
    """Why a line cannot be read: a command or an option that is not there. Words in capitals end the looking."""
    words = list(takewhile(lambda word: not re.search(r"[A-Z]{2}|…|\[", word), shlex.split(line)[1:]))
    command = root
    while words and hasattr(command, "commands"):
        following = command.get_command(command.context_class(command), words[0])
        if following is None:
            return f"there is no {words[0]!r}"
        command, words = following, words[1:]
    known = {option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)}
    unknown = [word for word in words if word.startswith("--") and word.split("=")[0] not in {*known, "--help"}]
    return f"{command.name} has no {', '.join(unknown)}" if unknown else None


@pytest.mark.parametrize(
    "page", [*PAGES, *ROOT.glob("docs/decisions/*.md"), *ROOT.glob("*.md")], ids=lambda page: page.stem
)
def test_links_lead_somewhere(page: Path) -> None:
    dead = [match[0] for match in LINK.finditer(page.read_text()) if not (page.parent / match[1]).exists()]
    assert dead == []


@pytest.mark.parametrize("page", ["ARCHITECTURE.md", "CONTRIBUTING.md"])
def test_the_files_that_a_page_names_are_there(page: str) -> None:
    """Paths are from the root, or from the package."""
    named = set(re.findall(r"`((?:[\w-]+/)+[\w.-]*\w/?)`", (ROOT / page).read_text()))
    assert len(named) > 20
    places = (ROOT, ROOT / "src" / "passline", ROOT / "src" / "passline" / "engine")
    built = {name for name in named if name.startswith("build/")}
    missing = {name for name in named - built if not any((place / name).exists() for place in places)}
    assert missing == set()


def test_the_row_that_contributing_shows_is_a_row() -> None:
    """It is copied by whoever adds a word to the language."""
    row = re.search(r"`\"come_outs\": (Meaning\(.*?\))`", (ROOT / "CONTRIBUTING.md").read_text(), re.DOTALL)
    assert row
    meaning = eval(row[1], dict(vars(conditions)))  # noqa: S307 - ours
    assert meaning.counting(None) == (conditions.Fact("puck off"), conditions.HAND_OVER)
