"""The ways to roll a game: one contract, one register, results equal bit for bit.

A backend promises sessions `first … first + count - 1` of a game, as whole numbers that add up.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Final

import numpy as np
from numpy.typing import NDArray

from passline.errors import DeviceError, SessionError
from passline.files.arguments import one_of
from passline.machine.machine import Machine
from passline.sim.game import Ending, Game
from passline.sim.sample import Histogram

Halt = NDArray[np.uint8]  # one flag, which somebody sets who wants the rolling to stop
AMOUNT_MAX: Final = 1 << 40  # up to this, the amounts of any batch add up in 64 bits
COUNTS: Final = ("sessions", "rolls", "hands", "action", "run_out")


@dataclass(frozen=True, slots=True)
class Played:
    """How some sessions came out, one entry each."""

    net: NDArray[np.int64]  # in minor units, the run-out included
    rolls: NDArray[np.int64]  # before the session ended
    hands: NDArray[np.int64]  # Seven-outs on those rolls
    ending: NDArray[np.uint8]
    action: NDArray[np.int64]  # Minor units of all bets decided, the run-out's included
    run_out: NDArray[np.int64]  # Rolls after the end, until everything that stood was decided

    @classmethod
    def nothing(cls, count: int) -> Played:
        # One by one: an array that is large comes fresh from the system each time, a page fault at a time.
        net, rolls, hands, action, run_out = (np.zeros(count, dtype=np.int64) for _ in range(5))
        return cls(net, rolls, hands, np.zeros(count, dtype=np.uint8), action, run_out)


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """Some sessions, counted: parts of a run add up to the whole, in any order and however they were cut."""

    sessions: int
    rolls: int
    hands: int
    action: int
    run_out: int
    endings: tuple[int, ...]  # Sessions by `Ending`
    net: Histogram
    ruin: Histogram

    @classmethod
    def of(cls, played: Played) -> Part:
        large = len(played.net) and int(played.action.max()) > AMOUNT_MAX
        return cls(
            sessions=len(played.net),
            rolls=int(played.rolls.sum()),
            hands=int(played.hands.sum()),
            action=sum(played.action.tolist()) if large else int(played.action.sum()),
            run_out=int(played.run_out.sum()),
            endings=tuple(np.bincount(played.ending, minlength=len(Ending)).tolist()),
            net=Histogram.of(played.net),
            ruin=Histogram.of(played.rolls[played.ending == Ending.RUIN]),
        )

    @classmethod
    def sum(cls, parts: Sequence[Part]) -> Part:
        return cls(
            **{name: sum(getattr(part, name) for part in parts) for name in COUNTS},
            endings=tuple(sum(part.endings[ending] for part in parts) for ending in Ending),
            net=Histogram.sum(part.net for part in parts),
            ruin=Histogram.sum(part.ruin for part in parts),
        )


@dataclass(frozen=True, slots=True)
class Watched:
    """How some sessions came out and what they looked like on the way: before their run-outs, at face value."""

    played: Played
    drawdown: NDArray[np.int64]  # the furthest that the net ever was below its best so far
    # The most rolls in a row that won; rolls on which no money moved neither count nor break a run.
    winning_run: NDArray[np.int64]
    losing_run: NDArray[np.int64]
    # Shape (sessions, checkpoints): the net after so many rolls; a session that ended stays where it ended.
    path: NDArray[np.int64]


class Backend(ABC):
    name: str  # what a caller asks for it by
    parallel = True  # whether several threads roll faster than one

    @abstractmethod
    def batch(self, game: Game) -> int:
        """How many sessions to ask for at once."""

    def warm(self, game: Game) -> None:  # noqa: B027 - most have nothing to do
        """Compile and pack whatever must be ready before the clock starts."""

    def play(self, game: Game, first: int, count: int, halt: Halt) -> Part:
        """Roll these sessions as fast as can be."""
        return Part.of(self.rows(game, first, count, halt))

    @abstractmethod
    def rows(self, game: Game, first: int, count: int, halt: Halt) -> Played:
        """Roll the same sessions, and tell each."""

    @abstractmethod
    def watch(self, game: Game, first: int, count: int, halt: Halt) -> Watched:
        """Roll these sessions and look at every roll."""


@dataclass(frozen=True, slots=True)
class Entry:
    module: str
    made: str  # the name of its class
    about: str
    needs: str = ""  # the package without which it is not there
    machines: bool = True  # whether it looks machines up; else it plays strategies
    chosen: bool = True  # whether `auto` may choose it

    @property
    def here(self) -> bool:
        try:
            return not self.needs or find_spec(self.needs) is not None
        except ValueError:  # someone put None into sys.modules, as our own test does
            return False


# Every backend by the name a caller asks for it by; of those that look machines up, the quickest first.
REGISTER: Final[dict[str, Entry]] = {
    "numba": Entry("vector", "NumbaBackend", "compiled for this processor, several rolls a look-up", needs="numba"),
    "numpy": Entry("vector", "NumpyBackend", "many sessions side by side, with NumPy alone"),
    "gpu": Entry("gpu", "GpuBackend", "one thread a session on a GPU", needs="cupy", chosen=False),
    "engine": Entry("engine", "EngineBackend", "roll by roll through the rules", machines=False),
}

# The processors of other computers, or of this one, by way of Dask: no backend of its own but a place for one.
DASK: Final = "dask"
BACKENDS: Final = ("auto", DASK, *sorted(REGISTER))  # the names a caller may ask for

# Up to so many rolls NumPy has answered before Numba's compiler, or even what it kept on disk, is loaded.
SMALL: Final = 50_000_000


def check_backend(name: str) -> None:
    one_of("backend", name, BACKENDS)


def choose(name: str, game: Game, sessions: int | None = None) -> Backend:
    """The backend of that name, or for `auto` the one that answers soonest for so many sessions here."""
    check_backend(name)
    interpreted = not isinstance(game.source, Machine)
    if name in {"auto", DASK}:
        fit = {each: entry for each, entry in REGISTER.items() if entry.machines is not interpreted and entry.here}
        small = not interpreted and sessions is not None and sessions * game.limits.rolls <= SMALL
        name = "numpy" if small else next(each for each, entry in fit.items() if entry.chosen)
    entry = REGISTER[name]
    if interpreted and entry.machines:
        raise SessionError(f"backend {name!r} rolls machines; this strategy has none: backend 'engine' plays it")
    if not interpreted and not entry.machines:
        raise SessionError("backend 'engine' plays a strategy, not a machine: give an `Interpreted` player")
    if not entry.here:
        missing = f"backend {name!r} needs the package {entry.needs}, which is not here; 'numpy' needs none"
        raise (SessionError if entry.chosen else DeviceError)(missing)
    made: Backend = getattr(import_module(f"passline.sim.backends.{entry.module}"), entry.made)()
    return made


def made_ready(name: str, game: Game, sessions: int | None = None) -> tuple[Backend, str]:
    """The backend of that name, ready to roll; or the processor in a GPU's place, and why."""
    try:
        made = choose(name, game, sessions)
        made.warm(game)
    except DeviceError as error:
        return in_its_place(error, game)
    return made, ""


def in_its_place(error: DeviceError, game: Game) -> tuple[Backend, str]:
    """The processor where a GPU cannot roll, ready, and why."""
    made = choose("auto", game)
    made.warm(game)
    return made, f"{error}. Rolled on the processor instead, by {made.name}"
