"""One's own hand in the dice: it happens by itself, each roll is checked here, and a lie of the house is told."""

from __future__ import annotations

import hashlib
import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Page, Route, expect

from passline.journal.export import exported
from passline.journal.sqlite import SqliteJournal
from passline.verify.check import verify
from passline.verify.heads import read_heads
from tests.browser.chromium import wait_until
from tests.browser.seat import Seat

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

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
        for link in chain["links"][1:]:  # the first is the last that the page has seen
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


def test_a_rule_of_the_dice_that_the_house_breaks_is_told_and_no_hand_given(page: Page) -> None:
    """Every hash and signature holds; only what the house was committed to before the bets is not shown."""

    def hidden(chain: dict[str, Any]) -> None:
        for link in chain["links"]:
            if link["line"] and '"kind":"chain_committed"' in link["line"]:
                link["line"] = None

    changed(page, hidden)
    me = Seat(page, dice="fair")
    expect(page.locator("[data-misfit=dice-broken]")).to_contain_text("late_anchor")
    expect(page.locator("[data-misfit=dice-broken]")).to_contain_text("Play no further")
    assert page.request.get(f"/tables/{me.table}/dice").json()["hands"] == []


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
    told, felt = page.locator("[data-misfit]"), page.locator("section.cloth")
    expect(told).to_contain_text("keep this file")
    expect(told.get_by_role("link", name="Save what was signed")).to_have_attribute("download", "passline-heads.json")
    under = felt.bounding_box()
    told.get_by_role("button", name="Close").click()
    expect(told).to_have_count(0)
    assert felt.bounding_box() == under, "nothing moves under the finger"


def test_what_was_checked_is_not_checked_again_and_is_held_against_the_house(page: Page) -> None:
    """A long table: the page that comes back asks for the last entry it has seen; another in its place is told."""
    me = Seat(page, dice="fair")
    for _ in range(260):
        me.post(f"/tables/{me.table}/acts", {"kind": "command.bet", "wager": "field", "amount": 500})
        me.post(f"/tables/{me.table}/acts", {"kind": "command.take", "wager": "field", "leave": 0})
    asked: list[str] = []
    page.on("request", lambda each: asked.append(each.url) if "/chain?" in each.url else None)
    saved = "Object.keys(localStorage).some((name) => name.startsWith('passline.checked/'))"
    page.reload()
    wait_until(page, lambda: page.evaluate(saved))
    asked.clear()
    page.reload()
    wait_until(page, lambda: bool(asked))
    assert all(int(url.rpartition("after=")[2]) > 400 for url in asked), asked
    me.bet("pass", "5")
    roll(me)
    expect(page.locator(CHECKED)).to_have_attribute("data-dice-check", "right")
    expect(page.locator("[data-misfit]")).to_have_count(0)

    def anew(chain: dict[str, Any]) -> None:
        chain["links"][0]["hash"] = "0" * 64
        chain["heads"] = []

    changed(page, anew)
    page.reload()
    expect(page.locator("[data-misfit=dice-misfit]")).to_be_visible()


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


@pytest.mark.parametrize(("answered", "word"), [("value_received", "denied"), ("value_shown", "broken")])
def test_a_house_that_denies_a_value_is_told_of(page: Page, answered: str, word: str) -> None:
    """It took the value, did not like the dice, and writes that nothing arrived: this page knows otherwise.

    A value that came after the void, as from a phone that slept, was not taken: then only the void is wrong, which did
    not wait.
    """
    me = Seat(page, dice="fair")
    me.bet("pass", "5")

    def void(entry: dict[str, Any]) -> None:
        body = entry["body"]
        entry["kind"], body["silent"], body["hands"] = "roll_voided", body["hands"], []

    def denied(chain: dict[str, Any]) -> None:
        for link in chain["links"]:
            if link["line"] and '"kind":"rolled"' in link["line"]:
                written_anew(link, void)

    def answer(route: Route) -> None:
        told = route.fetch()
        shown = "show_value" in (route.request.post_data or "")
        route.fulfill(response=told, body=told.text().replace("value_received", answered) if shown else told.text())

    page.route(re.compile("/acts"), answer)
    changed(page, denied)
    roll(me)
    told = page.locator(f"[data-misfit=dice-{word}]")
    if word == "denied":
        clocks = r" at \d.* by this device’s clock, \d.* being when it heard of the closing"
        expect(told).to_contain_text(re.compile(clocks))
    expect(told).to_contain_text("and says that it did not arrive" if word == "denied" else "void_early")


def test_a_roll_that_the_house_leaves_open_is_told(page: Page) -> None:
    """No entry but a roll, a void or a stop ends it: after longer than anything is awaited this page says so."""
    page.clock.install()
    me = Seat(page, dice="fair")
    me.bet("pass", "5")
    wait_until(page, lambda: len(page.request.get(f"/tables/{me.table}/dice").json()["hands"]) == 1)

    def no_value(route: Route) -> None:
        if "show_value" in (route.request.post_data or ""):
            route.fulfill(status=409, json={"code": "away", "detail": "Away."})
        else:
            route.continue_()

    page.route(re.compile("/acts"), no_value)
    page.get_by_role("button", name="Roll", exact=True).click()
    wait_until(page, lambda: page.request.get(f"/tables/{me.table}/dice").json()["closing"] is not None)
    page.clock.fast_forward(4_000)
    expect(page.locator("[data-dice-waiting]")).to_be_visible()
    page.clock.fast_forward(11 * 60_000)
    expect(page.locator("[data-misfit=dice-open]")).to_contain_text("neither a roll nor a void since")
    page.set_viewport_size({"width": 390, "height": 664})
    told, call = (page.locator(each).bounding_box() for each in ("[data-misfit]", ".callbar"))
    assert told
    assert call
    assert told["y"] >= call["y"] + call["height"], "on a phone it leaves the call to be read"


def test_a_page_that_cannot_ask_when_the_bets_close_asks_again(page: Page) -> None:
    """As behind a proxy that has lost its server for a moment: the value comes later, and the roll is dealt."""
    me = Seat(page, dice="fair")
    me.bet("pass", "5")
    wait_until(page, lambda: len(page.request.get(f"/tables/{me.table}/dice").json()["hands"]) == 1)
    chain = re.compile(r"/tables/[^/]+/(chain|dice)")
    page.route(chain, lambda route: route.fulfill(status=409, json={"code": "away", "detail": "Away."}))
    page.get_by_role("button", name="Roll", exact=True).click()
    wait_until(page, lambda: page.request.get(f"/tables/{me.table}/dice").json()["closing"] is not None)
    page.wait_for_timeout(500)  # it has asked, and was not answered
    page.unroute(chain)
    wait_until(page, lambda: page.request.get(f"/tables/{me.table}/dice").json()["closing"] is None)
    assert page.request.get(f"/tables/{me.table}/dice").json()["owed"] == []
    expect(page.locator(CHECKED)).to_have_attribute("data-dice-check", "right")


def test_a_page_whose_value_did_not_arrive_shows_it_later_and_bets_again(page: Page) -> None:
    """Without its line for longer than the house waits: the roll is void, and then the owed value goes there."""
    me = Seat(page, dice="fair")
    me.bet("pass", "5")
    wait_until(page, lambda: len(page.request.get(f"/tables/{me.table}/dice").json()["hands"]) == 1)
    hands = re.compile(r"/tables/[^/]+/(acts|chain|dice)")

    def only_the_roll(route: Route) -> None:
        if "table.roll" in (route.request.post_data or ""):
            route.continue_()
        else:
            route.fulfill(status=409, json={"code": "away", "detail": "Away."})

    page.route(hands, only_the_roll)
    page.get_by_role("button", name="Roll", exact=True).click()
    page.wait_for_timeout(20_000)  # so long the house waits for a value, by its own clock

    def owed() -> list[object]:
        values: list[object] = page.request.get(f"/tables/{me.table}/dice").json()["owed"]
        return values

    wait_until(page, lambda: len(owed()) == 1)
    expect(page.locator("[data-call]")).to_contain_text("No roll: the part of")
    expect(me.chips("pass")).to_have_count(0)
    page.unroute(hands)
    expect(page.locator("[data-misfit=dice-absent]")).to_contain_text("of the void at")
    me.spot("pass").press("Enter")  # wherever what was said of the void has moved it
    me.up("pass", "5")
    assert owed() == []


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


def test_what_this_device_kept_is_held_against_an_export(page: Page, pit: Server, tmp_path: Path) -> None:
    """Heads, the closings it answered and the entries by which its hands came on, in one file for `verify --head`."""
    me = Seat(page, dice="fair")
    me.bet("pass", "5")
    roll(me)
    expect(page.locator(CHECKED)).to_contain_text("Checked: yours")
    page.reload()  # the page that goes takes its hand off, and the one that comes gives the next
    page.wait_for_function(
        "(at) => fetch(at).then((told) => told.json()).then(({hands}) => hands.length === 1 && hands[0].hand === 2)",
        arg=f"/tables/{me.table}/dice",
    )
    me.wish("bet", "pass", 500)
    me.wish("bet", "field", 500)
    roll(me)
    expect(page.locator(CHECKED)).to_contain_text("Checked: yours")
    page.goto(f"/#/fair/{me.table}")
    with page.expect_download() as download:
        page.get_by_role("link", name="Save what this device was shown").click()
    path = tmp_path / download.value.suggested_filename
    download.value.save_as(path)
    kept = json.loads(path.read_text("utf-8"))["heads"]
    kinds = [each.get("kind", "head") for each in kept]
    assert kinds.count("bets_closed") == 2
    assert {"head", "hand_on", "bets_closed"} == set(kinds)
    journal = SqliteJournal(pit.journal, read_only=True)
    lines = [line + b"\n" for line in exported(journal, [me.table])]
    journal.close()
    assert verify(lines, read_heads(path.read_text("utf-8"))).faults == []
    # Another entry by which that hand came on: what the house showed this device stands nowhere.
    kept[kinds.index("hand_on")]["time"] = "2026-11-15T20:00:00Z"
    forged = verify(lines, read_heads(json.dumps({"heads": kept}))).faults
    assert [each.field for each in forged] == ["receipt"]


@pytest.mark.parametrize(
    ("page_of_the_dice", "words"),
    [
        ({"protocol": 2}, "a protocol that this page does not know"),
        ({}, "First protocol: the house knows these dice"),
        ({"protocol": 2, "revision": 3}, "a protocol that this page does not know"),
        ({"protocol": 2, "revision": "2"}, "a protocol that this page does not know"),
    ],
)
def test_a_table_by_an_older_page_says_so(page: Page, page_of_the_dice: dict[str, object], words: str) -> None:
    """A house may open one to be counted less; where no hand of one's own can be in the dice none is given."""

    def opened(entry: dict[str, Any]) -> None:
        del entry["body"]["protocol"], entry["body"]["revision"]
        entry["body"].update(page_of_the_dice)

    def older(chain: dict[str, Any]) -> None:
        for link in chain["links"]:
            if link["sequence"] == 1:
                written_anew(link, opened)

    page.goto("/")
    changed(page, older)
    me = Seat(page, dice="fair")
    expect(page.locator("[data-dice-page]")).to_contain_text(words)
    me.bet("pass", "5")
    assert page.request.get(f"/tables/{me.table}/dice").json()["hands"] == []


def test_dice_that_are_said_are_told(page: Page) -> None:
    """At a table of given dice no one can check them; at one of drawn dice nothing is said."""
    Seat(page)
    expect(page.locator("[data-dice-page]")).to_contain_text("no one can check them")
    me = Seat(page, dice="fair")
    me.bet("pass", "5")
    roll(me)
    expect(page.locator(CHECKED)).to_be_visible()
    expect(page.locator("[data-dice-page]")).to_have_count(0)


def test_no_other_hand_is_given_where_the_chain_broke_off(page: Page) -> None:
    """As after a backup that undid what this page had followed: it cannot tell that from a lie."""
    me = Seat(page, dice="fair")
    me.bet("pass", "5")
    roll(me)
    expect(page.locator(CHECKED)).to_have_attribute("data-dice-check", "right")

    def broken_off(chain: dict[str, Any]) -> None:
        for link in chain["links"]:
            link["previous"] = "00" * 32

    changed(page, broken_off)
    taken_off(me)
    for _ in range(2):
        me.wish("bet", "pass", 500)
        me.wish("bet", "field", 500)
        roll(me)
        expect(page.locator("[data-misfit]")).to_contain_text("contradicts what it signed")
    assert page.request.get(f"/tables/{me.table}/dice").json()["hands"] == []


def test_a_past_that_was_undone_behind_a_cut_line_is_drawn_and_told(page: Page) -> None:
    """As by a house that puts a backup back: a stream tells nothing of the entries that are gone."""
    page.add_init_script(
        "const Before = EventSource; EventSource = class extends Before "
        "{ constructor(...asked) { super(...asked); window.line = this } }"
    )
    me = Seat(page, dice="fair")
    me.bet("pass", "5")
    roll(me)
    expect(page.locator(CHECKED)).to_have_attribute("data-dice-check", "right")
    page.evaluate("window.before = true")
    changed(page, lambda chain: chain.update(last=3, links=[each for each in chain["links"] if each["sequence"] <= 3]))
    page.evaluate("line.onerror(), line.onopen()")
    expect(page.locator("[data-misfit]")).to_contain_text("contradicts what it signed")
    assert page.evaluate("window.before === undefined"), "the felt is drawn anew"
