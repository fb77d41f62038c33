"""Money that players have with the house: paid in and out at the cage, carried to tables and back."""

from __future__ import annotations

from collections.abc import Sequence

from passline.errors import ArgumentError, BehindError, KeyTakenError, OverdrawnError
from passline.floor.cage import loss_limit
from passline.floor.clock import gaming_day
from passline.floor.names import folded
from passline.floor.register import evolve
from passline.journal.contract import Draft, Entry, Head, Journal, Write, in_a_chain, read_entry
from passline.journal.heads import NO_HOUSE, Signing, begin, name_signer
from passline.live.answer import unheard
from passline.live.books import CAGE, CageAct, cage_draft, net_bought, wallet
from passline.live.state import State

TRIES_MAX = 1_000


class Cage:
    """The wallets of all players, in the journal that their tables are in."""

    def __init__(self, journal: Journal, time: str, sign: bytes | None = None) -> None:
        """The cage as it is: its stream begins with the first act, and with the house's key it is signed."""
        self.journal, self._time, self._sign = journal, time, sign
        self._signing = None if sign is None else Signing(journal, sign)

    def _begin(self) -> None:
        if self.journal.head(CAGE) is None:
            begin(self.journal, CAGE, "cage_opened", self._time)
            if self._sign is not None:
                name_signer(self.journal, CAGE, self._sign, self._time)

    def balance(self, player: str) -> int:
        """What a player has with the house, in grains."""
        return self.journal.balances(CAGE).get(wallet(player), 0)

    def pay_in(self, player: str, amount: int, by: Draft) -> bytes:
        """A player brings money; `by` says who books it, when, and under which key."""
        return self._act("pay_in", player, amount, by)

    def pay_out(self, player: str, amount: int, by: Draft) -> bytes:
        """A player takes money away; never more than there is."""
        return self._act("pay_out", player, amount, by)

    def _act(self, act: CageAct, player: str, amount: int, by: Draft) -> bytes:
        if type(amount) is not int or amount <= 0:
            raise ArgumentError("amount", repr(amount), "a whole number of grains above zero")
        if by.role == "player":
            raise ArgumentError("role", "'player'", "one of the crew's: nobody books their own money")
        for _ in range(TRIES_MAX):
            write = self.write([(act, player, amount)], by)
            try:
                self.journal.append(write)
            except BehindError:
                continue
            except (KeyTakenError, OverdrawnError) as error:
                first = self._first(act, player, amount, by)
                if first is None:
                    raise OverdrawnError(f"{player} has less than that with the house") from error
                return first
            if self._signing is not None:
                self._signing.sign(write.end, by.time)
            return write.entries[0].line
        raise BehindError(f"the cage: others were first {TRIES_MAX} times")

    def _first(self, act: CageAct, player: str, amount: int, by: Draft) -> bytes | None:
        """The answer given under this key; asked something else under it, an error."""
        line = None if by.key is None else self.journal.under_key(CAGE, by.key)
        if line is None:
            return None
        entry = read_entry(line)
        payment = (entry.actor, entry.body["act"], entry.body["player"], entry.body["amount"])
        if payment != (by.actor, act, player, amount):
            raise KeyTakenError(f"the cage: something else was asked under the key {by.key!r}")
        return line

    def write(self, acts: Sequence[tuple[CageAct, str, int]], by: Draft, other: Entry | None = None) -> Write:
        """Acts at the end of the cage's journal as it is; `other` is the table's entry that they go with."""
        self._begin()
        head = self.journal.head(CAGE) or Head(CAGE)
        drafts = [cage_draft(act, player, amount, by, other) for act, player, amount in acts]
        return Write(head, in_a_chain(head, NO_HOUSE, drafts))


def bought_today(journal: Journal, state: State, person: str, time: str) -> dict[str, int]:
    """What somebody with a limit of loss has bought at all tables on this gaming day."""
    floor = evolve(state.live.floor, (event for news in unheard(state) for event in news.events))
    if not loss_limit(floor, folded(person), time) or journal.head(CAGE) is None:
        return {}
    begins = state.layout.book.floor.cage.gaming_day_begins
    return {person: net_bought(map(read_entry, journal.lines(CAGE)), person, gaming_day(time, begins), begins)}
