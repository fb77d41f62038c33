"""Linear equations with whole coefficients, solved in fractions: Dixon's p-adic lifting and a proof of the answer."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from passline.errors import SingularError

PRIMES = (2**31 - 1, 2**31 - 19, 2**31 - 61)
"""Primes below 2**31, so that a product of two residues fits in 63 bits; one that divides the determinant is passed."""


def solve(matrix: NDArray[np.int64], right: Sequence[int]) -> tuple[list[int], int]:
    """Numerators and their common denominator of the x with matrix @ x == right, whatever the size of the right.

    Digits of x to the base of a prime come from the inverse modulo that prime, found once; enough of them, by
    Hadamard's bound, give back the fractions. The answer is put into the equations before it is returned.
    """
    for prime in PRIMES:
        inverse = _inverse(matrix, prime)
        if inverse is not None:
            break
    else:
        raise SingularError("the equations do not have exactly one solution")
    modulus, residues = _lift(matrix, right, inverse, prime)
    numerators, denominator = _fractions(residues, modulus)
    _prove(matrix, right, numerators, denominator)
    return numerators, denominator


def _inverse(matrix: NDArray[np.int64], prime: int) -> NDArray[np.int64] | None:
    """The inverse modulo a prime by Gauss and Jordan, or nothing where there is none."""
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
    """The residue nearest to zero."""
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


def _prove(matrix: NDArray[np.int64], right: Sequence[int], numerators: list[int], denominator: int) -> None:
    """Put the answer into the equations."""
    for row, wanted in zip(matrix.tolist(), right, strict=True):
        found = sum(a * x for a, x in zip(row, numerators, strict=True) if a)
        assert found == wanted * denominator, "the lifted solution solves the equations"
