"""The table in words: the felt line by line, all about one spot, why the last chips moved, one line on a house."""

from __future__ import annotations

from typing import TYPE_CHECKING

from passline.engine import limits
from passline.engine.kinds import Collect, Fire, Hop, Line
from passline.engine.refusals import Refusal
from passline.sitting import amounts
from passline.sitting.edges import edge_text, figures_of
from passline.telling.names import price_of, tally
from passline.telling.stick import call

if TYPE_CHECKING:
    from passline.engine.layout import Spot
    from passline.house import House
    from passline.sitting.sitting import Sitting


def sign(sitting: Sitting) -> str:
    """What the notice says: `min 5, max 1000, odds 10x`."""
    notice, money = sitting.state.notice, sitting.layout.money
    words = [f"min {money(notice.minimum)}"]
    if notice.maximum is not None:
        words.append(f"max {money(notice.maximum)}")
    if notice.odds is not None:
        words.append(f"odds {_multiples(list(notice.odds.values()))}x")
    if notice.props_minimum is not None:
        words.append(f"props {money(notice.props_minimum)}")
    if notice.multiples:
        words.append("in multiples")
    return ", ".join(words)


def _multiples(values: list[int]) -> str:
    return "-".join(map(str, dict.fromkeys(values[: (len(values) + 1) // 2]))) if values else "0"


def about(house: House) -> str:
    """One line about a house, from its book."""
    book, layout = house.book, house.layout
    bars = {
        spot.rule.terms.bar.value
        for spot in layout.spots.values()
        if isinstance(spot.rule.terms, Line) and spot.rule.terms.bar is not None
    }
    terms = book.notice
    words = [f"min {terms.minimum.value}"]
    odds = terms.odds.value
    words.append(f"odds {_multiples(list(odds.values()))}x" if odds is not None else "odds to the max")
    words += [f"bars {bar}" for bar in sorted(bars)]
    extras = [spot.rule.name for spot in layout.offered() if isinstance(spot.rule.terms, Fire | Collect)]
    extras = extras[:1] + ["hops"] * any(isinstance(spot.rule.terms, Hop) for spot in layout.offered())
    wagers = f"{sum(1 for _ in layout.offered())} wagers"
    return ", ".join([*words, f"{wagers}, with {' and '.join(extras)}" if extras else wagers])


# --- One spot -------------------------------------------------------------------------------------------------------


def bounds(sitting: Sitting, spot: Spot) -> str:
    """The least and the most that may stand on a spot."""
    money, notice = sitting.layout.money, sitting.state.notice
    least, most = limits.minimum(notice, spot), limits.maximum(notice, spot)
    if spot.is_odds and notice.odds is not None:
        flat = sitting.seat.felt.get(spot.flat) if sitting.seat else None
        point = spot.number or sitting.state.puck
        most = limits.odds_cap(notice, spot, point, flat.stake) if flat and point else None
        top = money(most - most % notice.chip) if most is not None else "a multiple of the flat bet"
    else:
        top = money(most) if most is not None else "no limit"
    return f"min {money(least)}, max {top}"


def standing(sitting: Sitting, key: str) -> str:
    """What lies on a spot, the person's first: `12 up, off now; 2 others`."""
    up, money = (sitting.seat.felt.get(key) if sitting.seat else None), sitting.layout.money
    words = []
    if up is not None:
        held = f" + {money(up.held)} commission" if up.held else ""
        off = "" if sitting.works(key) else ", off now"
        called = f", called {up.call}" if up.call else ""
        counted = tally(sitting.layout.spots[key], up.mark)
        has = f", has {', '.join(map(str, counted[0])) or 'none'} of {counted[1]}" if counted else ""
        words.append(f"{money(up.stake)}{held} up{called or off}{has}")
    others = sitting.beside(key)
    if others:
        words.append(f"{others} other{'s' * (others > 1)} here")
    return "; ".join(words) or "nothing up"


def verdict(sitting: Sitting, key: str, chip: int) -> tuple[str, Refusal | None]:
    """Whether a wager can be bet now and what a chip adds, or why not."""
    if sitting.seat is None:
        return "You have left the table.", None
    refused = amounts.is_open(sitting.layout, sitting.state, sitting.me, key)
    if refused is not None:
        return f"Not now: {refused.message}", refused
    amount = amounts.to_bet(sitting.layout, sitting.state, sitting.me, key, chip)
    if isinstance(amount, Refusal):
        return f"Not now: {amount.message}", amount
    fits = "" if amount == chip else f" (the nearest to {sitting.layout.money(chip)} that is booked)"
    return f"Can be bet now: Enter adds {sitting.layout.money(amount)}{fits}.", None


def spot_lines(sitting: Sitting, key: str) -> list[str]:
    """All about one wager, for plain mode."""
    spot = sitting.layout.spots[key]
    found = figures_of(sitting.table.house, key, sitting.state.puck)
    edge = edge_text(found) if found else ""
    head = [f"{spot.name} ({key}): {price_of(spot, sitting.state.puck)}", edge, bounds(sitting, spot)]
    least = max(limits.minimum(sitting.state.notice, spot), sitting.state.notice.chip)
    can, refused = verdict(sitting, key, least)
    lines = ["; ".join(filter(None, head)) + ".", f"{standing(sitting, key).capitalize()}."]
    lines.append(can.replace("Enter adds", "at least"))
    if refused is not None and refused.clause:
        lines.append(f"{refused.clause}: {sitting.table.house.clause(refused.clause).sentence}")
    return lines


# --- The felt and the settlements -----------------------------------------------------------------------------------


def felt(sitting: Sitting) -> list[str]:
    """The table as lines: puck, dice, rails, chips up, and what can be bet now."""
    state, money = sitting.state, sitting.layout.money
    puck = f"ON {state.puck}" if state.puck else "OFF"
    shooter = "nobody" if state.shooter is None else state.seats[state.shooter].name
    lines = [f"{sitting.table.house.name}: {sign(sitting)}. Puck {puck}. Shooter: {shooter}."]
    for number, seat in state.seats.items():
        chips_up = ", ".join(
            f"{key} {money(wager.stake)}{'' if not wager.call else ' ' + wager.call}"
            for key, wager in seat.felt.items()
        )
        away = " (away)" if seat.away else ""
        lines.append(f"  {number} {seat.name}{away}: {money(seat.rail)} on the rail; {chips_up or 'nothing up'}")
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


def why(sitting: Sitting, back: int = 0) -> list[str]:
    """The settlements of the last roll, or of so many rolls before it, each with its sum and clauses."""
    settled = sitting.settlements
    if back >= len(settled):
        return ["No roll has been settled yet."]
    thrown, events = settled[-1 - back]
    lines = [f"Roll {len(settled) - back}, {thrown.first}-{thrown.second}: {call(sitting.layout, thrown)}."]
    for event in events:
        lines += ["", *sitting.explain(event)]
    return lines if events else [*lines, "", "Nothing of yours was decided."]
