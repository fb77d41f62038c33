"""What the table of docs/security.md says of the service, where no other test shows it."""

from __future__ import annotations

import ast
import asyncio
import json
import logging
import re
import socket
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from passline.errors import ArgumentError
from passline.journal.memory import MemoryJournal
from passline.pit.people import passwords
from passline.pit.people.people import LASTS, By
from passline.pit.pit import Opening, Pit
from passline.web.app import make_app, routes
from passline.web.middleware import JsonFormatter
from passline.web.people import Credentials, NewPassword
from passline.web.service import Service
from tests.pit.play import KEYS
from tests.web.server import Clock

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.web.server import Server

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[2]
SOURCE, PAGE = ROOT / "src" / "passline", ROOT / "browser" / "src"
SERVICE = ("web", "pit", "journal", "cage", "chance", "codec", "floor")
"""What runs in the process that has the keys."""

PASSWORD = "twelve red chips"
HOUSE = By("house", "house", "2026-11-15T20:00:00.000000Z")


class Asked:
    """The service in this process, by a clock that stands still."""

    def __init__(self) -> None:
        self.clock = Clock()
        self.pit = Pit(MemoryJournal(), KEYS, clock=self.clock)
        self.app = make_app(Service(self.pit))
        self.token = ""

    def __call__(self, method: str, path: str, body: object = None, **headers: str) -> httpx.Response:
        """One request of whoever has the token."""

        async def ask() -> httpx.Response:
            way = httpx.ASGITransport(self.app, raise_app_exceptions=False)
            async with httpx.AsyncClient(transport=way, base_url="http://localhost") as http:
                who = {"Authorization": f"Bearer {self.token}"} if self.token else {}
                return await http.request(method, path, json=body, headers=who | headers)

        return asyncio.run(ask())


@pytest.fixture
def asked() -> Asked:
    """Nobody is there yet."""
    return Asked()


def _trees() -> Iterator[tuple[Path, ast.Module]]:
    for part in SERVICE:
        for path in (SOURCE / part).rglob("*.py"):
            yield path, ast.parse(path.read_text(encoding="utf-8"))


# --- What a browser is told -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/lobby", "/houses", "/nowhere", "/who", "/page/", "/tables/none"])
def test_every_answer_says_what_a_browser_may_do(asked: Asked, path: str) -> None:
    """JSON and nothing that is guessed at, in no frame, from nowhere else, kept by nobody; no debugging, no listing."""
    answer = asked("GET", path, Origin="https://evil.example")
    said = answer.headers
    assert said["content-type"].partition(";")[0] in ("application/json", "application/problem+json")
    assert (said["x-content-type-options"], said["referrer-policy"]) == ("nosniff", "no-referrer")
    assert said["content-security-policy"] == "default-src 'none'; frame-ancestors 'none'"
    assert not [name for name in said if name.startswith("access-control-")]
    assert answer.status_code in (200, 401, 403, 404)
    assert said.get("cache-control") == "no-store" or answer.status_code != 200
    assert asked("TRACE", path).status_code == 405 or answer.status_code == 404
    assert json.loads(answer.content) is not None


def test_the_service_redirects_nobody(asked: Asked) -> None:
    """Where to go is the proxy's to say; an address that is nearly right is wrong."""
    assert not asked.app.debug
    assert {asked("GET", path).status_code for path in ("/lobby/", "/houses/", "/docs", "/redoc", "/.git/config")} == {
        404
    }


def test_reading_changes_nothing(asked: Asked) -> None:
    """Every GET, as a supervisor: the journal is as it was."""
    sue = asked.pit.people.add("Sue", PASSWORD, HOUSE)
    asked.pit.people.grant(sue.id, "supervisor", None, "for the test", HOUSE, None)
    asked.pit.open(sue, Opening(practice=False), By("sue", "player", asked.clock()), "own")
    asked.token = asked.pit.people.issue("sue", By("sue", "player", asked.clock()))
    assert {asked("GET", path).status_code for path in ("/me", "/floor/permissions")} == {
        200
    }  # which open their streams, once
    before, statuses = asked.pit.journal.ends(), []
    names = {"table": "own", "house": "adelaide", "person": "sue", "stream": "own", "report": "shift", "wager": "pass"}
    for route in routes():
        method, _, path = route.partition(" ")
        if method == "GET" and not path.endswith(("/events", "/ready")):  # what waits, and what waits for a watcher
            filled = re.sub(r"\{(\w+)[^}]*\}", lambda found: names.get(found[1], "1"), path)
            answer = asked("GET", filled)
            statuses.append(answer.status_code)
            assert answer.headers["cache-control"] == "no-store" or path == "/page/{version}/{name:path}", path
    assert asked.pit.journal.ends() == before
    assert max(statuses) < 500
    assert statuses.count(200) > 20


# --- What the code does not do ----------------------------------------------------------------------------------------

FORBIDDEN = {"ctypes", "http", "marshal", "pickle", "requests", "shelve", "socket", "subprocess", "urllib", "xml"}
"""Modules by which something is run, fetched, or made out of what came from outside."""

CALLS = {"eval", "exec", "compile", "__import__"}


def test_the_service_runs_fetches_and_makes_nothing_of_what_is_sent() -> None:
    """No code, no command, no request of its own, no pattern and no object from outside; certificates are checked."""
    for path, tree in _trees():
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                assert not {each.name.partition(".")[0] for each in node.names} & (FORBIDDEN - {"socket"}), path
            elif isinstance(node, ast.ImportFrom) and not node.level:
                module = str(node.module)
                assert module == "http" or module.partition(".")[0] not in FORBIDDEN - {"socket"}, (path, module)
            elif isinstance(node, ast.Call):
                name = node.func.id if isinstance(node.func, ast.Name) else ""
                assert name not in CALLS, path
                of_re = isinstance(node.func, ast.Attribute) and getattr(node.func.value, "id", "") == "re"
                assert not of_re or isinstance(node.args[0], ast.Constant | ast.Name), f"{path}: a pattern that is made"
    for path in SOURCE.rglob("*.py"):
        assert "verify=False" not in path.read_text(encoding="utf-8"), path


def test_the_page_sets_text_and_keeps_choices_alone() -> None:
    """No markup from data, nothing inline, no storage but of what one chose; passwords masked, and pasted."""
    files = {path: path.read_text(encoding="utf-8") for end in ("*.ts", "*.svelte") for path in PAGE.rglob(end)}
    for path, text in files.items():
        for bad in (
            "{@html",
            "innerHTML",
            "outerHTML",
            "document.write",
            "eval(",
            "new Function",
            "onpaste",
            "document.cookie",
        ):
            assert bad not in text, path
    kept = {path.name for path, text in files.items() if re.search("localStorage|sessionStorage|indexedDB", text)}
    assert kept == {"choices.svelte.ts", "hand.svelte.ts", "heads.ts", "lab.svelte.ts", "lesson.svelte.ts"}
    asking = [text for text in files.values() if re.search(r"bind:value=\{\w*[pP]assword\w*\}", text)]
    assert asking
    assert all('type="password"' in text for text in asking)


@pytest.mark.parametrize("name", ["{0.__class__}", "%s%n", "${7*7}", "{{7*7}}", "<b>x</b>"])
def test_what_is_sent_is_no_format(asked: Asked, name: str) -> None:
    """It is said back as it came, or refused."""
    answer = asked("POST", "/guests", {"name": name})
    assert answer.status_code in (201, 422)
    assert name in answer.text or json.dumps(name)[1:-1] in answer.text
    assert "49" not in answer.text.replace(answer.json().get("token", "-"), "")


# --- Passwords and tokens ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("password", ["pass word 7 \U0001f3b2 Ärger ", "A" * 190 + "bcdefghij "])
def test_passwords_are_taken_as_they_are(password: str) -> None:
    """Any characters, up to 200, capitals and blanks at the ends too; nothing is cut or folded."""
    passwords.check_password(password, "ann")
    kept = passwords.hashed(password)
    assert kept.startswith(b"$argon2id$v=19$m=47104,t=2,p=1$")
    assert passwords.is_right(kept, password)
    assert not passwords.is_right(kept, password.swapcase())
    assert not passwords.is_right(kept, password[:-1])
    assert not passwords.is_right(kept, f"{password} ")


@pytest.mark.parametrize(
    ("password", "rule"),
    [
        ("short", "one of 5 characters"),
        ("x" * 201, "one of 201 characters"),
        ("password1234", "one of those that are tried first"),
        ("my-name-is-ann", "your name, ann, in it"),
        ("correct horse Ann x", "your name, ann, in it"),
        ("aaaaaaaaaaaaaa", "fewer than 5 different characters"),
        ("123456789012", "one of those that are tried first"),
    ],
)
def test_passwords_that_are_tried_first_will_not_do(password: str, rule: str) -> None:
    """Too short, too long, common, with the name in it, or of few characters, as is said; none has a hint beside it."""
    with pytest.raises(ArgumentError, match=f"{rule}.*not easily guessed"):
        passwords.check_password(password, "ann")
    assert (set(Credentials.model_fields), set(NewPassword.model_fields)) == ({"name", "password"}, {"old", "new"})


def test_nobody_is_there_before_somebody_came(asked: Asked) -> None:
    """No account, no token and no role comes with the program."""
    people = asked.pit.people
    assert (people.persons, people.tokens, people.hosted) == ({}, {}, {})
    assert people.is_password("admin", "admin") is None


def test_tokens_are_new_random_and_end(asked: Asked) -> None:
    """256 bits, another each time, checked here and nowhere else; twelve hours, however often it is used."""
    people = asked.pit.people
    people.add("Ann", PASSWORD, HOUSE)
    told = {people.issue("ann", By("ann", "player", asked.clock())) for _ in range(20)}
    assert len(told) == 20
    assert all(re.fullmatch(r"[0-9a-f]{16}\.[A-Za-z0-9_-]{43}", each) for each in told)
    asked.token = min(told)
    assert asked("GET", "/me").status_code == 200
    asked.clock.goes_on(hours=11, minutes=59)
    assert asked("GET", "/me").status_code == 200
    asked.clock.goes_on(minutes=2)
    assert asked("GET", "/me").status_code == 401
    assert {name: str(each) for name, each in LASTS.items()} == {
        "machine": "365 days, 0:00:00",
        "session": "12:00:00",
        "link": "7 days, 0:00:00",
        "approval": "0:02:00",
    }
    asked.token = f"{asked.token[:-1]}{'A' if asked.token[-1] != 'A' else 'B'}"
    assert asked("GET", "/me").status_code == 401


def test_one_sees_and_ends_ones_own_sessions(asked: Asked) -> None:
    """Where one is signed in, and since when; another's cannot be ended, nor is it said whether it is there."""
    people = asked.pit.people
    for name in ("Ann", "Bob"):
        people.add(name, PASSWORD, HOUSE)
    bobs, lost, asked.token = (people.issue(who, By(who, "player", asked.clock())) for who in ("bob", "ann", "ann"))
    listed = asked("GET", "/me/sessions").json()
    assert [(each["session"], each["this"]) for each in listed] == [(lost[:16], False), (asked.token[:16], True)]
    assert listed[0]["since"] == asked.clock() < listed[0]["until"]
    answers = [asked("DELETE", f"/me/sessions/{each}") for each in (bobs[:16], "0" * 16, lost[:16], lost[:16])]
    assert [each.status_code for each in answers] == [404, 404, 204, 404]
    assert {each.json()["code"] for each in (*answers[:2], answers[3])} == {"session.unknown"}
    assert len(asked("GET", "/me/sessions").json()) == 1
    assert {each: people.bearer(each, asked.clock()) is None for each in (bobs, lost)} == {bobs: False, lost: True}
    assert asked("POST", "/me/password", {"old": "wrong red chips", "new": "thirteen red chips"}).status_code == 401
    first = asked.token
    asked.token = asked("POST", "/me/password", {"old": PASSWORD, "new": "thirteen red chips"}).json()["token"]
    assert people.bearer(first, asked.clock()) is None
    kept, asked.token = asked.token, ""
    out = asked("DELETE", "/sessions", Cookie=f"passline={kept}", Origin="http://localhost")
    assert (out.status_code, out.headers["clear-site-data"]) == (204, '"cache"')
    assert "passline=" in out.headers["set-cookie"]
    asked.token = kept
    assert asked("GET", "/me").status_code == 401
    asked.token = people.issue("ann", By("ann", "player", asked.clock()))
    by_token = asked("DELETE", "/sessions")
    assert by_token.status_code == 204
    assert not {"clear-site-data", "set-cookie"} & set(by_token.headers), "the browser is somebody else's"


# --- What is written down ---------------------------------------------------------------------------------------------

WRITTEN = {
    "docs/deploy.md": (
        *(
            "## What to keep, and where",
            "the house's keys",
            "passwords and tokens",
            "## TLS and the proxy",
            "## Watching it",
        ),
        *(
            "`--journal`: a file on a local disk, or `postgresql://…`",
            "LoadCredential",
            "PGPASSFILE",
            "passline people add",
        ),
        "Logs on standard error are JSON, a line a request",
        "hold no body, header, token or seed",
    ),
    "docs/security.md": (
        *("a guest for seven days", "for 12 hours", "an approval two minutes", "twelve characters, not common"),
        *("## Algorithms and keys", "## Packages with known holes", "A limit on everything"),
    ),
    "SECURITY.md": ("newest version",),
    "src/passline/web/limits.py": ("questions", "body_bytes_max", "attempts_max", "streams_each_max", "pricing"),
    "docs/floor.md": ("POST /tables/club/links", "`roles`"),
}


@pytest.mark.parametrize("page", WRITTEN)
def test_what_must_be_written_down_is(page: str) -> None:
    """Lifetimes, limits, keys, what is sensitive and where it lies, what is logged, ways to sign in, time to mend."""
    text = (ROOT / page).read_text(encoding="utf-8")
    assert [words for words in WRITTEN[page] if words not in text] == []


def test_the_inventory_names_what_is_used() -> None:
    """Every algorithm of ours stands in the list of docs/security.md; and nothing weaker is used."""
    section = (ROOT / "docs" / "security.md").read_text(encoding="utf-8").partition("## Algorithms and keys")[2]
    names = {"sha256": "SHA-256", "sha512": "SHA-512", "md5": "MD5", "sha1": "SHA-1", "AESGCM": "AES-256-GCM"}
    names |= {"Ed25519PrivateKey": "Ed25519", "PasswordHasher": "Argon2id", "hmac": "HMAC", "compare_digest": "HMAC"}
    used = set()
    for path in SOURCE.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        if re.search(r"^\s*(from|import) (hashlib|hmac|argon2)|needed\(f.cryptography", text, re.MULTILINE):
            used |= {told for name, told in names.items() if re.search(rf"\b{name}\b", text)}
    assert used == {"SHA-256", "AES-256-GCM", "Ed25519", "Argon2id", "HMAC"}
    assert [each for each in used if f"| {each} |" not in section] == []


# --- Logs -------------------------------------------------------------------------------------------------------------


def test_a_log_line_is_one_line_whatever_is_in_it() -> None:
    """A JSON object with who, what and when in UTC; nobody writes a second line into it."""
    record = logging.makeLogRecord({"msg": 'x\n{"level": "forged"}\x1b[2J', "levelname": "INFO"})
    record.person, record.route, record.status = 'ann"\nbob', "GET /me", 200
    line = JsonFormatter().format(record)
    assert "\n" not in line
    assert "\x1b" not in line
    told: dict[str, Any] = json.loads(line)
    assert (told["person"], told["route"], told["status"]) == ('ann"\nbob', "GET /me", 200)
    assert told["time"].endswith("+00:00")


def test_a_refusal_is_found_by_who_what_and_where(asked: Asked, caplog: pytest.LogCaptureFixture) -> None:
    """Why was Cy refused: the line has the person, the table, the act, its code, and the key of the entry."""
    caplog.set_level(logging.INFO, "passline.web")
    came = asked("POST", "/practice", {"name": "Cy", "house": "sydney"}).json()
    asked.token, table = came["token"], came["table"]["table"]
    no = asked(
        "POST",
        f"/tables/{table}/acts",
        {"kind": "command.bet", "wager": "come", "amount": 1_000},
        **{"Idempotency-Key": "k-1"},
    )
    assert (no.status_code, no.json()["code"]) == (409, "bet.window")
    lines = [json.loads(JsonFormatter().format(each)) for each in caplog.records if each.getMessage() == "answered"]
    assert lines[0]["person"] == "cy", "who came, not anyone"
    told = {name: lines[-1][name] for name in ("person", "table", "act", "code", "key", "request")}
    assert told == {
        "person": "cy",
        "table": table,
        "act": "command.bet",
        "code": "bet.window",
        "key": "k-1",
        "request": no.headers["x-request-id"],
    }
    entry = asked.pit.journal.under_key(table, "cy/k-1")
    assert entry is not None
    assert b'"refused"' in entry


def test_what_breaks_is_logged_whole_and_told_in_a_word(asked: Asked, caplog: pytest.LogCaptureFixture) -> None:
    """The asker sees nothing of the inside."""
    asked.pit.people.roster = None  # type: ignore[assignment] # whatever breaks
    answer = asked("GET", "/lobby")
    assert (answer.status_code, answer.json()["code"]) == (500, "service.broken")
    assert "NoneType" not in answer.text
    assert any(record.exc_info for record in caplog.records)


# --- Messages ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "ends",
    [
        ("Content-Length: 5", "Content-Length: 6"),
        ("Content-Length: 5", "Transfer-Encoding: chunked"),
        ("Transfer-Encoding: chunked, identity",),
        ("Content-Length: +5",),
    ],
)
def test_messages_have_one_end(server: Server, ends: tuple[str, ...]) -> None:
    """What could end in two places is one request or none: what would follow it is never taken for another."""
    head = "\r\n".join(("POST /sessions HTTP/1.1", "Host: localhost", "Content-Type: application/json", *ends))
    smuggled = "0\r\n\r\nGET /lobby HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with socket.create_connection(("127.0.0.1", server.port)) as line:
        line.settimeout(2)
        line.sendall(f"{head}\r\n\r\n{smuggled}".encode())
        heard = b""
        with suppress(TimeoutError, ConnectionError):
            while more := line.recv(65_536):
                heard += more
    assert heard.startswith(b"HTTP/1.1 4")
    assert b"HTTP/1.1 200" not in heard


@pytest.mark.parametrize("twice", ["Host: evil.example", "Authorization: Bearer x.y"])
def test_who_asks_and_whom_is_said_once(server: Server, twice: str) -> None:
    """A proxy and this server could each take another of the two."""
    first = "Host: localhost\r\nAuthorization: Bearer a.b"
    with socket.create_connection(("127.0.0.1", server.port), timeout=60) as line:
        line.sendall(f"GET /lobby HTTP/1.1\r\n{first}\r\nAccept: a\r\nAccept: b\r\n{twice}\r\n\r\n".encode())
        heard = line.makefile("rb").read()
    assert heard.startswith(b"HTTP/1.1 400")
    assert b"header.twice" in heard


def test_requests_say_whom_they_are_for_and_how_their_body_is_written(server: Server) -> None:
    """RFC 9112: no Host is 400, a coding that nobody here reads is 501; a problem repeats no path of any length."""

    def heard(head: str) -> bytes:
        with socket.create_connection(("127.0.0.1", server.port), timeout=60) as line:
            line.sendall(f"{head}\r\nConnection: close\r\n\r\n".encode())
            return line.makefile("rb").read()

    assert heard("GET /health HTTP/1.1\r\nAccept: */*").startswith(b"HTTP/1.1 400")
    assert heard("GET /health HTTP/1.0\r\nAccept: */*").startswith(b"HTTP/1.1 200")
    assert heard("HEAD /health HTTP/1.1\r\nHost: localhost").startswith(b"HTTP/1.1 405"), "a head alone is sent as well"
    gzipped = heard("POST /sessions HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip, chunked")
    assert gzipped.startswith(b"HTTP/1.1 501")
    assert b"body.coding" in gzipped
    lost = heard(f"GET /{'x' * 12_000} HTTP/1.1\r\nHost: localhost")
    assert lost.startswith(b"HTTP/1.1 404")
    assert len(lost) < 2_000


def test_downloads_have_fixed_names(asked: Asked) -> None:
    """Words of ours and a table's, which has letters, digits and hyphens; nothing that somebody sent else."""
    sue = asked.pit.people.add("Sue", PASSWORD, HOUSE)
    asked.pit.open(sue, Opening(practice=False), By("sue", "player", asked.clock()), "own")
    asked.token = asked.pit.people.issue("sue", By("sue", "player", asked.clock()))
    named = asked("GET", "/tables/own/reports/shift?as_csv=true").headers["content-disposition"]
    assert re.fullmatch(r'attachment; filename="[a-z0-9-]+\.csv"', named)
