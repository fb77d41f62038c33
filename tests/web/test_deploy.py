"""The drills of docs/deploy.md, walked: two processes behind a proxy, a backup put back, an earlier version's store.

The proxies run from the files of `deploy/`, with other names and ports; who has neither nginx nor Caddy skips those.
"""

from __future__ import annotations

import gzip
import json
import os
import re
import shutil
import socket
import ssl
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import httpx
import pytest

from passline.client import Answer, Client
from passline.pit.keys import read_keys
from tests.journal.freeze import FROZEN
from tests.pit.play import KEYS
from tests.postgres import fresh
from tests.web.server import Server, free_port

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

pytestmark = pytest.mark.campaign
DEPLOY = Path(__file__).parents[2] / "deploy"
PASSLINE = (sys.executable, "-m", "passline")


class Site(NamedTuple):
    """Two processes and what stands before them."""

    address: str
    pits: list[Server]
    trusted: ssl.SSLContext

    def http(self, source: str = "127.0.0.1") -> httpx.Client:
        """Somebody who comes from an address of their own."""
        way = httpx.HTTPTransport(verify=self.trusted, local_address=source)
        return httpx.Client(base_url=self.address, transport=way, timeout=30)


@pytest.fixture(scope="module", params=["caddy", "nginx"])
def site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Two processes on one PostgreSQL that start at once, behind a proxy with the file that `deploy/` has for it."""
    program = shutil.which(request.param)
    if program is None:
        pytest.skip(f"there is no {request.param} here")
    folder, address = tmp_path_factory.mktemp(request.param), fresh()
    port = free_port()  # for the proxy
    origin = f"https://localhost:{port}"
    pits: dict[str, Server] = {}

    def start(name: str) -> None:
        options = ("--proxies", "127.0.0.1", "--origin", origin, "--name", name, "--newcomers", "20")
        pits[name] = Server(folder, address, *options)

    starts = [threading.Thread(target=start, args=(name,)) for name in ("pit1", "pit2")]
    for each in starts:
        each.start()
    for each in starts:
        each.join()
    ports = {name: pit.port for name, pit in pits.items()}
    _certificate(folder)
    command = {"caddy": _caddy, "nginx": _nginx}[request.param](program, folder, port, ports)
    trusted = ssl.create_default_context(cafile=folder / "site.pem")
    environment = {**os.environ, "HOME": str(folder), "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    with (folder / "proxy.txt").open("wb") as log:
        proxy = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
    found = Site(origin, [pits["pit1"], pits["pit2"]], trusted)
    try:
        _until_ready(found, proxy, folder / "proxy.txt")
        yield found
    finally:
        proxy.terminate()
        proxy.wait(timeout=20)
        for pit in found.pits:
            pit.kill()
            pit.http.close()


def _until_ready(site: Site, proxy: subprocess.Popen[bytes], log: Path) -> None:
    until = time.monotonic() + 300
    with site.http() as http:
        while time.monotonic() < until and proxy.poll() is None:
            try:
                if http.get("/ready").status_code == 200:
                    return
            except httpx.TransportError:
                pass
            time.sleep(0.1)
    raise AssertionError(log.read_text())


def _certificate(folder: Path) -> None:
    """A certificate of our own for this machine."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key, now = ec.generate_private_key(ec.SECP256R1()), datetime.now(UTC)
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), 1, now - timedelta(days=1), now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    (folder / "site.pem").write_bytes(made.public_bytes(serialization.Encoding.PEM))
    pem = (serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    (folder / "site.key").write_bytes(key.private_bytes(*pem))


def _at(text: str, ports: dict[str, int]) -> str:
    """A file of `deploy/` with the two processes where they are."""
    for name, port in ports.items():
        text, count = re.subn(rf"\b{name}:8000", f"127.0.0.1:{port}", text)
        assert count == 2, f"{name} stands among those who serve, and alone for its questions"
    return text


def _caddy(program: str, folder: Path, port: int, ports: dict[str, int]) -> list[str]:
    text = _at((DEPLOY / "Caddyfile").read_text(encoding="utf-8"), ports)
    text = text.replace("{\n", "{\n\tadmin off\n\tauto_https off\n\tskip_install_trust\n", 1)
    site = f"https://localhost:{port} {{\n\ttls {folder}/site.pem {folder}/site.key\n"
    text = text.replace("craps.example {\n", site)
    (folder / "Caddyfile").write_text(text, encoding="utf-8")
    return [program, "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]


def _nginx(program: str, folder: Path, port: int, ports: dict[str, int]) -> list[str]:
    text = _at((DEPLOY / "nginx.conf").read_text(encoding="utf-8"), ports)
    changes = {"443": str(port), "craps.example;": "localhost;"}
    changes |= {f"/etc/ssl/craps.example.{end}": f"{folder}/site.{end}" for end in ("pem", "key")}
    for old, new in changes.items():
        assert old in text, old
        text = text.replace(old, new)
    paths = "".join(f"{each}_temp_path {folder};" for each in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    head = f"daemon off; pid {folder}/pid; error_log stderr; events {{}}\nhttp {{ access_log off; {paths}\n"
    (folder / "nginx.conf").write_text(f"{head}{text}}}\n", encoding="utf-8")
    return [program, "-c", str(folder / "nginx.conf"), "-e", "stderr"]


def _client(site: Site, token: str = "") -> Client:
    client = Client(site.address, token)
    client._http.close()
    client._http = site.http()
    return client


# --- Behind a proxy ---------------------------------------------------------------------------------------------------


def test_streams_come_as_they_are_told(site: Site) -> None:
    """Twenty acts, each heard before the next is asked: nothing on the way waits until it has more."""
    with _client(site) as ann:
        table = ann.practice(name="Ann")
        listening, heard = threading.Event(), list[int]()

        def listen() -> None:
            with _client(site, ann.token) as other:
                at = other.table(table.name).look().sequence
                listening.set()
                heard.extend(each.sequence for each in islice(other.table(table.name).events(at), 20))

        told = threading.Thread(target=listen)
        told.start()
        assert listening.wait(300)
        for number in range(20):
            assert isinstance(table.act("command.buy_in", amount=500), Answer)
            until = time.monotonic() + 60
            while len(heard) <= number and time.monotonic() < until:
                time.sleep(0.005)
            assert len(heard) > number, "the stream says nothing"
        told.join(timeout=60)


def test_over_tls_a_cookie_is_for_this_host_alone(site: Site) -> None:
    """The proxy's word on how a request came is believed; a foreign page has no permission with the cookie."""
    with site.http() as http:
        came = http.post("/practice", json={})
        assert came.status_code == 201, came.text
        assert came.headers["set-cookie"].startswith("__Host-passline=")
        assert "secure" in came.headers["set-cookie"].lower()
        assert came.headers.get_list("strict-transport-security") == ["max-age=31536000"]
        table = came.json()["table"]["table"]
        bet = {"kind": "command.bet", "wager": "pass", "amount": 1_000}
        for origin, status in ((site.address, 200), ("https://evil.example", 403)):
            headers = {"Origin": origin, "Idempotency-Key": origin}
            assert http.post(f"/tables/{table}/acts", json=bet, headers=headers).status_code == status


def test_who_asks_is_who_the_proxy_says(site: Site) -> None:
    """Too many from one address; another goes on, and nobody is another by saying so."""
    with site.http("127.0.0.3") as many, site.http("127.0.0.4") as other:
        found = []
        for _ in range(60):
            found.append(many.post("/practice", json={}).status_code)
            many.cookies.clear()
        assert found.count(201) <= 41, "twenty in each process, and what grew back"
        assert found[-1] == 429
        lied = many.post("/practice", json={}, headers={"X-Forwarded-For": "10.1.2.3"})
        assert lied.status_code == 429
        assert other.post("/practice", json={}).status_code == 201


def test_a_question_is_answered_by_whom_it_was_asked(site: Site) -> None:
    """Whichever process it went to, its answer is found every time."""
    with site.http("127.0.0.5") as http:
        for _ in range(4):
            came = http.post("/questions", json={"strategy": "pass_flat", "rolls": 10})
            assert came.status_code in (200, 201, 202), came.text
            name, until = came.json()["question"], time.monotonic() + 600
            while (told := http.get(f"/questions/{name}")).json()["state"] in ("waiting", "working"):
                assert told.status_code == 200
                assert time.monotonic() < until
                time.sleep(0.2)
            assert told.json()["state"] == "answered", told.text


def test_a_bot_goes_on_while_one_after_the_other_is_killed(site: Site, tmp_path: Path) -> None:
    """Killed without a goodbye, started again, the other stopped as an upgrade does: the bot plays its rolls."""
    environment = {**os.environ, "SSL_CERT_FILE": str(site.pits[0].folder / "site.pem")}
    command = [*PASSLINE, "bot", "pass_flat", "--server", site.address, "--rolls", "200"]
    first, second = site.pits
    does: dict[int, Callable[[], object]] = {20: first.kill, 60: first.restart, 100: second.process.terminate}
    does |= {120: second.process.wait, 140: second.restart}
    with (tmp_path / "bot.txt").open("wb") as log:
        bot = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=log, text=True)
    with bot:
        assert bot.stdout is not None
        told = []
        for line in bot.stdout:
            told.append(line)
            does.get(len(told), str)()
    assert bot.returncode == 0, (tmp_path / "bot.txt").read_text()
    assert len(told) == 201
    table = told[-1].split(": ")[0].removeprefix("200 rolls at ")
    assert _verified(first.journal, first.folder / "keys.json", table)


def test_nobody_sends_headers_for_ever(site: Site) -> None:
    """The service itself would wait; the proxy hangs up."""
    port = int(site.address.rpartition(":")[2])
    with (
        socket.create_connection(("127.0.0.1", port)) as plain,
        site.trusted.wrap_socket(plain, server_hostname="localhost") as line,
    ):
        line.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\n")
        began = time.monotonic()
        while not _hangs_up(line):
            assert time.monotonic() - began < 300


def _hangs_up(line: ssl.SSLSocket) -> bool:
    """Send a header more, and look for half a second whether the other side has ended it."""
    line.settimeout(0.5)
    try:
        line.sendall(b"X-Slow: 1\r\n")
        return not line.recv(100)
    except TimeoutError:
        return False
    except OSError:
        return True


# --- Backups, and what an earlier version wrote -----------------------------------------------------------------------


def _run(*words: str | Path, keys: Path, given: bytes = b"") -> bytes:
    """A command as the page has it."""
    environment = {**os.environ, "PASSLINE_KEYS": str(keys)}
    done = subprocess.run([*PASSLINE, *map(str, words)], env=environment, input=given, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout


def _verified(journal: str, keys: Path, table: str, heads: Path | None = None) -> bool:
    """Export and verify, as the page says; with the heads that somebody kept, and the house's key."""
    lines = _run("journal", "export", journal, keys=keys)
    assert f'"table":"{table}"'.encode() in lines
    options: tuple[str | Path, ...] = ()
    if heads is not None:
        options = ("--head", heads, "--key", json.loads(heads.read_text().splitlines()[0])["key"])
    return bool(json.loads(_run("verify", "-", "--json", *options, keys=keys, given=lines))["holds"])


@contextmanager
def _playing(client: Client) -> Iterator[str]:
    """Somebody who plays all the while."""
    table, over = client.practice(name="Ann"), threading.Event()

    def play() -> None:
        while not over.is_set():
            table.bet("pass", 10)
            table.roll()

    player = threading.Thread(target=play)
    player.start()
    try:
        yield table.name
    finally:
        over.set()
        player.join(timeout=30)


@pytest.mark.parametrize("store", ["sqlite", "postgres"])
def test_a_backup_is_put_back_and_played_on(store: str, tmp_path: Path) -> None:
    """The drill of the page, command by command, of a journal that is played meanwhile."""
    keys, journal = tmp_path / "keys.json", fresh() if store == "postgres" else str(tmp_path / "pit.db")
    server, heads = Server(tmp_path, journal, "--quiet", "--rate", "500"), tmp_path / "heads.jsonl"
    with Client(server.address) as client:
        with _playing(client) as table:
            time.sleep(2)
            heads.write_bytes(_run("journal", "head", journal, keys=keys))
            _run("journal", "backup", journal, tmp_path / "backup.db", keys=keys)
            time.sleep(0.5)
        token = client.token
    assert server.stop() == 0
    again = fresh() if store == "postgres" else str(tmp_path / "drill.db")
    _run("journal", "restore", tmp_path / "backup.db", again, keys=keys)
    assert _verified(again, keys, table, heads)
    drill = Server(tmp_path, again, "--quiet")
    with Client(drill.address) as newcomer, Client(drill.address, token) as ann:
        assert newcomer.practice(name="Bob").look().seat is not None
        old = ann.table(table)
        old.bet("pass", 10)
        assert isinstance(old.roll(), Answer), "the table of the backup goes on, with new seeds"
    assert drill.stop() == 0
    assert _verified(again, keys, table, heads)


@pytest.mark.parametrize("version", sorted(path.name.removesuffix(".db.gz") for path in FROZEN.glob("*.db.gz")))
def test_a_store_of_an_earlier_version_is_served(version: str, tmp_path: Path) -> None:
    """Backed up, opened by this version, its tables looked at and played on by those who may, then verified."""
    journal, keys = tmp_path / "pit.db", tmp_path / "keys.json"
    journal.write_bytes(gzip.decompress((FROZEN / f"{version}.db.gz").read_bytes()))
    keys.write_text(json.dumps({name: key.hex() for name, key in KEYS._asdict().items()}))
    keys.chmod(0o600)
    assert read_keys(keys) == KEYS
    _run("journal", "restore", journal, tmp_path / "again.db", keys=keys)  # as if it were the backup
    assert _verified(str(tmp_path / "again.db"), keys, "fair")
    words = b"twelve red chips\n"
    _run("people", "add", "Sue", "--role", "supervisor", "--journal", journal, keys=keys, given=words)
    server = Server(tmp_path, str(journal), "--quiet")
    with Client(server.address) as sue:
        sue.sign_in("Sue", "twelve red chips")
        told: dict[str, Any] = {name: sue.table(name).look() for name in ("fair", "real", "given")}
        assert all(view.sequence for view in told.values())
        assert sue.practice(name="Sue").look().seat == 1
    assert server.stop() == 0
    assert _verified(str(journal), keys, "fair")
