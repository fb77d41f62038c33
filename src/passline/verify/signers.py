"""Who signs a stream: as it was opened, as it says since, and what a key that was replaced cannot have signed."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from passline.verify.bodies import is_end
from passline.verify.chain import Chain
from passline.verify.entry import Entry
from passline.verify.heads import check_head, has_assent
from passline.verify.report import Fault

CAGE, PEOPLE = "cage", "people"
NAMES_ITS_OWN = (CAGE, PEOPLE)
"""The streams that may be there before there are keys, and say later who signs them."""


class Signers:
    """The keys of all streams of an export."""

    def __init__(self, told: list[str]) -> None:
        """Nobody has said anything; what is to be told goes into `told`."""
        self._told = told
        self._named: dict[str, dict[int, str]] = {}
        """By table: from which entry on which key signs it."""
        self._heirs: dict[str, str] = {}
        """By key: the one that signs in its place, by its assent."""
        self._ends: dict[str, tuple[int, dict[str, Any]]] = {}
        """By key that was replaced: the entry of the people's stream that says so, and where every table ended then."""
        self._vouched: dict[str, int] = {}
        """By table: the last entry that a head of a key vouches for which was given as the house's."""

    def __contains__(self, table: str) -> bool:
        """Whether a table says who signs it."""
        return table in self._named

    @property
    def tables(self) -> set[str]:
        """The tables that say who signs them."""
        return set(self._named)

    def see(self, entry: Entry, last: int) -> Iterator[Fault]:
        """An entry that may say who signs its stream."""
        body = entry.data.get("body") if entry.kind in ("table_opened", "signer_named") else None
        signer = body.get("signer") if isinstance(body, dict) else None
        if entry.kind == "signer_named":
            yield from self._renamed(entry, str(signer), last)
        if isinstance(signer, str):
            self._named.setdefault(entry.table, {0: signer})

    def _renamed(self, entry: Entry, signer: str, last: int) -> Iterator[Fault]:
        """Who signs from here on: said first by streams of the house's own, and then by the assent of who did."""
        named = self._named.get(entry.table)
        if not named and entry.table not in NAMES_ITS_OWN:
            yield Fault(entry.table, last, "kind", "a table says who signs it when it is opened", entry.line)
        elif named and not has_assent(entry.data, before := named[max(named)]):
            no = f"{before} signs it, and does not say that {signer} takes its place"
            yield Fault(entry.table, last, "body.assent", no, entry.line)
        elif named:
            named[last] = signer
            if self._heirs.setdefault(before, signer) != signer:
                no = f"{before} let {self._heirs[before]} take its place elsewhere, and a key has one heir"
                yield Fault(entry.table, last, "body.signer", no, entry.line)
            if entry.table == PEOPLE:
                ends = entry.data["body"].get("ends")
                self._ends[before] = (last, ends if isinstance(ends, dict) else {})
            self._told.append(f"{entry.table}: since entry {last} {signer} signs it, by the assent of {before}")
        if entry.data.get("role") != "house":
            yield Fault(entry.table, last, "role", "the program says who signs, and nobody else", entry.line)

    def of(self, head: Mapping[str, Any]) -> str | None:
        """The key that a head must be signed with, where its table says so."""
        named, at = self._named.get(str(head.get("table")), {}), head.get("sequence")
        since = [each for each in named if type(at) is int and each <= at]
        return named[max(since)] if since else None

    def first(self, table: str) -> str:
        """The key that a table was opened to be signed with."""
        return self._named[table][0]

    def strangers(self, keys: Collection[str]) -> set[str]:
        """Which of these keys took no other's place."""
        return set(keys) - set(self._heirs.values())

    def vouch(self, heads: Iterable[Mapping[str, Any]], known: Collection[str], chains: Mapping[str, Chain]) -> None:
        """Look how far the keys that were given as the house's vouch for each stream."""
        for head in heads:
            if head.get("key") in known and not list(check_head(head, chains)):
                table = str(head["table"])
                self._vouched[table] = max(self._vouched.get(table, 0), head["sequence"])

    def trusted(self, table: str, known: Collection[str]) -> set[str]:
        """The keys whose heads of a stream count where these are the house's: those, their heirs, and whom they follow.

        A key is followed only where one that is known has signed that it is, or anybody could name it as their heir:
        in the stream itself, or in the people's, where the stream is among those that were there by then.
        """
        found = set(known)
        for _ in self._heirs if found else ():
            found |= {heir for key, heir in self._heirs.items() if key in found}
        named = self._named.get(table, {})
        for at, heir in sorted(named.items(), reverse=True):
            if heir in found and at <= self._vouched.get(table, 0):
                found |= {key for before, key in named.items() if before < at}
        for key, (at, ends) in reversed(self._ends.items()):
            if self._heirs.get(key) in found and table in ends and at <= self._vouched.get(PEOPLE, 0):
                found.add(key)
        return found

    def outlived(self, chains: Mapping[str, Chain]) -> Iterator[Fault]:
        """What is signed with a key that was replaced by then: whoever has the old one could have written it."""
        for table, named in sorted(self._named.items()):
            last = named[max(named)]
            if table == PEOPLE or last not in self._ends:
                continue
            ended: Any = self._ends[last][1].get(table)
            if not is_end(ended):
                no = f"{last} signs it, and was replaced before there was such a table, as the people's stream says"
                yield Fault(table, None, "heads", no)
            elif chains[table].hashes.get(ended[0]) != ended[1] or chains[table].last != ended[0]:
                no = f"it ended with entry {ended[0]}, {ended[1]}, when {last}, which signs it, was replaced"
                yield Fault(table, ended[0], "hash", no)
