"""The chips of the house: its bank at the cage, and a table's float, counted, filled and credited by two people."""

from collections.abc import Callable
from typing import ClassVar, Literal

from passline.engine.refusals import refuse
from passline.engine.values import Chips, frozen
from passline.floor.acts import Acted, Context, FloorCommand, FloorEvent, Listener, act, event, need
from passline.floor.cage import Count, Counted, cashiers_only, total
from passline.floor.state import Floor, TableBank

When = Literal["opening", "shift", "closing"]


def some(count: Count) -> int:
    """What a count comes to that is of more than nothing."""
    amount = total(count)
    if not amount:
        refuse("floor.count", "Say how many chips there are of each denomination.")
    return amount


@act("keep_the_bank", two_people=True)
class CountFloat(FloorCommand):
    """Count the chips of the float, by denomination and with another; what must be there is told only afterwards."""

    when: When
    count: Count
    second: str = ""

    def decide(self, ctx: Context) -> Acted:
        ctx.only(("box", "supervisor"), None)
        holds, bank, table = total(self.count), ctx.floor.bank, ctx.table
        if bank is None and self.when != "opening":
            refuse("floor.count", "The float was never counted: the opening comes first.")
        due, outside = holds if bank is None else bank.due(table), table.bought - table.bank
        up = sum(each.stake - each.tokens for seat in table.seats.values() for each in seat.felt.values())
        who = (ctx.by.name, self.second)
        return Acted((FloatCounted(self.when, self.count, holds, due, outside, up, table.bank, *who),))


@event(significant="float variance", why="{when}: {total:money} counted, {due:money} due")
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


@frozen
class MoveChips(FloorCommand):
    """Chips between the cage and the float, on a numbered slip."""

    count: Count
    second: str = ""

    moved: "ClassVar[Callable[..., Slip]]"

    def decide(self, ctx: Context) -> Acted:
        amount, bank = some(self.count), ctx.floor.bank
        if bank is None:
            refuse("floor.count", "Count the float first: nobody knows what it holds.")
        if isinstance(self, CreditFloat) and amount > bank.due(ctx.table):
            refuse("floor.count", "The float holds less than that.")
        return Acted((self.moved(bank.slips + 1, self.count, amount, ctx.by.name, self.second),))


@frozen
class Slip(FloorEvent):
    """A numbered slip: chips went between the cage and the float."""

    slip: int
    count: Count
    total: Chips
    by: str
    second: str

    way: ClassVar[int] = 1  # to the float; or, -1, from it
    because = "slip {slip}: {total:money}"

    def after(self, floor: Floor) -> Floor:
        assert floor.bank is not None, "a slip is of a float that was counted"
        book = floor.bank.book + self.way * self.total
        return floor._replace(bank=floor.bank._replace(book=book, slips=self.slip))


@event("fill {slip}: {total:money} to the float, by {by} and {second}.", significant="fill")
class FloatFilled(Slip):
    """Chips came from the cage to the float."""


@act("keep_the_bank", two_people=True)
class FillFloat(MoveChips):
    """Bring chips from the cage to the float: a cashier with somebody of the table."""

    moved = FloatFilled


@event("credit {slip}: {total:money} to the cage, by {by} and {second}.", significant="credit")
class FloatCredited(Slip):
    way = -1


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

    def decide(self, ctx: Context) -> Acted:
        ctx.only(("box", "supervisor"), None)
        seat, amount = ctx.seat(self.seat), total(self.given)
        if amount != total(self.received) or not 0 < amount <= seat.rail:
            refuse("floor.count", "What is given comes to what is received, and lies there.", None, self.seat)
        return Acted((ChipsColoured(self.seat, self.given, self.received, amount, ctx.by.name),))


@event("{total:money} of {seat:whose} chips are coloured up.")
class ChipsColoured(FloorEvent):
    """A player's chips were changed for others of the same value."""

    seat: int
    given: Count
    received: Count
    total: Chips
    by: str


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

    def decide(self, ctx: Context) -> Acted:
        cashiers_only(ctx)
        need("where they come from or go to", self.reason)
        return Acted((self.issued(self.count, some(self.count), ctx.by.name, self.second, self.reason),))


@event("{by} and {second} take {total:money} of new chips into the bank.", significant="chips received")
class ChipsReceived(ChipBankEvent):
    """There are more chips of the house than before, and they lie in the bank."""


@act("keep_the_cage", two_people=True, house_wide=True)
class ReceiveChips(IssueChips):
    """Take new chips into the chip bank of the cage."""

    issued = ChipsReceived


@event("{by} and {second} take {total:money} of chips out of the bank for good.", significant="chips retired")
class ChipsRetired(ChipBankEvent):
    """There are fewer chips of the house than before."""


@act("keep_the_cage", two_people=True, house_wide=True)
class RetireChips(IssueChips):
    """Take chips out of the chip bank for good: worn out, or sent back to their maker."""

    issued = ChipsRetired


@event("{by} and {second} count the chip bank: {total:money}.")
class ChipBankCounted(ChipBankEvent):
    """So much lay in the bank; what must lie there, the fills and credits of all tables say."""


@act("keep_the_cage", two_people=True, house_wide=True)
class CountChipBank(FloorCommand):
    """Count the chips of the cage's bank; what must be there is in a report that whoever counts does not read."""

    count: Count
    second: str = ""

    def decide(self, ctx: Context) -> Acted:
        cashiers_only(ctx)
        return Acted((ChipBankCounted(self.count, total(self.count), ctx.by.name, self.second),))
