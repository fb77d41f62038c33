"""What the dealers of one layout have worked out before.

A wager does not know what else is up, so what a throw does to it can be kept: the event is made once and handed out
again. The same event is then the same object, by which `evolve` remembers what it does. Players do not share events,
though one may sit where another sat: an event found in a table's history was always the same player's.
"""

from __future__ import annotations

from collections import defaultdict
from typing import NamedTuple

from passline.engine.events import Event, WagerDown, WagerUp
from passline.engine.table import Notice, Wager
from passline.engine.values import Roll

ANSWERS_MAX = 16_384
"""How many answers of a kind are remembered before all of them are forgotten."""


class Accepted(NamedTuple):
    """A bet that the dealers took; they take it again if the rail covers it."""

    notice: Notice
    costs: int
    answer: tuple[WagerUp, ...]


class Called(NamedTuple):
    """What one throw does besides what it does to wagers."""

    called: tuple[Event, ...]
    """The dice as they lie, then what becomes of the puck and the hand."""
    buttons_off: bool
    """Whether On buttons come off with it."""
    hand_over: bool
    """Whether it ends what the point began."""
    stands: set[str]
    """Spots where a wager is known to stand through it."""


class Memory:
    """Answers by what was asked; never too many of them, and none in a copy.

    A notice and a verdict are known by identity: the answer keeps the one alive, the layout the other.
    """

    __slots__ = ("bets", "downs", "looked", "made", "settled", "stands", "throws")

    def __init__(self) -> None:
        self.stands: defaultdict[tuple[int, int], set[str]] = defaultdict(set)
        """By puck and throw, spots where a wager stands whether it works or not, as far as anybody looked."""
        self.looked: set[tuple[str, int]] = set()
        """Spot and puck of where somebody did."""
        self.settled: dict[tuple[str, Wager, int, Roll, int, str, int], Event] = {}
        """By spot, wager, puck, roll, seat and who sits there, and chip."""
        self.made: dict[tuple[int, int, str, str, Wager, int], Event] = {}
        """The same events by verdict, seat and who sits there, spot, wager and chip: many rolls have one verdict."""
        self.bets: dict[tuple[object, ...], Accepted] = {}
        """By notice, bet, who makes it, what is up there and behind it, and all that opens and closes its time."""
        self.downs: dict[tuple[object, ...], WagerDown] = {}
        """By who has it, and all that the event says."""
        self.throws: dict[tuple[int, Roll, int | None, str | None, bool, bool], Called] = {}
        """By puck, roll, thrower's seat and name, whether for come bets only, and whether a new set of dice is due."""

    def __reduce__(self) -> tuple[type[Memory], tuple[()]]:
        """Identities mean nothing in another process, or in a copy."""
        return Memory, ()
