"""A strategy: what should be up, when, for how much, and what it remembers to know that."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

from passline.strategies.language.amounts import Amount, numbers_in, spends
from passline.strategies.language.conditions import OF_EVENING, Condition, Quantity, looks, wagers_in

# Ladders that never end by themselves: 1 2 4 8, 1 2 3 4, 1 1½ 2 2½, 1 1 2 3 5.
Growth = Literal["double", "add one", "add half", "fibonacci"]

Move = Literal["next", "hold", "back", "back 2", "start over"]  # where a ladder goes after a decision
End = Literal["start over", "hold"]  # what a progression does past its last step, or past the most that may be bet


@dataclass(frozen=True, slots=True)
class Want:
    """While `when` holds: these wagers up for these amounts, those down, called on, called off."""

    when: Condition
    up: tuple[tuple[str, Amount], ...] = ()
    down: tuple[str, ...] = ()
    on: tuple[str, ...] = ()
    off: tuple[str, ...] = ()
    skip_point: bool = False  # nothing of it on the number the puck is on


@dataclass(frozen=True, slots=True)
class Count:
    """A number a strategy keeps: after each roll one more where `when` holds, one less where `down` does.

    It is never below nothing nor above `most`, and where `reset` holds it is as at the start.
    """

    name: str
    when: Condition
    reset: Condition | None = None
    down: Condition | None = None
    start: int = 0
    most: int | None = None


@dataclass(frozen=True, slots=True)
class StageRule:
    """One stage of a session: after a roll, what leads on to the next and what leads back to the one before."""

    name: str
    on: Condition | None = None
    back: Condition | None = None


@dataclass(frozen=True, slots=True)
class Ladder:
    """A progression up and down a row of stakes, moved by what one wager, or one family, wins and loses."""

    name: str
    of: str
    steps: tuple[Fraction, ...] | Growth
    won: Move = "start over"
    lost: Move = "next"
    end: End = "start over"
    reset: Condition | None = None
    # Units that a series of bets is to win: never more is bet than that takes, and then the series starts over.
    goal: Fraction | None = None
    each: bool = False  # whether every number of the family has a ladder of its own


@dataclass(frozen=True, slots=True)
class Cancellation:
    """Labouchère's line: bet the two ends together, cross them off when that wins, write the loss behind when not."""

    name: str
    of: str
    line: tuple[int, ...]
    end: End = "start over"
    reset: Condition | None = None


Progression = Ladder | Cancellation  # Stakes that move with wins and losses


@dataclass(frozen=True, slots=True)
class Ends:
    """When a session of this strategy is over, unless the player says otherwise; money in units."""

    rolls: int | None = None
    hands: int | None = None
    stop_win: Fraction | None = None
    stop_loss: Fraction | None = None
    # Looked at before each roll; once it holds the player takes down what may come down, and bets no more.
    when: Condition | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Strategy:
    """What one player does all session."""

    id: str  # its short name: `three_point_molly`
    name: str
    wants: tuple[Want, ...]
    description: str = ""
    source: str = ""  # where it comes from, or who plays it
    unit: Fraction = Fraction(1)  # what one unit usually is, in money
    parameters: tuple[str, ...] = ()  # the names of its own that can be set
    counts: tuple[Count, ...] = ()
    progressions: tuple[Progression, ...] = ()
    stages: tuple[StageRule, ...] = ()
    ends: Ends = field(default_factory=Ends)

    @property
    def wagers(self) -> tuple[str, ...]:
        """The wagers it puts up, each once, in its own order."""
        return tuple(dict.fromkeys(wager for want in self.wants for wager, _ in want.up))

    @property
    def named(self) -> frozenset[str]:
        """Every wager and family it names anywhere."""
        return frozenset(name for _, name in self.names_at)

    @property
    def names_at(self) -> Iterator[tuple[str, str]]:
        """Every wager and family it names, with the place in the file where it does."""
        for number, want in enumerate(self.wants, start=1):
            for wager, amount in want.up:
                counted = (each.of for each in numbers_in(amount) if isinstance(each.of, str))
                yield from ((f"want[{number}].up.{wager}", name) for name in (wager, *counted))
            for key, names in (("down", want.down), ("on", want.on), ("off", want.off)):
                yield from ((f"want[{number}].{key}", name) for name in names)
            yield from ((f"want[{number}].when", name) for name in wagers_in(want.when))
        yield from ((path, name) for path, condition in self._conditions_at() for name in wagers_in(condition))
        yield from ((f"progression.{part.name}.of", part.of) for part in self.progressions)

    @property
    def conditions(self) -> Iterator[Condition]:
        yield from (want.when for want in self.wants)
        yield from (condition for _, condition in self._conditions_at())

    def _conditions_at(self) -> Iterator[tuple[str, Condition]]:
        """Every condition but those of its wants, with its place in the file."""
        parts: list[tuple[str, Condition | None]] = []
        for count in self.counts:
            parts += [(f"count.{count.name}.when", count.when), (f"count.{count.name}.down", count.down)]
        for place, stage in enumerate(self.stages, start=1):
            parts += [(f"stage[{place}].on", stage.on), (f"stage[{place}].back", stage.back)]
        parts += [(f"count.{count.name}.reset", count.reset) for count in self.counts]
        parts += [(f"progression.{part.name}.reset", part.reset) for part in self.progressions]
        parts.append(("ends.when", self.ends.when))
        return ((path, condition) for path, condition in parts if condition is not None)

    @property
    def numbers(self) -> Iterator[Quantity]:
        """Every number that a condition looks at, or an amount is worked out from."""
        yield from (number for condition in self.conditions for number, _ in looks(condition))
        yield from (number for _, amount in self.amounts for number in numbers_in(amount))

    @property
    def amounts(self) -> Iterator[tuple[str, Amount]]:
        for want in self.wants:
            yield from want.up

    @property
    def minds_money(self) -> bool:
        """Whether anything it sees or remembers hangs on the money of the session, and so on what ends it."""
        return (
            any(number.name in OF_EVENING for number in self.numbers)
            or any(spends(amount) for _, amount in self.amounts)
            or any(isinstance(part, Ladder) and part.goal is not None for part in self.progressions)
        )

    @property
    def digest(self) -> str:
        """A hash of everything that decides how it plays."""
        text = repr((self.id, self.wants, self.counts, self.progressions, self.stages, self.ends))
        return hashlib.sha256(text.encode()).hexdigest()
