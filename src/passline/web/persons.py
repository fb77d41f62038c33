"""The routes of people: coming, signing in and out, links, the cage."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, Body, Request
from starlette.responses import Response

from passline.floor.names import folded
from passline.journal.contract import opening_of
from passline.journal.entries import Draft
from passline.pit.people.names import check_own_name
from passline.pit.people.people import By, Hosted, Token
from passline.telling.card import sign
from passline.web import models as m
from passline.web.exchange import Key, said_json, service_of, with_cookie
from passline.web.problems import Problem, too_many
from passline.web.views import house_of
from passline.web.who import SECURE_COOKIE, Asker, asker_of, by_asker, cookie_of

if TYPE_CHECKING:
    from passline.web.service import Service

router = APIRouter(tags=["people"])


class GuestArrived(m.Arrived):
    """A guest, and the table of the link by which they came."""

    table: str | None


class Invitation(m.Told):
    """What a link invites to: whose table, by whose book, under which sign."""

    table: str
    host: str
    house: str
    sign: str


class LinkView(m.Told):
    """A link by which guests come to a table."""

    link: str
    table: str
    reach: list[str]
    """The addresses by which other machines come here; none where only this one is heard."""
    command: str
    """What starts this server so that all of the network hears it; nothing where others hear it already."""


class SessionView(m.Told):
    """A session of one's own: the public name of its token, since when, until when, and whether it is this one."""

    session: str
    since: str
    until: str
    this: bool


class Who(m.Told):
    """Whoever asks, if the house knows them."""

    me: m.Me | None


SignIn = Annotated[
    m.SignIn, Body(openapi_examples={"Ann": {"value": {"name": "Ann", "password": "correct horse battery"}}})
]


async def _patience(service: Service, asker: Asker) -> None:
    """Refuse who comes too often."""
    if wait := service.comers.take(asker.address):
        raise too_many("from this address", wait)


def _check_tries(service: Service, name: str, address: str, device: str | None) -> None:
    """Refuse to try more passwords; strangers' tries do not count against a device that was signed in by this name."""
    if device is not None:
        where, wait = "on this device", service.tries.take(f"{name} on {device}")
    elif wait := service.sign_ins.take(address):
        where = "from this address"
    elif wait := service.tries.take(f"{name} from {address}"):
        where = "for this name from here"
    else:
        where, wait = "for this name", service.tries_anywhere.take(name)
    if wait:
        service.tried("sign-in beyond the limit", name)
        raise too_many(f"tries {where}", wait)


@router.post("/people", status_code=201, responses={201: {"model": m.Arrived}})
async def make_account(
    request: Request,
    asked: SignIn,
) -> Response:
    """Make an account and be signed in."""
    service, asker = service_of(request), asker_of(request)
    await _patience(service, asker)
    check_own_name(asked.name)
    people = service.pit.people
    person = await service.run(people.add, asked.name, asked.password, By("house", "house", service.pit.now()))
    return await _signed_in(request, person.id)


@router.post("/sessions", status_code=201, responses={201: {"model": m.Arrived}})
async def sign_in(
    request: Request,
    asked: SignIn,
) -> Response:
    """Sign in: the token is told once; send it as `Authorization: Bearer …`."""
    service, asker, name = service_of(request), asker_of(request), folded(asked.name)
    kept = request.cookies.get(cookie_of(request), "")
    device = await service.run(service.pit.people.device, kept, name) if kept else None
    _check_tries(service, name, asker.address, device)
    person = await service.run(service.pit.people.is_password, asked.name, asked.password)
    if person is None:
        service.metrics.refused.labels("password").inc()
        raise Problem(401, "password.wrong", "Name or password is wrong.")
    return await _signed_in(request, person.id)


async def _signed_in(request: Request, person: str) -> Response:
    service = service_of(request)
    people = service.pit.people
    token = await service.run(people.issue, person, By(person, "player", service.pit.now()))
    answer = said_json({"person": person, "name": people.persons[person].name, "token": token}, 201)
    return with_cookie(request, answer, token)


@router.delete("/sessions", status_code=204, response_class=Response)
async def sign_out(request: Request) -> Response:
    """Sign out: the token counts no more, also on open streams."""
    service, asker = service_of(request), asker_of(request)
    assert asker.token is not None, "whoever is somebody has a token"
    await service.run(service.pit.people.revoke, asker.token.id, by_asker(service.pit, asker))
    service.ring_all()
    answer = Response(status_code=204)
    name = cookie_of(request)
    if name in request.cookies:  # who came by a bearer token leaves what somebody else has in this browser
        answer.delete_cookie(name, secure=name == SECURE_COOKIE, httponly=True, samesite="lax")
        answer.headers["Clear-Site-Data"] = '"cache"'  # choices and score sheets in the browser are the person's own
    return answer


@router.get("/me/sessions", responses={200: {"model": list[SessionView]}})
async def sessions(request: Request) -> Response:
    """Where you are signed in."""
    service, asker = service_of(request), asker_of(request)
    assert asker.token is not None, "whoever is somebody has a token"
    found = [_session(each, asker.token.id) for each in service.pit.people.sessions(asker.id, service.pit.now())]
    return said_json(found)


def _session(token: Token, this: str) -> dict[str, Any]:
    return {"session": token.id, "since": token.since, "until": token.until, "this": token.id == this}


@router.delete("/me/sessions/{session}", status_code=204, response_class=Response)
async def end_session(request: Request, session: str) -> Response:
    """End a session of your own, wherever it is; of others' nobody is told whether there is one."""
    service, asker = service_of(request), asker_of(request)
    people = service.pit.people
    if session not in {each.id for each in people.sessions(asker.id, service.pit.now())}:
        raise Problem(404, "session.unknown", "You have no such session: GET /me/sessions lists yours.")
    await service.run(people.revoke, session, by_asker(service.pit, asker))
    service.ring_all()
    return Response(status_code=204)


@router.get("/me", responses={200: {"model": m.Me}})
async def me(request: Request) -> Response:
    """Your own account: roles, tables, wallet."""
    service, person = service_of(request), asker_of(request).known()
    return said_json(await service.run(account, service, person.id))


@router.get("/who", responses={200: {"model": Who}})
async def who(request: Request) -> Response:
    """Who the house takes you for: your account, or nobody."""
    service, person = service_of(request), asker_of(request).person
    return said_json({"me": None if person is None else await service.run(account, service, person.id)})


def account(service: Service, person: str) -> dict[str, Any]:
    """Somebody's account, as they see it themselves."""
    people = service.pit.people
    if person not in people.persons:
        raise Problem(404, "people.unknown", "Nobody here is called that.")
    known = people.persons[person]
    return {
        "person": known.id,
        "name": known.name,
        "guest": known.guest,
        "roles": sorted(people.roles(person)),
        "tables": sorted(each.table for each in tuple(people.hosted.values()) if each.host == person),
        "open": [_open_table(service, each) for each in service.pit.open_of(person)],
        "seated": [_open_table(service, each) for each in service.pit.seated_of(person)],
        "wallet": service.pit.wallets().balance(person),
    }


def _open_table(service: Service, hosted: Hosted) -> dict[str, Any]:
    """A table of somebody's, with its house and since when."""
    first = opening_of(service.pit.journal, hosted.table)
    name = house_of(first.body["house"]).name
    return {"table": hosted.table, "house": name, "opened": first.time, "practice": hosted.practice}


@router.get("/people/{person}", responses={200: {"model": m.Me}})
async def look_at(request: Request, person: str) -> Response:
    """Somebody's account, for those who inspect."""
    service = service_of(request)
    return said_json(await service.run(account, service, folded(person)))


@router.post("/me/password", status_code=201, responses={201: {"model": m.Arrived}})
async def change_password(
    request: Request,
    asked: Annotated[
        m.NewPassword,
        Body(openapi_examples={"new": {"value": {"old": "correct horse battery", "new": "a dozen red chips"}}}),
    ],
) -> Response:
    """Another password; every token you had counts no more, and you get a new one."""
    service, asker = service_of(request), asker_of(request)
    people, person = service.pit.people, asker.known()
    if wait := service.tries.take(person.id):
        service.tried("sign-in beyond the limit", person.id)
        raise too_many("tries", wait)
    if await service.run(people.is_password, person.name, asked.old) is None:
        raise Problem(401, "password.wrong", "The old password is wrong.")
    await service.run(people.set_password, person.id, asked.new, by_asker(service.pit, asker))
    service.ring_all()
    return await _signed_in(request, person.id)


@router.post("/guests", status_code=201, responses={201: {"model": GuestArrived}})
async def come_as_guest(
    request: Request,
    asked: Annotated[m.Guest, Body(openapi_examples={"Bob": {"value": {"name": "Bob", "link": "0f3c…"}}})],
) -> Response:
    """Come to a table by its link, without an account; without a link, to those that everybody finds."""
    service, asker = service_of(request), asker_of(request)
    await _patience(service, asker)
    check_own_name(asked.name)
    people = service.pit.people
    link = None if asked.link is None else await service.run(_link, service, asked.link)
    person, token = await service.run(people.guest, asked.name, service.pit.now(), link)
    table = link and link.table
    answer = said_json({"person": person.id, "name": person.name, "token": token, "table": table}, 201)
    return with_cookie(request, answer, token)


def _link(service: Service, given: str) -> Token:
    """A link that still counts."""
    found = service.pit.people.bearer(given, service.pit.now(), "link")
    if found is None:
        raise Problem(404, "link.wrong", "This link does not count any more: ask the host for another.")
    return found


@router.post("/invitations", responses={200: {"model": Invitation}})
async def read_invitation(
    request: Request,
    asked: Annotated[m.Invited, Body(openapi_examples={"link": {"value": {"link": "0f3c…"}}})],
) -> Response:
    """What a link invites to, before one comes by it; posted, so that no log keeps the link."""
    service = service_of(request)

    def work() -> dict[str, str]:
        table = service.pit.table(str(_link(service, asked.link).table))
        hosted = service.pit.people.hosted[table.name]
        seat = table.live.table.seats.get(service.pit.seat_of(table, hosted.host) or 0)
        host = seat.name if seat is not None else service.pit.people.persons[hosted.host].name
        shown = sign(table.layout, table.live.table.notice)
        return {"table": table.name, "host": host, "house": table.layout.book.name, "sign": shown}

    return said_json(await service.run(work))


@router.post("/tables/{table}/links", status_code=201, responses={201: {"model": LinkView}})
async def make_link(
    request: Request,
    table: str,
    asked: Annotated[m.NewLink, Body(openapi_examples={"player": {"value": {"role": "player"}}})],
) -> Response:
    """A link by which guests come to this table."""
    service, asker = service_of(request), asker_of(request)

    def work() -> str:
        return service.pit.people.issue(asker.id, by_asker(service.pit, asker), "link", table=table, what=asked.role)

    link = await service.run(work)
    return said_json({"link": link, "table": table, "reach": service.reach, "command": service.louder}, 201)


@router.post("/people/{person}/signed-out", status_code=204, response_class=Response)
async def sign_out_everywhere(request: Request, person: str) -> Response:
    """Have all of somebody's tokens count no more."""
    service, asker = service_of(request), asker_of(request)
    people, whom = service.pit.people, folded(person)

    def work() -> None:
        for token in [each for each in people.tokens.values() if each.person == whom]:
            people.revoke(token.id, by_asker(service.pit, asker))

    await service.run(work)
    service.ring_all()
    return Response(status_code=204)


@router.post("/cage", responses={200: {"model": m.EntryView}})
async def at_the_cage(
    request: Request,
    key: Key,
    asked: Annotated[
        m.CageAct, Body(openapi_examples={"in": {"value": {"act": "pay_in", "player": "Ann", "amount": 50_000}}})
    ],
) -> Response:
    """Pay money into a player's wallet, or out of it."""
    service, asker = service_of(request), asker_of(request)
    whom = folded(asked.player)
    if whom not in service.pit.people.persons:
        raise Problem(404, "people.unknown", "Nobody here is called that.")
    if whom == asker.id:
        raise Problem(403, "person.own", "Nobody pays themselves at the cage: ask another who keeps it.")
    by = Draft("cage_acted", {}, asker.id, asker.role, service.pit.now(), f"{asker.id}/{key}")

    def work() -> bytes:
        cage = service.pit.wallets()
        return (cage.pay_in if asked.act == "pay_in" else cage.pay_out)(whom, asked.amount, by)

    return Response(await service.run(work), media_type="application/json")
