"""A session of play, answered exactly: the whole distribution of what a strategy wins or loses in N rolls."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from passline.errors import LongRunError, SessionError
from passline.machine.machine import Machine, check_depth
from passline.machine.terms import Terms
from passline.odds.sessions.bounds import CELLS_MAX, WORK_MAX, clipped_work, walk_work
from passline.odds.sessions.chain import Chain, chain_of
from passline.odds.sessions.convolution import Barriers
from passline.odds.sessions.distribution import QUANTILES, Law
from passline.odds.sessions.fourier import STATES_MAX
from passline.odds.sessions.long_run import LongRun, long_run
from passline.odds.sessions.methods import by_fourier, in_doubles, in_whole_numbers
from passline.odds.sessions.weights import Whole

if TYPE_CHECKING:
    Progress = Callable[[int, int], None]

__all__ = ["QUANTILES", "Law", "LongRun", "LongRunError", "SessionError", "law_of", "long_run"]

ROLLS_EXACT = 200
"""Rolls up to which a session is worked out exactly unless told otherwise."""

ROLLS_MAX = 1_000_000
"""No session is longer."""

WORK_QUICK = 3e10
"""Additions, about as many as half a minute has, up to which exact is chosen without being asked for."""

WORK_COMPILED = 8e9
"""Additions from which compiling the roll is worth its few seconds."""

CALLS_COMPILED = 1_000_000
"""Steps times rolls from which it is worth them too: each is a call of a microsecond or two otherwise."""

FOURIER_FROM = 1000
"""Rolls from which a session without stops is transformed rather than walked."""


def law_of(machine: Machine, terms: Terms, *, exact: bool | None = None, progress: Progress | None = None) -> Law:
    """The law of a session on these terms.

    `exact` chooses whole numbers or double precision; without it, up to 200 rolls are exact if that takes no more than
    about half a minute. The terms' `hands` are only told: a machine made by `until_hands` ends by them. `progress` is
    called with the rolls done and the rolls in all.
    """
    if terms.rolls > ROLLS_MAX:
        raise SessionError(f"a session worked out has up to {ROLLS_MAX:,} rolls, not {terms.rolls:,}")
    _check_first_roll(machine, terms)
    check_depth(machine, terms.rolls)
    chain = chain_of(machine, with_need=terms.bankroll is not None, run_out=terms.run_out, dice=terms.dice)
    win, loss, floor = terms.in_steps(chain.step, chain.need)
    barriers = Barriers(win, loss, None if floor is None else np.array(floor, dtype=np.int64))
    found = _worked_out(chain, terms, barriers, exact=exact, progress=progress)
    return replace(found, about=machine.about, machine=machine.digest(), states=machine.states)


def _worked_out(
    chain: Chain, terms: Terms, barriers: Barriers, *, exact: bool | None, progress: Progress | None
) -> Law:
    """The law by the quickest of the three methods that may answer it."""
    rolls = terms.rolls
    if exact or (exact is None and rolls <= ROLLS_EXACT):
        sums = Whole(chain, rolls)
        work, cells = walk_work(chain, barriers, rolls, sums.rows)
        if exact or (work <= WORK_QUICK and cells <= CELLS_MAX):
            _refuse_absurd(work, cells, f"{rolls} rolls in whole numbers", "ask for double precision or fewer rolls")
            return in_whole_numbers(
                chain, terms, barriers, sums, compiled=_compiled(chain, rolls, work), progress=progress
            )
    if barriers.none and rolls >= FOURIER_FROM and chain.states <= STATES_MAX:
        return by_fourier(chain, terms, barriers, progress=progress)
    work, cells = clipped_work(chain, barriers, rolls)
    _refuse_absurd(work, cells, f"{rolls} rolls in double precision", "give stops on both sides or fewer rolls")
    return in_doubles(chain, terms, barriers, compiled=_compiled(chain, rolls, work), progress=progress)


def _compiled(chain: Chain, rolls: int, work: float) -> bool:
    """Whether the roll is compiled first."""
    return work > WORK_COMPILED or rolls * len(chain.net) > CALLS_COMPILED


def _check_first_roll(machine: Machine, terms: Terms) -> None:
    """A session whose first roll cannot be paid for is a mistake, not a ruin."""
    first = int(machine.need[machine.start]) * machine.grain
    if terms.bankroll is not None and terms.bankroll < first:
        raise SessionError(f"a bankroll of {terms.bankroll} does not cover the first roll, which needs {first}")


def _refuse_absurd(work: float, cells: int, what: str, instead: str) -> None:
    """Say so at once when an answer would take hours or more memory than there is."""
    if work > WORK_MAX or cells > CELLS_MAX:
        raise SessionError(f"{what} would take over {work:.0e} additions and {8 * cells / 2**30:.1f} GiB; {instead}")
