"""Exact odds of every wager of a house, by walking its automaton and asking the dealers what each end pays."""

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from pathlib import Path
from typing import Any, Final, Literal

from passline.answers import Answer, Kind, Part, Table, cell, json_of, picked
from passline.answers import exactly as exactly_money
from passline.engine.layout import Layout
from passline.engine.values import Price
from passline.engine.verdicts import Loses, Wins
from passline.errors import ArgumentError, StakeError
from passline.files.amounts import Money, float_of, positive_cents
from passline.house import House, open_house
from passline.machine.dice import FAIR, Given, LoadedDice, dice_of
from passline.odds.linear import Lazily, remembered
from passline.odds.wagers.walk import Bank, Pay, Walk, exactly, pay, standing, walks
from passline.telling.names import with_key

Favours = Literal["house", "player", "nobody"]  # Whom a bet pays in the long run
FAVOURS: Final[Mapping[Favours, str]] = {"house": "", "player": "favours you", "nobody": "fair"}
PLAIN: Final = 2  # a bet that can come out in more ways is told way by way
# What the figures of one wager mean.
MEANINGS: Final = (
    "Put up: the stake, and commission paid with it. Edge: what the house keeps of the money put up; per bet made, "
    "pushes counted; per bet resolved, of bets that did not push; per roll working, for each roll on which the bet "
    "can be decided. All rolls: those on which it is off or waits counted too."
)


Six = tuple[Fraction, Fraction, Fraction, Fraction, Fraction, Fraction]


@dataclass(frozen=True, slots=True)
class Edges:
    """The price of a bet: one unit wagered in total, commission on top."""

    mean_net: Fraction  # the mean result, in units
    staked: Fraction  # the mean money put up: the unit, and commission paid when the bet is made
    edge_per_bet_made: Fraction  # what the house keeps of the money put up, pushes counted
    edge_per_bet_resolved: Fraction  # what the house keeps of the money put up on bets that did not push
    edge_per_roll_working: Fraction
    variance: Fraction  # of the net result of one bet made, in units squared

    @property
    def favours(self) -> Favours:
        return "house" if self.mean_net < 0 else "player" if self.mean_net else "nobody"

    @property
    def facts(self) -> list[tuple[str, str, Any]]:
        """The figures by name: as people read them, and exactly."""
        edge = "edge per bet"
        return [
            ("mean net", f"{float(self.mean_net):+.6f}", self.mean_net),
            ("put up", f"{float(self.staked):.6f}", self.staked),
            (f"{edge} made", cell("edge", self.edge_per_bet_made), f"{self.edge_per_bet_made} {FAVOURS[self.favours]}"),
            (f"{edge} resolved", cell("edge", self.edge_per_bet_resolved), self.edge_per_bet_resolved),
            ("edge per roll working", cell("edge", self.edge_per_roll_working), self.edge_per_roll_working),
            ("variance", f"{float(self.variance):.6f}", self.variance),
            ("standard deviation", f"{math.sqrt(self.variance):.6f}", ""),
        ]

    @property
    def edges(self) -> dict[str, Any]:
        return picked(self, *(each.name for each in fields(Edges)))


@dataclass(frozen=True, slots=True)
class AsPaid(Edges):
    """The price of a bet in real chips: winnings and commission rounded as the house rounds, minimum included."""

    stake: Fraction  # in money
    chip: Fraction  # the smallest chip of the float, in money
    commission: Fraction  # Paid when the bet is made, in money
    commission_on_win: Fraction  # Taken out of a win, in money; a win that rounds to nothing is charged nothing

    @property
    def charge(self) -> str:
        """The commission, and when it is taken."""
        if self.commission_on_win:
            return f"{exactly_money(self.commission_on_win)} on a win"
        return exactly_money(self.commission) if self.commission else ""

    def to_json(self) -> dict[str, Any]:
        return {name: json_of(getattr(self, name)) for name in (*(each.name for each in fields(self)), "favours")}


@dataclass(frozen=True, slots=True)
class WagerOdds(Edges, Answer):
    """One wager of a house, exactly."""

    key: str
    family: str  # the rule it comes from: all place bets are one family
    name: str  # in the house's own words
    p_win: Fraction
    p_lose: Fraction
    p_push: Fraction
    rolls_working: Fraction  # the mean number of rolls on which it works until it is decided; a push ends it
    # All rolls until then; for wagers off on the come-out, from just after a point is set. None: not judged.
    rolls_all: Fraction | None
    # What winners are paid, as the house quotes it, lowest first; for a split, what its parts are paid.
    prices: tuple[str, ...]
    # What the whole bet brings for each unit, all its parts and commission counted, and how often; best first.
    nets: tuple[tuple[Fraction, Fraction], ...]
    clauses: tuple[str, ...]
    as_paid: AsPaid | None = None  # with a stake and a float: the price in chips
    refused: str = ""  # with a stake and a float: why this stake cannot be bet here
    has_parts: bool = False

    @property
    def edge(self) -> Fraction:
        """What the house keeps of the money put up, pushes counted: as paid, where a stake was given."""
        return (self.as_paid or self).edge_per_bet_made

    @property
    def pays(self) -> str:
        """The one price, or the lowest and the highest: `15 .. 30 to 1`."""
        low, high = self.prices[0], self.prices[-1]
        number, _, form = low.partition(" ")
        return low if low == high else f"{number} .. {high}" if high.endswith(f" {form}") else f"{low} .. {high}"

    def page(self) -> Iterator[Part]:
        rows: list[tuple[str, str, Any]] = [("its parts pay" if self.has_parts else "pays", "", ", ".join(self.prices))]
        for at, (net, chance) in enumerate(self.nets if len(self.nets) > PLAIN else ()):
            often = " ".join((f"{cell('exact', chance)} of bets", f"({cell('edge', chance)})")).strip()
            even = ", its parts win what they lose" if not net and self.has_parts else ""
            rows.append(("" if at else "the whole bet brings", f"{float(net):+.4f}", f"{net} on {often}{even}"))
        chances = {"wins": self.p_win, "loses": self.p_lose, "pushes": self.p_push}
        rows += [(word, cell("edge", chance), chance) for word, chance in chances.items()]
        rows += [*self.facts, ("rolls it works", f"{float(self.rolls_working):.4f}", self.rolls_working)]
        every = None if self.rolls_all is None else f"{float(self.rolls_all):.4f}"
        rows.append(("all rolls", every or "-", self.rolls_all if every else "judged as working throughout"))
        yield _facts(with_key(self.name, self.key), rows)
        yield ""
        yield MEANINGS
        if self.as_paid is not None:
            paid = self.as_paid
            yield ""
            in_chips = f"{exactly_money(paid.stake)} a bet, paid in chips of {exactly_money(paid.chip)}"
            charges = {"paid with the bet": paid.commission, "taken out of a win": paid.commission_on_win}
            commissions = [("commission", exactly_money(each), how) for how, each in charges.items() if each]
            yield _facts(in_chips, [*commissions, *paid.facts])
            favoured = "a fair bet" if paid.favours == "nobody" else f"a bet that favours the {paid.favours}"
            yield f"{in_chips.replace(' a bet, paid', f' on {self.key}')} is {favoured}."
        elif self.refused:
            yield ""
            yield f"As paid: {self.refused}."

    def data(self) -> dict[str, Any]:
        chances, rolls = ("name", "p_win", "p_lose", "p_push"), ("rolls_working", "rolls_all")
        values = {**picked(self, *chances), **self.edges, **picked(self, *rolls)}
        values |= {"nets": dict(self.nets), "clauses": self.clauses}
        as_paid = self.as_paid or ({"refused": self.refused} if self.refused else None)
        return {**values, "as_paid": as_paid} if as_paid else values


def _facts(title: str, rows: Iterable[tuple[str, str, Any]]) -> Table:
    return Table({title: "text", "": "number", "exactly": "text"}, [(a, b, str(c).strip()) for a, b, c in rows])


class HouseOdds(Lazily[WagerOdds], Answer):
    """The wagers of a house by key, each worked out when it is looked up."""

    def __init__(self, layout: Layout, keys: Iterable[str], work: Callable[[str], WagerOdds]) -> None:
        super().__init__(keys, work)
        self.layout = layout

    def only(self, keys: Iterable[str]) -> "HouseOdds":
        return HouseOdds(self.layout, keys, self.__getitem__)

    def page(self) -> Iterator[Part]:
        if len(self) == 1:
            yield from next(iter(self.values())).page()
            return
        yield self._in_chips() if self.in_chips else self._nominal()
        for favoured, word in (("nobody", "Fair"), ("player", "In the player's favour")):
            fits = (key for key, x in self.items() if (x.as_paid or x).favours == favoured and not x.refused)
            if keys := ", ".join(fits):
                yield f"{word}: {keys}."

    @property
    def in_chips(self) -> bool:
        return any(each.as_paid or each.refused for each in self.values())

    def table(self) -> Table:
        columns: dict[str, Kind] = {"wager": "text", "name": "text", "pays": "text", "p_win": "share"}
        columns |= {"p_lose": "share", "p_push": "share", "edge": "edge", "edge_exactly": "exact"}
        columns |= {"edge_per_roll": "edge"}
        columns |= {"variance": "number", "rolls": "number", "edge_as_paid": "edge", "refused": "text"}
        rows = [
            (
                *(key, x.name, ", ".join(x.prices), x.p_win, x.p_lose, x.p_push, x.edge_per_bet_made),
                *(x.edge_per_bet_made, x.edge_per_roll_working, x.variance, x.rolls_working),
                *(x.as_paid and x.as_paid.edge_per_bet_made, x.refused),
            )
            for key, x in self.items()
        ]
        return Table(columns, rows, f"Every wager: {self.layout.book.name}")

    def _nominal(self) -> Table:
        columns: dict[str, Kind] = {"wager": "text", "pays": "text", "wins": "share", "edge": "edge"}
        rows = []
        for key, x in self.items():
            edge = x.edge_per_bet_made
            rows.append((key, x.pays, f"{float(x.p_win):.2%}", edge, edge, f"{float(x.rolls_working):.2f}"))
        note = "Edge: of the money put up, pushes counted. Rolls: on which it works until it is decided."
        title = f"{self.layout.book.name}: the exact price of every wager"
        return Table({**columns, "exactly": "exact", "rolls": "number"}, rows, title, note)

    def _in_chips(self) -> Table:
        book = self.layout.book
        first = next((each.as_paid for each in self.values() if each.as_paid), None)
        stake = f": {exactly_money(first.stake)} a bet, paid in chips of {exactly_money(first.chip)}" if first else ""
        rows = []
        for key, x in self.items():
            paid = x.as_paid
            rest = (None, None, "", x.refused) if paid is None else (x.edge, x.edge, paid.charge, FAVOURS[paid.favours])
            rows.append((key, x.edge_per_bet_made, *rest))
        rounding = book.money.rounding
        how = f"after rounding {rounding.value} to chips ({rounding.clause}), and commission with its minimum"
        columns: dict[str, Kind] = {"wager": "text", "edge": "edge", "as_paid": "edge", "exactly": "exact"}
        columns |= {"charge": "number", "": "text"}
        return Table(columns, rows, f"{book.name}{stake}", f"Edge: by the price. As paid: {how}.")

    def data(self) -> dict[str, Any]:
        return dict(self)

    def __repr__(self) -> str:
        return f"<odds of {len(self)} wagers at {self.layout.book.id}: print() shows them, .frame() has them all>"


def odds_of(
    house: House | str | Path, *, stake: Money | None = None, chips: Iterable[Money] | None = None, dice: Given = None
) -> HouseOdds:
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
    return HouseOdds(layout, nominal, lambda key: _with_chips(nominal[key], walked[key], bank))


@remembered
def _nominal(layout: Layout, dice: LoadedDice) -> HouseOdds:
    walked = walks(layout, dice)
    return HouseOdds(layout, walked, lambda key: _odds(layout, walked[key]))


def _odds(layout: Layout, walk: Walk) -> WagerOdds:
    paid, prices = pay(exactly(layout, walk), walk), set[Price]()
    chance: dict[str, Fraction] = dict.fromkeys(("win", "lose", "push"), Fraction(0))
    nets: defaultdict[Fraction, Fraction] = defaultdict(Fraction)
    for ending, probability in walk.endings.items():
        nets[paid.nets[ending]] += probability
        match ending.verdict:
            case Wins(price=price):
                chance["win"] += probability
                prices.add(price)
            case Loses():
                chance["lose"] += probability
            case _:
                chance["push"] += probability
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
        has_parts=bool(walk.spot.parts),
    )


def _edges(walk: Walk, paid: Pay, pushed: Fraction) -> Six:
    """The figures of `Edges`, in its order."""
    mean, square = _mean(walk, paid), _mean(walk, paid, 2)
    staked = 1 + paid.charge
    edge = -mean / staked
    return mean, staked, edge, edge / (1 - pushed), edge / walk.rolls_working, square - mean**2


def odds_now(layout: Layout, key: str, puck: int) -> WagerOdds | None:
    """The odds of the bet that would be made with the puck as it lies; None for what cannot be bet there."""
    spot = layout.spots[key]
    put = walks(layout, FAIR).made_at(key, puck) if spot.is_put(puck) else None
    return _nominal(layout, FAIR).get(spot.key_at(puck)) if put is None else _odds(layout, put)


def odds_standing(layout: Layout, key: str, puck: int, mark: int) -> WagerOdds:
    """The odds of a wager that is up, from where it stands: on its point, or with what has come for it."""
    return _odds(layout, standing(layout, layout.spots[key], puck, mark))


def mean_in_chips(layout: Layout, key: str, stake: int, chip: int, *, puck: int = 0) -> Fraction | None:
    """The mean result per minor unit of a bet of this size, made at this puck; None where it cannot be bet."""
    walk = walks(layout, FAIR).made_at(key, puck)
    return None if walk is None else _mean(walk, pay(Bank(layout, stake, chip), walk))


def edge_in_chips(layout: Layout, key: str, stake: int, chip: int, *, puck: int = 0) -> Fraction | None:
    """The house's share of what is put up for such a bet, commission included, as it is paid in these chips."""
    walk = walks(layout, FAIR).made_at(key, puck)
    if walk is None:
        return None
    paid = pay(Bank(layout, stake, chip), walk)
    return -_mean(walk, paid) / (1 + paid.charge)


def _mean(walk: Walk, paid: Pay, power: int = 1) -> Fraction:
    return sum((chance * paid.nets[ending] ** power for ending, chance in walk.endings.items()), Fraction(0))


def _with_chips(odds: WagerOdds, walk: Walk, bank: Bank) -> WagerOdds:
    layout, stake, chip = bank
    lot = walk.spot.units * chip
    if stake % lot and layout.book.money.indivisible_stake.value == "refuse":
        more = layout.money(stake // lot * lot + lot)
        return replace(odds, refused=f"{layout.money(stake)} does not divide by {walk.spot.units}; {more} would")
    paid, bet = pay(bank, walk), Fraction(stake, layout.minor_per_unit)
    money = bet, Fraction(chip, layout.minor_per_unit), paid.charge * bet, paid.on_a_win * bet
    return replace(odds, as_paid=AsPaid(*_edges(walk, paid, odds.p_push), *money))
