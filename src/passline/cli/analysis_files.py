"""The files a simulation can leave: refused before the first roll, written whole after the last."""

from __future__ import annotations

import csv as commas
import io
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from passline.cli.errors import fail

if TYPE_CHECKING:
    from passline.cli.analysis_runs import Run

COLUMNS = ("strategy", "house", "seed", "net", "net_decimal", "sessions")
"""One line for each final net of each strategy."""


@dataclass(frozen=True, slots=True)
class Files:
    """Where results go."""

    csv: Path | None
    parquet: Path | None
    chart: Path | None
    style: Literal["light", "dark"]

    @classmethod
    def checked(
        cls, *, csv: str | None, parquet: str | None, chart: str | None, style: Literal["light", "dark"]
    ) -> Files:
        """The files, or exit code 2 with the reason why one of them could never be written."""
        from passline.sim.charts import SUFFIXES

        found = cls(
            csv=_path("--csv", csv),
            parquet=_path("--parquet", parquet, needs="polars"),
            chart=_path("--chart", chart, SUFFIXES, needs="matplotlib"),
            style=style,
        )
        named = [path.resolve() for path in (found.csv, found.parquet, found.chart) if path is not None]
        if len(set(named)) < len(named):
            fail("--csv, --parquet and --chart: expected a file of its own for each")
        return found

    def write(self, runs: list[Run]) -> None:
        """Write them all; a disk that fills up costs the files, not the result."""
        for option, path, write in (
            ("--csv", self.csv, _csv),
            ("--parquet", self.parquet, _parquet),
            ("--chart", self.chart, self._draw),
        ):
            if path is not None:
                try:
                    write(path, runs)
                except OSError as error:
                    fail(f"{option}: {_why(error)}")

    def _draw(self, path: Path, runs: list[Run]) -> None:
        from passline.cli.analysis_runs import chances
        from passline.sim import charts

        exact = [None if run.exact is None else chances(run.exact) for run in runs]
        charts.save(path, [run.result for run in runs], exact=exact, style=self.style)


def _path(option: str, text: str | None, suffixes: tuple[str, ...] = (), needs: str = "") -> Path | None:
    from passline.files.whole import check_writable

    if text is None:
        return None
    if needs and find_spec(needs) is None:
        fail(f"{option} needs the package {needs}: pip install passline[analysis]")
    try:
        return check_writable(text, suffixes)
    except (OSError, ValueError) as error:
        fail(f"{option}: {_why(error)}")


def _why(error: Exception) -> str:
    """What is wrong, in the words of whoever noticed."""
    words = error.strerror if isinstance(error, OSError) else None
    return f"cannot be written there: {words}" if words else str(error)


def _rows(runs: list[Run]) -> list[tuple[str, str, int, str, float, int]]:
    return [
        (run.entry.name, str(run.result.about["house"]), run.result.seed, str(net), float(net), count)
        for run in runs
        for grains, count in run.result.net
        for net in (grains * run.result.grain,)
    ]


def _csv(path: Path, runs: list[Run]) -> None:
    from passline.files.whole import whole_file

    text = io.StringIO()
    lines = commas.writer(text, lineterminator="\n")
    lines.writerow(COLUMNS)
    lines.writerows((*row[:4], f"{row[4]:.12g}", row[5]) for row in _rows(runs))
    with whole_file(path) as part:
        part.write_text(text.getvalue(), encoding="utf-8")


def _parquet(path: Path, runs: list[Run]) -> None:
    import polars as pl

    from passline.files.whole import whole_file

    frame = pl.DataFrame(_rows(runs), schema=list(COLUMNS), orient="row")
    with whole_file(path) as part:
        frame.write_parquet(part)
