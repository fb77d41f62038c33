"""The verbs of a record: each line of play is its command, read and written by one description."""

import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from passline.engine import commands as c
from passline.engine.book import Book
from passline.engine.commands import Command
from passline.engine.table import Notice
from passline.engine.values import CENTS, Role, money
from passline.files.amounts import chips_of
from passline.record.line import Words, count_of
from passline.record.notice import read_notice, write_notice

LEANING = re.compile(r"[1-6](?:,[1-6])*")
TENDERS = ("spoken", "cash", "self")  # how something is bet otherwise than in chips


class Part(NamedTuple):
    """One field of a command as it stands in a line."""

    field: str
    read: Callable[[Words, Mapping[str, Any]], Any]  # from the words, and the fields that were read before it
    write: Callable[[Any], str] = str  # nothing, where it goes without saying


class Line(NamedTuple):
    """What stands behind a verb."""

    command: Callable[..., Command]
    parts: tuple[Part, ...] = ()
    fixed: Mapping[str, Any] = {}  # what the verb alone says


def _money(amount: int) -> str:
    return money(amount, CENTS)


def _read_confirmed(words: Words, before: Mapping[str, Any]) -> tuple[Role, ...] | None:
    if before.get("tender") in ("chips", "self"):
        return None
    if not words.take("by"):
        words.fail("by, and who confirmed it")
    return words.roles()


def _read_pair(words: Words, _before: Mapping[str, Any]) -> tuple[int, int]:
    first, second = words.count("the number of a die"), words.count("the number of another die")
    if first == second:
        words.fail("the number of another die", back=1)
    return first, second


def _read_leaning(words: Words, _before: Mapping[str, Any]) -> tuple[int, ...]:
    sides = words.matching(LEANING, "the side or sides it leans on, such as 2 or 2,3").group()
    return tuple(map(int, sides.split(",")))


def _read_reason_before_by(words: Words, _before: Mapping[str, Any]) -> str:
    reason = [words.next("a reason such as delay")]
    while words.more and words.peek != "by":
        reason.append(words.next("a reason"))
    return " ".join(reason)


def _write_roles(roles: tuple[Role, ...] | None) -> str:
    return "" if roles is None else f"by {','.join(roles) or 'nobody'}"


def _amount(field: str = "amount") -> Part:
    return Part(field, lambda words, _: words.amount(), _money)


WAGER = Part("wager", lambda words, _: words.key())
TOKENS = Part(
    "tokens",
    lambda words, _: words.value("tokens", chips_of, "tokens=A") if words.peek.startswith("tokens=") else 0,
    lambda tokens: f"tokens={_money(tokens)}" if tokens else "",
)
TENDER = Part(
    "tender",
    lambda words, _: words.next("how it is bet") if words.peek in TENDERS else "chips",
    lambda tender: "" if tender == "chips" else tender,
)
CONFIRMED = Part("by", _read_confirmed, _write_roles)
BY = Part("by", lambda words, _: words.roles() if words.take("by") else None, _write_roles)
ONE_BY = Part(
    "by", lambda words, _: words.role() if words.take("by") else None, lambda role: f"by {role}" if role else ""
)
LEAVE = Part(
    "leave",
    lambda words, _: words.amount("what is left, such as 6") if words.more else 0,
    lambda left: _money(left) if left else "",
)
SURE = Part("sure", lambda words, _: words.face())
REASON = Part("reason", lambda words, _: words.rest("a reason"))
SEAT = Part("seat", lambda words, _: words.count("a seat number from 1"))
NAME = Part("name", lambda words, _: words.next("a name of one word"))
WHY_NOT = Part("flaw", lambda words, _: words.rest("why not") if words.more else None, lambda flaw: flaw or "")
FLAW = Part("flaw", lambda words, _: words.next("what was wrong with it, such as stacked"))
ROLL = Part("roll", lambda words, _: words.dice())
FACE = Part("face", lambda words, _: None if words.take("void") else words.face(), lambda face: str(face or "void"))
DIE = Part("die", lambda words, _: words.count("the number of a die"))


# What a player does, after the number of the seat.
SEAT_VERBS: dict[str, Line] = {
    "bet": Line(c.Bet, (WAGER, _amount(), TOKENS, TENDER, CONFIRMED)),
    "take": Line(c.Take, (WAGER, LEAVE)),
    "on": Line(c.CallOn, (WAGER, BY)),
    "off": Line(c.CallOff, (WAGER,)),
    "shoot": Line(c.Shoot),
    "decline": Line(c.Decline),
    "pass-dice": Line(c.PassDice),
    "choose": Line(c.ChooseDice, (Part("dice", _read_pair, lambda dice: " ".join(map(str, dice))),)),
    "late": Line(c.LateBet, (WAGER, _amount(), TOKENS, CONFIRMED)),
    "found": Line(c.FindBet, (WAGER, _amount())),
    "buyin": Line(c.BuyIn, (_amount(),)),
    "tokens": Line(c.TakeTokens, (_amount(), ONE_BY, WHY_NOT)),
    "leave": Line(c.Leave),
}

# What the crew does.
TABLE_VERBS: dict[str, Line] = {
    "sit": Line(c.Sit, (SEAT, NAME, _amount("buyin"))),
    "roll": Line(c.Throw, (ROLL,)),
    "no-roll": Line(c.CallNoRoll, (REASON,), {"by": None}),
    "no-roll-by": Line(c.CallNoRoll, (Part("by", lambda words, _: words.role()), REASON)),
    "dice-out": Line(c.SendDice),
    "throw": Line(c.WatchThrow, (ROLL, FLAW)),
    "cocked": Line(c.CockedDie, (SURE, Part("leaning", _read_leaning, lambda sides: ",".join(map(str, sides))))),
    "dispute": Line(c.DisputeFace, (SURE,)),
    "rule": Line(c.RuleFace, (FACE, ONE_BY)),
    "order-pass": Line(c.OrderPass, (Part("reason", _read_reason_before_by), ONE_BY)),
    **{f"die-{what}": Line(c.LoseDie, (DIE, ONE_BY), {"what": what}) for what in ("off", "found", "checked", "lost")},
    "invalidate": Line(c.StrikeOut, (REASON,)),
    "return-all": Line(c.ReturnAll, (REASON,)),
}

LINES: dict[Callable[..., Command], list[tuple[str, Line]]] = {}
for _verb, _line in (*SEAT_VERBS.items(), *TABLE_VERBS.items()):
    LINES.setdefault(_line.command, []).append((_verb, _line))


def read_act(words: Words, book: Book, notice: Notice) -> Command:
    if words.peek[:1].isdigit():
        seat = words.count("a seat number from 1")
        if words.peek not in SEAT_VERBS:
            words.fail(f"what seat {seat} does: {', '.join(SEAT_VERBS)}")
        command = _read(words, SEAT_VERBS[words.next("a verb")], {"seat": seat})
    elif words.peek == "post":
        command = _read_post(words, book, notice)
    elif words.peek == "close":
        command = _read_close(words, book)
    elif words.peek in TABLE_VERBS:
        command = _read(words, TABLE_VERBS[words.next("a verb")], {})
    else:
        words.fail(f"a seat number, post, close, or one of {', '.join(TABLE_VERBS)}")
    words.end()
    return command


def _read(words: Words, line: Line, fields: dict[str, Any]) -> Command:
    for part in line.parts:
        fields[part.field] = part.read(words, fields)
    return line.command(**fields, **line.fixed)


def write_act(command: Command, book: Book, notice: Notice) -> str:
    """Write a command as the line that reads back as it."""
    if isinstance(command, c.PostNotice):
        sign = write_notice(command.notice, book, notice) or f"min={_money(command.notice.minimum)}"
        return f"post{_in_minutes(command.minutes_ahead)} {sign}"
    if isinstance(command, c.CloseTable):
        return f"close{_in_minutes(command.minutes_ahead)}" + (f" told={command.told}" if command.told else "")
    for verb, line in LINES[type(command)]:
        if all(getattr(command, name) == value for name, value in line.fixed.items()):
            seat = str(command.seat) if verb in SEAT_VERBS else ""  # type: ignore[union-attr] # a player's has one
            words = (part.write(getattr(command, part.field)) for part in line.parts)
            return " ".join(filter(None, (seat, verb, *words)))
    raise AssertionError(f"no line says {command}")


def _read_post(words: Words, book: Book, notice: Notice) -> Command:
    """Read a new sign, over the house's own; `ahead=` comes first."""
    words.next("post")
    ahead = words.value("ahead", count_of, "ahead=MINUTES") if words.peek.startswith("ahead=") else 0
    if not words.more:
        words.fail("what the sign says, such as min=10")
    return c.PostNotice(read_notice(words, book, notice), ahead)


def _read_close(words: Words, book: Book) -> Command:
    """Read a closing; who was told is said only where the house wants somebody told."""
    words.next("close")
    tells, fields = book.floor.closing_tells.value, dict[str, Any]()
    while words.more:
        if words.peek.startswith("ahead=") and "minutes_ahead" not in fields:
            fields["minutes_ahead"] = words.value("ahead", count_of, "ahead=MINUTES")
        elif tells != "nobody" and words.peek == f"told={tells}" and "told" not in fields:
            words.next("told")
            fields["told"] = tells
        else:
            words.fail("ahead=MINUTES" + (", once" if tells == "nobody" else f" or told={tells}, each once"))
    return c.CloseTable(**fields)


def _in_minutes(ahead: int) -> str:
    return f" ahead={ahead}" if ahead else ""
