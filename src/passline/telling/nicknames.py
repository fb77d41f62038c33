"""What players everywhere call a wager, whatever the house prints on its felt."""

from __future__ import annotations

import re
from collections.abc import Iterator

NICKNAMES: dict[str, tuple[str, ...]] = {
    "pass": ("line", "pass line", "front line", "win line", "do", "pass bet"),
    "dont_pass": ("dont", "dont pass", "dp", "back line", "dark side", "dont win", "dont pass line", "dont pass bet"),
    "come": ("come bet",),
    "dont_come": ("dont come", "dc", "dont come bet"),
    "pass_odds": ("pass odds", "line odds"),
    "dont_pass_odds": ("dont pass odds", "dont odds"),
    "place_4": ("little joe",),
    "place_5": ("fever", "fever 5", "little phoebe"),
    "place_6": ("sixie", "sixie from dixie"),
    "place_8": ("eighter", "ada", "eighter from decatur"),
    "place_9": ("nina", "center field", "centre field", "nina from pasadena"),
    "place_10": ("big 10",),
    "hard_4": ("little joe hard", "2-2", "hard 4", "4 hard", "4 hard way"),
    "hard_6": ("3-3", "pair of treys", "hard 6", "6 hard", "6 hard way"),
    "hard_8": ("4-4", "square pair", "windows", "hard 8", "8 hard", "8 hard way"),
    "hard_10": ("5-5", "puppy paws", "hard 10", "10 hard", "10 hard way"),
    "any_seven": ("any 7", "big red", "red"),
    "any_craps": ("craps", "crap check", "craps check", "any crap"),
    "craps_2": ("aces", "snake eyes", "eyes", "craps 2"),
    "craps_3": ("ace deuce", "cross eyes", "craps 3"),
    "eleven": ("yo", "yo leven", "e", "11"),
    "craps_12": ("boxcars", "midnight", "cars", "craps 12"),
    "craps_eleven": ("c and e", "crap 11", "craps 11", "c e"),
    "horn": ("horn bet",),
    "world": ("whirl", "world bet", "whirl bet"),
    "horn_high_2": ("horn high aces", "horn high 2"),
    "horn_high_3": ("horn high ace deuce", "horn high 3"),
    "horn_high_11": ("horn high yo", "horn high 11"),
    "horn_high_12": ("horn high boxcars", "horn high midnight", "horn high 12"),
    "field": ("field bet",),
    "fire": ("fire bet",),
    "all_small": ("small",),
    "all_tall": ("tall",),
    "make_em_all": ("all", "make em all"),
}
"""The same in every house; a house's own names come first."""

SPOKEN = (  # noqa: SIM905 - a word a line would be a page
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety"
).split()
UNITS = {word: at for at, word in enumerate(SPOKEN[:12], 1)}
TEENS = {word: at for at, word in enumerate(SPOKEN[12:19], 13)}
TENS = {word: 10 * at for at, word in enumerate(SPOKEN[19:], 2)}
PLURALS = {f"{word.removesuffix('x')}{'xes' if word.endswith('x') else 's'}": at for word, at in UNITS.items()}
NUMBERS = {**PLURALS, **UNITS, **TEENS, **TENS}
"""Numbers as they are said; of `sevens` and `tens`, the number."""

FILLERS = frozenset(
    "please gimme give me my the a an some i want ill have lets get can dealer thanks sir of".split()  # noqa: SIM905
)
"""Said around a bet, and no part of it."""


def plain(text: str) -> str:
    """What somebody said in small letters, without apostrophes and fillers, and with numbers as digits.

    >>> plain("Gimme $10 on the Yo-leven, don't come, twenty-five on five-five")
    '$10 on yo leven , dont come , 25 on 5-5'
    """
    text = re.sub("['\u2019\u2018`]", "", text.lower()).replace("&", " and ").replace(";", ",")
    text = re.sub(r"(?<=\d),(?=\d{3}\b)", "", text)
    words: list[str] = []
    for piece in re.findall(r"\$?\d+(?:\.\d+)?x?(?![\w-])|[a-z0-9_]+(?:-[a-z0-9_]+)*|,|\?|\S", text):
        halves = piece.split("-")
        faces = [NUMBERS.get(half, int(half) if len(half) == 1 and half in "123456" else 0) for half in halves]
        if len(halves) == 2 and halves[0] not in TENS and all(1 <= face <= 6 for face in faces):
            words.append("-".join(map(str, faces)))
        else:
            words += halves if all(halves) else [piece]
    return " ".join(_in_digits([word for word in words if word not in FILLERS]))


def _in_digits(words: list[str]) -> Iterator[str]:
    """Numbers that were said in words: `twenty five` is 25 where `20 5` is 20 on the five; `two hundred` is 200."""
    at = 0
    while at < len(words):
        word, after = words[at], words[at + 1] if at + 1 < len(words) else ""
        at += 1
        if word in TENS and UNITS.get(after, 10) < 10:
            yield str(TENS[word] + UNITS[after])
            at += 1
        elif UNITS.get(word, 10) < 10 and after == "hundred":
            yield str(100 * UNITS[word])
            at += 1
        else:
            yield "100" if word == "hundred" else str(NUMBERS.get(word, word))


def squashed(words: str) -> str:
    """A name in which case, marks and blanks make no difference."""
    return "".join(letter for letter in plain(words) if letter.isalnum())
