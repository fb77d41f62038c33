"""An epoch: the rolls that one seed of the house decides, and how far it has come.

Its seed is committed to while an earlier epoch is still dealt. Players commit; the first seed that is shown ends that,
and who comes later gives a seed for the next epoch. When every promised seed is shown the mix is frozen and rolls are
dealt, numbered 1, 2, 3 without a gap. At the end, or when somebody does not show a seed, the house shows its own.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from passline.chance.commitment import commitment, player_commitment
from passline.chance.message import whole
from passline.chance.mix import mix
from passline.errors import ChanceError

ROLLS_MAX = 1_000
"""An epoch deals no more rolls than this: what a stolen seed could tell has an end."""


@dataclass(frozen=True, slots=True)
class Epoch:
    """What is public about an epoch; its seed is among that only when the epoch is over."""

    table: str
    number: int
    house: bytes
    """The house's commitment."""
    commitments: Mapping[str, bytes] = field(default_factory=dict)
    """By player."""
    seeds: Mapping[str, bytes] = field(default_factory=dict)
    """By player: those that were shown."""
    barred: frozenset[str] = frozenset()
    """Players who once owed a seed at this table, and give none any more."""
    mix: bytes = b""
    """Empty until it is frozen."""
    rolls: int = 0
    """How many roll numbers are spent, void ones included."""
    seed: bytes = b""
    """Empty until the house has shown it."""

    def __post_init__(self) -> None:
        """An epoch without a whole commitment is none."""
        whole("the house's commitment", self.house)

    @property
    def takes_commitments(self) -> bool:
        """Whether a player's commitment still counts for this epoch, and not for the next."""
        return not (self.seeds or self.mix or self.seed)

    @property
    def missing(self) -> tuple[str, ...]:
        """The players who are committed and have not shown their seed."""
        return tuple(sorted(self.commitments.keys() - self.seeds.keys()))

    @property
    def next_roll(self) -> int | None:
        """The number of the roll to come; None while, or when, there is none to come."""
        return self.rolls + 1 if self.mix and not self.seed and self.rolls < ROLLS_MAX else None


def bar(epoch: Epoch, players: Iterable[str]) -> Epoch:
    """Take no seeds of players who did not show theirs in an epoch before, whatever they are committed to here."""
    if not epoch.takes_commitments:
        raise ChanceError(f"seeds of epoch {epoch.number} have been shown; players are barred before that")
    barred = epoch.barred.union(players)
    kept = {player: committed for player, committed in epoch.commitments.items() if player not in barred}
    return replace(epoch, commitments=kept, barred=barred)


def commit_player(epoch: Epoch, player: str, committed: bytes) -> Epoch:
    """A player promises a seed."""
    if not epoch.takes_commitments:
        raise ChanceError(f"epoch {epoch.number} takes no more seeds; commit one to epoch {epoch.number + 1}")
    if player in epoch.barred:
        raise ChanceError(f"{player} did not show a seed that was promised, and gives none at {epoch.table} any more")
    if player in epoch.commitments:
        raise ChanceError(f"{player} is committed to a seed in epoch {epoch.number}; show that one")
    return replace(epoch, commitments={**epoch.commitments, player: whole("the commitment", committed)})


def reveal_player(epoch: Epoch, player: str, seed: bytes) -> Epoch:
    """A player shows the seed that was promised."""
    if epoch.mix or epoch.seed:
        raise ChanceError(f"the seeds of epoch {epoch.number} are mixed; there is nothing more to show")
    if player not in epoch.commitments:
        raise ChanceError(f"{player} is not committed to a seed in epoch {epoch.number}")
    if player in epoch.seeds:
        raise ChanceError(f"{player} has shown the seed of epoch {epoch.number}")
    if not hmac.compare_digest(
        player_commitment(epoch.table, epoch.number, player, epoch.house, seed), epoch.commitments[player]
    ):
        raise ChanceError(f"this is not the seed {player} is committed to in epoch {epoch.number}")
    return replace(epoch, seeds={**epoch.seeds, player: seed})


def freeze(epoch: Epoch) -> Epoch:
    """Mix the seeds: from here on every roll of the epoch is decided.

    Dealing on without a seed that was promised would let its owner choose between two games, knowing both. So the epoch
    is ended instead, with no roll dealt, and the next one begins; its seed has been committed to for long.
    """
    if epoch.mix or epoch.seed:
        raise ChanceError(f"the mix of epoch {epoch.number} is frozen")
    if epoch.missing:
        owing = ", ".join(epoch.missing)
        raise ChanceError(f"{owing} must show a seed before epoch {epoch.number} is dealt, or the epoch must end")
    return replace(epoch, mix=mix(epoch.table, epoch.number, epoch.house, epoch.seeds))


def spend(epoch: Epoch) -> Epoch:
    """Use up the next roll number, for a roll that was dealt or one that is void."""
    if epoch.next_roll is None:
        raise ChanceError(f"epoch {epoch.number} has no roll to deal: it is not frozen, is over, or has dealt them all")
    return replace(epoch, rolls=epoch.next_roll)


def end(epoch: Epoch, seed: bytes) -> Epoch:
    """The house shows its seed; every roll of the epoch can be checked, and none can follow."""
    if epoch.seed:
        raise ChanceError(f"the seed of epoch {epoch.number} has been shown")
    if not hmac.compare_digest(commitment(epoch.table, epoch.number, seed), epoch.house):
        raise ChanceError(f"this is not the seed the house is committed to in epoch {epoch.number}")
    return replace(epoch, seed=seed)
