"""The cage: money that people bring and take, and the chips that go to tables and come back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from passline.verify.books import post
from passline.verify.report import Fault

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterator

    from passline.verify.entry import Entry
    from passline.verify.report import Complaint

ACTS = {
    "pay_in": ("cash", "wallet"),
    "pay_out": ("wallet", "cash"),
    "buy_in": ("wallet", "tables"),
    "colour_up": ("tables", "wallet"),
}
"""From where to where each act moves money; a wallet is the player's."""


class Cage:
    """The stream of the cage."""

    def __init__(self, counts: Counter[str]) -> None:
        """All wallets empty."""
        self._counts = counts
        self.accounts: dict[str, int] = {}
        self._linked: dict[tuple[str, int], tuple[object, str, int]] = {}
        """By table and sequence: the cage's entry, its act and its amount."""

    def see(self, entry: Entry) -> Iterator[Complaint]:
        """One act."""
        if entry.kind != "cage_acted":
            return
        body = entry.body
        wallet = f"wallet/{body['player']}"
        source, to = (wallet if end == "wallet" else end for end in ACTS[body["act"]])
        if body["postings"] != [[source, to, body["amount"]]]:
            yield "body.postings", f"{body['act']} of {body['amount']} is {[source, to, body['amount']]}"
        yield from post(self.accounts, body["postings"])
        self._counts["cage_acts"] += 1
        self._counts["postings"] += len(body["postings"])
        if body["act"] in ("buy_in", "colour_up"):
            there = (body["table"], body["sequence"])
            if there in self._linked:
                yield "body.sequence", f"entry {there[1]} of {there[0]} is the other side of an earlier act"
            self._linked[there] = (entry.sequence, body["act"], body["amount"])

    def compare(self, moved: dict[tuple[str, int], int], tables: set[str]) -> Iterator[Fault]:
        """Every act that concerns a table against that table's own entry; `moved` is what each brought to its table."""
        for (table, sequence), (own, act, amount) in self._linked.items():
            there: Any = moved.get((table, sequence))
            if table in tables and there != (amount if act == "buy_in" else -amount):
                yield Fault(
                    "cage",
                    own if isinstance(own, int) else None,
                    "body",
                    f"{act} of {amount} is not what entry {sequence} of {table} says",
                )
