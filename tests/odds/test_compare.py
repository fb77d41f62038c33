"""The houses side by side."""

from __future__ import annotations

from fractions import Fraction

from passline import House
from passline.odds.par import compare
from passline.odds.wagers import odds_of


def test_exhibit_a_is_hardest_on_place_bets_and_sydney_kindest_to_the_centre() -> None:
    """Best and worst are houses, ties included."""
    compared = compare()
    assert compared["place_6"].worst == ("exhibit-a",)
    assert compared["place_6"].best == ("adelaide", "crapless", "fire-bonus", "strip", "sydney")
    assert compared["hard_8"].best == compared["horn"].best == ("sydney",)
    assert compared["horn"].worst == ("fire-bonus",)


def test_a_bet_in_the_players_favour_is_the_best_price_there_is() -> None:
    """An edge below nothing beats a free bet."""
    laid = compare()["dont_pass_odds_5"]
    assert laid.best == ("exhibit-a",)
    assert laid.edges["exhibit-a"] == Fraction(-1, 20)


def test_prices_that_do_not_differ_are_alike() -> None:
    """The line is the same wherever craps lose, and a wager only one house has is alike by itself."""
    compared = compare()
    assert compared["dont_pass"].edges["adelaide"] == compared["dont_pass"].edges["strip"]
    assert compared["pass"].worst == ("crapless",)
    assert len(compared["pass"].best) == 5
    assert compared["fire"].is_alike
    assert not compared["field"].is_alike


def test_every_wager_of_every_house_is_compared() -> None:
    """Nothing is left out, nothing is invented."""
    houses = House.all()
    compared = compare(houses)
    for house in houses:
        odds = odds_of(house)
        assert {key for key, each in compared.items() if house.id in each.odds} == set(odds)


def test_only_the_houses_asked_for_are_compared() -> None:
    """Two houses, two columns."""
    compared = compare([House("sydney"), House("exhibit-a")])
    assert set(compared["pass"].odds) == {"sydney", "exhibit-a"}
    assert "fire" not in compared
