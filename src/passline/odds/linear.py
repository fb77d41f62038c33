"""Linear equations with whole coefficients, solved in fractions, the answer proved.

A few are solved by elimination, many by Dixon's p-adic lifting, for which there is NumPy.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache, wraps
from math import lcm
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

from passline.engine.layout import Layout
from passline.engine.values import ROLLS
from passline.errors import SingularError
from passline.files.findings import nearest

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


FEW = 24  # up to so many equations elimination is as quick, and the price of a wager needs no NumPy

# Primes below 2**31, so that a product of two residues fits in 63 bits; one that divides the determinant is passed.
PRIMES = (2**31 - 1, 2**31 - 19, 2**31 - 61)


def solve(matrix: NDArray[np.int64] | list[list[int]], right: Sequence[int]) -> tuple[list[int], int]:
    """Numerators and their common denominator of the x with matrix @ x == right, whatever the size of the right.

    Digits of x to the base of a prime come from the inverse modulo that prime, found once; enough of them, by
    Hadamard's bound, give back the fractions. The answer is put into the equations before it is returned.
    """
    rows = matrix if isinstance(matrix, list) else matrix.tolist()
    numerators, denominator = _eliminated(rows, right) if len(rows) <= FEW else _lifted(rows, right)
    for row, wanted in zip(rows, right, strict=True):
        product = sum(a * x for a, x in zip(row, numerators, strict=True) if a)
        assert product == wanted * denominator, "the lifted solution solves the equations"
    return numerators, denominator


def _eliminated(rows: list[list[int]], right: Sequence[int]) -> tuple[list[int], int]:
    """By Bareiss: every division on the way is exact, so that the numbers stay as small as they can."""
    work = [[*row, value] for row, value in zip(rows, right, strict=True)]
    size, before = len(work), 1
    for k in range(size):
        pivot = next((row for row in range(k, size) if work[row][k]), None)
        if pivot is None:
            raise SingularError("the equations do not have exactly one solution")
        work[k], work[pivot] = work[pivot], work[k]
        for i in range(size):
            if i != k:
                row, by = work[i], work[i][k]
                work[i] = [(work[k][k] * row[j] - by * work[k][j]) // before for j in range(size + 1)]
        before = work[k][k]
    return [row[size] for row in work], before


def _lifted(rows: list[list[int]], right: Sequence[int]) -> tuple[list[int], int]:
    import numpy as np

    matrix = np.array(rows, dtype=np.int64)
    for prime in PRIMES:
        inverse = _inverse(matrix, prime)
        if inverse is not None:
            break
    else:
        raise SingularError("the equations do not have exactly one solution")
    modulus, residues = _lift(matrix, right, inverse, prime)
    return _fractions(residues, modulus)


def _inverse(matrix: NDArray[np.int64], prime: int) -> NDArray[np.int64] | None:
    """The inverse modulo a prime by Gauss and Jordan, or nothing where there is none."""
    import numpy as np

    size = len(matrix)
    work = np.hstack([matrix % prime, np.eye(size, dtype=np.int64)])
    for column in range(size):
        below = np.flatnonzero(work[column:, column])
        if not below.size:
            return None
        pivot = column + int(below[0])
        work[[column, pivot]] = work[[pivot, column]]
        work[column] = work[column] * pow(int(work[column, column]), -1, prime) % prime
        others = np.flatnonzero(work[:, column])
        others = others[others != column]
        work[others] = (work[others] - work[others, column, None] * work[column] % prime) % prime
    return work[:, size:]


def _lift(
    matrix: NDArray[np.int64], right: Sequence[int], inverse: NDArray[np.int64], prime: int
) -> tuple[int, list[int]]:
    """The solution modulo a power of the prime that is large enough to name the fractions."""
    import numpy as np

    norms = np.sqrt((matrix.astype(np.float64) ** 2).sum(axis=1))
    length = max(abs(number) for number in right).bit_length() + len(right).bit_length()
    bits = 2 * (float(np.log2(np.maximum(norms, 1)).sum()) + length) + 8
    rest, digits = np.array(right, dtype=object), []
    for _ in range(math.ceil(bits / math.log2(prime)) + 1):
        digit = (inverse * (rest % prime).astype(np.int64) % prime).sum(axis=1) % prime
        digits.append(digit.tolist())
        rest = (rest - matrix @ digit) // prime
    residues = [0] * len(right)
    for digit in reversed(digits):
        residues = [prime * sum_ + add for sum_, add in zip(residues, digit, strict=True)]
    return prime ** len(digits), residues


def _fractions(residues: list[int], modulus: int) -> tuple[list[int], int]:
    """Numerators over one denominator; once that is known, most of them are plain to see."""
    denominator = 1
    bound = math.isqrt(modulus // 2)
    for residue in residues:
        top = _centred(residue * denominator, modulus)
        if abs(top) > bound >> 16:
            denominator *= _denominator(residue * denominator % modulus, modulus)
    return [_centred(residue * denominator, modulus) for residue in residues], denominator


def _centred(number: int, modulus: int) -> int:
    number %= modulus
    return number - modulus if number > modulus // 2 else number


def _denominator(residue: int, modulus: int) -> int:
    """The least denominator of a fraction, small above and below, that is this residue."""
    bound = math.isqrt(modulus // 2)
    a, b, x, y = modulus, residue, 0, 1
    while b > bound:
        quotient = a // b
        a, b, x, y = b, a - quotient * b, y, x - quotient * y
    return abs(y) or 1


S = TypeVar("S", bound="Hashable")

THROWS = len(ROLLS)  # with fair dice every weight of a chain counts throws of two dice told apart


def visits(
    start: Mapping[S, Fraction | int], steps: Mapping[S, Mapping[S, int]], whole: int = THROWS
) -> dict[S, Fraction]:
    """The mean number of visits to each state; `steps` weighs the throws that stay inside the chain, out of `whole`.

    States that can come back to one another are solved together, and such groups one after the other, so a wager with
    a long memory costs as much as its groups and not as its states.

    >>> visits({"up": 1}, {"up": {"up": 25}})
    {'up': Fraction(36, 11)}
    """
    reached = {state: Fraction(0) for state in steps}
    for state, weight in start.items():
        reached[state] += weight
    mean: dict[S, Fraction] = {}
    share = cache(lambda throws: Fraction(throws, whole))
    for group in in_order(steps):
        if not any(reached[state] for state in group):  # such a group may have no way out either
            mean |= dict.fromkeys(group, Fraction(0))
            continue
        if len(group) == 1:
            often = [reached[state] * Fraction(whole, whole - steps[state].get(state, 0)) for state in group]
        else:
            matrix = [[(one == other) * whole - steps[other].get(one, 0) for other in group] for one in group]
            over = lcm(*(reached[one].denominator for one in group))
            tops, bottom = solve(matrix, [int(reached[one] * over) * whole for one in group])
            often = [Fraction(top, bottom * over) for top in tops]
        for state, visited in zip(group, often, strict=True):
            mean[state] = visited
            for target, throws in steps[state].items():
                reached[target] += visited * share(throws)
    return mean


def in_order(steps: Mapping[S, Mapping[S, int]]) -> list[list[S]]:
    """The states in groups that can return to one another, each group after all that lead to it (Tarjan)."""
    order: dict[S, int] = {}
    low: dict[S, int] = {}
    open_: list[S] = []
    closed: set[S] = set()
    groups: list[list[S]] = []
    for root in steps:
        if root in order:
            continue
        trail: list[tuple[S, Iterator[S]]] = [(root, iter(steps[root]))]
        order[root] = low[root] = len(order)
        open_.append(root)
        while trail:
            state, ahead = trail[-1]
            step = next(ahead, None)
            if step is None:
                trail.pop()
                if trail:
                    before = trail[-1][0]
                    low[before] = min(low[before], low[state])
                if low[state] == order[state]:
                    group = [open_.pop()]
                    while group[-1] != state:
                        group.append(open_.pop())
                    groups.append(group)
                    closed.update(group)
            elif step not in order:
                order[step] = low[step] = len(order)
                open_.append(step)
                trail.append((step, iter(steps[step])))
            elif step not in closed:
                low[state] = min(low[state], order[step])
    return groups[::-1]


T = TypeVar("T")
P = ParamSpec("P")

BOOKS_MAX = 32  # how many books are remembered; the one not asked about for longest is forgotten first


class Lazily(Mapping[str, T]):
    """Answers by key, each worked out when it is first asked for.

    A house may have a hundred wagers, some with a thousand states, and who quits the table asks about one.
    """

    def __init__(self, keys: Iterable[str], work: Callable[[str], T]) -> None:
        self._keys, self._work = dict.fromkeys(keys), work
        self._done: dict[str, T] = {}

    def __getitem__(self, key: str) -> T:
        if key not in self._done:
            if key not in self._keys:
                near = nearest(str(key), self._keys)
                raise KeyError(f"{key}; the nearest is {near}" if near else key)
            self._done[key] = self._work(key)
        return self._done[key]

    def __contains__(self, key: object) -> bool:
        return key in self._keys

    def __iter__(self) -> Iterator[str]:
        return iter(self._keys)

    def __len__(self) -> int:
        return len(self._keys)


def remembered(work: Callable[Concatenate[Layout, P], T]) -> Callable[Concatenate[Layout, P], T]:
    """Do work on a layout once for each book and dice: houses opened twice share the book, though not the layout."""
    known: OrderedDict[tuple[Any, ...], tuple[Any, T]] = OrderedDict()

    @wraps(work)
    def once(layout: Layout, *more: P.args, **named: P.kwargs) -> T:
        # The entry keeps the book, so its identity cannot be given to another one meanwhile.
        who = (id(layout.book), *more, *named.values())
        if who not in known:
            known[who] = (layout.book, work(layout, *more, **named))
        known.move_to_end(who)
        if len(known) > BOOKS_MAX:
            known.popitem(last=False)
        return known[who][1]

    return once  # type: ignore[return-value]
