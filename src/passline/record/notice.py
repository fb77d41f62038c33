"""The words of a table's notice and float, read against what the house's sign may say."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from passline.engine.table import Notice
from passline.engine.values import CENTS, money
from passline.files.amounts import chips_of
from passline.record.line import count_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from passline.engine.book import Book
    from passline.record.line import Words


def default_notice(book: Book, chips: tuple[int, ...] | None = None) -> Notice:
    """What the sign says when nobody put up another."""
    terms = book.notice
    return Notice(
        minimum=terms.minimum.value * CENTS,
        maximum=terms.maximum.value * CENTS,
        odds=terms.odds.value,
        chip=min(chips or default_chips(book)),
    )


def default_chips(book: Book) -> tuple[int, ...]:
    """The chips of the float when nobody named others."""
    return tuple(chip * CENTS for chip in book.notice.chips.value)


def read_notice(words: Words, book: Book, base: Notice) -> Notice:
    """Read the words of a notice over what is posted already."""
    settings = _settings(book)
    known = "a notice word of this house: " + ", ".join(settings)
    said: dict[str, Any] = {}
    while words.more:
        if words.peek.partition("=")[0] in said:
            words.fail("each word of a notice once")
        name, value = words.setting(settings, known)
        said[name] = value
        least = said.get("min", base.minimum)
        if "multiples" in said and least == 0:
            words.at -= 1
            words.fail("a minimum above 0 beside multiples")
    return base._replace(
        minimum=said.get("min", base.minimum),
        maximum=said.get("max", base.maximum),
        odds=said.get("odds", base.odds),
        props_minimum=said.get("props", base.props_minimum),
        side=said.get("side", base.side),
        multiples="multiples" in said or base.multiples,
        unit=said.get("unit", base.unit),
    )


def _settings(book: Book) -> dict[str, Callable[[str], object]]:
    """The words this house's sign has, each with its reader."""
    terms = book.notice
    settings: dict[str, Callable[[str], object]] = {
        "min=": chips_of,
        "max=": chips_of,
        "odds=": lambda text: _odds(book, text),
        "props=": chips_of,
    }
    if terms.steps.value:
        settings |= {"multiples": lambda _text: True, "unit=": _unit}
    if terms.side.value:
        settings["side="] = _side
    return settings


def _odds(book: Book, text: str) -> dict[int, int]:
    """A multiple for every point; `3-4-5` where the house's own sign differs by point."""
    terms, points = book.notice, book.points.value
    posted = terms.odds.value
    if text == "3-4-5" and posted is not None and len(set(posted.values())) > 1:
        return dict(posted)
    multiple = count_of(text)
    least, most = terms.odds_from.value, terms.odds_to.value
    if multiple < least or (most is not None and multiple > most):
        message = f"an odds multiple from {least}" + ("" if most is None else f" to {most}")
        raise ValueError(message)
    return dict.fromkeys(points, multiple)


def _unit(text: str) -> int:
    unit = chips_of(text)
    if not unit:
        message = "a unit above 0"
        raise ValueError(message)
    return unit


def _side(text: str) -> tuple[int, int]:
    low, dash, high = text.partition("-")
    if not dash:
        message = "two amounts such as side=1-100"
        raise ValueError(message)
    return chips_of(low), chips_of(high)


def write_notice(notice: Notice, base: Notice) -> str:
    """The words that turn the house's own sign into this one."""
    words = []
    for name, now, then in (("min", notice.minimum, base.minimum), ("max", notice.maximum, base.maximum)):
        if now != then and now is not None:
            words.append(f"{name}={money(now, CENTS)}")
    if notice.odds != base.odds and notice.odds is not None:
        values = set(notice.odds.values())
        words.append(f"odds={values.pop()}" if len(values) == 1 else "odds=3-4-5")
    if notice.props_minimum is not None:
        words.append(f"props={money(notice.props_minimum, CENTS)}")
    if notice.side is not None:
        words.append("side=" + "-".join(money(amount, CENTS) for amount in notice.side))
    if notice.multiples:
        words.append("multiples")
    if notice.unit is not None:
        words.append(f"unit={money(notice.unit, CENTS)}")
    return " ".join(words)
