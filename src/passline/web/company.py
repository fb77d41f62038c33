"""Regulars of the house at a practice table: they act between rolls, durably, at the pace of whoever practises."""

from __future__ import annotations

from passline.journal.entries import read_entry
from passline.pit.plans import Ask
from passline.pit.table import LiveTable
from passline.sitting.company import Company
from passline.table import Table
from passline.web.views import house_at

REGULARS = "house"
"""Who asks for what regulars do; nobody can be called that."""


def arrive(live: LiveTable, me: int | None, size: int, time: str) -> None:
    """Have so many regulars sit down, and bet."""
    company = _company(live, me or 0, size)
    company.arrive()
    company.turn()
    _do(live, company, time)


def turn(live: LiveTable, me: int | None, size: int, time: str) -> None:
    """Have them act, if they have not since the last roll; dice that are on offer to one of them are answered."""
    if live.live.over is not None or live.live.announced is not None or live.live.table.phase != "betting":
        return
    company = _company(live, me or 0, size)
    if _had_turn(live):
        company.offer_round()
    else:
        company.turn()
    _do(live, company, time)


def find_shooter(live: LiveTable, me: int | None, size: int, time: str) -> None:
    """Before a roll: have one of them take dice that nobody wanted."""
    if live.live.over is None and live.live.announced is None and live.live.table.phase == "betting":
        company = _company(live, me or 0, size)
        company.find_shooter()
        _do(live, company, time, but=me)


def _company(live: LiveTable, me: int, size: int) -> Company:
    """The regulars at a copy of the table, whose luck follows from where its journal is."""
    table = Table(house_at(live.journal, live.name), notice=live.live.table.notice)
    table.state = live.live.table
    return Company(table, me, size, f"{live.live.stream} {live.head.sequence}")


def _had_turn(live: LiveTable) -> bool:
    """Whether one of them has done anything since the last roll."""
    entries = map(read_entry, live.journal.lines(live.name, live.live.last_roll))
    return any((entry.actor, entry.role) == (REGULARS, "player") for entry in entries)


def _do(live: LiveTable, company: Company, time: str, but: int | None = None) -> None:
    """Ask the live table for what they did at the copy."""
    for moment in company.table.history:
        if getattr(moment.command, "seat", None) != but:
            live.do(moment.command, Ask(REGULARS, "player", f"{REGULARS}/{live.head.sequence + 1}", time))
