"""The epochs of a table with fair dice: seeds committed, shown and mixed in their order, and every roll from them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from passline.verify.dice import dice_of, house_commitment, mix_of, player_commitment
from passline.verify.entry import Entry
from passline.verify.report import Complaint

ROLLS_MAX = 1_000
"""The rolls an epoch may have."""

LASTS = timedelta(days=1)
"""How long an epoch deals."""


@dataclass(slots=True)
class Epoch:
    """What the entries have told of one epoch."""

    commitment: str
    promised: dict[str, str] = field(default_factory=dict)
    """Players' commitments, in their order."""
    seeds: dict[str, str] = field(default_factory=dict)
    mix: str = ""
    frozen: str = ""
    """When it was mixed."""
    rolls: list[tuple[Any, list[int] | None]] = field(default_factory=list)
    """Of every roll its entry and its dice; None for a void one."""

    @property
    def owing(self) -> list[str]:
        """Who has promised a seed and not shown it."""
        return sorted(self.promised.keys() - self.seeds.keys())


class Seeds:
    """The seeds of one table, and the dice they make."""

    def __init__(
        self, counts: Counter[str], voids: Callable[[int, list[int]], object], tell: Callable[[str], object], today: str
    ) -> None:
        """Before the table is opened; `voids` is told of void rolls, and what they would have been.

        Versions before `today`'s let the box end an epoch at any moment: of their tables that is told, and no fault.
        """
        self._counts, self._voids, self._tell, self._today = counts, voids, tell, today
        self._program = ""
        self._up = 0
        """What lies on the felt, by the postings."""
        self._early: list[tuple[int, str]] = []
        """Epochs that were ended before their time with bets up, and nothing was dealt since: the table may be over."""
        self._restored = 0
        """The last epoch whose dice may have been seen, since a backup was restored."""
        self._stream = ""
        self._fair = False
        self.epochs: dict[int, Epoch] = {}
        """Those committed to and not over."""
        self._last = 0
        """The last epoch committed to."""
        self.barred: set[str] = set()
        self._stopped = False
        self._announced: Entry | None = None
        """The bets closed for a roll that has no dice yet."""

    def see(self, entry: Entry) -> Iterator[Complaint]:  # noqa: C901 - a case for each kind
        """Whatever speaks of seeds or dice."""
        body, kind = entry.body, entry.kind
        if kind == "seed_revealed":
            self._ended(entry)
        for source, to, amount in body.get("postings", ()):
            self._up += amount * (to.startswith("felt/") - source.startswith("felt/"))
        if kind == "table_opened":
            self._stream, self._fair, self._program = body["stream"], body["dice"] == "fair", body["program"]
        elif kind == "table_restored":
            self._restored, self._early = max(self._restored, body["epoch"]), []
        elif kind == "table_stopped":
            self._stopped = True
            if self._announced is not None:  # its number is spent, and it never has dice
                yield from self._rolled(self._announced)
        elif kind == "bets_closed" and self._fair:
            self._announced = entry
            yield from self._dealt_on()
        elif kind == "seed_committed":
            yield from self._committed(body)
        elif kind in ("acted", "floor_acted") and self._fair and not self._last:
            yield "kind", "somebody acts before the house is committed to a seed"
        elif kind == "table_closed" and self.epochs:
            yield "kind", f"the table closes and the seeds of epochs {sorted(self.epochs)} were never shown"
        elif kind in ("rolled", "roll_voided") and self._fair:
            yield from self._rolled(entry)
        elif kind in ("player_seed_committed", "player_seed_revealed", "mix_frozen", "seed_revealed"):
            yield from self._told(entry)

    @property
    def open(self) -> str | None:
        """What can never be checked: the dice of a table that stopped before it showed its seeds."""
        dealt = [number for number, epoch in self.epochs.items() if epoch.rolls]
        return f"it stopped, and the seeds of epochs {dealt} were not shown" if self._stopped and dealt else None

    def finish(self) -> None:
        """Count what nobody can check yet."""
        self._counts["waiting_rolls"] += sum(
            dice is not None for epoch in self.epochs.values() for _, dice in epoch.rolls
        )

    def _committed(self, body: dict[str, Any]) -> Iterator[Complaint]:
        number = body["epoch"]
        if not self._fair:
            yield "kind", "a seed at a table whose dice are not drawn"
        if number != self._last + 1:
            yield "body.epoch", f"it is {number} where {self._last + 1} is due"
        if any(epoch.mix and earlier <= number - 2 for earlier, epoch in self.epochs.items()):
            yield "kind", f"epoch {number} is committed to before the seed of epoch {number - 2} was shown"
        self._last = number
        self.epochs[number] = Epoch(body["commitment"])

    def _told(self, entry: Entry) -> Iterator[Complaint]:
        kind, body = entry.kind, entry.body
        number = body["epoch"]
        epoch = self.epochs.get(number)
        if epoch is None:
            yield "body.epoch", f"epoch {number} is not committed to, or is over"
        elif kind == "player_seed_committed":
            yield from self._promised(epoch, body["player"], body["commitment"])
        elif kind == "player_seed_revealed":
            yield from self._shown(epoch, number, body["player"], body["seed"])
        elif kind == "mix_frozen":
            yield from self._frozen(epoch, number, body)
            epoch.frozen = str(entry.data["time"])
        else:
            yield from self._revealed(epoch, number, body)

    def _promised(self, epoch: Epoch, player: str, commitment: str) -> Iterator[Complaint]:
        if epoch.seeds or epoch.mix:
            yield "kind", f"{player} promises a seed after one was shown"
        if player in epoch.promised or player in self.barred:
            yield "body.player", f"{player} has promised a seed already, or may promise none any more"
        epoch.promised[player] = commitment

    def _shown(self, epoch: Epoch, number: int, player: str, seed: str) -> Iterator[Complaint]:
        if epoch.mix:
            yield "kind", f"{player} shows a seed after the mix"
        if player not in epoch.promised or player in epoch.seeds:
            yield "body.player", f"{player} has no seed to show"
            return
        house = bytes.fromhex(epoch.commitment)
        own = player_commitment(self._stream, number, player, house, bytes.fromhex(seed)).hex()
        if own != epoch.promised[player]:
            yield "body.seed", f"it is not the seed {player} promised"
        epoch.seeds[player] = seed
        self._counts["player_seeds"] += 1

    def _frozen(self, epoch: Epoch, number: int, body: dict[str, Any]) -> Iterator[Complaint]:
        if epoch.mix:
            yield "kind", f"epoch {number} is mixed twice"
        if epoch.owing:
            yield "kind", f"it is mixed without the seeds of {', '.join(epoch.owing)}"
        if number + 1 not in self.epochs:
            yield "kind", f"it is mixed before the house is committed to epoch {number + 1}"
        if min(self.epochs) < number:
            yield "body.epoch", f"epoch {number} is mixed before epoch {min(self.epochs)} is over"
        told = [
            {"player": who, "commitment": epoch.promised[who], "seed": epoch.seeds.get(who)} for who in epoch.promised
        ]
        if body["seeds"] != told:
            yield "body.seeds", "they are not those that were shown"
        seeds = {player: bytes.fromhex(seed) for player, seed in epoch.seeds.items()}
        own = mix_of(self._stream, number, bytes.fromhex(epoch.commitment), seeds).hex()
        if own != body["mix"]:
            yield "body.mix", f"it is {body['mix']}, and the seeds come to {own}"
        epoch.mix = body["mix"]

    def _rolled(self, entry: Entry) -> Iterator[Complaint]:
        self._announced = None
        number, roll = entry.body["epoch"], entry.body["roll"]
        epoch = self.epochs.get(number)
        if epoch is None or not epoch.mix:
            yield "body.epoch", f"epoch {number} deals before its mix or after its seed was shown"
            return
        if roll != len(epoch.rolls) + 1 or roll > ROLLS_MAX:
            yield "body.roll", f"it is {roll} where {len(epoch.rolls) + 1} is due, of {ROLLS_MAX} at most"
        epoch.rolls.append((entry.sequence, entry.body.get("dice")))

    def _revealed(self, epoch: Epoch, number: int, body: dict[str, Any]) -> Iterator[Complaint]:
        """An epoch is over: now everything about it can be checked."""
        seed = bytes.fromhex(body["seed"])
        if house_commitment(self._stream, number, seed).hex() != epoch.commitment:
            yield "body.seed", f"it is not the seed the house was committed to in epoch {number}"
        if body["owing"] != ([] if epoch.mix else epoch.owing):
            yield "body.owing", f"it says {body['owing']}, and {epoch.owing} promised a seed and showed none"
        if body["rolls"] != len(epoch.rolls):
            yield "body.rolls", f"it says {body['rolls']}, and {len(epoch.rolls)} were dealt"
        for at, (sequence, dice) in enumerate(epoch.rolls, start=1):
            own = dice_of(seed, self._stream, number, at, bytes.fromhex(epoch.mix))
            if dice is None:
                self._voids(sequence, own)
                continue
            if own != dice:
                yield "body.dice", f"roll {at} of epoch {number} shows {dice}, and its seeds make {own}", sequence
            self._counts["rolls"] += 1
        self._counts["epochs"] += 1
        del self.epochs[number]
        if not epoch.mix and epoch.owing:
            self._bar(epoch.owing)

    def _ended(self, entry: Entry) -> None:
        """Notice an epoch that is ended before its time while bets are up: the house would choose their dice."""
        body, number = entry.body, entry.body["epoch"]
        epoch = self.epochs.get(number)
        if epoch is None or body["owing"] or self._up <= 0 or self._stopped or number <= self._restored:
            return
        if len(epoch.rolls) >= ROLLS_MAX or (epoch.frozen and _since(epoch.frozen, entry.data["time"]) >= LASTS):
            return
        seed, mix = bytes.fromhex(body["seed"]), epoch.mix
        if not mix:
            mix = mix_of(self._stream, number, bytes.fromhex(epoch.commitment), {}).hex()
        dice = dice_of(seed, self._stream, number, len(epoch.rolls) + 1, bytes.fromhex(mix))
        no = f"epoch {number} was ended with bets up, after {len(epoch.rolls)} rolls: its next dice were {dice}"
        self._early.append((entry.sequence, no))

    def _dealt_on(self) -> Iterator[Complaint]:
        """Dice are thrown after an epoch was ended with bets up: by another seed than those bets were made under."""
        for sequence, no in self._early:
            if self._program == self._today:
                self._counts["early_ends"] += 1
                yield "kind", no, sequence
            else:
                self._tell(f"entry {sequence}: {no}; program {self._program} allowed that")
        self._early = []

    def _bar(self, players: list[str]) -> None:
        """Who owed a seed gives none any more, not even one that was promised."""
        self._counts["empty_epochs"] += 1
        self.barred.update(players)
        for later in self.epochs.values():
            for player in players:
                later.promised.pop(player, None)


def _since(earlier: str, later: object) -> timedelta:
    """How long one time is after another; 23:59:60 is taken for the second before it."""
    begun, ended = (datetime.fromisoformat(str(each).replace(":60", ":59")) for each in (earlier, later))
    return ended - begun
