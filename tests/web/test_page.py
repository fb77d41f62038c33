"""The page's own words: complete in both languages, and every word that is said is known."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "browser" / "src"
PARTS = sorted(path.parent.name for path in SOURCE.glob("*/en.ftl"))


def ids(part: str, language: str) -> set[str]:
    """The words of a catalogue."""
    return set(
        re.findall(r"^([a-z][a-z0-9-]*) =", (SOURCE / part / f"{language}.ftl").read_text("utf-8"), re.MULTILINE)
    )


@pytest.mark.parametrize("part", PARTS)
def test_both_languages_have_the_same_words(part: str) -> None:
    """A page that is half in German is not in German."""
    assert ids(part, "en") == ids(part, "de")


@pytest.mark.parametrize("part", PARTS)
def test_every_word_that_is_said_is_known(part: str) -> None:
    """A view knows the words of its own folder, of those it learns, and the shell's; none is there that nobody says."""
    texts = [path.read_text("utf-8") for path in (SOURCE / part).rglob("*") if path.suffix in {".svelte", ".ts"}]
    learnt = {name for text in texts for name in re.findall(r'\blearn\("([a-z]+)"\)', text)}
    known = set().union(*(ids(name, "en") for name in {part, "shell", *learnt}))
    said = {word for text in texts for word in re.findall(r'\bsay\("([a-z0-9-]+)"', text)}
    assert said <= known
    everything = "".join(path.read_text("utf-8") for path in SOURCE.rglob("*") if path.suffix in {".svelte", ".ts"})
    prefixes = tuple(set(re.findall(r"say\(`([a-z-]+-)\$\{", everything)))
    unsaid = {
        word for word in ids(part, "en") if f'"{word}"' not in everything and not word.startswith(prefixes or ("?",))
    }
    assert {word for word in unsaid if not word.startswith("view-")} == set()
