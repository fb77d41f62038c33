"""The service in a world of its own: whatever fails, in whatever order, the journal is right, and a seed repeats."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from passline.engine import commands as c
from passline.errors import FullError
from passline.journal.contract import read_entry
from passline.journal.memory import MemoryJournal
from passline.pit.table import LiveTable
from tests.faults.simulation import dealt_by, told
from tests.faults.tally import Tally
from tests.pit.play import KEYS, NOW, by, new_table

if TYPE_CHECKING:
    from collections.abc import Callable

    from passline.journal.contract import Write

BLOCKS = 6
WORLDS = 150


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
    """Each told twice, word for word the same; `scripts/campaign` has many more of them."""
    seeds = WORLDS // BLOCKS
    tally = simulation(block * seeds, seeds)
    exercised(tally)
    tally.least(seeds=seeds, happenings=seeds * 30, rolls=seeds * 2, taken_over=seeds // 2)


FOUND = (1951,)
"""Seeds that found something once. Other dice make other stories: what was found is tried by itself below."""


@pytest.mark.slow
@pytest.mark.parametrize("seed", FOUND)
def test_a_seed_that_found_something_finds_it_no_more(seed: int) -> None:
    """For good."""
    assert simulation(seed, 1)["seeds"] == 1


class Overtaken(MemoryJournal):
    """A store in which somebody else is first, once, when dice are to be written down."""

    meanwhile: Callable[[], None] | None = None

    def append(self, *writes: Write) -> None:
        """Let the other go first."""
        first = self.meanwhile
        if first is not None and any(entry.kind == "rolled" for write in writes for entry in write.entries):
            self.meanwhile = None
            first()
        super().append(*writes)


def test_a_roll_closed_for_nobody_in_the_place_of_one_to_be_settled_is_for_whoever_asks() -> None:
    """What seed 1951 found: Bob comes upon Ann's roll; while he settles it another does, and closes the bets again."""
    store = Overtaken()
    with dealt_by(1):
        table = new_table(store)
    other = LiveTable.open(store, "t1", time=NOW, keys=KEYS)
    anns, bobs = by("ann"), by("bob")

    def cut_off() -> None:
        raise FullError("there is no room")

    def first() -> None:
        other.catch_up()
        other.settle(NOW)
        other.close_bets(by("sam", role="stick"))

    table.do(c.Bet(1, "pass", 1_000), by("ann"))
    store.meanwhile = cut_off
    with pytest.raises(FullError):
        table.roll(anns)
    store.meanwhile = first
    table.roll(bobs)
    entries = [read_entry(line) for line in store.lines("t1")]
    assert sum(entries[-3].body["dice"]) in (4, 5, 6, 8, 9, 10), "a point, or nothing is up to be closed again"
    assert [entry.kind for entry in entries[-4:]] == ["bets_closed", "rolled", "bets_closed", "rolled"]
    assert [(entry.actor, entry.key) for entry in entries if entry.kind == "rolled"] == [
        ("ann", anns.key),
        ("bob", bobs.key),
    ]
