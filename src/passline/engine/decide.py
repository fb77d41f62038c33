"""One question, one answer: a command becomes events, or a refusal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from passline.engine import betting, calling, commands, floor, shooting, taking, throwing

if TYPE_CHECKING:
    from collections.abc import Callable

    from passline.engine.commands import Command
    from passline.engine.events import Event
    from passline.engine.layout import Layout
    from passline.engine.refusals import Refusal
    from passline.engine.table import TableState

ANSWERS: dict[type, Callable[[Layout, TableState, Any], tuple[Event, ...] | Refusal]] = {
    commands.Sit: floor.sit,
    commands.BuyIn: floor.buy_in,
    commands.TakeTokens: floor.take_tokens,
    commands.Leave: floor.leave,
    commands.Bet: betting.bet,
    commands.LateBet: betting.late_bet,
    commands.FindBet: betting.find_bet,
    commands.Take: taking.take,
    commands.CallOn: calling.call_on,
    commands.CallOff: calling.call_off,
    commands.Shoot: shooting.shoot,
    commands.Decline: shooting.decline,
    commands.PassDice: shooting.pass_dice,
    commands.OrderPass: shooting.order_pass,
    commands.ChooseDice: shooting.choose_dice,
    commands.LoseDie: throwing.lose_die,
    commands.SendDice: throwing.send_dice,
    commands.Throw: throwing.throw,
    commands.WatchThrow: throwing.watch_throw,
    commands.CallNoRoll: throwing.call_no_roll,
    commands.CockedDie: throwing.cocked_die,
    commands.DisputeFace: throwing.dispute_face,
    commands.RuleFace: throwing.rule_face,
    commands.StrikeOut: floor.strike_out,
    commands.ReturnAll: floor.return_all,
    commands.PostNotice: floor.post_notice,
    commands.CloseTable: floor.close_table,
}


def decide(layout: Layout, table: TableState, command: Command) -> tuple[Event, ...] | Refusal:
    """What happens when somebody asks this at this table."""
    return ANSWERS[command.__class__](layout, table, command)
