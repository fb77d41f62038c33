"""The best setting of a question: held against a loop over `ask`, and what is no figure is said."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from passline import Outcome, Player, View, ask, best
from passline.errors import ArgumentError
from tests.cli.running import run


def test_the_best_setting_is_that_of_a_plain_loop(tmp_path: Path) -> None:
    over = {"bankroll": ["20", "40", "60"], "stop_win": ["10", "30"]}
    found = best(
        "pass_flat", over=over, maximise="p_at_least(10)", subject_to="p_ruin <= 0.2", house="strip", unit=5, rolls=40
    )
    laws = {
        (bank, win): ask("pass_flat", house="strip", unit=5, rolls=40, bankroll=bank, stop_win=win).exact()
        for bank in over["bankroll"]
        for win in over["stop_win"]
    }
    allowed = {key: float(law.p_at_least(10)) for key, law in laws.items() if law.p_ruin <= 0.2}
    assert found.best is not None
    assert found.best.values == max(allowed, key=lambda key: allowed[key])
    assert len(allowed) < len(laws), "the condition rules something out"
    frontier = [(float(each.law.p_ruin), each.figure) for each in found.frontier]
    assert frontier == sorted(frontier)
    assert all(
        not any(float(law.p_ruin) < ruin and float(law.p_at_least(10)) >= figure for law in laws.values())
        for ruin, figure in frontier
    )
    found.chart(tmp_path / "frontier.png")
    assert (tmp_path / "frontier.png").stat().st_size > 1000
    assert len(found.frame()) == 6


def test_a_question_is_asked_with_its_own_terms() -> None:
    """What `ask` made is searched as what it was made of; places in its file and odds of its sign are settings too."""
    terms: dict[str, Any] = {"house": "strip", "unit": 5, "rolls": 30, "bankroll": 100, "notice": "min=5 max=500"}
    over = {"stop_win": [20, 50], "odds": [1, 2]}
    asked = best(ask("pass_max_odds", **terms), over=over, maximise="p_at_least(20)")
    named = best("pass_max_odds", over=over, maximise="p_at_least(20)", **terms)
    assert [each.figure for each in asked.candidates] == [each.figure for each in named.candidates]
    assert best(ask("pass_flat", rolls=20), over={"want.0.up.pass": [1, 2]}, maximise="mean").best is not None


def test_where_nothing_keeps_to_the_conditions_it_is_said() -> None:
    found = best("pass_flat", over={"unit": [5]}, maximise="mean", subject_to=["p_ahead > 0.9"], rolls=10)
    assert found.best is None
    assert "None of 1 settings" in str(found)


@pytest.mark.parametrize("text", ["p_ruim", "__import__('os')", "mean.real", "p_at_least()", "", "mean; 1", "[1]"])
def test_what_is_no_figure_is_said(text: str) -> None:
    with pytest.raises(ArgumentError, match="maximise"):
        best("pass_flat", over={"unit": [5]}, maximise=text)


def test_what_is_no_condition_is_said() -> None:
    with pytest.raises(ArgumentError, match="subject_to"):
        best("pass_flat", over={"unit": [5]}, maximise="mean", subject_to="p_ruin")


def test_the_command_has_the_frontier() -> None:
    shown = run("search", "pass_flat", "--over", "stop-win=10,20", "--maximise", "p_ahead", "--rolls", 20, "--unit", 5)
    assert "The best of 2 settings for p_ahead is stop_win 10" in shown.stdout


class Double(Player):
    """The field, doubled after a loss up to a top."""

    def __init__(self, top: int) -> None:
        self.top = top

    def start(self) -> None:
        self.stake = 1

    def wants(self, _view: View) -> dict[str, int]:
        return {"field": self.stake}

    def after(self, outcome: Outcome) -> None:
        self.stake = 1 if outcome.won("field") or self.stake >= self.top else 2 * self.stake


FIGURES = ("p_at_least(10)", "p_at_most(-10)", "quantile(0.5)", "p_stop_loss", "hands", "mean")


@pytest.mark.parametrize("figure", FIGURES)
def test_a_search_in_python_is_of_samples_and_says_so(figure: str) -> None:
    terms: dict[str, Any] = {"house": "strip", "unit": 5, "rolls": 20, "stop_loss": 40}
    found = best(Double(1), over={"top": [1, 4]}, maximise=figure, sessions=60, seed=3, **terms)
    for each, top in zip(found.candidates, (1, 4), strict=True):
        sample = ask(Double(top), **terms).simulate(sessions=60, seed=3)
        nets = [net for net, count in sample.net for _ in range(count)]
        assert each.figure == pytest.approx(
            {
                "p_at_least(10)": sum(net >= 10 for net in nets) / 60,
                "p_at_most(-10)": sum(net <= -10 for net in nets) / 60,
                "quantile(0.5)": float(sorted(nets)[29]),
                "p_stop_loss": sum(net <= -40 for net in nets) / 60,
                "hands": sample.hands / 60,
                "mean": float(sum(nets) / 60),
            }[figure]
        )
    assert "60 sessions on the same dice, seed 3" in str(found)


def test_the_figure_that_is_kept_low_may_be_the_one_that_is_looked_for() -> None:
    found = best("pass_flat", over={"stop_win": [5, 50]}, maximise="p_ruin", rolls=10)
    assert "stop win  p ruin  allowed" in str(found)
