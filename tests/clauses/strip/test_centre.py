"""The centre of the table and the side bets: `center` and `side`."""

from __future__ import annotations

import pytest

from passline.engine.events import WagerUp, WagerWon
from tests.clauses.strip.felt import MADE, STRIP, at, dealt, net, paid
from tests.clauses.table_helpers import THROWS, case, gain, only, play, refused, ruling, total, up

SEVEN = "roll 6-1"
ONE_ROLL = {
    "any_seven": (7,), "any_craps": (2, 3, 12), "craps_2": (2,), "craps_3": (3,), "craps_12": (12,), "eleven": (11,),
}  # fmt: skip
SPLITS = ("horn", "horn_high_2", "horn_high_3", "horn_high_11", "horn_high_12", "craps_eleven", "world")
HARD = {4: "2-2", 6: "3-3", 8: "4-4", 10: "5-5"}
PAIRS = [f"{high}-{low}" for high in range(1, 7) for low in range(1, high + 1)]


@pytest.mark.clause("strip:center.booked")
@pytest.mark.parametrize("key", ["hard_6", *ONE_ROLL, *SPLITS, "hop_3_3", "hop_4_2"])
def test_the_centre_is_booked_with_the_crew(key: str) -> None:
    """By the stickman or a dealer, not by a player who sets the chips down alone; nobody else's word books it."""
    no = refused(at(), f"bet {key} 60 self")
    assert (no.code, no.clause) == ("bet.not_booked", "strip:center.booked")
    assert "dealer" in no.message
    assert "stickman" in no.message
    for role in ("box", "supervisor", "inspector"):
        no = refused(at(), f"bet {key} 60 spoken by {role}")
        assert (no.code, no.clause) == ("bet.not_confirmed", "strip:center.booked")
    for role in ("dealer", "stick"):
        assert up(at(f"bet {key} 60 spoken by {role}")) == {key: 60}
    booked = STRIP.spots[key].rule.booked_with
    assert booked is not None
    assert booked.value == ("stick", "dealer")


@pytest.mark.clause("strip:center.one-roll")
@pytest.mark.parametrize("key", ONE_ROLL)
@pytest.mark.parametrize("puck", [(), ("roll 5-4",)])
def test_a_one_roll_bet_by_every_throw(key: str, puck: tuple[str, ...]) -> None:
    """It wins on its numbers and loses on every other, with the puck on or off."""
    for throw in THROWS:
        table, events = dealt(*puck, f"bet {key} 10", f"roll {throw}")
        assert ruling(events, key) == "strip:center.one-roll"
        assert (gain(table) > 0, up(table)) == (total(throw) in ONE_ROLL[key], {})


@pytest.mark.parametrize(
    ("clause", "key", "price"),
    [
        case("strip:center.seven", "any_seven", "4 to 1"),
        case("strip:center.craps", "any_craps", "7 to 1"),
        case("strip:center.single", "craps_2", "30 to 1"),
        case("strip:center.single", "craps_3", "15 to 1"),
        case("strip:center.single", "craps_12", "30 to 1"),
        case("strip:center.single", "eleven", "15 to 1"),
    ],
)
def test_what_a_one_roll_bet_pays(clause: str, key: str, price: str) -> None:
    """At this very price on each of its numbers."""
    for number in ONE_ROLL[key]:
        _, won = paid(clause, key, price, f"bet {key} 10", f"roll {MADE[number]}")
        assert won.won == 1000 * int(price.split(maxsplit=1)[0])


# --- Splits ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("clause", "key", "units", "by_total"),
    [
        case("strip:center.horn", "horn", 4, {2: 27, 3: 12, 11: 12, 12: 27}),
        case("strip:center.horn-high", "horn_high_2", 5, {2: 57, 3: 11, 11: 11, 12: 26}),
        case("strip:center.horn-high", "horn_high_3", 5, {2: 26, 3: 27, 11: 11, 12: 26}),
        case("strip:center.horn-high", "horn_high_11", 5, {2: 26, 3: 11, 11: 27, 12: 26}),
        case("strip:center.horn-high", "horn_high_12", 5, {2: 26, 3: 11, 11: 11, 12: 57}),
        case("strip:center.c-and-e", "craps_eleven", 2, {2: 6, 3: 6, 12: 6, 11: 14}),
        case("strip:center.world", "world", 5, {2: 26, 3: 11, 11: 11, 12: 26, 7: 0}),
    ],
)
def test_what_a_split_comes_to(clause: str, key: str, units: int, by_total: dict[int, int]) -> None:
    """Its units lie where the clause says: what is left of them on every total, and no stake that does not divide."""
    for number, throw in MADE.items():
        assert net(f"bet {key} {units}", f"roll {throw}") == by_total.get(number, -units)
    assert refused(at(), f"bet {key} {units + 1}").code == "bet.indivisible"
    parts = STRIP.spots[key].rule.terms
    assert parts.parts.clause == clause  # type: ignore[union-attr]


@pytest.mark.clause("strip:center.split")
@pytest.mark.parametrize("key", SPLITS)
def test_the_parts_that_do_not_win_are_lost(key: str) -> None:
    """The part that wins comes back with its winnings at its own price; the others are gone; else all is."""
    stake = 20
    for throw in THROWS:
        _, events = dealt(f"bet {key} {stake}", f"roll {throw}")
        assert ruling(events, key) == "strip:center.split"
        won = [event for event in events if isinstance(event, WagerWon) and event.seat == 1]
        if won:
            assert won[0].returned + won[0].lost == stake * 100
            assert won[0].rounding is None


# --- Hardways and hops ----------------------------------------------------------------------------------------------


@pytest.mark.clause("strip:center.hard-wins", "strip:center.hard-loses")
@pytest.mark.parametrize("number", HARD)
def test_a_hardway_by_every_throw(number: int) -> None:
    """The pair wins, a seven and the same total another way lose, and everything else leaves it."""
    key, puck = f"hard_{number}", "roll 5-4"
    for throw in THROWS:
        table, events = dealt(puck, f"bet {key} 10", f"roll {throw}")
        if throw == HARD[number]:
            assert (ruling(events, key), gain(table) > 0) == ("strip:center.hard-wins", True)
        elif total(throw) in (7, number):
            assert (ruling(events, key), gain(table)) == ("strip:center.hard-loses", -10)
        else:
            assert up(table) == {key: 10}


@pytest.mark.clause("strip:center.hard")
@pytest.mark.parametrize(("number", "price"), [(4, "7 to 1"), (6, "9 to 1"), (8, "9 to 1"), (10, "7 to 1")])
def test_what_a_hardway_pays(number: int, price: str) -> None:
    """Seven to one on 4 and 10, nine to one on 6 and 8."""
    _, won = paid(
        "strip:center.hard", f"hard_{number}", price, "roll 5-4", f"bet hard_{number} 10", f"roll {HARD[number]}"
    )
    assert won.won == 1000 * int(price[0])


@pytest.mark.clause("strip:center.hop")
@pytest.mark.parametrize("pair", PAIRS)
def test_a_hop_is_two_faces_on_the_next_roll(pair: str) -> None:
    """Every pair of faces can be bet; it wins on them in either order and loses on all else."""
    high, low = pair.split("-")
    key = f"hop_{high}_{low}"
    for throw in THROWS:
        table, events = dealt(f"bet {key} 10", f"roll {throw}")
        assert ruling(events, key) == "strip:center.hop"
        assert (gain(table) > 0) == (throw in (f"{high}-{low}", f"{low}-{high}"))
        assert up(table) == {}


@pytest.mark.parametrize(
    ("clause", "pairs", "price"),
    [
        case("strip:center.hop-hard", [pair for pair in PAIRS if pair[0] == pair[2]], "30 to 1"),
        case("strip:center.hop-easy", [pair for pair in PAIRS if pair[0] != pair[2]], "15 to 1"),
    ],
)
def test_what_a_hop_pays(clause: str, pairs: list[str], price: str) -> None:
    """Thirty to one on a pair, fifteen to one on two different faces."""
    for pair in pairs:
        key = f"hop_{pair.replace('-', '_')}"
        _, won = paid(clause, key, price, f"bet {key} 10", f"roll {pair}")
        assert won.won == 1000 * int(price.split(maxsplit=1)[0])


# --- All Small, All Tall, Make 'Em All ------------------------------------------------------------------------------

SMALL, TALL = (2, 3, 4, 5, 6), (8, 9, 10, 11, 12)
SETS = {"all_small": SMALL, "all_tall": TALL, "make_em_all": SMALL + TALL}


def rolled(*totals: int) -> tuple[str, ...]:
    """The rolls of these totals."""
    return tuple(f"roll {MADE[number]}" for number in totals)


@pytest.mark.clause("strip:side.made")
@pytest.mark.parametrize("key", SETS)
def test_side_bets_are_made_at_the_opening_or_after_a_seven(key: str) -> None:
    """And before the next roll; not after any other roll, nor with a point on."""
    for lines in ((), (SEVEN,), ("roll 5-4", SEVEN)):
        _, events = dealt(*lines, f"bet {key} 10")
        assert only(events, WagerUp).clause == "strip:side.made"
    for lines in (("roll 6-5",), ("roll 5-4",), ("roll 5-4", "roll 6-3"), (SEVEN, "roll 6-5")):
        no = refused(dealt(*lines)[0], f"bet {key} 10")
        assert (no.code, no.clause) == ("bet.window", "strip:side.made")


@pytest.mark.clause("strip:side.locked")
@pytest.mark.parametrize("key", SETS)
def test_side_bets_are_locked_from_their_first_roll(key: str) -> None:
    """Before it they come down; after it they are neither lowered, taken nor raised."""
    assert up(dealt(f"bet {key} 10", f"take {key} 5")[0]) == {key: 5}
    assert up(dealt(f"bet {key} 10", f"take {key}")[0]) == {}
    for throw in ("roll 6-5", "roll 1-1", "roll 5-4"):
        table, _ = dealt(f"bet {key} 10", throw)
        for line in (f"take {key}", f"take {key} 5", f"bet {key} 5"):
            no = refused(table, line)
            assert (no.code, no.clause) in (
                ("take.locked", "strip:side.locked"),
                ("bet.locked", "strip:side.locked"),
                ("bet.window", "strip:side.made"),
            )


@pytest.mark.parametrize(
    ("clause", "key", "price"),
    [
        case("strip:side.small", "all_small", "34 to 1"),
        case("strip:side.tall", "all_tall", "34 to 1"),
        case("strip:side.all", "make_em_all", "175 to 1"),
    ],
)
def test_what_a_side_bet_needs_and_pays(clause: str, key: str, price: str) -> None:
    """Every one of its numbers, in any order; with one missing nothing is paid."""
    for order in (SETS[key], SETS[key][::-1]):
        _, won = paid(clause, key, price, f"bet {key} 10", *rolled(*order))
        assert won.won == 1000 * int(price.split(maxsplit=1)[0])
    for missing in SETS[key]:
        table, _ = dealt(f"bet {key} 10", *rolled(*(number for number in SETS[key] if number != missing)))
        assert up(table) == {key: 10}


@pytest.mark.clause("strip:side.wins")
@pytest.mark.parametrize("key", SETS)
def test_a_side_bet_is_paid_at_once(key: str) -> None:
    """On the roll that brings its last number, and it comes down."""
    table, events = dealt(f"bet {key} 10", *rolled(*SETS[key]))
    assert ruling(events, key) == "strip:side.wins"
    assert up(table) == {}


@pytest.mark.clause("strip:side.loses")
@pytest.mark.parametrize("key", SETS)
@pytest.mark.parametrize("before", [(), (5,), (4, 9)], ids=str)
def test_any_seven_takes_a_side_bet(key: str, before: tuple[int, ...]) -> None:
    """A seven on the come-out, a seven-out, whatever has been collected."""
    table, _ = dealt(f"bet {key} 10", *rolled(*before))
    if not before:
        play(table, "2 bet pass 10")
    assert ruling(play(table, SEVEN), key) == "strip:side.loses"
    assert gain(table) == -10
