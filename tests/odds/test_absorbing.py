"""Absorbing chains, solved exactly."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from passline.odds.linear import THROWS, in_order, visits

chains = st.integers(1, 7).flatmap(
    lambda size: st.lists(
        st.dictionaries(st.integers(0, size - 1), st.integers(1, 5), max_size=size), min_size=size, max_size=size
    )
)


@given(chains)
def test_visits_are_what_starts_here_and_what_comes_in(rows: list[dict[int, int]]) -> None:
    """The defining equation holds in every state, whatever the shape of the chain."""
    steps = dict(enumerate(rows))
    often = visits({0: 1}, steps)
    for state in steps:
        came = sum(often[other] * Fraction(row.get(state, 0), THROWS) for other, row in steps.items())
        assert often[state] == (state == 0) + came


@given(chains)
def test_groups_come_after_all_that_lead_to_them(rows: list[dict[int, int]]) -> None:
    """No step leads back to an earlier group, and every state is in one."""
    steps = dict(enumerate(rows))
    place = {state: number for number, group in enumerate(in_order(steps)) for state in group}
    assert set(place) == set(steps)
    assert all(place[state] <= place[target] for state, row in steps.items() for target in row)


def test_a_long_chain_is_no_recursion() -> None:
    """Ten thousand states in a row are walked without a stack."""
    steps: dict[int, dict[int, int]] = {state: {state + 1: THROWS} for state in range(10_000)}
    steps[10_000] = {}
    assert visits({0: 1}, steps)[10_000] == 1
