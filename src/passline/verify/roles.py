"""As what the crew acts: every act under a role of the crew's, held against the people's stream."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from passline.floor.clock import MINUTE, elapsed, is_time
from passline.verify.bodies import is_whole
from passline.verify.entry import Entry
from passline.verify.report import Complaint, Fault, Report
from passline.verify.roster import HELD, Roster, Span

OF_THE_HOUSE = ("cage", "floor")
"""The streams of the whole house: who acts there holds the role in all of it."""


class Act(NamedTuple):
    """What somebody did, as what, and when by the clock of whoever wrote it."""

    sequence: int
    asked: int
    """The entry with which it was asked for: a roll that was announced is dealt whatever happens meanwhile."""
    actor: str
    role: str
    time: str


class Seen(NamedTuple):
    """An entry of this stream that names the last entry of the people's stream when it was written."""

    sequence: int
    roster: int
    time: str


class Roles:
    """The acts of the crew in one stream."""

    def __init__(self, counts: Counter[str]) -> None:
        self._counts = counts
        self.acts: list[Act] = []
        self.seen: list[Seen] = []
        self._announced = 0

    def see(self, entry: Entry) -> Iterator[Complaint]:
        """Remember it; what is wrong with it is known when the people's stream was read."""
        data, body = entry.data, entry.body
        if not is_whole(entry.sequence, 1):
            return  # the chain complains of it
        if entry.kind == "bets_closed":
            self._announced = entry.sequence
        asked = self._announced or entry.sequence if entry.kind == "rolled" else entry.sequence
        if data["role"] in HELD and body.get("sequence") is None:  # what goes with a table's entry is looked at there
            self.acts.append(Act(entry.sequence, asked, str(data["actor"]), data["role"], str(data["time"])))
        if is_whole(body.get("roster"), 1):
            self.seen.append(Seen(entry.sequence, body["roster"], str(data["time"])))
        yield from ()


def compare(streams: Mapping[str, Roles], roster: Roster, report: Report) -> Iterator[Fault]:
    """The acts of all streams beside the people's; a table that nobody hosts is none of the pit's."""
    for name, stream in sorted(streams.items()):
        if name in roster.hosted or name in OF_THE_HOUSE:
            yield from _table(name, stream, roster, report)


def _table(name: str, stream: Roles, roster: Roster, report: Report) -> Iterator[Fault]:
    """Nobody acts under a role that was never theirs by then, nor, but for a minute, under one that was taken back.

    Where the streams do not say which came first, only clocks do, and those may be wrong: that is told.
    """
    table = None if name in OF_THE_HOUSE else name
    spans: dict[tuple[str, str], list[Span]] = {}
    late: dict[tuple[str, str], list[int]] = {}
    before: list[int] = []
    places = [each.sequence for each in stream.seen]
    for act in stream.acts:
        who = (act.actor, act.role)
        if who not in spans:
            spans[who] = roster.spans(act.actor, table, act.role)
        report.counts["roles"] += 1
        later = bisect_left(places, act.sequence)
        until = stream.seen[later].roster if later < len(places) else roster.last
        earlier = bisect_right(places, act.asked) - 1
        since = stream.seen[earlier] if earlier >= 0 else None
        so_far = [span for span in spans[who] if span.since <= until]
        if not so_far and _after(act.time, roster.opened):
            before.append(act.sequence)
        elif not so_far:
            yield Fault(name, act.sequence, "role", f"{act.actor} was no {act.role} there by then")
        elif since and all(span.until <= since.roster for span in so_far) and _after(since.time, act.time):
            no = f"{act.actor} was {act.role} there no more as of entry {since.roster} of the people's stream"
            yield Fault(name, act.sequence, "role", no)
        elif not any(_within(span, act.time) for span in so_far):
            late.setdefault(who, []).append(act.sequence)
    if before:
        no = f"the crew's acts, entry {before[0]} the first of {len(before)}, are older than the people's stream"
        report.open.append(f"{name}: {no}, which does not say who was what by then")
    for (actor, role), acts in late.items():
        no = f"{actor} was no {role} there by the clock, entry {acts[0]} the first of {len(acts)}"
        report.open.append(f"{name}: {no}: a clock was wrong, or a role was used that was not held")


def _after(before: str, time: str) -> bool:
    """Whether a time is more than a minute after another: a process may hear so much later what was taken back."""
    return is_time(before) and is_time(time) and elapsed(before, time) > MINUTE


def _within(span: Span, time: str) -> bool:
    """Whether a role was held at a time, by the clocks of both streams, give or take a minute."""
    return not _after(time, span.given) and not (span.taken is not None and _after(span.taken, time))
