"""The field, the centre of the table and what works when: `field`, `center` and `working`."""

from __future__ import annotations

import pytest

from passline.engine.events import WagerLost, WagerReturned, WagerWon
from tests.clauses.crapless.felt import CRAPLESS, MADE, SEVEN, at, dealt, net, paid
from tests.clauses.table_helpers import THROWS, case, gain, only, play, refused, ruling, total, up

ONE_ROLL = {
    "any_seven": (7,), "any_craps": (2, 3, 12), "craps_2": (2,), "craps_3": (3,), "craps_12": (12,), "eleven": (11,),
}  # fmt: skip
SPLITS = ("horn", "craps_eleven")
HARD = {4: "2-2", 6: "3-3", 8: "4-4", 10: "5-5"}


@pytest.mark.clause("crapless:center.booked")
@pytest.mark.parametrize("key", ["hard_6", *ONE_ROLL, *SPLITS])
def test_the_centre_is_booked_with_the_crew(key: str) -> None:
    """By the stickman or a dealer, not by a player who sets the chips down alone; nobody else's word books it."""
    no = refused(at(), f"bet {key} 60 self")
    assert (no.code, no.clause) == ("bet.not_booked", "crapless:center.booked")
    assert "dealer" in no.message
    assert "stickman" in no.message
    for role in ("box", "supervisor", "inspector"):
        no = refused(at(), f"bet {key} 60 spoken by {role}")
        assert (no.code, no.clause) == ("bet.not_confirmed", "crapless:center.booked")
    for role in ("dealer", "stick"):
        assert up(at(f"bet {key} 60 spoken by {role}")) == {key: 60}
    booked = CRAPLESS.spots[key].rule.booked_with
    assert booked is not None
    assert booked.value == ("stick", "dealer")


@pytest.mark.clause("crapless:center.one-roll")
@pytest.mark.parametrize("key", ONE_ROLL)
@pytest.mark.parametrize("puck", [(), ("roll 5-4",)])
def test_a_one_roll_bet_by_every_throw(key: str, puck: tuple[str, ...]) -> None:
    """It wins on its numbers and loses on every other, with the puck on or off."""
    for throw in THROWS:
        table, events = dealt(*puck, f"bet {key} 10", f"roll {throw}")
        assert ruling(events, key) == "crapless:center.one-roll"
        assert (gain(table) > 0, up(table)) == (total(throw) in ONE_ROLL[key], {})


@pytest.mark.parametrize(
    ("clause", "key", "price"),
    [
        case("crapless:center.seven", "any_seven", "4 to 1"),
        case("crapless:center.craps", "any_craps", "7 to 1"),
        case("crapless:center.single", "craps_2", "30 to 1"),
        case("crapless:center.single", "craps_3", "15 to 1"),
        case("crapless:center.single", "craps_12", "30 to 1"),
        case("crapless:center.single", "eleven", "15 to 1"),
    ],
)
def test_what_a_one_roll_bet_pays(clause: str, key: str, price: str) -> None:
    """At this very price on each of its numbers."""
    for number in ONE_ROLL[key]:
        _, won = paid(clause, key, price, f"bet {key} 10", f"roll {MADE[number]}")
        assert won.won == 1000 * int(price.split(maxsplit=1)[0])


@pytest.mark.parametrize(
    ("clause", "key", "units", "by_total"),
    [
        case("crapless:center.horn", "horn", 4, {2: 27, 3: 12, 11: 12, 12: 27}),
        case("crapless:center.c-and-e", "craps_eleven", 2, {2: 6, 3: 6, 12: 6, 11: 14}),
    ],
)
def test_what_a_split_comes_to(clause: str, key: str, units: int, by_total: dict[int, int]) -> None:
    """Its units lie where the clause says: what is left of them on every total, and no stake that does not divide."""
    for number, throw in MADE.items():
        assert net(f"bet {key} {units}", f"roll {throw}") == by_total.get(number, -units)
    assert refused(at(), f"bet {key} {units + 1}").code == "bet.indivisible"
    assert CRAPLESS.spots[key].rule.terms.parts.clause == clause  # type: ignore[union-attr]


@pytest.mark.clause("crapless:center.split")
@pytest.mark.parametrize("key", SPLITS)
def test_the_parts_that_do_not_win_are_lost(key: str) -> None:
    """The part that wins comes back with its winnings at its own price; the others are gone; else all is."""
    for throw in THROWS:
        _, events = dealt(f"bet {key} 20", f"roll {throw}")
        assert ruling(events, key) == "crapless:center.split"
        for won in (event for event in events if isinstance(event, WagerWon) and event.seat == 1):
            assert won.returned + won.lost == 2000
            assert won.rounding is None


@pytest.mark.clause("crapless:center.hard-wins", "crapless:center.hard-loses")
@pytest.mark.parametrize("number", HARD)
def test_a_hardway_by_every_throw(number: int) -> None:
    """The pair wins, a seven and the same total another way lose, and everything else leaves it."""
    key = f"hard_{number}"
    for throw in THROWS:
        table, events = dealt("roll 5-4", f"bet {key} 10", f"roll {throw}")
        if throw == HARD[number]:
            assert (ruling(events, key), gain(table) > 0) == ("crapless:center.hard-wins", True)
        elif total(throw) in (7, number):
            assert (ruling(events, key), gain(table)) == ("crapless:center.hard-loses", -10)
        else:
            assert up(table) == {key: 10}


@pytest.mark.clause("crapless:center.hard")
@pytest.mark.parametrize(("number", "price"), [(4, "7 to 1"), (6, "9 to 1"), (8, "9 to 1"), (10, "7 to 1")])
def test_what_a_hardway_pays(number: int, price: str) -> None:
    """Seven to one on 4 and 10, nine to one on 6 and 8."""
    _, won = paid(
        "crapless:center.hard", f"hard_{number}", price, "roll 5-4", f"bet hard_{number} 10", f"roll {HARD[number]}"
    )
    assert won.won == 1000 * int(price[0])


# --- The field ------------------------------------------------------------------------------------------------------


@pytest.mark.clause("crapless:field.wins", "crapless:field.loses")
@pytest.mark.parametrize("throw", THROWS)
def test_the_field_by_every_throw(throw: str) -> None:
    """It wins on 2, 3, 4, 9, 10, 11 and 12, loses on 5, 6, 7 and 8, and comes down."""
    table, events = dealt("bet field 10", f"roll {throw}")
    loses = total(throw) in (5, 6, 7, 8)
    assert ruling(events, "field") == ("crapless:field.loses" if loses else "crapless:field.wins")
    assert (gain(table) < 0, up(table)) == (loses, {})


@pytest.mark.parametrize(
    ("clause", "totals", "price"),
    [
        case("crapless:field.single", (3, 4, 9, 10, 11), "1 to 1"),
        case("crapless:field.two", (2,), "2 to 1"),
        case("crapless:field.twelve", (12,), "3 to 1"),
    ],
)
def test_what_the_field_pays(clause: str, totals: tuple[int, ...], price: str) -> None:
    """Even money, double on 2, triple on 12."""
    for number in totals:
        _, won = paid(clause, "field", price, "bet field 10", f"roll {MADE[number]}")
        assert won.won == 1000 * int(price[0])


# --- What works when ------------------------------------------------------------------------------------------------

CALLED = ("place_6", "buy_6", "hard_6")
COME_ON_6 = ("roll 5-4", "bet come 10", "roll 5-1")


@pytest.mark.clause("crapless:working.off")
@pytest.mark.parametrize("key", CALLED)
def test_numbers_and_hardways_are_off_on_a_come_out(key: str) -> None:
    """Neither the number nor a seven touches them; called on, both do."""
    for throw in ("roll 3-3", SEVEN):
        assert net(f"bet {key} 60", throw) == 0
        assert net(f"bet {key} 60", f"on {key}", throw) != 0


@pytest.mark.clause("crapless:working.off", "crapless:working.call")
def test_come_odds_are_off_on_a_come_out() -> None:
    """A come-out seven takes the Come and gives its odds back, called on it takes both; and they can be called off."""
    behind = (*COME_ON_6, "bet come_odds_6 50")
    _, events = dealt(*behind, "roll 6-3", SEVEN)
    assert only(events, WagerReturned, wager="come_odds_6").stake == 5000
    assert net(*behind, "roll 6-3", SEVEN) == -10
    assert net(*behind, "roll 6-3", "on come_odds_6", SEVEN) == -60
    assert net(*behind, SEVEN) == -60
    assert net(*behind, "off come_odds_6", SEVEN) == -10


@pytest.mark.clause("crapless:working.call")
@pytest.mark.parametrize("key", CALLED)
def test_a_call_is_confirmed_by_the_dealer_and_speaks_for_a_kind(key: str) -> None:
    """The dealer confirms it, nobody else; it puts every bet of its kind on and leaves the others; off is for one."""
    other, apart = key.replace("6", "8"), "hard_10" if key != "hard_6" else "place_10"
    table = at(*(f"bet {each} 60" for each in (key, other, apart)))
    for role in ("box", "stick", "supervisor", "inspector", "nobody"):
        no = refused(table, f"on {key} by {role}")
        assert (no.code, no.clause) == ("call.not_confirmed", "crapless:working.call")
    play(table, f"on {key} by dealer")
    assert {each for each, wager in table.state.seats[1].felt.items() if wager.call == "on"} == {key, other}
    play(table, f"off {key}")
    assert {each for each, wager in table.state.seats[1].felt.items() if wager.call == "off"} == {key}


@pytest.mark.clause("crapless:working.call")
def test_a_call_lasts_until_a_point_is_set() -> None:
    """A void throw leaves the button, for the next is a come-out too; a point lifts it, and it is off again after."""
    table, calls = at("bet pass 10", "bet place_6 60", "on place_6"), []
    for lines in (("dice-out", "no-roll-by stick improper"), ("roll 5-4",)):
        play(table, *lines)
        calls.append(table.state.seats[1].felt["place_6"].call)
    assert calls == ["on", None]
    play(table, "roll 6-3", "bet pass 10", SEVEN)
    assert up(table) == {"place_6": 60}


@pytest.mark.clause("crapless:working.always")
@pytest.mark.parametrize(
    ("key", "lines"),
    [
        *((key, (f"bet {key} 60",)) for key in ("pass", "field", *ONE_ROLL, *SPLITS)),
        ("come_6", (*COME_ON_6, "roll 6-3")),
    ],
)
def test_every_other_bet_works_on_a_come_out_and_has_no_button(key: str, lines: tuple[str, ...]) -> None:
    """A come-out seven decides it, and its player can call it neither on nor off."""
    table, _ = dealt(*lines)
    for word in ("on", "off"):
        no = refused(table, f"{word} {key}")
        assert (no.code, no.clause) == ("call.not_callable", "crapless:working.always")
    _, events = dealt(*lines, SEVEN)
    (event,) = (each for each in events if getattr(each, "wager", "") == key and getattr(each, "seat", 0) == 1)
    assert isinstance(event, WagerWon | WagerLost)
