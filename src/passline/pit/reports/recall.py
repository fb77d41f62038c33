"""Any roll again, and a player's last rolls: the bets, the dice, what each decided, and the funds before and after."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Any

from passline.codec import to_data
from passline.engine.events import OutcomeStruckOut
from passline.engine.layout import Layout
from passline.engine.table import Seat
from passline.errors import ArgumentError
from passline.floor.names import folded
from passline.journal.contract import Journal
from passline.live.state import Moment
from passline.pit.history import History
from passline.pit.reports.takings import layout_at
from passline.telling.sentences import say

LAST = 50
"""How many rolls of a player are told."""

ROLLS = ("rolled", "roll_voided")


def recall(journal: Journal, table: str, sequence: int) -> dict[str, Any]:
    """One roll whole, by the number of its entry: every seat's bets and funds, and whether it was struck out."""
    layout = layout_at(journal, table)
    for moment, struck in _rolls(journal, table):
        if moment.entry.sequence == sequence:
            seats = {number: _seat(layout, moment, number) for number in moment.before.table.seats}
            return {**_roll(layout, moment, struck), "seats": seats}
    raise ArgumentError("entry", str(sequence), f"the number of an entry of {table} that is a roll")


def last_rolls(journal: Journal, table: str, player: str, count: int = LAST) -> list[dict[str, Any]]:
    """A player's last rolls at a table, the oldest first."""
    layout = layout_at(journal, table)
    found: deque[dict[str, Any]] = deque(maxlen=count)
    for moment, struck in _rolls(journal, table):
        for number, seat in moment.before.table.seats.items():
            if folded(seat.name) == folded(player):
                found.append({**_roll(layout, moment, struck), "seat": number, **_seat(layout, moment, number)})
    return list(found)


def _rolls(journal: Journal, table: str) -> Iterator[tuple[Moment, bool]]:
    """Every roll of a table, once it is known whether it was struck out."""
    waiting: Moment | None = None
    for moment in History(journal, table).more():
        struck = any(isinstance(event, OutcomeStruckOut) for event in moment.events)
        if waiting is not None and (struck or moment.entry.kind in ROLLS):
            yield waiting, struck
            waiting = None
        if moment.entry.kind in ROLLS:
            waiting = moment
    if waiting is not None:
        yield waiting, False


def _roll(layout: Layout, moment: Moment, struck: bool) -> dict[str, Any]:  # noqa: FBT001 - a fact of the roll
    entry, body, before = moment.entry, moment.entry.body, moment.before.table
    return {
        "table": entry.table,
        "entry": entry.sequence,
        "time": entry.time,
        "by": f"{entry.actor} ({entry.role})",
        "roll": body["roll"],
        "dice": body.get("dice"),
        "puck": before.puck or "off",
        "void": entry.kind == "roll_voided",
        "struck_out": struck,
        "told": [say(layout, before, event) for event in moment.events],
    }


def in_words(rolls: list[dict[str, Any]]) -> list[str]:
    """Rolls as people read them: what fell, what was said, and everybody's bets and money."""
    lines: list[str] = []
    for roll in rolls:
        dice = "void" if roll["void"] else "-".join(map(str, roll["dice"]))
        puck = "off" if roll["puck"] == "off" else f"on {roll['puck']}"
        struck = ", struck out later" if roll["struck_out"] else ""
        at = f"{roll['table']}, entry {roll['entry']}, {roll['time']}, by {roll['by']}"
        lines += [f"Roll {roll['roll']}: {dice}, the puck {puck}{struck} ({at})."]
        lines += [f"  {sentence}" for sentence in roll["told"]]
        seats = roll["seats"].items() if "seats" in roll else [(roll["seat"], roll)]
        lines += [f"  Seat {number}, {_had(seat)}." for number, seat in seats]
    return lines


def _had(seat: dict[str, Any]) -> str:
    """Somebody's bets, and money before and after."""
    up = ", ".join(f"{amount} on {wager}" for wager, amount in seat["bets"].items()) or "no bets"
    after = "gone" if seat["funds_after"] is None else f"{seat['funds_after']} after"
    return f"{seat['name']}: {up}; {seat['funds_before']} before, {after}"


def _seat(layout: Layout, moment: Moment, number: int) -> dict[str, Any]:
    """One seat at a roll."""
    before, after = moment.before.table.seats[number], moment.after.table.seats.get(number)
    return {
        "name": before.name,
        "bets": {key: layout.money(wager.stake) for key, wager in before.felt.items()},
        "funds_before": layout.money(funds(before)),
        "funds_after": None if after is None else layout.money(funds(after)),
        "settled": [to_data(event) for event in moment.events if getattr(event, "seat", None) == number],
    }


def funds(seat: Seat | None) -> int:
    """All that is somebody's at a table: rail, felt, commission held; tokens are not money."""
    if seat is None:
        return 0
    return seat.rail + sum(wager.stake - wager.tokens + wager.held for wager in seat.felt.values())
