"""The little language of conditions and amounts."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passline.errors import LanguageError
from passline.strategies.language import amounts as a
from passline.strategies.language import conditions as c
from passline.strategies.language.grammar import amount, condition

WAGERS = st.sampled_from(["pass", "come", "place_6", "place", "all_small", "dont_come"])
NUMBERS = st.one_of(
    st.sampled_from(
        [c.Quantity(name) for name in ("point", "come_points", "hand_rolls", "rolls", "last", "own", "rolled")]
    ),
    st.builds(c.Quantity, st.sampled_from(["wins", "losses", "bets", "count_up"]), WAGERS),
    st.builds(c.Quantity, st.just("hits"), st.integers(2, 12)),
)
MONEY = st.sampled_from([c.Quantity("profit"), c.Quantity("bankroll"), c.Quantity("stake", "place_6")])
SIGNS = st.sampled_from(list(c.SIGNS))
LEAVES = st.one_of(
    st.builds(c.Fact, st.sampled_from(["always", "puck on", "puck off"])),
    st.builds(c.Fact, st.sampled_from(["seven out", "hand over", "point made", "point set"])),
    st.builds(c.Fact, st.sampled_from(["up", "open", "won", "lost", "made"]), WAGERS),
    st.builds(c.Compare, NUMBERS, SIGNS, st.integers(-3, 30).map(Fraction)),
    st.builds(c.Compare, MONEY, SIGNS, st.fractions(-30, 30, max_denominator=12)),
    st.builds(c.OneOf, NUMBERS, st.lists(st.integers(0, 12), min_size=1, max_size=4).map(tuple)),
)
CONDITIONS = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.builds(c.Not, inner),
        st.builds(c.Joined, st.sampled_from(["and", "or"]), st.lists(inner, min_size=2, max_size=3).map(tuple)),
    ),
    max_leaves=8,
)
UNITS = st.fractions(0, 50, max_denominator=12)
AMOUNTS = st.recursive(
    st.one_of(
        st.builds(a.Units, UNITS),
        st.builds(a.Times, UNITS),
        st.builds(a.Single, st.sampled_from(["max", "3-4-5", "left"])),
        st.just(a.Step("ladder")),
    ),
    lambda inner: st.one_of(
        st.builds(a.ToWin, inner),
        st.builds(a.OneOf, st.sampled_from(["least", "greatest"]), st.lists(inner, min_size=1, max_size=3).map(tuple)),
    ),
    max_leaves=6,
)


@given(CONDITIONS)
def test_a_condition_reads_back_as_what_it_was(asked: c.Condition) -> None:
    """Text and record say the same."""
    assert condition(str(asked), counts=["own"], after_roll=True) == asked


@given(AMOUNTS)
def test_an_amount_reads_back_as_what_it_was(wanted: a.Amount) -> None:
    """Text and record say the same."""
    assert amount(str(wanted), progressions=["ladder"]) == wanted


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("puck on and come_points<2", "puck on and come_points < 2"),
        ("puck off or puck on and up(pass)", "puck off or puck on and up(pass)"),
        ("(puck off or puck on) and up(pass)", "(puck off or puck on) and up(pass)"),
        ("not not up(pass)", "not not up(pass)"),
        ("not (up(pass) or up(come))", "not (up(pass) or up(come))"),
        ("point in 4..6", "point in (4, 5, 6)"),
        ("point == 6", "point = 6"),
        ("profit >= -12.5", "profit >= -25/2"),
        ("hits(6) > 1", "hits(6) > 1"),
    ],
)
def test_conditions_bind_as_people_read_them(text: str, same: str) -> None:
    """`not` before `and`, `and` before `or`, brackets before all."""
    assert str(condition(text)) == same


@pytest.mark.parametrize(
    ("text", "same"),
    [
        (6, "6"),
        ("3/2", "3/2"),
        ("1.5", "3/2"),
        ("2x", "2x"),
        ("2 * ladder", "ladder * 2"),
        ("ladder * 6 / 5", "ladder * 6/5"),
        ("ladder + 1 - max", "ladder + 1 - max"),
        ("(ladder + 1) * 2", "(ladder + 1) * 2"),
        ("least(3-4-5, max)", "least(3-4-5, max)"),
        ("to_win(1x)", "to_win(1x)"),
    ],
)
def test_amounts_read_as_sums(text: str | int, same: str) -> None:
    """Multiples before sums."""
    assert str(amount(text, progressions=["ladder"])) == same


@pytest.mark.parametrize(
    ("text", "found", "nearest"),
    [
        ("", "empty text", None),
        ("puck", "the end", None),
        ("puck onn", "`onn` at character 6", "on"),
        ("come_pionts < 2", "`come_pionts` at character 1", "come_points"),
        ("come_points < two", "`two` at character 15", None),
        ("come_points < 3/2", "`2` at character 17", None),
        ("come_points 2", "`2` at character 13", None),
        ("hits(13) > 1", "`13` at character 6", None),
        ("up(place_6", "the end", None),
        ("up place_6", "`place_6` at character 4", None),
        ("puck on puck off", "`puck` at character 9", None),
        ("point in (4, )", "`)` at character 14", None),
        ("point in 6..4", "`4` at character 13", None),
        ("won(pass)", "`won` at character 1", None),
        ("__import__('os')", "`_` at character 1", None),
        ("puck on and", "the end", None),
        ("(" * 50 + "puck on", "`(` at character 42", None),
    ],
)
def test_a_condition_that_says_nothing_is_pointed_at(text: str, found: str, nearest: str | None) -> None:
    """Where it goes wrong, what stands there, and what is near."""
    with pytest.raises(LanguageError) as caught:
        condition(text)
    assert caught.value.actual == found
    if nearest:
        assert caught.value.nearest == nearest


@pytest.mark.parametrize("text", ["", "mx", "2 +", "1 / 0", "max * max", "least()", "-1", "to_win 5", "$5", "1 2"])
def test_an_amount_that_says_nothing_is_refused(text: str) -> None:
    """Nothing is guessed."""
    with pytest.raises(LanguageError):
        amount(text)


def test_a_text_as_long_as_a_book_is_refused() -> None:
    """A limit on everything."""
    with pytest.raises(LanguageError, match="at most 2000"):
        condition("puck on and " * 500)
