"""Large runs: gone on with after a stop, spread over workers, written row by row; the answer is always the same."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from passline.errors import ArgumentError, CheckpointError, SessionError
from passline.sim import Progress
from passline.sim.checkpoint import kept_seed, rows_file
from tests.sim.machines import rolled
from tests.sim.yardstick import molly

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

ASK: dict[str, Any] = {"sessions": 3000, "rolls": 40, "seed": 11, "bankroll": 300, "watch": 20, "backend": "numpy"}


@pytest.fixture(autouse=True)
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let even a short run come in several pieces."""
    monkeypatch.setattr("passline.sim.backends.vector.BATCH", 256)


def stopped_after(pieces: int) -> Any:  # noqa: ANN401
    """A progress that interrupts the run after so many words."""
    seen: list[Progress] = []

    def told(step: Progress) -> None:
        seen.append(step)
        if len(seen) == pieces:
            raise KeyboardInterrupt

    return told


def test_a_run_goes_on_after_a_stop_with_the_same_end(tmp_path: Path) -> None:
    """Twice interrupted, then finished; asked once more it has nothing left to roll."""
    for pieces in (5, 8):
        assert not rolled(molly(), checkpoint=tmp_path, progress=stopped_after(pieces), threads=1, **ASK).complete
    (kept,) = tmp_path.iterdir()
    assert sum(end - first for first, end in json.loads(kept.read_text())["ranges"]) > 256
    assert kept_seed(tmp_path) == 11
    whole = rolled(molly(), **ASK).fingerprint()
    for _ in range(2):
        found = rolled(molly(), checkpoint=tmp_path, **ASK)
        assert found.complete
        assert found.fingerprint() == whole


KILLED = """
import os, signal, sys
from passline.sim.checkpoint import rows_file
from passline.sim import checkpoint
from passline.sim.backends import vector
from tests.sim.machines import rolled
from tests.sim.test_scale import ASK
from tests.sim.yardstick import molly
checkpoint.EVERY_S, vector.BATCH = 0, 256
seen = []
def step(step):
    seen.append(step)
    if len(seen) == 6:
        os.kill(os.getpid(), signal.SIGKILL)
with rows_file(sys.argv[2], molly().minor_unit) as told:
    rolled(molly(), checkpoint=sys.argv[1], progress=step, threads=1, receive=told, **ASK)
"""


def rows_of(file: Path, **asked: Any) -> Any:  # noqa: ANN401 - a frame of Polars
    """The run with these rows, and the frame that was written."""
    with rows_file(file, molly().minor_unit) as told:
        found = rolled(molly(), receive=told, **{**ASK, **asked})
    return found, pytest.importorskip("polars").read_parquet(file)


@pytest.mark.slow
def test_a_run_goes_on_after_a_kill_with_the_same_end(tmp_path: Path) -> None:
    """A kill -9 runs no clean-up at all: what was written counts, also beside a file that was half written then."""
    pytest.importorskip("polars")
    file, tmp_path = tmp_path / "rows.parquet", tmp_path / "kept"
    done = subprocess.run([sys.executable, "-c", KILLED, tmp_path, file], check=False)
    assert done.returncode == -signal.SIGKILL
    assert not file.exists()
    (kept,) = tmp_path.glob("[!.]*.json")
    assert 256 <= sum(end - first for first, end in json.loads(kept.read_text())["ranges"]) < ASK["sessions"]
    (tmp_path / f".{kept.stem}-half.json").write_text('{"format"')
    assert kept_seed(tmp_path) == 11
    found, rows = rows_of(file, checkpoint=tmp_path)
    whole, every = rows_of(file)
    assert found.complete
    assert found.fingerprint() == whole.fingerprint()
    assert rows.equals(every)


@pytest.mark.parametrize("other", [{"seed": 12}, {"bankroll": 301}, {"rolls": 41}, {"watch": 21}, {"sessions": 2000}])
def test_a_checkpoint_of_another_question_is_refused(tmp_path: Path, other: dict[str, Any]) -> None:
    """In words that say what differs, and the file stays as it was."""
    rolled(molly(), checkpoint=tmp_path, **ASK)
    (kept,) = tmp_path.iterdir()
    before = kept.read_bytes()
    with pytest.raises(CheckpointError, match=r"another question: it differs in|ask for at least as many"):
        rolled(molly(), checkpoint=tmp_path, **{**ASK, **other})
    assert kept.read_bytes() == before


def test_few_sessions_may_become_more(tmp_path: Path) -> None:
    """Where all were watched, none was kept: their number is no part of the question."""
    few = {**ASK, "sessions": 60, "watch": None}
    rolled(molly(), checkpoint=tmp_path, **few)
    more = rolled(molly(), checkpoint=tmp_path, **{**few, "sessions": 90})
    assert more.fingerprint() == rolled(molly(), **{**few, "sessions": 90}).fingerprint()


@pytest.mark.parametrize("spoiled", ["", "{}", "[1]", '{"format": 1, "question": {}, "ranges": [[0]], "part": null}'])
def test_a_spoiled_checkpoint_is_refused(tmp_path: Path, spoiled: str) -> None:
    """Nothing is rolled on top of what cannot be read."""
    rolled(molly(), checkpoint=tmp_path, **ASK)
    (kept,) = tmp_path.iterdir()
    kept.write_text(spoiled)
    with pytest.raises(CheckpointError, match=kept.name):
        rolled(molly(), checkpoint=tmp_path, **ASK)


def test_rows_are_the_sessions_in_their_order(tmp_path: Path) -> None:
    """One row each, and their counts are the sample's."""
    polars = pytest.importorskip("polars")
    file = tmp_path / "rows.parquet"
    with rows_file(file, molly().minor_unit) as told:
        sample = rolled(molly(), receive=told, threads=3, **ASK)
    frame = polars.read_parquet(file)
    assert frame["session"].to_list() == list(range(3000))
    assert sorted(frame["net_grains"].to_list()) == [net for net, count in sample.net.minor_units for _ in range(count)]
    assert frame["rolls"].sum() == sample.rolls
    assert frame["ending"].value_counts(name="n").sort("ending").rows() == sorted(
        (name, count) for name, count in sample.endings.items() if count
    )


def test_rows_of_a_run_that_was_stopped_twice(tmp_path: Path) -> None:
    """Each stop leaves the rows up to the first that is missing; rows that no sum has are thrown away."""
    pytest.importorskip("polars")
    file, folder = tmp_path / "rows.parquet", tmp_path / "kept"
    _, every = rows_of(file)
    for pieces in (5, 8):
        stopped, rows = rows_of(file, checkpoint=folder, progress=stopped_after(pieces), threads=1)
        assert not stopped.complete
        assert 20 < len(rows) < 3000
        assert rows.equals(every[: len(rows)])
    stray = next(folder.glob("*-rows-*.npz"))
    stray.rename(stray.with_name(stray.name.split("-rows-")[0] + "-rows-2950-3206.npz"))
    with pytest.raises(CheckpointError, match="without their rows"):
        rows_of(file, checkpoint=folder)
    assert not list(folder.glob("*-2950-3206.npz"))


def test_sums_without_rows_are_gone_on_with_without_rows(tmp_path: Path) -> None:
    """And refused with them; rows, once there, are there again."""
    pytest.importorskip("polars")
    file, folder = tmp_path / "rows.parquet", tmp_path / "kept"
    rolled(molly(), checkpoint=tmp_path / "sums", **ASK)
    with pytest.raises(CheckpointError, match=r"without their rows\. Ask without rows, or give another folder"):
        rows_of(file, checkpoint=tmp_path / "sums")
    assert not file.exists()
    _, first = rows_of(file, checkpoint=folder)
    again, rows = rows_of(file, checkpoint=folder)
    assert first.equals(rows)
    assert again.fingerprint() == rolled(molly(), **ASK).fingerprint()


def test_a_run_that_fails_leaves_no_rows(tmp_path: Path) -> None:
    """Whole or not at all."""
    pytest.importorskip("polars")
    file = tmp_path / "rows.parquet"
    with pytest.raises(ArgumentError, match="scheduler"), rows_file(file, molly().minor_unit) as told:
        rolled(molly(), receive=told, scheduler="nowhere", **ASK)
    assert not file.exists()


@contextmanager
def two_workers() -> Iterator[Any]:
    """A cluster of two processes on this computer."""
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(2, threads_per_worker=1, processes=True, dashboard_address=None) as found:
        yield found


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # Dask's own, about ports and loops that end
def test_a_cluster_gives_the_same_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """One part, two and seven; a worker killed in the middle; a stop."""
    monkeypatch.setattr("passline.sim.run.ON_WORKERS", "numpy")  # new processes would compile first
    whole = rolled(molly(), **ASK).fingerprint()
    ask = {**ASK, "backend": "dask"}
    with two_workers() as found:
        for parts in (1, 2, 7):
            monkeypatch.setattr("passline.sim.run.ROLLS_AT_FIRST", 40 * (2980 // parts + 1))
            sample = rolled(molly(), scheduler=found.scheduler_address, **ask)
            assert sample.fingerprint() == whole
            assert (sample.backend, sample.threads) == ("dask", 2)
        monkeypatch.setattr("passline.sim.run.ROLLS_AT_FIRST", 40 * 50)
        seen: list[int] = []

        def kill_one(step: Progress) -> None:
            seen.append(step.sessions_done)
            if len(seen) == 4:
                os.kill(next(iter(found.workers.values())).process.process.pid, signal.SIGKILL)

        sample = rolled(molly(), scheduler=found.scheduler_address, progress=kill_one, **ask)
        assert sample.fingerprint() == whole
        assert len(seen) > 4
        stopped = rolled(molly(), scheduler=found.scheduler_address, progress=stopped_after(4), **ask)
        assert not stopped.complete
        assert 0 < stopped.sessions < 3000


def test_a_scheduler_that_is_not_there_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """By its address; and an address without Dask is a slip."""
    pytest.importorskip("distributed")
    monkeypatch.setattr("passline.sim.run.FIND_S", 1)
    with pytest.raises(SessionError, match=r"no scheduler at tcp://127\.0\.0\.1:9"):
        rolled(molly(), scheduler="tcp://127.0.0.1:9", **{**ASK, "backend": "dask"})
    with pytest.raises(ArgumentError, match="scheduler"):
        rolled(molly(), scheduler="tcp://127.0.0.1:9", **ASK)
