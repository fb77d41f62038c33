"""The drills of what may be done, how much and by which clause; and of the stick: the call, the puck, the order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from passline.engine import commands as c
from passline.engine import events as e
from passline.engine.events import Event
from passline.engine.kinds import Number
from passline.engine.layout import Spot
from passline.engine.refusals import Answer, Refusal
from passline.engine.shooting import offer
from passline.engine.values import ROLLS, Roll
from passline.engine.verdicts import Loses, Pushes
from passline.school.exercise import Part, Question
from passline.school.paying import a_layout, cited, net, why
from passline.school.scene import ANN, SIDE_BETS, Events, Scene, decisions, lesson, level_of, so_far
from passline.sitting import amounts
from passline.sitting.spots import edge_text, figures_of
from passline.table import Table
from passline.telling.figures import counted
from passline.telling.names import described
from passline.telling.sentences import clauses_of, no, say
from passline.telling.stick import call as stick_call

if TYPE_CHECKING:
    from passline.odds.wagers import WagerOdds


Act = c.Bet | c.Take

OPTIONS = 5
CHOICES = 4
TRIES = 40


def outcome_lines(scene: Scene, answer: Answer) -> tuple[str, ...]:
    if isinstance(answer, Refusal):
        table, clause = scene.table, scene.house.clause
        return (no(table.state, answer), *(f"{each}: {clause(each).sentence}" for each in clauses_of(answer)))
    return why(scene.table, answer)


# --- What may I do now ----------------------------------------------------------------------------------------------


def now(scene: Scene) -> Question | None:
    scene.play_a_while(scene.rng.randrange(3))
    few = scene.rng.sample(lesson_now(scene), min(len(lesson_now(scene)), 3))
    rest = [act for act in _acts(scene, so_far(scene.layout, scene.level)) if act not in few]
    few += scene.rng.sample(rest, min(len(rest), OPTIONS - len(few)))
    few = scene.rng.sample(few, len(few))
    answers = [scene.table.would(act) for act in few]
    right = tuple(at for at, answer in enumerate(answers) if not isinstance(answer, Refusal))
    if not 0 < len(right) < len(few):
        return None
    lines = [line for answer in answers for line in outcome_lines(scene, answer)[:1]]
    refused = (each for answer in answers if isinstance(answer, Refusal) for each in clauses_of(answer))
    part = Part("Accepted", "several", right, tuple(_phrase_of(scene, act) for act in few))
    asks = "Which of these would the dealers accept from Ann now?"
    return Question(scene.table, asks, (part,), tuple(lines), tuple(dict.fromkeys(refused)))


def lesson_now(scene: Scene) -> list[Act]:
    return _acts(scene, [spot for spot in lesson(scene.layout, scene.level) if not spot.has_travelled])


def _acts(scene: Scene, spots: list[Spot]) -> list[Act]:
    """The least bet on each spot, and each of Ann's wagers there taken down."""
    acts: list[Act] = []
    for spot in spots:
        amount = amounts.nearest_booked(scene.layout, scene.table.state, ANN, spot.key, scene.unit)
        acts.append(c.Bet(ANN, spot.key, scene.unit if isinstance(amount, Refusal) else amount))
    return acts + [c.Take(ANN, spot.key) for spot in spots if spot.key in scene.seat().felt]


# --- Taken or refused -----------------------------------------------------------------------------------------------


def legal(scene: Scene) -> Question | None:
    scene.play_a_while(scene.rng.randrange(3))
    wants_no = bool(scene.rng.randrange(3))
    acts = (_act(scene, scene.level) for _ in range(TRIES))
    answers = ((act, scene.table.would(act)) for act in acts)
    fits = ((act, answer) for act, answer in answers if _by(answer) and isinstance(answer, Refusal) == wants_no)
    act, answer = next(fits, (None, None))
    if act is None or answer is None:
        return None
    clause = _one_of(scene, "By which clause", _by(answer), _elsewhere(scene, act))
    if clause is None:
        return None
    taken = Part("Taken or refused", "choice", (int(isinstance(answer, Refusal)),), ("taken", "refused"))
    asks = f"{_phrase_of(scene, act)} What do you say?"
    return Question(scene.table, asks, (taken, clause), outcome_lines(scene, answer), _by(answer))


def _one_of(scene: Scene, asks: str, cited: tuple[str, ...], others: Iterable[str]) -> Part | None:
    """The first of the clauses that decide, among others of the house's own book that say something else."""
    sentences = {each: scene.house.clause(each).sentence for each in (cited[0], *others)}
    right, own = sentences.pop(cited[0]), f"{scene.house.id}:"
    apart = [sentence for each, sentence in sentences.items() if each.startswith(own) and each not in cited]
    apart = [sentence for sentence in dict.fromkeys(apart) if sentence != right]
    if len(apart) < CHOICES - 1:
        return None
    options = scene.rng.sample([right, *scene.rng.sample(apart, CHOICES - 1)], CHOICES)
    return Part(asks, "choice", (options.index(right),), tuple(options))


def _elsewhere(scene: Scene, act: Act) -> list[str]:
    """Clauses by which the dealers answer other acts at this table, on wagers that have nothing to do with this one."""
    family = scene.layout.spots[act.wager].family
    others: dict[str, None] = {}
    mine: set[str] = set()
    for _ in range(TRIES):
        other = _act(scene, max(scene.level, 4))
        clauses = _by(scene.table.would(other))[:1]
        if scene.layout.spots[other.wager].family == family:
            mine.update(clauses)
        else:
            others.update(dict.fromkeys(clauses))
    return [each for each in others if each not in mine]


def _by(answer: Answer) -> tuple[str, ...]:
    return clauses_of(answer) if isinstance(answer, Refusal) else cited(answer)


def _act(scene: Scene, level: int) -> Act:
    """Something that Ann might ask for: a bet of what is taught, right or wrong, or to take one down."""
    up = list(scene.seat().felt)
    if up and not scene.rng.randrange(4):
        return c.Take(ANN, scene.rng.choice(up))
    spot, notice = scene.rng.choice(so_far(scene.layout, level)), scene.table.notice
    about = scene.rng.choice((scene.about(), scene.about(), notice.chip, (notice.maximum or 0) + scene.unit))
    near = amounts.nearest_booked(scene.layout, scene.table.state, ANN, spot.key, about)
    return c.Bet(ANN, spot.key, about if isinstance(near, Refusal) or not scene.rng.randrange(3) else near)


def _phrase_of(scene: Scene, act: Act) -> str:
    name = scene.layout.spots[act.wager].name
    if isinstance(act, c.Take):
        return f"Ann takes her {name} down."
    more = " more" if act.wager in scene.seat().felt else ""
    return f"Ann puts {scene.layout.money(act.amount)}{more} on {name}."


# --- How much -------------------------------------------------------------------------------------------------------


def most_odds(scene: Scene) -> Question | None:
    spots = [spot for spot in lesson(scene.layout, scene.level) if spot.is_odds]
    if not spots or not scene.put_up(scene.layout.spots[(spot := scene.rng.choice(spots)).flat]):
        return None
    for _ in range(TRIES):
        if scene.table.state.puck or spot.flat not in scene.seat().felt:
            break
        scene.roll()
    if spot.flat not in scene.seat().felt:
        return None
    most = amounts.full_odds(scene.layout, scene.table.state, ANN, spot.key)
    if isinstance(most, Refusal):
        return None
    over = scene.table.would(c.Bet(ANN, spot.key, most + scene.table.notice.chip))
    if not isinstance(over, Refusal) or over.code not in ("bet.over_odds", "bet.over_maximum"):
        return None
    money, flat = scene.layout.money, scene.seat().felt[spot.flat].stake
    point = spot.number or scene.table.state.puck
    near = {}
    if spot.side == "dont" and scene.table.notice.odds is not None:
        near = {scene.table.notice.odds[point] * flat: "that is the most it may win, not the most that may be laid"}
        near.pop(most, None)
    name = scene.layout.spots[spot.flat].name
    asks = f"Ann has {money(flat)} on {name}. What is the most she may put on {spot.name}?"
    part = Part("The most that the dealers take", "amount", (most,), near=near)
    return Question(scene.table, asks, (part,), outcome_lines(scene, over), clauses_of(over))


def proper_units(scene: Scene) -> Question | None:
    spots = [spot for spot in lesson(scene.layout, scene.level) if not spot.has_travelled]
    spot = scene.rng.choice(spots)
    flat = scene.layout.spots.get(spot.flat)
    if flat is not None and not scene.put_up(flat):
        return None
    for _ in range(TRIES):
        if amounts.is_open(scene.layout, scene.table.state, ANN, spot.key) is None:
            break
        scene.roll()
    state, chip = scene.table.state, scene.table.notice.chip
    stakes = [scene.unit + step * chip for step in range(3 * TRIES)]
    taken = [stake for stake in stakes if not isinstance(scene.table.would(c.Bet(ANN, spot.key, stake)), Refusal)]
    whole = [stake for stake in taken if amounts.pays_whole(scene.layout, state, spot.key, stake)]
    broken = [stake for stake in taken if stake not in whole]
    if len(whole) < 2 or len(broken) < 2:
        return None
    few = sorted(scene.rng.sample(whole[:6], 2) + scene.rng.sample(broken[:12], min(len(broken[:12]), 3)))
    money = scene.layout.money
    right = tuple(at for at, stake in enumerate(few) if stake in whole)
    part = Part("Which of these bets pay with no breakage", "several", right, tuple(map(money, few)))
    lines = [f"{money(stake)}: wins {_won(scene, spot, stake)}" for stake in few]
    paid = [p for p in spot.prices if p.number in (0, spot.number, state.puck)]
    asks = f"Ann asks for {spot.name} in proper units."
    return Question(scene.table, asks, (part,), tuple(lines), tuple(dict.fromkeys(each.clause for each in paid)))


def _won(scene: Scene, spot: Spot, stake: int) -> str:
    won = amounts.winnings(scene.layout, scene.table.state, spot.key, stake)
    whole = amounts.pays_whole(scene.layout, scene.table.state, spot.key, stake)
    return " or ".join(map(scene.layout.money, won)) + ("" if whole else ", rounded")


def ways(scene: Scene) -> Question | None:
    spot = scene.rng.choice(lesson(scene.layout, scene.level))
    winners = scene.until_it_can_win(spot) if scene.put_up(spot) else []
    if not winners or any(net(won) <= 0 for _, won in winners):  # a split may win and come to nothing
        return None
    deciding = [(roll, each) for roll, events in scene.rolls(bool) for each in decisions(events)]
    mine = [(roll, each) for roll, each in deciding if (each.seat, each.wager) == (ANN, spot.key)]
    wins = [roll for roll, each in mine if isinstance(each, e.WagerWon)]
    loses = [roll for roll, each in mine if isinstance(each, e.WagerLost)]
    outcomes = (("wins", wins), ("loses", loses))
    stake = scene.layout.money(scene.seat().felt[spot.key].stake)
    asks = f"Ann has {stake} on {spot.name}. Of the 36 throws of two dice, how many decide it on the next roll?"
    parts = (Part("Throws that win it", "count", (len(wins),)), Part("Throws that lose it", "count", (len(loses),)))
    lines = [f"{verb} on {', '.join(described(rolls))}: {_sum(rolls)}" for verb, rolls in outcomes if rolls]
    return Question(scene.table, asks, parts, tuple(lines), cited(each for _, each in mine))


def _sum(rolls: list[Roll]) -> str:
    """The throws of each total, added up: `6 + 2 = 8 throws`."""
    each = Counter(roll.total for roll in rolls)
    added = f"{' + '.join(map(str, each.values()))} = " if len(each) > 1 else ""
    return f"{added}{counted(len(rolls), 'throw')}"


def edge(scene: Scene) -> Question | None:
    scene.play_a_while(scene.rng.randrange(3), level=1)
    state, taught = scene.table.state, so_far(scene.layout, scene.level)
    costs: dict[Fraction, tuple[Spot, WagerOdds]] = {}
    for spot in scene.rng.sample(taught, len(taught)):
        if amounts.is_open(scene.layout, state, ANN, spot.key) is None:
            odds = figures_of(scene.house, spot.key, state.puck)
            if odds is not None:
                costs.setdefault(odds.edge_per_bet_made, (spot, odds))
    priced = list(costs.values())[:CHOICES]
    if len(priced) < 2:
        return None
    least = min(range(len(priced)), key=lambda at: priced[at][1].edge_per_bet_made)
    names = tuple(spot.name for spot, _ in priced)
    part = Part("The one with the lowest edge for each bet made", "choice", (least,), names)
    lines = tuple(f"{spot.name}: {edge_text(odds)}" for spot, odds in priced)
    asks = "Which of these bets, made now, costs least in the long run?"
    return Question(scene.table, asks, (part,), lines, priced[least][1].clauses)


# --- What does the book say -----------------------------------------------------------------------------------------


def book(scene: Scene) -> Question | None:
    rolled = a_layout(scene, lambda events: bool(decisions(events)))
    if rolled is None:
        return None
    roll, events = rolled
    event = scene.rng.choice(decisions(events))
    won = isinstance(event, e.WagerWon)
    others = _others(scene, scene.layout.spots[event.wager], won=won)
    part = _one_of(scene, f"The clause that {'prices' if won else 'decides'} it", clauses_of(event), others)
    if part is None:
        return None
    asks = f"The dice show {roll}. {scene.table.say(event)} What does the book say?"
    return Question(scene.table, asks, (part,), why(scene.table, [event]), cited([event]), roll)


def _others(scene: Scene, about: Spot, *, won: bool) -> Iterator[str]:
    """Clauses of the same book that price other bets, or decide bets of other families: none from another world."""
    for spot in scene.layout.offered():
        if (level_of(spot) == SIDE_BETS) != (level_of(about) == SIDE_BETS):
            continue
        if won:
            yield from (paid.clause for paid in spot.prices)
        elif spot.family != about.family:
            points = scene.layout.book.points.value
            for puck in points if spot.is_odds else (0, *points):
                yield from (each.clause for each in spot.row(0, puck, works=True) if isinstance(each, Loses | Pushes))


# --- The stick ------------------------------------------------------------------------------------------------------

# What a roll brings, in kinds that do not change places.
STAGES: tuple[tuple[type[Event], ...], ...] = (
    (e.DiceThrown,),
    (e.WagerWon, e.WagerLost, e.WagerPushed, e.WagerReturned),
    (e.WagerTravelled,),
    (e.PuckTurned,),
    (e.SevenOut, e.ShooterLost),
)

IN_A_ROW = 3  # how many stages it takes to have an order


def _thrown(events: Events) -> e.DiceThrown:
    return next(each for each in events if isinstance(each, e.DiceThrown))


def _way(thrown: e.DiceThrown) -> tuple[int, bool]:
    return thrown.total, thrown.first == thrown.second


def _puck(thrown: e.DiceThrown) -> int:
    """What a call depends on of the puck: off, on this number, or (-1) on another."""
    return -1 if thrown.come_only or thrown.puck not in (0, thrown.total) else thrown.puck


def call(scene: Scene) -> Question | None:
    scene.play_a_while(scene.rng.randrange(4), level=1)
    every = scene.rolls(lambda events: any(isinstance(each, e.DiceThrown) for each in events))
    if not every:
        return None
    roll, events = scene.rng.choice(every)
    thrown = _thrown(events)
    right = stick_call(scene.layout, thrown)
    # The same number made the same way has other calls that are as right.
    others = [other for _, events in every if _way(other := _thrown(events)) != _way(thrown)]
    with_puck = (replace(thrown, puck=puck, come_only=False) for puck in (0, *scene.layout.book.points.value))
    same = [each for each in with_puck if _puck(each) != _puck(thrown)]
    words = dict.fromkeys(stick_call(scene.layout, each) for each in scene.rng.sample(others, len(others)))
    alike = dict.fromkeys(stick_call(scene.layout, each) for each in scene.rng.sample(same, len(same)))
    wrong = [each for each in (*list(alike)[:2], *words) if each != right][: CHOICES - 1]
    options = scene.rng.sample([right, *wrong], len(wrong) + 1)
    part = Part("The stick's call", "choice", (options.index(right),), tuple(options))
    asks = f"The dice show {roll}. What does the {scene.layout.crew(('stick',))} call?"
    return Question(scene.table, asks, (part,), why(scene.table, [thrown]), cited([thrown]), roll)


def puck(scene: Scene) -> Question | None:
    scene.play_a_while(scene.rng.randrange(4), level=1)
    if not scene.rolls(bool):
        return None
    turning = scene.rolls(lambda events: any(isinstance(each, STAGES[3] + STAGES[4]) for each in events))
    roll = scene.rng.choice([roll for roll, _ in turning] if turning and scene.rng.randrange(3) else list(ROLLS))
    events = scene.would(roll)
    after = Table.at(scene.table.position)
    after.do(c.Throw(roll))
    state, seats = after.state, scene.table.state.seats
    whose = state.shooter if state.shooter is not None else offer(scene.layout, state)
    if whose is None or whose not in seats:
        return None
    pucks, names = (0, *scene.layout.book.points.value), tuple(seat.name for seat in seats.values())
    parts = (
        Part("The puck", "choice", (pucks.index(state.puck),), ("off", *(f"on {each}" for each in pucks[1:]))),
        Part("Who holds the dice now, or is offered them", "choice", (list(seats).index(whose),), names),
    )
    moved = [each for each in events if isinstance(each, STAGES[0] + STAGES[3] + STAGES[4] + (e.DiceOffered,))]
    asks = f"The dice show {roll}. Where is the puck when all is paid, and whose are the dice?"
    return Question(scene.table, asks, parts, why(scene.table, moved), cited(moved), roll)


def order(scene: Scene) -> Question | None:
    scene.play_a_while(scene.rng.randrange(1, 4))
    rolled = scene.rolls(lambda events: len(_procedure(scene, events)) >= IN_A_ROW)
    if not rolled:
        return None
    roll, events = scene.rng.choice(rolled)
    row = _procedure(scene, events)
    steps = [say(scene.layout, scene.table.state, each) for each in row]
    if len(set(steps)) < len(steps):
        return None
    mixed = scene.rng.sample(range(len(row)), len(row))
    if mixed == sorted(mixed):  # that would be no exercise
        mixed.reverse()
    options = tuple(steps[each] for each in mixed)
    right = tuple(mixed.index(each) for each in range(len(row)))
    asks = f"The dice show {roll}. Put in order what the crew does."
    part = Part("First to last", "order", right, options)
    return Question(scene.table, asks, (part,), (*steps, PROCEDURE), (), roll)


PROCEDURE = "The stick calls; the crew takes, then places, then pays: line, field, come, boxes; the stick's box last."
# Where chips are taken, in order; paid in the same order, but for the stick's box, which is last.
PLACES = ("props", "field", "line", "come", "boxes")


def _procedure(scene: Scene, events: Events) -> list[Event]:
    """One event of each step that a roll brings, in the crew's order."""
    out = any(isinstance(each, e.SevenOut | e.ShooterLost) for each in events)
    steps: dict[tuple[int, int], Event] = {}
    for event in events:
        step = _step(scene, event, out=out)
        if step is not None:
            steps.setdefault(step, event)
    return [steps[step] for step in sorted(steps)]


def _step(scene: Scene, event: Event, *, out: bool) -> tuple[int, int] | None:
    match event:
        case e.DiceThrown():
            return 0, 0
        case e.WagerLost():
            return 1, PLACES.index(_place(scene, event.wager))
        case e.WagerTravelled():
            return 2, 0
        case e.WagerWon():
            place = _place(scene, event.wager)
            return (5, 0) if place == "props" else (3, ("line", "field", "come", "boxes").index(place))
        case e.PuckTurned():
            return (4, 0) if out else (6, 0)
        case e.SevenOut() | e.ShooterLost():
            return 7, 0
        case _:
            return None


def _place(scene: Scene, wager: str) -> str:
    spot = scene.layout.spots[wager]
    flat = scene.layout.spots.get(spot.flat, spot)
    if flat.is_line:
        return "line"
    if flat.is_flat and not flat.number:
        return "come"
    if flat.number and (flat.is_flat or isinstance(spot.rule.terms, Number)):
        return "boxes"
    return "field" if wager == "field" else "props"
