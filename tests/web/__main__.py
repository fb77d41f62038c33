"""`scripts/campaign serve` and `api`: the service under load and killed in it; sent rubbish, beside what it describes.

--gate NAME, --seconds, --players, --rolls, --count, --examples; results go to bench/results/serve.json and api.json.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import os
import random
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from passline.engine.commands import Sit
from passline.journal.contract import now
from passline.journal.sql import open_journal
from passline.journal.sqlite import SqliteJournal
from passline.live.requests import Ask
from passline.live.rules import SEATS_MAX
from passline.pit.keys import keys_at
from passline.pit.people.people import By
from passline.pit.pit import Opening, Pit
from passline.verify.check import verify
from passline.web.app import routes
from tests import postgres
from tests.web.described import Describing, said
from tests.web.load import Load, Player, Run, flood
from tests.web.memory import BLOCKS_EACH_MAX, BYTES_EACH_MAX, VISITS_MIB_MAX, evening, held, run_alone, visits
from tests.web.scene import KINDS, WIDE, Scene, body_of
from tests.web.server import Server, free_port

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parents[2]
TABLES = 15
P99_TIMES_MAX, SLOW_TIMES_MAX = 3.0, 1.5
"""How much longer an act may take than a bare durable echo, and than in a room where everybody reads."""


ROLL_S = 3.0
"""How often the box of each table rolls."""

LINE = (b'{"kind":"command.bet","wager":"pass","amount":500}', b'{"kind":"command.shoot"}')
ONE_ROLL = (
    b'{"kind":"command.bet","wager":"field","amount":500}',
    b'{"kind":"command.bet","wager":"any_craps","amount":500}',
)


def room(folder: Path, players: int, address: str | None = None) -> list[Player]:
    """Tables and people, written before the server starts: who sits first has the line and the dice, the box rolls."""
    journal = open_journal(address or str(folder / "pit.db"))
    pit = Pit(journal, keys_at(folder / "keys.json"))
    host, _ = pit.people.guest("Host", now())
    pit.people.grant(host.id, "inspector", None, "the campaign", By("house", "house", now()), None)
    tables, found = [], []

    def player(token: str, table: str, body: Callable[[int], bytes], every_s: float = 1.0) -> Player:
        header = f"Authorization: Bearer {token}\r\n".encode()
        return Player(f"/tables/{table}/acts", f"/tables/{table}/events", header, body, every_s=every_s)

    for number in range(TABLES):
        box, token = pit.people.guest(f"Host{number}", now())
        opening = Opening(practice=False, listed=True)
        tables.append(pit.open(box, opening, By(box.id, "player", now()), f"load-{number}").name)
        found.append(player(token, tables[-1], lambda _: b'{"kind":"table.roll"}', ROLL_S))
    for number in range(players):
        _, token = pit.people.guest(f"P{number}", now())
        bets = LINE if number < TABLES else ONE_ROLL

        def body(count: int, bets: tuple[bytes, bytes] = bets) -> bytes:
            return bets[count % 2] if count else b'{"kind":"command.sit","buyin":5000000}'

        found.append(player(token, tables[number % TABLES], body))
    journal.close()
    return found


def check_journal(folder: Path, address: str | None = None) -> dict[str, int]:
    """The journal as it is afterwards, checked by the verifier."""
    from passline.journal.export import exported

    journal = open_journal(address or str(folder / "pit.db"))
    report = verify(
        line + b"\n"
        for line in exported(journal, journal.tables(), sign=keys_at(folder / "keys.json").sign, time=now())
    )
    journal.close()
    assert report.faults == [], report.faults[:3]
    return {"entries_verified": report.counts["entries"], "rolls": report.counts["rolls"]}


def echo(players: int, seconds: float, processes: int, run: Run) -> dict[str, Any]:
    """The bare echo under the same load and on the same store, with entries and events as long as those of a run."""
    sizes = [str(run.answered_bytes // len(run.took_ms)), str(run.event_bytes)]
    address = postgres.fresh() if processes > 1 else None
    token = b"Authorization: Bearer 0123456789abcdef.%b\r\n" % (b"0" * 43)
    with tempfile.TemporaryDirectory() as folder:
        ports, started = list[int](), list[subprocess.Popen[bytes]]()
        for _ in range(processes):
            ports.append(free_port())
            command = [sys.executable, "-m", "tests.web.echo", address or f"{folder}/echo.db", str(ports[-1]), *sizes]
            started.append(subprocess.Popen(command, cwd=ROOT))
            while True:
                try:
                    socket.create_connection(("127.0.0.1", ports[-1]), 1).close()
                    break
                except OSError:
                    time.sleep(0.05)
        them = []
        for number in range(TABLES + players):
            path, every_s = f"/{number % TABLES}", ROLL_S if number < TABLES else 1.0
            port = ports[number % TABLES % processes]
            them.append(Player(path, path, token, lambda _: ONE_ROLL[0], every_s=every_s, port=port))
        beside, spent = played(Load(ports[0], them, seconds), [each.pid for each in started])
        for each in started:
            each.kill()
            each.wait()
    return {**beside.told(), **spent}


def played(load: Load, processes: list[int]) -> tuple[Run, dict[str, float]]:
    """A load, and the processor time of an act in processes: once everybody is in, and with their coming."""

    def spent() -> float:
        return sum(map(processor_ms, processes))

    marks = [(0, spent())]
    run = asyncio.run(load.play(lambda acts: marks.append((acts, spent()))))
    acts, used = len(run.took_ms), spent()
    each = [round((used - before) / (acts - first), 3) for first, before in marks]
    return run, {"processor_ms": each[-1], "processor_ms_with_coming": each[0]}


def processor_ms(pid: int) -> float:
    """The processor time that a process has used, in milliseconds."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) * 1000 / os.sysconf("SC_CLK_TCK")


def load(asked: argparse.Namespace, processes: int = 1) -> dict[str, object]:
    """Players who act once a second at tables that roll, beside the bare echo in the same run."""
    address = postgres.fresh() if processes > 1 else None
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        players = room(folder, asked.players, address)
        servers = [Server(folder, address, *WIDE) for _ in range(processes)]
        for number, each in enumerate(players):  # a table is one process's, as deploy/nginx.conf has it
            each.port = servers[number % TABLES % processes].port
        run, spent = played(Load(servers[0].port, players, asked.seconds), [each.process.pid for each in servers])
        assert [server.stop() for server in servers] == [0] * processes
        told: dict[str, Any] = {**run.told(), **check_journal(folder, address), **spent}
    beside = echo(asked.players, asked.seconds, processes, run)

    def times(what: str) -> float:
        ratio: float = round(told[what] / beside[what], 2)
        return ratio

    good = not (run.gaps or run.doubles or run.short or set(run.statuses) - ANSWERED)
    return {
        "players": asked.players,
        "tables": TABLES,
        "processes": processes,
        "seconds": asked.seconds,
        "service": told,
        "echo": beside,
        "p99_ratio": times("p99_ms"),
        "processor_ratio": times("processor_ms"),
        "processor_ratio_with_coming": times("processor_ms_with_coming"),
        "lost_nothing": good,
        "good": good and times("p99_ms") <= P99_TIMES_MAX,
    }


ANSWERED = {200, 409}
"""Done, or refused and written down: dice that nobody took, a line bet that is up."""


QUIET_SHARE_MIN = 0.5
"""How much of its acts a table keeps under the flood of another."""


def seated(folder: Path, tables: dict[str, int]) -> dict[str, list[str]]:
    """Tables of the box's, each with so many who sit at it; their tokens."""
    journal = SqliteJournal(folder / "pit.db")
    pit, tokens = Pit(journal, keys_at(folder / "keys.json")), dict[str, list[str]]()
    for name, people in tables.items():
        host, _ = pit.people.guest(f"Host-{name}", now())
        table = pit.open(host, Opening(practice=False, listed=True), By(host.id, "player", now()), name)
        for number in range(people):
            person, token = pit.people.guest(f"{name}-{number}", now())
            tokens.setdefault(name, []).append(token)
            if number < SEATS_MAX:
                table.do(Sit(number + 1, person.name, 5_000_000), Ask(person.id, "player", f"{person.id}/s", now()))
    journal.close()
    return tokens


def flooded(asked: argparse.Namespace) -> dict[str, object]:
    """Fourteen who act at one table without pause, alone and while 150 connections do so at another."""
    seconds = min(asked.seconds, 10)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        tokens = seated(folder, {"quiet": 14, "loud": 12})
        server = Server(folder, None, "--quiet")
        alone = flood(server.port, "/tables/quiet/acts", tokens["quiet"], 14, seconds)
        command = [sys.executable, "-m", "tests.web.load", str(server.port), "/tables/loud/acts", "150"]
        noise = subprocess.Popen([*command, str(seconds + 2), *tokens["loud"]], stdout=subprocess.PIPE, cwd=ROOT)
        time.sleep(1)
        under = flood(server.port, "/tables/quiet/acts", tokens["quiet"], 14, seconds)
        loud = json.loads(noise.communicate()[0])
        assert server.stop() == 0
    share = round(under.get(200, 0) / alone[200], 2)
    return {"alone": alone, "under": under, "loud": loud, "share": share, "good": share >= QUIET_SHARE_MIN}


def kill(asked: argparse.Namespace) -> dict[str, object]:
    """The same, with the server killed and started again in the middle."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        players = room(folder, asked.players)
        server = Server(folder, None, *WIDE)

        def again() -> None:
            server.kill()
            server.restart()

        killers = [threading.Timer(asked.seconds * share, again) for share in (0.3, 0.6)]
        for each in killers:
            each.start()
        run = asyncio.run(Load(server.port, players, asked.seconds).play())
        for each in killers:
            each.join()
        assert server.stop() == 0
        told = {**run.told(), **check_journal(folder)}
    good = not (run.gaps or run.doubles or run.short or set(run.statuses) - ANSWERED)
    return {"players": asked.players, "kills": len(killers), "service": told, "lost_nothing": good, "good": good}


def slow(asked: argparse.Namespace) -> dict[str, object]:
    """A quarter of the players never read their streams: the others must not notice."""
    told: dict[str, Any] = {}
    for name, share in (("all_read", 0), ("a_quarter_never_reads", 4)):
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place)
            players = room(folder, asked.players)
            for number, each in enumerate(players):
                each.reads = not share or number % share != 0
            server = Server(folder, None, *WIDE)
            run = asyncio.run(Load(server.port, players, asked.seconds).play())
            assert server.stop() == 0
            told[name] = run.told()
    told["p99_ratio"] = round(told["a_quarter_never_reads"]["p99_ms"] / told["all_read"]["p99_ms"], 2)
    whole = not any(told[name][what] for name in list(told)[:2] for what in ("gaps", "doubles", "cut_short"))
    return {**told, "good": whole and told["p99_ratio"] <= SLOW_TIMES_MAX}


# --- Rubbish --------------------------------------------------------------------------------------------------------

ODD: list[Any] = [
    None,
    True,
    -1,
    0,
    10**400,
    1.5,
    1e308,
    "",
    "x" * 5000,
    "\x00",
    "\ud800",
    [],
    [[[]]],
    {},
    {"a": {"b": []}},
]


def rubbish(chance: random.Random, right: dict[str, Any]) -> bytes:
    """A body that somebody hostile might send: a right one bent or cut, or nothing of the kind."""
    body = dict(right)
    for _ in range(chance.randint(1, 3)):
        body[chance.choice([*body, "balance", "role", "by", "notice", "v", "reason"])] = chance.choice(ODD)
    text = json.dumps(body)
    match chance.randrange(6):
        case 0:
            return text[: chance.randrange(len(text))].encode()
        case 1:
            return bytes(chance.randrange(256) for _ in range(chance.randrange(200)))
        case 2:
            return b"[" * chance.randrange(1, 5000) + text.encode()
        case 3:
            return re.sub(r"\b\d+\b", chance.choice(["NaN", "Infinity", "1" * 5000, "5e2"]), text, count=2).encode()
        case _:
            return text.encode()


def malformed(scene: Scene, count: int, seed: int) -> dict[str, object]:
    """So many bodies at every act and every route that takes one: no 5xx, no word of the inside, nothing changed."""
    chance, statuses = random.Random(seed), dict[str, int]()
    box, ask = scene.player("box", "fuzz"), scene.server.http
    rights = {route: scene.request("supervisor", route, "fuzz") for route in routes() if route.startswith("POST")}
    others = [each for each in rights.values() if each.body is not None and not each.path.endswith("/acts")]
    acts = [body_of(kind, "box") for kind in KINDS]
    began = time.monotonic()
    for number in range(count):
        if number and number % 2_500 == 0:
            print(f"malformed: {number:,} of {count:,} after {time.monotonic() - began:.0f} s", flush=True)  # noqa: T201
        act, other = chance.choice(acts), chance.choice(others)
        path, right = ("/tables/fuzz/acts", act) if number % 4 else (other.path, other.body or {})
        headers = box.headers if number % 4 else scene.player("supervisor").headers
        headers = headers | {"Idempotency-Key": f"r{number}", "Content-Type": "application/json"}
        answer = ask.post(path, content=rubbish(chance, right), headers=headers)
        statuses[str(answer.status_code)] = statuses.get(str(answer.status_code), 0) + 1
        assert answer.status_code < 500, (number, path, answer.text)
        assert "Traceback" not in answer.text
        assert answer.status_code < 300 or answer.json()["code"], answer.text
        scene.learn("supervisor", f"POST {path}", answer.status_code, answer.content)
    assert box.get("/tables/fuzz").status_code == 200
    return {"bodies": count, "acts": len(acts), "routes": len(others), "seed": seed, "statuses": statuses}


def send_rubbish(asked: argparse.Namespace) -> dict[str, object]:
    """The campaign's share of it."""
    with tempfile.TemporaryDirectory() as name:
        scene = Scene(Path(name))
        with scene.server.closing():
            return {**malformed(scene, asked.count, asked.seed), "good": True}


# --- What it says of itself -----------------------------------------------------------------------------------------


def describe(asked: argparse.Namespace) -> dict[str, object]:
    """Schemathesis over the whole description, as everybody; every operation must have been granted to somebody."""
    with tempfile.TemporaryDirectory() as name:
        scene = Scene(Path(name), spare=10 * asked.examples)
        with scene.server.closing():
            heard = Describing(
                scene,
                asked.examples,
                asked.corners,
                asked.seed,
                lambda told: print(told, flush=True),  # noqa: T201 - a campaign talks
            ).run()
    print(said(heard))  # noqa: T201 - a campaign talks
    return {**heard.told(), "good": not heard.wrong and not heard.never}


def remember(asked: argparse.Namespace) -> dict[str, object]:
    """Many rolls in virtual time: what the process has in memory at the end is what it had in the middle."""
    with tempfile.TemporaryDirectory() as name:
        told = asyncio.run(evening(Path(name), asked.rolls))
    flat = told["bytes_a_roll"] < BYTES_EACH_MAX and told["blocks_a_roll"] < BLOCKS_EACH_MAX
    return {**told, "good": flat and told["missed"] == 0}


def visited(asked: argparse.Namespace) -> dict[str, object]:
    """Practice tables opened, played at and closed: what stays in memory; and what a table that is open has there."""
    told: dict[str, Any] = {}
    for what, measure in (
        ("", partial(visits, count=asked.visits)),
        ("bytes_a_table_opened", partial(held, tables=160, rolls=1)),
        ("bytes_a_busy_table", partial(held, tables=12, rolls=400)),
    ):
        with (
            tempfile.TemporaryDirectory() as name,
            ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool,
        ):  # in a process of its own, whose memory nobody has used before
            figures = pool.submit(run_alone, partial(measure, Path(name))).result()
            told |= {what: round(figures)} if what else figures
    return {**told, "good": told["grown_mib"] < VISITS_MIB_MAX}


GATES: dict[str, dict[str, Callable[[argparse.Namespace], dict[str, object]]]] = {
    "serve": {
        "load": load,
        "two": partial(load, processes=2),
        "kill": kill,
        "slow": slow,
        "memory": remember,
        "flood": flooded,
        "visits": visited,
    },
    "api": {"described": describe, "malformed": send_rubbish},
}


def main() -> None:
    """Run the gates, and keep what they came to, with how busy the machine was."""
    parser = argparse.ArgumentParser(prog="scripts/campaign")
    parser.add_argument("part", choices=GATES)
    parser.add_argument("--gate", choices=[each for gates in GATES.values() for each in gates], action="append")
    parser.add_argument("--players", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--rolls", type=int, default=100_000)
    parser.add_argument("--visits", type=int, default=10_000)
    parser.add_argument("--count", type=int, default=50_000)
    parser.add_argument("--examples", type=int, default=40)
    parser.add_argument("--corners", type=int, help="of each operation's schema; all of them if not said")
    parser.add_argument("--seed", type=int, default=7)
    asked = parser.parse_args()
    results = ROOT / "bench" / "results" / f"{asked.part}.json"
    kept = json.loads(results.read_text()) if results.exists() else {}
    short = []
    for gate in asked.gate or GATES[asked.part]:
        busy = os.getloadavg()[0]
        told = GATES[asked.part][gate](asked)
        kept[gate] = {**told, "load_average": [round(busy, 1), round(os.getloadavg()[0], 1)], "cores": os.cpu_count()}
        print(gate, json.dumps(kept[gate]))  # noqa: T201 - a campaign talks
        results.write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n")
        short += [] if told["good"] else [gate]
    if short:
        sys.exit(f"{', '.join(short)} fell short")


if __name__ == "__main__":
    main()
