"""A page that listens asks nothing after an entry: an act hardly costs more for those who look on."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from datetime import datetime
from pathlib import Path
from typing import Any

import httpx
import pytest

from passline.engine import commands as c
from passline.journal.memory import MemoryJournal
from passline.pit.pit import Pit
from passline.pit.table import LiveTable
from passline.web import rail, tables, views
from passline.web.service import Service
from tests.pit.play import KEYS as HOUSE_KEYS
from tests.pit.play import by, new_table
from tests.web.pages import PLAYERS, bet_bytes, opened
from tests.web.server import KEYS, Player, Server


@pytest.mark.slow
def test_twelve_pages_cost_hardly_more_than_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bet is worked out for the page of whoever bets; a roll once for each player, and its strip once for everybody.

    What that comes to in processor time is in `bench/pages.py`: 39 times the act alone it was when every page asked for
    its seat after every entry, and 19,600 bytes a phone.
    """
    made: Counter[str] = Counter()

    def counting(name: str) -> None:
        work = getattr(rail, name)

        def counted(*args: Any) -> Any:  # noqa: ANN401 - whatever it takes and makes
            made[name] += 1
            return work(*args)

        monkeypatch.setattr(rail, name, counted)

    counting("_seat_view")
    counting("_strip")

    async def play() -> None:
        async with opened(tmp_path, "strip") as room:
            assert not made
            async with room.watched() as phones:
                assert await bet_bytes(room, phones) <= 500
                assert made == {"_seat_view": 1}
                await room.bets(2)
                await room.seen(phones)
                assert made["_seat_view"] <= 1 + 2 * PLAYERS
                made.clear()
                await room.rolls(2)
                await room.seen(phones)
                assert made["_strip"] <= 2
                assert made["_seat_view"] <= 2 * (PLAYERS + 3)  # a roll is everybody's, a field bet one's

    asyncio.run(play())


def test_what_changed_of_a_table_makes_the_table(server: Server) -> None:
    """A page that follows the changes has the table that a look has, and its own seat as it is."""
    ann = server.practice(house="strip", dice="given", name="Ann", company=3)
    path = f"/tables/{ann.table}"
    view = ann.get(path).json()
    ann.act("command.bet", wager="pass", amount=1_500)
    for dice in ((2, 2), (3, 3), (1, 4), (4, 3)):
        ann.act("command.throw", roll={"first": dice[0], "second": dice[1]})
    while True:  # the regulars act a moment later, and a seat does not say of which entry it is
        before, own = ann.get(path).json(), ann.get(f"{path}/seat").json()
        events = brief(ann, view["sequence"], before["sequence"])
        if ann.get(path).json()["sequence"] == before["sequence"]:
            break
    state = view["state"]
    for event in events:
        state = patched(state, event.get("state") or {})
    assert state == before["state"]
    assert [event["seat"] for event in events if "seat" in event][-1] == own
    assert [event["strip"]["rolls"][-1]["sequence"] for event in events if "strip" in event][-1] == [
        event["sequence"] for event in events if event.get("call")
    ][-1]


def test_a_look_is_of_one_entry_though_another_is_written_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page begins where its look says: a look at the table before an entry that claims to have it loses its chips."""
    journal = MemoryJournal()
    service = Service(Pit(journal, HOUSE_KEYS))
    live = new_table(journal)
    sat, bet = live.at, c.Bet(1, "field", 1_500)

    def slowly(table: LiveTable) -> Any:  # noqa: ANN401 - as it is
        live.do(bet, by())  # somebody else's thread
        return views.house_here(table)

    monkeypatch.setattr(tables, "house_here", slowly)
    view = tables.table_view(service, live, "nobody")
    assert live.head.sequence == sat[1].sequence + 1
    assert (view.sequence, view.state) == (sat[1].sequence, views.state_view(live.layout, sat[0]))


def test_a_countdown_comes_with_the_entries(server: Server) -> None:
    """How long bets are still taken, with the first bet and after a roll; a table without one says nothing of it."""
    hal = server.account(f"Hal{next(KEYS)}")
    hal.table = f"clock{next(KEYS)}"
    body = {"table": hal.table, "house": "strip", "countdown": 300, "dice": "given"}
    assert hal.post("/tables", body).status_code == 201
    hal.act("command.sit", buyin=500_000)
    sat = hal.get(f"/tables/{hal.table}").json()["sequence"]
    upto = hal.act("command.bet", wager="pass", amount=1_500).json()["sequence"]
    first = brief(hal, sat, upto)[-1]
    assert 0 < first["closes_in_ms"] <= 300_000
    hal.act("command.throw", roll={"first": 2, "second": 2})
    rolled = brief(hal, upto, hal.get(f"/tables/{hal.table}").json()["sequence"])[-1]
    view = hal.get(f"/tables/{hal.table}").json()
    left = datetime.fromisoformat(view["closes_at"]) - datetime.fromisoformat(view["now"])
    assert left.total_seconds() * 1000 <= rolled["closes_in_ms"] <= 300_000
    ann = server.practice(name="Ann")
    at = ann.get(f"/tables/{ann.table}").json()["sequence"]
    assert "closes_in_ms" not in brief(ann, at, ann.act("command.buy_in", amount=500).json()["sequence"])[-1]


def brief(who: Player, after: int, upto: int) -> list[dict[str, Any]]:
    """What a page is sent, up to an entry."""
    path = f"/tables/{who.table}/events?view=brief&after={after}"
    events: list[dict[str, Any]] = []
    with (
        httpx.Client(base_url=who.server.address, timeout=120) as http,
        http.stream("GET", path, headers=who.headers) as answer,
    ):
        for line in answer.iter_lines():
            if line.startswith("data: ") and (event := json.loads(line[6:])):
                events.append(event)
                if event["sequence"] == upto:
                    break
    return events


def patched(state: dict[str, Any], patch: dict[str, Any]) -> dict[str, Any]:
    """As `live.svelte.ts` does it."""
    seats = dict(state["seats"])
    for number, change in patch.get("seats", {}).items():
        if change is None:
            del seats[number]
            continue
        place = seats.get(number, {"up": {}})
        up = {**place["up"], **change.get("up", {})}
        seats[number] = {**place, **change, "up": {key: wager for key, wager in up.items() if wager is not None}}
    return {**state, **patch, "seats": seats}
