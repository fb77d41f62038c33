"""One question, asked from Python as the command line asks it: the same ends, the same money, the same answers."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from passline import House, ask, compare, hand_of, odds_of
from passline.errors import (
    ArgumentError,
    ArgumentTypeError,
    StrategyError,
    StrategyFileError,
    UnboundedStrategyError,
    WagerMissingError,
)
from passline.machine.terms import Terms
from passline.odds.sessions.distribution import distribution_of
from tests.cli.running import told

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from passline.strategies.player.python import View

FIELD = {"name": "Field", "description": "The field.", "unit": 5, "want": [{"up": {"field": 1}}]}


@pytest.fixture(scope="module", autouse=True)
def _apart(tmp_path_factory: pytest.TempPathFactory) -> Any:  # noqa: ANN401
    """Keep the machines of these tests away from the person's own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PASSLINE_CACHE", str(tmp_path_factory.mktemp("machines")))
        yield


def field(view: View) -> dict[str, int]:
    """The field, five units of it."""
    return {"field": 5 if view.puck >= 0 else 0}


# --- ends -----------------------------------------------------------------------------------------------------------


def test_a_strategys_own_ends_count_in_python_too() -> None:
    """Hit and run leaves at ten units won or twenty lost, whoever asks."""
    question = ask("hit_and_run", house="strip", unit=5, rolls=60)
    assert (question.terms.stop_win, question.terms.stop_loss) == (Fraction(50), Fraction(100))
    (found,) = told("exact", "hit_and_run", "--house", "strip", "--unit", 5, "--rolls", 60)
    law = question.exact()
    assert {key: found[key] for key in ("mean", "variance", "p_ahead", "action")} == {
        key: str(getattr(law, key)) for key in ("mean", "variance", "p_ahead", "action")
    }
    assert law.mean != distribution_of(question.machine(), Terms(60)).mean


def test_what_is_asked_goes_before_what_is_its_own() -> None:
    """One stop given leaves the other; a bankroll below its own stop-loss makes that one idle."""
    assert ask("hit_and_run", unit=5, stop_win=80).terms.stop_win == 80
    assert ask("hit_and_run", unit=5, stop_win=80).terms.stop_loss == 100
    assert ask("hit_and_run", unit=5, bankroll=60).terms.stop_loss is None
    mine = {**FIELD, "ends": {"rolls": 33, "stop_win": 4}}
    assert (ask(mine).terms.rolls, ask(mine, rolls=12).terms.rolls, ask(mine).terms.stop_win) == (33, 12, Fraction(20))


@pytest.mark.slow
def test_hands_bring_rolls_enough() -> None:
    """Five hands get the rolls that they all but never need, unless some are given."""
    assert ask("pass_flat").terms.rolls == 200
    assert ask("pass_flat", hands=5).terms.rolls == 300
    assert ask("pass_flat", hands=5, rolls=40).terms.rolls == 40
    assert ask("pass_flat", hands=2).simulate(sessions=50, seed=1).endings["hands"] == 50


# --- money ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("unit", [5, "5", "5.00", Decimal(5), Fraction(5), np.int64(5), np.uint8(5)])
def test_money_is_money_however_it_is_written(unit: Any) -> None:  # noqa: ANN401
    """Whole numbers of NumPy, too, as numbers that do not wrap round."""
    question = ask("pass_flat", unit=unit, bankroll=unit, max_bet=unit, chips=[unit], rolls=3)
    assert question == ask("pass_flat", house=question.seating.house, unit=5, bankroll=5, max_bet=5, chips=[5], rolls=3)
    assert all(
        type(each) is Fraction for each in (question.seating.unit, question.terms.bankroll, question.seating.max_bet)
    )


@pytest.mark.parametrize("name", ["unit", "bankroll", "stop_win", "stop_loss", "max_bet"])
def test_a_float_is_no_money(name: str) -> None:
    """Nor is NumPy's."""
    for wrong in (0.1, np.float64(5), True):
        with pytest.raises(TypeError, match=f"{name}: "):
            ask("pass_flat", **{name: wrong})  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match=f"{name}: found 0; expected an amount above 0"):
        ask("pass_flat", **{name: 0})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"rolls": 0}, "rolls: found 0; expected a whole number from 1"),
        ({"hands": 0}, "hands: found 0"),
        ({"chips": []}, "chips: found none"),
        ({"chips": [5, "5.0"]}, "named once"),
        ({"chips": ["1/3"]}, "whole cents"),
        ({"chips": ["x"]}, "chips: found 'x'; expected chips such as 1, 5 and 25"),
        ({"notice": "mn=5"}, "notice: found 'mn=5'"),
        ({"notice": "min=50 max=10"}, "at least its minimum"),
        ({"bankroll": 100, "stop_loss": 200}, "stop_loss: found 200; expected at most the bankroll of 100"),
    ],
)
def test_slips_are_told_by_name(asked: dict[str, Any], words: str) -> None:
    """Before anything is worked out."""
    with pytest.raises(ArgumentError, match=words):
        ask("pass_flat", **asked)


# --- strategies -----------------------------------------------------------------------------------------------------


def test_a_strategy_is_a_name_a_file_a_mapping_or_itself(tmp_path: Path) -> None:
    """All the same question."""
    path = tmp_path / "mine.toml"
    path.write_text('name = "Mine"\ndescription = "The field."\nunit = 5\n[[want]]\nup = { field = 1 }\n')
    laws = [ask(each, rolls=2).exact() for each in (path, str(path), FIELD, ask(path).strategy, "field")]
    assert len({(law.mean, law.variance) for law in laws}) == 1
    with pytest.raises(StrategyFileError, match="Nearest: field"):
        ask("feild")
    with pytest.raises(TypeError, match="strategy: found 5; expected a name, a path, a mapping"):
        ask(5)  # type: ignore[arg-type]
    with pytest.raises(WagerMissingError):
        ask("fire_bet", house="sydney").exact()


def test_a_function_is_asked_the_same_way() -> None:
    """It is played roll by roll, and comes to what the same strategy as data comes to on the same dice."""
    asked: dict[str, Any] = {"house": "strip", "rolls": 40, "bankroll": 60}
    played = ask(field, unit=1, **asked).simulate(sessions=20, seed=3)
    data = ask("field", unit=5, **asked).simulate(sessions=20, seed=3)
    assert (played.backend, data.backend) == ("engine", "numpy")
    assert dict(zip(played.frame()["net"], played.frame()["sessions"], strict=True)) == dict(
        zip(data.frame()["net"], data.frame()["sessions"], strict=True)
    )
    assert played.title == "field at strip"
    assert ask(field).in_words() == ["The field, five units of it."]
    with pytest.raises(UnboundedStrategyError, match="field is written in Python"):
        ask(field).exact()


def test_a_strategy_without_end_is_played_and_says_why() -> None:
    """A machine is looked for once."""
    question = ask("martingale_pass", rolls=100)
    with pytest.raises(UnboundedStrategyError, match="climbs without end") as caught:
        question.exact()
    assert "max_bet" in caught.value.advice
    assert question.simulate(sessions=3, seed=1).backend == "engine"
    with pytest.raises(UnboundedStrategyError):
        question.simulate(sessions=3, backend="numpy")
    assert ask("martingale_pass", rolls=20, max_bet=100).simulate(sessions=3, seed=1).backend == "numpy"


# --- answers --------------------------------------------------------------------------------------------------------


def test_law_and_sample_answer_alike() -> None:
    """The same names for the same figures, and the sample a few standard errors from the law."""
    question = ask("three_point_molly", house="strip", unit=10, rolls=50, bankroll=500)
    law, sample = question.exact(), question.simulate(sessions=20_000, seed=7)
    assert all(abs(z) < 4 for z in sample.z_scores(law).values())
    assert list(law.quantiles) == list(sample.quantiles)
    assert sample.quantile(0.5) == sample.quantiles[0.5]
    assert law.frame().columns == ["strategy", "house", "net", "net_decimal", "chance"]
    assert law.frame()["chance"].sum() == pytest.approx(1)
    assert sample.frame()["sessions"].sum() == 20_000
    assert law.edge == -law.mean / law.action
    assert question.long_run().edge == Fraction(7, 1870)


def test_json_is_what_the_command_prints() -> None:
    """The law's, with the long run's beside it; but for the command itself."""
    (found,) = told("exact", "field", "--unit", 5, "--rolls", 3, "--bankroll", 10)
    question = ask("field", unit=5, rolls=3, bankroll=10)
    beside = {"long_run": question.long_run().to_json(), "command": found["command"]}
    chances = [[str(net), str(chance)] for net, chance in question.exact().chances().items()]
    assert {**question.exact().to_json(), "distribution": chances, **beside} == found


def test_a_question_can_be_asked_again_from_what_it_shows() -> None:
    """As Python would write it."""
    question = ask("hit_and_run", house=House("strip"), unit="2.50", chips=["0.50", 5], max_bet=500)
    shown = repr(question)
    assert shown.startswith("ask('hit_and_run', house='strip', unit='5/2', rolls=200, stop_win=25, stop_loss=50")
    again = eval(shown, {"ask": ask})  # noqa: S307 - our own words
    assert repr(again) == shown


def test_seeds_nobody_chose_differ_and_are_told() -> None:
    """So that the sample can be had again."""
    question = ask("field", rolls=10)
    first, second = question.simulate(sessions=20), question.simulate(sessions=20)
    assert first.seed != second.seed
    assert question.simulate(sessions=20, seed=first.seed).fingerprint() == first.fingerprint()


def test_prices_are_asked_by_name_too() -> None:
    """A house by its id, money as money."""
    assert odds_of("adelaide", stake="5", chips=[1, Decimal(5), "25"])["place_6"].as_paid is not None
    assert hand_of("sydney").mean_rolls == Fraction(1671, 196)
    assert set(compare(["strip", House("sydney")])["place_6"].odds) == {"strip", "sydney"}
    with pytest.raises(TypeError, match="stake"):
        odds_of("adelaide", stake=0.5)  # type: ignore[arg-type]


# --- Functions that ask for what they cannot have --------------------------------------------------------------------


def test_a_function_that_never_gets_a_bet_down_is_told_so() -> None:
    """As of a strategy that is data; where some bets are taken, the others are told in the sample."""
    low: dict[str, Any] = {"house": "strip", "unit": 1, "rolls": 5, "notice": "min=15 max=100"}
    with pytest.raises(StrategyError, match="never gets a bet down here"):
        ask(lambda _: {"pass": 1}, **low).simulate(sessions=3, seed=1)
    sample = ask(lambda _: {"pass": 15, "place_6": 1}, **low).simulate(sessions=3, seed=1)
    assert [no["wager"] for no in sample.to_json()["about"]["refused"]] == ["place_6"]
    with pytest.raises(StrategyError, match="bets the maximum on pass, and this table has none"):
        ask(lambda _: {"pass": "max"}, house="strip", unit=1, rolls=5).simulate(sessions=3, seed=1)


@pytest.mark.parametrize(
    ("function", "told"),
    [
        (lambda _: {"place_6": "left"}, "<lambda>, place_6: work left out in Python"),
        (lambda view: {"pass": view.bankroll}, "<lambda> looks at its bankroll, and none was given"),
        (lambda view: {"pass": view.come_point}, "a view has no come_point; the nearest is come_points"),
        (lambda _: {"pass": "lots"}, "<lambda>, pass: found `lots`"),
        (lambda _: {"pass": 1.5}, "<lambda>, pass: found 1.5"),
        (lambda _: {"pass": -1}, "<lambda>, pass: found -1"),
        (lambda _: {"pass": "wins(pass)"}, r"<lambda>, pass: work wins\(pass\) out in Python"),
        (lambda _: {"pass": 1 // 0}, "<lambda> failed: ZeroDivisionError"),
    ],
)
def test_what_a_function_does_wrong_is_told_with_its_name(function: Callable[[View], Any], told: str) -> None:
    """Function and wager are named, and nothing but our own errors comes out."""
    with pytest.raises(StrategyError, match=told):
        ask(function, house="strip", rolls=5).simulate(sessions=3, seed=1)


def test_a_function_takes_the_view() -> None:
    """One that takes nothing is refused when it is asked about, not at the first roll."""
    takes_nothing: Any = lambda: {"pass": 1}  # noqa: E731
    with pytest.raises(ArgumentTypeError, match="a function of one argument"):
        ask(takes_nothing)
    seen: list[list[str]] = []

    def looks(view: View) -> dict[str, int | str | Fraction]:
        seen.append(dir(view))
        return {"pass": 1}

    ask(looks, rolls=1).simulate(sessions=1, seed=1)
    assert {"come_points", "rolls", "bankroll", "up"} <= set(seen[0])


@pytest.mark.parametrize("rolls", [1, 7])
def test_an_hour_has_the_rolls_of_the_run_out_in_it(rolls: int) -> None:
    """One bet at a time costs as much in an hour however short the evening is, once every roll is counted."""
    question = ask("pass_flat", unit=10, rolls=rolls)
    law, sample = question.exact(fractions=True), question.simulate(sessions=200, seed=1)
    if rolls == 1:
        assert law.loss_per_hour == -100 * question.long_run().net_per_roll
    assert law.action_per_hour == law.action * 100 / (law.rolls_played + law.run_out_rolls)
    assert sample.action_per_hour == sample.action * 100 / (sample.rolls_played + sample.run_out_rolls)


@pytest.mark.slow
def test_a_search_is_bounded_by_what_the_engine_would_need() -> None:
    """Twenty short sessions are not worth ten thousand states; the counts are those of the machine all the same."""
    question = ask("cats", house="strip", rolls=15)
    looked: list[int] = []
    with pytest.raises(UnboundedStrategyError):
        question.machine(lambda done, _: looked.append(done), states_max=question.states_worth(20))
    assert max(looked) <= 4_000
    assert question.simulate(sessions=20, seed=7).backend == "engine"
    assert question.states_worth(10**6) == 200_000


@pytest.mark.slow
def test_nobody_waits_without_a_word(caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nobody listens to the progress a log says how far a search is."""
    monkeypatch.setattr("passline.analysis.question.QUIET_S", 0.0)
    ask("three_point_molly", house="strip", unit=3).exact()
    assert "rolls worked out" in caplog.text
