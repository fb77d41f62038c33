"""What every store of journals does, whatever it is made of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import NamedTuple, Protocol

from passline.errors import JournalError
from passline.journal.entries import GENESIS, Entry, read_entry

HOUSE_ACCOUNTS = ("bank", "breakage", "cage", "cash", "promotions", "tables")
"""The accounts that may be below zero; all others are players'."""


class Head(NamedTuple):
    """Where the chain of a table ends, and who may write on."""

    table: str
    sequence: int = 0
    hash: str = GENESIS
    fence: int = 0
    """How often the table has been taken over: a writer who holds a lower one is refused."""


class Snapshot(NamedTuple):
    """A table as it stood after an entry, so that opening it need not begin at the beginning."""

    sequence: int
    """The entry that vouches for it: `table_counted`."""
    line: bytes


class SignedHead(NamedTuple):
    """The house's word that a table's entry had this hash."""

    table: str
    sequence: int
    hash: str
    time: str
    key: str
    """The public key, in hexadecimal."""
    signature: str


class Write(NamedTuple):
    """What is written for one table in one transaction."""

    head: Head
    """Where the writer believes the chain ends."""
    entries: Sequence[Entry]
    """In order; none where only something is kept beside the journal."""
    fence: int | None = None
    """The fence from here on, where the table is taken over."""
    snapshot: Snapshot | None = None
    secrets: Mapping[str, bytes] | None = None
    """What is kept beside the journal and never leaves it: sealed seeds, readings of dice not yet shown."""
    houses: Sequence[str] = ()
    """The house files that its entries name by their digest; each is kept once, whoever writes it."""

    @property
    def end(self) -> Head:
        """Where the chain ends when this is written."""
        last = self.entries[-1] if self.entries else self.head
        fence = self.head.fence if self.fence is None else self.fence
        return Head(self.head.table, last.sequence, last.hash, fence)


class Journal(Protocol):
    """The journals of any number of tables, with their books."""

    shared: bool
    """Whether other processes write to it too, so that what is in memory may be behind."""

    broken: str | None
    """Why nothing is written any more, after a failure that left its state unknown; None while it can be."""

    def append(self, *writes: Write) -> None:
        """Write all of this, durable when the call returns, or none of it.

        Whatever `postings` the entries carry is booked to the table's accounts in the same transaction. Raises
        `BehindError`, `FencedError`, `KeyTakenError` or `OverdrawnError` when it must not be written; nothing is then.
        """

    def head(self, table: str) -> Head | None:
        """Where a table's chain ends; None where there is no such table."""

    def tables(self) -> list[str]:
        """The names of all tables, in order."""

    def lines(self, table: str, after: int = 0, upto: int | None = None) -> Iterator[bytes]:
        """The entries of a table as they are kept, in order, unread."""

    def under_key(self, table: str, key: str) -> bytes | None:
        """The entry that was written under a key."""

    def snapshot(self, table: str) -> Snapshot | None:
        """The last snapshot of a table."""

    def secret(self, table: str, name: str) -> bytes | None:
        """What is kept beside a table's journal under this name."""

    def secrets(self, table: str) -> dict[str, bytes]:
        """All that is kept beside a table's journal, by name: for a copy, never for an export."""

    def house(self, digest: str) -> str | None:
        """The house file of this digest, where it is kept apart from the entries."""

    def balances(self, table: str, at: int | None = None) -> dict[str, int]:
        """What lies in each account that is not empty: as stored, or as the postings up to an entry come to."""

    def sign(self, heads: Sequence[SignedHead]) -> None:
        """Keep signed heads."""

    def heads(self, table: str) -> list[SignedHead]:
        """The signed heads of a table, in order."""

    def ends(self) -> dict[str, int]:
        """The sequence of every table's last entry."""

    def wait(self, known: Mapping[str, int], timeout_s: float) -> dict[str, int]:
        """Sleep until a table ends elsewhere than is known, or so long; where each ends then."""

    def close(self) -> None:
        """Let go of whatever is held."""


def opening_of(journal: Journal, table: str) -> Entry:
    """The first entry of a table: what it was opened with."""
    line = next(iter(journal.lines(table, 0, 1)), None)
    if line is None:
        there = ", ".join(journal.tables()) or "none"
        raise JournalError(f"there is no table {table} in this journal; it has {there}")
    return read_entry(line)


def house_digest(text: str) -> str:
    """What an entry calls a house file."""
    return sha256(text.encode()).hexdigest()


def house_file(journal: Journal, opening: Entry) -> str:
    """The house file that a table is played by; before files were kept apart, its first entry had it whole."""
    text = opening.body.get("house") or journal.house(opening.house)
    if text is None or house_digest(text) != opening.house:
        raise JournalError(f"{opening.table}: the journal has no house file {opening.house}, or one that was changed")
    return str(text)


def moved(entries: Iterable[Entry]) -> dict[str, int]:
    """What each account has more, or less, after these entries."""
    more: dict[str, int] = {}
    for entry in entries:
        for source, to, amount in entry.body.get("postings", ()):
            if amount <= 0:
                raise JournalError(
                    f"{entry.table}, entry {entry.sequence}: a posting of {amount}; each moves something"
                )
            more[source] = more.get(source, 0) - amount
            more[to] = more.get(to, 0) + amount
    return more


def balances(accounts: Mapping[str, int]) -> dict[str, int]:
    """What lies in each account that is not empty, in the order of their names."""
    return {account: amount for account, amount in sorted(accounts.items()) if amount}
