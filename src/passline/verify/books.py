"""The money: double entry, accounts that follow from postings, and what goes between the rails and the cage."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import Any, NamedTuple, cast

from passline.codec import encode, from_data, to_data
from passline.floor.acts import FloorEvent
from passline.floor.state import Floor
from passline.live.books import booked, cage_acts, carried, on_the_table
from passline.live.state import HOUSE_FLOOR, settled_order
from passline.verify.chain import Entry, canonical, is_whole
from passline.verify.game import Game, Short
from passline.verify.report import Complaint, Fault

Accounts = dict[str, int]

# Accounts that may be below zero; all others are somebody's.
HOUSES = frozenset(("cash", "cage", "bank", "promotions", "breakage", "tables"))


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


def stored(accounts: Accounts, balances: object, counts: Counter[str]) -> Iterator[tuple[str, str]]:
    """The balances of a store against those the entries come to."""
    if not isinstance(balances, dict):
        yield "accounts", "no accounts"
        return
    own = nonzero(accounts)
    for account in sorted(own.keys() | balances.keys()):
        counts["balances"] += 1
        has, due = balances.get(account, 0), own.get(account, 0)
        if type(has) is not int or has != due:
            yield f"accounts.{account}", f"the store has {has}, the entries come to {due}"


def nonzero(accounts: Accounts) -> Accounts:
    return {account: amount for account, amount in accounts.items() if amount}


class Books:
    """The accounts of one table, and what it owes the cage."""

    def __init__(self, counts: Counter[str], game: Game) -> None:
        self._counts, self.game = counts, game
        self.accounts: Accounts = {}
        # By entry: whose wallet is the other side of it, and how much went to the table or, below zero, back.
        self.due: dict[int, list[tuple[str, int]]] = {}
        # By entry: the chips that came out of no wallet or, below zero, went to none.
        self.free: dict[int, list[int]] = {}
        # Where the table closed: its entry, and what of whose wallet still lies on a rail.
        self.unreturned: list[tuple[int, str, int]] = []
        self._stopped = False

    @property
    def open(self) -> str | None:
        """Chips at a table that stopped: nobody was paid for them."""
        table = getattr(self.game, "live", None)
        rails = sum(seat.rail for seat in table.table.seats.values()) if table and self._stopped else 0
        return f"it stopped, and nobody was paid for {rails} that lie on its rails" if rails else None

    def see(self, entry: Entry) -> Iterator[Complaint]:
        live, kind = self.game.live, entry.kind
        self._stopped |= kind == "table_stopped"
        if kind == "table_counted":
            yield from self._counted(entry.body)
        elif kind == "table_closed":
            seats = live.table.seats.items()
            self.unreturned = [
                (entry.sequence, live.wallets[n], seat.rail) for n, seat in seats if seat.rail and n in live.wallets
            ]
        self._carry(entry)
        written = entry.body.get("postings")
        if written is not None:
            due = booked(self.game.events)
            for at, (says, own) in enumerate(zip(written, due, strict=False)):
                if says != own:
                    yield f"body.postings[{at}]", f"it is {says}, and the events ask for {own}"
            if len(written) != len(due):
                yield "body.postings", f"there are {len(written)}, and the events ask for {len(due)}"
            yield from post(self.accounts, written)
            self._counts["postings"] += len(written)
            yield from self._compare()

    def _carry(self, entry: Entry) -> None:
        if not is_whole(entry.sequence, 1):
            return  # the chain complains of it
        wallets, paid = self.game.live.wallets, "wallet" in entry.body
        decided = entry.body["floor"] if entry.kind == "floor_acted" else ()
        floor = [cast("FloorEvent", from_data(each)) for each in decided]
        if acts := cage_acts(wallets, self.game.events, floor, bought=paid):
            self.due[entry.sequence] = [(who, amount if act in SPENT else -amount) for act, who, amount in acts]
        moved = carried(self.game.events)
        if free := [n for seat, n in moved if (not paid if n > 0 else seat not in wallets)]:
            self.free[entry.sequence] = free

    def _compare(self) -> Iterator[Complaint]:
        """What the postings come to is what lies on the table, place by place."""
        lies = on_the_table(self.game.live.table, self.accounts.get("breakage", 0))
        for account in sorted(lies.keys() | self.accounts.keys()):
            if lies.get(account, 0) != self.accounts.get(account, 0):
                has, due = self.accounts.get(account, 0), lies.get(account, 0)
                yield "body.postings", f"{account} comes to {has}, and on the table lie {due}"

    def _counted(self, body: dict[str, Any]) -> Iterator[Complaint]:
        table, floor = self.game.live.table, self.game.live.floor
        line = encode(table._replace(notice=settled_order(table.notice)))
        due = {"state": [line.encode()], "accounts": [canonical(nonzero(self.accounts))]}
        if "floor" in body:  # a count from before there was a floor has none
            due["floor"] = [encode(floor).encode(), *_as_before(floor)]
        for name, lines in due.items():
            digests = [sha256(each).hexdigest() for each in lines]
            if body[name] not in digests:
                yield f"body.{name}", f"it is {body[name]}, and the {name} of this table {digests[0]}"
        self._counts["counts"] += 1


def _as_before(floor: Floor) -> Iterator[bytes]:
    """A floor as older programs wrote it: without drawers and floats, and before that without a voucher's issuer."""
    data = to_data(floor)
    for version, names in ((4, ("resumes",)), (3, ("loss", "next_loss"))):
        for limits in data["own_limits"].values():
            for name in names:
                del limits[name]
        data["v"] = version
        yield json.dumps(data, separators=(",", ":")).encode()
    data["v"] = 2
    for name in ("drawers", "bank", "own_limits", "deposits", "gaming_day"):
        del data[name]
    yield json.dumps(data, separators=(",", ":")).encode()
    for voucher in data["vouchers"].values():
        del voucher["by"]
    yield json.dumps({**data, "v": 1}, separators=(",", ":")).encode()


# --- The cage ---------------------------------------------------------------------------------------------------------

# From where to where each act moves money; a wallet is the player's.
ACTS = {
    "pay_in": ("cash", "wallet"),
    "pay_out": ("wallet", "cash"),
    "buy_in": ("wallet", "tables"),
    "colour_up": ("tables", "wallet"),
}

# The acts that are the other side of a table's entry; payments are, where the floor of the house made them.
LINKED = ("buy_in", "colour_up")

SPENT = ("buy_in", "pay_out")  # the acts by which a wallet holds less


class Link(NamedTuple):
    """An act of the cage that says it is the other side of a table's entry."""

    own: int  # the cage's entry
    player: str
    amount: int  # to the table, or, below zero, from it


class Cage:
    def __init__(self, counts: Counter[str]) -> None:
        self._counts = counts
        self.accounts: Accounts = {}
        self.links: dict[str, dict[int, list[Link]]] = {}  # by table and by the sequence there
        self.held: dict[str, list[tuple[int, int]]] = {}  # by player: what the wallet held from which entry on

    def see(self, entry: Entry) -> Iterator[Complaint]:
        if entry.kind != "cage_acted":
            return
        body = entry.body
        wallet = f"wallet/{body['player']}"
        source, to = (wallet if end == "wallet" else end for end in ACTS[body["act"]])
        if body["postings"] != [[source, to, body["amount"]]]:
            yield "body.postings", f"{body['act']} of {body['amount']} is {[source, to, body['amount']]}"
        yield from post(self.accounts, body["postings"])
        self.held.setdefault(body["player"], []).append((entry.sequence, self.accounts.get(wallet, 0)))
        self._counts["cage_acts"] += 1
        self._counts["postings"] += len(body["postings"])
        linked = body["act"] in LINKED or body["table"] == HOUSE_FLOOR
        if entry.data["role"] == "player" and body["act"] not in LINKED:
            yield "role", f"a player does what the crew does: {body['act']}"
        if linked != (body["table"] is not None) or linked != (body["sequence"] is not None):
            yield "body.table", f"{body['act']} {'names no' if linked else 'is the other side of no'} entry of a table"
        elif (
            linked and is_whole(body["sequence"], 1) and is_whole(body["amount"], 1)
        ):  # of any other its type is the fault
            amount = body["amount"] if body["act"] in SPENT else -body["amount"]
            named = self.links.setdefault(body["table"], {}).setdefault(body["sequence"], [])
            named.append(Link(entry.sequence, body["player"], amount))

    def compare(self, table: str, books: Books, *, hosted: bool) -> Iterator[Fault]:
        """A table's entries beside the acts that name them; one `hosted` for wallets has no chips but out of them."""
        links, is_older = self.links.get(table, {}), books.game.other_program  # the first did not name wallets there
        for sequence in sorted(books.due.keys() | links.keys()):
            due = Counter(books.due.get(sequence, ()))
            for link in links.get(sequence, ()):
                if due[link.player, link.amount] > 0:
                    due[link.player, link.amount] -= 1
                elif not (is_older and link.amount in books.free.get(sequence, ())):
                    no = f"{link.amount} to the table is not what entry {sequence} of {table} says of {link.player}"
                    yield Fault("cage", link.own, "body", no)
            for player, amount in due.elements():
                way = "came out of" if amount > 0 else "went back to"
                yield Fault(table, sequence, "body.events", f"{abs(amount)} of {player}'s {way} no wallet")
        for sequence, amounts in books.free.items() if hosted else ():
            for amount in (each for each in amounts if each > 0):
                no = f"{amount} came out of no wallet, and the table is hosted for wallets"
                yield Fault(table, sequence, "body.events", no)
        for sequence, player, rail in books.unreturned:
            yield Fault(table, sequence, "kind", f"the table closes, and {rail} of {player}'s went back to no wallet")

    def short(self, table: str, refused: Iterable[Short]) -> Iterator[Fault]:
        """Who was refused for a wallet with too little in it: between the acts of the cage on either side it had."""
        links = self.links.get(table, {})
        for sequence, player, amount in refused:
            since = max((link.own for at, each in links.items() if at < sequence for link in each), default=0)
            until = min((link.own for at, each in links.items() if at > sequence for link in each), default=None)
            steps = [(0, 0), *self.held.get(player, ())]
            begun = max(at for at, _ in steps if at <= since)
            could = [has for at, has in steps if at >= begun and (until is None or at < until)]
            if self.held and min(could, default=0) >= amount:
                self._counts["refusals"] += 1
                no = f"it says table.short_wallet, and {player} had {min(could)} with the house, enough for {amount}"
                yield Fault(table, sequence, "body.refusal", no)
            else:  # the cage has its own order: what came first is known only where one names the other
                proved = self.held and max(could, default=amount) < amount
                self._counts["refusals" if proved else "taken_refusals"] += 1
