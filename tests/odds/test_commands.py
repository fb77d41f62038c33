"""`passline odds` and `passline compare`, as people and programs use them."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest
from typer.testing import CliRunner

from passline import House, compare
from passline.cli.app import app
from passline.odds.wagers import odds_of
from passline.telling.card import spots

if TYPE_CHECKING:
    from pathlib import Path

    from typer.testing import Result

FIELDS = [
    "name",
    "p_win",
    "p_lose",
    "p_push",
    "mean_net",
    "staked",
    "edge_per_bet_made",
    "edge_per_bet_resolved",
    "edge_per_roll_working",
    "variance",
    "rolls_working",
    "rolls_all",
    "nets",
    "clauses",
]


def run(line: str) -> Result:
    """Run a command line in eighty columns."""
    return CliRunner().invoke(app, line.split(), env={"COLUMNS": "80", "TERM": "dumb"})


def told(line: str) -> Any:  # noqa: ANN401 - JSON is anything
    """What a command says to programs."""
    result = run(f"{line} --json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


@pytest.mark.slow
@pytest.mark.parametrize("house", [house.id for house in House.all()])
def test_json_has_every_wager_with_every_figure(house: str) -> None:
    """Exact fractions as strings, in the shape that is promised."""
    answer = told(f"odds --house {house}")
    assert list(answer) == ["house", "wagers", "hand"]
    assert answer["house"] == house
    expected = odds_of(House(house))
    assert list(answer["wagers"]) == list(expected)
    for key, wager in answer["wagers"].items():
        assert list(wager) == FIELDS
        assert Fraction(wager["mean_net"]) == expected[key].mean_net
        law = {Fraction(net): Fraction(chance) for net, chance in wager["nets"].items()}
        assert sum(law.values()) == 1
        assert sum(net * chance for net, chance in law.items()) == expected[key].mean_net
        assert (wager["rolls_all"] is None) == key.startswith("come_odds_")


def test_json_of_one_wager_and_the_hand() -> None:
    """The figures of the specification."""
    answer = told("odds --wager place_6")
    assert list(answer["wagers"]) == ["place_6"]
    place = answer["wagers"]["place_6"]
    assert (place["p_win"], place["rolls_working"], place["rolls_all"]) == ("5/11", "36/11", "2576649/702922")
    assert answer["hand"]["mean_rolls"] == "1671/196"
    assert sum(map(Fraction, answer["hand"]["distinct_points"].values())) == 1
    assert sum(map(Fraction, answer["hand"]["points"].values())) == 1


def test_as_paid_is_told_beside_the_price() -> None:
    """In a word, too."""
    wagers = told("odds --stake 5 --float 1,5,25")["wagers"]
    assert wagers["place_6"]["edge_per_bet_made"] == "1/66"
    assert wagers["place_6"]["as_paid"]["edge_per_bet_made"] == "0"
    assert wagers["place_6"]["as_paid"]["favours"] == "nobody"
    assert "divide" in wagers["horn"]["as_paid"]["refused"]
    assert "is a fair bet" in run("odds --wager place_6 --stake 5 --float 1").stdout
    assert "favours the player" in run("odds --wager place_6 --stake 1 --float 1").stdout
    assert "In the player's favour: dont_pass_odds_5" in run("odds --house exhibit-a").stdout


@pytest.mark.slow
def test_a_family_is_all_its_wagers() -> None:
    """`pass_odds` is one wager at the table and six prices."""
    assert list(told("odds --wager pass_odds")["wagers"]) == [f"pass_odds_{n}" for n in (4, 5, 6, 8, 9, 10)]
    assert set(told("compare --wager place")["wagers"]) == {f"place_{n}" for n in range(2, 13) if n != 7}


@pytest.mark.parametrize(
    ("house", "name", "key"),
    [("sydney", "win_line", "pass"), ("strip", "yo", "eleven"), ("strip", "Ace~Deuce", "craps_3")],
)
def test_a_wager_may_be_called_by_its_name_on_the_felt(house: str, name: str, key: str) -> None:
    """As at the table."""
    result = CliRunner().invoke(app, ["odds", "--house", house, "--wager", name.replace("~", " "), "--json"])
    assert list(json.loads(result.stdout)["wagers"]) == [key]


@pytest.mark.parametrize("house", [house.id for house in House.all()])
def test_a_rule_card_breaks_no_key_in_two(house: str) -> None:
    """On eighty columns every wager's key stands whole, or in lines that end between two of its numbers."""
    result = run(f"house {house}")
    assert max(map(len, result.stdout.splitlines())) <= 80
    words = {word for line in result.stdout.splitlines() for word in line.replace(",", " ").split()}
    for row in spots(House(house).layout):
        for key in row.keys.split(", "):
            head = key.split("/")[0]
            assert any(word == key or word.startswith(f"{head}/") for word in words), key


@pytest.mark.slow
def test_compare_in_json() -> None:
    """Each house with its name for the wager, and who is best and worst."""
    answer = told("compare --wager craps_12")
    assert answer["houses"] == [house.id for house in House.all()]
    twelve = answer["wagers"]["craps_12"]
    assert twelve["best"] == ["sydney"]
    assert twelve["worst"] == ["fire-bonus"]
    assert twelve["houses"]["adelaide"]["edge_per_bet_made"] == "1/12"


@pytest.mark.parametrize(
    "line",
    [
        "odds",
        "odds --house strip",
        "odds --house fire-bonus --wager fire",
        "odds --house exhibit-a --stake 5",
        "odds --wager buy_4 --stake 20",
        "odds --wager horn --stake 5",
        "compare",
        "compare --wager fire",
        "compare --wager pass_odds_6",
        "compare --wager place",
    ],
)
def test_tables_fit_eighty_columns(line: str) -> None:
    """Nothing runs over and nothing is cut."""
    result = run(line)
    assert result.exit_code == 0, result.output
    # A sentence is one line for whoever reads a pipe.
    assert max(len(each) for each in result.stdout.splitlines() if not each.endswith(".")) <= 80
    assert "…" not in result.stdout


def test_percentages_stand_beside_their_fractions() -> None:
    """A person may want either."""
    line = next(line for line in run("odds").stdout.splitlines() if "place_6" in line)
    assert "1.515%" in line
    assert "1/66" in line


@pytest.mark.parametrize(
    ("line", "code", "says"),
    [
        ("odds --house adelade", 2, "Nearest: adelaide"),
        ("odds --wager plce_6", 2, "did you mean place_6?"),
        ("odds --wager passs", 2, "did you mean pass?"),
        ("odds --wager hardsix", 2, "did you mean hard?"),
        ("odds --wager place_7", 2, "did you mean place?"),
        ("odds --wager zzz", 2, "there are pass, dont_pass, come"),
        ("odds --house exhibit-a --wager buy_4", 1, "adelaide, crapless, fire-bonus, strip and sydney do."),
        ("odds --wager fire", 1, "fire-bonus does."),
        ("odds --wager come_6", 2, "part of come"),
        ("odds --wager qqqq", 2, "There is no wager 'qqqq' at adelaide; there are pass, dont_pass"),
        ("odds --stake 0", 2, "above 0"),
        ("odds --stake five", 2, "an amount of money such as 5, 2.50"),
        ("odds --stake 5 --float 1,,5", 2, "an amount of money such as 5, 2.50"),
        ("odds --stake 5 --float 0", 2, "above 0"),
        ("odds --stake 5.50 --float 1", 1, "cannot be made of chips of 1"),
        ("odds --float 1,5", 2, "--stake"),
        ("compare --wager plase", 2, "did you mean place"),
        ("odds --nonsense", 2, "nonsense"),
    ],
)
def test_what_cannot_be_answered_is_said_in_a_sentence(line: str, code: int, says: str) -> None:
    """Exit 1 is a refusal, exit 2 an argument that could not be read; nothing goes to standard output."""
    result = run(line)
    assert result.exit_code == code, result.output
    assert says in result.stderr
    assert not result.stdout


@pytest.mark.parametrize("command", ["odds", "compare"])
def test_help_has_an_example(command: str) -> None:
    """The quickest way in."""
    assert f"passline {command}" in run(f"{command} --help").stdout


def test_commission_on_a_win_is_told() -> None:
    """Five per cent of 25, down to whole chips: one, when a buy at the strip wins, and nothing when it is made."""
    paid = told("odds --house strip --wager buy_4 --stake 25 --float 1,5,25")["wagers"]["buy_4"]["as_paid"]
    assert (paid["commission"], paid["commission_on_win"]) == ("0", "1")
    assert Fraction(paid["mean_net"]) == Fraction(1, 3) * Fraction(2 * 25 - 1, 25) - Fraction(2, 3)
    assert "taken out of a win" in run("odds --house strip --wager buy_4 --stake 25 --float 1,5,25").stdout
    up_front = told("odds --house adelaide --wager buy_4 --stake 20 --float 1,5")["wagers"]["buy_4"]["as_paid"]
    assert (up_front["commission"], up_front["commission_on_win"]) == ("1", "0")


def test_a_win_that_rounds_to_nothing_is_charged_nothing() -> None:
    """One laid at the strip wins half a chip, which is none: P-83."""
    paid = told("odds --house strip --wager lay_4 --stake 1 --float 1")["wagers"]["lay_4"]["as_paid"]
    assert (paid["commission_on_win"], paid["mean_net"]) == ("0", "-1/3")


@pytest.mark.slow
def test_houses_are_compared_as_paid(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A house file stands beside the others; five on six in chips of one is fair where the dealers round up."""
    monkeypatch.chdir(tmp_path)
    assert run("house new Mine --like strip").exit_code == 0
    file = tmp_path / "mine.toml"
    answer = told(f"compare --house {file} --wager place_6 --stake 5 --float 1,5")
    assert answer["houses"][-1] == House(str(file)).id
    place = answer["wagers"]["place_6"]
    assert place["houses"][House(str(file)).id]["as_paid"]["edge_per_bet_made"] == "1/11"
    assert place["best"] == ["adelaide", "sydney"]
    assert run("compare --float 1,5").exit_code == 2


def test_what_is_paid_in_chips_says_by_which_clause_it_is_rounded() -> None:
    """Sydney up, exhibit-a down."""
    for house, clause in (
        ("sydney", "rounding up to chips (sydney:6.7)"),
        ("exhibit-a", "rounding down to chips (X-16)"),
    ):
        words = run(f"odds --house {house} --stake 5 --float 1,5,25").stdout.split()
        assert clause in " ".join(words)


def test_no_fraction_is_broken_at_eighty_columns() -> None:
    """A price of a house stands whole in the table of all of them, or only as a percentage."""
    words = {word for word in run("compare").stdout.split() if "/" in word}
    edges = {str(edge) for each in compare().values() for edge in each.edges.values()}
    assert words == {edge for edge in edges if "/" in edge and len(edge) <= 8}


@pytest.mark.parametrize(
    ("wager", "nets"),
    [  # a fifth, a quarter, a half on each part: what wins, less the parts that lose
        ("world", {"26/5": "1/18", "11/5": "1/9", "0": "1/6", "-1": "2/3"}),
        ("horn", {"27/4": "1/18", "3": "1/9", "-1": "5/6"}),
        ("craps_eleven", {"7": "1/18", "3": "1/9", "-1": "5/6"}),
        ("horn_high_12", {"57/5": "1/36", "26/5": "1/36", "11/5": "1/9", "-1": "5/6"}),
    ],
)
def test_a_bet_of_several_parts_is_told_whole(wager: str, nets: dict[str, str]) -> None:
    """What all of it brings together, worked out by hand, and its one edge; not only what a part is paid."""
    told_json = told(f"odds --house exhibit-a --wager {wager}")["wagers"][wager]
    assert told_json["nets"] == nets
    edge = -sum(Fraction(net) * Fraction(chance) for net, chance in nets.items())
    assert Fraction(told_json["edge_per_bet_made"]) == edge
    page = " ".join(run(f"odds --house exhibit-a --wager {wager}").stdout.split())
    for net, chance in nets.items():
        assert f" {net} on {chance} of bets" in page
    assert f" {edge} " in page
    assert "its parts pay" in page


@pytest.mark.slow
def test_more_houses_than_fit_stand_in_another_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No heading, percentage or fraction is broken to make room for a seventh."""
    monkeypatch.chdir(tmp_path)
    assert run("house new Riverboat --like strip").exit_code == 0
    page = run("compare --house riverboat.toml").stdout
    assert max(map(len, page.splitlines())) <= 80
    words = page.split()
    assert {"adelaide", "crapless", "riverboat", "sydney"} <= set(words)
    edges = {edge for each in compare([*House.all(), "riverboat.toml"]).values() for edge in each.edges.values()}
    assert {word for word in words if "/" in word} == {str(edge) for edge in edges if 2 < len(str(edge)) <= 8}
    assert {word.strip("*!") for word in words if "%" in word} == {f"{float(edge):.3%}" for edge in edges}
