"""The audition: what a dealer is asked before being hired, mixed, against a clock, with a pass mark.

Twenty shapes are drawn, each at stakes that people bet; the engine and the dealers' own arithmetic answer them. Ten
seconds each, eighteen right, and none of those wrong that let a player be cheated, or cheat.
"""

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from passline.engine import commands as c
from passline.engine import events as e
from passline.engine import limits
from passline.engine.refusals import Refusal
from passline.engine.values import CENTS, Roll
from passline.school.exercise import Question, amount, choice, explained
from passline.school.paying import in_chips_of, near, net
from passline.school.scene import ANN, Scene, Unfit, decisions, hers, need, taken
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


def audition(scene: Scene) -> Question:
    shape = scene.rng.choice(list(SHAPES))
    return SHAPES[shape](scene)._replace(kind=shape)


def at(scene: Scene, felt: str, puck: int = 0) -> Table:
    """Ann alone at a five-dollar table, with these wagers up, where the house has them, and so small."""
    spots = scene.layout.spots
    keys = [each.split("=")[0] for each in felt.split()]
    need(all(key in spots and spots[key].rule.offered.value for key in keys))
    table = Table.at(f"{scene.house.source} min=5 | puck={puck or 'off'} shooter=1 | 1 Ann {RAIL} {felt}".rstrip())
    up, notice = table.state.seats[ANN].felt, table.state.notice
    need(all(up[key].stake >= limits.minimum(notice, spots[key]) for key in up if not spots[key].is_odds))
    return table


def _paid(scene: Scene, felt: str, roll: tuple[int, int], asks: str, *, puck: int = 0) -> Question:
    """A roll pays Ann: how much, net of what loses, beyond the stakes."""
    table, thrown = at(scene, felt, puck), Roll(*roll)
    events = taken(table.would(c.Throw(thrown)))
    mine, won = [event for event in decisions(events) if event.seat == ANN], hers(events, e.WagerWon)
    need(won)
    slips = near(scene.layout, table, won[0]) if len(mine) == 1 else {}
    part = amount("Winnings only, net of what loses", sum(map(net, mine)), slips)
    return explained(table, asks, [part], mine, thrown)


def _paying(row: dict[str, Any]) -> Callable[[Scene], Question]:
    """A roll that pays what a row puts up: each case is a number or a wager, a stake, and perhaps more."""
    cases = row.get("cases") or [[number, stake] for number in row["numbers"] for stake in row["stakes"]]

    def ask(scene: Scene) -> Question:
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
    try:
        table = at(scene, felt, puck)
    except Unfit:
        return 0
    most = amounts.full_odds(scene.layout, table.state, ANN, odds) if odds in scene.layout.spots else 0
    if isinstance(most, Refusal) or not most:
        return 0
    flat = amounts.up(table.state, ANN, scene.layout.spots[odds].flat)
    return min(most, 6 * flat if table.state.notice.odds is None else most) // CENTS


def _line(scene: Scene) -> Question:
    point, flat = scene.rng.choice((4, 5, 6, 8, 9, 10)), scene.rng.choice((5, 10, 15, 25))
    most = _most(scene, f"pass={flat}", "pass_odds", point)
    fits = [each for each in (most, 2 * flat, 25) if 0 < each <= most]
    need(fits)
    odds = scene.rng.choice(fits)
    felt = f"pass={flat} pass_odds={odds}"
    return _paid(scene, felt, ROLLED[point], f"Line {flat}, odds {odds}, {point}: the point is made.", puck=point)


def _dont(scene: Scene) -> Question:
    point, flat = scene.rng.choice((4, 5, 6, 8, 9, 10)), scene.rng.choice((5, 10, 15))
    laid = min(6 * flat, _most(scene, f"dont_pass={flat}", "dont_pass_odds", point))
    need(laid)
    felt = f"dont_pass={flat} dont_pass_odds={laid}"
    return _paid(scene, felt, ROLLED[7], f"Don't {flat}, {laid} laid on the {point}: seven out.", puck=point)


def _most_lay(scene: Scene) -> Question:
    point, flat = scene.rng.choice((4, 5, 6, 8, 9, 10)), scene.rng.choice((5, 10, 15))
    table = at(scene, f"dont_pass={flat}", point)
    most = _most(scene, f"dont_pass={flat}", "dont_pass_odds", point) * CENTS
    need(table.state.notice.odds is not None and most)
    part = amount("The most that may be laid", most)
    limit = scene.layout.spots["dont_pass_odds"].rule.terms.limit  # type: ignore[union-attr] # odds have one
    reasons = (f"{scene.money(most)} wins the posted multiple of {flat}.",)
    return Question(table, f"Don't {flat}, point {point}. What is the most she may lay?", (part,), reasons, (limit,))


def _comeout_odds(scene: Scene) -> Question:
    """Odds that are off on the come-out go back unpaid."""
    point, flat, odds = scene.rng.choice(((8, 10, 50), (6, 5, 25), (5, 10, 40)))
    odds = min(odds, _most(scene, f"come_{point}={flat}", f"come_odds_{point}", point))
    need(odds)
    table = at(scene, f"come_{point}={flat} come_odds_{point}={odds}")
    need(scene.layout.spots[f"come_odds_{point}"].rule.off_on_comeout.value)
    after, roll = Table.at(table.position), Roll(*ROLLED[point])
    mine = [each for each in decisions(taken(after.do(c.Throw(roll)))) if each.seat == ANN]
    back = after.state.seats[ANN].rail - table.state.seats[ANN].rail
    parts = amount("Won", sum(map(net, mine))), amount("To her rail in all", back)
    asks = f"Come {flat} on the {point} with {odds} odds. Come-out roll: {point}. Odds were not called on."
    return explained(table, asks, parts, mine, roll)


def _off_and_on(scene: Scene) -> Question:
    point, flat, odds = scene.rng.choice(((5, 10, 20), (9, 10, 20), (6, 10, 25), (4, 10, 15)))
    felt = f"come_{point}={flat}"
    odds = min(odds, _most(scene, felt, f"come_odds_{point}", 8))
    need(odds)
    asks = f"Come {flat} on the {point} with {odds} odds, and a new come bet of {flat}: {point}."
    return _paid(scene, f"{felt} come_odds_{point}={odds} come={flat}", ROLLED[point], asks, puck=8)


def _hopped(scene: Scene) -> Question:
    stake = scene.rng.choice((1, 5))
    felt = f"hop_4_3={stake} hop_5_2={stake} hop_6_1={stake}"
    return _paid(scene, felt, scene.rng.choice(((4, 3), (5, 2), (6, 1))), f"The sevens hop for {3 * stake}: seven.")


def _press(scene: Scene) -> Question:
    number, stake, words = scene.rng.choice(
        [(n, s, w) for n, s in ((6, 18), (8, 24), (9, 25), (5, 10), (4, 10), (6, 30)) for w in PRESSES]
    )
    table = at(scene, f"place_{number}={stake}", 10 if number != 10 else 9)
    (won,) = hers(taken(table.do(c.Throw(Roll(*ROLLED[number])))), e.WagerWon)
    rail = Rail(scene.layout, table.state, ANN, {won.wager: Won(won.stake, net(won), won.stays)})
    order = talk(rail, words.format(number=number))
    raised = [each.amount for each in order.commands if isinstance(each, c.Bet)]
    need(raised and not order.question)
    change = amount("Change to the player", net(won) - raised[0])
    parts = amount(f"The {number} goes to", won.stake + raised[0]), change
    asks = f'{stake} on the {number} hits. "{words.format(number=f"the {number}").capitalize()}."'
    question = explained(table, asks, parts, [won])
    return question._replace(why=(*question.why, *order.says))


PRESSES = ("press {number} one unit", "press {number}", "half press {number}")


def _across(scene: Scene) -> Question:
    """`54 across` with a point on: what goes on each number."""
    word, point = scene.rng.choice(("across", "inside")), scene.rng.choice((4, 5, 6, 8, 9, 10))
    times = scene.rng.choice((1, 2, 3))
    table = at(scene, "pass=5", point)
    need(len(scene.layout.book.points.value) == 6)
    rail = Rail(scene.layout, table.state, ANN)
    total = sum(each.amount for each in talk(rail, word).commands if isinstance(each, c.Bet)) * times // CENTS
    order = talk(rail, f"{total} {word}")
    bets = [each for each in order.commands if isinstance(each, c.Bet)]
    need(bets)
    parts = tuple(amount(f"On the {scene.layout.spots[each.wager].number}", each.amount) for each in bets)
    reasons = tuple(order.says) or (f"{6 * times} on the six and eight, {5 * times} elsewhere.",)
    return Question(table, f'Point {point}: "{total} {word}."', parts, reasons, ())


def _change(scene: Scene) -> Question:
    words, bet = scene.rng.choice((("22 inside", 22), ("32 across", 32), ("44 inside", 44), ("64 across", 64)))
    bill = scene.rng.choice((100, 100, 50 if bet < 50 else 100))
    table = at(scene, "")
    part = amount("Change to the player", (bill - bet) * CENTS, {bill * CENTS: "the bet is not taken out"})
    return Question(table, f'A {bill} bill on the felt: "Change, and {words}."', (part,), (f"{bill} less {bet}.",), ())


def _color_up(scene: Scene) -> Question:
    reds, whites = scene.rng.choice(((37, 15), (18, 10), (55, 25), (24, 30)))
    table, worth = at(scene, ""), (5 * reds + whites) * CENTS
    part = in_chips_of(table, "In the fewest chips, such as 2x100 1x25", worth)
    asks = spelled(scene.layout, f"Color her up: {reds} fives and {whites} ones.")
    return Question(table, asks, (part,), (f"{scene.money(worth)} in all.",), ())


def _asked(row: dict[str, Any]) -> Callable[[Scene], Question]:
    def what_to_say(scene: Scene) -> Question:
        part = choice(scene.rng, "What do you say", row["right"], row["wrong"])
        return Question(at(scene, ""), row["asks"], (part,), (row["right"],), ())

    return _paying(row) if "felt" in row else BY[row["by"]] if "by" in row else what_to_say


BY: dict[str, Callable[[Scene], Question]] = {
    each.__name__.removeprefix("_"): each
    for each in (_line, _dont, _most_lay, _off_and_on, _comeout_odds, _hopped, _press, _across, _change, _color_up)
}
_FILE: dict[str, dict[str, Any]] = tomllib.loads(Path(__file__).with_name("audition.toml").read_text("utf-8"))
SHAPES = {name: _asked(row) for name, row in _FILE.items()}
CRITICAL = frozenset(name for name, row in _FILE.items() if "critical" in row)  # what fails an audition by itself
