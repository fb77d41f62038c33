"""What a journal tells again: somebody's last rolls with their money before and after, and the dice's proof."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any

from passline.engine.events import DiceThrown
from passline.journal.entries import read_entry
from passline.pit.history import History

if TYPE_CHECKING:
    from collections.abc import Iterator

    from passline.engine.table import Seat
    from passline.journal.contract import Journal
    from passline.pit.history import Moment

ROLLS_MAX = 50
"""How many rolls are told again."""


def funds(seat: Seat | None) -> int:
    """All that is somebody's at a table: rail, felt, commission held; tokens are not money."""
    if seat is None:
        return 0
    return seat.rail + sum(wager.stake - wager.tokens + wager.held for wager in seat.felt.values())


def last_rolls(journal: Journal, table: str, person: str, most: int = ROLLS_MAX) -> list[dict[str, Any]]:
    """The last rolls while somebody sat there: dice, what was up, what each wager came to, money before and after."""
    seats: dict[int, str] = {}
    found: deque[dict[str, Any]] = deque(maxlen=most)
    for moment in History(journal, table).more():
        entry = moment.entry
        command = entry.body.get("command") or {}
        if entry.kind == "acted" and command.get("kind") == "command.sit":
            seats[command["seat"]] = entry.actor
        if entry.kind in ("rolled", "roll_voided", "corrected"):
            for seat in (each for each, who in seats.items() if who == person):
                if seat in moment.before.table.seats:
                    found.append(_roll(moment, seat))
    return list(found)


def _roll(moment: Moment, seat: int) -> dict[str, Any]:
    entry = moment.entry
    before, after = (each.table.seats.get(seat) for each in (moment.before, moment.after))
    thrown = next((event for event in moment.events if isinstance(event, DiceThrown)), None)
    assert before is not None, "they sat there"
    cashed = sum(event.get("held", 0) for event in _mine(entry.body, seat) if event["kind"] == "event.seat_cleared")
    return {
        "sequence": entry.sequence,
        "time": entry.time,
        "kind": entry.kind,
        "reason": entry.body.get("reason"),
        "roll": entry.body.get("roll"),
        "dice": [thrown.first, thrown.second] if thrown else None,
        "puck": moment.before.table.puck,
        "seat": seat,
        "up": {key: wager.stake for key, wager in before.felt.items()},
        "events": _mine(entry.body, seat),
        "funds_before": funds(before),
        "funds_after": funds(after) + (cashed if after is None else 0),
    }


def _mine(body: dict[str, Any], seat: int) -> list[dict[str, Any]]:
    return [event for event in body.get("events", ()) if event.get("seat") == seat]


# --- The dice -------------------------------------------------------------------------------------------------------


def fairness(journal: Journal, table: str) -> dict[str, Any]:
    """Everything that shows whether dice were fair: commitments before, seeds after, and every roll between them."""
    lines: Iterator[bytes] = journal.lines(table)
    opening = read_entry(next(lines)).body
    epochs: dict[int, dict[str, Any]] = {}
    rolls: list[dict[str, Any]] = []
    for line in lines:
        entry = read_entry(line)
        body, number = entry.body, entry.body.get("epoch", 0)
        epoch = epochs.setdefault(number, {"epoch": number, "players": {}}) if "epoch" in body else {}
        match entry.kind:
            case "seed_committed":
                epoch |= {"commitment": body["commitment"], "mix": None, "seed": None}
            case "player_seed_committed":
                epoch["players"][body["player"]] = {"commitment": body["commitment"], "seed": None}
            case "player_seed_revealed":
                epoch["players"][body["player"]]["seed"] = body["seed"]
            case "mix_frozen":
                epoch["mix"] = body["mix"]
            case "seed_revealed":
                epoch["seed"] = body["seed"]
            case "rolled" | "roll_voided":
                told = {"epoch": number, "roll": body["roll"], "sequence": entry.sequence}
                rolls.append({**told, "dice": body.get("dice"), "void": body.get("reason")})
            case _:
                pass
    return {
        "table": table,
        "dice": opening["dice"],
        "stream": opening["stream"],
        "epochs": [each for number, each in sorted(epochs.items()) if number],
        "rolls": rolls,
    }
