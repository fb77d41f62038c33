"""What a wager would have to pay for the house to keep a wanted share: each of its prices by itself, exactly."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import combinations
from math import floor
from pathlib import Path
from typing import Any, Final

from passline.answers import Answer, Kind, Part, Table, picked
from passline.engine.values import Form, Price
from passline.engine.verdicts import Wins
from passline.errors import ArgumentError, ArgumentTypeError, StakeError, short_repr
from passline.files.amounts import Money, money
from passline.files.arguments import figure
from passline.files.findings import nearest
from passline.house import House, open_house
from passline.machine.dice import Given, LoadedDice, dice_of
from passline.odds.wagers import odds_of
from passline.odds.wagers.walk import walks

TABLES: Final = 5  # Tables with two other prices that are told
AN_EDGE: Final = "a share of the money put up between -1 and 1, such as 5%, 0.05 or 1/20"


@dataclass(frozen=True, slots=True)
class WantedPrice:
    """One price of a wager, and what it would have to be while the others stay."""

    price: str  # as the house quotes it now
    form: Form  # whether it quotes what is paid to one, or for one with the stake among it
    rate: Fraction  # what it pays to 1 now
    chance: Fraction  # the chance that one bet made is paid at it
    edge_now: Fraction  # what the house keeps of the money put up, with the prices it has
    wanted: Fraction  # what it would have to pay to 1; nothing or less: no price of it alone gives that edge
    whole: tuple[tuple[int, Fraction], ...]  # the whole prices to 1 next to it, each with the edge it gives

    def quoted(self, rate: Fraction | int) -> Fraction:
        """What pays so much to 1, in the house's own form."""
        return Fraction(rate) + (self.form == "for")

    def quote(self, rate: int) -> str:
        return f"{self.quoted(rate)} {self.form} 1"

    def data(self) -> dict[str, Any]:
        wanted = self.wanted if self.wanted > 0 else None
        return {**picked(self, "price", "chance", "edge_now"), "wanted_to_1": wanted, "whole": dict(self.whole)}


@dataclass(frozen=True, slots=True)
class WantedTable:
    """Two prices of a wager changed together, to whole ones, while the others stay."""

    pays: dict[str, int]  # by the price as the house quotes it now, what it would pay to 1
    edge: Fraction  # what the house would keep of the money put up


class WantedPrices(tuple[WantedPrice, ...], Answer):  # noqa: SLOT001 - it remembers what was asked
    """Each price of a wager, and what it would have to be; shown with the tables of two prices together."""

    question: tuple[House, str, Fraction, LoadedDice]

    @property
    def tables(self) -> tuple[WantedTable, ...]:
        """Pay tables with two prices changed to whole ones: as near to the edge as one alone comes, or nearer.

        Dearer prices stay dearer, the first of two is at most doubled, and what changes least stands first.
        """
        share = self.question[2]
        near = min(abs(gives - share) for each in self for _, gives in each.whole)
        tables = []
        for low, high in combinations(self, 2):
            for pays in range(1, floor(2 * low.rate) + 1):
                now = low.edge_now - (pays - low.rate) * low.chance
                exactly = floor(high.rate + (now - share) / high.chance)
                for other in (exactly, exactly + 1):
                    margin = now - (other - high.rate) * high.chance
                    table = {each.price: each.rate for each in self} | {low.price: pays, high.price: other}
                    rises = other > 0 and sorted(table.values()) == list(table.values())
                    if rises and pays != low.rate and other != high.rate and abs(margin - share) <= near:
                        change = sum(max(a / b, b / a) for a, b in ((pays, low.rate), (other, high.rate)))
                        tables.append((change, WantedTable({low.price: pays, high.price: other}, margin)))
        return tuple(table for _, table in sorted(tables, key=lambda each: each[0])[:TABLES])

    def page(self) -> Iterator[Part]:
        house, wager, edge, _ = self.question
        tables, now = self.tables, f"{float(self[0].edge_now):.3%}"
        yield f"{wager} at {house.name} keeps {now} of the money put up; you want {float(edge):.3%}."
        yield ""
        yield self.table()
        if len(self) > 1:
            yield ""
            yield "Each price by itself, with the others as they are."
        if tables:
            forms = {each.price: each for each in self}
            pairs = [[f"{now} as {forms[now].quote(pays)}" for now, pays in each.pays.items()] for each in tables]
            rows = [(", ".join(pair), each.edge) for pair, each in zip(pairs, tables, strict=True)]
            yield ""
            yield Table({"two prices together": "text", "edge": "edge"}, rows)
            yield "Two whole prices that come as near as one alone, or nearer; the least changed first."

    def table(self) -> Table:
        """A row for each price: what it is, what it would have to be, and the whole prices beside that."""
        rows = []
        for each in self:
            wanted = each.quoted(each.wanted) if each.wanted > 0 else None
            words = "no price does" if wanted is None else f"{float(wanted):.4f} {each.form} 1"
            beside = ", ".join(f"{each.quote(pays)}: {float(gives):.3%}" for pays, gives in each.whole)
            rows.append((each.price, each.chance, words, wanted, beside))
        columns: dict[str, Kind] = {"price_now": "text", "chance": "share", "wanted": "text", "exactly": "exact"}
        return Table({**columns, "whole_prices_beside_it": "text"}, rows)

    def data(self) -> dict[str, Any]:
        house, wager, edge, _ = self.question
        pairs = [{"pays_to_1": each.pays, "edge": each.edge} for each in self.tables]
        prices = [each.data() for each in self]
        return {"house": house.id, "wager": wager, "edge": edge, "prices": prices, "tables": pairs}


def price_of(house: House | str | Path, wager: str, *, edge: Money | float, dice: Given = None) -> WantedPrices:
    """For each price of a wager, the price that would have the house keep `edge` of the money put up: 5% or 1/20.

    >>> price_of("strip", "any_seven", edge="1/9")[0].wanted
    Fraction(13, 3)
    """
    opened, loaded, share = open_house(house), dice_of(dice), share_of(edge)
    every = odds_of(opened, dice=loaded)
    if wager not in every:
        raise ArgumentError("wager", short_repr(wager), f"a wager of {opened.id}", nearest(wager, every))
    walk, odds = walks(opened.layout, loaded)[wager], every[wager]
    if walk.spot.rule.commission or walk.spot.parts:
        why = "a commission" if walk.spot.rule.commission else "the prices of its parts"
        raise StakeError(
            f"{wager} is paid by {why}, so no price of its own can be looked for; ask about another wager."
        )
    chances: defaultdict[Price, Fraction] = defaultdict(Fraction)
    for ending, chance in walk.endings.items():
        if isinstance(ending.verdict, Wins):
            chances[ending.verdict.price] += chance
    # One unit is put up, so the edge falls by the chance of a price for each unit that it pays more.
    found, now = [], odds.edge_per_bet_made
    for price, chance in sorted(chances.items(), key=lambda each: each[0].rate):
        wanted = price.rate + (now - share) / chance
        beside = sorted({max(1, floor(wanted)), max(1, floor(wanted) + 1)})
        whole = tuple((pays, now - (pays - price.rate) * chance) for pays in beside)
        found.append(WantedPrice(str(price), price.form, price.rate, chance, now, wanted, whole))
    prices = WantedPrices(found)
    prices.question = opened, wager, share, loaded
    return prices


def share_of(edge: Money | float) -> Fraction:
    """An edge as it is written: 5%, 0.05 or 1/20."""
    try:
        if isinstance(edge, str):
            share = money(edge[:-1]) / 100 if edge.endswith("%") else money(edge)
        else:
            share = Fraction(edge) if isinstance(edge, Decimal) else figure("edge", edge)
    except ArgumentTypeError:
        raise ArgumentTypeError("edge", short_repr(edge), AN_EDGE) from None
    except (ValueError, OverflowError):
        raise ArgumentError("edge", short_repr(edge), AN_EDGE) from None
    if not -1 < share < 1:
        raise ArgumentError("edge", short_repr(edge), AN_EDGE)
    return share
