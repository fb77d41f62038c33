"""House and strategy into a finite machine, by running the engine over every state that play can reach.

A state is what can matter after a roll: the puck, the table's flags, our felt and the strategy's memory. Rails, the
bank and the other player's bet are put back where they were, for no answer of the engine depends on them here. Throws
are settled once for all that no wager on the felt tells apart: two dice have no order in any rule, so there are at most
21, and mostly 11.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from fractions import Fraction
from math import gcd
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from passline.engine.book import Book
from passline.engine.commands import Throw
from passline.engine.decide import decide
from passline.engine.events import SevenOut
from passline.engine.evolve import evolve
from passline.engine.refusals import Refusal
from passline.engine.table import Notice, TableState, Wager
from passline.engine.values import ROLLS
from passline.errors import StrategyError, UnboundedStrategyError
from passline.machine.bets import Bets
from passline.machine.machine import Machine
from passline.machine.minimise import minimise
from passline.machine.play import DEEP, OURS, Setting, decided
from passline.machine.standing import Standing
from passline.machine.terms import Seating, Terms
from passline.machine.throws import COLUMN, PAIRS, throws
from passline.strategies.language.strategy import Strategy
from passline.strategies.player.acting import Acts, act, remember
from passline.strategies.player.memory import Memory
from passline.strategies.player.plan import NO_PURSE, Purse
from passline.strategies.player.view import View

STATES_MAX = 200_000
"""How many states are looked for before a strategy is called unbounded."""

AMOUNT_MAX = 2**60
"""The most grains that one roll may move: machines count in 64 bits."""

STATES_DEEPER = 5_000
"""Up to so many states are looked for beyond the rolls that were asked about: then the machine is whole."""

STATES_ENDLESS = 10_000
"""How many states are looked for within those rolls, of a strategy known to have no end."""

PROGRESS_EVERY = 256
"""States between two words to whoever waits."""


class State(NamedTuple):
    """All that can matter between two rolls."""

    puck: int
    flags: tuple[bool, ...]
    felt: tuple[tuple[str, Wager], ...]
    memory: Memory


class Row(NamedTuple):
    """What is known about one state: the arrays of the machine, before they are arrays."""

    next: list[int]
    net: list[int]
    action: list[int]
    hand_ends: list[bool]
    need: int
    over: bool = False


def build(
    strategy: Strategy,
    seating: Seating,
    terms: Terms | None = None,
    *,
    states_max: int = STATES_MAX,
    progress: Callable[[int, int], None] | None = None,
) -> Machine:
    """Build the smallest machine of a strategy at a seat.

    With `terms`, it may be good for sessions on those alone: a search that grows large goes no deeper than their rolls,
    and `about["rolls"]` says how long sessions may be; a strategy that minds money is built for their bankroll and
    stops, and `about["purse"]` says so. `progress` is told now and then how many states are done and how many are
    known. What the dealers refused is in `about["refused"]`: a strategy that asks for what it cannot have does not go
    unnoticed.
    """
    rolls, purse = None if terms is None else terms.rolls, purse_for(strategy, terms)
    setting = Setting(strategy, seating, purse)
    endless = setting.plan.endless()
    no_end = UnboundedStrategyError(f"{strategy.id} has no end: {endless}.")
    if endless and rolls is None:
        raise no_end
    search = Search(setting, min(states_max, STATES_ENDLESS) if endless else states_max, progress)
    try:
        found = search.run(rolls, deeper=0 if endless else STATES_DEEPER)
        about = about_of(setting) | {
            "refused": [
                {"wager": wager, "code": code, "message": message} for (wager, code), message in search.refused.items()
            ],
            "states_met": len(found),
            "rolls": rolls if search.cut_short else None,
        }
        bets = Bets(setting)
        stands = bets.standing(map(search.laid_out, search.queue))
        return minimise(machine_of(found, *stands, bets.rows, Fraction(1, setting.layout.grain), about))
    except StrategyError as error:
        if not endless:
            raise
        raise no_end from error


def purse_for(strategy: Strategy, terms: Terms | None) -> Purse:
    """What a strategy knows of the evening's money; to one that does not mind it, every evening is the same."""
    return terms.purse if terms is not None and strategy.minds_money else NO_PURSE


def about_of(setting: Setting) -> dict[str, Any]:
    """Where a machine comes from."""
    book, strategy, seating, purse = setting.layout.book, setting.plan.strategy, setting.seating, setting.plan.purse
    return {
        "house": book.id,
        "house_hash": book_digest(book),
        "strategy": strategy.id,
        "strategy_hash": strategy.digest,
        "unit": str(seating.unit),
        "notice": None if setting.is_exact else _posted(setting.notice),
        "max_bet": None if seating.max_bet is None else str(seating.max_bet),
        "purse": {name: str(amount) for name, amount in purse._asdict().items() if amount is not None} or None,
    }


class Search:
    """Breadth first from the empty table."""

    def __init__(self, setting: Setting, states_max: int, progress: Callable[[int, int], None] | None) -> None:
        self.setting, self.plan, self.layout = setting, setting.plan, setting.layout
        self.states_max, self.progress = states_max, progress
        self.refused: dict[tuple[str, str], str] = {}
        self.order = {key: place for place, key in enumerate(setting.layout.spots)}
        self.watched = _flags_that_matter(setting)
        self.names: dict[State, int] = {}
        self.queue: list[State] = []
        self.cut_short = False
        """Whether there are states that were not looked at, because nobody asked for so many rolls."""
        self.tables: dict[tuple[int, tuple[bool, ...]], TableState] = {}
        """A table for each puck and flags, on which a state's felt is laid out again."""

    def run(self, rolls: int | None, deeper: int) -> list[Row]:
        """Every state that can be met, in the order in which a walk meets them.

        More than `rolls` deep it goes on only while no more than so many states are known.
        """
        self._name(self.setting.opening(), self.plan.start)
        rows: list[Row] = []
        depth, level = 0, 1
        for at, state in enumerate(self.queue):
            if at == level:
                depth, level = depth + 1, len(self.queue)
            if rolls is not None and depth >= rolls and len(self.queue) > deeper:
                self.cut_short = True
            rows.append(_rest(at) if self.cut_short else self._row(state))
            if self.progress and len(rows) % PROGRESS_EVERY == 0:
                self.progress(len(rows), len(self.queue))
        return rows

    def _row(self, state: State) -> Row:
        """Have the player act, then settle every throw that differs."""
        table = self.laid_out(state)
        if self.plan.is_over(View(self.plan, table, state.memory)):
            return _rest(self.names[state])._replace(over=True)
        worth = DEEP + sum(wager.stake for _, wager in state.felt)
        acts = act(self.plan, table, state.memory)
        for no in acts.refused:
            self.refused.setdefault((no.wager, no.refusal.code), no.refusal.message)
        none = [0] * len(PAIRS)
        row = Row(none, none[:], none[:], [False] * len(PAIRS), worth - acts.table.seats[OURS].rail)
        for throw, columns in throws(self.layout, acts.table):
            following, net, action, ends = self._settled(state, acts, worth, throw)
            for column in columns:
                row.next[column], row.net[column] = following, net
                row.action[column], row.hand_ends[column] = action, ends
        return row

    def _settled(self, state: State, acts: Acts, worth: int, throw: int) -> tuple[int, int, int, bool]:
        """What one throw leads to: the next state, the net, the action, and whether it is a seven-out."""
        answer = decide(self.layout, acts.table, Throw(ROLLS[throw]))
        assert not isinstance(answer, Refusal), answer
        after = evolve(acts.table, answer)
        seat = after.seats[OURS]
        net = seat.rail - worth
        for wager in seat.felt.values():
            net += wager.stake
        memory = remember(self.plan, state.memory, acts, answer, net)
        ends = any(event.__class__ is SevenOut for event in answer)
        return self._name(after, memory), net, decided(answer), ends

    def _name(self, table: TableState, memory: Memory) -> int:
        """The number of the state that a settled table is in, new or known."""
        felt = table.seats[OURS].felt
        laid = tuple(felt.items()) if len(felt) < 2 else tuple(sorted(felt.items(), key=self._place))
        flags = (table.seats[OURS].dont_banned, *(getattr(table, flag) for flag in self.watched))
        state = State(table.puck, flags, laid, memory)
        name = self.names.get(state)
        if name is not None:
            return name
        name = self.names[state] = len(self.queue)
        self.queue.append(state)
        if len(self.queue) > self.states_max:
            more = f"{self.plan.strategy.id} has more than {self.states_max} states, perhaps without end."
            raise UnboundedStrategyError(more)
        if (table.puck, flags) not in self.tables:
            self.tables[table.puck, flags] = self.setting.ready(table)._replace(before=None)
        return name

    def _place(self, up: tuple[str, Wager]) -> int:
        return self.order[up[0]]

    def laid_out(self, state: State) -> TableState:
        """The table of a state, with our rail full again."""
        table = self.tables[state.puck, state.flags]
        seat = table.seats[OURS]._replace(rail=DEEP, felt=dict(state.felt), dont_banned=state.flags[0])
        return table._replace(seats={**table.seats, OURS: seat})


def _rest(name: int) -> Row:
    """A state that is played no further."""
    none = [0] * len(PAIRS)
    return Row([name] * len(PAIRS), none, none, [False] * len(PAIRS), 0)


def _flags_that_matter(setting: Setting) -> tuple[str, ...]:
    """The table's flags that open or close a wager the strategy speaks of."""
    named = setting.plan.strategy.named
    spots = (spot for spot in setting.layout.spots.values() if {spot.key, spot.family} & named)
    windows = {spot.rule.made.value for spot in spots}
    return tuple(flag for window, flag in WINDOWS.items() if window in windows)


WINDOWS = {"after come-out": "rolled", "first come-out": "fresh_hand", "after a seven": "after_seven"}
"""The flag that each window of betting looks at."""


def machine_of(  # noqa: PLR0913, PLR0917 - what a machine is made of
    rows: list[Row],
    stands: list[tuple[int, ...]],
    back: list[int],
    bets: list[NDArray[np.object_]],
    grain: Fraction,
    about: dict[str, Any],
) -> Machine:
    """The rows as arrays, in the coarsest grain that they allow."""
    amounts = [amount for row in rows for amount in (*row.net, *row.action, row.need)]
    amounts += [*back, *(amount for bet in bets for amount in bet[1:].ravel())]
    coarse = gcd(*amounts) or 1
    if max(map(abs, amounts)) // coarse > AMOUNT_MAX:
        raise StrategyError(f"{about['strategy']} bets more than can be counted: {AMOUNT_MAX} of its smallest sums.")
    each = [np.vstack([bet[:1], bet[1:] // coarse])[:, COLUMN].astype(np.int64) for bet in bets]
    return Machine(
        column=np.array(COLUMN, dtype=np.uint8),
        next=np.array([row.next for row in rows], dtype=np.int32),
        net=np.array([[net // coarse for net in row.net] for row in rows], dtype=np.int64),
        need=np.array([row.need // coarse for row in rows], dtype=np.int64),
        action=np.array([[grains // coarse for grains in row.action] for row in rows], dtype=np.int64),
        hand_ends=np.array([row.hand_ends for row in rows], dtype=np.bool_),
        grain=grain * coarse,
        about=about,
        over=np.array([row.over for row in rows]) if any(row.over for row in rows) else None,
        standing=Standing.of(stands, [grains // coarse for grains in back], each)
        if len(bets) > 1 or any(back)
        else None,
    )


def _posted(notice: Notice) -> dict[str, Any]:
    """The sign as JSON has it, in cents."""
    odds = None if notice.odds is None else {str(point): times for point, times in notice.odds.items()}
    return {**notice._asdict(), "odds": odds, "side": notice.side and list(notice.side)}


def book_digest(book: Book) -> str:
    """A hash of everything a rule book says."""
    return hashlib.sha256(repr(book).encode()).hexdigest()
