"""Real journals: tables played by the live table itself, with everything in them that an export can hold."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from passline.engine import commands as c
from passline.engine.values import Roll
from passline.floor import conduct
from passline.journal.contract import Draft, Head, Write, read_entry
from passline.journal.export import exported
from passline.journal.memory import MemoryJournal
from passline.live.people import Hosted
from passline.pit.people.people import By, People
from passline.pit.pit import Opening, Pit
from tests.cage.till import Till
from tests.pit.hands import Device, deal
from tests.pit.play import KEYS, NOW, by, new_table, read
from tests.pit.seeds import commit_seed, old_table, reveal_seed, rotate

if TYPE_CHECKING:
    from passline.journal.contract import Journal
    from passline.pit.table import LiveTable


def promise(table: LiveTable, epoch: int, player: str) -> bytes:
    """A player commits to a seed that this module can make again."""
    seed = sha256(f"{player} {epoch}".encode()).digest()
    commit_seed(table, epoch, seed, by(player))
    return seed


def bets(table: LiveTable) -> None:
    """Whatever can be up goes up, some of it refused."""
    if table.live.table.shooter is None:
        table.do(c.Bet(1, "pass", 1_000), by("ann"))
        table.do(c.Shoot(1), by("ann"))
    for wager, amount in (("pass", 1_000), ("place_6", 700), ("field", 1_000), ("come", 1_000)):
        table.do(c.Bet(1, wager, amount), by("ann"))
    table.do(c.Bet(2, "dont_pass", 1_000), by("bob"))


def fair_table(journal: Journal, rolls: int = 6) -> LiveTable:
    """An old table: epochs with players' seeds, one lost to a seed that was not shown, a void roll, one struck out."""
    table = old_table(journal, "fair")
    seeds = {player: promise(table, 1, player) for player in ("ann", "bob")}
    for player, seed in seeds.items():
        reveal_seed(table, 1, seed, by(player))
    for _ in range(rolls):
        bets(table)
        table.roll(by("ann"))
    bets(table)
    table.close_bets(by("sam", role="stick"))
    table.do(c.Bet(1, "field", 1_000), by("ann"))  # too late
    table.void("a dispute", "cid", by("bea", role="supervisor"), returned=True)
    rotate(table, NOW)
    seed = promise(table, 2, "ann")
    promise(table, 2, "bob")  # and never shows it
    reveal_seed(table, 2, seed, by("ann"))
    for _ in range(rolls):
        bets(table)
        table.roll(by("ann"))
    bets(table)
    rolled = read(table.roll(by("ann")))
    table.correct(rolled["sequence"], "a die was cocked", "cid", by("bea", role="box"))
    table.do(c.BuyIn(2, 5_000), by("bob"))
    table.correct(table.head.sequence, "it was seat 3", "cid", by("bea", role="box"))
    rotate(table, NOW)
    return table


def hands_table(journal: Journal, rolls: int = 6) -> LiveTable:
    """Dice of protocol 2 with the hands of two in them: one silent once, a roll struck out, a hand taken off."""
    table = new_table(journal, "hands")
    ann, bob = Device(table, "ann"), Device(table, "bob")
    for number in range(rolls):
        bets(table)
        deal(table, ann, bob if number != 2 else None)
        if number == 2:
            bob.show_owed()
            bob.give()
    bob.take_off()
    bets(table)
    rolled = deal(table, ann)
    table.correct(rolled["sequence"], "a die was cocked", "cid", by("bea", role="box"))
    return table


def real_table(journal: Journal) -> LiveTable:
    """Real dice: read alike, read differently and again, called no roll."""
    table = new_table(journal, "real", "real")
    for first, second in (("4-2", "4-2"), ("3-3", "3-4"), ("6-1", "6-1")):
        bets(table)
        table.close_bets(by("sam", role="stick"))
        for actor, role, dice in (("sam", "stick", first), ("bea", "box", second)):
            table.read_dice(Roll(*map(int, dice.split("-"))), by(actor, role=role))
        if first != second:
            for actor, role in (("bea", "box"), ("sam", "stick")):
                table.read_dice(Roll(3, 3), by(actor, role=role))
    bets(table)
    table.close_bets(by("sam", role="stick"))
    table.do(c.CallNoRoll("off-table"), by("sam", role="stick"))
    return table


def given_table(journal: Journal) -> LiveTable:
    """Dice that whoever plays says."""
    table = new_table(journal, "given", "given", "sydney")
    for dice in ("4-2", "3-3", "5-2"):
        bets(table)
        table.do(c.Throw(Roll(*map(int, dice.split("-")))), by("ann"))
    return table


def closed_table(journal: Journal) -> LiveTable:
    """A table from its opening to its end."""
    table = new_table(journal, "closed")
    bets(table)
    table.roll(by("ann"))
    table.do(c.ReturnAll("closing"), by("bea", role="supervisor"))
    table.close(NOW)
    return table


def with_wallets(journal: Journal) -> None:
    """Money comes to the cage, goes to a table and comes back."""
    cage = Till(journal)
    table = new_table(journal, "wallet")
    cage.pay_in("cid", 20_000, Draft("cage_acted", {}, "eve", "dealer", NOW, "in"))
    table.do(c.Sit(3, "Cid", 10_000), by("cid"), wallet=True)
    table.do(c.BuyIn(3, 15_000), by("cid"), wallet=True)  # more than there is
    table.do(c.BuyIn(3, 5_000), by("cid"), wallet=True)
    table.do(c.Leave(3), by("cid"), wallet=True)
    cage.pay_out("cid", 20_000, Draft("cage_acted", {}, "eve", "dealer", NOW, "out"))


def with_people(journal: Journal) -> None:
    """A guest comes, a table is hosted, roles are given by the house and by two people."""
    people = People(journal, NOW)
    for name in ("Ann", "Bea", "Cid"):
        people.guest(name, NOW)
    people.host(Hosted("evening", "ann", practice=False, listed=True), By("ann", "player", NOW), [("bea", "dealer")])
    for person in ("ann", "bea"):
        people.grant(person, "supervisor", None, "opens the pit", By("house", "house", NOW), None)
    people.guest("Eve", NOW)
    people.grant("eve", "dealer", None, "keeps the cage", By("house", "house", NOW), None)
    people.grant("cid", "box", None, "new crew", By("bea", "supervisor", NOW), "ann")
    people.withdraw("cid", "box", None, "went home", By("bea", "supervisor", NOW))


def with_a_floor(journal: Journal) -> None:
    """The floor of the house, and a table that hears of somebody who plays nowhere, decided by two who may."""
    pit = Pit(journal, KEYS)
    table = pit.open(pit.people.persons["ann"], Opening(practice=False, listed=True), By("ann", "player", NOW), "heard")
    pit.floor().do(conduct.Exclude("Dan", "he threatened a dealer", "ann"), by("bea", role="supervisor"))
    table.do(c.Sit(1, "Dan", 10_000), by("dan"))


def whole_pit() -> Journal:
    """A journal with a table of each kind."""
    journal = MemoryJournal()
    for make in (fair_table, hands_table, real_table, given_table, closed_table):
        make(journal)
    with_wallets(journal)
    with_people(journal)
    with_a_floor(journal)
    return journal


def lines_of(journal: Journal, upto: int | None = None) -> list[bytes]:
    """All tables of a journal, exported; or one table as it was after so many entries."""
    if upto is not None:
        journal = earlier(journal, upto)
    return [line + b"\n" for line in exported(journal, journal.tables(), sign=KEYS.sign, time=NOW)]


def earlier(journal: Journal, upto: int) -> Journal:
    """A backup that was made after so many entries."""
    older = MemoryJournal()
    for table in journal.tables():
        entries = [read_entry(line) for line in journal.lines(table, upto=upto)]
        text = journal.house(entries[0].house)
        older.append(Write(Head(table), entries, houses=[] if text is None else [text]))
    return older
