"""Who may, and what the house holds its people to: decided here and nowhere else, whoever asks and by whatever way."""

from passline.engine import commands as c
from passline.engine import shooting
from passline.engine.refusals import Refusal
from passline.engine.table import Notice
from passline.engine.values import CENTS, money
from passline.floor.acts import FloorCommand
from passline.floor.cage import CountFloat, CreditFloat, FillFloat, HandDrawerOver, has_stopped
from passline.floor.conduct import BY_LAW, Sanction
from passline.floor.disputes import ReviewDispute
from passline.floor.names import folded
from passline.floor.signs import TellInspector
from passline.floor.staff import SCOPES, ComeOnDuty
from passline.live.people import Roster, binds_house, may, may_approve, of_act
from passline.live.play import is_alone
from passline.live.refusals import no
from passline.live.requests import Ask, Request, RollDice
from passline.live.state import State

PROGRAM = "house"  # who asks where the program itself does; nobody can be called that
SEATS_MAX = 20  # a tub has no more places

# Up to how many minor units anybody buys chips where they come out of the air: a million dollars of play money.
CHIPS_MAX = 100_000_000

CREW = frozenset(("dealer", "stick", "box"))


def role_of(state: State, person: str, kind: str, seat: int | None = None) -> str | None:
    """As what somebody may ask for this; at another's seat nobody does what is only for its own player."""
    mine = state.live.seat_of(person)
    own = kind == "command.sit" or (mine is not None and seat in (None, mine))
    if kind == "table.roll":
        own = is_thrower(state, person)
    return _may(state, person, kind, own=own)


def _may(state: State, person: str, kind: str, *, own: bool) -> str | None:
    assert state.house is not None, "who may do what is for a house with people"
    standing = state.house.roster.standing(person, state.scope, own=own)
    return may(of_act(kind), standing, as_most=kind.startswith("floor."))


def is_thrower(state: State, person: str) -> bool:
    if state.live.seat_of(person) is None:
        return False
    table = state.live.table
    due = table.shooter if table.shooter is not None else shooting.offer(state.layout, table)
    return due is None or state.live.owner(due) == person


def permitted(state: State, request: Request) -> Ask | Refusal:
    """Who asks, as what they may; a refusal of this is not written, for who it is says nothing about the table."""
    by, kind = request.by, request.kind
    if state.house is None or by.actor == PROGRAM:
        return by
    seat = request.data.get("seat")
    role = role_of(state, by.actor, kind, seat)
    if role is None and state.live.owner(seat) is not None:  # at their own seat they might: the table says whose it is
        role = _may(state, by.actor, kind, own=True)
    roster = state.house.roster
    if role is None or (by.role and by.role not in roster.roles(by.actor, state.scope)):
        return no("permission.missing", "role", actor=by.actor, kind=kind)
    second = request.second
    by_two = second is not None and not is_alone(by.actor, second)
    if by_two and not may_approve(of_act(kind), roster.standing(folded(second or ""), state.scope)):
        return no("approval.role", "role", second=second, kind=kind)
    return by if by.role else by._replace(role=role)


def consults(state: State, request: Request) -> bool:
    """Whether an answer depends on who holds which role, so that its entry says as of when."""
    if state.house is None or request.by.actor == PROGRAM:
        return False
    act = request.act
    if isinstance(act, c.Sit):
        return state.live.money
    if isinstance(act, ComeOnDuty | TellInspector | FillFloat | CreditFloat):
        return True
    by_two = request.second is not None and not is_alone(request.by.actor, request.second)
    return by_two or getattr(act, "by", None) is not None


def broken(state: State, request: Request) -> Refusal | None:  # noqa: C901 - one case an act
    """Which rule of the house an act would break."""
    if state.house is None or request.by.actor == PROGRAM:
        return None
    act, by, roster = request.act, request.by, state.house.roster
    if state.scope is not None:
        if getattr(act, "house_wide", False):
            return no("table.house_wide", "floor")
        barred = state.live.floor.barred
        if barred and folded(by.actor) in barred and (by.role != "player" or isinstance(act, EXCLUDED)):
            return no("person.barred", "play" if by.role == "player" else "crew")
    if (
        isinstance(act, FloorCommand)
        and by.role == "player"
        and folded(getattr(act, "person", "")) not in ("", by.actor)
    ):
        return no("person.other", "player")
    if isinstance(act, PLAYS) and has_stopped(state.live.floor, by.actor, by.time):
        return no("person.own_limit", "time")
    match act:
        case FillFloat() | CreditFloat():  # chips pass from one to the other: one is a cashier, and the other is not
            one = _is_cashier(roster, by.actor) != _is_cashier(roster, request.second or "")
            return None if one else no("person.cashier", "slip")
        case CountFloat() if request.second and _is_cashier(roster, request.second):
            return no("person.cashier", "count")
        case HandDrawerOver() if request.second and not _is_cashier(roster, request.second):
            return no("person.cashier", "drawer")
        case c.Sit():
            return _sits(state, roster, by, act) or _chips(state, act.seat, act.buyin)
        case c.BuyIn():
            return _chips(state, act.seat, act.amount)
        case ReviewDispute():
            is_own = by.actor in state.live.ruled.get(act.dispute, ())
            return no("person.own", "review") if is_own else None
        case Sanction(measure=measure) if measure in BY_LAW:
            binds = binds_house(roster, by.actor, folded(act.second))
            return None if binds else no("person.supervisor", "exclude")
        case TellInspector() | ComeOnDuty():
            return _on_duty(state, roster, act)
        case _:
            confirmed = getattr(act, "by", None)
            roles = confirmed if isinstance(confirmed, tuple) else () if confirmed is None else (confirmed,)
            # Who confirmed something is who says so: nobody speaks for a role that is not theirs.
            theirs = not roles or set(roles) <= roster.roles(by.actor, state.name)
            return None if theirs else no("table.confirmed_by", "role")


PLAYS = (c.Sit, c.BuyIn, c.Bet, c.LateBet)
EXCLUDED = (c.BuyIn, c.Shoot, c.ChooseDice, RollDice)  # what nobody does who must leave; the floor refuses their bets


def _is_cashier(roster: Roster, person: str) -> bool:
    return "cashier" in roster.roles(folded(person))


def _sits(state: State, roster: Roster, by: Ask, act: c.Sit) -> Refusal | None:
    """There is such a seat, and who works at a table for the house's money does not sit down at it."""
    if not 1 <= act.seat <= SEATS_MAX:
        return no("seat.none", "number", most=SEATS_MAX)
    works = sorted(roster.roles(by.actor, state.name) & CREW) if state.live.money else ()
    return no("person.works", "money", role=works[0]) if works else None


def _chips(state: State, seat: int, amount: int) -> Refusal | None:
    """Play money costs nothing, and nobody needs more of it than any sign asks for."""
    if state.live.money:
        return None
    there = state.live.table.seats.get(seat)
    rail, most = 0 if there is None else there.rail, play_chips(state.live.table.notice)
    if rail + amount <= most:
        return None
    return no("buyin.limit", "chips", most=money(most, CENTS), rail=money(rail, CENTS))


def play_chips(notice: Notice | None) -> int:
    """Up to how much play money somebody buys under a notice: always enough for a hundred minimum bets."""
    return CHIPS_MAX if notice is None else max(CHIPS_MAX, 100 * notice.least)


def _on_duty(state: State, roster: Roster, act: TellInspector | ComeOnDuty) -> Refusal | None:
    """Who is named as an inspector is one, where there are any; who comes on duty holds the role, and the title."""
    hosted = roster.hosted.get(state.name)
    if hosted is not None and hosted.practice:
        return None  # who practises alone is everybody
    if isinstance(act, TellInspector):
        if not roster.is_anybody("inspector", state.name):
            return None
        return _holds(state, roster, act.inspector, "inspector")
    title = state.layout.book.floor.titles.get(act.title)
    if title is None:
        return None
    refusal = _holds(state, roster, act.person, title.value.role)
    wide = title.value.scope in SCOPES[1:]
    if refusal is None and wide and act.title not in roster.titles.get(folded(act.person), ()):
        return no("person.title", "title", who=act.person, title=act.title)
    return refusal


def _holds(state: State, roster: Roster, who: str, role: str) -> Refusal | None:
    held = roster.roles(folded(who), state.scope)
    return None if role in held else no("person.unknown", "role", who=who, role=role)
