"""The player: the first rolls of every strategy, refusals, buttons, memory, functions as strategies."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from passline.engine.table import Notice
from passline.engine.values import Roll
from passline.errors import ArgumentError, StrategyError, UnboundedStrategyError, WagerMissingError
from passline.house import House
from passline.machine.play import OURS, Player, Setting
from passline.machine.terms import Seating
from passline.strategies.language.read import built_in, load, make
from passline.strategies.player.plan import NO_PURSE, Purse
from tests.tables import cases

if TYPE_CHECKING:
    from collections.abc import Mapping

    from passline.strategies.language.strategy import Strategy

FILE = Path(__file__).with_name("first_rolls.txt")
NEED_A_MAXIMUM = {"martingale_pass", "labouchere_dont_pass"}


def blocks() -> dict[tuple[str, str], list[tuple[str, str, str]]]:
    """The played rolls of the file, by strategy and house."""
    found: dict[tuple[str, str], list[tuple[str, str, str]]] = {}
    for line in FILE.read_text(encoding="utf-8").splitlines():
        if line.startswith("  "):
            up, roll, net = (part.strip() for part in line.split("|"))
            found[list(found)[-1]].append((up, roll, net))
        elif line and not line.startswith("#"):
            strategy, _, house = line.split()
            found[strategy, house] = []
    return found


def up_now(player: Player) -> dict[str, str]:
    """What is up before the roll, in units, with the buttons."""
    felt = player.act().table.seats[OURS].felt
    unit = player.plan.unit
    return {
        key: f"{Fraction(wager.stake) / unit}" + (f"({wager.call})" if wager.call else "")
        for key, wager in felt.items()
    }


def throw(text: str) -> int:
    """A roll as its throw."""
    first, second = text.split("-")
    return Roll(int(first), int(second)).throw


@cases("strategy, house", list(blocks()))
def test_the_first_rolls(strategy: str, house: str) -> None:
    """What is up, and what each roll brings, as a player at the rail would note it."""
    most = 100 if strategy in NEED_A_MAXIMUM else None
    played = load(strategy)
    purse = Purse(Fraction(100)) if played.minds_money else NO_PURSE
    player = Player(Setting(played, Seating(House(house), 1, max_bet=most), purse))
    for up, roll, net in blocks()[strategy, house]:
        noted = dict(part.split("=") for part in up.split()) if up != "-" else {}
        assert up_now(player) == noted, f"before {roll}"
        assert str(player.roll(throw(roll)) * player.minor_unit) == net, f"{up} | {roll}"
    assert not player.setting.refused


def test_every_strategy_has_its_first_rolls() -> None:
    """Nobody joins the library untried."""
    assert {strategy for strategy, _ in blocks()} == set(built_in())


@pytest.mark.parametrize(
    ("come_out", "placed"),
    [
        ("2-2", {"place_6", "place_8"}),  # the field won five: twelve are left beside the five on the line
        ("5-4", {"place_6", "place_8"}),
        ("3-3", set()),  # the field lost five, so that two are left
        ("6-5 3-3", {"place_8"}),  # ten were won before: enough for both, and six is the point
    ],
)
def test_risk_12_pays_for_its_numbers_out_of_twelve_and_the_winnings(come_out: str, placed: set[str]) -> None:
    """As crapssim's does: one field win covers both numbers; 867 of 2,500 rolls differed when it covered one."""
    player = Player(Setting(load("risk_12"), Seating("strip", 1)))
    play(player, come_out)
    assert {wager for wager in up_now(player) if wager.startswith("place_")} == placed


@pytest.mark.parametrize(("strategy", "rolls"), [("iron_cross_2x", "3-3 2-2 2-4"), ("risk_12", "2-2")])
def test_a_field_bet_that_won_comes_down_when_it_is_not_wanted(strategy: str, rolls: str) -> None:
    """The Strip leaves a winner up; crapssim's take it: before a come-out, and with a point on."""
    player = Player(Setting(load(strategy), Seating("strip", 1)))
    play(player, rolls)
    assert "field" not in up_now(player)
    assert "pass" in up_now(player)


def seated(*wants: Mapping[str, Any], house: str = "adelaide", unit: int = 1, **more: Any) -> Player:  # noqa: ANN401
    """A player of a strategy made on the spot."""
    return Player(Setting(strategy_of(*wants, **more), Seating(House(house), unit)))


def strategy_of(*wants: Mapping[str, Any], **more: Any) -> Strategy:  # noqa: ANN401 - tables of a strategy file
    """A strategy made on the spot."""
    return make({"name": "x", "description": "x", "want": list(wants), **more})


def play(player: Player, rolls: str) -> list[Fraction]:
    """The nets of some rolls, in money."""
    return [player.roll(throw(roll)) * player.minor_unit for roll in rolls.split()]


def test_a_refusal_is_kept_and_shown() -> None:
    """A come bet on a come-out is refused; the player goes on, and everybody can see it."""
    player = seated({"up": {"come": 1}})
    assert play(player, "4-2 5-2") == [0, 1]
    (no,) = player.setting.refused.values()
    assert (no.wager, no.refusal.code) == ("come", "bet.window")


def test_of_two_wants_the_later_counts() -> None:
    """Exceptions stand below what they are exceptions to."""
    player = seated({"up": {"place_6": 6, "place_8": 6}}, {"when": "puck on", "up": {"place_6": 12}})
    player.roll(throw("2-2"))
    assert up_now(player) == {"place_6": "12", "place_8": "6"}


def test_what_is_not_spoken_of_stays_up() -> None:
    """Only what a want names is changed; `down` names what comes down."""
    player = seated({"when": "puck on", "up": {"place": 5}}, {"when": "hits(4) > 1", "down": ["place_4", "place_5"]})
    play(player, "2-2 3-1")
    assert set(up_now(player)) == {"place_6", "place_8", "place_9", "place_10"}


def test_chips_come_down_in_part() -> None:
    """A smaller amount leaves the rest."""
    player = seated({"when": "hand_rolls = 0", "up": {"place_6": 18}}, {"when": "hand_rolls > 0", "up": {"place_6": 6}})
    play(player, "2-2")
    assert up_now(player) == {"place_6": "6"}
    assert player.need == 6 * player.plan.unit
    player.roll(throw("3-3"))
    assert player.action == 6 * player.plan.unit  # what was up when the six came


def test_wagers_are_called_off_and_on() -> None:
    """A wager called off cannot win or lose until it is called on."""
    wants = (
        {"when": "puck on", "up": {"place_6": 6}},
        {"when": "hits(6) = 1", "off": ["place"]},
        {"when": "hits(6) > 1", "on": ["place"]},
    )
    assert play(seated(*wants), "2-2 3-3 3-3 3-3 5-2") == [0, 7, 0, 7, -6]


def test_counts_of_a_hand() -> None:
    """Wins, losses, bets, rolls and points of the hand; the next shooter starts from nothing."""
    conditions = ("wins(field) = 2", "losses(field) = 1", "bets(field) = 3", "hand_rolls = 3", "hand_points = 1")
    for condition in conditions:
        wants = ({"up": {"field": 1}}, {"when": condition, "up": {"any_seven": 1}})
        player = seated(*wants)
        play(player, "2-2 3-3 3-1")
        assert "any_seven" in up_now(player), condition
        play(player, "4-2 5-2")
        assert "any_seven" not in up_now(player), condition


def test_the_evening_is_looked_at() -> None:
    """Profit, bankroll, rolls and hands."""
    wants = (
        {"up": {"field": 1}},
        {"when": "profit >= 2", "up": {"field": 5}},
        {"when": "hands > 0", "up": {"field": 9}},
    )
    player = seated(*wants)
    play(player, "2-2 3-1")
    assert up_now(player) == {"field": "5"}
    play(player, "2-2 5-2")
    assert up_now(player) == {"field": "9"}
    rich = strategy_of({"when": "bankroll > 100", "up": {"field": 1}})
    with pytest.raises(StrategyError, match="bankroll"):
        Setting(rich, Seating("adelaide"))
    assert up_now(Player(Setting(rich, Seating("adelaide"), Purse(Fraction(101))))) == {"field": "1"}


def test_the_maximum_of_a_table_without_one_is_no_amount() -> None:
    """`max` on a flat bet needs a notice or --max."""
    with pytest.raises(UnboundedStrategyError, match="--max"):
        seated({"up": {"field": "max"}})
    setting = Setting(strategy_of({"up": {"field": "max"}}), Seating("adelaide", max_bet=50))
    assert up_now(Player(setting)) == {"field": "50"}


def test_a_wager_the_house_lacks_is_said_with_the_houses_that_have_it() -> None:
    """And a name that is no wager with the nearest that is."""
    with pytest.raises(WagerMissingError, match="does not book fire; fire-bonus does") as caught:
        seated({"up": {"fire": 1}})
    assert caught.value.wagers == ("fire",)
    assert caught.value.houses == ("fire-bonus",)
    with pytest.raises(WagerMissingError, match="the nearest name is place_6"):
        seated({"up": {"plase_6": 1}})


def test_a_real_notice_rounds_and_refuses() -> None:
    """Five on the six pays 5.83: six with dollar chips at adelaide; one unit under the minimum is refused."""
    notice = Notice(minimum=500, maximum=100_000, odds=None, chip=100)
    book, placed = House("adelaide").book, strategy_of({"when": "puck on", "up": {"place_6": 1}})
    player = Player(Setting(placed, Seating(House("x", book=book), 5, notice=notice)))
    assert play(player, "2-2 3-3") == [0, 6]
    poor = Player(Setting(placed, Seating(House("x", book=book), 1, notice=notice)))
    assert play(poor, "2-2 3-3") == [0, 0]
    assert [no.refusal.code for no in poor.setting.refused.values()] == ["bet.under_minimum"]
    with pytest.raises(StrategyError, match="whole number of cents"):
        Setting(placed, Seating(House("x", book=book), Fraction(1, 3), notice=notice))


def test_a_float_alone_rounds_without_limits() -> None:
    """Chips bring rounding; only a notice brings limits."""
    placed = strategy_of({"when": "puck on", "up": {"place_6": 1}})
    assert play(Player(Setting(placed, Seating("adelaide", 1, chips=(1, 5)))), "2-2 3-3") == [0, 2]


def test_a_unit_of_nothing_is_refused() -> None:
    """Stakes are more than nothing."""
    with pytest.raises(ArgumentError, match="unit: found 0; expected an amount above 0"):
        seated({"up": {"field": 1}}, unit=0)
