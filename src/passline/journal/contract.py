"""Entries in their chain, as they are written and read, and what every store of them must do."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from json.encoder import encode_basestring as _text
from typing import NamedTuple, Protocol

from passline.errors import JournalError
from passline.live.entries import KINDS, Draft, Entry, Kind, SignedHead

GENESIS = "0" * 64
TAG = b"passline/entry/1\n"  # what is hashed before an entry, so that its hash is never the hash of anything else

VERSION = 1
KEY_CHARACTERS_MAX = 200
LINE_BYTES_MAX = 16 * 1024 * 1024  # the longest entry; a house file of a megabyte fits easily


def canonical(data: object) -> bytes:
    """JSON in one way only: names in order, no spaces, UTF-8; whole numbers and text, never a float."""
    return _dumps(data).encode()


_ENCODER = json.JSONEncoder(
    sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False, check_circular=False
)


def _written() -> Callable[[object], str]:
    """How JSON is written; the encoder in C is made once, and not anew for every entry, where Python has one."""
    make = getattr(json.encoder, "c_make_encoder", None)
    if make is None:
        return _ENCODER.encode
    pieces = make(None, _ENCODER.default, _text, None, ":", ",", True, False, False)  # noqa: FBT003 - as the module does
    return lambda data: "".join(pieces(data, 0))


_dumps = _written()
_BEGUN = sha256(TAG)  # the hash of an entry before there is any of it


def chained(draft: Draft, table: str, sequence: int, previous: str, house: str) -> Entry:
    """Give a draft its place: after the entry whose hash is `previous`."""
    kind, body, actor, role, time, key = draft
    # The names in their canonical order, so that the hash is put where it belongs without writing the entry twice.
    before = f'{{"actor":{_text(actor)},"body":{_dumps(body)},'.encode()
    after = (
        f'"house":{_text(house)},"key":{"null" if key is None else _text(key)},"kind":"{kind}",'
        f'"previous":"{previous}","role":{_text(role)},"sequence":{sequence},"table":{_text(table)},'
        f'"time":{_text(time)},"v":{VERSION}}}'
    ).encode()
    begun = _BEGUN.copy()
    begun.update(before)
    begun.update(after)
    digest = begun.hexdigest()
    line = b'%b"hash":"%b",%b' % (before, digest.encode(), after)
    return Entry(table, sequence, previous, kind, house, actor, role, key, time, body, digest, line)


def in_a_chain(head: "Head", house: str, drafts: Iterable[Draft]) -> list[Entry]:
    """Drafts as entries, each after the one before, at the end of a chain."""
    entries: list[Entry] = []
    sequence, previous = head.sequence, head.hash
    for draft in drafts:
        sequence += 1
        entries.append(chained(draft, head.table, sequence, previous, house))
        previous = entries[-1].hash
    return entries


def following(head: "Head", entries: Iterable[Entry]) -> Iterator[Entry]:
    """Entries that go on from the end of a chain, each after the one before; one that does not is an error."""
    sequence, previous = head.sequence, head.hash
    for entry in entries:
        if (entry.sequence, entry.previous) != (sequence + 1, previous):
            raise JournalError(f"{head.table}: entry {entry.sequence} does not follow entry {sequence}")
        sequence, previous = entry.sequence, entry.hash
        yield entry


def now() -> str:
    """The time, as entries write it; two of them compare as text."""
    return datetime.now(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def read_entry(line: bytes | str) -> Entry:
    """Read a kept entry, and see that it is what its hash says."""
    raw = line.encode() if isinstance(line, str) else line
    try:
        data = json.loads(raw)
    except (ValueError, RecursionError):
        begins = repr(raw[:40].decode(errors="replace"))
        raise JournalError(f"an entry that is no JSON object: it begins with {begins}") from None
    if not isinstance(data, dict) or "hash" not in data:
        raise JournalError("a line that is no entry: it has no hash")
    where = f"entry {data.get('sequence')} of {data.get('table')}"
    if data.get("v") != VERSION:
        raise JournalError(f"{where}: version {data.get('v')}; this Passline reads version {VERSION}")
    if data.get("kind") not in KINDS:
        raise JournalError(f"{where}: a kind {data.get('kind')!r} that this Passline does not know")
    # What is hashed is the line without its hash. Nothing after that is an object, so it is the last of that name.
    before, hashed, after = raw.rpartition(b',"hash":"')
    if not hashed or sha256(TAG + before + after[65:]).hexdigest() != data["hash"]:
        raise JournalError(f"{where}: its hash is not its own: something in it was changed")
    try:
        return Entry(**{name: data[name] for name in _FIELDS}, line=raw)
    except KeyError as error:
        raise JournalError(f"{where}: {error} is missing") from None


def hash_in(line: bytes) -> str:
    return line.rpartition(b',"hash":"')[2][:64].decode()


def kind_in(line: bytes) -> str:
    return line.rpartition(b',"previous":"')[0].rpartition(b',"kind":"')[2][:-1].decode()


_FIELDS = Entry._fields[:-1]


# The accounts that may be below zero; all others are players'.
HOUSE_ACCOUNTS = ("bank", "breakage", "cage", "cash", "promotions", "tables")


class Head(NamedTuple):
    """Where the chain of a table ends, and who may write on."""

    table: str
    sequence: int = 0
    hash: str = GENESIS
    fence: int = 0  # how often the table has been taken over: a writer who holds a lower one is refused


class Snapshot(NamedTuple):
    """A table as it stood after an entry, so that opening it need not begin at the beginning."""

    sequence: int  # the entry that vouches for it: `table_counted`
    line: bytes


SEQUENCE_MAX = 2**63 - 1  # the last entry that there could be


class Write(NamedTuple):
    """What is written for one table in one transaction."""

    head: Head  # where the writer believes the chain ends
    entries: Sequence[Entry]  # in order; none where only something is kept beside the journal
    fence: int | None = None  # the fence from here on, where the table is taken over
    snapshot: Snapshot | None = None
    # What is kept beside the journal and never leaves it: sealed seeds, readings of dice not yet shown.
    secrets: Mapping[str, bytes] | None = None
    # The house files that its entries name by their digest; each is kept once, whoever writes it.
    houses: Sequence[str] = ()

    @property
    def end(self) -> Head:
        last = self.entries[-1] if self.entries else self.head
        fence = self.head.fence if self.fence is None else self.fence
        return Head(self.head.table, last.sequence, last.hash, fence)


class Journal(Protocol):
    """The journals of any number of tables, with their books."""

    shared: bool  # whether other processes write to it too, so that what is in memory may be behind

    # Why nothing is written any more, after a failure that left its state unknown; None while it can be.
    broken: str | None

    def append(self, *writes: Write) -> None:
        """Write all of this, durable when the call returns, or none of it.

        Whatever `postings` the entries carry is booked to the table's accounts in the same transaction. Raises
        `BehindError`, `FencedError`, `KeyTakenError` or `OverdrawnError` when it must not be written; nothing is then.
        """

    def head(self, table: str) -> Head | None: ...
    def tables(self) -> list[str]: ...
    def lines(self, table: str, after: int = 0, upto: int | None = None) -> Iterator[bytes]: ...
    def under_key(self, table: str, key: str) -> bytes | None: ...
    def snapshot(self, table: str, upto: int = SEQUENCE_MAX) -> Snapshot | None:
        """The last snapshot of a table that was made at an entry, or before it, if it is still there."""

    def secret(self, table: str, name: str) -> bytes | None: ...
    def secrets(self, table: str) -> dict[str, bytes]:
        """All that is kept beside a table's journal, by name: for a copy, never for an export."""

    def house(self, digest: str) -> str | None:
        """The house file of this digest, where it is kept apart from the entries."""

    def balances(self, table: str, at: int | None = None) -> dict[str, int]:
        """What lies in each account that is not empty: as stored, or as the postings up to an entry come to."""

    def sign(self, heads: Sequence[SignedHead]) -> None: ...
    def heads(self, table: str) -> list[SignedHead]: ...
    def ends(self) -> dict[str, int]: ...
    def wait(self, known: Mapping[str, int], timeout_s: float) -> dict[str, int]:
        """Sleep until a table ends elsewhere than is known, or so long; where each ends then."""

    def close(self) -> None: ...


def opening_of(journal: Journal, table: str) -> Entry:
    line = next(iter(journal.lines(table, 0, 1)), None)
    if line is None:
        there = ", ".join(journal.tables()) or "none"
        raise JournalError(f"there is no table {table} in this journal; it has {there}")
    return read_entry(line)


def house_digest(text: str) -> str:
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
                no = f"a posting of {amount}; each moves something"
                raise JournalError(f"{entry.table}, entry {entry.sequence}: {no}")
            more[source] = more.get(source, 0) - amount
            more[to] = more.get(to, 0) + amount
    return more


def balances(accounts: Mapping[str, int]) -> dict[str, int]:
    """What lies in each account that is not empty, in the order of their names."""
    return {account: amount for account, amount in sorted(accounts.items()) if amount}


__all__ = [
    "Draft",
    "Entry",
    "Kind",
    "SignedHead",
    "canonical",
    "chained",
    "hash_in",
    "in_a_chain",
    "kind_in",
    "now",
    "read_entry",
]
