"""Names of people: what may be one, and which look like another's."""

import re
import tomllib
from pathlib import Path
from typing import Any
from unicodedata import category, name, normalize

from passline.errors import CalledError
from passline.floor.names import folded, seen

NAME_CHARACTERS_MAX = 40
BARRED = "#/|\"'\\"  # what means something else in a record or an address
DATA: dict[str, Any] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
RESERVED, PRONOUNS = frozenset(DATA["reserved"]), frozenset(DATA["pronouns"])
EVERYDAY, TOGETHER = frozenset(DATA["everyday"]), [frozenset(each) for each in DATA["together"]]


def _nearest(name: str) -> str:
    """The name as one word, where that can be one; else somebody's."""
    word = "-".join("".join(each for each in name if each.isprintable() and each not in BARRED).split())
    fits = (
        0 < len(word) <= NAME_CHARACTERS_MAX and folded(word) and folded(word) not in RESERVED and is_one_script(word)
    )
    return word if fits else "Ann"


def check_name(name: str) -> str:
    """A name that a person can have at a table; what they are called in journals."""
    fits = 0 < len(name) <= NAME_CHARACTERS_MAX and name.isprintable() and name.split() == [name]
    person = folded(name)
    if not fits or set(name) & set(BARRED) or not person.strip(".") or person in RESERVED:
        expected = f"one word of at most {NAME_CHARACTERS_MAX} letters, digits and the like, without {' '.join(BARRED)}"
        raise CalledError("name", repr(name), expected, _nearest(name))
    if not is_one_script(name):
        raise CalledError("name", repr(name), "letters of one alphabet, so that nobody is taken for another", "Ann")
    return person


def _letters(name: str) -> str:
    return "".join(filter(str.isalpha, name)).replace("i", "l")


BETWEEN = re.compile(r"[\W_]+|(?<=[a-z])(?=[A-Z])")  # the parts of a name: Sue-box, BoxSue
OFFICES_ALIKE, WORDS_ALIKE = tuple(map(_letters, DATA["offices"])), frozenset(map(_letters, DATA["words"]))


def check_own_name(name: str) -> None:
    """A name that somebody may take by themselves; the operator calls people what they like."""
    if check_name(name) in PRONOUNS:
        raise CalledError("name", repr(name), "a name: that word is everybody's", "Ann")
    parts = (name, *BETWEEN.split(seen(name)))
    for letters in map(_letters, (*map(folded, parts), *map(skeleton, parts))):
        if letters in WORDS_ALIKE or any(office in letters for office in OFFICES_ALIKE):
            raise CalledError("name", repr(name), "a name that nobody takes for a role of the house's", "Ann")


PICTURES = 0x2600  # from here on signs are pictures; before it they are strokes and dots that look like letters

LATIN = str.maketrans(*("".join(each) for each in zip(*DATA["alike"], strict=True)))
SIGNS = re.compile(r"[!-/:-@\[-`{-~]+")  # Ann. is Ann, and Ann_Lee is Ann-Lee
SMALL_CAPITAL = "LATIN LETTER SMALL CAPITAL "
DOT_ABOVE = "\u0307"  # on an i nobody sees it


def is_one_script(word: str) -> bool:
    """Whether a name is of letters that belong together, and of signs that are no letters in disguise."""
    scripts = {script for each in seen(word) if (script := _script(each))}
    return scripts <= EVERYDAY and (len(scripts) <= 1 or any(scripts <= each for each in TOGETHER))


def skeleton(word: str) -> str:
    """What a name looks like: two that nobody can tell apart have the same."""
    marked = normalize("NFD", seen(word)).replace(DOT_ABOVE, "")
    plain = "".join(map(_plain, marked)).translate(LATIN).casefold().replace("rn", "m")
    return SIGNS.sub("-", plain).strip("-") or plain


def letters_of(word: str) -> str:
    """What a name looks like by its letters and figures alone: no sign between them tells two apart."""
    return "".join(filter(str.isalnum, skeleton(word)))


def _plain(each: str) -> str:
    """A character without its disguise: a small capital, any kind of dash."""
    called = name(each, "")
    if called.startswith(SMALL_CAPITAL) and len(called) == len(SMALL_CAPITAL) + 1:
        return called[-1]
    return "-" if category(each) == "Pd" else each


def _script(each: str) -> str:
    """The script of a character; nothing where it goes with any."""
    kind, first = category(each), name(each, "").replace("-", " ").split(" ")[0]
    if each.isascii():
        return "LATIN" if each.isalpha() else ""
    if kind[0] in "LMN":
        return str(DATA["called_otherwise"].get(first, first))
    return "" if kind[0] == "P" or (kind == "So" and ord(each) >= PICTURES) else kind
