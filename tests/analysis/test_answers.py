"""Whatever is asked, the answer shows itself in the same ways: page, notebook, rows, JSON, CSV, frame and picture."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest
from rich.console import Console

from passline import ask, best_play, dice_test, growth_of, hand_of, odds_of, population, statistics, sweep, versus
from passline.analysis.checked import ExactSession, Simulated, check
from passline.analysis.coupons import best_use, coupon, money_back
from passline.analysis.dice_test import rolls_to_see
from passline.analysis.estimates import controlled, dice_verdict, sensitivity
from passline.analysis.pit_day import pit_day
from passline.analysis.question import Question
from passline.analysis.sweep import best
from passline.analysis.theo import stages_of, theo_of
from passline.answers import Answer, Extended, Several, Table, json_of, print_page
from passline.machine.dice import dice_of
from passline.odds.par import compare, par_of, price_of
from passline.odds.sessions.distribution import distribution_of

ROLLS = [(1, 2), (3, 4), (5, 6), (6, 6), (2, 5), (4, 4)] * 20


def evening(**more: object) -> Question:
    return ask("pass_flat", **{"house": "strip", "unit": 5, "rolls": 20, "bankroll": 50, **more})  # type: ignore[arg-type]


TABLE = "passline 1\nhouse strip\nsit 1 Ann 500\n1 bet pass 15\nroll 6-5\nroll 1-1\n"
ANSWERS: dict[str, Callable[[], Answer]] = {
    "results": lambda: statistics(TABLE),
    "odds": lambda: odds_of("strip"),
    "wager": lambda: odds_of("strip")["pass"],
    "compare": compare,
    "par": lambda: par_of("strip"),
    "price": lambda: price_of("strip", "any_seven", edge="5%"),
    "hand": lambda: hand_of("strip"),
    "distribution": lambda: evening().exact(),
    "sample": lambda: evening().simulate(sessions=200, seed=7),
    "long run": lambda: evening().long_run(),
    "exact": lambda: ExactSession(evening(), evening().exact(), None, "passline exact pass_flat"),
    "checked": lambda: check(evening(), evening().simulate(sessions=200, seed=7)),
    "paths": lambda: evening().paths(),
    "sweep": lambda: sweep("pass_flat", {"bankroll": [50, 100]}, house="strip", unit=5, rolls=20),
    "search": lambda: best(
        "pass_flat", over={"bankroll": [50, 100]}, maximise="p_ahead", house="strip", unit=5, rolls=20
    ),
    "stages": lambda: stages_of(ask("martingale_pass", house="strip", unit=5, max_bet=40, rolls=20)),
    "theo": lambda: theo_of(ask("pass_flat", house="strip", unit=5)),
    "population": lambda: population([(ask("pass_flat", house="strip", unit=5), 2)], hours=1),
    "growth": lambda: growth_of(evening(dice="srr=8")),
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
    "estimate": lambda: controlled(evening(), evening(bankroll=None), sessions=200),
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
    assert "<table" in answer._repr_html_() or name in {"rolls to see", "estimate", "growth"}  # which are two sentences
    assert json.loads(json.dumps(answer.to_json()))
    assert len(answer.frame()) == len(rows)
    assert len(list(csv.reader(io.StringIO(answer.to_csv())))) == len(rows) + 1
    answer.chart(tmp_path / "chart.svg")
    assert "<svg" in (tmp_path / "chart.svg").read_text()


# What programs read of each answer, but for the decimals beside exact figures: a key that goes, or is called otherwise,
# needs a row in docs/upgrading.md.
KEYS = {
    "par": "chip columns house house_hash name passline stake wagers",
    "hand": (
        "distinct_points hands_per_hour length mean_distinct_points mean_points mean_rolls p_point_made points "
        "quantiles rolls_more_than rolls_per_hour variance_rolls"
    ),
    "distribution": (
        "action action_per_hour at_end bankroll best dice edge error_bound exact hands house house_hash "
        "loss_per_hour machine mean mean_error_bound notice p_ahead p_behind p_even p_ruin p_stop_loss quantiles "
        "quantiles_decimal refused rolls rolls_per_hour rolls_played ruin_curve ruin_curve_decimal run_out_rolls "
        "states stop_loss stop_win strategy strategy_hash unit until_hands variance worst"
    ),
    "sample": (
        "about action action_per_hour backend best complete drawdown edge endings fan fingerprint hands "
        "histogram interval_95 losing_run loss_per_hour machine mean note p_ahead p_behind p_even p_ruin "
        "quantiles rolls rolls_per_second rolls_played ruin_curve ruin_rolls run_out run_out_rolls seconds seed "
        "sessions standard_error terms threads variance watched winning_run worst"
    ),
    "paths": "at_end bankroll dice error_bound hands remarks rolls rows stop_loss stop_win title",
    "sweep": "figures over refused rows",
    "search": "refused rows",
    "stages": "remarks rolls stages strategy",
    "theo": (
        "comp_rate comps edge exact handle hold hours house loss remarks rolls_per_hour standard_deviation "
        "strategy unit wagers"
    ),
    "population": "covariances hours players remarks reserve risk seed sessions table win_per_hour",
    "pit day": (
        "arrivals days hours house lowest mean p_behind players quantiles remarks reserve risk rolls_per_hour rows "
        "ruin ruined seated seats seed served standard_deviation standard_error tables"
    ),
    "versus": (
        "alike better correlation exact exact_left_out interval mean_difference one other remarks seed sessions "
        "standard_error standard_error_apart terms worse"
    ),
    "best play": (
        "bankroll certain dice error_bound exact goal house maximise policy positions rolls states sweeps unit "
        "value wagers"
    ),
    "coupon": "house kind value worths",
    "coupon plan": "bankroll chance goal house kind rows units wagers without",
    "money back": "comps mean most p_ahead rebate",
    "dice test": "dice rolls sevens srr srr_interval tests",
    "rolls to see": "fewest level most power rolls",
    "price": "edge house prices tables wager",
    "compare": "houses wagers",
}


@pytest.mark.parametrize("name", KEYS)
def test_the_keys_of_its_json_stay(name: str) -> None:
    told = ANSWERS[name]().to_json()
    beside = {key for key in told if key.endswith("_decimal") and key.removesuffix("_decimal") in told}
    assert " ".join(sorted(told.keys() - beside | (beside & set(KEYS[name].split())))) == KEYS[name]


@pytest.mark.parametrize("name", ANSWERS)
def test_a_console_shows_one_line(name: str) -> None:
    """What an answer holds is on its page, and thirty-six weights of one say nothing."""
    shown = repr(ANSWERS[name]())
    assert shown.startswith("<")
    assert shown.endswith(">")
    assert "\n" not in shown
    assert 12 < len(shown) < 160


def test_json_is_made_of_the_values_that_python_has() -> None:
    """Fractions become text, records objects, and what has no end nothing: in one place for every answer."""
    assert json_of({"edge": Fraction(7, 495), 0.5: math.inf, "dice": dice_of("srr=6.5"), "up": ({"pass": 1},)}) == {
        "edge": "7/495",
        "0.5": None,
        "dice": "srr=6.5",
        "up": [{"pass": 1}],
    }
    worth = coupon("match", 25, house="strip")
    assert worth.data()["worths"]["pass"] == Fraction(395, 33)
    assert worth.to_json()["worths"]["pass"] == "395/33"
    assert not [each for each in Answer.__subclasses__() if "to_json" in vars(each)]


REFUSED: dict[str, Callable[[Question], Answer]] = {
    "distribution": Question.exact,
    "exact": lambda question: ExactSession(question, question.exact(), None, ""),
    "sample": lambda question: question.simulate(sessions=20, seed=7),
    "paths": Question.paths,
    "versus": lambda question: versus(question, evening(bankroll=None, unit=10), sessions=20),
    "theo": theo_of,
    "population": lambda question: population([(question, 1)]),
    "population sampled": lambda question: population([(question, 1)], sessions=3, seed=7),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_the_dealers_refuse_stands_on_the_page_of_every_answer(name: str) -> None:
    """Whoever asks from Python reads no standard error: a strategy without its odds would pass for itself."""
    question = ask("pass_odds@odds=5", house="strip", unit=10, rolls=20)
    assert "the dealers refuse pass_odds: 50 on Odds (Pass Line) is over the odds posted" in str(
        REFUSED[name](question)
    )


def test_a_population_is_worked_out_once_however_often_it_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """A notebook shows it as HTML, then as a frame: the reserve alone is a dozen exact distributions."""
    seen: list[object] = []

    def counted(*what: object, **how: object) -> object:
        seen.append(what)
        return distribution_of(*what, **how)  # type: ignore[arg-type]

    monkeypatch.setattr("passline.analysis.population.distribution_of", counted)
    answer = ANSWERS["population"]()
    answer._repr_html_()
    once = len(seen)
    assert once
    for show in (str, Answer.to_json, Answer.frame):
        show(answer)
    assert len(seen) == once


@pytest.mark.slow
def test_no_kind_of_answer_is_left_out() -> None:
    """A new kind of result is added above, or this says its name."""
    shown = {type(make()).__name__ for make in ANSWERS.values()}
    beneath = {each.__name__ for each in Answer.__subclasses__() if each.__module__.startswith("passline.")}
    assert beneath - shown <= {"Prices"}  # what a command wraps around wagers


@pytest.mark.parametrize("width", range(50, 110, 3))
def test_no_figure_is_cut_on_a_narrow_screen(width: int) -> None:
    """A table that is too wide goes on under itself, and each part says which row is which."""
    answer = sweep(evening(bankroll=1_000), {"bankroll": [100, 1_000], "unit": [5, 15]})
    console = Console(width=width, force_terminal=True, color_system=None, record=True, file=io.StringIO())
    print_page(answer, console)
    lines = [line.split() for line in console.export_text().splitlines()]
    (table,) = (part for part in answer.page() if isinstance(part, Table) and "bankroll" in part.columns)
    for row in table.cells():
        figures = [word for line in lines if line[:2] == row[:2] for word in line[2:]]
        assert figures == [each for each in row[2:] if each]


@pytest.mark.parametrize("width", [20, 30, 200])
def test_a_row_that_says_little_is_printed_too(width: int) -> None:
    """However narrow the page: what has nothing in the last columns is a row as well."""
    kept_out = [("floor", "excluded", who, None) for who in ("rex", "quin")]
    rows = [("floor", "on duty", "sue", "Gaming Supervisor"), *kept_out]
    for kind in ("number", "text"):
        console = Console(width=width, force_terminal=True, color_system=None, record=True, file=io.StringIO())
        print_page([Table(dict.fromkeys(("Where", "What", "Who", "Details"), kind), rows)], console)
        text = console.export_text()
        assert "rex" in text
        assert "quin" in text
