"""The float of a table, decided by the floor alone: both sides of every limit."""

from __future__ import annotations

import pytest

from passline.engine.refusals import Refusal
from passline.floor.acts import Acted, FloorCommand, Officer
from passline.floor.cage import ColourUp, CountFloat, CreditFloat, FillFloat, FloatCounted
from passline.floor.register import decide, evolve
from passline.floor.state import Floor
from passline.house import House
from passline.table import Table

LAYOUT = House("sydney").layout


def played() -> Table:
    """Ann has bought 100.00, and lost 5.00 of them to the bank."""
    table = Table("sydney")
    table.sit(1, "Ann", 100)
    table.bet(1, "pass", 5)
    table.roll(1, 1)
    return table


TABLE = played().state


def after(floor: Floor, act: FloorCommand, role: str = "box") -> Floor | str:
    """The floor after an act, or the code of its refusal."""
    answer = decide(LAYOUT, floor, TABLE, act, Officer("Bo", role, "2026-11-15T20:00:00Z"))
    return answer.code if isinstance(answer, Refusal) else evolve(floor, answer.events)


def counted() -> Floor:
    """A float of 1,000.00 at the opening."""
    floor = after(Floor(), CountFloat("opening", {10_000: 10}, "Sue"))
    assert isinstance(floor, Floor)
    return floor


@pytest.mark.parametrize(
    ("act", "code"),
    [
        (CountFloat("shift", {100: 1}, "Sue"), ""),
        (CountFloat("shift", {-100: 1}, "Sue"), "floor.count"),
        (FillFloat({100: 1}, "Sue"), ""),
        (FillFloat({100: 0}, "Sue"), "floor.count"),
        (FillFloat({-100: 1}, "Sue"), "floor.count"),
        (CreditFloat({10_000: 10}, "Sue"), ""),  # all that is there
        (CreditFloat({10_000: 10, 1: 1}, "Sue"), "floor.count"),
        (ColourUp(1, {500: 19}, {9_500: 1}), ""),  # all that Ann has
        (ColourUp(1, {1: 1}, {1: 1}), ""),  # the least there is
        (ColourUp(1, {500: 20}, {10_000: 1}), "floor.count"),
        (ColourUp(1, {500: 2}, {500: 1}), "floor.count"),
        (ColourUp(1, {}, {}), "floor.count"),
        (ColourUp(1, {-500: 1}, {500: 1}), "floor.count"),
        (ColourUp(1, {500: 1}, {-500: 1}), "floor.count"),
        (ColourUp(2, {500: 1}, {500: 1}), "floor.seat"),
    ],
)
def test_at_the_float(act: FloorCommand, code: str) -> None:
    """Nothing comes or goes that nobody can count, and nothing before the first count."""
    floor = after(counted(), act)
    assert (floor if isinstance(floor, str) else "") == code
    if isinstance(act, CountFloat | FillFloat | CreditFloat):
        assert after(Floor(), act) == "floor.count"
    if isinstance(act, CountFloat | ColourUp):
        assert after(counted(), act, "dealer") == "floor.role"


def test_of_what_is_up_tokens_are_no_chips_of_the_float() -> None:
    """A bet of 15.00, of which 10.00 are tokens, has 5.00 of the float on the felt."""
    table = played()
    assert table.tokens(1, 10, by="dealer")
    assert table.bet(1, "pass", 15, tokens=10)
    by = Officer("Bo", "box", "2026-11-15T20:00:00Z")
    answer = decide(LAYOUT, Floor(), table.state, CountFloat("opening", {10_000: 10}, "Sue"), by)
    assert isinstance(answer, Acted)
    (event,) = answer.events
    assert isinstance(event, FloatCounted)
    assert event.up == 500


def test_a_slip_has_its_number_and_moves_what_must_be_there() -> None:
    """Fills add, credits take away; the next count starts from what is there, and goes on numbering."""
    floor = after(counted(), FillFloat({10_000: 2}, "Sue"))
    assert isinstance(floor, Floor)
    floor = after(floor, CreditFloat({10_000: 1}, "Sue"))
    assert isinstance(floor, Floor)
    assert floor.bank is not None
    assert (floor.bank.book, floor.bank.slips, floor.bank.due(TABLE)) == (110_000, 2, 110_000)
    assert (TABLE.bought, TABLE.bank) == (10_000, 500)
    assert floor.bank.outside == 9_500, "what Ann bought less what the bank has won"
    floor = after(floor, CountFloat("closing", {10_000: 12}, "Sue"))
    assert isinstance(floor, Floor)
    assert floor.bank is not None
    assert (floor.bank.book, floor.bank.slips) == (120_000, 2)
