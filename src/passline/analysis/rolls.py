"""Rolls that really fell, from a record, a file of dice or totals, or a list."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from passline.engine.events import DiceThrown
from passline.errors import RecordError, short, shown
from passline.files.arguments import instance
from passline.files.reading import read_bytes
from passline.record.record import SUFFIX, text_of
from passline.table import replay

FILE_BYTES_MAX: Final = 1 << 26
"""The longest file of rolls: some ten million of them."""
ROLL: Final = "two dice such as 3,4, or one total from 2 to 12"
FILE: Final = f"a record ({SUFFIX}) or a file with two dice or a total on each line"
HEADS: Final = frozenset({"first", "second", "die1", "die2", "d1", "d2", "die", "total", "roll"})
"""Words that a first line may name its columns by."""

Source = str | Path | Iterable[int] | Iterable[Sequence[int]]
"""Where rolls come from: the path of a file, totals, or pairs of faces."""


@dataclass(frozen=True, slots=True)
class Rolls:
    """Rolls in the order they fell: totals, and both faces where they are known."""

    totals: tuple[int, ...]
    faces: tuple[tuple[int, int], ...] | None
    """None where only totals were written down."""


def rolls_of(source: Source) -> Rolls:
    """Read rolls: a `.craps` record, a file with two dice or a total on each line, or a list of either."""
    if isinstance(source, str | Path):
        path = Path(source)
        if path.suffix == SUFFIX:
            thrown = [event for event in replay(path).events if isinstance(event, DiceThrown)]
            return _rolls([(event.first, event.second) for event in thrown], str(path))
        text = text_of(lambda: read_bytes(path, FILE_BYTES_MAX), str(path), FILE)
        return _rolls(_lines(text, str(path)), str(path))
    instance("rolls", source, Iterable, "the path of a file, or a list of totals or of pairs of faces")
    given = []
    for number, each in enumerate(source, 1):
        given.append(tuple(each) if isinstance(each, Sequence) and not isinstance(each, str) else (each,))
        _check(given[-1], number, short(each) if isinstance(each, str) else shown(each), "rolls")
    return _rolls(given, "rolls")


def _lines(text: str, file: str) -> list[tuple[int, ...]]:
    found: list[tuple[int, ...]] = []
    for number, line in enumerate(text.splitlines(), 1):
        said = line.partition("#")[0].strip()
        if said.endswith((",", ";", "-")) or said.startswith((",", ";", "-")):
            raise RecordError(number, 1, short(said), ROLL, file)
        words = said.replace(",", " ").replace(";", " ").replace("-", " ").split()
        if not words or (not found and all(word.lower() in HEADS for word in words)):
            continue
        if not all(word.isascii() and word.isdigit() for word in words):
            raise RecordError(number, 1, short(line.strip()), ROLL, file)
        each = tuple(int(word) if len(word) < 3 else 99 for word in words)
        _check(each, number, short(line.strip()), file)
        if found and len(each) != len(found[0]):
            kind = "one total" if len(found[0]) == 1 else "two dice"
            raise RecordError(number, 1, short(line.strip()), f"{kind}, as on the lines before", file)
        found.append(each)
    return found


def _check(each: tuple[object, ...], number: int, found: str, file: str) -> None:
    """Refuse what no pair of dice shows."""
    least, most = (2, 12) if len(each) == 1 else (1, 6)
    fits = len(each) in {1, 2} and all(type(face) is int and least <= face <= most for face in each)
    if not fits:
        raise RecordError(number, 1, found, ROLL, file)


def _rolls(given: Sequence[tuple[int, ...]], file: str) -> Rolls:
    if not given:
        raise RecordError(1, 1, "no rolls", ROLL, file)
    if any(len(each) != len(given[0]) for each in given):
        raise RecordError(1, 1, "totals among pairs", "totals alone, or pairs alone", file)
    faces = None if len(given[0]) == 1 else tuple((each[0], each[1]) for each in given)
    return Rolls(tuple(map(sum, given)), faces)
