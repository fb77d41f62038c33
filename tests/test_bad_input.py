"""Rubbish in, a clear answer out, and nothing changed."""

from __future__ import annotations

import subprocess
import sys
from decimal import Decimal
from typing import TYPE_CHECKING

import pytest

from passline import Refusal, Table
from passline.errors import RecordError
from passline.record.record import read
from passline.rulebooks.read import built_in
from passline.table import replay

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(params=built_in())
def table(request: pytest.FixtureRequest) -> Table:
    """A table in each house with one player and little money."""
    table = Table(request.param)
    table.sit(1, "Ann", 20)
    return table


@pytest.mark.parametrize(
    ("ask", "code"),
    [
        (lambda t: t.roll(0, 3), "dice.impossible"),
        (lambda t: t.roll(7, 1), "dice.impossible"),
        (lambda t: t.bet(1, "pass", -5), "amount.not_positive"),
        (lambda t: t.bet(1, "pass", 0), "amount.not_positive"),
        (lambda t: t.bet(1, "pass", Decimal("15.5")), "amount.not_chips"),
        (lambda t: t.bet(1, "pass", 10**30), "bet.over_maximum"),
        (lambda t: t.bet(1, "pass", 500), "bet.short_rail"),
        (lambda t: t.bet(8, "pass", 15), "seat.empty"),
        (lambda t: t.bet(1, "place_7", 15), "wager.not_offered"),
        (lambda t: t.bet(1, "no such thing", 15), "wager.not_offered"),
        (lambda t: t.take(1, "pass"), "wager.not_up"),
        (lambda t: t.call(1, "place_6", "on"), "wager.not_up"),
        (lambda t: t.sit(1, "Bob", 5), "seat.taken"),
        (lambda t: t.sit(0, "Bob", 5), "seat.unknown"),
        (lambda t: t.sit(2, "Bob", -5), "amount.not_positive"),
        (lambda t: t.bet(1, "come", 15), "bet.window"),
        (lambda t: t.bet(1, "pass_odds", 15), "bet.no_flat"),
        (lambda t: t.roll(3, 4), "dice.no_shooter"),
    ],
)
def test_a_bad_act_is_refused_and_changes_nothing(table: Table, ask: object, code: str) -> None:
    """Each kind of nonsense has its own code and a sentence, and the table stands as it was."""
    before = table.state
    answer = ask(table)  # type: ignore[operator]
    assert isinstance(answer, Refusal), answer
    assert answer.code == code
    assert answer.message
    assert table.state is before


def test_a_bet_on_an_empty_rail_is_refused() -> None:
    """Spending the rail to zero is fine; the next chip is not there."""
    table = Table("adelaide")
    table.sit(1, "Ann", 10)
    table.bet(1, "pass", 10)
    answer = table.bet(1, "dont_pass", 5)
    assert isinstance(answer, Refusal)
    assert answer.code == "bet.short_rail"


def test_an_act_in_the_wrong_phase_is_refused(table: Table) -> None:
    """With the dice out chips lie still, and they cannot go out twice."""
    table.bet(1, "pass", 15)
    table.dice_out()
    for answer in (table.bet(1, "field", 5), table.take(1, "pass"), table.dice_out(), table.buy_in(1, 5)):
        assert isinstance(answer, Refusal)
        assert answer.code.startswith(("phase.", "bet.late"))


def test_floats_are_no_money() -> None:
    """A float is a mistake of the caller's, caught before it is an amount."""
    table = Table("adelaide")
    with pytest.raises(TypeError, match=r"buyin: found 0\.1; expected an amount of money"):
        table.sit(1, "Ann", 0.1)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"buyin: found .*; expected an amount in whole cents"):
        table.sit(1, "Ann", Decimal("0.001"))


@pytest.mark.parametrize(
    ("text", "where", "expected"),
    [
        ("", (1, 1), "passline 1"),
        ("house adelaide\n", (1, 1), "passline 1"),
        ("passline 2\n", (1, 10), "version 1"),
        ("passline 1\nhouse atlantis\n", (2, 7), "a house that can be read"),
        ("passline 1\nhouse adelaide\nsit 1 Ann 100\n1 bet pass", (4, 11), "an amount"),
        ("passline 1\nhouse adelaide\nsit 1 Ann 1", None, ""),
        ("passline 1\nhouse adelaide\nsit 1 Ann 100\n1 be", (4, 3), "what seat 1 does"),
        ("passline 1\nhouse adelaide\nroll 0-7\n", (3, 6), "two dice"),
        ("passline 1\nhouse adelaide\nroll 3-4 please\n", (3, 10), "nothing more"),
        ("passline 1\nhouse adelaide\nsit 1 Ann -5\n", (3, 11), "an amount"),
        ("passline 1\nhouse adelaide\nsit 1 Ann 1.234\n", (3, 11), "an amount"),
        ("passline 1\nhouse adelaide\nnotice min=5 min=5\n", (3, 14), "once"),
        ("passline 1\nhouse adelaide\nnotice side=1-5\n", (3, 8), "a notice word of this house"),
        ("passline 1\nhouse sydney\nnotice odds=3\n", (3, 8), "an odds multiple from 2 to 2"),
        ("passline 1\nhouse adelaide\nfloat 0\n", (3, 7), "more than 0"),
        ("passline 1\nhouse adelaide\nfloat\n", (3, 6), "the chips of the float"),
        ("passline 1\nhouse adelaide\nno-roll\n", (3, 8), "a reason"),
        ("passline 1\nhouse adelaide\ndance\n", (3, 1), "a seat number"),
        ("passline 1\nhouse adelaide\nsit \u0661 Ann 5\n", (3, 5), "a seat number"),
        (f"passline 1\nhouse adelaide\nsit 1 Ann {'9' * 5000}\n", (3, 11), "an amount"),
    ],
)
def test_an_unreadable_record_names_its_line_and_column(
    text: str, where: tuple[int, int] | None, expected: str
) -> None:
    """What cannot be read is not guessed; the complaint points at the word."""
    if where is None:
        assert read(text).acts
        return
    with pytest.raises(RecordError) as error:
        read(text)
    assert (error.value.line, error.value.column) == where
    assert expected in error.value.expected


@pytest.mark.parametrize("cut", range(0, 120, 7))
def test_a_record_cut_anywhere_reads_or_says_where_it_broke(cut: int) -> None:
    """Half a file is either a shorter game or a complaint with a place."""
    opening = "passline 1\nhouse adelaide\nnotice min=5 max=50\nfloat 1 5\nsit 1 Ann 100\n"
    text = opening + "1 bet pass 10\nroll 4-2\n1 bet come 5\n"
    try:
        replay(text[:cut])
    except RecordError as error:
        where = error.line, error.column
    else:
        where = (1, 1)
    assert min(where) >= 1


def run(*arguments: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """Run the command line the way a person does."""
    return subprocess.run(
        [sys.executable, "-m", "passline", *arguments], input=given, capture_output=True, timeout=60, check=False
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "given", "code", "said"),
    [
        (("replay", "no-such-file.craps"), b"", 2, "no-such-file.craps"),
        (("replay", "-"), b"\xff\xfe", 2, "not UTF-8"),
        (("replay", "-"), b"passline 1\nhouse adelaide\nsit 1 A", 2, "standard input:3:8"),
        (("replay", "--strict", "-"), b"passline 1\nhouse adelaide\nsit 1 Ann 5\n1 bet come 5\n", 1, ""),
        (("house", "atlantis"), b"", 2, "atlantis"),
        (("house", "new"), b"", 2, "wants a name"),
        (("house", "new", "there/mine"), b"", 2, "found the path 'there/mine'; a name is what stands over the door"),
        (("odds", "pass"), b"", 2, "one wager is --wager pass"),
        (("house", "check", "nowhere.toml"), b"", 2, "nowhere.toml"),
        (("clause", "sydney:99"), b"", 2, "nearest"),
    ],
)
def test_the_command_line_says_what_is_wrong_without_a_traceback(
    arguments: tuple[str, ...], given: bytes, code: int, said: str
) -> None:
    """Exit codes mean something, and the sentence is on standard error."""
    ran = run(*arguments, given=given)
    assert ran.returncode == code
    assert said in ran.stderr.decode()
    assert b"Traceback" not in ran.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"My Casino"', '"My\x00Casino"', "NUL"),
        ("[notice]", "[notice]\n[notice]", "notice"),
        ('["7:6",', '["0:6",', "0:6"),
        ('["7:6",', '["7-6",', "7-6"),
    ],
)
def test_a_broken_house_file_says_file_key_and_what_was_expected(tmp_path: Path, old: str, new: str, said: str) -> None:
    """A house that cannot be dealt does not load."""
    made = run("house", "new", "My Casino", "--like", "strip", "--out", str(tmp_path / "my.toml"))
    assert made.returncode == 0, made.stderr
    path = tmp_path / "my.toml"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    ran = run("house", "check", str(path))
    assert ran.returncode == 2
    assert "my.toml" in ran.stderr.decode()
    assert said in ran.stderr.decode()
    assert b"Traceback" not in ran.stderr


@pytest.mark.slow
def test_a_new_house_needs_no_code(tmp_path: Path) -> None:
    """A file made by `house new` loads, deals and replays."""
    path = tmp_path / "my-casino.toml"
    made = run("house", "new", "My Casino", "--out", str(path))
    assert made.returncode == 0
    assert f"{tmp_path / 'house.schema.json'}: written too" in made.stdout.decode()
    assert (tmp_path / "house.schema.json").is_file()
    assert run("house", "check", str(path)).returncode == 0
    record = tmp_path / "first.craps"
    record.write_text("passline 1\nhouse my-casino.toml\nsit 1 Ann 100\n1 bet pass 15\nroll 6-5\n", encoding="utf-8")
    ran = run("replay", "--json", str(record))
    assert ran.returncode == 0, ran.stderr
    assert b'"rail": "100", "up": {"pass": "15"}' in ran.stdout
    again = run("house", "new", "My Casino", "--out", str(path))
    assert again.returncode == 1
    assert b"already" in again.stderr
