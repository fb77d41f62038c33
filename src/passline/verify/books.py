"""The money: postings that follow from what happened, accounts that follow from postings, and nobody below nothing."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import Any

from passline.codec import encode, to_data
from passline.engine.events import Event, WagerWon
from passline.engine.postings import balances, postings
from passline.engine.table import TableState
from passline.engine.values import Place
from passline.floor.state import Floor
from passline.live.state import settled_order
from passline.verify.entry import Entry, canonical
from passline.verify.game import Game
from passline.verify.report import Complaint

Accounts = dict[str, int]

HOUSES = frozenset(("cash", "cage", "bank", "promotions", "breakage", "tables"))
"""Accounts that may be below zero; all others are somebody's."""

UP = ("felt/", "held/", "tokens_up/")
"""Accounts of wagers that nothing has decided yet."""


class Books:
    """The accounts of one table."""

    def __init__(self, counts: Counter[str], game: Game) -> None:
        self._counts = counts
        self._game = game
        self.accounts: Accounts = {}

    def see(self, entry: Entry) -> Iterator[Complaint]:
        """Book an entry, and compare the accounts with the table."""
        if entry.kind == "table_counted":
            yield from self._counted(entry.body)
        elif entry.kind == "table_closed":
            up = sorted(account for account in nonzero(self.accounts) if account.startswith(UP))
            if up:
                yield "kind", f"the table closes, and nobody decided or returned {', '.join(up)}"
        written = entry.body.get("postings")
        if written is None:
            return
        yield from _differ(written, booked(self._game.events))
        yield from post(self.accounts, written)
        self._counts["postings"] += len(written)
        yield from self._compare()

    def _compare(self) -> Iterator[Complaint]:
        """What the postings come to is what lies on the table, place by place."""
        lies = on_the_table(self._game.state, self.accounts.get("breakage", 0))
        for account in sorted(lies.keys() | self.accounts.keys()):
            if lies.get(account, 0) != self.accounts.get(account, 0):
                has, due = self.accounts.get(account, 0), lies.get(account, 0)
                yield "body.postings", f"{account} comes to {has}, and on the table lie {due}"

    def _counted(self, body: dict[str, Any]) -> Iterator[Complaint]:
        state = self._game.state
        line = encode(state._replace(notice=settled_order(state.notice)))
        due = {"state": [line.encode()], "accounts": [canonical(nonzero(self.accounts))]}
        if "floor" in body:  # a count from before there was a floor has none
            due["floor"] = [encode(self._game.floor).encode(), _as_1(self._game.floor)]
        for name, lines in due.items():
            digests = [sha256(each).hexdigest() for each in lines]
            if body[name] not in digests:
                yield f"body.{name}", f"it is {body[name]}, and the {name} of this table {digests[0]}"
        self._counts["counts"] += 1


def _as_1(floor: Floor) -> bytes:
    """A floor as it was written before a voucher said who had issued it."""
    data = {**to_data(floor), "v": 1}
    for voucher in data["vouchers"].values():
        del voucher["by"]
    return json.dumps(data, separators=(",", ":")).encode()


def stored(accounts: Accounts, given: object, counts: Counter[str]) -> Iterator[tuple[str, str]]:
    """The balances a store gave away against those the entries come to."""
    if not isinstance(given, dict):
        yield "accounts", "no accounts"
        return
    own = nonzero(accounts)
    for account in sorted(own.keys() | given.keys()):
        counts["balances"] += 1
        if type(given.get(account, 0)) is not int or given.get(account, 0) != own.get(account, 0):
            yield (
                f"accounts.{account}",
                f"the store has {given.get(account, 0)}, the entries come to {own.get(account, 0)}",
            )


def nonzero(accounts: Accounts) -> Accounts:
    """The accounts that hold something."""
    return {account: amount for account, amount in accounts.items() if amount}


def post(accounts: Accounts, written: Iterable[list[Any]]) -> Iterator[Complaint]:
    """Move what is written from account to account; somebody's account is never left below zero."""
    touched: set[str] = set()
    for at, (source, to, amount) in enumerate(written):
        if type(amount) is not int or amount <= 0 or not (isinstance(source, str) and isinstance(to, str)):
            yield f"body.postings[{at}]", f"{amount} is no amount, or {source} and {to} are no accounts"
            continue
        accounts[source] = accounts.get(source, 0) - amount
        accounts[to] = accounts.get(to, 0) + amount
        touched |= {source, to}
    for account in sorted(touched - HOUSES):
        if accounts[account] < 0:
            yield "body.postings", f"{account} is left with {accounts[account]}"


def _differ(written: list[Any], own: list[list[Any]]) -> Iterator[Complaint]:
    for at, (given, due) in enumerate(zip(written, own, strict=False)):
        if given != due:
            yield f"body.postings[{at}]", f"it is {given}, and the events ask for {due}"
    if len(written) != len(own):
        yield "body.postings", f"there are {len(written)}, and the events ask for {len(own)}"


# --- From events to postings ----------------------------------------------------------------------------------------


def account_of(place: Place) -> str:
    """A place at the table by the name of its account."""
    parts = (place.name.replace(" ", "_"), place.seat, place.wager)
    return "/".join(str(part) for part in parts if part is not None)


def booked(events: Iterable[Event]) -> list[list[Any]]:
    """The postings of events: each event's own, and what rounding left."""
    found: list[list[Any]] = []
    for event in events:
        found += ([account_of(source), account_of(to), amount] for source, to, amount in postings(event))
        if isinstance(event, WagerWon) and event.rounding is not None:
            left = int(event.exact - event.won)
            found += [["bank", "breakage", left]] * (left > 0) + [["breakage", "bank", -left]] * (left < 0)
    return found


def on_the_table(state: TableState, breakage: int) -> Accounts:
    """What every account must hold, by what lies there; breakage is part of what the bank has won."""
    found = {account_of(place): amount for place, amount in balances(state).items()}
    found["bank"] = found.get("bank", 0) - breakage
    found["breakage"] = breakage
    return nonzero(found)
