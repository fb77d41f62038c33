"""The chips of the house: its bank at the cage, and a table's float, counted, filled and credited by two people."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, Literal

from passline.engine.events import Chips
from passline.engine.frozen import frozen
from passline.engine.refusals import Refusal
from passline.floor.acts import Acted, Context, FloorAnswer, FloorCommand, FloorEvent, Listener, act, event
from passline.floor.cage import Count, Counted, no_cashier, total
from passline.floor.refusals import missing, refuse
from passline.floor.state import Floor, TableBank

When = Literal["opening", "shift", "closing"]


@act("keep_the_bank", two_people=True)
class CountFloat(FloorCommand):
    """Count the chips of the float, by denomination and with another; what must be there is told only afterwards."""

    when: When
    count: Count
    second: str = ""

    def decide(self, ctx: Context) -> FloorAnswer:
        holds, bank, table = total(self.count), ctx.floor.bank, ctx.table
        if refused := ctx.only(("box", "supervisor"), None):
            return refused
        if isinstance(holds, Refusal):
            return holds
        if bank is None and self.when != "opening":
            return refuse("floor.count", "The float was never counted: the opening comes first.")
        due, outside = holds if bank is None else bank.due(table), table.bought - table.bank
        up = sum(each.stake - each.tokens for seat in table.seats.values() for each in seat.felt.values())
        who = (ctx.by.name, self.second)
        return Acted((FloatCounted(self.when, self.count, holds, due, outside, up, table.bank, *who),))


@event(significant="float variance")
class FloatCounted(Counted):
    """The float was counted."""

    when: When
    count: Count
    total: Chips
    due: Chips
    outside: Chips  # what the players have of it, on rails and on the felt
    up: Chips  # how much of that lies on the felt, undecided
    won: int  # what the bank has won since the table was opened, as the journal settled it
    by: str
    second: str

    def after(self, floor: Floor) -> Floor:
        slips = floor.bank.slips if floor.bank is not None else 0
        return floor._replace(bank=TableBank(self.total, self.outside, slips))

    def say(self, to: Listener) -> str:
        return f"{self.by} and {self.second} count the float: {to.money(self.total)}{self.off(to)}."

    def why(self, to: Listener) -> str:
        return f"{self.when}: {to.money(self.total)} counted, {to.money(self.due)} due"


@frozen
class MoveChips(FloorCommand):
    """Chips between the cage and the float, on a numbered slip."""

    count: Count
    second: str = ""

    moved: ClassVar[Callable[..., Slip]]

    def decide(self, ctx: Context) -> FloorAnswer:
        amount, bank = total(self.count), ctx.floor.bank
        if isinstance(amount, Refusal) or not amount:
            return amount or refuse("floor.count", "Say how many chips there are of each denomination.")
        if bank is None:
            return refuse("floor.count", "Count the float first: nobody knows what it holds.")
        if isinstance(self, CreditFloat) and amount > bank.due(ctx.table):
            return refuse("floor.count", "The float holds less than that.")
        return Acted((self.moved(bank.slips + 1, self.count, amount, ctx.by.name, self.second),))


@frozen
class Slip(FloorEvent):
    """A numbered slip: chips went between the cage and the float."""

    slip: int
    count: Count
    total: Chips
    by: str
    second: str

    def booked(self, floor: Floor, amount: int) -> Floor:
        assert floor.bank is not None, "a slip is of a float that was counted"
        return floor._replace(bank=floor.bank._replace(book=floor.bank.book + amount, slips=self.slip))

    def why(self, to: Listener) -> str:
        return f"slip {self.slip}: {to.money(self.total)}"


@event(significant="fill")
class FloatFilled(Slip):
    """Chips came from the cage to the float."""

    def after(self, floor: Floor) -> Floor:
        return self.booked(floor, self.total)

    def say(self, to: Listener) -> str:
        return f"fill {self.slip}: {to.money(self.total)} to the float, by {self.by} and {self.second}."


@act("keep_the_bank", two_people=True)
class FillFloat(MoveChips):
    """Bring chips from the cage to the float: a cashier with somebody of the table."""

    moved = FloatFilled


@event(significant="credit")
class FloatCredited(Slip):
    """Chips went from the float to the cage."""

    def after(self, floor: Floor) -> Floor:
        return self.booked(floor, -self.total)

    def say(self, to: Listener) -> str:
        return f"credit {self.slip}: {to.money(self.total)} to the cage, by {self.by} and {self.second}."


@act("keep_the_bank", two_people=True)
class CreditFloat(MoveChips):
    """Take chips from the float to the cage: a cashier with somebody of the table."""

    moved = FloatCredited


@act("keep_the_bank")
class ColourUp(FloorCommand):
    """Change a player's chips for larger or smaller ones of the same value."""

    seat: int
    given: Count
    received: Count

    def decide(self, ctx: Context) -> FloorAnswer:
        if refused := ctx.only(("box", "supervisor"), None):
            return refused
        seat, given = ctx.seat(self.seat), total(self.given)
        if isinstance(given, Refusal) or given != total(self.received) or not 0 < given <= seat.rail:
            return refuse("floor.count", "What is given comes to what is received, and lies there.", None, self.seat)
        return Acted((ChipsColoured(self.seat, self.given, self.received, given, ctx.by.name),))


@event()
class ChipsColoured(FloorEvent):
    """A player's chips were changed for others of the same value."""

    seat: int
    given: Count
    received: Count
    total: Chips
    by: str

    def say(self, to: Listener) -> str:
        return f"{to.money(self.total)} of {to.whose(self.seat)} chips are coloured up."


# --- The chip bank at the cage ----------------------------------------------------------------------------------------


@frozen
class ChipBankEvent(FloorEvent):
    """What is written of the chip bank."""

    count: Count
    total: Chips
    by: str
    second: str
    reason: str = ""

    def why(self, to: Listener) -> str:
        return f"{to.money(self.total)}{self.reason and f': {self.reason}'}"


@frozen
class IssueChips(FloorCommand):
    """Chips of the house that come to be, or go for good."""

    count: Count
    reason: str
    second: str = ""

    issued: ClassVar[Callable[..., ChipBankEvent]]

    def decide(self, ctx: Context) -> FloorAnswer:
        amount = total(self.count)
        if refused := no_cashier(ctx) or missing("where they come from or go to", self.reason):
            return refused
        if isinstance(amount, Refusal) or not amount:
            return amount or refuse("floor.count", "Say how many chips there are of each denomination.")
        return Acted((self.issued(self.count, amount, ctx.by.name, self.second, self.reason),))


@event(significant="chips received")
class ChipsReceived(ChipBankEvent):
    """There are more chips of the house than before, and they lie in the bank."""

    def say(self, to: Listener) -> str:
        return f"{self.by} and {self.second} take {to.money(self.total)} of new chips into the bank."


@act("keep_the_cage", two_people=True, house_wide=True)
class ReceiveChips(IssueChips):
    """Take new chips into the chip bank of the cage."""

    issued = ChipsReceived


@event(significant="chips retired")
class ChipsRetired(ChipBankEvent):
    """There are fewer chips of the house than before."""

    def say(self, to: Listener) -> str:
        return f"{self.by} and {self.second} take {to.money(self.total)} of chips out of the bank for good."


@act("keep_the_cage", two_people=True, house_wide=True)
class RetireChips(IssueChips):
    """Take chips out of the chip bank for good: worn out, or sent back to their maker."""

    issued = ChipsRetired


@event()
class ChipBankCounted(ChipBankEvent):
    """So much lay in the bank; what must lie there, the fills and credits of all tables say."""

    def say(self, to: Listener) -> str:
        return f"{self.by} and {self.second} count the chip bank: {to.money(self.total)}."


@act("keep_the_cage", two_people=True, house_wide=True)
class CountChipBank(FloorCommand):
    """Count the chips of the cage's bank; what must be there is in a report that whoever counts does not read."""

    count: Count
    second: str = ""

    def decide(self, ctx: Context) -> FloorAnswer:
        amount = total(self.count)
        if refused := no_cashier(ctx):
            return refused
        if isinstance(amount, Refusal):
            return amount
        return Acted((ChipBankCounted(self.count, amount, ctx.by.name, self.second),))
