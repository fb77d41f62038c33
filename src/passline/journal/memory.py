"""A journal in memory: for tests, and to show what the others must do."""

from collections.abc import Iterator, Mapping, Sequence
from threading import Condition
from typing import Any

from passline.errors import BehindError, FencedError, KeyTakenError, OverdrawnError
from passline.journal.contract import (
    HOUSE_ACCOUNTS,
    SEQUENCE_MAX,
    Head,
    SignedHead,
    Snapshot,
    Write,
    balances,
    house_digest,
    moved,
    read_entry,
)


class _Stream:
    def __init__(self, table: str) -> None:
        self.head = Head(table)
        self.lines: list[bytes] = []
        self.keys: dict[str, int] = {}
        self.accounts: dict[str, int] = {}
        self.secrets: dict[str, bytes] = {}
        self.signed: list[SignedHead] = []
        self.snapshots: list[Snapshot] = []


class MemoryJournal:
    """Everything in dictionaries; gone with the process."""

    shared = False
    broken: str | None = None

    def __init__(self) -> None:
        self._houses: dict[str, str] = {}
        self._streams: dict[str, _Stream] = {}
        self._changed = Condition()

    def append(self, *writes: Write) -> None:
        """Look at all of it first, then write it."""
        with self._changed:
            for write in writes:
                self._may(write)
            for write in writes:
                self._do(write)
            self._changed.notify_all()

    def _may(self, write: Write) -> None:
        wanted, stream = write.head, self._of(write.head.table)
        now = stream.head
        if now.fence != wanted.fence:
            raise FencedError(f"{wanted.table} was taken over: fence {wanted.fence} is held, {now.fence} is due")
        for entry in write.entries:
            if entry.key is not None and entry.key in stream.keys:
                raise KeyTakenError(f"{wanted.table}: there is an entry under {entry.key!r}")
        if now != wanted:
            raise BehindError(f"{wanted.table} has {now.sequence} entries, not {wanted.sequence}")
        for account, more in moved(write.entries).items():
            if stream.accounts.get(account, 0) + more < 0 and account not in HOUSE_ACCOUNTS:
                raise OverdrawnError(f"{wanted.table}: {account} would be below zero")

    def _do(self, write: Write) -> None:
        stream = self._streams.setdefault(write.head.table, _Stream(write.head.table))
        for entry in write.entries:
            stream.lines.append(entry.line)
            if entry.key is not None:
                stream.keys[entry.key] = entry.sequence
        for account, more in moved(write.entries).items():
            stream.accounts[account] = stream.accounts.get(account, 0) + more
        stream.head = write.end
        stream.snapshots += [write.snapshot] if write.snapshot else []
        stream.secrets.update(write.secrets or {})
        self._houses.update((house_digest(text), text) for text in write.houses)

    def _of(self, table: str) -> _Stream:
        return self._streams.get(table) or _Stream(table)

    def head(self, table: str) -> Head | None:
        return self._streams[table].head if table in self._streams else None

    def tables(self) -> list[str]:
        return sorted(self._streams)

    def lines(self, table: str, after: int = 0, upto: int | None = None) -> Iterator[bytes]:
        yield from self._of(table).lines[after:upto]

    def under_key(self, table: str, key: str) -> bytes | None:
        stream = self._of(table)
        return stream.lines[stream.keys[key] - 1] if key in stream.keys else None

    def snapshot(self, table: str, upto: int = SEQUENCE_MAX) -> Snapshot | None:
        return next((each for each in reversed(self._of(table).snapshots) if each.sequence <= upto), None)

    def secret(self, table: str, name: str) -> bytes | None:
        return self._of(table).secrets.get(name)

    def secrets(self, table: str) -> dict[str, bytes]:
        return dict(self._of(table).secrets)

    def house(self, digest: str) -> str | None:
        return self._houses.get(digest)

    def balances(self, table: str, at: int | None = None) -> dict[str, int]:
        stream = self._of(table)
        return balances(stream.accounts if at is None else moved(map(read_entry, stream.lines[:at])))

    def sign(self, heads: Sequence[SignedHead]) -> None:
        for head in heads:
            self._streams[head.table].signed.append(head)

    def heads(self, table: str) -> list[SignedHead]:
        return sorted(self._of(table).signed, key=lambda head: (head.sequence, head.time))

    def ends(self) -> dict[str, int]:
        return {name: stream.head.sequence for name, stream in sorted(self._streams.items())}

    def wait(self, known: Mapping[str, int], timeout_s: float) -> dict[str, int]:
        with self._changed:
            self._changed.wait_for(lambda: self.ends() != known, timeout_s)
            return self.ends()

    def saved(self, table: str) -> dict[str, Any]:
        """All of one stream as JSON takes it, for a device that keeps it."""
        stream = self._streams[table]
        return {
            "table": table,
            "fence": stream.head.fence,
            "lines": [line.decode() for line in stream.lines],
            "secrets": {name: value.hex() for name, value in stream.secrets.items()},
            "signed": [list(head) for head in stream.signed],
        }

    def restore(self, saved: Mapping[str, Any]) -> None:
        """A stream as it was saved; keys and accounts are those of its entries."""
        stream = self._streams[saved["table"]] = _Stream(saved["table"])
        stream.lines = [line.encode() for line in saved["lines"]]
        entries = [read_entry(line) for line in stream.lines]
        stream.keys = {entry.key: entry.sequence for entry in entries if entry.key is not None}
        stream.accounts = moved(entries)
        stream.secrets = {name: bytes.fromhex(value) for name, value in saved["secrets"].items()}
        stream.signed = [SignedHead(*head) for head in saved["signed"]]
        if entries:
            stream.head = Head(saved["table"], entries[-1].sequence, entries[-1].hash, saved["fence"])

    def houses(self) -> dict[str, str]:
        return dict(self._houses)

    def restore_houses(self, houses: Mapping[str, str]) -> None:
        self._houses.update(houses)

    def close(self) -> None:
        """Nothing is held."""
