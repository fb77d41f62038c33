"""Passwords: what may be one, and whether it is right."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from passline.errors import ArgumentError

if TYPE_CHECKING:
    from argon2 import PasswordHasher


CHARACTERS_MIN, CHARACTERS_MAX = 12, 200
DIFFERENT_MIN = 5

# The passwords that are tried first.
COMMON = frozenset(
    f"{word}{end}"
    for word in ("password", "passwort", "qwertyuiop", "letmein", "iloveyou", "administrator", "passline", "casino")
    for end in ("", "1", "12", "123", "1234", "12345", "123456", "!", "1!")
) | {"123456789012", "1234567890123", "111111111111", "qwerty123456", "abcdefghijkl"}


@cache
def _hasher() -> PasswordHasher:
    """46 MiB and two passes: more than OWASP's least. A table for guests alone has no passwords, and no argon2."""
    from argon2 import PasswordHasher

    return PasswordHasher(time_cost=2, memory_cost=47_104, parallelism=1)


def check_password(password: str, name: str) -> None:
    """A password that is long, not the first one tried, and not the name: the first rule that it breaks is said."""
    for fault, is_so in (
        (f"one of {len(password)} characters", not CHARACTERS_MIN <= len(password) <= CHARACTERS_MAX),
        (f"your name, {name}, in it", name.lower() in password.lower()),
        ("one of those that are tried first", password.lower() in COMMON),
        (f"fewer than {DIFFERENT_MIN} different characters", len(set(password)) < DIFFERENT_MIN),
    ):
        if is_so:
            expected = f"{CHARACTERS_MIN} to {CHARACTERS_MAX} characters that are not easily guessed"
            raise ArgumentError("password", fault, f"{expected}, and without your name")


def hashed(password: str) -> bytes:
    return _hasher().hash(password).encode()


def is_right(digest: bytes | None, password: str) -> bool:
    """Whether this is the password; where nobody has any, it takes as long to say no."""
    from argon2.exceptions import InvalidHashError, VerificationError

    try:
        _hasher().verify((digest or _nobodys()).decode(), password)
    except (VerificationError, InvalidHashError):
        return False
    return digest is not None


@cache
def _nobodys() -> bytes:
    return hashed("a password that nobody has")
