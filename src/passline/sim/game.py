"""What is to be played: a machine or an interpreted player, the dice's seed, and the rules that end a session."""

from __future__ import annotations

import enum
import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from passline.errors import ArgumentError, SessionError
from passline.files.amounts import LARGEST, whole_number
from passline.machine.dice import FAIR, LoadedDice
from passline.machine.machine import DECIDED, Machine, Standing, check_depth
from passline.machine.terms import UNITS_MAX, Limits, Terms
from passline.sim.dice import SEEDS, AliasTable, alias_table

CHECKPOINTS = 100  # Steps of the fan over time


class Player(Protocol):
    """Somebody who plays one session roll by roll, as the interpreted engine does."""

    @property
    def need(self) -> int:
        """Grains that must be at hand for the next roll, standing wagers included."""

    @property
    def hand_ended(self) -> bool:
        """Whether the last roll was a seven-out."""

    @property
    def action(self) -> int:
        """Grains of the bets that the last roll decided."""

    @property
    def stands(self) -> bool:
        """Whether anything of theirs is up."""

    @property
    def over(self) -> bool:
        """Whether the last roll made the strategy end its evening."""

    @property
    def leaves(self) -> bool:
        """Whether the strategy ends its evening instead of betting on the next roll."""

    def roll(self, throw: int) -> int:
        """Play one throw (0 to 35) and give the grains won less the grains lost."""

    def stop(self) -> int:
        """Make no more bets; the grains of commission that this gives back."""

    def roll_out(self, throw: int) -> int:
        """Play one throw for what stands alone, and give the grains won less the grains lost."""


@dataclass(frozen=True, slots=True)
class Interpreted:
    """A strategy that is played instead of looked up: one new `Player` for every session."""

    sit: Callable[[], Player]
    grain: Fraction = Fraction(1)
    about: dict[str, Any] = field(default_factory=dict)
    fingerprint: str = ""  # the digest of the machine it stands for, where there is one

    # What the dealers said no to so far, and whether any bet got down; None where the machine has told already.
    refusals: Callable[[], tuple[list[dict[str, Any]], bool]] | None = None

    def digest(self) -> str:
        return self.fingerprint


class Ending(enum.IntEnum):
    """Why a session ended."""

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
        return need * source.grain

    @property
    def checkpoints(self) -> NDArray[np.int64]:
        """The numbers of rolls after which the fan looks at the net, from 0 to the last."""
        steps = min(CHECKPOINTS, self.limits.rolls)
        return np.array([self.limits.rolls * step // steps for step in range(steps + 1)], dtype=np.int64)


def game_of(source: Machine | Interpreted, terms: Terms, seed: int = 0) -> Game:
    """A game that can be rolled; whatever is wrong with it is said here, before the first roll."""
    if isinstance(source, Machine):
        check_machine(source, terms.rolls)
    game = Game(source, terms.in_minor_units(source.grain), check_seed(seed), terms.dice)
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
        raise SessionError(
            f"{rolls} rolls of up to {most} grains each could leave 64-bit arithmetic; ask for fewer rolls"
        )


def run_out_max(machine: Machine) -> int:
    """More grains than any run-out can move or decide: a bet pays once."""
    stands = machine.standing
    if stands is None:
        return 0
    paid = max(int(np.abs(stands.net).max()), int(stands.action.max()))
    return int(np.diff(stands.first).max()) * paid + int(np.abs(stands.back).max())


def net_max(machine: Machine) -> int:
    """The most grains that one roll can win or lose."""
    return max(int(machine.net.max()), -int(machine.net.min()))


FELTS_MAX: Final = 1 << 14  # Felts that are looked for; what leaves more standing is run out bet by bet
NAMED: Final = 7  # the seed of the numbers that felts are told apart by; any would do


@dataclass(frozen=True, slots=True, eq=False)
class Felts:
    """Felts that are left at the end of a session, and those on the way to the last decision."""

    machine: Machine  # State 0 is the empty felt, which stays; every roll of another one counts as a hand ended
    enter: NDArray[np.int64]  # for each state of the session's machine, the felt that it leaves


def felts_of(stands: Standing) -> Felts | None:
    """The felts of what stands, or None where they are too many."""
    most = max(1, int(np.diff(stands.first).max()))
    left = np.zeros((len(stands.back), most), dtype=np.int32)
    count = np.diff(stands.first)
    left[np.arange(most) < count[:, None]] = stands.bets
    each = np.concatenate([stands.next, stands.net, stands.action])
    _, throws, column = np.unique(each, axis=1, return_index=True, return_inverse=True)
    following = stands.next[:, throws]
    # A felt is known by the sum of its bets' numbers, which does not ask for their order.
    numbers = np.random.default_rng(NAMED).integers(1, 1 << 63, len(stands.next), dtype=np.uint64)
    numbers[DECIDED] = 0
    felts, known = np.zeros((1, most), dtype=np.int32), np.zeros(1, dtype=np.uint64)
    found, names = _new(left, numbers, known)
    while len(found):
        felts, known = np.concatenate([felts, found]), np.concatenate([known, names])
        if len(felts) > FELTS_MAX:
            return None
        after = following[found].transpose(0, 2, 1).reshape(-1, most)
        found, names = _new(after, numbers, known)
    order = np.argsort(known)
    after = numbers[following[felts]].sum(axis=1, dtype=np.uint64)
    rolls = np.ones(after.shape, dtype=np.bool_)
    rolls[0] = False
    machine = Machine(
        column=column.ravel().astype(np.uint8),
        next=order[np.searchsorted(known, after, sorter=order)].astype(np.int32),
        net=stands.net[:, throws][felts].sum(axis=1),
        need=np.zeros(len(felts), dtype=np.int64),
        action=stands.action[:, throws][felts].sum(axis=1),
        hand_ends=rolls,
    )
    named = numbers[left].sum(axis=1, dtype=np.uint64)
    return Felts(machine, order[np.searchsorted(known, named, sorter=order)])


def _new(
    felts: NDArray[np.int32], numbers: NDArray[np.uint64], known: NDArray[np.uint64]
) -> tuple[NDArray[np.int32], NDArray[np.uint64]]:
    """Those that are not known yet, each once, and what they are known by."""
    names, first = np.unique(numbers[felts].sum(axis=1, dtype=np.uint64), return_index=True)
    fresh = ~np.isin(names, known)
    return felts[first[fresh]], names[fresh]
