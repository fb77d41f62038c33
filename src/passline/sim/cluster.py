"""Many machines: an executor of Dask's, with the game sent to every worker once."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from passline.errors import PackageMissingError, SessionError
from passline.machine.machine import Machine
from passline.sim.places import Elsewhere

if TYPE_CHECKING:
    from passline.sim.game import Game

FIND_S: Final = 15
"""How long to look for a scheduler."""
ON_WORKERS: Final = "gpu"
"""The backend that every worker looks for by itself: without a GPU it takes its processor, for the same sums."""


@contextmanager
def cluster(game: Game, address: str | None, workers: int | None) -> Generator[Elsewhere]:
    """The workers of a scheduler, or of a cluster on this computer while it is wanted."""
    if not isinstance(game.source, Machine):
        raise SessionError("backend 'dask' sends machines out; this strategy has none: backend 'engine' plays it here")
    try:
        distributed: Any = import_module("distributed")
    except ImportError as error:
        raise PackageMissingError(
            "backend 'dask' needs Dask, which is not here: pip install passline[cluster]"
        ) from error
    local: Any = None
    try:
        if address is None:
            local = distributed.LocalCluster(
                n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=None
            )
        client = distributed.Client(local or address, timeout=FIND_S, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        raise SessionError(
            f"there is no scheduler at {address}: {error}. Start one with `dask scheduler`, or leave the address out "
            "for workers on this computer."
        ) from error
    try:
        yield _places(client, game)
    finally:
        client.close()
        if local is not None:
            local.close()


def _places(client: Any, game: Game) -> Elsewhere:  # noqa: ANN401 - Dask comes without types
    threads = client.nthreads()
    if not threads:
        raise SessionError(f"the scheduler at {client.scheduler.address} has no workers; start some and ask again")
    (sent,) = client.scatter([game], broadcast=True, hash=False)
    executor = client.get_executor(pure=False)
    return Elsewhere(executor, game, sum(threads.values()), ON_WORKERS, sent)
