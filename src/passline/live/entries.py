"""What a journal says happened: an entry in its chain, and the draft of one that has no place there yet."""

from typing import Any, Literal, NamedTuple, get_args

OfTables = Literal[
    "table_opened", "table_counted", "table_taken", "table_restored", "table_stopped", "table_closed", "chips_returned"
]
OfActs = Literal["acted", "floor_acted", "floor_heard", "refused", "corrected"]
OfRolls = Literal["bets_closed", "dice_entered", "dice_disagreed", "rolled", "roll_voided"]
OfChains = Literal["chain_committed", "chain_shown", "hand_on", "hand_off", "value_received", "value_shown"]
OfSeeds = Literal["seed_committed", "player_seed_committed", "player_seed_revealed", "mix_frozen", "seed_revealed"]
OfTheHouse = Literal["cage_opened", "cage_acted", "people_opened", "people_acted", "signer_named"]
OfPrograms = Literal["process_started", "process_stopped", "clock_jumped"]

# What an entry can be; docs/journal.md gives the body of each.
Kind = Literal[OfTables, OfActs, OfRolls, OfChains, OfSeeds, OfTheHouse, OfPrograms]

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
