"""The shooter, the numbers, the line and the odds with ten points; the rest of the table is in `nevada`."""

from __future__ import annotations

import pytest

from passline.engine.events import SevenOut, WagerUp
from passline.errors import ArgumentError
from tests.clauses.crapless.felt import CRAPLESS, MADE, POINTS, SEVEN, another, at, dealt
from tests.clauses.table_helpers import THROWS, gain, only, play, refused, ruling, total, up


@pytest.mark.clause("crapless:shooter.hand")
def test_a_shooter_keeps_the_dice_until_a_seven_out() -> None:
    """Through come-out sevens and points made."""
    table = at("bet pass 15", "2 bet pass 15", seats=2)
    for throw in (SEVEN, "roll 6-6", "roll 5-4", "roll 6-6", "roll 1-1", "roll 1-1"):
        play(table, *(() if table.puck else ("bet pass 15",)), throw)
        assert table.shooter == 1
    play(table, "bet pass 15", "roll 5-4")
    out = only(play(table, SEVEN), SevenOut)
    assert (out.shooter, out.clause) == (1, "crapless:shooter.hand")
    assert not table.shooter


@pytest.mark.clause("crapless:sign.props")
@pytest.mark.parametrize("key", ["pass", "place_2", "buy_6", "field"])
def test_every_other_bet_has_the_limits_of_the_table(key: str) -> None:
    """Whatever the sign says of the centre."""
    assert refused(at(notice="min=40 max=50 props=20"), f"bet {key} 39").code == "bet.under_minimum"
    assert refused(at(notice="min=40 max=50 props=20"), f"bet {key} 51").code == "bet.over_maximum"


@pytest.mark.clause("crapless:numbers.wins", "crapless:numbers.loses")
@pytest.mark.parametrize("kind", ["place", "buy"])
@pytest.mark.parametrize("number", POINTS)
def test_a_number_by_every_throw(kind: str, number: int) -> None:
    """Its number wins, a seven loses, and everything else leaves it."""
    key = f"{kind}_{number}"
    for throw in THROWS:
        table, events = dealt(another(number), f"bet {key} 60", f"roll {throw}")
        if total(throw) == number:
            assert (ruling(events, key), gain(table) > 0) == ("crapless:numbers.wins", True)
        elif total(throw) == 7:
            assert (ruling(events, key), gain(table)) == ("crapless:numbers.loses", -60)
        else:
            assert (up(table), gain(table)) == ({key: 60}, 0)


@pytest.mark.clause("crapless:line.put")
@pytest.mark.parametrize("point", POINTS)
def test_a_bet_may_be_put_on_its_point(point: int) -> None:
    """A pass bet behind the puck, a come bet on its number, and both may be raised there."""
    for key, before in (("pass", f"roll {MADE[point]}"), (f"come_{point}", another(point))):
        table, events = dealt(before, f"bet {key} 10")
        assert only(events, WagerUp).clause == "crapless:line.put"
        play(table, f"bet {key} 5", f"roll {MADE[point]}")
        assert gain(table) == 15


@pytest.mark.clause("crapless:line.contract")
@pytest.mark.parametrize(("wager", "key"), [("pass", "pass"), ("come", "come_6")])
def test_a_flat_bet_with_a_point_is_a_contract(wager: str, key: str) -> None:
    """Before its point it comes down; with one it does not, in whole or in part."""
    before = () if wager == "pass" else ("roll 5-4",)
    assert up(dealt(*before, f"bet {wager} 10", f"take {wager} 5")[0]) == {wager: 5}
    table, _ = dealt(*before, f"bet {wager} 10", "roll 5-1")
    for line in (f"take {key}", f"take {key} 5"):
        no = refused(table, line)
        assert (no.code, no.clause) == ("take.locked", "crapless:line.contract")


@pytest.mark.clause("crapless:odds.sign")
@pytest.mark.parametrize("multiple", [1, 3, 100])
def test_a_table_may_post_another_multiple(multiple: int) -> None:
    """From single odds to a hundred times, the same on every point."""
    for point in POINTS:
        table, _ = dealt("bet pass 10", f"roll {MADE[point]}", notice=f"min=1 odds={multiple}")
        play(table, f"bet pass_odds {10 * multiple}")
        assert refused(table, "bet pass_odds 1").code == "bet.over_odds"
    for other in (0, 101):
        with pytest.raises(ArgumentError, match="odds"):
            at(notice=f"odds={other}")
    assert CRAPLESS.book.notice.odds_from.clause == CRAPLESS.book.notice.odds_to.clause == "crapless:odds.sign"
