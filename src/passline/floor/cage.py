"""The cage: drawers that are opened, counted and handed over; money paid in and out; limits players set themselves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Literal

from passline.engine.events import Chips
from passline.engine.frozen import frozen
from passline.engine.layout import Layout
from passline.engine.refusals import Refusal
from passline.floor.acts import Acted, Context, FloorAnswer, FloorCommand, FloorEvent, Listener, act, event
from passline.floor.clock import DAY, Time, day_begins, elapsed, gaming_day, instant, is_time
from passline.floor.names import folded
from passline.floor.refusals import missing, refuse
from passline.floor.state import Drawer, Floor, OwnLimits, without

# What money is paid with; only cash lies in a drawer, and all else has a reference.
MoneyForm = Literal["cash", "cheque", "card", "transfer"]

Count = Annotated[Mapping[int, int], "count"]  # by denomination in minor units: how many chips, notes or coins

PIECES_MAX = 1_000_000
STOP_WITHIN = 366 * DAY  # how far away a time to stop may be


def total(count: Count) -> int | Refusal:
    """What a count comes to, if it is one."""
    if any(each <= 0 or not 0 <= count[each] <= PIECES_MAX for each in count):
        return refuse("floor.count", "Count by denomination: each above nothing, and how many there are of it.")
    return sum(each * pieces for each, pieces in count.items())


def no_cashier(ctx: Context) -> Refusal | None:
    return None if ctx.by.role == "cashier" else refuse("floor.role", "This is for the cashier to do.")


def no_drawer(ctx: Context) -> Refusal | None:
    return None if folded(ctx.by.name) in ctx.floor.drawers else refuse("floor.drawer", "Open your drawer first.")


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
        return f", {to.money(abs(self.variance))} {'over' if self.variance > 0 else 'short'}" if self.variance else ""


@frozen
class CountCash(FloorCommand):
    """Cash of a drawer, counted with another."""

    count: Count
    second: str = ""

    def counted(self, ctx: Context) -> DrawerCounted | Refusal:
        if refused := no_drawer(ctx):
            return refused
        drawer, holds = ctx.floor.drawers[folded(ctx.by.name)], total(self.count)
        if isinstance(holds, Refusal):
            return holds
        return DrawerCounted(ctx.by.name, self.count, holds, drawer.opening, drawer.book, self.second)


@act("keep_the_cage", two_people=True, house_wide=True)
class OpenDrawer(CountCash):
    """Open your drawer with cash that two people counted."""

    def decide(self, ctx: Context) -> FloorAnswer:
        if refused := no_cashier(ctx):
            return refused
        if folded(ctx.by.name) in ctx.floor.drawers:
            return refuse("floor.drawer", "Your drawer is open: count it, and close it, before you open another.")
        holds = total(self.count)
        if isinstance(holds, Refusal):
            return holds
        return Acted((DrawerOpened(ctx.by.name, self.count, holds, ctx.now, self.second),))


@event()
class DrawerOpened(FloorEvent):
    """A cashier began with so much cash."""

    by: str
    count: Count
    total: Chips
    at: str
    second: str

    def after(self, floor: Floor) -> Floor:
        return floor._replace(drawers={**floor.drawers, folded(self.by): Drawer(self.at, self.total, self.total)})

    def say(self, to: Listener) -> str:
        return f"{self.by} opens a drawer with {to.money(self.total)}, counted with {self.second}."


@act("keep_the_cage", two_people=True, house_wide=True)
class CloseDrawer(CountCash):
    """Count your drawer and close it; what must be in it is told only afterwards."""

    def decide(self, ctx: Context) -> FloorAnswer:
        counted = self.counted(ctx)
        return counted if isinstance(counted, Refusal) else Acted((counted,))


@act("keep_the_cage", two_people=True, house_wide=True)
class HandDrawerOver(CountCash):
    """Count your drawer together with the cashier who takes it over."""

    def decide(self, ctx: Context) -> FloorAnswer:
        counted = self.counted(ctx)
        if isinstance(counted, Refusal):
            return counted
        if folded(self.second) in ctx.floor.drawers:
            return refuse("floor.drawer", f"{self.second} has a drawer open already.")
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

    def unfit(self, ctx: Context) -> Refusal | None:
        """What paying in and paying out are refused for alike."""
        if refused := no_cashier(ctx):
            return refused
        if self.amount <= 0:
            return refuse("floor.amount", "A payment is of more than nothing.")
        if folded(self.player) == folded(ctx.by.name):
            return refuse("floor.role", "Nobody pays themselves at the cage: another cashier does.")
        unsaid = missing("whose money it is", self.player) or missing("what it is for", self.reason)
        unreferenced = None if self.form == "cash" else missing(f"the number of the {self.form}", self.reference)
        return unsaid or unreferenced or no_drawer(ctx)

    def paid(self, ctx: Context) -> tuple[str, int, MoneyForm, str, str, str, str]:
        return self.player, self.amount, self.form, self.reference, self.reason, ctx.by.name, self.second


def alone_up_to(layout: Layout) -> int:
    return layout.book.floor.cage.second_above * layout.grain


@act("keep_the_cage", two_people=True, house_wide=True)
class PayIn(Payment):
    """Take money for a player's wallet."""

    def decide(self, ctx: Context) -> FloorAnswer:
        """Nothing is taken from the excluded, nor more in a day than somebody wants taken of theirs."""
        who = folded(self.player)
        if refused := self.unfit(ctx):
            return refused
        if who in ctx.floor.barred:
            return refuse("floor.barred", f"{self.player} may not play here.", ctx.floor.barred[who])
        day = gaming_day(ctx.now, ctx.rules.cage)
        so_far = ctx.floor.deposits.get(who, 0) if day == ctx.floor.gaming_day else 0
        most = current(ctx.floor, who, ctx.now).deposit
        if most and so_far + self.amount > most:
            left = ctx.layout.money(max(0, most - so_far))
            return refuse("floor.own_limit", f"{self.player} wants no more taken today than {left} from here on.")
        return Acted((MoneyPaidIn(*self.paid(ctx), so_far + self.amount, day),))


@act("keep_the_cage", two_people=True, house_wide=True)
class PayOut(Payment):
    """Pay a player out of their wallet; the excluded too."""

    def decide(self, ctx: Context) -> FloorAnswer:
        if refused := self.unfit(ctx):
            return refused
        if self.form == "cash" and self.amount > ctx.floor.drawers[folded(ctx.by.name)].book:
            return refuse("floor.drawer", "There is less cash than that in your drawer.")
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
        if self.form != "cash":
            return floor
        drawer = floor.drawers[folded(self.by)]
        return floor._replace(drawers={**floor.drawers, folded(self.by): drawer._replace(book=drawer.book + amount)})


@event()
class MoneyPaidIn(MoneyPaid):
    """A player's wallet holds more."""

    day_total: Chips  # what they have paid in on this gaming day
    day: int

    def after(self, floor: Floor) -> Floor:
        deposits = floor.deposits if self.day == floor.gaming_day else {}
        deposits = {**deposits, folded(self.player): self.day_total}
        return self.in_drawer(floor._replace(deposits=deposits, gaming_day=self.day), self.amount)

    def say(self, to: Listener) -> str:
        return f"{self.player} pays {to.money(self.amount)} in ({self.form}), to {self.by}."


@event()
class MoneyPaidOut(MoneyPaid):
    """A player's wallet holds less."""

    def after(self, floor: Floor) -> Floor:
        return self.in_drawer(floor, -self.amount)

    def say(self, to: Listener) -> str:
        return f"{self.player} is paid {to.money(self.amount)} ({self.form}), by {self.by}."


def payments(events: Iterable[FloorEvent]) -> Iterator[tuple[Literal["pay_in", "pay_out"], str, int]]:
    """What the books of the cage write beside an act: which way, whose wallet, how much."""
    for each in events:
        if isinstance(each, MoneyPaid):
            yield "pay_in" if isinstance(each, MoneyPaidIn) else "pay_out", folded(each.player), each.amount


@act("speak_up", house_wide=True, for_oneself=True)
class LimitOneself(FloorCommand):
    """Set limits for oneself: what is taken at the cage and lost at all tables in a day, and when one stops playing."""

    person: str
    deposit: Chips = 0  # the most that is taken in a gaming day, in minor units; 0: no limit
    stop_at: Time = ""  # from when on one does not play until the next gaming day
    loss: Chips = 0  # the most chips that are bought in a gaming day beyond those brought back; 0: no limit

    def decide(self, ctx: Context) -> FloorAnswer:
        """A stricter limit holds at once; a looser one in 24 hours, and a time to stop is not moved back."""
        if refused := missing("whose limits these are", self.person):
            return refused
        if folded(self.person) != folded(ctx.by.name):
            return refuse("floor.role", "Everybody sets limits for themselves.")
        if min(self.deposit, self.loss) < 0 or (self.stop_at and not is_time(self.stop_at)):
            return refuse("floor.amount", "Say a sum of money, and a time such as 2026-11-15T23:30:00Z.")
        if self.stop_at and abs(instant(self.stop_at) - instant(ctx.now)) > STOP_WITHIN:
            return refuse("floor.amount", "A time to stop is within a year.")
        now = current(ctx.floor, folded(self.person), ctx.now)
        over = instant(ctx.now) >= now.plays_again
        if now.stop_at and not over and (not self.stop_at or instant(self.stop_at) > instant(now.stop_at)):
            return refuse("floor.own_limit", "A time to stop is not moved back before it is over.")
        cage = ctx.rules.cage
        resumes = day_begins(gaming_day(self.stop_at, cage) + 1, cage) if self.stop_at else ""
        deposit, loss = _stricter(now.deposit, self.deposit), _stricter(now.loss, self.loss)
        waits = ctx.now if (deposit, loss) != (self.deposit, self.loss) else ""
        later = (self.deposit, self.loss) if waits else (0, 0)
        return Acted((OwnLimitsSet(self.person, deposit, loss, self.stop_at, *later, waits, resumes),))


def _stricter(one: int, other: int) -> int:
    return min(one, other) if one and other else one or other


@event()
class OwnLimitsSet(FloorEvent):
    """A player wants to be held to limits."""

    person: str
    deposit: Chips
    loss: Chips
    stop_at: str
    next_deposit: Chips  # what holds 24 hours after it was asked for
    next_loss: Chips
    asked_at: str  # when a looser one was asked for; empty: none was
    resumes: str  # when the gaming day after `stop_at` begins: from then on they play again

    def after(self, floor: Floor) -> Floor:
        later = (self.next_deposit, self.next_loss, self.asked_at, self.resumes)
        limits = OwnLimits(self.deposit, self.loss, self.stop_at, *later)
        return floor._replace(own_limits={**floor.own_limits, folded(self.person): limits})

    def say(self, to: Listener) -> str:
        sums = (("paid in", self.deposit), ("lost", self.loss))
        limits = [f"at most {to.money(most)} {what} in a day" for what, most in sums if most]
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
