"""The page's own words: each defined once, and every word that is said is known."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "browser" / "src"
PARTS = sorted(path.parent.name for path in SOURCE.glob("*/en.ftl"))


def ids(part: str) -> list[str]:
    """The words of a catalogue."""
    return re.findall(r"^([a-z][a-z0-9-]*) =", (SOURCE / part / "en.ftl").read_text("utf-8"), re.MULTILINE)


def test_no_word_is_defined_twice() -> None:
    """Of two the first would hold, here and in every part that is learnt beside it."""
    assert [word for word, times in Counter(word for part in PARTS for word in ids(part)).items() if times > 1] == []


@pytest.mark.parametrize("part", PARTS)
def test_every_word_that_is_said_is_known(part: str) -> None:
    """A view knows the words of its own folder, of those it learns, and the shell's; none is there that nobody says."""
    texts = [path.read_text("utf-8") for path in (SOURCE / part).rglob("*") if path.suffix in {".svelte", ".ts"}]
    learnt = {name for text in texts for name in re.findall(r'\blearn\("([a-z]+)"\)', text)}
    known = {word for name in (part, "shell", *learnt) for word in ids(name)}
    said = {word for text in texts for word in re.findall(r'\bsay\(\s*"([a-z0-9-]+)"', text)}
    assert said <= known
    everything = "".join(path.read_text("utf-8") for path in SOURCE.rglob("*") if path.suffix in {".svelte", ".ts"})
    prefixes = tuple(set(re.findall(r"(?:say\(|known =)\s*`([a-z-]+-)\$\{", everything)))
    unsaid = {word for word in ids(part) if f'"{word}"' not in everything and not word.startswith(prefixes or ("?",))}
    assert {word for word in unsaid if not word.startswith("view-")} == set()
