"""An evening on the pass line as a plain loop that knows no machine, no file and no engine.

A system is three functions: what it remembers at first, what it wants on the line and behind it, and what it remembers
after a roll. The loop keeps the money. It is played on dealt dice, and over all dice at once in fractions.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

WAYS = {total: 6 - abs(7 - total) for total in range(2, 13)}
PAYS = {4: Fraction(2), 5: Fraction(3, 2), 6: Fraction(6, 5), 8: Fraction(6, 5), 9: Fraction(3, 2), 10: Fraction(2)}


class Felt(NamedTuple):
    """The puck, and our chips in units."""

    puck: int = 0
    flat: Fraction = Fraction(0)
    odds: Fraction = Fraction(0)


class Roll(NamedTuple):
    """What a system learns from a roll: units won by the flat bet, in all, and whether the hand is over."""

    flat: Fraction
    net: Fraction
    hand_over: bool


@dataclass(frozen=True)
class System:
    """What somebody does all evening; `None` from `wants` ends it."""

    start: Hashable
    wants: Callable[[Any, Felt, Fraction], tuple[Fraction, Fraction] | None]
    """From memory, felt and profit to the flat bet (before a come-out) and the odds (with a point on)."""
    after: Callable[[Any, Roll, Fraction], Hashable]
    """From memory, the roll and the profit with it, to memory."""


@dataclass(frozen=True)
class Ends:
    """When the evening is over, in units."""

    rolls: int
    bankroll: int | None = None
    stop_win: int | None = None
    stop_loss: int | None = None


def settled(felt: Felt, total: int) -> tuple[Felt, Roll]:
    """One roll."""
    if not felt.puck:
        if total in (7, 11):
            return Felt(), Roll(felt.flat, felt.flat, hand_over=False)
        if total in (2, 3, 12):
            return Felt(), Roll(-felt.flat, -felt.flat, hand_over=False)
        return Felt(total, felt.flat), Roll(Fraction(0), Fraction(0), hand_over=False)
    if total == felt.puck:
        return Felt(), Roll(felt.flat, felt.flat + felt.odds * PAYS[total], hand_over=False)
    if total == 7:
        return Felt(), Roll(-felt.flat, -felt.flat - felt.odds, hand_over=True)
    return felt, Roll(Fraction(0), Fraction(0), hand_over=False)


def before(system: System, ends: Ends, felt: Felt, memory: Hashable, net: Fraction) -> Felt | str:
    """The felt as the dice go out, or why they do not."""
    wanted = system.wants(memory, felt, net)
    if wanted is None:
        return "when"
    flat, odds = wanted
    felt = Felt(felt.puck, felt.flat, odds if felt.flat else Fraction(0)) if felt.puck else Felt(0, flat)
    short = ends.bankroll is not None and ends.bankroll + net < felt.flat + felt.odds
    return "ruin" if short else felt


def stopped(ends: Ends, net: Fraction) -> bool:
    """Whether a stop ends it after a roll."""
    return (ends.stop_win is not None and net >= ends.stop_win) or (
        ends.stop_loss is not None and net <= -ends.stop_loss
    )


def dealt(system: System, ends: Ends, totals: Iterable[int], *, run_out: bool) -> Fraction:
    """The net of one evening on these dice, in units."""
    dice: Iterator[int] = iter(totals)
    felt, memory, net = Felt(), system.start, Fraction(0)
    for _ in range(ends.rolls):
        out = before(system, ends, felt, memory, net)
        if isinstance(out, str):
            break
        felt, roll = settled(out, next(dice))
        net += roll.net
        memory = system.after(memory, roll, net)
        if stopped(ends, net):
            break
    while run_out and felt.flat:
        felt, roll = settled(felt, next(dice))
        net += roll.net
    return net


def law(system: System, ends: Ends, *, run_out: bool) -> dict[Fraction, Fraction]:
    """The chance of every net, over all dice."""
    now: dict[tuple[Felt, Hashable, Fraction], Fraction] = {(Felt(), system.start, Fraction(0)): Fraction(1)}
    done: defaultdict[Fraction, Fraction] = defaultdict(Fraction)

    def finish(felt: Felt, net: Fraction, chance: Fraction) -> None:
        if not (run_out and felt.flat):
            done[net] += chance
            return
        made = Fraction(WAYS[felt.puck], WAYS[felt.puck] + WAYS[7])
        done[net + felt.flat + felt.odds * PAYS[felt.puck]] += chance * made
        done[net - felt.flat - felt.odds] += chance * (1 - made)

    for _ in range(ends.rolls):
        after: defaultdict[tuple[Felt, Hashable, Fraction], Fraction] = defaultdict(Fraction)
        for (felt, memory, net), chance in now.items():
            out = before(system, ends, felt, memory, net)
            if isinstance(out, str):
                finish(felt, net, chance)
                continue
            for total, ways in WAYS.items():
                left, roll = settled(out, total)
                brought = net + roll.net
                share = chance * ways / 36
                if stopped(ends, brought):
                    finish(left, brought, share)
                else:
                    after[left, system.after(memory, roll, brought), brought] += share
        now = after
    for (felt, _, net), chance in now.items():
        finish(felt, net, chance)
    return {net: chance for net, chance in done.items() if chance}
