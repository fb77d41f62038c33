"""Every view of the page as somebody comes to it, for the tests and for those who take pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.browser.seat import Seat

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from tests.web.server import Server

HOUSES = ("adelaide", "sydney", "exhibit-a", "fire-bonus", "crapless", "strip")
OTHERS = ("Ben", "Cleo", "Dan", "Eve", "Finn", "Gwen", "Hugo")
CROWDED = ("pass", "field", "place_6", "place_8", "come", "hard_8", "place_9", "dont_come", "place_5", "any_craps")


def hand(seat: Seat, flat: int) -> None:
    """A point, odds, come bets, a placed number: a felt with something on it."""
    seat.wish("bet", "pass", flat)
    seat.throw(4, 2)
    seat.wish("odds", "pass", 2 * flat)
    seat.wish("bet", "come", flat)
    seat.throw(5, 4)
    seat.wish("odds", "come_9", flat)
    seat.wish("bet", "place_8", 1_800)
    seat.wish("bet", "field", flat)
    seat.wish("bet", "hard_8", 500)
    seat.throw(5, 3)
    seat.wish("bet", "come", flat)


def at(path: str) -> Callable[[Page, Server], None]:
    """A view that only has to be gone to."""

    def go(page: Page, _: Server) -> None:
        page.goto(f"/#/{path}")

    return go


def table(house: str, *, others: bool = False, tab: str = "") -> Callable[[Page, Server], None]:
    """A hand in a house, alone or in company, with one of the tabs beside it."""

    def play(page: Page, pit: Server) -> None:
        seat = Seat(page, house, name="Ann", buyin=200_000)
        seat.wish("bet", "pass", 2_500)
        for number, name in enumerate(OTHERS if others else ()):
            seat.joined_by(pit, name, *(CROWDED[: 4 + number % 4] if number % 2 else CROWDED[2:]))
        hand(seat, 2_500)
        if not tab:
            seat.spot("place_6").hover()
            return
        page.get_by_role("tab", name=tab).click()
        expect(page.locator("#panel table, #panel .chart")).to_be_visible()

    return play


def come_out(page: Page, _: Server) -> None:
    """A table at which nothing has happened."""
    Seat(page, "adelaide", name="Ann")


def box_sheet(page: Page, _: Server) -> None:
    """The stick's box on a phone."""
    seat = Seat(page, "strip", name="Ann", buyin=200_000)
    hand(seat, 2_500)
    page.set_viewport_size({"width": 390, "height": 844})
    page.get_by_role("button", name="Stick’s box").click()


def why(page: Page, _: Server) -> None:
    """Why chips moved."""
    seat = Seat(page, "adelaide", name="Ann", buyin=200_000)
    hand(seat, 2_500)
    seat.throw(6, 1)
    page.get_by_role("button", name="Why?").click()


def refused(page: Page, _: Server) -> None:
    """A bet that the house does not take."""
    seat = Seat(page, "adelaide", name="Ann")
    seat.click("come")


def host(page: Page, _: Server) -> None:
    """A table that was opened, with its code."""
    page.goto("/#/host")
    page.get_by_label("Your name at the table").fill("Hanna")
    page.get_by_role("button", name="Open the table").click()
    page.get_by_role("button", name="Let phones on this network in").click()
    expect(page.get_by_role("img", name="QR")).to_be_visible()


def invited(page: Page, pit: Server) -> None:
    """Somebody who was sent a link."""
    ann = pit.practice(house="sydney", name="Ann")
    page.goto(f"/#/join/{ann.post(f'/tables/{ann.table}/links', {'role': 'player'}).json()['link']}")


def lobby(page: Page, pit: Server) -> None:
    """The lobby with a table of one's own, and one of somebody else's."""
    Seat(page, "sydney", name="Ann")
    pit.account("Olga").post("/tables", {"table": "thursday", "house": "strip", "listed": True})
    page.goto("/#/lobby")


def me(page: Page, _: Server) -> None:
    """Somebody's own page."""
    Seat(page, "sydney", name="Ann")
    page.goto("/#/me")


def lesson(page: Page, _: Server) -> None:
    """The first lesson, in the middle."""
    page.goto("/#/learn")
    page.get_by_role("button", name="Put 5 on Pass Bet").click()
    page.get_by_role("button", name="Roll", exact=True).click()


def replay(page: Page, _: Server) -> None:
    """A hand of one's own, played again."""
    seat = Seat(page, "adelaide", name="Ann", buyin=200_000)
    hand(seat, 2_500)
    seat.throw(6, 1)
    page.get_by_role("link", name="Past hands").click()
    page.get_by_role("link", name="rolls").first.click()
    page.get_by_role("button", name="To the next roll").click()


def fair(page: Page, pit: Server) -> None:
    """Dice that were checked."""
    ann = pit.practice(name="Fay")
    page.context.add_cookies([{"name": "passline", "value": ann.token, "url": pit.address}])
    for _ in range(9):
        ann.act("command.bet", wager="pass", amount=500)
        ann.act("table.roll")
    page.goto(f"/#/fair/{ann.table}")
    expect(page.get_by_role("heading", name="everything checks")).to_be_visible()


def school(drill: str) -> Callable[[Page, Server], None]:
    """An exercise, answered, and the sheet below it."""

    def learn(page: Page, _: Server) -> None:
        page.goto(f"/#/school/sydney/{drill}/2/7")
        expect(page.locator("#asks")).to_be_visible()
        page.keyboard.press("a")
        amounts = page.locator(".work input:not([type=radio], [type=checkbox])")
        for field in amounts.all():
            field.fill("5")
        if page.get_by_role("button", name="Check").is_enabled():
            page.get_by_role("button", name="Check").click()
            expect(page.get_by_role("button", name="Next")).to_be_visible()

    return learn


def lab(button: str, strategies: int = 1) -> Callable[[Page, Server], None]:
    """A question of the lab and its answer."""

    def ask(page: Page, _pit: Server) -> None:
        page.goto("/#/lab")
        page.get_by_label("Rolls", exact=True).fill("100")
        for _ in range(strategies - 1):
            page.get_by_role("button", name="Another strategy").click()
        if button == "Run the sweep":
            page.get_by_text("Sweep: other numbers").click()
        if button:
            page.get_by_role("button", name=button).click()
            expect(page.get_by_text("Show both")).to_be_visible()

    return ask


def builder(page: Page, _: Server) -> None:
    """A strategy in blocks."""
    page.goto("/#/lab")
    page.get_by_role("button", name="Build").click()
    page.get_by_role("button", name="Another want").click()


def house(page: Page, _: Server) -> None:
    """A house with a changed price."""
    page.goto("/#/lab/house")
    page.get_by_role("button", name="Copy this house").click()
    page.get_by_label("Section").select_option("Field")  # once every wager is priced
    price = page.get_by_label("The price of each winning total: 12")
    price.fill("2:1")
    price.press("Tab")
    expect(page.locator('[data-wager="field"]')).to_be_visible()


def box(report: str = "") -> Callable[[Page, Server], None]:
    """The box of a table with real dice, or one of the reports at its desk."""

    def stand(page: Page, pit: Server) -> None:
        name = f"box-{report or 'shift'}"
        apart = name.removeprefix("box").strip("-") or "felt"  # nobody takes a word for somebody of the house
        hal, sue = pit.account(f"Hal-{apart}"), pit.account(f"Sue-{apart}")
        hal.table = sue.table = name
        crew = [{"person": sue.person, "role": role} for role in ("box", "dealer")]
        crew.append({"person": hal.person, "role": "stick"})
        hal.post("/tables", {"table": name, "house": "sydney", "dice": "real", "staff": crew})
        hal.act("command.sit", buyin=50_000)
        for dice in ([4, 2], [5, 3], [2, 1]):
            for wager in ("pass", "field"):
                hal.act("command.bet", wager=wager, amount=1_000)
            hal.act("table.close_bets")
            hal.act("table.read_dice", dice=dice)
            sue.act("table.read_dice", dice=dice)
        hal.act("table.close_bets")
        hal.act("command.call_no_roll", reason="stacked")
        hal.act("table.close_bets")
        page.context.add_cookies([{"name": "passline", "value": hal.token, "url": pit.address}])
        page.goto(f"/#/night/table/{name}" if report else f"/#/box/{name}")
        if report:
            page.get_by_role("button", name="The books").click()
            page.get_by_role("combobox", name="Report").select_option(report)
            page.wait_for_load_state("networkidle")

    return stand


VIEWS: dict[str, Callable[[Page, Server], None]] = {
    "lobby-new": at("lobby"),
    "lobby": lobby,
    "houses": at("houses"),
    "host": at("host"),
    "host-open": host,
    "join": invited,
    "me-new": at("me"),
    "me": me,
    "learn": lesson,
    "table-new": come_out,
    **{f"table-{house}": table(house) for house in HOUSES},
    "table-company": table("adelaide", others=True),
    **{f"table-company-{house}": table(house, others=True) for house in HOUSES if house != "adelaide"},
    "table-rolls": table("adelaide", tab="Rolls"),
    "table-evening": table("adelaide", tab="evening"),
    "table-box": box_sheet,
    "table-why": why,
    "table-refused": refused,
    "school": at("school"),
    "school-pay": school("pays"),
    "school-layout": school("layout"),
    "lab": lab(""),
    "lab-exact": lab("Work it out"),
    "lab-compare": lab("Compare on the same dice", 3),
    "lab-sweep": lab("Run the sweep"),
    "lab-builder": builder,
    "lab-house": house,
    "replay-new": at("replay"),
    "replay": replay,
    "fair": fair,
    "box": box(),
    "box-events": box("events"),
    "box-voids": box("voids"),
}


def come_to(page: Page, pit: Server, view: str) -> None:
    """Come to a view, and wait until all of it is there."""
    VIEWS[view](page, pit)
    page.wait_for_load_state("networkidle") if "table" not in view else page.wait_for_timeout(500)
