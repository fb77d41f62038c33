"""Charts: drawn on given Axes, saved in light and dark, refused before anything is drawn."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
import pytest

from passline import Table, ask, par_of
from passline.analysis import charts
from passline.errors import ArgumentError, CannotBeSaved
from passline.machine.terms import Terms
from passline.odds.sessions.distribution import distribution_of
from passline.sim import Sample, simulate
from passline.sim.sample import Amounts, Histogram
from tests.sim.yardstick import molly

if TYPE_CHECKING:
    from pathlib import Path

    from matplotlib.axes import Axes

pytest.importorskip("matplotlib")


@pytest.fixture(scope="module")
def result() -> Sample:
    """A short run."""
    return simulate(molly(), Terms(60), sessions=300, backend="numpy")


@pytest.fixture
def ax() -> Axes:
    """Axes that belong to no window."""
    from matplotlib.figure import Figure

    return Figure().subplots()


def test_charts_draw_on_the_axes_they_are_given(result: Sample, ax: Axes) -> None:
    """What is returned is what was given."""
    assert charts.fan(result, ax) is ax
    assert len(ax.lines) == 5 + 1 + 1
    assert ax.get_title(loc="left") == "three_point_molly at yardstick"


def test_the_picture_of_a_question_is_headed_as_its_text_is(ax: Axes) -> None:
    """With the names that people know the strategy and the house by."""
    question = ask("pass_flat", house="strip", rolls=2)
    for result in (question.exact(), question.simulate(sessions=10, seed=1)):
        assert charts.final_net(result).title == question.heading == "Pass line, flat at The Strip"
    charts.distribution(question.exact(), ax)
    assert ax.get_title(loc="left") == question.heading


def test_the_histogram_shows_every_session_and_the_exact_answer(result: Sample, ax: Axes) -> None:
    """Bars add up to all but the far tails; the exact line is there when it is given."""
    low, high = int(result.worst), int(result.best)
    seen = dict(result.net)
    law = distribution_of(molly(), Terms(1), exact=False)
    exact = replace(
        law, step=Fraction(1), low=low, weights=[seen.get(Fraction(net), 0) / 300 for net in range(low, high + 1)]
    )
    from matplotlib.patches import Rectangle

    charts.histogram(result, ax, exact=exact)
    heights = [bar.get_bbox().height for bar in ax.patches if isinstance(bar, Rectangle)]
    assert sum(heights) == pytest.approx(100, abs=1)
    line = ax.lines[0].get_ydata()
    np.testing.assert_allclose(np.asarray(line), heights)


def test_comparison_has_a_row_for_each_strategy(result: Sample, ax: Axes) -> None:
    """In the order given."""
    charts.compare({"first": result, "second": result}, ax)
    assert [label.get_text() for label in ax.get_yticklabels()] == ["first", "second"]
    charts.compare([result, result], ax)
    assert [label.get_text() for label in ax.get_yticklabels()] == [result.title] * 2


@pytest.mark.slow
@pytest.mark.parametrize("name", ["chart.png", "chart.svg"])
def test_a_page_is_saved_whole(result: Sample, tmp_path: Path, name: str) -> None:
    """One file, of the kind its name says."""
    charts.save(tmp_path / name, [result, result])
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert (tmp_path / name).read_bytes().startswith((b"\x89PNG", b"<?xml"))


def test_a_single_net_can_be_drawn(result: Sample, ax: Axes) -> None:
    """A distribution may be one bar."""
    one = replace(result, net=Amounts(Histogram(np.array([0]), np.array([300])), Fraction(1)))
    charts.histogram(one, ax)
    assert len(ax.patches) == 1


def test_a_chart_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    """Before rolling: the caller asks first."""
    with pytest.raises(ValueError, match="must end in"):
        charts.check_chart(tmp_path / "chart.gif")
    with pytest.raises(CannotBeSaved, match="there is no folder"):
        charts.check_chart(tmp_path / "no" / "chart.png")


def test_the_law_is_drawn_with_every_chance(ax: Axes) -> None:
    """Bars of the exact answer: all of it, in money, under the strategy's name."""
    from matplotlib.patches import Rectangle

    law = distribution_of(molly(), Terms(4))
    assert charts.distribution(law, ax) is ax
    bars = [bar.get_bbox() for bar in ax.patches if isinstance(bar, Rectangle)]
    assert sum(bar.height for bar in bars) == pytest.approx(100, abs=0.2)
    lost = sum(bar.height for bar in bars if bar.x1 < 0)
    assert lost == pytest.approx(100 * float(law.p_behind), abs=0.2), "each bar stands over its own net"
    assert ax.get_title(loc="left") == "three_point_molly at yardstick"
    assert "4 rolls, exactly" in ax.texts[0].get_text()


def test_the_fan_says_which_line_is_which(result: Sample, ax: Axes) -> None:
    """Also the one at nothing."""
    legend = charts.fan(result, ax).get_legend()
    assert legend is not None
    told = [text.get_text() for text in legend.get_texts()]
    assert told == ["5 % to 95 %", "25 % to 75 %", "single sessions", "median", "even"]


def test_what_lies_beyond_the_bars_is_said(result: Sample, ax: Axes) -> None:
    """Sessions that no bar shows are told in words; where every session is shown there are none."""
    counts = np.array([1, *[100] * 20, 1], dtype=np.int64)
    values = np.array([-10_000, *range(-10, 10), 10_000], dtype=np.int64)
    far = replace(result, net=Amounts(Histogram(values, counts), result.net.minor_unit), sessions=int(counts.sum()))
    charts.histogram(far, ax)
    assert "0.1% beyond the edges" in " ".join(ax.texts[0].get_text().split())
    assert "beyond" not in charts.histogram(result, charts.fan(result).figure.subplots()).texts[0].get_text()


def test_a_name_is_no_formula(result: Sample, tmp_path: Path) -> None:
    """Dollar signs and backslashes in a strategy's name are drawn as they are."""
    named = replace(result, about={**result.about, "strategy": r"x $\frac{1$ y"})
    charts.save(tmp_path / "page.svg", [named, named])
    law = distribution_of(molly(), Terms(2))
    charts.save_distribution(tmp_path / "law.svg", replace(law, about={**law.about, "strategy": r"x $\frac{1$ y"}))
    assert all(r"x $\frac{1$ y" in (tmp_path / page).read_text() for page in ("page.svg", "law.svg"))


def test_no_words_are_wider_than_their_chart(result: Sample) -> None:
    """A long name, the longest subtitle and a long label beside a row all stay on the page."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    name = "A strategy that somebody has given a name of very many words indeed"
    long = replace(result, about={**result.about, "strategy": name})
    page = Figure(figsize=(12.5, 4.6), layout="constrained")
    left, right = page.subplots(1, 2)
    charts.histogram(long, left)
    charts.compare([long, result], right)
    FigureCanvasAgg(page).draw()  # type: ignore[no-untyped-call]
    for ax in (left, right):
        words = [ax.texts[0], ax.title, *ax.get_yticklabels()]
        boxes = [text.get_window_extent() for text in words if text.get_text()]
        for box in boxes:
            assert box.x0 >= 0
            assert box.x1 <= page.bbox.width
    assert left.texts[-1].get_window_extent().x1 < right.get_tightbbox().x0


def test_rows_are_told_apart_by_what_differs_among_them(tmp_path: Path) -> None:
    """A PAR sheet begins with its house, which is the same in every row: its bars are edges, by wager."""
    par_of("strip").chart(tmp_path / "par.svg")
    drawn = (tmp_path / "par.svg").read_text()
    assert ">dont_pass<" in drawn
    assert ">strip<" not in drawn
    assert "edge made, %" in drawn


def test_what_a_session_goes_through_is_a_curve_each(tmp_path: Path) -> None:
    ask("pass_flat", house="strip", rolls=8).paths().chart(tmp_path / "paths.svg")
    drawn = (tmp_path / "paths.svg").read_text()
    for name in ("highest net", "deepest fall", "losing rolls in a row", "rolls behind"):
        assert drawn.count(f">{name}<") == 1


def test_an_answer_without_rows_has_nothing_to_draw(tmp_path: Path) -> None:
    with pytest.raises(ArgumentError, match="no rows"):
        Table("strip").results().chart(tmp_path / "nothing.svg")
