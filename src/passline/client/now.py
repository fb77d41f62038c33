"""A client that waits for each answer."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Self

import httpx

from passline.client import calls
from passline.client.calls import ACCEPTED, AGAIN, Answer, Call, Events, Json, Patience, StreamedEntry, View
from passline.client.hands import Hand
from passline.engine.refusals import Refusal
from passline.files.amounts import Money, cents


class Client:
    """One person at one server; asked again by itself, under the same key, while the server is away."""

    def __init__(
        self, server: str, token: str = "", *, patience_s: float = 60.0, hand: bool = True, folder: Path | None = None
    ) -> None:
        """Know a server; `patience_s` is how long it may be away.

        With `hand` whoever bets has a hand in the dice, which is kept in a folder, with what the house signed:
        docs/dice.md.
        """
        self.server, self.token, self.patience_s = server.rstrip("/"), token, patience_s
        self._http = httpx.Client(base_url=self.server, timeout=30.0)
        self._hands: dict[str, Hand] | None = {} if hand else None
        self._folder = folder

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._http.close()

    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"} if self.token else {}

    def send(self, call: Call) -> tuple[int, Json]:
        """Send a request until there is an answer to it."""
        patience = Patience(self.server, self.patience_s)
        while True:
            least = 0.0
            try:
                self._http.cookies.clear()
                got = self._http.request(call.method, call.path, json=call.body, headers=self.headers() | call.headers)
                if got.status_code not in AGAIN or patience.over:
                    return got.status_code, calls.read(got.content)
                least = float(got.headers.get("Retry-After", 0))
            except httpx.TransportError as error:
                patience.check(error)
            time.sleep(patience.next_s(least))

    def get(self, path: str) -> Json:
        return self._good(*self.send(Call("GET", path)))

    def post(self, path: str, body: Json, **headers: str) -> Json:
        return self._good(*self.send(Call("POST", path, body, headers)))

    def _good(self, status: int, data: Json) -> Json:
        if status >= 300:
            raise calls.problem(status, data)
        return data

    def hand(self, table: str) -> Hand | None:
        """This person's hand in the dice of a table; None for who gives none."""
        if self._hands is None:
            return None
        if table not in self._hands:
            self._hands[table] = Hand(self, table, self._folder)
        return self._hands[table]

    # --- Coming in ----------------------------------------------------------------------------------------------------

    def practice(
        self, house: str = "adelaide", *, name: str = "Guest", notice: str = "", buyin: Money | None = None
    ) -> ClientTable:
        """Open a practice table and sit down at it."""
        arrival = self._good(*self.send(calls.practice(house, name, notice, buyin)))
        self.token = arrival["token"] or self.token
        return ClientTable(self, arrival["table"]["table"])

    def sign_in(self, name: str, password: str) -> None:
        """Sign in with an account."""
        self.token = self.post("/sessions", {"name": name, "password": password})["token"]

    def come(self, name: str, link: str) -> ClientTable:
        """Come to a table as a guest, by its link."""
        arrival = self.post("/guests", {"name": name, "link": link})
        self.token = arrival["token"]
        return ClientTable(self, arrival["table"])

    def table(self, name: str) -> ClientTable:
        """A table by its name."""
        return ClientTable(self, name)

    def lobby(self) -> list[Json]:
        """The tables that are open to everybody."""
        tables: list[Json] = self.get("/lobby")["list"]
        return tables


class ClientTable:
    """A live table, from afar. Amounts that are handed in are money; a refusal is a value."""

    def __init__(self, client: Client, name: str) -> None:
        self.client, self.name = client, name

    def act(self, kind: str, *, key: str | None = None, approval: str | None = None, **fields: Any) -> Answer | Refusal:  # noqa: ANN401 - whatever the act says
        """Ask for any act: `act("command.bet", wager="pass", amount=1000)`, amounts in grains."""
        call, hand = calls.act(self.name, kind, fields, key, approval), self.client.hand(self.name)
        if hand is not None and kind in ("command.bet", "command.leave"):
            hand.give() if kind == "command.bet" else hand.take_off()
        if hand is not None:
            hand.asks(call.headers["Idempotency-Key"])
        status, data = self.client.send(call)
        waits = Patience(self.client.server, 0)
        while status == ACCEPTED:  # the dice wait for the values of hands: ours, or others'
            if hand is not None:
                hand.show()
            time.sleep(waits.next_s() / 5)
            status, data = self.client.send(call)
        if hand is not None:
            hand.answered(data)
        return calls.answered(status, data)

    def sit(self, buyin: Money) -> Answer | Refusal:
        return self.act("command.sit", buyin=cents(buyin, "buyin"))

    def bet(self, wager: str, amount: Money) -> Answer | Refusal:
        """Put chips up, or more of them."""
        return self.act("command.bet", wager=wager, amount=cents(amount))

    def take(self, wager: str, leave: Money = 0) -> Answer | Refusal:
        """Take a wager down, or down to what is left."""
        return self.act("command.take", wager=wager, leave=cents(leave, "leave") if leave else 0)

    def roll(self) -> Answer | Refusal:
        """Roll the dice that the house draws."""
        return self.act("table.roll")

    def leave(self) -> Answer | Refusal:
        """Leave with what is on the rail."""
        return self.act("command.leave")

    def look(self) -> View:
        """The table as it stands."""
        return calls.viewed(self.client.get(f"/tables/{self.name}"))

    def seat(self) -> Json:
        """Your own view: every spot with its price and whether it can be bet now."""
        return self.client.get(f"/tables/{self.name}/seat")

    def events(self, after: int | None = None, *, idle_s: float = math.inf) -> Iterator[StreamedEntry]:
        """Every entry after one (else from now on), each once, also over a cut line or a restart of the server.

        It ends where nothing was written for `idle_s`.
        """
        at, since = self.look().sequence if after is None else after, time.monotonic()
        while True:
            for event in self._stream(at):
                if event is not None and event.sequence == at + 1:
                    yield event
                    at, since = event.sequence, time.monotonic()
                elif time.monotonic() - since > idle_s:
                    return

    def _stream(self, after: int) -> Iterator[StreamedEntry | None]:
        """One stream until it ends, line by line; a server that is away is waited for."""
        patience, connected = Patience(self.client.server, self.client.patience_s), False
        path, headers = f"/tables/{self.name}/events", self.client.headers() | {"Last-Event-ID": str(after)}
        while True:
            try:
                with self.client._http.stream("GET", path, headers=headers, timeout=STREAM_S) as got:  # noqa: SLF001 - the same package
                    if got.status_code == 200:
                        events, connected = Events(), True
                        yield from map(events.line, got.iter_lines())
                        return
                    if got.status_code not in AGAIN:
                        raise calls.problem(got.status_code, calls.read(got.read()))
            except httpx.TransportError:
                if connected:  # a line that is cut after an evening: a server that is away is waited for anew
                    return
            patience.check()
            time.sleep(patience.next_s())


STREAM_S = 40.0
"""A stream that says nothing for longer is a line that was cut: it beats every five seconds."""
