"""The dice of docs/dice.md, worked out from that page a second time."""

from __future__ import annotations

import hmac
from hashlib import sha256
from itertools import count

TAG = b"passline/dice/1/"


def fields(*parts: bytes) -> bytes:
    """Each part behind its length."""
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)


def number(value: int) -> bytes:
    """A whole number in eight bytes."""
    return value.to_bytes(8, "big")


def house_commitment(stream: str, epoch: int, seed: bytes) -> bytes:
    """What the house published of its seed."""
    return sha256(fields(TAG + b"house", stream.encode(), number(epoch), seed)).digest()


def player_commitment(stream: str, epoch: int, player: str, house: bytes, seed: bytes) -> bytes:
    """What a player published of a seed."""
    return sha256(fields(TAG + b"player", stream.encode(), number(epoch), player.encode(), house, seed)).digest()


def mix_of(stream: str, epoch: int, house: bytes, seeds: dict[str, bytes]) -> bytes:
    """What the players' seeds come to."""
    pairs = sorted((player.encode(), seed) for player, seed in seeds.items())
    parts = [part for pair in pairs for part in pair]
    return sha256(fields(TAG + b"mix", stream.encode(), number(epoch), house, number(len(pairs)), *parts)).digest()


def dice_of(seed: bytes, stream: str, epoch: int, roll: int, mix: bytes) -> list[int]:
    """The two faces of a roll."""
    for block in count():
        text = fields(TAG + b"roll", stream.encode(), number(epoch), number(roll), number(block), mix)
        for byte in hmac.new(seed, text, sha256).digest():
            if byte < 252:
                first, second = divmod(byte % 36, 6)
                return [first + 1, second + 1]
    raise AssertionError("blocks never end")
