"""A sample held against the law it was drawn from."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from passline.errors import QuestionError, StrategyError, TooLongError

if TYPE_CHECKING:
    from passline.analysis.question import Question
    from passline.odds.sessions.distribution import Law
    from passline.sim import Sample

PATIENCE_S: Final = 20.0
"""How long the exact answer may take; longer, and the sample stands alone."""
LOOK_S: Final = 1.0
"""After so long it is worked out how long the rest would take."""
WHENCE: Final = ("strategy", "house", "unit", "house_hash", "strategy_hash")
"""What is told first, of where a sample comes from."""
INTERRUPTED: Final = "the run was interrupted"


@dataclass(frozen=True, slots=True)
class Checked:
    """A sample, and the exact answer to the same question beside it."""

    sample: Sample
    law: Law | None
    why_not: str = ""
    """Why there is no exact answer, where there is none."""

    @property
    def z_scores(self) -> dict[str, float]:
        """How many standard errors the sample's mean and shares lie from the exact ones."""
        return {} if self.law is None else self.sample.z_scores(self.law)

    def to_json(self) -> dict[str, Any]:
        """JSON values: the sample's, and under `exact` the law's with the z-scores."""
        about = self.sample.about
        told: dict[str, Any] = {key: about[key] for key in WHENCE if key in about}
        z = {name: score if math.isfinite(score) else None for name, score in self.z_scores.items()}
        return {
            **told,
            **self.sample.to_json(),
            "exact": None if self.law is None else {**self.law.to_json(), "z_scores": z},
            "exact_left_out": self.why_not or None,
            "z_score": z.get("mean"),
        }


def check(question: Question, sample: Sample, progress: Callable[[int, int], None] | None = None) -> Checked:
    """Work out the law of the same question, in double precision, unless that takes longer than anybody waits."""
    if not sample.complete:
        return Checked(sample, None, INTERRUPTED)
    try:
        return Checked(sample, question.exact(fractions=False, progress=_impatient(progress)))
    except StrategyError:
        return Checked(sample, None, "the strategy has no machine")
    except QuestionError:
        return Checked(sample, None, "it would take too long; `passline exact` works it out")


def _impatient(shown: Callable[[int, int], None] | None) -> Callable[[int, int], None]:
    """Pass progress on, and give up as soon as the end is seen to be too far off."""
    began = time.perf_counter()

    def told(done: int, total: int) -> None:
        spent = time.perf_counter() - began
        if shown is not None:
            shown(done, total)
        if done and spent > LOOK_S and spent / done * total > PATIENCE_S:
            raise TooLongError(f"the exact answer would take over {PATIENCE_S:.0f} seconds")

    return told
