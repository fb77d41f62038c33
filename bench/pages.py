"""What an act costs at a table of twelve with every page open, beside the act alone; what an idle phone downloads.

First in one process, both ways in one run, the median of seven: clients that do what the page does. Then a server of
its own with eight real pages in Chromium and four such clients: its processor time, and what the pages ask for.
`.venv/bin/python bench/pages.py` writes bench/results/pages.json.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import threading
import time
from dataclasses import asdict
from itertools import cycle
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

import httpx  # noqa: E402 - after the path
from playwright.sync_api import sync_playwright  # noqa: E402 - as above

from tests.browser.chromium import launched  # noqa: E402 - as above
from tests.web.__main__ import processor_ms  # noqa: E402 - as above
from tests.web.pages import PLAYERS, Figures, measure  # noqa: E402 - as above
from tests.web.server import Player, Server  # noqa: E402 - as above

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

RESULT = ROOT / "bench" / "results" / "pages.json"
RUNS, REAL, BETS = 7, 8, 240


def run() -> Figures:
    """One house, opened and closed."""
    with TemporaryDirectory() as folder:
        return asyncio.run(measure(Path(folder), rounds=10))


def twelve(server: Server) -> list[Player]:
    """A table that everybody sits at."""
    host = server.account("Host")
    host.table = host.post("/tables", {"house": "strip", "dice": "given"}).json()["table"]
    link = host.post(f"/tables/{host.table}/links", {}).json()["link"]
    seated = []
    for letter in "abcdefghijkl"[:PLAYERS]:
        told = server.http.post("/guests", json={"name": f"Guest{letter}", "link": link}).json()
        seated.append(Player(server, told["token"], host.table, told["person"]))
        assert seated[-1].act("command.sit", buyin=10_000_000).status_code == 200
        assert seated[-1].act("command.bet", wager="pass", amount=1_500).status_code == 200
    assert seated[0].act("command.shoot").status_code == 200
    assert host.act("command.throw", roll={"first": 2, "second": 2}).status_code == 200
    while not host.get(f"/tables/{host.table}/felt").json()["whole"]:
        time.sleep(0.2)
    return seated


def bets(server: Server, seated: list[Player]) -> float:
    """Processor milliseconds of the server for a bet, in turn; always as many, for the pause costs the same."""
    began = processor_ms(server.process.pid)
    for _, player in zip(range(BETS), cycle(seated), strict=False):
        assert player.act("command.bet", wager="place_6", amount=1_800).status_code == 200
    time.sleep(1)
    return (processor_ms(server.process.pid) - began) / BETS


def opened(browser: Browser, player: Player, counted: dict[str, int]) -> Page:
    """A page at a table; what it asks for is counted."""
    context = browser.new_context(base_url=player.server.address, viewport={"width": 390, "height": 844})
    context.add_cookies([{"name": "passline", "value": player.token, "url": player.server.address}])
    page = context.new_page()
    page.on("request", lambda _: counted.update(requests=counted["requests"] + 1))
    page.goto(f"/#/table/{player.table}")
    page.locator("[data-spot=pass]").first.wait_for()
    page.wait_for_timeout(1_000)
    return page


def listen(player: Player, over: threading.Event) -> None:
    """What a page does after an entry: read it."""
    with (
        httpx.Client(base_url=player.server.address, timeout=600) as http,
        http.stream("GET", f"/tables/{player.table}/events?view=brief", headers=player.headers) as answer,
    ):
        for _ in answer.iter_lines():
            if over.is_set():
                return


def real() -> dict[str, Any]:
    """Eight pages and four clients at a table of a server."""
    counted, over = {"requests": 0}, threading.Event()
    with TemporaryDirectory() as folder, sync_playwright() as driver:
        server = Server(Path(folder), None, "--quiet", "--rate", "5000", "--newcomers", "5000")
        seated = twelve(server)
        bets(server, seated)
        alone = bets(server, seated)
        browser = launched(driver)
        pages = [opened(browser, player, counted) for player in seated[:REAL]]
        for player in seated[REAL:]:
            threading.Thread(target=listen, args=(player, over), daemon=True).start()
        pages[0].wait_for_timeout(2_000)
        counted["requests"] = 0
        watched = bets(server, seated[REAL:])  # of the four others: every page is idle
        pages[0].wait_for_timeout(2_000)
        told = {
            "pages": REAL,
            "clients": len(seated) - REAL,
            "alone_ms": round(alone, 2),
            "watched_ms": round(watched, 2),
            "bet_ratio": round(watched / alone, 2),
            "requests_a_bet_and_page": round(counted["requests"] / BETS / REAL, 3),
        }
        over.set()
        browser.close()
        server.stop()
    return told


def main() -> None:
    """Measure, print, keep."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=RUNS, help="in one process")
    parser.add_argument("--json", type=Path, metavar="FILE", default=RESULT, help="where the figures are kept")
    asked = parser.parse_args()
    runs = [{**asdict(figures), "ratio": figures.ratio} for figures in (run() for _ in range(asked.runs))]
    found = {"load": [round(each, 1) for each in os.getloadavg()], "cores": os.cpu_count(), "runs": asked.runs}
    found["one_process"] = {name: round(median(each[name] for each in runs), 3) for name in sorted(runs[0])}
    found["chromium"] = real()
    asked.json.write_text(json.dumps(found, indent=1) + "\n", "utf-8")
    print(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
