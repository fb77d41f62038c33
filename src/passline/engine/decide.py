"""One question, one answer: a command becomes events, or a refusal."""

from collections.abc import Callable, Mapping
from typing import Any

from passline.engine import betting, seating, shooting, throwing
from passline.engine import commands as c
from passline.engine.commands import Command
from passline.engine.events import WagerUp
from passline.engine.layout import Accepted, Layout
from passline.engine.refusals import Answer, Events, Refused
from passline.engine.settle import has_buttons
from passline.engine.table import TableState


def decide(layout: Layout, table: TableState, command: Command) -> Answer:
    try:
        return RULES[type(command)](layout, table, command)
    except Refused as error:
        return error.refusal


def _bet(layout: Layout, table: TableState, command: c.Bet) -> Events:
    """Accepts a bet that was accepted before in the same situation without checking it again."""
    seat, spot = table.seats.get(command.seat), layout.spots.get(command.wager)
    if seat is None or spot is None or command.tender != "chips" or command.tokens:
        return betting.bet(layout, table, command)
    if not table.puck and seat.felt and has_buttons(seat):  # a new bet might have to join its kind
        return betting.bet(layout, table, command)
    felt, bets = seat.felt, layout.memory.bets
    key = (
        (id(table.notice), command.seat, seat.name, command.wager, command.amount, seat.dont_banned, seat.away),
        (table.puck, table.phase, table.fresh_hand, table.after_seven, table.rolled, table.closing),
        (felt.get(command.wager), felt.get(spot.flat)),
    )
    accepted = bets.get(key)
    if accepted is not None and accepted.costs <= seat.rail:
        return accepted.answer
    (up,) = betting.bet(layout, table, command)
    assert isinstance(up, WagerUp), "a bet in chips puts a wager up"
    bets[key] = Accepted(table.notice, up.added + up.commission, (up,))
    return (up,)


# Who answers what.
RULES: Mapping[type[Command], Callable[[Layout, TableState, Any], Events]] = {
    c.Throw: throwing.throw,
    c.Bet: _bet,
    c.Take: betting.take,
    c.Sit: seating.sit,
    c.BuyIn: seating.buy_in,
    c.TakeTokens: seating.take_tokens,
    c.Leave: seating.leave,
    c.LateBet: betting.late_bet,
    c.FindBet: betting.find_bet,
    c.CallOn: betting.call_on,
    c.CallOff: betting.call_off,
    c.Shoot: shooting.shoot,
    c.Decline: shooting.decline,
    c.PassDice: shooting.pass_dice,
    c.OrderPass: shooting.order_pass,
    c.ChooseDice: shooting.choose_dice,
    c.LoseDie: throwing.lose_die,
    c.SendDice: throwing.send_dice,
    c.WatchThrow: throwing.watch_throw,
    c.CallNoRoll: throwing.call_no_roll,
    c.CockedDie: throwing.cocked_die,
    c.DisputeFace: throwing.dispute_face,
    c.RuleFace: throwing.rule_face,
    c.StrikeOut: seating.strike_out,
    c.ReturnAll: seating.return_all,
    c.PostNotice: seating.post_notice,
    c.CloseTable: seating.close_table,
}
