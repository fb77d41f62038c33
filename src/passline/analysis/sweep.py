"""One question asked again with other numbers: unit, bankroll, stops, odds, or any number in a strategy file."""

from __future__ import annotations

import ast
import itertools
import operator
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from fractions import Fraction
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from passline.analysis.question import OnProgress, Question, ask, draw_seed
from passline.answers import Answer, Chart, Curve, Kind, Part, Table, remarks_of
from passline.engine.table import Notice
from passline.errors import ArgumentError, ArgumentTypeError, StrategyFileError, short_repr
from passline.files.amounts import money
from passline.files.arguments import figure as a_figure
from passline.files.arguments import function, instance, one_of
from passline.files.findings import nearest
from passline.files.toml import tree
from passline.house import open_house
from passline.odds.sessions.distribution import FIGURES as OF_DISTRIBUTION
from passline.odds.sessions.distribution import Distribution
from passline.sim import Sample
from passline.strategies.language.read import built_in, id_of, load, with_parameters
from passline.strategies.language.strategy import Strategy
from passline.strategies.player.python import Player, PythonStrategy, is_python, name_of, strategy_of

# What a question is asked with that can be swept; everything else is a place in the strategy file.
ASKED: Final = ("unit", "rolls", "hands", "bankroll", "stop_win", "stop_loss", "max_bet", "odds", "dice")
NOT_SWEPT: Final = frozenset({"id", "name", "description", "source"})
# What is said of each distribution, of what kind it is, and what it is of.
FIGURES: Final[Mapping[str, tuple[Kind, str]]] = {
    "mean": ("net", "the mean net of a session"),
    "deviation": ("money", "its standard deviation"),
    "p_ahead": ("share", "the chance to end ahead"),
    "p_ruin": ("share", "the chance that the next bet cannot be made"),
    "action": ("money", "the mean money of the bets decided"),
    "edge": ("edge", "the loss for each unit of action"),
    "loss_per_hour": ("money", "the mean loss of an hour of 100 rolls"),
}
SESSIONS: Final = 1000  # Sessions of each question about a strategy in Python, unless somebody says how many
ROWS_MAX: Final = 2000  # Questions that one sweep asks
AMOUNT: Final = re.compile(r"\d+(\.\d+)?(/\d+)?x?")  # a number, or a multiple as odds are said: 2x


@dataclass(frozen=True, slots=True)
class Sweep(Answer):
    """The distributions, or samples, of one question with other numbers."""

    over: tuple[str, ...]  # the names of what was changed
    # What each was set to, and the distribution that came of it, or where `sessions` were asked for the sample.
    rows: tuple[tuple[tuple[str, ...], Distribution | Sample], ...]
    figure: str = "p_ahead"  # what its chart shows

    def figures(self) -> list[dict[str, Any]]:
        """A row for each setting: what was set, a number where it is one, and the figures of its distribution."""
        return self.table().dicts()

    def page(self) -> Iterator[Part]:
        rows = [(*map(_plain, values), *_figures(answer).values()) for values, answer in self.rows]
        kinds: dict[str, Kind] = {}
        for place, name in enumerate(self.over):
            kinds[name] = "text" if any(isinstance(row[place], str) for row in rows) else "money"
        kinds |= {name: kind for name, (kind, _) in FIGURES.items()}
        if isinstance(self.rows[0][1], Sample):
            kinds["standard_error"] = "money"
        yield f"{self.title}, by {' and '.join(self.over)}"
        yield Table(kinds, rows)
        yield from self.refused()

    def refused(self) -> list[str]:
        """What the dealers would not take in some of the settings, in sentences: those rows play on without it."""
        return remarks_on(self.over, self.rows)

    def data(self) -> dict[str, Any]:
        meanings = {name: words for name, (_, words) in FIGURES.items()}
        return {"over": self.over, "figures": meanings, **Answer.data(self), "refused": self.refused()}

    def chart(self, path: Path | str, figure: str | None = None) -> None:
        """Draw one figure over the first thing swept, a line for each setting of the others."""
        from passline.analysis.charts import save_chart

        save_chart(path, self.curves(one_of("figure", self.figure if figure is None else figure, FIGURES)))

    def curves(self, figure: str) -> Chart:
        places = list(dict.fromkeys(values[0] for values, _ in self.rows))
        numbers = [_plain(each) for each in places]
        numeric = not any(isinstance(each, str) for each in numbers)
        if numeric:
            places.sort(key=lambda each: float(_plain(each)))
        lines: dict[str, dict[str, float | None]] = {}
        for values, answer in self.rows:
            label = ", ".join(f"{name} {value}" for name, value in zip(self.over[1:], values[1:], strict=True))
            lines.setdefault(label, {})[values[0]] = _figures(answer)[figure]
        kind, words = FIGURES[figure]
        return Chart(
            self.title,
            words,
            self.over[0].replace("_", " "),
            figure.replace("_", " "),
            [float(_plain(each)) for each in places] if numeric else places,
            [Curve(label, [line.get(each) for each in places], "points") for label, line in lines.items()],
            shares=kind in {"share", "edge"},
        )

    @property
    def title(self) -> str:
        return self.rows[0][1].title


def sweep(  # noqa: PLR0913 - what is swept, and how it is answered
    strategy: str | Path | Mapping[str, Any] | Strategy | PythonStrategy | Question,
    over: Mapping[str, Iterable[Any]],
    *,
    fractions: bool | None = False,
    sessions: int | None = None,
    seed: int | None = None,
    progress: OnProgress = None,
    **terms: Any,  # noqa: ANN401 - what `ask` takes
) -> Sweep:
    """Work out a question for every combination of the values in `over`; all else is as `ask` takes it.

    A `Question` brings all else with it.

    A name of `over` is an argument of `ask` (`unit`, `bankroll`, `stop_win` …), `odds` (the strategy's own parameter of
    that name, else the multiple on the sign), or a place in the strategy file: `want[2].up.place_6` as complaints name
    it, or `progression.doubling.steps.0`, counted from 0. Of a `Player` it is one of its attributes, which holds a
    number.
    With `sessions`, and always in Python, every question is sampled on the same dice.

    >>> swept = sweep("pass_flat", {"rolls": [1, 20]}, house="strip", unit=5, fractions=True)
    >>> [str(answer.edge) for _, answer in swept.rows]
    ['7/495', '7/495']
    """
    function("progress", progress)
    if isinstance(strategy, Question):
        terms, strategy = {**strategy.arguments(), **terms}, strategy.strategy
    instance("over", over, Mapping, "a mapping of names to values, such as {'unit': [5, 10]}")
    if not over:
        raise ArgumentError("over", "nothing", "a name and its values, such as {'unit': [5, 10]}")
    values = {str(name): _values(str(name), listed) for name, listed in over.items()}
    rows = list(itertools.product(*values.values()))
    if len(rows) > ROWS_MAX:
        raise ArgumentError("over", f"{len(rows)} combinations", f"at most {ROWS_MAX}")
    named = isinstance(strategy, str | Path | Mapping)
    played = strategy if named and not is_python(str(strategy)) else strategy_of(strategy)
    if sessions is None and not isinstance(played, str | Path | Mapping | Strategy):
        sessions = SESSIONS
    dealt = draw_seed() if seed is None else seed
    meant = strategy_of(played)
    own_odds = "odds" in values and ("odds" in getattr(meant, "parameters", ()) or hasattr(meant, "odds"))
    source = _source(played) if own_odds or any(name not in ASKED for name in values) else None
    names = tuple(values)
    # Every question is asked before the first is worked out, so that a slip in the last costs nobody an hour.
    questions = [_question(played, source, dict(zip(names, row, strict=True)), terms) for row in rows]
    answers: list[tuple[tuple[str, ...], Distribution | Sample]] = []
    for place, question in enumerate(questions):
        if sessions is None:
            answers.append((rows[place], question.exact(fractions=fractions)))
        else:
            answers.append((rows[place], question.simulate(sessions=sessions, seed=dealt)))
        if progress is not None:
            progress(place + 1, len(rows))
    return Sweep(names, tuple(answers))


def remarks_on(over: Iterable[str], rows: Iterable[tuple[tuple[str, ...], Distribution | Sample]]) -> list[str]:
    """What the dealers would not take, what is rounded and what is a sample, each with the settings it is so of."""
    names, rows, settings = tuple(over), list(rows), dict[str, list[str]]()
    for values, answer in rows:
        sentences = remarks_of(answer.about, "")
        if isinstance(answer, Sample):
            sentences.append(f": {answer.sessions:,} sessions on the same dice, seed {answer.seed}.")
        for sentence in sentences:
            setting = ", ".join(f"{name} {value}" for name, value in zip(names, values, strict=True))
            settings.setdefault(sentence, []).append(setting)
    return [
        f"{'; '.join(alike) if len(alike) < len(rows) else 'every setting'}{sentence}"
        for sentence, alike in settings.items()
    ]


def _values(name: str, values: object) -> list[str]:
    """The values of one name, as they are said: a range 100..500..100, a list with commas, or a sequence."""
    if isinstance(values, str):
        first, dots, rest = values.partition("..")
        if dots:
            last, _, step = rest.partition("..")
            return _range(name, values, first, last, step or "1")
        values = [each.strip() for each in values.split(",")]
    if not isinstance(values, Iterable) or isinstance(values, Mapping):
        raise ArgumentTypeError("over", f"{name} = {short_repr(values)}", "numbers, such as [5, 10] or '100..500..100'")
    texts = [str(each) for each in values]
    if not texts:
        raise ArgumentError("over", f"{name} = nothing", "one number or more")
    return texts


def _range(name: str, text: str, first: str, last: str, step: str) -> list[str]:
    found = f"{name} = {short_repr(text)}"
    try:
        low, high, by = money(first), money(last), money(step)
    except (ValueError, TypeError):
        raise ArgumentError("over", found, "a range of numbers, such as 100..500..100") from None
    if by <= 0 or high < low or (high - low) / by > ROWS_MAX:
        raise ArgumentError("over", found, f"a rising range of up to {ROWS_MAX} numbers")
    return [str(low + place * by) for place in range(int((high - low) / by) + 1)]


def _source(strategy: object) -> dict[str, Any] | Player:
    """What the strategy's file says, as plain values, or the player whose attributes are set."""
    if isinstance(strategy, Player):
        return strategy
    if isinstance(strategy, Strategy) and strategy.id.partition("@")[0] in built_in() and load(strategy.id) == strategy:
        strategy = strategy.id
    if isinstance(strategy, Mapping):
        return dict(strategy)
    if not isinstance(strategy, str | Path):
        found = f"a number of {name_of(strategy_of(strategy))}"
        raise ArgumentError("over", found, "those of a file or a Player, or what `ask` takes")
    name, parameters = with_parameters(str(strategy))
    built = name in built_in()
    text = (files("passline.strategies") / "library" / f"{name}.toml").read_bytes() if built else Path(name)
    values = tree(text, name, "a strategy file", StrategyFileError)
    own = {**values.get("parameters", {}), **parameters}
    return {"id": name if built else id_of(name), **values, "parameters": own}


def _question(
    strategy: Any,  # noqa: ANN401 - as `ask` takes it
    source: dict[str, Any] | Player | None,
    settings: dict[str, str],
    terms: dict[str, Any],
) -> Question:
    arguments = dict(terms)
    changed = deepcopy(source)
    own = changed.get("parameters", ()) if isinstance(changed, dict) else dir(changed)
    for name, value in settings.items():
        if name == "odds" and name not in own:
            arguments["notice"] = _sign(arguments, value)
        elif name == "dice":
            arguments[name] = value if "=" in value else f"srr={value}"
        elif name in {"rolls", "hands"}:
            arguments[name] = _whole(name, value)
        elif name in ASKED and name != "odds":
            _number(name, value)
            arguments[name] = value
        elif isinstance(changed, Player):
            _set(changed, name, value)
        else:
            assert changed is not None
            _put(changed, "parameters.odds" if name == "odds" else name, value)
    return ask(strategy if changed is None else changed, **arguments)


def _sign(asked: Mapping[str, Any], odds: str) -> str | Notice:
    """The sign that was asked for, or one of the house's lowest minimum, with this multiple of odds."""
    if _number("odds", odds) <= 0:
        raise ArgumentError("over", f"odds={odds}", "a multiple from 1: without odds, ask a strategy that takes none")
    sign, book = asked.get("notice"), open_house(asked.get("house", "adelaide")).book
    if isinstance(sign, Notice):
        return sign._replace(odds=dict.fromkeys(book.points.value, _whole("odds", odds)))
    chips = asked.get("chips") or book.notice.chips.value
    return f"{sign or f'min={min(map(Fraction, chips))}'} odds={odds}"


def _whole(name: str, value: str) -> int:
    if not (value.isascii() and value.isdigit() and len(value) < 19):
        raise ArgumentError("over", f"{name} = {short_repr(value)}", "a whole number")
    return int(value)


def _number(name: str, value: str) -> Fraction:
    try:
        return money(value)
    except ValueError:
        raise ArgumentError("over", f"{name} = {short_repr(value)}", "a number, such as 5, 2.50 or 4/3") from None


def _put(table: dict[str, Any], name: str, value: str) -> None:
    place: Any = table
    # A complaint of the file counts its tables from 1 in brackets, `want[2]`.
    *way, last = re.sub(r"\[([1-9]\d{0,4})\]", lambda each: f".{int(each[1]) - 1}", name).split(".")
    for word in way:
        place = _into(place, word, name)
    now = _into(place, last, name)
    if isinstance(now, bool) or not (isinstance(now, int) or (isinstance(now, str) and AMOUNT.fullmatch(now))):
        raise ArgumentError("over", f"{name} = {short_repr(now)}", "a place of the strategy file that holds a number")
    if not AMOUNT.fullmatch(value):
        raise ArgumentError("over", f"{name} = {short_repr(value)}", "a number, such as 5 or 2x")
    key: Any = int(last) if isinstance(place, list) else last
    place[key] = int(value) if value.isdigit() else value


def _set(player: Player, name: str, value: str) -> None:
    now = getattr(player, name, None)
    if isinstance(now, bool) or not isinstance(now, int | float | Fraction):
        known = [each for each, holds in vars(player).items() if isinstance(holds, int | float | Fraction)]
        wanted = f"an attribute of {name_of(player)} that holds a number" + (f": {', '.join(known)}" if known else "")
        raise ArgumentError("over", short_repr(name), wanted, nearest(name, [*ASKED, *known]))
    number = _number(name, value)
    setattr(player, name, int(number) if number.denominator == 1 else number)


def _into(place: object, word: str, name: str) -> Any:  # noqa: ANN401 - whatever a file says
    if isinstance(place, Mapping) and word in place:
        return place[word]
    if isinstance(place, Sequence) and not isinstance(place, str) and word.isdigit() and int(word) < len(place):
        return place[int(word)]
    known: list[str] = []
    if isinstance(place, Mapping):
        known = [str(each) for each in dict.fromkeys((*ASKED, *place)) if each not in NOT_SWEPT]
    elif isinstance(place, list):
        known = [str(at) for at in range(len(place))]
    wanted = f"one of {', '.join(known)}" if known else "nothing, for what stands before it is one value"
    raise ArgumentError("over", short_repr(name), f"at {word!r}: {wanted}", nearest(word, known))


def _plain(value: str) -> int | Fraction | str:
    try:
        number = Fraction(value.removesuffix("x"))
    except ValueError:
        return value
    return int(number) if number.denominator == 1 else number


def _figures(answer: Distribution | Sample) -> dict[str, float | None]:
    more = {"standard_error": answer.standard_error} if isinstance(answer, Sample) else {}
    values = {name: float(answer.variance) ** 0.5 if name == "deviation" else getattr(answer, name) for name in FIGURES}
    return {**{name: None if value is None else float(value) for name, value in values.items()}, **more}


# --- The best setting ------------------------------------------------------------------------------------------------


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
            tree = ast.parse(text, mode="eval").body
        except (SyntaxError, ValueError, MemoryError, RecursionError):
            raise self._wrong(text) from None
        self._value = self._read(tree)

    def __call__(self, law: Distribution | Sample) -> float:
        try:
            return self._value(law)
        except ArithmeticError:
            known = "a figure that every setting has, without a division by nothing"
            raise ArgumentError(self.name, short_repr(self.text), known) from None

    def _wrong(self, text: object, near: str | None = None) -> ArgumentError:
        known = f"figures such as {', '.join(OF_DISTRIBUTION)}, or {', '.join(CALLS)} of a number, with + - * /"
        return ArgumentError(self.name, short_repr(text), known, near)

    def _read(self, node: ast.expr) -> Callable[[Distribution | Sample], float]:
        match node:
            case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
                return lambda _: float(number)
            case ast.UnaryOp(op=ast.USub(), operand=inner):
                value = self._read(inner)
                return lambda law: -value(law)
            case ast.BinOp(left=left, op=sign, right=right) if type(sign) in SIGNS:
                one, other, join = self._read(left), self._read(right), SIGNS[type(sign)]
                return lambda law: join(one(law), other(law))
            case ast.Call(func=ast.Name(id=called), args=[inner], keywords=[]) if called in CALLS:
                of = self._read(inner)
                return lambda law: float(getattr(law, called)(a_figure(self.name, of(law))))
            case ast.Name(id=figure) if figure in OF_DISTRIBUTION:
                return lambda law: float(_figure(law, figure) or 0.0)
            case ast.Name(id=word) | ast.Call(func=ast.Name(id=word)):
                raise self._wrong(word, nearest(word, [*OF_DISTRIBUTION, *CALLS]))
            case _:
                raise self._wrong(self.text)


def _figure(law: Distribution | Sample, figure: str) -> Fraction | float | None:
    """A figure of one session; a sample counts the hands of all of them."""
    value: Fraction | float | None = getattr(law, figure)
    return Fraction(law.hands, law.sessions) if figure == "hands" and isinstance(law, Sample) else value


def _condition(text: str) -> Callable[[Distribution | Sample], bool]:
    """Two expressions compared, such as `p_ruin <= 0.05`."""
    try:
        tree = ast.parse(instance("subject_to", text, str, CONDITION), mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        tree = ast.Constant(value=None)
    match tree:
        case ast.Compare(left=left, ops=[sign], comparators=[right]) if type(sign) in COMPARE:
            one, other = (Expression(ast.unparse(side), "subject_to") for side in (left, right))
            return lambda law: COMPARE[type(sign)](one(law), other(law))
        case _:
            raise ArgumentError("subject_to", short_repr(text), CONDITION)


@dataclass(frozen=True, slots=True)
class Candidate:
    """One setting: its values, its distribution, the two figures, and whether it keeps to the conditions."""

    values: tuple[str, ...]
    law: Distribution | Sample
    figure: float
    against: float
    allowed: bool


@dataclass(frozen=True, slots=True)
class Best(Answer):
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
        alike = self.maximise == self.against
        rows = [(*x.values, x.figure, *[x.against][alike:], "yes" if x.allowed else "no") for x in candidates]
        return Table({**columns, "allowed": "text"}, rows)

    def chart(self, path: Path | str) -> None:
        from passline.analysis.charts import panels

        points: dict[str, list[tuple[float, float]]] = {}
        for each in self.candidates:
            where = points.setdefault("keeps to the conditions" if each.allowed else "does not", [])
            where.append((each.against, each.figure))
        edge = {" · ".join(each.values): (each.against, each.figure) for each in self.frontier}
        words = f"{self.maximise} over {', '.join(self.over)}; the line is the frontier"
        title = self.candidates[0].law.title
        panels(path, {self.maximise: points}, title=title, words=words, across=self.against, edge=edge)


def best(  # noqa: PLR0913 - one question, all of it by name
    strategy: str | Path | Mapping[str, Any] | Strategy | PythonStrategy | Question,
    *,
    over: Mapping[str, Iterable[Any]],
    maximise: str,
    subject_to: str | Iterable[str] = (),
    against: str = "p_ruin",
    progress: OnProgress = None,
    **terms: Any,  # noqa: ANN401 - what `ask` takes
) -> Best:
    """The setting with the most of a figure of its exact distribution (or sample), among those that keep to conditions.

    The question is a `Question`, or what `ask` takes; in Python, or with `sessions`, it is sampled. `over` is what
    `sweep` takes: arguments of `ask`, `odds`, or places in the strategy file, each with its values.

    >>> answer = best("pass_flat", over={"stop_win": [5, 50]}, maximise="p_ahead", house="strip", unit=5, rolls=20)
    >>> answer.best.values
    ('5',)
    """
    wanted, other = Expression(maximise), Expression(against, "against")
    texts = (
        (subject_to,) if isinstance(subject_to, str) else tuple(instance("subject_to", subject_to, Iterable, CONDITION))
    )
    conditions = [_condition(text) for text in texts]
    swept = sweep(strategy, over, progress=progress, **terms)
    candidates = tuple(
        Candidate(values, law, wanted(law), other(law), all(condition(law) for condition in conditions))
        for values, law in swept.rows
    )
    return Best(swept.over, maximise, texts, other.text, candidates)
