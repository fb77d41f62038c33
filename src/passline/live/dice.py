"""Dice that nobody can steer and anybody can check: docs/dice.md says how, and what they do not prove.

The house has a chain of links for each epoch, and every player's program a chain of its own, a hand; anchors are
published first, links and values are shown roll by roll, and together they are the dice. Tables of protocol 1 go on
with seeds that were committed to.

>>> links = chain(LINK_TAG, ("baize", 1), bytes(range(32)))
>>> print(dealt(links[1], "baize", 1, 1, {"ann": bytes(32)}))
4-3
"""

import hmac
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256
from itertools import count

from passline.engine.values import ROLLS, Roll
from passline.errors import ChanceError

# --- What is hashed: fields that say how long they are, so that no two lists of fields are the same bytes -------------

SEED_BYTES = 32  # the length of every seed, commitment, mix and key

NUMBERS = 1 << 64  # Epochs, rolls, blocks and counts are whole numbers below this


def message(tag: str, *fields: str | int | bytes) -> bytes:
    """The tag and the fields, each behind its length: text as UTF-8, numbers as eight bytes, the high one first.

    >>> message("t", 1, b"ab").hex()
    '0000000174000000080000000000000001000000026162'
    """
    return b"".join(_field(field) for field in (tag, *fields))


def _field(value: str | int | bytes) -> bytes:
    match value:
        case str():
            content = name_bytes(value)
        case int():
            if not 0 <= value < NUMBERS:
                raise ChanceError(f"{value} cannot be written; numbers are 0 to {NUMBERS - 1}")
            content = value.to_bytes(8, "big")
        case _:
            content = value
    return len(content).to_bytes(4, "big") + content


def name_bytes(name: str) -> bytes:
    try:
        return name.encode()
    except UnicodeEncodeError:
        raise ChanceError(f"{name!r} is not text that UTF-8 can write") from None


def whole(name: str, value: bytes) -> bytes:
    """These 32 bytes, or a complaint that they are not."""
    if len(value) != SEED_BYTES:
        raise ChanceError(f"{name} has {len(value)} bytes; it must have {SEED_BYTES}")
    return value


def commitment(table: str, epoch: int, seed: bytes) -> bytes:
    """What the house publishes before anybody bets on an epoch: its seed can be no other afterwards."""
    return sha256(message("passline/dice/1/house", table, epoch, whole("the seed", seed))).digest()


def player_commitment(table: str, epoch: int, player: str, house: bytes, seed: bytes) -> bytes:
    """What a player publishes before anybody shows a seed.

    It holds the house's commitment, so it was made after it; and the player, so nobody can give it in as their own.
    """
    house, seed = whole("the house's commitment", house), whole("the player's seed", seed)
    return sha256(message("passline/dice/1/player", table, epoch, player, house, seed)).digest()


def mix(table: str, epoch: int, house: bytes, seeds: Mapping[str, bytes]) -> bytes:
    """The seeds of players, in the order of their names' bytes; with no seeds it is the house's commitment alone."""
    ordered = sorted((name_bytes(player), whole(f"the seed of {player}", seed)) for player, seed in seeds.items())
    pairs = (part for pair in ordered for part in pair)
    return sha256(
        message("passline/dice/1/mix", table, epoch, whole("the house's commitment", house), len(seeds), *pairs)
    ).digest()


# 252: bytes below this are seven for each of the 36 throws. The other four are passed over.
FAIR_BYTES = 256 // len(ROLLS) * len(ROLLS)


def roll(seed: bytes, table: str, epoch: int, number: int, mixed: bytes) -> Roll:
    return _drawn(whole("the seed", seed), ("passline/dice/1/roll", table, epoch, number), whole("the mix", mixed))


def _drawn(key: bytes, which: tuple[str, str, int, int], *made_of: str | int | bytes) -> Roll:
    """The first throw that a block makes: each is the digest of which roll this is, its own number and the rest."""
    blocks = (hmac.digest(key, message(*which, block, *made_of), "sha256") for block in count())
    return next(filter(None, map(picked, blocks)))


def picked(block: bytes) -> Roll | None:
    """What the first fair byte of a block makes; None, and the next block decides, when it has none."""
    byte = next((byte for byte in block if byte < FAIR_BYTES), None)
    return None if byte is None else ROLLS[byte % len(ROLLS)]


# --- Protocol 2: chains -----------------------------------------------------------------------------------------------

LINK_TAG, HAND_TAG, OFF_TAG = "passline/dice/2/link", "passline/dice/2/hand", "passline/dice/2/off"
DEALT_TAG = "passline/dice/2/roll"

LINKS = 1_000  # how many rolls a chain is good for


def before(tag: str, owner: tuple[str | int, ...], index: int, link: bytes) -> bytes:
    """The link before this one, which was shown or is the anchor."""
    return sha256(message(tag, *owner, index, whole("a link", link))).digest()


def chain(tag: str, owner: tuple[str | int, ...], last: bytes) -> list[bytes]:
    """A whole chain from its last link: the anchor first."""
    links = [last]
    for index in range(LINKS, 0, -1):
        links.append(before(tag, owner, index, links[-1]))
    return links[::-1]


def off_of(table: str, person: str, hand: int, value: bytes) -> bytes:
    """What is published of the value that takes a hand off."""
    return sha256(message(OFF_TAG, table, person, hand, whole("a value", value))).digest()


def dealt(link: bytes, table: str, epoch: int, number: int, values: Mapping[str, bytes]) -> Roll:
    pairs = sorted((name_bytes(person), whole("a value", value)) for person, value in values.items())
    parts = (part for pair in pairs for part in pair)
    return _drawn(link, (DEALT_TAG, table, epoch, number), len(pairs), *parts)


@dataclass(frozen=True, slots=True)
class Chain:
    """What is public about the house's chain of an epoch."""

    number: int
    last: bytes  # the last link that was shown: the anchor at first
    rolls: int = 0  # how many roll numbers are spent


@dataclass(frozen=True, slots=True)
class Hand:
    """What is public about somebody's hand."""

    number: int
    anchor: bytes
    off: bytes
    last: bytes  # the last value that was shown: the anchor at first
    index: int = 0  # the last index that a closing listed
    is_on: bool = True
    # The closing, counted from the first of the table, for which its value did not arrive; 0 where none is owed.
    owed_since: int = 0


# --- Protocol 1: epochs -----------------------------------------------------------------------------------------------

ROLLS_MAX = 1_000  # an epoch deals no more rolls than this: what a stolen seed could tell has an end


@dataclass(frozen=True, slots=True)
class Epoch:
    """What is public about an epoch; its seed is among that only when the epoch is over."""

    table: str
    number: int
    house: bytes  # the house's commitment
    commitments: Mapping[str, bytes] = field(default_factory=dict)  # by player
    seeds: Mapping[str, bytes] = field(default_factory=dict)  # by player: those that were shown
    barred: frozenset[str] = frozenset()  # Players who once owed a seed at this table, and give none any more
    mix: bytes = b""  # Empty until it is frozen
    rolls: int = 0  # how many roll numbers are spent, void ones included
    seed: bytes = b""  # Empty until the house has shown it

    def __post_init__(self) -> None:
        whole("the house's commitment", self.house)

    @property
    def takes_commitments(self) -> bool:
        """Whether a player's commitment still counts for this epoch, and not for the next."""
        return not (self.seeds or self.mix or self.seed)

    @property
    def missing(self) -> tuple[str, ...]:
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
    remaining = {player: committed for player, committed in epoch.commitments.items() if player not in barred}
    return replace(epoch, commitments=remaining, barred=barred)


def commit_player(epoch: Epoch, player: str, committed: bytes) -> Epoch:
    if not epoch.takes_commitments:
        raise ChanceError(f"epoch {epoch.number} takes no more seeds; commit one to epoch {epoch.number + 1}")
    if player in epoch.barred:
        raise ChanceError(f"{player} did not show a seed that was promised, and gives none at {epoch.table} any more")
    if player in epoch.commitments:
        raise ChanceError(f"{player} is committed to a seed in epoch {epoch.number}; show that one")
    return replace(epoch, commitments={**epoch.commitments, player: whole("the commitment", committed)})


def reveal_player(epoch: Epoch, player: str, seed: bytes) -> Epoch:
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
