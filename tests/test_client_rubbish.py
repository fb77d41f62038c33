"""What the client is handed that it can do nothing with: an error of ours, at once, and never a wait for a server."""

from __future__ import annotations

import asyncio
import math
import subprocess
import sys
import threading
import time
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import islice
from typing import TYPE_CHECKING, Any

import pytest

from passline.client import AsyncClient, Client
from passline.errors import ArgumentError, PasslineError, ServiceError
from passline.files.needed import install

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

RUBBISH: tuple[Any, ...] = (
    None,
    7,
    -1,
    0.5,
    math.nan,
    "",
    "x\ny",
    "é",
    b"x",
    [],
    {},
    object(),
    {"a": object()},
    [[]],
    10**40,
)


class Other(BaseHTTPRequestHandler):
    """A server that is not ours, and answers everything with a page."""

    page = b"<html>"

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", str(len(self.page)))
        self.send_header("Retry-After", "Wed, 21 Oct 2026 07:28:00 GMT")
        self.end_headers()
        self.wfile.write(self.page)

    do_POST = do_GET  # noqa: N815 - as the handler looks for it

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def other() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Other)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def calls_of(client: Client) -> list[Callable[[Any], object]]:
    table = client.table("t")
    return [
        Client,
        lambda bad: Client(client.server, bad),
        lambda bad: Client(client.server, patience_s=bad),
        lambda bad: Client(client.server, folder=bad),
        client.table,
        client.get,
        lambda bad: client.post(bad, {}),
        lambda bad: client.post("/x", bad),
        lambda bad: client.post("/x", {}, key=bad),
        client.practice,
        lambda bad: client.practice(name=bad),
        lambda bad: client.practice(notice=bad),
        lambda bad: client.practice(buyin=bad),
        lambda bad: client.practice(company=bad),
        lambda bad: client.come(bad, "link"),
        lambda bad: client.come("Ann", bad),
        lambda bad: client.sign_in(bad, "password"),
        table.act,
        lambda bad: table.act("command.bet", key=bad),
        lambda bad: table.act("command.bet", approval=bad),
        lambda bad: table.act("command.bet", wager=bad),
        table.sit,
        lambda bad: table.bet(bad, 5),
        lambda bad: table.bet("pass", bad),
        table.take,
        lambda bad: table.take("pass", bad),
        lambda bad: list(islice(table.events(bad), 1)),
        lambda bad: list(islice(table.events(0, idle_s=bad), 1)),
    ]


@pytest.mark.parametrize(
    "page", [b"<html>", b"{}", b"[]", b"7", b'{"token": 1, "table": 2, "sequence": []}', b"[" * 9000]
)
def test_only_errors_of_ours_come_out(page: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is handed in, and whatever a server that is not ours answers."""
    monkeypatch.setattr(Other, "page", page)
    with other() as address, Client(address, hand=False, patience_s=0) as client:
        for call in calls_of(client):
            for bad in RUBBISH:
                with suppress(PasslineError):
                    call(bad)


def test_an_address_that_can_never_work_is_refused_at_once() -> None:
    for server in ("", "notaurl", "ftp://host", "http://", "http://a b"):
        begun = time.monotonic()
        with pytest.raises(ArgumentError, match=r"server: found .*the address of a server"):
            Client(server)
        assert time.monotonic() - begun < 1


def test_nobody_becomes_another_for_want_of_a_link() -> None:
    """The token stays, and with it the tables that it opens."""
    with other() as address, Client(address, "token") as client:
        with pytest.raises(ArgumentError, match="link: found None"):
            client.come("Bob", None)  # type: ignore[arg-type]
        assert client.token == "token"


def test_whoever_closed_a_client_is_told() -> None:
    async def later() -> None:
        client = AsyncClient("http://127.0.0.1:9")
        await client.close()
        with pytest.raises(ServiceError, match="was closed"):
            await client.lobby()
        with pytest.raises(ServiceError, match="was closed"):
            async for _ in client.table("t").events(0):
                pass

    client = Client("http://127.0.0.1:9")
    client.close()
    for call in (client.lobby, client.practice, client.table("t").look, lambda: next(client.table("t").events(0))):
        with pytest.raises(ServiceError, match="was closed"):
            call()
    asyncio.run(later())


def test_without_its_package_the_client_says_what_to_install() -> None:
    program = "import sys; sys.modules['httpx'] = None; import passline.client"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert f"passline.client needs Httpx, which is not here: {install('serve')}" in done.stderr
