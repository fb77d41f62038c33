"""Who asks about which wager, and what is refused before any rule of it is looked at."""

from typing import NamedTuple

from passline.engine.layout import Layout, Spot
from passline.engine.refusals import Refusal
from passline.engine.table import Seat, TableState
from passline.engine.values import ClauseId


def absent(table: TableState, number: int) -> Refusal | None:
    """Why this seat cannot ask for anything: it is empty, or its player has left."""
    seat = table.seats.get(number)
    if seat is None:
        return Refusal("seat.empty", f"Seat {number} is empty.", None, number)
    if seat.away:
        return Refusal("seat.away", f"Seat {number} has left; the wagers there run on.", None, number)
    return None


def unsettled(
    layout: Layout, table: TableState, number: int | None = None, clause: ClauseId | None = None
) -> Refusal | None:
    """Chips and dice change hands only when the last throw is settled, as `clause` says."""
    if table.phase == "betting":
        return None
    if table.phase == "dice out":
        return Refusal("phase.dice_out", "No bet: the dice are out.", clause, number)
    clause = clause or layout.book.dice.dispute.clause
    return Refusal("phase.disputed", "A face is in doubt: nothing moves until the roll is settled.", clause, number)


def may_not_act(layout: Layout, table: TableState, number: int) -> Refusal | None:
    """Chips and dice go to players who sit there, between two rolls."""
    return absent(table, number) or unsettled(layout, table, number)


def doubted(layout: Layout, table: TableState, clause: ClauseId | None = None) -> Refusal | None:
    """While a face is in doubt nothing is thrown until somebody rules on it, as `clause` says."""
    if table.phase != "disputed":
        return None
    rulers, clause = layout.crew(layout.book.dice.ruled_by.value), clause or layout.book.dice.dispute.clause
    return Refusal("phase.disputed", f"A face is in doubt: the {rulers} must rule first.", clause)


def no_amount(amount: int, number: int, least: int = 1) -> Refusal | None:
    if amount >= least:
        return None
    return Refusal("amount.not_positive", "Bet at least one chip.", None, number)


def no_chips(layout: Layout, table: TableState, amount: int, number: int, clause: ClauseId) -> Refusal | None:
    chip = table.notice.chip
    if not amount % chip:
        return None
    no = f"{layout.money(amount)} is not whole chips of {layout.money(chip)}."
    return Refusal("amount.not_chips", no, clause, number)


class WagerContext(NamedTuple):
    layout: Layout
    table: TableState
    number: int  # the seat's number
    seat: Seat
    spot: Spot

    def refuse(self, code: str, message: str, clause: ClauseId | None = None) -> Refusal:
        return Refusal(code, message, clause, self.number)

    def unsettled(self, clause: ClauseId) -> Refusal | None:
        return unsettled(self.layout, self.table, self.number, clause)

    @property
    def on_its_point(self) -> bool:
        return bool(self.spot.number or (self.spot.is_line and self.table.puck))


def ask(layout: Layout, table: TableState, number: int, key: str) -> WagerContext | Refusal:
    """The context of a request about a spot, or a refusal: no such player, no such wager."""
    if refused := absent(table, number):
        return refused
    spot = layout.spots.get(key)
    if spot is None or not spot.rule.offered.value:
        only = layout.book.betting.only_listed if spot is None else spot.rule.offered.clause
        named = key or "a wager without a name"
        return Refusal("wager.not_offered", f"{layout.book.name} does not book {named}.", only, number)
    return WagerContext(layout, table, number, table.seats[number], spot)


def ask_where_up(layout: Layout, table: TableState, number: int, key: str) -> WagerContext | Refusal:
    """As `ask`, for a spot on which the player has chips."""
    ctx = ask(layout, table, number, key)
    if isinstance(ctx, Refusal):
        return ctx
    if key not in ctx.seat.felt:
        return ctx.refuse("wager.not_up", f"Seat {number} has nothing up on {ctx.spot.name}.")
    return ctx
