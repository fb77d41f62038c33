"""Strategies in blocks: from a file and back."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import Any

import pytest

from passline.errors import StrategyFileError
from passline.strategies.language.blocks import DEPTH_MAX, StrategyFile, blocks_of, described, written
from passline.strategies.language.conditions import QUANTITIES
from passline.strategies.language.read import built_in, load, read_strategy

NESTED = """
name = "Nested \\"quotes\\""
description = "Brackets, a list, a word of a count."
include = ["five_count"]
[[want]]
when = "(puck on or five in 1..3) and not (up(place_6) and open(come)) and bankroll >= 3/2"
up = { place_6 = "least(30, 6 * (1 + hits(6)))" }
skip = "point"
[count.mine]
when = "won(pass) or rolled in (2, 12) or point made"
"""


def test_every_strategy_of_the_library_comes_back() -> None:
    """Taken apart, written as a file and read again it is the same strategy; written twice, the same file."""
    folder = files("passline.strategies") / "library"
    texts = {name: (folder / f"{name}.toml").read_text("utf-8") for name in built_in()} | {"nested": NESTED}
    for name, text in texts.items():
        strategy = read_strategy(text, name)
        counts = {count.name for count in strategy.counts}
        once = written(blocks_of(tomllib.loads(text), counts))
        assert read_strategy(once, name) == strategy, once
        assert written(blocks_of(tomllib.loads(once), counts)) == once
    assert read_strategy(texts["pass_flat"], "pass_flat.toml") == load("pass_flat")


def test_a_page_can_offer_all_that_a_file_can_say() -> None:
    """Numbers, signs, moves and keys are the reader's own."""
    told = described(["pass"])
    assert {each["number"] for each in told["numbers"]} == set(QUANTITIES)
    assert set(told["file"]["properties"]) == set(StrategyFile.model_fields)
    assert told["amounts"]["3-4-5"] == "3-4-5 times the flat bet"


def deep(levels: int) -> dict[str, Any]:
    """A block in a block in a block."""
    block: dict[str, Any] = {"kind": "always"}
    for _ in range(levels):
        block = {"kind": "not", "part": block}
    return block


@pytest.mark.parametrize(
    ("blocks", "path"),
    [
        ({"want": [{"when": {"kind": "magic"}, "up": {"pass": 1}}]}, "want[1].when"),
        ({"want": [{"when": deep(DEPTH_MAX + 5), "up": {"pass": 1}}]}, "want[1].when"),
        ({"want": [{"up": {"pass": 1.5}}]}, "want[1].up.pass"),
        ({"want": ["pass"]}, "want[1]"),
        ({"want": "pass"}, "want"),
        ({"count": ["a"]}, "count"),
        ({"want": [{"when": {"kind": "all", "parts": [7]}}]}, "want[1].when"),
    ],
)
def test_blocks_that_say_nothing_are_named(blocks: dict[str, Any], path: str) -> None:
    """Each with its place."""
    with pytest.raises(StrategyFileError) as error:
        written({"name": "x", "description": "x", **blocks})
    assert [each.path for each in error.value.findings] == [path]
