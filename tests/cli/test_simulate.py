"""`passline simulate`, as people and programs use it."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import pytest

from tests.cli.running import refused, run, told

if TYPE_CHECKING:
    from pathlib import Path

FOUND = ("histogram", "quantiles", "fan", "ruin_curve", "drawdown", "winning_run", "losing_run", "rolls", "hands")
WHENCE = ("seed", "house_hash", "strategy_hash", "rolls_per_second", "command")
TIMED = ("rolls_per_second", "seconds", "backend", "threads", "command", "exact", "about", "machine", "long_run")
"""What differs between two runs of the same question, and what follows from the machine alone."""
INTERRUPTIBLE = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from passline.cli import main
sys.argv = ["passline", *sys.argv[1:]]
main()
"""
"""The command with Ctrl-C as a terminal has it, whoever started the tests."""


def counted(result: dict[str, Any]) -> dict[str, Any]:
    """What the dice decided."""
    return {key: value for key, value in result.items() if key not in TIMED}


@pytest.mark.slow
def test_a_result_says_everything_and_where_it_comes_from() -> None:
    """Every figure that is promised, in every result, with the exact answer beside it."""
    (found,) = told(
        *("simulate", "three_point_molly", "--house", "strip", "--unit", 5, "--sessions", 6_000),
        *("--rolls", 100, "--bankroll", 200, "--seed", 7),
    )
    assert not {*FOUND, *WHENCE} - set(found)
    assert (found["seed"], found["sessions"], found["complete"]) == (7, 6_000, True)
    assert sum(found["histogram"].values()) == 6_000
    assert found["rolls_per_second"] > 0
    assert found["exact"]["mean"]
    assert abs(found["z_score"]) < 4
    assert all(abs(z) < 4.5 for z in found["exact"]["z_scores"].values())
    assert found["ruin_curve"][-1][1] == pytest.approx(float(found["p_ruin_decimal"]))
    command = found["command"].split()
    assert command[:2] == ["passline", "simulate"]
    (again,) = told(*command[1:])
    assert counted(again) == counted(found)


@pytest.mark.slow
@pytest.mark.parametrize(
    "strategy",
    ["pass_max_odds", *(pytest.param(each, marks=pytest.mark.campaign) for each in ("hit_and_run", "place_6_8"))],
)
def test_every_backend_tells_the_same(strategy: str) -> None:
    """The engine, NumPy and Numba, one thread or two: the same dice, the same counts."""
    words = ("simulate", strategy, "--sessions", 12, "--rolls", 60, "--bankroll", 400, "--seed", 3, "--no-exact")
    results = [
        told(*words, "--backend", backend, "--threads", threads)[0]
        for backend, threads in (("engine", 1), ("numpy", 1), ("numba", 1), ("numba", 2), ("auto", 2))
    ]
    assert [result["backend"] for result in results] == ["engine", "numpy", "numba", "numba", "numpy"]
    assert all(counted(result) == counted(results[0]) for result in results)


@pytest.mark.slow
def test_several_strategies_get_the_same_dice() -> None:
    """Alone or in company, a strategy comes to the same."""
    words = ("--house", "strip", "--sessions", 500, "--rolls", 50, "--seed", 11)
    together = told("simulate", "pass_flat", "field", *words)
    assert [each["strategy"] for each in together] == ["pass_flat", "field"]
    assert counted(told("simulate", "field", *words)[0]) == counted(together[1])


@pytest.mark.slow
def test_a_seed_that_nobody_chose_is_told() -> None:
    """Two runs differ, and each can be had again."""
    first, second = (told("simulate", "field", "--sessions", 50, "--rolls", 20)[0] for _ in range(2))
    assert first["seed"] != second["seed"]
    assert f"--seed {first['seed']}" in first["command"]


@pytest.mark.slow
def test_hands_end_a_session() -> None:
    """After the second seven-out it is over, and rolls enough for that are the default."""
    (found,) = told("simulate", "pass_flat", "--hands", 2, "--sessions", 400, "--seed", 1)
    assert found["endings"]["hands"] == 400
    assert found["hands"] == 800
    exact = found["exact"]
    assert exact["until_hands"] == 2
    assert float(exact["hands"]) == pytest.approx(2)
    assert float(exact["edge_decimal"]) == pytest.approx(7 / 495, abs=1e-6), (
        "every bet is decided by the time the hands are over"
    )
    assert abs(found["z_score"]) < 4


@pytest.mark.slow
def test_a_strategy_without_end_is_played_roll_by_roll() -> None:
    """There is no machine to look up; the interpreted engine plays, and says why it is slow."""
    words = ("simulate", "martingale_pass", "--sessions", 4, "--rolls", 90, "--bankroll", 1_000, "--seed", 2)
    result = run(*words, "--json")
    assert result.exit_code == 0
    assert "climbs without end" in result.stderr
    assert "interpreted engine" in result.stderr
    found = json.loads(result.stdout)
    assert (found["backend"], found["exact"]) == ("engine", None)
    (bounded,) = told(*words, "--max", 1_000)
    assert bounded["backend"] == "numpy"
    assert bounded["histogram"] == found["histogram"]


def test_the_card_tells_people() -> None:
    """Figures counted and exact, quantiles, the session over time, and several side by side."""
    words = ("simulate", "pass_flat", "field", "--sessions", 5_000, "--rolls", 60, "--bankroll", 100, "--seed", 4)
    result = run(*words)
    assert result.exit_code == 0, result.stderr
    heads = ("simulated", "95 % interval", "exact", "after rolls", "strategy ")
    for said in (*heads, "drawdown", "longest losing run"):
        assert said in result.stdout
    assert (
        "Again: passline simulate pass_flat field --house adelaide --unit 5 --rolls 60 --bankroll 100 --sessions 5000"
        in result.stdout
    )


@pytest.mark.slow
def test_files_hold_every_session(tmp_path: Path) -> None:
    """CSV and Parquet have a line for each net of each strategy; a chart is drawn in light and dark."""
    import polars as pl

    table, frame, chart = tmp_path / "nets.csv", tmp_path / "nets.parquet", tmp_path / "nets.svg"
    words = ("simulate", "pass_flat", "field", "--sessions", 300, "--rolls", 40, "--seed", 5)
    assert run(*words, "--csv", table, "--parquet", frame, "--chart", chart).exit_code == 0
    with table.open(newline="") as file:
        rows = list(csv.DictReader(file))
    for name in ("pass_flat", "field"):
        assert sum(int(row["sessions"]) for row in rows if row["strategy"] == name) == 300
    assert pl.read_parquet(frame)["sessions"].sum() == 600
    assert chart.read_text().lstrip().startswith("<?xml")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["nets.csv", "nets.parquet", "nets.svg"]


@pytest.mark.slow
def test_ctrl_c_keeps_what_is_done(tmp_path: Path) -> None:
    """What was rolled is told and written, the rest is named, and the exit code says it was cut short."""
    table = tmp_path / "kept.csv"
    words = ("simulate", "pass_flat", "field", "--sessions", 2_000_000_000, "--seed", 1, "--json", "--csv", str(table))
    running = subprocess.Popen(
        [sys.executable, "-c", INTERRUPTIBLE, *map(str, words)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PASSLINE_CACHE": "off"},
    )
    time.sleep(8)
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=60)
    assert running.returncode == 130
    assert "Traceback" not in err
    if not out:  # a machine so busy that it had not begun
        assert "nothing was saved" in err
        return
    found = json.loads(out)
    assert (found["strategy"], found["complete"]) == ("pass_flat", False)
    assert 0 < found["sessions"] == sum(found["histogram"].values()) < 2_000_000_000
    assert "which are kept; not played: field." in err
    assert table.read_text().startswith("strategy,house,seed,net")


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("three_point_moly",), 2, "Nearest: three_point_molly"),
        (("pass_flat", "feild"), 2, "Nearest: field"),
        (("pass_flat", "--house", "nowhere"), 2, "nowhere"),
        (("martingale_pass", "--backend", "numba"), 1, "--max"),
        (("pass_flat", "fire_bet", "--house", "sydney"), 1, "fire-bonus does"),
        (("pass_flat", "--sessions", 0), 2, "--sessions: found 0"),
        (("pass_flat", "--rolls", 0), 2, "--rolls: found 0"),
        (("pass_flat", "--hands", 0), 2, "--hands: found 0"),
        (("pass_flat", "--threads", 0), 2, "--threads: found 0"),
        (("pass_flat", "--seed", -1), 2, "--seed: found -1"),
        (("pass_flat", "--seed", 2**64), 2, "2^64"),
        (("pass_flat", "--backend", "numbo"), 2, "Nearest: numba"),
        (("pass_flat", "--unit", 10, "--bankroll", 9), 1, "first bet"),
        (("martingale_pass", "--unit", 10, "--bankroll", 9), 1, "first bet"),
        (("pass_flat", "--bankroll", 100, "--stop-loss", 101), 2, "never be reached"),
        (("pass_flat", "--stop-win", 0), 2, "above 0"),
        (("pass_flat", "--float", "penny"), 2, "chips"),
        (("pass_flat", "--notice", "min=ten"), 2, "min=ten"),
        (("pass_flat", "--chart", "nowhere/at/all.png"), 2, "no folder"),
        (("pass_flat", "--chart", "chart.gif"), 2, ".png or .svg"),
        (("pass_flat", "--csv", "."), 2, "folder"),
        (("pass_flat", "--parquet", "nowhere/nets.parquet"), 2, "no folder"),
        (("pass_flat", "--csv", "one.svg", "--chart", "one.svg"), 2, "of its own"),
        (("pass_flat", "--rolls", 2**63), 2, "smaller number"),
        ((), 2, "STRATEGY"),
    ],
)
def test_bad_input_gets_a_sentence(
    words: tuple[object, ...], code: int, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before a single roll: what, why and what instead; nothing is left behind."""
    monkeypatch.chdir(tmp_path)
    assert said in refused("simulate", *words, code=code).split("Played roll by roll")[-1]
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="nothing is forbidden to root")
def test_a_folder_that_may_not_be_written(tmp_path: Path) -> None:
    """It is said before rolling."""
    tmp_path.chmod(0o500)
    assert "may not be written" in refused("simulate", "pass_flat", "--csv", tmp_path / "nets.csv", code=2)


@pytest.mark.slow
def test_no_case_seen_is_an_interval_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody of 300 went broke: with 95 % confidence that is less than 1.26 %; and nobody built a machine for it."""
    from passline.machine import store

    def built(*_: object, **__: object) -> None:
        raise AssertionError("a machine was built")

    words = ("simulate", "pass_flat", "--sessions", 300, "--rolls", 6, "--bankroll", 50, "--seed", 3, "--no-exact")
    assert "0.00% to 1.26%" in run(*words).stdout
    monkeypatch.setattr(store, "machine_for", built)
    result = run(*words, "--backend", "engine")
    assert result.exit_code == 0, result.output
    assert "0.00% to 1.26%" in result.stdout
    assert "--backend engine --no-exact" in result.stdout


MARTINGALE = """
from passline import Outcome, Player, View

class Doubling(Player):
    def start(self):
        self.step = 1
    def wants(self, view: View):
        return {"field": self.step}
    def after(self, outcome: Outcome):
        lost = outcome.net < 0
        self.step = min(2 * self.step, 128) if lost and self.step < 128 else 1
"""


def test_a_strategy_in_python_is_simulated_and_compared(tmp_path: Path) -> None:
    """The field martingale as a class and as a file of the library: the same nets; `exact` says what can be asked."""
    path = tmp_path / "doubling.py"
    path.write_text(MARTINGALE)
    words = ("--house", "strip", "--unit", 5, "--rolls", 40, "--sessions", 60, "--seed", 7, "--at-end", "face")
    one, other = told("simulate", f"{path}:Doubling", "field_martingale", *words)
    assert one["histogram"] == other["histogram"]
    (pair,) = told("versus", f"{path}:Doubling", "field_martingale", *words)
    assert pair["alike"] == 60
    assert "Simulate it" in refused("exact", f"{path}:Doubling", "--house", "strip", code=1)


@pytest.mark.parametrize(
    "words",
    [
        ("simulate", "pass_flat", "field", "--rolls", 5, "--sessions", 50, "--backend", "numpy"),
        ("versus", "pass_flat", "field", "come_only", "--rolls", 5, "--sessions", 50, "--backend", "numpy"),
        ("paths", "pass_flat", "--rolls", 5, "--ruin", "0.05"),
        ("best", "--house", "strip", "--wagers", "pass", "--bankroll", 2, "--goal", 4, "--simulate", 20),
    ],
    ids=lambda words: words[0],
)
def test_every_answer_is_printed_and_written_in_the_same_ways(words: tuple[object, ...], tmp_path: Path) -> None:
    """Each has all the files, and JSON of an object a line."""
    files = {option: tmp_path / f"answer.{option}" for option in ("csv", "html", "parquet")}
    found = told(*words, *(word for option, path in files.items() for word in (f"--{option}", path)))
    assert len(found) == (2 if words[0] in {"simulate", "versus"} else 1)
    assert "<table" in files["html"].read_text()
    assert len(files["csv"].read_text().splitlines()) > 1
    assert files["parquet"].stat().st_size
