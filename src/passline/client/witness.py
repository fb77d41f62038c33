"""A table's chain as somebody who is not the house sees it: entries followed by their hashes, and signed heads kept.

A head that does not fit what the house shows later is told in words; both are in the file of heads, which
`passline verify --head` reads.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from passline.files.whole import write_whole
from passline.journal.contract import SignedHead
from passline.journal.heads import holds
from passline.verify.chain import entry_hash
from passline.verify.heads import has_assent

if TYPE_CHECKING:
    from passline.client.clients import Client

Json = dict[str, Any]
KEEP = "Keep {path}: what the house signed is in it. Show it to the other players and to whoever licenses the house."
FIRST_PROTOCOL = (
    "its dice are drawn by the first protocol: no hand of mine is in them, and the house knows them before I bet."
)
FIRST_REVISION = (
    "it is played by the first revision of the dice: a backup put back between rolls is not counted, and nothing is "
    "counted by person. A table that opened lately has no reason to be."
)
# What a roll that was announced is over with.
OVER = ("rolled", "roll_voided", "table_restored", "table_stopped")


def data_folder() -> Path:
    """Where a person's programs keep their hands and heads."""
    from platformdirs import user_data_path  # only who plays at a server needs it

    return user_data_path("passline") / "hands"


class Heads:
    """What a house signed, on disk before anything is said of it: heads by table and entry, and its key by server.

    A key is taken as the house's where it is first seen; another later is told. The closings that values were shown for
    stand among the heads, as entries: who puts an older backup back has undone those rolls.
    """

    def __init__(self, path: Path, keys: Path | None = None) -> None:
        self.path, self._keys = path, keys or path.with_suffix(".keys")
        self.known: dict[str, dict[int, Json]] = {}
        lines = path.read_text("utf-8").splitlines() if path.exists() else []
        for head in map(json.loads, lines):
            if "signature" in head:
                self.known.setdefault(head["table"], {}).setdefault(head["sequence"], head)

    def pinned(self, server: str, key: str, instead_of: str = "") -> str:
        """The key that a server is known by: this one, where it is the first, or takes the place of the one known."""
        keys: dict[str, str] = {}
        with suppress(OSError, ValueError):
            keys = json.loads(self._keys.read_text("utf-8"))
        if keys.setdefault(server, key) == instead_of:
            keys[server] = key
        with suppress(OSError):
            self._keys.parent.mkdir(parents=True, exist_ok=True)
            write_whole(self._keys, json.dumps(keys))
        return keys[server]

    def of(self, table: str) -> dict[int, Json]:
        return self.known.setdefault(table, {})

    def add(self, head: Json) -> None:
        """Keep one; where the disk takes none, in memory."""
        self.of(head["table"]).setdefault(head["sequence"], head)
        self.keep(head)

    def keep(self, data: Json) -> None:
        with suppress(OSError):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(data, sort_keys=True) + "\n")


class Witness:
    def __init__(self, client: Client, table: str, heads: Heads) -> None:
        """Go on from the last head that was kept, if one was."""
        self.client, self.table, self.heads = client, table, heads
        self.signer: str | None = None  # the key that the table is signed with, as it says itself
        last = max(heads.of(table), default=0)
        self.sequence, self.hash = last, heads.of(table)[last]["hash"] if last else ""  # the last entry that was seen
        self.closing = ""  # the hash of the last entry that closed the bets
        self.announced: Json | None = None  # that entry, while its roll is not over
        self.signed = last  # up to which entry the house has signed
        self._unsigned: dict[int, str] = {}  # by entry: the hash of what it has not signed yet
        # What the house did that it must not, in words; and what to keep, and whom to show it.
        self.wrong: list[str] = []
        # Whether the house contradicts what it showed, signed or answered: then nobody gives it another value.
        self.is_broken = False

    def complain(self, what: str) -> None:
        if what not in self.wrong:
            self.wrong += [what] if self.wrong else [what, KEEP.format(path=self.heads.path)]

    def contradicts(self, what: str) -> None:
        """The house says two things of this table that cannot both be."""
        self.is_broken = True
        self.complain(f"{self.table}: {what}")

    def look(self) -> list[Json]:
        """Take in what was written since: the entries that one may see, whatever is wrong with them."""
        if self.signer is None and self.sequence:
            first = self.client.get(f"/tables/{self.table}/chain?after=0")["links"]
            self._signed_by(first[0]["line"] if first else None)
        return list(self._entries())

    def _entries(self) -> Iterator[Json]:
        while True:
            page = self.client.get(f"/tables/{self.table}/chain?after={max(0, self.sequence - 1)}")
            if page["last"] < self.sequence:
                no = f"it ends at entry {page['last']}, and the house showed entry {self.sequence}: it was cut off."
                self.contradicts(no)
                return
            yield from filter(None, map(self._link, page["links"]))
            for head in page["heads"]:
                self.head(head)
            if not page["links"] or self.sequence >= page["last"]:
                return

    def _link(self, link: Json) -> Json | None:
        """One entry: its own hash, after the one before, and what was signed; None where it is not new or not shown."""
        sequence, signed = link["sequence"], self.heads.of(self.table).get(link["sequence"])
        if signed is not None and signed["hash"] != link["hash"]:
            self.contradicts(f"entry {sequence} is not the one that the house signed at {signed['time']}.")
        if sequence == self.sequence:
            if link["hash"] != self.hash:
                self.contradicts(f"entry {sequence} is not the one that the house showed before.")
            return None
        entry: Json | None = json.loads(link["line"]) if link["line"] else None
        if entry is not None and entry_hash(entry) != link["hash"]:
            self.contradicts(f"entry {sequence} does not hash to what the house says.")
        if self.hash and (sequence, link["previous"]) != (self.sequence + 1, self.hash):
            self.contradicts(f"entry {sequence} does not follow from what the house showed before.")
        self.sequence, self.hash = sequence, link["hash"]
        self._unsigned[sequence] = link["hash"]
        self._signed_by(link["line"])
        if entry is not None and entry["kind"] == "bets_closed":
            self.closing, self.announced = entry["hash"], entry
        elif entry is not None and entry["kind"] in OVER:
            self.announced = None
        return entry

    def _signed_by(self, line: str | None) -> None:
        entry: Json = json.loads(line) if line else {"kind": ""}
        if entry["kind"] == "signer_named" and self.signer is not None and not has_assent(entry, self.signer):
            self.contradicts("the key that signed it does not say that another takes its place.")
        elif entry["kind"] in ("table_opened", "signer_named"):
            self._by_page(entry["body"] if entry["kind"] == "table_opened" else {"dice": ""})
            before, self.signer = self.signer or "", entry["body"].get("signer")
            if self.signer and (pinned := self.heads.pinned(self.client.server, self.signer, before)) != self.signer:
                no = f"it is signed with {self.signer}, and what this program saw first of {self.client.server} with"
                self.complain(f"{self.table}: {no} {pinned}. Ask the house for its key by another way than its server.")

    def _by_page(self, body: Json) -> None:
        """Say by which page a table's dice are drawn, where it is not ours: a house may open one by an older page."""
        dice, page = body.get("dice"), (body.get("protocol", 1), body.get("revision", 1))
        if dice == "given" and not body.get("wallets"):
            self.complain(f"{self.table}: its dice are said by whoever plays, and nobody can check them.")
        elif dice == "fair" and page == (1, 1):
            self.complain(f"{self.table}: {FIRST_PROTOCOL}")
        elif dice == "fair" and page == (2, 1):
            self.complain(f"{self.table}: {FIRST_REVISION}")
        elif dice == "fair" and page != (2, 2):
            self.contradicts(f"its dice are drawn by protocol {page[0]}, revision {page[1]}, which I do not know.")

    def head(self, head: Json) -> bool:
        """Keep what the house signed; whether it is its signature, and no contradiction to another."""
        known = self.heads.of(self.table).get(head["sequence"])
        if not holds(SignedHead(**head)):
            self.contradicts(f"the signature of entry {head['sequence']} is not that of the key it names.")
            return False
        if known is None or known["hash"] != head["hash"]:
            self.heads.add(head)
        if known is not None and known["hash"] != head["hash"]:
            self.contradicts(f"the house signed two different entries {head['sequence']}.")
            return False
        if (followed := self._unsigned.get(head["sequence"], head["hash"])) != head["hash"]:
            self.contradicts(f"entry {head['sequence']} is {followed}, and is not the one that the house signed.")
            return False
        if head["sequence"] in self._unsigned and head["key"] == self.signer:
            self.signed = head["sequence"]
            self._unsigned = {at: each for at, each in self._unsigned.items() if at > self.signed}
        return True
