"""From a byte to two dice: every byte is looked at, so fairness is counted and not sampled."""

from __future__ import annotations

import hmac
from collections import Counter
from fractions import Fraction
from hashlib import sha256
from typing import TYPE_CHECKING

import pytest

from passline.engine.values import ROLLS
from passline.errors import ChanceError
from passline.live.dice import commitment, message, mix, picked, player_commitment, roll

if TYPE_CHECKING:
    from collections.abc import Callable

SEED = bytes(range(32))
MIX = bytes(32)


def test_every_throw_has_seven_of_the_252_fair_bytes(record_property: Callable[[str, object], None]) -> None:
    """The chance of each of the 36 throws is exactly one in 36, and four bytes are passed over."""
    made = Counter(picked(bytes([byte])) for byte in range(256))
    assert made.pop(None) == 4
    assert made == dict.fromkeys(ROLLS, 7)
    assert {Fraction(ways, 252) - Fraction(1, 36) for ways in made.values()} == {Fraction(0)}
    record_property("exercised", f"dice: {len(made)} throws enumerated, each {sum(made.values()) // len(made)} of 252")


def test_each_die_is_fair_and_knows_nothing_of_the_other() -> None:
    """All 6 faces of one die come equally often beside every face of the other."""
    made = [face for byte in range(252) if (face := picked(bytes([byte])))]
    assert Counter(face.first for face in made) == dict.fromkeys(range(1, 7), 42)
    assert Counter(face.second for face in made) == dict.fromkeys(range(1, 7), 42)
    assert Counter(made) == dict.fromkeys(ROLLS, 7)


def test_a_block_without_a_fair_byte_makes_no_dice() -> None:
    """The next block decides."""
    assert picked(bytes([252, 253, 254, 255])) is None
    assert picked(bytes([255, 36])) == ROLLS[0]


def test_a_roll_goes_on_to_the_next_block(monkeypatch: pytest.MonkeyPatch) -> None:
    """It would take about 10^57 rolls to see it happen, so the hash is replaced for once."""
    asked: list[bytes] = []

    def unfair_at_first(_key: bytes, text: bytes, _kind: str) -> bytes:
        asked.append(text)
        return bytes([255]) * 32 if len(asked) == 1 else bytes([41]) * 32

    monkeypatch.setattr(hmac, "digest", unfair_at_first)
    assert roll(SEED, "baize", 1, 1, MIX) == ROLLS[5]
    assert asked == [message("passline/dice/1/roll", "baize", 1, 1, block, MIX) for block in (0, 1)]


def test_a_roll_is_what_the_page_says() -> None:
    """The same once more, spelled out byte by byte."""
    text = b"\0\0\0\x14passline/dice/1/roll" + b"\0\0\0\x05baize"
    text += b"\0\0\0\x08" + bytes(7) + b"\x01" + b"\0\0\0\x08" + bytes(7) + b"\x02" + b"\0\0\0\x08" + bytes(8)
    text += b"\0\0\0\x20" + MIX
    block = hmac.new(SEED, text, sha256).digest()
    value = next(byte for byte in block if byte < 252) % 36
    assert roll(SEED, "baize", 1, 2, MIX) == (value // 6 + 1, value % 6 + 1)


def test_every_argument_counts() -> None:
    """Another seed, table, epoch, number or mix deals other dice."""

    def first(seed: bytes = SEED, table: str = "baize", epoch: int = 1, start: int = 1, mixed: bytes = MIX) -> str:
        return " ".join(str(roll(seed, table, epoch, start + number, mixed)) for number in range(20))

    others = (first(MIX), first(table="baise"), first(epoch=2), first(start=21), first(mixed=SEED))
    assert len({first(), *others}) == 6


def test_no_two_lists_of_fields_are_the_same_bytes() -> None:
    """A byte cannot wander from one field to its neighbour."""
    lists: list[tuple[str | int | bytes, ...]] = [
        ("ab", "c"),
        ("a", "bc"),
        ("abc",),
        ("abc", ""),
        ("a", b"bc\0"),
        ("a", 0),
        ("a", bytes(8), ""),
    ]
    assert len({message("tag", *fields) for fields in lists}) == len(lists)


@pytest.mark.parametrize("length", [0, 31, 33])
def test_what_is_not_32_bytes_is_no_seed(length: int) -> None:
    """Whatever it is for."""
    short = bytes(length)
    with pytest.raises(ChanceError, match="must have 32"):
        roll(short, "baize", 1, 1, MIX)
    with pytest.raises(ChanceError, match="must have 32"):
        roll(SEED, "baize", 1, 1, short)
    with pytest.raises(ChanceError, match="must have 32"):
        commitment("baize", 1, short)
    with pytest.raises(ChanceError, match="must have 32"):
        player_commitment("baize", 1, "Ann", MIX, short)
    with pytest.raises(ChanceError, match="must have 32"):
        mix("baize", 1, MIX, {"Ann": short})


def test_what_cannot_be_written_is_said() -> None:
    """Numbers have eight bytes and names are text."""
    with pytest.raises(ChanceError, match="-1 cannot be written"):
        roll(SEED, "baize", -1, 1, MIX)
    with pytest.raises(ChanceError, match="cannot be written"):
        roll(SEED, "baize", 1, 2**64, MIX)
    with pytest.raises(ChanceError, match="UTF-8"):
        mix("baize", 1, MIX, {"\ud800": SEED})
