"""The words of a table's notice and float, read against what the house's sign may say."""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from passline.engine.book import Book
from passline.engine.limits import check_notice
from passline.engine.refusals import refusal_of
from passline.engine.table import Notice
from passline.engine.values import CENTS, Crew, Role, money, odds_by_name
from passline.errors import ArgumentError, ArgumentTypeError, RecordError, short_repr
from passline.files.amounts import chips_of
from passline.record.line import Words, count_of


def default_notice(book: Book, chips: tuple[int, ...] | None = None) -> Notice:
    """What the sign says when nobody put up another: the house's own, with a centre that the float can deal."""
    terms, chip = book.notice, min(chips or default_chips(book))
    props = terms.props.value
    props_minimum = None if props is None else props * CENTS + -props * CENTS % chip
    return Notice(terms.minimum.value * CENTS, terms.maximum.value * CENTS, terms.odds.value, chip, props_minimum)


def default_chips(book: Book) -> tuple[int, ...]:
    return tuple(chip * CENTS for chip in book.notice.chips.value)


def read_notice(words: Words, book: Book, base: Notice) -> Notice:
    """Read the words of a notice over what is posted already."""
    known = _words_of(book)
    fields: dict[str, Any] = {}
    while words.more:
        word = known.get("".join(words.peek.partition("=")[:2]))
        if word is None:
            words.fail("a notice word of this house: " + ", ".join(known))
        if word.field in fields:
            words.fail("each word of a notice once")
        fields[word.field] = words.read(word.read)
        if "multiples" in fields and not fields.get("minimum", base.minimum):
            words.fail("a minimum above 0 beside multiples", back=1)
    return base._replace(**fields)


def sign_of(sign: str | Notice, book: Book, chips: tuple[int, ...] | None = None) -> Notice:
    """An argument that says what a table's sign says, in the words of a record or read already."""
    if isinstance(sign, Notice):
        return checked_notice(sign, book, chips)
    words: object = sign  # whatever it is annotated as
    if not isinstance(words, str):
        raise ArgumentTypeError("notice", short_repr(words), "what the sign says, such as 'min=5 odds=2'")
    try:
        read = Words.of(1, words)
        notice = read_notice(read, book, default_notice(book, chips))
        check_sign(read, notice, book)
    except RecordError as error:
        raise ArgumentError("notice", short_repr(error.actual) if error.actual else "nothing", error.expected) from None
    return notice


def checked_notice(notice: Notice, book: Book, chips: tuple[int, ...] | None = None) -> Notice:
    """A notice that somebody made, if it can be dealt with these chips; the house's own stands with any float."""
    if notice == default_notice(book, chips):
        return notice
    wrong = refusal_of(check_notice, book, notice, min(chips or default_chips(book)))
    if wrong is not None:
        raise ArgumentError("notice", short_repr(notice), f"a sign that can be dealt: {wrong.message}")
    return notice


def check_sign(words: Words, notice: Notice, book: Book) -> None:
    """Complain where the words that were read make no sign: at the one that cannot be meant, or at the first."""
    wrong = refusal_of(check_notice, book, notice, notice.chip)
    if wrong is None:
        return
    bounds = {"min=": (notice.minimum, notice.maximum), "props=": (notice.props_minimum, notice.maximum)}
    bounds["side="] = notice.side or (None, None)
    none = [word for word, (least, most) in bounds.items() if least is not None and not 0 < least <= (most or least)]
    texts = [text for _, text in words.words]
    at_fault = (at for at, text in enumerate(texts) if none and text.startswith(none[0]))
    words.at = next(at_fault, max(0, min(1, len(texts) - 1)))
    words.fail(f"a sign that can be dealt: {wrong.message}")


class Word(NamedTuple):
    """A word of a sign: the field of a notice that it speaks of, and how its value stands behind the `=`."""

    field: str
    read: Callable[[str], object]
    write: Callable[[Any], str] = lambda amount: money(amount, CENTS)


def _words_of(book: Book) -> dict[str, Word]:
    """The words this house's sign has, with their `=` where they have one."""
    words = {
        "min=": Word("minimum", chips_of),
        "max=": Word("maximum", chips_of),
        "odds=": Word("odds", partial(_odds, book), odds_by_name),
        "props=": Word("props_minimum", chips_of),
    }
    if book.notice.side.value:
        words["side="] = Word(
            "side", partial(side_of, amount=chips_of), lambda side: "-".join(money(each, CENTS) for each in side)
        )
    if book.notice.steps.value:
        words |= {"multiples": Word("multiples", lambda _: True, lambda _: ""), "unit=": Word("unit", _unit)}
    if book.notice.no_roll.value:
        words["no-roll="] = Word("no_roll", partial(caller_of, book=book), partial(caller_in, book))
    return words


def _odds(book: Book, text: str) -> dict[int, int]:
    """A multiple for every point; where the house's own sign differs by point, also that one by its name."""
    terms, points = book.notice, book.points.value
    posted = terms.odds.value
    own = "" if posted is None else odds_by_name(posted)
    if posted is not None and text == own:
        return dict(posted)
    if "-" in text and "-" in own:
        raise ValueError(f"a whole number, or {own} as the house's own sign has it")
    multiple = count_of(text)
    least, most = terms.odds_from.value, terms.odds_to.value
    if multiple < least or (most is not None and multiple > most):
        raise ValueError(f"an odds multiple from {least}" + ("" if most is None else f" to {most}"))
    return dict.fromkeys(points, multiple)


def _unit(text: str) -> int:
    if unit := chips_of(text):
        return unit
    raise ValueError("a unit above 0")


def side_of(text: str, amount: Callable[[str], int]) -> tuple[int, int]:
    low, dash, high = text.partition("-")
    if not dash:
        raise ValueError("two amounts such as side=1-100")
    return amount(low), amount(high)


def caller_of(text: str, book: Book) -> Crew:
    """Whom the sign designates to call no roll."""
    callers = {caller_in(book, role): role for role in book.no_roll.callers.value}
    if text not in callers:
        raise ValueError(f"one of {', '.join(callers)}")
    return callers[text]


def caller_in(book: Book, role: Role) -> str:
    """The house's own word for one who calls no roll, where it is one word."""
    own: str = getattr(book.staff, role, role)
    return role if " " in own else own


def write_notice(notice: Notice, book: Book, base: Notice) -> str:
    """The words that turn the house's own sign into this one."""
    every = ((name, word, getattr(notice, word.field)) for name, word in _words_of(book).items())
    new = ((name, word, now) for name, word, now in every if now != getattr(base, word.field))
    return " ".join(name + word.write(now) for name, word, now in new if now is not None and now is not False)


def written_sign(notice: Notice, book: Book, chips: tuple[int, ...] | None = None) -> str:
    return write_notice(notice, book, default_notice(book, chips)) or f"min={money(notice.minimum, CENTS)}"
