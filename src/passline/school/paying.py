"""The drills of paying: one wager, a whole layout, in which chips, off and on, and the payoff that is wrong."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise
from math import gcd

from passline.engine import commands as c
from passline.engine import events as e
from passline.engine.events import Event
from passline.engine.layout import Layout, Spot
from passline.engine.refusals import Refusal
from passline.engine.settle import works
from passline.engine.values import Price, Roll, in_chips
from passline.school.exercise import Part, Question, amount, explained
from passline.school.scene import ANN, Events, Scene, Unfit, arrives, decisions, lesson, need, won_by
from passline.table import Table
from passline.telling.stick import spelled

PILES_MAX = 8
PILES_MIN = 3
DECIDED_MIN = 2
STACK = 20


def paid_for(spot: Spot) -> str:
    less = ["after commission"] if spot.rule.commission else ["less the parts that lose"] if spot.parts else []
    return ", ".join(["winnings only", *less])


def net(event: Event) -> int:
    """A decision's net result for its player; negative where the dealer takes."""
    if isinstance(event, e.WagerWon):
        return event.won - event.commission - event.lost
    return -event.stake if isinstance(event, e.WagerLost) else 0


def a_winner(scene: Scene) -> tuple[Roll, e.WagerWon]:
    spot = scene.rng.choice(lesson(scene.layout, scene.level))
    need(scene.put_up(spot))
    paid = [each for each in scene.until_it_can_win(spot) if net(each[1]) > 0 or each[1].lost]
    need(paid)  # a win of nothing teaches nothing
    return scene.rng.choice(paid)


def pays(scene: Scene) -> Question:
    roll, won = a_winner(scene)
    spot, slips = scene.layout.spots[won.wager], near(scene.layout, scene.table, won)
    asks = f"Ann has {scene.money(won.stake)} on {spot.name}. The dice show {roll}. What does the dealer pay her?"
    question = explained(scene.table, asks, [amount(f"Paid to Ann, {paid_for(spot)}", net(won), slips)], [won], roll)
    terms = spot.rule.commission if won.commission else None  # how much of what
    charged = (terms.rate.clause, terms.of.clause) if terms else ()
    return question._replace(clauses=tuple(dict.fromkeys((*question.clauses, *charged))))


def near(layout: Layout, table: Table, won: e.WagerWon) -> dict[int, str]:
    """What other amounts would have been: slips that dealers make, each worked out as the dealers would."""
    slips: dict[int, str] = {}
    for paid, slip in _slips(layout, table, won):
        slips.setdefault(paid, slip)
    return {paid: slip for paid, slip in slips.items() if paid > 0 and paid != net(won)}


def _slips(layout: Layout, table: Table, won: e.WagerWon) -> Iterator[tuple[int, str]]:
    money, spot, chip = layout.money, layout.spots[won.wager], table.state.notice.chip
    if won.commission:
        yield won.won - won.lost, f"that leaves out the commission of {money(won.commission)}"
    if won.lost:
        yield won.won - won.commission, f"that leaves out the {money(won.lost)} of it that lost"
    stays = "stays up" if won.stays else "goes back to the rail"
    yield net(won) + won.stake, f"that counts the stake of {money(won.stake)}, which {stays}"
    if won.rounding:
        other = in_chips(won.exact, chip, "down" if won.rounding == "up" else "up")
        yield other - won.commission - won.lost, f"that is rounded the other way; this house rounds {won.rounding}"
    for price, slip in _other_prices(layout, spot, table.state.puck):
        yield in_chips(won.stake * price.rate, chip, layout.rounding), slip


def _other_prices(layout: Layout, spot: Spot, puck: int) -> Iterator[tuple[Price, str]]:
    """Prices that are easily taken for this one's: of its family on other numbers, of others on its number."""
    at = spot.number or (puck if spot.is_odds else 0)
    for other in layout.offered():
        for paid in () if other.parts else other.prices:
            number = other.number or paid.number
            if other.family == spot.family and number != at:
                yield paid.price, f"that is the price on {number}"
            elif other.family != spot.family and number == at and at:
                yield paid.price, f"that is the price of {other.name}; this is {spot.name}"


def a_layout(scene: Scene, fine: Callable[[Events], bool]) -> tuple[Roll, Events]:
    scene.play_a_while(scene.rng.randrange(1, 4))
    need(PILES_MIN <= sum(len(seat.felt) for seat in scene.table.state.seats.values()) <= PILES_MAX)
    return scene.a_roll(fine)


def _decides(events: Events) -> bool:
    return len(decisions(events)) >= DECIDED_MIN


def layout(scene: Scene) -> Question:
    roll, events = a_layout(scene, _decides)
    by_pile: dict[tuple[int, str], e.Decision] = {(each.seat, each.wager): each for each in decisions(events)}
    parts: list[Part] = []
    off: list[str] = []
    resting: list[str] = []  # the clauses by which bets are off that this roll would decide
    puck = scene.table.state.puck
    for number, seat in scene.table.state.seats.items():
        for key, wager in seat.felt.items():
            event, spot = by_pile.get((number, key)), scene.layout.spots[key]
            if event is None and not works(spot, wager, puck) and spot.verdict(wager.mark, puck, roll, works=True):
                off.append(f"{seat.name}'s {spot.name} is off.")
                resting += [] if wager.call else [spot.rule.off_on_comeout.clause]
            slips = near(scene.layout, scene.table, event) if isinstance(event, e.WagerWon) else {}
            name = f"{seat.name}, {scene.money(wager.stake)} on {spot.name}"
            parts.append(amount(name, net(event) if event else 0, slips))
    what = "What is each player paid: winnings only, after commission, less what a split bet loses?"
    asks = f"The dice show {roll}. {what} -10 where you take 10, 0 where nothing moves."
    rests = tuple(dict.fromkeys(resting))
    reasons = (*off, *(f"{clause}: {scene.house.clause(clause).sentence}" for clause in rests))
    question = explained(scene.table, asks, parts, list(by_pile.values()), roll)
    clauses = tuple(dict.fromkeys((*question.clauses, *rests)))
    return question._replace(why=(*question.why, *reasons), clauses=clauses)


def wrong(scene: Scene) -> Question:
    def has_odds(events: Events) -> bool:
        return _decides(events) and any(each.price.rate != 1 for each in _plain(events))

    try:
        roll, events = a_layout(scene, has_odds)
    except Unfit:
        need(scene.level == 1)  # where the line is all there is, everything is even money
        roll, events = a_layout(scene, lambda events: _decides(events) and bool(_plain(events)))
    decided, wins = decisions(events), _plain(events)
    # Nobody mistakes even money; where something else is paid, that is it.
    right = scene.rng.choice([each for each in wins if each.price.rate != 1] or wins)
    # A believable mistake is near: the price or the payment of what lies beside it; else a chip too many or too few.
    beside = (*near(scene.layout, scene.table, right), *(each.won for each in wins))
    slips = [each for each in beside if 2 * right.won <= 3 * each <= 4 * right.won and each != right.won]
    chips = [chip for chip in scene.table.chips if 3 * chip <= right.won] or [min(scene.table.chips)]
    miscounted = [right.won + chip for chip in (-max(chips), max(chips)) if right.won > -chip]
    told_as = scene.rng.choice(slips or miscounted)
    # That one was rounded would tell it from those that were not.
    as_paid = [replace(each, rounding=None) if isinstance(each, e.WagerWon) else each for each in decided]
    as_paid[decided.index(right)] = replace(right, won=told_as, rounding=None)
    options = tuple(scene.table.say(each) for each in as_paid)
    asks = f"The dice show {roll}, and this is what the dealers did. One payoff is wrong."
    parts = (
        Part("Which one is wrong", "choice", (decided.index(right),), options),
        amount("What it should have paid", right.won, {told_as: "that is what was paid, and it is wrong"}),
    )
    return explained(scene.table, asks, parts, [right], roll)


def _plain(events: Events) -> list[e.WagerWon]:
    """Payments of one price and nothing else."""
    won = (each for each in events if isinstance(each, e.WagerWon))
    return [each for each in won if each.won and not each.commission and not each.lost]


def off_and_on(scene: Scene) -> Question:
    moved = [spot for spot in lesson(scene.layout, scene.level) if spot.has_travelled and not spot.is_dont]
    need(moved)
    need(scene.put_up(spot := scene.rng.choice(moved)))
    odds = scene.layout.spots.get(spot.odds)
    if odds is not None and scene.rng.randrange(3):
        scene.bet(ANN, odds.key)
    up = scene.seat().felt.get(spot.key)
    need(up is not None and scene.bet(ANN, spot.family, up.stake))
    roll, events = scene.a_roll(lambda events: won_by(events, spot.key) is not None and arrives(events, spot))
    mine = [each for each in events if isinstance(each, e.Decision | e.WagerTravelled) and each.seat == ANN]
    need(all(each.wager in (spot.key, spot.odds, spot.family) for each in mine))
    after = scene.after(roll).state.seats[ANN]
    parts = (
        amount("Paid to Ann, her odds too, winnings only", sum(map(net, mine))),
        amount("Total handed to her, stakes included", after.rail - scene.seat().rail),
        amount(f"What then stands on {spot.name}", after.felt[spot.key].stake),
    )
    asks = f"Ann has a bet on {spot.name}, and a new come bet in the Come. The dice show {roll}: off and on."
    return explained(scene.table, asks, parts, mine, roll)


def chips(scene: Scene) -> Question:
    if not scene.rng.randrange(3):
        return _color_up(scene)
    roll, won = a_winner(scene)
    paid, spot = net(won), scene.layout.spots[won.wager]
    need(paid > 0 and not paid % min(scene.table.chips))
    asks = f"Ann has {scene.money(won.stake)} on {spot.name}. The dice show {roll}. Pay her in the fewest chips."
    much = amount(f"How much, {paid_for(spot)}", paid, near(scene.layout, scene.table, won))
    return explained(scene.table, asks, (much, in_chips_of(scene.table, IN_CHIPS, paid)), [won], roll)


def _color_up(scene: Scene) -> Question:
    """Somebody leaves with stacks of the smallest chips."""
    stacks = [(scene.rng.randrange(STACK, 3 * STACK), chip) for chip in sorted(scene.table.chips)[:2]]
    seat = len(scene.table.state.seats) + 1
    scene.table.do(c.Sit(seat, "Dee", sum(count * chip for count, chip in stacks)))
    leaves = scene.table.would(c.Leave(seat))
    gone = [each for each in leaves if isinstance(each, e.PlayerLeft)] if not isinstance(leaves, Refusal) else []
    reason = " and ".join(f"{count} chips of {scene.money(chip)}" for count, chip in stacks)
    asks = spelled(scene.layout, f"Dee leaves with {reason}. Color her up: the same in the fewest chips.")
    parts = (amount("How much she has", gone[0].cashed), in_chips_of(scene.table, IN_CHIPS, gone[0].cashed))
    return explained(scene.table, asks, parts, gone)


IN_CHIPS = "In which chips, such as 2x25 5 1"


def in_chips_of(table: Table, asks: str, worth: int) -> Part:
    sizes = tuple(sorted(table.chips, reverse=True))
    return Part(asks, "chips", fewest(worth, sizes), chips=sizes)


def fewest(worth: int, sizes: tuple[int, ...]) -> tuple[int, ...]:
    """The fewest chips that make an amount: how many of each size, the largest first.

    >>> fewest(59, (25, 5, 1)), fewest(6, (4, 3, 1))
    ((2, 1, 4), (0, 2, 0))
    """
    if all(large % small == 0 for large, small in pairwise(sizes)):
        counts = []
        for size in sizes:
            count, worth = divmod(worth, size)
            counts.append(count)
        return tuple(counts)
    unit = gcd(*sizes)
    best: dict[int, tuple[int, ...]] = {0: (0,) * len(sizes)}
    for reached in range(unit, worth + 1, unit):
        before = ((at, best[reached - size]) for at, size in enumerate(sizes) if reached - size in best)
        ways = [(*counts[:at], counts[at] + 1, *counts[at + 1 :]) for at, counts in before]
        if ways:
            best[reached] = min(ways, key=sum)
    return best[worth]
