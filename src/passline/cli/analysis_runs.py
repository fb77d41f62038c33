"""Strategies rolled one after another on the same dice, each with its exact answer beside it."""

from __future__ import annotations

import math
import sys
import time
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from passline.cli.exact import figures

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from passline.cli.analysis_options import Purse, Seating
    from passline.machine.machine import Machine
    from passline.odds.sessions.law import Law
    from passline.sim import Interpreted, Result
    from passline.sim.tally import Progress
    from passline.strategies.language.strategy import Strategy

PATIENCE_S: Final = 20.0
"""How long the exact answer may take; longer, and the simulated one stands alone."""
LOOK_S: Final = 1.0
"""After so long it is worked out how long the rest would take."""
CURVE_POINTS: Final = 100
SHARES: Final = ("p_ahead", "p_even", "p_behind", "p_ruin")
"""The chances that are compared."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One run's terms, the same for all its strategies."""

    sessions: int
    rolls: int | None
    hands: int | None
    purse: Purse
    seed: int
    backend: str
    threads: int | None
    beside: bool
    """Whether the exact answer is wanted beside."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One strategy, ready to roll."""

    name: str
    strategy: Strategy
    ends: Purse
    rolls: int
    hands: int | None
    machine: Machine | None
    source: Machine | Interpreted


@dataclass(frozen=True, slots=True)
class Run:
    """What came of one strategy."""

    entry: Entry
    result: Result
    exact: Law | None
    why_not: str
    """Why there is no exact answer, where there is none."""
    command: str

    @property
    def z_scores(self) -> dict[str, float]:
        """How many standard errors the simulated mean and shares lie from the exact ones."""
        from passline.sim import zscore

        if self.exact is None:
            return {}
        found = {"mean": zscore(self.result, self.exact.mean, self.exact.variance)}
        for name in SHARES:
            chance, share = float(getattr(self.exact, name)), float(getattr(self.result, name))
            error = math.sqrt(max(0.0, chance * (1 - chance)) / self.result.sessions)
            if error:
                found[name] = (share - chance) / error
        return found

    def to_json(self) -> dict[str, Any]:
        """Everything, for programs."""
        about, result = self.result.about, self.result
        told = {key: about[key] for key in ("strategy", "house", "unit", "house_hash", "strategy_hash")}
        rolls, ruined = result.ruin_curve()
        every = max(1, math.ceil(len(rolls) / CURVE_POINTS))
        at = sorted({*range(len(rolls) - 1, -1, -every)})
        curve = [[int(rolls[i]), float(ruined[i])] for i in at]
        z = {name: _finite(score) for name, score in self.z_scores.items()}
        beside = None if self.exact is None else {**figures(self.exact), "z_scores": z}
        return {
            **told,
            **result.to_dict(),
            "ruin_curve": curve,
            "exact": beside,
            "exact_left_out": self.why_not or None,
            "z_score": z.get("mean"),
            "command": self.command,
        }


def _finite(score: float) -> float | None:
    """JSON knows no infinity."""
    return score if math.isfinite(score) else None


def roll_all(seat: Seating, entries: list[Entry], asked: Asked, command: Callable[[Entry], str]) -> list[Run]:
    """Roll every entry; Ctrl-C ends it and keeps what there is."""
    from passline.sim import simulate

    runs: list[Run] = []
    try:
        for entry in entries:
            with _bar(f"{entry.strategy.id} at {seat.house.id}") as progress:
                result = simulate(
                    entry.source,
                    sessions=asked.sessions,
                    rolls=entry.rolls,
                    bankroll=entry.ends.bankroll,
                    stop_win=entry.ends.stop_win,
                    stop_loss=entry.ends.stop_loss,
                    hands=entry.hands,
                    seed=asked.seed,
                    backend="engine" if entry.source is not entry.machine else asked.backend,
                    threads=asked.threads,
                    progress=progress,
                )
            if not result.complete:
                return [*runs, Run(entry, result, None, "the run was interrupted", command(entry))]
            runs.append(Run(entry, result, None, "the run was interrupted", command(entry)))
            exact, why_not = _beside(entry, asked)
            runs[-1] = Run(entry, result, exact, why_not, command(entry))
    except KeyboardInterrupt:
        pass
    except ValueError as error:
        from passline.cli.analysis_options import refuse

        refuse(error)
    return runs


def _beside(entry: Entry, asked: Asked) -> tuple[Law | None, str]:
    """The exact answer to the same question, or why there is none."""
    from passline.cli.analysis_show import waiting
    from passline.errors import SessionError, TooLongError
    from passline.odds.sessions.law import law_of

    if not asked.beside:
        return None, "it was not asked for"
    if entry.machine is None:
        return None, "the strategy has no machine"
    if entry.hands is not None:
        return None, "an exact evening is counted in rolls, not in hands"
    try:
        with waiting("the exact answer") as shown:
            return law_of(
                entry.machine,
                rolls=entry.rolls,
                bankroll=entry.ends.bankroll,
                stop_win=entry.ends.stop_win,
                stop_loss=entry.ends.stop_loss,
                exact=False,
                progress=_impatient(shown),
            ), ""
    except (TooLongError, SessionError):
        return None, "it would take too long; `passline exact` works it out"


def _impatient(shown: Callable[[int, int], None] | None) -> Callable[[int, int], None]:
    """Pass progress on, and give up as soon as the end is seen to be too far off."""
    from passline.errors import TooLongError

    began = time.perf_counter()

    def told(done: int, total: int) -> None:
        spent = time.perf_counter() - began
        if shown is not None:
            shown(done, total)
        if done and spent > LOOK_S and spent / done * total > PATIENCE_S:
            raise TooLongError("the end is too far off")

    return told


@contextmanager
def _bar(what: str) -> Iterator[Callable[[Progress], None] | None]:
    """A bar of sessions with the speed and the mean's confidence interval; nothing where nobody watches."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (
        TextColumn("{task.description}"),
        BarColumn(bar_width=24),
        MofNCompleteColumn(),
        TextColumn("{task.fields[speed]}"),
        TextColumn("{task.fields[mean]}"),
        TimeRemainingColumn(),
    )
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=None, speed="", mean="")

        def told(now: Progress) -> None:
            mean = f"mean {now.mean:,.3f} ± {(now.high - now.low) / 2:,.3f}"
            speed = f"{now.rolls_per_second / 1e6:,.2f} M rolls/s"
            bar.update(task, completed=now.sessions_done, total=now.sessions, speed=speed, mean=mean)

        yield told


def chances(found: Law) -> dict[Fraction, float]:
    """Every net that can come out and its chance, to be drawn."""
    nets = range(found.low, found.low + len(found.weights))
    _, weights = found.distribution()
    return {net * found.step: chance for net, chance in zip(nets, weights.tolist(), strict=True) if chance}
