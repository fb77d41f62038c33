"""What somebody kept: heads, one a line or as an export has them, a table's answers, and the house's public keys."""

from __future__ import annotations

import json
import re
from typing import Any

from passline.errors import JournalError

KEY = re.compile("[0-9a-f]{64}")
"""A public key, as a head names it."""


def read_keys(text: str) -> list[str]:
    """The public keys of a file, 64 hexadecimal digits a line; at least one."""
    keys = text.split()
    wrong = next((key for key in keys if not KEY.fullmatch(key)), None)
    if wrong is not None:
        raise JournalError(
            f"{wrong[:80]!r} is no public key: 64 digits 0-9 a-f, as `key` in what `passline journal head` prints"
        )
    if not keys:
        raise JournalError("there is no public key in it")
    return keys


def read_heads(text: str) -> list[dict[str, Any]]:
    """The heads of a file, and the answers in it; at least one, or there is nothing to hold a journal against."""
    found: list[dict[str, Any]] = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            data = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise JournalError(f"line {number} is no head: {error}") from None
        listed = data.get("heads") if isinstance(data, dict) and "heads" in data else [data]
        if not isinstance(listed, list) or not all(isinstance(head, dict) and "hash" in head for head in listed):
            raise JournalError(
                f"line {number} is no head, which `passline journal head` prints, and no answer of a table's"
            )
        found += listed
    if not found:
        raise JournalError("there is no head in it")
    return found
