"""The routes of tables: practice, hosting, looking, asking, following."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, Body, Header, Query, Request
from starlette.background import BackgroundTask
from starlette.responses import Response

from passline.engine.commands import ReturnAll, Sit
from passline.engine.table import Notice
from passline.errors import ArgumentError, LiveTableError
from passline.floor.names import folded
from passline.house import House
from passline.journal.contract import opening_of
from passline.journal.entries import read_entry
from passline.pit.opening import HouseFile
from passline.pit.people.names import check_own_name
from passline.pit.people.people import By, Person
from passline.pit.people.powers import may, of_act
from passline.pit.pit import TABLES_EACH_MAX, Opening, play_chips
from passline.pit.plans import Ask
from passline.pit.reports.own_rolls import last_rolls
from passline.pit.table import LiveTable
from passline.record.notice import default_chips, sign_of
from passline.rulebooks.read import built_in, read_book
from passline.web import company, shown
from passline.web import models as m
from passline.web.acts import EXAMPLES, AnyAct
from passline.web.asking import Asking, check_chips
from passline.web.brought import check_own, faults
from passline.web.countdown import closes_at
from passline.web.exchange import Assent, Key, said_entry, said_json, service_of, with_cookie
from passline.web.problems import Problem, no_power, refused, too_many
from passline.web.streams import EventStream
from passline.web.views import house_at, house_of, house_view, signs, sitting_at, table_view
from passline.web.who import Asker, asker_of

if TYPE_CHECKING:
    from passline.web.service import Service

    Regulars = Callable[[LiveTable, int | None, int, str], None]

router = APIRouter(tags=["tables"])

# --- Opening --------------------------------------------------------------------------------------------------------


@router.post("/practice", status_code=201, responses={201: {"model": m.PracticeView}})
async def open_practice(
    request: Request,
    asked: Annotated[
        m.Practice | None, Body(openapi_examples={"sydney": {"value": {"name": "Ann", "house": "sydney"}}})
    ] = None,
) -> Response:
    """Open a table for yourself and sit down at it: one request, no account."""
    service, asker, asked = service_of(request), asker_of(request), asked or m.Practice()
    played = await service.run(_house_and_sign, service, asked.house, asked.notice, asked.dice)
    await service.run(_check_practice, service, asker.person, asked, played[2])
    person, token = (asker.person, "") if asker.person else await _newcomer(service, asker, asked.name)
    opening = Opening(*played, company=asked.company)
    await service.run(_make_room, service, person)
    table = await service.run(service.pit.open, person, opening, By(person.id, "player", service.pit.now()))
    if asked.buyin != 0:
        seated = await service.run(_called, service, person, asked.name)
        await service.ask(table.name, lambda live: _sit(live, seated, asked.buyin, service.pit.now()))
    if asked.company:
        await service.ask(table.name, lambda live: company.arrive(live, 1, asked.company, service.pit.now()))
    view = await service.run(view_of, service, table, person.id)
    answer = said_json({"person": person.id, "name": person.name, "token": token, "table": view}, 201)
    return with_cookie(request, answer, token)


def _called(service: Service, person: Person, name: str) -> Person:
    """Whoever practises, as they said: a guest's number is for tables with others, an account's name is its own."""
    first = service.pit.people.persons.get(folded(name))
    numbered = person.guest and person.name.rpartition("-")[0] == name
    free = first is not None and first.guest and first.id not in service.pit.barred()
    return person._replace(name=name) if numbered and free else person


def _check_practice(service: Service, person: Person | None, asked: m.Practice, sign: Notice | None) -> None:
    """Nothing is opened for somebody who could not sit down at it."""
    name = folded(asked.name)
    if person is not None or name not in service.pit.people.persons:  # else a guest is numbered, and is another
        _check_crew(service, [name if person is None else person.id])
    check_chips(asked.buyin or 0, play_chips(sign))


def _make_room(service: Service, person: Person) -> None:
    """Close the oldest practice table of somebody who has as many as one may."""
    up = [each for each in service.pit.open_of(person.id) if each.practice]
    if len(up) >= TABLES_EACH_MAX:
        with suppress(LiveTableError):  # dice are in the air: it stays, and there is no room
            _close_practice(service, person, up[0].table, "another table was opened")


def _close_practice(service: Service, person: Person, name: str, reason: str) -> None:
    """Close a practice table of somebody's; what was up goes back."""
    pit = service.pit
    table, ask = pit.table(name), Ask(person.id, "box", f"{person.id}/close-practice", pit.now())
    if any(seat.felt for seat in table.live.table.seats.values()):
        table.do(ReturnAll(reason), ask)
    table.close(pit.now())


@router.delete("/practice/{practice}", status_code=204, response_class=Response)
async def close_practice(request: Request, practice: str) -> Response:
    """Close a practice table of your own: what was up goes back, and its seeds are shown."""
    service, person = service_of(request), asker_of(request).known()

    def work() -> None:
        if practice in [each.table for each in service.pit.open_of(person.id) if each.practice]:
            _close_practice(service, person, practice, "its owner closed it")

    await service.run(work)
    return Response(status_code=204)


async def _newcomer(service: Service, asker: Asker, name: str) -> tuple[Person, str]:
    """A guest of their own."""
    if wait := service.comers.take(asker.address):
        raise too_many("new tables", wait)
    check_own_name(name)
    return await service.run(service.pit.people.guest, name, service.pit.now())


def _house_and_sign(
    service: Service, house: str | m.File, notice: str, dice: str
) -> tuple[str | HouseFile, Any, Notice | None]:
    """A house that comes with the program, or a file that somebody brings: priced where that can be stopped."""
    if isinstance(house, m.File):
        with faults(house.text):
            service.pricer.price(house.file, house.text, built_in()[0])
            book = read_book(house.text, house.file)
            check_own(house)
        opened: str | HouseFile = HouseFile(house.text)
    elif house not in built_in():
        raise ArgumentError("house", repr(house), f"one of {', '.join(built_in())}, or a house file")
    else:
        book, opened = House(house).book, house
    return opened, dice, sign_of(notice, book, default_chips(book)) if notice else None


def _sit(table: LiveTable, person: Person, buyin: int | None, time: str) -> None:
    chips = sitting_at(house_at(table.journal, table.name), table.live.table, 1).usual_buyin if buyin is None else buyin
    entry = read_entry(table.do(Sit(1, person.name, chips), Ask(person.id, "player", f"{person.id}/practice", time)))
    if entry.kind == "refused":
        raise refused(entry)


@router.post("/tables", status_code=201, responses={201: {"model": m.TableView}})
async def open_for_others(
    request: Request,
    key: Key,
    asked: Annotated[
        m.NewTable, Body(openapi_examples={"friday": {"value": {"table": "friday", "house": "sydney", "listed": True}}})
    ],
) -> Response:
    """Open a table for others: you are its box, and say who is what."""
    service, person = service_of(request), asker_of(request).known()
    if person.guest and asked.listed:
        raise Problem(403, "power.missing", "A guest's tables are not listed: make an account, or send a link.")
    if asked.wallets:
        _check_wallets(service, person, asked.house)
    await service.run(_check_crew, service, [person.id, *(each.person for each in asked.staff)])
    opening = Opening(
        *await service.run(_house_and_sign, service, asked.house, asked.notice, asked.dice),
        practice=False,
        listed=asked.listed,
        wallets=asked.wallets,
        countdown=asked.countdown or 0,
        staff=tuple((each.person, each.role) for each in asked.staff),
    )
    by = By(person.id, "player", service.pit.now(), f"{person.id}/{key}")
    table = await service.run(service.pit.open, person, opening, by, asked.table)
    return said_json(await service.run(view_of, service, table, person.id), 201)


def _check_wallets(service: Service, person: Person, house: str | m.File) -> None:
    """The house's money is played for where the house opens the table, by a book that is not somebody's own."""
    power = of_act("table.open_for_wallets")
    if may(power, service.pit.standing(person.id)) is None:
        service.tried("power refused", person.id)
        raise no_power(power)
    if isinstance(house, m.File):
        raise Problem(422, "house.own", f"Wallets need a book of the house's: one of {', '.join(built_in())}.")


def _check_crew(service: Service, people: Sequence[str]) -> None:
    """Who may not play in this house opens no table for others either, and works at none."""
    barred = service.pit.barred()
    if kept_out := [each for each in people if folded(each) in barred]:
        raise Problem(403, "floor.barred", f"{', '.join(kept_out)} may not play here, nor keep a table.")


# --- Looking --------------------------------------------------------------------------------------------------------


def view_of(service: Service, table: LiveTable, person: str) -> dict[str, Any]:
    """A table as one person sees it."""
    opening = opening_of(table.journal, table.name).body
    view = table_view(table.name, house_of(opening["house"]), table.live, table.head.sequence, opening["chips"])
    view["buyin_max"] = service.pit.chips_max(table)
    view["seat"] = service.pit.seat_of(table, person)
    view["roles"] = sorted(service.pit.people.roles(person, table.name))
    hosted = service.pit.people.hosted.get(table.name)
    view["company"] = hosted.company if hosted else 0
    view["countdown"] = hosted.countdown if hosted else 0
    view["closes_at"] = closes_at(table, view["countdown"])
    view["now"] = service.pit.now()
    return view | signs(table.layout, table.live.floor)


@router.get("/tables/{table}", responses={200: {"model": m.TableView}})
async def look(request: Request, table: str) -> Response:
    """A table: its house, sign, puck, seats, chips, and its position on one line."""
    service, asker = service_of(request), asker_of(request)
    return said_json(await service.run(lambda: view_of(service, service.pit.seen(table), asker.id)))


@router.get("/tables/{table}/house", responses={200: {"model": shown.HouseView}})
async def look_at_house(request: Request, table: str) -> Response:
    """The rule card of the table's house, and the plan of its felt."""
    service = service_of(request)
    return said_json(await service.run(lambda: house_view(house_at(service.pit.journal, table))))


@router.get("/tables/{table}/rolls", responses={200: {"model": list[m.RollView]}})
async def own_rolls(request: Request, table: str) -> Response:
    """Your last fifty rolls here: dice, wagers, settlements, and your money before and after each."""
    service = service_of(request)
    return said_json(await service.run(last_rolls, service.pit.journal, table, asker_of(request).id))


@router.get("/tables/{table}/rolls/{person}", responses={200: {"model": list[m.RollView]}})
async def others_rolls(request: Request, table: str, person: str) -> Response:
    """Somebody's last fifty rolls here, for those who inspect."""
    service = service_of(request)
    return said_json(await service.run(last_rolls, service.pit.journal, table, folded(person)))


# --- Asking and following ---------------------------------------------------------------------------------------------


@router.post("/tables/{table}/acts", responses={200: {"model": m.EntryView}})
async def act(
    request: Request,
    table: str,
    key: Key,
    asked: Annotated[AnyAct, Body(openapi_examples={name: {"value": each} for name, each in EXAMPLES.items()})],
    assent: Assent = None,
) -> Response:
    """Ask a table for something. The answer is the entry that was written, byte for byte the same if asked again."""
    service, asker = service_of(request), asker_of(request)
    asking = Asking(service.pit, asker, asked, key, assent)
    hosted = service.pit.people.hosted.get(table)
    regulars = _with_company(service, asker.id, hosted.company) if hosted and hosted.company else None
    if regulars and asking.kind in THROWS:
        await service.ask(table, lambda live: regulars(company.find_shooter, live))
    line = await service.ask(table, asking)
    after = regulars and BackgroundTask(service.ask, table, lambda live: regulars(company.turn, live))
    return said_entry(service, asking.kind, line, after)


THROWS = ("table.roll", "command.throw")
"""The acts after which there is a roll."""


def _with_company(service: Service, person: str, size: int) -> Callable[[Regulars, LiveTable], None]:
    """Have the regulars of a practice table do something, around whoever practises there."""
    return lambda what, live: what(live, service.pit.seat_of(live, person), size, service.pit.now())


@router.get(
    "/tables/{table}/events",
    status_code=200,
    response_class=EventStream,
    responses={200: {"model": shown.Heard}},
)
async def follow(
    request: Request,
    table: str,
    after: Annotated[int | None, Query(ge=0, le=2**53, description="Begin after this entry.")] = None,
    last: Annotated[str | None, Header(alias="Last-Event-ID", max_length=20, pattern="^[0-9]+$")] = None,
) -> Response:
    """Every entry of the table as it is written: id is its sequence, and `Last-Event-ID` resumes without a gap."""
    service, asker = service_of(request), asker_of(request)
    service.check_streams(asker.id)
    desk = await service.desk(table)
    begin = int(last) if last is not None else after
    known = desk.broadcast.sequence
    return EventStream(service, desk.broadcast, asker, table, known if begin is None else min(begin, known))
