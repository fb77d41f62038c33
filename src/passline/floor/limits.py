"""The limits of a table by sign, and those of one player alone."""

from __future__ import annotations

from passline.engine import commands as c
from passline.engine.refusals import Refusal
from passline.engine.table import Notice
from passline.floor.asking import Acted, Ask, FloorAnswer
from passline.floor.clock import MINUTE, elapsed, instant, is_time
from passline.floor.commands import ChangeLimits, LiftPlayerLimits, SignLimits, SignPlayerLimits
from passline.floor.events import LimitsChanged, LimitsSigned, PlayerLimitsLifted, PlayerLimitsSigned
from passline.floor.refusals import no


def sign_limits(ask: Ask, command: SignLimits) -> FloorAnswer:
    """A supervisor says ahead what the limits will be and from when."""
    clause = ask.rules.min_raise_notice_minutes.clause
    refused = ask.supervisors_only(clause)
    if refused:
        return refused
    if not is_time(command.at) or instant(command.at) < instant(ask.now):
        return no("floor.time", f"A sign names a time to come, and {command.at} is none.", clause)
    return Acted((LimitsSigned(command.notice, command.at, ask.now, ask.by.name, clause),))


def change_limits(ask: Ask, command: ChangeLimits) -> FloorAnswer:
    """The limits change; the engine asks how long a higher minimum has been up on a sign."""
    sign, clause = ask.floor.limits_sign, ask.rules.min_raise_notice_minutes.clause
    refused = ask.supervisors_only(clause)
    if refused:
        return refused
    minutes, announced = 0, sign is not None and _minimums(sign.notice) == _minimums(command.notice)
    if sign is not None and announced:
        if instant(ask.now) < instant(sign.at):
            return no("floor.not_due", f"The sign says that this holds from {sign.at}.", clause)
        minutes = elapsed(sign.since, ask.now) // MINUTE
    game = ask.play(c.PostNotice(command.notice, minutes))
    if isinstance(game, Refusal):
        return game
    # What leaves the minimum alone has nothing to do with a sign that announces another.
    stands = sign is not None and not announced and _minimums(command.notice) == _minimums(ask.table.notice)
    return Acted((LimitsChanged(ask.by.name, clause, stands),), game)


def _minimums(notice: Notice) -> tuple[object, ...]:
    """What a sign says of the least that may be bet."""
    return notice.minimum, notice.props_minimum, notice.side and notice.side[0]


def sign_player_limits(ask: Ask, command: SignPlayerLimits) -> FloorAnswer:
    """A supervisor lets one player bet by limits of their own, which stand on a sign; the odds multiple stays."""
    clause, seat = ask.rules.player_limits, ask.seat(command.seat)
    if isinstance(seat, Refusal):
        return seat
    refused = ask.supervisors_only(clause)
    if refused:
        return refused
    if not 0 < command.minimum <= command.maximum:
        return no("floor.amount", "A player's minimum is more than nothing and at most the maximum.", clause)
    limits = command.minimum, command.maximum
    return Acted((PlayerLimitsSigned(command.seat, *limits, ask.by.name, clause),))


def lift_player_limits(ask: Ask, command: LiftPlayerLimits) -> FloorAnswer:
    """The sign of a player's own limits is taken away; what is up stands."""
    clause = ask.rules.player_limits
    if command.seat not in ask.floor.player_limits:
        return no("floor.seat", f"Seat {command.seat} has no limits of its own.", clause, command.seat)
    refused = ask.supervisors_only(clause)
    return refused or Acted((PlayerLimitsLifted(command.seat, ask.by.name, clause),))
