"""The page about the floor: what can be asked of it, by wire name, and what happens.

`python -m tests.floor_page` writes the lists in `docs/floor.md` again, and a test compares them.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from passline.codec import WIRE_NAMES
from passline.codec.shapes import typed_fields
from passline.floor.register import ACTS, EVENTS

if TYPE_CHECKING:
    from collections.abc import Iterable

PAGE = Path(__file__).parents[1] / "docs" / "floor.md"
BEGINS = "<!-- written by tests/floor_page.py -->"


CODES = {
    "floor.role": "That person may not do this here.",
    "floor.title": "This house has no such title, or it is another's to give.",
    "floor.rank": "Somebody of higher rank must do this.",
    "floor.unsaid": "A name, a reason or a word that must be said is missing.",
    "floor.time": "That is no time, or one that cannot be meant.",
    "floor.amount": "That is no amount that can be meant.",
    "floor.seat": "Nobody sits there.",
    "floor.phase": "The dice are out.",
    "floor.not_due": "The sign names a later time.",
    "floor.still_up": "Wagers are up, and the table is not closed for good.",
    "floor.still_there": "People have chips at the table, which is not closed for good.",
    "floor.closing": "Nobody sits down at a table that is closing.",
    "floor.on_duty": "Who works at a table does not play at it, nor the other way round.",
    "floor.no_rule": "This house's book has no such thing.",
    "floor.refused": "The floor takes no such wager at this seat.",
    "floor.not_refused": "That is not refused.",
    "floor.not_repeated": "It was not reported often enough.",
    "floor.barred": "That person may not play here.",
    "floor.partners": "Partners have one maximum between them, and are two at least.",
    "floor.cause": "That is no reason to invalidate an outcome here.",
    "floor.forfeit": "That wager cannot be forfeited.",
    "floor.not_idle": "The player has bet too lately.",
    "floor.places": "A place is free, or nobody has counted them.",
    "floor.dispute": "There is no dispute at that stage.",
    "floor.final": "The decision is final.",
    "floor.no_breach": "That breaks no rule of this house.",
    "floor.report": "There is no such report.",
    "floor.measure": "Nobody has the power to do that about it.",
    "floor.voucher": "The house has issued no such voucher.",
    "floor.dice": "The dice failed their inspection.",
    "floor.own_comp": "Nobody gives a comp to themselves.",
    "floor.promotion": "There is no such promotion at that stage.",
    "floor.offer": "That is no promotional prize.",
    "floor.prize": "That prize cannot be offered, drawn or given.",
    "floor.terms": "The terms do not say what they must.",
    "floor.filing": "The terms have not been filed long enough.",
    "floor.entry": "That person has not entered, or no longer can.",
    "floor.scrutineer": "A scrutineer must watch the draw.",
    "floor.notice": "A winner is not told like that.",
    "floor.payment": "The prize is not paid like that.",
    "floor.claim": "The claimant has not been told why.",
    "floor.drawer": "No drawer is open, or it does not hold that much.",
    "floor.count": "That is no count of chips or notes, or it does not fit what is there.",
    "floor.own_limit": "The person has set a limit of their own, and this is beyond it.",
}
"""Every code that a refusal of the floor can carry, and what the page says of it."""


def listed(kinds: Iterable[type]) -> list[str]:
    """A row for each kind: wire name, fields, what it is."""
    rows = []
    for kind in kinds:
        fields = ", ".join(f"`{name}`" for name in typed_fields(kind)) or "-"
        text = re.sub(r"\s+", " ", kind.__doc__ or "").strip()
        sentence = re.sub(r":\w+}", "}", text)  # as it is said, without the words for how each field is
        said = f"`{sentence}`" if text == getattr(kind, "says", None) else text
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
            "What stands like `{person} is off duty.` is what is said of it.",
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
