"""What the house itself asks of tables: regulars act, a countdown closes the bets, silence makes a roll void.

Regulars act between rolls, durably, at the pace of whoever practises. A countdown counts by the house's clock, and what
came before it closed counts.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from passline.engine.refusals import refusal_of
from passline.journal.contract import Entry, read_entry
from passline.live.play import could_roll
from passline.live.requests import Ask
from passline.pit.history import History
from passline.pit.people.people import TIME
from passline.pit.table import LiveTable
from passline.sitting.company import Company
from passline.strategies.player.follower import Guest
from passline.table import Table
from passline.web.views import house_here

if TYPE_CHECKING:
    from passline.web.service import Service

LOG = logging.getLogger("passline.web")

REGULARS = "house"  # who asks for what regulars do; nobody can be called that
TICK_S = 0.25  # how often the countdown looks at the clock

ROLLED = ("rolled", "roll_voided")


class Companions:
    """Who plays at practice tables beside the person: guests, who follow the house's strategies, and regulars.

    Regulars' luck follows from where the journal is; a guest has heard everything that the journal tells.
    """

    def __init__(self, guests: Iterable[Guest] = ()) -> None:
        self._guests = tuple(guests)
        self._at: WeakKeyDictionary[LiveTable, tuple[History, list[Guest]]] = WeakKeyDictionary()

    def arrive(self, live: LiveTable, me: int | None, size: int, time: str) -> None:
        company = self._company(live, me, size)
        company.arrive()
        company.turn()
        _do(live, company, time)

    def turn(self, live: LiveTable, me: int | None, size: int, time: str) -> None:
        """Have them act, if they have not since the last roll; dice that are on offer to one of them are answered."""
        if not _takes_bets(live):
            return
        company = self._company(live, me, size)
        since = map(read_entry, live.journal.lines(live.name, live.live.last_roll))
        if any((entry.actor, entry.role) == (REGULARS, "player") for entry in since):
            company.offer_round()
        else:
            company.turn()
        _do(live, company, time)

    def find_shooter(self, live: LiveTable, me: int | None, size: int, time: str) -> None:
        """Before a roll: have one of them take dice that nobody wanted."""
        if _takes_bets(live):
            company = self._company(live, me, size)
            company.find_shooter()
            _do(live, company, time, but=me)

    def _company(self, live: LiveTable, me: int | None, size: int) -> Company:
        """The company of a table, whose guests know what happened there."""
        table, guests = Table(house_here(live), notice=live.live.table.notice), list[Guest]()
        table.state = live.live.table
        if self._guests:
            if live not in self._at:
                fresh = [Guest(each.strategy, each.name) for each in self._guests]
                self._at[live] = History(live.journal, live.name), fresh
            history, guests = self._at[live]
            for moment in history.more():
                for guest in guests if moment.events else ():
                    guest.hear(table.house.layout, moment.events, moment.after.table)
        return Company(table, me or 0, size, f"{live.live.stream} {live.head.sequence}", guests, LOG.warning)


def _takes_bets(table: LiveTable) -> bool:
    return table.live.over is None and table.live.announced is None and table.live.table.phase == "betting"


def _do(live: LiveTable, company: Company, time: str, but: int | None = None) -> None:
    """Ask the live table for what they did at the copy."""
    for moment in company.table.history:
        if getattr(moment.command, "seat", None) != but:
            live.do(moment.command, Ask(REGULARS, "player", f"{REGULARS}/{live.head.sequence + 1}", time))


def closes_at(table: LiveTable, seconds: int, recent: Sequence[Entry] = ()) -> str | None:
    """When the bets are closed: so long after the last roll where chips stood, else after the first bet.

    `recent` are last entries that are at hand; where they do not reach back to the roll, the journal is read.
    """
    live = table.live
    if not seconds or not _takes_bets(table):
        return None
    began, first, fresh = "", "", set[tuple[int, str]]()
    at_hand = bool(recent) and recent[0].sequence <= max(live.last_roll, 1)
    lines = () if at_hand else table.journal.lines(table.name, max(live.last_roll - 1, 0))
    for entry in recent if at_hand else map(read_entry, lines):
        command = entry.body.get("command") or {}
        if entry.kind in ROLLED:
            began, first, fresh = entry.time, "", set()
        elif entry.kind == "acted" and command["kind"] == "command.bet":
            first = first or entry.time
            fresh.add((command["seat"], command["wager"]))
    up = {(number, key) for number, seat in live.table.seats.items() for key in seat.felt}
    since = began if began and up - fresh else first if up else ""
    return (datetime.fromisoformat(since) + timedelta(seconds=seconds)).strftime(TIME) if since else None


def close(table: LiveTable, seconds: int, due: str | None, time: str) -> None:
    """Close the bets that are due, if dice could be thrown; of several processes one does."""
    if closes_at(table, seconds) == due and refusal_of(could_roll, table.live, table.layout) is None:
        table.close_bets(Ask("house", "house", f"clock/{table.live.last_roll}/{due}", time))


class Countdowns:
    """How long each table still has, by the monotonic clock: a clock that is set back keeps no bets open."""

    def __init__(self) -> None:
        self._deadlines: dict[str, tuple[str, float]] = {}

    def is_over(self, table: str, due: str | None, seconds: int, now: str) -> bool:
        """Whether the time of a table has come; its length is what it has, however wrong the clock on the wall."""
        if due is None:
            self._deadlines.pop(table, None)
            return False
        known = self._deadlines.get(table)
        if known is None or known[0] != due:
            left = (datetime.fromisoformat(due) - datetime.fromisoformat(now)).total_seconds()
            known = self._deadlines[table] = (due, monotonic() + min(max(left, 0.0), seconds))
        return due <= now or monotonic() >= known[1]


async def run_countdowns(service: Service) -> None:
    countdowns = Countdowns()
    while not service.stopping.is_set():
        await asyncio.sleep(TICK_S)
        if not service.note_store():
            continue
        for name in service.waiting():
            try:
                await service.ask(name, lambda table: table.settle(service.pit.now()))
            except Exception as error:  # noqa: BLE001 - as below
                LOG.warning("a roll could not be settled", extra={"table": name, "error": str(error)})
        for name, seconds in service.clocks():
            try:
                due = await service.run(closes_at, await service.run(service.pit.table, name), seconds)
                now = service.pit.now()
                if countdowns.is_over(name, due, seconds, now):
                    await service.ask(name, partial(close, seconds=seconds, due=due, time=now))
            except Exception as error:  # noqa: BLE001 - the clock of the other tables goes on, whatever one of them has
                LOG.warning("the bets could not be closed", extra={"table": name, "error": str(error)})
