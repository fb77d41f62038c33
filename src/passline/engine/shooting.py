"""Who holds the dice, who is offered them, and who throws when nobody will."""

from passline.engine import commands as c
from passline.engine import events as e
from passline.engine import guards, settle
from passline.engine.kinds import Fire
from passline.engine.layout import Layout, Spot
from passline.engine.refusals import Events, Refusal, refuse
from passline.engine.table import TableState, Thrower, clockwise_after
from passline.engine.values import ClauseId
from passline.engine.verdicts import TALLY, Loses, Wins

IN_HAND = ClauseId("P-84")  # Once dice are followed, whoever throws has two of them in hand
RETAINED = ClauseId("P-85")  # the two dice are kept once they were thrown
FINISHES = ClauseId("P-93")  # with a point on somebody always finishes the hand
LOWEST = ClauseId("P-97")  # Whom the dice reach at the roll itself is taken to have picked the lowest


def has_line_bet(layout: Layout, table: TableState, number: int) -> bool:
    felt = table.seats[number].felt
    for key in layout.line:  # noqa: SIM110 - due before every come-out roll; `any` costs twice as much
        if key in felt:
            return True
    return False


def who_throws(layout: Layout, table: TableState) -> Thrower | Refusal:
    """The seat whose throw comes next, by the house's order; or why nobody's does."""
    thrower = _by_the_book(layout, table) or _finishes_the_hand(table)
    if thrower is None:
        line = layout.spots[layout.line[0]].name if layout.line else "the line"
        if any(has_line_bet(layout, table, number) for number in table.seats):
            why = f"whoever has a bet on {line} is away or has passed the dice. Bet on it, and the dice are yours."
        else:
            why = f"no one has a bet on {line}. Make one, and the dice are yours."
        return Refusal("dice.no_shooter", f"No shooter: {why}", layout.book.shooter.needs_line_bet.clause)
    return _short_of_dice(layout, table, thrower) or thrower if table.dice.followed else thrower


def _by_the_book(layout: Layout, table: TableState) -> Thrower | None:
    shooter, declined, seats = table.shooter, table.declined, table.seats
    if shooter is not None and (table.puck or may_throw(layout, table, shooter)):
        return Thrower(shooter)
    for number in clockwise_after(table, table.last_shooter if shooter is None else shooter):
        if number not in declined and not seats[number].away and may_throw(layout, table, number):
            return Thrower(number)
    return _when_nobody_will(layout, table)


def may_throw(layout: Layout, table: TableState, number: int) -> bool:
    """Whether a seat may take the dice for a come-out: with a line bet, where the house wants one."""
    return not layout.book.shooter.needs_line_bet.value or has_line_bet(layout, table, number)


def _when_nobody_will(layout: Layout, table: TableState) -> Thrower | None:
    habits, last, puck = layout.book.shooter, table.last_shooter, table.puck
    there = last is not None and not table.last_left
    match habits.no_shooter.value:
        case "stickperson" if any(seat.felt for seat in table.seats.values()):
            return Thrower(None)
        case "previous shooter" if there and not puck and habits.come_only_rolls.value:
            come_bets = any(layout.spots[key].has_travelled for seat in table.seats.values() for key in seat.felt)
            return Thrower(last, come_only=True) if come_bets else None
        case "wait" if there and puck and habits.last_shooter_finishes.value and last not in table.declined:
            return Thrower(last)
        case _:
            return None


def _finishes_the_hand(table: TableState) -> Thrower | None:
    """With a point on the dice go to the next seat, passing over those that said no while another is there."""
    if not table.puck:
        return None
    there = [number for number in clockwise_after(table, table.last_shooter) if not table.seats[number].away]
    willing = [number for number in there if number not in table.declined]
    return Thrower((willing or there)[0]) if there else None


def _short_of_dice(layout: Layout, table: TableState, thrower: Thrower) -> Refusal | None:
    dice, wanted, seat = table.dice, layout.book.dice.chosen.value, thrower.seat
    if seat is not None and seat == table.shooter:
        if len(dice.out) == wanted:
            return None
        no = f"Seat {seat} throws with {wanted} dice and has {len(dice.out)} in hand: choose first."
        return Refusal("dice.too_few", no, IN_HAND, seat)
    fresh = dice.new_set_due and (seat is not None or table.shooter is not None)
    if fresh or len(dice.out) + len(dice.bowl) >= wanted:
        return None
    return Refusal("dice.too_few", f"There are not {wanted} dice on the table to throw.", LOWEST, seat)


def offer(layout: Layout, table: TableState) -> int | None:
    """The seat to be offered the dice now, if anybody holds back from them."""
    habits = layout.book.shooter
    if table.shooter is not None:
        return None
    wants_line = bool(table.puck) if not habits.offer_requires_line_bet.value else _line_bet_matters(layout, table)
    for number in clockwise_after(table, table.last_shooter):
        if number in table.declined or table.seats[number].away:
            continue
        if not wants_line or has_line_bet(layout, table, number):
            return number
    return None


def _line_bet_matters(layout: Layout, table: TableState) -> bool:
    """At the opening, and right after a seven-out, everybody may still make the line bet that the dice ask for."""
    return bool(table.puck) or (table.rolled and any(has_line_bet(layout, table, number) for number in table.seats))


def shoot(layout: Layout, table: TableState, command: c.Shoot) -> Events:
    guards.may_act(layout, table, command.seat)
    if table.shooter == command.seat:
        return ()
    habits = layout.book.shooter
    if table.shooter is not None:
        no = f"Seat {table.shooter} holds the dice."
        refuse("dice.held", no, habits.next_offer, command.seat)
    clause = habits.next_offer if table.rolled else habits.first_offer
    if table.puck and not has_line_bet(layout, table, command.seat):
        if _by_the_book(layout, table) is not None:
            no = "With a point on only a player with a line bet may take the dice."
            refuse("dice.needs_line_bet", no, habits.needs_line_bet.clause, command.seat)
        clause = FINISHES
    return *fresh_set(layout, table), e.DiceTaken(command.seat, clause)


def decline(layout: Layout, table: TableState, command: c.Decline) -> Events:
    """Say no; the offer goes round. A shooter who declines gives the dice up."""
    guards.may_act(layout, table, command.seat)
    events: list[e.Event] = []
    habits = layout.book.shooter
    if table.shooter == command.seat:
        events += _given_up(layout, table, command.seat)
    elif table.shooter is not None:
        no = f"Seat {table.shooter} holds the dice; they are not on offer."
        refuse("dice.held", no, habits.next_offer, command.seat)
    events.append(e.DiceDeclined(command.seat))
    due = offer(layout, table._replace(shooter=None, declined=table.declined | {command.seat}))
    if due is not None:
        moved_on = habits.next_offer if table.shooter == command.seat else habits.next_refused
        events.append(e.DiceOffered(due, moved_on if table.rolled else habits.first_refused))
    return tuple(events)


def pass_dice(layout: Layout, table: TableState, command: c.PassDice) -> Events:
    guards.may_act(layout, table, command.seat)
    _holds(table, command.seat)
    return _pass_on(layout, table, command.seat, _given_up(layout, table, command.seat))


def _given_up(layout: Layout, table: TableState, number: int) -> list[e.Event]:
    """A shooter gives the dice up by choice, where the house lets them."""
    habit = layout.book.shooter.voluntary_pass
    if habit.value == "come-out only" and table.puck:
        refuse("dice.keep", "The dice may be passed only on a come-out.", habit.clause, number)
    return give_up(layout, table, number, "by choice", habit.clause)


def order_pass(layout: Layout, table: TableState, command: c.OrderPass) -> Events:
    habit = layout.book.shooter.order_pass
    guards.settled(layout, table)
    guards.entitled("order.by", "The dice are taken away", layout, command.by, layout.book.shooter.ordered_by)
    if command.reason not in habit.value:
        no = f"The dice are taken away for {', '.join(habit.value)}; not for {command.reason}."
        refuse("order.reason", no, habit.clause)
    if table.shooter is None:
        refuse("dice.not_held", "Nobody holds the dice.", habit.clause)
    given_up = give_up(layout, table, table.shooter, "by order", habit.clause)
    return _pass_on(layout, table, table.shooter, given_up)


def _pass_on(layout: Layout, table: TableState, number: int, given_up: list[e.Event]) -> Events:
    due = offer(layout, table._replace(shooter=None, last_shooter=number, declined=table.declined | {number}))
    return (*given_up, *([] if due is None else [e.DiceOffered(due, layout.book.shooter.next_offer)]))


def give_up(layout: Layout, table: TableState, number: int, why: e.WhyGivenUp, clause: ClauseId) -> list[e.Event]:
    """The dice leave a shooter without a seven-out; a fire bet may end with that."""
    events: list[e.Event] = [e.DiceGivenUp(number, why, clause)]
    for seat, there in table.seats.items():
        for key, wager in there.felt.items():
            spot = layout.spots[key]
            terms = spot.rule.terms
            if isinstance(terms, Fire) and wager.mark and terms.on_pass.value != "continue":
                events.append(_fire_ends(layout, table, seat, spot))
    return events + fresh_set(layout, table)


def fresh_set(layout: Layout, table: TableState) -> list[e.Event]:
    """A set that has lost dice is replaced when the dice are given up."""
    return [new_set(layout)] if table.dice.new_set_due else []


def new_set(layout: Layout) -> e.Event:
    habits = layout.book.dice
    return e.NewSetBrought(habits.dice_set.value, habits.lost_for_new_set.clause)


def _fire_ends(layout: Layout, table: TableState, seat: int, spot: Spot) -> e.Event:
    """Settle or refund a fire bet when its shooter gives the dice up, where the house says so."""
    pile, terms = settle.Pile(layout, table, seat, spot, table.seats[seat].felt[spot.key]), spot.rule.terms
    assert isinstance(terms, Fire)
    if terms.on_pass.value == "refund":
        return settle.returned(pile, terms.on_pass.clause)
    verdict = terms.closed(pile.wager.mark - TALLY)
    if isinstance(verdict, Wins):
        return settle.won(pile, verdict)
    assert isinstance(verdict, Loses)
    return settle.lost(pile, verdict.clause)


def after_take(layout: Layout, table: TableState, number: int, spot: Spot, left: int) -> list[e.Event]:
    """A shooter who takes the last line bet down with a point on may lose the dice."""
    habits = layout.book.shooter
    if left or not spot.is_line or not table.puck or table.shooter != number or not habits.must_keep_line_bet.value:
        return []
    felt = table.seats[number].felt
    if any(key in felt for key in layout.line if key != spot.key):
        return []
    others = (other for other, seat in table.seats.items() if other != number and not seat.away)
    if habits.last_shooter_finishes.value and not any(has_line_bet(layout, table, other) for other in others):
        return []
    return give_up(layout, table, number, "no line bet", habits.must_keep_line_bet.clause)


def handed_over(layout: Layout, table: TableState, thrower: Thrower) -> list[e.Event]:
    """The dice reach whoever throws: a shooter without a line bet gives them up, and the next one takes them."""
    seat, come_only = thrower
    shooter, habits, dice = table.shooter, layout.book.shooter, table.dice
    if seat == shooter:
        return []
    events: list[e.Event] = []
    if shooter is not None:
        events += give_up(layout, table, shooter, "no line bet", habits.needs_line_bet.clause)
    if seat is None:
        return events
    if shooter is None and dice.new_set_due:
        events.append(new_set(layout))
    clause = habits.next_offer if table.rolled else habits.first_offer
    if come_only:
        clause = habits.no_shooter.clause
    elif table.puck and _by_the_book(layout, table) is None:
        clause = FINISHES
    events.append(e.DiceTaken(seat, clause))
    if dice.followed:
        there = range(1, layout.book.dice.dice_set.value + 1) if dice.new_set_due else sorted((*dice.out, *dice.bowl))
        events.append(e.DiceChosen(seat, tuple(there[: layout.book.dice.chosen.value]), LOWEST))
    return events


def choose_dice(layout: Layout, table: TableState, command: c.ChooseDice) -> Events:
    habits, dice = layout.book.dice, table.dice
    guards.may_act(layout, table, command.seat)
    _holds(table, command.seat)
    if len(set(command.dice)) != habits.chosen.value or len(command.dice) != habits.chosen.value:
        no = f"The shooter picks {habits.chosen.value} dice."
        refuse("dice.wrong_number", no, habits.chosen.clause, command.seat)
    for die in command.dice:
        if die in dice.found:
            no = f"Die {die} must be checked by the {layout.crew((habits.found_checked_by.value,))} first."
            refuse("dice.not_checked", no, habits.found_checked_by.clause, command.seat)
        if die not in dice.bowl and die not in dice.out:
            refuse("dice.not_in_bowl", f"Die {die} is not in the bowl.", habits.chosen.clause, command.seat)
    if not dice.unthrown and not dice.strayed:
        no = "The two dice are kept: others are chosen before the first throw, or after a die has left the table."
        refuse("dice.kept", no, RETAINED, command.seat)
    return (e.DiceChosen(command.seat, command.dice, habits.chosen.clause),)


def _holds(table: TableState, number: int) -> None:
    if table.shooter != number:
        refuse("dice.not_held", f"Seat {number} does not hold the dice.", None, number)
