"""A second party that only keeps heads: an honest house is at peace with it, one that changes its past is not."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import pytest

from passline.client import Client
from passline.client.witness import Heads, Witness
from tests.web.server import Server

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def looked(client: Any, table: str, kept: Path) -> list[str]:  # noqa: ANN401 - a client, or what lies like one
    """What is wrong with a table, to somebody who kept these heads."""
    witness = Witness(client, table, Heads(kept))
    list(witness.look())
    return witness.wrong


def test_heads_are_kept_and_another_past_is_told(server: Server, tmp_path: Path) -> None:
    """The same house twice, then a chain that was cut off, one written anew, and one with a forged signature."""
    ann = server.practice(name="Ann")
    ann.act("command.bet", wager="pass", amount=500)
    kept = tmp_path / "heads.jsonl"
    with Client(server.address, ann.token) as client:
        assert looked(client, ann.table, kept) == []
        heads = [json.loads(line) for line in kept.read_text("utf-8").splitlines()]
        assert heads
        assert {head["table"] for head in heads} == {ann.table}
        assert looked(client, ann.table, kept) == []
        assert len(kept.read_text("utf-8").splitlines()) == len(heads)
        last = heads[-1]

        def said(**changed: Any) -> list[str]:  # noqa: ANN401 - whatever it tells
            told = client.get(f"/tables/{ann.table}/chain?after={last['sequence'] - 1}")

            class Lying:
                def get(self, _path: str) -> Any:  # noqa: ANN401 - an answer
                    return told | changed

            return looked(Lying(), ann.table, kept)

        assert any("cut off" in line for line in said(last=last["sequence"] - 1, links=[], heads=[]))
        anew = {"sequence": last["sequence"], "hash": "0" * 64, "previous": "0" * 64, "line": None}
        assert any("is not the one" in line for line in said(links=[anew], heads=[], last=last["sequence"]))
        forged = last | {"signature": "0" * 128, "sequence": last["sequence"] + 1}
        assert any("signature" in line for line in said(links=[], heads=[forged]))


def test_a_program_goes_on_from_what_it_has_checked_and_holds_it_against_the_house(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Started again it asks for the last entry and what came since; another past, or none, is told by it."""
    monkeypatch.setattr("passline.client.witness.SAVED_EVERY", 1)
    with Client(server.address, folder=tmp_path) as client:
        table = client.practice(name="Ann", buyin=100)
        table.bet("pass", 5)
        table.roll()
        token, name = client.token, table.name
    with Client(server.address, token, folder=tmp_path) as client:
        end = client.get(f"/tables/{name}/chain?after=0")
    asked: list[str] = []

    def started(**changed: Any) -> Witness:  # noqa: ANN401 - whatever the house tells
        class House:
            server = "http://house.example"

            def get(self, path: str) -> Any:  # noqa: ANN401 - an answer
                asked.append(path)
                with Client(server.address, token, hand=False) as client:
                    return client.get(path) | changed

        (kept,) = tmp_path.glob("*.checked.json")
        stream, whose, *_ = kept.name.split(".")
        heads = Heads(tmp_path / f"{stream}.jsonl", tmp_path / "keys.json", whose)
        witness = Witness(House(), name, heads, whole=True)  # type: ignore[arg-type] # it answers as one
        list(witness.look())
        return witness

    assert started().wrong == []
    assert [int(path.partition("after=")[2]) for path in asked] == [pytest.approx(len(end["links"]) - 1, abs=2)]
    last = end["links"][-1] | {"hash": "0" * 64, "line": None}
    anew = started(links=[last | {"sequence": started().sequence}], heads=[])
    assert any("is not the one" in line for line in anew.wrong)
    assert anew.is_broken
    cut = started(links=[], heads=[], last=3)
    assert any("it was cut off" in line for line in cut.wrong)
    (kept,) = tmp_path.glob("*.checked.json")
    kept.write_text('{"program": "another"}')
    asked.clear()
    assert started().wrong == []
    assert asked[0].endswith("after=0"), "another program checks for itself"


def interrupted(*command: str, when: Callable[[], bool]) -> tuple[int, str]:
    """A command that is ended with Ctrl-C once something holds: its exit code, and what it said."""
    ran = subprocess.Popen(
        [sys.executable, "-m", "passline", *command],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),  # noqa: PLW1509 - no threads yet
    )
    while not when():
        assert ran.poll() is None, ran.communicate()
        time.sleep(0.05)
    ran.send_signal(signal.SIGINT)
    said, _ = ran.communicate(timeout=600)
    return ran.returncode, said


@pytest.mark.slow
def test_a_witness_is_ended_by_ctrl_c_and_says_what_it_kept(tmp_path: Path) -> None:
    """Of the lobby's tables as a guest, of another by a token; where nothing is open it says what to do."""
    kept = tmp_path / "heads.jsonl"
    server = Server(tmp_path)
    once = [sys.executable, "-m", "passline", "witness", server.address, "--to", str(kept), "--once"]
    said = subprocess.run(once, capture_output=True, text=True, check=True).stdout
    assert said == "No head was saved: no table here is open to everybody. Name one with --table, and give --token.\n"
    ann = server.practice(name="Ann")
    ann.act("command.bet", wager="pass", amount=500)
    options = ("--table", ann.table, "--token", ann.token, "--to", str(kept), "--every", "1")
    at = {"when": lambda: kept.exists() and "\n" in kept.read_text("utf-8")}
    code, said = interrupted("witness", server.address, *options, **at)
    assert code == 0
    assert f"1 heads of 1 tables kept in {kept}; nothing contradicts them." in said.splitlines()
    host = server.account("Host")
    host.table = listed = host.post("/tables", {"house": "sydney", "listed": True}).json()["table"]
    assert "0 heads of 1 tables" in subprocess.run(once, capture_output=True, text=True, check=True).stdout
    host.act("command.sit", buyin=50_000)
    assert "1 heads of 1 tables" in subprocess.run(once, capture_output=True, text=True, check=True).stdout
    assert {json.loads(line)["table"] for line in kept.read_text("utf-8").splitlines()} == {ann.table, listed}
    server.stop()
    nobody = ["witness", server.address, "--once"]
    told = subprocess.run([sys.executable, "-m", "passline", *nobody], capture_output=True, text=True, check=False)
    assert told.stderr.startswith(f"URL: {server.address} cannot be reached")


@pytest.mark.slow
def test_a_bot_that_is_interrupted_leaves_and_says_how_it_went(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its hand comes off first: nobody waits for it."""
    host = Client(server.address, hand=False)
    table = host.practice("adelaide", name="Host")
    link = host.post(f"/tables/{table.name}/links", {"role": "player"})["link"]
    table.leave()  # whoever has the dice and does not throw is waited for

    def rolled() -> bool:  # twice: the bot asks for a second roll when it has checked the first
        return [each["kind"] for each in entries(host, table.name)].count("rolled") > 1

    bot = ("bot", "pass_345_odds", "--server", server.address, "--link", link, "--quiet", "--rolls", "10000")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    code, said = interrupted(*bot, when=rolled)
    assert code == 130
    assert f"rolls at {table.name}: " in said
    assert "of them; each was checked as it fell." in said
    assert [each["kind"] for each in entries(host, table.name)].count("hand_off") == 1
    assert host.get(f"/tables/{table.name}/dice")["hands"] == []
    host.close()


def entries(client: Client, table: str) -> list[dict[str, Any]]:
    """All of a table's that one may see, page after page."""
    found: list[dict[str, Any]] = []
    page: dict[str, Any] = {"last": 1, "links": [{"sequence": 0, "line": None}]}
    while (after := page["links"][-1]["sequence"]) < page["last"]:
        page = client.get(f"/tables/{table}/chain?after={after}")
        found += [json.loads(link["line"]) for link in page["links"] if link["line"]]
    return found


def test_a_bot_whose_strategy_fails_leaves_the_table(server: Server, tmp_path: Path) -> None:
    """Nobody waits for a part of it, and none of its chips ride on."""
    host = Client(server.address, hand=False)
    table = host.practice("adelaide", name="Host")
    link = host.post(f"/tables/{table.name}/links", {"role": "player"})["link"]
    table.leave()
    bad = tmp_path / "bad.py"
    bad.write_text("def bad(view):\n    assert view.rolls < 2\n    return {'pass': 1}\n", "utf-8")
    bot = [sys.executable, "-m", "passline", "bot", f"{bad}:bad", "--server", server.address, "--link", link]
    done = subprocess.run(
        bot, capture_output=True, text=True, check=False, env={**os.environ, "XDG_DATA_HOME": str(tmp_path)}
    )
    assert done.returncode
    assert [each["kind"] for each in entries(host, table.name)].count("rolled") == 2
    assert host.get(f"/tables/{table.name}/dice")["hands"] == []
    assert all(seat["away"] for seat in table.look().state["seats"].values())
    host.close()
