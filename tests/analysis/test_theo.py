"""What a player is worth and how far a progression goes, against prices, long runs and counts by hand."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from passline import ask, odds_of, stages_of, theo_of
from passline.errors import ArgumentError, LongRunError, StrategyError
from tests.cli.running import refused, run, told


@pytest.mark.parametrize("dice", [None, "srr=13/2"])
def test_each_wager_loses_its_own_price(dice: str | None) -> None:
    """Walked alone a wager has the edge that it has within a strategy; the parts make the whole, variance too."""
    question = ask("iron_cross", house="strip", unit=5, dice=dice)
    found, prices, whole = theo_of(question), odds_of("strip", dice=dice), question.long_run()
    assert found.exact
    assert {each.wager: each.edge for each in found.wagers} == {
        each.wager: prices[each.wager].edge_per_bet_made for each in found.wagers
    }
    assert (found.handle / 100, -found.loss / 100) == (whole.action_per_roll, whole.net_per_roll)
    assert found.edge == whole.edge
    assert sum(each.risk for each in found.wagers) == pytest.approx(1)
    assert found.variance == pytest.approx(float(whole.variance_per_roll))


def test_odds_are_free_and_most_of_the_risk() -> None:
    """The line pays for the odds behind it: 7/495 of the flat bets, nothing of the odds."""
    found = {each.wager: each for each in theo_of(ask("pass_max_odds", house="strip", unit=10)).wagers}
    assert (found["pass"].edge, found["pass_odds"].edge) == (Fraction(7, 495), 0)
    assert found["pass_odds"].risk > 0.5


def test_by_the_hour() -> None:
    """A pass bet is decided in 557/165 rolls: so many bets of ten in three hours of eighty rolls; 40 % given back."""
    found = theo_of(ask("pass_flat", house="strip", unit=10, rolls=240), hours=3, rolls_per_hour=80, comp="0.4")
    bets = Fraction(240 * 165, 557)
    assert (found.handle, found.loss, found.comps) == (10 * bets, bets * Fraction(14, 99), bets * Fraction(28, 495))
    assert found.hold is None
    (shown,) = told("theo", "pass_flat", "--house", "strip", "--unit", 10, "--bankroll", 100, "--hours", "1/10")
    ten = ask("pass_flat", house="strip", unit=10, rolls=10, bankroll=100).exact()
    assert float(shown["hold_decimal"]) == pytest.approx(-float(ten.mean) / 100)
    assert shown["wagers"][0]["edge"] == "7/495"
    assert "theoretical loss" in run("theo", "pass_flat", "--house", "strip").stdout


FIELD = {
    "name": "Doubling",
    "description": "The field, doubled up to four units.",
    "want": [{"up": {"field": "doubling"}}],
    "progression": {
        "doubling": {"of": "field", "steps": [1, 2, 4], "won": "start over", "lost": "next", "end": "start over"}
    },
}


def test_stages_counted_by_hand() -> None:
    """The field loses with 20 throws in 36; the second step needs one loss, the third two in a row."""
    loses = Fraction(5, 9)
    found = stages_of(ask(FIELD, house="strip", unit=1, rolls=4))
    assert [str(at) for at in found] == ["1", "2", "4"]
    # In three rolls (the fourth roll is thrown where the third left it) a run of two losses: LL., WLL.
    assert found[Fraction(4)].p_reached == pytest.approx(float(loses**2 + (1 - loses) * loses**2))
    assert found[Fraction(2)].p_reached == pytest.approx(float(1 - (1 - loses) ** 3))
    assert sum(each.rolls for each in found.values()) == pytest.approx(4)
    law = ask(FIELD, house="strip", unit=1, rolls=4).exact()
    assert sum(each.net for each in found.values()) == pytest.approx(float(law.mean))
    # Whatever is bet is lost to a 36th.
    assert all(each.net == pytest.approx(-float(at) * each.rolls / 36) for at, each in found.items())


@pytest.mark.slow
@pytest.mark.parametrize("at_end", ["run-out", "face"])
@pytest.mark.parametrize("ends", [{}, {"bankroll": 200}, {"stop_win": 60, "stop_loss": 100}, {"stop_win": 15}])
def test_stages_are_of_the_evening_that_is_worked_out(ends: dict[str, Any], at_end: Any) -> None:  # noqa: ANN401 - either word
    """What all stages bring is its mean, whatever ends it and whatever becomes of what stands."""
    question = ask("martingale_pass", house="strip", unit=5, max_bet=640, rolls=40, at_end=at_end, **ends)
    found, law = stages_of(question), question.exact()
    assert sum(each.net for each in found.values()) == pytest.approx(float(law.mean))
    assert sum(each.rolls for each in found.values()) == pytest.approx(float(law.rolls_played))
    if not ends and at_end == "run-out":  # every bet counted whole: each step loses the price of the line
        longer = stages_of(ask("martingale_pass", house="strip", unit=5, max_bet=640, rolls=200))
        assert sum(each.net for each in longer.values()) == pytest.approx(-16.80, abs=0.005)


def test_what_has_no_stages_and_no_worth() -> None:
    """No progression, another's name, no end, a function."""
    with pytest.raises(ArgumentError, match="Nearest: doubling"):
        stages_of(ask(FIELD), "dubling")
    with pytest.raises(ArgumentError, match="without a progression"):
        stages_of(ask("pass_flat"))
    with pytest.raises(LongRunError, match="Give the table a maximum"):
        theo_of(ask("martingale_pass"))
    with pytest.raises(StrategyError, match="written in Python"):
        theo_of(ask(lambda view: {"pass": 1}))  # noqa: ARG005
    refused("theo", "pass_flat", "--comp", "much", code=2)
    assert "a share from 0 to 1" in refused("theo", "pass_flat", "--comp", "5", code=2)
    refused("stages", "pass_flat", code=2)
    assert "more than can be counted" in refused("stages", "martingale_pass", code=1)  # doubled 200 times
    assert theo_of(ask("dalembert_pass", unit=3 * 10**18)).edge == theo_of(ask("dalembert_pass", unit=3)).edge
    (shown,) = told("stages", "martingale_pass", "--house", "strip", "--unit", 5, "--max", 20, "--rolls", 5)
    assert list(shown["stages"]) == ["1", "2", "4"]
    assert "\n1099511627776 " in run("stages", "martingale_pass", "--house", "strip", "--rolls", 40).stdout
    assert "reached" in run("stages", "martingale_pass", "--unit", 5, "--max", 20, "--rolls", 5).stdout


def test_what_the_dealers_refuse_is_told() -> None:
    """On the page and in JSON; a strategy that never gets a bet down is refused as everywhere."""
    theo = theo_of(ask("pass_odds@odds=5", house="strip"))
    assert "the dealers refuse pass_odds: 50 on Odds" in str(theo)
    assert len(theo.to_json()["remarks"]) == 1
    assert not theo_of(ask("pass_flat", house="strip")).remarks
    with pytest.raises(StrategyError, match="never gets a bet down"):
        theo_of(ask("iron_cross", house="strip", notice="min=10 odds=2"))


@pytest.mark.slow
def test_the_stages_of_a_strategy_that_has_some_are_told_of_a_short_evening() -> None:
    """Without being named, though it also counts something, and though no machine of all its states is built."""
    question = ask("cats", house="adelaide", rolls=3)
    stages = stages_of(question)
    assert stages[Fraction(1)].p_reached == 1
    assert sum(each.rolls for each in stages.values()) == pytest.approx(3)
    assert sum(each.net for each in stages.values()) == pytest.approx(float(question.exact().mean))
