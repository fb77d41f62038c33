"""What the stick calls over the dice."""

from __future__ import annotations

from passline.engine.events import DiceThrown
from passline.engine.layout import Layout
from passline.engine.values import SEVEN, Roll
from passline.engine.verdicts import Wins

CALLS = {
    2: "Two, craps, aces",
    3: "Three, craps, ace-deuce",
    4: "Four, easy four",
    5: "Five, no field five",
    6: "Six, easy six",
    7: "Seven",
    8: "Eight, easy eight",
    9: "Nine, centre field",
    10: "Ten, easy ten",
    11: "Yo-leven",
    12: "Twelve, craps, boxcars",
}
HARD_CALLS = {4: "Four, hard four", 6: "Six, hard six", 8: "Eight, hard eight", 10: "Ten, hard ten"}
"""What a stickperson calls over each total."""


def call(layout: Layout, event: DiceThrown) -> str:
    """The stick's call of one roll: the dice in the stick's own words, and what they do to the line."""
    hard = event.first == event.second
    words = (HARD_CALLS.get(event.total) if hard else None) or CALLS[event.total]
    if event.come_only:
        return words
    if event.puck:
        if event.total == event.puck:
            return f"{words}; point made, pay the line"
        return f"{words} out, line away" if event.total == SEVEN else words
    if event.total in layout.book.points.value:
        return f"{words}; mark the {event.total}"
    return f"{words}, front line winner" if _line_wins(layout, event) else words


def _line_wins(layout: Layout, event: DiceThrown) -> bool:
    """Whether a come-out roll pays those who bet with the shooter."""
    roll = Roll(event.first, event.second)
    lines = (layout.spots[key] for key in layout.line if not layout.spots[key].is_dont)
    return any(isinstance(line.verdict(0, 0, roll, works=True), Wins) for line in lines)
