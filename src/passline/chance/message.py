"""What is hashed: fields that say how long they are, so that no two lists of fields are the same bytes."""

from __future__ import annotations

from passline.errors import ChanceError

SEED_BYTES = 32
"""The length of every seed, commitment, mix and key."""

LENGTH_BYTES = 4
NUMBER_BYTES = 8
NUMBERS = 1 << 8 * NUMBER_BYTES
"""Epochs, rolls, blocks and counts are whole numbers below this."""


def message(tag: str, *fields: str | int | bytes) -> bytes:
    """The tag and the fields, each behind its length: text as UTF-8, numbers as eight bytes, the high one first.

    >>> message("t", 1, b"ab").hex()
    '0000000174000000080000000000000001000000026162'
    """
    return b"".join(_field(field) for field in (tag, *fields))


def _field(value: str | int | bytes) -> bytes:
    match value:
        case str():
            content = name_bytes(value)
        case int():
            if not 0 <= value < NUMBERS:
                raise ChanceError(f"{value} cannot be written; numbers are 0 to {NUMBERS - 1}")
            content = value.to_bytes(NUMBER_BYTES, "big")
        case _:
            content = value
    return len(content).to_bytes(LENGTH_BYTES, "big") + content


def name_bytes(name: str) -> bytes:
    """The name of a table or a player as UTF-8."""
    try:
        return name.encode()
    except UnicodeEncodeError:
        raise ChanceError(f"{name!r} is not text that UTF-8 can write") from None


def whole(name: str, value: bytes) -> bytes:
    """These 32 bytes, or a complaint that they are not."""
    if len(value) != SEED_BYTES:
        raise ChanceError(f"{name} has {len(value)} bytes; it must have {SEED_BYTES}")
    return value
