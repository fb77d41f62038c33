"""The kinds of wager, a room for each: its terms in a rule book, where its chips lie, what a roll does, what it pays.

A wager is a small automaton over dice: where it stands and one roll give a verdict. A new kind is a record here that
answers what the others answer, and a word in `Terms`; mypy then names every place that has to look at it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar, Literal, get_args

from passline.engine import verdicts as v
from passline.engine.values import ROLLS, SEVEN, Cited, ClauseId, Price, Roll, Total, WagerKey

if TYPE_CHECKING:
    from passline.engine.book import Book
    from passline.engine.layout import Spot


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """Decided by its first roll, or by its point against a seven: pass, come and their opposites."""

    kind: ClassVar[str] = "line"
    can_rest: ClassVar[bool] = False

    side: v.Side
    travels: bool = False
    wins: Cited[tuple[Total, ...]]
    loses: Cited[tuple[Total, ...]]
    bar: Cited[Total] | None = None
    point: ClauseId | None = None
    then_wins: ClauseId
    then_loses: ClauseId
    pays: Cited[Price]
    put: Cited[bool] = v.NO_PUT

    @property
    def can_stay(self) -> bool:
        """One that travels has left its box by the time it wins."""
        return not self.travels

    @property
    def windows(self) -> tuple[v.Window, ...]:
        """It is made before its first roll: with its point it would be another bet."""
        return ("point on", "after come-out") if self.travels else ("come-out",)

    def markings(self, key: str, book: "Book") -> Iterator[v.Marking]:
        behind = [rule.key for rule in book.wagers if isinstance(rule.terms, Odds) and rule.terms.of == key]
        odds = behind[0] if behind else ""
        yield v.Marking(WagerKey(key), odds="" if self.travels else odds, side=self.side)
        for point in book.points.value if self.travels else ():
            yield v.Marking(v.on(key, point), str(point), point, odds=odds and v.on(odds, point), side=self.side)

    def verdict(self, spot: "Spot", _mark: int, puck: int, roll: Roll) -> v.Verdict | None:
        """By its first roll until it has a point: the puck's, or the number it travelled to."""
        if point := spot.number or (0 if self.travels else puck):
            ran = v.race(self.side, point, roll)
            return None if ran is None else v.wins_at(self.pays, self.then_wins) if ran else v.Loses(self.then_loses)
        total = roll.total
        if total in self.wins.value:
            return v.wins_at(self.pays, self.wins.clause)
        if total in self.loses.value:
            return v.Loses(self.loses.clause)
        if self.bar is not None and total == self.bar.value:
            return v.Pushes(self.bar.clause)
        return v.Travels(v.on(spot.key, total), self.point or spot.rule.made.clause) if self.travels else None

    def prices(self, _spot: "Spot") -> Iterator[v.Paid]:
        yield v.paid_at(0, self.pays)


@dataclass(frozen=True, slots=True, kw_only=True)
class Odds:
    """Chips behind one flat bet, priced by its point, living and ending with it."""

    kind: ClassVar[str] = "odds"
    can_rest: ClassVar[bool] = True
    can_stay: ClassVar[bool] = False
    windows: ClassVar[tuple[v.Window, ...]] = ("any time", "point on")

    of: WagerKey
    pays: v.Prices
    wins: ClauseId
    loses: ClauseId
    limit: ClauseId

    def markings(self, key: str, book: "Book") -> Iterator[v.Marking]:
        flat = next((rule.terms for rule in book.wagers if rule.key == self.of), None)
        if not isinstance(flat, Line):
            yield v.Marking(WagerKey(key), flat=self.of)
        elif not flat.travels:
            yield v.Marking(WagerKey(key), flat=self.of, side=flat.side)
        else:
            for point in book.points.value:
                yield v.Marking(v.on(key, point), str(point), point, flat=v.on(self.of, point), side=flat.side)

    def verdict(self, spot: "Spot", _mark: int, puck: int, roll: Roll) -> v.Verdict | None:
        point = spot.number or puck
        ran = v.race(spot.side, point, roll)
        return None if ran is None else v.wins_at(self.pays[point], self.wins) if ran else v.Loses(self.loses)

    def while_off(self, spot: "Spot", puck: int, roll: Roll) -> v.Verdict | None:
        """Odds cannot rest without the bet they stand behind."""
        return v.Returns(spot.rule.off_on_comeout.clause) if roll.total in (spot.number or puck, SEVEN) else None

    def prices(self, spot: "Spot") -> Iterator[v.Paid]:
        """That of its number, or of every point the puck can give it."""
        return (v.paid_at(point, price) for point, price in self.pays.items() if spot.number in (0, point))


@dataclass(frozen=True, slots=True, kw_only=True)
class OnNumber:
    """A wager on one number, for as long as it takes."""

    can_rest: ClassVar[bool] = True
    can_stay: ClassVar[bool] = True
    windows: ClassVar[tuple[v.Window, ...]] = v.AT_ANY_TIME

    pays: v.Prices
    wins: v.Clauses
    loses: v.Clauses

    def prices(self, spot: "Spot") -> Iterator[v.Paid]:
        yield v.paid_at(spot.number, self.pays[spot.number])

    def _decided(self, number: int, *, wins: bool) -> v.Verdict:
        if wins:
            return v.wins_at(self.pays[number], v.clause_for(self.wins, number))
        return v.Loses(v.clause_for(self.loses, number))


@dataclass(frozen=True, slots=True, kw_only=True)
class Number(OnNumber):
    """A number against a seven: to win (place, buy, big) or to lose (place to lose, lay)."""

    kind: ClassVar[str] = "number"

    side: v.Side

    def markings(self, key: str, _book: "Book") -> Iterator[v.Marking]:
        return (v.Marking(v.on(key, number), str(number), number, side=self.side) for number in self.pays)

    def verdict(self, spot: "Spot", _mark: int, _puck: int, roll: Roll) -> v.Verdict | None:
        ran = v.race(self.side, spot.number, roll)
        return None if ran is None else self._decided(spot.number, wins=ran)


@dataclass(frozen=True, slots=True, kw_only=True)
class Hardway(OnNumber):
    """A pair against the same total made any other way, and against a seven."""

    kind: ClassVar[str] = "hardway"

    def markings(self, key: str, _book: "Book") -> Iterator[v.Marking]:
        return (v.Marking(v.on(key, number), str(number), number) for number in self.pays)

    def verdict(self, spot: "Spot", _mark: int, _puck: int, roll: Roll) -> v.Verdict | None:
        if roll.total not in (spot.number, SEVEN):
            return None
        return self._decided(spot.number, wins=roll.total == spot.number and roll.is_hard)


@dataclass(frozen=True, slots=True, kw_only=True)
class NextRoll:
    """A wager that the next roll decides, whatever it is."""

    can_rest: ClassVar[bool] = False
    can_stay: ClassVar[bool] = True
    windows: ClassVar[tuple[v.Window, ...]] = v.AT_ANY_TIME

    wins: ClauseId
    loses: ClauseId


@dataclass(frozen=True, slots=True, kw_only=True)
class OneRoll(NextRoll):
    """Some totals win on the next roll, every other total loses."""

    kind: ClassVar[str] = "one-roll"

    pays: v.Prices

    def markings(self, key: str, _book: "Book") -> Iterator[v.Marking]:
        yield v.Marking(WagerKey(key))

    def verdict(self, _spot: "Spot", _mark: int, _puck: int, roll: Roll) -> v.Verdict:
        price = self.pays.get(roll.total)
        return v.Loses(self.loses) if price is None else v.wins_at(price, self.wins)

    def prices(self, _spot: "Spot") -> Iterator[v.Paid]:
        return (v.paid_at(total, price) for total, price in self.pays.items())


@dataclass(frozen=True, slots=True, kw_only=True)
class Hop(NextRoll):
    """One exact pair of faces on the next roll."""

    kind: ClassVar[str] = "hop"

    keys: str
    pairs: tuple[v.Pair, ...]
    hard: Cited[Price] | None = None
    easy: Cited[Price] | None = None

    def markings(self, _key: str, _book: "Book") -> Iterator[v.Marking]:
        for high, low in self.pairs:
            key = self.keys.replace("{total}", str(high + low)).replace("{high}", str(high)).replace("{low}", str(low))
            yield v.Marking(WagerKey(key), f"{high}-{low}", pair=(high, low))

    def verdict(self, spot: "Spot", _mark: int, _puck: int, roll: Roll) -> v.Verdict:
        price = self._price(spot.pair)
        loses = price is None or (max(roll), min(roll)) != spot.pair
        return v.Loses(self.loses) if price is None or loses else v.wins_at(price, self.wins)

    def prices(self, spot: "Spot") -> Iterator[v.Paid]:
        price = self._price(spot.pair)
        return iter(() if price is None else (v.paid_at(0, price),))

    def _price(self, pair: v.Pair) -> Cited[Price] | None:
        return self.hard if pair[0] == pair[1] else self.easy


@dataclass(frozen=True, slots=True, kw_only=True)
class Split(NextRoll):
    """One stake shared out over other wagers in fixed units."""

    kind: ClassVar[str] = "split"

    parts: Cited[Mapping[WagerKey, v.Units]]
    high: Mapping[Total, WagerKey] = field(default_factory=dict)
    paid_by: Mapping[Total, ClauseId] = field(default_factory=dict)

    def markings(self, key: str, _book: "Book") -> Iterator[v.Marking]:
        """Its one box, or one for each number that can be high."""
        if not self.high:
            yield v.Marking(WagerKey(key), parts=self.parts.value)
        for number, part in self.high.items():
            parts = {**self.parts.value, part: self.parts.value.get(part, 0) + 1}
            yield v.Marking(v.on(key, number), str(number), number, parts=parts)

    def verdict(self, spot: "Spot", _mark: int, _puck: int, roll: Roll) -> v.Verdict:
        """Each part is decided as the wager it is; what does not win is lost."""
        share, rate, paid = Fraction(0), Fraction(0), None
        for part, units in spot.parts.items():
            decided = verdict(spot.parts_spots[part], v.FRESH, 0, roll, works=True)
            if isinstance(decided, v.Wins):
                paid = decided
                share += Fraction(units, spot.units)
                rate += decided.rate * Fraction(units, spot.units)
        if paid is None:
            return v.Loses(self.loses)
        clause = self.paid_by.get(roll.total, paid.clause)
        return v.Wins(price=paid.price, clause=clause, rule=self.wins, rate=rate, share=share)

    def prices(self, spot: "Spot") -> Iterator[v.Paid]:
        return (paid for part in spot.parts for paid in spot.parts_spots[part].prices)


def _bits(mark: int) -> int:
    return mark - v.TALLY if mark else 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """A wager that counts, is made before it counts, and comes down when it is decided."""

    can_rest: ClassVar[bool] = False
    can_stay: ClassVar[bool] = False
    windows: ClassVar[tuple[v.Window, ...]] = v.BEFORE_IT_COUNTS

    wins: ClauseId
    loses: ClauseId


@dataclass(frozen=True, slots=True, kw_only=True)
class ByCount(Tally):
    """A tally that is paid by how many things it has counted."""

    pays: Mapping[v.Count, Cited[Price]]

    def closed(self, bits: int) -> v.Verdict:
        """The verdict on a tally that nothing more will be added to."""
        level = max((count for count in self.pays if count <= bits.bit_count()), default=None)
        return v.Loses(self.loses) if level is None else v.wins_at(self.pays[level], self.wins)

    def prices(self, _spot: "Spot") -> Iterator[v.Paid]:
        return (v.paid_at(count, price) for count, price in self.pays.items())


@dataclass(frozen=True, slots=True, kw_only=True)
class Fire(ByCount):
    """Counts the different points one hand makes and is paid by how many there were."""

    kind: ClassVar[str] = "fire"

    on_pass: Cited[Literal["continue", "settle", "refund"]]

    def markings(self, key: str, book: "Book") -> Iterator[v.Marking]:
        yield v.Marking(WagerKey(key), counts=book.points.value, alike=(book.points.value,))

    def verdict(self, spot: "Spot", mark: int, puck: int, roll: Roll) -> v.Verdict:
        """Paid at the seven-out, and at once when every point is made."""
        bits = _bits(mark)
        if puck and roll.total == SEVEN:
            return self.closed(bits)
        if puck and roll.total == puck:
            bits |= 1 << spot.counts.index(puck)
            if bits == (1 << len(spot.counts)) - 1:
                return self.closed(bits)
        return v.Tallies(bits + v.TALLY)


@dataclass(frozen=True, slots=True, kw_only=True)
class Collect(Tally):
    """Every total of a set before any seven."""

    kind: ClassVar[str] = "collect"

    needs: Cited[tuple[Total, ...]]
    pays: Cited[Price]

    def markings(self, key: str, _book: "Book") -> Iterator[v.Marking]:
        yield v.Marking(WagerKey(key), counts=self.needs.value, alike=(self.needs.value,), blind=True)

    def verdict(self, spot: "Spot", mark: int, _puck: int, roll: Roll) -> v.Verdict:
        """Lost with the first seven, paid with the last total."""
        if roll.total == SEVEN:
            return v.Loses(self.loses)
        bits = _bits(mark)
        if roll.total in spot.counts:
            bits |= 1 << spot.counts.index(roll.total)
        return v.wins_at(self.pays, self.wins) if bits == (1 << len(spot.counts)) - 1 else v.Tallies(bits + v.TALLY)

    def prices(self, _spot: "Spot") -> Iterator[v.Paid]:
        yield v.paid_at(0, self.pays)


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeat(Tally):
    """One total so many times before any seven: a Repeater."""

    kind: ClassVar[str] = "repeat"

    times: Cited[Mapping[Total, v.Count]]
    pays: v.Prices

    def markings(self, key: str, _book: "Book") -> Iterator[v.Marking]:
        return (v.Marking(v.on(key, total), str(total), total, blind=True) for total in self.pays)

    def verdict(self, spot: "Spot", mark: int, _puck: int, roll: Roll) -> v.Verdict:
        """Lost with the first seven, paid when its total has come often enough; a bit for each time."""
        if roll.total == SEVEN:
            return v.Loses(self.loses)
        bits = _bits(mark)
        if roll.total == spot.number:
            bits = 2 * bits + 1
        full = bits.bit_count() == self.times.value[spot.number]
        return v.wins_at(self.pays[spot.number], self.wins) if full else v.Tallies(bits + v.TALLY)

    def prices(self, spot: "Spot") -> Iterator[v.Paid]:
        yield v.paid_at(spot.number, self.pays[spot.number])


@dataclass(frozen=True, slots=True, kw_only=True)
class Streak(ByCount):
    """How many different totals or doubles come before any seven, or how many points before a seven-out."""

    kind: ClassVar[str] = "streak"

    of: Literal["totals", "doubles", "points"]

    def markings(self, key: str, book: "Book") -> Iterator[v.Marking]:
        counts = self._counts()
        yield v.Marking(WagerKey(key), counts=counts, alike=(counts or book.points.value,), blind=self.of != "points")

    def verdict(self, spot: "Spot", mark: int, puck: int, roll: Roll) -> v.Verdict:
        """Paid by its count at the seven that ends it, and at once when there is no more to count."""
        bits = _bits(mark)
        if roll.total == SEVEN and (puck or self.of != "points"):
            return self.closed(bits)
        bits |= self._seen(spot, bits, puck, roll)
        full = bits.bit_count() == (len(spot.counts) or max(self.pays))
        return self.closed(bits) if full else v.Tallies(bits + v.TALLY)

    def _counts(self) -> tuple[int, ...]:
        """What it looks for: totals, or doubles by their totals; points are only counted."""
        if self.of == "points":
            return ()
        wanted = {roll.total for roll in ROLLS if roll.is_hard or self.of == "totals"}
        return tuple(sorted(wanted - {SEVEN}))

    def _seen(self, spot: "Spot", bits: int, puck: int, roll: Roll) -> int:
        if self.of == "points":
            return bits + 1 if puck and roll.total == puck else 0
        counts = roll.total in spot.counts and (self.of == "totals" or roll.is_hard)
        return 1 << spot.counts.index(roll.total) if counts else 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay(Tally):
    """The same point made again and again in one hand, paid once, by the best that came of it."""

    kind: ClassVar[str] = "replay"

    times: Cited[v.Count]
    pays: v.Prices
    once_more: v.Prices

    def markings(self, key: str, book: "Book") -> Iterator[v.Marking]:
        """Its one box; a bit for each time that a point can count."""
        points = book.points.value
        prices = {point: (self.pays.get(point), self.once_more.get(point)) for point in points}
        same = dict.fromkeys(prices.values())
        alike = tuple(tuple(point for point in points if prices[point] == price) for price in same)
        counts = tuple(point for point in points for _ in range(self._most))
        yield v.Marking(WagerKey(key), counts=counts, alike=alike)

    def verdict(self, spot: "Spot", mark: int, puck: int, roll: Roll) -> v.Verdict:
        """Paid at the seven-out, and at once when nothing better can come."""
        if not puck or roll.total not in {puck, SEVEN}:
            return v.Tallies(max(mark, v.TALLY))
        made = self._made(spot, _bits(mark))
        if roll.total == SEVEN:
            return self._closed(made)
        made[puck] = min(made[puck] + 1, self._most)
        best = self._best(made)
        if best is not None and all(best.value.rate >= price.value.rate for price in self.once_more.values()):
            return self._closed(made)
        return v.Tallies(self._bits(spot, made, best) + v.TALLY)

    def prices(self, _spot: "Spot") -> Iterator[v.Paid]:
        for times, pays in ((self.times.value, self.pays), (self._most, self.once_more)):
            yield from (v.paid_at(point, price)._replace(times=times) for point, price in pays.items())

    @property
    def _most(self) -> int:
        return self.times.value + 1

    def _made(self, spot: "Spot", bits: int) -> dict[int, int]:
        points, one = spot.counts[:: self._most], (1 << self._most) - 1
        return {point: (bits >> at * self._most & one).bit_count() for at, point in enumerate(points)}

    def _best(self, made: Mapping[int, int]) -> Cited[Price] | None:
        reached = (self._reached(point, times) for point, times in made.items())
        return max(filter(None, reached), key=lambda price: price.value.rate, default=None)

    def _bits(self, spot: "Spot", made: Mapping[int, int], best: Cited[Price] | None) -> int:
        """The tally, without the points that can no longer better what is won: they would be remembered for nothing."""
        bits = 0
        for at, point in enumerate(spot.counts[:: self._most]):
            better = best is None or self.once_more[point].value.rate > best.value.rate
            if better or self._reached(point, made[point]) == best:
                bits |= (1 << made[point]) - 1 << at * self._most
        return bits

    def _reached(self, point: int, times: int) -> Cited[Price] | None:
        return self.once_more[point] if times == self._most else self.pays[point] if times == self.times.value else None

    def _closed(self, made: Mapping[int, int]) -> v.Verdict:
        best = self._best(made)
        return v.Loses(self.loses) if best is None else v.wins_at(best, self.wins)


# The kinds of wager, each with its own parameters
Terms = Line | Odds | Number | Hardway | OneRoll | Hop | Split | Fire | Collect | Repeat | Replay | Streak

# The kinds by the word a house file uses
KINDS: Mapping[str, type[Terms]] = {kind.kind: kind for kind in get_args(Terms)}


def verdict(spot: "Spot", mark: int, puck: int, roll: Roll, *, works: bool) -> v.Verdict | None:
    terms = spot.rule.terms
    if works:
        return terms.verdict(spot, mark, puck, roll)
    return terms.while_off(spot, puck, roll) if isinstance(terms, Odds) else None
