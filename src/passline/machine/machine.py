"""The finite machine itself: integer arrays that need NumPy and nothing else.

A *state* is the table just after a roll was settled, before the player acts. The player's acts are a function of
the state, so everything that happens between two looks at it is known: what is wanted on the layout for the next roll,
and, for each of the 36 throws, the state that follows, the money that moved and the bets that were decided.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from fractions import Fraction
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import numpy as np
from numpy.typing import NDArray

from passline.errors import SessionError
from passline.files.reading import read_bytes

FORMAT = 4  # the version of the saved form; it changes when the meaning of an array does
THROWS = 36  # Throws of two distinguishable dice: throw `6 * (first - 1) + (second - 1)`


# What an array is made of, said in a value: what an annotation comes to at run time is NumPy's own business.
BYTE, INT, LONG, FLAG = ({"kind": kind} for kind in (np.uint8, np.int32, np.int64, np.bool_))


@dataclass(frozen=True, slots=True, eq=False)
class Machine:
    """One strategy in one house, as states that 36 equally likely throws lead through."""

    # Shape (36,): which column of the tables each throw reads; throws that never matter differently share one.
    column: NDArray[np.uint8] = field(metadata=BYTE)
    next: NDArray[np.int32] = field(metadata=INT)  # Shape (states, columns): the state that follows
    # Shape (states, columns): minor units won less minor units lost by that roll, commission paid for it included.
    net: NDArray[np.int64] = field(metadata=LONG)
    # Shape (states,): minor units that must be at hand for the roll: all wagers wanted up, plus commission due.
    need: NDArray[np.int64] = field(metadata=LONG)
    # Shape (states, columns): minor units of the bets that roll decides, as `machine.play.decided` counts them.
    action: NDArray[np.int64] = field(metadata=LONG)
    hand_ends: NDArray[np.bool_] = field(metadata=FLAG)  # Shape (states, columns): whether that roll is a seven-out
    start: int = 0  # the state of an empty table before its first come-out roll
    minor_unit: Fraction = Fraction(1)  # what one minor unit is worth, in the money the strategy was built with
    # Where it came from: house, strategy, their hashes, unit, notice; JSON values only.
    about: dict[str, Any] = field(default_factory=dict)
    standing: Standing | None = None  # what stands in each state; None: never anything
    # Shape (states,): whether the strategy has ended its session there, by its `[ends] when`; None: it never does.
    over: NDArray[np.bool_] | None = None

    @property
    def states(self) -> int:
        return len(self.need)

    @property
    def ended(self) -> NDArray[np.bool_]:
        """`over`, also where nothing ever is."""
        return np.zeros(self.states, dtype=np.bool_) if self.over is None else self.over

    @property
    def columns(self) -> int:
        return int(self.next.shape[1])

    @property
    def weight(self) -> NDArray[np.int64]:
        return np.bincount(self.column, minlength=self.columns).astype(np.int64)

    def digest(self) -> str:
        sha = hashlib.sha256()
        for array in self._arrays().values():
            sha.update(repr(array.shape).encode() + array.tobytes())
        sha.update(f"{FORMAT} {self.start} {self.minor_unit}".encode())
        return sha.hexdigest()

    def save(self, path: Path) -> None:
        """Write the machine to one file that `load` reads anywhere NumPy runs."""
        head = {"format": FORMAT, "start": self.start, "grain": str(self.minor_unit), "about": self.about}
        words = json.dumps({**head, "digest": self._whole_digest()}, sort_keys=True).encode()
        with path.open("wb") as file:
            np.savez_compressed(file, head=np.frombuffer(words, dtype=np.uint8), **self._arrays())

    @classmethod
    def load(cls, path: Path) -> Machine:
        """Read a machine written by `save`; a ValueError says what keeps a file from being one."""
        packed = read_bytes(path, UNPACKED_MAX)
        try:
            arrays = _unpacked(packed)
            head = json.loads(bytes(arrays.pop("head")))
            made_in, written = head["format"], head["digest"] if head["format"] == FORMAT else ""
            stands = {name: arrays.pop(IN_STANDING + name) for name in STANDING if IN_STANDING + name in arrays}
            machine = cls(
                **arrays,
                start=head["start"],
                minor_unit=Fraction(head["grain"]),
                about=head["about"],
                standing=Standing(**stands) if stands else None,
            )
        # A spoiled file can bring the unpackers of ZIP, of NumPy and of JSON to raise nearly anything.
        except Exception as error:
            raise ValueError(f"{path}: no machine: {error}") from error
        if made_in != FORMAT:
            raise ValueError(f"{path}: machine format {made_in}, this version reads {FORMAT}; build it again")
        machine.check()
        if machine._whole_digest() != written:
            raise ValueError(f"{path}: this is not what was written")
        return machine

    def check(self) -> None:
        """Refuse arrays that are not what they should be or point outside: compiled code looks nothing up twice."""
        states, columns = self.next.shape if self.next.ndim == 2 else (0, 0)
        shapes = dict.fromkeys(ARRAYS, (states, columns)) | {"column": (THROWS,), "need": (states,)}
        fits = (
            states > 0
            and columns > 0
            and all(getattr(self, name).shape == shape for name, shape in shapes.items())
            and all(getattr(self, name).dtype == kind for name, kind in ARRAYS.items())
            and int(self.column.max()) < columns
            and 0 <= int(self.next.min()) <= int(self.next.max()) < states
            and int(self.need.min()) >= 0
            and int(self.action.min()) >= 0
            and type(self.start) is int
            and 0 <= self.start < states
            and self.minor_unit > 0
            and (self.standing is None or self.standing.fits(states))
            and (self.over is None or (self.over.shape == (states,) and self.over.dtype == np.bool_))
            and isinstance(self.about, dict)
        )
        if not fits:
            raise ValueError("this machine is broken: its arrays disagree or point outside its states")

    def _arrays(self) -> dict[str, Any]:
        arrays = {name: getattr(self, name) for name in ARRAYS}
        if self.standing is not None:
            arrays |= {f"{IN_STANDING}{name}": getattr(self.standing, name) for name in STANDING}
        return arrays if self.over is None else {**arrays, "over": self.over}

    def _whole_digest(self) -> str:
        about = json.dumps(self.about, sort_keys=True)
        return hashlib.sha256(f"{self.digest()} {about}".encode()).hexdigest()


def check_depth(machine: Machine, rolls: int) -> None:
    """Refuse sessions that are longer than a machine is deep, or over before they begin."""
    deep = machine.about.get("rolls")
    if deep is not None and rolls > deep:
        raise SessionError(f"this machine was made for sessions of up to {deep} rolls, not {rolls}; build it for more")
    if machine.over is not None and machine.over[machine.start]:
        raise SessionError("this strategy is over before its first roll: its `[ends] when` holds from the start")


IN_STANDING = "standing_"  # what the arrays of `Standing` are called by in a file, before their own names

# How much a file may unpack to; a machine of as many states as are ever looked for needs a tenth of it.
UNPACKED_MAX = 512 * 1024**2


def _unpacked(data: bytes) -> dict[str, Any]:
    """The arrays of a file, which says beforehand how large they will be."""
    with ZipFile(BytesIO(data)) as packed:
        inside = packed.infolist()
    names, stands = {*ARRAYS, "head"}, {f"{IN_STANDING}{name}" for name in STANDING}
    stored = {each.filename.removesuffix(".npy") for each in inside}
    if stored - {"over"} not in (names, names | stands) or len(inside) != len(stored):
        raise ValueError("other arrays than a machine's")
    if sum(each.file_size for each in inside) > UNPACKED_MAX:
        raise ValueError("more than any machine holds")
    with np.load(BytesIO(data), allow_pickle=False) as arrays:
        return dict(arrays)


DECIDED = 0  # the row of a bet that has had its decision


@dataclass(frozen=True, slots=True, eq=False)
class Standing:
    """The bets that stand in each state, and for every one what each of the 36 throws does to it."""

    # Shape (states + 1,): where the bets of each state begin in `bets`; the next state's beginning ends them.
    first: NDArray[np.int64] = field(metadata=LONG)
    bets: NDArray[np.int32] = field(metadata=INT)  # the rows of all states' bets, those of a state in rising order
    # Shape (states,): minor units of commission given back at once, for wagers called off, which come down.
    back: NDArray[np.int64] = field(metadata=LONG)
    # Shape (rows, 36): the row that follows, where `DECIDED` ends it; minor units won less minor units lost by that
    # throw; minor units of action, which only a decision has.
    next: NDArray[np.int32] = field(metadata=INT)
    net: NDArray[np.int64] = field(metadata=LONG)
    action: NDArray[np.int64] = field(metadata=LONG)

    @classmethod
    def of(cls, bets: Sequence[Sequence[int]], back: Sequence[int], rows: Sequence[NDArray[np.int64]]) -> Standing:
        """From the rows of each state's bets; of a row its next rows, nets and action."""
        following, net, action = np.stack(rows, axis=1)
        return cls(
            first=np.cumsum([0, *map(len, bets)]),
            bets=np.array([row for state in bets for row in sorted(state)], dtype=np.int32),
            back=np.array(back, dtype=np.int64),
            next=following.astype(np.int32),
            net=net,
            action=action,
        )

    def of_state(self, state: int) -> tuple[int, ...]:
        return tuple(self.bets[self.first[state] : self.first[state + 1]].tolist())

    def kinds(self) -> NDArray[np.int64]:
        """Shape (states,): equal numbers for states in which the same stands."""
        seen: dict[tuple[int, ...], int] = {}
        stands = ((back, *self.of_state(state)) for state, back in enumerate(self.back.tolist()))
        return np.array([seen.setdefault(each, len(seen)) for each in stands], dtype=np.int64)

    def at(self, states: NDArray[np.int64]) -> Standing:
        count = np.diff(self.first)[states]
        first = np.concatenate([[0], np.cumsum(count)])
        place = np.arange(first[-1]) - np.repeat(first[:-1] - self.first[states], count)
        return Standing(first, self.bets[place], self.back[states], self.next, self.net, self.action)

    def fits(self, states: int) -> bool:
        """Whether the arrays agree, point inside, and every bet is decided some time: compiled code relies on it."""
        rows = len(self.next)
        return (
            all(getattr(self, name).dtype == kind for name, kind in STANDING.items())
            and self.first.shape == (states + 1,)
            and self.back.shape == (states,)
            and self.bets.ndim == 1
            and int(self.first[0]) == 0
            and int(self.first[-1]) == len(self.bets)
            and bool((np.diff(self.first) >= 0).all())
            and rows > 0
            and all(array.shape == (rows, 36) for array in (self.next, self.net, self.action))
            and 0 <= int(self.next.min()) <= int(self.next.max()) < rows
            and (not self.bets.size or 0 < int(self.bets.min()) <= int(self.bets.max()) < rows)
            and not (self.next[DECIDED].any() or self.net[DECIDED].any() or self.action[DECIDED].any())
            and int(self.action.min()) >= 0
            and self._all_end()
        )

    def _all_end(self) -> bool:
        """Whether each row can come to its decision."""
        ends = np.zeros(len(self.next), dtype=np.bool_)
        ends[DECIDED] = True
        count = 0
        while count < (count := int(ends.sum())):
            ends |= ends[self.next].any(axis=1)
        return count == len(ends)


ARRAYS, STANDING = (
    {each.name: each.metadata["kind"] for each in fields(kind) if each.metadata} for kind in (Machine, Standing)
)


NAMED = 7  # the seed of the numbers that felts are told apart by; any would do


@dataclass(frozen=True, slots=True, eq=False)
class Felts:
    """Felts that a session may leave, and those on the way to the last decision, as a machine of their own.

    It says what the dice still do when no new bets are made.
    """

    machine: Machine  # State 0 is the empty felt, which stays; every roll of another one counts as a hand ended
    enter: NDArray[np.int64]  # for each state of the session's machine, the felt that it leaves


def felts_of(stands: Standing, most_felts: int) -> Felts | None:
    """The felts of what stands, or None where they are more than so many."""
    most = max(1, int(np.diff(stands.first).max()))
    left, count = np.zeros((len(stands.back), most), dtype=np.int32), np.diff(stands.first)
    left[np.arange(most) < count[:, None]] = stands.bets
    each = np.concatenate([stands.next, stands.net, stands.action])
    _, throws, column = np.unique(each, axis=1, return_index=True, return_inverse=True)
    following = stands.next[:, throws]
    # A felt is known by the sum of its bets' numbers, which does not ask for their order.
    numbers = np.random.default_rng(NAMED).integers(1, 1 << 63, len(stands.next), dtype=np.uint64)
    numbers[DECIDED] = 0
    felts, known = np.zeros((1, most), dtype=np.int32), np.zeros(1, dtype=np.uint64)
    ahead = left
    while len(ahead):
        names, first = np.unique(numbers[ahead].sum(axis=1, dtype=np.uint64), return_index=True)
        fresh = ~np.isin(names, known)  # those that are not known yet, each once
        ahead = ahead[first[fresh]]
        felts, known = np.concatenate([felts, ahead]), np.concatenate([known, names[fresh]])
        if len(felts) > most_felts:
            return None
        ahead = following[ahead].transpose(0, 2, 1).reshape(-1, most)
    order = np.argsort(known)
    after = numbers[following[felts]].sum(axis=1, dtype=np.uint64)
    to = order[np.searchsorted(known, after, sorter=order)]
    # Two felts of one sum would be taken for one: what was found by its sum is compared before it is believed.
    there = np.sort(following[felts].transpose(0, 2, 1), axis=2)
    assert np.array_equal(np.sort(felts, axis=1)[to], there), "every felt has a sum of its own"
    rolls = np.ones(after.shape, dtype=np.bool_)
    rolls[0] = False
    machine = Machine(
        column=column.ravel().astype(np.uint8),
        next=to.astype(np.int32),
        net=stands.net[:, throws][felts].sum(axis=1),
        need=np.zeros(len(felts), dtype=np.int64),
        action=stands.action[:, throws][felts].sum(axis=1),
        hand_ends=rolls,
    )
    named = numbers[left].sum(axis=1, dtype=np.uint64)
    return Felts(machine, order[np.searchsorted(known, named, sorter=order)])
