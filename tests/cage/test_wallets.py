"""Chips that came out of a wallet: wherever they go from a table, they go back into it, in the same transaction."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from passline.engine import commands as c
from passline.engine.values import Roll
from passline.errors import KeyTakenError
from passline.journal.memory import MemoryJournal
from passline.live import play
from passline.live.requests import request
from passline.pit import table as live_tables
from passline.pit.table import LiveTable
from passline.verify.check import verify
from tests.cage.test_books import paid
from tests.cage.till import Till
from tests.pit.play import KEYS, NOW, by, kinds, new_table, read, why
from tests.verify.live import lines_of

if TYPE_CHECKING:
    from passline.journal.contract import Journal
    from passline.live.state import DiceMode


def told(journal: Journal) -> list[str]:
    """What the verifier finds in all of it."""
    return [str(fault) for fault in verify(lines_of(journal)).faults]


def seated(journal: Journal, players: dict[int, str], dice: DiceMode = "given") -> tuple[LiveTable, Till]:
    """A table with Ann and Bob, who brought their chips, and others, who have theirs from their wallets."""
    cage = Till(journal)
    table = new_table(journal, dice=dice)
    for seat, player in players.items():
        cage.pay_in(player, 10_000, paid())
        table.do(c.Sit(seat, player.title(), 10_000), by(player), wallet=True)
    return table, cage


def thrown(table: LiveTable, *rolls: Roll) -> None:
    """What the dice show, one roll after the other."""
    for roll in rolls:
        assert read(table.do(c.Throw(roll), by()))["kind"] == "rolled"


def left_with_a_bet(journal: Journal) -> tuple[LiveTable, Till]:
    """Cid and Dee of the wallets, and Bob, each leave with as much on the eight; the box says so of all three."""
    table, cage = seated(journal, {3: "cid", 4: "dee"})
    table.do(c.Bet(1, "pass", 1_000), by())
    table.do(c.Shoot(1), by())
    thrown(table, Roll(4, 2))
    table.do(c.BuyIn(2, 10_000), by("bob"))
    for seat, player in ((2, "bob"), (3, "cid"), (4, "dee")):
        assert read(table.do(c.Bet(seat, "place_8", 6_000), by(player)))["kind"] == "acted"
    for seat in (2, 3, 4):
        table.do(c.Leave(seat), by("bea", role="box"))
    return table, cage


def test_what_is_won_after_somebody_left_goes_to_their_wallet() -> None:
    """By whatever process settles it, for each their own, and nothing for who brought their chips."""
    journal = MemoryJournal()
    _, cage = left_with_a_bet(journal)
    assert (cage.balance("cid"), cage.balance("dee")) == (4_000, 4_000)
    table = LiveTable.open(journal, "t1", time=NOW, keys=KEYS)  # which knows only what was written
    thrown(table, Roll(4, 4), Roll(3, 4))
    assert sorted(table.live.table.seats) == [1]
    assert (cage.balance("cid"), cage.balance("dee"), cage.balance("bob")) == (11_000, 11_000, 0)
    assert told(journal) == []
    assert {read(line)["body"]["sequence"] for line in list(journal.lines("cage"))[-2:]} == {table.head.sequence}


def test_a_roll_that_paid_a_wallet_is_not_struck_out() -> None:
    """What is in a wallet may be gone already."""
    journal = MemoryJournal()
    table, cage = left_with_a_bet(journal)
    thrown(table, Roll(4, 4))
    assert read(table.do(c.StrikeOut("a slip"), by("bea", role="box")))["kind"] == "acted"  # nobody was paid out
    thrown(table, Roll(4, 4), Roll(3, 4))
    assert why(table.do(c.StrikeOut("a slip"), by("bea", role="box"))) == "table.correction"
    assert why(table.correct(table.live.last_roll, "a slip", "cy", by("bea", role="box"))) == "table.correction"
    assert cage.balance("cid") == 11_000
    assert told(journal) == []


def test_stakes_that_go_back_to_somebody_who_left_go_to_their_wallet() -> None:
    """A roll that two people declare void."""
    journal = MemoryJournal()
    table, cage = seated(journal, {3: "cid"}, "real")
    table.do(c.Bet(3, "field", 2_000), by("cid"))
    table.do(c.Bet(1, "pass", 1_000), by())
    table.do(c.Leave(3), by("cid"), wallet=True)
    assert cage.balance("cid") == 8_000
    table.close_bets(by("sam", role="stick"))
    table.void("fire", "bea", by("sam", role="stick"), returned=True)
    assert cage.balance("cid") == 10_000
    assert told(journal) == []


def test_chips_bought_from_a_wallet_by_mistake_go_back_to_it() -> None:
    """Not to the rail's owner in cash."""
    journal = MemoryJournal()
    table, cage = seated(journal, {3: "cid"})
    cage.pay_in("cid", 9_000, paid())
    wrong = read(table.do(c.BuyIn(3, 9_000), by("cid"), wallet=True))["sequence"]
    assert cage.balance("cid") == 0
    table.correct(wrong, "it was 900", "sue", by("bea", role="box"))
    assert (cage.balance("cid"), table.live.table.seats[3].rail) == (9_000, 10_000)
    assert told(journal) == []


def test_a_seat_has_the_chips_of_one_wallet() -> None:
    """Whoever sits there next has nothing to do with it."""
    journal = MemoryJournal()
    table, cage = seated(journal, {3: "cid"})
    cage.pay_in("eve", 9_000, paid())
    assert why(table.do(c.BuyIn(3, 1_000), by("eve", role="dealer"), wallet=True)) == "table.other_wallet"
    table.do(c.Leave(3), by("eve", role="dealer"), wallet=True)
    assert (cage.balance("cid"), cage.balance("eve")) == (10_000, 9_000)
    table.do(c.Sit(3, "Fay", 5_000), by("fay"))
    table.do(c.Leave(3), by("fay"))
    assert (cage.balance("cid"), cage.balance("fay")) == (10_000, 0)
    assert told(journal) == []


def test_two_tables_may_be_asked_under_one_key() -> None:
    """A key is of one table, and the cage has both."""
    journal = MemoryJournal()
    cage = Till(journal)
    cage.pay_in("cid", 10_000, paid("sit"))
    for name in ("t1", "t2"):
        assert (
            read(new_table(journal, name).do(c.Sit(3, "Cid", 4_000), by("cid", "sit"), wallet=True))["kind"] == "acted"
        )
    assert cage.balance("cid") == 2_000
    assert told(journal) == []


def test_a_snapshot_knows_whose_wallet_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """Opening by it is opening from the beginning."""
    monkeypatch.setattr(live_tables, "COUNTED_EVERY", 5)
    journal = MemoryJournal()
    table, _ = left_with_a_bet(journal)
    assert "table_counted" in kinds(journal)
    assert LiveTable(journal, "t1", KEYS).live == table.live
    assert table.live.wallets == {3: "cid", 4: "dee"}


@pytest.mark.parametrize("forged", [{"wallet": "eve"}, {"wallet": "cid"}])
def test_a_wallet_that_paid_nothing_is_found(forged: dict[str, str]) -> None:
    """An entry that names a wallet has its act at the cage."""
    journal = MemoryJournal()
    table, _ = seated(journal, {3: "cid"})
    table.at = table.live._replace(wallets={}), table.head
    buy = c.BuyIn(1, 500)
    plan = play.command(table.state(), request(by(), buy), buy)
    plan.draft.body.update(forged)
    table._append([plan._replace(events=())])
    assert any("body.wallet" in fault for fault in told(journal))


def test_chips_are_bought_again_only_as_they_were() -> None:
    """Under the same key a wallet is no pocket: who brings chips another way asks for something else."""
    journal = MemoryJournal()
    table, cage = seated(journal, {})
    cage.pay_in("cid", 10_000, paid())
    first = table.do(c.Sit(3, "Cid", 4_000), by("cid", "sit"), wallet=True)
    assert table.do(c.Sit(3, "Cid", 4_000), by("cid", "sit"), wallet=True) == first
    with pytest.raises(KeyTakenError):
        table.do(c.Sit(3, "Cid", 4_000), by("cid", "sit"))
    table.do(c.BuyIn(1, 1_000), by("ann", "more"))
    with pytest.raises(KeyTakenError):
        table.do(c.BuyIn(1, 1_000), by("ann", "more"), wallet=True)
