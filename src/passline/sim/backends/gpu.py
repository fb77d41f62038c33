"""The GPU backend: packs a game for the kernel of `roll.cu`, launches it with CuPy and takes the sums back."""

import math
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from passline.errors import DeviceError, Halted
from passline.files.needed import missing
from passline.machine.machine import THROWS
from passline.machine.terms import UNITS_MAX
from passline.sim.backends import Halt, Part, Played
from passline.sim.backends.pack import TOGETHER, Out, Packed, composed, ready, ready_out
from passline.sim.backends.vector import NumpyBackend
from passline.sim.dice import ROLLS_PER_BLOCK, ROLLS_PER_HALF
from passline.sim.game import Ending, Game, run_out_max
from passline.sim.sample import Histogram

KERNEL: Final = "roll"
SOURCE: Final = Path(__file__).with_name("roll.cu").read_text(encoding="utf-8")
# Threads of a block: one block may have all the shared memory of a multiprocessor, and then needs them all.
THREADS: Final = 1024
# About how many rolls to do between two words with the caller: a tenth of a second on a large card.
ROLLS_PER_BATCH: Final = 1 << 37
BATCH_MAX: Final = 1 << 30
ROWS_MAX: Final = 1 << 20  # the most sessions in a batch whose rows are wanted
# Net results that are counted on the device, and rolls; sessions that spread further are told one by one.
BINS_MAX: Final = 1 << 24
WINDOW_MAX: Final = 1 << 12  # Net results near nothing that a block counts by itself
KEPT_BYTES: Final = 1 << 10  # Shared memory that the system keeps for itself in every block
ROLLS_MAX: Final = 1 << 31
ROLL_NARROW_MAX: Final = 1 << 31  # the fields of narrow sessions are 32-bit numbers between two emptyings
NARROW_BITS: Final = 32
# The sums that the kernel gives before the endings.
COUNTED: Final = ("rolls", "hands", "action", "out_action", "run_out")


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """A game as the kernel takes it; made without a GPU."""

    defines: dict[str, int]
    table: NDArray[Any]
    packed: Packed
    out: Out | None
    hand_limit: int
    least: int  # the least net, in minor units, that a session can come to
    step: int  # Minor units between two nets that are counted apart
    bins: int
    window: int
    shared: int  # bytes of shared memory

    @property
    def counts(self) -> bool:
        return self.bins <= BINS_MAX

    def source(self, *, rows: bool) -> str:
        defines = {**self.defines, "ROWS": int(rows), "THREADS": THREADS}
        return "".join(f"#define {name} {value}\n" for name, value in defines.items()) + SOURCE


class Fields(NamedTuple):
    """A game packed in one way or the other: what the kernel looks up, and how often its fields are emptied."""

    table: NDArray[Any]
    packed: Packed
    stretch: int
    fits: bool  # whether the table fits in shared memory
    hand_limit: int = 0


def plan(game: Game, shared_bytes: int, together: int | None = None) -> Plan | None:
    """The game for a card with so much shared memory a block, or None where it cannot be packed."""
    machine, limits = game.machine, game.limits
    room = shared_bytes - KEPT_BYTES - 2 * THROWS * 2
    out = ready_out(game, together=1)
    if (machine.standing is not None and limits.run_out and out is None) or limits.rolls >= ROLLS_MAX:
        return None
    made = (_narrow(game, room, together) if game.free else None) or _wide(game, room)
    if made is None:
        return None
    net = limits.rolls * int(np.abs(machine.net).max()) + run_out_max(machine)
    stands = [] if machine.standing is None else [machine.standing.net, machine.standing.back]
    step = math.gcd(*(int(np.gcd.reduce(each, axis=None)) for each in (machine.net, *stands))) or 1
    bins = 2 * (net // step + 1) + 1
    # What is left of the shared memory counts the nets near nothing; then the felts, where they fit.
    packed, shared = made.packed, (made.table.nbytes if made.fits else 0) + 2 * THROWS**made.packed.together
    out_bytes = 0 if out is None or out.packed.table.nbytes > room - shared else out.packed.table.nbytes
    window = min(WINDOW_MAX, bins, max(0, room - shared - out_bytes) // 4)
    defines = {
        "K": packed.together,
        "NARROW": int(made.table.itemsize == 4),
        "SHARED": int(made.fits),
        "RULED": int(not game.free),
        "WINS": int(limits.win is not None),
        "ROW_BITS": packed.row_bits,
        "HAND_BITS": packed.hand_bits,
        "ACTION_BITS": packed.action_bits,
        "WIDTH": packed.width,
        "SIZE": packed.size,
        "LOADED": int(not game.dice.fair),
        "STRETCH": made.stretch,
        "COARSE": packed.coarse,
        "RUN_OUT": int(out is not None),
        "OUT_SHARED": int(out_bytes > 0),
        "OUT_COARSE": 1 if out is None else out.packed.coarse,
        "OUT_ROW_BITS": 1 if out is None else out.packed.row_bits,
        "OUT_HAND_BITS": 1 if out is None else out.packed.hand_bits,
        "OUT_ACTION_BITS": 0 if out is None else out.packed.action_bits,
    }
    used = shared + out_bytes + 4 * window + 2 * THROWS * 2
    least = -(net // step + 1) * step
    return Plan(defines, made.table, packed, out, made.hand_limit, least, step, bins, window, used)


def _fitting(game: Game, room: int, words: int, size: int) -> tuple[int, bool]:
    """How many rolls go into a look-up, and whether the table then fits in shared memory."""
    machine = game.machine
    for together in TOGETHER if game.dice.fair else TOGETHER[-1:]:
        places = machine.columns**together + (machine.columns if together > 1 else 0)
        if machine.states * places * words * size + 2 * THROWS**together <= room:
            return together, True
    return 1, False


def _narrow(game: Game, room: int, block: int | None) -> Fields | None:
    """A free game with entries of 32 bits, if they have room for it in shared memory."""
    machine = game.machine
    together, fits = _fitting(game, room, 1, 4) if block is None else (block, True)
    free = ready(game, together) if fits else None
    if free is None or free.safe is not None:
        return None
    rolls, coarse = composed(machine, together), free.packed.coarse
    # Between two emptyings lie half a block of look-ups, or as many single rolls.
    half = ROLLS_PER_HALF // together
    hands = max(half * int(rolls.hands.max()), ROLLS_PER_HALF * int(machine.hand_ends.max()))
    action = max(half * int(rolls.action.max()), ROLLS_PER_HALF * int(machine.action.max())) // coarse
    net = int(np.abs(rolls.net).max())
    packed = replace(free.packed, hand_bits=hands.bit_length(), action_bits=action.bit_length())
    if packed.shift + net.bit_length() + 1 > NARROW_BITS:
        return None
    stretch = min(ROLLS_MAX, ROLL_NARROW_MAX // max(1, net, action)) // ROLLS_PER_BLOCK * ROLLS_PER_BLOCK
    table = packed.words(rolls).astype(np.int32).view(np.uint32).ravel()
    return Fields(table, packed, stretch, fits=True)


def _wide(game: Game, room: int) -> Fields | None:
    """A game with the words that the processor adds, in shared memory where they fit."""
    together, fits = _fitting(game, room, 1 if game.free else 2 if game.limits.win is None else 3, 8)
    made = ready(game, together)
    if made is None:
        return None
    limit = 0 if made.safe is None else int(made.hand_limit) >> made.packed.row_bits
    return Fields(made.packed.table, made.packed, made.stretch, fits, limit)


def arguments(  # noqa: PLR0913, PLR0917
    made: Plan, game: Game, first: int, count: int, at: dict[str, Any], none: Any  # noqa: ANN401
) -> tuple[Any, ...]:  # fmt: skip
    """What the kernel is called with; `at` holds the arrays where the kernel can reach them."""
    limits, start = game.limits, np.uint64(game.machine.start * made.packed.width)
    rows = [at.get(f"r_{name}", none) for name in ("net", "rolls", "hands", "ending", "action", "run_out")]
    window_first = max(0, -made.least // made.step - made.window // 2)
    return (
        at["table"], np.uint32(len(made.table)), at["column"], at["single"], at.get("out_table", none),
        np.uint32(0 if made.out is None else len(made.out.packed.table)), at.get("out_single", none),
        at.get("enter", none), at.get("back", none), at.get("over", none), at.get("cut", none), at.get("other", none),
        np.uint64(game.seed), np.uint64(first), np.uint64(count), np.uint64(limits.rolls), start,
        np.int64(UNITS_MAX if limits.win is None else limits.win),
        np.int64(-UNITS_MAX if limits.loss is None else -limits.loss), np.uint64(made.hand_limit),
        np.int64(made.least), np.uint64(made.step), np.uint64(window_first), np.uint32(made.window),
        at.get("nets", none), at.get("ruins", none), at.get("sums", none), *rows,
    )  # fmt: skip


def arrays(made: Plan, game: Game) -> dict[str, NDArray[Any]]:
    named: dict[str, NDArray[Any]] = {"table": made.table}
    named |= {"column": made.packed.column, "single": made.packed.single}
    if made.out is not None:
        packed = made.out.packed
        named |= {"out_table": packed.table, "out_single": packed.single}
        named |= {"enter": made.out.enter, "back": made.out.back}
    if game.machine.over is not None:
        named["over"] = game.machine.over.view(np.uint8)
    if game.aliases is not None:
        named |= {"cut": game.aliases.threshold, "other": game.aliases.other}
    return named


def counters(made: Plan, game: Game) -> dict[str, tuple[int, type[np.generic]]]:
    sizes = (("nets", made.bins), ("ruins", game.limits.rolls + 1), ("sums", len(COUNTED) + len(Ending)))
    return {name: (size, np.uint64) for name, size in sizes}


def part_of(made: Plan, count: int, counted: dict[str, NDArray[np.uint64]]) -> Part:
    sums = counted["sums"].tolist()
    rolls, hands, action, out_action, run_out = sums[: len(COUNTED)]
    nets, ruins = (counted[name].astype(np.int64) for name in ("nets", "ruins"))
    seen, ruined = np.flatnonzero(nets), np.flatnonzero(ruins)
    out_coarse = 1 if made.out is None else made.out.packed.coarse
    return Part(
        sessions=count,
        rolls=rolls,
        hands=hands,
        action=action * made.packed.coarse + out_action * out_coarse,
        run_out=run_out,
        endings=tuple(sums[len(COUNTED) :]),
        net=Histogram(seen.astype(np.int64) * made.step + made.least, nets[seen]),
        ruin=Histogram(ruined.astype(np.int64), ruins[ruined]),
    )


class GpuBackend(NumpyBackend):
    """Rolls on the first GPU that CuPy finds; the few that are watched the processor rolls."""

    name = "gpu"
    parallel = False

    def __init__(self) -> None:
        """Find the card, or raise a `DeviceError` that says why there is none."""
        try:
            import cupy
        except ImportError as error:
            raise DeviceError(str(missing(error, "backend 'gpu'"))) from error
        self._cupy: Any = cupy
        try:
            attributes = cupy.cuda.Device().attributes
            self._shared, self._cards = attributes["MaxSharedMemoryPerBlockOptin"], attributes["MultiProcessorCount"]
            self._per_processor = attributes["MaxSharedMemoryPerMultiprocessor"]
        except cupy.cuda.runtime.CUDARuntimeError as error:
            raise DeviceError(f"backend 'gpu' finds no GPU that can be used here: {error}") from error
        self._ready: tuple[Game, Plan, dict[str, Any], dict[bool, Any]] | None = None

    def batch(self, game: Game) -> int:
        most = max(1, int(game.machine.action.max()) * game.limits.rolls + run_out_max(game.machine))
        return max(1, min(BATCH_MAX, ROLLS_PER_BATCH // game.limits.rolls, UNITS_MAX // most))

    def warm(self, game: Game) -> None:
        """Send the game to the card and compile its kernel; a `DeviceError` says why it cannot be."""
        with self._memory():
            made, _, _ = self._made(game)
            self._kernel(game, rows=not made.counts)

    @contextmanager
    def _memory(self) -> Generator[None]:
        """Say it of the card when it has no memory left, which others may have taken at any time."""
        try:
            yield
        except self._cupy.cuda.memory.OutOfMemoryError as error:
            raise DeviceError(f"backend 'gpu' finds too little memory on the card: {error}") from error

    def play(self, game: Game, first: int, count: int, halt: Halt) -> Part:
        if halt[0]:
            raise Halted
        made, at, _ = self._made(game)
        if not made.counts:
            pieces = range(first, first + count, ROWS_MAX)
            return Part.sum([Part.of(self.rows(game, at, min(ROWS_MAX, first + count - at), halt)) for at in pieces])
        cupy = self._cupy
        with self._memory():
            counted = {name: cupy.zeros(size, dtype=kind) for name, (size, kind) in counters(made, game).items()}
            self._launch(game, first, count, at | counted, rows=False)
        return part_of(made, count, {name: array.get() for name, array in counted.items()})

    def rows(self, game: Game, first: int, count: int, halt: Halt) -> Played:
        played = Played.nothing(count)
        _, at, _ = self._made(game)
        for begin in range(0, count, ROWS_MAX):
            if halt[0]:
                raise Halted
            few, cupy = min(ROWS_MAX, count - begin), self._cupy
            with self._memory():
                columns = {f"r_{name}": cupy.zeros(few, dtype=getattr(played, name).dtype) for name in Played.__slots__}
                self._launch(game, first + begin, few, at | columns, rows=True)
            for name in Played.__slots__:
                getattr(played, name)[begin : begin + few] = columns[f"r_{name}"].get()
        return played

    def _made(self, game: Game) -> tuple[Plan, dict[str, Any], dict[bool, Any]]:
        if self._ready is None or self._ready[0] is not game:
            limits, machine = game.limits, game.machine
            made = plan(game, self._shared)
            if made is None or (limits.bank is not None and limits.bank < int(machine.need[machine.start])):
                raise DeviceError("backend 'gpu' cannot pack this game: its amounts, felts or rolls are too many")
            at = {name: self._cupy.asarray(array) for name, array in arrays(made, game).items()}
            self._ready = game, made, at, {}
        return self._ready[1:]

    def _kernel(self, game: Game, *, rows: bool) -> Any:  # noqa: ANN401
        made, _, kernels = self._made(game)
        if rows not in kernels:
            module = self._cupy.RawModule(code=made.source(rows=rows), options=("--std=c++14",))
            kernels[rows] = module.get_function(KERNEL)
            kernels[rows].max_dynamic_shared_size_bytes = made.shared
        return kernels[rows]

    def _launch(self, game: Game, first: int, count: int, at: dict[str, Any], *, rows: bool) -> None:
        made, _, _ = self._made(game)
        null = np.uint64(0)
        blocks = self._cards * max(1, min(2, self._per_processor // (made.shared + KEPT_BYTES)))
        self._kernel(game, rows=rows)(
            (blocks,), (THREADS,), arguments(made, game, first, count, at, null), shared_mem=made.shared
        )
        self._cupy.cuda.get_current_stream().synchronize()
