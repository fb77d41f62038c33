"""What a player is worth to the house: handle, theoretical loss, comps, and each wager's share of loss and risk."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from operator import mul
from typing import Any

import numpy as np
from numpy.typing import NDArray

from passline.analysis.question import OnProgress, Question, check_plays
from passline.answers import Answer, Described, Part, Table, columns, hours_of, money, percent, picked, remarks_of
from passline.answers import exactly as exactly_money
from passline.errors import LongRunError, SessionError, StrategyError
from passline.files.amounts import Money, positive, share_of
from passline.files.arguments import function, instance
from passline.machine.build import purse_for
from passline.machine.machine import Machine
from passline.machine.terms import Terms
from passline.machine.together import Parts, parts_of
from passline.odds.linear import solve
from passline.odds.sessions.chain import Ints, run_outs
from passline.odds.sessions.long_run import met_for_good
from passline.strategies.language.strategy import Strategy

EXACT_STATES_MAX = 150  # States up to which the shares are fractions
CELLS_MAX = 4_000_000  # States times nets that sessions are walked through by
Floats = NDArray[np.float64]
STATES_MAX = 4000  # States up to which they are told at all: the equations are one matrix


@dataclass(frozen=True, slots=True)
class WagerShare(Described):
    """What one wager of a strategy does in the long run, for each roll."""

    FIELDS = """wager edge* handle_per_roll=handle* loss_per_roll=loss* variance_per_roll=variance
        share_of_variance=risk"""

    wager: str
    handle: Fraction | float  # Money of its bets decided, for each roll
    loss: Fraction | float  # Money that it loses, for each roll
    variance: float  # of the money it wins, for each roll of many
    risk: float  # its share of the strategy's variance: what it varies by itself and together with all others

    @property
    def edge(self) -> Fraction | float | None:
        """What it loses of its handle: the price that `passline odds` gives per bet made."""
        return self.loss / self.handle if self.handle else None


@dataclass(frozen=True, slots=True)
class Theo(Answer):
    """A strategy as a casino rates it, in the long run at a pace."""

    FIELDS = """strategy=question.name house=question.seating.house.id unit=question.seating.unit rolls_per_hour hours
        exact comp_rate standard_deviation=deviation handle* loss* edge* comps* hold* wagers remarks"""

    question: Question
    rolls_per_hour: Fraction
    hours: Fraction
    comp_rate: Fraction  # the share of the theoretical loss that is given back
    exact: bool  # whether handle and loss are fractions
    wagers: tuple[WagerShare, ...]
    variance: float  # of the strategy's net, for each roll of many
    # The mean loss of a session of these hours, of the bankroll brought to it; None without a bankroll.
    hold: Fraction | float | None
    remarks: tuple[str, ...] = ()  # what the dealers refuse, and what is rounded

    @property
    def handle(self) -> Fraction | float:
        """Money of the bets decided in these hours; a winner that stays up is a new bet."""
        return self._in_all(sum((each.handle for each in self.wagers), Fraction(0)))

    @property
    def loss(self) -> Fraction | float:
        return self._in_all(sum((each.loss for each in self.wagers), Fraction(0)))

    @property
    def edge(self) -> Fraction | float | None:
        return self.loss / self.handle if self.handle else None

    @property
    def comps(self) -> Fraction | float:
        """What is given back of the theoretical loss; nothing where the player has the better of it."""
        rate, loss = (self.comp_rate, self.loss) if self.exact else (float(self.comp_rate), float(self.loss))
        return rate * max(loss, Fraction(0) if self.exact else 0.0)

    @property
    def deviation(self) -> float:
        return math.sqrt(self.variance * float(self.rolls_per_hour * self.hours))

    def _in_all(self, per_roll: Fraction | float) -> Fraction | float:
        rolls = self.rolls_per_hour * self.hours
        return per_roll * (rolls if isinstance(per_roll, Fraction) else float(rolls))

    def page(self) -> Iterator[Part]:
        edge = "" if self.edge is None else f", {float(self.edge):.3%} of it"
        pace = f"{hours_of(self.hours)} of {exactly_money(self.rolls_per_hour)} rolls"
        yield f"{self.question.heading}, {pace}, in the long run"
        yield ""
        yield f"Handle (bets decided) {money(self.handle)}; theoretical loss {money(self.loss)}{edge}."
        comps = f"Comps at {float(self.comp_rate):.4g} of the theoretical loss: {money(self.comps)}."
        yield f"Standard deviation {money(self.deviation)}. {comps}"
        if self.hold is not None:
            yield f"Hold: {percent(self.hold)} of the bankroll, in a session of so many rolls with ruin counted."
        yield ""
        rows = []
        for each in self.wagers:
            loss = self._in_all(each.loss)
            part = float(loss) / float(self.loss) if self.loss else 0.0
            rows.append((each.wager, self._in_all(each.handle), loss, each.edge, part, each.risk))
        kinds = "wager text, handle money, loss money, edge edge, of_the_loss share, of_the_risk share"
        yield Table(columns(kinds), rows)
        yield ""
        yield "Risk: the share of the variance that a wager has, by itself and together with the others."
        yield from self.remarks


def theo_of(
    question: Question, *, rolls_per_hour: Money = 100, hours: Money = 1, comp: Money = 0, progress: OnProgress = None
) -> Theo:
    """What a player is worth: handle, theoretical loss and comps in so many hours, and each wager's share.

    >>> from passline import ask
    >>> theo_of(ask("pass_flat", house="strip", unit=10), comp="0.3").edge
    Fraction(7, 495)
    """
    strategy = _check(question)
    function("progress", progress)
    pace, spent, rate = positive("rolls_per_hour", rolls_per_hour), positive("hours", hours), share_of("comp", comp)
    parts = parts_of(strategy, question.seating, progress=progress)
    check_plays(parts.machine)
    shares, variance, exact = _shares(parts, question)
    hold = None
    if question.terms.bankroll is not None:
        session = replace(question, terms=replace(question.terms, rolls=int(spent * pace) or 1))
        hold = -session.exact(fractions=False).mean / float(question.terms.bankroll)
    wagers = tuple(sorted(shares, key=lambda each: -each.handle))
    remarks = tuple(remarks_of(parts.machine.about, question.name))
    return Theo(question, pace, spent, rate, exact, wagers, variance, hold, remarks)


def _shares(parts: Parts, question: Question) -> tuple[list[WagerShare], float, bool]:
    """What each wager takes and loses for each roll, the variance of all of them, and whether that is exact."""
    recurrent, matrix, whole = _recurrent(parts, question)
    unit, exact = [1] + [0] * (len(matrix) - 1), len(matrix) <= EXACT_STATES_MAX
    if exact:  # how often each state is met
        tops, bottom = solve(matrix.T.copy(), unit)
        often = [Fraction(top, bottom) for top in tops]
    else:
        met = np.linalg.solve(matrix.T.astype(np.float64), np.array(unit, dtype=np.float64))
        often = list(map(Fraction, met.tolist()))
    weights = question.terms.dice.columns(parts.machine)
    taken = np.array([float(each) for each in often])[:, None] * (weights / whole)
    wins = {wager: net[recurrent] for wager, net in parts.net.items()}
    following = np.searchsorted(recurrent, parts.machine.next[recurrent])
    swings = _swings(matrix, weights, following, {**wins, "": parts.total[recurrent]})
    variance = float((taken * swings[""] ** 2).sum()) * float(parts.minor_unit) ** 2
    shares = []
    for wager, net in wins.items():
        own = float((taken * swings[wager] ** 2).sum()) * float(parts.minor_unit) ** 2
        both = float((taken * swings[wager] * swings[""]).sum()) * float(parts.minor_unit) ** 2
        decided, lost = ((each * weights).sum(axis=1).tolist() for each in (parts.action[wager][recurrent], -net))
        per_roll = [sum(map(mul, often, each), Fraction(0)) * parts.minor_unit / whole for each in (decided, lost)]
        handle, loss = per_roll if exact else map(float, per_roll)
        shares.append(WagerShare(wager, handle, loss, own, both / variance if variance else 0.0))
    return shares, variance, exact


def _check(question: Question) -> Strategy:
    """The strategy of a question, which can be taken apart if it is data."""
    checked = instance("question", question, Question, "a Question, such as `ask('pass_flat')`")
    if not isinstance(checked.strategy, Strategy):
        why = f"{checked.name} is written in Python"
        raise StrategyError(f"{why}, and only a strategy that is data can be taken apart.")
    return checked.strategy


def _recurrent(parts: Parts, question: Question) -> tuple[Ints, Ints, int]:
    """The states that play keeps coming back to, and their equations: whole less the weights from state to state."""
    count, throws = parts.machine.next.shape
    source, target = np.repeat(np.arange(count), throws), parts.machine.next.reshape(-1).astype(np.int64)
    recurrent = np.flatnonzero(met_for_good(source, target, 0, count, question.name))
    if len(recurrent) > STATES_MAX:
        raise LongRunError(f"{question.name} comes back to {len(recurrent):,} states, more than can be taken apart")
    matrix = question.terms.dice.whole * np.eye(len(recurrent), dtype=np.int64)
    following = np.searchsorted(recurrent, parts.machine.next[recurrent])
    rows = np.repeat(np.arange(len(recurrent)), throws)
    weights = np.tile(question.terms.dice.columns(parts.machine), len(recurrent))
    np.subtract.at(matrix, (rows, following.reshape(-1)), weights)
    matrix[:, 0] = 1
    return recurrent, matrix, question.terms.dice.whole


def _swings(matrix: Ints, weights: Ints, following: Ints, nets: Mapping[str, Ints]) -> dict[str, Floats]:
    """For each sum of nets what one throw changes of what it will come to: without memory, so that squares add up."""
    gains = np.column_stack([(net * weights).sum(axis=1) for net in nets.values()]).astype(np.float64)
    worth = np.linalg.solve(matrix.astype(np.float64), gains)
    means = worth[0] / weights.sum()
    worth[0] = 0
    return {
        name: net - means[place] + worth[following, place] - worth[:, place][:, None]
        for place, (name, net) in enumerate(nets.items())
    }


@dataclass(frozen=True, slots=True)
class Stage:
    """One step of a progression, one value of a count or one stage, in a session."""

    at: Fraction  # the step in units, or the count
    p_reached: float  # the chance that a session ever throws a roll there
    rolls: float  # the mean number of rolls thrown there
    net: float  # the mean of what those rolls bring, in money, and of what stands when the session ends there


class Stages(dict[Fraction, Stage], Answer):
    """The stages of a strategy by their step or count, in one session."""

    FIELDS = "strategy=question.name rolls=question.terms.rolls stages remarks"

    def __init__(self, question: Question, stages: Mapping[Fraction, Stage], remarks: Sequence[str] = ()) -> None:
        super().__init__(stages)
        self.question, self.remarks = question, remarks

    def page(self) -> Iterator[Part]:
        yield f"{self.question.heading}, {self.question.terms.in_words}"
        yield ""
        rows = [(at, each.p_reached, each.rolls, each.net) for at, each in self.items()]
        yield Table(columns("stage exact, reached share, rolls_in_it number, net_in_it net"), rows)
        yield from self.remarks

    @property
    def stages(self) -> dict[Fraction, dict[str, Any]]:
        return {at: picked(each, "p_reached", "rolls", "net") for at, each in self.items()}


def stages_of(question: Question, by: str | None = None, *, progress: OnProgress = None) -> Stages:
    """The stages of a strategy: for each step of a progression, or value of a count, chance to reach, time and cost in.

    It is the same session as that of `question.exact()`: the nets of all stages add up to its mean.
    """
    strategy = _check(question)
    function("progress", progress)
    terms = question.terms
    if terms.hands is not None:
        raise SessionError("stages are told of sessions that rolls, a bankroll and stops end; leave the hands out")
    parts = parts_of(strategy, question.seating, purse_for(strategy, terms), rolls=terms.rolls, progress=progress)
    check_plays(parts.machine)
    _, values = parts.stage(by)
    machine = parts.machine
    walk = _Walk(machine, terms)
    visits, ended, _ = walk.through(None)
    gain = (machine.net * walk.chance).sum(axis=1) * visits
    if terms.run_out:
        last, ends = run_outs(machine, terms.dice)
        gain += np.array([float(end.moment(1)) for end in ends])[last] * ended
    stages = {}
    for level in sorted(set(values)):
        here = np.array([value == level for value in values])
        reached = walk.through(here)[2]
        net = float(gain[here].sum()) * float(machine.minor_unit)
        stages[level] = Stage(level, reached, float(visits[here].sum()), net)
    return Stages(question, stages, remarks_of(machine.about, question.name))


class _Walk:
    """Sessions in double precision by the state they are in, and by their net where money can end them."""

    def __init__(self, machine: Machine, terms: Terms) -> None:
        limits = terms.in_minor_units(machine.minor_unit)
        self.machine, self.limits = machine, limits
        weights = terms.dice.columns(machine)
        self.chance = weights / terms.dice.whole
        self.minds = not limits.free
        reach = int(np.abs(machine.net).max()) * limits.rolls
        behind = [each for each in (limits.loss and limits.loss - 1, limits.bank) if each is not None]
        self.low = -min([reach, *behind]) if self.minds else 0
        self.high = min(reach, reach if limits.win is None else limits.win - 1) if self.minds else 0
        if machine.states * (self.high - self.low + 1) > CELLS_MAX:
            raise SessionError("its states and the money of its sessions are too many to be told by stages")
        nets = np.arange(self.low, self.high + 1)
        short = np.zeros((machine.states, len(nets)), dtype=np.bool_)
        if limits.bank is not None:
            short = limits.bank + nets[None, :] < machine.need[:, None]
        self.stops = short | machine.ended[:, None]  # where no roll is thrown any more
        self.moves = list(self._moves())

    def through(self, until: NDArray[np.bool_] | None) -> tuple[Floats, Floats, float]:
        """Rolls thrown in each state and sessions that end in it; with `until`, the chance to throw in one of those."""
        machine = self.machine
        mass = np.zeros((machine.states, self.high - self.low + 1))
        mass[machine.start, -self.low] = 1.0
        visits, ended, reached = np.zeros(machine.states), np.zeros(machine.states), 0.0
        for _ in range(self.limits.rolls):
            met = np.flatnonzero(mass.any(axis=0))
            begin, end = (int(met[0]), int(met[-1]) + 1) if met.size else (0, 0)
            stops, mass = self.stops[:, begin:end], mass[:, begin:end]
            ended += np.where(stops, mass, 0.0).sum(axis=1)
            mass = np.where(stops, 0.0, mass)
            if until is not None:
                reached += float(mass[until].sum())
                mass[until] = 0.0
            visits += mass.sum(axis=1)
            mass = self._rolled(mass, begin, ended)
        return visits, ended + mass.sum(axis=1), reached

    def _rolled(self, mass: Floats, begin: int, ended: Floats) -> Floats:
        """One roll of sessions with nets from `begin` on; those whose money goes past an end are over."""
        wide, here = self.high - self.low + 1, mass.shape[1]
        after = np.zeros((len(mass), wide))
        for by, source, chance, to, first in self.moves:
            moved = np.add.reduceat(mass[source] * chance[:, None], first, axis=0)
            shift = begin + by
            low = min(max(-shift, 0), here)  # from here on, and up to there, the nets stay between the ends
            high = max(min(wide - shift, here), low)
            after[to, shift + low : shift + high] += moved[:, low:high]
            ended[to] += moved[:, :low].sum(axis=1) + moved[:, high:].sum(axis=1)
        return after

    def _moves(self) -> Iterator[tuple[int, NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]]]:
        """For each sum that a roll can move: from which states, by what chances, to which, and where each begins."""
        states, columns = self.machine.next.shape
        way = self.machine.next.astype(np.int64) * states + np.arange(states)[:, None]
        nets = self.machine.net if self.minds else np.zeros_like(self.machine.net)
        chances = np.broadcast_to(self.chance, (states, columns))
        for by in np.unique(nets).tolist():
            here = nets == by
            known, place = np.unique(way[here], return_inverse=True)
            to, first = np.unique(known // states, return_index=True)
            yield by, known % states, np.bincount(place, chances[here]), to, first
