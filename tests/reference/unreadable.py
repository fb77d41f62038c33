"""Records that are good but for one thing, and so cannot be read (6)."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from tests.reference.book import HOUSES
from tests.reference.generate import random_head, random_record

if TYPE_CHECKING:
    from collections.abc import Callable

BAD_ACTS = (
    "1 bet pass",
    "1 bet pass 5 5",
    "1 bet 5 pass",
    "1 bet pass five",
    "1 bet pass .5",
    "1 bet pass 5.",
    "1 bet pass 5.125",
    "1 bet pass -5",
    "1 bet pass +5",
    "1 bet pass 1e2",
    "1 bet pass 1,000",
    "1 bet pass $5",
    "1 bet Pass 5",
    "1 bet dont-pass 5",
    "1 bet 6_place 5",
    "1 bet _pass 5",
    "1 take",
    "1 take place_6 6 6",
    "1 take place_6 -1",
    "1 take Place_6",
    "1 take place_6 6.000",
    "1 on",
    "1 on place_6 6",
    "1 on PLACE_6",
    "1 off",
    "1 off place_6 place_8",
    "1 off place-6",
    "1 shoot now",
    "1",
    "1 dance",
    "1 Bet pass 5",
    "1 roll 3-4",
    "0 bet pass 5",
    "01 bet pass 5",
    "-1 bet pass 5",
    "1.0 shoot",
    "bet pass 5",
    "pass 5",
    "one bet pass 5",
    "roll",
    "roll 3-7",
    "roll 0-4",
    "roll 3",
    "roll 34",
    "roll 3-4-5",
    "roll 3 4",
    "roll 3-4 5-6",
    "roll 3-",
    "roll a-b",
    "roll 12-1",
    "no-roll",
    "noroll off-table",
    "Roll 3-4",
    "sit 1 Ann",
    "sit 1",
    "sit",
    "sit 1 Ann 500 5",
    "sit 1 Ann Lee 500",
    "sit 0 Ann 500",
    "sit x Ann 500",
    "sit 1 Ann lots",
    "sit 1 Ann -500",
    "sit 1 Ann 500.001",
    "stand 1",
    "passline 1",
    "house adelaide",
    "notice min=5",
    "notice",
    "float 1 5",
    "banana",
)

BAD_NOTICES = (
    "min",
    "min=",
    "min=five",
    "min=-5",
    "min=5.125",
    "min=5.",
    "min=.5",
    "min=5 min=5",
    "max=1000 max=2000",
    "max=1,000",
    "odds=0",
    "odds=2.5",
    "odds=-1",
    "odds=two",
    "odds=",
    "odds",
    "odds=2x",
    "props=cheap",
    "props",
    "limit=5",
    "Min=5",
    "5",
    "min 5",
    "min = 5",
    "min=5,max=10",
    "multiples=5",
    "multiples=",
    "unit",
    "side=5",
    "=5",
)

BAD_HOUSE_NOTICES = {
    "adelaide": (
        "odds=11",
        "side=1-5",
        "unit=0",
        "unit=",
        "multiples min=0",
        "min=0 multiples",
        "multiples multiples",
        "min=0.00 multiples",
    ),
    "sydney": ("odds=1", "odds=3", "odds=10", "side=1-5", "unit=0.0", "min=0 multiples", "unit=1 unit=1"),
    "exhibit-a": ("multiples", "unit=5", "side=1-5", "odds=1 odds=1", "odds=0"),
    "fire-bonus": ("multiples", "unit=5", "side=", "side=1-", "side=-5", "side=1-5-9", "side=1-5 side=1-5", "side"),
}

BAD_FLOATS = ("", "0", "1 0 5", "0.00 1", "one", "1 -5", "1 5.", ".5", "1,5", "0.125", "$1")


def random_unreadable(rng: random.Random) -> str:
    """A record that is good but for one thing."""
    house = rng.choice(HOUSES)
    head = random_head(rng, house)
    good = random_record(rng, house, acts=rng.randint(3, 25)).split("\n")
    acts = [line for line in good if not line.split("#")[0].split()[:1] or line.split()[0] not in HEAD_WORDS]
    bare = [line for line in head if line.split()[0] in ("passline", "house")]

    def join(*parts: list[str]) -> str:
        return "\n".join(line for part in parts for line in part)

    def bad_act() -> str:
        at = rng.randint(next(i for i, line in enumerate(acts) if line.split()[:1] == ["sit"]) + 1, len(acts))
        return join(head, acts[:at], [rng.choice(BAD_ACTS)], acts[at:])

    def bad_notice() -> str:
        word = rng.choice([*BAD_NOTICES, *BAD_HOUSE_NOTICES[house]])
        return join(bare, [f"notice {word}"], acts)

    def bad_float() -> str:
        return join(bare, [f"float {rng.choice(BAD_FLOATS)}"], acts)

    def twice() -> str:
        line = rng.choice(["passline 1", f"house {house}", "notice", "float 1"])
        first = [line] if line.split()[0] in ("notice", "float") else []
        return join(bare, first, [line], acts)

    def bad_order() -> str:
        orders = (
            [bare[1], bare[0], *head[2:]],
            [bare[0], "notice", bare[1]],
            [bare[0], "float 1 5", bare[1]],
            ["notice", *bare],
            ["sit 1 Ann 500", *bare],
            [bare[0], "sit 1 Ann 500", bare[1]],
            bare[1:],
            bare[:1],
        )
        return join(rng.choice(orders), acts)

    def bad_opening() -> str:
        first = rng.choice(["passline", "passline 2", "passline 1 1", "Passline 1", "passline one", "passline 1.0"])
        return join([first], head[1:], acts)

    def bad_house() -> str:
        second = rng.choice(
            ["house", "house vegas", f"house {house} {house}", "House adelaide", f"house {house.upper()}"]
        )
        return join(bare[:1], [second], head[2:], acts)

    def nothing() -> str:
        return rng.choice(["", "\n", "# only a remark\n", "passline 1", "passline 1\n"])

    ways: tuple[Callable[[], str], ...] = (bad_act, bad_notice, bad_float, twice, bad_order, bad_opening, bad_house)
    return rng.choice([*ways, bad_act, bad_act, bad_notice, bad_notice, *([nothing] if rng.random() < 0.2 else [])])()


HEAD_WORDS = ("passline", "house", "notice", "float")
