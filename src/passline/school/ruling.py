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
from passline.school.exercise import Part, Question, amount, choice, cited, explained, why
from passline.school.paying import a_layout, net
from passline.school.scene import ANN, SIDE_BETS, Events, Scene, Unfit, decisions, lesson, level_of, need, so_far
from passline.sitting import amounts
from passline.sitting.spots import edge_text, figures_of
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
    if not isinstance(answer, Refusal):
        return why(scene.table, answer)
    sentences = (f"{each}: {scene.house.clause(each).sentence}" for each in clauses_of(answer))
    return no(scene.table.state, answer), *sentences


def now(scene: Scene) -> Question:
    scene.play_a_while(scene.rng.randrange(3))
    taught = _acts(scene, [spot for spot in lesson(scene.layout, scene.level) if not spot.has_travelled])
    few = scene.rng.sample(taught, min(len(taught), 3))
    rest = [act for act in _acts(scene, so_far(scene.layout, scene.level)) if act not in few]
    few += scene.rng.sample(rest, min(len(rest), OPTIONS - len(few)))
    few = scene.rng.sample(few, len(few))
    answers = [scene.table.would(act) for act in few]
    right = tuple(at for at, answer in enumerate(answers) if not isinstance(answer, Refusal))
    need(0 < len(right) < len(few))
    lines = [line for answer in answers for line in outcome_lines(scene, answer)[:1]]
    part = Part("Accepted", "several", right, tuple(_phrase_of(scene, act) for act in few))
    clauses = cited(answer for answer in answers if isinstance(answer, Refusal))
    asks = "Which of these would the dealers accept from Ann now?"
    return Question(scene.table, asks, (part,), tuple(lines), clauses)


def _acts(scene: Scene, spots: list[Spot]) -> list[Act]:
    """The least bet on each spot, and each of Ann's wagers there taken down."""
    acts: list[Act] = []
    for spot in spots:
        amount = amounts.nearest_booked(scene.layout, scene.table.state, ANN, spot.key, scene.unit)
        acts.append(c.Bet(ANN, spot.key, scene.unit if isinstance(amount, Refusal) else amount))
    return acts + [c.Take(ANN, spot.key) for spot in spots if spot.key in scene.seat().felt]


def legal(scene: Scene) -> Question:
    scene.play_a_while(scene.rng.randrange(3))
    wants_no = bool(scene.rng.randrange(3))
    acts = (_act(scene, scene.level) for _ in range(TRIES))
    answers = ((act, scene.table.would(act)) for act in acts)
    fits = ((act, answer) for act, answer in answers if _by(answer) and isinstance(answer, Refusal) == wants_no)
    act, answer = next(fits, (None, None))
    if act is None or answer is None:
        raise Unfit
    clause = _one_of(scene, "By which clause", _by(answer), _elsewhere(scene, act))
    taken = Part("Taken or refused", "choice", (int(isinstance(answer, Refusal)),), ("taken", "refused"))
    asks = f"{_phrase_of(scene, act)} What do you say?"
    return Question(scene.table, asks, (taken, clause), outcome_lines(scene, answer), _by(answer))


def _one_of(scene: Scene, asks: str, cited: tuple[str, ...], others: Iterable[str]) -> Part:
    """The first of the clauses that decide, among others of the house's own book that say something else."""
    sentences = {each: scene.house.clause(each).sentence for each in (cited[0], *others)}
    right, own = sentences.pop(cited[0]), f"{scene.house.id}:"
    apart = [sentence for each, sentence in sentences.items() if each.startswith(own) and each not in cited]
    apart = [sentence for sentence in dict.fromkeys(apart) if sentence != right]
    need(len(apart) >= CHOICES - 1)
    return choice(scene.rng, asks, right, scene.rng.sample(apart, CHOICES - 1))


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
    return cited([answer] if isinstance(answer, Refusal) else answer)


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
    return f"Ann puts {scene.money(act.amount)}{more} on {name}."


def most_odds(scene: Scene) -> Question:
    spots = [spot for spot in lesson(scene.layout, scene.level) if spot.is_odds]
    need(spots)
    spot = scene.rng.choice(spots)
    need(scene.put_up(scene.layout.spots[spot.flat]))
    for _ in range(TRIES):
        if scene.table.state.puck or spot.flat not in scene.seat().felt:
            break
        scene.roll()
    need(spot.flat in scene.seat().felt)
    most = amounts.full_odds(scene.layout, scene.table.state, ANN, spot.key)
    if isinstance(most, Refusal):
        raise Unfit
    over = scene.table.would(c.Bet(ANN, spot.key, most + scene.table.notice.chip))
    if not isinstance(over, Refusal) or over.code not in ("bet.over_odds", "bet.over_maximum"):
        raise Unfit
    flat, point = scene.seat().felt[spot.flat].stake, spot.number or scene.table.state.puck
    near = {}
    if spot.side == "dont" and scene.table.notice.odds is not None:
        near = {scene.table.notice.odds[point] * flat: "that is the most it may win, not the most that may be laid"}
        near.pop(most, None)
    name = scene.layout.spots[spot.flat].name
    asks = f"Ann has {scene.money(flat)} on {name}. What is the most she may put on {spot.name}?"
    part = amount("The most that the dealers take", most, near)
    return Question(scene.table, asks, (part,), outcome_lines(scene, over), clauses_of(over))


def proper_units(scene: Scene) -> Question:
    spots = [spot for spot in lesson(scene.layout, scene.level) if not spot.has_travelled]
    spot = scene.rng.choice(spots)
    flat = scene.layout.spots.get(spot.flat)
    need(flat is None or scene.put_up(flat))
    for _ in range(TRIES):
        if amounts.is_open(scene.layout, scene.table.state, ANN, spot.key) is None:
            break
        scene.roll()
    state, chip = scene.table.state, scene.table.notice.chip
    stakes = [scene.unit + step * chip for step in range(3 * TRIES)]
    taken = [stake for stake in stakes if not isinstance(scene.table.would(c.Bet(ANN, spot.key, stake)), Refusal)]
    whole = [stake for stake in taken if amounts.pays_whole(scene.layout, state, spot.key, stake)]
    broken = [stake for stake in taken if stake not in whole]
    need(len(whole) > 1 and len(broken) > 1)
    few = sorted(scene.rng.sample(whole[:6], 2) + scene.rng.sample(broken[:12], min(len(broken[:12]), 3)))
    right = tuple(at for at, stake in enumerate(few) if stake in whole)
    part = Part("Which of these bets pay with no breakage", "several", right, tuple(map(scene.money, few)))
    lines = []
    for stake in few:
        wins = " or ".join(map(scene.money, amounts.winnings(scene.layout, state, spot.key, stake)))
        lines.append(f"{scene.money(stake)}: wins {wins}" + ("" if stake in whole else ", rounded"))
    paid = (each.clause for each in spot.prices if each.number in (0, spot.number, state.puck))
    asks = f"Ann asks for {spot.name} in proper units."
    return Question(scene.table, asks, (part,), tuple(lines), tuple(dict.fromkeys(paid)))


def ways(scene: Scene) -> Question:
    spot = scene.rng.choice(lesson(scene.layout, scene.level))
    winners = scene.until_it_can_win(spot) if scene.put_up(spot) else []
    need(winners and all(net(won) > 0 for _, won in winners))  # a split may win and come to nothing
    deciding = [(roll, each) for roll, events in scene.rolls() for each in decisions(events)]
    mine = [(roll, each) for roll, each in deciding if (each.seat, each.wager) == (ANN, spot.key)]
    wins = [roll for roll, each in mine if isinstance(each, e.WagerWon)]
    loses = [roll for roll, each in mine if isinstance(each, e.WagerLost)]
    outcomes = (("wins", wins), ("loses", loses))
    stake = scene.money(scene.seat().felt[spot.key].stake)
    asks = f"Ann has {stake} on {spot.name}. Of the 36 throws of two dice, how many decide it on the next roll?"
    parts = (Part("Throws that win it", "count", (len(wins),)), Part("Throws that lose it", "count", (len(loses),)))
    lines = [f"{verb} on {', '.join(described(rolls))}: {_sum(rolls)}" for verb, rolls in outcomes if rolls]
    return Question(scene.table, asks, parts, tuple(lines), cited(each for _, each in mine))


def _sum(rolls: list[Roll]) -> str:
    """The throws of each total, added up: `6 + 2 = 8 throws`."""
    each = Counter(roll.total for roll in rolls)
    added = f"{' + '.join(map(str, each.values()))} = " if len(each) > 1 else ""
    return f"{added}{counted(len(rolls), 'throw')}"


def edge(scene: Scene) -> Question:
    scene.play_a_while(scene.rng.randrange(3), level=1)
    state, taught = scene.table.state, so_far(scene.layout, scene.level)
    costs: dict[Fraction, tuple[Spot, WagerOdds]] = {}
    for spot in scene.rng.sample(taught, len(taught)):
        if amounts.is_open(scene.layout, state, ANN, spot.key) is None:
            odds = figures_of(scene.house, spot.key, state.puck)
            if odds is not None:
                costs.setdefault(odds.edge_per_bet_made, (spot, odds))
    priced = list(costs.values())[:CHOICES]
    need(len(priced) > 1)
    least = min(range(len(priced)), key=lambda at: priced[at][1].edge_per_bet_made)
    names = tuple(spot.name for spot, _ in priced)
    part = Part("The one with the lowest edge for each bet made", "choice", (least,), names)
    lines = tuple(f"{spot.name}: {edge_text(odds)}" for spot, odds in priced)
    asks = "Which of these bets, made now, costs least in the long run?"
    return Question(scene.table, asks, (part,), lines, priced[least][1].clauses)


def book(scene: Scene) -> Question:
    roll, events = a_layout(scene, lambda events: bool(decisions(events)))
    event = scene.rng.choice(decisions(events))
    won = isinstance(event, e.WagerWon)
    others = _others(scene, scene.layout.spots[event.wager], won=won)
    part = _one_of(scene, f"The clause that {'prices' if won else 'decides'} it", clauses_of(event), others)
    asks = f"The dice show {roll}. {scene.table.say(event)} What does the book say?"
    return explained(scene.table, asks, [part], [event], roll)


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


TURNS = (e.PuckTurned, e.SevenOut, e.ShooterLost)
IN_A_ROW = 3  # how many stages it takes to have an order


def _thrown(events: Events) -> e.DiceThrown:
    return next(each for each in events if isinstance(each, e.DiceThrown))


def _puck(thrown: e.DiceThrown) -> int:
    """What a call depends on of the puck: off, on this number, or (-1) on another."""
    return -1 if thrown.come_only or thrown.puck not in (0, thrown.total) else thrown.puck


def call(scene: Scene) -> Question:
    scene.play_a_while(scene.rng.randrange(4), level=1)
    every = scene.rolls(lambda events: any(isinstance(each, e.DiceThrown) for each in events))
    need(every)
    roll, events = scene.rng.choice(every)
    thrown = _thrown(events)
    right = stick_call(scene.layout, thrown)
    # The same number made the same way has other calls that are as right.
    way = thrown.total, thrown.first == thrown.second
    others = [each for _, events in every if ((each := _thrown(events)).total, each.first == each.second) != way]
    with_puck = (replace(thrown, puck=puck, come_only=False) for puck in (0, *scene.layout.book.points.value))
    same = [each for each in with_puck if _puck(each) != _puck(thrown)]
    words = dict.fromkeys(stick_call(scene.layout, each) for each in scene.rng.sample(others, len(others)))
    alike = dict.fromkeys(stick_call(scene.layout, each) for each in scene.rng.sample(same, len(same)))
    wrong = [each for each in (*list(alike)[:2], *words) if each != right][: CHOICES - 1]
    asks = f"The dice show {roll}. What does the {scene.layout.crew(('stick',))} call?"
    return explained(scene.table, asks, [choice(scene.rng, "The stick's call", right, wrong)], [thrown], roll)


def puck(scene: Scene) -> Question:
    scene.play_a_while(scene.rng.randrange(4), level=1)
    every = scene.rolls()
    need(every)
    turning = [roll for roll, events in every if any(isinstance(each, TURNS) for each in events)]
    roll = scene.rng.choice(turning if turning and scene.rng.randrange(3) else list(ROLLS))
    events, after = scene.would(roll), scene.after(roll)
    state, seats = after.state, scene.table.state.seats
    whose = state.shooter if state.shooter is not None else offer(scene.layout, state)
    holder = tuple(at for at, number in enumerate(seats) if number == whose)
    need(holder)
    pucks, names = (0, *scene.layout.book.points.value), tuple(seat.name for seat in seats.values())
    parts = (
        Part("The puck", "choice", (pucks.index(state.puck),), ("off", *(f"on {each}" for each in pucks[1:]))),
        Part("Who holds the dice now, or is offered them", "choice", holder, names),
    )
    moved = [each for each in events if isinstance(each, (e.DiceThrown, *TURNS, e.DiceOffered))]
    asks = f"The dice show {roll}. Where is the puck when all is paid, and whose are the dice?"
    return explained(scene.table, asks, parts, moved, roll)


def order(scene: Scene) -> Question:
    scene.play_a_while(scene.rng.randrange(1, 4))
    rolled = [(roll, row) for roll, events in scene.rolls() if len(row := _procedure(scene, events)) >= IN_A_ROW]
    need(rolled)
    roll, row = scene.rng.choice(rolled)
    steps = [say(scene.layout, scene.table.state, each) for each in row]
    need(len(set(steps)) == len(steps))
    mixed = scene.rng.sample(range(len(row)), len(row))
    if mixed == sorted(mixed):  # that would be no exercise
        mixed.reverse()
    right = tuple(mixed.index(each) for each in range(len(row)))
    part = Part("First to last", "order", right, tuple(steps[each] for each in mixed))
    asks = f"The dice show {roll}. Put in order what the crew does."
    return Question(scene.table, asks, (part,), (*steps, PROCEDURE), (), roll)


PROCEDURE = "The stick calls; the crew takes, then places, then pays: line, field, come, boxes; the stick's box last."
# Where chips are taken, in order; paid in the same order, but for the stick's box, which is last.
TAKEN = ("props", "field", "line", "come", "boxes")
PAID = ("line", "field", "come", "boxes")


def _procedure(scene: Scene, events: Events) -> list[Event]:
    """One event of each step that a roll brings, in the crew's order."""
    out = any(isinstance(each, e.SevenOut | e.ShooterLost) for each in events)
    steps: dict[tuple[int, int], Event] = {}
    for event in events:
        match event:
            case e.DiceThrown():
                step = 0, 0
            case e.WagerLost():
                step = 1, TAKEN.index(_place(scene, event.wager))
            case e.WagerTravelled():
                step = 2, 0
            case e.WagerWon() if (place := _place(scene, event.wager)) in PAID:
                step = 3, PAID.index(place)
            case e.WagerWon():
                step = 5, 0
            case e.PuckTurned():
                step = (4 if out else 6), 0
            case e.SevenOut() | e.ShooterLost():
                step = 7, 0
            case _:
                continue
        steps.setdefault(step, event)
    return [steps[step] for step in sorted(steps)]


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
