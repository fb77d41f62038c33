"""What every request passes, asked in this process: bodies that do not come, newcomers who lock nobody out, words."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from pydantic import ValidationError

from passline.errors import PeopleError
from passline.floor.conduct import ExcludeOneself
from passline.floor.names import folded
from passline.journal.contract import now, read_entry
from passline.journal.memory import MemoryJournal
from passline.live.people import Hosted, Roster
from passline.live.requests import Ask
from passline.live.rules import CHIPS_MAX
from passline.pit.people.people import By
from passline.pit.pit import Pit
from passline.web.acts import check_kind
from passline.web.app import make_app
from passline.web.houses import open_tables
from passline.web.limits import Limits
from passline.web.problems import Problem
from passline.web.schemas import Crew
from passline.web.service import Service
from tests.pit.play import KEYS

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

PASSWORD = "twelve red chips"


def asked(
    service: Service, *requests: tuple[str, dict[str, Any]], address: str = "10.0.0.1", host: str = "127.0.0.1"
) -> list[httpx.Response]:
    """What the service answers to somebody without a token."""

    async def ask() -> list[httpx.Response]:
        door = httpx.ASGITransport(make_app(service), client=(address, 4000))
        async with httpx.AsyncClient(transport=door, base_url=f"http://{host}") as http:
            answers = []
            for path, more in requests:
                answers.append(await http.post(path, **more))
                http.cookies.clear()
            return answers

    return asyncio.run(ask())


def again(service: Service) -> Service:
    """The same service started again, for each run has an event loop of its own; who tried how often is remembered."""
    fresh = Service(service.pit, service.limits)
    fresh.sign_in_attempts, fresh.sign_in_attempts_by_name, fresh.sign_in_attempts_by_address = (
        service.sign_in_attempts,
        service.sign_in_attempts_by_name,
        service.sign_in_attempts_by_address,
    )
    return fresh


async def dripping() -> AsyncIterator[bytes]:
    """A body whose end never comes."""
    yield b'{"name":'
    await asyncio.sleep(30)


def test_a_body_that_does_not_come_is_not_waited_for() -> None:
    """The asker is told, and the connection closed."""
    service = Service(Pit(MemoryJournal(), KEYS), Limits(body_s=0.05))
    headers = {"Content-Type": "application/json"}
    (answer,) = asked(service, ("/sessions", {"content": dripping(), "headers": headers}))
    assert (answer.status_code, answer.json()["code"]) == (408, "body.slow")
    assert answer.headers["connection"] == "close"


@pytest.mark.parametrize(
    "body",
    [
        b'{"name": "Ann", "name": "Bob"}',
        b'{"house": {"file": "a", "text": "x", "file": "b"}}',
        b'[{"a": 1, "\\u0061": 2}]',
    ],
)
def test_a_body_says_everything_once(body: bytes) -> None:
    """One reader would take the first of two, another the last; also deep inside, and however it is spelt."""
    headers = {"Content-Type": "application/json"}
    path = "/sessions" if b"name" in body else "/practice"
    (answer,) = asked(Service(Pit(MemoryJournal(), KEYS)), (path, {"content": body, "headers": headers}))
    told = answer.json()
    assert (answer.status_code, told["code"], "said twice" in told["detail"]) == (422, "body.unreadable", True)


def test_a_body_nested_without_end_is_refused() -> None:
    """Python 3.14 reads it to the end, and then there is no name in it; earlier ones give up on the way."""
    body, headers = b"[" * 30_000 + b"]" * 30_000, {"Content-Type": "application/json"}
    (answer,) = asked(Service(Pit(MemoryJournal(), KEYS)), ("/sessions", {"content": body, "headers": headers}))
    assert (answer.status_code, answer.json()["code"]) in {(400, "body.excessive"), (422, "body.unreadable")}


@pytest.mark.parametrize("body", [b'{"name": ' + b"9" * 5_000 + b"}", b'{"name": "\xff"}'])
def test_a_body_that_no_reader_reads_has_a_code_of_its_own(body: bytes) -> None:
    """A number without end, letters that are none: a sentence, and nobody is the worse for it."""
    headers = {"Content-Type": "application/json"}
    (answer,) = asked(Service(Pit(MemoryJournal(), KEYS)), ("/sessions", {"content": body, "headers": headers}))
    told = answer.json()
    assert (answer.status_code, told["code"]) == (400, "body.excessive")
    assert "nested too deeply" in told["detail"]


TITLES = (
    "Inspector",
    "supervisor",
    "DealerBob",
    "The-Pit-Boss",
    "\uff22\uff4f\uff58",
    "st\u034fick",
    "ADMIN1",
    "1nspector",
    "Sue-box",
    "Sue(b0x)",
    "stick_Sue",
    "FloorSue",
    "the-house",
)


@pytest.mark.parametrize("name", TITLES)
def test_nobody_takes_a_name_for_a_role(name: str) -> None:
    """However it is written; neither for an account nor as a guest, nor at a table of one's own."""
    service, body = Service(Pit(MemoryJournal(), KEYS)), {"json": {"name": name}}
    account = {"json": {"name": name, "password": PASSWORD}}
    answers = asked(service, ("/people", account), ("/guests", body), ("/practice", body))
    assert [(each.status_code, "role of the house" in each.json()["detail"]) for each in answers] == [(422, True)] * 3


@pytest.mark.parametrize("name", ["Boxer", "Floortje", "Pitt", "Stickley", "Bankole"])
def test_names_that_have_a_short_word_in_them_are_names(name: str) -> None:
    """Somebody is really called that."""
    (answer,) = asked(Service(Pit(MemoryJournal(), KEYS)), ("/guests", {"json": {"name": name}}))
    assert answer.json()["name"] == name


@pytest.mark.parametrize("name", [".", "..", "\u2025"])
def test_a_name_can_stand_in_an_address(name: str) -> None:
    """A browser makes /signed-out of /people/../signed-out, and never asks about such a person."""
    (answer,) = asked(Service(Pit(MemoryJournal(), KEYS)), ("/guests", {"json": {"name": name}}))
    assert (answer.status_code, answer.json()["code"]) == (422, "name.unfit")


@pytest.mark.parametrize("name", ["\u0410nn", "A\u0578n", "An\u2502n", "\u13aann", "An\u03b7"])
def test_a_name_is_of_one_alphabet(name: str) -> None:
    """A Cyrillic A before Latin letters is nobody's name, nor a line for an l: for accounts, guests, in practice."""
    service, body = Service(Pit(MemoryJournal(), KEYS)), {"json": {"name": name}}
    account = {"json": {"name": name, "password": PASSWORD}}
    answers = asked(service, ("/people", account), ("/guests", body), ("/practice", body))
    assert [(each.status_code, each.json()["code"]) for each in answers] == [(422, "name.unfit")] * 3
    assert "one alphabet" in answers[0].json()["detail"]


ALIKE = [
    ("Capa", "\u0421\u0430\u0440\u0430"),
    ("Ivan", "lvan"),
    ("Bob", "B0b"),
    ("Ann", "\u1d00\u0274\u0274"),
    ("Ernie", "Emie"),
    ("Ann-Lee", "Ann\u2010Lee"),
    ("Ann", "Ann."),
    ("Ann", "_Ann\u2013"),
]


@pytest.mark.parametrize(("first", "second"), ALIKE)
def test_two_people_never_look_the_same(first: str, second: str) -> None:
    """A guest is given a number, as beside the same name."""
    pit = Pit(MemoryJournal(), KEYS)
    pit.people.guest(first, now())
    assert [pit.people.guest(second, now())[0].name for _ in range(2)] == [f"{second}-2", f"{second}-3"]
    assert pit.people.guest(first, now())[0].name == f"{first}-4", "the numbers of one look are counted together"


def test_nobody_makes_an_account_that_looks_like_anothers() -> None:
    """They are told whose."""
    pit = Pit(MemoryJournal(), KEYS)
    pit.people.guest("Capa", now())
    with pytest.raises(PeopleError, match="there is a Capa already"):
        pit.people.add(ALIKE[0][1], PASSWORD, By("house", "house", now()))


EVERYWHERE = ("Zo\xeb", "\u0410\u043d\u043d\u0430", "\u5c71\u7530\u305f\u308d", "Ng\u1ecdc-2", "\U0001f3b2Ann")


@pytest.mark.parametrize("name", EVERYWHERE)
def test_people_of_every_alphabet_have_names(name: str) -> None:
    """Latin with marks, Cyrillic, Japanese in its three scripts, a picture beside letters."""
    pit = Pit(MemoryJournal(), KEYS)
    pit.people.guest("Zoe", now())
    assert pit.people.guest(name, now())[0].name == name


def test_nothing_is_opened_for_who_may_not_sit_at_it() -> None:
    """Neither a table nor a guest is left behind, by an account or by a name that the house keeps out."""
    pit = Pit(MemoryJournal(), KEYS)
    bob, token = pit.people.guest("Bob", now())
    for name in ("Bob", "Eve"):
        exclude = ExcludeOneself(name, "for a year")
        assert read_entry(pit.floor().do(exclude, Ask(folded(name), "player", name, now()))).kind == "floor_acted"
    mine = {"json": {}, "headers": {"Authorization": f"Bearer {token}"}}
    standing = {"json": {"buyin": 0}, "headers": mine["headers"]}
    answers = asked(
        Service(pit), ("/practice", mine), ("/practice", standing), ("/practice", {"json": {"name": "Eve"}})
    )
    assert [(each.status_code, each.json()["code"]) for each in answers] == [(403, "floor.barred")] * 3
    assert (pit.people.hosted, set(pit.people.persons)) == ({}, {bob.id})
    assert asked(Service(pit), ("/practice", {"json": {"name": "Bob"}}))[0].json()["person"] == "bob-2", "another Bob"


def test_play_money_is_bought_up_to_a_million() -> None:
    """In practice and at a table, at once and bit by bit; the table says so, and a sign that wants more has more."""
    pit = Pit(MemoryJournal(), KEYS)
    service = Service(pit)
    ann, token = pit.people.guest("Ann", now())
    mine = {"Authorization": f"Bearer {token}"}
    too_much: dict[str, Any] = {"json": {"buyin": 10**12}, "headers": mine}
    (no,) = asked(service, ("/practice", too_much))
    assert (no.status_code, no.json()["code"], no.json()["buyin_max"]) == (409, "buyin.limit", CHIPS_MAX)
    assert "bought up to 1000000 on" in no.json()["detail"]
    assert not pit.people.hosted
    service = Service(pit)
    (opened,) = asked(service, ("/practice", {"json": {"buyin": CHIPS_MAX - 1_000}, "headers": mine}))
    table = opened.json()["table"]
    assert table["buyin_max"] == CHIPS_MAX
    buys = [{"json": {"kind": "command.buy_in", "amount": n}} for n in (1_001, 1_000, 1)]
    acts = [
        (f"/tables/{table['table']}/acts", each | {"headers": mine | {"Idempotency-Key": "k" * n}})
        for n, each in enumerate(buys, 1)
    ]
    assert [each.json().get("code") for each in asked(Service(pit), *acts)] == ["buyin.limit", None, "buyin.limit"]
    rich: dict[str, Any] = {"json": {"notice": "min=20000 max=50000", "buyin": 2 * CHIPS_MAX}, "headers": mine}
    assert asked(Service(pit), ("/practice", rich))[0].status_code == 201
    assert ann.id == "ann"


@pytest.mark.slow
def test_a_stranger_who_guesses_locks_nobody_out() -> None:
    """Not who comes from elsewhere, nor who was signed in on a device that has its cookie; no other name gains."""
    pit, few = Pit(MemoryJournal(), KEYS), Limits(attempts_max=2, attempts_name_max=4, attempts_address_max=9)
    for name in ("Ann", "Bob"):
        pit.people.add(name, PASSWORD, By("house", "house", now()))
    token = pit.people.issue("ann", By("ann", "player", now()), lasts=timedelta(seconds=-1))  # its time is over
    kept = {"Cookie": f"passline={token}", "Origin": "http://127.0.0.1"}

    def tries(service: Service, address: str, name: str = "Ann", **more: dict[str, str]) -> list[int]:
        wrong, right = ({"json": {"name": name, "password": each}} | more for each in ("not this one", PASSWORD))
        answers = asked(service, *[("/sessions", each) for each in (wrong, wrong, right)], address=address)
        return [each.status_code for each in answers]

    service = Service(pit, few)
    assert tries(service, "10.0.0.9") == [401, 401, 429], "a stranger"
    service = again(service)
    (ann,) = asked(service, ("/sessions", {"json": {"name": "Ann", "password": PASSWORD}}), address="10.0.0.2")
    assert ann.status_code == 201, "from elsewhere"
    service = again(service)
    (near,) = asked(
        service, ("/sessions", {"json": {"name": "Ann", "password": PASSWORD}, "headers": kept}), address="10.0.0.9"
    )
    assert near.status_code == 201, "at the stranger's address, on her own device"
    service = again(service)
    assert tries(service, "10.0.0.3", headers=kept) == [401, 429, 429], "which tries no more often than any"
    service = again(service)
    assert tries(service, "10.0.0.4")[:2] == [401, 429], "from everywhere together"
    service = again(service)
    assert tries(service, "10.0.0.9", "Bob") == [401, 401, 429]
    assert tries(again(service), "10.0.0.9", "Bob", headers=kept)[:1] == [429], "Ann's device is nothing to Bob"


KNOWN = (
    "localhost:8000",
    "127.0.0.1:8000",
    "[::1]:8000",
    "192.168.1.20",
    "club.localhost",
    "craps.example",
    "CRAPS.example:443",
)


@pytest.mark.parametrize("host", [*KNOWN, "evil.example", "evil.example:8000", "craps.example.evil", "localhost.evil"])
def test_a_page_of_another_name_that_is_pointed_here_is_refused(host: str) -> None:
    """Its origin is the name it calls us by: so we know our names. Addresses cannot be pointed elsewhere."""
    service = Service(Pit(MemoryJournal(), KEYS), origins=("https://craps.example",))
    service.addresses = ("http://192.168.1.20:8000",)
    headers = {"Host": host, "Origin": f"http://{host}", "Authorization": "Basic dG9rZW4="}
    (answer,) = asked(service, ("/practice", {"json": {}, "headers": headers}))
    if host in KNOWN:
        assert answer.status_code == 201, answer.text
        return
    assert (answer.status_code, answer.json()["code"]) == (421, "host.unknown")
    assert "--origin http://" in answer.json()["detail"]
    assert "http://192.168.1.20:8000" in answer.json()["detail"]
    assert not service.pit.people.persons
    (wrong,) = asked(
        Service(service.pit), ("/practice", {"json": {}, "headers": headers | {"Authorization": "Bearer x.y"}})
    )
    assert wrong.json()["code"] == "token.wrong", "who sends a token is who it says, or nobody"


@pytest.mark.slow
def test_newcomers_of_one_address_lock_nobody_out_who_signs_in() -> None:
    """Each has a limit of its own."""
    pit = Pit(MemoryJournal(), KEYS)
    pit.people.add("Sue", PASSWORD, By("house", "house", now()))
    service = Service(pit, Limits(newcomers_address_max=2, attempts_address_max=1))
    sue = ("/sessions", {"json": {"name": "Sue", "password": PASSWORD}})
    newcomer: tuple[str, dict[str, Any]] = ("/practice", {"json": {}})
    answers = asked(service, newcomer, newcomer, newcomer, sue, sue)
    assert [each.status_code for each in answers] == [201, 201, 429, 201, 429]


def test_whoever_agrees_to_nothing_is_told_what_there_is() -> None:
    """By the names of the acts that take two."""
    check_kind("table.void")
    with pytest.raises(Problem, match=r"two people do .*table\.void") as caught:
        check_kind("nonsense")
    assert caught.value.status_code == 422


def test_a_host_names_a_crew_and_no_administrator() -> None:
    """Who keeps the accounts is named by two people of the house."""
    assert Crew(person="bob", role="stick").role == "stick"
    with pytest.raises(ValidationError):
        Crew.model_validate({"person": "bob", "role": "administrator"})


def test_a_table_that_is_opened_while_the_lobby_is_read_breaks_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The lobby is read beside acts that open tables: it shows those that were there."""
    pit = Pit(MemoryJournal(), KEYS)
    hosted = dict[str, Hosted]()
    pit.people.roster = Roster(hosted=hosted)
    hosted["one"] = Hosted("one", "hal", practice=False, listed=True)

    def head(table: str) -> None:
        hosted[f"{table}-beside"] = Hosted(f"{table}-beside", "hal", practice=False, listed=True)

    monkeypatch.setattr(pit.journal, "head", head)
    assert not list(open_tables(Service(pit)))
    assert list(hosted) == ["one", "one-beside"]
