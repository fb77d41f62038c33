"""The verbs of a record: each line of play to its command and back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from passline.engine import commands as c
from passline.engine.values import CENTS, money
from passline.files.amounts import chips_of
from passline.record.line import count_of
from passline.record.notice import read_notice, write_notice

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from passline.engine.book import Book
    from passline.engine.commands import Command
    from passline.engine.table import Notice
    from passline.engine.values import Role
    from passline.record.line import Words

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
    elif words.peek in TABLE_VERBS:
        command = TABLE_VERBS[words.next("a verb")](words)
    else:
        words.fail(f"a seat number, sit, post, or one of {', '.join(TABLE_VERBS)}")
    words.end()
    return command


def _bet(words: Words, seat: int) -> Command:
    key, amount = words.key(), words.amount()
    tender: c.Tender = "chips"
    by = None
    tokens = _tokens(words)
    if words.peek in TENDERS:
        tender = TENDERS[words.next("how it is bet")]
    if tender in ("spoken", "cash") and words.peek == "by":
        words.next("by")
        by = words.roles()
    return c.Bet(seat, key, amount, tender=tender, by=by, tokens=tokens)


def _late(words: Words, seat: int) -> Command:
    key, amount = words.key(), words.amount()
    tokens = _tokens(words)
    if words.next("by, and who confirmed it") != "by":
        words.at -= 1
        words.fail("by, and who confirmed it")
    return c.LateBet(seat, key, amount, words.roles(), tokens)


def _tokens(words: Words) -> int:
    """How much of a stake is tokens, where a line says so."""
    if not words.peek.startswith("tokens="):
        return 0
    _, tokens = words.setting({"tokens=": chips_of}, "tokens=A")
    assert isinstance(tokens, int)
    return tokens


def _voucher(words: Words, seat: int) -> Command:
    amount, by = words.amount(), _one_by(words)
    return c.TakeTokens(seat, amount, by, words.rest("why not") if words.more else None)


def _one_by(words: Words) -> Role | None:
    """Who does it, where a line says so."""
    if words.peek != "by":
        return None
    words.next("by")
    return words.role()


def _take(words: Words, seat: int) -> Command:
    key = words.key()
    return c.Take(seat, key, words.amount("what is left, such as 6") if words.more else 0)


def _on(words: Words, seat: int) -> Command:
    key = words.key()
    if words.peek != "by":
        return c.CallOn(seat, key)
    words.next("by")
    return c.CallOn(seat, key, words.roles())


def _choose(words: Words, seat: int) -> Command:
    dice = [words.count("the number of a die")]
    while words.more:
        dice.append(words.count("the number of a die"))
    return c.ChooseDice(seat, tuple(dice))


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
    face = None
    if words.peek == "void":
        words.next("void")
    else:
        face = words.face()
    return c.RuleFace(face, _one_by(words))


def _order(words: Words) -> Command:
    """A reason of one word or more, up to `by`."""
    reason = [words.next("a reason such as delay")]
    while words.more and words.peek != "by":
        reason.append(words.next("a reason"))
    return c.OrderPass(" ".join(reason), _one_by(words))


def _die(words: Words, what: str) -> Command:
    die, by = words.count("the number of a die"), _one_by(words)
    return c.LoseDie(die, what, by)  # type: ignore[arg-type]


def _close(words: Words) -> Command:
    return c.CloseTable(_ahead(words))


def _ahead(words: Words) -> int:
    """Minutes of warning, where a line gives them."""
    if not words.more:
        return 0
    _, minutes = words.setting({"ahead=": count_of}, "ahead=MINUTES")
    return minutes  # type: ignore[return-value]


def _post(words: Words, book: Book, notice: Notice) -> Command:
    """Read a new sign, over the house's own; `ahead=` comes first."""
    words.next("post")
    ahead = _ahead(words) if words.peek.startswith("ahead=") else 0
    if not words.more:
        words.fail("what the sign says, such as min=10")
    return c.PostNotice(read_notice(words, book, notice), ahead)


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
    "close": _close,
}
"""What the crew does."""


# --- Writing --------------------------------------------------------------------------------------------------------


def write_act(command: Command, notice: Notice) -> str:
    """Write a command as the line that reads back as it."""
    return WRITERS[command.__class__](command, notice)


def _m(amount: int) -> str:
    return money(amount, CENTS)


def _by(roles: tuple[Role, ...] | None) -> str:
    return "" if roles is None else f" by {','.join(roles) or 'nobody'}"


def _one(role: Role | None) -> str:
    return "" if role is None else f" by {role}"


def _of_tokens(tokens: int) -> str:
    return f" tokens={_m(tokens)}" if tokens else ""


def _write_bet(act: c.Bet) -> str:
    tokens = _of_tokens(act.tokens)
    tender = "" if act.tender == "chips" else f" {act.tender}"
    return f"{act.seat} bet {act.wager} {_m(act.amount)}{tokens}{tender}{_by(act.by)}"


def _write_post(act: c.PostNotice, notice: Notice) -> str:
    ahead = f" ahead={act.minutes_ahead}" if act.minutes_ahead else ""
    return f"post{ahead} {write_notice(act.notice, notice) or f'min={_m(act.notice.minimum)}'}"


WRITERS: dict[type, Callable[[Any, Notice], str]] = {
    c.Sit: lambda act, _: f"sit {act.seat} {act.name} {_m(act.buyin)}",
    c.BuyIn: lambda act, _: f"{act.seat} buyin {_m(act.amount)}",
    c.TakeTokens: lambda act, _: f"{act.seat} tokens {_m(act.amount)}{_one(act.by)}" + f" {act.flaw or ''}".rstrip(),
    c.Leave: lambda act, _: f"{act.seat} leave",
    c.Bet: lambda act, _: _write_bet(act),
    c.LateBet: lambda act, _: f"{act.seat} late {act.wager} {_m(act.amount)}{_of_tokens(act.tokens)}{_by(act.by)}",
    c.FindBet: lambda act, _: f"{act.seat} found {act.wager} {_m(act.amount)}",
    c.Take: lambda act, _: f"{act.seat} take {act.wager}" + (f" {_m(act.leave)}" if act.leave else ""),
    c.CallOn: lambda act, _: f"{act.seat} on {act.wager}{_by(act.by)}",
    c.CallOff: lambda act, _: f"{act.seat} off {act.wager}",
    c.Shoot: lambda act, _: f"{act.seat} shoot",
    c.Decline: lambda act, _: f"{act.seat} decline",
    c.PassDice: lambda act, _: f"{act.seat} pass-dice",
    c.OrderPass: lambda act, _: f"order-pass {act.reason}{_one(act.by)}",
    c.ChooseDice: lambda act, _: f"{act.seat} choose {' '.join(map(str, act.dice))}",
    c.LoseDie: lambda act, _: f"die-{act.what} {act.die}" + (f" by {act.by}" if act.by else ""),
    c.SendDice: lambda _act, _: "dice-out",
    c.Throw: lambda act, _: f"roll {act.roll}",
    c.WatchThrow: lambda act, _: f"throw {act.roll} {act.flaw}",
    c.CallNoRoll: lambda act, _: f"no-roll-by {act.by} {act.reason}" if act.by else f"no-roll {act.reason}",
    c.CockedDie: lambda act, _: f"cocked {act.sure} {','.join(map(str, act.leaning))}",
    c.DisputeFace: lambda act, _: f"dispute {act.sure}",
    c.RuleFace: lambda act, _: f"rule {act.face or 'void'}{_one(act.by)}",
    c.StrikeOut: lambda act, _: f"invalidate {act.reason}",
    c.ReturnAll: lambda act, _: f"return-all {act.reason}",
    c.PostNotice: _write_post,
    c.CloseTable: lambda act, _: "close" + (f" ahead={act.minutes_ahead}" if act.minutes_ahead else ""),
}
"""How each command is written."""
