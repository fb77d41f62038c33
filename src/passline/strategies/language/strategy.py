"""A strategy: what should be up, when, for how much, and what it remembers to know that."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import chain
from typing import Literal

from passline.strategies.language import grammar
from passline.strategies.language.amounts import Amount, Left, numbers_in, parts_of
from passline.strategies.language.conditions import OF_EVENING, Condition, looks, wagers_in

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

    @classmethod
    def of(  # noqa: PLR0913 - a want has this many parts
        cls,
        when: str = "always",
        up: Mapping[str, str | int | Fraction] | None = None,
        *,
        down: Sequence[str] = (),
        on: Sequence[str] = (),
        off: Sequence[str] = (),
        skip: Literal["point"] | None = None,
        counts: Collection[str] = (),
        progressions: Collection[str] = (),
    ) -> Want:
        """Write a want in the words of a strategy file.

        >>> print(Want.of("puck off", {"pass": 1}).when)
        puck off
        """
        wanted = {
            wager: grammar.amount(amount, progressions=progressions, counts=counts)
            for wager, amount in (up or {}).items()
        }
        return cls(
            when=grammar.condition(when, counts=counts),
            up=tuple(wanted.items()),
            down=tuple(down),
            on=tuple(on),
            off=tuple(off),
            skip_point=skip == "point",
        )


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
    """One stage of an evening: after a roll, what leads on to the next and what leads back to the one before."""

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
    """When an evening of this strategy is over, unless the player says otherwise; money in units."""

    rolls: int | None = None
    hands: int | None = None
    stop_win: Fraction | None = None
    stop_loss: Fraction | None = None
    # Looked at before each roll; once it holds the player takes down what may come down, and bets no more.
    when: Condition | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Strategy:
    """What one player does all evening."""

    id: str  # its short name: `three_point_molly`
    name: str
    wants: tuple[Want, ...]
    description: str = ""
    source: str = ""  # where it comes from, or who plays it
    unit: Fraction = Fraction(1)  # what one unit usually is, in money
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
        wants = (name for want in self.wants for name in (*want.down, *want.on, *want.off))
        mentioned = (name for condition in self.conditions for name in wagers_in(condition))
        counted = (number.of for _, amount in self.amounts for number in numbers_in(amount))
        priced = (name for name in counted if isinstance(name, str))
        return frozenset(chain(self.wagers, wants, mentioned, priced, (ladder.of for ladder in self.progressions)))

    @property
    def conditions(self) -> Iterator[Condition]:
        """Every condition it looks at."""
        yield from (want.when for want in self.wants)
        for count in self.counts:
            yield from (part for part in (count.when, count.down) if part is not None)
        for stage in self.stages:
            yield from (part for part in (stage.on, stage.back) if part is not None)
        for part in (*self.counts, *self.progressions):
            if part.reset is not None:
                yield part.reset
        if self.ends.when is not None:
            yield self.ends.when

    @property
    def amounts(self) -> Iterator[tuple[str, Amount]]:
        """Every wager with every amount it can be wanted for."""
        for want in self.wants:
            yield from want.up

    @property
    def minds_money(self) -> bool:
        """Whether anything it sees or remembers hangs on the money of the evening, and so on what ends it."""
        numbers = (number for condition in self.conditions for number, _ in looks(condition))
        priced = (number for _, amount in self.amounts for number in numbers_in(amount))
        return (
            any(number.name in OF_EVENING for number in chain(numbers, priced))
            or any(isinstance(part, Left) for _, amount in self.amounts for part in parts_of(amount))
            or any(isinstance(part, Ladder) and part.goal is not None for part in self.progressions)
        )

    @property
    def digest(self) -> str:
        """A hash of everything that decides how it plays."""
        text = repr((self.id, self.wants, self.counts, self.progressions, self.stages, self.ends))
        return hashlib.sha256(text.encode()).hexdigest()
