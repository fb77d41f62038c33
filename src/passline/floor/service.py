"""What the floor does for players and with the dice: vouchers, the rules on request, dice that are measured."""

from typing import cast

from passline.engine import commands as c
from passline.engine.layout import Layout
from passline.engine.refusals import refuse
from passline.engine.values import Chips, ClauseId, Role
from passline.floor.acts import CREW, Acted, Context, FloorCommand, FloorEvent, Listener, act, event, need
from passline.floor.cage import alone_up_to
from passline.floor.names import folded
from passline.floor.state import Floor, Voucher


@act("work_the_floor")
class IssueVoucher(FloorCommand):
    """Issue a promotional voucher of a stated value."""

    voucher: str
    value: Chips
    conditions: str = ""

    def decide(self, ctx: Context) -> Acted:
        clause, tokens = ctx.rules.vouchers, ctx.book.betting.tokens
        if not tokens.value:
            no = f"{ctx.book.name} plays without tokens, and so without vouchers."
            refuse("floor.no_rule", no, tokens.clause)
        ctx.supervisors_only(clause)
        need("the number of the voucher", self.voucher, clause)
        if self.value <= 0 or self.voucher in ctx.floor.vouchers:
            refuse("floor.voucher", "A voucher has a number of its own and a value above nothing.", clause)
        return Acted((VoucherIssued(self.voucher, self.value, self.conditions, ctx.by.name, clause),))


@event("voucher {voucher} is issued for {value:money}.", significant="voucher issued")
class VoucherIssued(FloorEvent):
    voucher: str
    value: Chips
    conditions: str
    by: str
    clause: ClauseId | None

    def after(self, floor: Floor) -> Floor:
        issued = {self.voucher: Voucher(self.value, self.conditions, self.by)}
        return floor._replace(vouchers={**floor.vouchers, **issued})

    def why(self, to: Listener) -> str:
        return f"{self.voucher}, worth {to.money(self.value)}" + (f": {self.conditions}" if self.conditions else "")


@act("work_the_floor")
class ChangeVoucher(FloorCommand):
    """Change a voucher into tokens for a player."""

    voucher: str
    seat: int
    flaw: str | None = None  # why its printed conditions do not allow it, if they do not

    def decide(self, ctx: Context) -> Acted:
        """Once, at the same value, and by another person than issued it."""
        clause, voucher = ctx.rules.vouchers, ctx.floor.vouchers.get(self.voucher)
        if voucher is None or voucher.changed:
            refuse("floor.voucher", "The house has issued no such voucher, or it has been changed.", clause)
        if folded(ctx.by.name) == folded(voucher.by):
            refuse("floor.voucher", "Whoever issued a voucher does not change it: another person does.", clause)
        game = ctx.play(c.TakeTokens(self.seat, voucher.value, cast("Role", ctx.by.role), self.flaw))
        return Acted((VoucherChanged(self.voucher, self.seat, voucher.value, ctx.by.name, clause),), game)


@event(
    "voucher {voucher} becomes {value:money} in tokens for {seat:who}.",
    significant="tokens given",
    why="{voucher}, worth {value:money}, seat {seat}",
)
class VoucherChanged(FloorEvent):
    voucher: str
    seat: int
    value: Chips
    by: str
    clause: ClauseId | None

    def after(self, floor: Floor) -> Floor:
        changed = {self.voucher: floor.vouchers[self.voucher]._replace(changed=True)}
        return floor._replace(vouchers={**floor.vouchers, **changed})


@act("grant_comps", two_people=True, house_wide=True)
class GrantComp(FloorCommand):
    """Give a player something on the house: a meal, a room; above the house's sum two people do."""

    player: str
    what: str
    value: Chips
    reason: str
    second: str = ""

    def takes_two(self, layout: Layout) -> bool:
        return self.value > alone_up_to(layout)

    def decide(self, ctx: Context) -> Acted:
        """Nobody has a hand in what they are given themselves."""
        ctx.only(("supervisor",), None)
        need("whom it is for", self.player)
        need("what it is", self.what)
        need("what it is for", self.reason)
        who = folded(self.player)
        if self.value <= 0:
            refuse("floor.amount", "A comp is worth more than nothing.")
        if who in (folded(ctx.by.name), folded(self.second)):
            refuse("floor.own_comp", "Nobody gives a comp to themselves: two others do.")
        if who in ctx.floor.barred:
            refuse("floor.barred", f"{self.player} may not play here.", ctx.floor.barred[who])
        return Acted((CompGranted(self.player, self.what, self.value, self.reason, ctx.by.name, self.second),))


@event(
    "{player} is given {what}, worth {value:money}, on the house, by {by}.",
    significant="comp granted",
    why="{what} for {player}, worth {value:money}: {reason}",
)
class CompGranted(FloorEvent):
    player: str
    what: str
    value: Chips
    reason: str
    by: str
    second: str  # empty where one person was enough


@act("speak_up", for_oneself=True)
class AskForRules(FloorCommand):
    """Ask to see the rules."""

    person: str

    def decide(self, ctx: Context) -> Acted:
        need("who asks", self.person, ctx.rules.rules_on_request)
        return Acted((RulesShown(self.person, ctx.rules.rules_on_request, ctx.book.id),))


@event()
class RulesShown(FloorEvent):
    """Somebody was shown the rules: every clause of a book, which the service has under its name."""

    person: str
    clause: ClauseId | None
    book: str  # the house whose rules they are; empty in entries of before it was said

    def say(self, to: Listener) -> str:
        whose = f" of {to.layout.book.name}" if self.book else ""
        return f"{self.person} is shown the rules{whose}."


@act("be_on_duty")
class InspectDice(FloorCommand):
    """Measure the faces of the dice, each in tenths of a millimetre."""

    faces: tuple[int, ...]

    def decide(self, ctx: Context) -> Acted:
        """Dice that are too small are not thrown."""
        least = ctx.rules.die_face
        if least is None:
            refuse("floor.no_rule", f"The book of {ctx.book.name} gives no measure for dice.")
        ctx.only((*CREW, "inspector"), least.clause)
        if not self.faces:
            refuse("floor.unsaid", "Say how large the faces are.", least.clause)
        smallest = min(self.faces)
        return Acted((DiceInspected(smallest >= least.value, smallest, ctx.by.name, least.clause),))


@event(significant="dice inspected")
class DiceInspected(FloorEvent):
    """The dice were measured, and may be thrown or not."""

    passed: bool
    smallest: int  # the smallest face, in tenths of a millimetre
    by: str
    clause: ClauseId

    def after(self, floor: Floor) -> Floor:
        return floor._replace(dice_failed=not self.passed)

    def say(self, _to: Listener) -> str:
        result = "are fit to be thrown" if self.passed else "are too small and leave the table"
        return f"the dice {result}: the smallest face measures {self.smallest} tenths of a millimetre."
