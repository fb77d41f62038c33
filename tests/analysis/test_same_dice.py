"""Players on the same dice: as one machine, held against each other, as a house sees them, and hand by hand."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product
from typing import TYPE_CHECKING, Any

import pytest

from passline import ask, population, versus
from passline.analysis.population import Population
from passline.errors import ArgumentError, FileError, PasslineError, SessionError, StrategyError
from passline.machine import together as joining
from passline.machine.play import Player, Setting
from passline.machine.terms import Seating, Terms
from passline.machine.together import together, until_hands
from tests.cli.running import refused, run, told

if TYPE_CHECKING:
    from pathlib import Path

    from passline import Question

PAIRS = [(total - 2 if total < 8 else 6 * (total - 7) + 5, 6 - abs(total - 7)) for total in range(2, 13)]
"""A throw for each total, which is all that these strategies look at, and its ways."""


def question(strategy: str, **more: Any) -> Question:  # noqa: ANN401
    """A short evening at the Strip, what stands at face value."""
    return ask(strategy, **{"house": "strip", "unit": 5, "rolls": 2, "at_end": "face", **more})


@cache
def setting_of(strategy: str, unit: Fraction) -> Setting:
    """A table of the Strip."""
    asked = question(strategy, unit=unit)
    return Setting(asked.strategy, Seating(asked.seating.house, asked.seating.unit))


def played(asked: Question, throws: tuple[int, ...]) -> Fraction:
    """What a player at the table makes of these throws, by the rules."""
    player = Player(setting_of(asked.name, asked.seating.unit))
    return sum((player.roll(throw) * player.minor_unit for throw in throws), Fraction(0))


def test_several_players_as_one_machine() -> None:
    """Two rolls, every pair of throws, each player dealt to by the engine: twice one less another."""
    one, other = question("pass_flat"), question("field")
    chances: dict[Fraction, Fraction] = {}
    for (a, ways), (b, more) in product(PAIRS, repeat=2):
        net = 2 * played(one, (a, b)) - played(other, (a, b))
        chances[net] = chances.get(net, Fraction(0)) + Fraction(ways * more, 1296)
    found = together([one.machine(), other.machine()], (2, -1))
    assert ask_law(found) == chances


def ask_law(machine: Any) -> dict[Fraction, Fraction | float]:  # noqa: ANN401
    """The law of two rolls."""
    from passline.odds.sessions.distribution import distribution_of

    return distribution_of(machine, Terms(2, at_end="face"), exact=True).chances()


def test_too_many_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """Said, not tried."""
    monkeypatch.setattr(joining, "STATES_MAX", 5)
    machines = [question("pass_flat").machine(), question("place_6_8_working").machine()]
    with pytest.raises(StrategyError, match="fewer kinds"):
        together(machines, (1, 1))
    with pytest.raises(StrategyError, match="fewer hands"):
        until_hands(machines[0], 9)


def test_one_hand_of_the_pass_line() -> None:
    """A hand has 495/196 pass bets on average (1671/196 rolls, 557/165 for each bet), each with 7/495 against it."""
    law = ask("pass_flat", house="strip", unit=1, hands=1).exact(fractions=False)
    assert law.mean == pytest.approx(-1 / 28, abs=1e-9)
    assert law.hands == pytest.approx(1, abs=1e-9)
    assert law.rolls_played == pytest.approx(1671 / 196, abs=1e-8)
    (found,) = told("exact", "pass_flat", "--house", "strip", "--unit", 1, "--hands", 2)
    assert (found["until_hands"], "--hands 2" in found["command"]) == (2, True)
    assert float(found["mean_decimal"]) == pytest.approx(-1 / 14, abs=1e-9)


def test_hands_by_law_and_by_sample() -> None:
    """Both end where the hand does, and at a stop before it."""
    asked = ask("place_6_8_working", house="strip", unit=1, hands=2, stop_win=20)
    scores = asked.simulate(sessions=4000, seed=2, backend="numpy").z_scores(asked.exact(fractions=False))
    assert max(map(abs, scores.values())) < 4


def test_a_paired_difference_is_the_difference_of_the_samples() -> None:
    """Same seed, same sessions: the means differ by it to the last minor unit, also where a bankroll ends some."""
    one, other = (question(name, rolls=40, bankroll=30, at_end="run-out") for name in ("pass_flat", "field"))
    found = versus(one, other, sessions=500, seed=5, backend="numpy")
    samples = [each.simulate(sessions=500, seed=5, backend="numpy") for each in (one, other)]
    assert found.mean == samples[0].mean - samples[1].mean
    assert found.exact is None
    assert "bankroll" in str(found.why_not)
    assert found.apart == pytest.approx(sum(float(each.variance) for each in samples) ** 0.5 / 500**0.5)


def test_a_paired_difference_beside_its_law() -> None:
    """Within four standard errors; and a strategy never differs from itself."""
    found = versus(question("pass_flat", rolls=30), question("field", rolls=30), sessions=3000, seed=1, backend="numpy")
    assert found.exact is not None
    assert abs(float(found.mean) - found.exact.mean) < 4 * found.standard_error
    assert float(found.variance) == pytest.approx(found.exact.variance, rel=0.1)
    same = versus(question("field"), question("field"), sessions=50, backend="numpy")
    assert (float(same.mean), same.standard_error, same.alike) == (0.0, 0.0, 50)
    with pytest.raises(ArgumentError, match="the same dice"):
        versus(question("field"), question("field", dice="srr=7"))
    with pytest.raises(ArgumentError, match="a whole number from 2"):  # one difference tells nothing of its own spread
        versus(question("field"), question("field"), sessions=1)


def test_a_table_of_players() -> None:
    """Mean, covariance and variance of the table's win, from every pair of throws dealt by the engine."""
    kinds = [(question("pass_flat"), 3), (question("dont_pass_flat"), 1), (question("field"), 2)]
    means, products = [Fraction(0)] * 3, [[Fraction(0)] * 3 for _ in range(3)]
    for (a, ways), (b, more) in product(PAIRS, repeat=2):
        nets = [played(asked, (a, b)) for asked, _ in kinds]
        chance = Fraction(ways * more, 1296)
        for row in range(3):
            means[row] += chance * nets[row]
            for column in range(3):
                products[row][column] += chance * nets[row] * nets[column]
    covariances = [[products[r][c] - means[r] * means[c] for c in range(3)] for r in range(3)]
    found = population(kinds)
    assert [list(row) for row in found.covariances(fractions=True)] == covariances
    law = found.exact(fractions=True)
    counts = [count for _, count in kinds]
    assert law.title.startswith("the house against pass_flat and dont_pass_flat and field at ")
    assert law.mean == -sum(count * mean for count, mean in zip(counts, means, strict=True))
    assert law.variance == sum(counts[r] * counts[c] * covariances[r][c] for r in range(3) for c in range(3))


def test_a_reserve_by_every_path() -> None:
    """One player on the field for three rolls: the deepest fall of the table on each of the 36 ** 3 paths."""
    nets = [
        {2: -10, 12: -15}.get(a + b, -5 if a + b in {3, 4, 9, 10, 11} else 5) for a, b in product(range(1, 7), repeat=2)
    ]
    falls: dict[int, Fraction] = {}
    for path in product(nets, repeat=3):
        deepest = max(0, *(-sum(path[: k + 1]) for k in range(3)))
        falls[deepest] = falls.get(deepest, Fraction(0)) + Fraction(1, 36**3)
    found = population([(question("field", rolls=3), 1)])
    for risk in (0.5, 0.1, 0.01, 0.001):
        least = min(
            amount for amount in falls if sum(p for fall, p in falls.items() if fall > amount) <= Fraction(str(risk))
        )
        assert found.reserve(risk) == least


FLOOR = """
house = "strip"
hours = "1/2"
rolls_per_hour = 20
[[players]]
strategy = "pass_flat"
unit = 10
count = 2
[[players]]
strategy = "mine.toml"
"""
MINE = 'name = "Mine"\ndescription = "The field."\nunit = 3\n[[want]]\nup = { field = 1 }\n'


def test_a_population_file(tmp_path: Path) -> None:
    """Read, worked out, told; a strategy file lies beside it."""
    file = tmp_path / "floor.toml"
    file.write_text(FLOOR, encoding="utf-8")
    (tmp_path / "mine.toml").write_text(MINE, encoding="utf-8")
    (found,) = told("population", file, "--risk", "0.05")
    assert [(kind["strategy"], kind["unit"], kind["count"]) for kind in found["players"]] == [
        ("pass_flat", "10", 2),
        ("mine", "3", 1),
    ]
    assert float(found["win_per_hour"]) == -float(found["table"]["loss_per_hour_decimal"])
    table = population(file)
    assert isinstance(table, Population)
    assert found["reserve"] == str(table.reserve(0.05))
    assert "A reserve of" in run("population", file).stdout
    card = run(
        "versus",
        "pass_flat",
        "field",
        "--house",
        "strip",
        "--rolls",
        5,
        "--sessions",
        40,
        "--seed",
        1,
        "--backend",
        "numpy",
    ).stdout
    assert "on the same dice, seed 1" in card


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("hours", "huors", "huors: found an unknown key"),
        ('"1/2"', '"1/3"', "whole rolls"),
        ("count", "cuont", "players 1.cuont: found an unknown key"),
        ("count = 2", 'count = "two"', "players 1.count: found 'two'"),
        ("count = 2", "count = 0", "players 1.count: found 0"),
        ('strategy = "pass_flat"', "", "players 1.strategy: found nothing"),
        ("[[players]]", "[players]", "players"),
        ("unit = 10", "unit = -1", "players 1.unit: found -1"),
    ],
)
def test_population_files_that_are_none(tmp_path: Path, old: str, new: str, says: str) -> None:
    """What, where, and what was expected."""
    file = tmp_path / "floor.toml"
    text = FLOOR.split('[[players]]\nstrategy = "mine', maxsplit=1)[0].replace(old, new, 1)
    file.write_text(text, encoding="utf-8")
    with pytest.raises(FileError) as error:
        population(file)
    assert says in str(error.value)


def test_questions_alone_are_one_player_each() -> None:
    flat, field = question("pass_flat"), question("field")
    assert population([flat, (field, 2)]).players == ((flat, 1), (field, 2))


def test_who_is_no_population() -> None:
    """Nobody, somebody who leaves, somebody at another table."""
    flat = question("pass_flat")
    bad: list[Any] = [[], 3, [(flat, 0)], [("field", 1)], ["field"], [(flat, 1), (question("field", rolls=3), 1)]]
    for each in bad:
        with pytest.raises(PasslineError):
            population(each)
    with pytest.raises(SessionError, match="plays on"):
        population([(question("pass_flat", bankroll=50), 1)])
    refused("versus", "pass_flat", code=2)
    refused("population", "nowhere.toml", code=2)
