"""The cage: money that people bring and take, and the chips that go to tables and come back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from passline.verify.bodies import is_whole
from passline.verify.books import post
from passline.verify.entry import Entry
from passline.verify.report import Complaint
from passline.verify.wallets import Link

ACTS = {
    "pay_in": ("cash", "wallet"),
    "pay_out": ("wallet", "cash"),
    "buy_in": ("wallet", "tables"),
    "colour_up": ("tables", "wallet"),
}
"""From where to where each act moves money; a wallet is the player's."""


LINKED = ("buy_in", "colour_up")
"""The acts that are the other side of a table's entry."""


class Cage:
    """The stream of the cage."""

    def __init__(self, counts: Counter[str]) -> None:
        self._counts = counts
        self.accounts: dict[str, int] = {}
        self.links: dict[str, dict[int, list[Link]]] = {}
        """By table and by the sequence there."""
        self.held: dict[str, list[tuple[int, int]]] = {}
        """By player: what the wallet held from which entry on."""

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
        if entry.data["role"] == "player" and body["act"] not in LINKED:
            yield "role", f"a player does what the crew does: {body['act']}"
        self._counts["postings"] += len(body["postings"])
        linked = body["act"] in LINKED
        if linked != (body["table"] is not None) or linked != (body["sequence"] is not None):
            yield "body.table", f"{body['act']} {'names no' if linked else 'is the other side of no'} entry of a table"
        elif linked and is_whole(body["sequence"], 1):  # of any other its type is the fault
            amount = body["amount"] if body["act"] == "buy_in" else -body["amount"]
            named = self.links.setdefault(body["table"], {}).setdefault(body["sequence"], [])
            named.append(Link(entry.sequence, body["player"], amount))
