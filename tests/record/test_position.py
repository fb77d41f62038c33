"""A table fits on a line, and the line is the table again."""

from __future__ import annotations

import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from passline.engine.commands import Bet, CloseTable, Decline, DisputeFace, LoseDie, SendDice, Shoot, Sit, Throw
from passline.engine.decide import decide
from passline.engine.evolve import evolve
from passline.engine.layout import Layout, lay_out
from passline.engine.refusals import Refusal
from passline.engine.table import Before, Dice, Doubt, Notice, Seat, TableState, Thrower, Wager, open_table
from passline.engine.values import ROLLS, Roll
from passline.errors import CannotBeSaved, RecordError
from passline.house import House
from passline.record.notice import default_notice
from passline.record.position import (
    DICE,
    NOTICE,
    ROLL,
    SEAT,
    TABLE,
    WAGER,
    WAS,
    quoted,
    read_position,
    unquoted,
    write_position,
)
from passline.rulebooks.catalogue import house_files
from passline.rulebooks.read import built_in
from passline.table import Table
from tests.evenings import evenings, play_through
from tests.tables import cases

if TYPE_CHECKING:
    from passline.engine.commands import Command
    from passline.engine.refusals import Answer

SOME = settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large], deadline=None)
ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=12)
AT_EVENING = (
    "adelaide min=10 | puck=6 shooter=1 bank=-2.50 | 1 Ann 470 pass=10 pass_odds=20 | 2 Bob 300 buy_4=20:off:held=1"
)


@cache
def felt(name: str) -> Layout:
    """A house's felt, laid out once."""
    return House(name).layout


def line_of(layout: Layout, table: TableState) -> str:
    """Write a table, read it, and see that nothing was lost on the way, the order of the felt included."""
    line = write_position(layout, table)
    assert "\n" not in line
    again = read_position(line, lambda _name: layout).table
    assert again == table, line
    for one, other in ((table, again), (table.before, again.before)):
        if one is not None and other is not None:
            assert [list(seat.felt) for seat in one.seats.values()] == [
                list(seat.felt) for seat in other.seats.values()
            ]
            assert list(one.seats) == list(other.seats)
    assert write_position(layout, again) == line
    return line


def in_order(table: TableState | Before | None) -> list[tuple[int, list[str]]]:
    """Seats and felts in their order, which decides who is paid first."""
    return [] if table is None else [(number, list(seat.felt)) for number, seat in table.seats.items()]


# --- There and back -------------------------------------------------------------------------------------------------


@pytest.fixture(params=built_in(), scope="module")
def layout(request: pytest.FixtureRequest) -> Layout:
    """Each house's felt in turn."""
    return felt(request.param)


@given(data=st.data())
@settings(SOME, max_examples=30)
def test_every_table_of_every_evening_is_read_back(layout: Layout, data: st.DataObject) -> None:
    """Whatever is played: dice out, faces in doubt, lost dice, closing, players away, rolls that can be struck out."""
    names = data.draw(st.lists(ANY_TEXT, min_size=3, max_size=3))

    def look(_before: TableState, _command: Command, _answer: Answer, after: TableState) -> None:
        line_of(layout, after)

    acts = data.draw(evenings(layout, 40))
    seated = tuple(Sit(number, name, 50_000) for number, name in enumerate(names, 1))
    play_through(layout, (*seated, *acts[3:]), look)


@given(data=st.data())
@settings(SOME, max_examples=20)
def test_play_goes_on_from_a_line_as_from_the_table(layout: Layout, data: st.DataObject) -> None:
    """The next roll pays the same wagers the same chips in the same order."""
    table = play_through(layout, data.draw(evenings(layout, 30)), lambda *_: None)
    again = read_position(write_position(layout, table), lambda _name: layout).table
    for roll in ROLLS:
        assert decide(layout, again, Throw(roll)) == decide(layout, table, Throw(roll))


def after(layout: Layout, *acts: Command) -> TableState:
    """A table after these acts, none of them refused."""
    table = open_table(default_notice(layout.book), layout.book.dice.dice_set.value)
    for act in acts:
        answer = decide(layout, table, act)
        assert not isinstance(answer, Refusal), answer
        table = evolve(table, answer)
    return table


ANN = Sit(1, "Ann", 10_000)


@pytest.mark.parametrize(
    ("acts", "said"),
    [
        ((), "adelaide | puck=off"),
        ((ANN,), "adelaide | puck=off | 1 Ann 100"),
        ((Sit(1, "Ann Lee", 10_000),), 'adelaide | puck=off | 1 "Ann Lee" 100'),
        (
            (ANN, Bet(1, "pass", 1000), SendDice()),
            "adelaide | puck=off shooter=1 phase=dice-out unthrown | 1 Ann 90 pass=10",
        ),
        (
            (ANN, Bet(1, "pass", 1000), Throw(Roll(4, 2))),
            (
                "adelaide | puck=6 shooter=1 | 1 Ann 90 pass=10"
                " | was puck=off shooter=none last=none rolled=no fresh_hand after_seven"
            ),
        ),
        (
            (ANN, Bet(1, "pass", 1000), SendDice(), DisputeFace(4)),
            "adelaide | puck=off shooter=1 doubt=4:disputed unthrown | 1 Ann 90 pass=10",
        ),
        ((ANN, LoseDie(3, "off")), "adelaide | puck=off off=3 followed strayed | 1 Ann 100"),
        ((ANN, CloseTable(60, "inspector")), "adelaide | puck=off closing | 1 Ann 100"),
        ((ANN, Shoot(1)), "adelaide | puck=off shooter=1 unthrown | 1 Ann 100"),
        (
            (ANN, Bet(1, "pass", 1000), Bet(1, "field", 500), Throw(Roll(4, 2)), Decline(1)),
            (
                "adelaide | puck=6 last=1 declined=1 bank=5 | 1 Ann 85 pass=10"
                " | was puck=off last=none declined=none rolled=no fresh_hand after_seven bank=0"
                " decided=1:field touched | was 1 Ann 85 pass=10 field=5"
            ),
        ),
    ],
    ids=str,
)
def test_a_line_says_what_a_person_would(acts: tuple[Command, ...], said: str) -> None:
    """The common cases, as they are shown."""
    assert line_of(felt("adelaide"), after(felt("adelaide"), *acts)) == said


def test_every_field_of_a_table_has_its_word() -> None:
    """A field that the engine gains needs a word here too, or a line would lose it."""
    assert {field.name for field in NOTICE.values()} == set(Notice._fields)
    assert {field.name for field in DICE.values()} == set(Dice._fields)
    assert {field.name for field in SEAT.values()} | {"name", "rail", "felt"} == set(Seat._fields)
    assert {field.name for field in WAGER.values()} | {"stake", "call"} == set(Wager._fields)
    assert {field.name for field in TABLE.values()} | {"notice", "dice", "seats", "before"} == set(TableState._fields)
    assert {field.name for field in (*WAS.values(), *ROLL.values())} | {"seats", "dice"} == set(Before._fields)


FULL = TableState(
    notice=Notice(1000, None, {4: 3, 10: 7}, 50, 200, (100, 2500), multiples=True, unit=500, no_roll="stick"),
    dice=Dice(6, (1, 2), (3,), (4,), (5,), new_set_due=True, followed=True, unthrown=True, strayed=True),
    seats={
        2: Seat("was", 0, {}, warned=True, away=True, dont_banned=True),
        7: Seat(
            "-", 12_345, {"come_4": Wager(500, 25, 3, "on", 100, unchecked=True, warned=True), "pass": Wager(1)}, 300
        ),
    },
    puck=4,
    shooter=7,
    last_shooter=2,
    last_left=True,
    phase="disputed",
    thrower=Thrower(None, come_only=True),
    declined=frozenset({9, 2}),
    fresh_hand=True,
    after_seven=False,
    rolled=False,
    bank=-1,
    bought=5,
    doubt=Doubt(3, 'leans: "on" the rail | wall'),
    closing=True,
)


def test_a_table_with_everything_said() -> None:
    """Every field otherwise than usual, a name that looks like our own words, a bank that does not balance."""
    line = line_of(felt("adelaide"), FULL)
    assert line == (
        "adelaide min=10 max=none odds=4:3,10:7 chip=0.50 props=2 side=1-25 multiples unit=5 no-roll=stickman"
        ' | puck=4 shooter=7 last=2 last_left thrower=stick:come doubt=3:"leans: \\"on\\" the rail | wall" declined=2,9'
        " rolled=no after_seven=no bank=-0.01 bought=0.05 closing"
        " dice=6 out=1,2 off=3 found=4 lost=5 new_set_due followed unthrown strayed"
        ' | 2 was 0 warned away dont_banned | 7 "-" 123.45 tokens=3'
        " come_4=5:on:held=0.25:mark=3:tokens=1:unchecked:warned pass=0.01"
    )


def test_before_the_roll_everything_may_have_been_otherwise() -> None:
    """Seats that came, went and changed; words for none, nobody and off."""
    was = Before(
        seats={3: Seat("Cy", 1, {}), 7: FULL.seats[7]},
        dice=Dice(5),
        puck=0,
        shooter=None,
        last_shooter=None,
        last_left=False,
        declined=frozenset(),
        fresh_hand=False,
        after_seven=True,
        rolled=True,
        bank=0,
        bought=0,
        decided=((7, "field"), (7, "pass")),
        touched=True,
    )
    assert line_of(felt("adelaide"), FULL._replace(before=was)).endswith(
        " | was puck=off shooter=none last=none last_left=no declined=none rolled fresh_hand=no after_seven bank=0"
        " bought=0 dice=5 out=none off=none found=none lost=none new_set_due=no followed=no unthrown=no strayed=no"
        " decided=7:field,7:pass touched | was 2 - | was 3 Cy 0.01"
    )


def test_the_order_of_a_felt_is_kept_before_the_roll_too() -> None:
    """Two felts that are equal but were bet in another order are not the same line."""
    bet = {"pass": Wager(500), "field": Wager(100)}
    table = FULL._replace(seats={1: Seat("Ann", 0, bet)}, shooter=1)
    then = {name: getattr(table, name) for name in Before._fields if name in TableState._fields}
    then["seats"] = {1: Seat("Ann", 0, dict(reversed(bet.items())))}
    assert line_of(felt("adelaide"), table._replace(before=Before(**then))).endswith(
        "| was | was 1 Ann 0 field=1 pass=5"
    )


@pytest.mark.parametrize(
    ("odds", "said"),
    [
        (dict.fromkeys((4, 5, 6, 8, 9, 10), 3), "odds=3"),
        ({4: 3, 10: 3}, "odds=4:3,10:3"),
        ({4: 3, 5: 4}, "odds=4:3,5:4"),
        ({}, "odds="),
        (None, "odds=none"),
    ],
)
def test_odds_by_point_or_for_every_point(odds: dict[int, int] | None, said: str) -> None:
    """One number stands for every point of the house and for nothing less."""
    layout = felt("strip")
    table = open_table(default_notice(layout.book)._replace(odds=odds), layout.book.dice.dice_set.value)
    assert line_of(layout, table) == f"strip {said} | puck=off"


def test_minor_units_that_are_no_cents_have_a_line_too() -> None:
    """A table laid out for analysis is shown in fractions of its unit."""
    layout = lay_out(felt("adelaide").book, exact=True, minor_per_unit=30)
    table = TableState(default_notice(layout.book), Dice(5), {1: Seat("Ann", 31, {"pass": Wager(7)})}, bought=38)
    assert line_of(layout, table) == "adelaide | puck=off | 1 Ann 31/30 pass=7/30"


@given(ANY_TEXT)
@example("")
@example("\ud83d\ude00")
@example("\N{GRINNING FACE}")
@example('\\x22;"')
@example("a\u2028b")
def test_any_text_is_one_word(text: str) -> None:
    """Names are people's own, whatever characters they are written in."""
    word = quoted(text)
    assert unquoted(word) == text
    assert word.isprintable()


# --- Lines that say nothing -----------------------------------------------------------------------------------------


@cases(
    "line, column, found, expected",
    [
        ("", 1, "", "the name of a house"),
        ("atlantis | puck=off", 1, "atlantis", "a house that can be read"),
        ('"adelaide | puck=off', 1, '"', "quotes closed"),
        ("adelaide\n| puck=off", 9, "\n", "one line"),
        ("adelaide min=ten", 10, "min=ten", "an amount of money such as 5"),
        ("adelaide min=0.001", 10, "min=0.001", "whole steps of 0.01"),
        ("adelaide min=5 min=6", 16, "min=6", "each word once"),
        ("adelaide mni=5", 10, "mni=5", "one of float, min, max, odds"),
        ("adelaide side=5", 10, "side=5", "two amounts such as side=1-100"),
        ("adelaide float=0", 10, "float=0", "chips worth more than nothing"),
        ("adelaide odds=4:3,5", 10, "odds=4:3,5", "a whole number"),
        ("adelaide multiples=yes", 10, "multiples=yes", "multiples or multiples=no"),
        ("adelaide | puck", 12, "puck", "puck= and its value"),
        ("adelaide | puck=7", 12, "puck=7", "puck: off or one of 4, 5, 6, 8, 9, 10"),
        ("adelaide | puck=six", 12, "puck=six", "a whole number"),
        ("adelaide | shooter=1", 12, "shooter=1", "a seat that is taken"),
        ("adelaide | phase=disputed", 12, "phase=disputed", "while there is a doubt"),
        ("adelaide | phase=asleep", 12, "phase=asleep", "one of betting, dice-out, disputed"),
        ("adelaide | thrower=1:go", 12, "thrower=1:go", "a seat number or stick"),
        ("adelaide no-roll=dealer", 10, "no-roll=dealer", "one of boxman, stickman"),
        ("adelaide | puck=off | was decided=1:pas", 27, "decided=1:pas", "such as 1:pass,2:field"),
        ("adelaide | doubt=7:x", 12, "doubt=7:x", "the face that lies flat"),
        ("adelaide | doubt=4", 12, "doubt=4", "text in quotes"),
        ("adelaide | declined=1,b", 12, "declined=1,b", "a whole number"),
        ("adelaide | puck=off | 1", 24, "", "a name"),
        ("adelaide | puck=off | 1 Ann 5 pass=5 pass_odds=5", 38, "pass_odds=5", "behind pass and while the puck is on"),
        ("adelaide | puck=6 | 1 Ann 5 come_odds_4=5", 29, "come_odds_4=5", "odds only behind come_4"),
        ("adelaide | puck=off | 1 | 2 Bob 5", 25, "|", "a name"),
        ("adelaide | puck=off | 1 Ann", 28, "", "what is on the rail: an amount"),
        ("adelaide | puck=off | 1 Ann lots", 29, "lots", "what is on the rail: an amount"),
        ('adelaide | puck=off | 1 "\\q" 5', 25, '"\\q"', "text in quotes"),
        ('adelaide | puck=off | 1 "\\xffffff;" 5', 25, '"\\xffffff;"', "characters that exist"),
        ("adelaide | puck=off | 0 Ann 5", 23, "0", "a seat number from 1"),
        ("adelaide | puck=off | 1 Ann 5 | 1 Bob 5", 33, "1", "each seat once"),
        ("adelaide | puck=off | 1 Ann 5 pas=5", 31, "pas=5", "a wager of this house"),
        ("adelaide | puck=off | 1 Ann 5 pass=5 pass=5", 38, "pass=5", "each once"),
        ("adelaide | puck=off | 1 Ann 5 pass", 31, "pass", "an amount of money"),
        ("adelaide | puck=off | 1 Ann 5 pass=5:held", 31, "pass=5:held", "held= and its value"),
        ("adelaide | puck=off | 1 Ann 5 pass=5:loud", 31, "pass=5:loud", "after the stake, any of on, off, held"),
        ("adelaide | puck=off | 1 Ann 5 pass=5:on:off", 31, "pass=5:on:off", "each word once"),
        ("adelaide | puck=off | 1 Ann 5 warned warned", 38, "warned", "each word once"),
        ("adelaide | puck=off | puck=6", 23, "puck=6", "a seat number from 1"),
        ("adelaide | puck=off |", 22, "", "a seat number from 1"),
        ("adelaide | puck=off | was phase=betting", 27, "phase=betting", "one of puck, shooter"),
        ("adelaide | puck=off | was | 1 Ann 5", 29, "1", "was, and what was otherwise"),
        ("adelaide | puck=off | was | was 1 -", 33, "1", "the number of a seat that is taken now"),
        ("adelaide | puck=off | 1 Ann 5 | was | was 1 - 5", 47, "5", "nothing more"),
        ("adelaide | puck=off | 1 Ann 5 | was | was 1 Al 5 | was 1 Al 6", 56, "1", "each seat once"),
    ],
    ids=str,
)
def test_what_is_wrong_is_said_with_its_column(line: str, column: int, found: str, expected: str) -> None:
    """Where, what stands there, and what was expected."""
    with pytest.raises(RecordError) as caught:
        read_position(line, felt)
    assert (caught.value.column, caught.value.actual) == (column, found)
    assert expected in caught.value.expected
    assert str(caught.value).startswith(f"position:1:{column}: found ")


@given(data=st.data())
@settings(SOME, max_examples=200)
def test_a_line_that_was_mistyped_is_read_or_complained_about(data: st.DataObject) -> None:
    """A character more, less or other: a table, or a RecordError; never anything else."""
    at = data.draw(st.integers(0, len(AT_EVENING)))
    cut = data.draw(st.integers(0, 2))
    line = AT_EVENING[:at] + data.draw(st.text('ab1=|:"-\\ .,\n', max_size=2)) + AT_EVENING[at + cut :]
    try:
        table = read_position(line, lambda _name: felt("adelaide")).table
    except RecordError as error:
        columns = range(1, len(line) + 2)
        if error.column not in columns:
            raise
    else:
        line_of(felt("adelaide"), table)


def test_the_usual_may_be_said_or_left_out() -> None:
    """A person types what matters, in any order."""
    short = read_position("adelaide | 2 Bob 300 | 1 Ann 470", felt).table
    said = "adelaide min=5 | bought=770 shooter=none bank=0 rolled=no puck=off | 1 Ann 470 away=no | 2 Bob 300"
    assert read_position(said, felt).table == short
    assert list(short.seats) == [1, 2]


# --- In the docs -----------------------------------------------------------------------------------------------------


def documented() -> list[str]:
    """The lines that docs/record.md shows."""
    text = (Path(__file__).parents[2] / "docs" / "record.md").read_text("utf-8")
    section = text[text.index("## A table on one line") :]
    return re.findall(rf"^(?:{'|'.join(built_in())}) .*", section, re.MULTILINE)


@pytest.mark.parametrize("line", documented())
def test_what_the_docs_show_is_a_position(line: str) -> None:
    """Each line of the docs is exactly what would be written for the table that it describes."""
    found = read_position(line, felt)
    assert write_position(found.layout, found.table, found.house, found.chips) == line


def test_the_docs_name_every_word() -> None:
    """A word that can stand in a line is explained."""
    text = (Path(__file__).parents[2] / "docs" / "record.md").read_text("utf-8")
    section = text[text.index("## A table on one line") :]
    assert len(documented()) > 4
    for word in (*NOTICE, *TABLE, *DICE, *SEAT, *WAGER, *ROLL, "float", "was"):
        assert re.search(rf"`[^`]*\b{word}\b[^`]*`", section), word


# --- Where it is shown ----------------------------------------------------------------------------------------------


def test_a_table_shows_itself_and_is_set_up_again() -> None:
    """`Table.at(table.position)` is the same table, float and house included, and plays on."""
    table = Table("sydney", notice="min=10", chips=["0.50", 5, 25])
    table.sit(1, "Ann", 500)
    table.bet(1, "pass", 20)
    table.roll(4, 2)
    again = Table.at(table.position)
    assert again.state == table.state
    assert again.chips == table.chips
    assert again.house.id == "sydney"
    assert repr(table) == f"Table.at({table.position!r})"
    assert again.roll(3, 4) == table.roll(3, 4)
    assert again.state == table.state


def test_a_table_set_up_from_a_line_has_no_record() -> None:
    """A record begins with an empty table; what came before a line is not known."""
    with pytest.raises(CannotBeSaved, match="set up from a position"):
        Table.at("adelaide | 1 Ann 100").record()


def test_a_house_of_ones_own_is_named_by_its_path(tmp_path: Path) -> None:
    """A path with blanks in it is quoted."""
    path = tmp_path / "my own.toml"
    path.write_text(house_files()["strip"].read_text("utf-8"), "utf-8")
    table = Table(path)
    assert f'"{path}"' in table.position
    assert Table.at(table.position).state == table.state


def test_a_strict_replay_shows_the_table_that_refused() -> None:
    """What the table was is said beside why it refused; what is printed stays as it was."""
    text = "passline 1\nhouse adelaide\nsit 1 Ann 100\n1 bet pass 10\n1 bet come 10\n1 bet pass 5\n"
    command = [sys.executable, "-m", "passline", "replay", "--strict", "-"]
    ran = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    assert ran.returncode == 1
    assert ran.stderr.startswith("standard input:5: refused (bet.window): ")
    assert ran.stderr.endswith("\nat: adelaide | puck=off | 1 Ann 90 pass=10\n")
    assert "at:" not in ran.stdout
