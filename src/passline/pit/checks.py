"""What an entry can carry: who asks, their words, dice, seeds; whatever it cannot is an error of the caller's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from passline.engine import commands as c
from passline.engine.commands import Command
from passline.engine.values import Roll
from passline.errors import ArgumentError
from passline.floor.acts import FloorCommand
from passline.floor.clock import is_time
from passline.floor.names import is_said
from passline.journal.entries import KEY_CHARACTERS_MAX
from passline.record.arguments import SAID, check_reason, check_said

if TYPE_CHECKING:
    from passline.pit.plans import Ask

ROLES = frozenset(("player", "dealer", "stick", "box", "supervisor", "inspector", "house"))
"""As what somebody can ask; `house` is the program itself."""

NAME_CHARACTERS_MAX = 200
WORDS_CHARACTERS_MAX = 2_000
"""As much as anybody says at once to the floor."""


def checked(ask: Ask) -> Ask:
    """An ask that an entry can carry, or an error of the caller's."""
    actor, role, key, time = ask
    _named("key", key, KEY_CHARACTERS_MAX)
    _named("actor", actor, NAME_CHARACTERS_MAX)
    if role not in ROLES:
        raise ArgumentError("role", repr(role), f"one of {', '.join(sorted(ROLES))}")
    check_time(time)
    return ask


def _named(name: str, given: object, most: int) -> None:
    if not (isinstance(given, str) and 0 < len(given) <= most and given.isprintable()):
        raise ArgumentError(name, repr(given), f"1 to {most} printable characters")


def check_time(time: object) -> None:
    """A time that an entry can carry."""
    if not is_time(time):
        raise ArgumentError("time", repr(time), "RFC 3339 in UTC, such as 2026-11-15T20:00:01Z")


def check_words(command: Command | FloorCommand, data: dict[str, Any], reason: str = "") -> None:
    """Words that an entry can carry; those of the game that a record can carry too, or a name could be lines of it."""
    check_decision(reason, "")
    if reason and not is_said(reason):
        raise ArgumentError("reason", repr(reason), "a word or more")
    if isinstance(command, FloorCommand):
        _printable(data)
        return
    check_said(command)
    if isinstance(command, c.Sit):
        _named("name", command.name, NAME_CHARACTERS_MAX)
    elif type(command) in SAID:
        _printable(data)
    else:
        _printable(data.get("wager"))


def check_dice(dice: object) -> None:
    """Dice as an entry can carry them: whole numbers, if no faces; a float or a truth is none."""
    if not (isinstance(dice, Roll) and all(type(face) is int for face in dice)):
        raise ArgumentError("dice", repr(dice), "a Roll of two whole numbers, such as Roll(4, 2)")


def check_seed(name: str, epoch: object, given: object) -> None:
    """The number of an epoch, and a seed or a commitment, as bytes."""
    if type(epoch) is not int:
        raise ArgumentError("epoch", repr(epoch), "a whole number")
    if not isinstance(given, bytes):
        raise ArgumentError(name, repr(given), "bytes, of which there are 32; bytes.fromhex reads hexadecimal")


def check_decision(reason: str, second: str) -> None:
    """A reason that a record can carry, and the name of a second person; that there are two, the table says."""
    check_reason(reason)
    _printable(reason)
    if len(second) > NAME_CHARACTERS_MAX:
        raise ArgumentError("second", repr(second[:40]), f"at most {NAME_CHARACTERS_MAX} characters")


def _printable(data: object) -> None:
    """Words that can be shown, wherever they stand, and no page of them."""
    if isinstance(data, dict):
        for key, value in data.items():
            _printable(key)
            _printable(value)
    elif isinstance(data, list):
        for value in data:
            _printable(value)
    elif isinstance(data, str) and not (len(data) <= WORDS_CHARACTERS_MAX and data.isprintable()):
        raise ArgumentError("command", repr(data[:40]), f"at most {WORDS_CHARACTERS_MAX} printable characters")
