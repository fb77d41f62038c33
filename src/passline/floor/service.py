"""What the floor does for players and with the dice: vouchers, the rules on request, a look at the dice."""

from __future__ import annotations

from typing import cast

from passline.engine import commands as c
from passline.engine.refusals import Refusal
from passline.engine.values import Role
from passline.floor.asking import Acted, Ask, FloorAnswer, unsaid
from passline.floor.closing import CREW
from passline.floor.commands import AskForRules, ChangeVoucher, InspectDice, IssueVoucher
from passline.floor.events import DiceInspected, RulesShown, VoucherChanged, VoucherIssued
from passline.floor.names import folded
from passline.floor.refusals import no


def issue_voucher(ask: Ask, command: IssueVoucher) -> FloorAnswer:
    """The house issues a voucher of a stated value, under a number of its own."""
    clause, tokens = ask.rules.vouchers, ask.book.betting.tokens
    if not tokens.value:
        return no("floor.no_rule", f"{ask.book.name} plays without tokens, and so without vouchers.", tokens.clause)
    refused = ask.supervisors_only(clause) or unsaid("the number of the voucher", command.voucher, clause)
    if refused:
        return refused
    if command.value <= 0 or command.voucher in ask.floor.vouchers:
        return no("floor.voucher", "A voucher has a number of its own and a value above nothing.", clause)
    said = (command.voucher, command.value, command.conditions, ask.by.name, clause)
    return Acted((VoucherIssued(*said),))


def change_voucher(ask: Ask, command: ChangeVoucher) -> FloorAnswer:
    """A voucher that the house issued becomes tokens of the same value, once, and by another person than issued it."""
    clause, voucher = ask.rules.vouchers, ask.floor.vouchers.get(command.voucher)
    if voucher is None or voucher.changed:
        return no("floor.voucher", "The house has issued no such voucher, or it has been changed.", clause)
    if folded(ask.by.name) == folded(voucher.by):
        return no("floor.voucher", "Whoever issued a voucher does not change it: another person does.", clause)
    game = ask.play(c.TakeTokens(command.seat, voucher.value, cast("Role", ask.by.role), command.flaw))
    if isinstance(game, Refusal):
        return game
    return Acted((VoucherChanged(command.voucher, command.seat, voucher.value, ask.by.name, clause),), game)


def ask_for_rules(ask: Ask, command: AskForRules) -> FloorAnswer:
    """Whoever asks is shown the rules."""
    refused = unsaid("who asks", command.person, ask.rules.rules_on_request)
    return refused or Acted((RulesShown(command.person, ask.rules.rules_on_request),))


def inspect_dice(ask: Ask, command: InspectDice) -> FloorAnswer:
    """One of the house measures the dice; those that are too small are not thrown."""
    least = ask.rules.die_face
    if least is None:
        return no("floor.no_rule", f"The book of {ask.book.name} gives no measure for dice.")
    refused = ask.only((*CREW, "inspector"), least.clause)
    if refused:
        return refused
    if not command.faces:
        return no("floor.unsaid", "Say how large the faces are.", least.clause)
    smallest = min(command.faces)
    return Acted((DiceInspected(smallest >= least.value, smallest, ask.by.name, least.clause),))
