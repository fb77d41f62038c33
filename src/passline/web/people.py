"""The routes of people: coming, signing in and out, links, roles that two people give and take back."""

from typing import Annotated, Any, Literal

from pydantic import Field
from starlette.responses import Response

from passline.floor.names import folded
from passline.journal.contract import opening_of, read_entry
from passline.live.books import CAGE, wallet
from passline.live.people import Hosted, Role
from passline.pit.people.names import check_own_name
from passline.pit.people.passwords import CHARACTERS_MAX
from passline.pit.people.people import By, People, Token, takes_two
from passline.pit.pit import Pit
from passline.telling.card import sign
from passline.web import schemas
from passline.web.acts import EXAMPLES, give_approval
from passline.web.auth import SECURE_COOKIE, Approval, At, Calling, Key, Router, by_actor, cookie_of, set_cookie
from passline.web.network import Network, is_from_network, link_only
from passline.web.problems import Problem, no_approval, too_many
from passline.web.schemas import ApprovalView, Arrived, Name, RequestBody, TableName, example, record, view
from passline.web.service import Service

router = Router(tags=["people"])

Password = Annotated[str, Field(min_length=1, max_length=CHARACTERS_MAX, examples=["correct horse battery"])]
Title = Annotated[str, Field(min_length=1, max_length=60)]
Reason = Annotated[str, Field(min_length=1, max_length=200, examples=["Bob deals tonight"])]


class Credentials(RequestBody):
    name: Name
    password: Password


class NewPassword(RequestBody):
    old: Password
    new: Password


class Guest(RequestBody):
    """A guest's name, and the link by which they come; without one, to the tables of the lobby."""

    name: Name
    link: Annotated[str, Field(max_length=200)] | None = None


class Invited(RequestBody):
    link: Annotated[str, Field(max_length=200)]


class NewLink(RequestBody):
    """As what a guest comes by the link."""

    role: Literal["player"] = "player"


class HouseApproval(RequestBody):
    """What is agreed to: that somebody is given a role, or that it is taken back."""

    person: Name
    role: Role
    table: TableName | None = None
    title: Title | None = None
    withdrawn: bool = False


class Grant(RequestBody):
    """A role, in the whole house or at a table, and why; with it a title of the house's book, if any."""

    role: Role
    table: TableName | None = None
    title: Title | None = None
    reason: Reason


@record
class GuestArrived(Arrived):
    table: str | None


@record
class Invitation:
    table: str
    host: str
    house: str
    sign: str
    wallets: bool  # whether it is for the house's money: chips come out of wallets


@record
class NetworkView:
    addresses: list[str]  # the addresses by which other machines come here; none where only this one is heard
    # Whether other machines are let in to this table; none where that is not decided at the table.
    network: Literal["open", "closed"] | None


@record
class LinkView(NetworkView):
    link: str
    table: str


@record
class SessionView:
    """A session of one's own: the public name of its token, since when, until when, and whether it is this one."""

    session: str
    since: str
    until: str
    this: bool


@record
class OpenTable:
    table: str
    house: str
    opened: str
    practice: bool


@record
class Me:
    person: str
    name: str
    guest: bool
    roles: list[str]
    works: bool  # whether they have work here, in the house or at a table
    tables: list[str]
    open: list[OpenTable]
    seated: list[OpenTable]  # Tables of others at which one has a seat
    wallet: int


@record
class Who:
    me: Me | None


SignIn = Annotated[Credentials, example("Ann", name="Ann", password="correct horse battery")]
Granting = Annotated[Grant, example("dealer", role="dealer", reason="Bob deals tonight")]
NewSecret = Annotated[NewPassword, example("new", old="correct horse battery", new="a dozen red chips")]
Link = Annotated[Invited, example("link", link="0f3c…")]


def _check_newcomers(call: Calling) -> None:
    if wait := call.service.newcomers.take(call.actor.address):
        raise too_many("from this address", wait)


def _check_tries(service: Service, name: str, address: str, device: str | None) -> None:
    """Refuse to try more passwords; strangers' tries do not count against a device that was signed in by this name."""
    if device is not None:
        where, wait = "on this device", service.sign_in_attempts.take(f"{name} on {device}")
    elif wait := service.sign_in_attempts_by_address.take(address):
        where = "from this address"
    elif wait := service.sign_in_attempts.take(f"{name} from {address}"):
        where = "for this name from here"
    else:
        where, wait = "for this name", service.sign_in_attempts_by_name.take(name)
    if wait:
        service.count_attempt("sign-in beyond the limit", name)
        raise too_many(f"tries {where}", wait)


@router.post("/people", status_code=201)
def make_account(call: Calling, response: Response, body: SignIn) -> Arrived:
    """Make an account and be signed in."""
    _check_newcomers(call)
    check_own_name(body.name)
    person = call.pit.people.add(body.name, body.password, By("house", "house", call.pit.now()))
    return _signed_in(call, response, person.id)


@router.post("/sessions", status_code=201)
def sign_in(call: Calling, response: Response, body: SignIn) -> Arrived:
    """Sign in: the token is told once; send it as `Authorization: Bearer …`."""
    service, people, name = call.service, call.pit.people, folded(body.name)
    cookie = call.request.cookies.get(cookie_of(call.request), "")
    device = people.device(cookie, name) if cookie else None
    _check_tries(service, name, call.actor.address, device)
    person = people.is_password(body.name, body.password)
    if person is None:
        service.metrics.refused.labels("password").inc()
        raise Problem(401, "password.wrong", "Name or password is wrong.")
    return _signed_in(call, response, person.id)


def _signed_in(call: Calling, response: Response, person: str) -> Arrived:
    people = call.pit.people
    token = people.issue(person, By(person, "player", call.pit.now()))
    set_cookie(call.request, response, token, person)
    return Arrived(person=person, name=people.persons[person].name, token=token)


@router.delete("/sessions", status_code=204)
def sign_out(call: Calling, response: Response) -> None:
    """Sign out: the token counts no more, also on open streams."""
    token = call.actor.token
    assert token is not None, "whoever is somebody has a token"
    call.pit.people.revoke(token.id, by_actor(call.pit, call.actor))
    call.changes_permissions = True
    name = cookie_of(call.request)
    if name in call.request.cookies:  # who came by a bearer token leaves what somebody else has in this browser
        response.delete_cookie(name, secure=name == SECURE_COOKIE, httponly=True, samesite="lax")
        response.headers["Clear-Site-Data"] = '"cache"'  # choices and score sheets in the browser are the person's own


@router.get("/me/sessions")
def sessions(call: Calling) -> list[SessionView]:
    """Where you are signed in."""
    this = call.actor.token
    assert this is not None, "whoever is somebody has a token"
    return [
        view(SessionView, each, session=each.id, this=each.id == this.id)
        for each in call.pit.people.sessions(call.actor.id, call.pit.now())
    ]


@router.delete("/me/sessions/{session}", status_code=204)
def end_session(call: Calling, session: str) -> None:
    """End a session of your own, wherever it is; of others' nobody is told whether there is one."""
    people = call.pit.people
    if session not in {each.id for each in people.sessions(call.actor.id, call.pit.now())}:
        raise Problem(404, "session.unknown", "You have no such session: GET /me/sessions lists yours.")
    people.revoke(session, by_actor(call.pit, call.actor))
    call.changes_permissions = True


@router.get("/me")
def me(call: Calling) -> Me:
    """Your own account: roles, tables, wallet."""
    return account(call.pit, call.actor.required().id)


@router.get("/who")
def who(call: Calling) -> Who:
    """Who the house takes you for: your account, or nobody."""
    person = call.actor.person
    return Who(me=None if person is None else account(call.pit, person.id))


def account(pit: Pit, person: str) -> Me:
    people = pit.people
    if person not in people.persons:
        raise Problem(404, "people.unknown", "Nobody here is called that.")
    known = people.persons[person]
    return Me(
        person=known.id,
        name=pit.called(known),
        guest=known.guest,
        roles=sorted(people.roles(person)),
        works=any(who == person and roles - {"player"} for (who, _), roles in people.roster.granted.items()),
        tables=sorted(each.table for each in tuple(people.hosted.values()) if each.host == person),
        open=[_open_table(pit, each) for each in pit.open_of(person)],
        seated=[_open_table(pit, each) for each in pit.seated_of(person)],
        wallet=pit.journal.balances(CAGE).get(wallet(person), 0),
    )


def _open_table(pit: Pit, hosted: Hosted) -> OpenTable:
    house, opened = pit.table(hosted.table).layout.book.name, opening_of(pit.journal, hosted.table).time
    return view(OpenTable, hosted, house=house, opened=opened)


@router.get("/people/{person}")
def look_at(call: Calling, person: str) -> Me:
    """Somebody's account, for those who inspect."""
    return account(call.pit, folded(person))


@router.post("/me/password", status_code=201)
def change_password(call: Calling, response: Response, body: NewSecret) -> Arrived:
    """Another password; every token you had counts no more, and you get a new one."""
    people, person = call.pit.people, call.actor.required()
    if wait := call.service.sign_in_attempts.take(person.id):
        call.service.count_attempt("sign-in beyond the limit", person.id)
        raise too_many("tries", wait)
    if people.is_password(person.name, body.old) is None:
        raise Problem(401, "password.wrong", "The old password is wrong.")
    people.set_password(person.id, body.new, by_actor(call.pit, call.actor))
    call.changes_permissions = True
    return _signed_in(call, response, person.id)


@router.post("/people/{person}/signed-out", status_code=204)
def sign_out_everywhere(call: Calling, person: str) -> None:
    """Have all of somebody's tokens count no more."""
    people, whom = call.pit.people, folded(person)
    for token in [each for each in people.tokens.values() if each.person == whom]:
        people.revoke(token.id, by_actor(call.pit, call.actor))
    call.changes_permissions = True


@router.post("/guests", status_code=201)
def come_as_guest(
    call: Calling, response: Response, body: Annotated[Guest, example("Bob", name="Bob", link="0f3c…")]
) -> GuestArrived:
    """Come to a table by its link, without an account; without a link, to those that everybody finds."""
    _check_newcomers(call)
    check_own_name(body.name)
    link = None if body.link is None else _link(call, body.link)
    network = call.service.network
    if network is not None and not network.is_open(call.request, link and link.table):
        raise link_only()
    person, token = call.pit.people.guest(body.name, call.pit.now(), link)
    set_cookie(call.request, response, token, person.id)
    return GuestArrived(person=person.id, name=person.name, token=token, table=link.table if link else None)


def _link(call: Calling, text: str) -> Token:
    """A link that still counts; from another machine, one to a table that is open to it."""
    link, network = call.pit.people.bearer(text, call.pit.now(), "link"), call.service.network
    if link is None or (network is not None and not network.is_open(call.request, link.table)):
        raise Problem(404, "link.wrong", "This link does not count any more: ask the host for another.")
    return link


@router.post("/invitations")
def read_invitation(call: Calling, body: Link) -> Invitation:
    """What a link invites to, before one comes by it; posted, so that no log keeps the link."""
    return _invitation(call, _link(call, body.link))


@router.post("/invitations/accepted")
def come_by_link(call: Calling, body: Link) -> Invitation:
    """Come to a table by its link as who you are, with your account and what is in its wallet."""
    link = _link(call, body.link)
    call.pit.people.come(call.actor.required().id, link, call.pit.now())
    call.changes_permissions = True
    return _invitation(call, link)


def _invitation(call: Calling, link: Token) -> Invitation:
    pit = call.pit
    table = pit.table(str(link.table))
    hosted = pit.people.hosted[table.name]
    seat = table.live.table.seats.get(table.live.seat_of(hosted.host) or 0)
    host = seat.name if seat is not None else pit.called(pit.people.persons[hosted.host])
    posted = sign(table.layout, table.live.table.notice)
    house = table.layout.book.name
    return Invitation(table=table.name, host=host, house=house, sign=posted, wallets=hosted.wallets)


@router.post("/tables/{table}/links", status_code=201)
def make_link(at: At, body: Annotated[NewLink, example("player", role="player")]) -> LinkView:
    """A link by which guests come to this table."""
    by = by_actor(at.pit, at.actor)
    link = at.pit.people.issue(at.actor.id, by, "link", table=at.table, what=body.role)
    return LinkView(link=link, table=at.table, **_network(at))


def _network(at: At) -> dict[str, Any]:
    """By which addresses others come to a table, and whether its host could let them."""
    network = at.service.network
    if network is None:
        return {"addresses": list(at.service.addresses), "network": None}
    is_open = at.table in network.tables
    return {"addresses": list(network.addresses) if is_open else [], "network": "open" if is_open else "closed"}


def _own_network(at: At) -> Network:
    """The network of this machine, for whoever sits at it."""
    if at.service.network is None or is_from_network(at.request):
        raise Problem(409, "network.none", "Whoever started this server decided who can reach it.")
    return at.service.network


@router.post("/tables/{table}/network")
async def let_in(at: At) -> NetworkView:
    """Let phones and computers on this network come to this table by its link, without stopping anything."""
    await _own_network(at).let_in(at.table)
    return NetworkView(**_network(at))


@router.delete("/tables/{table}/network", status_code=204)
async def keep_out(at: At) -> None:
    """Let them in no longer; who came from another machine is cut off."""
    await _own_network(at).keep_out(at.table)
    (await at.broadcast()).notify()  # so that the streams of those who came look again


AGREED = {"what": "table.void", "act": EXAMPLES["void"]}


@router.post("/tables/{table}/approvals", status_code=201)
def agree(at: At, body: Annotated[schemas.Approval, example("void", **AGREED)]) -> ApprovalView:
    """Agree, as the second person, to one act of another at this table: a word that counts once, for two minutes."""
    return ApprovalView(approval=give_approval(at.pit, at.actor, body, at.table), what=body.what)


@router.post("/approvals", status_code=201)
def agree_to_role(
    call: Calling, body: Annotated[HouseApproval, example("Bob", person="Bob", role="dealer")]
) -> ApprovalView:
    """Agree, as the second person, that somebody is given a role, or that it is taken back."""
    what = _granting(folded(body.person), body, withdrawn=body.withdrawn)
    by = by_actor(call.pit, call.actor)
    approval = call.pit.people.issue(call.actor.id, by, "approval", table="people", what=what)
    return ApprovalView(approval=approval, what=what)


def _granting(person: str, body: Grant | HouseApproval, *, withdrawn: bool) -> str:
    words = f"{'withdrawn ' if withdrawn else ''}{body.role} {person} {body.table or ''}".strip()
    return f"{words} as {body.title}" if body.title and not withdrawn else words


def _second(people: People, by: By, approval: str | None, what: str) -> str:
    """Who agrees that a role is given or taken back; asked again, whoever agreed then."""
    line = people.journal.under_key("people", by.key or "")
    if line is not None:
        return str(read_entry(line).body["about"].get("second"))
    if not approval:
        raise no_approval()
    return people.use(approval, by._replace(key=None), "people", what)


@router.post("/people/{person}/roles")
def grant(call: Calling, person: str, key: Key, body: Granting, approval: Approval = None) -> Me:
    """Give somebody a role, with a second person's approval."""
    whom = folded(person)
    if whom == call.actor.id:
        raise Problem(403, "person.own", "Nobody gives themselves a role: two others do.")
    by = by_actor(call.pit, call.actor, key)
    second = _second(call.pit.people, by, approval, _granting(whom, body, withdrawn=False))
    call.pit.people.grant(whom, body.role, body.table, body.reason, by, second, body.title)
    call.changes_permissions = True
    return account(call.pit, whom)


@router.post("/people/{person}/roles/withdrawn")
def withdraw(call: Calling, person: str, key: Key, body: Granting, approval: Approval = None) -> Me:
    """Take a role back, at once and also on open streams; one that names people takes a second person's approval."""
    whom = folded(person)
    by, second = by_actor(call.pit, call.actor, key), None
    if takes_two("role_revoked", whom, body.role, call.actor.id):
        second = _second(call.pit.people, by, approval, _granting(whom, body, withdrawn=True))
    call.pit.people.withdraw(whom, body.role, body.table, body.reason, by, second)
    call.changes_permissions = True
    return account(call.pit, whom)
