"""The books: what happened, as double entry."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from passline.engine import commands as c
from passline.engine.postings import place
from passline.engine.values import ROLLS
from passline.errors import OverdrawnError
from passline.journal.contract import Draft
from passline.journal.memory import MemoryJournal
from passline.live.books import account, booked, on_the_table
from passline.pit.table import LiveTable
from passline.table import Table
from tests.cage.till import Till
from tests.pit.play import KEYS, NOW, by, new_table, read, why

if TYPE_CHECKING:
    from passline.journal.contract import Journal


def test_places_have_accounts() -> None:
    """Named for what lies there, whose it is and on what."""
    assert account(place("tokens up", 3, "place_6")) == "tokens_up/3/place_6"
    assert account(place("rail", 12)) == "rail/12"


@pytest.mark.parametrize(
    ("house", "posting"), [("strip", ["bank", "breakage", 16]), ("adelaide", ["breakage", "bank", 83])]
)
def test_what_rounding_leaves_is_booked_to_breakage(house: str, posting: list[object]) -> None:
    """29.16 2/3 paid as 29 leaves the house sixteen cents; paid as 30 it costs eighty-three."""
    table = Table(house, chips=[1])
    table.sit(1, "Ann", 1000)
    table.bet(1, "pass", 20)
    table.roll(4, 4)
    table.bet(1, "place_6", 25)
    table.roll(4, 2)
    assert booked(table.history[-1].events)[-1] == posting


BETS = st.tuples(st.sampled_from(["pass", "field", "place_6", "come", "buy_4", "hard_8"]), st.integers(1, 30))


@settings(max_examples=25, deadline=None)
@given(st.lists(BETS, max_size=25), st.data())
def test_the_books_are_what_lies_on_the_table(bets: list[tuple[str, int]], data: st.DataObject) -> None:
    """After every act: no account is anything but what the engine's table says, and all of them add up to nothing."""
    store = MemoryJournal()
    table = new_table(store, dice="given")
    breakage = 0
    for wager, chips in bets:
        table.do(c.Bet(1, wager, 100 * chips), by())
        line = read(table.do(c.Throw(data.draw(st.sampled_from(ROLLS))), by()))
        for source, to, amount in line["body"].get("postings", ()):
            breakage += amount * ((to == "breakage") - (source == "breakage"))
        found = store.balances("t1")
        assert found == on_the_table(table.live.table, breakage)
        assert sum(found.values()) == 0


def paid(key: str | None = None, actor: str = "teller") -> Draft:
    """Who books something at the cage."""
    ask = by(actor, key, "supervisor")
    return Draft("cage_acted", {}, ask.actor, ask.role, ask.time, ask.key)


def test_a_wallet_is_never_below_nothing(store: Journal) -> None:
    """What is paid out was paid in, whoever books it."""
    cage = Till(store)
    cage.pay_in("ann", 5_000, paid("in"))
    with pytest.raises(OverdrawnError):
        cage.pay_out("ann", 5_001, paid())
    cage.pay_out("ann", 2_000, paid())
    assert store.balances("cage") == {"cash": -3_000, "wallet/ann": 3_000}


def test_chips_are_carried_from_the_cage_to_a_table_and_back(store: Journal) -> None:
    """In one transaction: the wallet pays what the rail gets, and gets what the rail leaves with."""
    cage = Till(store)
    cage.pay_in("ann", 5_000, paid())
    table = LiveTable.create(store, "t1", time=NOW, keys=KEYS)
    sat = table.do(c.Sit(1, "Ann", 4_000), by("ann", "sit"), wallet=True)
    assert table.do(c.Sit(1, "Ann", 4_000), by("ann", "sit"), wallet=True) == sat
    assert (cage.balance("ann"), table.live.table.seats[1].rail) == (1_000, 4_000)
    assert why(table.do(c.BuyIn(1, 1_001), by("ann"), wallet=True)) == "table.short_wallet"
    table.do(c.BuyIn(1, 1_000), by("ann"), wallet=True)
    assert cage.balance("ann") == 0
    table.do(c.Leave(1), by("ann"), wallet=True)
    assert cage.balance("ann") == 5_000
    assert store.balances("t1") == {}
    acts = [read(line)["body"] for line in store.lines("cage", after=2)]
    assert [(act["act"], act["amount"], act["table"]) for act in acts] == [
        ("buy_in", 4_000, "t1"),
        ("buy_in", 1_000, "t1"),
        ("colour_up", 5_000, "t1"),
    ]
    assert [act["sequence"] for act in acts] == [4, 6, 7]


def test_one_wallet_is_not_spent_at_two_tables(store: Journal) -> None:
    """Whoever comes second hears that there is nothing left."""
    cage = Till(store)
    cage.pay_in("ann", 1_000, paid())
    one, two = (LiveTable.create(store, name, time=NOW, keys=KEYS) for name in ("t1", "t2"))
    one.do(c.Sit(1, "Ann", 1_000), by("ann"), wallet=True)
    assert why(two.do(c.Sit(1, "Ann", 1_000), by("ann"), wallet=True)) == "table.short_wallet"
    assert store.balances("cage") == {"cash": -1_000, "tables": 1_000}
