"""The routes of the house: lobby, rule cards, odds, the houses side by side, health, metrics, journals whole."""

from collections.abc import Iterator, Sequence
from functools import cache

from pydantic import TypeAdapter
from starlette.responses import Response, StreamingResponse

from passline.house import House
from passline.journal.export import exported
from passline.live.people import Hosted
from passline.odds.par import Comparison, compare
from passline.pit.pit import Pit
from passline.rulebooks.model import says
from passline.sitting import spots
from passline.sitting.door import menu
from passline.sitting.lessons import FirstLesson, lessons
from passline.sitting.plan import Plan, plan
from passline.telling.card import card_json, habits, in_a_line, sign
from passline.telling.figures import percent
from passline.web.auth import Calling, Router
from passline.web.problems import Problem
from passline.web.schemas import record, view
from passline.web.service import DISK_LOW_BYTES, Service
from passline.web.subprocesses import posted
from passline.web.views import known_house

router = Router(tags=["house"])

AT_THE_TABLE = ("points", "notice", "money", "betting", "shooter", "dice", "no_roll")  # what of a house a player meets


@record
class Health:
    alive: bool


@record
class Ready:
    ready: bool
    warning: str | None  # what will stop it before long


@router.get("/health")
async def health() -> Health:
    """Whether the process is alive."""
    return Health(alive=True)


@router.get("/ready")
async def ready(call: Calling) -> Ready:
    """Whether requests should be sent here: the store was heard of a moment ago. Nothing is asked of it for this."""
    if (problem := call.service.unready()) is not None:
        raise problem
    free = call.service.disk_free
    low = free is not None and free < DISK_LOW_BYTES
    return Ready(ready=True, warning=f"{free} bytes are left on the journal's disk." if low else None)


@router.get("/metrics", response_class=Response, responses={200: {"content": {"text/plain": {}}}})
async def metrics(call: Calling) -> Response:
    """What the service counts, for Prometheus."""
    counted, unready = call.service.metrics, call.service.unready()
    counted.ready.set(unready is None)
    counted.store_away.set(unready is not None and unready.code == "store.away")
    counted.head_signed.set(getattr(call.pit.journal, "signed_at", 0.0))
    return Response(counted.text(), media_type="text/plain; version=0.0.4")


@record
class HouseLine:
    house: str
    name: str
    line: str
    sign: str  # what it posts where nobody says otherwise
    unit: str  # the least that this sign takes


@record
class CitedText:
    value: str
    clause: str


@record
class CitedFlag:
    value: bool
    clause: str


@record
class PriceView:
    price: str
    clause: str


@record
class WagerCard:
    name: str
    pays: dict[str, PriceView]
    made: CitedText
    removable: CitedText
    off_on_comeout: CitedFlag
    commission: str | None
    limits: str
    area: str


@record
class HouseView:
    line: str
    id: str
    name: str
    wagers: dict[str, WagerCard]
    habits: dict[str, CitedText]
    plan: Plan


@record
class WagerOddsView:
    name: str
    p_win: str
    p_lose: str
    p_push: str
    mean_net: str
    staked: str
    edge_per_bet_made: str
    edge_per_bet_resolved: str
    edge_per_roll_working: str
    variance: str
    rolls_working: str
    rolls_all: str | None
    nets: dict[str, str]
    clauses: list[str]


@record
class OddsView:
    house: str
    wagers: dict[str, WagerOddsView]


CARD, ODDS = TypeAdapter(HouseView), TypeAdapter(WagerOddsView)


@router.get("/houses")
def houses() -> list[HouseLine]:
    """The houses that can be played in."""
    return [HouseLine(house=house, name=name, line=line, **posted(House(house))) for house, name, line in menu()]


@router.get("/houses/{house}")
def house_card(house: str) -> HouseView:
    """A house's rule card, every value with its clause, and the plan of its felt."""
    return house_view(known_house(house))


def house_view(house: House) -> HouseView:
    layout = house.layout
    return CARD.validate_python({"line": in_a_line(layout), **card_json(layout), "plan": plan(layout)})


@router.get("/houses/{house}/odds")
def house_odds(house: str) -> OddsView:
    """Every wager of a house: chances, edge per bet made, decided and rolled, as exact fractions."""
    figures = spots.figures(known_house(house))
    return OddsView(house=house, wagers={key: ODDS.validate_python(each.to_json()) for key, each in figures.items()})


@record
class Difference:
    path: str
    says: str
    houses: dict[str, CitedText]


@record
class WagerEdge:
    name: str
    prices: Sequence[str]
    edge: str  # for people: `1.41 %`
    exact: str  # the same as a fraction


@record
class Priced:
    wager: str
    houses: dict[str, WagerEdge]
    best: Sequence[str]  # who keeps least of it
    worst: Sequence[str]  # who keeps most
    alike: bool


@record
class Differences:
    houses: list[HouseLine]
    ways: list[Difference]
    wagers: list[Priced]


@router.get("/differences")
@cache
def differences() -> Differences:
    """What the houses do differently, each with its clause, and every wager's price and edge in each of them."""
    wagers = [_priced(key, each) for key, each in compare().items()]
    return Differences(houses=houses(), ways=list(_ways()), wagers=wagers)


@router.get("/houses/{house}/lessons")
def first_lessons(house: str) -> list[FirstLesson]:
    """A first visit: the line, then odds, come and place, as far as the house has them."""
    return list(lessons(known_house(house)))


def _ways() -> Iterator[Difference]:
    by_path: dict[str, dict[str, CitedText]] = {}
    houses = House.all()
    for house in houses:
        for habit in habits(house.book):
            if habit.path.split(".")[0] in AT_THE_TABLE:
                by_path.setdefault(habit.path, {})[house.id] = view(CitedText, habit)
    for path, ways in by_path.items():
        if len(ways) < len(houses) or len({way.value for way in ways.values()}) > 1:
            yield Difference(path=path, says=says(path), houses=ways)


def _priced(key: str, compared: Comparison) -> Priced:
    edges = compared.edges.items()
    houses = {each: view(WagerEdge, compared.odds[each], edge=percent(edge), exact=str(edge)) for each, edge in edges}
    return view(Priced, compared, wager=key, houses=houses, alike=compared.is_alike)


@record
class Listed:
    table: str
    house: str
    house_name: str
    host: str
    sign: str
    dice: str
    wallets: bool  # whether it is for the house's money
    seats: int
    puck: int


@router.get("/lobby")
def lobby(call: Calling) -> list[Listed]:
    """The tables that are open to everybody."""
    return list(open_tables(call.service))


def open_tables(service: Service) -> Iterator[Listed]:
    """The tables that are listed and not over, each in a few words; one that has not changed is not opened again."""
    for hosted in tuple(service.pit.people.hosted.values()):  # others are opened meanwhile
        head = service.pit.journal.head(hosted.table) if hosted.listed else None
        if head is None:
            continue
        row = service.listed.get(hosted.table)
        if row is None or row[0] != head.sequence:
            row = service.listed[hosted.table] = head.sequence, _listed(service, hosted)
        if row[1] is not None:
            yield row[1]


def _listed(service: Service, hosted: Hosted) -> Listed | None:
    table = service.pit.table(hosted.table)
    if table.live.over is not None:
        return None
    state, book, host = table.live.table, table.layout.book, service.pit.people.name_of(hosted.host)
    names = {"house": book.id, "house_name": book.name, "host": host, "sign": sign(table.layout, state.notice)}
    return view(Listed, hosted, table.live, state, **names, seats=len(state.seats))


@router.get("/journal", response_class=Response, responses={200: {"content": {"application/jsonl": {}}}})
async def whole_journal(call: Calling) -> Response:
    """The journal of the whole house, all its streams, as `passline verify` checks it."""
    return _export(call.pit, await call.run(call.pit.journal.tables))


@router.get("/journal/{stream}", response_class=Response, responses={200: {"content": {"application/jsonl": {}}}})
async def journal(call: Calling, stream: str) -> Response:
    """A journal whole, of a table, the `cage` or the `people`, as `passline verify` checks it."""
    if await call.run(call.pit.journal.head, stream) is None:
        raise Problem(404, "table.unknown", "There is no such stream.")
    return _export(call.pit, [stream])


def _export(pit: Pit, streams: list[str]) -> Response:
    lines = exported(pit.journal, streams, sign=pit.keys.sign, time=pit.now())
    return StreamingResponse((line + b"\n" for line in lines), media_type="application/jsonl")
