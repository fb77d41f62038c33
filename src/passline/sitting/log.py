"""What is said over the table: each event as the crew tells it, with its tone, for screens and for plain lines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from passline.engine import events as e
from passline.telling.sentences import say

if TYPE_CHECKING:
    from passline.engine.events import Event
    from passline.engine.layout import Layout
    from passline.table import Moment

Tone = Literal["call", "win", "lose", "mine", "other", "no", "table"]
"""What a line of the log is about, so that a screen can colour what the words already say."""

SETTLED = (e.WagerWon, e.WagerLost, e.WagerPushed, e.WagerReturned, e.WagerTravelled)
"""What a roll can do to a wager that a person may ask about."""

QUIET = (e.DiceSent,)
"""What nobody says aloud."""

CALLED = (e.DiceThrown, e.NoRollCalled, e.FaceDoubted, e.FaceRead, e.OutcomeStruckOut)
"""What everybody must hear."""

SHOWN = (e.PuckTurned, e.SevenOut, e.ShooterLost)
"""What the table shows as well."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the log."""

    text: str
    tone: Tone


class Log:
    """Everything said so far, as one person hears it."""

    def __init__(self, layout: Layout, me: int) -> None:
        self.layout = layout
        self.me = me
        """The seat of the person who listens."""
        self.entries: list[Entry] = []
        """Oldest first."""
        self.decided: dict[str, int] = {}
        """What the dice last took off the person's felt: each wager with its stake, a come bet as it started."""

    def hear(self, moment: Moment) -> None:
        """Tell what came of an act; refusals are told where they are made."""
        gone: dict[str, int] = {}
        for event in moment.events:
            if isinstance(event, SETTLED) and event.seat == self.me and not getattr(event, "stays", False):
                spot = self.layout.spots[event.wager]
                gone[spot.family if spot.has_travelled else spot.key] = event.stake
            if not isinstance(event, QUIET) and not (isinstance(event, e.WagerTallied) and event.seat != self.me):
                self.note(say(self.layout, moment.before, event, self.me), self._tone(event))
        self.decided = gone or self.decided

    def note(self, text: str, tone: Tone) -> None:
        """Write a line down."""
        self.entries.append(Entry(text, tone))

    def _tone(self, event: Event) -> Tone:
        mine = getattr(event, "seat", None) == self.me
        match event:
            case _ if isinstance(event, CALLED):
                return "call"
            case e.WagerWon() if mine:
                return "win"
            case e.WagerLost() if mine:
                return "lose"
            case _ if isinstance(event, SHOWN):
                return "table"
            case _:
                return "mine" if mine else "other"
