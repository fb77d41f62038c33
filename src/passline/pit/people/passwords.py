"""Passwords: argon2id, checked in the same time whether or not there is such a person."""

from __future__ import annotations

from functools import cache

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from passline.errors import ArgumentError

CHARACTERS_MIN, CHARACTERS_MAX = 12, 200

COMMON = frozenset(
    f"{word}{end}"
    for word in ("password", "passwort", "qwertyuiop", "letmein", "iloveyou", "administrator", "passline", "casino")
    for end in ("", "1", "12", "123", "1234", "12345", "123456", "!", "1!")
) | {"123456789012", "1234567890123", "111111111111", "qwerty123456", "abcdefghijkl"}
"""The passwords that are tried first."""

_HASHER = PasswordHasher(time_cost=2, memory_cost=47_104, parallelism=1)
"""46 MiB and two passes: more than OWASP's least."""


def check_password(password: str, name: str) -> None:
    """A password that is long, not the first one tried, and not the name."""
    short = not CHARACTERS_MIN <= len(password) <= CHARACTERS_MAX
    if short or password.lower() in COMMON or name.lower() in password.lower() or len(set(password)) < 5:
        expected = f"{CHARACTERS_MIN} to {CHARACTERS_MAX} characters that are not easily guessed, and without your name"
        raise ArgumentError("password", "one that will not do", expected)


def hashed(password: str) -> bytes:
    """What is kept of a password."""
    return _HASHER.hash(password).encode()


def is_right(kept: bytes | None, password: str) -> bool:
    """Whether this is the password; where nobody has any, it takes as long to say no."""
    try:
        _HASHER.verify((kept or _nobodys()).decode(), password)
    except (VerificationError, InvalidHashError):
        return False
    return kept is not None


@cache
def _nobodys() -> bytes:
    return hashed("a password that nobody has")
