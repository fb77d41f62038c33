"""The clause catalogue: every id a house file cites, with the sentence it stands for.

Three kinds of id resolve: a clause of a house (`sydney:6.5.2`), a reading of something the books leave open (`X-16`),
and a decision about records (`P-47`). A house that writes its own clauses (`strip:odds.345`) carries them in its file.
"""

import csv
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from types import MappingProxyType

from passline.errors import UnknownClauseError
from passline.files.findings import nearest

ALL_HOUSES = "all"  # the house of readings and decisions


@dataclass(frozen=True, slots=True)
class Clause:
    """One requirement, in our own words."""

    id: str
    house: str
    topic: str
    applies_to: str
    sentence: str  # what it says, for people: complete, and understood without the book
    # The ids of the readings it needs, because its book is silent, misprinted or at odds with itself.
    readings: tuple[str, ...] = ()


def clause(wanted: str, own: Mapping[str, str] | None = None) -> Clause:
    """Find a clause by its id; `own` holds the sentences of a house file outside this package.

    >>> clause("sydney:6.7").topic
    'rounding'
    """
    if own and wanted in own:
        return own_clause(wanted, own[wanted])
    row = catalogue().get(wanted)
    if row is None:
        raise UnknownClauseError(wanted, nearest(wanted, [*catalogue(), *(own or ())]))
    return row


def own_clause(full_id: str, sentence: str) -> Clause:
    """Make a clause of a house that writes its own: what comes before its first dot is its topic."""
    house, _, rest = full_id.partition(":")
    return Clause(full_id, house, topic=rest.partition(".")[0], applies_to="engine", sentence=sentence)


@cache
def catalogue() -> Mapping[str, Clause]:
    """Every clause, reading and decision of this package by its id, in the order of the books."""
    here = files("passline.rulebooks")
    every = []
    for row in csv.DictReader((here / "clauses.csv").read_text(encoding="utf-8").splitlines()):
        about = row["id"], row["house"], row["topic"], row["applies_to"], row["requirement"]
        every.append(Clause(*about, tuple(row["readings"].split())))
    tree = tomllib.loads((here / "data" / "sentences.toml").read_text(encoding="utf-8"))
    for topic in ("reading", "decision"):
        every += [Clause(name, ALL_HOUSES, topic, "engine", says) for name, says in tree[f"{topic}s"].items()]
    for house, path in house_files().items():  # the last section of a file has the clauses that it carries itself
        _, section, rest = path.read_text(encoding="utf-8").partition("\n[clauses]")
        own = tomllib.loads(section + rest).get("clauses", {})
        every += [own_clause(f"{house}:{name}", says) for name, says in own.items()]
    return MappingProxyType({each.id: each for each in every})


def clauses_of(house: str) -> tuple[Clause, ...]:
    """Every clause of one house, in the order of its book: what somebody is shown who asks for its rules."""
    return tuple(each for each in catalogue().values() if each.house == house)


@cache
def house_files() -> Mapping[str, Traversable]:
    """The house files of this package by house id: adelaide first, then by name."""
    paths = {path.name.removesuffix(".toml"): path for path in (files("passline.rulebooks") / "houses").iterdir()}
    names = (name for name, path in paths.items() if path.name.endswith(".toml"))
    return MappingProxyType({name: paths[name] for name in sorted(names, key=lambda name: (name != "adelaide", name))})
