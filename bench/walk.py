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
import uvicorn

import passline
from passline.journal.sqlite import SqliteJournal
from passline.live.people import may
from passline.pit.keys import new_keys
from passline.pit.pit import Pit
from passline.web.app import make_app
from passline.web.connections import protocol
from passline.web.limits import Limits
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


async def listen(port: int, head: str, heard: asyncio.Event) -> None:
    """Follow a table, as a browser does, until a bet on the eight is told."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"GET {head}\r\n".encode())
    while b"place_8" not in await reader.readline():
        pass
    heard.set()


def simulation() -> None:
    """Ask twice: the second time the machine is kept."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_CACHE_HOME"] = folder
        for _ in range(2):
            CALLS.clear()
            TRACED.set()
            passline.ask("three_point_molly", house="sydney", rolls=200).simulate(sessions=10_000, seed=1)
            TRACED.clear()
    write("simulation", report())


def report() -> dict[str, int]:
    files = [file for file, _ in CALLS]
    changes = sum(one != other for one, other in pairwise(files))
    counts = {"calls": len(CALLS), "functions": len(set(CALLS)), "files": len(set(files)), "changes of file": changes}
    print(", ".join(f"{count} {what}" for what, count in counts.items()))
    for file, count in Counter(files).most_common():
        print(f"{count:5} {file}")
    return counts


async def bet() -> None:
    """Walk once, with everything warm: from the packet of a request to what is written to a stream."""
    with tempfile.TemporaryDirectory() as folder:
        app = make_app(Service(Pit(SqliteJournal(Path(folder) / "walk.db"), new_keys())))
        http = protocol(Limits(), behind_proxy=False, at_once=app.entrance.act_at_once)
        server = uvicorn.Server(uvicorn.Config(app, port=0, log_config=None, proxy_headers=False, http=http))
        serving = asyncio.create_task(server.serve())
        while not server.started:  # noqa: ASYNC110 - it has no bell
            await asyncio.sleep(0.05)
        port = server.servers[0].sockets[0].getsockname()[1]
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}") as visitor:
            opened = (await visitor.post("/practice", json={"house": "sydney"})).json()
        path, heard = f"/tables/{opened['table']['table']}", asyncio.Event()
        who = f"HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {opened['token']}\r\n"
        stream = asyncio.create_task(listen(port, f"{path}/events {who}", heard))
        await asyncio.sleep(0.5)
        reader, writer = await asyncio.open_connection("127.0.0.1", port)

        async def act(key: str, **body: object) -> None:
            data = json.dumps(body)
            head = f"POST {path}/acts {who}Content-Type: application/json\r\nIdempotency-Key: {key}\r\n"
            writer.write(f"{head}Content-Length: {len(data)}\r\n\r\n{data}".encode())
            length = (await reader.readuntil(b"\r\n\r\n")).lower().partition(b"content-length:")[2].split()[0]
            await reader.readexactly(int(length))

        await act("1", kind="command.bet", wager="pass", amount=500)
        await act("2", kind="table.roll")
        await act("3", kind="command.bet", wager="place_6", amount=600)
        await asyncio.sleep(1.5)
        TRACED.set()
        await act("4", kind="command.bet", wager="place_8", amount=600)
        await asyncio.wait_for(heard.wait(), 5)
        TRACED.clear()
        writer.close()
        await stream
        server.should_exit = True
        await serving
    counts = report() | {"permission checks": len(CHECKS)}
    print(f"permission checks: {', '.join(CHECKS)}")
    write("bet", counts)


def write(what: str, counts: dict[str, int]) -> None:
    kept = json.loads(RESULTS.read_text())
    RESULTS.write_text(json.dumps(kept | {"passline": passline.__version__, what: counts}, indent=1) + "\n")


if __name__ == "__main__":
    threading.setprofile(note)
    sys.setprofile(note)
    if sys.argv[1:] == ["simulation"]:
        simulation()
    else:
        asyncio.run(bet())
