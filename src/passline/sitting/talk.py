"""Words to the crew: one line of a record, or of our own, becomes an act. Plain mode and the felt's `:` share it."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from passline.engine.commands import Command, Leave
from passline.engine.refusals import Refusal
from passline.errors import RecordError
from passline.files.amounts import chips_of
from passline.record.acts import SEAT_VERBS, TABLE_VERBS, read_act
from passline.record.line import Words
from passline.sitting.dice import read_faces
from passline.sitting.spots import spot_lines
from passline.sitting.tell import felt, result, why
from passline.telling.names import key_of

if TYPE_CHECKING:
    from passline.sitting.sitting import Sitting

NOT_FOR_PLAYERS = ("found",)
"""Seat verbs that belong to the crew."""

CREW = tuple(verb for verb in TABLE_VERBS if verb not in ("sit", "roll", "dice-out", "close"))
"""What the person, being the crew of real dice, may call."""

FACES = re.compile(r"[1-6] ?[-,]? ?[1-6]")
"""The faces of real dice, said without another word: `4-2`, `4 2`, `42`."""

HELP = """Say what you want, one line at a time:
  bet KEY AMOUNT    put chips up, or add to them: bet pass 10, bet place_6 12
  take KEY [LEFT]   take a wager down, or down to LEFT; take all
  odds [KEY] [AMT]  odds behind a flat bet: as much as is allowed, or AMT
  on KEY, off KEY   call a wager on or off
  roll              send the dice out and roll (with --dice: the faces, 4-2)
  press [KEY]       as much again on a wager, or on what just won
  repeat, undo, redo
  shoot, decline, pass-dice, buyin AMOUNT
  felt [KEY]        the table and your chips; or all about one wager
  why               the last settlements, with the sum and the clauses
  save, quit, leave quit keeps your chips for --resume, leave cashes out"""


@dataclass(slots=True)
class Reply:
    """What is said back, beside what the log already tells; and whether the talk is over."""

    lines: list[str] = field(default_factory=list)
    end: Literal["left", "quit"] | None = None


def talk(sitting: Sitting, text: str) -> Reply:
    """Do what a line asks; what cannot be read is answered with what could."""
    words = text.split("#", 1)[0].split()
    if not words:
        return Reply()
    odd = next((char for char in "".join(words) if not char.isprintable()), None)
    if odd is not None:  # whatever is typed may be repeated, and a terminal might obey it
        return Reply([f"That line has {odd!r} in it, which cannot be seen. Type it without."])
    if sitting.typed and FACES.fullmatch(" ".join(words)):
        words.insert(0, "roll")
    verb, rest = words[0].lower(), words[1:]
    own = OWN.get(verb)
    if own is not None:
        return own(sitting, rest)
    if verb == str(sitting.me) and rest:
        verb, rest = rest[0], rest[1:]
    elif verb.isdigit():
        return Reply([f"You sit at seat {sitting.me}; seat {verb} speaks for itself."])
    if verb in SEAT_VERBS and verb not in NOT_FOR_PLAYERS:
        return _ask(sitting, " ".join((str(sitting.me), verb, *rest)), len(str(sitting.me)) + 1)
    if verb in CREW:
        if not sitting.typed:
            return Reply([f"{verb} is for the crew to call; with --dice, and real dice, the crew is you."])
        return _ask(sitting, " ".join((verb, *rest)), 0)
    return Reply([f"{words[0]!r} is not a word of this table.{_near(verb, KNOWN)} help lists them."])


def _ask(sitting: Sitting, line: str, shift: int) -> Reply:
    """Read a line of a record and ask for what it says; a wager may have its name on the felt."""
    line = _keyed(sitting, line)
    try:
        command = read_act(Words.of(1, line), sitting.table.house.book, sitting.state.notice)
    except RecordError as error:
        found = f"found {error.found[:40]!r}" if error.found else "the line ends"
        return Reply([f"At column {max(1, error.column - shift)} {found}; expected {error.expected}."])
    if isinstance(command, Leave):
        return _leave(sitting, [])
    return _do(sitting, command)


def _keyed(sitting: Sitting, line: str) -> str:
    """The line with a name from the felt (`Win Line`, `win_line`, `yo`) written as its key."""
    words = line.split()
    at = next((at for at, word in enumerate(words) if word in ("bet", "take", "on", "off")), None)
    if at is None:
        return line
    for end in range(len(words), at + 1, -1):
        key = key_of(sitting.layout, " ".join(words[at + 1 : end]))
        if key is not None:
            return " ".join((*words[: at + 1], key, *words[end:]))
    return line


def _do(sitting: Sitting, command: Command) -> Reply:
    answer = sitting.act(command)
    if not isinstance(answer, Refusal):
        sitting.after(command)
        return Reply()
    return Reply()


def _near(word: str, known: list[str]) -> str:
    found = difflib.get_close_matches(word, known, n=3)
    return f" Did you mean {' or '.join(found)}?" if found else ""


# --- Our own words --------------------------------------------------------------------------------------------------


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
    told = result(sitting)
    sitting.rested()
    return Reply([told])


def _take(sitting: Sitting, rest: list[str]) -> Reply:
    if rest == ["all"]:
        taken = sitting.take_all()
        return Reply([] if taken else ["Nothing of yours may come down now."])
    return _ask(sitting, " ".join((str(sitting.me), "take", *rest)), len(str(sitting.me)) + 1)


def _odds(sitting: Sitting, rest: list[str]) -> Reply:
    amount = rest[-1:] if rest and rest[-1][:1].isdigit() else []
    named = " ".join(rest[: len(rest) - len(amount)])
    key = key_of(sitting.layout, named) if named else None
    if named and key is None:
        return Reply([f"{named} is no wager here.{_near(named, list(sitting.layout.spots))}"])
    try:
        sitting.odds(key, chips_of(amount[0]) if amount else None, only=True)
    except ValueError as error:
        return Reply([f"Expected {error}."])
    return Reply()


def _repeat(sitting: Sitting, _rest: list[str]) -> Reply:
    return Reply([] if sitting.repeat() else ["There is nothing to repeat that could be bet now."])


def _press(sitting: Sitting, rest: list[str]) -> Reply:
    key = key_of(sitting.layout, " ".join(rest)) if rest else ""
    if key is None:
        return Reply([f"{' '.join(rest)} is no wager here.{_near(rest[0], list(sitting.layout.spots))}"])
    sitting.press(key)
    return Reply()


def _undo(sitting: Sitting, _rest: list[str]) -> Reply:
    return Reply([] if sitting.undo() else ["There is nothing to take back since the dice rested."])


def _redo(sitting: Sitting, _rest: list[str]) -> Reply:
    return Reply([] if sitting.redo() else ["There is nothing to do again."])


def _felt(sitting: Sitting, rest: list[str]) -> Reply:
    if not rest:
        return Reply(felt(sitting))
    key = key_of(sitting.layout, " ".join(rest))
    if key is not None:
        return Reply(spot_lines(sitting, key))
    return Reply([f"{rest[0]} is no wager here.{_near(rest[0], list(sitting.layout.spots))}"])


def _why(sitting: Sitting, _rest: list[str]) -> Reply:
    return Reply(why(sitting))


def _save(sitting: Sitting, _rest: list[str]) -> Reply:
    try:
        path = sitting.save()
    except OSError as error:
        return Reply([str(error)])
    return Reply([f"Saved to {path}." if path else "This evening is not kept."])


def _leave(sitting: Sitting, _rest: list[str]) -> Reply:
    answer = sitting.leave()
    return Reply() if isinstance(answer, Refusal) else Reply(end="left")


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
    "take": _take,
    "odds": _odds,
    "repeat": _repeat,
    "press": _press,
    "undo": _undo,
    "redo": _redo,
    "felt": _felt,
    "why": _why,
    "save": _save,
    "buyin": _buyin,
    "rebuy": _buyin,
    "leave": _leave,
    "quit": lambda _sitting, _rest: Reply(end="quit"),
    "exit": lambda _sitting, _rest: Reply(end="quit"),
}
"""Words beside those of a record."""

KNOWN = list(dict.fromkeys((*OWN, *(verb for verb in SEAT_VERBS if verb not in NOT_FOR_PLAYERS), *CREW)))
