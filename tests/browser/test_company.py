"""Others at the table: regulars of the house, chips side by side, a clock that closes the bets."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.browser.axe import check_both
from tests.browser.seat import Seat

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.web.server import Server

STACKS = """() => Object.fromEntries([...document.querySelectorAll('[data-chips], [data-gathered]')].map((each) => {
  const chip = each.querySelector('circle').getBoundingClientRect();
  const name = each.dataset.chips ?? `${each.dataset.seats}:${each.dataset.gathered}`;
  return [name, [chip.x + chip.width / 2, chip.y + chip.height / 2, chip.width]];
}))"""


def seats(stacks: dict[str, list[float]]) -> set[str]:
    """Whose chips are to be seen, alone or gathered."""
    return {seat for name in stacks for seat in name.split(":")[0].split()}


def overlapping(stacks: dict[str, list[float]]) -> list[tuple[str, str]]:
    """Stacks of two others of which one hides more than a fifth of the other."""
    found = []
    theirs = [(name, place) for name, place in stacks.items() if not name.startswith("1:")]
    for at, (name, (x, y, width)) in enumerate(theirs):
        for other, (x_, y_, width_) in theirs[at + 1 :]:
            if (
                name.split(":")[0] != other.split(":")[0]
                and (x - x_) ** 2 + (y - y_) ** 2 < (0.4 * (width + width_)) ** 2
            ):
                found.append((name, other))
    return found


def test_regulars_play_along_in_their_own_colours(page: Page) -> None:
    """Asked for in the lobby; named, each with a place and a colour of their own; one's own chips are larger."""
    page.goto("/#/lobby")
    page.get_by_label("Who plays along").select_option("7")
    page.get_by_role("button", name="Practise here Sky City Adelaide").click()
    players = page.get_by_role("list", name="Players")
    expect(players.get_by_role("listitem")).to_have_count(8)
    last = page.locator("[data-result]")
    stacks: dict[str, list[float]] = {}
    for _ in range(100):  # until enough of them have chips up: the dice are fair
        before = last.get_attribute("data-result")
        decline = page.locator('[data-dice-act="command.decline"]')
        if decline.count():  # dice that come round to oneself are not thrown by the regulars before one says no
            decline.click()
            expect(decline).to_have_count(0)
        page.get_by_role("button", name="Roll", exact=True).click()
        expect(last).not_to_have_attribute("data-result", before or "")
        page.wait_for_timeout(300)
        stacks = page.evaluate(STACKS)
        if len(seats(stacks)) > 3:
            break
    assert len(seats(stacks)) > 3, stacks
    assert overlapping(stacks) == []
    rings = page.locator(
        '[data-chips]:not([data-chips^="1:"]) circle[stroke-width="3"], [data-gathered] circle[stroke]'
    )
    colours = {ring.get_attribute("stroke") for ring in rings.all()}
    assert len(colours) > 2
    check_both(page)


def test_own_chips_are_in_front_for_each_of_two(page: Page, pit: Server) -> None:
    """Both bet the field: each sees two stacks, their own the larger, and neither hides the other."""
    ann = Seat(page, name="Ann")
    ann.joined_by(pit, "Ben", "field", "pass", about=500)
    for wager in ("field", "pass"):
        ann.wish("bet", wager, 500)
    expect(page.locator('[data-chips$=":field"]')).to_have_count(2)
    expect(page.locator('[data-chips$=":pass"]')).to_have_count(2)
    stacks: dict[str, list[float]] = page.evaluate(STACKS)
    for wager in ("field", "pass"):
        (x, y, mine), (x_, y_, theirs) = (stacks[f"{seat}:{wager}"] for seat in (1, 2))
        assert mine > 1.3 * theirs
        assert (x - x_) ** 2 + (y - y_) ** 2 > (0.5 * mine) ** 2, wager


def test_a_countdown_closes_the_bets_in_sight(page: Page) -> None:
    """It runs where the table wants one, from the first bet; when it is over the felt says that bets are closed."""
    page.goto("/#/me")
    page.get_by_label("Name").fill("Clara-clock")
    page.get_by_label("Password").fill("correct horse battery")
    page.get_by_role("button", name="Make an account").click()
    expect(page.get_by_role("heading", name="Clara-clock")).to_be_visible()
    base = page.evaluate("location.origin")
    sent = {"table": "clocked", "countdown": 5}
    assert page.request.post("/tables", data=sent, headers={"Idempotency-Key": "c1", "Origin": base}).ok
    page.goto("/#/table/clocked")
    expect(page.get_by_role("button", name="Sit down")).to_be_visible()
    clock = page.get_by_role("timer")
    expect(clock).to_have_text("5 s to bet, from the first bet")
    page.get_by_role("button", name="Sit down").click()
    field = page.locator('[data-spot="field"]')
    expect(field).not_to_have_class(re.compile("closed"))
    page.locator('[data-spot="pass"]').press("Enter")
    expect(clock).to_have_text(re.compile(r"Bets close in [1-5] s"))
    expect(clock).to_have_text("Bets are closed")
    expect(field).to_have_class(re.compile("closed"))
    page.get_by_role("button", name="Roll", exact=True).click()
    expect(page.locator("[data-call]")).not_to_contain_text("Bets down")
    expect(field).not_to_have_class(re.compile("closed"))
