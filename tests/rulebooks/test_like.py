"""Houses that are another but for a few values: from Python, and from the head of a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from passline import House, HouseFileError, Table, events, odds_of
from passline.errors import CannotBeSaved

LIKE = """
like = "strip"
name = "Riverboat"

[wager.field.pays]
12 = "2:1"
"""


def test_a_house_is_changed_in_python() -> None:
    """The price is another, the clause says so, and the house it was made from is as it was."""
    house = House("strip", {"wager.field.pays.12": "2:1"})
    assert odds_of(house)["field"].edge_per_bet_made > odds_of("strip")["field"].edge_per_bet_made
    table = Table(house)
    table.sit(1, "Ann", 100)
    table.bet(1, "pass", 15)
    table.bet(1, "field", 15)
    table.roll("6-6")
    assert table.rail(1) + table.up(1)["field"] == 100 - 15 + 30  # a winner stays up
    won = next(event for event in table.events if isinstance(event, events.WagerWon))
    assert "This house departs from it" in table.explain(won)
    with pytest.raises(CannotBeSaved, match=r"write `house\.text`"):
        table.record()


def test_a_file_says_what_it_is_like(tmp_path: Path) -> None:
    """The same house, which a record can name."""
    path = tmp_path / "riverboat.toml"
    path.write_text(LIKE)
    house = House(path)
    assert (house.id, house.name) == ("riverboat", "Riverboat")
    changed = House("strip", {"wager.field.pays.12": "2:1"})
    assert odds_of(house)["field"].edge_per_bet_made == odds_of(changed)["field"].edge_per_bet_made
    assert len(house.wagers) == len(House("strip").wagers)


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (LIKE.replace('"strip"', '"stripp"'), "strip"),
        (LIKE.replace("12 =", "13 ="), "no such value"),
        (LIKE.replace('"2:1"', "2"), "a price such as"),
        (LIKE.replace('"2:1"', '"two"'), "price"),
        (LIKE.replace('name = "Riverboat"', ""), "the name of this house"),
    ],
)
def test_what_is_wrong_with_it_is_said(tmp_path: Path, said: str, told: str) -> None:
    """With its place."""
    path = tmp_path / "riverboat.toml"
    path.write_text(said)
    with pytest.raises(HouseFileError, match=told):
        House(path)
