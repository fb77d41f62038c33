"""The plan of a felt is data: any screen can draw it, and it says what this house prints."""

from __future__ import annotations

import json
from dataclasses import asdict

import pytest

from passline.house import House
from passline.rulebooks.read import built_in
from passline.sitting.plan import Plan, Printed, plan


def spots(found: Plan) -> dict[str, Printed]:
    """Every printed spot by its key."""
    rows = [spot for row in found.rows for spot in row.spots if spot is not None]
    lines = [spot for strip in found.lines for spot in strip.spots]
    props = [spot for group in found.props for spot in group.spots]
    return {spot.key: spot for spot in (*rows, *lines, *props)}


@pytest.mark.parametrize("house", built_in())
def test_a_plan_is_plain_data(house: str) -> None:
    """Nothing in it needs Python to be read."""
    found = plan(House(house).layout)
    assert json.loads(json.dumps(asdict(found)))["points"] == list(found.points)
    assert {row.side for row in found.rows} <= {"do", "dont"}
    assert all(len(row.spots) == len(found.points) for row in found.rows)


@pytest.mark.parametrize(("house", "barred"), [("adelaide", 12), ("sydney", 2)])
def test_a_felt_says_what_is_barred_and_which_numbers_the_field_has(house: str, barred: int) -> None:
    """Only where a bet starts: on its number nothing is barred any more."""
    printed = spots(plan(House(house).layout))
    assert {key: printed[key].bars for key in ("pass", "dont_pass", "dont_come", "dont_come_6")} == {
        "pass": 0,
        "dont_pass": barred,
        "dont_come": barred,
        "dont_come_6": 0,
    }
    assert {total for total, _ in printed["field"].pays} == {2, 3, 4, 9, 10, 11, 12}


def test_names_are_the_house_s_own() -> None:
    """Win Line at sydney, and the family's name over its row."""
    found = plan(House("sydney").layout)
    assert spots(found)["pass"].name == "Win Line"
    assert "Place Bet to Lose" in [row.name for row in found.rows]
    assert [row.side for row in found.rows] == sorted((row.side for row in found.rows), reverse=True)
