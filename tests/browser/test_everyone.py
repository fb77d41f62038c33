"""For everyone: by keyboard alone, on a phone, after a cut line, whatever people are called."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.browser.axe import check_both
from tests.browser.seat import Seat
from tests.web.server import Server

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser, Page

HOSTILE = "<script>alert(1)"


def test_a_hand_by_keyboard_alone(page: Page) -> None:
    """Tab to the felt, arrows over it, digits for chips, Enter bets, Backspace takes down, T rolls."""
    me = Seat(page, dice="fair")
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.dataset.spot ?? ''"):
            break
    assert page.evaluate("document.activeElement.dataset.spot") == "pass"
    page.keyboard.press("2")
    page.keyboard.press("Enter")
    me.up("pass", "5")
    page.keyboard.press("ArrowUp")
    assert page.evaluate("document.activeElement.dataset.spot") != "pass"
    page.keyboard.press("ArrowUp")
    for _ in range(6):
        if page.evaluate("document.activeElement.dataset.spot") == "field":
            break
        page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    me.up("field", "5")
    page.keyboard.press("Backspace")
    me.gone("field")
    page.keyboard.press("u")
    me.up("field", "5")
    page.keyboard.press("t")
    expect(me.result).to_contain_text("you")
    expect(page.locator("[data-call]")).not_to_be_empty()


def test_a_hand_on_a_phone(browser: Browser, pit: Server) -> None:
    """390 pixels and a thumb: tap bets, a long press takes down, the stick's box slides up, nothing is too wide."""
    context = browser.new_context(
        base_url=pit.address,
        viewport={"width": 390, "height": 844},
        has_touch=True,
        is_mobile=True,
        reduced_motion="reduce",
    )
    page = context.new_page()
    me = Seat(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    refused_in_sight(page)
    asked_in_sight(page)
    spot = me.spot("field")
    spot.tap()
    me.up("field", "5")
    spot.dispatch_event("pointerdown", {"pointerType": "touch", "bubbles": True})
    me.gone("field")
    spot.dispatch_event("pointerup", {"pointerType": "touch", "bubbles": True})
    me.wish("bet", "pass", 500)
    me.throw(5, 3)
    page.get_by_role("button", name="Stick’s box").tap()
    me.spot("hard_8").tap()
    me.up("hard_8", "5")
    check_both(page)
    page.get_by_role("button", name="Close").first.tap()
    me.button("odds").tap()
    me.up("pass_odds", "50")
    me.throw(4, 3, "Seven out")
    expect(me.result).to_contain_text("you lose")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    context.close()


def refused_in_sight(page: Page) -> None:
    """A refusal hides neither the line it speaks of nor a button, and goes with whatever is pressed next."""
    alert = page.get_by_role("alert")
    page.get_by_role("button", name="Roll", exact=True).tap()
    expect(alert).to_contain_text("No shooter: no one has a bet on Pass Bet.")
    expect(alert).to_be_in_viewport(ratio=1)
    box, line = alert.bounding_box(), page.locator('[data-face="pass"] text >> nth=-1').bounding_box()
    assert box is not None
    assert line is not None
    assert box["y"] + box["height"] <= line["y"]
    page.get_by_role("radio").first.tap()
    expect(alert).to_have_count(0)
    page.get_by_role("radio").nth(1).tap()


def asked_in_sight(page: Page) -> None:
    """What a spot tells lies over the felt and above the rail, each time it is asked."""
    look = page.get_by_role("button", name="Explain a bet")
    look.dispatch_event("click")
    rail = page.get_by_role("region", name="Your rail").bounding_box()
    assert rail is not None
    for _ in range(2):
        page.locator('[data-spot="dont_pass"]').tap()
        adds = page.locator('[data-truth="dont_pass"] .adds')
        expect(adds).to_be_in_viewport(ratio=1)
        box = adds.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= rail["y"]
        page.get_by_role("button", name="Close").tap()
    look.dispatch_event("click")


def test_a_server_that_is_killed_in_mid_hand_leaves_no_gap(browser: Browser, tmp_path: Path) -> None:
    """The page says that the line is cut, finds the server again by itself, and has every roll."""
    server = Server(tmp_path)
    page = browser.new_context(base_url=server.address, reduced_motion="reduce").new_page()
    me = Seat(page)
    me.bet("pass", "5")
    me.throw(4, 2)
    server.kill()
    expect(page.get_by_text("The line is cut")).to_be_visible()
    me.click("field")
    expect(page.get_by_text("The table does not answer")).to_be_visible()
    server.restart()
    expect(page.get_by_text("The table does not answer")).to_have_count(0)
    me.wish("odds", "pass", 500)
    me.throw(5, 4, "Nine")
    me.up("pass_odds", "5")
    expect(page.get_by_text("The line is cut")).to_have_count(0)
    me.button("undo").wait_for()
    me.throw(6, 1, "Seven out")
    expect(page.get_by_role("list", name="Last rolls")).to_have_text("796")
    expect(page.locator("[data-chips]")).to_have_count(0)
    page.context.close()
    assert server.stop() == 0


def test_whatever_people_are_called_is_drawn_as_text(page: Page) -> None:
    """A name that would be a script: the policy would stop it, and it never comes to that."""
    page.on("dialog", lambda _: (_ for _ in ()).throw(AssertionError("a script ran")))
    me = Seat(page, name=HOSTILE)
    link = me.post(f"/tables/{me.table}/links", {"role": "player"})
    other = page.context.browser.new_context(base_url=page.evaluate("location.origin"))  # type: ignore[union-attr]
    guest = other.new_page()
    guest.goto("/")
    origin = {"Origin": page.evaluate("location.origin")}
    assert guest.request.post("/guests", data={"name": HOSTILE, "link": link["link"]}, headers=origin).ok
    guest.goto(f"/#/table/{me.table}")
    guest.get_by_role("button", name="Sit down").click()
    guest.locator('[data-spot="field"]').click(position={"x": 30, "y": 10})
    expect(page.get_by_role("list", name="Players")).to_contain_text("<script>alert(1)")
    assert page.evaluate("[...document.scripts].every((each) => each.src)")
    other.close()


def test_my_evening_lies_inside_its_fan(page: Page) -> None:
    """Profit over the rolls, and what was likely, in words and in a picture."""
    me = Seat(page)
    me.bet("pass", "5")
    me.throw(5, 6)
    page.get_by_role("tab", name="My evening").click()
    expect(page.get_by_role("img", name="Profit over the rolls")).to_contain_text("")
    expect(page.get_by_text("5 after 1 roll, not counting bets still on the felt.")).to_be_visible()
    check_both(page)
