"""Pictures of results: a session over time, its final net and what it must be exactly, strategies side by side."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence, ValuesView
from contextlib import contextmanager
from fractions import Fraction
from numbers import Real
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Final, Literal

import numpy as np
from numpy.typing import NDArray

from passline.answers import CHARTS, Answer, Chart, Curve
from passline.errors import ArgumentError, ArgumentTypeError, short_repr
from passline.files.amounts import whole_number
from passline.files.arguments import instance
from passline.files.needed import needed
from passline.files.whole import check_writable, saving, whole_file
from passline.odds.sessions.distribution import Distribution
from passline.sim.sample import Sample

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Floats = NDArray[np.float64]
TAILS: Final = (Fraction(1, 1000), Fraction(999, 1000))  # Bars are drawn between these quantiles
TAIL: Final = 0.0005  # a share of the sessions beyond the edges of a histogram that is worth a word
BINS: Final = 60  # Bars of a histogram, unless the nets are fewer
PATHS: Final = 5  # Sessions drawn as they went
RESULT: Final = "a Sample or a Distribution, such as `question.exact()`"
POINTS: Final = "points by name and label"
NAMES: Final = "lists of names and of results, as long as each other"


def net_over_time(sample: Sample, paths: int = PATHS) -> Chart:
    """Median, the middle half, the middle nine tenths, and a few sessions as they went."""
    _sample(sample)
    many = whole_number("paths", paths, least=0)
    low5, low25, middle, high75, high95 = (
        [float(net) for net in sample.fan.quantiles[cut]] for cut in (0.05, 0.25, 0.5, 0.75, 0.95)
    )
    went = [[float(net) for net in path] for path in sample.fan.paths[:many]]
    curves = [Curve("5 % to 95 %", high95, "band", low5), Curve("25 % to 75 %", high75, "band", low25)]
    curves += [Curve("" if at else "single sessions", path, "path") for at, path in enumerate(went)]
    words = f"net over time, {sample.watched:,} sessions watched"
    title = sample.about.get("heading", sample.title)
    return Chart(title, words, "rolls", "net", sample.fan.rolls.tolist(), [*curves, Curve("median", middle)])


def final_net(result: Sample | Distribution, exact: Distribution | None = None) -> Chart:
    """The share of each bar between the far ends; beside a sample what it must be exactly."""
    instance("result", result, (Sample, Distribution), RESULT)
    _laws([exact])
    if isinstance(result, Distribution):
        nets, weights = result.arrays()
        first, last = (int(result.quantile(cut) / result.step) for cut in TAILS)
        edges = float(result.step) * _edges(result.low + np.flatnonzero(weights), first, last)
        exactness = "exactly" if result.exact else f"within {result.error_bound:.0e}"
        what, along = f"{result.rolls:,} rolls, {exactness}", "chance"
    else:
        minor_units = result.net.minor_units
        nets, weights = result.net.floats(), result.net.counts / result.sessions
        first, last = (minor_units.quantile(cut) for cut in TAILS)
        edges = float(result.net.minor_unit) * _edges(minor_units.values, first, last)
        what, along = f"{result.sessions:,} sessions", "sessions"
    share = np.histogram(nets, edges, weights=weights)[0]
    words = f"{what}, {float(result.p_ahead):.1%} ahead, {float(result.p_ruin):.1%} no next bet"
    if (beyond := 1 - float(share.sum())) > TAIL:
        words += f"; {beyond:.1%} beyond the edges"
    curves = [Curve(along, share.tolist(), "bars")]
    if exact is not None:
        values, chances = exact.arrays()
        curves.append(Curve("exact", np.histogram(values, edges, weights=chances)[0].tolist(), "steps"))
    middles, wide = ((edges[:-1] + edges[1:]) / 2).tolist(), float(edges[1] - edges[0])
    title = result.about.get("heading", result.title)
    return Chart(title, words, "final net", along, middles, curves, shares=True, wide=wide)


def ruin_by_roll(names: Sequence[str], results: Sequence[Sample | Distribution]) -> Chart | None:
    """The chance that the next bet could not be made by then; nothing where it always could."""
    if len(instance("names", names, (list, tuple), NAMES)) != len(instance("results", results, (list, tuple), NAMES)):
        raise ArgumentError("names", f"{len(names)} for {len(results)} results", NAMES)
    for result in results:
        instance("results", result, (Sample, Distribution), RESULT)
    steps: list[dict[int, float]] = []
    for result in results:
        curve = zip(*result.ruin_curve(), strict=True) if isinstance(result, Sample) else result.ruin_curve()
        steps.append({int(roll): float(share) for roll, share in curve})
    rolls = sorted({roll for each in steps for roll in each})
    if len(rolls) < 2 or not any(result.p_ruin for result in results):
        return None
    curves = []
    for name, each in zip(names, steps, strict=True):
        values = [0.0]
        for roll in rolls:
            values.append(each.get(roll, values[-1]))
        curves.append(Curve(name, values[1:]))
    return Chart("Broke by then", "the next bet could not be made", "rolls", "chance", rolls, curves, shares=True)


def _edges(values: NDArray[np.int64], first: int, last: int) -> Floats:
    """Bars from the first to the last of the nets drawn, in whole minor units, each as many steps wide as the next.

    Nets are often all even, or all multiples of five: bars that held unequally many possible nets would show a comb.
    """
    step = int(np.gcd.reduce(np.diff(values))) if len(values) > 1 else 1
    wide = step * max(1, -(-(last - first) // (step * BINS)))
    # Zero gets a bar's middle, so that losses and wins part in the middle of one.
    start = (first // wide) * wide - wide / 2 + (step / 2 if wide // step % 2 == 0 else 0)
    bars = int((last - start) // wide) + 1
    return np.asarray(start + wide * np.arange(bars + 1), dtype=np.float64)


BARS: Final = 24  # Rows of an answer that are drawn as bars
# Letters of a line over a chart, of the line under that one, and of a strategy's name beside its row.
TITLE_WIDE, WORDS_WIDE, NAME_WIDE = 44, 66, 30


PAPER, INK, FAINT = "#fbfaf7", "#22302b", "#d9d6cc"
LINE, WIN, LOSS = "#0f6b4f", "#2a9d6f", "#c8553d"
SEVERAL = (LINE, LOSS, "#3566a8", "#b8860b", "#7b4b94", "#4a7c8c")


def fan(result: Sample, ax: Axes | None = None, *, paths: int = PATHS) -> Axes:
    """The net over time: median, the middle half, the middle nine tenths, and a few sessions as they went."""
    ax = _curves(_page(ax), net_over_time(result, paths))
    ax.axhline(0, color=INK, lw=0.8, alpha=0.6, label="even")
    ax.set_xlim(0, int(result.fan.rolls[-1]))
    _legend(ax, loc="upper left")
    return ax


def histogram(result: Sample, ax: Axes | None = None, *, exact: Distribution | None = None) -> Axes:
    """The final net, losses and wins in their colours; the `exact` distribution is drawn as a line."""
    _sample(result)
    _laws([exact])
    ax = _final_net(ax, result, exact)
    if exact is not None:
        _legend(ax, loc="upper right")
    return ax


def distribution(law: Distribution, ax: Axes | None = None) -> Axes:
    """The final net as it must come out: the chance of each, losses and wins in their colours."""
    return _final_net(ax, instance("law", law, Distribution, "a Distribution, such as `question.exact()`"), None)


def _curves(ax: Axes, chart: Chart) -> Axes:
    """Draw a chart: numbers stand where they belong, and shares in per cent."""
    places, bands = np.asarray(chart.places), 0
    for place, curve in enumerate(chart.curves):
        values = (100 if chart.shares else 1) * np.array(curve.values, dtype=np.float64)
        ink, label = SEVERAL[place % len(SEVERAL)], curve.label or None
        match curve.style:
            case "band":
                ax.fill_between(places, curve.low, values, color=LINE, alpha=0.14 + 0.12 * bands, lw=0, label=label)
                bands += 1
            case "path":
                ax.plot(places, values, color=INK, alpha=0.38, lw=0.8, label=label)
            case "steps":
                ax.step(places, values, where="mid", color=INK, lw=1.4, label=label)
            case "bars":
                wide = chart.wide
                sides = np.where(places < -wide / 4, LOSS, np.where(places > wide / 4, WIN, INK))
                ax.bar(places, values, width=0.92 * wide, color=list(sides), alpha=0.85, lw=0)
            case "points":
                ax.plot(places, values, marker="o", color=ink, label=label)
            case "line":
                ax.plot(places, values, color=LINE if bands else ink, lw=2.2, label=label)
    ax.set_xlabel(chart.across)
    ax.set_ylabel(chart.along + (", %" if chart.shares else ""))
    _title(ax, chart.title, chart.words)
    return ax


def _final_net(ax: Axes | None, result: Sample | Distribution, exact: Distribution | None) -> Axes:
    ax = _curves(_page(ax), final_net(result, exact))
    mean = float(result.mean)
    ax.axvline(mean, color=INK, lw=1, ls=(0, (4, 3)))
    ax.annotate(
        f"mean {_number(mean, form=',.2f')}",
        (mean, 0.985),
        xycoords=("data", "axes fraction"),
        xytext=(5, 0),
        textcoords="offset points",
        va="top",
        color=INK,
        fontsize=9,
    )
    ax.margins(x=0.01, y=0.12)
    return ax


def compare(results: Sequence[Sample] | Mapping[str, Sample], ax: Axes | None = None) -> Axes:
    """Strategies side by side on the same dice: the middle half, the middle nine tenths, the median and the mean."""
    _samples(results)
    ax = _page(ax)
    if isinstance(results, Mapping):
        names, samples = list(results), list(results.values())
    else:
        names, samples = [result.title for result in results], list(results)
    for row, result in enumerate(samples):
        colour = SEVERAL[row % len(SEVERAL)]
        mean = _number(float(result.mean), form=",.2f")
        cuts = [float(amount) for amount in result.quantiles.values()]
        ax.plot([cuts[0], cuts[6]], [row, row], color=colour, lw=1.4, alpha=0.7, solid_capstyle="round")
        ax.plot([cuts[1], cuts[5]], [row, row], color=colour, lw=6, alpha=0.4, solid_capstyle="round")
        ax.plot([cuts[2], cuts[4]], [row, row], color=colour, lw=13, alpha=0.85, solid_capstyle="butt")
        ax.plot([cuts[3]] * 2, [row - 0.16, row + 0.16], color=PAPER, lw=2.4)
        ax.plot(float(result.mean), row, "D", color=PAPER, mec=INK, ms=5.5, mew=1.1)
        ax.annotate(
            f"mean {mean}   ahead {float(result.p_ahead):.1%}   no next bet {float(result.p_ruin):.1%}",
            (cuts[3], row),
            xytext=(0, 13),
            textcoords="offset points",
            ha="center",
            color=INK,
            fontsize=8.5,
            alpha=0.85,
        )
    ax.axvline(0, color=INK, lw=0.8, alpha=0.6, zorder=0)
    ax.set_yticks(range(len(names)), [fill(name, NAME_WIDE) for name in names], parse_math=False)
    ax.set_ylim(len(names) - 0.5, -0.6)
    ax.grid(visible=False, axis="y")
    ax.set_xlabel("final net")
    _title(ax, "The same dice", "bar: middle half, then 5 to 95 %, then 1 to 99 %; notch: median; diamond: mean")
    return ax


def save(path: Path | str, results: Sequence[Sample], *, exact: Sequence[Distribution | None] = ()) -> None:
    """Write one page: a fan and a histogram for each result, and for several a comparison under them."""
    _samples(results)
    _laws(exact)
    rows, several = len(results), len(results) > 1
    answers = [*exact, *[None] * (rows - len(exact))]
    heights = [4.6] * rows + [1.1 + 0.55 * rows] * several
    with _figure(path, (12.5, sum(heights))) as figure:
        figure.set_layout_engine("constrained", w_pad=0.18, h_pad=0.16, wspace=0.03, hspace=0.05)
        grid = figure.add_gridspec(rows + several, 2, height_ratios=heights, width_ratios=[1.15, 1])
        for row, (result, answer) in enumerate(zip(results, answers, strict=True)):
            fan(result, figure.add_subplot(grid[row, 0]))
            histogram(result, figure.add_subplot(grid[row, 1]), exact=answer)
        if several:
            compare(results, figure.add_subplot(grid[rows, :]))


def save_distribution(path: Path | str, law: Distribution) -> None:
    with _sheet(path) as (ax,):
        distribution(law, ax)


def save_chart(path: Path | str, chart: Chart) -> None:
    instance("chart", chart, Chart, "a Chart")
    with _sheet(path) as (ax,):
        _curves(_page(ax), chart)
        if len(chart.curves) > 1:
            _legend(ax, loc="best")


def panels(  # noqa: PLR0913 - what is drawn, and what is written beside it
    path: Path | str,
    drawn: Mapping[str, Mapping[str, Sequence[tuple[float, float]]]],
    *,
    title: str,
    words: str,
    across: str = "",
    up_to: float | None = None,
    edge: Mapping[str, tuple[float, float]] | None = None,
) -> None:
    """Write one page with a row of axes for each name, and points of each label in one colour.

    With `up_to` all have one scale and the diagonal, with an `edge` a line with labels through those points; without
    either, a scale and a line each.
    """
    for each in instance("drawn", drawn, Mapping, POINTS).values():
        instance("drawn", each, Mapping, POINTS)
    labels = list(dict.fromkeys(label for each in drawn.values() for label in each))
    lines = up_to is None and edge is None
    with _sheet(path, rows=len(drawn), alike=not lines) as every:
        _page(every[0])
        for ax, (name, each) in zip(every, drawn.items(), strict=True):
            _page(ax)
            for label, where in each.items():
                ink = SEVERAL[labels.index(label) % len(SEVERAL)]
                ax.plot(*zip(*where, strict=True), "-" if lines else "o", ms=3.5, color=ink)
            if up_to is not None:
                ax.plot([0, up_to], [0, up_to], lw=0.8, color=FAINT)
            if edge is not None:
                ax.plot(*zip(*edge.values(), strict=True), color=INK, lw=1)
                for label, corner in edge.items():
                    ax.annotate(label, corner, xytext=(5, 5), textcoords="offset points", fontsize=8, color=INK)
            ax.set_ylabel(name)
        for place, label in enumerate(labels):
            every[0].plot([], [], "o", color=SEVERAL[place % len(SEVERAL)], label=label)
        if any(labels):
            _legend(every[0], loc="upper left" if edge is None else "best")
        every[-1].set_xlabel(across)
        _title(every[0], title, words)


def draw(answer: Answer, path: Path | str) -> None:
    """Write the picture of any answer: its distribution, or the first figure of its rows over their first column."""
    if isinstance(answer, Distribution):
        save_distribution(path, answer)
        return
    with _sheet(path) as (ax,):
        if isinstance(answer, Sample):
            histogram(answer, ax)
        else:
            _rows(ax, answer)


def _rows(ax: Axes, answer: Answer) -> None:
    """Points where the rows are told apart by numbers, else a bar for each row; at most `BARS` of them."""
    table = answer.table()
    if not table.rows:
        raise ArgumentError("answer", "no rows", "an answer that has some to draw")
    names, kinds = list(table.columns), list(table.columns.values())
    # What is the same in every row names none of them.
    by = next((at for at in range(len(names)) if len({str(row[at]) for row in table.rows}) > 1), 0)
    places = [at for at in range(1, len(names)) if at != by and kinds[at] not in {"text", "exact"}]
    figures = [each for each in places if any(isinstance(row[each], Real) for row in table.rows)]
    at = next((each for each in figures if kinds[each] == "edge"), next(iter(figures), None))
    rows = [row for row in table.rows if at is not None and isinstance(row[at], Real)]
    _page(ax)
    shares = at is not None and kinds[at] in {"share", "edge"}
    label = "" if at is None else names[at].replace("_", " ") + (", %" if shares else "")
    tall = [float(row[at]) * (100 if shares else 1) for row in rows] if at is not None else []
    sentences = (each for each in answer.page() if isinstance(each, str) and 0 < len(each) <= 2 * TITLE_WIDE)
    title, words = table.title or next(sentences, type(answer).__name__), label
    if kinds[by] != "text" and all(isinstance(row[by], Real) for row in rows):
        ax.plot([float(row[by]) for row in rows], tall, marker="o", ms=3.5, color=LINE)
        ax.set(xlabel=names[by].replace("_", " "), ylabel=label)
    else:
        ax.barh(range(len(tall[:BARS])), tall[:BARS], color=LINE)
        ax.set_yticks(range(len(tall[:BARS])), [str(row[by]) for row in rows[:BARS]])
        ax.invert_yaxis()
        ax.set_xlabel(label)
        words += f"; the first {BARS} of {len(rows)}" if len(rows) > BARS else ""
    _title(ax, title, words)


@contextmanager
def _sheet(path: Path | str, rows: int = 1, *, alike: bool = True) -> Generator[list[Axes]]:
    """The axes of a page, one below the other, which is written when they are left."""
    with _figure(path, (8, 4.8 if rows == 1 else 1.6 + 1.5 * rows)) as figure:
        yield list(figure.subplots(rows, 1, sharex=alike, squeeze=False)[:, 0])


@contextmanager
def _figure(path: Path | str, size: tuple[float, float]) -> Generator[Figure]:
    needed("matplotlib", "a chart")
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    check_chart(path)
    with rc_context({"font.family": "DejaVu Sans", "svg.fonttype": "none", "svg.hashsalt": "passline"}):
        figure = Figure(figsize=size, layout="constrained")
        figure.set_facecolor(PAPER)
        yield figure
        with whole_file(path) as part:
            # No date in an SVG, so that the same result is the same file.
            metadata = {"Date": None} if part.suffix.lower() == ".svg" else None
            figure.savefig(part, dpi=144, facecolor=figure.get_facecolor(), metadata=metadata)


def check_chart(path: Path | str) -> Path:
    """The path, or an error that says why no chart could be written there; ask before rolling."""
    with saving(path):
        return check_writable(path, CHARTS)


def _sample(result: object) -> None:
    instance("result", result, Sample, "a Sample, such as `question.simulate()`")


def _samples(results: object) -> None:
    several = results.values() if isinstance(results, Mapping) else results
    if not isinstance(several, list | tuple | ValuesView) or not several:
        raise ArgumentTypeError("results", short_repr(results), "a list of Samples, such as `[question.simulate()]`")
    for one in several:
        _sample(one)


def _laws(exact: object) -> None:
    for one in instance("exact", exact, (list, tuple), "Laws, such as `question.exact()`, or None, for each result"):
        if one is not None:
            instance("exact", one, Distribution, "a Distribution, such as `question.exact()`, or None")


def _page(ax: Axes | None = None) -> Axes:
    if ax is None:
        needed("matplotlib", "a chart")
        from matplotlib import pyplot as plt

        page, ax = plt.subplots(figsize=(8, 4.8), layout="constrained")
        page.set_facecolor(PAPER)
    elif not hasattr(ax, "set_facecolor"):
        raise ArgumentTypeError("ax", short_repr(ax), "Axes of matplotlib, or None")
    ax.set_facecolor(PAPER)
    for side in ("top", "right", "left"):
        ax.spines[side].set_visible(False)
    ax.spines["bottom"].set_color(FAINT)
    ax.tick_params(colors=INK, length=0, labelsize=9)
    ax.grid(visible=True, color=FAINT, lw=0.7, alpha=0.8)
    ax.set_axisbelow(True)
    ax.xaxis.set_major_formatter(_number)
    ax.yaxis.set_major_formatter(_number)
    ax.xaxis.label.set_color(INK)
    ax.yaxis.label.set_color(INK)
    return ax


def _number(value: float, _place: float = 0, form: str = ",.10g") -> str:
    return f"{value:{form}}".replace("-", "\N{MINUS SIGN}")


def _title(ax: Axes, name: str, words: str) -> None:
    folded = fill(words, WORDS_WIDE)
    lines = folded.count("\n") + 1
    title = fill(name, TITLE_WIDE)
    above = ax.set_title(title, loc="left", color=INK, fontsize=12.5, fontweight="bold", pad=10 + 12 * lines)
    above.set_parse_math(parse_math=False)  # a name is a name: dollar signs in it begin no formula
    ax.annotate(
        folded,
        (0, 1),
        xycoords="axes fraction",
        xytext=(0, 7),
        textcoords="offset points",
        color=INK,
        alpha=0.7,
        fontsize=9,
    )


def _legend(ax: Axes, loc: Literal["best", "upper left", "upper right"]) -> None:
    ax.legend(loc=loc, facecolor=PAPER, edgecolor="none", framealpha=0.75, fontsize=8.5, labelcolor=INK)
