"""Table rolls a second, events with their clauses and all, beside crapssim 0.4.1 in the same run.

Run with `scripts/bench engine`. What is compared is `COMPARED`, below: it is printed and recorded with the figures. The
figure that counts is the ratio, taken as the median over alternating rounds of processor time, for a shared machine is
never quiet.
"""

from __future__ import annotations

import argparse
import gc
import json
import random
import statistics
import sys
import time
from dataclasses import replace
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

from passline import House, Player, Refusal, Table, View, ask
from passline.engine.commands import Bet, Sit, Take, Throw
from passline.engine.decide import decide
from passline.engine.evolve import evolve
from passline.engine.table import open_table
from passline.engine.values import ROLLS
from passline.record.line import Words
from passline.record.notice import default_notice, read_notice
from passline.sim import Interpreted
from passline.strategies.language import grammar
from passline.strategies.language.strategy import Strategy, Want
from passline.strategies.player.acting import act, remember
from passline.strategies.player.plan import Plan
from passline.strategies.player.python import Up

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence
    from typing import Any

    from passline.engine.commands import Command
    from passline.engine.table import TableState
    from passline.engine.values import Roll

    System = Callable[[int, Collection[str]], Iterator[tuple[str, int]]]

COMPARED = (
    "The same dice, dealt to both sides before the clock starts, and the same bets: the money of every seat is equal "
    "after every roll. Processor time, the median of the rounds; a ratio of 2 means that Passline takes half of "
    "crapssim's time. Bare functions: a plain function decides the bets on either side; ours go to `decide` and "
    "`evolve`. Table: the same functions ask a `passline.Table`, which keeps its history, and crapssim runs its own "
    "strategies. Strategy player: our strategies, as a file says them, against crapssim's. Passline makes every event "
    "with its clause, crapssim makes none. What the dealers of a house have worked out is kept for all its tables, so "
    "ours know what came up while the money was compared, and in earlier rounds; but not in the last two rows, which "
    "start every round with nothing worked out. README Table: a `Table` by `puck`, `up`, `bet` and `roll` alone. "
    "Python classes: strategies as Python classes, played as `ask` plays them, against crapssim's own classes."
)
RESULTS = Path(__file__).parent / "results" / "engine.json"
HOUSE, NOTICE = "strip", "min=1"
UNIT, RICH, CENTS = 10, 10**9, 100
CHECKED = 1_500
"""Rolls over which the money is compared after every one of them."""


# --- The systems: from the puck and the wagers up to bets in money, where an amount of 0 takes one down -------------


def pass_line(puck: int, up: Collection[str]) -> Iterator[tuple[str, int]]:
    """One unit on the line."""
    if not puck and "pass" not in up:
        yield "pass", UNIT


def double_odds(puck: int, up: Collection[str]) -> Iterator[tuple[str, int]]:
    """One unit on the line and twice that behind it."""
    if not puck:
        yield from pass_line(puck, up)
    elif "pass_odds" not in up:
        yield "pass_odds", 2 * UNIT


def molly(puck: int, up: Collection[str]) -> Iterator[tuple[str, int]]:
    """The line and two come bets, all with double odds."""
    yield from double_odds(puck, up)
    travelled = [point for point in POINTS if COME[point] in up]
    if puck and len(travelled) < 2 and "come" not in up:
        yield "come", UNIT
    for point in travelled:
        if COME_ODDS[point] not in up:
            yield COME_ODDS[point], 2 * UNIT


def iron_cross(puck: int, up: Collection[str]) -> Iterator[tuple[str, int]]:
    """The line with odds, and a win on everything but seven once a point is set."""
    yield from double_odds(puck, up)
    if puck:
        for number, stake in CROSS:
            if number == puck:
                if PLACE[number] in up:
                    yield PLACE[number], 0
            elif PLACE[number] not in up:
                yield PLACE[number], stake
        if "field" not in up:
            yield "field", UNIT
    elif "field" in up:  # a winner stays up in this house until somebody takes it down
        yield "field", 0


def six_and_eight(puck: int, up: Collection[str]) -> Iterator[tuple[str, int]]:
    """Place six and eight, behind a line bet so that somebody can shoot."""
    yield from pass_line(puck, up)
    if puck:
        for number in (6, 8):
            if PLACE[number] not in up:
                yield PLACE[number], 12


POINTS = (4, 5, 6, 8, 9, 10)
COME = {point: f"come_{point}" for point in POINTS}
COME_ODDS = {point: f"come_odds_{point}" for point in POINTS}
PLACE = {point: f"place_{point}" for point in POINTS}
CROSS = ((5, 2 * UNIT), (6, 24), (8, 24))

SYSTEMS: dict[str, tuple[System, ...]] = {
    "pass": (pass_line,),
    "double odds": (double_odds,),
    "molly": (molly,),
    "iron cross": (iron_cross,),
    "place 6/8": (six_and_eight,),
    "four players": (pass_line, double_odds, molly, iron_cross),
}


def want(when: str = "always", up: dict[str, int | str] | None = None, **more: Any) -> Want:
    """A want in the words of a strategy file."""
    amounts = tuple((wager, grammar.amount(amount)) for wager, amount in (up or {}).items())
    return Want(grammar.condition(when), amounts, **more)


LINE = want("puck off", {"pass": 1})
BEHIND = want("puck on", {"pass_odds": "2x"})
WANTS: dict[System, tuple[Want, ...]] = {
    pass_line: (LINE,),
    double_odds: (LINE, BEHIND),
    molly: (LINE, BEHIND, want("puck on and come_points < 2", {"come": 1}), want(up={"come_odds": "2x"})),
    iron_cross: (
        LINE,
        BEHIND,
        want("puck on", {"place_5": 2, "place_6": "2.4", "place_8": "2.4", "field": 1}, skip_point=True),
        want("puck off", down=("field",)),
    ),
    six_and_eight: (LINE, want("puck on", {"place_6": "1.2", "place_8": "1.2"})),
}
"""The same systems as strategies, in units."""


class PassLine(Player):
    """As `pass_line`."""

    def wants(self, view: View) -> Up:
        """One unit on the line."""
        return {} if view.puck else {"pass": 1}


class DoubleOdds(Player):
    """As `double_odds`."""

    def wants(self, view: View) -> Up:
        """And two behind it."""
        return {"pass_odds": 2} if view.puck else {"pass": 1}


class Molly(Player):
    """As `molly`."""

    def wants(self, view: View) -> Up:
        """The line and two come bets."""
        up: dict[str, int] = {"pass_odds": 2} if view.puck else {"pass": 1}
        travelled = [point for point in POINTS if COME[point] in view.up]
        if view.puck and len(travelled) < 2:
            up["come"] = 1
        for point in travelled:
            up[COME_ODDS[point]] = 2
        return up


class IronCross(Player):
    """As `iron_cross`."""

    def wants(self, view: View) -> Up:
        """Everything but seven."""
        if not view.puck:
            return {"pass": 1, "field": 0}
        placed = {PLACE[number]: 0 if number == view.puck else Fraction(stake, UNIT) for number, stake in CROSS}
        return {"pass_odds": 2, **placed, "field": 1}


class SixAndEight(Player):
    """As `six_and_eight`."""

    def wants(self, view: View) -> Up:
        """Six and eight behind the line."""
        return {"place_6": Fraction(6, 5), "place_8": Fraction(6, 5)} if view.puck else {"pass": 1}


PLAYERS: dict[System, type[Player]] = {
    pass_line: PassLine,
    double_odds: DoubleOdds,
    molly: Molly,
    iron_cross: IronCross,
    six_and_eight: SixAndEight,
}
"""The same systems as classes, as a user of crapssim would write them."""


# --- Who plays them -------------------------------------------------------------------------------------------------


class Side(Protocol):
    """A table of one side, with its players seated."""

    def run(self, dice: Sequence[Roll]) -> None:
        """Bet and roll, once for each roll dealt."""

    def money(self) -> list[Fraction]:
        """What each seat has, on its rail and on the felt."""


class OurFunctions:
    """Plain functions, `decide` and `evolve`."""

    def __init__(self, system: str) -> None:
        """Seat everybody."""
        house = House(HOUSE)
        self.layout = house.layout
        self.state = open_table(read_notice(Words.of(1, NOTICE), house.book, default_notice(house.book)), 5)
        self.seats = tuple(enumerate(SYSTEMS[system], 1))
        for seat, _ in self.seats:
            self._do(Sit(seat, f"P{seat}", RICH * CENTS))

    def _do(self, command: Command) -> None:
        answer = decide(self.layout, self.state, command)
        assert not isinstance(answer, Refusal), answer
        self.state = evolve(self.state, answer)

    def run(self, dice: Sequence[Roll]) -> None:
        """Bet and roll."""
        for roll in dice:
            for seat, bets in self.seats:
                for wager, amount in bets(self.state.puck, self.state.seats[seat].felt):
                    self._do(Bet(seat, wager, amount * CENTS) if amount else Take(seat, wager, 0))
            self._do(Throw(roll))

    def money(self) -> list[Fraction]:
        """From the seats of the state."""
        return _money(self.state)


class OurTable:
    """The same functions, asking a `Table`."""

    def __init__(self, system: str) -> None:
        """Seat everybody."""
        self.table = Table(HOUSE, notice=NOTICE)
        self.seats = tuple(enumerate(SYSTEMS[system], 1))
        for seat, _ in self.seats:
            self.table.sit(seat, f"P{seat}", RICH)

    def run(self, dice: Sequence[Roll]) -> None:
        """Bet and roll."""
        table = self.table
        for first, second in dice:
            for seat, bets in self.seats:
                for wager, amount in bets(table.puck or 0, table.state.seats[seat].felt):
                    table.bet(seat, wager, amount) if amount else table.take(seat, wager)
            table.roll(first, second)

    def money(self) -> list[Fraction]:
        """From the seats of the state; nothing was refused."""
        assert not self.table.refusals, self.table.refusals
        return _money(self.table.state)


class ReadmeTable(OurTable):
    """A `Table` as README says it, by `puck`, `up`, `bet` and `roll`, and dealers who have worked nothing out yet."""

    def __init__(self, system: str) -> None:
        """Seat everybody at a table whose felt is its own."""
        self.table = Table(House(HOUSE, book=replace(House(HOUSE).book)), notice=NOTICE)
        self.seats = tuple(enumerate(SYSTEMS[system], 1))
        for seat, _ in self.seats:
            self.table.sit(seat, f"P{seat}", RICH)

    def run(self, dice: Sequence[Roll]) -> None:
        """Bet and roll."""
        table = self.table
        for first, second in dice:
            for seat, bets in self.seats:
                for wager, amount in bets(table.puck or 0, table.up(seat)):
                    table.bet(seat, wager, amount) if amount else table.take(seat, wager)
            table.roll(first, second)


class OurClasses:
    """Strategies in Python as `ask` plays them, one table each on the same dice; nothing worked out yet."""

    def __init__(self, system: str) -> None:
        """Seat everybody."""
        asked = (ask(PLAYERS[bets](), house=HOUSE, unit=UNIT, rolls=1_000_000) for bets in SYSTEMS[system])
        games = [question.game("engine") for question in asked]
        self.players = [
            (game.source.sit(), game.source.minor_unit) for game in games if isinstance(game.source, Interpreted)
        ]
        self.nets = [0] * len(self.players)

    def run(self, dice: Sequence[Roll]) -> None:
        """Ask every player, and roll."""
        for place, (player, _) in enumerate(self.players):
            for roll in dice:
                assert not player.leaves
                self.nets[place] += player.roll(roll.throw)

    def money(self) -> list[Fraction]:
        """What everybody brought, and won."""
        return [RICH + net * minor_unit for net, (_, minor_unit) in zip(self.nets, self.players, strict=True)]


class OurPlayer(OurFunctions):
    """The strategy player, one plan for each seat."""

    def __init__(self, system: str) -> None:
        """Seat everybody, each with a plan."""
        super().__init__(system)
        self.plans = [
            Plan(_strategy(bets.__name__, WANTS[bets]), self.layout, self.state.notice, unit=Fraction(UNIT), seat=seat)
            for seat, bets in self.seats
        ]
        self.memories = [plan.start for plan in self.plans]

    def run(self, dice: Sequence[Roll]) -> None:
        """Let every player act, roll, and let every player remember."""
        for roll in dice:
            acted = []
            for plan, memory in zip(self.plans, self.memories, strict=True):
                acts = act(plan, self.state, memory)
                assert not acts.refused, acts.refused
                self.state = acts.table
                acted.append(acts)
            answer = decide(self.layout, self.state, Throw(roll))
            assert not isinstance(answer, Refusal), answer
            self.state = evolve(self.state, answer)
            self.memories = [
                remember(plan, memory, acts, answer, 0)
                for plan, memory, acts in zip(self.plans, self.memories, acted, strict=True)
            ]


def _strategy(name: str, wants: tuple[Want, ...]) -> Strategy:
    return Strategy(id=name, name=name, wants=wants)


def _money(state: TableState) -> list[Fraction]:
    return [
        Fraction(seat.rail + sum(wager.stake for wager in seat.felt.values()), CENTS) for seat in state.seats.values()
    ]


class Theirs:
    """crapssim's table, with its field paying three to one for a twelve as the house does."""

    def __init__(self, strategies: Sequence[Any]) -> None:
        """Seat everybody."""
        self.table = import_module("crapssim.table").Table()
        self.table.settings["field_payouts"][12] = 3
        for strategy in strategies:
            self.table.add_player(bankroll=RICH, strategy=strategy)

    def run(self, dice: Sequence[Roll]) -> None:
        """Bet and roll."""
        self.table.fixed_run(dice)

    def money(self) -> list[Fraction]:
        """Floats that hold cents exactly, for the stakes are chosen so."""
        return [Fraction(player.total_player_cash) for player in self.table.players]


def their_strategies(system: str) -> Theirs:
    """Seat crapssim's own strategies."""
    strategy = import_module("crapssim.strategy")
    examples = import_module("crapssim.strategy.examples")
    line, behind = strategy.BetPassLine(UNIT), strategy.PassLineOddsMultiplier(2)
    made: dict[System, Callable[[], Any]] = {
        pass_line: lambda: line,
        double_odds: lambda: line + behind,
        molly: lambda: examples.ThreePointMolly(UNIT, 2),
        iron_cross: lambda: examples.IronCross(UNIT),
        six_and_eight: lambda: line + strategy.BetPlace({6: 12, 8: 12}, skip_point=False),
    }
    return Theirs([made[bets]() for bets in SYSTEMS[system]])


class TheirFunctions(Theirs):
    """Plain functions that add crapssim's bets."""

    def __init__(self, system: str) -> None:
        """Seat everybody."""
        self.bet = import_module("crapssim.bet")
        made: dict[System, Callable[[Any], None]] = {
            pass_line: self.line,
            double_odds: self.behind,
            molly: self.three,
            iron_cross: self.cross,
            six_and_eight: self.two,
        }
        super().__init__([_Bare(made[bets]) for bets in SYSTEMS[system]])

    def _has(self, player: Any, kind: type) -> bool:
        return any(type(up) is kind for up in player.bets)

    def line(self, player: Any) -> None:
        """As `pass_line`."""
        if player.table.point.number is None and not self._has(player, self.bet.PassLine):
            player.add_bet(self.bet.PassLine(UNIT))

    def behind(self, player: Any) -> None:
        """As `double_odds`."""
        point = player.table.point.number
        if point is None:
            self.line(player)
        elif not self._backed(player, self.bet.PassLine):
            player.add_bet(self.bet.Odds(self.bet.PassLine, point, 2 * UNIT, always_working=False))

    def _backed(self, player: Any, flat: type) -> set[int]:
        """The numbers with odds behind a flat bet."""
        return {up.number for up in player.bets if type(up) is self.bet.Odds and up.base_type is flat}

    def three(self, player: Any) -> None:
        """As `molly`."""
        self.behind(player)
        comes = [up.number for up in player.bets if type(up) is self.bet.Come]
        travelled = [number for number in comes if number is not None]
        if player.table.point.number is not None and len(travelled) == len(comes) < 2:
            player.add_bet(self.bet.Come(UNIT))
        backed = self._backed(player, self.bet.Come)
        for number in travelled:
            if number not in backed:
                player.add_bet(self.bet.Odds(self.bet.Come, number, 2 * UNIT, always_working=False))

    def _placed(self, player: Any) -> dict[int, Any]:
        return {up.number: up for up in player.bets if type(up) is self.bet.Place}

    def cross(self, player: Any) -> None:
        """As `iron_cross`."""
        self.behind(player)
        point = player.table.point.number
        if point is not None:
            placed = self._placed(player)
            for number, stake in CROSS:
                if number == point:
                    if number in placed:
                        player.remove_bet(placed[number])
                elif number not in placed:
                    player.add_bet(self.bet.Place(number, stake))
            if not self._has(player, self.bet.Field):
                player.add_bet(self.bet.Field(UNIT))

    def two(self, player: Any) -> None:
        """As `six_and_eight`."""
        self.line(player)
        if player.table.point.number is not None:
            placed = self._placed(player)
            for number in (6, 8):
                if number not in placed:
                    player.add_bet(self.bet.Place(number, 12))


class _Bare:
    """The least that crapssim takes for a strategy."""

    def __init__(self, update_bets: Callable[[Any], None]) -> None:
        self.update_bets = update_bets

    def __deepcopy__(self, _memo: object) -> _Bare:
        return self

    def after_roll(self, player: object) -> None:
        """Nothing to remember."""


class Row(NamedTuple):
    """One way to play on each side."""

    name: str
    ours: Callable[[str], Side]
    theirs: Callable[[str], Side]


ROWS = (
    Row("bare functions", OurFunctions, TheirFunctions),
    Row("Table", OurTable, their_strategies),
    Row("strategy player", OurPlayer, their_strategies),
    Row("README Table", ReadmeTable, their_strategies),
    Row("Python classes", OurClasses, their_strategies),
)


# --- The account ----------------------------------------------------------------------------------------------------


def check(row: Row, system: str, dice: Sequence[Roll]) -> None:
    """Both sides have the same money after every roll, or there is nothing to compare."""
    ours, theirs = row.ours(system), row.theirs(system)
    for number, pair in enumerate(dice, 1):
        ours.run([pair])
        theirs.run([pair])
        assert ours.money() == theirs.money(), f"{row.name}, {system}, roll {number}: {ours.money()} {theirs.money()}"


def timed(side: Side, dice: Sequence[Roll]) -> float:
    """Seconds of processor time; what others left behind is not this side's to clear away."""
    gc.collect()
    gc.freeze()
    start = time.process_time()
    side.run(dice)
    spent = time.process_time() - start
    gc.unfreeze()
    return spent


def measure(row: Row, system: str, rolls: int, rounds: int) -> dict[str, float]:
    """Rolls a second of both sides and the ratio, by the median round."""
    dice = random.Random(7).choices(ROLLS, k=rolls)
    check(row, system, dice[:CHECKED])
    pairs = []
    for _ in range(rounds):
        ours, theirs = row.ours(system), row.theirs(system)
        pairs.append((timed(ours, dice), timed(theirs, dice)))
        assert ours.money() == theirs.money(), f"{row.name}, {system}: {ours.money()} {theirs.money()}"
    us, them = (statistics.median(side) for side in zip(*pairs, strict=True))
    ratio = statistics.median(them / us for us, them in pairs)
    return {"passline": round(rolls / us), "crapssim": round(rolls / them), "ratio": round(ratio, 2)}


def main() -> int:
    """Measure, print, record; exit 1 when we are slower anywhere."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rolls", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument(
        "--row", choices=[row.name for row in ROWS], help="one row only; what is recorded of the others stays"
    )
    asked = parser.parse_args()
    print(COMPARED, end="\n\n")
    print(f"{'times crapssim':17}" + "".join(f"{system:>22}" for system in SYSTEMS))
    table = {}
    for row in ROWS:
        if asked.row not in (None, row.name):
            continue
        table[row.name] = {system: measure(row, system, asked.rolls, asked.rounds) for system in SYSTEMS}
        cells = (f"{cell['ratio']:.2f} ({cell['passline']:,.0f}/s)" for cell in table[row.name].values())
        print(f"{row.name:17}" + "".join(f"{cell:>22}" for cell in cells), flush=True)
    before = json.loads(RESULTS.read_text("utf-8"))["rows"] if asked.row else {}
    account = {
        "compared": COMPARED,
        "python": sys.version.split()[0],
        "rolls": asked.rolls,
        "rounds": asked.rounds,
        "rows": before | table,
    }
    RESULTS.write_text(json.dumps(account, indent=1) + "\n", encoding="utf-8")
    return 0 if all(cell["ratio"] >= 1 for cells in table.values() for cell in cells.values()) else 1


if __name__ == "__main__":
    raise SystemExit(main())
