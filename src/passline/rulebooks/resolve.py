"""Finds what a house file means by a clause: its own, its house's in the catalogue, a reading or a decision."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pydantic_core import PydanticCustomError

from passline.files.findings import nearest
from passline.rulebooks.catalogue import ALL_HOUSES, catalogue

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Resolver:
    """The clauses one house file can cite."""

    house: str
    own: frozenset[str]

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Resolver:
        """Look up the house and the clauses that a file claims to be and to have."""
        house, own = values.get("id"), values.get("clauses")
        return cls(house if isinstance(house, str) else "", frozenset(own if isinstance(own, dict) else ()))

    def resolve(self, text: str) -> str:
        """Give the full id, or complain with the nearest id there is."""
        full = f"{self.house}:{text}"
        if text in self.own or full in catalogue():
            return full
        if text in catalogue():
            return text
        valid = [*self.own, *(self._short(known) for known in catalogue())]
        near = {"nearest": nearest(text, valid) or ""}
        raise PydanticCustomError("clause_unknown", "a clause of this house, a reading or a decision", near)

    def _short(self, full: str) -> str:
        """Write an id as this file would."""
        known = catalogue()[full]
        return full if known.house == ALL_HOUSES else full.removeprefix(f"{self.house}:")
