"""The best setting of a question: a figure of its exact distribution maximised over odds, units, stops or steps."""

import ast
import operator
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, cast

from passline.analysis.question import Question
from passline.analysis.sweep import remarks_on, sweep
from passline.answers import Answer, Kind, Part, Table
from passline.errors import ArgumentError, short_repr
from passline.files.arguments import figure as a_figure
from passline.files.arguments import instance
from passline.files.findings import nearest
from passline.odds.sessions.distribution import FIGURES, Distribution

DIGITS: Final = ".12g"  # Figures that agree to so many are as good as one another
CONDITION: Final = "a comparison, such as p_ruin <= 0.05"
CALLS: Final = ("p_at_least", "p_at_most", "quantile")  # And what is asked with a number
COMPARE: Final[Mapping[type[ast.cmpop], Callable[[float, float], bool]]] = {
    ast.LtE: operator.le,
    ast.Lt: operator.lt,
    ast.GtE: operator.ge,
    ast.Gt: operator.gt,
}
SIGNS: Final[Mapping[type[ast.operator], Callable[[float, float], float]]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}


class Expression:
    """A figure of a distribution in words, such as `p_at_least(200)` or `mean - 0.1 * p_ruin`."""

    def __init__(self, text: str, name: str = "maximise") -> None:
        self.text, self.name = instance(name, text, str, "a figure in words, such as 'p_ahead'"), name
        try:
            self._tree = ast.parse(text, mode="eval").body
        except (SyntaxError, ValueError, MemoryError, RecursionError):
            raise self._wrong(text) from None
        self._check(self._tree)

    def __call__(self, law: Distribution) -> float:
        try:
            return self._value(self._tree, law)
        except ArithmeticError:
            known = "a figure that every setting has, without a division by nothing"
            raise ArgumentError(self.name, short_repr(self.text), known) from None

    def _wrong(self, text: object, near: str | None = None) -> ArgumentError:
        known = f"figures such as {', '.join(FIGURES)}, or {', '.join(CALLS)} of a number, with + - * / and numbers"
        return ArgumentError(self.name, short_repr(text), known, near)

    def _check(self, node: ast.expr) -> None:
        match node:
            case ast.Constant(value=int() | float()) if not isinstance(node.value, bool):
                return
            case ast.UnaryOp(op=ast.USub(), operand=inner):
                self._check(inner)
            case ast.BinOp(left=left, op=sign, right=right) if type(sign) in SIGNS:
                self._check(left)
                self._check(right)
            case ast.Call(func=ast.Name(id=called), args=[number], keywords=[]) if called in CALLS:
                self._check(number)
            case ast.Name(id=figure) if figure in FIGURES:
                return
            case ast.Name(id=word) | ast.Call(func=ast.Name(id=word)):
                raise self._wrong(word, nearest(word, [*FIGURES, *CALLS]))
            case _:
                raise self._wrong(self.text)

    def _value(self, node: ast.expr, law: Distribution) -> float:
        match node:
            case ast.Constant(value=number):
                return float(number)  # type: ignore[arg-type]
            case ast.UnaryOp(operand=inner):
                return -self._value(inner, law)
            case ast.BinOp(left=left, op=sign, right=right):
                return SIGNS[type(sign)](self._value(left, law), self._value(right, law))
            case ast.Call(func=ast.Name(id=called), args=[number]):
                argument = a_figure(self.name, self._value(number, law))
                return float(getattr(law, called)(argument))
            case ast.Name(id=figure):
                return float(getattr(law, figure) or 0.0)
            case _:
                raise AssertionError(node)


class Condition:
    """Two expressions compared, such as `p_ruin <= 0.05`."""

    def __init__(self, text: str) -> None:
        try:
            tree = ast.parse(instance("subject_to", text, str, CONDITION), mode="eval").body
        except (SyntaxError, ValueError, MemoryError, RecursionError):
            tree = ast.Constant(value=None)
        match tree:
            case ast.Compare(left=left, ops=[sign], comparators=[right]) if type(sign) in COMPARE:
                self._holds = COMPARE[type(sign)]
                self._sides = [Expression(ast.unparse(side), "subject_to") for side in (left, right)]
            case _:
                raise ArgumentError("subject_to", short_repr(text), CONDITION)

    def __call__(self, law: Distribution) -> bool:
        left, right = (side(law) for side in self._sides)
        return self._holds(left, right)


@dataclass(frozen=True, slots=True)
class Candidate:
    """One setting: its values, its distribution, the two figures, and whether it keeps to the conditions."""

    values: tuple[str, ...]
    law: Distribution
    figure: float
    against: float
    allowed: bool


@dataclass(frozen=True, slots=True)
class Best(Answer):
    """The best of many settings, and all of them."""

    over: tuple[str, ...]
    maximise: str
    subject_to: tuple[str, ...]
    against: str  # the figure of the other axis of the frontier
    candidates: tuple[Candidate, ...]

    @property
    def best(self) -> Candidate | None:
        """The setting with the highest figure that keeps to the conditions; None where none does.

        Of those that double precision cannot tell apart it is the one with the least of `against`.
        """
        allowed = (each for each in self.candidates if each.allowed)
        return max(allowed, key=lambda each: (float(f"{each.figure:{DIGITS}}"), -each.against), default=None)

    @property
    def frontier(self) -> list[Candidate]:
        """The settings that no other beats: a higher figure is had only with more of `against`, which is to be low."""
        edge: list[Candidate] = []
        for each in sorted(self.candidates, key=lambda each: (each.against, -each.figure)):
            if not edge or each.figure > edge[-1].figure:
                edge.append(each)
        return edge

    def page(self) -> Iterator[Part]:
        best = self.best
        if best is None:
            yield f"None of {len(self.candidates)} settings keeps to {' and '.join(self.subject_to)}."
        else:
            where = ", ".join(f"{name} {value}" for name, value in zip(self.over, best.values, strict=True))
            yield f"The best of {len(self.candidates)} settings for {self.maximise} is {where}: {best.figure:,.6g}."
        yield f"The frontier, least {self.against} first:"
        yield self._rows(self.frontier)
        yield from self.refused()

    def refused(self) -> list[str]:
        """What the dealers would not take in some of the settings, in sentences."""
        return remarks_on(self.over, ((each.values, each.law) for each in self.candidates))

    def data(self) -> dict[str, Any]:
        return {**Answer.data(self), "refused": self.refused()}

    def table(self) -> Table:
        return self._rows(self.candidates)

    def _rows(self, candidates: Iterable[Candidate]) -> Table:
        columns: dict[str, Kind] = dict.fromkeys(self.over, "text")
        columns |= {each: "share" if each.startswith("p_") else "number" for each in (self.maximise, self.against)}
        rows = [(*each.values, each.figure, each.against, "yes" if each.allowed else "no") for each in candidates]
        return Table({**columns, "allowed": "text"}, rows)

    def chart(self, path: Path | str) -> None:
        """Draw every setting and the frontier: the figure over the other one."""
        from passline.analysis.charts import frontier

        points: dict[str, list[tuple[float, float]]] = {}
        for each in self.candidates:
            where = points.setdefault("keeps to the conditions" if each.allowed else "does not", [])
            where.append((each.against, each.figure))
        edge = {" · ".join(each.values): (each.against, each.figure) for each in self.frontier}
        words = f"{self.maximise} over {', '.join(self.over)}; the line is the frontier"
        title = self.candidates[0].law.title
        frontier(path, points, edge, title=title, words=words, across=self.against, along=self.maximise)


def best(  # noqa: PLR0913 - one question, all of it by name
    strategy: str | Path | Mapping[str, Any] | Question,
    *,
    over: Mapping[str, Iterable[Any]],
    maximise: str,
    subject_to: str | Iterable[str] = (),
    against: str = "p_ruin",
    progress: Callable[[int, int], None] | None = None,
    **terms: Any,  # noqa: ANN401 - what `ask` takes
) -> Best:
    """The setting with the most of a figure of its exact distribution, among those that keep to conditions.

    The question is a `Question`, or what `ask` takes. `over` is what `sweep` takes: arguments of `ask`, `odds`, or
    places in the strategy file, each with its values.

    >>> answer = best("pass_flat", over={"stop_win": [5, 50]}, maximise="p_ahead", house="strip", unit=5, rolls=20)
    >>> answer.best.values
    ('5',)
    """
    wanted, other = Expression(maximise), Expression(against, "against")
    texts = (
        (subject_to,) if isinstance(subject_to, str) else tuple(instance("subject_to", subject_to, Iterable, CONDITION))
    )
    conditions = [Condition(text) for text in texts]
    swept = sweep(strategy, over, progress=progress, **terms)
    candidates = tuple(
        Candidate(values, law, wanted(law), other(law), all(condition(law) for condition in conditions))
        for values, law in cast("Iterable[tuple[tuple[str, ...], Distribution]]", swept.rows)  # no sessions were asked
    )
    return Best(swept.over, maximise, texts, other.text, candidates)
