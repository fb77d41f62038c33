"""As what somebody acts, beside the people's stream: what it shows to be a lie is found, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest

from passline.engine import commands as c
from passline.engine.values import Roll
from passline.verify.check import verify
from tests.verify.building import STREAM, Journal, export

Turn = tuple[str, str, str, str | None]
"""Whether a role is `granted` or `revoked`, to whom, which, and at which table or in the whole house."""

DEALER: Turn = ("granted", "bob", "dealer", "t1")
GONE: Turn = ("revoked", "bob", "dealer", "t1")
LATER = "2026-11-15T21:00:00Z"


def people(*turns: Turn, practice: bool = False, time: str | None = None) -> Journal:
    """Bea and Cid supervise the house, Ann hosts a table; then come these turns, the last of them at this time."""
    journal = Journal(dice="given", name="people")
    journal.house, journal.accounts, journal.entries = "0" * 64, {}, []
    journal.add("people_opened", {"stream": STREAM, "program": "0.1.0"})
    for person in ("ann", "bob", "bea", "cid", "eve"):
        said: dict[str, Any] = {"act": "person_added", "person": person, "about": {"name": person, "guest": True}}
        journal.add("people_acted", said)
    hosted = {"table": "t1", "practice": practice, "listed": True, "wallets": False, "company": 0, "countdown": 0}
    journal.add("people_acted", {"act": "table_hosted", "person": "ann", "about": hosted}, "ann", "player")
    both: list[Turn] = [("granted", person, "supervisor", None) for person in ("bea", "cid")]
    for act, person, role, table in (*both, *turns):
        about = {"role": role, "table": table, "second": None, "reason": "so it is"}
        journal.add("people_acted", {"act": f"role_{act}", "person": person, "about": about})
    journal.entries[-1]["time"] = time or journal.entries[-1]["time"]
    return journal


def table(actor: str = "bob", role: str = "dealer", time: str | None = None) -> Journal:
    """Ann sits down, and somebody of the crew sells her more chips."""
    journal = Journal(dice="given")
    journal.act(c.Sit(1, "Ann", 100_00))
    journal.act(c.BuyIn(1, 100_00), actor, role)["time"] = time or "2026-11-15T20:00:30Z"
    return journal


def decided(journal: Journal, roster: int) -> None:
    """Two supervisors strike out a roll, as of this entry of the people's stream."""
    journal.act(c.Bet(1, "pass", 10_00))
    journal.act(c.Shoot(1))
    journal.roll(Roll(4, 2))
    journal.correct(len(journal.entries))["body"]["roster"] = roster


def faults(*journals: Journal) -> list[str]:
    """What is wrong, without the rest of the sentence."""
    return [f"{each.table} {each.sequence} {each.field}: {each.what}" for each in verify(export(*journals)).faults]


def test_the_crew_acts_under_roles_that_were_given() -> None:
    """At the table, or in the whole house; at a practice table whoever has it is everybody."""
    for turn in (DEALER, ("granted", "bob", "dealer", None)):
        report = verify(export(table(), people(turn)))
        assert report.faults == []
        assert report.counts["roles"] == 1
        assert not any("by the clock" in each for each in report.open)
    assert faults(table("ann", "box"), people(practice=True)) == []


@pytest.mark.parametrize(
    ("turns", "practice"),
    [
        ((), False),
        ((("granted", "bob", "dealer", "t2"),), False),
        ((("granted", "bob", "stick", "t1"),), False),
        ((("granted", "eve", "dealer", "t1"),), False),
        ((), True),
    ],
)
def test_a_role_that_nobody_gave_is_found(turns: tuple[Turn, ...], *, practice: bool) -> None:
    """Given elsewhere, or another, or to another, or at another's practice table: none of that is this role."""
    assert faults(table(), people(*turns, practice=practice)) == ["t1 3 role: bob was no dealer there by then"]


def test_a_table_that_is_no_pits_or_without_its_people_shows_nothing() -> None:
    """Nobody said who is what there."""
    assert faults(table()) == []
    other = people()
    other.entries = [each for each in other.entries if each["body"].get("act") != "table_hosted"]
    assert faults(table(), other) == []


def test_a_role_that_was_given_too_late_is_found() -> None:
    """Two people decided something after it, as of an entry before the role was given."""
    turns = people(DEALER)
    given = len(turns.entries)
    for roster, wrong in ((given, []), (given - 1, ["t1 3 role: bob was no dealer there by then"])):
        played = table()
        decided(played, roster)
        assert faults(played, turns) == wrong


def test_a_role_that_was_taken_back_is_found() -> None:
    """Two people decided something before it, as of an entry after the role was taken; a minute of grace is given."""
    turns = people(DEALER, GONE)
    taken = len(turns.entries)
    for time, roster, wrong in (
        ("2026-11-15T20:00:50Z", taken, []),
        (LATER, taken, [f"t1 8 role: bob was dealer there no more as of entry {taken} of the people's stream"]),
        (LATER, taken - 1, []),
    ):
        played = table()
        decided(played, roster)
        played.act(c.BuyIn(1, 10_00), "bob", "dealer")["time"] = time
        assert faults(played, turns) == wrong


def test_what_only_clocks_say_is_told() -> None:
    """They may be wrong, and it is no fault."""
    taken = people(DEALER, GONE, time="2026-11-15T20:30:00Z")
    for time, told in (("2026-11-15T20:30:59Z", False), ("2026-11-15T20:31:01Z", True)):
        report = verify(export(table(time=time), taken))
        assert report.faults == []
        assert ("t1: bob was no dealer there by the clock, entry 3 the first of 1" in "".join(report.open)) == told
    report = verify(export(table(), people(DEALER, time=LATER)))
    assert report.faults == []
    assert "by the clock" in "".join(report.open)


def test_a_roll_that_was_announced_is_dealt_whatever_happens_meanwhile() -> None:
    """Whoever asked for it held the role then."""
    turns = people(DEALER, GONE)
    played = table("ann", "player")
    decided(played, len(turns.entries))
    roll = played.entries[-2]
    roll |= {"actor": "bob", "role": "dealer", "time": LATER}
    played.entries[-2:] = [played.entries[-1], roll]  # which is no way to play, and nothing that is looked at here
    assert [each.what for each in verify(export(played, turns)).faults if each.field == "role"] != []
    closed = {**roll, "kind": "bets_closed", "body": {"epoch": 0, "roll": 1, "asked": None}, "key": None}
    played.entries[-2:] = [closed, *played.entries[-2:]]
    assert [each.what for each in verify(export(played, turns)).faults if each.field == "role"] == []


def test_what_is_older_than_the_people_is_told() -> None:
    """A store of before there were people is believed, and who was what in it is left open; not of anything later."""
    for time, wrong in (("2026-11-15T19:58:00Z", []), (None, ["t1 3 role: bob was no dealer there by then"])):
        played = table(time=time)
        for entry in played.entries[:-1]:
            entry["time"] = time or entry["time"]
        report = verify(export(played, people()))
        assert [f"{each.table} {each.sequence} {each.field}: {each.what}" for each in report.faults] == wrong
        assert any("older than the people's stream" in each for each in report.open) == (time is not None)


def test_the_cage_and_the_people_have_a_crew_too() -> None:
    """Who books money, and who acts about people, holds the role in the house, or did."""
    cage = Journal(dice="given", name="cage")
    cage.house, cage.accounts, cage.entries = "0" * 64, {}, []
    cage.add("cage_opened", {"stream": STREAM, "program": "0.1.0"})
    said = {"act": "pay_in", "player": "ann", "amount": 100, "postings": [["cash", "wallet/ann", 100]]}
    cage.add("cage_acted", {**said, "table": None, "sequence": None}, "bob", "dealer")
    cage.accounts = {"cash": -100, "wallet/ann": 100}
    assert faults(cage, people(("granted", "bob", "dealer", None))) == []
    assert faults(cage, people(DEALER)) == ["cage 2 role: bob was no dealer there by then"]
    bought = {**said, "act": "buy_in", "postings": [["wallet/ann", "tables", 100]], "table": "t1", "sequence": 3}
    cage.add("cage_acted", bought, "bob", "dealer")  # looked at where it was asked for
    cage.entries[1]["actor"], cage.entries[1]["role"] = "bea", "supervisor"
    assert not any(" role: " in each for each in faults(cage, people(DEALER)))
    token = {"token": "00" * 8, "purpose": "link", "until": LATER, "table": "t1", "what": "player"}
    for turn, wrong in (
        (DEALER, []),
        (("granted", "eve", "dealer", None), ["people 11 role: bob was no dealer by then"]),
    ):
        turns = people(turn)
        turns.add("people_acted", {"act": "token_issued", "person": "bob", "about": token}, "bob", "dealer")
        assert faults(turns) == wrong
