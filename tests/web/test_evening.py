"""A club evening over HTTP alone: a host, four players by link, a dealer, a box, two supervisors and an inspector.

Real dice; signs that are up for as long as the house wants, by a clock that is handed to the service and moved here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from passline.codec import to_data
from passline.floor.promotions import RegisterPromotion
from passline.journal.export import exported
from passline.journal.sqlite import SqliteJournal
from passline.pit.keys import keys_at
from passline.pit.people.people import By, People
from passline.verify.check import verify
from tests.clauses.sydney.test_promotions import offered
from tests.web.server import Clock, Handed, Player

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.slow
STAFF = {"Hal": None, "Dee": None, "Bo": None, "Sue": "supervisor", "Tom": "supervisor", "Ivo": "inspector"}
"""Everybody who works tonight, and what they are in the whole house."""


def opened(folder: Path, house: str) -> tuple[Handed, dict[str, Player]]:
    """The operator names two supervisors, as `passline people add` does; everything after that goes over HTTP."""
    clock = Clock("2026-11-11T20:00:00Z")
    journal = SqliteJournal(folder / "pit.db")
    people, operator = People(journal, clock()), By("house", "house", clock())
    for name in ("Sue", "Tom"):
        person = people.add(name, "twelve red chips", operator)
        people.grant(person.id, "supervisor", None, "the operator says so", operator, None)
    journal.close()
    server = Handed(folder, clock, house)
    return server, {name.lower(): come(server, name) for name in STAFF}


def come(server: Handed, name: str) -> Player:
    """Somebody with an account signs in, or makes one."""
    route = "/sessions" if STAFF[name] == "supervisor" else "/people"
    answer = server.http.post(route, json={"name": name, "password": "twelve red chips"})
    assert answer.status_code == 201, answer.text
    return Player(server, answer.json()["token"], "club", name.lower())


def agreed(by: Player, second: Player, path: str, kind: str, **fields: Any) -> dict[str, Any]:  # noqa: ANN401 - a body
    """An act of two people."""
    approval = second.post(f"{path}/approvals", {"what": kind, "act": {"kind": kind, **fields}}).json()["approval"]
    done = by.post(f"{path}/acts", {"kind": kind, **fields}, **{"Second-Person": approval})
    assert done.status_code == 200, done.text
    told: dict[str, Any] = done.json()
    return told


def house_acts(player: Player, kind: str, **fields: Any) -> dict[str, Any]:  # noqa: ANN401 - a body
    """An act on the floor of the whole house."""
    answer = player.post("/floor/acts", {"kind": f"floor.{kind}", **fields})
    assert answer.status_code == 200, (kind, answer.text)
    told: dict[str, Any] = answer.json()
    return told


def promoted(server: Handed, sue: Player) -> None:
    """A promotion from the register to the day it opens: filed three days ahead, as the house's book wants it."""
    clock = server.clock
    offer = offered(starts=clock(days=3), closes=clock(days=4, hours=2))
    asked = to_data(RegisterPromotion("Spring draw", offer))
    house_acts(sue, "register_promotion", promotion="Spring draw", offer=asked["offer"])
    house_acts(sue, "file_terms", promotion="Spring draw", authority="Avery of the Authority")
    early = sue.post("/floor/acts", {"kind": "floor.open_promotion", "promotion": "Spring draw"})
    assert early.json()["code"] == "floor.filing"
    clock.goes_on(days=4)
    assert sue.post("/floor/acts", {"kind": "floor.open_promotion", "promotion": "Spring draw"}).status_code == 401
    house_acts(come_again(server, sue), "open_promotion", promotion="Spring draw")
    assert server.http.get("/floor/promotions").json()[0]["stands"] == "open"


def good(player: Player, kind: str, **fields: Any) -> dict[str, Any]:  # noqa: ANN401 - a body
    """An act that is done."""
    answer = player.act(kind, **fields)
    assert answer.status_code == 200, (player.person, kind, answer.text)
    told: dict[str, Any] = answer.json()
    return told


def thrown(dee: Player, bo: Player, first: int, second: int) -> dict[str, Any]:
    """Real dice, read by two people."""
    good(dee, "table.close_bets")
    good(dee, "table.read_dice", dice=[first, second])
    return good(bo, "table.read_dice", dice=[first, second])


@pytest.mark.parametrize("house", ["adelaide", "sydney"])
def test_an_evening_at_the_club(tmp_path: Path, house: str) -> None:  # noqa: PLR0915 - an evening is long
    """From the first account to the closed table, and the export verifies clean."""
    server, staff = opened(tmp_path, house)
    clock = server.clock
    hal, dee, bo, sue, tom, ivo = staff.values()
    if house == "sydney":
        promoted(server, sue)
        hal, dee, bo, sue, tom = (come_again(server, each) for each in (hal, dee, bo, sue, tom))

    # Two supervisors name the inspector; the host opens a table and says who is what there.
    approval = tom.post("/approvals", {"person": "Ivo", "role": "inspector"}).json()["approval"]
    named = {"role": "inspector", "reason": "the Authority sent him"}
    assert sue.post("/people/ivo/roles", named, **{"Second-Person": approval}).status_code == 200
    ivo = come_again(server, ivo)
    crew = [{"person": "Dee", "role": "dealer"}, {"person": "Dee", "role": "stick"}, {"person": "Bo", "role": "box"}]
    crew = [each | {"person": each["person"].lower()} for each in crew]
    asked = {"table": "club", "house": house, "dice": "real", "staff": crew}
    assert hal.post("/tables", asked).status_code == 201
    link = hal.post("/tables/club/links", {"role": "player"}).json()["link"]
    players = []
    for name in ("Ann", "Bob", "Cid", "Eve"):
        told = server.http.post("/guests", json={"name": name, "link": link}).json()
        players.append(Player(server, told["token"], "club", told["person"]))
        good(players[-1], "command.sit", buyin=50_000)
    ann = players[0]
    if house == "sydney":
        house_acts(ann, "enter_promotion", promotion="Spring draw", person="Ann")

    # A limit is raised with the notice the house wants, and then binds.
    notice = sue.get("/tables/club").json()["notice"] | {"minimum": 1_000}
    good(sue, "floor.sign_limits", notice=notice, at=clock(minutes=20))
    assert ann.get("/tables/club").json()["limits_sign"]["says"].startswith("min 10,")
    clock.goes_on(minutes=19)
    too_soon = sue.act("floor.change_limits", notice=notice)
    assert too_soon.json()["code"] == "floor.not_due", too_soon.text
    good(ann, "command.bet", wager="pass", amount=500)
    good(ann, "command.take", wager="pass")
    clock.goes_on(minutes=1)
    good(sue, "floor.change_limits", notice=notice)
    low = ann.act("command.bet", wager="pass", amount=500)
    assert (low.status_code, low.json()["clause"] is not None) == (409, True), low.text
    for player in players:
        good(player, "command.bet", wager="pass", amount=1_000)
    rolled = thrown(dee, bo, 4, 2)
    assert rolled["body"]["readings"][0]["actor"] == "dee"

    # A cocked die: the box rules, a player disputes it, and it goes up as far as this house sends it.
    good(dee, "table.close_bets")
    good(dee, "command.dispute_face", sure=3)
    good(bo, "command.rule_face", face=5)
    good(ann, "floor.raise_dispute", person="Ann", about="the die that leaned on my chips")
    assert ann.act("floor.raise_dispute", person="Bob", about="for him").json()["code"] == "person.other"
    decided = good(bo, "floor.decide_dispute", dispute=1, decision="the die reads five")
    good(ann, "floor.ask_review", dispute=1)
    good(ivo if house == "adelaide" else sue, "floor.review_dispute", dispute=1, decision="it stands")
    heard = ann.events(decided["sequence"] - 1, 1)[0]["sentences"]
    assert heard, "the floor is heard in words"

    # A roll that two people will not have, and a player with limits of his own.
    good(dee, "table.close_bets")
    done = agreed(bo, sue, "/tables/club", "table.void", reason="the lights went out", returned=False)
    assert done["body"]["people"] == ["bo", "sue"]
    good(ann, "floor.raise_dispute", person="Ann", about="my six was on its way")
    good(bo, "floor.decide_dispute", dispute=2, decision="it is void")
    good(ann, "floor.ask_review", dispute=2)
    if house == "sydney":
        own = sue.act("floor.review_dispute", dispute=2, decision="as I said")
        assert (own.status_code, own.json()["code"]) == (403, "person.own")
    good(ivo if house == "adelaide" else tom, "floor.review_dispute", dispute=2, decision="it stays void")
    agreed(sue, tom, "/tables/club", "floor.sign_player_limits", seat=2, minimum=500, maximum=900_000)
    good(players[1], "command.bet", wager="field", amount=500)
    thrown(dee, bo, 3, 4)

    # Cid has had enough of it, everywhere in the house.
    house_acts(players[2], "exclude_oneself", person="Cid", reason="I said a year, and mean it")
    assert players[2].act("command.bet", wager="pass", amount=1_000).json()["code"] == "floor.barred"

    # The end: with notice, the inspector told where the house tells one, and the books clean.
    good(sue, "floor.sign_closing", at=clock(minutes=30))
    clock.goes_on(minutes=30)
    if house == "adelaide":
        assert sue.act("floor.close", reason="too early").status_code == 409
        good(sue, "floor.tell_inspector", inspector="Ivo")
    good(sue, "floor.close", reason="the evening is over")
    assert ivo.act("floor.close", reason="an inspector runs no table").status_code == 403
    (roll,) = [each for each in ann.get("/tables/club/rolls").json() if each["dice"] == [3, 4]]
    assert roll["funds_after"] == roll["funds_before"] - 1_000
    for player in players:
        good(player, "command.leave")
    good(sue, "table.close")
    if house == "sydney":
        drawn(server, sue, tom)
    assert ivo.get("/journal/club").status_code == 200
    assert server.stop() == 0
    journal = SqliteJournal(tmp_path / "pit.db")
    sign = keys_at(tmp_path / "keys.json").sign
    report = verify(line + b"\n" for line in exported(journal, journal.tables(), sign=sign, time=clock()))
    journal.close()
    assert report.faults == []
    assert (report.counts["read_rolls"], report.counts["pairs"]) == (2, 4 if house == "sydney" else 2)
    assert not [each for each in report.open if "signed" not in each]


def come_again(server: Handed, who: Player) -> Player:
    """Somebody signs in: a token lasts half a day."""
    answer = server.http.post("/sessions", json={"name": who.person, "password": "twelve red chips"})
    assert answer.status_code == 201, answer.text
    return Player(server, answer.json()["token"], "club", who.person)


def drawn(server: Handed, sue: Player, tom: Player) -> None:
    """The draw when the entries have closed, before a scrutineer; the winner is told and has the prize."""
    prize = {"promotion": "Spring draw", "prize": 1}
    alone = sue.post("/floor/acts", {"kind": "floor.draw_prize", **prize, "winner": "Ann", "scrutineer": "Vic"})
    assert alone.json()["code"] == "table.two_people"
    server.clock.goes_on(hours=3)
    agreed(sue, tom, "/floor", "floor.draw_prize", **prize, winner="Ann", scrutineer="Vic", standing="a solicitor")
    house_acts(tom, "notify_winner", **prize, way="face to face")
    offer = server.http.get("/floor/promotions").json()[0]["offer"]["prizes"][0]
    money = {"paid": [["cash", offer["value"]]], "chosen_by": "house"} if offer["kind"] == "cash" else {}
    if money:
        alone = sue.post("/floor/acts", {"kind": "floor.award_prize", **prize, **money})
        assert alone.json()["code"] == "table.two_people"
    agreed(sue, tom, "/floor", "floor.award_prize", **prize, **money)
    again = sue.post("/floor/acts", {"kind": "floor.award_prize", **prize})
    assert again.json()["code"] == "floor.prize"
