"""What people read: sentences that fit, words that are the house's own, and what is said when nothing fits."""

from __future__ import annotations

import io
import re
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from inspect import signature
from typing import TYPE_CHECKING, Any

import pytest
from typer.testing import CliRunner

from passline import Table, ask, dice_test, hand_of, par_of, population, price_of, rolls_to_see, versus
from passline.analysis.estimates import dice_verdict
from passline.analysis.theo import stages_of, theo_of
from passline.cli import asking, prices
from passline.cli.app import app
from passline.cli.command import SESSION, TABLE
from passline.engine.refusals import Refusal
from passline.errors import ArgumentError, PasslineError, SessionError
from passline.house import House
from passline.machine.terms import Terms
from passline.sim import simulate
from passline.sitting.reckoning import tell
from passline.sitting.spots import spot_lines, verdict
from passline.sitting.words import talk
from passline.terminal.run import play
from tests.cli.running import refused, run
from tests.rulebooks.options import limits
from tests.sitting.test_sitting import roll

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.sitting.conftest import Sit

WIDE = 80
COLOURS = re.compile(r"\x1b\[[0-9;]*m")


def on_a_terminal(*words: object) -> list[str]:
    """The lines of a command as a terminal of eighty columns shows them."""
    seen = CliRunner().invoke(app, [str(word) for word in words], env={"COLUMNS": str(WIDE), "FORCE_COLOR": "1"})
    assert seen.exit_code == 0, seen.output
    return COLOURS.sub("", seen.stdout).splitlines()


@pytest.mark.slow
def test_sentences_fold_between_words_on_a_terminal(tmp_path: Path) -> None:
    """None is over eighty columns but the command, which is to be pasted; piped, each is one line."""
    file = tmp_path / "rolls.txt"
    file.write_text("3,4\n" * 20, encoding="utf-8")
    evening = ("exact", "field", "--house", "strip", "--rolls", 20, "--bankroll", 50)
    simulated = ("simulate", "pass_flat", "--house", "strip", "--rolls", 5, "--sessions", 50, "--backend", "numpy")
    for words in (evening, simulated, ("dice-test", file), ("par", "strip")):
        lines = on_a_terminal(*words)
        assert [line for line in lines if len(line.rstrip()) > WIDE and not line.startswith("Again: ")] == [], words
    whole = "Ran out of money: 4.35% (0.00% by roll 5, 0.00% by roll 10, 1.77% by roll 15, 4.35% by roll 20)."
    assert whole in " ".join(map(str.strip, on_a_terminal(*evening)))
    assert whole in run(*evening).stdout.splitlines()


def test_the_table_in_words_folds_on_a_terminal(sit: Sit, monkeypatch: pytest.MonkeyPatch) -> None:
    """The list of what can be bet is longer than a line."""

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setenv("COLUMNS", str(WIDE))
    seen = {kind: kind() for kind in (Terminal, io.StringIO)}
    for out in seen.values():
        play(sit(house="strip"), ["felt"], out)
    folded, whole = (out.getvalue() for out in seen.values())
    assert max(map(len, folded.splitlines())) <= WIDE < max(map(len, whole.splitlines()))
    assert "".join(folded.split()) == "".join(whole.split())


@pytest.mark.slow
def test_a_wanted_price_is_quoted_as_the_house_does() -> None:
    """A house that says for 1 is answered for 1, the stake among it; no column is empty, and a key stands once."""
    told = run("price", "fire", "--house", "fire-bonus", "--edge", "12%").stdout
    assert "9.6109 for 1" in told
    assert "9 for 1: 14.043%, 10 for 1: 10.699%" in told
    assert " to 1" not in told
    assert "exactly" not in told
    assert run("odds", "--house", "fire-bonus", "--wager", "horn").stdout.startswith("Combination (horn)")
    assert "47/10" in run("price", "any_seven", "--house", "strip", "--edge", "5%").stdout


def test_an_edge_is_a_share_and_no_money() -> None:
    """Python reads what the command does."""
    for edge in ("5%", "0.05", "1/20", 0.05, Fraction(1, 20)):
        assert price_of("strip", "any_seven", edge=edge)[0].wanted == Fraction(47, 10)
    for wrong in ("five", "5%%", "500%", "%", True, None):
        with pytest.raises(ArgumentError, match=r"a share of the money put up .* such as 5%, 0\.05 or 1/20"):
            price_of("strip", "any_seven", edge=wrong)  # type: ignore[arg-type]


def test_a_sheet_is_paid_on_a_stake_that_the_house_takes() -> None:
    """The minimum of its sign, told over the column."""
    assert par_of("strip").stake == 15
    assert par_of("strip", stake=5).stake == 5
    assert re.search(r"as paid\n.*volatility +on 15\n", run("par", "strip").stdout)


def test_errors_show_what_was_written() -> None:
    """Not what became of it."""
    with pytest.raises(ArgumentError, match="found 'srr=6'; expected dice whose sevens"):
        rolls_to_see("srr=6")
    with pytest.raises(ArgumentError, match="found None; expected dice whose sevens"):
        rolls_to_see(None)
    with pytest.raises(PasslineError, match="rolls:3:1: found 'x'; expected two dice"):
        dice_test([7, 7, "x"])  # type: ignore[arg-type]
    table = Table("strip")
    table.sit(1, "Ann", 100)
    answer = table.bet(1, "", 5)
    assert isinstance(answer, Refusal)
    assert answer.message == "The Strip does not book a wager without a name."


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("exact house.toml", "house.toml: found a house file; expected a strategy file."),
        ("strategy check table.toml", "{'up': {'pass': 1}}; expected [[want]], in double brackets."),
        ("strategy check molly.py:Molly", "is checked as it plays: passline simulate molly.py:Molly"),
        ("report house.toml", "question: found nothing; expected one [[question]] or more."),
        ("verify evening.craps", "this is a record, which `passline replay` plays again"),
    ],
)
def test_a_file_of_another_kind_is_called_what_it_is(
    words: str, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And what takes it is named, where there is something."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "house.toml").write_text('like = "strip"\nname = "Riverboat"\n[wager.field.pays]\n12 = "2:1"\n')
    (tmp_path / "table.toml").write_text('name = "Mine"\ndescription = "The line."\n[want]\nup = { pass = 1 }\n')
    (tmp_path / "evening.craps").write_text("passline 1\nhouse strip\n")
    said = CliRunner().invoke(app, words.split())
    assert said.exit_code
    assert sentence in said.stderr
    assert "Traceback" not in said.stderr


def test_a_report_is_not_written_over_a_file(tmp_path: Path) -> None:
    (tmp_path / "asked.toml").write_text('[[question]]\nkind = "exact"\nstrategy = "pass_flat"\nrolls = 2\n')
    said = CliRunner().invoke(app, ["report", str(tmp_path / "asked.toml"), "--out", str(tmp_path / "asked.toml")])
    assert said.exit_code == 2
    assert "expected a folder, which is made where there is none" in said.stderr


def test_a_word_that_nobody_knows_is_answered_with_some_that_are(sit: Sit) -> None:
    told = talk(sit(), "zorbl").lines
    assert told == ['I don\'t know "zorbl". Try: 12 on the six, 32 across, max odds (help lists more).']
    assert talk(sit(), "decine").lines[-1] == "Did you mean decline?"


def test_what_changes_the_answer_is_said_again() -> None:
    """A result asked about is part of the question; files that were written are not."""
    told = run("exact", "pass_flat", "--rolls", 5, "--result", "-10").stdout
    assert "Again: passline exact pass_flat --house adelaide --unit 5 --rolls 5 --result -10\n" in told


def test_ask_takes_the_options_of_a_question() -> None:
    """Whatever can be typed can be called."""
    assert {*TABLE, *SESSION} == set(signature(ask).parameters) - {"strategy"}


@pytest.mark.parametrize(
    ("command", "called"),
    [
        (asking.theo, theo_of),
        (asking.stages, stages_of),
        (asking.population, population),
        (asking.dice_verdict, dice_verdict),
        (prices.price, price_of),
        (prices.hand, hand_of),
        (prices.par, par_of),
    ],
)
def test_a_command_has_the_arguments_of_what_it_calls(command: Callable[..., Any], called: Callable[..., Any]) -> None:
    """By the same names, with the same values where nobody gives any; what is missing is another command's."""
    names = {"name": "question", "file": "rolls", "float_": "chips"}
    typed = {names.get(each.name, each.name): each.default for each in signature(command).parameters.values()}
    usual = {each.name: each.default for each in signature(called).parameters.values()}
    assert usual.keys() - typed.keys() <= ({"hours", "rolls_per_hour"} if called is population else set())
    for name, default in typed.items():
        assert name in {"session", "house"} or default in (usual[name], str(usual[name]))


def test_wagers_that_are_not_on_offer_have_no_limits_in_the_options() -> None:
    """The house with the Fire Bet has rules for Craps and eleven and does not book it."""
    props = str(limits(House("fire-bonus").book))
    assert "horn_high" in props
    assert "craps_eleven" not in props
    assert "any_craps" not in props


@pytest.mark.slow
def test_one_is_one_and_a_house_has_its_name(tmp_path: Path) -> None:
    """Hours are counted, and a house is called by its name."""
    file = tmp_path / "floor.toml"
    file.write_text('house = "strip"\nhours = 1\n[[players]]\nstrategy = "field"\n', encoding="utf-8")
    assert "100 rolls in 1 hour, on the same dice" in run("population", file).stdout
    assert "1 hour of 100 rolls" in run("theo", "field", "--house", "strip").stdout
    simulated = run("simulate", "field", "--house", "strip", "--rolls", 2, "--sessions", 5, "--backend", "numpy").stdout
    assert simulated.startswith("Field at The Strip\n")


# --- What takes too long, and what was not clear ----------------------------------------------------------------------


@pytest.mark.slow
def test_a_run_that_nobody_lives_to_see_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """From the command line and in Python alike, with an estimate; what ends in time is not, and neither elsewhere."""
    question = ask("pass_flat", rolls=5)
    with monkeypatch.context() as impatient:  # first a run that has an end: without the rule the others have none
        impatient.setattr("passline.sim.run.LOOK_S", 0.0)
        impatient.setattr("passline.sim.run.LONGEST_S", 0.0)
        with pytest.raises(SessionError, match="would take about"):
            question.simulate(sessions=20_000, backend="numpy")
    monkeypatch.setattr("passline.sim.run.LOOK_S", 0.05)
    endless = 10**15
    told = refused("simulate", "pass_flat", "--rolls", 5, "--sessions", endless, "--backend", "numpy", code=1)
    assert re.match(r"[\d,]+ sessions would take about [\d,]+ years here", told)
    with pytest.raises(SessionError, match="years here"):
        question.simulate(sessions=endless, backend="numpy")
    with pytest.raises(SessionError, match="years here"):
        versus(question, ask("field", rolls=5), sessions=endless, backend="numpy")
    monkeypatch.setattr("passline.sim.run.LOOK_S", 0.0)
    assert question.simulate(sessions=20_000, backend="numpy").complete
    monkeypatch.setattr("passline.sim.run.LONGEST_S", 0.0)
    with ThreadPoolExecutor(1) as elsewhere:
        source = question.source("numpy")
        assert simulate(source, Terms(5), sessions=20_000, backend="numpy", executor=elsewhere).complete


@pytest.mark.slow
def test_one_wager_says_what_its_figures_mean() -> None:
    """Also that a bet of parts can bring nothing."""
    told = " ".join(run("odds", "--house", "strip", "--wager", "world").stdout.split())
    assert "0 on 1/6 of bets (16.667%), its parts win what they lose" in told
    for words in ("Put up: the stake, and commission", "per bet made, pushes counted", "All rolls: those on which"):
        assert words in told


def test_a_chip_that_is_raised_to_the_minimum_says_so(sit: Sit) -> None:
    """A chip below it would not be booked."""
    sitting = sit(house="strip")
    told, _ = verdict(sitting, "pass", 500)
    assert told.startswith("Enter bets 15 (the minimum), ")
    assert "minimum" not in verdict(sitting, "pass", 2500)[0]


@pytest.mark.slow
def test_a_put_bet_is_called_one(sit: Sit) -> None:
    """The edge of the line on a point is that of a bet put there; the column of means is explained."""
    sitting = sit(house="strip", dice="4-2")
    sitting.say("about 15 on pass")
    assert "put on the point" not in " ".join(spot_lines(sitting, "pass"))
    roll(sitting)
    assert "a roll as it stands" in " ".join(spot_lines(sitting, "pass"))
    other = sit(house="strip", dice="4-2")
    other.say("about 15 on dont_pass")
    roll(other)
    assert "a roll if put on the point now" in " ".join(spot_lines(other, "pass"))
    assert "put on the point" not in " ".join(spot_lines(sitting, "field"))
    sitting = sit(house="strip", dice="4-2")
    sitting.say("about 15 on field")
    sitting.say("about 15 on pass")
    roll(sitting)
    lines = tell(sitting.layout, sitting.reckoning())
    assert any(line.startswith("Expected: ") for line in lines)


@pytest.mark.parametrize("columns", ["40", "80"])
def test_a_rule_card_is_whole_at_any_width(monkeypatch: pytest.MonkeyPatch, columns: str) -> None:
    """Every habit with its value and its clause: what does not fit is broken, and nothing left out."""
    monkeypatch.setenv("COLUMNS", columns)
    text = run("house", "sydney").stdout
    words = [word.strip(";,") for word in " ".join(text.splitlines()[-12:]).split()]
    assert "come-out" in text, "no word is broken"
    assert {"chips", "dealer"} <= set(words), "what the last habits are"
    assert any(word.endswith("en.2") for word in words), "the end of the longest clause"
