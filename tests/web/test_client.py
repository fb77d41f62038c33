"""The client against a real server: both kinds, a strategy at a table, and a server that dies in between."""

from __future__ import annotations

import ast
import asyncio
import json
import re
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from textual.widgets import Static

from passline.client import Answer, AsyncClient, Client
from passline.client.calls import View
from passline.client.sitting import Bot, FarSitting, sit_down
from passline.engine.commands import Bet
from passline.engine.refusals import Refusal
from passline.engine.values import WagerKey
from passline.errors import ArgumentError, ServiceError
from passline.sitting.door import Setup
from passline.strategies.player.python import strategy_of
from passline.terminal.screen import Craps
from passline.web import problems
from passline.web.problems import BY_ERROR
from tests.web.server import KEYS, Server

if TYPE_CHECKING:
    from collections.abc import Iterator

    from passline.client.clients import ClientTable

pytestmark = pytest.mark.slow
EXAMPLES, CLIENT_PAGE = (Path(__file__).parents[2] / each for each in ("examples", "docs/client.md"))


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
        assert told[-1].sentences
        with pytest.raises(ServiceError, match="no such table"):
            client.table("nowhere").look()


def test_the_page_about_the_client_is_run_as_it_stands(server: Server, caplog: pytest.LogCaptureFixture) -> None:
    """Every block of it, one after the other, against a server."""
    told: dict[str, Any] = {}
    blocks = re.findall(r"```python\n(.*?)```", CLIENT_PAGE.read_text(encoding="utf-8"), re.DOTALL)
    for block in blocks:
        exec(compile(block.replace("http://127.0.0.1:8000", server.address), CLIENT_PAGE.name, "exec"), told)  # noqa: S102 - our own page
    told["client"].close()
    assert not caplog.records, "whoever stops listening leaves nothing open"
    assert len(blocks) == 7
    assert (told["no"].code, told["no"].clause) == ("bet.over_maximum", "P-10c")
    assert told["again"] == told["first"]
    assert told["heard"][-1] == "rolled"


def test_every_code_of_the_service_is_on_the_page() -> None:
    """With its status; and no code that nothing says."""
    said = {code for _, _, code in BY_ERROR} | {"body.excessive"}
    for path in sorted(Path(problems.__file__).parent.glob("*.py")):
        calls = (node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.Call))
        named = (node.args[1] for node in calls if getattr(node.func, "id", "") == "Problem" and len(node.args) > 1)
        said |= {str(each.value) for each in named if isinstance(each, ast.Constant)}
    rows = re.findall(r"^\| (`.*?) \| [0-9, ]+ \|", CLIENT_PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    listed = [code for row in rows for code in re.findall("`([a-z_.]+)`", row)]
    assert sorted(listed) == sorted({*said, "strategy.unreadable"})  # which is made of what was brought


class Busy(BaseHTTPRequestHandler):
    """A server that has no line free at first."""

    asked = 0

    def do_GET(self) -> None:
        Busy.asked += 1
        if Busy.asked % 2:
            self.send_error(503)
            return
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b'id: 1\nevent: entry\ndata: {"entry": {"kind": "rolled"}, "sentences": []}\n\n')

    def log_message(self, *_: object) -> None:
        """Nothing to the terminal."""


def test_a_stream_for_which_there_is_no_line_at_first_is_asked_for_again() -> None:
    busy = ThreadingHTTPServer(("127.0.0.1", 0), Busy)
    threading.Thread(target=busy.serve_forever, daemon=True).start()
    with Client(f"http://127.0.0.1:{busy.server_port}") as client:
        assert next(client.table("t").events(after=0)).sequence == 1

    async def later() -> int:
        async with AsyncClient(f"http://127.0.0.1:{busy.server_port}") as client:
            return (await anext(client.table("t").events(after=0))).sequence

    assert asyncio.run(later()) == 1
    busy.shutdown()
    busy.server_close()


class Cutting(BaseHTTPRequestHandler):
    """A server whose first line is cut after a while, in the middle of an entry, and whose second goes on."""

    protocol_version = "HTTP/1.1"
    told = 0

    def do_GET(self) -> None:
        """Tell the next entry, then half of another."""
        self.send_response(200)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        Cutting.told += 1
        event = (
            f'id: {Cutting.told}\nevent: entry\ndata: {{"entry": {{"kind": "rolled"}}, "sentences": []}}\n\n'.encode()
        )
        self.wfile.write(b"%x\r\n%s\r\n" % (len(event), event))
        time.sleep(0.4)
        self.wfile.write(b"ff\r\nid: 9")
        self.close_connection = True


def test_a_line_that_is_cut_after_long_is_gone_on_with() -> None:
    """Patience is with a server that is away, not with an evening."""
    away = ThreadingHTTPServer(("127.0.0.1", 0), Cutting)
    threading.Thread(target=away.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{away.server_port}"
    with Client(address, patience_s=0.2) as client:
        assert [each.sequence for each in islice(client.table("t").events(after=0), 2)] == [1, 2]

    async def later() -> list[int]:
        async with AsyncClient(address, patience_s=0.2) as client:
            heard = []
            async for each in client.table("t").events(after=2):
                heard.append(each.sequence)
                if each.sequence == 4:
                    break
            return heard

    assert asyncio.run(later()) == [3, 4]
    away.shutdown()
    away.server_close()


async def test_the_same_without_waiting(server: Server) -> None:
    """Two at one table: what one does the other hears."""
    async with AsyncClient(server.address) as client:
        table = await client.practice(name="Ann")
        at = (await table.look()).sequence
        await table.bet("pass", 10)
        async for told in table.events(after=at):
            if told.kind == "acted":  # after the hand that the client gives by itself
                assert told.entry["body"]["command"]["wager"] == "pass"
                break
        assert isinstance(await table.roll(), Answer)


def test_a_bot_plays_a_strategy_as_its_user_starts_it(server: Server) -> None:
    """From the command line, to a number of rolls; the server refuses nothing that the strategy wanted."""
    command = [sys.executable, "-m", "passline", "bot", "pass_345_odds", "--server", server.address, "--rolls", "12"]
    done = subprocess.run([*command, "--house", "strip", "--buyin", "5000", "--json"], capture_output=True, check=True)
    told = json.loads(done.stdout)
    assert (told["rolls"], told["refused"], told["house"]) == (12, {}, "strip")


@pytest.mark.parametrize("company", ["2", "0"])
def test_a_strategy_without_a_line_bet_has_a_shooter_at_a_practice_table(server: Server, company: str) -> None:
    """Regulars throw for it; alone it is told what would bring the dice."""
    command = [sys.executable, "-m", "passline", "bot", "field", "--server", server.address, "--rolls", "8"]
    done = subprocess.run(
        [*command, "--house", "strip", "--company", company], capture_output=True, text=True, check=True
    )
    if company == "0":
        assert "Make one, and the dice are yours" in done.stderr
    assert done.stdout.splitlines()[-2 if company == "2" else -1].startswith("8 rolls" if company == "2" else "0 rolls")


def test_a_bot_plays_at_least_one_roll(server: Server) -> None:
    with (
        Client(server.address) as client,
        pytest.raises(ArgumentError, match="rolls: found -5; expected a whole number"),
    ):
        Bot(client.practice("strip"), strategy_of("pass_flat")).play(-5, lambda *_: None)


@pytest.fixture
def rail(server: Server) -> Iterator[tuple[Bot, ClientTable, Client]]:
    """A bot beside Bob, who has the dice."""
    hal, name = server.account(f"Hal{next(KEYS)}"), f"rail{next(KEYS)}"
    with Client(server.address, hal.token) as host, Client(server.address) as ann, Client(server.address) as bob:
        host.post("/tables", {"table": name, "house": "strip"}, **{"Idempotency-Key": name})
        link = host.post(f"/tables/{name}/links", {})["link"]
        theirs, table = bob.come("Bob", link), ann.come("Ann", link)
        assert isinstance(theirs.sit(500), Answer)
        assert isinstance(table.sit(500), Answer)
        assert isinstance(theirs.bet("pass", 15), Answer)
        assert isinstance(theirs.act("command.shoot"), Answer)
        yield Bot(table, strategy_of("pass_flat")), theirs, host


def test_a_bot_misses_no_roll_of_anybody(
    rail: tuple[Bot, ClientTable, Client], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not one that is made between its bets and its next look."""
    bot, bob, _ = rail
    ask = Bot._ask

    def rolled_meanwhile(self: Bot, acts: Any) -> Any:  # noqa: ANN401 - as it is
        refused = ask(self, acts)
        assert isinstance(bob.roll(), Answer)
        return refused

    monkeypatch.setattr(Bot, "_ask", rolled_meanwhile)
    assert bot.play(1, lambda *_: None).rolls == 1


def test_a_bot_that_was_a_moment_late_waits_for_whoever_has_the_dice_now(
    rail: tuple[Bot, ClientTable, Client], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The dice were offered to whoever takes them as it looked, and are Bob's as it asks."""
    bot, bob, _ = rail
    look, late, rolls = bot.table.look, iter([True]), threading.Timer(0.2, bob.roll)

    def stale() -> View:
        view = look()
        if not next(late, False):
            return view
        rolls.start()
        return view._replace(state={**view.state, "shooter": None, "offered": None})

    assert isinstance(bot.table.bet("pass", 15), Answer)
    monkeypatch.setattr(bot.table, "look", stale)
    answer = bot._roll()
    rolls.join()
    assert answer is not None
    assert answer.entry["actor"].startswith("bob")


def test_a_bot_waits_for_nobody_for_ever(
    rail: tuple[Bot, ClientTable, Client], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bob has the dice and is gone: the bot says so and ends its evening."""
    bot, _, _ = rail
    monkeypatch.setattr("passline.client.sitting.IDLE_S", 0.01)
    monkeypatch.setattr("passline.client.sitting.WAITS_MAX", 1)
    evening = bot.play(1, lambda *_: None)
    assert (evening.rolls, evening.refused["roll"].code) == (0, "dice.nobody_throws")


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
    until = time.monotonic() + 300
    while (reader.is_alive() or rolls < 20) and time.monotonic() < until:
        if "pass" not in table.look().state["seats"]["1"]["up"]:
            assert not isinstance(table.bet("pass", 10), Refusal)
        assert isinstance(table.roll(), Answer)
        rolls += 1
    killer.join()
    reader.join(timeout=300)
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
    assert "Dice checked: your hand is in them." in done.stdout
    assert "what is asked is done" in done.stdout
    assert "1 roll," in done.stdout
    assert "Bought in for 500," in done.stdout


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[tuple[Server, FarSitting, ClientTable]]:
    """Ann at a table of Hal's in the terminal, and Bob, who plays by a program and has the dice first."""
    server = Server(tmp_path, None, "--quiet")
    with server.closing(), Client(server.address) as ann, Client(server.address) as bob:
        for client, name in ((ann, "Ann"), (bob, "Bob")):
            client.token = client.post("/people", {"name": name, "password": "twelve red chips"})["token"]
        with Client(server.address, server.account("Hal").token) as hal:
            hal.post("/tables", {"table": "friday", "house": "strip", "listed": True}, **{"Idempotency-Key": "t"})
        assert isinstance(bob.table("friday").sit(500), Answer)
        yield server, sit_down(ann, "friday", "strip", "Ann", 50_000), bob.table("friday")


def _news(sitting: FarSitting, words: str, timeout_s: float = 300) -> bool:
    """Whether somebody who only looks up now and then is told this."""
    until = time.monotonic() + timeout_s
    while time.monotonic() < until:
        sitting.news()
        if any(words in line.text for line in sitting.log):
            return True
        time.sleep(0.05)
    return False


def test_whoever_sits_at_a_server_sees_what_others_do(evening: tuple[Server, FarSitting, ClientTable]) -> None:
    """Bets, rolls and calls as they happen; whose turn the dice are; a server that dies and comes back."""
    server, ann, bob = evening
    bob.bet("pass", 15)
    assert _news(ann, "Bob bets 15 on Pass Line")
    assert not ann.news(), "nothing has happened since"
    assert not isinstance(ann.send(), Refusal)
    assert isinstance(ann.throw(), Refusal)
    assert "No dice are rolled: Bob throws." in ann.log[-1].text
    bob.bet("field", 15)
    answer = ann.act(Bet(2, WagerKey("pass"), 1_500))
    assert [event.seat for event in answer] == [2], "our own act is answered, and not another's"  # type: ignore[union-attr]
    bob.roll()
    assert _news(ann, "Bob throws")
    assert _news(ann, "Dice checked: your hand is in them, with 1 other.")
    server.kill()
    assert _news(ann, "cannot be reached", 30)
    server.restart()
    bob.bet("field", 15)
    assert _news(ann, "The server is back.", 30)
    assert sum("Bob bets 15 on Field" in line.text for line in ann.log) == 2


async def test_the_felt_of_a_live_table_follows(evening: tuple[Server, FarSitting, ClientTable]) -> None:
    """Nobody presses a key, and the screen shows another's chips."""
    _, ann, bob = evening
    app = Craps(Setup(name="Ann"), ann)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        bob.bet("pass", 15)
        for _ in range(100):
            await pilot.pause(0.1)
            if "up     15" in str(app.screen.query_one("#seats", Static).render()):
                break
        else:
            raise AssertionError("it shows what was")
