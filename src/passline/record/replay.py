"""Playing a record again, to the same chips."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from passline.engine.decide import decide
from passline.engine.evolve import evolve
from passline.engine.layout import lay_out
from passline.engine.refusals import Refusal
from passline.engine.table import open_table
from passline.record.record import read_record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from passline.engine.book import Book
    from passline.engine.events import Event
    from passline.engine.layout import Layout
    from passline.engine.table import TableState
    from passline.record.record import Act, Record


@dataclass(frozen=True, slots=True)
class Step:
    """One act of a record, what came of it, and the table after it."""

    act: Act
    answer: tuple[Event, ...] | Refusal
    table: TableState


@dataclass(frozen=True, slots=True)
class Replay:
    """A record played to its end."""

    record: Record
    layout: Layout
    steps: tuple[Step, ...]
    table: TableState

    @property
    def events(self) -> tuple[Event, ...]:
        """Everything that happened."""
        return tuple(event for step in self.steps if not isinstance(step.answer, Refusal) for event in step.answer)

    @property
    def refusals(self) -> tuple[Refusal, ...]:
        """Everything the dealers said no to."""
        return tuple(step.answer for step in self.steps if isinstance(step.answer, Refusal))


def find_house(beside: Path | None = None) -> Callable[[str], Book]:
    """Look houses up by id, or by path from where the record lies."""

    def find(name: str) -> Book:
        from passline.rulebooks.read import built_in, load

        return load(name) if name in built_in() or beside is None else load(beside / name)

    return find


def read(text: str, beside: Path | None = None, file: str = "record") -> Record:
    """Read a record's text."""
    return read_record(text, find_house(beside), file)


def play(record: Record, layout: Layout | None = None) -> Iterator[Step]:
    """Play a record step by step."""
    layout = layout or lay_out(record.book)
    table = open_table(record.notice, record.book.dice.dice_set.value)
    for act in record.acts:
        answer = decide(layout, table, act.command)
        if not isinstance(answer, Refusal):
            table = evolve(table, answer)
        yield Step(act, answer, table)


def opened(source: str | Path) -> tuple[Record, str | Path]:
    """A record, given as its text or as the path of its file, and where its house is to be found from here."""
    if not isinstance(source, Path):
        record = read(source)
        return record, record.house
    record = read(source.read_text(encoding="utf-8"), source.parent, source.name)
    from passline.rulebooks.read import built_in

    return record, record.house if record.house in built_in() else source.parent / record.house


def replay(source: str | Path) -> Replay:
    """Play a record, given as its text or as the path of its file."""
    record, _ = opened(source)
    layout = lay_out(record.book)
    steps = tuple(play(record, layout))
    empty = open_table(record.notice, record.book.dice.dice_set.value)
    return Replay(record, layout, steps, steps[-1].table if steps else empty)
