"""A table's queue: drained in order by one thread, refused at the door when it is full, so many acts of a person."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

import pytest

from passline.journal.sqlite import SqliteJournal
from passline.pit.keys import keys_at
from passline.pit.people.people import By
from passline.pit.pit import Opening, Pit
from passline.pit.table import LiveTable
from passline.web.limits import Limits
from passline.web.problems import Problem
from passline.web.service import Service


def opened(folder: Path) -> tuple[Pit, str]:
    """A pit with a practice table."""
    pit = Pit(SqliteJournal(str(folder / "pit.db")), keys_at(folder / "keys.json"))
    ann, _ = pit.people.guest("Ann", pit.now())
    return pit, pit.open(ann, Opening(), By(ann.id, "player", pit.now())).name


def test_a_full_queue_refuses_and_what_waited_is_done_in_order(tmp_path: Path) -> None:
    """Nobody waits behind a table that is busy; an error of one is nobody else's."""
    pit, table = opened(tmp_path)

    async def run() -> None:
        service, done = Service(pit, Limits(queue_max=3)), list[int]()
        begun, free = threading.Event(), threading.Event()

        def work(number: int) -> int:
            begun.set()
            free.wait(10)
            done.append(number)
            if number == 2:
                raise ValueError("of the second")
            return number

        def asked(number: int) -> asyncio.Task[int]:
            return asyncio.create_task(service.ask(table, lambda _: work(number)))

        first = asked(1)
        await asyncio.to_thread(begun.wait, 10)  # the first is with the thread
        waiting = [asked(number) for number in (2, 3, 4)]
        await asyncio.sleep(0.05)
        with pytest.raises(Problem) as full:
            await service.ask(table, lambda _: 5)
        assert full.value.code == "table.busy"
        free.set()
        answers = await asyncio.gather(first, *waiting, return_exceptions=True)
        assert [answers[0], *answers[2:]] == [1, 3, 4]
        assert isinstance(answers[1], ValueError)
        assert done == [1, 2, 3, 4]
        service.close()

    asyncio.run(run())


def test_nobody_has_more_than_some_acts_under_way(tmp_path: Path) -> None:
    """Another person's are taken meanwhile; when one is answered there is room again."""
    pit, table = opened(tmp_path)

    async def run() -> None:
        service, free = Service(pit, Limits(acts_each_max=2)), threading.Event()

        def work(_: LiveTable) -> bool:
            return free.wait(10)

        mine = [asyncio.create_task(service.ask(table, work, "ann")) for _ in range(2)]
        await asyncio.sleep(0.1)
        with pytest.raises(Problem) as many:
            await service.ask(table, work, "ann")
        assert (many.value.code, many.value.status_code) == ("acts.limit", 429)
        other = asyncio.create_task(service.ask(table, work, "bob"))
        free.set()
        assert all(await asyncio.gather(*mine, other))
        assert await service.ask(table, work, "ann")
        service.close()

    asyncio.run(run())
