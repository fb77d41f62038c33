"""`passline odds`, `compare`: the exact price of every wager, in one house and in all of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from passline.cli import options
from passline.cli.errors import REFUSED, fail
from passline.errors import short

if TYPE_CHECKING:
    from passline.house import House

ODDS = """The exact odds of every wager of a house. They are walked out of its rule book.

Example: `passline odds --house sydney --wager hard_6`, or, as paid in real chips,
`passline odds --stake 5 --float 1,5,25`, or with dice that are not fair, `passline odds --dice srr=6.5`
"""

COMPARE = """One bet's price in every house. For each wager the best price and the worst.

Example: `passline compare`, or `passline compare --wager craps_12`
"""


def add_to(app: typer.Typer) -> None:
    app.command("odds", help=ODDS, context_settings={"allow_extra_args": True})(odds)
    app.command("compare", help=COMPARE)(compare)


def odds(
    ctx: typer.Context,
    *,
    house: Annotated[str, typer.Option("--house", help="A house by its id, or the path of a house file.")] = "adelaide",
    wager: Annotated[
        str | None, typer.Option("--wager", help="One wager (place_6), its name on the felt, or a family (place).")
    ] = None,
    stake: Annotated[str | None, typer.Option("--stake", help="Also the price as paid on this stake.")] = None,
    float_: Annotated[
        str | None, typer.Option("--float", help="The chips it is paid in, such as 1,5,25; else the house's own.")
    ] = None,
    dice: options.DiceText = None,
    as_json: options.AsFractions = False,
) -> None:
    """Price the wagers of one house."""
    from passline.cli.figures import show_json
    from passline.house import House
    from passline.machine.dice import dice_of
    from passline.odds.hand import hand_of
    from passline.odds.wagers import odds_of

    if ctx.args:
        fail(f"odds: found {' '.join(ctx.args)}; one wager is --wager {ctx.args[0]}, a house --house {ctx.args[0]}")
    chosen = House(house)
    every = odds_of(chosen, stake=stake, chips=_chips(stake, float_), dice=dice)
    shown = every if wager is None else {key: every[key] for key in _meant(chosen, wager)}
    loaded, hand = dice_of(dice), hand_of(chosen, dice=dice)
    fair = {} if loaded.fair else {key: odds_of(chosen)[key].edge_per_bet_made for key in shown}
    if as_json:
        wagers = {key: each.to_json() for key, each in shown.items()}
        for key, edge in fair.items():
            wagers[key] |= {"fair_edge_per_bet_made": str(edge), "change": str(shown[key].edge_per_bet_made - edge)}
        told = {} if loaded.fair else {"dice": str(loaded), "srr": str(loaded.srr)}
        show_json({"house": chosen.id, **told, "wagers": wagers, "hand": hand.to_json()})
        return
    from passline.cli import odds_tables

    if fair:
        odds_tables.show_change(chosen, loaded, shown, fair)
    odds_tables.show_odds(chosen, shown, hand if wager is None else None)


def compare(
    house: Annotated[
        list[str] | None, typer.Option("--house", help="One more house: the path of a house file. May be repeated.")
    ] = None,
    wager: Annotated[str | None, typer.Option("--wager", help="One wager (place_6), or a family (place).")] = None,
    stake: Annotated[str | None, typer.Option("--stake", help="Compare as paid on this stake.")] = None,
    float_: Annotated[
        str | None, typer.Option("--float", help="The chips it is paid in, such as 1,5,25; else each house's own.")
    ] = None,
    as_json: options.AsFractions = False,
) -> None:
    """Price the wagers of all houses, or of those named and all that come with the program."""
    from passline.cli.figures import show_json
    from passline.house import House
    from passline.odds import compare as comparing

    chips = _chips(stake, float_)
    opened = {each.id: each for each in (*House.all(), *map(House, house or ()))}
    every = comparing.compare(opened.values(), stake=stake, chips=chips)
    shown = every
    if wager is not None:
        shown = {key: each for key, each in every.items() if wager in (key, each.family)}
        if not shown:
            fail(_no_such(wager, opened.values(), "in any house"))
    houses = list(opened)
    if as_json:
        show_json({"houses": houses, "wagers": {key: each.to_json() for key, each in shown.items()}})
        return
    from passline.cli import odds_tables

    odds_tables.show_comparison(houses, shown)


def _chips(stake: str | None, float_: str | None) -> list[str] | None:
    """The chips that a stake is paid in."""
    if stake is None and float_ is not None:
        fail("--float: give the stake that is paid in these chips too, such as --stake 5")
    return None if float_ is None else [chip.strip() for chip in float_.split(",")]


def _meant(house: House, wager: str) -> list[str]:
    """The keys of one wager or of a family, by what the house's felt calls them too: `win_line`, `Yo`."""
    from passline.telling.names import key_of

    key = key_of(house.layout, wager)
    return _keys(house, wager) or (_keys(house, key) if key else []) or _missing(house, wager)


def _keys(house: House, wager: str) -> list[str]:
    from passline.odds.wagers.walk import walks

    return [key for key, family in walks(house.layout).families.items() if wager in (key, family)]


def _missing(house: House, wager: str) -> NoReturn:
    """Say who has a wager that this house lacks, or which name may have been meant."""
    from passline.house import House
    from passline.odds.wagers.walk import walks

    having = [other.id for other in House.all() if other.id != house.id and _keys(other, wager)]
    if having:
        fail(f"{house.id} does not offer {wager}; {_and(having)} {'does' if len(having) == 1 else 'do'}.", REFUSED)
    known = walks(house.layout)
    box = wager.rpartition("_")[0]
    if box in known and wager in house.spots:
        fail(f"{wager} is a {box} bet that has travelled; its odds are part of {box}.")
    fail(_no_such(wager, (house,), f"at {house.id}"))


def _no_such(wager: str, houses: Iterable[House], where: str) -> str:
    """The name that may have been meant; where nobody can tell, all the families there are."""
    from passline.telling.names import nearest_key, nearest_word

    spots = [spot for house in houses for spot in house.wagers]
    known = dict.fromkeys(spot.family for spot in spots)
    stem = wager.rstrip("0123456789").rstrip("_")  # of a number that it does not have, the family
    near = stem if stem in known else nearest_word(wager, [*known, *(spot.key for spot in spots)])
    near = near or next(filter(None, (nearest_key(each.layout, wager) for each in houses)), None)
    hint = f"did you mean {near}?" if near else f"there are {', '.join(known)}."
    return f"There is no wager {short(wager)!r} {where}; {hint}"


def _and(names: list[str]) -> str:
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last
