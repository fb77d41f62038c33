"""Disputes: decided by the box or a supervisor, reviewed by somebody else; and the right to complain, each time."""

from passline.engine.floor_rules import Disputes
from passline.engine.refusals import refuse
from passline.engine.values import Cited, ClauseId
from passline.floor.acts import Acted, Context, FloorCommand, FloorEvent, act, event, need
from passline.floor.names import folded
from passline.floor.staff import own_rank
from passline.floor.state import Dispute, Floor


@act("speak_up", for_oneself=True)
class RaiseDispute(FloorCommand):
    """Not accept something, and say what."""

    person: str
    about: str
    covered: bool = True  # whether the rules cover it
    promotion: str = ""  # the promotion whose terms it is about, where it is about one

    def decide(self, ctx: Context) -> Acted:
        need("who does not accept it", self.person)
        need("what is not accepted", self.about)
        if self.promotion and self.promotion not in ctx.floor.promotions:
            refuse("floor.promotion", "There is no promotion of that name on the register.")
        number = len(ctx.floor.disputes) + 1
        return Acted((DisputeRaised(number, self.person, self.about, self.covered, self.promotion),))


@event("dispute {dispute}: {person} does not accept this: {about}.", significant="dispute")
class DisputeRaised(FloorEvent):
    dispute: int
    person: str
    about: str
    covered: bool
    promotion: str = ""  # the promotion whose terms it is about

    def after(self, floor: Floor) -> Floor:
        raised = Dispute(self.person, self.covered, self.promotion)
        return floor._replace(disputes={**floor.disputes, self.dispute: raised})


@act("work_the_floor")
class DecideDispute(FloorCommand):
    """Decide a dispute for the first time."""

    dispute: int
    decision: str

    def decide(self, ctx: Context) -> Acted:
        """By somebody whom the house names; where the book is silent, a supervisor."""
        dispute = _at_stage(ctx, self.dispute, "raised")
        rules, clause = _rules(ctx, dispute), _final(ctx, dispute)
        if rules is None:
            ctx.supervisors_only(None)
        else:
            ctx.only(rules.first.value, rules.first.clause)
        _not_ones_own(ctx, dispute)
        need("what is decided", self.decision, clause)
        return Acted((DisputeDecided(self.dispute, self.decision, ctx.by.name, own_rank(ctx), clause),))


@event("dispute {dispute} is decided by {by}: {decision}.")
class DisputeDecided(FloorEvent):
    dispute: int
    decision: str
    by: str
    rank: tuple[int, int]  # how high whoever decided it stands
    clause: ClauseId | None

    def after(self, floor: Floor) -> Floor:
        return _step(floor, self.dispute, stands="decided", decided_by=folded(self.by), rank=self.rank)


@act("speak_up", for_oneself=True)
class AskReview(FloorCommand):
    """Ask for a decision to be looked at again."""

    dispute: int

    def decide(self, ctx: Context) -> Acted:
        dispute = _at_stage(ctx, self.dispute, "decided")
        rules = _rules(ctx, dispute)
        if rules is not None and rules.review.value == "nobody":
            refuse("floor.final", "That decision is final, and nobody looks at it again.", rules.review.clause)
        _only_ones_own(ctx, dispute)
        review = ReviewAsked(self.dispute, rules.review.clause if rules is not None else None)
        return Acted((review, *_right_to_complain(ctx, self.dispute, dispute)))


@event("dispute {dispute} is to be looked at again.")
class ReviewAsked(FloorEvent):
    dispute: int
    clause: ClauseId | None

    def after(self, floor: Floor) -> Floor:
        return _step(floor, self.dispute, stands="review asked for")


@act("review")
class ReviewDispute(FloorCommand):
    """Look at a decision again, and let it stand or not."""

    dispute: int
    decision: str

    def decide(self, ctx: Context) -> Acted:
        dispute = _at_stage(ctx, self.dispute, "review asked for")
        rules = _rules(ctx, dispute)
        clause = rules.review.clause if rules is not None else None
        if rules is not None and rules.review.value == "inspector":
            ctx.only(("inspector",), clause)
            if folded(ctx.by.name) == dispute.decided_by:  # in another role
                refuse("floor.role", "Another person than who decided it looks at it again.", clause)
        else:
            ctx.supervisors_only(clause)
            if folded(ctx.by.name) == dispute.decided_by or own_rank(ctx) <= dispute.rank:
                refuse("floor.rank", "Another person of higher rank looks at it again.", clause)
        _not_ones_own(ctx, dispute)
        need("what is decided", self.decision, clause)
        return Acted((DisputeReviewed(self.dispute, self.decision, ctx.by.name, _final(ctx, dispute)),))


@event("dispute {dispute}, looked at again by {by}, ends here: {decision}.")
class DisputeReviewed(FloorEvent):
    dispute: int
    decision: str
    by: str
    clause: ClauseId | None

    def after(self, floor: Floor) -> Floor:
        return _step(floor, self.dispute, stands="reviewed")


@act("speak_up", for_oneself=True)
class SayDissatisfied(FloorCommand):
    """Say that somebody is still not satisfied."""

    dispute: int

    def decide(self, ctx: Context) -> Acted:
        """Whoever is not satisfied with a decision is told what they can do, each time they say so."""
        dispute = _at_stage(ctx, self.dispute, "decided", "review asked for", "reviewed")
        _only_ones_own(ctx, dispute)
        rights = _right_to_complain(ctx, self.dispute, dispute)
        if not rights:
            refuse("floor.final", "The decision is final, and the book has no more to say.")
        return Acted(rights)


@event("{person} is told: {told}.")
class ComplainantTold(FloorEvent):
    dispute: int
    person: str
    told: str
    clause: ClauseId

    def after(self, floor: Floor) -> Floor:
        return _step(floor, self.dispute, told=True)


def _step(floor: Floor, number: int, **changes: object) -> Floor:
    dispute = floor.disputes[number]._replace(**changes)  # type: ignore[arg-type]
    return floor._replace(disputes={**floor.disputes, number: dispute})


def _rules(ctx: Context, dispute: Dispute) -> Disputes | None:
    """The book on disputes; one about a promotion's terms is decided by the house, once and for all."""
    promotions = ctx.book.promotions
    if not dispute.promotion or promotions is None:
        return ctx.rules.disputes
    return Disputes(
        first=ctx.rules.supervisors,
        covered=promotions.final,
        uncovered=promotions.final,
        review=Cited("nobody", promotions.final),
        told=promotions.told,
    )


def _final(ctx: Context, dispute: Dispute) -> ClauseId | None:
    rules = _rules(ctx, dispute)
    return None if rules is None else rules.covered if dispute.covered else rules.uncovered


def _right_to_complain(ctx: Context, number: int, dispute: Dispute) -> tuple[FloorEvent, ...]:
    """What somebody who is not satisfied is told, where the book has something to tell."""
    rules = _rules(ctx, dispute)
    if rules is None or rules.told is None:
        return ()
    return (ComplainantTold(number, dispute.person, rules.told.value, rules.told.clause),)


def _not_ones_own(ctx: Context, dispute: Dispute) -> None:
    if folded(ctx.by.name) == folded(dispute.person):
        refuse("floor.role", "Nobody decides a dispute of their own: another person does.")


def _only_ones_own(ctx: Context, dispute: Dispute) -> None:
    if folded(ctx.by.name) != folded(dispute.person):
        refuse("floor.role", f"This is for {dispute.person} to say, who raised the dispute.")


def _at_stage(ctx: Context, number: int, *stages: str) -> Dispute:
    dispute = ctx.floor.disputes.get(number)
    if dispute is None:
        refuse("floor.dispute", f"There is no dispute {number}.")
    if dispute.stands not in stages:
        refuse("floor.dispute", f"Dispute {number} {STAGES[dispute.stands]}.")
    return dispute


# How a dispute stands, in words.
STAGES = {
    "raised": "waits for a first decision",
    "decided": "has been decided once, and nobody has asked for it to be looked at again",
    "review asked for": "waits to be looked at again, and nothing about it is final before that",
    "reviewed": "was looked at again, and ends there",
}
