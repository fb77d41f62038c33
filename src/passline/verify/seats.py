"""Whose chips: what a player asks for is asked at the player's own seat."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterator

    from passline.verify.entry import Entry
    from passline.verify.game import Game
    from passline.verify.report import Complaint

SITTING = "command.sit"


class Seats:
    """The seats of one table, each of whoever asked for it."""

    def __init__(self, counts: Counter[str], game: Game) -> None:
        """Nobody sits."""
        self._counts, self._game = counts, game
        self._actors: dict[object, object] = {}

    def see(self, entry: Entry) -> Iterator[Complaint]:
        """Somebody sits down, or does something where they sit."""
        if entry.kind not in ("acted", "roll_voided", "rolled"):
            return
        for command in entry.body.get("commands", [entry.body.get("command")]):
            seat = command.get("seat")
            if command["kind"] == SITTING:
                self._actors[seat] = entry.data["actor"]
            elif seat is not None and entry.data["role"] == "player":
                self._counts["own_acts"] += 1
                if (owner := self._actors.get(seat)) != entry.data["actor"]:
                    yield "actor", f"seat {seat} is {owner}'s, and {entry.data['actor']} plays there"

    def is_others(self, entry: Entry, command: dict[str, object]) -> bool:
        """Whether a player asks for something at another's seat."""
        seat = command.get("seat")
        if entry.data["role"] != "player" or command["kind"] == SITTING or seat not in self._game.state.seats:
            return False
        return bool(self._actors.get(seat) != entry.data["actor"])
