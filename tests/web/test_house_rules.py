"""What a house holds its people to, asked over HTTP: signs, own limits, devices, who is on duty, who is kept out."""

from __future__ import annotations

import asyncio
from itertools import count
from typing import Any

import httpx
import pytest

from passline.codec import to_data
from passline.floor.promotions import AwardPrize, RegisterPromotion
from passline.floor.state import Prize
from passline.journal.export import exported
from passline.journal.memory import MemoryJournal
from passline.live.state import DiceMode
from passline.pit.people.people import By
from passline.pit.pit import Opening, Pit
from passline.pit.reports.events import OVERDUE
from passline.verify.check import verify
from passline.web.app import make_app
from passline.web.service import Service
from tests.clauses.sydney.test_promotions import CASH, offered
from tests.pit.play import KEYS, NOW

CREW = {"dea": "dealer", "sam": "stick", "box": "box", "bo2": "box", "ann": "player", "bob": "player"}
HOUSE = {"sue": "supervisor", "tom": "supervisor", "ivo": "inspector", "cas": "cashier"}


class House:
    """Two tables with one crew, the service before them, and somebody of each role."""

    def __init__(self, house: str = "sydney", *, wallets: bool = False, dice: DiceMode = "fair") -> None:
        """Open it."""
        self.keys, self.time = count(), NOW
        self.pit = Pit(MemoryJournal(), KEYS, house=house, clock=lambda: self.time)
        by, people = By("house", "house", NOW), self.pit.people
        self.tokens = {name: people.guest(name.capitalize(), NOW)[1] for name in ("host", *CREW, *HOUSE)}
        for name, role in HOUSE.items():
            people.grant(name, role, None, "tonight", by, None)
        for table in ("one", "two"):
            opening = Opening(house, dice, practice=False, wallets=wallets, staff=tuple(CREW.items()))
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

    def ask(self, who: str, kind: str, second: str = "", path: str = "/tables/one", **fields: object) -> Any:  # noqa: ANN401
        """What comes of an act: an entry, or a problem; with somebody's approval, where one is named."""
        act, approval = {"kind": kind, **fields}, ""
        if second:
            answer = self.send(second, "POST", f"{path}/approvals", {"what": kind, "act": act}).json()
            if "approval" not in answer:
                return answer
            approval = answer["approval"]
        return self.send(who, "POST", f"{path}/acts", act, approval).json()

    def code(self, who: str, kind: str, second: str = "", table: str = "one", **fields: object) -> str:
        """The code of a problem, or nothing."""
        return str(self.ask(who, kind, second, f"/tables/{table}", **fields).get("code", ""))

    def wide(self, who: str, kind: str, second: str = "", **fields: object) -> str:
        """The same of the floor of the whole house."""
        return str(self.ask(who, kind, second, "/floor", **fields).get("code", ""))


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
    """Pinned 106, audit 6 and 7: for all who look, and on every spot of that player; the minimum is not raised."""
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


@pytest.mark.clause("sydney:7.1.3")
def test_a_unit_on_the_sign_counts_from_the_minimum() -> None:
    """Audit 18: with a minimum of 10 and a unit of 4, 14 is taken and 12 and 16 are not."""
    house = House()
    assert house.code("ann", "command.sit", buyin=100_000) == ""
    notice = house.get("ann", "/tables/one")["notice"] | {"minimum": 1_000, "unit": 400}
    assert house.code("box", "floor.sign_limits", notice=notice, at="2026-11-15T20:30:00Z") == ""
    house.time = "2026-11-15T20:30:00Z"
    assert house.code("box", "floor.change_limits", notice=notice) == ""
    for amount, code in ((1_200, "bet.not_a_unit"), (1_600, "bet.not_a_unit"), (1_400, ""), (400, "")):
        assert house.code("ann", "command.bet", wager="pass", amount=amount) == code


@pytest.mark.clause("adelaide:3.2")
def test_dice_that_are_too_small_are_not_thrown() -> None:
    """Audit 19: nor are the bets closed for them, until others were measured."""
    house = House("adelaide", dice="real")
    assert house.code("ann", "command.sit", buyin=100_000) == ""
    assert house.code("ann", "command.bet", wager="pass", amount=1_000) == ""
    assert house.code("box", "floor.inspect_dice", faces=[190, 189]) == ""
    refused = house.ask("box", "table.close_bets")
    assert (refused["code"], refused["clause"]) == ("floor.dice", "adelaide:3.2")
    assert house.code("box", "floor.inspect_dice", faces=[190, 191]) == ""
    assert house.code("box", "table.close_bets") == ""


def test_what_goes_back_with_a_void_roll_goes_back_by_its_own_rule() -> None:
    """Audit 19: the clause is not that of a table that closes."""
    house = House(dice="real")
    assert house.code("ann", "command.sit", buyin=100_000) == ""
    assert house.code("ann", "command.bet", wager="pass", amount=1_000) == ""
    assert house.code("box", "table.close_bets") == ""
    void = house.ask("box", "table.void", "sue", reason="a fight at the rail", returned=True)
    (down,) = [event for event in void["body"]["events"] if event["kind"] == "event.wager_down"]
    assert down["clause"] == "P-92"
    assert house.get("ann", "/tables/one/seat")["rail"] == 100_000


# --- Devices ----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("sydney:9.1", "sydney:9.6")
@pytest.mark.parametrize(("wallets", "book"), [(True, "sydney"), (False, "sydney"), (True, "exhibit-a")])
def test_the_houses_own_screen_is_no_device_where_the_book_forbids_one(*, wallets: bool, book: str) -> None:
    """Pinned 112, audit 15: no chances, edges or counts of rolls; only where the book says so and chips are money."""
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
    """Pinned 110, audit 12: neither by one's own word nor by a colleague's; two people give it, with the role."""
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
    """Pinned 107, audit 8: whichever of the two asked, no other table seats them; two of one table exclude nobody."""
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


def test_nobody_sits_down_at_a_table_whose_last_hand_is_played() -> None:
    """Audit 19: with money, for a hand that may be over at once; and everybody sees the sign before (audit 3)."""
    house = House()
    assert house.code("ann", "command.sit", buyin=10_000) == ""
    assert house.code("sue", "floor.sign_closing", at="2026-11-15T20:30:00Z") == ""
    for who in ("ann", "bob", "ivo"):
        assert house.get(who, "/tables/one")["closing_sign"]["at"] == "2026-11-15T20:30:00Z", who
    house.time = "2026-11-15T20:30:00Z"
    assert house.code("sue", "floor.close", reason="end of the night") == ""
    assert house.code("bob", "command.sit", buyin=10_000) == "floor.closing"


def test_everybody_at_the_table_sees_what_the_limits_will_be() -> None:
    """Audit 3: players too, now and when they come back later."""
    house = House()
    notice = house.get("ann", "/tables/one")["notice"]
    later: dict[str, Any] = {"notice": notice | {"minimum": 2_500}, "at": "2026-11-15T20:20:00Z"}
    assert house.code("box", "floor.sign_limits", **later) == ""
    house.time = "2026-11-15T20:10:00Z"
    for who in ("ann", "bob", "ivo"):
        sign = house.get(who, "/tables/one")["limits_sign"]
        assert (sign["at"], "min 25" in sign["says"]) == (later["at"], True), who


def test_what_the_box_asks_for_by_number_can_be_looked_up() -> None:
    """Audit 14: reports, partners, refused wagers, own limits, vouchers and places."""
    house = House()
    for name in ("ann", "bob"):
        assert house.code(name, "command.sit", buyin=1_000_000) == ""
    device: dict[str, Any] = {"person": "Bob", "standing": "player", "breach": "device", "details": "a counter"}
    assert house.code("dea", "floor.report_conduct", **device) == ""
    assert house.code("sue", "floor.refuse_wager", seat=2, wager="field", reason="he bets late") == ""
    assert house.code("sue", "floor.link_partners", seats=[1, 2], reason="one purse") == ""
    assert house.code("sue", "floor.sign_player_limits", "tom", seat=1, minimum=500, maximum=500_000) == ""
    assert house.code("sue", "floor.issue_voucher", voucher="V7", value=2_500) == ""
    assert house.code("sue", "floor.count_places", places=12) == ""
    floor = house.get("box", "/tables/one/floor")
    assert floor["reports"] == {"1": "Bob: device"}
    assert (floor["refused"], floor["partners"]) == ({"2": ["field"]}, [[1, 2]])
    assert "V7" in floor["vouchers"]
    assert (floor["places"], list(floor["player_limits"])) == (12, ["1"])


# --- Disputes and the rules -------------------------------------------------------------------------------------------


@pytest.mark.clause("sydney:9.13.2", "adelaide:14(l)")
@pytest.mark.parametrize(("book", "reviewer"), [("sydney", "mia"), ("adelaide", "ivo")])
def test_whoever_is_not_satisfied_is_told_each_time(book: str, reviewer: str) -> None:
    """Pinned 109, audit 9: also after the final decision; and it is reviewed by whom the book names (audit 18)."""
    house = House(book)
    if reviewer == "mia":
        house.tokens["mia"] = house.pit.people.guest("Mia", NOW)[1]
        by = By("house", "house", NOW)
        house.pit.people.grant("mia", "supervisor", None, "she runs the floor", by, None, "Gaming Manager")
        assert house.code("mia", "floor.come_on_duty", person="Mia", title="Gaming Manager") == ""
    assert house.code("ann", "command.sit", buyin=10_000) == ""
    assert house.code("ann", "floor.raise_dispute", person="Ann", about="the field was not paid") == ""
    assert house.code("sue", "floor.decide_dispute", dispute=1, decision="it was not up") == ""
    assert house.code("ann", "floor.ask_review", dispute=1) == ""
    for other in ("sue", "tom", "box"):
        code = house.code(other, "floor.review_dispute", dispute=1, decision="it stands")
        assert code in ("floor.rank", "floor.role", "permission.missing"), (other, code)
    assert house.code(reviewer, "floor.review_dispute", dispute=1, decision="it stands") == ""
    for _ in range(2):
        entry = house.ask("ann", "floor.say_dissatisfied", dispute=1)
        (event,) = entry["body"]["floor"]
        assert (event["kind"], bool(event["told"])) == ("floor_event.complainant_told", True)
    assert house.code("bob", "floor.say_dissatisfied", dispute=1) == "floor.role"


@pytest.mark.clause("sydney:9.14", "adelaide:14(n)")
@pytest.mark.parametrize("book", ["sydney", "adelaide"])
def test_whoever_asks_for_the_rules_can_read_them(book: str) -> None:
    """Audit 13: the entry names the person and the book, and the service has every clause of it."""
    house = House(book)
    (event,) = house.ask("ann", "floor.ask_for_rules", person="Ann")["body"]["floor"]
    assert (event["person"], event["book"]) == ("Ann", book)
    rules = house.get("ann", f"/houses/{event['book']}")
    assert event["clause"] in str(rules)


# --- Promotions -------------------------------------------------------------------------------------------------------

DRAW = "Spring draw"


def offer(*prizes: Prize, **otherwise: object) -> dict[str, Any]:
    """What a promotion offers, as it is sent; it starts the day after next and takes entries for a day."""
    times = {"starts": "2026-11-17T20:00:00Z", "closes": "2026-11-18T20:00:00Z"}
    register: dict[str, Any] = to_data(RegisterPromotion(DRAW, offered(*prizes, **times | otherwise)))
    body: dict[str, Any] = register["offer"]
    return body


def running(*prizes: Prize) -> House:
    """A house with a promotion in which Ann and Bob take part, and whose entries have closed."""
    house = House()
    assert house.wide("sue", "floor.register_promotion", promotion=DRAW, offer=offer(*prizes)) == ""
    assert house.wide("sue", "floor.file_terms", promotion=DRAW, authority="Avery") == ""
    house.time = "2026-11-17T20:00:00Z"
    assert house.wide("sue", "floor.open_promotion", promotion=DRAW) == ""
    for who in ("ann", "bob"):
        assert house.wide(who, "floor.enter_promotion", promotion=DRAW, person=who.capitalize()) == ""
    house.time = "2026-11-18T20:00:00Z"
    return house


SMALL = CASH._replace(value=100_000)


def test_a_player_reads_of_a_promotion_takes_part_and_stays_away() -> None:
    """Audit 4 and 19: the terms are for everybody; whoever is excluded, by themselves too, takes no part."""
    house = running()
    house.time = "2026-11-18T19:00:00Z"
    (seen,) = house.get("bob", "/floor/promotions")
    assert seen["offer"]["terms"]["how to claim"] == "in person or by letter"
    assert house.wide("cas", "floor.exclude_oneself", person="Cas", reason="for a year") == ""
    assert house.wide("cas", "floor.enter_promotion", promotion=DRAW, person="Cas") == "floor.barred"
    assert house.wide("host", "floor.enter_promotion", promotion=DRAW, person="Ann") == "person.other"
    assert house.wide("ann", "floor.enter_promotion", promotion=DRAW, person="Ann") == "floor.entry"


@pytest.mark.clause("sydney:10.9.1")
def test_a_drawn_prize_is_not_amended_away() -> None:
    """Pinned 108, audit 1: neither taken away nor made smaller; it is paid as it was drawn."""
    house = running(CASH, SMALL)
    assert house.wide("sue", "floor.draw_prize", "tom", promotion=DRAW, prize=2, winner="Ann") == ""
    for prizes in ((CASH,), (CASH, SMALL._replace(value=1))):
        amended: dict[str, Any] = {"promotion": DRAW, "offer": offer(*prizes), "approval": "letter 5"}
        assert house.wide("sue", "floor.amend_promotion", **amended) == "floor.prize"
    paid: dict[str, Any] = {"promotion": DRAW, "prize": 2, "paid": [["cash", 1]]}
    assert house.wide("sue", "floor.award_prize", "tom", **paid) == "floor.payment"
    assert house.wide("sue", "floor.award_prize", "tom", **paid | {"paid": [["cash", 100_000]]}) == ""


def test_an_act_that_fails_closes_no_register(monkeypatch: pytest.MonkeyPatch) -> None:
    """Audit 1: it is refused under the number of a report; exclusions go on, and the journal verifies."""
    house = running()
    assert house.wide("sue", "floor.draw_prize", "tom", promotion=DRAW, prize=1, winner="Ann") == ""

    def fails(_self: AwardPrize, _ctx: object) -> None:
        raise IndexError

    with monkeypatch.context() as patch:
        patch.setattr(AwardPrize, "decide", fails)
        assert house.wide("sue", "floor.award_prize", "tom", promotion=DRAW, prize=1) == "act.failed"
    assert house.wide("bob", "floor.exclude_oneself", person="Bob", reason="for a year") == ""
    assert house.code("bob", "command.sit", buyin=10_000) == "floor.barred"
    assert house.wide("sue", "floor.award_prize", "tom", promotion=DRAW, prize=1, paid=[["cash", 500_000]]) == ""
    lines = exported(house.pit.journal, house.pit.journal.tables(), sign=KEYS.sign, time=house.time)
    assert not verify(line + b"\n" for line in lines).faults


@pytest.mark.clause("sydney:10.12.1")
@pytest.mark.parametrize("remedy", ["postpone", "cancel"])
def test_of_a_promotion_in_doubt_nothing_is_told_or_paid(remedy: str) -> None:
    """Pinned 108, audit 5: nor drawn; until it is trusted again, and never of one that is cancelled."""
    house = running(CASH, SMALL)
    assert house.wide("sue", "floor.draw_prize", "tom", promotion=DRAW, prize=1, winner="Ann") == ""
    doubt: dict[str, Any] = {"promotion": DRAW, "remedy": remedy, "reason": "the drum was open", "inspectorate": "Ines"}
    assert house.wide("sue", "floor.doubt_promotion", **doubt) == ""
    pay: dict[str, Any] = {"promotion": DRAW, "prize": 1, "paid": [["cash", 500_000]]}
    tell: dict[str, Any] = {"promotion": DRAW, "prize": 1, "way": "mail"}
    rest = (("floor.notify_winner", "", tell), ("floor.award_prize", "tom", pay))
    for kind, second, fields in rest:
        assert house.wide("sue", kind, second, **fields) == "floor.promotion"
    trusted = house.wide("sue", "floor.trust_promotion", promotion=DRAW, reason="it was sealed again before two")
    assert trusted == ("floor.promotion" if remedy == "cancel" else "")
    assert {house.wide("sue", kind, second, **fields) for kind, second, fields in rest} == {trusted}


@pytest.mark.clause("sydney:10.5", "sydney:10.5.1", "sydney:10.5.4", "sydney:10.7.11.2")
def test_a_prize_is_of_a_kind_that_the_house_knows() -> None:
    """Audit 10: no other spelling passes by what is banned; liquor says how much, a vehicle which one."""
    house = House()
    for kind in ("Tobacco", "tobacco", "cigars", "gun", "car", "liquor", "vehicle"):
        wrong: dict[str, Any] = {"promotion": DRAW, "offer": offer(Prize(kind, "a thing", 5_000))}
        assert house.wide("sue", "floor.register_promotion", **wrong) in ("floor.prize", "floor.terms"), kind
    assert (
        house.wide("sue", "floor.register_promotion", promotion=DRAW, offer=offer(Prize("goods", "a thing", 5_000)))
        == ""
    )


@pytest.mark.clause("sydney:10.2")
def test_a_scrutineer_is_somebody_who_agreed() -> None:
    """Pinned 110, audit 11: neither the winner nor who draws, nor a name that nobody vouches for."""
    house = running(CASH._replace(value=2_000_000))
    draw: dict[str, Any] = {"promotion": DRAW, "prize": 1, "winner": "Ann"}
    assert house.wide("sue", "floor.draw_prize", **draw) in ("table.two_people", "approval.missing")
    assert house.wide("sue", "floor.draw_prize", **draw, scrutineer="Nobody Real") in (
        "table.two_people",
        "approval.missing",
    )
    assert house.wide("sue", "floor.draw_prize", "tom", **draw, scrutineer="Ann") == "floor.scrutineer"
    assert house.wide("sue", "floor.draw_prize", "tom", **draw, scrutineer="Otto") == "floor.unsaid"
    assert house.wide("sue", "floor.draw_prize", "sue", **draw) != ""
    assert house.wide("sue", "floor.draw_prize", "tom", **draw) == ""


@pytest.mark.clause("sydney:10.8", "sydney:10.10.1")
def test_draws_awards_claims_and_winners_never_told_are_in_the_report() -> None:
    """Audit 17: whoever inspects the house reads of each."""
    house = running(CASH, SMALL)
    for prize, winner in ((1, "Ann"), (2, "Bob")):
        drawn: dict[str, Any] = {"promotion": DRAW, "prize": prize, "winner": winner}
        assert house.wide("sue", "floor.draw_prize", "tom", **drawn) == ""
    house.time = "2026-11-21T20:00:00Z"
    assert house.wide("sue", "floor.notify_winner", promotion=DRAW, prize=1, way="mail") == ""
    assert house.wide("sue", "floor.award_prize", "tom", promotion=DRAW, prize=1, paid=[["cash", 500_000]]) == ""
    claim: dict[str, Any] = {
        "promotion": DRAW,
        "claimant": "Zed",
        "value": 500_000,
        "reason": "he never entered",
        "told": True,
    }
    assert house.wide("sue", "floor.refuse_claim", **claim) == "floor.unsaid"
    assert house.wide("sue", "floor.refuse_claim", **claim, address="1 Pier Street") == ""
    kinds = {row[5] for row in house.get("ivo", "/reports/events")["rows"]}
    assert {"prize drawn", "prize awarded", "winner told late", "claim refused"} <= kinds
    assert OVERDUE in kinds


@pytest.mark.clause("sydney:10.8")
def test_a_winner_whom_nobody_told_is_overdue_though_nothing_was_written_since() -> None:
    """Audit 17: by the clock of whoever asks; of a window that has an end, at that end, whether anything is in it."""
    house = running()
    assert house.wide("sue", "floor.draw_prize", "tom", promotion=DRAW, prize=1, winner="Ann") == ""
    for time, overdue in (("2026-11-20T20:00:00Z", False), ("2026-11-21T20:00:00Z", True)):
        house.time = time
        for part in ("", f"?since=2026-11-19T00:00:00Z&until={time}"):
            kinds = {row[5] for row in house.get("ivo", f"/reports/events{part}")["rows"]}
            assert (OVERDUE in kinds) == overdue, (time, part)
        (promotion,) = house.get("ivo", "/reports/promotions")["rows"]
        assert (promotion[-1] == "Ann") == overdue


@pytest.mark.clause("sydney:10.4")
@pytest.mark.parametrize("chosen_by", ["winner", "house"])
def test_of_a_smaller_prize_the_winner_may_choose_too(chosen_by: str) -> None:
    """Audit 19: the book forbids neither."""
    house = running()
    assert house.wide("sue", "floor.draw_prize", "tom", promotion=DRAW, prize=1, winner="Ann") == ""
    paid: dict[str, Any] = {"promotion": DRAW, "prize": 1, "paid": [["cash", 500_000]], "chosen_by": chosen_by}
    assert house.wide("sue", "floor.award_prize", "tom", **paid) == ""
