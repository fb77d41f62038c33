"""An outcome that does not count: for a reason of the house's list, with every stake back but an offender's."""

from passline.engine import commands as c
from passline.engine import throwing
from passline.engine.events import Event, WagerDown, WagerLost
from passline.engine.evolve import evolve
from passline.engine.floor_rules import Standing, Voiding
from passline.engine.refusals import Events, refuse
from passline.engine.values import Cited, ClauseId, WagerKey
from passline.floor.acts import Acted, Context, FloorCommand, FloorEvent, Listener, act, event, need

FRAUD = "fraud"


@act("work_the_floor", two_people=True)
class Invalidate(FloorCommand):
    """Have the last outcome not count."""

    cause: str  # what disrupted the game, or `fraud`
    person: str = ""  # whose fraud it was
    standing: Standing | None = None  # what that person is to the game
    opinion: str = ""  # why whoever decides it holds that the fraud changed the outcome
    forfeits: tuple[int, ...] = ()  # Seats in the fraud whose wagers on that outcome are lost
    second: str = ""

    def decide(self, ctx: Context) -> Acted:
        rules = ctx.rules.voiding
        need("what happened", self.cause)
        ctx.supervisors_only(None if rules is None else _clause(rules, self))
        if rules is not None:
            _need_listed(rules, self)
        forfeits = _forfeits(ctx, rules, self)
        named = (self.person, *(ctx.table.seats[number].name for number in self.forfeits))
        ctx.not_about_oneself(self.second, *named)
        game = ctx.play(c.StrikeOut(self.cause))
        game = _without_refund(ctx, game, self.forfeits, forfeits.clause)
        clause = None if rules is None else _clause(rules, self)
        who = (self.cause, self.person, self.opinion, self.forfeits, ctx.by.name, self.second)
        return Acted((OutcomeInvalidated(*who, clause),), game)


def _clause(rules: Voiding, command: Invalidate) -> ClauseId:
    return rules.fraud_by.clause if command.cause == FRAUD else rules.causes.clause


def _need_listed(rules: Voiding, command: Invalidate) -> None:
    clause = _clause(rules, command)
    if command.cause != FRAUD:
        if command.cause not in rules.causes.value:
            refuse("floor.cause", f"The house knows {', '.join((*rules.causes.value, FRAUD))}.", clause)
        return
    if command.standing not in rules.fraud_by.value:
        refuse("floor.cause", f"Only the fraud of a {' or '.join(rules.fraud_by.value)} counts.", clause)
    need("whose fraud it was", command.person, clause)
    if rules.opinion.value:
        need("why you hold that the fraud changed the outcome", command.opinion, rules.opinion.clause)


def _forfeits(ctx: Context, rules: Voiding | None, command: Invalidate) -> Cited[bool]:
    """By which clause stakes are forfeited, or why none are."""
    habit = rules.forfeits if rules is not None else Cited(value=False, clause=ClauseId("S-12"))
    if not command.forfeits:
        return habit
    if not habit.value or command.cause != FRAUD or command.standing != "player":
        refuse("floor.forfeit", "Only the wager of a player in the fraud can be forfeited.", habit.clause)
    for number in command.forfeits:
        ctx.seat(number)
    return habit


def _without_refund(ctx: Context, game: Events, seats: tuple[int, ...], clause: ClauseId) -> Events:
    """The same outcome struck out, with what an offender had on it lost and not given back."""
    struck, before = game[0], ctx.table.before
    assert before is not None, "an outcome was struck out"
    then = evolve(ctx.table, (struck,))
    back: list[Event] = [each for each in game if isinstance(each, WagerDown) and each.seat not in seats]
    for number, key in (each for each in before.decided if each[0] in seats):
        stake, held, _, _, tokens, *_ = then.seats[number].felt[key]
        back.append(WagerLost(seat=number, wager=WagerKey(key), stake=stake, clause=clause, tokens=tokens, kept=held))
    return struck, *back, *throwing.afterwards(ctx.layout, then, back, hand_over=False)


@event(significant="outcome invalidated")
class OutcomeInvalidated(FloorEvent):
    """The last outcome does not count, for a reason of the house's list."""

    cause: str
    person: str
    opinion: str
    forfeits: tuple[int, ...]
    by: str
    second: str
    clause: ClauseId | None

    def say(self, to: Listener) -> str:
        whose = f" by {self.person}" if self.person else ""
        lost = f"; {to.all(self.forfeits)} forfeit what was on it" if self.forfeits else ""
        return f"{self.by} declares the last outcome void: {self.cause}{whose}{lost}."
