"""Putting wagers up, taking them down, calling them on and off."""

from __future__ import annotations

from typing import TYPE_CHECKING

from passline.engine import commission, limits, shooting
from passline.engine.book import Line
from passline.engine.events import ChipsBought, DontBetsBarred, WagerCalled, WagerDown, WagerUp
from passline.engine.refusals import Refusal
from passline.engine.table import Wager

if TYPE_CHECKING:
    from passline.engine.commands import Bet, CallOff, CallOn, FindBet, LateBet, Take
    from passline.engine.events import Event
    from passline.engine.layout import Layout, Spot
    from passline.engine.table import Call, Seat, TableState

Answer = tuple["Event", ...] | Refusal


# --- Up -------------------------------------------------------------------------------------------------------------


def bet(layout: Layout, table: TableState, command: Bet) -> Answer:
    """Put a wager up between two rolls."""
    spot = _spot(layout, table, command.wager, command.seat)
    if isinstance(spot, Refusal):
        return spot
    refused = _phase(layout, table, command.seat) or _tender(layout, spot, command)
    if refused:
        return refused
    changed: tuple[Event, ...] = ()
    seat = table.seats[command.seat]
    if command.tender == "cash":
        changed = (ChipsBought(command.seat, command.amount, layout.book.betting.cash.clause),)
        seat = seat._replace(rail=seat.rail + max(0, command.amount))
    answer = _put_up(layout, table, command.seat, seat, spot, command.amount, tokens=command.tokens)
    return answer if isinstance(answer, Refusal) else (*changed, answer)


def late_bet(layout: Layout, table: TableState, command: LateBet) -> Answer:
    """Put a wager up while the dice are in the air, where the house has somebody who may confirm it."""
    spot = _spot(layout, table, command.wager, command.seat)
    if isinstance(spot, Refusal):
        return spot
    habit = layout.book.betting.late_bets
    if table.phase != "dice out":
        return Refusal("bet.not_late", "The dice are not in the air: an ordinary bet will do.", habit.clause, command.seat)
    said = set(command.by)
    heard = {"none": False, "dealer or box": bool(said & {"dealer", "box"}), "dealer and box": said >= {"dealer", "box"}}
    if habit.value == "none":
        no = "The dice are in the air: no bets until they rest."
        return Refusal("bet.late", no, habit.clause, command.seat)
    if not heard[habit.value]:
        return Refusal("bet.not_confirmed", f"A late bet counts when {habit.value} confirms it.", habit.clause, command.seat)
    seat = table.seats[command.seat]
    answer = _put_up(layout, table, command.seat, seat, spot, command.amount, late=True)
    return answer if isinstance(answer, Refusal) else (answer,)


def find_bet(layout: Layout, table: TableState, command: FindBet) -> Answer:
    """Book chips that reached the layout without anyone looking at the notice."""
    spot = _spot(layout, table, command.wager, command.seat)
    if isinstance(spot, Refusal):
        return spot
    seat = table.seats[command.seat]
    answer = _put_up(layout, table, command.seat, seat, spot, command.amount, unchecked=True)
    return answer if isinstance(answer, Refusal) else (answer,)


def _put_up(  # noqa: PLR0913 - one place for every way chips reach the layout
    layout: Layout,
    table: TableState,
    number: int,
    seat: Seat,
    spot: Spot,
    amount: int,
    *,
    tokens: int = 0,
    late: bool = False,
    unchecked: bool = False,
) -> WagerUp | Refusal:
    """Book chips, or say why not."""
    up = seat.felt.get(spot.key)
    stake = amount + (up.stake if up else 0)
    refused = (
        _amount(layout, table, spot, number, amount)
        or _window(layout, table, spot, number, seat, up)
        or (None if unchecked else _limits(layout, table, spot, number, stake))
        or _odds_limit(layout, table, spot, number, seat, stake, unchecked=unchecked)
        or _tokens(layout, seat, number, amount, tokens)
    )
    if refused:
        return refused
    charge = commission.up_front(layout, spot, amount, table.notice.chip) if spot.rule.commission else 0
    if amount - tokens + charge > seat.rail:
        fee = f" and {layout.money(charge)} commission" if charge else ""
        short = f"{layout.money(amount)}{fee} on {spot.name} is more than the {layout.money(seat.rail)} on the rail."
        return Refusal("bet.short_rail", short, None, number)
    call = up.call if up else _call_of_new(layout, table, seat, spot)
    return WagerUp(number, spot.key, amount, stake, charge, spot.rule.made.clause, tokens, call, late, unchecked)


def _spot(layout: Layout, table: TableState, key: str, number: int) -> Spot | Refusal:
    """The spot a sitting player names."""
    seat = table.seats.get(number)
    if seat is None:
        return Refusal("seat.empty", f"Nobody sits at seat {number}.", None, number)
    if seat.away:
        return Refusal("seat.away", f"{seat.name} has left; the wagers at seat {number} run on.", None, number)
    spot = layout.spots.get(key)
    if spot is None or not spot.rule.offered.value:
        only = layout.book.betting.only_listed if spot is None else spot.rule.offered.clause
        return Refusal("wager.not_offered", f"{layout.book.name} does not book {key}.", only, number)
    return spot


def _phase(layout: Layout, table: TableState, number: int | None = None) -> Refusal | None:
    """Chips move only while betting is open."""
    if table.phase == "betting":
        return None
    code, why = ("phase.dice_out", "The dice are out") if table.phase == "dice out" else ("phase.disputed", "A face is in doubt")
    return Refusal(code, f"{why}: nothing moves until the roll is settled.", layout.book.betting.before_the_throw, number)


def _tender(layout: Layout, spot: Spot, command: Bet) -> Refusal | None:
    """Whether the bet reached the dealers in a form that this house takes."""
    habits, number = layout.book.betting, command.seat
    match command.tender:
        case "chips":
            return None
        case "self":
            booked = spot.rule.booked_with
            if booked is None:
                return None
            who = layout.crew(booked.value)
            return Refusal("bet.not_booked", f"{spot.name} is booked with the {who}.", booked.clause, number)
        case "spoken":
            allowed, clause = habits.verbal_confirmers.value, habits.verbal_confirmers.clause
        case "cash":
            taken = habits.cash.value == "all" or (habits.cash.value == "all but line" and not spot.is_line)
            if not taken:
                return Refusal("bet.cash", f"{spot.name} is bet in chips: buy in first.", habits.cash.clause, number)
            allowed, clause = ("dealer",), habits.cash.clause
    by = allowed if command.by is None else command.by
    if not set(by) & set(allowed):
        return Refusal("bet.not_confirmed", f"A spoken bet counts when the {layout.crew(allowed)} confirms it.", clause, number)
    return None


def _amount(layout: Layout, table: TableState, spot: Spot, number: int, amount: int) -> Refusal | None:
    chip = table.notice.chip
    if amount <= 0:
        return Refusal("amount.not_positive", "A bet is more than nothing.", None, number)
    if amount % chip:
        no = f"{layout.money(amount)} is not whole chips of {layout.money(chip)}."
        return Refusal("amount.not_chips", no, layout.book.betting.made_with, number)
    return None


def _window(layout: Layout, table: TableState, spot: Spot, number: int, seat: Seat, up: Wager | None) -> Refusal | None:  # noqa: PLR0911, PLR0913 - one return for each way a moment can be wrong
    """Whether a wager may be made or raised at this moment."""
    rule, terms, puck = spot.rule, spot.rule.terms, table.puck
    if up is not None and up.mark:
        locked = f"{spot.name} has seen a roll and can no longer be raised."
        return Refusal("bet.locked", locked, rule.removable.clause, number)
    if table.closing and not spot.is_odds:
        return Refusal("bet.closing", "The table is closing: only odds are taken.", layout.book.floor.closing.clause, number)
    if isinstance(terms, Line):
        if terms.side == "dont" and seat.dont_banned:
            no = "A don't bet was lowered: no don't bets until a new come-out."
            return Refusal("bet.dont_banned", no, layout.book.betting.dont_ban.clause, number)
        if terms.put.value and (spot.has_travelled or (puck and spot.is_line)):
            return None
        if spot.has_travelled:
            no = f"{spot.key} cannot be bet: a bet gets there by travelling."
            return Refusal("wager.not_offered", no, rule.made.clause, number)
    if spot.is_odds:
        if spot.flat not in seat.felt or not (spot.number or puck):
            return Refusal("bet.no_flat", f"{spot.name} stands behind {spot.flat}, which is not up on a point.", rule.made.clause, number)
        return None
    open_now = {
        "any time": True,
        "come-out": not puck,
        "point on": bool(puck),
        "after come-out": table.rolled,
        "first come-out": table.fresh_hand,
        "after a seven": table.after_seven,
    }[rule.made.value]
    if not open_now:
        now = f"the point is {puck}" if puck else "the puck is off"
        return Refusal("bet.window", f"{spot.name} is made {_when(rule.made.value)}; {now}.", rule.made.clause, number)
    return None


def _when(window: str) -> str:
    return {
        "come-out": "before a come-out roll",
        "point on": "while a point is on",
        "after come-out": "after a come-out roll",
        "first come-out": "before the first roll of a hand",
        "after a seven": "right after a seven",
    }.get(window, window)


def _limits(layout: Layout, table: TableState, spot: Spot, number: int, stake: int) -> Refusal | None:
    """The stake that would stand against the notice."""
    notice, money = table.notice, layout.money
    least, most = limits.minimum(notice, spot), limits.maximum(notice, spot)
    habits = layout.book.money
    if stake < least:
        no = f"{money(stake)} on {spot.name} is under the minimum of {money(least)}."
        return Refusal("bet.under_minimum", no, habits.under_min.clause, number)
    if most is not None and stake > most:
        no = f"{money(stake)} on {spot.name} is over the maximum of {money(most)}."
        return Refusal("bet.over_maximum", no, habits.over_max.clause, number)
    return _steps(layout, table, spot, number, stake)


def _steps(layout: Layout, table: TableState, spot: Spot, number: int, stake: int) -> Refusal | None:
    """Multiples and units of the notice, and the parts of a split."""
    notice, money, steps = table.notice, layout.money, layout.book.notice.steps.clause
    if not spot.is_odds and not limits.is_multiple(notice, stake):
        no = f"The notice wants multiples of {money(notice.minimum)}; {money(stake)} is none."
        return Refusal("bet.not_a_multiple", no, steps, number)
    if not spot.is_odds and not limits.is_stepped(notice, stake):
        no = f"The notice wants steps of {money(notice.unit or 0)} from {money(notice.minimum)}; {money(stake)} is off them."
        return Refusal("bet.not_a_unit", no, steps, number)
    lot = spot.units * notice.chip
    if stake % lot and layout.book.money.indivisible_stake.value == "refuse":
        below, above = stake // lot * lot, stake // lot * lot + lot
        near = f"{money(above)}" if not below else f"{money(below)} or {money(above)}"
        no = f"{spot.name} divides by {spot.units}: {money(stake)} does not; {near} would."
        return Refusal("bet.indivisible", no, layout.book.money.indivisible_stake.clause, number)
    return None


def _odds_limit(  # noqa: PLR0913
    layout: Layout, table: TableState, spot: Spot, number: int, seat: Seat, stake: int, *, unchecked: bool
) -> Refusal | None:
    if not spot.is_odds or unchecked:
        return None
    most = limits.odds_cap(table.notice, spot, spot.number or table.puck, seat.felt[spot.flat].stake)
    if most is None or stake <= most:
        return None
    most -= most % table.notice.chip
    no = f"{layout.money(stake)} on {spot.name} is over the odds posted: at most {layout.money(most)} here."
    return Refusal("bet.over_odds", no, spot.rule.terms.limit, number)  # type: ignore[union-attr]


def _tokens(layout: Layout, seat: Seat, number: int, amount: int, tokens: int) -> Refusal | None:
    if not tokens:
        return None
    habit = layout.book.betting.tokens
    if not habit.value:
        return Refusal("bet.tokens_not_taken", f"{layout.book.name} plays without tokens.", habit.clause, number)
    if tokens < 0 or tokens > min(amount, seat.tokens):
        return Refusal("bet.short_tokens", f"There are {layout.money(seat.tokens)} in tokens.", habit.clause, number)
    return None


def _call_of_new(layout: Layout, table: TableState, seat: Seat, spot: Spot) -> Call | None:
    """A new bet on a come-out joins its kind: one button speaks for all of them."""
    if table.puck or not spot.rule.callable.value or layout.book.betting.on_scope.value == "wager":
        return None
    kin = (wager for key, wager in seat.felt.items() if _is_kin(layout, spot, layout.spots[key]))
    return "on" if any(wager.call == "on" for wager in kin) else None


def _is_kin(layout: Layout, spot: Spot, other: Spot) -> bool:
    """Whether one button speaks for both."""
    match layout.book.betting.on_scope.value:
        case "kind":
            return other.family == spot.family
        case "player":
            return other.rule.callable.value
        case "wager":
            return other.key == spot.key


# --- Down -----------------------------------------------------------------------------------------------------------


def take(layout: Layout, table: TableState, command: Take) -> Answer:
    """Take a wager down, whole or in part; what stood behind it follows."""
    spot = _spot_up(layout, table, command.wager, command.seat)
    if isinstance(spot, Refusal):
        return spot
    seat = table.seats[command.seat]
    up = seat.felt[spot.key]
    refused = (
        _phase(layout, table, command.seat)
        or _locked(table, spot, up, command.seat)
        or _left(layout, table, spot, up, command)
    )
    if refused:
        return refused
    events: list[Event] = [down(table, spot, command.seat, up, command.leave, "asked", spot.rule.removable.clause)]
    behind = seat.felt.get(spot.odds)
    if behind is not None:
        events += _odds_follow(layout, table, layout.spots[spot.odds], command.seat, behind, command.leave)
    events += _barred(layout, table, command.seat, spot)
    events += shooting.after_take(layout, table, command.seat, spot, command.leave)
    return tuple(events)


def _barred(layout: Layout, table: TableState, number: int, spot: Spot) -> list[Event]:
    """Lowering a don't bet that has its point may bar the player from all don't bets for a while."""
    habit = layout.book.betting.dont_ban
    on_its_point = spot.number or (spot.is_line and table.puck)
    if habit.value == "same bet" or not spot.is_dont or not on_its_point:
        return []
    return [DontBetsBarred(number, habit.clause)]


def down(  # noqa: PLR0913
    table: TableState, spot: Spot, number: int, up: Wager, left: int, why: str, clause: str
) -> WagerDown:
    """The event of chips coming down to `left`, commission and tokens shared out."""
    removed = up.stake - left
    back = commission.refund(spot, up.held, up.stake, removed, table.notice.chip) if up.held else 0
    held = 0 if not left else up.held - back
    tokens = max(0, min(up.tokens, removed))
    return WagerDown(number, spot.key, removed, left, back, held, why, clause, tokens)  # type: ignore[arg-type]


def _odds_follow(  # noqa: PLR0913
    layout: Layout, table: TableState, spot: Spot, number: int, up: Wager, flat: int
) -> list[Event]:
    """Odds end with their flat bet, and are cut to its new size."""
    if not flat:
        return [down(table, spot, number, up, 0, "its flat bet came down", spot.rule.terms.limit)]  # type: ignore[union-attr]
    most = limits.odds_cap(table.notice, spot, spot.number or table.puck, flat)
    if most is None or up.stake <= most:
        return []
    most -= most % table.notice.chip
    return [down(table, spot, number, up, most, "over the odds limit", spot.rule.terms.limit)]  # type: ignore[union-attr]


def _spot_up(layout: Layout, table: TableState, key: str, number: int) -> Spot | Refusal:
    """The spot where a sitting player has chips up."""
    spot = _spot(layout, table, key, number)
    if isinstance(spot, Refusal):
        return spot
    if key not in table.seats[number].felt:
        return Refusal("wager.not_up", f"Seat {number} has nothing up on {spot.name}.", None, number)
    return spot


def _locked(table: TableState, spot: Spot, up: Wager, number: int) -> Refusal | None:
    """Contract bets stay until they are decided."""
    rule = spot.rule
    locked = {
        "any time": False,
        "until its point": bool(spot.number or (spot.is_line and table.puck)),
        "until its first roll": bool(up.mark),
        "never": True,
    }[rule.removable.value]
    if not locked:
        return None
    no = f"{spot.name} stays up until it is decided."
    return Refusal("take.locked", no, rule.removable.clause, number)


def _left(layout: Layout, table: TableState, spot: Spot, up: Wager, command: Take) -> Refusal | None:
    """What a reduction leaves must be a lawful wager by itself."""
    left, number, money = command.leave, command.seat, layout.money
    if left == 0:
        return None
    if left < 0 or left >= up.stake:
        no = f"{money(up.stake)} is up on {spot.name}; a reduction leaves less, not {money(left)}."
        return Refusal("take.leaves_more", no, None, number)
    if left % table.notice.chip:
        return Refusal("amount.not_chips", f"{money(left)} is not whole chips.", layout.book.betting.made_with, number)
    least = limits.minimum(table.notice, spot)
    if left < least:
        no = f"{money(left)} on {spot.name} is under the minimum of {money(least)}; take it all or leave more."
        return Refusal("take.leaves_wrong", no, layout.book.money.under_min.clause, number)
    return _steps(layout, table, spot, number, left)


# --- On and off -----------------------------------------------------------------------------------------------------


def call_on(layout: Layout, table: TableState, command: CallOn) -> Answer:
    """Call a wager, and by the house's habit its kind, on."""
    spot = _callable(layout, table, command.wager, command.seat)
    if isinstance(spot, Refusal):
        return spot
    habits, seat = layout.book.betting, table.seats[command.seat]
    if command.by is not None and not set(command.by) & set(habits.on_confirmers.value):
        who = layout.crew(habits.on_confirmers.value)
        return Refusal("call.not_confirmed", f"On counts when the {who} puts the button down.", habits.on_confirmers.clause, command.seat)
    call: Call | None = "on" if not table.puck or habits.on_lasts.value == "until cancelled" else None
    kin = (key for key in seat.felt if _is_kin(layout, spot, layout.spots[key]))
    return tuple(
        WagerCalled(command.seat, key, call, habits.on_scope.clause)
        for key in kin
        if layout.spots[key].rule.callable.value
    )


def call_off(layout: Layout, table: TableState, command: CallOff) -> Answer:
    """Call one wager off."""
    spot = _callable(layout, table, command.wager, command.seat)
    if isinstance(spot, Refusal):
        return spot
    return (WagerCalled(command.seat, spot.key, "off", spot.rule.callable.clause),)


def _callable(layout: Layout, table: TableState, key: str, number: int) -> Spot | Refusal:
    spot = _spot_up(layout, table, key, number)
    if isinstance(spot, Refusal):
        return spot
    if not spot.rule.callable.value:
        no = f"{spot.name} cannot be called on or off."
        return Refusal("call.not_callable", no, spot.rule.callable.clause, number)
    return _phase(layout, table, number) or spot
