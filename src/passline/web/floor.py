"""The routes of the floor: the whole house's own, what whoever asks may do, what a table's crew sees, its reports."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal, cast

from fastapi import Path, Query
from pydantic import BaseModel
from starlette.responses import Response

from passline.codec import from_data, to_data
from passline.engine.layout import Layout
from passline.engine.refusals import refusal_of
from passline.floor.acts import FloorEvent
from passline.floor.cage import alone_up_to
from passline.floor.names import folded
from passline.floor.promotions import RegisterPromotion
from passline.floor.register import ACTS, blank_offer, choices
from passline.floor.state import Dispute
from passline.journal.contract import Journal, opening_of, read_entry
from passline.live.books import CAGE
from passline.live.hands import owes
from passline.live.offers import BY_HAND, Offered, Pick, approvers, by_hand, offered
from passline.live.people import of_act
from passline.live.play import NEVER, could_roll
from passline.live.rolls import reversal
from passline.live.rules import role_of
from passline.live.state import HOUSE_FLOOR, State
from passline.pit.pit import Pit
from passline.pit.reports.house import BOOKS, book
from passline.pit.reports.sheets import REPORTS, Sheet, gaming_day, window
from passline.pit.table import LiveTable
from passline.rulebooks.catalogue import clause
from passline.telling.sentences import STRIKING, readings_differ, say_floor
from passline.web import schemas
from passline.web.acts import FOR_THE_HOUSE, FORMS, TYPES, ActRequest, act_of, give_approval, request_body, schema_of
from passline.web.auth import HOUSE_ACTS, Approval, At, Caller, Calling, Key, Router, entry_response
from passline.web.schemas import ApprovalView, EntryView, example, record, view
from passline.web.service import Service
from passline.web.views import SignView, closing_sign, limits_sign, player_limits, with_names

router = Router(tags=["floor"])
crew = Router(tags=["box"])

# --- The floor of the house -------------------------------------------------------------------------------------------

EXAMPLES: dict[str, dict[str, Any]] = {
    "somebody asks not to be let play": {"kind": "floor.exclude_oneself", "person": "Ann", "reason": "for a year"},
    "two keep somebody out": {"kind": "floor.exclude", "person": "Bob", "reason": "he threatened a dealer"},
    "somebody enters a draw": {"kind": "floor.enter_promotion", "promotion": "Spring draw", "person": "Ann"},
}


@router.post(HOUSE_ACTS, responses={200: {"model": EntryView}}, openapi_extra=request_body("floor.", EXAMPLES))
async def act(call: Calling, key: Key, approval: Approval = None) -> Response:
    """Ask the floor of the whole house for something: promotions, who may not play anywhere, and who may again."""
    body = await act_of(call.request, "floor.")
    asking = ActRequest(call.pit, call.actor, body, key, approval)
    call.request.state.act = asking.kind  # for the log
    await call.run(call.pit.floor)
    line = await call.service.ask(HOUSE_FLOOR, asking)
    for stream in call.service.open_streams():
        if stream.person == folded(body.arguments.get("person", "")):
            stream.look_again()
    return entry_response(call.service, asking.kind, line)


AGREED = {"what": "floor.exclude", "act": EXAMPLES["two keep somebody out"]}


@router.post("/floor/approvals", status_code=201)
def agree(call: Calling, body: Annotated[schemas.Approval, example("exclusion", **AGREED)]) -> ApprovalView:
    """Agree, as the second person, to one act of another on the floor of the house: once, for two minutes."""
    return ApprovalView(approval=give_approval(call.pit, call.actor, body, HOUSE_FLOOR), what=body.what)


@record
class HouseFloorView:
    """The floor of the house, as journals have it; nothing where nobody has opened it."""

    sequence: int
    house: str
    floor: dict[str, Any] | None


@router.get("/floor")
def look(call: Calling) -> HouseFloorView:
    """The floor of the house, for those who inspect: who may not play, what is in dispute, who is on duty."""
    if not call.pit.house_wide.is_open:
        return HouseFloorView(sequence=0, house=call.pit.house_wide.house, floor=None)
    table = call.pit.catch_up(HOUSE_FLOOR)
    return HouseFloorView(sequence=table.head.sequence, house=table.layout.book.id, floor=to_data(table.live.floor))


@record
class PrizeView:
    kind: str
    item: str
    value: int


@record
class OfferView:
    prizes: list[PrizeView]
    terms: Mapping[str, str]
    starts: str
    closes: str


@record
class PromotionView:
    promotion: str
    stands: str
    offer: OfferView


@router.get("/floor/promotions")
def promotions(call: Calling) -> list[PromotionView]:
    """The register of promotions, with the terms of each: they are for everybody to read."""
    views = []
    for name, each in call.pit.register().items():
        offer = view(OfferView, each.offer, prizes=[view(PrizeView, prize) for prize in each.offer.prizes])
        views.append(PromotionView(promotion=name, stands=each.stands, offer=offer))
    return views


# --- What whoever asks may do -----------------------------------------------------------------------------------------


@record
class PickView:
    """One value of a field, and what people read for it."""

    value: str | int
    label: str


@record
class ActView:
    kind: str
    says: str
    permission: str
    role: str  # as what they ask for it
    people: int  # 2: a second person agrees, by an approval
    alone: bool  # whether one person does it as well, as things stand; a payment may be too large for one
    # Whether it would be taken as things stand; what somebody types into it is looked at when they send it.
    offered: bool
    # What can be picked, each with what goes with it: this prize of that promotion; empty where nothing is picked.
    options: list[dict[str, PickView]]
    seconds: list[str]  # who may be the second person
    fields: dict[str, Any]  # each field as JSON Schema
    required: list[str]
    choices: dict[str, list[str]]  # by field: the words that this house knows for it


@record
class PermissionsView:
    table: str
    roles: list[str]
    over: Literal["stopped", "closed"] | None
    acts: list[ActView]
    blanks: dict[str, Any]  # by field: what is said with it, to be filled in
    chips: list[int]  # what chips there are, in minor units
    second_above: int  # above how many minor units a payment takes two


@router.get("/tables/{table}/permissions")
def permissions_at(at: At) -> PermissionsView:
    """What you may ask this table for now, by your roles: each act with its sentence and its fields."""
    return _permissions(at.service, at.live(), at.actor.id)


@router.get("/floor/permissions")
def permissions_in_the_house(call: Calling) -> PermissionsView:
    """What you may ask the floor of the house for now, by your roles."""
    return _permissions(call.service, call.pit.floor(), call.actor.id)


def _permissions(service: Service, table: LiveTable, person: str) -> PermissionsView:
    """From the matrix and the models of acts; what the house's book leaves to a title, the floor says when asked."""
    house, never = table.name == HOUSE_FLOOR, NEVER[table.live.dice]
    state = table.state()._replace(wallets=table.journal.balances(CAGE))
    roles_for = {
        kind: role_of(state, person, kind)
        for kind in FORMS
        if (kind.startswith("floor.") if house else kind not in FOR_THE_HOUSE and TYPES[kind] not in never)
    }
    roles, seat, offer = service.pit.standing(person, table.name), table.live.seat_of(person), blank_offer(table.layout)
    notice = {name: each for name, each in to_data(table.live.table.notice).items() if name not in ("kind", "v")}
    blanks: dict[str, Any] = {"notice": notice}
    if offer is not None:
        blanks["offer"] = to_data(RegisterPromotion("", offer))["offer"]
    if seat is not None:
        blanks["person"] = table.live.table.seats[seat].name
    return PermissionsView(
        table=table.name,
        roles=sorted(roles.house | roles.table),
        over=table.live.over,
        acts=[_act_view(service, state, person, kind, role) for kind, role in roles_for.items() if role is not None],
        blanks=blanks,
        chips=opening_of(table.journal, table.name).body["chips"],
        second_above=alone_up_to(table.layout),
    )


def _act_view(service: Service, state: State, person: str, kind: str, role: str) -> ActView:
    schema, permission, name_of = schema_of(kind), of_act(kind), service.pit.people.name_of
    fields = {name: each for name, each in schema["properties"].items() if name != "kind"}
    if kind == "floor.raise_dispute" and not state.live.floor.promotions:
        del fields["promotion"]
    two = permission.people == 2 or hasattr(TYPES[kind], "second")
    offer: Offered | None = Offered((), (), alone=not two)
    announced = state.live.announced
    if kind in (*ACTS, *BY_HAND):
        asked = (state, person, service.pit.now(), kind)
        offer = None if state.live.over else offered(*asked) if kind in ACTS else by_hand(*asked, role)
    options, seconds = (offer.options, offer.seconds) if offer else ((), ())
    match kind:
        case "table.roll" | "table.close_bets" if _no_throw(state) or (announced and kind == "table.close_bets"):
            offer = None
        case "table.read_dice" if not announced or (announced.reading and announced.reading.actor == person):
            offer = None  # nothing lies there to be read, or the second to read it is somebody else
        case "table.correct":
            options = tuple({"reverses": each} for each in _reversible(service, state))
            offer = offer if options else None
        case _:
            pass
    return ActView(
        kind=kind,
        says=schema["description"],
        permission=permission.name,
        role=role,
        people=2 if two else 1,
        alone=offer is not None and offer.alone,
        offered=offer is not None,
        options=[
            {name: view(PickView, each, label=name_of(each.label)) for name, each in option.items()}
            for option in options
        ],
        seconds=[name_of(each) for each in seconds],
        fields=fields,
        required=[name for name in schema["required"] if name in fields],
        choices=choices(state.layout, kind) if kind in ACTS else {},
    )


def _no_throw(state: State) -> str:
    """Why the dice cannot be thrown now; empty where they can."""
    if state.live.announced is not None or state.live.dice == "none":
        return ""
    refusal = refusal_of(could_roll, state.live, state.layout)
    return "" if refusal is None else refusal.message


LATELY = 200  # so many entries back chips that were bought are offered to be taken back


def _reversible(service: Service, state: State) -> Iterator[Pick]:
    """What can be corrected: the last roll, and the chips that were bought lately and are still there."""
    live = state.live
    if live.last_roll and not live.paid and live.last_roll not in live.reversed:
        yield Pick(live.last_roll, "the last roll")
    journal, head = service.pit.journal, service.pit.journal.head(state.name)
    end = head.sequence if head else 0
    for entry in map(read_entry, journal.lines(state.name, max(end - LATELY, 0), end)):
        for event in reversal(live, entry) if entry.sequence not in live.reversed else ():
            amount = state.layout.money(-event.amount)
            yield Pick(entry.sequence, f"{live.table.seats[event.seat].name}'s {amount} in chips")


# --- What the crew of a table sees ------------------------------------------------------------------------------------


@record
class CauseView:
    reason: str
    handling: str
    clause: str
    says: str  # what the clause says


@record
class DisputeView:
    dispute: int
    person: str
    stands: str
    decided_by: str
    promotion: str
    sentences: list[str]  # what it is about, and what was decided
    waits_for: str  # who decides it, or looks at it again, by the book; empty where nothing is asked


@record
class FloorView:
    now: str
    roll: int | None  # the number of a roll that is announced
    awaited: list[str]  # whose part in drawn dice is waited for
    owing: list[str]  # who may not bet here until their part of a void roll comes
    read_by: str | None  # who has read its dice already; not what
    held: str | None  # why a roll that two people have read is held
    no_throw: str  # why the dice cannot be thrown now; empty where they can
    last_roll: int  # the entry of the last roll, where it can be struck out
    striking: str  # what becomes of the chips where a roll is struck out in this house
    no_roll: list[CauseView]
    duty: Mapping[str, str]
    limits_sign: SignView | None
    closing_sign: SignView | None
    inspector_told: str
    disputes: list[DisputeView]
    barred: list[str]
    reports: dict[str, str]  # by number: who was reported, and for what
    partners: Sequence[Sequence[int]]
    refused: dict[str, list[str]]  # by seat: the wagers that are not taken
    player_limits: dict[str, str]
    vouchers: dict[str, str]  # by number: what those that are still out are worth
    places: int
    approvers: list[str]  # who may be the second person of a void, a correction, chips given back


@crew.get("/tables/{table}/floor")
def look_at_floor(at: At) -> FloorView:
    """What the crew of a table knows: signs, who is on duty, a reading that waits, disputes."""
    return floor_view(at.pit, at.live(), at.actor.id)


def floor_view(pit: Pit, table: LiveTable, person: str) -> FloorView:
    live, layout, name_of = table.live, table.layout, pit.people.name_of
    floor, announced, rules = live.floor, live.announced, layout.book
    words = dispute_words(table, name_of) if floor.disputes else {}
    return view(
        FloorView,
        floor,
        now=pit.now(),
        barred=list(floor.barred),
        roll=announced.roll if announced else None,
        awaited=[name_of(each.person) for each in announced.missing] if announced else [],
        owing=[seat.name for number, seat in live.table.seats.items() if owes(live, live.owner(number))],
        read_by=name_of(announced.reading.actor) if announced and announced.reading else None,
        held=_held(table, name_of),
        no_throw=_no_throw(table.state()),
        last_roll=0 if live.paid or live.last_roll in live.reversed else live.last_roll,
        striking=STRIKING[rules.floor.on_invalidation.value],
        no_roll=[
            view(CauseView, how, reason=flaw, handling=how.value, says=clause(how.clause, rules.clauses).sentence)
            for flaw, how in rules.no_roll.causes.items()
        ],
        approvers=[name_of(each) for each in approvers(table.state(), person, "table.void")],
        limits_sign=limits_sign(layout, live),
        closing_sign=closing_sign(floor),
        disputes=[
            view(DisputeView, each, dispute=number, sentences=words.get(number, []), waits_for=_waits_for(layout, each))
            for number, each in floor.disputes.items()
        ],
        reports={str(number): f"{each.person}: {each.breach}" for number, each in floor.reports.items()},
        refused={str(seat): list(wagers) for seat, wagers in floor.refused.items() if wagers},
        player_limits=player_limits(layout, floor, live.table),
        vouchers={name: layout.money(each.value) for name, each in floor.vouchers.items() if not each.changed},
    )


# Entries back to which the readings of a roll are looked for: while it is announced little else happens.
READINGS_MAX = 20


def _held(table: LiveTable, name_of: Callable[[str], str]) -> str | None:
    """What two people read of the roll that is announced, where they differ and nobody has read it again."""
    announced, end = table.live.announced, table.head.sequence
    if announced is None or announced.reading is not None:
        return None
    last = [read_entry(line) for line in table.journal.lines(table.name, max(end - READINGS_MAX, 0), end)]
    for entry in reversed(last):
        if entry.kind == "dice_disagreed" and entry.body["roll"] == announced.roll:
            return readings_differ({**each, "actor": name_of(each["actor"])} for each in entry.body["readings"])
    return None


def _waits_for(layout: Layout, dispute: Dispute) -> str:
    rules, first = layout.book.floor.disputes, layout.book.floor.supervisors
    if rules is not None and not dispute.promotion:
        first = rules.first
        if dispute.stands == "review asked for":
            return rules.review.value
    return layout.crew(first.value) if dispute.stands in ("raised", "review asked for") else ""


def dispute_words(table: LiveTable, called: Callable[[str], str]) -> dict[int, list[str]]:
    words: dict[int, list[str]] = {}
    for line in table.journal.lines(table.name):
        if b'"dispute":' in line:
            for data in read_entry(line).body.get("floor", ()):
                if "dispute" in data:
                    event = cast("FloorEvent", from_data(with_names(data, called)))
                    sentence = say_floor(table.layout, table.live.table, event, None)
                    words.setdefault(data["dispute"], []).append(sentence)
    return words


# --- Reports ----------------------------------------------------------------------------------------------------------

Time = Annotated[str, Query(max_length=40, examples=["2026-11-15T20:00:00Z"])]
Book = Annotated[str, Path(pattern=f"^({'|'.join(BOOKS)})$", examples=["shift"])]  # a name that `GET /reports` lists


@record
class ReportKindView:
    report: str
    title: str
    about: str
    of_tables: bool  # whether it is also asked of one table
    of_house: bool


@router.get("/reports")
async def list_reports() -> list[ReportKindView]:
    """Every report that there is, with what it shows."""
    return [
        view(ReportKindView, each, report=name, of_tables="tables" in each.of, of_house="house" in each.of)
        for name, each in REPORTS.items()
    ]


@record
class ReportView:
    report: str
    title: str
    columns: list[str]
    headings: list[str]  # the columns in words
    rows: Sequence[Sequence[str | int | None]]
    notes: Sequence[str]
    names: dict[str, str]  # by id: what whoever stands in its rows is called


class Part(BaseModel):
    """Which part of a report somebody wants, and how; as a query says it."""

    since: Time = ""
    until: Time = ""
    # A gaming day of the house's, instead of two times.
    day: Annotated[str, Query(max_length=10, examples=["2026-11-15"])] = ""
    player: Annotated[str, Query(max_length=60)] = ""
    as_csv: bool = False


Wanted = Annotated[Part, Query()]


# A report in the two ways it can be asked for.
SHEET: dict[int | str, dict[str, Any]] = {
    200: {"model": ReportView, "content": {"text/csv": {"schema": {"type": "string"}}}}
}


@crew.get("/tables/{table}/reports/{report}", response_model=ReportView, responses=SHEET)
async def read_report(at: At, report: Book, part: Wanted) -> ReportView | Response:
    """A book of the table, by a name that `GET /reports` lists."""
    return await _report(at, report, part, at.table)


@crew.get("/reports/{report}", response_model=ReportView, responses=SHEET)
async def read_house_report(call: Calling, report: Book, part: Wanted) -> ReportView | Response:
    """A book of the whole house: all its tables, its floor, and who was named what."""
    return await _report(call, report, part)


@router.get("/me/statement", response_model=ReportView, responses=SHEET)
async def own_statement(call: Calling, part: Wanted) -> ReportView | Response:
    """All that moved in your own wallet, over all tables."""
    return await _report(call, "statement", part.model_copy(update={"player": call.actor.required().id}))


def _book(journal: Journal, report: str, part: Part, tables: tuple[str, ...], now: str) -> Sheet:
    within = gaming_day(journal, part.day) if part.day else window(part.since, part.until)
    return book(journal, report, tables, within, player=part.player, now=now)


WORD = re.compile(r"[\w-]+")


async def _report(call: Caller, report: str, part: Part, *tables: str) -> ReportView | Response:
    sheet = await call.read_history(_book, report, part, tables, call.pit.now())
    if part.as_csv:
        named = {"Content-Disposition": f'attachment; filename="{"-".join((*tables, report))}.csv"'}
        return Response(sheet.to_csv(), media_type="text/csv; charset=utf-8", headers=named)
    ids = {word for row in sheet.rows for cell in row if isinstance(cell, str) for word in WORD.findall(cell)}
    persons = call.pit.people.persons
    names = {each: persons[each].name for each in ids if each in persons}
    return view(ReportView, sheet, title=REPORTS[report].title, names=names)
