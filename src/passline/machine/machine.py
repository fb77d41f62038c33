"""The finite machine itself: integer arrays that need NumPy and nothing else.

A *state* is the table just after a roll was settled, before the player acts. The player's acts are a function of
the state, so everything that happens between two looks at it is known: what is wanted on the layout for the next roll,
and, for each of the 36 throws, the state that follows, the money that moved and the bets that were decided. The
smallest machine that plays the same has no unreachable states, and equal states and equal columns only once.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
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
Ints = NDArray[np.int64]
Words = NDArray[np.uint64]
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


_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


def minimise(machine: Machine) -> Machine:
    """The same strategy in the same house with no state and no column to spare, numbered in the order play meets them.

    Two machines that play alike from their starts come out equal, array for array.
    """
    squeezed = _merge_columns(_merge_bets(machine))
    met = _restrict(squeezed, reachable(squeezed))
    # One state for each set of states that no sequence of throws can tell apart.
    stands = np.zeros_like(met.need) if met.standing is None else met.standing.kinds()
    outputs = np.column_stack([met.need, stands, met.ended, met.net, met.action, met.hand_ends])
    classes, first, after = _alike(met.next, outputs)
    fewer = _states(met, first, after[first].astype(np.int32), int(classes[met.start]))
    merged = _merge_columns(fewer)  # columns that led to different states may lead to one now
    return _restrict(merged, reachable(merged))


def reachable(machine: Machine) -> Ints:
    """The states that can be met from the start, in the order a walk first meets them, throw by throw."""
    met = np.zeros(machine.states, dtype=np.bool_)
    level = np.array([machine.start], dtype=np.int64)
    order = []
    while level.size:
        met[level] = True
        order.append(level)
        ahead = machine.next[level].reshape(-1).astype(np.int64)
        ahead = ahead[~met[ahead]]
        level = ahead[np.sort(np.unique(ahead, return_index=True)[1])]
    return np.concatenate(order)


def coarsest(following: NDArray[np.integer], seen: Ints, label: Ints, weight: Ints, *, salt: int = 0) -> Ints:
    """The coarsest classes in which equal `seen` rows lead, label by label and weight for weight, to equal classes.

    `label` says what tells two steps apart: the column, when order matters, or what the step pays, when it does not.
    Rows are compared by 64-bit hashes, so the caller checks the answer and asks again with another `salt` if it must.
    """
    classes = np.unique(_hash_rows(seen, salt), return_inverse=True)[1].astype(np.int64)
    tag = _mix(label.astype(np.uint64) + np.uint64(salt) * _GOLDEN)
    throws = weight.astype(np.uint64)
    while True:  # as Moore did it: every round splits the classes whose members lead to different ones
        ahead = (_mix(tag + classes[following].astype(np.uint64) * _GOLDEN) * throws).sum(axis=1)
        split = np.unique(_mix(classes.astype(np.uint64)) ^ ahead, return_inverse=True)[1].astype(np.int64)
        if split.max() == classes.max():
            return _by_first_member(classes)
        classes = split


def _alike(following: NDArray[np.int32], outputs: Ints) -> tuple[Ints, Ints, Ints]:
    """The coarsest classes, column for column; the first member of each, and the classes that follow every row."""
    columns = np.arange(following.shape[1], dtype=np.int64)
    salt = 0
    while True:
        classes = coarsest(following, outputs, columns, np.ones_like(columns), salt=salt)
        first = np.unique(classes, return_index=True)[1]
        after, like = classes[following], first[classes]
        # Two rows with one hash would be merged wrongly: what was merged is compared in full before it is believed.
        if np.array_equal(after, after[like]) and np.array_equal(outputs, outputs[like]):
            return classes, first, after
        salt += 1


def _states(machine: Machine, chosen: Ints, following: NDArray[np.int32], start: int) -> Machine:
    """The machine on some of its states, with what follows them in their new numbers."""
    return replace(
        machine,
        next=following,
        start=start,
        **{name: getattr(machine, name)[chosen] for name in ("net", "need", "action", "hand_ends")},
        standing=None if machine.standing is None else machine.standing.at(chosen),
        over=None if machine.over is None else machine.over[chosen],
    )


def _merge_bets(machine: Machine) -> Machine:
    """One row for each set of bets that no sequence of throws can tell apart, of those that stand somewhere."""
    stands = machine.standing
    if stands is None:
        return machine
    classes, first, after = _alike(stands.next, np.column_stack([stands.net, stands.action]))
    bets = [classes[list(stands.of_state(state))].tolist() for state in range(machine.states)]
    rows = list(np.stack([after, stands.net, stands.action], axis=1)[first])
    return replace(machine, standing=Standing.of(bets, stands.back.tolist(), rows))


def _merge_columns(machine: Machine) -> Machine:
    """One column for all throws that every state answers alike, in the order of their first throws."""
    throws = np.vstack([machine.next, machine.net, machine.action, machine.hand_ends])[:, machine.column]
    whole = np.ascontiguousarray(throws.T)
    first, column = np.unique(whole, axis=0, return_index=True, return_inverse=True)[1:]
    chosen = machine.column[np.sort(first)]
    return replace(
        machine,
        column=_by_first_member(column.reshape(-1)).astype(np.uint8),
        **{name: getattr(machine, name)[:, chosen] for name in ("next", "net", "action", "hand_ends")},
    )


def _restrict(machine: Machine, order: Ints) -> Machine:
    """The machine on the states of `order` alone, numbered as they stand there."""
    name = np.zeros(machine.states, dtype=np.int32)
    name[order] = np.arange(len(order), dtype=np.int32)
    return _states(machine, order, name[machine.next[order]], int(name[machine.start]))


def _by_first_member(classes: Ints) -> Ints:
    """The same classes, named in the order in which their first members stand."""
    first, place = np.unique(classes, return_index=True, return_inverse=True)[1:]
    return np.argsort(np.argsort(first))[place].astype(np.int64)


def _hash_rows(rows: Ints, salt: int) -> Words:
    total = np.full(len(rows), salt, dtype=np.uint64)
    for column in rows.T:
        total = _mix(total * _GOLDEN + column.astype(np.uint64))
    return total


def _mix(bits: Words) -> Words:
    """The finaliser of SplitMix64: every bit in depends on every bit out."""
    bits = bits + _GOLDEN
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return bits ^ (bits >> np.uint64(31))
