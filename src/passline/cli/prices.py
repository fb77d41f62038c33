"""`passline odds`, `compare`, `par`, `price`, `hand`, `dice-test`: what wagers cost, houses on paper, and real dice."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from passline.answers import Table
from passline.cli import options
from passline.cli.errors import REFUSED, fail
from passline.cli.printing import path_for, show, show_json, write_all
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
PAR = """The PAR sheet of a house. Ways, pays, hits, edges and volatility of every wager, printed and as paid.

Example: `passline par strip --stake 10 --float 1,5,25 --csv strip.csv --html strip.html`
"""
DICE_TEST = """Test recorded rolls: could fair dice have thrown them?

Faces, pairs, totals, sevens and runs, each with the chance of it.

FILE is a .craps record, or has two dice (3,4) or a total on each line. Examples: `passline dice-test evening.craps` ·
`passline dice-test --see srr=6.5` says how many rolls it takes to see dice with a seven in 6.5 rolls.
"""
ROWS = (
    options.Row(
        "price",
        """What a wager would have to pay for a wanted edge. The edge is of the money put up, pushes counted.

Example: `passline price any_seven --house strip --edge 5%`, or `passline price fire --house fire-bonus --edge 1/8`
""",
        "odds.wagers.wanted:price_of",
        {"wager": ..., "edge": ..., "house": "adelaide", "dice": None},
    ),
    options.Row(
        "hand",
        """How long a shooter's hand lasts. In rolls, and how many points it makes, and how many hands an hour has.

Example: `passline hand --house strip --rolls-per-hour 120`, or with other dice, `passline hand --dice srr=6.5`
""",
        "odds.hand:hand_of",
        {"house": "adelaide", "dice": None, "rolls_per_hour": "100"},
    ),
)
WagerName = Annotated[str | None, typer.Option("--wager", help="One wager (place_6), its name here, or a family.")]
Stake = Annotated[str | None, typer.Option("--stake", help="Also the price as paid on this stake.")]
Float = Annotated[str | None, typer.Option("--float", help="The chips it is paid in: 1,5,25; else the house's own.")]


def add_to(app: typer.Typer) -> None:
    app.command("odds", help=ODDS, context_settings={"allow_extra_args": True})(odds)
    app.command("compare", help=COMPARE)(compare)
    app.command("par", help=PAR)(par)
    app.command("dice-test", help=DICE_TEST)(dice_test)
    for row in ROWS:
        options.add_row(app, row)


def odds(
    ctx: typer.Context,
    *,
    house: options.House_ = "adelaide",
    wager: WagerName = None,
    stake: Stake = None,
    float_: Float = None,
    dice: options.DiceText = None,
    csv: options.Csv = None,
    as_json: options.AsJson = False,
) -> None:
    from passline.house import House
    from passline.machine.dice import dice_of
    from passline.odds.hand import hand_of
    from passline.odds.wagers import odds_of

    if ctx.args:
        fail(f"odds: found {' '.join(ctx.args)}; one wager is --wager {ctx.args[0]}, a house --house {ctx.args[0]}")
    table, chosen, loaded = path_for("--csv", csv), House(house), dice_of(dice)
    every = odds_of(chosen, stake=stake, chips=_chips(stake, float_), dice=dice)
    wagers = every if wager is None else every.only(_meant(chosen, wager))
    fair = {} if loaded.fair else {key: odds_of(chosen)[key].edge_per_bet_made for key in wagers}
    failed = write_all(("--csv", table, wagers.write_csv))
    if as_json:
        found = wagers.to_json()
        for key, edge in fair.items():
            change = wagers[key].edge_per_bet_made - edge
            found[key] |= {"fair_edge_per_bet_made": str(edge), "change": str(change)}
        thrown = {} if loaded.fair else {"dice": str(loaded), "srr": str(loaded.srr)}
        hand = hand_of(chosen, dice=dice).to_json()
        show_json({"house": chosen.id, **thrown, "wagers": found, "hand": hand})
    else:
        if fair:
            rows = [(key, edge, now := wagers[key].edge_per_bet_made, now - edge) for key, edge in fair.items()]
            note = "What the house keeps of the money put up, pushes counted; below nothing, what the player does."
            title = f"{chosen.name}, {loaded.in_words}"
            show(
                [
                    Table(
                        {"wager": "text", "fair dice": "edge", "these dice": "edge", "change": "edge"},
                        rows,
                        title,
                        note,
                    )
                ]
            )
        show(wagers)
        if len(wagers) == 1:
            (only,) = wagers.values()
            show(["", *(f"{clause}: {chosen.clause(clause).sentence}" for clause in only.clauses)])
        if wager is None:
            show(["", *hand_of(chosen, dice=dice).page()])
    if failed:
        fail("\n".join(failed))


def compare(  # noqa: PLR0917 - Typer passes by name
    house: Annotated[
        list[str] | None, typer.Option("--house", help="One more house: the path of a house file. May be repeated.")
    ] = None,
    wager: WagerName = None,
    stake: Stake = None,
    float_: Float = None,
    csv: options.Csv = None,
    as_json: options.AsJson = False,
) -> None:
    from passline.house import House
    from passline.odds.par import Comparisons
    from passline.odds.par import compare as of

    opened = {each.id: each for each in (*House.all(), *map(House, house or ()))}
    found = every = of(opened.values(), stake=stake, chips=_chips(stake, float_))
    if wager is not None:
        found = Comparisons({key: each for key, each in every.items() if wager in (key, each.family)})
        if not found:
            fail(_no_such(wager, opened.values(), "in any house"))
    failed = write_all(("--csv", path_for("--csv", csv), found.write_csv))
    if as_json:
        show_json({**found.to_json(), "houses": list(opened)})
    else:
        show(found)
    if failed:
        fail("\n".join(failed))


def par(
    house: Annotated[str, typer.Argument(metavar="HOUSE", help="A house by its id, or the path of a house file.")],
    *,
    stake: Stake = None,
    float_: Float = None,
    csv: options.Csv = None,
    html: Annotated[str | None, typer.Option("--html", metavar="FILE", help="Write a page that prints.")] = None,
    as_json: options.AsJson = False,
) -> None:
    from passline.files.whole import write_whole
    from passline.odds.par import par_of

    table, page = path_for("--csv", csv), path_for("--html", html, (".html", ".htm"))
    sheet = par_of(house, stake=stake, chips=options.chips_of(float_))
    pages = ("--html", page, lambda path: write_whole(path, sheet.to_page()))
    if failed := write_all(("--csv", table, sheet.write_csv), pages):
        fail("\n".join(failed))
    show(sheet, as_json=as_json)


def dice_test(
    file: Annotated[str | None, typer.Argument(metavar="[FILE]", help="The rolls.")] = None,
    *,
    dice: options.DiceText = None,
    see: Annotated[
        str | None, typer.Option("--see", metavar="DICE", help="How many rolls tell such dice from fair ones.")
    ] = None,
    level: Annotated[float, typer.Option("--level", help="With --see: the false-alarm rate.")] = 0.05,
    power: Annotated[float, typer.Option("--power", help="With --see: the power of the test.")] = 0.9,
    as_json: options.AsJson = False,
) -> None:
    from passline.analysis.dice_test import dice_test as of
    from passline.analysis.dice_test import rolls_to_see

    if (file is None) == (see is None):
        fail("Give a file of rolls, or --see with the dice that should be seen, such as srr=6.5.")
    show(of(file or "", dice=dice) if see is None else rolls_to_see(see, level=level, power=power), as_json=as_json)


# --- Which wager was meant ------------------------------------------------------------------------------------------


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
