"""A table of a journal as a record that can be replayed, and as columns that can be analysed."""

from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, cast

from passline.codec import from_data
from passline.engine.commands import Command
from passline.engine.table import Notice
from passline.errors import HouseFileError, JournalError, NoRecordError
from passline.files.toml import tree
from passline.journal.contract import Entry, Journal, house_file, read_entry
from passline.record.notice import default_notice
from passline.record.record import can_be_written, write_record
from passline.rulebooks.catalogue import house_files
from passline.rulebooks.read import book_of

# One row an event: who asked, what happened, the figures most people want; amounts are minor units.
COLUMNS: dict[str, type] = {
    "table": str,
    "sequence": int,
    "time": str,
    "actor": str,
    "role": str,
    "kind": str,
    "event": str,
    "seat": int,
    "wager": str,
    "amount": int,
    "stake": int,
    "won": int,
    "commission": int,
    "first": int,
    "second": int,
    "clause": str,
}

# The fields that say how much moved, in the order in which they are looked for.
AMOUNTS = ("amount", "buyin", "added", "removed", "cashed", "held")

# Acts of the floor that move nothing, and that later bets hang on.
BINDS_BETS = frozenset(("floor.sign_player_limits",))


@lru_cache(maxsize=16)
def built_in_id(text: str) -> str | None:
    """The id of the house that comes with the program and has this very file, if there is one."""
    return next((house for house, path in house_files().items() if path.read_bytes().decode() == text), None)


def record_of(
    journal: Journal,
    table: str,
    house: str | None = None,
    *,
    upto: int | None = None,
    tells: Callable[[Entry], bool] = lambda _entry: True,
) -> str:
    """The record of a table; `house` is what it calls its house, for one that does not come with the program.

    What somebody was refused changed nothing: `tells` says of which entries it has what was asked for in vain.
    """
    entries = map(read_entry, journal.lines(table, 0, upto))
    first = next(entries, None)
    if first is None or first.kind != "table_opened":
        raise JournalError(f"there is no table {table} in this journal")
    body, text = first.body, house_file(journal, first)
    book = book_of(tree(text, "house file", "a house file", HouseFileError), "house file")
    chips, notice = tuple(body["chips"]), cast("Notice", from_data(body["notice"]))
    base = default_notice(book, chips)
    commands = [
        command
        for entry in entries
        for command in commands_of(entry)
        if entry.kind != "refused"
        # What the floor refused the game alone would have allowed.
        or (tells(entry) and not _of_floor(entry.body["refusal"]["code"]) and can_be_written(command, book, base))
    ]
    return write_record(built_in_id(text) or house or book.id, book, notice, chips, commands)


def commands_of(entry: Entry) -> Iterator[Command]:
    if entry.kind == "corrected" and entry.body["command"] is None:
        raise NoRecordError(
            f"entry {entry.sequence} of {entry.table} reverses chips that were bought; no record can say that"
        )
    command = entry.body.get("command")
    if isinstance(command, dict) and _of_floor(command.get("kind")):
        if entry.kind == "floor_acted" and (entry.body["events"] or command["kind"] in BINDS_BETS):
            raise NoRecordError(
                f"entry {entry.sequence} of {entry.table} is an act of the floor that the game hangs on;"
                " no record can say that: export the journal as text"
            )
        return
    for data in entry.body["commands"] if entry.kind == "roll_voided" else [command]:
        if data is not None:
            yield cast("Command", from_data(data))


def _of_floor(name: object) -> bool:
    return str(name).startswith("floor.")


def rows_of(journal: Journal, table: str) -> Iterator[dict[str, Any]]:
    """The events of a table, one row each."""
    for entry in map(read_entry, journal.lines(table)):
        about = {name: getattr(entry, name) for name in ("table", "sequence", "time", "actor", "role", "kind")}
        events: list[dict[str, Any]] = entry.body.get("events") or [{}]
        for event in events:
            moved = next((event[name] for name in AMOUNTS if name in event), None)
            row = {**dict.fromkeys(COLUMNS), **{name: event[name] for name in COLUMNS if name in event}, **about}
            yield {**row, "event": event.get("kind", "").removeprefix("event.") or None, "amount": moved}


def write_parquet(journal: Journal, tables: list[str], path: Path) -> int:
    """Write the events of tables as Parquet; how many there were."""
    import polars as pl

    kinds = {str: pl.String, int: pl.Int64}
    schema = {name: kinds[kind] for name, kind in COLUMNS.items()}
    frame = pl.DataFrame([row for table in tables for row in rows_of(journal, table)], schema=schema)
    frame.write_parquet(path)
    return len(frame)
