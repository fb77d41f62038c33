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
from math import gcd, prod
from pathlib import Path as FilePath
from typing import Any, Final, Literal, NamedTuple

import numpy as np

from passline.answers import Answer, Part, Table, percent, picked, remarks_of
from passline.errors import SessionError
from passline.files.arguments import chance as a_chance
from passline.machine.machine import Machine, check_depth
from passline.machine.terms import Terms
from passline.odds.best.gpu import Floats, Ints
from passline.odds.best.kernels import compiled
from passline.odds.sessions.chain import Chain, chain_of

Kind = Literal["net", "fall", "run", "under"]
KINDS: Final[dict[Kind, int]] = {"net": (NET := 0), "fall": (FALL := 1), "run": (RUN := 2), "under": (UNDER := 3)}
HIT, RUIN, GOAL, LOST = range(4)
FAR: Final = 1 << 60
CUT: Final = 1e-25  # a chance that is left out at the ends of what is walked, and counted
LEVELS_MAX: Final = 300  # Levels at which a distribution is worked out; between them it is not
NEGLIGIBLE: Final = 1e-12  # a chance from which no higher level is looked at
# Standard deviations beyond which a net without stops is cut off; what that is worth is in the error bound.
WIDE: Final = 9
WORK_MAX: Final = 3e11  # additions of one walk
CELLS_MAX: Final = 1 << 28  # places of one walk, before and after a roll
FRACTIONS_WORK_MAX: Final = 1e12  # of all walks in fractions together: about a minute
MODULUS_LEAST: Final = 1 << 12
TOO_MANY: Final = "these paths are too many to walk; give stops, fewer rolls or a larger unit"
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
        if (time := self.time_to_ruin) is not None:
            yield f"{percent(sum(self.ruin_by_roll))} go broke, after {float(time):,.1f} rolls on average."
        if (time := self.time_to_goal) is not None:
            yield f"{percent(sum(self.goal_by_roll))} reach the goal, after {float(time):,.1f} rolls on average."
        yield from self.remarks

    def table(self) -> Table:
        rows = [(each.name, *pair) for each in self.figures for pair in zip(each.levels, each.at_least, strict=True)]
        ends = ("rolls to ruin", self.ruin_by_roll, 0), ("rolls to the goal", self.goal_by_roll, 1)
        for name, chances, first in ends:
            sums = list(accumulate(chances))
            rows += [(name, roll, sums[-1] - before) for roll, before in enumerate([0, *sums[:-1]], first) if sums[-1]]
        return Table({"figure": "text", "level": "number", "at_least": "share"}, rows)

    def chart(self, path: FilePath | str) -> None:
        """Draw the chance that each figure is at least so much."""
        panels = import_module("passline.analysis.charts").panels  # by name: pictures stand above what they show
        drawn = {
            each.name: {"": [(float(a), 100 * float(b)) for a, b in zip(each.levels, each.at_least, strict=True)]}
            for each in self.figures
        }
        words = f"the chance, %, of at least so much along {self.terms.rolls} rolls"
        panels(path, drawn, title=self.title, words=words)

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
    most = max(1, int(chain.net.max()))
    levels: dict[Kind, Sequence[int]] = {
        "net": _levels(walk.high + 1 + most, terms.rolls * most),  # the roll that ends it may go past a stop
        "fall": _levels(walk.fall_max(), walk.fall_max()),
        "run": range(1, terms.rolls + 1),
    }
    walked, total = count(1), sum(map(len, levels.values()))
    work = walk.work("under") + sum(walk.work(kind, level) for kind, each in levels.items() for level in each)
    if fractions and work > FRACTIONS_WORK_MAX:
        raise SessionError(f"{TOO_MANY}, or ask for double precision")

    def figure(name: str, kind: Kind, step: Fraction | None) -> Path:
        """The chance of each level, until it is nothing, or in double precision next to nothing."""
        at_least: list[Any] = [1]
        for level in levels[kind]:
            at_least.append(walk.play(kind, level).hit)
            if progress is not None:
                progress(next(walked), total)
            if at_least[-1] <= (0 if fractions else NEGLIGIBLE):
                break
        return _path(name, [0, *levels[kind]], at_least, step)

    plain = walk.play("net")
    ruin, goal, lost = (plain.by_roll(plain.tally[:, part]) for part in (RUIN, GOAL, LOST))
    under = walk.under()
    return Paths(
        terms=terms,
        title=title or str(machine.about.get("strategy", "a session")),
        peak=figure("highest net", "net", chain.step),
        drawdown=figure("deepest fall", "fall", chain.step),
        losing_run=figure("losing rolls in a row", "run", None),
        under_water=None if under is None else _path("rolls behind", range(len(under)), under, None),
        ruin_by_roll=ruin[:-1],
        goal_by_roll=goal[1:],
        error_bound=0.0 if fractions else sum(lost) + terms.rolls * 1e-14,
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
    """What one walk found, by each modulus: ways by their remainders, or chances where there is but one and it is 0."""

    moduli: list[int]
    whole: int
    tally: Floats  # what hits, is ruined, reaches the goal and is left out, by roll
    ends: Floats  # by roll and row

    def by_roll(self, found: Floats) -> list[Any]:
        """The chance at each roll; ways by the Chinese remainder theorem."""
        if self.moduli == [0]:
            return list(found[0].tolist())
        product = prod(self.moduli)
        ones = [product // each * pow(product // each, -1, each) for each in self.moduli]
        ways = (sum(int(part) * one for part, one in zip(parts, ones, strict=True)) for parts in found.T.tolist())
        return [Fraction(many % product, self.whole**at) for at, many in enumerate(ways)]

    @property
    def hit(self) -> Any:  # noqa: ANN401 - a fraction or a double
        return sum(self.by_roll(self.tally[:, HIT]))


class Play(NamedTuple):
    """What one walk goes by, as the compiled loops take it.

    Every path stands in a state, in a row and at a place; where it goes up or down a place with each step of money. The
    row is the number that it carries beside its net: none, its peak, the losing rolls it is into, the rolls behind.
    """

    kind: int
    level: int  # what ends a path that reaches it
    base: int  # the net at the first place; of the first row, where rows are peaks
    pad: int  # places at either side to which a roll may lead and from which none is thrown
    source: Ints
    target: Ints
    paid: Ints
    moved: Ints  # the same in places
    weight: Floats
    floor: Ints
    playing: Ints
    win: int
    loss: int
    cut: float  # what weighs no more at either end of a row is left out
    modulus: int  # what weights are taken by; nothing where they are chances


class _Walk:
    """Sessions of one chain on some terms, walked again for each level.

    Fractions too are walked in doubles: ways are counted by several moduli, all so small that no sum is rounded, and
    the Chinese remainder theorem says how many there are.
    """

    def __init__(self, chain: Chain, terms: Terms, *, exact: bool) -> None:
        self.chain, self.rolls, self.exact = chain, terms.rolls, exact
        win, loss, floor = terms.in_steps(chain.step, chain.need)
        self.win, self.loss = FAR if win is None else win, -FAR if loss is None else loss
        self.floor = np.full(chain.states, -FAR) if floor is None else np.array(floor, dtype=np.int64)
        self.limited = win is not None or loss is not None or floor is not None
        square = np.bincount(chain.source, chain.net.astype(float) ** 2 * chain.weight, minlength=chain.states)
        reach = self.rolls * chain.net_max
        if not exact:
            reach = min(reach, int(WIDE * (self.rolls * float(square.max()) / chain.whole) ** 0.5) + chain.net_max + 1)
        low = max(-reach, self.loss, int(self.floor.min()) - chain.net_max if floor is not None else -FAR)
        self.low, self.high = low, min(reach, self.win)

    def fall_max(self) -> int:
        """The deepest fall there can be, and no deeper than is worth looking."""
        once, width = self.chain.net_max, self.high - self.low + 1  # the roll that ends it may go past a stop
        return width + once if self.limited else min(self.rolls * once, 2 * width)

    def under(self) -> list[Any] | None:
        """The chance of at least so many rolls behind."""
        if self.work("under") > WORK_MAX / 10:
            return None
        found = self.play("under")
        ends = [sum(found.by_roll(found.ends[:, :, row])) for row in range(self.rolls + 1)]
        return list(accumulate(reversed(ends)))[::-1]

    def shape(self, kind: Kind, level: int) -> tuple[int, int, int]:
        """How many rows and places there are, and the net at the first place."""
        pad = self.chain.net_max
        if kind == "fall":
            # From so high a peak the level is met before a stop, and one row stands for all of them.
            safe = max(0, level - 1 + max(int(self.floor.max()), self.loss + 1)) if self.win > self.high else self.high
            return min(safe, self.high) + 1, level + 2 * pad, 1 - level - pad
        rows = {"run": level + 1, "under": self.rolls + 1}.get(kind, 1)
        free = kind == "run" and not self.limited  # then the net itself does not matter
        low, high = (0, 0) if free else (self.low, self.high)
        return rows, high - low + 1 + 2 * pad, low - pad

    def work(self, kind: Kind, level: int = FAR) -> float:
        """Additions of a walk."""
        rows, width, _ = self.shape(kind, level)
        return float(self.rolls) * width * rows * len(self.chain.net) * len(self._moduli(rows * width))

    def _moduli(self, cells: int) -> list[int]:
        """Numbers without common divisors: their product is above all ways, a double holds sums of remainders."""
        if not self.exact:
            return [0]
        # A place is led to by every throw from every state, a peak by so many higher places of as many rows, and all
        # places are added up where a walk ends.
        sums = self.chain.states * max(self.chain.whole * (self.chain.net_max**2 + 1), cells)
        found, product, modulus = list[int](), 1, (1 << 53) // (2 * sums)
        while product <= self.chain.whole**self.rolls:
            if modulus < MODULUS_LEAST:
                raise SessionError(TOO_MANY)
            if gcd(modulus, product) == 1:
                found.append(modulus)
                product *= modulus
            modulus -= 1
        return found

    def play(self, kind: Kind, level: int = FAR) -> _Walked:
        """Walk every path once, or once by each modulus."""
        chain, (rows, width, base) = self.chain, self.shape(kind, level)
        shape = (2, rows, chain.states, width)
        if self.work(kind, level) > WORK_MAX or prod(shape) > CELLS_MAX:
            raise SessionError(TOO_MANY)
        moved = chain.net * (self.limited or kind != "run")
        play = Play(
            KINDS[kind], level, base, chain.net_max, chain.source, chain.target, chain.net, moved,
            chain.weight / (1 if self.exact else chain.whole), self.floor, chain.playing, self.win, self.loss,
            0.0 if self.exact else CUT, 0,
        )  # fmt: skip
        moduli, found = self._moduli(rows * width), []
        for modulus in moduli:
            now, then = np.zeros(shape)
            now[0, chain.start, -base] = 1
            found.append(walk(now, then, play._replace(modulus=modulus), self.rolls))
        tally, ends = (np.array(parts) for parts in zip(*found, strict=True))
        return _Walked(moduli, chain.whole, tally, ends)


@compiled
def walk(now: Floats, then: Floats, play: Play, rolls: int) -> tuple[Floats, Floats]:
    """All paths: by roll, what hits, is ruined, reaches the goal and is left out; by roll and row, what ends."""
    rows, states, width = now.shape
    tally, ends = np.zeros((4, rolls + 1)), np.zeros((rolls + 1, rows))
    span = np.zeros((rows, states, 2), dtype=np.int64)  # the first place that holds anything and the one after the last
    span[0, :, 1] = width
    for at in range(rolls + 1):
        if at:
            span = roll(now, then, span, play)
            now, then = then, now
            carry(now, span, play, tally[GOAL, at:])
        settle(now, span, play, at, tally, ends)
    return tally, ends


@compiled
def roll(now: Floats, then: Floats, span: Ints, play: Play) -> Ints:
    """Add every step, moved by what it pays, to where it leads, and leave nothing where it came from."""
    after = np.zeros_like(span)
    after[:, :, 0] = now.shape[2]
    for row in range(len(now)):
        for edge in range(len(play.source)):
            state, to, moved, weight = play.source[edge], play.target[edge], play.moved[edge], play.weight[edge]
            low, high = span[row, state, 0], span[row, state, 1]
            if low >= high:
                continue
            onto = row
            if play.kind == RUN and play.paid[edge]:
                onto = row + 1 if play.paid[edge] < 0 else 0
            sums, held = then[onto, to, low + moved : high + moved], now[row, state, low:high]
            for place in range(high - low):
                sums[place] += weight * held[place]
            after[onto, to, 0] = min(after[onto, to, 0], low + moved)
            after[onto, to, 1] = max(after[onto, to, 1], high + moved)
        for state in range(now.shape[1]):
            now[row, state, span[row, state, 0] : span[row, state, 1]] = 0
    return after


@compiled
def carry(now: Floats, span: Ints, play: Play, goal: Floats) -> None:
    """Bring those above their peak to the row of the new one, and those behind to the row of one roll more."""
    rows, states, width = now.shape
    top = width - play.pad - 1
    for row in range(rows - 1, -1, -1):
        for state in range(states):
            low, high = span[row, state, 0], span[row, state, 1]
            if play.kind == FALL:
                low = max(low, top + 1)
            elif play.kind == UNDER:
                high = min(high, -play.base)
            else:
                return
            for place in range(low, high):
                mass = now[row, state, place]
                now[row, state, place] = 0
                onto, to = (row + place - top, top) if play.kind == FALL else (row + 1, place)
                if play.kind == FALL and onto >= play.win:
                    goal[0] += mass
                else:
                    onto = min(onto, rows - 1)
                    now[onto, state, to] += mass
                    span[onto, state, 0] = min(span[onto, state, 0], to)
                    span[onto, state, 1] = max(span[onto, state, 1], to + 1)


@compiled
def settle(now: Floats, span: Ints, play: Play, at: int, tally: Floats, ends: Floats) -> None:  # noqa: PLR0913, PLR0917 - Numba has no keywords
    """End the paths that reach the level or a stop after a roll, and those that cannot pay or leave before the next."""
    rows, states, width = now.shape
    for row in range(rows):
        base = play.base + (row if play.kind == FALL else 0)
        for state in range(states):
            cells, held = now[row, state], span[row, state]
            for place in range(held[0], held[1] if play.modulus else 0):
                cells[place] -= np.floor(cells[place] / play.modulus) * play.modulus
            hit = width if play.kind == RUN and row == play.level else play.pad if play.kind == FALL else 0
            tally[HIT, at] += keep(cells, held, hit, play.level - base if play.kind == NET else width)
            goal = keep(cells, held, 0, play.win - base)
            tally[GOAL, at] += goal
            ends[at, row] += goal + keep(cells, held, play.loss + 1 - base, width)
            tally[LOST, at] += keep(cells, held, play.pad, width - play.pad)
            if at == len(tally[0]) - 1 or not play.playing[state]:
                ends[at, row] += keep(cells, held, width, width)
            ruin = keep(cells, held, play.floor[state] - base, width)
            tally[RUIN, at] += ruin
            ends[at, row] += ruin
            bottom, top = held[0], held[1]
            while bottom < top and abs(cells[bottom]) <= play.cut:
                bottom += 1
            while bottom < top and abs(cells[top - 1]) <= play.cut:
                top -= 1
            tally[LOST, at] += keep(cells, held, bottom, top)


@compiled
def keep(cells: Floats, held: Ints, bottom: int, top: int) -> float:
    """Leave only what is held from one place to before another; what the rest weighs."""
    low = min(max(held[0], bottom), held[1])
    high = max(min(held[1], top), low)
    gone = 0.0
    for place in range(held[0], low):
        gone += cells[place]
        cells[place] = 0
    for place in range(high, held[1]):
        gone += cells[place]
        cells[place] = 0
    held[0], held[1] = low, high
    return gone


def bankroll_for(
    machine_with: Callable[[Fraction], tuple[Machine, Terms]], chance: Fraction, step: Fraction, most: int
) -> Fraction | None:
    """The least bankroll in whole `step`s with at most this chance of ruin; None where no `most` steps are enough."""
    from passline.odds.sessions.distribution import distribution_of

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
