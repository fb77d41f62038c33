"""Odds taken behind Pass and Come, and laid behind Don't Pass and Don't Come."""

from __future__ import annotations

from fractions import Fraction

import pytest

from passline.engine.events import WagerUp, WagerWon
from tests.clauses.felt import odds_key, with_flat
from tests.clauses.fire_bonus.felt import MADE, POINTS, another, dealt, net, paid
from tests.clauses.table_helpers import case, gain, only, play, refused, up


@pytest.mark.parametrize(
    ("clause", "kind"),
    [
        case("fire-bonus:ODDS.1", "pass"),
        case("fire-bonus:ODDS.1", "come"),
        case("fire-bonus:ODDS.5", "dont_pass"),
        case("fire-bonus:ODDS.5", "dont_come"),
    ],
)
@pytest.mark.parametrize("number", POINTS)
def test_odds_are_added_to_a_flat_bet_on_its_point(clause: str, kind: str, number: int) -> None:
    """Behind the bet once it has its point; not before it has one, and not without it."""
    wager = odds_key(kind, number)
    lines = with_flat(kind, number)
    table, events = dealt(*lines, f"bet {wager} 30")
    assert only(events, WagerUp).clause == clause
    assert up(table)[wager] == 30
    table, _ = dealt(*lines[:-1])
    no = refused(table, f"bet {wager} 30")
    assert (no.code, no.clause) == ("bet.no_flat", clause)
    table, _ = dealt(another(number), f"roll {MADE[number]}")
    assert refused(table, f"bet {wager} 30").code == "bet.no_flat"


@pytest.mark.parametrize(
    ("clause", "kind"), [case("fire-bonus:ODDS.1", "pass"), case("fire-bonus:ODDS.5", "dont_come")]
)
def test_only_the_table_maximum_limits_odds(clause: str, kind: str) -> None:
    """The guide names no multiple: behind $10 stand up to $1000, and not a chip more (F-02)."""
    wager = odds_key(kind, 4)
    table, _ = dealt(*with_flat(kind, 4))
    assert only(play(table, f"bet {wager} 1000"), WagerUp).clause == clause
    assert refused(table, f"bet {wager} 1").code == "bet.over_maximum"


def at_price(stake: int, price: str) -> Fraction:
    """What a stake wins at a price that is told, such as 3 to 2."""
    win, _, per = price.split()
    return Fraction(stake * int(win), int(per))


TAKEN = [
    case("fire-bonus:ODDS.2", 6, 25, "6 to 5"),
    case("fire-bonus:ODDS.2", 8, 25, "6 to 5"),
    case("fire-bonus:ODDS.3", 5, 20, "3 to 2"),
    case("fire-bonus:ODDS.3", 9, 20, "3 to 2"),
    case("fire-bonus:ODDS.4", 4, 20, "2 to 1"),
    case("fire-bonus:ODDS.4", 10, 20, "2 to 1"),
]
"""Clause, point, odds taken, and their price."""


@pytest.mark.parametrize(("clause", "number", "stake", "price"), TAKEN)
@pytest.mark.parametrize("kind", ["pass", "come"])
def test_taken_odds_pay_true_odds(clause: str, number: int, stake: int, price: str, kind: str) -> None:
    """6 to 5, 3 to 2 and 2 to 1, beside even money on the flat bet; a 7 takes both."""
    wager = odds_key(kind, number)
    lines = (*with_flat(kind, number), f"bet {wager} {stake}")
    table, _ = paid(clause, wager, price, *lines, f"roll {MADE[number]}")
    assert (gain(table), up(table)) == (10 + at_price(stake, price), {})
    assert net(*lines, "roll 4-3") == -10 - stake


LAID = [
    case("fire-bonus:ODDS.6", 6, 24, "5 to 6"),
    case("fire-bonus:ODDS.6", 8, 24, "5 to 6"),
    case("fire-bonus:ODDS.7", 5, 30, "2 to 3"),
    case("fire-bonus:ODDS.7", 9, 30, "2 to 3"),
    case("fire-bonus:ODDS.8", 4, 20, "1 to 2"),
    case("fire-bonus:ODDS.8", 10, 20, "1 to 2"),
]
"""Clause, point, odds laid, and their price."""


@pytest.mark.parametrize(("clause", "number", "stake", "price"), LAID)
@pytest.mark.parametrize("kind", ["dont_pass", "dont_come"])
def test_laid_odds_pay_true_odds(clause: str, number: int, stake: int, price: str, kind: str) -> None:
    """6 to win 5, 3 to win 2 and 2 to win 1, beside even money on the flat bet; the number takes both."""
    wager = odds_key(kind, number)
    lines = (*with_flat(kind, number), f"bet {wager} {stake}")
    table, _ = paid(clause, wager, price, *lines, "roll 4-3")
    assert (gain(table), up(table)) == (10 + at_price(stake, price), {})
    assert net(*lines, f"roll {MADE[number]}") == -10 - stake


@pytest.mark.clause("fire-bonus:ODDS.6")
def test_a_lay_of_another_amount_is_paid_down_to_chips() -> None:
    """$10 laid against 6 wins $8.33: with dollar chips the player gets $8 (F-27)."""
    _, events = dealt(*with_flat("dont_pass", 6), "bet dont_pass_odds 10", "roll 4-3")
    won = only(events, WagerWon, wager="dont_pass_odds")
    assert (won.won, won.rounding, won.exact) == (8_00, "down", Fraction(2500, 3))
