"""One row a session as a Parquet file, written while the sessions are rolled."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from queue import Full, Queue
from threading import Thread
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from passline.errors import ArgumentError, shown
from passline.files.arguments import instance
from passline.files.needed import needed
from passline.files.whole import check_writable, whole_file
from passline.sim.backends import Played
from passline.sim.game import Ending

if TYPE_CHECKING:
    Told = Callable[[int, Played], None]

AHEAD: Final = 4
"""Pieces that may wait for the disk."""
PATIENCE_S: Final = 1.0
"""How long to wait for the disk before looking whether the writer is still there."""
ENDINGS: Final = np.array([ending.name.lower() for ending in Ending])


@contextmanager
def rows_file(path: Path | str, grain: Fraction) -> Generator[Told]:
    """What takes sessions in their order, and a file that is whole when it is left; needs Polars.

    Columns: `session`, `net` and `action` as money, `net_grains` to the last grain, `rolls`, `hands`, `ending`,
    `run_out`.
    """
    instance("rows", path, (str, Path), "a path")
    try:
        check_writable(path, (".parquet",))
    except (OSError, ValueError) as error:
        raise ArgumentError("rows", shown(str(path)), f"a .parquet file that can be written: {error}") from error
    rows = _Rows(path, grain)
    with whole_file(path) as part:
        rows.begin(part)
        try:
            yield rows.take
        finally:
            rows.end()
        rows.check()


class _Rows:
    """Sessions on their way into a file: a thread writes them, so that rolling waits for the disk only when it must."""

    def __init__(self, path: Path | str, grain: Fraction) -> None:
        """Before the first session; whoever has no Polars is told so here."""
        self._path, self._grain = path, float(grain)
        self._polars = needed("polars", "a file of rows")
        self._plugins = needed("polars.io.plugins", "a file of rows")
        self._pieces: Queue[Any] = Queue(AHEAD)
        self._failed: list[Exception] = []
        self._writer: Thread | None = None
        whole, real, text = self._polars.Int64, self._polars.Float64, self._polars.String
        self._schema = {
            "session": whole,
            "net": real,
            "net_grains": whole,
            "rolls": whole,
            "hands": whole,
            "ending": text,
            "action": real,
            "run_out": whole,
        }

    def begin(self, part: Path) -> None:
        """Write into this file from now on."""
        self._writer = Thread(target=self._write, args=(part,), name="passline-rows", daemon=True)
        self._writer.start()

    def take(self, first: int, played: Played) -> None:
        """Take sessions from number `first` on."""
        self.check()
        columns = {name: getattr(played, name) for name in ("rolls", "hands", "run_out")}
        columns |= {"session": np.arange(first, first + len(played.net)), "net_grains": played.net}
        columns |= {"net": played.net * self._grain, "action": played.action * self._grain}
        columns["ending"] = ENDINGS[played.ending].tolist()
        self._hand(self._polars.DataFrame({name: columns[name] for name in self._schema}, schema=self._schema))

    def end(self) -> None:
        """Wait until all of it is written."""
        self._hand(None)
        if self._writer is not None:
            self._writer.join()

    def check(self) -> None:
        """Say what went wrong with the file, if anything did."""
        if self._failed:
            raise OSError(f"{self._path}: {self._failed[0]}")

    def _hand(self, piece: Any) -> None:  # noqa: ANN401 - a frame of Polars, which may not be here; None ends it
        while self._writer is not None and self._writer.is_alive():
            try:
                self._pieces.put(piece, timeout=PATIENCE_S)
            except Full:
                continue
            return

    def _write(self, part: Path) -> None:
        try:
            self._plugins.register_io_source(self._frames, schema=self._schema).sink_parquet(part)
        except Exception as error:  # noqa: BLE001 - whatever Polars raises is told by whoever waits
            self._failed.append(error)

    def _frames(self, *_: object) -> Iterator[Any]:
        while (piece := self._pieces.get()) is not None:
            yield piece
