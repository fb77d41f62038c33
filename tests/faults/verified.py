"""The last word of every gate: the exported journal, before a program that knows nothing of those who kept it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from passline.journal.export import exported
from passline.verify.check import verify
from tests.pit.play import KEYS, NOW

if TYPE_CHECKING:
    from passline.journal.contract import Journal
    from tests.faults.tally import Tally


def verified(journal: Journal, tally: Tally) -> None:
    """Export every table and have it verified; no fault, and not nothing."""
    lines = exported(journal, journal.tables(), sign=KEYS.sign, time=NOW)
    report = verify(line + b"\n" for line in lines)
    assert not report.faults_found, f"{report.faults_found} faults: {[str(fault) for fault in report.faults[:5]]}"
    assert report.counts["entries"]
    tally["entries_verified"] += report.counts["entries"]
