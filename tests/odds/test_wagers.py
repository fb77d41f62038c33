"""Exact odds of every wager: against the catalogue, against closed forms, and against the table itself."""

from __future__ import annotations

import csv
import random
import re
from collections import defaultdict
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from passline import House, Table
from passline.engine.book import Commission
from passline.engine.events import WagerLost, WagerPushed, WagerUp, WagerWon
from passline.engine.kinds import Collect, Fire, Number, OneRoll
from passline.engine.refusals import Refusal
from passline.engine.values import ROLLS, Cited, ClauseId, Price
from passline.errors import ArgumentError, StakeError
from passline.odds.hand import hand_of
from passline.odds.wagers import odds_of
from tests.odds.houses import house_with

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Literal

    from passline.engine.book import WagerRule
    from passline.engine.events import Event
    from passline.odds.wagers import WagerOdds

CATALOGUE = Path(__file__).parents[1] / "oracles" / "wagers.csv"
HOUSES = [house.id for house in House.all()]
WAYS = {total: sum(roll.total == total for roll in ROLLS) for total in range(2, 13)}
A_READING = ClauseId("X-15")
EACH_POINT = {"pass_odds", "dont_pass_odds", "come_odds", "dont_come_odds"}


# --- Against the catalogue ------------------------------------------------------------------------------------------


def catalogued(house: str) -> Iterator[tuple[str, Fraction]]:
    """The edges that the catalogue gives one house, by our keys."""
    with CATALOGUE.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["house"] == house and row["offered"] == "y"]
    for row in rows:
        key, told = row["wager_key"], row["house_edge_exact"]
        if key in EACH_POINT or key == "horn_high":
            for numbers, edge in re.findall(r"([\d, or]+)=(-?[\d/]+)", told):
                for number in re.findall(r"\d+", numbers):
                    yield f"{key}_{number}", Fraction(edge)
        else:
            yield key, Fraction(told)


@pytest.mark.parametrize("house", ["adelaide", "exhibit-a", "fire-bonus", "sydney"])
def test_every_edge_of_the_catalogue_comes_out_of_the_house_file(house: str) -> None:
    """What the catalogue offers is what we price, and `house_edge_exact` is the mean loss of one unit."""
    edges = dict(catalogued(house))
    odds = odds_of(House(house))
    assert set(odds) == set(edges)
    assert {key: -each.mean_net for key, each in odds.items()} == edges


# --- What holds for every wager -------------------------------------------------------------------------------------


@pytest.mark.parametrize("house", HOUSES)
def test_the_figures_of_a_wager_agree_with_one_another(house: str) -> None:
    """Chances add up, edges are the mean loss over what was put up, and every clause has a sentence."""
    opened = House(house)
    for key, odds in odds_of(opened).items():
        assert odds.key == key
        assert odds.p_win + odds.p_lose + odds.p_push == 1
        assert odds.edge_per_bet_made == -odds.mean_net / odds.staked
        assert odds.edge_per_bet_resolved * (1 - odds.p_push) == odds.edge_per_bet_made
        assert odds.edge_per_roll_working * odds.rolls_working == odds.edge_per_bet_made
        assert odds.variance > 0
        assert odds.rolls_working >= 1
        assert odds.clauses
        assert all(opened.clause(clause).sentence for clause in odds.clauses)


@pytest.mark.parametrize("house", HOUSES)
def test_only_wagers_that_rest_on_the_come_out_see_more_rolls_than_they_work(house: str) -> None:
    """Come odds are judged as working throughout; for the rest both counts are the same."""
    opened = House(house)
    for key, odds in odds_of(opened).items():
        off = key in opened.spots and opened.spots[key].rule.off_on_comeout.value
        if key.startswith("come_odds_"):
            assert odds.rolls_all is None
            assert odds.p_push == 0
        else:
            assert odds.rolls_all is not None
            assert (odds.rolls_all > odds.rolls_working) == off


def test_a_wager_is_pushed_only_by_the_barred_number() -> None:
    """A world bet on 7 wins by the book, though it nets nothing."""
    odds = odds_of(House("adelaide"))
    assert {key for key, each in odds.items() if each.p_push} == {"dont_pass", "dont_come"}
    assert odds["dont_pass"].p_push == Fraction(1, 36)
    assert odds["world"].p_win == Fraction(12, 36)


def test_fire_wins_as_often_as_a_hand_makes_three_different_points() -> None:
    """Two walks, one answer."""
    fire, shooter = odds_of(House("fire-bonus"))["fire"], hand_of(House("fire-bonus"))
    assert fire.p_win == shooter.distinct_at_least(3)
    assert fire.rolls_working < shooter.mean_rolls  # the sixth point ends the bet, not the hand


def test_a_house_opened_twice_is_walked_once() -> None:
    """The answers belong to the book."""
    assert odds_of(House("sydney"))["pass"] is odds_of(House("sydney"))["pass"]


# --- Against closed forms, at any price -----------------------------------------------------------------------------

prices = st.builds(Price, st.integers(1, 300), st.integers(1, 20))
sides: st.SearchStrategy[Literal["do", "dont"]] = st.sampled_from(["do", "dont"])


def at(price: Price) -> Cited[Price]:
    """A price that nobody has to vouch for."""
    return Cited(price, ClauseId("X-16"))


@pytest.mark.slow
@settings(max_examples=40)
@given(number=st.sampled_from([4, 5, 6, 8, 9, 10]), price=prices, side=sides, off=st.booleans())
def test_a_number_against_a_seven(number: int, price: Price, side: Literal["do", "dont"], *, off: bool) -> None:
    """Ways of the number against six sevens, whether or not it rests on the come-out."""

    def change(rule: WagerRule) -> WagerRule:
        clauses = {number: A_READING}
        terms = Number(side=side, pays={number: at(price)}, wins=clauses, loses=clauses)
        return replace(rule, terms=terms, off_on_comeout=Cited(off, ClauseId("X-02")))

    odds = odds_of(house_with("adelaide", "place", change))[f"place_{number}"]
    ways, sevens = WAYS[number], WAYS[7]
    winning = ways if side == "do" else sevens
    assert odds.p_win == Fraction(winning, ways + sevens)
    assert odds.mean_net == odds.p_win * price.rate - odds.p_lose
    assert odds.rolls_working == Fraction(36, ways + sevens)
    assert odds.variance == odds.p_win * odds.p_lose * (price.rate + 1) ** 2


@settings(max_examples=40)
@given(
    number=st.sampled_from([4, 5, 6, 8, 9, 10]),
    rate=st.integers(1, 20).map(lambda percent: Fraction(percent, 100)),
    of=st.sampled_from(["stake", "win"]),
    when=st.sampled_from(["up front", "on a win"]),
)
def test_commission_is_on_top_and_charged_once(
    number: int, rate: Fraction, of: Literal["stake", "win"], when: Literal["up front", "on a win"]
) -> None:
    """Up front it is lost in any case and is money put up; on a win it is lost with the win alone."""

    def change(rule: WagerRule) -> WagerRule:
        charge = rule.commission
        assert isinstance(charge, Commission)
        new = replace(
            charge,
            rate=Cited(rate, A_READING),
            of=Cited(of, A_READING),
            when=Cited(when, A_READING),
        )
        return replace(rule, commission=new)

    odds = odds_of(house_with("adelaide", "buy", change))[f"buy_{number}"]
    true_odds = Fraction(WAYS[7], WAYS[number])
    charge = rate * (true_odds if of == "win" else 1)
    up_front = when == "up front"
    assert odds.mean_net == -charge * (1 if up_front else odds.p_win)
    assert odds.staked == 1 + charge * up_front


@settings(max_examples=40)
@given(st.dictionaries(st.integers(2, 12), prices, min_size=1))
def test_one_roll(pays: dict[int, Price]) -> None:
    """The ways of each total at its price; the rest loses."""

    def change(rule: WagerRule) -> WagerRule:
        terms = OneRoll(pays={total: at(price) for total, price in pays.items()}, wins=A_READING, loses=A_READING)
        return replace(rule, terms=terms)

    odds = odds_of(house_with("exhibit-a", "field", change))["field"]
    assert odds.mean_net == sum(Fraction(WAYS[total], 36) * (price.rate + 1) for total, price in pays.items()) - 1
    assert odds.rolls_working == odds.rolls_all == 1


@settings(max_examples=20)
@given(st.sets(st.sampled_from([2, 3, 4, 5, 6, 8, 9, 10, 11, 12]), min_size=1, max_size=6))
def test_every_total_of_a_set_before_a_seven(needs: set[int]) -> None:
    """Inclusion and exclusion over the totals that the seven comes before."""

    def change(rule: WagerRule) -> WagerRule:
        assert isinstance(rule.terms, Collect)
        return replace(rule, terms=replace(rule.terms, needs=Cited(tuple(sorted(needs)), ClauseId("F-10"))))

    odds = odds_of(house_with("fire-bonus", "all_small", change))["all_small"]
    expected = Fraction(0)
    for count in range(len(needs) + 1):
        for missed in combinations(needs, count):
            ways = sum(WAYS[total] for total in missed)
            expected += (-1) ** count * Fraction(WAYS[7], WAYS[7] + ways)
    assert odds.p_win == expected


@pytest.mark.slow
@settings(max_examples=5)
@given(st.dictionaries(st.integers(1, 6), prices, min_size=1))
def test_fire_at_any_table_of_prices(pays: dict[int, Price]) -> None:
    """So many different points, at the best price they reach."""

    def change(rule: WagerRule) -> WagerRule:
        assert isinstance(rule.terms, Fire)
        return replace(rule, terms=replace(rule.terms, pays={made: at(price) for made, price in pays.items()}))

    house = house_with("fire-bonus", "fire", change)
    mean = Fraction(0)
    for made, chance in enumerate(hand_of(house).distinct_points):
        reached = [level for level in pays if level <= made]
        mean += chance * (pays[max(reached)].rate if reached else -1)
    assert odds_of(house)["fire"].mean_net == mean


# --- As paid --------------------------------------------------------------------------------------------------------


def test_five_on_place_six_in_dollar_chips_is_fair_and_says_so() -> None:
    """Rounding up makes the seven to six of adelaide a six to five."""
    odds = odds_of(House("adelaide"), stake=5, chips=[1, 5, 25])["place_6"]
    assert odds.favours == "house"
    assert odds.as_paid is not None
    assert odds.as_paid.favours == "nobody"
    assert [odds.as_paid.stake, odds.as_paid.chip, odds.as_paid.commission] == [5, 1, 0]


@pytest.mark.slow
@pytest.mark.parametrize("house", HOUSES)
def test_a_stake_that_pays_in_whole_chips_costs_what_the_price_says(house: str) -> None:
    """With cents and a stake that every price and charge divides there is nothing to round."""
    stake = 2**3 * 3**2 * 5**2 * 7 * 11
    for odds in odds_of(House(house), stake=stake, chips=[Fraction(1, 100)]).values():
        assert odds.as_paid is not None
        assert odds.as_paid.mean_net == odds.mean_net
        assert odds.as_paid.variance == odds.variance


def test_a_stake_that_does_not_divide_is_refused_by_that_wager_alone() -> None:
    """Five is no horn, but it is a world."""
    odds = odds_of(House("adelaide"), stake=5, chips=[1])
    assert odds["horn"].as_paid is None
    assert odds["horn"].refused == "5 does not divide by 4; 8 would"
    assert odds["world"].as_paid is not None


@pytest.mark.parametrize(
    ("stake", "chips"),
    [(0, [1]), (-5, [1]), (5, []), (5, [0]), (Fraction(1, 3), [1]), (Fraction(11, 2), [1]), (None, [1])],
)
def test_a_stake_no_table_could_take(stake: Fraction | int | None, chips: list[Fraction | int]) -> None:
    """Said so, not priced."""
    with pytest.raises((ArgumentError, StakeError), match=r"stake|chips"):
        odds_of(House("adelaide"), stake=stake, chips=chips)


# --- Against the table itself ---------------------------------------------------------------------------------------

PLAYED = {
    "adelaide": {
        "dont_pass": 10,
        "come": 10,
        "place_6": 5,
        "buy_4": 25,
        "lay_10": 30,
        "hard_8": 5,
        "field": 5,
        "world": 5,
    },
    "fire-bonus": {
        "lay_6": 33,
        "place_9": 7,
        "horn_high_2": 5,
        "any_seven": 5,
        "big_8": 5,
        "all_small": 5,
        "buy_5": 25,
    },
    "strip": {"pass": 15, "dont_come": 15, "buy_10": 25, "hop_6_5": 5, "hard_4": 5},
}


@pytest.mark.slow
@pytest.mark.parametrize("house", PLAYED)
def test_playing_at_the_table_comes_to_the_same(house: str) -> None:
    """Thousands of rolls through the public table: every wager's mean is within four standard errors."""
    odds: dict[str, WagerOdds] = {}
    opened = House(house)
    for key, stake in PLAYED[house].items():
        odds[key] = odds_of(opened, stake=stake, chips=[1])[key]
    nets = played(opened, PLAYED[house], rolls=12_000)
    for key, each in odds.items():
        assert each.as_paid is not None
        paid, results = each.as_paid, nets[key]
        mean = sum(results) / len(results) / PLAYED[house][key]
        error = (float(paid.variance) / len(results)) ** 0.5
        assert len(results) > 1_000, f"{key}: too few bets to tell"
        assert abs(mean - float(paid.mean_net)) < 4 * error, f"{key}: {mean} in {len(results)} bets"


def played(house: House, stakes: dict[str, int], rolls: int) -> dict[str, list[float]]:
    """What each bet brought at a real table, one entry for each decision; a shooter in seat 1 keeps the dice moving."""
    table = Table(house, notice="min=5 max=100000", chips=[1])
    table.sit(1, "Shooter", 10**9)
    table.sit(2, "Player", 10**9)
    dice = random.Random(7)
    charged: dict[str, int] = defaultdict(int)
    nets: dict[str, list[float]] = defaultdict(list)
    for _ in range(rolls):
        table.bet(1, "pass", 5)
        for key, stake in stakes.items():
            if key not in table.state.seats[2].felt:
                answer = table.bet(2, key, stake)
                for event in () if isinstance(answer, Refusal) else answer:
                    if isinstance(event, WagerUp):
                        charged[key] = event.commission
        for event in thrown(table, dice):
            match event:
                case WagerWon(seat=2):
                    key = family(event.wager, stakes)
                    nets[key].append((event.won - (event.commission - event.held) - event.lost - charged[key]) / 100)
                    charged[key] = event.held
                case WagerLost(seat=2):
                    key = family(event.wager, stakes)
                    nets[key].append(-(event.stake + charged[key]) / 100)
                case WagerPushed(seat=2):
                    nets[family(event.wager, stakes)].append(0)
                case _:
                    pass
        table.history.clear()
    return nets


def thrown(table: Table, dice: random.Random) -> tuple[Event, ...]:
    """The events of one throw."""
    answer = table.roll(dice.randint(1, 6), dice.randint(1, 6))
    assert not isinstance(answer, Refusal)
    return answer


def family(wager: str, stakes: dict[str, int]) -> str:
    """A come bet on its number is the come bet it was."""
    return wager if wager in stakes else wager.rpartition("_")[0]
