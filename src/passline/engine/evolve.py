"""Events become the next table: the only place where state changes. What moves money is in `postings`."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from passline.engine import events as e
from passline.engine.postings import postings, sums
from passline.engine.table import Before, Dice, Doubt, Seat, TableState, Thrower, Wager
from passline.engine.values import SEVEN

if TYPE_CHECKING:
    from collections.abc import Iterable

    from passline.engine.events import Event
    from passline.engine.table import Notice, Phase

    OfAWager = e.WagerUp | e.WagerDown | e.WagerCalled | e.WagerTravelled | e.WagerTallied | e.Decision
    OfASeat = OfAWager | e.PlayerSat | e.ChipsBought | e.TokensGiven | e.PlayerLeft | e.SeatCleared

NOBODY: frozenset[int] = frozenset()

_new = tuple.__new__
"""Makes a named tuple from all its fields in one call; its own way in is a second one, and there are three a roll."""

STEPS_MAX = 16_384
"""How many steps of wagers are remembered before the memory is emptied."""


class _Draft:
    """A table being changed field by field, and frozen again at the end."""

    __slots__ = (*TableState._fields, "decided", "own", "table")

    notice: Notice
    dice: Dice
    puck: int
    shooter: int | None
    last_shooter: int | None
    last_left: bool
    phase: Phase
    thrower: Thrower | None
    declined: frozenset[int]
    fresh_hand: bool
    after_seven: bool
    rolled: bool
    bank: int
    bought: int
    doubt: Doubt | None
    closing: bool
    before: Before | None

    def __init__(self, table: TableState) -> None:
        (
            self.notice,
            self.dice,
            self.seats,
            self.puck,
            self.shooter,
            self.last_shooter,
            self.last_left,
            self.phase,
            self.thrower,
            self.declined,
            self.fresh_hand,
            self.after_seven,
            self.rolled,
            self.bank,
            self.bought,
            self.doubt,
            self.closing,
            self.before,
        ) = table
        self.table = table
        self.own: dict[int, Seat] | None = None
        """The seats, once they are a copy of ours."""
        self.decided: list[tuple[int, str]] | None = None
        """What the roll decided so far; None where nothing was rolled."""

    def our_seats(self) -> dict[int, Seat]:
        """The seats, ours to change."""
        own = self.own
        if own is None:
            self.seats = self.own = own = dict(self.seats)
        return own

    def _before(self, decided: list[tuple[int, str]]) -> Before:
        """The table before this roll; dice that were handed over for it go back too if it is struck out."""
        table = self.table
        before = (
            table.seats,
            table.dice,
            table.puck,
            table.shooter,
            table.last_shooter,
            table.last_left,
            table.declined,
            table.fresh_hand,
            table.after_seven,
            table.rolled,
            table.bank,
            table.bought,
            tuple(decided),
            False,
        )
        return _new(Before, before)

    def frozen(self) -> TableState:
        """The next table."""
        if self.decided is not None:
            self.before = self._before(self.decided)
        fields = (
            self.notice,
            self.dice,
            self.seats,
            self.puck,
            self.shooter,
            self.last_shooter,
            self.last_left,
            self.phase,
            self.thrower,
            self.declined,
            self.fresh_hand,
            self.after_seven,
            self.rolled,
            self.bank,
            self.bought,
            self.doubt,
            self.closing,
            self.before,
        )
        return _new(TableState, fields)


def evolve(  # noqa: C901, PLR0915 - one case an event
    table: TableState, events: Iterable[Event]
) -> TableState:
    """The table after these things happened; what happens most often stands first."""
    draft = _Draft(table)
    for event in events:
        match event:
            case e.DiceThrown():
                _dice_thrown(draft, event)
            case e.WagerWon() | e.WagerLost() | e.WagerReturned():
                _on_the_felt(draft, event)
                _decided(draft, event)
            case e.WagerUp():
                _on_the_felt(draft, event)
                draft.before = None
            case e.PuckTurned():
                draft.puck = event.to
            case e.WagerTravelled() | e.WagerTallied() | e.WagerCalled():
                _on_the_felt(draft, event)
            case e.WagerPushed():
                _on_the_felt(draft, event)
                if not event.stays:
                    _decided(draft, event)
            case e.SevenOut():
                _hand_over(draft, seven_out=True)
            case e.DiceTaken():
                _dice_taken(draft, event)
            case e.WagerDown():
                _on_the_felt(draft, event)
                draft.before = None
            case e.PlayerSat():
                _player_sat(draft, event)
                draft.before = None
            case e.PlayerLeft():
                _player_left(draft, event)
                draft.before = None
            case e.ChipsBought() | e.TokensGiven():
                _booked(draft, event)
                draft.before = None
            case e.SeatCleared():
                _booked(draft, event)
                del draft.our_seats()[event.seat]
            case e.ButtonsLifted():
                for seat, wager in event.wagers:
                    _button_lifted(draft, seat, wager)
            case e.DontBetsBarred():
                _seat(draft, event.seat, draft.seats[event.seat]._replace(dont_banned=True))
            case e.DontBarLifted():
                _seat(draft, event.seat, draft.seats[event.seat]._replace(dont_banned=False))
            case e.PlayerWarned():
                _seat(draft, event.seat, draft.seats[event.seat]._replace(warned=True))
            case e.DiceDeclined():
                draft.declined |= {event.seat}
            case e.DiceGivenUp():
                _dice_given_up(draft, event)
            case e.DiceChosen():
                draft.dice = draft.dice._replace(out=event.dice, followed=True, strayed=False)
                _touched(draft)
            case e.DieMoved():
                _die_moved(draft, event)
            case e.NewSetDue():
                draft.dice = draft.dice._replace(new_set_due=True)
            case e.NewSetBrought():
                dice = draft.dice
                draft.dice = Dice(in_set=event.dice, followed=dice.followed, unthrown=dice.unthrown, strayed=True)
            case e.DiceSent():
                _dice_sent(draft, event)
            case e.NoRollCalled():
                _no_roll_called(draft, event)
            case e.FaceDoubted():
                _face_doubted(draft, event)
            case e.ShooterLost():
                _hand_over(draft, seven_out=False)
            case e.OutcomeStruckOut():
                _outcome_struck_out(draft)
            case e.NoticePosted():
                draft.notice = event.notice
            case e.TableClosing():
                draft.closing = True
            case e.DiceOffered() | e.FaceRead():
                pass
            case _:
                assert_never(event)
    return draft.frozen()


# --- Wagers -------------------------------------------------------------------------------------------------------


class _Step:
    """What an event does to one wager of a seat, and to money, whatever else is there."""

    __slots__ = ("bank", "bought", "event", "rail", "to", "tokens", "up", "wager")

    def __init__(self, event: OfASeat, up: Wager | None = None) -> None:
        self.event, self.up = event, up
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
        self.wager: Wager | None = _marked(event, after) if after.stake else None
        """The wager as it stands then; None: it is down."""
        self.to = event.to if isinstance(event, e.WagerTravelled) else None
        """Where it stands then, if elsewhere."""


NO_WAGER = Wager(0)
"""Where nothing is up yet."""


def _marked(event: OfASeat, wager: Wager) -> Wager:
    """A wager as an event leaves it, apart from money."""
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


_steps: dict[int, _Step] = {}
"""Steps taken before, by the identity of the event, which its step keeps alive; each holds for the wager it saw."""


def _on_the_felt(draft: _Draft, event: OfAWager) -> None:
    """Do to a seat what one event does to a wager of its, as remembered if the very same has happened before."""
    seats, key = draft.own or draft.our_seats(), event.wager
    name, rail, before, tokens, warned, away, dont_banned = seats[event.seat]
    up = before.get(key)
    step = _steps.get(id(event))
    if step is None or step.up != up:
        if len(_steps) >= STEPS_MAX:
            _steps.clear()
        step = _steps[id(event)] = _Step(event, up)
    felt = dict(before)
    if step.wager is None:
        del felt[key]
    elif step.to is None:
        felt[key] = step.wager
    else:
        del felt[key]
        felt[step.to] = step.wager
    seat = (name, rail + step.rail, felt, tokens + step.tokens, warned, away, dont_banned)
    seats[event.seat] = _new(Seat, seat)
    draft.bank += step.bank


def _decided(draft: _Draft, event: e.Decision) -> None:
    """Remember what a roll decided, in case it is struck out; chips that move without a roll end that."""
    if draft.decided is None:
        draft.before = None
    else:
        draft.decided.append((event.seat, event.wager))


# --- Seats ----------------------------------------------------------------------------------------------------------


def _booked(draft: _Draft, event: OfASeat) -> None:
    """Chips and tokens that come to a seat or leave it."""
    seats, step = draft.our_seats(), _Step(event)
    seat = seats[event.seat]
    seats[event.seat] = seat._replace(rail=seat.rail + step.rail, tokens=seat.tokens + step.tokens)
    draft.bought += step.bought


def _player_sat(draft: _Draft, event: e.PlayerSat) -> None:
    seats = {**draft.seats, event.seat: Seat(event.name, 0, {})}
    draft.seats = draft.own = dict(sorted(seats.items()))
    _booked(draft, event)


def _player_left(draft: _Draft, event: e.PlayerLeft) -> None:
    _booked(draft, event)
    draft.declined -= {event.seat}
    draft.last_left = draft.last_left or draft.last_shooter == event.seat
    if event.leaves_wagers:
        _seat(draft, event.seat, draft.seats[event.seat]._replace(away=True))
    else:
        del draft.our_seats()[event.seat]


def _seat(draft: _Draft, number: int, seat: Seat) -> None:
    draft.our_seats()[number] = seat


def _button_lifted(draft: _Draft, number: int, wager: str) -> None:
    seat = draft.seats[number]
    if wager in seat.felt:
        up = seat.felt[wager]._replace(call=None)
        _seat(draft, number, seat._replace(felt={**seat.felt, wager: up}))


# --- Dice -----------------------------------------------------------------------------------------------------------


def _dice_taken(draft: _Draft, event: e.DiceTaken) -> None:
    draft.shooter = draft.last_shooter = event.seat
    draft.last_left = False
    draft.declined -= {event.seat}
    draft.dice = draft.dice._replace(unthrown=True, strayed=False)
    _touched(draft)


def _dice_given_up(draft: _Draft, event: e.DiceGivenUp) -> None:
    draft.shooter, draft.last_shooter = None, event.seat
    if event.why in ("by choice", "by order"):
        draft.declined |= {event.seat}
    draft.dice = draft.dice._replace(out=(), unthrown=False)
    _touched(draft)


def _die_moved(draft: _Draft, event: e.DieMoved) -> None:
    dice, names = draft.dice, ("out", "off", "found", "lost")
    places = {name: [die for die in getattr(dice, name) if die != event.die] for name in names}
    if event.what != "checked":
        places[event.what].append(event.die)
    out, off, found, lost = (tuple(places[name]) for name in names)
    draft.dice = dice._replace(
        out=out, off=off, found=found, lost=lost, followed=True, strayed=dice.strayed or event.what == "off"
    )
    _touched(draft)


def _touched(draft: _Draft) -> None:
    """Dice that were touched stay where they are when the last roll is struck out."""
    if draft.before is not None and not draft.before.touched:
        draft.before = draft.before._replace(touched=True)


def _dice_sent(draft: _Draft, event: e.DiceSent) -> None:
    draft.phase, draft.thrower = "dice out", Thrower(event.thrower, event.come_only)
    if event.thrower is None:
        draft.shooter = None


def _dice_thrown(draft: _Draft, event: e.DiceThrown) -> None:
    draft.decided = []
    draft.rolled = True
    draft.fresh_hand = False
    draft.after_seven = event.total == SEVEN
    draft.phase, draft.thrower, draft.doubt = "betting", None, None
    draft.declined = NOBODY
    if draft.dice.unthrown:
        draft.dice = draft.dice._replace(unthrown=False)
    if event.thrower is None:
        draft.shooter = None


def _no_roll_called(draft: _Draft, _event: e.NoRollCalled) -> None:
    draft.phase, draft.thrower, draft.doubt = "betting", None, None


def _face_doubted(draft: _Draft, event: e.FaceDoubted) -> None:
    draft.phase, draft.doubt = "disputed", Doubt(event.sure, event.why)
    draft.thrower = Thrower(event.thrower, event.come_only)


def _hand_over(draft: _Draft, *, seven_out: bool) -> None:
    draft.shooter = None
    if draft.dice.out:
        draft.dice = draft.dice._replace(out=())
    draft.fresh_hand = draft.fresh_hand or seven_out


# --- The floor ------------------------------------------------------------------------------------------------------


def _outcome_struck_out(draft: _Draft) -> None:
    """Every chip goes back, and everything else with it but dice that were touched since."""
    before = draft.before
    assert before is not None, "an outcome is struck out only while the table before it is kept"
    if not before.touched:
        draft.dice, draft.shooter = before.dice, before.shooter
        draft.last_shooter, draft.last_left = before.last_shooter, before.last_left
    draft.seats, draft.own, draft.puck = before.seats, None, before.puck
    draft.declined |= before.declined
    draft.fresh_hand, draft.after_seven, draft.rolled = before.fresh_hand, before.after_seven, before.rolled
    draft.bank, draft.bought = before.bank, before.bought
    draft.before = None
