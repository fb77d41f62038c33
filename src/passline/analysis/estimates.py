"""More from the same rolls: one strategy against another on the same dice, and a lab's statistics.

Control variates, importance sampling, bootstrap, derivatives by the dice, a verdict on dice.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Hashable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from passline.analysis.dice_test import Source, rolls_of
from passline.analysis.question import OnProgress, Question, aloud, note_refusals
from passline.analysis.sweep import Expression
from passline.answers import Answer, Part, Table, columns, interval_95, money, percent, remarks_of, signed, wilson
from passline.engine.values import ROLLS, SEVEN
from passline.errors import ArgumentError, QuestionError, SessionError, StrategyError, UnboundedStrategyError
from passline.files.amounts import whole_number
from passline.files.arguments import chance as a_chance
from passline.files.arguments import instance, one_of
from passline.machine.dice import Given, dice_of
from passline.machine.machine import Machine
from passline.machine.terms import Terms
from passline.machine.together import common, together
from passline.odds.sessions.distribution import Distribution
from passline.sim import Interpreted, Sample, simulate
from passline.sim.game import check_seed
from passline.strategies.player.plan import NO_PURSE

A_QUESTION: Final = "a Question, such as `ask('pass_flat')`"
BATCH = 4096  # Sessions whose nets are summed at once, in whole numbers of any size


@dataclass(frozen=True, slots=True)
class Versus(Answer):
    """One strategy less another, session by session on the same dice."""

    FIELDS = """one other terms seed sessions interval standard_error better alike worse correlation
        mean_difference=mean* standard_error_apart=apart exact exact_left_out=why_not remarks"""

    one: str
    other: str
    seed: int
    sessions: int
    mean: Fraction  # the mean of the differences, in money: what the first brings more than the second
    variance: Fraction  # of the difference of one session, in money squared
    better: int  # Sessions in which the first came out ahead of the second
    alike: int
    correlation: float | None  # between the two nets; None where one of them never differs
    apart: float  # the standard error that the difference would have on dice of its own for each: what pairing saves
    exact: Distribution | None  # the exact distribution of the difference, where neither has a bankroll or stops
    why_not: str | None  # why there is none
    remarks: tuple[str, ...] = ()  # what the dealers refuse, and what is rounded
    terms: tuple[str, ...] = ()  # the house, the evening and the unit of each, in words

    @property
    def worse(self) -> int:
        return self.sessions - self.better - self.alike

    @property
    def standard_error(self) -> float:
        return math.sqrt(self.variance / self.sessions)

    @property
    def interval(self) -> tuple[float, float]:
        return interval_95(self.mean, self.standard_error)

    def table(self) -> Table:
        kinds = "one text, other text, seed text, sessions count, mean_difference net, low net, high net, better count"
        mean = None if self.exact is None else self.exact.mean
        row = (self.one, self.other, str(self.seed), self.sessions, self.mean, *self.interval, self.better, self.alike)
        return Table(columns(f"{kinds}, alike count, exact_mean net"), [(*row, mean)])

    def page(self) -> Iterator[Part]:
        low, high = self.interval
        yield f"{self.one} less {self.other}: {self.sessions:,} sessions on the same dice, seed {self.seed}"
        yield from (f"{name}: {terms}." for name, terms in zip((self.one, self.other), self.terms, strict=False))
        yield ""
        yield f"The mean difference is {signed(self.mean)}, 95 % interval {low:,.3f} to {high:,.3f}."
        if self.correlation is not None and self.standard_error:
            wider = f"{self.apart / self.standard_error:.2f} times as wide"
            yield f"Correlation {self.correlation:.3f}: on separate dice the interval would be {wider}."
        exact = self.exact
        counts = {"better": self.better, "alike": self.alike, "worse": self.worse}
        chances = (None, None, None) if exact is None else (exact.p_ahead, exact.p_even, exact.p_behind)
        rows = [
            (word, count, Fraction(count, self.sessions), wilson(count / self.sessions, self.sessions), chance)
            for (word, count), chance in zip(counts.items(), chances, strict=True)
        ]
        yield Table(columns("session text, count count, share share, interval text, exact share"), rows)
        yield from self.remarks
        if self.why_not is not None:
            yield f"No exact distribution: {self.why_not.rstrip('.')}."
        elif exact is not None:
            # A fair pair has a mean of some 1e-16 in double precision, which its bound does not tell from nothing.
            mean = 0 if abs(float(exact.mean)) <= float(exact.mean_error_bound) else exact.mean
            yield f"Exactly: mean {signed(mean)}, standard deviation {money(exact.variance**0.5)} a session."


def versus(  # noqa: PLR0913 - two questions, and how they are rolled
    one: Question,
    other: Question,
    *,
    sessions: int = 20_000,
    seed: int = 0,
    backend: str = "auto",
    progress: OnProgress = None,
) -> Versus:
    """Hold one question against another on the same dice, session by session.

    >>> from passline import ask
    >>> flat, odds = (ask(name, house="strip", unit=5, rolls=30) for name in ("pass_flat", "pass_max_odds"))
    >>> abs(versus(flat, odds, sessions=50, backend="numpy").exact.mean) < 1e-12
    True
    """
    for each in (one, other):
        instance("question", each, Question, A_QUESTION)
    sessions = whole_number("sessions", sessions, least=2)
    how = {"sessions": sessions, "seed": seed, "backend": backend}
    rolled = [*_on_the_same_dice((one, other), how, progress)]
    minor_unit = common([source.minor_unit for source, _ in rolled])
    sums = [0] * 7
    for first in range(0, sessions, BATCH):
        batch = slice(first, first + BATCH)
        a, b = (int(source.minor_unit / minor_unit) * nets[batch].astype(object) for source, nets in rolled)
        parts = (a > b, a == b, a, b, a * a, b * b, a * b)
        sums = [before + int(part.sum()) for before, part in zip(sums, parts, strict=True)]
    exact, why_not = _exactly(one, other)
    better, alike, won_a, won_b, aa, bb, ab = sums
    spread_a, spread_b, both = (  # unbiased, as those of a sample
        Fraction(sessions * square - product, sessions * (sessions - 1))
        for square, product in ((aa, won_a**2), (bb, won_b**2), (ab, won_a * won_b))
    )
    return Versus(
        one=one.name,
        other=other.name,
        seed=seed,
        sessions=sessions,
        mean=Fraction(won_a - won_b, sessions) * minor_unit,
        variance=(spread_a + spread_b - 2 * both) * minor_unit**2,
        better=better,
        alike=alike,
        correlation=float(both) / math.sqrt(spread_a * spread_b) if spread_a and spread_b else None,
        apart=math.sqrt((spread_a + spread_b) / sessions) * float(minor_unit),
        exact=exact,
        why_not=why_not,
        remarks=tuple(dict.fromkeys(remark for source, _ in rolled for remark in remarks_of(source.about))),
        terms=tuple(f"{x.seating.house.id}, {x.terms.in_words}, unit {x.seating.unit}" for x in (one, other)),
    )


Nets = NDArray[np.int64]  # of each session, in minor units of what was rolled


def _on_the_same_dice(
    questions: tuple[Question, Question], how: dict[str, Any], progress: OnProgress = None
) -> Iterator[tuple[Machine | Interpreted, Nets]]:
    one, other = questions
    if one.terms.dice != other.terms.dice:
        raise ArgumentError("dice", str(other.terms.dice), "the same dice for both")
    for question, source in [(each, each.source(how["backend"])) for each in questions]:
        nets = _nets_of(source, question.terms, how, progress)
        if isinstance(source, Interpreted):
            note_refusals(question.name, source)
        yield source, nets


def _nets_of(source: Machine | Interpreted, terms: Terms, how: dict[str, Any], progress: OnProgress) -> Nets:
    parts: list[Nets] = []
    sample = simulate(
        source,
        terms,
        **how,
        watch=1,
        receive=lambda _, played: parts.append(played.net.copy()),
        progress=None if progress is None else lambda now: progress(now.sessions_done, now.sessions),
    )
    if not sample.complete:
        raise KeyboardInterrupt
    return np.concatenate(parts)


def _exactly(one: Question, other: Question) -> tuple[Distribution | None, str | None]:
    """The exact distribution of the difference, or why there is none."""
    from passline.odds.sessions.distribution import distribution_of

    if any(each.terms.purse != NO_PURSE for each in (one, other)):
        return None, "a bankroll or a stop ends one session and not the other"
    terms = one.terms
    if (terms.rolls, terms.at_end) != (other.terms.rolls, other.terms.at_end):
        return None, "the two sessions do not end alike"
    try:
        both = together([each.session_machine() for each in (one, other)], (1, -1))
        return distribution_of(both, Terms(terms.rolls, at_end=terms.at_end, dice=terms.dice), exact=False), None
    except UnboundedStrategyError as error:  # what would bound it is no answer here: it is played already
        return None, error.why
    except (StrategyError, QuestionError) as error:
        return None, str(error)


# --- Estimates --------------------------------------------------------------------------------------------------------

RESAMPLES: Final = 2000
STEPS: Final = 100  # of a weight, in the scale where all come to 36: how little dice are put off for a derivative
WORTH_ROLLS: Final = 200  # Rolls ahead by which the worth of a state is known
POWER_MAX: Final = 20.0  # how often the largest gain of a roll is multiplied by e, at most
EXP_MAX: Final = 700.0  # a Bayes factor beyond e to this is written as that
ROUNDING: Final = 1e-9  # of the standard error of plain sessions: what is below it comes of doubles alone
PRIOR: Final = 0.5  # Jeffreys' prior for each outcome: how far from fair dice may be before anything is seen


@dataclass(frozen=True, slots=True)
class Estimate(Answer):
    what: str
    value: float
    standard_error: float
    plain_error: float  # the standard error that as many plain sessions would have

    @property
    def interval(self) -> tuple[float, float]:
        return interval_95(self.value, self.standard_error)

    @property
    def saves(self) -> float:
        """How many times as many plain sessions would be needed for the same interval."""
        return math.inf if self._is_rounding else (self.plain_error / self.standard_error) ** 2

    @property
    def _is_rounding(self) -> bool:
        return self.standard_error <= ROUNDING * self.plain_error

    def page(self) -> Iterator[Part]:
        if self._is_rounding:
            yield f"{self.what}: {self.value:.6g}. All sessions agree on it, so they do not tell how far off it is."
            return
        low, high = self.interval
        yield f"{self.what}: {self.value:.6g}, 95 % interval {low:.6g} to {high:.6g}"
        yield f"Plain simulation would need {self.saves:,.1f} times as many sessions for the same interval."

    def table(self) -> Table:
        row = (self.what, self.value, self.standard_error, self.plain_error)
        return Table({"figure": "text", "value": "number", "standard_error": "number", "plain_error": "number"}, [row])


def controlled(question: Question, control: Question, *, sessions: int = 20_000, seed: int = 0) -> Estimate:
    """The mean net of a question, steadied by another on the same dice whose exact mean is known.

    What the control won by luck, the question probably won too; that part is taken off.
    """
    sessions = whole_number("sessions", sessions, least=3)
    instance("question", question, Question, A_QUESTION)
    instance("control", control, Question, A_QUESTION)
    rolled = _on_the_same_dice((question, control), {"sessions": sessions, "seed": seed, "backend": "auto"})
    ours, theirs = (nets * float(source.minor_unit) for source, nets in rolled)
    known = float(control.exact(fractions=False).mean)
    spread = float(theirs.var(ddof=1))
    slope = float(np.cov(ours, theirs)[0, 1]) / spread if spread else 0.0
    steadied = ours - slope * (theirs - known)
    errors = (float(steadied.std(ddof=2)) / math.sqrt(sessions), float(ours.std(ddof=1)) / math.sqrt(sessions))
    return Estimate(f"mean net of {question.name}", float(steadied.mean()), *errors)


def rare(question: Question, *, lasts: int | None = None, sessions: int = 100_000, seed: int = 0) -> Estimate:
    """The chance of ruin or the stop-loss, or that a session `lasts` so many rolls, however rare it is.

    In each state the throws that lead there fall more often than they should, and each session is weighed back. A
    hand of 154 rolls is `rare(ask("pass_flat", hands=1, rolls=154), lasts=154)`.
    """
    instance("question", question, Question, A_QUESTION)
    machine, terms = question.session_machine(), question.terms
    limits = terms.in_minor_units(machine.minor_unit)
    if lasts is None and limits.bank is None and limits.loss is None:
        raise ArgumentError("bankroll", "none", "a bankroll or a stop-loss, without which nobody is ruined")
    rolls = terms.rolls if lasts is None else whole_number("lasts", lasts, least=2, most=terms.rolls) - 1
    count, random = whole_number("sessions", sessions), np.random.default_rng(check_seed(seed))
    far = 1 << 62
    bank, loss, win = (far if each is None else each for each in (limits.bank, limits.loss, limits.win))
    over = machine.ended
    chances = np.array(terms.dice.columns(machine)) / terms.dice.whole
    reached, ratio = _tilted(machine, chances, over, None if lasts else -min(bank, loss) / rolls)
    state, net, weight = np.full(count, machine.start), np.zeros(count, dtype=np.int64), np.zeros(count)
    hit, live = np.zeros(count, dtype=np.bool_), np.arange(count)
    for _ in range(rolls):
        short = bank + net[live] < machine.need[state[live]]
        hit[live[short]] = True
        live = live[~short & ~over[state[live]]]
        at = state[live]
        columns = (random.random(len(live))[:, None] > reached[at, :-1]).sum(axis=1)
        net[live] += machine.net[at, columns]
        weight[live] += ratio[at, columns]
        state[live] = machine.next[at, columns]
        lost = net[live] <= -loss
        hit[live[lost]] = True
        live = live[~lost & (net[live] < win)]
    if lasts:
        hit[:] = False
        hit[live[~over[state[live]] & (bank + net[live] >= machine.need[state[live]])]] = True
    what = "ruin" if lasts is None else f"{lasts:,} rolls or more"
    if not hit.any():
        raise SessionError(f"none of {count:,} sessions came to {what}; ask for more of them")
    weighed = np.where(hit, np.exp(weight), 0.0)
    value, root = float(weighed.mean()), math.sqrt(count)
    plain = math.sqrt(max(value * (1 - value), 0.0)) / root
    return Estimate(f"{what} of {question.name}", value, float(weighed.std(ddof=1)) / root, plain)


def _tilted(
    machine: Machine, chances: NDArray[np.float64], over: NDArray[np.bool_], drift: float | None
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """For each state the throws that bring a session about, as sums of their chances, and what weighs each back (log).

    Exponential tilting: a throw is the likelier the more it loses and the better the state after it is, by the power
    that makes the mean net of a roll `drift`; without one, as those fall who are still playing. Any power and any worth
    of states give the right chance; these give it with few sessions.
    """
    dead = 0.0 if drift is None else 1e-3
    steps = machine.net / max(1, int(np.abs(machine.net).max()))
    worth = np.where(over, dead, 1.0)

    def growth(power: float) -> tuple[float, NDArray[np.float64], NDArray[np.float64]]:
        """By how much a roll multiplies the worth of a state in the end, that worth, and the weight of each throw."""
        each, by = worth, 1.0
        moved = chances * np.exp(power * steps)
        for _ in range(WORTH_ROLLS):
            ahead = np.where(over, 0.0, (moved * each[machine.next]).sum(axis=1))
            by = float(ahead.max())
            each = np.where(over, dead, ahead / by)
        return math.log(by), each, moved

    power = 0.0
    if drift is not None:
        wanted = drift / max(1, int(np.abs(machine.net).max()))
        low, high = -POWER_MAX, 0.0
        while high - low > POWER_MAX / 1000:  # the least of a convex function
            one, other = low + (high - low) / 3, high - (high - low) / 3
            if growth(one)[0] - one * wanted < growth(other)[0] - other * wanted:
                high = other
            else:
                low = one
        power = (low + high) / 2
    _, worth, moved = growth(power)
    weights = moved * worth[machine.next]
    whole = weights.sum(axis=1, keepdims=True)
    bent = np.where(whole > 0, weights / np.where(whole > 0, whole, 1), chances)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(bent > 0, np.log(chances) - np.log(bent), 0.0)
    return bent.cumsum(axis=1), ratio


def bootstrap(sample: Sample, chance: float = 0.5, *, figure: str = "net", seed: int = 0) -> tuple[Fraction, Fraction]:
    """The 95 % interval of a quantile of a sample's `net` or `drawdown`, by drawing it anew from itself."""
    wanted = float(a_chance("chance", chance))
    one_of("figure", figure, ("net", "drawdown"))
    instance("sample", sample, Sample, "a Sample, such as `question.simulate()`")
    amounts = sample.net if figure == "net" else sample.drawdown
    counts = np.array([count for _, count in amounts], dtype=np.int64)
    drawn = np.random.default_rng(check_seed(seed)).multinomial(counts.sum(), counts / counts.sum(), size=RESAMPLES)
    reached = (drawn.cumsum(axis=1) >= math.ceil(wanted * int(counts.sum()))).argmax(axis=1)
    low, high = np.quantile(reached, [0.025, 0.975], method="nearest").astype(int)
    values = [Fraction(amount) for amount, _ in amounts]
    return values[low], values[high]


@dataclass(frozen=True, slots=True)
class Sensitivity(Answer):
    """What a figure of a session's exact distribution changes by with the weight of each throw."""

    figure: str
    value: float
    # In the order 1-1, 1-2 … 6-6: by one more of its weight, in the scale where all weights come to 36.
    by_throw: tuple[float, ...]

    def page(self) -> Iterator[Part]:
        yield f"{self.figure} is {self.value:.6g}; below, its change with each throw's weight (of 36)"
        rows = [(f"{roll.first}-{roll.second}", each) for roll, each in zip(ROLLS, self.by_throw, strict=True)]
        yield Table({"throw": "text", "derivative": "number"}, rows)


def sensitivity(question: Question, figure: str = "mean", *, progress: OnProgress = None) -> Sensitivity:
    """The derivative of a figure of the exact distribution, such as `p_ahead`, by the weight of each of the 36 throws.

    Exact distributions on dice a hundredth and two hundredths of a weight off, both ways; the difference quotients
    together so that their errors of second order cancel (Richardson).
    """
    instance("question", question, Question, A_QUESTION)
    wanted, dice = Expression(figure, "figure"), question.terms.dice
    columns = question.machine().column.tolist()

    def off(throw: int, steps: int) -> float:
        weights = [each * len(ROLLS) * STEPS for each in dice.weights]
        weights[throw] += steps * dice.whole
        terms = replace(question.terms, dice=dice_of(weights))
        return wanted(replace(question, terms=terms).exact(fractions=False))

    spoken = aloud(f"{question.name}, throws", progress)
    slopes: dict[tuple[int, int], float] = {}  # throws of one weight that the machine does not tell apart are alike
    for throw, alike in enumerate(zip(columns, dice.weights, strict=True)):
        if alike not in slopes:
            near, far = (STEPS * (off(throw, steps) - off(throw, -steps)) / (2 * steps) for steps in (1, 2))
            slopes[alike] = (4 * near - far) / 3
        spoken(throw + 1, len(ROLLS))
    value = wanted(question.exact(fractions=False))
    return Sensitivity(figure, value, tuple(slopes[alike] for alike in zip(columns, dice.weights, strict=True)))


@dataclass(frozen=True, slots=True)
class DiceVerdict(Answer):
    """One verdict on dice that may be asked for after every roll: sequential and Bayesian at once."""

    FIELDS = "rolls factors bayes_factor highest level suspect probability_from_even"

    rolls: int
    # How many times likelier the rolls are than on dice as said, for each way in which dice may be different.
    factors: Mapping[str, float]
    bayes_factor: float  # their mean: all these ways held for equally likely
    highest: float  # the most that it ever was on the way: what a watcher who stops whenever he likes goes by
    level: float

    @property
    def suspect(self) -> bool:
        """Whether the dice are not as said; wrong for good ones with at most `level`, however long one looks."""
        return self.highest >= 1 / self.level

    def probability(self, before: float = 0.5) -> float:
        """The probability that the dice are not as said, for somebody who held it for this before the rolls."""
        odds = self.bayes_factor * before / (1 - before) if before < 1 else math.inf
        return 1.0 if math.isinf(odds) else odds / (1 + odds)

    @property
    def probability_from_even(self) -> float:
        return self.probability()

    def page(self) -> Iterator[Part]:
        verdict = "not what they are said to be" if self.suspect else "no proof against them"
        yield f"{self.rolls:,} rolls, by their {', '.join(self.factors)}: {verdict}."
        yield (
            f"The Bayes factor against them is {self.bayes_factor:.3g}, and was never over {self.highest:.3g}. "
            f"{1 / self.level:g} is proof enough: good dice ever reach it at most {percent(self.level)} of the time."
        )
        rows = [(name, f"{factor:.3g}") for name, factor in self.factors.items()]
        yield Table({"by": "text", "Bayes factor": "text"}, rows)
        chance = percent(self.probability_from_even)
        yield f"If you thought it even before, the chance that these dice are off is now {chance}."

    def table(self) -> Table:
        return Table({"by": "text", "bayes_factor": "number"}, [*self.factors.items(), ("all", self.bayes_factor)])


class _Learner:
    """Outcomes by how often they fell, from a prior that leans on fair dice."""

    def __init__(self, fair: Counter[Hashable]) -> None:
        self.whole = PRIOR * len(fair)
        self.weights = {each: self.whole * ways / fair.total() for each, ways in fair.items()}

    def chance(self, outcome: Hashable) -> float:
        """What the next one was held for, before it is learnt."""
        held = self.weights[outcome] / self.whole
        self.weights[outcome] += 1
        self.whole += 1
        return held


def dice_verdict(rolls: Source, *, dice: Given = None, level: float = 0.05) -> DiceVerdict:
    """Hold rolls against dice, one after the other, by a Bayes factor that may be looked at after every roll.

    Each roll multiplies it by how much likelier the roll was for somebody who learns from those before (Jeffreys'
    prior) than for the dice as they are said to be: how often sevens fall, which faces do, or any pair as it likes.
    With such dice each is a fair game from 1, and so is their mean, so it ever reaches 20 with at most one in twenty
    (Ville's inequality): no stopping rule spoils it.
    """
    fell, claimed = rolls_of(rolls), dice_of(dice)
    wrong = float(a_chance("level", level))
    whole = "totals" if fell.faces is None else "pairs of faces"
    expected: dict[str, defaultdict[Hashable, float]] = {"sevens": defaultdict(float), whole: defaultdict(float)}
    fair: dict[str, Counter[Hashable]] = {name: Counter() for name in expected}
    for roll in ROLLS:
        outcome = _outcome(roll.total, roll if fell.faces else None)
        for name, each in (("sevens", roll.total == SEVEN), (whole, outcome)):
            expected[name][each] += float(claimed.chance(roll.throw))
            fair[name][each] += 1
    learners = {name: _Learner(ways) for name, ways in fair.items()}
    logs: dict[str, float] = dict.fromkeys([*learners, *(["faces"] if fell.faces else [])], 0.0)
    faces, highest = _Learner(Counter(range(1, 7))), 0.0
    for place, total in enumerate(fell.totals):
        pair = fell.faces[place] if fell.faces else None
        for name, each in (("sevens", total == SEVEN), (whole, _outcome(total, pair))):
            logs[name] += math.log(learners[name].chance(each) / expected[name][each])
        if pair:
            ways = 1 if pair[0] == pair[1] else 2
            chance = ways * faces.chance(pair[0]) * faces.chance(pair[1])
            logs["faces"] += math.log(chance / expected[whole][_outcome(total, pair)])
        highest = max(highest, _mean(logs.values()))
    factors = {name: math.exp(min(log, EXP_MAX)) for name, log in logs.items()}
    mean, most = (math.exp(min(log, EXP_MAX)) for log in (_mean(logs.values()), highest))
    return DiceVerdict(len(fell.totals), factors, mean, most, wrong)


def _outcome(total: int, pair: tuple[int, int] | None) -> Hashable:
    """What fell, as far as two dice that nobody tells apart show it."""
    return (max(pair), min(pair)) if pair else total


def _mean(logs: Collection[float]) -> float:
    return float(np.logaddexp.reduce([*logs])) - math.log(len(logs))
