"""What the documents say can be done: examples run, commands are there, names have examples, links lead somewhere."""

from __future__ import annotations

import doctest
import importlib
import re
import shlex
from itertools import takewhile
from pathlib import Path
from typing import Any

import pytest
import typer

import passline
from passline.cli.app import app

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
