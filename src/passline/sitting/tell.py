"""The table in words, as one person hears it: the felt line by line, what a roll brought, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from passline.engine.events import WagerTravelled
from passline.engine.layout import Layout
from passline.engine.postings import brought, postings
from passline.engine.table import Seat
from passline.sitting import amounts
from passline.sitting.log import Settlement
from passline.telling.card import sign
from passline.telling.figures import signed
from passline.telling.names import spoken
from passline.telling.stick import call
from passline.telling.tables import puck_line, seat_lines

if TYPE_CHECKING:
    from passline.sitting.sitting import Sitting

RESULTS_LEAST, RESULTS_MAX = 3, 5


def felt(sitting: Sitting) -> list[str]:
    state, layout = sitting.state, sitting.layout
    lines = [f"{sitting.table.house.name}: {sign(layout, state.notice)}. {puck_line(state)}"]
    lines += seat_lines(layout, state, keys=True)
    if sitting.seat is not None:
        lines.append("Can be bet now: " + (", ".join(_open_now(sitting)) or "nothing") + ".")
    return lines


def _open_now(sitting: Sitting) -> list[str]:
    """The keys that can be bet now, a family on many numbers in one word: `place_4/5/6`."""
    families: dict[str, list[str]] = {}
    for spot in sitting.layout.offered():
        if amounts.is_open(sitting.layout, sitting.state, sitting.me, spot.key) is None:
            families.setdefault(spot.family, []).append(spot.key)
    return [
        keys[0] + "".join("/" + key.removeprefix(f"{family}_") for key in keys[1:]) for family, keys in families.items()
    ]


def result(sitting: Sitting) -> str:
    """What the last roll did to the person: `6-3: you win 14 (Place 9 +14); Come 10 goes to the 9`."""
    return result_of(sitting.layout, sitting.me, sitting.settlements[-1]) if sitting.settlements else ""


def result_of(layout: Layout, me: int, settled: Settlement) -> str:
    thrown, mine, net, _ = settled
    money, spots = layout.money, layout.spots
    each = [(spoken(layout, event.wager), brought(postings(event), me)) for event in mine]
    parts = ", ".join(f"{name} {signed(layout, won)}" for name, won in _folded([one for one in each if one[1]]))
    net_result = _came_to(layout, net) if parts else "no decision for you"
    gone = [event for event in mine if isinstance(event, WagerTravelled)]
    moved = "".join(f"; {spots[go.wager].name} {money(go.stake)} goes to the {spots[go.to].number}" for go in gone)
    return f"{thrown.first}-{thrown.second}: {net_result}{f' ({parts})' if parts else ''}{moved}."


def _came_to(layout: Layout, net: int) -> str:
    return f"you win {layout.money(net)}" if net > 0 else f"you lose {layout.money(-net)}" if net else "you are even"


def at_worth(layout: Layout, net: int) -> str:
    """What a player is told whose bets no dice decided."""
    return f"Your bets are settled at what they are worth: {_came_to(layout, net)}."


def struck_out(layout: Layout, before: Seat, after: Seat) -> str:
    """What becomes of a player's chips when the last roll does not count."""
    rail, up = after.rail - before.rail, amounts.on_felt(after) - amounts.on_felt(before)
    moved = [f"{layout.money(abs(rail))} {'comes back to' if rail > 0 else 'goes back from'} your rail"] * bool(rail)
    moved += [f"{layout.money(abs(up))} {'is back on' if up > 0 else 'comes off'} the felt"] * bool(up)
    return f"That roll does not count: {' and '.join(moved) or 'nothing of yours was on it'}."


def _folded(each: list[tuple[str, int]]) -> list[tuple[str, int]]:
    """The results from the largest; of many, those that most of the money is in, and the others as one."""
    ranked, money = sorted(each, key=lambda one: -abs(one[1])), sum(abs(won) for _, won in each)
    most = RESULTS_LEAST
    while 4 * sum(abs(won) for _, won in ranked[most:]) > money and most < RESULTS_MAX:
        most += 1
    rest, others = ranked[most:], sum(won for _, won in ranked[most:])
    together = "" if others else " together"
    return ranked if len(rest) < 2 else [*ranked[:most], (f"and {len(rest)} more{together}", others)]


def why(sitting: Sitting, back: int = 0) -> list[str]:
    """The settlements of the last roll, or of so many rolls before it, each with its sum and clauses."""
    settled = sitting.settlements
    if back >= len(settled):
        return ["No roll has been settled yet."]
    thrown, events, _, _ = settled[-1 - back]
    lines = [f"Roll {len(settled) - back}, {thrown.first}-{thrown.second}: {call(sitting.layout, thrown)}."]
    for event in events:
        lines += ["", *sitting.explain(event)]
    return lines if events else [*lines, "", "Nothing of yours was decided."]
