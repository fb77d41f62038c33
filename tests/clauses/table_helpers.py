"""What every clause test says: open a game, play lines of a record, look at chips, events and refusals.

A test reads like this:

    table = game("adelaide", "min=1", seats=2)          # seats 1 and 2, with 10 000 each
    play(table, "bet pass 10", "2 bet field 5")         # a line without a seat is seat 1's
    assert refused(table, "bet come 10").code == "bet.window"
    assert only(play(table, "roll 6-5"), WagerWon, wager="pass").clause == "adelaide:6(c).pass"

    assert net("adelaide", "roll 4-4", "bet place_6 12", "roll 4-2") == 14
"""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import pytest

from passline.engine import commands as c
from passline.engine.events import Event, WagerLost, WagerPushed, WagerReturned, WagerWon
from passline.engine.refusals import Refusal
from passline.engine.values import CENTS
from passline.house import House
from passline.record.acts import SEAT_VERBS, read_act
from passline.record.line import Words
from passline.rulebooks.catalogue import house_files
from passline.table import Table

if TYPE_CHECKING:
    from collections.abc import Iterable

    from _pytest.mark import ParameterSet

    from passline.files.amounts import Money

E = TypeVar("E")

AnyHouse = House | str | Path
"""A house, the id of one, or the path of a house file."""

Events = tuple[Event, ...]
"""What came of an act."""

Amount = Fraction | int
"""Money, which is exact."""

BUY_IN = 10_000
"""What everybody sits down with."""

PLAYER, SHOOTER = 1, 2
"""In `net`: whose money is counted, and who plays the line so that the dice are thrown."""

THROWS = tuple(f"{first}-{second}" for first in range(1, 7) for second in range(1, 7))
"""All 36 throws, as a record writes them."""

THROWN = c.SendDice | c.Throw | c.WatchThrow | c.CockedDie | c.DisputeFace


@cache
def opened(house: str) -> House:
    """A house that comes with the program, opened once: its felt is the same for every test."""
    return House(house)


def game(
    house: AnyHouse, notice: str = "min=1", *, chips: Iterable[Money] | None = None, seats: int | Iterable[int] = 1
) -> Table:
    """A table with players at so many seats, or at these seats."""
    table = Table(opened(house) if isinstance(house, str) else house, notice=notice, chips=chips)
    for seat in range(1, seats + 1) if isinstance(seats, int) else seats:
        table.sit(seat, f"Player{seat}", BUY_IN)
    return table


def play(table: Table, *lines: str) -> Events:
    """Play lines of a record, all of which must be accepted; the events of the last one."""
    events: Events = ()
    for line in lines:
        answer = table.do(command(table, line))
        assert not isinstance(answer, Refusal), f"{line}: {answer}\nat: {table.position}"
        events = answer
    return events


def refused(table: Table, *lines: str) -> Refusal:
    """Play lines of a record, the last of which must be refused and change nothing."""
    *before, last = lines
    play(table, *before)
    then = table.state
    answer = table.do(command(table, last))
    assert isinstance(answer, Refusal), f"{last}: accepted, {answer}\nat: {table.position}"
    assert table.state == then
    return answer


def hears(house: AnyHouse, before: Iterable[str], line: str) -> bool:
    """Whether a line is accepted at a table of two after others that must be."""
    table = game(house, seats=2)
    play(table, *before)
    return not isinstance(table.do(command(table, line)), Refusal)


def command(table: Table, line: str) -> c.Command:
    """One line of a record as a command; a player's line without a seat is seat 1's."""
    seated = line if line.split(maxsplit=1)[0] not in SEAT_VERBS else f"{PLAYER} {line}"
    return read_act(Words.of(1, seated), table.house.book, table.state.notice)


def dealt(
    house: AnyHouse, *lines: str, notice: str = "min=1", chips: Iterable[Money] | None = None
) -> tuple[Table, Events]:
    """A table after these lines, all accepted, and the events of the last one; the wagers are seat 1's.

    Seat 2 bets the line whenever nobody has, so that every wager can be thrown for.
    """
    table = game(house, notice, chips=chips, seats=(PLAYER, SHOOTER))
    events: Events = ()
    for line in lines:
        if isinstance(command(table, line), THROWN) and table.puck is None and not _line_is_bet(table):
            table.bet(SHOOTER, "pass", Fraction(table.state.notice.minimum, CENTS))
        events = play(table, line)
    return table, events


def net(house: AnyHouse, *lines: str, notice: str = "min=1", chips: Iterable[Money] | None = None) -> Amount:
    """What seat 1 is up by after these lines, dealt as in `dealt`; what is still up counts at face value."""
    table, _ = dealt(house, *lines, notice=notice, chips=chips)
    return gain(table)


def _line_is_bet(table: Table) -> bool:
    return any(key in seat.felt for seat in table.state.seats.values() for key in table.house.layout.line)


def up(table: Table, seat: int = PLAYER) -> dict[str, Amount]:
    """What a seat has on the felt, by wager."""
    return dict(table.up(seat))


def rail(table: Table, seat: int = PLAYER) -> Amount:
    """A seat's own chips."""
    return table.rail(seat)


def gain(table: Table, seat: int = PLAYER) -> Amount:
    """Rail and what is up, less the buy-in."""
    return table.rail(seat) + sum(table.up(seat).values()) - BUY_IN


def every(events: Events, kind: type[E], **fields: object) -> list[E]:
    """The events of one kind, in order, with these fields."""
    return [
        event
        for event in events
        if isinstance(event, kind) and all(getattr(event, name) == value for name, value in fields.items())
    ]


def only(events: Events, kind: type[E], **fields: object) -> E:
    """The one event of a kind, with these fields."""
    found = every(events, kind, **fields)
    assert len(found) == 1, f"{len(found)} of {kind.__name__} {fields} in {events}"
    return found[0]


def ruling(events: Events, wager: str, seat: int = PLAYER) -> str:
    """The clause by which a roll decided a wager: what makes it win, lose, stand off or go back."""
    (event,) = (
        event
        for event in events
        if isinstance(event, WagerWon | WagerLost | WagerPushed | WagerReturned)
        and (event.seat, event.wager) == (seat, wager)
    )
    return event.rule if isinstance(event, WagerWon) else event.clause


def total(throw: str) -> int:
    """The total of a throw as a record writes it."""
    return sum(map(int, throw.split("-")))


def case(clause: str, *values: object) -> ParameterSet:
    """One case of a parametrised test that proves one clause; the test gets the clause's id first."""
    return pytest.param(clause, *values, marks=pytest.mark.clause(clause))


def altered(house: str, folder: Path, old: str, new: str) -> Path:
    """A copy of a house file in which one value reads differently; `old` may be spaced as it likes."""
    text = house_files()[house].read_text(encoding="utf-8")
    pattern = r"\s+".join(map(re.escape, old.split()))
    assert len(re.findall(pattern, text)) == 1, f"{old!r} is not in the file once"
    path = folder / f"{house}.toml"
    path.write_text(re.sub(pattern, lambda _: new, text), encoding="utf-8")
    return path
