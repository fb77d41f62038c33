"""When Python's garbage collector runs: a whole look takes a tenth of a second, in which every table waits.

Nearly everything here is let go without it; so a whole look is taken when nobody asks for anything, and seldom.
"""

from __future__ import annotations

import gc
import time

YOUNG, OLDER = 20_000, 50
"""How many new objects there are before the newest are looked at, and how often that is done before the older ones."""

REST_S, LONGEST_S = 60.0, 900.0
"""How long there is between two whole looks where nobody is at the tables, and where somebody always is."""


def by_hand() -> None:
    """Take no whole look by itself; what was imported is never looked at again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, OLDER, 2**30)


class Collector:
    """When it last ran."""

    def __init__(self) -> None:
        self._last = time.monotonic()

    def run_if_due(self, *, quiet: bool) -> bool:
        """Look at everything, if it is time; whether it was."""
        if time.monotonic() - self._last < (REST_S if quiet else LONGEST_S):
            return False
        gc.collect()
        self._last = time.monotonic()
        return True
