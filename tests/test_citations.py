"""Every verdict the layout can give names clauses that exist, and the ones its own rule gives it."""

from __future__ import annotations

import pytest

from passline.engine.kinds import Collect, Fire
from passline.engine.verdicts import TALLY, Loses, Pushes, Returns, Tallies, Travels, Wins
from passline.house import House
from passline.rulebooks.read import built_in


@pytest.mark.parametrize("name", built_in())
def test_every_verdict_cites_clauses_that_exist(name: str) -> None:
    """Wherever a wager can stand, each of the 36 throws ends in a verdict somebody can look up."""
    house = House(name)
    seen = 0
    for spot in house.spots.values():
        marks = (0, TALLY, TALLY + 1, TALLY + 31) if spot.counts else (0,)
        for puck in (0, *house.book.points.value):
            if spot.is_odds and not (spot.number or puck):
                continue
            for mark in marks:
                for works in (True, False):
                    for verdict in spot.row(mark, puck, works=works):
                        if verdict is None or isinstance(verdict, Tallies):
                            continue
                        assert isinstance(verdict, Wins | Loses | Pushes | Travels | Returns)
                        cited = [verdict.clause, *([verdict.rule] if isinstance(verdict, Wins) else [])]
                        assert all(house.clause(clause).sentence for clause in cited), (spot.key, verdict)
                        seen += 1
    assert seen > 5_000


def test_fire_and_bonus_bets_cite_their_own_clauses() -> None:
    """What takes a side bet, and what makes it win, are the house's words for it."""
    spots = House("fire-bonus").spots
    fire, small = spots["fire"].rule.terms, spots["all_small"].rule.terms
    assert isinstance(fire, Fire)
    assert isinstance(small, Collect)
    seven_out = spots["fire"].row(TALLY + 0b11, 6, works=True)[5]
    assert seven_out == Loses(fire.loses)
    last_needed = spots["all_small"].row(TALLY + 0b11110, 0, works=True)[0]
    assert isinstance(last_needed, Wins)
    assert (last_needed.rule, last_needed.clause) == (small.wins, small.pays.clause)
