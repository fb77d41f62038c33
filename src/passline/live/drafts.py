"""What would be written: drafts of entries, with what happens by them and what is kept beside them."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from passline.codec import to_data
from passline.engine import commands as c
from passline.engine.commands import Command
from passline.engine.decide import decide
from passline.engine.events import Event
from passline.engine.layout import ANSWERS_MAX, Layout
from passline.engine.refusals import Refusal, heeded
from passline.engine.table import TableState
from passline.errors import InvariantError
from passline.floor.acts import FloorEvent
from passline.floor.state import NOTHING
from passline.live.books import Posting, booked
from passline.live.entries import Draft, Entry, Kind
from passline.live.requests import Ask, Request, own_data
from passline.live.state import Announced, Live, after, evolved


class Secret(NamedTuple):
    """Something that is kept beside the journal under the house's key, and never leaves it."""

    stream: str
    number: int
    value: bytes
    bound: bool = False  # whether what it is bound to stands before it: nothing public does


class Planned(NamedTuple):
    """An entry to be written, with what happens by it and what is kept beside it."""

    draft: Draft
    events: tuple[Event, ...] = ()
    secrets: Mapping[str, Secret] | None = None
    table: TableState | None = None  # the table after it, where that was worked out to see whether it adds up
    floor: tuple[FloorEvent, ...] | None = None  # what the floor did, where it is an act of it
    error: Exception | None = None  # what failed, for whoever keeps the log


def refused(request: Request, refusal: Refusal) -> Planned:
    """No, and nothing has changed; kept, so that who asks again gets the same no."""
    own = own_data(request.act)
    body = {"command": None if own else request.data, "asked": own, "refusal": to_data(refusal)}
    by = request.by
    return Planned(Draft("refused", body, by.actor, by.role, by.time, by.key))


def happened(
    kind: Kind, body: dict[str, Any], events: tuple[Event, ...], by: Ask, table: TableState | None = None
) -> Planned:
    """Events under the name of who asked, with the money they move."""
    written = [_written(event) for event in events]
    body["events"] = [each.data for each in written]
    body["postings"] = [posting for each in written for posting in each.postings]
    return Planned(Draft(kind, body, by.actor, by.role, by.time, by.key or None), events, None, table)


def voided(  # noqa: PLR0913, PLR0917 - what a void says
    announced: Announced,
    reason: str,
    commands: Iterable[Command],
    events: tuple[Event, ...],
    by: Ask,
    people: Sequence[str] = (),
    *,
    returned: bool = False,
    more: Mapping[str, Any] = NOTHING,
) -> Planned:
    """An announced roll that never has dice."""
    written = [to_data(command) for command in commands]
    number = {"epoch": announced.epoch, "roll": announced.roll}
    body = {**number, "reason": reason, "people": list(people), "returned": returned, "commands": written, **more}
    return happened("roll_voided", body, events, by)


def interrupted(table: TableState) -> list[Command]:
    """What puts an end to dice that are out, where they are."""
    return [c.CallNoRoll("interrupted")] if table.phase != "betting" else []


class _Written(NamedTuple):
    """An event as it stands in an entry, where nobody changes it."""

    event: Event
    data: dict[str, Any]
    postings: list[Posting]


# Events written before, by identity: the engine hands out the same one where the same thing happens again.
_WRITTEN: dict[int, _Written] = {}


def _written(event: Event) -> _Written:
    written = _WRITTEN.get(id(event))
    if written is None:
        if len(_WRITTEN) >= ANSWERS_MAX:
            _WRITTEN.clear()
        written = _WRITTEN[id(event)] = _Written(event, to_data(event), booked((event,)))
    return written


def statement(kind: Kind, body: dict[str, Any], by: Ask) -> Planned:
    return Planned(Draft(kind, body, by.actor, by.role, by.time, by.key))


def by_the_house(kind: Kind, body: dict[str, Any], time: str, secrets: Mapping[str, Secret] | None = None) -> Planned:
    return Planned(Draft(kind, body, "house", "house", time), (), secrets)


def with_them(live: Live, planned: list[Planned]) -> Live:
    """The live table as it will be with these entries, which no place in the chain matters to."""
    for each in planned:
        kind, body, actor, role, time, key = each.draft
        live = after(live, Entry("", 0, "", kind, "", actor, role, key, time, body, "", b""), each.events or None)
    return live


def played(
    layout: Layout, table: TableState, command: Command, real: TableState | None = None
) -> tuple[tuple[Event, ...], TableState]:
    """What the engine makes of a command, and the table after it, which adds up.

    `table` may be the table as one player sees it; `real` is then the table that the events change.
    """
    events = heeded(decide(layout, table, command))
    then = evolved(real or table, events)
    check(then)
    return events, then


def all_played(layout: Layout, table: TableState, commands: Iterable[Command]) -> tuple[tuple[Event, ...], TableState]:
    events: list[Event] = []
    for command in commands:
        more, table = played(layout, table, command)
        events += more
    return tuple(events), table


def check(table: TableState) -> None:
    """Chips are neither made nor lost, and nobody has less than nothing."""
    total = table.bank
    for number, seat in table.seats.items():
        if seat.rail < 0 or seat.tokens < 0:
            raise InvariantError(f"seat {number} has less than nothing")
        total += seat.rail
        for key, wager in seat.felt.items():
            stake, held, _, _, tokens, _, _ = wager
            if stake <= 0 or held < 0 or not 0 <= tokens <= stake:
                raise InvariantError(f"{key} of seat {number} cannot be: {wager}")
            total += stake - tokens + held
    if total != table.bought:
        raise InvariantError(f"chips do not add up: {total} lie there, {table.bought} were bought")
