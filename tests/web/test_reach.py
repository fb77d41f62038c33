"""Where others find a server."""

from __future__ import annotations

from contextlib import ExitStack
from itertools import islice
from typing import TYPE_CHECKING

import httpx
import pytest

from passline.web.network import addresses_of
from tests.web.server import Server

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("host", "found"),
    [
        ("127.0.0.1", ()),
        ("localhost", ()),
        ("::1", ()),
        ("192.0.2.7", ("http://192.0.2.7:8000",)),
        ("2001:db8::7", ("http://[2001:db8::7]:8000",)),
    ],
)
def test_one_address_is_that_one_and_oneself_is_nobody_elses(host: str, found: tuple[str, ...]) -> None:
    """As it is written in an address."""
    assert addresses_of(host, 8000) == found


def test_everywhere_is_by_every_address_but_the_machines_own_to_itself() -> None:
    """Each is one that somebody else could go to."""
    for found in addresses_of("0.0.0.0", 80):  # noqa: S104 - so that others reach it
        assert found.startswith("http://")
        assert found.endswith(":80")
        assert "//127." not in found


@pytest.mark.slow
def test_a_host_lets_other_machines_in_to_one_table_and_out_again(tmp_path: Path) -> None:
    """While it deals: they come by its link to that table and to nothing else; only the host says so, and from here."""
    server = Server(tmp_path)
    with server.closing(), ExitStack() as stack:
        ann, eve = server.practice(name="Ann"), server.practice(name="Eve")
        link = ann.post(f"/tables/{ann.table}/links", {"role": "player"}).json()["link"]
        assert eve.post(f"/tables/{ann.table}/network", {}).status_code == 404, "only its host says so"
        opened = ann.post(f"/tables/{ann.table}/network", {}).json()
        if not opened.get("addresses"):
            pytest.skip("this machine is on no network")
        phone = stack.enter_context(httpx.Client(base_url=opened["addresses"][0], timeout=120))
        assert phone.get("/").status_code == 200
        assert phone.get(f"/tables/{eve.table}").json()["code"] == "table.unknown"
        for path in ("/practice", "/guests", "/tables"):
            assert phone.post(path, json={"name": "Bob"}).json()["code"] == "network.link", path
        other = eve.post(f"/tables/{eve.table}/links", {"role": "player"}).json()["link"]
        assert phone.post("/guests", json={"name": "Bob", "link": other}).json()["code"] == "link.wrong"
        token = phone.post("/guests", json={"name": "Bob", "link": link}).json()["token"]
        phone.headers["Authorization"] = f"Bearer {token}"
        sat = phone.post(
            f"/tables/{ann.table}/acts",
            json={"kind": "command.sit", "buyin": 50_000},
            headers={"Idempotency-Key": "sits"},
        )
        assert sat.is_success, sat.text
        stands = phone.post("/practice", json={})
        assert stands.json()["code"] == "network.link", "a guest of one table opens no other"
        assert phone.delete(f"/tables/{ann.table}/network").status_code in (403, 404)
        assert eve.post(f"/tables/{eve.table}/network", {}).is_success
        with phone.stream("GET", f"/tables/{ann.table}/events", timeout=300) as stream:
            lines = stream.iter_lines()
            assert next(lines) == "retry: 1000"
            assert server.http.delete(f"/tables/{ann.table}/network", headers=ann.headers).status_code == 204
            assert "event: revoked" in islice(lines, 90), "another table is still open to others, and this stream ends"
        assert phone.get(f"/tables/{ann.table}").json()["code"] == "table.unknown"
        assert server.http.delete(f"/tables/{eve.table}/network", headers=eve.headers).status_code == 204
        with pytest.raises(httpx.TransportError):
            phone.get("/")
        assert ann.get(f"/tables/{ann.table}").is_success


@pytest.mark.parametrize(
    ("asked", "header"),
    [
        ("after=-1", {}),
        ("after=x", {}),
        ("view=short", {}),
        ("after=9007199254740993", {}),
        ("", {"Last-Event-ID": "x"}),
    ],
)
def test_a_stream_that_is_asked_for_wrongly_is_refused_as_the_description_has_it(
    server: Server, asked: str, header: dict[str, str]
) -> None:
    """Streams pass no layer of the framework, and what is wrong with one is said by it all the same."""
    ann = server.practice(name="Ann")
    no = server.http.get(f"/tables/{ann.table}/events?{asked}", headers={**ann.headers, **header})
    assert (no.status_code, no.json()["code"]) == (422, "body.unreadable")
    unknown = server.http.get("/tables/nowhere/events", headers=ann.headers)
    assert (unknown.status_code, unknown.json()["code"]) == (404, "table.unknown")
    nobody = server.http.get(f"/tables/{ann.table}/events", headers={"Authorization": "Bearer nobody.x"})
    assert (nobody.status_code, nobody.json()["code"]) == (401, "token.wrong")
