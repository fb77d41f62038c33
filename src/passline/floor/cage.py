"""The house's money: drawers of cash, payments, limits players set themselves; the chips of floats and of the bank."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Annotated, ClassVar, Literal

from passline.engine.layout import Layout
from passline.engine.refusals import refuse
from passline.engine.values import Chips, frozen
from passline.floor.acts import Acted, Context, FloorCommand, FloorEvent, Listener, act, event, need
from passline.floor.clock import DAY, Time, day_begins, elapsed, gaming_day, instant, is_time
from passline.floor.names import folded
from passline.floor.state import Drawer, Floor, OwnLimits, TableBank, without

MoneyForm = Literal["cash", "cheque", "card", "transfer"]  # only cash lies in a drawer, and all else has a reference
Count = Annotated[Mapping[int, int], "count"]  # by denomination in minor units: how many chips, notes or coins
PIECES_MAX = 1_000_000
STOP_WITHIN = 366 * DAY  # how far away a time to stop may be


def total(count: Count) -> int:
    if any(each <= 0 or not 0 <= count[each] <= PIECES_MAX for each in count):
        refuse("floor.count", "Count by denomination: each above nothing, and how many there are of it.")
    return sum(each * pieces for each, pieces in count.items())


def own_drawer(ctx: Context, out: int = 0) -> Drawer:
    """The drawer of whoever asks, with enough cash in it for what is taken out."""
    drawer = ctx.floor.drawers.get(folded(ctx.by.name))
    if drawer is None:
        refuse("floor.drawer", "Open your drawer first.")
    if out > drawer.book:
        refuse("floor.drawer", "There is less cash than that in your drawer.")
    return drawer


class Counted(FloorEvent):
    """Money or chips that two people counted; significant where it is not what must be there."""

    __slots__ = ()

    total: Chips
    due: Chips

    @property
    def variance(self) -> int:
        return self.total - self.due

    def is_significant(self) -> bool:
        return bool(self.variance)

    def off(self, to: Listener) -> str:
        """By how much it is over or short, where it is."""
        side = "over" if self.variance > 0 else "short"
        return f", {to.money(abs(self.variance))} {side} of {to.money(self.due)}" if self.variance else ""


@frozen
class CountCash(FloorCommand):
    """Cash of a drawer, counted with another."""

    count: Count
    second: str = ""

    def counted(self, ctx: Context) -> "DrawerCounted":
        drawer, holds = own_drawer(ctx), total(self.count)
        return DrawerCounted(ctx.by.name, self.count, holds, drawer.opening, drawer.book, self.second)


@act("keep_the_cage", two_people=True, house_wide=True)
class OpenDrawer(CountCash):
    """Open your drawer with cash that two people counted."""

    def decide(self, ctx: Context) -> Acted:
        ctx.only(("cashier",))
        if folded(ctx.by.name) in ctx.floor.drawers:
            refuse("floor.drawer", "Your drawer is open: count it, and close it, before you open another.")
        return Acted((DrawerOpened(ctx.by.name, self.count, total(self.count), ctx.now, self.second),))


@event("{by} opens a drawer with {total:money}, counted with {second}.")
class DrawerOpened(FloorEvent):
    by: str
    count: Count
    total: Chips
    at: str
    second: str

    def after(self, floor: Floor) -> Floor:
        return floor._replace(drawers={**floor.drawers, folded(self.by): Drawer(self.at, self.total, self.total)})


@act("keep_the_cage", two_people=True, house_wide=True)
class CloseDrawer(CountCash):
    """Count your drawer and close it; what must be in it is told only afterwards."""

    def decide(self, ctx: Context) -> Acted:
        return Acted((self.counted(ctx),))


@act("keep_the_cage", two_people=True, house_wide=True)
class HandDrawerOver(CountCash):
    """Count your drawer together with the cashier who takes it over."""

    def decide(self, ctx: Context) -> Acted:
        counted = self.counted(ctx)
        if folded(self.second) in ctx.floor.drawers:
            refuse("floor.drawer", f"{self.second} has a drawer open already.")
        return Acted((counted, DrawerOpened(self.second, self.count, counted.total, ctx.now, ctx.by.name)))


@event(significant="drawer variance")
class DrawerCounted(Counted):
    """A cashier ended with so much cash."""

    by: str
    count: Count
    total: Chips
    opening: Chips
    due: Chips
    second: str

    def after(self, floor: Floor) -> Floor:
        return floor._replace(drawers=without(floor.drawers, folded(self.by)))

    def say(self, to: Listener) -> str:
        return f"{self.by} closes the drawer with {to.money(self.total)}{self.off(to)}, counted with {self.second}."

    def why(self, to: Listener) -> str:
        return f"{self.by}'s drawer holds {to.money(self.total)}{self.off(to)}"


@frozen
class Payment(FloorCommand):
    """Money between a cashier and a player's wallet, whichever way."""

    player: str
    amount: Chips
    reason: str
    form: MoneyForm = "cash"
    reference: str = ""
    second: str = ""

    def takes_two(self, layout: Layout) -> bool:
        return self.amount > alone_up_to(layout)

    def check(self, ctx: Context) -> None:
        """What paying in and paying out are refused for alike."""
        ctx.only(("cashier",))
        if self.amount <= 0:
            refuse("floor.amount", "A payment is of more than nothing.")
        if folded(self.player) == folded(ctx.by.name):
            refuse("floor.role", "Nobody pays themselves at the cage: another cashier does.")
        need("whose money it is", self.player)
        need("what it is for", self.reason)
        if self.form != "cash":
            need(f"the number of the {self.form}", self.reference)
        own_drawer(ctx)

    def paid(self, ctx: Context) -> tuple[str, int, MoneyForm, str, str, str, str]:
        return self.player, self.amount, self.form, self.reference, self.reason, ctx.by.name, self.second


def alone_up_to(layout: Layout) -> int:
    return layout.book.floor.cage.second_above * layout.minor_per_unit


@act("keep_the_cage", two_people=True, house_wide=True)
class PayIn(Payment):
    """Take money for a player's wallet."""

    def decide(self, ctx: Context) -> Acted:
        """Nothing is taken from the excluded, nor more in a day than somebody wants taken of theirs."""
        who = folded(self.player)
        self.check(ctx)
        if who in ctx.floor.barred:
            refuse("floor.barred", f"{self.player} may not play here.", ctx.floor.barred[who])
        day = gaming_day(ctx.now, ctx.rules.cage)
        so_far = ctx.floor.deposits.get(who, 0) if day == ctx.floor.gaming_day else 0
        most = current(ctx.floor, who, ctx.now).deposit
        if most is not None and so_far + self.amount > most:
            left = ctx.layout.money(max(0, most - so_far))
            refuse("floor.own_limit", f"{self.player} wants no more taken today than {left} from here on.")
        return Acted((MoneyPaidIn(*self.paid(ctx), so_far + self.amount, day),))


@act("keep_the_cage", two_people=True, house_wide=True)
class PayOut(Payment):
    """Pay a player out of their wallet; the excluded too."""

    def decide(self, ctx: Context) -> Acted:
        self.check(ctx)
        if self.form == "cash":
            own_drawer(ctx, self.amount)
        return Acted((MoneyPaidOut(*self.paid(ctx)),))


@frozen
class MoneyPaid(FloorEvent):
    """What is written of a payment, whichever way."""

    player: str
    amount: Chips
    form: MoneyForm
    reference: str
    reason: str
    by: str
    second: str  # Empty where one cashier was enough

    def in_drawer(self, floor: Floor, amount: int) -> Floor:
        return in_drawer(floor, self.by, amount) if self.form == "cash" else floor


@event("{player} pays {amount:money} in ({form}), to {by}.")
class MoneyPaidIn(MoneyPaid):
    day_total: Chips  # what they have paid in on this gaming day
    day: int

    def after(self, floor: Floor) -> Floor:
        deposits = floor.deposits if self.day == floor.gaming_day else {}
        deposits = {**deposits, folded(self.player): self.day_total}
        return self.in_drawer(floor._replace(deposits=deposits, gaming_day=self.day), self.amount)


@event("{player} is paid {amount:money} ({form}), by {by}.")
class MoneyPaidOut(MoneyPaid):
    def after(self, floor: Floor) -> Floor:
        return self.in_drawer(floor, -self.amount)


@act("keep_the_cage", two_people=True, house_wide=True)
class MoveCash(FloorCommand):
    """Bring cash into your drawer or take it out for anything but a player's wallet: a prize, a bill, the safe."""

    direction: Literal["in", "out"]
    amount: Chips
    reason: str
    reference: str  # the number of the document that goes with it
    second: str = ""

    def decide(self, ctx: Context) -> Acted:
        ctx.only(("cashier",))
        own_drawer(ctx)
        if self.amount <= 0:
            refuse("floor.amount", "A payment is of more than nothing.")
        need("what it is for", self.reason)
        need("the number of the document", self.reference)
        if self.direction == "out":
            own_drawer(ctx, self.amount)
        return Acted((CashMoved(self.direction, self.amount, self.reference, self.reason, ctx.by.name, self.second),))


@event(significant="cash moved", why="{amount:money} {direction}: {reason} ({reference})")
class CashMoved(FloorEvent):
    """A drawer holds more or less cash, and no wallet does."""

    direction: Literal["in", "out"]
    amount: Chips
    reference: str
    reason: str
    by: str
    second: str

    def after(self, floor: Floor) -> Floor:
        return in_drawer(floor, self.by, self.amount if self.direction == "in" else -self.amount)

    def say(self, to: Listener) -> str:
        way = "into the drawer" if self.direction == "in" else "out of the drawer"
        return f"{self.by} and {self.second} move {to.money(self.amount)} {way}: {self.reason} ({self.reference})."


def in_drawer(floor: Floor, by: str, amount: int) -> Floor:
    drawer = floor.drawers[folded(by)]
    return floor._replace(drawers={**floor.drawers, folded(by): drawer._replace(book=drawer.book + amount)})


def payments(events: Iterable[FloorEvent]) -> Iterator[tuple[Literal["pay_in", "pay_out"], str, int]]:
    """What the books of the cage write beside an act: which way, whose wallet, how much."""
    for each in events:
        if isinstance(each, MoneyPaid):
            yield "pay_in" if isinstance(each, MoneyPaidIn) else "pay_out", folded(each.player), each.amount


@act("speak_up", house_wide=True, for_oneself=True)
class LimitOneself(FloorCommand):
    """Set limits for oneself: what is taken at the cage and lost at all tables in a day, and when one stops playing."""

    person: str
    deposit: Chips | None = None  # the most that is taken in a gaming day, in minor units; null: no limit
    loss: Chips | None = None  # the most chips bought in a gaming day beyond those brought back; null: no limit
    stop_at: Time = ""  # from when on one does not play until the next gaming day

    def decide(self, ctx: Context) -> Acted:
        """A stricter limit holds at once; a looser one in 24 hours, and a time to stop is not moved back."""
        need("whose limits these are", self.person)
        if folded(self.person) != folded(ctx.by.name):
            refuse("floor.role", "Everybody sets limits for themselves.")
        if min(self.deposit or 0, self.loss or 0) < 0 or (self.stop_at and not is_time(self.stop_at)):
            refuse("floor.amount", "Say a sum of money, and a time such as 2026-11-15T23:30:00Z.")
        if self.stop_at and abs(instant(self.stop_at) - instant(ctx.now)) > STOP_WITHIN:
            refuse("floor.amount", "A time to stop is within a year.")
        now = current(ctx.floor, folded(self.person), ctx.now)
        over = instant(ctx.now) >= now.plays_again
        if not over and (not self.stop_at or instant(self.stop_at) > instant(now.stop_at)):
            refuse("floor.own_limit", "A time to stop is not moved back before it is over.")
        cage = ctx.rules.cage
        resumes = day_begins(gaming_day(self.stop_at, cage) + 1, cage) if self.stop_at else ""
        deposit, loss = _stricter(now.deposit, self.deposit), _stricter(now.loss, self.loss)
        waits = ctx.now if (deposit, loss) != (self.deposit, self.loss) else ""
        later = (self.deposit, self.loss) if waits else (None, None)
        return Acted((OwnLimitsSet(self.person, deposit, loss, self.stop_at, *later, waits, resumes),))


def _stricter(*limits: int | None) -> int | None:
    return min((each for each in limits if each is not None), default=None)


@event()
class OwnLimitsSet(FloorEvent):
    """A player wants to be held to limits."""

    person: str
    deposit: Chips | None
    loss: Chips | None
    stop_at: str
    next_deposit: Chips | None  # what holds 24 hours after it was asked for
    next_loss: Chips | None
    asked_at: str  # when a looser one was asked for; empty: none was
    resumes: str  # when the gaming day after `stop_at` begins: from then on they play again

    def after(self, floor: Floor) -> Floor:
        later = (self.next_deposit, self.next_loss, self.asked_at, self.resumes)
        limits = OwnLimits(self.deposit, self.loss, self.stop_at, *later)
        return floor._replace(own_limits={**floor.own_limits, folded(self.person): limits})

    def say(self, to: Listener) -> str:
        sums = (("paid in", self.deposit), ("lost", self.loss))
        limits = [f"at most {to.money(most)} {what} in a day" for what, most in sums if most is not None]
        limits += [f"no play after {self.stop_at}"] if self.stop_at else []
        return f"{self.person} is held to limits of their own: {', '.join(limits) or 'none'}."


def current(floor: Floor, who: str, now: str) -> OwnLimits:
    """What somebody is held to at a time, by the name as it is folded."""
    limits = floor.own_limits.get(who, OwnLimits())
    if limits.next_at and elapsed(limits.next_at, now) >= DAY:
        return OwnLimits(limits.next_deposit, limits.next_loss, limits.stop_at, resumes=limits.resumes)
    return limits


def has_stopped(floor: Floor, who: str, now: str) -> bool:
    """Whether somebody has set a time to stop, it has come, and the next gaming day has not begun."""
    limits = current(floor, who, now)
    return bool(limits.stop_at) and instant(limits.stop_at) <= instant(now) < limits.plays_again


# --- Chips ------------------------------------------------------------------------------------------------------------

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
        ctx.only(("box", "supervisor"))
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

    @property
    def called(self) -> str:
        return f"{self.significant} {self.slip}"

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
        ctx.only(("box", "supervisor"))
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


@frozen
class ChipBankEvent(FloorEvent):
    """What is written of the chip bank."""

    count: Count
    total: Chips
    by: str
    second: str
    reason: str = ""

    way: ClassVar[int] = 0  # whether there are more chips of the house by it, or, below nought, fewer

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
        ctx.only(("cashier",))
        need("where they come from or go to", self.reason)
        return Acted((self.issued(self.count, some(self.count), ctx.by.name, self.second, self.reason),))


@event("{by} and {second} take {total:money} of new chips into the bank.", significant="chips received")
class ChipsReceived(ChipBankEvent):
    """There are more chips of the house than before, and they lie in the bank."""

    way = 1


@act("keep_the_cage", two_people=True, house_wide=True)
class ReceiveChips(IssueChips):
    """Take new chips into the chip bank of the cage."""

    issued = ChipsReceived


@event("{by} and {second} take {total:money} of chips out of the bank for good.", significant="chips retired")
class ChipsRetired(ChipBankEvent):
    """There are fewer chips of the house than before."""

    way = -1


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
        ctx.only(("cashier",))
        return Acted((ChipBankCounted(self.count, total(self.count), ctx.by.name, self.second),))
