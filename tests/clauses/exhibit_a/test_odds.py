"""Supplemental wagers: the right to support a flat bet, how much, and what it is paid."""

from __future__ import annotations

import pytest

from passline.codec.printed import notice_json
from passline.engine.events import WagerUp, WagerWon
from passline.errors import ArgumentError
from passline.table import Table
from tests.clauses.exhibit_a.felt import EXHIBIT_A, MADE, POINTS, another, dealt, net
from tests.clauses.felt import odds_key, with_flat
from tests.clauses.table_helpers import case, gain, only, play, refused, ruling, up

TAKEN = {4: (10, 20), 5: (10, 15), 6: (10, 10), 8: (10, 10), 9: (10, 15), 10: (10, 20)}
"""What $10 of taken odds wins, by point."""

LAID = {4: (24, 12), 5: (16, 12), 6: (16, 12), 8: (16, 12), 9: (16, 12), 10: (24, 12)}
"""The most that may be laid behind a $12 don't bet, and what it wins, by point."""


# --- The right ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("clause", "kind"),
    [
        case("exhibit-a:supplemental(1).1", "pass"),
        case("exhibit-a:supplemental(2).1", "dont_pass"),
        case("exhibit-a:supplemental(3).1", "come"),
        case("exhibit-a:supplemental(4).1", "dont_come"),
    ],
)
@pytest.mark.parametrize("number", POINTS)
def test_a_flat_bet_on_its_point_may_be_supported(clause: str, kind: str, number: int) -> None:
    """Once the point is set the player adds to it; not before, and not without the flat bet."""
    wager = odds_key(kind, number)
    lines = with_flat(kind, number, 10)
    table, events = dealt(*lines, f"bet {wager} 10")
    assert only(events, WagerUp).clause == clause
    assert up(table)[wager] == 10
    table, _ = dealt(*lines[:-1])
    no = refused(table, f"bet {wager} 10")
    assert (no.code, no.clause) == ("bet.no_flat", clause)
    table, _ = dealt(another(number), f"roll {MADE[number]}")
    assert refused(table, f"bet {wager} 10").code == "bet.no_flat"


# --- The limit ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("clause", "kind"), [case("exhibit-a:supplemental(1).2", "pass"), case("exhibit-a:supplemental(3).2", "come")]
)
@pytest.mark.parametrize("number", POINTS)
def test_taken_odds_are_limited_to_the_flat_bet(clause: str, kind: str, number: int) -> None:
    """Behind $10 go $10 and not a chip more, on every point, at once or by and by."""
    wager = odds_key(kind, number)
    table, _ = dealt(*with_flat(kind, number, 10))
    for amount in (11, 15):
        no = refused(table, f"bet {wager} {amount}")
        assert (no.code, no.clause) == ("bet.over_odds", clause)
    play(table, f"bet {wager} 6", f"bet {wager} 4")
    assert refused(table, f"bet {wager} 1").code == "bet.over_odds"
    assert up(table)[wager] == 10


@pytest.mark.parametrize(
    ("clause", "kind"),
    [case("exhibit-a:supplemental(2).2", "dont_pass"), case("exhibit-a:supplemental(4).2", "dont_come")],
)
@pytest.mark.parametrize("number", POINTS)
def test_laid_odds_cannot_win_more_than_the_flat_bet(clause: str, kind: str, number: int) -> None:
    """Behind $12: $24 on 4 and 10, $16 on the other points; each then wins $12."""
    wager, (most, win) = odds_key(kind, number), LAID[number]
    table, _ = dealt(*with_flat(kind, number, 12))
    no = refused(table, f"bet {wager} {most + 1}")
    assert (no.code, no.clause) == ("bet.over_odds", clause)
    events = play(table, f"bet {wager} {most}", "roll 6-1")
    assert only(events, WagerWon, wager=wager).won == win * 100


@pytest.mark.parametrize(
    ("clause", "kind"),
    [case("exhibit-a:supplemental(2).2", "dont_pass"), case("exhibit-a:supplemental(4).2", "dont_come")],
)
def test_the_limit_on_a_lay_follows_the_flat_bet(clause: str, kind: str) -> None:
    """$10 on 5 lets $13 be laid, for $13.33 is no chips; cut to $6 it lets $8 stand and the rest goes back."""
    wager, flat = odds_key(kind, 5), "dont_come_5" if "come" in kind else kind
    table, _ = dealt(*with_flat(kind, 5, 10))
    no = refused(table, f"bet {wager} 14")
    assert (no.code, no.clause) == ("bet.over_odds", clause)
    play(table, f"bet {wager} 13", f"take {flat} 6")
    assert (gain(table), up(table)) == (0, {flat: 6, wager: 8})


@pytest.mark.parametrize(
    ("clause", "kind", "behind_ten"),
    [
        case("exhibit-a:supplemental(1).2", "pass", 10),
        case("exhibit-a:supplemental(2).2", "dont_pass", 20),
        case("exhibit-a:supplemental(3).2", "come", 10),
        case("exhibit-a:supplemental(4).2", "dont_come", 20),
    ],
)
@pytest.mark.parametrize("multiple", [1, 2, 5])
def test_the_house_may_limit_odds_and_need_not(clause: str, kind: str, behind_ten: int, multiple: int) -> None:
    """One times is what the player has a right to; a sign may allow more and never less (E-05)."""
    wager, most = odds_key(kind, 4), behind_ten * multiple
    table, _ = dealt(*with_flat(kind, 4, 10), notice=f"min=1 odds={multiple}")
    assert set(notice_json(table.house.layout, table.state.notice)["odds"].values()) == {multiple}
    no = refused(table, f"bet {wager} {most + 1}")
    assert (no.code, no.clause) == ("bet.over_odds", clause)
    play(table, f"bet {wager} {most}")
    with pytest.raises(ArgumentError):
        Table(EXHIBIT_A, notice="odds=0")
    assert EXHIBIT_A.book.notice.odds_from.clause == "exhibit-a:supplemental(1).2"


# --- The price ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("clause", "kind", "flat_clause"),
    [
        case("exhibit-a:supplemental(1).3", "pass", "exhibit-a:payout(1).pass"),
        case("exhibit-a:supplemental(3).3", "come", "exhibit-a:payout(1).come"),
    ],
)
@pytest.mark.parametrize("number", POINTS)
def test_taken_odds_win_and_lose_with_their_bet(clause: str, kind: str, flat_clause: str, number: int) -> None:
    """The flat bet pays 1 to 1, the odds 2 to 1 (4, 10), 3 to 2 (5, 9) or even money (6, 8); a 7 takes both."""
    stake, win = TAKEN[number]
    wager = odds_key(kind, number)
    lines = (*with_flat(kind, number, 10), f"bet {wager} {stake}")
    table, events = dealt(*lines, f"roll {MADE[number]}")
    assert (gain(table), up(table)) == (10 + win, {})
    odds = only(events, WagerWon, wager=wager)
    assert (odds.won, odds.clause, ruling(events, wager)) == (win * 100, clause, clause)
    assert (str(odds.price), odds.rounding) == ({20: "2 to 1", 15: "3 to 2", 10: "1 to 1"}[win], None)
    flat = only(events, WagerWon, wager=f"come_{number}" if kind == "come" else kind)
    assert (flat.won, flat.clause) == (10_00, flat_clause)
    assert net(*lines, "roll 6-1") == -10 - stake


@pytest.mark.clause("exhibit-a:supplemental(3).3")
@pytest.mark.parametrize("number", POINTS)
def test_come_odds_are_paid_when_they_work(number: int) -> None:
    """Off on a come-out they go back unpaid while the flat Come wins; called On they are paid their price."""
    stake, win = TAKEN[number]
    other = another(number)
    lines = (*with_flat("come", number, 10), f"bet come_odds_{number} {stake}", other)
    assert net(*lines, f"roll {MADE[number]}") == 10
    assert net(*lines, f"on come_odds_{number} by dealer", f"roll {MADE[number]}") == 10 + win


@pytest.mark.parametrize(
    ("clause", "kind", "flat_clause"),
    [
        case("exhibit-a:supplemental(2).3", "dont_pass", "exhibit-a:payout(1).dont-pass"),
        case("exhibit-a:supplemental(4).3", "dont_come", "exhibit-a:payout(1).dont-come"),
    ],
)
@pytest.mark.parametrize("number", POINTS)
def test_laid_odds_win_and_lose_with_their_bet(clause: str, kind: str, flat_clause: str, number: int) -> None:
    """The flat bet pays 1 to 1, the lay 1 to 2 (4, 10) or 3 to 4 (5, 9, 6, 8); the number takes both."""
    stake, win = LAID[number]
    wager = odds_key(kind, number)
    lines = (*with_flat(kind, number, 12), f"bet {wager} {stake}")
    table, events = dealt(*lines, "roll 6-1")
    assert (gain(table), up(table)) == (12 + win, {})
    odds = only(events, WagerWon, wager=wager)
    assert (odds.won, odds.clause, ruling(events, wager)) == (win * 100, clause, clause)
    assert str(odds.price) == ("1 to 2" if number in (4, 10) else "3 to 4")
    flat = only(events, WagerWon, wager=f"dont_come_{number}" if "come" in kind else kind)
    assert (flat.won, flat.clause) == (12_00, flat_clause)
    assert net(*lines, f"roll {MADE[number]}") == -12 - stake
