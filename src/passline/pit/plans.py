"""What is written when somebody asks a live table for something: pure, so that a loser of a race can plan again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from passline.cage.books import Posting, booked
from passline.codec import to_data
from passline.engine import commands as c
from passline.engine.commands import Command
from passline.engine.decide import decide
from passline.engine.events import DiceThrown, Event, NoRollCalled, OutcomeStruckOut
from passline.engine.layout import Layout
from passline.engine.memory import ANSWERS_MAX
from passline.engine.refusals import Answer, Refusal
from passline.engine.table import TableState
from passline.engine.values import Roll
from passline.errors import InvariantError
from passline.floor import gate
from passline.floor.acts import Acted, FloorAnswer, FloorCommand, Officer
from passline.floor.names import folded
from passline.floor.register import decide as floor_decide
from passline.floor.sentences import AMOUNT_MAX, SENTENCES, Code
from passline.floor.service import InspectDice
from passline.floor.staff import plays_and_works
from passline.journal.entries import Draft, Kind
from passline.pit.live import evolved

if TYPE_CHECKING:
    from passline.pit.live import Live

THROWN = (c.Throw, c.WatchThrow)
CALLED = (c.CallNoRoll, c.CockedDie, c.DisputeFace, c.RuleFace)
"""What the crew says over dice at rest."""

FLOOR = (c.ReturnAll, c.PostNotice, c.CloseTable, c.OrderPass, c.CallNoRoll, c.RuleFace)
"""What no player does at a table with a crew; striking out takes two besides."""

VOID = {c.CockedDie: "a cocked die", c.LoseDie: "a die off the table", c.RuleFace: "a face that nobody could read"}
"""Why a roll is void that the crew calls so without giving a reason."""

BY_SIGN = (c.PostNotice, c.CloseTable)
"""What nobody does at a table with a crew by saying how long ago it was announced: the floor knows."""


NO_WORDS: Mapping[str, Any] = MappingProxyType({})


class Ask(NamedTuple):
    """Who asks, as what, under which key, and when by their clock."""

    actor: str
    role: str
    key: str
    time: str


class Planned(NamedTuple):
    """An entry to be written, with what happens by it and what is kept beside it."""

    draft: Draft
    events: tuple[Event, ...] = ()
    secrets: Mapping[str, bytes] | None = None
    table: TableState | None = None
    """The table after it, where that was worked out to see whether it adds up."""


# --- Pieces of entries ----------------------------------------------------------------------------------------------


def refused(ask: Ask, refusal: Refusal, command: dict[str, Any] | None, asked: object = None) -> Planned:
    """No, and nothing has changed; kept, so that who asks again gets the same no."""
    said = {"kind": "refusal", "v": 1, **{name: getattr(refusal, name) for name in Refusal.__dataclass_fields__}}
    body = {"command": command, "asked": asked, "refusal": said}
    return Planned(Draft("refused", body, ask.actor, ask.role, ask.time, ask.key))


def no(code: Code, which: str, seat: int | None = None, **words: object) -> Refusal:
    """A refusal of the live table's own, in its own words."""
    return Refusal(cast("Any", code), SENTENCES[code][which].format_map(words), None, seat)


def declined(ask: Ask, asked: str, code: Code, which: str) -> Planned:
    """No to what is no command of the engine's."""
    return refused(ask, no(code, which), None, asked)


def happened(
    kind: Kind, body: dict[str, Any], events: tuple[Event, ...], ask: Ask, table: TableState | None = None
) -> Planned:
    """Events under the name of who asked, with the money they move."""
    told = [_told(event) for event in events]
    body["events"] = [each.data for each in told]
    body["postings"] = [posting for each in told for posting in each.postings]
    return Planned(Draft(kind, body, ask.actor, ask.role, ask.time, ask.key), events, None, table)


class _Told(NamedTuple):
    """An event as it stands in an entry, where nobody changes it."""

    event: Event
    data: dict[str, Any]
    postings: list[Posting]


_TOLD: dict[int, _Told] = {}
"""Events told before, by identity: the engine hands out the same one where the same thing happens again."""


def _told(event: Event) -> _Told:
    """An event and the money it moves, as an entry keeps them."""
    told = _TOLD.get(id(event))
    if told is None:
        if len(_TOLD) >= ANSWERS_MAX:
            _TOLD.clear()
        told = _TOLD[id(event)] = _Told(event, to_data(event), booked((event,)))
    return told


def said(kind: Kind, body: dict[str, Any], ask: Ask) -> Planned:
    """What somebody said, without chips."""
    return Planned(Draft(kind, body, ask.actor, ask.role, ask.time, ask.key))


def by_the_house(kind: Kind, body: dict[str, Any], time: str, secrets: Mapping[str, bytes] | None = None) -> Planned:
    """What the program does itself."""
    return Planned(Draft(kind, body, "house", "house", time), (), secrets)


def answer_of(
    layout: Layout, table: TableState, command: Command, real: TableState | None = None
) -> tuple[Answer, TableState]:
    """What the engine answers, and the table after it; an answer that does not add up is no answer.

    `table` may be the table as one player sees it; `real` is then the table that the answer changes.
    """
    then = real or table
    try:
        answer = decide(layout, table, command)
        if not isinstance(answer, Refusal):
            then = evolved(then, answer)
            check(then)
    except InvariantError:
        raise
    except Exception as error:  # whatever goes wrong in there must stop this table and no other
        raise InvariantError(f"{type(command).__name__} failed: {type(error).__name__}: {error}") from error
    return answer, then


def check(table: TableState) -> None:
    """Chips are neither made nor lost, and nobody has less than nothing."""
    total = table.bank
    for number, seat in table.seats.items():
        if seat.rail < 0 or seat.tokens < 0:
            raise InvariantError(f"seat {number} has less than nothing")
        total += seat.rail
        for key, wager in seat.felt.items():
            stake, held, _, _, tokens, _, _ = wager
            if stake <= 0 or held < 0 or not 0 <= tokens <= stake:
                raise InvariantError(f"{key} of seat {number} cannot be: {wager}")
            total += stake - tokens + held
    if total != table.bought:
        raise InvariantError(f"chips do not add up: {total} lie there, {table.bought} were bought")


# --- Acts -----------------------------------------------------------------------------------------------------------


def act(  # noqa: C901, PLR0913 - who asks for what, where; each reason to say no
    live: Live,
    layout: Layout,
    command: Command | FloorCommand,
    data: dict[str, Any],
    ask: Ask,
    *,
    owner: str | None = None,
) -> list[Planned]:
    """Anything that can be asked of the engine, or of the floor; `owner` has the seat that is spoken of."""
    if isinstance(command, FloorCommand):
        return _floor_act(live, layout, command, data, ask)
    if live.dice == "none":
        return [refused(ask, no("table.no_game", "floor"), data)]
    if (plays := works_here(live, ask, data)) is not None:
        return [refused(ask, plays, data)]
    if owner not in (None, ask.actor) and ask.role == "player" and not isinstance(command, c.Sit):
        return [refused(ask, no("table.other_seat", "seat", data["seat"]), data)]
    said = guarded(live, command, data) or (for_the_crew(live, ask) if isinstance(command, FLOOR) else None)
    if said is None and live.dice != "given":
        said = _by_way_of_the_floor(command)
    if said is not None:
        return [refused(ask, said, data)]
    held = gate.refused(layout, live.floor, live.table, command)
    if held is not None:
        return [refused(ask, held, data)]
    answer, then = answer_of(layout, gate.seen(live.floor, live.table, command), command, live.table)
    if isinstance(answer, Refusal):
        return [refused(ask, answer, data)]
    if live.announced is not None or live.dice == "given":
        over = _over_dice(live, command, data, answer, ask)
        if over is not None:
            return [over._replace(table=then)]
    return [happened("acted", {"command": data}, answer, ask, then)]


def _by_way_of_the_floor(command: Command) -> Refusal | None:
    """Why nobody just says so at a table with a crew: the floor knows what was announced, and what was issued."""
    if isinstance(command, BY_SIGN):
        return no("table.by_sign", "sign")
    return no("table.by_voucher", "tokens", command.seat) if isinstance(command, c.TakeTokens) else None


def _floor_act(live: Live, layout: Layout, command: FloorCommand, data: dict[str, Any], ask: Ask) -> list[Planned]:
    """Anything that can be asked of the floor: its events, and what they do to the game, in one entry."""
    answer = works_here(live, ask, data) or _floor_answer(live, layout, command, data, ask)
    if isinstance(answer, Refusal):
        return [refused(ask, answer, data)]
    body = {"command": data, "floor": [to_data(event) for event in answer.events]}
    return [happened("floor_acted", body, answer.game, ask)]


def _floor_answer(live: Live, layout: Layout, command: FloorCommand, data: dict[str, Any], ask: Ask) -> FloorAnswer:
    """What the floor answers; one that does not add up stops this table and no other."""
    if _too_large(data):
        return no("table.too_large", "amount")
    if live.dice != "given" and alone(ask.actor, data):
        return no("table.two_people", "named")
    try:
        answer = floor_decide(layout, live.floor, live.table, command, Officer(ask.actor, ask.role, ask.time))
        if not isinstance(answer, Refusal):
            check(evolved(live.table, answer.game))
    except InvariantError:
        raise
    except Exception as error:
        raise InvariantError(f"{type(command).__name__} failed: {type(error).__name__}: {error}") from error
    return answer if isinstance(answer, Refusal) else _waits(live, command, answer) or answer


def _waits(live: Live, command: FloorCommand, acted: Acted) -> Refusal | None:
    """Why what the floor decides cannot be done now: it waits for a roll, or comes too late after one."""
    if live.announced is not None and isinstance(command, InspectDice):
        return no("table.bets_closed", "inspect")
    if live.announced is not None and acted.game:
        return no("table.bets_closed", "moves")
    if live.paid and acted.game and isinstance(acted.game[0], OutcomeStruckOut):
        return no("table.correction", "paid")
    return None


def alone(actor: str, data: dict[str, Any]) -> bool:
    """Whether somebody does by themselves what takes two."""
    return "second" in data and folded(data["second"]) in ("", folded(actor))


def guarded(live: Live, command: Command, data: dict[str, Any]) -> Refusal | None:
    """Why a live table does not even ask the engine."""
    if _too_large(data):
        return no("table.too_large", "amount")
    if isinstance(command, c.StrikeOut) and live.paid:
        return no("table.correction", "paid")
    if live.dice == "given":
        return None
    if isinstance(command, THROWN) or (live.dice == "fair" and isinstance(command, CALLED)):
        if live.dice == "fair":
            return no("table.dice_drawn", "say")
        return no("table.dice_entered", "say")
    if isinstance(command, c.StrikeOut):
        return no("table.two_people", "strike")
    if live.announced is None:
        if isinstance(command, CALLED):
            return no("table.not_closed", "say")
        return None
    if isinstance(command, CALLED) or (live.dice == "real" and isinstance(command, c.LoseDie)):
        return None
    seat = getattr(command, "seat", None)
    return no("table.bets_closed", "moves", seat)


def for_the_crew(live: Live, ask: Ask, second: str = "") -> Refusal | None:
    """Why a player does not do what the crew does; where dice are given there is no crew."""
    if ask.role != "player" or live.dice == "given":
        return works_here(live, ask, {"second": second})
    return no("table.role", "crew")


def works_here(live: Live, ask: Ask, data: Mapping[str, Any] = NO_WORDS) -> Refusal | None:
    """Why somebody of the crew does not do this: they play here, and for the house's money."""
    return plays_and_works(ask.actor, ask.role, data, live.players) if live.money else None


def _too_large(data: dict[str, Any] | list[Any]) -> bool:
    """Whether there is too large a number in a command, or in what it holds."""
    for value in data.values() if isinstance(data, dict) else data:
        if type(value) is int:
            if not -AMOUNT_MAX <= value <= AMOUNT_MAX:
                return True
        elif type(value) in (dict, list) and _too_large(value):
            return True
    return False


def _over_dice(
    live: Live, command: Command, data: dict[str, Any], events: tuple[Event, ...], ask: Ask
) -> Planned | None:
    """What ends a roll: dice that were called, or a call that they do not count."""
    announced = live.announced
    thrown = next((event for event in events if isinstance(event, DiceThrown)), None)
    roll = live.rolls + 1 if announced is None else announced.roll
    number = {"epoch": announced.epoch if announced else 0, "roll": roll}
    if thrown is not None:
        dice = [thrown.first, thrown.second]
        return happened("rolled", {**number, "dice": dice, "command": data, "readings": None}, events, ask)
    if announced is not None and any(isinstance(event, NoRollCalled) for event in events):
        reason = getattr(command, "reason", None) or VOID[type(command)]
        body = {**number, "reason": reason, "people": [ask.actor], "returned": False, "commands": [data]}
        return happened("roll_voided", body, events, ask)
    return None


# --- Rolls ----------------------------------------------------------------------------------------------------------


def could_roll(live: Live, layout: Layout) -> Refusal | None:
    """Why no dice can be thrown now, whatever they would show."""
    throw = c.Throw(Roll(1, 1))
    held = gate.refused(layout, live.floor, live.table, throw)
    if held is not None:
        return held
    answer, _ = answer_of(layout, live.table, throw)
    return answer if isinstance(answer, Refusal) else None


def rolled(live: Live, layout: Layout, dice: Roll, ask: Ask, readings: Sequence[dict[str, Any]] | None) -> Planned:
    """An announced roll with its dice."""
    announced = live.announced
    assert announced is not None, "dice are for a roll that is announced"
    command = c.Throw(dice)
    answer, then = answer_of(layout, live.table, command)
    if isinstance(answer, Refusal):
        raise InvariantError(f"roll {announced.roll} was announced and is refused: {answer.message}")
    body = {
        "epoch": announced.epoch,
        "roll": announced.roll,
        "dice": list(dice),
        "command": to_data(command),
        "readings": None if readings is None else list(readings),
    }
    return happened("rolled", body, answer, ask, then)


def voided(
    live: Live, layout: Layout, why: tuple[str, Sequence[str]], ask: Ask, *, returned: bool
) -> Planned | Refusal:
    """An announced roll that never has dice, by a reason and people; where nobody asked, the key is empty."""
    reason, people = why
    announced = live.announced
    assert announced is not None, "only a roll that is announced can be void"
    commands: list[Command] = [c.CallNoRoll("interrupted")] if live.table.phase != "betting" else []
    if returned and any(seat.felt for seat in live.table.seats.values()):
        commands.append(c.ReturnAll(reason))
    table = live.table
    events: list[Event] = []
    for command in commands:
        answer, table = answer_of(layout, table, command)
        if isinstance(answer, Refusal):
            return answer
        events += answer
    body = {
        "epoch": announced.epoch,
        "roll": announced.roll,
        "reason": reason,
        "people": list(people),
        "returned": returned,
        "commands": [to_data(command) for command in commands],
    }
    planned = happened("roll_voided", body, tuple(events), ask)
    return planned if ask.key else planned._replace(draft=planned.draft._replace(key=None))
