"""Heads that somebody wrote down: one a line, or as an export has them."""

from __future__ import annotations

import json
from typing import Any

from passline.errors import JournalError


def read_heads(text: str) -> list[dict[str, Any]]:
    """The heads of a file; at least one, or there is nothing to hold a journal against."""
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
            raise JournalError(f"line {number} is no head: `passline journal head` prints them")
        found += listed
    if not found:
        raise JournalError("there is no head in it")
    return found
