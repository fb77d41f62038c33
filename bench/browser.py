"""The browser table measured in a real Chromium: first load, how soon a roll is seen, frames with a full table.

Bytes and seconds of a first visit; how soon after its event a roll is on the screen, and how long frames take, at a
table of eight players and a hundred stacks, with dice at rest and thrown. It starts a server of its own, and takes
about a minute.

`.venv/bin/python bench/browser.py` writes bench/results/browser.json; `--json FILE` writes it there instead.
`--beside CHECKOUT` measures an older checkout too, by its own script and in the same run.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from gzip import compress
from pathlib import Path
from typing import TYPE_CHECKING, Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from playwright.sync_api import sync_playwright  # noqa: E402 - after the path

from passline.web.pages import BUILT  # noqa: E402 - as above
from tests.browser.chromium import launched  # noqa: E402 - as above
from tests.browser.seat import Seat  # noqa: E402 - as above
from tests.web.server import Server  # noqa: E402 - as above

if TYPE_CHECKING:
    from playwright.sync_api import Browser

RESULT = ROOT / "bench" / "results" / "browser.json"
PLAYERS, ROLLS, VISITORS = 8, 12, 6
WATCH = """
window.seen = [];
const listen = EventSource.prototype.addEventListener;
EventSource.prototype.addEventListener = function (kind, work) {
  listen.call(this, kind, (event) => {
    if (kind === "entry" && JSON.parse(event.data).kind === "rolled") window.heardAt = performance.now();
    work(event);
  });
};
document.addEventListener("DOMContentLoaded", () => new MutationObserver(() => {
  const now = document.querySelector("[data-result]")?.dataset.result;
  if (now && now !== window.last && window.heardAt) {
    window.last = now;
    const from = window.heardAt;
    requestAnimationFrame(() => window.seen.push(performance.now() - from));
  }
}).observe(document.body, {subtree: true, childList: true, attributes: true}));
"""
STACKS = """() => [...document.querySelectorAll("[data-chips], [data-gathered]")]
  .reduce((sum, each) => sum + (each.dataset.seats?.split(" ").length ?? 1), 0)"""
FRAMES = """() => new Promise((done) => {
  const times = []; let last = performance.now();
  const step = (now) => {
    times.push(now - last); last = now;
    now < end ? requestAnimationFrame(step) : done(times.slice(1));
  };
  const end = last + 1500; requestAnimationFrame(step);
})"""


def first_load(browser: Browser, address: str) -> dict[str, Any]:
    """Bytes of a first visit, and when it can be used: by the first visitor of a fresh server, and by later ones."""
    visits = [visit(browser, address) for _ in range(VISITORS)]
    bytes_, files, first = visits[0]
    later = statistics.median(took for _, _, took in visits[1:])
    return {"bytes_compressed": bytes_, "files": files, "usable_s": first, "usable_later_s": round(later, 2)}


def visit(browser: Browser, address: str) -> tuple[int, int, float]:
    """Somebody with nothing kept from before: bytes, files, seconds until a table can be opened."""
    page = browser.new_page(base_url=address)
    files: list[str] = []
    page.on("response", lambda each: files.append(each.url) if "/page/" in each.url else None)
    began = time.perf_counter()
    page.goto("/")
    page.get_by_role("button").nth(2).wait_for()
    took = time.perf_counter() - began
    page.wait_for_load_state("networkidle")
    sizes = {name: len(compress((BUILT / name).read_bytes(), 9)) for name in (url.split("/", 5)[-1] for url in files)}
    page.close()
    return sum(sizes.values()), len(sizes), round(took, 2)


def fill(server: Server, host: Seat) -> int:
    """Eight players, a hundred chips."""
    wagers = ["any_seven", "field", "big_6", "big_8", "place_4", "place_5", "place_6", "place_8", "place_9", "place_10"]
    wagers += ["any_craps", "hard_6", "hard_8"]
    for number in range(2, PLAYERS + 1):
        host.joined_by(server, f"P{number}", *wagers, about=1_200)
    for wager in wagers:
        host.wish("bet", wager, 1_200)
    host.page.wait_for_timeout(1_500)
    return int(host.page.evaluate(STACKS))


def table(browser: Browser, server: Server, motion: str) -> dict[str, Any]:
    """A full table: how soon after its event a roll is on the screen, and how long frames take while dice fly."""
    page = browser.new_page(base_url=server.address, viewport={"width": 1440, "height": 900}, reduced_motion=motion)  # type: ignore[arg-type]
    page.add_init_script(WATCH)
    seat = Seat(page)
    seat.wish("bet", "pass", 500)
    seat.throw(2, 2)
    chips = fill(server, seat)
    frames: list[float] = []
    for number in range(ROLLS):
        act = {"kind": "command.throw", "roll": {"first": 1 + number % 2, "second": 1}}
        page.evaluate(f"window.frames_ = ({FRAMES})()")
        seat.post(f"/tables/{seat.table}/acts", act)
        frames += page.evaluate("window.frames_")
    seen = page.evaluate("window.seen")
    page.close()
    frames.sort()
    return {
        "players": PLAYERS,
        "stacks": chips,
        "rolls": len(seen),
        "seen_after_ms": {"median": round(statistics.median(seen), 1), "worst": round(max(seen), 1)},
        "frame_ms": {
            "median": round(statistics.median(frames), 1),
            "p95": round(frames[int(0.95 * len(frames))], 1),
            "worst": round(frames[-1], 1),
        },
    }


def beside(checkout: Path) -> dict[str, Any]:
    """The figures of another checkout, with its own page and server."""
    with tempfile.TemporaryDirectory() as folder:
        kept = Path(folder) / "browser.json"
        here = {**os.environ, "PYTHONPATH": str(checkout / "src")}
        subprocess.run([sys.executable, "bench/browser.py", "--json", kept], cwd=checkout, env=here, check=True)
        figures: dict[str, Any] = json.loads(kept.read_text("utf-8"))
        return {"checkout": checkout.name, **figures}


def main() -> None:
    """Measure, print, keep."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path, metavar="FILE", default=RESULT, help="where the figures are kept")
    parser.add_argument("--beside", type=Path, metavar="CHECKOUT", help="an older checkout, measured in the same run")
    args = parser.parse_args()
    before = beside(args.beside.resolve()) if args.beside else None
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        server = Server(Path(folder), None, "--rate", "5000", "--newcomers", "5000")
        browser = launched(driver)
        figures = {
            "what": "headless Chromium without a graphics processor, server and browser on one machine",
            "load": round(os.getloadavg()[0] / (os.cpu_count() or 1), 1),
            "first_load": first_load(browser, server.address),
            "at_rest": table(browser, server, "reduce"),
            "dice_thrown": table(browser, server, "no-preference"),
        }
        browser.close()
        server.stop()
    if before:
        figures["beside"] = before
    args.json.write_text(json.dumps(figures, indent=2) + "\n", "utf-8")
    print(json.dumps(figures, indent=2))


if __name__ == "__main__":
    main()
