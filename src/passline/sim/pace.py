"""Whether a run comes to an end while anybody waits: judged by its first seconds, told before the rest."""

from __future__ import annotations

import time
from typing import Final

from passline.errors import SessionError

LOOK_S: Final = 2.0
"""How long a run is looked at before it is judged."""
LONGEST_S: Final = 12 * 3600.0
"""A run that would take longer on this computer is refused; elsewhere, or with a checkpoint, it may."""
SPANS: Final = (("years", 365 * 86400), ("days", 86400), ("hours", 3600), ("minutes", 60))


class Pace:
    """How fast sessions come back; the clock starts at once."""

    def __init__(self, sessions: int) -> None:
        """So many sessions are to come."""
        self._sessions, self._done, self._judged, self._began = sessions, 0, False, time.perf_counter()

    def start(self) -> None:
        """Start the clock again."""
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


def _span(seconds: float) -> str:
    """So much time in its largest measure."""
    word, size = next((each for each in SPANS if seconds >= 2 * each[1]), ("seconds", 1))
    return f"{seconds / size:,.0f} {word}"
