"""Exact odds of every wager of a house, by walking its automaton and asking the dealers what each end pays."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from passline.engine.layout import Layout
from passline.engine.values import Price
from passline.engine.verdicts import Loses, Wins
from passline.errors import ArgumentError, StakeError
from passline.files.amounts import Money, float_of, positive_cents
from passline.house import House, open_house
from passline.machine.dice import FAIR, Given, LoadedDice, dice_of
from passline.odds.memo import Lazily, remembered
from passline.odds.wagers.pay import Bank, exactly, pay
from passline.odds.wagers.walk import is_put, standing, walks

if TYPE_CHECKING:
    from passline.odds.wagers.pay import Pay
    from passline.odds.wagers.walk import Walk

Favours = Literal["house", "player", "nobody"]
"""Whom a bet pays in the long run."""


@dataclass(frozen=True, slots=True)
class Edges:
    """The price of a bet: one unit wagered in total, commission on top."""

    mean_net: Fraction
    """The mean result, in units."""
    staked: Fraction
    """The mean money put up: the unit, and commission paid when the bet is made."""
    edge_per_bet_made: Fraction
    """What the house keeps of the money put up, pushes counted."""
    edge_per_bet_resolved: Fraction
    """What the house keeps of the money put up on bets that did not push."""
    edge_per_roll_working: Fraction
    variance: Fraction
    """Of the net result of one bet made, in units squared."""

    @property
    def favours(self) -> Favours:
        """Whom it pays in the long run."""
        return "house" if self.mean_net < 0 else "player" if self.mean_net else "nobody"

    def edges_json(self) -> dict[str, object]:
        """The figures of a price as JSON values: every fraction a string, nothing rounded."""
        return {each.name: str(getattr(self, each.name)) for each in fields(Edges)}


@dataclass(frozen=True, slots=True)
class AsPaid(Edges):
    """The price of a bet in real chips: winnings and commission rounded as the house rounds, minimum included."""

    stake: Fraction
    """In money."""
    chip: Fraction
    """The smallest chip of the float, in money."""
    commission: Fraction
    """Paid when the bet is made, in money."""
    commission_on_win: Fraction
    """Taken out of a win, in money; a win that rounds to nothing is charged nothing."""

    def to_json(self) -> dict[str, object]:
        """JSON values; `favours` says in a word whom it pays."""
        money = {name: str(getattr(self, name)) for name in ("stake", "chip", "commission", "commission_on_win")}
        return {**money, **self.edges_json(), "favours": self.favours}


@dataclass(frozen=True, slots=True)
class WagerOdds(Edges):
    """One wager of a house, exactly."""

    key: str
    family: str
    """The rule it comes from: all place bets are one family."""
    name: str
    """In the house's own words."""
    p_win: Fraction
    p_lose: Fraction
    p_push: Fraction
    rolls_working: Fraction
    """The mean number of rolls on which it works until it is decided; a push ends it."""
    rolls_all: Fraction | None
    """All rolls until then; for wagers off on the come-out, from just after a point is set. None: not judged."""
    prices: tuple[str, ...]
    """What winners are paid, as the house quotes it, lowest first; for a split, what its parts are paid."""
    nets: tuple[tuple[Fraction, Fraction], ...]
    """What the whole bet brings for each unit, all its parts and commission counted, and how often; best first."""
    clauses: tuple[str, ...]
    as_paid: AsPaid | None = None
    """With a stake and a float: the price in chips."""
    refused: str = ""
    """With a stake and a float: why this stake cannot be bet here."""

    def to_json(self) -> dict[str, object]:
        """JSON values: every fraction a string, nothing rounded."""
        told: dict[str, object] = {
            "name": self.name,
            "p_win": str(self.p_win),
            "p_lose": str(self.p_lose),
            "p_push": str(self.p_push),
            **self.edges_json(),
            "rolls_working": str(self.rolls_working),
            "rolls_all": None if self.rolls_all is None else str(self.rolls_all),
            "nets": {str(net): str(chance) for net, chance in self.nets},
            "clauses": list(self.clauses),
        }
        if self.as_paid:
            told["as_paid"] = self.as_paid.to_json()
        elif self.refused:
            told["as_paid"] = {"refused": self.refused}
        return told


def odds_of(
    house: House | str | Path,
    *,
    stake: Money | None = None,
    chips: Iterable[Money] | None = None,
    dice: Given = None,
) -> Mapping[str, WagerOdds]:
    """Every wager a player of this house can ask for, by key; with a stake also its price as paid in these chips.

    Each is worked out when it is looked up.
    The house is one that was opened, or its id, or the path of its file. Without `chips` the float is the one it opens
    with, without `dice` they are fair; `"srr=6.5"` are dice with a seven in six and a half rolls.

    >>> odds = odds_of("adelaide", stake=5, chips=[1, 5, 25])["place_6"]
    >>> odds.edge_per_bet_made, odds.as_paid.favours
    (Fraction(1, 66), 'nobody')
    """
    layout = open_house(house).layout
    loaded = dice_of(dice)
    nominal, walked = _nominal(layout, loaded), walks(layout, loaded)
    if stake is None:
        if chips is not None:
            raise ArgumentError("stake", "none", "the stake that is paid in these chips, such as 5")
        return nominal
    chip = min(float_of(layout.book.notice.chips.value if chips is None else chips))
    bank = Bank(layout, positive_cents("stake", stake), chip)
    if bank.stake % chip:
        raise StakeError(f"{layout.money(bank.stake)} cannot be made of chips of {layout.money(chip)}")
    return Lazily(nominal, lambda key: _with_chips(nominal[key], walked[key], bank))


@remembered
def _nominal(layout: Layout, dice: LoadedDice) -> Mapping[str, WagerOdds]:
    walked = walks(layout, dice)
    return Lazily(walked, lambda key: _odds(layout, walked[key]))


def _odds(layout: Layout, walk: Walk) -> WagerOdds:
    chance = {kind: Fraction(0) for kind in ("win", "lose", "push")}
    prices: set[Price] = set()
    for ending, probability in walk.endings.items():
        match ending.verdict:
            case Wins(price=price):
                chance["win"] += probability
                prices.add(price)
            case Loses():
                chance["lose"] += probability
            case _:
                chance["push"] += probability
    paid = pay(exactly(layout, walk), walk)
    nets: dict[Fraction, Fraction] = {}
    for ending, probability in walk.endings.items():
        nets[paid.nets[ending]] = nets.get(paid.nets[ending], Fraction(0)) + probability
    return WagerOdds(
        *_edges(walk, paid, chance["push"]),
        key=walk.key,
        family=walk.spot.family,
        name=walk.name,
        p_win=chance["win"],
        p_lose=chance["lose"],
        p_push=chance["push"],
        rolls_working=walk.rolls_working,
        rolls_all=walk.rolls_all,
        prices=tuple(str(price) for price in sorted(prices, key=lambda price: price.rate)),
        nets=tuple(sorted(nets.items(), reverse=True)),
        clauses=walk.clauses,
    )


def _edges(
    walk: Walk, paid: Pay, pushed: Fraction
) -> tuple[Fraction, Fraction, Fraction, Fraction, Fraction, Fraction]:
    """The figures of `Edges`, in its order."""
    chances = walk.endings.items()
    mean = _mean(walk, paid)
    square = sum((chance * paid.nets[ending] ** 2 for ending, chance in chances), Fraction(0))
    staked = 1 + paid.charge
    edge = -mean / staked
    return mean, staked, edge, edge / (1 - pushed), edge / walk.rolls_working, square - mean**2


def odds_now(layout: Layout, key: str, puck: int) -> WagerOdds | None:
    """The odds of the bet that would be made with the puck as it lies; None for what cannot be bet there."""
    spot = layout.spots[key]
    put = walks(layout, FAIR).made_at(key, puck) if is_put(spot, puck) else None
    return _nominal(layout, FAIR).get(spot.key_at(puck)) if put is None else _odds(layout, put)


def odds_standing(layout: Layout, key: str, puck: int, mark: int) -> WagerOdds:
    """The odds of a wager that is up, from where it stands: on its point, or with what has come for it."""
    return _odds(layout, standing(layout, layout.spots[key], puck, mark))


def mean_in_chips(layout: Layout, key: str, stake: int, chip: int, *, puck: int = 0) -> Fraction | None:
    """What one bet of so many grains, made with the puck there, brings on average for each; None: no bet of its own."""
    walk = walks(layout, FAIR).made_at(key, puck)
    return None if walk is None else _mean(walk, pay(Bank(layout, stake, chip), walk))


def edge_in_chips(layout: Layout, key: str, stake: int, chip: int, *, puck: int = 0) -> Fraction | None:
    """The house's share of what is put up for such a bet, commission included, as it is paid in these chips."""
    walk = walks(layout, FAIR).made_at(key, puck)
    if walk is None:
        return None
    paid = pay(Bank(layout, stake, chip), walk)
    return -_mean(walk, paid) / (1 + paid.charge)


def _mean(walk: Walk, paid: Pay) -> Fraction:
    return sum((chance * paid.nets[ending] for ending, chance in walk.endings.items()), Fraction(0))


# --- In chips -------------------------------------------------------------------------------------------------------


def _with_chips(odds: WagerOdds, walk: Walk, bank: Bank) -> WagerOdds:
    layout, stake, chip = bank
    lot = walk.spot.units * chip
    if stake % lot and layout.book.money.indivisible_stake.value == "refuse":
        more = layout.money(stake // lot * lot + lot)
        return replace(odds, refused=f"{layout.money(stake)} does not divide by {walk.spot.units}; {more} would")
    paid = pay(bank, walk)
    unit = layout.grain
    bet = Fraction(stake, unit)
    money = bet, Fraction(chip, unit), paid.charge * bet, paid.on_a_win * bet
    return replace(odds, as_paid=AsPaid(*_edges(walk, paid, odds.p_push), *money))
