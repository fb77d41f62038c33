"""What a strategy can say about money and counts: amounts that follow them, series, ends, puts, added strategies."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from passline import House
from passline.errors import StrategyFileError, UnboundedStrategyError
from passline.machine.build import build
from passline.machine.play import OURS, Player, Setting
from passline.machine.terms import Seating, Terms
from passline.strategies.language.read import make
from passline.strategies.player.plan import Purse


def played(
    values: dict[str, Any], throws: str, house: str = "strip", bankroll: int | None = None
) -> list[tuple[str, str]]:
    """For each throw, what is up before it and what it brings, in units; nothing may be refused."""
    strategy = make({"name": "x", "description": "x", **values})
    player = Player(Setting(strategy, Seating(House(house)), Purse(None if bankroll is None else Fraction(bankroll))))
    rows = []
    for throw in throws.split():
        first, second = map(int, throw.split("-"))
        felt = player.act().table.seats[OURS].felt
        up = " ".join(f"{key}={Fraction(wager.stake) / player.plan.unit}" for key, wager in felt.items())
        rows.append((up, str(player.roll((first - 1) * 6 + second - 1) * player.minor_unit)))
    assert not player.setting.refused
    return rows


def machine_size(values: dict[str, Any], bankroll: int | None = None) -> int:
    """How many states a machine of it has, as it stands or between the stops of its file and a bankroll."""
    strategy = make({"name": "x", "description": "x", **values})
    ends = strategy.ends
    known = (bankroll, ends.stop_win, ends.stop_loss) != (None, None, None) and "stop_win" in values.get("ends", {})
    terms = Terms(bankroll=bankroll, stop_win=ends.stop_win, stop_loss=ends.stop_loss) if known else None
    return build(strategy, Seating("strip"), terms).states


def line(amount: str, **more: dict[str, Any]) -> dict[str, Any]:
    """An amount on the pass line before every come-out."""
    return {"want": [{"when": "puck off", "up": {"pass": amount}}], **more}


def test_an_amount_grows_with_a_count() -> None:
    """Six units more for each six, up to thirty; the count is kept no further than that."""
    values = {"want": [{"when": "puck on", "up": {"place_6": "least(30, 6 * (1 + hits(6)))"}}]}
    rows = played(values, "2-2 3-3 5-1 4-2 1-5 3-3 5-2 2-2")
    assert [up for up, _ in rows] == ["", *(f"place_6={n}" for n in (6, 12, 18, 24, 30, 30)), ""]
    assert machine_size(values) < 100
    endless = {"want": [{"when": "puck on", "up": {"place_6": "6 * (1 + hits(6))"}}]}
    with pytest.raises(UnboundedStrategyError, match="counts without end"):
        machine_size(endless)


def test_an_amount_shrinks_with_a_count_of_ones_own() -> None:
    """Down to a floor."""
    own = {"count": {"sixes": {"when": "rolled = 6", "reset": "hand over"}}}
    values = {"want": [{"when": "puck on", "up": {"place_6": "greatest(6, 18 - 6 * sixes)"}}], **own}
    assert [up for up, _ in played(values, "2-2 3-3 3-3 3-3")] == ["", "place_6=18", "place_6=12", "place_6=6"]
    assert machine_size(values) < 100


def test_a_win_is_pressed_by_what_it_paid() -> None:
    """Seven on six makes thirteen, and a roll that wins nothing presses nothing."""
    press = {"up": {"place_6": "greatest(6, stake(place_6) + just_won(place_6))"}, "when": "puck on"}
    rows = played({"want": [press]}, "2-2 3-3 1-1 3-3")
    assert [up for up, _ in rows] == ["", "place_6=6", "place_6=13", "place_6=13"]


def test_a_share_of_the_bankroll_goes_down_to_the_unit() -> None:
    """A tenth of 55, of 60, of 66."""
    rows = played(line("bankroll / 10"), "6-5 6-5 1-1", bankroll=55)
    assert rows == [("pass=5", "5"), ("pass=6", "6"), ("pass=6", "-6")]
    stops = {"ends": {"stop_win": 20, "stop_loss": 30}}
    assert machine_size(line("bankroll / 10", **stops), bankroll=55) > 10
    with pytest.raises(UnboundedStrategyError, match="profit or bankroll"):
        build(make({"name": "x", "description": "x", **line("profit + 5")}), Seating("strip"))


def test_all_that_is_left() -> None:
    """What is up elsewhere is not at hand, and what is up here is."""
    values = {"want": [{"when": "puck off", "up": {"pass": 10}}, {"when": "puck on", "up": {"pass_odds": "left"}}]}
    rows = played(values, "2-2 1-1 2-2", bankroll=30)
    assert rows == [("pass=10", "0"), ("pass=10 pass_odds=20", "0"), ("pass=10 pass_odds=20", "50")]


def test_a_trailing_stop_ends_the_evening() -> None:
    """Two up, then three lost from there: no more bets, whatever comes; and the machine is small."""
    values = line("1", ends={"when": "below_peak >= 3"})
    rows = played(values, "6-5 6-5 1-1 1-1 1-1 6-5 6-5")
    assert [net for _, net in rows] == ["1", "1", "-1", "-1", "-1", "0", "0"]
    assert machine_size(values) < 50


def test_the_peak_arms_a_stop() -> None:
    """Nothing is given back until two were won."""
    values = line("1", ends={"when": "peak >= 2 and below_peak >= 1"})
    rows = played(values, "1-1 1-1 6-5 6-5 6-5 6-5 1-1 6-5")
    assert [net for _, net in rows] == ["-1", "-1", "1", "1", "1", "1", "-1", "0"]


def test_an_ended_evening_takes_down_what_may_come_down() -> None:
    """The place bet comes down, the pass line is a contract and is played out."""
    wants = [{"when": "puck off", "up": {"pass": 5}}, {"when": "puck on", "up": {"place_6": 6}}]
    rows = played({"want": wants, "ends": {"when": "hits(6) >= 1"}}, "2-2 3-3 5-1 2-2 6-5")
    assert rows == [("pass=5", "0"), ("pass=5 place_6=6", "7"), ("pass=5", "0"), ("pass=5", "5"), ("", "0")]


def test_a_hand_has_a_loss_limit() -> None:
    """Two lost in a hand, and the next shooter is awaited."""
    values = {"want": [{"when": "hand_profit > -2", "up": {"field": 1}}], "ends": {"stop_win": 9, "stop_loss": 9}}
    rows = played(values, "3-3 3-2 4-4 3-2 5-2 3-1")
    assert [up for up, _ in rows] == ["field=1", "field=1", "", "", "", "field=1"]
    assert machine_size(values) > 2


def test_oscars_grind() -> None:
    """One more after a win, the same after a loss, never more than makes the series one ahead."""
    series = {"of": "pass", "steps": "add one", "won": "next", "lost": "hold", "goal": 1}
    values = line("oscar", progression={"oscar": series}, ends={"stop_win": 5, "stop_loss": 5})
    rows = played(values, "1-1 1-1 6-5 6-5 6-5 1-1 6-5 6-5 6-5")
    assert [up for up, _ in rows] == [f"pass={n}" for n in (1, 1, 1, 2, 1, 1, 1, 1, 1)]
    rows = played(values, "1-1 1-1 1-1 6-5 6-5 6-5")
    assert [up for up, _ in rows] == [f"pass={n}" for n in (1, 1, 1, 1, 2, 1)]
    assert machine_size(values) > 10
    # A maximum does not bound what a series can lose, so nobody is sent there.
    with pytest.raises(
        UnboundedStrategyError, match=r"can lose any amount\. Give it a stop-win and a stop-loss \(--stop"
    ):
        machine_size(line("oscar", progression={"oscar": series}))


def test_a_progression_for_each_number() -> None:
    """The six climbs by its own hits, the eight by its own."""
    tap = {"of": "place", "steps": [1, 2, 4], "won": "next", "lost": "start over", "each": True}
    up = {"place_6": "tap * 6", "place_8": "tap * 6"}
    rows = played({"want": [{"when": "puck on", "up": up}], "progression": {"tap": tap}}, "2-2 3-3 4-4 3-3 3-3 3-3")
    assert [up for up, _ in rows[1:]] == [
        f"place_6={six} place_8={eight}" for six, eight in ((6, 6), (12, 6), (12, 12), (24, 12), (6, 12))
    ]


@pytest.mark.parametrize("flat", ["pass", "come_6"])
def test_a_put_goes_up_with_its_odds(flat: str) -> None:
    """In one turn, by the name of the line or of the number, as a table takes them."""
    odds = {"pass": "pass_odds", "come_6": "come_odds_6"}[flat]
    values = {"want": [{"when": "point = 6" if flat == "pass" else "puck on", "up": {flat: 5, odds: "5x"}}]}
    first = "4-2" if flat == "pass" else "2-2"
    assert played(values, f"{first} 4-2") == [("", "0"), (f"{flat}=5 {odds}=25", "35")]
    assert played(values, f"{first} 5-2") == [("", "0"), (f"{flat}=5 {odds}=25", "-30")]


def test_strategies_are_added_together() -> None:
    """Those of the library first, what the file wants after them."""
    rows = played({"include": ["pass_flat", "place_6_8"], "want": [{"up": {"field": 1}}]}, "2-2 3-3")
    assert rows == [("pass=1 field=1", "1"), ("pass=1 field=1 place_6=6 place_8=6", "6")]
    with pytest.raises(
        StrategyFileError, match=r"include: found `pass_flt`; expected a strategy .* Nearest: pass_flat"
    ):
        make({"name": "x", "description": "x", "include": ["pass_flt"]})
    with pytest.raises(StrategyFileError, match="want: found nothing wanted"):
        make({"name": "x", "description": "x"})
    clash = {"count": {"five": {"when": "always"}}, "include": ["five_count"], "want": [{"up": {"field": "five"}}]}
    with pytest.raises(StrategyFileError, match=r"include.five_count: found a count `five` of its own"):
        make({"name": "x", "description": "x", **clash})


def test_everything_wrong_is_said_at_once() -> None:
    """Wrong keys do not hide wrong words."""
    wants = [{"when": "won(pass)", "up": {"pass": 1}}, {"up": {"pass": "mx"}}, {"wen": "puck on"}]
    with pytest.raises(StrategyFileError) as wrong:
        make({"name": "x", "description": "x", "want": wants, "count": {"a": {"when": "sevn out"}}})
    places = [finding.path for finding in wrong.value.findings]
    assert places == ["want[3].wen", "want[1].when", "want[2].up.pass", "count.a.when"]


@pytest.mark.parametrize(("asked", "answer"), [("won(pass)", r"wins\(pass\)"), ("point made", "count of your own")])
def test_what_only_a_count_can_ask_is_answered(asked: str, answer: str) -> None:
    """With where to ask it."""
    with pytest.raises(StrategyFileError, match=answer):
        make({"name": "x", "description": "x", "want": [{"when": asked, "up": {"pass": 1}}]})


def test_a_crapless_house_has_odds_on_every_point() -> None:
    """Posted or not: once on a two, where 3-4-5 has nothing to say."""
    values = {"want": [{"when": "puck off", "up": {"pass": 1}}, {"when": "puck on", "up": {"pass_odds": "3-4-5"}}]}
    rows = played(values, "1-1 1-1 2-1 2-1 3-1 3-1", house="crapless")
    assert [net for _, net in rows] == ["0", "7", "0", "7", "0", "7"]
