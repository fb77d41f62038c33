"""Times as an entry writes them, counted: nobody here has a clock."""

import re
from datetime import UTC, date, datetime, timedelta, tzinfo
from functools import lru_cache
from typing import Annotated
from zoneinfo import ZoneInfo

from passline.engine.floor_rules import CageHabits

Time = Annotated[str, "time"]  # as an entry writes it: RFC 3339 in UTC

TIME = re.compile(r"(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,6}))?Z", re.ASCII)

MICROSECONDS = 1_000_000
MINUTE = 60 * MICROSECONDS
HOUR = 60 * MINUTE
DAY = 24 * HOUR

LEAPS = ("06-30T23:59:60", "12-31T23:59:60")  # the only seconds that may be the 61st of their minute


def is_time(text: object) -> bool:
    """Whether this is a time in UTC that a calendar and a clock can show, written as RFC 3339 writes it."""
    match = TIME.fullmatch(text) if isinstance(text, str) else None
    if match is None:
        return False
    year, month, day, hour, minute, second = map(int, match.groups()[:6])
    try:
        datetime(year, month, day, hour, minute, tzinfo=UTC)
    except ValueError:
        return False
    return second < 60 or match[0][5:19] in LEAPS


def instant(text: str) -> int:
    """A time as microseconds since the year began to be counted in March of year 0."""
    match = TIME.fullmatch(text)
    assert match is not None, f"{text} is no time"
    year, month, day, hour, minute, second = map(int, match.groups()[:6])
    years, months = (year, month - 3) if month > 2 else (year - 1, month + 9)
    days = 365 * years + years // 4 - years // 100 + years // 400 + (153 * months + 2) // 5 + day
    return days * DAY + hour * HOUR + minute * MINUTE + second * MICROSECONDS + int((match[7] or "0").ljust(6, "0"))


def elapsed(since: str, now: str) -> int:
    """How long it is from one time to another; nothing, where the clock went backwards."""
    return max(0, instant(now) - instant(since))


BEFORE_YEAR_1 = instant("0001-01-01T00:00:00Z") - DAY  # what `datetime` counts its days from


@lru_cache
def _zone(name: str) -> tzinfo:
    return UTC if name == "UTC" else ZoneInfo(name)


def _at(time: str | int) -> datetime:
    since = time if isinstance(time, int) else instant(time)
    return datetime.fromordinal(1).replace(tzinfo=UTC) + timedelta(microseconds=since - BEFORE_YEAR_1 - DAY)


def gaming_day(time: str, cage: CageHabits) -> int:
    """The number of the house's own day, which begins at an hour of the house's own clock."""
    today = _at(time).astimezone(_zone(cage.time_zone)).toordinal() + BEFORE_YEAR_1 // DAY
    return today if instant(day_begins(today, cage)) <= instant(time) else today - 1


def day_begins(day: int, cage: CageHabits) -> str:
    """When a gaming day begins: at an hour shown twice the first time, at one that is skipped with the next."""
    first = datetime.fromordinal(day - BEFORE_YEAR_1 // DAY)
    local = first.replace(hour=cage.gaming_day_begins, tzinfo=_zone(cage.time_zone))
    return local.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def day_of(on: date) -> int:
    return on.toordinal() + BEFORE_YEAR_1 // DAY


def date_of(day: int) -> str:
    """The date on which a gaming day begins."""
    return date.fromordinal(day - BEFORE_YEAR_1 // DAY).isoformat()


def sign_time(time: str | int, zone: str = "UTC") -> str:
    """A time, or its instant, as a sign shows it: hours and minutes, with the day for who is not there today."""
    local = time if zone == "UTC" and isinstance(time, str) else _at(time).astimezone(_zone(zone)).isoformat()
    return f"{local[11:16]} on {local[:10]} ({zone})"
