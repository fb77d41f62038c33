"""What was tried and not allowed: counted, and written into the people's stream now and then, for whoever watches.

Nobody fills a disk with it: one entry in a quarter of an hour, of at most so many rows, whatever happens. Nothing in it
is secret: a name stands there only if it is somebody's (people type passwords where names belong).
"""

from __future__ import annotations

from collections import Counter
from datetime import datetime, timedelta
from threading import Lock
from typing import Literal

from passline.pit.people.people import By, People

What = Literal["sign-in beyond the limit", "token beyond the limit", "power refused", "second person refused"]
"""What somebody tried."""

EVERY = timedelta(minutes=15)
ROWS_MAX = 50
"""How many people an entry names; the rest is counted."""


class Attempts:
    """Counts of one process."""

    def __init__(self, people: People) -> None:
        self._people = people
        self._counts: Counter[tuple[What, str]] = Counter()
        self._since = ""
        self._written: datetime | None = None
        self._lock = Lock()

    def count(self, what: What, person: str | None, time: str) -> None:
        """Somebody tried; who nobody knows is nobody."""
        with self._lock:
            self._since = self._since or time
            self._counts[what, person if person in self._people.persons else ""] += 1

    def write(self, time: str, *, at_once: bool = False) -> None:
        """Write down what was counted, if something was and the last time is long enough ago."""
        now = datetime.fromisoformat(time)
        with self._lock:
            early = self._written is not None and timedelta() <= now - self._written < EVERY
            if not self._counts or (early and not at_once):
                return
            counts, since = self._counts, self._since
            self._counts, self._since, self._written = Counter(), "", now
        kept = counts.most_common(ROWS_MAX)
        rows = [{"what": what, "person": person or None, "times": times} for (what, person), times in kept]
        about = {"since": since, "until": time, "rows": rows, "others": counts.total() - sum(n for _, n in kept)}
        self._people.count_attempts(about, By("house", "house", time))
