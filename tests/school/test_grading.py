"""Grading to the chip: whatever is not the right answer is wrong, and what is no answer is said to be none."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from passline.errors import ArgumentError
from passline.school.exercise import Part, grade, read_answer, written
from passline.school.syllabus import exercise
from tests.school.test_exercises import EVERY

if TYPE_CHECKING:
    from collections.abc import Iterator

    from passline.school.exercise import Exercise


def spoiled(found: Exercise, part: Part) -> Iterator[str]:
    """Answers that are a little off."""
    right, house = part.right, found.house
    wrong: list[tuple[int, ...]] = []
    match part.form:
        case "amount" | "count":
            steps = (1, -1, 100, -100) if part.form == "amount" else (1,)
            wrong = [(right[0] + step,) for step in steps]
        case "choice":
            wrong = [(other,) for other in range(len(part.options)) if other != right[0]]
        case "several":
            wrong = [tuple(sorted({*right} ^ {other})) for other in range(len(part.options))]
        case "order":
            wrong = [(*right[:at], right[at + 1], right[at], *right[at + 2 :]) for at in range(len(right) - 1)]
        case "chips":
            wrong = [(*right[:at], right[at] + 1, *right[at + 1 :]) for at in range(len(right))]
    yield from (written(part, each, house) for each in wrong)


def test_a_wrong_answer_is_never_right() -> None:
    """One cent, one chip, one letter off; the other parts keep their credit."""
    luck = random.Random(9)
    for house, drill, level in luck.sample(EVERY, 90):
        found = exercise(house, drill, level, luck.randrange(1_000))
        right = [found.written(part) for part in found.parts]
        for at, part in enumerate(found.parts):
            for wrong in spoiled(found, part):
                graded = grade(found, [*right[:at], wrong, *right[at + 1 :]])
                assert not graded.is_right, (found.id, wrong)
                assert graded.score == len(right) - 1
                assert not graded.parts[at].is_right
                assert graded.parts[at].right == right[at]


CHOICE = Part("which", "choice", (1,), ("taken", "refused", "Ten, easy ten"))
SEVERAL = Part("which", "several", (0, 2), ("one", "two", "three"))
ORDER = Part("order", "order", (2, 0, 1), ("one", "two", "three"))
AMOUNT = Part("how much", "amount", (1400,))
CHIPS = Part("in which", "chips", (2, 1, 0), chips=(2500, 500, 100))


@pytest.mark.parametrize(
    ("part", "text", "read"),
    [
        (AMOUNT, " 14 ", (1400,)),
        (AMOUNT, "+7.50", (750,)),
        (AMOUNT, "$14", (1400,)),
        (AMOUNT, "-10", (-1000,)),
        (CHOICE, "B", (1,)),
        (CHOICE, "ten, EASY ten", (2,)),
        (SEVERAL, "c,a", (0, 2)),
        (SEVERAL, "none", ()),
        (ORDER, "cab", (2, 0, 1)),
        (CHIPS, "2x25 5", (2, 1, 0)),
        (CHIPS, "25 25 + 5", (2, 1, 0)),
        (CHIPS, "none", (0, 0, 0)),
    ],
)
def test_answers_are_read_as_people_type_them(part: Part, text: str, read: tuple[int, ...]) -> None:
    """With blanks, signs, letters of either case, and words of the options."""
    assert read_answer(part, text) == read


@pytest.mark.parametrize(
    ("part", "text"),
    [
        *((AMOUNT, text) for text in ("", "  ", "ten", "1e3", "14.001", "1/0", "nan", "٣", "9" * 400, "14\x00")),
        *((CHOICE, text) for text in ("", "d", "ab", "1", "é")),
        *((SEVERAL, text) for text in ("", "aa", "z", "a-b")),
        *((ORDER, text) for text in ("", "ab", "abca", "none")),
        *((CHIPS, text) for text in ("", "7", "2x", "x5", "-1x5", "99999999x5", "2x25x5")),
        (Part("count", "count", (6,)), "²"),
        (Part("count", "count", (6,)), "1" * 50),
    ],
)
def test_what_is_no_answer_is_said_to_be_none(part: Part, text: str) -> None:
    """And how one looks."""
    with pytest.raises(ArgumentError) as error:
        read_answer(part, text)
    assert "expected" in str(error.value)
    assert len(str(error.value)) < 300


def test_as_many_answers_as_parts() -> None:
    """Neither fewer nor more."""
    found = exercise("adelaide", "pays", 1, 1)
    for answers in ([], ["5", "5"]):
        with pytest.raises(ArgumentError, match="one for each part"):
            grade(found, answers)
