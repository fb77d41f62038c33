"""Each kind of wager as a small automaton: where it stands and one roll give a verdict."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, assert_never

from passline.engine.book import Collect, Fire, Hardway, Hop, Line, Number, Odds, OneRoll, Split
from passline.engine.values import SEVEN, WagerKey
from passline.engine.verdicts import Loses, Pushes, Returns, Tallies, Travels, Verdict, Wins

if TYPE_CHECKING:
    from collections.abc import Mapping

    from passline.engine.book import Cited, Side
    from passline.engine.layout import Spot
    from passline.engine.values import ClauseId, Price, Roll

FRESH = 0
"""The mark of a wager that has not seen a roll; wagers with memory never come back to it."""

TALLY = 1
"""Added to a tally's bits, so that an empty tally differs from a fresh wager."""


def verdict(  # noqa: C901 - one case for each kind of wager
    spot: Spot, mark: int, puck: int, roll: Roll, *, works: bool
) -> Verdict | None:
    """What this roll does to a wager on this spot, or None when it stands."""
    terms = spot.rule.terms
    if not works:
        return _while_off(spot, roll)
    match terms:
        case Line():
            return _line(terms, spot, spot.number or (0 if terms.travels else puck), roll)
        case Odds():
            return _odds(terms, spot.number or puck, roll)
        case Number():
            return _number(terms, spot.number, roll)
        case Hardway():
            return _hardway(terms, spot.number, roll)
        case OneRoll():
            return _one_roll(terms, roll)
        case Hop():
            return _hop(terms, spot.pair, roll)
        case Split():
            return _split(terms, spot, roll)
        case Fire():
            return _fire(terms, spot.points, mark, puck, roll)
        case Collect():
            return _collect(terms, mark, roll)
        case _:
            assert_never(terms)


def _wins(price: Cited[Price], rule: ClauseId) -> Wins:
    return Wins(price=price.value, clause=price.clause, rule=rule, rate=price.value.rate)


def _while_off(spot: Spot, roll: Roll) -> Verdict | None:
    """Off wagers rest; come odds cannot rest without the bet they stand behind."""
    if isinstance(spot.rule.terms, Odds) and roll.total in (spot.number, SEVEN):
        return Returns(clause=spot.rule.off_on_comeout.clause)
    return None


def _race(side: Side, number: int, roll: Roll) -> bool | None:
    """Whether this roll wins a number's race against seven, loses it, or leaves it open."""
    if roll.total not in (number, SEVEN):
        return None
    return (roll.total == number) == (side == "do")


def _line(terms: Line, spot: Spot, point: int, roll: Roll) -> Verdict | None:
    if point:
        race = _race(terms.side, point, roll)
        return None if race is None else _wins(terms.pays, terms.then_wins) if race else Loses(terms.then_loses)
    total = roll.total
    if total in terms.wins.value:
        return _wins(terms.pays, terms.wins.clause)
    if total in terms.loses.value:
        return Loses(terms.loses.clause)
    if terms.bar is not None and total == terms.bar.value:
        return Pushes(terms.bar.clause)
    return Travels(to=WagerKey(f"{spot.key}_{total}"), clause=spot.travels_by) if terms.travels else None


def _odds(terms: Odds, point: int, roll: Roll) -> Verdict | None:
    race = _race(terms.side, point, roll)
    return None if race is None else _wins(terms.pays[point], terms.wins) if race else Loses(terms.loses)


def _number(terms: Number, number: int, roll: Roll) -> Verdict | None:
    race = _race(terms.side, number, roll)
    if race is None:
        return None
    return _wins(terms.pays[number], terms.wins[number]) if race else Loses(terms.loses[number])


def _hardway(terms: Hardway, number: int, roll: Roll) -> Verdict | None:
    if roll.total not in (number, SEVEN):
        return None
    hard = roll.total == number and roll.is_hard
    return _wins(terms.pays[number], terms.wins[number]) if hard else Loses(terms.loses[number])


def _one_roll(terms: OneRoll, roll: Roll) -> Verdict:
    price = terms.pays.get(roll.total)
    return Loses(terms.loses) if price is None else _wins(price, terms.wins)


def _hop(terms: Hop, pair: tuple[int, int], roll: Roll) -> Verdict:
    price = terms.hard if roll.is_hard else terms.easy
    if price is None or (max(roll), min(roll)) != pair:
        return Loses(terms.loses)
    return _wins(price, terms.wins)


def _split(terms: Split, spot: Spot, roll: Roll) -> Verdict:
    """Each part is decided as the wager it is; what does not win is lost."""
    units = sum(spot.parts.values())
    share, rate, paid = Fraction(0), Fraction(0), None
    for part, parts_units in spot.parts.items():
        decided = verdict(spot.parts_spots[part], FRESH, 0, roll, works=True)
        if isinstance(decided, Wins):
            paid = decided
            share += Fraction(parts_units, units)
            rate += decided.rate * Fraction(parts_units, units)
    if paid is None:
        return Loses(terms.loses)
    clause = terms.paid_by.get(roll.total, paid.clause)
    return Wins(price=paid.price, clause=clause, rule=terms.wins, rate=rate, share=share)


def _fire(terms: Fire, points: tuple[int, ...], mark: int, puck: int, roll: Roll) -> Verdict:
    bits = mark - TALLY if mark else 0
    if puck and roll.total == SEVEN:
        return fire_pays(terms, bits)
    if puck and roll.total == puck:
        bits |= 1 << points.index(puck)
        if bits == (1 << len(points)) - 1:
            return fire_pays(terms, bits)
    return Tallies(bits + TALLY)


def fire_pays(terms: Fire, bits: int) -> Verdict:
    """The verdict on a fire bet whose tally is closed."""
    price: Cited[Price] | None = _best_paid(terms.pays, bits.bit_count())
    return Loses(terms.loses) if price is None else _wins(price, terms.wins)


def _best_paid(pays: Mapping[int, Cited[Price]], reached: int) -> Cited[Price] | None:
    level = max((points for points in pays if points <= reached), default=None)
    return None if level is None else pays[level]


def _collect(terms: Collect, mark: int, roll: Roll) -> Verdict:
    if roll.total == SEVEN:
        return Loses(terms.loses)
    needs = terms.needs.value
    bits = mark - TALLY if mark else 0
    if roll.total in needs:
        bits |= 1 << needs.index(roll.total)
    if bits == (1 << len(needs)) - 1:
        return _wins(terms.pays, terms.wins)
    return Tallies(bits + TALLY)
