"""The simulator runs where there is NumPy and nothing else."""

from __future__ import annotations

import subprocess
import sys

ALONE = """
import sys
for name in ("numba", "llvmlite", "matplotlib", "polars", "pydantic", "scipy", "hypothesis"):
    sys.modules[name] = None
import numpy as np
import passline.sim
import passline.odds.best.gpu
import passline.sim.backends.gpu
from passline.analysis import charts
from passline.sim import Terms, simulate
from passline.machine.machine import Machine
coin = Machine(
    column=np.arange(36, dtype=np.uint8) % 2,
    next=np.zeros((1, 2), dtype=np.int32),
    net=np.array([[-1, 1]], dtype=np.int64),
    need=np.ones(1, dtype=np.int64),
    action=np.ones((1, 2), dtype=np.int64),
    hand_ends=np.zeros((1, 2), dtype=np.bool_),
)
result = simulate(coin, Terms(10, bankroll=5), sessions=100)
assert result.backend == "numpy", result.backend
result.to_json(), result._repr_html_(), repr(result), result.to_csv()
try:
    simulate(coin, Terms(1), sessions=1, backend="numba")
except ValueError as error:
    assert "numba" in str(error), error
else:
    raise AssertionError("numba was not blocked")
"""


def test_numpy_alone_is_enough() -> None:
    """Import, roll and show with every other package blocked."""
    subprocess.run([sys.executable, "-c", ALONE], check=True)


def test_importing_the_simulator_imports_nothing_heavy() -> None:
    """Numba and Matplotlib come when they are used."""
    heavy = {"numba", "matplotlib", "polars", "pydantic", "scipy"}
    code = f"import sys, passline.sim, passline.analysis.charts; print({heavy} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "set()"


def test_a_question_waits_for_no_compiler() -> None:
    """Numba takes a second to import: whoever asks a small question never does."""
    code = "import sys; import passline.analysis.checked; assert 'numba' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)
