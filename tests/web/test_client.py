"""The client against a real server: both kinds, a strategy at a table, and a server that dies in between."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from itertools import islice
from pathlib import Path

import pytest

from passline.client import Answer, AsyncClient, Client
from passline.engine.refusals import Refusal
from passline.errors import ServiceError
from tests.web.server import Server

pytestmark = pytest.mark.slow
EXAMPLES = Path(__file__).parents[2] / "examples"


def test_a_program_plays_and_a_refusal_is_a_value(server: Server) -> None:
    """Money is handed in as money; entries come back as the engine's events."""
    with Client(server.address) as client:
        table = client.practice("sydney", name="Ann", buyin=200)
        bet = table.bet("pass", 10)
        assert isinstance(bet, Answer)
        assert bet.events[0].stake == 1_000  # type: ignore[union-attr]
        no = table.bet("come", 10)
        assert isinstance(no, Refusal)
        assert (no.code, (no.clause or "")[:7]) == ("bet.window", "sydney:")
        rolled = table.roll()
        assert isinstance(rolled, Answer)
        assert rolled.dice is not None
        view = table.look()
        told = list(islice(table.events(after=0), view.sequence))
        assert [each.sequence for each in told] == list(range(1, view.sequence + 1))
        assert told[-1].said
        with pytest.raises(ServiceError, match="no such table"):
            client.table("nowhere").look()


async def test_the_same_without_waiting(server: Server) -> None:
    """Two at one table: what one does the other hears."""
    async with AsyncClient(server.address) as client:
        table = await client.practice(name="Ann")
        at = (await table.look()).sequence
        await table.bet("pass", 10)
        async for told in table.events(after=at):
            assert told.entry["body"]["command"]["wager"] == "pass"
            break
        assert isinstance(await table.roll(), Answer)


def test_a_bot_plays_a_strategy_as_its_user_starts_it(server: Server) -> None:
    """From the command line, to a number of rolls; the server refuses nothing that the strategy wanted."""
    command = [sys.executable, "-m", "passline", "bot", "pass_345_odds", "--server", server.address, "--rolls", "12"]
    done = subprocess.run([*command, "--house", "strip", "--buyin", "5000", "--json"], capture_output=True, check=True)
    told = json.loads(done.stdout)
    assert (told["rolls"], told["refused"], told["house"]) == (12, {}, "strip")


def test_the_client_goes_on_over_a_kill(tmp_path: Path) -> None:
    """Acts are sent again under their keys, and the stream has no gap and nothing twice."""
    server = Server(tmp_path, None, "--rate", "500")
    client = Client(server.address)
    table = client.practice(name="Ann", buyin=10_000)
    seen: list[int] = []
    follower = Client(server.address, client.token)
    reader = threading.Thread(
        target=lambda: seen.extend(each.sequence for each in islice(follower.table(table.name).events(after=0), 60))
    )
    reader.start()

    def kill() -> None:
        server.kill()
        server.restart()

    killer = threading.Timer(0.5, kill)
    killer.start()
    rolls = 0
    until = time.monotonic() + 60
    while (reader.is_alive() or rolls < 20) and time.monotonic() < until:
        if "pass" not in table.look().state["seats"]["1"]["up"]:
            assert not isinstance(table.bet("pass", 10), Refusal)
        assert isinstance(table.roll(), Answer)
        rolls += 1
    killer.join()
    reader.join(timeout=30)
    assert seen == list(range(1, 61))
    rolled = [each for each in islice(table.events(after=0), table.look().sequence) if each.kind == "rolled"]
    assert len(rolled) == rolls, "a roll that was asked for twice under one key is one roll"
    assert server.stop() == 0
    client.close()
    follower.close()


def test_the_examples_run_as_they_are(server: Server) -> None:
    """The ten-line bot and the one with curl, against this server."""
    bot = (EXAMPLES / "bot.py").read_text(encoding="utf-8").replace("http://127.0.0.1:8000", server.address)
    done = subprocess.run([sys.executable, "-c", bot], capture_output=True, text=True, check=True)
    assert done.stdout.count("sydney") == 50
    done = subprocess.run([EXAMPLES / "curl.sh", server.address], capture_output=True, text=True, check=True)
    assert done.stdout.count('"kind":"rolled"') == 2
    assert done.stdout.splitlines()[-1].startswith("sydney | puck=")


def test_a_person_sits_down_at_a_server_in_lines(server: Server) -> None:
    """As `passline play --server URL --plain`: the same words as at a table here, and the figures of the evening."""
    command = [sys.executable, "-m", "passline", "play", "--server", server.address, "--house", "sydney"]
    said = "bet pass 10\nbet come 10\nroll\nundo\nfelt\nleave\n"
    done = subprocess.run(
        [*command, "--name", "Ann", "--plain"], input=said, capture_output=True, text=True, check=True
    )
    assert "You bet 10 on Win Line." in done.stdout
    assert "no: Come is made while a point is on; the puck is off. [sydney:" in done.stdout
    assert "You throw" in done.stdout
    assert "what is asked is done" in done.stdout
    assert "1 roll," in done.stdout
    assert "Bought 500;" in done.stdout
