"""A betting countdown where a table wants one: the house's clock closes the bets; what came before counts."""

from __future__ import annotations

import asyncio
import logging
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING

from passline.errors import PasslineError
from passline.journal.entries import read_entry
from passline.pit.people.people import TIME
from passline.pit.plans import Ask, could_roll
from passline.pit.table import LiveTable
from passline.web.problems import Problem

if TYPE_CHECKING:
    from passline.web.service import Service

LOG = logging.getLogger("passline.web")

TICK_S = 0.25
"""How often the clock is looked at."""

ROLLED = ("rolled", "roll_voided")


def closes_at(table: LiveTable, seconds: int) -> str | None:
    """When the bets are closed: so long after the last roll where chips stood, else after the first bet."""
    live = table.live
    if not seconds or live.over is not None or live.announced is not None or live.table.phase != "betting":
        return None
    began, first, fresh = "", "", set[tuple[int, str]]()
    for entry in map(read_entry, table.journal.lines(table.name, max(live.last_roll - 1, 0))):
        command = entry.body.get("command") or {}
        if entry.kind in ROLLED:
            began, first, fresh = entry.time, "", set()
        elif entry.kind == "acted" and command["kind"] == "command.bet":
            first = first or entry.time
            fresh.add((command["seat"], command["wager"]))
    up = {(number, key) for number, seat in live.table.seats.items() for key in seat.felt}
    since = began if began and up - fresh else first if up else ""
    return (datetime.fromisoformat(since) + timedelta(seconds=seconds)).strftime(TIME) if since else None


def close(table: LiveTable, seconds: int, time: str) -> None:
    """Close the bets, if it is time and dice could be thrown; of several processes one does."""
    due = closes_at(table, seconds)
    if due is not None and due <= time and could_roll(table.live, table.layout) is None:
        table.close_bets(Ask("house", "house", f"clock/{table.live.last_roll}/{due}", time))


async def run(service: Service) -> None:
    """Close bets by the clock, until the service stops."""
    while not service.stopping.is_set():
        await asyncio.sleep(TICK_S)
        for name, seconds in service.clocks():
            try:
                due = await service.run(closes_at, await service.run(service.pit.table, name), seconds)
                if due is not None and due <= service.pit.now():
                    await service.ask(name, partial(close, seconds=seconds, time=service.pit.now()))
            except (PasslineError, Problem) as error:
                LOG.warning("clock", extra={"error": str(error)})
