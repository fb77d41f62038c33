"""Whose chips: what a player asks for is asked at the player's own seat, and who plays for money does no work there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from passline.engine.refusals import Refusal
from passline.floor.names import folded
from passline.floor.staff import plays_and_works
from passline.verify.entry import Entry
from passline.verify.report import Complaint

if TYPE_CHECKING:
    from passline.verify.game import Game

SITTING = "command.sit"


class Seats:
    """The seats of one table, each of whoever asked for it."""

    def __init__(self, counts: Counter[str], game: Game) -> None:
        self._counts, self._game = counts, game
        self._actors: dict[object, object] = {}
        self._sat: list[tuple[int, str, str]] = []
        """Players who sat down: with which entry, who, and called what."""
        self._money = False
        """Whether the table was opened for the house's money."""
        self._players: frozenset[str] = frozenset()
        """Whoever had a seat after the entry before."""

    def see(self, entry: Entry) -> Iterator[Complaint]:
        """Somebody sits down, or does something where they sit, or around the table."""
        if entry.kind == "table_opened":
            self._money = entry.body.get("wallets", False)
        if self._money and entry.kind != "refused":
            for data in _done(entry):
                if (no := self.works(entry, data)) is not None:
                    yield "actor", f"the house refuses it: {no.code}, {no.message}"
        yield from self._own(entry)
        if self._money:
            seats = self._game.state.seats
            self._players = frozenset(folded(str(who)) for seat, who in self._actors.items() if seat in seats)

    def works(self, entry: Entry, data: dict[str, Any]) -> Refusal | None:
        """Why the crew's work is not for whoever asks: they have a seat, and this table is for the house's money."""
        return plays_and_works(str(entry.data["actor"]), str(entry.data["role"]), data, self._players)

    def _own(self, entry: Entry) -> Iterator[Complaint]:
        """What a player does, at the player's own seat."""
        if entry.kind not in ("acted", "roll_voided", "rolled"):
            return
        for command in entry.body.get("commands", [entry.body.get("command")]):
            seat = command.get("seat")
            if command["kind"] == SITTING:
                self._actors[seat] = entry.data["actor"]
                if entry.data["role"] == "player":
                    self._sat.append((entry.sequence, str(entry.data["actor"]), str(command["name"])))
            elif seat is not None and entry.data["role"] == "player":
                self._counts["own_acts"] += 1
                if (owner := self._actors.get(seat)) != entry.data["actor"]:
                    yield "actor", f"seat {seat} is {owner}'s, and {entry.data['actor']} plays there"

    def misnamed(self, practises: str) -> Iterator[tuple[int, str]]:
        """Who sat down under a name that is not theirs; the regulars of the house are called what they are called.

        Whoever practises at a table of their own may leave out the number that tells them from other guests.
        """
        for sequence, actor, name in self._sat:
            unnumbered = actor == practises and actor.rpartition("-")[0] == folded(name)
            if actor not in ("house", folded(name)) and not unnumbered:
                yield sequence, f"{actor} sits down as {name}"


def _done(entry: Entry) -> Iterator[dict[str, Any]]:
    """Whatever was asked for in an entry, with every person who agreed to it."""
    body = entry.body
    yield body.get("command") or {}
    if entry.kind in ("roll_voided", "corrected"):
        yield from ({"second": who} for who in body["people"])
    yield from ({"second": reading["actor"]} for reading in body.get("readings") or ())
