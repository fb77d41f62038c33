"""Whether rolls that really fell look like these dice, and how many rolls it takes to see that they do not."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from itertools import pairwise
from statistics import NormalDist
from typing import Any

from passline.analysis.rolls import Source, rolls_of
from passline.analysis.tails import binomial_tail, both_sides, chi_square_tail, runs_tails, share_interval
from passline.engine.values import ROLLS, SEVEN
from passline.errors import ArgumentError, shown
from passline.files.arguments import chance as a_chance
from passline.machine.dice import FAIR, Given, LoadedDice, dice_of

EXPECTED_MIN = 5
"""Fewer cases expected anywhere, and a chi-square is rough."""


@dataclass(frozen=True, slots=True)
class Fit:
    """One comparison of what fell with what these dice bring."""

    name: str
    statistic: float
    freedom: int | None
    """Degrees of freedom of a chi-square; None where the chance is exact."""
    p_value: float
    """The chance that these dice fall at least as far from what is expected."""
    expected_min: float | None
    """The fewest cases expected anywhere; below 5 the chance is rough."""

    @property
    def rough(self) -> bool:
        """Whether there are too few rolls for this chance to be more than a hint."""
        return self.expected_min is not None and self.expected_min < EXPECTED_MIN


@dataclass(frozen=True, slots=True)
class DiceTest:
    """What can be said of some rolls, if they were thrown with these dice."""

    rolls: int
    dice: LoadedDice
    sevens: int
    srr: Fraction | None
    """Rolls for each seven; None where there was no seven."""
    srr_interval: tuple[float, float]
    """Where the true ratio lies with 95 %, by Clopper and Pearson; without a seven it has no upper end."""
    fits: tuple[Fit, ...]

    def to_json(self) -> dict[str, Any]:
        low, high = self.srr_interval
        return {
            "rolls": self.rolls,
            "dice": None if self.dice.fair else str(self.dice),
            "sevens": self.sevens,
            "srr": None if self.srr is None else str(self.srr),
            "srr_interval": [low, high if math.isfinite(high) else None],
            "tests": [{**asdict(fit), "rough": fit.rough} for fit in self.fits],
        }


def dice_test(rolls: Source, *, dice: Given = None) -> DiceTest:
    """Hold rolls against fair dice, or against others: a path, totals, or pairs of faces.

    >>> [fit.name for fit in dice_test([7, 6, 8, 7]).fits]
    ['totals', 'sevens', 'runs of sevens']
    """
    fell, loaded = rolls_of(rolls), dice_of(dice)
    count = len(fell.totals)
    by_total: dict[Hashable, float] = dict.fromkeys(range(2, 13), 0.0)
    by_pair: dict[Hashable, float] = {}
    by_face: list[dict[Hashable, float]] = [dict.fromkeys(range(1, 7), 0.0) for _ in range(2)]
    for roll in ROLLS:
        chance = float(loaded.chance(roll.throw)) * count
        by_total[roll.total] += chance
        pair = (max(roll.first, roll.second), min(roll.first, roll.second))
        by_pair[pair] = by_pair.get(pair, 0.0) + chance
        by_face[0][roll.first] += chance
        by_face[1][roll.second] += chance
    fits = []
    if fell.faces is not None:
        for place, name in enumerate(("faces of the first die", "faces of the second die")):
            fits.append(_chi_square(name, [pair[place] for pair in fell.faces], by_face[place]))
        fits.append(_chi_square("pairs", [(max(pair), min(pair)) for pair in fell.faces], by_pair))
    fits.append(_chi_square("totals", fell.totals, by_total))
    sevens = fell.totals.count(SEVEN)
    fits += _sevens(fell.totals, sevens, loaded)
    low, high = share_interval(sevens, count)
    return DiceTest(
        rolls=count,
        dice=loaded,
        sevens=sevens,
        srr=Fraction(count, sevens) if sevens else None,
        srr_interval=(1 / high, 1 / low if low else math.inf),
        fits=tuple(fits),
    )


def _chi_square(name: str, fell: Sequence[Hashable], expected: Mapping[Hashable, float]) -> Fit:
    seen = Counter(fell)
    value = math.fsum((seen[each] - often) ** 2 / often for each, often in expected.items())
    freedom = len(expected) - 1
    return Fit(name, value, freedom, chi_square_tail(value, freedom), min(expected.values()))


def _sevens(totals: Sequence[int], sevens: int, dice: LoadedDice) -> list[Fit]:
    """How many sevens, and in how many runs, both exactly."""
    count, chance = len(totals), float(dice.sevens)
    tails = (binomial_tail(sevens, count, chance, upper=upper) for upper in (False, True))
    fits = [Fit("sevens", sevens, None, both_sides(*tails), None)]
    if 0 < sevens < count:
        runs = 1 + sum((one == SEVEN) != (two == SEVEN) for one, two in pairwise(totals))
        p_value = both_sides(*runs_tails(runs, sevens, count - sevens))
        fits.append(Fit("runs of sevens", runs, None, p_value, None))
    return fits


@dataclass(frozen=True, slots=True)
class RollsToSee:
    """How many rolls it takes to see that dice are not fair by their sevens."""

    rolls: int
    power: float
    """The chance that so many rolls of these dice are told from fair ones, exactly."""
    level: float
    """The chance that rolls of fair dice are taken for others, at most."""
    fewest: int
    """Fewer sevens than this in so many rolls are too few for fair dice."""
    most: int
    """More sevens than this are too many."""


def rolls_to_see(dice: Given, *, level: float = 0.05, power: float = 0.9) -> RollsToSee:
    """How many rolls it takes to tell these dice from fair ones by the number of sevens, on two sides.

    The number is that of the normal law, raised until the exact power is reached.

    >>> rolls_to_see("srr=6.5").rolls
    8691
    """
    loaded = dice_of(dice)
    wrong, wanted = float(a_chance("level", level)), float(a_chance("power", power))
    if not (wrong < 1 and wrong < wanted < 1):
        raise ArgumentError("power", shown(power), "a chance below 1 and above the level")
    fair, other = float(FAIR.sevens), float(loaded.sevens)
    if loaded.sevens == FAIR.sevens:
        raise ArgumentError("dice", shown(dice), "dice whose sevens are not those of fair ones: else no roll tells")
    normal = NormalDist()
    spread = normal.inv_cdf(1 - wrong / 2) * math.sqrt(fair * (1 - fair))
    spread += normal.inv_cdf(wanted) * math.sqrt(other * (1 - other))
    rolls = math.ceil((spread / (fair - other)) ** 2)
    while True:
        fewest, most = _fence(rolls, fair, wrong)
        seen = binomial_tail(fewest - 1, rolls, other, upper=False) + binomial_tail(most + 1, rolls, other, upper=True)
        if seen >= wanted:
            return RollsToSee(rolls, seen, wrong, fewest, most)
        rolls += max(1, rolls // 500)


def _fence(rolls: int, chance: float, level: float) -> tuple[int, int]:
    """The fewest and the most sevens that fair dice bring, with half the level beyond each."""
    middle, spread = round(rolls * chance), math.sqrt(rolls * chance * (1 - chance))
    fewest, most = middle, middle
    step = max(1, int(spread / 50))
    while binomial_tail(fewest - 1, rolls, chance, upper=False) > level / 2:
        fewest -= step
    while fewest < middle and binomial_tail(fewest, rolls, chance, upper=False) <= level / 2:
        fewest += 1
    while binomial_tail(most + 1, rolls, chance, upper=True) > level / 2:
        most += step
    while most > middle and binomial_tail(most, rolls, chance, upper=True) <= level / 2:
        most -= 1
    return fewest, most
