"""Somebody in a browser at a practice table whose dice are given: what they do by mouse and keys, what they see."""

from __future__ import annotations

import time
from itertools import product
from typing import TYPE_CHECKING, Any, Literal

import pytest
from playwright.sync_api import expect

from tests.web.server import Player

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playwright.sync_api import Locator, Page

    from tests.web.server import Server


def in_turn(*columns: Sequence[Any]) -> list[Any]:
    """Each value of the longest column once, with the others' in turn; the campaign has all other combinations."""
    often = {tuple(column[at % len(column)] for column in columns) for at in range(max(map(len, columns)))}
    return [pytest.param(*row, marks=() if row in often else pytest.mark.campaign) for row in product(*columns)]


class Seat:
    """A window at a table."""

    def __init__(self, page: Page, house: str = "adelaide", **asked: Any) -> None:  # noqa: ANN401 - a body
        """Open a table and sit down at it."""
        self.page = page
        page.goto("/")
        self.table = self.post("/practice", {"house": house, "dice": "given", **asked})["table"]["table"]
        self.go()

    def go(self) -> None:
        """Look at the table."""
        self.page.goto(f"/#/table/{self.table}")
        expect(self.spot("pass")).to_be_visible()

    def post(self, path: str, body: dict[str, Any]) -> Any:  # noqa: ANN401 - an answer
        """Ask the service with the window's own cookie."""
        base = self.page.evaluate("location.origin")
        key = {"Idempotency-Key": f"t{time.monotonic_ns()}", "Origin": base}
        answer = self.page.request.post(base + path, data=body, headers=key)
        assert answer.ok, answer.text()
        return answer.json()

    def wish(self, wish: Literal["bet", "odds"], wager: str, about: int | None = None) -> None:
        """Ask the dealers for a bet or odds without the felt."""
        amount = "max" if about is None and wish == "odds" else f"about {(about or 500) / 100:g}"
        self.say(f"{amount} odds on {wager}" if wish == "odds" else f"{amount} on {wager}")

    def say(self, line: str) -> None:
        """Talk to the dealers without the page; what they ask about puts is answered with yes."""
        asked = self.post(f"/tables/{self.table}/talk", {"say": line})["question"]
        if asked:
            self.say(asked["options"][0]["line"])

    def joined_by(self, pit: Server, name: str, *wagers: str, about: int = 1_500) -> Player:
        """Somebody else sits down at the table by its link, and bets."""
        link = self.post(f"/tables/{self.table}/links", {"role": "player"})["link"]
        told = pit.http.post("/guests", json={"name": name, "link": link}).json()
        other = Player(pit, told["token"], self.table, told["person"])
        assert other.act("command.sit", buyin=100_000).is_success
        for wager in wagers:
            other.post(f"/tables/{self.table}/talk", {"say": f"about {about / 100:g} on {wager}"})
        return other

    def throw(self, first: int, second: int, call: str | None = None) -> None:
        """The dice fall so; wait until they are called here."""
        act = {"kind": "command.throw", "roll": {"first": first, "second": second}}
        sequence = self.post(f"/tables/{self.table}/acts", act)["sequence"]
        expect(self.page.locator("[data-result]")).to_have_attribute("data-result", str(sequence))
        if call is not None:
            expect(self.page.locator("[data-call]")).to_contain_text(call, ignore_case=True)

    def spot(self, key: str) -> Locator:
        """A place on the felt."""
        return self.page.locator(f'[data-spot="{key}"]').first

    def chips(self, wager: str, seat: int = 1) -> Locator:
        """Somebody's chips on a wager."""
        return self.page.locator(f'[data-chips="{seat}:{wager}"]')

    def up(self, wager: str, amount: str, seat: int = 1) -> None:
        """So much stands there."""
        expect(self.chips(wager, seat)).to_have_text(amount)

    def gone(self, wager: str, seat: int = 1) -> None:
        """Nothing stands there."""
        expect(self.chips(wager, seat)).to_have_count(0)

    def click(self, wager: str, *, button: Literal["left", "right"] = "left") -> None:
        """A click on a spot, where its name is printed: the line is no rectangle."""
        printed = self.page.locator(f'[data-face="{wager}"] text, [data-spot="{wager}"] .area').last
        printed.scroll_into_view_if_needed()
        box = printed.bounding_box()
        assert box is not None
        self.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, button=button)

    def bet(self, wager: str, up: str) -> None:
        """A click on a spot, and what then stands there."""
        self.click(wager)
        self.up(wager, up)

    @property
    def result(self) -> Locator:
        """What the last roll did to them."""
        return self.page.locator("[data-result]")

    @property
    def rail(self) -> Locator:
        """Their money."""
        return self.page.locator("[data-rail]")

    def button(self, word: str) -> Locator:
        """A button of the rail."""
        return self.page.locator(f'[data-wish="{word}"]')
