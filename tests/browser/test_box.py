"""The box in four browsers: a dealer, the host at the box, a supervisor, an inspector; and a player who speaks up."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from passline.journal.contract import now
from passline.journal.sqlite import SqliteJournal
from passline.pit.people.people import By, People
from tests.browser.axe import check_both
from tests.web.server import Player, Server

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Locator, Page

STAFF = {"Sue": "supervisor", "Tom": "supervisor", "Ivo": "inspector", "Hal": "", "Dee": "", "Bob": ""}


@pytest.fixture(scope="module")
def crew(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Player]]:
    """A table of real dice that Hal hosts, with Dee as its dealer, Bob's bet, and the house's own people."""
    folder = tmp_path_factory.mktemp("box")
    journal = SqliteJournal(folder / "pit.db")
    people, house, tokens = People(journal, now()), By("house", "house", now()), {}
    for name, role in STAFF.items():
        person, tokens[name.lower()] = people.guest(name, now())
        if role:
            people.grant(person.id, role, None, "tonight's pit", house, None)
    journal.close()
    server = Server(folder, None, "--house", "sydney", "--quiet", "--rate", "2000")
    found = {name: Player(server, token, "one", name) for name, token in tokens.items()}
    staff = [{"person": "dee", "role": role} for role in ("dealer", "stick")]
    opened = {"table": "one", "house": "sydney", "dice": "real", "staff": [*staff, {"person": "bob", "role": "player"}]}
    assert found["hal"].post("/tables", opened).status_code == 201
    assert found["bob"].act("command.sit", buyin=50_000).status_code == 200
    assert found["bob"].act("command.bet", wager="pass", amount=1_000).status_code == 200
    yield found
    assert server.stop() == 0


@pytest.fixture
def boxes(browser: Browser, crew: dict[str, Player]) -> Iterator[dict[str, Page]]:
    """A browser for each, at the box; the player's is at the table."""
    pages = {}
    for name, who in crew.items():
        address = who.server.address
        context = browser.new_context(
            base_url=address, viewport={"width": 1440, "height": 900}, reduced_motion="reduce"
        )
        context.add_cookies([{"name": "passline", "value": who.token, "url": address}])
        pages[name] = context.new_page()
        pages[name].goto("/#/table/one" if name == "bob" else "/#/box/one")
        expect(pages[name].locator("h1, [data-rail]").first).to_be_visible()
    yield pages
    for page in pages.values():
        page.context.close()


def keyed(page: Page, dice: str) -> None:
    """Two dice by two keys, and Enter."""
    expect(page.get_by_role("button", name="Confirm")).to_be_visible()
    page.locator("h1").click()
    for key in (*dice, "Enter"):
        page.keyboard.press(key)


def card(page: Page, title: str) -> Locator:
    """One part of the box, or of the table's desk."""
    return page.locator("section.card").filter(has=page.get_by_role("heading", name=title, exact=True))


def at_the_desk(*pages: Page) -> None:
    """From the box to all else of its table."""
    for page in pages:
        page.goto("/#/night/table/one")
        expect(card(page, "Disputes")).to_be_visible()


def test_readings_that_differ_hold_the_roll_until_two_agree(boxes: dict[str, Page]) -> None:
    """Both are told what was read; the roll counts when two read the same, and nobody else can read."""
    dee, hal, sue, ivo = (boxes[name] for name in ("dee", "hal", "sue", "ivo"))
    dee.get_by_role("button", name="Close the bets").click()
    keyed(dee, "42")
    expect(hal.get_by_text("dee has read them")).to_be_visible()
    keyed(hal, "43")
    held = "Dee read 4-2 and Hal read 4-3. The roll is held"
    for page in (dee, hal, sue, ivo):
        expect(card(page, "Dice").get_by_role("alert")).to_contain_text(held)
    dee.reload()
    expect(card(dee, "Dice").get_by_role("alert")).to_contain_text(held)
    check_both(hal)
    keyed(hal, "42")
    expect(dee.get_by_text("hal has read them")).to_be_visible()
    keyed(dee, "24")
    for page in (dee, hal, sue, ivo):
        expect(page.get_by_text("Point 6")).to_be_visible()
        expect(card(page, "Dice").get_by_role("alert")).to_have_count(0)
    for page, theirs in ((ivo, 0), (sue, 0), (dee, 1)):
        expect(page.get_by_role("button", name="Close the bets")).to_have_count(theirs)


def test_a_no_roll_has_its_clause_and_a_doubtful_die_its_ruling(boxes: dict[str, Page]) -> None:
    """What spoils the throw in the words of the book; the box rules on the face, and the dice count as ruled."""
    dee, hal = boxes["dee"], boxes["hal"]
    dee.get_by_role("button", name="Close the bets").click()
    spoilt = card(dee, "No roll")
    spoilt.get_by_label("Reason").select_option("off-table")
    expect(spoilt).to_contain_text("sydney:5.3")
    expect(spoilt.locator("small")).to_contain_text("a die comes to rest off the table")
    dee.get_by_role("button", name="Call no roll").click()
    expect(dee.get_by_text("Bets are open")).to_be_visible()
    dee.get_by_role("button", name="Close the bets").click()
    dee.get_by_label("The die that lies flat").select_option("4")
    dee.get_by_role("button", name="The other is in doubt").click()
    expect(hal.get_by_text("Rule on the face")).to_be_visible()
    card(hal, "No roll").get_by_role("button", name="1", exact=True).click()
    expect(card(hal, "Log")).to_contain_text("Bob throws 4-1: ")


def decided(part: Locator, button: str, words: str) -> None:
    part.get_by_role("button", name=button).click()
    part.get_by_role("dialog").get_by_label("Decision").fill(words)
    part.get_by_role("dialog").get_by_role("button", name="Do it").click()


def test_a_player_disputes_and_two_decide_with_the_words_of_both(boxes: dict[str, Page]) -> None:
    """What it is about is there for whoever decides it; the player asks for a review, and somebody higher looks."""
    bob, hal, sue = boxes["bob"], boxes["hal"], boxes["sue"]
    bob.get_by_text("Speak up").click()
    bob.get_by_role("button", name="Raise a dispute").click()
    bob.get_by_label("What is not accepted").fill("my pass bet was not paid")
    bob.get_by_label("The rules of the game cover it").check()
    expect(bob.get_by_role("dialog").get_by_label("Person").or_(bob.get_by_label("Promotion"))).to_have_count(0)
    bob.get_by_role("button", name="Do it").click()
    expect(bob.locator("[data-counted]")).to_be_in_viewport()
    at_the_desk(hal, sue)
    theirs = card(hal, "Disputes")
    expect(theirs).to_contain_text("my pass bet was not paid")
    decided(theirs, "Decide", "it has not been decided yet")
    expect(theirs).to_contain_text("is decided by")
    expect(theirs.get_by_role("button", name="Review")).to_have_count(0)
    expect(bob.locator("[data-result]")).to_contain_text("it has not been decided yet")
    bob.get_by_role("button", name="Ask for a review").click()
    expect(bob.get_by_role("dialog")).to_contain_text("Dispute: 1: Bob, decided")
    bob.get_by_role("button", name="Do it").click()
    higher = card(sue, "Disputes")
    decided(higher, "Review", "it stands")
    expect(higher).to_contain_text("looked at again by")
    expect(bob.locator("[data-result]")).to_contain_text("it stands")


def test_a_void_by_two_screens_and_what_the_inspector_sees_of_it(boxes: dict[str, Page]) -> None:
    """Each writes the same on their own screen; the code counts once. The inspector reads and proves, and acts not."""
    hal, sue, ivo = boxes["hal"], boxes["sue"], boxes["ivo"]
    closing, closed = hal.get_by_role("button", name="Close the bets"), hal.get_by_text("No one has read them yet")
    expect(closing.or_(closed).first).to_be_visible()
    if not closed.is_visible():
        closing.click()
    for page in (hal, sue):
        page.get_by_label("Why this roll is void").fill("the lights went out")
    undo = card(sue, "What takes two people")
    undo.get_by_role("button", name="I am the second person").first.click()
    word = undo.get_by_label("It counts once").input_value()
    hal.get_by_role("button", name="Go on with a second person").first.click()
    hal.get_by_label("Or their code").fill(word)
    hal.get_by_role("button", name="Decide it together").click()
    expect(hal.get_by_text("Bets are open")).to_be_visible()
    expect(ivo.get_by_role("heading", name="What takes two people")).to_have_count(0)
    check_both(ivo)
    at_the_desk(ivo)
    ivo.get_by_role("button", name="The books").click()
    ivo.get_by_role("combobox", name="Report").select_option("voids")
    expect(ivo.locator(".report")).to_contain_text("real dice: cannot be judged")
    expect(ivo.get_by_role("button", name="Put up the sign")).to_have_count(0)
    ivo.get_by_role("link", name="Box", exact=True).click()
    ivo.get_by_role("link", name="Replay with proof").click()
    ivo.get_by_role("link", name="roll").first.click()
    ivo.get_by_role("button", name="Check the proof").click()
    expect(ivo.get_by_role("status").filter(has_text="each what its hash says")).to_be_visible()


def test_signs_count_down_and_a_promotion_is_registered(boxes: dict[str, Page]) -> None:
    """Limits that will hold and a closing, each with its time; a promotion from a form that the book has laid out."""
    hal, sue, ivo = boxes["hal"], boxes["sue"], boxes["ivo"]
    at_the_desk(sue, hal, ivo)
    signs = card(sue, "Limits and closing")
    signs.get_by_label("Minimum").fill("10")
    signs.get_by_label("Minutes ahead").first.fill("45")
    signs.get_by_role("button", name="Put up the sign").click()
    for page in (sue, hal, ivo):
        expect(card(page, "Limits and closing").get_by_role("status")).to_contain_text("min 10")
        expect(card(page, "Limits and closing").get_by_role("status")).to_contain_text(re.compile(r"4[0-5]:\d\d"))
    signs.get_by_label("Minutes ahead").last.fill("60")
    signs.get_by_role("button", name="Announce the closing").click()
    expect(card(ivo, "Limits and closing").get_by_text("The table closes in")).to_be_visible()
    sue.get_by_role("link", name="Promotions").click()
    sue.get_by_role("button", name="Register a promotion").click()
    house = sue.get_by_role("dialog")
    offer = house.get_by_role("group", name="Offer")
    for term in offer.get_by_role("group", name="Terms").get_by_role("textbox").all():
        term.fill("as the brochure says")
    offer.get_by_label("Marketing").fill("the terms are at the channel")
    offer.get_by_label("Channels").fill("a page of the casino, a brochure")
    offer.get_by_label("Starts").fill("2099-06-01T12:00")
    offer.get_by_label("Closes").fill("2099-06-03T20:00")
    offer.get_by_role("textbox", name="Value", exact=True).fill("500")
    house.get_by_role("textbox", name="Promotion", exact=True).fill("Spring draw")
    house.get_by_role("button", name="Do it").click()
    expect(card(sue, "Promotions")).to_contain_text("Spring draw")
    check_both(sue)


def test_a_roll_that_is_struck_out_is_told_where_the_roll_stood(
    boxes: dict[str, Page], crew: dict[str, Player]
) -> None:
    """The box reads beforehand what becomes of the chips; the player's headline says that the roll counts no more."""
    hal, dee, bob = crew["hal"], crew["dee"], boxes["bob"]
    assert crew["bob"].act("command.bet", wager="field", amount=500).is_success
    assert hal.act("table.close_bets").is_success
    for who in (hal, dee):
        assert who.act("table.read_dice", dice=[2, 1]).is_success
    expect(bob.locator("[data-result]")).to_contain_text("2-1")
    expect(card(boxes["hal"], "What takes two people")).to_contain_text("2-1: ")
    expect(card(boxes["hal"], "What takes two people")).to_contain_text("goes back to the rails")
    last = hal.get("/tables/one/floor").json()["last_roll"]
    why = "a die was cocked against the rail, and both of them saw it lie so"
    act = {"kind": "table.correct", "reverses": last, "reason": why}
    approval = crew["sue"].post("/tables/one/approvals", {"what": "table.correct", "act": act}).json()["approval"]
    assert hal.post("/tables/one/acts", act, **{"Second-Person": approval}).is_success
    expect(bob.locator("[data-call]")).to_contain_text(f"does not count: it is struck out ({why})")
    expect(bob.locator("[data-last]")).to_have_text("0")  # what comes back is not won
    size = bob.viewport_size
    assert size
    bob.set_viewport_size({"width": 390, "height": 664})
    told, asks = (bob.locator(each).bounding_box() for each in (".told", "[data-result] .why"))
    assert told
    assert asks
    assert asks["y"] + asks["height"] <= told["y"] + told["height"], "however long the reason, what follows is in sight"
    bob.set_viewport_size(size)
    expect(bob.locator("[data-result]")).to_contain_text("your rail")
    expect(bob.locator("[data-result]")).not_to_contain_text("2-1")
