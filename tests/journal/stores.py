"""Stores to try, and entries to try them with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from passline.journal.contract import Draft, Head, Write, in_a_chain

if TYPE_CHECKING:
    from collections.abc import Iterable

    from passline.journal.contract import Entry, Journal, Kind

HOUSE = "ab" * 32


def entries_after(head: Head, *drafts: Draft) -> tuple[Entry, ...]:
    """Drafts put at the end of a chain."""
    return tuple(in_a_chain(head, HOUSE, drafts))


def draft(key: str | None = None, postings: Iterable[tuple[str, str, int]] = (), kind: Kind = "acted") -> Draft:
    """An act, with whatever it moves."""
    body: dict[str, Any] = {"postings": [list(posting) for posting in postings]}
    return Draft(kind, body, "ann", "player", "2026-11-15T20:00:00Z", key)


def write(store: Journal, table: str, *drafts: Draft) -> Head:
    """Write acts at the end of a table as it is, and give back the new end."""
    head = store.head(table) or Head(table)
    entries = entries_after(head, *drafts)
    store.append(Write(head, entries))
    return Head(table, entries[-1].sequence, entries[-1].hash, head.fence)
