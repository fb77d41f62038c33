"""What a caller hands to a table, looked at before the dealers see it: what a record could not keep stops here."""

from collections.abc import Callable, Iterable, Mapping
from typing import get_args

from passline.engine import commands as c
from passline.engine.commands import Command
from passline.engine.values import ROLLS, Role, Roll
from passline.errors import ArgumentError, ArgumentTypeError, short_repr
from passline.files.amounts import COUNT_MAX, whole_number
from passline.files.arguments import instance, one_of
from passline.record.line import ROLES

COMMANDS = frozenset(get_args(Command))
# Every roll of two dice; the one that is there is handed out, for a table keeps what it was asked.
ROLLED: Mapping[tuple[int, int], Roll] = {roll: roll for roll in ROLLS}
ONE_WORD = "one word without a #, which a record can keep"

By = Role | Iterable[Role] | None  # who confirmed something: one of the crew, several, none (`()`); None: nobody said


def check_command(command: Command) -> None:
    """Have a command be one of ours, every part of it of its type, and the words in it such as a record can keep."""
    from passline.codec import encode

    if type(command) not in COMMANDS:
        raise ArgumentTypeError("command", short_repr(command), "a command of passline.engine.commands")
    encode(command)
    check_texts(command)


def check_texts(command: Command) -> None:
    """Have the words in a command be such as a record can keep, on one line."""
    for name, check in TEXTS.get(type(command), {}).items():
        words = getattr(command, name)
        if words is not None:
            in_one_line(name, words)
            check(name, words)


def in_one_line(name: str, text: str) -> None:
    """Words that end no line and move no cursor."""
    if not text.isprintable():
        raise ArgumentError(name, short_repr(text), "words on one line, which a record can keep")


def a_number(name: str, number: int) -> int:
    """A whole number as Python's own, whoever made it; what it means the dealers decide."""
    if type(number) is int and -COUNT_MAX < number < COUNT_MAX:  # what a table is handed most
        return number
    return whole_number(name, number, least=-COUNT_MAX)


def a_roll(first: int | None, second: int | None) -> Roll:
    """Two faces; whether dice have them the dealers say."""
    if type(first) is int and type(second) is int and (roll := ROLLED.get((first, second))):  # what is handed most
        return roll
    if first is None or second is None:
        raise ArgumentTypeError("second" if second is None else "first", "None", "both faces, or neither")
    return Roll(a_number("first", first), a_number("second", second))


def a_pair(pair: object) -> Roll:
    """Two faces in one: `"4-2"`, or a pair."""
    faces = pair.split("-") if isinstance(pair, str) else pair
    try:
        first, second = map(int, faces) if isinstance(pair, str) else faces  # type: ignore[call-overload, misc]
    except (TypeError, ValueError):
        raise ArgumentTypeError("first", short_repr(pair), "both faces, such as roll(4, 2) or roll('4-2')") from None
    return a_roll(first, second)


def a_wager(wager: str) -> str:
    """What somebody calls a wager; whether there is one the dealers say."""
    return wager if type(wager) is str else str(instance("wager", wager, str, "the key of a wager, such as 'place_6'"))


def a_word(name: str, text: str) -> str:
    word = instance(name, text, str, ONE_WORD)
    if len(word.split()) != 1 or not word.isprintable() or "#" in word or word != word.strip():
        raise ArgumentError(name, short_repr(word), ONE_WORD)
    return word


def a_reason(name: str, text: str) -> str:
    """Words that a record can keep, with one blank between them."""
    parts = instance(name, text, str, "a word or more, which a record can keep").split()
    if not parts:
        raise ArgumentError(name, short_repr(text), "a word or more")
    if "#" in text or not all(map(str.isprintable, parts)):
        raise ArgumentError(name, short_repr(text), "printable words without a #, which a record can keep")
    return " ".join(parts)


def check_reason(reason: str) -> None:
    """Have a reason be such as a record can keep; that there is one, others see to."""
    if instance("reason", reason, str, "a word or more").strip():
        in_one_line("reason", reason)
        a_reason("reason", reason)


def a_reason_before_by(name: str, text: str) -> str:
    """Words in a line that `by` ends."""
    reason = a_reason(name, text)
    if "by" in reason.split():
        raise ArgumentError(name, short_repr(text), "words without `by`, behind which a record says who it was")
    return reason


def a_role(by: Role | None, name: str = "by") -> Role | None:
    return None if by is None else ROLES[one_of(name, by, ROLES)]


def the_roles(by: By) -> tuple[Role, ...] | None:
    if by is None:
        return None
    named = (by,) if isinstance(by, str) or not isinstance(by, Iterable) else tuple(by)
    return tuple(ROLES[one_of("by", role, ROLES)] for role in named)


# The commands that carry words of people's own, and what such words must be.
TEXTS: Mapping[type, Mapping[str, Callable[[str, str], str]]] = {
    c.Sit: {"name": a_word},
    c.WatchThrow: {"flaw": a_word},
    c.TakeTokens: {"flaw": a_reason_before_by},
    c.OrderPass: {"reason": a_reason_before_by},
    c.CallNoRoll: {"reason": a_reason},
    c.StrikeOut: {"reason": a_reason},
    c.ReturnAll: {"reason": a_reason},
}
