"""A club evening over HTTP: a host, four players by link, a dealer, a box, a supervisor and an inspector, real dice."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest

from passline.floor import commands as f
from passline.floor.promotions import commands as p
from passline.journal.export import exported
from passline.journal.sqlite import SqliteJournal
from passline.pit.keys import keys_at
from passline.pit.people.people import TIME, By, now
from passline.pit.pit import Opening, Pit
from passline.pit.plans import Ask
from passline.verify.check import verify
from tests.clauses.sydney.test_promotions import offered
from tests.web.server import Player, Server

if TYPE_CHECKING:
    from pathlib import Path

    from passline.pit.table import LiveTable

pytestmark = pytest.mark.slow
CREW = (("dee", "dealer"), ("dee", "stick"), ("bo", "box"))


def ago(**back: float) -> str:
    """A time before now."""
    return (datetime.now(UTC) - timedelta(**back)).strftime(TIME)


def opened(folder: Path, house: str) -> dict[str, str]:
    """What was done before the evening, by the library and its clock: people, the table, signs, a promotion."""
    journal = SqliteJournal(folder / "pit.db")
    pit = Pit(journal, keys_at(folder / "keys.json"))
    tokens = {}
    for name in ("Hal", "Dee", "Bo", "Sue", "Ivo"):
        _, tokens[name.lower()] = pit.people.guest(name, now())
    for person, role in (("sue", "supervisor"), ("ivo", "inspector")):
        pit.people.grant(person, role, None, "tonight's pit", By("house", "house", now()), None)
    opening = Opening(house=house, dice="real", practice=False, staff=CREW)
    table = pit.open(pit.people.persons["hal"], opening, By("hal", "player", now()), "club")
    for number, (command, time) in enumerate(_before(table, house)):
        actor, role = ("ann", "player") if isinstance(command, p.EnterPromotion) else ("sue", "supervisor")
        answer = table.do(command, Ask(actor, role, f"before-{number}", time))
        assert b'"kind":"floor_acted"' in answer, answer
    journal.close()
    return tokens


def _before(table: LiveTable, house: str) -> list[tuple[Any, str]]:
    raised = table.live.table.notice._replace(minimum=1_000)
    signs = [
        (f.SignLimits(raised, ago(minutes=1)), ago(minutes=40)),
        (f.SignClosing(ago(minutes=1)), ago(minutes=39)),
    ]
    if house != "sydney":
        return signs[:1]
    offer = offered(starts=ago(days=1), closes=ago(hours=1))
    return [
        (p.RegisterPromotion("Spring draw", offer), ago(days=4)),
        (p.FileTerms("Spring draw", "Avery of the Authority"), ago(days=3)),
        (p.OpenPromotion("Spring draw"), ago(hours=20)),
        (p.EnterPromotion("Spring draw", "Ann"), ago(hours=2)),
        *signs,
    ]


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
    """From the link to the closed table, and the export verifies clean."""
    tokens = opened(tmp_path, house)
    server = Server(tmp_path, None, "--quiet")
    hal, dee, bo, sue, ivo = (Player(server, tokens[who], "club", who) for who in ("hal", "dee", "bo", "sue", "ivo"))
    link = hal.post("/tables/club/links", {"role": "player"}).json()["link"]
    players = []
    for name in ("Ann", "Bob", "Cid", "Eve"):
        told = server.http.post("/guests", json={"name": name, "link": link}).json()
        players.append(Player(server, told["token"], "club", told["person"]))
        good(players[-1], "command.sit", buyin=50_000)
    ann = players[0]

    # The limit that was signed is raised, and now binds.
    notice = sue.get("/tables/club").json()["notice"] | {"minimum": 1_000}
    notice = {name: value for name, value in notice.items() if name not in ("kind", "v")}
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
    heard = ann.events(decided["sequence"] - 1, 1)[0]["said"]
    assert heard, "the floor is heard in words"

    # A roll that two people will not have.
    good(dee, "table.close_bets")
    assent = sue.post("/tables/club/assents", {"what": "table.void"}).json()["assent"]
    void = {"kind": "table.void", "reason": "the lights went out", "returned": False}
    done = bo.post("/tables/club/acts", void, **{"Second-Person": assent})
    assert done.json()["body"]["people"] == ["bo", "sue"], done.text
    thrown(dee, bo, 3, 4)

    if house == "sydney":
        good(sue, "floor.draw_prize", promotion="Spring draw", prize=1, winner="Ann", scrutineer="Vic")
        good(sue, "floor.notify_winner", promotion="Spring draw", prize=1, way="face to face")

    # The end: with notice, the inspector told where the house tells one, and the books clean.
    if house == "adelaide":
        good(sue, "floor.tell_inspector", inspector="Ivo")
    good(sue, "floor.close", reason="the evening is over")
    assert ivo.act("floor.close", reason="an inspector runs no table").status_code == 403
    (roll,) = [each for each in ann.get("/tables/club/rolls").json() if each["dice"] == [3, 4]]
    assert roll["funds_after"] == roll["funds_before"] - 1_000
    for player in players:
        good(player, "command.leave")
    good(sue, "table.close")
    assert ivo.get("/journal/club").status_code == 200
    assert server.stop() == 0
    journal = SqliteJournal(tmp_path / "pit.db")
    sign = keys_at(tmp_path / "keys.json").sign
    report = verify(line + b"\n" for line in exported(journal, journal.tables(), sign=sign, time=now()))
    journal.close()
    assert report.faults == []
    assert report.counts["read_rolls"] == 2
