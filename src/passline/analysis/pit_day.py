"""A day of the pit, sampled: several tables, players with bankrolls who come and leave, and the house's own ruin.

Everybody at a table lives by its dice. What a player does is the machine of a strategy, so that a day is a walk over
all seats at once, one roll after the other.
"""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from passline.analysis.question import Question
from passline.answers import (
    Answer,
    Chart,
    Curve,
    Part,
    Table,
    columns,
    exactly,
    hours_of,
    money,
    percent,
    picked,
    remarks_of,
    rolls_of,
    signed,
)
from passline.engine.values import ROLLS, SEVEN
from passline.errors import ArgumentError, ArgumentTypeError, short_repr
from passline.files.amounts import Money, positive, whole_number
from passline.files.amounts import exactly as exact_number
from passline.files.arguments import chance as a_chance
from passline.files.arguments import instance
from passline.machine.together import common
from passline.odds.sessions.distribution import QUANTILES
from passline.sim.game import check_seed

DAYS: Final = 1000  # that are sampled, unless somebody says how many
FAR: Final = 1 << 60
EMPTY: Final = -1
BANKS: Final = 10  # at about how many banks the house's ruin is shown
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
    players: tuple[tuple[Question, Fraction], ...]  # each kind and how often it comes, one against the other
    tables: int
    seats: int  # at each table
    arrivals: Fraction  # an hour, at each table
    hours: Fraction
    rolls_per_hour: Fraction
    risk: float  # the share of the days on which the bank that is shown may not be enough

    @property
    def days(self) -> int:
        return len(self.wins)

    @property
    def mean(self) -> float:
        return float(self.wins.mean())

    @property
    def standard_deviation(self) -> float:
        return float(self.wins.std(ddof=1))

    @property
    def standard_error(self) -> float:
        return float(self.standard_deviation / self.days**0.5)

    @property
    def p_behind(self) -> float:
        return float((self.wins < 0).mean())

    def p_ruin(self, bank: Money) -> float:
        """The share of days on which the house is once behind by more than this bank."""
        return float((self.lowest < -float(positive("bank", bank))).mean())

    def bank_for(self, risk: float) -> Fraction:
        """The least bank that is enough on all but this share of the days."""
        lowest = np.sort(self.lowest)
        return -Fraction(str(lowest[min(int(a_chance("risk", risk) * len(lowest)), len(lowest) - 1)]))

    def ruin(self) -> Table:
        """The chance that the house is ruined, by its bank: from none to one that was enough on every day."""
        worst = -float(self.lowest.min())
        size = 10 ** math.floor(math.log10(worst / BANKS)) if worst else 1.0
        step = Fraction(str(next(size * times for times in (1, 2, 5, 10) if size * times * BANKS >= worst)))
        banks = [step * times for times in range(math.ceil(worst / step) + 1)]
        rows = [(bank, float((self.lowest < -float(bank)).mean())) for bank in banks]
        return Table(columns("bank money, ruin share"), rows)

    @property
    def remarks(self) -> list[str]:
        return [remark for question, _ in self.players for remark in remarks_of(question.session_machine().about)]

    def page(self) -> Iterator[Part]:
        house = self.players[0][0].seating.house.name
        rolls = rolls_of(int(self.hours * self.rolls_per_hour))
        tables = f"{self.tables:,} {'table' if self.tables == 1 else 'tables'} of {self.seats:,} seats"
        yield f"{tables} at {house}, {rolls} in {hours_of(self.hours)}, {exactly(self.arrivals)} an hour come to each"
        wins = f"{signed(self.mean)} a day, ± {money(self.standard_error)}"
        yield f"{self.days:,} days, seed {self.seed}: the house wins {wins}"
        served, ruined = self.served.mean(), self.ruined.mean()
        yield f"{served:,.1f} players a day, {self.seated:,.1f} seated at a time, {ruined:,.1f} ruined."
        yield f"It is behind on {percent(self.p_behind)} of the days."
        cuts = zip(QUANTILES, _quantiles(self.wins), _quantiles(self.lowest), strict=True)
        rows = [(f"{cut:.0%}", win, lowest) for cut, win, lowest in cuts]
        yield Table(columns("days text, win net, lowest on the way net"), rows)
        yield ""
        yield self.ruin()
        yield f"A bank of {money(self.bank_for(self.risk))} is enough on all but {percent(self.risk)} of the days."
        yield from self.remarks

    def table(self) -> Table:
        days = (each.tolist() for each in (self.wins, self.lowest, self.served, self.ruined))
        return Table(columns("win net, lowest net, served count, ruined count"), list(zip(*days, strict=True)))

    def chart(self, path: Path | str) -> None:
        from passline.analysis.charts import save_chart

        banks, chances = ([float(each) for each in column] for column in zip(*self.ruin().rows, strict=True))
        words = f"{self.days:,} days; the share on which it is once behind by more"
        chart = Chart("The house's ruin", words, "bank", "chance", banks, [Curve("ruin", chances)], shares=True)
        save_chart(path, chart)

    def data(self) -> dict[str, Any]:
        names = ("days", "seed", "tables", "seats", "arrivals", "hours", "rolls_per_hour", "risk", "mean")
        return {
            **picked(self, *names, "standard_deviation", "standard_error", "p_behind", "seated", "remarks"),
            "house": self.players[0][0].seating.house.id,
            "players": [
                {"strategy": question.name, "unit": question.seating.unit, "count": count, **question.terms.to_json()}
                for question, count in self.players
            ],
            "served": float(self.served.mean()),
            "ruined": float(self.ruined.mean()),
            "quantiles": dict(zip(map(str, QUANTILES), _quantiles(self.wins), strict=True)),
            "lowest": dict(zip(map(str, QUANTILES), _quantiles(self.lowest), strict=True)),
            "ruin": self.ruin().dicts(),
            "reserve": self.bank_for(self.risk),
            **Answer.data(self),
        }


def _quantiles(days: NDArray[np.float64]) -> list[float]:
    cuts: list[float] = np.quantile(days, QUANTILES).tolist()
    return cuts


def pit_day(  # noqa: PLR0913 - a day, each part by name
    players: Iterable[tuple[Question, Money]],
    *,
    tables: int = 1,
    seats: int = 8,
    arrivals: Money = 10,
    hours: Money = 8,
    rolls_per_hour: Money = 100,
    days: int = DAYS,
    seed: int = 0,
    risk: float = 0.01,
) -> PitDay:
    """Sample days of a pit. `players` are questions with how often such a player comes, one against the other.

    Every table has `seats`; `arrivals` an hour come to each table, and whoever finds no seat goes on. Whoever sits down
    while a point is on bets from the next come-out, so that a table has one point for all. A player stays for the rolls
    of its question, until its bankroll does not cover its next bets, or until a stop; then its seat is free. What
    stands when somebody leaves, or the day ends, counts at face value.
    """
    guests = tuple(_guest(each) for each in instance("players", players, Iterable, PAIRS))
    if not guests:
        raise ArgumentError("players", "none", "one kind of player or more")
    if len({(question.seating.book.id, question.terms.dice) for question, _ in guests}) > 1:
        raise ArgumentError("players", "several houses or dice", "one house and the same dice for all")
    shape = whole_number("days", days, least=2), whole_number("tables", tables), whole_number("seats", seats)
    pace, opened = positive("rolls_per_hour", rolls_per_hour), positive("hours", hours)
    coming = positive("arrivals", arrivals)
    rolls, enough = int(opened * pace), float(a_chance("risk", risk))
    if not rolls:
        raise ArgumentError("hours", str(hours), "hours that have at least one roll")
    sampled = _days(guests, shape, rolls, float(coming / pace), check_seed(seed))
    return PitDay(*sampled, seed, guests, *shape[1:], coming, opened, pace, enough)


def _guest(pair: object) -> tuple[Question, Fraction]:
    if not isinstance(pair, tuple) or len(pair) != 2:
        raise ArgumentTypeError("players", short_repr(pair), PAIRS)
    question, weight = pair
    instance("players", question, Question, "questions, such as `ask('pass_flat', bankroll=100)`")
    return question, positive("players", exact_number("players", weight))


class _Kinds:
    """The machines of all kinds of players as one, in one minor unit."""

    def __init__(self, players: tuple[tuple[Question, Fraction], ...]) -> None:
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
        ends = [[FAR if end is None else end for end in (each.bank, each.win, each.loss)] for each in limits]
        self.bank, self.win, self.loss = np.array(ends).T
        self.rolls = np.array([each.rolls for each in limits])
        whole = sum(weight for _, weight in players)
        self.shares = np.array([float(weight / whole) for _, weight in players])


def _days(
    guests: tuple[tuple[Question, Fraction], ...], shape: tuple[int, int, int], rolls: int, coming: float, seed: int
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int64], NDArray[np.int64], float]:
    """For each day what was won, the lowest of it, who sat down and who was ruined; and how many sat at a time."""
    kinds, question = _Kinds(guests), guests[0][0]
    random, weights = np.random.default_rng(seed), np.array(question.terms.dice.weights)
    totals = np.array([roll.total for roll in ROLLS])
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
    return win * minor_unit, lowest * minor_unit, served, ruined, seated / rolls / shape[0]
