"""What the floor has to say of an act of the game before the engine is asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from passline.engine import commands as c

if TYPE_CHECKING:
    from passline.engine.commands import Command
    from passline.engine.table import TableState
    from passline.floor.state import Floor


def seen(floor: Floor, table: TableState, command: Command) -> TableState:
    """The table as whoever bets sees it: with their own limits on the sign, where they have some."""
    if not isinstance(command, c.Bet | c.LateBet | c.FindBet | c.Take):
        return table
    own = floor.player_limits.get(command.seat)
    if own is None:
        return table
    return table._replace(notice=table.notice._replace(minimum=own.minimum, maximum=own.maximum, props_minimum=None))
