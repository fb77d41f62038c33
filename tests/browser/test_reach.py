"""What is on the table can be reached and read: nothing lies off a phone, or below a box that does not say so."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.seat import Seat

if TYPE_CHECKING:
    from playwright.sync_api import Page

ROLLS = ((4, 2), (5, 4), (4, 4), (3, 2), (6, 3), (5, 5), (6, 4), (2, 2), (3, 1), (4, 1), (5, 3), (6, 5), (1, 1))


@pytest.mark.parametrize("width", [390, 1440])
def test_every_wish_is_in_sight_and_the_newest_rolls_are(page: Page, width: int) -> None:
    """In a row, whatever their words; of the rolls that do not fit, the oldest are left out."""
    me = Seat(page, "strip", buyin=10_000_000)
    page.set_viewport_size({"width": width, "height": 900})
    me.wish("bet", "pass", 50_000)
    for dice in ROLLS:
        me.throw(*dice)
    wishes = [each.bounding_box() for each in page.locator("[data-wish]").all()]
    assert len({round(box["y"]) for box in wishes if box}) == 1
    assert all(box and box["x"] >= 0 and box["x"] + box["width"] <= width for box in wishes)
    strip = page.locator(".last").bounding_box()
    newest = page.locator(".last li").first
    expect(newest).to_have_text("2")
    box = newest.bounding_box()
    assert strip is not None
    assert box is not None
    assert box["x"] >= strip["x"]


def test_the_newest_rolls_stand_first_where_there_is_no_room_for_all(page: Page) -> None:
    """On a small tablet the strip stands beside the buttons."""
    me = Seat(page, "strip")
    page.set_viewport_size({"width": 760, "height": 900})
    me.wish("bet", "pass", 1_500)
    for dice in ROLLS:
        me.throw(*dice)
    expect(page.locator(".last li").first).to_have_text("2")
    strip, newest = page.locator(".last").bounding_box(), page.locator(".last li").first.bounding_box()
    assert strip is not None
    assert newest is not None
    assert newest["x"] >= strip["x"]


def test_a_box_that_goes_on_below_says_so(page: Page) -> None:
    """Until its end is in sight; on a phone what closes it stays in sight."""
    Seat(page, "strip")
    more, box = page.get_by_text("More below"), page.locator(".boxed")
    expect(more).to_be_visible()
    box.hover(position={"x": 60, "y": 60})
    page.mouse.wheel(0, 200)
    expect(more).to_be_visible()
    page.mouse.wheel(0, 5_000)
    expect(more).to_have_count(0)
    page.set_viewport_size({"width": 390, "height": 600})
    page.get_by_role("button", name="Stick’s box").click()
    assert box.evaluate("box => { box.scrollTo(0, box.scrollHeight); return box.scrollTop; }") > 100
    expect(page.get_by_role("button", name="Close")).to_be_in_viewport(ratio=1)
    page.get_by_role("button", name="Close").click()
    expect(box).to_be_hidden()


def test_what_the_edges_mean_is_told(page: Page) -> None:
    """Three of them stand there."""
    me = Seat(page)
    me.spot("field").hover()
    page.get_by_text("What the edges mean").click()
    expect(page.get_by_text("of every bet that was decided")).to_be_visible()


def test_a_watchers_replay_is_nobodys_and_reads_as_sentences(page: Page) -> None:
    """On a phone all of it is in sight, with a space between two sentences; who watched is in nobody's seat."""
    me = Seat(page, "sydney")
    me.wish("bet", "pass", 500)
    me.throw(6, 1)
    page.set_viewport_size({"width": 390, "height": 844})
    (hand, *_) = page.request.get(f"/tables/{me.table}/hands").json()
    page.goto(f"/#/replay/table/{me.table}/{hand['first']}-{hand['last']}")
    page.get_by_label("To the end").click()
    line = page.locator(".line")
    expect(line).to_contain_text("Win Line")
    assert not line.evaluate(r"line => /\.[A-Z]/.test(line.textContent)")
    assert line.evaluate("line => line.scrollHeight <= line.clientHeight + 1")
    seats = page.locator(".seats button")
    expect(seats).to_have_attribute("aria-pressed", "true")
    me.post(f"/tables/{me.table}/acts", {"kind": "command.leave"})
    page.reload()
    expect(seats).to_have_attribute("aria-pressed", "false")
