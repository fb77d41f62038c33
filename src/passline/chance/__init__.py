"""Dice that nobody can steer and anybody can check: docs/dice.md says how, and what they do not prove.

A house commits itself to a seed, players add seeds of their own, and every roll of the epoch follows from them.

>>> from passline.chance import Epoch, commitment, freeze, roll
>>> seed = bytes(range(32))
>>> epoch = freeze(Epoch("baize", 1, commitment("baize", 1, seed)))
>>> print(roll(seed, "baize", 1, 1, epoch.mix))
3-3
"""

from passline.chance.commitment import commitment, player_commitment
from passline.chance.dice import roll
from passline.chance.epoch import (
    ROLLS_MAX,
    Epoch,
    bar,
    commit_player,
    end,
    freeze,
    reveal_player,
    spend,
)
from passline.chance.mix import mix
from passline.chance.sealing import new_key, new_seed, seal, unseal

__all__ = [
    "ROLLS_MAX",
    "Epoch",
    "bar",
    "commit_player",
    "commitment",
    "end",
    "freeze",
    "mix",
    "new_key",
    "new_seed",
    "player_commitment",
    "reveal_player",
    "roll",
    "seal",
    "spend",
    "unseal",
]
