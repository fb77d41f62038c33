"""The ways to roll a game: one contract, one register, results equal bit for bit."""

from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Final

from passline.errors import DeviceError, SessionError
from passline.files.arguments import one_of
from passline.machine.machine import Machine
from passline.sim.backends.contract import Backend
from passline.sim.game import Game


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
    "numba": Entry("jit", "NumbaBackend", "compiled for this processor, several rolls a look-up", needs="numba"),
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
