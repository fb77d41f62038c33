"""Evenings typed by somebody who says anything: answered in words, kept as a record of the same chips."""

from __future__ import annotations

from io import StringIO
from typing import TYPE_CHECKING

from passline.house import House
from passline.rulebooks.read import built_in
from passline.sitting.sitting import Sitting
from passline.sitting.words import KNOWN
from passline.table import replay
from passline.terminal.run import farewell, play

if TYPE_CHECKING:
    from random import Random

NUMBERS = (
    "0",
    "1",
    "5",
    "10",
    "15",
    "30",
    "2.50",
    "1.234",
    "-5",
    "1e9",
    "9" * 30,
    "9" * 5000,
    "4-2",
    "3-3",
    "0-7",
    "½",
)
ODD = ("", "#", "\x1b[2J", "[/b]", "by", "dealer,box", "tokens=5", "all", "on", "Zoë", "\u202e", "'", "x" * 3000)


def mutant(rng: Random) -> str:
    """One evening at one of the houses."""
    an_evening(House(rng.choice(built_in())), rng, lines=25)
    return "played"


def an_evening(house: House, rng: Random, lines: int) -> None:
    """Say so many lines at a table of this house; then leave, and see that the record says what happened."""
    sitting = Sitting.open(house, others=rng.randrange(4), seed=str(rng.random()), typed=rng.random() < 0.3)
    keys = [*house.spots, "no_such_wager"]
    said = [_line(rng, keys, sitting.layout.line[0]) for _ in range(lines)]
    out = StringIO()
    play(sitting, [*said, rng.choice(("quit", "leave"))], out)
    out.write("\n".join(farewell(sitting)))
    assert out.getvalue().replace("\n", "").isprintable()
    if house.source in built_in():
        again = replay(sitting.text())
        assert again.state == sitting.state
        assert again.record() == sitting.table.record()


def _line(rng: Random, keys: list[str], line_bet: str) -> str:
    """What somebody might say."""
    kind = rng.randrange(10)
    if kind < 3:
        return "roll" if rng.random() < 0.7 else f"roll {rng.choice(NUMBERS)}"
    if kind < 5:
        return f"bet {line_bet} {rng.choice(NUMBERS)}"
    if kind < 8:
        return f"{rng.choice(('bet', 'bet', 'take', 'off', 'on', 'odds'))} {rng.choice(keys)} {rng.choice(NUMBERS)}"
    words = (*KNOWN, *NUMBERS, *ODD, *keys)
    return " ".join(rng.choice(words) for _ in range(rng.randrange(1, 6)))
