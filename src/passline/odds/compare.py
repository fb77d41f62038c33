"""The houses side by side: who is kindest to which wager, and who is not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from passline.house import House
from passline.odds.wagers import odds_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from fractions import Fraction

    from passline.odds.wagers import WagerOdds


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
        """What each house keeps of the money put up."""
        return {house: odds.edge_per_bet_made for house, odds in self.odds.items()}

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
                house: {"name": odds.name, "prices": list(odds.prices), **odds.edges_json()}
                for house, odds in self.odds.items()
            },
            "best": list(self.best),
            "worst": list(self.worst),
        }

    def _where(self, wanted: Fraction) -> tuple[str, ...]:
        return tuple(house for house, edge in self.edges.items() if edge == wanted)


def compare(houses: Iterable[House | str] | None = None) -> Mapping[str, Comparison]:
    """Every wager that any of the houses offers, by key; without houses, of all that come with the program.

    >>> compare()["place_6"].worst
    ('exhibit-a',)
    """
    opened = [House(house) if isinstance(house, str) else house for house in (houses or House.all())]
    asked = {house.id: odds_of(house) for house in opened}
    keys = dict.fromkeys(key for odds in asked.values() for key in odds)
    return {key: Comparison(key, {house: odds[key] for house, odds in asked.items() if key in odds}) for key in keys}
