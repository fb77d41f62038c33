"""Bonus Craps: All Small, All Tall and Make 'Em All, every number of a set before a 7."""

from __future__ import annotations

from itertools import permutations

import pytest

from passline.engine.events import WagerLost, WagerTallied, WagerUp, WagerWon
from tests.clauses.fire_bonus.felt import FIRE_BONUS, MADE, dealt, net
from tests.clauses.table_helpers import case, every, gain, only, play, refused, ruling, up

SMALL, TALL = (2, 3, 4, 5, 6), (8, 9, 10, 11, 12)
SETS = {"all_small": SMALL, "all_tall": TALL, "make_em_all": SMALL + TALL}
SEVEN = "roll 4-3"


def rolled(*totals: int) -> tuple[str, ...]:
    """The rolls of these totals."""
    return tuple(f"roll {MADE[total]}" for total in totals)


# --- The bets -------------------------------------------------------------------------------------------------------


@pytest.mark.clause("fire-bonus:BONUS.1")
@pytest.mark.parametrize("wager", SETS)
def test_each_of_the_three_is_a_bet_of_its_own(wager: str) -> None:
    """Any one alone, for any stake within the limits."""
    table, _ = dealt(f"bet {wager} 5")
    assert up(table) == {wager: 5}
    assert FIRE_BONUS.spots[wager].rule.offered.clause == "fire-bonus:BONUS.1"


@pytest.mark.clause("fire-bonus:BONUS.1")
def test_stakes_and_tallies_are_separate() -> None:
    """$5 on All Small, $2 on All Tall and $1 on Make 'Em All; a 4 counts for two of them, a 9 for the other two."""
    table, _ = dealt("bet all_small 5", "bet all_tall 2", "bet make_em_all 1")
    assert up(table) == {"all_small": 5, "all_tall": 2, "make_em_all": 1}
    said: dict[str, str] = {
        event.wager: table.say(event) for event in every(play(table, "2 bet pass 5", "roll 3-1"), WagerTallied)
    }
    assert ("1 of 5" in said["all_small"], "0 of 5" in said["all_tall"], "1 of 10" in said["make_em_all"]) == (
        True,
    ) * 3
    said = {event.wager: table.say(event) for event in every(play(table, "roll 5-4"), WagerTallied)}
    assert set(said) == {"all_tall", "make_em_all"}
    assert ("1 of 5" in said["all_tall"], "2 of 10" in said["make_em_all"]) == (True, True)


@pytest.mark.clause("fire-bonus:BONUS.2")
@pytest.mark.parametrize("wager", SETS)
def test_a_bonus_bet_is_made_on_a_come_out_only(wager: str) -> None:
    """With the puck off, at the opening or at a later come-out; with a point on it is refused."""
    for lines in ((), ("roll 6-5",), (SEVEN,), ("roll 5-4", "roll 6-3"), ("roll 5-4", SEVEN)):
        table, events = dealt(*lines, f"bet {wager} 5")
        assert only(events, WagerUp).clause == "fire-bonus:BONUS.2"
        assert up(table) == {wager: 5}
    for lines in (("roll 5-4",), ("roll 5-4", "roll 6-6")):
        table, _ = dealt(*lines)
        no = refused(table, f"bet {wager} 5")
        assert (no.code, no.clause) == ("bet.window", "fire-bonus:BONUS.2")


@pytest.mark.clause("fire-bonus:BONUS.2")
@pytest.mark.parametrize(("wager", "early"), [("all_small", 2), ("all_tall", 12), ("make_em_all", 3)])
def test_a_bonus_bet_counts_from_its_own_first_roll(wager: str, early: int) -> None:
    """A number that came before the bet does not count for it; begun, it is not raised or taken down (F-10, F-16)."""
    rest = [number for number in SETS[wager] if number != early]
    lines = (*rolled(early), f"bet {wager} 5", *rolled(*rest))
    table, _ = dealt(*lines)
    assert (gain(table), up(table)) == (0, {wager: 5})
    assert refused(table, f"take {wager}").code == "take.locked"
    assert refused(table, f"bet {wager} 5").code == "bet.locked"
    assert net(*lines, *rolled(early)) > 0


@pytest.mark.clause("fire-bonus:BONUS.3")
@pytest.mark.parametrize("lines", [(SEVEN,), ("roll 5-4", SEVEN), ("roll 6-5", "roll 5-4", "roll 6-3", SEVEN)])
def test_every_seven_loses_all_bonus_bets(lines: tuple[str, ...]) -> None:
    """A winner 7 and a 7 out alike: all three are taken down, whatever else the 7 pays."""
    bets = ("bet all_small 5", "bet all_tall 2", "bet make_em_all 1")
    table, events = dealt(*bets, *lines)
    assert {event.wager: event.clause for event in every(events, WagerLost, seat=1)} == dict.fromkeys(
        SETS, "fire-bonus:BONUS.3"
    )
    assert (gain(table), up(table)) == (-8, {})


@pytest.mark.clause("fire-bonus:BONUS.3")
def test_a_come_out_seven_takes_a_half_done_tall_although_pass_wins() -> None:
    """8 and 9 have come; on the next come-out a 7 pays Pass and takes the $5."""
    lines = ("bet all_tall 5", "2 bet pass 5", *rolled(8, 9, 8), "bet pass 10", SEVEN)
    assert net(*lines) == 10 - 5


@pytest.mark.clause("fire-bonus:BONUS.3")
def test_nothing_but_a_seven_loses_a_bonus_bet() -> None:
    """Craps, points made and numbers of the other set leave it up."""
    table, _ = dealt("bet all_small 5", *rolled(12, 11, 8, 9, 8, 10, 9, 10))
    assert (gain(table), up(table)) == (0, {"all_small": 5})


# --- What they pay --------------------------------------------------------------------------------------------------


@pytest.mark.clause("fire-bonus:BONUS.4")
def test_a_bonus_bet_is_paid_by_the_roll_that_completes_it() -> None:
    """All Small done by 5-1 on the seventh roll: $170 at once, with a point on; All Tall stays up for its numbers."""
    bets = ("bet all_small 5", "bet all_tall 5")
    table, _ = dealt(*bets, *rolled(2, 3, 4, 9, 8, 5))
    assert (gain(table), up(table)) == (0, {"all_small": 5, "all_tall": 5})
    events = play(table, "roll 5-1")
    assert ruling(events, "all_small") == "fire-bonus:BONUS.4"
    assert (gain(table), up(table), table.puck) == (170, {"all_tall": 5}, 4)
    play(table, "roll 4-3")
    assert gain(table) == 165


@pytest.mark.clause("fire-bonus:BONUS.4")
def test_one_roll_can_complete_two() -> None:
    """The last of the tall numbers is the last of all ten: $2 at 34 to 1 and $1 at 175 to 1."""
    bets = ("bet all_small 1", "bet all_tall 2", "bet make_em_all 1")
    table, events = dealt(*bets, *rolled(*SMALL, *TALL))
    assert {event.wager for event in every(events, WagerWon, seat=1)} == {"all_tall", "make_em_all"}
    assert (gain(table), up(table)) == (34 + 68 + 175, {})


PAID = [
    case("fire-bonus:BONUS.small", "all_small", 170),
    case("fire-bonus:BONUS.tall", "all_tall", 170),
    case("fire-bonus:BONUS.all", "make_em_all", 875),
]
"""Clause, bet and what $5 wins."""


@pytest.mark.parametrize(("clause", "wager", "win"), PAID)
def test_a_whole_set_is_paid_as_listed(clause: str, wager: str, win: int) -> None:
    """34 to 1 on five numbers, 175 to 1 on ten: the stake comes on top, and the bet comes down."""
    price = "175 to 1" if wager == "make_em_all" else "34 to 1"
    for numbers in (SETS[wager], SETS[wager][::-1]):
        table, events = dealt(f"bet {wager} 5", *rolled(*numbers))
        paid = only(events, WagerWon, wager=wager)
        assert (paid.won, paid.returned, str(paid.price), paid.clause) == (win * 100, 5_00, price, clause)
        assert (gain(table), up(table)) == (win, {})


@pytest.mark.parametrize(("clause", "wager", "win"), PAID[:2])
def test_the_order_does_not_matter(clause: str, wager: str, win: int) -> None:
    """All 120 orders of the five numbers complete the set, and not a roll earlier."""
    for numbers in permutations(SETS[wager]):
        assert net(f"bet {wager} 5", *rolled(*numbers[:-1])) == 0
        table, events = dealt(f"bet {wager} 5", *rolled(*numbers))
        assert (gain(table), only(events, WagerWon, wager=wager).clause) == (win, clause)


@pytest.mark.clause("fire-bonus:BONUS.5")
@pytest.mark.parametrize(
    ("wager", "missing"), [(wager, number) for wager, numbers in SETS.items() for number in numbers]
)
def test_every_number_must_come_before_a_seven(wager: str, missing: int) -> None:
    """One number short, whichever it is and however often the others come, a 7 takes the stake."""
    others = [number for number in SETS[wager] if number != missing]
    table, _ = dealt(f"bet {wager} 5", *rolled(*others, *others))
    assert (gain(table), up(table)) == (0, {wager: 5})
    assert net(f"bet {wager} 5", *rolled(*others), SEVEN) == -5


@pytest.mark.clause("fire-bonus:BONUS.5")
def test_a_bonus_bet_runs_over_points_and_shooters() -> None:
    """Points made and dice passed on do not matter: it ends with a 7 or its last number (F-11)."""
    table, _ = dealt("bet all_small 5", "2 bet pass 5", *rolled(4, 5, 4))
    play(table, "2 pass-dice", "bet pass 5", "1 shoot", *rolled(6, 3, 2))
    assert gain(table) == 170
