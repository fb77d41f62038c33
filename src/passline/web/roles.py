"""The routes of roles: a second person's assent, and roles that are given and taken back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, Body, Request
from starlette.responses import Response

from passline.floor.names import folded
from passline.journal.entries import read_entry
from passline.pit.people.people import By, takes_two
from passline.web import models as m
from passline.web.acts import EXAMPLES
from passline.web.asking import give_assent
from passline.web.exchange import Assent, Key, said_json, service_of
from passline.web.persons import account
from passline.web.problems import Problem, no_assent
from passline.web.who import asker_of, by_asker

if TYPE_CHECKING:
    from passline.web.service import Service

router = APIRouter(tags=["people"])


class AssentView(m.Told):
    """A second person's word, which counts once, and what it agrees to."""

    assent: str
    what: str


AGREED = {"what": "table.void", "act": EXAMPLES["void"]}


@router.post("/tables/{table}/assents", status_code=201, responses={201: {"model": AssentView}})
async def agree(
    request: Request,
    table: str,
    asked: Annotated[m.Assent, Body(openapi_examples={"void": {"value": AGREED}})],
) -> Response:
    """Agree, as the second person, to one act of another at this table: a word that counts once, for two minutes."""
    service, asker = service_of(request), asker_of(request)
    given = await service.run(give_assent, service.pit, asker, asked, table)
    return said_json({"assent": given, "what": asked.what}, 201)


@router.post("/assents", status_code=201, responses={201: {"model": AssentView}})
async def agree_to_role(
    request: Request,
    asked: Annotated[m.HouseAssent, Body(openapi_examples={"Bob": {"value": {"person": "Bob", "role": "dealer"}}})],
) -> Response:
    """Agree, as the second person, that somebody is given a role, or that it is taken back."""
    service, asker = service_of(request), asker_of(request)
    what = _granting(folded(asked.person), asked.role, asked.table, withdrawn=asked.withdrawn)

    def work() -> str:
        return service.pit.people.issue(asker.id, by_asker(service.pit, asker), "assent", table="people", what=what)

    return said_json({"assent": await service.run(work), "what": what}, 201)


def _granting(person: str, role: str, table: str | None, *, withdrawn: bool = False) -> str:
    return f"{'withdrawn ' if withdrawn else ''}{role} {person} {table or ''}".strip()


def _second(service: Service, by: By, assent: str | None, what: str) -> str:
    """Who agrees that a role is given or taken back; asked again, whoever agreed then."""
    people = service.pit.people
    line = people.journal.under_key("people", by.key or "")
    if line is not None:
        return str(read_entry(line).body["about"].get("second"))
    if not assent:
        raise no_assent()
    return people.use(assent, by._replace(key=None), "people", what)


@router.post("/people/{person}/roles", responses={200: {"model": m.Me}})
async def grant(
    request: Request,
    person: str,
    key: Key,
    asked: Annotated[m.Grant, Body(openapi_examples={"dealer": {"value": {"role": "dealer", "reason": "new crew"}}})],
    assent: Assent = None,
) -> Response:
    """Give somebody a role, with a second person's assent."""
    service, asker = service_of(request), asker_of(request)
    people, whom = service.pit.people, folded(person)
    if whom == asker.id:
        raise Problem(403, "person.own", "Nobody gives themselves a role: two others do.")

    def work() -> dict[str, Any]:
        by = by_asker(service.pit, asker, key)
        second = _second(service, by, assent, _granting(whom, asked.role, asked.table))
        people.grant(whom, asked.role, asked.table, asked.reason, by, second)
        return account(service, whom)

    told = await service.run(work)
    service.ring_all()
    return said_json(told)


@router.post("/people/{person}/roles/withdrawn", responses={200: {"model": m.Me}})
async def withdraw(
    request: Request,
    person: str,
    key: Key,
    asked: Annotated[m.Grant, Body(openapi_examples={"dealer": {"value": {"role": "dealer", "reason": "went home"}}})],
    assent: Assent = None,
) -> Response:
    """Take a role back, at once and also on open streams; one that names people takes a second person's assent."""
    service, asker = service_of(request), asker_of(request)
    whom = folded(person)

    def work() -> dict[str, Any]:
        by, second = by_asker(service.pit, asker, key), None
        if takes_two("role_revoked", whom, asked.role, asker.id):
            second = _second(service, by, assent, _granting(whom, asked.role, asked.table, withdrawn=True))
        service.pit.people.withdraw(whom, asked.role, asked.table, asked.reason, by, second)
        return account(service, whom)

    told = await service.run(work)
    service.ring_all()
    return said_json(told)
