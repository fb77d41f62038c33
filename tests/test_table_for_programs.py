"""A table for programs: strict, short of memory, following strategies, and what came of every wager."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from fractions import Fraction
from pathlib import Path

import pytest

from passline import Player, Refusal, RefusedError, Table, View, events, statistics
from passline.engine.commands import Throw
from passline.engine.events import DiceThrown, WagerUp
from passline.errors import ArgumentTypeError, CannotBeSaved, QuestionError
from passline.strategies.language.read import make


def test_a_refusal_is_false_and_no_loop_swallows_it() -> None:
    """`if table.bet(…)` means that the bet is up; a loop over a refusal says why not."""
    table = Table("strip")
    assert table.sit(1, "Ann", 100)
    no = table.bet(1, "pass", 10)
    assert not no
    assert isinstance(no, Refusal)
    assert no == Refusal(no.code, no.message, no.clause, 1)
    with pytest.raises(RefusedError, match="minimum") as error:
        list(no)
    assert (error.value.code, error.value.clause) == ("bet.under_minimum", no.clause)


def test_a_strict_table_raises_and_goes_on() -> None:
    """Nothing has changed, and the refusal is in its history."""
    table = Table("strip", strict=True)
    table.sit(1, "Ann", 100)
    with pytest.raises(RefusedError):
        table.bet(1, "pass", 10)
    assert table.bet(1, "pass", 15)
    assert table.rail(1) == 85
    assert len(table.refusals) == 1


def test_rolls_are_read_as_people_write_them() -> None:
    """Two faces, a text, a pair, or a roll."""
    table = Table("strip")
    table.sit(1, "Ann", 100)
    table.bet(1, "pass", 15)
    for said in ("4-2", (4, 2)):
        table.roll(said)
    table.roll(4, 2)
    rolls = [moment.command.roll for moment in table.history if isinstance(moment.command, Throw)]
    assert rolls == [(4, 2)] * 3
    for nonsense in (7, "42", "4-2-1", ("4", "2"), [4]):
        with pytest.raises(ArgumentTypeError):
            table.roll(nonsense)  # type: ignore[arg-type]


@pytest.mark.parametrize("keep", [0, 1, 40])
def test_history_is_bounded_and_the_record_says_so(keep: int) -> None:
    """The chips are the same whatever is kept."""
    short, whole = Table("strip", keep=keep), Table("strip")
    for table in (short, whole):
        table.sit(1, "Ann", 500)
        table.follow(1, "pass_flat", 15)
        assert table.run(100, [(4, 2), (3, 3), (5, 5), (1, 6)] * 25) == 100
        assert len(table.history) > 100 or table is short
    assert short.state == whole.state
    assert keep <= len(short.history) <= 2 * keep
    with pytest.raises(CannotBeSaved, match="only its last acts"):
        short.record()
    assert whole.results().total.decisions
    with pytest.raises(QuestionError, match="only the last acts"):  # a part of a game would pass for all of it
        short.results()


def test_every_table_of_a_long_history_is_there() -> None:
    """Most are worked out again from the acts before them."""
    table = Table("strip")
    seen = [table.state]
    table.sit(1, "Ann", 5000)
    for roll in [(4, 2), (3, 3), (5, 5), (1, 6)] * 40:
        seen.append(table.state)
        table.bet(1, "pass", 15)
        seen.append(table.state)
        table.roll(roll)
    assert [moment.before for moment in table.history] == seen
    table.bet(1, "pass", 15)
    before = table.state
    table.bet(1, "field", 15)
    table.undo()
    assert table.state == before
    table.bet(1, "field", 20)
    assert table.history[-1].before == before


def test_what_is_up_is_made_once() -> None:
    """The same mapping until the felt changes; nobody can write into it."""
    table = Table("strip")
    table.sit(1, "Ann", 100)
    table.bet(1, "pass", 15)
    up = table.up(1)
    assert up is table.up(1)
    assert up == {"pass": 15}
    with pytest.raises(TypeError):
        up["pass"] = Fraction(1)  # type: ignore[index]
    table.roll("1-1")
    assert table.up(1) == {}


def test_a_player_in_python_at_a_table() -> None:
    """The same object that `ask` takes; whoever ends the evening is followed no more."""

    class Line(Player):
        def wants(self, view: View) -> Mapping[str, int]:
            return {} if view.puck else {"pass": 1}

    table = Table("strip", strict=True)
    table.sit(1, "Ann", 500)
    table.sit(2, "Bob", 500)
    table.follow(1, Line(), unit=20)
    table.follow(2, lambda view: {"field": 1} if view.profit <= 0 else {"field": 0})
    assert table.run(4, [(4, 2), (3, 3), (2, 1), (5, 2)]) == 4
    assert table.rail(1) == 500 + 20 - 20 + 20 - 20  # the line bet that won last is still up
    assert table.rail(2) == 500 - 15 - 15 + 15 - 15


def test_a_run_that_cannot_begin_says_why() -> None:
    """The bet that was refused first, or that nobody has the dice."""
    table = Table("strip")
    table.sit(1, "Ann", 500)
    table.follow(1, "field", unit=5)
    with pytest.raises(RefusedError, match="5 on Field is under the minimum of 15"):
        table.run(4)
    table.follow(1, "field", unit=15)
    with pytest.raises(RefusedError, match="No shooter"):
        table.run(4)


def test_net_is_what_the_wager_brought() -> None:
    """Commission taken off, whenever it is the house's for good."""
    table = Table("adelaide", notice="min=5")
    table.sit(1, "Ann", 500)
    table.bet(1, "pass", 5)
    table.roll("2-2")
    table.bet(1, "buy_6", 100)
    rolled = table.roll("3-3")
    assert not isinstance(rolled, Refusal)
    won = [event for event in rolled if isinstance(event, events.WagerWon)]
    assert won[0].net == sum(event.net for event in won)
    after = table.rail(1) + sum(table.up(1).values())
    table.take(1, "buy_6")
    total = sum(event.net for event in table.events if isinstance(event, events.OfAWager))
    assert total == (table.rail(1) + sum(table.up(1).values()) - 500) * 100
    assert after <= table.rail(1) + sum(table.up(1).values())


def test_results_add_up_by_seat_wager_and_hand(tmp_path: Path) -> None:
    """Of a table and of its record alike, to the cent of what the rail shows."""
    table = Table("strip")
    table.sit(1, "Ann", 500)
    table.sit(2, "Bob", 500)
    for roll in ("4-2", "3-3", "5-5", "1-6", "5-6", "1-1"):
        table.bet(1, "pass", 15)
        table.bet(2, "field", 15)
        table.roll(roll)
    results = table.results()
    assert statistics(table.record()) == results
    for row in results.by("seat"):
        assert row.seat is not None
        assert row.net == table.rail(row.seat) + sum(table.up(row.seat).values()) - 500
    assert {row.wager: row.decisions for row in results.by("wager")} == {"pass": 4, "field": 6}
    assert [row.hand for row in results.by("hand")] == [1, 2]
    assert results.total.net == sum(row.net for row in results.rows)
    assert {row["wager"] for row in results.frame().to_dicts()} == {"pass", "field"}
    bob = next(row for row in results.by("seat").to_json()["rows"] if row["seat"] == 2)
    assert bob == {"seat": 2, "won": 3, "lost": 3, "pushed": 0, "staked": "120", "net": "30"}
    assert str(results).splitlines()[0] == "10 decisions of 255 staked: -15"
    assert str(results.by("wager")).splitlines()[1].split() == ["wager", "won", "lost", "pushed", "staked", "net"]
    assert results.by("hand").frame().columns[0] == "hand"
    (tmp_path / "evening.craps").write_text(table.record())
    assert statistics(str(tmp_path / "evening.craps")) == results  # a name does as well as a Path


def test_a_struck_out_roll_brought_nothing() -> None:
    """It is as if it had not been thrown."""
    table = Table("strip")
    table.sit(1, "Ann", 500)
    table.bet(1, "pass", 15)
    table.roll("6-5")
    assert table.results().total.net == 15
    table.invalidate("a camera saw it")
    assert table.results().total.net == 0
    assert [event for event in table.events if isinstance(event, WagerUp)]


def test_a_seed_throws_the_same_dice_again() -> None:
    """Also of a copy that was made half way; without a seed nobody can foretell them."""

    def thrown(table: Table, rolls: int) -> list[tuple[int, int]]:
        table.run(rolls)
        return [(event.first, event.second) for event in table.events if isinstance(event, DiceThrown)]

    def opened(seed: int | None) -> Table:
        table = Table("strip", notice="min=5", seed=seed)
        table.sit(1, "Ann", 10_000)
        table.follow(1, "pass_flat")
        return table

    again = opened(7)
    again.run(20)
    assert thrown(opened(7), 40) == thrown(deepcopy(again), 20) != thrown(opened(8), 40)
    assert thrown(opened(None), 40) != thrown(opened(None), 40)
    assert set(range(2, 13)) == {sum(pair) for pair in thrown(opened(7), 400)}


@pytest.mark.parametrize(("least", "line", "place"), [(5, 10, 12), (10, 10, 12), (15, 20, 24), (25, 30, 36)])
def test_a_file_in_money_is_raised_no_further_than_the_sign_asks(least: int, line: int, place: int) -> None:
    """Ten on the line stays ten where ten may be bet, and is as many times ten as the minimum needs elsewhere."""
    wants = [{"when": "puck off", "up": {"pass": 10}}, {"when": "puck on", "up": {"place_6": 12}}]
    table = Table("strip", notice=f"min={least}")
    table.sit(1, "Ann", 5000)
    table.follow(1, make({"name": "Line and six", "want": wants}))
    table.run(2, [(2, 2), (3, 2)])
    assert table.up(1) == {"pass": line, "place_6": place}
