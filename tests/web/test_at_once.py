"""An act whose request comes whole is answered without ASGI: nobody can tell it from one that comes in parts.

Nor from one that is left to the app: the same requests are sent both ways, and answered, logged and counted alike.
"""

from __future__ import annotations

import json
import logging
import socket
import time
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from passline.errors import BusyError, OverdrawnError
from passline.pit.people.people import By
from passline.web import middleware
from passline.web.acts import ActRequest
from tests.web.server import Clock, Handed, Player, Server

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
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


# --- Both ways, side by side ------------------------------------------------------------------------------------------


class Both:
    """One service that is asked the same thing both ways, by Ann at her table or by others."""

    def __init__(self, folder: Path) -> None:
        self.server = server = Handed(folder, Clock(), "strip")
        self.at_once, self.done_at_once = server.app.entrance.act_at_once, list[bool]()
        self.ann, bob, gone = (server.practice(name=name) for name in ("Ann", "Bob", "Gone"))
        company = server.practice(name="Cy", company=2)
        server.http.delete("/sessions", headers=gone.headers)
        people, by = server.service.pit.people, By(self.ann.person, "player", server.clock())
        self.names = {
            "TABLE": self.ann.table,
            "ANN": self.ann.token,
            "BOB": bob.token,
            "GONE": gone.token,
            "MACHINE": people.issue(self.ann.person, by, "machine"),
            "CY": company.token,
            "COMPANY": company.table,
        }
        self.ann.act("command.bet", wager="pass", amount=500)  # from now on table and tokens are in memory
        assert bob.get("/me").status_code == 200

    def ask(self, request: bytes, caplog: pytest.LogCaptureFixture, *, at_once: bool) -> tuple[object, ...]:
        """Status, headers and body; what is counted; what is logged."""

        def spied(*asked: Any) -> bool:  # noqa: ANN401 - as it is asked
            self.done_at_once.append(self.at_once(*asked))
            return self.done_at_once[-1]

        self.server.connections.at_once = staticmethod(spied) if at_once else None
        self.server.app.entrance._logged = 0.0  # so that it is logged whatever was rejected a moment ago
        caplog.set_level(logging.INFO, "passline.web")
        caplog.clear()
        before = self.counted()
        ((status, headers, body),) = answers(self.ann, request)
        self.server.settle()
        counted = {name: number - before[name] for name, number in self.counted().items() if number != before[name]}
        logged = [{name: value for name, value in vars(each).items() if name in LOGGED} for each in caplog.records]
        numbered = {name: value for name, value in headers.items() if name not in {"date", "x-request-id"}}
        return status, headers.keys(), numbered, body, counted, logged

    def request(self, way: Way, key: str) -> bytes:
        """What is sent."""
        head = HEAD
        for usual, other in way.changed.items():
            assert usual in head
            head = head.replace(usual, other)
        head = head.format(**self.names, KEY=key, LENGTH=len(way.body))
        return head.replace("\n", "\r\n").encode() + b"\r\n" + way.body

    def counted(self) -> Counter[tuple[str, ...]]:
        """What the service counted, but for what goes by the clock or by what was written."""
        metrics = self.server.service.metrics
        families = (metrics.requests, metrics.seconds, metrics.acts, metrics.refusals, metrics.refused)
        samples = (each for family in families for found in family.collect() for each in found.samples)
        return Counter(
            {
                (each.name, *each.labels.values()): int(each.value)
                for each in samples
                if not each.name.endswith(("_created", "_sum", "_bucket"))
            }
        )


LOGGED = {"levelname", "msg", *middleware.JsonFormatter.FIELDS} - {"request", "ms"}


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Both]:
    """Somebody at a table of a service in this process."""
    found = Both(tmp_path_factory.mktemp("both"))
    yield found
    found.server.stop()


HEAD = """\
POST /tables/{TABLE}/acts HTTP/1.1
Host: localhost
Content-Type: application/json
Authorization: Bearer {ANN}
Idempotency-Key: {KEY}
Content-Length: {LENGTH}
"""
WHO, HOST, EVIL = "Authorization: Bearer {ANN}", "Host: localhost", "Host: evil.example"
COOKIE = "Cookie: passline={ANN}\nOrigin: http://localhost"
TLS = f"{COOKIE}\nX-Forwarded-Proto: https"
PROXY = "X-Forwarded-For: 198.51.100.1, 203.0.113.9"
SEVEN = BET.replace(b"pass", b"place_6").replace(b"500", b"7")  # no chip is so small
PARTS = b"%x\r\n%b\r\n0\r\n\r\n" % (len(BET), BET)


class Way(NamedTuple):
    """What is otherwise in a request than usual, or beside it; how it is answered; whether it is done at once."""

    status: int
    changed: Mapping[str, str] = {}
    body: bytes = BET
    at_once: bool = True


def left(status: int, changed: Mapping[str, str] | None = None, body: bytes = BET) -> Way:
    """What is left to the app, which knows best what to say."""
    return Way(status, changed or {}, body, at_once=False)


def also(*lines: str) -> dict[str, str]:
    """Headers beside the usual ones."""
    return {HOST: "\n".join((HOST, *lines))}


WAYS = {
    "done": Way(200),
    "refused": Way(409, {}, SEVEN),
    "another's seat": Way(403, {}, BET.replace(b"}", b',"seat":2}')),
    "the last of its connection": Way(200, also("Connection: close")),
    "refused, and the last": Way(409, also("Connection: close"), SEVEN),
    "no JSON": left(422, {}, b"{"),
    "nothing": left(422, {}, b""),
    "twice in one object": left(422, {}, BET.replace(b"}", b',"amount":1}')),
    "no UTF-8": left(400, {}, b'{"kind":"\xff"}'),
    "too deep": left(400, {}, b"[" * 9_000),
    "too long": left(413, {}, b" " * 66_000 + BET),
    "another type": left(422, {"application/json": "text/plain"}),
    "no type": left(422, {"Content-Type": "X-Type"}),
    "no key": left(422, {"Idempotency-Key": "X-Key"}),
    "a key that is none": left(422, {"{KEY}": "a b"}),
    "in chunks": left(200, {"Content-Length: {LENGTH}": "Transfer-Encoding: chunked"}, PARTS),
    "no host": left(400, {HOST: "X: y"}),
    "two hosts": left(400, also(EVIL)),
    "another's host, with a token": Way(200, {HOST: EVIL}),
    "another's host, with a cookie": left(421, {HOST: EVIL, WHO: COOKIE.replace("localhost", "evil.example")}),
    "a page of ours": Way(200, {WHO: COOKIE}),
    "a page that does not say whose": left(403, {WHO: "Cookie: passline={ANN}"}),
    "a page of another's": left(403, {WHO: COOKIE.replace("localhost", "evil.example")}),
    "a page of a neighbour's": left(403, {WHO: f"{COOKIE}\nSec-Fetch-Site: same-site"}),
    "a cookie of TLS, without it": left(401, {WHO: COOKIE.replace("passline", "__Host-passline")}),
    "another cookie, with TLS": left(401, {WHO: TLS}),
    "a cookie of TLS": Way(200, {WHO: TLS.replace("passline", "__Host-passline")}),
    "TLS, refused": Way(409, also("X-Forwarded-Proto: https"), SEVEN),
    "by a proxy": Way(200, also(PROXY)),
    "by a proxy, no JSON": left(422, also(PROXY), b"{"),
    "two cookies, the last counts": Way(404, {WHO: COOKIE.replace("{ANN}", "{ANN}; passline={BOB}")}),
    "a token beside a cookie": Way(404, {WHO: f"Authorization: Bearer {{BOB}}\n{COOKIE}"}),
    "two tokens": left(400, {WHO: f"{WHO}\n{WHO}"}),
    "no token": left(401, {WHO: "X: y"}),
    "a token that ended": left(401, {"{ANN}": "{GONE}"}),
    "a token that is none": left(401, {"{ANN}": "{ANN}x"}),
    "a machine": left(403, {"{ANN}": "{MACHINE}"}),
    "another's table": Way(404, {"{ANN}": "{BOB}"}),
    "another's table, refused there": Way(404, {"{ANN}": "{BOB}"}, b'{"kind":"command.sit","seat":1,"buyin":10000}'),
    "another's table, no JSON": left(404, {"{ANN}": "{BOB}"}, b"{"),
    "no table": left(404, {"{TABLE}": "nowhere"}),
    "the floor of the house": left(404, {"{TABLE}": "floor"}),
    "company": left(200, {"{TABLE}": "{COMPANY}", "{ANN}": "{CY}"}),
    "spelt in percent": left(200, {"/acts": "/%61cts"}),
    "with a query": left(200, {"/acts": "/acts?x"}),
    "with a slash": left(404, {"/acts": "/acts/"}),
    "as to a proxy": left(200, {"POST /": "POST http://evil.example/"}),
    "another method": left(405, {"POST": "PUT"}),
    "an older version": left(200, {"HTTP/1.1": "HTTP/1.0"}),
    "another protocol": left(422, also("Connection: upgrade", "Upgrade: h2c")),
}


@pytest.mark.parametrize("what", WAYS)
def test_both_ways_answer_count_and_log_alike(both: Both, caplog: pytest.LogCaptureFixture, what: str) -> None:
    """Under one key: whoever is asked second answers again what the first did, so each is first once."""
    way = WAYS[what]
    for first in (True, False):
        asked = both.request(way, f"{what.replace(' ', '-')}-{first}")
        both.done_at_once.clear()
        one, other = (both.ask(asked, caplog, at_once=at_once) for at_once in (first, not first))
        assert one == other
        assert one[0] == way.status
        assert any(both.done_at_once) == way.at_once


@pytest.mark.parametrize("error", [BusyError("busy"), OverdrawnError("over"), ValueError("a fault of ours")])
def test_what_fails_is_told_alike(
    both: Both, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def fails(*_: object) -> bytes:
        raise error

    monkeypatch.setattr(ActRequest, "__call__", fails)
    for way in (WAYS["done"], WAYS["the last of its connection"], WAYS["TLS, refused"]):
        one, other = (both.ask(both.request(way, "fails"), caplog, at_once=at_once) for at_once in (True, False))
        assert one == other
        assert one[0] in {409, 500, 503}


def test_who_may_not_now_is_left_to_the_app(
    both: Both, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Too many acts of one person, a full queue, too many requests, a body over the limit, a process that must end."""
    monkeypatch.setattr(middleware, "REJECT_DELAY_S", 0.0)
    service, ann = both.server.service, both.ann.person
    states: dict[int, tuple[object, str, object]] = {
        429: (service, "_acts_pending", Counter({ann: service.limits.acts_each_max})),
        413: (service, "limits", replace(service.limits, body_bytes_max=10)),
        503: (service, "failed", "a disk that broke"),
    }
    for status, (of, name, state) in states.items():
        with monkeypatch.context() as patched:
            patched.setattr(of, name, state)
            both.done_at_once.clear()
            one, other = (both.ask(both.request(Way(status), "now"), caplog, at_once=way) for way in (True, False))
            assert one == other
            assert (one[0], both.done_at_once) == (status, [False])


# --- Whoever leaves ---------------------------------------------------------------------------------------------------


def test_a_stream_ends_with_its_connection_whatever_waits_behind_it(
    both: Both, caplog: pytest.LogCaptureFixture
) -> None:
    """An act that is asked behind a stream is never done; who leaves then leaves no stream, and nothing has failed."""
    listening = WAYS["done"]._replace(changed={"POST": "GET", "/acts": "/events", "{LENGTH}": "0"}, body=b"")
    with socket.create_connection(("127.0.0.1", both.server.port), 60) as link:
        link.sendall(both.request(listening, "listens") + both.request(WAYS["done"], "behind"))
        while not both.server.service.open_streams():
            time.sleep(0.001)
    both.server.settle()
    assert not both.server.service.open_streams()
    assert not [each for each in caplog.records if each.levelno >= logging.WARNING]


def test_who_leaves_in_the_middle_of_a_body_is_no_failure(both: Both, caplog: pytest.LogCaptureFixture) -> None:
    """Nobody hears the answer, and the log has no error."""
    caplog.set_level(logging.INFO, "passline.web")
    with socket.create_connection(("127.0.0.1", both.server.port), 60) as link:
        link.sendall(both.request(WAYS["done"], "half")[:-1])
        while not both.server.working:
            time.sleep(0.001)
    both.server.settle()
    (answered,) = (vars(each) for each in caplog.records)
    assert (answered["levelname"], answered["status"], answered["code"]) == ("INFO", 408, "body.slow")
