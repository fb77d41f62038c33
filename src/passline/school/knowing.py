"""The drills of knowing: the combinations of two dice, which bet costs less, what the book says."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

from passline.engine import events as e
from passline.engine.events import Event
from passline.engine.layout import Spot
from passline.engine.verdicts import Loses, Pushes
from passline.school.exercise import Asked, Part
from passline.school.levels import lesson, so_far
from passline.school.paying import a_layout, cited, net, why
from passline.school.ruling import CHOICES, own_clause
from passline.school.scene import ANN, Scene, decisions, won_by
from passline.sitting import amounts
from passline.sitting.spots import edge_text, figures_of
from passline.telling.sentences import clauses_of
from passline.telling.ways import described

if TYPE_CHECKING:
    from passline.odds.wagers import WagerOdds


def ways(scene: Scene) -> Asked | None:
    """Ask how many of the 36 throws win, and how many lose."""
    spot = scene.rng.choice(lesson(scene.layout, scene.level))
    winners = scene.until_it_can_win(spot) if scene.put_up(spot) else []
    if not winners or any(net(won) <= 0 for _, won in winners):  # a split may win and come to nothing
        return None
    every = scene.rolls(bool)
    wins = [roll for roll, events in every if won_by(events, spot.key)]
    loses = [roll for roll, events in every if any(_loses(each, spot.key) for each in events)]
    stake = scene.layout.money(scene.seat().felt[spot.key].stake)
    asks = f"Ann has {stake} on {spot.name}. Of the 36 throws of two dice, how many decide it on the next roll?"
    parts = (Part("Throws that win it", "count", (len(wins),)), Part("Throws that lose it", "count", (len(loses),)))
    lines = [f"wins on {', '.join(described(wins))}"] if wins else []
    lines += [f"loses on {', '.join(described(loses))}"] if loses else []
    deciding = (each for _, events in every for each in decisions(events))
    own = [each for each in deciding if (each.seat, each.wager) == (ANN, spot.key)]
    return Asked(scene.table, asks, parts, tuple(lines), cited(own))


def _loses(event: Event, key: str) -> bool:
    return isinstance(event, e.WagerLost) and (event.seat, event.wager) == (ANN, key)


def edge(scene: Scene) -> Asked | None:
    """Ask which of some bets costs least."""
    scene.play_a_while(scene.rng.randrange(3), level=1)
    state, taught = scene.table.state, so_far(scene.layout, scene.level)
    costs: dict[Fraction, tuple[Spot, WagerOdds]] = {}
    for spot in scene.rng.sample(taught, len(taught)):
        if amounts.is_open(scene.layout, state, ANN, spot.key) is None:
            found = figures_of(scene.house, spot.key, state.puck)
            if found is not None:
                costs.setdefault(found.edge_per_bet_made, (spot, found))
    priced = list(costs.values())[:CHOICES]
    if len(priced) < 2:
        return None
    least = min(range(len(priced)), key=lambda at: priced[at][1].edge_per_bet_made)
    part = Part(
        "The one with the lowest edge for each bet made", "choice", (least,), tuple(spot.name for spot, _ in priced)
    )
    lines = tuple(f"{spot.name}: {edge_text(found)}" for spot, found in priced)
    asks = "Which of these bets, made now, costs least in the long run?"
    return Asked(scene.table, asks, (part,), lines, priced[least][1].clauses)


# --- What does the book say -----------------------------------------------------------------------------------------


def book(scene: Scene) -> Asked | None:
    """Ask which clause prices this, or decides it."""
    found = a_layout(scene, lambda events: bool(decisions(events)))
    if found is None:
        return None
    roll, events = found
    event = scene.rng.choice(decisions(events))
    right, sentence = clauses_of(event)[0], scene.house.clause(clauses_of(event)[0]).sentence
    family = scene.layout.spots[event.wager].family
    apart = dict.fromkeys(_others(scene, family, won=isinstance(event, e.WagerWon)))
    others = [each for each in apart if each not in clauses_of(event) and own_clause(scene, each)]
    others = [each for each in others if scene.house.clause(each).sentence != sentence]
    if len(others) < CHOICES - 1:
        return None
    shown = scene.rng.sample([right, *scene.rng.sample(others, CHOICES - 1)], CHOICES)
    does = "prices" if isinstance(event, e.WagerWon) else "decides"
    sentences = tuple(scene.house.clause(each).sentence for each in shown)
    part = Part(f"The clause that {does} it", "choice", (shown.index(right),), sentences)
    asks = f"The dice show {roll}. {scene.table.say(event)} What does the book say?"
    return Asked(scene.table, asks, (part,), why(scene.table, [event]), cited([event]), roll)


def _others(scene: Scene, family: str, *, won: bool) -> Iterator[str]:
    """Clauses of the same book that price other bets, or decide bets of other families."""
    for spot in scene.layout.offered():
        if won:
            yield from (paid.clause for paid in spot.prices)
        elif spot.family != family:
            points = scene.layout.book.points.value
            for puck in points if spot.is_odds else (0, *points):
                yield from (each.clause for each in spot.row(0, puck, works=True) if isinstance(each, Loses | Pushes))
