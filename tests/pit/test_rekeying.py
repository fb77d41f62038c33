"""Another signing key: whatever is still written says so, and whoever checks follows it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from passline.engine import commands as c
from passline.errors import OtherKeysError
from passline.journal import heads
from passline.journal.contract import Head, Write, canonical, read_entry
from passline.journal.export import exported
from passline.journal.heads import public, rename_signer, signed
from passline.journal.memory import MemoryJournal
from passline.journal.sqlite import SqliteJournal
from passline.pit.keys import new_keys, read_keys, rekey
from passline.pit.people.people import People
from passline.pit.table import LiveTable
from passline.verify.chain import entry_hash
from passline.verify.check import verify
from passline.verify.heads import has_assent
from tests.cli.running import refused, run
from tests.pit.play import KEYS, NOW, by, new_table

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from passline.journal.contract import Journal

LATER = "2026-11-16T20:00:00Z"


@pytest.fixture
def keys(tmp_path: Path) -> Path:
    """The house's keys in a file."""
    path = tmp_path / "keys.json"
    path.write_text(json.dumps({"seal": KEYS.seal.hex(), "sign": KEYS.sign.hex()}))
    path.chmod(0o600)
    return path


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    """A table that goes on, one that is over, people and a cage."""
    store = SqliteJournal(tmp_path / "pit.db")
    People(store, NOW).sign_with(KEYS.sign, NOW)
    heads.begin(store, "cage", "cage_opened", NOW)
    heads.name_signer(store, "cage", KEYS.sign, NOW)
    new_table(store).roll(by())
    over = LiveTable.create(store, "t2", time=NOW, keys=KEYS)
    over.do(c.Sit(1, "Bob", 1000), by("bob"))
    over.close(NOW)
    yield store
    store.close()


def export(journal: Journal, sign: bytes) -> list[bytes]:
    """Everything, signed to its end."""
    return [line + b"\n" for line in exported(journal, journal.tables(), sign=sign, time=LATER)]


def test_a_new_key_signs_in_the_place_of_the_old(journal: Journal, keys: Path) -> None:
    """Tables, people and cage go on under it, what is over stays as it was, and the whole is believed by either key."""
    done = rekey(journal, keys, LATER)
    assert (done.before, done.streams) == (public(KEYS.sign), ["cage", "t1", "people"])
    now = read_keys(keys)
    assert (public(now.sign), now.seal, read_keys(done.previous)) == (done.key, KEYS.seal, KEYS)
    assert keys.stat().st_mode & 0o077 == done.previous.stat().st_mode & 0o077 == 0
    with pytest.raises(OtherKeysError, match=done.key):
        LiveTable.open(journal, "t1", time=LATER, keys=KEYS)
    LiveTable.open(journal, "t1", time=LATER, keys=now).roll(by(time=LATER))
    People(journal, LATER).sign_with(now.sign, LATER)
    lines = export(journal, now.sign)
    for known in ((), (done.key,), (done.before,)):
        assert verify(lines, keys=known).faults == []
    report = verify(lines)
    assert f"t1: since entry {last_naming(journal)} {done.key} signs it, by the assent of {done.before}" in report.open
    again = rekey(journal, keys, LATER)
    assert again.before == done.key
    assert verify(export(journal, read_keys(keys).sign)).faults == []
    assert verify(export(journal, read_keys(keys).sign), keys=(public(new_keys().sign),)).faults


def last_naming(journal: Journal) -> int:
    """The entry in which the table names another key."""
    (found,) = (json.loads(line) for line in journal.lines("t1") if b'"kind":"signer_named"' in line)
    return int(found["sequence"])


def test_what_is_cut_off_goes_on_where_it_was(journal: Journal, keys: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the key that was made first, and each stream names it once."""
    real, left = rename_signer, [None, None]

    def cut(*given: Any, last: bool) -> None:  # noqa: ANN401 - as it is called
        left.pop()  # the third time there is nothing to pop: the power goes
        real(*given, last=last)

    monkeypatch.setattr("passline.pit.keys.rename_signer", cut)
    with pytest.raises(IndexError):
        rekey(journal, keys, LATER)
    monkeypatch.undo()
    assert read_keys(keys) == KEYS
    done = rekey(journal, keys, LATER)
    assert [heads.signer_of(journal, name) for name in done.streams] == [done.key] * 3
    lines = export(journal, read_keys(keys).sign)
    assert sum(b'"kind":"signer_named"' in line for line in lines) == 2 + 3
    assert verify(lines).faults == []


def test_nobody_takes_the_keys_place_by_themselves(journal: Journal) -> None:
    """An assent that is another's, of another table, or none at all is found, and so are the heads that follow."""
    forger = new_keys().sign
    end = journal.head("t1")
    assert end is not None
    rename_signer(journal, "t1", (KEYS.sign, forger), LATER)
    lines = export(journal, KEYS.sign)
    (at,) = (n for n, line in enumerate(lines) if b'"kind":"signer_named"' in line and b'"table":"t1"' in line)
    entry = json.loads(lines[at])
    assert has_assent(entry, public(KEYS.sign))
    assert not has_assent({**entry, "table": "t2"}, public(KEYS.sign)), "an assent is to one table"
    assert not has_assent({**entry, "previous": "0" * 64}, public(KEYS.sign)), "and at one place of it"
    for assent in ({"assent": signed(end, LATER, forger).signature}, {}):
        faults = verify(anew(lines, at, {"signer": public(forger), **assent})).faults
        fault = next(each for each in faults if each.field == "body.assent")
        assert (fault.table, fault.sequence) == ("t1", end.sequence + 1)
        assert f"{public(KEYS.sign)} signs it, and does not say that {public(forger)} takes its place" in fault.what


def test_who_has_the_old_key_signs_nothing_new(journal: Journal, keys: Path) -> None:
    """Neither a table that was not there, nor more of one that was over, nor less of it: the new key's list says so."""
    rekey(journal, keys, LATER)
    now = read_keys(keys)
    held = export(journal, now.sign)
    assert verify(held).faults == []
    LiveTable.create(journal, "late", time=NOW, keys=KEYS).do(c.Sit(1, "Eve", 1000), by("eve"))
    late = [line + b"\n" for line in exported(journal, journal.tables())]
    for known, also in (((), set()), ((public(now.sign),), {"which is no key that was given"})):
        faults = verify(late, keys=known).faults
        assert {(fault.table, fault.field) for fault in faults} == {("late", "heads")}
        for said in {"was replaced before there was such a table", *also}:
            assert any(said in fault.what for fault in faults)
    over = LiveTable(journal, "t2", KEYS)
    other = MemoryJournal()
    for name in ("people", "t2"):
        lines = list(journal.lines(name))[: None if name == "people" else -1]
        other.append(Write(Head(name), [read_entry(line) for line in lines]))
        other.sign([head for head in journal.heads(name) if head.sequence <= len(lines)])
    other.sign([signed(other.head("t2") or over.head, NOW, KEYS.sign)])
    cut = [line + b"\n" for line in exported(other, ["people", "t2"])]
    other.close()
    assert any("it ended with entry" in fault.what for fault in verify(cut).faults if fault.table == "t2")


def test_nobody_is_the_houses_by_naming_it_as_their_heir() -> None:
    """A stranger's key assents to the house's, which signs nothing: with the house's key given nothing of it counts."""
    journal, strangers = MemoryJournal(), KEYS._replace(sign=new_keys().sign)
    for name in ("t1", "zz"):
        LiveTable.create(journal, name, time=NOW, keys=strangers).do(c.Sit(1, "Eve", 1000), by("eve"))
    People(journal, NOW).sign_with(strangers.sign, NOW)
    rename_signer(journal, "zz", (strangers.sign, KEYS.sign), LATER)
    rename_signer(journal, "people", (strangers.sign, KEYS.sign), LATER, last=True)
    *lines, last = [line + b"\n" for line in exported(journal, ["people", "t1", "zz"])]
    theirs = [head for head in json.loads(last)["heads"] if head["key"] == public(strangers.sign)]
    faults = verify([*lines, canonical({"heads": theirs}) + b"\n"], keys=(public(KEYS.sign),)).faults
    assert {fault.table for fault in faults} == {"people", "t1", "zz"}


def test_a_key_has_one_heir(journal: Journal) -> None:
    """Whoever names another elsewhere is found out."""
    rename_signer(journal, "t1", (KEYS.sign, new_keys().sign), LATER)
    rename_signer(journal, "people", (KEYS.sign, new_keys().sign), LATER, last=True)
    lines = [line + b"\n" for line in exported(journal, journal.tables())]
    assert any("a key has one heir" in fault.what for fault in verify(lines).faults)


def anew(lines: list[bytes], at: int, body: dict[str, str]) -> list[bytes]:
    """An export whose entry says something else, with its hash; it is the last of its table."""
    entry = {**json.loads(lines[at]), "body": body}
    entry["hash"] = entry_hash(entry)
    return [*lines[:at], canonical(entry) + b"\n", *lines[at + 1 :]]


def test_only_a_journal_of_these_keys_is_given_others(tmp_path: Path, keys: Path, journal: Journal) -> None:
    """A wrong name makes no journal and takes nobody's keys away; where every table is over, the seal is new, too."""
    journal.close()
    assert "there is no such journal" in refused("journal", "rekey", tmp_path / "no.db", "--keys", keys, code=2)
    assert not (tmp_path / "no.db").exists()
    SqliteJournal(tmp_path / "other.db").close()
    assert "nothing in this journal is signed with" in refused(
        "journal", "rekey", tmp_path / "other.db", "--keys", keys, code=1
    )
    assert read_keys(keys) == KEYS
    assert [path.name for path in tmp_path.glob("keys.json*")] == ["keys.json"]
    store = SqliteJournal(tmp_path / "pit.db")
    LiveTable.open(store, "t1", time=LATER, keys=KEYS).close(LATER)
    done = rekey(store, keys, LATER)
    store.close()
    assert done.resealed
    assert read_keys(keys).seal != KEYS.seal


def test_the_command_says_which_key_signs_now(tmp_path: Path, keys: Path, journal: Journal) -> None:
    """And where the old one is; asked by a program, as JSON."""
    journal.close()
    done = run("journal", "rekey", str(tmp_path / "pit.db"), "--keys", str(keys), "--json")
    told = json.loads(done.stdout)
    assert told["key"] == public(read_keys(keys).sign)
    assert told["streams"] == ["cage", "t1", "people"]
    text = run("journal", "rekey", str(tmp_path / "pit.db"), "--keys", str(keys)).stdout
    assert "Tables go on, so seeds stay sealed as they were." in text
    assert f"signs in the place of {told['key']}: cage, t1, people" in text
