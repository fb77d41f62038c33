"""Prices on paper: the PAR sheet of a house, wagers side by side in every house, and what a price would have to be.

A PAR sheet has every wager with its ways, pays, hits, edges and volatility, printed and as paid.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from html import escape
from importlib.resources import files
from itertools import combinations
from math import floor, lcm, sqrt
from pathlib import Path
from typing import Any, Final, cast

from passline import __version__
from passline.answers import Answer, Kind, Part, Table, cell, html_of, json_of, picked
from passline.engine.values import CENTS, Form, Price
from passline.engine.verdicts import Wins
from passline.errors import ArgumentError, ArgumentTypeError, StakeError, short_repr
from passline.files.amounts import Money, float_of, money
from passline.files.arguments import figure
from passline.files.findings import nearest
from passline.house import House, open_house
from passline.machine.dice import Given, LoadedDice, dice_of
from passline.odds.wagers import Edges, WagerOdds, odds_of
from passline.odds.wagers.walk import walks
from passline.rulebooks.read import book_digest

# Nine tenths of a normal distribution lie within so many standard deviations: what a volatility index counts in.
Z_90: Final = 1.6448536269514722
# The columns of a sheet, and what each of them says.
MEANINGS: Final[Mapping[str, str]] = {
    "wager": "its key in records and strategies",
    "name": "its name on the felt",
    "pays": "every price it can be paid at",
    "ways_win": "ways to win, out of `ways` equally likely ways to be decided",
    "ways_lose": "ways to lose",
    "ways_push": "ways to push",
    "ways": "all ways",
    "hit_frequency": "the chance that one bet made wins",
    "edge_made": "what the house keeps of the money put up, commission paid with the bet included, pushes counted",
    "edge_resolved": "the same of bets that did not push",
    "edge_per_roll": "the same for each roll on which the bet works",
    "rolls": "the mean number of rolls on which it works until it is decided",
    "standard_deviation": "of the net of one bet made, for each unit staked",
    "volatility_index": "1.645 standard deviations: the mean net of N bets lies within this over the root of N of its "
    "mean in nine of ten times",
    "paid_edge_made": "edge per bet made on the stake below, paid in chips of the float",
    "paid_edge_resolved": "edge per bet resolved, so paid",
    "paid_edge_per_roll": "edge per roll, so paid",
    "paid_standard_deviation": "standard deviation, so paid",
    "paid_volatility_index": "volatility index, so paid",
    "refused": "why this stake cannot be bet",
}


@dataclass(frozen=True, slots=True)
class Par(Answer):
    house: str
    name: str
    digest: str  #: A hash of everything its rule book says; machines and distributions carry the same.
    stake: Fraction  #: The stake of the figures as paid, in money.
    chip: Fraction | None  #: The smallest chip they are paid in; None where this stake can be bet on nothing.
    wagers: Mapping[str, WagerOdds]

    def rows(self) -> Iterator[dict[str, Any]]:
        """A row for each wager, with the columns of `MEANINGS`: fractions where they are exact, floats for roots."""
        for key, odds in self.wagers.items():
            whole = lcm(odds.p_win.denominator, odds.p_lose.denominator, odds.p_push.denominator)
            row: dict[str, Any] = {"wager": key, "name": odds.name, "pays": ", ".join(odds.prices)}
            row |= {f"ways_{kind}": int(getattr(odds, f"p_{kind}") * whole) for kind in ("win", "lose", "push")}
            row |= {"ways": whole, "hit_frequency": odds.p_win, "rolls": odds.rolls_working, **_figures(odds)}
            if odds.as_paid is not None:
                row |= {f"paid_{column}": value for column, value in _figures(odds.as_paid).items()}
            row["refused"] = odds.refused
            yield {column: row.get(column, "") for column in MEANINGS}

    def data(self) -> dict[str, Any]:
        about = {**picked(self, "house", "name", "stake", "chip"), "house_hash": self.digest, "passline": __version__}
        return {**about, "columns": MEANINGS, "wagers": list(self.rows())}

    def table(self) -> Table:
        columns: dict[str, Kind] = dict.fromkeys(("house", "house_hash", "stake", "chip", *MEANINGS), "number")
        columns |= dict.fromkeys(("house", "house_hash", "wager", "name", "pays", "refused"), "text")
        columns |= dict.fromkeys((name for name in MEANINGS if "edge" in name), "edge")
        whence = (self.house, self.digest, self.stake, self.chip)
        return Table(columns, [(*whence, *(None if x == "" else x for x in row.values())) for row in self.rows()])

    def page(self) -> Iterator[Part]:
        yield f"{self.name} ({self.house})"
        yield f"rule book {self.digest}"
        yield ""
        columns: dict[str, Kind] = {"wager": "text", "wins": "number", "hits": "edge", "edge": "edge"}
        columns |= {"per roll": "edge", "volatility": "number", f"as paid\non {self.stake}": "edge"}
        figures = ("hit_frequency", "edge_made", "edge_per_roll", "volatility_index", "paid_edge_made")
        rows = []
        for row in self.rows():
            wins = f"{row['ways_win']}/{row['ways']}" if row["ways"] < 10**6 else ""
            rows.append((row["wager"], wins, *(row[x] for x in figures)))
        yield Table(columns, rows)
        yield ""
        yield "Wins: of so many ways. Edge: of the money put up, pushes counted; per roll on which the bet works."
        chip = "" if self.chip is None else f" in chips of {self.chip}"
        yield f"Volatility: 1.645 standard deviations of one bet. As paid: the edge of {self.stake} a bet{chip}."

    def to_page(self) -> str:
        """One page that prints on landscape paper and needs nothing beside it."""
        columns = [column for column in MEANINGS if column != "refused"]
        kinds = {column: "edge" if "edge" in column or column == "hit_frequency" else "number" for column in columns}
        kinds |= dict.fromkeys(("wager", "name", "pays"), "text")
        kinds |= {column: "count" for column in columns if column.startswith("ways")}
        table = Table(cast("dict[str, Kind]", kinds), [[row[column] for column in columns] for row in self.rows()])
        meanings = "".join(f"<dt>{name.replace('_', ' ')}</dt><dd>{escape(MEANINGS[name])}</dd>" for name in columns)
        in_chips = "" if self.chip is None else f", in chips of {self.chip}"
        page = files("passline.odds").joinpath("par.html").read_text(encoding="utf-8")
        return page.format(
            title=escape(f"PAR sheet: {self.name}"),
            about=escape(f"{self.house}; as paid: {self.stake} a bet{in_chips}; Passline {__version__}"),
            digest=self.digest,
            table=html_of(table),
            meanings=meanings,
        )


def par_of(house: House | str | Path, *, stake: Money | None = None, chips: Iterable[Money] | None = None) -> Par:
    """The PAR sheet of a house; figures as paid are for this stake in these chips, or its own minimum and float.

    >>> next(par_of("strip").rows())["edge_made"]
    Fraction(7, 495)
    """
    opened = open_house(house)
    if stake is None:
        notice = opened.book.notice
        stake = max(notice.minimum.value, min(notice.chips.value))
    odds = odds_of(opened, stake=stake, chips=chips)
    paid = next((each.as_paid for each in odds.values() if each.as_paid), None)
    wanted = Fraction(str(stake)) if paid is None else paid.stake
    return Par(opened.id, opened.name, book_digest(opened.book), wanted, None if paid is None else paid.chip, odds)


def _figures(edges: Edges) -> dict[str, Any]:
    deviation = sqrt(edges.variance)
    return {
        "edge_made": edges.edge_per_bet_made,
        "edge_resolved": edges.edge_per_bet_resolved,
        "edge_per_roll": edges.edge_per_roll_working,
        "standard_deviation": deviation,
        "volatility_index": Z_90 * deviation,
    }


@dataclass(frozen=True, slots=True)
class Comparison:
    """One wager in every house that offers it."""

    key: str
    odds: Mapping[str, WagerOdds]  #: By house.

    @property
    def family(self) -> str:
        return next(iter(self.odds.values())).family

    @property
    def edges(self) -> dict[str, Fraction]:
        """What each house keeps of the money put up: as paid, where a stake was given."""
        return {house: odds.edge for house, odds in self.odds.items()}

    @property
    def best(self) -> tuple[str, ...]:
        return self._where(min(self.edges.values()))

    @property
    def worst(self) -> tuple[str, ...]:
        return self._where(max(self.edges.values()))

    @property
    def is_alike(self) -> bool:
        return len(set(self.edges.values())) == 1

    def place(self, house: str) -> str:
        """Whether a house has the best price or the worst, where they differ."""
        return "" if self.is_alike else "best" if house in self.best else "worst" if house in self.worst else ""

    @property
    def alone(self) -> Table:
        """A row for each house, the kindest first."""
        columns: dict[str, Kind] = {"house": "text", "name there": "text", "pays": "text", "edge": "edge"}
        rows = [
            (house, self.odds[house].name, self.odds[house].pays, edge, edge, self.place(house))
            for house, edge in sorted(self.edges.items(), key=lambda item: item[1])
        ]
        return Table({**columns, "exactly": "exact", "": "text"}, rows, f"{self.key}: what each house keeps")

    def to_json(self) -> dict[str, Any]:
        houses = {}
        for house, odds in self.odds.items():
            houses[house] = json_of({**picked(odds, "name", "prices"), **odds.edges})
            if odds.as_paid:
                houses[house]["as_paid"] = odds.as_paid.to_json()
        return {"houses": houses, "best": list(self.best), "worst": list(self.worst)}

    def _where(self, wanted: Fraction) -> tuple[str, ...]:
        return tuple(house for house, edge in self.edges.items() if edge == wanted)


EXACT_WIDE = 8  # Letters of a fraction that six houses in eighty columns have room for


class Comparisons(dict[str, Comparison], Answer):
    """Wagers by key, each in every house."""

    def page(self) -> Iterator[Part]:
        """A column for each house, and where there is one wager alone a row for each."""
        if len(self) == 1:
            yield next(iter(self.values())).alone
            return
        groups: dict[object, tuple[list[str], Comparison]] = {}
        for key, each in self.items():  # wagers of one family with the same prices everywhere share a row
            groups.setdefault((each.family, tuple(each.edges.items())), ([], each))[0].append(key)
        rows = []
        for keys, each in groups.values():
            row = dict.fromkeys(self.houses, "")
            for house, odds in each.odds.items():
                sign, exact = {"best": "*", "worst": "!"}.get(each.place(house), ""), str(odds.edge)
                # A fraction that is too wide for its column is told by `--wager`; broken in two it would be another.
                row[house] = f"{sign}{cell('edge', odds.edge)}\n{exact if len(exact) <= EXACT_WIDE else ''}"
            rows.append(("\n".join(keys), *row.values()))
        title = "The houses side by side: what each keeps of the money put up"
        yield Table({"wager": "text", **dict.fromkeys(self.houses, "number")}, rows, title)
        yield "* best price, ! worst, where they differ; blank: not offered there."
        yield "`passline compare --wager place_6` shows names and prices."

    @property
    def houses(self) -> list[str]:
        return list(dict.fromkeys(house for each in self.values() for house in each.odds))

    def table(self) -> Table:
        rows = [
            (key, house, x.name, ", ".join(x.prices), x.edge, x.edge, each.place(house))
            for key, each in self.items()
            for house, x in each.odds.items()
        ]
        columns: dict[str, Kind] = {"wager": "text", "house": "text", "name": "text", "pays": "text", "edge": "edge"}
        return Table({**columns, "exactly": "exact", "place": "text"}, rows)

    def data(self) -> dict[str, Any]:
        return {"houses": self.houses, "wagers": dict(self)}


def compare(
    houses: Iterable[House | str] | None = None, *, stake: Money | None = None, chips: Iterable[Money] | None = None
) -> Comparisons:
    """Every wager that any of the houses offers, by key; without houses, of all that come with the program.

    A house is one that was opened, or its id, or the path of its file. With a stake, prices are as paid in these chips,
    or in each house's own; a house that does not take the stake on a wager is left out there.

    >>> compare()["place_6"].worst
    ('exhibit-a',)
    """
    if isinstance(houses, str) or not isinstance(houses, Iterable | None):
        raise ArgumentTypeError("houses", short_repr(houses), "a list of houses such as ['sydney', 'strip']")
    opened = [open_house(house) for house in (houses or House.all())]
    float_ = None if chips is None else [Fraction(chip, CENTS) for chip in float_of(chips)]
    prices = {house.id: odds_of(house, stake=stake, chips=float_) for house in opened}
    every: dict[str, dict[str, WagerOdds]] = {}
    for id_, odds in prices.items():
        for key, each in odds.items():
            if not each.refused:
                every.setdefault(key, {})[id_] = each
    return Comparisons({key: Comparison(key, by_house) for key, by_house in every.items()})


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
