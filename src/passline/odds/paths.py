"""What a session goes through on its way: its peak, its falls, the time to ruin or a goal, time under water, bad runs.

The chain of a session is walked with one number more for each path: how far it is below its peak, how many losing rolls
it is into, how many rolls it has been behind. A figure that only grows (peak, deepest fall, longest run) reaches a
level with the chance that a walk with a barrier there runs into it. What stands counts at face value, as the paths of a
sample do, and before the run-out.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from importlib import import_module
from itertools import accumulate, count, pairwise
from pathlib import Path as FilePath
from typing import Any, Final, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from passline.answers import Answer, Part, Table, percent, picked, remarks_of
from passline.errors import SessionError
from passline.files.arguments import chance as a_chance
from passline.machine.machine import Machine, check_depth
from passline.machine.terms import Terms
from passline.odds.best.kernels import compiled
from passline.odds.sessions.chain import Chain, chain_of

Kind = Literal["net", "fall", "run", "under"]
KINDS: Final[dict[Kind, int]] = {"net": 0, "fall": 1, "run": 2, "under": 3}
LEVELS_MAX: Final = 300  # Levels at which a distribution is worked out; between them it is not
NEGLIGIBLE: Final = 1e-12  # a chance from which no higher level is looked at
# Standard deviations beyond which a net without stops is cut off; what that is worth is in the error bound.
WIDE: Final = 9
WORK_MAX: Final = 3e11
FRACTIONS_WORK_MAX: Final = 3e7
QUANTILES: Final = (0.5, 0.9, 0.99)


class Path(NamedTuple):
    """The distribution of one figure of a path by the chance that it is at least so much."""

    name: str
    # Amounts of money or numbers of rolls, rising; the figure is never below the first.
    levels: Sequence[Fraction | int]
    at_least: Sequence[Fraction | float]
    complete: bool  # whether every value the figure can take is among the levels

    @property
    def mean(self) -> Fraction | float | None:
        """None where some levels were left out."""
        steps = zip(self.levels, self.levels[1:], self.at_least[1:], strict=False)
        exact = not any(isinstance(chance, float) for chance in self.at_least)
        parts = [chance * (high - low if exact else float(high - low)) for low, high, chance in steps]
        return self.levels[0] + sum(parts) if self.complete else None

    def quantile(self, chance: float | Fraction) -> Fraction | int:
        """The least level that is not exceeded with at least this chance."""
        left = 1 - a_chance("chance", chance)
        beyond = (level for level, more in zip(self.levels, [*self.at_least[1:], 0], strict=True) if more <= left)
        return next(beyond)


@dataclass(frozen=True, slots=True)
class Paths(Answer):
    terms: Terms
    title: str
    peak: Path  # the most that a session was ever ahead
    drawdown: Path  # its deepest fall from its best so far
    losing_run: Path  # the most losing rolls in a row; rolls on which no money moved neither count nor break a run
    under_water: Path | None  # how many rolls it was behind; None where that is too much to work out
    ruin_by_roll: Sequence[Fraction | float]  # the chance of ruin just before each roll
    goal_by_roll: Sequence[Fraction | float]  # the chance that each roll is the one that reaches the stop-win
    error_bound: float  # what was cut off, and rounding; nothing in fractions
    remarks: Sequence[str] = ()  # what the dealers refuse, and what is rounded

    @property
    def time_to_ruin(self) -> Fraction | float | None:
        """The mean number of rolls of the sessions that end in ruin; None where none do."""
        return _mean_time(self.ruin_by_roll, first=0)

    @property
    def time_to_goal(self) -> Fraction | float | None:
        """The mean number of rolls of the sessions that reach the stop-win; None where none do."""
        return _mean_time(self.goal_by_roll, first=1)

    @property
    def figures(self) -> list[Path]:
        return [each for each in (self.peak, self.drawdown, self.losing_run, self.under_water) if each is not None]

    def page(self) -> Iterator[Part]:
        yield f"{self.title}: along {self.terms.rolls} rolls, bets still up at face value"
        rows = [(each.name, each.mean, *map(each.quantile, QUANTILES)) for each in self.figures]
        yield Table({"figure": "text", "mean": "number", **{f"{q:.0%}": "number" for q in QUANTILES}}, rows)
        for word, chances, time in (
            ("go broke", self.ruin_by_roll, self.time_to_ruin),
            ("reach the goal", self.goal_by_roll, self.time_to_goal),
        ):
            if time is not None:
                yield f"{percent(sum(chances))} {word}, after {float(time):,.1f} rolls on average."
        yield from self.remarks

    def table(self) -> Table:
        rows = [(each.name, *pair) for each in self.figures for pair in zip(each.levels, each.at_least, strict=True)]
        for name, chances, first in (
            ("rolls to ruin", self.ruin_by_roll, 0),
            ("rolls to the goal", self.goal_by_roll, 1),
        ):
            sums = list(accumulate(chances))
            rows += [(name, roll, sums[-1] - before) for roll, before in enumerate([0, *sums[:-1]], first) if sums[-1]]
        return Table({"figure": "text", "level": "number", "at_least": "share"}, rows)

    def chart(self, path: FilePath | str) -> None:
        """Draw the chance that each figure is at least so much."""
        panels = import_module("passline.analysis.charts").panels  # by name: pictures stand above what they show
        drawn = {
            each.name: {
                "": [(float(level), 100 * float(tail)) for level, tail in zip(each.levels, each.at_least, strict=True)]
            }
            for each in self.figures
        }
        panels(
            path, drawn, title=self.title, words=f"the chance, %, of at least so much along {self.terms.rolls} rolls"
        )

    def data(self) -> dict[str, Any]:
        return {**picked(self, "title", "error_bound", "remarks"), **self.terms.to_json(), **Answer.data(self)}


def paths_of(
    machine: Machine,
    terms: Terms,
    *,
    fractions: bool = False,
    title: str = "",
    progress: Callable[[int, int], None] | None = None,
) -> Paths:
    """Walk every path of a session; in double precision with an error bound, or in fractions if it is short.

    `progress` is told how many of the levels that may matter have been walked to.
    """
    check_depth(machine, terms.rolls)
    chain = chain_of(machine, with_need=terms.bankroll is not None, dice=terms.dice)
    walk = _Walk(chain, terms, exact=fractions)
    plain = walk.play("net")
    most = max(1, int(chain.net.max()))
    heights = _levels(walk.low + walk.width + most, terms.rolls * most)  # the roll that ends it may go past a stop
    deepest, lengths = _levels(walk.fall_max(), walk.fall_max()), range(1, terms.rolls + 1)
    walked, total = count(1), len(heights) + len(deepest) + len(lengths)

    def falling(levels: Sequence[int], chance: Callable[[int], Fraction | float]) -> Iterator[Fraction | float]:
        """The chance of each level, until it is nothing, or in double precision next to nothing."""
        for level in levels:
            tail = chance(level)
            yield tail
            if progress is not None:
                progress(next(walked), total)
            if tail <= (0 if fractions else NEGLIGIBLE):
                return

    peaks = [1, *falling(heights, lambda level: walk.play("net", peak=level).hit)]
    falls = [1, *falling(deepest, lambda level: walk.play("fall", level).hit)]
    runs = [1, *falling(lengths, lambda level: walk.play("run", level).hit)]
    under = walk.under()
    return Paths(
        terms=terms,
        title=title or str(machine.about.get("strategy", "a session")),
        peak=_path("highest net", [0, *heights], peaks, chain.step),
        drawdown=_path("deepest fall", [0, *deepest], falls, chain.step),
        losing_run=_path("losing rolls in a row", range(len(runs)), runs, None),
        under_water=None if under is None else _path("rolls behind", range(len(under)), under, None),
        ruin_by_roll=plain.ruin,
        goal_by_roll=plain.goal,
        error_bound=0.0 if fractions else plain.lost + terms.rolls * 1e-14,
        remarks=remarks_of(machine.about),
    )


def _mean_time(chances: Sequence[Fraction | float], first: int) -> Fraction | float | None:
    whole = sum(chances)
    return sum(roll * chance for roll, chance in enumerate(chances, first)) / whole if whole else None


def _levels(top: int, most: int) -> list[int]:
    """Every level, or as many as are worked out, evenly spread."""
    top = max(1, min(top, most))
    return list(range(1, top + 1, -(-top // LEVELS_MAX)))


def _path(name: str, levels: Sequence[int], at_least: list[Any], step: Fraction | None) -> Path:
    reached = levels[: len(at_least)]
    complete = all(high - low == 1 for low, high in pairwise(reached)) and (
        len(at_least) < len(levels) or at_least[-1] < NEGLIGIBLE or step is None or len(levels) < LEVELS_MAX
    )
    return Path(name, [level * (step or 1) for level in reached], at_least, complete)


class _Walked(NamedTuple):
    hit: Fraction | float  # the chance that the barrier was run into
    ruin: list[Any]
    goal: list[Any]
    ends: list[Any]  # for each value of the number that a path carries, the chance to end with it
    lost: float


class _Walk:
    """Sessions of one chain on some terms, walked again with another barrier each time."""

    def __init__(self, chain: Chain, terms: Terms, *, exact: bool) -> None:
        self.chain, self.rolls, self.exact = chain, terms.rolls, exact
        win, loss, floor = terms.in_steps(chain.step, chain.need)
        far = 1 << 60
        self.win, self.loss = far if win is None else win, -far if loss is None else loss
        self.floor = np.full(chain.states, -far) if floor is None else np.array(floor, dtype=np.int64)
        self.limited = win is not None or loss is not None or floor is not None
        square = np.bincount(chain.source, chain.net.astype(float) ** 2 * chain.weight, minlength=chain.states)
        reach = self.rolls * chain.net_max
        if not exact:
            reach = min(reach, int(WIDE * (self.rolls * float(square.max()) / chain.whole) ** 0.5) + chain.net_max + 1)
        low = max(-reach, self.loss, int(self.floor.min()) - chain.net_max if floor is not None else -far)
        self.low, self.width = low, min(reach, self.win) - low + 1

    def fall_max(self) -> int:
        """The deepest fall there can be, and no deeper than is worth looking."""
        once = self.chain.net_max  # the roll that ends it may go past a stop
        return self.width + once if self.limited else min(self.rolls * once, 2 * self.width)

    def under(self) -> list[Any] | None:
        """The chance of at least so many rolls behind."""
        if self._work(self.width, self.rolls + 1) > WORK_MAX / 10:
            return None
        ends = self.play("under", self.rolls + 2).ends[: self.rolls + 1]
        sums = list(accumulate(reversed(ends)))
        return list(reversed(sums))

    def _work(self, width: int, numbers: int) -> float:
        return float(self.rolls) * width * numbers * len(self.chain.net)

    def play(self, kind: Kind, barrier: int = 1, peak: int | None = None) -> _Walked:
        chain = self.chain
        free = not self.limited and kind in {"fall", "run"}  # then the net itself does not matter
        width, numbers = 1 if free else self.width, 1 if kind == "net" else barrier
        if self._work(width, numbers) > (FRACTIONS_WORK_MAX if self.exact else WORK_MAX):
            raise SessionError("these paths are too many to walk; give stops, fewer rolls or a larger unit")
        dtype = object if self.exact else np.float64
        now, then = np.zeros((2, chain.states, width, numbers), dtype=dtype)
        ruin, goal, hit, lost = np.zeros((4, self.rolls), dtype=dtype)
        ends = np.zeros((self.rolls + 1, numbers), dtype=dtype)
        now[chain.start, 0 if free else -self.low, 0] = 1
        weight = chain.weight.astype(object) if self.exact else chain.weight / chain.whole
        far = 1 << 60
        run: Any = roll.py_func if self.exact else roll  # type: ignore[attr-defined]
        for at in range(self.rolls):
            run(
                now, then, (ruin, goal, hit, lost), ends, at, KINDS[kind], chain.source, chain.target, chain.net,
                weight, self.floor, chain.playing, self.win, self.loss, far if peak is None else peak, self.low,
            )  # fmt: skip
            now, then = then, now
        ends[self.rolls] += now.sum(axis=(0, 1))
        if not self.exact:
            return _Walked(float(hit.sum()), ruin.tolist(), goal.tolist(), ends.sum(axis=0).tolist(), float(lost.sum()))
        whole = chain.whole
        after = [Fraction(1, whole ** (at + 1)) for at in range(self.rolls)]
        before = [Fraction(1, whole**at) for at in range(self.rolls + 1)]
        # A path that ends after a roll is entered with the roll that follows it.
        finals = [sum(int(ends[at, place]) * before[at] for at in range(self.rolls + 1)) for place in range(numbers)]
        return _Walked(
            sum((int(each) * part for each, part in zip(hit, after, strict=True)), Fraction(0)),
            [int(each) * part for each, part in zip(ruin, before, strict=False)],
            [int(each) * part for each, part in zip(goal, after, strict=True)],
            finals,
            0.0,
        )


@compiled
def roll(  # noqa: C901, PLR0913, PLR0917 - one loop for Numba, which has no keywords
    now: NDArray[Any], then: NDArray[Any], tallies: tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]],
    ends: NDArray[Any], at: int, kind: int, source: NDArray[np.int64], target: NDArray[np.int64],
    paid: NDArray[np.int64], weight: NDArray[Any], floor: NDArray[np.int64], playing: NDArray[np.int64], win: int,
    loss: int, peak: int, low: int,
) -> None:  # fmt: skip
    """One roll of every path: who cannot pay or has left ends before it, who runs into a barrier or a stop after it."""
    ruin, goal, hit, lost = tallies
    states, width, numbers = now.shape
    for state in range(states):
        for place in range(width):
            short = width > 1 and place + low < floor[state]
            if short or not playing[state]:
                for number in range(numbers):
                    mass = now[state, place, number]
                    if mass:
                        if playing[state]:
                            ruin[at] += mass
                        ends[at, number] += mass
                        now[state, place, number] = 0
    then[:] = 0
    for edge in range(len(source)):
        won, state, to = paid[edge], source[edge], target[edge]
        for place in range(width):
            onto = place if width == 1 else place + won
            net = onto + low
            for number in range(numbers):
                mass = now[state, place, number]
                if not mass:
                    continue
                mass = mass * weight[edge]
                after = number
                if kind == 1:
                    after = max(0, number - won)
                elif kind == 2 and won:
                    after = number + 1 if won < 0 else 0
                elif kind == 3 and net < 0:
                    after = number + 1
                if (kind and after >= numbers) or (width > 1 and net >= peak):
                    hit[at] += mass
                elif width > 1 and net >= win:
                    goal[at] += mass
                    ends[at + 1, after] += mass
                elif width > 1 and net <= loss:
                    ends[at + 1, after] += mass
                elif onto < 0 or onto >= width:
                    lost[at] += mass
                else:
                    then[to, onto, after] += mass


def bankroll_for(
    machine_with: Callable[[Fraction], tuple[Machine, Terms]], chance: Fraction, step: Fraction, most: int
) -> Fraction | None:
    """The least bankroll in whole `step`s with at most this chance of ruin; None where no `most` steps are enough."""
    from passline.odds.sessions.exact import distribution_of

    def ruins(steps: int) -> bool:
        machine, terms = machine_with(steps * step)
        try:
            return float(distribution_of(machine, terms, exact=False).p_ruin) > chance
        except SessionError:
            return True  # it does not cover the first roll

    low, high = 0, 1
    while ruins(high):
        if high > most:
            return None
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if ruins(middle) else (low, middle)
    return high * step
