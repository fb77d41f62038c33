"""Strategies that were once called playable and broke when they were played."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import pytest

from passline.analysis.question import ask
from passline.errors import SessionError, StrategyError
from tests.cli.running import refused, run

if TYPE_CHECKING:
    from pathlib import Path


def wants(**up: object) -> dict[str, object]:
    """A strategy that puts these up whenever it may."""
    return {"name": "x", "description": "x", "unit": 5, "want": [{"up": up}]}


@pytest.mark.parametrize("wager", ["field", "horn", "world"])
def test_nobody_can_bet_to_win_a_sum_at_several_prices(wager: str, tmp_path: Path) -> None:
    """It is said when the strategy is checked, and wherever it is played."""
    with pytest.raises(StrategyError, match=f"wants to win a sum on {wager}, which pays more than one price"):
        ask(wants(**{wager: "to_win(1)"}), house="strip", rolls=2).exact()
    path = tmp_path / "mine.toml"
    path.write_text(f'name = "x"\ndescription = "x"\n[[want]]\nup = {{ {wager} = "to_win(1)" }}\n', encoding="utf-8")
    assert "can be played at no house" in refused("strategy", "check", path, code=1)
    assert "more than one price" in refused("exact", path, "--house", "strip", "--rolls", 2, code=1)
    assert "more than one price" in refused("simulate", path, "--house", "strip", "--sessions", 2, code=1)


@pytest.mark.parametrize(
    ("wager", "amount", "best"),
    [
        ("pass", "to_win(1)", 5),
        ("hop_6_4", "to_win(1)", 5),
        ("any_seven", "to_win(1)", 5),
        ("hard_4", "to_win(1/3)", Fraction(5, 3)),
        ("place_10", "to_win(to_win(2))", Fraction(50, 9)),
    ],
)
def test_a_stake_that_wins_a_sum_is_found_at_the_only_price(wager: str, amount: str, best: object) -> None:
    """Whatever the kind of wager, exactly."""
    working = {"name": "x", "description": "x", "unit": 5, "want": [{"up": {wager: amount}, "on": [wager]}]}
    assert ask(working, house="strip", rolls=1, at_end="face").exact().best == best


def test_a_sum_beyond_counting_is_refused() -> None:
    """Machines count in 64 bits."""
    with pytest.raises(StrategyError, match="more than can be counted"):
        ask(wants(**{"pass": "99999999999999999999", "field": 1}), house="strip", rolls=2).exact()


@pytest.mark.parametrize("rolls", [27, 30, 60])
def test_an_answer_that_no_memory_holds_is_refused_at_once(rolls: int) -> None:
    """Nets that lie far apart are counted before any room is made for them."""
    with pytest.raises(SessionError, match=r"would take over .* GiB"):
        ask("martingale_pass", max_bet=999_999_999_999_999, rolls=rolls).exact()


def test_what_can_be_played_is_still_said(tmp_path: Path) -> None:
    """Every house that has its wagers at one price."""
    path = tmp_path / "mine.toml"
    path.write_text('name = "x"\ndescription = "x"\n[[want]]\nup = { pass = "to_win(1)" }\n', encoding="utf-8")
    assert "can be played at adelaide, " in run("strategy", "check", path).stdout
