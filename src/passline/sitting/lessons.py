"""A first visit: the line, then odds, come and place, each in a few bets and throws."""

from dataclasses import dataclass

from passline.engine.commands import Bet, Sit, Throw
from passline.engine.kinds import Number
from passline.engine.layout import Layout, Spot
from passline.engine.refusals import Refusal
from passline.engine.values import ROLLS, SEVEN, Roll
from passline.floor.acts import YOU
from passline.house import House
from passline.sitting import amounts
from passline.table import Table
from passline.telling.names import how, price_of
from passline.telling.stick import come_of, line_of

ME = 1
SEAT_MINIMUMS = 100


@dataclass(frozen=True, slots=True)
class LessonStep:
    wager: str | None
    name: str
    amount: int
    how: str  # how the bet is decided as things stand; of a throw, the point and how everything that is up is
    pays: str
    wins: int
    dice: Roll | None


@dataclass(frozen=True, slots=True)
class FirstLesson:
    """Some steps at a table of one's own, from an empty felt."""

    lesson: str
    name: str
    steps: tuple[LessonStep, ...]


# What is learnt, in the order in which it is: the line wins and then loses, so that both were seen. A step is a wager,
# by what it is; or a throw: the first, second … number from the middle of the table, or 0 for the seven.
SCRIPTS: dict[str, tuple[str | int, ...]] = {
    "line": ("line", 1, 2, 1, "line", 1, 0),
    "odds": ("line", 1, "odds", 1),
    "come": ("line", 1, "come", 2, 2),
    "place": ("line", 1, "place", 2, 0),
}


def lessons(house: House) -> list[FirstLesson]:
    all_lessons = (_lesson(house, name, script) for name, script in SCRIPTS.items())
    return [lesson for lesson in all_lessons if lesson is not None]


def _lesson(house: House, name: str, script: tuple[str | int, ...]) -> FirstLesson | None:
    table = Table(house)
    table.do(Sit(ME, YOU, SEAT_MINIMUMS * table.notice.least))
    every = [_throw(table, each) if isinstance(each, int) else _bet(table, each) for each in script]
    steps = tuple(step for step in every if step is not None)
    learnt = [step.name for step in steps if step.wager]
    return FirstLesson(name, learnt[-1], steps) if len(steps) == len(script) else None


def _bet(table: Table, what: str) -> LessonStep | None:
    layout, state = table.house.layout, table.state
    spot = _spot(layout, what, state.puck)
    if spot is None:
        return None
    amount = amounts.to_bet(layout, state, ME, spot.key, state.notice.least)
    if isinstance(amount, Refusal) or isinstance(table.do(Bet(ME, spot.key, amount)), Refusal):
        return None
    way = how(spot, state.puck, layout.book.points.value)
    wins = max(amounts.winnings(layout, state, spot.key, amount), default=0)
    return LessonStep(spot.key, spot.name, amount, way, price_of(spot, state.puck), wins, None)


def _throw(table: Table, rank: int) -> LessonStep | None:
    points = sorted(table.house.book.points.value, key=lambda point: (abs(point - SEVEN), point))
    total = points[rank - 1] if rank else SEVEN
    roll = next(roll for roll in ROLLS if roll.total == total and roll.first > roll.second)
    ways = _ways(table)
    return None if isinstance(table.do(Throw(roll)), Refusal) else LessonStep(None, "", 0, ways, "", 0, roll)


def _ways(table: Table) -> str:
    """How the next throw decides what is up: `The point is 6. Pass Bet wins on 6, loses on 7`."""
    layout, state = table.house.layout, table.state
    up = (layout.spots[key] for key in state.seats[ME].felt)
    sentences = [f"{spot.name} {how(spot, state.puck, layout.book.points.value)}." for spot in up]
    return " ".join([f"The point is {state.puck}.", *sentences] if state.puck else sentences)


def _spot(layout: Layout, what: str, puck: int) -> Spot | None:
    """A wager, by what it is; place is the number nearest the seven that is not the point, without a commission."""
    line = line_of(layout, dont=False)
    match what:
        case "line":
            return line
        case "odds":
            return layout.spots.get(line.odds) if line is not None else None
        case "come":
            return come_of(layout)
        case _:
            numbers = (spot for spot in layout.offered() if isinstance(spot.rule.terms, Number) and spot.side == "do")
            placed = (spot for spot in numbers if not spot.rule.commission and spot.number != puck)
            return min(placed, key=lambda spot: abs(spot.number - SEVEN), default=None)
