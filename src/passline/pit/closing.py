"""Closing a table for good: what stands against it, and the last entry."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from passline.engine.layout import Layout
from passline.errors import LiveTableError
from passline.floor.signs import for_good
from passline.journal.entries import Entry
from passline.pit.plans import by_the_house, refused, said

if TYPE_CHECKING:
    from passline.pit.live import Live
    from passline.pit.plans import Ask, Planned


def closed(live: Live, layout: Layout, ask: Ask | None, time: str, *, hosted: bool) -> Planned:
    """The last entry, by whoever closes the table, or a refusal; for the house, which asks nobody, an error."""
    no = for_good(layout, live.table, rolling=live.announced is not None, hosted=hosted)
    if no is None:
        return by_the_house("table_closed", {}, time) if ask is None else said("table_closed", {}, ask)
    if ask is None:
        raise LiveTableError(f"The table cannot be closed. {no.message}")
    return refused(ask, no, None, _asked(hosted=hosted))


def is_close(entry: Entry, *, hosted: bool) -> bool:
    """Whether an entry answers whoever asks for this."""
    return entry.kind == "table_closed" or bool(entry.body.get("asked") == _asked(hosted=hosted))


def _asked(*, hosted: bool) -> dict[str, Any]:
    return {"close": {"hosted": hosted}}
