"""The route of somebody's evening: what the dice made of it, inside the exact fan of what was likely."""

from __future__ import annotations

from threading import Lock
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from passline.journal.contract import Journal
from passline.pit.history import History
from passline.sitting.evening import Evening
from passline.sitting.reckoning import Account, Reckoner
from passline.telling.figures import counted, percent_of, signed
from passline.web import models as m
from passline.web.exchange import said_json, service_of
from passline.web.views import house_of
from passline.web.who import asker_of

router = APIRouter(tags=["tables"])

KEPT_MAX = 500
"""How many evenings are kept at hand."""


class EveningView(m.Told):
    """An evening roll by roll, in grains: what it came to, its mean, and the quantiles of what could have been."""

    rolls: int
    net: list[int]
    mean: list[float]
    quantiles: dict[str, list[int]]
    says: list[str]


class Evenings:
    """The evenings that somebody asked about, each read on from where it was."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str, int], tuple[History, Evening, Reckoner]] = {}
        self._lock = Lock()

    def of(self, journal: Journal, table: str, seat: int) -> tuple[Evening, Account]:
        """Somebody's evening at a table, as far as it is, and all the bets of it that were decided."""
        with self._lock:
            key = str(id(journal)), table, seat
            if key not in self._known:
                if len(self._known) >= KEPT_MAX:
                    del self._known[next(iter(self._known))]
                history = History(journal, table)
                house = house_of(history.opening.body["house"])
                self._known[key] = history, Evening(house.layout, seat), Reckoner(house, seat)
            history, evening, reckoner = self._known[key]
            for moment in history.more():
                evening.hear(moment.before.table, moment.events)
                reckoner.hear(moment.before.table, moment.events)
            return evening, reckoner.reckoning.total


EVENINGS = Evenings()


@router.get("/tables/{table}/evening", responses={200: {"model": EveningView}})
async def evening(request: Request, table: str) -> Response:
    """Your evening here: what every roll brought, inside the exact fan of what the same chips could have brought."""
    service, asker = service_of(request), asker_of(request)

    def work() -> dict[str, Any]:
        seat = service.seat_of(table, asker.id)
        assert seat is not None, "the guard has seen them sit"
        return _view(*EVENINGS.of(service.pit.journal, table, seat))

    return said_json(await service.run(work))


def _view(heard: Evening, decided: Account) -> dict[str, Any]:
    found, layout = heard.fan(), heard.layout
    told = {"rolls": len(found.net), "net": found.net, "mean": found.mean, "quantiles": found.quantiles}
    if not found.net:
        return {**told, "says": ["No roll has met a chip of yours yet."]}
    low, high = (signed(layout, found.quantiles[each][-1]) for each in ("25", "75"))
    came, mean = signed(layout, found.net[-1]), signed(layout, found.mean[-1])
    lower = percent_of(found.below)
    says = [
        f"{came} after {counted(len(found.net), 'roll')} with chips up. What still stands is not in it.",
        *_by_price(heard, decided),
        f"Throw by throw, each with the chips then up, {mean} is the mean: the middle of the bands, no edge.",
        f"Half of all evenings with these chips end between {low} and {high}; {lower} of them end lower than yours.",
    ]
    return {**told, "says": says}


def _by_price(heard: Evening, decided: Account) -> list[str]:
    """What the bets that were decided should have brought, where their prices are known."""
    if not decided.bets or decided.expected is None:
        return []
    bets = f"{counted(decided.bets, 'bet')} that {'was' if decided.bets == 1 else 'were'} decided"
    return [f"By their prices the {bets} should bring {signed(heard.layout, decided.expected)} on average."]
