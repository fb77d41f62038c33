"""The values in a position line, each as a word or a part of one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple, get_args

from passline.engine.layout import Layout
from passline.engine.table import Doubt, Phase, Thrower
from passline.engine.values import FACES
from passline.files.amounts import money
from passline.record.line import count_of
from passline.record.notice import caller_in, caller_of, side_of

PLAIN = re.compile(r"[\w./~'-]*\w[\w./~'-]*")
QUOTED = re.compile(r'"((?:[^"\\]|\\["\\]|\\x[0-9a-f]+;)*)"')
ESCAPE = re.compile(r'\\(?:x([0-9a-f]+);|(["\\]))')


class Text(NamedTuple):
    """How a value of one sort stands in a line; reading says in a ValueError what was expected."""

    write: Callable[[Any, Layout], str]
    read: Callable[[str, Layout], Any]


def quoted(text: str) -> str:
    r"""Text as one word: as it is, or in quotes with what cannot be printed escaped.

    >>> print(quoted("Ann"), quoted("Ann Lee"), quoted('a|b"c'), quoted("tab\t"))
    Ann "Ann Lee" "a|b\"c" "tab\x9;"
    """
    if PLAIN.fullmatch(text):
        return text
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(char if char.isprintable() else f"\\x{ord(char):x};" for char in escaped) + '"'


def unquoted(word: str) -> str:
    if PLAIN.fullmatch(word):
        return word
    match = QUOTED.fullmatch(word)
    if match is None:
        raise ValueError('a word, or text in quotes such as "Ann Lee"')
    try:
        return ESCAPE.sub(lambda part: part[2] or chr(int(part[1], 16)), match[1])
    except (ValueError, OverflowError):
        raise ValueError("characters that exist") from None


def read_amount(text: str, layout: Layout) -> int:
    """An amount of money, in grains; nobody has less than nothing."""
    if text.startswith("-"):
        raise ValueError("an amount that is not below 0")
    return _signed(text, layout)


def _signed(text: str, layout: Layout) -> int:
    exact = money(text) * layout.grain
    if exact.denominator != 1:
        raise ValueError(f"an amount in whole steps of {layout.money(1)}")
    return exact.numerator


def _whole(text: str, _layout: Layout) -> int:
    return -count_of(text[1:]) if text.startswith("-") else count_of(text)


def _odds(text: str, layout: Layout) -> dict[int, int]:
    if ":" not in text:
        return dict.fromkeys(layout.book.points.value, count_of(text)) if text else {}
    by_point = [part.partition(":") for part in text.split(",")]
    return {count_of(point): count_of(times) for point, _, times in by_point}


def _write_odds(odds: Mapping[int, int], layout: Layout) -> str:
    multiples = set(odds.values())
    if len(multiples) == 1 and set(odds) == set(layout.book.points.value):
        return str(multiples.pop())
    return ",".join(f"{point}:{times}" for point, times in odds.items())


def _side(text: str, layout: Layout) -> tuple[int, int]:
    return side_of(text, lambda part: read_amount(part, layout))


def _chips(text: str, layout: Layout) -> tuple[int, ...]:
    chips = tuple(read_amount(chip, layout) for chip in text.split(","))
    if min(chips) <= 0:
        raise ValueError("chips worth more than nothing, such as float=1,5,25,100")
    return chips


def _doubt(text: str, _layout: Layout) -> Doubt:
    face, _, why = text.partition(":")
    if count_of(face) not in FACES:
        raise ValueError("the face that lies flat and why the other is in doubt, such as 4:cocked")
    return Doubt(int(face), unquoted(why))


def _phase(text: str, _layout: Layout) -> str:
    phases: dict[str, str] = {phase.replace(" ", "-"): phase for phase in get_args(Phase)}
    if text not in phases:
        raise ValueError(f"one of {', '.join(phases)}")
    return phases[text]


def _thrower(text: str, _layout: Layout) -> Thrower:
    seat, _, why = text.partition(":")
    if why not in ("", "come"):
        raise ValueError("a seat number or stick, and :come behind one who throws for come bets only")
    return Thrower(None if seat == "stick" else count_of(seat), bool(why))


def _write_thrower(thrower: Thrower, _layout: Layout) -> str:
    return ("stick" if thrower.seat is None else str(thrower.seat)) + (":come" if thrower.come_only else "")


def _decided(text: str, layout: Layout) -> tuple[tuple[int, str], ...]:
    decided = [part.partition(":") for part in text.split(",")]
    if not all(key in layout.spots for _, _, key in decided):
        raise ValueError("seats and wagers of this house, such as 1:pass,2:field")
    return tuple((count_of(seat), key) for seat, _, key in decided)


def numbers_in(kind: Callable[[Iterator[int]], Any], in_order: Callable[[Any], Any]) -> Text:
    """Several whole numbers: `2,3`."""
    return Text(
        lambda several, _layout: ",".join(map(str, in_order(several))),
        lambda text, _layout: kind(count_of(part) for part in text.split(",")),
    )


def or_else(word: str, empty: object, text: Text) -> Text:
    """The same, with a word for none of it."""
    return Text(
        lambda value, layout: word if value == empty else text.write(value, layout),
        lambda written, layout: empty if written == word else text.read(written, layout),
    )


AMOUNT = Text(lambda amount, layout: layout.money(amount), read_amount)
BALANCE = Text(lambda amount, layout: layout.money(amount), _signed)
WHOLE = Text(lambda number, _layout: str(number), _whole)
SIDE = or_else("none", None, Text(lambda side, layout: "-".join(map(layout.money, side)), _side))
CHIPS = Text(lambda chips, layout: ",".join(map(layout.money, chips)), _chips)
DICE_LIST = or_else("none", (), numbers_in(tuple, tuple))
PUCK = or_else("off", 0, WHOLE)
SEAT_NUMBER = or_else("none", None, WHOLE)
AMOUNT_OR_NONE = or_else("none", None, AMOUNT)
ODDS = or_else("none", None, Text(_write_odds, _odds))
PHASE = Text(lambda phase, _layout: phase.replace(" ", "-"), _phase)
DOUBT = or_else("none", None, Text(lambda doubt, _layout: f"{doubt.sure}:{quoted(doubt.why)}", _doubt))
THROWER = or_else("none", None, Text(_write_thrower, _thrower))
DECIDED = or_else(
    "none", (), Text(lambda decided, _layout: ",".join(f"{seat}:{key}" for seat, key in decided), _decided)
)
CALLER = or_else(
    "none",
    None,
    Text(lambda role, layout: caller_in(layout.book, role), lambda text, layout: caller_of(text, layout.book)),
)
SEATS = or_else("none", frozenset(), numbers_in(frozenset, sorted))
