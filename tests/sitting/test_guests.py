"""Strategies as company: the same player in Python and as a file, at a person's table and after it was resumed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import pytest

from passline import LEAVE, Player, Table, View, Wants
from passline.engine.refusals import Refusal
from passline.engine.values import Roll
from passline.errors import CannotBeSeated
from passline.house import House
from passline.sitting.door import Setup, guests_of, sit_down
from passline.sitting.sitting import Sitting
from passline.strategies.player.follower import Guest
from passline.strategies.player.python import strategy_of
from tests.sitting.test_sitting import roll

if TYPE_CHECKING:
    from pathlib import Path

FILE = """
from passline import Player

class Doubling(Player):
    def start(self):
        self.stake = 1
    def wants(self, view):
        return {"field": self.stake}
    def after(self, outcome):
        if outcome.lost("field"):
            self.stake = 2 * self.stake if self.stake < 128 else 1
        elif outcome.won("field"):
            self.stake = 1
"""


class Hopeful(Player):
    """Asks for what no sign here allows, and goes home after three rolls."""

    def __init__(self) -> None:
        self.heard: list[str] = []

    def wants(self, view: View) -> Mapping[str, int] | Wants:
        self.heard += [no.refusal.code for no in view.refused]
        return LEAVE if view.rolls == 3 else {"field": 100_000}


def sitting_with(*guests: Guest, path: Path | None = None) -> Sitting:
    return Sitting.open(House("strip"), others=0, seed="7", buyin=1_000_000, guests=guests, path=path)


def chips(sitting: Sitting) -> dict[str, int]:
    """What everybody but the person has, by name."""
    seats = sitting.state.seats
    return {
        seat.name: seat.rail + sum(wager.stake for wager in seat.felt.values())
        for number, seat in seats.items()
        if number != sitting.me
    }


def rolls(sitting: Sitting, count: int) -> None:
    for _ in range(count):
        sitting.say("about 15 on pass")
        roll(sitting)


@pytest.fixture
def doubling(tmp_path: Path) -> str:
    """The field martingale as a file of Python."""
    path = tmp_path / "doubling.py"
    path.write_text(FILE)
    return f"{path}:Doubling"


def test_in_python_and_as_a_file_they_have_the_same_chips(doubling: str) -> None:
    """To the cent after every roll; and as `Table.run` plays it on the same dice."""
    sitting = sitting_with(*guests_of(["field_martingale", doubling]))
    table = Table("strip")
    table.sit(1, "You", 10_000)
    table.sit(2, "Ann", 1500)
    table.follow(2, strategy_of(doubling))
    seen = set()
    for _ in range(25):
        rolls(sitting, 1)
        now = chips(sitting)
        assert now["field_martingale"] == now["Doubling"]
        thrown = sitting.rolls[-1]
        table.bet(1, "pass", 15)
        assert table.run(1, [(thrown.first, thrown.second)]) == 1
        assert 100 * table.rail(2) + sum(100 * stake for stake in table.up(2).values()) == now["Doubling"]
        seen.add(now["Doubling"])
    assert len(seen) > 5


def test_a_resumed_evening_has_the_guest_where_it_was(doubling: str, tmp_path: Path) -> None:
    """It hears the record's rolls again; an evening that was never left goes the same way."""
    setup = Setup(house="strip", players=1, seed="9", buyin="5000", guests=(doubling,), save=tmp_path / "a.craps")
    through = sit_down(setup)
    rolls(through, 12)
    again = sit_down(Setup(resume=tmp_path / "a.craps", guests=(doubling,)))
    for sitting in (through, again):
        rolls(sitting, 6)
    assert chips(through) == chips(again)
    alone = sit_down(Setup(resume=tmp_path / "a.craps"))
    before = alone.state.seats[2].felt
    rolls(alone, 2)
    assert not alone.state.seats[2].felt, before


def test_what_it_is_refused_is_noted_once_and_it_may_leave() -> None:
    hopeful = Hopeful()
    sitting = sitting_with(guest := Guest(hopeful))
    rolls(sitting, 5)
    noted = [line.text for line in sitting.log if "refused" in line.text]
    assert noted == [noted[0]]
    assert "Hopeful is refused field: 1500000" in noted[0].replace(",", "")
    assert guest.seat is None
    assert guest.sat
    assert [seat.name for seat in sitting.state.seats.values()] == ["You"]
    assert not hopeful.heard, "an evening is played by a copy"


def test_a_roll_taken_back_is_taken_back_for_the_guest(doubling: str) -> None:
    """A mistyped field that lost, typed again as one that won, doubles nothing."""

    def typed(*faces: tuple[int, int], mistyped: bool) -> dict[str, int]:
        sitting = Sitting.open(House("strip"), others=0, seed="7", typed=True, guests=guests_of([doubling]))
        sitting.say("about 15 on pass")
        for place, (first, second) in enumerate(faces):
            assert not isinstance(sitting.send(), Refusal)
            if mistyped and place == 1:
                sitting.throw(Roll(2, 6))
                sitting.rested()
                assert sitting.undo() is not None
            sitting.throw(Roll(first, second))
            sitting.rested()
        return {wager: up.stake for wager, up in sitting.state.seats[2].felt.items()} | chips(sitting)

    once = typed((2, 3), (2, 1), (2, 3), mistyped=False)
    assert once == typed((2, 3), (2, 1), (2, 3), mistyped=True)
    assert once["field"] == 3000


def test_who_cannot_be_found_is_said_before_the_first_roll() -> None:
    with pytest.raises(CannotBeSeated, match=r"--with: .*no such strategy.*three_point_molly"):
        sit_down(Setup(house="strip", guests=("three_point_moly",)))
