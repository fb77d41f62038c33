"""Everything that can be asked of a table: the engine's commands and the live table's own acts, strictly modelled.

A model is made from each command as the codec knows it, so that a new command needs nothing here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from functools import reduce
from hashlib import sha256
from operator import or_
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Annotated, Any, Literal, NewType, Union, get_args, get_origin

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, create_model

from passline.codec import from_data
from passline.codec.lines import KINDS, WIRE_NAMES, version_of
from passline.codec.shapes import typed_fields
from passline.engine.values import CENTS, Roll, money
from passline.errors import RoleError
from passline.floor.commands import HouseCommand
from passline.floor.names import folded
from passline.floor.sentences import AMOUNT_MAX
from passline.journal.entries import canonical, read_entry
from passline.pit.live import HOUSE_FLOOR
from passline.pit.people.people import By
from passline.pit.people.powers import may, of_act
from passline.pit.plans import Ask
from passline.pit.rulings import ruled_by
from passline.web.problems import Problem

if TYPE_CHECKING:
    from passline.pit.pit import Pit
    from passline.pit.table import LiveTable
    from passline.web import models as m
    from passline.web.who import Asker

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


OWN = (RollDice, CloseBets, ReadDice, Void, Correct, CommitSeed, RevealSeed, EndEpoch, CloseForGood)

# --- The engine's commands ------------------------------------------------------------------------------------------

BUYS = {"command.sit": "buyin", "command.buy_in": "amount"}
"""What chips are bought with, and the field that says how many."""

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

FOR_THE_HOUSE = frozenset(WIRE_NAMES[each] for each in get_args(HouseCommand))
"""What no table is asked for: the floor of the house decides it."""


def kind_of(model: type[Act]) -> str:
    """The wire name of an act."""
    return str(get_args(model.model_fields["kind"].annotation)[0])


def check_kind(what: str) -> None:
    """Refuse to agree to what nobody can ask for, and say what there is."""
    kinds = sorted(kind_of(each) for each in MODELS)
    if what not in kinds:
        two = ", ".join(kind for kind in kinds if of_act(kind).people > 1)
        raise Problem(422, "act.unknown", f"There is no such act; two people do {two}.")


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


def role_in(pit: Pit, table: LiveTable, person: str, kind: str, named: int | None = None) -> str | None:
    """As what somebody asks for this; nobody does for another, at the seat that is named, what only they may."""
    seat = pit.seat_of(table, person)
    own = kind == "command.sit" or (seat is not None and named in (None, seat))
    if kind == "table.roll":
        own = pit.throws(table, person)
    return may(of_act(kind), pit.standing(person, table.name, own=own), as_most=kind.startswith("floor."))


# --- Agreeing -------------------------------------------------------------------------------------------------------

WHOLE = frozenset(
    ("table.void", "table.correct", "floor.exclude", "floor.readmit", "floor.invalidate", "floor.sanction")
)
"""What is decided about somebody or something: who agrees to it says to what, whole."""


def bound(act: Act) -> str:
    """The words of an assent to one act and no other: its kind, and the digest of its body."""
    body = act.model_dump(mode="json")
    return f"{body['kind']} sha256:{sha256(canonical(body)).hexdigest()}"


def agreed_to(asked: m.Assent) -> str:
    """What somebody agrees to, as the assent keeps it."""
    if asked.act is None:
        if asked.what in WHOLE:
            raise Problem(422, "assent.whole", "Send the whole act that you agree to, as `act`.")
        return asked.what
    try:
        act = TypeAdapter[Act](AnyAct).validate_json(canonical(asked.act))
    except ValueError:
        raise Problem(422, "body.unreadable", "`act` is not an act as it is sent to be done.") from None
    if act.kind != asked.what:  # type: ignore[attr-defined]
        raise Problem(422, "body.unreadable", "`act` is of another kind than `what`.")
    return bound(act)


# --- Asking ---------------------------------------------------------------------------------------------------------


class Asking:
    """One act of one person at one table: who may, as what, and how the table is asked."""

    def __init__(self, pit: Pit, asker: Asker, act: Act, key: str, assent: str | None) -> None:
        """Keep what was asked."""
        self.pit, self.asker, self.act, self.assent = pit, asker, act, assent
        self.kind: str = act.kind  # type: ignore[attr-defined]
        self.person = asker.known()
        self.key = f"{self.person.id}/{key}"

    def __call__(self, table: LiveTable) -> bytes:
        """Ask; the answer is the entry, as it is kept."""
        seat, role = self._standing(table)
        if (seat is None or role is None) and self.pit.journal.shared:
            table.catch_up()  # what another process wrote a moment ago
            seat, role = self._standing(table)
        if role is None:
            power = of_act(self.kind)
            self.pit.attempts.count("power refused", self.person.id, self.pit.now())
            self._check_seat(table)
            raise Problem(403, "power.missing", f"Not with your role. {power.says}", power=power.name)
        if table.name != HOUSE_FLOOR and role != "player" and self.person.id in self.pit.barred():
            raise Problem(403, "floor.barred", f"{self.person.name} may not play here, nor keep a table.")
        if table.name != HOUSE_FLOOR and self.kind in FOR_THE_HOUSE:
            raise Problem(409, "floor.house_wide", "This is for the whole house: ask it of the floor, at /floor/acts.")
        ask = Ask(self.person.id, role, self.key, self.pit.now())
        try:
            return DOES.get(type(self.act), Asking._command)(self, table, seat, ask)
        except RoleError:
            self.pit.attempts.count("second person refused", self.person.id, ask.time)
            raise

    def _standing(self, table: LiveTable) -> tuple[int | None, str | None]:
        """Where whoever asks sits, and as what they may."""
        role = role_in(self.pit, table, self.person.id, self.kind, getattr(self.act, "seat", None))
        return self.pit.seat_of(table, self.person.id), role

    def _check_seat(self, table: LiveTable) -> None:
        """Say that it is another's seat, where nothing else keeps somebody from it."""
        named: int = getattr(self.act, "seat", None) or 0
        of = table.live.table.seats.get(named)
        mine = self.pit.standing(self.person.id, table.name, own=True)
        if of is not None and self.pit.owner(table, named) != self.person.id and may(of_act(self.kind), mine):
            raise Problem(403, "table.other_seat", f"Seat {named} is {of.name}'s: you play at your own.", seat=named)

    def _second(self, table: LiveTable, ask: Ask) -> str:
        """Who agrees: another person, who may do the same, now."""
        line = table.journal.under_key(table.name, ask.key)
        if line is not None:  # asked again: whoever agreed then
            return _agreed(read_entry(line).body)
        if not self.assent:
            raise Problem(403, "assent.missing", "Two people decide this: send a second person's assent.")
        words = (bound(self.act),) if self.kind in WHOLE else (bound(self.act), self.kind)
        return self.pit.people.use(self.assent, By(ask.actor, ask.role, ask.time), table.name, *words)

    def _command(self, table: LiveTable, seat: int | None, ask: Ask) -> bytes:
        """A command of the engine's, with what went without saying."""
        data = self.act.model_dump(mode="json")
        state = table.live.table
        if "seat" in data and data["seat"] is None:
            data["seat"] = seat if self.kind != "command.sit" or seat is not None else _free(state.seats)
            if data["seat"] is None:
                raise Problem(409, "seat.none", "You do not sit at this table.")
        if self.kind == "command.sit" and data["name"] is None:
            data["name"] = self.person.name
        if self.kind == "command.sit" and data["name"] != self.person.name:
            raise Problem(403, "seat.name", f"You are known as {self.person.name} here.")
        if self.kind == "command.sit" and not 1 <= data["seat"] <= SEATS_MAX:
            raise Problem(422, "seat.none", f"Seats have the numbers 1 to {SEATS_MAX}.")
        if "second" in data:  # nobody says for another that they agree
            data["second"] = self._second(table, ask) if self.assent or _is_kept(table, ask) else ""
        if (
            ask.role == "player"
            and self.kind.startswith("floor.")
            and folded(data.get("person", ""))
            not in (
                "",
                self.person.id,
            )
        ):
            raise Problem(403, "person.other", "A player speaks for themselves.")
        if isinstance(notice := data.get("notice"), dict) and notice.get("kind") == "notice":  # as GET shows it
            data["notice"] = {name: value for name, value in notice.items() if name not in ("kind", "v")}
        reason = data.pop("reason") if self.kind == FOUND else ""
        self._check_chips(table, data)
        self._check_by(table, data.get("by"))
        self._check_there(table, data)
        if self.kind == "floor.review_dispute" and self.person.id in ruled_by(
            table.journal, table.name, data["dispute"]
        ):
            raise Problem(403, "person.own", "Nobody reviews a ruling of their own: another person does.")
        command = from_data({**data, "v": version_of(self.kind)})
        return table.do(command, ask, self.pit.cage(table.name), reason)  # type: ignore[arg-type]

    def _check_chips(self, table: LiveTable, data: dict[str, Any]) -> None:
        """Play money costs nothing, and nobody needs more of it than any sign asks for."""
        asked, most = data.get(BUYS.get(self.kind, "")), self.pit.chips_max(table)
        seat = table.live.table.seats.get(data.get("seat", 0))
        if asked is not None and most is not None:
            check_chips(asked, most, 0 if seat is None else seat.rail)

    def _check_by(self, table: LiveTable, by: object) -> None:
        """Who confirmed something is who says so: nobody speaks for a role that is not theirs."""
        said = [] if by is None else by if isinstance(by, list) else [by]
        roles = self.pit.people.roles(self.person.id, table.name)
        if any(each not in roles for each in said):
            raise Problem(403, "power.missing", "You do not hold the role that this is said to be confirmed by.")

    def _check_there(self, table: LiveTable, data: dict[str, Any]) -> None:
        """Who is told as an inspector is one, where there are any; who comes on duty works here as the title says.

        Who works at a table for the house's money does not sit down at it.
        """
        people, titles = self.pit.people, table.layout.book.floor.titles
        hosted = people.hosted.get(table.name)
        if hosted is not None and hosted.practice:
            return  # who practises alone is everybody
        works_as = sorted(people.roles(self.person.id, table.name) & {"dealer", "stick", "box"})
        if self.kind == "command.sit" and hosted is not None and hosted.wallets and works_as:
            says = f"You are {works_as[0]} at this table for the house's money, and do not play at it."
            raise Problem(409, "floor.on_duty", says)
        if self.kind == "floor.tell_inspector":
            who, role = data["inspector"], "inspector"
            if not any(role in people.roles(each, table.name) for each in tuple(people.persons)):
                return
        elif self.kind == "floor.come_on_duty" and data["title"] in titles:
            who, role = data["person"], titles[data["title"]].value.role
        else:
            return
        if role not in people.roles(folded(who), table.name):
            raise Problem(
                409, "person.unknown", f"Nobody here called {who} is {role}: name somebody who holds the role."
            )

    def _read(self, table: LiveTable, _seat: int | None, ask: Ask) -> bytes:
        assert isinstance(self.act, ReadDice)
        return table.read_dice(Roll(*self.act.dice), ask)

    def _commit(self, table: LiveTable, _seat: int | None, ask: Ask) -> bytes:
        assert isinstance(self.act, CommitSeed)
        return table.commit_seed(self.act.epoch, bytes.fromhex(self.act.commitment), ask)

    def _reveal(self, table: LiveTable, _seat: int | None, ask: Ask) -> bytes:
        assert isinstance(self.act, RevealSeed)
        return table.reveal_seed(self.act.epoch, bytes.fromhex(self.act.seed), ask)

    def _void(self, table: LiveTable, _seat: int | None, ask: Ask) -> bytes:
        assert isinstance(self.act, Void)
        return table.void(self.act.reason, self._second(table, ask), ask, returned=self.act.returned)

    def _correct(self, table: LiveTable, _seat: int | None, ask: Ask) -> bytes:
        assert isinstance(self.act, Correct)
        return table.correct(self.act.reverses, self.act.reason, self._second(table, ask), ask)

    def _end_epoch(self, table: LiveTable, _seat: int | None, ask: Ask) -> bytes:
        table.rotate(ask.time)
        return next(iter(table.journal.lines(table.name, table.head.sequence - 1)))

    def _close(self, table: LiveTable, _seat: int | None, ask: Ask) -> bytes:
        if table.live.over is None:
            of = self.pit.people.hosted.get(table.name)
            return table.close(ask.time, ask, hosted=of is not None and not of.practice)
        return next(iter(table.journal.lines(table.name, table.head.sequence - 1)))


def check_chips(asked: int, most: int, has: int = 0) -> None:
    """Refuse to sell more chips than anybody has, where they cost nothing."""
    if has + asked > most:
        up_to, there = money(most, CENTS), money(has, CENTS)
        detail = f"Chips cost nothing here, and are bought up to {up_to} on one's rail; there are {there} on yours."
        raise Problem(409, "buyin.limit", detail, buyin_max=most)


def _is_kept(table: LiveTable, ask: Ask) -> bool:
    return table.journal.under_key(table.name, ask.key) is not None


def _agreed(body: dict[str, Any]) -> str:
    """The second person of an entry: of an act that was done, or of one that was refused."""
    asked = body.get("asked")
    parts = [body.get("command"), *(asked.values() if isinstance(asked, dict) else ())]
    said = [each.get("second") for each in parts if isinstance(each, dict)]
    people = body.get("people") or ()
    return next(filter(None, said), "") or next(iter(people[1:]), "")


SEATS_MAX = 20
"""A tub has no more places."""


def _free(seats: Mapping[int, object]) -> int | None:
    return next((number for number in range(1, SEATS_MAX + 1) if number not in seats), None)


DOES: dict[type[Act], Callable[[Asking, LiveTable, int | None, Ask], bytes]] = {
    RollDice: lambda _, table, _seat, ask: table.roll(ask),
    CloseBets: lambda _, table, _seat, ask: table.close_bets(ask),
    ReadDice: Asking._read,  # noqa: SLF001 - it is this module's
    Void: Asking._void,  # noqa: SLF001 - as above
    Correct: Asking._correct,  # noqa: SLF001 - as above
    CommitSeed: Asking._commit,  # noqa: SLF001 - as above
    RevealSeed: Asking._reveal,  # noqa: SLF001 - as above
    EndEpoch: Asking._end_epoch,  # noqa: SLF001 - as above
    CloseForGood: Asking._close,  # noqa: SLF001 - as above
}
"""How each act of the live table's own is asked; everything else is a command."""
