"""Under the finger: no tap is a trap, nothing ends a table for good, and a phone shows what is played with."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.chromium import wait_until
from tests.browser.seat import Seat, in_turn
from tests.browser.views import hand
from tests.web.server import Player, Server

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser, Page, Route, ViewportSize

HOUSES = ("adelaide", "sydney", "exhibit-a", "fire-bonus", "strip", "crapless")
PHONES = ((390, 664), (844, 390), (667, 375), (390, 844))
SCREENS = ((320, 568), (360, 640), (768, 1024), (1024, 768), (1280, 800), (1366, 768), (1440, 900), (1920, 1080))
ONE_SCREEN = (*PHONES, (360, 640), (1024, 768))


# --- No dead ends ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("house", HOUSES)
def test_dice_that_nobody_has_are_taken_by_a_button(page: Page, pit: Server, house: str) -> None:
    """Two people, and both decline: whoever wants them after all takes them, and the table plays on."""
    me = Seat(page, house, name="Ann")
    other = me.joined_by(pit, "Bob")
    decline = page.locator('[data-dice-act="command.decline"]')
    decline.click()
    expect(decline).to_have_count(0)
    other.act("command.decline")
    me.wish("bet", "pass", 1_500)
    take = page.locator('[data-dice-act="command.shoot"]')
    if house != "sydney":  # where the stick throws once anything is up
        expect(page.locator("[data-now]")).to_have_text("No one has the dice: take them.")
    take.click()
    expect(take).to_have_count(0)
    me.throw(4, 2)


def test_whoever_is_alone_is_not_offered_to_decline(page: Page) -> None:
    """There is nobody who would take the dice."""
    me = Seat(page, "strip")
    expect(page.locator("[data-now]")).to_be_visible()
    expect(page.locator("[data-dice-act]")).to_have_count(0)
    me.bet("pass", "15")
    me.throw(4, 3)
    expect(page.locator("[data-dice-act]")).to_have_count(0)


def test_leaving_with_chips_up_is_asked_once_and_ends_with_a_card(page: Page) -> None:
    """What may come down does; what one goes home with is told; one sits down again."""
    me = Seat(page)
    me.bet("pass", "5")
    me.throw(4, 2)
    me.bet("field", "5")
    page.get_by_text("Chips", exact=True).click()
    page.get_by_role("button", name="Leave the table").click()
    asked = page.get_by_role("dialog")
    expect(asked).to_contain_text("You have 10 on the felt")
    asked.get_by_role("button", name="Stay").click()
    expect(asked).to_have_count(0)
    page.get_by_role("button", name="Leave the table").click()
    asked.get_by_role("button", name="Leave the table").click()
    card = page.locator("[data-farewell]")
    expect(card).to_contain_text("Taken home")
    expect(card).to_contain_text("495")
    me.gone("field")
    expect(page.get_by_text("You have left the table; your bets play on.")).to_be_visible()
    expect(card).to_contain_text("Bought 500")
    asked.get_by_role("button", name="Sit down again").click()
    expect(asked).to_have_count(0)
    expect(me.rail).to_have_text("500")
    # What was done in the seat that they left is settled.
    me.throw(5, 2)
    for word in ("undo", "redo", "repeat"):
        expect(me.button(word)).to_be_disabled()


# --- No traps -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("house", ["strip", "crapless"])
def test_a_tap_on_a_number_is_the_place_bet(page: Page, house: str) -> None:
    """Wherever in its box; what is up there can be taken back."""
    me = Seat(page, house)
    me.bet("pass", "15")
    me.throw(3, 2)
    box = me.spot("place_6").bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] * 0.3)
    expect(me.chips("place_6")).to_be_visible()
    me.gone("come_6")
    me.button("undo").click()
    me.gone("place_6")


def test_a_put_is_asked_for_by_name_and_says_what_it_costs(page: Page) -> None:
    """Not on the felt until more bets are shown; a question before it; no is no."""
    me = Seat(page, "strip")
    me.bet("pass", "15")
    me.throw(3, 2)
    expect(me.spot("come_6")).to_have_count(0)
    page.get_by_role("button", name="More bets").click()
    put = me.spot("come_6")
    expect(put).to_have_attribute("aria-label", re.compile("^Put 6"))
    put.click()
    question = page.locator("[data-question]")
    expect(question).to_contain_text("15 put on the 6 pays even money and costs 9.09%; Place 6 costs 1.52%.")
    question.get_by_role("button", name="No").click()
    me.gone("come_6")
    put.click()
    question.get_by_role("button", name="put").click()
    me.up("come_6", "15")
    # A second flat bet on the line is one, too.
    me.click("pass")
    expect(question).to_contain_text("5 put on the 5")
    me.up("pass", "15")


def test_a_chip_one_does_not_have_is_dim_and_all_in_is_asked(page: Page) -> None:
    """The 1000 in hand and less on the rail: nothing goes up before a yes."""
    me = Seat(page, "strip", buyin=44_800)
    chip = page.get_by_role("radio", name="1,000, more than your rail")
    expect(chip).to_have_class(re.compile("short"))
    chip.click()
    me.click("field")
    question = page.locator("[data-question]")
    expect(question).to_contain_text("448 on Field is all you have.")
    me.gone("field")
    question.get_by_role("button", name="No").click()
    expect(question).to_have_count(0)
    me.click("field")
    question.get_by_role("button", name="Bet it all").click()
    me.up("field", "448")


def test_what_takes_most_of_the_rail_is_asked_for(page: Page) -> None:
    """The sum stands on the button of what is bet again, as on that of the odds."""
    me = Seat(page, buyin=50_000)
    me.bet("pass", "5")
    page.get_by_role("radio", name="100, key").click()
    for up in ("100", "200"):
        me.bet("field", up)
    me.throw(3, 2)
    again = me.button("repeat")
    expect(again).to_contain_text("200")
    again.click()
    question = page.locator("[data-question]")
    expect(question).to_contain_text("Repeat: 200 is more than half of your rail.")
    me.gone("field")
    question.get_by_role("button", name="Put it up").click()
    me.up("field", "200")


def test_the_first_chip_makes_the_bet_that_one_is_told_of(page: Page) -> None:
    """The least on the line by one tap; that it is more than the chip is said."""
    me = Seat(page, "strip")
    expect(page.locator("[data-now]")).to_contain_text("bet 15 on Pass Line")
    me.bet("pass", "15")
    expect(page.locator("[data-talk]")).to_have_text("Pass Line: 15 (the minimum).")
    me.throw(2, 2)
    me.bet("place_6", "18")
    expect(page.locator("[data-talk]")).to_have_text("Place 6: 18 (at least 15, paid whole).")


def test_roll_is_gold_once_the_dice_can_go_out(page: Page) -> None:
    """Before that it is refused, and does not shine."""
    me = Seat(page)
    roll = page.locator("[data-roll]")
    expect(roll).not_to_have_class(re.compile("primary"))
    me.bet("pass", "5")
    expect(roll).to_have_class(re.compile("primary"))


def test_space_presses_what_has_the_focus_and_throws_only_where_nothing_has(page: Page) -> None:
    """On a bet it bets; after a click with the mouse, which takes no focus, it throws what is entered."""
    me = Seat(page)
    me.spot("pass").focus()
    page.keyboard.press(" ")
    me.up("pass", "5")
    expect(me.result).to_have_attribute("data-result", "0")
    me.click("field")
    me.up("field", "5")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press(" ")
    expect(page.locator("[data-call]")).to_contain_text("Seven")


def test_keys_that_come_while_dice_are_in_the_air_are_played(browser: Browser, pit: Server) -> None:
    """Faster than four a second, with dice that move: none is lost."""
    page = browser.new_context(base_url=pit.address, viewport={"width": 1440, "height": 900}).new_page()
    me = Seat(page, buyin=100_000)
    for rolls in (1, 2, 3):
        for key in ("p", "g", "f", "f", "f"):
            page.keyboard.press(key)
            page.wait_for_timeout(80)
        expect(page.get_by_role("list", name="Last rolls").get_by_role("listitem")).to_have_count(rolls)
        expect(me.chips("field").last).to_have_text("15")
    page.context.close()


def test_the_dealers_are_spoken_to_in_ones_own_words(page: Page) -> None:
    """By the field that a slash leads to; what is unclear is asked about, and books nothing until it is answered."""
    me = Seat(page, "strip", buyin=200_000)
    me.bet("pass", "15")
    me.throw(3, 1)
    page.keyboard.press("/")
    page.keyboard.type("66 inside")
    page.keyboard.press("Enter")
    for wager in ("place_5", "place_6", "place_8", "place_9"):
        expect(me.chips(wager)).to_be_visible()
    page.keyboard.type("press my numbers")
    page.keyboard.press("Enter")
    expect(page.locator("[data-question]")).to_contain_text("66 more?")
    me.up("place_6", "18")
    page.locator("[data-question]").get_by_role("button", name="66").click()
    me.up("place_6", "36")
    expect(page.locator("[data-talk]")).to_contain_text("goes to 36")


# --- A phone --------------------------------------------------------------------------------------------------------

NEEDED = ("pass", "pass_odds", "place_6", "field")


@pytest.mark.parametrize(("house", "size"), in_turn(HOUSES, ONE_SCREEN))
def test_what_is_played_with_is_in_sight_at_once(
    browser: Browser, pit: Server, house: str, size: tuple[int, int]
) -> None:
    """Line, odds, numbers, chips, money and Roll, with nothing over them; the page itself does not scroll."""
    context = browser.new_context(
        base_url=pit.address, viewport={"width": size[0], "height": size[1]}, has_touch=True, reduced_motion="reduce"
    )
    page = context.new_page()
    me = Seat(page, house)
    places = [me.spot(key) for key in NEEDED if me.spot(key).count()]
    shown = [me.rail, page.locator("[data-roll]"), *page.get_by_role("radio").all(), me.button("undo")]
    for each in [*places, *shown]:
        expect(each).to_be_in_viewport(ratio=0.85)
    covered = page.evaluate(
        """keys => keys.filter((key) => {
          const spot = document.querySelector(`[data-spot="${key}"] .area`);
          if (!spot) return false;
          const { x, y, width, height } = spot.getBoundingClientRect();
          const at = document.elementFromPoint(x + width / 2, y + height - 6);
          return at?.closest("[data-spot]")?.dataset.spot !== key;
        })""",
        NEEDED,
    )
    assert covered == []
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight && scrollY === 0")
    context.close()


def test_on_the_smallest_phone_the_numbers_and_the_advice_are_in_sight(browser: Browser, pit: Server) -> None:
    """Once the name of the bet stood in each of six boxes, and no number."""
    context = browser.new_context(base_url=pit.address, viewport={"width": 320, "height": 568}, reduced_motion="reduce")
    page = context.new_page()
    me = Seat(page)
    me.bet("pass", "5")
    me.throw(5, 4)
    number = page.locator('[data-face="place_5"] text').filter(has_text=re.compile("^5$"))
    expect(number).to_be_in_viewport(ratio=1)
    expect(page.locator("[data-now]")).to_be_in_viewport(ratio=0.98)
    context.close()


@pytest.mark.parametrize(("dice", "size"), in_turn(("fair", "given"), SCREENS))
def test_all_of_the_rail_is_on_the_screen(browser: Browser, pit: Server, dice: str, size: tuple[int, int]) -> None:
    """Its six kinds of chips, every word, the dice and the way out: the last ones were once beyond the right edge."""
    context = browser.new_context(
        base_url=pit.address, viewport={"width": size[0], "height": size[1]}, reduced_motion="reduce"
    )
    page = context.new_page()
    me = Seat(page, "strip", dice=dice, buyin=100_000_000)
    me.bet("pass", "15")
    rail = page.get_by_role("region", name="Your rail")
    for each in rail.locator("button:visible, summary:visible, select:visible, dd:visible").all():
        expect(each).to_be_in_viewport(ratio=1)
    wishes = "new Set([...document.querySelectorAll('[data-wish]')].map((each) => each.getBoundingClientRect().y)).size"
    wait_until(page, lambda: page.evaluate(wishes), 1)
    context.close()


OVER_WORDS = """() => [...document.querySelectorAll(".callbar .told :is(.call, .you, [data-now])")].filter((words) => {
  const [range, over] = [document.createRange(), (a, b) =>
    a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1];
  range.selectNodeContents(words);
  return [...document.querySelectorAll("[data-dice-act]")].some((button) =>
    [...range.getClientRects()].some((line) => over(line, button.getBoundingClientRect())));
}).map((words) => words.textContent)"""


@pytest.mark.parametrize("size", PHONES)
def test_the_buttons_for_the_dice_lie_under_them(browser: Browser, pit: Server, size: tuple[int, int]) -> None:
    """Both of them, and none on the dice, on the words beside them or over the felt."""
    context = browser.new_context(
        base_url=pit.address, viewport={"width": size[0], "height": size[1]}, has_touch=True, reduced_motion="reduce"
    )
    page = context.new_page()
    Seat(page).joined_by(pit, "Ben", "pass")
    buttons = page.locator("[data-dice-act]")
    expect(buttons).to_have_count(2)
    dice = [each.bounding_box() for each in page.locator(".callbar .cube").all()]
    foot = max(box["y"] + box["height"] for box in dice if box)
    for button in buttons.all():
        expect(button).to_be_in_viewport(ratio=1)
        box = button.bounding_box()
        assert box is not None
        assert box["y"] >= foot - 1
        assert box["height"] >= 24
    assert page.evaluate(OVER_WORDS) == []
    context.close()


@pytest.mark.parametrize(("house", "size"), in_turn(("adelaide", "exhibit-a"), PHONES))
def test_what_can_be_done_next_is_in_sight_after_a_long_result(
    browser: Browser, pit: Server, house: str, size: tuple[int, int]
) -> None:
    """However long the house's names are: the hint, the button for the dice and the way to the reasons."""
    context = browser.new_context(
        base_url=pit.address, viewport={"width": size[0], "height": size[1]}, has_touch=True, reduced_motion="reduce"
    )
    page = context.new_page()
    me = Seat(page, house, buyin=200_000)
    me.joined_by(pit, "Ben", "field")
    hand(me, 2_500)
    expect(me.result).to_contain_text("Place Bet 8 to Win +")
    for each in (page.locator("[data-now]"), page.locator("[data-dice-act]"), page.get_by_role("button", name="Why?")):
        expect(each).to_be_in_viewport(ratio=0.97)
    expect(me.spot("pass_odds")).to_be_in_viewport(ratio=0.85)
    context.close()


@pytest.mark.parametrize(("width", "height"), [(390, 664), (844, 390), (640, 400)])
def test_answers_and_refusals_are_whole_at_the_thumb(browser: Browser, pit: Server, width: int, height: int) -> None:
    """On the rail's line: nothing sticks out, covers the call, or stays when something else is pressed."""
    size = {"width": width, "height": height}
    context = browser.new_context(base_url=pit.address, viewport=size, has_touch=True, reduced_motion="reduce")  # type: ignore[arg-type]
    page = context.new_page()
    me = Seat(page, buyin=50_000)
    answer, call = page.locator("[data-talk]"), page.locator("[data-call]")
    field = page.get_by_label("Tell the dealers")
    field.fill("hello everybody and good evening to all of you")
    field.press("Enter")
    expect(answer).to_contain_text("Try: 12 on the six")
    for what in (answer, page.get_by_role("button", name="Close")):
        expect(what.last).to_be_in_viewport(ratio=1)
    assert page.evaluate(
        "[...document.querySelectorAll('section.cloth')].every((each) => each.scrollWidth <= each.clientWidth)"
    )
    page.get_by_role("radio").first.tap()
    expect(answer).to_have_count(0)
    page.locator("[data-roll]").tap()
    refusal = page.get_by_role("alert")
    expect(refusal).to_be_in_viewport(ratio=1)
    if height != 400:
        expect(call).to_be_in_viewport(ratio=1)
        covers = (
            "([a, b]) => a.y + a.height > b.y && b.y + b.height > a.y && a.x + a.width > b.x && b.x + b.width > a.x"
        )
        assert not page.evaluate(covers, [refusal.bounding_box(), call.bounding_box()])
    for line in ("5 on the line", "10 on the field"):
        me.say(line)
    expect(me.chips("field")).to_have_text("10")
    me.button("double").tap()
    expect(answer.first).to_be_in_viewport(ratio=1)
    context.close()


def test_a_felt_with_more_above_says_so_and_opens_at_the_line(browser: Browser, pit: Server) -> None:
    """When one sits down again, too; at 200 % the line is in sight, and the field for words is above the rail."""
    context = browser.new_context(base_url=pit.address, viewport={"width": 390, "height": 664}, has_touch=True)
    page = context.new_page()
    me = Seat(page, "strip")
    expect(page.get_by_text("More above")).to_be_in_viewport()
    page.get_by_text("More above").tap()
    expect(page.get_by_role("button", name="More bets")).to_be_in_viewport(ratio=1)
    expect(page.get_by_text("More above")).to_have_count(0)
    me.gone("place_6")
    page.get_by_text("Chips", exact=True).click()
    page.get_by_role("button", name="Leave the table").click()
    page.get_by_role("button", name="Sit down again").first.click()
    expect(page.get_by_text("More above")).to_be_in_viewport()
    expect(me.spot("pass")).to_be_in_viewport(ratio=0.85)
    page.set_viewport_size({"width": 640, "height": 400})
    page.reload()
    expect(me.spot("pass")).to_be_in_viewport(ratio=0.5)
    field = page.get_by_label("Tell the dealers")
    field.focus()
    rail = page.get_by_role("region", name="Your rail").bounding_box()
    place = field.bounding_box()
    assert rail is not None
    assert place is not None
    assert place["y"] + place["height"] <= rail["y"]
    context.close()


def test_the_box_and_what_is_told_end_above_the_rail(browser: Browser, pit: Server) -> None:
    """Inside the box one sees chips and money; a tap tells the truth where the thumb is; nothing jumps."""
    size = {"width": 390, "height": 664}
    context = browser.new_context(base_url=pit.address, viewport=size, has_touch=True, reduced_motion="reduce")  # type: ignore[arg-type]
    page = context.new_page()
    me = Seat(page, "strip")
    rail = page.get_by_role("region", name="Your rail")
    before = rail.bounding_box()
    me.spot("field").tap()
    expect(page.locator("[data-line]")).to_contain_text("house edge 2.78%")
    page.get_by_role("button", name="Stick’s box").tap()
    assert before is not None
    sheet = "document.querySelector('.boxed').getBoundingClientRect().bottom"
    wait_until(page, lambda: page.evaluate(sheet) <= before["y"] + 1)
    me.spot("hard_8").tap()
    expect(me.chips("hard_8")).to_contain_text("5")
    expect(me.rail).to_be_in_viewport()
    page.get_by_role("button", name="Info").tap()
    expect(page.locator('[data-truth="hard_8"]')).to_be_in_viewport()
    assert rail.bounding_box() == before
    context.close()


def test_what_is_printed_can_be_read_on_a_phone_that_lies_down(browser: Browser, pit: Server) -> None:
    """Names and prices of the felt are as large as small print is; the felt fills what there is of the screen."""
    size = {"width": 844, "height": 390}
    context = browser.new_context(base_url=pit.address, viewport=size, has_touch=True, reduced_motion="reduce")  # type: ignore[arg-type]
    page = context.new_page()
    Seat(page, "strip")
    heights = page.evaluate(
        "[...document.querySelectorAll('section.cloth .print')].map((each) => each.getBoundingClientRect().height)"
    )
    assert min(heights) > 7
    felt = page.locator("section.cloth .felt").bounding_box()
    assert felt is not None
    assert felt["height"] > 270
    context.close()


SAMPLED = """() => {
  window.over = false; window.highest = Infinity;
  const look = () => {
    const felt = document.querySelector("section.cloth").getBoundingClientRect();
    const die = document.querySelector(".cube").getBoundingClientRect();
    window.over ||= die.y + die.height / 2 > felt.y && die.x + die.width / 2 > felt.x;
    const chip = document.querySelector('[data-chips="1:field"] > g')?.getBoundingClientRect();
    if (chip) window.highest = Math.min(window.highest, chip.y);
  };
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (...how) {
    const made = animate.apply(this, how);
    const whole = made.effect.getComputedTiming().endTime;
    for (let at = 0; at <= 10; at += 1) { made.currentTime = (whole * at) / 10; look(); }
    made.currentTime = 0;
    return made;
  };
}"""
"""Every movement is looked through when it begins: a machine that draws few frames misses none."""


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_dice_fall_on_the_felt_and_lost_chips_go_to_the_bank(browser: Browser, pit: Server, motion: str) -> None:
    """Where the device lets things move; where it asks that nothing does, nothing does."""
    page = browser.new_context(base_url=pit.address, reduced_motion=motion).new_page()  # type: ignore[arg-type]
    page.set_viewport_size({"width": 1440, "height": 900})
    me = Seat(page)
    me.bet("pass", "5")
    me.bet("field", "5")
    chip = me.chips("field").bounding_box()
    assert chip is not None
    page.evaluate(SAMPLED)
    me.throw(3, 2)
    me.gone("field")
    moved = motion == "no-preference"
    assert page.evaluate("window.over") is moved
    assert (page.evaluate("window.highest") < chip["y"] - 60) is moved
    page.context.close()


TIMED = """() => {
  window.began = {};
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (frames, how) {
    const what = this.closest("[data-chips], [data-paid]");
    const moves = frames.length > 2;  // two alike are a wait
    if (what && moves) window.began[what.dataset.chips ?? `paid ${what.dataset.paid}`] ??= performance.now();
    return animate.call(this, frames, how);
  };
}"""


def test_dealers_take_before_they_pay_and_a_winner_waits_for_its_payment(browser: Browser, pit: Server) -> None:
    """First the losing chips go to the bank, then payments come from it, and last the bet and what it won go home."""
    page = browser.new_context(base_url=pit.address, viewport={"width": 1440, "height": 900}).new_page()
    me = Seat(page, "adelaide")
    me.bet("pass", "5")
    me.bet("dont_pass", "5")
    page.evaluate(TIMED)
    me.throw(6, 5)
    for wager in ("pass", "dont_pass"):
        me.gone(wager)
    wait_until(page, lambda: len(page.evaluate("began")), 3)
    began = page.evaluate("began")
    assert began["paid 1:pass"] >= began["1:dont_pass"] + 400
    assert began["1:pass"] >= began["paid 1:pass"] + 400
    page.context.close()


def test_space_lands_the_dice_at_once(browser: Browser, pit: Server) -> None:
    """Whoever does not wait for the throw sees the dice lie when they are called."""
    page = browser.new_context(base_url=pit.address, viewport={"width": 1440, "height": 900}).new_page()
    me = Seat(page, "adelaide")
    me.bet("pass", "5")
    page.evaluate(
        """() => {
          const animate = Element.prototype.animate;
          Element.prototype.animate = function (frames, how) {
            const made = animate.call(this, frames, how);
            if (this.matches(".cube")) { made.pause(); window.dice = made; }
            return made;
          };
        }"""
    )
    page.keyboard.press("g")
    wait_until(page, lambda: page.evaluate("Boolean(window.dice)"))
    page.keyboard.press("g")
    expect(me.result).not_to_have_attribute("data-result", "0")
    wait_until(page, lambda: page.evaluate("dice.currentTime >= 620"))
    page.context.close()


def test_sound_is_found_at_first_play_and_is_one_switch(page: Page) -> None:
    """It asks to be seen until somebody has said yes or no; both sounds and the stick's voice go with it."""
    Seat(page)
    switch = page.get_by_role("button", name="Sound and voice")
    expect(switch).to_have_class(re.compile("invites"))
    for width, height in ((390, 664), (844, 390), (640, 400), (1280, 800), (1920, 1080)):
        page.set_viewport_size({"width": width, "height": height})
        expect(page.get_by_text("Sound?")).to_be_in_viewport(ratio=1)
    switch.click()
    expect(switch).to_have_attribute("aria-pressed", "true")
    for name in ("Sound", "Voice"):
        expect(page.get_by_role("checkbox", name=name, exact=True)).to_be_checked()
    page.reload()
    expect(switch).to_have_attribute("aria-pressed", "true")
    expect(switch).not_to_have_class(re.compile("invites"))


def test_a_chip_is_to_be_seen_before_the_house_has_answered(page: Page) -> None:
    """Where it was put, pale, until the house says what stands there."""
    me = Seat(page)
    held: list[Route] = []
    page.route("**/talk", lambda route: held.append(route))  # noqa: PLW0108 - it wants a function to write on
    me.click("field")
    going = page.locator('[data-going="field"]')
    expect(going).to_be_visible()
    me.gone("field")
    wait_until(page, lambda: len(held), 1)
    held[0].continue_()
    me.up("field", "5")
    expect(going).to_have_count(0)


def test_a_line_bet_that_won_goes_up_again_where_somebody_wants_that(page: Page) -> None:
    """By one choice beside the chips; where the house leaves it up anyway nothing is made twice."""
    me = Seat(page, "adelaide")
    page.get_by_text("Chips", exact=True).click()
    page.get_by_role("checkbox", name="Keep my line bet up").check()
    page.get_by_text("Chips", exact=True).click()
    me.bet("pass", "5")
    me.throw(4, 3)
    me.up("pass", "5")
    expect(me.rail).to_have_text("500")
    me.throw(6, 5)
    me.up("pass", "5")
    expect(me.rail).to_have_text("505")


def test_everybody_has_a_name_before_anybody_sees_it(browser: Browser, pit: Server) -> None:
    """One that stands in the field to be changed, and is no pronoun; a pronoun is refused in words."""
    page = browser.new_context(base_url=pit.address).new_page()
    page.goto("/#/lobby")
    field = page.get_by_label("Your name at the table")
    assert re.fullmatch("[A-Z][a-z]+", field.input_value())
    expect(page.get_by_text("Start here")).to_have_count(1)
    expect(page.locator(".card button.primary")).to_have_count(1)
    called = field.input_value()
    page.get_by_role("button", name="Practise here Sky City Adelaide").click()
    expect(page.locator("[data-rail]")).to_be_visible()
    page.goto("/#/lobby")
    expect(page.get_by_text(f"Playing as {called}, a guest.")).to_be_visible()
    page.get_by_label("Your name at the table").fill("You")
    page.get_by_role("button", name="Practise here Sky City Adelaide").click()
    expect(page.get_by_role("alert")).to_contain_text("that word is everybody's")
    page.context.close()


@pytest.mark.parametrize("dice", ["fair", "given"])
def test_the_rail_stays_where_it_is_whatever_is_on_it(browser: Browser, pit: Server, dice: str) -> None:
    """Chips, Roll and the buttons of a phone are under the same finger with a hundred and with a hundred thousand."""
    size = {"width": 390, "height": 664}
    context = browser.new_context(base_url=pit.address, viewport=size, has_touch=True, reduced_motion="reduce")  # type: ignore[arg-type]
    page = context.new_page()
    me = Seat(page, "strip", dice=dice, buyin=10_000)
    parts = [page.locator("[data-roll]"), page.get_by_role("radio").first, *page.locator("[data-wish]").all()]
    parts += [page.get_by_role("button", name=name) for name in ("Stick’s box", "Info")]
    places = [part.bounding_box() for part in parts]
    cage = page.get_by_text("Chips", exact=True)
    cage.click()
    page.get_by_label("Buy chips").fill("90000")
    buy = page.get_by_role("button", name="Buy", exact=True)
    expect(buy).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("button", name="Leave the table")).to_be_in_viewport(ratio=1)
    buy.click()
    expect(me.rail).to_have_text("90,100")
    expect(buy).to_be_hidden()
    wait_until(page, lambda: [part.bounding_box() for part in parts], places)
    expect(me.rail).to_be_in_viewport(ratio=1)
    context.close()


def test_there_is_a_way_back_from_a_table_on_a_phone(browser: Browser, pit: Server) -> None:
    """The menu is away while one plays; the lobby is in what is told beside the felt, and a replay has its menu."""
    context = browser.new_context(base_url=pit.address, viewport={"width": 390, "height": 664}, has_touch=True)
    page = context.new_page()
    me = Seat(page)
    expect(page.get_by_role("navigation")).to_be_hidden()
    page.get_by_role("button", name="Info").tap()
    expect(page.get_by_role("link", name="Lobby").last).to_be_visible()
    page.goto(f"/#/replay/table/{me.table}")
    expect(page.get_by_role("navigation")).to_be_visible()
    context.close()


# --- By keys alone --------------------------------------------------------------------------------------------------

WALK = """() => {
  const press = (key) => document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true}));
  const here = () => document.activeElement?.dataset?.spot ?? '';
  const seen = new Set([here()]), todo = [document.activeElement];
  while (todo.length) {
    const from = todo.pop();
    for (const key of ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown']) {
      from.focus();
      press(key);
      if (here() && !seen.has(here())) { seen.add(here()); todo.push(document.activeElement); }
    }
  }
  return [...document.querySelectorAll('[data-spot]')].map((each) => each.dataset.spot).filter((key) => !seen.has(key));
}"""


@pytest.mark.parametrize("house", HOUSES)
def test_every_spot_is_reached_by_tab_and_arrows(page: Page, house: str) -> None:
    """One tab stop in the felt and one in the box; arrows go everywhere, from one into the other, and back."""
    Seat(page, house)
    stops: list[str] = []
    for _ in range(60):
        page.keyboard.press("Tab")
        spot = page.evaluate("document.activeElement.dataset.spot ?? ''")
        if spot in stops:
            break  # all around the page
        stops += [spot] if spot else []
    assert len(stops) == 2
    page.locator('[data-spot="pass"]').focus()
    assert page.evaluate(WALK) == []
    page.locator(f'[data-spot="{stops[1]}"]').focus()
    assert page.evaluate(WALK) == []


def test_a_hand_played_blind(page: Page) -> None:
    """From what a screen reader is told alone: names of places and buttons, and what is called."""
    me = Seat(page, dice="given")
    felt = page.get_by_role("group", name="The felt")
    tree = felt.aria_snapshot()
    assert "Pass Bet" in tree
    assert "text:" not in tree  # no loose chip is read out
    line = felt.get_by_role("button", name=re.compile("^Pass Bet, "))
    line.press("Enter")
    expect(felt.get_by_role("button", name=re.compile("^Pass Bet, .*5 up"))).to_be_visible()
    me.throw(4, 2)
    expect(page.get_by_role("region", name="The call")).to_contain_text("The point is 6")
    felt.get_by_role("button", name=re.compile("^[^,]*Odds[^,]*Pass|^Pass[^,]*Odds", re.IGNORECASE)).first.press(
        "Enter"
    )
    box = page.get_by_role("group", name="Stick’s box")
    box.get_by_role("button", name=re.compile("^Eight the Hard")).first.press("Enter")
    expect(box.get_by_role("button", name=re.compile("5 up"))).to_have_count(1)
    felt.get_by_role("button", name=re.compile("^Place.* 8")).first.press("Enter")
    felt.get_by_role("button", name=re.compile("^Come Bet, ")).press("Enter")
    expect(felt.get_by_role("button", name=re.compile("^Come Bet, .*5 up"))).to_be_visible()
    me.throw(5, 4)
    expect(felt.get_by_role("button", name=re.compile("^Taking Odds .Come. 9, .*Come Bet 9: 5 up"))).to_be_visible()
    page.keyboard.press("i")
    expect(page.locator("[data-spoken] p").last).to_contain_text("8 to Win; 5 on Come Bet 9.")
    me.throw(6, 1)
    expect(page.get_by_role("region", name="The call")).to_contain_text("seven out", ignore_case=True)
    expect(page.get_by_role("region", name="The call")).to_contain_text("you lose")
    expect(felt.get_by_role("button", name=re.compile(r"\d up"))).to_have_count(0)


# --- Where the house forbids devices --------------------------------------------------------------------------------

SECRET = "correct horse battery staple"
STAFF = ("Ada", "Cay", "Cob")


def test_a_table_for_the_houses_money_shows_no_chances_counts_or_hints(browser: Browser, tmp_path: Path) -> None:
    """Where the book forbids devices that record or analyse; the clause says so, and the felt is played as ever."""
    add = [sys.executable, "-m", "passline", "people", "add", "Ada", "--role", "administrator"]
    subprocess.run([*add, "--journal", str(tmp_path / "pit.db")], input=f"{SECRET}\n", text=True, check=True)
    add[-3:] = ["Cay", "--role", "cashier"]
    for add[-3] in ("Cay", "Cob"):
        subprocess.run([*add, "--journal", str(tmp_path / "pit.db")], input=f"{SECRET}\n", text=True, check=True)
    server = Server(tmp_path)
    tokens = [server.http.post("/sessions", json={"name": each, "password": SECRET}).json() for each in STAFF]
    house, *cashiers = (Player(server, each["token"], "", each["person"]) for each in tokens)
    bob = server.account("Bob")
    crew = [{"person": bob.person, "role": "player"}]
    bob.table = house.post("/tables", {"house": "sydney", "wallets": True, "staff": crew}).json()["table"]
    counted = {"kind": "floor.open_drawer", "count": {"10000": 50}}
    agreed = cashiers[1].post("/floor/approvals", {"what": counted["kind"], "act": counted}).json()["approval"]
    assert cashiers[0].post("/floor/acts", counted, **{"Second-Person": agreed}).is_success
    paid = {"kind": "floor.pay_in", "player": "Bob", "amount": 60_000, "reason": "for tonight"}
    assert cashiers[0].post("/floor/acts", paid).is_success
    assert bob.act("command.sit", buyin=50_000).is_success
    page = browser.new_context(base_url=server.address, reduced_motion="reduce").new_page()
    page.context.add_cookies([{"name": "passline", "value": bob.token, "url": server.address}])
    page.goto(f"/#/table/{bob.table}")
    expect(page.locator("[data-forbidden]")).to_contain_text("sydney:9")
    expect(page.locator("[data-now]")).to_have_count(0)
    expect(page.get_by_role("tab")).to_have_count(1)
    expect(page.get_by_role("list", name="Last rolls")).to_be_hidden()
    field = page.locator('[data-spot="field"]')
    field.focus()
    expect(page.locator('[data-truth="field"]')).to_be_visible()
    assert "%" not in page.locator(".room").inner_text()
    assert "edge" not in (field.get_attribute("aria-label") or "")
    page.context.close()
    server.stop()


@pytest.mark.parametrize("size", PHONES)
def test_a_hand_is_watched_again_on_one_screen(browser: Browser, pit: Server, size: tuple[int, int]) -> None:
    """The whole felt, with the controls beside or below it and not on it."""
    window: ViewportSize = {"width": size[0], "height": size[1]}
    context = browser.new_context(base_url=pit.address, viewport=window, has_touch=True, reduced_motion="reduce")
    page = context.new_page()
    me = Seat(page, "strip", buyin=200_000)
    hand(me, 2_500)
    me.throw(6, 1)
    page.goto(f"/#/replay/table/{me.table}")
    page.get_by_role("link", name="rolls").first.click()
    controls, felt = page.locator(".controls"), page.locator("section.cloth")
    expect(controls).to_be_visible()
    for _ in range(3):
        page.get_by_role("button", name="To the next roll").click()
    for each in (controls, felt):
        expect(each).to_be_in_viewport(ratio=0.98)
    page.get_by_role("button", name="To the start").click()
    page.get_by_role("button", name="Run").click()
    for button in controls.get_by_role("button").all():
        assert button.evaluate("each => each.scrollWidth <= each.clientWidth"), button.inner_text()
    one, other = controls.bounding_box(), felt.bounding_box()
    assert one is not None
    assert other is not None
    assert one["y"] >= other["y"] + other["height"] or one["x"] >= other["x"] + other["width"]
    context.close()


@pytest.mark.parametrize("size", PHONES)
def test_chips_are_bought_and_the_table_left_however_the_phone_is_held(
    browser: Browser, pit: Server, size: tuple[int, int]
) -> None:
    """What *Chips* opens was once above the upper edge of a phone that lies down."""
    window: ViewportSize = {"width": size[0], "height": size[1]}
    context = browser.new_context(base_url=pit.address, viewport=window, has_touch=True, reduced_motion="reduce")
    page = context.new_page()
    me = Seat(page)
    page.get_by_text("Chips", exact=True).tap()
    for word in ("Buy", "Leave the table"):
        expect(page.get_by_role("button", name=word)).to_be_in_viewport(ratio=0.98)
    page.get_by_role("button", name="Buy").tap()
    expect(me.rail).to_have_text("1,000")
    context.close()


def test_dice_that_are_offered_are_not_passed_on_by_a_tap_on_roll(page: Page, pit: Server) -> None:
    """Without a line bet: it is asked whether they are taken, and nothing is thrown before the answer."""
    me = Seat(page, "strip", name="Ann", dice="fair")
    me.joined_by(pit, "Ben", "pass")
    expect(page.locator('[data-dice-act="command.decline"]')).to_be_visible()
    roll = page.locator("[data-roll]")
    expect(roll).not_to_have_class(re.compile("primary"))
    roll.click()
    question = page.get_by_role("alertdialog", name="The dice are offered to you.")
    question.get_by_role("button", name="Decline the dice").click()
    expect(question).to_have_count(0)
    expect(page.locator('[data-dice-act="command.decline"]')).to_have_count(0)
    expect(me.result).to_have_attribute("data-result", "0")
