"""A journal written from docs/journal.md by hand: a test can lie in any field and still have every hash right."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from passline import __version__
from passline.codec import encode, to_data
from passline.engine import commands as c
from passline.engine.decide import decide
from passline.engine.events import WagerWon
from passline.engine.evolve import evolve
from passline.engine.layout import lay_out
from passline.engine.postings import postings
from passline.engine.refusals import Refusal
from passline.engine.table import open_table
from passline.live.dice import commitment, mix, player_commitment, roll
from passline.record.notice import default_chips, default_notice
from passline.rulebooks.catalogue import house_files
from passline.rulebooks.read import load

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from passline.engine.commands import Command
    from passline.engine.events import Event
    from passline.engine.values import Roll

SIGNING = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
STREAM = "00112233445566778899aabbccddeeff"
Line = dict[str, Any]


def written(data: object) -> bytes:
    """Canonical JSON."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def seed_of(*words: object) -> bytes:
    """A seed that a test can make again."""
    return sha256(repr(words).encode()).digest()


class Journal:
    """One table's entries, without hashes until they are asked for."""

    def __init__(self, house: str = "adelaide", dice: str = "fair", name: str = "t1") -> None:
        """Open the table."""
        text = house_files()[house].read_text(encoding="utf-8")
        book = load(house)
        chips = default_chips(book)
        notice = default_notice(book, chips)
        self.name, self.dice = name, dice
        self.layout = lay_out(book)
        self.state = open_table(notice, 5)
        self.accounts: dict[str, int] = {}
        self.entries: list[Line] = []
        self.house = sha256(text.encode()).hexdigest()
        self.epoch, self.rolls, self.mix = 0, 0, b""
        body = {"stream": STREAM, "house": text, "notice": to_data(notice), "chips": list(chips), "dice_set": 5}
        self.add("table_opened", {**body, "grain": 100, "dice": dice, "program": __version__})

    def add(self, kind: str, body: Line, actor: str = "house", role: str = "house", key: str | None = None) -> Line:
        """One entry more."""
        number = len(self.entries) + 1
        time = f"2026-11-15T{20 + number // 3600 % 4:02}:{number // 60 % 60:02}:{number % 60:02}Z"
        entry = {"kind": kind, "body": body, "actor": actor, "role": role, "key": key, "time": time, "v": 1}
        self.entries.append({**entry, "house": self.house, "table": self.name})
        return self.entries[-1]

    # --- Play -------------------------------------------------------------------------------------------------------

    def happened(self, commands: Iterable[Command]) -> Line:
        """Events and postings of what is asked."""
        events: list[Event] = []
        for command in commands:
            answer = decide(self.layout, self.state, command)
            assert not isinstance(answer, Refusal), answer.message
            self.state = evolve(self.state, answer)
            events += answer
        return self.booked(events)

    def booked(self, events: Sequence[Event]) -> Line:
        """What these events move."""
        moves: list[list[Any]] = []
        for event in events:
            for source, to, amount in postings(event):
                moves.append([_account(source), _account(to), amount])
            if isinstance(event, WagerWon) and event.rounding and (left := int(event.exact - event.won)):
                moves.append(["bank", "breakage", left] if left > 0 else ["breakage", "bank", -left])
        for source, to, amount in moves:
            self.accounts[source] = self.accounts.get(source, 0) - amount
            self.accounts[to] = self.accounts.get(to, 0) + amount
        return {"events": [to_data(event) for event in events], "postings": moves}

    def act(self, command: Command, actor: str = "ann", role: str = "player") -> Line:
        """Ask for something, whatever the answer is."""
        key, said = f"k{len(self.entries)}", to_data(command)
        answer = decide(self.layout, self.state, command)
        if isinstance(answer, Refusal):
            body = {"command": said, "asked": None, "refusal": to_data(answer)}
            return self.add("refused", body, actor, role, key)
        return self.add("acted", {"command": said, **self.happened([command])}, actor, role, key)

    def roll(self, dice: Roll | None = None) -> Line:
        """Close the bets and deal."""
        self.rolls += 1
        key = f"k{len(self.entries)}"
        number = {"epoch": self.epoch, "roll": self.rolls}
        if self.dice != "given":
            self.add("bets_closed", {**number, "asked": {"actor": "ann", "key": key, "role": "player"}})
        dealt = dice or roll(seed_of("house", self.epoch), STREAM, self.epoch, self.rolls, self.mix)
        command = c.Throw(dealt)
        body = {**number, "dice": list(dealt), "command": to_data(command), "readings": None}
        return self.add("rolled", {**body, **self.happened([command])}, "ann", "player", key)

    def void(self, people: Sequence[str] = ("bea", "cid"), reason: str = "the power went") -> Line:
        """Close the bets, and give everything back."""
        self.rolls += 1
        number = {"epoch": self.epoch, "roll": self.rolls}
        self.add("bets_closed", {**number, "asked": None})
        commands = [c.ReturnAll(reason)]
        body = {**number, "reason": reason, "people": list(people), "returned": True}
        body["commands"] = [to_data(each) for each in commands]
        by = ("bea", "supervisor") if people else ("house", "house")
        return self.add("roll_voided", {**body, **self.happened(commands)}, *by)

    def correct(self, reverses: int) -> Line:
        """Strike the last roll out."""
        command = c.StrikeOut("a die was cocked")
        body = {"reverses": reverses, "reason": command.reason, "people": ["bea", "cid"], "command": to_data(command)}
        return self.add("corrected", {**body, **self.happened([command])}, "bea", "supervisor")

    def count(self) -> Line:
        """Write the state and the accounts down."""
        accounts = written({name: amount for name, amount in self.accounts.items() if amount})
        body = {"state": sha256(encode(self.state).encode()).hexdigest(), "accounts": sha256(accounts).hexdigest()}
        return self.add("table_counted", {**body, "snapshot": "00" * 32})

    # --- Seeds ------------------------------------------------------------------------------------------------------

    def commit(self, epoch: int) -> Line:
        """The house commits itself."""
        return self.add("seed_committed", {"epoch": epoch, "commitment": self.house_commitment(epoch).hex()})

    def house_commitment(self, epoch: int) -> bytes:
        """What the house publishes."""
        return commitment(STREAM, epoch, seed_of("house", epoch))

    def promise(self, epoch: int, player: str) -> Line:
        """A player commits."""
        made = player_commitment(STREAM, epoch, player, self.house_commitment(epoch), seed_of(player, epoch))
        body = {"epoch": epoch, "player": player, "commitment": made.hex()}
        return self.add("player_seed_committed", body, player, "player", f"k{len(self.entries)}")

    def show(self, epoch: int, player: str) -> Line:
        """A player shows a seed."""
        body = {"epoch": epoch, "player": player, "seed": seed_of(player, epoch).hex()}
        return self.add("player_seed_revealed", body, player, "player", f"k{len(self.entries)}")

    def freeze(self, epoch: int, players: Sequence[str] = ()) -> Line:
        """Mix the seeds of these players."""
        seeds = {player: seed_of(player, epoch) for player in players}
        house = self.house_commitment(epoch)
        self.epoch, self.rolls, self.mix = epoch, 0, mix(STREAM, epoch, house, seeds)
        told = [
            {
                "player": player,
                "commitment": player_commitment(STREAM, epoch, player, house, seed).hex(),
                "seed": seed.hex(),
            }
            for player, seed in seeds.items()
        ]
        return self.add("mix_frozen", {"epoch": epoch, "mix": self.mix.hex(), "seeds": told})

    def reveal(self, epoch: int, rolls: int | None = None, owing: Sequence[str] = ()) -> Line:
        """The house shows its seed."""
        spent = self.rolls if rolls is None else rolls
        seed = seed_of("house", epoch).hex()
        return self.add("seed_revealed", {"epoch": epoch, "seed": seed, "rolls": spent, "owing": list(owing)})

    # --- The export -------------------------------------------------------------------------------------------------

    def chained(self) -> list[Line]:
        """The entries with their places and hashes."""
        previous, made = "0" * 64, []
        for sequence, entry in enumerate(self.entries, start=1):
            placed = {**entry, "sequence": sequence, "previous": previous}
            previous = sha256(b"passline/entry/1\n" + written(placed)).hexdigest()
            made.append({**placed, "hash": previous})
        return made

    def balances(self) -> Line:
        """What the store says it has."""
        accounts = {name: amount for name, amount in self.accounts.items() if amount}
        return {"balances": {"accounts": accounts, "sequence": len(self.entries), "table": self.name}}


def _account(place: Any) -> str:  # noqa: ANN401
    name = place.name.replace(" ", "_")
    return "/".join(str(part) for part in (name, place.seat, place.wager) if part is not None)


def head(entry: Line, key: Ed25519PrivateKey = SIGNING) -> Line:
    """A signed head of an entry."""
    said = {"hash": entry["hash"], "sequence": entry["sequence"], "table": entry["table"], "time": entry["time"]}
    signature = key.sign(b"passline/head/1\n" + written(said)).hex()
    return {**said, "key": key.public_key().public_bytes_raw().hex(), "signature": signature}


def export(*journals: Journal, every: int = 20) -> list[bytes]:
    """Tables as `passline journal export` writes them, with a head every so many entries and one at the end."""
    chains = [journal.chained() for journal in journals]
    heads = [head(entry) for chain in chains for entry in chain if entry is chain[-1] or not entry["sequence"] % every]
    lines: list[Line] = [{"export": "passline/journal/1", "tables": [journal.name for journal in journals]}]
    lines += (entry for chain in chains for entry in chain)
    lines += (journal.balances() for journal in journals)
    return [written(line) + b"\n" for line in [*lines, {"heads": heads}]]


def evening(rolls: int = 12, epochs: int = 2) -> Journal:
    """A table with something of everything: seeds, a lost epoch, refusals, odd wins, a void roll, a correction."""
    journal = Journal()
    journal.commit(1)
    journal.commit(2)
    journal.act(c.Sit(1, "Ann", 1_000_00))
    journal.act(c.Sit(2, "Bob", 1_000_00), "bob")
    for epoch in range(1, epochs + 1):
        players = ["ann", "bob"] if epoch == 1 else ["ann"]
        for player in players:
            journal.promise(epoch, player)
        for player in players:
            journal.show(epoch, player)
        journal.freeze(epoch, players)
        for number in range(rolls):
            _bets(journal)
            journal.roll()
            if number == rolls // 2:
                journal.count()
        _bets(journal)
        journal.void()
        journal.reveal(epoch)
        journal.commit(epoch + 2)
    return journal


def _bets(journal: Journal) -> None:
    """Whatever can be up goes up, some of it refused."""
    if journal.state.shooter is None:
        journal.act(c.Bet(1, "pass", 10_00))
        journal.act(c.Shoot(1))
    for wager in ("pass", "place_6", "field", "come"):
        journal.act(c.Bet(1, wager, 7_00 if wager == "place_6" else 10_00))
    journal.act(c.Bet(2, "dont_pass", 10_00), "bob")
