"""What happened at a table, read from the journal alone: entry by entry with the table on either side, and its dice."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from passline.journal.contract import Journal, house_file, opening_of
from passline.journal.entries import Entry, read_entry
from passline.live.state import Moment, after, events_of, opened
from passline.pit import snapshots


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


BOOKED = {
    "command.find_bet": "found on the layout",
    "command.late_bet": "said with the dice in the air",
    "command.take_tokens": "for a voucher",
}
"""What the crew books at somebody's seat, and what it says of it where no reason was given."""


def by_the_crew(entry: Entry) -> str:
    """Who of the crew put somebody's chips up, and why; nothing where the player did."""
    command = entry.body.get("command") or {}
    if entry.kind != "acted" or command.get("kind") not in BOOKED or entry.role == "player":
        return ""
    why = entry.body.get("reason") or BOOKED[command["kind"]]
    return f"{entry.actor} ({entry.role}) booked this for seat {command['seat']}: {why.rstrip('.')}."


class History:
    """A table as its journal tells it, from an entry on; more can be asked for as it is written."""

    def __init__(self, journal: Journal, table: str, since: int = 0) -> None:
        """Go to just after the entry `since`, from the last snapshot before it or from the beginning."""
        self.journal, self.table = journal, table
        self.opening = opening_of(journal, table)
        self.house_file = house_file(journal, self.opening)
        self.sequence, self.live = 0, opened(self.opening)
        live, head = snapshots.last_known(journal, self.opening)
        if 1 < head.sequence <= since:
            self.live, self.sequence = live, head.sequence
        for _ in self.more(upto=since):
            pass

    def more(self, upto: int | None = None) -> Iterator[Moment]:
        """What has been written since, in order."""
        for line in self.journal.lines(self.table, self.sequence, upto):
            yield self.step(read_entry(line))

    def skip(self, moment: Moment) -> Moment:
        """Go on by the next entry, of which somebody knows what it did."""
        self.sequence, self.live = moment.entry.sequence, moment.after
        return moment

    def step(self, entry: Entry) -> Moment:
        """Go on by the next entry."""
        before, events = self.live, events_of(entry)
        # The first entry is the table itself.
        self.live = before if entry.sequence == 1 else after(before, entry, events)
        self.sequence = entry.sequence
        return Moment(entry, before, events, self.live)
