"""What the tests of floor clauses say: a table with a floor around it, people who ask things of it, and a clock.

A test reads like this:

    pit = Pit("sydney")                                              # seats 1 and 2, with 10 000 each
    pit.does(f.SignLimits(pit.sign("min=25"), pit.at("20:20")))      # a supervisor, at eight in the evening
    assert pit.refuses(f.ChangeLimits(pit.sign("min=25")), now="20:19").code == "notice.too_soon"
    pit.does(f.ChangeLimits(pit.sign("min=25")), now="20:20")
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeVar

from passline.codec import from_data, to_data
from passline.engine.decide import decide as deal
from passline.engine.evolve import evolve as dealt
from passline.engine.refusals import Refusal, refusal_of
from passline.engine.values import CENTS
from passline.floor import gate
from passline.floor.acts import Acted, Officer
from passline.floor.gate import watch
from passline.floor.register import decide, evolve
from passline.floor.state import QUIET
from passline.record.acts import SEAT_VERBS, read_act
from passline.record.line import Words
from passline.telling.sentences import say_floor
from tests.clauses.table_helpers import PLAYER, game, opened
from tests.test_words import faults

if TYPE_CHECKING:
    from passline.engine.commands import Command
    from passline.engine.events import Event
    from passline.engine.table import Notice
    from passline.floor.acts import FloorCommand

E = TypeVar("E")


class No(NamedTuple):
    """Why somebody was told no."""

    code: str
    clause: str | None


class Pit:
    """A table, its floor, and whoever acts on it."""

    def __init__(self, house: str, notice: str = "min=5 max=1000", seats: int = 2) -> None:
        """A table with players at so many seats."""
        self.layout = opened(house).layout
        self.floor = QUIET
        self.state = game(house, notice, seats=seats).state

    def at(self, time: str) -> str:
        """A time of this evening, or of another day: `20:15`, `06-03 20:15`."""
        day, _, clock = time.rpartition(" ")
        return f"2026-{day or '06-01'}T{clock}:00Z"

    def sign(self, words: str) -> Notice:
        """What a sign of this house can say."""
        return game(self.layout.book.id, words, seats=0).state.notice

    def asks(self, command: FloorCommand, role: str, name: str, now: str) -> Acted | Refusal:
        """What the floor answers, in a form that a journal could keep."""
        command = from_data(to_data(command))  # type: ignore[assignment]
        return decide(self.layout, self.floor, self.state, command, Officer(name, role, self.at(now)))

    def does(self, command: FloorCommand, role: str = "supervisor", name: str = "Sue", now: str = "20:00") -> Acted:
        """Somebody asks for something, and it is done."""
        answer = self.asks(command, role, name, now)
        assert not isinstance(answer, Refusal), answer
        for event in answer.events:
            assert from_data(to_data(event)) == event
            assert not faults(say_floor(self.layout, self.state, event, PLAYER))
        self.state = dealt(self.state, answer.game)
        self.floor = evolve(watch(self.floor, self.state, answer.game), answer.events)
        return answer

    def refuses(self, command: FloorCommand, role: str = "supervisor", name: str = "Sue", now: str = "20:00") -> No:
        """Somebody asks for something, and is told no in a whole sentence."""
        answer = self.asks(command, role, name, now)
        assert isinstance(answer, Refusal), answer
        assert not faults(answer.message), answer.message
        return No(answer.code, answer.clause)

    def command(self, line: str) -> Command:
        """A line of a record; a player's line without a seat is seat 1's."""
        seated = f"{PLAYER} {line}" if line.split(maxsplit=1)[0] in SEAT_VERBS else line
        return read_act(Words.of(1, seated), self.layout.book, self.state.notice)

    def hears(self, line: str) -> tuple[Event, ...] | Refusal:
        """What comes of a line, by the floor and the engine."""
        command = self.command(line)
        refused = refusal_of(gate.check, self.layout, self.floor, self.state, command)
        return refused or deal(self.layout, gate.seen(self.floor, self.state, command), command)

    def plays(self, *lines: str) -> tuple[Event, ...]:
        """Lines of a record, all of which must be accepted; the events of the last one."""
        events: tuple[Event, ...] = ()
        for line in lines:
            answer = self.hears(line)
            assert not isinstance(answer, Refusal), f"{line}: {answer}"
            events = answer
            self.state = dealt(self.state, events)
            self.floor = watch(self.floor, self.state, events)
        return events

    def no(self, line: str) -> No:
        """A line that is refused."""
        answer = self.hears(line)
        assert isinstance(answer, Refusal), f"{line}: {answer}"
        return No(answer.code, answer.clause)

    def up(self, seat: int = PLAYER) -> dict[str, int]:
        """What a seat has on the felt, in whole units."""
        return {key: wager.stake // CENTS for key, wager in self.state.seats[seat].felt.items()}

    def rail(self, seat: int = PLAYER) -> int:
        """A seat's own chips, in whole units."""
        return self.state.seats[seat].rail // CENTS


def the(answer: Acted, kind: type[E]) -> E:
    """The one event of a kind in an answer of the floor."""
    (found,) = [event for event in answer.events if isinstance(event, kind)]
    return found
