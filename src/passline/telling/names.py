"""What is printed on a spot: its name in the house's own words, long or short, and its price."""

import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from string import digits

from passline.engine.book import Commission, WagerRule
from passline.engine.kinds import Collect, Fire, Line, Odds, Repeat, Replay, Streak
from passline.engine.layout import Layout, Spot
from passline.engine.values import ROLLS, Price, Roll, WagerKey, exact_text
from passline.engine.verdicts import TALLY, Loses, Paid, Pushes, Returns, Travels, Verdict, Wins
from passline.files.findings import nearest
from passline.telling.figures import capital, listed

ALIKE = 0.72  # from where on two words are taken for one: `feild` is `field`, `fire` is not
PARENTHESIS = re.compile(r"\s*\(([^)]*)\)\s*")
NAME_MAX = 24  # a longer name is a title; nobody says it at a table


def family_name(rule: WagerRule) -> str:
    """The house's name for all wagers of one rule, whatever their number."""
    return " ".join(rule.name.replace("{n}", " ").replace("{pair}", " ").split())


def label(spot: Spot, width: int) -> str:
    return shorten(_undoubled(spot.name), width, odds=spot.is_odds)


def _undoubled(name: str) -> str:
    """`Hardways hard 4` says it twice."""
    return name.replace("Hardways hard", "Hard")


def spoken(layout: Layout, key: str) -> str:
    """A wager as players say it: a title of a rule book is cut to what it is about, and the card has it whole.

    `Combination (horn high) 3` is a Horn high 3, `Hardways hard 4` a Hard 4; odds with a long title are those on a bet.
    """
    spot = layout.spots[key]
    name, inside = _undoubled(spot.name), PARENTHESIS.search(spot.name)
    if spot.is_odds:
        return f"odds on {layout.spots[spot.flat].name}" if len(name) > NAME_MAX else name
    if inside:
        name = f"{inside[1].capitalize()} {name[inside.end() :].strip()}".strip()
    return name


def as_spoken(layout: Layout, sentence: str) -> str:
    """A sentence in which titles of a rule book are what players say: `Odds on Pass Bet stands behind Pass Bet`."""
    for title, name in _titles(layout):
        sentence = sentence.replace(title, name)
    return capital(sentence)


@lru_cache(maxsize=64)
def _titles(layout: Layout) -> list[tuple[str, str]]:
    """Every title that nobody says at a table, the longest first, and what is said."""
    said = ((spot.name, spoken(layout, key)) for key, spot in layout.spots.items())
    return sorted({pair for pair in said if pair[0] != pair[1]}, key=lambda pair: -len(pair[0]))


def family_label(rule: WagerRule, width: int) -> str:
    return shorten(family_name(rule), width, odds=isinstance(rule.terms, Odds))


def with_key(name: str, key: str) -> str:
    """A name and the key to ask for it by, which some names end in already.

    >>> with_key("Field", "field"), with_key("Combination (horn)", "horn")
    ('Field (field)', 'Combination (horn)')
    """
    return name if name.endswith(f"({key})") else f"{name} ({key})"


def shorten(name: str, width: int, *, odds: bool = False) -> str:
    """A name cut where the house itself leaves a seam: at brackets, at *or*; and only then anywhere.

    >>> shorten("Supplemental wager in support of Pass (taking odds)", 16, odds=True)
    'taking odds'
    >>> shorten("Combination (horn high) 11", 14)
    'horn high 11'
    """
    for candidate in _ways(name, odds=odds):
        if len(candidate) <= width:
            return candidate
    return name[: max(0, width - 1)].rstrip() + "…"


def _ways(name: str, *, odds: bool) -> Iterator[str]:
    """A name, then its shorter forms, the best first."""
    yield name
    inside = PARENTHESIS.search(name)
    if inside:
        ways = [" ".join(filter(None, (head, name[inside.end() :]))) for head in (inside[1], name[: inside.start()])]
        yield from reversed(ways) if odds else ways
    if " or " in name:
        yield from name.split(" or ")
    for word in (" Bet", " the", "Hardways "):
        if word in name:
            yield name.replace(word, "")
    words = name.split()
    if name[-1:].isdigit():
        yield from (" ".join(words[start:]) for start in range(1, len(words)))


def names_of(spot: Spot) -> Iterator[str]:
    """What the house calls a spot: its name, then the parts of it that may stand for it."""
    return _ways(spot.name, odds=False)


def key_of(layout: Layout, words: str) -> WagerKey | None:
    """The wager that somebody means: its key, its name on the felt, whole or in a part that only it has, or a nickname.

    Case and the marks between words do not matter: `Win Line`, `win_line` and `win-line` are one name.
    """
    if words in layout.spots:
        return layout.spots[words].key
    wanted = squashed(words)
    offered = [spot for spot in layout.spots.values() if spot.rule.offered.value]
    # A name is its spot's, also where it is a part of another's: `Pass Line`, and `Odds (Pass Line)`.
    meant = {spot.key for spot in offered if wanted in {squashed(spot.key), squashed(spot.name)}}
    meant = meant or {spot.key for spot in offered if wanted in map(squashed, names_of(spot))}
    known = (key for key, names in NICKNAMES.items() if key in layout.spots and wanted in map(squashed, names))
    meant = meant or {layout.spots[key].key for key in known}
    return meant.pop() if len(meant) == 1 and wanted else None


def nearest_key(layout: Layout, word: str) -> WagerKey | None:
    """The wager that a misspelt word was meant for, if one can tell.

    A number that a wager does not have (`place_7`) is no slip of the pen, and another house's wager is none.
    """
    known = list(layout.offered())
    if word in layout.spots or word.rstrip(digits) in {spot.key.rstrip(digits) for spot in known}:
        return None
    # Of two that are called alike it is the first, and a key before a name.
    called = ((name, spot.key) for spot in reversed(known) for name in (spot.rule.area or "", spot.name, spot.key))
    forms = {squashed(name): key for name, key in called}
    near = nearest_word(squashed(word), forms)
    return forms[near] if near else None


def nearest_word(word: str, known: Iterable[str]) -> str | None:
    return nearest(word, known, ALIKE)


def tally(spot: Spot, mark: int) -> tuple[list[int], int] | None:
    """The numbers that a wager with memory has seen, and how many it looks for; None for wagers without memory.

    One for which the same number counts again and again looks for no number of them: 0.
    """
    if not spot.counts:
        return None
    bits = mark - TALLY if mark else 0
    seen = [number for at, number in enumerate(spot.counts) if bits >> at & 1]
    return seen, 0 if spot.counts_again else len(spot.counts)


def came(numbers: Iterable[int]) -> list[str]:
    """Numbers that have come, each with how often where that was more than once.

    >>> came([4, 4, 6])
    ['4x2', '6']
    """
    return [str(number) if often == 1 else f"{number}x{often}" for number, often in Counter(numbers).items()]


def quote(price: Price) -> str:
    """A price as a felt prints it: `7:6`, `15 for 1`."""
    return f"{price.pays}:{price.per}" if price.form == "to" else f"{price.pays} for {price.per}"


def price_of(spot: Spot, puck: int = 0) -> str:
    """Everything a spot pays, commission included, in a line."""
    charge = spot.rule.commission
    return _pays(spot, puck) + (f"; commission {commission_text(charge)}" if charge else "")


def short_price(spot: Spot, puck: int = 0) -> str:
    """What a spot pays in a few columns: its one price, or its lowest and a plus."""
    if spot.parts:
        return f"in {spot.units}s"
    prices = sorted({paid.price for paid in _prices(spot, puck)}, key=lambda price: price.rate)
    return quote(prices[0]) if len(prices) == 1 else f"{quote(prices[0])}+"


def _prices(spot: Spot, puck: int) -> list[Paid]:
    """What a spot can pay; of odds, what they pay with this point on."""
    return [paid for paid in spot.prices if not (spot.is_odds and puck) or paid.number in (spot.number, puck)]


def brings(paid: Paid) -> str:
    """What brings a price: `6`, or `6 x3` where it must come three times."""
    return f"{paid.number} x{paid.times}" if paid.times else str(paid.number)


def counted_in(spot: Spot) -> str:
    """What the numbers beside a spot's prices count, as a word behind them; nothing where they are totals rolled."""
    terms = spot.rule.terms
    if isinstance(terms, Streak):
        return f" {terms.of}"
    return " points" if isinstance(terms, Fire) else ""


def _pays(spot: Spot, puck: int) -> str:
    terms = spot.rule.terms
    if spot.parts:
        parts = (f"{units} on {spot.parts_spots[part].name}" for part, units in spot.parts.items())
        return f"split in {spot.units}: " + ", ".join(parts)
    by_price: dict[str, list[str]] = {}
    for paid in _prices(spot, puck):
        by_price.setdefault(quote(paid.price), []).append(brings(paid))
    ranked = sorted(by_price.items(), key=lambda pair: -len(pair[1]))
    text = "pays " + "; ".join(f"{price} on {listed(whats)}{counted_in(spot)}" for price, whats in ranked)
    if len(by_price) == 1:
        text = f"pays {ranked[0][0]}"
    if isinstance(terms, Collect):
        text += f" for {listed([str(total) for total in terms.needs.value])} before a 7"
    if isinstance(terms, Repeat):
        text += f" for {spot.number}, {terms.times.value[spot.number]} times before a 7"
    if isinstance(terms, Line) and terms.bar is not None and not spot.is_on_a_point(puck):
        text += f", {terms.bar.value} pushes"
    return text


def commission_text(terms: Commission) -> str:
    """What a house charges: `5% of the win, up front`, or `2.5% of the stake, on a win`."""
    return f"{exact_text(terms.rate.value * 100)}% of the {terms.of.value}, {terms.when.value}"


# The same in every house; a house's own names come first.
NICKNAMES: dict[str, list[str]] = {
    key: names.split(", ")
    for key, names in tomllib.loads(Path(__file__).with_name("nicknames.toml").read_text("utf-8")).items()
}

SPOKEN = (  # noqa: SIM905 - a word a line would be a page
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety"
).split()
UNITS = {word: at for at, word in enumerate(SPOKEN[:12], 1)}
TEENS = {word: at for at, word in enumerate(SPOKEN[12:19], 13)}
TENS = {word: 10 * at for at, word in enumerate(SPOKEN[19:], 2)}
PLURALS = {f"{word.removesuffix('x')}{'xes' if word.endswith('x') else 's'}": at for word, at in UNITS.items()}
NUMBERS = {**PLURALS, **UNITS, **TEENS, **TENS}  # numbers as they are said; of `sevens` and `tens`, the number

# Said around a bet, and no part of it.
FILLERS = (  # noqa: SIM905 - a word a line would be a page
    "please gimme give me my the a an some i want ill id have like lets get can could would just now spread number of "
    "sir thanks"
).split()


@lru_cache(maxsize=1024)  # a page's buttons are asked about after every act
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


MANY = 4  # what loses on more things than this loses on anything else


def how(spot: Spot, puck: int, points: Sequence[int]) -> str:
    """How a wager is decided with this puck: `wins on 7 and 11, loses on 2, 3 and 12, another number is the point`."""
    terms = spot.rule.terms
    if isinstance(terms, Repeat | Replay | Collect | Fire | Streak):
        return _counted(spot, terms)
    if spot.is_odds and not (spot.number or puck):
        return "wins with the bet it stands behind, on its point"
    at = puck if spot.is_line else puck or points[0]
    row = spot.row(0, at, works=True)
    wins, loses = _rolls(row, Wins), _rolls(row, Loses)
    off, travels = _rolls(row, (Pushes, Returns)), _rolls(row, Travels)
    rest = len(ROLLS) - len(wins) - len(loses) - len(off)
    lost = described(loses)
    parts = [f"wins on {listed(described(wins))}"] if wins else []
    parts += [f"loses on {listed(lost) if len(lost) <= MANY or rest else 'anything else'}"] if loses else []
    parts += [f"{listed(described(off))} {'pushes' if len(described(off)) == 1 else 'push'}"] if off else []
    if spot.is_line and not at:
        parts.append("another number is the point")
    elif travels:
        parts.append("another number is its own point")
    return ", ".join(parts)


def _counted(spot: Spot, terms: Repeat | Replay | Collect | Fire | Streak) -> str:
    """How a wager with a memory is decided: what must come, how much of it, and before what."""
    match terms:
        case Repeat():
            return f"wins when {spot.number} has come {terms.times.value[spot.number]} times, loses on 7"
        case Collect():
            return f"wins when {listed([str(total) for total in spot.counts])} have all come, loses on 7"
        case Replay():
            return f"wins when one point is made {terms.times.value} times before the seven-out, loses if none is"
        case Fire():
            return _levels("different points are made", "seven-out", min(terms.pays))
        case Streak(of="points"):
            return _levels("points are made", "seven-out", min(terms.pays))
        case Streak():
            return _levels(f"different {terms.of} come", "first 7", min(terms.pays))


def _levels(what: str, end: str, least: int) -> str:
    return f"wins by how many {what} before the {end}, loses with fewer than {least}"


def _rolls(row: Sequence[Verdict | None], kind: type | tuple[type, ...]) -> list[Roll]:
    return [roll for roll, verdict in zip(ROLLS, row, strict=True) if isinstance(verdict, kind)]


def described(rolls: Sequence[Roll]) -> list[str]:
    """Some of the 36 rolls: totals where all their throws are among them, else the throws themselves.

    >>> described([roll for roll in ROLLS if roll.total == 7 or roll == (3, 3)])
    ['7', '3-3']
    """
    whole = [total for total in range(2, 13) if all(roll in rolls for roll in ROLLS if roll.total == total)]
    apart = sorted({tuple(sorted(roll, reverse=True)) for roll in rolls if roll.total not in whole})
    return [*map(str, whole), *(f"{high}-{low}" for high, low in apart)]
