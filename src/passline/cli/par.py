"""`passline par`, `price`, `hand`: a house on paper, what a wager would have to pay, how long a hand is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from passline.cli import options
from passline.cli.errors import fail

if TYPE_CHECKING:
    from passline.odds.wagers.wanted import WantedPrice

PAR = """The PAR sheet of a house. Ways, pays, hits, edges and volatility of every wager, printed and as paid.

Example: `passline par strip --stake 10 --float 1,5,25 --csv strip.csv --html strip.html`
"""
PRICE = """What a wager would have to pay for a wanted edge. The edge is of the money put up, pushes counted.

Example: `passline price any_seven --house strip --edge 5%`, or `passline price fire --house fire-bonus --edge 1/8`
"""
HAND = """How long a shooter's hand lasts. In rolls, and how many points it makes, and how many hands an hour has.

Example: `passline hand --house strip --rolls-per-hour 120`, or with other dice, `passline hand --dice srr=6.5`
"""
LENGTHS = (2, 5, 10, 20, 30, 50, 75, 100, 154)
"""Lengths that are told; the longest hand on record had 154 rolls (Patricia Demauro, Atlantic City, 2009)."""
POINTS = range(9)
FRACTION_MAX = 24
"""A longer fraction is left to `--json`."""


def add_to(app: typer.Typer) -> None:
    app.command("par", help=PAR)(par)
    app.command("price", help=PRICE)(price)
    app.command("hand", help=HAND)(hand)


def par(
    house: Annotated[str, typer.Argument(metavar="HOUSE", help="A house by its id, or the path of a house file.")],
    *,
    stake: Annotated[
        str | None, typer.Option("--stake", help="The stake of the figures as paid; else the house's minimum.")
    ] = None,
    float_: Annotated[
        str | None, typer.Option("--float", help="The chips it is paid in, such as 1,5,25; else the house's own.")
    ] = None,
    csv: Annotated[str | None, typer.Option("--csv", metavar="FILE", help="Write it as CSV.")] = None,
    html: Annotated[str | None, typer.Option("--html", metavar="FILE", help="Write a page that prints.")] = None,
    as_json: options.AsFractions = False,
) -> None:
    """Print or write the sheet."""
    from passline.cli.figures import grid, show, show_json
    from passline.cli.files import path_for, why_not
    from passline.files.whole import write_whole
    from passline.odds.par import par_of

    files = path_for("--csv", csv), path_for("--html", html, (".html", ".htm"))
    sheet = par_of(house, stake=stake, chips=None if float_ is None else float_.replace(",", " ").split())
    for file, text in zip(files, (sheet.to_csv, sheet.to_html), strict=True):
        if file is not None:
            try:
                write_whole(file, text())
            except OSError as error:
                fail(f"{file}: {why_not(error)}")
    if as_json:
        show_json(sheet.to_json())
        return
    show(f"{sheet.name} ({sheet.house})", f"rule book {sheet.digest}", "")
    table = grid("wager", "wins", "hits", "edge", "per roll", "volatility", f"as paid\non {sheet.stake}")
    for row in sheet.rows():
        paid = row["paid_edge_made"]
        table.add_row(
            row["wager"],
            f"{row['ways_win']}/{row['ways']}" if row["ways"] < 10**6 else "",
            f"{float(row['hit_frequency']):.3%}",
            f"{float(row['edge_made']):.3%}",
            f"{float(row['edge_per_roll']):.3%}",
            f"{row['volatility_index']:.3f}",
            "" if paid == "" else f"{float(paid):.3%}",
        )
    show(table, "")
    show("Wins: of so many ways. Edge: of the money put up, pushes counted; per roll on which the bet works.")
    chip = "" if sheet.chip is None else f" in chips of {sheet.chip}"
    show(f"Volatility: 1.645 standard deviations of one bet. As paid: the edge of {sheet.stake} a bet{chip}.")


def price(
    wager: Annotated[str, typer.Argument(metavar="WAGER", help="One wager, such as any_seven or fire.")],
    *,
    edge: Annotated[str, typer.Option("--edge", help="The wanted share of the money put up: 5%, 0.05 or 1/20.")],
    house: options.House_ = "adelaide",
    dice: options.DiceText = None,
    as_json: options.AsFractions = False,
) -> None:
    from passline.cli.figures import grid, show, show_json
    from passline.house import House
    from passline.odds.wagers.wanted import price_of, share_of, tables_of

    chosen = House(house)
    found = price_of(chosen, wager, edge=edge, dice=dice)
    tables = tables_of(chosen, wager, edge=edge, dice=dice)
    if as_json:
        prices = [each.to_json() for each in found]
        told = {"house": chosen.id, "wager": wager, "edge": str(share_of(edge)), "prices": prices}
        told["tables"] = [each.to_json() for each in tables]
        show_json(told)
        return
    show(f"{wager} at {chosen.name} keeps {float(found[0].edge_now):.3%} of the money put up; {edge} is wanted.", "")
    rows = [_priced(each) for each in found]
    named = any(exactly for _, exactly, _ in rows)  # fractions too long to be read are left to --json
    table = grid("price now", "chance", "wanted", *(("exactly",) if named else ()), "whole prices beside it")
    for each, (wanted, exactly, whole) in zip(found, rows, strict=True):
        cells = (wanted, exactly, whole) if named else (wanted, whole)
        table.add_row(each.price, f"{float(each.chance):.4%}", *cells)
    show(table)
    if len(found) > 1:
        show("", "Each price by itself, with the others as they are.")
    if tables:
        both = grid("two prices together", "edge")
        forms = {each.price: each for each in found}
        for changed in tables:
            quoted = [(now, *forms[now].quoted(pays)) for now, pays in changed.pays.items()]
            words = ", ".join(f"{now} as {pays} {form}" for now, pays, form in quoted)
            both.add_row(words, f"{float(changed.edge):.3%}")
        show("", both, "", "Two whole prices that come as near as one alone, or nearer; the least changed first.")


def _priced(each: WantedPrice) -> tuple[str, str, str]:
    """The wanted price, the same exactly where that is short, and the whole prices beside it, as the house quotes."""
    price, form = each.quoted(each.wanted)
    whole = ", ".join(f"{each.quoted(pays)[0]} {form}: {float(gives):.3%}" for pays, gives in each.whole)
    if each.wanted <= 0:
        return "no price does", "", whole
    return f"{float(price):.4f} {form}", str(price) if len(str(price)) <= FRACTION_MAX else "", whole


def hand(
    *,
    house: options.House_ = "adelaide",
    dice: options.DiceText = None,
    rolls_per_hour: options.RollsPerHour = "100",
    as_json: options.AsFractions = False,
) -> None:
    """Tell the law of the hand."""
    from itertools import islice

    from passline.cli.cards import said_dice
    from passline.cli.figures import grid, percent, show, show_json
    from passline.house import House
    from passline.odds.hand import hand_of

    chosen = House(house)
    found = hand_of(chosen, dice=dice)
    tail = list(islice(found.tail(), LENGTHS[-1] + 1))
    an_hour = found.per_hour(rolls_per_hour)
    if as_json:
        more = {str(rolls): str(tail[rolls - 1] - tail[rolls]) for rolls in range(1, LENGTHS[-1] + 1)}
        told = {"house": chosen.id, "rolls_per_hour": rolls_per_hour, "hands_per_hour": str(an_hour)}
        show_json({**told, **found.to_json(), "length": more})
        return
    about = "" if found.dice.fair else f", {said_dice(found.dice)}"
    deviation = float(found.variance_rolls) ** 0.5
    show(f"The shooter's hand at {chosen.name}{about}", "")
    show(f"{float(found.mean_rolls):.4f} rolls on average ({found.mean_rolls}), give or take {deviation:.2f}.")
    show(f"{float(found.mean_points):.4f} points made on average; another point is made with {found.p_point_made}.")
    show(f"{float(an_hour):.3f} seven-outs in an hour of {rolls_per_hour} rolls.", "")
    lengths = grid("rolls", *map(str, LENGTHS))
    lengths.add_row("or more", *(percent(tail[rolls - 1]) for rolls in LENGTHS))
    points = grid("points made", *map(str, POINTS))
    points.add_row("or more", *(percent(found.points_at_least(made)) for made in POINTS))
    show(lengths, "", points)
