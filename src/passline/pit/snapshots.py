"""A live table on one line, so that opening it need not begin at the beginning; an entry vouches for it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from passline.codec import decode_floor, decode_table, encode
from passline.engine.table import TableState
from passline.errors import JournalError
from passline.journal.contract import Head, Journal, Snapshot, moved
from passline.journal.entries import Draft, Entry, canonical, chained, read_entry
from passline.live.dice import Epoch
from passline.live.state import Announced, Asked, Live, Reading, opened, settled_order


def state_line(table: TableState) -> str:
    """A table as a journal counts it: the order of its felt matters, that of its notice does not."""
    return encode(table._replace(notice=settled_order(table.notice)))


def digest(line: bytes | str) -> str:
    """What is written of a line in a journal."""
    return sha256(line.encode() if isinstance(line, str) else line).hexdigest()


def counted(journal: Journal, entries: Sequence[Entry], live: Live, time: str) -> tuple[Sequence[Entry], Snapshot]:
    """Add the entry that counts a table and its books, and vouches for the snapshot that is made."""
    last = entries[-1]
    accounts = journal.balances(last.table)
    for account, more in moved(entries).items():
        accounts[account] = accounts.get(account, 0) + more
    line = line_of(live)
    held = {account: balance for account, balance in accounts.items() if balance}
    state, books = digest(state_line(live.table)), digest(canonical(held))
    body = {"state": state, "accounts": books, "snapshot": digest(line), "floor": digest(encode(live.floor))}
    draft = Draft("table_counted", body, "house", "house", time)
    entry = chained(draft, last.table, last.sequence + 1, last.hash, last.house)
    return [*entries, entry], Snapshot(entry.sequence, line)


def line_of(live: Live) -> bytes:
    announced, data = live.announced, {name: getattr(live, name) for name in PLAIN}
    return canonical(
        {
            **data,
            **({"heard": live.heard} if live.heard else {}),
            **({"wallets": sorted(live.wallets.items()), "paid": live.paid} if live.wallets else {}),
            **({"money": True} if live.money else {}),
            "floor": encode(live.floor),
            "table": state_line(live.table),
            "sat": sorted(live.sat.items()),
            "owners": sorted(live.owners.items()),
            "rulers": sorted(live.rulers),
            "ruled": [[dispute, sorted(people)] for dispute, people in sorted(live.ruled.items())],
            "restored": live.restored,
            "reversed": sorted(live.reversed),
            "epochs": [_epoch_data(epoch) for _, epoch in sorted(live.epochs.items())],
            "announced": announced
            and {
                "epoch": announced.epoch,
                "roll": announced.roll,
                "asked": announced.asked and announced.asked._asdict(),
                "reading": announced.reading and announced.reading._asdict(),
            },
        }
    )


PLAIN = ("stream", "dice", "epoch", "frozen", "rolls", "last_roll", "fence", "over")
"""The fields of a live table that JSON has too."""


def _epoch_data(epoch: Epoch) -> dict[str, Any]:
    return {
        "number": epoch.number,
        "house": epoch.house.hex(),
        "commitments": [[player, each.hex()] for player, each in epoch.commitments.items()],
        "seeds": [[player, each.hex()] for player, each in epoch.seeds.items()],
        "barred": sorted(epoch.barred),
        "mix": epoch.mix.hex(),
        "rolls": epoch.rolls,
    }


def last_known(journal: Journal, first: Entry) -> tuple[Live, Head]:
    """Where to begin: at the last snapshot the journal vouches for, else at the first entry."""
    name = first.table
    snapshot = journal.snapshot(name)
    if snapshot is not None:
        try:
            vouching = read_entry(next(iter(journal.lines(name, snapshot.sequence - 1, snapshot.sequence))))
            return restored(snapshot, vouching), Head(name, vouching.sequence, vouching.hash)
        except (JournalError, StopIteration, LookupError, ValueError):
            pass  # a snapshot that nothing vouches for is no snapshot: the journal is played from its beginning
    return opened(first), Head(name, first.sequence, first.hash)


def restored(snapshot: Snapshot, entry: Entry) -> Live:
    """The live table of a snapshot, if the entry it names vouches for it."""
    if entry.kind != "table_counted" or entry.sequence != snapshot.sequence:
        raise JournalError(f"{entry.table}: entry {entry.sequence} does not vouch for a snapshot")
    if entry.body["snapshot"] != digest(snapshot.line):
        raise JournalError(f"{entry.table}: the snapshot is not the one entry {entry.sequence} was written with")
    data = json.loads(snapshot.line)
    announced = data["announced"]
    return Live(
        **{name: data[name] for name in PLAIN},
        table=decode_table(data["table"]),
        floor=decode_floor(data["floor"]),
        sat=dict(data["sat"]),
        owners=dict(data["owners"]),  # a snapshot of before people were in it is none: the journal is read instead
        rulers=frozenset(data["rulers"]),
        ruled={dispute: frozenset(people) for dispute, people in data["ruled"]},
        restored=data["restored"],
        reversed=frozenset(data["reversed"]),
        wallets=dict(data.get("wallets", ())),
        paid=data.get("paid", False),
        heard=data.get("heard", 0),
        money=data.get("money", False),
        epochs={each["number"]: _epoch(data["stream"], each) for each in data["epochs"]},
        announced=announced
        and Announced(
            announced["epoch"],
            announced["roll"],
            announced["asked"] and Asked(**announced["asked"]),
            announced["reading"] and Reading(**announced["reading"]),
        ),
    )


def _epoch(stream: str, data: dict[str, Any]) -> Epoch:
    return Epoch(
        stream,
        data["number"],
        bytes.fromhex(data["house"]),
        commitments={player: bytes.fromhex(each) for player, each in data["commitments"]},
        seeds={player: bytes.fromhex(each) for player, each in data["seeds"]},
        barred=frozenset(data["barred"]),
        mix=bytes.fromhex(data["mix"]),
        rolls=data["rolls"],
    )
