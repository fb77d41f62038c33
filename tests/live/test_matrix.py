"""What HTTP refuses the machine refuses: every role and every act asked of both, equal cell by cell."""

from __future__ import annotations

import asyncio
import sys
import threading
from types import FrameType
from typing import Any

import httpx
import pytest

from passline.engine.commands import Sit
from passline.engine.refusals import Refusal
from passline.errors import RoleError
from passline.floor.register import ACTS
from passline.journal.memory import MemoryJournal
from passline.live.answer import answer
from passline.live.people import may
from passline.live.requests import Ask, request
from passline.pit.people.people import By
from passline.pit.pit import Opening, Pit
from passline.pit.table import LiveTable
from passline.web.acts import ActRequest, read_act
from passline.web.app import make_app
from passline.web.auth import Actor
from passline.web.problems import Problem
from passline.web.service import Service
from tests.pit.play import KEYS, NOW
from tests.web.scene import KINDS, body_of

CREW = ("player", "dealer", "stick", "box")
HOUSE = ("cashier", "supervisor", "inspector", "administrator")
OF_HTTP = {"approval.missing", "people.unknown", "seat.none", "seat.name", "body.unreadable"}
"""What is sent and not decided: a second person's approval, whose seat and name go without saying, a body."""


class Club:
    """A table with somebody of each role, and the service before it."""

    def __init__(self, *, wallets: bool) -> None:
        """Open it; a table for the house's money has a wallet for its player."""
        self.pit = Pit(MemoryJournal(), KEYS, clock=lambda: NOW)
        house, people = By("house", "house", NOW), self.pit.people
        self.tokens = {role: people.guest(role.capitalize(), NOW)[1] for role in ("host", *CREW, *HOUSE)}
        for role in HOUSE:
            people.grant(role, role, None, "for the test", house, None)
        opening = Opening("sydney", practice=False, wallets=wallets, staff=tuple((role, role) for role in CREW))
        self.table = self.pit.open(people.persons["host"], opening, By("host", "player", NOW), "own")
        if not wallets:
            self.table.do(Sit(1, "Player", 5_000_000), Ask("player", "player", "sits", NOW))
        self.app = make_app(Service(self.pit))

    def by_http(self, role: str, body: dict[str, Any], key: str, at: str) -> str:
        """The kind of the entry, or the code of the problem."""
        sent = self.answer_of(role, body, key, at).json()
        return str(sent.get("code") or sent["kind"])

    def answer_of(self, role: str, body: object, key: str, at: str) -> httpx.Response:
        async def ask() -> httpx.Response:
            way = httpx.ASGITransport(self.app)
            async with httpx.AsyncClient(transport=way, base_url="http://localhost") as http:
                headers = {"Authorization": f"Bearer {self.tokens[role]}", "Idempotency-Key": key}
                return await http.post(at, json=body, headers=headers)

        return asyncio.run(ask())

    def by_the_machine(self, role: str, body: dict[str, Any], key: str, table: LiveTable) -> str:
        """The kind of the last entry that it would write, or the code of its refusal."""
        token = self.pit.people.bearer(self.tokens[role], NOW)
        person = self.pit.people.persons[role]
        asked = ActRequest(self.pit, Actor(person, token, "", "test"), read_act(body), key, None)
        try:
            return _answered(table, asked)
        except RoleError as error:
            return error.code
        except Problem as problem:
            return problem.code if problem.code in OF_HTTP else f"{problem.code}, of HTTP alone"


def _answered(table: LiveTable, asked: ActRequest) -> str:
    by = Ask(asked.person.id, "", asked.key, NOW)
    act, reason = asked.filled(table, by)
    made = request(by, act, wallet=table.live.money, reason=reason)
    made = made._replace(material=table._material(table.live, act, NOW))
    planned = answer(table.state(act=act), made)
    if isinstance(planned, Refusal):
        return str(planned.code)
    if not planned:
        return "nothing"
    body = planned[-1].draft.body
    return str(body["refusal"]["code"] if planned[-1].draft.kind == "refused" else planned[-1].draft.kind)


ENDS = ("table.roll", "table.close")
"""What changes the table for whoever asks next: each is asked of a table of its own."""

SETTLED = {"bets_closed": "rolled", "epoch_closed": "table_closed"}
"""What the machine writes first, and what answers the request once the pit has done the rest."""


@pytest.mark.slow
@pytest.mark.parametrize("wallets", [False, True])
def test_what_http_refuses_the_machine_refuses(*, wallets: bool) -> None:
    """And what it takes; whatever is only HTTP's is named above."""
    club, cells = Club(wallets=wallets), 0
    for role in club.tokens:
        for kind in sorted(KINDS.keys() - set(ENDS)):
            cells += _equal(club, role, kind)
    assert cells > 450


@pytest.mark.parametrize("role", ["host", *CREW, *HOUSE])
@pytest.mark.parametrize("kind", ENDS)
def test_a_roll_and_the_end_of_a_table_too(kind: str, role: str) -> None:
    """Each at a table where nothing was done."""
    assert _equal(Club(wallets=False), role, kind)


def test_what_is_asked_of_the_floor_of_the_house_too() -> None:
    """Every act of the floor, asked of the stream at which nobody plays."""
    club = Club(wallets=False)
    assert all(_equal(club, role, kind, "/floor/acts") for role in club.tokens for kind in sorted(ACTS))


def _equal(club: Club, role: str, kind: str, at: str = "/tables/own/acts") -> bool:
    body, key, table = body_of(kind, role), f"{role}/{kind}", club.pit.floor() if at == "/floor/acts" else club.table
    wanted, answered = club.by_the_machine(role, body, key, table), club.by_http(role, body, key, at)
    if role == "administrator" and table is club.table:  # sees no table: turned away before there is an act
        assert (wanted, answered) in (("permission.missing", "table.unknown"), ("seat.none", "table.unknown")), kind
        return True
    assert answered == SETTLED.get(wanted, wanted), (role, kind)
    return True


@pytest.mark.parametrize(
    ("role", "body", "at"),
    [
        ("player", {"kind": "command.bet", "wager": "pass", "amount": 1_000}, "/tables/own/acts"),
        ("box", {"kind": "floor.count_places", "places": 12}, "/tables/own/acts"),
        ("player", {"kind": "floor.exclude_oneself", "person": "Player", "reason": "for a year"}, "/floor/acts"),
    ],
)
def test_whether_somebody_may_is_looked_at_once_for_each_act(role: str, body: dict[str, Any], at: str) -> None:
    """By the table or the floor of the house, whose answer can be asked for again; not by the route before it."""
    club, looks = Club(wallets=False), list[str]()

    def note(frame: FrameType, event: str, _argument: object) -> None:
        if event == "call" and frame.f_code is may.__code__ and frame.f_back is not None:
            looks.append(frame.f_back.f_code.co_name)

    sys.setprofile(note)
    threading.setprofile(note)
    try:
        assert club.by_http(role, body, "one", at) in ("acted", "floor_acted")
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    assert looks == ["_may"]


@pytest.mark.parametrize(
    "body",
    [
        {"kind": "command.bet", "wager": "pass", "amount": 1_000},
        {"kind": "command.bet", "wager": "pass", "amount": "ten"},
        {"kind": "command.sit", "name": "Somebody", "buyin": 1_000},
        {"kind": "floor.no_such_act"},
        [],
    ],
)
@pytest.mark.parametrize("key", ["one", "two words"])
def test_of_a_table_that_is_not_theirs_to_see_nobody_learns_that_it_is_there(key: str, body: object) -> None:
    """Whatever is wrong with what they ask for, the answer is that of a table that does not exist."""
    club = Club(wallets=False)
    hidden = club.answer_of("administrator", body, key, "/tables/own/acts")
    nowhere = club.answer_of("administrator", body, key, "/tables/nowhere/acts")
    assert (hidden.status_code, hidden.json()["code"]) == (404, "table.unknown")
    assert {**hidden.json(), "instance": ""} == {**nowhere.json(), "instance": ""}


def test_a_token_of_a_machine_asks_no_table_for_anything() -> None:
    club = Club(wallets=False)
    club.tokens["box"] = club.pit.people.issue("box", By("house", "house", NOW), "machine")
    assert club.by_http(
        "box", {"kind": "command.bet", "wager": "pass", "amount": 1_000}, "one", "/tables/own/acts"
    ) == ("permission.missing")
