"""The routes of tables: practice, hosting, looking, asking, following; their dice."""

import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Annotated, Any, Literal

from fastapi import Header, Query
from starlette.background import BackgroundTask
from starlette.responses import Response

from passline.codec import to_data
from passline.engine.commands import ReturnAll, Sit
from passline.engine.table import Notice
from passline.engine.values import CENTS, money
from passline.errors import ArgumentError, LiveTableError
from passline.floor.conduct import analysis_forbidden
from passline.floor.names import folded
from passline.house import House
from passline.journal.contract import Journal, read_entry
from passline.live.books import CAGE, wallet
from passline.live.people import may, of_act
from passline.live.requests import Ask
from passline.live.rules import play_chips
from passline.pit.opening import HouseFile
from passline.pit.people.names import check_own_name
from passline.pit.people.people import By, Person
from passline.pit.pit import TABLES_EACH_MAX, Opening, Pit
from passline.pit.reports.players import own_last_rolls
from passline.pit.table import LiveTable
from passline.record.notice import default_chips, sign_of
from passline.record.position import write_position
from passline.rulebooks.read import built_in, in_full, read_book
from passline.telling.card import sign
from passline.web import automation
from passline.web.acts import EXAMPLES, Act, ActRequest, act_of, request_body
from passline.web.auth import Approval, At, AtTable, Calling, Key, Router, entry_response, set_cookie
from passline.web.houses import HouseView, house_view
from passline.web.problems import Problem, no_permission, refused, too_many
from passline.web.rail import Brief, PageView
from passline.web.schemas import Arrived, EntryView, File, NewTable, Practice, SignedHeadView, example, record, view
from passline.web.service import Service
from passline.web.streams import EntryEvent, EventStream
from passline.web.subprocesses import check_own, faults
from passline.web.views import TableView, closing_sign, house_here, limits_sign, player_limits, sitting_at, state_view

router = Router(tags=["tables"])


@record
class PracticeView(Arrived):
    table: TableView


@router.post("/practice", status_code=201)
async def open_practice(
    call: Calling,
    response: Response,
    body: Annotated[Practice | None, example("sydney", name="Ann", house="sydney")] = None,
) -> PracticeView:
    """Open a table for yourself and sit down at it: one request, no account."""
    service, pit, actor, wanted = call.service, call.pit, call.actor, body or Practice()
    played = await call.run(_house_and_sign, service, wanted.house, wanted.notice, wanted.dice)
    await call.run(_check_practice, service, actor.person, wanted, played[2])
    if wait := service.newcomers.take(actor.rate_key):
        raise too_many("new tables", wait)
    person, token = (actor.person, "") if actor.person else await service.run(_newcomer, pit, wanted.name)
    await call.run(_make_room, pit, person)
    by = By(person.id, "player", pit.now())
    table = await call.run(pit.open, person, Opening(*played, company=wanted.company), by)
    if wanted.buyin != 0:
        await service.ask(table.name, lambda live: _sit(pit, live, person, wanted.buyin))
    if wanted.company:
        await service.ask(table.name, lambda live: service.company.arrive(live, 1, wanted.company, pit.now()))
    view = await call.run(table_view, service, table, person.id)
    set_cookie(call.request, response, token, person.id)
    return PracticeView(person=person.id, name=person.name, token=token, table=view)


def _check_practice(service: Service, person: Person | None, wanted: Practice, sign: Notice | None) -> None:
    """Nothing is opened for somebody who could not sit down at it."""
    name = folded(wanted.name)
    if person is not None or name not in service.pit.people.persons:  # else a guest is numbered, and is another
        _check_crew(service, [name if person is None else person.id])
    if (wanted.buyin or 0) > (most := play_chips(sign)):
        detail = f"Chips cost nothing here, and are bought up to {money(most, CENTS)} on one's rail."
        raise Problem(409, "buyin.limit", detail, buyin_max=most)


def _make_room(pit: Pit, person: Person) -> None:
    """Close the oldest practice table of somebody who has as many as one may."""
    up = _practising(pit, person)
    if len(up) >= TABLES_EACH_MAX:
        with suppress(LiveTableError):  # dice are in the air: it stays, and there is no room
            _close_practice(pit, person, up[0], "another table was opened")


def _practising(pit: Pit, person: Person) -> list[str]:
    return [each.table for each in pit.open_of(person.id) if each.practice]


def _close_practice(pit: Pit, person: Person, name: str, reason: str) -> None:
    """Close a practice table of somebody's; what was up goes back."""
    table, ask = pit.table(name), Ask(person.id, "box", f"{person.id}/close-practice", pit.now())
    if any(seat.felt for seat in table.live.table.seats.values()):
        table.do(ReturnAll(reason), ask)
    table.close(pit.now())


def _newcomer(pit: Pit, name: str) -> tuple[Person, str]:
    check_own_name(name)
    return pit.people.guest(name, pit.now())


@router.delete("/practice/{practice}", status_code=204)
def close_practice(call: Calling, practice: str) -> None:
    """Close a practice table of your own: what was up goes back, and its seeds are shown."""
    person = call.actor.required()
    if practice in _practising(call.pit, person):
        _close_practice(call.pit, person, practice, "its owner closed it")


def _house_and_sign(
    service: Service, house: str | File, notice: str, dice: str
) -> tuple[str | HouseFile, Any, Notice | None]:
    """A house that comes with the program, or a file that somebody brings: priced where that can be stopped."""
    if isinstance(house, File):
        with faults(house.text):
            service.pricer.price(house.file, house.text, built_in()[0])
            text = in_full(house.text, house.file)
            book = read_book(text, house.file)
            check_own(house.file, text)
        opened: str | HouseFile = HouseFile(text)
    elif house not in built_in():
        raise ArgumentError("house", repr(house), f"one of {', '.join(built_in())}, or a house file")
    else:
        book, opened = House(house).book, house
    return opened, dice, sign_of(notice, book, default_chips(book)) if notice else None


def _sit(pit: Pit, table: LiveTable, person: Person, buyin: int | None) -> None:
    chips = sitting_at(house_here(table), table.live.table, 1).usual_buyin if buyin is None else buyin
    ask = Ask(person.id, "player", f"{person.id}/practice", pit.now())
    entry = read_entry(table.do(Sit(1, pit.called_at(table, person), chips), ask))
    if entry.kind == "refused":
        raise refused(entry)


@router.post("/tables", status_code=201)
async def open_for_others(
    call: Calling, key: Key, body: Annotated[NewTable, example("friday", table="friday", house="sydney", listed=True)]
) -> TableView:
    """Open a table for others: you are its box, and say who is what."""
    service, pit, person, role = call.service, call.pit, call.actor.required(), "player"
    if person.guest and body.listed:
        raise Problem(403, "permission.missing", "A guest's tables are not listed: make an account, or send a link.")
    if body.wallets:  # it is for the house's money: somebody of the house opens it, by a book that is not their own
        permission = of_act("table.open_for_wallets")
        role = may(permission, pit.standing(person.id)) or ""
        if not role:
            service.count_attempt("permission refused", person.id)
            raise no_permission(permission)
        if isinstance(body.house, File):
            raise Problem(422, "house.own", f"Wallets need a book of the house's: one of {', '.join(built_in())}.")
    staff = tuple((folded(each.person), each.role) for each in body.staff)
    await call.run(_check_crew, service, [person.id, *(member for member, _ in staff)])
    played = await call.run(_house_and_sign, service, body.house, body.notice, body.dice)
    opening = Opening(
        *played, practice=False, listed=body.listed, wallets=body.wallets, staff=staff, countdown=body.countdown or 0
    )
    by = By(person.id, role, pit.now(), f"{person.id}/{key}")
    table = await call.run(pit.open, person, opening, by, body.table)
    return await call.run(table_view, service, table, person.id)


def _check_crew(service: Service, people: Sequence[str]) -> None:
    """Who may not play in this house opens no table for others either, and works at none."""
    barred = service.pit.house_wide.barred
    if out := [each for each in people if folded(each) in barred]:
        raise Problem(403, "floor.barred", f"{', '.join(out)} may not play here, nor keep a table.")


def table_view(service: Service, table: LiveTable, person: str) -> TableView:
    (live, head), layout = table.at, table.layout
    house, hosted = house_here(table), service.pit.people.hosted.get(table.name)
    countdown, usual = hosted.countdown if hosted else 0, sitting_at(house, live.table, 1).usual_buyin
    has = table.journal.balances(CAGE).get(wallet(person), 0) if live.money else None
    return TableView(
        table=table.name,
        sequence=head.sequence,
        house=house.id,
        house_name=house.name,
        dice=live.dice,
        grain=layout.minor_per_unit,
        chips=list(table.chips),
        sign=sign(layout, live.table.notice),
        notice=to_data(live.table.notice),
        buyin=usual if has is None else min(usual, has),
        wallet=has,
        buyin_max=None if live.money else play_chips(live.table.notice),
        position=write_position(layout, live.table, house.id, table.chips),
        state=state_view(layout, live),
        seat=live.seat_of(person),
        roles=sorted(service.pit.people.roles(person, table.name)),
        company=hosted.company if hosted else 0,
        countdown=countdown,
        closes_at=automation.closes_at(table, countdown),
        now=service.pit.now(),
        limits_sign=limits_sign(layout, live),
        closing_sign=closing_sign(live.floor),
        player_limits=player_limits(layout, live.floor, live.table),
        excluded=folded(person) in service.pit.house_wide.barred,
        analysis_forbidden=analysis_forbidden(layout, money=live.money),
    )


@router.get("/tables/{table}")
def look(at: At) -> TableView:
    """A table: its house, sign, puck, seats, chips, and its position on one line."""
    return table_view(at.service, at.live(), at.actor.id)


@router.get("/tables/{table}/house")
def look_at_house(at: At) -> HouseView:
    """The rule card of the table's house, and the plan of its felt."""
    return house_view(house_here(at.live()))


@record
class RollView:
    sequence: int
    time: str
    kind: str
    reason: str | None
    roll: int | None
    dice: list[int] | None
    puck: int
    seat: int
    up: dict[str, int]
    events: list[dict[str, Any]]
    funds_before: int
    funds_after: int


@router.get("/tables/{table}/rolls")
async def own_rolls(at: At) -> list[RollView]:
    """Your last fifty rolls here: dice, wagers, settlements, and your money before and after each."""
    return await at.read_history(_rolls, at.table, at.actor.id)


@router.get("/tables/{table}/rolls/{person}")
async def others_rolls(at: At, person: str) -> list[RollView]:
    """Somebody's last fifty rolls here, for those who inspect."""
    return await at.read_history(_rolls, at.table, folded(person))


def _rolls(journal: Journal, table: str, person: str) -> list[RollView]:
    return [RollView(**each) for each in own_last_rolls(journal, table, person)]


@router.post(
    "/tables/{table}/acts",
    responses={200: {"model": EntryView}, 202: {"model": EntryView}},
    openapi_extra=request_body("", EXAMPLES),
)
async def act(at: At, key: Key, approval: Approval = None) -> Response:
    """Ask a table for something. The answer is the entry that was written, byte for byte the same if asked again.

    202: the bets are closed, and values of hands are awaited; asked again under the same key, there is a roll.
    """
    return await perform(at, key, await act_of(at.request), approval)


async def perform(at: AtTable, key: str, body: Act, approval: str | None) -> Response:
    """Have an act done, with the regulars of a practice table around it."""
    service, table, company = at.service, at.table, at.service.company
    asking = ActRequest(service.pit, at.actor, body, key, approval)
    at.request.state.act = asking.kind  # for the log
    hosted = service.pit.people.hosted.get(table)
    size = hosted.company if hosted else 0

    def regulars(do: Callable[[LiveTable, int | None, int, str], None]) -> Callable[[LiveTable], None]:
        return lambda live: do(live, live.live.seat_of(at.actor.id), size, service.pit.now())

    if size and asking.kind in THROWS:
        await service.ask(table, regulars(company.find_shooter))
    line = await service.ask(table, asking, at.actor.id)
    after = BackgroundTask(service.ask, table, regulars(company.turn)) if size else None
    return entry_response(service, asking.kind, line, after)


THROWS = ("table.roll", "command.throw")  # the acts after which there is a roll


@router.get(
    "/tables/{table}/events",
    status_code=200,
    response_class=EventStream,
    responses={200: {"model": EntryEvent | Brief}},
)
async def follow(
    at: At,
    after: Annotated[int | None, Query(ge=0, le=2**53, description="Begin after this entry.")] = None,
    view: Annotated[
        Literal["whole", "brief"], Query(description="`brief` for a page: what changed, no more.")
    ] = "whole",
    last: Annotated[str | None, Header(alias="Last-Event-ID", max_length=20, pattern="^[0-9]+$")] = None,
) -> Response:
    """Every entry of the table as it is written: id is its sequence, and `Last-Event-ID` resumes without a gap."""
    if not at.service.note_store() and (away := at.service.unready()):
        raise away  # whoever listens would hear nothing
    at.service.check_streams(at.actor.id)
    broadcast = await at.broadcast()
    begin = int(last) if last is not None else after
    known = broadcast.sequence
    page = PageView(at.pit, broadcast, at.table, at.actor.id) if view == "brief" else None
    return EventStream(at.service, broadcast, at.actor, at.table, known if begin is None else min(begin, known), page)


@record
class HandView:
    """Somebody's hand that is on: the last index that a closing listed."""

    person: str
    hand: int
    index: int
    anchor: str = ""


@record
class ClosingView:
    """A closing whose values are awaited: the entry, the house's word for it, and whose are not in."""

    entry: dict[str, Any]
    head: SignedHeadView | None
    missing: list[str]
    since: str


@record
class DiceView:
    """What a program that gives somebody's hand goes by: docs/dice.md, *What a program does*."""

    table: str
    stream: str
    protocol: int
    epoch: int
    links: dict[str, str]  # by epoch that is committed to: the last link that was shown, its anchor at first
    hands: list[HandView]
    owed: list[HandView]
    you: str
    next_hand: int
    closing: ClosingView | None


@router.get("/tables/{table}/dice")
def show_dice(at: At) -> DiceView:
    """Whose hands are in the dice, and the closing whose values are awaited, signed."""
    table = at.live()
    live, announced, mine = table.live, table.live.announced, table.live.hands.get(at.actor.id)
    hands = [
        (view(HandView, each, person=person, hand=each.number, anchor=each.anchor.hex()), each)
        for person, each in sorted(live.hands.items())
    ]
    closing = None
    if announced is not None and announced.hands:
        line = next(iter(table.journal.lines(table.name, announced.sequence - 1, announced.sequence)))
        signed = table.signed_head(announced.sequence, announced.time)
        head, missing = signed and view(SignedHeadView, signed), [each.person for each in announced.missing]
        closing = ClosingView(entry=json.loads(line), head=head, missing=missing, since=announced.time)
    return view(
        DiceView,
        live,
        table=table.name,
        links={str(number): chain.last.hex() for number, chain in sorted(live.chains.items())},
        hands=[view for view, each in hands if each.is_on],
        owed=[view for view, each in hands if each.owed_since],
        you=at.actor.id,
        next_hand=(mine.number if mine else 0) + 1,
        closing=closing,
    )
