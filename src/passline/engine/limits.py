"""The notice: what may stand on it, and what it says of a stake before the throw and of chips found after it."""

from typing import NoReturn

from passline.engine.book import Book
from passline.engine.guards import WagerContext
from passline.engine.layout import Layout, Spot
from passline.engine.refusals import refuse
from passline.engine.table import Notice, Wager
from passline.engine.values import ClauseId
from passline.engine.verdicts import Wins


def minimum(notice: Notice, spot: Spot) -> int:
    match spot.rule.limits.value:
        case "props" if notice.props_minimum is not None:
            return notice.props_minimum
        case "side" if notice.side is not None:
            return notice.side[0]
        case _:
            return notice.minimum


def maximum(notice: Notice, spot: Spot) -> int | None:
    """The maximum bet on this spot; None where there is none, or another rule limits it."""
    if spot.is_odds and notice.odds is not None:
        return None
    if spot.rule.limits.value == "side" and notice.side is not None:
        return notice.side[1]
    return notice.maximum


def odds_cap(notice: Notice, spot: Spot, point: int, flat: int) -> int | None:
    """The most whole chips that may stand behind a flat bet: a multiple of it, or (laid) what wins that multiple."""
    if notice.odds is None:
        return None
    most = notice.odds[point] * flat
    if spot.side == "dont":
        rate = spot.rate_at(point)
        most = most * rate.denominator // rate.numerator
    return most - most % notice.chip


def in_step(ctx: WagerContext, stake: int) -> None:
    """A stake keeps to the notice's steps and to the parts of a split."""
    layout, notice, spot = ctx.layout, ctx.table.notice, ctx.spot
    money, sign = layout.money, layout.book.notice
    if notice.multiples and not spot.is_odds and stake % notice.minimum:
        no = f"The notice wants multiples of {money(notice.minimum)}; {money(stake)} is none."
        ctx.refuse("bet.not_a_multiple", no, sign.multiples)
    if notice.unit is not None and not spot.is_odds and (stake - notice.minimum) % notice.unit:
        no = f"The notice wants steps of {money(notice.unit)} from {money(notice.minimum)}; {money(stake)} is off them."
        ctx.refuse("bet.not_a_unit", no, sign.steps.clause)
    divide, lot = layout.book.money.indivisible_stake, spot.units * notice.chip
    if stake % lot and divide.value == "refuse":
        below, above = stake - stake % lot, stake - stake % lot + lot
        near = f"{money(below)} or {money(above)}" if below else money(above)
        no = f"{spot.name} divides by {spot.units}: {money(stake)} does not; {near} would."
        ctx.refuse("bet.indivisible", no, divide.clause)


SIGN = ClauseId("P-105")  # a sign that cannot be dealt is no sign


def check_notice(book: Book, notice: Notice, chip: int) -> None:
    """A notice can be dealt with this smallest chip. Every notice is checked here."""
    _check_bounds(book, notice, chip)
    _check_odds(book, notice)
    _check_words(book, notice)


def _check_bounds(book: Book, notice: Notice, chip: int) -> None:
    terms = book.notice
    if notice.chip != chip:
        _no_sign("The chips are the float's, and no sign changes them.", terms.chips.clause)
    if notice.maximum is None:
        _no_sign("A sign says the most that may be bet.")
    if notice.side is not None and not terms.side.value:
        _no_sign(f"The sign cannot say that at {book.name}.", terms.side.clause)
    bounds = [(notice.minimum, notice.maximum)]
    bounds += [] if notice.props_minimum is None else [(notice.props_minimum, notice.maximum)]
    bounds += [] if notice.side is None else [notice.side]
    for least, most in bounds:
        if least <= 0 or least % chip:
            _no_sign("A minimum is above nothing, and a whole number of the float's chips.")
        if most < least:
            _no_sign("A maximum is at least its minimum.")


def _check_odds(book: Book, notice: Notice) -> None:
    """Every point has its multiple, within what the book lets the house post; the house's own sign is one."""
    terms, posted = book.notice, notice.odds
    if posted == terms.odds.value:
        return
    if posted is None or set(posted) != set(book.points.value):
        _no_sign("The sign has an odds multiple for every point number, and for no other.", terms.odds.clause)
    least, most = terms.odds_from, terms.odds_to
    if any(multiple < least.value for multiple in posted.values()):
        _no_sign(f"Odds are {least.value} times the bet at least.", least.clause)
    if most.value is not None and any(multiple > most.value for multiple in posted.values()):
        _no_sign(f"Odds are {most.value} times the bet at most.", most.clause)


def _check_words(book: Book, notice: Notice) -> None:
    """What it says besides is what the signs of this house say."""
    steps, caller, named = book.notice.steps, book.notice.no_roll, notice.no_roll
    if (notice.multiples or notice.unit is not None) and not steps.value:
        _no_sign(f"The sign cannot say that at {book.name}.", steps.clause)
    if notice.unit is not None and notice.unit <= 0:
        _no_sign("A unit is above nothing.", steps.clause)
    if named is not None and not caller.value:
        _no_sign(f"The sign at {book.name} cannot say who calls no roll.", caller.clause)
    if named is not None and named not in book.no_roll.callers.value:
        _no_sign("The sign can name nobody else to call no roll than the book lets call it.", caller.clause)


def _no_sign(message: str, clause: ClauseId = SIGN) -> NoReturn:
    refuse("notice.wrong", message, clause)


def excess(notice: Notice, spot: Spot, stake: int) -> int:
    most = maximum(notice, spot)
    return 0 if most is None else max(0, stake - most)


def capped(layout: Layout, notice: Notice, spot: Spot, stake: int) -> int:
    """How much of a stake neither wins nor loses, where the house settles up to the maximum."""
    return excess(notice, spot, stake) if layout.book.money.over_max.value == "cap" else 0


def is_no_bet(layout: Layout, notice: Notice, spot: Spot, wager: Wager) -> bool:
    """Whether found chips are returned whatever the dice show."""
    if not wager.unchecked:
        return False
    money = layout.book.money
    if wager.stake < minimum(notice, spot):
        return money.under_min.value == "refuse" or (money.under_min.value == "settle then warn" and wager.warned)
    return bool(excess(notice, spot, wager.stake)) and money.over_max.value == "refuse"


def stake_to_pay(layout: Layout, notice: Notice, spot: Spot, wager: Wager, win: Wins) -> tuple[int, ClauseId | None]:
    """The stake a found winner is paid on, and the clause if it is not the whole stake."""
    money = layout.book.money
    over = capped(layout, notice, spot, wager.stake)
    if over:
        return wager.stake - over, money.over_max.clause
    improper = notice.multiples and not spot.is_odds and wager.stake % notice.minimum
    payable = wager.stake * win.rate.numerator % (win.rate.denominator * notice.chip) == 0
    if not improper or payable or money.improper_multiple.value == "none":
        return wager.stake, None
    floor_stake = money.improper_multiple.value == "floor stake"
    return wager.stake - improper if floor_stake else wager.stake, money.improper_multiple.clause
