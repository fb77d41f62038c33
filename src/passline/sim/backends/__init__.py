"""The ways to roll a game: one contract, results equal bit for bit."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

from passline.errors import Halted, SessionError
from passline.files.arguments import one_of
from passline.machine.machine import Machine
from passline.sim.backends.contract import Backend, Played, Watched

if TYPE_CHECKING:
    from passline.sim.game import Game

BACKENDS: Final = ("auto", "engine", "numba", "numpy")
"""The names a caller may ask for."""

__all__ = ["BACKENDS", "Backend", "Halted", "Played", "Watched", "check_backend", "choose"]


def check_backend(name: str) -> None:
    """Refuse a name that no backend has."""
    one_of("backend", name, BACKENDS)


def choose(name: str, game: Game) -> Backend:
    """The backend of that name, or for `auto` the fastest that can play this game here."""
    check_backend(name)
    interpreted = not isinstance(game.source, Machine)
    if interpreted and name not in {"auto", "engine"}:
        raise SessionError(f"backend {name!r} rolls machines; this strategy has none: backend 'engine' plays it")
    if name == "engine" and not interpreted:
        raise SessionError("backend 'engine' plays a strategy, not a machine: give an `Interpreted` player")
    if interpreted:
        from passline.sim.backends.engine import EngineBackend

        return EngineBackend()
    if not game.dice.fair and name not in {"auto", "numpy"}:
        raise SessionError(f"backend {name!r} rolls fair dice; 'numpy' and 'engine' roll dice that are not")
    compiles = name != "numpy" and game.dice.fair and _numba_works()
    if name == "numba" and not compiles:
        raise SessionError("backend 'numba' needs the package numba, which is not here; 'numpy' works without it")
    if compiles:
        from passline.sim.backends.jit import NumbaBackend

        return NumbaBackend()
    from passline.sim.backends.vector import NumpyBackend

    return NumpyBackend()


def _numba_works() -> bool:
    """Whether Numba is there to be imported."""
    try:
        return find_spec("numba") is not None
    except ValueError:  # someone put None into sys.modules, as our own test does
        return False
