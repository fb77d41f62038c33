"""Limits on everything that a client can ask for: how much, how many, how often."""

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
    connections_each_max: int = 512  # connections of one address, where there is no proxy
    queue_max: int = 64  # acts that wait for one table
    acts_each_max: int = 16  # pending acts of one person
    streams_max: int = 1_000
    streams_each_max: int = 12  # event streams of one person
    # Entries in memory for a table's streams; listeners who are further behind are read theirs from the journal.
    stream_behind_max: int = 1_024
    stream_stuck_s: float = 10.0  # after how long without reading a listener is disconnected; it can resume
    requests_per_s: float = 50.0
    # Requests of one person, or of one address without a token; a long one counts as several.
    requests_burst: int = 200
    # Processor time that one request includes; one that takes twice as much counts as two.
    request_s: float = 0.005
    # Sign-in attempts within the window: for one name from one address or one device of theirs,
    attempts_max: int = 10
    attempts_name_max: int = 100  # for one name from everywhere else together,
    attempts_address_max: int = 50  # and from one address.
    # New accounts, guests and practice tables of one address within the window; they do not count as attempts.
    newcomers_address_max: int = 50
    attempts_window_s: float = 900.0
    questions_each_max: int = 2  # pending questions of one person
    questions_max: int = 32
    question_s: float = 120.0  # how long the analyst may take
    replays_per_s: float = 4.0
    replays_burst: int = 60  # records of one person that are replayed; a long one counts as several
    history_each_max: int = 4
    history_max: int = 32  # pending requests for history, of one person and of all
    history_s: float = 30.0  # how long one may take
    house_s: float = 30.0  # how long pricing an uploaded house file may take
    houses_waiting_max: int = 8  # pending uploads of house files
    # After how long without requests or listeners a table leaves memory.
    idle_s: float = 300.0
    threads: int = 24
    graceful_s: int = 5  # how long requests may still take when the service stops


class RateLimiter:
    """Token buckets: each client may do `burst` at once, and `rate` a second after that."""

    KNOWN_MAX = 100_000

    def __init__(self, rate: float, burst: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate, self._burst, self._clock = rate, burst, clock
        self._levels: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._lock = Lock()

    def take(self, who: str, cost: float = 1.0) -> int:
        """Takes `cost` tokens; returns 0, or after how many whole seconds there will be enough."""
        with self._lock:
            level, now = self._level(who)
            enough = level >= cost
            self._set(who, level - cost if enough else level, now)
        return 0 if enough else self._wait(cost - level)

    def wait(self, who: str) -> int:
        """After how many whole seconds there will be a token; takes none."""
        level = self._level(who)[0]
        return 0 if level >= 1 else self._wait(1 - level)

    def charge(self, who: str, cost: float) -> None:
        """Takes what a request came to once it is done, even more than there is."""
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
