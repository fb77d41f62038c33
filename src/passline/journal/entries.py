"""One entry of a table's journal: an act whole, chained to the one before it by its hash."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from hashlib import sha256
from json.encoder import encode_basestring as _text
from typing import TYPE_CHECKING

from passline.errors import JournalError
from passline.live.entries import KINDS, Draft, Entry, Kind

if TYPE_CHECKING:
    from passline.journal.contract import Head

__all__ = ["Draft", "Entry", "Kind", "canonical", "chained", "hash_in", "in_a_chain", "now", "read_entry"]

GENESIS = "0" * 64
"""What the first entry of a table has before it."""

TAG = b"passline/entry/1\n"
"""What is hashed before an entry, so that its hash is never the hash of anything else."""

VERSION = 1
"""The version in which entries are written today."""

KEY_CHARACTERS_MAX = 200
"""The longest key an act may have."""

LINE_BYTES_MAX = 16 * 1024 * 1024
"""The longest entry; a house file of a megabyte fits easily."""


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
_BEGUN = sha256(TAG)
"""The hash of an entry before there is any of it."""


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


def in_a_chain(head: Head, house: str, drafts: Iterable[Draft]) -> list[Entry]:
    """Drafts as entries, each after the one before, at the end of a chain."""
    entries: list[Entry] = []
    sequence, previous = head.sequence, head.hash
    for draft in drafts:
        sequence += 1
        entries.append(chained(draft, head.table, sequence, previous, house))
        previous = entries[-1].hash
    return entries


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
        return Entry(**{name: data[name] for name in _KEPT}, line=raw)
    except KeyError as error:
        raise JournalError(f"{where}: {error} is missing") from None


def hash_in(line: bytes) -> str:
    """The hash that stands in a kept entry."""
    return line.rpartition(b',"hash":"')[2][:64].decode()


_KEPT = Entry._fields[:-1]
