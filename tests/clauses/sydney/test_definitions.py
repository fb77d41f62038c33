"""Part 1: what the words of the book mean, shown by playing them."""

from __future__ import annotations

import pytest

from passline.engine.events import (
    DiceThrown,
    NoRollCalled,
    PuckTurned,
    SevenOut,
    TokensGiven,
    WagerPushed,
    WagerTravelled,
    WagerUp,
    WagerWon,
)
from passline.engine.values import ClauseId
from tests.clauses.sydney.felt import MADE, POINTS, at, dealt
from tests.clauses.table_helpers import BUY_IN, THROWS, every, gain, only, play, refused, total

# --- Promotional tokens ---------------------------------------------------------------------------------------------


@pytest.mark.clause("sydney:1.1.casino-promotional-token.2")
def test_a_voucher_becomes_tokens_of_equal_value() -> None:
    """A voucher for 50 gives 50 in tokens: no more can be bet of them, and no chip moves."""
    table = at()
    assert only(play(table, "tokens 50"), TokensGiven).amount == 5000
    assert table.rail(1) == BUY_IN
    assert refused(table, "bet pass 51 tokens=51").code == "bet.short_tokens"
    assert only(play(table, "bet pass 50 tokens=50"), WagerUp).tokens == 5000


@pytest.mark.clause("sydney:1.1.casino-promotional-token.2")
def test_the_dealer_changes_a_voucher_as_its_conditions_allow() -> None:
    """The dealer makes the exchange, nobody else does, and a voucher that has expired buys nothing."""
    exchange = "sydney:1.1.casino-promotional-token.2"
    assert only(play(at(), "tokens 50 by dealer"), TokensGiven).clause == exchange
    assert refused(at(), "tokens 50 by stick").clause == exchange
    assert refused(at(), "tokens 50 by dealer expired").clause == exchange


@pytest.mark.clause("sydney:1.1.casino-promotional-token.3")
def test_tokens_may_be_bet() -> None:
    """A Win Line bet wholly in tokens stands like any other and takes nothing off the rail."""
    table = at("tokens 10")
    up = only(play(table, "bet pass 10 tokens=10"), WagerUp, wager="pass")
    assert (up.stake, up.tokens) == (1000, 1000)
    assert table.rail(1) == BUY_IN
    assert table.up(1) == {"pass": 10}


@pytest.mark.clause("sydney:1.1.casino-promotional-token.3")
def test_only_tokens_that_the_player_has_may_be_bet() -> None:
    """Without tokens there is nothing to bet in tokens."""
    refusal = refused(at(), "bet pass 10 tokens=10")
    assert (refusal.code, refusal.clause) == ("bet.short_tokens", "sydney:1.1.casino-promotional-token.3")


@pytest.mark.clause("sydney:1.1.casino-promotional-token.4")
def test_winnings_on_tokens_are_chips() -> None:
    """Ten in tokens on the Win Line win ten in chips; the tokens themselves go back as tokens."""
    table = at("tokens 10", "bet pass 10 tokens=10")
    won = only(play(table, "roll 6-5"), WagerWon, wager="pass")
    assert (won.won, won.returned, won.tokens) == (1000, 0, 1000)
    assert table.rail(1) == BUY_IN + 10
    assert play(table, "bet pass 10 tokens=10")


@pytest.mark.clause("sydney:1.1.casino-promotional-token.4")
def test_a_token_horn_wins_chips_and_loses_only_tokens() -> None:
    """Of four in tokens on the Horn a 2 pays 33 in chips; the three lost units are tokens, not chips off the rail."""
    table = at("tokens 4", "bet horn 4 tokens=4")
    play(table, "roll 1-1")
    assert table.rail(1) == BUY_IN + 33
    assert table.state.seats[1].tokens == 100
    assert table.state.chips == table.state.bought


@pytest.mark.clause("sydney:1.1.casino-promotional-token.4")
def test_lost_tokens_cost_no_chips() -> None:
    """A token bet that loses is collected as tokens and leaves the rail alone."""
    table = at("tokens 10", "bet pass 10 tokens=10", "roll 1-1")
    assert table.rail(1) == BUY_IN
    assert refused(table, "bet pass 10 tokens=10").code == "bet.short_tokens"


# --- Points and rolls -----------------------------------------------------------------------------------------------


@pytest.mark.clause("sydney:1.1.come-point")
@pytest.mark.parametrize("throw", THROWS)
def test_a_come_point_is_a_4_5_6_8_9_or_10_on_the_next_roll(throw: str) -> None:
    """The roll after a Come or Don't Come gives it a come point exactly when it totals 4, 5, 6, 8, 9 or 10."""
    table, events = dealt("roll 5-4", "bet come 10", "bet dont_come 10", f"roll {throw}")
    travelled = {event.wager: event.to for event in every(events, WagerTravelled)}
    if total(throw) in POINTS:
        assert travelled == {"come": f"come_{total(throw)}", "dont_come": f"dont_come_{total(throw)}"}
    else:
        assert travelled == {}
    assert set(table.up(1)) - {"dont_come"} == set(travelled.values())


@pytest.mark.clause("sydney:1.1.come-out-point")
@pytest.mark.parametrize("throw", THROWS)
def test_a_come_out_point_is_a_4_5_6_8_9_or_10_on_the_come_out(throw: str) -> None:
    """The come out roll sets a point exactly when it totals 4, 5, 6, 8, 9 or 10."""
    table = at("bet pass 10")
    turned = every(play(table, f"roll {throw}"), PuckTurned)
    assert turned == (
        [PuckTurned(total(throw), ClauseId("sydney:1.1.come-out-point"))] if total(throw) in POINTS else []
    )
    assert table.puck == (total(throw) if total(throw) in POINTS else None)


@pytest.mark.clause("sydney:1.1.come-out-roll.1")
def test_the_first_roll_of_the_game_is_a_come_out() -> None:
    """The table opens with the puck off, so its first roll wins the Win Line on 11 and could set a point."""
    table = at("bet pass 10")
    events = play(table, "roll 6-5")
    assert only(events, DiceThrown).puck == 0
    assert only(events, WagerWon, wager="pass").rule == "sydney:6.1.1.1.1"


@pytest.mark.clause("sydney:1.1.come-out-roll.2")
@pytest.mark.parametrize("deciding", ["6-2", "4-3"], ids=["point made", "7 out"])
def test_after_the_line_is_decided_a_come_out_follows(deciding: str) -> None:
    """Once the point of 8 is made, or lost to a 7, the next roll is a come out again."""
    table = at("bet pass 10", "roll 5-3", f"roll {deciding}")
    assert table.puck is None
    assert only(play(table, "bet pass 10", "roll 4-2"), PuckTurned).to == 6


@pytest.mark.clause("sydney:1.1.come-out-roll.2")
def test_no_come_out_before_the_line_is_decided() -> None:
    """While neither the point nor a 7 has come the roll is no come out: 11 decides nothing on the line."""
    table = at("bet pass 10", "roll 5-3", "roll 6-5")
    assert table.puck == 8
    assert table.up(1) == {"pass": 10}


@pytest.mark.clause("sydney:1.1.roll")
def test_only_the_shooters_throw_is_a_roll() -> None:
    """An 11 thrown by somebody else is no roll; the shooter's own 11 wins."""
    table = at("bet pass 10", "shoot")
    events = play(table, "throw 6-5 wrong-thrower")
    assert only(events, NoRollCalled).clause == "sydney:5.3.6"
    assert not every(events, DiceThrown)
    assert table.up(1) == {"pass": 10}
    assert only(play(table, "roll 6-5"), DiceThrown).thrower == 1
    assert gain(table) == 10


@pytest.mark.clause("sydney:1.1.7-out")
def test_a_come_out_7_is_no_7_out() -> None:
    """A 7 before any point wins the Win Line and the shooter keeps the dice, also after a point was made."""
    table = at("bet pass 10", "roll 4-3", "bet pass 10", "roll 3-2", "roll 4-1", "bet pass 10")
    events = play(table, "roll 5-2")
    assert not every(events, SevenOut)
    assert not [event for event in table.events if isinstance(event, SevenOut)]
    assert table.shooter == 1


@pytest.mark.clause("sydney:1.1.7-out")
def test_a_7_after_the_point_is_a_7_out() -> None:
    """With the point of 5 on, a 7 is a 7 out and no other total is."""
    table = at("bet pass 10", "roll 3-2")
    for number in (2, 3, 4, 6, 8, 9, 10, 11, 12):
        assert not every(play(table, f"roll {MADE[number]}"), SevenOut)
    assert only(play(table, "roll 4-3"), SevenOut).shooter == 1
    assert table.shooter is None


@pytest.mark.clause("sydney:1.1.shooter")
def test_there_is_one_shooter_and_it_is_a_player() -> None:
    """While one player holds the dice nobody else can take them; the stickperson's throw makes no shooter."""
    table = at("1 bet pass 10", "2 bet pass 10", "2 shoot", seats=2)
    assert refused(table, "1 shoot").code == "dice.held"
    assert only(play(table, "roll 6-5"), DiceThrown).thrower == 2
    assert table.shooter == 2
    alone = at("bet field 10", "roll 6-5")
    assert alone.shooter is None


@pytest.mark.clause("sydney:1.1.total")
@pytest.mark.parametrize(
    ("dice", "sum_of_both"), [("2-6", 8), ("6-2", 8), ("1-1", 2), ("3-4", 7), ("5-6", 11), ("6-6", 12), ("1-2", 3)]
)
def test_the_total_is_the_sum_of_both_faces(dice: str, sum_of_both: int) -> None:
    """Both upper faces are counted, in either order: 2 and 6 are an 8."""
    table = at("bet pass 10")
    assert only(play(table, f"roll {dice}"), DiceThrown).total == sum_of_both


@pytest.mark.clause("sydney:1.1.void")
def test_void_has_no_result() -> None:
    """A Don't Win is void on a come out 2: nothing is won or lost and the stake can be taken back."""
    table = at("bet dont_pass 10")
    pushed = only(play(table, "roll 1-1"), WagerPushed, wager="dont_pass")
    assert pushed.clause == "sydney:6.1.2.3"
    assert gain(table) == 0
    play(table, "take dont_pass")
    assert table.rail(1) == BUY_IN


@pytest.mark.clause("sydney:1.1.void")
@pytest.mark.parametrize("number", [3, 7, 11, 12])
def test_nothing_else_is_void(number: int) -> None:
    """Every other decision of the come out moves ten one way or the other."""
    table = at("bet dont_pass 10", f"roll {MADE[number]}")
    assert abs(gain(table)) == 10
