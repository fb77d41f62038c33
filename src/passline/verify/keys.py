"""One effect for each key: whoever asks twice is answered twice and served once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from passline.verify.entry import Entry
from passline.verify.report import Complaint


class Keys:
    """The keys of one table."""

    def __init__(self, counts: Counter[str]) -> None:
        self._counts = counts
        self._used: dict[str, object] = {}

    def see(self, entry: Entry) -> Iterator[Complaint]:
        """A key that is used a second time."""
        key = entry.data.get("key")
        if key is None:
            return
        if not isinstance(key, str) or not key:
            yield "key", f"{key!r} is no key"
        elif key in self._used:
            yield "key", f"{key} had its effect in entry {self._used[key]}"
        else:
            self._used[key] = entry.sequence
            self._counts["keys"] += 1
