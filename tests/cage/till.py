"""Wallets that are filled and emptied without a floor, as journals of before have it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from passline.journal.heads import Signing
from passline.live.books import CAGE, CageAct, wallet
from passline.pit.housewide import cage_write

if TYPE_CHECKING:
    from passline.journal.contract import Draft, Journal


class Till:
    """The wallets of a journal."""

    def __init__(self, journal: Journal, sign: bytes | None = None) -> None:
        self.journal, self.sign = journal, sign

    def balance(self, player: str) -> int:
        return self.journal.balances(CAGE).get(wallet(player), 0)

    def pay_in(self, player: str, amount: int, by: Draft) -> None:
        self._pay("pay_in", player, amount, by)

    def pay_out(self, player: str, amount: int, by: Draft) -> None:
        self._pay("pay_out", player, amount, by)

    def _pay(self, act: CageAct, player: str, amount: int, by: Draft) -> None:
        write = cage_write(self.journal, [(act, player, amount)], by, None, self.sign)
        self.journal.append(write)
        if self.sign is not None:
            Signing(self.journal, self.sign).sign(write.end, by.time, anyway=True)
