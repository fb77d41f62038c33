"""The mix: what all players' seeds of an epoch come to, in one value that every roll contains."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256

from passline.chance.message import message, name_bytes, whole

MIX_TAG = "passline/dice/1/mix"


def mix(table: str, epoch: int, house: bytes, seeds: Mapping[str, bytes]) -> bytes:
    """The seeds of players, in the order of their names' bytes; with no seeds it is the house's commitment alone."""
    ordered = sorted((name_bytes(player), whole(f"the seed of {player}", seed)) for player, seed in seeds.items())
    pairs = (part for pair in ordered for part in pair)
    return sha256(message(MIX_TAG, table, epoch, whole("the house's commitment", house), len(seeds), *pairs)).digest()
