"""Dice through the statistics, and bad dice that must not pass: fewer rolls than the fifty million of the campaign."""

from __future__ import annotations

from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING

import numpy as np
import pytest

from passline.live.dice import HAND_TAG, LINK_TAG, LINKS, chain, dealt
from tests.chance.battery import STATISTICS, failed, p_values

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.chance.battery import Throws

ROLLS = 500_000
DEALT = 100_000


def throws_of(rolls: int, word: str) -> Throws:
    """Rolls as a table deals them: epoch after epoch, each with its own chain, and with hands of nobody to three."""
    throws = np.empty(rolls, dtype=np.int64)
    for at in range(0, rolls, LINKS):
        epoch = at // LINKS + 1
        links = chain(LINK_TAG, (word, epoch), sha256(f"{word} {epoch}".encode()).digest())
        hands = {
            person: chain(HAND_TAG, (word, person, epoch), sha256(f"{word} {epoch} {person}".encode()).digest())
            for person in ("ann", "bob", "cat")[: epoch % 4]
        }
        for number in range(1, min(LINKS, rolls - at) + 1):
            values = {person: hand[number] for person, hand in hands.items()}
            throws[at + number - 1] = dealt(links[number], word, epoch, number, values).throw
    return throws


@pytest.mark.slow
def test_a_hundred_thousand_rolls_pass_every_statistic(record_property: Callable[[str, object], None]) -> None:
    """The seeds are fixed, so this passes always or never; the family's alpha is one in a million."""
    throws = throws_of(DEALT, "battery")
    values = p_values(throws)
    told = f"dice: {len(throws):,} rolls, {len(values)} statistics, smallest p {min(values.values()):.3g}"
    record_property("exercised", told)
    assert len(throws) == DEALT
    assert len(values) == 20
    assert failed(throws) == []


# --- Bad dice --------------------------------------------------------------------------------------------------------


def fair(rolls: int = ROLLS) -> Throws:
    """Good dice of another make, which every statistic must let pass."""
    return np.random.default_rng(7).integers(0, 36, rolls)


def lcg(rolls: int = ROLLS) -> Throws:
    """The old C library's generator, its low bits taken for dice."""
    state, throws = 1, np.empty(rolls, dtype=np.int64)
    for at in range(rolls):
        state = (1103515245 * state + 12345) & 0x7FFFFFFF
        throws[at] = state % 36
    return throws


def byte_modulo_six(rolls: int = ROLLS) -> Throws:
    """A byte for each die, modulo six: the first four faces come too often by one in 43."""
    bytes_ = np.random.default_rng(7).integers(0, 256, (rolls, 2))
    return bytes_[:, 0] % 6 * 6 + bytes_[:, 1] % 6


def stuck_bit(rolls: int = ROLLS) -> Throws:
    """Fair bytes with one wire torn."""
    bytes_ = np.random.default_rng(7).integers(0, 256, 2 * rolls) | 16
    return bytes_[bytes_ < 252][:rolls] % 36


def sticky(rolls: int = ROLLS) -> Throws:
    """Now and then the throw before once more."""
    throws = fair(rolls)
    again = np.flatnonzero(np.random.default_rng(8).random(rolls) < 0.03)[1:]
    throws[again] = throws[again - 1]
    return throws


def echo(lag: int, rolls: int = ROLLS) -> Throws:
    """Now and then the throw of some time ago."""
    throws = fair(rolls)
    again = np.flatnonzero(np.random.default_rng(9).random(rolls) < 0.02)
    again = again[again >= lag]
    throws[again] = throws[again - lag]
    return throws


def too_even(rolls: int = ROLLS) -> Throws:
    """All 36 throws, shuffled, again and again: a bag instead of dice."""
    rows = np.tile(np.arange(36), (rolls // 36, 1))
    return np.random.default_rng(7).permuted(rows, axis=1).ravel()


BAD: dict[str, Callable[[], Throws]] = {
    "lcg": lcg,
    "byte % 6": byte_modulo_six,
    "stuck bit": stuck_bit,
    "sticky": sticky,
    "too even": too_even,
    **{f"echo of {lag}": partial(echo, lag) for lag in range(2, 11)},
}


@pytest.mark.slow
def test_bad_dice_fail_and_good_dice_of_another_make_pass(record_property: Callable[[str, object], None]) -> None:
    """A battery that lets everything through proves nothing: each statistic must fail some bad dice."""
    assert failed(fair()) == []
    caught = {name: failed(make()) for name, make in BAD.items()}
    assert all(caught.values()), caught
    record_property("exercised", f"dice: {len(caught)} bad dice caught by the statistics, one good let pass")
    assert {"36 throws", "first die", "totals"} <= set(caught["byte % 6"])
    assert "36 throws" in caught["stuck bit"]
    assert len(caught["lcg"]) >= 5
    assert {statistic for names in caught.values() for statistic in names} == set(STATISTICS)
