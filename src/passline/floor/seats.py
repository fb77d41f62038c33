"""What is decided about a player's place, and done for players: vouchers, comps, the rules, dice that are measured."""

from typing import cast

from passline.engine import commands as c
from passline.engine.decide import decide
from passline.engine.events import Event
from passline.engine.evolve import evolve
from passline.engine.layout import Layout
from passline.engine.refusals import Refusal, Refused, refuse
from passline.engine.values import Chips, ClauseId, Role
from passline.floor.acts import CREW, Acted, Context, FloorCommand, FloorEvent, Listener, act, event, need
from passline.floor.cage import alone_up_to
from passline.floor.names import folded
from passline.floor.state import EVERY_WAGER, Floor, Voucher


@act("work_the_floor")
class RefuseWager(FloorCommand):
    """Refuse a wager of a player's, or every wager, from now on."""

    seat: int
    wager: str | None  # none: every wager
    reason: str
    remove: bool = False  # whether what is up and may come down does
    breach: str | None = None  # what they were reported for, where that is the reason

    def decide(self, ctx: Context) -> Acted:
        clause, seat = ctx.rules.refusing, ctx.seat(self.seat)
        ctx.supervisors_only(clause)
        need("on what grounds", self.reason, clause)
        if self.breach is not None:
            _need_reports(ctx, seat.name, self.breach)
        if self.breach == "touching" and ctx.rules.refused_after is not None:
            clause = ctx.rules.refused_after.clause
        if self.wager is not None and self.wager not in ctx.layout.spots:
            refuse("floor.no_rule", f"{ctx.book.name} has no wager of that name.", clause, self.seat)
        game, runs_on = _removed(ctx, self) if self.remove else ((), ())
        removing = ctx.rules.removing if game else None
        return Acted((WagerRefused(self.seat, self.wager, self.reason, ctx.by.name, clause, runs_on, removing),), game)


def _need_reports(ctx: Context, name: str, breach: str) -> None:
    times = sum(folded(each.person) == folded(name) and each.breach == breach for each in ctx.floor.reports.values())
    needed = ctx.rules.refused_after
    least = needed.value if needed is not None and breach == "touching" else 1
    if times < least:
        clause = needed.clause if needed is not None else None
        refuse("floor.not_repeated", f"{name} was reported for it {times} times, and it takes {least}.", clause)


def _removed(ctx: Context, command: RefuseWager) -> tuple[tuple[Event, ...], tuple[str, ...]]:
    """What comes down, as far as it may: what must stay until it is decided runs on."""
    table = ctx.table
    events: list[Event] = []
    runs_on: list[str] = []
    for key in [key for key in table.seats[command.seat].felt if command.wager in (None, key)]:
        if key not in table.seats[command.seat].felt:
            continue  # it came down with the bet it stood behind
        answer = decide(ctx.layout, table, c.Take(command.seat, key))
        if isinstance(answer, Refusal):
            if answer.code != "take.locked":
                raise Refused(answer)
            runs_on.append(key)
            continue
        events += answer
        table = evolve(table, answer)
    return tuple(events), tuple(runs_on)


@event(significant="wager refused by the floor")
class WagerRefused(FloorEvent):
    """A wager of a player's is not taken any more."""

    seat: int
    wager: str | None  # none: every wager
    reason: str
    by: str
    clause: ClauseId | None
    runs_on: tuple[str, ...] = ()  # what is up, should come down and may not before it is decided
    removing: ClauseId | None = None  # the clause by which the rest came down

    def after(self, floor: Floor) -> Floor:
        refused = (*floor.refused.get(self.seat, ()), self.wager or EVERY_WAGER)
        return floor._replace(refused={**floor.refused, self.seat: refused})

    def say(self, to: Listener) -> str:
        what = "wagers are" if self.wager is None else f"{to.name(self.wager)} is"
        names = ", ".join(map(to.name, self.runs_on))
        runs = f"; what stays until it is decided runs on: {names}" if self.runs_on else ""
        return f"{to.whose(self.seat)} {what} refused by {self.by}: {self.reason}{runs}."


@act("work_the_floor")
class AllowWager(FloorCommand):
    """Take a player's wagers again."""

    seat: int
    wager: str | None  # none: every wager

    def decide(self, ctx: Context) -> Acted:
        if (self.wager or EVERY_WAGER) not in ctx.floor.refused.get(self.seat, ()):
            refuse("floor.not_refused", f"Nothing like that is refused at seat {self.seat}.", None, self.seat)
        ctx.supervisors_only(ctx.rules.refusing)
        return Acted((WagerAllowed(self.seat, self.wager, ctx.by.name),))


@event()
class WagerAllowed(FloorEvent):
    """A player's wager is taken again."""

    seat: int
    wager: str | None
    by: str

    def after(self, floor: Floor) -> Floor:
        left = tuple(each for each in floor.refused[self.seat] if each != (self.wager or EVERY_WAGER))
        return floor._replace(refused={**floor.refused, self.seat: left})

    def say(self, to: Listener) -> str:
        what = "wagers are" if self.wager is None else f"{to.name(self.wager)} is"
        return f"{to.whose(self.seat)} {what} taken again."


@act("work_the_floor")
class LinkPartners(FloorCommand):
    """Treat players who bet together as one, so that they have one maximum between them."""

    seats: tuple[int, ...]
    reason: str

    def decide(self, ctx: Context) -> Acted:
        clause = ctx.rules.partners
        ctx.supervisors_only(clause)
        need("what shows that they bet together", self.reason, clause)
        for number in self.seats:
            ctx.seat(number)
        if len(set(self.seats)) < 2:
            refuse("floor.partners", "Partners are two at least.", clause)
        return Acted((PartnersLinked(self.seats, self.reason, ctx.by.name, clause),))


@event("{seats:all} bet together and have one maximum between them: {reason}.")
class PartnersLinked(FloorEvent):
    seats: tuple[int, ...]
    reason: str
    by: str
    clause: ClauseId | None

    def after(self, floor: Floor) -> Floor:
        return floor._replace(partners=(*floor.partners, self.seats))


@act("work_the_floor")
class UnlinkPartners(FloorCommand):
    """Treat a player as nobody's partner any more."""

    seat: int

    def decide(self, ctx: Context) -> Acted:
        if not any(self.seat in group for group in ctx.floor.partners):
            refuse("floor.partners", f"Seat {self.seat} has no partner.", ctx.rules.partners, self.seat)
        ctx.supervisors_only(ctx.rules.partners)
        return Acted((PartnersUnlinked(self.seat, ctx.by.name),))


@event()
class PartnersUnlinked(FloorEvent):
    """A player bets alone again."""

    seat: int
    by: str

    def after(self, floor: Floor) -> Floor:
        return floor._replace(partners=apart(floor.partners, self.seat))

    def say(self, to: Listener) -> str:
        return f"{to.who(self.seat)} {to.verb(self.seat, 'bet')} alone again."


def apart(groups: tuple[tuple[int, ...], ...], seat: int) -> tuple[tuple[int, ...], ...]:
    """Partners without one of them; nobody is a partner alone."""
    left = (tuple(number for number in group if number != seat) for group in groups)
    return tuple(group for group in left if len(group) > 1)


@act("work_the_floor")
class CountPlaces(FloorCommand):
    """Say how many places the table has."""

    places: int

    def decide(self, ctx: Context) -> Acted:
        ctx.only(CREW, None)
        if self.places < max(1, len(ctx.table.seats)):
            refuse("floor.amount", f"{len(ctx.table.seats)} people stand at this table.")
        return Acted((PlacesCounted(self.places, ctx.by.name),))


@event("this table has {places} places.")
class PlacesCounted(FloorEvent):
    places: int
    by: str

    def after(self, floor: Floor) -> Floor:
        return floor._replace(places=self.places)


@act("work_the_floor")
class VacateSeat(FloorCommand):
    """Have a player leave who does not bet, or who may not play any more."""

    seat: int
    reason: str

    def decide(self, ctx: Context) -> Acted:
        """After so many rounds without a wager, while every other place is taken; at once who is excluded."""
        habit, name = ctx.rules.idle_rounds, folded(ctx.seat(self.seat).name)
        if name in ctx.floor.barred:
            habit = None
        clause = habit.clause if habit is not None else ctx.floor.barred.get(name)
        ctx.supervisors_only(clause)
        need("why", self.reason, clause)
        rounds = ctx.floor.idle.get(self.seat, 0)
        if habit is not None and rounds < habit.value:
            refuse("floor.not_idle", f"That takes {habit.value} rounds without a wager, and it is {rounds}.", clause)
        if habit is not None and not ctx.floor.places:
            refuse("floor.places", "Nobody has said how many places the table has.", clause)
        if habit is not None and len(ctx.table.seats) < ctx.floor.places:
            refuse("floor.places", "A place is free: nobody has to give one up.", clause)
        game = ctx.play(c.Leave(self.seat))
        return Acted((SeatVacated(self.seat, rounds, self.reason, ctx.by.name, clause),), game)


@event()
class SeatVacated(FloorEvent):
    """A player had to give up the place."""

    seat: int
    rounds: int  # for how many rounds nothing of theirs was up
    reason: str
    by: str
    clause: ClauseId | None

    def say(self, to: Listener) -> str:
        return f"{to.who(self.seat)} {to.verb(self.seat, 'give')} up the place: {self.reason}."


@act("work_the_floor")
class IssueVoucher(FloorCommand):
    """Issue a promotional voucher of a stated value."""

    voucher: str
    value: Chips
    conditions: str = ""

    def decide(self, ctx: Context) -> Acted:
        clause, tokens = ctx.rules.vouchers, ctx.book.betting.tokens
        if not tokens.value:
            refuse("floor.no_rule", f"{ctx.book.name} plays without tokens, and so without vouchers.", tokens.clause)
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
