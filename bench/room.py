"""What a long journal costs: the start of a process, and the acts of one table while visitors look back at another.

One table of so many entries, and copies of its rows until there are ten times as many; `passline serve` on that store
beside one on an empty store, and acts alone beside acts under visitors, in one run. `--json FILE` writes it down.
"""

from __future__ import annotations

import argparse
import json
import os
import sqlite3
import sys
import threading
import time
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import httpx  # noqa: E402 - the tests are found through the line above

from passline.journal.contract import now  # noqa: E402
from passline.journal.sqlite import SqliteJournal  # noqa: E402
from passline.live.people import Hosted  # noqa: E402
from passline.pit.keys import keys_at  # noqa: E402
from passline.pit.people.people import By  # noqa: E402
from passline.pit.pit import Pit  # noqa: E402
from passline.pit.table import LiveTable  # noqa: E402
from tests.faults.evening import play_long  # noqa: E402
from tests.pit.play import NOW  # noqa: E402
from tests.web.__main__ import processor_ms  # noqa: E402
from tests.web.server import Player, Server  # noqa: E402

COPIES = 9
LOOKS = ("hands",)
VISITORS = 4
RESULTS = ROOT / "bench" / "results" / "room.json"


def long_store(folder: Path, entries: int) -> int:
    """A house with one long table and copies of it; how many entries there are."""
    journal = SqliteJournal(folder / "pit.db")
    pit = Pit(journal, keys_at(folder / "keys.json"))
    host, _ = pit.people.guest("Host", now())
    pit.people.host(Hosted("long", host.id, practice=False, listed=True, wallets=False), By(host.id, "player", now()))
    table = LiveTable.create(journal, "long", time=NOW, dice="given", keys=pit.keys)
    play_long(table, entries * 5 // 3, 8)
    journal.close()
    with sqlite3.connect(folder / "pit.db") as db:
        for number in range(COPIES):
            db.execute("INSERT INTO streams SELECT ?, fence FROM streams WHERE stream = 'long'", (f"old-{number}",))
            copied = (
                "INSERT INTO entries SELECT ?, sequence, key, line FROM entries WHERE stream = 'long' ORDER BY sequence"
            )
            db.execute(copied, (f"old-{number}",))
        total = db.execute("SELECT count(*) FROM entries").fetchone()[0]
    db.close()
    return int(total)


def start_ms(folder: Path) -> tuple[Server, float]:
    """A process that is ready, and the processor time that took."""
    server = Server(folder, None, "--quiet", "--rate", "100000", "--newcomers", "10000")
    return server, processor_ms(server.process.pid)


def acts(player: Player, seconds: float) -> list[float]:
    """How long acts took, one after the other."""
    took, until = [], time.monotonic() + seconds
    while time.monotonic() < until:
        began = time.perf_counter()
        assert player.act("command.buy_in", amount=1_000).status_code == 200
        took.append((time.perf_counter() - began) * 1000)
    return took


def read_history(server: Server, over: threading.Event, done: list[int]) -> None:
    """A visitor who looks back at the long table, again and again."""
    with httpx.Client(base_url=server.address, timeout=600) as http:
        token = http.post("/practice", json={}).json()["token"]
        while not over.is_set():
            for look in LOOKS:
                answer = http.get(f"/tables/long/{look}", headers={"Authorization": f"Bearer {token}"})
                done.append(answer.status_code)


def main() -> None:
    """Measure, print and write down."""
    parser = argparse.ArgumentParser(prog="bench/room.py", description=__doc__)
    parser.add_argument("--entries", type=int, default=100_000, help="of the long table")
    parser.add_argument("--seconds", type=float, default=15, help="of acts, each way")
    parser.add_argument("--json", type=Path, default=RESULTS)
    options = parser.parse_args()
    found: dict[str, Any] = {"load": [round(each, 1) for each in os.getloadavg()], "cores": os.cpu_count()}
    with TemporaryDirectory() as empty, TemporaryDirectory() as name:
        bare, bare_ms = start_ms(Path(empty))
        assert bare.stop() == 0
        found["entries"] = long_store(Path(name), options.entries)
        server, long_ms = start_ms(Path(name))
        found |= {"start_processor_ms": long_ms, "start_empty_processor_ms": bare_ms}
        player = server.practice(name="Ann")
        acts(player, 2)
        alone = acts(player, options.seconds)
        over, done = threading.Event(), list[int]()
        visitors = [threading.Thread(target=read_history, args=(server, over, done)) for _ in range(VISITORS)]
        for visitor in visitors:
            visitor.start()
        time.sleep(2)
        under = acts(player, options.seconds)
        over.set()
        for visitor in visitors:
            visitor.join()
        assert server.stop() == 0
    p99 = {name: quantiles(took, n=100)[-1] for name, took in (("alone", alone), ("under", under))}
    found |= {
        "looks": {str(status): done.count(status) for status in sorted(set(done))},
        "p50_ratio": round(median(under) / median(alone), 2),
        "p99_ratio": round(p99["under"] / p99["alone"], 2),
        "acts_kept": round(len(under) / len(alone), 2),
    }
    print(json.dumps(found, indent=1))
    options.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
