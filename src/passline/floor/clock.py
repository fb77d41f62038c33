"""Times as an entry writes them, counted: nobody here has a clock."""

from __future__ import annotations

import re

TIME = re.compile(r"(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,6}))?Z", re.ASCII)
MICROSECONDS = 1_000_000
MINUTE = 60 * MICROSECONDS
HOUR = 60 * MINUTE
DAY = 24 * HOUR


def is_time(text: str) -> bool:
    """Whether this is a time in UTC."""
    return TIME.fullmatch(text) is not None


def instant(text: str) -> int:
    """A time as microseconds since the year began to be counted in March of year 0."""
    found = TIME.fullmatch(text)
    assert found is not None, f"{text} is no time"
    year, month, day, hour, minute, second = map(int, found.groups()[:6])
    years, months = (year, month - 3) if month > 2 else (year - 1, month + 9)
    days = 365 * years + years // 4 - years // 100 + years // 400 + (153 * months + 2) // 5 + day
    return days * DAY + hour * HOUR + minute * MINUTE + second * MICROSECONDS + int((found[7] or "0").ljust(6, "0"))


def elapsed(since: str, now: str) -> int:
    """How long it is from one time to another; nothing, where the clock went backwards."""
    return max(0, instant(now) - instant(since))
