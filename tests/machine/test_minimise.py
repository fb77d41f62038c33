"""Minimising changes how a machine is written, never what it does."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from passline.machine.machine import THROWS, Machine, minimise
from tests.odds.machines import coin, machines, molly, pass_line

THROW_LISTS = st.lists(st.integers(0, THROWS - 1), max_size=40)


def story(machine: Machine, throws: list[int]) -> list[tuple[int, int, int, bool]]:
    """Need, action, net and whether the hand ends, roll by roll."""
    state, told = machine.start, []
    for throw in throws:
        column = machine.column[throw]
        told.append(
            (
                int(machine.need[state]),
                int(machine.action[state, column]),
                int(machine.net[state, column]),
                bool(machine.hand_ends[state, column]),
            )
        )
        state = machine.next[state, column]
    return told


def blown_up(machine: Machine, seed: int) -> Machine:
    """The same play, with a column for every throw, each state three times over, shuffled, and states never met."""
    rng = np.random.default_rng(seed)
    states = machine.states
    whole = replace(
        machine,
        column=np.arange(THROWS, dtype=np.uint8),
        next=machine.next[:, machine.column],
        net=machine.net[:, machine.column],
        action=machine.action[:, machine.column],
        hand_ends=machine.hand_ends[:, machine.column],
    )
    name = rng.permutation(3 * states)
    copy = rng.integers(0, 3, (3 * states, THROWS))
    rows = np.argsort(name) % states
    return replace(
        whole,
        next=name[copy * states + whole.next[rows]].astype(np.int32),
        net=whole.net[rows],
        need=whole.need[rows],
        action=whole.action[rows],
        hand_ends=whole.hand_ends[rows],
        start=int(name[machine.start]),
    )


@given(machines(), THROW_LISTS)
def test_a_minimised_machine_tells_the_same_story(machine: Machine, throws: list[int]) -> None:
    """Need, action, net and seven-outs are the same on the same throws."""
    assert story(minimise(machine), throws) == story(machine, throws)


@given(machines(), st.integers(0, 2**32))
def test_machines_that_play_alike_come_out_equal(machine: Machine, seed: int) -> None:
    """However a machine was written, its smallest form is one and the same."""
    assert minimise(blown_up(machine, seed)).digest() == minimise(machine).digest()


@given(machines())
def test_minimising_twice_is_minimising_once(machine: Machine) -> None:
    """There is nothing left to take away, and the start comes first."""
    least = minimise(machine)
    assert least.start == 0
    assert least.states <= machine.states
    assert least.columns <= machine.columns
    assert minimise(least).digest() == least.digest()


def test_molly_keeps_her_states_and_nine_kinds_of_throw() -> None:
    """Two, three and twelve are one throw to her; every state of hers is told apart by some sequence."""
    least = minimise(molly())
    assert (least.states, least.columns) == (118, 9)
    assert sorted(least.weight.tolist()) == [2, 3, 3, 4, 4, 4, 5, 5, 6]


def test_pass_line_has_seven_states() -> None:
    """Off and six points; each point is its own state because other dice make it."""
    assert minimise(pass_line()).states == 7


def test_states_that_are_never_met_are_dropped() -> None:
    """A state without a way in does not count."""
    machine = coin()
    lonely = replace(
        machine,
        next=np.array([[0, 0], [0, 1]], dtype=np.int32),
        net=np.vstack([machine.net, [[5, 5]]]),
        need=np.array([1, 9]),
        action=np.array([[1, 1], [9, 9]]),
        hand_ends=np.vstack([machine.hand_ends, [[True, True]]]),
    )
    assert minimise(lonely).digest() == minimise(machine).digest()


@pytest.mark.slow
@pytest.mark.parametrize("depth", [2_000, pytest.param(100_000, marks=pytest.mark.campaign)])
def test_many_states_take_seconds(depth: int) -> None:
    """A long progression, each state told apart only by how far it is from the end, and a hundred thousand equals."""
    place = np.arange(depth)
    last = place % 2_000 == 1_999
    # Throws go on, start over, or move to the same place of the next progression: all are met, and all are equal.
    ahead = np.where(last, 0, place + 1)
    aside = (place + 2_000) % depth
    machine = replace(
        coin(),
        column=(np.arange(THROWS) % 3).astype(np.uint8),
        next=np.column_stack([ahead, 0 * place, aside]).astype(np.int32),
        net=np.column_stack([0 * place, last, 0 * place]),
        need=np.ones(depth, dtype=np.int64),
        action=np.ones((depth, 3), dtype=np.int64),
        hand_ends=np.zeros((depth, 3), dtype=np.bool_),
    )
    before = time.perf_counter()
    assert minimise(machine).states == 2_000
    assert time.perf_counter() - before < 120
