"""What the stick calls over the dice: the number, then what it does to the line, the field and the come.

A call is chosen by the dice that lie there, so the same roll is always called the same and ten minutes are not.
"""

import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from passline.engine.events import DiceThrown
from passline.engine.kinds import OneRoll
from passline.engine.layout import Layout, Spot
from passline.engine.values import SEVEN, Roll
from passline.engine.verdicts import Loses, Pushes, Wins
from passline.telling.names import SPOKEN

_FILE: dict[str, dict[str, Any]] = tomllib.loads(Path(__file__).with_name("stick.toml").read_text("utf-8"))
FIRST, HARD_FIRST, LATER, HARD_LATER, FIELD, BARRED = (
    {int(total): calls for total, calls in _FILE[name].items()}
    for name in ("first", "hard_first", "later", "hard_later", "field", "barred")
)
ONLY = {call: tuple(faces) for call, faces in _FILE["only"].items()}


def word_of(total: int) -> str:
    return SPOKEN[total - 1]


def call(layout: Layout, event: DiceThrown, *, come: bool = False) -> str:
    """The stick's call of one roll; `come` is whether come bets wait in their box."""
    return spelled(layout, _call(layout, event, come=come))


def _call(layout: Layout, event: DiceThrown, *, come: bool) -> str:
    total, hard = event.total, event.first == event.second
    if event.puck and total == event.puck and not event.come_only:
        return _made(layout, event, hard=hard)
    if not event.puck and not event.come_only:
        marked = total in layout.book.points.value and total in BARRED  # no craps where it is a point
        first = LATER[total][:1] if marked else FIRST[total]
        words = _one_of(event, (HARD_FIRST.get(total) if hard else None) or first)
        if hard and total in (6, 8):
            words = f"{word_of(total).capitalize()} the hard way"
        return f"{words}, {_fate(layout, event)}"
    if total == SEVEN:
        return _seven(layout, event, come=come)
    named = [each for each in LATER[total] if ONLY.get(each, _faces(event)) == _faces(event)]
    words = _one_of(event, (HARD_LATER.get(total) if hard else None) or named)
    return ", ".join([words, *_field(layout, total, words), *(_come(layout, event) if come else ())])


def _faces(event: DiceThrown) -> tuple[int, int]:
    return max(event.first, event.second), min(event.first, event.second)


def _one_of(event: DiceThrown, calls: Sequence[str]) -> str:
    return calls[(event.first * 5 + event.second * 2 + event.puck) % len(calls)]


def _made(layout: Layout, event: DiceThrown, *, hard: bool) -> str:
    word, line = word_of(event.total), _line_name(layout)
    way = " the hard way" if hard else "" if event.total % 2 else " easy"
    came = ", came hard" if hard else "" if event.total % 2 else ", came easy"
    after = ", take the don'ts" if line_of(layout, dont=True) else ", pay the line"
    ways = (
        f"{word.capitalize()}{way}, winner! Pay the {'line' if line == 'front line' else line}",
        f"Winner {word}{came}{after}",
        f"{word.capitalize()}, the point, pay 'em",
    )
    return _one_of(event, ways)


def _seven(layout: Layout, event: DiceThrown, *, come: bool) -> str:
    if event.come_only:
        return "Seven, last come gets some"
    first = "Six-ace, end of the race, seven out" if _faces(event) == (6, 1) else "Seven out"
    pay = ", pay the don'ts" if line_of(layout, dont=True) else ""
    return f"{first}, line away{pay}" + (", last come gets some" if come else "")


def _fate(layout: Layout, event: DiceThrown) -> str:
    """What a come-out roll does to those who bet with the shooter, and to those who bet against."""
    if event.total in layout.book.points.value:
        it = event.total > 10 or _one_of(event, ("it", word_of(event.total))) == "it"
        return "mark it" if it else f"mark {word_of(event.total)}"
    roll = Roll(event.first, event.second)
    line, dont = (line_of(layout, dont=dont) for dont in (False, True))
    wins = line is not None and isinstance(line.verdict(0, 0, roll, works=True), Wins)
    ours = f"{_line_name(layout)} winner" if wins else "line away"
    barred = f"bar the {BARRED.get(event.total, word_of(event.total))}"
    fates: dict[type, str] = {Wins: "pay the don'ts", Pushes: barred, Loses: "take the don'ts"}
    theirs = fates.get(type(dont.verdict(0, 0, roll, works=True)), "") if dont else ""
    return ", ".join(filter(None, (ours, theirs)))


def line_of(layout: Layout, *, dont: bool) -> Spot | None:
    lines = (layout.spots[key] for key in layout.line)
    return next((spot for spot in lines if spot.is_dont == dont), None)


def _line_name(layout: Layout) -> str:
    line = line_of(layout, dont=False)
    return "front line" if line is None or "pass" in line.name.lower() else line.name


def _field(layout: Layout, total: int, words: str) -> list[str]:
    """How the field is paid on the numbers whose price differs from house to house, and where it is not paid at all."""
    field = layout.spots.get("field")
    if field is None or not isinstance(field.rule.terms, OneRoll) or "field" in words.lower():
        return []
    price = field.rule.terms.pays.get(total)
    if price is None:
        return ["no field"] if total in (5, 6, 8) else []
    if total not in (2, 3, 11, 12):
        return []
    rate = price.value.rate
    times = FIELD.get(rate.numerator) if rate.denominator == 1 else None
    return ["good field"] if total == 11 and times == "single" else [f"{times} the field"] if times else []


def come_of(layout: Layout) -> Spot | None:
    flat = (spot for spot in layout.offered() if spot.is_flat and not spot.is_line and not spot.is_dont)
    return next((spot for spot in flat if not spot.number), None)


def _come(layout: Layout, event: DiceThrown) -> list[str]:
    """What the roll does to come bets in their box, on the numbers that decide them at once."""
    box = come_of(layout)
    verdict = box.verdict(0, event.puck, Roll(event.first, event.second), works=True) if box else None
    return ["pay the come"] if isinstance(verdict, Wins) else ["come away"] if isinstance(verdict, Loses) else []


AUSTRALIAN = {"color": "colour", "center": "centre", "honor": "honour"}


def spelled(layout: Layout, text: str) -> str:
    english = layout.book.about.get("english")
    if english is None or english.value != "Australian":
        return text
    for american, australian in AUSTRALIAN.items():
        text = text.replace(american, australian).replace(american.capitalize(), australian.capitalize())
    return text
