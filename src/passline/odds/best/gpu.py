"""Value iteration on a GPU: the sweeps of `kernels.py`, one thread to some rows of a group and one wealth.

Threads of a warp have neighbouring wealths of the same rows, so what they read lies side by side. A sweep looks only at
what the sweep before it left, so that its result does not depend on the order in which threads run.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from passline.files.needed import needed
from passline.odds.best.tables import Floats, Ints, Tables

ROWS_PER_THREAD: Final = 16
THREADS: Final = 128
EVALUATIONS: Final = 100
"""Sweeps over the choices made so far between two over every choice."""
SOURCE: Final = r"""
__device__ double worth(const double* values, const double* reward, const long long* out, const double* weight,
                        const int* gain, const int* group, long long row, int wealth, int width) {
  double total = reward[row];
  for (long long edge = out[row]; edge < out[row + 1]; edge++) {
    int after = min(max(wealth + gain[edge], 0), width - 1);
    total += weight[edge] * values[(long long)group[edge] * width + after];
  }
  return total;
}
__device__ bool better(double total, double best, double close) {
  double least = fmax(best, -1e300);
  return total > least + close * fmax(1.0, fabs(least));
}
extern "C" __global__ void best_of_rows(const double* values, double* part, int* part_row, const int* part_group,
    const int* part_first, const int* part_last, const int* stakes, const bool* skipped, const int* limit,
    const double* reward, const long long* out, const double* weight, const int* gain, const int* group,
    double close, long long parts, int width) {
  long long at = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (at >= parts * width) return;
  long long each = at / width;
  int wealth = at % width, g = part_group[each], taken = -1;
  double best = values[(long long)g * width + wealth];
  if (wealth > 0 && wealth < limit[g])
    for (int row = part_first[each]; row < part_last[each] && stakes[row] <= wealth; row++)
      if (!skipped[row]) {
        double total = worth(values, reward, out, weight, gain, group, row, wealth, width);
        if (better(total, best, close)) { best = total; taken = row; }
      }
  part[at] = best;
  part_row[at] = taken;
}
extern "C" __global__ void best_of_parts(const double* values, const int* chosen, const double* part,
    const int* part_row, const int* parts_first, double* own, int* own_row, double close, long long groups, int width) {
  long long at = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (at >= groups * width) return;
  long long g = at / width;
  double best = values[at];
  int taken = chosen[at];
  for (long long each = parts_first[g]; each < parts_first[g + 1]; each++) {
    long long place = each * width + at % width;
    if (part_row[place] >= 0 && better(part[place], best, close)) { best = part[place]; taken = part_row[place]; }
  }
  own[at] = best;
  own_row[at] = taken;
}
extern "C" __global__ void best_of_onward(const double* own, const int* own_row, const int* far_first, const int* far,
    const int* limit, double* values, int* chosen, unsigned long long* most, long long groups, int width) {
  long long at = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (at >= groups * width) return;
  long long g = at / width;
  double best = own[at];
  int taken = own_row[at], wealth = at % width;
  if (wealth > 0 && wealth < limit[g])
    for (int place = far_first[g]; place < far_first[g + 1]; place++) {
      long long to = (long long)far[place] * width + wealth;
      if (own[to] > best && own_row[to] >= 0) { best = own[to]; taken = own_row[to]; }
    }
  if (best > values[at]) atomicMax(most, (unsigned long long)__double_as_longlong(best - values[at]));
  values[at] = best;
  chosen[at] = taken;
}
extern "C" __global__ void evaluate(const double* values, double* after, const int* chosen, const int* stakes,
    const double* reward, const long long* out, const double* weight, const int* gain, const int* group,
    unsigned long long* most, long long groups, int width) {
  long long at = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (at >= groups * width) return;
  double value = values[at];
  int row = chosen[at], wealth = at % width;
  if (row >= 0 && stakes[row] <= wealth) {
    double total = worth(values, reward, out, weight, gain, group, row, wealth, width);
    if (total > value) {
      atomicMax(most, (unsigned long long)__double_as_longlong(total - value));
      value = total;
    }
  }
  after[at] = value;
}
"""


def available() -> bool:
    """Whether there is CuPy and a GPU."""
    try:
        import cupy

        return bool(cupy.cuda.runtime.getDeviceCount())
    except Exception:  # noqa: BLE001 - CuPy's own errors cannot be named without CuPy
        return False


class Sweeps:
    """A game on the device, and sweeps over it."""

    def __init__(self, tables: Tables, width: int) -> None:
        self.cupy: Any = needed("cupy", "value iteration on a GPU")
        self.groups, self.width = len(tables.limit), width
        self.module = self.cupy.RawModule(code=SOURCE, options=("--std=c++14",))
        self.part_group, self.part_first, self.part_last, self.parts_first = map(self._narrow, _parts(tables.first))
        self.far_first, self.far = map(self._narrow, _closure(tables))
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
        """Take the best row of every state; `most` is the largest change."""
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
        """Raise every value to what its chosen row is worth."""
        self._launch(
            "evaluate", self.own.size, values, after, chosen, self.stakes, self.reward, self.out, self.weight,
            self.gain, self.group, self.most, np.int64(self.groups),
        )  # fmt: skip

    @property
    def change(self) -> float:
        return float(self.most.get().view(np.float64)[0])


def iterate(
    tables: Tables,
    opening: Floats,
    close: float,
    sweeps_max: int,
    progress: Callable[[int, float], None] | None = None,
) -> tuple[Floats, Ints, int]:
    """Modified policy iteration, as `solve.iterate` does it: values, the row chosen in each state, sweeps."""
    sweeps = Sweeps(tables, opening.shape[1])
    cupy = sweeps.cupy
    values, chosen = cupy.asarray(opening), cupy.full(opening.shape, -1, dtype=np.int32)
    for sweep in range(1, sweeps_max + 1):
        sweeps.improve(values, chosen, close)
        change = sweeps.change
        if progress:
            progress(sweep, change)
        if change <= close * max(1.0, float(cupy.abs(values[cupy.isfinite(values)]).max())):
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


def _closure(tables: Tables) -> tuple[list[int], list[int]]:
    """For each group every group that more chips lead to, however many."""
    far: list[set[int]] = [set() for _ in tables.limit]
    for group in reversed(range(len(far))):  # a group stands before all that it leads to
        for to in tables.onward[tables.onward_first[group] : tables.onward_first[group + 1]].tolist():
            far[group] |= {to} | far[to]
    flat = [to for each in far for to in sorted(each)]
    return np.concatenate([[0], np.cumsum([len(each) for each in far])]).tolist(), flat
