"""What `exact` and `simulate` print: a session worked out, a sample held against it, strategies side by side.

And what becomes of a bankroll if nobody ever leaves, and the share of it that makes it grow fastest.
"""

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from passline.analysis.question import OnProgress, Question, command
from passline.answers import AGAIN, Z_95, Answer, Part, Several, Table, columns, figures, percent, picked, written
from passline.errors import ArgumentError, QuestionError, SessionError, StrategyError
from passline.files.arguments import instance
from passline.machine.terms import AtEnd
from passline.odds.sessions.chain import Chain, chain_of
from passline.odds.sessions.distribution import Distribution
from passline.odds.sessions.long_run import LongRun, per_roll
from passline.sim import Sample

PATIENCE_S: Final = 20.0  # how long the exact answer may take; longer, and the sample stands alone
LOOK_S: Final = 1.0  # after so long it is worked out how long the rest would take
# What is told first, of where a sample comes from.
WHENCE: Final = ("strategy", "house", "unit", "house_hash", "strategy_hash")
INTERRUPTED: Final = "the run was interrupted"


@dataclass(frozen=True, slots=True)
class ExactSession(Answer):
    """A session worked out, with what was asked about it beside."""

    question: Question
    distribution: Distribution
    long_run: LongRun | None  # what the strategy comes to if nothing ends it, where that is known
    command: str
    result: str | None = None  # a net whose chance is wanted
    for_ever: bool = False  # whether ruin some time and the growth of a bankroll are wanted too

    def table(self) -> Table:
        return self.distribution.table()

    def chart(self, path: Path | str) -> None:
        self.distribution.chart(path)

    def page(self) -> Iterator[Part]:
        question, distribution = self.question, self.distribution
        yield question.heading
        yield next(iter(distribution.page()))
        yield ""
        yield from distribution.sentences()
        yield long_run_in_words(self.long_run, question.terms.at_end)
        yield ""
        yield from distribution.pictures()
        if self.for_ever:
            yield ""
            yield from self._for_ever_in_words()
        if self.result is not None:
            most, least = map(percent, self._beyond().values())
            yield ""
            yield f"The chance of {self.result} or less is {most}, of {self.result} or more {least}."
        yield ""
        yield f"{AGAIN}{self.command}"

    def data(self) -> dict[str, Any]:
        chances = [(written(net), written(chance)) for net, chance in self.distribution.chances().items()]
        values = {**self.distribution.data(), "distribution": chances, **picked(self, "long_run", "command")}
        if self.result is not None:
            values["result"] = {"net": self.result, **figures(self, **self._beyond())}
        return {**values, "for_ever": self._for_ever()} if self.for_ever else values

    def _beyond(self) -> dict[str, Fraction | float]:
        """The chance of the result that was wanted or a worse one, and of it or a better one."""
        assert self.result is not None, "a net was wanted"
        return {f"p_at_{side}": getattr(self.distribution, f"p_at_{side}")(self.result) for side in ("most", "least")}

    def _for_ever(self) -> dict[str, Any]:
        ruin, why_not = self._ruin()
        growth = growth_of(self.question).data()
        return {"p_ruin": ruin, "p_ruin_left_out": why_not, **{f"growth_{name}": each for name, each in growth.items()}}

    def _ruin(self) -> tuple[float | None, str | None]:
        try:
            return None if self.question.terms.bankroll is None else ruin_for_ever(self.question), None
        except SessionError as error:  # its equations are too many
            return None, str(error)

    def _for_ever_in_words(self) -> Iterator[Part]:
        ruin, why_not = self._ruin()
        if why_not is not None:
            yield f"If play goes on for ever, the chance of ruin is not known: {why_not}."
        elif ruin is None:
            yield "Without a bankroll you never go broke."
        else:
            yield f"If play goes on for ever, the chance of ruin is {percent(ruin)}."
        yield from growth_of(self.question).page()


@dataclass(frozen=True, slots=True)
class Checked(Answer):
    """A sample, and the exact answer to the same question beside it."""

    question: Question
    sample: Sample
    exact: Distribution | None
    why_not: str = ""  # why there is no exact answer, where there is none
    long_run: LongRun | None = None

    @property
    def z_scores(self) -> dict[str, float]:
        """How many standard errors the sample's mean and shares lie from the exact ones."""
        return {} if self.exact is None else self.sample.z_scores(self.exact)

    def table(self) -> Table:
        return self.sample.table()

    def page(self) -> Iterator[Part]:
        yield self.question.heading
        yield from self.sample.page(self.exact)
        yield long_run_in_words(self.long_run, self.question.terms.at_end)
        if self.exact is None:
            yield f"No exact answer: {self.why_not}."

    def data(self) -> dict[str, Any]:
        about, z = self.sample.about, self.z_scores
        return {
            **{key: about[key] for key in WHENCE if key in about},
            **self.sample.data(),
            "exact": None if self.exact is None else {**self.exact.data(), "z_scores": z},
            "exact_left_out": self.why_not or None,
            "z_score": z.get("mean"),
            "long_run": self.long_run,
        }


@dataclass(frozen=True)
class Simulated(Several):
    """Strategies played on the same dice, each beside its exact answer."""

    answers: Sequence[Checked]
    names: Sequence[str]  # what was to be played: more than there are answers where somebody stopped it
    questions: Sequence[Question]
    more: Mapping[str, object]  # what the command line says of sessions, seed and backend

    def page(self) -> Iterator[Part]:
        yield from super().page()
        yield ""
        if len(self.answers) > 1:
            wide = side_by_side(self.names, [each.sample for each in self.answers])
            narrow = [(column, at) for at, column in enumerate(wide.columns) if column in NARROW]
            rows = [[row[at] for _, at in narrow] for row in wide.rows]
            yield Table({NARROW[column]: wide.columns[column] for column, _ in narrow}, rows)
            yield ""
        yield f"{AGAIN}{command('simulate', self.names, self.questions, **self.more)}"

    def objects(self) -> list[dict[str, Any]]:
        return [
            {**each.to_json(), "command": command("simulate", [name], [each.question], **self.more)}
            for name, each in zip(self.names, self.answers, strict=False)
        ]

    def chart(self, path: Path | str) -> None:
        from passline.analysis import charts

        samples, exact = [each.sample for each in self.answers], [each.exact for each in self.answers]
        charts.save(path, samples, exact=exact)

    @property
    def stopped(self) -> str:  # type: ignore[override]
        last, left = self.answers[-1].sample, self.names[len(self.answers) :]
        if last.complete and not left:
            return ""
        done = f"Stopped: {last.title} has {last.sessions:,} of {last.terms['sessions']:,} sessions, which are kept"
        return f"{done}; not played: {', '.join(left)}." if left else f"{done}."


# What a terminal has room for, and how it is headed there.
NARROW: Final = {"strategy": "the same dice"} | {
    column: column for column in ("mean", "95 % ±", "ahead", "no next bet", "5 %", "median", "95 %")
}


def side_by_side(names: Sequence[str], results: Sequence[Sample | Distribution]) -> Table:
    kinds = "strategy text, mean net, 95 % ± number, deviation money, ahead share, no next bet share"
    kinds += ", loss of the action edge, action money, loss per hour money"
    kinds += ", 5 % net, median net, 95 % net, worst net, best net, rolls number"
    rows = [
        (
            *(name, x.mean, Z_95 * x.standard_error if isinstance(x, Sample) else None, x.deviation),
            *(x.p_ahead, x.p_ruin, x.edge, x.action, x.loss_per_hour),
            *(*(x.quantiles[cut] for cut in (0.05, 0.5, 0.95)), x.worst, x.best, x.rolls_played),
        )
        for name, x in zip(names, results, strict=False)
    ]
    return Table(columns(kinds), rows)


def long_run_in_words(long_run: LongRun | None, at_end: AtEnd) -> str:
    """What becomes of what stands at the end of a session, and what the strategy keeps losing beside it."""
    ends = {"run-out": "are played out", "face": "count at face value, which biases the edge"}
    end = f"Bets still up at the end {ends[at_end]}."
    if long_run is None or long_run.edge is None:
        return f"{end} The long-run edge is not known here."
    verb = "loses" if long_run.edge >= 0 else "wins"
    return f"{end} In the long run it {verb} {abs(float(long_run.edge)):.3%} of the action."


def check(question: Question, sample: Sample, progress: OnProgress = None) -> Checked:
    """The exact distribution beside a sample, in double precision, unless that takes longer than anybody waits."""
    if not sample.complete:
        return Checked(question, sample, None, INTERRUPTED)
    exact, why_not = None, ""
    try:
        question.machine(states_max=question.states_worth(sample.sessions))
        exact = question.exact(fractions=False, progress=_impatient(progress))
    except StrategyError:
        why_not = "the strategy has no machine"
    except QuestionError:
        why_not = "it would take too long; `passline exact` works it out"
    return Checked(question, sample, exact, why_not, question.long_run_beside())


def _impatient(progress: OnProgress) -> Callable[[int, int], None]:
    """Pass progress on, and give up as soon as the end is seen to be too far off: in this thread's processor time."""
    began = time.thread_time()

    def seen(done: int, total: int) -> None:
        spent = time.thread_time() - began
        if progress is not None:
            progress(done, total)
        if done and spent > LOOK_S and spent / done * total > PATIENCE_S:
            raise QuestionError(f"the exact answer would take over {PATIENCE_S:.0f} seconds")

    return seen


# --- For ever ---------------------------------------------------------------------------------------------------------

CELLS_MAX = 6000  # States times nets up to which the equations are solved
SETTLED = 1e-10  # what twice as many equations may change
LOSES_NEVER = -500.0  # a power beyond which a game has no loss that could be seen


@dataclass(frozen=True, slots=True, eq=False)
class Growth(Answer):
    """How fast a bankroll grows if one unit is always the same share of it, in the long run.

    The share is set anew with every decision. Bets that stand while others are decided are counted as if they followed
    the bankroll too.
    """

    FIELDS = "share per_roll=rate per_roll_at_half=rate_at_half"

    nets: NDArray[np.float64]  # what a roll can bring, in units
    chances: NDArray[np.float64]  # how often it does, in the long run

    @property
    def share(self) -> float:
        """The share that makes it grow fastest (Kelly); nothing where the game is not in the player's favour."""
        if float(self.nets @ self.chances) <= 0 or float(self.nets.min()) >= 0:
            return 0.0
        low, high = 0.0, -1 / float(self.nets.min())
        for _ in range(200):
            middle = (low + high) / 2
            slope = float((self.chances * self.nets / (1 + middle * self.nets)).sum())
            low, high = (middle, high) if slope > 0 else (low, middle)
        return low

    @property
    def rate(self) -> float:
        return self.at(self.share)

    @property
    def rate_at_half(self) -> float:
        return self.at(self.share / 2)

    def at(self, share: float) -> float:
        """The mean growth of the bankroll's logarithm for each roll, at any share."""
        with np.errstate(divide="ignore", invalid="ignore"):
            grown = np.log1p(share * self.nets)
        return float(self.chances @ grown) if np.isfinite(grown).all() else -math.inf

    def page(self) -> Iterator[Part]:
        if not self.share:
            yield "No share of a bankroll makes it grow: the game is not in the player's favour."
            return
        yield f"A bankroll grows fastest with a unit of {percent(self.share)} of it (Kelly)."
        slower = f"with half that unit by {100 * self.rate_at_half:.4f}"
        yield f"In a hundred rolls its logarithm then grows by {100 * self.rate:.4f} on average, {slower}."

    def table(self) -> Table:
        """The growth for each roll at some shares of the fastest one."""
        rows = [(part * self.share, self.at(part * self.share)) for part in (0.25, 0.5, 0.75, 1.0, 1.25, 1.5)]
        return Table({"share": "share", "per_roll": "number"}, rows if self.share else [])


def ruin_for_ever(question: Question) -> float:
    """The chance that the bankroll, some time, does not cover the next bet, if only `stop_win` ends play before.

    Without a stop-win it is 1 for every game that is not in the player's favour.

    >>> from passline import ask
    >>> ruin_for_ever(ask("pass_flat", house="strip", unit=1, bankroll=5))
    1.0
    >>> round(ruin_for_ever(ask("pass_flat", house="strip", unit=1, bankroll=5, dice="srr=6.5")), 4)
    0.9868
    """
    checked = instance("question", question, Question, "a Question, such as `ask('pass_flat', bankroll=100)`")
    terms = replace(checked.terms, stop_loss=None, hands=None)
    if terms.bankroll is None:
        raise ArgumentError("bankroll", "none", "what you bring: without it you never go broke")
    if terms.stop_win is None and checked.long_run().net_per_roll <= 0:
        return 1.0
    chain = chain_of(replace(checked, terms=terms).machine(), with_need=True, dice=terms.dice)
    win, _, floor = terms.in_steps(chain.step, chain.need)
    assert floor is not None, "there is a bankroll"
    if win is not None:
        return _ruin(chain, floor, win, 0.0)
    falls, top = _falls(chain), int(np.abs(chain.net).max())
    chance = _ruin(chain, floor, top, falls)
    while True:
        top, before = 2 * top, chance
        chance = _ruin(chain, floor, top, falls)
        if abs(chance - before) <= SETTLED:
            return chance


def _ruin(chain: Chain, floor: list[int], top: int, falls: float) -> float:
    """The chance of ruin, where each step beyond the top it falls by a factor: at a stop-win, by all there is."""
    bottom = min(*floor, 0)
    wide = top - bottom
    if chain.states * wide > CELLS_MAX:
        many = f"{chain.states * wide:,} equations are too many"
        raise SessionError(f"{many}; ask for a smaller bankroll or a larger unit")
    matrix, right = np.eye(chain.states * wide), np.zeros(chain.states * wide)
    steps = list(zip(*(each.tolist() for each in (chain.source, chain.target, chain.net, chain.weight)), strict=True))
    for source, target, net, weight in steps:
        for place in range(wide):
            now, after = bottom + place, bottom + place + net
            row, chance = source * wide + place, weight / chain.whole
            if now < floor[source]:
                right[row] = 1.0
                continue
            if after >= top:
                matrix[row, target * wide + wide - 1] -= chance * falls ** (after - top + 1)
            elif after < bottom or after < floor[target]:
                right[row] += chance
            else:
                matrix[row, target * wide + after - bottom] -= chance
    return float(np.linalg.solve(matrix, right)[chain.start * wide - bottom])


def _falls(chain: Chain) -> float:
    """By which factor the chance of ruin falls for each step of money, far from ruin, where the game is the player's.

    With `x` steps at hand it is then a multiple of `r ** x`, and one roll on average leaves it as it is.
    """

    def grows(power: float) -> bool:
        matrix = np.zeros((chain.states, chain.states))
        np.add.at(matrix, (chain.source, chain.target), chain.weight / chain.whole * np.exp(power * chain.net))
        return bool(np.abs(np.linalg.eigvals(matrix)).max() > 1)

    low, high = -1 / float(np.abs(chain.net).max()), 0.0
    while not grows(low):  # the root stands between; below it a loss counts for more than all wins
        low, high = 2 * low, low
        if low < LOSES_NEVER:
            return 0.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if grows(middle) else (low, middle)
    return math.exp(high)


def growth_of(question: Question) -> Growth:
    """How a bankroll grows by the share of it that one unit is, from what a roll brings in the long run.

    It is of no session: rolls, bankroll and stops of the question do not matter.

    >>> from passline import ask
    >>> round(growth_of(ask("pass_flat", house="strip", dice="srr=8")).share, 4)
    0.0502
    """
    checked = instance("question", question, Question, "a Question, such as `ask('pass_flat', dice='srr=8')`")
    nets, chances = per_roll(checked.machine(), checked.terms.dice)
    return Growth(nets / float(checked.seating.unit), chances)
