"""Who asks about which wager, and what is refused before any rule of it is looked at."""

from typing import NamedTuple, NoReturn

from passline.engine.layout import Layout, Spot
from passline.engine.refusals import refuse
from passline.engine.table import Seat, TableState
from passline.engine.values import Cited, ClauseId, Role


def present(table: TableState, number: int) -> Seat:
    """The seat of somebody who asks: nobody does from an empty one, or from one whose player has left."""
    seat = table.seats.get(number)
    if seat is None:
        refuse("seat.empty", f"Seat {number} is empty.", None, number)
    if seat.away:
        refuse("seat.away", f"Seat {number} has left; the wagers there run on.", None, number)
    return seat


def settled(layout: Layout, table: TableState, number: int | None = None, clause: ClauseId | None = None) -> None:
    """Chips and dice change hands only when the last throw is settled, as `clause` says."""
    if table.phase == "dice out":
        refuse("phase.dice_out", "No bet: the dice are out.", clause, number)
    if table.phase == "disputed":
        clause = clause or layout.book.dice.dispute.clause
        refuse("phase.disputed", "A face is in doubt: nothing moves until the roll is settled.", clause, number)


def may_act(layout: Layout, table: TableState, number: int) -> Seat:
    """Chips and dice go to players who sit there, between two rolls."""
    seat = present(table, number)
    settled(layout, table, number)
    return seat


def undoubted(layout: Layout, table: TableState, clause: ClauseId | None = None) -> None:
    """While a face is in doubt nothing is thrown until somebody rules on it, as `clause` says."""
    if table.phase == "disputed":
        rulers, clause = layout.crew(layout.book.dice.ruled_by.value), clause or layout.book.dice.dispute.clause
        refuse("phase.disputed", f"A face is in doubt: the {rulers} must rule first.", clause)


def an_amount(amount: int, number: int, least: int = 1) -> None:
    if amount < least:
        refuse("amount.not_positive", "Bet at least one chip.", None, number)


def entitled(code: str, what: str, layout: Layout, by: Role | None, allowed: Cited[tuple[Role, ...]]) -> None:
    """Who says that they do something is who may, in words such as *A no-roll is called*; nobody named is somebody."""
    if by is not None and by not in allowed.value:
        refuse(code, f"{what} by the {layout.crew(allowed.value)}, not by the {layout.crew((by,))}.", allowed.clause)


def whole_chips(layout: Layout, table: TableState, amount: int, number: int, clause: ClauseId) -> None:
    chip = table.notice.chip
    if amount % chip:
        no = f"{layout.money(amount)} is not whole chips of {layout.money(chip)}."
        refuse("amount.not_chips", no, clause, number)


class WagerContext(NamedTuple):
    layout: Layout
    table: TableState
    number: int  # the seat's number
    seat: Seat
    spot: Spot

    def refuse(self, code: str, message: str, clause: ClauseId | None = None) -> NoReturn:
        refuse(code, message, clause, self.number)

    def settled(self, clause: ClauseId) -> None:
        settled(self.layout, self.table, self.number, clause)

    @property
    def on_its_point(self) -> bool:
        return bool(self.spot.number or (self.spot.is_line and self.table.puck))


def ask(layout: Layout, table: TableState, number: int, key: str) -> WagerContext:
    """The context of a request about a spot, of a player and a wager that are there."""
    seat, spot = present(table, number), layout.spots.get(key)
    if spot is None or not spot.rule.offered.value:
        only = layout.book.betting.only_listed if spot is None else spot.rule.offered.clause
        named = key or "a wager without a name"
        refuse("wager.not_offered", f"{layout.book.name} does not book {named}.", only, number)
    return WagerContext(layout, table, number, seat, spot)


def ask_where_up(layout: Layout, table: TableState, number: int, key: str) -> WagerContext:
    """As `ask`, for a spot on which the player has chips."""
    ctx = ask(layout, table, number, key)
    if key not in ctx.seat.felt:
        ctx.refuse("wager.not_up", f"Seat {number} has nothing up on {ctx.spot.name}.")
    return ctx
