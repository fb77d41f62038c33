"""Machine, interpreted engine and every backend play the same game: equal roll by roll, not alike on average."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from passline import ask
from passline.errors import WagerMissingError
from passline.machine.build import build
from passline.machine.machine import Machine
from passline.machine.play import Player, Setting
from passline.machine.terms import Seating, Terms
from passline.odds.sessions.distribution import distribution_of
from passline.sim import simulate
from passline.sim.dice import throws
from passline.strategies.language.read import library, load
from tests.acceptance.played import (
    HOUSES,
    IN_TURN,
    MINDFUL,
    MINDFUL_IN_TURN,
    PAIRS,
    house,
    is_booked,
    machine,
    maximum,
    setting,
)
from tests.sim.machines import MachinePlayer

ROLLS = 200
"""An evening."""
FEW_ROLLS = 8
"""A short one: the machine of somebody who minds money has a state for every amount there is."""


def same(name: str, strategy: str, rolls: int) -> None:
    """A machine and the engine, for so many rolls of one session."""
    alike(machine(name, strategy), Player(setting(name, strategy)), rolls, len(strategy))


def alike(built: Machine, played: Player, rolls: int, session: int) -> None:
    """Hold a machine against the engine on the same dice: need, net, action and seven-outs of every roll."""
    looked_up = MachinePlayer(built, built.start)
    coarse = built.minor_unit / played.minor_unit
    dealt = throws(2024, np.array([session], dtype=np.uint64), rolls)[0].tolist()
    for number, throw in enumerate(dealt):
        assert looked_up.need * coarse == played.need, f"need before roll {number}"
        assert looked_up.roll(throw) * coarse == played.roll(throw), f"net of roll {number}"
        assert looked_up.action * coarse == played.action, f"action of roll {number}"
        assert looked_up.hand_ended == played.hand_ended, f"hand at roll {number}"


@pytest.mark.slow
@pytest.mark.parametrize(("name", "strategy"), IN_TURN)
def test_machine_and_engine_play_the_same(name: str, strategy: str) -> None:
    """On the same dice, the same money moves at every roll: each strategy in one house, and the houses in turn."""
    same(name, strategy, 500)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "strategy"), MINDFUL_IN_TURN)
def test_machine_and_engine_play_the_same_evening(name: str, strategy: str) -> None:
    """Who minds the money is played the same too, at every roll of short evenings with a bankroll and a stop."""
    same_evening(name, strategy)


@pytest.mark.campaign
@pytest.mark.slow
@pytest.mark.parametrize(("name", "strategy"), MINDFUL)
def test_machine_and_engine_play_the_same_evening_everywhere(name: str, strategy: str) -> None:
    """Every such strategy in every house."""
    same_evening(name, strategy)


def same_evening(name: str, strategy: str) -> None:
    plays = load(strategy)
    terms = Terms(FEW_ROLLS, bankroll=500 * plays.unit, stop_win=500 * plays.unit)
    seating = Seating(house(name), plays.unit)
    built, at_table = build(plays, seating, terms), Setting(plays, seating, terms.purse)
    for session in range(30):
        alike(built, Player(at_table), FEW_ROLLS, session)


@pytest.mark.campaign
@pytest.mark.slow
@pytest.mark.parametrize(("name", "strategy"), PAIRS)
def test_machine_and_engine_play_the_same_for_long(name: str, strategy: str) -> None:
    """Every strategy in every house; nor do they part later."""
    same(name, strategy, 20_000)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "strategy"), IN_TURN)
def test_every_backend_counts_the_same(name: str, strategy: str) -> None:
    """Each strategy in one house, and the houses in turn: a backend knows machines and no houses."""
    every_backend_counts_the_same(name, strategy)


@pytest.mark.campaign
@pytest.mark.slow
@pytest.mark.parametrize(("name", "strategy"), PAIRS)
def test_every_backend_counts_the_same_everywhere(name: str, strategy: str) -> None:
    """Every strategy in every house."""
    every_backend_counts_the_same(name, strategy)


def every_backend_counts_the_same(name: str, strategy: str) -> None:
    """The engine, NumPy and Numba find the same: final nets, ruin, drawdown, fan."""
    built = machine(name, strategy)
    plays = load(strategy)
    most = maximum(name, strategy)
    player = ask(plays, house=name, max_bet=most).source("engine")
    bankroll = max(1, 4 * int(built.need.max())) * built.minor_unit
    few = [
        simulate(source, Terms(120, bankroll=bankroll), sessions=3, seed=5, backend=backend)
        for source, backend in ((player, "engine"), (built, "numpy"), (built, "numba"))
    ]
    assert len({result.fingerprint() for result in few}) == 1
    many = [
        simulate(built, Terms(ROLLS, bankroll=bankroll), sessions=1_000, seed=6, backend=backend, watch=64)
        for backend in ("numpy", "numba")
    ]
    assert many[0].net == many[1].net
    assert many[0].fingerprint() == many[1].fingerprint()


@pytest.mark.slow
@pytest.mark.parametrize(("name", "strategy"), IN_TURN)
def test_a_few_million_rolls_agree_with_the_exact_answer(name: str, strategy: str) -> None:
    """Each strategy in one house, and the houses in turn."""
    agrees_with_the_exact_answer(name, strategy, 20_000)


@pytest.mark.campaign
@pytest.mark.slow
@pytest.mark.parametrize(("name", "strategy"), PAIRS)
def test_a_hundred_million_rolls_agree_with_the_exact_answer(name: str, strategy: str) -> None:
    """Every strategy in every house."""
    agrees_with_the_exact_answer(name, strategy, 500_000)


def agrees_with_the_exact_answer(name: str, strategy: str, sessions: int) -> None:
    """Mean and chances lie within four standard errors of what is worked out."""
    built = machine(name, strategy)
    exact = distribution_of(built, Terms(ROLLS), exact=False)
    result = simulate(built, Terms(ROLLS), sessions=sessions, seed=2024)
    assert result.rolls == sessions * ROLLS
    assert abs(result.z_score(exact.mean, exact.variance)) < 4
    for found, chance in ((result.p_ahead, float(exact.p_ahead)), (result.p_behind, float(exact.p_behind))):
        assert abs(float(found) - chance) <= 4 * (chance * (1 - chance) / sessions) ** 0.5 + exact.error_bound


@pytest.mark.parametrize("name", HOUSES)
def test_a_house_without_the_wagers_says_who_has_them(name: str) -> None:
    """A strategy that is not in the list of pairs is refused with the houses that do book it."""
    for strategy in library():
        if not is_booked(name, strategy):
            with pytest.raises(WagerMissingError) as refused:
                Setting(strategy, Seating(house(name)))
            assert set(refused.value.houses) == {each for each in HOUSES if is_booked(each, strategy)}
            assert refused.value.houses, "the library has no strategy that nobody books"


@pytest.mark.slow
def test_ruin_and_stops_agree_with_the_exact_answer() -> None:
    """With a bankroll and stops, every way an evening can end has its chance."""
    built = machine("sydney", "three_point_molly")
    terms = Terms(ROLLS, bankroll=150, stop_win=120, stop_loss=Fraction(281, 2))
    exact = distribution_of(built, terms, exact=False)
    result = simulate(built, terms, sessions=200_000, seed=9)
    assert abs(result.z_score(exact.mean, exact.variance)) < 4
    for name in ("p_ahead", "p_behind", "p_ruin"):
        chance, share = float(getattr(exact, name)), float(getattr(result, name))
        assert abs(share - chance) < 4 * (chance * (1 - chance) / result.sessions) ** 0.5
    assert abs(result.rolls / result.sessions - float(exact.rolls_played)) < 0.5
