"""What lies on the table of the model, and the small sums that every act needs."""

from dataclasses import dataclass, field
from fractions import Fraction

from tests.reference.book import (
    CALLABLE,
    DICE_IN_THE_SET,
    LAID_ODDS,
    ODDS_KINDS,
    PARTS,
    PROPS,
    ROUND_UP,
    SIDE,
    TRUE_LAYS,
)

CAPPED = ("adelaide", "sydney")  # where a stake found over the maximum is settled up to it


@dataclass
class Bet:
    """One pile under one key."""

    stake: int
    held: int = 0  # commission paid and not yet earned (65)
    call: str = ""  # "", "on" or "off" (47 to 49)
    rolled: bool = False  # whether a valid roll has passed since it was made
    seen: set[int] = field(default_factory=set)  # totals a bonus wager has collected (71)
    tokens: int = 0  # how much of the stake is in promotional tokens (S-06)
    found: bool = False  # it reached the layout unchecked, and was no lawful wager
    unchecked: bool = False  # it reached the layout unchecked
    after_warning: bool = False  # found below the minimum although the owner had been warned


@dataclass
class Seat:
    """One player: chips in the rail, bets on the felt."""

    name: str
    rail: int
    up: dict[str, Bet] = field(default_factory=dict)
    tokens: int = 0
    away: bool = False  # the player left and the bets run on
    warned: bool = False  # told about stakes below the minimum

    def line(self) -> bool:
        """Whether a player sits here who has a pass or don't pass up."""
        return not self.away and ("pass" in self.up or "dont_pass" in self.up)

    def give_back(self, key: str) -> None:
        """A whole pile to its owner: chips to the rail, tokens to the tokens."""
        pile = self.up.pop(key)
        self.rail += pile.stake - pile.tokens
        self.tokens += pile.tokens


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
    no_roll: str = ""  # who calls No Roll in adelaide, where the sign says (91)


@dataclass
class Dice:
    """Who holds the dice, and where each die of the set is."""

    shooter: int | None = None
    last: int | None = None  # the seat that last held them (76, 77)
    last_gone: bool = False  # whoever that was has left the table
    declined: set[int] = field(default_factory=set)  # said no since the last valid roll (95)
    followed: bool = False  # from the first choose or die-off on (84)
    where: dict[int, str] = field(default_factory=lambda: dict.fromkeys(DICE_IN_THE_SET, "bowl"))
    unthrown: bool = False  # the shooter has not thrown since taking them (85)
    strayed: bool = False  # a die has left the table since the last choice, or the set is new (85)
    due: bool = False  # a new set comes at the next change of shooter (S-17, 101)

    def those(self, place: str) -> list[int]:
        """The dice that are in one place, lowest first."""
        return sorted(die for die, at in self.where.items() if at == place)


@dataclass
class Struck:
    """The table before the last valid roll, for as long as it can be struck out (100)."""

    seats: dict[int, Seat]
    point: int | None
    tally: set[int]
    rolled: bool
    bank: int
    cashed: int
    dice: Dice
    dice_after: Dice
    decided: dict[int, set[str]]
    called: bool = False  # whether a bet has been called on or off since


@dataclass
class Table:
    """Everything that a line of a record can change."""

    house: str
    notice: Notice
    chip: int = 100
    seats: dict[int, Seat] = field(default_factory=dict)
    point: int | None = None
    dice: Dice = field(default_factory=Dice)
    out: bool = False  # the dice are in the air
    doubt: int | None = None  # the face that is certain while the other is disputed
    thrower: tuple[int | None, bool] = field(default=(None, False), repr=False)  # whose throw, for come bets only?
    tally: set[int] = field(default_factory=set)  # different points made since the last seven-out (69)
    rolled: bool = False  # a valid roll since the opening or the last seven-out (30)
    closing: bool = False
    struck: Struck | None = None
    bank: int = 0  # what the house has won so far; only to see that no chip is made or lost
    bought: int = 0  # what came to the table: buy-ins, cash, tokens
    cashed: int = 0  # what left it
    bearing: set[str] = field(default_factory=set, repr=False)  # later decisions that have changed something so far

    @property
    def busy(self) -> bool:
        """Whether a throw is under way, so that nobody touches bets or dice (A-19)."""
        return self.out or self.doubt is not None

    def by(self, decision: str) -> None:
        """Note that a decision made after the first release bore on what happened."""
        self.bearing.add(decision)


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
    """What a buy or a lay of `stake` costs in front (63)."""
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


def lawful(table: Table, kind: str, stake: int) -> bool:
    """Whether `stake` keeps to everything the sign says."""
    most = maximum(table, kind)
    return lawful_left(table, kind, stake) and (most is None or stake <= most)


def permitted(table: Table, kind: str, pile: Bet) -> int:
    """What of a pile is paid or collected: of one found over the maximum, the maximum (adelaide 14(g), sydney 7.3)."""
    most = maximum(table, kind)
    if not pile.found or most is None or table.house not in CAPPED:
        return pile.stake
    return min(pile.stake, most)


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


def odds_key(kind: str, number: int) -> str:
    """The key of the odds that go with a flat bet, or nothing."""
    if kind in ("pass", "dont_pass"):
        return f"{kind}_odds"
    if kind in ("come_on", "dont_come_on"):
        return f"{kind.removesuffix('_on')}_odds_{number}"
    return ""


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


def free_seats(table: Table) -> None:
    """A seat that was left is free as soon as nothing of its own is up (94)."""
    for number, seat in list(table.seats.items()):
        if seat.away and not seat.up:
            table.cashed += seat.rail + seat.tokens
            del table.seats[number]
