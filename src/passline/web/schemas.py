"""The bodies that are sent, strictly read, and the answers that several routes share.

A route returns a record, and the record's type is its schema: nothing is described a second time.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from types import MappingProxyType
from typing import Annotated, Any, Literal, TypeVar, dataclass_transform

from fastapi import Body
from pydantic import BaseModel, ConfigDict, Field

from passline.journal.contract import Kind
from passline.live.refusals import AMOUNT_MAX
from passline.pit.people.names import NAME_CHARACTERS_MAX
from passline.sitting.company import COMPANY_MAX

COUNTDOWN_MIN_S, COUNTDOWN_MAX_S = 5, 300  # Time enough to bet, and not too long to wait

Name = Annotated[str, Field(min_length=1, max_length=NAME_CHARACTERS_MAX, examples=["Ann"])]
TableName = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_.-]{0,63}$", examples=["friday"])]
Sign = Annotated[str, Field(max_length=200, description="The table's sign, as a record says it: `min=5 odds=2`.")]

T = TypeVar("T")


@dataclass_transform(frozen_default=True, kw_only_default=True)
def record(cls: type[T]) -> type[T]:
    """A frozen record whose fields are named where it is made; its schema is made when it is first answered."""
    made = dataclass(frozen=True, slots=True, kw_only=True)(cls)
    made.__pydantic_config__ = ConfigDict(defer_build=True)  # type: ignore[attr-defined]
    return made


def view(cls: type[T], *sources: object, **more: object) -> T:
    """A record with `more`, and the fields that its sources have by the same names: the first that has one."""
    names: Iterable[str] = cls.__dataclass_fields__  # type: ignore[attr-defined]
    for name in (each for each in names if each not in more):
        value = getattr(next(each for each in sources if hasattr(each, name)), name)
        more[name] = dict(value) if isinstance(value, MappingProxyType) else value
    return cls(**more)


def example(title: str, /, **fields: object) -> Any:  # noqa: ANN401 - as `Body` is typed
    """A body, with an example of it."""
    return Body(openapi_examples={title: {"value": fields}})


class RequestBody(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class File(RequestBody):
    """A file that somebody brings along: its name and its text."""

    file: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_-]{0,55}\.toml$", examples=["mine.toml"])]
    text: Annotated[str, Field(max_length=60_000)]


HouseGiven = Annotated[
    Annotated[str, Field(max_length=40, examples=["sydney"])] | File,
    Field(union_mode="left_to_right", description="A house that comes with the program, by its id; or a house file."),
]


class Practice(RequestBody):
    """A table for oneself; nothing has to be said."""

    name: Name = "Guest"
    house: HouseGiven = "adelaide"
    notice: Sign = ""
    # Minor units to sit down with; the usual if not said, 0 to stand.
    buyin: Annotated[int, Field(ge=0, le=AMOUNT_MAX)] | None = None
    dice: Literal["fair", "given"] = "fair"
    company: Annotated[int, Field(ge=0, le=COMPANY_MAX)] = 0  # how many regulars of the house sit down too


class Crew(RequestBody):
    person: Name
    role: Literal["player", "dealer", "stick", "box", "supervisor", "inspector"]


class NewTable(RequestBody):
    """A table for others too."""

    table: TableName | None = None
    house: HouseGiven = "adelaide"
    notice: Sign = ""
    dice: Literal["fair", "real", "given"] = "fair"
    listed: bool = False
    wallets: bool = False
    # After how many seconds the bets are closed; when somebody asks, if not said.
    countdown: Annotated[int, Field(ge=COUNTDOWN_MIN_S, le=COUNTDOWN_MAX_S)] | None = None
    staff: Annotated[list[Crew], Field(max_length=20)] = []


class Approval(RequestBody):
    """What is agreed to: an act of a table or of the house, whole as it will be asked for."""

    what: Annotated[str, Field(max_length=60, examples=["table.void"])]
    act: dict[str, Any] | None = None  # the act as it will be asked for; the approval counts for no other


@record
class Fault:
    line: int | None
    path: str
    actual: str
    expected: str
    nearest: str | None


class ProblemDetails(BaseModel):
    """What went wrong (RFC 9457); a refusal has the table's code, sentence and clause."""

    model_config = ConfigDict(extra="allow", title="Problem")

    type: str
    title: str
    status: int
    detail: str
    instance: str
    code: str
    clause: str | None = None
    findings: list[Fault] | None = None  # what is wrong with a file that was brought along


@record
class EntryView:
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


@record
class SignedHeadView:
    table: str
    sequence: int
    hash: str
    time: str
    key: str  # the public key it is signed with, Ed25519, in hexadecimal
    signature: str


@record
class Arrived:
    """Somebody new, with the token that they are known by; it is told once."""

    person: str
    name: str
    token: str


@record
class ApprovalView:
    """A second person's word, which counts once, and what it agrees to."""

    approval: str
    what: str


@record
class ClauseView:
    clause: str
    sentence: str


@record
class Refused:
    code: str
    message: str
    clause: str | None
