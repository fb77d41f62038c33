"""Nothing is offered that is refused: nights of people who do only what the page offers them, whatever they pick.

What the page offers is `live.offers`: for an act, values that can be picked and names of who may be the second. Whoever
picks one of each, and types something that makes sense, is not turned away.
"""

from __future__ import annotations

import random
from collections import Counter
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any

import pytest

from passline.codec.shapes import typed_fields
from passline.engine import commands as c
from passline.engine.values import Roll
from passline.errors import RoleError
from passline.floor.register import ACTS, choices
from passline.journal.contract import Draft
from passline.journal.memory import MemoryJournal
from passline.live.books import CAGE
from passline.live.offers import TYPED, Offered, _sample, offered
from passline.live.requests import Ask, CloseBets, ReadDice, request
from passline.live.rules import role_of
from passline.pit.people.people import By
from passline.pit.pit import Opening, Pit
from passline.pit.table import LiveTable
from tests.cage.till import Till
from tests.clauses.sydney.test_promotions import offered as promoted
from tests.pit.play import KEYS, NOW, read

STAFF = {
    "sue": "supervisor",
    "tom": "supervisor",
    "cay": "cashier",
    "cob": "cashier",
    "ivo": "inspector",
    "ada": "administrator",
}
PLAYERS = ("ann", "ben", "cat")
STEPS = 160


class Night:
    """A house whose people do whatever they are offered."""

    def __init__(self, seed: int, house: str) -> None:
        self.chance, self.time = random.Random(seed), datetime.fromisoformat(NOW)
        self.pit = Pit(MemoryJournal(), KEYS, house=house, clock=self.now)
        people, named = self.pit.people, By("house", "house", NOW)
        for name in (*STAFF, "bo", "dan", *PLAYERS):
            people.guest(name.capitalize(), NOW)
        for person, role in STAFF.items():
            people.grant(person, role, None, "tonight", named, None)
        staff = (("bo", "box"), ("dan", "dealer"), *((each, "player") for each in PLAYERS))
        opening = Opening(house=house, dice="real", practice=False, listed=True, wallets=True, staff=staff)
        self.table = self.pit.open(people.persons["sue"], opening, By("sue", "player", NOW), "one")
        for player in PLAYERS:
            Till(self.pit.journal, KEYS.sign).pay_in(player, 300_000, Draft("cage_acted", {}, "cay", "cashier", NOW))
            self.ask(self.table, c.Sit(PLAYERS.index(player) + 1, player.capitalize(), 50_000), player)
        self.done: Counter[str] = Counter()
        self.refused: list[tuple[Any, ...]] = []

    def now(self) -> str:
        return self.time.strftime("%Y-%m-%dT%H:%M:%SZ")

    def ask(self, table: LiveTable, act: Any, person: str) -> dict[str, Any]:  # noqa: ANN401 - any act
        self.time += timedelta(seconds=1)
        by = Ask(person, "", f"k{self.time.timestamp()}", self.now())
        return read(table.ask(request(by, act, wallet=table.live.money)))

    def play(self) -> None:
        """A bet and a roll, as far as they are taken."""
        player = self.chance.choice(PLAYERS)
        with suppress(RoleError):
            self.ask(self.table, c.Bet(PLAYERS.index(player) + 1, "pass", 1_000), player)
            dice = Roll(self.chance.randint(1, 6), self.chance.randint(1, 6))
            for person, act in (("bo", CloseBets()), ("bo", ReadDice(dice)), ("dan", ReadDice(dice))):
                self.ask(self.table, act, person)

    def offers(self, table: LiveTable, person: str) -> dict[str, Offered]:
        state = table.state()._replace(wallets=table.journal.balances(CAGE))
        kinds = [kind for kind in ACTS if role_of(state, person, kind) is not None]
        found = {kind: offered(state, person, self.now(), kind) for kind in kinds}
        return {kind: each for kind, each in found.items() if each is not None}

    def typed(self, name: str, hint: Any, table: LiveTable, kind: str) -> Any:  # noqa: ANN401 - a value of any type
        """What somebody might write into a field that nothing is picked for."""
        later = (self.time + timedelta(minutes=self.chance.randint(40, 90))).strftime("%Y-%m-%dT%H:%M:%SZ")
        starts, closes = (f"{(self.time + timedelta(days=each)).date()}T12:00:00Z" for each in (2, 4))
        offer = promoted(starts=starts, closes=closes)
        values: dict[str, Any] = {
            **dict.fromkeys(("at", "stop_at"), later),
            **{each: {2_500: self.chance.randint(1, 9)} for each in ("count", "received", "cash", "chips")},
            **dict.fromkeys(("amount", "value", "deposit", "loss"), self.chance.randint(1, 90_000)),
            "minimum": 500,
            "maximum": 200_000,
            "faces": (190, 190),
            "notice": table.live.table.notice,
            "offer": offer,
            "player": self.chance.choice(PLAYERS),
            "promotion": f"draw {self.time}",
            "voucher": f"v{self.time}",
            "form": "cash",
            "told": True,
            "places": 12,
            "person": self.chance.choice(PLAYERS),
        }
        if kind == "floor.colour_up":
            values |= {"given": {500: 5}, "received": {2_500: 1}}
        if kind == "floor.raise_dispute" and name == "promotion":
            return ""
        if name in values:
            return values[name]
        if words := choices(table.layout, kind).get(name):
            return self.chance.choice(words)
        return _sample(table.state(), Ask(self.chance.choice(PLAYERS), "", "x", self.now()), name, hint)

    def step(self) -> None:
        """Somebody does one of the things that they are offered; rare ones as often as others."""
        table = self.chance.choice((self.table, self.pit.floor()))
        person = self.chance.choice((*STAFF, "bo", "dan", *PLAYERS))
        offers = self.offers(table, person)
        kinds = sorted(set(offers) - ENDS)
        if not kinds:
            return
        least = min(self.done[kind] for kind in kinds)
        kind = self.chance.choice([each for each in kinds if self.done[each] == least])
        offer, command = offers[kind], ACTS[kind]
        picked = {name: pick.value for name, pick in self.chance.choice(offer.options or ({},)).items()}
        assert offer.alone or offer.seconds, f"{kind}: nobody could do it"
        second = (
            ""
            if offer.alone and (not offer.seconds or self.chance.random() < 0.5)
            else self.chance.choice(offer.seconds)
        )
        values = {
            name: self.typed(name, hint, table, kind)
            for name, hint in typed_fields(command).items()
            if name not in picked and name != "second"
        }
        if command.two_people:
            values["second"] = second
        entry = self.ask(table, command(**values, **picked), person)
        refusal = entry["body"].get("refusal") if entry["kind"] == "refused" else None
        if refusal is not None and refusal["code"] not in TYPED and (kind, refusal["code"]) not in TYPED_HERE:
            self.refused.append((person, table.name, kind, picked, second, values, refusal["code"], refusal["message"]))
        self.done[kind] += refusal is None


ENDS = {"floor.close", "floor.return_chips", "floor.exclude_oneself"}
"""What would end the night early."""


TYPED_HERE = {
    ("floor.pay_out", "floor.drawer"),
    ("floor.credit_float", "floor.count"),
    ("floor.pay_in", "floor.barred"),
    ("floor.pay_in", "floor.own_limit"),
    ("floor.grant_comp", "floor.barred"),
    ("floor.grant_comp", "floor.own_comp"),
}
"""Refused for a sum, or for whom it is paid in, which are typed: the page marks whoever is excluded."""


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("house", ["sydney", "adelaide", "strip"])
def test_whatever_is_offered_is_taken(house: str, seed: int) -> None:
    night = Night(seed, house)
    for number in range(STEPS):
        if number % 9 == 0:
            night.play()
        night.step()
        if number % 40 == 39:
            night.time += timedelta(hours=25)
    assert not night.refused, night.refused
    assert len(night.done) > 20, night.done
