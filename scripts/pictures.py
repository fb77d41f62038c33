"""Plays a few hands at the browser table in a real Chromium and keeps what it looks like.

Without words, the pictures of the README. With --every FOLDER every view at five sizes, light and dark, for somebody
to look at: `scripts/screenshots --browser --every build/views --only table lab`.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from playwright.sync_api import expect, sync_playwright  # noqa: E402 - after the path

from tests.browser.chromium import PATIENCE_MS, launched  # noqa: E402 - as above
from tests.browser.seat import Seat  # noqa: E402 - as above
from tests.browser.views import VIEWS, come_to  # noqa: E402 - as above
from tests.web.server import Server  # noqa: E402 - as above

if TYPE_CHECKING:
    from playwright.sync_api import Browser

FOLDER = ROOT / "docs" / "screenshots"
SHARP = 60
"""The quality of a JPEG that shows a felt well enough."""
ROLLS_MAX = 60
SIZES = ((390, 664), (844, 390), (768, 1024), (1280, 800), (1920, 1080))
"""A phone as Safari leaves it, one that lies down, a tablet, a laptop, a desk."""


def drawn_hand(seat: Seat, flat: int) -> None:
    """Drawn dice, for as long as it takes until a come bet stands on its number beside the point's odds."""
    puck, moved = seat.page.locator("[data-puck]"), seat.page.locator('[data-chips^="1:come_"]')
    for _ in range(ROLLS_MAX):
        point = puck.get_attribute("data-puck") != "0"
        if point and moved.count():
            break
        seat.wish("bet", "come" if point else "pass", flat)
        if point:
            seat.wish("odds", "pass", 2 * flat)
        before = seat.page.locator("[data-result]").get_attribute("data-result")
        seat.page.get_by_role("button", name="Roll", exact=True).click()
        expect(seat.page.locator("[data-result]")).not_to_have_attribute("data-result", before or "")
        seat.page.wait_for_timeout(500)  # the puck turns after the call
    seat.wish("bet", "place_8", 1_800)
    seat.wish("bet", "field", flat)
    seat.wish("bet", "hard_8", 500)
    expect(seat.chips("field")).to_be_visible()


def take(browser: Browser, address: str, name: str, house: str, **context_options: Any) -> None:  # noqa: ANN401 - as Playwright
    """One picture."""
    context = browser.new_context(base_url=address, reduced_motion="reduce", **context_options)
    page = context.new_page()
    seat = Seat(page, house, dice="fair", buyin=100_000)
    drawn_hand(seat, 1_500 if house == "strip" else 1_000)
    if context_options["viewport"]["width"] > 600:
        seat.spot("place_6").hover()
    page.wait_for_timeout(1_200)
    path = FOLDER / f"{name}.jpg"
    page.screenshot(path=path, type="jpeg", quality=SHARP)
    print(path)
    context.close()


def every(browser: Browser, pit: Server, folder: Path, only: list[str]) -> None:
    """Each view, prepared once, at every size, light and dark, as long as it is."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in VIEWS:
        if only and not any(name.startswith(each) for each in only):
            continue
        context = browser.new_context(
            base_url=pit.address, viewport={"width": 1440, "height": 900}, reduced_motion="reduce"
        )
        page = context.new_page()
        come_to(page, pit, name)
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            for scheme in ("light", "dark"):
                page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
                page.wait_for_timeout(350)
                path = folder / f"{name}-{width}x{height}-{scheme}.jpg"
                page.screenshot(path=path, type="jpeg", quality=80, full_page=True)
        print(folder / f"{name}-*.jpg", flush=True)
        context.close()


def readme(browser: Browser, pit: Server) -> None:
    """The pictures with which the README opens."""
    wide, phone = {"width": 1440, "height": 860}, {"width": 390, "height": 780}
    take(browser, pit.address, "felt", "sydney", viewport=wide, color_scheme="dark")
    take(browser, pit.address, "felt-light", "fire-bonus", viewport=wide, color_scheme="light")
    take(browser, pit.address, "felt-phone", "adelaide", viewport=phone, color_scheme="dark", is_mobile=True)


def main() -> None:
    """The pictures that were asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--every", type=Path, metavar="FOLDER", help="take every view into this folder")
    parser.add_argument("--only", nargs="+", default=[], metavar="VIEW", help=f"begins of: {', '.join(VIEWS)}")
    options = parser.parse_args()
    expect.set_options(timeout=PATIENCE_MS)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        server = Server(Path(folder), None, "--rate", "5000", "--newcomers", "5000")
        browser = launched(driver)
        if options.every:
            every(browser, server, options.every, options.only)
        else:
            readme(browser, server)
        browser.close()
        server.stop()


if __name__ == "__main__":
    main()
