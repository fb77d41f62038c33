"""A plain Python function as a strategy: it looks at a view and says what should be up."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

from passline.engine.layout import Layout
from passline.engine.table import Notice
from passline.errors import LanguageError, PasslineError, StrategyError, shown
from passline.strategies.language import grammar
from passline.strategies.language.amounts import Amount, Left, Units, numbers_in, parts_of
from passline.strategies.language.conditions import Quantity
from passline.strategies.language.quantities import QUANTITIES
from passline.strategies.language.strategy import Strategy
from passline.strategies.player.memory import (
    BELOW_PEAK,
    HAND_PROFIT,
    LAST,
    PEAK,
    PROFIT,
    BelowPeak,
    Counter,
    HandProfit,
    LastTotal,
    Peak,
    Profit,
    Slot,
)
from passline.strategies.player.plan import BANKROLL, NO_PURSE, Plan, Purse, Wanted, missing_wagers
from passline.strategies.player.view import View

Caller = Callable[[View], Mapping[str, int | str | Fraction]]
"""From what a player sees to what should be up: wagers, with amounts as a strategy file says them; 0 takes one down."""


class CalledPlan(Plan):
    """A plan whose wants come from a function; it remembers every plain count, as far as it goes."""

    def __init__(  # noqa: PLR0913 - as of any plan
        self,
        caller: Caller,
        layout: Layout,
        notice: Notice,
        *,
        unit: Fraction,
        seat: int,
        purse: Purse = NO_PURSE,
    ) -> None:
        name = getattr(caller, "__name__", type(caller).__name__)
        super().__init__(Strategy(id=name, name=name, wants=()), layout, notice, unit=unit, seat=seat, purse=purse)
        self.caller = caller

    def _memory(self) -> tuple[tuple[Slot, ...], dict[Quantity, int]]:
        slots: dict[Quantity, Slot] = {
            Quantity(name): Counter(*meaning.kept(None), None)
            for name, meaning in QUANTITIES.items()
            if meaning.kept and not meaning.about
        }
        slots |= {LAST: LastTotal(), PROFIT: Profit(None, None), PEAK: Peak(BelowPeak(None))}
        slots |= {BELOW_PEAK: BelowPeak(None), HAND_PROFIT: HandProfit(None)}
        return tuple(slots.values()), {number: at for at, number in enumerate(slots)}

    def _answer(self, view: View) -> Mapping[str, int | str | Fraction]:
        """What the function says, if it says what a function must."""
        try:
            said: object = self.caller(view)
        except PasslineError:
            raise
        except Exception as error:
            raise StrategyError(f"{self.strategy.id} failed: {type(error).__name__}: {error}") from error
        if not isinstance(said, Mapping) or not all(isinstance(wager, str) for wager in said):
            raise StrategyError(
                f"{self.strategy.id} said {shown(said)}; expected what should be up, such as {{'pass': 1}}"
            )
        return said

    def _read(self, wager: str, said: int | str | Fraction) -> Amount:
        """An amount that this table can work out, or a complaint with the function and the wager in it."""
        try:
            amount = grammar.amount(said)
        except LanguageError as error:
            raise StrategyError(f"{self.strategy.id}, {wager}: {error}") from None
        self._goal(wager, amount)
        if isinstance(amount, Units):
            return amount
        numbers = set(numbers_in(amount))
        spends = BANKROLL in numbers or any(isinstance(part, Left) for part in parts_of(amount))
        if spends and self.bankroll is None:
            raise StrategyError(f"{self.strategy.id}, {wager}: {said} hangs on the bankroll, and none was given.")
        for number in numbers - set(self.place):
            if QUANTITIES[number.name].seen is None:
                no = f"{self.strategy.id}, {wager}: a function does not keep {number}; count it in the function."
                raise StrategyError(no)
        return amount

    def wanted(self, view: View) -> Wanted:
        amounts: dict[str, Amount | int] = {}
        for wager, said in self._answer(view).items():
            keys = self.spots_of(wager)
            if not keys:
                raise missing_wagers(self.strategy, self.layout, (wager,))
            amount = self._read(wager, said)
            for key in keys:
                amounts[key] = amount if not isinstance(amount, Units) else (amount.units * self.unit).__floor__()
        return Wanted(amounts, {})
