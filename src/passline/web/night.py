"""The night on one page: all that whoever works tonight may see at once; and what a player is held to."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from passline.codec import to_data
from passline.engine.layout import Layout
from passline.floor.cage import current
from passline.floor.clock import date_of, gaming_day
from passline.floor.names import folded
from passline.floor.promotions import RegisterPromotion, awaits, filing, is_overdue
from passline.floor.state import Floor, Promotion
from passline.live.books import CAGE, wallet
from passline.live.people import Hosted, may, permissions
from passline.live.state import DiceMode
from passline.pit.pit import Pit
from passline.pit.table import LiveTable
from passline.sitting.amounts import on_felt
from passline.telling.card import sign
from passline.web.auth import Calling, Router
from passline.web.floor import FloorView, dispute_words, floor_view
from passline.web.schemas import record, view

router = Router(tags=["night"])

# Roles of the whole house: who holds one knows who is who tonight.
IN_THE_HOUSE = frozenset(("cashier", "supervisor", "inspector", "administrator"))

AT_A_TABLE = frozenset(("dealer", "stick", "box"))

PEOPLE_MAX = 500


@record
class PersonView:
    person: str
    name: str
    guest: bool
    roles: list[str]  # in the whole house
    at: dict[str, list[str]]  # by table: what else they are there
    titles: list[str]
    wallet: int
    excluded: bool


@record
class SeatedView:
    seat: int
    name: str
    rail: int
    up: int
    away: bool
    excluded: bool  # whether who sits there may play no more, and has chips to take home


@record
class NightTableView:
    table: str
    house: str
    house_name: str
    dice: DiceMode
    wallets: bool  # whether it is for the house's money
    host: str
    sign: str
    closing: bool
    stopped: bool  # whether it was stopped: two people give its chips back
    seats: list[SeatedView]
    roles: list[str]  # what whoever asks is there
    counted: bool  # whether its float was counted
    slips: int  # how many fills and credits it had
    floor: FloorView | None  # what its crew knows; null for who is not of it


@record
class DrawerView:
    """A drawer that is open; what must be in it is told to nobody who counts."""

    cashier: str
    since: str


@record
class DrawnView:
    prize: int
    item: str
    winner: str
    at: str
    stands: str  # drawn, overdue to be told, told, or awarded


@record
class RunningView:
    promotion: str
    stands: str
    offer: dict[str, Any]  # as it is amended
    awaits: str  # what it waits for before it starts, or why it can start no more
    starts: str
    closes: str
    filed: str
    prizes: list[str]
    entrants: Sequence[str]
    drawn: list[DrawnView]


@record
class NightView:
    now: str
    person: str
    house_name: str  # by whose book the floor of the house goes
    roles: list[str]
    day: str  # the gaming day that it is, by the date on which it began
    time_zone: str  # the house's own, by its IANA name: times of the night are told in it
    second_above: int  # above how many minor units a payment takes two
    people: list[PersonView]
    tables: list[NightTableView]
    duty: dict[str, str]  # who is on duty in the whole house, under which title
    drawers: list[DrawerView]
    excluded: list[str]
    promotions: list[RunningView]
    filing: str  # how long before its start the terms of a promotion are filed; empty where the book says nothing of it
    reports: bool  # whether they may read the books of the house


@router.get("/night")
def tonight(call: Calling) -> NightView:
    """The house tonight: people, tables, drawers, exclusions, promotions; each sees the part they work in."""
    pit, person = call.pit, call.actor.required().id
    floor_table, now = pit.floor(), pit.now()
    floor, layout, roles = floor_table.live.floor, floor_table.layout, pit.people.roles(person)
    inside = bool(roles & IN_THE_HOUSE)
    tables = [(hosted, pit.seen(hosted.table)) for hosted in _open(pit, person, inside=inside)]
    cage = layout.book.floor.cage
    return NightView(
        now=now,
        person=person,
        house_name=layout.book.name,
        roles=sorted(roles),
        day=date_of(gaming_day(now, cage)),
        time_zone=cage.time_zone,
        second_above=cage.second_above * layout.minor_per_unit,
        people=_people(pit, floor, [table for _, table in tables]) if inside else [],
        tables=[_table(pit, person, hosted, table, floor.barred) for hosted, table in tables],
        duty=dict(floor.duty) if inside else {},
        drawers=[view(DrawerView, each, cashier=who) for who, each in floor.drawers.items()] if inside else [],
        excluded=list(floor.barred) if inside else [],
        promotions=_promotions(layout, floor.promotions, now) if roles & {"supervisor", "inspector"} else [],
        filing="" if layout.book.promotions is None else filing(layout.book.promotions),
        reports=may(permissions()["inspect"], pit.standing(person)) is not None,
    )


def _open(pit: Pit, person: str, *, inside: bool) -> list[Hosted]:
    """The tables for others where somebody works or looks on for the house: that go on, or were stopped with chips."""
    others = [each for each in tuple(pit.people.hosted.values()) if not each.practice]
    mine = [each for each in others if inside or pit.people.roles(person, each.table) & AT_A_TABLE]
    lives = ((each, pit.table(each.table).live) for each in pit.not_closed(mine))
    return sorted(each for each, live in lives if live.over is None or live.table.seats)


def _table(pit: Pit, person: str, hosted: Hosted, table: LiveTable, barred: Collection[str]) -> NightTableView:
    live, book = table.live, table.layout.book
    out, bank = {*barred, *live.floor.barred}, live.floor.bank
    sees = may(permissions()["see_the_floor"], pit.standing(person, table.name)) is not None
    return view(
        NightTableView,
        hosted,
        live,
        live.table,
        house=book.id,
        house_name=book.name,
        sign=sign(table.layout, live.table.notice),
        stopped=live.over is not None,
        seats=[
            view(SeatedView, seat, seat=number, up=on_felt(seat), excluded=live.owner(number) in out)
            for number, seat in live.table.seats.items()
        ],
        roles=sorted(pit.people.roles(person, table.name)),
        counted=bank is not None,
        slips=0 if bank is None else bank.slips,
        floor=floor_view(pit, table, person) if sees else None,
    )


def _people(pit: Pit, floor: Floor, tables: list[LiveTable]) -> list[PersonView]:
    roster, balances, names = pit.people.roster, pit.journal.balances(CAGE), {table.name for table in tables}
    at: dict[str, dict[str, list[str]]] = {}
    for (who, where), roles in roster.granted.items():
        if where in names and roles:
            at.setdefault(who, {})[where] = sorted(roles)
    seated = {owner for table in tables for owner in table.live.owners.values()}
    people = []
    for who, each in sorted(pit.people.persons.items()):
        own, has = sorted(pit.people.roles(who) - {"player"}), balances.get(wallet(who), 0)
        if not each.guest or who in seated or who in at or has or own:
            named = {"roles": own, "at": at.get(who, {}), "titles": sorted(roster.titles.get(who, ()))}
            people.append(view(PersonView, each, **named, person=who, wallet=has, excluded=who in floor.barred))
    return people[:PEOPLE_MAX]


def _promotions(layout: Layout, register: Mapping[str, Promotion], now: str) -> list[RunningView]:
    return [
        view(
            RunningView,
            each,
            each.offer,
            promotion=name,
            offer=to_data(RegisterPromotion(name, each.offer))["offer"],
            awaits=awaits(layout.book, each, now),
            prizes=[f"{prize.item} ({layout.money(prize.value)})" for prize in each.offer.prizes],
            drawn=_drawn(layout, each, now),
        )
        for name, each in register.items()
    ]


def _drawn(layout: Layout, promotion: Promotion, now: str) -> list[DrawnView]:
    rules, prizes = layout.book.promotions, []
    for number, each in promotion.drawn.items():
        late = rules is not None and is_overdue(rules, promotion, each, now)
        stands = "awarded" if each.awarded else "told" if each.notified else "overdue to be told" if late else "drawn"
        prizes.append(view(DrawnView, each, promotion.offer.prizes[number - 1], prize=number, stands=stands))
    return prizes


@record
class OwnDisputeView:
    table: str
    dispute: int
    stands: str
    sentences: list[str]  # what was said of it, in order


@record
class OwnPlayView:
    now: str
    excluded: bool
    wallet: int
    chips: dict[str, int]  # by table for the house's money: what they have there
    deposit: int | None  # the most that is taken of theirs in a gaming day, in minor units; null: no limit
    paid_in: int  # what was taken today
    loss: int | None  # the most chips that they buy in a gaming day beyond those brought back; null: no limit
    bought: int  # what they have bought so, at all tables, today
    stop_at: str
    waits: str  # when looser limits were asked for, which hold 24 hours later; empty: none were
    entered: list[str]  # the promotions that they take part in
    disputes: list[OwnDisputeView]  # what they dispute, wherever they have played


def _chips(table: LiveTable, person: str) -> int:
    seats = (seat for number, seat in table.live.table.seats.items() if table.live.owner(number) == person)
    return sum(seat.rail + on_felt(seat) for seat in seats)


def _disputes(pit: Pit, table: LiveTable, person: str) -> Iterator[OwnDisputeView]:
    """What somebody disputes at a table."""
    theirs = [number for number, each in table.live.floor.disputes.items() if folded(each.person) == person]
    words = dispute_words(table, pit.people.name_of) if theirs else {}
    for each in theirs:
        stands = table.live.floor.disputes[each].stands
        yield OwnDisputeView(table=table.name, dispute=each, stands=stands, sentences=words[each])


@router.get("/me/limits")
def own_play(call: Calling) -> OwnPlayView:
    """What you are held to by your own wish, how far you are today, and what you take part in."""
    pit, person = call.pit, call.actor.required().id
    table, now = pit.floor(), pit.now()
    floor, cage = table.live.floor, table.layout.book.floor.cage
    limits, today = current(floor, folded(person), now), gaming_day(now, cage)
    hosted = [each.table for each in pit.seated_of(person)]
    return view(
        OwnPlayView,
        limits,
        now=now,
        excluded=folded(person) in floor.barred,
        wallet=pit.journal.balances(CAGE).get(wallet(person), 0),
        chips={table.name: _chips(table, person) for table in map(pit.table, hosted) if table.live.money},
        paid_in=floor.deposits.get(folded(person), 0) if floor.gaming_day == today else 0,
        bought=0 if limits.loss is None else pit.house_wide.bought.today(person, now, cage),
        waits=limits.next_at,
        entered=[name for name, each in floor.promotions.items() if folded(person) in each.entrants],
        disputes=[
            each
            for name in tuple(pit.people.hosted)
            if pit.is_open(name)
            for each in _disputes(pit, pit.table(name), person)
        ],
    )
