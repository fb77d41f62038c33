"""A house and a strategy made ready to be worked out or rolled: its machine, or a player where there is none."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from passline.cli.analysis_options import Purse, Seating
    from passline.machine.machine import Machine
    from passline.machine.play import Player
    from passline.sim import Interpreted
    from passline.strategies.language.strategy import Strategy


def unit_of(seat: Seating, strategy: Strategy) -> Fraction:
    """What one unit is: as asked, or the strategy's own."""
    return strategy.unit if seat.unit is None else seat.unit


def machine_of(
    seat: Seating, strategy: Strategy, ends: Purse, progress: Callable[[int, int], None] | None = None
) -> Machine:
    """The machine, kept or new; a `StrategyError` says why there is none."""
    from passline.machine.store import machine_for

    unit = unit_of(seat, strategy)
    played, bankroll = _as_played(strategy, unit, ends)
    machine = machine_for(
        seat.house.book,
        played,
        unit=unit,
        notice=seat.notice,
        chips=seat.chips,
        max_bet=seat.most,
        bankroll=bankroll,
        progress=progress,
    )
    _check_plays(machine)
    return replace(machine, about={**machine.about, "strategy_hash": strategy.digest})


def _check_plays(machine: Machine) -> None:
    """Refuse an evening of watching: a strategy that can never bet says nothing about itself."""
    from passline.errors import StrategyError

    refused = machine.about["refused"]
    if refused and not machine.staked.any():
        raise StrategyError(f"{machine.about['strategy']} never gets a bet down here: {refused[0]['message']}")


def player_of(seat: Seating, strategy: Strategy, ends: Purse, machine: Machine | None) -> Interpreted:
    """The strategy as the interpreted engine plays it, counted in the machine's grains where it has one."""
    from passline.machine.play import Player, Setting
    from passline.sim import Interpreted

    unit = unit_of(seat, strategy)
    played, bankroll = _as_played(strategy, unit, ends)
    setting = Setting(
        seat.house.book,
        played,
        unit=unit,
        notice=seat.notice,
        chips=seat.chips,
        max_bet=seat.most,
        bankroll=bankroll,
    )
    grain = Fraction(1, setting.layout.grain)
    if machine is None:
        about = _about(seat, strategy, unit)
        digest = hashlib.sha256(json.dumps([about, str(bankroll), str(grain)], sort_keys=True).encode()).hexdigest()
        return Interpreted(sit=lambda: Player(setting), grain=grain, about=about, fingerprint=digest)
    coarse = machine.grain / grain
    assert coarse.denominator == 1, "a machine's grain is a whole number of the layout's"
    return Interpreted(
        sit=lambda: Coarse(Player(setting), coarse.numerator),
        grain=machine.grain,
        about=machine.about,
        fingerprint=machine.digest(),
    )


@dataclass(slots=True)
class Coarse:
    """A player who counts in larger grains."""

    player: Player
    grains: int

    @property
    def need(self) -> int:
        """What must be at hand for the next roll."""
        return self.player.need // self.grains

    @property
    def hand_ended(self) -> bool:
        """Whether the last roll was a seven-out."""
        return self.player.hand_ended

    def roll(self, throw: int) -> int:
        """Play one throw."""
        return self.player.roll(throw) // self.grains


def first_bet(source: Machine | Interpreted) -> Fraction:
    """The money that the first roll needs."""
    from passline.machine.machine import Machine

    need = int(source.need[source.start]) if isinstance(source, Machine) else source.sit().need
    return need * source.grain


def _as_played(strategy: Strategy, unit: Fraction, ends: Purse) -> tuple[Strategy, Fraction | None]:
    """The strategy with the evening's stops for its own, and the bankroll, if it looks at either.

    What it remembers of its profit is bounded by them; to any other strategy they are nothing, and its machine is the
    same for every evening.
    """
    from passline.strategies.language.conditions import looks

    seen = {number.name for condition in strategy.conditions for number, _ in looks(condition)}
    if not seen & {"profit", "bankroll"}:
        return strategy, None
    own = strategy.ends
    win = own.stop_win if ends.stop_win is None else ends.stop_win / unit
    loss = own.stop_loss if ends.stop_loss is None else ends.stop_loss / unit
    bankroll = ends.bankroll if "bankroll" in seen or loss is None else None
    return replace(strategy, ends=replace(own, stop_win=win, stop_loss=loss)), bankroll


def _about(seat: Seating, strategy: Strategy, unit: Fraction) -> dict[str, Any]:
    """Where a strategy without a machine comes from, in a machine's own words."""
    from passline.machine.build import book_digest

    return {
        "house": seat.house.id,
        "house_hash": book_digest(seat.house.book),
        "strategy": strategy.id,
        "strategy_hash": strategy.digest,
        "unit": str(unit),
        "notice": None if seat.notice is None else seat.notice._asdict(),
        "chips": seat.chips,
        "max_bet": None if seat.most is None else str(seat.most),
    }
