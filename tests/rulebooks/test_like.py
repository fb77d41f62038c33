"""Houses that are another but for a few values: from Python, and from the head of a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from passline import House, HouseFileError, Table, events, odds_of
from passline.errors import ArgumentError, CannotBeSaved

LIKE = """
like = "strip"
name = "Ferryboat"

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
    path = tmp_path / "ferryboat.toml"
    path.write_text(LIKE)
    house = House(path)
    assert (house.id, house.name) == ("ferryboat", "Ferryboat")
    changed = House("strip", {"wager.field.pays.12": "2:1"})
    assert odds_of(house)["field"].edge_per_bet_made == odds_of(changed)["field"].edge_per_bet_made
    assert len(house.wagers) == len(House("strip").wagers)


def test_one_value_for_a_table_by_point_is_that_of_each_point(tmp_path: Path) -> None:
    """Five times odds, at a house that posts three, four and five; and a value for one entry goes before it."""
    house = House("strip", {"notice.odds": 5})
    assert house.book.notice.odds.value == dict.fromkeys((4, 5, 6, 8, 9, 10), 5)
    path = tmp_path / "five.toml"
    path.write_text('like = "strip"\nname = "Five"\n[notice]\nodds = 5\n')
    assert House(path).book.notice.odds.value == house.book.notice.odds.value
    one = House("strip", {"notice.odds": 5, "notice.odds.4,10": 6})
    assert one.book.notice.odds.value == {**dict.fromkeys((5, 6, 8, 9), 5), 4: 6, 10: 6}
    with pytest.raises(HouseFileError, match=r"notice\.odds\.4,10: found 'five'; expected a count such as 3"):
        House("strip", {"notice.odds": "five"})


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (LIKE.replace('"strip"', '"stripp"'), "strip"),
        (LIKE.replace("12 =", "13 ="), "no such value"),
        (LIKE.replace("field.pays]\n12", "place_6]\npays"), r"no such value.*Nearest: wager\.place\.pays\.6,8"),
        (LIKE.replace("field.pays]\n12", "any_seven]\npays"), r"no such value.*Nearest: wager\.any_seven\.pays\.7"),
        (LIKE.replace('"2:1"', "2"), "a price such as"),
        (LIKE.replace('"2:1"', '"two"'), "price"),
        (LIKE.replace('name = "Ferryboat"', ""), "the name of this house"),
    ],
)
def test_what_is_wrong_with_it_is_said(tmp_path: Path, said: str, told: str) -> None:
    """With its place."""
    path = tmp_path / "ferryboat.toml"
    path.write_text(said)
    with pytest.raises(HouseFileError, match=told):
        House(path)


BAD = """
like = "strip"
name = "Bad"

[wager.feild.pays]
12 = "2:1"

[wager.field.pays]
12 = "two"

[wager.place]
works_come_out = 3
"""


def test_everything_that_is_wrong_is_said_at_once(tmp_path: Path) -> None:
    """A place that is not there with the nearest, a value of another kind, and what only the whole house refuses."""
    path = tmp_path / "bad.toml"
    path.write_text(BAD.replace('"Bad"', '"Sydney"'))
    with pytest.raises(HouseFileError) as caught:
        House(path)
    name, feild, works, price = caught.value.findings
    assert (name.path, name.actual) == ("name", "'Sydney'")
    assert (feild.path, feild.nearest) == ("wager.feild.pays.12", "wager.field.pays.12")
    assert works.path.startswith("wager.place")
    assert (price.path, price.actual) == ("wager.field.pays.12", "'two'")
    assert {finding.file for finding in caught.value.findings} == {str(path)}


def test_changes_go_with_a_built_in_house(tmp_path: Path) -> None:
    """Nothing is said of a command that nobody ran."""
    path = tmp_path / "riverboat.toml"
    path.write_text(LIKE)
    for house, near in ((path, None), (str(path), None), ("stripp", "strip")):
        with pytest.raises(ArgumentError, match="a built-in house, which `changes` go with") as caught:
            House(house, {"wager.field.pays.2": "3:1"})
        assert caught.value.nearest == near
    with pytest.raises(
        HouseFileError, match=r"strip, changed, wager\.feild\.pays\.12: .* Nearest: wager\.field\.pays\.12"
    ):
        House("strip", {"wager.feild.pays.12": "2:1"})
