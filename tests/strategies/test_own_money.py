"""A player's own money: each part of the language that minds it, against a plain loop, on shared dice and in fractions.

The stops are the file's, the asker's, or both; then the asker's count. What a strategy sees and remembers must follow
those that end the evening, whoever said them.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import pytest

from passline import ask
from passline.sim.dice import throws
from tests.strategies.plain_evening import Ends, Felt, Roll, System, dealt, law

ROLLS = 14
NONE = Fraction(0)
ONE = Fraction(1)


class Case(NamedTuple):
    """What a file says, and the same as plain functions."""

    file: dict[str, Any]
    system: System
    bankroll: int | None = None


def _line(amount: str | int, when: str = "puck off", **more: Any) -> dict[str, Any]:  # noqa: ANN401 - tables of a file
    return {"want": [{"when": when, "up": {"pass": amount}}], **more}


def _flat(bet: Any) -> Any:  # noqa: ANN401 - a function of memory and profit
    return lambda memory, felt, profit: (bet(memory, felt, profit), NONE)


def _whole(amount: Fraction) -> Fraction:
    return Fraction(max(0, amount.__floor__()))


def _profit(_memory: None, _felt: Felt, profit: Fraction) -> Fraction:
    return Fraction(2) if profit < 0 else ONE


def _below(memory: Fraction, roll: Roll, _profit: Fraction) -> Fraction:
    return max(NONE, memory - roll.net)


def _peak(memory: Fraction, _roll: Roll, profit: Fraction) -> Fraction:
    return max(memory, profit)


def _hand(memory: Fraction, roll: Roll, _profit: Fraction) -> Fraction:
    return NONE if roll.hand_over else memory + roll.net


def _oscar_bet(memory: tuple[int, int], _felt: Felt, _profit: Fraction) -> Fraction:
    return Fraction(memory[0])


def _oscar_after(memory: tuple[int, int], roll: Roll, _profit: Fraction) -> tuple[int, int]:
    """Wilson's rules: after a loss the same, after a win one more, never more than makes the series one ahead."""
    bet, series = memory
    if not roll.flat:
        return memory
    series += int(roll.flat)
    if series >= 1:
        return 1, 0
    return (min(bet + 1, 1 - series) if roll.flat > 0 else bet), series


def _keep(memory: Any, _roll: Roll, _profit: Fraction) -> Any:  # noqa: ANN401 - nothing is remembered
    return memory


def _odds_left(bankroll: int) -> Any:  # noqa: ANN401 - as `System.wants`
    def wants(_memory: None, felt: Felt, profit: Fraction) -> tuple[Fraction, Fraction]:
        return ONE, _whole(min(3 * felt.flat, bankroll + profit - felt.flat))

    return wants


def _until(limit: int) -> Any:  # noqa: ANN401 - as `System.wants`
    return lambda memory, _felt, _profit: None if memory >= limit else (ONE, NONE)


def _share(bankroll: int, part: int) -> Any:  # noqa: ANN401 - as `System.wants`
    return _flat(lambda _memory, _felt, profit: _whole((bankroll + profit) / part))


OSCAR = {"oscar": {"of": "pass", "steps": "add one", "won": "next", "lost": "hold", "goal": 1}}
CASES = {
    "profit": Case(
        {"want": [{"when": "puck off", "up": {"pass": 1}}, {"when": "puck off and profit < 0", "up": {"pass": 2}}]},
        System(None, _flat(_profit), _keep),
    ),
    "bankroll": Case(_line("bankroll / 6"), System(None, _share(24, 6), _keep), 24),
    "bankroll asked": Case(
        {"want": [{"when": "puck off", "up": {"pass": 1}}, {"when": "puck off and bankroll >= 13", "up": {"pass": 3}}]},
        System(None, _flat(lambda _m, _f, profit: Fraction(3) if 12 + profit >= 13 else ONE), _keep),
        12,
    ),
    "left": Case(
        {
            "want": [
                {"when": "puck off", "up": {"pass": 1}},
                {"when": "puck on", "up": {"pass_odds": "least(3x, left)"}},
            ]
        },
        System(None, _odds_left(6), _keep),
        6,
    ),
    "below_peak": Case(
        _line(1, "puck off and below_peak < 3"),
        System(NONE, _flat(lambda below, _f, _p: ONE if below < 3 else NONE), _below),
    ),
    "below_peak as an amount": Case(
        _line("1 + below_peak"), System(NONE, _flat(lambda below, _f, _p: 1 + below), _below)
    ),
    "peak": Case(_line("1 + peak"), System(NONE, _flat(lambda peak, _f, _p: 1 + peak), _peak)),
    "hand_profit": Case(
        _line("greatest(1, 0 - hand_profit)"),
        System(NONE, _flat(lambda hand, _f, _p: max(ONE, -hand)), _hand),
    ),
    "a trailing stop": Case(_line(1, ends={"when": "below_peak >= 3"}), System(NONE, _until(3), _below)),
    "oscar": Case(_line("oscar", progression=OSCAR), System((1, 0), _flat(_oscar_bet), _oscar_after)),
    "just_won": Case(
        _line("1 + just_won(pass)"),
        System(NONE, _flat(lambda won, _f, _p: 1 + won), lambda _m, roll, _p: max(NONE, roll.flat)),
    ),
}
STOPS = {
    "the file's": ((5, 4), None),
    "the asker's": (None, (5, 4)),
    "both, the asker's wider": ((2, 2), (5, 4)),
    "both, the asker's nearer": ((9, 9), (4, 3)),
    "none": (None, None),
}


def _asked(case: Case, stops: str, **more: Any) -> tuple[Any, Ends]:  # noqa: ANN401 - a question
    file, asker = STOPS[stops]
    values = {"name": "x", "description": "x", **case.file}
    if file is not None:
        values["ends"] = {"stop_win": file[0], "stop_loss": file[1], **values.get("ends", {})}
    win, loss = asker or file or (None, None)
    given: dict[str, Any] = {} if asker is None else {"stop_win": asker[0], "stop_loss": asker[1]}
    question = ask(values, house="strip", unit=1, rolls=ROLLS, bankroll=case.bankroll, **given, **more)
    return question, Ends(ROLLS, case.bankroll, win, loss)


@pytest.mark.parametrize("stops", STOPS)
@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("at_end", ["run-out", "face"])
def test_the_law_is_that_of_a_plain_loop(name: str, stops: str, at_end: str) -> None:
    """Equal as fractions, every net of it."""
    case = CASES[name]
    question, ends = _asked(case, stops, at_end=at_end)
    found = question.exact(fractions=True)
    nets = ((found.low + place) * found.step for place in range(len(found.weights)))
    told = {net: Fraction(weight, found.whole) for net, weight in zip(nets, found.weights, strict=True) if weight}
    assert told == law(case.system, ends, run_out=at_end == "run-out")


@pytest.mark.slow
@pytest.mark.parametrize("stops", STOPS)
@pytest.mark.parametrize("name", CASES)
def test_every_backend_plays_the_plain_loop(name: str, stops: str) -> None:
    """On shared dice, session by session, sixty rolls each."""
    case = CASES[name]
    rolls, sessions = (60 if STOPS[stops] != (None, None) else ROLLS), 60
    question, ends = _asked(case, stops)
    question, ends = replace(question, terms=replace(question.terms, rolls=rolls)), replace(ends, rolls=rolls)
    tables = np.arange(sessions, dtype=np.uint64)
    faces = throws(7, tables, 3000).tolist()
    nets = [dealt(case.system, ends, (2 + f // 6 + f % 6 for f in row), run_out=True) for row in faces]
    for backend in ("engine", "numpy", "numba"):
        sample = question.simulate(sessions=sessions, seed=7, backend=backend)
        assert sorted(net for net, count in sample.net for _ in range(count)) == sorted(nets), backend
