"""Events become the next table: the only place where state changes. What moves money is in `postings`."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from passline.engine import events as e
from passline.engine.postings import postings
from passline.engine.table import Before, Dice, Doubt, Seat, TableState, Wager
from passline.engine.values import SEVEN

if TYPE_CHECKING:
    from collections.abc import Iterable

    from passline.engine.events import Event
    from passline.engine.table import Call, Notice, Phase
    from passline.engine.values import Place

NOBODY: frozenset[int] = frozenset()


class _SeatDraft:
    """A seat being changed; its felt is a copy and ours."""

    __slots__ = ("away", "dont_banned", "felt", "name", "rail", "tokens", "warned")

    def __init__(self, seat: Seat) -> None:
        self.name, self.rail, felt, self.tokens, self.warned, self.away, self.dont_banned = seat
        self.felt = dict(felt)

    def frozen(self) -> Seat:
        """The next seat."""
        return Seat(self.name, self.rail, self.felt, self.tokens, self.warned, self.away, self.dont_banned)


class _Draft:
    """A table being changed: seats are copied when first touched, and the whole is frozen again at the end."""

    __slots__ = (*TableState._fields, "drafts", "gone", "newcomers", "table")

    notice: Notice
    dice: Dice
    puck: int
    shooter: int | None
    last_shooter: int | None
    phase: Phase
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
            self.phase,
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
        self.drafts: dict[int, _SeatDraft] = {}
        self.gone: list[int] = []
        self.newcomers = False

    def seat(self, number: int) -> _SeatDraft:
        """A seat, ours to change."""
        draft = self.drafts.get(number)
        if draft is None:
            draft = self.drafts[number] = _SeatDraft(self.seats[number])
        return draft

    def frozen(self) -> TableState:
        """The next table."""
        seats = self.seats
        if self.drafts or self.gone:
            seats = {**seats, **{number: draft.frozen() for number, draft in self.drafts.items()}}
            for number in self.gone:
                del seats[number]
            if self.newcomers:
                seats = dict(sorted(seats.items()))
        return TableState(
            self.notice,
            self.dice,
            seats,
            self.puck,
            self.shooter,
            self.last_shooter,
            self.phase,
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


def evolve(table: TableState, events: Iterable[Event]) -> TableState:
    """The table after these things happened."""
    draft = _Draft(table)
    for event in events:
        _change(draft, event)
    return draft.frozen()


def _change(draft: _Draft, event: Event) -> None:  # noqa: C901, PLR0915 - one case an event
    """Do to a draft what one event does; what happens most often stands first."""
    match event:
        case e.DiceThrown():
            _dice_thrown(draft, event)
        case e.WagerUp():
            _wager_up(draft, event)
        case e.WagerWon() | e.WagerLost() | e.WagerPushed() | e.WagerReturned():
            _decided(draft, event)
        case e.PuckTurned():
            draft.puck = event.to
        case e.WagerTravelled():
            _wager_travelled(draft, event)
        case e.SevenOut():
            _hand_over(draft, seven_out=True)
        case e.DiceTaken():
            _dice_taken(draft, event)
        case e.WagerTallied():
            _wager_tallied(draft, event)
        case e.WagerDown():
            _wager_down(draft, event)
        case e.PlayerSat():
            _player_sat(draft, event)
        case e.ChipsBought() | e.TokensGiven():
            _bought(draft, event)
        case e.PlayerLeft():
            _player_left(draft, event)
        case e.SeatCleared():
            _seat_cleared(draft, event)
        case e.WagerCalled():
            draft.before = None
            _called(draft, event.seat, event.wager, event.call)
        case e.ButtonsLifted():
            for seat, wager in event.wagers:
                _called(draft, seat, wager, None)
        case e.DontBetsBarred():
            draft.seat(event.seat).dont_banned = True
        case e.DontBarLifted():
            draft.seat(event.seat).dont_banned = False
        case e.PlayerWarned():
            _player_warned(draft, event)
        case e.DiceDeclined():
            draft.declined |= {event.seat}
        case e.DiceGivenUp():
            _dice_given_up(draft, event)
        case e.DiceChosen():
            draft.dice = draft.dice._replace(out=event.dice)
        case e.DieMoved():
            _die_moved(draft, event)
        case e.NewSetDue():
            draft.dice = draft.dice._replace(new_set_due=True)
        case e.NewSetBrought():
            draft.dice = Dice(in_set=event.dice)
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


# --- Money ----------------------------------------------------------------------------------------------------------


def _book(draft: _Draft, event: Event) -> None:
    """Move what the event moves."""
    for source, to, amount in postings(event):
        _put(draft, source, -amount)
        _put(draft, to, amount)


def _put(draft: _Draft, there: Place, amount: int) -> None:
    """Put chips or tokens down somewhere, or (below nothing) take them from there."""
    name, number, wager = there
    if number is None:
        if name == "bank":
            draft.bank += amount
        elif name == "cage":
            draft.bought -= amount
        return
    seat = draft.seat(number)
    if name == "rail":
        seat.rail += amount
    elif name == "tokens":
        seat.tokens += amount
    else:
        assert wager is not None, "everything else lies on a wager"
        stake, held, mark, call, tokens, unchecked = seat.felt.get(wager) or NO_WAGER
        if name == "held":
            held += amount
        else:
            stake += amount
            tokens += amount * (name == "tokens up")
        seat.felt[wager] = Wager(stake, held, mark, call, tokens, unchecked)


NO_WAGER = Wager(0)
"""Where nothing is up yet."""


# --- Seats ----------------------------------------------------------------------------------------------------------


def _player_sat(draft: _Draft, event: e.PlayerSat) -> None:
    draft.drafts[event.seat] = _SeatDraft(Seat(event.name, 0, {}))
    draft.newcomers = True
    draft.before = None
    _book(draft, event)


def _bought(draft: _Draft, event: e.ChipsBought | e.TokensGiven) -> None:
    draft.before = None
    _book(draft, event)


def _player_left(draft: _Draft, event: e.PlayerLeft) -> None:
    draft.before = None
    _book(draft, event)
    if event.leaves_wagers:
        draft.seat(event.seat).away = True
    else:
        draft.gone.append(event.seat)


def _seat_cleared(draft: _Draft, event: e.SeatCleared) -> None:
    _book(draft, event)
    draft.gone.append(event.seat)


# --- Wagers ---------------------------------------------------------------------------------------------------------


def _wager_up(draft: _Draft, event: e.WagerUp) -> None:
    draft.before = None
    _book(draft, event)
    if event.call is not None or event.unchecked:
        felt = draft.seat(event.seat).felt
        up = felt[event.wager]
        felt[event.wager] = up._replace(call=event.call, unchecked=up.unchecked or event.unchecked)


def _wager_down(draft: _Draft, event: e.WagerDown) -> None:
    draft.before = None
    _decided(draft, event)


def _decided(draft: _Draft, event: e.WagerWon | e.WagerLost | e.WagerPushed | e.WagerReturned | e.WagerDown) -> None:
    """Money moves, and a wager with nothing left on it is gone."""
    _book(draft, event)
    felt = draft.seat(event.seat).felt
    if not felt[event.wager].stake:
        del felt[event.wager]


def _wager_travelled(draft: _Draft, event: e.WagerTravelled) -> None:
    """The chips go with all that is known about them."""
    felt = draft.seat(event.seat).felt
    felt[event.to] = felt.pop(event.wager)


def _called(draft: _Draft, seat: int, wager: str, call: Call | None) -> None:
    felt = draft.seat(seat).felt
    if wager in felt:
        felt[wager] = felt[wager]._replace(call=call)


def _wager_tallied(draft: _Draft, event: e.WagerTallied) -> None:
    felt = draft.seat(event.seat).felt
    felt[event.wager] = felt[event.wager]._replace(mark=event.mark)


def _player_warned(draft: _Draft, event: e.PlayerWarned) -> None:
    seat = draft.seat(event.seat)
    seat.warned = True
    if event.wager in seat.felt:
        seat.felt[event.wager] = seat.felt[event.wager]._replace(unchecked=False)


# --- Dice -----------------------------------------------------------------------------------------------------------


def _dice_taken(draft: _Draft, event: e.DiceTaken) -> None:
    draft.shooter = draft.last_shooter = event.seat
    draft.declined = NOBODY


def _dice_given_up(draft: _Draft, event: e.DiceGivenUp) -> None:
    draft.shooter, draft.last_shooter = None, event.seat
    draft.declined = frozenset({event.seat}) if event.why in ("by choice", "by order") else NOBODY
    draft.dice = draft.dice._replace(out=())


def _die_moved(draft: _Draft, event: e.DieMoved) -> None:
    dice, names = draft.dice, ("out", "off", "found", "lost")
    places = {name: [die for die in getattr(dice, name) if die != event.die] for name in names}
    if event.what != "checked":
        places[event.what].append(event.die)
    out, off, found, lost = (tuple(places[name]) for name in names)
    draft.dice = dice._replace(out=out, off=off, found=found, lost=lost)


def _dice_sent(draft: _Draft, event: e.DiceSent) -> None:
    draft.phase = "dice out"
    if event.thrower is None:
        draft.shooter = None


def _dice_thrown(draft: _Draft, event: e.DiceThrown) -> None:
    table = draft.table  # striking out gives the dice back too, if they were handed over for this throw
    draft.before = Before(
        table.seats,
        table.dice,
        table.puck,
        table.shooter,
        table.last_shooter,
        table.declined,
        table.fresh_hand,
        table.after_seven,
        table.rolled,
        table.bank,
        table.bought,
    )
    draft.rolled = True
    draft.fresh_hand = False
    draft.after_seven = event.total == SEVEN
    draft.phase, draft.doubt = "betting", None
    draft.declined = NOBODY
    if event.thrower is None:
        draft.shooter = None


def _no_roll_called(draft: _Draft, _event: e.NoRollCalled) -> None:
    draft.phase, draft.doubt = "betting", None


def _face_doubted(draft: _Draft, event: e.FaceDoubted) -> None:
    draft.phase, draft.doubt = "disputed", Doubt(event.sure, event.why)


def _hand_over(draft: _Draft, *, seven_out: bool) -> None:
    draft.shooter = None
    if draft.dice.out:
        draft.dice = draft.dice._replace(out=())
    draft.fresh_hand = draft.fresh_hand or seven_out


# --- The floor ------------------------------------------------------------------------------------------------------


def _outcome_struck_out(draft: _Draft) -> None:
    """Every chip goes back, and everything else with it."""
    before = draft.before
    assert before is not None, "an outcome is struck out only while the table before it is kept"
    (
        draft.seats,
        draft.dice,
        draft.puck,
        draft.shooter,
        draft.last_shooter,
        draft.declined,
        draft.fresh_hand,
        draft.after_seven,
        draft.rolled,
        draft.bank,
        draft.bought,
    ) = before
    draft.before = None
