"""What somebody could ask the floor for now: each act put to the machine with sample words, and nothing written.

So nothing is offered that would be refused, by the very rules that would refuse it; what people type themselves (a sum,
a time, the terms of a promotion) is looked at when they send it.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import MISSING, fields
from itertools import product
from types import NoneType
from typing import Annotated, Any, Literal, NamedTuple, get_args, get_origin

from passline.codec import KINDS
from passline.codec.shapes import typed_fields
from passline.engine.refusals import Refusal
from passline.engine.table import Notice
from passline.floor.acts import FloorCommand
from passline.floor.names import folded
from passline.floor.register import ACTS, blank_offer, choices
from passline.floor.state import EVERY_WAGER, Offer
from passline.live.answer import answer
from passline.live.people import may_approve, of_act
from passline.live.requests import Ask, request
from passline.live.rules import PROGRAM, role_of
from passline.live.state import HOUSE_FLOOR, State

LATER = "2999-12-31T00:00:00Z"  # a time to come, whenever it is

# Refusals of what people type themselves, which samples stand in for.
TYPED = frozenset(
    (
        *("floor.time", "floor.amount", "floor.unsaid", "floor.terms", "floor.offer", "floor.payment", "floor.claim"),
        *("floor.entry", "floor.scrutineer", "floor.forfeit", "floor.no_breach", "table.short_wallet"),
    )
)

# Acts that give something its name: there is none to pick yet.
NEW = {"floor.register_promotion": "promotion", "floor.issue_voucher": "voucher"}

# What the crew does at the felt with its own hands, beside the dice and what takes two people.
WITH_DICE = ("command.late_bet", "command.send_dice", "command.lose_die")
BY_HAND = ("command.find_bet", "command.order_pass", *WITH_DICE)

SECONDS_MAX = 12
OPTIONS_MAX = 400


class Pick(NamedTuple):
    """One value of a field, and what people read for it."""

    value: str | int
    label: str


Option = Mapping[str, Pick]  # Values that go together, by field: this prize of that promotion


class Offered(NamedTuple):
    """An act that would not be refused for how things stand."""

    options: tuple[Option, ...]  # what can be picked; empty where there is nothing to pick
    seconds: tuple[str, ...]  # who may be the second person
    alone: bool  # whether one person does it as well


def offered(state: State, person: str, time: str, kind: str) -> Offered | None:
    """What of an act could be asked for now; None where all of it would be refused."""
    command, by = ACTS[kind], Ask(person, "", "sample", time)
    # The floor of the house is asked as any table's about disputes over promotions, who is on duty, the rules.
    asked_there = command.permission in ("speak_up", "review", "be_on_duty") or "dispute" in typed_fields(command)
    if command.house_wide != (state.name == HOUSE_FLOOR) and (command.house_wide or not asked_there):
        return None
    picks = _picks(state, command, kind, person)
    without_promotions = "offer" in typed_fields(command) and blank_offer(state.layout) is None
    if without_promotions or any(not values for values in picks.values()):
        return None
    seconds = approvers(state, person, kind) if command.two_people else ()
    options: list[Option] = []
    agreeing: dict[str, None] = {}
    alone = False
    for chosen in _together(picks):
        values = {name: pick.value for name, pick in chosen.items()}
        by_one = _is_taken(state, by, command, values)
        with_two = [second for second in seconds if _is_taken(state, by, command, {**values, "second": second})]
        if by_one or with_two:
            options.append(chosen)
            alone = alone or by_one
            agreeing.update(dict.fromkeys(with_two))
    if not options:
        return None
    return Offered(tuple(each for each in options if each), tuple(agreeing), alone)


def by_hand(state: State, person: str, time: str, kind: str, role: str) -> Offered | None:
    """The same of what the crew does at the felt: what each field can name, the first of each put to the table."""
    late, table = state.layout.book.betting.late_bets.value, state.live.table
    if kind in WITH_DICE and state.live.dice != "real":
        return None
    if kind == "command.late_bet" and (late == "none" or table.phase != "dice out"):
        return None
    command, by = KINDS[kind], Ask(person, "", "sample", time)
    picks = {name: some for name in typed_fields(command) if (some := _at_the_felt(state, name)) is not None}
    if not all(picks.values()):
        return None
    values: dict[str, Any] = {name: each[0].value for name, each in picks.items()}
    values |= {"by": (role,)} if kind == "command.late_bet" else {}
    if not _is_taken(state, by, command, values, typed=("amount.", "bet.", *TYPED)):
        return None
    return Offered(tuple({name: each} for name, some in picks.items() for each in some), (), alone=True)


def _at_the_felt(state: State, name: str) -> list[Pick] | None:
    book, table = state.layout.book, state.live.table
    match name:
        case "seat":
            return _seats(state)
        case "wager":
            return [Pick(key, spot.name) for key, spot in state.layout.spots.items()]
        case "reason":
            return [Pick(each, each) for each in book.shooter.order_pass.value]
        case "die":
            return [Pick(each, str(each)) for each in range(1, table.dice.in_set + 1)]
        case _:
            return None


def _seats(state: State) -> list[Pick]:
    return [Pick(number, f"seat {number}: {seat.name}") for number, seat in state.live.table.seats.items()]


def _together(picks: Mapping[str, list[Pick]]) -> Iterator[Option]:
    for count, values in enumerate(product(*picks.values())):
        chosen = dict(zip(picks, values, strict=True))
        promotion, prize = chosen.get("promotion"), chosen.get("prize")
        if promotion and prize and not prize.label.startswith(f"{promotion.value}: "):
            continue
        if count >= OPTIONS_MAX:
            return
        yield chosen


def approvers(state: State, person: str, kind: str) -> list[str]:
    """Who could agree: whoever holds a role that may, the first so many by name."""
    assert state.house is not None, "who may do what is for a house with people"
    roster = state.house.roster
    people = sorted({who for who, where in roster.granted if where in (None, state.scope)} - {person, PROGRAM})
    able = [who for who in people if may_approve(of_act(kind), roster.standing(who, state.scope))]
    return able[:SECONDS_MAX]


def _is_taken(state: State, by: Ask, command: type, values: Mapping[str, Any], typed: Collection[str] = TYPED) -> bool:
    """Whether the machine would do it, or would not only for what somebody types."""
    hints = typed_fields(command)
    optional = {each.name for each in fields(command) if each.default is not MISSING}
    unsaid = hints.keys() - optional - values.keys()
    sample = {name: _sample(state, by, name, hints[name]) for name in hints if name in unsaid}
    planned = answer(state, request(by, command(**sample, **values)))
    if isinstance(planned, Refusal):
        return False
    refusal = next((each.draft.body["refusal"]["code"] for each in planned if each.draft.kind == "refused"), None)
    of_words = refusal is not None and (refusal in typed or f"{refusal.partition('.')[0]}." in typed)
    return refusal is None or of_words or (refusal == "floor.prize" and "offer" in hints)


def _sample(state: State, by: Ask, name: str, hint: Any) -> Any:  # noqa: ANN401 - a value of any type
    """A value that nobody would mean, of the type that a field takes."""
    origin, inside = get_origin(hint), get_args(hint)
    if hint is Notice:
        return state.live.table.notice
    if hint is Offer:
        return blank_offer(state.layout)
    if origin is Annotated:
        return _sample(state, by, name, inside[0])
    if NoneType in inside:
        return None
    if origin is Literal:
        return inside[0]
    if hint is bool:
        return name == "told"
    if hint is int:
        return 1
    if hint is str:
        known = {"person": by.actor, "player": _other(state, by.actor), "winner": _other(state, by.actor)}
        known |= {"at": LATER, "stop_at": LATER, "second": ""}
        return known.get(name, "sample")
    if origin is tuple:
        return tuple(state.live.table.seats)[:2] if name == "seats" else (200,) if name == "faces" else ()
    return {100: 1}


def _other(state: State, person: str) -> str:
    """Somebody else, whose wallet has something where anybody's does."""
    people = (name.partition("/")[2] for name, amount in state.wallets.items() if amount > 0 and "/" in name)
    return next((each for each in people if each != person), "somebody")


def _picks(state: State, command: type[FloorCommand], kind: str, person: str) -> dict[str, list[Pick]]:
    """By field that names something which is there: all that it could name."""
    picks: dict[str, list[Pick]] = {}
    for name, hint in typed_fields(command).items():
        if NEW.get(kind) == name or (name == "promotion" and kind == "floor.raise_dispute"):
            continue
        values = _of_field(state, name, kind, person)
        if values is None and name in ("when", "to"):
            values = [Pick(each, str(each)) for each in get_args(hint)]
        if values is not None:
            picks[name] = values
    return picks


def _of_field(state: State, name: str, kind: str, person: str) -> list[Pick] | None:  # noqa: C901 - a case a field
    floor = state.live.floor
    match name:
        case "seat":
            return _seats(state)
        case "dispute":
            return [Pick(number, f"{number}: {each.person}, {each.stands}") for number, each in floor.disputes.items()]
        case "report":
            return [Pick(number, f"{number}: {each.person}, {each.breach}") for number, each in floor.reports.items()]
        case "promotion":
            return [Pick(each, each) for each in floor.promotions]
        case "prize":
            return [
                Pick(number, f"{promotion}: prize {number}, {prize.item}")
                for promotion, each in floor.promotions.items()
                for number, prize in enumerate(each.offer.prizes, 1)
            ]
        case "voucher":
            return [Pick(each, each) for each, voucher in floor.vouchers.items() if not voucher.changed]
        case "wager" if kind == "floor.allow_wager":
            wagers = {wager for refused in floor.refused.values() for wager in refused if wager != EVERY_WAGER}
            return [Pick(each, state.layout.spots[each].name) for each in sorted(wagers)] or None
        case "breach" if kind == "floor.report_conduct" and not state.layout.book.floor.conduct:
            return []
        case "breach" if kind == "floor.refuse_wager":
            breaches = sorted({each.breach for each in floor.reports.values()})
            return [Pick("", "for no breach"), *(Pick(each, each) for each in breaches)]
        case "title" | "measure" | "remedy" | "way" | "cause":
            return [Pick(each, each) for each in choices(state.layout, kind).get(name, ())]
        case "person":
            return _people(state, kind, person)
        case "inspector":
            return _holders(state, "inspector") or None
        case _:
            return None


def _people(state: State, kind: str, person: str) -> list[Pick] | None:
    """Whom an act can be about; None where that is anybody."""
    floor = state.live.floor
    match kind:
        case "floor.readmit":
            return [Pick(who, who) for who in floor.barred]
        case "floor.go_off_duty":
            return [Pick(who, f"{who}, {title}") for who, title in floor.duty.items()]
        case "floor.come_on_duty":
            return [each for each in _holders(state) if folded(str(each.value)) not in floor.duty]
        case "floor.raise_dispute":
            seat = state.live.seat_of(person)
            name = person if seat is None else state.live.table.seats[seat].name
            return [Pick(name, name)] if role_of(state, person, kind) == "player" else None
        case _ if ACTS[kind].for_oneself:
            return [Pick(person, person)]
        case _:
            return None


def _holders(state: State, role: str = "") -> list[Pick]:
    """Whoever holds a role in the house or here, or any role at all."""
    assert state.house is not None
    where = (None, state.name)
    granted = state.house.roster.granted.items()
    holders = {
        who for (who, table), roles in granted if table in where and (role in roles if role else roles - {"player"})
    }
    return [Pick(who, who) for who in sorted(holders)]
