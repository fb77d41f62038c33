"""A table's queue: drained in order by one thread, refused at the door when it is full, so many acts of a person."""

from __future__ import annotations

import argparse
import asyncio
import threading
from pathlib import Path

import httpx
import pytest

from passline.journal.sqlite import SqliteJournal
from passline.pit.keys import keys_at
from passline.pit.people.people import By
from passline.pit.pit import Opening, Pit
from passline.pit.table import LiveTable
from passline.web import middleware
from passline.web.app import make_app
from passline.web.limits import Limits, RateLimiter
from passline.web.problems import Problem
from passline.web.service import Service
from tests.web.__main__ import flooded


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
            free.wait(300)
            done.append(number)
            if number == 2:
                raise ValueError("of the second")
            return number

        def asked(number: int) -> asyncio.Task[int]:
            return asyncio.create_task(service.ask(table, lambda _: work(number)))

        first = asked(1)
        await asyncio.to_thread(begun.wait, 300)  # the first is with the thread
        waiting = [asked(number) for number in (2, 3, 4)]
        while len(service._channels[table].queue) < 3:  # noqa: ASYNC110 - a queue has no bell
            await asyncio.sleep(0.01)
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


def test_values_of_hands_that_wait_together_are_one_transaction(tmp_path: Path) -> None:
    """And each is asked by itself where they cannot be written so: an error of one is nobody else's."""
    pit, table = opened(tmp_path)

    class Value:
        """A value of somebody's hand, as a request is."""

        is_value = True

        def __init__(self, number: int) -> None:
            self.number = number

        def __call__(self, live: LiveTable) -> bytes:
            together.append(live._pending is not None)
            if self.number == wrong:
                raise ValueError("of the second")
            return bytes([self.number])

    async def run() -> list[object]:
        service, begun, free = Service(pit), threading.Event(), threading.Event()

        def busy(_: LiveTable) -> bool:
            begun.set()
            return free.wait(300)

        first = asyncio.create_task(service.ask(table, busy))
        await asyncio.to_thread(begun.wait, 300)
        values = [asyncio.create_task(service.ask(table, Value(number))) for number in (1, 2, 3)]
        while len(service._channels[table].queue) < 3:  # noqa: ASYNC110 - as above
            await asyncio.sleep(0.01)
        free.set()
        await first
        return await asyncio.gather(*values, return_exceptions=True)

    together: list[bool] = []
    wrong = 0
    assert asyncio.run(run()) == [b"\1", b"\2", b"\3"]
    assert together == [True] * 3
    together.clear()
    wrong = 2
    answers = asyncio.run(run())
    assert (answers[0], str(answers[1]), answers[2]) == (b"\1", "of the second", b"\3")
    assert together == [True] * 2 + [False] * 3
    pit.journal.close()


def test_nobody_has_more_than_some_acts_under_way(tmp_path: Path) -> None:
    """Another person's are taken meanwhile; when one is answered there is room again."""
    pit, table = opened(tmp_path)

    async def run() -> None:
        service, free = Service(pit, Limits(acts_each_max=2)), threading.Event()

        def work(_: LiveTable) -> bool:
            return free.wait(300)

        mine = [asyncio.create_task(service.ask(table, work, "ann")) for _ in range(2)]
        while service._acts_pending["ann"] < 2:  # noqa: ASYNC110 - as above
            await asyncio.sleep(0.01)
        with pytest.raises(Problem) as many:
            await service.ask(table, work, "ann")
        assert (many.value.code, many.value.status_code) == ("acts.limit", 429)
        other = asyncio.create_task(service.ask(table, work, "bob"))
        free.set()
        assert all(await asyncio.gather(*mine, other))
        assert await service.ask(table, work, "ann")
        service.close()

    asyncio.run(run())


def test_whoever_asks_too_much_is_refused_before_anything_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full queue, too many acts of one, too many requests: by the head alone; the next table is asked as ever."""
    pit, table = opened(tmp_path)
    bob, token = pit.people.guest("Bob", pit.now())
    other = pit.open(bob, Opening(), By(bob.id, "player", pit.now())).name
    monkeypatch.setattr(middleware, "REJECT_DELAY_S", 0)

    async def run() -> None:
        service, free = Service(pit, Limits(queue_max=1, acts_each_max=2, requests_burst=9)), threading.Event()
        app = make_app(service)
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json", "Idempotency-Key": "a"}
        http = httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://127.0.0.1", headers=headers)

        async def code(name: str) -> str:
            answer = await http.post(f"/tables/{name}/acts", content=b"this is no act")
            return str(answer.json()["code"])

        async def two_ask(name: str, person: str = "") -> list[asyncio.Task[bool]]:
            begun = threading.Event()

            def work(_: LiveTable) -> bool:
                begun.set()
                return free.wait(300)

            first = asyncio.create_task(service.ask(name, work, person))
            await asyncio.to_thread(begun.wait, 300)
            second = asyncio.create_task(service.ask(name, work, person))
            while not service._channels[name].queue:  # noqa: ASYNC110 - as above
                await asyncio.sleep(0.01)
            return [first, second]

        waiting = await two_ask(table)
        assert await code(table) == "table.busy"
        assert await code(other) == "body.unreadable"
        free.set()
        await asyncio.gather(*waiting)
        assert await code(table) == "table.unknown"  # it is another's to see
        free.clear()
        waiting = await two_ask(other, bob.id)
        assert await code(other) == "table.busy"
        assert await code(table) == "acts.limit"
        free.set()
        await asyncio.gather(*waiting)
        service.charge(bob.id, 1)
        assert await code(other) == "rate.limit"
        await http.aclose()
        service.close()

    asyncio.run(run())


def test_what_takes_long_counts_for_more() -> None:
    """A charge may go below nothing, and no deeper than a burst."""
    clock = [0.0]
    buckets = RateLimiter(2, 10, lambda: clock[0])
    buckets.charge("ann", 100)
    assert buckets.wait("ann") == 6
    assert buckets.wait("bob") == 0
    clock[0] = 5.4
    assert buckets.take("ann") == 1
    clock[0] = 5.5
    assert buckets.take("ann") == 0


@pytest.mark.slow
def test_nobody_at_a_quiet_table_is_refused_under_the_flood_of_another() -> None:
    """150 connections ask without pause; `scripts/campaign` measures which share of its acts the table keeps."""
    figures = flooded(argparse.Namespace(seconds=3))
    under, loud = figures["under"], figures["loud"]
    assert isinstance(under, dict)
    assert isinstance(loud, dict)
    assert set(under) == {200}, figures
    assert set(loud) - {"200"}, figures  # the loud table is refused at its door
