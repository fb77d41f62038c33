"""A table's chain as somebody who is not the house sees it: entries followed by their hashes, and signed heads kept.

A head that does not fit what the house shows later is told in words; both are in the file of heads, which
`passline verify --head` reads.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from passline import __version__
from passline.files.whole import write_whole
from passline.verify.chain import Entry, entry_hash
from passline.verify.dice import Chains
from passline.verify.heads import has_assent, is_signed
from passline.verify.report import Report

if TYPE_CHECKING:
    from passline.client.clients import Client

Json = dict[str, Any]
STOP = "Play no further at {table}."
KEEP = "Keep {path}: what the house signed is in it. Show it to the other players and to whoever licenses the house."
FIRST_PROTOCOL = (
    "its dice are drawn by the first protocol: no hand of mine is in them, and the house knows them before I bet."
)
ANOTHER = (
    "it is not the table that this program knows by that name: that one has ended, or is not shown to it any more."
)
# After how many entries it is kept what they come to: as many as a server tells of at once.
SAVED_EVERY = 500
# What is kept of a witness beside the dice.
SAVED = ("sequence", "hash", "signers", "signed", "closing", "announced", "wrong")
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

    def __init__(self, path: Path, keys: Path | None = None, whose: str = "") -> None:
        self.path, self._keys = path, keys or path.with_suffix(".keys")
        self._checked = path.with_suffix(f".{whose}.checked.json")
        self.known: dict[str, dict[int, Json]] = {}
        lines = path.read_text("utf-8").splitlines() if path.exists() else []
        for head in map(json.loads, lines):
            if "signature" in head:
                self.known.setdefault(head["table"], {}).setdefault(head["sequence"], head)

    def pinned(self, server: str, key: str, instead_of: Collection[str] = ()) -> str:
        """The key that a server is known by: this one, where it is the first, or the heir of the one known."""
        keys: dict[str, str] = {}
        with suppress(OSError, ValueError):
            keys = json.loads(self._keys.read_text("utf-8"))
        known = keys.get(server, key)
        pinned = key if known in instead_of else known
        if keys.get(server) != pinned:
            with suppress(OSError):
                self._keys.parent.mkdir(parents=True, exist_ok=True)
                write_whole(self._keys, json.dumps(keys | {server: pinned}))
        return pinned

    def checked(self) -> Json:
        """How far an earlier run checked the table, and what it came to; nothing by a program of another version."""
        with suppress(OSError, ValueError):
            saved: Json = json.loads(self._checked.read_text("utf-8"))
            return saved if saved["program"] == __version__ else {}
        return {}

    def save(self, checked: Json) -> None:
        with suppress(OSError):
            self._checked.parent.mkdir(parents=True, exist_ok=True)
            write_whole(self._checked, json.dumps({"program": __version__} | checked))

    def of(self, table: str) -> dict[int, Json]:
        return self.known.setdefault(table, {})

    def add(self, head: Json) -> None:
        """Keep one; where the disk takes none, in memory."""
        self.keep(head)
        self.of(head["table"]).setdefault(head["sequence"], head)

    def keep(self, data: Json) -> None:
        with suppress(OSError):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(data, sort_keys=True) + "\n")


class Witness:
    def __init__(self, client: Client, table: str, heads: Heads, *, whole: bool = False) -> None:
        """Go on from the last head that was kept, if one was.

        Else the whole table, its dice checked as they fall; an earlier run's check is gone on with, where it was saved.
        """
        self.client, self.table, self.heads = client, table, heads
        self.signers: list[str] = []  # the key that the table is signed with, as it says itself, behind those before
        self._dice = Chains(Report()) if whole else None
        self._kept = max(heads.of(table), default=0)  # the last entry that the house signed and an earlier run kept
        last = 0 if whole else self._kept
        self.sequence, self.hash = last, heads.of(table)[last]["hash"] if last else ""  # the last entry that was seen
        self.closing = ""  # the hash of the last entry that closed the bets
        self.announced: Json | None = None  # that entry, while its roll is not over
        self.signed = last  # up to which entry the house has signed
        self._unsigned: dict[int, str] = {}  # by entry: the hash of what it has not signed yet
        # What the house did that it must not, in words; and what to keep, and whom to show it.
        self.wrong: list[str] = []
        # Whether the house contradicts what it showed, signed or answered: then nobody gives it another value.
        self.is_broken = False
        self._saved = 0  # up to which entry it was kept what the entries come to
        if whole and (saved := heads.checked()):
            self._go_on(saved)

    def _go_on(self, saved: Json) -> None:
        dice = Chains(Report())
        with suppress(LookupError, TypeError, ValueError):  # no file of ours: the table is checked from its start
            dice.go_on(saved["dice"])
            own = {name: saved[name] for name in SAVED} | {"_unsigned": dict(saved["unsigned"])}
            for name, value in own.items():
                setattr(self, name, value)
            self._dice, self._saved = dice, self.sequence

    def save(self) -> None:
        """Keep what the entries come to, now and then; never where something does not fit: it is found again."""
        if self._dice is None or self.is_broken or self.sequence < self._saved + SAVED_EVERY:
            return
        own = {name: getattr(self, name) for name in SAVED}
        self.heads.save(own | {"unsigned": list(self._unsigned.items()), "dice": self._dice.saved()})
        self._saved = self.sequence

    @property
    def signer(self) -> str | None:
        return self.signers[-1] if self.signers else None

    def complain(self, what: str) -> None:
        """Say once what the house did that it must not, and at first what to keep and whom to show it."""
        self.wrong += [each for each in (what, KEEP.format(path=self.heads.path)) if each not in self.wrong]

    def contradicts(self, what: str) -> None:
        """The house says two things of this table that cannot both be."""
        self.complain(f"{self.table}: {what}")
        if not self.is_broken:
            self.wrong.append(STOP.format(table=self.table))
        self.is_broken = True

    def look(self) -> Iterator[Json]:
        """Take in what was written since: the entries that one may see, whatever is wrong with them."""
        if self.signer is None and self.sequence:
            first = self.client.get(f"/tables/{self.table}/chain?after=0")["links"]
            if first and first[0]["line"]:
                self._signed_by(json.loads(first[0]["line"]))
        while True:
            page = self.client.get(f"/tables/{self.table}/chain?after={max(0, self.sequence - 1)}")
            if page["last"] < (seen := max(self.sequence, self._kept)):
                no = f"it ends at entry {page['last']}, and the house showed entry {seen}: it was cut off, or undone by"
                no += " a backup."
                if not self.is_broken:
                    self.contradicts(no)
                return
            for link in page["links"]:
                entry = json.loads(link["line"]) if link["line"] else None
                if self._follows(link, entry) and entry is not None:
                    yield entry
            for head in page["heads"]:
                self.head(head)
            if not page["links"] or self.sequence >= page["last"]:
                self._pin()
                return

    def hear(self, entry: Json, head: Json | None) -> bool:
        """Take in an entry as the stream tells it; False where `look` is needed, for some before it are missing."""
        if entry["sequence"] > self.sequence + 1 or "previous" not in entry:
            return False
        if entry["sequence"] >= self.sequence:
            self._follows(entry, entry if "body" in entry else None)
            if entry["kind"] == "signer_named":
                self._pin()
        if head is not None:
            self.head(head)
        return True

    def _follows(self, link: Json, entry: Json | None) -> bool:
        """Check one entry: its own hash, the one before, and what was signed; whether it is new."""
        sequence, signed = link["sequence"], self.heads.of(self.table).get(link["sequence"])
        if signed is not None and signed["hash"] != link["hash"]:
            self._breaks_off(f"entry {sequence} is not the one that the house signed at {signed['time']}.")
        if sequence == self.sequence:
            if link["hash"] != self.hash:
                self._breaks_off(f"entry {sequence} is not the one that the house showed before.")
            return False
        if entry is not None and entry_hash(entry) != link["hash"]:
            self.contradicts(f"entry {sequence} does not hash to what the house says.")
        if self.hash and (sequence, link["previous"]) != (self.sequence + 1, self.hash):
            self._breaks_off(f"entry {sequence} does not follow from what the house showed before.")
        self.sequence, self.hash = sequence, link["hash"]
        self._unsigned[sequence] = link["hash"]
        if entry is not None:
            self._signed_by(entry)
            self._check(entry)
        if signed is not None:
            self._vouched(signed)
        if entry is not None and entry["kind"] == "bets_closed":
            self.closing, self.announced = entry["hash"], entry
        elif entry is not None and entry["kind"] in OVER:
            self.announced = None
        return True

    def _breaks_off(self, what: str) -> None:
        """The chain is another; whether its dice follow from what one saw of the one before says nothing more."""
        self.contradicts(what)
        self._dice = None

    def _check(self, entry: Json) -> None:
        """Hold it against every row of docs/dice.md, *Checking a table*, where the table is followed from its start."""
        if self._dice is None:
            return
        try:
            for _, what, *_ in self._dice.see(Entry(entry, 0)):
                self.contradicts(f"entry {entry['sequence']} breaks a rule of the dice, {what}.")
        except Exception:  # noqa: BLE001 - whatever a forged entry breaks is a lie of the house
            self._dice = None
            self.contradicts(f"entry {entry['sequence']} is none of its kind, and its dice cannot be followed.")

    def _vouched(self, head: Json) -> None:
        """The house has signed everything up to here."""
        if head["sequence"] in self._unsigned and head["key"] == self.signer:
            self.signed = head["sequence"]
            self._unsigned = {at: each for at, each in self._unsigned.items() if at > self.signed}

    def _signed_by(self, entry: Json) -> None:
        if entry["kind"] == "signer_named" and self.signer is not None and not has_assent(entry, self.signer):
            self.contradicts("the key that signed it does not say that another takes its place.")
        elif entry["kind"] in ("table_opened", "signer_named"):
            body = entry["body"]
            self._by_page(body if entry["kind"] == "table_opened" else {"dice": ""})
            self.signers += [body["signer"]] if body.get("signer") else []
            if stream := body.get("stream"):
                name = f"{self.client.server}/tables/{self.table}"
                if (known := self.heads.pinned(name, stream)) != stream:
                    self.heads.pinned(name, stream, (known,))
                    self.complain(f"{self.table}: {ANOTHER}")

    def _pin(self) -> None:
        """The house is known by the key that signs now: each of those before it approved of the next."""
        if self.signer and (pinned := self.heads.pinned(self.client.server, self.signer, self.signers)) != self.signer:
            no = f"it is signed with {self.signer}, and what this program saw first of {self.client.server} with"
            self.complain(f"{self.table}: {no} {pinned}. Ask the house for its key by another way than its server.")

    def _by_page(self, body: Json) -> None:
        """Say by which page a table's dice are drawn, where it is not ours: a house may open one by an older page."""
        dice, page = body.get("dice"), (body.get("protocol", 1), body.get("revision", 1))
        if dice == "given":
            self.complain(f"{self.table}: its dice are said by whoever plays, and nobody can check them.")
        elif dice == "fair" and page == (1, 1):
            self.complain(f"{self.table}: {FIRST_PROTOCOL}")
        elif dice == "fair" and page != (2, 2):
            self.contradicts(f"its dice are drawn by protocol {page[0]}, revision {page[1]}, which I do not know.")

    def head(self, head: Json) -> bool:
        """Keep what the house signed; whether it is its signature, and no contradiction to another."""
        known = self.heads.of(self.table).get(head["sequence"])
        if not is_signed(head):
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
        self._vouched(head)
        return True
