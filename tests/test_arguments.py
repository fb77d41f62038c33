"""What a programmer hands in by mistake: which argument, what was found, what was expected, and never anything else."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest

from passline import House, Refusal, Table, compare, hand_of, odds_of, replay
from passline.codec import encode
from passline.engine import commands as c
from passline.errors import HouseFileError, PasslineError, RecordError, RecordFileError
from passline.record.acts import SEAT_VERBS, TABLE_VERBS

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture
def table() -> Any:  # noqa: ANN401 - so that rubbish can be handed in
    """A table with one player."""
    table = Table("adelaide")
    table.sit(1, "Ann", 100)
    return table


# What a type checker would have stopped is handed in through `Any`.
SLIPS: list[tuple[Callable[[Any], object], str]] = [
    (lambda t: t.rail(5), "seat: found 5; expected a seat that is taken (1)"),
    (lambda t: t.up(5), "seat: found 5; expected a seat that is taken (1)"),
    (lambda t: t.rail("1"), "seat: found '1'; expected a whole number"),
    (lambda t: t.bet(1, "pass", "ten"), "amount: found 'ten'; expected an amount of money such as 5, 2.50 or 4/3"),
    (lambda t: t.bet("1", "pass", 10), "seat: found '1'; expected a whole number"),
    (lambda t: t.bet(1, None, 10), "wager: found None; expected the key of a wager, such as 'place_6'"),
    (lambda t: t.bet(1, "pass", 10, tender="card"), "tender: found 'card'; expected one of chips, spoken, cash, self"),
    (lambda t: t.bet(1, "pass", 10, tender="spoken", by="deeler"), "by: found 'deeler'; expected one of dealer, box"),
    (lambda t: t.bet(1, "pass", 10, by=3), "by: found 3; expected one of dealer"),
    (lambda t: t.bet(1, "pass", 10, tokens=0.5), "tokens: found 0.5; expected an amount of money"),
    (lambda t: t.sit(4, None, 50), "name: found None; expected one word without a #"),
    (lambda t: t.sit(4, "Bo", None), "buyin: found None; expected an amount of money"),
    (lambda t: t.take(1, "pass", "all"), "leave: found 'all'; expected an amount of money"),
    (lambda t: t.call(1, "pass", "ON"), "to: found 'ON'; expected one of on, off"),
    (lambda t: t.roll("1", 2), "first: found '1'; expected a whole number"),
    (lambda t: t.roll(1), "first: found 1; expected both faces"),
    (lambda t: t.no_roll(None), "reason: found None; expected a word or more"),
    (lambda t: t.no_roll(" "), "reason: found ' '; expected a word or more"),
    (lambda t: t.order_pass("sent by mail"), "reason: found 'sent by mail'; expected words without `by`"),
    (lambda t: t.die(1, "gone"), "what: found 'gone'; expected one of off, found, checked, lost"),
    (lambda t: t.cocked(3), "leaning: found none; expected the side or sides that it leans on"),
    (lambda t: t.close(-5), "ahead: found -5; expected a whole number from 0"),
    (lambda t: t.post("mn=5"), "notice: found 'mn=5'; expected a notice word of this house: min=, max="),
    (lambda t: t.say(3), "event: found 3; expected an event or a refusal of this table"),
    (lambda t: t.say(t.events[0], to="Ann"), "to: found 'Ann'; expected a whole number"),
    (lambda t: Table("exhibit-a").say(t.bet(1, "big_6", 5)[0]), "expected an event of this table, not of another"),
    (lambda t: t.do(None), "command: found None; expected a command of passline.engine.commands"),
    (lambda t: t.do(c.Bet), "command: found <class"),
    (lambda t: t.do(c.Bet("1", "pass", 10)), 'command.bet, seat: found "1"; expected a whole number'),  # type: ignore[arg-type]
    (lambda t: t.would(c.Bet(1, "pass", 10.5)), "command.bet, amount: found 10.5; expected a whole number"),  # type: ignore[arg-type]
    (lambda t: t.do(c.Sit(2, "Ann Lee", 10)), "name: found 'Ann Lee'; expected one word without a #"),
    (lambda _: Table(3), "house: found 3; expected the id of a house, or the path of a house file"),  # type: ignore[arg-type]
    (lambda _: House(3), "house: found 3; expected the id of a house, or the path of a house file"),  # type: ignore[arg-type]
    (lambda _: House("strip").clause(3), "wanted: found 3; expected the id of a clause"),  # type: ignore[arg-type]
    (lambda _: Table(notice=5), "notice: found 5; expected what the sign says, such as 'min=5 odds=2'"),  # type: ignore[arg-type]
    (lambda _: Table(notice="mn=5"), "notice: found 'mn=5'; expected a notice word of this house"),
    (lambda _: Table(notice="min=50 max=10"), "A maximum is at least its minimum"),
    (lambda _: Table(chips=5), "chips: found 5; expected a list of chips such as [1, 5, 25]"),  # type: ignore[arg-type]
    (lambda _: Table(chips="15"), "chips: found '15'; expected a list of chips"),
    (lambda _: Table(chips=[0]), "chips: found 0; expected chips such as 1, 5 and 25, each an amount above 0"),
    (lambda _: Table(dice="5"), "dice: found '5'; expected a whole number"),  # type: ignore[arg-type]
    (lambda _: Table(dice=1), "dice: found 1; expected the 5 dice that a table opens with"),
    (lambda _: Table.at(None), "line: found None; expected a position line, such as"),  # type: ignore[arg-type]
    (lambda _: Table.at(r'adelaide | 1 "A\x1b;[2J" 5'), "expected names without control characters"),
    (lambda _: Table.at("adelaide | 1 Ann -5"), "position:1:18: found '-5'; expected what is on the rail"),
    (
        lambda _: Table.at("adelaide | 1 Ann 5 pass=-5"),
        "position:1:20: found 'pass=-5'; expected an amount that is not",
    ),
    (lambda _: Table.at("adelaide | thrower=3 | 1 Ann 5"), "found 'thrower=3'; expected thrower: none, stick, or the"),
    (lambda _: Table.opened("passline 1"), "record: found 'passline 1'; expected a Record; `replay` takes text"),  # type: ignore[arg-type]
    (lambda _: replay(None), "source: found None; expected the text of a record, or the path of its file"),  # type: ignore[arg-type]
    (lambda _: replay("file.craps"), "file.craps: found no such file or directory; expected the path of a record"),
    (encode, "expected a command, an event, a refusal, a notice or the state of a table (table.state)"),
    (lambda _: odds_of(3), "house: found 3; expected the id of a house"),  # type: ignore[arg-type]
    (lambda _: hand_of(None), "house: found None; expected the id of a house"),  # type: ignore[arg-type]
    (lambda _: compare("sydney"), "houses: found 'sydney'; expected a list of houses"),
    (lambda _: compare([3]), "house: found 3; expected the id of a house"),  # type: ignore[list-item]
]


@pytest.mark.parametrize(("ask", "said"), SLIPS)
def test_a_slip_is_told_by_name(table: Any, ask: Callable[[Any], object], said: str) -> None:  # noqa: ANN401
    """Which argument, what was found, what was expected; and it was no act at the table."""
    before = len(table.history)
    with pytest.raises(PasslineError) as error:
        ask(table)
    assert said in str(error.value)
    assert replay(table.record()).state == table.state
    assert len(table.history) <= before + 1  # one of them bets, to have an event for another table


@pytest.mark.parametrize(
    ("wager", "meant"),
    [
        ("plase_6", "place_6"),
        ("passline", "pass"),
        ("Pass Line", "pass"),
        ("dontpass", "dont_pass"),
        ("feild", "field"),
        ("place_7", None),  # no slip of the pen
        ("fire", None),  # another house's
        ("x" * 100_000, None),
    ],
)
def test_a_misspelt_wager_gets_the_nearest_name(table: Table, wager: str, meant: str | None) -> None:
    """In the refusal itself, wherever it is read."""
    refused = table.bet(1, wager, 10)
    assert isinstance(refused, Refusal)
    assert refused.code == "wager.not_offered"
    assert refused.message.endswith(f" Did you mean {meant}?" if meant else "."), refused.message
    assert len(refused.message) < 130


def test_a_wrong_type_is_a_type_error_too() -> None:
    """Whoever expects Python's own error gets it."""
    with pytest.raises(TypeError):
        House(3)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="seat: found 9"):
        Table("strip").rail(9)


def test_an_error_names_the_file_with_its_folder(tmp_path: Path) -> None:
    """So that an editor finds it, for there may be another of that name."""
    house, record = tmp_path / "mine.toml", tmp_path / "mine.craps"
    house.write_text('id = "mine"\n', encoding="utf-8")
    record.write_text("passline 2\n", encoding="utf-8")
    with pytest.raises(HouseFileError, match=f"^{re.escape(str(house))}, "):
        House(house)
    with pytest.raises(RecordError, match=f"^{re.escape(str(record))}:1:10: "):
        replay(record)
    with pytest.raises(RecordFileError, match=re.escape(str(tmp_path / "no.craps"))):
        replay(tmp_path / "no.craps")


# --- Every verb of the record ---------------------------------------------------------------------------------------

SAID: dict[str, tuple[Callable[[Any], object], str]] = {
    "bet": (lambda t: t.bet(1, "pass", 10), "1 bet pass 10"),
    "bet spoken": (
        lambda t: t.bet(1, "field", "2.5", tender="spoken", by="dealer"),
        "1 bet field 2.50 spoken by dealer",
    ),
    "take": (lambda t: t.take(1, "pass", 5), "1 take pass 5"),
    "on": (lambda t: t.call(1, "place_6", "on", by=["dealer", "boxman"]), "1 on place_6 by dealer,box"),
    "off": (lambda t: t.call(1, "place_6", "off"), "1 off place_6"),
    "shoot": (lambda t: t.shoot(1), "1 shoot"),
    "decline": (lambda t: t.decline(1), "1 decline"),
    "pass-dice": (lambda t: t.pass_dice(1), "1 pass-dice"),
    "choose": (lambda t: t.choose(1, 2, 3), "1 choose 2 3"),
    "late": (
        lambda t: t.late(1, "field", 10, by=("dealer", "box"), tokens=5),
        "1 late field 10 tokens=5 by dealer,box",
    ),
    "found": (lambda t: t.find(1, "field", 10), "1 found field 10"),
    "buyin": (lambda t: t.buy_in(1, 10), "1 buyin 10"),
    "tokens": (lambda t: t.tokens(1, 50, by="supervisor", flaw="out of date"), "1 tokens 50 by supervisor out of date"),
    "leave": (lambda t: t.leave(1), "1 leave"),
    "sit": (lambda t: t.sit(2, "Bob", 50), "sit 2 Bob 50"),
    "roll": (lambda t: t.roll(4, 2), "roll 4-2"),
    "no-roll": (lambda t: t.no_roll("off  the table"), "no-roll off the table"),
    "no-roll-by": (lambda t: t.no_roll("hit a hand", by="boxperson"), "no-roll-by box hit a hand"),
    "dice-out": (lambda t: t.dice_out(), "dice-out"),
    "throw": (lambda t: t.throw(4, 2, "stacked"), "throw 4-2 stacked"),
    "cocked": (lambda t: t.cocked(4, 2, 3), "cocked 4 2,3"),
    "dispute": (lambda t: t.dispute(4), "dispute 4"),
    "rule": (lambda t: t.rule(4, by="box"), "rule 4 by box"),
    "rule void": (lambda t: t.rule(None), "rule void"),
    "order-pass": (lambda t: t.order_pass("too slow", by="box"), "order-pass too slow by box"),
    "die-off": (lambda t: t.die(1, "off"), "die-off 1"),
    "die-found": (lambda t: t.die(1, "found"), "die-found 1"),
    "die-checked": (lambda t: t.die(1, "checked", by="box"), "die-checked 1 by box"),
    "die-lost": (lambda t: t.die(1, "lost"), "die-lost 1"),
    "invalidate": (lambda t: t.invalidate("a camera saw it"), "invalidate a camera saw it"),
    "return-all": (lambda t: t.return_all("fire"), "return-all fire"),
    "post": (lambda t: t.post("min=10", ahead=30), "post ahead=30 min=10"),
    "close": (lambda t: t.close(30, notified="inspector"), "close ahead=30 told=inspector"),
}


@pytest.mark.parametrize("verb", SAID)
def test_a_table_says_whatever_a_record_says(table: Any, verb: str) -> None:  # noqa: ANN401
    """A method for each verb, which writes the very line."""
    ask, line = SAID[verb]
    ask(table)
    assert table.record().splitlines()[-1] == line
    assert replay(table.record()).state == table.state


def test_no_verb_is_forgotten() -> None:
    """Whatever a record may say, a table can be asked."""
    assert {*SEAT_VERBS, *TABLE_VERBS, "post", "close"} <= set(SAID)


def test_dice_are_thrown_where_nobody_names_them() -> None:
    """Every face comes up, on both dice, and the record says which."""
    table = Table("strip")
    table.sit(1, "Ann", 100_000)
    for _ in range(200):
        if not table.up(1):
            table.bet(1, "pass", 15)
        table.roll()
    thrown = [moment.command.roll for moment in table.history if isinstance(moment.command, c.Throw)]
    assert {roll[0] for roll in thrown} == {roll[1] for roll in thrown} == {1, 2, 3, 4, 5, 6}
    assert replay(table.record()).state == table.state


def test_cents_are_told_as_money(table: Table) -> None:
    """An event counts in cents; what they come to the table says."""
    bet = table.bet(1, "pass", "12")
    assert not isinstance(bet, Refusal)
    assert bet[0].stake == 1200  # type: ignore[union-attr]
    assert table.money(1250) == Fraction("12.5")
    assert table.up(1)["pass"] == table.money(1200)


def test_the_wagers_of_a_house_can_be_looked_at_twice() -> None:
    """They are a tuple, in the order of the card."""
    house = House("strip")
    assert house.wagers == house.wagers
    assert [spot.key for spot in house.wagers][:1] == ["pass"]
