"""The stick: what dealers everywhere call, what it does to the line, and how the house's country spells it."""

from __future__ import annotations

import pytest

from passline.engine import events as e
from passline.engine.events import DiceThrown
from passline.engine.values import ROLLS
from passline.house import House
from passline.table import Table
from passline.telling.sentences import say
from passline.telling.stick import call, word_of

HOUSES = ["adelaide", "crapless", "exhibit-a", "fire-bonus", "strip", "sydney"]


def called(house: str, first: int, second: int, puck: int = 0, *, come: bool = False) -> str:
    thrown = DiceThrown(first=first, second=second, total=first + second, thrower=1, puck=puck)
    return call(House(house).layout, thrown, come=come)


@pytest.mark.parametrize(
    ("house", "dice", "puck", "says"),
    [
        ("strip", (2, 1), 0, "Three craps, ace-deuce, line away, pay the don'ts"),
        ("strip", (6, 6), 0, "Twelve craps, boxcars, line away, bar the twelve"),
        ("sydney", (6, 6), 0, "Twelve craps, boxcars, line away, pay the don'ts"),
        ("sydney", (1, 1), 0, "Two, snake eyes, line away, bar the aces"),
        ("strip", (4, 3), 0, "Winner seven, front line winner, take the don'ts"),
        ("strip", (4, 3), 6, "Seven out, line away, pay the don'ts"),
        ("strip", (6, 1), 6, "Six-ace, end of the race, seven out, line away, pay the don'ts"),
        ("strip", (4, 2), 6, "Six easy, winner! Pay the line"),
        ("crapless", (1, 1), 0, "Two, aces, mark two"),
        ("crapless", (6, 5), 0, "Yo-leven, mark it"),
        ("strip", (6, 6), 6, "Twelve, boxcars, triple the field"),
        ("sydney", (6, 6), 6, "Twelve, boxcars, double the field"),
        ("strip", (6, 3), 0, "Nine, center field, mark it"),
        ("sydney", (6, 3), 0, "Nine, centre field, mark it"),
    ],
)
def test_the_stick_calls_the_number_and_the_lines_fate(house: str, dice: tuple[int, int], puck: int, says: str) -> None:
    assert called(house, *dice, puck) == says


def test_come_bets_are_called_only_where_some_wait() -> None:
    assert called("strip", 6, 5, 6, come=True).endswith("pay the come")
    assert "come" not in called("strip", 6, 5, 6)
    assert called("strip", 4, 3, 6, come=True).endswith("last come gets some")


def test_a_come_bet_that_has_moved_is_no_reason_to_call_the_come() -> None:
    """`Pay the come` is for chips in the come box: on a number they wait for that number."""
    table = Table.at("strip | puck=8 shooter=1 | 1 Ann 500 come_6=15")
    before = table.state
    table.roll(6, 5)
    (thrown,) = [event for event in table.events if isinstance(event, e.DiceThrown)]
    assert "come" not in say(table.house.layout, before, thrown)
    again = Table.at("strip | puck=8 shooter=1 | 1 Ann 500 come=15")
    assert "pay the come" in say(again.house.layout, again.state, thrown)


@pytest.mark.parametrize("house", HOUSES)
def test_every_come_out_says_what_becomes_of_the_line(house: str) -> None:
    """No come-out roll is called by its number alone, and a call is said the same each time."""
    for roll in ROLLS:
        said = called(house, roll.first, roll.second)
        assert any(word in said for word in ("mark", "winner", "line away")), said
        assert said == called(house, roll.first, roll.second)
        for puck in (0, 4, 6, 9):
            assert word_of(roll.total).removeprefix("e") in called(house, roll.first, roll.second, puck).lower()


def test_calls_vary() -> None:
    assert len({called("strip", roll.first, roll.second, puck) for roll in ROLLS for puck in (0, 4, 5, 6, 8)}) > 45


# --- The clauses that a reader would point at -----------------------------------------------------------------------


@pytest.mark.parametrize("house", HOUSES)
def test_a_bet_that_moves_and_a_puck_that_goes_off_are_explained_by_their_own_clauses(house: str) -> None:
    """A come bet travels by a clause about Come; the puck goes off by one that wins or loses the line."""
    table = Table(house)
    table.sit(1, "Ann", 1000)
    table.bet(1, "pass", 15)
    table.roll(4, 2)
    table.bet(1, "come", 15)
    table.roll(5, 3)
    (travelled,) = [event for event in table.events if isinstance(event, e.WagerTravelled)]
    assert "come" in table.house.clause(travelled.clause).sentence.lower()
    for dice, word in (((3, 3), "win"), ((4, 3), "lose")):
        again = Table.at(table.position)
        again.roll(*dice)
        (turned,) = [event for event in again.events if isinstance(event, e.PuckTurned)]
        assert word in again.house.clause(turned.clause).sentence.lower()
