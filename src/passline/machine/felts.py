"""The felts that a session may leave, as a machine of their own: what the dice still do when no new bets are made."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from passline.machine.machine import DECIDED, Machine, Standing

NAMED: Final = 7  # the seed of the numbers that felts are told apart by; any would do


@dataclass(frozen=True, slots=True, eq=False)
class Felts:
    """Felts that are left at the end of a session, and those on the way to the last decision."""

    machine: Machine  # State 0 is the empty felt, which stays; every roll of another one counts as a hand ended
    enter: NDArray[np.int64]  # for each state of the session's machine, the felt that it leaves


def felts_of(stands: Standing, most_felts: int) -> Felts | None:
    """The felts of what stands, or None where they are more than so many."""
    most = max(1, int(np.diff(stands.first).max()))
    left = np.zeros((len(stands.back), most), dtype=np.int32)
    count = np.diff(stands.first)
    left[np.arange(most) < count[:, None]] = stands.bets
    each = np.concatenate([stands.next, stands.net, stands.action])
    _, throws, column = np.unique(each, axis=1, return_index=True, return_inverse=True)
    following = stands.next[:, throws]
    # A felt is known by the sum of its bets' numbers, which does not ask for their order.
    numbers = np.random.default_rng(NAMED).integers(1, 1 << 63, len(stands.next), dtype=np.uint64)
    numbers[DECIDED] = 0
    felts, known = np.zeros((1, most), dtype=np.int32), np.zeros(1, dtype=np.uint64)
    fresh, names = _new(left, numbers, known)
    while len(fresh):
        felts, known = np.concatenate([felts, fresh]), np.concatenate([known, names])
        if len(felts) > most_felts:
            return None
        after = following[fresh].transpose(0, 2, 1).reshape(-1, most)
        fresh, names = _new(after, numbers, known)
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


def _new(
    felts: NDArray[np.int32], numbers: NDArray[np.uint64], known: NDArray[np.uint64]
) -> tuple[NDArray[np.int32], NDArray[np.uint64]]:
    """Those that are not known yet, each once, and what they are known by."""
    names, first = np.unique(numbers[felts].sum(axis=1, dtype=np.uint64), return_index=True)
    fresh = ~np.isin(names, known)
    return felts[first[fresh]], names[fresh]
