"""Two processes on one PostgreSQL: any serves any table, and either may be killed at any moment."""

from __future__ import annotations

import threading
import time
from itertools import islice
from typing import TYPE_CHECKING

import pytest

from passline.client import Answer, Client
from passline.client.calls import Call
from passline.engine.refusals import Refusal
from passline.journal.export import exported
from passline.journal.postgres import PostgresJournal
from passline.pit.keys import read_keys
from passline.pit.people.people import now
from passline.verify.check import verify
from tests.postgres import fresh
from tests.web.server import Server

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.slow
SIGN_OUT = Call("DELETE", "/sessions")


def test_two_processes_share_their_tables_and_one_is_killed(tmp_path: Path) -> None:
    """Ann acts at the first, Bob at the second; the first dies in the middle, and the game goes on."""
    address = fresh()
    servers = [Server(tmp_path, address, "--quiet") for _ in "12"]
    ann = Client(servers[0].address)
    table = ann.practice(name="Ann", buyin=10_000)
    bob = Client(servers[1].address, ann.token)
    seen: list[int] = []
    reader = threading.Thread(
        target=lambda: seen.extend(each.sequence for each in islice(bob.table(table.name).events(after=0), 40))
    )
    reader.start()
    heard = bob.table(table.name)
    for roll in range(30):
        if "pass" not in heard.look().state["seats"]["1"]["up"]:
            assert not isinstance(heard.bet("pass", 10), Refusal)
        where = (table, heard)[roll % 2] if roll < 10 else heard
        assert isinstance(where.roll(), Answer)
        if roll == 10:
            servers[0].kill()
            servers[0].http.close()
    reader.join(timeout=30)
    assert seen == list(range(1, 41))
    began = time.monotonic()
    assert bob.send(SIGN_OUT)[0] == 204
    assert time.monotonic() - began < 5
    assert servers[1].stop() == 0
    journal = PostgresJournal(address)
    sign = read_keys(tmp_path / "keys.json").sign
    report = verify(line + b"\n" for line in exported(journal, journal.tables(), sign=sign, time=now()))
    journal.close()
    assert report.faults == []
    assert report.counts["people_acts"]
    ann.close()
    bob.close()


def test_a_right_taken_back_at_one_process_ends_at_the_other(tmp_path: Path) -> None:
    """Within a second: the database tells."""
    address = fresh()
    first, second = (Server(tmp_path, address, "--quiet") for _ in "12")
    ann = Client(first.address)
    table = ann.practice(name="Ann")
    ended: list[float] = []

    def follow() -> None:
        other = Client(second.address, ann.token)
        try:
            for _ in other.table(table.name).events(after=0):
                pass
        except Exception:  # noqa: BLE001 - that it ends is what is looked at
            ended.append(time.monotonic())
        other.close()

    reader = threading.Thread(target=follow)
    reader.start()
    time.sleep(1)
    began = time.monotonic()
    assert ann.send(SIGN_OUT)[0] == 204
    reader.join(timeout=10)
    assert ended, "the stream goes on"
    assert ended[0] - began < 1.5
    assert [each.stop() for each in (first, second)] == [0, 0]
    ann.close()
