"""The layout: a rule book laid out as spots, each with its verdict for every mark, puck and roll."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from passline.engine import automata
from passline.engine.book import Hardway, Hop, Line, Number, Odds, OneRoll, Split
from passline.engine.values import CENTS, ROLLS, ClauseId, WagerKey, money

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from fractions import Fraction

    from passline.engine.book import Book, WagerRule
    from passline.engine.values import Role, Roll, Rounding
    from passline.engine.verdicts import Verdict

NOWHERE = ClauseId("")
"""The clause of what does not happen."""

Row = tuple["Verdict | None", ...]
"""The verdicts of all 36 throws for one wager where it stands."""


@dataclass(frozen=True, slots=True, eq=False)
class Spot:
    """One marked place on the layout: everything the dealers know about a wager before it is made."""

    key: WagerKey
    name: str
    rule: WagerRule
    points: tuple[int, ...]
    number: int = 0
    """The number it is on; 0 where the puck or the next roll gives it one."""
    pair: tuple[int, int] = (0, 0)
    """The two faces a hop names, the higher first."""
    parts: Mapping[str, int] = field(default_factory=dict)
    """For a split: units on each part."""
    parts_spots: Mapping[str, Spot] = field(default_factory=dict)
    flat: str = ""
    """For odds: the key of the flat bet they stand behind."""
    odds: str = ""
    """For a flat bet: the key of the odds behind it, where it stands now."""
    travels_by: ClauseId = NOWHERE
    """The clause that gives a travelling bet its number."""
    _rows: dict[tuple[int, int, bool], Row] = field(default_factory=dict)

    family: str = field(init=False)
    """The rule's key: all place bets are one kind, all hardways another."""
    units: int = field(init=False)
    """How many equal units a stake must divide into."""
    is_flat: bool = field(init=False)
    """Whether it is one of the four flat bets, wherever it stands."""
    is_line: bool = field(init=False)
    """Whether it lets a player shoot: a line bet that does not travel."""
    is_odds: bool = field(init=False)
    """Whether it stands behind a flat bet."""
    is_dont: bool = field(init=False)
    """Whether it is a flat bet against the shooter."""
    has_travelled: bool = field(init=False)
    """Whether it is a come or don't come on its number."""

    def __post_init__(self) -> None:
        """Work out once what the dealers ask at every roll."""
        line = self.rule.terms if isinstance(self.rule.terms, Line) else None
        known = {
            "family": self.rule.key,
            "units": sum(self.parts.values()) or 1,
            "is_flat": line is not None,
            "is_line": line is not None and not line.travels,
            "is_odds": isinstance(self.rule.terms, Odds),
            "is_dont": line is not None and line.side == "dont",
            "has_travelled": line is not None and bool(self.number),
        }
        for name, value in known.items():
            object.__setattr__(self, name, value)

    def row(self, mark: int, puck: int, *, works: bool) -> Row:
        """The verdicts of all 36 throws for a wager here, worked out once."""
        where = (mark, puck, works)
        row = self._rows.get(where)
        if row is None:
            seen: dict[Verdict | None, Verdict | None] = {}
            verdicts = (automata.verdict(self, mark, puck, roll, works=works) for roll in ROLLS)
            row = self._rows[where] = tuple(seen.setdefault(verdict, verdict) for verdict in verdicts)
        return row

    def verdict(self, mark: int, puck: int, roll: Roll, *, works: bool) -> Verdict | None:
        """The verdict of one roll, or None when the wager stands."""
        return self.row(mark, puck, works=works)[roll.throw]

    def rate_at(self, point: int) -> Fraction:
        """The exact profit on a stake of one at the only price this wager has on `point`."""
        terms = self.rule.terms
        if isinstance(terms, Odds | Number | Hardway | OneRoll):
            return terms.pays[point].value.rate
        message = f"{self.key} has no price by number"
        raise TypeError(message)


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """One house's felt, ready to deal on."""

    book: Book
    spots: Mapping[str, Spot]
    """Every spot that can hold chips, by wager key, in the order of the house file."""
    rounding: Rounding
    exact: bool
    """Analysis: nothing is rounded to chips and commission has no minimum."""
    grain: int
    """How many grains make one unit of money."""
    line: tuple[WagerKey, ...]
    """The keys that make a player a line bettor."""

    def money(self, grains: int) -> str:
        """Write an amount for people."""
        return money(grains, self.grain)

    def crew(self, roles: Iterable[Role]) -> str:
        """Some of the crew, in this house's own words: `boxman or stickman`."""
        return " or ".join(self.book.staff.get(role, role) for role in roles)

    def offered(self) -> Iterator[Spot]:
        """The spots a player can ask for by name."""
        return (spot for spot in self.spots.values() if spot.rule.offered.value and not spot.has_travelled)


def lay_out(book: Book, *, exact: bool = False, grain: int = CENTS) -> Layout:
    """Lay a rule book out, for a table or (exact) for analysis in grains that clear every fraction."""
    spots: dict[str, Spot] = {}
    for rule in book.wagers:
        for spot in _spots(rule, book, spots):
            spots[spot.key] = spot
    return Layout(
        book=book,
        spots=spots,
        rounding="exact" if exact else book.money.rounding.value,
        exact=exact,
        grain=grain,
        line=tuple(spot.key for spot in spots.values() if spot.is_line),
    )


def _spots(rule: WagerRule, book: Book, laid: Mapping[str, Spot]) -> Iterator[Spot]:
    """The spots one rule makes: one for each number, pair or place it can stand on."""
    blank = Spot(key=WagerKey(rule.key), name="", rule=rule, points=book.points.value)
    for where in _places(rule, book, laid):
        key = where.get("key", rule.key)
        assert isinstance(key, str)
        yield replace(blank, name=rule.names.get(key, rule.name), **{**where, "_rows": {}})


def _places(  # noqa: C901 - one case for each kind of wager
    rule: WagerRule, book: Book, laid: Mapping[str, Spot]
) -> Iterator[dict[str, Any]]:
    """Where the wagers of one rule stand, as the fields that tell their spots apart."""
    key, terms, points = rule.key, rule.terms, book.points.value
    match terms:
        case Line(travels=True):
            yield {"travels_by": terms.point or rule.made.clause}
            for point in points:
                yield {"key": f"{key}_{point}", "number": point, "odds": _odds_key(book, key, point)}
        case Line():
            yield {"odds": _odds_key(book, key, 0)}
        case Odds() if _travels(book, terms.flat):
            for point in points:
                yield {"key": f"{key}_{point}", "number": point, "flat": f"{terms.flat}_{point}"}
        case Odds():
            yield {"flat": terms.flat}
        case Number() | Hardway():
            for number in terms.pays:
                yield {"key": f"{key}_{number}", "number": number}
        case Hop():
            for high, low in terms.pairs:
                yield {"key": terms.keys.format(total=high + low, high=high, low=low), "pair": (high, low)}
        case Split() if not terms.high:
            yield {"parts": terms.parts.value, "parts_spots": laid}
        case Split():
            for number, part in terms.high.items():
                parts = {**terms.parts.value, part: terms.parts.value[part] + 1}
                yield {"key": f"{key}_{number}", "number": number, "parts": parts, "parts_spots": laid}
        case _:
            yield {}


def _travels(book: Book, key: str) -> bool:
    return any(rule.key == key and isinstance(rule.terms, Line) and rule.terms.travels for rule in book.wagers)


def _odds_key(book: Book, flat: str, point: int) -> str:
    for rule in book.wagers:
        if isinstance(rule.terms, Odds) and rule.terms.flat == flat:
            return f"{rule.key}_{point}" if point else rule.key
    return ""
