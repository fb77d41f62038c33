"""The verbs of a record: each line of play to its command and back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, assert_never

from passline.engine import commands as c
from passline.engine.book import Book
from passline.engine.commands import Command
from passline.engine.table import DieMove, Notice
from passline.engine.values import CENTS, Role, money
from passline.files.amounts import chips_of
from passline.record.line import Words, count_of
from passline.record.notice import read_notice, write_notice

TENDERS: Mapping[str, c.Tender] = {"spoken": "spoken", "cash": "cash", "self": "self"}


# --- Reading --------------------------------------------------------------------------------------------------------


def read_act(words: Words, book: Book, notice: Notice) -> Command:
    """Read one line of play."""
    if words.peek[:1].isdigit():
        seat = words.count("a seat number from 1")
        if words.peek not in SEAT_VERBS:
            words.fail(f"what seat {seat} does: {', '.join(SEAT_VERBS)}")
        command = SEAT_VERBS[words.next("a verb")](words, seat)
    elif words.peek == "post":
        command = _post(words, book, notice)
    elif words.peek == "close":
        command = _close(words, book)
    elif words.peek in TABLE_VERBS:
        command = TABLE_VERBS[words.next("a verb")](words)
    else:
        words.fail(f"a seat number, post, close, or one of {', '.join(TABLE_VERBS)}")
    words.end()
    return command


def _bet(words: Words, seat: int) -> Command:
    key, amount = words.key(), words.amount()
    tender: c.Tender = "chips"
    by = None
    tokens = _tokens(words)
    if words.peek in TENDERS:
        tender = TENDERS[words.next("how it is bet")]
    if tender in ("spoken", "cash"):
        if not words.take("by"):
            words.fail("by, and who confirmed it")
        by = words.roles()
    return c.Bet(seat, key, amount, tender=tender, by=by, tokens=tokens)


def _late(words: Words, seat: int) -> Command:
    key, amount = words.key(), words.amount()
    tokens = _tokens(words)
    if not words.take("by"):
        words.fail("by, and who confirmed it")
    return c.LateBet(seat, key, amount, words.roles(), tokens)


def _tokens(words: Words) -> int:
    """How much of a stake is tokens, where a line says so."""
    return words.value("tokens", chips_of, "tokens=A") if words.peek.startswith("tokens=") else 0


def _voucher(words: Words, seat: int) -> Command:
    amount, by = words.amount(), _one_by(words)
    return c.TakeTokens(seat, amount, by, words.rest("why not") if words.more else None)


def _one_by(words: Words) -> Role | None:
    """Who does it, where a line says so."""
    return words.role() if words.take("by") else None


def _take(words: Words, seat: int) -> Command:
    key = words.key()
    return c.Take(seat, key, words.amount("what is left, such as 6") if words.more else 0)


def _on(words: Words, seat: int) -> Command:
    key = words.key()
    return c.CallOn(seat, key, words.roles() if words.take("by") else None)


def _choose(words: Words, seat: int) -> Command:
    first, second = words.count("the number of a die"), words.count("the number of another die")
    if first == second:
        words.at -= 1
        words.fail("the number of another die")
    return c.ChooseDice(seat, (first, second))


SEAT_VERBS: dict[str, Callable[[Words, int], Command]] = {
    "bet": _bet,
    "take": _take,
    "on": _on,
    "off": lambda words, seat: c.CallOff(seat, words.key()),
    "shoot": lambda _words, seat: c.Shoot(seat),
    "decline": lambda _words, seat: c.Decline(seat),
    "pass-dice": lambda _words, seat: c.PassDice(seat),
    "choose": _choose,
    "late": _late,
    "found": lambda words, seat: c.FindBet(seat, words.key(), words.amount()),
    "buyin": lambda words, seat: c.BuyIn(seat, words.amount()),
    "tokens": _voucher,
    "leave": lambda _words, seat: c.Leave(seat),
}
"""What a player does, after the number of the seat."""


def _sit(words: Words) -> Command:
    return c.Sit(words.count("a seat number from 1"), words.next("a name of one word"), words.amount())


def _cocked(words: Words) -> Command:
    sure = words.face()
    faces = words.peek.split(",")
    if not all(face.isascii() and face in "123456" and face for face in faces):
        words.fail("the side or sides it leans on, such as 2 or 2,3")
    words.next("a side")
    return c.CockedDie(sure, tuple(map(int, faces)))


def _rule(words: Words) -> Command:
    return c.RuleFace(None if words.take("void") else words.face(), _one_by(words))


def _order(words: Words) -> Command:
    """A reason of one word or more, up to `by`."""
    reason = [words.next("a reason such as delay")]
    while words.more and words.peek != "by":
        reason.append(words.next("a reason"))
    return c.OrderPass(" ".join(reason), _one_by(words))


def _die(words: Words, what: DieMove) -> Command:
    return c.LoseDie(words.count("the number of a die"), what, _one_by(words))


def _post(words: Words, book: Book, notice: Notice) -> Command:
    """Read a new sign, over the house's own; `ahead=` comes first."""
    words.next("post")
    ahead = words.value("ahead", count_of, "ahead=MINUTES") if words.peek.startswith("ahead=") else 0
    if not words.more:
        words.fail("what the sign says, such as min=10")
    return c.PostNotice(read_notice(words, book, notice), ahead)


def _close(words: Words, book: Book) -> Command:
    """Read a closing; who was told is said only where the house wants somebody told."""
    words.next("close")
    tells, said = book.floor.closing_tells.value, dict[str, Any]()
    while words.more:
        if words.peek.startswith("ahead=") and "minutes_ahead" not in said:
            said["minutes_ahead"] = words.value("ahead", count_of, "ahead=MINUTES")
        elif tells != "nobody" and words.peek == f"told={tells}" and "told" not in said:
            words.next("told")
            said["told"] = tells
        else:
            words.fail("ahead=MINUTES" + (", once" if tells == "nobody" else f" or told={tells}, each once"))
    return c.CloseTable(**said)


TABLE_VERBS: dict[str, Callable[[Words], Command]] = {
    "sit": _sit,
    "roll": lambda words: c.Throw(words.dice()),
    "no-roll": lambda words: c.CallNoRoll(words.rest("a reason")),
    "no-roll-by": lambda words: c.CallNoRoll(by=words.role(), reason=words.rest("a reason")),
    "dice-out": lambda _words: c.SendDice(),
    "throw": lambda words: c.WatchThrow(words.dice(), words.next("what was wrong with it, such as stacked")),
    "cocked": _cocked,
    "dispute": lambda words: c.DisputeFace(words.face()),
    "rule": _rule,
    "order-pass": _order,
    "die-off": lambda words: _die(words, "off"),
    "die-found": lambda words: _die(words, "found"),
    "die-checked": lambda words: _die(words, "checked"),
    "die-lost": lambda words: _die(words, "lost"),
    "invalidate": lambda words: c.StrikeOut(words.rest("a reason")),
    "return-all": lambda words: c.ReturnAll(words.rest("a reason")),
}
"""What the crew does."""


# --- Writing --------------------------------------------------------------------------------------------------------


def write_act(command: Command, book: Book, notice: Notice) -> str:  # noqa: C901 - one line for each command
    """Write a command as the line that reads back as it."""
    match command:
        case c.Sit(seat, name, buyin):
            return f"sit {seat} {name} {_m(buyin)}"
        case c.BuyIn(seat, amount):
            return f"{seat} buyin {_m(amount)}"
        case c.TakeTokens(seat, amount, by, flaw):
            return f"{seat} tokens {_m(amount)}{_one(by)}" + f" {flaw or ''}".rstrip()
        case c.Leave(seat):
            return f"{seat} leave"
        case c.Bet(seat, wager, amount):
            tender = "" if command.tender == "chips" else f" {command.tender}"
            return f"{seat} bet {wager} {_m(amount)}{_of_tokens(command.tokens)}{tender}{_by(command.by)}"
        case c.LateBet(seat, wager, amount, by, tokens):
            return f"{seat} late {wager} {_m(amount)}{_of_tokens(tokens)}{_by(by)}"
        case c.FindBet(seat, wager, amount):
            return f"{seat} found {wager} {_m(amount)}"
        case c.Take(seat, wager, leave):
            return f"{seat} take {wager}" + (f" {_m(leave)}" if leave else "")
        case c.CallOn(seat, wager, by):
            return f"{seat} on {wager}{_by(by)}"
        case c.CallOff(seat, wager):
            return f"{seat} off {wager}"
        case c.Shoot(seat):
            return f"{seat} shoot"
        case c.Decline(seat):
            return f"{seat} decline"
        case c.PassDice(seat):
            return f"{seat} pass-dice"
        case c.OrderPass(reason, by):
            return f"order-pass {reason}{_one(by)}"
        case c.ChooseDice(seat, dice):
            return f"{seat} choose {' '.join(map(str, dice))}"
        case c.LoseDie(die, what, by):
            return f"die-{what} {die}{_one(by)}"
        case c.SendDice():
            return "dice-out"
        case c.Throw(roll):
            return f"roll {roll}"
        case c.WatchThrow(roll, flaw):
            return f"throw {roll} {flaw}"
        case c.CallNoRoll(reason, by):
            return f"no-roll-by {by} {reason}" if by else f"no-roll {reason}"
        case c.CockedDie(sure, leaning):
            return f"cocked {sure} {','.join(map(str, leaning))}"
        case c.DisputeFace(sure):
            return f"dispute {sure}"
        case c.RuleFace(face, by):
            return f"rule {face or 'void'}{_one(by)}"
        case c.StrikeOut(reason):
            return f"invalidate {reason}"
        case c.ReturnAll(reason):
            return f"return-all {reason}"
        case c.PostNotice(posted, minutes):
            return f"post{_in_minutes(minutes)} {write_notice(posted, book, notice) or f'min={_m(posted.minimum)}'}"
        case c.CloseTable(minutes, told):
            return f"close{_in_minutes(minutes)}" + (f" told={told}" if told else "")
        case _:
            assert_never(command)


def _m(amount: int) -> str:
    return money(amount, CENTS)


def _by(roles: tuple[Role, ...] | None) -> str:
    return "" if roles is None else f" by {','.join(roles) or 'nobody'}"


def _one(role: Role | None) -> str:
    return "" if role is None else f" by {role}"


def _of_tokens(tokens: int) -> str:
    return f" tokens={_m(tokens)}" if tokens else ""


def _in_minutes(ahead: int) -> str:
    return f" ahead={ahead}" if ahead else ""
