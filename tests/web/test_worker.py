"""The service as a browser's worker holds it: one thread, no network, what was played comes back."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from inspect import iscoroutinefunction
from itertools import count
from typing import Any

import pytest
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute

from passline.web.app import ROUTERS
from passline.web.worker import Worker


class Page:
    """What stands where the page does: asks, and reads answers."""

    def __init__(self, worker: Worker) -> None:
        self.worker, self.keys = worker, count()

    async def ask(self, method: str, target: str, body: object = None) -> tuple[int, Any]:
        answer: list[Any] = [0, b""]

        def send(status: int, _headers: Mapping[str, str]) -> None:
            answer[0] = status

        def chunk(more: bytes) -> None:
            answer[1] += more

        headers = {"content-type": "application/json", "idempotency-key": f"{id(self)}-{next(self.keys)}"}
        await self.worker.ask(method, target, headers, json.dumps(body).encode() if body else b"", send, chunk)
        return answer[0], json.loads(answer[1] or b"null")


async def evening(page: Page) -> str:
    status, opened = await page.ask("POST", "/practice", {"name": "Ann", "house": "sydney", "dice": "given"})
    assert status == 201
    table = str(opened["table"]["table"])
    for act in (
        {"kind": "command.bet", "wager": "pass", "amount": 1000},
        {"kind": "command.throw", "roll": {"first": 4, "second": 2}},
    ):
        status, answer = await page.ask("POST", f"/tables/{table}/acts", act)
        assert status == 200, answer
    return table


@pytest.mark.slow
async def test_a_table_is_played_in_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a browser: whoever would start a thread is told that there is none."""

    def no_thread(*_: object) -> None:
        raise RuntimeError("can't start new thread")

    page = Page(Worker())
    monkeypatch.setattr("passline.web.views.sys.platform", "emscripten")
    monkeypatch.setattr("threading.Thread.start", no_thread)
    table = await evening(page)
    status, seen = await page.ask("GET", f"/tables/{table}")
    assert status == 200
    assert seen["state"]["puck"] == 6
    status, seat = await page.ask("GET", f"/tables/{table}/seat")
    assert (status, seat["rail"]) == (200, 49_000)
    status, _ = await page.ask("GET", "/me/statement?day=2026-11-18")
    assert status < 500


def test_nothing_that_a_route_takes_wants_a_thread() -> None:
    """The framework calls in a thread whatever is no coroutine: a browser's worker has none."""

    def taken(dependant: Dependant) -> list[Any]:
        return [call for each in dependant.dependencies for call in (each.call, *taken(each))]

    routes = [each for router in ROUTERS for each in router.routes if isinstance(each, APIRoute)]
    assert routes
    in_threads = {
        call for each in routes for call in (each.endpoint, *taken(each.dependant)) if not iscoroutinefunction(call)
    }
    assert not in_threads


async def test_what_was_played_comes_back() -> None:
    first = Worker()
    table = await evening(Page(first))
    again = Page(Worker(first.save()))
    status, who = await again.ask("GET", "/who")
    assert status == 200
    assert "Ann" in json.dumps(who)
    status, seen = await again.ask("GET", f"/tables/{table}")
    assert seen["state"]["puck"] == 6
    status, answer = await again.ask(
        "POST", f"/tables/{table}/acts", {"kind": "command.throw", "roll": {"first": 3, "second": 3}}
    )
    assert status == 200, answer


async def test_a_stream_is_heard_until_the_page_is_gone() -> None:
    worker = Worker()
    table = await evening(Page(worker))
    heard: list[bytes] = []
    gone = asyncio.get_running_loop().create_future()
    target = f"/tables/{table}/events?after=0&view=brief"
    listening = asyncio.create_task(worker.ask("GET", target, {}, b"", lambda *_: None, heard.append, gone))

    async def rolls(count: int) -> None:
        while b"".join(heard).count(b'"kind":"rolled"') < count:  # noqa: ASYNC110 - nobody sets an event
            await asyncio.sleep(0.01)

    await rolls(1)
    await Page(worker).ask(
        "POST", f"/tables/{table}/acts", {"kind": "command.throw", "roll": {"first": 5, "second": 5}}
    )
    await rolls(2)
    gone.set_result(None)
    await asyncio.wait_for(listening, 300)
    assert b"".join(heard).count(b'"kind":"rolled"') == 2


async def test_what_needs_processes_says_where_it_is() -> None:
    status, problem = await Page(Worker()).ask("POST", "/questions", {"strategy": "pass_flat"})
    assert (status, problem["code"]) == (501, "static.elsewhere")
