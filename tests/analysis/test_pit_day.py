"""A day of the pit: one seat against the exact law, players on the same dice, and the house's ruin."""

from __future__ import annotations

import math

import pytest

from passline import ask
from passline.analysis.pit_day import pit_day
from passline.errors import ArgumentError

ALWAYS = 10**6
"""Arrivals an hour that leave no seat empty."""


def test_one_player_for_the_whole_day_is_one_evening() -> None:
    """With a seat that is taken at once and kept, the house wins what the exact law says a player loses."""
    law = ask("pass_flat", house="strip", unit=5, rolls=60, at_end="face").exact()
    free = ask("pass_flat", house="strip", unit=5, rolls=60, at_end="face")
    day = pit_day([(free, 1)], seats=1, arrivals=ALWAYS, hours=1, rolls_per_hour=60, days=20_000, seed=4)
    assert abs(day.mean + float(law.mean)) < 3.5 * day.standard_error
    assert day.wins.std() == pytest.approx(math.sqrt(law.variance), rel=0.03)
    assert set(day.served.tolist()) == {1}
    assert day.seated == 1


def test_a_table_shares_its_dice_and_two_tables_do_not() -> None:
    question = ask("pass_flat", house="strip", unit=5, rolls=50, at_end="face")
    spread = {
        (tables, seats): pit_day(
            [(question, 1)], tables=tables, seats=seats, arrivals=ALWAYS, hours=1, rolls_per_hour=50, days=6000, seed=1
        ).wins.var()
        for tables, seats in ((1, 1), (1, 3), (3, 1))
    }
    assert spread[1, 3] == pytest.approx(9 * spread[1, 1], rel=0.08)
    assert spread[3, 1] == pytest.approx(3 * spread[1, 1], rel=0.08)


def test_the_ruined_leave_and_the_house_needs_a_bank() -> None:
    question = ask("pass_flat", house="strip", unit=5, rolls=60, bankroll=20, at_end="face")
    other = ask("darkside", house="strip", unit=5)
    day = pit_day([(question, 3), (other, 1)], tables=2, arrivals=30, hours=4, days=300, seed=9)
    assert 0 < day.ruined.sum() < day.served.sum()
    assert day.p_ruin(1) > day.p_ruin(200) >= 0
    assert day.p_ruin(day.bank_for(0.05) + 1) <= 0.05
    assert "players a day" in str(day)
    with pytest.raises(ArgumentError, match="players"):
        pit_day([])
