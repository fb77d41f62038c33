"""Tables of protocol 1 of docs/dice.md: what the live machine does not look at when it reads their seeds, and the dice.

That promises are kept and nobody promises too late, `passline.live.dice` says; `dice.mjs` checks all of it by itself.
"""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from passline.live.dice import ROLLS_MAX, commitment, mix, roll
from passline.verify.chain import Entry
from passline.verify.dice import Voids, time_of
from passline.verify.game import Game
from passline.verify.report import Complaint, Report

DAY = timedelta(days=1)  # how long an epoch deals


class Seeds:
    def __init__(self, report: Report, name: str, game: Game, voids: Voids) -> None:
        self._report, self._counts, self._name, self._game, self._voids = report, report.counts, name, game, voids
        self._program, self._fair, self._stopped = "", False, False
        self._last, self._frozen = 0, dict[int, Entry]()
        # By epoch that is not over: of every roll its entry and its dice; None for a void one.
        self._rolls: dict[int, list[tuple[int, list[int] | None]]] = {}
        # Epochs that were ended before their time with bets up, and nothing was dealt since: the table may be over.
        self._early: list[tuple[int, str]] = []
        self._announced: Entry | None = None

    @property
    def open(self) -> str | None:
        """What can never be checked: the dice of a table that stopped before it showed its seeds."""
        rolled = [epoch for epoch, rolls in self._rolls.items() if rolls]
        return f"it stopped, and the seeds of epochs {rolled} were not shown" if self._stopped and rolled else None

    def finish(self) -> None:
        self._counts["waiting_rolls"] += sum(dice is not None for rolls in self._rolls.values() for _, dice in rolls)

    def see(self, entry: Entry) -> Iterator[Complaint]:  # noqa: C901 - a case for each kind
        kind, body = entry.kind, entry.body
        if kind == "table_opened" and body.get("protocol", 1) == 1:
            self._program, self._fair = body["program"], body["dice"] == "fair"
        if kind == "seed_committed" and self._program and not self._fair:
            yield "kind", "a seed at a table whose dice are not drawn"
        if not self._fair:
            return
        match kind:
            case "acted" | "floor_acted" if not self._last:
                yield "kind", "somebody acts before the house is committed to a seed"
            case "seed_committed":
                yield from self._committed(body["epoch"])
            case "mix_frozen":
                yield from self._mixed(body)
                self._frozen[body["epoch"]] = entry
            case "bets_closed":
                self._announced = entry
                yield from self._dealt_on()
            case "rolled" | "roll_voided":
                yield from self._rolled(entry)
            case "seed_revealed":
                yield from self._revealed(entry, body)
            case "table_restored":
                self._early = []
            case "table_stopped":
                self._stopped = True
                if self._announced is not None:  # its number is spent, and it never has dice
                    yield from self._rolled(self._announced)
            case "table_closed" if self._rolls:
                yield "kind", f"the table closes and the seeds of epochs {sorted(self._rolls)} were never shown"
            case _:
                pass

    def _committed(self, number: int) -> Iterator[Complaint]:
        if self._announced is not None:
            yield "kind", "between: a seed is committed to between the bets closed and the dice"
        if number != self._last + 1:
            yield "body.epoch", f"it is {number} where {self._last + 1} is due"
        if any(epoch in self._frozen and epoch <= number - 2 for epoch in self._rolls):
            yield "kind", f"epoch {number} is committed to before the seed of epoch {number - 2} was shown"
        self._last = number
        self._rolls[number] = []

    def _mixed(self, body: dict[str, Any]) -> Iterator[Complaint]:
        number = body["epoch"]
        epoch = self._game.before.epochs[number]
        if number + 1 not in self._rolls:
            yield "kind", f"it is mixed before the house is committed to epoch {number + 1}"
        if min(self._rolls) < number:
            yield "body.epoch", f"epoch {number} is mixed before epoch {min(self._rolls)} is over"
        seeds = [
            {"player": player, "commitment": promised.hex(), "seed": epoch.seeds[player].hex()}
            for player, promised in epoch.commitments.items()
        ]
        if body["seeds"] != seeds:
            yield "body.seeds", "they are not those that were shown"
        own = mix(epoch.table, number, epoch.house, epoch.seeds).hex()
        if own != body["mix"]:
            yield "body.mix", f"it is {body['mix']}, and the seeds come to {own}"

    def _dealt_on(self) -> Iterator[Complaint]:
        """Dice are thrown after an epoch was ended with bets up: by another seed than those bets were made under.

        Versions before this one let the box end an epoch at any moment: of their tables that is told, and no fault.
        """
        for sequence, no in self._early:
            if not self._game.other_program:
                self._counts["early_ends"] += 1
                yield "kind", no, sequence
            else:
                self._report.open.append(f"{self._name}: entry {sequence}: {no}; program {self._program} allowed that")
        self._early = []

    def _rolled(self, entry: Entry) -> Iterator[Complaint]:
        self._announced = None
        number, rolls = entry.body["roll"], self._rolls.get(entry.body["epoch"])
        if rolls is None or entry.body["epoch"] not in self._frozen:
            yield "body.epoch", f"epoch {entry.body['epoch']} deals before its mix or after its seed was shown"
            return
        if number != len(rolls) + 1 or number > ROLLS_MAX:
            yield "body.roll", f"it is {number} where {len(rolls) + 1} is due, of {ROLLS_MAX} at most"
        rolls.append((entry.sequence, entry.body.get("dice")))

    def _revealed(self, entry: Entry, body: dict[str, Any]) -> Iterator[Complaint]:
        """An epoch is over: now everything about it can be checked."""
        number, seed = body["epoch"], bytes.fromhex(body["seed"])
        epoch, rolls = self._game.before.epochs.get(number), self._rolls.pop(number, None)
        if epoch is None or rolls is None:
            yield "body.epoch", f"epoch {number} is not committed to, or is over"
            return
        if commitment(epoch.table, number, seed) != epoch.house:
            yield "body.seed", f"it is not the seed the house was committed to in epoch {number}"
        if body["owing"] != (owing := [] if epoch.mix else list(epoch.missing)):
            yield "body.owing", f"it says {body['owing']}, and {owing} promised a seed and showed none"
        if body["rolls"] != len(rolls):
            yield "body.rolls", f"it says {body['rolls']}, and {len(rolls)} were dealt"
        mixed = epoch.mix or mix(epoch.table, number, epoch.house, {})
        fallen = [list(roll(seed, epoch.table, number, at, mixed)) for at in range(1, len(rolls) + 2)]
        for at, (sequence, dice) in enumerate(rolls):
            if dice is None:
                self._voids(sequence, fallen[at])
            elif dice != fallen[at]:
                no = f"roll {at + 1} of epoch {number} shows {dice}, and its seeds make {fallen[at]}"
                yield "body.dice", no, sequence
            self._counts["rolls"] += dice is not None
            self._counts["old_rolls"] += dice is not None
        self._counts["epochs"] += 1
        self._counts["empty_epochs"] += bool(owing)
        self._counts["player_seeds"] += len(epoch.seeds)
        lasted = number in self._frozen and time_of(entry) - time_of(self._frozen[number]) >= DAY
        up = any(seat.felt for seat in self._game.before.table.seats.values())
        over = lasted or len(rolls) >= ROLLS_MAX or number <= self._game.live.restored
        if up and not (over or owing or self._stopped):
            when = f"with bets up, after {len(rolls)} rolls: its next dice were {fallen[-1]}"
            self._early.append((entry.sequence, f"early_end: epoch {number} was ended {when}"))
