"""A session of play, answered exactly: the whole distribution of what a strategy wins or loses in N rolls.

The session starts on a come-out. Before each roll, bankroll plus net must cover everything the strategy wants on the
layout, or the session ends in ruin; after each roll a net of `stop_win` or more, or of minus `stop_loss` or less, ends
it. Then, by `at_end`, no new bets are made and the dice go on until everything standing has had one decision, or what
stands counts at face value.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from passline.errors import LongRunError, SessionError
from passline.files.amounts import Money, positive, whole_number
from passline.machine.dice import FAIR, LoadedDice
from passline.machine.machine import Machine, check_depth
from passline.machine.standing import AtEnd, check_at_end
from passline.odds.sessions.bounds import CELLS_MAX, WORK_MAX, clipped_work, walk_work
from passline.odds.sessions.chain import Chain, chain_of
from passline.odds.sessions.convolution import Barriers
from passline.odds.sessions.distribution import QUANTILES, Law, Terms
from passline.odds.sessions.fourier import STATES_MAX
from passline.odds.sessions.long_run import LongRun, long_run
from passline.odds.sessions.methods import by_fourier, in_doubles, in_whole_numbers
from passline.odds.sessions.weights import Whole

if TYPE_CHECKING:
    Progress = Callable[[int, int], None]

__all__ = ["QUANTILES", "Law", "LongRun", "LongRunError", "SessionError", "Terms", "law_of", "long_run"]

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


def law_of(  # noqa: PLR0913 - the terms of a session, each by name
    machine: Machine,
    *,
    rolls: int,
    bankroll: Money | None = None,
    stop_win: Money | None = None,
    stop_loss: Money | None = None,
    at_end: AtEnd = "run-out",
    exact: bool | None = None,
    rolls_per_hour: Money = 100,
    dice: LoadedDice = FAIR,
    hands: int | None = None,
    progress: Progress | None = None,
) -> Law:
    """The law of a session of `rolls` rolls; amounts are money.

    `exact` chooses whole numbers or double precision; without it, up to 200 rolls are exact if that takes no more than
    about half a minute. `hands` is only told: a machine made by `until_hands` ends by them. `progress` is called with
    the rolls done and the rolls in all.
    """
    terms = Terms(
        rolls=whole_number("rolls", rolls),
        bankroll=positive("bankroll", bankroll),
        stop_win=positive("stop_win", stop_win),
        stop_loss=positive("stop_loss", stop_loss),
        rolls_per_hour=positive("rolls_per_hour", rolls_per_hour),
        at_end=check_at_end(at_end),
        dice=dice,
        hands=hands,
    )
    if terms.rolls > ROLLS_MAX:
        raise SessionError(f"a session worked out has up to {ROLLS_MAX:,} rolls, not {rolls:,}")
    _check_first_roll(machine, terms)
    check_depth(machine, terms.rolls)
    chain = chain_of(machine, with_need=bankroll is not None, run_out=terms.at_end == "run-out", dice=dice)
    barriers = _barriers(chain, terms)
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


def _barriers(chain: Chain, terms: Terms) -> Barriers:
    """The terms in steps of money; every comparison is made here, once, between fractions."""
    floor = None
    if terms.bankroll is not None:
        short = [math.ceil((need - terms.bankroll) / chain.step) for need in chain.need]
        floor = np.array(short, dtype=np.int64)
    return Barriers(
        win=None if terms.stop_win is None else math.ceil(terms.stop_win / chain.step),
        loss=None if terms.stop_loss is None else math.floor(-terms.stop_loss / chain.step),
        floor=floor,
    )


def _check_first_roll(machine: Machine, terms: Terms) -> None:
    """A session whose first roll cannot be paid for is a mistake, not a ruin."""
    first = int(machine.need[machine.start]) * machine.grain
    if terms.bankroll is not None and terms.bankroll < first:
        raise SessionError(f"a bankroll of {terms.bankroll} does not cover the first roll, which needs {first}")


def _refuse_absurd(work: float, cells: int, what: str, instead: str) -> None:
    """Say so at once when an answer would take hours or more memory than there is."""
    if work > WORK_MAX or cells > CELLS_MAX:
        raise SessionError(f"{what} would take over {work:.0e} additions and {8 * cells / 2**30:.1f} GiB; {instead}")
