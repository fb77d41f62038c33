"""Walks a wager's automaton to its end: what becomes of it, how often, and how long that takes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from passline.engine.kinds import Line
from passline.engine.layout import Layout, Row, Spot
from passline.engine.marking import FRESH
from passline.engine.settle import works
from passline.engine.table import Call, Wager
from passline.engine.values import ROLLS, ClauseId, Roll
from passline.engine.verdicts import Loses, Pushes, Returns, Tallies, Travels, Wins
from passline.machine.dice import FAIR, LoadedDice
from passline.odds.absorbing import THROWS, visits
from passline.odds.memo import Lazily, remembered
from passline.odds.puck import OFF, Puck, puck_of
from passline.odds.wagers.alike import Alike

Decision = Wins | Loses | Pushes | Returns
"""The verdicts after which a bet is over; a winner that stays up is a new one."""


class State(NamedTuple):
    """Where a wager stands, and where the puck is as far as the wager can tell."""

    spot: str
    mark: int
    puck: int


class Ending(NamedTuple):
    """One way for a wager to be decided: on which spot, by which verdict."""

    spot: str
    verdict: Decision


class Example(NamedTuple):
    """A wager where it stands, and a throw that decides it."""

    state: State
    roll: Roll


@dataclass(frozen=True, slots=True, eq=False)
class Walk:
    """A wager from the moment it is made to its decision."""

    key: str
    spot: Spot
    name: str
    call: Call | None
    """The button it is judged under, if any."""
    endings: Mapping[Ending, Fraction]
    """How it ends, each with its probability."""
    examples: Mapping[Ending, Example]
    """For each ending, a throw that brings it."""
    rolls_working: Fraction
    rolls_all: Fraction | None
    """None for wagers judged as working throughout although the house turns them off."""
    clauses: tuple[str, ...]


class _Steps(NamedTuple):
    """What the 36 throws do in each state: some lead on, the others decide."""

    dice: LoadedDice
    alike: Alike
    on: dict[State, Counter[State]]
    ends: dict[State, Counter[Ending]]
    working: set[State]
    examples: dict[Ending, Example]
    travels: dict[ClauseId, None]
    """The clauses by which it travels."""

    @classmethod
    def none(cls, dice: LoadedDice, alike: Alike) -> _Steps:
        """No state looked at yet."""
        return cls(dice, alike, {}, {}, set(), {}, {})

    def look(self, state: State, row: Row, pucks: Iterable[int]) -> None:
        """Take in one state: the throws that lead on, and those that decide, by their weight."""
        on, ends, first = self.on.setdefault(state, Counter()), self.ends.setdefault(state, Counter()), self.alike.first
        # A row says the same thing by the same object, and most of its 36 throws say one of three things.
        throws: dict[tuple[int, int], list[int]] = {}
        for throw, (verdict, puck) in enumerate(zip(row, pucks, strict=True)):
            throws.setdefault((id(verdict), puck), []).append(throw)
        for (_, puck), same in throws.items():
            verdict, weight = row[same[0]], sum(self.dice.weights[throw] for throw in same)
            match verdict:
                case None:
                    on[State(state.spot, *first(state.mark, puck))] += weight
                case Tallies(mark=mark):
                    on[State(state.spot, *first(mark, puck))] += weight
                case Travels(to=to, clause=clause):
                    self.travels[clause] = None
                    on[State(to, state.mark, puck)] += weight
                case _:
                    ending = Ending(state.spot, verdict)
                    ends[ending] += weight
                    self.examples.setdefault(ending, Example(state, ROLLS[same[0]]))


class Walks(Lazily[Walk]):
    """Every wager a player of this house can ask for, in the order of the house file."""

    def __init__(self, layout: Layout, dice: LoadedDice = FAIR) -> None:
        self._layout, self._dice = layout, dice
        starts = {key: (spot, point) for spot in layout.offered() for key, point in _starts(layout, spot)}
        super().__init__(starts, lambda key: _walk_from(layout, dice, *starts[key]))
        self.families = {key: spot.family for key, (spot, _) in starts.items()}

    def made_at(self, key: str, puck: int) -> Walk | None:
        """The walk of a wager that is made with the puck as it lies; None for what cannot be made there."""
        spot = self._layout.spots[key]
        if not is_put(spot, puck):
            return self.get(spot.key_at(puck))
        put = f"{key} put on {spot.number or puck}"
        if put not in self._done:
            self._done[put] = _walked(self._layout, self._dice, spot, key, spot.name, start={puck: Fraction(1)})
        return self._done[put]


walks = remembered(Walks)
"""The walks of a house with these dice, remembered."""


def is_put(spot: Spot, puck: int) -> bool:
    """Whether chips that go up there now are put on a point, past the come-out that favours the bet."""
    terms = spot.rule.terms
    return isinstance(terms, Line) and bool(puck) and (spot.is_line or spot.has_travelled) and terms.put.value


def standing(layout: Layout, spot: Spot, puck: int, mark: int) -> Walk:
    """The walk of a wager that is up, from where it stands to its decision."""
    return _walked(layout, FAIR, spot, spot.key, spot.name, start={puck: Fraction(1)}, mark=mark)


def _starts(layout: Layout, spot: Spot) -> Iterator[tuple[str, int | None]]:
    """The walks that begin on one spot, by key: one for each point where the puck gives it its number."""
    if spot.is_odds and not spot.number:
        yield from ((spot.key_at(point), point) for point in layout.book.points.value)
    else:
        yield spot.key, None


def _walk_from(layout: Layout, dice: LoadedDice, spot: Spot, point: int | None) -> Walk:
    if point is not None:
        return _walked(layout, dice, spot, spot.key_at(point), f"{spot.name} {point}", start={point: Fraction(1)})
    resting = spot.is_odds and spot.rule.off_on_comeout.value
    return _walked(layout, dice, spot, spot.key, spot.name, call="on" if resting else None)


def _walked(  # noqa: PLR0913 - where a walk starts and under which call are a walk's own
    layout: Layout,
    dice: LoadedDice,
    spot: Spot,
    key: str,
    name: str,
    *,
    start: Mapping[int, Fraction] | None = None,
    mark: int = FRESH,
    call: Call | None = None,
) -> Walk:
    puck = puck_of(layout)
    begins = start or (puck.just_set(dice) if spot.rule.off_on_comeout.value else {OFF: Fraction(1)})
    alike = Alike(spot, puck, dice)
    steps = None if start else _without_puck(layout, _Steps.none(dice, alike), spot, puck, call)
    if steps is None:
        entries = {State(spot.key, *alike.first(mark, place)): chance for place, chance in begins.items()}
        assert len(entries) == len(begins), f"{key} begins in states that differ"
        steps = _explored(layout, _Steps.none(dice, alike), puck, entries, call)
    else:
        entries = {State(spot.key, FRESH, OFF): Fraction(1)}
    often = visits(entries, steps.on, dice.whole)
    endings: dict[Ending, Fraction] = {}
    for state, found in steps.ends.items():
        for ending, throws in found.items():
            endings[ending] = endings.get(ending, Fraction(0)) + often[state] * Fraction(throws, dice.whole)
    assert sum(endings.values()) == 1, f"{key} is decided in the end"
    return Walk(
        key=key,
        spot=spot,
        name=name,
        call=call,
        endings=endings,
        examples=steps.examples,
        rolls_working=sum((often[state] for state in steps.working), Fraction(0)),
        rolls_all=None if call else sum(often.values(), Fraction(0)),
        clauses=_clauses(spot, endings, steps.travels),
    )


def _without_puck(layout: Layout, steps: _Steps, spot: Spot, puck: Puck, call: Call | None) -> _Steps | None:
    """The walk of a wager that cannot tell where the puck is, or None if it can."""
    waiting = [State(spot.key, FRESH, OFF)]
    while waiting:
        state = waiting.pop()
        if state in steps.on:
            continue
        here = layout.spots[state.spot]
        row, *others = (_row(here, state.mark, place, call) for place in puck.places)
        if any(other != row for other in others) or not _works(here, OFF, call):
            return None
        steps.look(state, row, [OFF] * THROWS)
        steps.working.add(state)
        waiting += steps.on[state]
    return steps


def _explored(layout: Layout, steps: _Steps, puck: Puck, entries: Iterable[State], call: Call | None) -> _Steps:
    """The walk of a wager with the puck beside it."""
    waiting = list(entries)
    while waiting:
        state = waiting.pop()
        if state in steps.on:
            continue
        here = layout.spots[state.spot]
        pucks = [turn.to for turn in puck.turns[state.puck]]
        steps.look(state, _row(here, state.mark, state.puck, call), pucks)
        if _works(here, state.puck, call):
            steps.working.add(state)
        waiting += steps.on[state]
    return steps


def _works(spot: Spot, puck: int, call: Call | None) -> bool:
    return works(spot, Wager(stake=0, call=call), puck)


def _row(spot: Spot, mark: int, puck: int, call: Call | None) -> Row:
    return spot.row(mark, puck, works=_works(spot, puck, call))


def _clauses(spot: Spot, endings: Mapping[Ending, Fraction], travels: Iterable[ClauseId]) -> tuple[ClauseId, ...]:
    """What prices it, decides it, charges for it and turns it off, each clause once."""
    verdicts = [ending.verdict for ending in endings]
    wins = [verdict for verdict in verdicts if isinstance(verdict, Wins)]
    cited = [verdict.clause for verdict in wins] + [verdict.rule for verdict in wins]
    cited += [verdict.clause for verdict in verdicts if not isinstance(verdict, Wins)]
    cited += travels
    if charge := spot.rule.commission:
        cited += [charge.rate.clause, charge.of.clause, charge.when.clause]
    if spot.rule.off_on_comeout.value:
        cited.append(spot.rule.off_on_comeout.clause)
    return tuple(dict.fromkeys(cited))
