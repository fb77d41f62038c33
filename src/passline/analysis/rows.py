"""One row a session as a Parquet file, written while the sessions are rolled."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from queue import Full, Queue
from threading import Thread
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from passline.errors import ArgumentError, shown
from passline.files.arguments import instance
from passline.files.needed import needed
from passline.files.whole import check_writable, whole_file
from passline.sim.game import Ending

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator
    from fractions import Fraction

    from passline.sim.backends import Played

    Told = Callable[[int, Played], None]

AHEAD: Final = 4
"""Pieces that may wait for the disk."""
PATIENCE_S: Final = 1.0
"""How long to wait for the disk before looking whether the writer is still there."""
ENDINGS: Final = np.array([ending.name.lower() for ending in Ending])


@contextmanager
def rows_file(path: Path | str, grain: Fraction) -> Generator[Told]:  # noqa: C901 - a writer and who feeds it
    """What takes sessions in their order, and a file that is whole when it is left; needs Polars.

    Columns: `session`, `net` and `action` as money, `net_grains` to the last grain, `rolls`, `hands`, `ending`,
    `run_out`.
    """
    instance("rows", path, (str, Path), "a path")
    try:
        check_writable(path, (".parquet",))
    except (OSError, ValueError) as error:
        raise ArgumentError("rows", shown(str(path)), f"a .parquet file that can be written: {error}") from error
    polars = needed("polars", "a file of rows")
    plugins = needed("polars.io.plugins", "a file of rows")
    pieces: Queue[Any] = Queue(AHEAD)
    failed: list[Exception] = []
    whole, real, text = polars.Int64, polars.Float64, polars.String
    schema = {"session": whole, "net": real, "net_grains": whole, "rolls": whole, "hands": whole, "ending": text}
    schema |= {"action": real, "run_out": whole}

    def frames(*_: object) -> Iterator[Any]:
        while (piece := pieces.get()) is not None:
            yield piece

    def hand(piece: Any) -> None:  # noqa: ANN401 - a frame of Polars, which may not be here
        while writer.is_alive():
            try:
                pieces.put(piece, timeout=PATIENCE_S)
            except Full:
                continue
            return

    def told(first: int, played: Played) -> None:
        if failed:
            raise OSError(f"{path}: {failed[0]}")
        columns = {name: getattr(played, name) for name in ("rolls", "hands", "run_out")}
        columns |= {"session": np.arange(first, first + len(played.net)), "net_grains": played.net}
        columns |= {"net": played.net * float(grain), "action": played.action * float(grain)}
        columns["ending"] = ENDINGS[played.ending].tolist()
        hand(polars.DataFrame({name: columns[name] for name in schema}, schema=schema))

    with whole_file(path) as part:

        def write() -> None:
            try:
                plugins.register_io_source(frames, schema=schema).sink_parquet(part)
            except Exception as error:  # noqa: BLE001 - whatever Polars raises is told by whoever waits
                failed.append(error)

        writer = Thread(target=write, name="passline-rows", daemon=True)
        writer.start()
        try:
            yield told
        finally:
            hand(None)
            writer.join()
        if failed:
            raise OSError(f"{path}: {failed[0]}")
