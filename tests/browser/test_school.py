"""The school in the browser: asked, answered by keyboard, chips and buttons, graded with the clause, kept."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from passline.school.exercise import grade
from passline.school.syllabus import exercise
from tests.browser import axe
from tests.browser.chromium import wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.web.server import Server

FORMS = ("pays/4/3", "ways/1/1", "book/4/1", "now/3/1", "order/3/1", "chips/2/1", "layout/3/2")
"""An exercise of every form of answer."""

OUT_OF_ORDER = """() => {
  const parts = [...document.querySelectorAll("h1, .wanted label, .head, #asks, .position, .work, #sheet")];
  const top = (part) => part.getBoundingClientRect().top;
  return parts.slice(1).filter((part, at) => top(part) + 1 < top(parts[at]))
    .map((part) => part.className || part.id || part.tagName);
}"""

CUT_BY = """(select) => {
  const whole = select.cloneNode(true);
  whole.style.cssText = "position: absolute; width: max-content";
  select.after(whole);
  const cut = whole.offsetWidth - select.offsetWidth;
  whole.remove();
  return cut;
}"""
"""By how much a list is too narrow for its longest choice."""


def test_a_wrong_payoff_by_keyboard_and_the_right_one_by_chips(page: Page) -> None:
    """The slip by its name, the clause, a score sheet that outlives the page, and the next exercise."""
    page.goto("/#/school/adelaide/pays/4/3")
    expect(page.get_by_role("heading", name="Ann has 15 on Buy Bet to Win 6")).to_be_visible()
    field = page.get_by_role("textbox")
    field.fill("18")
    field.press("Enter")
    expect(page.get_by_text("It is 17, not 18.")).to_be_visible()
    expect(page.get_by_text(re.compile("^That leaves out the commission of 1"))).to_be_visible()
    expect(page.get_by_text("A Buy bet to Win pays 2 to 1 on 4 and 10")).to_be_visible()
    page.reload()
    expect(page.get_by_role("row", name="pays 4 0 of 1")).to_be_visible()
    for chip in (5, 5, 5, 1, 1):
        page.get_by_role("button", name=f"A chip of {chip} more").click()
    expect(page.get_by_role("textbox")).to_have_value("17")
    page.get_by_role("button", name="Check").click()
    expect(page.get_by_text("Right.", exact=True).first).to_be_visible()
    expect(page.get_by_role("row", name="pays 4 1 of 2")).to_be_visible()
    expect(page.get_by_role("button", name="Next")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_text("Right.", exact=True)).to_have_count(0)
    expect(page.get_by_role("button", name="Check")).to_be_visible()


@pytest.mark.parametrize("name", FORMS)
def test_every_form_of_answer_is_graded_as_the_engine_grades_it(page: Page, name: str) -> None:
    """The right answer, given as a hand would, is right to the last part."""
    drill, level, seed = name.split("/")
    found = exercise("sydney" if drill != "pays" else "adelaide", drill, int(level), int(seed))
    page.goto(f"/#/school/{found.id}")
    for at, part in enumerate(found.parts):
        group = page.get_by_role("group", name=part.asks, exact=True).first
        if part.form in ("amount", "count"):
            group.get_by_role("textbox").fill(found.written(part))
        elif part.form == "chips":
            for which, count in enumerate(part.right):
                for _ in range(count):
                    page.locator(".pile").nth(which).get_by_role("button").first.click()
        elif at == 0:  # a letter picks, wherever the keyboard is
            page.get_by_role("heading", name=found.question.asks[:30]).click()
            for letter in found.written(part).split():
                page.keyboard.press(letter)
        else:
            group.get_by_text(part.options[part.right[0]], exact=True).click()
    page.get_by_role("button", name="Check").click()
    expect(page.locator(".verdict")).to_contain_text("Right.")
    assert grade(found, [found.written(part) for part in found.parts]).is_right


def test_house_drill_and_level_are_chosen_and_the_clock_can_be_switched_off(page: Page) -> None:
    """And stay chosen; without the clock nothing is timed."""
    page.goto("/#/school")
    page.get_by_label("House").select_option("fire-bonus")
    page.get_by_label("Drill").select_option("wrong")
    expect(page.locator(".badge").first).to_have_text("wrong")
    page.get_by_label("Level").select_option("6")
    expect(page.get_by_text("Level 6, side bets")).to_be_visible()
    page.get_by_label("By the clock").uncheck()
    expect(page.locator(".clock")).to_have_count(0)
    page.reload()
    expect(page.get_by_text("Level 6, side bets")).to_be_visible()
    expect(page.get_by_label("By the clock")).not_to_be_checked()
    page.locator("label.option").first.click()
    page.get_by_role("textbox").fill("1")
    page.get_by_role("button", name="Check").click()
    expect(page.locator(".verdict")).to_be_visible()
    kept = json.loads(page.evaluate("localStorage.getItem('passline-school-fire-bonus')"))
    assert (kept["scores"][0]["asked"], kept["scores"][0]["timed"]) == (1, 0)


def test_the_name_of_a_house_is_not_cut(page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto("/#/school/sydney/pays/4/3")
    houses = page.get_by_label("House")
    expect(houses).to_have_value("sydney")
    assert houses.evaluate(CUT_BY) <= 0


def test_a_link_to_an_exercise_says_what_is_asked_and_a_phone_begins_with_the_question(page: Page) -> None:
    """Whatever was asked for before; the felt comes below."""
    page.goto("/#/school")
    page.get_by_label("Drill").select_option("wrong")
    page.goto("/#/school/adelaide/chips/4/77")
    expect(page.get_by_label("Drill")).to_have_value("chips")
    expect(page.get_by_label("Level")).to_have_value("4")
    page.set_viewport_size({"width": 390, "height": 844})
    page.reload()
    expect(page.locator("#asks")).to_be_visible()
    wait_until(page, lambda: page.evaluate("document.querySelector('#asks').getBoundingClientRect().y < 600"))
    page.get_by_text("What to ask").click()
    assert page.evaluate(OUT_OF_ORDER) == [], "what is seen first is read first"
    assert page.evaluate("JSON.parse(localStorage.getItem('passline-school')).drill") == "wrong", (
        "a link chooses nothing"
    )


def test_a_damaged_sheet_is_said_and_can_be_left_behind(browser: Browser, pit: Server) -> None:
    """What this browser kept may be anything; the page is not empty for it."""
    page = browser.new_context(base_url=pit.address).new_page()
    page.goto("/#/school")
    expect(page.get_by_role("button", name="Check")).to_be_visible()
    page.evaluate("localStorage.setItem('passline-school-adelaide', '{\"passline_school\": 9, \"scores\": []}')")
    page.reload()
    expect(page.get_by_role("alert")).to_contain_text("a score sheet of this school")
    page.get_by_role("button", name="Start over").click()
    expect(page.get_by_role("button", name="Check")).to_be_visible()
    page.context.close()


def test_nothing_keeps_anybody_out(page: Page) -> None:
    """axe, light and dark, before an answer and after; on a phone nothing is wider than the window."""
    for path, width in (("adelaide/layout/4/3", 390), ("strip/wrong/6/3", 1440)):
        page.set_viewport_size({"width": width, "height": 900})
        page.goto(f"/#/school/{path}")
        expect(page.get_by_text(path)).to_be_visible()
        axe.check(page)
        for field in page.get_by_role("textbox").all():
            field.fill("5")
        for option in page.locator("label.option").all()[:1]:
            option.click()
        page.get_by_role("button", name="Check").click()
        expect(page.locator(".verdict")).to_be_visible()
        axe.check_both(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
