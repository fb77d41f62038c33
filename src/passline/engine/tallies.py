"""Wagers with a memory: they count what a hand or a run of rolls brings, and are paid by how much that was."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from passline.engine import verdicts as v
from passline.engine.values import ROLLS, SEVEN, Cited, ClauseId, Price, Roll, Total, WagerKey

if TYPE_CHECKING:
    from passline.engine.book import Book
    from passline.engine.layout import Spot


def _bits(mark: int) -> int:
    return mark - v.TALLY if mark else 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """A wager that counts, is made before it counts, and comes down when it is decided."""

    can_rest: ClassVar[bool] = False
    can_stay: ClassVar[bool] = False
    windows: ClassVar[tuple[v.Window, ...]] = v.BEFORE_IT_COUNTS

    wins: ClauseId
    """The clause by which it wins."""
    loses: ClauseId
    """The clause by which it loses."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ByCount(Tally):
    """A tally that is paid by how many things it has counted."""

    pays: Mapping[v.Count, Cited[Price]]
    """The price of each number of them."""

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
    """What becomes of it when the shooter passes the dice."""

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
    """The totals that must all come."""
    pays: Cited[Price]
    """Its price."""

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
    """How often each total must come."""
    pays: v.Prices
    """Its price for each total."""

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
    """What is counted: every total but the seven, every double, or points made, the same ones too."""

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
    """How often the same point must be made."""
    pays: v.Prices
    """The price of each point for that."""
    once_more: v.Prices
    """The price of each point for once more, or oftener."""

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
