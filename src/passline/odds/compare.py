"""The houses side by side: who is kindest to which wager, and who is not."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from passline.engine.values import CENTS
from passline.errors import ArgumentTypeError, shown
from passline.files.amounts import Money, float_of
from passline.house import House, open_house
from passline.odds.wagers import WagerOdds, odds_of


@dataclass(frozen=True, slots=True)
class Comparison:
    """One wager in every house that offers it."""

    key: str
    odds: Mapping[str, WagerOdds]
    """By house."""

    @property
    def family(self) -> str:
        """The rule it comes from."""
        return next(iter(self.odds.values())).family

    @property
    def edges(self) -> dict[str, Fraction]:
        """What each house keeps of the money put up: as paid, where a stake was given."""
        return {house: (odds.as_paid or odds).edge_per_bet_made for house, odds in self.odds.items()}

    @property
    def best(self) -> tuple[str, ...]:
        """The houses that keep least."""
        return self._where(min(self.edges.values()))

    @property
    def worst(self) -> tuple[str, ...]:
        """The houses that keep most."""
        return self._where(max(self.edges.values()))

    @property
    def is_alike(self) -> bool:
        """Whether every house that offers it has the same price."""
        return len(set(self.edges.values())) == 1

    def to_json(self) -> dict[str, object]:
        """JSON values: every fraction a string, nothing rounded."""
        return {
            "houses": {
                house: {
                    "name": odds.name,
                    "prices": list(odds.prices),
                    **odds.edges_json(),
                    **({"as_paid": odds.as_paid.to_json()} if odds.as_paid else {}),
                }
                for house, odds in self.odds.items()
            },
            "best": list(self.best),
            "worst": list(self.worst),
        }

    def _where(self, wanted: Fraction) -> tuple[str, ...]:
        return tuple(house for house, edge in self.edges.items() if edge == wanted)


def compare(
    houses: Iterable[House | str] | None = None, *, stake: Money | None = None, chips: Iterable[Money] | None = None
) -> Mapping[str, Comparison]:
    """Every wager that any of the houses offers, by key; without houses, of all that come with the program.

    A house is one that was opened, or its id, or the path of its file. With a stake, prices are as paid in these chips,
    or in each house's own; a house that does not take the stake on a wager is left out there.

    >>> compare()["place_6"].worst
    ('exhibit-a',)
    """
    if isinstance(houses, str) or not isinstance(houses, Iterable | None):
        raise ArgumentTypeError("houses", shown(houses), "a list of houses such as ['sydney', 'strip']")
    opened = [open_house(house) for house in (houses or House.all())]
    float_ = None if chips is None else [Fraction(chip, CENTS) for chip in float_of(chips)]
    asked = {house.id: _taken(odds_of(house, stake=stake, chips=float_)) for house in opened}
    keys = dict.fromkeys(key for odds in asked.values() for key in odds)
    return {key: Comparison(key, {house: odds[key] for house, odds in asked.items() if key in odds}) for key in keys}


def _taken(odds: Mapping[str, WagerOdds]) -> dict[str, WagerOdds]:
    """The wagers that can be made for the stake asked about."""
    return {key: each for key, each in odds.items() if not each.refused}
