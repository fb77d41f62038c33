"""Seeds of a live table: committed ahead, sealed beside the journal, mixed, shown."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

from passline.chance import (
    ROLLS_MAX,
    Epoch,
    commit_player,
    commitment,
    freeze,
    new_seed,
    reveal_player,
    roll,
    seal,
    unseal,
)
from passline.engine.values import Roll
from passline.errors import ChanceError, OtherKeysError
from passline.floor.clock import DAY, elapsed
from passline.journal.contract import Journal
from passline.journal.export import RESTORED, SEED
from passline.pit.plans import by_the_house, no, refused, said

if TYPE_CHECKING:
    from passline.pit.live import Asked, Live
    from passline.pit.plans import Ask, Planned

EPOCH_LASTS = DAY
"""A seed deals no longer than this."""

AHEAD = 2
"""How many epochs the house is committed to when the first of them is dealt."""


def committed(stream: str, epoch: int, key: bytes, time: str) -> Planned:
    """The house commits itself to a new seed, which is kept under its key."""
    seed = new_seed()
    body = {"epoch": epoch, "commitment": commitment(stream, epoch, seed).hex()}
    return by_the_house("seed_committed", body, time, {f"{SEED}{epoch}": seal(key, stream, epoch, seed)})


def seed_of(journal: Journal, table: str, live: Live, epoch: int, key: bytes) -> bytes:
    """The seed the house is committed to in an epoch: lost is one thing, and sealed with another key another."""
    sealed = journal.secret(table, f"{SEED}{epoch}")
    if sealed is None:
        raise ChanceError(f"the seed of epoch {epoch} at {table} is not there")
    try:
        return unseal(key, live.stream, epoch, live.epochs[epoch].house, sealed)
    except ChanceError as error:
        raise OtherKeysError(
            f"{table}: these are not the keys that its seeds were sealed with (epoch {epoch}: {error}). "
            "Nothing was written; open the table with its own keys"
        ) from None


def check_keys(journal: Journal, table: str, live: Live, key: bytes) -> None:
    """Whether every seed that is there opens with this key."""
    for epoch in live.epochs:
        with suppress(ChanceError):  # a seed that is not there says nothing of a key
            seed_of(journal, table, live, epoch, key)


def dice_of(live: Live, seed: bytes) -> Roll:
    """The dice of the roll that is announced."""
    assert live.announced is not None, "dice are for a roll that is announced"
    epoch = live.epochs[live.announced.epoch]
    return roll(seed, live.stream, epoch.number, live.announced.roll, epoch.mix)


def ended(live: Live, seed: bytes, key: bytes, time: str) -> list[Planned]:
    """An epoch is over: its seed is shown, and the house commits itself to one more."""
    return [*all_shown(live, {live.epoch: seed}, time), committed(live.stream, max(live.epochs) + 1, key, time)]


def all_shown(live: Live, opened: Mapping[int, bytes], time: str) -> list[Planned]:
    """The house shows seeds, one epoch after the other; who owed one to an epoch owes none to the next."""
    planned: list[Planned] = []
    barred: set[str] = set()
    for number, seed in sorted(opened.items()):
        epoch = live.epochs[number]
        owing = [] if epoch.mix else [player for player in epoch.missing if player not in barred]
        barred.update(owing)
        body = {"epoch": number, "seed": seed.hex(), "rolls": epoch.rolls, "owing": owing}
        planned.append(by_the_house("seed_revealed", body, time))
    return planned


def seen_until(journal: Journal, table: str) -> int:
    """The last epoch whose dice somebody may have seen: one that was open when a backup was made which was restored."""
    marks = [int(mark) for name, mark in journal.secrets(table).items() if name.startswith(RESTORED)]
    return max(marks, default=0)


def is_over(live: Live, time: str, seen: int = 0) -> bool:
    """Whether an epoch has dealt all its rolls, or has lasted long enough, or cannot be dealt for want of a seed."""
    epoch = live.epochs[live.epoch]
    if not epoch.mix:
        return bool(epoch.missing)
    if epoch.rolls >= ROLLS_MAX or epoch.number <= seen:
        return True
    return elapsed(live.frozen or time, time) >= EPOCH_LASTS


def frozen(live: Live, time: str) -> Planned:
    """The seeds that were shown, mixed: from here on every roll of the epoch is decided."""
    epoch = live.epochs[live.epoch]
    seeds = [
        {"player": player, "commitment": promised.hex(), "seed": epoch.seeds[player].hex()}
        for player, promised in epoch.commitments.items()
    ]
    return by_the_house("mix_frozen", {"epoch": epoch.number, "mix": freeze(epoch).mix.hex(), "seeds": seeds}, time)


def announced(live: Live, asked: Asked | None, time: str, ask: Ask | None = None) -> Planned:
    """The bets are closed for the next roll."""
    if live.dice == "fair":
        number, roll_number = live.epoch, live.epochs[live.epoch].rolls + 1
    else:
        number, roll_number = 0, live.rolls + 1
    body = {"epoch": number, "roll": roll_number, "asked": asked and asked._asdict()}
    return by_the_house("bets_closed", body, time) if ask is None else said("bets_closed", body, ask)


def promised(live: Live, epoch: int, promise: bytes, ask: Ask) -> Planned:
    """A player commits to a seed."""
    body = {"epoch": epoch, "player": ask.actor, "commitment": promise.hex()}
    try:
        commit_player(_open_epoch(live, epoch), ask.actor, promise)
    except ChanceError as error:
        return refused(ask, no("table.epoch", "seed", error=error), None, {"player_seed_committed": body})
    return said("player_seed_committed", body, ask)


def shown(live: Live, epoch: int, seed: bytes, ask: Ask) -> Planned:
    """A player shows the seed that was promised."""
    body = {"epoch": epoch, "player": ask.actor, "seed": seed.hex()}
    try:
        reveal_player(_current(live, epoch), ask.actor, seed)
    except ChanceError as error:
        return refused(
            ask, no("table.epoch", "seed", error=error), None, {"player_seed_revealed": {**body, "seed": None}}
        )
    return said("player_seed_revealed", body, ask)


def _current(live: Live, number: int) -> Epoch:
    """The epoch whose seeds are shown; earlier, who owes one to the epoch before could be struck from it no more."""
    if number > live.epoch:
        raise ChanceError(f"seeds of epoch {number} are shown when epoch {live.epoch} is over")
    return _open_epoch(live, number)


def _open_epoch(live: Live, number: int) -> Epoch:
    epoch = live.epochs.get(number)
    if epoch is None:
        raise ChanceError(f"epoch {number} takes no seeds; {', '.join(map(str, sorted(live.epochs)))} may")
    if live.announced is not None:
        raise ChanceError("the bets are closed; seeds are given between rolls")
    return epoch
