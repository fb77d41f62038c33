"""A game as flat arrays, and value iteration over them on a GPU: the sweeps of `kernels.py` in threads.

A thread takes some rows of a group and one wealth; those of a warp have neighbouring wealths of the same rows, so what
they read lies side by side. A sweep looks only at what the sweep before it left, so that its result does not depend on
the order in which threads run.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from passline.files.needed import needed

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

ROWS_PER_THREAD: Final = 16
THREADS: Final = 128
EVALUATIONS: Final = 100  # Sweeps over the choices made so far between two over every choice
SOURCE: Final = Path(__file__).with_name("sweeps.cu").read_text(encoding="utf-8")


class Tables(NamedTuple):
    """A game in flat arrays. A row is a position; those of group `g` are from `first[g]` on and before `first[g + 1]`.

    The same way `out` leads to the outcomes of a row and `onward_first` to the groups that more chips lead to.
    """

    first: Ints
    position: Ints
    stakes: Ints
    skipped: NDArray[np.bool_]  # Rows that may not be chosen
    reward: Floats  # what a roll of each row brings by itself
    out: Ints
    weight: Floats
    gain: Ints
    group: Ints
    onward_first: Ints
    onward: Ints
    limit: Ints  # for each group the wealth from which the goal is reached


def reachable(onward: Sequence[Sequence[int]]) -> list[list[int]]:
    """For each group itself and every group that more chips lead to, however many."""
    closure: list[list[int]] = [[] for _ in onward]
    for group in reversed(range(len(onward))):  # a group stands before all that it leads to
        closure[group] = sorted({group, *(far for to in onward[group] for far in closure[to])})
    return closure


def available() -> bool:
    try:
        import cupy

        return bool(cupy.cuda.runtime.getDeviceCount())
    except Exception:  # noqa: BLE001 - CuPy's own errors cannot be named without CuPy
        return False


class Sweeps:
    def __init__(self, tables: Tables, width: int) -> None:
        self.cupy: Any = needed("cupy", "value iteration on a GPU")
        self.groups, self.width = len(tables.limit), width
        self.module = self.cupy.RawModule(code=SOURCE, options=("--std=c++14",))
        self.part_group, self.part_first, self.part_last, self.parts_first = map(self._narrow, _parts(tables.first))
        # For each group every other one that more chips lead to: where they begin in a list of all.
        closure = reachable([row.tolist() for row in np.split(tables.onward, tables.onward_first[1:-1])])
        self.far_first = self._narrow(np.cumsum([0, *(len(each) - 1 for each in closure)]))
        self.far = self._narrow([to for group, each in enumerate(closure) for to in each if to != group])
        self.stakes, self.limit = self._narrow(tables.stakes), self._narrow(tables.limit)
        self.gain, self.group = self._narrow(tables.gain), self._narrow(tables.group)
        self.skipped, self.reward = self.cupy.asarray(tables.skipped), self.cupy.asarray(tables.reward)
        self.out, self.weight = self.cupy.asarray(tables.out), self.cupy.asarray(tables.weight)
        self.part = self.cupy.empty((len(self.part_group), width))
        self.part_row = self.cupy.empty(self.part.shape, dtype=np.int32)
        self.own = self.cupy.empty((self.groups, width))
        self.own_row = self.cupy.empty(self.own.shape, dtype=np.int32)
        self.most = self.cupy.zeros(1, dtype=np.uint64)

    def _narrow(self, array: Any) -> Any:  # noqa: ANN401 - CuPy has no types
        return self.cupy.asarray(np.asarray(array, dtype=np.int32))

    def _launch(self, name: str, threads: int, *arguments: Any) -> None:  # noqa: ANN401
        grid = ((threads + THREADS - 1) // THREADS,)
        self.module.get_function(name)(grid, (THREADS,), (*arguments, np.int32(self.width)))

    def improve(self, values: Any, chosen: Any, close: float) -> None:  # noqa: ANN401
        parts, groups, margin = np.int64(len(self.part_group)), np.int64(self.groups), np.float64(close)
        self.most.fill(0)
        self._launch(
            "best_of_rows", self.part.size, values, self.part, self.part_row, self.part_group, self.part_first,
            self.part_last, self.stakes, self.skipped, self.limit, self.reward, self.out, self.weight, self.gain,
            self.group, margin, parts,
        )  # fmt: skip
        self._launch(
            "best_of_parts", self.own.size, values, chosen, self.part, self.part_row, self.parts_first, self.own,
            self.own_row, margin, groups,
        )  # fmt: skip
        self._launch(
            "best_of_onward", self.own.size, self.own, self.own_row, self.far_first, self.far, self.limit, values,
            chosen, self.most, groups,
        )  # fmt: skip

    def evaluate(self, values: Any, after: Any, chosen: Any) -> None:  # noqa: ANN401
        self._launch(
            "evaluate", self.own.size, values, after, chosen, self.stakes, self.reward, self.out, self.weight,
            self.gain, self.group, self.most, np.int64(self.groups),
        )  # fmt: skip

    @property
    def change(self) -> float:
        return float(self.most.get().view(np.float64)[0])


def iterate(tables: Tables, opening: Floats, close: float, sweeps_max: int) -> tuple[Floats, Ints, int]:
    """Modified policy iteration, as `kernels.iterate` does it: values, the row chosen in each state, sweeps."""
    sweeps = Sweeps(tables, opening.shape[1])
    cupy = sweeps.cupy
    values, chosen = cupy.asarray(opening), cupy.full(opening.shape, -1, dtype=np.int32)
    for sweep in range(1, sweeps_max + 1):
        sweeps.improve(values, chosen, close)
        if sweeps.change <= close * max(1.0, float(cupy.abs(values[cupy.isfinite(values)]).max())):
            return values.get(), chosen.get().astype(np.int64), sweep
        after = cupy.empty_like(values)
        for _ in range(EVALUATIONS // 2):
            sweeps.evaluate(values, after, chosen)
            sweeps.evaluate(after, values, chosen)
    return values.get(), chosen.get().astype(np.int64), -1


def _parts(first: Ints) -> tuple[list[int], list[int], list[int], list[int]]:
    """Rows in parts, each of one group: the group, the first and last row of each; the first part of each group."""
    starts = [
        (group, row, min(row + ROWS_PER_THREAD, int(first[group + 1])))
        for group in range(len(first) - 1)
        for row in range(int(first[group]), int(first[group + 1]), ROWS_PER_THREAD)
    ]
    groups = [group for group, _, _ in starts]
    bounds = np.searchsorted(groups, np.arange(len(first))).tolist()
    return groups, [row for _, row, _ in starts], [last for _, _, last in starts], bounds
