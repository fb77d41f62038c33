"""For everyone: by keyboard alone, on a phone, after a cut line, whatever people are called."""

from __future__ import annotations

import re
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
    """Tab to the felt, arrows over it, digits for chips, Enter bets, Backspace takes down, G rolls."""
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
    page.keyboard.press("g")
    expect(me.result).to_contain_text("you")
    expect(page.locator("[data-call]")).not_to_be_empty()


def test_what_is_done_is_heard(page: Page) -> None:
    """A bet and a roll with the money after it, in order and once; money and bets by a key; answers too."""
    me = Seat(page, "strip", buyin=50_000)
    spoken = page.get_by_role("log", name="Bets, rolls and answers")
    page.keyboard.press("p")
    expect(spoken).to_contain_text("You bet 15 on Pass Line. Rail 485.")
    me.throw(2, 2)
    lines = spoken.get_by_role("paragraph")
    expect(lines.last).to_contain_text(re.compile(r"[Ff]our.*no decision for you.*Rail 485\."))
    expect(me.spot("pass")).to_have_attribute("aria-label", "Pass Line, 1:1. 15 up")
    page.keyboard.press("i")
    expect(lines.last).to_contain_text("Rail 485. Up: 15 on Pass Line. The point is 4")
    me.click("place_6", button="right")
    expect(page.get_by_role("alert")).to_be_visible()
    page.keyboard.press("/")
    page.keyboard.type("hello")
    page.keyboard.press("Enter")
    expect(lines.last).to_contain_text("I don't know")
    for live in page.locator("[aria-live], [role=status]").all():
        assert "Four" not in (live.text_content() or "")


def test_a_key_that_does_nothing_is_heard_too(page: Page) -> None:
    """The chip in hand, what is off, what cannot be done, what a bet is; and no letter bets behind a question."""
    me = Seat(page, "strip", buyin=50_000)
    lines = page.get_by_role("log", name="Bets, rolls and answers").get_by_role("paragraph")
    for key, words in (
        ("3", "Chip in hand: 25."),
        ("9", "There is no such chip."),
        ("o", "Odds: nothing to do now."),
        ("y", "Why the chips moved: nothing to do now."),
        ("i", "Chip in hand: 25."),
    ):
        page.keyboard.press(key)
        expect(lines.last).to_contain_text(words)
    me.wish("bet", "place_9", 1_500)
    expect(me.spot("place_9")).to_have_attribute("aria-label", re.compile("15 up, off"))
    page.keyboard.press("i")
    expect(lines.last).to_contain_text("15 on Place 9, off")
    page.keyboard.press("e")
    expect(lines.last).to_contain_text("Explain a bet: on.")
    me.spot("field").focus()
    page.keyboard.press("Enter")
    expect(lines.last).to_contain_text("Field: wins on 2, 3, 4, 9")
    me.gone("field")
    page.keyboard.press("e")
    page.keyboard.press("/")
    page.keyboard.type("32 across")
    page.keyboard.press("Enter")
    question = page.get_by_role("alertdialog", name="Fifteen minimum: 96?")
    expect(question).to_be_visible()
    page.keyboard.press("p")
    expect(lines.last).to_contain_text("Fifteen minimum: 96?")
    expect(question).to_be_visible()
    me.gone("pass")


def test_the_felt_is_read_from_the_line_outwards(page: Page) -> None:
    """What one bets first comes first; the places that only a travelling bet reaches come near the end."""
    Seat(page, "strip")
    spots = page.locator("section.cloth [data-spot]").evaluate_all("all => all.map((each) => each.dataset.spot)")
    assert spots[:2] == ["pass", "pass_odds"]
    order = ["pass", "dont_pass", "field", "come", "place_4", "place_10", "dont_come_4", "all_small"]
    assert sorted(order, key=spots.index) == order


def test_the_focus_comes_back_after_a_question(page: Page) -> None:
    """To the field that it was asked from; the question is the name of what asks."""
    me = Seat(page, "strip", buyin=200_000)
    me.bet("pass", "15")
    me.throw(2, 2)
    field = page.get_by_label("Tell the dealers")
    page.keyboard.press(":")
    for answer in ("Enter", "Escape"):
        page.keyboard.type("32 across")
        page.keyboard.press("Enter")
        question = page.get_by_role("alertdialog", name="Fifteen minimum: 96?")
        expect(question.get_by_role("button").first).to_be_focused()
        page.keyboard.press(answer)
        expect(question).to_have_count(0)
        expect(field).to_be_focused()
        me.say("take all")
        field.fill("")


def test_chips_are_one_stop_and_the_field_for_words_is_left_by_escape(page: Page) -> None:
    """Arrows choose the chip in hand, round and round; whoever has spoken is back where they were."""
    Seat(page, "strip")
    chips = page.get_by_role("radio")
    expect(page.locator('[role="radio"][tabindex="0"]')).to_have_count(1)
    chips.first.click()
    page.keyboard.press("ArrowRight")
    expect(chips.nth(1)).to_be_focused()
    expect(chips.nth(1)).to_be_checked()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect(chips.last).to_be_focused()
    expect(chips.last).to_be_checked()
    page.keyboard.press("/")
    expect(page.get_by_label("Tell the dealers")).to_be_focused()
    page.keyboard.press("Escape")
    expect(chips.last).to_be_focused()


def test_the_tabs_beside_the_felt_are_turned_by_arrows(page: Page) -> None:
    """One stop for Tab, and the others by Right, Left, Home and End."""
    Seat(page)
    page.get_by_role("tab", name="This bet").focus()
    for key, name in (("Right", "Rolls"), ("Right", "My evening"), ("Right", "This bet"), ("Left", "My evening")):
        page.keyboard.press(f"Arrow{key}")
        expect(page.get_by_role("tab", name=name)).to_be_focused()
        expect(page.get_by_role("tab", name=name)).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Home")
    expect(page.get_by_role("tab", name="This bet")).to_be_focused()


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
    assert line["y"] + line["height"] <= box["y"]
    page.get_by_role("radio").first.tap()
    expect(alert).to_have_count(0)
    page.get_by_role("radio").nth(1).tap()


def asked_in_sight(page: Page) -> None:
    """What a spot tells lies over the felt and above the rail, each time it is asked."""
    look = page.get_by_role("button", name="Explain a bet", exact=True)
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
    page.keyboard.press("g")  # dice that are asked for behind a bet that never went up do not go out without it
    expect(page.get_by_text("The table did not answer")).to_be_visible()
    server.restart()
    expect(page.get_by_text("The line is cut")).to_have_count(0)
    expect(page.get_by_text("The table did not answer")).to_be_visible()
    me.bet("place_5", "5")
    expect(page.get_by_text("The table did not answer")).to_have_count(0)
    expect(page.get_by_role("list", name="Last rolls").first.get_by_role("listitem")).to_have_count(1)
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


SILENCED = """
const listen = EventSource.prototype.addEventListener;
EventSource.prototype.addEventListener = function (kind, work) {
  listen.call(this, kind, (event) => window.silent || work(event));
};"""


def test_a_line_that_falls_silent_is_noticed(browser: Browser, pit: Server) -> None:
    """No error and no byte, as behind a router that forgot: the page says so by itself, and has what it missed."""
    page = browser.new_context(base_url=pit.address, reduced_motion="reduce").new_page()
    page.clock.install()
    page.add_init_script(SILENCED)
    me = Seat(page)
    me.bet("pass", "5")
    cut = page.get_by_text("The line is cut")
    expect(cut).to_have_count(0)
    page.evaluate("window.silent = true")
    page.route("**/events*", lambda route: route.abort())
    act = {"kind": "command.throw", "roll": {"first": 4, "second": 2}}
    me.post(f"/tables/{me.table}/acts", act)
    page.clock.fast_forward(13_000)
    expect(cut).to_be_visible()
    page.evaluate("window.silent = false")
    page.unroute_all()
    expect(page.locator("[data-call]")).to_contain_text("six", ignore_case=True)
    expect(cut).to_have_count(0)
    page.context.close()


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
    page.add_init_script(
        "Object.defineProperty(Navigator.prototype, 'language', { get: () => 'en-US@posix', configurable: true })"
    )
    me = Seat(page)
    me.bet("pass", "5")
    me.throw(5, 6)
    page.get_by_role("tab", name="My evening").click()
    expect(page.get_by_role("img", name="Profit over the rolls")).to_contain_text("")
    expect(page.get_by_text("5 after 1 roll, not counting")).to_be_visible()
    check_both(page)
