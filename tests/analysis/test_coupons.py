"""Coupons by hand, by the engine's own tokens, and on the way to a goal; rebates and comps."""

from __future__ import annotations

from fractions import Fraction

import pytest

from passline import Table, ask
from passline.analysis.best import best_play
from passline.analysis.coupons import best_use, coupon, money_back
from passline.errors import ArgumentError
from tests.cli.running import refused, run

PASS = Fraction(244, 495)


def test_coupons_are_worth_what_one_works_out_by_hand() -> None:
    """Pass wins 244 of 495. Don't pass, pushes played again, wins 949 of 1925 and loses 976."""
    match = coupon("match", 25, house="strip").worths
    assert match["pass"] == 25 * (2 * PASS - (1 - PASS))
    assert match["dont_pass"] == 25 * Fraction(2 * 949 - 976, 1925)
    free = coupon("free", 25, house="strip")
    assert free.worths["pass"] == 25 * PASS
    assert free.worths["place_6"] == 25 * Fraction(7, 6) * Fraction(5, 11)
    assert free.worths["hard_8"] == 25 * 9 * Fraction(1, 11)
    assert coupon("promo", 25, house="strip").worths["pass"] == 25 * PASS / (1 - PASS)


def test_a_long_shot_is_the_best_use_of_a_free_bet_and_an_even_chance_of_a_promo_chip() -> None:
    """What is never given back wants the highest price; what stays until it loses wants the least edge."""
    assert coupon("free", 10, house="strip").best[0] not in {"pass", "dont_pass"}
    assert coupon("match", 10, house="strip").best[0] == "dont_pass"


@pytest.mark.parametrize(("house", "kind"), [("strip", "free"), ("sydney", "promo")])
def test_a_house_takes_its_tokens_as_its_book_says(house: str, kind: str) -> None:
    """The engine's own token on a winning field: collected on the Strip, where the line stays, given back in Sydney."""
    assert coupon("token", 10, house=house).worths == coupon(kind, 10, house=house).worths  # type: ignore[arg-type]
    table = Table(house, notice="min=5 max=500")
    table.sit(1, "Ann", 100)
    table.tokens(1, 10, by="dealer")
    table.bet(1, "pass", 10)
    table.bet(1, "field", 10, tokens=10)
    table.shoot(1)
    table.roll(6, 5)
    assert table.rail(1) == 100 + 10 + (10 if "pass" not in table.state.seats[1].felt else 0)
    assert table.state.seats[1].tokens == (1000 if kind == "promo" else 0)


def test_where_no_tokens_are_taken_it_is_said() -> None:
    with pytest.raises(ArgumentError, match="takes no promotional tokens"):
        coupon("token", 10, house="adelaide")


def test_the_best_use_on_the_way_to_a_goal() -> None:
    """From 1 to 4 with a match of 1: at once it makes 3 or 0; saved for when the bold have 2, it makes 4 or 1."""
    answer = best_play("strip", ["pass"], bankroll=1, goal=4)
    chance = {wealth: float(best_play("strip", ["pass"], bankroll=wealth, goal=4).value) for wealth in (1, 2, 3)}
    win = float(PASS)
    use = {1: win * chance[3], 2: win * 1.0 + (1 - win) * chance[1], 3: win * 1.0 + (1 - win) * chance[2]}
    plan = best_use(answer, "match", 1, ["pass"])
    assert plan.without == pytest.approx(chance[1])
    assert plan.chance == pytest.approx(max(use[1], win * max(use[2], chance[2])))
    assert plan.uses[1] == "pass"


def test_a_rebate_gives_a_part_of_every_loss_back() -> None:
    question = ask("pass_flat", house="strip", unit=10, rolls=1)
    law, back = question.exact(), money_back(question, rebate="0.1")
    assert back.mean == law.mean + Fraction(1, 10) * 10 * law.p_behind
    capped = money_back(question, rebate="0.1", most="0.5", comps="0.3", rated_edge="0.015")
    assert capped.mean == law.mean + Fraction(1, 2) * law.p_behind + Fraction(45, 10_000) * law.action
    with pytest.raises(ArgumentError, match="rebate"):
        money_back(question, rebate=3)


def test_the_command_says_where_to_play_it() -> None:
    assert "worth most on dont_pass" in run("coupon", "match", "25", "--house", "strip").stdout
    assert refused("coupon", "voucher", "25", code=2).startswith("KIND: found 'voucher'; expected one of match, free")
    assert refused("coupon", "match", "x", code=2).startswith("AMOUNT: found 'x'")
    assert refused("coupon", "match", "5", "--goal", "3", code=2).startswith("--bankroll: found none")


def test_a_commission_beside_a_coupon_is_paid_win_or_lose() -> None:
    """Sydney takes 5 % when a buy bet is made: by hand (2 of 3 lose it), 50/3 less 1.25, and for a life of 3/2 bets."""
    assert coupon("free", 25, house="sydney").worths["buy_4"] == Fraction(50, 3) - Fraction(5, 4)
    assert coupon("promo", 25, house="sydney").worths["buy_4"] == 25 - Fraction(3, 2) * Fraction(5, 4)


def test_a_coupon_that_no_wealth_pays_for_is_never_played() -> None:
    plan = best_use(best_play("strip", ["pass"], bankroll=2, goal=4), "match", 5)
    assert (plan.chance, plan.uses) == (plan.without, {})
    assert "never worth playing" in str(plan)
