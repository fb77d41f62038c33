"""Who is on duty, and as what."""

from collections.abc import Collection, Mapping
from typing import Any

from passline.engine.book import Book
from passline.engine.floor_rules import Title
from passline.engine.refusals import Refusal, refuse
from passline.engine.values import ClauseId, Crew
from passline.floor.acts import ACTS, Acted, Context, FloorCommand, FloorEvent, act, event, need
from passline.floor.names import folded
from passline.floor.state import Floor, without

# How far people of the house watch, the widest last; the state's people are in no such order.
SCOPES = ("table", "pit", "gaming floor")


@act("be_on_duty")
class ComeOnDuty(FloorCommand):
    """Have somebody on duty under a title of the house's."""

    person: str
    title: str

    def decide(self, ctx: Context) -> Acted:
        """Everybody comes on duty as what they work as; a supervisor puts others on duty, up to their own rank."""
        title = ctx.rules.titles.get(self.title)
        if title is None:
            known = ", ".join(ctx.rules.titles) or "none"
            refuse("floor.title", f"{ctx.book.name} has no title {self.title}; it has {known}.")
        need("who comes on duty", self.person, title.clause)
        own = folded(self.person) == folded(ctx.by.name) and title.value.role == ctx.by.role
        if not own:
            ctx.supervisors_only(title.clause)
            if rank(ctx.book, title.value, title.value.role) > own_rank(ctx):
                refuse("floor.title", f"Nobody is made {self.title} by somebody of lower rank.", title.clause)
        return Acted((CameOnDuty(self.person, self.title, title.value.role, title.clause),))


@event("{person} is on duty as {title}.", significant="staff change")
class CameOnDuty(FloorEvent):
    person: str
    title: str
    role: Crew
    clause: ClauseId

    def after(self, floor: Floor) -> Floor:
        return floor._replace(duty={**floor.duty, folded(self.person): self.title})


@act("be_on_duty", for_oneself=True)
class GoOffDuty(FloorCommand):
    """Have somebody go off duty."""

    person: str

    def decide(self, ctx: Context) -> Acted:
        """A supervisor sends anybody off duty, and everybody themselves."""
        title = ctx.floor.duty.get(folded(self.person))
        if title is None:
            refuse("floor.title", f"{self.person} is not on duty here.")
        if folded(self.person) != folded(ctx.by.name):
            ctx.supervisors_only(ctx.rules.supervisors.clause)
        return Acted((WentOffDuty(self.person, title),))


@event("{person} is off duty.", significant="staff change")
class WentOffDuty(FloorEvent):
    person: str
    title: str

    def after(self, floor: Floor) -> Floor:
        return floor._replace(duty=without(floor.duty, folded(self.person)))


def own_rank(ctx: Context) -> tuple[int, int]:
    title = ctx.rules.titles.get(ctx.title)
    return rank(ctx.book, title.value if title else None, ctx.by.role)


def rank(book: Book, title: Title | None, role: str) -> tuple[int, int]:
    """How high somebody stands in the house, to be compared: what they work as first, then how far they watch."""
    step = 0 if role not in book.floor.supervisors.value else 1 + book.floor.supervisors.value.index(role)
    wide = SCOPES.index(title.scope) if title is not None and title.scope in SCOPES else 0
    return step, wide


def plays_and_works(actor: str, role: str, data: Mapping[str, Any], players: Collection[str]) -> Refusal | None:
    """Why somebody does no work at a table for the house's money: whoever asks, agrees, or comes on duty plays there.

    `data` is what is asked for, `players` are the folded names of those who have a seat. No book says so.
    """
    command = ACTS.get(data.get("kind", ""))
    if role in ("player", "house") or (command is not None and command.for_oneself):
        return None
    people = (actor, data.get("second") or "", data["person"] if command is ComeOnDuty else "")
    who = next((each for each in people if folded(each) in players), None)
    no = f"{who} has a seat at this table for the house's money, and does no work at it."
    return None if who is None else Refusal("floor.on_duty", no)
