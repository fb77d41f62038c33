"""Table rolls a second, engine and all its events, beside crapssim 0.4.1 in the same run.

Run with `scripts/bench engine`. Both sides play the same system on their own dice with an inexhaustible bankroll; the
figure that counts is the ratio, taken as the median over alternating rounds, for timings on a shared machine are noise.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from passline.engine.commands import Bet, Sit, Throw
from passline.engine.decide import decide
from passline.engine.evolve import evolve
from passline.engine.refusals import Refusal
from passline.engine.table import open_table
from passline.engine.values import ROLLS
from passline.house import House
from passline.record.notice import default_notice

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from passline.engine.layout import Layout
    from passline.engine.table import Seat, TableState

RESULTS = Path(__file__).parent / "results" / "engine.json"
UNIT = 1000
RICH = 10**15

Want = "Callable[[TableState, Seat], Iterable[tuple[str, int]]]"


# --- The systems, on our side ---------------------------------------------------------------------------------------


def pass_line(table: TableState, seat: Seat) -> Iterable[tuple[str, int]]:
    """One unit on the line."""
    return () if table.puck or "pass" in seat.felt else (("pass", UNIT),)


def double_odds(table: TableState, seat: Seat) -> Iterable[tuple[str, int]]:
    """One unit on the line and twice that behind it."""
    if not table.puck:
        return () if "pass" in seat.felt else (("pass", UNIT),)
    return () if "pass_odds" in seat.felt else (("pass_odds", 2 * UNIT),)


def molly(table: TableState, seat: Seat) -> Iterable[tuple[str, int]]:
    """The line and two come bets, all with double odds."""
    if not table.puck:
        if "pass" not in seat.felt:
            yield "pass", UNIT
    else:
        if "pass_odds" not in seat.felt:
            yield "pass_odds", 2 * UNIT
        up = [point for point in COME_POINTS if COME[point] in seat.felt]
        for point in up:
            if COME_ODDS[point] not in seat.felt:
                yield COME_ODDS[point], 2 * UNIT
        if len(up) < 2 and "come" not in seat.felt:
            yield "come", UNIT


COME_POINTS = (4, 5, 6, 8, 9, 10)
COME = {point: f"come_{point}" for point in COME_POINTS}
COME_ODDS = {point: f"come_odds_{point}" for point in COME_POINTS}


def iron_cross(table: TableState, seat: Seat) -> Iterable[tuple[str, int]]:
    """The line with odds, and a win on everything but seven once a point is set."""
    if not table.puck:
        if "pass" not in seat.felt:
            yield "pass", UNIT
        return
    if "pass_odds" not in seat.felt:
        yield "pass_odds", 2 * UNIT
    for key, stake in (("place_5", 1000), ("place_6", 1200), ("place_8", 1200)):
        if key not in seat.felt and key != f"place_{table.puck}":
            yield key, stake
    if "field" not in seat.felt:
        yield "field", UNIT


def six_and_eight(table: TableState, seat: Seat) -> Iterable[tuple[str, int]]:
    """Place six and eight, behind a line bet so that somebody can shoot."""
    if not table.puck:
        if "pass" not in seat.felt:
            yield "pass", UNIT
        return
    for key in ("place_6", "place_8"):
        if key not in seat.felt:
            yield key, 1200


def ours(layout: Layout, notice: object, wants: list[Callable[..., Iterable[tuple[str, int]]]], rolls: int) -> float:
    """Seconds for `rolls` rolls, every event made and applied."""
    table = open_table(notice, 5)  # type: ignore[arg-type]
    for number in range(1, len(wants) + 1):
        table = _do(layout, table, Sit(number, f"P{number}", RICH))
    dice = random.Random(7)
    thrown = dice.choices(ROLLS, k=rolls)
    seats = list(enumerate(wants, 1))
    start = time.perf_counter()
    for roll in thrown:
        for number, want in seats:
            for key, stake in tuple(want(table, table.seats[number])):
                table = _do(layout, table, Bet(number, key, stake))
        table = _do(layout, table, Throw(roll))
    return time.perf_counter() - start


def _do(layout: Layout, table: TableState, command: object) -> TableState:
    answer = decide(layout, table, command)  # type: ignore[arg-type]
    assert not isinstance(answer, Refusal), answer
    return evolve(table, answer)


# --- The same systems, on theirs ------------------------------------------------------------------------------------


def theirs(name: str, rolls: int) -> float:
    """Seconds crapssim takes."""
    from crapssim.strategy import BetPassLine, BetPlace, PassLineOddsMultiplier
    from crapssim.strategy.examples import IronCross, ThreePointMolly
    from crapssim.table import Table

    systems = {
        "pass": lambda: [BetPassLine(10)],
        "pass + double odds": lambda: [BetPassLine(10) + PassLineOddsMultiplier(2)],
        "three-point molly": lambda: [ThreePointMolly(10)],
        "iron cross": lambda: [IronCross(10)],
        "place 6 and 8": lambda: [BetPassLine(10) + BetPlace({6: 12, 8: 12})],
        "four players": lambda: [
            BetPassLine(10),
            BetPassLine(10) + PassLineOddsMultiplier(2),
            ThreePointMolly(10),
            IronCross(10),
        ],
    }
    table = Table(seed=7)
    for system in systems[name]():
        table.add_player(bankroll=10**9, strategy=system)
    start = time.perf_counter()
    table.run(max_rolls=rolls, max_shooter=10**9, verbose=False)
    return time.perf_counter() - start


OURS = {
    "pass": [pass_line],
    "pass + double odds": [double_odds],
    "three-point molly": [molly],
    "iron cross": [iron_cross],
    "place 6 and 8": [six_and_eight],
    "four players": [pass_line, double_odds, molly, iron_cross],
}


def main() -> int:
    """Measure, print, record; exit 1 when we are slower anywhere."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rolls", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=5)
    asked = parser.parse_args()
    house = House("adelaide")
    notice = default_notice(house.book)
    rows = []
    for name, wants in OURS.items():
        pairs = []
        for _ in range(asked.rounds):
            us = asked.rolls / ours(house.layout, notice, wants, asked.rolls)
            them = asked.rolls / theirs(name, asked.rolls)
            pairs.append((us, them))
        ratio = statistics.median(us / them for us, them in pairs)
        best = max(us for us, _ in pairs), max(them for _, them in pairs)
        rows.append({"system": name, "passline": round(best[0]), "crapssim": round(best[1]), "ratio": round(ratio, 2)})
        print(f"{name:20} {best[0]:10,.0f} rolls/s   crapssim {best[1]:10,.0f}   ratio {ratio:.2f}", flush=True)
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(
        json.dumps({"python": sys.version.split()[0], "rolls": asked.rolls, "systems": rows}, indent=1) + "\n"
    )
    return 0 if all(row["ratio"] >= 1 for row in rows) else 1


if __name__ == "__main__":
    raise SystemExit(main())
