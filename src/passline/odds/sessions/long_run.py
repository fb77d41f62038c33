"""What a strategy does to a bankroll in the long run: net, action and variance for each roll, exactly where it can."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import compress
from operator import mul
from typing import Any

import numpy as np
from numpy.typing import NDArray

from passline.answers import Answer, Kind, Part, Table, figures, picked
from passline.errors import LongRunError
from passline.machine.dice import FAIR, LoadedDice
from passline.machine.machine import Machine
from passline.odds.linear import solve
from passline.odds.sessions.chain import Chain, Ints, RunOut, chain_of

EXACT_STATES_MAX = 400  # States up to which the equations are solved in fractions
DENSE_STATES_MAX = 7000  # States up to which one matrix of doubles solves them: about half a minute and a gigabyte
PATIENCE = 200_000  # Rounds after which play that has not settled is given up


@dataclass(frozen=True, slots=True)
class LongRun(Answer):
    """Means for each roll once the session's beginning no longer matters; fractions when exact."""

    exact: bool
    states: int  #: States that play keeps coming back to, those with the same distribution counted once.
    net_per_roll: Fraction | float  #: The mean of the money won less the money lost.
    action_per_roll: Fraction | float
    """The mean of the money of the bets decided: each stake and the commission paid for that decision, pushes counted.

    A winner that stays up is a new bet.
    """
    hands_per_roll: Fraction | float  #: The mean number of seven-outs.
    variance_per_roll: Fraction | float
    """The variance of the net of many rolls, divided by their number: what one roll does depends on the last."""

    @property
    def edge(self) -> Fraction | float | None:
        """The loss for each unit of action; None where nothing is ever decided."""
        return -self.net_per_roll / self.action_per_roll if self.action_per_roll else None

    def page(self) -> Iterator[Part]:
        how = "exactly" if self.exact else "in double precision"
        yield f"The long run, over the {self.states:,} states that play keeps coming back to, worked out {how}."
        yield Table(FIGURES, [tuple(picked(self, *FIGURES).values())])

    def data(self) -> dict[str, Any]:
        return {"exact": self.exact, "states": self.states, **figures(self, *FIGURES)}


# What is written out of it, and of what kind each is.
FIGURES: Mapping[str, Kind] = {
    "net_per_roll": "net",
    "action_per_roll": "money",
    "hands_per_roll": "number",
    "variance_per_roll": "number",
    "edge": "edge",
}


def long_run(machine: Machine, dice: LoadedDice = FAIR) -> LongRun:
    """The long run of a strategy: in fractions up to a few hundred states, in double precision beyond."""
    chain = _for_good(machine, dice)
    return _exactly(chain) if chain.states <= EXACT_STATES_MAX else _in_doubles(chain, *_settled(chain))


def per_roll(machine: Machine, dice: LoadedDice = FAIR) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """What one roll can bring in the long run, in money, and how often it does."""
    chain = _for_good(machine, dice)
    often, _ = _settled(chain)
    nets, place = np.unique(chain.net, return_inverse=True)
    taken = np.bincount(place.reshape(-1), weights=often[chain.source] * chain.weight / chain.whole)
    return (nets * float(chain.step)).astype(np.float64), taken.astype(np.float64)


def _for_good(machine: Machine, dice: LoadedDice) -> Chain:
    if machine.about.get("rolls") is not None:
        raise LongRunError(
            f"its states have no end, and were looked for only as deep as {machine.about['rolls']} rolls"
        )
    if machine.about.get("purse") is not None:
        raise LongRunError("it minds the session's money, which only what ends a session bounds")
    return recurrent(chain_of(machine, with_need=False, dice=dice))


def _settled(chain: Chain) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    return _dense(chain) if chain.states <= DENSE_STATES_MAX else _patiently(chain)


def recurrent(chain: Chain) -> Chain:
    """The part of the chain that play ends up in for good."""
    ahead = met_for_good(chain.source, chain.target, chain.start, chain.states, "this strategy")
    name = np.cumsum(ahead) - 1
    stays = ahead[chain.source]
    return replace(
        chain,
        **{step: name[getattr(chain, step)[stays]] for step in ("source", "target")},
        **{step: getattr(chain, step)[stays] for step in ("net", "weight")},
        need=tuple(compress(chain.need, ahead)),
        action=tuple(compress(chain.action, ahead)),
        **{figure: getattr(chain, figure)[ahead] for figure in ("hand_ends", "playing", "last")},
        start=0,
    )


def met_for_good(source: Ints, target: Ints, state: int, states: int, who: str) -> NDArray[np.bool_]:
    """The states that play from one ends up in for good; an error where that is not settled."""
    while True:
        ahead, behind = spread(source, target, state, states), spread(target, source, state, states)
        escaped = np.flatnonzero(ahead & ~behind)
        if not escaped.size:
            break
        state = int(escaped[0])
    if not behind.all():
        raise LongRunError(f"{who} settles into one of several habits, so it has no single long run")
    return ahead


def spread(source: Ints, target: Ints, state: int, states: int) -> NDArray[np.bool_]:
    """The states that can be reached from one, itself included."""
    met = np.zeros(states, dtype=np.bool_)
    met[state] = True
    count = 0
    while count < (count := int(met.sum())):
        met[target[met[source]]] = True
    return met


def _exactly(chain: Chain) -> LongRun:
    """Two sets of equations with one matrix: how often each state is met, and what it is worth to stand in it."""
    matrix = _matrix(chain)
    often, times = solve(matrix.T.copy(), [1] + [0] * (chain.states - 1))
    paid = np.zeros(chain.states, dtype=np.int64)
    np.add.at(paid, chain.source, chain.net * chain.weight)
    worth, over = solve(matrix, paid.tolist())
    mean = Fraction(worth[0], over * chain.whole)
    # The first unknown is the mean times the weight of all throws; the first state is the one others are compared with.
    worth[0] = 0
    top, bottom = mean.numerator, mean.denominator
    square = 0
    steps = zip(*(a.tolist() for a in (chain.source, chain.target, chain.net, chain.weight)), strict=True)
    for source, target, net, weight in steps:
        swing = (net * bottom - top) * over + (worth[target] - worth[source]) * bottom
        square += often[source] * weight * swing * swing
    return LongRun(
        exact=True,
        states=chain.states,
        net_per_roll=mean * chain.step,
        action_per_roll=sum(map(mul, often, chain.action), Fraction(0)) / times,
        hands_per_roll=Fraction(sum(map(mul, often, chain.hand_ends.tolist())), times * chain.whole),
        variance_per_roll=Fraction(square, times * chain.whole * (over * bottom) ** 2) * chain.step**2,
    )


def _matrix(chain: Chain) -> Ints:
    """One less the chances from state to state, times the weight of all throws, and ones as the first column."""
    matrix = chain.whole * np.eye(chain.states, dtype=np.int64)
    np.subtract.at(matrix, (chain.source, chain.target), chain.weight)
    matrix[:, 0] = 1
    return matrix


def _dense(chain: Chain) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """How often each state is met and what it is worth, from the same equations in doubles."""
    matrix, unit = _matrix(chain).astype(np.float64), np.eye(1, chain.states)[0]
    paid = np.bincount(chain.source, weights=chain.net * chain.weight, minlength=chain.states)
    worth: NDArray[np.float64] = np.linalg.solve(matrix, paid).astype(np.float64)
    worth[0] = 0
    return np.linalg.solve(matrix.T, unit).astype(np.float64), worth


def _patiently(chain: Chain) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The same by rolling until nothing changes, half a roll at a time so that no rhythm keeps it from settling."""
    chance = chain.weight / chain.whole
    often = np.full(chain.states, 1 / chain.states)
    for _ in range(PATIENCE):
        after = (often + np.bincount(chain.target, weights=often[chain.source] * chance, minlength=chain.states)) / 2
        change = float(np.abs(after - often).sum())
        often = after / after.sum()
        if change < 1e-14:
            break
    gain = np.bincount(chain.source, weights=chain.net * chance, minlength=chain.states)
    paid = gain - float(often @ gain)
    worth = np.zeros(chain.states)
    for _ in range(PATIENCE):
        ahead = np.bincount(chain.source, weights=worth[chain.target] * chance, minlength=chain.states)
        half = (paid + ahead - worth) / 2
        worth = worth + half
        if float(np.abs(half).max()) < 1e-13 * (1 + float(np.abs(worth).max())):
            return often, worth
    raise LongRunError(f"play has not settled after {PATIENCE:,} rolls, so its long run cannot be told")


def _in_doubles(chain: Chain, often: NDArray[np.float64], worth: NDArray[np.float64]) -> LongRun:
    taken = often[chain.source] * chain.weight / chain.whole
    mean = float(taken @ chain.net)
    swing = chain.net - mean + worth[chain.target] - worth[chain.source]
    step = float(chain.step)
    return LongRun(
        exact=False,
        states=chain.states,
        net_per_roll=mean * step,
        action_per_roll=float(often @ np.array(chain.action, dtype=np.float64)),
        hands_per_roll=float(often @ chain.hand_ends) / chain.whole,
        variance_per_roll=float(taken @ swing**2) * step**2,
    )


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
    drift = _moments(chain, rolls, 0.0)[0] / rolls
    # About its own drift the square of the net is the variance and little more, so nothing cancels.
    mean, square = _moments(chain, rolls, drift)
    # The sums over all rolls of what each state brings, carried beside the chance to be there.
    each = np.column_stack([np.array(chain.action, dtype=np.float64), chain.hand_ends / chain.whole, chain.playing])
    one = np.block([[chain.square(np.ones(len(chain.net))), each], [np.zeros((3, chain.states)), np.eye(3)]])
    after = np.linalg.matrix_power(one, rolls)[chain.start]
    last, (action, hands, played) = after[: chain.states], after[chain.states :].tolist()
    return Moments(
        mean=mean + drift * rolls,
        variance=square - mean**2,
        action=action + float(last @ _at_end(chain, lambda end: end.action)),
        hands=hands,
        rolls=played if chain.playing.min() < 1 else float(rolls),
        run_out_rolls=float(last @ _at_end(chain, lambda end: end.rolls)),
    )


def _at_end(chain: Chain, figure: Callable[[RunOut], Fraction]) -> NDArray[np.float64]:
    return np.array([float(figure(end)) for end in chain.run_outs])[chain.last]


def _moments(chain: Chain, rolls: int, drift: float) -> tuple[float, float]:
    """The mean of the net less `drift` a roll, and of its square."""
    paid, nothing = chain.net.astype(np.float64) - drift, np.zeros((chain.states, chain.states))
    chance, net, square = (chain.square(paid**power) for power in range(3))
    # Chance, net and squared net from state to state of one stretch of rolls followed by another.
    one = np.block([[chance, net, square], [nothing, chance, 2 * net], [nothing, nothing, chance]])
    after = np.linalg.matrix_power(one, rolls)[chain.start].reshape(3, chain.states)
    out, out_square = _at_end(chain, lambda end: end.moment(1)), _at_end(chain, lambda end: end.moment(2))
    mean = after[1].sum() + after[0] @ out
    return float(mean), float(after[2].sum() + 2 * after[1] @ out + after[0] @ out_square)
