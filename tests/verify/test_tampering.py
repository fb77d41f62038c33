"""Tampering of eight kinds, a hundred places each: 800 of 800 are found."""

from __future__ import annotations

from copy import deepcopy
from random import Random
from typing import Any

import pytest

from passline.verify.check import verify
from tests.verify.building import Journal, evening, export, head
from tests.verify.tampering import TAMPERING

PLACES = 100
JOURNAL = evening()
LINES = export(JOURNAL)
KEPT = [head(JOURNAL.chained()[-1])]
"""What a player wrote down at the end."""


def test_what_nobody_touched_holds() -> None:
    """With and without heads kept elsewhere."""
    assert verify(LINES).faults == []
    report = verify(LINES, KEPT)
    assert report.holds
    assert report.counts["kept_heads"] == 1


@pytest.mark.slow
@pytest.mark.parametrize("kind", TAMPERING)
def test_tampering_is_found_wherever_it_is_done(kind: str) -> None:
    """And the report names the line where there is one."""
    found = 0
    for place in range(PLACES):
        lines, line = TAMPERING[kind](LINES, Random(f"{kind} {place}"))
        if lines == LINES:
            pytest.fail(f"{kind} {place} changed nothing")
        faults = _faults(lines)
        found += bool(faults)
        if line is not None:
            assert line in {fault["line"] for fault in faults}, (kind, place, line, faults[:3])
    assert found == PLACES


def _faults(lines: list[bytes]) -> list[dict[str, Any]]:
    """What a report says; a file that is no export any more is said to be none at its first line."""
    from passline.errors import JournalError

    try:
        return [fault._asdict() for fault in verify(lines, KEPT).faults]
    except JournalError as error:
        return [{"line": 1, "what": str(error)}]


def earlier(entries: int) -> Journal:
    """The journal as it was after so many entries, its balances too."""
    journal = deepcopy(JOURNAL)
    journal.entries = journal.entries[:entries]
    journal.accounts = {}
    for entry in journal.entries:
        for source, to, amount in entry["body"].get("postings", ()):
            journal.accounts[source] = journal.accounts.get(source, 0) - amount
            journal.accounts[to] = journal.accounts.get(to, 0) + amount
    return journal


@pytest.mark.slow
def test_an_older_copy_put_back_is_found_by_a_head_kept_elsewhere() -> None:
    """In itself it is in perfect order: only the head shows that there was more."""
    places = Random("older").sample(range(2, len(JOURNAL.entries)), PLACES)
    found = 0
    for entries in places:
        lines = export(earlier(entries))
        assert verify(lines).holds
        faults = verify(lines, KEPT).faults
        found += [(fault.table, fault.sequence, fault.field) for fault in faults] == [("t1", entries, "sequence")]
    assert found == PLACES


def test_a_journal_written_anew_holds_until_a_kept_head_is_held_against_it() -> None:
    """Whoever forges hashes and signs with a key of their own is found out by the player's head alone."""
    lines, _ = TAMPERING["write anew"](LINES, Random(1))
    assert verify(lines).holds
    (fault,) = verify(lines, KEPT).faults
    assert (fault.table, fault.sequence, fault.field) == ("t1", len(JOURNAL.entries), "hash")
