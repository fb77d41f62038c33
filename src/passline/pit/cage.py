"""Money that players have with the house: what is written of wallets beside what a table or the floor decides."""

from __future__ import annotations

from collections.abc import Sequence

from passline.floor.cage import current
from passline.floor.clock import gaming_day
from passline.floor.names import folded
from passline.floor.register import evolve
from passline.journal.contract import Draft, Entry, Head, Journal, Write, in_a_chain, read_entry
from passline.journal.heads import NO_HOUSE, begin, name_signer
from passline.live.answer import unheard
from passline.live.books import CAGE, CageAct, cage_draft, net_bought
from passline.live.state import State

Payments = Sequence[tuple[CageAct, str, int]]
"""Which way, whose wallet, how much."""


def cage_write(journal: Journal, acts: Payments, by: Draft, other: Entry | None, sign: bytes | None = None) -> Write:
    """Acts at the end of the cage's stream, which begins with the first; `other` is the entry that they go with."""
    if journal.head(CAGE) is None:
        begin(journal, CAGE, "cage_opened", by.time)
        if sign is not None:
            name_signer(journal, CAGE, sign, by.time)
    head = journal.head(CAGE) or Head(CAGE)
    drafts = [cage_draft(act, player, amount, by, other) for act, player, amount in acts]
    return Write(head, in_a_chain(head, NO_HOUSE, drafts))


def bought_today(journal: Journal, state: State, person: str, time: str) -> dict[str, int]:
    """What somebody with a limit of loss has bought at all tables on this gaming day."""
    floor = evolve(state.live.floor, (event for news in unheard(state) for event in news.events))
    if not current(floor, folded(person), time).loss or journal.head(CAGE) is None:
        return {}
    begins = state.layout.book.floor.cage.gaming_day_begins
    return {person: net_bought(map(read_entry, journal.lines(CAGE)), person, gaming_day(time, begins), begins)}
