"""An act whose request comes whole is answered without ASGI: nobody can tell it from one that comes in parts."""

from __future__ import annotations

import json
import socket
import time
from typing import TYPE_CHECKING

import pytest

from tests.web.server import Player, Server

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

BET = b'{"kind":"command.bet","wager":"pass","amount":500}'


@pytest.fixture(scope="module")
def ann(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Player]:
    """Somebody at a table of her own."""
    folder: Path = tmp_path_factory.mktemp("at-once")
    server = Server(folder)
    with server.closing():
        yield server.practice(name="Ann")


def wire(ann: Player, key: str, body: bytes = BET, *more: str, cookie: bool = False) -> bytes:
    """An act as it is sent."""
    who = f"Cookie: passline={ann.token}" if cookie else f"Authorization: Bearer {ann.token}"
    lines = [f"POST /tables/{ann.table}/acts HTTP/1.1", "Host: localhost", "Content-Type: application/json", who]
    head = [*lines, f"Idempotency-Key: {key}", f"Content-Length: {len(body)}", *more, "", ""]
    return "\r\n".join(head).encode() + body


def answers(ann: Player, *parts: bytes, count: int = 1) -> list[tuple[int, dict[str, str], bytes]]:
    """So many answers to what is sent, part by part, over one connection: status, headers and body of each."""
    read: list[tuple[int, dict[str, str], bytes]] = []
    with socket.create_connection(("127.0.0.1", ann.server.port), 60) as link, link.makefile("rb") as file:
        for part in parts:
            link.sendall(part)
            time.sleep(0.05 if len(parts) > 1 else 0)
        while len(read) < count:
            status = int(file.readline()[9:12])
            lines = iter(file.readline, b"\r\n")
            headers = {
                name.lower(): value.strip() for name, _, value in (line.decode().partition(":") for line in lines)
            }
            read.append((status, headers, file.read(int(headers["content-length"]))))
        if read[-1][1].get("connection") == "close":
            assert file.read() == b""
    return read


CASES = [
    pytest.param(200, {}, id="done"),
    pytest.param(409, {"body": b'{"kind":"command.bet","wager":"place_6","amount":7}'}, id="refused"),
    pytest.param(422, {"body": b'{"kind":"command.bet","wager":"pass"}'}, id="lacks something"),
    pytest.param(422, {"body": b"{"}, id="no JSON"),
    pytest.param(400, {"more": ("Idempotency-Key: twice",)}, id="a header twice"),
    pytest.param(400, {"more": ("Transfer-Encoding: chunked",)}, id="a body that ends in two ways"),
    pytest.param(403, {"cookie": True, "more": ("Origin: http://elsewhere",)}, id="a page of another's"),
    pytest.param(200, {"cookie": True, "more": ("Origin: http://localhost",)}, id="a page of ours"),
    pytest.param(200, {"more": ("Connection: close",)}, id="the last of its connection"),
]


@pytest.mark.parametrize(("status", "asked"), CASES)
def test_a_request_in_parts_is_answered_the_same(ann: Player, status: int, asked: dict[str, object]) -> None:
    """Status, headers but for their number and the time, and body: asked again in parts, the first answer again."""
    more, body, cookie = asked.get("more", ()), asked.get("body", BET), bool(asked.get("cookie"))
    assert isinstance(more, tuple)
    assert isinstance(body, bytes)
    whole = wire(ann, f"k{time.monotonic_ns()}", body, *more, cookie=cookie)
    cut = whole.index(b"\r\n\r\n") + 4
    (at_once,), (in_parts,) = answers(ann, whole), answers(ann, whole[:cut], whole[cut:])
    assert at_once[0] == in_parts[0] == status
    assert at_once[2] == in_parts[2]
    assert at_once[1].keys() == in_parts[1].keys()
    assert {**at_once[1], "x-request-id": "", "date": ""} == {**in_parts[1], "x-request-id": "", "date": ""}


def test_acts_in_one_packet_are_answered_in_order(ann: Player) -> None:
    """The second waits for the first, however they come; what is no act stands among them."""
    bets = [wire(ann, f"p{time.monotonic_ns()}-{number}") for number in range(3)]
    look = b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"
    read = answers(ann, bets[0] + bets[1] + look + bets[2], count=4)
    assert [status for status, _, _ in read] == [200] * 4
    first, second, third = (json.loads(read[at][2])["sequence"] for at in (0, 1, 3))
    assert first < second < third
