"""An evening in figures: what each wager and roll brought and should have, and what the same chips could have."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import accumulate
from math import gcd
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from passline.engine import events as e
from passline.engine.events import Event
from passline.engine.layout import Layout, Spot
from passline.engine.postings import BANK, CAGE, brought, postings
from passline.engine.settle import settle
from passline.engine.table import Seat, TableState
from passline.engine.values import ROLLS
from passline.house import House
from passline.sitting.log import settlements
from passline.sitting.spots import mean_as_paid
from passline.telling.figures import capital, counted, signed
from passline.telling.names import family_name, shorten

if TYPE_CHECKING:
    from passline.table import Table

    OfAWager = e.WagerUp | e.WagerDown | e.Decision

NAME_WIDTH = 22
SHARES = (0.05, 0.25, 0.5, 0.75, 0.95)
TAIL = 1e-13


@dataclass(slots=True)
class Account:
    """What one wager did for one player; amounts are minor units."""

    name: str
    bets: int = 0  # how often it was won, lost or stood off; what is still up, or came down, has not been a bet yet
    staked: int = 0
    won: int = 0
    lost: int = 0  # Stakes lost and commission that is the house's for good
    # What it should have brought, as these stakes are paid in chips; None where that is not known.
    expected: Fraction | None = Fraction(0)

    @property
    def net(self) -> int:
        return self.won - self.lost


@dataclass(slots=True)
class Reckoning:
    accounts: dict[str, Account] = field(default_factory=dict)
    bought: int = 0
    carried: int = 0
    rail: int = 0
    up: int = 0
    rolls: int = 0
    hands: int = 0  # Hands that ended, anybody's
    # What the best and the worst roll brought, and their dice.
    best: tuple[int, str] = (0, "")
    worst: tuple[int, str] = (0, "")

    @property
    def total(self) -> Account:
        every = self.accounts.values()
        known = [account.expected for account in every if account.expected is not None]
        sums = {name: sum(getattr(account, name) for account in every) for name in ("bets", "staked", "won", "lost")}
        return Account("All", **sums, expected=sum(known, Fraction(0)) if len(known) == len(every) else None)


class Reckoner:
    def __init__(self, house: House, seat: int) -> None:
        self.reckoning = Reckoning()
        self._house, self._seat = house, seat
        self._puts: dict[str, int] = {}  # how much of each wager was put on its point
        self._rolled = self._copied()  # all of it before the last roll, should that be struck out

    def _copied(self) -> tuple[Reckoning, dict[str, int]]:
        accounts = {key: replace(account) for key, account in self.reckoning.accounts.items()}
        return replace(self.reckoning, accounts=accounts), dict(self._puts)

    def hear(self, before: TableState, answer: Sequence[Event]) -> None:
        """What happened at a table that was so before; a roll that is struck out was none."""
        if any(isinstance(event, e.OutcomeStruckOut) for event in answer):
            self.reckoning, self._puts = self._rolled
        thrown = next((event for event in answer if isinstance(event, e.DiceThrown)), None)
        if thrown is not None:
            self._rolled = self._copied()
        mine = [event for event in answer if getattr(event, "seat", None) == self._seat]
        result, reckoning = sum(self._book(before, event) for event in mine), self.reckoning
        reckoning.hands += sum(isinstance(event, e.SevenOut | e.ShooterLost) for event in answer)
        if thrown is not None:
            reckoning.rolls += 1
            rolled = result, f"{thrown.first}-{thrown.second}"
            reckoning.best = max(reckoning.best, rolled, key=itemgetter(0))
            reckoning.worst = min(reckoning.worst, rolled, key=itemgetter(0))

    def _book(self, before: TableState, event: Event) -> int:
        """What an event of theirs brought, once it stands in the account of its wager."""
        moves, risked = postings(event), 0
        match event:
            case e.PlayerSat() | e.ChipsBought() | e.PlayerLeft() | e.SeatCleared():
                self.reckoning.bought += sum(move.amount for move in moves if move.source == CAGE)
                self.reckoning.carried += sum(move.amount for move in moves if move.to == CAGE)
                return 0
            case e.WagerWon() | e.WagerLost() | e.WagerPushed():
                risked = event.stake - (event.tokens if isinstance(event, e.WagerLost) else 0)
            case e.WagerUp() | e.WagerDown() | e.WagerReturned():
                pass
            case _:
                return 0
        spot, mean = _counted_as(self._house.layout, self._house.spots[event.wager]), self._mean(before, event)
        # All odds of one kind share a line; anything else has its own.
        line, title = (spot.family, family_name(spot.rule)) if spot.is_odds else (spot.key, spot.name)
        account = self.reckoning.accounts.setdefault(line, Account(title))
        account.won += sum(move.amount for move in moves if move.source == BANK)
        account.lost += sum(move.amount for move in moves if move.to == BANK)
        account.bets += isinstance(event, e.WagerWon | e.WagerLost | e.WagerPushed)
        account.staked += risked
        if risked and mean is None:
            account.expected = None
        elif mean is not None and account.expected is not None:
            account.expected += mean * risked
        return brought(moves, event.seat)

    def _mean(self, before: TableState, event: OfAWager) -> Fraction | None:
        """What each unit of a decided stake should bring, at the price of its parts when they were made."""
        house, chip, wager, puck, puts = self._house, before.notice.chip, event.wager, before.puck, self._puts
        match event:
            case e.WagerUp():
                if house.spots[wager].is_put(puck):
                    puts[wager] = puts.get(wager, 0) + event.added
                return None
            case e.WagerDown():
                puts[wager] = max(0, puts.get(wager, 0) - event.removed)  # what went up last comes down first
                return None
            case _:
                put = puts.pop(wager, 0)
        stake, first = event.stake, _counted_as(house.layout, house.spots[wager])
        mean = mean_as_paid(house, first.key, stake, chip, puck if first.is_odds else 0)
        if not put or mean is None:
            return mean
        added = mean_as_paid(house, wager, stake, chip, puck)
        return None if added is None else (mean * (stake - put) + added * put) / stake


def reckon(table: Table, seat: int) -> Reckoning:
    reckoner = Reckoner(table.house, seat)
    for moment in table.history:
        reckoner.hear(moment.before, moment.events)
    reckoning, there = reckoner.reckoning, table.state.seats.get(seat)
    if there is not None:
        reckoning.rail = there.rail
        reckoning.up = sum(wager.stake - wager.tokens + wager.held for wager in there.felt.values())
    every = reckoning.accounts.items()
    reckoning.accounts = {key: account for key, account in every if account.bets or account.won or account.lost}
    return reckoning


def _counted_as(layout: Layout, spot: Spot) -> Spot:
    """Where a wager was first put up: a come bet on its number is still a come bet."""
    return layout.spots[spot.family] if spot.has_travelled else spot


def tell(layout: Layout, reckoning: Reckoning, currency: str = "") -> list[str]:
    """The reckoning as lines of at most eighty columns."""

    def money(amount: int) -> str:
        return f"{currency}{layout.money(amount)}"

    def row(account: Account) -> str:
        expected = "-" if account.expected is None else signed(layout, account.expected)
        figures = (*map(layout.money, (account.staked, account.won, account.lost)), signed(layout, account.net))
        return _row(shorten(account.name, NAME_WIDTH - 1), str(account.bets), *figures, expected)

    accounts = reckoning.accounts.values()
    rows = [*map(row, accounts), *([row(reckoning.total)] if len(accounts) > 1 else [])]
    lines = [_row("Wager", "bets", "staked", "won", "lost", "net", "expected"), *rows]
    what_is_expected = "Expected: what bets like these return on average at this house."
    lines.append(what_is_expected if rows else "No bet has been decided.")
    ends = (("Best roll", *reckoning.best), ("Worst", *reckoning.worst))
    extremes = "".join(f" {name} {dice}: {signed(layout, result)}." for name, result, dice in ends if dice)
    sevens = f"{reckoning.hands or 'no'} seven-out{'s' * (reckoning.hands != 1)}."
    lines += ["", f"{counted(reckoning.rolls, 'roll')}, {sevens}{extremes}"]
    up, carried, rail = map(money, (reckoning.up, reckoning.carried, reckoning.rail))
    parts = [f"cashed out {carried}"] if reckoning.carried else []
    parts += [f"{rail} on the rail"] if reckoning.rail or not parts else []
    parts += [f"{up} still in action"] if reckoning.up else []
    lines.append(f"Bought in for {money(reckoning.bought)}, {', '.join(parts)}.")
    net = reckoning.carried + reckoning.rail + reckoning.up - reckoning.bought
    verdict = f"{'ahead' if net > 0 else 'behind'} by {money(abs(net))}" if net else "even"
    at_face = f"counting the {up} still in action at face value, " if reckoning.up else ""
    return [*lines, f"{capital(at_face + verdict)}."]


def _row(name: str, bets: str, *amounts: str) -> str:
    return f"{name:<{NAME_WIDTH}}{bets:>5}" + "".join(f"{amount:>9}" for amount in amounts)


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
        if any(isinstance(event, e.OutcomeStruckOut) for event in events):
            del self.nets[self._rolled :], self.laws[self._rolled :]
        for event in events:
            if isinstance(event, e.PlayerSat) and event.seat == self.seat:
                self.nets, self.laws, self.bought = [], [], event.buyin
            elif isinstance(event, e.ChipsBought) and event.seat == self.seat:
                self.bought += event.amount
        if not any(isinstance(event, e.DiceThrown) for event in events):
            worth = (each for each in events if isinstance(each, e.WagerWon | e.WagerLost) and each.seat == self.seat)
            self._without_dice(sum(each.net for each in worth))
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
            rolls = (settle(self.layout, alone, roll) for roll in ROLLS)
            outcomes = Counter(sum(brought(postings(event), self.seat) for event in events) for events in rolls)
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
