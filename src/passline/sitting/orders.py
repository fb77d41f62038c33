"""What a player says at the rail and what comes of it: acts to ask of the table, a no, or a dealer's question."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from passline.engine.commands import Command
from passline.engine.events import Event
from passline.engine.layout import Layout
from passline.engine.refusals import Refusal
from passline.engine.table import TableState
from passline.telling.names import plain

YES = frozenset({"yes", "y", "yeah", "yep", "ok", "okay", "sure", "do", "it"})


class Won(NamedTuple):
    stake: int
    net: int  # in minor units, less commission and the parts that lost
    stays: bool


@dataclass(frozen=True, slots=True)
class Rail:
    """Somebody at the rail: the table as it stands, and what they remember of the last rolls."""

    layout: Layout
    table: TableState
    seat: int
    won: Mapping[str, Won] = field(default_factory=dict)
    taken: Mapping[str, int] = field(default_factory=dict)  # what the dice last took off their felt, with its stake
    hardways: Mapping[str, int] = field(default_factory=dict)  # the hardways that they lost, whenever that was
    # What happened by their last step since the dice rested; a line is one step, however many acts it came to.
    done: Sequence[Event] = ()
    undone: Sequence[Command] = ()  # the acts of the step that they last took back


@dataclass(frozen=True, slots=True)
class Option:
    says: str
    line: str  # what is then said in its place, which leaves nothing to ask
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Question:
    asks: str
    options: tuple[Option, ...]
    line: str = ""  # what was said, to be handed in with the answer

    def answered(self, text: str) -> Option | None:
        words = plain(text).strip(" .!?")
        if len(self.options) == 1 and words and set(words.split()) <= YES:
            return self.options[0]
        bare = words.removeprefix("$")
        fits = (option for option in self.options if bare in map(plain, (option.says, *option.words)))
        return next(fits, None)


@dataclass(frozen=True, slots=True)
class Order:
    """What a line comes to: acts to ask of the table, what the dealers say, what they refuse, or what they ask."""

    commands: tuple[Command, ...] = ()
    says: tuple[str, ...] = ()
    refused: tuple[Refusal, ...] = ()
    question: Question | None = None
    understood: bool = True


class Ask(Exception):
    """A dealer's question: nothing is booked until it is answered."""

    def __init__(self, asks: str, *options: Option) -> None:
        super().__init__(asks)
        self.question = Question(asks[:1].upper() + asks[1:], options)
