"""Times as an entry writes them, counted: nobody here has a clock."""

import re
from datetime import UTC, date, datetime, timedelta, tzinfo
from functools import lru_cache
from typing import Annotated
from zoneinfo import ZoneInfo

from passline.engine.floor_rules import CageHabits

Time = Annotated[str, "time"]  # as an entry writes it: RFC 3339 in UTC

TIME = re.compile(r"\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3]):\d\d:(\d\d)(?:\.\d{1,6})?Z", re.ASCII)

MINUTE = 60_000_000  # in microseconds
HOUR = 60 * MINUTE
DAY = 24 * HOUR

LEAPS = ("06-30T23:59:60", "12-31T23:59:60")  # the only seconds that may be the 61st of their minute
BEGINS = datetime(1, 1, 1, tzinfo=UTC)  # what instants are counted from
DAYS_BEFORE = 306  # gaming days are counted in journals from March of year 0


def is_time(text: object) -> bool:
    """Whether this is a time in UTC that a calendar and a clock can show, written as RFC 3339 writes it."""
    match = TIME.fullmatch(text) if isinstance(text, str) else None
    if match is None or (match[1] == "60" and match[0][5:19] not in LEAPS):
        return False
    try:
        return instant(match[0]) >= 0
    except ValueError:
        return False


def instant(text: str) -> int:
    """A time as microseconds since year 1 began; the 61st second of a minute is the first of the next."""
    leaps = text[17:19] == "60"
    at = datetime.fromisoformat(f"{text[:17]}59{text[19:]}" if leaps else text)
    return (at - BEGINS) // timedelta(microseconds=1) + leaps * (MINUTE // 60)


def elapsed(since: str, now: str) -> int:
    """How long it is from one time to another; nothing, where the clock went backwards."""
    return max(0, instant(now) - instant(since))


@lru_cache
def _zone(name: str) -> tzinfo:
    return UTC if name == "UTC" else ZoneInfo(name)


def _at(time: str | int) -> datetime:
    return BEGINS + timedelta(microseconds=time if isinstance(time, int) else instant(time))


def gaming_day(time: str, cage: CageHabits) -> int:
    """The number of the house's own day, which begins at an hour of the house's own clock."""
    today = _at(time).astimezone(_zone(cage.time_zone)).toordinal() + DAYS_BEFORE
    return today if instant(day_begins(today, cage)) <= instant(time) else today - 1


def day_begins(day: int, cage: CageHabits) -> str:
    """When a gaming day begins: at an hour shown twice the first time, at one that is skipped with the next."""
    first = datetime.fromordinal(day - DAYS_BEFORE)
    local = first.replace(hour=cage.gaming_day_begins, tzinfo=_zone(cage.time_zone))
    return local.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def day_of(on: date) -> int:
    return on.toordinal() + DAYS_BEFORE


def date_of(day: int) -> str:
    """The date on which a gaming day begins."""
    return date.fromordinal(day - DAYS_BEFORE).isoformat()


def sign_time(time: str | int, zone: str = "UTC") -> str:
    """A time, or its instant, as a sign shows it: hours and minutes, with the day for who is not there today."""
    local = time if zone == "UTC" and isinstance(time, str) else _at(time).astimezone(_zone(zone)).isoformat()
    return f"{local[11:16]} on {local[:10]} ({zone})"
