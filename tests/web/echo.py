"""The least that a durable service can be: a line is committed to SQLite, told to whoever listens, and answered."""

from __future__ import annotations

import asyncio
import sqlite3
import sys
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import uvicorn

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

LINE = b"x" * 1500
"""As long as an entry with the state of its table."""


class Echo:
    """One table for each path; POST writes, GET listens."""

    def __init__(self, path: str) -> None:
        """One connection, one thread, every commit on the disk."""
        self.db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        self.db.executescript("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; CREATE TABLE e (t TEXT, l BLOB)")
        self.thread = ThreadPoolExecutor(1)
        self.listening: dict[str, list[asyncio.Queue[bytes]]] = defaultdict(list)
        self.number: dict[str, int] = defaultdict(int)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """ASGI."""
        if scope["type"] != "http":
            return
        table = scope["path"]
        start = {"type": "http.response.start", "status": 200}
        if scope["method"] == "GET":
            queue: asyncio.Queue[bytes] = asyncio.Queue()
            self.listening[table].append(queue)
            await send({**start, "headers": [(b"content-type", b"text/event-stream")]})
            while True:
                await send({"type": "http.response.body", "body": await queue.get(), "more_body": True})
        while (await receive()).get("more_body"):
            pass
        write = "INSERT INTO e VALUES (?, ?)"
        await asyncio.get_running_loop().run_in_executor(self.thread, self.db.execute, write, (table, LINE))
        self.number[table] += 1
        event = b"id: %d\ndata: %b\n\n" % (self.number[table], LINE)
        for each in self.listening[table]:
            each.put_nowait(event)
        await send({**start, "headers": [(b"content-length", b"2"), (b"content-type", b"application/json")]})
        await send({"type": "http.response.body", "body": b"{}"})


if __name__ == "__main__":
    uvicorn.run(Echo(sys.argv[1]), port=int(sys.argv[2]), log_level="error", access_log=False)
