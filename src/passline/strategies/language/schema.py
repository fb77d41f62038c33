"""A strategy file as strict models."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from passline.strategies.language.strategy import End, Growth, Move

Id = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$", max_length=60)]
"""A short name: small letters, digits and underscores."""

Text = Annotated[str, Field(min_length=1, max_length=2000)]
"""Words."""

Said = Annotated[int, Field(ge=0, le=1_000_000)] | Annotated[str, Field(min_length=1, max_length=2000)]
"""A number of units, or text that says how much."""

Positive = Annotated[int, Field(ge=1, le=1_000_000_000)]
"""A number of things, at least one."""

Names = Annotated[tuple[Id, ...], Field(max_length=100)]
"""Wagers or families of wagers."""


class StrictTable(BaseModel):
    """A table of the file: no key that is not listed, no text where a number belongs."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class WantTable(StrictTable):
    """What should be up, and when."""

    when: Text = "always"
    up: Annotated[dict[Id, Said], Field(max_length=100)] = Field(default_factory=dict)
    down: Names = ()
    on: Names = ()
    off: Names = ()
    skip: Literal["point"] | None = None


class CountTable(StrictTable):
    """A number the strategy keeps."""

    when: Text
    down: Text | None = None
    reset: Text | None = None
    start: Annotated[int, Field(ge=0, le=1_000_000)] = 0
    most: Positive | None = None


class StageTable(StrictTable):
    """One stage: what leads on, and what leads back."""

    name: Id
    on: Text | None = None
    back: Text | None = None


class ProgressionTable(StrictTable):
    """Stakes that move with wins and losses: a ladder of steps, or a line to be crossed off."""

    of: Id
    steps: Annotated[tuple[Said, ...], Field(min_length=1, max_length=200)] | Growth | None = None
    line: Annotated[tuple[Positive, ...], Field(min_length=1, max_length=50)] | None = None
    won: Move = "start over"
    lost: Move = "next"
    end: End = "start over"
    reset: Text | None = None
    goal: Said | None = None
    each: bool = False


class EndsTable(StrictTable):
    """When the evening is over; money in units."""

    rolls: Positive | None = None
    hands: Positive | None = None
    stop_win: Said | None = None
    stop_loss: Said | None = None
    when: Text | None = None


class StrategyFile(StrictTable):
    """The whole file."""

    id: Id | None = None
    name: Text
    description: Text
    source: Text = "The author of this file."
    unit: Said = 1
    include: Annotated[tuple[Id, ...], Field(max_length=20)] = ()
    parameters: Annotated[dict[Id, Said], Field(max_length=20)] = Field(default_factory=dict)
    stage: Annotated[tuple[StageTable, ...], Field(max_length=20)] = ()
    want: Annotated[tuple[WantTable, ...], Field(max_length=200)] = ()
    count: Annotated[dict[Id, CountTable], Field(max_length=20)] = Field(default_factory=dict)
    progression: Annotated[dict[Id, ProgressionTable], Field(max_length=20)] = Field(default_factory=dict)
    ends: EndsTable = EndsTable()
