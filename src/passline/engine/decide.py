"""One question, one answer: a command becomes events, or a refusal."""

from __future__ import annotations

from typing import assert_never

from passline.engine import betting, seating, shooting, taking, throwing
from passline.engine import commands as c
from passline.engine.commands import Command
from passline.engine.events import WagerUp
from passline.engine.layout import Layout
from passline.engine.memory import Accepted
from passline.engine.refusals import Answer, Refusal
from passline.engine.settle import has_buttons
from passline.engine.table import TableState


def decide(layout: Layout, table: TableState, command: Command) -> Answer:  # noqa: C901 - one case a command
    """What happens when somebody asks this at this table; what is asked most often stands first."""
    match command:
        case c.Throw():
            return throwing.throw(layout, table, command)
        case c.Bet():
            return _bet(layout, table, command)
        case c.Take():
            return taking.take(layout, table, command)
        case c.Sit():
            return seating.sit(layout, table, command)
        case c.BuyIn():
            return seating.buy_in(layout, table, command)
        case c.TakeTokens():
            return seating.take_tokens(layout, table, command)
        case c.Leave():
            return seating.leave(layout, table, command)
        case c.LateBet():
            return betting.late_bet(layout, table, command)
        case c.FindBet():
            return betting.find_bet(layout, table, command)
        case c.CallOn():
            return taking.call_on(layout, table, command)
        case c.CallOff():
            return taking.call_off(layout, table, command)
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
            return seating.strike_out(layout, table, command)
        case c.ReturnAll():
            return seating.return_all(layout, table, command)
        case c.PostNotice():
            return seating.post_notice(layout, table, command)
        case c.CloseTable():
            return seating.close_table(layout, table, command)
        case _:
            assert_never(command)


def _bet(layout: Layout, table: TableState, command: c.Bet) -> Answer:
    """What was taken before is taken again without looking everything up."""
    seat, spot = table.seats.get(command.seat), layout.spots.get(command.wager)
    if seat is None or spot is None or command.tender != "chips" or command.tokens:
        return betting.bet(layout, table, command)
    if not table.puck and seat.felt and has_buttons(seat):  # a new bet might have to join its kind
        return betting.bet(layout, table, command)
    felt, bets = seat.felt, layout.memory.bets
    key = (
        id(table.notice),
        command.seat,
        seat.name,
        command.wager,
        command.amount,
        felt.get(command.wager),
        felt.get(spot.flat),
        table.puck,
        table.phase,
        table.fresh_hand,
        table.after_seven,
        table.rolled,
        table.closing,
        seat.dont_banned,
        seat.away,
    )
    accepted = bets.get(key)
    if accepted is not None and accepted.costs <= seat.rail:
        return accepted.answer
    answer = betting.bet(layout, table, command)
    if not isinstance(answer, Refusal):
        (up,) = answer
        assert isinstance(up, WagerUp), "a bet in chips puts a wager up"
        bets[key] = Accepted(table.notice, up.added + up.commission, (up,))
    return answer
