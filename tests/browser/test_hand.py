"""One's own hand in the dice: it happens by itself, each roll is checked here, and a lie of the house is told."""

from __future__ import annotations

import hashlib
import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.chromium import wait_until
from tests.browser.seat import Seat

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.web.server import Server

pytestmark = pytest.mark.browser

CHECKED = "[data-dice-check]"
NO_WEBCRYPTO = "Object.defineProperty(crypto, 'subtle', {value: undefined}); delete Crypto.prototype.randomUUID"


def roll(me: Seat) -> None:
    """Send the dice out and wait until they are called."""
    before = me.result.get_attribute("data-result") or ""
    me.page.get_by_role("button", name="Roll", exact=True).click()
    expect(me.result).not_to_have_attribute("data-result", before)


def changed(page: Page, change: Callable[[dict[str, Any]], None]) -> None:
    """From now on the house shows another chain than it keeps."""

    def lie(route: Route) -> None:
        told = route.fetch()
        chain = told.json()
        change(chain)
        route.fulfill(response=told, body=json.dumps(chain))

    page.route(re.compile(r"/chain\?"), lie)


def test_a_hand_is_given_by_itself_and_each_roll_is_checked_without_webcrypto(page: Page) -> None:
    """As over plain HTTP from another computer; what the journal has is this page's value."""
    page.add_init_script(NO_WEBCRYPTO)
    me = Seat(page, dice="fair")
    assert page.evaluate("crypto.subtle === undefined")
    wait_until(page, lambda: len(page.request.get(f"/tables/{me.table}/dice").json()["hands"]) == 1)
    me.bet("pass", "5")
    for _ in range(2):
        me.wish("bet", "pass", 500)
        me.wish("bet", "field", 500)  # whoever has nothing up has no hand in the dice
        roll(me)
        expect(page.locator(CHECKED)).to_have_attribute("data-dice-check", "right")
        expect(page.locator(CHECKED)).to_contain_text("Checked: yours")
    page.goto(f"/#/fair/{me.table}")
    expect(page.get_by_role("heading", name="Everything checks")).to_be_visible()
    expect(page.get_by_text("made by the house alone")).to_have_count(0)


def test_dice_that_do_not_follow_are_told_at_once(page: Page) -> None:
    """One face of the roll is another in the entry that the page is shown."""
    me = Seat(page, dice="fair")
    me.bet("pass", "5")
    roll(me)
    expect(page.locator(CHECKED)).to_have_attribute("data-dice-check", "right")

    def other_dice(chain: dict[str, Any]) -> None:
        for link in chain["links"]:
            if link["line"] and '"kind":"rolled"' in link["line"]:
                link["line"] = re.sub(r'"dice":\[(\d),', lambda seen: f'"dice":[{int(seen[1]) % 6 + 1},', link["line"])

    changed(page, other_dice)
    me.wish("bet", "pass", 500)
    roll(me)
    expect(page.locator(CHECKED)).to_have_attribute("data-dice-check", "wrong")
    expect(page.locator("[data-misfit]")).to_contain_text("contradicts what it signed")


def test_a_bet_that_is_another_in_the_chain_is_told_and_no_value_shown(page: Page) -> None:
    """Every hash is right again: only what this page drew tells the two apart."""
    me = Seat(page, dice="fair")
    me.bet("pass", "5")
    roll(me)
    expect(page.locator(CHECKED)).to_have_attribute("data-dice-check", "right")
    last = ""

    def larger(chain: dict[str, Any]) -> None:
        nonlocal last
        for link in chain["links"]:
            line = re.sub(r'"wager":"field"', '"wager":"any_seven"', link["line"] or "")
            if last:
                line = re.sub(r'"previous":"[0-9a-f]{64}"', f'"previous":"{last}"', line)
                link["previous"] = last
            if line != link["line"]:
                bare = re.sub(r',"hash":"[0-9a-f]{64}"', "", line)
                last = link["hash"] = hashlib.sha256(f"passline/entry/1\n{bare}".encode()).hexdigest()
                link["line"] = re.sub(r'"hash":"[0-9a-f]{64}"', f'"hash":"{last}"', line)
        chain["heads"] = []

    changed(page, larger)
    me.wish("bet", "field", 500)
    me.wish("bet", "pass", 500)
    page.get_by_role("button", name="Roll", exact=True).click()
    expect(page.locator("[data-misfit]")).to_contain_text("contradicts what it signed")
    awaited = page.request.get(f"/tables/{me.table}/dice").json()["closing"]
    assert awaited is not None, "the house waits for a value that it does not get"


def test_another_past_than_was_signed_is_told_when_the_page_comes_back(page: Page) -> None:
    """What the house signed stays on the device: a chain written anew while it was away is found on the next visit."""
    me = Seat(page, dice="fair")
    me.bet("pass", "5")
    roll(me)
    expect(page.locator(CHECKED)).to_be_visible()

    def anew(chain: dict[str, Any]) -> None:
        for link in chain["links"]:
            link["hash"] = "0" * 64
        chain["heads"] = []

    changed(page, anew)
    page.reload()
    told = page.locator("[data-misfit]")
    expect(told).to_contain_text("keep this file")
    expect(told.get_by_role("link", name="Save what was signed")).to_have_attribute("download", "passline-heads.json")


def test_a_page_that_goes_away_holds_nobody_up(page: Page, pit: Server) -> None:
    """Its hand comes off; the other's roll is dealt without it."""
    me = Seat(page, dice="fair")
    me.bet("pass", "5")
    roll(me)
    hands = f"/tables/{me.table}/dice"
    assert len(page.request.get(pit.address + hands).json()["hands"]) == 1
    page.goto("/#/lobby")
    wait_until(page, lambda: page.request.get(pit.address + hands).json()["hands"] == [])


def written_anew(link: dict[str, Any], change: Callable[[dict[str, Any]], None]) -> None:
    """An entry that says something else, with a hash that fits it."""
    entry = json.loads(link["line"])
    change(entry)
    del entry["hash"]
    link["hash"] = hashlib.sha256(f"passline/entry/1\n{canonical(entry)}".encode()).hexdigest()
    link["line"] = canonical(dict(sorted({**entry, "hash": link["hash"]}.items())))


def canonical(data: dict[str, Any]) -> str:
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


@pytest.mark.parametrize("signed", [True, False], ids=["in the chain", "beside it"])
def test_a_value_that_is_not_due_is_never_shown(page: Page, *, signed: bool) -> None:
    """With the last value of a hand the house would know all before it, and with them every roll to come."""
    me = Seat(page, dice="fair")
    me.bet("pass", "5")
    sent: list[str] = []
    page.on("request", lambda asked: sent.append(asked.post_data or ""))

    def last(entry: dict[str, Any]) -> None:
        for each in entry["body"]["hands"]:
            each["index"] = 1_000

    def lie(route: Route) -> None:
        told = route.fetch()
        data = told.json()
        if closing := data.get("closing"):
            last(closing["entry"])
        route.fulfill(response=told, body=json.dumps(data))

    def in_the_chain(chain: dict[str, Any]) -> None:
        for link in chain["links"]:
            if link["line"] and '"kind":"bets_closed"' in link["line"]:
                written_anew(link, last)

    page.route(re.compile(r"/dice$"), lie)
    if signed:
        changed(page, in_the_chain)
    page.get_by_role("button", name="Roll", exact=True).click()
    if signed:
        expect(page.locator("[data-misfit]")).to_be_visible()
    else:  # what the chain has is due, and it alone is answered
        expect(page.locator(CHECKED)).to_have_attribute("data-dice-check", "right")
    shown = [json.loads(each) for each in sent if "table.show_value" in each]
    assert [each["index"] for each in shown] == ([] if signed else [1])


def test_a_house_that_denies_a_value_is_told_of(page: Page) -> None:
    """It took the value, did not like the dice, and writes that nothing arrived: this page knows otherwise."""
    me = Seat(page, dice="fair")
    me.bet("pass", "5")

    def void(entry: dict[str, Any]) -> None:
        body = entry["body"]
        entry["kind"], body["silent"], body["hands"] = "roll_voided", body["hands"], []

    def denied(chain: dict[str, Any]) -> None:
        for link in chain["links"]:
            if link["line"] and '"kind":"rolled"' in link["line"]:
                written_anew(link, void)

    changed(page, denied)
    roll(me)
    told = page.locator("[data-misfit=dice-denied]")
    expect(told).to_contain_text("says that it did not arrive")


def taken_off(me: Seat, then: dict[str, Any] | None = None) -> None:
    """Another program of the same person takes the hand off, and may give one of its own."""
    me.page.evaluate(
        """async ([at, then]) => {
          const mine = Object.entries(localStorage).find(([name]) => name.startsWith("passline.hand"));
          const { hand, w } = JSON.parse(mine[1]);
          for (const act of [{ kind: "table.hand_off", hand, value: w }, then].filter(Boolean)) {
            const headers = { "Content-Type": "application/json", "Idempotency-Key": act.kind };
            const answer = await fetch(at, { method: "POST", headers, body: JSON.stringify(act) });
            if (!answer.ok) throw new Error(await answer.text());
          }
        }""",
        [f"/tables/{me.table}/acts", then],
    )


def test_a_hand_in_ones_name_that_this_page_did_not_give_is_told(page: Page) -> None:
    """And of a table that is signed with another key than the first that this device saw, that it is."""
    me = Seat(page, dice="fair")
    me.bet("pass", "5")
    taken_off(me, {"kind": "table.hand_on", "hand": 2, "anchor": "ab" * 32, "off": "cd" * 32})
    page.reload()
    expect(page.locator("[data-misfit=dice-stranger]")).to_contain_text("this page did not give", timeout=15_000)
    page.evaluate(
        """() => {
          const hands = Object.keys(localStorage).filter((name) => name.startsWith("passline.hand"));
          for (const name of hands) localStorage.removeItem(name);
          if (!/^[0-9a-f]{64}$/.test(localStorage.getItem("passline.house"))) throw new Error("no key is kept");
          localStorage.setItem("passline.house", "ab".repeat(32));
        }"""
    )
    page.route(re.compile(r"/dice$"), nobodys)
    page.reload()
    expect(page.locator("[data-misfit=dice-key]")).to_contain_text("another key", timeout=15_000)


def nobodys(route: Route) -> None:
    """Nobody has a hand on, as far as this page is told."""
    answer = route.fetch()
    route.fulfill(response=answer, body=json.dumps({**answer.json(), "hands": []}))


def test_a_hand_that_came_off_elsewhere_is_replaced(page: Page) -> None:
    """By another window of the same person, a backup, a roll that came to nothing: the next roll has a hand again."""
    me = Seat(page, dice="fair")
    me.bet("pass", "5")
    me.wish("bet", "field", 500)
    taken_off(me)
    roll(me)
    expect(page.locator(CHECKED)).to_contain_text("no hand of yours")
    page.wait_for_function(
        "(at) => fetch(at).then((told) => told.json()).then(({hands}) => hands.length === 1 && hands[0].hand === 2)",
        arg=f"/tables/{me.table}/dice",
    )
