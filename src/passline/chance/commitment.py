"""Commitments: what is published of a seed while the seed is still secret."""

from __future__ import annotations

from hashlib import sha256

from passline.chance.message import message, whole

HOUSE_TAG = "passline/dice/1/house"
PLAYER_TAG = "passline/dice/1/player"


def commitment(table: str, epoch: int, seed: bytes) -> bytes:
    """What the house publishes before anybody bets on an epoch: its seed can be no other afterwards."""
    return sha256(message(HOUSE_TAG, table, epoch, whole("the seed", seed))).digest()


def player_commitment(table: str, epoch: int, player: str, house: bytes, seed: bytes) -> bytes:
    """What a player publishes before anybody shows a seed.

    It holds the house's commitment, so it was made after it; and the player, so nobody can give it in as their own.
    """
    house, seed = whole("the house's commitment", house), whole("the player's seed", seed)
    return sha256(message(PLAYER_TAG, table, epoch, player, house, seed)).digest()
