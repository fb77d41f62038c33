"""Machines made of machines: several players on the same dice as one, and one player until so many hands are over."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import gcd, lcm, prod
from typing import Final

import numpy as np
from numpy.typing import NDArray

from passline.engine.layout import Layout
from passline.engine.postings import brought, postings
from passline.errors import ArgumentError, LongRunError, StrategyError
from passline.files.findings import nearest
from passline.machine.build import PAIRS, STATES_DEEPER, Search, about_of, machine_of, throws
from passline.machine.build import STATES_MAX as SEARCHED_MAX
from passline.machine.machine import Machine, Standing, minimise
from passline.machine.play import DECISIONS, OURS, Setting, decided, thrown
from passline.machine.terms import Seating
from passline.strategies.language.conditions import Quantity
from passline.strategies.language.strategy import Strategy
from passline.strategies.player.acting import act
from passline.strategies.player.plan import MAXIMUM, NO_PURSE, Purse
from passline.strategies.player.view import Climb, CrossedLine, Series, View

STATES_MAX: Final = 100_000  # States of several players together that are looked for


def together(machines: Sequence[Machine], shares: Sequence[int]) -> Machine:
    """One machine whose net is that of all these players on the same dice, each times its share.

    A share below nothing counts against: 1 and -1 give the difference of two players, -3 what a house wins of three
    who play alike. Need and action are summed whatever the sign.
    """
    minor_unit = common([share * machine.minor_unit for machine, share in zip(machines, shares, strict=True)])
    times = [int(share * machine.minor_unit / minor_unit) for machine, share in zip(machines, shares, strict=True)]
    throws, column = np.unique(np.stack([each.column for each in machines]), axis=1, return_inverse=True)
    following = [each.next[:, columns].astype(np.int64) for each, columns in zip(machines, throws, strict=True)]
    states = _met(machines, following)
    codes = _codes(machines, states)
    after = _codes(machines, [moves[at] for moves, at in zip(following, states, strict=True)])

    def summed(name: str, *, sign: bool) -> NDArray[np.int64]:
        """An array of every player, in the minor units of all, added up."""
        total = np.zeros(after.shape if name != "need" else len(codes), dtype=np.int64)
        for each, columns, at, factor in zip(machines, throws, states, times, strict=True):
            array = getattr(each, name)
            total += (factor if sign else abs(factor)) * (array[at] if name == "need" else array[at][:, columns])
        return total

    over = np.logical_and.reduce([each.ended[at] for each, at in zip(machines, states, strict=True)])
    first = machines[0]
    return minimise(
        Machine(
            column=column.reshape(-1).astype(np.uint8),
            next=np.searchsorted(codes, after).astype(np.int32),
            net=summed("net", sign=True),
            need=summed("need", sign=False),
            action=summed("action", sign=False),
            hand_ends=first.hand_ends[states[0]][:, throws[0]],
            start=int(np.searchsorted(codes, _codes(machines, [np.array([each.start]) for each in machines])[0])),
            minor_unit=minor_unit,
            about={
                **first.about,
                "strategy": " and ".join(str(each.about.get("strategy")) for each in machines),
                "strategy_hash": None,
                "refused": [no for each in machines for no in each.about.get("refused", [])],
            },
            standing=_standing(machines, states, times),
            over=over if over.any() else None,
        )
    )


def until_hands(machine: Machine, hands: int) -> Machine:
    """The same player, whose session is over with so many seven-outs."""
    if machine.states * (hands + 1) > STATES_MAX:
        many = (
            f"{machine.states:,} states, which are too many for {hands:,} hands; ask for fewer hands, or simulate it."
        )
        raise StrategyError(f"{machine.about.get('strategy')} has {many}")
    count = machine.states
    hand, own = np.divmod(np.arange(count * (hands + 1)), count)
    following = machine.next[own] + count * np.minimum(hand[:, None] + machine.hand_ends[own], hands)
    over = (hand == hands) | machine.ended[own]
    still = ~over[:, None]
    return minimise(
        replace(
            machine,
            next=np.where(still, following, np.arange(len(own))[:, None]).astype(np.int32),
            net=machine.net[own] * still,
            need=machine.need[own] * ~over,
            action=machine.action[own] * still,
            hand_ends=machine.hand_ends[own] & still,
            standing=None if machine.standing is None else machine.standing.at(own),
            over=over,
        )
    )


def common(amounts: Sequence[Fraction]) -> Fraction:
    over = lcm(*(each.denominator for each in amounts))
    return Fraction(gcd(*(int(each * over) for each in amounts)) or 1, over)


def _codes(machines: Sequence[Machine], states: Sequence[NDArray[np.int64]]) -> NDArray[np.int64]:
    return np.ravel_multi_index(tuple(states), [each.states for each in machines])


def _met(machines: Sequence[Machine], following: Sequence[NDArray[np.int64]]) -> list[NDArray[np.int64]]:
    """The combinations of states that one run of dice leads to, in the order of their codes."""
    many = StrategyError(f"together these players have more than {STATES_MAX:,} states; ask about fewer kinds of them.")
    if prod(each.states for each in machines) >= 1 << 62:
        raise many
    level = [np.array([each.start], dtype=np.int64) for each in machines]
    known = _codes(machines, level)
    while len(level[0]):
        ahead = [moves[at].reshape(-1) for moves, at in zip(following, level, strict=True)]
        codes, first = np.unique(_codes(machines, ahead), return_index=True)
        first = first[~np.isin(codes, known, assume_unique=True)]
        level = [each[first] for each in ahead]
        known = np.union1d(known, _codes(machines, level))
        if len(known) > STATES_MAX:
            raise many
    return list(np.unravel_index(known, [each.states for each in machines]))


def _standing(machines: Sequence[Machine], states: Sequence[NDArray[np.int64]], times: list[int]) -> Standing | None:
    """What stands before all of them: every player's bets, in rows of their own."""
    stands = [each.standing for each in machines]
    if all(each is None for each in stands):
        return None
    bets: list[list[int]] = [[] for _ in states[0]]
    back = np.zeros(len(states[0]), dtype=np.int64)
    rows = [np.zeros((3, 36), dtype=np.int64)]
    for stand, at, factor in zip(stands, states, times, strict=True):
        if stand is None:
            continue
        offset = len(rows) - 1
        back += factor * stand.back[at]
        to = np.where(stand.next > 0, stand.next.astype(np.int64) + offset, 0)
        rows += list(np.stack([to, factor * stand.net, abs(factor) * stand.action], axis=1)[1:])
        own = [[row + offset for row in stand.of_state(state)] for state in range(len(stand.back))]
        for place, state in enumerate(at.tolist()):
            bets[place] += own[state]
    return Standing.of(bets, back.tolist(), rows)


@dataclass(frozen=True, slots=True, eq=False)
class Parts:
    """States by throws, as a machine has them before anything is merged, with each wager's share."""

    machine: Machine  # every state by every throw of two dice that nobody tells apart; none of them merged
    # For each wager, minor units that it won less what it lost, at its decisions; commission when it is paid.
    net: dict[str, NDArray[np.int64]]
    action: dict[str, NDArray[np.int64]]  # for each wager, minor units of its bets decided
    minor_unit: Fraction  # what one minor unit of the wagers' is worth; that of the machine may be coarser
    stages: dict[str, list[Fraction]]  # for each progression and count of the strategy, where it stands in each state

    @property
    def total(self) -> NDArray[np.int64]:
        """What every throw brings in all, in the wagers' minor units."""
        return self.machine.net * int(self.machine.minor_unit / self.minor_unit)

    def stage(self, name: str | None) -> tuple[str, list[Fraction]]:
        """The progression or count of this name; else the strategy's own stages, or the only one there is."""
        if not self.stages:
            raise ArgumentError("by", "a strategy without a progression", "one that has a progression or a count")
        if name is None and ("stage" in self.stages or len(self.stages) == 1):
            name = "stage" if "stage" in self.stages else next(iter(self.stages))
        if name is None or name not in self.stages:
            near, known = None if name is None else nearest(name, self.stages), ", ".join(self.stages)
            raise ArgumentError("by", repr(name), f"a progression or count of the strategy ({known})", near)
        return name, self.stages[name]


def parts_of(
    strategy: Strategy,
    seating: Seating,
    purse: Purse = NO_PURSE,
    *,
    rolls: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Parts:
    """Take a strategy apart; without a purse, as it is played if nothing ever ends it.

    With `rolls`, a search that grows large goes no deeper: the parts are good for sessions of so many.
    """
    setting = Setting(strategy, seating, purse)
    if (endless := setting.plan.endless()) and rolls is None:
        hint = f" {endless.bound}." if endless.bound == MAXIMUM else ""
        raise LongRunError(f"{strategy.id} has no end ({endless.why}), so it has no share for each wager.{hint}")
    search = Search(setting, SEARCHED_MAX, progress)
    rows = search.run(rolls, deeper=0 if endless else STATES_DEEPER)
    shape = (len(rows), len(PAIRS))
    decisions: list[tuple[str, int, list[int], int, int]] = []
    for place, (state, row) in enumerate(zip(search.queue, rows, strict=True)):
        if row.over:
            continue
        acts = act(setting.plan, search.laid_out(state), state.memory)
        for throw, columns in throws(setting.layout, acts.table):
            for event in thrown(setting.layout, acts.table, throw)[0]:
                if isinstance(event, DECISIONS) and event.seat == OURS:
                    wager = told_as(setting.layout, event.wager)
                    decisions.append((wager, place, list(columns), brought(postings(event), OURS), decided([event])))
    # It refuses sums that are too large to be counted, whole or in parts.
    machine = machine_of(search, rows, about_of(setting) | {"refused": search.refusals})
    coarse = gcd(*(amount for *_, brings, stakes in decisions for amount in (brings, stakes))) or 1
    net: defaultdict[str, NDArray[np.int64]] = defaultdict(lambda: np.zeros(shape, dtype=np.int64))
    action: defaultdict[str, NDArray[np.int64]] = defaultdict(lambda: np.zeros(shape, dtype=np.int64))
    for wager, place, where, brings, stakes in decisions:
        net[wager][place, where] += brings // coarse
        action[wager][place, where] += stakes // coarse
    return Parts(
        machine=machine,
        net=dict(net),
        action=dict(action),
        minor_unit=Fraction(coarse, setting.layout.minor_per_unit),
        stages=_stages(search),
    )


def told_as(layout: Layout, wager: str) -> str:
    """The wager that a player asked for: a come bet that has travelled is still one, and so are its odds."""
    spot = layout.spots[wager]
    return spot.family if spot.has_travelled or spot.is_odds else wager


def _stages(search: Search) -> dict[str, list[Fraction]]:
    plan, stages = search.plan, dict[str, list[Fraction]]()
    own = [part.name for part in (*plan.strategy.progressions, *plan.strategy.counts)]
    for name in [*own, "stage"] if plan.strategy.stages else own:
        at = plan.place.get(Quantity(name))
        if at is None:  # each number has its own
            continue
        slot = plan.slots[at]
        if isinstance(slot, Climb | CrossedLine | Series):
            stages[name] = [slot.units(state.memory[at]) for state in search.queue]
        else:
            views = (View(plan, search.laid_out(state), state.memory) for state in search.queue)
            stages[name] = [Fraction(view.number(Quantity(name))) for view in views]
    return stages
