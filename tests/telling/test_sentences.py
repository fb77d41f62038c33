"""Sentences are said to somebody: of Ann to Bob, and to Ann's face; the same in a replay as at the table."""

from __future__ import annotations

import inspect
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import get_args

import pytest

from passline.engine.events import Event, PlayerLeft, WagerUp
from passline.engine.refusals import Refusal
from passline.engine.values import Cited
from passline.house import House
from passline.table import Table, replay
from passline.telling import sentences
from passline.telling.names import as_spoken, commission_text, key_of, spoken

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.craps"))


def a_game(name: str = "Ann") -> Table:
    """A short evening in which every turn of phrase is needed."""
    table = Table("adelaide", notice="min=5")
    table.sit(1, name, 500)
    table.sit(2, "Bob", 100)
    table.bet(1, "pass", 10)
    table.bet(2, "pass", 10)
    table.shoot(1)
    table.roll(4, 4)
    table.bet(1, "come", 10)
    table.bet(1, "buy_4", 20)
    table.call(1, "buy_4", "off")
    table.bet(2, "field", 5)
    table.roll(3, 3)
    table.take(1, "buy_4")
    table.roll(3, 4)
    table.leave(1)
    return table


TOLD_TO_ANN = """\
You sit at seat 1 with 500.
Bob sits at seat 2 with 100.
You bet 10 on Pass Bet.
Bob bets 10 on Pass Bet.
You take the dice.
You throw 4-4: Eight the hard way, mark it.
The puck is on 8.
You bet 10 on Come Bet.
You bet 20 on Buy Bet to Win 4 and pay 1 commission.
Your Buy Bet to Win 4 is off.
Bob bets 5 on Field Bet.
"""


def told(table: Table, to: int | None) -> list[str]:
    """Everything that happened, in sentences."""
    return [table.say(event, to) for event in table.events]


def test_a_player_is_spoken_to() -> None:
    """You bet, your ten travels, you are out; Bob is spoken of."""
    sentences = told(a_game(), 1)
    assert sentences[:11] == TOLD_TO_ANN.splitlines()
    for sentence in (
        "Your 10 come bet moves to the 6.",
        "Bob loses 5 on Field Bet.",
        "You take 20 off Buy Bet to Win 4 with 1 commission.",
        "You lose 10 on Pass Bet.",
        "Seven out for you; new shooter coming out.",
        "You leave with 480.",
    ):
        assert sentence in sentences


def test_to_anybody_else_a_player_has_a_name() -> None:
    """Even one who has left: the crew speaks over the table as it stood."""
    sentences = told(a_game(), 2)
    assert "Ann bets 20 on Buy Bet to Win 4 and pays 1 commission." in sentences
    assert "Ann's 10 come bet moves to the 6." in sentences
    assert "You lose 5 on Field Bet." in sentences
    assert sentences[-1] == "Ann leaves with 480."
    assert told(a_game(), None)[-1] == "Ann leaves with 480."


def test_who_gave_no_name_is_you_to_everybody() -> None:
    """One's own evening, played again, is told as it was heard."""
    assert told(replay(a_game("You").record()), None) == told(a_game(), 1)


@pytest.mark.parametrize(
    ("to", "ann", "told"),
    [
        (1, "Ann", "You have left; the wagers there run on."),
        (2, "Ann", "Ann has left; the wagers there run on."),
        (None, "Ann", "Ann has left; the wagers there run on."),
        (None, "You", "You have left; the wagers there run on."),
    ],
)
def test_a_refusal_is_said_to_somebody_too(to: int | None, ann: str, told: str) -> None:
    """By name, or to their face; nobody hears of seats, or that *you has*."""
    table = Table("adelaide")
    table.sit(1, ann, 100)
    table.bet(1, "place_6", 12)
    table.leave(1)
    refused = table.bet(1, "place_6", 12)
    assert isinstance(refused, Refusal)
    assert table.say(refused, to) == told
    assert table.explain(refused, to).startswith(told)


@pytest.mark.slow
def test_the_command_tells_it_so_too() -> None:
    """`replay` names who leaves and says *you* to You."""
    for name, to in (("Ann", None), ("You", 1)):
        table = a_game(name)
        ran = subprocess.run(
            [sys.executable, "-m", "passline", "replay", "-"],
            input=table.record(),
            capture_output=True,
            text=True,
            check=True,
        )
        assert ran.stdout.splitlines()[: len(table.events)] == told(a_game(), to)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_every_example_can_be_told_to_everybody(path: Path) -> None:
    """Each bet is made by name, and to the bettor's face."""
    table = replay(path)
    bets = [event for event in table.events if isinstance(event, WagerUp)]
    assert bets
    for bet in bets:
        assert table.say(bet, bet.seat).startswith("You bet ")
        assert " bets " in table.say(bet)
    for left in (event for event in table.events if isinstance(event, PlayerLeft)):
        assert not table.say(left).startswith("Seat ")


@pytest.mark.parametrize(
    ("house", "key", "says"),
    [
        ("sydney", "hard_4", "Hard 4"),
        ("fire-bonus", "horn_high_3", "Horn high 3"),
        ("exhibit-a", "come_odds_8", "odds on Come Bet 8"),
        ("exhibit-a", "eleven", "Yo"),
        ("strip", "come_odds_4", "Odds (Come) 4"),
        ("adelaide", "place_6", "Place Bet 6 to Win"),
    ],
)
def test_a_title_of_a_rule_book_is_said_as_players_say_it(house: str, key: str, says: str) -> None:
    assert spoken(House(house).layout, key) == says


def test_a_refusal_calls_a_bet_what_players_call_it() -> None:
    """A title of a rule book is longer than the line above the chips of a phone."""
    layout = House("exhibit-a").layout
    title = layout.spots["dont_pass_odds"].name
    assert as_spoken(layout, f"{title} stands behind Don't Pass Bet.").startswith("Odds on Don't Pass Bet stands")
    assert as_spoken(layout, "No bet: the dice are out.") == "No bet: the dice are out."


def test_every_event_is_told() -> None:
    """By a sentence of the table, or by a case of its own."""
    cases = inspect.getsource(sentences._sentence)
    assert not [
        kind for kind in get_args(Event) if kind not in sentences.SENTENCES and f"case e.{kind.__name__}()" not in cases
    ]


def test_a_commission_of_half_a_percent_is_said_exactly() -> None:
    """Neither rounded on the felt nor a fraction on the card: one sentence for both."""
    charge = House("strip").layout.spots["buy_4"].rule.commission
    assert charge is not None
    half = replace(charge, rate=Cited(Fraction(1, 40), charge.rate.clause))
    assert commission_text(half) == f"2.5% of the {charge.of.value}, {charge.when.value}"


@pytest.mark.parametrize(
    ("house", "words", "key"),
    [
        ("strip", "Don\u2019t Pass", "dont_pass"),
        ("strip", "pass line", "pass"),
        ("crapless", "Pass Line", "pass"),
        ("adelaide", "dont pass", "dont_pass"),
        ("strip", "odds (pass line)", "pass_odds"),
        ("adelaide", "yo", "eleven"),
        ("strip", "6", None),
    ],
)
def test_a_name_is_its_own_spots_before_it_is_a_part_of_anothers(house: str, words: str, key: str | None) -> None:
    """`Pass Line` was once nobody's, since `Odds (Pass Line)` ends with it."""
    assert key_of(House(house).layout, words) == key
