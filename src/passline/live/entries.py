"""What a journal says happened: an entry in its chain, and the draft of one that has no place there yet."""

from typing import Any, Literal, NamedTuple, get_args

# What an entry can be; docs/journal.md gives the body of each.
Kind = Literal[
    "table_opened",
    "acted",
    "floor_acted",
    "floor_heard",
    "refused",
    "seed_committed",
    "player_seed_committed",
    "player_seed_revealed",
    "mix_frozen",
    "chain_committed",
    "hand_on",
    "hand_off",
    "bets_closed",
    "value_received",
    "dice_entered",
    "dice_disagreed",
    "rolled",
    "roll_voided",
    "value_shown",
    "chain_shown",
    "seed_revealed",
    "corrected",
    "table_counted",
    "table_taken",
    "table_stopped",
    "table_closed",
    "cage_opened",
    "cage_acted",
    "people_opened",
    "people_acted",
    "signer_named",
    "table_restored",
    "chips_returned",
    "process_started",
    "process_stopped",
    "clock_jumped",
]

KINDS: frozenset[str] = frozenset(get_args(Kind))


class Entry(NamedTuple):
    """One act of one table, as it is kept: what was asked, what it did, what moved."""

    table: str
    sequence: int
    previous: str  # the hash of the entry before
    kind: Kind
    house: str  # the digest of the house file by which it was decided
    actor: str
    role: str
    key: str | None  # the name that whoever asked gave to this act: asked again under it, it gets this entry again
    time: str
    body: dict[str, Any]
    hash: str
    line: bytes  # the whole entry, hash included, as it is kept and exported: also the durable answer to whoever asked


class Draft(NamedTuple):
    """An entry that has no place in the chain yet."""

    kind: Kind
    body: dict[str, Any]
    actor: str
    role: str
    time: str
    key: str | None = None


class SignedHead(NamedTuple):
    """The house's word that a table's entry had this hash."""

    table: str
    sequence: int
    hash: str
    time: str
    key: str  # the public key, in hexadecimal
    signature: str
