"""Every command is a line of a record, and the line is the command again."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

import pytest

from passline.engine import commands as c
from passline.engine.values import Roll
from passline.errors import RecordError
from passline.house import House
from passline.record.acts import read_act, write_act
from passline.record.line import Words
from passline.record.notice import default_notice
from tests.tables import cases

if TYPE_CHECKING:
    from passline.engine.commands import Command

BOOK = House("adelaide").book
NOTICE = default_notice(BOOK)
LINES: dict[str, Command] = {
    "sit 2 Ann 500": c.Sit(2, "Ann", 50_000),
    "2 buyin 0.50": c.BuyIn(2, 50),
    "2 tokens 5": c.TakeTokens(2, 500),
    "2 tokens 5 by dealer out of date": c.TakeTokens(2, 500, "dealer", "out of date"),
    "2 leave": c.Leave(2),
    "2 bet place_6 12": c.Bet(2, "place_6", 1200),
    "2 bet pass 10 tokens=5 self": c.Bet(2, "pass", 1000, tender="self", tokens=500),
    "2 bet hard_6 5 spoken by dealer,box": c.Bet(2, "hard_6", 500, tender="spoken", by=("dealer", "box")),
    "2 bet field 5 cash by nobody": c.Bet(2, "field", 500, tender="cash", by=()),
    "2 late field 5 tokens=1 by box": c.LateBet(2, "field", 500, ("box",), 100),
    "2 found pass 3": c.FindBet(2, "pass", 300),
    "2 take place_6": c.Take(2, "place_6"),
    "2 take place_6 6": c.Take(2, "place_6", 600),
    "2 on place_6": c.CallOn(2, "place_6"),
    "2 on place_6 by stick": c.CallOn(2, "place_6", ("stick",)),
    "2 off place_6": c.CallOff(2, "place_6"),
    "2 shoot": c.Shoot(2),
    "2 decline": c.Decline(2),
    "2 pass-dice": c.PassDice(2),
    "order-pass too slow by box": c.OrderPass("too slow", "box"),
    "2 choose 1 4": c.ChooseDice(2, (1, 4)),
    "die-off 3": c.LoseDie(3, "off"),
    "die-checked 3 by box": c.LoseDie(3, "checked", "box"),
    "dice-out": c.SendDice(),
    "roll 4-2": c.Throw(Roll(4, 2)),
    "throw 4-2 stacked": c.WatchThrow(Roll(4, 2), "stacked"),
    "no-roll off the table": c.CallNoRoll("off the table"),
    "no-roll-by box off the table": c.CallNoRoll("off the table", "box"),
    "cocked 3 1,2": c.CockedDie(3, (1, 2)),
    "dispute 3": c.DisputeFace(3),
    "rule 4": c.RuleFace(4),
    "rule void by box": c.RuleFace(None, "box"),
    "invalidate a fire": c.StrikeOut("a fire"),
    "return-all a fire": c.ReturnAll("a fire"),
    "post ahead=30 min=10": c.PostNotice(NOTICE._replace(minimum=1000), 30),
    "post min=5": c.PostNotice(NOTICE),
    "close": c.CloseTable(),
    "close ahead=60 told=inspector": c.CloseTable(60, "inspector"),
    "post no-roll=stickman": c.PostNotice(NOTICE._replace(no_roll="stick")),
    "close ahead=30": c.CloseTable(30),
}


@cases("line, command", LINES.items(), ids=LINES)
def test_a_line_is_its_command_and_back(line: str, command: Command) -> None:
    """Read from the line, and written as it."""
    assert read_act(Words.of(1, line), BOOK, NOTICE) == command
    assert write_act(command, BOOK, NOTICE) == line


def test_every_command_has_its_line() -> None:
    """A command that the engine gains needs its words here."""
    assert {type(command) for command in LINES.values()} == set(get_args(c.Command))


@pytest.mark.parametrize(
    ("line", "column", "expected"),
    [
        ("2 late field 5", 15, "by, and who confirmed it"),
        ("2 late field 5 tokens=x by box", 16, "an amount such as 12 or 2.50"),
        ("2 bet field 5 spoken", 21, "by, and who confirmed it"),
        ("2 choose 1", 11, "the number of another die"),
        ("2 choose 1 1", 12, "the number of another die"),
        ("2 choose 1 2 3", 14, "nothing more"),
        ("close soon", 7, "ahead=MINUTES or told=inspector"),
        ("close told=inspector told=inspector", 22, "each once"),
        ("post no-roll=dealer", 6, "one of boxman, stickman"),
        ("close ahead=soon", 7, "a whole number"),
        ("post", 5, "what the sign says"),
        ("post ahead=5", 13, "what the sign says"),
        ("post min=5 min=6", 12, "each word of a notice once"),
        ("post min", 6, "a notice word of this house: min="),
        ("rule maybe", 6, "a face from 1 to 6"),
    ],
)
def test_what_is_wrong_with_a_line_is_said(line: str, column: int, expected: str) -> None:
    """Where it stops making sense, and what was expected there."""
    with pytest.raises(RecordError) as caught:
        read_act(Words.of(1, line), BOOK, NOTICE)
    assert caught.value.column == column
    assert expected in caught.value.expected
