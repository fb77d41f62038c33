"""Tables with a history, made fast: many acts in one transaction, each decided as a live table decides."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from passline.engine import commands as c
from passline.engine.refusals import Refusal
from passline.engine.values import Roll
from passline.live.answer import answer
from passline.live.requests import request
from passline.live.state import State, evolved
from passline.pit.table import LiveTable
from tests.pit.play import KEYS, NOW, by

if TYPE_CHECKING:
    from passline.journal.contract import Journal
    from passline.live.drafts import Planned

SEATS = 12
AT_ONCE = 200
"""How many acts are written together."""


def long_evening(journal: Journal, name: str, events: int, seed: int) -> LiveTable:
    """A table with given dice at which at least so many events have happened."""
    table = LiveTable.create(journal, name, time=NOW, dice="given", keys=KEYS)
    play_long(table, events, seed)
    return table


def play_long(table: LiveTable, events: int, seed: int) -> None:
    """Have at least so many events happen at a new table."""
    rng = random.Random(seed)
    for seat in range(1, SEATS + 1):
        table.do(c.Sit(seat, f"P{seat}", 10**12), by(f"player-{seat}", f"sit-{seat}"))
    number = happened = 0
    while happened < events:
        planned: list[Planned] = []
        live = table.live
        while len(planned) < AT_ONCE:
            number += 1
            command: c.Command = c.Throw(Roll(rng.randint(1, 6), rng.randint(1, 6)))
            if number % (SEATS + 1):
                wager = rng.choice(("pass", "field", "place_6", "place_8", "hard_8", "any_seven"))
                command = c.Bet(number % (SEATS + 1), wager, 1200)
            answered = answer(State("t", table.layout, live), request(by("box", f"n-{number}", role="box"), command))
            assert not isinstance(answered, Refusal), answered
            [each] = answered
            # The numbers of rolls are counted by the entries; the table by its events.
            rolls = live.rolls + (each.draft.kind == "rolled")
            live = live._replace(table=evolved(live.table, each.events), rolls=rolls)
            happened += len(each.events)
            planned.append(each)
        table._append(planned)
