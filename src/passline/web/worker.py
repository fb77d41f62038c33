"""The service without a network: the same app asked by ASGI where no thread, no socket and no disk is.

In a browser `browser/static/worker.js` holds one `Worker` under Pyodide and hands it what the page would send.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import Executor, Future
from typing import Any, Final, ParamSpec, TypeVar

from passline.journal.memory import MemoryJournal
from passline.pit.keys import Keys, new_keys
from passline.pit.pit import Pit
from passline.web import automation, streams
from passline.web.app import make_app
from passline.web.limits import Limits
from passline.web.service import Service

T = TypeVar("T")
P = ParamSpec("P")

# What needs processes of its own: the lab, and house files of one's own.
ELSEWHERE: Final = ("/questions", "/house-files", "/strategy-files")
INSTALL: Final = "This needs Passline on a computer of your own, with its extra serve: passline serve --open."

Send = Callable[[int, Mapping[str, str]], None]  # Takes the status and the headers of an answer
Chunk = Callable[[bytes], None]


# One visitor, on a device of their own: there is nobody to be fair to.
UNLIMITED = Limits(requests_per_s=1e9, requests_burst=10**9, newcomers_address_max=10**9)


class Inline(Executor):
    """Does at once what is submitted: a worker of a browser has one thread."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        done: Future[T] = Future()
        try:
            done.set_result(fn(*args, **kwargs))
        except Exception as error:  # noqa: BLE001 - raised again by whoever takes the result
            done.set_exception(error)
        return done


class Worker:
    """A pit of one visitor, with what was played before, and the app in front of it."""

    def __init__(self, saved: str | None = None) -> None:
        """`saved` is what `save` returned on an earlier visit."""
        before = json.loads(saved) if saved else {}
        keys = Keys(*(bytes.fromhex(key) for key in before["keys"])) if before else new_keys()
        self.journal, self.token = MemoryJournal(), str(before.get("token", ""))
        for each in before.get("streams", ()):
            self.journal.restore(each)
        self.journal.restore_houses(before.get("houses", {}))
        self.service = Service(Pit(self.journal, keys), UNLIMITED, threads=Inline())
        self._app = make_app(self.service)
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Begin what goes by the clock; nobody else writes into this journal, so nothing is watched."""
        looking = (streams.supervise(self.service), automation.run_countdowns(self.service))
        self._tasks = [asyncio.ensure_future(each) for each in looking]

    def save(self) -> str:
        keys = [key.hex() for key in self.service.pit.keys]
        tables = [self.journal.saved(name) for name in self.journal.tables()]
        return json.dumps({"keys": keys, "token": self.token, "houses": self.journal.houses(), "streams": tables})

    async def ask(  # noqa: PLR0913, PLR0917 - a request, and where its answer goes
        self, method: str, target: str, headers: Mapping[str, str], body: bytes, send: Send, chunk: Chunk,
        gone: Awaitable[object] | None = None,
    ) -> None:  # fmt: skip
        """One request to its end; a stream ends when `gone` is done."""
        path, _, query = target.partition("?")
        if path.startswith(ELSEWHERE) and method == "POST":
            send(501, {"content-type": "application/problem+json"})
            chunk(json.dumps({"status": 501, "code": "static.elsewhere", "detail": INSTALL}).encode())
            return
        cookie = {"cookie": f"passline={self.token}"} if self.token else {}
        named = {"host": "localhost", "origin": "http://localhost", **headers, **cookie}
        scope: dict[str, Any] = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "root_path": "",
            "headers": [(name.lower().encode(), value.encode()) for name, value in named.items()],
            "client": ("127.0.0.1", 1),
            "server": ("localhost", 80),
        }
        request = [{"type": "http.request", "body": body, "more_body": False}]

        async def receive() -> dict[str, Any]:
            if request:
                return request.pop()
            await (gone if gone is not None else asyncio.Event().wait())
            return {"type": "http.disconnect"}

        async def respond(message: Mapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                pairs = [(name.decode(), value.decode()) for name, value in message["headers"]]
                for name, value in pairs:  # a page cannot keep the cookie of an answer that no network brought
                    if name == "set-cookie" and value.startswith("passline="):
                        self.token = value.partition(";")[0].partition("=")[2]
                send(message["status"], {name: value for name, value in pairs if name != "set-cookie"})
            elif message.get("body"):
                chunk(message["body"])
            await asyncio.sleep(0)

        await self._app(scope, receive, respond)
