"""One word, one meaning: every noun of the public names stands in the glossary, once."""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from typing import TYPE_CHECKING

import passline
from passline import House, Question, Table
from passline.engine import commands, events

if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import ModuleType

GLOSSARY = Path(__file__).parents[1] / "docs" / "glossary.md"
VERBS = """
    ask at bought brought buy called choose chosen cleared close closing compare controlled decline declined
    dispute do doubted due explain find follow given invalidate leave left lifted lose lost moved offered opened order
    pass played post posted pushed read refused replay return returned rule sat say see send sent shoot simulate sit
    strike struck sweep take taken tallied thrown travelled turned undo use warned watch won would
"""
"""Words of public names that say what is done, not what there is."""

LITTLE = """
    all arguments back barred beside best cocked dont down ever exact for heading id in json keywords late long name new
    no of off on out passline play rare run seven source title to up version versus words worth
"""
"""Words of public names that mean no more than they do anywhere."""

EXCUSED = frozenset(f"{VERBS} {LITTLE}".split())


def entries(text: str = "") -> list[str]:
    """The words that the glossary, or a part of it, explains, in its order."""
    text = text or GLOSSARY.read_text(encoding="utf-8")
    return re.findall(r"^\| \*\*(.+?)\*\* \|", text, flags=re.MULTILINE)


def classes(module: ModuleType) -> Iterable[str]:
    """The names of the classes a module defines."""
    members = vars(module).items()
    return (name for name, value in members if inspect.isclass(value) and value.__module__ == module.__name__)


def public_words() -> set[str]:
    """Every word of every name that a caller meets."""
    members = (name for kind in (Table, House, Question) for name in dir(kind) if not name.startswith("_"))
    names = {*passline.__all__, *classes(commands), *classes(events), *members}
    return {word.lower() for name in names for word in re.findall(r"[A-Z]?[a-z]+", name)}


def test_every_noun_of_the_public_names_is_explained() -> None:
    """A new name brings its line with it, or is said to be no noun."""
    explained = {*entries(), *(f"{word}s" for word in entries()), "die", "dice"}
    assert sorted(public_words() - explained - EXCUSED) == []


def test_every_word_is_explained_once() -> None:
    """In the order of the alphabet under each heading, so that one finds it."""
    assert len(entries()) == len(set(entries()))
    for part in GLOSSARY.read_text(encoding="utf-8").split("\n## ")[1:]:
        assert entries(part) == sorted(entries(part)), part.splitlines()[0]


def test_no_word_is_excused_that_nobody_uses() -> None:
    """The lists of verbs and little words are no longer than they must be."""
    assert sorted(EXCUSED - public_words()) == []
