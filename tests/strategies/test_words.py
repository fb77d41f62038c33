"""Strategies in plain words."""

from __future__ import annotations

import pytest

from passline.strategies.language.grammar import amount
from passline.strategies.language.read import library, load, make
from passline.strategies.language.words import in_words


def test_molly_in_words() -> None:
    """As one player tells another."""
    assert in_words(load("three_point_molly")) == [
        "When the puck is off: 1 unit on the pass line.",
        "When a point is on: the most the house allows as odds behind the pass line.",
        "When a point is on and there are fewer than 2 come bets on numbers: 1 unit on come.",
        "Always: the most the house allows as odds on each come bet.",
    ]


@pytest.mark.parametrize(
    ("strategy", "sentence"),
    [
        ("iron_cross", "nothing on the point itself."),
        ("one_hit_and_down", "place 6 and place 8 taken down."),
        ("place_6_8_working", "place 6 and place 8 called on."),
        ("five_count", "`five` is 1, 2 or 3"),
        ("power_press", "`six` climbs 6, 12, 24, 48, 96 units: after place 6 wins one step on"),
        ("martingale_pass", "climbs 1, 2, 4, 8 … units"),
        ("labouchere_dont_pass", "`sheet` is the line 1 2 3"),
        ("hit_and_run", "The session ends 10 units ahead or 20 units behind."),
        ("darkside", "enough to win as much as the flat bet as odds laid on don't pass"),
        ("pass_345_odds", "the least of 3-4-5 times the flat bet and the most the house allows"),
        ("inside_regression", "there are no wins of the place bets in this hand"),
        ("all_tall_small", "the house takes all small"),
    ],
)
def test_the_library_in_words(strategy: str, sentence: str) -> None:
    """Each way of wanting has its words."""
    assert sentence in " ".join(in_words(load(strategy)))


def test_nothing_is_left_in_code() -> None:
    """No key of a wager shows through in any strategy of the library."""
    for strategy in library():
        told = " ".join(line.replace("`", "") for line in in_words(strategy))
        names = {part.name for part in (*strategy.counts, *strategy.progressions, *strategy.stages)}
        assert not [word for word in told.replace(",", " ").split() if "_" in word and word.strip(".:()") not in names]


def test_every_question_has_words() -> None:
    """Questions that the library does not ask."""
    conditions = [
        "not up(place)",
        "not (up(come) or rolls < 5)",
        "last = 7",
        "point != 6",
        "profit >= 10",
        "bankroll < 5",
        "stake(place_6) > 6",
        "count_up(place) < 3",
        "losses(field) <= 2",
        "bets(come) >= 1",
        "hits(6) = 0",
        "hands != 3",
        "come_points in (1, 2)",
    ]
    wants = [{"when": text, "up": {"field": "greatest(1, 2 * 3) + 1 - 1"}} for text in conditions]
    count = {"own": {"when": "won(pass) or made(come) or point set or point made or seven out or rolled = 7"}}
    told = in_words(make({"name": "x", "description": "x", "want": wants, "count": count}))
    assert len(told) == len(conditions) + 1
    assert "it is not so that the place bets is up" in told[0]
    assert "the roll is 7" in told[-1]


def test_a_sum_keeps_its_brackets() -> None:
    """What multiplies a sum, or is taken away, is all of it."""
    assert amount("6/5 * (1 + 2x)").in_words() == "6/5 times (1 unit plus 2 times the flat bet)"
    assert amount("max - (1 + 2x)").in_words().endswith("minus (1 unit plus 2 times the flat bet)")
