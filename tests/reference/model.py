"""A second, independent reading of the rules: what a record does to the chips.

Written straight from `rulebooks/pinned.md` (numbers in brackets), `ambiguities.md` (letters: X-01, F-17 ...) and
`wagers.csv`. It shares no code with the engine and is deliberately plain: cents as `int`, prices as `Fraction`, one
long `if` where the book has one long list. It is slow, and it is only there to be disagreed with.
"""

import re
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

HOUSES = ("adelaide", "sydney", "exhibit-a", "fire-bonus")
POINTS = (4, 5, 6, 8, 9, 10)
CRAPS = (2, 3, 12)
HARD = (4, 6, 8, 10)
HORN = (2, 3, 11, 12)

# ---------------------------------------------------------------------------------------------------------------
# Prices, all as profit per unit staked ("to"; a "for" price pays one less: pinned 62, X-10).

TRUE_ODDS = {
    4: Fraction(2),
    5: Fraction(3, 2),
    6: Fraction(6, 5),
    8: Fraction(6, 5),
    9: Fraction(3, 2),
    10: Fraction(2),
}
TRUE_LAYS = {n: 1 / price for n, price in TRUE_ODDS.items()}

TAKEN_ODDS = {
    "adelaide": TRUE_ODDS,
    "sydney": TRUE_ODDS,
    # E-04: even money on 6 and 8, as written.
    "exhibit-a": {
        4: Fraction(2),
        5: Fraction(3, 2),
        6: Fraction(1),
        8: Fraction(1),
        9: Fraction(3, 2),
        10: Fraction(2),
    },
    "fire-bonus": TRUE_ODDS,
}
LAID_ODDS = {
    "adelaide": TRUE_LAYS,  # '6 & 9' is a misprint for 6 & 8
    "sydney": TRUE_LAYS,
    # E-03: 3 to 4 on 5, 9, 6 and 8, as written.
    "exhibit-a": {
        4: Fraction(1, 2),
        5: Fraction(3, 4),
        6: Fraction(3, 4),
        8: Fraction(3, 4),
        9: Fraction(3, 4),
        10: Fraction(1, 2),
    },
    "fire-bonus": TRUE_LAYS,
}
USUAL_PLACE = {
    4: Fraction(9, 5),
    5: Fraction(7, 5),
    6: Fraction(7, 6),
    8: Fraction(7, 6),
    9: Fraction(7, 5),
    10: Fraction(9, 5),
}
PLACE = {
    "adelaide": USUAL_PLACE,
    "sydney": USUAL_PLACE,
    "exhibit-a": {
        4: Fraction(7, 4),
        5: Fraction(5, 4),
        6: Fraction(1),
        8: Fraction(1),
        9: Fraction(5, 4),
        10: Fraction(7, 4),
    },
    "fire-bonus": USUAL_PLACE,
}
PLACE_LOSE = {
    4: Fraction(5, 11),
    5: Fraction(5, 8),
    6: Fraction(4, 5),
    8: Fraction(4, 5),
    9: Fraction(5, 8),
    10: Fraction(5, 11),
}
HARDWAYS = {
    "adelaide": {4: Fraction(7), 6: Fraction(9), 8: Fraction(9), 10: Fraction(7)},
    "sydney": {4: Fraction(15, 2), 6: Fraction(19, 2), 8: Fraction(19, 2), 10: Fraction(15, 2)},  # S-19
    "exhibit-a": {4: Fraction(7), 6: Fraction(9), 8: Fraction(9), 10: Fraction(7)},
    "fire-bonus": {4: Fraction(7), 6: Fraction(9), 8: Fraction(9), 10: Fraction(7)},  # 8 and 10 for 1
}
ONE_NUMBER = {  # what the single totals 2, 3, 11, 12 pay; horns and worlds are made of these
    "adelaide": {2: Fraction(32), 3: Fraction(15), 11: Fraction(15), 12: Fraction(32)},
    "sydney": {2: Fraction(33), 3: Fraction(16), 11: Fraction(16), 12: Fraction(33)},
    "exhibit-a": {2: Fraction(30), 3: Fraction(15), 11: Fraction(15), 12: Fraction(30)},
    "fire-bonus": {2: Fraction(29), 3: Fraction(14), 11: Fraction(14), 12: Fraction(29)},  # 30 and 15 for 1
}
ANY_SEVEN = Fraction(4)  # fire-bonus: 5 for 1
ANY_CRAPS = {"adelaide": Fraction(7), "sydney": Fraction(15, 2), "exhibit-a": Fraction(7)}
FIELD = {2: 2, 3: 1, 4: 1, 9: 1, 10: 1, 11: 1, 12: 2}
HOP_HARD = Fraction(29)  # 30 for 1
FIRE = {3: 6, 4: 29, 5: 149, 6: 299}  # 7, 30, 150, 300 for 1 (62)
BONUS_PAYS = {"all_small": 34, "all_tall": 34, "make_em_all": 175}  # F-13: to
BONUS_NEEDS = {
    "all_small": {2, 3, 4, 5, 6},
    "all_tall": {8, 9, 10, 11, 12},
    "make_em_all": {2, 3, 4, 5, 6, 8, 9, 10, 11, 12},
}

BAR = {"adelaide": 12, "sydney": 2, "exhibit-a": 12, "fire-bonus": 12}
ROUND_UP = {"adelaide": True, "sydney": True, "exhibit-a": False, "fire-bonus": False}  # X-16, pinned 61
ON_SPEAKS_FOR_KIND = {"adelaide": True, "sydney": True, "exhibit-a": False, "fire-bonus": True}  # A-10, pinned 48
DEFAULT_ODDS: dict[str, int | None] = {"adelaide": 10, "sydney": 2, "exhibit-a": 1, "fire-bonus": None}  # pinned 8

CALLABLE = ("place", "buy", "come_odds", "hard")  # X-30, pinned 44
ODDS_KINDS = ("pass_odds", "dont_pass_odds", "come_odds", "dont_come_odds")
LINE = ("pass", "dont_pass")
PROPS = (  # pinned 10c
    "hard",
    "hop_hard",
    "any_seven",
    "any_craps",
    "craps",
    "eleven",
    "horn",
    "horn_high",
    "craps_eleven",
    "world",
)
ONE_ROLL = (
    "field",
    "hop_hard",
    "any_seven",
    "any_craps",
    "craps",
    "eleven",
    "horn",
    "horn_high",
    "craps_eleven",
    "world",
)
SIDE = ("fire", "all_small", "all_tall", "make_em_all")
PARTS = {"horn": 4, "horn_high": 5, "world": 5, "craps_eleven": 2}  # X-12, pinned 20

# Every key that can ever lie on a felt: key -> (kind, number).
KEYS: dict[str, tuple[str, int]] = {}
for _kind in (
    "pass",
    "dont_pass",
    "come",
    "dont_come",
    "pass_odds",
    "dont_pass_odds",
    "field",
    "any_seven",
    "any_craps",
):
    KEYS[_kind] = (_kind, 0)
for _kind in ("eleven", "horn", "craps_eleven", "world", "fire", "all_small", "all_tall", "make_em_all"):
    KEYS[_kind] = (_kind, 0)
for _kind in ("come_odds", "dont_come_odds", "place", "place_lose", "buy", "lay"):
    for _n in POINTS:
        KEYS[f"{_kind}_{_n}"] = (_kind, _n)
for _n in POINTS:
    KEYS[f"come_{_n}"] = ("come_on", _n)
    KEYS[f"dont_come_{_n}"] = ("dont_come_on", _n)
for _n in HARD:
    KEYS[f"hard_{_n}"] = ("hard", _n)
    KEYS[f"hop_hard_{_n}"] = ("hop_hard", _n)
for _n in (6, 8):
    KEYS[f"big_{_n}"] = ("big", _n)
for _n in CRAPS:
    KEYS[f"craps_{_n}"] = ("craps", _n)
for _n in HORN:
    KEYS[f"horn_high_{_n}"] = ("horn_high", _n)

# Kinds of the list above that a house does not offer (wagers.csv, column offered); travelled bets are never *bet* (5).
NOT_OFFERED = {
    "adelaide": ("horn_high", "hop_hard", "fire", "all_small", "all_tall", "make_em_all"),
    "sydney": ("world", "hop_hard", "fire", "all_small", "all_tall", "make_em_all"),  # S-20
    "exhibit-a": (
        "place_lose",
        "buy",
        "lay",
        "big",
        "hop_hard",
        "fire",
        "all_small",
        "all_tall",
        "make_em_all",
    ),  # E-01
    "fire-bonus": ("place_lose", "any_craps", "craps_eleven"),  # F-03
}


def offers(house: str, key: str) -> bool:
    """Whether `key` can be bet in `house` (5)."""
    if key not in KEYS:
        return False
    kind, _ = KEYS[key]
    return kind not in ("come_on", "dont_come_on") and kind not in NOT_OFFERED[house]


# ---------------------------------------------------------------------------------------------------------------
# What is on the table.


@dataclass
class Bet:
    """One pile under one key."""

    stake: int
    held: int = 0  # commission paid and not yet earned (65)
    call: str = ""  # "", "on" or "off" (47 to 49)
    rolled: bool = False  # whether a valid roll has passed since it was made
    seen: set[int] = field(default_factory=set)  # totals a bonus wager has collected (71)


@dataclass
class Seat:
    """One player: chips in the rail, bets on the felt."""

    name: str
    rail: int
    up: dict[str, Bet] = field(default_factory=dict)

    def line(self) -> bool:
        """Whether a pass or don't pass is up."""
        return "pass" in self.up or "dont_pass" in self.up


@dataclass
class Notice:
    """The sign on the table, in cents (8)."""

    min: int = 500
    max: int = 100_000
    odds: int | None = None
    props: int | None = None
    side: tuple[int, int] | None = None
    multiples: bool = False
    unit: int | None = None


@dataclass
class Table:
    """Everything that a line of a record can change."""

    house: str
    notice: Notice
    chip: int = 100
    seats: dict[int, Seat] = field(default_factory=dict)
    point: int | None = None
    shooter: int | None = None
    last: int | None = None  # the seat that last held the dice (76, 77)
    tally: set[int] = field(default_factory=set)  # different points made since the last seven-out (69)
    rolled: bool = False  # a valid roll since the opening or the last seven-out (30)
    bank: int = 0  # what the house has won so far; only to see that no chip is made or lost


# ---------------------------------------------------------------------------------------------------------------
# Small sums.


def down(amount: Fraction | int, chip: int) -> int:
    """The largest whole number of chips within `amount`."""
    return int(Fraction(amount) // chip) * chip


def winnings(table: Table, stake: Fraction | int, price: Fraction | int) -> int:
    """`stake` at `price`, rounded to chips: up in adelaide and sydney, else down (61)."""
    exact = Fraction(stake) * price
    if ROUND_UP[table.house]:
        return -down(-exact, table.chip)
    return down(exact, table.chip)


def commission(table: Table, kind: str, number: int, stake: int) -> int:
    """What is charged in front for `stake` more on a buy or a lay (63, 64)."""
    if kind == "buy":
        base = Fraction(stake)
    elif kind == "lay" and table.house != "fire-bonus":  # 67: nothing in front there
        base = stake * TRUE_LAYS[number]
    else:
        return 0
    return max(table.chip, down(base / 20, table.chip))


def minimum(table: Table, kind: str) -> int:
    """The least that may stand of a wager (10c, 10d, 19)."""
    notice = table.notice
    if kind in PROPS and notice.props is not None:
        return notice.props
    if kind in SIDE and notice.side is not None:
        return notice.side[0]
    return notice.min


def maximum(table: Table, kind: str) -> int | None:
    """The most that may stand of a wager, or None where the notice's maximum does not bind (10d, 18)."""
    notice = table.notice
    if kind in SIDE and notice.side is not None:
        return notice.side[1]
    if kind in ODDS_KINDS and notice.odds is not None:
        return None
    return notice.max


def lawful_left(table: Table, kind: str, stake: int) -> bool:
    """Whether `stake` may stand as far as chips, minimum, steps and parts go (what a bet and a take share)."""
    if stake % table.chip != 0:  # 13, 15, 39
        return False
    if stake < minimum(table, kind):  # 16, 17, 19, 39
        return False
    if kind not in ODDS_KINDS:
        if table.notice.multiples and stake % table.notice.min != 0:  # 10a
            return False
        if table.notice.unit is not None and (stake - table.notice.min) % table.notice.unit != 0:  # 10b
            return False
    return stake % (PARTS.get(kind, 1) * table.chip) == 0  # 20


def flat_of(table: Table, seat: Seat, kind: str, number: int) -> tuple[Bet, int] | None:
    """The flat bet that these odds belong to, and its point; None where there is no such bet (28)."""
    if kind in ("pass_odds", "dont_pass_odds"):
        flat = seat.up.get("pass" if kind == "pass_odds" else "dont_pass")
        if table.point is None or flat is None:
            return None
        return flat, table.point
    flat = seat.up.get(f"come_{number}" if kind == "come_odds" else f"dont_come_{number}")
    if flat is None:
        return None
    return flat, number


def odds_within(table: Table, kind: str, stake: int, flat: int, point: int) -> bool:
    """Whether odds of `stake` keep to the multiple (33, 34)."""
    multiple = table.notice.odds
    if multiple is None:
        return True
    if kind in ("pass_odds", "come_odds"):
        return stake <= multiple * flat
    return stake * LAID_ODDS[table.house][point] <= multiple * flat


def works(table: Table, kind: str, bet: Bet) -> bool:
    """Whether a bet works on the coming roll (45 to 49)."""
    if kind not in CALLABLE:
        return True
    if bet.call == "off":
        return False
    return table.point is not None or bet.call == "on"


# ---------------------------------------------------------------------------------------------------------------
# What a seat may do. Each returns whether it was accepted; a refusal changes nothing.


def sit(table: Table, number: int, name: str, buy_in: int) -> bool:
    """A player sits down (2, 7)."""
    if number in table.seats:
        return False
    table.seats[number] = Seat(name, buy_in)
    return True


def may_be_made(table: Table, seat: Seat, key: str, kind: str, number: int) -> bool:
    """Whether now is the time to make or raise this wager (24 to 32)."""
    old = seat.up.get(key)
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


def bet(table: Table, number: int, key: str, amount: int) -> bool:
    """Chips on the felt: a new bet, or an addition to the one that is up (14)."""
    seat = table.seats.get(number)
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
    if not lawful_left(table, kind, stands):
        return False
    most = maximum(table, kind)
    if most is not None and stands > most:  # 17, 18
        return False
    if kind in ODDS_KINDS:
        flat = flat_of(table, seat, kind, n)
        assert flat is not None
        if not odds_within(table, kind, stands, flat[0].stake, flat[1]):  # 33
            return False
    charge = commission(table, kind, n, amount)  # 63, 64
    if amount + charge > seat.rail:  # 22
        return False

    seat.rail -= amount + charge
    table.bank += charge
    if old is not None:
        old.stake = stands
        old.held += charge
        return True
    new = Bet(amount, held=charge)
    if table.point is None and kind in CALLABLE and ON_SPEAKS_FOR_KIND[table.house]:  # 51
        for other_key, other in seat.up.items():
            if KEYS[other_key][0] == kind and other.call == "on":
                new.call = "on"
    seat.up[key] = new
    return True


def take(table: Table, number: int, key: str, leave: int) -> bool:
    """Chips off the felt: the whole bet, or all but `leave` (38)."""
    seat = table.seats.get(number)
    if seat is None:  # 2
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

    removed = pile.stake - leave
    if leave == 0:
        refund = pile.held  # 65
        del seat.up[key]
    else:
        refund = down(Fraction(pile.held * removed, pile.stake), table.chip)  # 65
        pile.stake = leave
    pile.held -= refund
    table.bank -= refund
    seat.rail += removed + refund

    # Laid odds follow their flat bet.
    if kind == "dont_pass":
        odds_key, point = "dont_pass_odds", table.point
    elif kind == "dont_come_on":
        odds_key, point = f"dont_come_odds_{n}", n
    else:
        odds_key, point = "", None
    odds = seat.up.get(odds_key)
    if odds is not None:
        assert point is not None
        if leave == 0:  # 36
            seat.rail += odds.stake
            del seat.up[odds_key]
        elif not odds_within(table, KEYS[odds_key][0], odds.stake, leave, point):  # 35
            assert table.notice.odds is not None
            keeps = down(table.notice.odds * leave / LAID_ODDS[table.house][point], table.chip)
            seat.rail += odds.stake - keeps
            odds.stake = keeps

    # 75: the shooter without a line bet, with a point on.
    if kind in LINE and table.point is not None and table.shooter == number and not seat.line():
        others = any(other.line() for m, other in table.seats.items() if m != number)
        if table.house == "sydney" or (table.house == "adelaide" and others):
            table.shooter = None
    return True


def call(table: Table, number: int, key: str, word: str) -> bool:
    """`on` or `off` for a bet that can be called (44)."""
    seat = table.seats.get(number)
    if seat is None:  # 2
        return False
    if key not in seat.up or KEYS[key][0] not in CALLABLE:  # 44
        return False
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


def shoot(table: Table, number: int) -> bool:
    """A seat takes the dice (73)."""
    seat = table.seats.get(number)
    if seat is None:  # 2
        return False
    if table.shooter == number:
        return True
    if table.shooter is not None:
        return False
    if table.point is not None and not seat.line():
        return False
    table.shooter = table.last = number
    return True


# ---------------------------------------------------------------------------------------------------------------
# A roll.


def clockwise(table: Table) -> list[int]:
    """Seats in the order in which the dice are offered (3, 76): after the last holder, who comes last."""
    seats = sorted(table.seats)
    if table.last is None:
        return seats
    return [n for n in seats if n > table.last] + [n for n in seats if n <= table.last]


def roll(table: Table, a: int, b: int) -> bool:
    """The dice are thrown, or there is nobody to throw them (72 to 81)."""
    with_line = [n for n in clockwise(table) if table.seats[n].line()]
    come_only = False
    shooter = table.shooter
    if shooter is not None and (table.point is not None or table.seats[shooter].line()):  # 76
        thrower: int | None = shooter
    elif with_line:  # 76
        thrower = with_line[0]
    elif table.house == "adelaide" and table.point is not None:  # 77
        thrower = table.last
        assert thrower is not None
    elif table.house == "sydney" and any(seat.up for seat in table.seats.values()):  # 78
        thrower = None
    elif table.house == "exhibit-a" and table.point is None and any(travelled(s) for s in table.seats.values()):  # 79
        thrower = shooter
        come_only = True
        assert thrower is not None
    else:  # 77 to 80
        return False

    table.shooter = thrower
    if thrower is not None:
        table.last = thrower

    total = a + b
    made = table.point is not None and total == table.point
    seven_out = table.point is not None and total == 7
    if made:
        table.tally.add(total)  # 69
    for seat in table.seats.values():
        settle(table, seat, a, b, seven_out)

    # 53: then the puck moves, then the dice pass.
    table.rolled = True
    if table.point is None:
        if total in POINTS and not come_only:  # 72, 79
            table.point = total
            for seat in table.seats.values():
                for pile in seat.up.values():
                    if pile.call == "on":  # 49
                        pile.call = ""
    elif made or seven_out:
        table.point = None
    if seven_out:
        table.shooter = None  # 74
        table.tally = set()  # 69
        table.rolled = False  # 30
    return True


def travelled(seat: Seat) -> bool:
    """Whether a come or don't come is up on its number."""
    return any(KEYS[key][0] in ("come_on", "dont_come_on") for key in seat.up)


def settle(table: Table, seat: Seat, a: int, b: int, seven_out: bool) -> None:
    """One roll against all bets of one seat, with the puck as it stood (53, 54)."""
    total = a + b
    house = table.house
    point = table.point
    arriving: dict[str, Bet] = {}

    def lose(key: str) -> None:
        table.bank += seat.up.pop(key).stake

    def win(key: str, won: int) -> None:
        """Stake and winnings to the rail (56)."""
        table.bank -= won
        seat.rail += seat.up.pop(key).stake + won

    def win_and_stay(won: int) -> None:
        """Only the winnings to the rail (57)."""
        table.bank -= won
        seat.rail += won

    def give_back(key: str) -> None:
        seat.rail += seat.up.pop(key).stake

    for key, pile in list(seat.up.items()):
        kind, n = KEYS[key]
        stake = pile.stake
        pile.rolled = True

        if not works(table, kind, pile):
            if kind == "come_odds" and total in (n, 7):  # 46, X-01: their come bet is decided now
                give_back(key)
            continue

        if kind == "pass":
            if point is None:
                if total in (7, 11):
                    win(key, stake)
                elif total in CRAPS:
                    lose(key)
            elif total == point:
                win(key, stake)
            elif total == 7:
                lose(key)

        elif kind == "dont_pass":
            if point is None:
                if total in (7, 11):
                    lose(key)
                elif total in CRAPS and total != BAR[house]:  # 60: the bar number leaves it
                    win(key, stake)
            elif total == point:
                lose(key)
            elif total == 7:
                win(key, stake)

        elif kind == "come":
            if total in (7, 11):
                win(key, stake)
            elif total in CRAPS:
                lose(key)
            else:
                arriving[f"come_{total}"] = seat.up.pop(key)

        elif kind == "dont_come":
            if total in (7, 11):
                lose(key)
            elif total in CRAPS:
                if total != BAR[house]:  # 60
                    win(key, stake)
            else:
                arriving[f"dont_come_{total}"] = seat.up.pop(key)

        elif kind == "come_on":
            if total == n:
                win(key, stake)
            elif total == 7:  # any seven
                lose(key)

        elif kind == "dont_come_on":
            if total == 7:
                win(key, stake)
            elif total == n:
                lose(key)

        elif kind == "pass_odds":
            assert point is not None
            if total == point:
                win(key, winnings(table, stake, TAKEN_ODDS[house][point]))
            elif total == 7:
                lose(key)

        elif kind == "dont_pass_odds":
            assert point is not None
            if total == 7:
                win(key, winnings(table, stake, LAID_ODDS[house][point]))
            elif total == point:
                lose(key)

        elif kind == "come_odds":
            if total == n:
                win(key, winnings(table, stake, TAKEN_ODDS[house][n]))
            elif total == 7:
                lose(key)

        elif kind == "dont_come_odds":
            if total == 7:
                win(key, winnings(table, stake, LAID_ODDS[house][n]))
            elif total == n:
                lose(key)

        elif kind == "place":
            if total == n:
                win_and_stay(winnings(table, stake, PLACE[house][n]))
            elif total == 7:
                lose(key)

        elif kind == "place_lose":
            if total == 7:
                win_and_stay(winnings(table, stake, PLACE_LOSE[n]))
            elif total == n:
                lose(key)

        elif kind == "buy":
            if total == n:
                won = winnings(table, stake, TRUE_ODDS[n])
                again = commission(table, kind, n, stake)  # 66
                win_and_stay(won - again)
                pile.held = again
            elif total == 7:
                lose(key)

        elif kind == "lay":
            if total == 7:
                won = winnings(table, stake, TRUE_LAYS[n])
                if house == "fire-bonus":  # 67
                    kept = min(won, max(table.chip, down(Fraction(won, 20), table.chip)))
                    win_and_stay(won - kept)
                else:  # 66
                    again = commission(table, kind, n, stake)
                    win_and_stay(won - again)
                    pile.held = again
            elif total == n:
                lose(key)

        elif kind == "hard":
            if total == n and a == b:
                win_and_stay(winnings(table, stake, HARDWAYS[house][n]))
            elif total in (n, 7):  # A-28, S-01: the easy way, or a seven
                lose(key)

        elif kind == "big":
            if total == n:
                win_and_stay(stake)
            elif total == 7:
                lose(key)

        elif kind in ONE_ROLL:  # 58, 59
            part, price = one_roll(house, kind, n, a, b)
            if part == 0:
                lose(key)
            else:
                winner = int(stake * part)  # what of the stake was on the winning part
                won = winnings(table, winner, price)
                del seat.up[key]
                seat.rail += winner + won
                table.bank += (stake - winner) - won

        elif kind == "fire":
            if len(table.tally) == 6:  # 70: at once
                win(key, winnings(table, stake, FIRE[6]))
            elif seven_out:
                if len(table.tally) >= 3:
                    win(key, winnings(table, stake, FIRE[len(table.tally)]))
                else:
                    lose(key)

        elif kind in BONUS_PAYS:  # 71
            if total == 7:
                lose(key)
            else:
                pile.seen.add(total)
                if pile.seen >= BONUS_NEEDS[kind]:
                    win(key, winnings(table, stake, BONUS_PAYS[kind]))

        else:
            raise AssertionError(key)

    seat.up.update(arriving)  # 53, 55: the old come_N has gone by now


def one_roll(house: str, kind: str, n: int, a: int, b: int) -> tuple[Fraction, Fraction]:
    """Which part of a one-roll wager wins, and at what price; part 0 is a loss (58, 59, X-11)."""
    total = a + b
    lost = Fraction(0), Fraction(0)
    if kind == "field":
        return (Fraction(1), Fraction(FIELD[total])) if total in FIELD else lost
    if kind == "any_seven":
        return (Fraction(1), ANY_SEVEN) if total == 7 else lost
    if kind == "any_craps":
        return (Fraction(1), ANY_CRAPS[house]) if total in CRAPS else lost
    if kind == "craps":
        return (Fraction(1), ONE_NUMBER[house][n]) if total == n else lost
    if kind == "eleven":
        return (Fraction(1), ONE_NUMBER[house][11]) if total == 11 else lost
    if kind == "hop_hard":  # F-04
        return (Fraction(1), HOP_HARD) if total == n and a == b else lost
    if kind == "horn":
        return (Fraction(1, 4), ONE_NUMBER[house][total]) if total in HORN else lost
    if kind == "horn_high":  # S-03: two units on the named number
        return (Fraction(2 if total == n else 1, 5), ONE_NUMBER[house][total]) if total in HORN else lost
    if kind == "craps_eleven":
        if total in CRAPS:
            return Fraction(1, 2), ANY_CRAPS[house]
        return (Fraction(1, 2), ONE_NUMBER[house][11]) if total == 11 else lost
    if kind == "world":
        if total == 7:
            return Fraction(1, 5), ANY_SEVEN
        return (Fraction(1, 5), ONE_NUMBER[house][total]) if total in HORN else lost
    raise AssertionError(kind)


# ---------------------------------------------------------------------------------------------------------------
# Reading a record.


class Unreadable(Exception):
    """A record that cannot be read (6); `line` counts from 1."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(f"line {line}: {why}")
        self.line = line
        self.why = why


@dataclass(frozen=True)
class Act:
    """One line that asks for something at the table."""

    line: int
    verb: str  # sit, bet, take, on, off, shoot, roll, no-roll
    seat: int = 0
    key: str = ""
    amount: int = 0
    name: str = ""
    dice: tuple[int, int] = (0, 0)


SEAT = re.compile(r"[1-9][0-9]*")
KEY = re.compile(r"[a-z][a-z0-9_]*")
AMOUNT = re.compile(r"([0-9]+)(?:\.([0-9]{1,2}))?")
DICE = re.compile(r"([1-6])-([1-6])")
WHOLE = re.compile(r"[0-9]+")


def cents(word: str, line: int) -> int:
    """An amount, read (4)."""
    match = AMOUNT.fullmatch(word)
    if match is None:
        raise Unreadable(line, f"{word!r} is no amount")
    return int(match[1]) * 100 + int((match[2] or "").ljust(2, "0"))


def shown(amount: int) -> str:
    """An amount, written (4)."""
    whole, rest = divmod(amount, 100)
    return str(whole) if rest == 0 else f"{whole}.{rest:02d}"


def read_notice(house: str, words: list[str], line: int) -> Notice:
    """The words of a notice, in any order (8 to 10d)."""
    notice = Notice(odds=DEFAULT_ODDS[house])
    said: set[str] = set()
    for word in words:
        name, equals, value = word.partition("=")
        if name in said:
            raise Unreadable(line, f"{name} is said twice")
        said.add(name)
        if word == "multiples":
            if house not in ("adelaide", "sydney"):  # 10a
                raise Unreadable(line, f"{house} has no multiples")
            notice.multiples = True
        elif not equals:
            raise Unreadable(line, f"what is {word!r}?")
        elif name == "min":
            notice.min = cents(value, line)
        elif name == "max":
            notice.max = cents(value, line)
        elif name == "odds":  # 9
            if WHOLE.fullmatch(value) is None:
                raise Unreadable(line, "odds is a whole number")
            notice.odds = int(value)
            if notice.odds < 1:
                raise Unreadable(line, "odds begin at 1")
            if house == "adelaide" and notice.odds > 10:
                raise Unreadable(line, "adelaide has at most ten times odds")
            if house == "sydney" and notice.odds != 2:
                raise Unreadable(line, "sydney has double odds")
        elif name == "props":  # 10c
            notice.props = cents(value, line)
        elif name == "side":  # 10d
            if house != "fire-bonus":
                raise Unreadable(line, f"{house} has no side wagers")
            low, dash, high = value.partition("-")
            if not dash:
                raise Unreadable(line, "side is two amounts, A-B")
            notice.side = cents(low, line), cents(high, line)
        elif name == "unit":  # 10b
            if house not in ("adelaide", "sydney"):
                raise Unreadable(line, f"{house} has no unit")
            notice.unit = cents(value, line)
            if notice.unit == 0:
                raise Unreadable(line, "a unit is above 0")
        else:
            raise Unreadable(line, f"what is {word!r}?")
    if notice.multiples and notice.min == 0:  # 10a
        raise Unreadable(line, "multiples of 0")
    return notice


def read_seat_act(words: list[str], line: int) -> Act:
    """A line that begins with a seat."""
    if len(words) < 2:
        raise Unreadable(line, "a seat, and then?")
    seat, verb, rest = int(words[0]), words[1], words[2:]
    allowed = {"bet": (2,), "take": (1, 2), "on": (1,), "off": (1,), "shoot": (0,)}
    if verb not in allowed:
        raise Unreadable(line, f"what is {verb!r}?")
    if len(rest) not in allowed[verb]:
        raise Unreadable(line, "a word too few or too many")
    if verb == "shoot":
        return Act(line, verb, seat)
    if KEY.fullmatch(rest[0]) is None:
        raise Unreadable(line, f"{rest[0]!r} is no key")
    return Act(line, verb, seat, rest[0], cents(rest[1], line) if len(rest) == 2 else 0)


def read(text: str) -> tuple[Table, list[Act]]:
    """The opened table and all acts, or `Unreadable`; nothing is played before everything is read (6)."""
    house = ""
    opened = False  # `passline 1` has been said
    notice: Notice | None = None
    chips: list[int] = []
    acts: list[Act] = []
    sat = False
    line = 1
    for line, raw in enumerate(text.split("\n"), start=1):
        words = raw.partition("#")[0].split()
        if not words:
            continue
        verb, rest = words[0], words[1:]
        if not opened:  # 1
            if words != ["passline", "1"]:
                raise Unreadable(line, "a record begins with passline 1")
            opened = True
        elif not house:  # 1
            if verb != "house" or len(rest) != 1:
                raise Unreadable(line, "house NAME comes second")
            if rest[0] not in HOUSES:
                raise Unreadable(line, f"no house {rest[0]!r}")
            house = rest[0]
        elif verb in ("passline", "house"):
            raise Unreadable(line, f"{verb} is said once")
        elif verb == "notice":
            if notice is not None or sat:
                raise Unreadable(line, "one notice, before the first sit")
            notice = read_notice(house, rest, line)
        elif verb == "float":
            if chips or sat:
                raise Unreadable(line, "one float, before the first sit")
            if not rest:
                raise Unreadable(line, "an empty float")
            chips = [cents(word, line) for word in rest]
            if min(chips) == 0:
                raise Unreadable(line, "a chip of 0")
        elif verb == "sit":
            if len(rest) != 3:
                raise Unreadable(line, "sit SEAT NAME AMOUNT")
            if SEAT.fullmatch(rest[0]) is None:
                raise Unreadable(line, f"{rest[0]!r} is no seat")
            acts.append(Act(line, "sit", int(rest[0]), name=rest[1], amount=cents(rest[2], line)))
            sat = True
        elif verb == "roll":
            match = DICE.fullmatch(rest[0]) if len(rest) == 1 else None
            if match is None:
                raise Unreadable(line, "roll A-B, each 1 to 6")
            acts.append(Act(line, "roll", dice=(int(match[1]), int(match[2]))))
        elif verb == "no-roll":
            if not rest:
                raise Unreadable(line, "a no-roll has a reason")
            acts.append(Act(line, "no-roll"))
        elif SEAT.fullmatch(verb) is not None:
            acts.append(read_seat_act(words, line))
        else:
            raise Unreadable(line, f"what is {verb!r}?")
    if not house:
        raise Unreadable(line, "the record ends before its house")
    if notice is None:
        notice = Notice(odds=DEFAULT_ODDS[house])
    return Table(house, notice, chip=min(chips) if chips else 100), acts  # 13: the smallest chip


# ---------------------------------------------------------------------------------------------------------------
# Playing it.


@dataclass
class Result:
    """What a record came to."""

    acts: list[tuple[int, bool]]  # line, accepted?
    rails: list[dict[str, str]]  # after each act
    table: dict[str, Any]  # the last JSON object of design section 6
    bank: int = 0  # net winnings of the house, in cents


def do(table: Table, act: Act) -> bool:
    """One act at the table; whether it was accepted."""
    if act.verb == "sit":
        return sit(table, act.seat, act.name, act.amount)
    if act.verb == "bet":
        return bet(table, act.seat, act.key, act.amount)
    if act.verb == "take":
        return take(table, act.seat, act.key, act.amount)
    if act.verb in ("on", "off"):
        return call(table, act.seat, act.key, act.verb)
    if act.verb == "shoot":
        return shoot(table, act.seat)
    if act.verb == "roll":
        return roll(table, *act.dice)
    if act.verb == "no-roll":
        return True  # 12
    raise AssertionError(act.verb)


def rails_of(table: Table) -> dict[str, str]:
    """Every rail, as it is written."""
    return {str(n): shown(table.seats[n].rail) for n in sorted(table.seats)}


def picture(table: Table) -> dict[str, Any]:
    """The table as the last line of `passline replay --json` shows it."""
    return {
        "event": "table",
        "puck": "off" if table.point is None else table.point,
        "shooter": table.shooter,
        "seats": {
            str(n): {
                "rail": shown(table.seats[n].rail),
                "up": {key: shown(pile.stake) for key, pile in table.seats[n].up.items()},
            }
            for n in sorted(table.seats)
        },
    }


def replay(text: str) -> Result:
    """Read a record, play it, and say what came of it."""
    table, acts = read(text)
    result = Result([], [], {})
    for act in acts:
        result.acts.append((act.line, do(table, act)))
        result.rails.append(rails_of(table))
    result.table = picture(table)
    result.bank = table.bank
    return result
