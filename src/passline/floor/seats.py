"""What is decided about a player's place: wagers that are not taken, partners, a place that is given up."""

from passline.engine import commands as c
from passline.engine.decide import decide
from passline.engine.events import Event
from passline.engine.evolve import evolve
from passline.engine.refusals import Refusal, Refused, refuse
from passline.engine.values import ClauseId
from passline.floor.acts import CREW, Acted, Context, FloorCommand, FloorEvent, Listener, act, event, need
from passline.floor.names import folded
from passline.floor.state import EVERY_WAGER, Floor

# --- Wagers -----------------------------------------------------------------------------------------------------------


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
        refused = WagerRefused(self.seat, self.wager, self.reason, ctx.by.name, clause, runs_on, removing)
        return Acted((refused,), game)


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


# --- Partners ---------------------------------------------------------------------------------------------------------


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


# --- Places -----------------------------------------------------------------------------------------------------------


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
