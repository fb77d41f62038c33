"""What a client asks of a server, step by step, without asking: one session, which two small loops carry out."""

from __future__ import annotations

import json
import math
import re
import secrets
import time
from collections.abc import Callable, Coroutine, Generator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial, wraps
from typing import TYPE_CHECKING, Any, Concatenate, Generic, NamedTuple, NoReturn, ParamSpec, TypeVar, cast, overload
from urllib.parse import quote

from passline.codec import from_data
from passline.engine.events import Event
from passline.engine.refusals import Refusal
from passline.engine.values import Roll
from passline.errors import ArgumentError, ArgumentTypeError, ServiceError, short_repr
from passline.files.amounts import Money, cents, whole_number
from passline.files.arguments import figure, instance
from passline.record.arguments import a_wager

if TYPE_CHECKING:
    from passline.client.hands import Hand

ACCEPTED = 202  # the bets are closed, and there is no roll yet
AGAIN = frozenset((429, 502, 503, 504))  # what is asked again, under the same key
ROLL_WAIT_S = 0.5  # how long the stream may take to tell of a roll before the server is asked
WAIT_S, WAIT_MAX_S = 0.1, 2.0  # how long one waits before asking again: at first, and at most

ADDRESS = re.compile(r"https?://[^\s/?#]+(?:/[^\s?#]*)?")
SECONDS = re.compile(r"\d{1,6}(\.\d+)?")

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Call:
    """One request; what changes something has a key, so that it can be sent again."""

    method: str
    path: str
    body: Json | None = None
    headers: dict[str, str] = field(default_factory=dict)

    def request(self, session: ServerCalls[Any]) -> Json:
        """As HTTPX takes it."""
        headers = {name: a_header(name, value) for name, value in (session.headers | self.headers).items()}
        made: Json = {"method": self.method, "url": a_path(self.path), "headers": headers}
        if self.body is not None:
            try:
                made["content"] = json.dumps(self.body, allow_nan=False).encode()
            except (TypeError, ValueError, RecursionError):
                raise ArgumentTypeError("body", short_repr(self.body), "what JSON can say") from None
            headers["Content-Type"] = "application/json"
        return made


def a_header(name: str, value: object) -> str:
    if not isinstance(value, str) or not value.isascii() or not value.isprintable():
        raise ArgumentTypeError(name, short_repr(value), "plain letters, digits and signs on one line")
    return value


def seconds(name: str, value: float) -> float:
    return value if value == math.inf else float(figure(name, value))


def a_path(value: object) -> str:
    if not isinstance(value, str) or not value.startswith("/") or not value.isprintable():
        raise ArgumentTypeError("path", short_repr(value), "a path of this server's, such as /lobby")
    return value


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
    sentences: list[str]
    head: Json | None = None  # the house's signature, where it signed this entry at once

    @property
    def answer(self) -> Answer:
        return Answer(self.sequence, self.kind, self.entry)


class View(NamedTuple):
    """A table as one person sees it; `position` is the whole of it on a line."""

    table: str
    sequence: int
    house: str
    position: str
    seat: int | None
    roles: list[str]
    buyin_max: int | None  # up to how many minor units chips are bought there; None where they come out of a wallet
    state: Json


class Patience:
    """How long a server that is away is waited for: a moment at first, longer each time, and not for ever."""

    def __init__(self, server: str, patience_s: float) -> None:
        self._server, self._until, self._wait = server, time.monotonic() + patience_s, WAIT_S

    @property
    def over(self) -> bool:
        return time.monotonic() > self._until

    def check(self, why: object = "") -> None:
        if self.over:
            cause = f": {why}" if why else ""
            raise ServiceError(0, "server.away", f"{self._server} cannot be reached{cause}") from None

    def next_s(self, least: float = 0.0) -> float:
        """How long to sleep before the server is asked again."""
        wait = max(self._wait, least)
        self._wait = min(2 * wait, WAIT_MAX_S)
        return wait


class Response(NamedTuple):
    """What came back; the status is 0 where the server was not reached, and its data say why."""

    status: int
    data: Data
    wait_s: float = 0.0  # how long the server asks to be left alone


class Data(dict[str, Any]):
    """An object of a server's answer; where a field is missing, it is no server of ours."""

    def __missing__(self, key: str) -> NoReturn:
        raise ServiceError(0, "server.other", f"what answers there is not Passline: there is no {key!r} in its answer")


def response(status: int, body: bytes, wait_s: str = "0") -> Response:
    """What a server answered; what is no JSON is told as an empty problem."""
    data = Data()
    with suppress(ValueError, RecursionError):
        read = json.loads(body or b"{}")
        data = Data(read) if isinstance(read, dict) else Data(list=read)
    return Response(status, data, float(wait_s) if SECONDS.fullmatch(wait_s) else 0.0)  # else it is a date


P = ParamSpec("P")
T = TypeVar("T")
Table = TypeVar("Table")
# What is to be done until there is a T: a call to send, seconds to wait, or work that blocks.
Steps = Generator[Call | float | Callable[[], object], Response, T]


class Waits:
    """One that waits for each answer."""


class Awaits:
    """One that is awaited."""


class Method(Generic[P, T]):
    """Steps as a method: of one that waits, and of one that is awaited."""

    def __init__(self, steps: Callable[Concatenate[Any, P], Steps[T]]) -> None:
        self._steps, self.__doc__ = steps, steps.__doc__

    @overload
    def __get__(self, instance: Waits, owner: type) -> Callable[P, T]: ...
    @overload
    def __get__(self, instance: Awaits, owner: type) -> Callable[P, Coroutine[Any, Any, T]]: ...
    def __get__(self, instance: Any, owner: type) -> Any:
        @wraps(self._steps)
        def done(*args: P.args, **kwargs: P.kwargs) -> Any:  # noqa: ANN401 - what was asked for, or what is awaited
            return instance.run(self._steps(instance, *args, **kwargs))

        return done if instance is not None else self


class ServerCalls(Generic[Table]):
    """One person at one server; asked again by itself, under the same key, while the server is away.

    `Table` is a table there, or what is awaited for one.
    """

    run: Callable[..., Any]

    def __init__(self, server: str, token: str, patience_s: float) -> None:
        expected = "the address of a server, such as http://127.0.0.1:8000"
        if not ADDRESS.fullmatch(instance("server", server, str, expected)):
            raise ArgumentError("server", short_repr(server), expected)
        self.server, self.token = server.rstrip("/"), a_header("token", token)
        self.patience_s = seconds("patience_s", patience_s)

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"} if self.token else {}

    def hand(self, table: str) -> Hand | None:
        """This person's hand in the dice of a table; None for who gives none."""
        raise NotImplementedError

    def table(self, name: str) -> TableCalls:
        raise NotImplementedError

    @Method
    def send(self, call: Call) -> Steps[tuple[int, Json]]:
        """Send a request until there is an answer to it."""
        return _send(self, call)

    @Method
    def get(self, path: str) -> Steps[Json]:
        return _good(self, Call("GET", path))

    @Method
    def post(self, /, path: str, body: Json, **headers: str) -> Steps[Json]:
        return _good(self, Call("POST", path, body, headers))

    @Method
    def sign_in(self, name: str, password: str) -> Steps[None]:
        call = Call("POST", "/sessions", {"name": name, "password": password})
        self.token = (yield from _good(self, call))["token"]

    @Method
    def lobby(self) -> Steps[list[Json]]:
        """The tables that are open to everybody."""
        tables: list[Json] = (yield from _good(self, Call("GET", "/lobby")))["list"]
        return tables

    def practice(
        self,
        house: str = "adelaide",
        *,
        name: str = "Guest",
        notice: str = "",
        buyin: Money | None = None,
        company: int = 0,
    ) -> Table:
        """Open a practice table and sit down at it; `company` is how many regulars of the house do too."""
        body: Json = {"house": house, "name": name, "notice": notice, "company": company}
        body |= {} if buyin is None else {"buyin": cents(buyin, "buyin")}
        return cast("Table", self.run(self._arrive("/practice", body)))

    def come(self, name: str, link: str) -> Table:
        """Come to a table as a guest, by its link."""
        body = {"name": instance("name", name, str, "a name"), "link": instance("link", link, str, "a link to a table")}
        return cast("Table", self.run(self._arrive("/guests", body)))

    def _arrive(self, path: str, body: Json) -> Steps[TableCalls]:
        arrival = yield from _good(self, Call("POST", path, body))
        self.token = arrival["token"] or self.token
        table = arrival["table"]
        return self.table(Data(table)["table"] if isinstance(table, dict) else table)


def _send(session: ServerCalls[Any], call: Call) -> Steps[tuple[int, Json]]:
    patience = Patience(session.server, session.patience_s)
    while True:
        got = yield call
        if not got.status:
            patience.check(got.data["detail"])
        elif got.status not in AGAIN or patience.over:
            return got.status, got.data
        yield patience.next_s(got.wait_s)


def _good(session: ServerCalls[Any], call: Call) -> Steps[Json]:
    status, data = yield from _send(session, call)
    if status >= 300:
        raise problem(status, data)
    return data


# --- At a table -------------------------------------------------------------------------------------------------------


class TableCalls:
    """A live table, from afar. Amounts that are handed in are money; a refusal is a value."""

    client: ServerCalls[Any]
    run: Callable[..., Any]

    def __init__(self, name: str) -> None:
        self.name = instance("name", name, str, "the name of a table")
        self.path = path_of(name)

    @Method
    def act(
        self, /, kind: str, *, key: str | None = None, approval: str | None = None, **fields: object
    ) -> Steps[Answer | Refusal]:
        """Ask for any act: `act("command.bet", wager="pass", amount=1000)`, amounts in minor units."""
        return _act(self, kind, fields, key, approval)

    @Method
    def sit(self, buyin: Money) -> Steps[Answer | Refusal]:
        return _act(self, "command.sit", {"buyin": cents(buyin, "buyin")})

    @Method
    def bet(self, wager: str, amount: Money) -> Steps[Answer | Refusal]:
        """Put chips up, or more of them."""
        return _act(self, "command.bet", {"wager": a_wager(wager), "amount": cents(amount)})

    @Method
    def take(self, wager: str, leave: Money = 0) -> Steps[Answer | Refusal]:
        """Take a wager down, or down to what is left."""
        return _act(self, "command.take", {"wager": a_wager(wager), "leave": cents(leave, "leave")})

    @Method
    def roll(self) -> Steps[Answer | Refusal]:
        """Roll the dice that the house draws."""
        return _act(self, "table.roll", {})

    @Method
    def leave(self) -> Steps[Answer | Refusal]:
        """Leave with what is on the rail."""
        return _act(self, "command.leave", {})

    @Method
    def look(self) -> Steps[View]:
        """The table as it stands."""
        data = yield from _good(self.client, Call("GET", self.path))
        return View(*(data[name] for name in View._fields))

    @Method
    def seat(self) -> Steps[Json]:
        """Your own view: every spot with its price and whether it can be bet now."""
        return _good(self.client, Call("GET", f"{self.path}/seat"))


CONTRADICTED = Refusal(
    "dice.contradicted", "The house contradicts itself, so this program bets no more here; one without a hand would."
)


def path_of(table: str) -> str:
    return f"/tables/{quote(table, safe='')}"


def act_call(
    table: str, kind: str, fields: Mapping[str, object], key: str | None = None, approval: str | None = None
) -> Call:
    """An act at a table, under a key of its own."""
    headers = {"Idempotency-Key": key or secrets.token_hex(12)} | ({"Second-Person": approval} if approval else {})
    body = {name: value for name, value in fields.items() if value is not None}
    return Call("POST", f"{path_of(table)}/acts", {"kind": kind, **body}, headers)


def _prepare(hand: Hand, kind: str, key: str) -> Steps[bool]:
    """Have a hand on before chips go up, and off before leaving; whether the house's word is no good for a bet."""
    if kind == "command.bet":
        yield hand.give
    elif kind == "command.leave":
        yield hand.retire
    yield partial(hand.asks, key)
    return kind == "command.bet" and hand.is_broken


def _act(
    table: TableCalls, kind: str, fields: Mapping[str, object], key: str | None = None, approval: str | None = None
) -> Steps[Answer | Refusal]:
    key = key or secrets.token_hex(12)
    instance("kind", kind, str, "the name of an act, such as 'command.bet'")
    call, hand = act_call(table.name, kind, fields, key, approval), table.client.hand(table.name)
    if hand is not None and (yield from _prepare(hand, kind, key)):
        return CONTRADICTED
    status, data = yield from _send(table.client, call)
    while status == ACCEPTED:  # the dice wait for the values of hands: ours, or others'
        if hand is None:
            yield WAIT_S
        else:
            yield partial(hand.wait_for_roll, ROLL_WAIT_S)
            if hand.last_roll.get("key") == f"{hand.person}/{key}":
                status, data = 200, hand.last_roll
                break
        status, data = yield from _send(table.client, call)
    if hand is not None:
        yield partial(hand.answered, data)
    if status == 200:
        return Answer(data["sequence"], data["kind"], data)
    if status == 409 and "sequence" in data:
        return Refusal(cast("Any", data["code"]), data["detail"], data["clause"], data["seat"])
    raise problem(status, data)


def problem(status: int, data: Json) -> ServiceError:
    return ServiceError(status, str(data.get("code", "http")), str(data.get("detail", f"the server answered {status}")))


STREAM_S = 40.0  # a stream that says nothing for longer is a line that was cut: it beats every five seconds


class Events:
    """The entries of a table from Server-Sent Events: each once, in order, over lines that are cut."""

    def __init__(self, table: TableCalls, after: int, line: Callable[[bool], object] = lambda _open: None) -> None:
        """After an entry; `line` hears when the line is open, and when it is cut."""
        self._session, self._path, self._line = table.client, f"{table.path}/events", line
        self._at = whole_number("after", after, least=0)
        self._fields: dict[str, str] = {}
        self._patience = Patience(table.client.server, table.client.patience_s)
        self._was_open = False

    def request(self) -> Json:
        """What is asked for, as HTTPX takes it."""
        self._fields = {}
        named = self._session.headers | {"Last-Event-ID": str(self._at)}
        return {"method": "GET", "url": self._path, "headers": named, "timeout": STREAM_S}

    def is_open(self, status: int) -> bool:
        self._was_open = status == 200
        if self._was_open:
            self._line(True)  # noqa: FBT003 - whether it is open
        return self._was_open

    def wait_s(self) -> float:
        """How long to wait before the line is opened again; one that is cut after an evening is waited for anew."""
        self._line(False)  # noqa: FBT003 - whether it is open
        if self._was_open:
            self._patience, self._was_open = Patience(self._session.server, self._session.patience_s), False
        self._patience.check()
        return self._patience.next_s()

    def line(self, line: str) -> StreamedEntry | None:
        """Take a line; an entry when it is whole, and the next."""
        if line:
            name, _, value = line.partition(":")
            if name:
                self._fields[name] = value.removeprefix(" ")
            return None
        fields, self._fields = self._fields, {}
        if fields.get("event") == "revoked":
            raise ServiceError(401, "token.wrong", "the right to watch this table was taken back")
        if fields.get("id") != str(self._at + 1) or "data" not in fields:
            return None
        self._at += 1
        data = Data(json.loads(fields["data"]))
        entry = data["entry"]
        return StreamedEntry(self._at, entry["kind"], entry, data.get("state"), data["sentences"], data.get("head"))
