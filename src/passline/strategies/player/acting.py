"""The player: compares what should be up with the felt and asks the dealers for the difference."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from passline.engine import commission, limits
from passline.engine.commands import Bet, CallOff, CallOn, Take
from passline.engine.decide import decide
from passline.engine.events import Event, WagerUp
from passline.engine.evolve import evolve
from passline.engine.layout import Layout, Spot
from passline.engine.refusals import Refusal
from passline.engine.settle import works
from passline.engine.table import TableState
from passline.engine.values import ROLLS
from passline.strategies.language.amounts import Amount, Pricing, spends, worked_out
from passline.strategies.language.conditions import Quantity
from passline.strategies.player.plan import Asking, Plan, Wanted
from passline.strategies.player.view import STAGE, Memory, Outcome, View

# The odds of a house that posts none: as many times as there are ways to throw the point, so that each wins the same.
# Three, four and five times on 4, 5 and 6; a crapless house has them on 2 and 3 too, once and twice.
THREE_FOUR_FIVE: Mapping[int, int] = Counter(roll.total for roll in ROLLS)
ASKED_MAX = 16_384  # how many moments a plan remembers before it forgets all of them


class Refused(NamedTuple):
    wager: str
    refusal: Refusal


@dataclass(slots=True)
class Acts:
    table: TableState
    commands: list[Asking] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    refused: list[Refused] = field(default_factory=list)
    leaves: bool = False  # whether the player has ended the session

    def ask(self, layout: Layout, command: Asking) -> None:
        answer = decide(layout, self.table, command)
        self.commands.append(command)
        if isinstance(answer, Refusal):
            self.refused.append(Refused(command.wager, answer))
        else:
            self.events += answer
            self.table = evolve(self.table, answer)


@dataclass(slots=True)
class SpotPricing(Pricing):
    plan: Plan
    table: TableState
    memory: Memory
    spot: Spot

    @property
    def unit(self) -> Fraction:
        return self.plan.unit

    @property
    def _point(self) -> int:
        return self.spot.number or self.table.puck

    def flat(self) -> int:
        """Of a wager that is no odds, one unit."""
        if not self.spot.is_odds:
            return self.unit.__floor__()
        return _staked(self.plan, self.table, self.spot.flat)

    def most(self) -> int:
        """The most the notice allows; where a house posts no odds, 3-4-5."""
        if not self.spot.is_odds:
            return limits.maximum(self.table.notice, self.spot) or 0
        return self._odds(self.table.notice.odds or THREE_FOUR_FIVE)

    def three_four_five(self) -> int:
        return self._odds(THREE_FOUR_FIVE) if self.spot.is_odds else 0

    def _odds(self, posted: Mapping[int, int]) -> int:
        notice = self.table.notice
        if posted is not notice.odds:
            notice = notice._replace(odds=posted)
        cap = limits.odds_cap(notice, self.spot, self._point, self.flat())
        assert cap is not None, "odds are posted"
        return cap - cap % notice.chip

    def to_win(self, amount: Fraction) -> Fraction:
        """The stake that wins an amount, up to the next chip where there are chips."""
        stake = amount / self.spot.rate_at(self._point)
        if self.plan.layout.exact:
            return stake
        chip = self.table.notice.chip
        return Fraction(-(-stake // chip) * chip)

    def step(self, progression: str) -> Fraction:
        return self.plan.units(progression, self.memory, self.spot)

    def number(self, number: Quantity) -> Fraction | int:
        return View(self.plan, self.table, self.memory).number(number)

    def left(self) -> Fraction:
        """The bankroll and what the session has brought, less what is up elsewhere."""
        felt = self.table.seats[self.plan.seat].felt
        elsewhere = sum(wager.stake for key, wager in felt.items() if key != self.spot.key)
        left = View(self.plan, self.table, self.memory).at_hand() * self.unit - elsewhere
        if not commission.is_up_front(self.spot):
            return left
        layout, chip, units = self.plan.layout, self.table.notice.chip, left // self.unit
        while units > 0:  # the charge for the bet comes out of the same money
            stake = (units * self.unit).__floor__()
            if stake + commission.up_front(layout, self.spot, stake, chip) <= left:
                break
            units -= 1
        return units * self.unit


def act(plan: Plan, table: TableState, memory: Memory) -> Acts:
    """Ask for the difference between what is wanted and what is up; keep every refusal.

    What a plan asks for depends on its own felt, the puck, the moment and what it remembers: the same again is asked
    without thinking again, unless the dealers refuse some of it this time.
    """
    if table.notice is not plan.notice:
        return _think(plan, table, memory)
    seat, known = table.seats[plan.seat], plan.requests
    moment = (
        frozenset(seat.felt.items()),
        memory,
        table.puck,
        table.phase,
        table.fresh_hand,
        table.after_seven,
        table.rolled,
        table.closing,
        seat.dont_banned,
    )
    before = known.get(moment)
    if before is None:
        acts = _think(plan, table, memory)
        if not acts.refused:
            if len(known) >= ASKED_MAX:
                known.clear()
            known[moment] = tuple(acts.commands)
        return acts
    acts = Acts(table)
    for command in before:
        acts.ask(plan.layout, command)
    return _think(plan, table, memory) if acts.refused else acts


def _think(plan: Plan, table: TableState, memory: Memory) -> Acts:
    view = View(plan, table, memory)
    return leave(plan, table) if plan.is_over(view) else reconcile(plan, table, memory, plan.wanted(view))


def leave(plan: Plan, table: TableState) -> Acts:
    """Take down all that may come down; what may not is played out."""
    acts = Acts(table)
    for key in tuple(table.seats[plan.seat].felt):
        if key in acts.table.seats[plan.seat].felt:  # odds come down with their flat bet
            acts.ask(plan.layout, Take(plan.seat, key, 0))
    stays = {no.wager for no in acts.refused}
    return Acts(acts.table, [each for each in acts.commands if each.wager not in stays], acts.events, leaves=True)


def reconcile(plan: Plan, table: TableState, memory: Memory, want: Wanted) -> Acts:
    """Take down, put up, then odds, then calls."""
    acts, spots = Acts(table), plan.layout.spots
    for odds in (False, True):
        # Odds are worked out on the flat bets as they stand by then, a put bet of this turn among them.
        alike = [each for each in want.amounts.items() if spots[each[0]].is_odds == odds]
        standing = [each for each in alike if _stands(acts.table, plan, spots[each[0]])]
        plain = [each for each in standing if not _spends(each[1])]
        changes = [(key, _change(plan, acts.table, memory, key, amount)) for key, amount in plain]
        for key, minor_units in sorted(changes, key=lambda change: change[1] > 0):
            _move(plan, acts, key, minor_units)
        # What is left is known when all else is up, and each that spends it leaves the next one less.
        for key, amount in standing:
            if _spends(amount):
                _move(plan, acts, key, _change(plan, acts.table, memory, key, amount))
    for key, on in want.calls.items():
        felt = acts.table.seats[plan.seat].felt  # one button may turn several
        if key in felt and works(spots[key], felt[key], acts.table.puck) != on:
            acts.ask(plan.layout, CallOn(plan.seat, key) if on else CallOff(plan.seat, key))
    return acts


def _spends(amount: Amount | int) -> bool:
    return not isinstance(amount, int) and spends(amount)


def _stands(table: TableState, plan: Plan, spot: Spot) -> bool:
    """Whether a bet can be meant here: odds mean nothing without a flat bet on its point, so nobody asks for them."""
    felt = table.seats[plan.seat].felt
    return not spot.is_odds or (spot.flat in felt and bool(spot.number or table.puck))


def _change(plan: Plan, table: TableState, memory: Memory, key: str, amount: Amount | int) -> int:
    if not isinstance(amount, int):
        amount = worked_out(amount, SpotPricing(plan, table, memory, plan.layout.spots[key]))
    return amount - _staked(plan, table, key)


def _staked(plan: Plan, table: TableState, key: str) -> int:
    up = table.seats[plan.seat].felt.get(key)
    return up.stake if up else 0


def _move(plan: Plan, acts: Acts, key: str, minor_units: int) -> None:
    if minor_units > 0:
        acts.ask(plan.layout, Bet(plan.seat, key, minor_units))
    elif minor_units:
        acts.ask(plan.layout, Take(plan.seat, key, _staked(plan, acts.table, key) + minor_units))


def remember(plan: Plan, memory: Memory, acts: Acts, events: tuple[Event, ...], net: int) -> Memory:
    """What a plan remembers after a roll, thrown on the table as the acts left it."""
    if not plan.slots:
        return memory
    made = frozenset(event.wager for event in acts.events if event.__class__ is WagerUp)
    seen = Outcome(plan, events, net, made)
    view = View(plan, acts.table, memory, seen)
    if plan.is_over(view):
        return plan.over
    after = tuple(slot.after(value, view, seen) for slot, value in zip(plan.slots, memory, strict=True))
    at = plan.place.get(STAGE)
    if at is None:
        return after
    # Stages go by counts and money as the roll has left them, from where they stood when it was thrown.
    known = (*after[:at], memory[at], *after[at + 1 :])
    return (*after[:at], plan.slots[at].after(memory[at], View(plan, acts.table, known, seen), seen), *after[at + 1 :])
