"""An entry is canonical, chained and its own witness."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from passline.errors import JournalError
from passline.journal.contract import GENESIS, Draft, canonical, chained, read_entry

DOCS = Path(__file__).parents[2] / "docs" / "journal.md"

DRAFT = Draft("acted", {"command": None, "names": ["Zoë", 'a"b'], "1": {"b": 2, "a": 1}}, "ann", "player", "t", "k")


def test_a_hash_is_worked_out_as_the_specification_says() -> None:
    """Tag, line feed, canonical JSON of the entry without its hash."""
    entry = chained(DRAFT, "t1", 1, GENESIS, "h")
    data = json.loads(entry.line)
    assert data.pop("hash") == entry.hash
    text = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert entry.hash == sha256(b"passline/entry/1\n" + text.encode()).hexdigest()


def test_an_entry_is_kept_in_canonical_form() -> None:
    """The line with its hash is canonical too, and reads back to the same entry."""
    entry = chained(DRAFT, "t1", 7, "0" * 64, "h")
    assert canonical(json.loads(entry.line)) == entry.line
    assert read_entry(entry.line) == entry


@pytest.mark.parametrize("field", sorted(json.loads(chained(DRAFT, "t1", 1, GENESIS, "h").line)))
def test_whatever_is_changed_in_an_entry_is_noticed(field: str) -> None:
    """Each of its fields, changed, makes it an entry that is not believed."""
    data: dict[str, Any] = json.loads(chained(DRAFT, "t1", 1, GENESIS, "h").line)
    data[field] = {"sequence": 2, "v": 2, "kind": "refused", "body": {}}.get(field, "other")
    with pytest.raises(JournalError, match=r"entry|hash"):
        read_entry(canonical(data))


@pytest.mark.parametrize("line", [b"", b"{", b"[]", b"{}", b'{"hash":"x","v":1}', b'{"hash":"x","v":1,"kind":"acted"}'])
def test_what_is_no_entry_is_said_to_be_none(line: bytes) -> None:
    """Broken lines are errors of ours, never of Python's."""
    with pytest.raises(JournalError):
        read_entry(line)


def test_the_example_of_the_specification_holds() -> None:
    """Each line of the page is an entry, chained to the one before."""
    lines = [line for line in DOCS.read_text(encoding="utf-8").splitlines() if line.startswith('{"actor"')]
    entries = [read_entry(line) for line in lines]
    assert [entry.sequence for entry in entries] == [1, 2, 3]
    assert [entry.previous for entry in entries] == [GENESIS, *(entry.hash for entry in entries[:-1])]
