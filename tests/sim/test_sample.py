"""Results: exact counts in, exact figures out, files whole or not at all."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from passline.errors import PackageMissingError
from passline.machine.terms import Terms
from passline.sim import Sample, simulate
from passline.sim.sample import Amounts, Histogram
from tests.odds.machines import pass_line
from tests.sim.yardstick import molly

if TYPE_CHECKING:
    from pathlib import Path

INTEGERS = st.lists(st.integers(-(2**61), 2**61) | st.integers(-50, 50), min_size=1, max_size=40)


@pytest.fixture(scope="module")
def result() -> Sample:
    """A short run with fractions of a unit."""
    return simulate(replace(molly(), minor_unit=Fraction(1, 3)), Terms(80, bankroll=60), sessions=400, backend="numpy")


@given(INTEGERS, INTEGERS)
def test_histograms_add_up_like_what_they_count(one: list[int], other: list[int]) -> None:
    """Counting together is counting apart and adding, in either order."""
    parts = [Histogram.of(np.array(seen, dtype=np.int64)) for seen in (one, other)]
    whole = Histogram.of(np.array(one + other, dtype=np.int64))
    assert Histogram.sum(parts) == whole == Histogram.sum(reversed(parts))
    assert whole.total == len(one + other)


@given(INTEGERS)
def test_histogram_moments_are_exact(seen: list[int]) -> None:
    """Mean and variance to the last digit, whatever the size."""
    histogram, n = Histogram.of(np.array(seen, dtype=np.int64)), len(seen)
    mean = Fraction(sum(seen), n)
    assert histogram.mean == mean
    assert histogram.variance == (sum((x - mean) ** 2 for x in seen) / (n - 1) if n > 1 else 0)
    assert list(histogram) == [(x, seen.count(x)) for x in sorted(set(seen))]


def test_json_is_exact_and_complete(result: Sample) -> None:
    """Amounts are exact text, counts whole numbers, and the mean can be found again from the histogram."""
    data = json.loads(json.dumps(result.to_json()))
    nets = {Fraction(amount): count for amount, count in data["histogram"].items()}
    assert sum(nets.values()) == data["sessions"] == 400
    assert sum(amount * count for amount, count in nets.items()) / 400 == Fraction(data["mean"]) == result.mean
    assert float(data["mean_decimal"]) == pytest.approx(float(result.mean))
    assert set(data["quantiles"]) == {"0.01", "0.05", "0.25", "0.5", "0.75", "0.95", "0.99"}
    assert sum(data["ruin_rolls"].values()) == data["endings"]["ruin"]
    assert Fraction(data["p_ruin"]) == Fraction(data["endings"]["ruin"], 400)
    assert len(data["fan"]["rolls"]) == len(data["fan"]["quantiles"]["0.5"]) == 81
    assert data["seed"] == 0
    assert data["terms"]["bankroll"] == "60"


def test_csv_has_one_line_for_each_net(result: Sample, tmp_path: Path) -> None:
    """Exact, decimal, count."""
    result.write_csv(tmp_path / "net.csv")
    head, *lines = (tmp_path / "net.csv").read_text(encoding="utf-8").splitlines()
    assert head == "strategy,house,seed,net,net_decimal,sessions"
    assert [(Fraction(net), int(count)) for _, _, _, net, _, count in (line.split(",") for line in lines)] == [
        *result.net
    ]


def test_parquet_can_be_read_back(result: Sample, tmp_path: Path) -> None:
    """The same counts come out of the file."""
    polars = pytest.importorskip("polars")
    result.write_parquet(tmp_path / "net.parquet")
    frame = polars.read_parquet(tmp_path / "net.parquet")
    assert frame.equals(result.frame())
    assert tuple(Fraction(net) for net in frame["net"]) == result.net.values
    assert frame["sessions"].sum() == result.sessions


def test_a_notebook_shows_the_figures_and_escapes_names(result: Sample) -> None:
    """A strategy may be called anything."""
    shown = replace(result, about={"strategy": "<b>&"})._repr_html_()
    assert "&lt;b&gt;&amp;" in shown
    assert "<svg" in shown
    assert "400" in shown


def test_zscore_counts_standard_errors(result: Sample) -> None:
    """Zero when they agree, infinite when nothing could vary and yet it differs."""
    assert result.z_score(result.mean, result.variance) == 0
    assert result.z_score(result.mean - 1, Fraction(400)) == pytest.approx(1)
    assert result.z_score(result.mean + 1, 0) == float("-inf")


def test_a_sample_has_the_figures_of_a_law() -> None:
    """Means of a session, as money, under the names that a law has."""
    result = simulate(replace(pass_line(), minor_unit=Fraction(1, 3)), Terms(80), sessions=400, backend="numpy")
    assert result.action == result.decided / 400
    assert result.edge == -result.mean / result.action
    assert result.rolls_played == Fraction(result.rolls, 400)
    assert result.run_out_rolls == 0
    assert result.loss_per_hour == -result.mean * 100 / (result.rolls_played + result.run_out_rolls)
    assert (result.best, result.worst) == (result.quantile(1), result.net.values[0])
    assert Fraction(result.to_json()["edge"]) == result.edge


def test_a_frame_without_polars_says_what_to_install(result: Sample, monkeypatch: pytest.MonkeyPatch) -> None:
    """An error of ours, which is an ImportError too."""
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(PackageMissingError, match=r"a frame needs Polars.*pip install .*\[analysis\]"):
        result.frame()


def test_nets_drawdowns_and_the_fan_are_money(result: Sample) -> None:
    """The machine counts in thirds; whoever reads a sample never sees a minor unit."""
    nets = dict(result.net)
    assert sum(net * count for net, count in nets.items()) / 400 == result.mean == result.net.mean
    assert {net.denominator for net in nets} == {1, 3}
    assert (result.net.values[0], result.net.values[-1]) == (result.worst, result.best)
    assert (result.net.least, result.net.most) == (result.worst, result.best)
    assert result.net.floats().tolist() == [float(net) for net in nets]
    assert result.net.quantile(Fraction(1, 2)) == result.quantiles[0.5]
    assert 0 <= result.drawdown.least <= result.drawdown.most <= result.best + 60
    fan = result.fan
    assert list(fan.quantiles) == list(result.quantiles)
    assert all(len(net) == len(fan.rolls) for net in (*fan.quantiles.values(), *fan.paths))
    assert {net.denominator for path in fan.paths for net in path} == {1, 3}
    falls = [max(max(path[: i + 1]) - path[i] for i in range(len(path))) for path in fan.paths]
    assert max(falls) <= result.drawdown.most
    assert all(fall in result.drawdown.values for fall in falls)


def test_the_same_money_is_equal_in_any_minor_unit() -> None:
    """A game played without its machine may count in cents."""
    one = Amounts(Histogram.of(np.array([-1, 2, 2])), Fraction(5))
    assert one == Amounts(Histogram.of(np.array([-5, 10, 10])), Fraction(1))
    assert one != Amounts(Histogram.of(np.array([-5, 10])), Fraction(1))
