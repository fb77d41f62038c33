"""Line bets and odds: `line` and `odds`."""

from __future__ import annotations

import pytest

from passline.engine.events import PuckTurned, WagerLost, WagerPushed, WagerReturned, WagerTravelled, WagerUp
from passline.errors import ArgumentError
from tests.clauses.felt import odds_key, with_flat
from tests.clauses.strip.felt import MADE, POINTS, another, at, dealt, net, paid
from tests.clauses.table_helpers import THROWS, case, every, gain, only, play, refused, ruling, total, up

FLAT = ("pass", "dont_pass", "come", "dont_come")
SEVEN = "roll 6-1"


def fresh(wager: str) -> tuple[str, ...]:
    """The lines after which the next roll is this flat bet's first."""
    return ("roll 5-4", f"bet {wager} 10") if wager.endswith("come") else (f"bet {wager} 10",)


def on_point(wager: str, point: int) -> tuple[tuple[str, ...], str]:
    """The lines after which a flat bet stands on a point, and its key there."""
    return with_flat(wager, point), f"{wager}_{point}" if wager.endswith("come") else wager


@pytest.mark.clause("strip:line.made")
@pytest.mark.parametrize("wager", ["dont_pass", "pass"])
def test_line_bets_are_made_before_a_come_out(wager: str) -> None:
    """Before any come-out; with a point on a Don't Pass is refused, and a Pass Line is a put."""
    for lines in ((), ("roll 6-5",), ("roll 5-4", "roll 6-3"), ("roll 5-4", SEVEN)):
        table, events = dealt(*lines, f"bet {wager} 10")
        assert only(events, WagerUp).clause == "strip:line.made"
        assert up(table) == {wager: 10}
    no = refused(at("2 bet pass 10", "roll 5-4", seats=2), "bet dont_pass 10")
    assert (no.code, no.clause) == ("bet.window", "strip:line.made")


@pytest.mark.clause("strip:line.point")
@pytest.mark.parametrize("throw", THROWS)
def test_six_totals_set_a_point(throw: str) -> None:
    """4, 5, 6, 8, 9 and 10 turn the puck; a come-out of anything else leaves it off."""
    events = play(at("bet pass 10"), f"roll {throw}")
    turned = [(event.to, event.clause) for event in every(events, PuckTurned)]
    assert turned == ([(total(throw), "strip:line.point")] if total(throw) in POINTS else [])


@pytest.mark.clause("strip:line.come")
@pytest.mark.parametrize("wager", ["come", "dont_come"])
@pytest.mark.parametrize("point", POINTS)
def test_a_come_bet_travels_to_its_point(wager: str, point: int) -> None:
    """The roll after it is its own come-out."""
    table, events = dealt(another(point), f"bet {wager} 10", f"roll {MADE[point]}")
    moved = only(events, WagerTravelled)
    assert (moved.to, moved.clause) == (f"{wager}_{point}", "strip:line.come")
    assert up(table) == {f"{wager}_{point}": 10}


@pytest.mark.clause("strip:line.come")
@pytest.mark.parametrize("wager", ["come", "dont_come"])
def test_come_bets_are_made_while_a_point_is_on(wager: str) -> None:
    """Never on a come-out, the first or a later one."""
    for lines in ((), ("roll 6-5",), ("roll 5-4", "roll 6-3"), ("roll 5-4", SEVEN)):
        no = refused(dealt(*lines)[0] if lines else at(), f"bet {wager} 10")
        assert (no.code, no.clause) == ("bet.window", "strip:line.come")
    _, events = dealt("roll 5-4", "roll 6-6", f"bet {wager} 10")
    assert only(events, WagerUp).clause == "strip:line.come"


@pytest.mark.clause("strip:line.put")
@pytest.mark.parametrize("wager", ["pass", "come"])
@pytest.mark.parametrize("point", POINTS)
def test_a_bet_with_the_dice_may_be_put_and_raised(wager: str, point: int) -> None:
    """Put or raised on its point, it is paid even money like any other; a don't bet may not."""
    before = (f"roll {MADE[point]}",) if wager == "pass" else (another(point),)
    key = wager if wager == "pass" else f"come_{point}"
    table, events = dealt(*before, f"bet {key} 10")
    assert only(events, WagerUp).clause == "strip:line.put"
    play(table, f"bet {key} 10")
    assert up(table) == {key: 20}
    play(table, f"roll {MADE[point]}")
    assert gain(table) == 20
    against = "dont_pass" if wager == "pass" else f"dont_come_{point}"
    assert refused(dealt(*before)[0], f"bet {against} 10").code in ("bet.window", "wager.not_offered")


FIRST = [
    case("strip:line.pass-natural", ("pass", "come"), (7, 11), 10),
    case("strip:line.pass-craps", ("pass", "come"), (2, 3, 12), -10),
    case("strip:line.dont-craps", ("dont_pass", "dont_come"), (2, 3), 10),
    case("strip:line.dont-natural", ("dont_pass", "dont_come"), (7, 11), -10),
]


@pytest.mark.parametrize(("clause", "wagers", "totals", "change"), FIRST)
def test_the_first_roll(clause: str, wagers: tuple[str, ...], totals: tuple[int, ...], change: int) -> None:
    """These totals decide it at once, by this clause, and no others do so."""
    for wager in wagers:
        for throw in THROWS:
            table, events = dealt(*fresh(wager), f"roll {throw}")
            if total(throw) in totals:
                assert (gain(table), ruling(events, wager)) == (change, clause)
            else:
                assert gain(table) != change


@pytest.mark.clause("strip:line.bar")
@pytest.mark.parametrize("wager", ["dont_pass", "dont_come"])
def test_twelve_is_barred(wager: str) -> None:
    """A first 12 leaves a don't bet as it is, and the next roll decides it; no other total is barred."""
    table, events = dealt(*fresh(wager), "roll 6-6")
    pushed = only(events, WagerPushed)
    assert (pushed.clause, pushed.stays, up(table)[wager], gain(table)) == ("strip:line.bar", True, 10, 0)
    assert not every(events, WagerReturned)
    assert net(*fresh(wager), "roll 6-6", "roll 6-5") == -10
    barred = {total(throw) for throw in THROWS if every(dealt(*fresh(wager), f"roll {throw}")[1], WagerPushed)}
    assert barred == {12}


LATER = [
    case("strip:line.pass-point", ("pass", "come"), "point", 10),
    case("strip:line.pass-seven", ("pass", "come"), "seven", -10),
    case("strip:line.dont-point", ("dont_pass", "dont_come"), "point", -10),
    case("strip:line.dont-seven", ("dont_pass", "dont_come"), "seven", 10),
]


@pytest.mark.parametrize("point", POINTS)
@pytest.mark.parametrize(("clause", "wagers", "end", "change"), LATER)
def test_a_point_against_a_seven(clause: str, wagers: tuple[str, ...], end: str, change: int, point: int) -> None:
    """On every point, whatever else comes first."""
    for wager in wagers:
        lines, key = on_point(wager, point)
        between = [f"roll {MADE[other]}" for other in (2, 3, 11, 12)]
        table, events = dealt(*lines, *between, f"roll {MADE[point if end == 'point' else 7]}")
        assert (gain(table), ruling(events, key)) == (change, clause)


@pytest.mark.clause("strip:line.even")
@pytest.mark.parametrize("wager", FLAT)
def test_flat_bets_are_paid_even_money(wager: str) -> None:
    """On the first roll and on a point."""
    first = "roll 1-1" if wager.startswith("dont") else "roll 6-5"
    assert paid("strip:line.even", wager, "1 to 1", *fresh(wager), first)[1].won == 1000
    lines, key = on_point(wager, 6)
    assert (
        paid("strip:line.even", key, "1 to 1", *lines, SEVEN if wager.startswith("dont") else "roll 4-2")[1].won == 1000
    )


@pytest.mark.clause("strip:line.contract")
@pytest.mark.parametrize("wager", ["pass", "come"])
@pytest.mark.parametrize("point", POINTS)
def test_a_bet_with_the_dice_is_a_contract(wager: str, point: int) -> None:
    """Before its point it comes down; with its point it is neither lowered nor taken."""
    table, _ = dealt(*fresh(wager), f"take {wager}")
    assert (gain(table), up(table)) == (0, {})
    lines, key = on_point(wager, point)
    for line in (f"take {key}", f"take {key} 5"):
        no = refused(dealt(*lines)[0], line)
        assert (no.code, no.clause) == ("take.locked", "strip:line.contract")


@pytest.mark.clause("strip:line.dont-down")
@pytest.mark.parametrize("wager", ["dont_pass", "dont_come"])
@pytest.mark.parametrize("point", POINTS)
def test_a_dont_bet_comes_down_and_not_back_up(wager: str, point: int) -> None:
    """Lowered or taken whenever its player likes; raised again on its point never, other don't bets may be made."""
    lines, key = on_point(wager, point)
    table, _ = dealt(*lines, f"take {key} 5")
    assert up(table) == {key: 5}
    assert refused(table, f"bet {key} 5").code in ("bet.window", "wager.not_offered")
    play(table, f"take {key}")
    assert (gain(table), up(table)) == (0, {})
    assert refused(table, f"bet {key} 5").code in ("bet.window", "wager.not_offered")
    play(table, "bet dont_come 10")
    assert up(table) == {"dont_come": 10}


# --- Odds -----------------------------------------------------------------------------------------------------------

TAKEN = {
    4: (30, "2 to 1"),
    5: (40, "3 to 2"),
    6: (50, "6 to 5"),
    8: (50, "6 to 5"),
    9: (40, "3 to 2"),
    10: (30, "2 to 1"),
}
"""The most that may stand behind ten, and its price."""
LAID = {
    4: (60, "1 to 2"),
    5: (60, "2 to 3"),
    6: (60, "5 to 6"),
    8: (60, "5 to 6"),
    9: (60, "2 to 3"),
    10: (60, "1 to 2"),
}


def odds_on(wager: str, point: int) -> tuple[tuple[str, ...], str]:
    """The lines after which odds may go behind ten on this point, and their key."""
    return with_flat(wager, point), odds_key(wager, point)


@pytest.mark.clause("strip:odds.made")
@pytest.mark.parametrize("wager", FLAT)
def test_odds_go_behind_a_flat_bet_with_a_point(wager: str) -> None:
    """Not before it has one, and not without it."""
    lines, key = odds_on(wager, 6)
    assert only(dealt(*lines, f"bet {key} 6")[1], WagerUp).clause == "strip:odds.made"
    no = refused(dealt(*fresh(wager))[0], f"bet {key} 6")
    assert (no.code, no.clause) == ("bet.no_flat", "strip:odds.made")
    assert refused(dealt("roll 5-1")[0], f"bet {key} 6").code == "bet.no_flat"


@pytest.mark.parametrize("point", POINTS)
@pytest.mark.parametrize(
    ("clause", "wager"),
    [
        case("strip:odds.345", "pass"),
        case("strip:odds.345", "come"),
        case("strip:odds.lay", "dont_pass"),
        case("strip:odds.lay", "dont_come"),
    ],
)
def test_the_most_behind_a_flat_bet(clause: str, wager: str, point: int) -> None:
    """Three, four and five times taken; laid, what wins as much: six times on every point. A chip more is refused."""
    lines, key = odds_on(wager, point)
    most, _ = (LAID if wager.startswith("dont") else TAKEN)[point]
    table, _ = dealt(*lines, f"bet {key} {most}")
    assert up(table)[key] == most
    no = refused(table, f"bet {key} 1")
    assert (no.code, no.clause) == ("bet.over_odds", clause)


@pytest.mark.clause("strip:odds.sign")
def test_a_sign_may_post_another_multiple() -> None:
    """From single odds to a hundred times, on every point alike; or 3-4-5 by name."""
    for posted, most in ((1, 10), (2, 20), (100, 1000)):
        table = at("bet pass 10", "roll 5-1", f"bet pass_odds {most}", notice=f"min=1 odds={posted}")
        assert refused(table, "bet pass_odds 1").code == "bet.over_odds"
    for wrong in (0, 101):
        with pytest.raises(ArgumentError, match="an odds multiple from 1 to 100"):
            at(notice=f"min=1 odds={wrong}")
    by_name = at("bet pass 10", "roll 5-1", "bet pass_odds 50", notice="min=1 odds=3-4-5")
    assert refused(by_name, "bet pass_odds 1").code == "bet.over_odds"


@pytest.mark.clause("strip:odds.decided")
@pytest.mark.parametrize("wager", FLAT)
@pytest.mark.parametrize("point", POINTS)
def test_odds_win_and_lose_with_their_flat_bet(wager: str, point: int) -> None:
    """By one clause, on every point."""
    lines, key = odds_on(wager, point)
    for end in (point, 7):
        table, events = dealt(*lines, f"bet {key} 30", f"roll {MADE[end]}")
        assert ruling(events, key) == "strip:odds.decided"
        wins = (end == 7) == wager.startswith("dont")
        assert bool(every(events, WagerLost, wager=key)) != wins
        assert up(table) == ({wager: 10} if wins and "come" not in wager else {})


@pytest.mark.clause("strip:odds.true")
@pytest.mark.parametrize("wager", FLAT)
@pytest.mark.parametrize("point", POINTS)
def test_odds_are_paid_at_the_true_chances(wager: str, point: int) -> None:
    """2:1, 3:2 and 6:5 taken, 1:2, 2:3 and 5:6 laid, to the chip."""
    lines, key = odds_on(wager, point)
    _, price = (LAID if wager.startswith("dont") else TAKEN)[point]
    pays, per = map(int, price.split(" to "))
    _, won = paid(
        "strip:odds.true", key, price, *lines, f"bet {key} 30", f"roll {MADE[7 if wager.startswith('dont') else point]}"
    )
    assert won.won == 3000 * pays // per
