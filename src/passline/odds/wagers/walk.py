"""Walks a wager's automaton to its end: what becomes of it, how often, and how long that takes."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache
from math import floor, lcm
from typing import NamedTuple

from passline.engine import commission, events
from passline.engine.commands import Take
from passline.engine.decide import decide
from passline.engine.events import WagerWon
from passline.engine.layout import Layout, Row, Spot
from passline.engine.postings import brought, postings
from passline.engine.refusals import Refusal
from passline.engine.settle import settle, works
from passline.engine.table import Call, Dice, Notice, Seat, TableState, Wager
from passline.engine.values import ROLLS, ClauseId, Roll
from passline.engine.verdicts import FRESH, TALLY, Loses, Pushes, Returns, Tallies, Travels, Wins
from passline.machine.dice import FAIR, LoadedDice
from passline.odds.hand import OFF, Puck, puck_of
from passline.odds.linear import THROWS, Lazily, remembered, visits

# The verdicts after which a bet is over; a winner that stays up is a new one.
Decision = Wins | Loses | Pushes | Returns


class State(NamedTuple):
    """Where a wager stands, and where the puck is as far as the wager can tell."""

    spot: str
    mark: int
    puck: int


class Ending(NamedTuple):
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
    call: Call | None  # the button it is judged under, if any
    endings: Mapping[Ending, Fraction]  # how it ends, each with its probability
    examples: Mapping[Ending, Example]  # for each ending, a throw that brings it
    rolls_working: Fraction
    rolls_all: Fraction | None  # none for wagers judged as working throughout although the house turns them off
    clauses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Steps:
    """What the 36 throws do in each state of a wager: some lead on, the others decide."""

    layout: Layout
    dice: LoadedDice
    bet: Wager  # with the button it is judged under
    alike: "Alike"
    on: defaultdict[State, Counter[State]] = field(default_factory=lambda: defaultdict(Counter))
    ends: defaultdict[State, Counter[Ending]] = field(default_factory=lambda: defaultdict(Counter))
    working: set[State] = field(default_factory=set)
    examples: dict[Ending, Example] = field(default_factory=dict)
    travels: dict[ClauseId, None] = field(default_factory=dict)  # the clauses by which it travels

    def explore(self, entries: Iterable[State], *, blind: bool) -> bool:
        """Take in every state with the puck beside it; `blind`, as if the wager could not tell where that is.

        False where a wager that was taken to be blind is not.
        """
        waiting, turns = list(entries), puck_of(self.layout).turns
        while waiting:
            state = waiting.pop()
            if state in self.on:
                continue
            spot = self.layout.spots[state.spot]
            working = works(spot, self.bet, state.puck)
            row = spot.row(state.mark, state.puck, works=working)
            everywhere = (spot.row(state.mark, place, works=works(spot, self.bet, place)) for place in turns)
            if blind and not (working and all(each == row for each in everywhere)):
                return False
            self._look(state, row, [OFF] * THROWS if blind else [turn.to for turn in turns[state.puck]])
            if working:
                self.working.add(state)
            waiting += self.on[state]
        return True

    def _look(self, state: State, row: Row, pucks: Iterable[int]) -> None:
        """Take in one state: the throws that lead on, and those that decide, by their weight."""
        on, ends, first = self.on[state], self.ends[state], self.alike.first
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
        starts: dict[str, tuple[Spot, int]] = {}
        for spot in layout.offered():  # the puck gives odds their number, so they have a walk from each point
            points = layout.book.points.value if spot.is_odds and not spot.number else (OFF,)
            starts |= {spot.key_at(point) if point else spot.key: (spot, point) for point in points}
        super().__init__(starts, lambda key: _walk_from(layout, dice, *starts[key]))
        self.families = {key: spot.family for key, (spot, _) in starts.items()}

    def made_at(self, key: str, puck: int) -> Walk | None:
        """The walk of a wager that is made with the puck as it lies; None for what cannot be made there."""
        spot = self._layout.spots[key]
        if not spot.is_put(puck):
            return self.get(spot.key_at(puck))
        put = f"{key} put on {spot.number or puck}"
        if put not in self._done:
            self._done[put] = _walked(self._layout, self._dice, spot, key, spot.name, start=puck)
        return self._done[put]


walks = remembered(Walks)


def standing(layout: Layout, spot: Spot, puck: int, mark: int) -> Walk:
    """The walk of a wager that is up, from where it stands to its decision."""
    return _walked(layout, FAIR, spot, spot.key, spot.name, start=puck, mark=mark)


def _walk_from(layout: Layout, dice: LoadedDice, spot: Spot, point: int) -> Walk:
    if point:
        return _walked(layout, dice, spot, spot.key_at(point), f"{spot.name} {point}", start=point)
    resting = spot.is_odds and spot.rule.off_on_comeout.value
    return _walked(layout, dice, spot, spot.key, spot.name, call="on" if resting else None)


def _walked(  # noqa: PLR0913 - where a walk starts and under which call are a walk's own
    layout: Layout,
    dice: LoadedDice,
    spot: Spot,
    key: str,
    name: str,
    *,
    start: int | None = None,
    mark: int = FRESH,
    call: Call | None = None,
) -> Walk:
    puck, bet = puck_of(layout), Wager(stake=0, call=call)
    alike = Alike(spot, puck, dice)
    entries, steps = {State(spot.key, FRESH, OFF): Fraction(1)}, _Steps(layout, dice, bet, alike)
    if start is not None or not steps.explore(entries, blind=True):
        begins = {OFF if start is None else start: Fraction(1)}
        if start is None and spot.rule.off_on_comeout.value:
            begins = puck.just_set(dice)
        entries = {State(spot.key, *alike.first(mark, place)): chance for place, chance in begins.items()}
        assert len(entries) == len(begins), f"{key} begins in states that differ"
        steps = _Steps(layout, dice, bet, alike)
        steps.explore(entries, blind=False)
    often = visits(entries, steps.on, dice.whole)
    endings: defaultdict[Ending, Fraction] = defaultdict(Fraction)
    for state, ends in steps.ends.items():
        for ending, throws in ends.items():
            endings[ending] += often[state] * Fraction(throws, dice.whole)
    assert sum(endings.values()) == 1, f"{key} is decided in the end"
    return Walk(
        key=key,
        spot=spot,
        name=name,
        call=call,
        endings=dict(endings),
        examples=steps.examples,
        rolls_working=sum((often[state] for state in steps.working), Fraction(0)),
        rolls_all=None if call else sum(often.values(), Fraction(0)),
        clauses=_clauses(spot, endings, steps.travels),
    )


def _clauses(spot: Spot, endings: Mapping[Ending, Fraction], travels: Iterable[ClauseId]) -> tuple[ClauseId, ...]:
    """What prices it, decides it, charges for it and turns it off, each clause once."""
    verdicts = [ending.verdict for ending in endings]
    wins = [verdict for verdict in verdicts if isinstance(verdict, Wins)]
    cited = [verdict.clause for verdict in wins] + [verdict.rule for verdict in wins]
    cited += [*(verdict.clause for verdict in verdicts if not isinstance(verdict, Wins)), *travels]
    if charge := spot.rule.commission:
        cited += [charge.rate.clause, charge.of.clause, charge.when.clause]
    if spot.rule.off_on_comeout.value:
        cited.append(spot.rule.off_on_comeout.clause)
    return tuple(dict.fromkeys(cited))


SEAT = 1  # whoever has the bet; the dealers want a seat to pay
ZERO, ONE = Fraction(0), Fraction(1)


class Bank(NamedTuple):
    """How a bet is paid: by which layout, on what stake, down to which chip (all in minor units)."""

    layout: Layout
    stake: int
    chip: int


class Pay(NamedTuple):
    """What one bet brings and costs, for each unit staked."""

    nets: Mapping[Ending, Fraction]  # the net of each ending
    charge: Fraction  # Commission paid when the bet is made
    on_a_win: Fraction  # the most commission that a win is charged, where it is not paid with the bet


def exactly(layout: Layout, walk: Walk) -> Bank:
    """A bank that pays to the last fraction: one unit, in minor units that clear every price and commission."""
    wins = [ending.verdict for ending in walk.endings if isinstance(ending.verdict, Wins)]
    unit = lcm(*(win.rate.denominator for win in wins), *(win.share.denominator for win in wins))
    if charge := walk.spot.rule.commission:
        unit *= charge.rate.value.denominator
    return Bank(replace(layout, exact=True, rounding="exact", minor_per_unit=unit), stake=unit, chip=1)


def pay(bank: Bank, walk: Walk) -> Pay:
    """Settle every ending once, each by a throw that brings it."""
    layout, stake, chip = bank
    charge = commission.up_front(layout, walk.spot, stake, chip)
    settled = {ending: _decided(bank, walk, ending, charge) for ending in walk.endings}
    nets = {ending: Fraction(brought(postings(event), SEAT), stake) for ending, event in settled.items()}
    taken = 0
    if not commission.is_up_front(walk.spot):
        taken = max((event.commission for event in settled.values() if isinstance(event, WagerWon)), default=0)
    return Pay(nets, Fraction(charge, stake), Fraction(taken, stake))


class Worth(NamedTuple):
    """What a wager that is up comes to on average from where it stands, in whole minor units, rounded down."""

    chips: int
    tokens: int  # of its tokens, those that go back
    won: int  # what its tokens win, in chips


def worth(layout: Layout, table: TableState) -> dict[tuple[int, str], Worth]:
    """What each wager that is up is worth on fair dice, by seat and wager; the stake where that is more and comes down.

    Held commission goes back beside it, and is no part of it.
    """
    values: dict[tuple[int, str], Worth] = {}
    keeps = layout.book.betting.token_after_win.value == "return"
    for number, seat in table.seats.items():
        for key, wager in seat.felt.items():
            walk = standing(layout, layout.spots[key], table.puck, wager.mark)
            nets = pay(exactly(layout, walk), walk).nets
            chances = [(chance, nets[ending]) for ending, chance in walk.endings.items()]
            if sum(chance * net for chance, net in chances) < 0:
                chances = chances if isinstance(decide(layout, table, Take(number, key)), Refusal) else [(ONE, ZERO)]
            chips, tokens = wager.stake - wager.tokens, wager.tokens
            back = sum(chance * (1 + min(net, ZERO)) for chance, net in chances if keeps or net <= 0)
            won = sum(chance * max(net, ZERO) for chance, net in chances)
            mean = sum(chance * net for chance, net in chances)
            whole = max(0, floor(chips * (1 + mean)))
            values[number, key] = Worth(whole, floor(tokens * max(0, back)), floor(tokens * won))
    return values


def _decided(bank: Bank, walk: Walk, ending: Ending, charge: int) -> events.Decision:
    """How an ending is settled; a winner that stays up pays for its next decision elsewhere."""
    state, roll = walk.examples[ending]
    wager = Wager(stake=bank.stake, held=charge, mark=state.mark, call=walk.call)
    table = TableState(
        notice=Notice(minimum=0, maximum=None, odds=None, chip=bank.chip),
        dice=Dice(in_set=bank.layout.book.dice.dice_set.value),
        seats={SEAT: Seat(name="", rail=0, felt={state.spot: wager})},
        puck=state.puck,
    )
    (event,) = settle(bank.layout, table, roll)
    assert isinstance(event, events.Decision), f"{event} decides nothing"
    return event


class Alike:
    """Names states of a wager by the first of all those that its numbers, exchanged, would make of it.

    On fair dice 4 and 10 are such numbers, 5 and 9, 6 and 8: a wager that remembers how often each point was made has
    a sixth of the states to walk.
    """

    def __init__(self, spot: Spot, puck: Puck, dice: LoadedDice) -> None:
        """Find the groups: what the wager says of itself, as far as dice and puck agree."""
        numbers = [group for alike in spot.alike for group in _groups(alike, puck, dice)]
        self._groups = [[(number, *_field(spot, number)) for number in group] for group in numbers]
        # The mark and the puck that stand for others and all like them.
        self.first: Callable[[int, int], tuple[int, int]] = cache(self._exchanged)

    def _exchanged(self, mark: int, puck: int) -> tuple[int, int]:
        """Each group with the least that came for any of its numbers on the first of them, the puck moving along."""
        bits, to = mark - TALLY if mark else 0, puck
        named = bits
        for group in self._groups:
            came = sorted((bits >> low & mask, number == puck) for number, low, mask in group)
            for (number, low, mask), (counted, here) in zip(group, came, strict=True):
                named = named & ~(mask << low) | counted << low
                to = number if here else to
        return (named + TALLY if mark else FRESH), to


def _field(spot: Spot, number: int) -> tuple[int, int]:
    """Where a tally keeps what came for a number: its lowest bit, and a mask as wide as its bits."""
    width = spot.counts.count(number)
    return (spot.counts.index(number), (1 << width) - 1) if width else (0, 0)


def _groups(alike: tuple[int, ...], puck: Puck, dice: LoadedDice) -> Iterator[list[int]]:
    """Those of the numbers said to be alike that dice and puck do not tell apart either."""
    groups: list[list[int]] = []
    for number in alike:
        for group in groups:
            if _same(group[0], number, puck, dice):
                group.append(number)
                break
        else:
            groups.append([number])
    return (group for group in groups if len(group) > 1)


def _same(one: int, other: int, puck: Puck, dice: LoadedDice) -> bool:
    """Whether two numbers come equally often, hard and easy, and the puck moves by one as by the other."""
    swap = {one: other, other: one}

    def does(place: int, number: int, names: Mapping[int, int]) -> Counter[tuple[bool, int, bool, bool]]:
        """By weight what the throws of a number do to the puck at a place, the numbers named anew."""
        seen: Counter[tuple[bool, int, bool, bool]] = Counter()
        for roll, turn, weight in zip(ROLLS, puck.turns[place], dice.weights, strict=True):
            if roll.total == number:
                seen[roll.is_hard, names.get(turn.to, turn.to), turn.point_made, turn.hand_over] += weight
        return seen

    return (one in puck.turns) == (other in puck.turns) and all(
        does(swap.get(place, place), swap.get(number, number), {}) == does(place, number, swap)
        for place in puck.turns
        for number in range(2, 13)
    )
