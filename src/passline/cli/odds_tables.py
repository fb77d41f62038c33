"""Prices as people read them: percentages beside fractions, in eighty columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import sqrt

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from passline.cli.cards import said_dice
from passline.house import House
from passline.machine.dice import LoadedDice
from passline.odds.compare import Comparison
from passline.odds.hand import Hand
from passline.odds.wagers import AsPaid, Edges, WagerOdds
from passline.telling.names import with_key

PLAIN = 2
"""A bet that can come out in more ways is told way by way."""

FRACTION_WIDTH = 12
"""A longer fraction is told in full only where one wager has the page to itself."""

FIGURES = (
    "Put up: the stake, and commission paid with it. Edge: what the house keeps of the money put up; per bet made, "
    "pushes counted; per bet resolved, of bets that did not push; per roll working, for each roll on which the bet "
    "can be decided. All rolls: those on which it is off or waits counted too."
)
"""What the figures of one wager mean."""

WORDS = {"house": "", "player": "favours you", "nobody": "fair"}
"""Whom a bet pays, where it is not the house as usual."""


def show_odds(house: House, shown: Mapping[str, WagerOdds], hand: Hand | None) -> None:
    """One house: a line for each wager, or one wager in full."""
    console = Console(highlight=False, markup=False)
    only = next(iter(shown.values()))
    if len(shown) == 1:
        _show_one(console, house, only)
        return
    in_chips = any(odds.as_paid or odds.refused for odds in shown.values())
    console.print(_in_chips(house, shown) if in_chips else _nominal(house, shown))
    _say_who_wins(console, {key: odds.as_paid if in_chips else odds for key, odds in shown.items()})
    if hand is not None:
        _show_hand(console, hand)


def show_change(house: House, dice: LoadedDice, shown: Mapping[str, WagerOdds], fair: Mapping[str, Fraction]) -> None:
    """What dice that are not fair do to each edge."""
    table = _table(f"{house.name}, {said_dice(dice)}", "Wager", "fair dice", "these dice", "change")
    for key, edge in fair.items():
        now = shown[key].edge_per_bet_made
        table.add_row(key, _percent(edge), _percent(now), f"{float(now - edge):+.3%}")
    table.caption = "What the house keeps of the money put up, pushes counted; below nothing, what the player does."
    Console(highlight=False, markup=False).print(table)


def show_comparison(houses: list[str], shown: Mapping[str, Comparison]) -> None:
    """All houses: a column for each, or one wager in full."""
    console = Console(highlight=False, markup=False)
    if len(shown) == 1:
        console.print(_one_compared(next(iter(shown.values()))))
        return
    rows = _grouped(shown.values())
    wagers = max(len(key) for key in shown) + 2
    for at, band in enumerate(_bands(houses, console.width - wagers)):
        # A name may break at its hyphen, a fraction never.
        title = "The houses side by side: what each keeps of the money put up" if not at else "And the others"
        table = _table(title, "Wager", *(house.replace("-", "-\n") for house in band))
        table.padding = (0, 1, 0, 0)
        for column in table.columns:
            column.no_wrap = True
        for keys, comparison in rows:
            if any(house in comparison.odds for house in band):
                table.add_row("\n".join(keys), *(_marked(comparison, house) for house in band))
        console.print(table)
    console.print("* best price, ! worst, where they differ; blank: not offered there.")
    console.print("`passline compare --wager place_6` shows names and prices.", style="dim")


# --- One house ------------------------------------------------------------------------------------------------------


def _nominal(house: House, shown: Mapping[str, WagerOdds]) -> Table:
    table = _table(f"{house.name}: the exact price of every wager", "Wager", "Pays", "Wins", "Edge", "exactly", "Rolls")
    for key, odds in shown.items():
        edge = odds.edge_per_bet_made
        rolls = f"{float(odds.rolls_working):.2f}"
        table.add_row(key, _pays(odds), f"{float(odds.p_win):.2%}", _percent(edge), _exactly(odds), rolls)
    table.caption = "Edge: of the money put up, pushes counted. Rolls: on which it works until it is decided."
    return table


def _in_chips(house: House, shown: Mapping[str, WagerOdds]) -> Table:
    paid = next((odds.as_paid for odds in shown.values() if odds.as_paid), None)
    title = f"{house.name}" + (f": {_money(paid.stake)} a bet, paid in chips of {_money(paid.chip)}" if paid else "")
    table = _table(title, "Wager", "Edge", "As paid", "exactly", "Charge", "")
    for key, odds in shown.items():
        if odds.as_paid is None:
            table.add_row(key, _percent(odds.edge_per_bet_made), "", "", "", odds.refused)
            continue
        paid = odds.as_paid
        told = [_percent(paid.edge_per_bet_made), _exactly(paid), _charge(paid), WORDS[paid.favours]]
        table.add_row(key, _percent(odds.edge_per_bet_made), *told)
    rounding = house.book.money.rounding
    table.caption = (
        f"Edge: by the price. As paid: after rounding {rounding.value} to chips ({rounding.clause}), "
        "and commission with its minimum."
    )
    return table


def _charge(paid: AsPaid) -> str:
    """The commission, and when it is taken."""
    if paid.commission_on_win:
        return f"{_money(paid.commission_on_win)} on a win"
    return _money(paid.commission) if paid.commission else ""


def _say_who_wins(console: Console, shown: Mapping[str, Edges | None]) -> None:
    """Name the bets that are not the house's."""
    for favoured, says in (("nobody", "Fair"), ("player", "In the player's favour")):
        keys = [key for key, edges in shown.items() if edges and edges.favours == favoured]
        if keys:
            console.print(f"{says}: {', '.join(keys)}.")


def _show_one(console: Console, house: House, odds: WagerOdds) -> None:
    """One wager in full, with the sentences it rests on."""
    title = f"{with_key(odds.name, odds.key)}, {house.name}"
    table = _facts(title)
    spot = house.spots.get(odds.key)
    table.add_row("its parts pay" if spot and spot.parts else "pays", "", ", ".join(odds.prices))
    if len(odds.nets) > PLAIN:
        for at, (net, chance) in enumerate(odds.nets):
            often = f"{chance} of bets ({_percent(chance)})" if len(str(chance)) <= FRACTION_WIDTH else _percent(chance)
            even = ", its parts win what they lose" if not net and spot and spot.parts else ""
            table.add_row("" if at else "the whole bet brings", f"{float(net):+.4f}", f"{net} on {often}{even}")
    for label, chance in (("wins", odds.p_win), ("loses", odds.p_lose), ("pushes", odds.p_push)):
        table.add_row(label, _percent(chance), str(chance))
    _add_edges(table, odds)
    table.add_row("rolls it works", f"{float(odds.rolls_working):.4f}", str(odds.rolls_working))
    if odds.rolls_all is None:
        table.add_row("all rolls", "-", "judged as working throughout")
    else:
        table.add_row("all rolls", f"{float(odds.rolls_all):.4f}", str(odds.rolls_all))
    console.print(table)
    console.print(f"\n{FIGURES}", style="dim")
    if odds.as_paid:
        _show_as_paid(console, odds, odds.as_paid)
    elif odds.refused:
        console.print(f"\nAs paid: {odds.refused}.")
    console.print()
    for clause in odds.clauses:
        console.print(Text(f"{clause}: {house.clause(clause).sentence}"), style="dim")


def _show_as_paid(console: Console, odds: WagerOdds, paid: AsPaid) -> None:
    table = _facts(f"\n{_money(paid.stake)} a bet, paid in chips of {_money(paid.chip)}")
    if paid.commission:
        table.add_row("commission", _money(paid.commission), "paid with the bet")
    if paid.commission_on_win:
        table.add_row("commission", _money(paid.commission_on_win), "taken out of a win")
    _add_edges(table, paid)
    console.print(table)
    what = {
        "nobody": "a fair bet",
        "player": "a bet that favours the player",
        "house": "a bet that favours the house",
    }[paid.favours]
    console.print(f"{_money(paid.stake)} on {odds.key} in chips of {_money(paid.chip)} is {what}.")


def _add_edges(table: Table, edges: Edges) -> None:
    word = WORDS[edges.favours]
    table.add_row("mean net", f"{float(edges.mean_net):+.6f}", str(edges.mean_net))
    table.add_row("put up", f"{float(edges.staked):.6f}", str(edges.staked))
    per_bet = f"{edges.edge_per_bet_made} {word}".strip()
    table.add_row("edge per bet made", _percent(edges.edge_per_bet_made), per_bet)
    table.add_row("edge per bet resolved", _percent(edges.edge_per_bet_resolved), str(edges.edge_per_bet_resolved))
    table.add_row("edge per roll working", _percent(edges.edge_per_roll_working), str(edges.edge_per_roll_working))
    table.add_row("variance", f"{float(edges.variance):.6f}", str(edges.variance))
    table.add_row("standard deviation", f"{sqrt(edges.variance):.6f}", "")


def _show_hand(console: Console, hand: Hand) -> None:
    """The shooter's hand, in four lines."""
    long = next(rolls for rolls, chance in enumerate(hand.tail()) if chance < Fraction(1, 100))
    rolls, points = hand.mean_rolls, hand.mean_points
    console.print("\nThe shooter's hand")
    console.print(f"  rolls       {float(rolls):.4f} on average ({rolls}); under 1% of hands go past {long}")
    console.print(f"  points      {float(points):.4f} made on average ({points})")
    console.print("  different  " + "".join(f"{made:>9}" for made in range(len(hand.distinct_points))))
    console.print("             " + "".join(f"{float(chance):>9.3%}" for chance in hand.distinct_points))


# --- All houses -----------------------------------------------------------------------------------------------------


def _one_compared(comparison: Comparison) -> Table:
    table = _table(f"{comparison.key}: what each house keeps", "House", "Name there", "Pays", "Edge", "exactly", "")
    for house, edge in sorted(comparison.edges.items(), key=lambda item: item[1]):
        odds = comparison.odds[house]
        word = "" if comparison.is_alike else _place(comparison, house)
        table.add_row(house, odds.name, _pays(odds), _percent(edge), _exactly(odds.as_paid or odds), word)
    return table


def _place(comparison: Comparison, house: str) -> str:
    return "best" if house in comparison.best else "worst" if house in comparison.worst else ""


def _grouped(shown: Iterable[Comparison]) -> list[tuple[list[str], Comparison]]:
    """Wagers of one family with the same prices everywhere share a row: 4 with 10, 5 with 9, 6 with 8."""
    groups: dict[object, tuple[list[str], Comparison]] = {}
    for comparison in shown:
        alike = (comparison.family, tuple(comparison.edges.items()))
        groups.setdefault(alike, ([], comparison))[0].append(comparison.key)
    return list(groups.values())


def _bands(houses: list[str], room: int) -> list[list[str]]:
    """The houses in as many tables as they need to stand side by side in so many columns."""
    bands: list[list[str]] = [[]]
    left = room
    for house in houses:
        wide = max(WIDE + 1, *map(len, house.replace("-", "- ").split())) + 1
        if bands[-1] and wide > left:
            bands.append([])
            left = room
        bands[-1].append(house)
        left -= wide
    return bands


WIDE = 8
"""Letters of a fraction that six houses in eighty columns have room for."""


def _marked(comparison: Comparison, house: str) -> str:
    if house not in comparison.odds:
        return ""
    sign = "" if comparison.is_alike else {"best": "*", "worst": "!"}.get(_place(comparison, house), "")
    odds = comparison.odds[house].as_paid or comparison.odds[house]
    exactly = _exactly(odds)
    # A fraction that is too wide for its column is told by `--wager`; broken in two it would be another.
    return f"{sign}{_percent(odds.edge_per_bet_made)}\n{exactly if len(exactly) <= WIDE else ''}"


# --- Figures --------------------------------------------------------------------------------------------------------


def _table(title: str, *columns: str) -> Table:
    table = Table(title=title, box=box.SIMPLE_HEAD, title_justify="left", caption_justify="left", pad_edge=False)
    for place, column in enumerate(columns):
        words = place == 0 or column in {"Name there", "Pays", ""}
        table.add_column(column, justify="left" if words else "right", overflow="fold", no_wrap=place == 0)
    return table


def _facts(title: str) -> Table:
    """What is known of one wager, a line each: what, how much, and exactly."""
    table = Table(title=title, box=None, show_header=False, title_justify="left")
    table.add_column(no_wrap=True)
    table.add_column(justify="right", no_wrap=True)
    table.add_column(overflow="fold")
    return table


def _percent(value: Fraction) -> str:
    return f"{float(value):.3%}"


def _exactly(edges: Edges) -> str:
    text = str(edges.edge_per_bet_made)
    return text if len(text) <= FRACTION_WIDTH else ""


def _pays(odds: WagerOdds) -> str:
    """The one price, or the lowest and the highest: `15 .. 30 to 1`."""
    low, high = odds.prices[0], odds.prices[-1]
    number, _, form = low.partition(" ")
    return low if low == high else f"{number} .. {high}" if high.endswith(f" {form}") else f"{low} .. {high}"


def _money(amount: Fraction) -> str:
    return str(amount) if amount.denominator == 1 else f"{float(amount):.2f}"
