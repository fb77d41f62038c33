"""The public names are a list, and the list is what is there."""

from __future__ import annotations

import subprocess
import sys
import typing
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import passline
from passline import House, Refusal, Table, replay

if TYPE_CHECKING:
    from collections.abc import Callable

YES: Any = True
"""What Python takes for a number."""
PUBLIC = [
    "Comparison",
    "Distribution",
    "Hand",
    "House",
    "HouseFileError",
    "LEAVE",
    "LongRun",
    "Outcome",
    "PasslineError",
    "Player",
    "Price",
    "Question",
    "RecordError",
    "Refusal",
    "RefusedError",
    "Results",
    "Roll",
    "Sample",
    "Strategy",
    "StrategyFileError",
    "Table",
    "View",
    "WagerOdds",
    "Wants",
    "__version__",
    "ask",
    "best",
    "best_play",
    "best_use",
    "bootstrap",
    "charts",
    "compare",
    "controlled",
    "coupon",
    "dice_test",
    "dice_verdict",
    "events",
    "growth_of",
    "hand_of",
    "memoryless",
    "money_back",
    "odds_of",
    "par_of",
    "pit_day",
    "population",
    "price_of",
    "rare",
    "replay",
    "report",
    "rolls_to_see",
    "ruin_for_ever",
    "sensitivity",
    "stages_of",
    "statistics",
    "sweep",
    "theo_of",
    "versus",
]
TABLE = {
    "at",
    "bet",
    "buy_in",
    "call",
    "chips",
    "choose",
    "close",
    "cocked",
    "decline",
    "dice_out",
    "die",
    "dispute",
    "do",
    "events",
    "explain",
    "find",
    "follow",
    "history",
    "house",
    "invalidate",
    "late",
    "leave",
    "money",
    "no_roll",
    "notice",
    "offered",
    "opened",
    "order_pass",
    "pass_dice",
    "position",
    "post",
    "puck",
    "rail",
    "record",
    "refusals",
    "results",
    "return_all",
    "roll",
    "rule",
    "run",
    "say",
    "shoot",
    "shooter",
    "sit",
    "state",
    "take",
    "throw",
    "to_json",
    "tokens",
    "undo",
    "up",
    "would",
}


def test_the_public_names_are_these_and_no_others() -> None:
    """What we promise is written down, sorted, and importable."""
    assert sorted(PUBLIC) == PUBLIC
    assert sorted(passline.__all__) == PUBLIC
    for name in PUBLIC:
        assert getattr(passline, name) is not None
    assert set(PUBLIC) <= set(dir(passline))


def test_a_table_has_these_names_and_no_others() -> None:
    """The façade grows only on purpose."""
    assert {name for name in dir(Table("adelaide")) if not name.startswith("_")} == TABLE


def test_every_public_method_is_typed_and_explained() -> None:
    """A programmer can guess, and an editor can tell."""
    for name in TABLE:
        method = getattr(Table, name, None)
        if callable(method):
            assert method.__doc__, name
            hints = method.__annotations__
            assert "return" in hints, name


def test_importing_passline_imports_nothing_heavy() -> None:
    """`import passline` is quick because it waits to be asked."""
    code = "import sys, passline; print(*sorted({m.split('.')[0] for m in sys.modules}))"
    modules = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    heavy = {"pydantic", "numpy", "numba", "rich", "typer", "textual", "cryptography"}
    assert not heavy & set(modules)


ALONE = """
import sys
for name in ("numba", "llvmlite", "textual", "rich", "typer", "click", "polars", "matplotlib", "platformdirs",
             "cryptography", "psycopg"):
    sys.modules[name] = None
import passline
from passline import House, Table, replay
table = Table("sydney")
table.sit(1, "Ann", 100), table.bet(1, "pass", 10), table.roll(6, 5)
again = replay(table.record())
assert again.rail(1) == table.rail(1) == 110
assert table.say(table.events[-1]) and table.to_json()
from passline.machine.build import build
from passline.machine.terms import Seating, Terms
from passline.sim import simulate
from passline.strategies.language.read import load
machine = build(load("pass_flat"), Seating("sydney"))
result = simulate(machine, Terms(20), sessions=200, seed=7)
assert (result.backend, result.sessions) == ("numpy", 200)
"""


@pytest.mark.slow
def test_a_program_needs_neither_a_screen_nor_a_compiler() -> None:
    """Import, play, read a record and simulate with Numba, Textual, Rich, Typer and the analyst's packages blocked."""
    subprocess.run([sys.executable, "-c", ALONE], check=True)


def test_a_game_is_what_its_record_says() -> None:
    """Play, write, replay: the same events and the same chips."""
    table = Table(House("sydney"), notice="min=5")
    table.sit(1, "Ann", 100)
    assert isinstance(table.bet(1, "come", 10), Refusal)
    table.bet(1, "pass", 10)
    table.roll(4, 4)
    table.bet(1, "pass_odds", "20")
    table.roll(6, 2)
    again = replay(table.record())
    assert again.events == table.events
    assert again.refusals == table.refusals
    assert table.rail(1) == 134
    assert table.undo() is None


def test_calling_a_wager_off_and_on() -> None:
    """A wager called off rests; called on, it works again."""
    table = Table("adelaide")
    table.sit(1, "Ann", 100)
    table.bet(1, "pass", 10)
    table.bet(1, "place_6", 12)
    table.roll(4, 4)
    table.call(1, "place_6", "off")
    table.roll(4, 2)
    assert table.rail(1) == 78
    table.call(1, "place_6", "on")
    table.roll(4, 2)
    assert table.rail(1) == 92


def test_undo_takes_back_a_bet_but_never_a_roll() -> None:
    """A player may think better of it until the dice go out."""
    table = Table("adelaide")
    table.sit(1, "Ann", 100)
    table.bet(1, "pass", 10)
    table.bet(1, "field", 5)
    assert table.undo() is not None
    assert table.up(1) == {"pass": 10}
    table.dice_out()
    assert table.undo() is None


def test_a_table_goes_on_from_its_record() -> None:
    """Resuming gives the same chips, the same history, and a table that can be played on."""
    table = Table("adelaide", notice="min=5", chips=["0.50", 5])
    table.sit(1, "Ann", 100)
    table.bet(1, "pass", 10)
    table.roll(4, 4)
    again = replay(table.record())
    assert again.state == table.state
    assert again.record() == table.record()
    again.roll(4, 4)
    assert again.rail(1) == 110


def test_a_replay_is_a_table_that_goes_on() -> None:
    """Every act of a record is a moment of the table's history, and the next one follows."""
    table = replay("passline 1\nhouse strip\nsit 1 Ann 500\n1 bet pass 15\n1 bet come 15\nroll 4-4\n")
    assert [bool(moment.events) for moment in table.history] == [True, True, False, True]
    assert table.history[-1].before.puck == 0
    table.roll(4, 4)
    assert table.say(table.history[-1].events[1], to=1) == "Pass Line pays you 15 at 1 to 1; 15 still up."


@pytest.mark.parametrize(
    "ask",
    [
        lambda table: table.bet(YES, "pass", 10),
        lambda table: table.bet(1.0, "pass", 10),
        lambda table: table.bet("1", "pass", 10),
        lambda table: table.bet(1, "pass", 10.0),
        lambda table: table.bet(1, "pass", YES),
        lambda table: table.bet(1, "pass", np.float32(10)),
        lambda table: table.roll("1", "2"),
        lambda table: table.roll(1.5, 2),
        lambda table: table.call(1, "pass", "ON"),
        lambda table: table.sit(2, "Ann Lee", 10),
        lambda table: table.sit(2, "", 10),
        lambda table: table.sit(2, "#1", 10),
        lambda table: table.sit(2, "A\x1b[2J", 10),
        lambda table: table.no_roll("off-table # roll 3-4"),
        lambda table: table.bet(1, "pass", 10**5000),
        lambda table: table.bet(1, "pass", Fraction(1, 10**5000)),
        lambda table: table.bet(10**5000, "pass", 10),
        lambda table: table.roll(10**5000, 1),
    ],
)
def test_what_a_record_could_not_keep_is_stopped_at_the_door(ask: Callable[[Any], object]) -> None:
    """A caller's mistake is an error of Python's own and no act at the table."""
    table = a_table()
    before = table.record()
    with pytest.raises((TypeError, ValueError)):
        ask(table)
    assert table.record() == before


def test_numbers_of_numpy_are_numbers() -> None:
    """They count as what they say, whatever their width."""
    table = a_table()
    sit: Callable[..., object] = table.sit
    sit(np.int64(2), "Bob", np.uint8(200))
    assert table.rail(2) == 200
    assert type(table.state.seats[2].rail) is int
    assert replay(table.record()).state == table.state


def test_a_sentence_names_who_sat_there_then() -> None:
    """Two players lose the same bet at the same seat, one after the other."""
    table = Table("adelaide")
    for name in ("Ann", "Bob"):
        table.sit(1, name, 100)
        table.bet(1, "pass", 10)
        table.roll(4, 2)
        table.roll(4, 3)
        table.leave(1)
    told = [table.say(event) for event in table.events]
    half = len(told) // 2
    assert any("Ann" in sentence for sentence in told[1 : half - 1])
    assert [sentence.replace("Ann", "Bob") for sentence in told[:half]] == told[half:]
    assert not any("Bob" in sentence for sentence in told[:half])


def test_a_record_says_only_what_can_be_read() -> None:
    """Nonsense that was refused changed nothing and is not written down; any other refusal is."""
    table = a_table()
    assert isinstance(table.bet(1, "pass", -5), Refusal)
    assert isinstance(table.roll(0, 9), Refusal)
    assert isinstance(table.leave(0), Refusal)
    assert isinstance(table.bet(1, "come", 10), Refusal)
    table.no_roll("off-table\nroll 3-4")
    again = replay(table.record())
    assert again.state == table.state
    assert [refusal.code for refusal in again.refusals] == ["bet.window"]


def a_table() -> Table:
    """A table with one player."""
    table = Table("adelaide")
    table.sit(1, "Ann", 100)
    return table


def test_undo_forgets_what_was_refused_since() -> None:
    """A refusal does not stand in the way of taking a bet back."""
    table = Table("adelaide")
    table.sit(1, "Ann", 100)
    table.bet(1, "pass", 10)
    table.bet(1, "come", 10)
    assert table.undo() is not None
    assert table.up(1) == {}
    assert table.record().count("bet") == 0


def test_the_package_says_that_it_is_typed() -> None:
    """Type checkers look for the marker."""
    from importlib.resources import files

    assert (files("passline") / "py.typed").is_file()
    assert typing.get_type_hints(Refusal)["message"] is str


def test_a_record_is_written_on_from_where_it_was() -> None:
    """Asked again after an undo and other acts, it says what a table that was never asked says."""
    steps: tuple[Callable[[Table], object], ...] = (
        lambda table: table.bet(1, "pass", 10),
        lambda table: table.bet(1, "field", 5),
        lambda table: table.undo(),
        lambda table: table.bet(1, "pass", -5),
        lambda table: table.bet(1, "place_6", 12),
        lambda table: table.roll(4, 2),
    )
    table, other = a_table(), a_table()
    for step in steps:
        step(table)
        step(other)
        assert replay(table.record()).state == table.state
    assert table.record() == other.record()
    assert "field" not in table.record()


def test_a_refusal_is_said_like_an_event() -> None:
    """Whatever a table answers can be said."""
    table = Table("adelaide")
    refused = table.bet(1, "pass", 10)
    assert isinstance(refused, Refusal)
    assert table.say(refused) == refused.message


def test_dir_shows_the_public_names_and_nothing_else() -> None:
    """What `dir` lists is what there is."""
    assert dir(passline) == sorted(passline.__all__)
