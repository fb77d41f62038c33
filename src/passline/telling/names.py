"""What is printed on a spot: its name in the house's own words, long or short, and its price."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from string import digits

from passline.engine.book import Commission, WagerRule
from passline.engine.kinds import Line, Odds
from passline.engine.layout import Layout, Spot
from passline.engine.marking import TALLY, Paid
from passline.engine.tallies import Collect, Fire, Repeat, Streak
from passline.engine.values import Price, WagerKey
from passline.telling.figures import listed, percent
from passline.telling.nicknames import NICKNAMES, squashed

ALIKE = 0.72
"""From where on two words are taken for one: `feild` is `field`, `fire` is not."""
PARENTHESIS = re.compile(r"\s*\(([^)]*)\)\s*")


# --- Names ----------------------------------------------------------------------------------------------------------


def family_name(rule: WagerRule) -> str:
    """The house's name for all wagers of one rule, whatever their number."""
    return " ".join(rule.name.replace("{n}", " ").replace("{pair}", " ").split())


def label(spot: Spot, width: int) -> str:
    """A spot's name in at most so many columns."""
    return shorten(spot.name, width, odds=spot.is_odds)


def family_label(rule: WagerRule, width: int) -> str:
    """A family's name in at most so many columns."""
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
        tail = name[inside.end() :]
        without = " ".join(filter(None, (name[: inside.start()], tail)))
        within = " ".join(filter(None, (inside.group(1), tail)))
        yield from (without, within) if odds else (within, without)
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
    meant = {
        spot.key
        for spot in layout.spots.values()
        if spot.rule.offered.value and any(squashed(form) == wanted for form in (spot.key, *names_of(spot)))
    }
    if not meant:
        known = (key for key, names in NICKNAMES.items() if any(squashed(name) == wanted for name in names))
        meant = {layout.spots[key].key for key in known if key in layout.spots}
    return meant.pop() if len(meant) == 1 and wanted else None


def nearest_key(layout: Layout, word: str) -> WagerKey | None:
    """The wager that a misspelt word was meant for, if one can tell.

    A number that a wager does not have (`place_7`) is no slip of the pen, and another house's wager is none.
    """
    known = {spot.key: (spot.key, spot.name, spot.rule.area or "") for spot in layout.offered()}
    if word in layout.spots or word.rstrip(digits) in {key.rstrip(digits) for key in known}:
        return None
    forms: dict[str, WagerKey] = {}
    for key, names in known.items():
        for name in names:
            forms.setdefault(squashed(name), key)
    near = nearest_word(squashed(word), forms)
    return forms[near] if near else None


def nearest_word(word: str, known: Iterable[str]) -> str | None:
    """The word that was meant by a misspelt one, if it is as good as the same."""
    near = get_close_matches(word, list(known), n=1, cutoff=ALIKE)
    return near[0] if near else None


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


# --- Prices ---------------------------------------------------------------------------------------------------------


def quote(price: Price) -> str:
    """A price as a felt prints it: `7:6`, `15 for 1`."""
    return f"{price.pays}:{price.per}" if price.form == "to" else f"{price.pays} for {price.per}"


def price_of(spot: Spot, puck: int = 0) -> str:
    """Everything a spot pays, commission included, in a line."""
    return "; ".join(filter(None, (_pays(spot, puck), _charge(spot.rule.commission))))


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
    if len(by_price) == 1:
        text = "pays " + next(iter(by_price))
    else:
        unit = counted_in(spot)
        ranked = sorted(by_price.items(), key=lambda pair: -len(pair[1]))
        text = "pays " + "; ".join(f"{price} on {listed(whats)}{unit}" for price, whats in ranked)
    if isinstance(terms, Collect):
        text += f" for {listed([str(total) for total in terms.needs.value])} before a 7"
    if isinstance(terms, Repeat):
        text += f" for {spot.number}, {terms.times.value[spot.number]} times before a 7"
    if isinstance(terms, Line) and terms.bar is not None and not spot.is_on_a_point(puck):
        text += f", {terms.bar.value} stands off"
    return text


def _charge(commission: Commission | None) -> str:
    if commission is None:
        return ""
    base = "stake" if commission.of.value == "stake" else "win"
    return f"commission {percent(commission.rate.value, 0)} of the {base}, {commission.when.value}"
