"""English as the house's country writes it: ours is American, and an Australian house's is Australian."""

import re

from passline.engine.layout import Layout

AUSTRALIAN = {"color": "colour", "center": "centre", "honor": "honour"}


def spelled(layout: Layout, text: str) -> str:
    """A sentence in the house's own spelling."""
    english = layout.book.about.get("english")
    if english is None or english.value != "Australian":
        return text
    return re.sub(r"(?i)\b(color|center|honor)", lambda found: _like(found[0], AUSTRALIAN[found[0].lower()]), text)


def _like(was: str, to: str) -> str:
    return to.capitalize() if was[0].isupper() else to
