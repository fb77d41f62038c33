"""Names of people as they look: two that differ only in what nobody sees are one person's."""

from functools import lru_cache
from unicodedata import category, normalize

# Characters that nobody sees: format, control, and those that are none.
INVISIBLE = frozenset(("Cf", "Cc", "Cn", "Co", "Cs"))

# Letters, marks and signs that nobody sees either: those that Unicode lets a page leave out, and an empty braille.
MARKS = (*range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))
BLANK = frozenset(map(chr, (0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, *MARKS)))


def seen(name: str) -> str:
    """A name without what nobody sees."""
    visible = "".join(each for each in normalize("NFKC", name) if category(each) not in INVISIBLE and each not in BLANK)
    return normalize("NFKC", " ".join(visible.split()))


@lru_cache(maxsize=4_096)
def folded(name: str) -> str:
    """A name without what nobody sees, and without capitals."""
    return seen(name).casefold()


def is_said(text: str) -> bool:
    return bool(folded(text))
