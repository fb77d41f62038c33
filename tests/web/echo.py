"""The least that a durable service can be: a line is committed, told to whoever listens, and answered.

`python -m tests.web.echo STORE PORT ENTRY EVENT`: STORE is a file of SQLite or the address of a PostgreSQL, as the
service has it; ENTRY and EVENT are how many bytes an entry has, and what a listener is sent of it.
"""

from __future__ import annotations

import asyncio
import sqlite3
import sys
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import psycopg
import uvicorn

from passline.journal.sql import ADDRESSES

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.types import Receive, Scope, Send

ENTRY, EVENT = 720, 3_200
"""How long an entry is at a table of thirteen, and a listener's share of it with the state of the table."""


def writer(store: str) -> Callable[[str, bytes], object]:
    """One connection, every commit on the disk."""
    if store.startswith(ADDRESSES):
        server = psycopg.connect(store, autocommit=True, prepare_threshold=2)
        server.execute("CREATE TABLE IF NOT EXISTS e (t TEXT, l BYTEA)")
        return lambda table, line: server.execute("INSERT INTO e VALUES (%s, %s)", (table, line))
    file = sqlite3.connect(store, isolation_level=None, check_same_thread=False)
    file.executescript("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; CREATE TABLE e (t TEXT, l BLOB)")
    return lambda table, line: file.execute("INSERT INTO e VALUES (?, ?)", (table, line))


class Echo:
    """One table for each path; POST writes, GET listens."""

    def __init__(self, store: str, entry: int = ENTRY, event: int = EVENT) -> None:
        """One thread writes."""
        self.write, self.thread = writer(store), ThreadPoolExecutor(1)
        self.entry, self.event = b"{}".ljust(entry), b"x" * event
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
        await asyncio.get_running_loop().run_in_executor(self.thread, self.write, table, self.entry)
        self.number[table] += 1
        event = b"id: %d\ndata: %b\n\n" % (self.number[table], self.event)
        for each in self.listening[table]:
            each.put_nowait(event)
        length = str(len(self.entry)).encode()
        await send({**start, "headers": [(b"content-length", length), (b"content-type", b"application/json")]})
        await send({"type": "http.response.body", "body": self.entry})


if __name__ == "__main__":
    uvicorn.run(Echo(sys.argv[1], *map(int, sys.argv[3:])), port=int(sys.argv[2]), log_level="error", access_log=False)
