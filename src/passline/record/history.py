"""What a table remembers of every act: the command, the answer, and the table before it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from passline.engine.commands import Command
from passline.engine.events import Event
from passline.engine.evolve import evolve
from passline.engine.refusals import Answer, Refusal
from passline.engine.table import TableState
from passline.errors import RefusedError

TABLES_KEPT_EVERY = 64
"""How many acts lie between two that keep the table before them; it is worked out again for the others."""


class Moment(NamedTuple):
    """One act at a table and what came of it."""

    command: Command
    answer: Answer
    since: TableState | Moment
    """The table before it; or the act before it, from which that table follows: a history is mostly that."""

    @property
    def before(self) -> TableState:
        """The table before it."""
        acts: list[Moment] = []
        at = self.since
        while isinstance(at, Moment):
            acts.append(at)
            at = at.since
        for act in reversed(acts):
            at = evolve(at, act.events) if act.events else at
        return at

    @property
    def events(self) -> tuple[Event, ...]:
        """What happened; nothing, where the dealers said no."""
        return () if isinstance(self.answer, Refusal) else self.answer


@dataclass(frozen=True, slots=True)
class No(Refusal):
    """A refusal as a table answers it: false, so that `if table.bet(…)` means that the bet is up."""

    def __bool__(self) -> bool:
        return False

    def __iter__(self) -> Iterator[Event]:
        """Nothing happened that could be looped over: say so, with the reason."""
        raise RefusedError(self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Refusal) and _parts(self) == _parts(other)

    def __hash__(self) -> int:
        return hash(_parts(self))


def _parts(refusal: Refusal) -> tuple[object, ...]:
    return refusal.code, refusal.message, refusal.clause, refusal.seat
