"""The syllabus: every drill, whom it is for, and the exercise that a house, a drill, a level and a seed make."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Literal

from passline.errors import ArgumentError, short_repr
from passline.files.amounts import whole_number
from passline.files.findings import nearest
from passline.house import House, open_house
from passline.school import audition, paying, ruling
from passline.school.exercise import Exercise, Question
from passline.school.scene import LEVELS, Scene, Unfit, levels

ATTEMPTS_MAX = 150
SEED_MAX = 2**31 - 1  # Seeds are short enough to be read aloud

EVERY = tuple(LEVELS)


@dataclass(frozen=True, slots=True)
class Drill:
    name: str
    trains: Literal["player", "dealer"]
    says: str
    make: Callable[[Scene], Question]
    levels: tuple[int, ...] = EVERY


# Every drill, in the order in which they are learnt.
DRILLS = {
    drill.name: drill
    for drill in (
        Drill("ways", "player", "how many of the 36 throws win or lose a bet", ruling.ways),
        Drill("pays", "player", "what a bet pays", paying.pays),
        Drill("now", "player", "which bets can be made now", ruling.now),
        Drill("edge", "player", "which bet costs least", ruling.edge, EVERY[1:]),
        Drill("call", "dealer", "the stick's call of a roll", ruling.call, (1,)),
        Drill("puck", "dealer", "where the puck goes, and whose the dice are", ruling.puck, (1,)),
        Drill("odds", "dealer", "the most odds behind a bet", ruling.most_odds, (2, 3)),
        Drill("units", "dealer", "the bets that pay with no breakage", ruling.proper_units, (2, 3, 4)),
        Drill("off-and-on", "dealer", "a come bet paid while another takes its place", paying.off_and_on, (3,)),
        Drill("legal", "dealer", "taken or refused, and by which clause", ruling.legal),
        Drill("layout", "dealer", "pay and take a whole layout", paying.layout),
        Drill("chips", "dealer", "pay in the fewest chips, and color up", paying.chips),
        Drill("order", "dealer", "the crew's procedure: take, place, pay", ruling.order),
        Drill("wrong", "dealer", "spot the payoff that is wrong", paying.wrong),
        Drill("book", "dealer", "which clause says so", ruling.book),
        Drill("audition", "dealer", "everything, mixed, ten seconds each", audition.audition, (1,)),
    )
}


def drill_of(name: str) -> Drill:
    if name not in DRILLS:
        raise ArgumentError("drill", short_repr(name), f"one of {', '.join(DRILLS)}", nearest(str(name), DRILLS))
    return DRILLS[name]


def levels_of(house: House, drill: Drill) -> tuple[int, ...]:
    return tuple(level for level in levels(house.layout) if level in drill.levels)


def exercise(house: House | str | Path, drill: str, level: int, seed: int) -> Exercise:
    """The exercise of a house, a drill, a level and a seed: always the same one.

    >>> asked = exercise("strip", "pays", 4, 7)
    >>> asked.id
    'strip/pays/4/7'
    """
    opened, chosen = open_house(house), drill_of(drill)
    has = levels_of(opened, chosen)
    if level not in has:
        there = f"one of {', '.join(map(str, has))} for {drill}" if has else f"another drill than {drill}"
        raise ArgumentError("level", short_repr(level), f"{there} in {opened.id}")
    whole_number("seed", seed, least=0, most=SEED_MAX)
    for attempt in range(ATTEMPTS_MAX):
        luck = Random(f"{opened.id} {drill} {level} {seed} {attempt}")  # noqa: S311 - exercises, not dice for money
        with suppress(Unfit):
            return Exercise(opened, drill, level, seed, chosen.make(Scene(opened, level, luck)))
    raise ArgumentError("drill", repr(drill), f"another drill or level: {opened.id} has no such position")


def paper(house: House, luck: Random) -> list[int]:
    """The seeds of one audition: twenty questions of different shapes, one at least that must not be wrong.

    A house that has fewer shapes is asked about each of them once.
    """
    seeds: dict[str, int] = {}
    for _ in range(400):
        seed = luck.randrange(SEED_MAX)
        seeds.setdefault(exercise(house, "audition", 1, seed).question.kind, seed)
        if len(seeds) >= audition.QUESTIONS and audition.CRITICAL & set(seeds):
            break
    kinds = sorted(seeds, key=lambda kind: kind not in audition.CRITICAL)[: audition.QUESTIONS]
    return [seeds[kind] for kind in luck.sample(kinds, len(kinds))]
