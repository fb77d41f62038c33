"""Final nets as files: CSV for everybody, Parquet where Polars is."""

from __future__ import annotations

import csv
import io
from itertools import chain
from typing import TYPE_CHECKING

from passline.files.whole import whole_file, write_whole
from passline.sim.sample import COLUMNS

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from passline.sim import Sample


def write_csv(path: Path | str, samples: Iterable[Sample]) -> None:
    """A line for each final net of each sample."""
    text = io.StringIO()
    lines = csv.writer(text, lineterminator="\n")
    lines.writerow(COLUMNS)
    for *whence, net_decimal, sessions in chain.from_iterable(sample.rows() for sample in samples):
        lines.writerow((*whence, f"{net_decimal:.12g}", sessions))
    write_whole(path, text.getvalue())


def write_parquet(path: Path | str, samples: Iterable[Sample]) -> None:
    """A row for each final net of each sample; needs Polars."""
    import polars as pl

    frame = pl.concat([sample.frame() for sample in samples])
    with whole_file(path) as part:
        frame.write_parquet(part)
