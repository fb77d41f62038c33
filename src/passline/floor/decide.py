"""One question, one answer: a command of the floor becomes events, with what they do to the game, or a refusal."""

from __future__ import annotations

from passline.engine.layout import Layout
from passline.engine.table import TableState
from passline.floor import closing, conduct, disputes, excluding, limits, service, staff, voiding, wagers
from passline.floor import commands as f
from passline.floor.asking import Ask, FloorAnswer, Officer
from passline.floor.commands import FloorCommand
from passline.floor.promotions.decide import decide as promoting
from passline.floor.state import Floor


def decide(  # noqa: C901 - one case a command
    layout: Layout, floor: Floor, table: TableState, command: FloorCommand, by: Officer
) -> FloorAnswer:
    """What happens when this officer asks this at this table."""
    ask = Ask(layout, floor, table, by)
    match command:
        case f.ComeOnDuty():
            return staff.come_on_duty(ask, command)
        case f.GoOffDuty():
            return staff.go_off_duty(ask, command)
        case f.SignLimits():
            return limits.sign_limits(ask, command)
        case f.ChangeLimits():
            return limits.change_limits(ask, command)
        case f.SignPlayerLimits():
            return limits.sign_player_limits(ask, command)
        case f.LiftPlayerLimits():
            return limits.lift_player_limits(ask, command)
        case f.LinkPartners():
            return wagers.link_partners(ask, command)
        case f.UnlinkPartners():
            return wagers.unlink_partners(ask, command)
        case f.RefuseWager():
            return wagers.refuse_wager(ask, command)
        case f.AllowWager():
            return wagers.allow_wager(ask, command)
        case f.Invalidate():
            return voiding.invalidate(ask, command)
        case f.SignClosing():
            return closing.sign_closing(ask, command)
        case f.TellInspector():
            return closing.tell_inspector(ask, command)
        case f.Close():
            return closing.close(ask, command)
        case f.CountPlaces():
            return closing.count_places(ask, command)
        case f.VacateSeat():
            return closing.vacate_seat(ask, command)
        case f.RaiseDispute():
            return disputes.raise_dispute(ask, command)
        case f.DecideDispute():
            return disputes.decide_dispute(ask, command)
        case f.AskReview():
            return disputes.ask_review(ask, command)
        case f.ReviewDispute():
            return disputes.review_dispute(ask, command)
        case f.SayDissatisfied():
            return disputes.say_dissatisfied(ask, command)
        case f.ReportConduct():
            return conduct.report_conduct(ask, command)
        case f.Sanction():
            return conduct.sanction(ask, command)
        case f.HandOver():
            return conduct.hand_over(ask, command)
        case f.Exclude():
            return excluding.exclude(ask, command)
        case f.ExcludeOneself():
            return excluding.exclude_oneself(ask, command)
        case f.Readmit():
            return excluding.readmit(ask, command)
        case f.IssueVoucher():
            return service.issue_voucher(ask, command)
        case f.ChangeVoucher():
            return service.change_voucher(ask, command)
        case f.AskForRules():
            return service.ask_for_rules(ask, command)
        case f.InspectDice():
            return service.inspect_dice(ask, command)
        case _:
            return promoting(ask, command)
