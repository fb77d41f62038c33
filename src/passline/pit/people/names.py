"""Names of people: one word that a record can keep, and that nobody takes for a role."""

from __future__ import annotations

from passline.errors import CalledError
from passline.floor.names import folded
from passline.pit.people.looks import is_one_script, skeleton

NAME_CHARACTERS_MAX = 40
RESERVED = frozenset(("anyone", "house"))
"""What the program calls itself and those it does not know."""
BARRED = "#/|\"'\\"
"""What means something else in a record or an address."""


def _nearest(name: str) -> str:
    """The name as one word, where that can be one; else somebody's."""
    word = "-".join("".join(each for each in name if each.isprintable() and each not in BARRED).split())
    fits = (
        0 < len(word) <= NAME_CHARACTERS_MAX and folded(word) and folded(word) not in RESERVED and is_one_script(word)
    )
    return word if fits else "Ann"


OFFICES = (
    *("administrator", "boxman", "boxperson", "cashier", "croupier", "dealer", "inspector", "manager", "operator"),
    *("pitboss", "stickman", "stickperson", "supervisor"),
)
"""What people of a house are called: nobody takes a name with any of it in it."""

WORDS = frozenset(("admin", "bank", "box", "cage", "crew", "floor", "pit", "staff", "stick", "system"))
"""Shorter ones, which are parts of honest names: nobody takes one for a name."""


def check_name(name: str) -> str:
    """A name that a person can have at a table; what they are called in journals."""
    fits = 0 < len(name) <= NAME_CHARACTERS_MAX and name.isprintable() and name.split() == [name]
    person = folded(name)
    if not fits or set(name) & set(BARRED) or not person or person in RESERVED:
        expected = f"one word of at most {NAME_CHARACTERS_MAX} letters, digits and the like, without {' '.join(BARRED)}"
        raise CalledError("name", repr(name), expected, _nearest(name))
    if not is_one_script(name):
        raise CalledError("name", repr(name), "letters of one alphabet, so that nobody is taken for another", "Ann")
    return person


def _letters(name: str) -> str:
    """The letters of a name, whichever of i and l is meant."""
    return "".join(filter(str.isalpha, name)).replace("i", "l")


OFFICES_ALIKE, WORDS_ALIKE = tuple(map(_letters, OFFICES)), frozenset(map(_letters, WORDS))


def check_own_name(name: str) -> None:
    """A name that somebody may take by themselves; the operator calls people what they like."""
    for letters in (_letters(check_name(name)), _letters(skeleton(name))):
        if letters not in WORDS_ALIKE and not any(office in letters for office in OFFICES_ALIKE):
            continue
        raise CalledError("name", repr(name), "a name that nobody takes for a role of the house's", "Ann")
