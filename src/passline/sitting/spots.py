"""One spot as one person sees it: price, edge, limits, what lies there, and whether it can be bet now or why not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from passline.engine import limits
from passline.engine.layout import Spot
from passline.engine.refusals import Refusal
from passline.engine.verdicts import FRESH
from passline.house import House
from passline.sitting import amounts
from passline.telling.figures import counted, percent
from passline.telling.names import as_spoken, came, how, price_of, short_price, tally, with_key
from passline.telling.sentences import no

if TYPE_CHECKING:
    from passline.odds.wagers import WagerOdds
    from passline.sitting.sitting import Sitting


@dataclass(frozen=True, slots=True)
class Look:
    price: str
    edge: str
    stake: str
    mark: str  # `off` or `on` where the wager does not simply work; `2/6` where it counts
    others: int
    open: bool
    travelled: bool  # whether chips only travel here, and are not put here by hand
    come: str = ""  # the numbers that have come for a wager with memory, after a tick


def look(sitting: Sitting, key: str, figures: Mapping[str, WagerOdds]) -> Look:
    spot, puck = sitting.layout.spots[key], sitting.state.puck
    up = sitting.felt.get(key)
    odds = figures_of(sitting.table.house, key, puck) if figures else None
    button = "" if up is None or (up.call != "on" and sitting.works(key)) else up.call or "off"
    seen = tally(spot, up.mark) if up is not None else None
    mark = f"{len(seen[0])}/{seen[1]}".removesuffix("/0") if seen else button
    return Look(
        price=short_price(spot, puck),
        edge=percent(odds.edge_per_bet_made, 1) if odds is not None and odds.mean_net else "",
        stake=sitting.layout.money(up.stake) if up is not None else "",
        mark=mark,
        others=sitting.beside(key),
        open=amounts.is_open(sitting.layout, sitting.state, sitting.me, key) is None,
        travelled=spot.has_travelled or bool(spot.is_odds and spot.number),
        come=" ".join(("✓", *came(seen[0]))) if seen and seen[0] else "",
    )


def bounds(sitting: Sitting, spot: Spot) -> str:
    money, notice = sitting.layout.money, sitting.state.notice
    most, top = limits.maximum(notice, spot), "no limit"
    if spot.is_odds and notice.odds is not None:
        flat, point = sitting.felt.get(spot.flat), spot.number or sitting.state.puck
        cap = limits.odds_cap(notice, spot, point, flat.stake) if flat and point else None
        most, top = cap and cap - cap % notice.chip, "a multiple of the flat bet"
    return f"min {money(limits.minimum(notice, spot))}, max {top if most is None else money(most)}"


def standing(sitting: Sitting, key: str) -> str:
    """What lies on a spot: `you have 12 here, off now (2 other players too)`."""
    up, money = sitting.felt.get(key), sitting.layout.money
    words = []
    if up is not None:
        held = f" + {money(up.held)} commission" if up.held else ""
        off = "" if sitting.works(key) else ", off now"
        called = f", called {up.call}" if up.call else ""
        seen = tally(sitting.layout.spots[key], up.mark)
        has = f", with {', '.join(came(seen[0])) or 'none'} of {seen[1]}".removesuffix(" of 0") if seen else ""
        words.append(f"you have {money(up.stake)}{held} here{called or off}{has}")
    others = sitting.beside(key)
    if others:
        players = counted(others, "other player")
        words.append(f"({players} too)" if up else f"no bet of yours ({players} here)")
    return " ".join(words) or "no bet"


def verdict(
    sitting: Sitting, key: str, chip: int, verbs: tuple[str, str] = ("Enter bets", "Enter makes it")
) -> tuple[str, Refusal | None]:
    """Whether a wager can be bet now and what a chip makes of it, or why not; `verbs` for a new bet and a raise."""
    if sitting.seat is None or sitting.seat.away:
        return "You have left the table.", None
    there, money = amounts.up(sitting.state, sitting.me, key), sitting.layout.money
    shut = amounts.is_open(sitting.layout, sitting.state, sitting.me, key)
    bet = shut or amounts.booked(sitting.layout, sitting.state, sitting.me, key, chip)
    if isinstance(bet, Refusal):
        if there and bet.code in amounts.AT_MOST:
            return f"{money(there)} is the most here.", bet
        return f"Not now: {as_spoken(sitting.layout, no(sitting.state, bet, sitting.me))}", bet
    amount, why = bet
    won = _to_win(sitting, key, amount + there)
    because, wins = f" ({why})" if why else "", f", {won}" if won else ""
    return f"{verbs[there > 0]} {money(amount + there)}{because}{wins}.", None


def _to_win(sitting: Sitting, key: str, stake: int) -> str:
    """What a stake would win now: `to win 10`; nothing where no roll would pay it."""
    money = sitting.layout.money
    won = amounts.winnings(sitting.layout, sitting.state, key, stake)
    if not won:
        return ""
    taken = amounts.charges(sitting.layout, sitting.state, key, stake)
    after = f" after {' to '.join(map(money, dict.fromkeys((taken[0], taken[-1]))))} commission" if any(taken) else ""
    return f"to win {' to '.join(map(money, dict.fromkeys((won[0], won[-1]))))}{after}"


def from_here(sitting: Sitting, key: str) -> str:
    """What lies on a spot would win, and what that is worth where it stands apart from a bet that is made now."""
    up = sitting.felt.get(key)
    if up is None:
        return ""
    won, seen = _to_win(sitting, key, up.stake), as_it_is(sitting, key)
    parts = [f"{sitting.layout.money(up.stake)} {won}" if won else ""]
    if seen.stands and seen.figures is not None:
        worth = round(seen.figures.mean_net * up.stake)
        verb = f"brings {sitting.layout.money(worth)}" if worth > 0 else f"costs {sitting.layout.money(-worth)}"
        parts.append(f"on average it {verb if worth else 'is even'} from here")
    return ", ".join(filter(None, parts))


def spot_lines(sitting: Sitting, key: str) -> list[str]:
    spot = sitting.layout.spots[key]
    odds, puck, stands = as_it_is(sitting, key)
    edge = edge_text(odds) + (" as it stands" if stands else as_put(sitting, key)) if odds else ""
    way = how(spot, puck, sitting.layout.book.points.value)
    head = [f"{with_key(spot.name, key)}: {way}", price_of(spot, puck), edge, bounds(sitting, spot)]
    least = max(limits.minimum(sitting.state.notice, spot), sitting.state.notice.chip)
    can, refused = verdict(sitting, key, least, ("You can bet", "You can make it"))
    lines = ["; ".join(filter(None, head)) + ".", f"{standing(sitting, key).capitalize()}.", can]
    if refused is not None and refused.clause:
        lines.append(f"{refused.clause}: {sitting.table.house.clause(refused.clause).sentence}")
    return lines


@cache
def figures(house: House) -> Mapping[str, WagerOdds]:
    """Everything that is known of a house's wagers; the first time takes a second or two in houses with long bets."""
    from passline.odds.wagers import odds_of

    return dict(odds_of(house))


@cache
def figures_of(house: House, key: str, puck: int = 0) -> WagerOdds | None:
    """The figures of the bet that would be made now: line odds and what is put on a point hang on the puck."""
    from passline.odds.wagers import odds_now

    return odds_now(house.layout, key, puck)


class Seen(NamedTuple):
    """The figures of a spot for one person, and the puck that they are for."""

    figures: WagerOdds | None
    puck: int
    stands: bool  # whether they are those of chips that lie there, which a bet made now would not have


def as_it_is(sitting: Sitting, key: str) -> Seen:
    """A spot's figures: of what stands there on its point or with what has come for it; else of a bet made now."""
    house, spot, puck = sitting.table.house, sitting.layout.spots[key], sitting.state.puck
    up = sitting.felt.get(key)
    if up is not None and up.call != "off" and (spot.is_on_a_point(puck) or up.mark != FRESH):
        return Seen(_standing(house, key, puck, up.mark), puck, stands=True)
    # A line bet that cannot be put on the point can only be made at the come-out.
    made = 0 if spot.is_line and up is None and not spot.is_put(puck) else puck
    return Seen(figures_of(house, key, puck), made, stands=False)


@lru_cache(maxsize=1024)
def _standing(house: House, key: str, puck: int, mark: int) -> WagerOdds:
    from passline.odds.wagers import odds_standing

    return odds_standing(house.layout, key, puck, mark)


@cache
def mean_as_paid(house: House, key: str, stake: int, chip: int, puck: int) -> Fraction | None:
    """What a stake made with the puck there brings on average for each unit, as the dealers pay it in these chips."""
    from passline.odds.wagers import mean_in_chips

    return mean_in_chips(house.layout, key, stake, chip, puck=puck) if stake else None


def as_paid(sitting: Sitting, key: str, chip: int) -> str:
    """The edge of the stake that a chip would make, where it is paid otherwise than the price says; else nothing."""
    from passline.odds.wagers import edge_in_chips

    layout, notice, seen = sitting.layout, sitting.state.notice, as_it_is(sitting, key)
    amount = amounts.to_bet(layout, sitting.state, sitting.me, key, chip)
    if seen.figures is None or seen.stands or isinstance(amount, Refusal) or sitting.seat is None:
        return ""
    stake = amount + amounts.up(sitting.state, sitting.me, key)
    edge = edge_in_chips(layout, key, stake, notice.chip, puck=seen.puck)
    if edge is None or edge == seen.figures.edge_per_bet_made:
        return ""
    cost = f"an edge of {percent(edge)} a bet" if edge else "no edge"
    chips = layout.money(notice.chip)
    return f"Paid in chips of {chips}, {layout.money(stake)} has {cost}; the figures are those of the price."


def as_put(sitting: Sitting, key: str) -> str:
    """Said of the edge of a line bet that would be put on the point, where it is not the line's own."""
    house, puck = sitting.table.house, sitting.state.puck
    is_line = puck and sitting.layout.spots[key].is_line
    now, own = (figures_of(house, key, puck), figures_of(house, key)) if is_line else (None, None)
    return " if put on the point now" if now and own and now.mean_net != own.mean_net else ""


def edge_text(odds: WagerOdds) -> str:
    """The edge three ways: per bet made, per bet resolved (pushes left out) and per roll."""
    if not odds.mean_net:
        return "no edge"
    made, resolved, roll = odds.edge_per_bet_made, odds.edge_per_bet_resolved, odds.edge_per_roll_working
    same = made == resolved
    bets = f"{percent(made)} made or resolved" if same else f"{percent(made)} made, {percent(resolved)} resolved"
    return f"edge {bets}, {percent(roll)} a roll"
