"""Rule 8: odds taken and laid behind the flat bets, and the multiple that the table shows."""

from __future__ import annotations

import pytest

from passline.codec.printed import notice_json
from passline.engine.events import WagerUp, WagerWon
from passline.errors import ArgumentError
from passline.table import Table
from tests.clauses.table_helpers import case, dealt, gain, net, only, play, refused, ruling, up

POINTS = {4: "roll 3-1", 5: "roll 4-1", 6: "roll 5-1", 8: "roll 5-3", 9: "roll 5-4", 10: "roll 6-4"}
TAKEN = {4: (1, 2), 5: (2, 3), 6: (5, 6), 8: (5, 6), 9: (2, 3), 10: (1, 2)}
"""Stake and win of taken odds; laid odds are the other way round."""


def another(number: int) -> str:
    """A come-out that puts the puck on another number."""
    return "roll 4-4" if number != 8 else "roll 3-3"


def with_flat(kind: str, number: int, flat: int = 10) -> tuple[str, ...]:
    """The lines after which a flat bet stands on a number."""
    if "come" in kind:
        return (another(number), f"bet {kind} {flat}", POINTS[number])
    return (f"bet {kind} {flat}", POINTS[number])


def odds_key(kind: str, number: int) -> str:
    """The odds behind that flat bet."""
    return f"{kind}_odds_{number}" if "come" in kind else f"{kind}_odds"


KINDS = {"a": "pass", "b": "dont_pass", "c": "come", "d": "dont_come"}
"""The flat bet of each paragraph of rule 8."""


# --- May be added ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("clause", "kind"), [case(f"adelaide:8({at}).1", kind) for at, kind in KINDS.items()])
@pytest.mark.parametrize("number", POINTS)
def test_odds_are_added_once_the_flat_bet_has_its_point(clause: str, kind: str, number: int) -> None:
    """Odds go up behind a flat bet on its point; not before it has one, and not without it."""
    wager = odds_key(kind, number)
    table, events = dealt("adelaide", *with_flat(kind, number), f"bet {wager} 30")
    assert only(events, WagerUp).clause == clause
    assert up(table)[wager] == 30
    before = with_flat(kind, number)[:-1]
    table, _ = dealt("adelaide", *before)
    no = refused(table, f"bet {wager} 30")
    assert (no.code, no.clause) == ("bet.no_flat", clause)
    table, _ = dealt("adelaide", another(number), POINTS[number])
    assert refused(table, f"bet {wager} 30").code == "bet.no_flat"


# --- The limit ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("clause", "kind"), [case("adelaide:8(a).2", "pass"), case("adelaide:8(c).2", "come")])
@pytest.mark.parametrize("number", POINTS)
def test_taken_odds_are_at_most_ten_times_the_flat_bet(clause: str, kind: str, number: int) -> None:
    """Behind $10 go $100 and not a chip more, on every point, at once or by and by."""
    wager = odds_key(kind, number)
    table, _ = dealt("adelaide", *with_flat(kind, number))
    for amount in (101, 105):
        no = refused(table, f"bet {wager} {amount}")
        assert (no.code, no.clause) == ("bet.over_odds", clause)
    play(table, f"bet {wager} 60", f"bet {wager} 40")
    assert refused(table, f"bet {wager} 1").code == "bet.over_odds"
    assert up(table)[wager] == 100


@pytest.mark.parametrize(
    ("clause", "kind"), [case("adelaide:8(b).2", "dont_pass"), case("adelaide:8(d).2", "dont_come")]
)
@pytest.mark.parametrize(("number", "most"), [(4, 200), (5, 150), (6, 120), (8, 120), (9, 150), (10, 200)])
def test_laid_odds_win_at_most_ten_times_the_flat_bet(clause: str, kind: str, number: int, most: int) -> None:
    """The limit is on what the lay can win: behind $10, $200 on 4 and 10, $150 on 5 and 9, $120 on 6 and 8."""
    wager = odds_key(kind, number)
    table, _ = dealt("adelaide", *with_flat(kind, number))
    no = refused(table, f"bet {wager} {most + 1}")
    assert (no.code, no.clause) == ("bet.over_odds", clause)
    play(table, f"bet {wager} {most}")
    events = play(table, "roll 6-1")
    assert only(events, WagerWon, wager=wager).won == 100_00


@pytest.mark.clause("adelaide:8(b).2")
def test_laid_odds_shrink_with_their_flat_bet() -> None:
    """A Don't Pass reduced to half lets only half the lay stand; the rest goes to the rail."""
    table, _ = dealt("adelaide", *with_flat("dont_pass", 4), "bet dont_pass_odds 200", "take dont_pass 5")
    assert (gain(table), up(table)) == (0, {"dont_pass": 5, "dont_pass_odds": 100})


@pytest.mark.parametrize(("clause", "kind"), [case(f"adelaide:8({at}).3", kind) for at, kind in KINDS.items()])
@pytest.mark.parametrize("multiple", [1, 2, 3, 10])
def test_the_multiple_on_the_notice_is_the_one_that_binds(clause: str, kind: str, multiple: int) -> None:
    """The sign shows the multiple, from 1 to 10, and the dealers hold odds to it: ($10, point 6, twice) $24 laid."""
    notice = f"min=1 odds={multiple}"
    table, _ = dealt("adelaide", *with_flat(kind, 6), notice=notice)
    shown = notice_json(table.house.layout, table.state.notice)["odds"]
    assert shown == dict.fromkeys(("4", "5", "6", "8", "9", "10"), multiple)
    most = 10 * multiple if "dont" not in kind else 12 * multiple
    wager = odds_key(kind, 6)
    no = refused(table, f"bet {wager} {most + 1}")
    assert (no.code, no.clause) == ("bet.over_odds", clause.removesuffix("3") + "2")
    play(table, f"bet {wager} {most}")
    for wrong in ("odds=11", "odds=0"):
        with pytest.raises(ArgumentError):
            Table("adelaide", notice=wrong)


@pytest.mark.clause("adelaide:8(a).3")
def test_three_times_odds_are_thirty_behind_ten() -> None:
    """With three times posted, $31 behind a $10 Pass Bet is refused; unsaid, the sign shows ten."""
    table, _ = dealt("adelaide", *with_flat("pass", 5), notice="min=1 odds=3")
    assert refused(table, "bet pass_odds 31").code == "bet.over_odds"
    play(table, "bet pass_odds 30")
    assert set((Table("adelaide").notice.odds or {}).values()) == {10}


# --- Paid together --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("clause", "kind"), [case("adelaide:8(a).4", "pass"), case("adelaide:8(c).4", "come")])
@pytest.mark.parametrize("number", POINTS)
def test_taken_odds_win_and_lose_with_their_bet(clause: str, kind: str, number: int) -> None:
    """The flat part is paid 1 to 1 and the odds 2 to 1, 3 to 2 or 6 to 5; a 7 takes both."""
    stake, win = (10 * part for part in TAKEN[number])
    wager = odds_key(kind, number)
    lines = (*with_flat(kind, number), f"bet {wager} {stake}")
    table, events = dealt("adelaide", *lines, POINTS[number])
    assert (gain(table), up(table)) == (10 + win, {})
    assert ruling(events, wager) == clause
    assert net("adelaide", *lines, "roll 6-1") == -10 - stake


@pytest.mark.clause("adelaide:8(a).4")
def test_ten_on_pass_with_thirty_odds_on_five() -> None:
    """$10 + $45 = +$55."""
    assert net("adelaide", "bet pass 10", "roll 4-1", "bet pass_odds 30", "roll 3-2") == 55


@pytest.mark.parametrize(
    ("clause", "kind"), [case("adelaide:8(b).4", "dont_pass"), case("adelaide:8(d).4", "dont_come")]
)
@pytest.mark.parametrize("number", POINTS)
def test_laid_odds_win_and_lose_with_their_bet(clause: str, kind: str, number: int) -> None:
    """The flat part is paid 1 to 1 and the lay 1 to 2, 2 to 3 or 5 to 6; the number takes both."""
    win, stake = (10 * part for part in TAKEN[number])
    wager = odds_key(kind, number)
    lines = (*with_flat(kind, number), f"bet {wager} {stake}")
    table, events = dealt("adelaide", *lines, "roll 6-1")
    assert (gain(table), up(table)) == (10 + win, {})
    assert ruling(events, wager) == clause
    assert net("adelaide", *lines, POINTS[number]) == -10 - stake


@pytest.mark.clause("adelaide:8(d).4")
def test_laid_odds_behind_dont_come_work_on_a_come_out() -> None:
    """Don't Come $10 + lay $30 on 9: a 7 pays $10 + $20, on a come-out too."""
    lines = ("roll 4-4", "bet dont_come 10", "roll 5-4", "bet dont_come_odds_9 30")
    assert net("adelaide", *lines, "roll 6-1") == 30
    assert net("adelaide", *lines, "roll 5-3", "roll 6-1") == 30
