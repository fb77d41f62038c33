"""A strategy in Python played through the engine: what the dealers answer is remembered, never what the strategy says.

Nobody runs out of chips here, so what the dealers answer depends on the puck, the table's flags and our felt alone: a
`Place`. What a player's wants come to there, and what each throw then does, is worked out by the engine once.
"""

from __future__ import annotations

from collections.abc import Callable

from passline.engine.commands import Throw
from passline.engine.decide import decide
from passline.engine.evolve import evolve
from passline.engine.refusals import Refusal
from passline.engine.table import TableState
from passline.engine.values import ROLLS
from passline.errors import PasslineError, StrategyError
from passline.machine.play import DEEP, OURS, Setting, bring_down_called_off, decided, roll_out, worth
from passline.strategies.player.acting import Refused
from passline.strategies.player.python import (
    NOTHING_YET,
    Outcome,
    Player,
    Position,
    PythonPlan,
    PythonStrategy,
    Up,
    View,
    Wants,
    evening_of,
    name_of,
)

PLACES_MAX = 100_000
"""Answers of the dealers that are remembered before all of them are forgotten."""


class Rolled:
    """What one throw does once the bets are made."""

    __slots__ = ("action", "net", "outcome", "place")

    def __init__(self, place: Place, net: int, action: int, outcome: Outcome) -> None:
        self.place, self.net, self.action, self.outcome = place, net, action, outcome


class Acted:
    """A place once the bets are made."""

    __slots__ = ("leaves", "need", "refused", "rolled", "table")

    def __init__(self, table: TableState, need: int, refused: tuple[Refused, ...], *, leaves: bool) -> None:
        self.table, self.need, self.refused, self.leaves = table, need, refused, leaves
        self.rolled: list[Rolled | None] = [None] * len(ROLLS)


class Place:
    """All that the dealers' answers depend on between two rolls."""

    __slots__ = ("acted", "answer", "position")

    def __init__(self, position: Position) -> None:
        self.position = position
        self.acted: dict[object, Acted] = {}
        """By what was wanted."""
        self.answer: Up | Wants | None = None
        """What a memoryless strategy wants here."""


class Places:
    """The places of one table that were met so far."""

    def __init__(self, setting: Setting, plan: PythonPlan) -> None:
        self.setting, self.plan = setting, plan
        self._order = {key: place for place, key in enumerate(setting.layout.spots)}
        self._known: dict[tuple[object, ...], Place] = {}
        self._tables: dict[tuple[object, ...], TableState] = {}
        """A table for each puck and flags, on which our felt is laid out."""
        self._answers = 0
        self.start = self._place(setting.opening())

    def _place(self, table: TableState) -> Place:
        """The place that a settled table is at, with our rail full again."""
        seat = table.seats[OURS]
        felt = tuple(sorted(seat.felt.items(), key=lambda up: self._order[up[0]]))
        flags = (table.puck, table.rolled, table.fresh_hand, table.after_seven, seat.dont_banned)
        place = self._known.get((flags, felt))
        if place is None:
            bare = self._tables.get(flags)
            if bare is None:
                bare = self._tables[flags] = self.setting.ready(table)._replace(before=None)
            own = bare.seats[OURS]._replace(rail=DEEP, felt=dict(felt), dont_banned=seat.dont_banned)
            place = Place(Position(self.plan, bare._replace(seats={**bare.seats, OURS: own})))
            self._known[flags, felt] = place
        return place

    def act(self, place: Place, wanted: object, answer: Up | Wants) -> Acted:
        """What the dealers make of an answer at a place."""
        table = place.position.table
        acts = self.plan.acts(table, self.plan.checked(answer))
        need = worth(table) - acts.table.seats[OURS].rail
        acted = Acted(acts.table, need, tuple(acts.refused), leaves=acts.leaves)
        self._remembers_more()
        place.acted[wanted] = acted
        if acts.table.seats[OURS].felt:
            self.setting.got_down = True
        for no in acts.refused:
            self.setting.refused.setdefault((no.wager, no.refusal.code), no)
        return acted

    def roll(self, acted: Acted, before: int, throw: int) -> Rolled:
        """What a throw does; `before` is what our player had before the bets."""
        events = decide(self.setting.layout, acted.table, Throw(ROLLS[throw]))
        assert not isinstance(events, Refusal), events
        after = evolve(acted.table, events)
        net = worth(after) - before
        self._remembers_more()
        rolled = Rolled(self._place(after), net, decided(events), self.plan.outcome(events, net))
        acted.rolled[throw] = rolled
        return rolled

    def _remembers_more(self) -> None:
        self._answers += 1
        if self._answers > PLACES_MAX:
            for place in self._known.values():
                place.acted.clear()
            self._known.clear()
            self._answers = 0


class PythonPlayer:
    """One evening of a strategy in Python; amounts are grains of the layout."""

    def __init__(self, places: Places, strategy: PythonStrategy) -> None:
        """Sit down at an empty table with a copy of the player."""
        self.places, self.plan = places, places.plan
        self.strategy = evening_of(strategy)
        self.place = places.start
        self.tally = NOTHING_YET
        self.outcome: Outcome | None = None
        self.hand_ended = False
        """Whether the last roll was a seven-out."""
        self.action = 0
        """Grains of the bets that the last roll decided."""
        self.over = False
        """A strategy in Python ends its evening when it is asked, before a roll: see `leaves`."""
        self._acted: Acted | None = None
        self._refused: tuple[Refused, ...] = ()
        self._running_out: TableState | None = None
        is_player = isinstance(self.strategy, Player)
        self._wants: Callable[[View], Up | Wants] = self.strategy.wants if is_player else self.strategy  # type: ignore[union-attr, assignment]
        self._memoryless = bool(getattr(self.strategy, "memoryless", False))
        self._hears = is_player and not self._memoryless and type(self.strategy).after is not Player.after  # type: ignore[union-attr]

    def act(self) -> Acted:
        """Ask what the strategy wants before the next roll, once."""
        acted = self._acted
        if acted is not None:
            return acted
        place = self.place
        answer = place.answer if self._memoryless else None
        if answer is None:
            view = View(place.position, self.tally, self.outcome, self._refused, self.plan.funds)
            try:
                answer = self._wants(view)
            except PasslineError:
                raise
            except Exception as error:
                raise StrategyError(f"{name_of(self.strategy)} failed: {type(error).__name__}: {error}") from error
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
        """Whether the strategy, asked for its next bets, ends its evening."""
        return self.act().leaves

    @property
    def need(self) -> int:
        """Grains that must be at hand for the next roll, standing wagers and commission due included."""
        return self.act().need

    @property
    def stands(self) -> bool:
        """Whether anything of ours is up."""
        return bool((self._running_out or self.place.position.table).seats[OURS].felt)

    def roll(self, throw: int) -> int:
        """Play one throw (0 to 35) and give the grains won less the grains lost, commission paid included."""
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
        """Make no more bets: what was called off comes down, and the commission that gives back is told."""
        table = self.place.position.table
        self._running_out = bring_down_called_off(self.places.setting.layout, table)
        return worth(self._running_out) - worth(table)

    def roll_out(self, throw: int) -> int:
        """Play one throw for what stands alone, and give the grains won less the grains lost."""
        assert self._running_out is not None, "the run-out begins with `stop`"
        self._running_out, net, self.action = roll_out(self.places.setting, self._running_out, throw)
        return net
