"""What shows whether the dice of a table were fair, from its journal: docs/dice.md says how it is checked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from passline.journal.contract import Journal
from passline.journal.entries import read_entry


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
