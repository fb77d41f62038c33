"""What is asked of a live table: who asks, for what, and what chance and the store bring to it.

An act is a command of the game or of the floor, or one of the table's own below. Time, dice, seeds and identity arrive
in the request; the machine has none of its own.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any, ClassVar, NamedTuple, TypeVar, cast, dataclass_transform

from passline.codec import to_data
from passline.engine import commands as c
from passline.engine.commands import Command
from passline.engine.values import Roll
from passline.errors import ArgumentError
from passline.floor.acts import FloorCommand
from passline.floor.clock import is_time
from passline.floor.names import is_said
from passline.floor.state import NOTHING
from passline.live.dice import SEED_BYTES
from passline.live.entries import Entry
from passline.record.arguments import TEXTS, check_reason, check_texts

# As what somebody can ask; `house` is the program itself.
ROLES = frozenset(("player", "dealer", "stick", "box", "cashier", "supervisor", "inspector", "house"))

KEY_CHARACTERS_MAX = 200
NAME_CHARACTERS_MAX = 200
WORDS_CHARACTERS_MAX = 2_000  # as much as anybody says at once to the floor


class Ask(NamedTuple):
    """Who asks, as what, under which key, and when by their clock."""

    actor: str
    role: str  # Empty: as whatever they hold that may
    key: str
    time: str


class TableAct:
    """An act of the table's own: neither the engine nor the floor answers it."""

    __slots__ = ()

    kind: ClassVar[str]  # its wire name, as permissions are written for it
    answer: ClassVar[str]  # how the kind of the entry begins that answers it
    same: ClassVar[tuple[str, ...]]  # what in that entry must be as it was asked, or it answers another request


TABLE_ACTS: dict[str, type[TableAct]] = {}  # by wire name
A = TypeVar("A", bound=TableAct)


@dataclass_transform(frozen_default=True)
def act(kind: str, answer: str = "", *same: str) -> Callable[[type[A]], type[A]]:
    def register(cls: type[A]) -> type[A]:
        made = dataclass(frozen=True, slots=True)(cls)
        made.kind, made.answer, made.same = kind, answer, same
        TABLE_ACTS[kind] = made
        return made

    return register


@act("table.roll")
class RollDice(TableAct):
    """Roll dice that the house draws: the bets are closed, and then there is a roll."""


@act("table.close_bets", "bets_closed")
class CloseBets(TableAct):
    """Close the bets; the roll is asked for later, or the dice are thrown by hand."""


@act("table.read_dice")
class ReadDice(TableAct):
    """Say what real dice show; the roll is what two people say apart."""

    dice: tuple[int, int]


@act("table.void", "roll_voided", "reason", "people", "returned")
class Void(TableAct):
    """Declare an announced roll void, with a second person's approval."""

    reason: str
    second: str
    returned: bool = False


@act("table.correct", "corrected", "reverses", "reason", "people")
class Correct(TableAct):
    """Reverse an entry that was wrong, with a second person's approval."""

    reverses: int
    reason: str
    second: str


@act("table.hand_on", "hand_on", "hand", "anchor", "off")
class HandOn(TableAct):
    """Give a hand in the dice: a chain of values, of which the anchor is published."""

    hand: int
    anchor: bytes
    off: bytes  # the digest of the value that takes it off


@act("table.hand_off", "hand_off", "hand", "value")
class HandOff(TableAct):
    """Take one's hand off, by the value that only its owner knows."""

    hand: int
    value: bytes


@act("table.show_value", "value_", "hand", "index")
class ShowValue(TableAct):
    """Show the value of a hand that a closing lists, or that is owed; anybody may hand in anybody's."""

    hand: int
    index: int
    value: bytes
    person: str | None = None  # whose; none for one's own
    closing: str | None = None  # the hash of the closing it is for; none where it is owed


@act("table.close", "table_closed")
class CloseForGood(TableAct):
    """Close the table for good, with nothing up; every seed is shown."""

    hosted: bool = False  # whether it is for others, who must have left with their chips


@act("table.return_chips", "chips_returned", "reason", "people")
class ReturnChips(TableAct):
    """Give everybody at a table that was stopped their chips back, with a second person's approval."""

    reason: str
    second: str


@dataclass(frozen=True, slots=True)
class SettleRoll(TableAct):
    """Give an announced roll its dice: the house's own act, for whoever asked for the roll. Nobody else can ask."""

    kind, answer, same = "table.roll", "", ()


Act = Command | FloorCommand | TableAct


class Material(NamedTuple):
    """What chance and the store bring: seeds that were opened, and what an act refers to."""

    seeds: Mapping[int, bytes] = NOTHING  # by epoch: the house's, where they could be opened
    lost: str = ""  # why a seed cannot be had, where one is lost
    fresh: tuple[bytes, ...] = ()  # New seeds to commit to
    dice: Roll | None = None  # of the roll that is announced, where they are drawn by protocol 1
    link: bytes = b""  # the house's link for the roll that is announced
    values: Mapping[str, bytes] = NOTHING  # by person: the values that are in for it
    # By seat and wager: what its chips and tokens are worth as it stands, where wagers are settled at that.
    worth: Callable[[], Mapping[tuple[int, str], tuple[int, int, int]]] = dict
    reading: bytes = b""  # the first reading of real dice, opened: salt and faces
    salt: bytes = b""  # for the reading of whoever asks
    entry: Entry | None = None  # the entry that is to be reversed


NO_MATERIAL = Material()


class Request(NamedTuple):
    by: Ask
    act: Act
    data: Mapping[str, Any]  # the act as JSON has it; of the table's own only the kind
    wallet: bool = False  # whether chips are bought out of the asker's wallet, and go back into it
    reason: str = ""  # why somebody does it for another
    material: Material = NO_MATERIAL

    @property
    def kind(self) -> str:
        """The wire name of the act."""
        kind: str = self.data["kind"]
        return kind

    @property
    def second(self) -> str | None:
        return getattr(self.act, "second", None)


def request(by: Ask, act: Act, *, wallet: bool = False, reason: str = "") -> Request:
    """A request that an entry can carry, or an error of the caller's."""
    _check_name("key", by.key, KEY_CHARACTERS_MAX)
    _check_name("actor", by.actor, NAME_CHARACTERS_MAX)
    if by.role and by.role not in ROLES:
        raise ArgumentError("role", repr(by.role), f"one of {', '.join(sorted(ROLES))}")
    check_time(by.time)
    if isinstance(act, TableAct):
        _check_own(act)
        return Request(by, act, {"kind": act.kind})
    made = Request(by, act, to_data(act), wallet, reason)
    check_words(made)
    return made


# --- What an entry can carry ------------------------------------------------------------------------------------------


def _check_name(name: str, value: object, most: int) -> None:
    if not (isinstance(value, str) and 0 < len(value) <= most and value.isprintable()):
        raise ArgumentError(name, repr(value), f"1 to {most} printable characters")


def check_time(time: object) -> None:
    if not is_time(time):
        raise ArgumentError("time", repr(time), "RFC 3339 in UTC, such as 2026-11-15T20:00:01Z")


def _check_own(act: TableAct) -> None:
    match act:
        case Void() | Correct() | ReturnChips():
            _check_decision(act.reason, act.second)
        case ReadDice(dice):
            pair: object = dice
            if not isinstance(pair, tuple) or [type(face) for face in pair] != [int, int]:
                raise ArgumentError("dice", repr(dice), "two whole numbers, such as Roll(4, 2)")
        case HandOn(hand, anchor, off):
            _check_value("anchor", hand, anchor)
            _check_value("off", hand, off)
        case HandOff(hand, value):
            _check_value("value", hand, value)
        case ShowValue(hand, index, value):
            _check_value("value", hand, value)
            _check_value("value", index, value)
        case _:
            pass


def check_words(request: Request) -> None:
    """Words that an entry can carry; those of the game that a record can carry too, or a name could be lines of it."""
    command, data, reason = request.act, request.data, request.reason
    if reason:
        _check_decision(reason, "")
        if not is_said(reason):
            raise ArgumentError("reason", repr(reason), "a word or more")
    if isinstance(command, FloorCommand):
        _check_printable(data)
        return
    check_texts(cast("Command", command))
    if isinstance(command, c.Sit):
        _check_name("name", command.name, NAME_CHARACTERS_MAX)
    elif type(command) in TEXTS:
        _check_printable(data)
    else:
        _check_printable(data.get("wager"))


def _check_value(name: str, number: object, value: object) -> None:
    if type(number) is not int or number < 1:
        raise ArgumentError("hand", repr(number), "a whole number from 1")
    if not isinstance(value, bytes) or len(value) != SEED_BYTES:
        raise ArgumentError(name, repr(value), "32 bytes; bytes.fromhex reads hexadecimal")


def _check_decision(reason: str, second: str) -> None:
    """A reason that a record can carry, and the name of a second person; that there are two, the table says."""
    check_reason(reason)
    _check_printable(reason)
    if len(second) > NAME_CHARACTERS_MAX:
        raise ArgumentError("second", repr(second[:40]), f"at most {NAME_CHARACTERS_MAX} characters")


def _check_printable(data: object) -> None:
    """Words that can be shown, wherever they stand, and no page of them."""
    if isinstance(data, dict):
        for key, value in data.items():
            _check_printable(key)
            _check_printable(value)
    elif isinstance(data, list):
        for value in data:
            _check_printable(value)
    elif isinstance(data, str) and not (len(data) <= WORDS_CHARACTERS_MAX and data.isprintable()):
        raise ArgumentError("command", repr(data[:40]), f"at most {WORDS_CHARACTERS_MAX} printable characters")


# --- Asked again ------------------------------------------------------------------------------------------------------


def answers(entry: Entry, request: Request) -> bool:
    """Whether an entry is the answer to this request, so that it is given again under the same key."""
    body, act = entry.body, request.act
    if not isinstance(act, TableAct):
        return _is_command(entry, request)
    if entry.kind == "refused":
        return bool(body.get("asked") == own_data(act))
    if isinstance(act, RollDice):
        return entry.kind in ("rolled", "roll_voided") and body.get("readings") is None
    if isinstance(act, ReadDice):
        if entry.kind == "dice_entered":
            return list(request.material.reading[-2:]) == list(act.dice)
        readings = body.get("readings") or ()
        return any(each["actor"] == entry.actor and each["dice"] == list(act.dice) for each in readings)
    values = {**_fields(act), "people": [entry.actor, request.second]}
    return entry.kind.startswith(act.answer) and all(body[name] == values[name] for name in act.same)


def _is_command(entry: Entry, request: Request) -> bool:
    body = entry.body
    command = next(iter(body["commands"]), None) if entry.kind == "roll_voided" else body.get("command")
    if command != request.data:
        return False
    if entry.kind != "acted":
        return True
    bought = isinstance(request.act, c.Sit | c.BuyIn)
    return body.get("reason", "") == request.reason and (not bought or ("wallet" in body) == request.wallet)


def own_data(act: Act) -> object:
    """What a refusal keeps of an act of the table's own; a value that is shown in vain is written down nowhere."""
    if not isinstance(act, TableAct):
        return None
    kind = act.kind.removeprefix("table.")
    if isinstance(act, ReadDice):
        return {kind: list(act.dice)}
    values = {name: value for name, value in _fields(act).items() if name != "value"}
    return {kind: values} if values else kind


def _fields(act: Any) -> dict[str, Any]:  # noqa: ANN401 - any record
    values = ((each.name, getattr(act, each.name)) for each in fields(act))
    return {name: value.hex() if isinstance(value, bytes) else value for name, value in values}
