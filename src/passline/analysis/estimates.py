"""A lab's statistics: control variates, importance sampling, bootstrap, derivatives by the dice, a verdict on dice."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

import numpy as np

from passline.analysis.dice_test import Source, rolls_of
from passline.analysis.question import Question
from passline.analysis.search import Expression
from passline.answers import Z_95, Answer, Part, Table, percent
from passline.engine.values import ROLLS
from passline.errors import ArgumentError, SessionError
from passline.files.amounts import whole_number
from passline.files.arguments import chance as a_chance
from passline.files.arguments import instance, one_of
from passline.machine.dice import FAIR, Given, dice_of
from passline.sim import Sample
from passline.sim.backends import choose
from passline.sim.game import check_seed

BATCH: Final = 4096
RESAMPLES: Final = 2000
A_QUESTION: Final = "a Question, such as `ask('pass_flat')`"
STEPS: Final = 100  # of a weight, in the scale where all come to 36: how little dice are put off for a derivative
PRIOR: Final = 0.5  # Jeffreys' prior for each outcome: how far from fair dice may be before anything is seen


@dataclass(frozen=True, slots=True)
class Estimate(Answer):
    """A figure that was sampled, with its standard error."""

    what: str
    value: float
    standard_error: float
    plain_error: float  # the standard error that as many plain sessions would have

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval."""
        return self.value - Z_95 * self.standard_error, self.value + Z_95 * self.standard_error

    @property
    def saves(self) -> float:
        """How many times as many plain sessions would be needed for the same interval."""
        return (self.plain_error / self.standard_error) ** 2 if self.standard_error else math.inf

    def page(self) -> Iterator[Part]:
        low, high = self.interval
        yield f"{self.what}: {self.value:.6g}, with 95 % from {low:.6g} to {high:.6g}"
        yield f"Plain sessions would have to be {self.saves:,.1f} times as many."

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
    if question.terms.dice != control.terms.dice:
        raise ArgumentError("dice", str(control.terms.dice), "the same dice for both")
    ours, theirs = (_nets(each, sessions, seed) for each in (question, control))
    known = float(control.exact(fractions=False).mean)
    spread = float(theirs.var(ddof=1))
    slope = float(np.cov(ours, theirs)[0, 1]) / spread if spread else 0.0
    steadied = ours - slope * (theirs - known)
    root = math.sqrt(sessions)
    return Estimate(
        f"mean net of {question.name}",
        float(steadied.mean()),
        float(steadied.std(ddof=2)) / root,
        float(ours.std(ddof=1)) / root,
    )


def _nets(question: Question, sessions: int, seed: int) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """The net of every session, in money."""
    game = question.game("auto", seed)
    roller, halt = choose("auto", game, sessions), np.zeros(1, dtype=np.uint8)
    parts = [
        roller.watch(game, first, min(BATCH, sessions - first), halt).played.net.astype(np.float64)
        for first in range(0, sessions, BATCH)
    ]
    return np.concatenate(parts) * float(game.source.grain)


def rare_ruin(question: Question, dice: Given, *, sessions: int = 100_000, seed: int = 0) -> Estimate:
    """The chance of ruin, or of the stop-loss, on dice that bring it about more often, each session weighed back.

    `dice` are those that are thrown, such as `"srr=5"`; the question's own are what the chance is of.
    """
    instance("question", question, Question, A_QUESTION)
    machine, terms = question.session_machine(), question.terms
    limits = terms.in_minor_units(machine.grain)
    if limits.bank is None and limits.loss is None:
        raise ArgumentError("question", question.name, "one with a bankroll or a stop-loss")
    thrown, true = dice_of(dice), terms.dice
    chances = np.array(thrown.weights) / thrown.whole
    ratio = np.log(np.array(true.weights) / true.whole) - np.log(chances)
    random, count = np.random.default_rng(check_seed(seed)), whole_number("sessions", sessions)
    state, net, weight = np.full(count, machine.start), np.zeros(count, dtype=np.int64), np.zeros(count)
    hit = np.zeros(count, dtype=np.bool_)
    live = np.arange(count)
    far = 1 << 62
    for _ in range(terms.rolls):
        short = (
            (limits.bank + net[live] < machine.need[state[live]])
            if limits.bank is not None
            else np.zeros(len(live), bool)
        )
        hit[live[short]] = True
        live = live[~short] if machine.over is None else live[~short & ~machine.over[state[live]]]
        if not len(live):
            break
        throws = random.choice(len(ROLLS), size=len(live), p=chances)
        columns = machine.column[throws]
        net[live] += machine.net[state[live], columns]
        state[live] = machine.next[state[live], columns]
        weight[live] += ratio[throws]
        lost = net[live] <= -(far if limits.loss is None else limits.loss)
        hit[live[lost]] = True
        live = live[~lost & (net[live] < (far if limits.win is None else limits.win))]
    if not hit.any():
        raise SessionError(f"no session of {count:,} was ruined on {thrown}; throw dice that ruin it more often")
    weighed = np.where(hit, np.exp(weight), 0.0)
    value, root = float(weighed.mean()), math.sqrt(count)
    plain = math.sqrt(max(value * (1 - value), 0.0)) / root
    return Estimate(f"ruin of {question.name}", value, float(weighed.std(ddof=1)) / root, plain)


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
    """What a figure of a session's exact law changes by with the weight of each throw."""

    figure: str
    value: float
    # In the order 1-1, 1-2 … 6-6: by one more of its weight, in the scale where all weights come to 36.
    by_throw: tuple[float, ...]

    def page(self) -> Iterator[Part]:
        yield f"{self.figure} is {self.value:.6g}; for each throw what one weight more of 36 would add"
        rows = [(f"{roll.first}-{roll.second}", each) for roll, each in zip(ROLLS, self.by_throw, strict=True)]
        yield Table({"throw": "text", "derivative": "number"}, rows)


def sensitivity(question: Question, figure: str = "mean") -> Sensitivity:
    """The derivative of a figure of the exact law, such as `p_ahead`, by the weight of each of the 36 throws.

    Exact laws on dice a hundredth and two hundredths of a weight off, both ways; the difference quotients are taken
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

    slopes: dict[tuple[int, int], float] = {}  # throws of one weight that the machine does not tell apart are alike
    for throw, alike in enumerate(zip(columns, dice.weights, strict=True)):
        if alike not in slopes:
            near, far = (STEPS * (off(throw, steps) - off(throw, -steps)) / (2 * steps) for steps in (1, 2))
            slopes[alike] = (4 * near - far) / 3
    value = wanted(question.exact(fractions=False))
    return Sensitivity(figure, value, tuple(slopes[alike] for alike in zip(columns, dice.weights, strict=True)))


@dataclass(frozen=True, slots=True)
class DiceVerdict(Answer):
    """One verdict on dice that may be asked for after every roll: sequential and Bayesian at once."""

    rolls: int
    by: str  # what was counted: the pairs of faces where they are known, else the totals
    bayes_factor: float  # how many times likelier the rolls are if the dice may be anything than if they are as said
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

    def page(self) -> Iterator[Part]:
        verdict = "not what they are said to be" if self.suspect else "nothing against them"
        yield f"{self.rolls:,} rolls, by their {self.by}: {verdict}, at a level of {percent(self.level)} for ever."
        row = (self.bayes_factor, self.highest, 1 / self.level, self.probability())
        columns = ("bayes_factor", "highest_on_the_way", "needed")
        yield Table({**dict.fromkeys(columns, "number"), "probability_from_even": "share"}, [row])


def dice_verdict(rolls: Source, *, dice: Given = None, level: float = 0.05) -> DiceVerdict:
    """Hold rolls against dice, one after the other, by a Bayes factor that may be looked at after every roll.

    Each roll multiplies it by how much likelier the roll was for somebody who learns from those before (Jeffreys'
    prior) than for the dice as they are said to be. With such dice it is a fair game from 1, so it ever reaches 20 with
    at most one in twenty (Ville's inequality): no stopping rule spoils it.
    """
    fell, claimed = rolls_of(rolls), dice_of(dice)
    wrong = float(a_chance("level", level))
    expected: defaultdict[object, float] = defaultdict(float)
    ways: Counter[object] = Counter()  # with fair dice
    for roll in ROLLS:
        pair = (max(roll.first, roll.second), min(roll.first, roll.second))
        each: object = roll.total if fell.faces is None else pair
        expected[each] += float(claimed.chance(roll.throw))
        ways[each] += 1
    seen: list[object] = [*fell.totals] if fell.faces is None else [(max(pair), min(pair)) for pair in fell.faces]
    counts, log, highest = dict.fromkeys(expected, 0), 0.0, 0.0
    for number, each in enumerate(seen):
        # The prior leans on fair dice: outcomes of two ways have twice the weight.
        start = PRIOR * len(expected) * (ways[each] / FAIR.whole)
        learnt = (counts[each] + start) / (number + PRIOR * len(expected))
        log += math.log(learnt / expected[each])
        highest = max(highest, log)
        counts[each] += 1
    by = "totals" if fell.faces is None else "pairs of faces"
    return DiceVerdict(len(seen), by, math.exp(min(log, 700)), math.exp(min(highest, 700)), wrong)
