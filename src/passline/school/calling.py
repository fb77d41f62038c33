"""The drills of the stick: the call, the puck and the dice, and what comes after what."""

from __future__ import annotations

from dataclasses import replace

from passline.engine import commands as c
from passline.engine import events as e
from passline.engine.events import Event
from passline.engine.kinds import Number
from passline.engine.shooting import offer
from passline.engine.values import ROLLS
from passline.school.exercise import Part, Question
from passline.school.paying import cited, why
from passline.school.ruling import CHOICES
from passline.school.scene import Events, Scene
from passline.table import Table
from passline.telling.sentences import say
from passline.telling.stick import call as stick_call

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
    same = [replace(thrown, puck=puck, come_only=False) for puck in (0, *scene.layout.book.points.value)]
    words = dict.fromkeys(stick_call(scene.layout, each) for each in scene.rng.sample(others, len(others)))
    alike = dict.fromkeys(stick_call(scene.layout, each) for each in scene.rng.sample(same, len(same)))
    wrong = [each for each in (*list(alike)[:2], *words) if each != right][: CHOICES - 1]
    options = scene.rng.sample([right, *wrong], len(wrong) + 1)
    part = Part("The stick's call", "choice", (options.index(right),), tuple(options))
    asks = f"The dice show {roll}. What does the {scene.layout.crew(('stick',))} call?"
    return Question(scene.table, asks, (part,), why(scene.table, [thrown]), cited([thrown]), roll)


def puck(scene: Scene) -> Question | None:
    """Ask where the puck is after a roll, and whose the dice are."""
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
    """Ask for the crew's procedure: take, place, pay, each in its order."""
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
