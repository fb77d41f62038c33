"""The drills of paying: one wager, a whole layout, in which chips, off and on, and the payoff that is wrong."""

from collections.abc import Callable, Iterable, Iterator
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
from passline.school.exercise import Part, Question
from passline.school.scene import ANN, Events, Scene, arrives, decisions, lesson, won_by
from passline.table import Table
from passline.telling.sentences import clauses_of
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


def why(table: Table, events: Iterable[Event]) -> tuple[str, ...]:
    return tuple(line for event in events for line in table.explain(event).split("\n"))


def cited(events: Iterable[Event]) -> tuple[str, ...]:
    """Every clause that some events rest on, once."""
    return tuple(dict.fromkeys(clause for event in events for clause in clauses_of(event)))


# --- One wager ------------------------------------------------------------------------------------------------------


def a_winner(scene: Scene) -> tuple[Roll, e.WagerWon] | None:
    spot = scene.rng.choice(lesson(scene.layout, scene.level))
    rolls = scene.until_it_can_win(spot) if scene.put_up(spot) else []
    paid = [each for each in rolls if net(each[1]) > 0 or each[1].lost]  # a win of nothing teaches nothing
    return scene.rng.choice(paid) if paid else None


def pays(scene: Scene) -> Question | None:
    winner = a_winner(scene)
    if winner is None:
        return None
    roll, won = winner
    spot, money = scene.layout.spots[won.wager], scene.layout.money
    asks = f"Ann has {money(won.stake)} on {spot.name}. The dice show {roll}. What does the dealer pay her?"
    part = Part(f"Paid to Ann, {paid_for(spot)}", "amount", (net(won),), near=near(scene.layout, scene.table, won))
    clauses = dict.fromkeys((*cited([won]), *_charged(spot, won)))
    return Question(scene.table, asks, (part,), why(scene.table, [won]), tuple(clauses), roll)


def _charged(spot: Spot, won: e.WagerWon) -> tuple[str, ...]:
    """What a commission rests on, where one was taken: how much of what."""
    terms = spot.rule.commission if won.commission else None
    return (terms.rate.clause, terms.of.clause) if terms else ()


def near(layout: Layout, table: Table, won: e.WagerWon) -> dict[int, str]:
    """What other amounts would have been: slips that dealers make, each worked out as the dealers would."""
    slips: dict[int, str] = {}
    for amount, slip in _slips(layout, table, won):
        slips.setdefault(amount, slip)
    return {amount: slip for amount, slip in slips.items() if amount > 0 and amount != net(won)}


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


# --- A whole layout -------------------------------------------------------------------------------------------------


def a_layout(scene: Scene, fine: Callable[[Events], bool]) -> tuple[Roll, Events] | None:
    scene.play_a_while(scene.rng.randrange(1, 4))
    piles = sum(len(seat.felt) for seat in scene.table.state.seats.values())
    if not PILES_MIN <= piles <= PILES_MAX:
        return None
    rolls = scene.rolls(fine)
    return scene.rng.choice(rolls) if rolls else None


def _decides(events: Events) -> bool:
    return len(decisions(events)) >= DECIDED_MIN


def layout(scene: Scene) -> Question | None:
    rolled = a_layout(scene, _decides)
    if rolled is None:
        return None
    roll, events = rolled
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
            name = f"{seat.name}, {scene.layout.money(wager.stake)} on {spot.name}"
            parts.append(Part(name, "amount", (net(event) if event else 0,), near=slips))
    what = "What is each player paid: winnings only, after commission, less what a split bet loses?"
    asks = f"The dice show {roll}. {what} -10 where you take 10, 0 where nothing moves."
    rests = tuple(dict.fromkeys(resting))
    reasons = (*off, *(f"{clause}: {scene.house.clause(clause).sentence}" for clause in rests))
    decided = by_pile.values()
    clauses = tuple(dict.fromkeys((*cited(decided), *rests)))
    return Question(scene.table, asks, tuple(parts), (*why(scene.table, decided), *reasons), clauses, roll)


def wrong(scene: Scene) -> Question | None:
    rolled = a_layout(
        scene, lambda events: _decides(events) and any(each.price.rate != 1 for each in _plain_wins(events))
    )
    if rolled is None and scene.level == 1:  # where the line is all there is, everything is even money
        rolled = a_layout(scene, lambda events: _decides(events) and bool(_plain_wins(events)))
    if rolled is None:
        return None
    roll, events = rolled
    decided = decisions(events)
    wins = _plain_wins(events)
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
    slip = {told_as: "that is what was paid, and it is wrong"}
    parts = (
        Part("Which one is wrong", "choice", (decided.index(right),), options),
        Part("What it should have paid", "amount", (right.won,), near=slip),
    )
    return Question(scene.table, asks, parts, why(scene.table, [right]), cited([right]), roll)


def _plain_wins(events: Events) -> list[e.WagerWon]:
    """Payments of one price and nothing else."""
    won = (each for each in events if isinstance(each, e.WagerWon))
    return [each for each in won if each.won and not each.commission and not each.lost]


def off_and_on(scene: Scene) -> Question | None:
    moved = [spot for spot in lesson(scene.layout, scene.level) if spot.has_travelled and not spot.is_dont]
    if not moved or not scene.put_up(spot := scene.rng.choice(moved)):
        return None
    odds = scene.layout.spots.get(spot.odds)
    if odds is not None and scene.rng.randrange(3):
        scene.bet(ANN, odds.key)
    if spot.key not in scene.seat().felt or not scene.bet(ANN, spot.family, scene.seat().felt[spot.key].stake):
        return None
    rolls = scene.rolls(lambda events: won_by(events, spot.key) is not None and arrives(events, spot))
    if not rolls:
        return None
    roll, events = scene.rng.choice(rolls)
    mine = [each for each in events if isinstance(each, e.Decision | e.WagerTravelled) and each.seat == ANN]
    if any(each.wager not in (spot.key, spot.odds, spot.family) for each in mine):
        return None
    table = Table.at(scene.table.position)  # the exercise keeps the one before the roll
    table.do(c.Throw(roll))
    after = table.state.seats[ANN]
    parts = (
        Part("Paid to Ann, her odds too, winnings only", "amount", (sum(map(net, mine)),)),
        Part("Total handed to her, stakes included", "amount", (after.rail - scene.seat().rail,)),
        Part(f"What then stands on {spot.name}", "amount", (after.felt[spot.key].stake,)),
    )
    asks = f"Ann has a bet on {spot.name}, and a new come bet in the Come. The dice show {roll}: off and on."
    return Question(scene.table, asks, parts, why(scene.table, mine), cited(mine), roll)


# --- In which chips -------------------------------------------------------------------------------------------------


def chips(scene: Scene) -> Question | None:
    if not scene.rng.randrange(3):
        return _color_up(scene)
    winner = a_winner(scene)
    if winner is None:
        return None
    roll, won = winner
    paid, money = net(won), scene.layout.money
    if paid <= 0 or paid % min(scene.table.chips):
        return None
    spot = scene.layout.spots[won.wager]
    asks = f"Ann has {money(won.stake)} on {spot.name}. The dice show {roll}. Pay her in the fewest chips."
    parts = (
        Part(f"How much, {paid_for(spot)}", "amount", (paid,), near=near(scene.layout, scene.table, won)),
        _in_chips(scene, paid),
    )
    return Question(scene.table, asks, parts, why(scene.table, [won]), cited([won]), roll)


def _color_up(scene: Scene) -> Question:
    """Somebody leaves with stacks of the smallest chips."""
    small, money = sorted(scene.table.chips)[:2], scene.layout.money
    stacks = [(scene.rng.randrange(STACK, 3 * STACK), chip) for chip in small]
    seat = len(scene.table.state.seats) + 1
    scene.table.do(c.Sit(seat, "Dee", sum(count * chip for count, chip in stacks)))
    leaves = scene.table.would(c.Leave(seat))
    gone = [each for each in leaves if isinstance(each, e.PlayerLeft)] if not isinstance(leaves, Refusal) else []
    reason = " and ".join(f"{count} chips of {money(chip)}" for count, chip in stacks)
    asks = spelled(scene.layout, f"Dee leaves with {reason}. Color her up: the same in the fewest chips.")
    parts = (Part("How much she has", "amount", (gone[0].cashed,)), _in_chips(scene, gone[0].cashed))
    return Question(scene.table, asks, parts, why(scene.table, gone), cited(gone))


def _in_chips(scene: Scene, amount: int) -> Part:
    sizes = tuple(sorted(scene.table.chips, reverse=True))
    return Part("In which chips, such as 2x25 5 1", "chips", fewest(amount, sizes), chips=sizes)


def fewest(amount: int, sizes: tuple[int, ...]) -> tuple[int, ...]:
    """The fewest chips that make an amount: how many of each size, the largest first.

    >>> fewest(59, (25, 5, 1)), fewest(6, (4, 3, 1))
    ((2, 1, 4), (0, 2, 0))
    """
    if all(large % small == 0 for large, small in pairwise(sizes)):
        counts = []
        for size in sizes:
            count, amount = divmod(amount, size)
            counts.append(count)
        return tuple(counts)
    unit = gcd(*sizes)
    best: dict[int, tuple[int, ...]] = {0: (0,) * len(sizes)}
    for reached in range(unit, amount + 1, unit):
        before = ((at, best[reached - size]) for at, size in enumerate(sizes) if reached - size in best)
        ways = [(*counts[:at], counts[at] + 1, *counts[at + 1 :]) for at, counts in before]
        if ways:
            best[reached] = min(ways, key=sum)
    return best[amount]
