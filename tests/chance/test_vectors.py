"""The published vectors are what we deal."""

from __future__ import annotations

import doctest
import json

import passline.live.dice
from tests.chance import vectors


def test_the_file_is_what_we_make() -> None:
    """Any change to the dice shows here; docs/dice.md promises that there is none."""
    assert vectors.FILE.read_text(encoding="utf-8") == vectors.text()


def test_the_file_reaches_the_dark_corners() -> None:
    """Names that UTF-16 would order otherwise, an epoch without seeds, a roll that passed a byte over."""
    data = json.loads(vectors.FILE.read_text(encoding="utf-8"))
    assert any(not epoch["players"] for epoch in data["epochs"])
    names = [player["player"] for epoch in data["epochs"] for player in epoch["players"]]
    assert sorted(names) != sorted(names, key=lambda name: name.encode("utf-16-be"))
    assert any(len(epoch["rolls"].split()) == 1000 for epoch in data["epochs"])
    assert any(len(case["blocks"]) > 1 for case in data["blocks"])


def test_the_examples_in_the_code_hold() -> None:
    """As they stand."""
    results = [doctest.testmod(module) for module in (passline.live.dice,)]
    assert all(result.attempted for result in results)
    assert not any(result.failed for result in results)
