"""One evening with other numbers: each row is the law that was asked for by itself."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Any

import pytest

from passline import Player, View, ask, sweep
from passline.errors import ArgumentError, PasslineError
from passline.odds.sessions.distribution import Distribution
from passline.strategies.player.python import Up
from tests.cli.running import refused, run, told

if TYPE_CHECKING:
    from pathlib import Path

TABLE: dict[str, Any] = {"house": "strip", "unit": 1, "rolls": 4}


def test_a_number_of_the_file() -> None:
    """The field for one, two and three units: each as if the file had said so."""
    plain = {"name": "Mine", "description": "The field.", "want": [{"up": {"field": 1}}]}
    found = sweep(plain, {"want.0.up.field": "1..3"}, **TABLE)
    for (said,), law in found.rows:
        asked = ask({**plain, "want": [{"up": {"field": int(said)}}]}, **TABLE)
        assert isinstance(law, Distribution)
        assert law.chances() == asked.exact(fractions=False).chances()
        assert law.mean == pytest.approx(-int(said) * 4 / 36)
    named = sweep(plain, {"want[1].up.field": "1..3"}, **TABLE)  # as a complaint names the place
    assert [law.mean for _, law in named.rows] == [law.mean for _, law in found.rows]
    assert plain["want"] == [{"up": {"field": 1}}]


def test_every_combination_in_order() -> None:
    """Bankrolls by units; the chance of ruin is the law's own."""
    found = sweep("field", {"bankroll": "3..5..2", "unit": [1, "3/2"]}, house="strip", rolls=8)
    assert [values for values, _ in found.rows] == [("3", "1"), ("3", "3/2"), ("5", "1"), ("5", "3/2")]
    for row in found.figures():
        law = ask("field", house="strip", rolls=8, bankroll=row["bankroll"], unit=row["unit"]).exact(fractions=False)
        assert (row["mean"], row["p_ruin"]) == (law.mean, law.p_ruin)


def test_odds_and_dice() -> None:
    """More odds, the same loss on more action; more rolls for each seven, a smaller edge."""
    found = sweep("pass_max_odds", {"odds": [1, 3]}, house="strip", unit=10, rolls=8).figures()
    assert found[0]["mean"] == pytest.approx(found[1]["mean"])
    assert found[0]["action"] < found[1]["action"]
    edges = [row["edge"] for row in sweep("pass_flat", {"dice": "6..7..1/2"}, **TABLE).figures()]
    assert edges == sorted(edges, reverse=True)
    assert edges[0] == pytest.approx(7 / 495)


def test_the_command(tmp_path: Path) -> None:
    """Table, CSV, chart and JSON say the same."""
    files = tmp_path / "s.csv", tmp_path / "s.svg"
    words = ("sweep", "field", "--house", "strip", "--over", "unit=5,10", "--over", "stop-win=20", "--rolls", 5)
    (shown,) = told(*words, "--csv", files[0], "--chart", files[1], "--figure", "mean")
    lines = list(csv.DictReader(io.StringIO(files[0].read_text(encoding="utf-8"))))
    assert [int(line["unit"]) for line in lines] == [row["unit"] for row in shown["rows"]] == [5, 10]
    assert float(lines[1]["mean"]) == shown["rows"][1]["mean"]
    assert "the mean net of a session" in files[1].read_text(encoding="utf-8")
    assert "loss per hour" in run(*words).stdout


@pytest.mark.parametrize(
    ("over", "says"),
    [
        ("unit=five", "--over: found unit = 'five'"),
        ("unit=", "--over: found 'unit='"),
        ("unit", "--over: found 'unit'"),
        ("name=5", "holds a number"),
        ("want.7.up.field=5", "at '7'"),
        ("want.0.up.feild=5", "Nearest: field"),
        ("want.0.up.field=lots", "found want.0.up.field = 'lots'"),
        ("wnat.0=5", "Nearest: want"),
        ("rolls=2.5", "--over: found rolls = '2.5'"),
        ("bankroll=5..1", "a rising range"),
        ("bankroll=1..9999999", "a rising range"),
        ("bankroll=a..b", "a range of numbers"),
        ("want=5", "holds a number"),
        ("unit.x=5", "--over"),
    ],
)
def test_sweeps_over_what_is_no_number(tmp_path: Path, over: str, says: str) -> None:
    """Which word, what was expected, and nothing written."""
    file = tmp_path / "s.csv"
    said = refused("sweep", "field", "--rolls", 3, "--over", over, "--csv", file, code=2)
    assert says in said
    assert not file.exists()


@pytest.mark.parametrize("name", ["unit", "stop-win", "max"])
def test_sweeps_over_one_name_twice(name: str) -> None:
    """Also where a question calls it otherwise than it is typed."""
    assert "each name once" in refused("sweep", "field", "--over", f"{name}=5", "--over", f"{name}=10", code=2)


def test_from_python_too() -> None:
    """Nothing to sweep, too much, a function, a figure that is none."""
    bad: list[tuple[Any, Any]] = [("field", {}), ("field", 3), ("field", {"unit": 5}), ("field", {"unit": []})]
    bad += [(len, {"want.0": [1]}), ("field", {"unit": range(1, 3000)}), ("field", {"unit": [None]})]
    for strategy, over in bad:
        with pytest.raises(PasslineError):
            sweep(strategy, over)
    with pytest.raises(ArgumentError, match="p_ahead"):
        sweep("field", {"unit": [5]}, rolls=2).chart("x.png", "luck")


class MyOdds(Player):
    def __init__(self) -> None:
        self.odds = 1

    def wants(self, view: View) -> Up:
        return {"pass_odds": f"{self.odds}x"} if view.puck else {"pass": 1}


def test_odds_of_a_player_are_its_attribute() -> None:
    swept = sweep(MyOdds(), {"odds": [1, 2]}, house="strip", unit=5, rolls=10, sessions=20, seed=1)
    assert [sample.about["notice"] for _, sample in swept.rows] == [None, None]
    assert swept.rows[0][1].action < swept.rows[1][1].action


def test_a_setting_whose_bets_are_refused_says_so() -> None:
    swept = sweep("pass_odds", {"parameters.odds": [2, 5]}, house="strip", unit=5, rolls=10)
    (sentence,) = swept.refused()
    assert sentence.startswith("parameters.odds 5: the dealers refuse pass_odds")
    assert sentence in str(swept)
    assert swept.to_json()["refused"] == [sentence]


OWN_ODDS = {
    "name": "Own odds",
    "parameters": {"odds": 1},
    "want": [{"up": {"pass": 1}}, {"when": "puck on", "up": {"pass_odds": "1x * odds"}}],
}


@pytest.mark.parametrize("strategy", ["molly_odds", "molly_odds@odds=3", OWN_ODDS], ids=["library", "set", "own"])
def test_odds_are_the_strategys_own_where_it_has_them(strategy: str | dict[str, Any]) -> None:
    """No sign is put up for a parameter, so nothing is rounded."""
    swept = sweep(strategy, {"odds": [1, 2]}, house="strip", unit=5, rolls=10)
    assert [law.about["notice"] for _, law in swept.rows] == [None, None]
    assert swept.rows[0][1].variance < swept.rows[1][1].variance
    signed = sweep("pass_max_odds", {"odds": [1]}, house="strip", unit=5, rolls=10)
    assert any("rounded to chips" in each for each in signed.refused())
