"""What the language can say since it grew: sums, counts that go down, rounding, parameters, stages."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from passline import ask, stages_of
from passline.errors import StrategyFileError, UnboundedStrategyError
from passline.machine.build import build
from passline.machine.play import OURS, Player, Setting
from passline.machine.terms import Seating, Terms
from passline.strategies.language import grammar
from passline.strategies.language.conditions import looks
from passline.strategies.language.read import load, make
from passline.strategies.language.words import in_words
from tests.acceptance.registries import CRAPSSIM, PAGE, WOODARD, row


def up_before(values: dict[str, Any], throws: str, **terms: Any) -> list[str]:  # noqa: ANN401 - as `Terms`
    """What is up before each throw, in units; nothing may be refused."""
    strategy = make({"name": "x", "description": "x", **values})
    player = Player(Setting(strategy, Seating("strip"), Terms(**terms).purse))
    rows = []
    for throw in throws.split():
        first, second = map(int, throw.split("-"))
        felt = player.act().table.seats[OURS].felt
        rows.append(" ".join(f"{key}={Fraction(wager.stake) / player.plan.unit}" for key, wager in felt.items()))
        player.roll((first - 1) * 6 + second - 1)
    assert not player.setting.refused
    return rows


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("hits(6) + hits(8) >= 2", "hits(6) + hits(8) >= 2"),
        ("wins(pass) > losses(pass)", "wins(pass) > losses(pass)"),
        ("2 * profit - 3 < bankroll / 4 + 1", "profit * 2 - 3 < bankroll * 1/4 + 1"),
        ("rolls = 3 + 4", "rolls = 7"),
        ("profit >= -2 - 1/2", "profit >= -5/2"),
    ],
)
def test_numbers_against_numbers(text: str, written: str) -> None:
    """Read, written again, and read the same."""
    read = grammar.condition(text)
    assert str(read) == written
    assert grammar.condition(written) == read


@pytest.mark.parametrize(
    "text", ["3 < 4", "hits(6) + puck > 1", "hits(6) * hits(8) > 1", "rolls > 1 / 0", "rolls = 1/2"]
)
def test_what_no_sum_is(text: str) -> None:
    """Nothing that changes, a word that is no number, a product of two numbers, nothing to divide by."""
    with pytest.raises(ValueError, match="expected"):
        grammar.condition(text)


def test_a_sum_is_kept_as_far_as_it_can_matter() -> None:
    """Three sixes and no eight are two already; where one is taken from the other every count matters."""
    assert {str(number): far for number, far in looks(grammar.condition("2 * hits(6) + hits(8) >= 5"))} == {
        "hits(6)": 2,
        "hits(8)": 5,
    }
    assert {far for _, far in looks(grammar.condition("wins(pass) > losses(pass)"))} == {None}
    values = {"want": [{"when": "puck on and hits(6) + hits(8) < 2", "up": {"place_6": 6, "place_8": 6}},
                       {"when": "hits(6) + hits(8) >= 2", "down": ["place"]}]}  # fmt: skip
    assert up_before(values, "2-2 3-3 4-4 3-3")[1:] == ["place_6=6 place_8=6", "place_6=6 place_8=6", ""]
    assert ask({"name": "x", "description": "x", **values}, house="strip").machine().states < 100


def test_a_count_goes_down() -> None:
    """One more with a win, one less with a loss, never below nothing nor above its most; then it is finite."""
    count = {"lead": {"when": "won(field)", "down": "lost(field)", "most": 2, "start": 1}}
    values = {"want": [{"up": {"field": "1 + lead"}}], "count": count}
    assert up_before(values, "3-3 3-3 3-1 3-1 3-1 3-3") == [f"field={n}" for n in (2, 1, 1, 2, 3, 3)]
    question = ask({"name": "x", "description": "x", **values}, house="strip", rolls=200)
    assert question.long_run().edge == Fraction(1, 36)
    del count["lead"]["most"]
    with pytest.raises(UnboundedStrategyError, match="counts without end"):
        build(make({"name": "x", "description": "x", **values}), Seating("strip"))


def test_an_amount_is_rounded_to_chips() -> None:
    """Six on the six: down, or up."""
    values = {"want": [{"when": "puck on", "up": {"place_6": "floor(bankroll / 5, 6)", "place_8": "ceil(7, 6)"}}]}
    assert up_before(values, "2-2 1-1", bankroll=100)[1] == "place_6=18 place_8=12"
    assert str(grammar.amount("floor(profit / 2)")) == "floor(profit * 1/2, 1)"
    with pytest.raises(ValueError, match="above 0"):
        grammar.amount("floor(3, 0)")


def test_parameters_are_set_by_the_name() -> None:
    """Behind an @; another name, another value, another strategy."""
    flat, five = load("pass_odds"), load("pass_odds@odds=5")
    assert (flat.id, five.id) == ("pass_odds", "pass_odds@odds=5")
    assert str(five.wants[1].up[0][1]) == "5x"
    assert ask("pass_odds@odds=5", house="adelaide").machine().about["strategy"] == "pass_odds@odds=5"
    with pytest.raises(StrategyFileError, match="odds"):
        load("pass_odds@ods=5")
    with pytest.raises(StrategyFileError, match="it has no parameters"):
        load("pass_flat@odds=5")
    with pytest.raises(StrategyFileError, match="a number such as"):
        load("pass_odds@odds=many")


STAGED: dict[str, Any] = {
    "stage": [
        {"name": "low", "on": "profit >= 1"},
        {"name": "middle", "on": "profit >= 3", "back": "profit < 1"},
        {"name": "high", "back": "profit < 3"},
    ],
    "want": [
        {"when": "stage = low", "up": {"field": 1}},
        {"when": "stage = middle", "up": {"field": 2}},
        {"when": "stage in (high)", "up": {"field": 3}},
    ],
}


def test_stages_lead_on_and_back_by_one() -> None:
    """By the money as the roll has left it; one stage a roll either way."""
    assert up_before(STAGED, "3-1 3-1 3-1 3-3 3-3 3-3 3-3") == [f"field={n}" for n in (1, 2, 3, 3, 3, 2, 1)]
    told = " ".join(in_words(make({"name": "x", "description": "x", **STAGED})))
    assert "Stage 2 is `middle`: on to the next when" in told
    with pytest.raises(StrategyFileError, match="stage"):
        make({"name": "x", "description": "x", "want": [{"when": "stage = 1", "up": {"field": 1}}]})


def test_stages_have_their_own_report() -> None:
    """For each stage the chance to reach it, the rolls and the money: together the evening."""
    question = ask(
        {"name": "x", "description": "x", **STAGED}, house="strip", unit=1, rolls=12, stop_win=9, stop_loss=9
    )
    found, law = stages_of(question), question.exact()
    assert list(found) == [1, 2, 3]
    assert found[Fraction(1)].p_reached == 1
    assert sum(each.net for each in found.values()) == pytest.approx(float(law.mean))
    assert sum(each.rolls for each in found.values()) == pytest.approx(float(law.rolls_played))


@pytest.mark.slow
def test_a_machine_of_stages_plays_as_the_engine_does() -> None:
    """Stages, sums and counts in one: every net on the same dice."""
    lead = {"lead": {"when": "won(field)", "down": "lost(field)", "most": 3}}
    pressed = {"when": "puck on and lead + hits(6) >= 2", "up": {"place_6": 6}}
    values = {**STAGED, "count": lead, "want": [*STAGED["want"], pressed]}
    question = ask({"name": "x", "description": "x", **values}, house="strip", rolls=25, stop_win=12, stop_loss=12)
    engine, numpy = (question.simulate(sessions=60, seed=3, backend=each) for each in ("engine", "numpy"))
    assert tuple(engine.net) == tuple(numpy.net)


@pytest.mark.parametrize("registry", [CRAPSSIM, WOODARD], ids=["crapssim", "jasonwoodard"])
def test_the_page_of_other_simulators_strategies_is_true(registry: dict[str, str]) -> None:
    """All of them are there; some that are quick are worked out again."""
    page = PAGE.read_text(encoding="utf-8")
    assert (len(CRAPSSIM), len(WOODARD)) == (21, 43)
    assert all(f"| {theirs} | `{ours}` |" in page for theirs, ours in registry.items())
    for theirs in {"PassLinePlace68", "QuickProps", "DoDont2X", "JustField", "PassLineWithOdds5X"} & registry.keys():
        assert row(theirs, registry[theirs]).text in page
