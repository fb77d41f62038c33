"""A session worked out, a sample held against it, and strategies side by side: what `exact` and `simulate` print."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

from passline.analysis.for_ever import growth_of, ruin_for_ever
from passline.analysis.question import Question, command
from passline.answers import AGAIN, Z_95, Answer, Kind, Part, Several, Table, figures, percent, picked, written
from passline.errors import QuestionError, SessionError, StrategyError
from passline.machine.terms import AtEnd
from passline.odds.sessions.distribution import Distribution
from passline.odds.sessions.long_run import LongRun
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
        """The chance of ruin some time, and how a bankroll grows."""
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
            columns = [(column, at) for at, column in enumerate(wide.columns) if column in NARROW]
            rows = [[row[at] for _, at in columns] for row in wide.rows]
            yield Table({NARROW[column]: wide.columns[column] for column, _ in columns}, rows)
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
    """A row of figures for each strategy."""
    columns: dict[str, Kind] = {"strategy": "text", "mean": "net", "95 % ±": "number", "deviation": "money"}
    columns |= {"ahead": "share", "no next bet": "share", "loss of the action": "edge", "action": "money"}
    columns |= {"loss per hour": "money", "5 %": "net", "median": "net", "95 %": "net", "worst": "net", "best": "net"}
    rows = [
        (
            *(name, x.mean, Z_95 * x.standard_error if isinstance(x, Sample) else None, x.deviation),
            *(x.p_ahead, x.p_ruin, x.edge, x.action, x.loss_per_hour),
            *(*(x.quantiles[cut] for cut in (0.05, 0.5, 0.95)), x.worst, x.best, x.rolls_played),
        )
        for name, x in zip(names, results, strict=False)
    ]
    return Table({**columns, "rolls": "number"}, rows)


def long_run_in_words(long_run: LongRun | None, at_end: AtEnd) -> str:
    """What becomes of what stands at the end of a session, and what the strategy keeps losing beside it."""
    ends = {"run-out": "are played out", "face": "count at face value, which biases the edge"}
    end = f"Bets still up at the end {ends[at_end]}."
    if long_run is None or long_run.edge is None:
        return f"{end} The long-run edge is not known here."
    verb = "loses" if long_run.edge >= 0 else "wins"
    return f"{end} In the long run it {verb} {abs(float(long_run.edge)):.3%} of the action."


def check(question: Question, sample: Sample, progress: Callable[[int, int], None] | None = None) -> Checked:
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


def _impatient(progress: Callable[[int, int], None] | None) -> Callable[[int, int], None]:
    """Pass progress on, and give up as soon as the end is seen to be too far off: in this thread's processor time."""
    began = time.thread_time()

    def seen(done: int, total: int) -> None:
        spent = time.thread_time() - began
        if progress is not None:
            progress(done, total)
        if done and spent > LOOK_S and spent / done * total > PATIENCE_S:
            raise QuestionError(f"the exact answer would take over {PATIENCE_S:.0f} seconds")

    return seen
