"""Everything that can be asked of a table: the engine's commands and the live table's own acts, strictly modelled.

A model is made from each command as the codec knows it, so that a new command needs nothing here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from functools import reduce
from operator import or_
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Annotated, Any, Literal, NewType, Union, get_args, get_origin

from pydantic import BaseModel, ConfigDict, Field, create_model

from passline.codec.lines import KINDS
from passline.codec.shapes import typed_fields
from passline.engine.values import Roll
from passline.floor.register import ACTS
from passline.live.refusals import AMOUNT_MAX

TEXT_MAX = 200
STRICT = ConfigDict(strict=True, extra="forbid", frozen=True)

Whole = Annotated[int, Field(ge=-AMOUNT_MAX, le=AMOUNT_MAX)]
Text = Annotated[str, Field(max_length=TEXT_MAX)]
Face = Annotated[int, Field(ge=1, le=6)]
Dice = Annotated[list[Face], Field(min_length=2, max_length=2)]
Hex = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Reason = Annotated[str, Field(min_length=1, max_length=TEXT_MAX)]


class TwoDice(BaseModel):
    """What two dice show."""

    model_config = STRICT

    first: Face
    second: Face


class Act(BaseModel):
    """Something that is asked of a table."""

    model_config = STRICT


# --- The live table's own -------------------------------------------------------------------------------------------


class RollDice(Act):
    """Roll dice that the house draws: the bets are closed, and then there is a roll."""

    kind: Literal["table.roll"]


class CloseBets(Act):
    """Close the bets; the roll is asked for later, or the dice are thrown by hand."""

    kind: Literal["table.close_bets"]


class ReadDice(Act):
    """Say what real dice show; the roll is what two people say apart."""

    kind: Literal["table.read_dice"]
    dice: Dice


class Void(Act):
    """Declare an announced roll void, with a second person's assent."""

    kind: Literal["table.void"]
    reason: Reason
    returned: bool = False


class Correct(Act):
    """Reverse an entry that was wrong, with a second person's assent."""

    kind: Literal["table.correct"]
    reverses: Annotated[int, Field(ge=1, le=AMOUNT_MAX)]
    reason: Reason


class ReturnChips(Act):
    """Give everybody at a table that was stopped their chips back, with a second person's assent."""

    kind: Literal["table.return_chips"]
    reason: Reason


class CommitSeed(Act):
    """Promise a seed for an epoch of the dice."""

    kind: Literal["table.commit_seed"]
    epoch: Annotated[int, Field(ge=1, le=AMOUNT_MAX)]
    commitment: Hex


class RevealSeed(Act):
    """Show the seed that was promised."""

    kind: Literal["table.reveal_seed"]
    epoch: Annotated[int, Field(ge=1, le=AMOUNT_MAX)]
    seed: Hex


class EndEpoch(Act):
    """End the epoch of the dice: its seed is shown, so that its rolls can be checked, and the next one begins."""

    kind: Literal["table.end_epoch"]


class CloseForGood(Act):
    """Close the table for good, with nothing up; every seed is shown."""

    kind: Literal["table.close"]


OWN = (RollDice, CloseBets, ReadDice, Void, Correct, ReturnChips, CommitSeed, RevealSeed, EndEpoch, CloseForGood)

# --- The engine's commands ------------------------------------------------------------------------------------------

FOUND = "command.find_bet"
"""What puts a player's chips up without the player: whoever does it says why."""

OURS = ("seat", "name")
"""What a player need not say: their own seat (or the first that is free), their own name."""


def _hint(hint: Any) -> Any:  # noqa: ANN401 - a type as an annotation says it
    """A type of the engine's as JSON has it."""
    origin, inside = get_origin(hint), get_args(hint)
    if hint is int:
        return Whole
    if hint is str:
        return Text
    if isinstance(hint, NewType):
        return _hint(hint.__supertype__)
    if hint is Roll:
        return TwoDice
    if is_dataclass(hint) or hasattr(hint, "_fields") or origin is Mapping:
        return dict[str, Any]  # the codec looks inside
    if origin is Annotated:
        return _hint(inside[0])
    if origin in (Union, UnionType):
        return reduce(or_, (_hint(each) for each in inside if each is not NoneType)) | None
    if origin in (tuple, frozenset):
        each = reduce(or_, dict.fromkeys(_hint(part) for part in inside if part is not Ellipsis))
        return Annotated[list[each], Field(max_length=16)]  # type: ignore[valid-type]
    if hint in (bool, NoneType) or origin is Literal:
        return hint
    raise TypeError(f"{hint!r} has no model; give it one in {__name__}")


def _model(kind: str, command: type) -> type[Act]:
    """The model of a command: its fields, those with a default optional, and no others."""
    given: dict[str, Any] = {"kind": (Literal[kind], ...)}
    defaults = {each.name: each.default for each in fields(command)}
    for name, hint in typed_fields(command).items():
        known = defaults[name] is MISSING
        default = ... if known and name not in OURS else None if known else defaults[name]
        shown = _hint(hint)
        if default is None and NoneType not in get_args(shown):
            shown |= None
        given[name] = (shown, default if not isinstance(default, tuple) else list(default))
    if kind == FOUND:
        given["reason"] = (Reason, ...)
    made: type[Act] = create_model(command.__name__, __base__=Act, __doc__=command.__doc__, **given)
    return made


COMMANDS: dict[str, type] = {kind: each for kind, each in KINDS.items() if kind.startswith(("command.", "floor."))}
"""Everything the codec reads that somebody can ask for."""

MODELS: tuple[type[Act], ...] = (*OWN, *(_model(kind, command) for kind, command in COMMANDS.items()))

FOR_THE_HOUSE = frozenset(kind for kind, each in ACTS.items() if each.house_wide)
"""What no table is asked for: the floor of the house decides it."""


def kind_of(model: type[Act]) -> str:
    """The wire name of an act."""
    return str(get_args(model.model_fields["kind"].annotation)[0])


if TYPE_CHECKING:
    AnyAct = Act
    FloorAct = Act
else:
    AnyAct = Annotated[reduce(or_, MODELS), Field(discriminator="kind")]
    """One act, told apart by its kind."""
    _OF_FLOOR = [each for each in MODELS if kind_of(each).startswith("floor.")]
    FloorAct = Annotated[reduce(or_, _OF_FLOOR), Field(discriminator="kind")]
    """One act of the floor."""

EXAMPLES: dict[str, dict[str, Any]] = {
    "sit": {"kind": "command.sit", "buyin": 50_000},
    "bet": {"kind": "command.bet", "wager": "pass", "amount": 1_000},
    "odds": {"kind": "command.bet", "wager": "pass_odds", "amount": 2_000},
    "take down": {"kind": "command.take", "wager": "place_6"},
    "roll": {"kind": "table.roll"},
    "leave": {"kind": "command.leave"},
    "real dice": {"kind": "table.read_dice", "dice": [4, 2]},
    "void": {"kind": "table.void", "reason": "a die fell off the table", "returned": True},
}
