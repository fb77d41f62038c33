"""The night on one page: the tables that go on whatever is in memory, and every act somewhere to be done."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import httpx

from passline.engine.commands import Bet, Leave, Shoot, Sit
from passline.floor.register import ACTS, choices
from passline.journal.memory import MemoryJournal
from passline.live.drafts import by_the_house
from passline.live.requests import Ask
from passline.pit.people.people import By
from passline.pit.pit import Opening, Pit
from passline.web.acts import FORMS
from passline.web.app import make_app
from passline.web.service import Service
from tests.pit.hands import Device, deal
from tests.pit.play import KEYS, NOW
from tests.web.scene import KINDS

BROWSER = Path(__file__).parents[2] / "browser" / "src"
STAFF = {"Sue": "supervisor", "Tom": "supervisor", "Cay": "cashier"}


class House:
    """A club with two supervisors and a table that Ann sits at; the program can start again."""

    def __init__(self) -> None:
        """Open it."""
        self.journal = MemoryJournal()
        pit = self.pit = Pit(self.journal, KEYS, clock=lambda: NOW)
        self.tokens = {name: pit.people.guest(name, NOW)[1] for name in ("Ann", *STAFF)}
        for name, role in STAFF.items():
            pit.people.grant(name.lower(), role, None, "tonight", By("house", "house", NOW), None)
        opening = Opening("sydney", practice=False, staff=(("ann", "player"),))
        self.table = pit.open(pit.people.persons["sue"], opening, By("sue", "player", NOW), "friday")
        self.table.do(Sit(1, "Ann", 50_000), Ask("ann", "player", "sits", NOW))
        self.app = make_app(Service(pit))

    def restarts(self) -> None:
        """Nothing is in memory any more."""
        self.app = make_app(Service(Pit(self.journal, KEYS, clock=lambda: NOW)))

    def send(self, who: str, method: str, path: str, body: Any = None, **headers: str) -> Any:  # noqa: ANN401 - JSON
        """What the service answers somebody."""

        async def ask() -> httpx.Response:
            way = httpx.ASGITransport(self.app)
            async with httpx.AsyncClient(transport=way, base_url="http://localhost") as http:
                named = {"Authorization": f"Bearer {self.tokens[who]}", "Idempotency-Key": f"{who}/{path}", **headers}
                return await http.request(method, path, json=body, headers=named)

        return asyncio.run(ask()).json()


def test_tables_are_on_the_page_when_the_program_has_started_again() -> None:
    """Those that go on, with who sits there; and none that was closed."""
    house = House()
    house.restarts()
    (table,) = house.send("Sue", "GET", "/night")["tables"]
    assert (table["table"], table["stopped"], table["seats"][0]["name"]) == ("friday", False, "Ann")
    people = {each["name"]: each for each in house.send("Sue", "GET", "/night")["people"]}
    assert people["Ann"]["at"] == {"friday": ["player"]}
    house.table.close(NOW)
    house.restarts()
    assert house.send("Sue", "GET", "/night")["tables"] == []


def test_chips_of_a_stopped_table_are_given_back_from_the_page() -> None:
    """It stays there until two have done so; who may be the second is named."""
    house = House()
    house.table._append([by_the_house("table_stopped", {"reason": "a seed is lost"}, NOW)])
    house.restarts()
    (table,) = house.send("Sue", "GET", "/night")["tables"]
    assert table["stopped"]
    assert "Tom" in table["floor"]["approvers"]
    act = {"kind": "table.return_chips", "reason": "the table was stopped"}
    agreed = house.send("Tom", "POST", "/tables/friday/approvals", {"what": act["kind"], "act": act})
    done = house.send("Sue", "POST", "/tables/friday/acts", act, **{"Second-Person": agreed["approval"]})
    assert done["kind"] == "chips_returned"
    house.restarts()
    assert house.send("Sue", "GET", "/night")["tables"] == []


def test_a_cashier_is_offered_all_that_an_open_drawer_is_for() -> None:
    """No word of one act is looked for among those of another: each of them is answered."""
    house = House()
    act = {"kind": "floor.open_drawer", "count": {"10000": 5}}
    agreed = house.send("Tom", "POST", "/floor/approvals", {"what": act["kind"], "act": act})
    house.send("Cay", "POST", "/floor/acts", act, **{"Second-Person": agreed["approval"]})
    acts = {each["kind"]: each for each in house.send("Cay", "GET", "/floor/permissions")["acts"] if each["offered"]}
    assert acts.keys() >= {"floor.pay_in", "floor.move_cash", "floor.close_drawer"}
    assert acts["floor.move_cash"]["fields"]["direction"]["enum"] == ["in", "out"]
    assert acts["floor.move_cash"]["people"] == 2
    assert not acts["floor.move_cash"]["alone"]


def test_a_table_that_nobody_is_left_to_throw_at_is_ended_from_the_page() -> None:
    """With a point on at drawn dice: no roll is offered, two give the bets back, and the table can be closed."""
    house = House()
    opening = Opening("strip", practice=False, staff=(("ann", "player"),))
    table = house.pit.open(house.pit.people.persons["sue"], opening, By("sue", "player", NOW), "strip1")
    asked = (Ask("ann", "player", f"ann{number}", NOW) for number in range(100))
    table.do(Sit(1, "Ann", 50_000), next(asked))
    while not table.live.table.puck:
        if "pass" not in table.live.table.seats[1].felt:
            table.do(Bet(1, "pass", 1_500), next(asked))
        table.roll(next(asked))

    def acts() -> dict[str, Any]:
        told = house.send("Sue", "GET", "/tables/strip1/permissions")["acts"]
        return {each["kind"]: each for each in told if each["offered"]}

    assert acts().keys() >= {"table.roll", "table.close_bets"}
    assert acts().keys() & {"floor.return_wagers", "floor.report_conduct"} == set(), "this book forbids nothing"
    table.do(Leave(1), next(asked))
    assert acts().keys() & {"table.roll", "table.close_bets"} == set()
    assert "Tom" in acts()["floor.return_wagers"]["seconds"]
    assert not acts()["floor.return_wagers"]["alone"]
    act = {"kind": "floor.return_wagers", "reason": "she went home"}
    alone = house.send("Sue", "POST", "/tables/strip1/acts", act)
    assert alone["code"] == "table.two_people"
    agreed = house.send("Tom", "POST", "/tables/strip1/approvals", {"what": act["kind"], "act": act})
    key = {"Idempotency-Key": "again", "Second-Person": agreed["approval"]}
    assert house.send("Sue", "POST", "/tables/strip1/acts", act, **key)["kind"] == "floor_acted"
    assert not table.live.table.seats
    closed = house.send("Sue", "POST", "/tables/strip1/acts", {"kind": "table.close"}, **{"Idempotency-Key": "close"})
    assert closed["kind"] == "table_closed"


def test_a_player_who_is_excluded_sees_it_at_the_table() -> None:
    """As soon as the page looks, and no other player does."""
    house = House()
    assert not house.send("Ann", "GET", "/tables/friday")["excluded"]
    act = {"kind": "floor.exclude", "person": "Ann", "reason": "asked by her family"}
    agreed = house.send("Tom", "POST", "/floor/approvals", {"what": act["kind"], "act": act})
    house.send("Sue", "POST", "/floor/acts", act, **{"Second-Person": agreed["approval"]})
    assert house.send("Ann", "GET", "/tables/friday")["excluded"]
    assert not house.send("Cay", "GET", "/tables/friday")["excluded"]


def test_a_sign_counts_down_to_when_the_book_lets_it_hold() -> None:
    """Sydney wants twenty minutes for a higher minimum, whatever the sign says; none for another maximum."""
    house = House()
    posted = house.send("Sue", "GET", "/tables/friday")["notice"]
    notice = {name: each for name, each in posted.items() if name not in ("kind", "v")}
    for number, (change, at) in enumerate(
        (({"minimum": notice["minimum"] + 500}, "2026-11-15T20:20:00"), ({}, "2026-11-15T20:01:00"))
    ):
        act = {"kind": "floor.sign_limits", "notice": {**notice, **change}, "at": "2026-11-15T20:01:00Z"}
        house.send("Sue", "POST", "/tables/friday/acts", act, **{"Idempotency-Key": f"sign{number}"})
        assert house.send("Ann", "GET", "/tables/friday")["limits_sign"]["at"].startswith(at)


def test_whoever_has_left_can_ask_for_a_review_of_what_they_dispute() -> None:
    """Under *Account*, with no seat and nothing in the wallet: what is theirs, and what may be asked of it."""
    house = House()
    acts: tuple[tuple[str, dict[str, Any]], ...] = (
        ("Ann", {"kind": "floor.raise_dispute", "person": "Ann", "about": "the dice were cocked"}),
        ("Sue", {"kind": "floor.decide_dispute", "dispute": 1, "decision": "they lay flat"}),
        ("Ann", {"kind": "command.leave", "seat": 1}),
    )
    for number, (who, act) in enumerate(acts):
        told = house.send(who, "POST", "/tables/friday/acts", act, **{"Idempotency-Key": f"d{number}"})
        assert told["kind"] in ("acted", "floor_acted"), told
    (seen,) = house.send("Tom", "GET", "/tables/friday/floor")["disputes"]
    assert seen["sentences"][1] == "Dispute 1 is decided by Sue: they lay flat."
    assert seen["waits_for"] == ""
    (own,) = house.send("Ann", "GET", "/me/limits")["disputes"]
    assert own == {"table": "friday", "dispute": 1, "stands": "decided", "sentences": seen["sentences"]}
    assert house.send("Cay", "GET", "/me/limits")["disputes"] == []
    told = house.send("Ann", "GET", "/tables/friday/permissions")["acts"]
    (review,) = (each for each in told if each["kind"] == "floor.ask_review")
    assert review["offered"]
    assert [each["dispute"]["value"] for each in review["options"]] == [1]
    asks = {"kind": "floor.ask_review", "dispute": 1}
    house.send("Ann", "POST", "/tables/friday/acts", asks, **{"Idempotency-Key": "asks"})
    assert house.send("Tom", "GET", "/tables/friday/floor")["disputes"][0]["waits_for"] == "somebody higher"


def test_the_box_is_told_whose_part_in_the_dice_is_waited_for() -> None:
    """While nobody can throw, it says so and for whom."""
    house = House()
    Device(house.table, "ann")
    house.table.do(Bet(1, "pass", 1_000), Ask("ann", "player", "bets", NOW))
    house.table.do(Shoot(1), Ask("ann", "player", "shoots", NOW))
    assert house.send("Tom", "GET", "/tables/friday/floor")["awaited"] == []
    house.table.roll(Ask("ann", "player", "throws", NOW))
    assert house.send("Tom", "GET", "/tables/friday/floor")["awaited"] == ["Ann"]


def test_the_crew_is_told_who_owes_a_part_of_a_void_roll() -> None:
    """Until it comes they bet no more; once it has come nobody is named."""
    house = House()
    device = Device(house.table, "ann")
    house.table.do(Bet(1, "pass", 1_000), Ask("ann", "player", "bets", NOW))
    house.table.do(Shoot(1), Ask("ann", "player", "shoots", NOW))
    assert house.send("Tom", "GET", "/tables/friday/floor")["owing"] == []
    deal(house.table)
    assert house.send("Tom", "GET", "/tables/friday/floor")["owing"] == ["Ann"]
    device.show_owed()
    assert house.send("Tom", "GET", "/tables/friday/floor")["owing"] == []


def test_a_dispute_asks_for_no_promotion_where_there_is_none() -> None:
    """And can be about one person, who raises it."""
    told = House().send("Ann", "GET", "/tables/friday/permissions")["acts"]
    (dispute,) = (each for each in told if each["kind"] == "floor.raise_dispute")
    assert "promotion" not in dispute["fields"]
    assert [each["person"]["value"] for each in dispute["options"]] == ["Ann"]


def test_the_lobby_tells_money_from_play() -> None:
    house = House()
    for name, wallets in (("gala", True), ("fun", False)):
        opening = Opening("sydney", practice=False, wallets=wallets, listed=True)
        house.pit.open(house.pit.people.persons["sue"], opening, By("sue", "player", NOW), name)
    listed = {each["table"]: each["wallets"] for each in house.send("Ann", "GET", "/lobby")}
    assert (listed["gala"], listed["fun"]) == (True, False)


def test_no_chips_are_sold_that_the_smallest_cannot_make() -> None:
    """Half a chip lies on no rail: the float could never be counted right."""
    house = House()
    opening = Opening("sydney", practice=False, wallets=True, staff=(("ann", "player"),))
    house.pit.open(house.pit.people.persons["sue"], opening, By("sue", "player", NOW), "money")
    for amount, code in ((30_050, "amount.not_chips"), (30_000, "table.short_wallet")):
        act = {"kind": "command.sit", "seat": 1, "buyin": amount}
        told = house.send("Ann", "POST", "/tables/money/acts", act, **{"Idempotency-Key": f"sits/{amount}"})
        assert told["code"] == code


FELT = {
    *(
        "command.take",
        "command.call_on",
        "command.call_off",
        "command.choose_dice",
    ),  # wishes at the felt
    *("command.watch_throw", "command.take_tokens", "command.post_notice", "command.close_table"),
    *("command.cocked_die", "command.strike_out", "command.return_all"),
}
"""Not by their names: what a player wishes at the felt, and what a table with a crew does by another act."""


def test_every_act_is_on_a_page() -> None:
    """Each by its task, the crew's at the felt too."""
    pages = [
        path.read_text() for path in BROWSER.rglob("*") if path.suffix in (".svelte", ".ts") and path.name != "api.ts"
    ]
    kinds = {*ACTS, *KINDS, *FORMS}
    assert {kind for kind in kinds if not any(f'"{kind}"' in page for page in pages)} == FELT


def test_the_crew_is_offered_at_the_felt_what_would_be_taken() -> None:
    """With real dice: nothing is read before the bets are closed, and nobody reads twice; a bet is found for a seat."""
    house = House()
    opening = Opening("sydney", practice=False, dice="real", staff=(("ann", "player"), ("tom", "box")))
    table = house.pit.open(house.pit.people.persons["sue"], opening, By("sue", "player", NOW), "real")
    asked = (Ask("ann", "player", f"real{number}", NOW) for number in range(9))

    def acts(who: str) -> dict[str, Any]:
        told = house.send(who, "GET", "/tables/real/permissions")["acts"]
        return {each["kind"]: each for each in told if each["offered"]}

    def sends(who: str, number: int, **act: Any) -> None:  # noqa: ANN401 - a body
        told = house.send(who, "POST", "/tables/real/acts", act, **{"Idempotency-Key": f"felt{number}"})
        assert "code" not in told, told

    by_hand = {"command.find_bet", "command.late_bet", "command.send_dice", "command.order_pass"}
    assert acts("Tom").keys() & {*by_hand, "table.read_dice", "table.close_bets"} == set()
    assert "no one has a bet on Win Line" in house.send("Tom", "GET", "/tables/real/floor")["no_throw"]
    table.do(Sit(1, "Ann", 50_000), next(asked))
    table.do(Bet(1, "pass", 1_000), next(asked))
    found = acts("Tom")["command.find_bet"]
    assert [each["seat"]["label"] for each in found["options"] if "seat" in each] == ["seat 1: Ann"]
    assert "place_6" in [each["wager"]["value"] for each in found["options"] if "wager" in each]
    sends("Tom", 1, kind="command.find_bet", seat=1, wager="place_6", amount=1_200, reason="it lay there")
    sends("Tom", 2, kind="command.send_dice")
    assert acts("Tom").keys() & by_hand == {"command.find_bet", "command.late_bet"}
    sends("Tom", 3, kind="table.close_bets")
    assert acts("Tom").keys() & {*by_hand, "table.read_dice", "table.close_bets"} == {"table.read_dice"}
    sends("Tom", 4, kind="table.read_dice", dice=[4, 2])
    assert "table.read_dice" not in acts("Tom")
    assert "table.read_dice" in acts("Sue")


def test_a_promotion_has_room_for_what_its_prizes_want() -> None:
    """Every detail that the book asks for of a vehicle or a journey, and the terms of money instead."""
    words = choices(House().table.layout, "floor.register_promotion")
    assert {"cash alternative", "compulsory wager"} <= {*words["terms"]}
    assert words["details/vehicle"]
    assert words["details/travel"]
