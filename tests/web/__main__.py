"""`scripts/campaign serve`: the service under load, killed in it, sent rubbish, asked all that its description says.

--gate load|kill|slow|malformed|described, --seconds, --players, --count; the results go to bench/results/serve.json.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from passline.journal.sqlite import SqliteJournal
from passline.pit.keys import keys_at
from passline.pit.people.people import By, now
from passline.pit.people.powers import ROLES
from passline.pit.pit import Opening, Pit
from passline.verify.check import verify
from tests.web.load import Load, Player
from tests.web.server import Server

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "bench" / "results" / "serve.json"
TABLES = 13
WIDE = ("--rate", "100000", "--comers", "1000000", "--quiet")


def room(folder: Path, players: int) -> list[Player]:
    """Tables and people, written before the server starts; each act changes chips."""
    journal = SqliteJournal(folder / "pit.db")
    pit = Pit(journal, keys_at(folder / "keys.json"))
    host, _ = pit.people.guest("Host", now())
    pit.people.grant(host.id, "inspector", None, "the campaign", By("house", "house", now()), None)
    tables = []
    for number in range(TABLES):
        hosts, _ = pit.people.guest(f"Host{number}", now())
        opening = Opening(practice=False, listed=True)
        tables.append(pit.open(hosts, opening, By(hosts.id, "player", now()), f"load-{number}").name)
    found = []
    for number in range(players):
        person, token = pit.people.guest(f"P{number}", now())
        table = tables[number % TABLES]

        def body(count: int) -> bytes:
            if count == 0:
                return b'{"kind":"command.sit","buyin":5000000}'
            wager = b'"wager":"field"'
            return (
                b'{"kind":"command.bet",%b,"amount":500}' % wager
                if count % 2
                else b'{"kind":"command.take",%b}' % wager
            )

        header = f"Authorization: Bearer {token}\r\n".encode()
        found.append(Player(f"/tables/{table}/acts", f"/tables/{table}/events", header, body))
        assert person
    journal.close()
    return found


def check_journal(folder: Path) -> dict[str, int]:
    """The journal as it is afterwards, checked by the verifier."""
    from passline.journal.export import exported

    journal = SqliteJournal(folder / "pit.db")
    report = verify(
        line + b"\n"
        for line in exported(journal, journal.tables(), sign=keys_at(folder / "keys.json").sign, time=now())
    )
    journal.close()
    assert report.faults == [], report.faults[:3]
    return {"entries_verified": report.counts["entries"]}


def echo(players: int, seconds: float) -> dict[str, object]:
    """The bare echo under the same load."""
    with tempfile.TemporaryDirectory() as folder, socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        free.close()
        process = subprocess.Popen([sys.executable, "-m", "tests.web.echo", f"{folder}/echo.db", str(port)], cwd=ROOT)
        while True:
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            except OSError:
                time.sleep(0.05)
        them = [Player(f"/{n % TABLES}", f"/{n % TABLES}", b"", lambda _: b"{}") for n in range(players)]
        run = asyncio.run(Load(port, them, seconds).play())
        process.kill()
        process.wait()
    return run.told()


def load(asked: argparse.Namespace) -> dict[str, object]:
    """Players who act once a second, beside the bare echo in the same run."""
    beside = echo(asked.players, asked.seconds)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        players = room(folder, asked.players)
        server = Server(folder, None, *WIDE)
        run = asyncio.run(Load(server.port, players, asked.seconds).play())
        assert server.stop() == 0
        told = {**run.told(), **check_journal(folder)}
    ratio = round(told["p99_ms"] / beside["p99_ms"], 2)  # type: ignore[operator]
    good = not (run.gaps or run.doubles or run.short or set(run.statuses) - {200})
    return {
        "players": asked.players,
        "tables": TABLES,
        "seconds": asked.seconds,
        "service": told,
        "echo": beside,
        "p99_ratio": ratio,
        "lost_nothing": good,
    }


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
    good = not (run.gaps or run.doubles or run.short or set(run.statuses) - {200})
    return {"players": asked.players, "kills": len(killers), "service": told, "lost_nothing": good}


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
    return told


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


def rubbish(chance: random.Random) -> bytes:
    """A body that somebody hostile might send: JSON bent, JSON cut, no JSON at all."""
    kinds = [
        "command.bet",
        "command.sit",
        "table.roll",
        "table.void",
        "table.read_dice",
        "floor.sign_limits",
        "command.throw",
    ]
    body: dict[str, Any] = {"kind": chance.choice(kinds), "wager": "pass", "amount": 500, "seat": 1, "dice": [1, 2]}
    for _ in range(chance.randint(1, 3)):
        body[chance.choice([*body, "balance", "role", "by", "notice", "v", "reason"])] = chance.choice(ODD)
    match chance.randrange(6):
        case 0:
            text = json.dumps(body)
            return text[: chance.randrange(len(text))].encode()
        case 1:
            return bytes(chance.randrange(256) for _ in range(chance.randrange(200)))
        case 2:
            return b"[" * chance.randrange(1, 5000) + json.dumps(body).encode()
        case 3:
            return json.dumps(body).replace("500", chance.choice(["NaN", "Infinity", "1" * 5000, "5e2"])).encode()
        case _:
            return json.dumps(body).encode()


def malformed(server: Server, count: int, seed: int) -> dict[str, object]:
    """So many bodies at the acts of a table, and at every other route that takes one: no 5xx, no word of the inside."""
    ann = server.practice(name="Ann")
    chance = random.Random(seed)
    paths = [
        "/practice",
        "/tables",
        "/sessions",
        "/people",
        "/guests",
        "/questions",
        "/cage",
        f"/tables/{ann.table}/assents",
    ]
    statuses: dict[str, int] = {}
    for number in range(count):
        path = f"/tables/{ann.table}/acts" if number % 4 else chance.choice(paths)
        headers = ann.headers | {"Idempotency-Key": f"r{number}", "Content-Type": "application/json"}
        answer = server.http.post(path, content=rubbish(chance), headers=headers)
        statuses[str(answer.status_code)] = statuses.get(str(answer.status_code), 0) + 1
        assert answer.status_code < 500, (number, path, answer.text)
        assert "Traceback" not in answer.text
        assert answer.status_code < 300 or answer.json()["code"], answer.text
    assert ann.get(f"/tables/{ann.table}").status_code == 200
    return {"bodies": count, "seed": seed, "statuses": statuses}


def send_rubbish(asked: argparse.Namespace) -> dict[str, object]:
    """The campaign's share of it."""
    with tempfile.TemporaryDirectory() as name:
        server = Server(Path(name), None, *WIDE)
        told = malformed(server, asked.count, asked.seed)
        assert server.stop() == 0
        assert "traceback" not in server.log.read_text()
    return told


# --- What it says of itself -----------------------------------------------------------------------------------------


def described(
    folder: Path, examples: int, roles: tuple[str, ...] = ("anyone", *ROLES), phases: str = "examples,coverage,fuzzing"
) -> dict[str, object]:
    """Schemathesis over the whole description, as each role; every operation must have been granted to somebody."""
    journal = SqliteJournal(folder / "pit.db")
    pit = Pit(journal, keys_at(folder / "keys.json"))
    tokens = {}
    for role in ROLES:
        person, tokens[role] = pit.people.guest(role.capitalize(), now())
        if role != "player":
            pit.people.grant(person.id, role, None, "the campaign", By("house", "house", now()), None)
    host, _ = pit.people.guest("Host", now())
    pit.open(host, Opening(practice=False, listed=True), By(host.id, "player", now()), "own")
    journal.close()
    server = Server(folder, None, *WIDE)
    config = folder / "schemathesis.toml"
    fixed = {"table": "own", "house": "adelaide", "person": "host", "stream": "own"}
    config.write_text("[parameters]\n" + "".join(f'"path.{name}" = "{value}"\n' for name, value in fixed.items()))
    failed = {}
    player = tokens["player"]
    sit = {"kind": "command.sit", "buyin": 5_000_000}
    header = {"Authorization": f"Bearer {player}", "Idempotency-Key": "sit"}
    assert server.http.post("/tables/own/acts", json=sit, headers=header).status_code == 200
    for role in roles:
        command = [
            sys.executable,
            "-m",
            "schemathesis.cli",
            "--config-file",
            str(config),
            "run",
            f"{server.address}/openapi.json",
        ]
        command += [
            "--checks",
            "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance",
        ]
        command += ["--phases", phases, "--max-examples", str(examples), "--continue-on-failure"]
        command += ["--exclude-path-regex", "events|signed-out|/me/password|/sessions", "--seed", "7"]
        if role in tokens:
            command += ["--header", f"Authorization: Bearer {tokens[role]}"]
        done = subprocess.run(
            command, capture_output=True, text=True, cwd=folder, check=False, env={**os.environ, "NO_COLOR": "1"}
        )
        if done.returncode:
            failed[role] = done.stdout[-3000:] + done.stderr[-500:]
    metrics = server.http.get("/metrics", headers={"Authorization": f"Bearer {tokens['inspector']}"}).text
    good, broken = set(), 0
    for line in metrics.splitlines():
        if line.startswith("passline_requests_total{"):
            route, status = line.split('route="')[1].split('"')[0], line.split('status="')[1][:3]
            if status.startswith("2"):
                good.add(route)
            broken += int(float(line.rsplit(" ", 1)[1])) if status.startswith("5") and status != "503" else 0
    assert server.stop() == 0
    assert "traceback" not in server.log.read_text(), server.log.read_text()[-2000:]
    return {"failed": failed, "granted": sorted(good), "broken": broken}


def describe(asked: argparse.Namespace) -> dict[str, object]:
    """The campaign's share of it."""
    with tempfile.TemporaryDirectory() as name:
        told = described(Path(name), asked.examples, tuple(asked.role or ("anyone", *ROLES)), asked.phases)
    for role, text in told["failed"].items():  # type: ignore[attr-defined]
        print(f"== {role}\n{text}")  # noqa: T201 - a campaign talks
    told["failed"] = sorted(told["failed"])  # type: ignore[call-overload]
    return told


GATES = {"load": load, "kill": kill, "slow": slow, "malformed": send_rubbish, "described": describe}


def main() -> None:
    """Run the gates, and keep what they came to."""
    parser = argparse.ArgumentParser(prog="scripts/campaign serve")
    parser.add_argument("--gate", choices=GATES, action="append")
    parser.add_argument("--players", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--count", type=int, default=50_000)
    parser.add_argument("--examples", type=int, default=200)
    parser.add_argument("--role", action="append", help="of gate described: only as these")
    parser.add_argument("--phases", default="examples,coverage,fuzzing", help="of gate described: Schemathesis's")
    parser.add_argument("--seed", type=int, default=7)
    asked = parser.parse_args()
    kept = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    for gate in asked.gate or GATES:
        kept[gate] = GATES[gate](asked)
        print(gate, json.dumps(kept[gate]))  # noqa: T201 - a campaign talks
        RESULTS.write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n")


if __name__ == "__main__":
    main()
