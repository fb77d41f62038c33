"""What an event does to money: balanced moves between named places, worked out here and nowhere else."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import lru_cache

from passline.engine import events as e
from passline.engine.events import Event
from passline.engine.table import Before, TableState
from passline.engine.values import Move, Place, PlaceName

CAGE = Place("cage")  # where chips are bought and cashed; below nothing by all that stands on the table
BANK = Place("bank")  # the chips the dealers pay from and collect to
PROMOTIONS = Place("promotions")  # where tokens come from and go to; they are worth something only on the felt
PLACES_CACHED = 4096  # how many places are kept at hand, so that the busy ones are not made again and again


@lru_cache(maxsize=PLACES_CACHED)
def place(name: PlaceName, seat: int, wager: str | None = None) -> Place:
    return Place(name, seat, wager)


def postings(event: Event) -> tuple[Move, ...]:  # noqa: C901 - one case for each kind of event that moves money
    match event:
        case e.WagerUp():
            return _moves(_up(event))
        case e.WagerWon():
            return _moves(_won(event))
        case e.WagerLost():
            return _moves(_lost(event))
        case e.WagerDown():
            back = _back(event.seat, event.wager, event.removed, event.tokens, event.refund)
            return _moves((*back, (place("held", event.seat, event.wager), BANK, event.kept)))
        case e.WagerPushed():
            return () if event.stays else _moves(_back(event.seat, event.wager, event.stake, event.tokens))
        case e.WagerReturned():
            return _moves(_back(event.seat, event.wager, event.stake, event.tokens, event.refund))
        case e.WagerTravelled():
            return _moves(_travelled(event))
        case e.PlayerSat():
            return _moves(((CAGE, place("rail", event.seat), event.buyin),))
        case e.ChipsBought():
            return _moves(((CAGE, place("rail", event.seat), event.amount),))
        case e.TokensGiven():
            return _moves(((PROMOTIONS, place("tokens", event.seat), event.amount),))
        case e.PlayerLeft():
            return _moves(_gone(event.seat, event.cashed, event.tokens))
        case e.SeatCleared():
            return _moves(_gone(event.seat, event.held, event.tokens))
        case e.OutcomeStruckOut():
            return event.undone
        case _:
            return ()


# From, to, and how much; nothing at all, or less than nothing, is set right before anybody sees it.
Moving = tuple[Place, Place, int]


def _moves(moving: Iterable[Moving]) -> tuple[Move, ...]:
    """Drops moves of zero and reverses negative ones."""
    return tuple(
        Move(source, to, amount) if amount > 0 else Move(to, source, -amount) for source, to, amount in moving if amount
    )


def _up(event: e.WagerUp) -> Iterator[Moving]:
    seat, wager = event.seat, event.wager
    rail = place("rail", seat)
    yield rail, place("felt", seat, wager), event.added - event.tokens
    yield rail, place("held", seat, wager), event.commission
    yield place("tokens", seat), place("tokens up", seat, wager), event.tokens


def _won(event: e.WagerWon) -> Iterator[Moving]:
    """Winnings are paid whole and commission is taken out of them: part of it may be held for the next decision."""
    seat, wager = event.seat, event.wager
    rail, held = place("rail", seat), place("held", seat, wager)
    yield BANK, rail, event.won
    yield rail, BANK, event.commission - event.held
    yield held, BANK, event.kept
    yield held, rail, event.refund
    yield rail, held, event.held
    felt = place("felt", seat, wager)
    yield felt, rail, event.returned
    if event.lost:  # tokens as far as there are any; of a split that stays up whole, out of the winnings
        chips = max(0, event.lost - event.tokens + event.tokens_over - event.collected)
        yield rail if event.stays else felt, BANK, chips
    if event.tokens or event.collected:
        tokens_up = place("tokens up", seat, wager)
        yield tokens_up, place("tokens", seat), event.tokens
        yield tokens_up, PROMOTIONS, event.collected


def _lost(event: e.WagerLost) -> Iterator[Moving]:
    seat, wager = event.seat, event.wager
    felt = place("felt", seat, wager)
    yield felt, BANK, event.stake - event.tokens
    yield felt, place("rail", seat), event.returned - event.tokens_over
    yield place("held", seat, wager), BANK, event.kept
    yield place("held", seat, wager), place("rail", seat), event.refund
    yield place("tokens up", seat, wager), PROMOTIONS, event.tokens
    yield place("tokens up", seat, wager), place("tokens", seat), event.tokens_over


def _back(seat: int, wager: str, stake: int, tokens: int, refund: int = 0) -> Iterator[Moving]:
    """A stake goes back undecided, chips as chips and tokens as tokens, with commission held for it."""
    rail = place("rail", seat)
    yield place("felt", seat, wager), rail, stake - tokens
    yield place("held", seat, wager), rail, refund
    yield place("tokens up", seat, wager), place("tokens", seat), tokens


def _travelled(event: e.WagerTravelled) -> Iterator[Moving]:
    seat, wager, to = event.seat, event.wager, event.to
    yield place("felt", seat, wager), place("felt", seat, to), event.stake - event.tokens
    yield place("tokens up", seat, wager), place("tokens up", seat, to), event.tokens


def _gone(seat: int, chips: int, tokens: int) -> Iterator[Moving]:
    yield place("rail", seat), CAGE, chips
    yield place("tokens", seat), PROMOTIONS, tokens


def sums(moves: Iterable[Move]) -> dict[Place, int]:
    """What each place has more, or less, after these moves; places that are as they were are left out."""
    more: defaultdict[Place, int] = defaultdict(int)
    for source, to, amount in moves:
        more[source] -= amount
        more[to] += amount
    return {there: amount for there, amount in more.items() if amount}


def brought(moves: Iterable[Move], seat: int) -> int:
    """What a seat won of the bank less what it lost to it; commission counts when it is the house's for good."""
    won = 0
    for source, to, amount in moves:
        if source == BANK and to.seat == seat:
            won += amount
        elif to == BANK and source.seat == seat:
            won -= amount
    return won


def balances(table: TableState | Before) -> dict[Place, int]:
    """What lies in every place of a table, empty places left out: all moves of its history, added up."""
    places = {BANK: table.bank, CAGE: -table.bought}
    for number, seat in table.seats.items():
        places[place("rail", number)] = seat.rail
        places[place("tokens", number)] = seat.tokens
        for key, wager in seat.felt.items():
            places[place("felt", number, key)] = wager.stake - wager.tokens
            places[place("held", number, key)] = wager.held
            places[place("tokens up", number, key)] = wager.tokens
    tokens = sum(amount for there, amount in places.items() if there.name in ("tokens", "tokens up"))
    return {there: amount for there, amount in {**places, PROMOTIONS: -tokens}.items() if amount}


def undoing(now: TableState, before: Before) -> tuple[Move, ...]:
    """The moves that put every place back to what it was: all chips by way of the bank, tokens by way of promotions."""
    there, was = balances(now), balances(before)
    return _moves(
        (PROMOTIONS if at.name in ("tokens", "tokens up") else BANK, at, was.get(at, 0) - there.get(at, 0))
        for at in {**there, **was}
        if at not in (BANK, PROMOTIONS)
    )
