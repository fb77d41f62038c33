"""The table in the browser: sat at, bet, backed, rolled to a seven-out in every house, with the truth on the way."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.axe import check_both
from tests.browser.seat import Seat

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.web.server import Server

FLAT = {"adelaide": 5, "sydney": 5, "exhibit-a": 5, "fire-bonus": 5, "strip": 15, "crapless": 15}
HOUSES = [pytest.param(house, flat, id=house) for house, flat in FLAT.items()]


@pytest.mark.parametrize(("house", "flat"), HOUSES)
def test_a_hand_from_the_line_to_the_seven_out(page: Page, house: str, flat: int) -> None:
    """Pass, a point, odds, a come bet that travels, its odds, a placed number that wins, and the seven that ends it."""
    me = Seat(page, house)
    rail = 100 * flat
    expect(me.rail).to_have_text(f"{rail:,}")
    start = str(flat)  # the chip in hand makes the least bet of the sign
    me.bet("pass", start)
    me.throw(4, 2)
    expect(page.locator("[data-puck]")).to_have_attribute("data-puck", "6")
    page.get_by_role("radio", name=re.compile("^5,")).click()
    me.wish("odds", "pass", flat * 100)
    expect(me.chips("pass_odds")).to_be_visible()
    me.click("come")
    expect(me.chips("come")).to_be_visible()
    me.throw(5, 4, "Nine")
    expect(me.chips("come_9")).to_be_visible()
    me.gone("come")
    me.click("come_9")  # once the bet is there, more means odds behind it
    expect(me.chips("come_odds_9")).to_be_visible()
    me.click("place_8")
    expect(me.chips("place_8")).to_be_visible()
    me.throw(5, 3, "Eight")
    expect(me.result).to_contain_text("you win")
    expect(me.chips("place_8")).to_be_visible()
    me.throw(6, 1, "Seven out")
    expect(me.result).to_contain_text("you lose")
    expect(page.locator("[data-chips]")).to_have_count(0)
    expect(page.locator("[data-puck]")).to_have_attribute("data-puck", "0")


def test_a_spot_tells_how_it_wins_what_it_pays_and_what_it_costs(page: Page) -> None:
    """The truth, from the server, with its clause and its exact fraction."""
    me = Seat(page)
    me.spot("place_6").hover()
    truth = page.locator('[data-truth="place_6"]')
    expect(truth).to_contain_text("Wins on 6, loses on 7; pays 7:6.")
    expect(truth).to_contain_text("1.52%")
    expect(truth).to_contain_text("to win")
    truth.get_by_role("button", name="Exact fractions").click()
    expect(truth).to_contain_text("1/66")
    truth.get_by_text("The clauses").click()
    expect(truth).to_contain_text("adelaide:6(c)")


def test_a_bet_on_its_point_is_told_as_it_stands_with_what_may_be_done(page: Page) -> None:
    """Not the come-out's figures, and no button that the house would refuse; the clause says why."""
    me = Seat(page)
    me.bet("pass", "5")
    truth = page.locator('[data-truth="pass"]')
    expect(truth.locator("[data-move]")).to_have_text(["Press", "Take down"])
    me.throw(4, 2)
    me.spot("pass").focus()
    expect(truth).to_contain_text("Wins on 6, loses on 7; pays 1:1.")
    expect(truth).to_contain_text("45.45%")
    expect(truth).to_contain_text("5 to win 5, on average it costs 0.45 from here")
    expect(truth.locator("[data-move]")).to_have_count(0)
    expect(truth.locator("[data-fixed]")).to_have_text("Pass Bet stays up until it is decided. adelaide:5(c).2")


def test_what_cannot_be_bet_says_why_with_its_clause(page: Page) -> None:
    """A come bet before there is a point."""
    me = Seat(page)
    assert "closed" in (me.spot("come").get_attribute("class") or "")
    assert "closed" not in (me.spot("pass").get_attribute("class") or "")
    me.click("come")
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("adelaide:")
    assert "Not now" in (me.spot("come").get_attribute("aria-label") or "")
    me.gone("come")


def test_undo_redo_repeat_double_press_and_clear(page: Page) -> None:
    """In a word each, as a dealer would do them; contract bets stay."""
    me = Seat(page)
    me.bet("pass", "5")
    me.bet("pass", "10")
    me.button("undo").click()
    me.up("pass", "5")
    me.button("redo").click()
    me.up("pass", "10")
    me.throw(2, 2)
    me.wish("bet", "place_6", 600)
    me.up("place_6", "6")
    me.button("double").click()
    me.up("place_6", "12")
    me.button("clear").click()
    me.gone("place_6")
    me.up("pass", "10")  # a contract
    me.button("undo").click()
    me.up("place_6", "12")
    me.throw(4, 2)
    expect(me.result).to_contain_text("you win 14")
    me.button("press").click()
    me.up("place_6", "24")
    me.throw(4, 3)
    me.button("repeat").click()
    me.up("pass", "10")


def test_right_click_takes_down_and_a_dragged_chip_goes_up(page: Page) -> None:
    """By mouse, as chips are handled."""
    me = Seat(page)
    me.bet("field", "5")
    me.click("field", button="right")
    me.gone("field")
    page.get_by_role("radio", name=re.compile("^25,")).drag_to(me.spot("field"))
    me.up("field", "25")


def test_every_chip_that_moved_can_be_asked_why(page: Page) -> None:
    """The sentence, the sum, the clause."""
    me = Seat(page)
    me.bet("dont_pass", "5")
    me.bet("field", "5")
    me.throw(6, 6)
    expect(me.result).to_contain_text("you win 10 (Field")
    page.get_by_role("button", name="Why?").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("5 at 2 to 1 is 10")
    expect(dialog).to_contain_text("adelaide:")
    check_both(page)


def test_the_smaller_results_are_one_that_opens_all_of_them(page: Page, pit: Server) -> None:
    """The largest by name; a roll at which one has nothing up says nothing."""
    me = Seat(page, "strip")
    me.say("100 on pass")
    me.throw(4, 2)
    me.say("60 on place 8, 50 on place 5, 40 on place 9, 2 on hard 8, 1 on hard 6, 3 on hard 10, field for 15")
    me.throw(4, 3, "Seven out")
    expect(me.result).to_contain_text("4-3: you lose 271 (Pass Line -100, Place 8 -60")
    rest = me.result.get_by_role("button", name="and 5 more -61")
    rest.click()
    all_of_them = page.get_by_role("dialog")
    for name in ("Pass Line", "Place 9", "Hard 6", "Field"):
        expect(all_of_them).to_contain_text(name)
    page.keyboard.press("Escape")
    me.joined_by(pit, "Ben", "pass")
    me.throw(5, 6)
    expect(me.result).not_to_contain_text("5-6")
    expect(me.result).not_to_contain_text("no decision")


def test_two_browsers_see_each_others_chips(browser: Browser, page: Page, pit: Server) -> None:
    """One bets, the other sees it in their colour; and what is said to each is theirs."""
    host = Seat(page, name="Ann")
    link = host.post(f"/tables/{host.table}/links", {"role": "player"})
    other = browser.new_context(base_url=pit.address, reduced_motion="reduce").new_page()
    other.goto("/")
    origin = {"Origin": pit.address}
    assert other.request.post("/guests", data={"name": "Bob", "link": link["link"]}, headers=origin).ok
    other.goto(f"/#/table/{host.table}")
    other.get_by_role("button", name="Sit down").click()
    expect(other.locator("[data-rail]")).to_be_visible()
    host.bet("pass", "5")
    expect(other.locator('[data-chips="1:pass"]')).to_have_text("5")
    expect(other.locator('[data-spot="pass"] title')).to_have_text("Ann 5")
    other.locator('[data-spot="field"]').click(position={"x": 30, "y": 10})
    expect(page.locator('[data-chips="2:field"]')).to_have_text("5")
    expect(page.locator('[data-spot="field"] title')).to_contain_text("Bob")
    host.throw(6, 6)
    expect(other.locator("[data-result]")).to_contain_text("you win 10")
    expect(host.result).to_contain_text("you lose 5")
    expect(page.get_by_role("list", name="Players")).to_contain_text("Bob")
    other.context.close()


def test_nothing_to_find_fault_with(page: Page) -> None:
    """axe, light and dark, with chips up and a panel open each."""
    me = Seat(page, "strip")
    me.bet("pass", "15")
    me.throw(3, 2)
    me.spot("place_6").hover()
    expect(page.locator('[data-truth="place_6"]')).to_be_visible()
    check_both(page)
    page.get_by_role("tab", name="Rolls").click()
    check_both(page)
