"""Who asks, at which table, under which key: a token, the role that lets them, and the matrix that decides."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial, wraps
from inspect import Parameter, iscoroutinefunction, signature
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, TypeVar

from fastapi import APIRouter, Depends, Header, Request
from starlette.background import BackgroundTask
from starlette.requests import cookie_parser
from starlette.responses import Response

from passline.journal.contract import kind_in, read_entry
from passline.live.people import ANYONE, MACHINE, Permission, may, of_route
from passline.pit.people.people import By, Person, Token
from passline.pit.pit import Pit
from passline.pit.table import LiveTable
from passline.web.network import SAFE, address_of, host_of
from passline.web.problems import Problem, excessive, no_permission, no_table, refused, too_many
from passline.web.streams import Broadcast
from passline.web.subprocesses import thread_seconds

if TYPE_CHECKING:
    from passline.web.service import Service

COOKIE, SECURE_COOKIE = "passline", "__Host-passline"  # the token's cookie; over TLS one that no other host can set
PROBED = ("/health", "/ready")  # what a proxy asks by whatever name it has for us; nothing of anybody's is told there
HOUSE_ACTS = "/floor/acts"  # the route by which the floor of the house is asked
TOLD_MAX = 40  # how much of a name that somebody sent is said back


class Actor(NamedTuple):
    """Somebody who asks, as what; without a token, anyone. For an act the role is empty: the table finds it."""

    person: Person | None
    token: Token | None
    role: str
    address: str

    @property
    def id(self) -> str:
        return ANYONE if self.person is None else self.person.id

    @property
    def is_machine(self) -> bool:
        return self.token is not None and self.token.purpose == MACHINE

    @property
    def rate_key(self) -> str:
        """By what it is counted how often they ask: by name, or without a token by address."""
        return self.address if self.person is None else self.person.id

    def required(self) -> Person:
        assert self.person is not None, "a route for anyone asks nobody's name"
        return self.person


async def guard(request: Request) -> None:
    """Let nobody through who may not: every route of the framework passes here."""
    await admit(request.app.state.service, request)
    body = await request.body()
    if body.count(b'"') >= 4:  # what says something twice: one reader would take the first, another the last
        with suppress(ValueError, RecursionError):  # whatever cannot be read is said where it is needed
            json.loads(body, object_pairs_hook=_once)


async def admit(service: Service, request: Request) -> None:
    """See whose token it is, and whether the route that was found is theirs to take."""
    if request.scope["route"].path == HOUSE_ACTS:
        await admit_act(service, request, None)
        return
    actor, permission = await identify(service, request), _permission_of(request)
    person, params = actor.person, request.path_params
    role: str | None
    if actor.is_machine:
        role = MACHINE if MACHINE in permission.reach else None
    else:
        role = await service.run_at_table(params.get("table"), _role, service, permission, person, params)
        if role is None and person is not None and service.pit.journal.shared:
            role = await service.run(_role_now, service, permission, person, params)
    if role is None:
        if person is not None:
            service.count_attempt("permission refused", person.id)
        raise _no(service, permission, person, params.get("table"))
    request.state.actor = actor._replace(role=role)


async def admit_act(service: Service, request: Request, table: str | None) -> None:
    """See who asks a table, or the floor of the house, for something; whether they may, it alone says."""
    actor = await identify(service, request)
    if actor.person is None or actor.is_machine:
        raise _no(service, _permission_of(request), actor.person, table)
    if table is not None and not await service.run_at_table(table, service.is_table, table):
        raise no_table()
    request.state.actor = actor


async def identify(service: Service, request: Request) -> Actor:
    """Whose token it is, as nobody yet; whoever asks too often is told so."""
    _check_host(service, request)
    if service.network is not None:
        service.network.check(request, request.path_params.get("table"))
    address = request.client.host if request.client else ""
    person, token = await _bearer(service, request, _permission_of(request))
    if wait := service.requests.take(person.id if person else address):
        service.metrics.refused.labels("rate").inc()
        raise too_many("requests", wait)
    return Actor(person, token, "", address)


def _permission_of(request: Request) -> Permission:
    method, route = request.method, request.scope["route"]
    return of_route(f"{'GET' if method == 'HEAD' else method} {route.path}")


def _check_host(service: Service, request: Request) -> None:
    """Refuse who calls this server by another's name: a page of that name could have itself pointed here.

    Whoever has a token says who they are by themselves, whatever name they came by.
    """
    name = host_of(request.headers.get("host", ""))
    if _is_ours(service, name) or request.scope["path"] in PROBED or _sent(request):
        return
    others = f"; or come by {service.addresses[0]}" if service.addresses else ""
    detail = f"This server is not called {name[:TOLD_MAX]}: if it is, start it with --origin http://{name[:TOLD_MAX]}{others}."
    raise Problem(421, "host.unknown", detail)


def _is_ours(service: Service, name: str) -> bool:
    return name in service.names or name.endswith(".localhost") or address_of(name) is not None


def at_hand(service: Service, headers: Mapping[bytes, bytes], scheme: str, address: str) -> Actor | None:
    """Whose act it is, where that can be said at once; None where `identify` must look, or would refuse."""
    authorization = headers.get(b"authorization", b"")
    text = authorization[7:].strip() if authorization[:7].lower() == b"bearer " else b""
    if not text:
        host = headers.get(b"host", b"")
        ours = {b"http://" + host, b"https://" + host, *(each.encode() for each in service.origins)}
        foreign = headers.get(b"origin") not in ours or headers.get(b"sec-fetch-site") in (b"cross-site", b"same-site")
        if foreign or not _is_ours(service, host_of(host.decode("latin-1"))):
            return None
        name = SECURE_COOKIE if scheme == "https" else COOKIE
        text = cookie_parser(headers.get(b"cookie", b"").decode("latin-1")).get(name, "").encode("latin-1")
    people = service.pit.people
    token = people.bearer_at_hand(text.decode("latin-1"), service.pit.now())
    return None if token is None else Actor(people.persons[token.person], token, "", address)


def read_json(body: bytes) -> Any:  # noqa: ANN401 - JSON
    """What a body says, in UTF-8 and each name once."""
    try:
        return DECODER.decode(body.decode())
    except json.JSONDecodeError as error:
        raise Problem(422, "body.unreadable", f"No JSON: {error.msg} at character {error.pos}.") from None
    except (ValueError, RecursionError):
        raise excessive() from None


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    made = dict(pairs)
    if len(made) < len(pairs):
        seen: set[str] = set()
        name = next(name for name, _ in pairs if name in seen or seen.add(name))  # type: ignore[func-returns-value]
        raise Problem(422, "body.unreadable", f"{name[:TOLD_MAX]!r} is said twice in one object: say it once.")
    return made


DECODER = json.JSONDecoder(object_pairs_hook=_once)  # made once: `json.loads` with a hook makes one for every body


def cookie_of(request: Request) -> str:
    return SECURE_COOKIE if request.url.scheme == "https" else COOKIE


def by_actor(pit: Pit, actor: Actor, key: str | None = None) -> By:
    """Whoever asks, as the people's stream writes them."""
    return By(actor.id, actor.role, pit.now(), None if key is None else f"{actor.id}/{key}")


def _role(service: Service, permission: Permission, person: Person | None, params: dict[str, str]) -> str | None:
    """As what somebody may come this way."""
    if person is None:
        return may(permission, None)
    table = params.get("table")
    if table is not None and not service.is_table(table):
        raise no_table()
    own = service.owns(person.id, params) if "seat" in permission.reach.values() else False
    return may(permission, service.pit.standing(person.id, table, own=own))


def _role_now(service: Service, permission: Permission, person: Person, params: dict[str, str]) -> str | None:
    """The same, after a look at what other processes wrote: nobody is refused for what is old."""
    service.pit.people.catch_up()
    if (table := params.get("table")) is not None:
        service.pit.catch_up(table)
    return _role(service, permission, person, params)


def _no(service: Service, permission: Permission, person: Person | None, table: str | None) -> Problem:
    """Why somebody is not let through; of what they may not see they do not learn whether it is there."""
    service.metrics.refused.labels("permission").inc()
    if person is None:
        return Problem(401, "token.missing", "This needs a token: sign in, or come as a guest.")
    if table is not None and not service.sees(person.id, table):
        return no_table()
    return no_permission(permission)


def _sent(request: Request) -> str:
    """The token that somebody sends by themselves, which no page of another's can."""
    header = request.headers.get("authorization", "")
    return header[7:].strip() if header[:7].lower() == "bearer " else ""


async def _bearer(service: Service, request: Request, permission: Permission) -> tuple[Person | None, Token | None]:
    """Whose token came with the request; a cookie that does not count keeps nobody from what anyone may see."""
    if text := _sent(request):
        return await _whose(service, request, text)
    text = request.cookies.get(cookie_of(request), "")
    anyone = ANYONE in permission.reach
    try:
        _same_origin(service, request, cookie=bool(text))
    except Problem:
        if anyone and request.method in SAFE:
            return None, None
        raise
    if not text:
        return None, None
    try:
        return await _whose(service, request, text)
    except Problem as problem:
        if anyone and problem.status_code == 401:
            return None, None
        raise


async def _whose(service: Service, request: Request, text: str) -> tuple[Person, Token]:
    people = service.pit.people
    known = people.is_at_hand(text)
    token = people.find(text, service.pit.now()) if known else await service.run(people.find, text, service.pit.now())
    if token is None:
        wait = service.wrong_tokens.take(request.client.host if request.client else "")
        if wait:
            service.count_attempt("token beyond the limit", None)
            raise too_many("wrong tokens", wait)
        raise Problem(401, "token.wrong", "Your sign-in has ended: sign in again.")
    return service.pit.people.persons[token.person], token


def _same_origin(service: Service, request: Request, *, cookie: bool) -> None:
    """A cookie comes by itself, so what sent it must be our own page; nor does a foreign page sign anybody in."""
    origin, site = request.headers.get("origin"), request.headers.get("sec-fetch-site")
    ours = {f"http://{request.headers.get('host', '')}", f"https://{request.headers.get('host', '')}", *service.origins}
    safe = request.method in SAFE
    if not cookie and safe:
        return  # what anybody may see
    foreign = origin is not None and origin not in ours
    unsaid = cookie and not safe and origin is None
    if foreign or unsaid or site in ("cross-site", "same-site"):
        raise Problem(403, "origin.foreign", "A cookie counts only for our own pages; programs send a bearer token.")


T = TypeVar("T")

Key = Annotated[
    str,
    Header(
        alias="Idempotency-Key",
        min_length=1,
        max_length=120,
        pattern=r"^[!-~]+$",
        description="Your name for this act: sent again under it, it is done once and answered the same.",
        examples=["6c1e2a0c-1"],
    ),
]
Approval = Annotated[
    str | None, Header(alias="Second-Person", max_length=200, description="The approval of a second person.")
]


class Caller:
    def __init__(self, request: Request) -> None:
        self.request = request
        self.service: Service = request.app.state.service
        self.changes_permissions = False  # whether streams must check again, when this is done, who may watch
        self.actor: Actor = request.state.actor

    @property
    def pit(self) -> Pit:
        return self.service.pit

    async def run(self, work: Callable[..., T], *args: Any) -> T:  # noqa: ANN401 - whatever it takes
        """Do something that may wait for a disk, in a thread; it counts for as much processor time as it takes."""

        def timed() -> T:
            began = thread_seconds()
            try:
                return work(*args)
            finally:
                self.service.charge(self.actor.rate_key, thread_seconds() - began)

        return await self.service.run(timed)

    async def read_history(self, work: Callable[..., T], *args: object) -> T:
        """What `work` makes of the journal: worked out where nobody deals, at a price."""
        return await self.service.read_history(self.actor.rate_key, work, *args)


class AtTable(Caller):
    def __init__(self, request: Request, table: str) -> None:
        super().__init__(request)
        self.table = table

    def live(self) -> LiveTable:
        """The table as it is to be seen now; in a thread."""
        return self.pit.seen(self.table)

    def seat(self) -> int | None:
        """Where whoever asks sits; in a thread."""
        return self.service.seat_of(self.table, self.actor.id)

    async def broadcast(self) -> Broadcast:
        return (await self.service.channel(self.table)).broadcast


class Router(APIRouter):
    """Routes: a plain function is done in a thread of the service, and counts for whoever asks by what it takes."""

    def add_api_route(self, path: str, endpoint: Callable[..., Any], **options: Any) -> None:  # noqa: ANN401 - theirs
        super().add_api_route(path, endpoint if iscoroutinefunction(endpoint) else _in_thread(endpoint), **options)


def _in_thread(work: Callable[..., Any]) -> Callable[..., Any]:
    takes = signature(work, eval_str=True)
    caller = Parameter("caller", Parameter.KEYWORD_ONLY, annotation=Calling)

    @wraps(work)
    async def endpoint(caller: Caller, **arguments: Any) -> Any:  # noqa: ANN401 - as the function has it
        answer = await caller.run(partial(work, **arguments))
        if caller.changes_permissions:
            caller.service.notify_all()
        return answer

    endpoint.__signature__ = takes.replace(parameters=[*takes.parameters.values(), caller])  # type: ignore[attr-defined]
    return endpoint


async def _caller(request: Request) -> Caller:  # a coroutine, for the framework gives anything else to a thread
    return Caller(request)


async def _at_table(request: Request, table: str) -> AtTable:
    return AtTable(request, table)


Calling = Annotated[Caller, Depends(_caller)]
At = Annotated[AtTable, Depends(_at_table)]


def entry_response(service: Service, kind: str, line: bytes, after: BackgroundTask | None = None) -> Response:
    """The entry that answers an act, byte for byte as it is stored; a refusal is raised as the problem that it is."""
    return Response(line, counted(service, kind, line), media_type="application/json", background=after)


def counted(service: Service, kind: str, line: bytes, error: Exception | None = None) -> int:
    """The status that goes with the entry that answers an act; what there is instead is raised."""
    if error is not None:
        raise error
    done = kind_in(line)
    service.metrics.acts_by(kind, done).inc()
    if done == "refused":
        raise refused(read_entry(line))
    if done == "rolled":
        service.metrics.rolls.inc()
    waits = kind == "table.roll" and done == "bets_closed"  # for the values of hands: asked again, there is a roll
    return 202 if waits else 200


def set_cookie(request: Request, response: Response, token: str, person: str) -> None:
    """The token of whoever came as a cookie too, for browsers, whose event streams carry no header."""
    if token:
        request.state.newcomer = person  # for the log
        name = cookie_of(request)
        secure = name == SECURE_COOKIE
        response.set_cookie(name, token, max_age=7 * 86_400, httponly=True, samesite="lax", secure=secure)
