"""What takes two people: reading real dice, declaring a roll void, reversing what was wrong."""

from __future__ import annotations

import secrets
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from passline.chance import commitment, seal, unseal
from passline.codec import to_data
from passline.engine import commands as c
from passline.engine.events import ChipsBought, Event, PlayerSat
from passline.engine.layout import Layout
from passline.engine.refusals import Refusal
from passline.engine.values import Roll
from passline.errors import ChanceError, InvariantError, OtherKeysError
from passline.floor.names import folded, is_said
from passline.journal.contract import Journal
from passline.journal.entries import Entry
from passline.pit import plans
from passline.pit.live import Reading, events_of
from passline.pit.plans import Planned, happened, no, refused, said

if TYPE_CHECKING:
    from passline.pit.live import Live
    from passline.pit.plans import Ask

TAG = b"passline/reading/1\n"
SALT_BYTES = 30
"""With the two faces, as long as a seed: so that a reading is sealed as one."""


def commitment_of(reading: bytes) -> str:
    """What is published of a reading before it is shown: 30 bytes of salt and the two faces."""
    return sha256(TAG + reading).hexdigest()


class Reader:
    """Real dice, read by one person and then by another who has not seen what the first one said."""

    def __init__(self, journal: Journal, table: str, key: bytes) -> None:
        self._journal, self._table, self._key = journal, table, key

    def read(self, live: Live, layout: Layout, dice: Roll, ask: Ask) -> list[Planned]:
        """The first reading is kept sealed; the second settles the roll, or holds it."""
        refusal = self._refused(live, dice, ask)
        if refusal is not None:
            return [refused(ask, refusal, None, {"read_dice": list(dice)})]
        announced = live.announced
        assert announced is not None, "dice are read for a roll that is announced"
        if announced.reading is None:
            return [self._first(live, announced.roll, dice, ask)]
        first = self._opened(live, announced.roll, announced.reading)
        second: dict[str, Any] = {"actor": ask.actor, "dice": list(dice), "salt": secrets.token_hex(SALT_BYTES)}
        readings = [first, second]
        if sorted(first["dice"]) == sorted(second["dice"]):  # like dice have no first: the roll is as it was read first
            return [plans.rolled(live, layout, Roll(*first["dice"]), ask, readings)]
        return [said("dice_disagreed", {"roll": announced.roll, "readings": readings}, ask)]

    def _refused(self, live: Live, dice: Roll, ask: Ask) -> Refusal | None:
        if live.dice != "real":
            return no("table.dice_drawn", "read")
        if (player := plans.for_the_crew(live, ask)) is not None:
            return player
        if live.announced is None:
            return no("table.not_closed", "read")
        if live.table.phase == "disputed":
            return no("table.not_closed", "doubt")
        if not dice.is_possible:
            return no("table.dice_entered", "read", dice=dice)
        reading = live.announced.reading
        if reading is not None and folded(reading.actor) == folded(ask.actor):
            return no("table.two_people", "read")
        return None

    def _first(self, live: Live, roll: int, dice: Roll, ask: Ask) -> Planned:
        reading, stream = secrets.token_bytes(SALT_BYTES) + bytes(dice), _stream(live)
        promise = commitment_of(reading)
        # Sealed as a seed is: what it is bound to stands before it.
        kept = commitment(stream, roll, reading) + seal(self._key, stream, roll, reading)
        planned = said("dice_entered", {"roll": roll, "commitment": promise}, ask)
        return planned._replace(secrets={_name(roll, promise): kept})

    def _opened(self, live: Live, roll: int, reading: Reading) -> dict[str, Any]:
        """What the first one said."""
        kept = self._journal.secret(self._table, _name(roll, reading.commitment))
        if kept is None:
            raise InvariantError(f"the first reading of roll {roll} is not there")
        try:
            shown = unseal(self._key, _stream(live), roll, kept[:32], kept[32:])
        except ChanceError as error:
            raise OtherKeysError(
                f"{self._table}: these are not the keys that the first reading was sealed with: {error}"
            ) from None
        return {"actor": reading.actor, "dice": list(shown[SALT_BYTES:]), "salt": shown[:SALT_BYTES].hex()}

    def is_same(self, live: Live, entry: Entry, dice: Roll) -> bool:
        """Whether this is what was said before under the same key."""
        match entry.kind:
            case "dice_entered":
                roll, reading = entry.body["roll"], Reading(entry.actor, entry.body["commitment"])
                return bool(self._opened(live, roll, reading)["dice"] == list(dice))
            case "rolled" | "dice_disagreed":
                readings = entry.body["readings"] or ()
                return any(each["actor"] == entry.actor and each["dice"] == list(dice) for each in readings)
            case _:
                return bool(entry.body.get("asked") == {"read_dice": list(dice)})


def _stream(live: Live) -> str:
    return f"{live.stream}/reading"


def _name(roll: int, promise: str) -> str:
    return f"reading/{roll}/{promise}"


# --- What people decide ---------------------------------------------------------------------------------------------


def void_asked(reason: str, second: str, *, returned: bool) -> dict[str, Any]:
    """What a refusal keeps of whoever would have a roll void."""
    return {"void": {"reason": reason, "second": second, "returned": returned}}


def voided(live: Live, layout: Layout, why: tuple[str, str], ask: Ask, *, returned: bool) -> Planned:
    """An announced roll that two people will not have rolled."""
    reason, second = why
    refusal = plans.for_the_crew(live, ask, second) or _two(reason, second, ask)
    if refusal is None and live.announced is None:
        refusal = no("table.not_closed", "void")
    if refusal is None:
        planned = plans.voided(live, layout, (reason, (ask.actor, second)), ask, returned=returned)
        if isinstance(planned, Planned):
            return planned
        refusal = planned
    return refused(ask, refusal, None, void_asked(reason, second, returned=returned))


def is_void(entry: Entry, reason: str, second: str, *, returned: bool) -> bool:
    """Whether an entry answers whoever asks for this."""
    if entry.kind != "roll_voided":
        return bool(entry.body.get("asked") == void_asked(reason, second, returned=returned))
    body, said = entry.body, (reason, [entry.actor, second], returned)
    return (body["reason"], body["people"], body.get("returned")) == said


def correct_asked(reverses: int, reason: str, second: str) -> dict[str, Any]:
    """What a refusal keeps of whoever would have an entry reversed."""
    return {"correct": {"reverses": reverses, "reason": reason, "second": second}}


def is_correction(entry: Entry, reverses: int, reason: str, second: str) -> bool:
    """Whether an entry answers whoever asks for this."""
    if entry.kind != "corrected":
        return bool(entry.body.get("asked") == correct_asked(reverses, reason, second))
    body = entry.body
    return (body["reverses"], body["reason"], body["people"]) == (reverses, reason, [entry.actor, second])


def corrected(live: Live, layout: Layout, wrong: Entry | None, why: tuple[int, str, str], ask: Ask) -> Planned:
    """An entry reversed: the last roll struck out, or chips that were bought given back to the cage."""
    reverses, reason, second = why
    refusal = plans.for_the_crew(live, ask, second) or _two(reason, second, ask)
    if refusal is None and live.announced is not None:
        refusal = no("table.bets_closed", "correct")
    if refusal is None and wrong is not None and live.paid and wrong.sequence == live.last_roll:
        refusal = no("table.correction", "paid")
    if refusal is None and wrong is not None and wrong.sequence not in live.reversed:
        body = {"reverses": wrong.sequence, "reason": reason, "people": [ask.actor, second], "command": None}
        if wrong.sequence == live.last_roll:
            command = c.StrikeOut(reason)
            answer, then = plans.answer_of(layout, live.table, command)
            if not isinstance(answer, Refusal):
                return happened("corrected", {**body, "command": to_data(command)}, answer, ask, then)
            refusal = answer
        else:
            events = _reversed(live, wrong)
            if events:
                return happened("corrected", body, events, ask)
    missing = no("table.correction", "last")
    return refused(ask, refusal or missing, None, correct_asked(reverses, reason, second))


def _reversed(live: Live, wrong: Entry) -> tuple[Event, ...]:
    """The chips of a buy-in go back, if they are still on the rail and nobody has taken them back before."""
    if wrong.kind != "acted":
        return ()
    for event in events_of(wrong):
        if isinstance(event, PlayerSat | ChipsBought):
            amount = event.buyin if isinstance(event, PlayerSat) else event.amount
            seat = live.table.seats.get(event.seat)
            theirs = live.sat.get(event.seat, 0) <= wrong.sequence
            if seat is not None and not seat.away and theirs and 0 < amount <= seat.rail:
                return (ChipsBought(event.seat, -amount),)
    return ()


def _two(reason: str, second: str, ask: Ask) -> Refusal | None:
    if folded(second) in ("", folded(ask.actor)):
        return no("table.two_people", "decide")
    if not is_said(reason):
        return no("table.two_people", "reason")
    return None
