"""What is to be played: a machine or an interpreted player, the dice's seed, and the rules that end a session."""

import enum
import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from passline.errors import ArgumentError, SessionError
from passline.files.amounts import LARGEST, whole_number
from passline.machine.dice import FAIR, LoadedDice
from passline.machine.machine import Machine, check_depth
from passline.machine.terms import UNITS_MAX, Limits, Terms
from passline.sim.dice import SEEDS, AliasTable, alias_table

CHECKPOINTS = 100  # Steps of the fan over time


class Player(Protocol):
    """Somebody who plays one session roll by roll, as the interpreted engine does; amounts are minor units."""

    @property
    def need(self) -> int: ...  # what must be at hand for the next roll, standing wagers included
    @property
    def hand_ended(self) -> bool: ...  # whether the last roll was a seven-out
    @property
    def action(self) -> int: ...  # of the bets that the last roll decided
    @property
    def stands(self) -> bool: ...  # whether anything of theirs is up
    @property
    def over(self) -> bool: ...  # whether the last roll made the strategy end its session
    @property
    def leaves(self) -> bool: ...  # whether the strategy ends its session instead of betting on the next roll
    def roll(self, throw: int) -> int: ...  # play one throw (0 to 35): won less lost
    def stop(self) -> int: ...  # make no more bets; the commission that this gives back
    def roll_out(self, throw: int) -> int: ...  # play one throw for what stands alone: won less lost


@dataclass(frozen=True, slots=True)
class Interpreted:
    """A strategy that is played instead of looked up: one new `Player` for every session."""

    sit: Callable[[], Player]
    minor_unit: Fraction = Fraction(1)
    about: dict[str, Any] = field(default_factory=dict)
    fingerprint: str = ""  # the digest of the machine it stands for, where there is one
    # What the dealers said no to so far, and whether any bet got down; None where the machine has told already.
    refusals: Callable[[], tuple[list[dict[str, Any]], bool]] | None = None

    def digest(self) -> str:
        return self.fingerprint


class Ending(enum.IntEnum):
    ROLLS = 0
    RUIN = 1
    STOP_WIN = 2
    STOP_LOSS = 3
    HANDS = 4
    WHEN = 5  # the strategy's own `[ends] when`


@dataclass(frozen=True, slots=True)
class Game:
    """Everything that decides the result of a run except how many sessions it has."""

    source: Machine | Interpreted
    limits: Limits
    seed: int
    dice: LoadedDice = FAIR

    @property
    def machine(self) -> Machine:
        if not isinstance(self.source, Machine):
            raise TypeError("this strategy has no machine: it is played with backend 'engine'")
        return self.source

    def digest(self) -> str:
        return hashlib.sha256(f"{self.source.digest()} {self.limits} {self.seed} {self.dice}".encode()).hexdigest()

    @property
    def free(self) -> bool:
        return self.limits.free and self.machine.over is None

    @property
    def aliases(self) -> AliasTable | None:
        """What deals dice that are not fair; None where they are."""
        return None if self.dice.fair else alias_table(self.dice)

    @property
    def first_bet(self) -> Fraction:
        """The money that the first roll needs."""
        source = self.source
        need = int(source.need[source.start]) if isinstance(source, Machine) else source.sit().need
        return need * source.minor_unit

    @property
    def checkpoints(self) -> NDArray[np.int64]:
        """The numbers of rolls after which the fan looks at the net, from 0 to the last."""
        steps = min(CHECKPOINTS, self.limits.rolls)
        return np.array([self.limits.rolls * step // steps for step in range(steps + 1)], dtype=np.int64)


def game_of(source: Machine | Interpreted, terms: Terms, seed: int = 0) -> Game:
    """A game that can be rolled; whatever is wrong with it is said here, before the first roll."""
    if isinstance(source, Machine):
        check_machine(source, terms.rolls)
    game = Game(source, terms.in_minor_units(source.minor_unit), check_seed(seed), terms.dice)
    if terms.bankroll is not None and terms.bankroll < game.first_bet:
        raise SessionError(f"a bankroll of {terms.bankroll} does not cover the first bet, which needs {game.first_bet}")
    return game


def check_seed(seed: int) -> int:
    key = whole_number("seed", seed, least=0, most=LARGEST)
    if key >= SEEDS:
        raise ArgumentError("seed", str(seed), "a whole number from 0 to 2^64 - 1")
    return key


def check_machine(machine: Machine, rolls: int) -> None:
    """Refuse a machine that points outside itself, and rolls that could leave 64-bit arithmetic."""
    try:
        machine.check()
    except ValueError as error:
        raise SessionError(str(error)) from None
    check_depth(machine, rolls)
    most = max(net_max(machine), int(machine.action.max()))
    if most * rolls + run_out_max(machine) >= UNITS_MAX:
        too_much = f"{rolls} rolls of up to {most} minor units each could leave 64-bit arithmetic"
        raise SessionError(f"{too_much}; ask for fewer rolls")


def run_out_max(machine: Machine) -> int:
    """More minor units than any run-out can move or decide: a bet pays once."""
    stands = machine.standing
    if stands is None:
        return 0
    paid = max(int(np.abs(stands.net).max()), int(stands.action.max()))
    return int(np.diff(stands.first).max()) * paid + int(np.abs(stands.back).max())


def net_max(machine: Machine) -> int:
    """The most minor units that one roll can win or lose."""
    return max(int(machine.net.max()), -int(machine.net.min()))
