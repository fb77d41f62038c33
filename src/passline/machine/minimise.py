"""The smallest machine that plays the same: unreachable states dropped, equal states and equal columns merged."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from passline.machine.machine import Machine, Standing

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


def reachable(machine: Machine) -> NDArray[np.int64]:
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


def coarsest(
    following: NDArray[np.integer],
    seen: NDArray[np.int64],
    label: NDArray[np.int64],
    weight: NDArray[np.int64],
    *,
    salt: int = 0,
) -> NDArray[np.int64]:
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


def _alike(
    following: NDArray[np.int32], outputs: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
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


def _states(machine: Machine, chosen: NDArray[np.int64], following: NDArray[np.int32], start: int) -> Machine:
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


def _restrict(machine: Machine, order: NDArray[np.int64]) -> Machine:
    """The machine on the states of `order` alone, numbered as they stand there."""
    name = np.zeros(machine.states, dtype=np.int32)
    name[order] = np.arange(len(order), dtype=np.int32)
    return _states(machine, order, name[machine.next[order]], int(name[machine.start]))


def _by_first_member(classes: NDArray[np.int64]) -> NDArray[np.int64]:
    """The same classes, named in the order in which their first members stand."""
    first, place = np.unique(classes, return_index=True, return_inverse=True)[1:]
    return np.argsort(np.argsort(first))[place].astype(np.int64)


def _hash_rows(rows: NDArray[np.int64], salt: int) -> NDArray[np.uint64]:
    total = np.full(len(rows), salt, dtype=np.uint64)
    for column in rows.T:
        total = _mix(total * _GOLDEN + column.astype(np.uint64))
    return total


def _mix(bits: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The finaliser of SplitMix64: every bit in depends on every bit out."""
    bits = bits + _GOLDEN
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return bits ^ (bits >> np.uint64(31))
