"""Acts of the game and of the floor at a live table, each with every reason to say no."""

from collections.abc import Mapping
from typing import Any, cast

from passline.codec import to_data
from passline.engine import commands as c
from passline.engine.commands import Command
from passline.engine.decide import decide
from passline.engine.events import DiceThrown, Event, NoRollCalled, OutcomeStruckOut
from passline.engine.layout import Layout
from passline.engine.refusals import heeded
from passline.engine.values import Roll
from passline.floor import gate
from passline.floor.acts import FloorCommand, Officer
from passline.floor.cage import PayOut, current
from passline.floor.names import folded
from passline.floor.register import decide as floor_decide
from passline.floor.seats import InspectDice
from passline.floor.staff import plays_and_works
from passline.floor.state import NOTHING
from passline.live.books import carried, wallet
from passline.live.drafts import Planned, check, happened, played, voided
from passline.live.hands import may_void, owes
from passline.live.refusals import AMOUNT_MAX, deny
from passline.live.requests import Ask, ReadDice, Request, RollDice
from passline.live.state import VOIDS_IN, Live, State, evolved

THROWN = (c.Throw, c.WatchThrow)
CALLED = (c.CallNoRoll, c.CockedDie, c.DisputeFace, c.RuleFace)  # what the crew says over dice at rest

# What comes to a face by one person's word: where chips are the house's money two read the dice, or it is no roll.
READ_BY_ONE = (c.CockedDie, c.DisputeFace, c.RuleFace)

# What no player does at a table with a crew; striking out takes two besides.
FLOOR = (c.ReturnAll, c.PostNotice, c.CloseTable, c.OrderPass, c.CallNoRoll, c.RuleFace)

# Why a roll is void that the crew calls so without giving a reason.
VOID = {c.CockedDie: "a cocked die", c.LoseDie: "a die off the table", c.RuleFace: "a face that nobody could read"}

# Commands that a table with a crew takes only through an act of the floor, which knows what was announced.
BY_SIGN = (c.PostNotice, c.CloseTable)

# By whose word the dice come: acts that such a table never takes, and so never offers.
NEVER: Mapping[str, tuple[type, ...]] = {
    "fair": (*THROWN, *CALLED, *BY_SIGN, c.TakeTokens, ReadDice),
    "real": (*THROWN, *BY_SIGN, c.TakeTokens, RollDice),
    "given": (ReadDice,),
    "none": (),
}


def command(state: State, request: Request, act: Command | FloorCommand) -> Planned:
    if isinstance(act, FloorCommand):
        return _floor_act(state, request, act)
    live, layout = state.live, state.layout
    _check(state, request, act)
    events, then = played(layout, gate.seen(live.floor, live.table, act), act, live.table)
    if live.announced is not None or live.dice == "given":
        over = _over_dice(live, request, events)
        if over is not None:
            return over._replace(table=then)
    planned = happened("acted", {"command": request.data}, events, request.by, then)
    if request.reason:
        planned.draft.body["reason"] = request.reason
    return _from_wallet(state, request, planned) if request.wallet else planned


def _check(state: State, request: Request, act: Command) -> None:
    """Refuse what the table and its floor do not take, whatever the engine would say."""
    live, by, data = state.live, request.by, request.data
    if live.dice == "none":
        deny("table.no_game", "floor")
    works_here(live, by, data)
    owner = live.owner(data.get("seat"))
    if owner not in (None, by.actor) and by.role == "player" and not isinstance(act, c.Sit):
        deny("table.other_seat", "seat", data["seat"])
    if isinstance(act, gate.BETS) and owes(live, owner):
        deny("table.hand", "owes", act.seat, rolls=VOIDS_IN)
    guard(live, act, data)
    if isinstance(act, FLOOR):
        for_the_crew(live, by)
    # Nobody just says so at a table with a crew: the floor knows what was announced, and what was issued.
    if live.dice != "given" and isinstance(act, BY_SIGN):
        deny("table.by_sign", "sign")
    if live.dice != "given" and isinstance(act, c.TakeTokens):
        deny("table.by_voucher", "tokens", act.seat)
    gate.check(state.layout, live.floor, live.table, act)


def guard(live: Live, act: Command, data: Mapping[str, Any]) -> None:  # noqa: C901 - one case an act
    """Refuse a command of the game that a live table does not take, whoever asks."""
    if _too_large(data):
        deny("table.too_large", "amount", most=AMOUNT_MAX)
    if isinstance(act, c.StrikeOut) and live.paid:
        deny("table.correction", "paid")
    if live.dice == "given":
        return
    if live.dice == "fair" and isinstance(act, (*THROWN, *CALLED)):
        deny("table.dice_drawn", "say")
    if isinstance(act, THROWN):
        deny("table.dice_entered", "say")
    if isinstance(act, c.StrikeOut):
        deny("table.two_people", "strike")
    if live.announced is None:
        if isinstance(act, CALLED):
            deny("table.not_closed", "say")
        return
    if live.money and isinstance(act, READ_BY_ONE) and getattr(act, "face", 0) is not None:
        deny("table.two_people", "face")
    if not isinstance(act, CALLED) and not (live.dice == "real" and isinstance(act, c.LoseDie)):
        deny("table.bets_closed", "moves", getattr(act, "seat", None))


def for_the_crew(live: Live, by: Ask, second: str = "") -> None:
    """A player does not do what the crew does; where dice are given there is no crew."""
    if by.role == "player" and live.dice != "given":
        deny("table.role", "crew")
    works_here(live, by, {"second": second})


def works_here(live: Live, by: Ask, data: Mapping[str, Any] = NOTHING) -> None:
    """Nobody of the crew does this who plays here, and for the house's money."""
    if live.money:
        heeded(plays_and_works(by.actor, by.role, data, live.players))


def _too_large(data: Mapping[str, Any] | list[Any]) -> bool:
    for value in data.values() if isinstance(data, Mapping) else data:
        if type(value) is int:
            if not -AMOUNT_MAX <= value <= AMOUNT_MAX:
                return True
        elif type(value) in (dict, list) and _too_large(value):
            return True
    return False


def _over_dice(live: Live, request: Request, events: tuple[Event, ...]) -> Planned | None:
    """What ends a roll: dice that were called, or a call that they do not count."""
    announced, by = live.announced, request.by
    thrown = next((event for event in events if isinstance(event, DiceThrown)), None)
    roll = live.rolls + 1 if announced is None else announced.roll
    number = {"epoch": announced.epoch if announced else 0, "roll": roll}
    if thrown is not None:
        dice = [thrown.first, thrown.second]
        return happened("rolled", {**number, "dice": dice, "command": request.data, "readings": None}, events, by)
    if announced is not None and any(isinstance(event, NoRollCalled) for event in events):
        reason = getattr(request.act, "reason", None) or VOID[type(request.act)]
        return voided(announced, reason, [cast("Command", request.act)], events, by, [by.actor])
    return None


def could_roll(live: Live, layout: Layout) -> None:
    """Refuse where the dice could not be thrown now, whatever they would show."""
    throw = c.Throw(Roll(1, 1))
    gate.check(layout, live.floor, live.table, throw)
    heeded(decide(layout, live.table, throw))


def _floor_act(state: State, request: Request, act: FloorCommand) -> Planned:
    live, by = state.live, request.by
    works_here(live, by, request.data)
    if _too_large(request.data):
        deny("table.too_large", "amount", most=AMOUNT_MAX)
    if live.dice != "given" and act.takes_two(state.layout) and is_alone(by.actor, request.data["second"]):
        deny("table.two_people", "named")
    acted = heeded(floor_decide(state.layout, live.floor, live.table, act, Officer(by.actor, by.role, by.time)))
    if isinstance(act, PayOut) and act.amount > state.wallets.get(wallet(folded(act.player)), 0):
        deny("table.short_wallet", "wallet", name=act.player, amount=state.layout.money(act.amount))
    check(evolved(live.table, acted.game))
    # What waits for a roll, or comes too late after one.
    if live.announced is not None and isinstance(act, InspectDice):
        deny("table.bets_closed", "inspect")
    if live.announced is not None and acted.game:
        deny("table.bets_closed", "moves")
    strikes = bool(acted.game) and isinstance(acted.game[0], OutcomeStruckOut)
    if live.paid and strikes:
        deny("table.correction", "paid")
    if strikes and live.chains and not may_void(live, live.rolled_up):
        deny("table.dice_drawn", "strike")
    body = {"command": request.data, "floor": [to_data(event) for event in acted.events]}
    return happened("floor_acted", body, acted.game, by)._replace(floor=acted.events)


def is_alone(actor: str, second: str) -> bool:
    return folded(second) in ("", folded(actor))


def _from_wallet(state: State, request: Request, planned: Planned) -> Planned:
    """An act by somebody who pays from, and is paid to, a wallet: its entry names the wallet."""
    act, actor = request.act, request.by.actor
    if not isinstance(act, c.Sit | c.BuyIn | c.Leave):
        return planned
    owner = None if isinstance(act, c.Sit) else state.live.wallets.get(act.seat)
    if owner not in (None, actor):
        if isinstance(act, c.Leave):
            return planned  # whoever says it, the chips are the owner's
        deny("table.other_wallet", "wallet", act.seat, owner=owner)
    amount = sum(each.amount for each in carried(planned.events))
    name = act.name if isinstance(act, c.Sit) else state.live.table.seats[act.seat].name
    if amount > state.wallets.get(wallet(actor), 0):
        deny("table.short_wallet", "wallet", name=name, amount=state.layout.money(amount))
    most = current(state.live.floor, folded(actor), request.by.time).loss
    if most is not None and amount > 0 and state.bought.get(actor, 0) + amount > most:
        deny("table.loss_limit", "loss", name=name, most=state.layout.money(most))
    planned.draft.body["wallet"] = actor
    return planned
