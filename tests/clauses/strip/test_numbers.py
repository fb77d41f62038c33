"""Numbers: `numbers` and `pay`, and how long a call on them lasts."""

from __future__ import annotations

import pytest

from passline.engine.events import WagerDown, WagerUp, WagerWon
from tests.clauses.strip.felt import MADE, POINTS, another, at, dealt, net, paid
from tests.clauses.table_helpers import case, gain, only, play, ruling
from tests.tables import cases

PLACE = {4: "9 to 5", 5: "7 to 5", 6: "7 to 6", 8: "7 to 6", 9: "7 to 5", 10: "9 to 5"}
BUY = {4: "2 to 1", 5: "3 to 2", 6: "6 to 5", 8: "6 to 5", 9: "3 to 2", 10: "2 to 1"}
LAY = {4: "1 to 2", 5: "2 to 3", 6: "5 to 6", 8: "5 to 6", 9: "2 to 3", 10: "1 to 2"}
SEVEN = "roll 6-1"


@pytest.mark.parametrize("number", POINTS)
@pytest.mark.parametrize(
    ("clause", "kinds", "end", "sign"),
    [
        case("strip:numbers.wins", ("place", "buy"), "number", 1),
        case("strip:numbers.loses", ("place", "buy"), "seven", -1),
        case("strip:numbers.lay-wins", ("lay",), "seven", 1),
        case("strip:numbers.lay-loses", ("lay",), "number", -1),
    ],
)
def test_a_number_against_a_seven(clause: str, kinds: tuple[str, ...], end: str, sign: int, number: int) -> None:
    """Whatever else comes first decides nothing."""
    for kind in kinds:
        key = f"{kind}_{number}"
        table, _ = dealt(another(number), f"bet {key} 60")
        for other in (2, 3, 11, 12, 4 if number != 4 else 10):
            assert not [event for event in play(table, f"roll {MADE[other]}") if getattr(event, "wager", "") == key]
        events = play(table, f"roll {MADE[number if end == 'number' else 7]}")
        assert ruling(events, key) == clause
        assert (gain(table) > 0) == (sign > 0)


@pytest.mark.parametrize("number", POINTS)
@pytest.mark.parametrize(
    ("clause", "kind", "prices"),
    [
        case("strip:numbers.place", "place", PLACE),
        case("strip:numbers.buy", "buy", BUY),
        case("strip:numbers.lay", "lay", LAY),
    ],
)
def test_the_price_of_a_number(clause: str, kind: str, prices: dict[int, str], number: int) -> None:
    """Sixty is paid at this very price, to the chip."""
    pays, per = map(int, prices[number].split(" to "))
    key, end = f"{kind}_{number}", SEVEN if kind == "lay" else f"roll {MADE[number]}"
    _, won = paid(clause, key, prices[number], another(number), f"bet {key} 60", end)
    assert won.won == 6000 * pays // per


# --- The charge -----------------------------------------------------------------------------------------------------


@pytest.mark.clause("strip:numbers.vig", "strip:numbers.buy-vig")
@cases("stake, charge", [(1, 1), (20, 1), (39, 1), (40, 2), (59, 2), (60, 3), (100, 5), (119, 5)])
@cases("number", POINTS)
def test_a_buy_bet_is_charged_on_its_stake_when_it_wins(number: int, stake: int, charge: int) -> None:
    """Five percent of the stake down to whole chips and at least one; nothing in front, and nothing if it loses."""
    table, events = dealt(another(number), f"bet buy_{number} {stake}")
    assert (only(events, WagerUp).commission, gain(table)) == (0, 0)
    assert only(play(table, f"roll {MADE[number]}"), WagerWon, seat=1).commission == charge * 100
    assert net(another(number), f"bet buy_{number} {stake}", SEVEN) == -stake


@pytest.mark.clause("strip:numbers.vig", "strip:numbers.lay-vig")
@pytest.mark.parametrize(("win", "charge"), [(2, 1), (20, 1), (38, 1), (40, 2), (58, 2), (60, 3), (100, 5)])
@pytest.mark.parametrize(("number", "stake_of_two"), [(4, 4), (5, 3), (9, 3), (10, 4)])
def test_a_lay_bet_is_charged_on_its_winnings(number: int, stake_of_two: int, win: int, charge: int) -> None:
    """Five percent of the win down to whole chips and at least one; nothing in front, and nothing if it loses."""
    stake = win * stake_of_two // 2
    table, events = dealt(another(number), f"bet lay_{number} {stake}")
    assert (only(events, WagerUp).commission, gain(table)) == (0, 0)
    won = only(play(table, SEVEN), WagerWon, seat=1)
    assert (won.won, won.commission) == (win * 100, charge * 100)
    assert net(another(number), f"bet lay_{number} {stake}", f"roll {MADE[number]}") == -stake


@pytest.mark.clause("strip:numbers.vig-on-win")
@pytest.mark.parametrize("key", ["buy_4", "lay_4"])
def test_nothing_is_given_back_and_nothing_falls_due(key: str) -> None:
    """Taken or lowered, a bet brings back its stake alone; paid, it stays up and owes nothing for the next decision."""
    table, _ = dealt("roll 5-3", f"bet {key} 60")
    assert only(play(table, f"take {key} 30"), WagerDown).refund == 0
    assert only(play(table, f"take {key}"), WagerDown).refund == 0
    assert gain(table) == 0
    table, _ = dealt("roll 5-3", f"bet {key} 40")
    won = only(play(table, "roll 3-1" if key == "buy_4" else SEVEN), WagerWon, wager=key)
    assert (won.held, won.stays) == (0, True)
    assert only(play(table, f"take {key}"), WagerDown).refund == 0
    assert gain(table) == (78 if key == "buy_4" else 19)


@pytest.mark.clause("strip:pay.breakage")
def test_a_found_stake_is_paid_down_and_no_further() -> None:
    """Chips nobody checked win by the price as any do: seven on the five win nine of 9.80."""
    table = at("2 bet pass 15", "roll 5-3", "found place_5 17", "roll 4-1", seats=2, notice="min=15")
    assert gain(table) == 23


@pytest.mark.clause("strip:working.call")
def test_a_call_lasts_until_a_point_is_set() -> None:
    """A come-out that sets no point leaves the button; one that does lifts it."""
    table = at("bet pass 10", "bet place_6 60", "on place_6", "roll 6-5")
    assert table.state.seats[1].felt["place_6"].call == "on"
    play(table, "bet pass 10", "roll 5-4")
    assert table.state.seats[1].felt["place_6"].call is None
