"""Plays a few hands at the browser table in a real Chromium and keeps what it looks like, for the README."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from playwright.sync_api import sync_playwright  # noqa: E402 - after the path

from tests.browser.chromium import launched  # noqa: E402 - as above
from tests.browser.seat import Seat  # noqa: E402 - as above
from tests.web.server import Server  # noqa: E402 - as above

if TYPE_CHECKING:
    from playwright.sync_api import Browser

FOLDER = ROOT / "docs" / "screenshots"
SHARP = 60
"""The quality of a JPEG that shows a felt well enough."""


def hand(seat: Seat, flat: int) -> None:
    """A point, odds, come bets, a placed number: a felt with something on it."""
    seat.wish("bet", "pass", flat)
    seat.throw(4, 2)
    seat.wish("odds", "pass", 2 * flat)
    seat.wish("bet", "come", flat)
    seat.throw(5, 4)
    seat.wish("odds", "come_9", flat)
    seat.wish("bet", "place_8", 1_800)
    seat.wish("bet", "field", flat)
    seat.wish("bet", "hard_8", 500)
    seat.throw(5, 3)
    seat.wish("bet", "come", flat)


def take(browser: Browser, address: str, name: str, house: str, **given: Any) -> None:  # noqa: ANN401 - as Playwright
    """One picture."""
    context = browser.new_context(base_url=address, reduced_motion="reduce", **given)
    page = context.new_page()
    seat = Seat(page, house)
    hand(seat, 1_500 if house == "strip" else 1_000)
    if given["viewport"]["width"] > 600:
        seat.spot("place_6").hover()
    page.wait_for_timeout(1_200)
    path = FOLDER / f"{name}.jpg"
    page.screenshot(path=path, type="jpeg", quality=SHARP)
    print(path)
    context.close()


def main() -> None:
    """Every picture."""
    wide, phone = {"width": 1440, "height": 860}, {"width": 390, "height": 780}
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        server = Server(Path(folder))
        browser = launched(driver)
        take(browser, server.address, "felt", "sydney", viewport=wide, color_scheme="dark")
        take(browser, server.address, "felt-light", "fire-bonus", viewport=wide, color_scheme="light")
        take(browser, server.address, "felt-phone", "adelaide", viewport=phone, color_scheme="dark", is_mobile=True)
        browser.close()
        server.stop()


if __name__ == "__main__":
    main()
