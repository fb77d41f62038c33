"""One question, one answer: a command becomes events, or a refusal."""

from __future__ import annotations

from typing import assert_never

from passline.engine import betting, calling, floor, shooting, taking, throwing
from passline.engine import commands as c
from passline.engine.commands import Command
from passline.engine.layout import Layout
from passline.engine.refusals import Answer
from passline.engine.table import TableState


def decide(layout: Layout, table: TableState, command: Command) -> Answer:  # noqa: C901 - one case a command
    """What happens when somebody asks this at this table; what is asked most often stands first."""
    match command:
        case c.Throw():
            return throwing.throw(layout, table, command)
        case c.Bet():
            return betting.bet(layout, table, command)
        case c.Take():
            return taking.take(layout, table, command)
        case c.Sit():
            return floor.sit(layout, table, command)
        case c.BuyIn():
            return floor.buy_in(layout, table, command)
        case c.TakeTokens():
            return floor.take_tokens(layout, table, command)
        case c.Leave():
            return floor.leave(layout, table, command)
        case c.LateBet():
            return betting.late_bet(layout, table, command)
        case c.FindBet():
            return betting.find_bet(layout, table, command)
        case c.CallOn():
            return calling.call_on(layout, table, command)
        case c.CallOff():
            return calling.call_off(layout, table, command)
        case c.Shoot():
            return shooting.shoot(layout, table, command)
        case c.Decline():
            return shooting.decline(layout, table, command)
        case c.PassDice():
            return shooting.pass_dice(layout, table, command)
        case c.OrderPass():
            return shooting.order_pass(layout, table, command)
        case c.ChooseDice():
            return shooting.choose_dice(layout, table, command)
        case c.LoseDie():
            return throwing.lose_die(layout, table, command)
        case c.SendDice():
            return throwing.send_dice(layout, table, command)
        case c.WatchThrow():
            return throwing.watch_throw(layout, table, command)
        case c.CallNoRoll():
            return throwing.call_no_roll(layout, table, command)
        case c.CockedDie():
            return throwing.cocked_die(layout, table, command)
        case c.DisputeFace():
            return throwing.dispute_face(layout, table, command)
        case c.RuleFace():
            return throwing.rule_face(layout, table, command)
        case c.StrikeOut():
            return floor.strike_out(layout, table, command)
        case c.ReturnAll():
            return floor.return_all(layout, table, command)
        case c.PostNotice():
            return floor.post_notice(layout, table, command)
        case c.CloseTable():
            return floor.close_table(layout, table, command)
        case _:
            assert_never(command)
