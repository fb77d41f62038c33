"""The house's side: players of several kinds at one table on shared dice, what the table wins and what it must hold."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any

from passline.analysis.question import Question, ask
from passline.errors import (
    ArgumentError,
    ArgumentTypeError,
    FileError,
    Finding,
    PasslineError,
    SessionError,
    short,
    shown,
)
from passline.files.amounts import Money, positive, whole_number
from passline.files.arguments import chance as a_chance
from passline.files.arguments import instance
from passline.files.findings import nearest
from passline.files.toml import tree
from passline.machine.machine import Machine
from passline.machine.terms import ROLLS, Terms
from passline.machine.together import together
from passline.odds.sessions.distribution import Law, decimal, written
from passline.odds.sessions.law import law_of

TABLE_KEYS = ("house", "rolls_per_hour", "hours", "notice", "float", "dice", "players")
PLAYER_KEYS = ("strategy", "unit", "count", "max")
COUNT_MAX = 1000
"""Players of a kind at one table."""


@dataclass(frozen=True)
class Population:
    """Players of several kinds at one table, everybody on the same dice for so many rolls.

    Nobody is ruined and nobody leaves: who bets, bets on; what stands at the end has one decision more.
    """

    players: tuple[tuple[Question, int], ...]
    """Each kind of player and how many there are."""
    terms: Terms
    """How long they all play, and how fast the table is."""

    @property
    def hours(self) -> Fraction:
        """How long they play."""
        return self.terms.rolls / self.terms.rolls_per_hour

    @cached_property
    def machines(self) -> tuple[Machine, ...]:
        """One player of each kind as a machine."""
        return tuple(question.machine() for question, _ in self.players)

    @cached_property
    def table(self) -> Machine:
        """Everybody as one machine, whose net is what the table wins."""
        return together(self.machines, [-count for _, count in self.players])

    def exact(self, *, fractions: bool = False, progress: Callable[[int, int], None] | None = None) -> Law:
        """The law of what the table wins in all its hours; in double precision unless fractions are asked for."""
        return self._law(self.table, fractions=fractions, progress=progress)

    def laws(self, *, fractions: bool = False) -> tuple[Law, ...]:
        """The law of what one player of each kind wins."""
        return tuple(self._law(machine, fractions=fractions) for machine in self.machines)

    def covariances(self, *, fractions: bool = False) -> tuple[tuple[Fraction | float, ...], ...]:
        """Between what one player of each kind wins: from the variance of every two of them together."""
        alone = [law.variance for law in self.laws(fractions=fractions)]
        kinds = range(len(alone))
        found: list[list[Fraction | float]] = [[alone[row]] * len(alone) for row in kinds]
        for row in kinds:
            for column in range(row):
                both = together([self.machines[row], self.machines[column]], (1, 1))
                law = self._law(both, fractions=fractions)
                found[row][column] = found[column][row] = (law.variance - alone[row] - alone[column]) / 2
            found[row][row] = alone[row]
        return tuple(map(tuple, found))

    def reserve(self, risk: float | Fraction = 0.01) -> Fraction:
        """The least reserve that, with all but this risk, the table never falls short of at any time in its hours."""
        enough = float(a_chance("risk", risk))
        step = self.exact().step
        low, high = 0, 1
        while self._p_short(high * step) > enough:
            low, high = high, 2 * high
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self._p_short(middle * step) > enough else (low, middle)
        # A fall by the amount itself is still covered by it.
        return (high - 1) * step

    def _p_short(self, amount: Fraction) -> float:
        """The chance that the table is ever behind by so much."""
        terms = replace(self.terms, stop_loss=amount, at_end="face")
        return float(law_of(self.table, terms, exact=False).p_at_most(-amount))

    def _law(self, machine: Machine, *, fractions: bool, progress: Callable[[int, int], None] | None = None) -> Law:
        return law_of(machine, self.terms, exact=fractions, progress=progress)

    def to_json(self, *, risk: float = 0.01, fractions: bool = False) -> dict[str, Any]:
        """JSON values: the law of the table's win, each kind of player, their covariances, the reserve."""
        law = self.exact(fractions=fractions)
        kinds = []
        for (question, count), own in zip(self.players, self.laws(fractions=fractions), strict=True):
            told = {"strategy": question.name, "unit": str(question.seating.unit), "count": count}
            for name, figure in (("mean", own.mean), ("variance", own.variance), ("action", own.action)):
                told |= {name: written(figure), f"{name}_decimal": decimal(figure)}
            kinds.append(told)
        matrix = self.covariances(fractions=fractions)
        return {
            "hours": str(self.hours),
            "players": kinds,
            "covariances": [[decimal(each) for each in row] for row in matrix],
            "table": law.to_json(),
            "win_per_hour": decimal(-law.loss_per_hour),
            "risk": risk,
            "reserve": str(self.reserve(risk)),
        }


def population(
    players: str | Path | Iterable[tuple[Question, int]], *, hours: Money | None = None, rolls_per_hour: Money = 100
) -> Population:
    """The players of a file, or pairs of a question and how many play so, all at one table.

    With `hours` they play as many rolls as those have at `rolls_per_hour`, and a question that says other rolls is
    refused; without, the questions' rolls say how long it is.

    >>> from passline import ask
    >>> found = population([(ask("pass_flat", house="strip", unit=10), 3)], hours=4)
    >>> found.terms.rolls, round(found.exact().mean + 3 * found.laws()[0].mean, 6)
    (400, 0.0)
    """
    if isinstance(players, str | Path):
        return _read(Path(players))
    try:
        given = [(question, whole_number("count", count, most=COUNT_MAX)) for question, count in players]
    except (TypeError, ValueError) as error:
        if isinstance(error, PasslineError):
            raise
        raise ArgumentTypeError("players", shown(players), "a file, or pairs of a question and a count") from None
    if not given:
        raise ArgumentError("players", "none", "one kind of player or more")
    for question, _ in given:
        instance("players", question, Question, "questions, such as `ask('pass_flat')`")
        _check_plays_on(question)
    pace = positive("rolls_per_hour", rolls_per_hour)
    rolls = None if hours is None else _rolls(hours, pace)
    if rolls is not None:
        for question, _ in given:
            if question.terms.rolls not in (rolls, ROLLS):
                found = f"{question.terms.rolls} rolls of {question.name}"
                raise ArgumentError("hours", found, f"the {rolls} rolls that {hours} hours have, or none said")
        given = [(replace(question, terms=replace(question.terms, rolls=rolls)), count) for question, count in given]
    alike = {(question.seating.book.id, question.terms) for question, _ in given}
    if len(alike) > 1:
        raise ArgumentError("players", "several tables", "one house, one number of rolls and the same dice for all")
    return Population(tuple(given), replace(given[0][0].terms, rolls_per_hour=pace))


def _rolls(hours: Money, pace: Fraction) -> int:
    """The rolls that some hours come to."""
    rolls = positive("hours", hours) * pace
    if rolls.denominator != 1:
        raise ArgumentError("hours", str(hours), "hours that come to whole rolls")
    return int(rolls)


def _check_plays_on(question: Question) -> None:
    """Refuse who would leave: then what the table wins is no finite machine."""
    if question.terms.leaves:
        raise SessionError(f"{question.name} leaves by itself (a bankroll, a stop or hands); here everybody plays on.")


def _read(path: Path) -> Population:
    file = short(str(path))
    values = tree(path, file, "a population file", FileError)
    faults = [_unknown(file, "", key, TABLE_KEYS) for key in values if key not in TABLE_KEYS]
    kinds = values.get("players", [])
    if not isinstance(kinds, list) or not kinds or not all(isinstance(kind, dict) for kind in kinds):
        raise FileError([*faults, Finding(file, "players", shown(kinds), "one [[players]] or more")])
    for place, kind in enumerate(kinds, 1):
        where = f"players {place}"
        faults += [_unknown(file, where, key, PLAYER_KEYS) for key in kind if key not in PLAYER_KEYS]
        if "strategy" not in kind:
            faults.append(Finding(file, f"{where}.strategy", "nothing", "a strategy, by its name or its file"))
    if faults:
        raise FileError(faults)
    try:
        asked = [_player(path, place, kind, values) for place, kind in enumerate(kinds, 1)]
        return population(asked, hours=values.get("hours", 1), rolls_per_hour=values.get("rolls_per_hour", 100))
    except ArgumentError as error:
        raise FileError([Finding(file, error.name, error.found, error.expected, error.nearest)]) from None


def _player(path: Path, place: int, kind: dict[str, Any], table: dict[str, Any]) -> tuple[Question, int]:
    """One kind of player at the table of the file."""
    chips = table.get("float")
    try:
        question = ask(
            _beside(path, kind["strategy"]),
            house=table.get("house", "adelaide"),
            unit=kind.get("unit"),
            notice=table.get("notice"),
            chips=chips.replace(",", " ").split() if isinstance(chips, str) else chips,
            max_bet=kind.get("max"),
            dice=table.get("dice"),
        )
        return question, whole_number("count", kind.get("count", 1), most=COUNT_MAX)
    except ArgumentError as error:
        name = "max" if error.name == "max_bet" else error.name
        if name not in PLAYER_KEYS:
            raise
        where = f"players {place}.{name}"
        raise FileError([Finding(str(path), where, error.found, error.expected, error.nearest)]) from None


def _beside(path: Path, strategy: object) -> Any:  # noqa: ANN401 - whatever it is, `ask` says what it should be
    """A strategy file is named from where the population file lies."""
    if isinstance(strategy, str) and strategy.endswith(".toml"):
        return path.parent / strategy
    return strategy


def _unknown(file: str, where: str, key: str, known: tuple[str, ...]) -> Finding:
    place = f"{where}.{key}" if where else key
    return Finding(file, place, "an unknown key", f"one of {', '.join(known)}", nearest(key, known))
