"""The order of a roll: bets closed, then dice, then bets again; numbers without a gap; nothing left open."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, cast

from passline.engine.events import DiceThrown
from passline.verify.entry import Entry
from passline.verify.report import Complaint

if TYPE_CHECKING:
    from passline.verify.game import Game

INSPECTING = "floor.inspect_dice"
"""What is done to dice between rolls, and not over one."""

HOUSE_FLOOR = "floor"
"""The stream at which nobody plays."""

UNMOVED = frozenset(
    ("refused", "floor_heard", "table_taken", "table_counted", "table_stopped", "rolled", "roll_voided")
)
"""What may stand between the bets closed and the dice: nothing that moves a chip or a seed."""

OVER_DICE = frozenset(("command.cocked_die", "command.dispute_face", "command.lose_die"))
"""What a crew says over real dice before they count."""


class Rolls:
    """The rolls of one table, whoever makes the dice."""

    def __init__(self, counts: Counter[str], game: Game) -> None:
        self._counts = counts
        self._game = game
        self.dice = ""
        self.closed: tuple[object, object] | None = None
        self._asked: object = None
        self._stopped = False
        self._spent = 0
        """How many numbers are spent where no epoch counts them."""

    @property
    def open(self) -> str | None:
        """The roll that is announced and not dealt, if there is one."""
        if self.closed and self._stopped:
            return f"it stopped after roll {self.closed[1]} of epoch {self.closed[0]} was announced: it is never dealt"
        return self.closed and f"roll {self.closed[1]} of epoch {self.closed[0]} is announced and not dealt"

    def see(self, entry: Entry) -> Iterator[Complaint]:
        """One entry in the order of things."""
        kind, body = entry.kind, entry.body
        if kind == "table_opened":
            self.dice = body["dice"]
            if self.dice not in (("none",) if entry.data["table"] == HOUSE_FLOOR else ("fair", "real", "given")):
                yield "body.dice", f"{self.dice} are no dice"
        self._stopped |= kind == "table_stopped"
        if self.closed and kind not in UNMOVED and not self._stopped and not self._over_dice(entry):
            yield "kind", f"{kind} stands between the bets closed and the dice: {self.open}"
        if kind in ("dice_entered", "dice_disagreed") and (self.closed is None or body["roll"] != self.closed[1]):
            yield "body.roll", f"dice are read for roll {body['roll']}, and the bets were not closed for it"
        if kind == "bets_closed":
            yield from self._close(entry)
        elif kind in ("rolled", "roll_voided"):
            yield from self._end(entry)
        elif any(isinstance(event, DiceThrown) for event in self._game.events):
            yield "kind", "dice are thrown in an entry that is no roll"
        elif kind == "table_closed" and self.closed:
            yield "kind", f"the table closes, and {self.open}"

    def _over_dice(self, entry: Entry) -> bool:
        """Whether this is said over real dice, or by the floor and moves nothing."""
        if entry.kind == "floor_acted":
            return not entry.body["events"] and entry.body["command"].get("kind") != INSPECTING
        if self.dice != "real":
            return False
        if entry.kind == "acted":
            return entry.body["command"].get("kind") in OVER_DICE
        return entry.kind in ("dice_entered", "dice_disagreed")

    def _close(self, entry: Entry) -> Iterator[Complaint]:
        epoch, roll = entry.body["epoch"], entry.body["roll"]
        if self.closed:
            yield "kind", f"the bets are closed twice: {self.open}"
        if self.dice != "fair":
            self._spent += 1
            if (epoch, roll) != (0, self._spent):
                yield "body.roll", f"it is {roll} of epoch {epoch} where {self._spent} of epoch 0 is due"
        self.closed, self._asked = (epoch, roll), entry.body["asked"]

    def _end(self, entry: Entry) -> Iterator[Complaint]:
        epoch, roll = entry.body["epoch"], entry.body["roll"]
        if self.dice == "given" and self.closed is None:
            self._spent += entry.kind == "rolled"
            if entry.kind == "rolled" and (epoch, roll) != (0, self._spent):
                yield "body.roll", f"it is {roll} of epoch {epoch} where {self._spent} of epoch 0 is due"
        elif self.closed != (epoch, roll):
            yield "body.roll", f"the bets were not closed for roll {roll} of epoch {epoch}"
        for field in ("key", "actor", "role") if isinstance(self._asked, dict) and entry.kind == "rolled" else ():
            if entry.data[field] != (said := cast("dict[str, object]", self._asked).get(field)):
                yield field, f"the roll was asked for {'under' if field == 'key' else 'by'} {said}"
        self.closed = self._asked = None
        if entry.kind == "roll_voided":
            self._counts["void_rolls"] += 1
            yield from self._voided(entry.body)
            return
        if self.dice == "given":
            self._counts["given_rolls"] += 1
        thrown = [[event.first, event.second] for event in self._game.events if isinstance(event, DiceThrown)]
        if thrown != [entry.body["dice"]]:
            yield "body.dice", f"they are {entry.body['dice']}, and what happened speaks of {thrown}"

    def _voided(self, body: dict[str, Any]) -> Iterator[Complaint]:
        """What was to go back did."""
        up = [number for number, seat in self._game.state.seats.items() if seat.felt]
        if self.dice != "given" and not body["people"] and up:
            yield "body.commands", f"nobody decided it, and the stakes of seats {up} did not go back"
        elif body["returned"] and up:
            yield "body.returned", f"it says that every stake was asked back, and those of seats {up} lie there"
