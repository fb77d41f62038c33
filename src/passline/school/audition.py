"""The audition: what a dealer is asked before being hired, mixed, against a clock, with a pass mark.

Twenty shapes are drawn, each at stakes that people bet; the engine and the dealers' own arithmetic answer them. Ten
seconds each, eighteen right, and none of those wrong that let a player be cheated, or cheat.
"""

import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from passline.engine import commands as c
from passline.engine import events as e
from passline.engine import limits
from passline.engine.refusals import Refusal
from passline.engine.values import CENTS, Roll
from passline.house import House
from passline.school.exercise import Part, Question
from passline.school.paying import cited, fewest, near, net, why
from passline.school.scene import ANN, Scene
from passline.sitting import amounts
from passline.sitting.orders import Rail, Won
from passline.sitting.talk import talk
from passline.table import Table
from passline.telling.stick import spelled

QUESTIONS = 20
PASS_MARK = 18
SECONDS = 10
RAIL = 5_000
# A throw of each total; a hard one only where there is no other.
ROLLED = {2: (1, 1), **{total: (total // 2 + 1, (total - 1) // 2) for total in range(3, 12)}, 12: (6, 6)}


@dataclass(frozen=True, slots=True)
class Shape:
    name: str
    ask: Callable[[Scene], Question | None]
    critical: bool = False  # whether a wrong answer fails the audition by itself


def audition(scene: Scene) -> Question | None:
    shape = scene.rng.choice(SHAPES)
    question = shape.ask(scene)
    return None if question is None else question._replace(kind=shape.name)


def at(scene: Scene, felt: str, puck: int = 0) -> Table | None:
    """Ann alone at a five-dollar table, with these wagers up; None where the house has them not, or not so small."""
    keys = [each.split("=")[0] for each in felt.split()]
    if any(key not in scene.layout.spots or not scene.layout.spots[key].rule.offered.value for key in keys):
        return None
    table = Table.at(f"{scene.house.source} min=5 | puck={puck or 'off'} shooter=1 | 1 Ann {RAIL} {felt}".rstrip())
    up, notice = table.state.seats[ANN].felt, table.state.notice
    flat = (key for key in up if not scene.layout.spots[key].is_odds)
    return None if any(up[key].stake < limits.minimum(notice, scene.layout.spots[key]) for key in flat) else table


def _paid(scene: Scene, felt: str, roll: tuple[int, int], asks: str, *, puck: int = 0) -> Question | None:
    """A roll pays Ann: how much, net of what loses, beyond the stakes."""
    table = at(scene, felt, puck)
    answer = table.would(c.Throw(Roll(*roll))) if table else None
    if table is None or answer is None or isinstance(answer, Refusal):
        return None
    mine = [event for event in answer if isinstance(event, e.Decision) and event.seat == ANN]
    if not any(isinstance(event, e.WagerWon) for event in mine):
        return None
    slips = near(scene.layout, table, mine[0]) if len(mine) == 1 and isinstance(mine[0], e.WagerWon) else {}
    part = Part("Winnings only, net of what loses", "amount", (sum(map(net, mine)),), near=slips)
    return Question(table, asks, (part,), why(table, mine), cited(mine), Roll(*roll))


# --- Payoffs --------------------------------------------------------------------------------------------------------


def _paying(row: dict[str, Any]) -> Callable[[Scene], Question | None]:
    """A roll that pays what a row puts up: each case is a number or a wager, a stake, and perhaps more."""
    cases = row.get("cases") or [[number, stake] for number in row["numbers"] for stake in row["stakes"]]

    def ask(scene: Scene) -> Question | None:
        case = scene.rng.choice(cases)
        spot = scene.layout.spots.get(str(case[0]))
        words = [case[0] if spot is None else spot.name, *case[1:]]
        pucks = row.get("pucks") or [point for point in (5, 6, 8, 9) if point != case[0]]
        total = row.get("total") or case[row.get("rolls", 0)]
        roll = (total // 2, total // 2) if str(case[0]).startswith("hard") else ROLLED[total]
        return _paid(scene, row["felt"].format(*case), roll, row["says"].format(*words), puck=scene.rng.choice(pucks))

    return ask


def _most(scene: Scene, felt: str, odds: str, puck: int = 0) -> int:
    """The most odds that this house takes behind the flat bet on a felt, in whole units; 0 where it takes none.

    Where no limit is posted, six times the bet: nobody brings the rail to an audition.
    """
    table = at(scene, felt, puck) if odds in scene.layout.spots else None
    most = amounts.full_odds(scene.layout, table.state, ANN, odds) if table else 0
    if table is None or isinstance(most, Refusal):
        return 0
    flat = amounts.up(table.state, ANN, scene.layout.spots[odds].flat)
    return min(most, 6 * flat if table.state.notice.odds is None else most) // CENTS


def _line(scene: Scene) -> Question | None:
    point, flat = scene.rng.choice((4, 5, 6, 8, 9, 10)), scene.rng.choice((5, 10, 15, 25))
    most = _most(scene, f"pass={flat}", "pass_odds", point)
    fits = [each for each in (most, 2 * flat, 25) if 0 < each <= most]
    if not fits:
        return None
    odds = scene.rng.choice(fits)
    felt = f"pass={flat} pass_odds={odds}"
    return _paid(scene, felt, ROLLED[point], f"Line {flat}, odds {odds}, {point}: the point is made.", puck=point)


def _dont(scene: Scene) -> Question | None:
    point, flat = scene.rng.choice((4, 5, 6, 8, 9, 10)), scene.rng.choice((5, 10, 15))
    laid = min(6 * flat, _most(scene, f"dont_pass={flat}", "dont_pass_odds", point))
    if not laid:
        return None
    felt = f"dont_pass={flat} dont_pass_odds={laid}"
    return _paid(scene, felt, ROLLED[7], f"Don't {flat}, {laid} laid on the {point}: seven out.", puck=point)


def _most_lay(scene: Scene) -> Question | None:
    point, flat = scene.rng.choice((4, 5, 6, 8, 9, 10)), scene.rng.choice((5, 10, 15))
    table = at(scene, f"dont_pass={flat}", point)
    most = _most(scene, f"dont_pass={flat}", "dont_pass_odds", point) * CENTS
    if table is None or table.state.notice.odds is None or not most:
        return None
    part = Part("The most that may be laid", "amount", (most,))
    limit = scene.layout.spots["dont_pass_odds"].rule.terms.limit  # type: ignore[union-attr] # odds have one
    reasons = (f"{scene.layout.money(most)} wins the posted multiple of {flat}.",)
    return Question(table, f"Don't {flat}, point {point}. What is the most she may lay?", (part,), reasons, (limit,))


def _comeout_odds(scene: Scene) -> Question | None:
    """Odds that are off on the come-out go back unpaid."""
    point, flat, odds = scene.rng.choice(((8, 10, 50), (6, 5, 25), (5, 10, 40)))
    odds = min(odds, _most(scene, f"come_{point}={flat}", f"come_odds_{point}", point))
    table = at(scene, f"come_{point}={flat} come_odds_{point}={odds}") if odds else None
    if table is None or not scene.layout.spots[f"come_odds_{point}"].rule.off_on_comeout.value:
        return None
    after = Table.at(table.position)
    answer = after.do(c.Throw(Roll(*ROLLED[point])))
    if isinstance(answer, Refusal):
        return None
    mine = [each for each in answer if isinstance(each, e.Decision) and each.seat == ANN]
    back = after.state.seats[ANN].rail - table.state.seats[ANN].rail
    parts = (Part("Won", "amount", (sum(map(net, mine)),)), Part("To her rail in all", "amount", (back,)))
    asks = f"Come {flat} on the {point} with {odds} odds. Come-out roll: {point}. Odds were not called on."
    return Question(table, asks, parts, why(table, mine), cited(mine), Roll(*ROLLED[point]))


def _off_and_on(scene: Scene) -> Question | None:
    point, flat, odds = scene.rng.choice(((5, 10, 20), (9, 10, 20), (6, 10, 25), (4, 10, 15)))
    felt = f"come_{point}={flat}"
    odds = min(odds, _most(scene, felt, f"come_odds_{point}", 8))
    asks = f"Come {flat} on the {point} with {odds} odds, and a new come bet of {flat}: {point}."
    return _paid(scene, f"{felt} come_odds_{point}={odds} come={flat}", ROLLED[point], asks, puck=8) if odds else None


def _hopped(scene: Scene) -> Question | None:
    stake = scene.rng.choice((1, 5))
    felt = f"hop_4_3={stake} hop_5_2={stake} hop_6_1={stake}"
    return _paid(scene, felt, scene.rng.choice(((4, 3), (5, 2), (6, 1))), f"The sevens hop for {3 * stake}: seven.")


# --- Bets as they are said ------------------------------------------------------------------------------------------


def _press(scene: Scene) -> Question | None:
    number, stake, words = scene.rng.choice(
        [(n, s, w) for n, s in ((6, 18), (8, 24), (9, 25), (5, 10), (4, 10), (6, 30)) for w in PRESSES]
    )
    table = at(scene, f"place_{number}={stake}", 10 if number != 10 else 9)
    answer = table.do(c.Throw(Roll(*ROLLED[number]))) if table else None
    if table is None or answer is None or isinstance(answer, Refusal):
        return None
    (won,) = [each for each in answer if isinstance(each, e.WagerWon)]
    rail = Rail(scene.layout, table.state, ANN, {won.wager: Won(won.stake, net(won), won.stays)})
    order = talk(rail, words.format(number=number))
    raised = [each for each in order.commands if isinstance(each, c.Bet)]
    if not raised or order.question:
        return None
    added = raised[0].amount
    parts = (
        Part(f"The {number} goes to", "amount", (won.stake + added,)),
        Part("Change to the player", "amount", (net(won) - added,)),
    )
    asks = f'{stake} on the {number} hits. "{words.format(number=f"the {number}").capitalize()}."'
    return Question(table, asks, parts, (*why(table, [won]), *order.says), cited([won]))


PRESSES = ("press {number} one unit", "press {number}", "half press {number}")


def _across(scene: Scene) -> Question | None:
    """`54 across` with a point on: what goes on each number."""
    word, point = scene.rng.choice(("across", "inside")), scene.rng.choice((4, 5, 6, 8, 9, 10))
    times = scene.rng.choice((1, 2, 3))
    table = at(scene, "pass=5", point)
    if table is None or len(scene.layout.book.points.value) != 6:
        return None
    rail = Rail(scene.layout, table.state, ANN)
    total = sum(each.amount for each in talk(rail, word).commands if isinstance(each, c.Bet)) * times // CENTS
    order = talk(rail, f"{total} {word}")
    bets = [each for each in order.commands if isinstance(each, c.Bet)]
    if not bets:
        return None
    parts = tuple(Part(f"On the {scene.layout.spots[each.wager].number}", "amount", (each.amount,)) for each in bets)
    reasons = tuple(order.says) or (f"{6 * times} on the six and eight, {5 * times} elsewhere.",)
    return Question(table, f'Point {point}: "{total} {word}."', parts, reasons, ())


def _change(scene: Scene) -> Question | None:
    words, bet = scene.rng.choice((("22 inside", 22), ("32 across", 32), ("44 inside", 44), ("64 across", 64)))
    bill = scene.rng.choice((100, 100, 50 if bet < 50 else 100))
    table = at(scene, "")
    if table is None:
        return None
    slips = {bill * CENTS: "the bet is not taken out"}
    part = Part("Change to the player", "amount", ((bill - bet) * CENTS,), near=slips)
    return Question(table, f'A {bill} bill on the felt: "Change, and {words}."', (part,), (f"{bill} less {bet}.",), ())


def _choice(asks: str, right: str, wrong: Sequence[str]) -> Callable[[Scene], Question | None]:
    def ask(scene: Scene) -> Question | None:
        table = at(scene, "", 0)
        options = scene.rng.sample([right, *wrong], 1 + len(wrong))
        part = Part("What do you say", "choice", (options.index(right),), tuple(options))
        return None if table is None else Question(table, asks, (part,), (right,), ())

    return ask


def _color_up(scene: Scene) -> Question | None:
    reds, whites = scene.rng.choice(((37, 15), (18, 10), (55, 25), (24, 30)))
    table = at(scene, "", 0)
    if table is None:
        return None
    sizes = tuple(sorted(table.chips, reverse=True))
    amount = (5 * reds + whites) * CENTS
    part = Part("In the fewest chips, such as 2x100 1x25", "chips", fewest(amount, sizes), chips=sizes)
    reasons = (f"{scene.layout.money(amount)} in all.",)
    asks = spelled(scene.layout, f"Color her up: {reds} fives and {whites} ones.")
    return Question(table, asks, (part,), reasons, ())


def _asked(row: dict[str, Any]) -> Callable[[Scene], Question | None]:
    match row:
        case {"felt": _}:
            return _paying(row)
        case {"asks": asks, "right": right, "wrong": wrong}:
            return _choice(asks, right, wrong)
        case _:
            return BY[row["by"]]


BY: dict[str, Callable[[Scene], Question | None]] = {
    each.__name__.removeprefix("_"): each
    for each in (_line, _dont, _most_lay, _off_and_on, _comeout_odds, _hopped, _press, _across, _change, _color_up)
}
_FILE: dict[str, dict[str, Any]] = tomllib.loads(Path(__file__).with_name("audition.toml").read_text("utf-8"))
SHAPES = [Shape(name, _asked(row), critical="critical" in row) for name, row in _FILE.items()]

CRITICAL = frozenset(shape.name for shape in SHAPES if shape.critical)


def paper(house: House, luck: Random) -> list[int]:
    """The seeds of one audition: twenty questions of different shapes, one at least that must not be wrong.

    A house that has fewer shapes is asked about each of them once.
    """
    from passline.school.syllabus import SEED_MAX, exercise

    seeds: dict[str, int] = {}
    for _ in range(400):
        seed = luck.randrange(SEED_MAX)
        seeds.setdefault(exercise(house, "audition", 1, seed).question.kind, seed)
        if len(seeds) >= QUESTIONS and CRITICAL & set(seeds):
            break
    kinds = sorted(seeds, key=lambda kind: kind not in CRITICAL)[:QUESTIONS]
    return [seeds[kind] for kind in luck.sample(kinds, len(kinds))]
