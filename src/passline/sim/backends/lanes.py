"""The simulated dice compiled: dealt to many sessions at once, a lane each.

Everything is `uint64`: mixing signed and unsigned 64-bit integers makes Numba compute in floating point, `uint32`
widens by itself, and unsigned indices need no test for being negative.
"""

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]
from numba import njit, types
from numba.extending import intrinsic
from numpy.typing import NDArray

Words = NDArray[np.uint64]

F = TypeVar("F", bound="Callable[..., Any]")

LANES = 32  # Sessions whose dice are dealt together: long enough to fill vector registers, short enough to stay in L1

_WORD = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)
_M0, _M1 = np.uint64(0xD2511F53), np.uint64(0xCD9E8D57)
_W0, _W1 = np.uint64(0x9E3779B9), np.uint64(0xBB67AE85)


def compiled(function: F) -> F:
    """Compile without the interpreter's lock, and keep the machine code on disk."""
    return cast("F", njit(nogil=True, cache=True)(function))


def inlined(function: F) -> F:
    """Compile as part of its callers, before LLVM sees it: loops over a call are not turned into vector code."""
    return cast("F", njit(nogil=True, cache=True, inline="always")(function))


def _digit(typing_context: Any, fraction: Any, base: Any) -> Any:  # noqa: ANN401, ARG001 - Numba's own types
    """Take one digit of a base off a fraction of 2^64: the digit, and the fraction left for the next.

    The high word of a product has no name in NumPy and is one instruction on every processor; the low word is better
    multiplied again, by a constant, than waited for.
    """

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:  # noqa: ANN401
        wide, word = ir.IntType(128), ir.IntType(64)
        product = builder.mul(builder.zext(args[0], wide), builder.zext(args[1], wide))
        upper = builder.trunc(builder.lshr(product, ir.Constant(wide, 64)), word)
        return context.make_tuple(builder, signature.return_type, (upper, builder.mul(*args)))

    two: Any = types.UniTuple
    return two(types.uint64, 2)(types.uint64, types.uint64), generate


digit: Callable[[np.uint64, np.uint64], tuple[np.uint64, np.uint64]] = cast("Any", intrinsic(_digit))


def _highest(typing_context: Any, word: Any) -> Any:  # noqa: ANN401, ARG001 - Numba's own types
    """The number of the highest bit that is set; some must be."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:  # noqa: ANN401, ARG001
        above = builder.ctlz(args[0], ir.Constant(ir.IntType(1), 1))
        return builder.sub(ir.Constant(ir.IntType(64), 63), above)

    return types.int64(types.uint64), generate


highest: Callable[[np.uint64], int] = cast("Any", intrinsic(_highest))


def _marked(typing_context: Any, words: Any) -> Any:  # noqa: ANN401, ARG001 - Numba's own types
    """A bit for every lane whose word has its top bit set: processors gather those at once, if told so."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:  # noqa: ANN401
        lanes, data = ir.VectorType(ir.IntType(64), LANES), context.make_array(signature.args[0])
        place = builder.bitcast(data(context, builder, args[0]).data, lanes.as_pointer())
        below = builder.icmp_signed("<", builder.load(place, align=8), ir.Constant(lanes, [0] * LANES))
        return builder.zext(builder.bitcast(below, ir.IntType(LANES)), ir.IntType(64))

    return types.uint64(words), generate


marked: Callable[[NDArray[np.uint64]], np.uint64] = cast("Any", intrinsic(_marked))


@inlined
def cipher(block: np.uint64, table: np.uint64, seed: np.uint64) -> Any:  # noqa: ANN401
    """One Philox block as its two halves; without branches, so a loop over it becomes vector code."""
    x0, x1 = block & _WORD, block >> _HALF
    x2, x3 = table & _WORD, table >> _HALF
    k0, k1 = seed & _WORD, seed >> _HALF
    for _ in range(10):
        # What overflows above bit 32 may stay: only the multiplications must drop it, and theirs do so for free.
        p0, p1 = (x0 & _WORD) * _M0, (x2 & _WORD) * _M1
        x0, x1, x2, x3 = (p1 >> _HALF) ^ x1 ^ k0, p1, (p0 >> _HALF) ^ x3 ^ k1, p0
        k0, k1 = (k0 + _W0) & _WORD, (k1 + _W1) & _WORD
    return (x0 & _WORD) | (x1 << _HALF), (x2 & _WORD) | (x3 << _HALF)


@inlined
def deal(  # noqa: PLR0913, PLR0917 - arrays, a lane each
    tick: np.uint64, born: Words, table: Words, seed: np.uint64, low: Words, upper: Words
) -> None:
    """Deal to each lane the block it has come to since it was born."""
    for lane in range(LANES):
        low[lane], upper[lane] = cipher(tick - born[lane], table[lane], seed)


@inlined
def ahead(table: np.uint64, seed: np.uint64) -> Any:  # noqa: ANN401
    """What the first two rounds make of a table's number: it does not ask for the block."""
    p1 = (table & _WORD) * _M1
    return p1, (((p1 >> _HALF) ^ seed) & _WORD) * _M0


@inlined
def deal_ahead(  # noqa: PLR0913, PLR0917 - arrays, a lane each
    tick: np.uint64, born: Words, table: Words, second: Words, fourth: Words, seed: np.uint64, low: Words,
    upper: Words,
) -> None:  # fmt: skip
    """As `deal`, to tables whose numbers `ahead` has seen; blocks fit in 32 bits."""
    k0, k1 = seed & _WORD, seed >> _HALF
    l0, l1 = (k0 + _W0) & _WORD, (k1 + _W1) & _WORD
    for lane in range(LANES):
        p0 = (tick - born[lane]) * _M0
        p1 = (((p0 >> _HALF) ^ (table[lane] >> _HALF) ^ k1) & _WORD) * _M1
        x0, x1 = (p1 >> _HALF) ^ second[lane] ^ l0, p1
        x2, x3 = (fourth[lane] >> _HALF) ^ p0 ^ l1, fourth[lane]
        low[lane], upper[lane] = last_rounds(x0, x1, x2, x3, l0, l1)


@inlined
def last_rounds(  # noqa: PLR0913, PLR0917 - a block and its key
    x0: np.uint64, x1: np.uint64, x2: np.uint64, x3: np.uint64, k0: np.uint64, k1: np.uint64
) -> Any:  # noqa: ANN401
    """The eight rounds after two, and the two halves that come of them."""
    for _ in range(8):
        k0, k1 = (k0 + _W0) & _WORD, (k1 + _W1) & _WORD
        p0, p1 = (x0 & _WORD) * _M0, (x2 & _WORD) * _M1
        x0, x1, x2, x3 = (p1 >> _HALF) ^ x1 ^ k0, p1, (p0 >> _HALF) ^ x3 ^ k1, p0
    return (x0 & _WORD) | (x1 << _HALF), (x2 & _WORD) | (x3 << _HALF)


@inlined
def deal_alike(  # noqa: PLR0913, PLR0917 - arrays, a lane each
    block: np.uint64, table: np.uint64, second: Words, fourth: Words, seed: np.uint64, low: Words, upper: Words
) -> None:
    """As `deal_ahead`, the same block to all lanes, whose numbers have the high word of this table's.

    What the first two rounds make of the block is the same for every lane, so they cost next to nothing.
    """
    k0, k1 = seed & _WORD, seed >> _HALF
    p0 = block * _M0
    p1 = (((p0 >> _HALF) ^ (table >> _HALF) ^ k1) & _WORD) * _M1
    k0, k1 = (k0 + _W0) & _WORD, (k1 + _W1) & _WORD
    all0, all2 = (p1 >> _HALF) ^ k0, p0 ^ k1
    for lane in range(LANES):
        x0, x2 = all0 ^ second[lane], all2 ^ (fourth[lane] >> _HALF)
        low[lane], upper[lane] = last_rounds(x0, p1, x2, fourth[lane], k0, k1)
