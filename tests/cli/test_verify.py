"""`passline verify`: what it says, how it leaves, and where it reads from."""

from __future__ import annotations

import json
import threading
import time
from contextlib import suppress
from functools import partial
from http.server import HTTPServer, SimpleHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from typer.testing import CliRunner

from passline.cli.app import app
from passline.live.dice import roll
from tests.cli.running import refused, run, told
from tests.verify.building import SIGNING, STREAM, evening, export, head, seed_of, written

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

JOURNAL = evening(rolls=3)
LINES = export(JOURNAL)
MIXES = [bytes.fromhex(entry["body"]["mix"]) for entry in JOURNAL.entries if entry["kind"] == "mix_frozen"]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """An export that holds."""
    path = tmp_path / "evening.jsonl"
    path.write_bytes(b"".join(LINES))
    return path


@pytest.fixture
def heads(tmp_path: Path) -> Path:
    """A head that somebody kept."""
    path = tmp_path / "heads.jsonl"
    path.write_bytes(written(head(JOURNAL.chained()[-1])) + b"\n")
    return path


def test_what_holds_is_told_with_what_was_checked(file: Path, heads: Path) -> None:
    """How many of each, and exit code 0."""
    result = run("verify", file, "--head", heads)
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[-1] == "Everything checks."
    assert sum(line.startswith("void: t1, entry ") and " would have fallen, " in line for line in lines) == 2
    counted = {line.rsplit(maxsplit=1)[0]: line.rsplit(maxsplit=1)[1] for line in lines[:-1]}
    assert counted["rolls, computed again from the values that were shown"] == "6"
    assert counted["entries, complete and chained by hash to the one before"] == str(len(JOURNAL.entries))
    assert counted["signed heads that you saved"] == "1"


def test_a_journal_is_checked_as_it_lies(file: Path, tmp_path: Path) -> None:
    """The farewell of an evening names its journal, and nobody exports it first."""
    journal = tmp_path / "copy.db"
    assert run("journal", "import", file, journal).exit_code == 0
    result = run("verify", journal)
    assert result.stdout.splitlines()[-1] == "Everything checks."
    assert result.stdout == run("verify", file).stdout


@pytest.mark.parametrize("words", [("bot", "pass_flat"), ("play", "--plain")])
def test_a_server_that_is_not_there_is_named_at_once(words: tuple[str, ...]) -> None:
    """Port 1 has no listener: refused, not waited for."""
    sentence = refused(*words, "--server", "http://127.0.0.1:1", code=1)
    assert sentence.endswith("cannot be reached: connection refused. Start one with: passline serve")


def test_programs_get_all_of_it(file: Path) -> None:
    """As one object."""
    (report,) = told("verify", file)
    assert report["holds"] is True
    assert report["faults"] == []
    assert report["checked"]["rolls"] == 6
    assert report["checked"]["kept_heads"] == 0
    void = [number for number, entry in enumerate(JOURNAL.entries, start=1) if entry["kind"] == "roll_voided"]
    assert [each["sequence"] for each in report["void_rolls"]] == void
    due = [list(roll(seed_of("house", epoch), STREAM, epoch, 4, mixed)) for epoch, mixed in enumerate(MIXES, start=1)]
    assert [each["dice"] for each in report["void_rolls"]] == due


def test_what_was_changed_is_told_with_its_place(file: Path) -> None:
    """Table, entry, field; exit code 1."""
    at = next(number for number, line in enumerate(LINES) if b'"kind":"rolled"' in line)
    changed = json.loads(LINES[at])
    changed["body"]["dice"] = [changed["body"]["dice"][0] % 6 + 1, 1]
    file.write_bytes(b"".join([*LINES[:at], written(changed) + b"\n", *LINES[at + 1 :]]))
    result = run("verify", file)
    assert result.exit_code == 1
    assert f"wrong: line {at + 1}: t1, entry {at}, hash: " in result.stdout
    assert f"wrong: line {at + 1}: t1, entry {at}, body.dice: " in result.stdout
    (report,) = [json.loads(line) for line in run("verify", file, "--json").stdout.splitlines()]
    assert {"table": "t1", "sequence": at, "field": "hash", "line": at + 1}.items() <= report["faults"][0].items()


def test_a_cut_off_end_needs_a_head_that_was_kept(file: Path, heads: Path) -> None:
    """The older copy is in order by itself."""
    older = evening(rolls=2)
    file.write_bytes(b"".join(export(older)))
    assert run("verify", file).exit_code == 0
    result = run("verify", file, "--head", heads)
    assert result.exit_code == 1
    assert "it was cut off" in result.stdout


def test_standard_input_is_read(file: Path) -> None:
    """As `journal export` writes it."""
    assert CliRunner().invoke(app, ["verify", "-"], input=file.read_bytes()).exit_code == 0


@pytest.fixture
def address(file: Path) -> Iterator[str]:
    """A server with the export."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_words: object) -> None:
            """Say nothing."""

    server = HTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(file.parent)))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/{file.name}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_an_address_is_read(address: str) -> None:
    """And one where nothing is, is said to be so."""
    assert run("verify", address).exit_code == 0
    assert "404" in refused("verify", f"{address}.none", code=2)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (b"", "there is nothing in it"),
        (b"{}\n", "its first line is not"),
        (b"\xff\xfe\n", "no JSON"),
        (b"passline 1\n", "`passline replay` plays again"),
        (b'{"export":"passline/journal/9","tables":[]}\n', "its first line is not"),
        (b'{"export": "passline/journal/1", "tables": []}\n', "not written as canonical JSON"),
        (b"[" * 100_000 + b"\n", "no JSON"),
    ],
)
def test_what_is_no_export_is_said_to_be_none(file: Path, text: bytes, what: str) -> None:
    """Exit code 2, one sentence, the file's name first."""
    file.write_bytes(text)
    sentence = refused("verify", file, code=2)
    assert sentence.startswith(f"{file}: ")
    assert what in sentence


def test_an_export_of_nothing_is_not_called_good(file: Path) -> None:
    """Exit code 1: nothing was checked."""
    file.write_bytes(b'{"export":"passline/journal/1","tables":[]}\n{"heads":[]}\n')
    result = run("verify", file)
    assert result.exit_code == 1
    assert "Nothing was checked" in result.stdout


@pytest.mark.parametrize(
    ("text", "what"),
    [("", "no head in it"), ("{", "line 1 is no head"), ("{}", "line 1 is no head"), ("[1]", "line 1 is no head")],
)
def test_what_is_no_head_is_said_to_be_none(file: Path, heads: Path, text: str, what: str) -> None:
    """Exit code 2: a journal held against nothing would seem to hold."""
    heads.write_text(text, encoding="utf-8")
    assert what in refused("verify", file, "--head", heads, code=2)


def test_a_file_that_is_not_there(tmp_path: Path, file: Path) -> None:
    """Of either kind."""
    assert "give the path" in refused("verify", tmp_path / "none", code=2)
    assert "give the path" in refused("verify", file, "--head", tmp_path / "none", code=2)


# --- The house's key ------------------------------------------------------------------------------------------------

HOUSE_KEY = SIGNING.public_key().public_bytes_raw().hex()


def signed_by(key: Ed25519PrivateKey, entries: int | None = None) -> bytes:
    """The export, its heads signed anew with a key; or with one head only, of an earlier entry."""
    chain = JOURNAL.chained()
    return b"".join(LINES[:-1]) + written({"heads": [head(chain[(entries or 0) - 1], key)]}) + b"\n"


def test_a_journal_that_another_key_signed_is_found(file: Path, tmp_path: Path) -> None:
    """It is in order by itself; whose word it is, only the key can tell."""
    kept = tmp_path / "house.key"
    kept.write_text(f"{'0' * 64}\n{HOUSE_KEY}\n", encoding="utf-8")
    for key in (HOUSE_KEY, kept):
        assert run("verify", file, "--key", key).exit_code == 0
    file.write_bytes(signed_by(Ed25519PrivateKey.from_private_bytes(b"x" * 32)))
    assert run("verify", file).exit_code == 0
    for key in (HOUSE_KEY, kept):
        result = run("verify", file, "--key", key)
        assert result.exit_code == 1
        assert "no key that was given as the house's" in result.stdout
        assert "no head of this table is signed" in result.stdout


def test_a_journal_without_a_head_is_nobodys(file: Path, heads: Path) -> None:
    """Unless somebody kept one; what follows the last head is told."""
    file.write_bytes(b"".join(LINES[:-1]) + written({"heads": []}) + b"\n")
    assert run("verify", file).exit_code == 0
    assert run("verify", file, "--key", HOUSE_KEY).exit_code == 1
    assert run("verify", file, "--key", HOUSE_KEY, "--head", heads).exit_code == 0
    file.write_bytes(signed_by(SIGNING, entries=9))
    result = run("verify", file, "--key", HOUSE_KEY)
    assert result.exit_code == 0
    assert "open: t1: nobody has signed what follows entry 9" in result.stdout


def test_what_is_no_key_is_said_to_be_none(file: Path, tmp_path: Path) -> None:
    """Exit code 2."""
    kept = tmp_path / "house.key"
    for text, what in (("", "no public key in it"), ("AB" * 32, "is no public key"), ("ab", "is no public key")):
        kept.write_text(text, encoding="utf-8")
        assert what in refused("verify", file, "--key", kept, code=2)
    assert "give the path" in refused("verify", file, "--key", "abc", code=2)


class Endless(SimpleHTTPRequestHandler):
    """A server that begins well and never ends: with lines of something else, or a byte now and then."""

    def do_GET(self) -> None:
        """Send until nobody listens."""
        self.send_response(200)
        self.end_headers()
        with suppress(OSError):
            self.wfile.write(LINES[0])
            while True:
                self.wfile.write(b'{"x":1}\n' * 100 if self.path == "/lines" else b" ")
                time.sleep(0 if self.path == "/lines" else 0.01)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.mark.parametrize(
    ("path", "said"), [("lines", "1,000 lines up to 1002 are none"), ("bytes", "less than 1,000 bytes a second")]
)
def test_a_server_without_an_end_is_left(monkeypatch: pytest.MonkeyPatch, path: str, said: str) -> None:
    """Neither what is no export any more nor what comes too slowly keeps us for ever."""
    monkeypatch.setattr("passline.cli.verify.FETCH_SECONDS", 0.2)
    with ThreadingHTTPServer(("127.0.0.1", 0), Endless) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            assert said in refused("verify", f"http://127.0.0.1:{server.server_port}/{path}", code=2)
        finally:
            server.shutdown()
