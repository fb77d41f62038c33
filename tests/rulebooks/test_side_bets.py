"""The strip's side bets: priced exactly, settled by the engine."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, permutations, product
from math import factorial
from pathlib import Path

import pytest

import passline.rulebooks
from passline import Table, odds_of
from passline.engine.events import WagerLost, WagerWon
from passline.errors import HouseFileError
from passline.rulebooks.read import read_book

STRIP = (Path(passline.rulebooks.__file__).parent / "houses" / "strip.toml").read_text(encoding="utf-8")
MADE = {2: (1, 1), 3: (2, 1), 4: (3, 1), 5: (4, 1), 6: (5, 1), 8: (5, 3), 9: (5, 4), 10: (6, 4), 11: (6, 5), 12: (6, 6)}


def chance_of_all(totals: tuple[int, ...]) -> Fraction:
    """The chance that all these totals come before a seven: over every order in which they first come."""
    ways = {total: 6 - abs(total - 7) for total in totals}
    found = Fraction(0)
    for order in permutations(totals):
        left, chance = sum(ways.values()), Fraction(1)
        for total in order:
            chance *= Fraction(ways[total], left + 6)
            left -= ways[total]
        found += chance
    return found


@pytest.mark.parametrize(
    ("totals", "times", "pays"),
    [((2, 12), 2, 40), ((3, 11), 3, 50), ((4, 10), 4, 65), ((5, 9), 5, 80), ((6, 8), 6, 90)],
)
def test_a_repeater_by_its_closed_form(totals: tuple[int, ...], times: int, pays: int) -> None:
    """The chance of one total before a seven, as often as it is needed."""
    for total in totals:
        ways = 6 - abs(total - 7)
        wins = Fraction(ways, ways + 6) ** times
        assert odds_of("strip")[f"repeater_{total}"].p_win == wins
        assert odds_of("strip")[f"repeater_{total}"].edge_per_bet_made == 1 - (1 + pays) * wins


@pytest.mark.parametrize(
    ("key", "totals", "edge"),
    [("flaming_four", (2, 3, 11, 12), "0.1855"), ("sizzling_six", (4, 5, 6, 8, 9, 10), "0.1918")],
)
def test_a_set_in_every_order(key: str, totals: tuple[int, ...], edge: str) -> None:
    """By the orders in which totals come; and as M. Shackleford printed it (Wizard of Odds, Hard Rockin' Dice)."""
    found = odds_of("strip")[key]
    assert found.p_win == chance_of_all(totals)
    assert round(float(found.edge_per_bet_made), 4) == float(edge)


def test_hot_hand_as_published() -> None:
    """18.02 %; ten totals with 0.005258 (M. Shackleford, Wizard of Odds, Hard Rockin' Dice)."""
    found = odds_of("strip")["hot_hand"]
    assert round(float(found.edge_per_bet_made), 4) == 0.1802
    ten = odds_of("strip")["make_em_all"].p_win
    assert round(float(ten), 6) == 0.005258
    assert found.mean_net == 81 * ten + 21 * (found.p_win - ten) - 1


def test_different_doubles_as_published() -> None:
    """1, 6, 21 and 56 ways in 924 for six, five, four and three doubles (M. Shackleford, Wizard of Odds)."""
    back = Fraction(1 * 101 + 6 * 16 + 21 * 9 + 56 * 5, 924)
    assert odds_of("strip")["different_doubles"].edge_per_bet_made == 1 - back == Fraction(43, 154)
    assert odds_of("strip")["different_doubles"].p_win == Fraction(84, 924)


def test_sharp_shooter_by_the_law_of_points() -> None:
    """Another point is made with 67/165, so that the number of points is geometric."""
    p = Fraction(67, 165)
    pays = {3: 5, 4: 10, 5: 20, 6: 30, 7: 50, 8: 100, 9: 200}
    back = sum(p**made * (1 - p) * (1 + price) for made, price in pays.items()) + p**10 * 301
    assert odds_of("strip")["sharp_shooter"].edge_per_bet_made == 1 - back


def played(wager: str, *rolls: tuple[int, int]) -> list[WagerWon | WagerLost]:
    """What becomes of ten on a wager."""
    table = Table("strip", notice="min=5")
    table.sit(1, "Ann", 1000)
    table.sit(2, "Bo", 1000)
    table.bet(1, wager, 10)
    found = []
    for roll in rolls:
        if not table.puck:
            table.bet(2, "pass", 10)
        events = table.roll(*roll)
        assert isinstance(events, tuple)
        found += [each for each in events if isinstance(each, WagerWon | WagerLost) and each.seat == 1]
    return found


@pytest.mark.parametrize(
    ("wager", "rolls", "won"),
    [
        ("repeater_2", [(1, 1), (3, 2), (1, 1)], 400),
        ("repeater_2", [(1, 1), (3, 4)], -10),
        ("repeater_12", [(6, 6), (1, 1), (6, 6)], 400),
        ("different_doubles", [(1, 1), (2, 2), (2, 2), (5, 5), (5, 1), (6, 1)], 40),
        ("different_doubles", [(1, 1), (2, 2), (2, 2), (6, 1)], -10),
        ("different_doubles", [(face, face) for face in range(1, 7)], 1000),
        ("hot_hand", [MADE[total] for total in MADE], 800),
        ("hot_hand", [*(MADE[total] for total in MADE if total != 12), (3, 4)], 200),
        ("hot_hand", [*(MADE[total] for total in MADE if total not in {3, 12}), (3, 4)], -10),
        ("sharp_shooter", [(3, 3)] * 6 + [(3, 1), (3, 4)], 50),
        ("sharp_shooter", [(3, 3)] * 4 + [(3, 1), (3, 4)], -10),
        ("sharp_shooter", [(3, 4)] + [(3, 3)] * 6 + [(3, 1), (3, 4)], 50),
        ("sharp_shooter", [(3, 3)] * 20, 3000),
    ],
)
def test_settled_by_the_engine(wager: str, rolls: list[tuple[int, int]], won: int) -> None:
    """Once, on the last roll, for what its clause says."""
    (event,) = played(wager, *rolls)
    assert (event.won if isinstance(event, WagerWon) else -event.stake) == 100 * won
    assert event.clause.startswith("strip:side.")


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("12 = 2 }", "11 = 2 }", "times"),
        ('2  = ["40:1"', '7  = ["40:1"', "a price for 7"),
        ('6 = ["100:1"', '7 = ["100:1"', "a price for 7 doubles"),
        ('of        = "doubles"', 'of        = "triples"', "one of totals, doubles, points"),
        ('"5,9" = ["500:1"', '"3,5,9" = ["500:1"', "replay.once_more: found a price for 3"),
        (', "6,8" = ["70:1", "side.replay"] }', " }", "replay.pays: found no price for 6, 8"),
        ('"6,8" = ["100:1"', '"6,8" = ["60:1"', "less on 6, 8 than for fewer times"),
    ],
)
def test_what_no_such_wager_can_be(old: str, new: str, says: str) -> None:
    """Said with its place."""
    assert old in STRIP
    with pytest.raises(HouseFileError) as error:
        read_book(STRIP.replace(old, new, 1), "mine.toml")
    assert says in str(error.value)


# --- Replay ---------------------------------------------------------------------------------------------------------

PUBLISHED = {
    1000: 0.00003691863657,
    500: 0.00020671490002,
    120: 0.00052298052124,
    100: 0.00069820960363,
    95: 0.00179993294223,
    70: 0.00429327448455,
}
"""What each price comes up with (M. Shackleford, Wizard of Odds, Replay)."""


def at_most(**often: int) -> Fraction:
    """The chance that 4 and 10, 5 and 9, 6 and 8 are each made at most so often in a hand; what is not named is free.

    Without a chain: counts of points made before a seven-out have a multinomial law, and points that are free change
    nothing of the others'.
    """
    ways = {"fours": (4, 10, 3), "fives": (5, 9, 4), "sixes": (6, 8, 5)}
    made = {point: Fraction(way, 24) * Fraction(way, way + 6) for *both, way in ways.values() for point in both}
    caps = {point: most for name, most in often.items() for point in ways[name][:2]}
    ends = 1 - sum(made.values())
    counted = ends + sum(made[point] for point in caps)
    found = Fraction(0)
    for counts in product(*(range(most + 1) for most in caps.values())):
        chance = Fraction(factorial(sum(counts))) * ends / counted
        for point, count in zip(caps, counts, strict=True):
            chance *= (made[point] / counted) ** count / factorial(count)
        found += chance
    return found


def by_counting() -> dict[int, Fraction]:
    """The chance of each price, from the best to the least: what is not better, and reaches this one."""
    least = [
        Fraction(1),
        at_most(fours=3),
        at_most(fours=3, fives=3),
        at_most(fours=2, fives=3),
        at_most(fours=2, fives=3, sixes=3),
        at_most(fours=2, fives=2, sixes=3),
        at_most(fours=2, fives=2, sixes=2),
    ]
    return {price: before - after for price, (before, after) in zip(PUBLISHED, pairwise(least), strict=True)}


@pytest.mark.slow
def test_replay_by_counting_and_as_published() -> None:
    """Every price with its chance, exactly, and to twelve places the published ones; it keeps 24.81 %."""
    found = odds_of("strip")["replay"]
    chances = {int(net): chance for net, chance in found.nets if net > 0}
    assert chances == by_counting()
    assert {price: round(float(chance), 12) for price, chance in chances.items()} == {
        price: round(chance, 12) for price, chance in PUBLISHED.items()
    }
    assert round(float(found.edge_per_bet_made), 14) == 0.24806441599095


SIX, FOUR, NINE, TEN = [(3, 3), (4, 2)], [(2, 2), (3, 1)], [(5, 4), (6, 3)], [(5, 5), (6, 4)]
OUT = [(3, 3), (3, 4)]


@pytest.mark.parametrize(
    ("rolls", "won"),
    [
        (SIX * 2 + OUT, -10),
        (SIX * 3 + OUT, 700),
        (SIX * 4 + OUT, 1000),
        (SIX * 6 + OUT, 1000),
        (SIX * 2 + [(3, 4)] + SIX + OUT, 700),
        (SIX * 3 + NINE * 3 + OUT, 950),
        (NINE * 3 + SIX * 4 + OUT, 1000),
        (FOUR * 3 + NINE * 3 + SIX * 4 + OUT, 1200),
        (FOUR * 3 + NINE * 4 + FOUR * 1, 10000),
        (NINE * 4 + OUT, 5000),
        (NINE * 5 + TEN * 3 + OUT, 5000),
        (FOUR * 4, 10000),
    ],
)
def test_replay_is_settled_by_the_best_that_came(rolls: list[tuple[int, int]], won: int) -> None:
    """Once, at the seven-out, or at once with the highest price; a seven on the come-out ends nothing."""
    (event,) = played("replay", *rolls)
    assert (event.won if isinstance(event, WagerWon) else -event.stake) == 100 * won
    assert event.clause.startswith("strip:side.replay")
