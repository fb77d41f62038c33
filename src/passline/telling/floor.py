"""What is said on the floor: every event of it as a sentence, said to somebody."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from passline.engine.layout import Layout
from passline.engine.table import TableState
from passline.floor import events as e
from passline.floor.events import FloorEvent
from passline.telling.card import sign
from passline.telling.promotions import say_promotion


def say_floor(layout: Layout, table: TableState, event: FloorEvent, to: int | None = None) -> str:
    """One event of the floor as a sentence, said to the player at seat `to`."""
    told = _sentence(Listener(layout, table, to), event)
    return told[:1].upper() + told[1:]


class Listener:
    """Who hears it, and the words of the house for who and how much."""

    def __init__(self, layout: Layout, table: TableState, to: int | None) -> None:
        """Somebody at a seat of this table, or nobody in particular."""
        self.layout, self.table, self.to = layout, table, to

    def who(self, seat: int) -> str:
        """A player: you, their name, or the seat's number."""
        if seat == self.to:
            return "you"
        return self.table.seats[seat].name if seat in self.table.seats else f"seat {seat}"

    def whose(self, seat: int) -> str:
        """What belongs to a player."""
        return "your" if seat == self.to else f"{self.who(seat)}'s"

    def verb(self, seat: int, verb: str) -> str:
        """What a player does: you *bet*, Ann *bets*."""
        return verb if seat == self.to else f"{verb}s"

    def all(self, seats: Iterable[int]) -> str:
        return " and ".join(map(self.who, seats))

    def name(self, wager: str) -> str:
        """The house's name for a wager."""
        return self.layout.spots[wager].name

    def names(self, wagers: Iterable[str]) -> str:
        """The house's names for several."""
        return ", ".join(map(self.name, wagers))

    def money(self, amount: int) -> str:
        return self.layout.money(amount)


def clock(time: str) -> str:
    """A time as a sign at a table shows it: hours and minutes, with the day for who is not there today."""
    return f"{time[11:16]} on {time[:10]} (UTC)"


def _sentence(by: Listener, event: FloorEvent) -> str:  # noqa: C901 - one case an event
    """How each event is told; the first letter is still small."""
    match event:
        case e.CameOnDuty():
            return f"{event.person} is on duty as {event.title}."
        case e.WentOffDuty():
            return f"{event.person} is off duty."
        case e.LimitsSigned():
            return f"a sign is up: {sign(by.layout, event.notice)} from {clock(event.at)}."
        case e.LimitsChanged():
            return f"{event.by} changes the limits; wagers that are up stand."
        case e.PlayerLimitsSigned():
            limits = f"from {by.money(event.minimum)} to {by.money(event.maximum)}"
            return f"{by.who(event.seat)} may bet {limits}, by a sign for {by.whose(event.seat)} place alone."
        case e.PlayerLimitsLifted():
            return f"the table's limits hold for {by.who(event.seat)} again."
        case e.PartnersLinked():
            return f"{by.all(event.seats)} bet together and have one maximum between them: {event.reason}."
        case e.PartnersUnlinked():
            return f"{by.who(event.seat)} {by.verb(event.seat, 'bet')} alone again."
        case e.WagerRefused():
            what = "wagers are" if event.wager is None else f"{by.name(event.wager)} is"
            runs = f"; what stays until it is decided runs on: {by.names(event.runs_on)}" if event.runs_on else ""
            return f"{by.whose(event.seat)} {what} refused by {event.by}: {event.reason}{runs}."
        case e.WagerAllowed():
            what = "wagers are" if event.wager is None else f"{by.name(event.wager)} is"
            return f"{by.whose(event.seat)} {what} taken again."
        case e.OutcomeInvalidated():
            whose = f" by {event.person}" if event.person else ""
            lost = f"; {by.all(event.forfeits)} forfeit what was on it" if event.forfeits else ""
            return f"{event.by} declares the last outcome void: {event.cause}{whose}{lost}."
        case e.ClosingSigned():
            return f"a sign is up: this table closes at {clock(event.at)}."
        case e.InspectorTold():
            return f"{event.inspector} has been told that this table closes."
        case e.ClosingOrdered():
            return f"{event.by} closes the table: {event.reason}."
        case e.PlacesCounted():
            return f"this table has {event.places} places."
        case e.SeatVacated():
            return f"{by.who(event.seat)} {by.verb(event.seat, 'give')} up the place: {event.reason}."
        case e.PersonExcluded():
            return f"{event.person} may not play at any table of the house: {event.reason}."
        case e.PersonReadmitted():
            return f"{event.person} may play again: {event.reason}."
        case e.RulesShown():
            return f"{event.person} is shown the rules."
        case e.DiceInspected():
            found = "are fit to be thrown" if event.passed else "are too small and leave the table"
            return f"the dice {found}: the smallest face measures {event.smallest} tenths of a millimetre."
        case e.VoucherIssued():
            return f"voucher {event.voucher} is issued for {by.money(event.value)}."
        case e.VoucherChanged():
            return f"voucher {event.voucher} becomes {by.money(event.value)} in tokens for {by.who(event.seat)}."
        case e.DisputeRaised() | e.DisputeDecided() | e.ReviewAsked() | e.DisputeReviewed() | e.ComplainantTold():
            return _dispute(event)
        case e.ConductReported() | e.SanctionImposed() | e.HandedOver():
            return _conduct(event)
        case _:
            return say_promotion(by.money, event)


def _dispute(
    event: e.DisputeRaised | e.DisputeDecided | e.ReviewAsked | e.DisputeReviewed | e.ComplainantTold,
) -> str:
    """How a dispute goes on."""
    match event:
        case e.DisputeRaised():
            return f"dispute {event.dispute}: {event.person} does not accept this: {event.about}."
        case e.DisputeDecided():
            return f"dispute {event.dispute} is decided by {event.by}: {event.decision}."
        case e.ReviewAsked():
            return f"dispute {event.dispute} is to be looked at again."
        case e.DisputeReviewed():
            return f"dispute {event.dispute}, looked at again by {event.by}, ends here: {event.decision}."
        case e.ComplainantTold():
            return f"{event.person} is told: {event.told}."


def _conduct(event: e.ConductReported | e.SanctionImposed | e.HandedOver) -> str:
    """How a report goes on."""
    match event:
        case e.ConductReported():
            return f"report {event.report}: {event.person}, {event.breach}: {event.details}."
        case e.SanctionImposed():
            under = f" under {event.under}" if event.under else ""
            return f"{event.by} decides on {event.person}: {DONE.get(event.measure, event.measure)}{under}."
        case e.HandedOver():
            return f"{event.official} ({event.to}) takes over from {event.by}."


DONE = {
    "void wagers": "all that is up is void and goes back",
    "bar": "no further part in this game",
    "exclude": "no entry to the casino",
    "detain": "held until an official takes over",
}
"""What a sanction comes to."""


def readings_differ(readings: Iterable[Mapping[str, Any]]) -> str:
    """What two people read of one roll, and that it counts as neither."""
    read = " and ".join(f"{each['actor']} read {'-'.join(map(str, each['dice']))}" for each in readings)
    return f"{read}. The roll is held: look at the dice again, and both read them anew."
