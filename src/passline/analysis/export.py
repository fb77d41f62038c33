"""Final nets as files: CSV for everybody, Parquet where Polars is."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from itertools import chain
from pathlib import Path

from passline.files.needed import needed
from passline.files.whole import whole_file, write_whole
from passline.odds.sessions.distribution import COLUMNS as LAW_COLUMNS
from passline.odds.sessions.distribution import Law
from passline.sim import Sample
from passline.sim.sample import COLUMNS


def write_csv(path: Path | str, samples: Iterable[Sample]) -> None:
    """A line for each final net of each sample."""
    write_whole(path, csv_of(samples))


def csv_of(samples: Iterable[Sample]) -> str:
    text = io.StringIO()
    lines = csv.writer(text, lineterminator="\n")
    lines.writerow(COLUMNS)
    for *whence, net_decimal, sessions in chain.from_iterable(sample.rows() for sample in samples):
        lines.writerow((*whence, f"{net_decimal:.12g}", sessions))
    return text.getvalue()


def write_law_csv(path: Path | str, law: Law) -> None:
    """A line for each net of a law, with its chance."""
    write_whole(path, law_csv_of([law]))


def law_csv_of(laws: Iterable[Law]) -> str:
    """The same as text, of one law after the other."""
    text = io.StringIO()
    lines = csv.writer(text, lineterminator="\n")
    lines.writerow(LAW_COLUMNS)
    for *whence, net_decimal, chance in chain.from_iterable(law.rows() for law in laws):
        lines.writerow((*whence, f"{net_decimal:.12g}", repr(chance)))
    return text.getvalue()


def write_parquet(path: Path | str, samples: Iterable[Sample]) -> None:
    """A row for each final net of each sample; needs Polars."""
    frame = needed("polars", "a Parquet file").concat([sample.frame() for sample in samples])
    with whole_file(path) as part:
        frame.write_parquet(part)
