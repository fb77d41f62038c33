"""A run-out worked out is a run-out played: no new bets, and one decision for everything that stands."""

from __future__ import annotations

from collections import defaultdict
from copy import copy
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from passline import ask, odds_of
from passline.errors import ArgumentError, SessionError, UnboundedStrategyError
from passline.machine.play import OURS, Player, Setting
from passline.machine.terms import AT_END, Seating, Terms
from passline.odds.sessions import chain
from passline.odds.sessions.distribution import distribution_of
from passline.odds.sessions.long_run import long_run
from passline.strategies.language.read import make
from tests.acceptance.played import HOUSES, SIX_POINTS, house, machine, setting

if TYPE_CHECKING:
    from passline.machine.terms import AtEnd
    from passline.odds.sessions.distribution import Distribution

PAIRS = {throw: 2 if throw // 6 > throw % 6 else 1 for throw in range(36) if throw // 6 >= throw % 6}
"""One throw for each pair of faces, and how many of the 36 it stands for."""
PLAYED = (
    *(("adelaide", "three_point_molly"), ("strip", "three_point_dolly"), ("sydney", "dont_pass_lay")),
    *(("exhibit-a", "continuous_come"), ("strip", "place_6_8")),
    *(("adelaide", "buy_4_10"), ("strip", "lay_4_10"), ("sydney", "lay_4_10"), ("exhibit-a", "hard_ways")),
    *(("fire-bonus", "iron_cross"), ("adelaide", "hammerlock"), ("strip", "put_with_odds")),
    pytest.param("crapless", "place_across", marks=pytest.mark.campaign),
    pytest.param("fire-bonus", "fire_bet", marks=pytest.mark.campaign),
)
"""A house and a strategy: every kind of wager that can stand, charged in front and on a win, decided and left up."""


class Played(NamedTuple):
    """What playing showed, in doubles; the money in dollars."""

    finals: dict[Fraction, float]
    action: float
    rolls_out: float


def walked(table: Setting, rolls: int) -> Played:
    """Play every throw through the engine: some rolls of play, then all that stands until next to nothing is left."""
    action = out = 0.0
    playing = {(0, ""): (1.0, Player(table))}
    for _ in range(rolls):
        after: dict[tuple[int, str], tuple[float, Player]] = {}
        for (net, _), (chance, player) in playing.items():
            for throw, weight in PAIRS.items():
                one = copy(player)
                moved = one.roll(throw)
                action += chance * weight / 36 * one.action
                key = net + moved, repr((one.memory, felt(one)))
                after[key] = after.get(key, (0.0, one))[0] + chance * weight / 36, one
        playing = after
    finals: defaultdict[int, float] = defaultdict(float)
    standing: dict[tuple[int, str], tuple[float, Player]] = {}
    for (net, _), (chance, player) in playing.items():
        key = net + player.stop(), felt(player)
        standing[key] = standing.get(key, (0.0, player))[0] + chance, player
    moves: dict[str, list[tuple[float, int, int, Player]]] = {}
    while standing:
        after = {}
        for (net, name), (chance, player) in standing.items():
            if not player.stands or chance < 1e-16:
                finals[net] += chance
                continue
            out += chance
            for share, moved, decided, one in moves.setdefault(name, []) or _moves(moves[name], player):
                action += chance * share * decided
                key = net + moved, felt(one)
                after[key] = after.get(key, (0.0, one))[0] + chance * share, one
        standing = after
    minor_unit = Fraction(1, table.layout.minor_per_unit)
    return Played({net * minor_unit: chance for net, chance in finals.items()}, action * float(minor_unit), out)


def _moves(moves: list[tuple[float, int, int, Player]], player: Player) -> list[tuple[float, int, int, Player]]:
    """What each throw does to what stands, found once for each felt."""
    for throw, weight in PAIRS.items():
        one = copy(player)
        net = one.roll_out(throw)
        moves.append((weight / 36, net, one.action, one))
    return moves


def felt(player: Player) -> str:
    """All that a run-out can depend on."""
    return repr((player.table.puck, sorted(player.table.seats[OURS].felt.items())))


def assert_same(found: Distribution, played: Played) -> None:
    """Chances, action and rolls agree as far as doubles do."""
    chances = {net: float(chance) for net, chance in found.chances().items()}
    assert chances.keys() >= {net for net, chance in played.finals.items() if chance > 1e-12}
    assert chances == pytest.approx({net: played.finals.get(net, 0.0) for net in chances}, abs=1e-10)
    assert float(found.action) == pytest.approx(played.action, rel=1e-9)
    assert float(found.run_out_rolls) == pytest.approx(played.rolls_out, rel=1e-9)


# --- what the issue asks for ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SIX_POINTS)
def test_one_roll_of_pass_at_ten_is_one_bet(name: str) -> None:
    """Mean -14/99, whatever the last roll leaves standing; at face value it seems to win 10/9."""
    question = ask("pass_flat", house=name, unit=10, rolls=1)
    law = question.exact()
    assert (law.mean, law.action, law.edge) == (Fraction(-14, 99), 10, Fraction(7, 495))
    assert (law.rolls_played, law.p_even) == (1, 0)
    assert law.run_out_rolls == Fraction(557, 165) - 1
    assert ask("pass_flat", house=name, unit=10, rolls=1, at_end="face").exact().mean == Fraction(10, 9)


@pytest.mark.parametrize("name", HOUSES)
@pytest.mark.parametrize("rolls", [2, 3, 30])
def test_an_evening_of_one_price_loses_that_price(name: str, rolls: int) -> None:
    """However short: every bet made is counted whole, so the percentage is no artefact."""
    for strategy, wager in (("pass_flat", "pass"), ("place_6_8", "place_6"), ("dont_pass_flat", "dont_pass")):
        if wager in odds_of(house(name)):
            law = distribution_of(machine(name, strategy), Terms(rolls))
            assert law.edge == odds_of(house(name))[wager].edge_per_bet_made


# --- against playing it out -----------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(("name", "strategy"), PLAYED)
def test_every_throw_played_through_the_engine(name: str, strategy: str) -> None:
    """Two rolls of play and then all that stands, on one table together, as dealers would."""
    assert_same(distribution_of(machine(name, strategy), Terms(2)), walked(setting(name, strategy), 2))


def test_what_was_called_off_comes_down_and_gives_its_commission_back() -> None:
    """Adelaide charges five per cent in front: bought and called off, it comes down whole when the evening ends."""
    said = {"name": "off", "description": "off", "want": [{"when": "puck on", "up": {"buy_4": 20}, "off": ["buy_4"]}]}
    table = Setting(make(said), Seating(house("adelaide"), 1))
    question = ask(said, house="adelaide", unit=1, rolls=3)
    law = question.exact()
    assert_same(law, walked(table, 3))
    assert (law.mean, law.action, law.p_even) == (0, 0, 1)
    assert ask(said, house="adelaide", unit=1, rolls=3, at_end="face").exact().mean < 0


def test_a_winner_is_not_charged_for_a_decision_it_does_not_have() -> None:
    """Buy four at adelaide: twenty and one in front, forty or nothing, and the evening has ended."""
    said = {"name": "buy", "description": "buy", "want": [{"when": "puck on", "up": {"buy_4": 20}}]}
    law = ask(said, house="adelaide", unit=1, rolls=2).exact()
    one = law.chances()
    assert {net for net in one if net} <= {Fraction(-21), Fraction(39), Fraction(18), Fraction(78), Fraction(-42)}
    assert law.edge == odds_of(house("adelaide"))["buy_4"].edge_per_bet_made


# --- three methods, with and without stops --------------------------------------------------------------------------


@pytest.mark.parametrize("terms", [{}, {"bankroll": 60}, {"stop_win": 30, "stop_loss": 40}])
def test_doubles_keep_their_bound_with_a_run_out(terms: dict[str, Any]) -> None:
    """Beside whole numbers, stops and ruin included."""
    built = machine("sydney", "three_point_molly")
    exact, double = distribution_of(built, Terms(40, **terms)), distribution_of(built, Terms(40, **terms), exact=False)
    apart = sum(abs(float(a) - b) for a, b in zip(exact.arrays()[1], _like(double, exact), strict=True))
    assert apart <= double.error_bound
    assert abs(float(exact.mean) - double.mean) <= double.mean_error_bound
    for key in ("variance", "action", "rolls_played", "run_out_rolls", "hands", "best", "worst"):
        assert float(getattr(double, key)) == pytest.approx(float(getattr(exact, key)), rel=1e-9)


def _like(one: Distribution, other: Distribution) -> list[float]:
    """The chances of one law at the nets of another."""
    chances = dict(zip(range(one.low, one.low + len(one.weights)), one.weights, strict=True))
    return [float(chances.get(net, 0.0)) for net in range(other.low, other.low + len(other.weights))]


@pytest.mark.slow
def test_a_long_session_by_its_transform_ends_with_a_run_out_too() -> None:
    """The walk and the transform, each within its bound, and the moments beside."""
    built = machine("strip", "iron_cross")
    long, walk = distribution_of(built, Terms(1_000)), distribution_of(built, Terms(1_000, stop_win=10**9), exact=False)
    apart = sum(abs(a - b) for a, b in zip(long.arrays()[1], _like(walk, long), strict=True))
    assert apart <= long.error_bound + walk.error_bound
    nets, chances = long.arrays()
    assert float(nets @ chances) == pytest.approx(long.mean, rel=1e-9)
    assert float((nets - float(long.mean)) ** 2 @ chances) == pytest.approx(long.variance, rel=1e-9)
    for key in ("action", "run_out_rolls", "best", "worst"):
        assert float(getattr(long, key)) == pytest.approx(float(getattr(walk, key)), rel=1e-9)


# --- words ----------------------------------------------------------------------------------------------------------


def test_where_nothing_stands_both_ends_are_one() -> None:
    """The field is decided by every roll."""
    one, other = (distribution_of(machine("strip", "field"), Terms(5, at_end=at_end)) for at_end in AT_END)
    assert one.chances() == other.chances()
    assert one.run_out_rolls == 0


def test_an_end_nobody_knows_is_refused() -> None:
    """By name, with those there are."""
    with pytest.raises(
        ArgumentError, match=r"at_end: found 'runout'; expected one of run-out, face\. Nearest: run-out"
    ):
        ask("pass_flat", at_end="runout")  # type: ignore[arg-type]


def test_a_felt_too_various_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    """Face value is quick for anybody."""
    monkeypatch.setattr(chain, "FELTS_MAX", 20)
    with pytest.raises(SessionError, match=r"three_point_molly .* --at-end face"):
        distribution_of(machine("sydney", "three_point_molly"), Terms(3))
    assert distribution_of(machine("sydney", "three_point_molly"), Terms(3, at_end="face")).exact


def test_the_long_run_has_no_end() -> None:
    """So it does not matter how evenings end."""
    assert long_run(machine("strip", "pass_flat")).edge == Fraction(7, 495)


# --- [ends] when, and searches no deeper than the rolls ---------------------------------------------------------------


UNTIL = {
    "name": "until",
    "description": "The line and the six, until a six has hit.",
    "want": [{"when": "puck off", "up": {"pass": 5}}, {"when": "puck on", "up": {"place_6": 6}}],
    "ends": {"when": "hits(6) >= 1"},
}


@pytest.mark.slow
@pytest.mark.parametrize("at_end", AT_END)
def test_an_evening_that_a_condition_ends_has_no_more_rolls(at_end: AtEnd) -> None:
    """Exactly, by every backend and by the engine: rolls are counted to the end, and what stood then is run out."""
    question = ask(UNTIL, house="strip", unit=1, rolls=40, at_end=at_end)
    law = question.exact()
    assert 5 < float(law.rolls_played) < 20
    assert float(law.rolls_played) == pytest.approx(float(question.exact(fractions=False).rolls_played), rel=1e-12)
    runs = [question.simulate(sessions=400, seed=3, backend=backend) for backend in ("engine", "numpy", "numba")]
    assert len({run.fingerprint() for run in runs}) == 1
    assert runs[0].endings["when"] > 350
    many = question.simulate(sessions=40_000, seed=4)
    assert all(abs(z) < 4 for z in many.z_scores(law).values())
    assert many.rolls / many.sessions == pytest.approx(float(law.rolls_played), rel=0.02)
    assert float(many.decided / many.sessions) == pytest.approx(float(law.action), rel=0.02)
    assert many.run_out / many.sessions == pytest.approx(float(law.run_out_rolls), rel=0.03)


def test_a_strategy_that_is_over_at_once_is_refused() -> None:
    """It has no evening."""
    with pytest.raises(SessionError, match="over before its first roll"):
        ask({**UNTIL, "ends": {"when": "puck off"}}, house="strip").exact()


@pytest.mark.slow
def test_a_search_goes_no_deeper_than_the_rolls() -> None:
    """A martingale of a dozen rolls has an end; its law is that of the one whose maximum nobody can reach."""
    question = ask("martingale_pass", house="strip", unit=5, rolls=12)
    law = question.exact()
    assert question.machine().about["rolls"] == 12
    assert law.chances() == ask("martingale_pass", house="strip", unit=5, rolls=12, max_bet=5 * 2**13).exact().chances()
    assert law.edge == Fraction(7, 495)
    assert question.long_run_beside() is None
    with pytest.raises(SessionError, match="up to 12 rolls, not 13"):
        distribution_of(question.machine(), Terms(13))
    with pytest.raises(UnboundedStrategyError, match="climbs without end"):
        ask("martingale_pass", house="strip", unit=5, rolls=200).exact()


def test_a_large_machine_is_made_as_deep_as_it_is_asked_for() -> None:
    """Ten rolls of a crossed line under a maximum, which has more states than anybody looks for."""
    question = ask("labouchere_dont_pass", house="strip", max_bet=1000, rolls=6)
    assert question.exact().edge == Fraction(3, 220)
    assert question.machine().about["rolls"] == 6
    assert ask("three_point_molly", house="strip", rolls=1).machine().about["rolls"] is None
