"""Somebody asks something of the floor: who, when, of which house and table."""

from __future__ import annotations

from typing import NamedTuple

from passline.engine.book import Book
from passline.engine.commands import Command
from passline.engine.decide import decide
from passline.engine.events import Event
from passline.engine.floor_rules import FloorHabits
from passline.engine.layout import Layout
from passline.engine.refusals import Refusal
from passline.engine.table import Seat, TableState
from passline.engine.values import ClauseId, Crew
from passline.floor.events import FloorEvent
from passline.floor.names import folded, is_said
from passline.floor.refusals import no
from passline.floor.state import Floor


class Officer(NamedTuple):
    """Who acts, by name and as what, and when by their clock."""

    name: str
    role: str
    time: str


class Acted(NamedTuple):
    """What happened on the floor, and in the game because of it."""

    events: tuple[FloorEvent, ...]
    game: tuple[Event, ...] = ()


FloorAnswer = Acted | Refusal
"""What happened, or why nothing did."""


class Ask(NamedTuple):
    """What the floor looks at when somebody asks."""

    layout: Layout
    floor: Floor
    table: TableState
    by: Officer

    @property
    def now(self) -> str:
        return self.by.time

    @property
    def book(self) -> Book:
        """The rule book of the house."""
        return self.layout.book

    @property
    def rules(self) -> FloorHabits:
        """What it says of the floor."""
        return self.layout.book.floor

    @property
    def title(self) -> str:
        """What this house calls whoever asks: the title they are on duty under, or its word for their role."""
        on_duty = self.floor.duty.get(folded(self.by.name))
        if on_duty is not None and self.rules.titles[on_duty].value.role == self.by.role:
            return on_duty
        return self.layout.crew((self.by.role,))  # type: ignore[arg-type]

    def only(self, roles: tuple[Crew, ...], clause: ClauseId | None) -> Refusal | None:
        """Say no to whoever asks as something else."""
        if self.by.role in roles:
            return None
        return no("floor.role", f"This is for the {self.layout.crew(roles)} to do.", clause)

    def supervisors_only(self, clause: ClauseId | None) -> Refusal | None:
        """Say no to whoever is no supervisor of the house's."""
        return self.only(self.rules.supervisors.value, clause)

    def seat(self, number: int) -> Seat | Refusal:
        return self.table.seats.get(number) or no("floor.seat", f"Nobody sits at seat {number}.", None, number)

    def play(self, command: Command) -> tuple[Event, ...] | Refusal:
        """What the engine answers to a command."""
        return decide(self.layout, self.table, command)


def about_oneself(second: str, *people: str) -> Refusal | None:
    """Say no where the second of two people is one of those it is decided about."""
    if folded(second) and folded(second) in map(folded, people):
        return no("floor.role", "Nobody agrees to what is decided about themselves.")
    return None


def unsaid(what: str, said: str, clause: ClauseId | None = None) -> Refusal | None:
    """Say no where nothing is said."""
    return None if is_said(said) else no("floor.unsaid", f"Say {what}.", clause)
