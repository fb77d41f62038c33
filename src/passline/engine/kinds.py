"""The kinds of wager, a room for each: its terms in a rule book, where its chips lie, what a roll does, what it pays.

A wager is a small automaton over dice: where it stands and one roll give a verdict. A new kind is a record here that
answers what the others answer, and a word in `Terms`; mypy then names every place that has to look at it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal, NamedTuple, get_args

from passline.engine.values import SEVEN, Cited, ClauseId, Price, Roll, Total, WagerKey
from passline.engine.verdicts import Loses, Pushes, Returns, Tallies, Travels, Verdict, Wins

if TYPE_CHECKING:
    from passline.engine.book import Book
    from passline.engine.layout import Spot

FRESH = 0
"""The mark of a wager that has not seen a roll; wagers with memory never come back to it."""

TALLY = 1
"""Added to a tally's bits, so that an empty tally differs from a fresh wager."""

Side = Literal["do", "dont"]
"""With the shooter or against."""

Window = Literal["any time", "come-out", "point on", "after come-out", "first come-out", "after a seven"]
"""When a wager may be made."""

AT_ANY_TIME: tuple[Window, ...] = get_args(Window)
"""The windows of a wager that means the same whenever it is made."""

BEFORE_IT_COUNTS: tuple[Window, ...] = ("first come-out", "come-out", "after a seven")
"""The windows of a tally: made later, half of it would be for sale."""

Prices = Mapping[Total, Cited[Price]]
"""A price for each number."""

Clauses = ClauseId | Mapping[Total, ClauseId]
"""One clause for every number of a wager, or one for each."""

Pair = tuple[int, int]
"""Two faces, the higher first."""

NO_PUT = Cited(value=False, clause=ClauseId("X-07"))
"""A line bet is made before its point, where the book does not say."""

Units = Annotated[int, range(1, 101)]
"""How much of a split lies on one of its parts."""

Count = Annotated[int, range(1, 13)]
"""How many points a hand has made."""


@dataclass(frozen=True, slots=True)
class Marking:
    """Somewhere that chips of a wager can lie, and what tells it from the wager's other places."""

    key: WagerKey
    member: str = ""
    """Its number or pair, as a house file writes it; empty where the wager has only this place, or begins here."""
    number: int = 0
    """The number it is on; 0 where the puck or the next roll gives it one."""
    pair: Pair = (0, 0)
    """The two faces a hop names, the higher first."""
    parts: Mapping[WagerKey, int] = field(default_factory=dict)
    """For a split: units on each part."""
    flat: str = ""
    """For odds: the key of the flat bet they stand behind."""
    odds: str = ""
    """For a flat bet: the key of the odds behind it, where it stands now."""
    side: Side | None = None
    """With the shooter or against, where the wager takes a side."""
    counts: tuple[int, ...] = ()
    """For a wager with memory: the numbers it looks for, the first on the lowest bit of its tally."""


class Paid(NamedTuple):
    """One price a spot can pay."""

    number: int
    """The total, point or count of points that brings it; 0 where nothing else is paid."""
    price: Price
    clause: ClauseId


def _on(key: str, number: int) -> WagerKey:
    """The key of a family's member."""
    return WagerKey(f"{key}_{number}")


def _wins(price: Cited[Price], rule: ClauseId) -> Wins:
    return Wins(price=price.value, clause=price.clause, rule=rule, rate=price.value.rate)


def _paid(number: int, price: Cited[Price]) -> Paid:
    return Paid(number, price.value, price.clause)


def _for(clauses: Clauses, number: int) -> ClauseId:
    return clauses[number] if isinstance(clauses, Mapping) else clauses


def _race(side: Side | None, number: int, roll: Roll) -> bool | None:
    """Whether this roll wins a number's race against seven, loses it, or leaves it open."""
    if roll.total not in (number, SEVEN):
        return None
    return (roll.total == number) == (side == "do")


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """Decided by its first roll, or by its point against a seven: pass, come and their opposites."""

    kind: ClassVar[str] = "line"
    can_rest: ClassVar[bool] = False
    can_stay: ClassVar[bool] = False

    side: Side
    """With the shooter or against."""
    travels: bool = False
    """Whether it moves to its number, as a come bet does."""
    wins: Cited[tuple[Total, ...]]
    """Totals that win on its first roll."""
    loses: Cited[tuple[Total, ...]]
    """Totals that lose on its first roll."""
    bar: Cited[Total] | None = None
    """The total that pushes on its first roll."""
    point: ClauseId | None = None
    """The clause that gives a travelling bet its number."""
    then_wins: ClauseId
    """The clause by which its point, or the seven, wins."""
    then_loses: ClauseId
    """The clause by which the seven, or its point, loses."""
    pays: Cited[Price]
    """Its price."""
    put: Cited[bool] = NO_PUT
    """Whether it may be made or raised with a point on."""

    @property
    def windows(self) -> tuple[Window, ...]:
        """It is made before its first roll: with its point it would be another bet."""
        return ("point on", "after come-out") if self.travels else ("come-out",)

    def markings(self, key: str, book: "Book") -> Iterator[Marking]:
        """Its box and, if it travels, every number."""
        behind = [rule.key for rule in book.wagers if isinstance(rule.terms, Odds) and rule.terms.of == key]
        odds = behind[0] if behind else ""
        yield Marking(WagerKey(key), odds="" if self.travels else odds, side=self.side)
        for point in book.points.value if self.travels else ():
            yield Marking(_on(key, point), str(point), point, odds=odds and _on(odds, point), side=self.side)

    def verdict(self, spot: "Spot", _mark: int, puck: int, roll: Roll) -> Verdict | None:
        """By its first roll until it has a point: the puck's, or the number it travelled to."""
        if point := spot.number or (0 if self.travels else puck):
            race = _race(self.side, point, roll)
            return None if race is None else _wins(self.pays, self.then_wins) if race else Loses(self.then_loses)
        total = roll.total
        if total in self.wins.value:
            return _wins(self.pays, self.wins.clause)
        if total in self.loses.value:
            return Loses(self.loses.clause)
        if self.bar is not None and total == self.bar.value:
            return Pushes(self.bar.clause)
        return Travels(_on(spot.key, total), self.point or spot.rule.made.clause) if self.travels else None

    def prices(self, _spot: "Spot") -> Iterator[Paid]:
        """Even money, as a rule."""
        yield _paid(0, self.pays)


@dataclass(frozen=True, slots=True, kw_only=True)
class Odds:
    """Chips behind one flat bet, priced by its point, living and ending with it."""

    kind: ClassVar[str] = "odds"
    can_rest: ClassVar[bool] = True
    can_stay: ClassVar[bool] = False
    windows: ClassVar[tuple[Window, ...]] = ("any time", "point on")

    of: WagerKey
    """The line wager it stands behind."""
    pays: Prices
    """Its price for each point."""
    wins: ClauseId
    """The clause by which it wins."""
    loses: ClauseId
    """The clause by which it loses."""
    limit: ClauseId
    """The clause that limits it."""

    def markings(self, key: str, book: "Book") -> Iterator[Marking]:
        """Behind its flat bet, wherever that can stand."""
        flat = next((rule.terms for rule in book.wagers if rule.key == self.of), None)
        if not isinstance(flat, Line):
            yield Marking(WagerKey(key), flat=self.of)
        elif not flat.travels:
            yield Marking(WagerKey(key), flat=self.of, side=flat.side)
        else:
            for point in book.points.value:
                yield Marking(_on(key, point), str(point), point, flat=_on(self.of, point), side=flat.side)

    def verdict(self, spot: "Spot", _mark: int, puck: int, roll: Roll) -> Verdict | None:
        """With its flat bet."""
        point = spot.number or puck
        race = _race(spot.side, point, roll)
        return None if race is None else _wins(self.pays[point], self.wins) if race else Loses(self.loses)

    def while_off(self, spot: "Spot", puck: int, roll: Roll) -> Verdict | None:
        """Odds cannot rest without the bet they stand behind."""
        return Returns(spot.rule.off_on_comeout.clause) if roll.total in (spot.number or puck, SEVEN) else None

    def prices(self, spot: "Spot") -> Iterator[Paid]:
        """That of its number, or of every point the puck can give it."""
        return (_paid(point, price) for point, price in self.pays.items() if spot.number in (0, point))


@dataclass(frozen=True, slots=True, kw_only=True)
class Number:
    """A number against a seven: to win (place, buy, big) or to lose (place to lose, lay)."""

    kind: ClassVar[str] = "number"
    can_rest: ClassVar[bool] = True
    can_stay: ClassVar[bool] = True
    windows: ClassVar[tuple[Window, ...]] = AT_ANY_TIME

    side: Side
    """For the number or against it."""
    pays: Prices
    """Its price for each number."""
    wins: Clauses
    """The clause by which it wins, one or by number."""
    loses: Clauses
    """The clause by which it loses, one or by number."""

    def markings(self, key: str, _book: "Book") -> Iterator[Marking]:
        """Every number that has a price."""
        return (Marking(_on(key, number), str(number), number, side=self.side) for number in self.pays)

    def verdict(self, spot: "Spot", _mark: int, _puck: int, roll: Roll) -> Verdict | None:
        """By its number or a seven, whichever comes first."""
        race, number = _race(self.side, spot.number, roll), spot.number
        if race is None:
            return None
        return _wins(self.pays[number], _for(self.wins, number)) if race else Loses(_for(self.loses, number))

    def prices(self, spot: "Spot") -> Iterator[Paid]:
        """That of its number."""
        yield _paid(spot.number, self.pays[spot.number])


@dataclass(frozen=True, slots=True, kw_only=True)
class Hardway:
    """A pair against the same total made any other way, and against a seven."""

    kind: ClassVar[str] = "hardway"
    can_rest: ClassVar[bool] = True
    can_stay: ClassVar[bool] = True
    windows: ClassVar[tuple[Window, ...]] = AT_ANY_TIME

    pays: Prices
    """Its price for each number."""
    wins: Clauses
    """The clause by which it wins, one or by number."""
    loses: Clauses
    """The clause by which it loses, one or by number."""

    def markings(self, key: str, _book: "Book") -> Iterator[Marking]:
        """Every number that has a price."""
        return (Marking(_on(key, number), str(number), number) for number in self.pays)

    def verdict(self, spot: "Spot", _mark: int, _puck: int, roll: Roll) -> Verdict | None:
        """By its total, hard or easy, or by a seven."""
        number = spot.number
        if roll.total not in (number, SEVEN):
            return None
        hard = roll.total == number and roll.is_hard
        return _wins(self.pays[number], _for(self.wins, number)) if hard else Loses(_for(self.loses, number))

    def prices(self, spot: "Spot") -> Iterator[Paid]:
        """That of its number."""
        yield _paid(spot.number, self.pays[spot.number])


@dataclass(frozen=True, slots=True, kw_only=True)
class OneRoll:
    """Some totals win on the next roll, every other total loses."""

    kind: ClassVar[str] = "one-roll"
    can_rest: ClassVar[bool] = False
    can_stay: ClassVar[bool] = False
    windows: ClassVar[tuple[Window, ...]] = AT_ANY_TIME

    pays: Prices
    """The price of each winning total."""
    wins: ClauseId
    """The clause by which it wins."""
    loses: ClauseId
    """The clause by which it loses."""

    def markings(self, key: str, _book: "Book") -> Iterator[Marking]:
        """Its one box."""
        yield Marking(WagerKey(key))

    def verdict(self, _spot: "Spot", _mark: int, _puck: int, roll: Roll) -> Verdict:
        """By the next roll."""
        price = self.pays.get(roll.total)
        return Loses(self.loses) if price is None else _wins(price, self.wins)

    def prices(self, _spot: "Spot") -> Iterator[Paid]:
        """One for each winning total."""
        return (_paid(total, price) for total, price in self.pays.items())


@dataclass(frozen=True, slots=True, kw_only=True)
class Hop:
    """One exact pair of faces on the next roll."""

    kind: ClassVar[str] = "hop"
    can_rest: ClassVar[bool] = False
    can_stay: ClassVar[bool] = False
    windows: ClassVar[tuple[Window, ...]] = AT_ANY_TIME

    keys: str
    """Each pair's key, from {total}, {high} and {low}."""
    pairs: tuple[Pair, ...]
    """The pairs on offer, the higher face first."""
    hard: Cited[Price] | None = None
    """The price of two equal faces."""
    easy: Cited[Price] | None = None
    """The price of two different faces."""
    wins: ClauseId
    """The clause by which it wins."""
    loses: ClauseId
    """The clause by which it loses."""

    def markings(self, _key: str, _book: "Book") -> Iterator[Marking]:
        """Every pair on offer."""
        for high, low in self.pairs:
            key = self.keys.replace("{total}", str(high + low)).replace("{high}", str(high)).replace("{low}", str(low))
            yield Marking(WagerKey(key), f"{high}-{low}", pair=(high, low))

    def verdict(self, spot: "Spot", _mark: int, _puck: int, roll: Roll) -> Verdict:
        """By the next roll."""
        price = self._price(spot.pair)
        return Loses(self.loses) if price is None or (max(roll), min(roll)) != spot.pair else _wins(price, self.wins)

    def prices(self, spot: "Spot") -> Iterator[Paid]:
        """That of two equal faces, or of two different ones."""
        price = self._price(spot.pair)
        return iter(() if price is None else (_paid(0, price),))

    def _price(self, pair: Pair) -> Cited[Price] | None:
        return self.hard if pair[0] == pair[1] else self.easy


@dataclass(frozen=True, slots=True, kw_only=True)
class Split:
    """One stake shared out over other wagers in fixed units."""

    kind: ClassVar[str] = "split"
    can_rest: ClassVar[bool] = False
    can_stay: ClassVar[bool] = False
    windows: ClassVar[tuple[Window, ...]] = AT_ANY_TIME

    parts: Cited[Mapping[WagerKey, Units]]
    """Units on each part."""
    high: Mapping[Total, WagerKey] = field(default_factory=dict)
    """For each number a player may name, the part that gets one unit more."""
    paid_by: Mapping[Total, ClauseId] = field(default_factory=dict)
    """The clauses that price the split itself, by winning total; where it has none its parts' clauses do."""
    wins: ClauseId
    """The clause by which it wins."""
    loses: ClauseId
    """The clause by which it loses."""

    def markings(self, key: str, _book: "Book") -> Iterator[Marking]:
        """Its one box, or one for each number that can be high."""
        if not self.high:
            yield Marking(WagerKey(key), parts=self.parts.value)
        for number, part in self.high.items():
            parts = {**self.parts.value, part: self.parts.value.get(part, 0) + 1}
            yield Marking(_on(key, number), str(number), number, parts=parts)

    def verdict(self, spot: "Spot", _mark: int, _puck: int, roll: Roll) -> Verdict:
        """Each part is decided as the wager it is; what does not win is lost."""
        share, rate, paid = Fraction(0), Fraction(0), None
        for part, units in spot.parts.items():
            decided = verdict(spot.parts_spots[part], FRESH, 0, roll, works=True)
            if isinstance(decided, Wins):
                paid = decided
                share += Fraction(units, spot.units)
                rate += decided.rate * Fraction(units, spot.units)
        if paid is None:
            return Loses(self.loses)
        clause = self.paid_by.get(roll.total, paid.clause)
        return Wins(price=paid.price, clause=clause, rule=self.wins, rate=rate, share=share)

    def prices(self, spot: "Spot") -> Iterator[Paid]:
        """Those of its parts, each for the part it lies on."""
        return (paid for part in spot.parts for paid in spot.parts_spots[part].prices)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fire:
    """Counts the different points one hand makes and is paid by how many there were."""

    kind: ClassVar[str] = "fire"
    can_rest: ClassVar[bool] = False
    can_stay: ClassVar[bool] = False
    windows: ClassVar[tuple[Window, ...]] = BEFORE_IT_COUNTS

    pays: Mapping[Count, Cited[Price]]
    """The price of each number of points."""
    on_pass: Cited[Literal["continue", "settle", "refund"]]
    """What becomes of it when the shooter passes the dice."""
    wins: ClauseId
    """The clause by which it wins."""
    loses: ClauseId
    """The clause by which it loses."""

    def markings(self, key: str, book: "Book") -> Iterator[Marking]:
        """Its one box."""
        yield Marking(WagerKey(key), counts=book.points.value)

    def verdict(self, spot: "Spot", mark: int, puck: int, roll: Roll) -> Verdict:
        """Paid at the seven-out, and at once when every point is made."""
        bits = mark - TALLY if mark else 0
        if puck and roll.total == SEVEN:
            return self.closed(bits)
        if puck and roll.total == puck:
            bits |= 1 << spot.counts.index(puck)
            if bits == (1 << len(spot.counts)) - 1:
                return self.closed(bits)
        return Tallies(bits + TALLY)

    def closed(self, bits: int) -> Verdict:
        """The verdict on a tally that nothing more will be added to."""
        level = max((points for points in self.pays if points <= bits.bit_count()), default=None)
        return Loses(self.loses) if level is None else _wins(self.pays[level], self.wins)

    def prices(self, _spot: "Spot") -> Iterator[Paid]:
        """One for each number of points that is paid."""
        return (_paid(points, price) for points, price in self.pays.items())


@dataclass(frozen=True, slots=True, kw_only=True)
class Collect:
    """Every total of a set before any seven."""

    kind: ClassVar[str] = "collect"
    can_rest: ClassVar[bool] = False
    can_stay: ClassVar[bool] = False
    windows: ClassVar[tuple[Window, ...]] = BEFORE_IT_COUNTS

    needs: Cited[tuple[Total, ...]]
    """The totals that must all come."""
    pays: Cited[Price]
    """Its price."""
    wins: ClauseId
    """The clause by which it wins."""
    loses: ClauseId
    """The clause by which it loses."""

    def markings(self, key: str, _book: "Book") -> Iterator[Marking]:
        """Its one box."""
        yield Marking(WagerKey(key), counts=self.needs.value)

    def verdict(self, spot: "Spot", mark: int, _puck: int, roll: Roll) -> Verdict:
        """Lost with the first seven, paid with the last total."""
        if roll.total == SEVEN:
            return Loses(self.loses)
        bits = mark - TALLY if mark else 0
        if roll.total in spot.counts:
            bits |= 1 << spot.counts.index(roll.total)
        return _wins(self.pays, self.wins) if bits == (1 << len(spot.counts)) - 1 else Tallies(bits + TALLY)

    def prices(self, _spot: "Spot") -> Iterator[Paid]:
        """For the whole set and nothing less."""
        yield _paid(0, self.pays)


Terms = Line | Odds | Number | Hardway | OneRoll | Hop | Split | Fire | Collect
"""The kinds of wager, each with its own parameters."""

KINDS: Mapping[str, type[Terms]] = {kind.kind: kind for kind in get_args(Terms)}
"""The kinds by the word a house file uses."""


def verdict(spot: "Spot", mark: int, puck: int, roll: Roll, *, works: bool) -> Verdict | None:
    """What this roll does to a wager on this spot, or None when it stands."""
    terms = spot.rule.terms
    if works:
        return terms.verdict(spot, mark, puck, roll)
    return terms.while_off(spot, puck, roll) if isinstance(terms, Odds) else None
