"""What people may not do at a table, what is done about it, and who may play at no table of the house."""

from collections.abc import Iterable
from typing import Literal

from passline.engine import betting, shooting, throwing
from passline.engine.events import Event
from passline.engine.floor_rules import Excuse, Standing
from passline.engine.guards import WagerContext
from passline.engine.layout import Layout
from passline.engine.refusals import refuse
from passline.engine.values import ClauseId
from passline.floor.acts import CREW, Acted, Context, FloorCommand, FloorEvent, Listener, act, event, need
from passline.floor.cage import OwnLimitsSet
from passline.floor.names import folded
from passline.floor.state import Floor, Report, without

# What a supervisor may do where the book is silent; the rest hangs on a law that it would have to name.
BY_ANY_HOUSE = ("void wagers", "bar")

BY_LAW = ("exclude",)  # what is done under a law
EXCLUDING = ("bar", "exclude")  # the sanctions after which somebody does not play
EXCUSED = {"on duty": "in the course of duty", "to keep the rules": "said to keep the rules"}  # an excuse, in words
Officials = Literal["inspector", "police"]  # who can take over somebody who is detained


@act("work_the_floor")
class ReportConduct(FloorCommand):
    """Report what somebody did and may not do."""

    person: str
    standing: Standing
    breach: str
    details: str
    excuse: Excuse | None = None  # why it was lawful after all, where somebody says so

    def decide(self, ctx: Context) -> Acted:
        """What the book does not forbid, or excuses, is no breach."""
        rule = ctx.rules.conduct.get(self.breach)
        if rule is None:
            known = ", ".join(ctx.rules.conduct) or "nothing of the sort"
            refuse("floor.no_breach", f"The book of {ctx.book.name} forbids {known}.")
        need("who it was", self.person, rule.clause)
        need("what they did", self.details, rule.clause)
        if self.standing not in rule.value:
            refuse("floor.no_breach", f"That binds no {self.standing}.", rule.clause)
        excuse = ctx.rules.excuses.get(self.breach)
        # Who is on duty, the floor knows by itself.
        works = self.standing not in ("player", "spectator") and folded(self.person) in ctx.floor.duty
        if excuse is not None and (works if excuse.value == "on duty" else self.excuse == excuse.value):
            no = f"It is no breach: it was {EXCUSED.get(excuse.value, excuse.value)}."
            refuse("floor.no_breach", no, excuse.clause)
        number = len(ctx.floor.reports) + 1
        return Acted((ConductReported(number, self.person, self.breach, self.details, ctx.by.name, rule.clause),))


@event("report {report}: {person}, {breach}: {details}.", significant="breach reported")
class ConductReported(FloorEvent):
    report: int
    person: str
    breach: str
    details: str
    by: str
    clause: ClauseId

    def after(self, floor: Floor) -> Floor:
        return floor._replace(reports={**floor.reports, self.report: Report(self.person, self.breach)})


@act("work_the_floor", two_people=True)
class Sanction(FloorCommand):
    """Do something about a report."""

    report: int
    measure: str
    reason: str  # why whoever decides it is satisfied that the rule was broken
    second: str = ""

    def decide(self, ctx: Context) -> Acted:
        rules, report = ctx.rules, ctx.floor.reports.get(self.report)
        if report is None:
            refuse("floor.report", f"There is no report {self.report}.")
        heading = rules.sanctioned.clause if rules.sanctioned is not None else None
        ctx.supervisors_only(heading)
        need("what satisfies you of it", self.reason, heading)
        _need_measure(ctx, report, self.measure)
        ctx.not_about_oneself(self.second, report.person)
        clause = rules.sanctions.get(self.measure)
        under = rules.exclusion.value if rules.exclusion is not None and self.measure in BY_LAW else ""
        game = _voided(ctx, report, clause) if self.measure == "void wagers" else ()
        who = (report.person, self.measure, self.reason, under, ctx.by.name, self.second, clause)
        return Acted((SanctionImposed(self.report, *who),), game)


def _need_measure(ctx: Context, report: Report, measure: str) -> None:
    rules = ctx.rules
    if rules.sanctioned is None:
        if measure not in BY_ANY_HOUSE:
            refuse("floor.measure", f"The book of {ctx.book.name} gives nobody the power to {measure}.")
        return
    if report.breach not in rules.sanctioned.value:
        refuse("floor.measure", f"There is no sanction for this: {report.breach}.", rules.sanctioned.clause)
    if measure not in rules.sanctions:
        refuse("floor.measure", f"The sanctions are {', '.join(rules.sanctions)}.", rules.sanctioned.clause)


def _voided(ctx: Context, report: Report, clause: ClauseId | None) -> tuple[Event, ...]:
    """Everything that somebody has up goes back without a result."""
    clause, table = clause or ClauseId("S-12"), ctx.table
    for number, seat in table.seats.items():
        if folded(seat.name) != folded(report.person):
            continue
        if table.phase != "betting":
            refuse("floor.phase", "The dice are out: wagers are void once the roll is settled.", clause, number)
        wagers = [WagerContext(ctx.layout, table, number, seat, ctx.layout.spots[key]) for key in seat.felt]
        down = tuple(betting.down(each, 0, "returned by the supervisor", clause) for each in wagers)
        dice = [event for each in wagers for event in _dice_lost(each)]
        return (*down, *dice, *throwing.afterwards(ctx.layout, table, down, hand_over=False))
    return ()


def _dice_lost(wager: WagerContext) -> list[Event]:
    """A shooter whose last line bet is void has no dice any more."""
    others = [key for key in wager.layout.line if key in wager.seat.felt]
    if not others or wager.spot.key != others[0]:
        return []
    alone = wager.seat._replace(felt={wager.spot.key: wager.seat.felt[wager.spot.key]})
    table = wager.table._replace(seats={**wager.table.seats, wager.number: alone})
    return shooting.after_take(wager.layout, table, wager.number, wager.spot, 0)


# What a sanction comes to.
DONE = {
    "void wagers": "all that is up is void and goes back",
    "bar": "no further part in this game",
    "exclude": "no entry to the casino",
    "detain": "held until an official takes over",
}


@event(significant="sanction")
class SanctionImposed(FloorEvent):
    """Something is done about a report."""

    report: int
    person: str
    measure: str
    reason: str
    under: str  # the law it rests on, where the book names one
    by: str
    second: str
    clause: ClauseId | None

    def after(self, floor: Floor) -> Floor:
        report = floor.reports[self.report]._replace(held=self.measure == "detain")
        for each in everywhere((self,)):
            floor = each.after(floor)
        return floor._replace(reports={**floor.reports, self.report: report})

    def say(self, _to: Listener) -> str:
        under = f" under {self.under}" if self.under else ""
        return f"{self.by} decides on {self.person}: {DONE.get(self.measure, self.measure)}{under}."


@act("work_the_floor")
class HandOver(FloorCommand):
    """Hand somebody who is detained over to an official."""

    report: int
    to: Officials
    official: str  # the official's name

    def decide(self, ctx: Context) -> Acted:
        report, to = ctx.floor.reports.get(self.report), ctx.rules.handed_to
        if report is None or not report.held or to is None:
            refuse("floor.report", f"Nobody is detained by report {self.report}.")
        ctx.supervisors_only(to.clause)
        need("who takes over", self.official, to.clause)
        if self.to not in to.value:
            refuse("floor.measure", f"Somebody detained is handed over to {' or '.join(to.value)}.", to.clause)
        return Acted((HandedOver(self.report, self.to, self.official, ctx.by.name, to.clause),))


@event("{official} ({to}) takes over from {by}.")
class HandedOver(FloorEvent):
    report: int
    to: Officials
    official: str
    by: str
    clause: ClauseId

    def after(self, floor: Floor) -> Floor:
        return floor._replace(reports={**floor.reports, self.report: floor.reports[self.report]._replace(held=False)})


def analysis_forbidden(layout: Layout, *, money: bool) -> ClauseId | None:
    """By which clause a table shows players no chances, edges, counts of past rolls or hints, if it shows none.

    A book that forbids devices which record or analyse outcomes binds the house's own screen, where chips are money.
    """
    device = layout.book.floor.conduct.get("device")
    return device.clause if device is not None and money else None


@act("work_the_floor", two_people=True, house_wide=True)
class Exclude(FloorCommand):
    """Have somebody play at no table of the house, under this name."""

    person: str
    reason: str
    second: str = ""

    def decide(self, ctx: Context) -> Acted:
        """No book has to say so, and somebody says why."""
        ctx.supervisors_only(None)
        need("who may not play", self.person)
        need("why they may not play", self.reason)
        ctx.not_about_oneself(self.second, self.person)
        return Acted((PersonExcluded(self.person, self.reason, ctx.by.name, self.second, None),))


@act("speak_up", house_wide=True, for_oneself=True)
class ExcludeOneself(FloorCommand):
    """Play at no table of this house any more, under this name."""

    person: str
    reason: str

    def decide(self, ctx: Context) -> Acted:
        """Whoever does not want to play any more says so; the crew takes it down for them."""
        need("who will not play", self.person)
        need("what they said", self.reason)
        if folded(self.person) != folded(ctx.by.name):
            ctx.only(CREW, None)
        return Acted((PersonExcluded(self.person, self.reason, ctx.by.name, "", None),))


@event("{person} may not play at any table of the house: {reason}.", significant="exclusion", why="{person}: {reason}")
class PersonExcluded(FloorEvent):
    person: str
    reason: str
    by: str
    second: str  # Empty where somebody asked for it themselves
    clause: ClauseId | None

    def after(self, floor: Floor) -> Floor:
        return floor._replace(barred={**floor.barred, folded(self.person): self.clause})


@act("work_the_floor", two_people=True, house_wide=True)
class Readmit(FloorCommand):
    """Have somebody play again who was excluded or barred."""

    person: str
    reason: str
    second: str = ""

    def decide(self, ctx: Context) -> Acted:
        ctx.supervisors_only(None)
        need("why they may play again", self.reason)
        who = folded(self.person)
        if who not in ctx.floor.barred:
            refuse("floor.not_refused", f"{self.person} is not kept from playing.")
        if who in (folded(ctx.by.name), folded(self.second)):
            refuse("floor.role", "Nobody lets themselves play again.")
        return Acted((PersonReadmitted(self.person, self.reason, ctx.by.name, self.second),))


@event("{person} may play again: {reason}.", significant="exclusion lifted", why="{person}: {reason}")
class PersonReadmitted(FloorEvent):
    person: str
    reason: str
    by: str
    second: str

    def after(self, floor: Floor) -> Floor:
        return floor._replace(barred=without(floor.barred, folded(self.person)))


def everywhere(events: Iterable[FloorEvent]) -> tuple[FloorEvent, ...]:
    """What of this holds at every table of the house, as any floor can hear it."""
    binding: list[FloorEvent] = []
    for each in events:
        if isinstance(each, PersonExcluded | PersonReadmitted | OwnLimitsSet):
            binding.append(each)
        elif isinstance(each, SanctionImposed) and each.measure in EXCLUDING:
            binding.append(PersonExcluded(each.person, each.reason, each.by, each.second, each.clause))
    return tuple(binding)
