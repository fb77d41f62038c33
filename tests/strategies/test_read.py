"""Strategy files: what they may say, and what is said when they say something else."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest

from passline.errors import StrategyFileError
from passline.strategies.language import grammar
from passline.strategies.language.read import built_in, library, load, make, read_strategy
from passline.strategies.language.strategy import Cancellation, Ladder, Strategy, Want

if TYPE_CHECKING:
    from pathlib import Path

GOOD = """
name        = "Mine"
description = "Six and eight."
unit        = "2.50"

[[want]]
when = "puck on and calm < 3"
up   = { place_6 = "steps", place_8 = 6 }
skip = "point"
down = ["field"]

[count.calm]
when  = "not won(place)"
reset = "hand over"

[progression.steps]
of    = "place_6"
steps = [6, "15/2", 12]
won   = "next"
lost  = "start over"
end   = "hold"

[ends]
rolls    = 100
stop_win = "7.5"
"""


def test_a_file_says_everything() -> None:
    """All parts arrive in the records."""
    mine = read_strategy(GOOD, "mine.toml")
    assert (mine.id, mine.name, mine.unit) == ("mine", "Mine", Fraction(5, 2))
    assert mine.wagers == ("place_6", "place_8")
    assert mine.named == {"place_6", "place_8", "field", "place"}
    assert mine.wants[0].skip_point
    steps = mine.progressions[0]
    assert isinstance(steps, Ladder)
    assert steps.steps == (Fraction(6), Fraction(15, 2), Fraction(12))
    assert (mine.ends.rolls, mine.ends.hands, mine.ends.stop_win) == (100, None, Fraction(15, 2))


def test_python_says_the_same() -> None:
    """The records can be written by hand, and the tables can be given as they stand in a file."""
    by_hand = Strategy(
        id="line",
        name="Line",
        description="The line.",
        source="The author of this file.",
        wants=(
            Want(grammar.condition("puck off"), (("pass", grammar.amount(1)),)),
            Want(grammar.condition("puck on"), (("pass_odds", grammar.amount("max")),)),
        ),
    )
    tables = {
        "name": "Line",
        "description": "The line.",
        "want": [{"when": "puck off", "up": {"pass": 1}}, {"when": "puck on", "up": {"pass_odds": "max"}}],
    }
    assert make(tables) == by_hand
    assert make(tables).digest == by_hand.digest
    assert hash(by_hand) == hash(make(tables))


def test_a_digest_follows_the_play_and_not_the_words() -> None:
    """Another description is the same strategy; another amount is not."""
    one = read_strategy(GOOD, "mine.toml")
    assert read_strategy(GOOD.replace("Six and eight.", "8 and 6"), "mine.toml").digest == one.digest
    assert read_strategy(GOOD.replace("place_8 = 6", "place_8 = 12"), "mine.toml").digest != one.digest


@pytest.mark.parametrize(
    ("change", "path", "found", "nearest"),
    [
        (("name        =", "nmae ="), "nmae", "an unknown key", "name"),
        (("name        = ", "name = 5 #"), "name", "5", None),
        (('"2.50"', '"0"'), "unit", "0", None),
        (('"2.50"', '"a lot"'), "unit", "'a lot'", None),
        (('"2.50"', "2.50"), "unit", "`2.5`", None),
        (("place_8 = 6", "place_8 = -6"), "want[1].up.place_8", "-6", None),
        (("place_8 = 6", "place_8 = 'step'"), "want[1].up.place_8", "`step` at character 1", "steps"),
        (("calm < 3", "clam < 3"), "want[1].when", "`clam` at character 13", "calm"),
        (("calm < 3", "won(place)"), "want[1].when", "`won` at character 13", None),
        (('"point"', '"points"'), "want[1].skip", "'points'", "point"),
        (("down =", "dwon ="), "want[1].dwon", "an unknown key", "down"),
        (("hand over", "hand ovr"), "count.calm.reset", "`hand` at character 1", None),
        (("[count.calm]", "[count.max]"), "count.max", "a word that means something already", None),
        (('"next"', '"nxt"'), "progression.steps.won", "'nxt'", "next"),
        (('[6, "15/2", 12]', '"dubble"'), "progression.steps.steps", "'dubble'", "double"),
        (('steps = [6, "15/2", 12]', ""), "progression.steps", "neither steps nor line", None),
        (('of    = "place_6"\n', 'of = "place_6"\nline = [1, 2]\n'), "progression.steps", "steps and line", None),
        (('"15/2"', '"15/0"'), "progression.steps.steps[2]", "'15/0'", None),
        (("rolls    = 100", "rolls = 0"), "ends.rolls", "0", None),
        (('stop_win = "7.5"', "stop_wni = 7"), "ends.stop_wni", "an unknown key", "stop_win"),
        (("[[want]]", "[[want]\n"), "line 6, column 7", "broken TOML", None),
    ],
)
def test_a_fault_is_named_with_its_place(change: tuple[str, str], path: str, found: str, nearest: str | None) -> None:
    """File, key path, found, expected, nearest."""
    assert change[0] in GOOD
    with pytest.raises(StrategyFileError) as caught:
        read_strategy(GOOD.replace(*change), "mine.toml")
    finding = next(one for one in caught.value.findings if one.path == path)
    assert finding.file == "mine.toml"
    assert found in finding.actual
    assert finding.expected
    if nearest:
        assert finding.nearest == nearest


@pytest.mark.parametrize(
    "tables",
    [
        {},
        {"name": "x", "description": "y", "want": []},
        {"name": "x", "description": "y", "want": [{}]},
        {"name": "x", "description": "y", "want": [{"up": {"Pass": 1}}]},
        {"name": "x", "description": "y", "want": [{"up": {"pass": True}}]},
        {"name": "x", "description": "y", "want": "puck on"},
        {
            "name": "x",
            "description": "y",
            "want": [{"up": {"pass": 1}}],
            "progression": {"p": {"of": "pass", "line": [0]}},
        },
        {
            "name": "x",
            "description": "y",
            "want": [{"up": {"pass": 1}}],
            "progression": {"p": {"of": "pass", "line": [1], "won": "next"}},
        },
    ],
)
def test_what_is_no_strategy_is_refused(tables: dict[str, Any]) -> None:
    """Every one with findings, none with a traceback of the models."""
    with pytest.raises(StrategyFileError) as caught:
        make(tables)
    assert caught.value.findings


def test_every_fault_is_found_at_once() -> None:
    """An author mends a file in one visit."""
    bad = GOOD.replace("calm < 3", "clam < 3").replace("place_8 = 6", 'place_8 = "mx"').replace("hand over", "hand ovr")
    with pytest.raises(StrategyFileError) as caught:
        read_strategy(bad)
    assert len(caught.value.findings) == 3


def test_a_strategy_nobody_knows_has_a_near_name(tmp_path: Path) -> None:
    """The library is searched, then the disk."""
    with pytest.raises(StrategyFileError, match="Nearest: three_point_molly"):
        load("three_point_moly")
    with pytest.raises(StrategyFileError, match="no such file"):
        load(str(tmp_path / "mine.toml"))
    (tmp_path / "mine.toml").write_text(GOOD)
    assert load(tmp_path / "mine.toml").name == "Mine"


def test_the_library_is_whole() -> None:
    """At least 25, the six with fixed meanings among them, each with its words."""
    fixed = {"pass_flat", "pass_max_odds", "three_point_molly", "place_6_8", "dont_pass_lay", "field"}
    assert fixed < set(built_in())
    assert len(built_in()) >= 25
    for strategy in library():
        assert strategy.description.endswith(".")
        assert strategy.source.endswith(".")
        assert strategy.unit > 0
    assert isinstance(load("labouchere_dont_pass").progressions[0], Cancellation)


@pytest.mark.parametrize("value", [{"name": object()}, {"want": [{"up": {"pass": {1, 2}}}]}, {"name": b"x"}])
def test_what_no_file_can_say_is_refused(value: dict[str, Any]) -> None:
    with pytest.raises(StrategyFileError, match="tables, lists, text and numbers, as a file has them"):
        make(value)
