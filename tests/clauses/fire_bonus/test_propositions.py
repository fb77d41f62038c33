"""The field, and the propositions in the middle of the layout: one roll, hard ways, hops, quoted for one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from passline.engine.events import WagerUp, WagerWon
from passline.house import House
from passline.rulebooks.catalogue import house_files
from tests.clauses import table_helpers
from tests.clauses.fire_bonus.felt import FIRE_BONUS, at, dealt, equipment, net, paid
from tests.clauses.table_helpers import THROWS, case, gain, only, play, refused, ruling, total, up
from tests.tables import cases

if TYPE_CHECKING:
    from pathlib import Path

POINT_9 = "roll 5-4"
PHASES = pytest.mark.parametrize("first", [(), (POINT_9,)], ids=["come-out", "point on"])

SINGLE = {7: "any_seven", 11: "eleven", 2: "craps_2", 3: "craps_3", 12: "craps_12"}
QUOTED = {7: 5, 11: 15, 2: 30, 3: 15, 12: 30}
"""The bets on one number and what each pays for one."""

HARD = {4: 8, 6: 10, 8: 10, 10: 8}
"""What each hard way pays for one."""

COMBINATIONS = ("horn", "horn_high_2", "horn_high_3", "horn_high_11", "horn_high_12", "world")
HOPS = tuple(f"hop_hard_{number}" for number in HARD)
PROPOSITIONS = (*SINGLE.values(), *(f"hard_{number}" for number in HARD), *COMBINATIONS, *HOPS)

# --- Field ----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("fire-bonus:FIELD.1")
@PHASES
@pytest.mark.parametrize("throw", THROWS)
def test_the_field_lasts_one_roll(first: tuple[str, ...], throw: str) -> None:
    """Made at any time, and gone after any throw."""
    table, events = dealt(*first, "bet field 10")
    assert only(events, WagerUp).clause == "fire-bonus:FIELD.1"
    play(table, *(() if first else ("2 bet pass 5",)), f"roll {throw}")
    assert up(table) == {}


@pytest.mark.clause("fire-bonus:FIELD.2")
def test_the_player_sets_the_chips_of_the_field() -> None:
    """No dealer books it: chips set down by the player are a bet and are decided like one."""
    table = at("bet pass 10", "bet field 10 self")
    assert up(table) == {"pass": 10, "field": 10}
    play(table, POINT_9)
    assert gain(table) == 10
    assert equipment("field_set_by") == ("player", "fire-bonus:FIELD.2")


@pytest.mark.clause("fire-bonus:FIELD.3")
@PHASES
@pytest.mark.parametrize("throw", THROWS)
def test_the_field_wins_on_2_3_4_9_10_11_and_12(first: tuple[str, ...], throw: str) -> None:
    """On seven totals; on 5, 6, 7 and 8 it loses."""
    table, events = dealt(*first, "bet field 10", f"roll {throw}")
    assert (gain(table) > 0) == (total(throw) in (2, 3, 4, 9, 10, 11, 12))
    assert (gain(table) == -10) == (total(throw) in (5, 6, 7, 8))
    assert ruling(events, "field") == "fire-bonus:FIELD.3"


@pytest.mark.parametrize(
    ("clause", "throw", "win"),
    [
        *(case("fire-bonus:FIELD.4", throw, 10) for throw in ("1-2", "2-2", "5-4", "6-4", "5-6")),
        *(case("fire-bonus:FIELD.5", throw, 20) for throw in ("1-1", "6-6")),
    ],
)
def test_the_field_pays_even_money_and_double_on_2_and_12(clause: str, throw: str, win: int) -> None:
    """$10 wins $10, or $20 at either end."""
    table, _ = paid(clause, "field", f"{win // 10} to 1", "bet field 10", f"roll {throw}")
    assert gain(table) == win


# --- Propositions: when, how long, with whom ------------------------------------------------------------------------


@pytest.mark.clause("fire-bonus:PROP.1")
@PHASES
@pytest.mark.parametrize("wager", PROPOSITIONS)
def test_a_proposition_is_made_at_any_time(first: tuple[str, ...], wager: str) -> None:
    """On a come-out and on a point."""
    table, events = dealt(*first, f"bet {wager} 20")
    assert only(events, WagerUp).clause == "fire-bonus:PROP.1"
    assert up(table) == {wager: 20}


@pytest.mark.clause("fire-bonus:PROP.2")
@cases("wager", PROPOSITIONS)
@cases("throw", ["4-4", "6-5", "5-4"])
def test_a_proposition_lasts_one_roll_unless_it_is_a_hard_way(wager: str, throw: str) -> None:
    """Whatever comes, it is off the layout after one roll; a hard way waits for its number or a 7."""
    table, _ = dealt(POINT_9, f"bet {wager} 20", f"roll {throw}")
    assert up(table) == ({wager: 20} if wager.startswith("hard_") else {})


@pytest.mark.clause("fire-bonus:PROP.2")
def test_an_eleven_goes_and_a_hard_eight_stays() -> None:
    """Eleven $1 loses on 4-4; Hard 8 $1 sees 6-5 and stays."""
    assert net("bet eleven 1", "roll 4-4") == -1
    table, _ = dealt(POINT_9, "bet hard_8 1", "roll 6-5")
    assert (gain(table), up(table)) == (0, {"hard_8": 1})


@pytest.mark.clause("fire-bonus:PROP.3")
@pytest.mark.parametrize("wager", PROPOSITIONS)
def test_a_proposition_is_booked_with_dealer_or_stick_person(wager: str) -> None:
    """Chips that the player sets down alone are no bet; called to a base dealer or the stick person they are."""
    table = at()
    no = refused(table, f"bet {wager} 20 self")
    assert (no.code, no.clause) == ("bet.not_booked", "fire-bonus:PROP.3")
    assert "base dealer or stick person" in no.message
    for who in ("box", "supervisor", "inspector", "player", "nobody"):
        no = refused(table, f"bet {wager} 20 spoken by {who}")
        assert (no.code, no.clause) == ("bet.not_confirmed", "fire-bonus:PROP.3")
    for who in ("dealer", "stick"):
        play(table, f"bet {wager} 20 spoken by {who}")
    assert up(table) == {wager: 40}


# --- Prices for one -------------------------------------------------------------------------------------------------

PAIR = {number: f"{number // 2}-{number // 2}" for number in HARD}
ON = {7: "4-3", 11: "6-5", 2: "1-1", 3: "1-2", 12: "6-6"}


@pytest.mark.clause("fire-bonus:PROP.4")
@pytest.mark.parametrize(
    ("wager", "throw", "back"),
    [
        *((SINGLE[number], ON[number], QUOTED[number]) for number in SINGLE),
        *((f"hard_{number}", PAIR[number], HARD[number]) for number in HARD),
        *((f"hop_hard_{number}", PAIR[number], 30) for number in HARD),
    ],
)
def test_the_stake_is_part_of_the_price(wager: str, throw: str, back: int) -> None:
    """30 for 1 on $1 puts $30 in the player's hands in all, so $29 are won; the price is shown as it is quoted."""
    table, events = dealt(POINT_9, f"bet {wager} 1", f"roll {throw}")
    won = only(events, WagerWon, wager=wager)
    assert (won.won, str(won.price)) == ((back - 1) * 100, f"{back} for 1")
    assert gain(table) + 1 == back
    assert f"{back} for 1" in table.say(won)


@pytest.mark.clause("fire-bonus:PROP.4")
def test_only_propositions_and_fire_are_quoted_for_one() -> None:
    """Every other price in the house is a `to`: the stake comes on top."""
    word = FIRE_BONUS.book.about["odds_word"]
    assert word.clause == "fire-bonus:PROP.4"
    for bet, throw in (("bet field 10", "6-6"), ("bet place_6 6", "5-1"), ("bet big_6 5", "5-1")):
        _, events = dealt(POINT_9, bet, f"roll {throw}")
        assert " to " in str(only(events, WagerWon, seat=1).price)


@pytest.mark.parametrize(
    ("clause", "number", "win"),
    [
        case("fire-bonus:PROP.7", 2, 29),
        case("fire-bonus:PROP.7", 12, 29),
        case("fire-bonus:PROP.8", 3, 14),
        case("fire-bonus:PROP.8", 11, 14),
        case("fire-bonus:PROP.9", 7, 4),
    ],
)
@PHASES
def test_a_number_pays_as_quoted(clause: str, number: int, win: int, first: tuple[str, ...]) -> None:
    """30 for 1 on 2 and 12, 15 for 1 on 3 and 11, 5 for 1 on 7."""
    key, throw = SINGLE[number], f"roll {ON[number]}"
    table, _ = paid(clause, key, f"{win + 1} for 1", *first, f"bet {key} 1", throw)
    assert gain(table) == win
    assert net(*first, f"bet {key} 7", throw) == 7 * win


@pytest.mark.parametrize(
    ("clause", "number", "win"),
    [
        case("fire-bonus:PROP.11", 4, 7),
        case("fire-bonus:PROP.11", 10, 7),
        case("fire-bonus:PROP.12", 6, 9),
        case("fire-bonus:PROP.12", 8, 9),
    ],
)
def test_a_hard_way_pays_as_quoted(clause: str, number: int, win: int) -> None:
    """8 for 1 on 4 and 10, 10 for 1 on 6 and 8."""
    key = f"hard_{number}"
    table, _ = paid(clause, key, f"{win + 1} for 1", POINT_9, f"bet {key} 1", f"roll {PAIR[number]}")
    assert gain(table) == win


# --- What propositions there are ------------------------------------------------------------------------------------


@pytest.mark.clause("fire-bonus:PROP.5")
@cases("throw", THROWS)
@cases(
    "wager, units",
    [
        ("horn", {2: 1, 3: 1, 11: 1, 12: 1}),
        *((f"horn_high_{high}", {2: 1, 3: 1, 11: 1, 12: 1} | {high: 2}) for high in (2, 3, 11, 12)),
        ("world", {2: 1, 3: 1, 11: 1, 12: 1, 7: 1}),
    ],
)
def test_a_combination_is_its_numbers_bet_singly(wager: str, units: dict[int, int], throw: str) -> None:
    """All 36 throws: a combination comes to what its single bets come to, chip for chip (F-03)."""
    apart = [f"bet {SINGLE[number]} {count}" for number, count in units.items()]
    table, events = dealt(f"bet {wager} {sum(units.values())}", f"roll {throw}")
    assert gain(table) == net(*apart, f"roll {throw}")
    assert ruling(events, wager) == f"fire-bonus:PROP.{5 if total(throw) in units else 6}"


@pytest.mark.clause("fire-bonus:PROP.5")
def test_the_five_numbers_and_the_four_hard_ways_are_there() -> None:
    """7, 11, 2, 3 and 12 singly, in combinations, and the hard ways; what has no price is not booked (F-03)."""
    offered = {spot.key for spot in FIRE_BONUS.wagers if spot.rule.booked_with is not None}
    assert offered == set(PROPOSITIONS)
    table = at()
    for wager in ("any_craps", "craps_eleven"):
        no = refused(table, f"bet {wager} 20")
        assert (no.code, no.clause) == ("wager.not_offered", "F-03")
    for wager in ("craps_4", "hard_5", "hard_2", "hop_6_5"):
        assert refused(table, f"bet {wager} 20").code == "wager.not_offered"


@pytest.mark.clause("fire-bonus:PROP.1", "fire-bonus:PROP.3", "fire-bonus:PROP.5", "fire-bonus:PROP.6")
@PHASES
@pytest.mark.parametrize(
    ("wager", "units", "won"), [("any_craps", 1, {2: 7, 3: 7, 12: 7}), ("craps_eleven", 2, {2: 6, 3: 6, 12: 6, 11: 13})]
)
def test_how_any_craps_would_be_booked(
    first: tuple[str, ...], wager: str, units: int, won: dict[int, int], tmp_path: Path
) -> None:
    """Where the guide's gaps are filled as is customary (F-03): 8 for 1, alone and as one half of craps-eleven."""
    text = house_files()["fire-bonus"].read_text(encoding="utf-8")
    (tmp_path / "fire-bonus.toml").write_text(text.replace('[false, "F-03"]', '[true, "F-03"]'), encoding="utf-8")
    house = House(tmp_path / "fire-bonus.toml")
    for throw in THROWS:
        table, events = table_helpers.dealt(house, *first, f"bet {wager} {units}", f"roll {throw}")
        assert gain(table) == won.get(total(throw), -units)
        assert ruling(events, wager) == f"fire-bonus:PROP.{5 if len(won) > 3 and total(throw) in won else 6}"
        paid_for = [str(event.price) for event in events if isinstance(event, WagerWon) and event.wager == "any_craps"]
        assert paid_for in ([], ["8 for 1"])
    assert refused(table_helpers.game(house), f"bet {wager} 20 self").code == "bet.not_booked"
    for who in ("box", "supervisor", "inspector"):
        assert refused(table_helpers.game(house), f"bet {wager} 20 spoken by {who}").code == "bet.not_confirmed"
    play(
        table_helpers.game(house, "min=40 props=20"),
        f"bet {wager} 20 spoken by stick",
        f"bet {wager} 20 spoken by dealer",
    )


@pytest.mark.clause("fire-bonus:PROP.6")
@PHASES
@pytest.mark.parametrize("number", SINGLE)
def test_a_number_is_decided_by_the_next_roll(first: tuple[str, ...], number: int) -> None:
    """All 36 throws: its total wins, any other loses, and nothing is left up."""
    wager = SINGLE[number]
    for throw in THROWS:
        table, events = dealt(*first, f"bet {wager} 1", f"roll {throw}")
        assert gain(table) == (QUOTED[number] - 1 if total(throw) == number else -1)
        assert (ruling(events, wager), up(table)) == ("fire-bonus:PROP.6", {})


@pytest.mark.clause("fire-bonus:PROP.10")
@pytest.mark.parametrize("number", HARD)
def test_a_hard_way_wins_as_a_pair_and_loses_easy_or_on_a_seven(number: int) -> None:
    """With a point on, all 36 throws: the pair wins and it stays, the easy way and a 7 take it, the rest leaves it."""
    wager = f"hard_{number}"
    for throw in THROWS:
        table, events = dealt(POINT_9, f"bet {wager} 1", f"roll {throw}")
        if total(throw) in (number, 7):
            won = throw == PAIR[number]
            assert gain(table) == (HARD[number] - 1 if won else -1)
            assert (ruling(events, wager), up(table)) == ("fire-bonus:PROP.10", {wager: 1} if won else {})
        else:
            assert (gain(table), up(table)) == (0, {wager: 1})


@pytest.mark.clause("fire-bonus:PROP.10")
@pytest.mark.parametrize("throw", ["3-3", "5-1", "4-3"])
def test_a_hard_way_sleeps_on_a_come_out(throw: str) -> None:
    """Neither paid nor taken unless it is called on (F-15)."""
    table, _ = dealt("bet hard_6 1", f"roll {throw}")
    assert (gain(table), up(table)) == (0, {"hard_6": 1})
    assert net("bet hard_6 1", "on hard_6", f"roll {throw}") == (9 if throw == "3-3" else -1)


@pytest.mark.clause("fire-bonus:PROP.13")
@PHASES
@pytest.mark.parametrize("number", HARD)
def test_a_hopping_hardway_is_one_pair_on_the_next_roll(first: tuple[str, ...], number: int) -> None:
    """All 36 throws: its own pair wins; another pair, the easy way and everything else lose; nothing stays."""
    wager = f"hop_hard_{number}"
    for throw in THROWS:
        table, events = dealt(*first, f"bet {wager} 1", f"roll {throw}")
        assert (gain(table) > 0) == (throw == PAIR[number])
        assert gain(table) in (29, -1)
        assert (ruling(events, wager), up(table)) == ("fire-bonus:PROP.13", {})


@pytest.mark.clause("fire-bonus:PROP.13")
@pytest.mark.parametrize("wager", ["hop_hard_2", "hop_hard_12", "hop_hard_5", "hop_4_2"])
def test_no_other_hop_is_booked(wager: str) -> None:
    """Aces and boxcars are the craps 2 and 12; easy hops are not offered (F-04)."""
    assert refused(at(), f"bet {wager} 1").code == "wager.not_offered"


@pytest.mark.clause("fire-bonus:PROP.14")
@pytest.mark.parametrize("number", HARD)
def test_a_hopping_hardway_pays_30_for_1(number: int) -> None:
    """$1 brings $30 back, $29 of them won."""
    table, events = dealt(f"bet hop_hard_{number} 1", f"roll {PAIR[number]}")
    won = only(events, WagerWon, seat=1)
    assert (gain(table), str(won.price), won.clause) == (29, "30 for 1", "fire-bonus:PROP.14")
