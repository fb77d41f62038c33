"""Writes the frozen store of a release, which is never written again: `python -m tests.journal.freeze 0.2.0`."""

from __future__ import annotations

import gzip
import json
import sqlite3
import sys
import tempfile
from pathlib import Path

from passline.codec import encode_record
from passline.engine import commands as c
from passline.engine.values import Roll
from passline.floor import conduct, disputes, seats, staff
from passline.journal.contract import Draft
from passline.journal.sqlite import SqliteJournal
from passline.pit import table as live_tables
from passline.pit.history import digest, state_line
from passline.pit.people.people import By
from passline.pit.pit import Opening, Pit
from passline.pit.table import LiveTable
from tests.cage.till import Till
from tests.pit.hands import Device, deal
from tests.pit.play import KEYS, NOW, by, new_table

FROZEN = Path(__file__).parent / "frozen"


def played(store: SqliteJournal) -> None:
    """Tables with something of everything: drawn, real and given dice, the cage, a correction, a roll announced."""
    live_tables.COUNTED_EVERY = 25
    fair = new_table(store, "fair")
    ann = Device(fair, "ann")
    for _ in range(25):
        fair.do(c.Bet(1, "pass", 1000), by())
        fair.do(c.Bet(2, "place_6", 1300), by("bob"))
        deal(fair, ann)
        fair.do(c.Bet(1, "pass_odds", 2000), by())
    wrong = json.loads(fair.do(c.BuyIn(2, 500), by("bob")))["sequence"]
    fair.correct(wrong, "a slip", "box", by("sue", role="supervisor"))
    fair.do(c.Bet(1, "pass", 1000), by())
    fair.close_bets(by("stick", role="stick"))
    real = new_table(store, "real", dice="real", house="sydney")
    real.do(c.Bet(1, "pass", 1000), by())
    real.close_bets(by("box", role="box"))
    real.read_dice(Roll(3, 3), by("stick", role="stick"))
    real.read_dice(Roll(3, 3), by("box", role="box"))
    given = new_table(store, "given", dice="given", house="strip")
    for roll in (Roll(4, 4), Roll(6, 2), Roll(3, 4)):
        given.do(c.Bet(1, "pass", 1000), by())
        given.do(c.Throw(roll), by())
    _house(store)
    cage = Till(store)
    cage.pay_in("cy", 10_000, Draft("cage_acted", {}, "cid", "supervisor", NOW, "in"))
    given.do(c.Sit(3, "Cy", 4_000), by("cy", role="player"), wallet=True)


def _house(store: SqliteJournal) -> None:
    """People with roles, a table for their money with acts of its floor, somebody whom no table lets play."""
    pit = Pit(store, KEYS, clock=lambda: NOW)
    people, house = pit.people, By("house", "house", NOW)
    for name in ("Sue", "Cid", "Dee", "Bea", "Pat", "Dan"):
        people.guest(name, NOW)
    for person in ("sue", "cid"):
        people.grant(person, "supervisor", None, "opens the house", house, None)
    opening = Opening("sydney", practice=False, listed=True, wallets=True, staff=(("dee", "dealer"), ("bea", "box")))
    money = pit.open(people.persons["sue"], opening, By("sue", "player", NOW), "money")
    Till(store, KEYS.sign).pay_in("pat", 50_000, Draft("cage_acted", {}, "cid", "supervisor", NOW, "pat-in"))
    money.do(c.Sit(1, "Pat", 20_000), by("pat"), wallet=True)
    money.do(staff.ComeOnDuty("Sue", "Gaming Supervisor"), by("sue", role="supervisor"))
    money.do(c.Bet(1, "pass", 1_000), by("pat"))
    money.roll(by("pat"))
    money.do(disputes.RaiseDispute("Pat", "the roll was no roll"), by("pat"))
    money.do(disputes.DecideDispute(1, "it was one"), by("sue", role="supervisor"))
    money.do(seats.IssueVoucher("V-1", 500, "one evening"), by("sue", role="supervisor"))
    pit.floor().do(conduct.Exclude("Dan", "he threatened a dealer", "cid"), by("sue", role="supervisor"))
    money.do(c.Sit(2, "Dan", 1_000), by("dan"), wallet=True)
    home = pit.open(people.persons["pat"], Opening("strip"), By("pat", "player", NOW), "home")
    home.do(c.Sit(1, "Pat", 10_000), by("pat"))
    home.do(c.Bet(1, "pass", 1_500), by("pat"))
    home.roll(by("pat"))
    money.close_bets(by("dee", role="dealer"))


def told(store: SqliteJournal) -> dict[str, dict[str, object]]:
    """What every later Passline must find in it."""
    found: dict[str, dict[str, object]] = {}
    for table in store.tables():
        head = store.head(table)
        assert head is not None
        found[table] = {"sequence": head.sequence, "hash": head.hash, "balances": store.balances(table)}
        if table not in ("cage", "people"):
            found[table]["state"] = digest(state_line(LiveTable(store, table, KEYS).live.table))
    return found


def lives(store: SqliteJournal) -> dict[str, str]:
    """Each live table whole; what belongs to one may grow from release to release."""
    return {name: digest(encode_record(LiveTable(store, name, KEYS).live)) for name in ("fair", "real", "given")}


def main(version: str) -> None:
    """Freeze a store of today's."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "journal.db"
        store = SqliteJournal(path)
        played(store)
        (FROZEN / f"{version}.json").write_text(json.dumps(told(store), indent=1, sort_keys=True) + "\n")
        store.close()
        connection = sqlite3.connect(path)
        connection.execute("VACUUM INTO ?", (str(Path(folder) / "whole.db"),))
        connection.close()
        (FROZEN / f"{version}.db.gz").write_bytes(gzip.compress((Path(folder) / "whole.db").read_bytes(), mtime=0))


if __name__ == "__main__":
    main(sys.argv[1])
