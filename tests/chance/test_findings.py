"""The two scripts of our own findings, which every checker called whole: run again, and what each says of them now."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from passline.errors import PasslineError
from passline.live import requests as r
from passline.live.drafts import by_the_house
from passline.pit.table import LiveTable
from passline.verify.check import verify
from tests.chance import steering
from tests.chance.node import verifier
from tests.pit.play import NOW


def rows(table: LiveTable) -> tuple[set[str], set[str]]:
    """The rows of docs/dice.md that `verify` and `dice.mjs` name."""
    lines = steering.export_of(table)
    ran = verifier("export", "-", given=b"".join(lines))
    assert ran.stdout, ran.stderr
    ours = [fault.what for fault in verify(lines).faults]
    theirs = [part for fault in json.loads(ran.stdout)["faults"] for part in fault["what"].split("; ")]
    assert ran.returncode == (1 if theirs else 0)
    return {each.partition(":")[0] for each in ours}, {each.partition(":")[0] for each in theirs}


@pytest.mark.parametrize(("steer", "row"), [(steering.first, "early_end"), (steering.second, "early_end")])
def test_a_house_that_steers_every_roll_is_found(steer: Callable[[LiveTable, int], None], row: str) -> None:
    """It has its keys and its program, so it does get what it wants; it could not before somebody looks."""
    table, totals = steering.steered(steer)
    assert totals == [6, 7] * 3, "the script still steers"
    ours, theirs = rows(table)
    assert row in ours
    assert row in theirs


def test_a_box_that_ends_epochs_is_found() -> None:
    """With the entries that the product's own call wrote: of forty hands few are won, and every checker says why."""
    table, won, lost = steering.spared()
    assert won < lost / 2, f"{won} won and {lost} lost: the script still steers"
    ours, theirs = rows(table)
    assert "early_end" in ours
    assert "early_end" in theirs


def test_nobody_can_ask_for_the_end_of_an_epoch_or_give_a_seed() -> None:
    """There is no such act, nor a way to open a table at which there would be."""
    assert not {"rotate", "commit_seed", "reveal_seed"} & set(dir(LiveTable))
    assert not {"EndEpoch", "CommitSeed", "RevealSeed"} & set(dir(r))
    assert not {"table.end_epoch", "table.commit_seed", "table.reveal_seed"} & r.TABLE_ACTS.keys()
    table, _ = steering.steered(steering.second, 0)
    body = {"epoch": 3, "commitment": "ab" * 32}
    with pytest.raises(PasslineError, match="no table has an entry seed_committed"):
        table._append([by_the_house("seed_committed", body, NOW)])
