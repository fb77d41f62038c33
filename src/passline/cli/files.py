"""The files an analysis can leave: refused before the first roll, written whole after the last."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from passline.analysis.checked import Checked
from passline.cli.errors import fail

if TYPE_CHECKING:
    from passline.odds.sessions.distribution import Law

    Job = tuple[str, Path | None, Callable[[Path], None]]


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
        from passline.analysis.charts import SUFFIXES

        found = cls(
            csv=path_for("--csv", csv),
            parquet=path_for("--parquet", parquet, needs="polars"),
            chart=path_for("--chart", chart, SUFFIXES, needs="matplotlib"),
            style=style,
        )
        _apart(found.csv, found.parquet, found.chart)
        return found

    def write(self, runs: list[Checked]) -> list[str]:
        """Write them all, and give what went wrong: a disk that fills up costs the files, not the result."""
        from passline.analysis import charts, export

        samples, laws = [run.sample for run in runs], [run.law for run in runs]
        return _written(
            ("--csv", self.csv, lambda path: export.write_csv(path, samples)),
            ("--parquet", self.parquet, lambda path: export.write_parquet(path, samples)),
            ("--chart", self.chart, lambda path: charts.save(path, samples, exact=laws, style=self.style)),
        )


@dataclass(frozen=True, slots=True)
class LawFiles:
    """Where an exact answer goes."""

    csv: Path | None
    chart: Path | None

    @classmethod
    def checked(cls, *, csv: str | None, chart: str | None) -> LawFiles:
        """The files, or exit code 2 with the reason why one of them could never be written."""
        drawn = None
        if chart is not None:
            from passline.analysis.charts import SUFFIXES

            drawn = path_for("--chart", chart, SUFFIXES, needs="matplotlib")
        found = cls(csv=path_for("--csv", csv), chart=drawn)
        _apart(found.csv, found.chart)
        return found

    def write(self, law: Law) -> list[str]:
        """Write them, and give what went wrong."""
        from passline.analysis import charts, export

        return _written(
            ("--csv", self.csv, lambda path: export.write_law_csv(path, law)),
            ("--chart", self.chart, lambda path: charts.save_law(path, law)),
        )


def _apart(*paths: Path | None) -> None:
    """Refuse two results in one file."""
    named = [path.resolve() for path in paths if path is not None]
    if len(set(named)) < len(named):
        fail("--csv, --parquet and --chart: expected a file of its own for each")


def _written(*jobs: Job) -> list[str]:
    """Do each job that has a path; what fails is told and stops none of the others."""
    failed = []
    for option, path, write in jobs:
        if path is not None:
            try:
                write(path)
            except OSError as error:
                failed.append(f"{option}: {why_not(error)}")
    return failed


def path_for(option: str, text: str | None, suffixes: tuple[str, ...] = (), needs: str = "") -> Path | None:
    """Where a file goes that an option names, or exit code 2 with the reason why it could never be written."""
    from passline.files.whole import check_writable

    if text is None:
        return None
    if needs and find_spec(needs) is None:
        fail(f"{option} needs the package {needs}: pip install {needs}")
    try:
        return check_writable(text, suffixes)
    except (OSError, ValueError) as error:
        fail(f"{option}: {why_not(error)}")


def why_not(error: Exception) -> str:
    """What is wrong, in the words of whoever noticed."""
    words = error.strerror if isinstance(error, OSError) else None
    return f"cannot be written there: {words}" if words else str(error)
