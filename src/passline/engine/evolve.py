"""Events become the next table: the only place where state changes. What moves money is in `postings`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from operator import itemgetter
from typing import TYPE_CHECKING, assert_never

from passline.engine import events as e
from passline.engine.events import Event
from passline.engine.postings import postings, sums
from passline.engine.table import Before, Dice, Doubt, Seat, TableState, Thrower, Wager
from passline.engine.values import SEVEN

if TYPE_CHECKING:
    OfAWager = e.WagerUp | e.WagerDown | e.WagerCalled | e.WagerTravelled | e.WagerTallied | e.Decision
    Seats = Mapping[int, Seat]
    OfASeat = OfAWager | e.PlayerSat | e.ChipsBought | e.TokensGiven | e.PlayerLeft | e.SeatCleared

NOBODY: frozenset[int] = frozenset()

# Makes a named tuple from all its fields in one call; its own way in is a second one, and there are three a roll.
_new = tuple.__new__

# What a roll can change, as a table has it.
_as_it_was = itemgetter(*map(TableState._fields.index, Before._fields[:-2]))

STEPS_MAX = 16_384  # how many steps of wagers are remembered before the memory is emptied


def evolve(table: TableState, events: Iterable[Event]) -> TableState:  # noqa: C901, PLR0915 - one case an event
    """Returns the table after these events. The most frequent events come first."""
    # Taken apart into names here and put together again below: docs/decisions/0009 says what that gave.
    # fmt: off
    (notice, dice, seats, puck, shooter, last_shooter, last_left, phase, thrower, declined,
     fresh_hand, after_seven, rolled, bank, bought, doubt, closing, before) = table
    # fmt: on
    ours: dict[int, Seat] = {}  # the seats, once they are a copy
    decided: list[tuple[int, str]] | None = None  # None: nothing was rolled
    for event in events:
        step = _steps.get(id(event))
        if step is None:
            match event:
                case e.DiceThrown():
                    decided = []
                    rolled, fresh_hand, after_seven = True, False, event.total == SEVEN
                    phase, thrower, doubt, declined = "betting", None, None, NOBODY
                    if dice.unthrown:
                        dice = _thrown(dice)
                    if event.thrower is None:
                        shooter = None
                case e.PuckTurned():
                    puck = event.to
                case e.SevenOut() | e.ShooterLost():
                    shooter = None
                    if dice.out:
                        dice = dice._replace(out=())
                    fresh_hand = fresh_hand or isinstance(event, e.SevenOut)
                case e.DiceTaken():
                    shooter, last_shooter, last_left, declined = event.seat, event.seat, False, declined - {event.seat}
                    dice, before = _taken(dice), _touched(before)
                case e.OfAWager():
                    step = _remembered(event, event.wager, seats[event.seat].felt)
                case e.PlayerSat():
                    seats = dict(sorted({**seats, event.seat: Seat(event.name, 0, {})}.items()))
                    seats, more = _booked(seats, event)
                    bought, before = bought + more, None
                case e.PlayerLeft():
                    seats, more = _booked(seats, event)
                    bought, before = bought + more, None
                    declined -= {event.seat}
                    last_left = last_left or last_shooter == event.seat
                    if event.leaves_wagers:
                        seats = {**seats, event.seat: seats[event.seat]._replace(away=True)}
                    else:
                        seats = _without(seats, event.seat)
                case e.ChipsBought() | e.TokensGiven():
                    seats, more = _booked(seats, event)
                    bought, before = bought + more, None
                case e.SeatCleared():
                    seats, more = _booked(seats, event)
                    bought, seats = bought + more, _without(seats, event.seat)
                case e.ButtonsLifted():
                    for number, wager in event.wagers:
                        seats = {**seats, number: _button_lifted(seats[number], wager)}
                case e.DontBetsBarred() | e.DontBarLifted():
                    banned = isinstance(event, e.DontBetsBarred)
                    seats = {**seats, event.seat: seats[event.seat]._replace(dont_banned=banned)}
                case e.PlayerWarned():
                    seats = {**seats, event.seat: seats[event.seat]._replace(warned=True)}
                case e.DiceDeclined():
                    declined |= {event.seat}
                case e.DiceGivenUp():
                    shooter, last_shooter = None, event.seat
                    if event.why in ("by choice", "by order"):
                        declined |= {event.seat}
                    dice, before = dice._replace(out=(), unthrown=False), _touched(before)
                case e.DiceChosen():
                    dice, before = dice._replace(out=event.dice, followed=True, strayed=False), _touched(before)
                case e.DieMoved():
                    dice, before = _die_moved(dice, event), _touched(before)
                case e.NewSetDue():
                    dice = dice._replace(new_set_due=True)
                case e.NewSetBrought():
                    dice = Dice(in_set=event.dice, followed=dice.followed, unthrown=dice.unthrown, strayed=True)
                case e.DiceSent():
                    phase, thrower = "dice out", Thrower(event.thrower, event.come_only)
                case e.NoRollCalled():
                    phase, thrower, doubt = "betting", None, None
                case e.FaceDoubted():
                    phase, doubt = "disputed", Doubt(event.sure, event.why)
                    thrower = Thrower(event.thrower, event.come_only)
                case e.OutcomeStruckOut():
                    assert before is not None, "an outcome is struck out only while the table before it is kept"
                    if not before.touched:  # dice that were touched since stay where they are
                        dice, shooter = before.dice, before.shooter
                        last_shooter, last_left = before.last_shooter, before.last_left
                    seats, puck, declined = before.seats, before.puck, declined | before.declined
                    fresh_hand, after_seven, rolled = before.fresh_hand, before.after_seven, before.rolled
                    bank, bought, before = before.bank, before.bought, None
                case e.NoticePosted():
                    notice = event.notice
                case e.TableClosing():
                    closing = True
                case e.DiceOffered() | e.FaceRead():
                    pass
                case _:
                    assert_never(event)
        if step is not None:
            name, rail, there, tokens, warned, away, dont_banned = seats[step.seat]
            key, felt = step.key, {**there}
            up = felt.get(key)
            if up is not step.up and up != step.up:
                step = _remembered(step.event, key, felt)
            if step.leaves:
                del felt[key]
            if step.wager is not None:
                felt[step.to] = step.wager
            if seats is not ours:
                seats = ours = {**seats}
            seat = (name, rail + step.rail, felt, tokens + step.tokens, warned, away, dont_banned)
            ours[step.seat] = _new(Seat, seat)
            bank += step.bank
            if step.moves:
                before = None
            if step.decides and decided is not None:
                decided.append(step.decides)
    if decided is not None:  # dice that were handed over for this roll go back too if it is struck out
        before = _new(Before, _as_it_was(table) + (tuple(decided), False))  # noqa: RUF005 - half the time
    # fmt: off
    after = (notice, dice, seats, puck, shooter, last_shooter, last_left, phase, thrower, declined,
             fresh_hand, after_seven, rolled, bank, bought, doubt, closing, before)
    # fmt: on
    return _new(TableState, after)


class _Step:
    """What an event changes for one wager and its seat, independent of everything else on the table."""

    __slots__ = (
        *("bank", "bought", "decides", "event", "key", "leaves", "moves"),
        *("rail", "seat", "to", "tokens", "up", "wager"),
    )

    def __init__(self, event: OfASeat, key: str = "", up: Wager | None = None) -> None:
        self.event, self.seat, self.key, self.up = event, event.seat, key, up
        self.rail = self.tokens = self.bank = self.bought = 0
        stake = held = tokens = 0
        for there, more in sums(postings(event)).items():
            match there.name:
                case "rail":
                    self.rail = more
                case "bank":
                    self.bank = more
                case "cage":
                    self.bought = -more
                case "tokens":
                    self.tokens = more
                case "felt":
                    stake += more
                case "tokens up":
                    stake, tokens = stake + more, tokens + more
                case "held":
                    held = more
                case _:
                    pass
        was = up or NO_WAGER
        after = was._replace(stake=was.stake + stake, held=was.held + held, tokens=was.tokens + tokens)
        # The wager as it stands then; None: it is down.
        self.wager: Wager | None = _marked(event, after) if after.stake else None
        self.to = event.to if isinstance(event, e.WagerTravelled) else key  # where it stands then
        self.leaves = self.wager is None or self.to != key  # whether nothing stands where it stood
        ends = isinstance(event, e.WagerWon | e.WagerLost | e.WagerReturned | e.WagerPushed)
        # Seat and wager, where a roll that does this has decided it.
        self.decides = (self.seat, key) if ends and not (isinstance(event, e.WagerPushed) and event.stays) else None
        # Whether chips move: what was rolled before can be struck out no more.
        self.moves = ends or isinstance(event, e.WagerUp | e.WagerDown)


NO_WAGER = Wager(0)  # where nothing is up yet


def _marked(event: OfASeat, wager: Wager) -> Wager:
    match event:
        case e.WagerUp():
            return wager._replace(call=event.call, unchecked=event.unchecked, warned=event.warned)
        case e.WagerDown(unchecked=False):
            return wager._replace(unchecked=False, warned=False)
        case e.WagerWon() if event.returned or event.tokens:  # it stays, with what is allowed
            return wager._replace(unchecked=False, warned=False)
        case e.WagerTallied():
            return wager._replace(mark=event.mark)
        case e.WagerCalled():
            return wager._replace(call=event.call)
        case _:
            return wager


# Steps taken before, by the identity of the event, which its step keeps alive; each holds for the wager it saw.
_steps: dict[int, _Step] = {}


def _remembered(event: OfASeat, key: str, felt: Mapping[str, Wager]) -> _Step:
    if len(_steps) >= STEPS_MAX:
        _steps.clear()
    step = _steps[id(event)] = _Step(event, key, felt.get(key))
    return step


def _button_lifted(seat: Seat, wager: str) -> Seat:
    up = seat.felt.get(wager)
    return seat if up is None else seat._replace(felt={**seat.felt, wager: up._replace(call=None)})


def _without(seats: Seats, number: int) -> Seats:
    return {other: seat for other, seat in seats.items() if other != number}


def _booked(seats: Seats, event: OfASeat) -> tuple[Seats, int]:
    """Applies an event's chips and tokens to its seat; also returns how many chips were bought."""
    seat, step = seats[event.seat], _Step(event)
    seat = seat._replace(rail=seat.rail + step.rail, tokens=seat.tokens + step.tokens)
    return {**seats, event.seat: seat}, step.bought


@lru_cache
def _taken(dice: Dice) -> Dice:
    return dice._replace(unthrown=True, strayed=False)


@lru_cache
def _thrown(dice: Dice) -> Dice:
    return dice._replace(unthrown=False)


def _die_moved(dice: Dice, event: e.DieMoved) -> Dice:
    names = ("out", "off", "found", "lost")
    places = {name: [die for die in getattr(dice, name) if die != event.die] for name in names}
    if event.what != "checked":
        places[event.what].append(event.die)
    strayed = dice.strayed or event.what == "off"
    out, off, back, lost = (tuple(places[name]) for name in names)
    return dice._replace(out=out, off=off, found=back, lost=lost, followed=True, strayed=strayed)


def _touched(before: Before | None) -> Before | None:
    """Notes that the dice were touched: they then stay where they are if the last roll is struck out."""
    return before if before is None or before.touched else before._replace(touched=True)
