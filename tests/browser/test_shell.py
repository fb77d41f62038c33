"""The page itself: served whole and small, and a table of one's own by one press."""

from __future__ import annotations

import re
from gzip import compress
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from passline.web.pages import BUILT

if TYPE_CHECKING:
    from playwright.sync_api import Page, Response

    from tests.web.server import Server

FIRST_LOAD_BYTES_MAX = 150_000


def test_one_press_opens_a_table_and_a_chip_on_the_line_is_there(page: Page) -> None:
    """From the lobby to a bet and a roll."""
    page.goto("/")
    page.get_by_role("button", name=re.compile("Practise.*Sydney")).click()
    page.locator('[data-spot="field"]').click()
    expect(page.locator('[data-chips="1:field"]')).to_have_text("5")
    page.keyboard.press("Escape")
    page.locator('[data-spot="pass"]').press("Enter")
    expect(page.locator('[data-chips="1:pass"]')).to_have_text("5")
    page.get_by_role("button", name="Roll", exact=True).click()
    expect(page.locator("[data-result]")).to_contain_text("you")


def test_the_header_is_whole_on_the_smallest_phone(page: Page) -> None:
    """At 320 pixels the last of its words was once cut."""
    page.set_viewport_size({"width": 320, "height": 568})
    page.goto("/#/lobby")
    for word in ("Lobby", "School", "Lab", "Account"):
        expect(page.get_by_role("banner").get_by_role("link", name=word, exact=True)).to_be_in_viewport(ratio=0.99)


def test_leaving_a_table_asks_for_nothing_that_is_not_there(page: Page) -> None:
    """The table's page never sees the address of the next one."""
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto("/#/lobby")
    page.locator("button.primary").first.click()
    page.locator("[data-spot=pass]").first.wait_for()
    for view in ("lab", "lobby", "school"):
        page.locator(f"nav a[href='#/{view}'], a.brand[href='#/{view}']").first.click()
        page.wait_for_url(f"**/#/{view}*")
        page.locator("main h1, main h2").first.wait_for()
    assert not [url for url in asked if "undefined" in url]


def test_the_first_load_is_small_and_may_be_kept(page: Page, pit: Server) -> None:
    """What is fetched for the lobby, compressed; every file under a version is kept for good."""
    fetched: list[Response] = []
    page.on("response", lambda each: fetched.append(each))  # noqa: PLW0108 - Playwright marks what it calls
    page.goto("/", wait_until="networkidle")
    files = [each for each in fetched if "/page/" in each.url]
    assert files
    assert all("immutable" in each.headers["cache-control"] for each in files)
    assert all(each.headers.get("content-encoding") == "gzip" for each in files if each.url.endswith((".js", ".css")))
    names = [each.url.split("/", 5)[-1] for each in files]
    assert sum(len(compress((BUILT / name).read_bytes(), 9)) for name in names) < FIRST_LOAD_BYTES_MAX
    assert pit.http.get("/page/older/index.js").status_code == 404
    assert pit.http.get(f"/page/{files[0].url.split('/')[4]}/%2e%2e/app.py").status_code == 404


def test_programs_get_the_index_and_browsers_the_page_by_a_strict_policy(pit: Server) -> None:
    """`/` is negotiated; an old cookie or a link from elsewhere keeps nobody out."""
    assert pit.http.get("/").json()["routes"]["practice"] == "POST /practice"
    headers = {"accept": "text/html", "cookie": "passline=old", "sec-fetch-site": "cross-site"}
    answer = pit.http.get("/", headers=headers)
    assert answer.status_code == 200
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert answer.headers.get_list("content-security-policy") == [policy]
    opened = pit.http.post("/practice", json={}, headers={"cookie": "passline=old", "origin": pit.address})
    assert opened.status_code == 201
    foreign = pit.http.post("/practice", json={}, headers={"cookie": "passline=old", "origin": "https://evil.example"})
    assert foreign.status_code == 403
