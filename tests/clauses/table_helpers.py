"""What every clause test says: open a game, play lines of a record, look at chips, events and refusals.

    table = game("adelaide", "min=1", seats=2)          # seats 1 and 2, with 10 000 each
    play(table, "bet pass 10", "2 bet field 5")         # a line without a seat is seat 1's
    assert refused(play(table, "bet come 10")).code == "bet.window"
    assert only(play(table, "roll 6-5"), WagerWon, wager="pass").clause == "adelaide:6(c).pass"

    assert net("adelaide", "roll 4-4", "bet place_6 12", "roll 4-2") == 14
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING, TypeVar

from passline.engine import commands as c
from passline.engine.refusals import Refusal
from passline.house import House
from passline.record.acts import SEAT_VERBS, read_act
from passline.record.line import CENTS, Words
from passline.rulebooks.catalogue import house_files
from passline.table import Answer, Money, Table

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from passline.engine.events import Event

E = TypeVar("E")

BUY_IN = 10_000
"""What everybody sits down with."""

PLAYER, SHOOTER = 1, 2
"""In `net`: whose money is counted, and who plays the line so that the dice are thrown."""

THROWS = c.SendDice | c.Throw | c.WatchThrow | c.CockedDie | c.DisputeFace


def game(
    house: House | str | Path, notice: str = "min=1", *, chips: Iterable[Money] | None = None, seats: int | Iterable[int] = 1
) -> Table:
    """A table with players at so many seats, or at these seats."""
    table = Table(house, notice=notice, chips=chips)
    for seat in range(1, seats + 1) if isinstance(seats, int) else seats:
        accepted(table.sit(seat, f"Player{seat}", BUY_IN))
    return table


def play(table: Table, *lines: str) -> Answer:
    """Play lines of a record; all but the last must be accepted, and the last one's answer is given back."""
    answer: Answer = ()
    for number, line in enumerate(lines, 1):
        answer = table.do(command(table, line))
        assert number == len(lines) or not isinstance(answer, Refusal), f"{line}: {answer}"
    return answer


def command(table: Table, line: str) -> c.Command:
    """One line of a record as a command; a player's line without a seat is seat 1's."""
    seated = line if line.split()[0] not in SEAT_VERBS else f"{PLAYER} {line}"
    return read_act(Words.of(1, seated), table.house.book, table.state.notice)


def net(
    house: House | str | Path, *lines: str, notice: str = "min=1", chips: Iterable[Money] | None = None
) -> Fraction:
    """What seat 1 is up by after these lines, all accepted; what is still up counts at face value.

    Seat 2 bets the line whenever nobody has, so that every wager can be thrown for.
    """
    table = game(house, notice, chips=chips, seats=(PLAYER, SHOOTER))
    for line in lines:
        act = command(table, line)
        if isinstance(act, THROWS) and table.puck is None and not _line_is_bet(table):
            accepted(table.bet(SHOOTER, "pass", Fraction(table.state.notice.minimum, CENTS)))
        answer = table.do(act)
        assert not isinstance(answer, Refusal), f"{line}: {answer}"
    return gain(table)


def _line_is_bet(table: Table) -> bool:
    return any(key in seat.felt for seat in table.state.seats.values() for key in table.house.layout.line)


def gain(table: Table, seat: int = PLAYER) -> Fraction:
    """Rail and what is up, less the buy-in."""
    return table.rail(seat) + sum(table.up(seat).values()) - BUY_IN


def accepted(answer: Answer) -> tuple[Event, ...]:
    """The events of an act that must have been accepted."""
    assert not isinstance(answer, Refusal), answer
    return answer


def refused(answer: Answer) -> Refusal:
    """The refusal of an act that must have been refused."""
    assert isinstance(answer, Refusal), f"accepted: {answer}"
    return answer


def every(answer: Answer, kind: type[E], **fields: object) -> list[E]:
    """The events of one kind, in order, with these fields."""
    return [
        event
        for event in accepted(answer)
        if isinstance(event, kind) and all(getattr(event, name) == value for name, value in fields.items())
    ]


def only(answer: Answer, kind: type[E], **fields: object) -> E:
    """The one event of a kind, with these fields."""
    found = every(answer, kind, **fields)
    assert len(found) == 1, f"{len(found)} of {kind.__name__} {fields} in {answer}"
    return found[0]


def altered(house: str, folder: Path, old: str, new: str) -> Path:
    """A copy of a house file in which one value reads differently; `old` may be spaced as it likes."""
    text = house_files()[house].read_text(encoding="utf-8")
    pattern = r"\s+".join(map(re.escape, old.split()))
    assert len(re.findall(pattern, text)) == 1, f"{old!r} is not in the file once"
    path = folder / f"{house}.toml"
    path.write_text(re.sub(pattern, lambda _: new, text), encoding="utf-8")
    return path
