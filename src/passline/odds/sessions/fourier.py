"""Long sessions without stops: the distribution of the net by its Fourier transform, with a bound on every error.

At frequency f a roll multiplies the row of states by a matrix M(f) whose rows sum to at most one in absolute value, so
an error once made never grows, and the transform dies out at all but the lowest frequencies within a few hundred
rolls. Those that are left are raised to the remaining power by squaring. A hundred thousand rolls cost little more than
a thousand, where a walk would cost a thousand times as much.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from passline.machine.machine import THROWS
from passline.odds.sessions.chain import NOTHING, ULP, Chain, Ints

Complex = NDArray[np.complex128]
Floats = NDArray[np.float64]

STATES_MAX = 256  # Beyond this many states the matrices that are squared become too dear
TAIL = 1e-14  # Mass that may lie outside the window of nets, and is counted as error
DEAD = 1e-17  # a transform this small is taken as zero, and counted as error
SETTLE = 256  # Rolls before squaring is thought of: most frequencies die out in fewer
CELLS_MAX = 1 << 22  # States times frequencies that are worked on at once: 64 MiB of complex numbers


@dataclass(frozen=True, slots=True, eq=False)
class Transformed:
    """Chances of the nets from `low` on, and how far any sum of them can be off."""

    low: int
    chances: Floats
    bound: float


def transformed(chain: Chain, rolls: int, progress: Callable[[int, int], None] | None = None) -> Transformed:
    """The distribution of the net after `rolls` rolls with no stops."""
    low, high = window(chain, rolls)
    low, high = low + int(chain.out_least.min()), high + int(chain.out_most.max())
    length = 1 << max(high - low, 1).bit_length()
    transform = np.zeros(length // 2 + 1, dtype=np.complex128)
    off = np.zeros(length // 2 + 1)
    batch = max(CELLS_MAX // chain.states, 1)
    for begin in range(0, len(transform), batch):
        tones = np.arange(begin, min(begin + batch, len(transform)))
        transform[tones], off[tones] = _transform(chain, rolls, tones, length)
        if progress is not None:
            progress(rolls * int(tones[-1] + 1) // len(transform), rolls)
    chances = np.fft.irfft(transform.conj(), length)
    chances = np.maximum(np.roll(chances, -low)[: high - low + 1], 0.0)
    # By Parseval the errors of all chances together are at most the root of the summed squares of the transform's.
    both = np.r_[off, off[1:-1]]
    size = np.sqrt(2 * np.sum(np.abs(transform) ** 2))
    turned = 8 * ULP * length.bit_length() * float(size)
    return Transformed(low=low, chances=chances, bound=float(np.sqrt(np.sum(both**2))) + turned + 2 * TAIL)


def window(chain: Chain, rolls: int) -> tuple[int, int]:
    """Nets outside of which the chance is at most TAIL, by Chernoff's bound at the best of several tilts."""
    spread = float(np.sqrt(np.bincount(chain.source, weights=chain.net**2 * chain.weight).max() / chain.whole))
    if spread == 0:
        return 0, 0
    tilts = 8 / (spread * np.sqrt(rolls)) * np.geomspace(0.25, 8, 24)
    high = min((_log_moment(chain, rolls, tilt) - np.log(TAIL / 2)) / tilt for tilt in tilts)
    low = max((_log_moment(chain, rolls, -tilt) - np.log(TAIL / 2)) / -tilt for tilt in tilts)
    return int(np.floor(low)), int(np.ceil(high))


def _log_moment(chain: Chain, rolls: int, tilt: float) -> float:
    """The logarithm of the mean of exp(tilt * net), kept in range by taking out the largest factor as it grows."""
    power = chain.square(np.exp(tilt * chain.net))
    row = np.zeros(chain.states)
    row[chain.start] = 1.0
    of_row = of_power = 0.0
    left = rolls
    while left:
        if left & 1:
            row = row @ power
            of_row += of_power + float(np.log(row.max()))
            row /= row.max()
        power = power @ power
        of_power = 2 * of_power + float(np.log(power.max()))
        power /= power.max()
        left >>= 1
    return of_row + float(np.log(row.sum()))


def _transform(chain: Chain, rolls: int, tones: Ints, length: int) -> tuple[Complex, Floats]:
    """The transform at some frequencies, and how far each value can be off."""
    row = np.zeros((chain.states, len(tones)), dtype=np.complex128)
    row[chain.start] = 1.0
    off = np.zeros(len(tones))
    alive = np.arange(len(tones))
    value, error = np.zeros(len(tones), dtype=np.complex128), np.zeros(len(tones))
    nets, place = np.unique(chain.net, return_inverse=True)
    roots = np.exp(2j * np.pi * np.arange(length) / length)
    # By how much each net turns each frequency; the turns are whole, so the angles are exact.
    phases = [roots[(tones * int(net)) % length] for net in nets]
    groups: defaultdict[tuple[int, int], list[tuple[int, float]]] = defaultdict(list)
    steps = zip(chain.target.tolist(), place.tolist(), chain.source.tolist(), chain.weight.tolist(), strict=True)
    for target, net, source, weight in steps:
        groups[target, net].append((source, weight / chain.whole))
    # Twice the real bound covers complex products; 16 covers the phase, the chance and the product of the two.
    per_roll = 2 * (int(np.bincount(chain.target).max()) + 16) * ULP
    left = rolls
    while left and alive.size and (rolls - left < SETTLE or not _squaring_pays(chain, alive.size, left)):
        norm = np.abs(row).sum(axis=0)
        row = _rolled(row, groups, phases)
        off += per_roll * norm
        left -= 1
        live = norm > DEAD
        if left % 8 == 0 and not live.all():
            error[alive[~live]] = (norm + off)[~live]
            row, off, alive = row[:, live], off[live], alive[live]
            phases = [phase[live] for phase in phases]
    if left and alive.size:
        batch = max(CELLS_MAX // chain.states**2, 1)
        for begin in range(0, alive.size, batch):
            cut = slice(begin, begin + batch)
            row[:, cut], off[cut] = _power(chain, row[:, cut], off[cut], [each[cut] for each in phases], left)
    value[alive], off = _run_out(chain, row, off, tones[alive], length)
    error[alive] = off + chain.states * ULP
    return value, error


def _run_out(chain: Chain, row: Complex, off: Floats, tones: Ints, length: int) -> tuple[Complex, Floats]:
    """All states together, each times the transform of its run-out, which is never larger than one."""
    value, most = np.zeros(len(tones), dtype=np.complex128), 0
    roots = np.exp(2j * np.pi * np.arange(length) / length)
    for number in np.unique(chain.last).tolist():
        end = chain.run_outs[number]
        states = row[chain.last == number].sum(axis=0)
        turned = (
            ways / end.whole * roots[(tones * net) % length] for net, ways in zip(end.nets, end.ways, strict=True)
        )
        value += states if end is NOTHING else states * sum(turned)
        most = max(most, len(end.nets))
    return value, off + 2 * (most + 16) * ULP * np.abs(row).sum(axis=0)


def _squaring_pays(chain: Chain, alive: int, left: int) -> bool:
    """Whether squaring the matrices of all live frequencies is quicker than rolling on, in rough nanoseconds."""
    return alive * chain.states**3 * left.bit_length() // 2 < left * len(chain.net) * (3000 + 4 * alive)


def _rolled(row: Complex, groups: Mapping[tuple[int, int], list[tuple[int, float]]], phases: list[Complex]) -> Complex:
    """The states after one more roll; the steps are grouped by where they lead and what they pay."""
    out, part, term = np.zeros_like(row), np.empty_like(row[0]), np.empty_like(row[0])
    for (target, net), steps in groups.items():
        source, chance = steps[0]
        np.multiply(row[source], chance, out=part)
        for source, chance in steps[1:]:
            part += np.multiply(row[source], chance, out=term)
        part *= phases[net]
        out[target] += part
    return out


def _power(chain: Chain, row: Complex, off: Floats, phases: list[Complex], left: int) -> tuple[Complex, Floats]:
    """Some frequencies after `left` more rolls, by squaring; the error of each is carried beside it."""
    matrix = np.zeros((row.shape[1], chain.states, chain.states), dtype=np.complex128)
    place = np.unique(chain.net, return_inverse=True)[1]
    steps = zip(chain.source.tolist(), chain.target.tolist(), chain.weight.tolist(), place.tolist(), strict=True)
    for source, target, weight, net in steps:
        matrix[:, source, target] += phases[net] * (weight / chain.whole)
    product = 2 * (chain.states + 8) * ULP
    wrong = np.full(row.shape[1], 2 * (THROWS + 16) * ULP)
    vector = row.T[:, None, :]
    while left:
        norm = np.abs(matrix).sum(axis=2).max(axis=1)
        if left & 1:
            size = np.abs(vector).sum(axis=(1, 2))
            off = (norm + wrong) * off + (wrong + product * norm) * size
            vector = vector @ matrix
        wrong = (2 * norm + wrong) * wrong + product * norm**2
        matrix = matrix @ matrix
        left >>= 1
    return vector[:, 0, :].T, off
