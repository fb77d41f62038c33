"""An evening beside what was likely: what every roll brought, and the exact law of what the same chips could."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from itertools import accumulate
from math import gcd
from typing import NamedTuple

from passline.engine.events import ChipsBought, DiceThrown, Event, OutcomeStruckOut, PlayerSat, WagerLost, WagerWon
from passline.engine.layout import Layout
from passline.engine.postings import brought, postings
from passline.engine.settle import settle
from passline.engine.table import Seat, TableState
from passline.engine.values import ROLLS
from passline.sitting.log import settlements

SHARES = (0.05, 0.25, 0.5, 0.75, 0.95)

TAIL = 1e-13

Distribution = tuple[tuple[int, int], ...]  # what one roll can bring, in minor units, and by how many of the 36 throws


class Fan(NamedTuple):
    """The evening roll by roll: the result so far, its mean, and quantiles of what could have been."""

    net: list[int]
    mean: list[float]
    quantiles: dict[str, list[int]]
    below: float  # how many such evenings end lower than this one did; of those that end the same, half


class Evening:
    """One person's rolls in order, each with its result and its distribution."""

    def __init__(self, layout: Layout, seat: int) -> None:
        self.layout, self.seat = layout, seat
        self.bought = 0  # for how much chips were bought since they sat down
        self.nets: list[int] = []
        self.laws: list[Distribution] = []
        self._known: dict[object, Distribution] = {}
        self._rolled = 0  # how many were kept before the last roll of the table, should that be struck out

    def hear(self, before: TableState, events: Sequence[Event]) -> None:
        """Takes in events; a roll with chips of theirs up is kept unless it is struck out."""
        if any(isinstance(event, OutcomeStruckOut) for event in events):
            del self.nets[self._rolled :], self.laws[self._rolled :]
        for event in events:
            if isinstance(event, PlayerSat) and event.seat == self.seat:
                self.nets, self.laws, self.bought = [], [], event.buyin
            elif isinstance(event, ChipsBought) and event.seat == self.seat:
                self.bought += event.amount
        if not any(isinstance(event, DiceThrown) for event in events):
            self._without_dice(
                sum(each.net for each in events if isinstance(each, WagerWon | WagerLost) and each.seat == self.seat)
            )
        there = before.seats.get(self.seat)
        for settled in settlements(before, events, self.seat):
            self._rolled = len(self.nets)
            if there is not None and there.felt:
                self.nets.append(settled.brought)
                self.laws.append(self._law(before, there))

    def _without_dice(self, net: int) -> None:
        """What wagers were worth that no dice decided belongs to the last roll, on whatever dice that had been."""
        if net:
            last = self.nets.pop() if self.nets else 0
            law = self.laws.pop() if self.laws else ((0, len(ROLLS)),)
            self.nets.append(last + net)
            self.laws.append(tuple((amount + net, ways) for amount, ways in law))

    def _law(self, table: TableState, there: Seat) -> Distribution:
        known = table.puck, table.notice.chip, tuple(there.felt.items())
        if known not in self._known:
            alone = table._replace(seats={self.seat: there})
            outcomes = Counter(
                sum(brought(postings(event), self.seat) for event in settle(self.layout, alone, roll)) for roll in ROLLS
            )
            self._known[known] = tuple(sorted(outcomes.items()))
        return self._known[known]

    def fan(self) -> Fan:
        return fan(self.nets, self.laws)


def fan(nets: Sequence[int], laws: Sequence[Distribution]) -> Fan:
    """Where an evening could have gone, had each of its rolls been thrown afresh with the same chips up."""
    unit = gcd(*(abs(amount) for law in laws for amount, _ in law), *map(abs, nets)) or 1
    chances = [1.0]
    lowest, mean, sums = 0, 0.0, 0
    net: list[int] = []
    means: list[float] = []
    quantiles: dict[str, list[int]] = {f"{round(100 * share)}": [] for share in SHARES}
    for result, law in zip(nets, laws, strict=True):
        chances, lowest = _after(chances, lowest, law, unit)
        mean += sum(amount * ways for amount, ways in law) / len(ROLLS)
        sums += result
        net.append(sums)
        means.append(mean)
        upto = list(accumulate(chances))
        for share, values in zip(SHARES, quantiles.values(), strict=True):
            values.append((lowest + bisect_left(upto, share * upto[-1])) * unit)
    at = sums // unit - lowest
    below = sum(chances[: max(0, at)]) + sum(chances[at : at + 1]) / 2 if nets else 0.5
    return Fan(net, means, quantiles, below)


def _after(chances: list[float], lowest: int, law: Distribution, unit: int) -> tuple[list[float], int]:
    """The distribution of the sum after one more roll, without its outermost tails."""
    least, most = law[0][0] // unit, law[-1][0] // unit
    after = [0.0] * (len(chances) + most - least)
    for amount, ways in law:
        share = ways / len(ROLLS)
        for at, chance in enumerate(chances, amount // unit - least):
            after[at] += chance * share
    first = next(at for at, chance in enumerate(after) if chance > TAIL)
    last = next(at for at in reversed(range(len(after))) if after[at] > TAIL)
    return after[first : last + 1], lowest + least + first
