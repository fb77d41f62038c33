"""Whether a run comes to an end while anybody waits: judged by its first seconds, told before the rest."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from passline.errors import SessionError
from passline.sim.game import Ending

if TYPE_CHECKING:
    from passline.sim.backends import Backend
    from passline.sim.game import Game

LOOK_S: Final = 2.0
"""How long a run is looked at before it is judged."""
LONGEST_S: Final = 12 * 3600.0
"""A run that would take longer on this computer is refused; elsewhere, or with a checkpoint, it may."""
TRIED: Final = 1 << 14
"""Rolls by which one very long session is judged before it is begun."""
TRIED_S: Final = 0.02
"""A trial that is over sooner is followed by one of twice the rolls."""
SPANS: Final = (("years", 365 * 86400), ("days", 86400), ("hours", 3600), ("minutes", 60))


class Pace:
    """How fast sessions come back; the clock starts at once."""

    def __init__(self, sessions: int) -> None:
        """So many sessions are to come."""
        self._sessions, self._done, self._judged, self._began = sessions, 0, False, time.perf_counter()

    def start(self) -> None:
        self._began = time.perf_counter()

    def add(self, sessions: int) -> None:
        """Take note of sessions that came back; once there is something to judge by, refuse a run without end."""
        self._done += sessions
        seconds = time.perf_counter() - self._began
        if self._judged or seconds < LOOK_S:
            return
        self._judged = True
        whole = seconds * self._sessions / self._done
        if whole > LONGEST_S:
            fit = 10 ** (len(str(int(self._sessions * LONGEST_S / whole))) - 1)
            raise SessionError(
                f"{self._sessions:,} sessions would take about {_span(whole)} here, and nobody waits longer than "
                f"{_span(LONGEST_S)}; {fit:,} would do, or a checkpoint to go on from, or other computers"
            )


def check_length(roller: Backend, game: Game) -> None:
    """Refuse sessions of so many rolls that not even one would come back; tried on the first rolls of the first."""
    rolls, tried, seconds = game.limits.rolls, TRIED, 0.0
    while rolls > 100 * tried and seconds < TRIED_S:
        short = replace(game, limits=replace(game.limits, rolls=tried, run_out=False))
        began = time.perf_counter()
        session = roller.watch(short, 0, 1, np.zeros(1, dtype=np.uint8))
        seconds = time.perf_counter() - began
        if session.played.ending[0] != Ending.ROLLS:
            return
        tried *= 2
    whole = seconds * rolls / (tried / 2)
    if whole > LONGEST_S:
        fit = 10 ** (len(str(int(rolls * LONGEST_S / whole))) - 1)
        raise SessionError(
            f"one session of {rolls:,} rolls would take about {_span(whole)} here, and nobody waits longer than "
            f"{_span(LONGEST_S)}; {fit:,} rolls would do"
        )


def _span(seconds: float) -> str:
    """So much time in its largest measure."""
    word, size = next((each for each in SPANS if seconds >= 2 * each[1]), ("seconds", 1))
    return f"{seconds / size:,.0f} {word}"
