"""A day of the pit: one seat against the exact law, players on the same dice, and the house's ruin."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from passline import ask, population
from passline.analysis.pit_day import PitDay, pit_day
from passline.errors import ArgumentError, FileError
from tests.cli.running import refused, run, told

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


def test_a_table_has_one_point_for_all() -> None:
    """Against a plain loop: whoever comes bets with the others from the next come-out, so wins add up."""
    days, seats, rolls, comes = 20_000, 6, 4, 1.0
    random = np.random.default_rng(1)
    win, seated, betting, point = np.zeros((4, days), dtype=int)
    for _ in range(rolls):
        seated = np.minimum(seats, seated + random.poisson(comes, days))
        betting = np.where(point == 0, seated, betting)
        total = random.integers(1, 7, days) + random.integers(1, 7, days)
        off = point == 0
        wins = np.where(off, np.isin(total, (7, 11)), total == point)
        loses = np.where(off, np.isin(total, (2, 3, 12)), total == 7)
        win += betting * (loses.astype(int) - wins)
        point = np.where(off, np.where(wins | loses, 0, total), np.where(wins | loses, 0, point))
    question = ask("pass_flat", house="strip", unit=1, rolls=1000, at_end="face")
    day = pit_day([(question, 1)], seats=seats, arrivals=4, hours=1, rolls_per_hour=rolls, days=days, seed=2)
    assert day.wins.std() == pytest.approx(win.std(), rel=0.02)
    assert abs(day.mean - win.mean()) < 5 * day.standard_error


def test_the_ruined_leave_and_the_house_needs_a_bank() -> None:
    question = ask("pass_flat", house="strip", unit=5, rolls=60, bankroll=20, at_end="face")
    other = ask("darkside", house="strip", unit=5)
    day = pit_day([(question, 3), (other, 1)], tables=2, arrivals=30, hours=4, days=300, seed=9)
    assert 0 < day.ruined.sum() < day.served.sum()
    assert day.p_ruin(1) > day.p_ruin(200) >= 0
    assert "players a day" in str(day)
    with pytest.raises(ArgumentError, match="players"):
        pit_day([])


def test_whoever_comes_takes_any_seat_that_is_free() -> None:
    """Nobody leaves: of those who come, as by Poisson, four are seated; and with seats of a queue, Erlang's loss."""
    stays = ask("pass_flat", house="strip", unit=5, rolls=1000, at_end="face")
    day = pit_day([(stays, 1)], seats=4, arrivals=3, hours=1, rolls_per_hour=60, days=20_000, seed=1)
    seated = sum(min(come, 4) * math.exp(-3) * 3**come / math.factorial(come) for come in range(60))
    assert day.served.mean() == pytest.approx(seated, abs=0.03)  # four standard errors
    visits = ask("pass_flat", house="strip", unit=5, rolls=20, at_end="face")
    busy = pit_day([(visits, 1)], seats=3, arrivals=10, hours=50, rolls_per_hour=100, days=200, seed=1)
    offered = 2.0
    lost = offered**3 / 6 / sum(offered**kept / math.factorial(kept) for kept in range(4))
    assert busy.seated == pytest.approx(offered * (1 - lost), rel=0.02)


def test_a_bank_is_enough_on_all_but_its_share_of_the_days() -> None:
    """Also where many days have the same lowest sum."""
    question = ask("pass_flat", house="strip", unit=5, rolls=30, at_end="face")
    day = pit_day([(question, 1)], seats=1, arrivals=ALWAYS, hours=1, rolls_per_hour=30, days=500, seed=3)
    for risk in (0.01, 0.05, 0.2):
        bank = day.bank_for(risk)
        assert day.p_ruin(bank) <= risk < day.p_ruin(bank - 1)


DAY = """
house = "strip"
hours = 2
rolls_per_hour = 60
arrivals = 6
tables = 2
seats = 3
[[players]]
strategy = "pass_flat"
unit = 10
count = 3
bankroll = 60
stop_win = 50
rolls = 40
[[players]]
strategy = "field"
unit = 5
"""


def test_a_file_with_arrivals_is_a_day(tmp_path: Path) -> None:
    """Each key is what `pit_day` takes; the figures are those of the days themselves."""
    file = tmp_path / "day.toml"
    file.write_text(DAY, encoding="utf-8")
    line = ask("pass_flat", house="strip", unit=10, bankroll=60, stop_win=50, rolls=40)
    how = {"arrivals": 6, "tables": 2, "seats": 3, "hours": 2, "rolls_per_hour": 60, "days": 40, "seed": 3}
    day = pit_day([(line, 3), (ask("field", house="strip", unit=5), 1)], **how, risk=0.1)
    read = population(file, sessions=40, seed=3, risk=0.1)
    assert isinstance(read, PitDay)
    assert read.to_json() == day.to_json()
    (found,) = told("population", file, "--sessions", 40, "--seed", 3, "--risk", 0.1)
    assert found == day.to_json()
    assert [row["win"] for row in found["rows"]] == day.wins.tolist()
    assert found["mean"] == pytest.approx(sum(day.wins) / 40)
    assert found["quantiles"]["0.5"] == pytest.approx(np.median(day.wins))
    lowest = sorted(day.lowest.tolist())
    assert found["reserve"] == f"{-lowest[4]:g}"
    for row in found["ruin"]:
        assert row["ruin"] == sum(-low > float(row["bank"]) for low in lowest) / 40
    assert found["ruin"][-1]["ruin"] == 0 < found["ruin"][0]["ruin"]
    drawn = tmp_path / "day.svg"
    said = run("population", file, "--sessions", 40, "--seed", 3, "--chart", drawn).stdout
    assert "2 tables of 3 seats at The Strip, 120 rolls in 2 hours, 6 an hour come to each" in said
    assert "bank" in drawn.read_text()


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("arrivals = 6\n", "", "tables: found 2; expected arrivals = 12 beside it"),
        ("arrivals = 6", "arrivals = 0", "arrivals: found 0; expected an amount above 0"),
        ("seats = 3", "seats = 0", "seats: found 0; expected a whole number from 1"),
        ("rolls = 40", "rolls = 0", "players 1.rolls: found 0"),
        ("rolls = 40", "hands = 4", "players 1.hands: found an unknown key"),
        ("seats = 3", "seat = 3", "seat: found an unknown key"),
    ],
)
def test_a_day_that_is_none_is_said(tmp_path: Path, old: str, new: str, says: str) -> None:
    file = tmp_path / "day.toml"
    file.write_text(DAY.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(FileError) as error:
        population(file)
    assert says in str(error.value)


def test_what_was_not_in_the_file_is_said_as_it_was_typed(tmp_path: Path) -> None:
    file = tmp_path / "day.toml"
    file.write_text(DAY, encoding="utf-8")
    assert refused("population", file, "--fractions", code=2).startswith("--fractions: ")
    assert refused("population", file, "--sessions", 1, code=2).startswith("--sessions: found 1; ")
    assert refused("population", file, "--risk", 2, code=2).startswith("--risk: found 2")


def test_a_pit_has_one_house() -> None:
    with pytest.raises(ArgumentError, match="one house"):
        pit_day([(ask("pass_flat", house="strip"), 1), (ask("pass_flat", house="sydney"), 1)])
