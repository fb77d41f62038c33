"""What becomes of money that is no round number or lies off the sign, house beside house, found out at a table."""

from __future__ import annotations

import re
from fractions import Fraction
from math import ceil, floor
from typing import TYPE_CHECKING, NamedTuple

import pytest

from passline.engine.events import PlayerWarned, WagerReturned, WagerWon
from passline.errors import HouseFileError
from passline.rulebooks.catalogue import house_files
from tests.clauses.table_helpers import dealt, every, gain, game, net, only, play, up

if TYPE_CHECKING:
    from pathlib import Path

    from tests.clauses.table_helpers import Amount

LINE = ("2 bet pass 60", "roll 5-3")


class Money(NamedTuple):
    """How one house handles it."""

    five: Fraction
    """What a place bet on the five wins, for one."""
    rounds_up: bool
    """Whether a win that is no chips is paid up to one."""
    small: str
    """What becomes of a bet found under the minimum: it goes back, counts, or counts with a warning."""
    large: str
    """What becomes of a bet found over the maximum: it goes back, or counts up to the maximum."""
    forms: str
    """How the price list may write a price: `to`, or `either`."""
    more: bool
    """Whether a table may pay more than the list says."""


BACK, COUNTS, WARNED, CAPPED = "goes back", "counts", "counts, with a warning", "counts up to the maximum"
SEVEN_FIFTHS = Fraction(7, 5)
MONEY = {
    "adelaide": Money(SEVEN_FIFTHS, rounds_up=True, small=WARNED, large=CAPPED, forms="to", more=True),
    "crapless": Money(SEVEN_FIFTHS, rounds_up=False, small=BACK, large=BACK, forms="either", more=False),
    "exhibit-a": Money(Fraction(5, 4), rounds_up=False, small=BACK, large=BACK, forms="to", more=False),
    "fire-bonus": Money(SEVEN_FIFTHS, rounds_up=False, small=BACK, large=BACK, forms="either", more=False),
    "strip": Money(SEVEN_FIFTHS, rounds_up=False, small=BACK, large=BACK, forms="either", more=False),
    "sydney": Money(SEVEN_FIFTHS, rounds_up=True, small=COUNTS, large=CAPPED, forms="to", more=False),
}


FLAT = {
    "pass": ("roll 6-1",),
    "dont_pass": ("roll 2-1",),
    "come": ("roll 5-4", "roll 6-1"),
    "dont_come": ("roll 5-4", "roll 2-1"),
}


@pytest.mark.parametrize(
    ("house", "wager"),
    [
        pytest.param(house, wager, id=f"{house} {wager}")
        for house in MONEY
        for wager in (FLAT if house != "crapless" else ("pass", "come"))
    ],
)
def test_a_flat_bet_is_paid_even_money(house: str, wager: str) -> None:
    """At that very price, in every house."""
    *before, last = FLAT[wager]
    _, events = dealt(house, *before, f"bet {wager} 10", last)
    won = only(events, WagerWon, wager=wager, seat=1)
    assert (str(won.price), won.won, won.rounding) == ("1 to 1", 10_00, None)


@pytest.mark.parametrize("house", MONEY)
def test_a_win_that_is_no_chips(house: str) -> None:
    """Paid up to the chip above or down to the one below, never to the nearest and never in halves."""
    five, rounds_up = MONEY[house].five, MONEY[house].rounds_up
    for stake in (1, 2, 3, 4, 5):
        table = game(house, seats=2)
        won = only(play(table, *LINE, f"bet place_5 {stake}", "roll 4-1"), WagerWon, seat=1)
        exact = five * stake
        assert won.won == 100 * (ceil(exact) if rounds_up else floor(exact))
        assert (won.rounding is None) == (exact.denominator == 1)


@pytest.mark.parametrize("throw", ["roll 4-1", "roll 6-1"], ids=["wins", "loses"])
@pytest.mark.parametrize("house", MONEY)
def test_chips_found_under_the_minimum(house: str, throw: str) -> None:
    """They go back unpaid, or count like any bet; and the player is warned or is not."""
    came = MONEY[house].small
    table = game(house, "min=40", seats=2)
    events = play(table, *LINE, "found place_5 20", throw)
    assert bool(every(events, WagerReturned, seat=1)) == (came == BACK)
    assert bool(every(events, PlayerWarned)) == (came == WARNED)
    won = 20 * MONEY[house].five if throw == "roll 4-1" else -20
    assert gain(table) == (0 if came == BACK else won)


@pytest.mark.parametrize("throw", ["roll 4-1", "roll 6-1"], ids=["wins", "loses"])
@pytest.mark.parametrize("house", MONEY)
def test_chips_found_over_the_maximum(house: str, throw: str) -> None:
    """They go back unpaid, or are decided up to the maximum and the rest goes back."""
    came = MONEY[house].large
    table = game(house, "min=1 max=100", seats=2)
    events = play(table, *LINE, "found place_5 140", throw)
    assert bool(every(events, WagerReturned, seat=1, stake=140_00)) == (came == BACK)
    won = 100 * MONEY[house].five if throw == "roll 4-1" else -100
    assert gain(table) == (0 if came == BACK else won)
    assert up(table) == ({"place_5": 100} if came == CAPPED and throw == "roll 4-1" else {})


@pytest.mark.parametrize(("house", "won"), [("adelaide", 7), ("sydney", 10)])
def test_chips_found_off_the_multiples(house: str, won: int) -> None:
    """Seven on the five, where the sign wants fives: adelaide pays five of them, sydney seven and rounds up (A-06)."""
    table = game(house, "min=5 multiples", seats=2)
    play(table, *LINE, "found place_5 7", "roll 4-1")
    assert gain(table) == won


SEVEN = re.compile(r'(\[wager\.any_seven\].*?\bpays\s*=\s*\{\s*"?7"?\s*=\s*\[)"(\d+):1( for)?"', re.DOTALL)


def seven_wins(house: str, price: str, folder: Path) -> Amount:
    """What ten on Any Seven win at a table whose house file says this price, if it may."""
    text, changed = SEVEN.subn(rf'\g<1>"{price}"', house_files()[house].read_text(encoding="utf-8"))
    assert changed == 1
    path = folder / f"{house}.toml"
    path.write_text(text, encoding="utf-8")
    return net(path, "bet any_seven 10", "roll 6-1")


@pytest.mark.parametrize("house", MONEY)
def test_how_a_price_may_be_written(house: str, tmp_path: Path) -> None:
    """Five for one is four to one where the list may say either; elsewhere every price is so much to one."""
    assert seven_wins(house, "4:1", tmp_path) == 40
    if MONEY[house].forms == "either":
        assert seven_wins(house, "5:1 for", tmp_path) == 40
    else:
        with pytest.raises(HouseFileError, match="any_seven"):
            seven_wins(house, "5:1 for", tmp_path)


@pytest.mark.parametrize("house", MONEY)
def test_whether_a_table_may_pay_more_than_the_list(house: str, tmp_path: Path) -> None:
    """Less it never may."""
    with pytest.raises(HouseFileError, match="any_seven"):
        seven_wins(house, "3:1", tmp_path)
    if MONEY[house].more:
        assert seven_wins(house, "5:1", tmp_path) == 50
    else:
        with pytest.raises(HouseFileError, match="any_seven"):
            seven_wins(house, "5:1", tmp_path)
