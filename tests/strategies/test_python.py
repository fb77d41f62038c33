"""Strategies in Python: asked before every roll, told after it, copied for every evening, refusals and all."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any, ClassVar

import pytest

from passline import LEAVE, Outcome, Player, Table, View, Wants, ask, memoryless, population, sweep, versus
from passline.analysis.population import Population
from passline.errors import ArgumentError, ArgumentTypeError, StrategyError, WagerMissingError
from passline.machine.play import Places, PythonPlayer, Setting
from passline.machine.terms import Seating
from passline.sim import Sample
from passline.strategies.player.python import PythonPlan, PythonStrategy, from_file

TERMS: dict[str, Any] = {"house": "strip", "unit": 5, "rolls": 100, "at_end": "face"}


class FieldMartingale(Player):
    """The library's `field_martingale`: double after a loss up to 128 units, start over after a win."""

    def __init__(self) -> None:
        self.stake = 77  # `start` sets it right

    def start(self) -> None:
        self.stake = 1

    def wants(self, view: View) -> Mapping[str, int]:  # noqa: ARG002 - it bets whatever it sees
        return {"field": self.stake}

    def after(self, outcome: Outcome) -> None:
        if outcome.lost("field"):
            self.stake = 2 * self.stake if self.stake < 128 else 1
        elif outcome.won("field"):
            self.stake = 1


class CountsPlaces(Player):
    """Counts the rolls that won, and those that lost, on any of its place bets: as a file's `won(place)` does."""

    seen: ClassVar[list[tuple[bool, bool, Fraction]]] = []

    def wants(self, view: View) -> Mapping[str, int]:
        return {"place_6": 6, "place_8": 6} if view.puck else {"pass": 1}

    def after(self, outcome: Outcome) -> None:
        self.seen.append((outcome.won("place"), outcome.lost("place"), outcome.results.get("place_8", Fraction(0))))


def test_an_outcome_knows_families_as_a_file_does() -> None:
    table = Table("strip", notice="min=1")
    table.sit(1, "Ann", 500)
    table.follow(1, CountsPlaces())
    CountsPlaces.seen.clear()
    table.run(4, [(4, 1), (5, 3), (1, 2), (6, 1)])
    assert CountsPlaces.seen == [
        (False, False, Fraction(0)),
        (True, False, Fraction(7)),
        (False, False, Fraction(0)),
        (False, True, Fraction(-6)),
    ]


class ByProfit:
    """The same as a callable object, which sees the profit and that an evening begins."""

    def __init__(self) -> None:
        self.stake, self.before, self.calls = 1, Fraction(0), 0

    def __call__(self, view: View) -> Mapping[str, int]:
        self.calls += 1
        if view.rolls == 0:
            self.stake = 1
        elif view.profit != self.before:
            doubled = 2 * self.stake if self.stake < 128 else 1
            self.stake = doubled if view.profit < self.before else 1
        self.before = view.profit
        return {"field": self.stake}


def seated(strategy: PythonStrategy, house: str = "adelaide", unit: int = 1) -> PythonPlayer:
    """An evening of a strategy, before its first roll."""
    setting = Setting(strategy, Seating(house, unit))
    return PythonPlayer(Places(setting, PythonPlan(setting.plan)), strategy)


def play(player: PythonPlayer, rolls: str) -> list[Fraction]:
    """Throw these, and give the net of each in money."""
    minor_unit = player.plan.layout.minor_per_unit
    faces = (roll.split("-") for roll in rolls.split())
    return [Fraction(player.roll(6 * int(first) + int(second) - 7), minor_unit) for first, second in faces]


def test_a_class_a_callable_and_a_file_are_equal_to_the_cent() -> None:
    """On the same dice, session by session; and the callable is asked before every roll."""
    by_profit = ByProfit()
    nets = [
        dict(ask(each, **TERMS).simulate(sessions=120, seed=7).net)
        for each in ("field_martingale", FieldMartingale(), by_profit)
    ]
    assert nets[0] == nets[1] == nets[2]
    assert by_profit.calls == 120 * 100


def test_versus_takes_a_class() -> None:
    """Paired with the file that says the same, every session is alike."""
    found = versus(ask("field_martingale", **TERMS), ask(FieldMartingale(), **TERMS), sessions=40, seed=3)
    assert (found.alike, found.mean) == (40, Fraction(0))


def test_an_evening_is_played_by_a_copy() -> None:
    """Nothing is left behind, so no session depends on the one before."""

    class Once(Player):
        bets = 1

        def wants(self, view: View) -> Mapping[str, int]:  # noqa: ARG002
            self.bets -= 1
            return {"field": 1 if self.bets >= 0 else 0}

    player = Once()
    sample = ask(player, **(TERMS | {"rolls": 5})).simulate(sessions=50, seed=1)
    assert player.bets == 1
    assert sample.decided == 50 * 5  # one bet of a unit of five in each session


def test_what_the_last_roll_did_is_seen() -> None:
    """Outcome and view, over a hand at Sydney with double odds."""
    seen: list[tuple[object, ...]] = []

    class Looks(Player):
        def wants(self, view: View) -> Mapping[str, int | str]:
            made = None if view.outcome is None else (view.outcome.roll, dict(view.outcome.results))
            seen.append((view.puck, dict(view.up), view.rolls, view.hands, view.last, view.profit, made))
            return {"pass_odds": "2x"} if view.puck else {"pass": 1}

    assert play(seated(Looks(), "sydney", 10), "4-2 3-3 5-5 3-4") == [0, 34, 0, -30]
    assert seen == [
        (0, {}, 0, 0, 0, 0, None),
        (6, {"pass": 1}, 1, 0, 6, 0, ((4, 2), {})),
        (0, {}, 2, 0, 6, Fraction(17, 5), ((3, 3), {"pass": 1, "pass_odds": Fraction(12, 5)})),
        (10, {"pass": 1}, 3, 0, 10, Fraction(17, 5), ((5, 5), {})),
    ]


def test_points_and_hands_are_told_after_a_roll() -> None:
    """What happened to the puck and the dice."""
    told: list[tuple[bool, ...]] = []

    class Hears(Player):
        def wants(self, view: View) -> Mapping[str, int]:
            return {} if view.puck else {"pass": 1}

        def after(self, outcome: Outcome) -> None:
            told.append((outcome.point_set, outcome.point_made, outcome.seven_out, outcome.hand_over))

    play(seated(Hears()), "4-4 6-2 3-1 3-4")
    set_, made, out = (True, False, False, False), (False, True, False, False), (False, False, True, True)
    assert told == [set_, made, set_, out]


def test_buttons_are_turned() -> None:
    """A wager that is called off neither wins nor loses; on again it does."""

    def shy(view: View) -> Wants:
        off = ("place_6",) if view.hand_rolls == 2 else ()
        return Wants({"place_6": 6} if view.puck else {}, off=off, on=() if off else ("place_6",))

    assert play(seated(shy), "2-2 4-2 3-3 5-1") == [0, 7, 0, 7]


def test_an_evening_ends_when_the_strategy_says_so() -> None:
    """As a file's own `[ends]` does it."""

    def wins_once(view: View) -> Mapping[str, int] | Wants:
        return LEAVE if view.profit > 0 else {"field": 1}

    sample = ask(wins_once, **TERMS).simulate(sessions=60, seed=5)
    assert sample.endings["when"] > 50
    assert set(dict(sample.net)) <= {*range(-500, 0, 5), 5, 10, 15}


def test_what_the_dealers_refuse_is_told() -> None:
    """To the strategy with its next view, and with the sample."""
    refused: list[list[str]] = []

    class Small(Player):
        def wants(self, view: View) -> Mapping[str, int]:
            refused.append([no.refusal.code for no in view.refused])
            return {"pass": 3, "field": 1} if not view.puck else {}

    sample = ask(Small(), house="strip", unit=5, rolls=3, notice="min=10").simulate(sessions=1, seed=5)
    assert {(no["wager"], no["code"]) for no in sample.about["refused"]} == {("field", "bet.under_minimum")}
    assert [] in refused
    assert ["bet.under_minimum"] in refused


def test_only_the_memoryless_is_remembered() -> None:
    """A function that says so is asked once for each felt; any other before every roll."""
    calls = {"plain": 0, "said": 0}

    def plain(view: View) -> Mapping[str, int]:
        calls["plain"] += 1
        return {} if view.puck else {"pass": 1}

    @memoryless
    def said(view: View) -> Mapping[str, int]:
        calls["said"] += 1
        return {} if view.puck else {"pass": 1}

    samples = [ask(each, **TERMS).simulate(sessions=20, seed=2) for each in (plain, said)]
    assert calls["plain"] == 20 * 100
    assert calls["said"] < 50
    assert dict(samples[0].net) == dict(samples[1].net)


def test_nonsense_is_told_with_its_name() -> None:
    """At the moment it is asked for."""
    with pytest.raises(WagerMissingError, match="place_6"):
        seated(lambda _view: {"plase_6": 1}).act()
    for said in (None, ["pass"], {5: 1}):
        with pytest.raises(StrategyError, match=r"said .*; expected what should be up, such as {'pass': 1}"):
            seated(lambda _view, said=said: said).act()  # type: ignore[misc]
    for amount in (None, 1.5, -1, [1]):
        with pytest.raises(StrategyError, match=r"<lambda>, pass: found .* of units, or text"):
            seated(lambda _view, amount=amount: {"pass": amount}).act()  # type: ignore[misc]
    for text in ("wins(pass)", "profit", "bankroll"):
        with pytest.raises(StrategyError, match=r"work .* out in Python"):
            seated(lambda _view, text=text: {"pass": text}).act()  # type: ignore[misc]
    with pytest.raises(StrategyError, match="cut so finely"):
        seated(lambda _view: {"pass": Fraction(1, 7919)}).act()
    with pytest.raises(StrategyError, match="failed: NotImplementedError"):
        seated(Player()).act()
    with pytest.raises(StrategyError, match="none was given"):
        seated(lambda view: {"pass": view.bankroll}).act()


def test_a_class_is_no_player() -> None:
    """`ask(Martingale)` forgot the brackets, and `ask(Table)` is nothing at all."""
    with pytest.raises(ArgumentTypeError, match=r"a player: FieldMartingale\("):
        ask(FieldMartingale)  # type: ignore[arg-type]
    with pytest.raises(ArgumentTypeError, match="the class Table"):
        ask(Table)  # type: ignore[arg-type]


def test_a_file_of_python_is_a_strategy(tmp_path: Path) -> None:
    """By its name, or alone in its file; what it lacks is said."""
    path = tmp_path / "mine.py"
    path.write_text(
        "from passline import Player\nclass Line(Player):\n    def wants(self, view):\n        return {'pass': 1}\n"
    )
    for where in (str(path), f"{path}:Line"):
        assert play(seated(from_file(where)), "6-5 1-1") == [1, -1]
    with pytest.raises(StrategyError, match=r"mine.py has Line; say .*mine.py:NAME"):
        from_file(f"{path}:Lime")
    beside = tmp_path / "yours.py"
    beside.write_text("from mine import Line\n\nclass Mine(Line):\n    pass\n")
    assert play(seated(from_file(f"{beside}:Mine")), "6-5 1-1") == [1, -1]
    path.write_text("1 / 0")
    with pytest.raises(StrategyError, match=r"mine.py failed: ZeroDivisionError"):
        from_file(str(path))


class Doubling(FieldMartingale):
    """The same with its top as a number of its own."""

    def __init__(self, top: int = 128) -> None:
        self.top = top

    def after(self, outcome: Outcome) -> None:
        if outcome.lost("field"):
            self.stake = 2 * self.stake if self.stake < self.top else 1
        elif outcome.won("field"):
            self.stake = 1


def test_a_sweep_of_a_class_is_that_of_its_file_to_the_cent() -> None:
    """On the same dice for every setting; an attribute is swept like a place of a file."""
    terms: dict[str, Any] = {"house": "strip", "rolls": 40, "sessions": 60, "seed": 5}
    over = {"unit": [5, 10]}
    ours, theirs = (sweep(each, over, **terms).figures() for each in (Doubling(), "field_martingale"))
    assert ours == theirs
    by_top = sweep(Doubling(), {"top": [2, 128]}, unit=5, **terms).figures()
    assert by_top[1] == {"top": 128} | {name: value for name, value in ours[0].items() if name != "unit"}
    assert by_top[0]["deviation"] < by_top[1]["deviation"]
    ((_, sample),) = sweep(Doubling(), {"unit": [5]}, house="strip", rolls=2, seed=1).rows
    assert isinstance(sample, Sample)
    assert sample.sessions == 1000
    with pytest.raises(ArgumentError, match="an attribute of Doubling that holds a number: top"):
        sweep(Doubling(), {"tops": [2]}, **terms)
    with pytest.raises(ArgumentError, match=r"^over: found a number of <lambda>; expected those of a file or a Player"):
        sweep(lambda view: {"pass": 1}, {"top": [2]}, **terms)  # noqa: ARG005


@pytest.mark.slow
def test_a_population_with_a_class_is_that_with_its_file(tmp_path: Path) -> None:
    """Evening by evening; and about what the exact distribution says."""
    terms: dict[str, Any] = {"house": "strip", "unit": 5, "rolls": 30}
    both = [
        population([(ask(each, **terms), 2), (ask("pass_odds", **terms), 3)], sessions=300, seed=4)
        for each in (FieldMartingale(), "field_martingale")
    ]
    ours, theirs = (each.to_json() for each in both)
    for told in (ours, theirs):
        del told["players"][0]["strategy"], told["table"]["seconds"], told["table"]["rolls_per_second"]
    assert ours == theirs
    exact = population(both[1].players)
    assert exact.sessions is None
    assert abs(both[1].sample.table.z_score(exact.exact().mean, exact.exact().variance)) < 4
    assert abs(both[1].reserve(0.1) - exact.reserve(0.1)) < 200
    path = tmp_path / "mine.py"
    path.write_text("def always(view):\n    return {'pass': 1}\n")
    floor = 'house = "strip"\n[[players]]\nstrategy = "mine.py"\nbankroll = 20\nunit = 5\n'
    (tmp_path / "floor.toml").write_text(floor)
    sampled = population(tmp_path / "floor.toml", sessions=50, seed=1)
    assert isinstance(sampled, Population)
    assert "50 sessions, seed 1" in str(sampled)
    assert sampled.sample.nets.min() >= -20


def test_who_leaves_a_population_makes_no_new_bets() -> None:
    """One player alone: the table wins what a session of that player loses, session by session."""
    terms: dict[str, Any] = {"house": "strip", "unit": 5, "rolls": 60, "bankroll": 60, "stop_win": 20}
    for at_end in ("run-out", "face"):
        question = ask("pass_odds", at_end=at_end, **terms)
        alone = question.simulate(sessions=200, seed=9, backend="engine", look_up=False)
        table = population([(question, 1)], sessions=200, seed=9).sample.table
        assert {-net: count for net, count in table.net} == dict(alone.net), at_end
        assert table.action == alone.action
