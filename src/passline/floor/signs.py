"""Signs at a table: its limits and those of one player, when it closes; and the closing itself."""

from passline.engine import commands as c
from passline.engine.decide import decide
from passline.engine.layout import Layout
from passline.engine.limits import check_notice
from passline.engine.refusals import Refusal, refuse
from passline.engine.shooting import who_throws
from passline.engine.table import Notice, TableState
from passline.engine.values import Chips, ClauseId
from passline.floor.acts import CREW, Acted, Context, FloorCommand, FloorEvent, Listener, act, event, need
from passline.floor.clock import MINUTE, Time, elapsed, instant, is_time
from passline.floor.state import ClosingSign, Floor, LimitsSign, PlayerLimits, without


def _need_time_to_come(ctx: Context, at: str, clause: ClauseId | None) -> None:
    if not is_time(at) or instant(at) < instant(ctx.now):
        refuse("floor.time", f"A sign names a time to come, and {at} is none.", clause)


@act("work_the_floor")
class SignLimits(FloorCommand):
    """Put up a sign with new limits and the time from which they will hold."""

    notice: Notice
    at: Time

    def decide(self, ctx: Context) -> Acted:
        clause = ctx.rules.min_raise_notice_minutes.clause
        ctx.supervisors_only(clause)
        _need_time_to_come(ctx, self.at, clause)
        check_notice(ctx.book, self.notice, ctx.table.notice.chip)
        return Acted((LimitsSigned(self.notice, self.at, ctx.now, ctx.by.name, clause),))


@event("a sign is up: {notice:sign} from {at:time}.")
class LimitsSigned(FloorEvent):
    notice: Notice
    at: str
    since: str
    by: str
    clause: ClauseId

    def after(self, floor: Floor) -> Floor:
        return floor._replace(limits_sign=LimitsSign(self.notice, self.at, self.since))


@act("work_the_floor")
class ChangeLimits(FloorCommand):
    """Have new limits hold from now on."""

    notice: Notice

    def decide(self, ctx: Context) -> Acted:
        """The engine asks how long a higher minimum has been up on a sign."""
        sign, clause = ctx.floor.limits_sign, ctx.rules.min_raise_notice_minutes.clause
        ctx.supervisors_only(clause)
        minutes, announced = 0, sign is not None and _minimums(sign.notice) == _minimums(self.notice)
        if sign is not None and announced:
            if instant(ctx.now) < instant(sign.at):
                refuse("floor.not_due", f"The sign says that this holds from {ctx.time(sign.at)}.", clause)
            minutes = elapsed(sign.since, ctx.now) // MINUTE
        game = ctx.play(c.PostNotice(self.notice, minutes))
        # What leaves the minimum alone has nothing to do with a sign that announces another.
        stands = sign is not None and not announced and _minimums(self.notice) == _minimums(ctx.table.notice)
        return Acted((LimitsChanged(ctx.by.name, clause, stands),), game)


def _minimums(notice: Notice) -> tuple[object, ...]:
    """What a sign says of the least that may be bet."""
    return notice.minimum, notice.props_minimum, notice.side and notice.side[0]


@event("{by} changes the limits; wagers that are up stand.")
class LimitsChanged(FloorEvent):
    """New limits hold; the sign that announced them has done its work, one with other limits still stands."""

    by: str
    clause: ClauseId
    sign_stands: bool  # whether a sign is up that announces others

    def after(self, floor: Floor) -> Floor:
        return floor if self.sign_stands else floor._replace(limits_sign=None)


@act("work_the_floor", two_people=True)
class SignPlayerLimits(FloorCommand):
    """Put up a sign with limits for one player alone."""

    seat: int
    minimum: Chips
    maximum: Chips
    second: str = ""

    def decide(self, ctx: Context) -> Acted:
        """They lift the maximum; odds stay as the table's sign has them, and no minimum is raised."""
        clause = ctx.rules.player_limits
        ctx.seat(self.seat)
        ctx.supervisors_only(clause)
        notice, ahead = ctx.table.notice, ctx.rules.min_raise_notice_minutes
        if self.minimum <= 0 or self.minimum % notice.chip:
            refuse("floor.amount", "A minimum is above nothing, and a whole number of the float's chips.", clause)
        if notice.maximum is None or self.maximum <= notice.maximum:
            refuse("floor.amount", "A player's own limits go above the table's maximum.", clause)
        if self.minimum > notice.minimum:
            no = "A player's own limits leave the minimum as the sign has it, or lower it."
            refuse("floor.amount", no, ahead.clause)
        return Acted((PlayerLimitsSigned(self.seat, self.minimum, self.maximum, ctx.by.name, clause),))


@event(significant="limit override")
class PlayerLimitsSigned(FloorEvent):
    """A sign with one player's own limits stands at the table."""

    seat: int
    minimum: Chips
    maximum: Chips
    by: str
    clause: ClauseId | None

    def after(self, floor: Floor) -> Floor:
        own = {self.seat: PlayerLimits(self.minimum, self.maximum)}
        return floor._replace(player_limits={**floor.player_limits, **own})

    def say(self, to: Listener) -> str:
        limits = f"from {to.money(self.minimum)} to {to.money(self.maximum)}"
        return f"{to.who(self.seat)} may bet {limits}, by a sign for {to.whose(self.seat)} place alone."


@act("work_the_floor")
class LiftPlayerLimits(FloorCommand):
    """Take the sign of one player's limits away."""

    seat: int

    def decide(self, ctx: Context) -> Acted:
        clause = ctx.rules.player_limits
        if self.seat not in ctx.floor.player_limits:
            refuse("floor.seat", f"Seat {self.seat} has no limits of its own.", clause, self.seat)
        ctx.supervisors_only(clause)
        return Acted((PlayerLimitsLifted(self.seat, ctx.by.name, clause),))


@event("the table's limits hold for {seat:who} again.")
class PlayerLimitsLifted(FloorEvent):
    seat: int
    by: str
    clause: ClauseId | None

    def after(self, floor: Floor) -> Floor:
        return floor._replace(player_limits=without(floor.player_limits, self.seat))


@act("work_the_floor")
class SignClosing(FloorCommand):
    """Put up a sign with the time at which the table will close."""

    at: Time

    def decide(self, ctx: Context) -> Acted:
        clause = ctx.rules.closing_notice_minutes.clause
        ctx.supervisors_only(clause)
        _need_time_to_come(ctx, self.at, clause)
        return Acted((ClosingSigned(self.at, ctx.now, ctx.by.name, clause),))


@event("a sign is up: this table closes at {at:time}.")
class ClosingSigned(FloorEvent):
    at: str
    since: str
    by: str
    clause: ClauseId

    def after(self, floor: Floor) -> Floor:
        return floor._replace(closing_sign=ClosingSign(self.at, self.since))


@act("work_the_floor")
class TellInspector(FloorCommand):
    """Tell an inspector that the table is about to close."""

    inspector: str

    def decide(self, ctx: Context) -> Acted:
        clause = ctx.rules.closing_tells.clause
        ctx.only(CREW, clause)
        need("which inspector was told", self.inspector, clause)
        return Acted((InspectorTold(self.inspector, ctx.by.name, clause),))


@event("{inspector} has been told that this table closes.")
class InspectorTold(FloorEvent):
    inspector: str
    by: str
    clause: ClauseId

    def after(self, floor: Floor) -> Floor:
        return floor._replace(inspector_told=self.inspector)


@act("work_the_floor")
class Close(FloorCommand):
    """Close the table: the last hand is announced."""

    reason: str

    def decide(self, ctx: Context) -> Acted:
        """The engine asks how long that has been up, and whether an inspector was told."""
        sign, ahead = ctx.floor.closing_sign, ctx.rules.closing_notice_minutes
        ctx.supervisors_only(ahead.clause)
        need("why the table closes", self.reason, ahead.clause)
        present = any(not seat.away for seat in ctx.table.seats.values())
        if present and ahead.value and sign is not None and instant(ctx.now) < instant(sign.at):
            refuse("floor.not_due", f"The sign says that the table closes at {ctx.time(sign.at)}.", ahead.clause)
        minutes = 0 if sign is None else elapsed(sign.since, ctx.now) // MINUTE
        game = ctx.play(c.CloseTable(minutes, "inspector" if ctx.floor.inspector_told else None))
        tells = ctx.rules.closing_tells
        clause = ahead.clause if tells.value == "nobody" else tells.clause
        return Acted((ClosingOrdered(self.reason, ctx.by.name, clause),), game)


@event("{by} closes the table: {reason}.")
class ClosingOrdered(FloorEvent):
    reason: str
    by: str
    clause: ClauseId

    def after(self, floor: Floor) -> Floor:
        return floor._replace(closing_sign=None, inspector_told="")


@act("work_the_floor", two_people=True)
class ReturnWagers(FloorCommand):
    """Have every wager go back where nobody may throw for them: the hand is over."""

    reason: str
    second: str = ""

    def decide(self, ctx: Context) -> Acted:
        """X-24: the game waits for a thrower, and the crew ends the wait."""
        clause = ctx.book.shooter.no_shooter.clause
        ctx.supervisors_only(clause)
        need("why the wagers go back", self.reason, clause)
        if not isinstance(who_throws(ctx.layout, ctx.table), Refusal):
            refuse("floor.phase", "Somebody may throw: the dice decide what is up.", clause)
        game = ctx.play(c.ReturnAll(self.reason))
        return Acted((WagersReturned(self.reason, ctx.by.name, self.second, clause),), game)


@event("{by} and {second} have every wager go back, for nobody may throw: {reason}.", significant="wagers returned")
class WagersReturned(FloorEvent):
    """Every wager went back, for nobody could throw."""

    reason: str
    by: str
    second: str
    clause: ClauseId


def for_good(layout: Layout, table: TableState, *, rolling: bool, hosted: bool) -> Refusal | None:
    """Why a table is not closed for good: something is up; where it is for others, somebody has chips, or the book."""
    if rolling or any(seat.felt for seat in table.seats.values()):
        return Refusal("floor.still_up", "Wagers are up: have them decided or returned first.")
    who = [f"{seat.name} at seat {number}" for number, seat in sorted(table.seats.items()) if seat.rail]
    if hosted and who:
        return Refusal("floor.still_there", f"People have chips here: first {', '.join(who)} must leave.")
    announced = decide(layout, table, c.CloseTable()) if hosted and not table.closing else ()
    return announced if isinstance(announced, Refusal) else None
