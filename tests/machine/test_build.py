"""Machines: made by running the engine, and held against it roll by roll."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from passline import ask
from passline.engine.layout import lay_out
from passline.engine.table import Notice
from passline.engine.values import ROLLS, Roll
from passline.errors import UnboundedStrategyError
from passline.house import House
from passline.machine.build import build
from passline.machine.machine import Machine, minimise
from passline.machine.play import Player, Setting
from passline.machine.terms import Seating, Terms
from passline.strategies.language.read import built_in, load, make
from passline.strategies.player.plan import can_be_played

if TYPE_CHECKING:
    from passline.strategies.language.strategy import Strategy

HOUSES = [house.id for house in House.all()]
PLAYABLE = [(name, house.id) for name in built_in() for house in House.all() if can_be_played(load(name), house.layout)]
"""Every strategy of the library with every house that books its wagers."""
MAXIMUM = {"martingale_pass": 100, "labouchere_dont_pass": 12}
"""In units, for the progressions that nothing else ends."""
ROLLS_MINDED = 10
"""Rolls of an evening of those that mind their money."""
TOO_LARGE = {"double_tap"}
"""Six numbers with seven steps each have more states than anybody looks for: it is played on the engine."""


def throws(count: int, seed: int) -> list[int]:
    """Seeded dice."""
    dice = random.Random(seed)
    return [dice.randrange(36) for _ in range(count)]


def agree(machine: Machine, player: Player, count: int, seed: int) -> None:
    """The machine and the engine give the same need, action, net and seven-outs on the same dice."""
    state = machine.start
    for number, throw in enumerate(throws(count, seed)):
        column = machine.column[throw]
        assert int(machine.need[state]) * machine.minor_unit == player.need * player.minor_unit, (
            f"need before roll {number}"
        )
        net = player.roll(throw) * player.minor_unit
        assert int(machine.net[state, column]) * machine.minor_unit == net, f"roll {number}"
        assert int(machine.action[state, column]) * machine.minor_unit == player.action * player.minor_unit, (
            f"roll {number}"
        )
        assert bool(machine.hand_ends[state, column]) == player.hand_ended, f"roll {number}"
        state = int(machine.next[state, column])


def both(strategy: Strategy, house: str, **options: Any) -> tuple[Machine, Player]:  # noqa: ANN401 - as `build`
    """The machine and the interpreted player of one strategy."""
    seating = Seating(house, **{"unit": strategy.unit, **options})
    return build(strategy, seating), Player(Setting(strategy, seating))


def most(name: str) -> Fraction | None:
    """The table maximum a strategy of the library needs."""
    return MAXIMUM[name] * load(name).unit if name in MAXIMUM else None


# --- The yardstick --------------------------------------------------------------------------------------------------


def molly(point: int, come: int, total: int) -> tuple[int, int, int]:
    """Three-point molly with double odds, ten a unit, written out by hand: the next point, the come bets, the net."""
    net, on_comeout, numbers = 0, not point, come.bit_count()
    fresh = not on_comeout and numbers < 2
    natural, craps = total in (7, 11), total in (2, 3, 12)
    odds = {4: 40, 10: 40, 5: 30, 9: 30, 6: 24, 8: 24}.get(total, 0)
    if total == 7:
        net -= numbers * (10 if on_comeout else 30)
        come = 0
    elif come >> total & 1:
        net += 10 + (0 if on_comeout else odds)
        come &= ~(1 << total)
    if fresh:
        net += 10 * natural - 10 * craps
        come |= 0 if natural or craps else 1 << total
    if on_comeout:
        net += 10 * natural - 10 * craps
        point = 0 if natural or craps else total
    elif total == point:
        net, point = net + 10 + odds, 0
    elif total == 7:
        net, point = net - 30, 0
    return point, come, net


def yardstick() -> Machine:
    """The hand-written molly as a machine that knows nothing of need and action."""
    names, queue = {(0, 0): 0}, [(0, 0)]
    following, nets, ends = [], [], []
    for point, come in queue:
        row = [molly(point, come, roll.total) for roll in ROLLS]
        for there in ((after, bets) for after, bets, _ in row):
            if there not in names:
                names[there] = len(queue)
                queue.append(there)
        following.append([names[after, bets] for after, bets, _ in row])
        nets.append([net for _, _, net in row])
        ends.append([bool(point) and roll.total == 7 for roll in ROLLS])
    return Machine(
        column=np.arange(36, dtype=np.uint8),
        next=np.array(following, dtype=np.int32),
        net=np.array(nets, dtype=np.int64),
        need=np.zeros(len(queue), dtype=np.int64),
        action=np.zeros((len(queue), 36), dtype=np.int64),
        hand_ends=np.array(ends, dtype=np.bool_),
    )


def test_molly_at_sydney_is_the_yardstick() -> None:
    """118 states, and the same net on every throw of every one of them: the minimal machines are one machine."""
    machine = build(load("three_point_molly"), Seating("sydney", 10))
    nets = machine.net * int(machine.minor_unit)
    bare = minimise(
        replace(machine, net=nets, need=0 * machine.need, action=0 * nets, minor_unit=Fraction(1), standing=None)
    )
    by_hand = minimise(yardstick())
    assert bare.states == by_hand.states == 118
    assert bare.digest() == by_hand.digest()


def test_molly_rolls_as_the_yardstick_does() -> None:
    """The same net, roll by roll, for 20,000 seeded throws."""
    machine = build(load("three_point_molly"), Seating("sydney", 10))
    point, come, state = 0, 0, machine.start
    for throw in throws(20_000, 11):
        point, come, net = molly(point, come, ROLLS[throw].total)
        column = machine.column[throw]
        assert int(machine.net[state, column]) * machine.minor_unit == net
        state = int(machine.next[state, column])


# --- Machine and engine ---------------------------------------------------------------------------------------------


@pytest.mark.campaign  # `tests/acceptance/test_same_play.py` has every strategy in every house, for fewer rolls
@pytest.mark.parametrize("name", [name for name in built_in() if name not in TOO_LARGE])
def test_machine_and_engine_agree(name: str) -> None:
    """A thousand rolls of every strategy, each in the first house that books it, and nothing refused."""
    house = next(house for strategy, house in PLAYABLE if strategy == name)
    strategy = load(name)
    if strategy.minds_money:  # its machine is that of an evening
        terms = Terms(ROLLS_MINDED, bankroll=500 * strategy.unit, stop_win=500 * strategy.unit)
        seating = Seating(house, strategy.unit)
        machine = build(strategy, seating, terms)
        for seed in range(30):
            agree(machine, Player(Setting(strategy, seating, terms.purse)), ROLLS_MINDED, seed)
        assert machine.about["refused"] == []
        return
    machine, player = both(strategy, house, max_bet=most(name))
    agree(machine, player, 1000, seed=5)
    assert machine.about["refused"] == []
    assert not player.setting.refused


@pytest.mark.slow
@pytest.mark.parametrize("house", HOUSES)
def test_machine_and_engine_agree_under_a_real_notice(house: str) -> None:
    """Rounding, minimums, maximums and whole chips: the same in both."""
    notice = Notice(minimum=500, maximum=20_000, odds=House(house).book.notice.odds.value, chip=100)
    for name in ("three_point_molly", "place_across", "power_press", "hammerlock", "place_6_8_working"):
        if (name, house) == ("hammerlock", "crapless"):
            continue  # it lays odds, and nobody there may
        machine, player = both(load(name), house, unit=5 if name == "three_point_molly" else 1, notice=notice)
        agree(machine, player, 2000, seed=3)
        assert {no["wager"] for no in machine.about["refused"]} >= {wager for wager, _ in player.setting.refused}


def test_a_player_counts_in_the_machines_minor_unit() -> None:
    """So that histograms of either are made of the same whole numbers."""
    machine = build(load("buy_4_10"), Seating("sydney", 20))
    player = Player(Setting(load("buy_4_10"), Seating("sydney", 20)), minor_unit=machine.minor_unit)
    state = machine.start
    for throw in throws(500, 9):
        column = machine.column[throw]
        assert player.need == machine.need[state]
        assert player.roll(throw) == machine.net[state, column]
        state = int(machine.next[state, column])


def test_all_is_the_same_in_units_of_any_money() -> None:
    """A unit of a third of a dollar is no trouble without chips."""
    machine, player = both(load("darkside"), "exhibit-a", unit=Fraction(1, 3))
    agree(machine, player, 1000, seed=1)
    assert machine.minor_unit.denominator % 3 == 0


def test_two_dice_have_no_order_in_any_house() -> None:
    """What lets 21 pairs stand for 36 throws: no wager anywhere tells 4-2 from 2-4."""
    for house in House.all():
        for spot in lay_out(house.book).spots.values():
            for puck in (0, *house.book.points.value):
                if spot.is_odds and not (spot.number or puck):
                    continue
                for works in (True, False):
                    row = spot.row(0, puck, works=works)
                    assert all(row[roll.throw] == row[Roll(roll.second, roll.first).throw] for roll in ROLLS)


# --- What a machine says --------------------------------------------------------------------------------------------


def per_roll(machine: Machine) -> float:
    """The mean net of a roll in the long run, in money."""
    chance = np.zeros((machine.states, machine.states))
    for column, weight in enumerate(machine.weight):
        np.add.at(chance, (np.arange(machine.states), machine.next[:, column]), weight / 36)
    system = np.vstack([chance.T - np.eye(machine.states), np.ones(machine.states)])
    share = np.linalg.lstsq(system, np.r_[np.zeros(machine.states), 1.0], rcond=None)[0]
    return float(share @ (machine.net @ machine.weight / 36)) * float(machine.minor_unit)


@pytest.mark.parametrize(
    ("name", "house", "exact"),
    [
        ("pass_flat", "adelaide", -Fraction(7, 495) * Fraction(165, 557)),
        ("pass_max_odds", "adelaide", -Fraction(7, 495) * Fraction(165, 557)),
        ("dont_pass_flat", "sydney", -Fraction(27, 1980) * Fraction(165, 557)),
        ("field", "adelaide", -Fraction(1, 18)),
        ("field", "strip", -Fraction(1, 36)),
    ],
)
def test_known_prices_come_out(name: str, house: str, exact: Fraction) -> None:
    """Pass 7/495, don't pass 3/220 a decision of 557/165 rolls; the field 1/18, or 1/36 where twelve pays three."""
    assert per_roll(build(load(name), Seating(House(house), 1))) == pytest.approx(float(exact), abs=1e-12)


def test_need_counts_what_stands_and_what_is_due() -> None:
    """Standing wagers, on or off, and the commission paid with a bet."""
    machine = build(load("buy_4_10"), Seating("sydney", 20))
    worth = {int(need) * machine.minor_unit for need in machine.need}
    assert worth == {0, 200, 210}  # nothing up; two of 100; the same with five per cent to pay
    assert {int(action) * machine.minor_unit for action in machine.action.ravel()} == {
        0,
        105,
        210,
    }  # one, or a seven on both


def test_a_machine_knows_where_it_comes_from() -> None:
    """House, strategy, unit and stops, by name and by hash."""
    about = build(load("hit_and_run"), Seating("strip", 10)).about
    assert (about["house"], about["strategy"], about["unit"]) == ("strip", "hit_and_run", "10")
    assert about["purse"] is None, "hit and run does not mind its money"
    assert len(about["house_hash"]) == len(about["strategy_hash"]) == 64


@pytest.mark.slow
def test_what_was_refused_is_in_the_machine() -> None:
    """A strategy that asks for what it cannot have does not go unnoticed."""
    wrong = make({"name": "x", "description": "x", "want": [{"up": {"come": 1}}]})
    (no,) = build(wrong, Seating("adelaide")).about["refused"]
    assert (no["wager"], no["code"]) == ("come", "bet.window")


def test_somebody_waiting_is_told() -> None:
    """Progress comes now and then, with what is done and what is known."""
    heard: list[tuple[int, int]] = []
    build(load("three_point_molly"), Seating("sydney"), progress=lambda done, known: heard.append((done, known)))
    assert heard
    assert all(done <= known for done, known in heard)


# --- Without end ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["martingale_pass", "labouchere_dont_pass"])
def test_a_progression_needs_a_maximum(name: str) -> None:
    """Said at once, with what to do about it."""
    with pytest.raises(UnboundedStrategyError, match="--max") as caught:
        build(load(name), Seating("adelaide"))
    assert "passline simulate --backend engine" in str(caught.value)  # `exact` has no such option
    player = Player(Setting(load(name), Seating("adelaide")))
    assert isinstance(player.roll(0), int)


def test_too_many_states_are_called_so() -> None:
    """After as many as were allowed."""
    with pytest.raises(UnboundedStrategyError, match="more than 50 states"):
        build(load("three_point_molly"), Seating("adelaide"), states_max=50)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "most"), [("double_tap", 5_000), ("bats", 20_000)])
def test_a_search_past_hope_is_given_up_early(name: str, most: int) -> None:
    """Six numbers with seven steps each, or profits in five stages: refused long before two hundred thousand states."""
    looked: list[int] = []
    ends = load(name).ends
    terms = Terms(200, stop_win=ends.stop_win and 10 * ends.stop_win, stop_loss=ends.stop_loss and 10 * ends.stop_loss)
    with pytest.raises(UnboundedStrategyError, match="too many states"):
        build(load(name), Seating("strip"), terms, progress=lambda done, _: looked.append(done))
    assert max(looked) < most


@pytest.mark.slow
def test_a_search_that_slows_down_is_waited_for() -> None:
    """At first twice as many states are known as were looked at, and it ends all the same."""
    assert build(load("all_tall_small"), Seating("fire-bonus"), Terms(50)).about["states_met"] > 4_000
    assert build(load("labouchere_dont_pass"), Seating("strip", 10, max_bet=250)).about["states_met"] > 10_000


def test_profit_is_bounded_by_stops() -> None:
    """A strategy that looks at its profit has a machine when it stops somewhere on both sides."""
    tables: dict[str, Any] = {
        "name": "x",
        "description": "x",
        "want": [{"up": {"field": 1}}, {"when": "profit > 2", "up": {"field": 2}}],
    }
    with pytest.raises(UnboundedStrategyError, match="stop-win and a stop-loss"):
        build(make(tables), Seating("adelaide"))
    terms = Terms(stop_win=6, stop_loss=6)
    machine = build(make(tables), Seating("adelaide"), terms)
    player = Player(Setting(make(tables), Seating("adelaide"), terms.purse))
    state = machine.start
    net = Fraction(0)
    for throw in throws(500, 2):
        if abs(net) >= 6:
            break
        column = machine.column[throw]
        expected = int(machine.net[state, column]) * machine.minor_unit
        won = player.roll(throw) * player.minor_unit
        assert won == expected
        net, state = net + won, int(machine.next[state, column])
    assert abs(net) >= 6


@pytest.mark.parametrize("rolls", [1, 2, 3])
def test_what_ends_a_session_with_its_last_roll_is_counted(rolls: int) -> None:
    """A machine only as deep as the session still knows that `when` holds after the roll that is the last."""
    question = ask(
        {"name": "x", "description": "x", "want": [{"up": {"field": 1}}], "ends": {"when": "profit >= 2"}},
        house="strip",
        unit=1,
        rolls=rolls,
    )
    assert question.session_machine().about["rolls"] == rolls
    looked_up, played = (question.simulate(sessions=500, seed=7, backend=each) for each in ("numpy", "engine"))
    assert looked_up.endings == played.endings
    assert looked_up.endings["when"] > 0


def test_memory_is_only_as_long_as_anybody_looks() -> None:
    """Counting to two needs three numbers, however many rolls a hand has."""
    looked = make(
        {"name": "x", "description": "x", "want": [{"up": {"field": 1}}, {"when": "hits(8) >= 2", "up": {"field": 2}}]}
    )
    assert build(looked, Seating("adelaide")).states <= 21
