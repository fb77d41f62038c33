"""The audition: stakes that people bet, answers as a pit has them, a clock, a pass mark, and what must not be wrong."""

from __future__ import annotations

import re
from io import StringIO
from random import Random
from typing import TYPE_CHECKING

import pytest

from passline.engine import limits
from passline.house import House
from passline.school import audition
from passline.school.audition import CRITICAL, PASS_MARK, QUESTIONS
from passline.school.exercise import Exercise, grade
from passline.school.scene import Scene, Unfit
from passline.school.syllabus import exercise, paper
from passline.table import Table
from passline.terminal.lesson import audition_result, teach

if TYPE_CHECKING:
    from collections.abc import Callable

    from passline.school.exercise import Question
    from passline.terminal.lesson import Heard

HOUSES = ["adelaide", "crapless", "exhibit-a", "fire-bonus", "strip", "sydney"]
KNOWN = [
    # what a Strip audition asks, and its answer: winnings only
    ("place_6=12", (4, 2), 14), ("place_6=18", (4, 2), 21), ("place_8=24", (5, 3), 28), ("place_6=30", (4, 2), 35),
    ("place_8=42", (5, 3), 49), ("place_6=64", (4, 2), 74), ("place_8=120", (5, 3), 140), ("place_9=15", (5, 4), 21),
    ("place_4=10", (3, 1), 18), ("place_10=25", (6, 4), 45), ("buy_4=25", (3, 1), 49), ("buy_10=50", (6, 4), 98),
    ("lay_4=40", (4, 3), 19), ("lay_9=60", (4, 3), 38), ("lay_6=120", (4, 3), 95), ("hard_8=5", (4, 4), 45),
    ("hard_10=10", (5, 5), 70), ("horn=4", (6, 5), 12), ("horn_high_12=5", (6, 6), 57), ("world=5", (2, 1), 11),
    ("craps_eleven=10", (6, 5), 70), ("craps_eleven=10", (2, 1), 30), ("field=25", (6, 6), 75),
    ("field=25", (1, 1), 50), ("any_craps=5", (1, 1), 35), ("hop_4_3=1 hop_5_2=1 hop_6_1=1", (4, 3), 13),
]  # fmt: skip


def question(ask: Callable[[Scene], Question], scene: Scene) -> Question | None:
    """What is asked of a scene, if anything can be."""
    try:
        return ask(scene)
    except Unfit:
        return None


@pytest.mark.parametrize(("felt", "roll", "won"), KNOWN, ids=[row[0] for row in KNOWN])
def test_the_strip_pays_what_an_audition_expects(felt: str, roll: tuple[int, int], won: int) -> None:
    scene = Scene(House("strip"), 1, Random(1))
    asked = audition._paid(scene, felt, roll, "", puck=5)
    assert asked.parts[0].right == (won * 100,)


@pytest.mark.parametrize("house", HOUSES)
def test_a_paper_is_mixed_and_has_one_that_must_not_be_wrong(house: str) -> None:
    opened = House(house)
    seeds = paper(opened, Random(5))
    kinds = [exercise(opened, "audition", 1, seed).question.kind for seed in seeds]
    assert len(set(kinds)) == len(kinds) >= 15
    assert CRITICAL & set(kinds)
    assert seeds == paper(opened, Random(5))


@pytest.mark.parametrize("house", HOUSES)
def test_no_bet_of_a_paper_is_under_the_minimum(house: str) -> None:
    """A horn of four is none at a table of five whose sign has no lower one for the stick's box."""
    opened = House(house)
    for shape, ask in audition.SHAPES.items():
        for seed in range(6):
            asked = question(ask, Scene(opened, 1, Random(seed)))
            notice = asked.table.state.notice if asked else None
            for key, stake in asked.table.up(1).items() if asked else ():
                spot = opened.spots[key]
                assert notice is None or spot.is_odds or stake * 100 >= limits.minimum(notice, spot), (shape, key)


@pytest.mark.parametrize("seed", range(6))
def test_where_no_odds_are_posted_nobody_is_asked_for_the_most(seed: int) -> None:
    scene = Scene(House("fire-bonus"), 1, Random(seed))
    assert question(audition._most_lay, scene) is None
    assert audition._most(scene, "pass=5", "pass_odds", 6) == 30


@pytest.mark.parametrize("house", HOUSES)
@pytest.mark.parametrize("shape", ["line", "dont", "off_and_on", "comeout_odds"])
def test_no_more_odds_are_up_than_the_sign_allows(house: str, shape: str) -> None:
    """As a dealer would book them: the odds come down, and go up again."""
    for seed in range(8):
        asked = question(audition.BY[shape], Scene(House(house), 1, Random(seed)))
        if asked is None:
            continue
        table = asked.table
        (odds,) = (key for key in table.up(1) if table.house.spots[key].is_odds)
        stake = table.up(1)[odds]
        number = table.house.spots[odds].number
        felt = " ".join(f"{key}={there}" for key, there in table.up(1).items() if key != odds)
        puck = table.puck or number
        bare = Table.at(f"{house} min=5 | puck={puck} shooter=1 | 1 Ann 5000 {felt}")
        assert bare.bet(1, odds, stake), (asked.asks, bare.refusals[-1].message)


def answered(wrong: int = 0, kind: str | None = None) -> list[Heard]:
    """An audition in which so many answers are wrong, or the one of a kind."""
    told: list[Heard] = []
    opened = House("strip")
    every: list[Exercise] = [exercise(opened, "audition", 1, seed) for seed in paper(opened, Random(5))]
    for one in every:
        spoilt = one.question.kind == kind or (kind is None and one.question.kind not in CRITICAL and wrong > 0)
        wrong -= spoilt and kind is None
        answers = [one.written(part) for part in one.parts]
        if spoilt:
            first = one.parts[0]
            answers[0] = ("b" if answers[0] == "a" else "a") if first.options else "1x1" if first.chips else "3.33"
        told.append((one, grade(one, answers), 1))
    return told


def test_an_answer_after_the_time_is_not_right(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten seconds are ten, not eleven less a moment."""
    one = exercise("strip", "audition", 1, 3)
    for clock, right in (([0.0, 10.0], True), ([0.0, 10.1], False)):
        monkeypatch.setattr("sys.stdin", StringIO("".join(f"{one.written(part)}\n" for part in one.parts)))
        monkeypatch.setattr("time.monotonic", iter(clock).__next__)
        out = StringIO()
        _, ((_, graded, _),) = teach(iter([one]), 1, lambda *_: None, out, seconds=10)
        assert graded.is_right is right
        assert (f"Too late: {graded.parts[0].right} is right. Over 10 seconds." in out.getvalue()) is not right


def test_an_audition_speaks_as_its_country_does() -> None:
    asks = [audition._color_up(Scene(House(house), 1, Random(1))) for house in ("adelaide", "strip")]
    assert [each.asks.split(" her")[0] for each in asks] == ["Colour", "Color"]


def test_an_audition_is_passed_and_failed() -> None:
    assert audition_result(answered(), QUESTIONS)[0]
    assert audition_result(answered(wrong=QUESTIONS - PASS_MARK), QUESTIONS)[0]
    assert not audition_result(answered(wrong=QUESTIONS - PASS_MARK + 1), QUESTIONS)[0]
    assert not audition_result(answered()[:-1], QUESTIONS)[0]
    critical = next(one.question.kind for one, _, _ in answered() if one.question.kind in CRITICAL)
    passed, lines = audition_result(answered(kind=critical), QUESTIONS)
    assert not passed
    assert critical in lines[-1]


@pytest.mark.parametrize("seed", range(12))
def test_the_crew_takes_before_it_pays_and_the_stick_pays_last(seed: int) -> None:
    one = exercise("strip", "order", 5, seed)
    (part,) = one.parts
    row = [part.options[at] for at in part.right]
    assert "throws" in row[0]
    lost = [at for at, line in enumerate(row) if re.search(r"\bloses? ", line) and " pays " not in line]
    paid = [at for at, line in enumerate(row) if " pays " in line]
    assert not lost or not paid or max(lost) < min(paid)
