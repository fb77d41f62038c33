"""What every dealer looks at first: who sits there, whether the table rests, whether chips can make it."""

from __future__ import annotations

from passline.engine.layout import Layout
from passline.engine.refusals import Refusal
from passline.engine.table import TableState
from passline.engine.values import ClauseId


def absent(table: TableState, number: int) -> Refusal | None:
    """Why nobody at this seat can ask for anything, if nobody can."""
    seat = table.seats.get(number)
    if seat is None:
        return Refusal("seat.empty", f"Nobody sits at seat {number}.", None, number)
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
        return Refusal("phase.dice_out", "The dice are out: nothing moves until the roll is settled.", clause, number)
    clause = clause or layout.book.dice.dispute.clause
    return Refusal("phase.disputed", "A face is in doubt: nothing moves until the roll is settled.", clause, number)


def doubted(layout: Layout, table: TableState, clause: ClauseId | None = None) -> Refusal | None:
    """While a face is in doubt nothing is thrown until somebody rules on it, as `clause` says."""
    if table.phase != "disputed":
        return None
    rulers, clause = layout.crew(layout.book.dice.ruled_by.value), clause or layout.book.dice.dispute.clause
    return Refusal("phase.disputed", f"A face is in doubt: the {rulers} must rule first.", clause)


def no_amount(amount: int, number: int, least: int = 1) -> Refusal | None:
    """Why there can be no such amount, if there cannot."""
    if amount >= least:
        return None
    return Refusal("amount.not_positive", "An amount of chips is more than nothing.", None, number)


def no_chips(layout: Layout, table: TableState, amount: int, number: int, clause: ClauseId) -> Refusal | None:
    """Why chips cannot make this amount, if they cannot."""
    chip = table.notice.chip
    if not amount % chip:
        return None
    no = f"{layout.money(amount)} is not whole chips of {layout.money(chip)}."
    return Refusal("amount.not_chips", no, clause, number)
