"""How long everything has been kept, and what has been kept for longer than it must be."""

from __future__ import annotations

from passline.floor.clock import DAY, elapsed
from passline.journal.contract import Journal
from passline.journal.entries import read_entry
from passline.pit.reports.sheets import Sheet


def retention(journal: Journal, now: str, keep_days: int) -> Sheet:
    """Every stream with its first and last entry; an ended one whose last entry is old enough may go to an archive.

    Nothing is ever deleted here: a journal has no way to do that. An export with signed heads is such an archive.
    """
    rows: list[tuple[object, ...]] = []
    for name in journal.tables():
        entries = map(read_entry, journal.lines(name))
        first = last = next(entries)
        size = len(first.line)
        for last in entries:
            size += len(last.line)
        days, ended = elapsed(last.time, now) // DAY, last.kind in ("table_closed", "seed_revealed", "table_stopped")
        state = "may be archived" if ended and days > keep_days else "kept"
        rows.append((name, first.time, last.time, last.sequence, size, days, "yes" if ended else "no", state))
    columns = ("stream", "first_entry", "last_entry", "entries", "bytes", "days_since", "ended", "state")
    return Sheet("retention", columns, rows, (f"What must be kept is kept for {keep_days} days after its last entry.",))
