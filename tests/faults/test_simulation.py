"""The service in a world of its own: whatever fails, in whatever order, the journal is right, and a seed repeats."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.faults.simulation import told
from tests.faults.tally import Tally

if TYPE_CHECKING:
    from collections.abc import Callable

BLOCKS = 6


def simulation(first: int, seeds: int) -> Tally:
    """Tell the story of each seed twice."""
    tally = Tally("simulation", first)
    for seed in range(first, first + seeds):
        try:
            story, counts = told(seed)
            again, _ = told(seed)
        except BaseException as error:
            error.add_note(f"seed {seed} of the simulation")
            raise
        assert story == again, f"seed {seed} tells two stories"
        tally["seeds"] += 1
        for what, number in counts.items():
            tally[what] += number
    return tally


@pytest.mark.slow
@pytest.mark.parametrize("block", range(BLOCKS))
def test_nothing_goes_wrong_in_any_world(block: int, exercised: Callable[[Tally], None]) -> None:
    """300 of them in all, each told twice, word for word the same."""
    seeds = 300 // BLOCKS
    tally = simulation(block * seeds, seeds)
    exercised(tally)
    tally.least(seeds=seeds, happenings=seeds * 30, rolls=seeds * 2, taken_over=seeds // 2)


FOUND = (1951,)
"""Seeds that found something once: a roll closed for nobody in the place of another's that was to be settled first."""


@pytest.mark.parametrize("seed", FOUND)
def test_a_seed_that_found_something_finds_it_no_more(seed: int) -> None:
    """For good."""
    assert simulation(seed, 1)["seeds"] == 1
