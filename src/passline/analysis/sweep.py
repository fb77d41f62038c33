"""One question asked again with other numbers: unit, bankroll, stops, odds, or any number in a strategy file."""

from __future__ import annotations

import csv
import io
import itertools
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from fractions import Fraction
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from passline.analysis.question import ask
from passline.errors import ArgumentError, ArgumentTypeError, StrategyFileError, shown
from passline.files.amounts import money
from passline.files.arguments import function, instance
from passline.files.findings import nearest
from passline.files.needed import needed
from passline.files.toml import tree
from passline.files.whole import whole_file
from passline.house import open_house
from passline.odds.sessions.distribution import Law
from passline.strategies.language.read import built_in, id_of

ASKED: Final = ("unit", "rolls", "hands", "bankroll", "stop_win", "stop_loss", "max_bet", "odds", "dice")
"""What a question is asked with that can be swept; everything else is a place in the strategy file."""
FIGURES: Final[Mapping[str, str]] = {
    "mean": "the mean net of a session",
    "deviation": "its standard deviation",
    "p_ahead": "the chance to end ahead",
    "p_ruin": "the chance that the next bet cannot be made",
    "action": "the mean money of the bets decided",
    "edge": "the loss for each unit of action",
    "loss_per_hour": "the mean loss of an hour of 100 rolls",
}
"""What is told of each law, and what it is of."""
ROWS_MAX: Final = 2000
"""Questions that one sweep asks."""
AMOUNT: Final = re.compile(r"\d+(\.\d+)?(/\d+)?x?")
"""A number, or a multiple as odds are said: 2x."""


@dataclass(frozen=True, slots=True)
class Sweep:
    """The laws of one question with other numbers."""

    over: tuple[str, ...]
    """The names of what was changed."""
    rows: tuple[tuple[tuple[str, ...], Law], ...]
    """What each was set to, and the law that came of it."""

    def figures(self) -> list[dict[str, Any]]:
        """A row for each setting: what was set, and the figures of its law."""
        return [{**dict(zip(self.over, values, strict=True)), **_figures(law)} for values, law in self.rows]

    def to_json(self) -> dict[str, Any]:
        """JSON values, and what each figure is of."""
        return {"over": list(self.over), "figures": dict(FIGURES), "rows": self.figures()}

    def to_csv(self) -> str:
        """A line for each setting."""
        text = io.StringIO()
        lines = csv.DictWriter(text, (*self.over, *FIGURES), lineterminator="\n")
        lines.writeheader()
        lines.writerows(self.figures())
        return text.getvalue()

    def chart(self, path: Path | str, figure: str = "p_ahead") -> None:
        """Draw one figure over the first thing swept, a line for each setting of the others."""
        needed("matplotlib", "a chart")
        from matplotlib.figure import Figure

        if figure not in FIGURES:
            raise ArgumentError("figure", shown(figure), f"one of {', '.join(FIGURES)}", nearest(str(figure), FIGURES))
        lines: dict[tuple[str, ...], tuple[list[str], list[float]]] = {}
        for values, law in self.rows:
            across, along = lines.setdefault(values[1:], ([], []))
            across.append(values[0])
            along.append(float(_figures(law)[figure] or 0.0))
        page = Figure(figsize=(8, 4.8), layout="constrained")
        ax = page.add_subplot()
        for rest, (across, along) in lines.items():
            label = ", ".join(f"{name} {value}" for name, value in zip(self.over[1:], rest, strict=True))
            ax.plot(across, along, marker="o", label=label or None)
        ax.set_xlabel(self.over[0])
        ax.set_ylabel(FIGURES[figure])
        if len(self.over) > 1:
            ax.legend(frameon=False)
        with whole_file(path) as part:
            page.savefig(part, dpi=144, metadata={"Date": None} if part.suffix.lower() == ".svg" else None)


def sweep(
    strategy: str | Path | Mapping[str, Any],
    over: Mapping[str, Iterable[Any]],
    *,
    fractions: bool | None = False,
    progress: Callable[[int, int], None] | None = None,
    **asked: Any,  # noqa: ANN401 - what `ask` takes
) -> Sweep:
    """Work out a question for every combination of the values in `over`; all else is asked as `ask` takes it.

    A name of `over` is an argument of `ask` (`unit`, `bankroll`, `stop_win` …), `odds` (the multiple on the sign), or a
    place in the strategy file: `want.1.up.place_6`, `progression.doubling.steps.0`, counted from 0.

    >>> found = sweep("pass_flat", {"rolls": [1, 20]}, house="strip", unit=5, fractions=True)
    >>> [str(law.edge) for _, law in found.rows]
    ['7/495', '7/495']
    """
    function("progress", progress)
    instance("over", over, Mapping, "a mapping of names to values, such as {'unit': [5, 10]}")
    if not over:
        raise ArgumentError("over", "nothing", "a name and its values, such as {'unit': [5, 10]}")
    values = {str(name): _values(str(name), given) for name, given in over.items()}
    rows = list(itertools.product(*values.values()))
    if len(rows) > ROWS_MAX:
        raise ArgumentError("over", f"{len(rows)} combinations", f"at most {ROWS_MAX}")
    said = _said(strategy) if any(name not in ASKED for name in values) else None
    names = tuple(values)
    # Every question is asked before the first is worked out, so that a slip in the last costs nobody an hour.
    questions = [_question(strategy, said, dict(zip(names, row, strict=True)), asked) for row in rows]
    found = []
    for place, question in enumerate(questions):
        found.append((rows[place], question.exact(fractions=fractions)))
        if progress is not None:
            progress(place + 1, len(rows))
    return Sweep(names, tuple(found))


def _values(name: str, given: object) -> list[str]:
    """The values of one name, as they are said: a range 100..500..100, a list with commas, or a sequence."""
    if isinstance(given, str):
        first, dots, rest = given.partition("..")
        if dots:
            last, _, step = rest.partition("..")
            return _range(name, given, first, last, step or "1")
        given = [each.strip() for each in given.split(",")]
    if not isinstance(given, Iterable) or isinstance(given, Mapping):
        raise ArgumentTypeError("over", f"{name} = {shown(given)}", "numbers, such as [5, 10] or '100..500..100'")
    found = [str(each) for each in given]
    if not found:
        raise ArgumentError("over", f"{name} = nothing", "one number or more")
    return found


def _range(name: str, given: str, first: str, last: str, step: str) -> list[str]:
    try:
        low, high, by = money(first), money(last), money(step)
    except (ValueError, TypeError):
        raise ArgumentError("over", f"{name} = {shown(given)}", "a range of numbers, such as 100..500..100") from None
    if by <= 0 or high < low or (high - low) / by > ROWS_MAX:
        raise ArgumentError("over", f"{name} = {shown(given)}", f"a rising range of up to {ROWS_MAX} numbers")
    return [str(low + place * by) for place in range(int((high - low) / by) + 1)]


def _said(strategy: str | Path | Mapping[str, Any]) -> dict[str, Any]:
    """What the strategy's file says, as plain values."""
    if isinstance(strategy, Mapping):
        return dict(strategy)
    if isinstance(strategy, str) and strategy in built_in():
        text = (files("passline.strategies") / "library" / f"{strategy}.toml").read_bytes()
        return {"id": strategy, **tree(text, strategy, "a strategy file", StrategyFileError)}
    instance("strategy", strategy, (str, Path), "a strategy that is data: a name, a file or a mapping")
    path = Path(strategy)
    return {"id": id_of(path.name), **tree(path, str(path), "a strategy file", StrategyFileError)}


def _question(
    strategy: str | Path | Mapping[str, Any],
    said: dict[str, Any] | None,
    settings: dict[str, str],
    asked: dict[str, Any],
) -> Any:  # noqa: ANN401 - a Question, which only `ask` makes
    given = dict(asked)
    changed = deepcopy(said)
    for name, value in settings.items():
        if name == "odds":
            _number(name, value)
            given["notice"] = f"{given.get('notice') or _lowest(given)} odds={value}"
        elif name == "dice":
            given[name] = value if "=" in value else f"srr={value}"
        elif name in {"rolls", "hands"}:
            given[name] = _whole(name, value)
        elif name in ASKED:
            _number(name, value)
            given[name] = value
        else:
            assert changed is not None
            _put(changed, name, value)
    return ask(strategy if changed is None else changed, **given)


def _lowest(given: Mapping[str, Any]) -> str:
    """The lowest minimum that a sign of this house can have: one of the smallest chip."""
    chips = given.get("chips") or open_house(given.get("house", "adelaide")).book.notice.chips.value
    return f"min={min(map(Fraction, chips))}"


def _whole(name: str, value: str) -> int:
    if not (value.isascii() and value.isdigit() and len(value) < 19):
        raise ArgumentError("over", f"{name} = {shown(value)}", "a whole number")
    return int(value)


def _number(name: str, value: str) -> Fraction:
    try:
        return money(value)
    except ValueError:
        raise ArgumentError("over", f"{name} = {shown(value)}", "a number, such as 5, 2.50 or 4/3") from None


def _put(said: dict[str, Any], name: str, value: str) -> None:
    """Set one number of a strategy file."""
    place: Any = said
    *way, last = name.split(".")
    for word in way:
        place = _into(place, word, name)
    now = _into(place, last, name)
    if isinstance(now, bool) or not (isinstance(now, int) or (isinstance(now, str) and AMOUNT.fullmatch(now))):
        raise ArgumentError("over", f"{name} = {shown(now)}", "a place of the strategy file that holds a number")
    if not AMOUNT.fullmatch(value):
        raise ArgumentError("over", f"{name} = {shown(value)}", "a number, such as 5 or 2x")
    key: Any = int(last) if isinstance(place, list) else last
    place[key] = int(value) if value.isdigit() else value


def _into(place: object, word: str, name: str) -> Any:  # noqa: ANN401 - whatever a file says
    """What stands at one word of a place."""
    if isinstance(place, Mapping) and word in place:
        return place[word]
    if isinstance(place, Sequence) and not isinstance(place, str) and word.isdigit() and int(word) < len(place):
        return place[int(word)]
    known = (
        [*ASKED, *place]
        if isinstance(place, Mapping)
        else [str(at) for at in range(len(place))]
        if isinstance(place, list)
        else []
    )
    wanted = f"one of {', '.join(map(str, known))}" if known else "no further word"
    raise ArgumentError("over", shown(name), f"at {word!r}: {wanted}", nearest(word, [str(each) for each in known]))


def _figures(law: Law) -> dict[str, float | None]:
    return {
        "mean": float(law.mean),
        "deviation": float(law.variance) ** 0.5,
        "p_ahead": float(law.p_ahead),
        "p_ruin": float(law.p_ruin),
        "action": float(law.action),
        "edge": None if law.edge is None else float(law.edge),
        "loss_per_hour": float(law.loss_per_hour),
    }
