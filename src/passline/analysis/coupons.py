"""Money as players have it: what a coupon is worth on every wager, when to play it, rebates on losses and comps."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, get_args

import numpy as np

from passline.analysis.best import BestPlay
from passline.analysis.question import Question
from passline.answers import Answer, Part, Table, described, money, percent, picked, signed
from passline.errors import ArgumentError
from passline.files.amounts import Money, positive, share_of
from passline.files.arguments import instance, one_of
from passline.house import House, open_house
from passline.odds.best.game import tables_of
from passline.odds.best.kernels import iterate
from passline.odds.sessions.distribution import Distribution
from passline.odds.wagers import odds_of

# *match*: beside a bet of as much, paid even money, gone with the decision. *free*: a bet that pays its winnings once
# and is never paid back. *promo*: a chip that pays its winnings and stays until it loses. *token*: the house's own
# promotional token, which is a free bet or a promo chip as its rule book says.
CouponKind = Literal["match", "free", "promo", "token"]
KINDS: tuple[CouponKind, ...] = get_args(CouponKind)


@dataclass(frozen=True, slots=True)
class CouponWorth(Answer):
    """What a coupon brings on each wager of a house, the best first; a push is played again."""

    FIELDS = "house=house.id kind value worths"

    house: House
    kind: CouponKind
    value: Fraction
    worths: dict[str, Fraction]

    @property
    def best(self) -> tuple[str, Fraction]:
        """The wager on which it is worth most, and what it is worth there."""
        return next(iter(self.worths.items()))

    def page(self) -> Iterator[Part]:
        wager, worth = self.best
        what = f"a {self.kind} coupon of {money(self.value)}"
        yield f"{self.house.name}: {what} is worth most on {wager}: {signed(worth)}."
        rows = [(key, worth, worth / self.value) for key, worth in self.worths.items()]
        yield Table({"wager": "text", "worth": "net", "share of its value": "share"}, rows)


def gains(kind: CouponKind, nets: Sequence[tuple[Fraction, Fraction]]) -> list[tuple[Fraction, Fraction]]:
    """What a coupon of one unit and the bet it needs come to, and how often, given that they are decided.

    `nets` are those of the bare wager; a promo chip that stays is worth its whole life at once, as a mean.
    """
    decided = 1 - sum((chance for net, chance in nets if net == 0), Fraction(0))
    outcomes = [(net, chance / decided) for net, chance in nets if net]
    if kind == "match":
        return [(net + (net > 0), chance) for net, chance in outcomes]
    # What is lost is the coupon; a commission that was paid beside it is the player's own.
    own = [(net if net > 0 else min(net + 1, Fraction(0)), chance) for net, chance in outcomes]
    if kind == "free":
        return own
    lost = sum((chance for net, chance in outcomes if net < 0), Fraction(0))
    return [(sum((net * chance for net, chance in own), Fraction(0)) / lost, Fraction(1))]


def coupon(kind: CouponKind, value: Money, *, house: House | str = "adelaide") -> CouponWorth:
    """What a coupon is worth on every wager that it can be played on, its own bet included, exactly.

    A match play wants an even-money wager: those that can pay anything else are left out. So are odds, which need
    another bet, and wagers that are never lost.

    >>> coupon("match", 25, house="strip").worths["pass"]
    Fraction(395, 33)
    """
    one_of("kind", kind, KINDS)
    room, face = open_house(house), positive("value", value)
    settled: CouponKind = _token(room) if kind == "token" else kind
    worths = {}
    for key, odds in odds_of(room).items():
        even = all(abs(net) == 1 for net, _ in odds.nets if net)
        loses = any(net < 0 for net, _ in odds.nets)
        if not loses or (kind == "match" and not even) or odds.family.endswith("odds"):
            continue
        worths[key] = face * sum((net * chance for net, chance in gains(settled, odds.nets)), Fraction(0))
    best_first = dict(sorted(worths.items(), key=lambda item: -item[1]))
    if not best_first:
        raise ArgumentError("kind", kind, f"a coupon that {room.id} has a wager for")
    return CouponWorth(room, kind, face, best_first)


def _token(house: House) -> CouponKind:
    habits = house.book.betting
    if not habits.tokens.value:
        raise ArgumentError("kind", "token", f"free, promo or match: {house.name} takes no promotional tokens")
    return "promo" if habits.token_after_win.value == "return" else "free"


@dataclass(frozen=True, slots=True)
class CouponPlan(Answer):
    """The best use of a coupon on the way to a goal."""

    answer: BestPlay
    kind: CouponKind
    units: int
    chance: float  # of the goal, with the coupon
    without: float
    uses: dict[int, str]  # for each wealth, with nothing up before a come-out: the wager to play it on; the others wait

    def page(self) -> Iterator[Part]:
        answer = self.answer
        yield (
            f"{answer.house.name}: from {answer.bankroll} to {answer.goal} with a {self.kind} coupon of {self.units}: "
            f"{percent(self.chance)}; without it {percent(self.without)}."
        )
        if self.uses:
            yield Table({"with": "count", "play it on": "text"}, list(self.uses.items()))
        else:
            yield "Below the goal it is never worth playing: no wealth pays for it, or no wager gains by it."

    def data(self) -> dict[str, Any]:
        about = described(self.answer, "house=house.id wagers=rules.wagers bankroll goal")
        return {**about, **picked(self, "kind", "units", "chance", "without"), **Answer.data(self)}


def best_use(answer: BestPlay, kind: CouponKind, units: int, wagers: Sequence[str] | None = None) -> CouponPlan:
    """When and on what to play a coupon of so many units, once, alone on the felt, on the way to the goal of `answer`.

    The coupon is one choice more wherever nothing is up before a come-out; before and after it, best play goes on.
    """
    one_of("kind", kind, ("match", "free"))  # these are gone with one decision, so a goal has one use
    if answer.objective != "chance" or answer.rolls is not None:
        raise ArgumentError("answer", answer.objective, "best play for a chance, without a horizon")
    instance("units", units, int, "a whole number of units")
    game, values = answer.optimum.game, answer.optimum.values
    worths = coupon(kind, units, house=answer.house).worths
    odds = odds_of(answer.house)
    with_coupon = np.where(np.arange(values.shape[1]) >= (game.goal + game.locked)[:, None], 1.0, 0.0)
    uses: dict[int, str] = {}
    for wealth in range(units if kind == "match" else 1, game.goal):
        for key in worths if wagers is None else wagers:
            chance = 0.0
            for net, often in gains(kind, odds[key].nets):
                after = wealth + int(net * units // 1)
                chance += float(often) * (1.0 if after >= game.goal else float(values[game.start, max(after, 0)]))
            if chance > with_coupon[game.start, wealth]:
                with_coupon[game.start, wealth], uses[wealth] = chance, key
    best, chosen, _ = iterate(tables_of(game), with_coupon)
    now = {wealth: key for wealth, key in uses.items() if chosen[game.start, wealth] < 0}
    start = answer.start
    return CouponPlan(answer, kind, units, float(best[start]), float(values[start]), now)


@dataclass(frozen=True, slots=True)
class MoneyBack(Answer):
    """A session with a part of its loss given back and comps for its action."""

    FIELDS = "rebate most comps* mean* p_ahead*"

    law: Distribution
    rebate: Fraction
    most: Fraction | None  # the most that is given back; None: however much
    comps: Fraction  # what the house gives for the play of a session, win or lose

    def chances(self) -> dict[Fraction, Fraction | float]:
        chances: dict[Fraction, Fraction | float] = {}
        for net, chance in self.law.chances().items():
            back = self.rebate * max(-net, Fraction(0))
            whole = net + (back if self.most is None else min(back, self.most)) + self.comps
            chances[whole] = chances.get(whole, 0) + chance
        return dict(sorted(chances.items()))

    @property
    def mean(self) -> Fraction | float:
        chances = self.chances().items()
        return sum(chance * (net if isinstance(chance, Fraction) else float(net)) for net, chance in chances)

    @property
    def p_ahead(self) -> Fraction | float:
        return sum(chance for net, chance in self.chances().items() if net > 0)

    def page(self) -> Iterator[Part]:
        limit = "" if self.most is None else f" up to {money(self.most)}"
        yield f"{self.law.title}: {percent(self.rebate)} of a loss back{limit}, and {money(self.comps)} in comps"
        rows = [("without", self.law.mean, self.law.p_ahead), ("with", self.mean, self.p_ahead)]
        yield Table({"session": "text", "mean": "net", "ahead": "share"}, rows)


def money_back(
    question: Question, *, rebate: Money = 0, most: Money | None = None, comps: Money = 0, rated_edge: Money = 0
) -> MoneyBack:
    """The distribution of a session with `rebate` of its loss back, and comps of a share of the theoretical loss.

    Comps are `comps` times `rated_edge` times the mean action, as a rating desk gives them: 0.3 of 1.5 % of the action.
    """
    share, given, edge = map(share_of, ("rebate", "comps", "rated_edge"), (rebate, comps, rated_edge))
    law = instance("question", question, Question, "a Question, such as `ask('pass_flat')`").exact()
    comped = given * edge * Fraction(law.action)
    return MoneyBack(law, share, positive("most", most), comped)
