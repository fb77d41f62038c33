"""An evening worked out, a sample held against it, and strategies side by side: what `exact` and `simulate` print."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from passline.analysis.for_ever import growth_of, ruin_for_ever
from passline.analysis.question import Question, command
from passline.answers import AGAIN, Answer, Part, Several, Table, figures, percent
from passline.errors import QuestionError, SessionError, StrategyError, TooLongError
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
class Evening(Answer):
    """A session worked out, with what was asked about it beside."""

    question: Question
    law: Distribution
    long_run: LongRun | None  # what the strategy comes to if nothing ends it, where that is known
    command: str
    result: str | None = None  # a net whose chance is wanted
    for_ever: bool = False  # whether ruin some time and the growth of a bankroll are wanted too

    def table(self) -> Table:
        return self.law.table()

    def chart(self, path: Path | str) -> None:
        self.law.chart(path)

    def page(self) -> Iterator[Part]:
        question, law = self.question, self.law
        yield f"{question.title} at {question.seating.house.name}"
        yield next(iter(law.page()))
        yield ""
        yield from law.sentences()
        yield long_run_in_words(self.long_run, question.terms.at_end)
        yield ""
        yield from law.pictures()
        if self.for_ever:
            yield ""
            yield from self._for_ever_in_words()
        if self.result is not None:
            most, least = (percent(each) for each in (law.p_at_most(self.result), law.p_at_least(self.result)))
            yield ""
            yield f"The result: {self.result} or less comes with {most}, {self.result} or more with {least}."
        yield ""
        yield f"{AGAIN}{self.command}"

    def to_json(self) -> dict[str, Any]:
        law = self.law
        values = {**law.to_json(distribution=True), "long_run": self.long_run and self.long_run.to_json()}
        if self.result is not None:
            beyond = {"p_at_most": law.p_at_most(self.result), "p_at_least": law.p_at_least(self.result)}
            values["result"] = {"net": self.result, **figures(beyond)}
        if self.for_ever:
            values["for_ever"] = self._for_ever()
        return {**values, "command": self.command}

    def _for_ever(self) -> dict[str, Any]:
        """The chance of ruin some time, the share of a bankroll that grows fastest, how fast that and half of it do."""
        growth, why_not = growth_of(self.question), None
        try:
            ruin = None if self.question.terms.bankroll is None else ruin_for_ever(self.question)
        except SessionError as error:  # its equations are too many; growth has none
            ruin, why_not = None, str(error)
        return {
            "p_ruin": ruin,
            "p_ruin_left_out": why_not,
            "growth_share": growth.share,
            "growth_per_roll": growth.rate,
            "growth_per_roll_at_half": growth.at(growth.share / 2),
        }

    def _for_ever_in_words(self) -> Iterator[str]:
        ruin, why_not, share, fast, half = self._for_ever().values()
        if why_not is not None:
            yield f"For ever: the chance of ruin is not known: {why_not}."
        elif ruin is None:
            yield "For ever: without a bankroll you never go broke."
        else:
            yield f"For ever: the next bet cannot be made some time with {percent(ruin)}."
        if not share:
            yield "No share of a bankroll makes it grow: the game is not in the player's favour."
            return
        yield f"A bankroll grows fastest with a unit of {percent(share)} of it (Kelly)."
        slower = f"with half that unit by {100 * half:.4f}"
        yield f"In a hundred rolls its logarithm then grows by {100 * fast:.4f} on average, {slower}."


@dataclass(frozen=True, slots=True)
class Checked(Answer):
    """A sample, and the exact answer to the same question beside it."""

    question: Question
    sample: Sample
    law: Distribution | None
    why_not: str = ""  # why there is no exact answer, where there is none
    long_run: LongRun | None = None

    @property
    def z_scores(self) -> dict[str, float]:
        """How many standard errors the sample's mean and shares lie from the exact ones."""
        return {} if self.law is None else self.sample.z_scores(self.law)

    def table(self) -> Table:
        return self.sample.table()

    def page(self) -> Iterator[Part]:
        yield f"{self.question.title} at {self.question.seating.house.name}"
        yield from self.sample.page(self.law)
        yield long_run_in_words(self.long_run, self.question.terms.at_end)
        if self.law is None:
            yield f"No exact answer beside it: {self.why_not}."

    def to_json(self) -> dict[str, Any]:
        about = self.sample.about
        z = {name: score if math.isfinite(score) else None for name, score in self.z_scores.items()}
        return {
            **{key: about[key] for key in WHENCE if key in about},
            **self.sample.to_json(),
            "exact": None if self.law is None else {**self.law.to_json(), "z_scores": z},
            "exact_left_out": self.why_not or None,
            "z_score": z.get("mean"),
            "long_run": self.long_run and self.long_run.to_json(),
        }


@dataclass(frozen=True)
class Simulated(Several):
    """Strategies played on the same dice, each beside its exact answer."""

    answers: Sequence[Checked]
    names: Sequence[str]  # what was to be played: more than there are answers where somebody stopped it
    questions: Sequence[Question]
    more: Mapping[str, object]  # what the command line says of sessions, seed and backend
    dark: bool = False  # whether it is drawn in dark colours

    def page(self) -> Iterator[Part]:
        yield from super().page()
        yield ""
        if len(self.answers) > 1:
            yield from (self._side_by_side(), "")
        yield f"{AGAIN}{command('simulate', self.names, self.questions, **self.more)}"

    def _side_by_side(self) -> Table:
        rows = [
            (name, x.mean, (x.interval[1] - x.interval[0]) / 2, x.p_ahead, x.p_ruin, *list(x.quantiles.values())[1:6:2])
            for name, x in zip(self.names, (each.sample for each in self.answers), strict=False)
        ]
        columns = {"the same dice": "text", "mean": "net", "95 % ±": "number", "ahead": "share", "no next bet": "share"}
        return Table({**columns, "5 %": "net", "median": "net", "95 %": "net"}, rows)  # type: ignore[dict-item]

    def objects(self) -> list[dict[str, Any]]:
        return [
            {**each.to_json(), "command": command("simulate", [name], [each.question], **self.more)}
            for name, each in zip(self.names, self.answers, strict=False)
        ]

    def chart(self, path: Path | str) -> None:
        from passline.analysis import charts

        samples, laws = [each.sample for each in self.answers], [each.law for each in self.answers]
        charts.save(path, samples, exact=laws, style="dark" if self.dark else "light")

    @property
    def stopped(self) -> str:  # type: ignore[override]
        last, left = self.answers[-1].sample, self.names[len(self.answers) :]
        if last.complete and not left:
            return ""
        done = f"Stopped: {last.title} has {last.sessions:,} of {last.asked['sessions']:,} sessions, which are kept"
        return f"{done}; not played: {', '.join(left)}." if left else f"{done}."


def long_run_in_words(long_run: LongRun | None, at_end: AtEnd) -> str:
    """What becomes of what stands at the end of an evening, and what the strategy keeps losing beside it."""
    ends = {"run-out": "are played out", "face": "count at face value, which bends its share"}
    end = f"Bets still up at the end {ends[at_end]}."
    if long_run is None or long_run.edge is None:
        return f"{end} The long-run edge is not known here."
    verb = "loses" if long_run.edge >= 0 else "wins"
    return f"{end} In the long run it {verb} {abs(float(long_run.edge)):.3%} of the action."


def check(question: Question, sample: Sample, progress: Callable[[int, int], None] | None = None) -> Checked:
    """Work out the law of the same question, in double precision, unless that takes longer than anybody waits."""
    if not sample.complete:
        return Checked(question, sample, None, INTERRUPTED)
    law, why_not = None, ""
    try:
        question.machine(states_max=question.states_worth(sample.sessions))
        law = question.exact(fractions=False, progress=_impatient(progress))
    except StrategyError:
        why_not = "the strategy has no machine"
    except QuestionError:
        why_not = "it would take too long; `passline exact` works it out"
    return Checked(question, sample, law, why_not, question.long_run_beside())


def _impatient(progress: Callable[[int, int], None] | None) -> Callable[[int, int], None]:
    """Pass progress on, and give up as soon as the end is seen to be too far off."""
    began = time.perf_counter()

    def seen(done: int, total: int) -> None:
        spent = time.perf_counter() - began
        if progress is not None:
            progress(done, total)
        if done and spent > LOOK_S and spent / done * total > PATIENCE_S:
            raise TooLongError(f"the exact answer would take over {PATIENCE_S:.0f} seconds")

    return seen
