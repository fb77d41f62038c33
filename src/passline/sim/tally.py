"""Adding up: parts of a run become one result, and the order in which they come cannot matter."""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from passline.answers import Z_95
from passline.sim.backends.contract import Part, Watched
from passline.sim.game import Ending, Game
from passline.sim.sample import Amounts, Fan, Histogram, Sample

PARTS_MAX: Final = 64  # Parts to hold before they are made one


@dataclass(frozen=True, slots=True)
class Progress:
    sessions_done: int
    sessions: int
    rolls_done: int
    rolls_per_second: float
    mean: float  # of the nets so far, as money
    low: float  # where the 95 % confidence interval of the mean begins
    high: float  # where it ends


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """Some sessions that were watched, from table number `first` on."""

    first: int
    part: Part
    watched: Watched


class Tally:
    """What has come back so far; every arrival is one append, so that an interruption can never tear it."""

    def __init__(self, game: Game, planned: int, progress: Callable[[Progress], None] | None) -> None:
        self.game = game
        self.planned = planned
        self._progress = progress
        self._parts: list[Part] = []
        self._looks: list[Look] = []
        self._clock = time.perf_counter()
        self._before = self._rolls = self._sessions = 0
        self._sum = self._squares = 0.0
        self._timed_s = 0.0

    @property
    def sessions(self) -> int:
        return sum(part.sessions for part in self._all())

    def start(self) -> None:
        """Start the clock that the speed is measured by; watching and playing each have their own."""
        self._clock, self._before = time.perf_counter(), self._rolls

    def add(self, part: Part) -> None:
        if len(self._parts) >= PARTS_MAX:
            self._parts = [Part.sum(self._parts)]
        self._parts.append(part)
        self._report(part)

    def look(self, look: Look) -> None:
        self._looks.append(look)
        self._report(look.part)

    def _all(self) -> list[Part]:
        return [*self._parts, *(look.part for look in self._looks)]

    def _report(self, part: Part) -> None:
        """Keep the running figures, which only progress reads, and pass them on."""
        self._timed_s = time.perf_counter() - self._clock
        self._rolls += part.rolls
        self._sessions += part.sessions
        self._sum += float(part.net.moment(1))
        self._squares += float(part.net.moment(2))
        if self._progress is None:
            return
        minor_unit, mean = float(self.game.source.minor_unit), self._sum / self._sessions
        spread = max(0.0, self._squares / self._sessions - mean * mean)
        half = Z_95 * math.sqrt(spread / self._sessions)
        self._progress(
            Progress(
                sessions_done=self._sessions,
                sessions=self.planned,
                rolls_done=self._rolls,
                rolls_per_second=self._rate(),
                mean=mean * minor_unit,
                low=(mean - half) * minor_unit,
                high=(mean + half) * minor_unit,
            )
        )

    def _rate(self) -> float:
        return (self._rolls - self._before) / self._timed_s if self._timed_s > 0 else 0.0

    def result(  # noqa: PLR0913 - how it was rolled
        self, backend: str, threads: int, terms: dict[str, Any], *, complete: bool, seconds: float, note: str
    ) -> Sample:
        whole = Part.sum(self._all())
        looks = sorted(self._looks, key=lambda look: look.first)
        source = self.game.source
        return Sample(
            about=source.about,
            machine=source.digest(),
            terms=terms,
            seed=self.game.seed,
            backend=backend,
            threads=threads,
            sessions=whole.sessions,
            complete=complete,
            rolls=whole.rolls,
            hands=whole.hands,
            decided=whole.action * source.minor_unit,
            run_out=whole.run_out,
            net=Amounts(whole.net, source.minor_unit),
            endings={ending.name.lower(): whole.endings[ending] for ending in Ending},
            ruin=whole.ruin,
            watched=sum(look.part.sessions for look in looks),
            drawdown=Amounts(Histogram.sum(Histogram.of(look.watched.drawdown) for look in looks), source.minor_unit),
            winning_run=Histogram.sum(Histogram.of(look.watched.winning_run) for look in looks),
            losing_run=Histogram.sum(Histogram.of(look.watched.losing_run) for look in looks),
            fan=Fan.of(self.game.checkpoints, np.concatenate([look.watched.path for look in looks]), source.minor_unit),
            rolls_per_second=self._rate(),
            seconds=seconds,
            note=note,
        )
