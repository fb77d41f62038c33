"""The page about the floor: what can be asked of it, by wire name, and what happens.

`python -m tests.floor_page` writes the lists in `docs/floor.md` again, and a test compares them.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from passline.codec.lines import WIRE_NAMES
from passline.codec.shapes import typed_fields
from passline.floor.refusals import CODES
from passline.floor.register import ACTS, EVENTS

if TYPE_CHECKING:
    from collections.abc import Iterable

PAGE = Path(__file__).parents[1] / "docs" / "floor.md"
BEGINS = "<!-- written by tests/floor_page.py -->"


def listed(kinds: Iterable[type]) -> list[str]:
    """A row for each kind: wire name, fields, what it is."""
    rows = []
    for kind in kinds:
        fields = ", ".join(f"`{name}`" for name in typed_fields(kind)) or "-"
        said = re.sub(r"\s+", " ", kind.__doc__ or "").strip()
        rows.append(f"| `{WIRE_NAMES[kind]}` | {fields} | {said} |")
    return rows


def written() -> str:
    """The lists as they are."""
    return "\n".join(
        [
            BEGINS,
            "",
            "## What can be asked",
            "",
            "| Command | Fields | |",
            "|---|---|---|",
            *listed(ACTS.values()),
            "",
            "## What happens",
            "",
            "| Event | Fields | |",
            "|---|---|---|",
            *listed(EVENTS.values()),
            "",
            "## Why the floor says no",
            "",
            "| Code | |",
            "|---|---|",
            *(f"| `{code}` | {meaning} |" for code, meaning in CODES.items()),
            "",
        ]
    )


def by_hand() -> str:
    """What people wrote."""
    return PAGE.read_text(encoding="utf-8").partition(BEGINS)[0]


if __name__ == "__main__":
    PAGE.write_text(by_hand() + written(), encoding="utf-8")
