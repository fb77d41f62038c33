"""What a name looks like: letters of one script, and a skeleton that two names share which nobody can tell apart.

After Unicode's technical standard 39, *security mechanisms*: one script a name (but those that people write together),
of those in everyday use, and the skeleton of its section 4, with its look-alikes of Latin letters.
"""

# ruff: noqa: RUF001 - look-alikes are what this is about

from __future__ import annotations

from unicodedata import category, name, normalize

from passline.floor.names import seen

EVERYDAY = frozenset(
    (
        *("ARABIC", "ARMENIAN", "BENGALI", "BOPOMOFO", "CJK", "CYRILLIC", "DEVANAGARI", "ETHIOPIC", "GEORGIAN"),
        *("GREEK", "GUJARATI", "GURMUKHI", "HANGUL", "HEBREW", "HIRAGANA", "KANNADA", "KATAKANA", "KHMER", "LAO"),
        *("LATIN", "MALAYALAM", "MYANMAR", "ORIYA", "SINHALA", "TAMIL", "TELUGU", "THAANA", "THAI", "TIBETAN"),
    )
)
"""Scripts in which people are called something today; CJK is what Unicode calls Chinese characters."""

TOGETHER = (frozenset(("CJK", "HIRAGANA", "KATAKANA", "BOPOMOFO")), frozenset(("CJK", "HANGUL")))
"""Those that people write in one word."""

CALLED_OTHERWISE = {"IDEOGRAPHIC": "CJK", "EXTENDED": "ARABIC", "COMBINING": "", "MODIFIER": ""}
"""Scripts by the first word of a character's name, where it is not the script's own; nothing: it goes with any."""

PICTURES = 0x2600
"""From here on signs are pictures; before it they are strokes and dots that look like letters."""

ALIKE = (
    ("I1|0", "lllo"),
    ("АВЕЗЅІЈКМНОРСТУХЬҮӀԌԚԜѴ", "ABE3SlJKMHOPCTYXbYlGQWV"),
    ("авгезкмнорстухьѕіјүһӏԁԛԝѵ", "abre3kmhopctyxbsijyhldqwv"),
    ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABEZHlKMNOPTYX"),
    ("αγηικνορστυχω", "aynikvopotuxw"),
    ("ՕՍՏօոհսյցզ", "OUSonhujgq"),
    ("ıȷɑɡɩǀ", "ijagil"),
)
"""Letters and what they look like: figures, Cyrillic, Greek, Armenian, and Latin ones that few people know."""

LATIN = str.maketrans("".join(those for those, _ in ALIKE), "".join(like for _, like in ALIKE))
SMALL_CAPITAL = "LATIN LETTER SMALL CAPITAL "
DOT_ABOVE = "\u0307"
"""On an i nobody sees it."""


def is_one_script(word: str) -> bool:
    """Whether a name is of letters that belong together, and of signs that are no letters in disguise."""
    scripts = {script for each in seen(word) if (script := _script(each))}
    return scripts <= EVERYDAY and (len(scripts) <= 1 or any(scripts <= each for each in TOGETHER))


def skeleton(word: str) -> str:
    """What a name looks like: two that nobody can tell apart have the same."""
    marked = normalize("NFD", seen(word)).replace(DOT_ABOVE, "")
    return "".join(map(_plain, marked)).translate(LATIN).casefold().replace("rn", "m")


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
        return CALLED_OTHERWISE.get(first, first)
    return "" if kind[0] == "P" or (kind == "So" and ord(each) >= PICTURES) else kind
