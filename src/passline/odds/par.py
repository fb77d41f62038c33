"""The PAR sheet of a house: every wager with its ways, pays, hits, edges and volatility, printed and as paid."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from html import escape
from math import lcm, sqrt
from pathlib import Path
from typing import Any, Final

from passline import __version__
from passline.files.amounts import Money
from passline.house import House, open_house
from passline.machine.build import book_digest
from passline.odds.wagers import WagerOdds, odds_of
from passline.odds.wagers.prices import Edges

Z_90: Final = 1.6448536269514722
"""Standard deviations that nine tenths of a normal law lie within, on both sides: what a volatility index counts in."""

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
"""The columns of a sheet, and what each of them says."""


@dataclass(frozen=True, slots=True)
class Par:
    """The sheet of one house."""

    house: str
    name: str
    digest: str
    """A hash of everything its rule book says; machines and laws carry the same."""
    stake: Fraction
    """The stake of the figures as paid, in money."""
    chip: Fraction | None
    """The smallest chip they are paid in; None where this stake can be bet on nothing."""
    wagers: Mapping[str, WagerOdds]

    def rows(self) -> Iterator[dict[str, Any]]:
        """A row for each wager, with the columns of `MEANINGS`: fractions where they are exact, floats for roots."""
        for key, odds in self.wagers.items():
            whole = lcm(odds.p_win.denominator, odds.p_lose.denominator, odds.p_push.denominator)
            found: dict[str, Any] = {"wager": key, "name": odds.name, "pays": ", ".join(odds.prices)}
            found |= {f"ways_{kind}": int(getattr(odds, f"p_{kind}") * whole) for kind in ("win", "lose", "push")}
            found |= {"ways": whole, "hit_frequency": odds.p_win, "rolls": odds.rolls_working, **_figures(odds)}
            if odds.as_paid is not None:
                found |= {f"paid_{column}": value for column, value in _figures(odds.as_paid).items()}
            found["refused"] = odds.refused
            yield {column: found.get(column, "") for column in MEANINGS}

    def to_json(self) -> dict[str, Any]:
        """JSON values: every fraction a string, nothing rounded."""
        return {
            "house": self.house,
            "name": self.name,
            "house_hash": self.digest,
            "passline": __version__,
            "stake": str(self.stake),
            "chip": None if self.chip is None else str(self.chip),
            "columns": dict(MEANINGS),
            "wagers": [
                {column: str(value) if isinstance(value, Fraction) else value for column, value in row.items()}
                for row in self.rows()
            ],
        }

    def to_csv(self) -> str:
        """A line for each wager; fractions are exact, roots are decimals."""
        text = io.StringIO()
        lines = csv.DictWriter(text, ("house", "house_hash", "stake", "chip", *MEANINGS), lineterminator="\n")
        lines.writeheader()
        head = {"house": self.house, "house_hash": self.digest, "stake": self.stake, "chip": self.chip}
        lines.writerows({**head, **row} for row in self.rows())
        return text.getvalue()

    def to_html(self) -> str:
        """One page that prints on landscape paper and needs nothing beside it."""
        columns = [column for column in MEANINGS if column != "refused"]
        head = "".join(f"<th>{escape(_title(column))}</th>" for column in columns)
        body = "".join(
            "<tr>" + "".join(f"<td>{escape(_told(column, row[column]))}</td>" for column in columns) + "</tr>"
            for row in self.rows()
        )
        meanings = "".join(
            f"<dt>{escape(_title(column))}</dt><dd>{escape(MEANINGS[column])}</dd>" for column in columns
        )
        in_chips = "" if self.chip is None else f", in chips of {self.chip}"
        return PAGE.format(
            title=escape(f"PAR sheet: {self.name}"),
            about=escape(f"{self.house}; as paid: {self.stake} a bet{in_chips}; Passline {__version__}"),
            digest=self.digest,
            head=head,
            body=body,
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
    asked = Fraction(str(stake)) if paid is None else paid.stake
    return Par(opened.id, opened.name, book_digest(opened.book), asked, None if paid is None else paid.chip, odds)


def _figures(edges: Edges) -> dict[str, Any]:
    deviation = sqrt(edges.variance)
    return {
        "edge_made": edges.edge_per_bet_made,
        "edge_resolved": edges.edge_per_bet_resolved,
        "edge_per_roll": edges.edge_per_roll_working,
        "standard_deviation": deviation,
        "volatility_index": Z_90 * deviation,
    }


def _title(column: str) -> str:
    return column.replace("_", " ")


def _told(column: str, value: object) -> str:
    """A figure on paper: chances and edges in per cent, everything else as it is."""
    if isinstance(value, Fraction):
        return f"{float(value):.4%}" if "edge" in column or column == "hit_frequency" else f"{float(value):.4f}"
    return f"{value:.4f}" if isinstance(value, float) else str(value)


PAGE: Final = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{title}</title>
<style>
@page {{ size: A4 landscape; margin: 12mm }}
body {{ font: 9pt/1.3 "Helvetica Neue", Arial, sans-serif; color: #111 }}
h1 {{ font-size: 14pt; margin: 0 }}
code {{ font-size: 8pt }}
table {{ border-collapse: collapse; width: 100%; font-size: 7pt; font-variant-numeric: tabular-nums }}
th, td {{ border-bottom: 1px solid #ccc; padding: 1pt 3pt; text-align: right; vertical-align: top }}
th:nth-child(-n+3), td:nth-child(-n+3) {{ text-align: left }}
thead {{ display: table-header-group }}
tr {{ break-inside: avoid }}
dl {{ columns: 2; font-size: 7pt }}
dt {{ font-weight: bold }}
dd {{ margin: 0 0 2pt }}
</style>
</head>
<body>
<h1>{title}</h1>
<p>{about}<br>rule book <code>{digest}</code></p>
<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>
<dl>{meanings}</dl>
</body>
</html>
"""
