"""The smallest machine that plays the same: unreachable states dropped, equal states and equal columns merged."""

from __future__ import annotations

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
    # Columns that led to different states may lead to one now.
    merged = _merge_columns(_merge_states(met))
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
    size = np.bincount(classes, minlength=len(classes))
    used = int(classes.max()) + 1
    tag = _mix(label.astype(np.uint64) + np.uint64(salt) * _GOLDEN)
    throws = weight.astype(np.uint64)
    before, offset = _predecessors(following)
    dirty = np.arange(len(classes))
    while dirty.size:
        rows = tag[dirty] if tag.ndim > 1 else tag
        signature = (_mix(rows + classes[following[dirty]].astype(np.uint64) * _GOLDEN) * throws).sum(axis=1)
        changed, used = _split(classes, size, used, dirty, signature)
        dirty = np.unique(_gather(before, offset, changed))
    return _by_first_member(classes)


def _split(
    classes: NDArray[np.int64],
    size: NDArray[np.int64],
    used: int,
    dirty: NDArray[np.int64],
    signature: NDArray[np.uint64],
) -> tuple[NDArray[np.int64], int]:
    """Split each class by the signatures of its dirty states, in place; the states that got a new class.

    A dirty state steps into a class made in the last round and a clean one does not, so the two never stay together;
    the clean ones, or else the largest part, keep the old name, which keeps the next round small.
    """
    order = np.lexsort((signature, classes[dirty]))
    dirty, signature = dirty[order], signature[order]
    old = classes[dirty]
    starts = np.flatnonzero(np.r_[True, (old[1:] != old[:-1]) | (signature[1:] != signature[:-1])])
    counts = np.diff(np.r_[starts, len(dirty)])
    home = old[starts]
    blocks = np.flatnonzero(np.r_[True, home[1:] != home[:-1]])
    clean = size[home[blocks]] - np.add.reduceat(counts, blocks)
    largest = np.lexsort((-counts, home))[blocks]
    name = np.full(len(starts), -1)
    name[largest[clean == 0]] = home[blocks[clean == 0]]
    fresh = np.flatnonzero(name < 0)
    name[fresh] = np.arange(used, used + len(fresh))
    np.subtract.at(size, home[fresh], counts[fresh])
    size[name[fresh]] = counts[fresh]
    new = np.repeat(name, counts)
    classes[dirty] = new
    return dirty[new != old], used + len(fresh)


def _alike(
    following: NDArray[np.int32], shown: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """The coarsest classes, column for column; the first member of each, and the classes that follow every row."""
    columns = np.arange(following.shape[1], dtype=np.int64)
    salt = 0
    while True:
        classes = coarsest(following, shown, columns, np.ones_like(columns), salt=salt)
        first = np.unique(classes, return_index=True)[1]
        after, like = classes[following], first[classes]
        # Two rows with one hash would be merged wrongly: what was merged is compared in full before it is believed.
        if np.array_equal(after, after[like]) and np.array_equal(shown, shown[like]):
            return classes, first, after
        salt += 1


def _merge_states(machine: Machine) -> Machine:
    """One state for each set of states that no sequence of throws can tell apart."""
    stands = np.zeros_like(machine.need) if machine.standing is None else machine.standing.kinds()
    over = np.zeros_like(machine.need) if machine.over is None else machine.over.astype(np.int64)
    shown = np.column_stack([machine.need, stands, over, machine.net, machine.action, machine.hand_ends])
    classes, first, after = _alike(machine.next, shown)
    return _states(machine, first, after[first].astype(np.int32), int(classes[machine.start]))


def _states(machine: Machine, chosen: NDArray[np.int64], following: NDArray[np.int32], start: int) -> Machine:
    """The machine on some of its states, with what follows them in their new numbers."""
    return replace(
        machine,
        next=following,
        net=machine.net[chosen],
        need=machine.need[chosen],
        action=machine.action[chosen],
        hand_ends=machine.hand_ends[chosen],
        start=start,
        standing=None if machine.standing is None else machine.standing.at(chosen),
        over=None if machine.over is None else machine.over[chosen],
    )


def _merge_bets(machine: Machine) -> Machine:
    """One row for each set of bets that no sequence of throws can tell apart, of those that stand somewhere."""
    stands = machine.standing
    if stands is None:
        return machine
    classes, first, after = _alike(stands.next, np.column_stack([stands.net, stands.action]))
    bets = [sorted(classes[list(stands.of_state(state))].tolist()) for state in range(machine.states)]
    rows = [np.stack([after[row], stands.net[row], stands.action[row]]) for row in first]
    return replace(machine, standing=Standing.of(bets, stands.back.tolist(), rows))


def _merge_columns(machine: Machine) -> Machine:
    """One column for all throws that every state answers alike, in the order of their first throws."""
    throws = np.vstack([machine.next, machine.net, machine.action, machine.hand_ends])[:, machine.column]
    whole = np.ascontiguousarray(throws.T)
    first, column = np.unique(whole, axis=0, return_index=True, return_inverse=True)[1:]
    rank = np.argsort(np.argsort(first))
    chosen = machine.column[np.sort(first)]
    return replace(
        machine,
        column=rank[column.reshape(-1)].astype(np.uint8),
        next=machine.next[:, chosen],
        net=machine.net[:, chosen],
        action=machine.action[:, chosen],
        hand_ends=machine.hand_ends[:, chosen],
    )


def _restrict(machine: Machine, order: NDArray[np.int64]) -> Machine:
    """The machine on the states of `order` alone, numbered as they stand there."""
    name = np.zeros(machine.states, dtype=np.int32)
    name[order] = np.arange(len(order), dtype=np.int32)
    return _states(machine, order, name[machine.next[order]], int(name[machine.start]))


def _predecessors(following: NDArray[np.integer]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """For each state, the states that can step into it: a flat list and where each state's part begins."""
    flat = following.reshape(-1)
    before = np.argsort(flat, kind="stable") // following.shape[1]
    return before, np.r_[0, np.cumsum(np.bincount(flat, minlength=len(following)))]


def _gather(flat: NDArray[np.int64], offset: NDArray[np.int64], chosen: NDArray[np.int64]) -> NDArray[np.int64]:
    """The parts of `flat` that belong to the chosen states, end to end."""
    lengths = offset[chosen + 1] - offset[chosen]
    skipped = offset[chosen] - np.cumsum(lengths) + lengths
    found: NDArray[np.int64] = flat[np.arange(lengths.sum()) + np.repeat(skipped, lengths)]
    return found


def _by_first_member(classes: NDArray[np.int64]) -> NDArray[np.int64]:
    """The same classes, named in the order in which their first members stand."""
    first, place = np.unique(classes, return_index=True, return_inverse=True)[1:]
    rank = np.argsort(np.argsort(first))
    return rank[place].astype(np.int64)


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
