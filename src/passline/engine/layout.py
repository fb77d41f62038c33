"""The layout: a rule book laid out as spots, each with its verdict for every mark, puck and roll."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from fractions import Fraction
from typing import NamedTuple, TypeVar

from passline.engine import kinds
from passline.engine.book import Book, WagerRule
from passline.engine.events import Event, WagerDown, WagerUp
from passline.engine.kinds import Line, Odds
from passline.engine.table import Notice, Wager
from passline.engine.values import CENTS, ROLLS, Roll, Rounding, WagerKey, money
from passline.engine.verdicts import Marking, Paid, Verdict

Row = tuple["Verdict | None", ...]  # the verdicts of all 36 throws for one wager where it stands


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Spot(Marking):
    """One marked place on the layout: everything the dealers know about a wager before it is made."""

    name: str  # the house's own name for it, with its number
    rule: WagerRule
    parts_spots: "Mapping[str, Spot]"  # where a split finds its parts
    _rows: dict[tuple[int, int, bool], Row] = field(default_factory=dict)
    _rates: dict[int, Fraction] = field(default_factory=dict)

    family: str = field(init=False)  # the rule's key: all place bets are one kind, all hardways another
    units: int = field(init=False)  # how many equal units a stake must divide into
    is_flat: bool = field(init=False)  # whether it is one of the four flat bets, wherever it stands
    is_line: bool = field(init=False)  # whether it lets a player shoot: a line bet that does not travel
    is_odds: bool = field(init=False)  # whether it stands behind a flat bet
    is_dont: bool = field(init=False)  # whether it is a flat bet against the shooter
    has_travelled: bool = field(init=False)  # whether it is a come or don't come on its number
    counts_again: bool = field(init=False)  # whether it counts the same number more than once

    def __post_init__(self) -> None:
        """Computes once what every roll asks for."""
        line = self.rule.terms if isinstance(self.rule.terms, Line) else None
        known = {
            "family": self.rule.key,
            "units": sum(self.parts.values()) or 1,
            "is_flat": line is not None,
            "is_line": line is not None and not line.travels,
            "is_odds": isinstance(self.rule.terms, Odds),
            "is_dont": line is not None and line.side == "dont",
            "has_travelled": line is not None and bool(self.number),
            "counts_again": len(set(self.counts)) < len(self.counts),
        }
        for name, value in known.items():
            object.__setattr__(self, name, value)

    def row(self, mark: int, puck: int, *, works: bool) -> Row:
        """The verdicts of all 36 throws for a wager here, computed once."""
        where = (mark, 0 if self.blind else puck, works)
        row = self._rows.get(where)
        if row is None:
            seen: dict[Verdict | None, Verdict | None] = {}
            verdicts: dict[Roll, Verdict | None] = {}
            for roll in ROLLS:
                if roll.first <= roll.second:  # which die shows which face makes no difference
                    verdict = kinds.verdict(self, mark, puck, roll, works=works)
                    verdicts[roll] = verdicts[Roll(roll.second, roll.first)] = seen.setdefault(verdict, verdict)
            row = self._rows[where] = tuple(verdicts[roll] for roll in ROLLS)
        return row

    def verdict(self, mark: int, puck: int, roll: Roll, *, works: bool) -> Verdict | None:
        return self.row(mark, puck, works=works)[roll.throw]

    @property
    def prices(self) -> tuple[Paid, ...]:
        """Every price it can pay, each with the number that brings it and its clause."""
        return tuple(self.rule.terms.prices(self))

    def rate_at(self, point: int) -> Fraction:
        """The exact profit on a stake of one at the price this wager has on `point`."""
        if not self._rates:
            self._rates.update({paid.number: paid.price.rate for paid in self.prices})
            if len(only := set(self._rates.values())) == 1:
                self._rates.setdefault(0, *only)
        return self._rates[point if point in self._rates else 0]

    def is_on_a_point(self, puck: int) -> bool:
        """Whether a bet here is past its come-out: it has travelled, or it is a line bet and a point is on."""
        return self.has_travelled or bool(self.is_line and puck)

    def is_put(self, puck: int) -> bool:
        """Whether chips that go up here now are put on a point, past the come-out that favours the bet."""
        terms = self.rule.terms
        return isinstance(terms, Line) and bool(puck) and self.is_on_a_point(puck) and terms.put.value

    def key_at(self, point: int) -> str:
        """Its key in tables of prices with this point on: line odds get their number from the puck."""
        return f"{self.key}_{point}" if self.is_odds and not self.number else self.key


# --- What the dealers of one layout have worked out before ------------------------------------------------------------

# A wager does not know what else is up, so what a throw does to it can be kept: the event is made once and handed out
# again. The same event is then the same object, by which `evolve` remembers what it does. Players do not share events,
# though one may sit where another sat: an event found in a table's history was always the same player's.

ANSWERS_MAX = 16_384  # how many answers of a kind are remembered before all of them are forgotten

K = TypeVar("K")
V = TypeVar("V")


class Answers(dict[K, V]):
    """A bounded cache: answers by everything they depend on, emptied when it is full."""

    def __setitem__(self, key: K, value: V) -> None:
        if len(self) >= ANSWERS_MAX:
            self.clear()
        super().__setitem__(key, value)


class Accepted(NamedTuple):
    """A bet that the dealers took; they take it again if the rail covers it."""

    notice: Notice
    costs: int
    answer: tuple[WagerUp, ...]


class Called(NamedTuple):
    """What one throw does apart from settling wagers."""

    called: tuple[Event, ...]  # the dice as they lie, then what becomes of the puck and the hand
    buttons_off: bool  # whether On buttons come off with it
    hand_over: bool  # whether it ends what the point began
    stands: set[str]  # Spots where a wager is known to stand through it


class Memory:
    """Answers by what was asked; never too many of them, and none in a copy.

    A notice and a verdict are known by identity: the answer keeps the one alive, the layout the other.
    """

    __slots__ = ("bets", "downs", "looked", "made", "settled", "stands", "throws")

    def __init__(self) -> None:
        # By puck and throw, spots where a wager stands whether it works or not, as far as anybody looked.
        self.stands: defaultdict[tuple[int, int], set[str]] = defaultdict(set)
        self.looked: set[tuple[str, int]] = set()  # Spot and puck of where somebody did
        # By spot, wager, puck, roll, seat and who sits there, and chip.
        self.settled: Answers[tuple[str, Wager, int, Roll, int, str, int], Event] = Answers()
        # The same events by verdict, seat and who sits there, spot, wager and chip: many rolls have one verdict.
        self.made: Answers[tuple[int, int, str, str, Wager, int], Event] = Answers()
        # By notice, bet, who makes it, what is up there and behind it, and all that opens and closes its time.
        self.bets: Answers[tuple[object, ...], Accepted] = Answers()
        self.downs: Answers[tuple[object, ...], WagerDown] = Answers()  # by who has it, and all that the event says
        # By puck, roll, thrower's seat and name, whether for come bets only, and whether a new set of dice is due.
        self.throws: Answers[tuple[int, Roll, int | None, str | None, bool, bool], Called] = Answers()

    def __reduce__(self) -> "tuple[type[Memory], tuple[()]]":
        """Object identities mean nothing in another process or a copy, so a copy starts empty."""
        return Memory, ()


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """One house's felt, ready to deal on."""

    book: Book
    spots: Mapping[str, Spot]  # every spot that can hold chips, by wager key, in the order of the house file
    rounding: Rounding
    exact: bool  # Analysis: nothing is rounded to chips and commission has no minimum
    minor_per_unit: int  # how many minor units make one unit of money
    line: tuple[WagerKey, ...]  # the keys that make a player a line bettor: those that can be bet
    memory: Memory = field(init=False, repr=False, default_factory=Memory)  # what the dealers have worked out before

    def money(self, minor_units: int) -> str:
        return money(minor_units, self.minor_per_unit)

    def crew(self, roles: Iterable[str]) -> str:
        """Some of the crew, in this house's own words: `boxman or stickman`."""
        return " or ".join(getattr(self.book.staff, role, role) for role in roles)

    def offered(self) -> Iterator[Spot]:
        """The spots a player can ask for by name."""
        return (spot for spot in self.spots.values() if spot.rule.offered.value and not spot.has_travelled)


def lay_out(book: Book, *, exact: bool = False, minor_per_unit: int = CENTS) -> Layout:
    """Lay a rule book out, for a table or (exact) for analysis in minor units that clear every fraction."""
    spots: dict[str, Spot] = {}
    for rule in book.wagers:
        for marking in rule.terms.markings(rule.key, book):
            where = {each.name: getattr(marking, each.name) for each in fields(marking)}
            spots[marking.key] = Spot(**where, name=rule.name_of(marking.member), rule=rule, parts_spots=spots)
    return Layout(
        book=book,
        spots=spots,
        rounding="exact" if exact else book.money.rounding.value,
        exact=exact,
        minor_per_unit=minor_per_unit,
        line=tuple(spot.key for spot in spots.values() if spot.is_line and spot.rule.offered.value),
    )
