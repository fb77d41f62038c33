"""What came of the wagers of a game: by seat, by wager, by hand."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal

from passline.engine import events as e
from passline.engine.values import CENTS
from passline.files.arguments import one_of
from passline.files.needed import needed

if TYPE_CHECKING:
    import polars as pl

By = Literal["seat", "wager", "hand"]
"""What results can be added up by."""

DECIDED = (e.WagerWon, e.WagerLost, e.WagerPushed, e.WagerReturned)


@dataclass(frozen=True, slots=True)
class Result:
    """The decisions of some wagers, added up; amounts are money. What was added up over is None."""

    seat: int | None
    wager: str | None
    hand: int | None
    """Hands are counted from 1; a new one begins whenever the dice pass."""
    won: int = 0
    """Decisions that paid."""
    lost: int = 0
    pushed: int = 0
    """Decisions that gave the stake back, or left it up unpaid."""
    staked: Fraction = Fraction(0)
    """The stakes of all decisions together: the action."""
    net: Fraction = Fraction(0)
    """Won less lost, commission taken off: of a buy bet that came down too."""

    @property
    def decisions(self) -> int:
        return self.won + self.lost + self.pushed

    def __add__(self, other: Result) -> Result:
        return replace(
            self,
            won=self.won + other.won,
            lost=self.lost + other.lost,
            pushed=self.pushed + other.pushed,
            staked=self.staked + other.staked,
            net=self.net + other.net,
        )


@dataclass(frozen=True, slots=True)
class Results:
    """The results of a game, a row for each seat, wager and hand."""

    rows: tuple[Result, ...]

    @property
    def total(self) -> Result:
        return sum(self.rows, Result(None, None, None))

    def by(self, *names: By) -> tuple[Result, ...]:
        """Added up by one or more of seat, wager and hand."""
        for name in names:
            one_of("by", name, ("seat", "wager", "hand"))
        sums: dict[tuple[object, ...], Result] = {}
        for row in self.rows:
            key = tuple(getattr(row, name) if name in names else None for name in ("seat", "wager", "hand"))
            sums[key] = sums.get(key, Result(*key)) + row  # type: ignore[arg-type] # seat, wager and hand
        return tuple(sums.values())

    def to_json(self) -> list[dict[str, Any]]:
        """The rows as JSON values, amounts as decimal strings."""
        return [{**asdict(row), "staked": _decimal(row.staked), "net": _decimal(row.net)} for row in self.rows]

    def frame(self) -> pl.DataFrame:
        """The rows as a Polars frame; amounts are floats there."""
        needed("polars", "a frame")
        import polars as pl

        return pl.DataFrame([{**asdict(row), "staked": float(row.staked), "net": float(row.net)} for row in self.rows])


def results_of(events: Iterable[e.Event]) -> Results:
    """The results of what happened, from the first act of a table on; rolls that were struck out do not count."""
    rows: dict[tuple[int, str, int], Result] = {}
    hand = 1
    # As it was before the last roll, which may be struck out.
    before: tuple[dict[tuple[int, str, int], Result], int] = ({}, 1)
    for event in events:
        match event:
            case e.WagerWon() | e.WagerLost() | e.WagerPushed() | e.WagerReturned() | e.WagerDown():
                key = (event.seat, event.wager, hand)
                more = Result(*key, net=Fraction(event.net, CENTS))
                if isinstance(event, DECIDED):
                    more = replace(
                        more,
                        won=int(isinstance(event, e.WagerWon)),
                        lost=int(isinstance(event, e.WagerLost)),
                        pushed=int(isinstance(event, e.WagerPushed | e.WagerReturned)),
                        staked=Fraction(event.stake, CENTS),
                    )
                if more.decisions or more.net:
                    rows[key] = rows.get(key, Result(*key)) + more
            case e.SevenOut() | e.ShooterLost() | e.DiceGivenUp():
                hand += 1
            case e.OutcomeStruckOut():
                rows, hand = dict(before[0]), before[1]
            case e.DiceThrown():
                before = dict(rows), hand
            case _:
                pass
    return Results(tuple(rows.values()))


def _decimal(amount: Fraction) -> str:
    return f"{amount.numerator // amount.denominator}" if amount.denominator == 1 else f"{float(amount):.2f}"
