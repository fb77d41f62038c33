"""One visit that looks at everything a visitor can: what it imports is what the first download holds."""

import json

from passline.web.app import routes
from passline.web.worker import Worker

HOUSES = ("adelaide", "crapless", "exhibit-a", "fire-bonus", "strip", "sydney")
NAMES = {
    "house": "sydney", "wager": "place_6", "roll": "1", "hand": "1", "sequence": "1", "lesson": "pays", "version": "x",
    "clause": "sydney:6.5.2", "drill": "pays", "person": "ann", "stream": "people", "number": "1",
}  # fmt: skip


class Visit:
    """A page that asks and does not look."""

    def __init__(self, worker: Worker) -> None:
        self.worker, self.number = worker, 0

    async def ask(self, method: str, target: str, body: object = None) -> tuple[int, bytes]:
        answer: list = [0, b""]

        def send(status: int, _headers: object) -> None:
            answer[0] = status

        def chunk(more: bytes) -> None:
            answer[1] += more

        self.number += 1
        headers = {"content-type": "application/json", "idempotency-key": f"k{self.number}"}
        await self.worker.ask(method, target, headers, json.dumps(body).encode() if body else b"", send, chunk)
        return answer[0], answer[1]

    async def act(self, table: str, kind: str, **fields: object) -> int:
        return (await self.ask("POST", f"/tables/{table}/acts", {"kind": kind, **fields}))[0]


async def tour() -> Worker:
    """Play a little in every house, then look at every view."""
    worker = Worker()
    visit = Visit(worker)
    for target in ("/who", "/houses", "/lobby"):
        await visit.ask("GET", target)
    for house in HOUSES:
        _, text = await visit.ask("POST", "/practice", {"name": "Ann", "house": house, "company": 2})
        table = json.loads(text)["table"]["table"]
        await visit.act(table, "command.bet", wager="pass", amount=2500)
        await visit.act(table, "command.bet", wager="field", amount=100_000_000)
        for _ in range(6):
            await visit.act(table, "table.roll")
        await visit.act(table, "command.bet", wager="place_6", amount=1200)
        await visit.ask("POST", f"/tables/{table}/talk", {"text": "10 on the hard eight"})
        await visit.ask("POST", f"/tables/{table}/wishes", {"wish": "repeat"})
        for route in routes():
            method, path = route.split(" ")
            if method != "GET" or path.endswith("/events") or path.startswith("/page"):
                continue
            for name, value in {**NAMES, "house": house, "table": table}.items():
                path = path.replace("{" + name + "}", value)
            if "/reports" not in path:  # those of the pit are for its people
                await visit.ask("GET", path)
    _, text = await visit.ask("GET", "/school/sydney")
    await visit.ask("POST", "/school/sydney", {})
    for drill in ("pays", "calls", "rulings", "order", "audition"):
        await visit.ask("GET", f"/school/sydney/{drill}/1/7")
        await visit.ask("POST", f"/school/sydney/{drill}/1/7", {"answers": ["10"]})
    Worker(worker.save())
    return worker
