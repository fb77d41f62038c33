"""One strategy played through the engine, roll by roll: what machines are made of and what they are held against."""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple, cast

from passline.engine import commission
from passline.engine.commands import Bet, Command, Shoot, Sit, Throw
from passline.engine.decide import decide
from passline.engine.events import Event, SevenOut, WagerLost, WagerPushed, WagerReturned, WagerWon
from passline.engine.evolve import evolve
from passline.engine.kinds import NextRoll
from passline.engine.layout import Layout, Spot, lay_out
from passline.engine.refusals import Refusal
from passline.engine.table import Notice, TableState, Wager, open_table
from passline.engine.values import CENTS, ROLLS
from passline.errors import StrategyError
from passline.machine.terms import Seating
from passline.strategies.language.strategy import Strategy
from passline.strategies.player import python
from passline.strategies.player.acting import THREE_FOUR_FIVE, Acts, Refused, act, remember
from passline.strategies.player.plan import NO_PURSE, Plan, Purse, clearing
from passline.strategies.player.python import Position, PythonPlan, PythonStrategy, Up, Wants, as_data
from passline.strategies.player.view import Outcome, View

OTHER, OURS = 1, 2  # the seats: somebody uncounted who always has a line bet and throws, and our player
DECISIONS = (WagerWon, WagerLost, WagerPushed, WagerReturned)
DEEP = 10**30  # Minor units on a rail that never runs out


class Setting:
    """A table set for one strategy: the layout, the sign, and who sits there.

    Without a notice and a float nothing is rounded, nothing is too small or too large, and commission has no minimum;
    money is in minor units that clear every fraction. With either, the table is a real one, in cents.
    """

    def __init__(self, strategy: Strategy | PythonStrategy, seating: Seating, purse: Purse = NO_PURSE) -> None:
        unit = seating.unit
        self.seating = seating
        self.is_exact = seating.notice is None and seating.chips is None
        if self.is_exact:
            clears = clearing(seating.book, strategy if isinstance(strategy, Strategy) else None, unit)
            self.layout = lay_out(seating.book, exact=True, minor_per_unit=clears)
        else:
            self.layout = lay_out(seating.book)
        self.notice = self._sign(seating)
        # What the dealers said no to, whoever sat here, the first time for each wager and reason.
        self.refused: dict[tuple[str, str], Refused] = {}
        self.got_down = False  # whether our player ever had a bet up
        # What our player follows; of a strategy in Python, what it asks with.
        self.plan = Plan(as_data(strategy), self.layout, self.notice, unit=unit, seat=OURS, purse=purse)
        if not self.is_exact and (unit * CENTS).denominator != 1:
            raise StrategyError(f"a unit of {unit} is no whole number of cents, and chips are")

    def note(self, refused: Iterable[Refused], table: TableState) -> None:
        """Keep what the dealers said no to, and whether anything is up."""
        for no in refused:
            self.refused.setdefault((no.wager, no.refusal.code), no)
        self.got_down = self.got_down or bool(table.seats[OURS].felt)

    def _sign(self, seating: Seating) -> Notice:
        notice, chips = seating.notice, seating.float_cents
        if notice is None:
            notice = Notice(minimum=0, maximum=None, odds=seating.book.notice.odds.value or THREE_FOUR_FIVE, chip=1)
        if notice.odds is None:
            notice = notice._replace(odds=THREE_FOUR_FIVE)
        if chips is not None:
            notice = notice._replace(chip=min(chips))
        if seating.max_bet is not None:
            most = (seating.max_bet * self.layout.minor_per_unit).__floor__()
            notice = notice._replace(maximum=most if notice.maximum is None else min(most, notice.maximum))
        return notice

    def opening(self) -> TableState:
        table = open_table(self.notice, self.layout.book.dice.dice_set.value)
        for seat, name in ((OTHER, "the shooter"), (OURS, "our player")):
            table = self._do(table, Sit(seat, name, DEEP))
        return self.ready(table)

    def ready(self, table: TableState) -> TableState:
        """Have the other player bet the line and take the dice, where that is due."""
        if not table.puck and not any(key in table.seats[OTHER].felt for key in self.layout.line):
            stake = self.notice.least
            stake += -stake % self.notice.chip
            table = self._do(table, Bet(OTHER, self.layout.line[0], stake))
        return table if table.shooter == OTHER else self._do(table, Shoot(OTHER))

    def _do(self, table: TableState, command: Command) -> TableState:
        answer = decide(self.layout, table, command)
        if isinstance(answer, Refusal):
            raise StrategyError(f"{self.layout.book.name}: the shooter cannot play: {answer.message}")
        return evolve(table, answer)


Felt = tuple[tuple[str, Wager], ...]
# The flag that each window of betting looks at.
WINDOWS = {"after come-out": "rolled", "first come-out": "fresh_hand", "after a seven": "after_seven"}


class Laid(NamedTuple):
    """What tells settled tables apart: the puck, the flags that windows of betting look at, our felt."""

    puck: int
    flags: tuple[bool, ...]  # `dont_banned` of our seat, then those of the table that are watched
    felt: Felt


class Layouts:
    """Settled tables, each known by what is laid out on it, and laid out again with our rail full."""

    def __init__(self, setting: Setting, windows: Collection[str]) -> None:
        """Watch the flags of these windows alone; others open or close nothing here."""
        self.setting = setting
        self.watched = tuple(flag for window, flag in WINDOWS.items() if window in windows)
        self._order = {key: place for place, key in enumerate(setting.layout.spots)}
        self._tables: dict[tuple[int, tuple[bool, ...]], TableState] = {}

    def known_by(self, table: TableState) -> Laid:
        seat = table.seats[OURS]
        flags = (seat.dont_banned, *(getattr(table, flag) for flag in self.watched))
        felt = seat.felt.items()
        laid = Laid(table.puck, flags, tuple(sorted(felt, key=lambda up: self._order[up[0]])))
        if laid[:2] not in self._tables:
            self._tables[laid[:2]] = self.setting.ready(table)._replace(before=None)
        return laid

    def table(self, laid: Laid) -> TableState:
        bare = self._tables[laid[:2]]
        seat = bare.seats[OURS]._replace(rail=DEEP, felt=dict(laid.felt), dont_banned=laid.flags[0])
        return bare._replace(seats={**bare.seats, OURS: seat})


class Player:
    """Our player at a table, one throw after another: a `Player` of `sim.game`, which says what each part means."""

    def __init__(self, setting: Setting, minor_unit: Fraction | None = None) -> None:
        self.setting = setting
        # What a minor unit of `need`, `action` and a roll's net is worth in money.
        self.minor_unit = Fraction(1, setting.layout.minor_per_unit) if minor_unit is None else minor_unit
        self._fine = self.minor_unit * setting.layout.minor_per_unit
        self.plan = setting.plan
        self.table = setting.opening()
        self.memory = self.plan.start
        self.hand_ended = False
        self.action = 0
        self._acts: Acts | None = None
        self._worth = worth(self.table)

    @property
    def stands(self) -> bool:
        return bool(self.table.seats[OURS].felt)

    @property
    def over(self) -> bool:
        return self.plan.is_over(View(self.plan, self.table, self.memory))

    leaves = False  # a strategy that is data is `over` after a roll; one in Python may end its session when it is asked

    def act(self) -> Acts:
        if self._acts is None:
            self._acts = act(self.plan, self.table, self.memory)
            self.setting.note(self._acts.refused, self._acts.table)
        return self._acts

    @property
    def need(self) -> int:
        return self._amount(self._worth - self.act().table.seats[OURS].rail)

    def roll(self, throw: int) -> int:
        acts = self.act()
        answer, after = thrown(self.setting.layout, acts.table, throw)
        now = worth(after)
        net = now - self._worth
        self.memory = remember(self.plan, self.memory, acts, answer, net)
        self.hand_ended = any(event.__class__ is SevenOut for event in answer)
        self.action = self._amount(decided(answer))
        self.table, self._worth, self._acts = self.setting.ready(after), now, None
        return self._amount(net)

    def stop(self) -> int:
        before, self.table = self.table, begin_run_out(self.setting.layout, self.table)
        return self._amount(worth(self.table) - worth(before))

    def roll_out(self, throw: int) -> int:
        self.table, net, action = roll_out(self.setting, self.table, throw)
        self.action = self._amount(action)
        return self._amount(net)

    def _amount(self, minor_units: int) -> int:
        amount = minor_units / self._fine
        assert amount.denominator == 1, f"{amount} of {self.minor_unit} is no whole amount"
        return amount.numerator


def thrown(layout: Layout, table: TableState, throw: int) -> tuple[tuple[Event, ...], TableState]:
    """What one throw (0 to 35) does to a table: the events, and the table after them."""
    answer = decide(layout, table, Throw(ROLLS[throw]))
    assert not isinstance(answer, Refusal), answer
    return answer, evolve(table, answer)


def worth(table: TableState) -> int:
    seat = table.seats[OURS]
    return seat.rail + sum(wager.stake for wager in seat.felt.values())


def decided(events: Iterable[Event]) -> int:
    """The action of a roll: the stake of every bet of ours that it decided, and the commission paid for that decision.

    Pushes and bets given back count, as in the price of a wager; a winner that stays up is a new bet, counted when its
    turn comes. What comes down undecided was never action.
    """
    total = 0
    for event in events:
        if isinstance(event, DECISIONS) and event.seat == OURS:
            total += event.stake
            if isinstance(event, WagerWon | WagerLost):
                total += event.kept
    return total


def begin_run_out(layout: Layout, table: TableState) -> TableState:
    """The table as the run-out begins: no new bets are made, and the dice go on until all that stands is decided.

    What never would be comes down: what was called off, or left in its box by a win.
    """
    felt, chip, spots = table.seats[OURS].felt, table.notice.chip, layout.spots
    down = [key for key, wager in felt.items() if wager.call == "off" or _is_next_bet(spots[key], table.puck)]
    back = sum(commission.refund(spots[key], felt[key], felt[key].stake, chip) for key in down)
    return _down(table, down, back)


def _is_next_bet(spot: Spot, puck: int) -> bool:
    """Whether what lies there when nobody bets any more won or pushed, and was left up for the roll after."""
    return spot.rule.stays.value and (isinstance(spot.rule.terms, NextRoll) or (spot.is_line and not puck))


def roll_out(setting: Setting, table: TableState, throw: int) -> tuple[TableState, int, int]:
    """Settle one throw of the run-out: the table after it, the net and the action.

    What it decided and left up comes down, and nothing is charged for another decision.
    """
    answer, after = thrown(setting.layout, table, throw)
    felt = after.seats[OURS].felt
    ours = (each for each in answer if isinstance(each, WagerWon | WagerPushed) and each.seat == OURS)
    stays = [each.wager for each in ours if each.stays]
    after = _down(after, stays, sum(felt[key].held for key in stays))
    return setting.ready(after), worth(after) - worth(table), decided(answer)


def _down(table: TableState, keys: Collection[str], back: int) -> TableState:
    """Move wagers of ours back to the rail, with some commission."""
    if not keys:
        return table
    seat = table.seats[OURS]
    rail = seat.rail + back + sum(seat.felt[key].stake for key in keys)
    felt = {key: wager for key, wager in seat.felt.items() if key not in keys}
    return table._replace(seats={**table.seats, OURS: seat._replace(rail=rail, felt=felt)})


PLACES_MAX = 100_000  # Answers of the dealers that are remembered before all of them are forgotten


class Rolled(NamedTuple):
    place: "Place"
    net: int
    action: int
    outcome: Outcome


@dataclass(slots=True, eq=False)
class Acted:
    """A place once the bets are made."""

    table: TableState
    need: int
    refused: tuple[Refused, ...]
    leaves: bool
    rolled: list[Rolled | None] = field(default_factory=lambda: [None] * len(ROLLS))


@dataclass(slots=True, eq=False)
class Place:
    """All that the dealers' answers depend on between two rolls."""

    position: Position
    acted: dict[object, Acted] = field(default_factory=dict)  # by what was wanted
    answer: Up | Wants | None = None  # what a memoryless strategy wants here


class Places:
    def __init__(self, setting: Setting, plan: PythonPlan) -> None:
        self.setting, self.plan = setting, plan
        self._layouts = Layouts(setting, WINDOWS)
        self._known: dict[Laid, Place] = {}
        self._answers = 0
        self.start = self._place(setting.opening())

    def _place(self, table: TableState) -> Place:
        """The place that a settled table is at, with our rail full again."""
        laid = self._layouts.known_by(table)
        place = self._known.get(laid)
        if place is None:
            place = self._known[laid] = Place(Position(self.plan, self._layouts.table(laid)))
        return place

    def act(self, place: Place, wanted: object, answer: Up | Wants) -> Acted:
        table = place.position.table
        acts = self.plan.acts(table, self.plan.checked(answer))
        need = worth(table) - acts.table.seats[OURS].rail
        self._remembers_more()
        acted = place.acted[wanted] = Acted(acts.table, need, tuple(acts.refused), leaves=acts.leaves)
        self.setting.note(acts.refused, acts.table)
        return acted

    def roll(self, acted: Acted, before: int, throw: int) -> Rolled:
        """What a throw does; `before` is what our player had before the bets."""
        events, after = thrown(self.setting.layout, acted.table, throw)
        net = worth(after) - before
        self._remembers_more()
        outcome = Outcome(self.plan, events, net)
        rolled = acted.rolled[throw] = Rolled(self._place(after), net, decided(events), outcome)
        return rolled

    def _remembers_more(self) -> None:
        self._answers += 1
        if self._answers > PLACES_MAX:
            for place in self._known.values():
                place.acted.clear()
            self._known.clear()
            self._answers = 0


class PythonPlayer:
    """One session of a strategy in Python; amounts are minor units of the layout."""

    def __init__(self, places: Places, strategy: PythonStrategy) -> None:
        self.places, self.plan = places, places.plan
        self.strategy = python.evening_of(strategy)
        self.place = places.start
        self.tally = python.NOTHING_YET
        self.outcome: Outcome | None = None
        self.hand_ended = False
        self.action = 0
        self.over = False  # a strategy in Python ends its session when it is asked, before a roll: see `leaves`
        self._acted: Acted | None = None
        self._refused: tuple[Refused, ...] = ()
        self._running_out: TableState | None = None
        is_player = isinstance(self.strategy, python.Player)
        self._wants: Callable[[python.View], Up | Wants] = self.strategy.wants if is_player else self.strategy  # type: ignore[union-attr, assignment]
        self._memoryless = bool(getattr(self.strategy, "memoryless", False))
        self._hears = is_player and not self._memoryless and type(self.strategy).after is not python.Player.after  # type: ignore[union-attr]

    def act(self) -> Acted:
        acted = self._acted
        if acted is not None:
            return acted
        place = self.place
        answer = place.answer if self._memoryless else None
        if answer is None:
            view = python.View(place.position, self.tally, self.outcome, self._refused, self.plan.funds)
            answer = cast("Up | Wants", python.call(self.strategy, self._wants, view))
            if self._memoryless:
                place.answer = answer
        try:
            wanted = tuple(answer.items()) if type(answer) is dict else self.plan.key(answer)
            acted = place.acted.get(wanted)
        except TypeError:  # what cannot be looked up cannot be bet either, and is told so
            wanted = acted = None
        if acted is None:
            acted = self.places.act(place, wanted, answer)
        self._acted, self._refused = acted, acted.refused
        return acted

    @property
    def leaves(self) -> bool:
        return self.act().leaves

    @property
    def need(self) -> int:
        return self.act().need

    @property
    def stands(self) -> bool:
        return bool((self._running_out or self.place.position.table).seats[OURS].felt)

    def roll(self, throw: int) -> int:
        acted = self._acted or self.act()
        rolled = acted.rolled[throw]
        if rolled is None:
            rolled = self.places.roll(acted, worth(self.place.position.table), throw)
        self.place, self.action = rolled.place, rolled.action
        self.outcome = outcome = rolled.outcome
        self.hand_ended = outcome.seven_out
        self.tally = self.tally.after(outcome, rolled.net)
        self._acted = None
        if self._hears:
            self.plan.after(self.strategy, outcome)
        return rolled.net

    def stop(self) -> int:
        table = self.place.position.table
        self._running_out = begin_run_out(self.places.setting.layout, table)
        return worth(self._running_out) - worth(table)

    def roll_out(self, throw: int) -> int:
        assert self._running_out is not None, "the run-out begins with `stop`"
        self._running_out, net, self.action = roll_out(self.places.setting, self._running_out, throw)
        return net
