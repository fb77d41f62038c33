"""Machine and engine agree on strategies that nobody would play."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from passline.errors import UnboundedStrategyError
from passline.house import House
from passline.machine.build import build
from passline.machine.play import Player, Setting
from passline.machine.terms import Seating
from passline.strategies.language.read import make
from passline.strategies.player.plan import booked
from tests.machine.test_build import agree

WAGERS = (
    *("pass", "dont_pass", "come", "dont_come", "pass_odds", "dont_pass_odds", "come_odds", "dont_come_odds"),
    *("place_6", "place_9", "hard_8", "field", "any_seven", "horn", "horn_high_2", "buy_4", "lay_5", "lay_10"),
    *("big_6", "place_lose_8", "eleven", "craps_2", "world"),
)
ODDS = ("max", "3-4-5", "2x", "to_win(1x)", "least(3-4-5, max)", "1x / 3")
PLAIN = (1, 6, "3/2", "ladder", "ladder * 5/3", "ladder + 1")
CONDITIONS = (
    *("always", "puck on", "puck off", "come_points < 2", "dont_come_points < 2", "hits(6) > 1", "wins(field) = 1"),
    *(
        "hand_rolls < 3",
        "last = 7",
        "not up(pass)",
        "hand_points >= 1",
        "bets(come) < 2",
        "odd in (1, 3)",
        "open(field)",
    ),
)


@st.composite
def wants(draw: st.DrawFn, house: str) -> dict[str, Any]:
    """One want that this house books."""
    here = [wager for wager in WAGERS if wager in booked(House(house).layout)]
    chosen = draw(st.lists(st.sampled_from(here), min_size=1, max_size=3, unique=True))
    up = {wager: draw(st.sampled_from(ODDS if "odds" in wager else PLAIN)) for wager in chosen}
    when = draw(st.lists(st.sampled_from(CONDITIONS), min_size=1, max_size=2, unique=True))
    want: dict[str, Any] = {"when": " and ".join(when), "up": up}
    if draw(st.booleans()):
        want["skip"] = "point"
    for word in ("down", "on", "off"):
        if draw(st.integers(0, 5)) == 0:
            want[word] = [draw(st.sampled_from(here))]
    return want


@st.composite
def tables(draw: st.DrawFn) -> tuple[str, dict[str, Any]]:
    """A house and a strategy for it."""
    house = draw(st.sampled_from(["adelaide", "crapless", "exhibit-a", "fire-bonus", "strip", "sydney"]))
    moves = st.sampled_from(["next", "hold", "back", "back 2", "start over"])
    ladder = {
        "of": draw(st.sampled_from(["field", "pass", "place"])),
        "steps": draw(st.lists(st.sampled_from([1, 2, "5/2", 4]), min_size=1, max_size=4)),
        "won": draw(moves),
        "lost": draw(moves),
        "end": draw(st.sampled_from(["hold", "start over"])),
    }
    return house, {
        "name": "any",
        "description": "any",
        "want": draw(st.lists(wants(house), min_size=1, max_size=4)),
        "count": {"odd": {"when": "rolled in (3, 5, 9, 11) or won(field)", "reset": "point made"}},
        "progression": {"ladder": ladder},
    }


@pytest.mark.slow
@settings(max_examples=25)
@given(tables(), st.integers(0, 2**32))
def test_machine_and_engine_agree_on_anything(drawn: tuple[str, dict[str, Any]], seed: int) -> None:
    """Whatever a strategy asks for, and whatever of it is refused."""
    house, said = drawn
    book, strategy = House(house).book, make(said)
    try:
        machine = build(strategy, Seating(House("x", book=book), 1), states_max=1500)
    except UnboundedStrategyError:
        return
    agree(machine, Player(Setting(strategy, Seating(House("x", book=book), 1))), 150, seed)
