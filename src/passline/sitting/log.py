"""What one person hears at a table: every event as a sentence said to them, and what each roll settled."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

from passline.engine import events as e
from passline.engine.events import Event
from passline.engine.postings import brought, postings
from passline.engine.table import TableState
from passline.telling.sentences import say

if TYPE_CHECKING:
    from passline.table import Moment, Table

# What a line of the log is about, so that a screen can colour what the words already say.
Tone = Literal["call", "win", "lose", "mine", "other", "no", "asks", "table"]

Settled = e.WagerWon | e.WagerLost | e.WagerPushed | e.WagerReturned | e.WagerTravelled

QUIET = (e.DiceSent,)  # what nobody says aloud
CALLED = (e.DiceThrown, e.NoRollCalled, e.FaceDoubted, e.FaceRead, e.OutcomeStruckOut)  # what everybody must hear
SHOWN = (e.PuckTurned, e.SevenOut, e.ShooterLost)  # what the table shows as well


@dataclass(frozen=True, slots=True)
class LogLine:
    text: str
    tone: Tone


class Settlement(NamedTuple):
    thrown: e.DiceThrown
    mine: tuple[Settled, ...]
    brought: int  # what the bank paid the person less what it took, in minor units
    everybody: dict[int, int]


def is_gone(event: Settled) -> bool:
    """Whether a wager is off the felt by this: it does not stay, and its chips did not go to a number."""
    return not getattr(event, "stays", isinstance(event, e.WagerTravelled))


def settlements(before: TableState, events: Iterable[Event], me: int) -> Iterator[Settlement]:
    mine = tuple(event for event in events if isinstance(event, Settled) and event.seat == me)
    for event in events:
        if isinstance(event, e.DiceThrown):
            moves = [move for each in events for move in postings(each)]
            everybody = {seat: brought(moves, seat) for seat in before.seats}
            yield Settlement(event, mine, everybody.get(me, 0), everybody)


class Log:
    """Everything said so far, as one person hears it; it reads the table's history whenever somebody looks."""

    def __init__(self, table: Table, me: int) -> None:
        self.table = table
        self.me = me
        self._decided: dict[str, int] = {}
        self.hardways: dict[str, int] = {}  # the hardways that the person lost, each with its last stake
        self._settlements: list[Settlement] = []
        self._entries: list[LogLine] = []
        self._read = 0

    @property
    def entries(self) -> list[LogLine]:
        self.listen()
        return self._entries

    @property
    def settlements(self) -> list[Settlement]:
        self.listen()
        return self._settlements

    @property
    def decided(self) -> dict[str, int]:
        """What the dice last took off the person's felt: each wager with its stake, a come bet as it started."""
        self.listen()
        return self._decided

    def listen(self) -> None:
        for moment in self.table.history[self._read :]:
            self._hear(moment)
        self._read = len(self.table.history)

    def note(self, text: str, tone: Tone = "no") -> None:
        """Write down what is no act at the table; a refusal is told where it is made."""
        self.listen()
        self._entries.append(LogLine(text, tone))

    def _hear(self, moment: Moment) -> None:
        mine = tuple(event for event in moment.events if isinstance(event, Settled) and event.seat == self.me)
        self._settlements += settlements(moment.before, moment.events, self.me)
        for event in moment.events:
            if not isinstance(event, QUIET) and not (isinstance(event, e.WagerTallied) and event.seat != self.me):
                sentence = say(self.table.house.layout, moment.before, event, self.me)
                self._entries.append(LogLine(sentence, self._tone(event)))
        gone = {self._started_as(event.wager): event.stake for event in mine if is_gone(event)}
        self._decided = gone or self._decided
        self.hardways |= {key: stake for key, stake in gone.items() if key.startswith("hard_")}

    def _started_as(self, wager: str) -> str:
        spot = self.table.house.spots[wager]
        return spot.family if spot.has_travelled else spot.key

    def _tone(self, event: Event) -> Tone:
        mine = getattr(event, "seat", None) == self.me
        match event:
            case _ if isinstance(event, CALLED):
                return "call"
            case e.WagerWon() if mine:
                return "win"
            case e.WagerLost() if mine:
                return "lose"
            case _ if isinstance(event, SHOWN):
                return "table"
            case _:
                return "mine" if mine else "other"
