"""What the dealers of one layout have worked out before.

A wager does not know what else is up, so what a throw does to it can be kept: the event is made once and handed out
again. The same event is then the same object, by which `evolve` remembers what it does. Players do not share events,
though one may sit where another sat: an event found in a table's history was always the same player's.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any, NamedTuple, TypeVar

from passline.engine.events import Event, WagerDown, WagerUp
from passline.engine.table import Notice, Wager
from passline.engine.values import Roll

ANSWERS_MAX = 16_384  # how many answers of a kind are remembered before all of them are forgotten


K = TypeVar("K")
V = TypeVar("V")


class Answers(dict[K, V]):
    """Answers by all that they depend on; when there are too many, all of them are forgotten."""

    def __setitem__(self, key: K, value: V) -> None:
        if len(self) >= ANSWERS_MAX:
            self.clear()
        super().__setitem__(key, value)


class Nothing(Answers[K, V]):
    """Forgets at once, so that every answer is worked out by the rules alone."""

    def __setitem__(self, key: K, value: V) -> None: ...


class Accepted(NamedTuple):
    """A bet that the dealers took; they take it again if the rail covers it."""

    notice: Notice
    costs: int
    answer: tuple[WagerUp, ...]


class Called(NamedTuple):
    """What one throw does besides what it does to wagers."""

    called: tuple[Event, ...]  # the dice as they lie, then what becomes of the puck and the hand
    buttons_off: bool  # whether On buttons come off with it
    hand_over: bool  # whether it ends what the point began
    stands: set[str]  # Spots where a wager is known to stand through it


class Memory:
    """Answers by what was asked; never too many of them, and none in a copy.

    A notice and a verdict are known by identity: the answer keeps the one alive, the layout the other.
    """

    __slots__ = ("bets", "downs", "keeps", "looked", "made", "settled", "stands", "throws")

    def __init__(self, *, keeps: bool = True) -> None:
        answers: type[Answers[Any, Any]] = Answers if keeps else Nothing
        self.keeps = keeps
        # By puck and throw, spots where a wager stands whether it works or not, as far as anybody looked.
        self.stands: defaultdict[tuple[int, int], set[str]] = defaultdict(set)
        self.looked: set[tuple[str, int]] = set()  # Spot and puck of where somebody did
        # By spot, wager, puck, roll, seat and who sits there, and chip.
        self.settled: Answers[tuple[str, Wager, int, Roll, int, str, int], Event] = answers()
        # The same events by verdict, seat and who sits there, spot, wager and chip: many rolls have one verdict.
        self.made: Answers[tuple[int, int, str, str, Wager, int], Event] = answers()
        # By notice, bet, who makes it, what is up there and behind it, and all that opens and closes its time.
        self.bets: Answers[tuple[object, ...], Accepted] = answers()
        self.downs: Answers[tuple[object, ...], WagerDown] = answers()  # by who has it, and all that the event says
        # By puck, roll, thrower's seat and name, whether for come bets only, and whether a new set of dice is due.
        self.throws: Answers[tuple[int, Roll, int | None, str | None, bool, bool], Called] = answers()

    def __reduce__(self) -> tuple[type[Memory], tuple[()]]:
        """Identities mean nothing in another process, or in a copy."""
        return Memory, ()
