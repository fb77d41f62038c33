"""A limit on everything: how much, how many, how often."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from math import ceil
from threading import Lock


@dataclass(frozen=True, slots=True)
class Limits:
    body_bytes_max: int = 64 * 1024  # the longest body of a request
    body_s: float = 20.0  # how long a body may take to come
    header_s: float = 20.0  # how long the head of a request may take to come
    connections_each_max: int = 512  # Connections of one address, where no proxy stands before them
    queue_max: int = 64  # Acts that wait for one table
    acts_each_max: int = 16  # Acts of one person that wait or are done
    streams_max: int = 1_000
    streams_each_max: int = 12  # Streams of events that one person may have open
    # Entries that are kept at hand for streams; who is further behind is read them from the journal.
    stream_behind_max: int = 1_024
    stream_stuck_s: float = 10.0  # how long a reader may take nothing before the stream is let go; it resumes by itself
    requests_per_s: float = 50.0
    # Requests of one person, or of one address without a token; one that takes long counts for several.
    requests_burst: int = 200
    # How much processor time one request has; what takes more counts for as many as it is worth.
    request_s: float = 0.005
    # Passwords that are tried for one name from one address within the window, or by one device of whose it is.
    tries_max: int = 10
    tries_name_max: int = 100  # Passwords that are tried for one name within the window, from everywhere else together
    tries_address_max: int = 50  # Passwords that are tried from one address within the window
    # Accounts, guests and practice tables from one address within the window: they lock out nobody who signs in.
    comers_address_max: int = 50
    tries_window_s: float = 900.0
    questions_each_max: int = 2  # Questions of one person that are worked on or wait
    questions_max: int = 32
    question_s: float = 120.0  # how long the analyst may think
    replays_per_s: float = 4.0
    replays_burst: int = 60  # Records of one person that are played again, a long one counting for more
    looks_each_max: int = 4
    looks_max: int = 32  # Looks back that are answered or wait, of one person and of all
    look_s: float = 30.0  # how long one may take
    house_s: float = 30.0  # how long a house file that somebody brings may take to be priced
    houses_waiting_max: int = 8  # House files that are looked at or wait
    # After how long a table that nobody asks or hears leaves memory; it comes back in milliseconds.
    idle_s: float = 300.0
    threads: int = 24
    graceful_s: int = 5  # how long requests may take to end when the service stops


class Buckets:
    """How often each may: so many at once, and so many a second after that."""

    KNOWN_MAX = 100_000

    def __init__(self, rate: float, burst: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate, self._burst, self._clock = rate, burst, clock
        self._levels: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._lock = Lock()

    def take(self, who: str, cost: float = 1.0) -> int:
        """Take one; 0, or after how many whole seconds there is one again."""
        with self._lock:
            level, now = self._level(who)
            enough = level >= cost
            self._set(who, level - cost if enough else level, now)
        return 0 if enough else self._wait(cost - level)

    def wait(self, who: str) -> int:
        """After how many whole seconds there is one; nothing is taken."""
        level = self._level(who)[0]
        return 0 if level >= 1 else self._wait(1 - level)

    def charge(self, who: str, cost: float) -> None:
        """Take what something came to when it was done, also more than there is."""
        with self._lock:
            level, now = self._level(who)
            self._set(who, max(level - cost, -self._burst), now)

    def _level(self, who: str) -> tuple[float, float]:
        now = self._clock()
        level, then = self._levels.get(who, (self._burst, now))
        return min(self._burst, level + (now - then) * self._rate), now

    def _set(self, who: str, level: float, now: float) -> None:
        self._levels[who] = (level, now)
        self._levels.move_to_end(who)
        if len(self._levels) > self.KNOWN_MAX:
            self._levels.popitem(last=False)

    def _wait(self, lacking: float) -> int:
        return max(1, ceil(lacking / self._rate))
