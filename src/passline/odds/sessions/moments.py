"""Mean and variance of a session without stops, and the action in it, by doubling the number of rolls."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from passline.odds.sessions.chain import Chain
from passline.odds.sessions.run_out import RunOut


@dataclass(frozen=True, slots=True)
class Moments:
    """Means over a session in double precision; the net in steps of money, the action in money."""

    mean: float
    variance: float
    action: float
    hands: float
    rolls: float
    run_out_rolls: float


def moments(chain: Chain, rolls: int) -> Moments:
    """The moments after `rolls` rolls from the start."""
    drift = _moments(chain, rolls, 0.0)[0] / rolls
    # About its own drift the square of the net is the variance and little more, so nothing cancels.
    mean, square = _moments(chain, rolls, drift)
    action_each = [float(action) for action in chain.action]
    per_roll = np.column_stack([action_each, chain.hand_ends / chain.whole, chain.playing])
    (action, hands, played), last = _totals(chain, rolls, per_roll)
    return Moments(
        mean=mean + drift * rolls,
        variance=square - mean**2,
        action=action + float(last @ _at_end(chain, lambda end: end.action)),
        hands=hands,
        rolls=played if chain.playing.min() < 1 else float(rolls),
        run_out_rolls=float(last @ _at_end(chain, lambda end: end.rolls)),
    )


def _at_end(chain: Chain, figure: Callable[[RunOut], Fraction]) -> NDArray[np.float64]:
    """A figure of the run-out of each state."""
    return np.array([float(figure(end)) for end in chain.run_outs])[chain.last]


def _moments(chain: Chain, rolls: int, drift: float) -> tuple[float, float]:
    """The mean of the net less `drift` a roll, and of its square."""
    paid = chain.net.astype(np.float64) - drift
    power = [_square(chain, paid**k) for k in range(3)]
    result = [np.eye(chain.states), *np.zeros((2, chain.states, chain.states))]
    left = rolls
    while left:
        if left & 1:
            result = _after(result, power)
        power = _after(power, power)
        left >>= 1
    chance, net, square = (each[chain.start] for each in result)
    out, out_square = _at_end(chain, lambda end: end.moment(1)), _at_end(chain, lambda end: end.moment(2))
    mean = net.sum() + chance @ out
    return float(mean), float(square.sum() + 2 * net @ out + chance @ out_square)


def _after(first: list[NDArray[np.float64]], then: list[NDArray[np.float64]]) -> list[NDArray[np.float64]]:
    """Chance, net and squared net from state to state of one stretch of rolls followed by another."""
    return [
        first[0] @ then[0],
        first[0] @ then[1] + first[1] @ then[0],
        first[0] @ then[2] + 2 * first[1] @ then[1] + first[2] @ then[0],
    ]


def _totals(chain: Chain, rolls: int, per_state: NDArray[np.float64]) -> tuple[list[float], NDArray[np.float64]]:
    """The sums over all rolls of each figure of the states; where the last roll leads."""
    power, total = _square(chain, np.ones(len(chain.net))), per_state.astype(np.float64)
    row = np.zeros(chain.states)
    row[chain.start] = 1.0
    sums = np.zeros(per_state.shape[1])
    left = rolls
    while left:
        if left & 1:
            sums += row @ total
            row = row @ power
        total = total + power @ total
        power = power @ power
        left >>= 1
    return sums.tolist(), row


def _square(chain: Chain, value: NDArray[np.float64]) -> NDArray[np.float64]:
    """A matrix of states by states: the value of each step times its chance."""
    square = np.zeros((chain.states, chain.states))
    np.add.at(square, (chain.source, chain.target), value * chain.weight / chain.whole)
    return square
