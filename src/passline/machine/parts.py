"""A strategy taken apart: every state that play can reach, and what each throw there does to each wager."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from passline.engine.commands import Throw
from passline.engine.decide import decide
from passline.engine.layout import Layout
from passline.engine.postings import brought, postings
from passline.engine.refusals import Refusal
from passline.engine.values import ROLLS
from passline.errors import ArgumentError, LongRunError
from passline.files.findings import nearest
from passline.machine.bets import Bets
from passline.machine.build import STATES_MAX, Search, about_of, machine_of
from passline.machine.machine import Machine
from passline.machine.play import DECISIONS, OURS, Setting, decided
from passline.machine.terms import Seating
from passline.machine.throws import PAIRS, throws
from passline.strategies.language.conditions import Quantity
from passline.strategies.language.strategy import Strategy
from passline.strategies.player.acting import act
from passline.strategies.player.memory import Climb, CrossedLine, Series
from passline.strategies.player.plan import NO_PURSE, Purse
from passline.strategies.player.view import View


@dataclass(frozen=True, slots=True, eq=False)
class Parts:
    """States by throws, as a machine has them before anything is merged, with each wager's share."""

    machine: Machine
    """Every state by every throw of two dice that nobody tells apart; none of them merged."""
    net: dict[str, NDArray[np.int64]]
    """For each wager, minor units that it won less what it lost, at its decisions; commission when it is paid."""
    action: dict[str, NDArray[np.int64]]
    """For each wager, minor units of its bets decided."""
    grain: Fraction
    """What one minor unit of the wagers' is worth; that of the machine may be coarser."""
    stages: dict[str, list[Fraction]]
    """For each progression and count of the strategy, where it stands in each state."""

    @property
    def total(self) -> NDArray[np.int64]:
        """What every throw brings in all, in the wagers' minor units."""
        return self.machine.net * int(self.machine.grain / self.grain)

    def stage(self, name: str | None) -> tuple[str, list[Fraction]]:
        """The progression or count of this name, or the only one there is."""
        known = ", ".join(self.stages) or "none"
        if name is None and len(self.stages) == 1:
            return next(iter(self.stages.items()))
        if name is None or name not in self.stages:
            near = None if name is None else nearest(name, self.stages)
            raise ArgumentError("by", repr(name), f"a progression or count of the strategy ({known})", near)
        return name, self.stages[name]


def parts_of(
    strategy: Strategy,
    seating: Seating,
    purse: Purse = NO_PURSE,
    *,
    progress: Callable[[int, int], None] | None = None,
) -> Parts:
    """Take a strategy apart; without a purse, as it is played if nothing ever ends it."""
    setting = Setting(strategy, seating, purse)
    if endless := setting.plan.endless():
        raise LongRunError(f"{strategy.id} has no end ({endless}), so it has no share for each wager; give a maximum.")
    search = Search(setting, STATES_MAX, progress)
    rows = search.run(None, deeper=0)
    shape = (len(rows), len(PAIRS))
    net: defaultdict[str, NDArray[np.int64]] = defaultdict(lambda: np.zeros(shape, dtype=np.int64))
    action: defaultdict[str, NDArray[np.int64]] = defaultdict(lambda: np.zeros(shape, dtype=np.int64))
    for place, (state, row) in enumerate(zip(search.queue, rows, strict=True)):
        if row.over:
            continue
        acts = act(setting.plan, search.laid_out(state), state.memory)
        for throw, columns in throws(setting.layout, acts.table):
            answer = decide(setting.layout, acts.table, Throw(ROLLS[throw]))
            assert not isinstance(answer, Refusal), answer
            for event in answer:
                if isinstance(event, DECISIONS) and event.seat == OURS:
                    wager = told_as(setting.layout, event.wager)
                    net[wager][place, list(columns)] += brought(postings(event), OURS)
                    action[wager][place, list(columns)] += decided([event])
    grain, bets = Fraction(1, setting.layout.grain), Bets(setting)
    stands = bets.standing(map(search.laid_out, search.queue))
    return Parts(
        machine=machine_of(rows, *stands, bets.rows, grain, about_of(setting)),
        net=dict(net),
        action=dict(action),
        grain=grain,
        stages=_stages(search),
    )


def told_as(layout: Layout, wager: str) -> str:
    """The wager that a player asked for: a come bet that has travelled is still one, and so are its odds."""
    spot = layout.spots[wager]
    return spot.family if spot.has_travelled or spot.is_odds else wager


def _stages(search: Search) -> dict[str, list[Fraction]]:
    plan = search.plan
    own = [part.name for part in (*plan.strategy.progressions, *plan.strategy.counts)]
    own += ["stage"] if plan.strategy.stages else []
    found: dict[str, list[Fraction]] = {}
    for name in own:
        at = plan.place.get(Quantity(name))
        if at is None:  # each number has its own
            continue
        slot = plan.slots[at]
        if isinstance(slot, Climb | CrossedLine | Series):
            found[name] = [slot.units(state.memory[at]) for state in search.queue]
        else:
            views = (View(plan, search.laid_out(state), state.memory) for state in search.queue)
            found[name] = [Fraction(view.number(Quantity(name))) for view in views]
    return found
