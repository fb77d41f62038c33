"""Figures come out of the house files: those that others have published, and those we worked out ourselves.

`oracles/published` holds what somebody outside has printed, with who and where: it can find us wrong. `oracles/ours`
holds what we worked out by hand or were asked for: it keeps a figure from changing, and proves no more.
"""

from __future__ import annotations

import re
import tomllib
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from passline import House
from passline.odds.hand import hand_of
from passline.odds.wagers import odds_of

if TYPE_CHECKING:
    from collections.abc import Iterator

ORACLES = Path(__file__).parents[1] / "oracles"


def figures(whose: str) -> Iterator[Any]:
    """Every figure about wagers and hands, once for each house it speaks of."""
    for path in sorted(ORACLES.glob(f"{whose}/*.toml")):
        for figure in tomllib.loads(path.read_text(encoding="utf-8")).get("figure", ()):
            for house in figure.get("houses", ["adelaide"]):
                yield pytest.param(house, figure, id=f"{path.stem}: {figure['what']} ({house})")


@pytest.mark.parametrize(("house", "figure"), list(figures("published")))
def test_a_published_figure_comes_out(house: str, figure: dict[str, Any]) -> None:
    """An exact value is met exactly, a printed decimal to its last digit; each says who printed it, never us."""
    assert figure["source"]
    assert not re.search(r"\b(our|us|by hand|reading|catalogue|issue)\b", figure["source"])
    comes_out(house, figure)


@pytest.mark.parametrize(("house", "figure"), list(figures("ours")))
def test_a_figure_of_ours_comes_out(house: str, figure: dict[str, Any]) -> None:
    """What we worked out stays so; each says how we came by it."""
    assert re.search(r"\b(our|us|by hand)\b", figure["source"])
    comes_out(house, figure)


def comes_out(house: str, figure: dict[str, Any]) -> None:
    """The house's figure is this one."""
    found = worked_out(House(house), figure)
    if "value" in figure:
        assert found == Fraction(figure["value"])
    else:
        decimal = figure["decimal"]
        last_digit = Fraction(1, 10 ** len(decimal.partition(".")[2]))
        assert abs(found - Fraction(decimal)) <= last_digit / 2


def worked_out(house: House, figure: dict[str, Any]) -> Fraction:
    """What we make of it."""
    field = figure["field"]
    if "wager" not in figure:
        shooter = hand_of(house)
        found = getattr(shooter, field if field != "distinct" else "distinct_points")
        return in_place(found, figure)
    if "stake" not in figure:
        return fraction(getattr(odds_of(house)[figure["wager"]], field))
    chips = [Fraction(chip) for chip in figure["chips"]]
    paid = odds_of(house, stake=Fraction(figure["stake"]), chips=chips)[figure["wager"]].as_paid
    return fraction(getattr(paid, field))


def in_place(found: object, figure: dict[str, Any]) -> Fraction:
    """A figure of the hand: as it is, of a row, or of a function."""
    if callable(found):
        return fraction(found(figure["at"]))
    return fraction(found[figure["at"]] if isinstance(found, tuple) else found)


def fraction(found: object) -> Fraction:
    """Nothing but an exact answer will do."""
    assert isinstance(found, Fraction)
    return found


@pytest.mark.parametrize("house", [house.id for house in House.all()])
def test_every_house_has_an_oracle(house: str) -> None:
    """A house nobody outside has checked is not done."""
    assert any(param.values[0] == house for param in figures("published"))
