"""Putting wagers up (between rolls, in the air, or found afterwards), taking them down, calling them on and off."""

from collections.abc import Callable, Iterator, Mapping

from passline.engine import commission, guards, limits, shooting
from passline.engine.commands import Bet, CallOff, CallOn, FindBet, LateBet, Take
from passline.engine.events import ChipsBought, DontBetsBarred, Event, WagerCalled, WagerDown, WagerUp, WhyDown
from passline.engine.guards import WagerContext, ask, ask_where_up
from passline.engine.kinds import Line, Odds
from passline.engine.layout import Layout
from passline.engine.refusals import Events, refusal_of
from passline.engine.table import Call, TableState, Wager
from passline.engine.values import Cited, ClauseId, Role, WagerKey
from passline.engine.verdicts import Window

COME_PUT = ClauseId("P-82")  # a come put needs a point on, as a come bet does


def bet(layout: Layout, table: TableState, command: Bet) -> Events:
    ctx = ask(layout, table, command.seat, command.wager)
    ctx.settled(layout.book.betting.before_the_throw)
    _tender(ctx, command)
    bought: tuple[Event, ...] = ()
    if command.tender == "cash":
        bought = (ChipsBought(command.seat, command.amount, layout.book.betting.cash.clause),)
        ctx = ctx._replace(seat=ctx.seat._replace(rail=ctx.seat.rail + max(0, command.amount)))
    return (*bought, _put_up(ctx, command.amount, tokens=command.tokens))


def late_bet(layout: Layout, table: TableState, command: LateBet) -> Events:
    ctx = ask(layout, table, command.seat, command.wager)
    habit, confirmed = layout.book.betting.late_bets, set(command.by)
    if table.phase != "dice out":
        ctx.refuse("bet.not_late", "The dice are not in the air: an ordinary bet will do.", habit.clause)
    if habit.value == "none":
        ctx.refuse("bet.late", "The dice are in the air: no bets until they rest.", habit.clause)
    needed = {"dealer", "box"}
    if not (confirmed >= needed if habit.value == "dealer and box" else confirmed & needed):
        crew = f" {habit.value.split()[1]} ".join(layout.crew((role,)) for role in ("dealer", "box"))
        ctx.refuse("bet.not_confirmed", f"A late bet counts once the {crew} confirmed it.", habit.clause)
    return (_put_up(ctx, command.amount, tokens=command.tokens, late=True),)


def find_bet(layout: Layout, table: TableState, command: FindBet) -> Events:
    return (_put_up(ask(layout, table, command.seat, command.wager), command.amount, unchecked=True),)


def _put_up(ctx: WagerContext, amount: int, *, tokens: int = 0, late: bool = False, unchecked: bool = False) -> WagerUp:
    layout, table, number, seat, spot = ctx
    up = seat.felt.get(spot.key)
    stake = amount + (up.stake if up else 0)
    guards.an_amount(amount, number)
    guards.whole_chips(layout, table, amount, number, layout.book.betting.made_with)
    _window(ctx, up)
    unlawful = unchecked and refusal_of(_limits, ctx, stake) is not None
    if not unchecked:
        _limits(ctx, stake)
    if spot.is_odds:
        _odds_limit(ctx, stake)
    if tokens:
        _tokens(ctx, amount, tokens)
    charge = 0
    if spot.rule.commission:
        over = limits.capped(layout, table.notice, spot, stake) if unchecked else 0
        charge = commission.to_raise(layout, spot, up, stake - over, table.notice.chip)
    if amount - tokens + charge > seat.rail:
        fee = f" and {layout.money(charge)} commission" if charge else ""
        short = f"{layout.money(amount)}{fee} on {spot.name} is more than the {layout.money(seat.rail)} on the rail."
        ctx.refuse("bet.short_rail", short)
    call = up.call if up else call_of_new(ctx)
    put = _put(ctx)
    made = put.clause if put else spot.rule.made.clause
    return WagerUp(
        seat=number,
        wager=spot.key,
        added=amount,
        stake=stake,
        commission=charge,
        clause=layout.book.betting.late_bets.clause if late else made,
        tokens=tokens,
        call=call,
        late=late,
        unchecked=unlawful,
        warned=unlawful and seat.warned,
    )


def _tender(ctx: WagerContext, command: Bet) -> None:
    habits, spot = ctx.layout.book.betting, ctx.spot
    match command.tender:
        case "chips":
            pass
        case "self":
            booked = spot.rule.booked_with
            if booked is not None:
                no = f"{spot.name} is booked with the {ctx.layout.crew(booked.value)}."
                ctx.refuse("bet.not_booked", no, booked.clause)
        case "spoken":
            booked = spot.rule.booked_with or habits.verbal_confirmers
            _confirmed(ctx, command, booked.value, booked.clause)
        case "cash":
            if habits.cash.value == "none" or (habits.cash.value == "all but line" and spot.is_line):
                clause = habits.cash.clause if habits.cash.value == "none" else habits.made_with
                ctx.refuse("bet.cash", f"{spot.name} is bet in chips: buy in first.", clause)
            _confirmed(ctx, command, ("dealer",), habits.cash.clause)


def _confirmed(ctx: WagerContext, command: Bet, allowed: tuple[Role, ...], clause: ClauseId) -> None:
    """A spoken bet counts only once someone entitled to has confirmed it."""
    if not set(command.by or ()) & set(allowed):
        ctx.refuse("bet.not_confirmed", f"A spoken bet counts when the {ctx.layout.crew(allowed)} confirms it.", clause)


def _window(ctx: WagerContext, up: Wager | None) -> None:
    layout, table, _, seat, spot = ctx
    rule, puck = spot.rule, table.puck
    if up is not None and up.mark:
        no = f"{spot.name} has seen a roll and can no longer be raised."
        ctx.refuse("bet.locked", no, rule.removable.clause)
    if spot.is_odds:
        if spot.flat not in seat.felt or not (spot.number or puck):
            no = f"{spot.name} stands behind {layout.spots[spot.flat].name}, which is not up on a point."
            ctx.refuse("bet.no_flat", no, rule.made.clause)
    elif table.closing:
        ctx.refuse("bet.closing", "The table is closing: only odds are taken.", layout.book.floor.closing.clause)
    if isinstance(rule.terms, Line):
        if _put(ctx):
            return
        _can_be_made(ctx, rule.terms)
    is_open, when = WINDOWS[rule.made.value]
    if not is_open(table):
        now = f"the point is {puck}" if puck else "the puck is off"
        ctx.refuse("bet.window", f"{spot.name} is made {when}; {now}.", rule.made.clause)


def _can_be_made(ctx: WagerContext, terms: Line) -> None:
    """Some flat bets cannot be made at all, even inside their window."""
    spot, rule = ctx.spot, ctx.spot.rule
    if terms.side == "dont" and ctx.seat.dont_banned:
        no = "A don't bet was lowered: no don't bets until a new come-out."
        ctx.refuse("bet.dont_banned", no, ctx.layout.book.betting.dont_ban.clause)
    if not spot.has_travelled:
        return
    if terms.put.value:
        ctx.refuse("bet.window", f"{spot.name} is put while a point is on; the puck is off.", COME_PUT)
    kind = ctx.layout.spots[spot.family].name.removesuffix(" Bet")
    no = f"You can't bet {spot.name} directly: a {kind} bet moves there when {spot.number} rolls."
    ctx.refuse("wager.not_offered", no, rule.made.clause)


def _put(ctx: WagerContext) -> Cited[bool] | None:
    """The house's rule on put bets, if this bet would be one; a come put needs a point too."""
    terms = ctx.spot.rule.terms
    return terms.put if isinstance(terms, Line) and ctx.spot.is_put(ctx.table.puck) else None


# Whether each window is open, and how people say when it is.
WINDOWS: Mapping[Window, tuple[Callable[[TableState], object], str]] = {
    "any time": (lambda _: True, "at any time"),
    "come-out": (lambda table: not table.puck, "before a come-out roll"),
    "point on": (lambda table: table.puck, "while a point is on"),
    "after come-out": (lambda table: table.rolled, "after a come-out roll"),
    "first come-out": (lambda table: table.fresh_hand, "before the first roll of a hand"),
    "after a seven": (lambda table: table.after_seven and not table.puck, "right after a seven"),
}


def _limits(ctx: WagerContext, stake: int) -> None:
    notice, money, spot = ctx.table.notice, ctx.layout.money, ctx.spot
    least, most = limits.minimum(notice, spot), limits.maximum(notice, spot)
    if stake < least:
        no = f"{money(stake)} on {spot.name} is under the minimum of {money(least)}."
        ctx.refuse("bet.under_minimum", no, spot.rule.limits.clause)
    if most is not None and stake > most:
        no = f"{money(stake)} on {spot.name} is over the maximum of {money(most)}{_already(ctx)}."
        ctx.refuse("bet.over_maximum", no, spot.rule.limits.clause)
    limits.in_step(ctx, stake)


def _odds_limit(ctx: WagerContext, stake: int) -> None:
    spot, table, money = ctx.spot, ctx.table, ctx.layout.money
    most = limits.odds_cap(table.notice, spot, spot.number or table.puck, ctx.seat.felt[spot.flat].stake)
    if most is None or stake <= most:
        return
    assert isinstance(spot.rule.terms, Odds)
    no = f"{money(stake)} on {spot.name} is over the odds posted: at most {money(most)} here{_already(ctx)}."
    ctx.refuse("bet.over_odds", no, spot.rule.terms.limit)


def _already(ctx: WagerContext) -> str:
    """Added to a refusal of too high a stake: how much is already up."""
    up = ctx.seat.felt.get(ctx.spot.key)
    return "" if up is None else f", and {ctx.layout.money(up.stake)} is already up"


def _tokens(ctx: WagerContext, amount: int, tokens: int) -> None:
    habit, has = ctx.layout.book.betting.tokens, ctx.seat.tokens
    if not habit.value:
        ctx.refuse("bet.tokens_not_taken", f"{ctx.layout.book.name} plays without tokens.", habit.clause)
    if not 0 < tokens <= min(amount, has) or tokens % ctx.table.notice.chip:
        ctx.refuse("bet.short_tokens", f"There are {ctx.layout.money(has)} in tokens.", habit.clause)


def take(layout: Layout, table: TableState, command: Take) -> Events:
    """Take a wager down; what stood behind it follows."""
    ctx, left = ask_where_up(layout, table, command.seat, command.wager), command.leave
    ctx.settled(layout.book.betting.hands_off)
    _unlocked(ctx)
    if left:
        _lawful(ctx, left)
    taken = down(ctx, left, "asked", ctx.spot.rule.removable.clause)
    dice = shooting.after_take(layout, table, command.seat, ctx.spot, left)
    return (taken, *_odds_follow(ctx, left), *_barred(ctx), *dice)


def down(ctx: WagerContext, left: int, why: WhyDown, clause: ClauseId) -> WagerDown:
    """Takes a wager down to `left`, with its share of commission and tokens."""
    spot, up = ctx.spot, ctx.seat.felt[ctx.spot.key]
    removed = up.stake - left
    back = commission.refund(spot, up, removed, ctx.table.notice.chip) if up.held else 0
    held = up.held - back if left else 0
    forfeited, tokens = up.held - back - held, min(up.tokens, removed)
    unchecked = up.unchecked and bool(left) and (why != "asked" or limits.excess(ctx.table.notice, spot, left) > 0)
    known, amounts = ctx.layout.memory.downs, (removed, left, back, held, tokens, forfeited)
    key = (ctx.number, ctx.seat.name, spot.key, amounts, why, clause, unchecked)
    if (event := known.get(key)) is not None:
        return event
    event = known[key] = WagerDown(
        seat=ctx.number,
        wager=spot.key,
        removed=removed,
        left=left,
        refund=back,
        held=held,
        why=why,
        clause=clause,
        tokens=tokens,
        kept=forfeited,
        unchecked=unchecked,
    )
    return event


def all_down(layout: Layout, table: TableState, why: WhyDown, clause: ClauseId) -> Iterator[WagerDown]:
    for number, seat in table.seats.items():
        for key in seat.felt:
            yield down(WagerContext(layout, table, number, seat, layout.spots[key]), 0, why, clause)


def _odds_follow(ctx: WagerContext, flat: int) -> Iterator[Event]:
    """Odds end with their flat bet, and are cut to its new size."""
    behind = ctx.seat.felt.get(ctx.spot.odds)
    if behind is None:
        return
    spot = ctx.layout.spots[ctx.spot.odds]
    assert isinstance(spot.rule.terms, Odds)
    odds, limit = ctx._replace(spot=spot), spot.rule.terms.limit
    if not flat:
        yield down(odds, 0, "its flat bet came down", limit)
        return
    most = limits.odds_cap(ctx.table.notice, spot, spot.number or ctx.table.puck, flat)
    if most is not None and behind.stake > most:
        yield down(odds, most, "over the odds limit", limit)


def _barred(ctx: WagerContext) -> Iterator[Event]:
    """Lowering a don't bet that has its point may bar the player from all don't bets for a while."""
    habit = ctx.layout.book.betting.dont_ban
    if habit.value == "all until come-out" and ctx.spot.is_dont and ctx.on_its_point:
        yield DontBetsBarred(ctx.number, habit.clause)


def _unlocked(ctx: WagerContext) -> None:
    """Contract bets stay until they are decided."""
    removable = ctx.spot.rule.removable
    locked = {
        "any time": False,
        "until its point": ctx.on_its_point,
        "until its first roll": bool(ctx.seat.felt[ctx.spot.key].mark),
        "never": True,
    }[removable.value]
    if locked:
        ctx.refuse("take.locked", f"{ctx.spot.name} stays up until it is decided.", removable.clause)


def _lawful(ctx: WagerContext, left: int) -> None:
    """What a reduction leaves must be a lawful wager by itself."""
    money, spot, up = ctx.layout.money, ctx.spot, ctx.seat.felt[ctx.spot.key]
    if left < 0 or left >= up.stake:
        no = f"{money(up.stake)} is up on {spot.name}; a reduction leaves less, not {money(left)}."
        ctx.refuse("take.leaves_more", no)
    guards.whole_chips(ctx.layout, ctx.table, left, ctx.number, ctx.layout.book.betting.made_with)
    least = limits.minimum(ctx.table.notice, spot)
    if left < least:
        no = f"{money(left)} on {spot.name} is under the minimum of {money(least)}; take it all or leave more."
        ctx.refuse("take.leaves_wrong", no, ctx.spot.rule.limits.clause)
    limits.in_step(ctx, left)


def call_on(layout: Layout, table: TableState, command: CallOn) -> Events:
    """Call a wager, and by the house's habit its kind, on."""
    ctx = _callable(layout, table, command.seat, command.wager)
    habits = layout.book.betting
    confirmers = habits.on_confirmers
    if command.by is not None and not set(command.by) & set(confirmers.value):
        no = f"On counts when the {layout.crew(confirmers.value)} puts the button down."
        ctx.refuse("call.not_confirmed", no, confirmers.clause)
    call: Call | None = "on" if not table.puck or habits.on_lasts.value == "until cancelled" else None
    return tuple(WagerCalled(command.seat, key, call, habits.on_scope.clause) for key in _kin(ctx))


def call_off(layout: Layout, table: TableState, command: CallOff) -> Events:
    ctx = _callable(layout, table, command.seat, command.wager)
    return (WagerCalled(command.seat, ctx.spot.key, "off", ctx.spot.rule.callable.clause),)


def call_of_new(ctx: WagerContext) -> Call | None:
    """A new bet on a come-out joins its kind: one button speaks for all of them."""
    if ctx.table.puck or not ctx.spot.rule.callable.value:
        return None
    return "on" if any(ctx.seat.felt[key].call == "on" for key in _kin(ctx)) else None


def _kin(ctx: WagerContext) -> Iterator[WagerKey]:
    """The player's wagers that one button on this spot covers."""
    scope, spots, spot = ctx.layout.book.betting.on_scope.value, ctx.layout.spots, ctx.spot
    for key in ctx.seat.felt:
        other = spots[key]
        same_kind = scope == "kind" and other.family == spot.family
        if key == spot.key or same_kind or (scope == "player" and other.rule.callable.value):
            yield other.key


def _callable(layout: Layout, table: TableState, number: int, key: str) -> WagerContext:
    ctx = ask_where_up(layout, table, number, key)
    if not ctx.spot.rule.callable.value:
        ctx.refuse("call.not_callable", f"{ctx.spot.name} cannot be called on or off.", ctx.spot.rule.callable.clause)
    ctx.settled(layout.book.betting.hands_off)
    return ctx
