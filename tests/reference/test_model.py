"""The model's own tests, worked by hand from `rulebooks/pinned.md`; each docstring names its item.

In the little games below a line that ends in `!` must be refused and every other line accepted.
"""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest

from tests.reference.book import HOUSES, KEYS, POINTS
from tests.reference.generate import random_record
from tests.reference.model import Result, Unreadable, cents, do, read, replay, shown
from tests.reference.unreadable import random_unreadable


class Game:
    """A record, played, and questions about where it ended."""

    def __init__(
        self, house: str, acts: str, notice: str = "min=1", chips: str = "1 5", sits: str = "1 Ann 1000"
    ) -> None:
        head = ["passline 1", f"house {house}", f"notice {notice}", f"float {chips}"]
        head += [f"sit {who}" for who in sits.split(",")]
        lines = [line.strip() for line in acts.strip().splitlines() if line.strip()]
        self.result: Result = replay("\n".join([*head, *(line.rstrip("!") for line in lines)]))
        done = self.result.acts[len(sits.split(",")) :]
        for line, (_, accepted) in zip(lines, done, strict=True):
            assert accepted is not line.endswith("!"), line
        self.table: dict[str, Any] = self.result.table
        self.puck: str | int = self.table["puck"]
        self.shooter: int | None = self.table["shooter"]

    def rail(self, seat: int = 1) -> str:
        """The rail of a seat."""
        rail: str = self.table["seats"][str(seat)]["rail"]
        return rail

    def up(self, seat: int = 1) -> dict[str, str]:
        """The stakes of a seat."""
        stakes: dict[str, str] = self.table["seats"][str(seat)]["up"]
        return stakes


TWO = "1 Ann 1000,2 Bob 1000"
THREE = "1 Ann 1000,2 Bob 1000,3 Cy 1000"


# ---------------------------------------------------------------------------------------------------------------
# The record.

HEAD = "passline 1\nhouse adelaide\n"


def test_example_of_the_design() -> None:
    """Section 6: the example comes to its chips."""
    result = replay(
        """passline 1
        house adelaide                      # a built-in id
        notice min=5 max=5000 odds=10
        float 1 5 25 100
        sit 1 Ann 500
        sit 2 Bob 300
        1 bet pass 10
        2 bet dont_pass 10
        1 shoot
        roll 4-2
        1 bet pass_odds 20
        1 bet come 10
        2 bet place_8 12
        roll 6-3
        1 bet come_odds_9 20
        2 off place_8
        2 take place_8
        no-roll off-table
        roll 3-4
        """
    )
    assert result.table == {
        "event": "table",
        "puck": "off",
        "shooter": None,
        "seats": {"1": {"rail": "440", "up": {}}, "2": {"rail": "310", "up": {}}},
    }
    assert result.acts == [(line, True) for line in range(5, 20)]
    assert result.rails[0] == {"1": "500"}
    assert result.rails[-1] == {"1": "440", "2": "310"}


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("house adelaide\npassline 1", 1),
        ("# hello\n\npassline 2", 3),
        ("passline 1\nnotice\nhouse adelaide", 2),
        (HEAD + "house adelaide", 3),
        (HEAD + "passline 1", 3),
        (HEAD + "notice\nfloat 1\nnotice", 5),
        (HEAD + "float 1\nfloat 1", 4),
        (HEAD + "sit 1 Ann 5\nnotice", 4),
        (HEAD + "sit 1 Ann 5\nfloat 1", 4),
        ("passline 1\nhouse vegas", 2),
        (HEAD + "notice limit=5", 3),
        (HEAD + "notice min=5 min=5", 3),
        (HEAD + "notice side=1-5", 3),
        (HEAD + "notice odds=11", 3),
        (HEAD + "notice odds=0", 3),
        (HEAD + "notice multiples min=0", 3),
        (HEAD + "notice min=0", 3),
        (HEAD + "notice min=10 max=5", 3),
        (HEAD + "notice min=10\nfloat 25", 3),
        (HEAD + "notice unit=0", 3),
        ("passline 1\nhouse sydney\nnotice odds=3", 3),
        ("passline 1\nhouse exhibit-a\nnotice multiples", 3),
        ("passline 1\nhouse fire-bonus\nnotice unit=5", 3),
        ("passline 1\nhouse fire-bonus\nnotice side=5", 3),
        (HEAD + "float", 3),
        (HEAD + "float 1 0", 3),
        (HEAD + "sit 0 Ann 5", 3),
        (HEAD + "sit 1 Ann Lee 5", 3),
        (HEAD + "1 bet pass .5", 3),
        (HEAD + "1 bet pass 5.", 3),
        (HEAD + "1 bet pass 5.125", 3),
        (HEAD + "1 bet pass -5", 3),
        (HEAD + "1 bet Pass 5", 3),
        (HEAD + "1 bet pass", 3),
        (HEAD + "1 take pass 5 5", 3),
        (HEAD + "1 on place_6 5", 3),
        (HEAD + "1 shoot now", 3),
        (HEAD + "1 dance", 3),
        (HEAD + "roll 3-7", 3),
        (HEAD + "roll 3-4 5", 3),
        (HEAD + "no-roll", 3),
        (HEAD + "late", 3),
    ],
)
def test_unreadable(text: str, line: int) -> None:
    """1, 6, 9, 10a, 10b, 10d: what cannot be read is said with its line."""
    with pytest.raises(Unreadable) as found:
        replay(text)
    assert found.value.line == line


def test_02_seats() -> None:
    """2: a taken seat and an empty seat refuse; a player may sit down later."""
    game = Game("adelaide", "sit 1 Bob 5!\n2 bet pass 5!\n3 shoot!\nsit 2 Bob 7.50\n2 bet pass 5")
    assert (game.rail(1), game.rail(2)) == ("1000", "2.50")


def test_04_amounts() -> None:
    """4: in as digits with at most two decimals, out whole or with two."""
    assert [cents(word, 1) for word in ("12", "2.5", "2.50", "0.05")] == [1200, 250, 250, 5]
    assert [shown(amount) for amount in (1200, 250, 5, 0)] == ["12", "2.50", "0.05", "0"]


def test_05_keys_that_are_not_there() -> None:
    """5: a well-formed key that the house does not offer is a refusal."""
    for key in ("place_7", "horn_high_7", "come_odds", "horn_high", "come_6", "dont_come_6", "banana", "fire"):
        Game("sydney", f"1 bet {key} 5!\n1 take {key}!")
    Game("adelaide", "1 bet horn_high_2 5!\n1 bet world 5")
    Game("sydney", "1 bet horn_high_2 5\n1 bet world 5!")
    Game("exhibit-a", "1 bet buy_4 5!\n1 bet lay_4 5!\n1 bet place_lose_4 5!\n1 bet big_6 5!\n1 bet craps_2 5")
    Game("fire-bonus", "1 bet any_craps 5!\n1 bet craps_eleven 4!\n1 bet place_lose_4 5!\n1 bet hop_hard_4 5")


def test_07_buy_in() -> None:
    """7: a buy-in goes to the rail unchecked."""
    assert Game("adelaide", "", notice="min=5", chips="5", sits="1 Ann 0.03").rail() == "0.03"


def test_08_defaults() -> None:
    """8: min 5, max 1000, chip 1; odds by house."""
    for house, most in (("adelaide", 50), ("sydney", 10), ("exhibit-a", 5), ("fire-bonus", 1000)):
        text = (
            f"passline 1\nhouse {house}\nsit 1 Ann 9999\n1 bet pass 4\n1 bet pass 1001\n1 bet pass 5.5\n1 bet pass 5\n"
        )
        text += f"roll 2-2\n1 bet pass_odds {most + 1}\n1 bet pass_odds {most}"
        assert [ok for _, ok in replay(text).acts] == [True, False, False, False, True, True, False, True]


def test_10a_multiples() -> None:
    """10a: every stake but odds is a multiple of min, also what is left; props too go by min."""
    game = Game(
        "adelaide",
        "1 bet pass 7!\n1 bet pass 10\n1 bet pass 5\n1 take pass 7!\n1 take pass 10\n1 bet hard_4 2!\n1 bet hard_4 5\n"
        "roll 2-2\n1 bet pass_odds 7",
        notice="min=5 multiples props=1",
    )
    assert game.up() == {"pass": "10", "hard_4": "5", "pass_odds": "7"}


def test_10b_unit() -> None:
    """10b: stake less min is a multiple of the unit, measured downwards too; both may bind."""
    Game(
        "sydney",
        "1 bet pass 7!\n1 bet pass 9\n1 take pass 6!\n1 take pass 5\n1 bet hard_4 2!\n"
        "1 bet hard_4 1\nroll 4-4\n1 bet pass_odds 6",
        notice="min=5 unit=4 props=1",
    )
    Game("sydney", "1 bet pass 9!\n1 bet pass 10!\n1 bet pass 25", notice="min=5 unit=4 multiples")


def test_10c_props() -> None:
    """10c: hardways and one-roll wagers but field have their own minimum, lower or higher."""
    Game("adelaide", "1 bet hard_4 2\n1 bet any_seven 1!\n1 bet field 2!\n1 bet field 10", notice="min=10 props=2")
    Game("exhibit-a", "1 bet hard_4 5!\n1 bet pass 5\n1 bet world 10!\n1 bet world 20", notice="min=5 props=20")


def test_10d_side() -> None:
    """10d: fire and bonus wagers have a minimum and maximum of their own."""
    Game("fire-bonus", "1 bet fire 1!\n1 bet fire 2\n1 bet all_tall 30\n1 bet all_small 31!", notice="max=20 side=2-30")


def test_12_no_roll() -> None:
    """12: a no-roll changes nothing, whatever it says."""
    game = Game("fire-bonus", "1 bet fire 5\n1 bet field 5\nno-roll seven out 3-4\n1 bet fire 5\n1 take fire 5")
    assert (game.up(), game.puck, game.shooter) == ({"fire": "5", "field": "5"}, "off", None)


# ---------------------------------------------------------------------------------------------------------------
# Stakes and limits.


def test_13_chip() -> None:
    """13: the smallest chip is the only unit."""
    game = Game(
        "adelaide",
        "1 bet place_6 4!\n1 bet place_6 5\n1 bet pass 5\nroll 2-2\nroll 3-3",
        notice="min=5",
        chips="5 2.5 25",
    )
    assert game.rail() == "997.50"  # 5 x 7/6 = 5.83, up to 7.50


def test_14_adding() -> None:
    """14: a second bet on a key adds to the first."""
    assert Game("adelaide", "1 bet pass 10\n1 bet pass 5").up() == {"pass": "15"}


def test_15_no_pile() -> None:
    """15: nothing, or part of a chip, is no bet."""
    Game("adelaide", "1 bet pass 0!\n1 bet pass 2.50!\n1 bet pass 0.00!")


def test_16_what_would_stand() -> None:
    """16: limits look at the stake that would stand."""
    Game("adelaide", "1 bet pass 5!\n1 bet pass 10\n1 bet pass 1\n1 bet pass 10!\n1 bet pass 9", notice="min=10 max=20")


@pytest.mark.parametrize("house", HOUSES)
def test_17_limits_refuse(house: str) -> None:
    """17: over and under is refused everywhere."""
    Game(house, "1 bet pass 4!\n1 bet pass 21!\n1 bet field 4!\n1 bet field 21!", notice="min=5 max=20")


def test_18_maximum_and_odds() -> None:
    """18: the maximum does not bind odds under a multiple; without one it binds each key by itself."""
    Game("adelaide", "1 bet pass 10\nroll 2-2\n1 bet pass_odds 100", notice="max=20")
    Game("fire-bonus", "1 bet pass 20\nroll 2-2\n1 bet pass_odds 21!\n1 bet pass_odds 20", notice="max=20")
    Game("fire-bonus", "1 bet pass 10\nroll 2-2\n1 bet pass_odds 31!\n1 bet pass_odds 30", notice="max=20 odds=3")


def test_19_minimum_and_odds() -> None:
    """19: odds that stand, or are left, are 0 or at least min."""
    Game(
        "adelaide",
        "1 bet pass 10\nroll 2-2\n1 bet pass_odds 9!\n1 bet pass_odds 10\n1 bet pass_odds 5\n1 take pass_odds 9!\n"
        "1 take pass_odds 10\n1 take pass_odds",
        notice="min=10",
    )


def test_20_parts() -> None:
    """20: splits divide, when bet and when taken; limits look at the whole."""
    Game("adelaide", "1 bet horn 6!\n1 bet horn 8\n1 bet horn 2!\n1 take horn 6!\n1 take horn 4\n1 bet craps_eleven 3!")
    Game("adelaide", "1 bet world 4!\n1 bet world 5\n1 bet craps_eleven 6\n1 bet horn 8", notice="min=5")
    Game("sydney", "1 bet horn_high_12 4!\n1 bet horn_high_12 5\n1 bet horn 2", chips="0.5")


def test_21_commission_is_no_stake() -> None:
    """21: commission counts for no limit."""
    assert Game("adelaide", "1 bet buy_4 20", notice="min=20 max=20").rail() == "979"


def test_22_no_credit() -> None:
    """22: stake and commission come out of the rail, to the last chip."""
    assert Game("adelaide", "1 bet buy_4 20", sits="1 Ann 21").rail() == "0"
    Game("adelaide", "1 bet buy_4 20!\n1 bet pass 20", sits="1 Ann 20")


def test_23_opposites() -> None:
    """23: one seat may bet both sides."""
    Game(
        "adelaide",
        "1 bet pass 5\n1 bet dont_pass 5\n1 bet place_6 6\n1 bet buy_6 5\n1 bet lay_6 6\n1 bet place_lose_6 5",
    )


# ---------------------------------------------------------------------------------------------------------------
# When a wager may be made.


def test_24_line() -> None:
    """24: line bets are made and raised with the puck off only."""
    Game("exhibit-a", "1 bet pass 5\n1 bet pass 5\nroll 2-2\n1 bet pass 5!\n1 bet dont_pass 5!")


def test_25_come() -> None:
    """25: come bets only with a point on; in the box they may be raised."""
    game = Game("adelaide", "1 bet come 5!\n1 bet dont_come 5!\n1 bet pass 5\nroll 2-2\n1 bet come 5\n1 bet come 5")
    assert game.up() == {"pass": "5", "come": "10"}


def test_26_travelled() -> None:
    """26: a travelled bet is never raised; a new one goes to the box."""
    game = Game("adelaide", "1 bet pass 5\nroll 2-2\n1 bet come 5\nroll 3-3\n1 bet come_6 5!\n1 bet come 7")
    assert game.up() == {"pass": "5", "come_6": "5", "come": "7"}


def test_27_dont_before_its_point() -> None:
    """27: before its point a don't is free; a new don't come is always a new bet."""
    game = Game(
        "adelaide",
        """1 bet dont_pass 10
        roll 6-6
        1 take dont_pass 5
        1 take dont_pass
        1 bet dont_pass 10
        1 bet dont_pass 5
        roll 2-2
        1 take dont_pass 10
        1 bet dont_pass 5!
        1 bet dont_come 5
        roll 3-3
        1 take dont_come_6
        1 bet dont_come 5""",
    )
    assert game.up() == {"dont_pass": "10", "dont_come": "5"}


def test_28_odds_need_their_bet() -> None:
    """28: odds belong to a flat bet with a point, on a come-out as well for come odds."""
    Game(
        "adelaide",
        """1 bet pass 5
        1 bet pass_odds 5!
        roll 2-2
        1 bet dont_pass_odds 5!
        1 bet pass_odds 5
        1 bet come 5
        1 bet come_odds_6 5!
        roll 3-3
        1 bet come_odds_4 5!
        1 bet come_odds_6 5
        roll 2-2
        1 bet pass_odds 5!
        1 bet come_odds_6 5""",
    )


def test_29_any_time() -> None:
    """29: the rest at any time; what is off on a come-out lies there off."""
    game = Game("adelaide", "1 bet place_6 6\n1 bet hard_4 5\n1 bet pass 5\nroll 3-4\n1 bet lay_4 5")
    assert (game.up(), game.rail()) == ({"place_6": "6", "hard_4": "5", "lay_4": "5"}, "988")


def test_30_fire_window() -> None:
    """30: fire only while nothing has been rolled since the opening or the last seven-out."""
    game = Game(
        "fire-bonus",
        "1 bet fire 5\n1 bet pass 5\nroll 3-4\n2 bet fire 5!\n1 bet pass 5\nroll 2-2\nroll 3-4\n2 bet fire 5",
        sits=TWO,
    )
    assert (game.up(1), game.up(2)) == ({}, {"fire": "5"})


def test_31_bonus_window() -> None:
    """31: bonus wagers at any come-out."""
    Game(
        "fire-bonus",
        "1 bet pass 5\nroll 1-1\n1 bet all_small 5\n1 bet pass 5\nroll 2-2\n"
        "1 bet all_tall 5!\nroll 2-2\n1 bet all_tall 5",
    )


def test_32_raising_side_bets() -> None:
    """32: a fire or bonus wager is raised only before its first roll; a no-roll is none."""
    Game(
        "fire-bonus",
        "1 bet all_tall 5\n1 bet all_tall 5\n1 bet pass 5\nno-roll x\n1 bet all_tall 5\n"
        "roll 1-1\n1 bet all_tall 5!\n1 bet fire 5!",
    )


# ---------------------------------------------------------------------------------------------------------------
# Odds.


def test_33_multiple() -> None:
    """33: taken odds by stake, laid odds by their exact win."""
    Game(
        "adelaide",
        "1 bet pass 10\nroll 2-2\n1 bet pass_odds 31!\n1 bet pass_odds 20\n1 bet pass_odds 11!\n1 bet pass_odds 10",
        notice="min=1 odds=3",
    )
    Game(
        "adelaide",
        "1 bet dont_pass 10\nroll 2-2\n1 bet dont_pass_odds 21!\n1 bet dont_pass_odds 20",
        notice="min=1 odds=1",
    )
    Game("exhibit-a", "1 bet dont_pass 10\nroll 2-3\n1 bet dont_pass_odds 14!\n1 bet dont_pass_odds 13")  # 13.33
    Game("sydney", "1 bet dont_pass 10\nroll 3-3\n1 bet dont_pass_odds 25!\n1 bet dont_pass_odds 24")


def test_34_no_multiple() -> None:
    """34: fire-bonus without odds= limits odds by max alone."""
    Game(
        "fire-bonus",
        "1 bet dont_pass 1\nroll 2-2\n1 bet dont_pass_odds 501!\n1 bet dont_pass_odds 500",
        notice="min=1 max=500",
    )


def test_35_odds_cut() -> None:
    """35: a reduced don't cuts its odds to whole chips within the new limit."""
    game = Game("exhibit-a", "1 bet dont_pass 20\nroll 2-3\n1 bet dont_pass_odds 26\n1 take dont_pass 10")
    assert (game.up(), game.rail()) == ({"dont_pass": "10", "dont_pass_odds": "13"}, "977")
    game = Game("exhibit-a", "1 bet dont_pass 20\nroll 2-3\n1 bet dont_pass_odds 13\n1 take dont_pass 10")
    assert game.up() == {"dont_pass": "10", "dont_pass_odds": "13"}
    game = Game(
        "adelaide",
        "1 bet pass 5\nroll 2-2\n1 bet dont_come 10\nroll 4-4\n1 bet dont_come_odds_8 120\n1 take dont_come_8 5",
    )
    assert game.up() == {"pass": "5", "dont_come_8": "5", "dont_come_odds_8": "60"}


def test_36_odds_come_with_their_bet() -> None:
    """36: a don't taken down brings its odds."""
    game = Game("adelaide", "1 bet dont_pass 10\nroll 2-3\n1 bet dont_pass_odds 30\n1 take dont_pass")
    assert (game.up(), game.rail()) == ({}, "1000")


def test_37_odds_rounded_alone() -> None:
    """37: flat and odds are rounded each by itself."""
    assert Game("adelaide", "1 bet pass 1\nroll 2-3\n1 bet pass_odds 1\nroll 2-3").rail() == "1003"  # 1 and 1.5 up
    assert Game("fire-bonus", "1 bet pass 1\nroll 2-3\n1 bet pass_odds 1\nroll 2-3").rail() == "1002"


# ---------------------------------------------------------------------------------------------------------------
# Taking down.


def test_38_take() -> None:
    """38: take leaves nothing, or A; 0 is nothing."""
    game = Game(
        "adelaide", "1 bet place_6 12\n1 take place_6 6\n1 bet place_8 6\n1 take place_8 0\n1 bet field 5\n1 take field"
    )
    assert (game.up(), game.rail()) == ({"place_6": "6"}, "994")


def test_39_take_refused() -> None:
    """39: what stays must be a lawful wager, and something must come off."""
    Game(
        "adelaide",
        "1 take place_6!\n1 bet place_6 20\n1 take place_6 20!\n1 take place_6 21!\n"
        "1 take place_6 10.50!\n1 take place_6 5!\n"
        "1 take place_6 15!\n1 take place_6 10",
        notice="min=10 multiples",
    )
    Game("adelaide", "1 bet hard_4 10\n1 take hard_4 2!\n1 take hard_4 3", notice="min=10 props=3")


def test_40_contract() -> None:
    """40: pass with a point and come_N are locked; before that they are free."""
    Game(
        "adelaide",
        """1 bet pass 10
        1 take pass 5
        1 take pass
        1 bet pass 10
        roll 2-2
        1 take pass!
        1 take pass 5!
        1 bet come 10
        1 take come 5
        1 take come
        1 bet come 10
        roll 3-3
        1 take come_6!
        1 take come_6 5!""",
    )


def test_41_donts_are_free() -> None:
    """41: don'ts may be lowered or removed at any time."""
    Game(
        "sydney",
        """1 bet dont_pass 10
        roll 2-2
        1 take dont_pass 5
        1 bet dont_come 10
        1 take dont_come 5
        roll 3-3
        1 take dont_come_6 3
        roll 2-2
        1 take dont_come_6""",
    )


def test_42_the_rest_is_free() -> None:
    """42: all else at any time, on or off."""
    Game(
        "adelaide",
        "1 bet place_6 6\n1 bet lay_4 10\n1 bet hard_4 5\n1 bet field 5\n1 take place_6\n"
        "1 take lay_4\n1 take hard_4\n1 take field",
    )
    Game(
        "adelaide", "1 bet pass 5\nroll 2-2\n1 bet come 5\nroll 3-3\n1 bet come_odds_6 5\nroll 2-2\n1 take come_odds_6"
    )


def test_43_side_bets_locked() -> None:
    """43: fire and bonus are locked from their first roll."""
    Game(
        "fire-bonus",
        "1 bet fire 5\n1 take fire 3\n1 bet all_tall 5\n1 take all_tall\n1 bet all_tall 5\n"
        "1 bet pass 5\nroll 1-1\n1 take fire!\n1 take all_tall!\n1 take fire 1!",
    )


# ---------------------------------------------------------------------------------------------------------------
# On and off.

COME_SIX = "1 bet pass 5\nroll 2-2\n1 bet come 10\nroll 3-3\n1 bet come_odds_6 20\n"


def test_44_who_can_be_called() -> None:
    """44: only place, buy, come odds and hardways that are up."""
    Game(
        "adelaide",
        "1 on place_6!\n1 bet place_6 6\n1 on place_6\n1 off place_6\n1 bet lay_4 5\n"
        "1 off lay_4!\n1 bet big_6 5\n1 off big_6!\n1 on pass!",
    )
    Game("adelaide", COME_SIX + "1 off come_odds_6\n1 off pass!\n1 off come_6!\n1 bet pass_odds 5\n1 off pass_odds!")


def test_45_who_works_on_a_come_out() -> None:
    """45: those four do not work on a come-out; lay, place to lose and big do."""
    game = Game(
        "adelaide",
        "1 bet place_4 5\n1 bet buy_4 5\n1 bet hard_4 5\n1 bet lay_6 12\n"
        "1 bet place_lose_6 5\n1 bet big_8 5\n1 bet pass 5\nroll 3-4",
    )
    # 1000 - 5 - 6 - 5 - 13 - 5 - 5 - 5 = 956; lay wins 10 less 1, place to lose 4, pass 10 back, big 8 lost
    assert game.rail() == "979"
    assert game.up() == {"place_4": "5", "buy_4": "5", "hard_4": "5", "lay_6": "12", "place_lose_6": "5"}
    game = Game("adelaide", "1 bet place_4 5\n1 bet pass 5\nroll 2-3\nroll 3-4")
    assert game.up() == {}


def test_46_come_odds_given_back() -> None:
    """46: come odds that do not work are given back with their come bet's decision."""
    base = COME_SIX + "roll 2-2\n"  # pass paid, puck off: rail 1000 - 5 - 10 - 20 + 10 = 975
    assert Game("adelaide", base + "1 bet pass 5\nroll 3-4").rail() == "1000"  # 975 - 5 + 10 + 20, come lost
    assert Game("adelaide", base + "1 bet pass 5\nroll 2-4").rail() == "1010"  # 970 + 20 + 20, pass is up
    assert Game("adelaide", COME_SIX + "1 off come_odds_6\nroll 2-4").rail() == "1005"  # 965 + 20 + 20
    assert Game("adelaide", COME_SIX + "1 off come_odds_6\nroll 3-4").rail() == "985"
    assert Game("adelaide", base + "1 on come_odds_6\n1 bet pass 5\nroll 3-4").rail() == "980"  # lost too
    assert Game("adelaide", base + "1 on come_odds_6\n1 bet pass 5\nroll 2-4").rail() == "1034"  # 970 + 20 + 20 + 24


def test_47_off_stands() -> None:
    """47: off lasts over points, seven-outs and come-outs, for that one bet."""
    game = Game(
        "adelaide",
        "1 bet place_6 6\n1 bet place_8 6\n1 bet pass 5\n1 off place_6\nroll 2-2\nroll 3-3\n"
        "roll 3-4\n1 bet pass 5\nroll 2-2\nroll 3-3\nroll 3-4",
    )
    assert (game.up(), game.rail()) == ({"place_6": "6"}, "978")


def test_48_on_speaks_for_the_kind() -> None:
    """48: on touches all of its kind, but in exhibit-a the one bet."""
    acts = "1 bet place_6 6\n1 bet place_8 6\n1 bet hard_4 5\n1 bet pass 5\n1 off place_8\n1 on place_6\nroll 3-4"
    for house in ("adelaide", "sydney", "fire-bonus"):
        assert Game(house, acts).up() == {"hard_4": "5"}
    assert Game("exhibit-a", acts).up() == {"place_8": "6", "hard_4": "5"}


def test_49_on_until_a_point() -> None:
    """49: on works over come-out rolls and the one that sets the point, not on later come-outs."""
    game = Game("adelaide", "1 bet place_6 6\n1 on place_6\n1 bet pass 5\nroll 1-1\n1 bet pass 5\nroll 3-3")
    assert game.rail() == "991"  # 1000 - 6 - 5 - 5 + 7
    game = Game("adelaide", "1 bet place_6 6\n1 on place_6\n1 bet pass 5\nroll 2-2\nroll 2-2\n1 bet pass 5\nroll 3-4")
    assert game.up() == {"place_6": "6"}
    game = Game("adelaide", "1 bet place_6 6\n1 on place_6\n1 off place_6\n1 bet pass 5\nroll 3-4")
    assert game.up() == {"place_6": "6"}


def test_50_on_with_a_point() -> None:
    """50: with a point on, `on` ends an off and no more."""
    game = Game(
        "adelaide",
        "1 bet place_6 6\n1 off place_6\n1 bet pass 5\nroll 2-2\n1 on place_6\n1 on place_6\n"
        "roll 3-3\nroll 2-2\n1 bet pass 5\nroll 3-4",
    )
    assert (game.up(), game.rail()) == ({"place_6": "6"}, "1011")  # 1000 - 6 - 5 + 7 + 10 - 5 + 10


def test_51_new_bet_beside_an_on() -> None:
    """51: a new bet on a come-out is On beside another of its kind; not in exhibit-a."""
    acts = "1 bet place_6 6\n1 on place_6\n1 bet place_8 6\n1 bet hard_4 5\n1 bet pass 5\nroll 3-4"
    assert Game("fire-bonus", acts).up() == {"hard_4": "5"}
    assert Game("exhibit-a", acts).up() == {"place_8": "6", "hard_4": "5"}


def test_52_the_button_lies_on_the_bet() -> None:
    """52: additions, reductions and wins keep the state; a bet made again starts afresh."""
    game = Game(
        "adelaide",
        "1 bet place_6 12\n1 off place_6\n1 bet place_6 6\n1 take place_6 6\n1 bet place_8 6\n"
        "1 bet pass 5\nroll 2-2\nroll 3-4",
    )
    assert game.up() == {"place_6": "6"}
    game = Game(
        "adelaide", "1 bet place_6 6\n1 off place_6\n1 take place_6\n1 bet place_6 6\n1 bet pass 5\nroll 2-2\nroll 3-4"
    )
    assert game.up() == {}
    game = Game(
        "adelaide", "1 bet hard_4 5\n1 on hard_4\n1 bet pass 5\nroll 1-1\n1 bet hard_4 5\n1 bet pass 5\nroll 3-4"
    )
    assert game.up() == {}


# ---------------------------------------------------------------------------------------------------------------
# Settling.


def test_53_puck_as_it_stood() -> None:
    """53: the roll that sets a point is a come-out roll, the one that makes it is not."""
    game = Game("adelaide", "1 bet place_6 6\n1 bet pass 5\nroll 3-3\nroll 3-3")
    assert (game.rail(), game.puck) == ("1006", "off")


def test_54_seats_apart() -> None:
    """54: each seat is settled by itself."""
    game = Game("adelaide", "1 bet pass 5\n2 bet dont_pass 5\nroll 2-2\nroll 3-4", sits=TWO)
    assert (game.rail(1), game.rail(2)) == ("995", "1005")


def test_55_come_in_the_box() -> None:
    """55: a come in the box has its own first roll; the old come_N goes before the new one arrives."""
    game = Game("adelaide", "1 bet pass 5\nroll 2-2\n1 bet come 5\nroll 2-2")
    assert (game.up(), game.puck, game.rail()) == ({"come_4": "5"}, "off", "1000")
    game = Game("adelaide", "1 bet pass 5\nroll 2-2\n1 bet come 5\nroll 3-3\n1 bet come 8\nroll 3-4")
    assert (game.up(), game.rail()) == ({}, "998")
    game = Game("adelaide", "1 bet pass 5\nroll 2-2\n1 bet come 5\nroll 3-3\n1 bet come 8\nroll 3-3")
    assert (game.up(), game.rail()) == ({"pass": "5", "come_6": "8"}, "992")
    game = Game("adelaide", "1 bet pass 5\nroll 2-2\n1 bet dont_come 5\nroll 3-3\n1 bet dont_come 8\nroll 3-3")
    assert (game.up(), game.rail()) == ({"pass": "5", "dont_come_6": "8"}, "982")


def test_56_flats_and_odds_come_down() -> None:
    """56: flats and odds that win come down."""
    game = Game("adelaide", "1 bet pass 10\nroll 2-2\n1 bet pass_odds 10\nroll 2-2")
    assert (game.up(), game.rail()) == ({}, "1030")
    game = Game("adelaide", "1 bet dont_pass 10\nroll 2-2\n1 bet dont_pass_odds 10\nroll 3-4")
    assert (game.up(), game.rail()) == ({}, "1015")


def test_57_winners_that_stay() -> None:
    """57: place, place to lose, hardways and big stay up."""
    game = Game("adelaide", "1 bet pass 5\nroll 2-3\n1 bet place_6 6\n1 bet hard_6 1\n1 bet big_6 1\nroll 3-3")
    assert game.up() == {"pass": "5", "place_6": "6", "hard_6": "1", "big_6": "1"}
    assert game.rail() == "1004"  # 1000 - 13 + 7 + 9 + 1
    assert Game("adelaide", "1 bet place_lose_4 11\n1 bet pass 5\nroll 3-4").up() == {"place_lose_4": "11"}


def test_58_one_roll() -> None:
    """58: one-roll wagers always come down."""
    game = Game("adelaide", "1 bet pass 5\n1 bet field 5\n1 bet craps_2 1\n1 bet eleven 1\n1 bet any_craps 1\nroll 1-1")
    assert (game.up(), game.rail()) == ({}, "1043")  # -5 pass, +10 field, +32, -1, +7


@pytest.mark.parametrize(
    ("house", "key", "stake", "dice", "net"),
    [
        ("adelaide", "horn", 4, "1-1", 29),
        ("adelaide", "horn", 4, "1-2", 12),
        ("sydney", "horn", 4, "6-6", 30),
        ("sydney", "horn", 4, "5-6", 13),
        ("exhibit-a", "horn", 4, "1-1", 27),
        ("fire-bonus", "horn", 4, "1-1", 26),
        ("fire-bonus", "horn", 4, "1-2", 11),
        ("fire-bonus", "horn", 4, "3-4", -4),
        ("sydney", "horn_high_12", 5, "6-6", 63),
        ("sydney", "horn_high_12", 5, "1-1", 29),
        ("exhibit-a", "horn_high_11", 5, "5-6", 27),
        ("exhibit-a", "horn_high_11", 5, "1-2", 11),
        ("fire-bonus", "horn_high_12", 5, "6-6", 55),
        ("fire-bonus", "horn_high_3", 5, "3-3", -5),
        ("adelaide", "craps_eleven", 2, "1-1", 6),
        ("adelaide", "craps_eleven", 2, "5-6", 14),
        ("sydney", "craps_eleven", 2, "1-2", 7),  # 6.50, rounded up
        ("sydney", "craps_eleven", 4, "1-2", 13),
        ("adelaide", "world", 5, "1-1", 28),
        ("adelaide", "world", 5, "3-4", 0),
        ("fire-bonus", "world", 5, "3-4", 0),
        ("exhibit-a", "world", 10, "5-6", 22),
    ],
)
def test_59_splits(house: str, key: str, stake: int, dice: str, net: int) -> None:
    """59: the winning part comes back with its winnings, the other parts are lost."""
    line = {7: 5, 11: 5, 6: -5}.get(sum(map(int, dice.split("-"))), -5)
    game = Game(house, f"1 bet pass 5\n1 bet {key} {stake}\nroll {dice}")
    assert Fraction(game.rail()) == 1000 + line + net
    assert key not in game.up()


def test_60_bar() -> None:
    """60: the bar number leaves a don't where it is: 12, in sydney 2."""
    game = Game("adelaide", "1 bet dont_pass 5\nroll 6-6\nroll 1-1")
    assert (game.up(), game.rail()) == ({}, "1005")
    game = Game("sydney", "1 bet dont_pass 5\nroll 1-1\nroll 6-6")
    assert (game.up(), game.rail()) == ({}, "1005")
    game = Game("adelaide", "1 bet pass 5\nroll 2-2\n1 bet dont_come 5\nroll 6-6\nroll 4-4")
    assert game.up() == {"pass": "5", "dont_come_8": "5"}


def test_61_rounding() -> None:
    """61: up in adelaide and sydney, down in exhibit-a and fire-bonus, to 0 if it must be."""
    for house, rail in (("adelaide", "1002"), ("sydney", "1002"), ("fire-bonus", "1001"), ("exhibit-a", "1001")):
        game = Game(house, "1 bet pass 1\nroll 2-3\n1 bet place_5 1\nroll 2-3")  # the line pays 1, place 1.40 or 1.25
        assert game.rail() == rail
    game = Game("exhibit-a", "1 bet dont_pass 1\nroll 2-2\n1 bet dont_pass_odds 1\nroll 3-4")
    assert game.rail() == "1001"  # 1 x 1/2 pays nothing


def test_62_for() -> None:
    """62: for prices pay one less."""
    game = Game("fire-bonus", "1 bet pass 5\n1 bet craps_12 1\n1 bet hop_hard_4 1\n1 bet any_seven 1\nroll 2-2")
    assert game.rail() == "1022"  # 1000 - 8 + 1 + 29
    assert Game("fire-bonus", "1 bet pass 5\nroll 2-2\n1 bet hard_6 1\nroll 3-3").rail() == "1003"  # 1000 - 6 + 9


# ---------------------------------------------------------------------------------------------------------------
# Commission.


@pytest.mark.parametrize(
    ("house", "key", "stake", "charge"),
    [
        ("adelaide", "buy_4", 10, 1),
        ("adelaide", "buy_4", 20, 1),
        ("adelaide", "buy_4", 59, 2),
        ("sydney", "lay_4", 100, 2),  # of 50: 2.50
        ("sydney", "lay_6", 1, 1),
        ("adelaide", "lay_5", 60, 2),  # of 40
        ("fire-bonus", "buy_6", 40, 2),
        ("fire-bonus", "lay_4", 100, 0),
    ],
)
def test_63_commission(house: str, key: str, stake: int, charge: int) -> None:
    """63: 5% of the stake or of the possible win, down to chips, at least one."""
    game = Game(house, f"1 bet {key} {stake}")
    assert (game.up(), game.rail()) == ({key: str(stake)}, str(1000 - stake - charge))


def test_64_additions() -> None:
    """64: an addition is charged what the whole costs more than is held, so the way to a stake does not matter."""
    assert Game("adelaide", "1 bet buy_4 30\n1 bet buy_4 10").rail() == "958"  # 1 + 1
    assert Game("adelaide", "1 bet buy_4 40").rail() == "958"
    assert Game("adelaide", "1 bet buy_4 1\n1 bet buy_4 1\n1 bet buy_4 1").rail() == "996"  # 1 in all
    assert Game("adelaide", "1 bet buy_4 10\n" * 39).rail() == Game("adelaide", "1 bet buy_4 390").rail() == "591"
    assert Game("adelaide", "1 bet buy_4 100\n1 take buy_4 50\n1 bet buy_4 10").rail() == "937"  # 2 held of 5, 3 for 60


def test_65_refunds() -> None:
    """65: held x removed / stake, down; the whole comes back with the whole."""
    assert Game("adelaide", "1 bet buy_4 60\n1 take buy_4 40").rail() == "958"  # 937 + 20 + 1
    assert Game("adelaide", "1 bet buy_4 60\n1 take buy_4 40\n1 take buy_4 30").rail() == "968"  # 2 x 10 / 40: none
    assert Game("adelaide", "1 bet buy_4 60\n1 take buy_4 40\n1 take buy_4 30\n1 take buy_4").rail() == "1000"
    assert Game("fire-bonus", "1 bet lay_4 60\n1 take lay_4").rail() == "1000"


def test_66_charged_again() -> None:
    """66: a buy or lay that wins and stays is charged again from its winnings; that is held from then on."""
    game = Game("adelaide", "1 bet pass 5\nroll 2-3\n1 bet buy_4 10\n1 bet buy_4 10\nroll 2-2")
    assert (game.up(), game.rail()) == ({"pass": "5", "buy_4": "20"}, "1013")  # 995 - 21 + 40 - 1
    game = Game("adelaide", "1 bet pass 5\nroll 2-3\n1 bet buy_4 10\n1 bet buy_4 10\nroll 2-2\n1 take buy_4")
    assert game.rail() == "1034"
    game = Game("sydney", "1 bet pass 5\n1 bet lay_4 1\nroll 3-4\n1 take lay_4")
    assert game.rail() == "1005"  # in front 1, won 1 less 1, the second 1 back: 1000 + 5 - 1 + 0 + 1


def test_67_lay_in_fire_bonus() -> None:
    """67: 5% of the winnings as rounded, at least a chip, never more than the winnings."""
    for stake, net in ((100, 48), (10, 4), (3, 0), (1, 0), (2, 0), (840, 399)):
        game = Game("fire-bonus", f"1 bet pass 5\n1 bet lay_4 {stake}\nroll 3-4\n1 take lay_4")
        assert Fraction(game.rail()) == 1005 + net


def test_68_commission_of_a_loser() -> None:
    """68: it is gone; a bet that does not work is not charged again."""
    assert Game("adelaide", "1 bet pass 5\nroll 2-3\n1 bet buy_4 20\nroll 3-4").rail() == "974"
    game = Game("adelaide", "1 bet pass 5\n1 bet buy_4 20\nroll 2-2\nroll 2-2\n1 take buy_4")
    assert game.rail() == "1044"  # 1000 - 5 - 21 + 10, then 40 less 1, then 20 and 1 back
    assert Game("adelaide", "1 bet pass 5\n1 bet buy_4 20\nroll 2-2\n1 take buy_4").rail() == "995"


# ---------------------------------------------------------------------------------------------------------------
# Fire and bonus.

HARD_WAYS = {4: "2-2", 5: "2-3", 6: "3-3", 8: "4-4", 9: "4-5", 10: "5-5"}


def points_made(*points: int, line: int = 1) -> str:
    """Each of these points set and made by seat `line` on the pass line, for 5."""
    return "".join(f"{line} bet pass 5\nroll {HARD_WAYS[p]}\nroll {HARD_WAYS[p]}\n" for p in points)


SEVEN_OUT = "1 bet pass 5\nroll 2-2\nroll 3-4\n"


@pytest.mark.parametrize(
    ("points", "net"),
    [((), -1), ((4, 5), -1), ((4, 4, 5, 5), -1), ((4, 5, 6), 6), ((4, 5, 6, 8), 29), ((4, 5, 6, 8, 9), 149)],
)
def test_69_fire_counts_different_points(points: tuple[int, ...], net: int) -> None:
    """69, 70: different points made, settled at the seven-out; come-out sevens and craps do not end it."""
    acts = "1 bet fire 1\n1 bet pass 5\nroll 3-4\n1 bet pass 5\nroll 1-1\n" + points_made(*points)
    game = Game("fire-bonus", acts + SEVEN_OUT)
    assert Fraction(game.rail()) == 1000 + 5 * len(points) + 5 - 5 - 5 + net
    assert game.up() == {}


def test_70_sixth_point_at_once() -> None:
    """70: the sixth point pays 299 at once; the tally starts again only after a seven-out."""
    game = Game("fire-bonus", "1 bet fire 1\n" + points_made(*POINTS) + "1 bet fire 1!")
    assert (game.up(), game.rail()) == ({}, "1329")
    game = Game(
        "fire-bonus",
        "1 bet fire 1\n" + points_made(*POINTS) + SEVEN_OUT + "1 bet fire 1\n" + points_made(4) + SEVEN_OUT,
    )
    assert game.rail() == "1323"


def test_71_bonus() -> None:
    """71: each bonus wager counts from its own first roll, pays at once and comes down; any 7 takes it."""
    game = Game(
        "fire-bonus",
        "1 bet all_small 1\n1 bet pass 5\nroll 1-1\n1 bet pass 5\nroll 1-2\n1 bet pass 5\nroll 2-2\nroll 2-3\nroll 3-3",
    )
    assert (game.up(), game.rail()) == ({"pass": "5"}, "1019")  # -15 +34
    late = (
        "1 bet pass 5\nroll 1-1\n1 bet all_small 1\n1 bet pass 5\nroll 1-2\n1 bet pass 5\nroll 2-2\nroll 2-3\nroll 3-3"
    )
    assert Game("fire-bonus", late).up() == {"all_small": "1", "pass": "5"}
    assert Game("fire-bonus", "1 bet all_tall 1\n1 bet pass 5\nroll 3-4").up() == {}
    both = (
        "1 bet all_tall 1\n1 bet make_em_all 1\n1 bet all_small 1\n1 bet dont_pass 5\n"
        "roll 2-2\nroll 1-1\nroll 1-2\nroll 2-3\nroll 3-3\nroll 4-4\nroll 4-5\nroll 5-5\n"
        "roll 5-6\nroll 6-6"
    )
    game = Game("fire-bonus", both)
    assert (game.up(), game.rail()) == ({"dont_pass": "5"}, str(1000 - 5 + 34 + 34 + 175))


# ---------------------------------------------------------------------------------------------------------------
# Puck and dice.


def test_72_puck() -> None:
    """72: point numbers set it; it is off after the point and after a seven-out."""
    for n in POINTS:
        assert Game("adelaide", f"1 bet pass 5\nroll {HARD_WAYS[n]}").puck == n
    assert Game("sydney", "1 bet field 5\nroll 4-4").puck == 8  # nobody on the line
    assert Game("adelaide", points_made(6)).puck == "off"
    assert Game("adelaide", SEVEN_OUT).puck == "off"


def test_73_shoot() -> None:
    """73: the dice are for the taking while nobody holds them."""
    game = Game("adelaide", "2 shoot\n2 shoot\n1 shoot!\n2 bet pass 5\nroll 2-2\n1 shoot!", sits=TWO)
    assert game.shooter == 2
    Game(
        "adelaide",
        "1 bet dont_pass 5\n2 bet dont_pass 5\n1 shoot\nroll 2-2\n1 take dont_pass\n3 shoot!\n1 shoot!\n2 shoot",
        sits=THREE,
    )


def test_74_seven_out() -> None:
    """74: nobody holds the dice at the opening and after a seven-out; a come-out 7 leaves them."""
    assert Game("adelaide", "1 bet pass 5").shooter is None
    assert Game("adelaide", "1 bet pass 5\nroll 3-4").shooter == 1
    assert Game("adelaide", SEVEN_OUT).shooter is None


@pytest.mark.parametrize(
    ("house", "alone", "with_other"),
    [("sydney", None, None), ("adelaide", 1, None), ("exhibit-a", 1, 1), ("fire-bonus", 1, 1)],
)
def test_75_line_bet_gone(house: str, alone: int | None, with_other: int | None) -> None:
    """75: who keeps the dice after taking down the only line bet with a point on."""
    assert Game(house, "1 bet dont_pass 5\n1 shoot\nroll 2-2\n1 take dont_pass", sits=TWO).shooter == alone
    acts = "1 bet dont_pass 5\n2 bet pass 5\n1 shoot\nroll 2-2\n1 take dont_pass"
    assert Game(house, acts, sits=TWO).shooter == with_other
    assert Game(house, "1 bet dont_pass 5\n1 bet pass 5\nroll 2-2\n1 take dont_pass").shooter == 1


def test_76_clockwise() -> None:
    """76: the first seat with a line bet, after the shooter or the last one, who comes last."""
    assert Game("adelaide", "3 bet pass 5\n2 bet pass 5\nroll 2-2", sits=THREE).shooter == 2
    assert Game("adelaide", SEVEN_OUT + "1 bet pass 5\n3 bet pass 5\nroll 1-1", sits=THREE).shooter == 3
    assert Game("adelaide", SEVEN_OUT + "1 bet pass 5\nroll 1-1", sits=THREE).shooter == 1
    assert Game("adelaide", "2 shoot\n1 bet pass 5\nroll 1-1", sits=THREE).shooter == 1
    assert (
        Game(
            "adelaide",
            "2 bet dont_pass 5\n3 bet pass 5\n1 bet pass 5\n2 shoot\nroll 2-2\n2 take dont_pass\nroll 1-1",
            sits=THREE,
        ).shooter
        == 3
    )


def test_77_nobody_on_the_line() -> None:
    """77: fire-bonus and an adelaide come-out refuse; in adelaide the last holder finishes the point."""
    Game("fire-bonus", "1 bet place_6 6\nroll 3-3!")
    Game("adelaide", "1 bet place_6 6\n1 shoot\nroll 3-3!")
    game = Game("adelaide", "1 bet dont_pass 5\nroll 2-2\n1 take dont_pass\nroll 1-1")
    assert (game.shooter, game.puck) == (1, 4)
    base = (
        "1 bet dont_pass 5\n2 bet dont_pass 5\n1 shoot\nroll 2-2\n1 take dont_pass\n"
        "2 take dont_pass\n1 shoot!\n2 shoot!\n"
    )
    assert Game("adelaide", base, sits=TWO).shooter is None
    game = Game("adelaide", base + "roll 1-1", sits=TWO)
    assert (game.shooter, game.puck) == (1, 4)
    game = Game("adelaide", base + "roll 3-4", sits=TWO)
    assert (game.shooter, game.puck) == (None, "off")
    game = Game("adelaide", base + "roll 2-2", sits=TWO)
    assert (game.shooter, game.puck) == (1, "off")


def test_78_stickperson() -> None:
    """78: in sydney the stickperson throws for any wager; then 76 comes first again."""
    Game("sydney", "1 shoot\nroll 3-3!")
    game = Game("sydney", "1 shoot\n1 bet place_6 6\nroll 2-2\nroll 3-3")
    assert (game.shooter, game.puck, game.rail()) == (None, 4, "1001")
    game = Game("sydney", "1 bet place_6 6\nroll 2-2\nroll 3-4\n1 bet pass 5\nroll 2-2")
    assert (game.shooter, game.up()) == (1, {"pass": "5"})


def test_79_come_only() -> None:
    """79: exhibit-a throws for come bets without a line bet: no point, no seven-out."""
    base = COME_SIX.replace("come_odds_6 20", "come_odds_6 10") + "1 bet place_8 6\nroll 2-2\n"
    # the rail by then is 1000, less 5, 10, 10 and 6, and 10 back from the line: 979
    game = Game("exhibit-a", base + "roll 4-4\n1 bet come 5!")
    assert (game.puck, game.shooter, game.rail()) == ("off", 1, "979")
    game = Game("exhibit-a", base + "roll 3-4")
    assert (game.puck, game.shooter, game.rail(), game.up()) == ("off", 1, "989", {"place_8": "6"})
    Game("exhibit-a", base + "roll 3-4\nroll 3-4!")
    game = Game("exhibit-a", base + "2 bet pass 5\nroll 4-4", sits=TWO)
    assert (game.puck, game.shooter) == (8, 2)
    Game("exhibit-a", "1 bet place_6 6\n1 shoot\nroll 3-3!")


def test_80_refused_roll() -> None:
    """80: a refused roll settles nothing and leaves the dice where they are."""
    game = Game("adelaide", "1 bet field 5\n2 shoot\nroll 1-1!", sits=TWO)
    assert (game.up(1), game.shooter) == ({"field": "5"}, 2)


def test_81_dice_touch_no_bet() -> None:
    """81: taking, passing and losing the dice touch no bet."""
    game = Game(
        "sydney",
        "1 bet dont_pass 5\n1 bet place_6 6\n2 bet pass 5\n1 shoot\nroll 2-2\n1 take dont_pass\n2 shoot",
        sits=TWO,
    )
    assert (game.up(1), game.up(2), game.shooter, game.puck) == ({"place_6": "6"}, {"pass": "5"}, 2, 4)


# ---------------------------------------------------------------------------------------------------------------
# Whatever the record.


@pytest.mark.parametrize("seed", range(120))
def test_no_chip_is_made_or_lost(seed: int) -> None:
    """13, 22: rails, felt, bank and cage sum to what was bought; stakes are whole chips and rails never below 0."""
    table, acts = read(random_record(random.Random(seed)))
    for act in acts:
        before = repr(table)
        accepted = do(table, act)
        if not accepted:
            assert repr(table) == before, "a refusal changes nothing at all"
        stakes = [pile.stake for seat in table.seats.values() for pile in seat.up.values()]
        held = sum(seat.rail + seat.tokens for seat in table.seats.values())
        assert held + sum(stakes) + table.bank + table.cashed == table.bought
        assert all(stake > 0 and stake % table.chip == 0 for stake in stakes)
        assert all(seat.rail >= 0 and seat.tokens >= 0 for seat in table.seats.values())
        assert all(pile.held % table.chip == 0 for seat in table.seats.values() for pile in seat.up.values())


@pytest.mark.parametrize("seed", range(40))
def test_odds_never_stand_alone(seed: int) -> None:
    """36, 56: odds are up only with their flat bet, line odds only with a point on."""
    table, acts = read(random_record(random.Random(seed), acts=200))
    for act in acts:
        do(table, act)
        for seat in table.seats.values():
            for key in seat.up:
                kind, n = KEYS[key]
                if kind in ("pass_odds", "dont_pass_odds"):
                    assert table.point is not None
                    assert kind.removesuffix("_odds") in seat.up
                if kind in ("come_odds", "dont_come_odds"):
                    assert f"{kind.removesuffix('_odds')}_{n}" in seat.up
            assert table.point is not None or not {"come", "dont_come"} & set(seat.up)


def test_random_records_are_repeatable() -> None:
    """The same seed writes the same record, and every house comes up."""
    assert random_record(random.Random(7)) == random_record(random.Random(7))
    for house in HOUSES:
        assert f"house {house}" in random_record(random.Random(1), house)


@pytest.mark.parametrize("seed", range(60))
def test_random_unreadable_records(seed: int) -> None:
    """6: every broken record is refused, and its line lies within it."""
    for step in range(20):
        text = random_unreadable(random.Random(seed * 1000 + step))
        with pytest.raises(Unreadable) as found:
            replay(text)
        assert 1 <= found.value.line <= text.count("\n") + 1


VERBS = {
    *("sit", "buyin", "leave", "bet", "tokens", "late", "found", "take", "on", "off"),
    *("shoot", "decline", "pass-dice", "order-pass", "choose"),
    *("die-off", "die-found", "die-checked", "die-lost"),
    *("roll", "dice-out", "no-roll", "no-roll-by", "throw", "cocked", "dispute", "rule"),
    *("invalidate", "return-all", "post", "close"),
}


@pytest.mark.slow
def test_random_records_use_every_verb() -> None:
    """Every verb of `docs/record.md` is said in random records, at good moments and at bad ones."""
    due = {(verb, accepted) for verb in VERBS for accepted in (True, False)}
    for seed in range(500):
        text = random_record(random.Random(seed))
        due -= {(act.verb, done) for act, (_, done) in zip(read(text)[1], replay(text).acts, strict=True)}
        if not due:
            return
    raise AssertionError(f"500 records have nothing of {sorted(due)}")
