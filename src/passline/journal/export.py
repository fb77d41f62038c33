"""A journal as text that anybody can check, back, and from one store to another; docs/journal.md gives the form."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from passline.errors import JournalError
from passline.journal import contract
from passline.journal.contract import Entry, Head, Journal, SignedHead, Write, canonical, following, read_entry
from passline.journal.heads import signed_for

# The first had the house file in the first entry of each table; the second has each file once, before the entries.
FORMATS = ("passline/journal/1", "passline/journal/2")

WRITTEN_AT_ONCE = 500  # how many entries are imported in one transaction


def exported(journal: Journal, tables: Sequence[str], *, sign: bytes | None = None, time: str = "") -> Iterator[bytes]:
    """The lines of an export; with a key each table's last entry is signed, if it is the key that signed before."""
    ends = [_head_of(journal, table) for table in tables]
    fresh = [] if sign is None else [signed_for(journal, end, time, sign) for end in ends]
    yield canonical({"export": FORMATS[-1], "tables": list(tables)})
    for digest, text in _houses(journal, tables).items():
        yield canonical({"house": {"digest": digest, "text": text}})
    for end in ends:
        yield from journal.lines(end.table, upto=end.sequence)
    for end in ends:
        accounts = _balances(journal, end)
        yield canonical({"balances": {"table": end.table, "sequence": end.sequence, "accounts": accounts}})
    heads = [head for end in ends for head in journal.heads(end.table) if head.sequence <= end.sequence]
    known = {(head.table, head.sequence, head.key) for head in heads}
    heads += [head for head in fresh if (head.table, head.sequence, head.key) not in known]
    yield canonical({"heads": [head._asdict() for head in sorted(heads, key=lambda h: (h.table, h.sequence, h.time))]})


def _houses(journal: Journal, tables: Sequence[str]) -> dict[str, str]:
    """By digest: the house files that the first entries of these tables name and do not hold."""
    first = [read_entry(line) for table in tables for line in journal.lines(table, 0, 1)]
    named = {each.house for each in first if each.kind == "table_opened" and "house" not in each.body}
    return {digest: text for digest in sorted(named) if (text := journal.house(digest)) is not None}


def _balances(journal: Journal, end: Head) -> dict[str, int]:
    """What the store has as balances; where it has gone on meanwhile, what they were at the end that is exported."""
    accounts = journal.balances(end.table)
    return accounts if _head_of(journal, end.table) == end else journal.balances(end.table, end.sequence)


def _head_of(journal: Journal, table: str) -> Head:
    head = journal.head(table)
    if head is None:
        there = ", ".join(journal.tables()) or "none"
        raise JournalError(f"there is no table {table} in this journal; it has {there}")
    return head


# --- Back -----------------------------------------------------------------------------------------------------------


def imported(journal: Journal, lines: Iterable[bytes], tell: Callable[[int], None] = lambda _count: None) -> list[str]:
    """Write an export into a journal that has none of its tables; the names of those that came.

    Each entry must be what its hash says and follow the one before; the balances must come out as exported.
    """
    numbered = enumerate(lines, 1)
    first = _data(*next(numbered, (1, b"")))
    if first.get("export") not in FORMATS or not isinstance(first.get("tables"), list):
        raise JournalError(f'line 1: found no export of a journal; expected {{"export":"{FORMATS[-1]}","tables":[…]}}')
    for table in map(str, first["tables"]):
        if journal.head(table) is not None:
            raise JournalError(f"there is a table {table} already; import into a journal that has none")
    ends: dict[str, Head] = {}
    number = 1
    try:
        for number in _written(journal, numbered, ends, tell):  # noqa: B007 - told of below
            pass
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):  # it reads as JSON, and says rubbish
        raise JournalError(
            f"line {number + 1}, or the entries before it: not of the form that docs/journal.md gives"
        ) from None
    return sorted(ends)


def _written(
    journal: Journal, numbered: Iterator[tuple[int, bytes]], ends: dict[str, Head], tell: Callable[[int], None]
) -> Iterator[int]:
    """Write the lines of an export after the first; gives the number of each that is done with."""
    waiting: list[Entry] = []
    houses: list[str] = []
    number = 1
    for number, line in numbered:
        entry = _entry(number, line) if line.startswith(b'{"actor"') else None
        another = entry is None or (waiting and waiting[0].table != entry.table) or len(waiting) >= WRITTEN_AT_ONCE
        if waiting and another:
            _write(journal, ends, waiting, number, houses)
            tell(len(waiting))
            waiting = []
        if entry is not None:
            waiting.append(entry)
        elif line.startswith(b'{"house"'):
            house = _data(number, line)["house"]
            if contract.house_digest(house["text"]) != house["digest"]:
                raise JournalError(f"line {number}: a house file that is not the one of its digest")
            houses.append(house["text"])
        else:
            _closing(journal, _data(number, line), number)
        yield number
    if waiting:
        _write(journal, ends, waiting, number + 1, houses)


def _entry(number: int, line: bytes) -> Entry:
    try:
        entry = read_entry(line)
    except JournalError as error:
        raise JournalError(f"line {number}: {error}") from None
    if canonical(json.loads(line)) != line:
        raise JournalError(f"line {number}: entry {entry.sequence} of {entry.table} is not in canonical form")
    if not entry.actor.isprintable():
        raise JournalError(f"line {number}: the actor {entry.actor!r} is not printable; nobody can have that name")
    return entry


def _write(journal: Journal, ends: dict[str, Head], entries: list[Entry], number: int, houses: list[str]) -> None:
    head = ends.get(entries[0].table, Head(entries[0].table))
    try:
        fences = [each.body["fence"] for each in following(head, entries) if each.kind == "table_taken"]
    except JournalError as error:
        raise JournalError(f"before line {number}: {error}") from None
    write = Write(head, entries, fences[-1] if fences else head.fence, houses=houses)
    journal.append(write)
    houses.clear()
    ends[head.table] = write.end


def _closing(journal: Journal, data: dict[str, Any], number: int) -> None:
    """The lines after the entries: balances to compare, heads to keep."""
    if "balances" in data:
        table, accounts = data["balances"]["table"], data["balances"]["accounts"]
        stored = journal.balances(table)
        if stored != accounts:
            differ = sorted(name for name in {*stored, *accounts} if stored.get(name, 0) != accounts.get(name, 0))
            raise JournalError(f"line {number}: the postings of {table} do not come to its balances: {differ[0]}")
    elif "heads" in data:
        journal.sign([SignedHead(**head) for head in data["heads"]])
    else:
        raise JournalError(f"line {number}: found {sorted(data)[:3]}; expected an entry, balances or heads")


def _data(number: int, line: bytes) -> dict[str, Any]:
    try:
        data = json.loads(line)
    except (ValueError, RecursionError):
        begins = repr(line[:40].decode(errors="replace"))
        raise JournalError(f"line {number}: found {begins}; expected one JSON object, on one line") from None
    if not isinstance(data, dict):
        raise JournalError(f"line {number}: no JSON object")
    return data


# --- From one store to another --------------------------------------------------------------------------------------

# Under which names a table keeps its sealed seeds and chains, and the last epoch of a backup that was restored.
SEED, CHAIN, RESTORED = "seed/", "chain/", "restored/"


def copied(source: Journal, target: Journal, tell: Callable[[int], None] = lambda _count: None) -> list[str]:
    """Copy every table, each as it is at one moment; the target must have none of them."""
    came = imported(target, exported(source, source.tables()), tell)
    for table in came:
        head, snapshot = _head_of(target, table), source.snapshot(table)
        if snapshot is not None and snapshot.sequence > head.sequence:
            snapshot = None  # the table went on while it was copied
        target.append(Write(head, (), snapshot=snapshot, secrets=source.secrets(table)))
    return came


def restored(journal: Journal) -> None:
    """Mark what comes out of a backup: the dice of every epoch that was open then may have been seen since.

    A live table deals none of them any more: it shows their seeds and goes on with new ones.
    """
    for table in journal.tables():
        epochs = [int(name.partition("/")[2]) for name in journal.secrets(table) if name.startswith((SEED, CHAIN))]
        head = journal.head(table)
        if head is not None and epochs:
            mark = {f"{RESTORED}{head.sequence}": str(max(epochs)).encode()}
            journal.append(Write(head, (), secrets=mark))


def checked(journal: Journal, table: str) -> Iterator[int]:
    """Read a table's whole chain and compare the books with its postings; gives the sequence of each entry.

    Somebody may play on meanwhile: the chain is read to where it ended, and books that moved since are not compared.
    """
    head = journal.head(table)
    end, books = Head(table), dict[str, int]()
    lines = journal.lines(table, 0, head.sequence if head is not None else None)
    for entry in following(end, map(read_entry, lines)):
        for account, amount in contract.moved((entry,)).items():
            books[account] = books.get(account, 0) + amount
        end = Head(table, entry.sequence, entry.hash)
        yield entry.sequence
    if head is None or head[:3] != end[:3]:
        raise JournalError(f"{table} ends at entry {end.sequence}, and the store says otherwise")
    if journal.balances(table) != contract.balances(books) and journal.head(table) == head:
        raise JournalError(f"{table}: the balances are not what the postings come to")
