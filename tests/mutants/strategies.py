"""Strategies put together at random: refused in a sentence, or built into a machine that can be rolled."""

from __future__ import annotations

from typing import TYPE_CHECKING

from passline.machine.terms import Seating, Terms
from passline.errors import PasslineError
from passline.house import House
from passline.machine.build import build
from passline.rulebooks.read import built_in
from passline.sim import simulate
from passline.strategies.language.read import make

if TYPE_CHECKING:
    from random import Random

AMOUNTS: tuple[int | str, ...] = (1, 2, 3, "1/3", "max", "1x", "3-4-5", "to_win(1)", "to_win(max)", "to_win(climb)")
AMOUNTS += (
    "climb",
    "climb",
    "least(2, max)",
    "greatest(1, climb)",
    "1 + 1/7",
    "2 - 3",
    "to_win(to_win(2))",
    "climb * 2",
)
BROKEN: tuple[int | str, ...] = (0, -1, "9" * 25, 10**17, 10**30, "x", "", "2.5", "to_win()", "1/0")
WHENS = (
    "puck off",
    "puck on",
    "puck off or puck on",
    "not puck on",
    "profit >= 5",
    "rolls >= 3",
    "hand_rolls > 2",
    "?",
)
UNITS = (1, 5, 5, "1/3", "0.01", "1/1000003", 10**15)
STEPS: tuple[object, ...] = ([1, 2, 4], "double", [1, "1/7"], [10**17], [0], [])


def mutant(rng: Random) -> str:
    """Make one strategy and have it played in one house."""
    house = House(rng.choice(built_in()))
    keys = [*house.spots, *(spot.family for spot in house.spots.values())]
    wants: list[dict[str, object]] = []
    for _ in range(rng.randrange(1, 4)):
        amounts = BROKEN if rng.random() < 0.05 else AMOUNTS
        wants.append({"up": {rng.choice(keys): rng.choice(amounts) for _ in range(rng.choice((1, 1, 2)))}})
        if rng.random() < 0.4:
            wants[-1]["when"] = rng.choice(WHENS)
        if rng.random() < 0.1:
            wants[-1][rng.choice(("down", "on", "off"))] = [rng.choice(keys)]
    values: dict[str, object] = {"name": "x", "description": "x", "unit": rng.choice(UNITS), "want": wants}
    if "climb" in str(wants):
        of = next(wager for want in wants for wager, much in want["up"].items() if "climb" in str(much))  # type: ignore[attr-defined]
        values["progression"] = {"climb": {"of": of, "steps": rng.choice(STEPS)}}
    try:
        machine = build(make(values), Seating(house, max_bet=rng.choice((None, 100, 10**15))), states_max=120)
        simulate(machine, Terms(5), sessions=4, seed=1, backend="numpy")
    except PasslineError as error:
        assert str(error).replace("\n", "").isprintable()
        return f"refused: {type(error).__name__}"
    return "played"
