"""A house on paper, wanted prices and the law of the hand, against counts by hand and published figures."""

from __future__ import annotations

import csv
import io
from fractions import Fraction
from math import sqrt
from typing import TYPE_CHECKING, Any

import pytest

from passline import hand_of, odds_of, par_of, price_of
from passline.errors import ArgumentError, StakeError
from tests.cli.running import refused, run, told

if TYPE_CHECKING:
    from pathlib import Path

TOTALS = [first + second for first in range(1, 7) for second in range(1, 7)]


@pytest.fixture(scope="module")
def strip() -> dict[str, dict[str, Any]]:
    """The sheet of the Strip, by wager."""
    return {row["wager"]: row for row in par_of("strip", stake=5, chips=[1, 5, 25]).rows()}


def test_the_field_counted_by_hand(strip: dict[str, dict[str, Any]]) -> None:
    """Thirty-six throws: 3, 4, 9, 10, 11 even, 2 double, 12 triple."""
    nets = [{2: 2, 12: 3}.get(total, 1 if total in {3, 4, 9, 10, 11} else -1) for total in TOTALS]
    mean = Fraction(sum(nets), 36)
    row = strip["field"]
    assert (row["ways_win"], row["ways_lose"], row["ways_push"], row["ways"]) == (4, 5, 0, 9)
    assert row["edge_made"] == row["edge_resolved"] == row["edge_per_roll"] == -mean == Fraction(1, 36)
    deviation = sqrt(sum((net - mean) ** 2 for net in nets) / 36)
    assert row["standard_deviation"] == pytest.approx(deviation)
    assert row["volatility_index"] == pytest.approx(1.645 * deviation, rel=1e-3)


def test_a_push_is_made_and_not_resolved(strip: dict[str, dict[str, Any]]) -> None:
    """Don't pass as every book prints it: 1.364 % made, 1.402 % resolved, 949, 976 and 55 ways in 1980."""
    row = strip["dont_pass"]
    assert (row["ways_win"], row["ways_lose"], row["ways_push"], row["ways"]) == (949, 976, 55, 1980)
    assert (row["edge_made"], row["edge_resolved"]) == (Fraction(3, 220), Fraction(27, 1925))


def test_a_hard_eight_by_its_closed_form(strip: dict[str, dict[str, Any]]) -> None:
    """One way in eleven at nine to one: 1/11 kept, in 36/11 rolls."""
    row = strip["hard_8"]
    assert (row["hit_frequency"], row["edge_made"], row["rolls"]) == (
        Fraction(1, 11),
        Fraction(1, 11),
        Fraction(36, 11),
    )
    assert row["edge_per_roll"] == Fraction(1, 36)
    assert row["standard_deviation"] == pytest.approx(sqrt(Fraction(100, 11) * (1 - Fraction(1, 11))))


def test_as_printed_and_as_paid(strip: dict[str, dict[str, Any]]) -> None:
    """Five on the nine's odds wins 7.50, paid 7 in whole chips: a fifth of a half lost, 4 %."""
    assert strip["pass_odds_9"]["edge_made"] == 0
    assert strip["pass_odds_9"]["paid_edge_made"] == Fraction(1, 25)
    assert "does not divide" in strip["horn"]["refused"]


def test_the_files_say_what_the_sheet_says(tmp_path: Path) -> None:
    """CSV, page and JSON have every wager, the digest and what each column means."""
    names = tmp_path / "p.csv", tmp_path / "p.html"
    (sheet,) = told("par", "strip", "--csv", names[0], "--html", names[1])
    lines = list(csv.DictReader(io.StringIO(names[0].read_text(encoding="utf-8"))))
    assert [line["wager"] for line in lines] == [row["wager"] for row in sheet["wagers"]] == list(odds_of("strip"))
    assert lines[0]["edge_made"] == sheet["wagers"][0]["edge_made"] == "7/495"
    page = names[1].read_text(encoding="utf-8")
    assert page.count("<tr>") == len(lines) + 1
    assert sheet["house_hash"] in page
    assert lines[0]["house_hash"] == sheet["house_hash"]
    assert all(meaning in page.replace("&#x27;", "'") for key, meaning in sheet["columns"].items() if key != "refused")
    assert "volatility" in run("par", "crapless").stdout
    assert "must end in" in refused("par", "strip", "--html", tmp_path / "p.txt", code=2)


@pytest.mark.parametrize(("edge", "pays"), [("0", 5), ("1/6", 4), ("0.05", Fraction(47, 10))])
def test_a_wanted_price_of_any_seven(edge: str, pays: Fraction) -> None:
    """A sixth of (1 + price) is what comes back."""
    (found,) = price_of("strip", "any_seven", edge=edge)
    assert found.wanted == pays


def test_a_wanted_price_among_several() -> None:
    """The field's twelve, so that the other prices stay: what it must pay counts out to the edge over 36 throws."""
    found = {each.price: each for each in price_of("strip", "field", edge="1/20")}
    twelve = found["3 to 1"]
    prices: list[tuple[Fraction | int, Fraction]] = [(twelve.wanted, Fraction(1, 20)), *twelve.whole]
    for pays, edge in prices:
        others = sum({2: 2, 12: 0}.get(total, 1 if total in {3, 4, 9, 10, 11} else -1) for total in TOTALS)
        assert -Fraction(others + pays) / 36 == edge
    assert [pays for pays, _ in twelve.whole] == [2, 3]
    (shown,) = told("price", "field", "--house", "strip", "--edge", "5%")
    assert shown["prices"][-1]["wanted_to_1"] == str(twelve.wanted)
    assert "no price" in run("price", "field", "--house", "strip", "--edge", "20%").stdout


def test_two_wanted_prices_together() -> None:
    """Hot Hand's two prices by every pair there is, from the chances of nine and of all ten totals alone."""
    nine, ten = (each.chance for each in price_of("strip", "hot_hand", edge="10%"))
    wanted = Fraction(1, 10)

    def edge(first: int, second: int) -> Fraction:
        return 1 - nine * (1 + first) - ten * (1 + second)

    alone = [edge(first, 80) for first in range(1, 300)] + [edge(20, second) for second in range(1, 300)]
    near = min(abs(each - wanted) for each in alone)
    every = [(first, second) for first in range(1, 41) for second in range(first, 2000) if (first, second) != (20, 80)]
    fits = {each for each in every if each[0] != 20 and each[1] != 80 and abs(edge(*each) - wanted) <= near}
    found = price_of("strip", "hot_hand", edge="10%").tables
    assert {tuple(each.pays.values()) for each in found} <= fits
    assert len(found) == min(5, len(fits))
    assert [each.edge for each in found] == [edge(*each.pays.values()) for each in found]
    (shown,) = told("price", "hot_hand", "--house", "strip", "--edge", "10%")
    assert shown["tables"] == [{"pays_to_1": each.pays, "edge": str(each.edge)} for each in found]
    assert (
        "20 to 1 as 24 to 1, 80 to 1 as 81 to 1" in run("price", "hot_hand", "--house", "strip", "--edge", "10%").stdout
    )


def test_prices_that_cannot_be_looked_for() -> None:
    """No such wager, no such edge, a wager that has no price of its own."""
    with pytest.raises(ArgumentError, match="Nearest: field"):
        price_of("strip", "feild", edge=0)
    with pytest.raises(ArgumentError, match="between -1 and 1"):
        price_of("strip", "field", edge=1)
    with pytest.raises(StakeError, match="commission"):
        price_of("strip", "buy_4", edge=0)
    with pytest.raises(StakeError, match="its parts"):
        price_of("strip", "horn", edge=0)
    assert "--edge: found 'five%'" in refused("price", "field", "--edge", "five%", code=2)


def test_the_law_of_the_hand() -> None:
    """Lengths add up; 154 rolls or more come once in 5.6 thousand million hands, as was published of the longest one.

    Ethier and Hoppe, "A world record in Atlantic City and the length of the shooter's hand at craps" (2010).
    """
    hand = hand_of("strip")
    assert [hand.length(rolls) for rolls in (1, 2)] == [0, Fraction(24, 36) * Fraction(6, 36)]
    assert sum(hand.length(rolls) for rolls in range(1, 8)) == 1 - hand.rolls_more_than(7)
    assert round(1 / hand.rolls_more_than(153), -7) == 5_590_000_000
    median = hand.quantile(0.5)
    assert hand.rolls_more_than(median) <= Fraction(1, 2) < hand.rolls_more_than(median - 1)
    assert hand.per_hour(120) == 120 / hand.mean_rolls
    with pytest.raises(ArgumentError, match="a chance up to 1 - 1e-12"):
        hand.quantile(1)
    (shown,) = told("hand", "--house", "strip", "--rolls-per-hour", 120)
    assert shown["hands_per_hour"] == str(120 / hand.mean_rolls)
    assert shown["length"]["2"] == "1/9"
    assert "seven-outs in an hour of 100 rolls" in run("hand", "--dice", "srr=7").stdout
