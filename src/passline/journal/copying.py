"""A journal copied whole from one store to another, secrets and all: the same bytes, whatever keeps them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from passline.errors import JournalError
from passline.journal.contract import Journal, Write, balances, moved
from passline.journal.export import exported, imported

SEED, RESTORED = "seed/", "restored/"
"""Under which names a table keeps its sealed seeds, and the last epoch that a backup had when it was restored."""


def copied(source: Journal, target: Journal, tell: Callable[[int], None] = lambda _count: None) -> list[str]:
    """Copy every table, each as it is at one moment; the target must have none of them."""
    tables = source.tables()
    came = imported(target, exported(source, tables), tell)
    for table in came:
        _beside(source, target, table)
    return came


def _beside(source: Journal, target: Journal, table: str) -> None:
    """What is kept beside a table's journal."""
    head = target.head(table)
    if head is None:
        raise JournalError(f"{table} was not copied")
    snapshot = source.snapshot(table)
    if snapshot is not None and snapshot.sequence > head.sequence:
        snapshot = None  # the table went on while it was copied
    target.append(Write(head, (), snapshot=snapshot, secrets=source.secrets(table)))


def restored(journal: Journal) -> None:
    """Mark what comes out of a backup: the dice of every epoch that was open then may have been seen since.

    A live table deals none of them any more: it shows their seeds and goes on with new ones.
    """
    for table in journal.tables():
        epochs = [int(name.removeprefix(SEED)) for name in journal.secrets(table) if name.startswith(SEED)]
        head = journal.head(table)
        if head is not None and epochs:
            mark = {f"{RESTORED}{head.sequence}": str(max(epochs)).encode()}
            journal.append(Write(head, (), secrets=mark))


def checked(journal: Journal, table: str) -> Iterator[int]:
    """Read a table's whole chain and compare the books with its postings; gives the sequence of each entry.

    Somebody may play on meanwhile: the chain is read to where it ended, and books that moved since are not compared.
    """
    from passline.journal.entries import GENESIS, read_entry

    head = journal.head(table)
    previous, sequence = GENESIS, 0
    books: dict[str, int] = {}
    for line in journal.lines(table, 0, head.sequence if head is not None else None):
        entry = read_entry(line)
        if (entry.sequence, entry.previous) != (sequence + 1, previous):
            raise JournalError(f"{table}: entry {entry.sequence} does not follow entry {sequence}")
        previous, sequence = entry.hash, entry.sequence
        for account, amount in moved((entry,)).items():
            books[account] = books.get(account, 0) + amount
        yield sequence
    if head is None or (head.sequence, head.hash) != (sequence, previous):
        raise JournalError(f"{table} ends at entry {sequence}, and the store says otherwise")
    if journal.balances(table) != balances(books) and journal.head(table) == head:
        raise JournalError(f"{table}: the balances are not what the postings come to")
