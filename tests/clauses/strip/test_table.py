"""What the shooter and the sign of the strip have for themselves; the rest of its table is in `nevada`."""

from __future__ import annotations

import pytest

from passline.engine.events import SevenOut
from tests.clauses.strip.felt import at
from tests.clauses.table_helpers import only, play, refused

SEVEN = "roll 6-1"


@pytest.mark.clause("strip:shooter.hand")
def test_a_shooter_keeps_the_dice_until_a_seven_out() -> None:
    """Through craps, naturals and points made, and without the line bet too."""
    table = at("bet dont_pass 15", "2 bet pass 15", seats=2)
    for throw in ("roll 6-6", "roll 5-4", "roll 6-5"):
        play(table, throw)
        assert table.shooter == 1
    play(table, "take dont_pass")
    assert table.shooter == 1
    play(table, "roll 6-3", "2 bet pass 15", "1 bet pass 15", "roll 1-1")
    assert table.shooter == 1
    play(table, "2 bet pass 15", "1 bet pass 15", "roll 5-4")
    out = only(play(table, SEVEN), SevenOut)
    assert (out.shooter, out.clause) == (1, "strip:shooter.hand")
    assert not table.shooter


@pytest.mark.clause("strip:sign.side")
@pytest.mark.parametrize("key", ["all_small", "all_tall", "make_em_all"])
def test_side_bets_may_have_limits_of_their_own(key: str) -> None:
    """If the sign gives them; otherwise the table's hold, as they do for every other bet."""
    table = at(f"bet {key} 20", notice="min=40 props=30 side=20-60")
    no = refused(table, f"bet {key} 41")
    assert (no.code, no.clause) == ("bet.over_maximum", "strip:sign.side")
    assert refused(at(notice="min=40 side=20-60"), f"bet {key} 19").code == "bet.under_minimum"
    assert refused(at(notice="min=40"), f"bet {key} 20").code == "bet.under_minimum"


@pytest.mark.clause("strip:sign.side", "strip:sign.props")
@pytest.mark.parametrize("key", ["pass", "dont_pass", "place_6", "buy_6", "lay_6", "field"])
def test_every_other_bet_has_the_limits_of_the_table(key: str) -> None:
    """Whatever the sign says of the centre and of the side bets."""
    assert refused(at(notice="min=40 max=50 props=20 side=30-100"), f"bet {key} 39").code == "bet.under_minimum"
    assert refused(at(notice="min=40 max=50 props=20 side=30-100"), f"bet {key} 51").code == "bet.over_maximum"
