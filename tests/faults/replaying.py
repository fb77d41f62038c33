"""Reads a whole journal from its beginning and says what it comes to: `python -m tests.faults.replaying JOURNAL`."""

from __future__ import annotations

import json
import sys
import time
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from passline.codec import encode_record
from passline.journal.contract import GENESIS, read_entry
from passline.journal.sql import open_journal
from passline.live.state import after, opened

if TYPE_CHECKING:
    from passline.journal.contract import Journal

LOOKED_AT_EVERY = 50
"""How often the whole table goes into the digest; the last one always does."""


def replayed(journal: Journal, name: str) -> dict[str, Any]:
    """What a table's journal comes to, entry by entry, without its snapshot."""
    digest = sha256()
    lines = journal.lines(name)
    live = opened(read_entry(next(iter(lines))))
    entries = events = 0
    previous = GENESIS
    begun = time.process_time()
    for line in journal.lines(name):
        entry = read_entry(line)
        assert entry.previous == previous, f"entry {entry.sequence} does not follow"
        previous = entry.hash
        if entries:
            live = after(live, entry)
        entries += 1
        events += len(entry.body.get("events", ()))
        if entries % LOOKED_AT_EVERY == 0:
            digest.update(encode_record(live))
    digest.update(encode_record(live))
    took = time.process_time() - begun
    books = json.dumps(journal.balances(name), sort_keys=True)
    return {
        "head": previous,
        "state": digest.hexdigest(),
        "books": sha256(books.encode()).hexdigest(),
        "entries": entries,
        "events": events,
        "seconds": took,
    }


if __name__ == "__main__":
    opened_journal = open_journal(sys.argv[1], read_only=True)
    print(json.dumps({name: replayed(opened_journal, name) for name in opened_journal.tables()}))  # noqa: T201
    opened_journal.close()
