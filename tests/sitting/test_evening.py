"""An evening inside its fan: the law of each roll is the dealers', and the fan is their exact convolution."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from passline.engine.commands import StrikeOut
from passline.engine.events import WagerLost
from passline.engine.refusals import Refusal
from passline.engine.values import ClauseId, WagerKey
from passline.sitting.reckoning import SHARES, Evening, fan, reckon
from passline.table import Table


def heard(table: Table) -> Evening:
    """What somebody's evening was."""
    evening = Evening(table.house.layout, 1)
    for moment in table.history:
        evening.hear(moment.before, moment.events)
    return evening


def test_the_law_of_a_roll_is_what_the_dealers_would_do() -> None:
    """Field and place together: sevens lose both, a nine wins one and leaves the other."""
    table = Table("adelaide")
    _ = table.sit(1, "Ann", 500), table.bet(1, "pass", 5), table.roll(2, 2)
    _ = table.bet(1, "field", 5), table.bet(1, "place_6", 6), table.roll(6, 3)
    evening = heard(table)
    assert evening.nets == [0, 500]
    law = dict(evening.laws[1])
    assert law[-1_600] == 6  # seven: pass, field and place
    assert law[-500 + 700] == 5  # six: the field loses, the place pays 7
    assert law[500 + 500] == 3 + 2  # four: the point and the field; two and twelve: the field pays double
    assert sum(law.values()) == 36


def test_a_roll_that_is_struck_out_was_none() -> None:
    """Neither in the fan nor in the reckoning: nets, bets, rolls and what the bets should bring are as before it."""
    table = Table("adelaide")
    _ = table.sit(1, "Ann", 500), table.bet(1, "pass", 5), table.roll(4, 3)
    _ = table.bet(1, "pass", 5), table.bet(1, "field", 5)
    was, reckoned = heard(table), reckon(table, 1)
    table.roll(6, 6)
    assert (len(heard(table).nets), reckon(table, 1).rolls, reckon(table, 1).total.bets) == (2, 2, 3)
    assert not isinstance(table.do(StrikeOut("a die was cocked")), Refusal)
    assert (heard(table).nets, heard(table).laws) == (was.nets, was.laws)
    now = reckon(table, 1)
    assert (now.accounts, now.rolls, now.worst, now.best) == (reckoned.accounts, 1, reckoned.worst, reckoned.best)
    table.roll(1, 1)
    assert (heard(table).nets[0], len(heard(table).nets), reckon(table, 1).rolls) == (500, 2, 2)


def test_what_was_settled_without_dice_is_of_the_evening() -> None:
    """It belongs to the last roll, so that an evening comes to what was taken home."""
    table = Table("adelaide")
    _ = table.sit(1, "Ann", 500), table.bet(1, "pass", 5), table.roll(2, 2)
    evening = heard(table)
    for seat in (1, 2):  # another's is another's
        evening.hear(
            table.state,
            [WagerLost(seat=seat, wager=WagerKey("pass"), stake=167, clause=ClauseId("X-27"), returned=333)],
        )
    assert (evening.nets, evening.fan().net) == ([-167], [-167])
    assert sum(ways for _, ways in evening.laws[0]) == 36


def test_the_fan_is_exact() -> None:
    """Two rolls by hand: every pair of results with its chance."""
    laws = [((-500, 20), (500, 16)), ((-1_000, 6), (0, 25), (700, 5))]
    found = fan([500, 700], laws)
    sums: dict[int, Fraction] = {}
    for (one, p), (two, q) in product(*laws):
        sums[one + two] = sums.get(one + two, 0) + Fraction(p * q, 36 * 36)
    ordered = sorted(sums)
    for share in SHARES:
        upto = Fraction(0)
        wanted = next(each for each in ordered if (upto := upto + sums[each]) >= share)
        assert found.quantiles[f"{round(100 * share)}"][-1] == wanted
    assert found.net == [500, 1_200]
    assert found.mean[-1] == pytest.approx(float(sum(each * chance for each, chance in sums.items())))
    assert found.below == pytest.approx(float(1 - sums[1_200] / 2))
