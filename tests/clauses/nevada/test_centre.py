"""The field, the centre of the table and what works when: `field`, `center` and `working`."""

from __future__ import annotations

import pytest

from passline.engine.events import WagerLost, WagerReturned, WagerWon
from tests.clauses.felt import MADE
from tests.clauses.nevada.rooms import CRAPLESS, ONE_ROLL, SEVEN, STRIP, Room, both, cases
from tests.clauses.table_helpers import THROWS, gain, only, play, refused, ruling, total, up

HARD = {4: "2-2", 6: "3-3", 8: "4-4", 10: "5-5"}


@both("center.booked", key=lambda room: room.facts.centre)
def test_the_centre_is_booked_with_the_crew(room: Room, key: str) -> None:
    """By the stickman or a dealer, not by a player who sets the chips down alone; nobody else's word books it."""
    no = refused(room.at(), f"bet {key} 60 self")
    assert (no.code, no.clause) == ("bet.not_booked", room.clause("center.booked"))
    assert "dealer" in no.message
    assert "stickman" in no.message
    for role in ("box", "supervisor", "inspector"):
        no = refused(room.at(), f"bet {key} 60 spoken by {role}")
        assert (no.code, no.clause) == ("bet.not_confirmed", room.clause("center.booked"))
    for role in ("dealer", "stick"):
        assert up(room.at(f"bet {key} 60 spoken by {role}")) == {key: 60}
    booked = room.house.spots[key].rule.booked_with
    assert booked is not None
    assert booked.value == ("stick", "dealer")


@both("center.one-roll")
@pytest.mark.parametrize("key", ONE_ROLL)
@pytest.mark.parametrize("puck", [(), ("roll 5-4",)])
def test_a_one_roll_bet_by_every_throw(room: Room, key: str, puck: tuple[str, ...]) -> None:
    """It wins on its numbers and loses on every other, with the puck on or off."""
    for throw in THROWS:
        table, events = room.dealt(*puck, f"bet {key} 10", f"roll {throw}")
        assert ruling(events, key) == room.clause("center.one-roll")
        wins = total(throw) in ONE_ROLL[key]
        assert (gain(table) > 0, up(table)) == (wins, {key: 10} if wins else {})


@pytest.mark.parametrize(
    ("room", "clause", "key", "price"),
    [
        *cases("center.seven", "any_seven", "4 to 1"),
        *cases("center.craps", "any_craps", "7 to 1"),
        *cases("center.single", "craps_2", "30 to 1"),
        *cases("center.single", "craps_3", "15 to 1"),
        *cases("center.single", "craps_12", "30 to 1"),
        *cases("center.single", "eleven", "15 to 1"),
    ],
)
def test_what_a_one_roll_bet_pays(room: Room, clause: str, key: str, price: str) -> None:
    """At this very price on each of its numbers."""
    for number in ONE_ROLL[key]:
        _, won = room.paid(clause, key, price, f"bet {key} 10", f"roll {MADE[number]}")
        assert won.won == 1000 * int(price.split(maxsplit=1)[0])


@pytest.mark.parametrize(
    ("room", "clause", "key", "units", "by_total"),
    [
        *cases("center.horn", "horn", 4, {2: 27, 3: 12, 11: 12, 12: 27}),
        *cases("center.c-and-e", "craps_eleven", 2, {2: 6, 3: 6, 12: 6, 11: 14}),
        STRIP.case("center.horn-high", "horn_high_2", 5, {2: 57, 3: 11, 11: 11, 12: 26}),
        STRIP.case("center.horn-high", "horn_high_3", 5, {2: 26, 3: 27, 11: 11, 12: 26}),
        STRIP.case("center.horn-high", "horn_high_11", 5, {2: 26, 3: 11, 11: 27, 12: 26}),
        STRIP.case("center.horn-high", "horn_high_12", 5, {2: 26, 3: 11, 11: 11, 12: 57}),
        STRIP.case("center.world", "world", 5, {2: 26, 3: 11, 11: 11, 12: 26, 7: 0}),
    ],
)
def test_what_a_split_comes_to(room: Room, clause: str, key: str, units: int, by_total: dict[int, int]) -> None:
    """Its units lie where the clause says: what is left of them on every total, and no stake that does not divide."""
    for number, throw in MADE.items():
        assert room.net(f"bet {key} {units}", f"roll {throw}") == by_total.get(number, -units)
    assert refused(room.at(), f"bet {key} {units + 1}").code == "bet.indivisible"
    assert room.house.spots[key].rule.terms.parts.clause == clause  # type: ignore[union-attr]


@both("center.split", key=lambda room: room.facts.splits)
def test_the_parts_that_do_not_win_are_lost(room: Room, key: str) -> None:
    """The part that wins is paid at its own price, less the others, and all of it stays up; else all is gone."""
    for throw in THROWS:
        _, events = room.dealt(f"bet {key} 20", f"roll {throw}")
        assert ruling(events, key) == room.clause("center.split")
        for won in (event for event in events if isinstance(event, WagerWon) and event.seat == 1):
            assert (won.returned, won.stays, 0 < won.lost < 2000) == (0, True, True)
            assert won.rounding is None


@both("center.hard-wins", "center.hard-loses")
@pytest.mark.parametrize("number", HARD)
def test_a_hardway_by_every_throw(room: Room, number: int) -> None:
    """The pair wins, a seven and the same total another way lose, and everything else leaves it."""
    key = f"hard_{number}"
    for throw in THROWS:
        table, events = room.dealt("roll 5-4", f"bet {key} 10", f"roll {throw}")
        if throw == HARD[number]:
            assert (ruling(events, key), gain(table) > 0) == (room.clause("center.hard-wins"), True)
        elif total(throw) in (7, number):
            assert (ruling(events, key), gain(table)) == (room.clause("center.hard-loses"), -10)
        else:
            assert up(table) == {key: 10}


@both("center.hard")
@pytest.mark.parametrize(("number", "price"), [(4, "7 to 1"), (6, "9 to 1"), (8, "9 to 1"), (10, "7 to 1")])
def test_what_a_hardway_pays(room: Room, number: int, price: str) -> None:
    """Seven to one on 4 and 10, nine to one on 6 and 8."""
    _, won = room.paid(
        room.clause("center.hard"), f"hard_{number}", price, "roll 5-4", f"bet hard_{number} 10", f"roll {HARD[number]}"
    )
    assert won.won == 1000 * int(price[0])


# --- The field ------------------------------------------------------------------------------------------------------


@both("field.wins", "field.loses")
@pytest.mark.parametrize("throw", THROWS)
def test_the_field_by_every_throw(room: Room, throw: str) -> None:
    """It wins on 2, 3, 4, 9, 10, 11 and 12 and stays up, and loses on 5, 6, 7 and 8."""
    table, events = room.dealt("bet field 10", f"roll {throw}")
    loses = total(throw) in (5, 6, 7, 8)
    assert ruling(events, "field") == (room.clause("field.loses") if loses else room.clause("field.wins"))
    assert (gain(table) < 0, up(table)) == (loses, {} if loses else {"field": 10})


@pytest.mark.parametrize(
    ("room", "clause", "totals", "price"),
    [
        *cases("field.single", (3, 4, 9, 10, 11), "1 to 1"),
        *cases("field.two", (2,), "2 to 1"),
        *cases("field.twelve", (12,), "3 to 1"),
    ],
)
def test_what_the_field_pays(room: Room, clause: str, totals: tuple[int, ...], price: str) -> None:
    """Even money, double on 2, triple on 12."""
    for number in totals:
        _, won = room.paid(clause, "field", price, "bet field 10", f"roll {MADE[number]}")
        assert won.won == 1000 * int(price[0])


# --- What works when ------------------------------------------------------------------------------------------------

CALLED = ("place_6", "buy_6", "hard_6")
COME_ON_6 = ("roll 5-4", "bet come 10", "roll 5-1")


@both("working.off")
@pytest.mark.parametrize("key", CALLED)
def test_numbers_and_hardways_are_off_on_a_come_out(room: Room, key: str) -> None:
    """Neither the number nor a seven touches them; called on, both do."""
    for throw in ("roll 3-3", SEVEN):
        assert room.net(f"bet {key} 60", throw) == 0
        assert room.net(f"bet {key} 60", f"on {key}", throw) != 0


@both("working.off", "working.call")
def test_come_odds_are_off_on_a_come_out(room: Room) -> None:
    """A come-out seven takes the Come and gives its odds back, called on it takes both; and they can be called off."""
    behind = (*COME_ON_6, "bet come_odds_6 50")
    _, events = room.dealt(*behind, "roll 6-3", SEVEN)
    assert only(events, WagerReturned, wager="come_odds_6").stake == 5000
    assert room.net(*behind, "roll 6-3", SEVEN) == -10
    assert room.net(*behind, "roll 6-3", "on come_odds_6", SEVEN) == -60
    assert room.net(*behind, SEVEN) == -60
    assert room.net(*behind, "off come_odds_6", SEVEN) == -10


@both("working.call")
@pytest.mark.parametrize("key", CALLED)
def test_a_call_is_confirmed_by_the_dealer_and_speaks_for_a_kind(room: Room, key: str) -> None:
    """The dealer confirms it, nobody else; it puts every bet of its kind on and leaves the others; off is for one."""
    other, apart = key.replace("6", "8"), "hard_10" if key != "hard_6" else "place_10"
    table = room.at(*(f"bet {each} 60" for each in (key, other, apart)))
    for role in ("box", "stick", "supervisor", "inspector", "nobody"):
        no = refused(table, f"on {key} by {role}")
        assert (no.code, no.clause) == ("call.not_confirmed", room.clause("working.call"))
    play(table, f"on {key} by dealer")
    assert {each for each, wager in table.state.seats[1].felt.items() if wager.call == "on"} == {key, other}
    play(table, f"off {key}")
    assert {each for each, wager in table.state.seats[1].felt.items() if wager.call == "off"} == {key}


@both("working.call")
def test_a_call_lasts_until_a_point_is_set(room: Room) -> None:
    """A void throw leaves the button, for the next is a come-out too; a point lifts it, and it is off again after."""
    table, calls = room.at("bet pass 10", "bet place_6 60", "on place_6"), []
    for lines in (("dice-out", "no-roll-by stick improper"), ("roll 5-4",)):
        play(table, *lines)
        calls.append(table.state.seats[1].felt["place_6"].call)
    assert calls == ["on", None]
    play(table, "roll 6-3", SEVEN)
    assert up(table) == {"pass": 10, "place_6": 60}


DONT_COME_ON_6 = ("roll 5-4", "bet dont_come 10", "roll 5-1", "bet dont_come_odds_6 60", "roll 6-3")
NO_BUTTON = {
    STRIP: (
        *((key, (f"bet {key} 60",)) for key in ("dont_pass", "lay_6", "hop_3_3", "all_small")),
        ("dont_come_6", DONT_COME_ON_6),
        ("dont_come_odds_6", DONT_COME_ON_6),
    ),
    CRAPLESS: (),
}


@both(
    "working.always",
    bet=lambda room: (
        *((key, (f"bet {key} 60",)) for key in ("pass", "field", *ONE_ROLL, *room.facts.splits)),
        ("come_6", (*COME_ON_6, "roll 6-3")),
        *NO_BUTTON[room],
    ),
)
def test_every_other_bet_works_on_a_come_out_and_has_no_button(room: Room, bet: tuple[str, tuple[str, ...]]) -> None:
    """A come-out seven decides it, and its player can call it neither on nor off."""
    key, lines = bet
    table, _ = room.dealt(*lines)
    for word in ("on", "off"):
        no = refused(table, f"{word} {key}")
        assert (no.code, no.clause) == ("call.not_callable", room.clause("working.always"))
    _, events = room.dealt(*lines, SEVEN)
    (event,) = (each for each in events if getattr(each, "wager", "") == key and getattr(each, "seat", 0) == 1)
    assert isinstance(event, WagerWon | WagerLost)
