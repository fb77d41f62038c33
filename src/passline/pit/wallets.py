"""Seats whose chips came out of a wallet: whatever leaves them for the cage goes back into it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from passline.cage.wallets import Act, Cage, carried
from passline.engine import commands as c
from passline.engine.commands import Command
from passline.floor.acts import FloorCommand
from passline.journal.contract import Journal, Write
from passline.journal.entries import Entry
from passline.pit import plans

if TYPE_CHECKING:
    from passline.pit.live import Live
    from passline.pit.plans import Ask, Planned


def from_wallet(live: Live, cage: Cage, planned: Planned, command: Command | FloorCommand, ask: Ask) -> Planned:
    """An act by somebody who pays from, and is paid to, a wallet: its entry names the wallet."""
    if planned.draft.kind != "acted" or not isinstance(command, c.Sit | c.BuyIn | c.Leave):
        return planned
    owner = None if isinstance(command, c.Sit) else live.wallets.get(command.seat)
    data = planned.draft.body["command"]
    if owner not in (None, ask.actor):
        if isinstance(command, c.Leave):
            return planned  # whoever says it, the chips are the owner's
        return plans.refused(ask, plans.no("table.other_wallet", "wallet", command.seat, owner=owner), data)
    if sum(each.amount for each in carried(planned.events)) > cage.balance(ask.actor):
        return plans.refused(ask, plans.no("table.short_wallet", "wallet", actor=ask.actor), data)
    planned.draft.body["wallet"] = ask.actor
    return planned


def is_same(entry: Entry, command: Command | FloorCommand, cage: Cage | None) -> bool:
    """Whether chips were bought as they are asked for again: out of a wallet, or not."""
    if entry.kind != "acted" or not isinstance(command, c.Sit | c.BuyIn):
        return True
    return ("wallet" in entry.body) == (cage is not None)


def spends(planned: Sequence[Planned]) -> bool:
    """Whether a wallet pays for this, and may have less by now."""
    return any("wallet" in each.draft.body for each in planned)


def at_the_cage(journal: Journal, live: Live, planned: Sequence[Planned], entries: Sequence[Entry]) -> list[Write]:
    """The other side of chips that go between wallets and a table, which is as it will be with these entries."""
    if not live.wallets:
        return []
    for each, entry in zip(planned, entries, strict=False):  # a count may follow, which moves nothing
        acts: list[tuple[Act, str, int]] = [
            ("buy_in" if amount > 0 else "colour_up", live.wallets[seat], abs(amount))
            for seat, amount in carried(each.events)
            if amount and seat in live.wallets and (amount < 0 or "wallet" in each.draft.body)
        ]
        if acts:
            return [Cage(journal, entry.time).write(acts, each.draft, entry)]
    return []
