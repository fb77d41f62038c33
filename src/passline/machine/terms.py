"""A session in two values: `Terms`, for how long and for what money, and `Seating`, where; each is checked once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

from passline.answers import Described, exactly, rolls_of
from passline.engine.book import Book
from passline.engine.table import Notice
from passline.engine.values import CENTS
from passline.errors import ArgumentError
from passline.files.amounts import Money, cents, float_of, positive, whole_number
from passline.files.findings import nearest
from passline.machine.dice import Given, LoadedDice, dice_of
from passline.record.notice import sign_of
from passline.strategies.player.plan import Purse

if TYPE_CHECKING:  # reading house files takes Pydantic, and a machine that is built needs none
    from passline.house import House

AtEnd = Literal["run-out", "face"]
"""What becomes of what stands when a session ends.

*run-out*: no new bets are made, and the dice go on until everything that stands has had one decision; *face*: it counts
at face value.
"""
AT_END: tuple[AtEnd, ...] = get_args(AtEnd)

ROLLS = 200  # rolls of a session when nobody says: two hours at a busy table
# The most a session's result may come to, in minor units: twice that still fits a 64-bit integer.
UNITS_MAX = 1 << 62


@dataclass(frozen=True, slots=True)
class Limits:
    """What ends a session, in minor units and rounded so that every comparison with whole numbers stays exact."""

    rolls: int
    bank: int | None = None  # ruin: before a roll, `bank + net < need`
    win: int | None = None  # stop: after a roll, `net >= win`
    loss: int | None = None  # stop: after a roll, `net <= -loss`
    hands: int | None = None  # stop: after that many seven-outs
    # Whether the dice then go on, without new bets, until everything that stands has had one decision.
    run_out: bool = True

    @property
    def free(self) -> bool:
        """Whether nothing but the number of rolls ends a session."""
        return self.bank is None and self.win is None and self.loss is None and self.hands is None


@dataclass(frozen=True, slots=True, init=False)
class Terms(Described):
    """How long a session lasts, for what money and on which dice. Amounts are money.

    A session starts on a come-out. Before each roll, bankroll plus net must cover everything the strategy wants up, or
    the session ends in ruin; after each roll a net of `stop_win` or more, or of minus `stop_loss` or less, ends it, and
    so do `hands` seven-outs. Then, unless what stands is to count at face value, no new bets are made and the dice go
    on until everything standing has had one decision, so that every bet that was made is counted whole.
    """

    FIELDS = "rolls bankroll stop_win stop_loss hands at_end dice"

    rolls: int  #: The most rolls of a session.
    hands: int | None  #: Seven-outs that end a session; None: however many.
    bankroll: Fraction | None  #: Money at hand; None: nobody is ruined.
    stop_win: Fraction | None
    stop_loss: Fraction | None
    at_end: AtEnd  #: Whether what stands at the end is run out or counts at face value.
    dice: LoadedDice  #: How the dice fall.
    rolls_per_hour: Fraction  #: How fast the table is, for figures by the hour.

    def __init__(  # noqa: PLR0913 - the terms of a session, each by name
        self,
        rolls: int = ROLLS,
        *,
        hands: int | None = None,
        bankroll: Money | None = None,
        stop_win: Money | None = None,
        stop_loss: Money | None = None,
        at_end: AtEnd = "run-out",
        dice: Given = None,
        rolls_per_hour: Money = 100,
    ) -> None:
        fields = {
            "rolls": whole_number("rolls", rolls),
            "hands": None if hands is None else whole_number("hands", hands),
            "bankroll": (bank := positive("bankroll", bankroll)),
            "stop_win": positive("stop_win", stop_win),
            "stop_loss": (loss := positive("stop_loss", stop_loss)),
            "at_end": at_end,
            "dice": dice_of(dice),
            "rolls_per_hour": positive("rolls_per_hour", rolls_per_hour),
        }
        if bank is not None and loss is not None and loss > bank:
            most = f"at most the bankroll of {bank}: more can never be reached"
            raise ArgumentError("stop_loss", str(stop_loss), most)
        if at_end not in AT_END:
            raise ArgumentError("at_end", repr(at_end), f"one of {', '.join(AT_END)}", nearest(str(at_end), AT_END))
        for name, value in fields.items():
            object.__setattr__(self, name, value)

    @property
    def purse(self) -> Purse:
        """The money of the session, as a strategy that minds it is told."""
        return Purse(self.bankroll, self.stop_win, self.stop_loss)

    @property
    def run_out(self) -> bool:
        return self.at_end == "run-out"

    @property
    def leaves(self) -> bool:
        """Whether anything but the rolls can end the session."""
        return any(each is not None for each in (self.bankroll, self.stop_win, self.stop_loss, self.hands))

    def in_minor_units(self, worth: Fraction) -> Limits:
        """The same in whole numbers of an amount that divides every net and need.

        Bankroll and stops need not be whole: `B + net < need` holds exactly when `floor(B) + net < need` does.
        """
        win, loss, floor = self.in_steps(worth, (Fraction(0),))
        bank = None if floor is None else -floor[0]
        return Limits(self.rolls, bank, win, None if loss is None else -loss, self.hands, self.run_out)

    def in_steps(self, step: Fraction, needs: Sequence[Fraction]) -> tuple[int | None, int | None, list[int] | None]:
        """The net in steps from which a session stops ahead, at which it stops behind, and below which it is ruined.

        The last is for each of some states, by the money that each needs, which no step has to divide. What no session
        can reach is cut down to what fits a machine word.
        """
        bank, win, loss = self.bankroll, self.stop_win, self.stop_loss
        return (
            None if win is None else min(-(-win // step), UNITS_MAX),
            None if loss is None else max(-loss // step, -UNITS_MAX),
            None if bank is None else [max(-((bank - need) // step), -UNITS_MAX) for need in needs],
        )

    @property
    def in_words(self) -> str:
        named = {"bankroll": self.bankroll, "stop-win": self.stop_win, "stop-loss": self.stop_loss}
        parts = [rolls_of(self.rolls)] if self.hands is None else [rolls_of(self.rolls), f"{self.hands:,} hands"]
        parts += [f"{word} {exactly(amount)}" for word, amount in named.items() if amount is not None]
        return ", ".join(parts if self.dice.fair else [*parts, self.dice.in_words])


@dataclass(frozen=True, slots=True, init=False)
class Seating:
    """Where a session is played: the house, what one unit is worth there, and what the table may be given.

    Without a notice and a float nothing is rounded and nothing is too small or too large.
    """

    house: House
    unit: Fraction  #: What one unit of the strategy is, in money.
    notice: Notice | None  #: The sign the table plays under, in cents; None: no limits.
    chips: tuple[Fraction, ...] | None  #: The float that payouts are rounded to; None: paid to the last fraction.
    max_bet: Fraction | None  #: The most that may be bet, whatever the sign says.

    def __init__(
        self,
        house: str | Path | House = "adelaide",
        unit: Money = 1,
        *,
        notice: str | Notice | None = None,
        chips: Iterable[Money] | None = None,
        max_bet: Money | None = None,
    ) -> None:
        from passline.house import open_house

        opened, paid_in = open_house(house), None if chips is None else _chips(chips)
        if notice is not None and not isinstance(notice, Notice):  # one made by a program may be what no house posts
            notice = sign_of(notice, opened.book, None if paid_in is None else tuple(map(cents, paid_in)))
        fields = {"house": opened, "unit": positive("unit", unit), "notice": notice, "chips": paid_in}
        for name, value in {**fields, "max_bet": positive("max_bet", max_bet)}.items():
            object.__setattr__(self, name, value)

    @property
    def book(self) -> Book:
        return self.house.book

    @property
    def float_cents(self) -> tuple[int, ...] | None:
        return None if self.chips is None else tuple(map(cents, self.chips))


def _chips(values: Iterable[Money]) -> tuple[Fraction, ...]:
    chips = float_of(values)
    twice = next((chip for chip in chips if chips.count(chip) > 1), None)
    if twice is not None:
        raise ArgumentError("chips", f"{Fraction(twice, CENTS)} twice", "each chip named once")
    return tuple(Fraction(chip, CENTS) for chip in chips)
