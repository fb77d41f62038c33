"""The routes of the floor: the whole house's own, and what whoever asks may do at a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from fastapi import APIRouter, Body, Request
from starlette.responses import Response

from passline.codec import to_data
from passline.floor.choices import blank_offer, choices
from passline.floor.promotions.commands import RegisterPromotion
from passline.pit.live import HOUSE_FLOOR
from passline.pit.people.powers import of_act
from passline.pit.table import LiveTable
from passline.web import models as m
from passline.web.acts import FOR_THE_HOUSE, MODELS, FloorAct, kind_of
from passline.web.asking import Asking, give_assent, role_in
from passline.web.exchange import Assent, Key, said_entry, said_json, service_of
from passline.web.roles import AssentView
from passline.web.who import asker_of

if TYPE_CHECKING:
    from passline.web.service import Service

router = APIRouter(tags=["floor"])


class ActView(m.Told):
    """An act that somebody may ask for, and what is said with it."""

    kind: str
    says: str
    power: str
    people: int
    """2: a second person agrees, by an assent."""
    fields: dict[str, Any]
    """Each field as JSON Schema."""
    required: list[str]
    shapes: dict[str, Any]


class PowersView(m.Told):
    """All that somebody may ask for now."""

    table: str
    roles: list[str]
    over: Literal["stopped", "closed"] | None
    acts: list[ActView]
    choices: dict[str, list[str]]
    """By field: the words that this house knows for it."""
    blanks: dict[str, Any]
    """By field: what is said with it, to be filled in."""


EXAMPLES: dict[str, dict[str, Any]] = {
    "somebody asks not to be let play": {"kind": "floor.exclude_oneself", "person": "Ann", "reason": "for a year"},
    "two keep somebody out": {"kind": "floor.exclude", "person": "Bob", "reason": "he threatened a dealer"},
    "somebody enters a draw": {"kind": "floor.enter_promotion", "promotion": "Spring draw", "person": "Ann"},
}


@router.post("/floor/acts", responses={200: {"model": m.EntryView}})
async def act(
    request: Request,
    key: Key,
    asked: Annotated[FloorAct, Body(openapi_examples={name: {"value": each} for name, each in EXAMPLES.items()})],
    assent: Assent = None,
) -> Response:
    """Ask the floor of the whole house for something: promotions, who may not play anywhere, and who may again."""
    service, asker = service_of(request), asker_of(request)
    asking = Asking(service.pit, asker, asked, key, assent)
    await service.run(service.pit.floor)
    line = await service.ask(HOUSE_FLOOR, asking)
    return said_entry(service, asking.kind, line)


AGREED = {"what": "floor.exclude", "act": EXAMPLES["two keep somebody out"]}


@router.post("/floor/assents", status_code=201, responses={201: {"model": AssentView}})
async def agree(
    request: Request,
    asked: Annotated[m.Assent, Body(openapi_examples={"exclusion": {"value": AGREED}})],
) -> Response:
    """Agree, as the second person, to one act of another on the floor of the house: once, for two minutes."""
    service, asker = service_of(request), asker_of(request)
    given = await service.run(give_assent, service.pit, asker, asked, HOUSE_FLOOR)
    return said_json({"assent": given, "what": asked.what}, 201)


@router.get("/floor", responses={200: {"model": m.Told}})
async def look(request: Request) -> Response:
    """The floor of the house, for those who inspect: who may not play, what is in dispute, who is on duty."""
    service = service_of(request)

    def work() -> dict[str, Any]:
        if not service.pit.house_wide.is_open:
            return {"sequence": 0, "house": service.pit.house_wide.house, "floor": None}
        table = service.pit.catch_up(HOUSE_FLOOR)
        return {"sequence": table.head.sequence, "house": table.layout.book.id, "floor": to_data(table.live.floor)}

    return said_json(await service.run(work))


class PrizeView(m.Told):
    """A prize, for everybody to read."""

    kind: str
    item: str
    value: int


class OfferView(m.Told):
    """What a promotion offers, on what terms and when."""

    prizes: list[PrizeView]
    terms: dict[str, str]
    starts: str
    closes: str


class PromotionView(m.Told):
    """A promotion of the register."""

    promotion: str
    stands: str
    offer: OfferView


@router.get("/floor/promotions", responses={200: {"model": list[PromotionView]}})
async def promotions(request: Request) -> Response:
    """The register of promotions, with the terms of each: they are for everybody to read."""
    service = service_of(request)

    def work() -> list[dict[str, Any]]:
        if not service.pit.house_wide.is_open:
            return []
        register = to_data(service.pit.catch_up(HOUSE_FLOOR).live.floor)["promotions"]
        public = ("stands", "filed", "offer")  # who entered and who won is theirs
        return [{"promotion": name, **{each: told[each] for each in public}} for name, told in register.items()]

    return said_json(await service.run(work))


# --- What whoever asks may do -----------------------------------------------------------------------------------------


@router.get("/tables/{table}/powers", responses={200: {"model": PowersView}})
async def powers_at(request: Request, table: str) -> Response:
    """What you may ask this table for now, by your roles: each act with its sentence and its fields."""
    service, asker = service_of(request), asker_of(request)
    return said_json(await service.run(lambda: _powers(service, service.pit.seen(table), asker.id)))


@router.get("/floor/powers", responses={200: {"model": PowersView}})
async def powers_in_the_house(request: Request) -> Response:
    """What you may ask the floor of the house for now, by your roles."""
    service, asker = service_of(request), asker_of(request)
    return said_json(await service.run(lambda: _powers(service, service.pit.floor(), asker.id)))


def _powers(service: Service, table: LiveTable, person: str) -> dict[str, Any]:
    """From the matrix and the models of acts; what the house's book leaves to a title, the floor says when asked."""
    house = table.name == HOUSE_FLOOR
    acts = []
    for model in MODELS:
        kind = kind_of(model)
        belongs = kind.startswith("floor.") if house else kind not in FOR_THE_HOUSE
        role = role_in(service.pit, table, person, kind) if belongs else None
        if role is None:
            continue
        shape, power = model.model_json_schema(), of_act(kind)
        fields = {name: each for name, each in shape["properties"].items() if name not in ("kind", "second")}
        two = power.people == 2 or "second" in shape["properties"]
        acts.append(
            {
                "kind": kind,
                "says": shape["description"],
                "power": power.name,
                "as": role,
                "people": 2 if two else 1,
                "fields": fields,
                "required": [name for name in shape.get("required", ()) if name in fields],
                "shapes": shape.get("$defs", {}),
            }
        )
    roles = service.pit.standing(person, table.name)
    return {
        "table": table.name,
        "roles": sorted(roles.house | roles.table),
        "over": table.live.over,
        "acts": acts,
        "choices": choices(table.layout),
        "blanks": _blanks(table, service.pit.seat_of(table, person)),
    }


def _blanks(table: LiveTable, seat: int | None) -> dict[str, Any]:
    """What an act takes whole, as it is or empty: the sign of the table, a promotion; who sits, who they are."""
    offer = blank_offer(table.layout)
    found = {} if offer is None else {"offer": to_data(RegisterPromotion("", offer))["offer"]}
    notice = {name: each for name, each in to_data(table.live.table.notice).items() if name not in ("kind", "v")}
    person = {} if seat is None else {"person": table.live.table.seats[seat].name}
    return {**found, **person, "notice": notice}
