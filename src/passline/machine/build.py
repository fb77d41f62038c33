"""House and strategy into a finite machine, by running the engine over every state that play can reach.

A state is what can matter after a roll: the puck, the table's flags, our felt and the strategy's memory. Rails, the
bank and the other player's bet are put back where they were, for no answer of the engine depends on them here. Throws
are settled once for all that no wager on the felt tells apart: two dice have no order in any rule, so there are at most
21, and mostly 11.
"""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from math import gcd, inf, log2
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from passline.engine.events import SevenOut
from passline.engine.layout import Layout
from passline.engine.layout import Row as Verdicts
from passline.engine.settle import works
from passline.engine.table import TableState, Wager
from passline.engine.values import ROLLS
from passline.errors import StrategyError, UnboundedStrategyError
from passline.machine.machine import DECIDED, Machine, Standing, minimise
from passline.machine.play import OURS, Felt, Laid, Layouts, Setting, begin_run_out, decided, roll_out, thrown, worth
from passline.machine.terms import Seating, Terms
from passline.rulebooks.read import book_digest
from passline.strategies.language.strategy import Strategy
from passline.strategies.player.acting import act, remember
from passline.strategies.player.plan import NO_PURSE, Endless, Purse
from passline.strategies.player.view import Memory, View

STATES_MAX = 200_000  # how many states are looked for before a strategy is called unbounded
AMOUNT_MAX = 2**60  # the most minor units that one roll may move: machines count in 64 bits

# Up to so many states are looked for beyond the rolls that were asked about: then the machine is whole.
STATES_DEEPER = 5_000
STATES_ENDLESS = 10_000  # how many states are looked for within those rolls, of a strategy known to have no end
PROGRESS_EVERY = 256  # States between two words to whoever waits

# From so many states on, at every doubling, a search is given up that would end at so many times what is allowed.
HOPE_FROM, HOPE_TIMES = 1_024, 4
# A search that knows few more states than it has looked at is never given up: twice as many, and later an eighth more.
FEW_FROM, FEW_LATER = 16_384, 1.125


class State(NamedTuple):
    """All that can matter between two rolls."""

    laid: Laid
    memory: Memory


class Row(NamedTuple):
    """What is known about one state: a row of the machine's arrays, before they are arrays."""

    # For each pair of `PAIRS` the next state, the net, the action and whether it is a seven-out.
    throws: list[tuple[int, int, int, bool]]
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
    if endless and rolls is None:
        raise _no_end(strategy, endless)
    search = Search(setting, min(states_max, STATES_ENDLESS) if endless else states_max, progress)
    try:
        rows = search.run(rolls, deeper=0 if endless else STATES_DEEPER)
        about = about_of(setting) | {"refused": search.refusals, "states_met": len(rows)}
        about["rolls"] = rolls if search.cut_short else None
        return minimise(machine_of(search, rows, about))
    except StrategyError as error:
        if not endless:
            raise
        raise _no_end(strategy, endless) from error


def _no_end(strategy: Strategy, endless: Endless) -> UnboundedStrategyError:
    play = "imulate it roll by roll (passline simulate --backend engine)."
    advice = f"{endless.bound}, or s{play}" if endless.bound else f"S{play}"
    return UnboundedStrategyError(f"{strategy.id} has no end: {endless.why}.", advice)


def purse_for(strategy: Strategy, terms: Terms | None) -> Purse:
    """What a strategy knows of the session's money; to one that does not mind it, every session is the same."""
    return terms.purse if terms is not None and strategy.minds_money else NO_PURSE


def about_of(setting: Setting) -> dict[str, Any]:
    book, strategy, seating, purse = setting.layout.book, setting.plan.strategy, setting.seating, setting.plan.purse
    sign = setting.notice
    odds = None if sign.odds is None else {str(point): times for point, times in sign.odds.items()}
    posted = {**sign._asdict(), "odds": odds, "side": sign.side and list(sign.side)}
    return {
        "house": book.id,
        "house_hash": book_digest(book),
        "strategy": strategy.id,
        "strategy_hash": strategy.digest,
        "unit": str(seating.unit),
        "notice": None if setting.is_exact else posted,
        "max_bet": None if seating.max_bet is None else str(seating.max_bet),
        "purse": {name: str(amount) for name, amount in purse._asdict().items() if amount is not None} or None,
    }


class Search:
    """Breadth first from the empty table."""

    def __init__(self, setting: Setting, states_max: int, progress: Callable[[int, int], None] | None) -> None:
        self.setting, self.plan, self.layout = setting, setting.plan, setting.layout
        self.states_max, self.progress = states_max, progress
        self.refused: dict[tuple[str, str], str] = {}
        named, spots = setting.plan.strategy.named, setting.layout.spots.values()
        self.layouts = Layouts(setting, {spot.rule.made.value for spot in spots if {spot.key, spot.family} & named})
        self.names: dict[State, int] = {}
        self.queue: list[State] = []
        # Whether there are states from which no roll was looked at, because nobody asked for so many.
        self.cut_short = False

    def run(self, rolls: int | None, deeper: int) -> list[Row]:
        """Every state that can be met, in the order in which a walk meets them.

        More than `rolls` deep it goes on only while no more than so many states are known.
        """
        self._name(self.setting.opening(), self.plan.start)
        rows: list[Row] = []
        depth, level, look = 0, 1, HOPE_FROM
        levels, half = [1], 0
        for at, state in enumerate(self.queue):
            if at == level:
                depth, level = depth + 1, len(self.queue)
                levels.append(level)
            if at == look // 2:
                half = len(self.queue)
            elif at == look and not self.cut_short:
                self._check_hope(at, half, levels, rolls)
                look, half = 2 * look, len(self.queue)
            if rolls is not None and depth >= rolls and len(self.queue) > deeper:
                self.cut_short = True
            rows.append(self._row(state))
            if self.progress and len(rows) % PROGRESS_EVERY == 0:
                self.progress(len(rows), len(self.queue))
        return rows

    def _check_hope(self, done: int, half: int, levels: list[int], rolls: int | None) -> None:
        """Give up where the states, growing on as they did since half of them were looked at, would be far too many.

        They end where as many were looked at as are known, or at the depth of the rolls that were asked about.
        """
        known, depth = len(self.queue), len(levels) - 1
        if known < (2 if done < FEW_FROM else FEW_LATER) * done:  # a list with a longest line may end at any time
            return
        slows = 1 - log2(known / half)
        ends = log2(known) + (log2(known / done) / slows if slows > 0 else inf)
        if rolls is not None and depth > 1:
            by_depth = log2(levels[-1] / levels[depth // 2]) / log2(depth / (depth // 2))
            ends = min(ends, log2(levels[-1]) + by_depth * log2(max(rolls / depth, 1)))
        if ends > log2(HOPE_TIMES * self.states_max):
            raise UnboundedStrategyError(
                f"{self.plan.strategy.id} has too many states: {done:,} were looked at, {known:,} are known, and they "
                f"grow past {HOPE_TIMES * self.states_max:,}.",
                "Simulate it roll by roll (passline simulate --backend engine), or let it remember less.",
            )

    def _row(self, state: State) -> Row:
        table = self.laid_out(state)
        rest = Row([(self.names[state], 0, 0, False)] * len(PAIRS), 0)
        if self.plan.is_over(View(self.plan, table, state.memory)):
            return rest._replace(over=True)
        if self.cut_short:  # no roll goes on from here, but the last one may have ended the session
            return rest
        before, acts = worth(table), act(self.plan, table, state.memory)
        for no in acts.refused:
            self.refused.setdefault((no.wager, no.refusal.code), no.refusal.message)
        for throw, columns in throws(self.layout, acts.table):
            events, after = thrown(self.layout, acts.table, throw)
            net = worth(after) - before
            memory = remember(self.plan, state.memory, acts, events, net)
            ends = any(event.__class__ is SevenOut for event in events)
            settled = self._name(after, memory), net, decided(events), ends
            for column in columns:
                rest.throws[column] = settled
        return rest._replace(need=before - acts.table.seats[OURS].rail)

    def _name(self, table: TableState, memory: Memory) -> int:
        state = State(self.layouts.known_by(table), memory)
        name = self.names.setdefault(state, len(self.queue))
        if name == len(self.queue):
            self.queue.append(state)
            if name >= self.states_max:
                more = f"{self.plan.strategy.id} has more than {self.states_max} states, perhaps without end."
                raise UnboundedStrategyError(more)
        return name

    def laid_out(self, state: State) -> TableState:
        return self.layouts.table(state.laid)

    @property
    def refusals(self) -> list[dict[str, str]]:
        """What the dealers would not take, each wager and code once."""
        return [{"wager": wager, "code": code, "message": text} for (wager, code), text in self.refused.items()]


def machine_of(search: Search, rows: list[Row], about: dict[str, Any]) -> Machine:
    """What was found as arrays, in the coarsest minor unit that it allows; nothing is merged yet."""
    bets = Bets(search.setting)
    stands, back = bets.standing(map(search.laid_out, search.queue))
    following, net, action, hand_ends = np.moveaxis(np.array([row.throws for row in rows], dtype=object), 2, 0)
    need = np.array([row.need for row in rows], dtype=object)
    amounts = [*net.ravel(), *action.ravel(), *need, *back, *(each for bet in bets.rows for each in bet[1:].ravel())]
    coarse = gcd(*amounts) or 1
    if max(map(abs, amounts)) // coarse > AMOUNT_MAX:
        most = f"{about['strategy']} bets more than can be counted: {AMOUNT_MAX} of its smallest sums."
        raise UnboundedStrategyError(most, "Bound it with least(…, 100) or a maximum (--max, max_bet).")
    each = [np.vstack([bet[:1], bet[1:] // coarse])[:, COLUMN].astype(np.int64) for bet in bets.rows]
    standing = Standing.of(stands, [amount // coarse for amount in back], each)
    return Machine(
        column=np.array(COLUMN, dtype=np.uint8),
        next=following.astype(np.int32),
        net=(net // coarse).astype(np.int64),
        need=(need // coarse).astype(np.int64),
        action=(action // coarse).astype(np.int64),
        hand_ends=hand_ends.astype(np.bool_),
        minor_unit=Fraction(coarse, search.layout.minor_per_unit),
        about=about,
        over=np.array([row.over for row in rows]) if any(row.over for row in rows) else None,
        standing=standing if len(bets.rows) > 1 or any(back) else None,
    )


PAIRS = tuple(roll for roll in ROLLS if roll.first >= roll.second)  # the 21 throws of two dice that nobody tells apart

# For each of the 36 throws, its pair.
COLUMN = tuple(
    PAIRS.index(roll if roll.first >= roll.second else type(roll)(roll.second, roll.first)) for roll in ROLLS
)


def throws(layout: Layout, table: TableState) -> Iterable[tuple[int, Sequence[int]]]:
    """One throw for each set of columns that no wager of ours tells apart."""
    spots, puck = layout.spots, table.puck
    rows = [
        row
        for key, wager in table.seats[OURS].felt.items()
        if _splits_totals(row := spots[key].row(wager.mark, puck, works=works(spots[key], wager, puck)))
    ]
    if not rows:
        return BY_TOTAL
    groups: dict[tuple[int, ...], list[int]] = {}
    for column, roll in enumerate(PAIRS):
        groups.setdefault((roll.total, *(id(row[roll.throw]) for row in rows)), []).append(column)
    return [(PAIRS[columns[0]].throw, columns) for columns in groups.values()]


# For each total, one throw that makes it and all its columns.
BY_TOTAL = [
    (PAIRS[columns[0]].throw, columns)
    for total in range(2, 13)
    for columns in [[column for column, roll in enumerate(PAIRS) if roll.total == total]]
]


def _splits_totals(row: Verdicts) -> bool:
    """Whether a wager's verdict can differ between two throws of one total, as a hardway's does."""
    return any(row[PAIRS[column].throw] is not row[throw] for throw, columns in BY_TOTAL for column in columns[1:])


class Bets:
    """Every bet that can stand, made into rows by running the engine over what each throw does to it alone."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.names: dict[tuple[int, Felt], int] = {}
        self.rows: list[NDArray[np.object_]] = [np.zeros((3, len(PAIRS)), dtype=object)]
        self.queue: list[tuple[int, Felt]] = []
        self.tables: dict[int, TableState] = {}  # for each puck a table without a bet of ours

    def standing(self, tables: Iterable[TableState]) -> tuple[list[tuple[int, ...]], list[int]]:
        """For each table, the rows of the bets that stand on it, and the minor units that come back at once."""
        bets, backs = [], []
        for table in tables:
            begun = begin_run_out(self.setting.layout, table)
            backs.append(worth(begun) - worth(table))
            bets.append(self._of(begun))
        for puck, felt in self.queue:
            self._settle(self.names[puck, felt], puck, felt)
        return bets, backs

    def _of(self, table: TableState) -> tuple[int, ...]:
        """The rows of the bets on a table: each flat bet with its odds, and every other wager by itself."""
        spots = self.setting.layout.spots
        alone: dict[str, list[tuple[str, Wager]]] = {}
        for key, wager in table.seats[OURS].felt.items():
            alone.setdefault(spots[key].flat if spots[key].is_odds else key, []).append((key, wager))
        if table.puck not in self.tables:
            self.tables[table.puck] = _with_felt(table._replace(before=None), {})
        return tuple(self._name(table.puck, tuple(sorted(felt))) for felt in alone.values())

    def _name(self, puck: int, felt: Felt) -> int:
        name = self.names.setdefault((puck, felt), len(self.names) + 1)
        if name > len(self.queue):
            self.queue.append((puck, felt))
            self.rows.append(np.zeros((3, len(PAIRS)), dtype=object))
        return name

    def _settle(self, name: int, puck: int, felt: Felt) -> None:
        table = _with_felt(self.tables[puck], dict(felt))
        for throw, alike in throws(self.setting.layout, table):
            after, net, action = roll_out(self.setting, table, throw)
            rows = self._of(after)
            assert len(rows) <= 1, "one bet stays one bet"
            self.rows[name][:, list(alike)] = [[rows[0] if rows else DECIDED], [net], [action]]


def _with_felt(table: TableState, felt: dict[str, Wager]) -> TableState:
    return table._replace(seats={**table.seats, OURS: table.seats[OURS]._replace(felt=felt)})
