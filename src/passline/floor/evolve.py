"""Events of the floor become the next floor: the only place where it changes by its own acts."""

from __future__ import annotations

from collections.abc import Iterable

from passline.floor import events as e
from passline.floor.events import FloorEvent
from passline.floor.excluding import everywhere
from passline.floor.names import folded
from passline.floor.promotions.evolve import evolve as register
from passline.floor.state import EVERY_WAGER, ClosingSign, Dispute, Floor, LimitsSign, PlayerLimits, Report, Voucher
from passline.floor.watch import apart, without


def evolve(floor: Floor, events: Iterable[FloorEvent]) -> Floor:
    """The floor after these things happened on it."""
    for event in events:
        floor = _after(floor, event)
    return floor


def _after(floor: Floor, event: FloorEvent) -> Floor:  # noqa: C901 - one case an event
    match event:
        case e.CameOnDuty():
            return floor._replace(duty={**floor.duty, folded(event.person): event.title})
        case e.WentOffDuty():
            return floor._replace(duty=without(floor.duty, folded(event.person)))
        case e.LimitsSigned():
            return floor._replace(limits_sign=LimitsSign(event.notice, event.at, event.since))
        case e.LimitsChanged():
            return floor if event.sign_stands else floor._replace(limits_sign=None)
        case e.PlayerLimitsSigned():
            own = {event.seat: PlayerLimits(event.minimum, event.maximum)}
            return floor._replace(player_limits={**floor.player_limits, **own})
        case e.PlayerLimitsLifted():
            return floor._replace(player_limits=without(floor.player_limits, event.seat))
        case e.PartnersLinked():
            return floor._replace(partners=(*floor.partners, event.seats))
        case e.PartnersUnlinked():
            return floor._replace(partners=apart(floor.partners, event.seat))
        case e.WagerRefused():
            refused = (*floor.refused.get(event.seat, ()), event.wager or EVERY_WAGER)
            return floor._replace(refused={**floor.refused, event.seat: refused})
        case e.WagerAllowed():
            left = tuple(each for each in floor.refused[event.seat] if each != (event.wager or EVERY_WAGER))
            return floor._replace(refused={**floor.refused, event.seat: left})
        case e.ClosingSigned():
            return floor._replace(closing_sign=ClosingSign(event.at, event.since))
        case e.InspectorTold():
            return floor._replace(inspector_told=event.inspector)
        case e.ClosingOrdered():
            return floor._replace(closing_sign=None, inspector_told="")
        case e.PlacesCounted():
            return floor._replace(places=event.places)
        case e.DiceInspected():
            return floor._replace(dice_failed=not event.passed)
        case e.VoucherIssued():
            issued = {event.voucher: Voucher(event.value, event.conditions, event.by)}
            return floor._replace(vouchers={**floor.vouchers, **issued})
        case e.VoucherChanged():
            changed = {event.voucher: floor.vouchers[event.voucher]._replace(changed=True)}
            return floor._replace(vouchers={**floor.vouchers, **changed})
        case e.PersonExcluded():
            return floor._replace(barred={**floor.barred, folded(event.person): event.clause})
        case e.PersonReadmitted():
            return floor._replace(barred=without(floor.barred, folded(event.person)))
        case e.ConductReported() | e.SanctionImposed() | e.HandedOver():
            return _conduct(floor, event)
        case e.DisputeRaised() | e.DisputeDecided() | e.ReviewAsked() | e.DisputeReviewed() | e.ComplainantTold():
            return floor._replace(disputes={**floor.disputes, event.dispute: _dispute(floor, event)})
        case e.OutcomeInvalidated() | e.SeatVacated() | e.RulesShown():
            return floor  # what they do is done to the game, or to nothing
        case _:
            return floor._replace(promotions=register(floor.promotions, event))


def _conduct(floor: Floor, event: e.ConductReported | e.SanctionImposed | e.HandedOver) -> Floor:
    """Reports, and what is done about them."""
    if isinstance(event, e.ConductReported):
        report = Report(event.person, event.breach)
    else:
        report = floor.reports[event.report]._replace(held=False)
    if isinstance(event, e.SanctionImposed):
        report = report._replace(held=event.measure == "detain")
        floor = evolve(floor, everywhere((event,)))
    return floor._replace(reports={**floor.reports, event.report: report})


def _dispute(
    floor: Floor, event: e.DisputeRaised | e.DisputeDecided | e.ReviewAsked | e.DisputeReviewed | e.ComplainantTold
) -> Dispute:
    """A dispute after one more step."""
    if isinstance(event, e.DisputeRaised):
        return Dispute(event.person, event.covered, event.promotion)
    dispute = floor.disputes[event.dispute]
    match event:
        case e.DisputeDecided():
            return dispute._replace(stands="decided", decided_by=folded(event.by), rank=event.rank)
        case e.ReviewAsked():
            return dispute._replace(stands="review asked for")
        case e.DisputeReviewed():
            return dispute._replace(stands="reviewed")
        case e.ComplainantTold():
            return dispute._replace(told=True)
