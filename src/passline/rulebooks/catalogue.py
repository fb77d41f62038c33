"""The clause catalogue: every id a house file cites, with the sentence it stands for.

Three kinds of id resolve: a clause of a house (`sydney:6.5.2`), a reading of something the books leave open (`X-16`),
and a decision about records (`P-47`). A house that writes its own clauses (`strip:odds.345`) carries them in its file.
"""

from __future__ import annotations

import csv
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from types import MappingProxyType

from passline.errors import UnknownClauseError
from passline.files.findings import nearest

ALL_HOUSES = "all"
"""The house of readings and decisions."""


@dataclass(frozen=True, slots=True)
class Clause:
    """One requirement, in our own words."""

    id: str
    house: str
    topic: str
    applies_to: str
    sentence: str
    """What it says, for people: complete, and understood without the book."""
    readings: tuple[str, ...] = ()
    """The ids of the readings it needs, because its book is silent, misprinted or at odds with itself."""


def clause(wanted: str, own: Mapping[str, str] | None = None) -> Clause:
    """Find a clause by its id; `own` holds the sentences of a house file outside this package.

    >>> clause("sydney:6.7").topic
    'rounding'
    """
    if own and wanted in own:
        return own_clause(wanted, own[wanted])
    found = catalogue().get(wanted)
    if found is None:
        raise UnknownClauseError(wanted, nearest(wanted, [*catalogue(), *(own or ())]))
    return found


def own_clause(full_id: str, sentence: str) -> Clause:
    """Make a clause of a house that writes its own: what comes before its first dot is its topic."""
    house, _, rest = full_id.partition(":")
    return Clause(full_id, house, topic=rest.partition(".")[0], applies_to="engine", sentence=sentence)


@cache
def catalogue() -> Mapping[str, Clause]:
    """Every clause, reading and decision of this package by its id, in the order of the books."""
    here = files("passline.rulebooks")
    every = [
        *_clauses(here / "clauses.csv"),
        *_sentences(here / "data" / "sentences.toml"),
        *(own for path in house_files().values() for own in _own(path)),
    ]
    return MappingProxyType({each.id: each for each in every})


def clauses_of(house: str) -> tuple[Clause, ...]:
    """Every clause of one house, in the order of its book: what somebody is shown who asks for its rules."""
    return tuple(each for each in catalogue().values() if each.house == house)


@cache
def house_files() -> Mapping[str, Traversable]:
    """The house files of this package by house id: adelaide first, then by name."""
    found = {path.name.removesuffix(".toml"): path for path in (files("passline.rulebooks") / "houses").iterdir()}
    houses = sorted((name for name, path in found.items() if path.name.endswith(".toml")), key=_adelaide_first)
    return MappingProxyType({house: found[house] for house in houses})


def _adelaide_first(house: str) -> tuple[bool, str]:
    return house != "adelaide", house


def _clauses(path: Traversable) -> Iterator[Clause]:
    """Read the clauses of the four books."""
    for row in csv.DictReader(path.read_text(encoding="utf-8").splitlines()):
        yield Clause(
            row["id"],
            row["house"],
            row["topic"],
            row["applies_to"],
            sentence=row["requirement"],
            readings=tuple(row["readings"].split()),
        )


def _sentences(path: Traversable) -> Iterator[Clause]:
    """Read what is said of every reading and every decision."""
    tree = tomllib.loads(path.read_text(encoding="utf-8"))
    for topic, sentences in (("reading", tree["readings"]), ("decision", tree["decisions"])):
        yield from (Clause(name, ALL_HOUSES, topic, "engine", sentence) for name, sentence in sentences.items())


def _own(path: Traversable) -> Iterator[Clause]:
    """Read the clauses that a house file of this package carries itself."""
    tree = tomllib.loads(path.read_text(encoding="utf-8"))
    for name, sentence in tree.get("clauses", {}).items():
        yield own_clause(f"{tree['id']}:{name}", sentence)
