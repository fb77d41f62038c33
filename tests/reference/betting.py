"""What a player does with chips: sitting down and leaving, bets of every form, taking down, calling on and off.

Each returns whether it was accepted; a refusal changes nothing.
"""

from fractions import Fraction

from tests.reference.book import (
    BONUS_PAYS,
    CALLABLE,
    KEYS,
    LAID_ODDS,
    LATE_BETS,
    LINE,
    ODDS_KINDS,
    ON_CONFIRMED_BY,
    ON_SPEAKS_FOR_KIND,
    PROPS,
    SIDE,
    SPOKEN_TO,
    offers,
)
from tests.reference.felt import (
    Bet,
    Seat,
    Table,
    commission,
    down,
    flat_of,
    free_seats,
    lawful,
    lawful_left,
    odds_key,
    odds_within,
    permitted,
)
from tests.reference.shooting import give_up


def present(table: Table, number: int) -> Seat | None:
    """The seat, if somebody sits there (2)."""
    seat = table.seats.get(number)
    return None if seat is None or seat.away else seat


# ---------------------------------------------------------------------------------------------------------------
# Coming and going.


def sit(table: Table, number: int, name: str, buy_in: int) -> bool:
    """A player sits down, at any time (2, 7)."""
    if number in table.seats:
        return False
    table.seats[number] = Seat(name, buy_in)
    table.bought += buy_in
    table.struck = None  # 100
    return True


def buy(table: Table, number: int, amount: int) -> bool:
    """More chips, as they are (7)."""
    seat = present(table, number)
    if seat is None or table.busy or amount == 0:
        return False
    seat.rail += amount
    table.bought += amount
    table.struck = None  # 100
    return True


def leave(table: Table, number: int) -> bool:
    """A player goes; the bets run on, and what they win is held (X-35)."""
    seat = present(table, number)
    if seat is None or table.busy:
        return False
    table.cashed += seat.rail + seat.tokens
    seat.rail = seat.tokens = 0
    seat.away = True
    if table.dice.shooter == number:
        give_up(table)
    if table.dice.last == number:
        table.dice.last_gone = True
    table.dice.declined.discard(number)  # 95 speaks of a player, and this one has gone
    free_seats(table)
    table.struck = None  # 100
    return True


def tokens(table: Table, number: int, amount: int, by: str, flaw: str) -> bool:
    """A voucher is changed into tokens, by the dealer, if nothing is wrong with it (sydney 1.1)."""
    seat = present(table, number)
    if seat is None or table.busy or table.house != "sydney":
        return False
    if amount == 0 or amount % table.chip != 0 or by not in ("", "dealer") or flaw:
        return False
    seat.tokens += amount
    table.bought += amount
    table.struck = None  # 100
    return True


# ---------------------------------------------------------------------------------------------------------------
# Bets.


def may_be_made(table: Table, seat: Seat, key: str, kind: str, number: int) -> bool:
    """Whether now is the time to make or raise this wager (24 to 32)."""
    old = seat.up.get(key)
    if table.closing and kind not in ODDS_KINDS:  # the hand is finished, nothing new begins
        return False
    if kind in LINE:
        return table.point is None  # 24, 27
    if kind in ("come", "dont_come"):
        return table.point is not None  # 25
    if kind in ODDS_KINDS:
        return flat_of(table, seat, kind, number) is not None  # 28
    if kind == "fire":
        return not table.rolled  # 30, and so 32
    if kind in BONUS_PAYS:
        return table.point is None and (old is None or not old.rolled)  # 31, 32
    return True  # 29


def put_up(table: Table, number: int, key: str, amount: int, *, token: int = 0, how: str = "") -> bool:
    """Chips on the felt: a new bet, or an addition to the one that is up (14); `how` is "", "cash" or "found"."""
    seat = present(table, number)
    if seat is None:  # 2
        return False
    if not offers(table.house, key):  # 5
        return False
    kind, n = KEYS[key]
    if amount == 0 or amount % table.chip != 0:  # 15
        return False
    if not may_be_made(table, seat, key, kind, n):
        return False
    old = seat.up.get(key)
    stands = amount + (old.stake if old is not None else 0)  # 16
    if how != "found" and not lawful(table, kind, stands):  # 10 to 20
        return False
    if kind in ODDS_KINDS:
        flat = flat_of(table, seat, kind, n)
        assert flat is not None
        if not odds_within(table, kind, stands, flat[0].stake, flat[1]):  # 33
            return False
    if token and table.house != "sydney":
        return False
    if token > min(seat.tokens, amount) or token % table.chip != 0:  # S-06
        return False

    pile = Bet(0) if old is None else old
    charge = surcharge(table, key, pile, amount, how)
    from_rail = amount - token + charge  # S-06: commission in chips
    if how == "cash":
        from_rail = 0  # exhibit-a has no commission
        table.bought += amount
    if from_rail > seat.rail:  # 22
        return False
    seat.rail -= from_rail
    seat.tokens -= token
    table.bank += charge
    pile.stake = stands
    pile.tokens += token
    pile.held += charge
    pile.unchecked = pile.unchecked or how == "found"
    pile.found = how == "found" and not lawful(table, kind, stands)
    pile.after_warning = pile.found and seat.warned
    if old is None:
        if table.point is None and kind in CALLABLE and ON_SPEAKS_FOR_KIND[table.house]:  # 51
            for other_key, other in seat.up.items():
                if KEYS[other_key][0] == kind and other.call == "on":
                    pile.call = "on"
        seat.up[key] = pile
    table.struck = None  # 100
    return True


def surcharge(table: Table, key: str, pile: Bet, amount: int, how: str) -> int:
    """What the commission on the whole exceeds the commission held (64), on the permitted part only (90)."""
    kind, n = KEYS[key]
    if commission(table, kind, n, amount) == 0:
        return 0
    whole = Bet(pile.stake + amount, found=how == "found")
    base = permitted(table, kind, whole)
    if base < whole.stake:
        table.by("90")
    charge = max(0, commission(table, kind, n, base) - pile.held)
    if charge != commission(table, kind, n, amount):
        table.by("64")
    return charge


def bet(table: Table, number: int, key: str, amount: int, *, token: int, form: str, by: set[str]) -> bool:
    """A bet between two rolls, in whatever form it is made; `form` is "", "spoken", "cash" or "self"."""
    if table.busy:  # 11, A-19
        return False
    house = table.house
    if form == "spoken" and not by & SPOKEN_TO[house]:
        return False
    if form == "cash" and (house != "exhibit-a" or key in LINE or "dealer" not in by):  # E-07
        return False
    if form == "self" and house == "fire-bonus" and key in KEYS and KEYS[key][0] in PROPS:  # PROP.3
        return False
    return put_up(table, number, key, amount, token=token, how="cash" if form == "cash" else "")


def late(table: Table, number: int, key: str, amount: int, *, token: int, by: set[str]) -> bool:
    """A bet while the dice are in the air (X-20)."""
    if not table.out or table.doubt is not None:  # sydney 6.3.2: not once they rest
        return False
    confirmed = by & {"dealer", "box"}
    needs = LATE_BETS.get(table.house)
    if needs is None or not confirmed or (needs == "both" and len(confirmed) < 2):
        return False
    return put_up(table, number, key, amount, token=token)


def found(table: Table, number: int, key: str, amount: int) -> bool:
    """Chips that reached the layout unchecked, whatever the limits say (README of the specification)."""
    return put_up(table, number, key, amount, how="found")


# ---------------------------------------------------------------------------------------------------------------
# Taking down and calling.


def take(table: Table, number: int, key: str, leave: int) -> bool:
    """Chips off the felt: the whole bet, or all but `leave` (38)."""
    seat = present(table, number)
    if seat is None or table.busy:  # 2, A-19
        return False
    pile = seat.up.get(key)
    if pile is None:  # 39
        return False
    kind, n = KEYS[key]
    if kind == "pass" and table.point is not None:  # 40
        return False
    if kind == "come_on":  # 40
        return False
    if kind in SIDE and pile.rolled:  # 43
        return False
    if leave >= pile.stake:  # 39
        return False
    if leave > 0 and not lawful_left(table, kind, leave):  # 39
        return False

    refund = pile.held if leave == 0 else down(Fraction(pile.held * (pile.stake - leave), pile.stake), table.chip)  # 65
    pile.held -= refund
    table.bank -= refund
    seat.rail += refund
    lower(seat, key, leave)
    if leave:
        pile.found = pile.found and not lawful(table, kind, leave)

    odds = seat.up.get(odds_key(kind, n))  # laid odds follow their flat bet
    if odds is not None:
        point = n or table.point
        assert point is not None
        if leave == 0:  # 36
            seat.give_back(odds_key(kind, n))
        elif not odds_within(table, KEYS[odds_key(kind, n)][0], odds.stake, leave, point):  # 35
            assert table.notice.odds is not None
            keeps = down(table.notice.odds * leave / LAID_ODDS[table.house][point], table.chip)
            lower(seat, odds_key(kind, n), keeps)

    # 75: the shooter without a line bet, with a point on.
    if kind in LINE and table.point is not None and table.dice.shooter == number and not seat.line():
        others = any(other.line() for m, other in table.seats.items() if m != number)
        if table.house == "adelaide" and not others and any(other.away for other in table.seats.values()):
            table.by("75")  # the bets of one who has left run on, but nobody throws there
        if table.house == "sydney" or (table.house == "adelaide" and others):
            give_up(table)
    table.struck = None  # 100
    return True


def lower(seat: Seat, key: str, leave: int) -> None:
    """A pile comes down to `leave`, tokens first."""
    if leave == 0:
        seat.give_back(key)
        return
    pile = seat.up[key]
    removed = pile.stake - leave
    token = min(pile.tokens, removed)
    pile.stake = leave
    pile.tokens -= token
    seat.tokens += token
    seat.rail += removed - token


def call(table: Table, number: int, key: str, word: str, by: set[str] | None) -> bool:
    """`on` or `off` for a bet that can be called (44)."""
    seat = present(table, number)
    if seat is None or table.busy:  # 2, A-19
        return False
    if key not in seat.up or KEYS[key][0] not in CALLABLE:  # 44
        return False
    if word == "on" and by is not None and not by & ON_CONFIRMED_BY[table.house]:  # no button, no call
        return False
    if table.struck is not None:
        table.struck.called = True  # 100: no chip has moved
    if word == "off":
        seat.up[key].call = "off"  # 47: that one bet
        return True
    kind = KEYS[key][0]
    for other_key, other in seat.up.items():
        if other_key == key or (ON_SPEAKS_FOR_KIND[table.house] and KEYS[other_key][0] == kind):  # 48
            if table.point is None:
                other.call = "on"  # 49
            else:
                other.call = ""  # 50: only ends an earlier off
    return True
