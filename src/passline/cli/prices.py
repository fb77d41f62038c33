"""`passline odds`, `compare`, `par`, `price`, `hand`, `dice-test`: what wagers cost, houses on paper, and real dice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

import passline
from passline.answers import Answer, Part, Table, columns
from passline.cli.command import Text, chips_of, command
from passline.cli.printing import REFUSED, fail
from passline.errors import short
from passline.telling.figures import listed
from passline.telling.names import key_of, nearest_key, nearest_word

if TYPE_CHECKING:
    from passline.house import House
    from passline.machine.dice import LoadedDice
    from passline.odds.hand import Hand
    from passline.odds.wagers import HouseOdds

HouseName = Annotated[str, "A house by its id, or the path of a house file."]
Houses = Annotated[list[str] | None, "One more house: the path of a house file. May be repeated."]
NOTE = "What the house keeps of the money put up, pushes counted; below nothing, what the player does."


@dataclass(frozen=True)
class Prices(Answer):
    """What wagers of a house cost, beside fair dice where these are not, and the shooter's hand."""

    house: House
    wagers: HouseOdds
    dice: LoadedDice
    fair: dict[str, Any]  # the edges with fair dice, where these are not
    hand: Hand
    whole: bool  # whether it is every wager

    def table(self) -> Table:
        return self.wagers.table()

    def page(self) -> Iterator[Part]:
        if self.fair:
            edges = {key: each.edge_per_bet_made for key, each in self.wagers.items()}
            rows = [(key, edge, edges[key], edges[key] - edge) for key, edge in self.fair.items()]
            title = f"{self.house.name}, {self.dice.in_words}"
            yield Table(columns("wager text, fair dice edge, these dice edge, change edge"), rows, title, NOTE)
        yield from self.wagers.page()
        if len(self.wagers) == 1:
            (only,) = self.wagers.values()
            yield ""
            yield from (f"{clause}: {self.house.clause(clause).sentence}" for clause in only.clauses)
        if self.whole:
            yield ""
            yield from self.hand.page()

    def data(self) -> dict[str, Any]:
        wagers = {key: each.data() for key, each in self.wagers.items()}
        for key, edge in self.fair.items():
            change = self.wagers[key].edge_per_bet_made - edge
            wagers[key] |= {"fair_edge_per_bet_made": edge, "change": change}
        thrown = {} if self.dice.fair else {"dice": self.dice, "srr": self.dice.srr}
        return {"house": self.house.id, **thrown, "wagers": wagers, "hand": self.hand}


@command("odds", context_settings={"allow_extra_args": True})
def odds(
    ctx: typer.Context,
    *,
    house: str = "adelaide",
    wager: Text = None,
    stake: Text = None,
    float_: Text = None,
    dice: Text = None,
) -> Answer:
    """The exact odds of every wager of a house. Computed from its rule book.

    Example: `passline odds --house sydney --wager hard_6`, or, as paid in real chips,
    `passline odds --stake 5 --float 1,5,25`, or with dice that are not fair, `passline odds --dice srr=6.5`
    """
    from passline.machine.dice import dice_of

    if ctx.args:
        fail(f"odds: found {' '.join(ctx.args)}; one wager is --wager {ctx.args[0]}, a house --house {ctx.args[0]}")
    chosen, loaded = passline.House(house), dice_of(dice)
    every = passline.odds_of(chosen, stake=stake, chips=_chips(stake, float_), dice=dice)
    wagers = every if wager is None else every.only(_meant(chosen, wager))
    fair = {} if loaded.fair else {key: passline.odds_of(chosen)[key].edge_per_bet_made for key in wagers}
    return Prices(chosen, wagers, loaded, fair, passline.hand_of(chosen, dice=dice), wager is None)


@command("compare")
def compare(*, house: Houses = None, wager: Text = None, stake: Text = None, float_: Text = None) -> Answer:
    """One bet's price in every house. For each wager the best price and the worst.

    Example: `passline compare`, or `passline compare --wager craps_12`
    """
    from passline.odds.par import Comparisons

    opened = {each.id: each for each in (*passline.House.all(), *map(passline.House, house or ()))}
    every = passline.compare(opened.values(), stake=stake, chips=_chips(stake, float_))
    if wager is None:
        return every
    chosen = Comparisons({key: each for key, each in every.items() if wager in (key, each.family)})
    return chosen or fail(_no_such(wager, opened.values(), "in any house"))


@command("price")
def price(
    wager: Annotated[str, "One wager, such as any_seven or fire."],
    *,
    edge: Annotated[str, "The edge you want, as a share of the stake: 5%, 0.05 or 1/20."],
    house: str = "adelaide",
    dice: Text = None,
) -> Answer:
    """What a wager would have to pay for a given edge. The edge is of the money put up, pushes counted.

    Example: `passline price any_seven --house strip --edge 5%`, or `passline price fire --house fire-bonus --edge 1/8`
    """
    return passline.price_of(house, wager, edge=edge, dice=dice)


@command("hand")
def hand(*, house: str = "adelaide", dice: Text = None, rolls_per_hour: str = "100") -> Answer:
    """How long a shooter's hand lasts. In rolls and in points made; and how many hands there are an hour.

    Example: `passline hand --house strip --rolls-per-hour 120`, or with other dice, `passline hand --dice srr=6.5`
    """
    return passline.hand_of(house, dice=dice, rolls_per_hour=rolls_per_hour)


@command("par")
def par(house: HouseName, *, stake: Text = None, float_: Text = None) -> Answer:
    """The PAR sheet of a house. Ways, pays, hits, edges and volatility of every wager, printed and as paid.

    Example: `passline par strip --stake 10 --float 1,5,25 --csv strip.csv --html strip.html`
    """
    return passline.par_of(house, stake=stake, chips=chips_of(float_))


@command("dice-test")
def dice_test(
    file: Annotated[str | None, typer.Argument(metavar="[FILE]", help="The rolls.")] = None,
    *,
    dice: Text = None,
    see: Annotated[str | None, "How many rolls it takes to tell such dice from fair ones.", "DICE"] = None,
    level: Annotated[float, "With --see: the false-alarm rate."] = 0.05,
    power: Annotated[float, "With --see: the power of the test."] = 0.9,
) -> Answer:
    """Test recorded rolls: whether fair dice could have thrown them.

    Faces, pairs, totals, sevens and runs, each with the chance of it.

    FILE is a .craps record, or has two dice (3,4) or a total on each line. Examples: `passline dice-test evening.craps`
    · `passline dice-test --see srr=6.5` says how many rolls it takes to see dice with a seven in 6.5 rolls.
    """
    if (file is None) == (see is None):
        fail("Give a file of rolls, or --see with the dice that should be seen, such as srr=6.5.")
    if see is None:
        return passline.dice_test(file or "", dice=dice)
    return passline.rolls_to_see(see, level=level, power=power)


def _chips(stake: str | None, float_: str | None) -> list[str] | None:
    if stake is None and float_ is not None:
        fail("--float: give the stake that is paid in these chips too, such as --stake 5")
    return chips_of(float_)


def _meant(house: House, wager: str) -> list[str]:
    """The keys of one wager or of a family, by what the house's felt calls them too: `win_line`, `Yo`."""
    key = key_of(house.layout, wager)
    return _keys(house, wager) or (_keys(house, key) if key else []) or _missing(house, wager)


def _keys(house: House, wager: str) -> list[str]:
    from passline.odds.wagers.walk import walks

    return [key for key, family in walks(house.layout).families.items() if wager in (key, family)]


def _missing(house: passline.House, wager: str) -> NoReturn:
    """Say who has a wager that this house lacks, or which name may have been meant."""
    from passline.odds.wagers.walk import walks

    having = [other.id for other in passline.House.all() if other.id != house.id and _keys(other, wager)]
    if having:
        fail(f"{house.id} does not offer {wager}; {listed(having)} {'does' if len(having) == 1 else 'do'}.", REFUSED)
    known = walks(house.layout)
    box = wager.rpartition("_")[0]
    if box in known and wager in house.spots:
        fail(f"{wager} is a {box} bet that has travelled; its odds are part of {box}.")
    fail(_no_such(wager, (house,), f"at {house.id}"))


def _no_such(wager: str, houses: Iterable[House], where: str) -> str:
    """The name that may have been meant; where nobody can tell, all the families there are."""
    spots = [spot for house in houses for spot in house.wagers]
    known = dict.fromkeys(spot.family for spot in spots)
    stem = wager.rstrip("0123456789").rstrip("_")  # of a number that it does not have, the family
    near = stem if stem in known else nearest_word(wager, [*known, *(spot.key for spot in spots)])
    near = near or next(filter(None, (nearest_key(each.layout, wager) for each in houses)), None)
    hint = f"did you mean {near}?" if near else f"there are {', '.join(known)}."
    return f"There is no wager {short(wager)!r} {where}; {hint}"
