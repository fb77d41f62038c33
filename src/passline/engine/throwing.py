"""Dice out, called, settled: what a throw does, what spoils it, and how a doubtful face is read."""

from collections.abc import Sequence

from passline.engine import commands as c
from passline.engine import events as e
from passline.engine import guards, shooting
from passline.engine.evolve import evolve
from passline.engine.kinds import Line
from passline.engine.layout import Called, Layout
from passline.engine.postings import place, postings, sums
from passline.engine.refusals import Events, heeded, refuse
from passline.engine.settle import has_buttons, settle
from passline.engine.table import Seat, TableState, Thrower
from passline.engine.values import FACES, OPPOSITE_FACES_SUM, ROLLS, SEVEN, Cited, ClauseId, Roll

POSSIBLE = frozenset(ROLLS)  # what two real dice can show
RULED_ON = ClauseId("P-99")  # where a ruling must name a face, no call of no roll ends the doubt
AFTER_ONE = ClauseId("P-101")  # a set that is short of dice, not yet by so many, is replaced with the next shooter


def send_dice(layout: Layout, table: TableState, _command: c.SendDice) -> Events:
    guards.settled(layout, table, clause=layout.book.betting.before_the_throw)
    thrower = heeded(shooting.who_throws(layout, table))
    # The stickperson's throw may be void, and then whoever held the dice holds them still (P-114).
    taken = () if thrower.seat is None else shooting.handed_over(layout, table, thrower)
    return (*taken, e.DiceSent(thrower.seat, thrower.come_only))


def throw(layout: Layout, table: TableState, command: c.Throw) -> Events:
    """Settle a valid throw: every wager by the puck as it lies, then the puck, then the dice."""
    if table.phase != "betting" or command.roll not in POSSIBLE:
        _readable(layout, table, command.roll)
    return _settled(layout, table, command.roll)


def _settled(layout: Layout, table: TableState, roll: Roll) -> Events:
    seat, come_only, followed = table.shooter, False, table.dice.followed
    handed_over: Sequence[e.Event] = ()
    if seat is None or followed or table.thrower or not (table.puck or shooting.may_throw(layout, table, seat)):
        thrower = _thrower(layout, table)
        seat, come_only = thrower
        handed_over = shooting.handed_over(layout, table, thrower)
        if table.shooter is not None or followed:
            table = evolve(table, handed_over)  # giving the dice up may have ended a fire bet, or brought new ones
    called, buttons_off, hand_over, stands = _called(layout, table, roll, seat, come_only=come_only)
    decided = settle(layout, table, roll, stands)
    buttons = _buttons_off(layout, table, decided) if buttons_off else ()
    after = afterwards(layout, table, decided, hand_over=hand_over)
    if not (decided or handed_over or buttons or after):
        return called
    thrown, *turned = called
    return (*handed_over, thrown, *decided, *turned, *buttons, *after)


def _thrower(layout: Layout, table: TableState) -> Thrower:
    return table.thrower or heeded(shooting.who_throws(layout, table))


def _called(layout: Layout, table: TableState, roll: Roll, seat: int | None, *, come_only: bool) -> Called:
    """The call and what happens to the puck and the dice, remembered."""
    memory, puck, due = layout.memory, table.puck, table.dice.new_set_due
    name = table.seats[seat].name if seat is not None and seat in table.seats else None
    called = memory.throws.get((puck, roll, seat, name, come_only, due))
    if called is None:
        total = roll.total
        thrown = e.DiceThrown(first=roll[0], second=roll[1], total=total, thrower=seat, puck=puck, come_only=come_only)
        turned = () if come_only else tuple(_turn(layout, table, total, seat))
        lasts, sets_point = layout.book.betting.on_lasts, not (come_only or puck) and total in layout.book.points.value
        buttons_off = sets_point if lasts.value == "until point" else lasts.value == "one roll"
        hand_over = bool(puck) and total in (puck, SEVEN)
        called = Called((thrown, *turned), buttons_off, hand_over, memory.stands[puck, roll.throw])
        memory.throws[puck, roll, seat, name, come_only, due] = called
    return called


def afterwards(layout: Layout, table: TableState, decided: Sequence[e.Event], *, hand_over: bool) -> list[e.Event]:
    """Bars that were lifted, seats that are done with."""
    events: list[e.Event] = []
    for number, seat in table.seats.items():
        if hand_over and seat.dont_banned:
            events.append(e.DontBarLifted(number, layout.book.betting.dont_ban.clause))
        if seat.away:
            events += _cleared(number, seat, decided)
    return events


def _buttons_off(layout: Layout, table: TableState, decided: Sequence[e.Event]) -> list[e.Event]:
    if not any(map(has_buttons, table.seats.values())):
        return []
    ends = (e.WagerLost, e.WagerReturned, e.WagerWon, e.WagerPushed)
    over = (event for event in decided if isinstance(event, ends) and not getattr(event, "stays", False))
    gone = {(event.seat, event.wager) for event in over}
    on = tuple(
        (number, layout.spots[key].key)
        for number, seat in table.seats.items()
        for key, wager in seat.felt.items()
        if wager.call == "on" and (number, key) not in gone
    )
    return [e.ButtonsLifted(on, layout.book.betting.on_lasts.clause)] if on else []


def _cleared(number: int, seat: Seat, decided: Sequence[e.Event]) -> list[e.Event]:
    """A player who left is done once nothing of theirs is up; what came back is held at the cage."""
    more = sums(move for event in decided for move in postings(event))
    up = sum(wager.stake for wager in seat.felt.values())
    up += sum(more[there] for there in more if there.seat == number and there.name in ("felt", "tokens up"))
    if up:
        return []
    rail, tokens = more.get(place("rail", number), 0), more.get(place("tokens", number), 0)
    return [e.SeatCleared(number, seat.rail + rail, seat.tokens + tokens)]


def _turn(layout: Layout, table: TableState, total: int, seat: int | None) -> list[e.Event]:
    """The puck follows the roll, and a seven-out ends the hand."""
    points, habits = layout.book.points, layout.book.shooter
    if not table.puck:
        if total in points.value:
            return [e.PuckTurned(total, points.clause)]
        if habits.passes_on.value == "any pass loss" and _pass_lost(layout, total):
            return [e.ShooterLost(seat, habits.passes_on.clause), *shooting.fresh_set(layout, table)]
        return []
    if total == SEVEN:
        out = e.SevenOut(seat, habits.passes_on.clause)
        return [e.PuckTurned(0, _point_over(layout, made=False)), out, *shooting.fresh_set(layout, table)]
    return [e.PuckTurned(0, _point_over(layout, made=True))] if total == table.puck else []


def _point_over(layout: Layout, *, made: bool) -> ClauseId:
    """The clause by which a point is over: that of the line bet which it decides."""
    terms = (spot.rule.terms for spot in layout.spots.values() if spot.is_line and not spot.is_dont)
    line = next((each for each in terms if isinstance(each, Line)), None)
    if line is None:
        return layout.book.points.clause
    return line.then_wins if made else line.then_loses


def _pass_lost(layout: Layout, total: int) -> bool:
    lines = (spot.rule.terms for spot in layout.spots.values() if spot.is_line)  # offered or not: the dice pass by it
    return any(total in line.loses.value for line in lines if line.side == "do")  # type: ignore[union-attr]


def watch_throw(layout: Layout, table: TableState, command: c.WatchThrow) -> Events:
    """Settle a throw, or void it, by what was seen to be wrong with it."""
    _readable(layout, table, command.roll)
    habits = layout.book.no_roll
    if command.flaw in habits.no_cause:
        return _settled(layout, table, command.roll)
    handling = habits.causes.get(command.flaw)
    if handling is None:
        no = f"{layout.book.name}'s rules don't list \"{command.flaw}\" as a fault; they list"
        refuse("no_roll.flaw", f"{no} {', '.join(habits.causes)}.")
    if handling.value == "may call":
        return _settled(layout, table, command.roll)
    _thrower(layout, table)  # somebody has thrown what is called
    by = None if handling.value == "auto" else table.notice.no_roll or habits.callers.value[0]
    return (e.NoRollCalled(command.flaw, by, handling.clause),)


def call_no_roll(layout: Layout, table: TableState, command: c.CallNoRoll) -> Events:
    habits, named = layout.book.no_roll, table.notice.no_roll
    if layout.book.dice.dispute.value == "face":
        guards.undoubted(layout, table, RULED_ON)
    callers = habits.callers if named is None else Cited((named,), layout.book.notice.no_roll.clause)
    guards.entitled("no_roll.caller", "A no-roll is called", layout, command.by, callers)
    if command.by is not None and command.reason in habits.no_cause:
        no = f"At {layout.book.name} a no-roll is not called for {command.reason.replace('-', ' ')}."
        refuse("no_roll.flaw", no, habits.no_cause[command.reason])
    cause = habits.causes.get(command.reason)
    return (e.NoRollCalled(command.reason, command.by, cause.clause if cause else habits.callers.clause),)


def cocked_die(layout: Layout, table: TableState, command: c.CockedDie) -> Events:
    guards.undoubted(layout, table)
    faces = {command.sure, *command.leaning}
    if not command.leaning or not all(face in FACES for face in faces):
        refuse("dice.impossible", "A die has faces 1 to 6, and leans on at least one.", layout.book.dice.faces)
    thrower = _thrower(layout, table)
    habit = layout.book.dice.cocked if len(set(command.leaning)) == 1 else layout.book.dice.cocked_on_more
    if habit.value == "no roll":
        return (e.NoRollCalled("cocked", None, habit.clause),)
    if habit.value == "ruling":
        return (e.FaceDoubted(command.sure, "cocked", habit.clause, *thrower),)
    face = OPPOSITE_FACES_SUM - command.leaning[0]
    return (e.FaceRead(face, habit.clause), *_settled(layout, table, Roll(command.sure, face)))


def dispute_face(layout: Layout, table: TableState, command: c.DisputeFace) -> Events:
    guards.undoubted(layout, table)
    if command.sure not in FACES:
        refuse("dice.impossible", "A die has faces 1 to 6.", layout.book.dice.faces)
    return (e.FaceDoubted(command.sure, "disputed", layout.book.dice.dispute.clause, *_thrower(layout, table)),)


def rule_face(layout: Layout, table: TableState, command: c.RuleFace) -> Events:
    """The box names the face, or has the dice thrown again where the house allows it."""
    habit = layout.book.dice.dispute
    if table.doubt is None:
        refuse("phase.not_disputed", "No face is in doubt.", habit.clause)
    rulers = layout.book.dice.ruled_by
    guards.entitled("rule.by", "A face in doubt is ruled on", layout, command.by, rulers)
    if command.face is None:
        if habit.value == "face":
            refuse("rule.no_void", "The ruling must name a face.", habit.clause)
        return (e.NoRollCalled(table.doubt.why, rulers.value[0], habit.clause),)
    if command.face not in FACES:
        refuse("dice.impossible", "A die has faces 1 to 6.", layout.book.dice.faces)
    return (e.FaceRead(command.face, habit.clause), *_settled(layout, table, Roll(table.doubt.sure, command.face)))


def lose_die(layout: Layout, table: TableState, command: c.LoseDie) -> Events:
    habits, dice, die = layout.book.dice, table.dice, command.die
    there = {"off": (*dice.out, *dice.bowl), "found": dice.off, "checked": dice.found, "lost": (*dice.off, *dice.found)}
    if die not in there[command.what]:
        refuse("dice.not_in_bowl", f"Die {die} is not there to be {command.what}.", habits.chosen.clause)
    if command.what == "checked" and command.by is not None and command.by != habits.found_checked_by.value:
        no = f"A found die is checked by the {layout.crew((habits.found_checked_by.value,))}."
        refuse("dice.not_checked", no, habits.found_checked_by.clause)
    clause = habits.off_table if command.what == "off" else habits.found_checked_by.clause
    events: list[e.Event] = [e.DieMoved(die, command.what, clause)]
    if command.what == "off" and table.phase == "dice out":
        cause = layout.book.no_roll.causes.get("off-table")
        events.append(e.NoRollCalled("off-table", None, cause.clause if cause else clause))
    if command.what == "lost":
        events += _replaced(layout, table)
    return tuple(events)


def _replaced(layout: Layout, table: TableState) -> list[e.Event]:
    """After a loss the shooter goes on with the rest and a fresh set comes at the next change; sooner if it must."""
    habit, lost = layout.book.dice.lost_for_new_set, len(table.dice.lost) + 1
    enough, left = lost >= habit.value, table.dice.in_set - lost
    due = e.NewSetDue(habit.clause if enough else AFTER_ONE)
    at_once = enough and (table.shooter is None or left < layout.book.dice.chosen.value)
    return [due, shooting.new_set(layout)] if at_once else [due]


def _readable(layout: Layout, table: TableState, roll: Roll) -> None:
    """Two dice can show it, and no face is in doubt."""
    if roll not in POSSIBLE:
        refuse("dice.impossible", f"Two dice cannot show {roll[0]}-{roll[1]}.", layout.book.dice.faces)
    guards.undoubted(layout, table)
