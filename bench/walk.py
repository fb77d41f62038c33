"""How far a bet walks, from POST until its event leaves on a stream: calls of ours, files, changes, permission checks.

`.venv/bin/python bench/walk.py`; docs/decisions/0032 has what it said before and after. With `simulation`: how far a
question walks until it is simulated, its machine kept; bench/results/walk.json has what it said.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import tempfile
import threading
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import httpx

import passline
from passline.journal.sqlite import SqliteJournal
from passline.live.people import may
from passline.pit.keys import new_keys
from passline.pit.pit import Pit
from passline.web.app import make_app
from passline.web.service import Service

RESULTS = Path(__file__).parent / "results" / "walk.json"
SRC = str(Path(passline.__file__).parent)
CALLS: list[tuple[str, str]] = []
CHECKS: list[str] = []  # who asked whether somebody may
TRACED = threading.Event()


def note(frame: Any, event: str, _argument: object) -> None:
    """Remember a call of ours."""
    file = frame.f_code.co_filename
    if event == "call" and TRACED.is_set() and file.startswith(SRC):
        CALLS.append((file[len(SRC) + 1 :], frame.f_code.co_qualname))
        if frame.f_code is may.__code__:
            CHECKS.append(frame.f_back.f_code.co_qualname)


async def listen(app: Any, table: str, token: str, heard: asyncio.Event) -> None:
    """Follow a table, as a browser does, until a bet on the eight is told."""
    path = f"/tables/{table}/events"
    headers = [(b"host", b"127.0.0.1"), (b"authorization", f"Bearer {token}".encode())]
    scope = {"type": "http", "method": "GET", "path": path, "raw_path": path.encode(), "query_string": b""}
    scope |= {"headers": headers, "http_version": "1.1", "scheme": "http", "root_path": ""}
    scope |= {"client": ("127.0.0.1", 5), "server": ("127.0.0.1", 80)}
    first = [{"type": "http.request", "body": b"", "more_body": False}]

    async def receive() -> dict[str, Any]:
        if not first:
            await asyncio.Event().wait()
        return first.pop()

    async def send(message: dict[str, Any]) -> None:
        if b"place_8" in message.get("body", b""):
            heard.set()

    await app(scope, receive, send)


def simulation() -> None:
    """Ask twice: the second time the machine is kept."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_CACHE_HOME"] = folder
        for _ in range(2):
            CALLS.clear()
            TRACED.set()
            passline.ask("three_point_molly", house="sydney", rolls=200).simulate(sessions=10_000, seed=1)
            TRACED.clear()
    RESULTS.write_text(json.dumps({"passline": passline.__version__, "simulation": report()}, indent=1) + "\n")


def report() -> dict[str, int]:
    files = [file for file, _ in CALLS]
    changes = sum(one != other for one, other in pairwise(files))
    counts = {"calls": len(CALLS), "functions": len(set(CALLS)), "files": len(set(files)), "changes of file": changes}
    print(", ".join(f"{count} {what}" for what, count in counts.items()))
    for file, count in Counter(files).most_common():
        print(f"{count:5} {file}")
    return counts


async def bet() -> None:
    """Walk once, with everything warm."""
    with tempfile.TemporaryDirectory() as folder:
        app = make_app(Service(Pit(SqliteJournal(Path(folder) / "walk.db"), new_keys())))
        way = httpx.ASGITransport(app=app)
        async with (
            app.router.lifespan_context(app),
            httpx.AsyncClient(transport=way, base_url="http://127.0.0.1") as http,
        ):
            opened = (await http.post("/practice", json={"house": "sydney"})).json()
            http.cookies.clear()
            table, token, heard = opened["table"]["table"], opened["token"], asyncio.Event()
            stream = asyncio.create_task(listen(app, table, token, heard))
            await asyncio.sleep(0.5)

            async def act(key: str, **body: object) -> None:
                headers = {"Authorization": f"Bearer {token}", "Idempotency-Key": key}
                await http.post(f"/tables/{table}/acts", headers=headers, json=body)

            await act("1", kind="command.bet", wager="pass", amount=500)
            await act("2", kind="table.roll")
            await act("3", kind="command.bet", wager="place_6", amount=600)
            await asyncio.sleep(1.5)
            TRACED.set()
            await act("4", kind="command.bet", wager="place_8", amount=600)
            await asyncio.wait_for(heard.wait(), 5)
            TRACED.clear()
            stream.cancel()
    report()
    print(f"permission checks: {', '.join(CHECKS)}")


if __name__ == "__main__":
    threading.setprofile(note)
    sys.setprofile(note)
    if sys.argv[1:] == ["simulation"]:
        simulation()
    else:
        asyncio.run(bet())
