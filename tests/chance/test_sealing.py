"""Seeds at rest: useless without the key, and useless in another place."""

from __future__ import annotations

import pytest

from passline.errors import ChanceError
from passline.live.dice import commitment
from passline.pit.keys import new_seed, seal, unseal

KEY = bytes(range(32))
SEED = bytes(range(32, 64))
HOUSE = commitment("baize", 3, SEED)


def test_a_sealed_seed_opens_with_its_key() -> None:
    """And only the seed comes out."""
    assert unseal(KEY, "baize", 3, HOUSE, seal(KEY, "baize", 3, SEED)) == SEED


def test_a_sealed_seed_shows_nothing_of_the_seed() -> None:
    """Two seals of the same seed differ, and neither holds four bytes of it in a row."""
    first, second = seal(KEY, "baize", 3, SEED), seal(KEY, "baize", 3, SEED)
    assert first != second
    assert not any(SEED[at : at + 4] in sealed for sealed in (first, second) for at in range(29))


@pytest.mark.parametrize(
    ("key", "table", "epoch", "house"),
    [
        (bytes(32), "baize", 3, HOUSE),
        (KEY, "felt", 3, HOUSE),
        (KEY, "baize", 4, HOUSE),
        (KEY, "baize", 3, bytes(32)),
    ],
)
def test_it_opens_nowhere_else(key: bytes, table: str, epoch: int, house: bytes) -> None:
    """Another key, table, epoch or commitment: no."""
    with pytest.raises(ChanceError, match="does not open"):
        unseal(key, table, epoch, house, seal(KEY, "baize", 3, SEED))


def test_a_changed_bit_is_noticed_wherever_it_is() -> None:
    """All of them are tried, and every shorter piece."""
    sealed = seal(KEY, "baize", 3, SEED)
    tried = 0
    for at in range(len(sealed) * 8):
        changed = bytearray(sealed)
        changed[at // 8] ^= 1 << at % 8
        with pytest.raises(ChanceError, match="does not open"):
            unseal(KEY, "baize", 3, HOUSE, bytes(changed))
        tried += 1
    for length in range(len(sealed)):
        with pytest.raises(ChanceError, match="does not open"):
            unseal(KEY, "baize", 3, HOUSE, sealed[:length])
        tried += 1
    assert tried == 9 * (12 + 32 + 16)


def test_half_a_key_is_said_to_be_one() -> None:
    """It is not the seal that is wrong."""
    with pytest.raises(ChanceError, match="the key has 16 bytes"):
        unseal(KEY[:16], "baize", 3, HOUSE, seal(KEY, "baize", 3, SEED))


def test_seeds_and_keys_are_new_each_time() -> None:
    """32 bytes of the operating system's."""
    made = {new_seed() for _ in range(100)}
    assert len(made) == 100
    assert {len(value) for value in made} == {32}
