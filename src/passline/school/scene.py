"""A scene: a table played by random lawful acts to where a drill wants it."""

from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import TypeVar

from passline.engine import commands as c
from passline.engine import events as e
from passline.engine import shooting
from passline.engine.events import Event
from passline.engine.kinds import Hardway, Line, NextRoll, Number, Odds
from passline.engine.layout import Layout, Spot
from passline.engine.refusals import Answer, Refusal
from passline.engine.table import Seat
from passline.engine.values import CENTS, ROLLS, Roll
from passline.house import House
from passline.record.notice import default_chips, default_notice
from passline.sitting import amounts
from passline.table import Table

NAMES = ("Ann", "Bob", "Cho")
ANN, BOB = 1, 2  # the seat that exercises are about, and the one that keeps the dice going
BETS_BROUGHT = 1_000
ROLLS_MAX = 120  # how long a table is played before another seed is tried; a Fire Bet needs several points
SHORT_FLOAT = 4  # one scene in so many has run out of the smallest chip, so that more is rounded

Events = tuple[Event, ...]
T = TypeVar("T", bound=e.WagerWon | e.WagerLost | e.WagerTravelled | e.WagerTallied)


class Unfit(Exception):
    """No such question can be asked of a scene: another scene is tried."""


def need(holds: object) -> None:
    if not holds:
        raise Unfit


def taken(answer: Answer) -> Events:
    """What happened, where the dealers did not say no."""
    if isinstance(answer, Refusal):
        raise Unfit
    return answer


class Scene:
    def __init__(self, house: House, level: int, rng: Random) -> None:
        """Open a table of a house, with a float that may lack its smallest chip once odd payouts are taught."""
        self.house, self.level, self.rng = house, level, rng
        self.layout, self.money = house.layout, house.layout.money
        chips, sign = sorted(default_chips(house.book)), default_notice(house.book)
        least = sign.minimum, sign.props_minimum or 0, *(sign.side or ())
        is_short = level > 1 and len(chips) > 1 and not rng.randrange(SHORT_FLOAT)
        if is_short and not any(each % chips[1] for each in least):
            chips = chips[1:]
        self.table = Table(house, chips=[Fraction(chip, CENTS) for chip in chips])
        self.unit = self.table.notice.least
        for seat, name in enumerate(NAMES, start=1):
            self.table.do(c.Sit(seat, name, BETS_BROUGHT * self.unit))

    def seat(self, number: int = ANN) -> Seat:
        return self.table.state.seats[number]

    def after(self, roll: Roll) -> Table:
        """A table of its own on which this has been rolled; an exercise keeps the one before."""
        table = Table.at(self.table.position)
        table.do(c.Throw(roll))
        return table

    def about(self) -> int:
        """A stake that people bet: some minimum bets, the small ones most."""
        return self.unit * self.rng.choice((1, 1, 2, 2, 3, 4, 5, 6, 10))

    def bet(self, seat: int, key: str, about: int | None = None) -> bool:
        """Bet the lawful amount that is nearest; whether the dealers took it."""
        amount = amounts.to_bet(self.layout, self.table.state, seat, key, about or self.about())
        return not isinstance(amount, Refusal) and not isinstance(self.table.do(c.Bet(seat, key, amount)), Refusal)

    def would(self, roll: Roll) -> Events:
        """What this roll would do now; nothing where no one can throw."""
        answer = self.table.would(c.Throw(roll))
        return () if isinstance(answer, Refusal) else answer

    def roll(self, fine: Callable[[Events], bool] = bool) -> bool:
        """Throw dice at random, of those whose outcome is fine; whether there were any."""
        self._line_up()
        for roll in self.rng.sample(ROLLS, len(ROLLS)):
            events = self.would(roll)
            if events and fine(events):
                self.table.do(c.Throw(roll))
                return True
        return False

    def rolls(self, fine: Callable[[Events], bool] = bool) -> list[tuple[Roll, Events]]:
        self._line_up()
        every = ((roll, self.would(roll)) for roll in ROLLS)
        return [(roll, events) for roll, events in every if events and fine(events)]

    def a_roll(self, fine: Callable[[Events], bool]) -> tuple[Roll, Events]:
        rolls = self.rolls(fine)
        need(rolls)
        return self.rng.choice(rolls)

    def _line_up(self) -> None:
        """Before a come-out Bob bets the line, so that someone may throw."""
        line = [key for key in self.layout.line if not self.layout.spots[key].is_dont]
        if not self.table.state.puck and line and not shooting.has_line_bet(self.layout, self.table.state, BOB):
            self.bet(BOB, line[0], self.unit)

    def put_up(self, spot: Spot) -> bool:
        """Play until Ann has a wager on a spot: its flat bet first, or the bet that travels there."""
        for _ in range(ROLLS_MAX):
            felt = self.seat().felt
            if spot.key in felt:
                return True
            if spot.is_odds and spot.flat not in felt:
                done = self.put_up(self.layout.spots[spot.flat])
            elif spot.has_travelled and spot.family in felt:
                done = self.roll(lambda events: arrives(events, spot)) or self.roll(_ann_loses_nothing)
            else:
                key = spot.family if spot.has_travelled else spot.key
                done = self.bet(ANN, key) or self.roll(_ann_loses_nothing)
            if not done:
                return False
        return False

    def until_it_can_win(self, spot: Spot) -> list[tuple[Roll, e.WagerWon]]:
        """Plays until the next roll can win Ann's wager; returns those rolls and what each pays."""
        for _ in range(ROLLS_MAX):
            rolls = [(roll, won) for roll, events in self.rolls() if (won := won_by(events, spot.key)) is not None]
            if rolls or spot.key not in self.seat().felt:
                return rolls
            if not (self.roll(lambda events: _counts(events, spot)) or self.roll(_ann_loses_nothing)):
                return []
        return []

    def play_a_while(self, rolls: int, level: int | None = None) -> None:
        for number in range(rolls + 1):
            for seat in self.table.state.seats:
                self._bets_at_random(seat, so_far(self.layout, level or self.level))
            if number < rolls:
                self.roll()

    def _bets_at_random(self, seat: int, taught: list[Spot]) -> None:
        """One or two wagers more before a seat, new ones as long as there are any that can be made."""
        bets_max = 2
        for spot in self.rng.sample(taught, len(taught)):
            felt = self.seat(seat).felt
            both_sides = spot.is_flat and any(self.layout.spots[key].is_dont != spot.is_dont for key in felt)
            if spot.key not in felt and not both_sides and self.bet(seat, spot.key):
                bets_max -= self.rng.choice((1, 2))
                if bets_max <= 0:
                    return


def hers(events: Events, kind: type[T]) -> list[T]:
    return [each for each in events if isinstance(each, kind) and each.seat == ANN]


def won_by(events: Events, key: str) -> e.WagerWon | None:
    return next((each for each in hers(events, e.WagerWon) if each.wager == key), None)


def decisions(events: Events) -> tuple[e.Decision, ...]:
    return tuple(each for each in events if isinstance(each, e.Decision))


def _ann_loses_nothing(events: Events) -> bool:
    return not hers(events, e.WagerLost)


def arrives(events: Events, spot: Spot) -> bool:
    return any(each.to == spot.key for each in hers(events, e.WagerTravelled))


def _counts(events: Events, spot: Spot) -> bool:
    """Whether a wager with memory comes nearer to a win."""
    return any(each.wager == spot.key for each in hers(events, e.WagerTallied))


TAUGHT = "the line", "odds on the line", "come bets and their odds", "numbers", "the stick's box", "side bets"
LEVELS = dict(enumerate(TAUGHT, 1))
SIDE_BETS = max(LEVELS)


def level_of(spot: Spot) -> int:
    match spot.rule.terms:
        case Line():
            return 1 if spot.is_line else 3
        case Odds():
            return 3 if spot.number else 2
        case Number():
            return 4
        case NextRoll() | Hardway():
            return 5
        case _:  # whatever remembers rolls
            return SIDE_BETS


def levels(layout: Layout) -> tuple[int, ...]:
    return tuple(sorted({level_of(spot) for spot in layout.offered()}))


def lesson(layout: Layout, level: int) -> list[Spot]:
    """The spots of one lesson: those that can be asked for, and those where come bets travel to."""
    return [spot for spot in layout.spots.values() if spot.rule.offered.value and level_of(spot) == level]


def so_far(layout: Layout, level: int) -> list[Spot]:
    return [spot for spot in layout.offered() if level_of(spot) <= level]
