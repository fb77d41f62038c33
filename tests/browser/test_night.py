"""A night run on the page: people paid in and seated, a fill, a dispute, an exclusion, counts, the books."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import pytest
from playwright.sync_api import expect

from passline.journal.contract import now
from passline.journal.sqlite import SqliteJournal
from passline.pit.people.people import By, People
from tests.browser.axe import check_both
from tests.browser.seat import in_turn
from tests.web.server import Player, Server

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Locator, Page

STAFF = {"Sue": "supervisor", "Tom": "supervisor", "Cay": "cashier", "Cob": "cashier", "Ivo": "inspector"}
OTHERS = ("Bo", "Ann", "Ben", "Zoe")
SIZES = {"tablet": (1024, 768), "upright": (768, 1024), "phone": (390, 844)}
PARTS = ("", "/tables", "/table/friday", "/people", "/cage", "/promotions", "/reports")


def password(name: str) -> str:
    return f"a dozen red chips {len(name)}"


class Night(NamedTuple):
    """The service, everybody's token, and a browser for each who asks for one."""

    server: Server
    tokens: dict[str, str]
    browser: Browser

    def page(self, name: str, size: tuple[int, int] = (1024, 768), scheme: str = "dark") -> Page:
        context = self.browser.new_context(
            base_url=self.server.address,
            viewport={"width": size[0], "height": size[1]},
            color_scheme=scheme,  # type: ignore[arg-type]
            reduced_motion="reduce",
        )
        token = self.tokens[name]
        context.add_cookies([{"name": "passline", "value": token, "url": self.server.address}])
        return context.new_page()

    def player(self, name: str, table: str = "") -> Player:
        return Player(self.server, self.tokens[name], table, name.lower())


@pytest.fixture(scope="module")
def night(tmp_path_factory: pytest.TempPathFactory, browser: Browser) -> Iterator[Night]:
    """A house with its people and nothing else."""
    folder = tmp_path_factory.mktemp("night")
    journal = SqliteJournal(folder / "pit.db")
    people, house, tokens = People(journal, now()), By("house", "house", now()), {}
    for name in (*STAFF, *OTHERS):
        person = people.add(name, password(name), house)
        tokens[name] = people.issue(person.id, By(person.id, "player", now()))
        if name in STAFF:
            people.grant(person.id, STAFF[name], None, "tonight's pit", house, None)
    journal.close()
    server = Server(folder, None, "--house", "sydney", "--quiet", "--rate", "2000")
    yield Night(server, tokens, browser)
    assert server.stop() == 0


STORY = {"ends": ""}


@pytest.fixture(autouse=True)
def chapter(request: pytest.FixtureRequest) -> Iterator[None]:
    """The night is one story: where a part of it failed, the rest fails at once."""
    if STORY["ends"]:
        pytest.fail(f"the night ended at {STORY['ends']}", pytrace=False)
    failed = request.session.testsfailed
    yield
    if request.session.testsfailed > failed:
        STORY["ends"] = request.node.name


def card(page: Page, title: str) -> Locator:
    return page.locator("section.card").filter(has=page.get_by_role("heading", name=title, exact=True))


def row(page: Page, words: str) -> Locator:
    return page.locator("ul.rows > li").filter(has_text=words)


def signed(page: Page, second: str) -> None:
    """The second person signs where they are asked for."""
    form = page.get_by_role("dialog")
    go_on, name = form.get_by_role("button", name="Go on with a second person"), form.get_by_label("Second person")
    expect(go_on.or_(name).first).to_be_visible()
    if go_on.is_visible():
        go_on.click()
    if name.evaluate("each => each.tagName") == "SELECT":
        name.select_option(second)
    else:
        name.fill(second)
    form.get_by_label("Their password").fill(password(second))
    form.get_by_role("button", name="Decide it together").click()
    expect(page.get_by_role("dialog")).to_have_count(0)


def counted(page: Page, **pieces: int) -> None:
    """So many of each denomination, told as `d100`."""
    for denomination, count in pieces.items():
        page.get_by_role("dialog").get_by_label(f"{denomination[1:]} ×", exact=True).fill(str(count))


def test_the_house_is_opened_and_two_give_a_role(night: Night) -> None:
    """A table for the house's money with its box; a role takes two, and is seen at once."""
    sue = night.page("Sue")
    sue.goto("/#/night/tables")
    sue.get_by_role("link", name="Open a table").click()
    sue.locator("form select").first.select_option("sydney")
    sue.get_by_label("Name of the table").fill("friday")
    sue.get_by_role("radio", name="Real dice").check()
    sue.get_by_label("For the house’s money").check()
    sue.get_by_label("Who works with you").fill("Bo")
    sue.get_by_role("combobox", name="As", exact=True).select_option("box")
    sue.get_by_role("button", name="Open the table").click()
    expect(sue.get_by_text("friday").first).to_be_visible()
    sue.goto("/#/night/people")
    for player in ("Ann", "Ben", "Zoe"):
        row(sue, player).get_by_role("button", name="Give a role").click()
        form = sue.get_by_role("dialog")
        form.get_by_label("Role").select_option("player")
        form.get_by_label("Where").select_option("friday")
        form.get_by_label("Reason").fill("plays tonight")
        signed(sue, "Tom")
        expect(row(sue, player)).to_contain_text("friday: player")
    check_both(sue)
    sue.context.close()


def test_money_comes_in_by_a_drawer_and_above_the_sum_by_two(night: Night) -> None:
    """Nothing is offered before the drawer is open; a large payment asks for its second person where it is."""
    cay = night.page("Cay")
    cay.goto("/#/night/cage")
    expect(cay.get_by_text("Open your drawer before")).to_be_visible()
    expect(cay.get_by_role("navigation").get_by_role("link", name="Tonight")).to_be_visible()
    expect(cay.get_by_role("button", name="Pay in")).to_have_count(0)
    cay.get_by_role("button", name="Open your drawer").click()
    counted(cay, d100=50, d20=100)
    expect(cay.get_by_role("dialog")).to_contain_text("7,000 in all")
    signed(cay, "Cob")
    expect(card(cay, "Drawers")).to_contain_text("Cay")
    for player, amount in (("Ann", "600"), ("Ben", "1500"), ("Zoe", "300")):
        cay.get_by_role("button", name="Pay in").first.click()
        form = cay.get_by_role("dialog")
        form.get_by_label("Player").fill(player)
        form.get_by_label("Amount").fill(amount)
        form.get_by_label("Reason").fill("to play")
        for odd in ("7,50", "12.345", "1,500"):
            form.get_by_label("Amount").fill(odd)
            form.get_by_role("button", name="Do it").click()
            expect(form.get_by_label("Amount")).to_have_value(odd)
            assert "at most two decimals" in form.get_by_label("Amount").evaluate("each => each.validationMessage")
        form.get_by_label("Amount").fill(amount)
        if amount == "1500":
            expect(form.get_by_role("button", name="Do it")).to_have_count(0)
            signed(cay, "Sue")
        else:
            form.get_by_role("button", name="Do it").click()
            expect(cay.get_by_text(f"Pay in: {player}: done, {amount}.")).to_be_visible()
        expect(row(cay, player)).to_contain_text(f"{int(amount):,}")
    expect(cay.get_by_role("link", name="Reports")).to_have_count(0)  # who counts is not told what must be there
    check_both(cay)
    cay.context.close()


def test_the_float_is_counted_filled_and_a_dispute_goes_its_way(night: Night) -> None:
    """Box and cashier at the bank; a player disputes, the box decides, a supervisor reviews."""
    bo = night.page("Bo")
    bo.goto("/#/night/table/friday")
    bank = card(bo, "The table’s bank")
    expect(bank.get_by_role("button")).to_have_text(["Count the float"])
    bank.get_by_role("button", name="Count the float").click()
    counted(bo, d500=4, d100=20, d25=40, d5=100)
    signed(bo, "Sue")
    expect(bo.locator("[data-counted]")).to_contain_text("the first count of this float")
    expect(bank).to_contain_text("float counted, no slips")
    for player in ("Ann", "Ben"):
        assert night.player(player, "friday").act("command.sit", buyin=50_000).status_code == 200
    bank.get_by_role("button", name="Fill").click()
    counted(bo, d100=5)
    signed(bo, "Cay")
    expect(bank).to_contain_text("one slip")
    expect(row(bo, "1: Ann")).to_contain_text("500 on the rail")
    assert (
        night.player("Ann", "friday").act("floor.raise_dispute", person="Ann", about="my bet was not paid").is_success
    )
    disputes = card(bo, "Disputes")
    expect(disputes).to_contain_text("my bet was not paid")
    disputes.get_by_role("button", name="Decide").click()
    bo.get_by_role("dialog").get_by_label("Decision").fill("no bet was up")
    bo.get_by_role("dialog").get_by_role("button", name="Do it").click()
    expect(disputes).to_contain_text("decided")
    expect(disputes.get_by_role("button", name="Decide")).to_have_count(0)
    assert night.player("Ann", "friday").act("floor.ask_review", dispute=1).is_success
    expect(disputes).to_contain_text("review asked for")
    expect(disputes.get_by_role("button", name="Review")).to_have_count(0)  # who decided does not review
    expect(disputes).to_contain_text("This waits for: somebody higher.")
    sue = night.page("Sue")
    sue.goto("/#/night")
    expect(row(sue, "friday: Ann disputes something")).to_be_visible()
    sue.get_by_role("link", name=re.compile("Look friday: Ann")).click()
    card(sue, "Disputes").get_by_role("button", name="Review").click()
    sue.get_by_role("dialog").get_by_label("Decision").fill("it stands")
    sue.get_by_role("dialog").get_by_role("button", name="Do it").click()
    expect(card(sue, "Disputes")).to_contain_text("reviewed")
    check_both(sue)
    for page in (bo, sue):
        page.context.close()


def test_whoever_sits_down_for_money_says_how_much(night: Night) -> None:
    """What is in the wallet is shown and proposed, however little it is; a part of it can be bought."""
    zoe = night.page("Zoe", SIZES["phone"])
    invited = night.player("Sue", "friday").post("/tables/friday/links", {"role": "player"}).json()["link"]
    zoe.goto(f"/#/join/{invited}")
    zoe.get_by_role("button", name="Sit down").click()  # and is asked at once how many chips
    expect(zoe.locator("[data-wallet]")).to_have_text("300 is in your wallet.")
    expect(zoe.get_by_label("Buy chips")).to_have_value("300")
    zoe.get_by_label("Buy chips").fill("250.5")
    zoe.get_by_role("button", name="Sit down").click()
    expect(zoe.get_by_label("Buy chips")).to_have_value("250.5")
    assert zoe.get_by_label("Buy chips").evaluate("each => each.validity.stepMismatch")
    zoe.get_by_label("Buy chips").fill("250")
    full = {"status": 409, "json": {"code": "seat.none", "detail": "There is no such place.", "clause": None}}
    zoe.route("**/tables/friday/acts", lambda route: route.fulfill(**full))
    zoe.get_by_role("button", name="Sit down").click()
    expect(zoe.get_by_role("alert")).to_have_text("There is no such place.")
    zoe.unroute("**/tables/friday/acts")
    zoe.get_by_role("button", name="Sit down").click()
    expect(zoe.locator("[data-rail]")).to_have_text("250")
    assert night.player("Zoe", "friday").act("command.leave").is_success
    zoe.context.close()


def test_somebody_is_excluded_and_nothing_is_taken_of_theirs(night: Night) -> None:
    sue, cay, ben = night.page("Sue"), night.page("Cay"), night.page("Ben", SIZES["phone"])
    ben.goto("/#/table/friday")
    expect(ben.locator("[data-rail]")).to_be_visible()
    expect(ben.locator("[data-excluded]")).to_have_count(0)
    sue.goto("/#/night/people")
    row(sue, "Ben").get_by_role("button", name="Give a comp").click()
    expect(sue.locator("[data-beforehand]")).to_contain_text("Given so far: 0.")
    sue.keyboard.press("Escape")
    row(sue, "Ben").get_by_role("button", name="Exclude").click()
    expect(sue.get_by_role("dialog").get_by_role("heading", name="Exclude: Ben")).to_be_visible()
    sue.get_by_role("dialog").get_by_label("Reason").fill("he threatened a dealer")
    sue.get_by_role("dialog").get_by_role("button", name="Go on with a second person").click()
    expect(sue.get_by_role("dialog").locator("form.second")).to_contain_text("Exclude: Ben")
    signed(sue, "Tom")
    expect(row(sue, "Ben")).to_contain_text("excluded")
    expect(row(sue, "Ben").get_by_role("button", name="Let play again")).to_be_visible()
    cay.goto("/#/night/cage")
    expect(row(cay, "Ben").get_by_role("button")).to_have_text(["Pay out"])
    # He still sits there with chips: that waits for somebody, is marked at his seat, and he is told what to do.
    sue.goto("/#/night")
    expect(row(sue, "friday: Ben at seat 2 may not play any more")).to_contain_text("500 in chips")
    sue.goto("/#/night/table/friday")
    expect(row(sue, "2: Ben")).to_contain_text("excluded")
    expect(ben.locator("[data-excluded]")).to_contain_text("Leave the table")
    check_both(ben)
    ben.goto("/#/me")
    expect(card(ben, "Your limits")).to_contain_text("in your wallet, 1,000, is paid out")
    expect(card(ben, "Your limits")).to_contain_text("At friday you have 500. Leave that table")
    for page in (sue, cay, ben):
        page.context.close()


def test_a_sign_hangs_where_players_see_it(night: Night) -> None:
    """Limits to come and a closing count down on the felt; a player's own limits stand there too."""
    sue, ann = night.page("Sue"), night.page("Ann")
    sue.goto("/#/night/table/friday")
    signs = card(sue, "Limits and closing")
    signs.get_by_label("Minimum").fill("10")
    signs.get_by_label("Minutes ahead").first.fill("45")
    signs.get_by_role("button", name="Put up the sign").click()
    expect(signs.get_by_role("status").first).to_contain_text("min 10")  # what hangs there moves what is beneath it
    ann.goto("/#/table/friday")
    expect(ann.locator("[data-sign]").first).to_contain_text("min 10")
    expect(ann.locator("[data-sign]").first).to_contain_text(re.compile(r"4[45]:\d\d"))
    signs.get_by_label("Minutes ahead").last.fill("60")
    signs.get_by_role("button", name="Announce the closing").click()
    expect(ann.locator("[data-sign]").last).to_contain_text("closes in")
    row(sue, "1: Ann").get_by_role("button", name="Own limits").click()
    form = sue.get_by_role("dialog")
    form.get_by_label("Minimum").fill("5")
    form.get_by_label("Maximum").fill("2000")
    signed(sue, "Tom")
    expect(ann.get_by_text("Your own limits")).to_be_visible()
    for page in (sue, ann):
        page.context.close()


def test_a_player_sets_limits_and_stays_away(night: Night) -> None:
    """Under *Account*: a limit of loss over all tables, which holds; how to complain; not to be let play."""
    ann = night.page("Ann", SIZES["phone"], "light")
    ann.goto("/#/me")
    own = card(ann, "Your limits")
    own.get_by_role("button", name="Set limits").click()
    ann.get_by_role("dialog").get_by_label("Most to pay in on a day").fill("0")
    ann.get_by_role("dialog").get_by_label("Most to lose on a day").fill("550")
    ann.get_by_role("dialog").get_by_role("button", name="Do it").click()
    expect(own).to_contain_text("You lose at most 550 in a day")
    expect(own).to_contain_text("The chips that you hold at tables, 500, can still be lost")
    expect(own).to_contain_text("You pay in at most 0 in a day")  # nothing is not without a limit
    refused = night.player("Ann", "friday").act("command.buy_in", amount=10_000)
    assert refused.json()["code"] == "table.loss_limit"
    assert night.player("Ann", "friday").act("command.buy_in", amount=5_000).is_success
    expect(card(ann, "How to complain")).to_contain_text("friday: 1")
    check_both(ann)
    ann.context.close()


def test_the_night_is_counted_and_its_books_read(night: Night) -> None:
    """Everybody leaves, the float and the drawer are counted blind, and the reports agree and print."""
    for player in ("Ann", "Ben"):
        night.player(player, "friday").act("command.leave")
    bo, cay, sue = (night.page(name) for name in ("Bo", "Cay", "Sue"))
    bo.goto("/#/night/table/friday")
    for when, fives, said in (
        ("shift", 99, "5,995 counted, 6,000 due, 5 short."),
        ("closing", 99, "5,995 counted, 5,995 due: nothing is missing."),
        ("closing", 100, "6,000 counted, 5,995 due, 5 over."),
    ):
        card(bo, "The table’s bank").get_by_role("button", name="Count the float").click()
        bo.get_by_role("dialog").get_by_label("When").select_option(when)
        counted(bo, d500=4, d100=25, d25=40, d5=fives)
        signed(bo, "Tom")
        expect(bo.locator("[data-counted]")).to_have_text(said)
    cay.goto("/#/night/cage")
    cay.get_by_role("button", name="Count and close your drawer").click()
    counted(cay, d100=74, d20=100)
    signed(cay, "Cob")
    expect(cay.locator("[data-counted]")).to_have_text("9,400 counted, 9,400 due: nothing is missing.")
    expect(card(cay, "Drawers")).to_contain_text("No drawer is open")
    sue.goto("/#/night/reports")
    report = sue.get_by_role("combobox", name="Report")
    for name in report.locator("option").all():
        value = str(name.get_attribute("value"))
        report.select_option(value)
        if value != "statement":
            expect(sue.locator(".report h2")).to_contain_text(name.inner_text())
    report.select_option("ratings")
    expect(sue.locator(".report h2")).to_contain_text("Ratings")
    hidden = "(each) => each.scrollWidth - each.clientWidth"
    assert sue.locator(".scroll.report").evaluate(hidden) <= 0, "the comps are in sight on a tablet"
    report.select_option("cage")
    expect(sue.locator(".report")).to_contain_text("drawer counted")
    expect(sue.locator("tr.look")).to_have_count(0)
    report.select_option("balance")
    expect(sue.locator(".report")).to_contain_text("It balances.")
    report.select_option("tables")
    expect(sue.locator(".report")).to_contain_text("closing")
    sue.emulate_media(media="print")
    expect(sue.get_by_role("navigation").first).not_to_be_visible()
    expect(sue.get_by_text("Read and signed by")).to_be_visible()
    sue.emulate_media(media="screen")
    check_both(sue)
    for page in (bo, cay, sue):
        page.context.close()


@pytest.mark.parametrize(("part", "size"), in_turn(PARTS, tuple(SIZES)))
def test_every_part_fits_a_tablet_and_a_phone(night: Night, part: str, size: str) -> None:
    page = night.page("Sue", SIZES[size])
    page.goto(f"/#/night{part}")
    expect(page.get_by_role("heading", name="Tonight")).to_be_visible()
    page.wait_for_load_state("networkidle")
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= SIZES[size][0], f"the page is {wide} wide"
    page.context.close()
