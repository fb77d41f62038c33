"""The house's side: players of several kinds at one table on shared dice, what the table wins and what it must hold."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any, Final, NamedTuple, overload

import numpy as np
from numpy.typing import NDArray

from passline.analysis.pit_day import DAYS, PitDay, pit_day
from passline.analysis.question import OnProgress, Question, ask, draw_seed, note_refusals
from passline.answers import (
    Answer,
    Part,
    Table,
    columns,
    cut_name,
    decimal,
    figures,
    hours_of,
    money,
    percent,
    picked,
    remarks_of,
    rolls_of,
)
from passline.errors import ArgumentError, ArgumentTypeError, FileError, Finding, SessionError, short, short_repr
from passline.files.amounts import Money, positive, whole_number
from passline.files.arguments import chance as a_chance
from passline.files.arguments import instance
from passline.files.findings import nearest
from passline.files.toml import tree
from passline.machine.machine import Machine
from passline.machine.terms import ROLLS, Terms
from passline.machine.together import common, together
from passline.odds.sessions.distribution import Distribution, distribution_of
from passline.sim import Interpreted, Sample, simulate
from passline.sim.backends.engine import Everybody
from passline.sim.game import check_seed
from passline.sim.sample import ROLLS_PER_HOUR
from passline.strategies.language.strategy import Strategy
from passline.strategies.player.python import is_python

TABLE_KEYS: Final = ("house", "rolls_per_hour", "hours", "notice", "float", "dice", "players")
PLAYER_KEYS: Final = ("strategy", "unit", "count", "max", "bankroll", "stop_win", "stop_loss")
DAY_KEYS: Final = ("arrivals", "tables", "seats")  # a file that says them is of a day of the pit
SESSIONS: Final = 1000  # evenings that are sampled of players who have no machine, unless somebody says how many
# What ends the session of one player and not of the table.
ALONE: Final[Mapping[str, Any]] = {"bankroll": None, "stop_win": None, "stop_loss": None, "hands": None}
COUNT_MAX: Final = 1000  # players of a kind at one table

Matrix = Sequence[Sequence[Fraction | float]]


class KindSample(NamedTuple):
    mean: float
    variance: float
    action: float


class TableSample(NamedTuple):
    table: Sample  # what the table won
    nets: NDArray[np.float64]  # shape (kinds, sessions): what one player of each kind won
    kinds: list[KindSample]
    lowest: list[Fraction]  # for each session the least that the table had won after any roll, rising
    remarks: list[str]  # what the dealers refuse, and what is rounded


@dataclass(frozen=True)
class Population(Answer):
    """Players of several kinds at one table, everybody on the same dice for so many rolls.

    Worked out exactly, nobody is ruined and nobody leaves: who bets, bets on. In a sample players may have a bankroll
    and stops, and strategies in Python; who has left makes no new bets. Bets still up at the end are played out.
    """

    players: tuple[tuple[Question, int], ...]  # each kind of player and how many there are
    terms: Terms  # how long they all play, and how fast the table is
    risk: float = 0.01  # the chance that the reserve may fall short, where it is shown
    fractions: bool = False  # whether what is written out is worked out in fractions
    sessions: int | None = None  # how many sessions are sampled; None where it is worked out exactly
    seed: int = 0

    @property
    def hours(self) -> Fraction:
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

    @cached_property
    def _figures(self) -> tuple[Sequence[Distribution | KindSample], Distribution | Sample, Matrix]:
        """What one player of each kind wins, what the table does, and the covariances between the kinds."""
        if self.sessions is not None:
            matrix: Matrix = np.atleast_2d(np.cov(self.sample.nets)).tolist()
            return self.sample.kinds, self.sample.table, matrix
        exactly = self.fractions
        return self.distributions(fractions=exactly), self.exact(fractions=exactly), self.covariances(fractions=exactly)

    @property
    def win_per_hour(self) -> Fraction | float:
        """What the table wins in an hour, the rolls of the run-out counted in."""
        table = self._figures[1]
        sampled = isinstance(table, Sample)  # it tells of hours of as many rolls as are usual
        return -table.loss_per_hour * (self.terms.rolls_per_hour / ROLLS_PER_HOUR if sampled else 1)

    def exact(self, *, fractions: bool = False, progress: OnProgress = None) -> Distribution:
        """The distribution of what the table wins in all its hours."""
        law = distribution_of(self.together, self.terms, exact=fractions, progress=progress)
        return replace(law, about={**law.about, "strategy": f"the house against {law.about['strategy']}"})

    def distributions(self, *, fractions: bool = False) -> tuple[Distribution, ...]:
        """The distribution of what one player of each kind wins."""
        return tuple(distribution_of(machine, self.terms, exact=fractions) for machine in self.machines)

    def covariances(self, *, fractions: bool = False) -> tuple[tuple[Fraction | float, ...], ...]:
        """Between what one player of each kind wins: from the variance of every two of them together."""
        alone = [law.variance for law in self.distributions(fractions=fractions)]

        def between(row: int, column: int) -> Fraction | float:
            if row == column:
                return alone[row]
            both = together([self.machines[row], self.machines[column]], (1, 1))
            variance = distribution_of(both, self.terms, exact=fractions).variance
            return (variance - alone[row] - alone[column]) / 2

        kinds = range(len(alone))
        lower = [[between(row, column) for column in range(row + 1)] for row in kinds]
        return tuple(tuple(lower[max(row, column)][min(row, column)] for column in kinds) for row in kinds)

    def reserve(self, risk: float | Fraction = 0.01) -> Fraction:
        """The least reserve that, with all but this risk, the table never falls short of at any time in its hours."""
        enough = float(a_chance("risk", risk))
        if self.sessions is not None:
            lowest = self.sample.lowest
            return -lowest[min(int(enough * len(lowest)), len(lowest) - 1)]
        step = self._figures[1].step  # type: ignore[union-attr] # it is worked out

        def falls_short(steps: int) -> bool:
            terms = replace(self.terms, stop_loss=steps * step, at_end="face")
            return float(distribution_of(self.together, terms, exact=False).p_at_most(-steps * step)) > enough

        low, high = 0, 1
        while falls_short(high):
            low, high = high, 2 * high
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if falls_short(middle) else (low, middle)
        return (high - 1) * step  # a fall by the amount itself is still covered by it

    @cached_property
    def _enough(self) -> Fraction:
        return self.reserve(self.risk)

    @property
    def remarks(self) -> list[str]:
        if self.sessions is not None:
            return self.sample.remarks
        return [remark for machine in self.machines for remark in remarks_of(machine.about)]

    def page(self) -> Iterator[Part]:
        kinds, law, matrix = self._figures
        seats = sum(count for _, count in self.players)
        pace = f"{rolls_of(self.terms.rolls)} in {hours_of(self.hours)}"
        yield f"{seats} player{'s' * (seats > 1)} at {self.players[0][0].seating.house.name}, {pace}, on the same dice"
        yield ""
        rows = []
        for place, ((question, count), own) in enumerate(zip(self.players, kinds, strict=True)):
            spread = float(matrix[0][0]) * float(matrix[place][place])
            alike = float(matrix[0][place]) / math.sqrt(spread) if spread > 0 else None
            rows.append((question.name, count, question.seating.unit, own.mean, math.sqrt(own.variance), alike))
        kinds_said = "each_of text, players count, unit money, wins net, standard_deviation money"
        yield Table(columns(f"{kinds_said}, correlation_with_the_first number"), rows)
        yield ""
        if self.sessions is not None:
            low, high = self.sample.table.interval
            yield f"{self.sessions:,} sessions, seed {self.seed}; 95 % interval of the mean {low:,.2f} to {high:,.2f}."
        won = f"{money(law.mean)}, standard deviation {money(math.sqrt(law.variance))}"
        yield f"The table wins {won}; {money(self.win_per_hour)} an hour."
        yield f"Handle (bets decided) {money(law.action)}, of which it keeps {float(law.mean / law.action):.3%}."
        yield f"The house is ahead {percent(law.p_ahead)} of the time."
        yield ""
        cuts = ", ".join(f"{cut_name(chance)} net" for chance in law.quantiles)
        yield Table(columns(f" text, {cuts}"), [("win at most", *law.quantiles.values())])
        yield from self.remarks
        yield ""
        yield f"A reserve of {money(self._enough)} is enough at all times with all but {percent(self.risk)}."

    def data(self) -> dict[str, Any]:
        each, law, matrix = self._figures
        kinds = [
            {"strategy": question.name, "unit": question.seating.unit, "count": count}
            | figures(own, "mean", "variance", "action")
            for (question, count), own in zip(self.players, each, strict=True)
        ]
        return {
            **picked(self, "hours", "sessions", "risk", "remarks"),
            "seed": None if self.sessions is None else self.seed,
            "players": kinds,
            "covariances": [map(decimal, row) for row in matrix],
            "table": law,
            "win_per_hour": decimal(self.win_per_hour),
            "reserve": self._enough,
        }


@overload
def population(
    players: str | Path, *, risk: float = ..., fractions: bool = ..., sessions: int | None = ..., seed: int | None = ...
) -> Population | PitDay: ...
@overload
def population(
    players: Iterable[Question | tuple[Question, int]],
    *,
    hours: Money | None = ...,
    rolls_per_hour: Money = ...,
    risk: float = ...,
    fractions: bool = ...,
    sessions: int | None = ...,
    seed: int | None = ...,
) -> Population: ...
def population(  # noqa: PLR0913 - a table, each part by name
    players: str | Path | Iterable[Question | tuple[Question, int]],
    *,
    hours: Money | None = None,
    rolls_per_hour: Money = 100,
    risk: float = 0.01,
    fractions: bool = False,
    sessions: int | None = None,
    seed: int | None = None,
) -> Population | PitDay:
    """The players of a file, or questions, each alone or with how many play so, all at one table.

    It is worked out exactly, or with `sessions` sampled: so are strategies in Python, and players with a bankroll. A
    file with `arrivals` is of a day of the pit, as `pit_day` takes it, and its sessions are days.

    With `hours` they play as many rolls as those have at `rolls_per_hour`, and a question that says other rolls is
    refused; without, the questions' rolls say how long it is.

    >>> from passline import ask
    >>> table = population([(ask("pass_flat", house="strip", unit=10), 3)], hours=4)
    >>> table.terms.rolls, abs(table.exact().mean + 3 * table.distributions()[0].mean) < 1e-9
    (400, True)
    """
    if isinstance(players, str | Path):
        return _read(Path(players), risk=risk, fractions=fractions, sessions=sessions, seed=seed)
    try:
        pairs = ((each, 1) if isinstance(each, Question) else each for each in players)
        counted = [(question, whole_number("count", count, most=COUNT_MAX)) for question, count in pairs]
    except ArgumentError:
        raise
    except (TypeError, ValueError):
        expected = "a file, questions, or pairs of a question and a count"
        raise ArgumentTypeError("players", short_repr(players), expected) from None
    if not counted:
        raise ArgumentError("players", "none", "one kind of player or more")
    for question, _ in counted:
        instance("players", question, Question, "questions, such as `ask('pass_flat')`")
        if sessions is None and not isinstance(question.strategy, Strategy):
            sessions = SESSIONS
    many = None if sessions is None else whole_number("sessions", sessions, least=2)
    leaves = next((question.name for question, _ in counted if many is None and question.terms.leaves), None)
    if leaves is not None:  # then what the table wins is no finite machine
        why = f"{leaves} leaves by itself (a bankroll, a stop or hands); here everybody plays on"
        raise SessionError(f"{why}. With `sessions` it is sampled.")
    pace = positive("rolls_per_hour", rolls_per_hour)
    if hours is not None:
        counted = [(_for(hours, pace, question), count) for question, count in counted]
    alike = {(question.seating.book.id, replace(question.terms, **ALONE)) for question, _ in counted}
    if len(alike) > 1:
        raise ArgumentError("players", "several tables", "one house, one number of rolls and the same dice for all")
    terms = replace(counted[0][0].terms, **ALONE, rolls_per_hour=pace)
    dealt = draw_seed() if seed is None else check_seed(seed)
    return Population(tuple(counted), terms, float(a_chance("risk", risk)), fractions, many, dealt)


def _for(hours: Money, pace: Fraction, question: Question) -> Question:
    rolls = positive("hours", hours) * pace
    if rolls.denominator != 1:
        raise ArgumentError("hours", str(hours), "hours that come to whole rolls")
    if question.terms.rolls not in (rolls, ROLLS):
        rolled = f"{question.terms.rolls} rolls of {question.name}"
        raise ArgumentError("hours", rolled, f"the {rolls} rolls that {hours} hours have, or none said")
    return replace(question, terms=replace(question.terms, rolls=int(rolls)))


def sampled(population: Population) -> TableSample:
    assert population.sessions is not None, "how many sessions"
    questions, players = zip(*population.players, strict=True)
    sources = [question.played() for question in questions]
    minor_unit = common([source.minor_unit for source in sources])
    counts = [many * int(source.minor_unit / minor_unit) for many, source in zip(players, sources, strict=True)]
    limits = [one.terms.in_minor_units(source.minor_unit) for one, source in zip(questions, sources, strict=True)]
    sessions: list[Everybody] = []

    def sit() -> Everybody:
        sessions.append(Everybody(zip((source.sit() for source in sources), limits, strict=True), counts))
        return sessions[-1]

    about = {"house": questions[0].seating.house.id, "strategy": "the table"}
    everybody = Interpreted(sit, minor_unit, about)
    table = simulate(everybody, population.terms, sessions=population.sessions, seed=population.seed)
    for question, source in zip(questions, sources, strict=True):
        note_refusals(question.name, source)
    remarks = [remark for source in sources for remark in remarks_of(source.about)]
    played = [session for session in sessions if session.rolls == population.terms.rolls]  # others were only tried
    worth = np.array([float(source.minor_unit) for source in sources])
    nets = (np.array([session.nets for session in played]) * worth).T
    actions = (np.array([session.actions for session in played]) * worth).mean(axis=0)
    kinds = map(KindSample, nets.mean(axis=1).tolist(), nets.var(axis=1, ddof=1).tolist(), actions.tolist())
    return TableSample(table, nets, list(kinds), sorted(each.lowest * minor_unit for each in played), remarks)


# --- From a file ----------------------------------------------------------------------------------------------------


def _read(path: Path, **how: Any) -> Population | PitDay:  # noqa: ANN401 - what `population` takes
    file = short(str(path))
    values = tree(path, file, "a population file", FileError)
    is_day = "arrivals" in values
    table_keys, player_keys = (*TABLE_KEYS, *DAY_KEYS), (*PLAYER_KEYS, *(["rolls"] if is_day else []))
    faults = _unknown(file, "", values, table_keys)
    of_day = [] if is_day else [key for key in DAY_KEYS if key in values]
    beside = "arrivals = 12 beside it: how many come an hour"
    faults += [Finding(file, key, short_repr(values[key]), beside) for key in of_day]
    kinds = values.get("players", [])
    if not isinstance(kinds, list) or not kinds or not all(isinstance(kind, dict) for kind in kinds):
        raise FileError([*faults, Finding(file, "players", short_repr(kinds), "one [[players]] or more")])
    for place, kind in enumerate(kinds, 1):
        faults += _unknown(file, f"players {place}.", kind, player_keys)
        if "strategy" not in kind:
            expected = "a strategy, by its name or its file"
            faults.append(Finding(file, f"players {place}.strategy", "nothing", expected))
    if faults:
        raise FileError(faults)
    try:
        rows = [_player(path, place, kind, values) for place, kind in enumerate(kinds, 1)]
        opened = {"rolls_per_hour": values.get("rolls_per_hour", 100)}
        if not is_day:
            return population(rows, hours=values.get("hours", 1), **opened, **how)
        opened |= {key: values[key] for key in (*DAY_KEYS, "hours") if key in values}
        return _day(rows, opened, **how)
    except ArgumentError as error:
        if error.name in how:  # was not in the file
            raise
        raise FileError([Finding(file, error.name, error.actual, error.expected, error.nearest)]) from None


def _day(players: list[tuple[Question, int]], opened: dict[str, Any], **how: Any) -> PitDay:  # noqa: ANN401 - as above
    if how.pop("fractions"):
        raise ArgumentError("fractions", "True", "False: a day of the pit is sampled")
    sessions, seed = how.pop("sessions"), how.pop("seed")
    days = DAYS if sessions is None else whole_number("sessions", sessions, least=2)
    return pit_day(players, days=days, seed=draw_seed() if seed is None else seed, **opened, **how)


def _unknown(file: str, where: str, keys: Iterable[str], known: tuple[str, ...]) -> list[Finding]:
    expected = f"one of {', '.join(known)}"
    unknown = (key for key in keys if key not in known)
    return [Finding(file, f"{where}{key}", "an unknown key", expected, nearest(key, known)) for key in unknown]


def _player(path: Path, place: int, kind: dict[str, Any], table: dict[str, Any]) -> tuple[Question, int]:
    chips, keys = table.get("float"), (*PLAYER_KEYS, "rolls")
    terms: dict[str, Any] = {name: table[name] for name in ("house", "notice", "dice") if name in table}
    terms |= {"max_bet" if name == "max" else name: kind[name] for name in keys if name in kind}
    strategy, count = terms.pop("strategy"), terms.pop("count", 1)
    if isinstance(strategy, str) and (strategy.endswith(".toml") or is_python(strategy)):
        strategy = path.parent / strategy  # a strategy file is named from where the population file lies
    try:
        question = ask(strategy, chips=chips.replace(",", " ").split() if isinstance(chips, str) else chips, **terms)
        return question, whole_number("count", count, most=COUNT_MAX)
    except ArgumentError as error:
        name = "max" if error.name == "max_bet" else error.name
        if name not in keys:
            raise
        where = f"players {place}.{name}"
        raise FileError([Finding(str(path), where, error.actual, error.expected, error.nearest)]) from None
