"""Between the streams: what one floor decides holds at every table; two who decide hold their roles then."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple, cast

from passline.codec import from_data
from passline.floor.acts import FloorEvent
from passline.floor.conduct import everywhere
from passline.floor.names import folded
from passline.verify.bodies import is_whole
from passline.verify.entry import Entry
from passline.verify.report import Complaint, Fault, Report
from passline.verify.roster import Roster

HOUSE_FLOOR = "floor"
SUPERVISOR = "supervisor"
"""Whose decisions hold in the whole house; a host's hold at the host's own table."""

UNDO = frozenset(("box", "supervisor"))
DECIDE: Mapping[str, frozenset[str]] = {
    "corrected": UNDO,
    "roll_voided": UNDO,
    "floor_acted": UNDO | {"dealer", "stick"},
}
"""Who may be one of two people, by what they do; `floor` has said already what takes a supervisor."""


class Binding(NamedTuple):
    """What an entry says that holds everywhere."""

    sequence: int
    stream: str
    """The stream it was decided in."""
    at: int
    """The entry there."""
    events: tuple[FloorEvent, ...]


class Pair(NamedTuple):
    """Two people who decided something, and the entry of the people's stream as of which they held their roles."""

    sequence: int
    kind: str
    actor: str
    role: str
    second: str
    roster: int | None


class HouseWide:
    """What one stream says to others, and hears from them."""

    def __init__(self, counts: Counter[str]) -> None:
        self._counts = counts
        self.said: list[Binding] = []
        """What was decided here."""
        self.heard: list[Binding] = []
        """What was decided elsewhere."""
        self.pairs: list[Pair] = []

    def see(self, entry: Entry) -> Iterator[Complaint]:
        """Remember it; what is wrong with it is known when all streams were heard."""
        body, data = entry.body, entry.data
        if not is_whole(entry.sequence, 1):
            return  # the chain complains of it
        if entry.kind in ("floor_acted", "floor_heard"):
            events = tuple(cast("FloorEvent", from_data(each)) for each in body["floor"])
            if entry.kind == "floor_heard":
                self._counts["heard"] += 1
                if data["role"] != "house":
                    yield "role", "a table hears by itself, and nobody says it"
                if events != everywhere(events):
                    yield "body.floor", "it holds at one table, and was heard at another"
                if is_whole(body["sequence"], 1) and isinstance(body["stream"], str):  # of any other its type is wrong
                    self.heard.append(Binding(entry.sequence, body["stream"], body["sequence"], events))
            elif found := everywhere(events):
                self.said.append(Binding(entry.sequence, data["table"], entry.sequence, found))
        second = _second(entry)
        if entry.kind in DECIDE and isinstance(second, str) and second:
            roster = body["roster"] if is_whole(body.get("roster"), 1) else None
            pair = (entry.kind, str(data["actor"]), str(data["role"]), folded(second), roster)
            self.pairs.append(Pair(entry.sequence, *pair))


def _second(entry: Entry) -> object:
    """Who decided it with the actor."""
    if entry.kind == "floor_acted":
        return entry.body["command"].get("second")
    others = [each for each in entry.body.get("people", ()) if each != entry.data["actor"]]
    return others[0] if others else None


def compare(streams: Mapping[str, HouseWide], roster: Roster | None, report: Report) -> Iterator[Fault]:
    """All streams of an export beside each other; what is not in it cannot be compared."""
    house = streams.get(HOUSE_FLOOR)
    for name, stream in sorted(streams.items()):
        if name == HOUSE_FLOOR:
            yield from _told(stream, streams)
        elif house is None:
            if stream.heard:
                report.open.append(f"{name}: the floor of the house is not in the export: what was heard is its word")
        else:
            yield from _heard(name, stream, house, roster)
        if roster is not None:
            for pair in stream.pairs:
                yield from _held(name, pair, roster, report)


def _heard(name: str, stream: HouseWide, house: HouseWide, roster: Roster | None) -> Iterator[Fault]:
    """A table hears all that the house's floor says, in its order, and tells it what a supervisor decides."""
    both = sorted((*house.said, *house.heard))
    due = [each for each in both if each.stream != name]
    for number, found in enumerate(stream.heard):
        said = due[number] if number < len(due) else None
        if said is None or (found.stream, found.at, found.events) != (HOUSE_FLOOR, said.sequence, said.events):
            no = f"the floor of the house says something else there, or nothing: {said and said.sequence}"
            yield Fault(name, found.sequence, "body", no)
            return
    told = {each.at for each in house.heard if each.stream == name}
    binding = {
        pair.sequence
        for pair in stream.pairs
        if roster is not None and SUPERVISOR in roster.roles(pair.actor, None, pair.roster or roster.last)
    }
    for each in stream.said:
        if each.sequence in binding - told:
            yield Fault(
                name, each.sequence, "body.floor", "it holds everywhere, and the floor of the house was not told"
            )


def _told(house: HouseWide, streams: Mapping[str, HouseWide]) -> Iterator[Fault]:
    """The house's floor hears what a table decided, once, and as it was decided."""
    seen: set[tuple[str, int]] = set()
    for found in house.heard:
        table = streams.get(found.stream)
        said = None if table is None else next((each for each in table.said if each.sequence == found.at), None)
        if (found.stream, found.at) in seen or (table is not None and (said is None or said.events != found.events)):
            yield Fault(HOUSE_FLOOR, found.sequence, "body", f"entry {found.at} of {found.stream} does not say that")
        seen.add((found.stream, found.at))


def _held(name: str, pair: Pair, roster: Roster, report: Report) -> Iterator[Fault]:
    """Two people who decide something hold roles that may, as of the entry that is named."""
    table = None if name == HOUSE_FLOOR else name
    if pair.roster is None:
        if table is None or table in roster.hosted:
            report.open.append(f"{name}: entry {pair.sequence} does not say since when two people hold their roles")
        return
    report.counts["pairs"] += 1
    if pair.roster > roster.last:
        yield Fault(name, pair.sequence, "body.roster", f"the people's stream ends with entry {roster.last}")
        return
    if pair.role not in roster.roles(pair.actor, table, pair.roster):
        no = f"{pair.actor} was no {pair.role} there as of entry {pair.roster} of the people's stream"
        yield Fault(name, pair.sequence, "role", no)
    if not roster.agreed(pair.second, name, pair.actor, pair.roster):
        report.unagreed.append(f"entry {pair.sequence} of {name}")
        no = (
            f"no assent of {pair.second}'s stands behind entry {pair.sequence}: that two decided it is the house's word"
        )
        report.open.append(f"{name}: {no}")
    if not roster.roles(pair.second, table, pair.roster) & DECIDE[pair.kind]:
        no = f"{pair.second} held no role that may decide this as of entry {pair.roster} of the people's stream"
        yield Fault(name, pair.sequence, "body.roster", no)
