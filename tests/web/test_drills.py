"""What `/ready`, the log and a player's page say when something is wrong: docs/deploy.md, *When something is wrong*."""

from __future__ import annotations

import json
import resource
import socket
import sys
import threading
import time
from contextlib import ExitStack, suppress
from typing import TYPE_CHECKING, Any

import httpx
import psycopg
import pytest

from passline.client import Answer, Client
from passline.engine.refusals import Refusal
from passline.journal.contract import now, read_entry
from passline.journal.export import exported
from passline.journal.postgres import PostgresJournal
from passline.journal.sqlite import SqliteJournal
from passline.pit.keys import read_keys
from passline.verify.check import verify
from tests.postgres import fresh
from tests.web.server import Clock, Handed, Player, Server

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from passline.journal.contract import Journal

pytestmark = pytest.mark.slow
BET = {"kind": "command.buy_in", "amount": 1_000}


def log_of(server: Server) -> Iterator[dict[str, Any]]:
    """The lines of its log."""
    for line in server.log.read_text().splitlines():
        with suppress(ValueError):
            yield json.loads(line)


def faults(journal: Journal, folder: Path) -> list[object]:
    """What `verify` has against an evening."""
    sign = read_keys(folder / "keys.json").sign
    lines = [line + b"\n" for line in exported(journal, journal.tables(), sign=sign, time=now())]
    journal.close()
    return [fault.what for fault in verify(lines).faults]


def acts_until(player: Player, status: int) -> tuple[httpx.Response, dict[str, bytes]]:
    """Acts until one is answered so; what was answered before, by key."""
    done: dict[str, bytes] = {}
    for number in range(5_000):
        response = player.post(f"/tables/{player.table}/acts", BET, f"act-{number}")
        if response.status_code == status:
            return response, done
        assert response.status_code == 200, response.text
        done[f"act-{number}"] = response.content
    raise AssertionError(f"never {status}")


# --- The disk -------------------------------------------------------------------------------------------------------


def test_a_full_disk_is_not_ready_and_goes_on_when_there_is_room(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """No act is taken, looking goes on; with room again the same act under its key is done, and it is ready."""
    journals: list[SqliteJournal] = []

    class House(Handed):
        def pit_journal(self) -> SqliteJournal:
            journals.append(SqliteJournal(self.journal))
            return journals[0]

    server = House(tmp_path, Clock(), "strip")
    ann, store = server.practice(name="Ann"), journals[0]

    def pages(more: int) -> None:
        with store._lock:
            count = store._driver.rows("PRAGMA page_count")[0][0]
            store._driver.rows(f"PRAGMA max_page_count = {count + more}")

    pages(0)
    no, done = acts_until(ann, 503)
    assert no.json()["code"] == "journal.full"
    ready = server.http.get("/ready")
    assert (ready.status_code, ready.json()["code"], ready.headers["Retry-After"]) == (503, "journal.full", "10")
    assert [each.getMessage() for each in caplog.records].count("the disk is full") == 1
    assert ann.get(f"/tables/{ann.table}").status_code == 200, "looking goes on"
    pages(1_000)
    assert ann.post(f"/tables/{ann.table}/acts", BET, f"act-{len(done)}").status_code == 200
    assert server.http.get("/ready").status_code == 200
    for key, content in done.items():
        assert ann.post(f"/tables/{ann.table}/acts", BET, key).content == content
    assert server.stop() == 0
    assert not faults(SqliteJournal(tmp_path / "pit.db"), tmp_path)


LIMITED = """
import resource, runpy, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), resource.RLIM_INFINITY))
sys.argv = ["passline", *sys.argv[2:]]
runpy.run_module("passline", run_name="__main__")
"""


class Limited(Server):
    """A server whose disk fails a write in the middle of an evening."""

    bytes_max: int | None = 900_000

    def command(self) -> list[str]:
        """Under a limit on the size of a file, where it has one."""
        plain = super().command()
        if self.bytes_max is None:
            return plain
        return [sys.executable, "-c", LIMITED, str(self.bytes_max), *plain[plain.index("passline") + 1 :]]


def test_a_commit_that_fails_ends_the_process_and_loses_nothing_answered(tmp_path: Path) -> None:
    """The player is told to ask again, the process ends with 3 and says why; the next one has all that was answered."""
    server = Limited(tmp_path, None, "--rate", "5000")
    ann = server.practice(name="Ann")
    no, done = acts_until(ann, 503)
    assert no.json()["code"] == "journal.broken"
    assert no.headers["Retry-After"]
    assert server.process.wait(timeout=300) == 3
    last = [line for line in log_of(server) if line["level"] == "critical"]
    assert [line["message"] for line in last] == ["this process ends"]
    assert "broken" in last[0]["error"]
    server.bytes_max = None
    server.restart()
    for key, content in done.items():
        assert ann.post(f"/tables/{ann.table}/acts", BET, key).content == content
    assert ann.post(f"/tables/{ann.table}/acts", BET, f"act-{len(done)}").status_code == 200
    assert server.stop() == 0
    assert not faults(SqliteJournal(tmp_path / "pit.db"), tmp_path)


# --- The clock ------------------------------------------------------------------------------------------------------


def test_a_clock_that_goes_back_an_hour_stops_nobody(tmp_path: Path) -> None:
    """Acts go on in their order, the jump is an entry, and whoever verifies it is told of no fault."""
    clock = Clock()
    server = Handed(tmp_path, clock, "strip")
    ann = server.practice(name="Ann")
    assert ann.act("command.bet", wager="pass", amount=1_500).status_code == 200
    clock.goes_on(hours=-1)
    assert server.http.get("/ready").status_code == 200
    for _ in range(5):
        assert ann.act("table.roll").status_code in (200, 202, 409)
        assert ann.act("command.bet", wager="field", amount=1_500).status_code in (200, 409)
    sequence = ann.get(f"/tables/{ann.table}").json()["sequence"]
    assert server.stop() == 0
    journal = SqliteJournal(tmp_path / "pit.db")
    entries = [read_entry(line) for line in journal.lines(ann.table)]
    assert [entry.sequence for entry in entries][:sequence] == list(range(1, sequence + 1))
    assert not faults(journal, tmp_path)


# --- The door -------------------------------------------------------------------------------------------------------


def test_two_thousand_half_sent_requests_shut_nobody_out(tmp_path: Path) -> None:
    """From one address: most are let go at once, and another plays as if nothing were."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 6_000), hard))
    server = Server(tmp_path)
    with ExitStack() as stack:
        stack.callback(resource.setrlimit, resource.RLIMIT_NOFILE, (soft, hard))
        other = httpx.HTTPTransport(local_address="127.0.0.2")
        server.http.close()
        server.http = stack.enter_context(httpx.Client(base_url=server.address, timeout=300, transport=other))
        ann = server.practice(name="Ann")
        lines = []
        for _ in range(2_100):
            line = stack.enter_context(socket.create_connection(("127.0.0.1", server.port), timeout=300))
            with suppress(OSError):
                line.sendall(b"GET /ready HTTP/1.1\r\nHo")
            lines.append(line)
        for _ in range(10):
            assert ann.act("command.buy_in", amount=1_000).status_code == 200
            assert server.http.get("/ready").status_code == 200
        for line in lines[-100:]:
            with suppress(ConnectionError):
                assert line.recv(1) == b"", "beyond what one address may have"
    assert server.stop() == 0
    assert "Traceback" not in server.log.read_text()


# --- One of two -----------------------------------------------------------------------------------------------------


def test_one_of_two_is_killed_under_load_and_nothing_answered_is_lost(tmp_path: Path) -> None:
    """Three play at each; those at the other notice nothing, those at the killed one are answered when it is back."""
    address = fresh()
    servers = [Server(tmp_path, address, "--quiet", "--rate", "5000", "--newcomers", "500") for _ in "12"]
    answered: dict[tuple[int, int], list[int]] = {}
    over, killed = threading.Event(), threading.Event()
    troubles: list[object] = []

    def play(process: int, number: int) -> None:
        answers = answered[process, number] = []
        with Client(servers[process].address, patience_s=300, hand=False) as client:
            table = client.practice(name=f"P{process}{number}", buyin=10_000)
            while not over.is_set() or len(answers) < 30:
                answer = table.act("command.buy_in", amount=1_000)
                if isinstance(answer, Refusal):
                    troubles.append(answer)
                    return
                assert isinstance(answer, Answer)
                answers.append(answer.sequence)
                if process and killed.is_set() and len(answers) > 30:
                    over.set()

    players = [threading.Thread(target=play, args=(process, number)) for process in (0, 1) for number in range(3)]
    for player in players:
        player.start()
    while any(len(answered.get((0, number), ())) < 10 for number in range(3)):
        over.wait(0.05)
    servers[0].kill()
    killed.set()
    ready = httpx.get(f"{servers[1].address}/ready", timeout=300)
    assert ready.status_code == 200, "the other is ready all the while"
    servers[0].restart()
    for player in players:
        player.join(600)
    assert not troubles
    assert all(sequences == sorted(set(sequences)) for sequences in answered.values()), "each answered once, in order"
    assert [server.stop() for server in servers] == [0, 0]
    assert not faults(PostgresJournal(address), tmp_path)


def test_a_process_whose_store_became_a_newer_programs_says_so_and_ends(tmp_path: Path) -> None:
    """It could write nothing any more: a supervisor and a proxy are told at once, and not by players."""
    address = fresh()
    server = Server(tmp_path, address)
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute("UPDATE store SET revision = revision + 1")
    assert server.process.wait(timeout=300) == 3
    server.http.close()
    assert "made by a newer Passline" in next(line for line in log_of(server) if line["level"] == "critical")["error"]


def test_a_process_that_is_asked_to_stop_lets_streams_end_and_says_so(tmp_path: Path) -> None:
    """SIGTERM, as an upgrade sends it: whoever follows a table hears the end of the line, the log has start and end."""
    server = Server(tmp_path)
    ann = server.practice(name="Ann")
    following = threading.Event()

    def follow() -> None:
        for _ in ann.stream(0, timeout_s=300):
            following.set()

    reader = threading.Thread(target=follow)
    reader.start()
    assert following.wait(300)
    assert server.stop() == 0
    reader.join(300)
    assert not reader.is_alive()
    said = [line["message"] for line in log_of(server)]
    assert said[0] == "started"
    assert "stopping" in said
    assert said[-1] == "stopped"


class Way:
    """The way to a PostgreSQL, which can be cut."""

    def __init__(self, address: str) -> None:
        about = psycopg.conninfo.conninfo_to_dict(address)
        self._to = f"{about['host']}/.s.PGSQL.{about.get('port', 5432)}"
        self._ends: list[socket.socket] = []
        self._door = socket.create_server(("127.0.0.1", 0))
        self.address = f"{address}&host=127.0.0.1&port={self._door.getsockname()[1]}"
        self.is_open = True
        threading.Thread(target=self._let_in, daemon=True).start()

    def _let_in(self) -> None:
        with suppress(OSError):  # the door is shut
            while True:
                here = self._door.accept()[0]
                self._ends.append(here)
                if not self.is_open:
                    here.close()
                    continue
                there = socket.socket(socket.AF_UNIX)
                self._ends.append(there)
                there.connect(self._to)
                for one, other in ((here, there), (there, here)):
                    threading.Thread(target=self._carry, args=(one, other), daemon=True).start()

    @staticmethod
    def _carry(one: socket.socket, other: socket.socket) -> None:
        with suppress(OSError):
            while data := one.recv(65_536):
                other.sendall(data)
        with suppress(OSError):
            other.shutdown(socket.SHUT_RDWR)

    def cut(self) -> None:
        """Nobody comes through any more."""
        self.is_open = False
        for end in self._ends:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()
        self._ends.clear()

    def close(self) -> None:
        """Nobody ever does again."""
        with suppress(OSError):
            self._door.shutdown(socket.SHUT_RDWR)
        self._door.close()
        self.cut()


def test_a_store_that_is_cut_off_is_told_with_the_first_act_and_looking_goes_on(tmp_path: Path) -> None:
    """The act that meets it, `/ready` right after it, a look at a table in memory, and the same act when it is back."""
    way = Way(fresh())
    server = Server(tmp_path, way.address)
    ann = server.practice(name="Ann")
    assert ann.act("command.buy_in", amount=1_000).status_code == 200
    assert ann.get(f"/tables/{ann.table}").status_code == 200
    way.cut()
    no = ann.post(f"/tables/{ann.table}/acts", BET, "again")
    assert (no.status_code, no.json()["code"], no.headers["Retry-After"]) == (503, "store.away", "2")
    ready = server.http.get("/ready")
    assert (ready.status_code, ready.json()["code"]) == (503, "store.away")
    for look in ("", "/seat", "/felt", "/strip"):
        seen = ann.get(f"/tables/{ann.table}{look}")
        assert seen.status_code == 200, seen.text  # looking goes on
    way.is_open = True
    until = time.monotonic() + 300
    while server.http.get("/ready").status_code != 200 and time.monotonic() < until:
        time.sleep(0.05)
    done = ann.post(f"/tables/{ann.table}/acts", BET, "again")
    assert done.status_code == 200
    assert ann.post(f"/tables/{ann.table}/acts", BET, "again").content == done.content

    def of_the_store() -> list[str]:
        return [line["message"] for line in log_of(server) if line["message"].startswith("the store")]

    while len(of_the_store()) < 2 and time.monotonic() < until:
        time.sleep(0.05)
    assert of_the_store() == ["the store does not answer", "the store answers again"]
    assert server.stop() == 0
    way.close()
