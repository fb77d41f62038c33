"""Houses that were once accepted and broken elsewhere: refused in words, or dealt, drawn and analysed."""

from __future__ import annotations

import tomllib
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from passline.analysis.question import ask
from passline.errors import HouseFileError
from passline.house import House
from passline.odds.wagers import odds_of
from passline.rulebooks.catalogue import house_files
from passline.rulebooks.read import book_of
from tests.cli.running import run
from tests.mutants.evenings import an_evening

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Change = Callable[[dict[str, Any]], object]


def changed(change: Change) -> House:
    """The strip with something else in its file."""
    values = tomllib.loads(house_files()["strip"].read_text(encoding="utf-8"))
    change(values)
    return House("changed", book=book_of(values, "changed.toml"))


def not_offered(*wagers: str) -> Change:
    """Take wagers off the felt."""
    return lambda values: [values["wager"][wager].update(offered=[False, "layout.only"]) for wager in wagers]


def eleven_is_a_point(values: dict[str, Any], odds: object = "none") -> None:
    """The shooter's eleven comes out as a point."""
    values["points"][0].append(11)
    values["notice"]["odds"][0] = odds
    for wager in values["wager"].values():
        if wager["kind"] == "line":
            for word in ("wins", "loses"):
                wager[word][0] = [total for total in wager[word][0] if total != 11]
        elif wager["kind"] == "odds":
            wager["pays"]["11"] = ["3:1" if wager["of"] in ("pass", "come") else "1:3", "odds.true"]
        if wager["kind"] == "replay":
            wager["pays"]["11"], wager["once_more"]["11"] = ["150:1", "side.replay"], ["2000:1", "side.replay-more"]


@pytest.mark.parametrize(
    ("change", "found"),
    [
        (lambda values: values["dice"].update(dice_set_max=[3, "dice.set"]), "dice.dice_set_max: found 3"),
        (lambda values: values["dice"].update(dice_set=[1_000_000_000, "dice.set"]), "dice.dice_set: found 1000000000"),
        (lambda values: values["dice"].update(chosen=[9, "dice.set"]), "dice.chosen: found 9"),
        (not_offered("pass", "dont_pass", "pass_odds", "dont_pass_odds"), "without it nobody can shoot"),
    ],
)
def test_a_house_that_nobody_could_deal_is_refused(change: Change, found: str) -> None:
    """The checker says so, and not the table."""
    with pytest.raises(HouseFileError, match=found):
        changed(change)


@pytest.mark.slow
@pytest.mark.parametrize(
    "change",
    [
        eleven_is_a_point,
        lambda values: eleven_is_a_point(values, 2),
        not_offered("pass", "pass_odds"),
        lambda values: values["wager"]["pass"].update(name="Pass [/b] Line"),
        lambda values: values.update(name="The [Red] Room [/x]"),
    ],
    ids=["eleven", "eleven, twice", "no pass", "a name with brackets", "a house with brackets"],
)
def test_a_house_that_can_be_dealt_is_told_and_analysed(change: Change) -> None:
    """An evening at it, its odds, and the law of a session with odds where it has any."""
    house = changed(change)
    for seed in range(3):
        an_evening(house, Random(seed), lines=20)
    assert odds_of(house)
    name = "pass_345_odds" if house.spots["pass"].rule.offered.value else "dont_pass_lay"
    question = ask(name, house=house, rolls=4)
    assert question.exact().worst < 0
    assert question.long_run().net_per_roll < 0


def test_what_looks_like_markup_is_a_name(tmp_path: Path) -> None:
    """On every card, in the prices, and in the bar of a run."""
    text = house_files()["strip"].read_text(encoding="utf-8").replace('id     = "strip"', 'id     = "red-room"')
    text = text.replace('name       = "Pass Line"', 'name       = "Pass [/b] Line"', 1)
    path = tmp_path / "red-room.toml"
    path.write_text(text.replace(tomllib.loads(text)["name"], "The [Red] Room [/x]", 1), encoding="utf-8")
    mine = tmp_path / "mine.toml"
    mine.write_text('name = "x [/b] y"\ndescription = "d [/b]"\n[[want]]\nup = { pass = 1 }\n', encoding="utf-8")
    shown = {
        ("house", path): "The [Red] Room [/x]",
        ("odds", "--house", path, "--wager", "pass"): "",
        ("house", "check", path): "[/x] is ready to deal",
        ("simulate", mine, "--house", path, "--sessions", 10, "--rolls", 3): "",
        ("exact", mine, "--house", path, "--rolls", 3): "",
        ("strategy", "show", mine): "x [/b] y",
    }
    for words, told in shown.items():
        ran = run(*words)
        assert ran.exit_code == 0, (words, ran.stderr, ran.exception)
        assert told in ran.stdout


def test_odds_on_a_point_of_eleven_win_what_every_point_wins() -> None:
    """Where no odds are posted: twice the flat bet, at three to one, wins six times it as all the others do."""
    house = changed(eleven_is_a_point)
    law = ask(
        {"name": "x", "description": "x", "want": [{"up": {"pass": 1, "pass_odds": "3-4-5"}}]}, house=house, rolls=2
    )
    assert law.exact().best == 7
