"""How a wager wins and loses, in a sentence read off the dealers' own rows."""

from __future__ import annotations

from collections.abc import Sequence

from passline.engine.layout import Spot
from passline.engine.tallies import Collect, Fire, Repeat, Replay, Streak
from passline.engine.values import ROLLS, Roll
from passline.engine.verdicts import Loses, Pushes, Returns, Travels, Verdict, Wins
from passline.telling.figures import listed

MANY = 4
"""What loses on more things than this loses on anything else."""


def how(spot: Spot, puck: int, points: Sequence[int]) -> str:
    """How a wager is decided with this puck: `wins on 7 and 11, loses on 2, 3 and 12, another number is the point`."""
    terms = spot.rule.terms
    if isinstance(terms, Repeat | Replay | Collect | Fire | Streak):
        return _counted(spot, terms)
    if spot.is_odds and not (spot.number or puck):
        return "wins with the bet it stands behind, on its point"
    at = puck if spot.is_line else puck or points[0]
    row = spot.row(0, at, works=True)
    wins, loses = _rolls(row, Wins), _rolls(row, Loses)
    off, travels = _rolls(row, (Pushes, Returns)), _rolls(row, Travels)
    rest = len(ROLLS) - len(wins) - len(loses) - len(off)
    lost = described(loses)
    told = [f"wins on {listed(described(wins))}"] if wins else []
    told += [f"loses on {listed(lost) if len(lost) <= MANY or rest else 'anything else'}"] if loses else []
    told += [f"{listed(described(off))} stands off"] if off else []
    if spot.is_line and not at:
        told.append("another number is the point")
    elif travels:
        told.append("another number is its own point")
    return ", ".join(told)


def _counted(spot: Spot, terms: Repeat | Replay | Collect | Fire | Streak) -> str:
    """How a wager with a memory is decided: what must come, how much of it, and before what."""
    match terms:
        case Repeat():
            return f"wins when {spot.number} has come {terms.times.value[spot.number]} times, loses on 7"
        case Collect():
            return f"wins when {listed([str(total) for total in spot.counts])} have all come, loses on 7"
        case Replay():
            return f"wins when one point is made {terms.times.value} times before the seven-out, loses if none is"
        case Fire():
            return _levels("different points are made", "seven-out", min(terms.pays))
        case Streak(of="points"):
            return _levels("points are made", "seven-out", min(terms.pays))
        case Streak():
            return _levels(f"different {terms.of} come", "first 7", min(terms.pays))


def _levels(what: str, end: str, least: int) -> str:
    return f"wins by how many {what} before the {end}, loses with fewer than {least}"


def _rolls(row: Sequence[Verdict | None], kind: type | tuple[type, ...]) -> list[Roll]:
    return [roll for roll, verdict in zip(ROLLS, row, strict=True) if isinstance(verdict, kind)]


def described(rolls: Sequence[Roll]) -> list[str]:
    """Some of the 36 rolls: totals where all their throws are among them, else the throws themselves.

    >>> described([roll for roll in ROLLS if roll.total == 7 or roll == (3, 3)])
    ['7', '3-3']
    """
    whole = [total for total in range(2, 13) if all(roll in rolls for roll in ROLLS if roll.total == total)]
    apart = sorted({tuple(sorted(roll, reverse=True)) for roll in rolls if roll.total not in whole})
    return [*map(str, whole), *(f"{high}-{low}" for high, low in apart)]
