"""Money that players have with the house: paid in and out at the cage, carried to tables and back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal, NamedTuple

from passline.engine.events import ChipsBought, Event, PlayerLeft, PlayerSat, SeatCleared
from passline.errors import ArgumentError, BehindError, KeyTakenError, OverdrawnError
from passline.journal.contract import Head, Journal, Write
from passline.journal.entries import Draft, Entry, in_a_chain, read_entry
from passline.journal.heads import NO_HOUSE, Signing, begin, name_signer

STREAM = "cage"
"""The name of the cage's own journal."""

Act = Literal["pay_in", "pay_out", "buy_in", "colour_up"]

TRIES_MAX = 1_000


class Cage:
    """The wallets of all players, in the journal that their tables are in."""

    def __init__(self, journal: Journal, time: str, sign: bytes | None = None) -> None:
        """Open the cage, the first time with its first entry; with the house's key it says so, and is signed."""
        self.journal = journal
        self._signing = None if sign is None else Signing(journal, sign)
        if journal.head(STREAM) is None:
            begin(journal, STREAM, "cage_opened", time)
            if sign is not None:
                name_signer(journal, STREAM, sign, time)

    def balance(self, player: str) -> int:
        """What a player has with the house, in grains."""
        return self.journal.balances(STREAM).get(wallet(player), 0)

    def pay_in(self, player: str, amount: int, by: Draft) -> bytes:
        """A player brings money; `by` says who books it, when, and under which key."""
        return self._act("pay_in", player, amount, by)

    def pay_out(self, player: str, amount: int, by: Draft) -> bytes:
        """A player takes money away; never more than there is."""
        return self._act("pay_out", player, amount, by)

    def _act(self, act: Act, player: str, amount: int, by: Draft) -> bytes:
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

    def _first(self, act: Act, player: str, amount: int, by: Draft) -> bytes | None:
        """The answer given under this key; asked something else under it, an error."""
        line = None if by.key is None else self.journal.under_key(STREAM, by.key)
        if line is None:
            return None
        entry = read_entry(line)
        said = (entry.actor, entry.body["act"], entry.body["player"], entry.body["amount"])
        if said != (by.actor, act, player, amount):
            raise KeyTakenError(f"the cage: something else was asked under the key {by.key!r}")
        return line

    def write(self, acts: Sequence[tuple[Act, str, int]], by: Draft, other: Entry | None = None) -> Write:
        """Acts at the end of the cage's journal as it is; `other` is the table's entry that they go with."""
        head = self.journal.head(STREAM) or Head(STREAM)
        drafts = [_draft(act, player, amount, by, other) for act, player, amount in acts]
        return Write(head, in_a_chain(head, NO_HOUSE, drafts))


def _draft(act: Act, player: str, amount: int, by: Draft, other: Entry | None) -> Draft:
    """One act as the cage writes it."""
    body: dict[str, Any] = {
        "act": act,
        "player": player,
        "amount": amount,
        "table": other and other.table,
        "sequence": other and other.sequence,
        "postings": [_posting(act, player, amount)],
    }
    # A key is of one table: what goes with a table's entry was asked for under that entry's key.
    return Draft("cage_acted", body, by.actor, by.role, by.time, None if other else by.key)


def wallet(player: str) -> str:
    """A player's account at the cage."""
    return f"wallet/{player}"


def _posting(act: Act, player: str, amount: int) -> list[str | int]:
    inside = wallet(player)
    outside = "cash" if act in ("pay_in", "pay_out") else "tables"
    return [outside, inside, amount] if act in ("pay_in", "colour_up") else [inside, outside, amount]


class Carried(NamedTuple):
    """Chips that came to a seat from the cage, or, below zero, went back to it."""

    seat: int
    amount: int


def carried(events: Iterable[Event]) -> Iterator[Carried]:
    """What goes between the seats of a table and the cage."""
    for event in events:
        match event:
            case PlayerSat():
                yield Carried(event.seat, event.buyin)
            case ChipsBought():
                yield Carried(event.seat, event.amount)
            case PlayerLeft():
                yield Carried(event.seat, -event.cashed)
            case SeatCleared():
                yield Carried(event.seat, -event.held)
            case _:
                pass
