"""Pictures of results: a session over time, its final net and what it must be exactly, strategies side by side."""

from __future__ import annotations

from collections.abc import Collection, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from numbers import Real
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from passline.answers import CHARTS, Answer
from passline.errors import ArgumentTypeError, short_repr
from passline.files.amounts import whole_number
from passline.files.arguments import instance, one_of
from passline.files.needed import needed
from passline.files.whole import check_writable, saving, whole_file
from passline.odds.sessions.distribution import Distribution
from passline.sim.sample import Sample

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Style = Literal["light", "dark"]

TAILS: Final = (Fraction(1, 1000), Fraction(999, 1000))  # Bars are drawn between these quantiles
TAIL: Final = 0.0005  # a share of the sessions beyond the edges of a histogram that is worth a word
BARS: Final = 24  # Rows of an answer that are drawn as bars
BINS: Final = 60  # Bars of a histogram, unless the nets are fewer
# Letters of a line over a chart, of the line under that one, and of a strategy's name beside its row.
TITLE_WIDE, WORDS_WIDE, NAME_WIDE = 44, 66, 30


@dataclass(frozen=True, slots=True)
class Palette:
    """The colours of one style."""

    paper: str
    ink: str
    faint: str
    line: str
    win: str
    loss: str
    exact: str
    several: tuple[str, ...]


PALETTES: Final[Mapping[str, Palette]] = {
    "light": Palette(
        paper="#fbfaf7",
        ink="#22302b",
        faint="#d9d6cc",
        line="#0f6b4f",
        win="#2a9d6f",
        loss="#c8553d",
        exact="#22302b",
        several=("#0f6b4f", "#c8553d", "#3566a8", "#b8860b", "#7b4b94", "#4a7c8c"),
    ),
    "dark": Palette(
        paper="#14211c",
        ink="#e9e6da",
        faint="#33453d",
        line="#57d3a2",
        win="#43b883",
        loss="#e5735b",
        exact="#f4e7b5",
        several=("#57d3a2", "#e5735b", "#7fa8e8", "#e3b94a", "#c39ad8", "#8cc5d6"),
    ),
}


def fan(result: Sample, ax: Axes | None = None, *, style: Style = "light", paths: int = 5) -> Axes:
    """The net over time: median, the middle half, the middle nine tenths, and a few sessions as they went."""
    _sample(result)
    paths = whole_number("paths", paths, least=0)
    colours, ax = _page(ax, style)
    rolls, cuts = result.fan.rolls, result.fan.quantiles
    low5, low25, middle, high75, high95 = (_floats(cuts[q]) for q in (0.05, 0.25, 0.5, 0.75, 0.95))
    ax.fill_between(rolls, low5, high95, color=colours.line, alpha=0.14, lw=0, label="5 % to 95 %")
    ax.fill_between(rolls, low25, high75, color=colours.line, alpha=0.26, lw=0, label="25 % to 75 %")
    for i, path in enumerate(result.fan.paths[:paths]):
        label = "single sessions" if i == 0 else None
        ax.plot(rolls, _floats(path), color=colours.ink, alpha=0.38, lw=0.8, label=label)
    ax.plot(rolls, middle, color=colours.line, lw=2.2, label="median")
    ax.axhline(0, color=colours.ink, lw=0.8, alpha=0.6, label="even")
    ax.set_xlim(0, int(rolls[-1]))
    ax.set_xlabel("rolls")
    ax.set_ylabel("net")
    _title(ax, result.title, f"net over time, {result.watched:,} sessions watched", colours)
    _legend(ax, colours, loc="upper left")
    return ax


def histogram(
    result: Sample, ax: Axes | None = None, *, exact: Distribution | None = None, style: Style = "light"
) -> Axes:
    """The final net, losses and wins in their colours; the `exact` law is drawn as a line."""
    _sample(result)
    edges, share, line = bars(result, exact)
    colours, ax = _page(ax, style)
    middles = _bars(ax, edges, share, colours)
    if line is not None:
        ax.step(middles, 100 * line, where="mid", color=colours.exact, lw=1.4, label="exact")
        _legend(ax, colours, loc="upper right")
    _describe(ax, result, f"{result.sessions:,} sessions", 1 - float(share.sum()), colours)
    ax.set_ylabel("sessions, %")
    return ax


def distribution(law: Distribution, ax: Axes | None = None, *, style: Style = "light") -> Axes:
    """The final net as it must come out: the chance of each, losses and wins in their colours."""
    instance("law", law, Distribution, "a Distribution, such as `question.exact()`")
    colours, ax = _page(ax, style)
    edges, share, _ = bars(law)
    _bars(ax, edges, share, colours)
    how = "exactly" if law.exact else f"within {law.error_bound:.0e}"
    _describe(ax, law, f"{law.rolls:,} rolls, {how}", 1 - float(share.sum()), colours)
    ax.set_ylabel("chance, %")
    return ax


class Bars(NamedTuple):
    """A histogram as it is drawn: where its bars part, and the share of each, in a sample and exactly."""

    edges: NDArray[np.float64]
    share: NDArray[np.float64]
    exact: NDArray[np.float64] | None = None


def bars(result: Sample | Distribution, exact: Distribution | None = None) -> Bars:
    """The final net between its far ends, in bars."""
    if isinstance(result, Distribution):
        nets, chances = result.arrays()
        first, last = (int(result.quantile(cut) / result.step) for cut in TAILS)
        edges = float(result.step) * _edges(result.low + np.flatnonzero(chances), first, last)
        return Bars(edges, _binned(nets, chances, edges))
    _sample(result)
    _laws([exact])
    grains = result.net.grains
    first, last = (grains.quantile(cut) for cut in TAILS)
    edges = float(result.net.grain) * _edges(grains.values, first, last)
    share = _binned(result.net.floats(), result.net.counts / result.sessions, edges)
    return Bars(edges, share, None if exact is None else _binned(*exact.arrays(), edges))


def _bars(ax: Axes, edges: NDArray[np.float64], share: NDArray[np.float64], colours: Palette) -> NDArray[np.float64]:
    """Draw the share of each bar in the colour of its side, and give their middles."""
    middles, width = (edges[:-1] + edges[1:]) / 2, edges[1] - edges[0]
    sides = np.where(middles < -width / 4, colours.loss, np.where(middles > width / 4, colours.win, colours.ink))
    ax.bar(middles, 100 * share, width=0.92 * width, color=list(sides), alpha=0.85, lw=0)
    return middles


def _describe(ax: Axes, result: Sample | Distribution, what: str, beyond: float, colours: Palette) -> None:
    """Mark the mean, and say over the bars what they are and how much lies beyond them."""
    mean = float(result.mean)
    ax.axvline(mean, color=colours.ink, lw=1, ls=(0, (4, 3)))
    ax.annotate(
        f"mean {_number(mean, form=',.2f')}",
        (mean, 0.985),
        xycoords=("data", "axes fraction"),
        xytext=(5, 0),
        textcoords="offset points",
        va="top",
        color=colours.ink,
        fontsize=9,
    )
    ax.margins(x=0.01, y=0.12)
    ax.set_xlabel("final net")
    words = f"{what}, {float(result.p_ahead):.1%} ahead, {float(result.p_ruin):.1%} ran out of money"
    if beyond > TAIL:
        words += f"; {beyond:.1%} beyond the edges"
    _title(ax, result.title, words, colours)


def compare(
    results: Sequence[Sample] | Mapping[str, Sample], ax: Axes | None = None, *, style: Style = "light"
) -> Axes:
    """Strategies side by side on the same dice: the middle half, the middle nine tenths, the median and the mean."""
    _samples(results)
    colours, ax = _page(ax, style)
    if isinstance(results, Mapping):
        names, samples = list(results), list(results.values())
    else:
        names, samples = [result.title for result in results], list(results)
    for row, result in enumerate(samples):
        colour = colours.several[row % len(colours.several)]
        mean = _number(float(result.mean), form=",.2f")
        cuts = [float(amount) for amount in result.quantiles.values()]
        ax.plot([cuts[0], cuts[6]], [row, row], color=colour, lw=1.4, alpha=0.7, solid_capstyle="round")
        ax.plot([cuts[1], cuts[5]], [row, row], color=colour, lw=6, alpha=0.4, solid_capstyle="round")
        ax.plot([cuts[2], cuts[4]], [row, row], color=colour, lw=13, alpha=0.85, solid_capstyle="butt")
        ax.plot([cuts[3]] * 2, [row - 0.16, row + 0.16], color=colours.paper, lw=2.4)
        ax.plot(float(result.mean), row, "D", color=colours.paper, mec=colours.ink, ms=5.5, mew=1.1)
        ax.annotate(
            f"mean {mean}   ahead {float(result.p_ahead):.1%}   no next bet {float(result.p_ruin):.1%}",
            (cuts[3], row),
            xytext=(0, 13),
            textcoords="offset points",
            ha="center",
            color=colours.ink,
            fontsize=8.5,
            alpha=0.85,
        )
    ax.axvline(0, color=colours.ink, lw=0.8, alpha=0.6, zorder=0)
    ax.set_yticks(range(len(names)), [fill(name, NAME_WIDE) for name in names], parse_math=False)
    ax.set_ylim(len(names) - 0.5, -0.6)
    ax.grid(visible=False, axis="y")
    ax.set_xlabel("final net")
    _title(
        ax, "The same dice", "bar: middle half, then 5 to 95 %, then 1 to 99 %; notch: median; diamond: mean", colours
    )
    return ax


def save(
    path: Path | str, results: Sequence[Sample], *, exact: Sequence[Distribution | None] = (), style: Style = "light"
) -> None:
    """Write one page: a fan and a histogram for each result, and for several a comparison under them."""
    needed("matplotlib", "a chart")
    from matplotlib import rc_context
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    check_chart(path)
    _samples(results)
    _laws(exact)
    one_of("style", style, PALETTES)
    rows, several = len(results), len(results) > 1
    answers = [*exact, *[None] * (rows - len(exact))]
    comparison = 0.5 + 0.55 * rows if several else 0
    with rc_context({"font.family": "DejaVu Sans", "svg.fonttype": "none", "svg.hashsalt": "passline"}):
        layout = ConstrainedLayoutEngine(w_pad=0.18, h_pad=0.16, wspace=0.03, hspace=0.05)
        figure = Figure(figsize=(12.5, 4.6 * rows + comparison + 0.6 * several), layout=layout)
        figure.set_facecolor(PALETTES[style].paper)
        heights = [4.6] * rows + [comparison + 0.6] * several
        grid = figure.add_gridspec(rows + several, 2, height_ratios=heights, width_ratios=[1.15, 1])
        for row, (result, answer) in enumerate(zip(results, answers, strict=True)):
            fan(result, figure.add_subplot(grid[row, 0]), style=style)
            histogram(result, figure.add_subplot(grid[row, 1]), exact=answer, style=style)
        if several:
            compare(results, figure.add_subplot(grid[rows, :]), style=style)
        _write(figure, path)


def save_distribution(path: Path | str, law: Distribution, *, style: Style = "light") -> None:
    with _sheet(path, style) as (ax,):
        distribution(law, ax, style=style)


def lines(  # noqa: PLR0913 - what is drawn, and what is written beside it
    path: Path | str,
    drawn: Mapping[str, tuple[Sequence[Any], Sequence[float]]],
    *,
    title: str,
    words: str,
    across: str,
    along: str,
    shares: bool = False,
    style: Style = "light",
) -> None:
    """Write one page with a line for each label: numbers stand where they belong, and shares in per cent."""
    with _sheet(path, style) as (ax,):
        colours, _ = _page(ax, style)
        for place, (label, (where, how_much)) in enumerate(drawn.items()):
            tall = [100 * each for each in how_much] if shares else how_much
            ax.plot(where, tall, marker="o", color=colours.several[place % len(colours.several)], label=label or None)
        ax.set_xlabel(across.replace("_", " "))
        ax.set_ylabel(along.replace("_", " ") + (", %" if shares else ""))
        _title(ax, title, words, colours)
        if len(drawn) > 1:
            _legend(ax, colours, loc="best")


def frontier(  # noqa: PLR0913 - what is drawn, and what is written beside it
    path: Path | str,
    points: Mapping[str, Sequence[tuple[float, float]]],
    edge: Mapping[str, tuple[float, float]],
    *,
    title: str,
    words: str,
    across: str,
    along: str,
    style: Style = "light",
) -> None:
    """Write one page with points by what they are, and a line with labels through those that no other beats."""
    with _sheet(path, style) as (ax,):
        colours, _ = _page(ax, style)
        for ink, (label, where) in zip((colours.line, colours.loss), points.items(), strict=False):
            ax.plot(*zip(*where, strict=True) if where else ([], []), "o", ms=5, color=ink, label=label, alpha=0.8)
        ax.plot(*zip(*edge.values(), strict=True), color=colours.ink, lw=1)
        for label, corner in edge.items():
            ax.annotate(label, corner, xytext=(5, 5), textcoords="offset points", fontsize=8, color=colours.ink)
        ax.set_xlabel(across)
        ax.set_ylabel(along)
        _title(ax, title, words, colours)
        if len(points) > 1:
            _legend(ax, colours, loc="best")


def panels(  # noqa: PLR0913 - what is drawn, and what is written beside it
    path: Path | str,
    drawn: Mapping[str, Mapping[str, Sequence[tuple[float, float]]]],
    *,
    title: str,
    words: str,
    across: str,
    up_to: float,
    style: Style = "light",
) -> None:
    """Write one page with a row of axes for each name, points of each label in one colour, and the diagonal."""
    _points(drawn)
    labels = list(dict.fromkeys(label for each in drawn.values() for label in each))
    with _sheet(path, style, rows=len(drawn)) as every:
        colours, _ = _page(every[0], style)
        for ax, (name, each) in zip(every, drawn.items(), strict=True):
            _page(ax, style)
            for label, where in each.items():
                ink = colours.several[labels.index(label) % len(colours.several)]
                ax.plot(*zip(*where, strict=True), "o", ms=3.5, color=ink)
            ax.plot([0, up_to], [0, up_to], lw=0.8, color=colours.faint)
            ax.set_ylabel(name)
        for place, label in enumerate(labels):
            every[0].plot([], [], "o", color=colours.several[place % len(colours.several)], label=label)
        _legend(every[0], colours, loc="upper left")
        every[-1].set_xlabel(across)
        _title(every[0], title, words, colours)


def draw(answer: Answer, path: Path | str, *, style: Style = "light") -> None:
    """Write the picture of any answer: its distribution, or the first figure of its rows over their first column."""
    if isinstance(answer, Distribution):
        save_distribution(path, answer, style=style)
        return
    with _sheet(path, style) as (ax,):
        if isinstance(answer, Sample):
            histogram(answer, ax, style=style)
        else:
            _rows(ax, answer, style)


def _rows(ax: Axes, answer: Answer, style: Style) -> None:
    """Points where the first column is numbers, else a bar for each row; at most `BARS` of them."""
    table = answer.table()
    names, kinds = list(table.columns), list(table.columns.values())
    places = [at for at in range(1, len(names)) if kinds[at] not in {"text", "exact"}]
    figures = [each for each in places if any(isinstance(row[each], Real) for row in table.rows)]
    at = next((each for each in figures if kinds[each] == "edge"), next(iter(figures), None))
    rows = [row for row in table.rows if at is not None and isinstance(row[at], Real)]
    colours, _ = _page(ax, style)
    shares = at is not None and kinds[at] in {"share", "edge"}
    label = "" if at is None else names[at].replace("_", " ") + (", %" if shares else "")
    tall = [float(row[at]) * (100 if shares else 1) for row in rows] if at is not None else []
    sentences = (each for each in answer.page() if isinstance(each, str) and 0 < len(each) <= 2 * TITLE_WIDE)
    title, words = table.title or next(sentences, type(answer).__name__), label
    if kinds[0] != "text" and all(isinstance(row[0], Real) for row in rows):
        ax.plot([float(row[0]) for row in rows], tall, marker="o", ms=3.5, color=colours.line)
        ax.set(xlabel=names[0].replace("_", " "), ylabel=label)
    else:
        ax.barh(range(len(tall[:BARS])), tall[:BARS], color=colours.line)
        ax.set_yticks(range(len(tall[:BARS])), [str(row[0]) for row in rows[:BARS]])
        ax.invert_yaxis()
        ax.set_xlabel(label)
        words += f"; the first {BARS} of {len(rows)}" if len(rows) > BARS else ""
    _title(ax, title, words, colours)


@contextmanager
def _sheet(path: Path | str, style: Style, rows: int = 1) -> Generator[list[Axes]]:
    """The axes of a page, one below the other, which is written when they are left."""
    needed("matplotlib", "a chart")
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    check_chart(path)
    with rc_context({"font.family": "DejaVu Sans", "svg.fonttype": "none", "svg.hashsalt": "passline"}):
        figure = Figure(figsize=(8, 4.8 if rows == 1 else 1.6 + 1.5 * rows), layout="constrained")
        figure.set_facecolor(PALETTES[one_of("style", style, PALETTES)].paper)
        yield list(figure.subplots(rows, 1, sharex=True, squeeze=False)[:, 0])
        _write(figure, path)


def check_chart(path: Path | str) -> Path:
    """The path, or an error that says why no chart could be written there; ask before rolling."""
    with saving(path):
        return check_writable(path, CHARTS)


def _sample(result: object) -> None:
    instance("result", result, Sample, "a Sample, such as `question.simulate()`")


def _samples(results: object) -> None:
    several = results.values() if isinstance(results, Mapping) else results
    if not isinstance(several, Collection) or isinstance(several, str | bytes) or not several:
        raise ArgumentTypeError("results", short_repr(results), "a list of Samples, such as `[question.simulate()]`")
    for one in several:
        _sample(one)


def _points(drawn: object) -> None:
    if not isinstance(drawn, Mapping) or not all(isinstance(each, Mapping) for each in drawn.values()):
        raise ArgumentTypeError("drawn", short_repr(drawn), "points by name and label")


def _laws(exact: object) -> None:
    for one in instance("exact", exact, (list, tuple), "Laws, such as `question.exact()`, or None, for each result"):
        if one is not None:
            instance("exact", one, Distribution, "a Distribution, such as `question.exact()`, or None")


def _write(figure: Figure, path: Path | str) -> None:
    with whole_file(path) as part:
        # No date in an SVG, so that the same result is the same file.
        metadata = {"Date": None} if part.suffix.lower() == ".svg" else None
        figure.savefig(part, dpi=144, facecolor=figure.get_facecolor(), metadata=metadata)


def _page(ax: Axes | None, style: Style) -> tuple[Palette, Axes]:
    colours = PALETTES[one_of("style", style, PALETTES)]
    if ax is None:
        needed("matplotlib", "a chart")
        from matplotlib import pyplot as plt

        page, ax = plt.subplots(figsize=(8, 4.8), layout="constrained")
        page.set_facecolor(colours.paper)
    elif not hasattr(ax, "set_facecolor"):
        raise ArgumentTypeError("ax", short_repr(ax), "Axes of matplotlib, or None")
    ax.set_facecolor(colours.paper)
    for side in ("top", "right", "left"):
        ax.spines[side].set_visible(False)
    ax.spines["bottom"].set_color(colours.faint)
    ax.tick_params(colors=colours.ink, length=0, labelsize=9)
    ax.grid(visible=True, color=colours.faint, lw=0.7, alpha=0.8)
    ax.set_axisbelow(True)
    ax.xaxis.set_major_formatter(_number)
    ax.yaxis.set_major_formatter(_number)
    ax.xaxis.label.set_color(colours.ink)
    ax.yaxis.label.set_color(colours.ink)
    return colours, ax


def _number(value: float, _place: float = 0, form: str = ",.10g") -> str:
    return f"{value:{form}}".replace("-", "\N{MINUS SIGN}")


def _title(ax: Axes, name: str, words: str, colours: Palette) -> None:
    folded = fill(words, WORDS_WIDE)
    lines = folded.count("\n") + 1
    title = fill(name, TITLE_WIDE)
    above = ax.set_title(title, loc="left", color=colours.ink, fontsize=12.5, fontweight="bold", pad=10 + 12 * lines)
    above.set_parse_math(parse_math=False)  # a name is a name: dollar signs in it begin no formula
    ax.annotate(
        folded,
        (0, 1),
        xycoords="axes fraction",
        xytext=(0, 7),
        textcoords="offset points",
        color=colours.ink,
        alpha=0.7,
        fontsize=9,
    )


def _legend(ax: Axes, colours: Palette, loc: Literal["best", "upper left", "upper right"]) -> None:
    ax.legend(loc=loc, facecolor=colours.paper, edgecolor="none", framealpha=0.75, fontsize=8.5, labelcolor=colours.ink)


def _floats(amounts: Sequence[Fraction]) -> NDArray[np.float64]:
    return np.array(amounts, dtype=np.float64)


def _edges(values: NDArray[np.int64], first: int, last: int) -> NDArray[np.float64]:
    """Bars from the first to the last of the nets shown, in whole grains, each as many steps wide as the next.

    Nets are often all even, or all multiples of five: bars that held unequally many possible nets would show a comb.
    """
    step = int(np.gcd.reduce(np.diff(values))) if len(values) > 1 else 1
    wide = step * max(1, -(-(last - first) // (step * BINS)))
    # Zero gets a bar's middle, so that losses and wins part in the middle of one.
    start = (first // wide) * wide - wide / 2 + (step / 2 if wide // step % 2 == 0 else 0)
    bars = int((last - start) // wide) + 1
    return np.asarray(start + wide * np.arange(bars + 1), dtype=np.float64)


def _binned(
    values: NDArray[np.float64], weights: NDArray[np.float64], edges: NDArray[np.float64]
) -> NDArray[np.float64]:
    return np.histogram(values, bins=edges, weights=weights)[0]
