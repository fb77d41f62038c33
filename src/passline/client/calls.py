"""What is sent to a server and what comes back, without sending anything: the same for both clients."""

from __future__ import annotations

import json
import secrets
import time
from dataclasses import dataclass, field
from typing import Any, NamedTuple, cast

from passline.codec import from_data
from passline.engine.events import Event
from passline.engine.refusals import Refusal
from passline.engine.values import Roll
from passline.errors import ServiceError
from passline.files.amounts import Money, cents

ACCEPTED = 202
"""The bets are closed, and there is no roll yet."""

AGAIN = frozenset((429, 502, 503, 504))
"""What is asked again, under the same key."""

WAIT_S, WAIT_MAX_S = 0.1, 2.0
"""How long one waits before asking again: at first, and at most."""

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Call:
    """One request; what changes something has a key, so that it can be sent again."""

    method: str
    path: str
    body: Json | None = None
    headers: dict[str, str] = field(default_factory=dict)


class Answer(NamedTuple):
    """What was done: the entry of the journal."""

    sequence: int
    kind: str
    entry: Json

    @property
    def events(self) -> tuple[Event, ...]:
        """What happened, as the engine has it."""
        return tuple(cast("Event", from_data(each)) for each in self.entry["body"].get("events", ()))

    @property
    def dice(self) -> Roll | None:
        """What the dice showed, if they were rolled."""
        dice = self.entry["body"].get("dice")
        return Roll(*dice) if dice else None


class StreamedEntry(NamedTuple):
    """One entry as a stream tells it, with what the dealers say."""

    sequence: int
    kind: str
    entry: Json
    state: Json | None
    said: list[str]

    @property
    def answer(self) -> Answer:
        """The entry as an answer to whoever asked."""
        return Answer(self.sequence, self.kind, self.entry)


class View(NamedTuple):
    """A table as one person sees it; `position` is the whole of it on a line."""

    table: str
    sequence: int
    house: str
    position: str
    seat: int | None
    roles: list[str]
    buyin_max: int | None
    """Up to how many grains chips are bought there; None where they come out of a wallet."""
    state: Json


class Patience:
    """How long a server that is away is waited for: a moment at first, longer each time, and not for ever."""

    def __init__(self, server: str, patience_s: float) -> None:
        self._server, self._until, self._wait = server, time.monotonic() + patience_s, WAIT_S

    @property
    def over(self) -> bool:
        """Whether nobody waits any longer."""
        return time.monotonic() > self._until

    def check(self, why: object = "") -> None:
        """Give up where it is over."""
        if self.over:
            cause = f": {why}" if why else ""
            raise ServiceError(0, "server.away", f"{self._server} cannot be reached{cause}") from None

    def next_s(self, least: float = 0.0) -> float:
        """How long to sleep before the server is asked again."""
        wait = max(self._wait, least)
        self._wait = min(2 * wait, WAIT_MAX_S)
        return wait


def practice(house: str, name: str, notice: str, buyin: Money | None) -> Call:
    """A practice table and a seat at it."""
    body: Json = {"house": house, "name": name, "notice": notice}
    if buyin is not None:
        body["buyin"] = cents(buyin, "buyin")
    return Call("POST", "/practice", body)


def act(table: str, kind: str, fields: Json, key: str | None = None, approval: str | None = None) -> Call:
    """An act at a table, under a key of its own."""
    headers = {"Idempotency-Key": key or secrets.token_hex(12)} | ({"Second-Person": approval} if approval else {})
    body = {name: value for name, value in fields.items() if value is not None}
    return Call("POST", f"/tables/{table}/acts", {"kind": kind, **body}, headers)


def answered(status: int, data: Json) -> Answer | Refusal:
    """The entry, or why the table says no; anything else that is wrong is an error."""
    if status == 200:
        return Answer(data["sequence"], data["kind"], data)
    if status == 409 and "sequence" in data:
        return Refusal(cast("Any", data["code"]), data["detail"], data["clause"], data["seat"])
    raise problem(status, data)


def problem(status: int, data: Json) -> ServiceError:
    """What the server says is wrong."""
    return ServiceError(status, str(data.get("code", "http")), str(data.get("detail", f"the server answered {status}")))


def viewed(data: Json) -> View:
    return View(*(data[name] for name in View._fields))


def read(body: bytes) -> Json:
    """The JSON of an answer; what is none is told as an empty problem."""
    try:
        data = json.loads(body or b"{}")
    except ValueError:
        return {}
    return data if isinstance(data, dict) else {"list": data}


class Events:
    """Server-Sent Events, line by line."""

    def __init__(self) -> None:
        self._fields: dict[str, str] = {}

    def line(self, line: str) -> StreamedEntry | None:
        """Take a line; an entry when it is whole."""
        if line:
            name, _, value = line.partition(":")
            if name:
                self._fields[name] = value.removeprefix(" ")
            return None
        fields, self._fields = self._fields, {}
        if fields.get("event") == "revoked":
            raise ServiceError(401, "token.wrong", "the right to watch this table was taken back")
        if "id" not in fields or "data" not in fields:
            return None
        data = json.loads(fields["data"])
        return StreamedEntry(int(fields["id"]), data["entry"]["kind"], data["entry"], data.get("state"), data["said"])
