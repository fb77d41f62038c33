"""What an act of the floor is: one class that says what is asked, who may, what comes of it, and what it changes.

A module of this folder holds a family of acts (`signs`, `conduct`, …). An act is a class under `@act`; what happens by
it is one or more classes under `@event`. Their lines in a journal, the forms and permissions of the service, the report
of significant events and every sentence follow from the two registers, which `register` fills by reading all families.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import fields
from typing import ClassVar, NamedTuple, TypeVar, dataclass_transform

from passline.engine.book import Book
from passline.engine.commands import Command
from passline.engine.decide import decide
from passline.engine.events import Event
from passline.engine.floor_rules import FloorHabits
from passline.engine.layout import Layout
from passline.engine.refusals import heeded, refuse
from passline.engine.table import Notice, Seat, TableState
from passline.engine.values import ClauseId, Crew, frozen
from passline.floor.clock import sign_time
from passline.floor.names import folded, is_said
from passline.floor.state import Floor

YOU = "You"  # the name of a player who gave none: whoever tells of them says *you*
CREW: tuple[Crew, ...] = ("dealer", "box", "stick", "supervisor")  # who works at a table for the house


class Officer(NamedTuple):
    """Who acts, by name and as what, and when by their clock."""

    name: str
    role: str
    time: str


class Context(NamedTuple):
    layout: Layout
    floor: Floor
    table: TableState
    by: Officer

    @property
    def now(self) -> str:
        return self.by.time

    @property
    def book(self) -> Book:
        return self.layout.book

    @property
    def rules(self) -> FloorHabits:
        return self.layout.book.floor

    def time(self, time: str) -> str:
        """By the house's clock."""
        return sign_time(time, self.rules.cage.time_zone)

    @property
    def title(self) -> str:
        """What this house calls whoever asks: the title they are on duty under, or its word for their role."""
        on_duty = self.floor.duty.get(folded(self.by.name))
        if on_duty is not None and self.rules.titles[on_duty].value.role == self.by.role:
            return on_duty
        return self.layout.crew((self.by.role,))

    def only(self, roles: tuple[str, ...], clause: ClauseId | None = None) -> None:
        if self.by.role not in roles:
            refuse("floor.role", f"This is for the {self.layout.crew(roles)} to do.", clause)

    def supervisors_only(self, clause: ClauseId | None) -> None:
        self.only(self.rules.supervisors.value, clause)

    def not_about_oneself(self, second: str, *people: str) -> None:
        """Refuse where the second of two people is one of those it is decided about."""
        if folded(second) and folded(second) in map(folded, people):
            refuse("floor.role", "Nobody agrees to what is decided about themselves.")

    def seat(self, number: int) -> Seat:
        if number not in self.table.seats:
            refuse("floor.seat", f"Seat {number} is empty.", None, number)
        return self.table.seats[number]

    def play(self, command: Command) -> tuple[Event, ...]:
        """What the engine makes of a command; what it refuses is refused."""
        return heeded(decide(self.layout, self.table, command))


def need(what: str, text: str, clause: ClauseId | None = None) -> None:
    if not is_said(text):
        refuse("floor.unsaid", f"Say {what}.", clause)


class Listener(NamedTuple):
    """Who hears a sentence, and the words of the house for who and how much."""

    layout: Layout
    table: TableState
    seat: int | None  # the player it is said to; None: nobody in particular
    sign: Callable[[Notice], str]  # what a notice says

    def is_you(self, seat: int, name: str = "") -> bool:
        sat = self.table.seats.get(seat)
        return seat == self.seat or YOU in (name, sat.name if sat else "")

    def who(self, seat: int) -> str:
        """A player: you, their name, or the seat's number."""
        if self.is_you(seat):
            return "you"
        return self.table.seats[seat].name if seat in self.table.seats else f"seat {seat}"

    def whose(self, seat: int) -> str:
        return "your" if self.is_you(seat) else f"{self.who(seat)}'s"

    def verb(self, seat: int, verb: str) -> str:
        """What a player does: you *bet*, Ann *bets*."""
        return verb if self.is_you(seat) else f"{verb}s"

    def all(self, seats: Iterable[int]) -> str:
        return " and ".join(map(self.who, seats))

    def name(self, wager: str) -> str:
        return self.layout.spots[wager].name

    def money(self, amount: int) -> str:
        return self.layout.money(amount)

    def time(self, time: str) -> str:
        return sign_time(time, self.layout.book.floor.cage.time_zone)


class FloorCommand:
    """Something that can be asked of the floor; its docstring is what people read beside its form."""

    __slots__ = ()

    permission: ClassVar[str]  # the row of `live/permissions.toml` that says who may ask
    # Whether it takes a second person, named in its field `second`: at a table with a crew nobody does it alone.
    two_people: ClassVar[bool]
    house_wide: ClassVar[bool]  # whether it is asked of the floor of the whole house, and of no table's
    for_oneself: ClassVar[bool]  # whether it is no work: somebody of the house asks it as anybody would

    def takes_two(self, _layout: Layout) -> bool:
        """Whether this one takes a second person, where not all of its kind do."""
        return self.two_people

    def decide(self, ctx: Context) -> "Acted":
        """What happens when it is asked; what is refused ends it, and the register hands the refusal on."""
        raise NotImplementedError


class FloorEvent:
    """Something that happened on the floor; `by` is who did it, by name. Without a clause, the book is silent."""

    __slots__ = ()

    # The kind under which whoever watches the house reads of it in a report; empty: it is not reported.
    significant: ClassVar[str]
    # The sentence, and what the report gives as its reason: a field as it is, or by a word of its listener's:
    # `{amount:money}`, `{seat:who}`. One that hangs on more is a `say` or a `why` of its own.
    says: ClassVar[str]
    because: ClassVar[str] = ""

    def after(self, floor: Floor) -> Floor:
        """The floor after it; what does nothing to the floor leaves it as it is."""
        return floor

    def say(self, to: Listener) -> str:
        """The sentence; its first letter may be small."""
        return self._worded(self.says, to)

    def is_significant(self) -> bool:
        return bool(self.significant)

    def why(self, to: Listener) -> str:
        """What the report of significant events gives as its reason."""
        if self.because:
            return self._worded(self.because, to)
        for name in ("reason", "cause", "about", "details", "title"):
            if reason := getattr(self, name, ""):
                return str(reason)
        return ""

    def _worded(self, sentence: str, to: Listener) -> str:
        values = {each.name: _Field(getattr(self, each.name), to) for each in fields(self)}  # type: ignore[arg-type]
        return sentence.format_map(values)


class _Field(NamedTuple):
    value: object
    to: Listener

    def __format__(self, word: str) -> str:
        """As it is, or by a word of the listener's."""
        return str(getattr(self.to, word)(self.value)) if word else str(self.value)


class Acted(NamedTuple):
    """What happened on the floor, and in the game because of it."""

    events: tuple[FloorEvent, ...]
    game: tuple[Event, ...] = ()


ACTS: dict[str, type[FloorCommand]] = {}  # every act of the floor by its wire name: `floor.refuse_wager`
EVENTS: dict[str, type[FloorEvent]] = {}  # every event of the floor by its wire name: `floor_event.wager_refused`

A = TypeVar("A", bound=FloorCommand)
E = TypeVar("E", bound=FloorEvent)


def snake(name: str) -> str:
    """A class by its name on the wire: `WagerWon` is `wager_won`."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


@dataclass_transform(frozen_default=True)
def act(
    permission: str, *, two_people: bool = False, house_wide: bool = False, for_oneself: bool = False
) -> Callable[[type[A]], type[A]]:
    """Make an act of the floor of a class and put it on the register."""

    def register(cls: type[A]) -> type[A]:
        made = frozen(cls)
        made.permission, made.two_people = permission, two_people
        made.house_wide, made.for_oneself = house_wide, for_oneself
        assert two_people == hasattr(made, "second"), f"{cls.__name__}: `second` is the second of two people"
        ACTS[f"floor.{snake(cls.__name__)}"] = made
        return made

    return register


@dataclass_transform(frozen_default=True)
def event(says: str = "", *, significant: str = "", why: str = "") -> Callable[[type[E]], type[E]]:
    """Make an event of the floor of a class and put it on the register; its sentence may say all that it is."""

    def register(cls: type[E]) -> type[E]:
        cls.__doc__ = cls.__doc__ or says
        made = frozen(cls)
        made.says, made.significant, made.because = says, significant, why or made.because
        EVENTS[f"floor_event.{snake(cls.__name__)}"] = made
        return made

    return register
