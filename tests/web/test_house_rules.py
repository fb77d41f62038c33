"""What a house holds its people to, asked over HTTP: signs, own limits, devices, who is on duty, who is kept out."""

from __future__ import annotations

import asyncio
from itertools import count
from typing import Any

import httpx
import pytest

from passline.journal.memory import MemoryJournal
from passline.pit.people.people import By
from passline.pit.pit import Opening, Pit
from passline.web.app import make_app
from passline.web.service import Service
from tests.pit.play import KEYS, NOW

CREW = {"dea": "dealer", "sam": "stick", "box": "box", "bo2": "box", "ann": "player", "bob": "player"}
HOUSE = {"sue": "supervisor", "tom": "supervisor", "ivo": "inspector", "cas": "cashier"}


class House:
    """Two tables with one crew, the service before them, and somebody of each role."""

    def __init__(self, house: str = "sydney", *, wallets: bool = False) -> None:
        """Open it."""
        self.pit, self.keys = Pit(MemoryJournal(), KEYS, clock=lambda: NOW), count()
        by, people = By("house", "house", NOW), self.pit.people
        self.tokens = {name: people.guest(name.capitalize(), NOW)[1] for name in ("host", *CREW, *HOUSE)}
        for name, role in HOUSE.items():
            people.grant(name, role, None, "tonight", by, None)
        for table in ("one", "two"):
            opening = Opening(house, practice=False, wallets=wallets, staff=tuple(CREW.items()))
            self.pit.open(people.persons["host"], opening, By("host", "player", NOW), table)
        self.app = make_app(Service(self.pit))

    def send(self, who: str, method: str, path: str, body: object = None, approval: str = "") -> httpx.Response:
        """One request."""

        async def ask() -> httpx.Response:
            way = httpx.ASGITransport(self.app)
            async with httpx.AsyncClient(transport=way, base_url="http://localhost") as http:
                headers = {"Authorization": f"Bearer {self.tokens[who]}", "Idempotency-Key": f"k{next(self.keys)}"}
                headers |= {"Second-Person": approval} if approval else {}
                return await http.request(method, path, json=body, headers=headers)

        return asyncio.run(ask())

    def get(self, who: str, path: str) -> Any:  # noqa: ANN401 - JSON
        """What somebody sees."""
        answer = self.send(who, "GET", path)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def code(self, who: str, kind: str, second: str = "", table: str = "one", **fields: object) -> str:
        """What comes of an act: the code of a problem, or nothing; with somebody's approval, where one is named."""
        act, approval = {"kind": kind, **fields}, ""
        if second:
            given = self.send(second, "POST", f"/tables/{table}/approvals", {"what": kind, "act": act}).json()
            approval = given.get("approval", "")
            if not approval:
                return str(given["code"])
        answer = self.send(who, "POST", f"/tables/{table}/acts", act, approval)
        return "" if answer.status_code == 200 else str(answer.json()["code"])


# --- Signs ------------------------------------------------------------------------------------------------------------

UNFIT: dict[str, dict[str, Any]] = {
    "odds beyond the book": {"odds": dict.fromkeys(("4", "5", "6", "8", "9", "10"), 100)},
    "odds for one point alone": {"odds": {"4": 2}},
    "odds on a seven": {"odds": dict.fromkeys(("4", "5", "6", "7", "8", "9", "10"), 2)},
    "odds below nothing": {"odds": dict.fromkeys(("4", "5", "6", "8", "9", "10"), -1)},
    "no odds": {"odds": None},
    "another chip": {"chip": 2_500},
    "a minimum below nothing": {"minimum": -500},
    "a minimum of nothing": {"minimum": 0},
    "a minimum above the maximum": {"minimum": 2_000, "maximum": 1_000},
    "a minimum that is no whole chips": {"minimum": 501},
    "a minimum for props below nothing": {"props_minimum": -1},
}


@pytest.mark.clause("sydney:6.1.5.1")
@pytest.mark.parametrize("kind", ["floor.change_limits", "floor.sign_limits"])
@pytest.mark.parametrize("wrong", UNFIT)
def test_a_sign_that_cannot_be_dealt_is_no_sign(kind: str, wrong: str) -> None:
    """Pinned 105, audit 2: whoever asks for it, at the table itself or for later; nothing is written on the sign."""
    house = House()
    before = house.get("ann", "/tables/one")
    later = {"at": "2026-11-15T21:00:00Z"} if kind == "floor.sign_limits" else {}
    said = house.code("box", kind, notice=before["notice"] | UNFIT[wrong], **later)
    assert said.split(".")[0] in ("notice", "floor"), said
    after = house.get("ann", "/tables/one")
    assert (after["notice"], after["sign"], after["limits_sign"]) == (before["notice"], before["sign"], None)
    assert house.code("box", kind, notice=before["notice"], **later) == ""


@pytest.mark.clause("sydney:7.6")
def test_a_players_own_limits_are_on_the_sign_and_on_their_spots() -> None:
    """Pinned 106: for everybody who looks, and on every spot of that player; the minimum is not raised."""
    house = House()
    for name in ("ann", "bob"):
        assert house.code(name, "command.sit", buyin=1_000_000) == ""
    sign = house.get("bob", "/tables/one")
    maximum = sign["notice"]["maximum"]
    limits = {"seat": 1, "minimum": sign["notice"]["minimum"], "maximum": 5 * maximum}
    assert (
        house.code("sue", "floor.sign_player_limits", "tom", **limits | {"minimum": 2 * limits["minimum"]})
        == "floor.amount"
    )
    assert house.code("sue", "floor.sign_player_limits", "tom", **limits | {"maximum": maximum}) == "floor.amount"
    assert house.get("bob", "/tables/one")["player_limits"] == {}
    assert house.code("sue", "floor.sign_player_limits", "tom", **limits) == ""
    seen = house.get("bob", "/tables/one")["player_limits"]
    assert list(seen) == ["1"]
    assert f"max {5 * maximum // 100}" in seen["1"]
    bounds = {
        name: house.get(name, "/tables/one/seat")["spots"].get("pass", {}).get("bounds") for name in ("ann", "bob")
    }
    assert bounds == {"ann": f"min 5, max {5 * maximum // 100}", "bob": None}, "who has none has the felt's"
    assert house.get("bob", "/tables/one/felt")["spots"]["pass"]["bounds"] == f"min 5, max {maximum // 100}"
    assert house.code("ann", "command.bet", wager="pass", amount=4 * maximum) == ""
    assert house.code("bob", "command.bet", wager="pass", amount=4 * maximum) != ""


# --- Devices ----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("sydney:9.6")
@pytest.mark.parametrize(("wallets", "book"), [(True, "sydney"), (False, "sydney"), (True, "exhibit-a")])
def test_the_houses_own_screen_is_no_device_where_the_book_forbids_one(*, wallets: bool, book: str) -> None:
    """Pinned 112: no chances, no edges, no counts of rolls; only where the book says so and chips are money."""
    house, forbidden = House(book, wallets=wallets), wallets and book == "sydney"
    clause = house.get("ann", "/tables/one")["analysis_forbidden"]
    assert (clause is not None) == forbidden
    spot = house.get("ann", "/tables/one/spots/field")
    assert ("44.44" in str(spot)) != forbidden
    strip = house.send("ann", "GET", "/tables/one/strip")
    assert ("expected" in strip.text) != forbidden, strip.text[:300]


# --- People -----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("sydney:9.2", "sydney:1.1.inspector")
def test_an_inspector_comes_on_duty_by_themselves() -> None:
    """Audit 16; nobody else is one by their own word."""
    house = House()
    assert house.code("ivo", "floor.come_on_duty", person="Ivo", title="inspector") == ""
    assert house.get("sue", "/tables/one/floor")["duty"] == {"ivo": "inspector"}
    assert house.code("dea", "floor.come_on_duty", person="Dea", title="inspector") == "person.unknown"
    assert house.code("ivo", "floor.go_off_duty", person="Ivo") == ""
    assert house.get("sue", "/tables/one/floor")["duty"] == {}


@pytest.mark.clause("sydney:9.12", "sydney:1.1.gaming-manager")
def test_a_title_is_held_by_whoever_was_given_it() -> None:
    """Pinned 110: neither by one's own word nor by a colleague's; two people give it, with the role."""
    house = House()
    for who, person in (("sue", "Sue"), ("sue", "Tom"), ("tom", "Sue")):
        assert house.code(who, "floor.come_on_duty", person=person, title="Gaming Manager") == "person.title"
    by = By("house", "house", NOW)
    house.pit.people.grant("sue", "supervisor", None, "she was made manager", by, None, "Gaming Manager")
    assert house.code("sue", "floor.come_on_duty", person="Sue", title="Gaming Manager") == ""
    assert house.code("sue", "floor.come_on_duty", person="Tom", title="Gaming Manager") == "person.title"


@pytest.mark.clause("sydney:9.3.3")
@pytest.mark.parametrize(("who", "second"), [("box", "sue"), ("sue", "box"), ("sue", "tom")])
def test_who_is_excluded_is_excluded_from_the_house(who: str, second: str) -> None:
    """Pinned 107: whichever of the two asked, the next table does not seat them; two of one table exclude nobody."""
    house = House()
    assert house.code("bob", "command.sit", buyin=10_000) == ""
    assert (
        house.code("dea", "floor.report_conduct", person="Bob", standing="player", breach="device", details="a counter")
        == ""
    )
    measure: dict[str, Any] = {"report": 1, "measure": "exclude", "reason": "two saw it"}
    assert house.code("box", "floor.sanction", "bo2", **measure) == "person.supervisor"
    assert house.code("bob", "command.sit", table="two", buyin=10_000) == ""
    assert house.code("bob", "command.leave", table="two") == ""
    assert house.code(who, "floor.sanction", second, **measure) == ""
    assert house.code("bob", "command.sit", table="two", buyin=10_000) == "floor.barred"
    assert house.code("bob", "command.bet", wager="pass", amount=1_000) == "floor.barred"
    assert "bob" in house.get("ivo", "/floor")["floor"]["barred"]
