"""Every bet that can stand when an evening ends, as rows of a small table: the engine's word on each by itself."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from passline.engine.table import TableState, Wager
from passline.machine.play import OURS, Setting, bring_down_called_off, roll_out, worth
from passline.machine.standing import DECIDED
from passline.machine.throws import PAIRS, throws

if TYPE_CHECKING:
    Felt = tuple[tuple[str, Wager], ...]


class Bets:
    """Every bet that can stand, made into rows by running the engine over what each throw does to it alone."""

    def __init__(self, setting: Setting) -> None:
        """Begin with nothing but a decided bet."""
        self.setting = setting
        self.names: dict[tuple[int, Felt], int] = {}
        self.rows: list[NDArray[np.object_]] = [np.zeros((3, len(PAIRS)), dtype=object)]
        self.queue: list[tuple[int, Felt]] = []
        self.tables: dict[int, TableState] = {}
        """For each puck a table without a bet of ours."""

    def standing(self, tables: Iterable[TableState]) -> tuple[list[tuple[int, ...]], list[int]]:
        """For each table, the rows of the bets that stand on it, and the grains that come back at once."""
        bets, backs = [], []
        for table in tables:
            begun = bring_down_called_off(self.setting.layout, table)
            backs.append(worth(begun) - worth(table))
            bets.append(self._of(begun))
        for puck, felt in self.queue:
            self._settle(self.names[puck, felt], puck, felt)
        return bets, backs

    def _of(self, table: TableState) -> tuple[int, ...]:
        """The rows of the bets on a table: each flat bet with its odds, and every other wager by itself."""
        spots = self.setting.layout.spots
        alone: dict[str, list[tuple[str, Wager]]] = {}
        for key, wager in table.seats[OURS].felt.items():
            alone.setdefault(spots[key].flat if spots[key].is_odds else key, []).append((key, wager))
        if table.puck not in self.tables:
            seat = table.seats[OURS]._replace(felt={})
            self.tables[table.puck] = table._replace(seats={**table.seats, OURS: seat}, before=None)
        return tuple(self._name(table.puck, tuple(sorted(felt))) for felt in alone.values())

    def _name(self, puck: int, felt: Felt) -> int:
        name = self.names.setdefault((puck, felt), len(self.names) + 1)
        if name > len(self.queue):
            self.queue.append((puck, felt))
            self.rows.append(np.zeros((3, len(PAIRS)), dtype=object))
        return name

    def _settle(self, name: int, puck: int, felt: Felt) -> None:
        """Fill the row of one bet."""
        empty = self.tables[puck]
        seat = empty.seats[OURS]._replace(felt=dict(felt))
        table = empty._replace(seats={**empty.seats, OURS: seat})
        for throw, alike in throws(self.setting.layout, table):
            after, net, action = roll_out(self.setting, table, throw)
            rows = self._of(after)
            assert len(rows) <= 1, "one bet stays one bet"
            self.rows[name][:, list(alike)] = [[rows[0] if rows else DECIDED], [net], [action]]
