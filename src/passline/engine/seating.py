"""Seats, chips bought and carried away, and what a supervisor may do."""

from passline.engine import commands as c
from passline.engine import events as e
from passline.engine import guards, limits, shooting, throwing
from passline.engine.betting import all_down
from passline.engine.evolve import evolve
from passline.engine.layout import Layout
from passline.engine.postings import undoing
from passline.engine.refusals import Events, refuse
from passline.engine.table import SEATS_MAX, TableState, Wager
from passline.engine.values import ClauseId, WagerKey

DICE_OUT = ClauseId("P-87")  # nothing is struck out or given back while the dice are out
NOTHING_UP = ClauseId("P-113")  # there is nothing to return
HAND_ENDS = ClauseId("P-92")  # the hand ends without a seven-out when everything goes back


def sit(_layout: Layout, table: TableState, command: c.Sit) -> Events:
    """Take a free seat; the buy-in goes to the rail as it is."""
    number = command.seat
    if not 1 <= number <= SEATS_MAX:
        refuse("seat.unknown", f"Seats are numbered 1 to {SEATS_MAX}.", None, number)
    if number in table.seats:
        refuse("seat.taken", f"Seat {number} is taken.", None, number)
    guards.an_amount(command.buyin, number, least=0)
    return (e.PlayerSat(number, command.name, command.buyin),)


def buy_in(layout: Layout, table: TableState, command: c.BuyIn) -> Events:
    guards.may_act(layout, table, command.seat)
    guards.an_amount(command.amount, command.seat)
    return (e.ChipsBought(command.seat, command.amount),)


def take_tokens(layout: Layout, table: TableState, command: c.TakeTokens) -> Events:
    habit = layout.book.betting.tokens
    guards.may_act(layout, table, command.seat)
    guards.an_amount(command.amount, command.seat)
    if not habit.value:
        refuse("bet.tokens_not_taken", f"{layout.book.name} plays without tokens.", habit.clause, command.seat)
    changers = layout.book.betting.vouchers
    if command.by is not None and command.by not in changers.value:
        no = f"A voucher is changed by the {layout.crew(changers.value)}."
        refuse("tokens.by", no, changers.clause, command.seat)
    if command.flaw is not None:
        no = f"The voucher does not hold here: {command.flaw}."
        refuse("tokens.voucher", no, changers.clause, command.seat)
    guards.whole_chips(layout, table, command.amount, command.seat, habit.clause)
    return (e.TokensGiven(command.seat, command.amount, changers.clause),)


def leave(layout: Layout, table: TableState, command: c.Leave) -> Events:
    seat = guards.may_act(layout, table, command.seat)
    events: list[e.Event] = []
    if table.shooter == command.seat:
        clause = layout.book.shooter.voluntary_pass.clause
        events += shooting.give_up(layout, table, command.seat, "left the table", clause)
    events.append(e.PlayerLeft(command.seat, seat.rail, bool(seat.felt), 0 if seat.felt else seat.tokens))
    return tuple(events)


def strike_out(layout: Layout, table: TableState, command: c.StrikeOut) -> Events:
    """Invalidate the last outcome while no chip has moved since; what it decided may go back to the rail."""
    habit = layout.book.floor.on_invalidation
    guards.settled(layout, table, clause=DICE_OUT)
    if table.before is None:
        no = "No outcome can be struck out: chips have moved since the last roll, or there was none."
        refuse("strike.nothing", no, habit.clause)
    struck = e.OutcomeStruckOut(command.reason, habit.clause, undoing(table, table.before))
    if habit.value == "as it lay":
        return (struck,)
    then = evolve(table, (struck,))
    wagers = ((number, key, then.seats[number].felt[key]) for number, key in table.before.decided)
    back = tuple(_refunded(*each, habit.clause) for each in wagers)
    return struck, *back, *throwing.afterwards(layout, then, back, hand_over=False)


def _refunded(number: int, key: str, wager: Wager, clause: ClauseId) -> e.WagerDown:
    """A stake that a struck-out roll decided goes back, with all the commission held for it."""
    return e.WagerDown(
        seat=number,
        wager=WagerKey(key),
        removed=wager.stake,
        left=0,
        refund=wager.held,
        held=0,
        why="its roll was struck out",
        clause=clause,
        tokens=wager.tokens,
    )


def return_all(layout: Layout, table: TableState, _command: c.ReturnAll) -> Events:
    clause = layout.book.floor.closing.clause if table.closing else HAND_ENDS
    guards.settled(layout, table, clause=DICE_OUT)
    return _all_back(layout, table, clause) or refuse("return.nothing", "Nothing is up.", NOTHING_UP)


def _all_back(layout: Layout, table: TableState, clause: ClauseId) -> tuple[e.Event, ...]:
    """Every wager goes back; a point that nobody has a bet on any more goes with them, and the hand is over."""
    down = tuple(all_down(layout, table, "returned by the supervisor", clause))
    if not down:
        return ()
    over: list[e.Event] = [e.PuckTurned(0, HAND_ENDS)] if table.puck else []
    return *down, *over, *throwing.afterwards(layout, table, down, hand_over=bool(table.puck))


def post_notice(layout: Layout, table: TableState, command: c.PostNotice) -> Events:
    ahead, notice = layout.book.floor.min_raise_notice_minutes, command.notice
    limits.check_notice(layout.book, notice, table.notice.chip)
    higher = any(limits.minimum(notice, spot) > limits.minimum(table.notice, spot) for spot in layout.spots.values())
    if higher and command.minutes_ahead < ahead.value:
        refuse("notice.too_soon", f"A higher minimum is announced {ahead.value} minutes ahead.", ahead.clause)
    return (e.NoticePosted(notice, ahead.clause),)


def close_table(layout: Layout, table: TableState, command: c.CloseTable) -> Events:
    """Announce the last hand, or give everything back where that is the habit."""
    ahead, habit = layout.book.floor.closing_notice_minutes, layout.book.floor.closing
    tells = layout.book.floor.closing_tells
    whom = None if tells.value == "nobody" else tells.value
    if whom is not None and command.told != whom:
        refuse("close.untold", f"The table closes once the {layout.crew((whom,))} has been told.", tells.clause)
    present = any(not seat.away for seat in table.seats.values())
    if present and command.minutes_ahead < ahead.value:
        refuse("close.too_soon", f"Closing is announced {ahead.value} minutes ahead.", ahead.clause)
    closing = e.TableClosing(habit.clause)
    if habit.value == "finish hand":
        return (closing,)
    return (closing, *_all_back(layout, table, habit.clause))
