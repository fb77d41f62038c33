"""Events become the next table: the only place where state changes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, assert_never

from passline.engine import events as e
from passline.engine.table import Before, Dice, Doubt, Seat, TableState, Wager
from passline.engine.values import SEVEN

if TYPE_CHECKING:
    from collections.abc import Iterable

    from passline.engine.events import Event


class _Draft:
    """A table being changed: seats are copied when first touched, and the whole is frozen again at the end."""

    __slots__ = ("felts", "fields", "gone", "rails", "seats", "table")

    def __init__(self, table: TableState) -> None:
        self.table = table
        self.fields: dict[str, Any] = {}
        self.seats: dict[int, Seat] = {}
        self.rails: dict[int, int] = {}
        self.felts: dict[int, dict[str, Wager]] = {}
        self.gone: set[int] = set()

    def get(self, name: str) -> Any:  # noqa: ANN401 - the fields of a table are of many types
        """A field of the table as it is by now."""
        return self.fields[name] if name in self.fields else getattr(self.table, name)

    def seat(self, number: int) -> Seat:
        """A seat as it is by now, but for its rail and felt."""
        return self.seats.get(number) or self.table.seats[number]

    def felt(self, number: int) -> dict[str, Wager]:
        """The felt of a seat, ours to change."""
        felt = self.felts.get(number)
        if felt is None:
            felt = self.felts[number] = dict(self.seat(number).felt)
        return felt

    def pay(self, number: int, amount: int) -> None:
        """Move chips between the bank's side and a rail."""
        rail = self.rails.get(number)
        self.rails[number] = (self.seat(number).rail if rail is None else rail) + amount

    def bank(self, amount: int) -> None:
        """Move chips into the bank."""
        self.fields["bank"] = self.get("bank") + amount

    def freeze(self) -> TableState:
        """The next table."""
        table = self.table
        if self.felts or self.rails or self.seats or self.gone:
            seats = dict(table.seats)
            for number in {*self.felts, *self.rails, *self.seats}:
                seat = self.seat(number)
                seats[number] = seat._replace(
                    rail=self.rails.get(number, seat.rail), felt=self.felts.get(number, seat.felt)
                )
            for number in self.gone:
                del seats[number]
            if self.seats or self.gone:
                seats = dict(sorted(seats.items()))
            self.fields["seats"] = seats
        return table._replace(**self.fields)


def evolve(table: TableState, events: Iterable[Event]) -> TableState:
    """The table after these things happened."""
    draft = _Draft(table)
    for event in events:
        _change(draft, event)
    return draft.freeze()


def _change(draft: _Draft, event: Event) -> None:  # noqa: C901, PLR0915 - one case an event
    """Do to a draft what one event does; what happens most often stands first."""
    match event:
        case e.DiceThrown():
            _dice_thrown(draft, event)
        case e.WagerUp():
            _wager_up(draft, event)
        case e.WagerWon():
            _wager_won(draft, event)
        case e.WagerLost():
            _wager_lost(draft, event)
        case e.PuckTurned():
            _puck_turned(draft, event)
        case e.WagerTravelled():
            _wager_travelled(draft, event)
        case e.SevenOut() | e.ShooterLost():
            _hand_over(draft, event)
        case e.DiceTaken():
            _dice_taken(draft, event)
        case e.WagerTallied():
            _wager_tallied(draft, event)
        case e.PlayerSat():
            _player_sat(draft, event)
        case e.ChipsBought():
            _chips_bought(draft, event)
        case e.TokensGiven():
            _tokens_given(draft, event)
        case e.PlayerLeft():
            _player_left(draft, event)
        case e.SeatCleared():
            _seat_cleared(draft, event)
        case e.WagerDown():
            _wager_down(draft, event)
        case e.DontBetsBarred():
            _dont_lowered(draft, event)
        case e.DontBarLifted():
            _bar_lifted(draft, event)
        case e.WagerCalled():
            _wager_called(draft, event)
        case e.ButtonsLifted():
            _buttons_lifted(draft, event)
        case e.WagerPushed():
            _wager_pushed(draft, event)
        case e.WagerReturned():
            _wager_returned(draft, event)
        case e.PlayerWarned():
            _player_warned(draft, event)
        case e.DiceDeclined():
            _dice_declined(draft, event)
        case e.DiceGivenUp():
            _dice_given_up(draft, event)
        case e.DiceChosen():
            _dice_chosen(draft, event)
        case e.DieMoved():
            _die_moved(draft, event)
        case e.NewSetDue():
            _new_set_due(draft, event)
        case e.NewSetBrought():
            _new_set_brought(draft, event)
        case e.DiceSent():
            _dice_sent(draft, event)
        case e.NoRollCalled():
            _no_roll_called(draft, event)
        case e.FaceDoubted():
            _face_doubted(draft, event)
        case e.OutcomeStruckOut():
            _outcome_struck_out(draft, event)
        case e.NoticePosted():
            _notice_posted(draft, event)
        case e.TableClosing():
            _table_closing(draft, event)
        case e.DiceOffered() | e.FaceRead():
            pass
        case _:
            assert_never(event)


# --- Seats and money ------------------------------------------------------------------------------------------------


def _player_sat(draft: _Draft, event: e.PlayerSat) -> None:
    draft.seats[event.seat] = Seat(event.name, event.buyin, {})
    draft.fields["bought"] = draft.get("bought") + event.buyin
    draft.fields["before"] = None


def _chips_bought(draft: _Draft, event: e.ChipsBought) -> None:
    draft.pay(event.seat, event.amount)
    draft.fields["bought"] = draft.get("bought") + event.amount
    draft.fields["before"] = None


def _tokens_given(draft: _Draft, event: e.TokensGiven) -> None:
    seat = draft.seat(event.seat)
    draft.seats[event.seat] = seat._replace(tokens=seat.tokens + event.amount)
    draft.fields["before"] = None


def _player_left(draft: _Draft, event: e.PlayerLeft) -> None:
    draft.fields["bought"] = draft.get("bought") - event.cashed
    draft.fields["before"] = None
    if event.leaves_wagers:
        draft.pay(event.seat, -event.cashed)
        draft.seats[event.seat] = draft.seat(event.seat)._replace(away=True)
    else:
        draft.gone.add(event.seat)


def _seat_cleared(draft: _Draft, event: e.SeatCleared) -> None:
    draft.fields["bought"] = draft.get("bought") - event.held
    draft.gone.add(event.seat)


# --- Wagers ---------------------------------------------------------------------------------------------------------


def _wager_up(draft: _Draft, event: e.WagerUp) -> None:
    felt = draft.felt(event.seat)
    up = felt.get(event.wager)
    draft.pay(event.seat, event.tokens - event.added - event.commission)
    draft.fields["before"] = None
    if event.tokens:
        _give_tokens(draft, event.seat, -event.tokens)
    if up is None:
        felt[event.wager] = Wager(event.stake, event.commission, 0, event.call, event.tokens, event.unchecked)
    else:
        felt[event.wager] = up._replace(
            stake=event.stake,
            held=up.held + event.commission,
            tokens=up.tokens + event.tokens,
            unchecked=up.unchecked or event.unchecked,
        )


def _wager_down(draft: _Draft, event: e.WagerDown) -> None:
    felt = draft.felt(event.seat)
    up = felt[event.wager]
    draft.pay(event.seat, event.removed - event.tokens + event.refund)
    draft.fields["before"] = None
    if event.tokens:
        _give_tokens(draft, event.seat, event.tokens)
    draft.bank(up.held - event.refund - event.held)
    if event.left:
        felt[event.wager] = up._replace(stake=event.left, held=event.held, tokens=up.tokens - event.tokens)
    else:
        del felt[event.wager]


def _dont_lowered(draft: _Draft, event: e.DontBetsBarred) -> None:
    draft.seats[event.seat] = draft.seat(event.seat)._replace(dont_banned=True)


def _wager_called(draft: _Draft, event: e.WagerCalled) -> None:
    felt = draft.felt(event.seat)
    felt[event.wager] = felt[event.wager]._replace(call=event.call)
    draft.fields["before"] = None


def _wager_won(draft: _Draft, event: e.WagerWon) -> None:
    felt = draft.felt(event.seat)
    up = felt[event.wager]
    kept = event.commission - event.held
    draft.pay(event.seat, event.won - event.commission + event.returned)
    lost = 0 if event.stays else up.stake - up.tokens - event.returned
    draft.bank(lost + up.held + kept - event.won)
    if event.tokens:
        _give_tokens(draft, event.seat, event.tokens)
    if event.stays:
        if up.held != event.held:
            felt[event.wager] = up._replace(held=event.held)
    else:
        del felt[event.wager]


def _wager_lost(draft: _Draft, event: e.WagerLost) -> None:
    up = draft.felt(event.seat).pop(event.wager)
    draft.bank(event.stake - event.tokens + up.held)
    if event.returned:
        draft.pay(event.seat, event.returned)


def _wager_pushed(draft: _Draft, event: e.WagerPushed) -> None:
    if not event.stays:
        del draft.felt(event.seat)[event.wager]
        draft.pay(event.seat, event.stake - event.tokens)
        _give_tokens(draft, event.seat, event.tokens)


def _wager_returned(draft: _Draft, event: e.WagerReturned) -> None:
    up = draft.felt(event.seat).pop(event.wager)
    draft.pay(event.seat, event.stake - event.tokens + event.refund)
    draft.bank(up.held - event.refund)
    if event.tokens:
        _give_tokens(draft, event.seat, event.tokens)


def _wager_travelled(draft: _Draft, event: e.WagerTravelled) -> None:
    felt = draft.felt(event.seat)
    felt[event.to] = felt.pop(event.wager)


def _wager_tallied(draft: _Draft, event: e.WagerTallied) -> None:
    felt = draft.felt(event.seat)
    felt[event.wager] = felt[event.wager]._replace(mark=event.mark)


def _give_tokens(draft: _Draft, number: int, amount: int) -> None:
    seat = draft.seat(number)
    draft.seats[number] = seat._replace(tokens=seat.tokens + amount)


def _player_warned(draft: _Draft, event: e.PlayerWarned) -> None:
    draft.seats[event.seat] = draft.seat(event.seat)._replace(warned=True)
    felt = draft.felt(event.seat)
    if event.wager in felt:
        felt[event.wager] = felt[event.wager]._replace(unchecked=False)


# --- Dice -----------------------------------------------------------------------------------------------------------


def _dice_declined(draft: _Draft, event: e.DiceDeclined) -> None:
    draft.fields["declined"] = draft.get("declined") | {event.seat}


def _dice_taken(draft: _Draft, event: e.DiceTaken) -> None:
    draft.fields |= {"shooter": event.seat, "last_shooter": event.seat, "declined": frozenset()}


def _dice_given_up(draft: _Draft, event: e.DiceGivenUp) -> None:
    dice: Dice = draft.get("dice")
    draft.fields |= {
        "shooter": None,
        "last_shooter": event.seat,
        "declined": frozenset({event.seat}) if event.why in ("by choice", "by order") else frozenset(),
        "dice": dice._replace(out=()),
    }


def _dice_chosen(draft: _Draft, event: e.DiceChosen) -> None:
    draft.fields["dice"] = draft.get("dice")._replace(out=event.dice)


def _die_moved(draft: _Draft, event: e.DieMoved) -> None:
    dice: Dice = draft.get("dice")
    names = ("out", "off", "found", "lost")
    places = {name: [die for die in getattr(dice, name) if die != event.die] for name in names}
    if event.what != "checked":
        places[event.what].append(event.die)
    out, off, found, lost = (tuple(places[name]) for name in names)
    draft.fields["dice"] = dice._replace(out=out, off=off, found=found, lost=lost)


def _new_set_due(draft: _Draft, _event: e.NewSetDue) -> None:
    draft.fields["dice"] = draft.get("dice")._replace(new_set_due=True)


def _new_set_brought(draft: _Draft, event: e.NewSetBrought) -> None:
    draft.fields["dice"] = Dice(in_set=event.dice)


def _dice_sent(draft: _Draft, event: e.DiceSent) -> None:
    draft.fields["phase"] = "dice out"
    if event.thrower is None:
        draft.fields["shooter"] = None


def _dice_thrown(draft: _Draft, event: e.DiceThrown) -> None:
    table = draft.table
    fields = draft.fields
    fields["before"] = Before(
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
    fields["rolled"] = True
    fields["fresh_hand"] = False
    fields["after_seven"] = event.total == SEVEN
    if table.phase != "betting":
        fields["phase"] = "betting"
        fields["doubt"] = None
    if table.declined:
        fields["declined"] = frozenset()
    if event.thrower is None:
        fields["shooter"] = None


def _no_roll_called(draft: _Draft, _event: e.NoRollCalled) -> None:
    draft.fields["phase"] = "betting"
    draft.fields["doubt"] = None


def _face_doubted(draft: _Draft, event: e.FaceDoubted) -> None:
    draft.fields["phase"] = "disputed"
    draft.fields["doubt"] = Doubt(event.sure, event.why)


def _puck_turned(draft: _Draft, event: e.PuckTurned) -> None:
    draft.fields["puck"] = event.to


def _buttons_lifted(draft: _Draft, event: e.ButtonsLifted) -> None:
    for number, key in event.wagers:
        felt = draft.felt(number)
        if key in felt:
            felt[key] = felt[key]._replace(call=None)


def _bar_lifted(draft: _Draft, event: e.DontBarLifted) -> None:
    draft.seats[event.seat] = draft.seat(event.seat)._replace(dont_banned=False)


def _hand_over(draft: _Draft, event: e.SevenOut | e.ShooterLost) -> None:
    draft.fields["shooter"] = None
    draft.fields["dice"] = draft.get("dice")._replace(out=())
    if event.__class__ is e.SevenOut:
        draft.fields["fresh_hand"] = True


# --- The floor ------------------------------------------------------------------------------------------------------


def _notice_posted(draft: _Draft, event: e.NoticePosted) -> None:
    draft.fields["notice"] = event.notice


def _outcome_struck_out(draft: _Draft, _event: e.OutcomeStruckOut) -> None:
    before: Before | None = draft.get("before")
    assert before is not None, "an outcome is struck out only while the table before it is kept"
    draft.fields |= before._asdict() | {"before": None}


def _table_closing(draft: _Draft, _event: e.TableClosing) -> None:
    draft.fields["closing"] = True
