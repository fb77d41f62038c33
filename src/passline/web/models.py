"""The shapes of what is sent and answered: strict on the way in, described on the way out."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from passline.floor.sentences import AMOUNT_MAX
from passline.journal.entries import Kind
from passline.pit.people.names import NAME_CHARACTERS_MAX
from passline.pit.people.passwords import CHARACTERS_MAX
from passline.pit.people.powers import Role
from passline.sitting.company import COMPANY_MAX

COUNTDOWN_MIN_S, COUNTDOWN_MAX_S = 5, 300
"""Time enough to bet, and not too long to wait."""

STRICT = ConfigDict(strict=True, extra="forbid", frozen=True)

Name = Annotated[str, Field(min_length=1, max_length=NAME_CHARACTERS_MAX, examples=["Ann"])]
Password = Annotated[str, Field(min_length=1, max_length=CHARACTERS_MAX, examples=["correct horse battery"])]
TableName = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_.-]{0,63}$", examples=["friday"])]
Grains = Annotated[int, Field(ge=1, le=AMOUNT_MAX, examples=[50_000])]
Reason = Annotated[str, Field(min_length=1, max_length=200, examples=["Bob deals tonight"])]
Text = Annotated[str, Field(max_length=60, examples=["place_6"])]
Sign = Annotated[str, Field(max_length=200, description="The table's sign, as a record says it: `min=5 odds=2`.")]


class Asked(BaseModel):
    """A body."""

    model_config = STRICT


class File(Asked):
    """A file that somebody brings along: its name and its text."""

    file: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_-]{0,55}\.toml$", examples=["mine.toml"])]
    text: Annotated[str, Field(max_length=60_000)]


HouseGiven = Annotated[
    Annotated[str, Field(max_length=40, examples=["sydney"])] | File,
    Field(union_mode="left_to_right", description="A house that comes with the program, by its id; or a house file."),
]


class Practice(Asked):
    """A table for oneself; nothing has to be said."""

    name: Name = "You"
    house: HouseGiven = "adelaide"
    notice: Sign = ""
    buyin: Annotated[int, Field(ge=0, le=AMOUNT_MAX)] | None = None
    """Grains to sit down with; the usual if not said, 0 to stand."""
    dice: Literal["fair", "given"] = "fair"
    company: Annotated[int, Field(ge=0, le=COMPANY_MAX)] = 0
    """How many regulars of the house sit down too."""


class Crew(Asked):
    """Who is what at a table."""

    person: Name
    role: Literal["player", "dealer", "stick", "box", "supervisor", "inspector"]


class NewTable(Asked):
    """A table for others too."""

    table: TableName | None = None
    house: HouseGiven = "adelaide"
    notice: Sign = ""
    dice: Literal["fair", "real", "given"] = "fair"
    listed: bool = False
    wallets: bool = False
    countdown: Annotated[int, Field(ge=COUNTDOWN_MIN_S, le=COUNTDOWN_MAX_S)] | None = None
    """After how many seconds the bets are closed; when somebody asks, if not said."""
    staff: Annotated[list[Crew], Field(max_length=20)] = []


class SignIn(Asked):
    """Name and password."""

    name: Name
    password: Password


class NewPassword(Asked):
    """The old password, and another."""

    old: Password
    new: Password


class Guest(Asked):
    """A guest's name, and the link by which they come; without one, to the tables of the lobby."""

    name: Name
    link: Annotated[str, Field(max_length=200)] | None = None


class Invited(Asked):
    """The link that somebody was sent."""

    link: Annotated[str, Field(max_length=200)]


class NewLink(Asked):
    """As what a guest comes by the link."""

    role: Literal["player"] = "player"


class Assent(Asked):
    """What is agreed to: an act of a table, by its kind, and whole where it is about somebody or something."""

    what: Annotated[str, Field(max_length=60, examples=["table.void"])]
    act: dict[str, Any] | None = None
    """The act as it will be asked for; the assent counts for no other."""


class HouseAssent(Asked):
    """What is agreed to: that somebody is given a role, or that it is taken back."""

    person: Name
    role: Role
    table: TableName | None = None
    withdrawn: bool = False


class Grant(Asked):
    """A role, in the whole house or at a table, and why."""

    role: Role
    table: TableName | None = None
    reason: Reason


class CageAct(Asked):
    """Money paid into a wallet or out of it."""

    act: Literal["pay_in", "pay_out"]
    player: Name
    amount: Grains


# --- Answers --------------------------------------------------------------------------------------------------------


class Told(BaseModel):
    """An answer."""


class Free(BaseModel):
    """An answer whose fields nobody has written down yet."""

    model_config = ConfigDict(extra="allow")


class Fault(Told):
    """What is wrong with a file, and where."""

    line: int | None
    path: str
    found: str
    expected: str
    nearest: str | None


class Problem(Free):
    """What went wrong (RFC 9457); a refusal has the table's code, sentence and clause."""

    type: str
    title: str
    status: int
    detail: str
    instance: str
    code: str
    clause: str | None = None
    findings: list[Fault] | None = None
    """What is wrong with a file that was brought along."""


class Welcome(Told):
    """What this is, and where to go on."""

    passline: str
    routes: dict[str, str]


class Health(Told):
    """Whether the process is alive."""

    alive: bool


class Ready(Told):
    """Whether requests should be sent here."""

    ready: bool


class WagerView(Told):
    """Chips on one spot."""

    stake: int
    commission: int
    tokens: int
    call: Literal["on", "off"] | None
    works: bool
    has: list[int] | None


class PlaceView(Told):
    """One player's place."""

    name: str
    rail: int
    tokens: int
    away: bool
    up: dict[str, WagerView]


class StateView(Told):
    """A table as everybody sees it; amounts are grains."""

    puck: int
    phase: str
    shooter: int | None
    offered: int | None
    bets_closed: bool
    closing: bool
    over: Literal["stopped", "closed"] | None
    seats: dict[str, PlaceView]


class LimitsSignView(Told):
    """A sign with limits that will hold."""

    says: str
    at: str
    since: str


class ClosingSignView(Told):
    """A sign that says when the table closes."""

    at: str
    since: str


class TableView(Told):
    """A table whole."""

    table: str
    sequence: int
    house: str
    house_name: str
    dice: Literal["fair", "real", "given"]
    grain: int
    chips: list[int]
    sign: str
    notice: dict[str, Any]
    buyin: int
    """What somebody usually sits down with, in grains."""
    buyin_max: int | None
    """Up to how many grains chips are bought here; null where they come out of a wallet, which has what it has."""
    position: str
    state: StateView
    seat: int | None
    """Where whoever asks sits."""
    roles: list[str]
    """As what whoever asks may act here."""
    company: int
    """How many regulars of the house play here."""
    countdown: int
    """After how many seconds the bets are closed; 0: when somebody asks."""
    closes_at: str | None
    """When the bets are closed, if nothing more happens."""
    now: str
    """The time by the house's clock."""
    limits_sign: LimitsSignView | None
    closing_sign: ClosingSignView | None


class EntryView(Told):
    """An entry of the journal: docs/journal.md."""

    table: str
    sequence: int
    kind: Kind
    actor: str
    role: str
    key: str | None
    time: str
    hash: str
    body: dict[str, Any]


class RollView(Told):
    """One roll of somebody's, told again."""

    sequence: int
    time: str
    kind: str
    reason: str | None
    roll: int | None
    dice: list[int] | None
    puck: int
    seat: int
    up: dict[str, int]
    events: list[dict[str, Any]]
    funds_before: int
    funds_after: int


class Arrived(Told):
    """Somebody new, with the token that they are known by; it is told once."""

    person: str
    name: str
    token: str


class PracticeView(Arrived):
    """A practice table, with a seat at it."""

    table: TableView


class Listed(Told):
    """A table in the lobby."""

    table: str
    house: str
    house_name: str
    host: str
    sign: str
    dice: str
    seats: int
    puck: int


class OpenTable(Told):
    """A table that somebody opened and nobody closed."""

    table: str
    house: str
    opened: str
    practice: bool


class Me(Told):
    """One's own account."""

    person: str
    name: str
    guest: bool
    roles: list[str]
    tables: list[str]
    open: list[OpenTable]
    seated: list[OpenTable]
    """Tables of others at which one has a seat."""
    wallet: int
