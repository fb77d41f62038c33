"""The house's side: players of several kinds at one table on shared dice, what the table wins and what it must hold."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from passline.analysis.question import Question, ask, draw_seed, note_refusals
from passline.answers import Answer, Kind, Part, Table, cut_name, decimal, figures, hours_of, money, percent, rolls_of
from passline.errors import (
    ArgumentError,
    ArgumentTypeError,
    FileError,
    Finding,
    PasslineError,
    SessionError,
    short,
    short_repr,
)
from passline.files.amounts import Money, positive, whole_number
from passline.files.arguments import chance as a_chance
from passline.files.arguments import instance
from passline.files.findings import nearest
from passline.files.toml import tree
from passline.machine.machine import Machine
from passline.machine.terms import ROLLS, Terms
from passline.machine.together import common, together
from passline.odds.sessions.distribution import Distribution
from passline.odds.sessions.exact import distribution_of
from passline.sim import Interpreted, Sample, simulate
from passline.sim.backends.engine import Everybody
from passline.sim.game import check_seed
from passline.sim.sample import ROLLS_PER_HOUR
from passline.strategies.language.strategy import Strategy
from passline.strategies.player.python import is_python

TABLE_KEYS = ("house", "rolls_per_hour", "hours", "notice", "float", "dice", "players")
PLAYER_KEYS = ("strategy", "unit", "count", "max", "bankroll", "stop_win", "stop_loss")
SESSIONS = 1000  # Evenings that are sampled of players who have no machine, unless somebody says how many
# What ends the evening of one player and not of the table.
ALONE: Mapping[str, Any] = {"bankroll": None, "stop_win": None, "stop_loss": None, "hands": None}
COUNT_MAX = 1000  # Players of a kind at one table

Matrix = Sequence[Sequence[Fraction | float]]


class KindSample(NamedTuple):
    """What one player of a kind won, over many evenings."""

    mean: float
    variance: float
    action: float


@dataclass(frozen=True, eq=False)
class TableSample:
    """Evenings of players of several kinds at one table."""

    table: Sample  # what the table won
    nets: NDArray[np.float64]  # Shape (kinds, evenings): what one player of each kind won
    actions: NDArray[np.float64]  # for each kind the mean money of the bets that one player had decided
    lowest: tuple[Fraction, ...]  # for each evening the least that the table had won after any roll, rising

    @property
    def kinds(self) -> list[KindSample]:
        means, spreads = self.nets.mean(axis=1), self.nets.var(axis=1, ddof=1)
        return list(map(KindSample, means.tolist(), spreads.tolist(), self.actions.tolist()))

    @property
    def covariances(self) -> Matrix:
        matrix: list[list[float]] = np.atleast_2d(np.cov(self.nets)).tolist()
        return matrix

    def reserve(self, risk: float) -> Fraction:
        """The least reserve that only this share of the evenings went below."""
        return -self.lowest[min(int(risk * len(self.lowest)), len(self.lowest) - 1)]


@dataclass(frozen=True)
class Population(Answer):
    """Players of several kinds at one table, everybody on the same dice for so many rolls.

    Worked out exactly, nobody is ruined and nobody leaves: who bets, bets on. In a sample players may have a bankroll
    and stops, and strategies in Python; who has left makes no new bets. What stands at the end has one decision more.
    """

    players: tuple[tuple[Question, int], ...]  # each kind of player and how many there are
    terms: Terms  # how long they all play, and how fast the table is
    risk: float = 0.01  # the chance that the reserve may fall short, where it is shown
    fractions: bool = False  # whether what is written out is worked out in fractions
    sessions: int | None = None  # how many evenings are sampled; None where it is worked out exactly
    seed: int = 0

    @property
    def hours(self) -> Fraction:
        """How long they play."""
        return self.terms.rolls / self.terms.rolls_per_hour

    @cached_property
    def machines(self) -> tuple[Machine, ...]:
        """One player of each kind as a machine."""
        return tuple(question.machine() for question, _ in self.players)

    @cached_property
    def together(self) -> Machine:
        """Everybody as one machine, whose net is what the table wins."""
        return together(self.machines, [-count for _, count in self.players])

    @cached_property
    def sample(self) -> TableSample:
        """Evenings of everybody at the table, played through the rules on the same dice."""
        return sampled(self)

    @property
    def _figures(self) -> tuple[Sequence[Distribution | KindSample], Distribution | Sample, Matrix]:
        """What one player of each kind wins, what the table does, and the covariances between the kinds."""
        if self.sessions is not None:
            return self.sample.kinds, self.sample.table, self.sample.covariances
        exactly = self.fractions
        return self.distributions(fractions=exactly), self.exact(fractions=exactly), self.covariances(fractions=exactly)

    @property
    def win_per_hour(self) -> Fraction | float:
        """What the table wins in an hour, the rolls of the run-out counted in."""
        if self.sessions is None:
            return -self.exact(fractions=self.fractions).loss_per_hour
        return -self.sample.table.loss_per_hour * self.terms.rolls_per_hour / ROLLS_PER_HOUR

    def exact(self, *, fractions: bool = False, progress: Callable[[int, int], None] | None = None) -> Distribution:
        """The law of what the table wins in all its hours; in double precision unless fractions are asked for."""
        return self._law(self.together, fractions=fractions, progress=progress)

    def distributions(self, *, fractions: bool = False) -> tuple[Distribution, ...]:
        """The law of what one player of each kind wins."""
        return tuple(self._law(machine, fractions=fractions) for machine in self.machines)

    def covariances(self, *, fractions: bool = False) -> tuple[tuple[Fraction | float, ...], ...]:
        """Between what one player of each kind wins: from the variance of every two of them together."""
        alone = [law.variance for law in self.distributions(fractions=fractions)]
        kinds = range(len(alone))
        matrix: list[list[Fraction | float]] = [[alone[row]] * len(alone) for row in kinds]
        for row in kinds:
            for column in range(row):
                both = together([self.machines[row], self.machines[column]], (1, 1))
                law = self._law(both, fractions=fractions)
                matrix[row][column] = matrix[column][row] = (law.variance - alone[row] - alone[column]) / 2
            matrix[row][row] = alone[row]
        return tuple(map(tuple, matrix))

    def reserve(self, risk: float | Fraction = 0.01) -> Fraction:
        """The least reserve that, with all but this risk, the table never falls short of at any time in its hours."""
        enough = float(a_chance("risk", risk))
        if self.sessions is not None:
            return self.sample.reserve(enough)
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
        return float(distribution_of(self.together, terms, exact=False).p_at_most(-amount))

    def _law(
        self, machine: Machine, *, fractions: bool, progress: Callable[[int, int], None] | None = None
    ) -> Distribution:
        return distribution_of(machine, self.terms, exact=fractions, progress=progress)

    def page(self) -> Iterator[Part]:
        kinds, law, matrix = self._figures
        seats = sum(count for _, count in self.players)
        pace = f"{rolls_of(self.terms.rolls)} in {hours_of(self.hours)}"
        yield f"{seats} players at {self.players[0][0].seating.house.name}, {pace}, on the same dice"
        yield ""
        spreads = [float(matrix[0][0]) * float(matrix[place][place]) for place in range(len(matrix))]
        columns: dict[str, Kind] = {"each_of": "text", "players": "count", "unit": "money", "wins": "net"}
        columns |= {"standard_deviation": "money", "correlation_with_the_first": "number"}
        yield Table(
            columns,
            [
                (
                    question.name,
                    count,
                    question.seating.unit,
                    own.mean,
                    math.sqrt(own.variance),
                    float(matrix[0][place]) / math.sqrt(spreads[place]) if spreads[place] > 0 else None,
                )
                for place, ((question, count), own) in enumerate(zip(self.players, kinds, strict=True))
            ],
        )
        yield ""
        if self.sessions is not None:
            low, high = self.sample.table.interval
            yield f"{self.sessions:,} evenings, seed {self.seed}; with 95 % the mean is from {low:,.2f} to {high:,.2f}."
        won = f"{money(law.mean)}, standard deviation {money(math.sqrt(law.variance))}"
        yield f"The table wins {won}; {money(self.win_per_hour)} an hour."
        yield f"Handle (bets decided) {money(law.action)}, of which it keeps {float(law.mean / law.action):.3%}."
        yield f"The house is ahead {percent(law.p_ahead)} of the time."
        yield ""
        cuts: dict[str, Kind] = {cut_name(chance): "net" for chance in law.quantiles}
        yield Table({"": "text", **cuts}, [("win at most", *law.quantiles.values())])
        yield ""
        yield f"A reserve of {money(self.reserve(self.risk))} is enough at all times with all but {percent(self.risk)}."

    def to_json(self) -> dict[str, Any]:
        """JSON values: the distribution of the table's win, each kind of player, their covariances, the reserve."""
        each, law, matrix = self._figures
        kinds = []
        for (question, count), own in zip(self.players, each, strict=True):
            row = {"strategy": question.name, "unit": str(question.seating.unit), "count": count}
            kinds.append(row | figures({"mean": own.mean, "variance": own.variance, "action": own.action}))
        return {
            "hours": str(self.hours),
            "sessions": self.sessions,
            "seed": None if self.sessions is None else self.seed,
            "players": kinds,
            "covariances": [[decimal(each) for each in row] for row in matrix],
            "table": law.to_json(),
            "win_per_hour": decimal(self.win_per_hour),
            "risk": self.risk,
            "reserve": str(self.reserve(self.risk)),
        }


def population(  # noqa: PLR0913 - a table, each part by name
    players: str | Path | Iterable[tuple[Question, int]],
    *,
    hours: Money | None = None,
    rolls_per_hour: Money = 100,
    risk: float = 0.01,
    fractions: bool = False,
    sessions: int | None = None,
    seed: int | None = None,
) -> Population:
    """The players of a file, or pairs of a question and how many play so, all at one table.

    It is worked out exactly, or with `sessions` sampled: so are strategies in Python, and players with a bankroll.

    With `hours` they play as many rolls as those have at `rolls_per_hour`, and a question that says other rolls is
    refused; without, the questions' rolls say how long it is.

    >>> from passline import ask
    >>> found = population([(ask("pass_flat", house="strip", unit=10), 3)], hours=4)
    >>> found.terms.rolls, abs(found.exact().mean + 3 * found.distributions()[0].mean) < 1e-9
    (400, True)
    """
    if isinstance(players, str | Path):
        return _read(Path(players), risk=risk, fractions=fractions, sessions=sessions, seed=seed)
    try:
        counted = [(question, whole_number("count", count, most=COUNT_MAX)) for question, count in players]
    except (TypeError, ValueError) as error:
        if isinstance(error, PasslineError):
            raise
        raise ArgumentTypeError("players", short_repr(players), "a file, or pairs of a question and a count") from None
    if not counted:
        raise ArgumentError("players", "none", "one kind of player or more")
    for question, _ in counted:
        instance("players", question, Question, "questions, such as `ask('pass_flat')`")
        if sessions is None and not isinstance(question.strategy, Strategy):
            sessions = SESSIONS
    many = None if sessions is None else whole_number("sessions", sessions, least=2)
    for question, _ in counted if many is None else ():
        _check_plays_on(question)
    pace = positive("rolls_per_hour", rolls_per_hour)
    if hours is not None:
        counted = [(_for(hours, pace, question), count) for question, count in counted]
    alike = {(question.seating.book.id, replace(question.terms, **ALONE)) for question, _ in counted}
    if len(alike) > 1:
        raise ArgumentError("players", "several tables", "one house, one number of rolls and the same dice for all")
    terms = replace(counted[0][0].terms, **ALONE, rolls_per_hour=pace)
    return Population(
        tuple(counted),
        terms,
        float(a_chance("risk", risk)),
        fractions,
        many,
        draw_seed() if seed is None else check_seed(seed),
    )


def sampled(population: Population) -> TableSample:
    """Roll so many evenings with one player of each kind at the table."""
    assert population.sessions is not None, "how many evenings"
    sources = [question.played() for question, _ in population.players]
    limits = [
        question.terms.in_minor_units(source.grain)
        for (question, _), source in zip(population.players, sources, strict=True)
    ]
    grain = common([source.grain for source in sources])
    times = [int(source.grain / grain) for source in sources]
    counts = [count * factor for (_, count), factor in zip(population.players, times, strict=True)]
    evenings: list[Everybody] = []

    def sit() -> Everybody:
        evenings.append(Everybody(zip((source.sit() for source in sources), limits, strict=True), counts))
        return evenings[-1]

    about = {"house": population.players[0][0].seating.house.id, "strategy": "the table"}
    table = simulate(
        Interpreted(sit, grain, about), population.terms, sessions=population.sessions, seed=population.seed
    )
    for (question, _), source in zip(population.players, sources, strict=True):
        note_refusals(question.name, source)
    played = [evening for evening in evenings if evening.rolls == population.terms.rolls]  # others were only tried
    worth = np.array([float(source.grain) for source in sources])
    nets = np.array([evening.nets for evening in played]) * worth
    actions = np.array([evening.actions for evening in played]) * worth
    lowest = sorted(evening.lowest * grain for evening in played)
    return TableSample(table, nets.T, actions.mean(axis=0), tuple(lowest))


def _for(hours: Money, pace: Fraction, question: Question) -> Question:
    """The question asked for so many hours."""
    rolls = positive("hours", hours) * pace
    if rolls.denominator != 1:
        raise ArgumentError("hours", str(hours), "hours that come to whole rolls")
    if question.terms.rolls not in (rolls, ROLLS):
        rolled = f"{question.terms.rolls} rolls of {question.name}"
        raise ArgumentError("hours", rolled, f"the {rolls} rolls that {hours} hours have, or none said")
    return replace(question, terms=replace(question.terms, rolls=int(rolls)))


def _check_plays_on(question: Question) -> None:
    """Refuse who would leave: then what the table wins is no finite machine."""
    if question.terms.leaves:
        raise SessionError(f"{question.name} leaves by itself (a bankroll, a stop or hands); here everybody plays on.")


def _read(path: Path, **how: Any) -> Population:  # noqa: ANN401 - what `population` takes
    file = short(str(path))
    values = tree(path, file, "a population file", FileError)
    faults = [_unknown(file, "", key, TABLE_KEYS) for key in values if key not in TABLE_KEYS]
    kinds = values.get("players", [])
    if not isinstance(kinds, list) or not kinds or not all(isinstance(kind, dict) for kind in kinds):
        raise FileError([*faults, Finding(file, "players", short_repr(kinds), "one [[players]] or more")])
    for place, kind in enumerate(kinds, 1):
        where = f"players {place}"
        faults += [_unknown(file, where, key, PLAYER_KEYS) for key in kind if key not in PLAYER_KEYS]
        if "strategy" not in kind:
            faults.append(Finding(file, f"{where}.strategy", "nothing", "a strategy, by its name or its file"))
    if faults:
        raise FileError(faults)
    try:
        rows = [_player(path, place, kind, values) for place, kind in enumerate(kinds, 1)]
        return population(rows, hours=values.get("hours", 1), rolls_per_hour=values.get("rolls_per_hour", 100), **how)
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
            bankroll=kind.get("bankroll"),
            stop_win=kind.get("stop_win"),
            stop_loss=kind.get("stop_loss"),
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
    if isinstance(strategy, str) and (strategy.endswith(".toml") or is_python(strategy)):
        return path.parent / strategy
    return strategy


def _unknown(file: str, where: str, key: str, known: tuple[str, ...]) -> Finding:
    place = f"{where}.{key}" if where else key
    return Finding(file, place, "an unknown key", f"one of {', '.join(known)}", nearest(key, known))
