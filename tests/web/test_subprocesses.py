"""Looking back is not for the process that deals: it is read elsewhere, has a price, and may fail alone."""

from __future__ import annotations

import asyncio
import os
import time
from multiprocessing.context import SpawnProcess
from pathlib import Path

import pytest

from passline.engine.commands import Sit
from passline.errors import NoRecordError
from passline.journal.contract import Journal
from passline.journal.sqlite import SqliteJournal
from passline.live.requests import Ask
from passline.pit.keys import keys_at
from passline.pit.people.people import By
from passline.pit.pit import Opening, Pit
from passline.web.limits import Limits
from passline.web.problems import Problem
from passline.web.service import Service
from passline.web.subprocesses import WorkerProcess


def opened(folder: Path) -> tuple[Pit, str]:
    """A pit with a practice table."""
    pit = Pit(SqliteJournal(folder / "pit.db"), keys_at(folder / "keys.json"))
    ann, _ = pit.people.guest("Ann", pit.now())
    return pit, pit.open(ann, Opening(), By(ann.id, "player", pit.now())).name


def where_and_end(journal: Journal, table: str) -> tuple[int, int]:
    """Which process reads, and where it sees the table end."""
    return os.getpid(), journal.ends()[table]


def no_record(_journal: Journal) -> None:
    """Something that is refused."""
    raise NoRecordError("there is none")


def for_long(_journal: Journal, seconds: float) -> None:
    """Something that takes processor time."""
    until = time.thread_time() + seconds
    while time.thread_time() < until:
        pass


@pytest.mark.slow
def test_what_looks_back_is_read_in_another_process_as_the_journal_is_now(tmp_path: Path) -> None:
    """An entry that was just written is in it; a refusal comes back as one, and the next is answered."""
    pit, table = opened(tmp_path)

    async def run() -> None:
        service = Service(pit, Limits(history_s=60), subprocesses=True)
        first, end = await service.read_history("ann", where_and_end, table)
        assert first != os.getpid()
        pit.table(table).do(Sit(1, "Ann", 10_000), Ask("ann", "player", "sit", pit.now()))
        assert await service.read_history("ann", where_and_end, table) == (first, pit.table(table).head.sequence)
        assert pit.table(table).head.sequence > end
        with pytest.raises(Problem) as no:
            await service.read_history("ann", no_record)
        assert no.value.code == "record.no"
        assert (await service.read_history("ann", where_and_end, table))[0] == first
        service.close()

    asyncio.run(run())


@pytest.mark.slow
def test_what_takes_too_long_is_ended_and_the_next_is_answered(tmp_path: Path) -> None:
    """By a process that is begun anew."""
    pit, table = opened(tmp_path)

    async def run() -> None:
        service = Service(pit, Limits(history_s=1), subprocesses=True)
        with pytest.raises(Problem) as no:
            await service.read_history("ann", for_long, 60.0)
        assert no.value.code == "look.too_long"
        assert service.reader.process is not None
        service.reader.process._seconds = 300.0  # on a machine that does much else the next may take a while, too
        assert (await service.read_history("ann", where_and_end, table))[1]
        service.close()

    asyncio.run(run())


def test_looking_back_has_a_price_and_only_so_many_at_once(tmp_path: Path) -> None:
    """Whoever has looked for long is refused the next request; another is not."""
    pit, _ = opened(tmp_path)

    async def run() -> None:
        service = Service(pit, Limits(requests_burst=10, requests_per_s=1, history_each_max=1))
        looking = asyncio.create_task(service.read_history("ann", for_long, 0.2))
        await asyncio.sleep(0)
        with pytest.raises(Problem) as no:
            await service.read_history("ann", for_long, 0.0)
        assert no.value.code == "looks.limit"
        await service.read_history("bob", for_long, 0.0)
        await looking
        assert service.requests.wait("ann") > 1
        assert service.requests.wait("bob") == 0
        service.close()

    asyncio.run(run())


@pytest.mark.slow
def test_a_process_that_is_ended_while_it_starts_is_no_fault_and_does_not_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever takes a question back may be quicker than the process that was to work it out."""
    worker = WorkerProcess(str, seconds=60)
    start, started = SpawnProcess.start, []

    def ended_meanwhile(process: SpawnProcess) -> None:
        worker.close()
        start(process)
        started.append(process)

    monkeypatch.setattr(SpawnProcess, "start", ended_meanwhile)
    assert worker.ask(abs, -1) is None
    assert [process.is_alive() for process in started] == [False]
