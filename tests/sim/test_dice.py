"""The simulated dice: published vectors, one throw everywhere, and a bias that is worked out."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from passline.sim import dice
from passline.sim.dice import ROLLS_PER_HALF, THROWS, WORD
from tests.sim import plain_dice

WORDS = 1 << 64

KNOWN_ANSWERS = [
    # Random123, tests/kat_vectors, philox4x32 10: counter, key, answer.
    ((0, 0, 0, 0), (0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
    ((WORD,) * 4, (WORD,) * 2, (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
    (
        (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
        (0xA4093822, 0x299F31D0),
        (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
    ),
]

Four = tuple[int, int, int, int]


def pair(low: int, high: int) -> int:
    """Two 32-bit words as one."""
    return low | high << 32


@pytest.mark.parametrize(("counter", "key", "answer"), KNOWN_ANSWERS)
def test_plain_philox_gives_the_published_answers(counter: Four, key: tuple[int, int], answer: Four) -> None:
    """The definition is the published cipher."""
    assert plain_dice.philox(counter, key) == answer


@pytest.mark.parametrize(("counter", "key", "answer"), KNOWN_ANSWERS)
def test_numpy_philox_gives_the_published_answers(counter: Four, key: tuple[int, int], answer: Four) -> None:
    """The vectorised cipher is the published one."""
    table = np.array([pair(*counter[2:])], dtype=np.uint64)
    low, high = dice.halves(pair(*key), table, pair(*counter[:2]))
    assert (int(low[0]), int(high[0])) == (pair(*answer[:2]), pair(*answer[2:]))


@pytest.mark.parametrize("seed", [0, pair(WORD, WORD), *(pair(*key) for _, key, _ in KNOWN_ANSWERS[2:])])
@pytest.mark.parametrize("block", [0, 7, 0x243F6A88, 2**32 - 1])
@pytest.mark.parametrize("table", [0, 2**33 + 5, pair(0x13198A2E, 0x03707344), 2**64 - 32])
def test_numba_deals_the_published_cipher_on_every_lane(seed: int, block: int, table: int) -> None:
    """Though two rounds of a table's number are worked out only once, and of a block that is the same for many."""
    kernels = pytest.importorskip("passline.sim.backends.kernels")
    low, upper, second, fourth, born, number = np.zeros((6, kernels.LANES), np.uint64)
    for lane in range(kernels.LANES):
        number[lane], born[lane] = table + lane, lane
        second[lane], fourth[lane] = kernels.ahead(number[lane], np.uint64(seed))

    def dealt(lane: int, block: int) -> bool:
        at = table + lane
        words = plain_dice.philox((block, 0, at & WORD, at >> 32), (seed & WORD, seed >> 32))
        return (int(low[lane]), int(upper[lane])) == (pair(*words[:2]), pair(*words[2:]))

    kernels.deal_alike(np.uint64(block), np.uint64(table), second, fourth, np.uint64(seed), low, upper)
    assert all(dealt(lane, block) for lane in range(kernels.LANES))
    kernels.deal_ahead(np.uint64(block), born, number, second, fourth, np.uint64(seed), low, upper)
    assert all(dealt(lane, block - lane) for lane in range(kernels.LANES) if block >= lane)


@given(st.integers(0, WORDS - 1), st.integers(0, WORDS - 1), st.integers(1, 40))
def test_numpy_deals_the_throws_of_the_definition(seed: int, table: int, rolls: int) -> None:
    """Roll `k` of a table is a function of seed, table and roll, however it is asked for."""
    dealt = dice.throws(seed, np.array([table], dtype=np.uint64), rolls)[0]
    assert dealt.tolist() == [plain_dice.throw(seed, table, roll) for roll in range(rolls)]


def test_first_rolls_of_seed_zero_are_these() -> None:
    """A change of the dice is a change of every result: it must not come unseen."""
    assert dice.throws(0, np.arange(2, dtype=np.uint64), 14).tolist() == [
        [31, 25, 5, 19, 29, 9, 21, 28, 25, 13, 0, 12, 13, 1],
        [33, 29, 28, 24, 27, 6, 18, 20, 3, 22, 27, 33, 30, 22],
    ]


def test_any_event_of_six_rolls_is_off_by_less_than_one_in_ten_thousand_million() -> None:
    """Every sequence of six is dealt by the floor or the ceiling of 2^64 / 36^6 words."""
    sequences = THROWS**ROLLS_PER_HALF
    least, rest = divmod(WORDS, sequences)
    assert (least, rest) == (8474317238, 370843648)
    fair = Fraction(WORDS, sequences)
    assert max(1 - least / fair, (least + 1) / fair - 1) < Fraction(98, 10**12)


def test_any_throw_given_those_before_it_is_off_by_less_than_the_design_allows() -> None:
    """The worst case: the wanted throw is dealt by one word more and the 35 others by one less, or the other way."""
    least = WORDS // THROWS**ROLLS_PER_HALF
    much = Fraction((least + 1) * THROWS, (least + 1) + 35 * least)
    little = Fraction(least * THROWS, least + 35 * (least + 1))
    assert max(much - 1, 1 - little) < Fraction(12, 10**11) < Fraction(1, 10**9)


@pytest.mark.parametrize("place", range(ROLLS_PER_HALF))
def test_a_roll_looked_at_alone_is_fair_to_fifteen_digits(place: int) -> None:
    """Count, exactly, the 64-bit words that deal each throw in each place of a half."""
    counts = [words_dealing(place, throw) for throw in range(THROWS)]
    assert sum(counts) == WORDS
    assert max(abs(Fraction(count * THROWS, WORDS) - 1) for count in counts) <= Fraction(16, 10**16)


def words_dealing(place: int, throw: int) -> int:
    """How many of the 2^64 words have this throw in this place: those from ceil(n W / m) on, for n = 36 p + throw."""
    parts, prefixes = THROWS ** (place + 1), THROWS**place
    above = floor_sum(prefixes, parts, THROWS * WORDS, (throw + 1) * WORDS + parts - 1)
    return above - floor_sum(prefixes, parts, THROWS * WORDS, throw * WORDS + parts - 1)


def floor_sum(terms: int, divisor: int, step: int, first: int) -> int:
    """The sum of floor((step i + first) / divisor) for i below `terms`, by Euclid's algorithm."""
    total = 0
    while True:
        total += (terms - 1) * terms // 2 * (step // divisor) + terms * (first // divisor)
        step, first = step % divisor, first % divisor
        top = step * terms + first
        if top < divisor:
            return total
        terms, first, divisor, step = top // divisor, top % divisor, step, divisor


def test_throws_are_even_and_do_not_follow_one_another() -> None:
    """A coarse look at 1.2 million throws: each pair of neighbours about equally often."""
    dealt = dice.throws(7, np.arange(1000, dtype=np.uint64), 1200).astype(np.int64)
    pairs = np.bincount((dealt[:, ::2] * THROWS + dealt[:, 1::2]).ravel(), minlength=THROWS**2)
    expected = pairs.sum() / THROWS**2
    chi_square = float(((pairs - expected) ** 2 / expected).sum())
    assert abs(chi_square - (THROWS**2 - 1)) < 5 * (2 * (THROWS**2 - 1)) ** 0.5


def test_one_throw_of_each_table_is_the_throw_of_that_number() -> None:
    """In either half of a block, and in blocks that differ."""
    tables, rolls = np.array([0, 5, 2**40, 9, 9], dtype=np.uint64), np.array([0, 5, 6, 11, 12 * 10**9 + 7])
    found = dice.throws_at(77, tables, rolls).tolist()
    assert found == [plain_dice.throw(77, int(table), int(roll)) for table, roll in zip(tables, rolls, strict=True)]
