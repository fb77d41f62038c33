"""The house's side: players of several kinds at one table on shared dice, what the table wins and what it must hold."""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from passline.analysis.question import Question, ask, draw_seed, note_refusals
from passline.answers import (
    Answer,
    Kind,
    Part,
    Table,
    cut_name,
    decimal,
    figures,
    hours_of,
    money,
    percent,
    picked,
    remarks_of,
    rolls_of,
    signed,
)
from passline.engine.values import ROLLS as ALL_ROLLS
from passline.engine.values import SEVEN
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
from passline.files.amounts import Money, exactly, positive, whole_number
from passline.files.arguments import chance as a_chance
from passline.files.arguments import instance
from passline.files.findings import nearest
from passline.files.toml import tree
from passline.machine.machine import Machine
from passline.machine.terms import ROLLS, Terms
from passline.machine.together import common, together
from passline.odds.sessions.distribution import QUANTILES, Distribution
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
# What ends the session of one player and not of the table.
ALONE: Mapping[str, Any] = {"bankroll": None, "stop_win": None, "stop_loss": None, "hands": None}
COUNT_MAX = 1000  # Players of a kind at one table

Matrix = Sequence[Sequence[Fraction | float]]


class KindSample(NamedTuple):
    """What one player of a kind won, over many sessions."""

    mean: float
    variance: float
    action: float


@dataclass(frozen=True, eq=False)
class TableSample:
    """Evenings of players of several kinds at one table."""

    table: Sample  # what the table won
    nets: NDArray[np.float64]  # Shape (kinds, sessions): what one player of each kind won
    actions: NDArray[np.float64]  # for each kind the mean money of the bets that one player had decided
    lowest: tuple[Fraction, ...]  # for each session the least that the table had won after any roll, rising
    remarks: list[str]  # what the dealers refuse, and what is rounded

    @property
    def kinds(self) -> list[KindSample]:
        means, spreads = self.nets.mean(axis=1), self.nets.var(axis=1, ddof=1)
        return list(map(KindSample, means.tolist(), spreads.tolist(), self.actions.tolist()))

    @property
    def covariances(self) -> Matrix:
        matrix: list[list[float]] = np.atleast_2d(np.cov(self.nets)).tolist()
        return matrix

    def reserve(self, risk: float) -> Fraction:
        """The least reserve that only this share of the sessions went below."""
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
            return self.sample.kinds, self.sample.table, self.sample.covariances
        exactly = self.fractions
        return self.distributions(fractions=exactly), self.exact(fractions=exactly), self.covariances(fractions=exactly)

    @property
    def win_per_hour(self) -> Fraction | float:
        """What the table wins in an hour, the rolls of the run-out counted in."""
        table = self._figures[1]
        if isinstance(table, Sample):
            return -table.loss_per_hour * self.terms.rolls_per_hour / ROLLS_PER_HOUR
        return -table.loss_per_hour

    def exact(self, *, fractions: bool = False, progress: Callable[[int, int], None] | None = None) -> Distribution:
        """The distribution of what the table wins in all its hours."""
        return self._law(self.together, fractions=fractions, progress=progress)

    def distributions(self, *, fractions: bool = False) -> tuple[Distribution, ...]:
        """The distribution of what one player of each kind wins."""
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
        table = self._figures[1]
        assert isinstance(table, Distribution), "it is worked out"
        step = table.step
        low, high = 0, 1
        while self._p_short(high * step) > enough:
            low, high = high, 2 * high
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self._p_short(middle * step) > enough else (low, middle)
        # A fall by the amount itself is still covered by it.
        return (high - 1) * step

    @property
    def remarks(self) -> list[str]:
        """What the dealers refuse, and what is rounded."""
        if self.sessions is not None:
            return self.sample.remarks
        return [remark for machine in self.machines for remark in remarks_of(machine.about)]

    @cached_property
    def _enough(self) -> Fraction:
        """The reserve at the risk that is shown."""
        return self.reserve(self.risk)

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
            yield f"{self.sessions:,} sessions, seed {self.seed}; 95 % interval of the mean {low:,.2f} to {high:,.2f}."
        won = f"{money(law.mean)}, standard deviation {money(math.sqrt(law.variance))}"
        yield f"The table wins {won}; {money(self.win_per_hour)} an hour."
        yield f"Handle (bets decided) {money(law.action)}, of which it keeps {float(law.mean / law.action):.3%}."
        yield f"The house is ahead {percent(law.p_ahead)} of the time."
        yield ""
        cuts: dict[str, Kind] = {cut_name(chance): "net" for chance in law.quantiles}
        yield Table({"": "text", **cuts}, [("win at most", *law.quantiles.values())])
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
            **picked(self, "hours", "sessions", "risk"),
            "seed": None if self.sessions is None else self.seed,
            "players": kinds,
            "covariances": [map(decimal, row) for row in matrix],
            "table": law,
            "win_per_hour": decimal(self.win_per_hour),
            "reserve": self._enough,
            "remarks": self.remarks,
        }


def population(  # noqa: PLR0913 - a table, each part by name
    players: str | Path | Iterable[Question | tuple[Question, int]],
    *,
    hours: Money | None = None,
    rolls_per_hour: Money = 100,
    risk: float = 0.01,
    fractions: bool = False,
    sessions: int | None = None,
    seed: int | None = None,
) -> Population:
    """The players of a file, or questions, each alone or with how many play so, all at one table.

    It is worked out exactly, or with `sessions` sampled: so are strategies in Python, and players with a bankroll.

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
    except (TypeError, ValueError) as error:
        if isinstance(error, PasslineError):
            raise
        raise ArgumentTypeError(
            "players", short_repr(players), "a file, questions, or pairs of a question and a count"
        ) from None
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
    """Roll so many sessions with one player of each kind at the table."""
    assert population.sessions is not None, "how many sessions"
    sources = [question.played() for question, _ in population.players]
    limits = [
        question.terms.in_minor_units(source.minor_unit)
        for (question, _), source in zip(population.players, sources, strict=True)
    ]
    minor_unit = common([source.minor_unit for source in sources])
    times = [int(source.minor_unit / minor_unit) for source in sources]
    counts = [count * factor for (_, count), factor in zip(population.players, times, strict=True)]
    sessions: list[Everybody] = []

    def sit() -> Everybody:
        sessions.append(Everybody(zip((source.sit() for source in sources), limits, strict=True), counts))
        return sessions[-1]

    about = {"house": population.players[0][0].seating.house.id, "strategy": "the table"}
    table = simulate(
        Interpreted(sit, minor_unit, about), population.terms, sessions=population.sessions, seed=population.seed
    )
    for (question, _), source in zip(population.players, sources, strict=True):
        note_refusals(question.name, source)
    remarks = [remark for source in sources for remark in remarks_of(source.about)]
    played = [session for session in sessions if session.rolls == population.terms.rolls]  # others were only tried
    worth = np.array([float(source.minor_unit) for source in sources])
    nets = np.array([session.nets for session in played]) * worth
    actions = np.array([session.actions for session in played]) * worth
    lowest = sorted(session.lowest * minor_unit for session in played)
    return TableSample(table, nets.T, actions.mean(axis=0), tuple(lowest), remarks)


def _for(hours: Money, pace: Fraction, question: Question) -> Question:
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
        why = f"{question.name} leaves by itself (a bankroll, a stop or hands); here everybody plays on"
        raise SessionError(f"{why}. With `sessions` it is sampled.")


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
        raise FileError([Finding(file, error.name, error.actual, error.expected, error.nearest)]) from None


def _player(path: Path, place: int, kind: dict[str, Any], table: dict[str, Any]) -> tuple[Question, int]:
    chips = table.get("float")
    terms: dict[str, Any] = {name: table[name] for name in ("house", "notice", "dice") if name in table}
    terms |= {"max_bet" if name == "max" else name: kind[name] for name in PLAYER_KEYS if name in kind}
    strategy, count = _beside(path, terms.pop("strategy")), terms.pop("count", 1)
    try:
        question = ask(strategy, chips=chips.replace(",", " ").split() if isinstance(chips, str) else chips, **terms)
        return question, whole_number("count", count, most=COUNT_MAX)
    except ArgumentError as error:
        name = "max" if error.name == "max_bet" else error.name
        if name not in PLAYER_KEYS:
            raise
        where = f"players {place}.{name}"
        raise FileError([Finding(str(path), where, error.actual, error.expected, error.nearest)]) from None


def _beside(path: Path, strategy: object) -> Any:  # noqa: ANN401 - whatever it is, `ask` says what it should be
    """A strategy file is named from where the population file lies."""
    if isinstance(strategy, str) and (strategy.endswith(".toml") or is_python(strategy)):
        return path.parent / strategy
    return strategy


def _unknown(file: str, where: str, key: str, known: tuple[str, ...]) -> Finding:
    place = f"{where}.{key}" if where else key
    return Finding(file, place, "an unknown key", f"one of {', '.join(known)}", nearest(key, known))


# --- A day of the pit ------------------------------------------------------------------------------------------------


FAR: Final = 1 << 60
EMPTY: Final = -1
PAIRS: Final = "pairs of a question and how often such a player comes"


@dataclass(frozen=True, slots=True, eq=False)
class PitDay(Answer):
    """What the house won on many days, and how low it was on the way."""

    wins: NDArray[np.float64]  # for each day, in money; what stands at its end counts at face value
    lowest: NDArray[np.float64]  # for each day the least that the house had won at any roll: nothing, or less
    served: NDArray[np.int64]  # for each day how many players sat down
    ruined: NDArray[np.int64]  # for each day how many of them left because they could not make their next bet
    seated: float  # the mean number of players at the tables
    seed: int

    @property
    def mean(self) -> float:
        return float(self.wins.mean())

    @property
    def standard_error(self) -> float:
        return float(self.wins.std(ddof=1) / len(self.wins) ** 0.5)

    def p_ruin(self, bank: Money) -> float:
        """The share of days on which the house is once behind by more than this bank."""
        return float((self.lowest < -float(positive("bank", bank))).mean())

    def bank_for(self, risk: float) -> Fraction:
        """The least bank that is enough on all but this share of the days."""
        lowest = np.sort(self.lowest)
        return -Fraction(str(lowest[min(int(a_chance("risk", risk) * len(lowest)), len(lowest) - 1)]))

    def page(self) -> Iterator[Part]:
        wins = f"{signed(self.mean)} a day, ± {money(self.standard_error)}"
        yield f"{len(self.wins):,} days, seed {self.seed}: the house wins {wins}"
        served, ruined = self.served.mean(), self.ruined.mean()
        yield f"{served:,.1f} players a day, {self.seated:,.1f} seated at a time, {ruined:,.1f} ruined."
        yield f"It is behind on {percent(float((self.wins < 0).mean()))} of the days."
        rows = [(f"{q:.0%}", float(np.quantile(self.wins, q)), float(np.quantile(self.lowest, q))) for q in QUANTILES]
        yield Table({"days": "text", "win": "net", "lowest on the way": "net"}, rows)
        yield f"A bank of {money(self.bank_for(0.01))} is enough on 99 of 100 days."

    def table(self) -> Table:
        rows = list(
            zip(self.wins.tolist(), self.lowest.tolist(), self.served.tolist(), self.ruined.tolist(), strict=True)
        )
        return Table({"win": "net", "lowest": "net", "served": "count", "ruined": "count"}, rows)


class _Kinds:
    """The machines of all kinds of players as one, in one minor unit."""

    def __init__(self, players: list[tuple[Question, Fraction]]) -> None:
        machines = [question.session_machine() for question, _ in players]
        self.minor_unit = common([machine.minor_unit for machine in machines])
        first = np.cumsum([0, *(machine.states for machine in machines)])
        times = [int(machine.minor_unit / self.minor_unit) for machine in machines]
        parts = list(zip(machines, first, times, strict=False))
        self.next = np.concatenate([machine.next[:, machine.column] + at for machine, at, _ in parts])
        self.net = np.concatenate([machine.net[:, machine.column] * by for machine, _, by in parts])
        self.need = np.concatenate([machine.need * by for machine, _, by in parts])
        self.over = np.concatenate([machine.ended for machine in machines])
        limits = [question.terms.in_minor_units(self.minor_unit) for question, _ in players]
        self.start = np.array([machine.start + at for machine, at, _ in parts])
        self.bank = np.array([FAR if each.bank is None else each.bank for each in limits])
        self.win = np.array([FAR if each.win is None else each.win for each in limits])
        self.loss = np.array([FAR if each.loss is None else each.loss for each in limits])
        self.rolls = np.array([each.rolls for each in limits])
        whole = sum(weight for _, weight in players)
        self.shares = np.array([float(weight / whole) for _, weight in players])


def pit_day(  # noqa: PLR0913 - a day, each part by name
    players: Iterable[tuple[Question, Money]],
    *,
    tables: int = 1,
    seats: int = 8,
    arrivals: Money = 10,
    hours: Money = 8,
    rolls_per_hour: Money = 100,
    days: int = 1000,
    seed: int = 0,
) -> PitDay:
    """Sample days of a pit. `players` are questions with how often such a player comes, one against the other.

    Every table has `seats`; `arrivals` an hour come to each table, and whoever finds no seat goes on. Whoever sits down
    while a point is on bets from the next come-out, so that a table has one point for all. A player stays for the rolls
    of its question, until its bankroll does not cover its next bets, or until a stop; then its seat is free. What
    stands when somebody leaves, or the day ends, counts at face value.
    """
    guests = [_guest(each) for each in instance("players", players, Iterable, PAIRS)]
    if not guests:
        raise ArgumentError("players", "none", "one kind of player or more")
    if len({question.terms.dice for question, _ in guests}) > 1:
        raise ArgumentError("players", "several dice", "the same dice for all")
    count, room = whole_number("tables", tables), whole_number("seats", seats)
    pace = positive("rolls_per_hour", rolls_per_hour)
    rolls = int(positive("hours", hours) * pace)
    if not rolls:
        raise ArgumentError("hours", str(hours), "hours that have at least one roll")
    coming = float(positive("arrivals", arrivals) / pace)
    shape = whole_number("days", days, least=2), count, room
    return _days(_Kinds(guests), guests[0][0], shape, rolls, coming, check_seed(seed))


def _guest(pair: object) -> tuple[Question, Fraction]:
    if not isinstance(pair, tuple) or len(pair) != 2:
        raise ArgumentTypeError("players", short_repr(pair), PAIRS)
    question, weight = pair
    instance("players", question, Question, "questions, such as `ask('pass_flat', bankroll=100)`")
    return question, positive("players", exactly("players", weight))


def _days(  # noqa: PLR0913, PLR0917 - what was checked before is handed on
    kinds: _Kinds, question: Question, shape: tuple[int, int, int], rolls: int, coming: float, seed: int
) -> PitDay:
    random, weights = np.random.default_rng(seed), np.array(question.terms.dice.weights)
    totals = np.array([roll.total for roll in ALL_ROLLS])
    is_point = np.isin(totals, list(question.seating.book.points.value))
    kind, begun, puck = np.full(shape, EMPTY), np.zeros(shape, dtype=np.bool_), np.zeros(shape[:2], dtype=np.int64)
    state, net, stayed = np.zeros((3, *shape), dtype=np.int64)
    win, lowest, served, ruined = np.zeros((4, shape[0]), dtype=np.int64)
    seated = 0
    for _ in range(rolls):
        empty = kind == EMPTY
        comes = empty & (np.cumsum(empty, axis=2) <= random.poisson(coming, shape[:2])[:, :, None])
        kind[comes] = random.choice(len(kinds.shares), size=int(comes.sum()), p=kinds.shares)
        state[comes], net[comes], stayed[comes], begun[comes] = kinds.start[kind[comes]], 0, 0, False
        served += comes.sum(axis=(1, 2))
        here = kind != EMPTY
        broke = here & (kinds.bank[kind] + net < kinds.need[state])
        ruined += broke.sum(axis=(1, 2))
        kind[broke | (here & (kinds.over[state] | (stayed >= kinds.rolls[kind])))] = EMPTY
        here = kind != EMPTY
        seated += int(here.sum())
        begun |= here & (puck == 0)[:, :, None]
        throws = random.choice(len(weights), size=shape[:2], p=weights / weights.sum())[:, :, None]
        gain = np.where(here & begun, kinds.net[state, throws], 0)
        state, net, stayed = np.where(here & begun, kinds.next[state, throws], state), net + gain, stayed + here
        total = totals[throws[:, :, 0]]
        off = np.where(is_point[throws[:, :, 0]], total, 0)
        puck = np.where(puck == 0, off, np.where((total == puck) | (total == SEVEN), 0, puck))
        win -= gain.sum(axis=(1, 2))
        np.minimum(lowest, win, out=lowest)
        kind[here & ((net >= kinds.win[kind]) | (net <= -kinds.loss[kind]))] = EMPTY
    minor_unit = np.float64(kinds.minor_unit)
    return PitDay(win * minor_unit, lowest * minor_unit, served, ruined, seated / rolls / shape[0], seed)
