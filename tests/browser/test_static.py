"""The table that needs no server, from a plain file server: the service's own evening, and without a line too."""

from __future__ import annotations

import functools
import http.server
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.browser.chromium import wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

    from tests.web.server import Server

TABLE = Path(__file__).parents[2] / "build" / "static" / "table"
BYTES_MAX = 6_000_000
"""What it may not grow beyond."""

ACTS: tuple[dict[str, Any], ...] = (
    {"kind": "command.bet", "wager": "pass", "amount": 2500},
    {"kind": "command.bet", "wager": "field", "amount": 99_999_999},  # refused
    {"kind": "command.throw", "roll": {"first": 4, "second": 2}},
    {"kind": "command.bet", "wager": "pass_odds", "amount": 2500},
    {"kind": "command.bet", "wager": "place_8", "amount": 3000},
    {"kind": "command.bet", "wager": "come", "amount": 2500},
    {"kind": "command.throw", "roll": {"first": 6, "second": 3}},
    {"kind": "command.throw", "roll": {"first": 4, "second": 4}},
    {"kind": "command.bet", "wager": "hard_8", "amount": 1000},
    {"kind": "command.throw", "roll": {"first": 5, "second": 4}},
    {"kind": "command.throw", "roll": {"first": 3, "second": 3}},
    {"kind": "command.bet", "wager": "dont_pass", "amount": 2500},
    {"kind": "command.throw", "roll": {"first": 6, "second": 6}},
    {"kind": "command.throw", "roll": {"first": 6, "second": 4}},
    {"kind": "command.throw", "roll": {"first": 3, "second": 4}},
)

ASK = """async ([method, path, body]) => {
  const headers = { "Content-Type": "application/json", "Idempotency-Key": crypto.randomUUID() };
  const answer = await fetch(path, { method, headers, body: body && JSON.stringify(body) });
  return { status: answer.status, body: await answer.json() };
}"""

SAVED = """() => new Promise((done) => {
  indexedDB.open("passline", 1).onsuccess = ({ target: { result } }) => {
    const asked = result.transaction("pit").objectStore("pit").get("saved");
    asked.onsuccess = () => { result.close(); done(asked.result ?? ""); };
  };
})"""
"""What the device keeps of the evening."""


class Files:
    """A file server that knows nothing, and counts what it sends."""

    def __init__(self, folder: Path = TABLE) -> None:
        self.sent: dict[str, int] = {}
        self.seconds_a_megabyte = 0.0
        outer, turn = self, threading.Lock()

        class Handler(http.server.SimpleHTTPRequestHandler):
            def log_message(self, *_: object) -> None:
                """Say nothing."""

            def copyfile(self, source: Any, outputfile: Any) -> None:  # noqa: ANN401 - files
                while chunk := source.read(16_384):
                    if outer.seconds_a_megabyte:
                        with turn:  # one line for everything
                            time.sleep(len(chunk) / 1e6 * outer.seconds_a_megabyte)
                    outer.sent[self.path] = outer.sent.get(self.path, 0) + len(chunk)
                    outputfile.write(chunk)

        self.server = http.server.ThreadingHTTPServer(
            ("127.0.0.1", 0), functools.partial(Handler, directory=str(folder))
        )
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.address = f"http://127.0.0.1:{self.server.server_port}"

    def stop(self) -> None:
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def files() -> Iterator[Files]:
    assert (TABLE / "index.html").is_file(), "build it first: scripts/static"
    served = Files()
    yield served
    served.stop()


@pytest.fixture
def window(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
    yield context.new_page()
    context.close()


def ask(window: Page, method: str, path: str, body: object = None) -> tuple[int, Any]:
    answer = window.evaluate(ASK, [method, path, body])
    return answer["status"], answer["body"]


def outcome(status: int, body: dict[str, Any]) -> object:
    """What an act came to, without what names the table and the time."""
    if status != 200:
        return status, body["code"], body["detail"], body.get("clause")
    return body["kind"], body["body"].get("events")


@pytest.mark.parametrize("house", ["sydney", "strip"])
def test_an_evening_is_the_services_event_for_event(window: Page, files: Files, pit: Server, house: str) -> None:
    window.goto(files.address)
    opening = {"name": "Ann", "house": house, "dice": "given"}
    status, opened = ask(window, "POST", "/practice", opening)
    assert status == 201
    table = opened["table"]["table"]
    here = [outcome(*ask(window, "POST", f"/tables/{table}/acts", act)) for act in ACTS]
    there = pit.practice(**opening)
    answers = [there.act(**act) for act in ACTS]
    assert here == [outcome(each.status_code, each.json()) for each in answers]
    assert sum(each[0] == "rolled" for each in here if isinstance(each, tuple)) >= 6
    prices = ask(window, "GET", f"/houses/{house}/odds")[1]
    assert prices == pit.http.get(f"/houses/{house}/odds").json()


def test_it_is_played_by_hand_kept_on_the_device_and_opens_without_a_line(window: Page, files: Files) -> None:
    window.goto(files.address)
    _, opened = ask(window, "POST", "/practice", {"name": "Ann", "house": "sydney", "dice": "given"})
    table = opened["table"]["table"]
    window.goto(f"{files.address}/#/table/{table}")
    expect(window.locator("[data-spot=pass], [data-key=pass]").first).to_be_visible()
    ask(window, "POST", f"/tables/{table}/acts", ACTS[0])
    ask(window, "POST", f"/tables/{table}/acts", ACTS[2])
    expect(window.locator("[data-result]")).to_have_count(1)
    wait_until(window, lambda: window.evaluate("navigator.serviceWorker.controller !== null"))  # it has every file
    wait_until(window, lambda: "rolled" in window.evaluate(SAVED))
    files.stop()
    window.reload()
    expect(window.locator("[data-spot=pass], [data-key=pass]").first).to_be_visible()
    status, seen = ask(window, "GET", f"/tables/{table}")
    assert (status, seen["state"]["puck"]) == (200, 6)
    status, rolled = ask(window, "POST", f"/tables/{table}/acts", ACTS[10])
    assert (status, rolled["kind"]) == (200, "rolled")


def test_it_is_installed_from_the_folder_that_it_lies_in(window: Page) -> None:
    """On the site it is a folder beside others: what a phone installs opens the table, not the site's front page."""
    files = Files(TABLE.parent)
    try:
        window.goto(f"{files.address}/table/")
        wait_until(window, lambda: window.evaluate("navigator.serviceWorker.controller !== null"))
        asked = window.context.new_cdp_session(window)
        assert asked.send("Page.getInstallabilityErrors")["installabilityErrors"] == []
        manifest = asked.send("Page.getAppManifest")["manifest"]
        assert (manifest["startUrl"], manifest["scope"]) == (f"{files.address}/table/",) * 2
    finally:
        files.stop()


def test_nothing_is_offered_that_needs_a_computer_or_others(window: Page, files: Files) -> None:
    """No table to host, no staff, no lab; an address of one leads to the lobby."""
    window.goto(f"{files.address}/#/host")
    expect(window.get_by_role("link", name="Houses side by side")).to_be_visible()
    for name in ("Host a table", "Lab", "Tonight", "Box"):
        expect(window.get_by_role("link", name=name, exact=True)).to_have_count(0)


def test_what_comes_over_the_wire_before_the_first_roll(window: Page, files: Files) -> None:
    window.goto(files.address)
    _, opened = ask(window, "POST", "/practice", {"name": "Ann", "house": "sydney"})
    status, _ = ask(window, "POST", f"/tables/{opened['table']['table']}/acts", {"kind": "table.roll"})
    assert status in {200, 409}
    later = {"/rest.zip", "/sw.js"}
    first = sum(size for path, size in files.sent.items() if path not in later)
    assert first <= BYTES_MAX
