"""Exercises as learners meet them: hand-worked payoffs, every drill in every house, and near misses by name."""

from __future__ import annotations

import csv
import random
import re
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest

from passline.errors import ArgumentError
from passline.house import House
from passline.rulebooks.catalogue import clauses_of
from passline.rulebooks.read import built_in
from passline.school.exercise import grade
from passline.school.paying import fewest
from passline.school.syllabus import DRILLS, exercise, levels_of
from passline.table import Table

ORACLES = Path(__file__).parents[1] / "oracles" / "wagers.csv"
EVERY = [
    (house, drill.name, level)
    for house in built_in()
    for drill in DRILLS.values()
    for level in levels_of(House(house), drill)
]


@pytest.mark.parametrize(
    ("name", "asks", "paid"),
    [
        ("strip/pays/4/1", "15 on Place 5", "21"),  # 7 to 5
        ("strip/pays/4/3", "15 on Buy 8", "17"),  # 6 to 5 is 18, less 5 % of the 15 staked, a whole chip
        ("strip/pays/5/1", "45 on Horn High 3", "243"),  # 18 on the 3 at 15 to 1, less the 27 on the others
        ("strip/pays/2/1", "60 on Lay Odds", "50"),  # 5 to 6
        ("crapless/pays/2/2", "30 on Odds", "36"),  # 6 to 5
        ("adelaide/pays/4/3", "15 on Buy Bet to Win 6", "17"),  # 6 to 5 is 18, less a chip of commission
        ("adelaide/pays/2/3", "25 on Laying Odds", "17"),  # 2 to 3 is 16.67, paid up
        ("adelaide/pays/5/1", "50 on World Bet", "110"),  # 10 on the eleven at 15 to 1, and the other 40 lost
        ("sydney/pays/5/2", "30 on Any Craps", "225"),  # 15 to 2
        ("fire-bonus/pays/2/2", "10 on Lay odds", "5"),  # 2 to 3 is 6.67, and the float has no ones
        ("fire-bonus/pays/5/1", "10 on Combination (horn high) 2", "110"),  # 4 on the 2 at 29 to 1, less 6
    ],
)
def test_what_a_dealer_would_pay(name: str, asks: str, paid: str) -> None:
    """Each worked out by hand from the price that the house publishes."""
    house, drill, level, seed = name.split("/")
    found = exercise(house, drill, int(level), int(seed))
    assert found.id == name
    assert asks in found.question.asks
    assert [found.written(part) for part in found.parts] == [paid]


@pytest.mark.parametrize("house", ["adelaide", "sydney", "strip"])
def test_no_payoff_is_asked_that_comes_to_nothing(house: str) -> None:
    """Adelaide's 5 on the ten to lose wins 5 and costs 5: true, and a lesson to nobody."""
    for seed in range(120):
        found = exercise(house, "pays", 4, seed)
        assert found.written(found.parts[0]) != "0", found.id


def test_nobody_bets_both_sides_of_the_line() -> None:
    """A layout looks like one that people bet: with the dice or against them."""
    for seed in range(30):
        table = exercise("strip", "layout", 1, seed).question.table
        sides = [{key for key in ("pass", "dont_pass") if key in seat.felt} for seat in table.state.seats.values()]
        assert all(len(side) < 2 for side in sides), seed


@pytest.mark.slow
def test_every_drill_has_exercises_in_every_house() -> None:
    """Whatever is on the syllabus can be asked, is shown whole, and its own answers are right."""
    luck = random.Random(5)
    for house, drill, level in EVERY:
        found = exercise(house, drill, level, luck.randrange(10_000))
        told = found.to_json()
        assert Table.at(told["position"]).position == told["position"]
        assert told["asks"]
        assert told["parts"]
        assert told["why"], found.id
        assert grade(found, [part["right"] for part in told["parts"]]).is_right
        hidden = found.to_json(answers=False)
        assert not {"why", "clauses"} & hidden.keys()
        assert all("right" not in part for part in hidden["parts"])


def test_an_id_is_all_that_an_exercise_is_made_from() -> None:
    """The server asks it, forgets it, and grades the same one."""
    for house, drill, level in random.Random(1).sample(EVERY, 12):
        one, other = (exercise(house, drill, level, 77).to_json() for _ in range(2))
        assert one == other


@pytest.mark.parametrize(
    ("house", "drill", "level", "seed", "says"),
    [
        ("adelaide", "play", 1, 1, "drill: found 'play'; expected one of ways, pays"),
        ("adelaide", "pays", 6, 1, "level: found 6; expected one of 1, 2, 3, 4, 5 for pays in adelaide"),
        ("adelaide", "pays", 1, -1, "seed: found -1; expected a whole number from 0"),
        ("adelaide", "pays", 1, 2**40, "seed: found 1099511627776"),
    ],
)
def test_what_is_not_taught_is_said(house: str, drill: str, level: int, seed: int, says: str) -> None:
    """With what there is instead."""
    with pytest.raises(ArgumentError) as error:
        exercise(house, drill, level, seed)
    assert str(error.value).startswith(says)


def test_a_slip_is_called_by_its_name() -> None:
    """Where the engine can tell what a wrong amount would have been right for."""
    buy = exercise("adelaide", "pays", 4, 3)  # 15 bought on the six: 18 less 1
    told = {given: grade(buy, [given]).parts[0].says for given in ("18", "32", "30", "3")}
    assert told["18"] == "that leaves out the commission of 1"
    assert told["32"] == "that counts the stake of 15, which stays up"
    assert told["30"] == "that is the price on 4"
    laid = exercise("adelaide", "pays", 2, 3)  # 25 laid: 16.67, paid 17
    assert grade(laid, ["16"]).parts[0].says == "that is rounded the other way; this house rounds up"
    assert told["3"] == ""


def test_no_wrong_call_is_one_that_the_stick_makes_of_the_same_dice() -> None:
    """A five with the point on 9 may be `no field five` or `after five the field's alive`: neither is wrong."""
    part = exercise("adelaide", "call", 1, 1653760212).question.parts[0]
    (right,) = part.right
    assert "field's alive" in part.options[right]
    assert not any("no field five" in each for each in part.options)


@pytest.mark.slow
def test_the_lowest_edge_is_that_of_the_oracles() -> None:
    """What the drill calls cheapest is cheapest by the figures worked out from the books by other hands."""
    rows = csv.DictReader(ORACLES.read_text(encoding="utf-8").splitlines())
    known = {}
    for row in rows:
        try:
            known[row["house"], row["house_name_for_it"]] = Fraction(row["house_edge_exact"].split()[0])
        except (ValueError, IndexError):
            continue
    seen = 0
    for house in ("adelaide", "sydney", "exhibit-a", "fire-bonus"):
        for seed in range(6):
            part = exercise(house, "edge", 5, seed).parts[0]
            best = part.options[part.right[0]]
            for other in part.options:
                if other != best and (house, best) in known and (house, other) in known:
                    seen += 1
                    assert known[house, best] < known[house, other], (house, best, other)
    assert seen > 10


def test_a_commission_that_is_taken_is_cited() -> None:
    """Beside what the wager pays by."""
    assert {"strip:numbers.buy", "strip:numbers.vig", "strip:numbers.buy-vig"} <= {
        *exercise("strip", "pays", 4, 5).question.clauses
    }
    assert "strip:numbers.vig" not in exercise("strip", "pays", 4, 1).question.clauses


def test_the_fewest_chips() -> None:
    """Also of a float in which the largest chip first is not the fewest."""
    assert fewest(6, (4, 3, 1)) == (0, 2, 0)
    assert fewest(0, (25, 5, 1)) == (0, 0, 0)
    assert fewest(22_800, (50_000, 10_000, 2_500, 500, 100)) == (0, 2, 1, 0, 3)


def test_clauses_to_choose_from_are_the_houses_own_and_differ() -> None:
    """No distractor is our invention, and none says the same."""
    for house in built_in():
        own = {clause.sentence for clause in clauses_of(house)}
        for drill, seed in product(("book", "legal"), range(3)):
            part = exercise(house, drill, 5, seed).parts[-1]
            others = [option for at, option in enumerate(part.options) if at != part.right[0]]
            assert len({*part.options}) == len(part.options) == 4
            assert {*others} <= own, (house, drill, seed)


def test_the_page_names_every_drill() -> None:
    """`docs/school.md` says what there is."""
    page = (Path(__file__).parents[2] / "docs" / "school.md").read_text(encoding="utf-8")
    for drill in DRILLS.values():
        assert f"| `{drill.name}` | {drill.trains}s | {drill.says}" in page


def test_the_ways_are_added_up() -> None:
    """The sum that was asked for, total by total."""
    asked = exercise("strip", "ways", 1, 0)
    assert asked.question.why == ("wins on 7, 11: 6 + 2 = 8 throws", "loses on 2, 3, 12: 1 + 2 + 1 = 4 throws")
    assert [part.right for part in asked.parts] == [(8,), (4,)]


@pytest.mark.parametrize("house", ["strip", "sydney"])
def test_a_wrong_payoff_does_not_give_itself_away(house: str) -> None:
    """It was once even money, one dollar over, wherever odds were not yet taught; now odds are what is mistaken."""
    for level in (1, 2, 3):
        for seed in range(6):
            one = exercise(house, "wrong", level, seed)
            told = one.parts[0].options[one.parts[0].right[0]]
            assert " at 1 to 1" not in told or level == 1
            assert " pays " in told
            assert not re.search(r" pays \w+ 0 ", told)


def test_what_the_book_says_is_asked_among_clauses_of_the_same_world() -> None:
    """A Repeater's price beside a line bet's shows the answer by elimination."""
    for seed in range(20):
        (part,) = exercise("strip", "book", 1, seed).parts
        assert not any("Repeater" in option or "Sizzling" in option for option in part.options), part.options


def test_a_layout_says_why_nothing_moves_on_a_bet_that_is_off() -> None:
    """A buy on the number that is thrown on a come-out; what no roll would decide is not spoken of."""
    one = exercise("strip", "layout", 4, 3)
    off = [line for line in one.question.why if line.endswith(" is off.")]
    assert off == ["Bob's Buy 8 is off.", "Cho's Buy 8 is off."]
    assert one.question.why[-1].startswith("strip:working.off: ")
    assert "strip:working.off" in one.question.clauses
