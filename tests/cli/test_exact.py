"""`passline exact`, as people and programs use it."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import pytest

from tests.cli.running import refused, run, told

if TYPE_CHECKING:
    from pathlib import Path

MINE = """
name = "Mine"
description = "The field, two units."
unit = 3
[[want]]
up = { field = 2 }
"""
PRESSED = """
name = "Locks up"
description = "The field until ten units ahead, then the line."
[[want]]
when = "profit < 10"
up = { field = 1 }
[[want]]
when = "profit >= 10"
up = { pass = 1 }
"""


def test_one_roll_of_the_pass_line_is_one_bet() -> None:
    """What stands after it is run out: 244 ways to win in 495, and seven in 495 lost of five."""
    (found,) = told("exact", "pass_flat", "--house", "strip", "--unit", 5, "--rolls", 1)
    assert (found["mean"], found["action"], found["edge"]) == ("-7/99", "5", "7/495")
    assert (found["p_ahead"], found["p_even"], found["p_behind"]) == ("244/495", "0", "251/495")
    assert (found["at_end"], found["rolls_played"], found["run_out_rolls"]) == ("run-out", "1", "392/165")
    card = run("exact", "pass_flat", "--house", "strip", "--unit", 5, "--rolls", 1).stdout
    assert "Bets still up at the end are played out." in card
    assert "That is 1.414% of the action." in card
    assert "In the long run it loses 1.414% of the action." in card


def test_one_roll_of_the_pass_line_at_face_value() -> None:
    """Eight ways to win, four to lose: figures that anybody can check."""
    (found,) = told("exact", "pass_flat", "--house", "strip", "--unit", 5, "--rolls", 1, "--at-end", "face")
    assert "--at-end face" in found["command"]
    assert found["mean"] == "5/9"
    assert found["mean_decimal"].startswith("0.5555")
    assert (found["p_ahead"], found["p_even"], found["p_behind"]) == ("2/9", "2/3", "1/9")
    assert (found["p_ruin"], found["p_ruin_decimal"]) == ("0", "0")
    assert found["variance"] == str(25 * Fraction(1, 3) - Fraction(25, 81))
    assert list(found["quantiles"]) == ["0.01", "0.05", "0.25", "0.5", "0.75", "0.95", "0.99"]
    assert list(found["quantiles"].values()) == ["-5", "-5", "0", "0", "0", "5", "5"]
    assert found["exact"] is True
    assert found["action"] == "5/3"  # twelve throws in 36 decide the bet
    assert found["loss_per_hour"] == "-500/9"
    assert (found["best"], found["worst"]) == ("5", "-5")
    assert (found["house"], found["strategy"], found["unit"]) == ("strip", "pass_flat", "5")
    assert len(found["house_hash"]) == len(found["strategy_hash"]) == 64


def test_the_command_gives_the_same_again() -> None:
    """What is printed as the command is the question that was asked."""
    (found,) = told("exact", "hit_and_run", "--unit", 7, "--rolls", 20, "--bankroll", 400, "--notice", "odds=2")
    words = found["command"].split(" ", 1)[1]
    assert "--notice odds=2" in words
    (again,) = told(*words.split())
    assert again == found


def test_without_a_bankroll_nobody_is_ruined_in_double_precision_either() -> None:
    """The zero is exact."""
    (found,) = told("exact", "field", "--rolls", 30, "--double")
    assert (found["exact"], found["p_ruin"]) == (False, "0")
    assert float(found["error_bound"]) < 1e-9


def test_a_bankroll_ruins() -> None:
    """Ten dollars on the field at five a roll are gone after two losses: 20/36 each."""
    (found,) = told("exact", "field", "--unit", 5, "--rolls", 3, "--bankroll", 10)
    assert found["p_ruin"] == str(Fraction(20, 36) ** 2)
    assert found["ruin_curve"][-1] == [3, found["p_ruin"]]
    assert found["ruin_curve_decimal"][-1] == [3, "0.308641975309"]


def test_stakes_may_be_fractions() -> None:
    """Exhibit-a lays 4/3 to win 1, and nothing is rounded without a float."""
    (found,) = told("exact", "dont_pass_lay", "--house", "exhibit-a", "--unit", 1, "--rolls", 6)
    assert any("/" in net for net in (found["best"], found["worst"], *found["quantiles"].values()))


def test_a_float_rounds() -> None:
    """Three on place 6 wins 3.50, paid as 4 with one-dollar chips at adelaide, and the player has the edge."""
    (exact,) = told("exact", "place_6_8", "--unit", "0.50", "--rolls", 10)
    (paid,) = told("exact", "place_6_8", "--unit", "0.50", "--rolls", 10, "--float", "1,5,25")
    each, rounded = Fraction(10, 36) * Fraction(7, 2) - 1, Fraction(10, 36) * 4 - 1
    assert Fraction(paid["mean"]) / Fraction(exact["mean"]) == rounded / each
    assert Fraction(paid["mean"]) > 0
    assert "cents" in refused("exact", "place_6_8", "--unit", "5/6", "--rolls", 10, "--float", "1,5,25", code=1)


def test_chips_and_signs_are_obeyed() -> None:
    """A sign's odds are what `max` means."""
    (few,) = told("exact", "pass_max_odds", "--unit", 5, "--rolls", 10, "--notice", "odds=2")
    (many,) = told("exact", "pass_max_odds", "--unit", 5, "--rolls", 10, "--notice", "odds=10")
    assert Fraction(few["variance"]) < Fraction(many["variance"])
    assert few["mean"] == many["mean"]


def test_a_strategy_of_ones_own(tmp_path: Path) -> None:
    """A file works as a name of the library does, at its own unit."""
    path = tmp_path / "mine.toml"
    path.write_text(MINE)
    (found,) = told("exact", path, "--rolls", 1)
    assert (found["strategy"], found["unit"], found["action"]) == ("mine", "3", "6")


@pytest.mark.slow
def test_stops_bound_a_strategy_that_looks_at_its_profit(tmp_path: Path) -> None:
    """Without them its states have no end: a short evening has few enough, and a long one says so."""
    path = tmp_path / "locks.toml"
    path.write_text(PRESSED)
    assert told("exact", path, "--rolls", 30)[0]["worst"] == "-30"
    assert "stop-win" in refused("exact", path, "--rolls", 3000, code=1)
    (found,) = told("exact", path, "--rolls", 30, "--stop-win", 20, "--stop-loss", 20)
    assert (found["best"], found["strategy"]) == ("20", "locks")


def test_a_strategys_own_stops_count_until_others_are_given() -> None:
    """Hit and run leaves at ten units won or twenty lost."""
    (own,) = told("exact", "hit_and_run", "--unit", 5, "--rolls", 30)
    assert (own["stop_win"], own["stop_loss"]) == ("50", "100")
    (other,) = told("exact", "hit_and_run", "--unit", 5, "--rolls", 30, "--stop-win", 80)
    assert (other["stop_win"], other["stop_loss"]) == ("80", "100")


def test_the_card_says_it_in_words() -> None:
    """People get sentences, a table of quantiles and the command."""
    result = run("exact", "three_point_molly", "--house", "strip", "--rolls", 40, "--bankroll", 200, "--double")
    assert result.exit_code == 0
    for words in (
        "On average you lose",
        "Ahead",
        "Ran out of money",
        "by roll 40",
        "median",
        "per hour",
        "Again:",
    ):
        assert words in result.stdout
    assert "passline exact three_point_molly --house strip --unit 5 --rolls 40 --bankroll 200 --double" in result.stdout


def test_the_long_run_stands_beside_an_evening() -> None:
    """Ten rolls of the pass line win on paper; the price of the bet is said beside, to people and to programs."""
    words = ("exact", "pass_flat", "--house", "strip", "--unit", "1/3", "--rolls", 10, "--at-end", "face")
    card = run(*words).stdout
    assert "unit 1/3;" in card
    assert "On average you win" in card
    assert "In the long run it loses 1.414% of the action" in card
    (found,) = told(*words)
    assert found["long_run"]["edge"] == "7/495"


@pytest.mark.parametrize("count", ["1e6", "ten", "2.5", "٣"])
def test_a_count_that_is_none_is_answered_in_our_words(count: str) -> None:
    """Not in a validator's."""
    expected = f"--rolls: found {count!r}; expected a whole number from 1"
    assert refused("exact", "pass_flat", "--rolls", count, code=2) == expected


def test_what_the_dealers_refuse_is_said() -> None:
    """A strategy that cannot have all it wants plays on, and somebody says so."""
    result = run("exact", "dont_pass_place_6_8", "--unit", 10, "--max", 100, "--rolls", 5)
    assert result.exit_code == 0
    assert "dont_pass_place_6_8: the dealers refuse place_6" in result.stdout


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("three_point_moly",), 2, "Nearest: three_point_molly"),
        (("nothing.toml",), 2, "no such file"),
        (("pass_flat", "--house", "adelade"), 2, "adelaide"),
        (("martingale_pass",), 1, "--max"),
        pytest.param(("labouchere_dont_pass",), 1, "--max", marks=pytest.mark.campaign),
        (("fire_bet", "--house", "sydney"), 1, "fire-bonus does"),
        (("all_tall_small",), 1, " and strip do"),
        (("pass_flat", "--rolls", 0), 2, "--rolls: found 0"),
        (("pass_flat", "--rolls", -3), 2, "--rolls: found -3"),
        (("pass_flat", "--rolls", 2_000_000), 1, "1,000,000"),
        (("pass_flat", "--rolls", "many"), 2, "--rolls"),
        (("pass_flat", "--unit", 10, "--bankroll", 9), 1, "first roll"),
        (("pass_flat", "--bankroll", 0), 2, "above 0"),
        (("pass_flat", "--bankroll", "1e3"), 2, "amount"),
        (("pass_flat", "--bankroll", 100, "--stop-loss", 200), 2, "never be reached"),
        (("pass_flat", "--stop-win", 0), 2, "above 0"),
        (("pass_flat", "--stop-win", -5), 2, "amount"),
        (("pass_flat", "--unit", "nan"), 2, "amount"),
        (("pass_flat", "--unit", "1/0"), 2, "amount"),
        (("pass_flat", "--unit", "٣"), 2, "amount"),
        (("pass_flat", "--float", "1,x"), 2, "'x'"),
        (("pass_flat", "--float", "0"), 2, "above 0"),
        (("pass_flat", "--float", "5,5"), 2, "once"),
        (("pass_flat", "--float", ","), 2, "chips"),
        (("pass_flat", "--notice", "mn=5"), 2, "'mn=5'"),
        (("pass_flat", "--notice", "min=50 max=10"), 2, "at least its minimum"),
        (("pass_flat", "--notice", "odds=0"), 2, "odds"),
        (("pass_flat", "--notice", "min=10", "--unit", 5), 1, "minimum of 10"),
        (("pass_flat", "--rolls-per-hour", 0), 2, "above 0"),
        (("pass_flat", "--at-end", "faec"), 2, "--at-end: found 'faec'; expected one of run-out, face. Nearest: face"),
        (("three_point_molly", "--rolls", 5000, "--fractions"), 1, "whole numbers"),
    ],
)
def test_bad_input_gets_a_sentence(words: tuple[object, ...], code: int, said: str) -> None:
    """What, why and what instead; exit code 2 for what cannot be read, 1 for what cannot be had."""
    assert said in refused("exact", *words, code=code)


def test_the_distribution_in_a_file_and_in_json(tmp_path: Path) -> None:
    """Every net with its chance, a fraction where the answer is exact."""
    path = tmp_path / "law.csv"
    (found,) = told("exact", "field", "--house", "strip", "--unit", 5, "--rolls", 1, "--csv", path)
    assert found["distribution"] == [["-5", "5/9"], ["5", "7/18"], ["10", "1/36"], ["15", "1/36"]]
    (rounded,) = told("exact", "field", "--house", "strip", "--unit", 5, "--rolls", 1, "--double")
    assert [float(chance) for _, chance in rounded["distribution"]] == pytest.approx([5 / 9, 7 / 18, 1 / 36, 1 / 36])
    assert path.read_text().splitlines()[:2] == [
        "strategy,house,net,net_decimal,chance",
        f"field,strip,-5,-5,{20 / 36!r}",
    ]
    assert "no folder" in refused("exact", "field", "--csv", tmp_path / "no" / "law.csv", code=2)


def test_the_distribution_as_a_picture(tmp_path: Path) -> None:
    """Drawn from the exact answer; what cannot be a picture is refused before anything is worked out."""
    pytest.importorskip("matplotlib")
    path = tmp_path / "law.svg"
    told("exact", "field", "--house", "strip", "--unit", 5, "--rolls", 3, "--chart", path)
    drawn = path.read_text()
    assert "Field at The Strip" in drawn
    assert "3 rolls, exactly" in drawn
    assert "--chart" in refused("exact", "field", "--chart", tmp_path / "law.txt", code=2)
    both = ("--csv", path, "--chart", path)
    assert "a file of its own for each" in refused("exact", "field", *both, code=2)


def test_one_roll_is_one_roll() -> None:
    """The heading counts as people do."""
    assert "1 roll, unit" in run("exact", "pass_flat", "--rolls", 1).stdout
    assert "2 rolls, unit" in run("exact", "pass_flat", "--rolls", 2).stdout


def test_too_many_equations_of_ruin_leave_the_rest() -> None:
    """Growth is told, and why the chance of ruin is not."""
    (found,) = told("exact", "three_point_molly", "--house", "strip", "--unit", 10, "--rolls", 5, "--bankroll", 3000,
                    "--dice", "srr=7", "--for-ever")  # fmt: skip
    assert found["for_ever"]["p_ruin"] is None
    assert "too many" in found["for_ever"]["p_ruin_left_out"]
