"""Shortcuts of somebody at the rail, each a word: planned by `sitting` on a copy of the table, then asked of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any, Literal, NamedTuple

from pydantic import TypeAdapter

from passline.codec import to_data
from passline.engine import commands as c
from passline.engine.commands import Command
from passline.engine.decide import decide
from passline.engine.events import WagerCalled, WagerDown, WagerUp
from passline.engine.refusals import Refusal
from passline.journal.entries import Entry, read_entry
from passline.pit.pit import Pit
from passline.pit.table import LiveTable
from passline.sitting import units
from passline.sitting.sitting import Sitting, in_words
from passline.table import UNDOABLE
from passline.web.act_request import ActRequest
from passline.web.acts import AnyAct
from passline.web.problems import Problem, refused
from passline.web.schemas import Grains, Refused, RequestBody, Text, record
from passline.web.streams import Message
from passline.web.views import refused_view
from passline.web.who import Asker

Word = Literal["bet", "take", "odds", "toggle", "press", "double", "repeat", "clear", "undo", "redo"]
OFFERED: tuple[Word, ...] = ("odds", "press", "double", "repeat", "clear", "undo", "redo")
"""What a person may wish for without pointing at a spot."""

ON_CHIPS: tuple[Literal["press", "toggle", "take"], ...] = ("press", "toggle", "take")
"""What a person may wish for of chips that lie there."""

NAMED_MAX = 3
"""So many acts are named in an offer; the rest are counted."""

ACTS: TypeAdapter[Any] = TypeAdapter(AnyAct)


class Wish(RequestBody):
    """A wish: the word, the spot it is about, and about how much."""

    wish: Word
    wager: Text | None = None
    about: Grains | None = None
    """About so much: the nearest that the dealers book and pay whole. Of odds, all that is allowed, if not said."""


class Steps(NamedTuple):
    """What a person did since the dice last rested, and what they took back."""

    done: list[list[Message]]
    undone: list[list[Message]]


def steps_of(recent: Sequence[Message], person: str) -> Steps:
    """Read somebody's own acts back from the journal: a wish is one step, however many acts it took."""
    done: list[list[Message]] = []
    undone: list[list[Message]] = []
    for (kind, word, _), group in groupby(recent, key=lambda each: _step(each, person)):
        if kind == "rolled":
            done, undone = [], []
        elif kind == "mine":
            step = list(group)
            if word == "undo" and done:
                undone.append(done.pop())
            elif word == "redo" and undone:
                done.append(undone.pop())
            else:
                done.append(step)
                undone = []
    return Steps(done, undone)


def _step(message: Message, person: str) -> tuple[str, str, str]:
    """Whether an entry ends all steps or is part of one, and of which."""
    if message.kind in ("rolled", "roll_voided", "corrected"):
        return "rolled", "", ""
    if (
        message.kind != "acted"
        or message.entry.actor != person
        or not isinstance(message.command, UNDOABLE)
        or not message.events
    ):
        return "other", "", str(message.sequence)
    base, _, rest = (message.entry.key or "").rpartition("~")
    return "mine", rest.partition(".")[0], base or str(message.sequence)


def _backwards(step: list[Message]) -> Iterator[Command]:
    """The acts that take a step back."""
    for message in reversed(step):
        for event in reversed(message.events):
            match event:
                case WagerUp():
                    yield c.Take(event.seat, event.wager, event.stake - event.added)
                case WagerDown():
                    yield c.Bet(event.seat, event.wager, event.removed)
                case WagerCalled(call="on"):
                    yield c.CallOff(event.seat, event.wager)
                case WagerCalled():
                    yield c.CallOn(event.seat, event.wager)
                case _:
                    pass


def _forwards(step: list[Message]) -> Iterator[Command]:
    """The acts of a step, once more."""
    return (message.command for message in step if message.command is not None)


# --- Planning -------------------------------------------------------------------------------------------------------


def planned(sitting: Sitting, steps: Steps, wish: Wish) -> list[Command] | Refusal:
    """The acts that a wish comes to now, tried one after the other on a copy of the table; or why it cannot be."""
    before = len(sitting.table.history)
    answer = TRIES[wish.wish](sitting, steps, wish)
    done = [moment.command for moment in sitting.table.history[before:] if moment.events]
    return answer if isinstance(answer, Refusal) and (wish.wish in WHOLE or not done) else done


WHOLE: tuple[Word, ...] = ("undo", "redo")
"""What is done whole or not at all: half a step taken back could be done again, and again."""

TRIES: dict[Word, Callable[[Sitting, Steps, Wish], object]] = {
    "bet": lambda at, _, wish: at.bet(wish.wager or "", wish.about or at.state.notice.chip),
    "take": lambda at, _, wish: at.lower(wish.wager or "", wish.about) if wish.about else at.take(wish.wager or ""),
    "odds": lambda at, _, wish: at.odds(wish.wager, wish.about, only=bool(wish.wager)),
    "toggle": lambda at, _, wish: at.toggle(wish.wager or ""),
    "press": lambda at, _, wish: at.press(wish.wager or ""),
    "double": lambda at, _, __: _double(at),
    "repeat": lambda at, _, __: at.repeat(),
    "clear": lambda at, _, __: at.take_all(),
    "undo": lambda at, steps, _: _again(at, _backwards(steps.done[-1]) if steps.done else ()),
    "redo": lambda at, steps, _: _again(at, _forwards(steps.undone[-1]) if steps.undone else ()),
}

NOTHING: dict[Word, str] = {
    "double": "Nothing of yours can be doubled now.",
    "repeat": "Nothing that the dice took can be bet again now.",
    "clear": "Nothing of yours may come down now.",
    "undo": "You have done nothing since the dice rested.",
    "redo": "You have taken nothing back.",
}
"""Said where there is nothing to be done, and no rule against it."""


def _double(sitting: Sitting) -> int:
    """As much again on everything that takes it and may come down again; on how many wagers."""
    done = 0
    for key, wager in list(sitting.seat.felt.items() if sitting.seat else ()):
        if isinstance(decide(sitting.layout, sitting.state, c.Take(sitting.me, key)), Refusal):
            continue  # nobody could take back what is put on a contract bet
        amount = units.to_bet(sitting.layout, sitting.state, sitting.me, key, wager.stake)
        if not isinstance(amount, Refusal):
            sitting.act(c.Bet(sitting.me, key, amount))
            done += 1
    return done


def _again(sitting: Sitting, commands: Iterable[Command]) -> Refusal | None:
    """Do some acts; the first rule against one of them, if there is any."""
    no: Refusal | None = None
    for command in commands:
        answer = sitting.act(command)
        if no is None and isinstance(answer, Refusal):
            no = answer
    return no


@record
class Offer:
    """What a wish would come to now."""

    says: str
    amount: int


def offers(copies: Iterator[Sitting], steps: Steps) -> dict[str, Offer]:
    """What a person could wish for now without pointing, each with what it would come to."""
    open_: dict[str, Offer] = {}
    for word, sitting in zip(OFFERED, copies, strict=False):
        commands = planned(sitting, steps, Wish(wish=word))
        if commands and not isinstance(commands, Refusal):
            words = [in_words(sitting.layout, command) for command in commands]
            more = [f"and {len(words) - NAMED_MAX} more"] if len(words) > NAMED_MAX else []
            amount = sum(command.amount for command in commands if isinstance(command, c.Bet))
            open_[word] = Offer(says=", ".join([*words[:NAMED_MAX], *more]), amount=amount)
    return open_


@record
class MoveView:
    """Something that can be wished for of chips that are up, or what is against it."""

    wish: Literal["press", "toggle", "take"]
    refused: Refused | None


def moves(copies: Iterator[Sitting], wager: str) -> Iterator[MoveView]:
    """What a person could wish for of their chips on a spot, each with the rule against it where there is one."""
    for word, sitting in zip(ON_CHIPS, copies, strict=False):
        commands = planned(sitting, Steps([], []), Wish(wish=word, wager=wager))
        if isinstance(commands, Refusal) or commands:
            yield MoveView(wish=word, refused=refused_view(commands) if isinstance(commands, Refusal) else None)


# --- Doing ----------------------------------------------------------------------------------------------------------


class Shortcut:
    """A shortcut of one person at one table; asked again under its key it is done once."""

    def __init__(self, pit: Pit, asker: Asker, word: str, key: str) -> None:
        self.pit, self.asker = pit, asker
        self.key = f"{key}~{word}"

    def earlier(self, table: LiveTable) -> list[Entry]:
        """What was done under this key before."""
        entries: list[Entry] = []
        while True:
            line = table.journal.under_key(table.name, f"{self.asker.known().id}/{self.key}.{len(entries)}")
            if line is None:
                return entries
            entries.append(read_entry(line))

    def __call__(self, table: LiveTable, commands: Sequence[Command]) -> list[Entry]:
        """Ask the table for each act in turn, until one is refused."""
        done: list[Entry] = []
        for number, command in enumerate(commands):
            body = {name: value for name, value in to_data(command).items() if name != "v"}
            asking = ActRequest(self.pit, self.asker, ACTS.validate_python(body), f"{self.key}.{number}", None)
            entry = read_entry(asking(table))
            if entry.kind == "refused":
                if done:
                    break
                raise refused(entry)
            done.append(entry)
        return done


def nothing_to_do(wish: Wish, answer: list[Command] | Refusal) -> Problem:
    """A wish that cannot be, as a problem."""
    if isinstance(answer, Refusal):
        return Problem(409, answer.code, answer.message, clause=answer.clause, seat=answer.seat)
    return Problem(409, "wish.nothing", NOTHING.get(wish.wish, "There is nothing to be done."), clause=None)
