"""One strategy against another on the same dice, session by session."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from passline.analysis.question import Question, note_refusals
from passline.answers import Answer, Kind, Part, Table, interval_95, money, picked, remarks_of, signed, wilson
from passline.errors import ArgumentError, QuestionError, StrategyError, UnboundedStrategyError
from passline.files.amounts import whole_number
from passline.files.arguments import instance
from passline.machine.machine import Machine
from passline.machine.terms import Terms
from passline.machine.together import common, together
from passline.odds.sessions.distribution import Distribution
from passline.sim import Interpreted, simulate
from passline.strategies.player.plan import NO_PURSE

BATCH = 4096  # Sessions whose nets are summed at once, in whole numbers of any size


@dataclass(frozen=True, slots=True)
class Versus(Answer):
    """One strategy less another, session by session on the same dice."""

    FIELDS = """one other terms seed sessions interval standard_error better alike worse correlation
        mean_difference=mean* standard_error_apart=apart exact exact_left_out=left_out remarks"""

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
    why_not: str  # why there is none
    remarks: tuple[str, ...] = ()  # what the dealers refuse, and what is rounded
    terms: tuple[str, ...] = ()  # the house, the evening and the unit of each, in words

    @property
    def left_out(self) -> str | None:
        return self.why_not or None

    @property
    def worse(self) -> int:
        return self.sessions - self.better - self.alike

    @property
    def standard_error(self) -> float:
        return math.sqrt(self.variance / self.sessions)

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the mean difference."""
        return interval_95(self.mean, self.standard_error)

    def table(self) -> Table:
        columns: dict[str, Kind] = {"one": "text", "other": "text", "seed": "text", "sessions": "count"}
        columns |= {"mean_difference": "net", "low": "net", "high": "net", "better": "count", "alike": "count"}
        mean = None if self.exact is None else self.exact.mean
        row = (self.one, self.other, str(self.seed), self.sessions, self.mean, *self.interval, self.better, self.alike)
        return Table({**columns, "exact_mean": "net"}, [(*row, mean)])

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
        counts = picked(self, "better", "alike", "worse")
        chances = (None, None, None) if exact is None else (exact.p_ahead, exact.p_even, exact.p_behind)
        rows = [
            (word, count, Fraction(count, self.sessions), wilson(count / self.sessions, self.sessions), chance)
            for (word, count), chance in zip(counts.items(), chances, strict=True)
        ]
        columns: dict[str, Kind] = {"session": "text", "count": "count", "share": "share", "interval": "text"}
        yield Table({**columns, "exact": "share"}, rows)
        yield from self.remarks
        if exact is None:
            yield f"No exact distribution: {self.why_not.rstrip('.')}."
        else:
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
    progress: Callable[[int, int], None] | None = None,
) -> Versus:
    """Hold one question against another on the same dice, session by session.

    >>> from passline import ask
    >>> flat, odds = (ask(name, house="strip", unit=5, rolls=30) for name in ("pass_flat", "pass_max_odds"))
    >>> abs(versus(flat, odds, sessions=50, backend="numpy").exact.mean) < 1e-12
    True
    """
    for each in (one, other):
        instance("question", each, Question, "a Question, such as `ask('pass_flat')`")
    sessions = whole_number("sessions", sessions, least=2)
    if one.terms.dice != other.terms.dice:
        raise ArgumentError("dice", str(other.terms.dice), "the same dice for both")
    sources = [each.source(backend) for each in (one, other)]
    minor_unit = common([source.minor_unit for source in sources])
    nets = [
        nets_of(source, each.terms, {"sessions": sessions, "seed": seed, "backend": backend}, progress)
        for source, each in zip(sources, (one, other), strict=True)
    ]
    for source, each in zip(sources, (one, other), strict=True):
        if isinstance(source, Interpreted):
            note_refusals(each.name, source)
    times = [int(source.minor_unit / minor_unit) for source in sources]
    better = alike = 0
    sums = [0] * 5
    for first in range(0, sessions, BATCH):
        a, b = (factor * each[first : first + BATCH].astype(object) for factor, each in zip(times, nets, strict=True))
        better += int((a > b).sum())
        alike += int((a == b).sum())
        for place, total in enumerate((a.sum(), b.sum(), (a * a).sum(), (b * b).sum(), (a * b).sum())):
            sums[place] += int(total)
    exact, why_not = _exactly(one, other)
    won_a, won_b, aa, bb, ab = sums
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
        remarks=tuple(dict.fromkeys(remark for source in sources for remark in remarks_of(source.about))),
        terms=tuple(
            f"{each.seating.house.id}, {each.terms.in_words}, unit {each.seating.unit}" for each in (one, other)
        ),
    )


def nets_of(
    source: Machine | Interpreted,
    terms: Terms,
    how: dict[str, Any],
    progress: Callable[[int, int], None] | None = None,
) -> NDArray[np.int64]:
    """What each of so many sessions came to, in the source's minor units."""
    parts: list[NDArray[np.int64]] = []
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


def _exactly(one: Question, other: Question) -> tuple[Distribution | None, str]:
    """The exact distribution of the difference, or why there is none."""
    from passline.odds.sessions.distribution import distribution_of

    if any(each.terms.purse != NO_PURSE for each in (one, other)):
        return None, "a bankroll or a stop ends one session and not the other"
    terms = one.terms
    if (terms.rolls, terms.at_end) != (other.terms.rolls, other.terms.at_end):
        return None, "the two sessions do not end alike"
    try:
        both = together([each.session_machine() for each in (one, other)], (1, -1))
        return distribution_of(both, Terms(terms.rolls, at_end=terms.at_end, dice=terms.dice), exact=False), ""
    except UnboundedStrategyError as error:  # what would bound it is no answer here: it is played already
        return None, error.why
    except (StrategyError, QuestionError) as error:
        return None, str(error)
