"""What came of the wagers of a game: by seat, by wager, by hand."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

from passline.answers import Answer, Kind, Part, Table, money, signed
from passline.engine import events as e
from passline.engine.values import CENTS
from passline.files.arguments import one_of

By = Literal["seat", "wager", "hand"]
"""What results can be added up by."""


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

    def __add__(self, other: "Result") -> "Result":
        return replace(self, **{name: getattr(self, name) + getattr(other, name) for name in SUMMED})


BY = ("seat", "wager", "hand")
SUMMED: dict[str, Kind] = {**dict.fromkeys(("won", "lost", "pushed"), "count"), "staked": "money", "net": "net"}
KINDS: dict[str, Kind] = {"seat": "count", "wager": "text", "hand": "count", **SUMMED}


@dataclass(frozen=True, slots=True)
class Results(Answer):
    """The results of a game, a row for each seat, wager and hand."""

    rows: tuple[Result, ...]

    def __iter__(self) -> Iterator[Result]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def total(self) -> Result:
        return sum(self.rows, Result(None, None, None))

    def by(self, *names: By) -> "Results":
        """Added up by one or more of seat, wager and hand."""
        for name in names:
            one_of("by", name, BY)
        sums: dict[tuple[object, ...], Result] = {}
        for row in self.rows:
            key = tuple(getattr(row, name) if name in names else None for name in BY)
            sums[key] = sums.get(key, Result(*key)) + row  # type: ignore[arg-type] # seat, wager and hand
        return Results(tuple(sums.values()))

    def page(self) -> Iterator[Part]:
        """A row for each result; what was added up over is left out."""
        total = self.total
        yield f"{total.decisions:,} decisions of {money(total.staked)} staked: {signed(total.net)}"
        columns = [(name, [getattr(row, name) for row in self.rows]) for name in KINDS]
        seen = {name: values for name, values in columns if any(each is not None for each in values)}
        yield Table({name: KINDS[name] for name in seen}, list(zip(*seen.values(), strict=True)))


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
                won, lost = isinstance(event, e.WagerWon), isinstance(event, e.WagerLost)
                pushed = isinstance(event, e.WagerPushed | e.WagerReturned)
                staked = 0 if isinstance(event, e.WagerDown) else event.stake
                sums = Fraction(staked, CENTS), Fraction(event.net, CENTS)
                more = Result(*key, int(won), int(lost), int(pushed), *sums)
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
