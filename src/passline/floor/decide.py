"""One question, one answer: a command of the floor becomes events, with what they do to the game, or a refusal."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from passline.floor import commands as f
from passline.floor import limits, staff
from passline.floor.asking import Ask

if TYPE_CHECKING:
    from passline.engine.layout import Layout
    from passline.engine.table import TableState
    from passline.floor.asking import FloorAnswer, Officer
    from passline.floor.commands import FloorCommand
    from passline.floor.state import Floor


def decide(layout: Layout, floor: Floor, table: TableState, command: FloorCommand, by: Officer) -> FloorAnswer:
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
        case _:
            assert_never(command)
