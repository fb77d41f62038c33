"""Players who leave with wagers up, tokens that come back undecided, dice that change hands."""

from __future__ import annotations

import pytest

from passline.engine.events import SeatCleared, WagerDown, WagerReturned
from tests.clauses.table_helpers import BUY_IN, Events, every, game, only, play, rail, refused
from tests.test_options import table_of


def test_a_seat_is_cleared_when_the_last_wager_of_a_leaver_is_decided() -> None:
    """What the wagers brought is held at the cage, to the chip, and the seat is free."""
    table = game("adelaide", seats=2)
    play(table, "bet pass 10", "2 bet pass 10", "roll 4-4", "bet pass_odds 20", "bet place_6 12", "leave")
    assert table.rail(1) == 0
    assert table.state.bought == (2 * BUY_IN - (BUY_IN - 42)) * 100
    assert not every(play(table, "roll 4-2"), SeatCleared)
    assert table.rail(1) == 14
    assert only(play(table, "roll 3-4"), SeatCleared).held == 1400
    assert set(table.state.seats) == {2}
    assert table.state.chips == table.state.bought


@pytest.mark.parametrize(
    ("up", "rolls", "held"),
    [
        (("bet come 10", "roll 3-3", "bet come_odds_6 20"), ("4-4", "3-3"), 40),
        (("bet come 10", "roll 3-3", "bet come_odds_6 20"), ("4-4", "5-2"), 20),
        (("bet field 10",), ("5-4",), 20),
        (("bet buy_5 20",), ("3-4",), 0),
        (("found field 1200",), ("5-2",), 200),
    ],
)
def test_what_a_leaver_is_owed(up: tuple[str, ...], rolls: tuple[str, ...], held: int) -> None:
    """Winnings, stakes that come back, odds returned unpaid, and what was over the maximum."""
    table = game("adelaide", seats=2)
    play(table, "2 bet pass 10", "roll 4-4", *up, "leave")
    events: Events = ()
    for roll in rolls:
        if not table.puck:
            play(table, "2 bet pass 10")
        events = play(table, f"roll {roll}")
    assert only(events, SeatCleared).held == held * 100
    assert table.state.chips == table.state.bought


@pytest.mark.parametrize(
    ("bet", "roll", "held"), [("pass 10", "6-5", 20), ("field 10", "5-4", 20), ("horn 4", "6-5", 16)]
)
def test_a_winner_of_somebody_who_left_comes_down(bet: str, roll: str, held: int) -> None:
    """Where winners stay up for the next roll nobody is there to take it down, whatever was paid there before."""
    for leaves in (False, True):
        table = table_of("strip")
        play(table, "2 bet pass 10", f"bet {bet}", *["leave"] * leaves)
        cleared = every(play(table, f"roll {roll}"), SeatCleared)
        assert [each.held for each in cleared] == [held * 100] * leaves


def test_a_push_that_goes_back_clears_the_seat() -> None:
    """Where a barred bet is returned it is owed to the leaver."""
    table = table_of("adelaide", betting__push="return")
    play(table, "2 bet pass 10", "bet dont_pass 10", "leave")
    assert only(play(table, "roll 6-6"), SeatCleared).held == 1000


def test_a_pushed_bet_that_stays_keeps_the_seat() -> None:
    """It is decided anew by the next roll."""
    table = table_of("adelaide")
    play(table, "2 bet pass 10", "bet dont_pass 10", "leave")
    assert not every(play(table, "roll 6-6"), SeatCleared)
    play(table, "2 bet pass 10")
    assert only(play(table, "roll 1-2"), SeatCleared).held == 2000


def test_a_seat_with_nothing_up_is_free_at_once() -> None:
    """The player carries everything away."""
    table = game("adelaide", seats=2)
    play(table, "leave")
    assert set(table.state.seats) == {2}
    play(table, "sit 1 Cy 50")
    assert table.rail(1) == 50


def test_what_is_taken_down_again_is_the_same_event_and_another_players_is_not() -> None:
    """The dealers remember what they did for whom: an event found twice is always one player's."""
    table = game("adelaide", seats=2)
    taken = ("bet place_6 6", "take place_6")
    first, second = only(play(table, *taken), WagerDown), only(play(table, *taken), WagerDown)
    assert first is second
    play(table, "bet place_6 12")
    assert only(play(table, "take place_6 6"), WagerDown).left == 600
    play(table, "take place_6", "leave", "sit 1 Cy 50")
    other = only(play(table, *taken), WagerDown)
    assert other == first
    assert other is not first


def test_tokens_come_back_with_wagers_that_go_back() -> None:
    """Off odds, lowered wagers and returned ones give tokens back as tokens."""
    table = game("sydney", seats=2)
    play(table, "tokens 100", "2 bet pass 10", "roll 4-4", "bet come 10", "roll 3-3", "bet come_odds_6 20 tokens=15")
    play(table, "roll 6-2", "2 bet pass 10")
    events = play(table, "roll 5-1")
    back = only(events, WagerReturned)
    assert (back.stake, back.tokens) == (2000, 1500)
    assert table.state.seats[1].tokens == 10_000
    play(table, "bet place_6 20 tokens=15", "take place_6 12")
    assert table.state.seats[1].tokens == 9300
    assert rail(table) == BUY_IN + 10 - 5
    play(table, "return-all fire")
    assert table.state.seats[1].tokens == 10_000
    assert rail(table) == BUY_IN + 10


def test_an_ordered_shooter_is_not_offered_the_dice_again() -> None:
    """The offer goes round without the one who lost them, until somebody takes them."""
    table = game("adelaide", seats=2)
    play(table, "bet pass 5", "2 bet pass 5", "shoot", "order-pass delay")
    offered = [table.offered]
    play(table, "2 decline")
    offered.append(table.offered)
    assert offered == [2, None]
    assert refused(table, "roll 4-4").code == "dice.no_shooter"


def test_the_stick_takes_the_dice_with_the_dice_out() -> None:
    """In sydney a shooter without a line bet loses the dice to the stickperson by a throw that counts."""
    table = game("sydney", seats=1)
    play(table, "shoot", "bet place_6 12", "dice-out")
    assert table.shooter == 1
    play(table, "roll 4-4")
    assert table.state.shooter is None
