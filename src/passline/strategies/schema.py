"""A strategy file as strict models."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

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

Move = Literal["next", "hold", "back", "back 2", "start over"]
"""Where a ladder goes after a decision."""

End = Literal["start over", "hold"]
"""What a progression does past its end."""


class Part(BaseModel):
    """A table of the file: no key that is not listed, no text where a number belongs."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Want(Part):
    """What should be up, and when."""

    when: Text = "always"
    up: Annotated[dict[Id, Said], Field(max_length=100)] = Field(default_factory=dict)
    down: Names = ()
    on: Names = ()
    off: Names = ()
    skip: Literal["point"] | None = None


class Count(Part):
    """A number the strategy keeps."""

    when: Text
    reset: Text | None = None


class Progression(Part):
    """Stakes that move with wins and losses: a ladder of steps, or a line to be crossed off."""

    of: Id
    steps: (
        Annotated[tuple[Said, ...], Field(min_length=1, max_length=200)]
        | Literal["double", "add one", "add half", "fibonacci"]
        | None
    ) = None
    line: Annotated[tuple[Positive, ...], Field(min_length=1, max_length=50)] | None = None
    won: Move = "start over"
    lost: Move = "next"
    end: End = "start over"
    reset: Text | None = None


class Ends(Part):
    """When the evening is over; money in units."""

    rolls: Positive | None = None
    hands: Positive | None = None
    stop_win: Said | None = None
    stop_loss: Said | None = None


class StrategyFile(Part):
    """The whole file."""

    id: Id | None = None
    name: Text
    description: Text
    source: Text = "The author of this file."
    unit: Said = 1
    want: Annotated[tuple[Want, ...], Field(min_length=1, max_length=200)]
    count: Annotated[dict[Id, Count], Field(max_length=20)] = Field(default_factory=dict)
    progression: Annotated[dict[Id, Progression], Field(max_length=20)] = Field(default_factory=dict)
    ends: Ends = Ends()
