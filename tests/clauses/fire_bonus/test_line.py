"""Pass, Don't Pass, Come, Don't Come: what wins, what loses, and who throws next."""

from __future__ import annotations

import pytest

from passline.engine.events import (
    DiceTaken,
    DiceThrown,
    PuckTurned,
    SevenOut,
    WagerPushed,
    WagerTravelled,
    WagerWon,
)
from passline.engine.shooting import offer
from passline.engine.values import ClauseId
from tests.clauses.fire_bonus.felt import FIRE_BONUS, MADE, POINTS, at, booked_with_a_point, dealt, net
from tests.clauses.table_helpers import THROWS, case, every, gain, only, play, ruling, total, up

POINT_9 = "roll 4-5"


def on_first_roll(wins: tuple[int, ...], loses: tuple[int, ...], throw: str) -> int:
    """What $10 on a flat bet gains on its first roll."""
    return 10 if total(throw) in wins else -10 if total(throw) in loses else 0


# --- Pass and Don't Pass --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("clause", "lines", "change"),
    [
        case("fire-bonus:PASS.1", ("roll 5-2",), 10),
        case("fire-bonus:PASS.1", ("roll 6-5",), 10),
        case("fire-bonus:PASS.2", ("roll 1-1",), -10),
        case("fire-bonus:PASS.2", ("roll 1-2",), -10),
        case("fire-bonus:PASS.2", ("roll 6-6",), -10),
        case("fire-bonus:PASS.4", (POINT_9, "roll 6-3"), 10),
        case("fire-bonus:PASS.4", (POINT_9, "roll 6-5", "roll 1-1", "roll 6-3"), 10),
        case("fire-bonus:PASS.5", (POINT_9, "roll 4-3"), -10),
        case("fire-bonus:PASS.5", (POINT_9, "roll 6-6", "roll 4-3"), -10),
    ],
)
def test_pass(clause: str, lines: tuple[str, ...], change: int) -> None:
    """Pass is decided by the come-out, or by its point against a 7, at even money."""
    table, events = dealt("bet pass 10", *lines)
    assert (gain(table), ruling(events, "pass"), up(table)) == (change, clause, {})


@pytest.mark.clause("fire-bonus:PASS.1", "fire-bonus:PASS.2", "fire-bonus:DONT-PASS.1", "fire-bonus:DONT-PASS.2")
@pytest.mark.parametrize("throw", THROWS)
def test_the_come_out_decides_the_line_by_its_total_alone(throw: str) -> None:
    """Of the 36 throws only 7, 11, 2, 3 and 12 decide a line bet at once."""
    assert net("bet pass 10", f"roll {throw}") == on_first_roll((7, 11), (2, 3, 12), throw)
    assert net("bet dont_pass 10", f"roll {throw}") == on_first_roll((2, 3), (7, 11), throw)


@pytest.mark.clause("fire-bonus:PASS.3", "fire-bonus:DONT-PASS.4")
@pytest.mark.parametrize("wager", ["pass", "dont_pass"])
@pytest.mark.parametrize("throw", THROWS)
def test_any_other_number_sets_the_point(throw: str, wager: str) -> None:
    """A come-out that decides neither line bet puts the puck on its total, for Pass and Don't Pass alike."""
    table, events = dealt(f"bet {wager} 10", f"roll {throw}")
    point = total(throw) if total(throw) in POINTS else None
    assert table.puck == point
    assert every(events, PuckTurned) == ([PuckTurned(point, ClauseId("fire-bonus:PASS.3"))] if point else [])
    if point:
        assert up(table) == {wager: 10}


@pytest.mark.parametrize(
    ("clause", "lines", "change"),
    [
        case("fire-bonus:DONT-PASS.1", ("roll 1-1",), 10),
        case("fire-bonus:DONT-PASS.1", ("roll 1-2",), 10),
        case("fire-bonus:DONT-PASS.2", ("roll 4-3",), -10),
        case("fire-bonus:DONT-PASS.2", ("roll 6-5",), -10),
        case("fire-bonus:DONT-PASS.5", ("roll 2-2", "roll 6-1"), 10),
        case("fire-bonus:DONT-PASS.5", ("roll 2-2", "roll 6-5", "roll 6-1"), 10),
        case("fire-bonus:DONT-PASS.5", ("roll 2-2", "roll 3-1"), -10),
    ],
)
def test_dont_pass(clause: str, lines: tuple[str, ...], change: int) -> None:
    """Don't Pass is Pass the other way round, but for the 12."""
    table, events = dealt("bet dont_pass 10", *lines)
    assert (gain(table), ruling(events, "dont_pass"), up(table)) == (change, clause, {})


@pytest.mark.clause("fire-bonus:DONT-PASS.5")
@pytest.mark.parametrize("point", POINTS)
def test_dont_pass_on_every_point(point: int) -> None:
    """A 7 first wins, the point first loses, and nothing else decides it."""
    for end, change in ((7, 10), (point, -10)):
        between = ("roll 6-6", "roll 2-1", "roll 6-5")
        table, events = dealt("bet dont_pass 10", f"roll {MADE[point]}", *between, f"roll {MADE[end]}")
        assert (gain(table), ruling(events, "dont_pass"), up(table)) == (change, "fire-bonus:DONT-PASS.5", {})


@pytest.mark.clause("fire-bonus:DONT-PASS.3")
def test_twelve_on_the_come_out_is_a_push_for_dont_pass() -> None:
    """On 12 Don't Pass neither wins nor loses while Pass loses; it stays up for the next come-out."""
    table = at("bet dont_pass 10", "2 bet pass 10", seats=2)
    assert ruling(play(table, "roll 6-6"), "dont_pass") == "fire-bonus:DONT-PASS.3"
    assert (gain(table, 1), gain(table, 2), up(table)) == (0, -10, {"dont_pass": 10})
    assert net("bet dont_pass 10", "roll 6-6", "roll 6-5") == -10
    assert net("bet dont_pass 10", "roll 2-2", "roll 6-6", "roll 6-1") == 10


# --- The dice move on -----------------------------------------------------------------------------------------------


EITHER_WAY = pytest.mark.parametrize(
    "wager",
    [
        pytest.param("pass", marks=pytest.mark.clause("fire-bonus:PASS.6")),
        pytest.param("dont_pass", marks=pytest.mark.clause("fire-bonus:DONT-PASS.6")),
    ],
)
"""The guide says it twice: of the shooter who bet Pass, and of the one who bet Don't Pass."""


@EITHER_WAY
def test_a_7_out_gives_the_dice_to_the_next_player(wager: str) -> None:
    """Whichever way the shooter bet: the dice leave, the player to the left is asked and throws next."""
    table = at(f"bet {wager} 10", "2 bet pass 10", "3 bet pass 10", POINT_9, seats=3)
    assert only(play(table, "roll 4-3"), SevenOut) == SevenOut(1, ClauseId("fire-bonus:PASS.6"))
    assert (table.shooter, offer(FIRE_BONUS.layout, table.state)) == (None, 2)
    play(table, f"bet {wager} 10", "2 bet pass 10", "3 bet pass 10")
    events = play(table, POINT_9)
    assert only(events, DiceTaken) == DiceTaken(2, ClauseId("fire-bonus:PASS.6"))
    assert only(events, DiceThrown).thrower == 2


@EITHER_WAY
@pytest.mark.parametrize("lines", [("roll 4-3",), ("roll 6-6",), ("roll 6-5",), (POINT_9, "roll 6-3", "roll 4-3")])
def test_nothing_but_a_7_out_takes_the_dice(wager: str, lines: tuple[str, ...]) -> None:
    """A come-out 7, craps and a point made leave the dice with the same shooter."""
    table = at("shoot", seats=2)
    for line in lines:
        if table.puck is None and wager not in up(table):
            play(table, f"bet {wager} 10")
        assert every(play(table, line), SevenOut) == []
    assert table.shooter == 1


# --- Come and Don't Come --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("clause", "wager"), [case("fire-bonus:COME.1", "come"), case("fire-bonus:DONT-COME.1", "dont_come")]
)
def test_a_come_bet_is_made_once_a_point_is_set(clause: str, wager: str) -> None:
    """At any time while a point is on; on a come-out, the first or a later one, it is refused."""
    booked_with_a_point(wager, clause)


@pytest.mark.clause("fire-bonus:COME.2")
@pytest.mark.parametrize(
    ("lines", "wager", "change"),
    [
        (("roll 6-5",), "come", 10),
        (("roll 6-1",), "come", 10),
        (("roll 6-6",), "come", -10),
        (("roll 3-3", "roll 5-1"), "come_6", 10),
        (("roll 3-3", "roll 4-3"), "come_6", -10),
    ],
)
def test_come(lines: tuple[str, ...], wager: str, change: int) -> None:
    """Point 9: the roll after a Come is its come-out, and its number is its point."""
    table, events = dealt(POINT_9, "bet come 10", *lines)
    assert (gain(table), ruling(events, wager), up(table)) == (change, "fire-bonus:COME.2", {})


@pytest.mark.clause("fire-bonus:DONT-COME.2")
@pytest.mark.parametrize(
    ("lines", "wager", "change"),
    [
        (("roll 1-2",), "dont_come", 10),
        (("roll 6-5",), "dont_come", -10),
        (("roll 6-1",), "dont_come", -10),
        (("roll 2-2", "roll 4-3"), "dont_come_4", 10),
        (("roll 2-2", "roll 3-1"), "dont_come_4", -10),
    ],
)
def test_dont_come(lines: tuple[str, ...], wager: str, change: int) -> None:
    """Point 9: the roll after a Don't Come is its come-out, and its number is its point."""
    table, events = dealt(POINT_9, "bet dont_come 10", *lines)
    assert (gain(table), ruling(events, wager), up(table)) == (change, "fire-bonus:DONT-COME.2", {})


@pytest.mark.clause("fire-bonus:DONT-COME.2")
def test_the_push_on_twelve_carries_over() -> None:
    """A Don't Come that sees 12 first stays in its box for another first roll."""
    table, events = dealt(POINT_9, "bet dont_come 10", "roll 6-6")
    assert only(events, WagerPushed).clause == "fire-bonus:DONT-COME.2"
    assert (gain(table), up(table)) == (0, {"dont_come": 10})
    assert net(POINT_9, "bet dont_come 10", "roll 6-6", "roll 6-5") == -10


@pytest.mark.parametrize(
    ("clause", "come", "line"),
    [case("fire-bonus:COME.2", "come", "pass"), case("fire-bonus:DONT-COME.2", "dont_come", "dont_pass")],
)
@pytest.mark.parametrize("first", MADE)
@pytest.mark.parametrize("second", MADE)
def test_a_come_bet_works_like_a_line_bet(clause: str, come: str, line: str, first: int, second: int) -> None:
    """Any two rolls: a come bet made on a point ends as a line bet made on a come-out does."""
    rolls = (f"roll {MADE[first]}", f"roll {MADE[second]}")
    table, events = dealt(POINT_9, f"bet {come} 10", *rolls)
    other, _ = dealt(f"bet {line} 10", *rolls)
    assert gain(table) == gain(other)
    assert list(up(table).values()) == list(up(other).values())
    for won in every(events, WagerWon, seat=1):
        assert won.rule == clause


@pytest.mark.parametrize(
    ("clause", "kind"), [case("fire-bonus:COME.2", "come"), case("fire-bonus:DONT-COME.2", "dont_come")]
)
@pytest.mark.parametrize("number", POINTS)
def test_a_come_bet_has_a_point_of_its_own(clause: str, kind: str, number: int) -> None:
    """The box number of its first roll, the table's own point included, by the rule of the line bet it works like."""
    table, events = dealt(POINT_9, f"bet {kind} 10", f"roll {MADE[number]}")
    moved = only(events, WagerTravelled)
    assert (moved.to, moved.clause) == (f"{kind}_{number}", clause)
    assert up(table) == {f"{kind}_{number}": 10}
