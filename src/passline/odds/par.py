"""The PAR sheet of a house: every wager with its ways, pays, hits, edges and volatility, printed and as paid."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from html import escape
from importlib.resources import files
from math import lcm, sqrt
from pathlib import Path
from typing import Any, Final, cast

from passline import __version__
from passline.answers import Answer, Kind, Part, Table, cell, html_of, json_of, picked
from passline.engine.values import CENTS
from passline.errors import ArgumentTypeError, short_repr
from passline.files.amounts import Money, float_of
from passline.house import House, open_house
from passline.odds.wagers import Edges, WagerOdds, odds_of
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
