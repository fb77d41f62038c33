"""The floor of the whole house over HTTP: who is kept out everywhere, promotions, and what one may ask for."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import pytest

from passline.journal.contract import now
from passline.journal.sqlite import SqliteJournal
from passline.pit.people.people import By, People
from tests.web.server import Player, Server

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def staff(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Player]]:
    """Two supervisors and an inspector of the house, a host with two tables, and a player."""
    folder = tmp_path_factory.mktemp("floor")
    journal = SqliteJournal(folder / "pit.db")
    people, house, tokens = People(journal, now()), By("house", "house", now()), {}
    for name, role in (("Sue", "supervisor"), ("Tom", "supervisor"), ("Ivo", "inspector"), ("Hal", ""), ("Bob", "")):
        person, tokens[name.lower()] = people.guest(name, now())
        if role:
            people.grant(person.id, role, None, "tonight's pit", house, None)
    journal.close()
    server = Server(folder, None, "--house", "sydney", "--quiet")
    found = {name: Player(server, token, "one", name) for name, token in tokens.items()}
    for table in ("one", "two"):
        crew = [{"person": "bob", "role": "player"}]
        assert found["hal"].post("/tables", {"table": table, "house": "sydney", "staff": crew}).status_code == 201
    yield found
    assert server.stop() == 0


def code(player: Player, path: str, kind: str, approval: str = "", **fields: object) -> str:
    """What comes of an act: the code of a problem, or nothing."""
    headers = {"Second-Person": approval} if approval else {}
    answer = player.post(path, {"kind": kind, **fields}, **headers)
    told: str = answer.json().get("code", "") if answer.status_code != 200 else ""
    return told


def test_who_is_kept_out_sits_at_no_table(staff: dict[str, Player]) -> None:
    """By two supervisors and no others; the host of one table bars nobody from the next; two let him in again."""
    sue, tom, hal, bob, ivo = (staff[name] for name in ("sue", "tom", "hal", "bob", "ivo"))
    kept_out = {"person": "Bob", "reason": "he threatened a dealer"}
    crew = [{"person": "bob", "role": "stick"}]
    assert hal.post("/tables", {"table": "three", "house": "sydney", "staff": crew}).status_code == 201
    assert code(bob, "/tables/three/acts", "table.close_bets") != "floor.barred"
    assert code(hal, "/floor/acts", "floor.exclude", **kept_out) == "permission.missing"
    assert code(ivo, "/floor/acts", "floor.exclude", **kept_out) == "permission.missing"
    assert code(sue, "/floor/acts", "floor.exclude", **kept_out) == "table.two_people"
    assert code(sue, "/tables/one/acts", "floor.exclude", **kept_out) == "table.house_wide"
    asked = {"what": "floor.exclude", "act": {"kind": "floor.exclude", **kept_out}}
    approval = tom.post("/floor/approvals", asked).json()["approval"]
    assert code(sue, "/floor/acts", "floor.readmit", approval, **kept_out) == "people.no"
    assert code(sue, "/floor/acts", "floor.exclude", approval, **kept_out | {"person": "Tom"}) == "people.no"
    assert code(sue, "/floor/acts", "floor.exclude", approval, **kept_out) == ""
    for table in ("one", "two"):
        assert code(bob, f"/tables/{table}/acts", "command.sit", buyin=10_000) == "floor.barred"
    assert list(ivo.get("/floor").json()["floor"]["barred"]) == ["bob"]
    last = sue.get("/tables/one").json()["sequence"]
    heard = next(each for each in hal.events(0, last) if each["entry"]["kind"] == "floor_heard")
    place = {"kind", "sequence", "hash", "previous"}
    assert set(heard["entry"]) == place, "who may not play is not for everybody who watches"
    assert heard["sentences"] == []
    assert bob.get("/floor").status_code == 403
    back = {"kind": "floor.readmit", "person": "Bob", "reason": "it was the other Bob"}
    approval = sue.post("/floor/approvals", {"what": "floor.readmit", "act": back}).json()["approval"]
    assert code(tom, "/floor/acts", approval=approval, **back) == ""
    assert code(bob, "/tables/two/acts", "command.sit", buyin=10_000) == ""
    assert code(bob, "/floor/acts", "floor.exclude_oneself", person="Hal", reason="he plays too much") == "person.other"
    assert code(bob, "/floor/acts", "floor.exclude_oneself", person="Bob", reason="for a year") == ""
    assert code(bob, "/tables/two/acts", "command.bet", wager="pass", amount=1_000) == "floor.barred"
    assert bob.post("/tables", {"table": "bobs", "house": "sydney"}).json()["code"] == "floor.barred"
    assert code(bob, "/tables/three/acts", "table.close_bets") == "person.barred"
    assert hal.post("/tables", {"table": "hals", "house": "sydney", "staff": crew}).json()["code"] == "floor.barred"
    assert bob.get("/tables/floor").status_code == 404, "nobody looks at it as at a table"
    events = ivo.get("/reports/events").json()["rows"]
    assert {"exclusion", "exclusion lifted"} <= {row[5] for row in events}


def test_everybody_is_told_what_they_may_ask_for(staff: dict[str, Player]) -> None:
    """By the matrix and the models of acts: what is listed is let through, and what is not is not."""
    bob, sue, ivo, hal = (staff[name] for name in ("bob", "sue", "ivo", "hal"))
    told = {name: staff[name].get("/tables/one/permissions").json() for name in staff}
    acts = {name: {each["kind"]: each for each in told[name]["acts"]} for name in staff}
    assert "table.void" in acts["sue"]
    assert "table.void" not in acts["bob"]
    on_duty = {"floor.come_on_duty", "floor.go_off_duty", "floor.inspect_dice"}
    assert set(acts["ivo"]) == {"floor.review_dispute", *on_duty}, "an inspector reads everything and decides one thing"
    void = acts["sue"]["table.void"]
    assert (void["people"], void["role"], void["required"]) == (2, "supervisor", ["reason"])
    limits = acts["sue"]["floor.sign_player_limits"]
    assert (limits["people"], sorted(limits["fields"])) == (2, ["maximum", "minimum", "seat"])
    assert (
        next(act for act in told["sue"]["acts"] if act["kind"] == "floor.come_on_duty")["choices"]["title"][-1]
        == "inspector"
    )
    assert "floor.exclude" not in acts["sue"]
    house = {each["kind"] for each in sue.get("/floor/permissions").json()["acts"]}
    assert {"floor.exclude", "floor.register_promotion"} <= house
    own = {each["kind"] for each in bob.get("/floor/permissions").json()["acts"]}
    assert own == {
        *("floor.ask_for_rules", "floor.ask_review", "floor.enter_promotion", "floor.exclude_oneself"),
        *("floor.limit_oneself", "floor.raise_dispute", "floor.say_dissatisfied"),
    }
    for player in (bob, ivo, hal):
        for kind in ("table.void", "table.roll", "floor.tell_inspector", "floor.review_dispute", "command.bet"):
            fields: dict[str, Any] = {"reason": "a test"} if kind == "table.void" else {}
            fields |= {"dispute": 9, "decision": "no"} if kind == "floor.review_dispute" else {}
            fields |= {"inspector": "Ivo"} if kind == "floor.tell_inspector" else {}
            fields |= {"wager": "nothing", "amount": 1} if kind == "command.bet" else {}
            listed = kind in acts[player.person]
            assert (code(player, "/tables/one/acts", kind, **fields) != "permission.missing") == listed, (
                player.person,
                kind,
            )


def test_who_is_named_is_there(staff: dict[str, Player]) -> None:
    """An inspector who is told is one, and who comes on duty holds the role of the title."""
    sue, path = staff["sue"], "/tables/one/acts"
    assert code(sue, path, "floor.tell_inspector", inspector="Zed") == "person.unknown"
    assert code(sue, path, "floor.tell_inspector", inspector="Ivo") == ""
    for person, found in (("Zed", "person.unknown"), ("Bob", "person.unknown"), ("Tom", "")):
        assert code(sue, path, "floor.come_on_duty", person=person, title="Gaming Supervisor") == found


def test_who_practises_alone_is_everybody(staff: dict[str, Player]) -> None:
    """Who holds several roles acts on the floor as the highest; at a table where dice are said one is two."""
    alone = staff["bob"].server.practice(name="Pia", house="sydney", dice="given")
    path = f"/tables/{alone.table}/acts"
    assert code(alone, path, "floor.sign_player_limits", seat=1, minimum=100, maximum=500_000) == ""
    assert code(alone, path, "command.bet", wager="pass", amount=1_000) == ""
    assert code(alone, path, "command.throw", roll={"first": 4, "second": 2}) == ""
    assert code(alone, path, "floor.invalidate", cause="fire") == ""
    acts = {each["kind"]: each["role"] for each in alone.get(f"/tables/{alone.table}/permissions").json()["acts"]}
    assert (acts["floor.invalidate"], acts["command.bet"]) == ("supervisor", "player")
    assert "command.throw" in acts
    drawn = staff["bob"].server.practice(name="Una", house="sydney")
    acts = {each["kind"]: each["role"] for each in drawn.get(f"/tables/{drawn.table}/permissions").json()["acts"]}
    assert not {"command.throw", "command.call_no_roll", "command.rule_face", "table.read_dice"} & acts.keys()


def test_the_register_of_promotions_is_for_everybody_to_read(staff: dict[str, Player]) -> None:
    """Without a token; nobody registers anything at a table."""
    assert staff["bob"].server.http.get("/floor/promotions").json() == []
    entered = {"promotion": "Spring draw", "person": "Bob"}
    assert code(staff["bob"], "/tables/two/acts", "floor.enter_promotion", **entered) == "table.house_wide"
    assert code(staff["bob"], "/floor/acts", "floor.enter_promotion", **entered) == "floor.promotion"


def test_what_was_tried_and_not_allowed_is_in_the_journal_without_a_secret(staff: dict[str, Player]) -> None:
    """Sign-ins beyond the limit and refused permissions: who, how often, and never a word of what they sent."""
    ivo, bob = staff["ivo"], staff["bob"]
    asked = [{"name": "Sue", "password": f"planted secret {number}"} for number in range(12)]
    assert [bob.server.http.post("/sessions", json=each).status_code for each in asked][-1] == 429
    for _ in range(3):
        assert code(bob, "/tables/one/acts", "table.void", reason="planted reason") == "permission.missing"
    assert bob.get("/floor").status_code == 403
    until, told = time.monotonic() + 300, ""
    while "attempts_counted" not in told and time.monotonic() < until:
        told = ivo.get("/journal/people").text
    assert "attempts_counted" in told
    events = ivo.get("/reports/events").json()["rows"]
    assert {"role granted", "tried and not allowed"} <= {row[5] for row in events}
    assert bob.get("/reports/events").status_code == 403
    assert ivo.get("/reports/shift?as_csv=true").text.startswith("table,")
    assert "planted" not in told
