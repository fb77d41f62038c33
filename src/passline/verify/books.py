"""Double entry: accounts that follow from their postings alone, and the cage beside the tables."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from passline.verify.chain import CAGE, HOUSE_FLOOR, Entry, is_whole
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


class Short(NamedTuple):
    """Somebody was refused for a wallet with less than this: the cage, which comes in a stream of its own, knows."""

    sequence: int
    player: str
    amount: int


class Carried:
    """What went between the rails of one table and wallets, by its own entries: the cage's must say the same."""

    def __init__(self) -> None:
        # By entry: whose wallet is the other side of it, and how much went to the table or, below zero, back.
        self.due: dict[int, list[tuple[str, int]]] = {}
        # By entry: the chips that came out of no wallet or, below zero, went to none.
        self.free: dict[int, list[int]] = {}
        # Where the table closed: its entry, and what of whose wallet still lies on a rail.
        self.unreturned: list[tuple[int, str, int]] = []
        self.names_wallets = True  # the first programs did not
        # By entry with which somebody bought chips who had set a limit of loss: who, the limit, and when.
        self.limited: dict[int, tuple[str, int, str]] = {}


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
        self._bought: dict[str, list[tuple[int, str, int]]] = {}  # by player: with which entry, when, how much
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
        elif linked and is_whole(body["sequence"], 1) and is_whole(body["amount"], 1):  # else its type is the fault
            amount = body["amount"] if body["act"] in SPENT else -body["amount"]
            named = self.links.setdefault(body["table"], {}).setdefault(body["sequence"], [])
            named.append(Link(entry.sequence, body["player"], amount))
            if body["act"] in LINKED:
                self._bought.setdefault(body["player"], []).append((entry.sequence, str(entry.data["time"]), amount))

    def compare(self, table: str, carried: Carried, *, hosted: bool) -> Iterator[Fault]:
        """A table's entries beside the acts that name them; one `hosted` for wallets has no chips but out of them."""
        links = self.links.get(table, {})
        for sequence in sorted(carried.due.keys() | links.keys()):
            due = Counter(carried.due.get(sequence, ()))
            for link in links.get(sequence, ()):
                if due[link.player, link.amount] > 0:
                    due[link.player, link.amount] -= 1
                elif carried.names_wallets or link.amount not in carried.free.get(sequence, ()):
                    no = f"{link.amount} to the table is not what entry {sequence} of {table} says of {link.player}"
                    yield Fault(CAGE, link.own, "body", no)
            for player, amount in due.elements():
                way = "came out of" if amount > 0 else "went back to"
                yield Fault(table, sequence, "body.events", f"{abs(amount)} of {player}'s {way} no wallet")
        for sequence, amounts in carried.free.items() if hosted else ():
            for amount in (each for each in amounts if each > 0):
                no = f"{amount} came out of no wallet, and the table is hosted for wallets"
                yield Fault(table, sequence, "body.events", no)
        for sequence, player, rail in carried.unreturned:
            yield Fault(table, sequence, "kind", f"the table closes, and {rail} of {player}'s went back to no wallet")

    def lost(self, table: str, carried: Carried, day: Callable[[str], int | None]) -> Iterator[Fault]:
        """Nobody buys more in a gaming day, at all tables, than they have set for themselves."""
        for sequence, (player, most, time) in carried.limited.items():
            own = max((link.own for link in self.links.get(table, {}).get(sequence, ())), default=0)
            acts = self._bought.get(player, ())
            bought = sum(more for at, when, more in acts if at <= own and day(when) == day(time))
            if bought > most:
                no = f"{player} has bought {bought} on this day, and had set {most} as the most to lose"
                yield Fault(table, sequence, "body.events", no)

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
