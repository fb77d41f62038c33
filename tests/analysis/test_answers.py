"""Whatever is asked, the answer shows itself in the same ways: page, notebook, rows, JSON, CSV, frame and picture."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from passline import ask, best_play, dice_test, hand_of, odds_of, population, sweep, versus
from passline.analysis.checked import Simulated, check
from passline.analysis.coupons import best_use, coupon, money_back
from passline.analysis.dice_test import rolls_to_see
from passline.analysis.estimates import dice_verdict, sensitivity
from passline.analysis.pit_day import pit_day
from passline.analysis.question import Question
from passline.analysis.search import best
from passline.analysis.theo import stages_of, theo_of
from passline.answers import Answer, Extended, Several
from passline.odds.par import compare, par_of
from passline.odds.wagers.wanted import price_of

ROLLS = [(1, 2), (3, 4), (5, 6), (6, 6), (2, 5), (4, 4)] * 20


def evening(**more: object) -> Question:
    return ask("pass_flat", **{"house": "strip", "unit": 5, "rolls": 20, "bankroll": 50, **more})  # type: ignore[arg-type]


ANSWERS: dict[str, Callable[[], Answer]] = {
    "odds": lambda: odds_of("strip"),
    "wager": lambda: odds_of("strip")["pass"],
    "compare": compare,
    "par": lambda: par_of("strip"),
    "price": lambda: price_of("strip", "any_seven", edge="5%"),
    "hand": lambda: hand_of("strip"),
    "distribution": lambda: evening().exact(),
    "sample": lambda: evening().simulate(sessions=200, seed=7),
    "paths": lambda: evening().paths(),
    "sweep": lambda: sweep("pass_flat", {"bankroll": [50, 100]}, house="strip", unit=5, rolls=20),
    "search": lambda: best(
        "pass_flat", over={"bankroll": [50, 100]}, maximise="p_ahead", house="strip", unit=5, rolls=20
    ),
    "stages": lambda: stages_of(ask("martingale_pass", house="strip", unit=5, max_bet=40, rolls=20)),
    "theo": lambda: theo_of(ask("pass_flat", house="strip", unit=5)),
    "population": lambda: population([(ask("pass_flat", house="strip", unit=5), 2)], hours=1),
    "versus": lambda: versus(
        evening(bankroll=None), ask("field", house="strip", unit=5, rolls=20), sessions=200, seed=7
    ),
    "pit day": lambda: pit_day([(evening(), 1)], tables=1, arrivals=2, hours=1, days=4, seed=7),
    "best play": lambda: best_play("strip", "pass", bankroll=2, goal=4),
    "coupon": lambda: coupon("match", 5, house="strip"),
    "coupon plan": lambda: best_use(best_play("strip", "pass", bankroll=4, goal=8), "match", 2),
    "money back": lambda: money_back(evening(), rebate="0.1"),
    "dice test": lambda: dice_test(ROLLS),
    "rolls to see": lambda: rolls_to_see("srr=6.5"),
    "dice verdict": lambda: dice_verdict(ROLLS),
    "sensitivity": lambda: sensitivity(evening(bankroll=None)),
    "several": lambda: Several([hand_of("strip"), hand_of("sydney")]),
    "with more": lambda: Extended(hand_of("strip"), ["And so on."], {"more": 1}),
    "simulated": lambda: Simulated(
        [check(evening(), evening().simulate(sessions=200, seed=7))], ["pass_flat"], [evening()], {"seed": 7}
    ),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_every_answer_shows_itself_in_the_same_ways(name: str, tmp_path: Path) -> None:
    answer = ANSWERS[name]()
    rows = answer.table().rows
    assert rows
    assert str(answer).strip()
    assert "<table" in answer._repr_html_() or name == "rolls to see"  # which is two sentences
    assert json.loads(json.dumps(answer.to_json()))
    assert len(answer.frame()) == len(rows)
    assert len(list(csv.reader(io.StringIO(answer.to_csv())))) == len(rows) + 1
    answer.chart(tmp_path / "chart.svg")
    assert "<svg" in (tmp_path / "chart.svg").read_text()


@pytest.mark.slow
def test_no_kind_of_answer_is_left_out() -> None:
    """A new kind of result is added above, or this says its name."""
    shown = {type(make()).__name__ for make in ANSWERS.values()}
    beneath = {each.__name__ for each in Answer.__subclasses__() if each.__module__.startswith("passline.")}
    apart = {
        "Answers",
        "Evening",
        "Checked",
        "Estimate",
        "Prices",
    }  # mappings, and what commands wrap around these
    assert beneath - shown <= apart
