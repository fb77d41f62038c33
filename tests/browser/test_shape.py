"""The table keeps its shape: nothing jumps, nothing is hidden, whatever the window, the eyes or the device are like."""

from __future__ import annotations

import re
from base64 import b64encode
from typing import TYPE_CHECKING, Any, Literal

import pytest
from playwright.sync_api import expect

from tests.browser.axe import check_both
from tests.browser.chromium import wait_until
from tests.browser.seat import Seat
from tests.browser.views import come_to

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, ViewportSize

    from tests.web.server import Server


COVERED = """() => [...document.querySelectorAll('[data-chips], [data-gathered]')].flatMap((stack) => {
  const chip = stack.querySelector('circle').getBoundingClientRect();
  const inset = chip.width * 0.12;
  return [...stack.ownerSVGElement.querySelectorAll('.print')].filter((text) => {
    const at = text.getBoundingClientRect();
    const lean = at.height * 0.24;
    return chip.left + inset < at.right && chip.right - inset > at.left
      && chip.top + inset < at.bottom - lean && chip.bottom - inset > at.top + lean;
  }).map((text) => `${stack.dataset.chips ?? stack.dataset.gathered} covers ${text.textContent}`);
})"""

NUMBERED = """() => [...document.querySelectorAll('[data-face]')].map((each) => each.dataset.face)
  .filter((key) => /^(place|place_lose|buy|lay)_\\d+$/.test(key))"""
SMALL = """() => [...document.querySelectorAll('[data-face]')].flatMap((face) => {
  if (!/^(place|place_lose|buy|lay)_/.test(face.dataset.face)) return [];
  const place = document.querySelector(`[data-spot="${face.dataset.face}"]`).getBoundingClientRect();
  return [...face.querySelectorAll("text")].filter((text) => {
    const at = text.getBoundingClientRect();
    return at.height < 8 || at.left < place.left - 1 || at.right > place.right + 1;
  }).map((text) => `${face.dataset.face}: ${text.textContent}`);
})"""


@pytest.mark.parametrize(("house", "width"), [("adelaide", 390), ("strip", 1440)])
def test_chips_do_not_cover_what_is_printed(page: Page, pit: Server, house: str, width: int) -> None:
    """A name and a price can be read with chips beside them, one's own and others'; all of them are to be seen."""
    me = Seat(page, house, buyin=1_000_000)
    page.set_viewport_size({"width": width, "height": 900})
    flat = 2_500
    me.wish("bet", "pass", flat)
    for name in ("Ben", "Cleo", "Dan"):
        me.joined_by(pit, name, "pass", "field", "place_6", "place_8", "place_9", "place_10", "hard_6", about=flat)
    for wager in ("pass", "dont_pass", "field"):
        me.wish("bet", wager, flat)
    me.throw(5, 3)
    for wager in ("come", "dont_come"):
        me.wish("bet", wager, flat)
    me.throw(6, 3)
    for wager in ("come_9", "pass"):
        me.wish("odds", wager, flat)
    wagers = [
        "place_6",
        "place_10",
        "field",
        "hard_6",
        "any_seven",
        "horn",
        *(["hop_6_1"] if house == "strip" else ["big_6"]),
    ]
    for wager in wagers:
        me.wish("bet", wager, flat)
    if width < 720:
        page.get_by_role("button", name="Stick’s box").click()
    for wager in ("pass_odds", "come_odds_9", *wagers):
        expect(me.chips(wager)).to_have_count(1)
    expect(page.locator('[data-gathered="place_9"]')).to_have_text("×3")
    expect(page.locator('[data-gathered="place_9"]')).to_have_attribute("data-seats", "2 3 4")
    wait_until(page, lambda: page.evaluate(COVERED), [])
    if house == "strip":
        me.wish("bet", "lay_8", flat)
        chips = me.chips("lay_8").locator("text").bounding_box()
        puck = page.locator('[data-puck="8"]').first.bounding_box()
        assert chips is not None
        assert puck is not None
        assert chips["x"] >= puck["x"] + puck["width"], "the amount can be read beside the puck"
        wait_until(page, lambda: page.evaluate(COVERED), [])


@pytest.mark.parametrize("house", ["sydney", "fire-bonus", "crapless"])
def test_on_a_phone_every_place_says_what_it_is(page: Page, house: str) -> None:
    """Not a price alone: the name of its row stands beside it, large enough to be read, and stays in its place."""
    page.set_viewport_size({"width": 390, "height": 844})
    me = Seat(page, house)
    page.get_by_role("button", name="More bets").click()
    expect(me.spot("buy_6")).to_be_visible()
    for key in page.evaluate(NUMBERED):
        told = page.locator(f'[data-face="{key}"]').text_content() or ""
        assert re.search("Place|Buy|Lay", told), (key, told)
        assert re.search(r"\d+:\d+", told), (key, told)
    assert page.evaluate(SMALL) == []


PUCK_COVERS = """() => {
  const puck = document.querySelector(".puck").getBoundingClientRect();
  const chips = document.querySelector('[data-chips="1:come_9"]').getBoundingClientRect();
  return [...document.querySelectorAll("section.cloth .print")].filter((text) => {
    const at = text.getBoundingClientRect();
    const lean = at.height * 0.2;
    const on = (box) => box.left < at.right && box.right > at.left
      && box.bottom > at.top + lean && box.top < at.bottom - lean;
    return /^(SIX|NINE)$/.test(text.textContent) && (on(puck) || on(chips));
  }).map((text) => text.textContent);
}"""


@pytest.mark.parametrize("house", ["adelaide", "crapless"])
def test_puck_and_come_bets_leave_their_number_free(page: Page, house: str) -> None:
    """On a phone, lying down too, on a desk: the point is read beside its puck, and both are in sight."""
    me = Seat(page, house, buyin=200_000)
    me.wish("bet", "pass", 2_500)
    me.throw(4, 2)
    me.wish("bet", "come", 2_500)
    me.throw(5, 4)
    for width, height in ((390, 664), (844, 390), (1280, 800)):
        page.set_viewport_size({"width": width, "height": height})
        wait_until(page, lambda: page.evaluate(PUCK_COVERS), [])
        expect(page.locator('[data-puck="6"]')).to_be_in_viewport(ratio=0.8)


@pytest.mark.parametrize("height", [800, 900])
def test_nothing_jumps_and_the_truth_is_above_the_fold(page: Page, pit: Server, height: int) -> None:
    """The bar over the felt is as high after a roll as before; the bet that is pointed at is told in sight."""
    me = Seat(page, "strip")
    page.set_viewport_size({"width": height * 16 // 10, "height": height})
    me.joined_by(pit, "Ben", "field")  # who could be passed the dice
    bar, felt = page.locator(".callbar"), page.get_by_role("region", name="The felt")

    def shape() -> list[Any]:
        return [bar.bounding_box(), felt.bounding_box()]

    first = shape()
    me.wish("bet", "pass", 2_500)
    me.throw(4, 2)
    assert shape() == first
    me.wish("bet", "place_8", 2_400)
    me.wish("bet", "field", 2_500)
    me.throw(5, 3)
    assert shape() == first
    me.throw(6, 1)
    assert shape() == first
    me.spot("place_8").hover()
    rail = page.get_by_role("region", name="Your rail").bounding_box()
    adds = page.locator('[data-truth="place_8"] .adds').bounding_box()
    assert rail is not None
    assert adds is not None
    assert adds["y"] + adds["height"] < rail["y"]
    assert page.evaluate("document.documentElement.scrollHeight") <= height


def test_the_sheet_of_keys(page: Page) -> None:
    """A question mark shows every key; what it promises is done."""
    me = Seat(page)
    page.keyboard.press("?")
    sheet = page.get_by_role("dialog", name="Keys")
    expect(sheet.locator("kbd")).to_have_count(37)
    check_both(page)
    page.keyboard.press("Escape")
    expect(sheet).to_have_count(0)
    me.bet("field", "5")
    page.keyboard.press("Shift+D")
    me.up("field", "10")
    page.keyboard.press("t")
    me.gone("field")
    page.keyboard.press("u")
    me.up("field", "10")
    page.keyboard.press("u")
    me.up("field", "5")
    page.keyboard.press("Shift+U")
    me.up("field", "10")


def test_bets_by_one_key_and_arrows_that_go_straight(page: Page) -> None:
    """The line, the come and the field by a letter, a number by its digit with Shift; right of the six is the eight."""
    me = Seat(page, "sydney")
    page.keyboard.press("p")
    me.up("pass", "5")
    page.keyboard.press("f")
    me.up("field", "5")
    me.throw(2, 2, "Four")
    page.keyboard.press("c")
    me.up("come", "5")
    page.keyboard.press("Shift+Digit6")
    me.up("place_6", "5")
    me.spot("place_6").focus()
    for arrow, there in (("Right", "place_8"), ("Left", "place_6"), ("Left", "place_5"), ("Down", "come")):
        page.keyboard.press(f"Arrow{arrow}")
        expect(me.spot(there)).to_be_focused()


def test_many_odds_are_asked_for_twice_by_key_too(page: Page) -> None:
    """Where no odds are posted nothing goes up by one slip of a finger: the dealers ask how much."""
    me = Seat(page, "fire-bonus")
    me.bet("pass", "5")
    me.throw(4, 2)
    expect(me.button("odds")).to_be_enabled()
    page.keyboard.press("o")
    question = page.locator("[data-question]")
    expect(question).to_contain_text("No limit here: 5 or 495?")
    me.gone("pass_odds")
    page.keyboard.press("Enter")  # the answer has the focus
    expect(question).to_have_count(0)
    expect(me.chips("pass_odds")).to_be_visible()


# --- For everyone ---------------------------------------------------------------------------------------------------

PLACES = ("lobby", "houses", "host", "join/x", "learn", "replay", "fair", "school", "lab", "lab/house", "me")
TOO_WIDE = "document.documentElement.scrollWidth - innerWidth"
MOVES = """
window.moves = 0;
const animate = Element.prototype.animate;
Element.prototype.animate = function (frames, how) {
  if ((how.duration ?? how) > 0) window.moves += 1;
  return animate.call(this, frames, how);
};
addEventListener("transitionrun", () => (window.moves += 1), true);
"""
BRIGHTEST = """async (data) => {
  const picture = await createImageBitmap(await (await fetch(data)).blob());
  const canvas = new OffscreenCanvas(picture.width, picture.height).getContext("2d");
  canvas.drawImage(picture, 0, 0);
  const all = canvas.getImageData(0, 0, picture.width, picture.height).data;
  let most = 0;
  for (let at = 0; at < all.length; at += 4) {
    most = Math.max(most, 0.2 * all[at] + 0.7 * all[at + 1] + 0.1 * all[at + 2]);
  }
  return Math.round(most);
}"""
SEEN = """(key) => {
  const label = document.querySelector(`[data-face="${key}"] text`).getBoundingClientRect();
  return {x: label.x, y: label.y, width: label.width, height: label.height};
}"""


def test_twice_as_large_everything_is_there_and_nothing_is_to_be_scrolled_both_ways(
    browser: Browser, pit: Server
) -> None:
    """1280 pixels at 200 % are 640; at 400 %, 320. Every page, and a hand at the table."""
    window: ViewportSize = {"width": 640, "height": 400}
    context = browser.new_context(base_url=pit.address, viewport=window, device_scale_factor=2, reduced_motion="reduce")
    page = context.new_page()
    for place in PLACES:
        page.goto(f"/#/{place}")
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        page.wait_for_load_state("networkidle")
        for width in (640, 320):
            page.set_viewport_size({"width": width, "height": 400})
            wait_until(page, lambda: page.evaluate(TOO_WIDE) <= 0)
        page.set_viewport_size(window)
    me = Seat(page, "strip")
    me.bet("pass", "15")
    me.throw(3, 3, "Six")
    roll = page.get_by_role("button", name="Roll", exact=True)
    rail = page.get_by_role("region", name="Your rail")
    page.evaluate("scrollTo(0, 0)")
    expect(me.button("clear")).to_be_visible()
    for each in rail.locator("button:visible, summary:visible, select:visible, dd:visible").all():
        expect(each).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("tab", name="Rolls")).not_to_be_in_viewport()
    page.get_by_role("button", name="Stick’s box").click()
    expect(me.spot("any_seven")).to_be_in_viewport()
    rail.get_by_role("button", name="Info").click()
    expect(page.get_by_role("tab", name="Rolls")).to_be_in_viewport()
    for width in (640, 320):
        page.set_viewport_size({"width": width, "height": 400})
        wait_until(page, lambda: page.evaluate(TOO_WIDE) <= 0)
        for wanted in (roll, me.button("clear"), me.spot("field"), page.get_by_role("tab", name="Rolls")):
            wanted.scroll_into_view_if_needed()
            expect(wanted).to_be_in_viewport(ratio=0.9)
    context.close()


FULL = (
    *("houses", "host", "host-open", "lobby", "me", "replay", "learn", "table-strip", "table-company"),
    *("school-layout", "lab-compare", "lab-sweep", "lab-builder", "lab-house", "box-events", "box-voids"),
)
SIDEWAYS = """() => [...document.querySelectorAll("main, main *")].filter((each) => {
  const room = each.clientWidth && each.checkVisibility({visibilityProperty: true}) && getComputedStyle(each);
  return room && each.tagName !== "TEXTAREA" && room.overflowX !== "visible" && room.overflowX !== "clip"
    && room.textOverflow !== "ellipsis" && room.clipPath === "none" && each.scrollWidth > each.clientWidth + 1;
}).map((each) => `${each.tagName}.${each.className} ${each.scrollWidth} > ${each.clientWidth}`)"""
CUT = """() => [...document.querySelectorAll("main :is(button, .button, th, td, h1, h2, h3, legend, summary, .badge)")]
  .filter((each) => each.clientWidth && each.scrollWidth > each.clientWidth + 1
    && getComputedStyle(each).display !== "inline" && getComputedStyle(each).clipPath === "none")
  .map((each) => `${each.tagName}: ${each.textContent.trim().slice(0, 40)}`)"""


@pytest.mark.parametrize("view", FULL)
def test_nothing_is_scrolled_sideways_and_no_word_is_cut(page: Page, pit: Server, view: str) -> None:
    """On a phone and on a tablet: neither the page, nor a table in it, nor a button's word."""
    come_to(page, pit, view)
    for width in (390, 820):
        page.set_viewport_size({"width": width, "height": 1000})
        wait_until(page, lambda: page.evaluate(TOO_WIDE) <= 0)
        wait_until(page, lambda: page.evaluate(SIDEWAYS), [])
        wait_until(page, lambda: page.evaluate(CUT), [])


def test_in_forced_colours_what_is_legal_chosen_and_up_is_told_apart(browser: Browser, pit: Server) -> None:
    """The device's few colours: no shadow and no shade of ours may be all that says something."""
    context = browser.new_context(base_url=pit.address, forced_colors="active", reduced_motion="reduce")
    page = context.new_page()
    me = Seat(page)
    me.bet("field", "5")

    def style(of: str, what: str) -> str:
        return str(page.evaluate(f"getComputedStyle(document.querySelector(`{of}`))[`{what}`]"))

    assert style('[data-face="come"] text', "fill") != style('[data-face="field"] text', "fill")
    assert style('[data-spot="come"] .area', "stroke") != style('[data-spot="big_6"] .area', "stroke")
    assert style(".puck text", "fill") != style(".puck circle", "fill")
    for chosen in ('[role="radio"][aria-checked="true"]', '[role="tab"][aria-selected="true"]'):
        assert style(chosen, "outlineStyle") == "solid", chosen
    assert style('[role="tab"][aria-selected="false"]', "outlineStyle") == "none"
    context.close()


def test_no_colour_is_needed(page: Page) -> None:
    """Open spots are brighter than closed ones, gains have a sign, and each chip its number and its own edge."""
    me, light = Seat(page), page.context.new_page()
    page.bring_to_front()
    device = page.context.new_cdp_session(page)

    def brightest(key: str) -> int:
        box = page.evaluate(SEEN, key)
        shot = b64encode(page.screenshot(clip=box)).decode()
        return int(light.evaluate(BRIGHTEST, f"data:image/png;base64,{shot}"))

    for eyes in ("protanopia", "deuteranopia", "tritanopia", "achromatopsia"):
        device.send("Emulation.setEmulatedVisionDeficiency", {"type": eyes})
        assert brightest("dont_pass") - brightest("come") > 60, eyes
    me.bet("field", "5")
    me.bet("pass", "5")
    me.throw(6, 6)
    last = page.locator("[data-last]")
    expect(last).to_have_text("+5")
    me.bet("pass", "5")
    me.bet("field", "5")
    me.throw(3, 2)
    expect(last).to_have_text("-5")
    edges = page.locator('[role="radio"] circle[stroke-dasharray]')
    dashes = [edge.get_attribute("stroke-dasharray") for edge in edges.all()]
    assert len(set(dashes)) == len(dashes) > 3
    expect(page.locator('[role="radio"] text')).to_have_text(["1", "5", "25", "100", "500"])


def test_nothing_moves_for_those_who_asked_for_that(browser: Browser, pit: Server) -> None:
    """Dice, chips and puck are where they end at once; for others they move."""
    moved = {}
    motions: tuple[Literal["reduce", "no-preference"], ...] = ("reduce", "no-preference")
    for motion in motions:
        context = browser.new_context(base_url=pit.address, reduced_motion=motion)
        page = context.new_page()
        page.add_init_script(MOVES)
        me = Seat(page)
        me.bet("pass", "5")
        me.throw(4, 2)
        me.throw(4, 3, "Seven out")
        if motion == "no-preference":
            page.wait_for_function("window.moves > 3")
        moved[motion] = page.evaluate("window.moves")
        context.close()
    assert moved["reduce"] == 0
