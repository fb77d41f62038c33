"""A page that listens asks nothing after an entry: an act hardly costs more for those who look on."""

from __future__ import annotations

import asyncio
import json
import time
from pathlib import Path
from typing import Any

import httpx

from tests.web.pages import measure
from tests.web.server import Player, Server


def test_twelve_pages_cost_hardly_more_than_none(tmp_path: Path) -> None:
    """39 times it was when every page asked for its seat after every entry, and 19,600 bytes a phone."""
    figures = asyncio.run(measure(tmp_path, rounds=2))
    assert figures.bet_bytes <= 500
    assert figures.ratio <= 4, figures


def test_what_changed_of_a_table_makes_the_table(server: Server) -> None:
    """A page that follows the changes has the table that a look has, and its own seat as it is."""
    ann = server.practice(house="strip", dice="given", name="Ann", company=3)
    path = f"/tables/{ann.table}"
    view = ann.get(path).json()
    ann.act("command.bet", wager="pass", amount=1_500)
    for dice in ((2, 2), (3, 3), (1, 4), (4, 3)):
        ann.act("command.throw", roll={"first": dice[0], "second": dice[1]})
    after: dict[str, Any] = {"sequence": 0}
    while (seen := ann.get(path).json())["sequence"] != after["sequence"]:  # the regulars act a moment later
        after = seen
        time.sleep(0.5)
    events = brief(ann, view["sequence"], after["sequence"])
    state = view["state"]
    for event in events:
        state = patched(state, event.get("state") or {})
    assert state == after["state"]
    own = [event["seat"] for event in events if "seat" in event][-1]
    assert own == ann.get(f"{path}/seat").json()
    assert [event["strip"]["rolls"][-1]["sequence"] for event in events if "strip" in event][-1] == [
        event["sequence"] for event in events if event.get("call")
    ][-1]


def brief(who: Player, after: int, upto: int) -> list[dict[str, Any]]:
    """What a page is sent, up to an entry."""
    path = f"/tables/{who.table}/events?view=brief&after={after}"
    events: list[dict[str, Any]] = []
    with (
        httpx.Client(base_url=who.server.address, timeout=20) as http,
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
