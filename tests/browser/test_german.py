"""Under German, what the server says in English is marked as English, so that a screen reader speaks it right."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from passline.house import House
from tests.browser.axe import check
from tests.browser.seat import Seat

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

    from tests.web.server import Server

UNMARKED = r"""(names) => {
    const english = /\b(the|you|your|is|are|and|with|when|of|wins|pays|loses|not|yes|before|which)\b/i;
    const bare = (text) => names.reduce((left, name) => left.replaceAll(name, ""), text);
    const marked = (each) =>
        each.closest("[lang]").getAttribute("lang") === "en" || each.closest("code, pre, textarea, script");
    const found = [];
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walk.nextNode(); node; node = walk.nextNode())
        if (!marked(node.parentElement) && english.test(bare(node.data))) found.push(node.data.trim());
    for (const named of document.querySelectorAll("[aria-label], [title]"))
        for (const said of [named.getAttribute("aria-label"), named.getAttribute("title")])
            if (said && !marked(named) && english.test(bare(said))) found.push(said);
    return found;
}"""
"""Texts that have an English word in them, besides names, and do not say that they are English."""

SPOTS = {spot.name for house in House.all() for spot in house.layout.spots.values()}
NAMES = sorted(SPOTS | {house.name for house in House.all()}, key=len)[::-1]
"""What houses and wagers are called: names are names in every language."""


@pytest.fixture
def german(browser: Browser, pit: Server) -> Iterator[Page]:
    """A window whose reader speaks German."""
    context = browser.new_context(base_url=pit.address, locale="de-DE", reduced_motion="reduce")
    context.set_default_timeout(15_000)
    yield context.new_page()
    context.close()


@pytest.mark.parametrize(
    ("path", "there"),
    [
        ("lobby", "h3"),
        ("houses", "tbody tr"),
        ("host", "form"),
        ("learn", "[data-spot]"),
        ("school/sydney/book/4/1", "label.option"),
        ("school/adelaide/pays/4/3", "fieldset, .position"),
        ("lab", "form"),
    ],
)
def test_what_the_house_says_is_marked_english(german: Page, path: str, there: str) -> None:
    """On every page that has words of the server's; what the page itself says is German."""
    german.goto(f"/#/{path}")
    expect(german.locator(there).first).to_be_visible()
    german.wait_for_load_state("networkidle")
    assert german.evaluate(UNMARKED, NAMES) == []
    assert german.locator("[lang=en]").count()


def test_a_table_a_house_under_the_editor_and_a_game_again(german: Page) -> None:
    """The call, the line of a roll, the truth of a spot; every rule of a house file; the steps of a record."""
    me = Seat(german)
    me.bet("pass", "5")
    me.throw(5, 3, "mark the 8")
    german.locator('[data-spot="field"]').hover()
    assert german.evaluate(UNMARKED, NAMES) == []
    check(german)
    german.goto("/#/lab/house")
    german.get_by_role("button", name="Dieses Haus kopieren").click()
    expect(german.locator("[data-rule]").first).to_be_visible(timeout=30_000)
    assert german.evaluate(UNMARKED, NAMES) == []
    german.goto("/#/replay")
    german.get_by_role("button", name="Ein Beispiel zeigen").click()
    german.get_by_role("button", name="Zum nächsten Wurf").click()
    assert german.evaluate(UNMARKED, NAMES) == []
