"""The words of an evening: what is said to the dealers goes to table talk, the rest is about dice, record and seat."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from passline.engine.commands import Leave
from passline.engine.refusals import Refusal
from passline.errors import RecordError
from passline.files.amounts import chips_of
from passline.record.acts import SEAT_VERBS, TABLE_VERBS, read_act
from passline.record.line import Words
from passline.sitting.log import felt, result, why
from passline.sitting.phrases import PHRASES
from passline.sitting.sitting import Sitting, read_faces
from passline.sitting.spots import spot_lines
from passline.sitting.talk import SAYINGS
from passline.telling.names import key_of, nearest_key, nearest_word

TALKED = ("bet", "take", "on", "off")  # what a record says of chips is table talk too
FOR_PLAYERS = [verb for verb in SEAT_VERBS if verb != "found"]
# What the person, being the crew of real dice, may call.
CREW = tuple(verb for verb in TABLE_VERBS if verb not in ("sit", "roll", "dice-out", "close"))
FACES = re.compile(r"[1-6] ?[-,]? ?[1-6]")  # the faces of real dice, said without another word: `4-2`, `4 2`, `42`
HELP = PHRASES["help"]["evening"].format("\n  ".join(SAYINGS))


@dataclass(slots=True)
class Reply:
    """What is answered beyond what the log shows, and whether the evening is over."""

    lines: list[str] = field(default_factory=list)
    end: Literal["left", "quit"] | None = None


def talk(sitting: Sitting, text: str) -> Reply:  # noqa: C901 - one way for each kind of line
    """Does what a line asks; a line that is not understood is answered with what would be."""
    words = text.split("#", 1)[0].split()
    if not words:
        return Reply()
    odd = next((char for char in "".join(words) if not char.isprintable()), None)
    if odd is not None:  # whatever is typed may be repeated, and a terminal might obey it
        return Reply([f"That line has {odd!r} in it, which cannot be seen. Type it without."])
    if sitting.typed and not sitting.question and FACES.fullmatch(" ".join(words)):
        words.insert(0, "roll")
    verb, rest = words[0].lower(), words[1:]
    if verb == "buy" and rest[:1] == ["in"]:  # `buy in for 200`
        verb, rest = "buyin", rest[1 + (rest[1:2] == ["for"]) :]
    if verb == "cash" and rest in (["out"], ["me", "out"]):
        verb, rest = "leave", []
    if verb == "take" and rest in ([], ["dice"], ["the", "dice"], ["them"]):
        verb, rest = "shoot", []
    if verb in OWN:
        return OWN[verb](sitting, rest)
    # `12 on the six` is money; `1 on place_6` is a line of a record.
    of_a_seat = rest[:1] != ["on"] or " ".join(rest[1:2]) in sitting.layout.spots
    of_a_seat = of_a_seat and bool(rest) and rest[0] in SEAT_VERBS
    if of_a_seat and verb == str(sitting.me):
        verb, rest = rest[0], rest[1:]
    elif of_a_seat and verb.isdigit():
        return Reply([f"You sit at seat {sitting.me}; seat {verb} speaks for itself."])
    if verb in FOR_PLAYERS and verb not in TALKED:
        return _record(sitting, " ".join((str(sitting.me), verb, *rest)), len(str(sitting.me)) + 1)
    if verb in CREW:
        if not sitting.typed:
            return Reply(["Only the crew calls that; with --dice the crew is you."])
        return _record(sitting, " ".join((verb, *rest)), 0)
    order = sitting.say(" ".join((verb, *rest)))
    if order.understood:
        return Reply()
    near = nearest_word(verb, KNOWN)
    return Reply([*order.says, *([f"Did you mean {near}?"] if near and near != verb else [])])


def _record(sitting: Sitting, line: str, shift: int) -> Reply:
    try:
        command = read_act(Words.of(1, line), sitting.table.house.book, sitting.state.notice)
    except RecordError as error:
        what = f"found {error.actual[:40]!r}" if error.actual else "the line ends"
        return Reply([f"At column {max(1, error.column - shift)} {what}; expected {error.expected}."])
    if isinstance(command, Leave):
        return _leave(sitting, [])
    if not isinstance(sitting.act(command), Refusal):
        sitting.after(command)
    return Reply()


def _roll(sitting: Sitting, rest: list[str]) -> Reply:
    roll = None
    if sitting.typed:
        try:
            roll = read_faces(" ".join(rest))
        except ValueError as error:
            return Reply([f"{str(error).capitalize()}."])
    elif rest:
        return Reply(["These dice are thrown, not named: say roll. With --dice you type the faces of real dice."])
    if sitting.state.phase == "betting" and isinstance(sitting.send(), Refusal):
        return Reply()
    if isinstance(sitting.throw(roll), Refusal):
        return Reply()
    brought = result(sitting)
    sitting.rested()
    return Reply([brought])


def _felt(sitting: Sitting, rest: list[str]) -> Reply:
    if not rest:
        return Reply(felt(sitting))
    named = " ".join(rest)
    key = key_of(sitting.layout, named) or key_of(sitting.layout, f"place {named}")
    if key is not None:
        return Reply(spot_lines(sitting, key))
    near = nearest_key(sitting.layout, named)
    return Reply([f"There is no {named} here.{f' Did you mean {near}?' if near else ''}"])


def _keep(sitting: Sitting, rest: list[str]) -> Reply:
    sitting.keeps_line = rest[:1] != ["no"]
    return Reply([f"A line bet of yours that wins {'stays up' if sitting.keeps_line else 'comes back to your rail'}."])


def _save(sitting: Sitting, _rest: list[str]) -> Reply:
    try:
        path = sitting.save()
    except OSError as error:
        return Reply([str(error)])
    return Reply([f"Saved to {path}." if path else "This evening is not kept."])


def _leave(sitting: Sitting, _rest: list[str]) -> Reply:
    return Reply() if isinstance(sitting.leave(), Refusal) else Reply(end="left")


def _buyin(sitting: Sitting, rest: list[str]) -> Reply:
    try:
        sitting.rebuy(chips_of(rest[0]) if rest else sitting.usual_buyin)
    except ValueError as error:
        return Reply([f"Expected {error}."])
    return Reply()


OWN: dict[str, Callable[[Sitting, list[str]], Reply]] = {
    "help": lambda _sitting, _rest: Reply(HELP.splitlines()),
    "?": lambda _sitting, _rest: Reply(HELP.splitlines()),
    "roll": _roll,
    "undo": lambda sitting, _rest: Reply([] if sitting.undo() else ["Nothing to undo since the last roll."]),
    "redo": lambda sitting, _rest: Reply([] if sitting.redo() else ["Nothing to redo."]),
    "felt": _felt,
    "keep": _keep,
    "why": lambda sitting, _rest: Reply(why(sitting)),
    "save": _save,
    "buyin": _buyin,
    "rebuy": _buyin,
    "leave": _leave,
    "quit": lambda _sitting, _rest: Reply(end="quit"),
    "exit": lambda _sitting, _rest: Reply(end="quit"),
}

KNOWN = list(dict.fromkeys((*OWN, *FOR_PLAYERS, *CREW)))
