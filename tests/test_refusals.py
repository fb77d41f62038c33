"""Every way the dealers say no, word for word.

`python -m tests.test_refusals` writes the answers anew; read them aloud before you commit them.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from passline.engine.commands import (
    BuyIn,
    CallNoRoll,
    ChooseDice,
    CockedDie,
    DisputeFace,
    PostNotice,
    RuleFace,
    Sit,
    Throw,
)
from passline.engine.refusals import Refusal
from passline.engine.values import Roll
from passline.live.refusals import SENTENCES
from tests.clauses.table_helpers import command as line_of
from tests.clauses.table_helpers import game, play
from tests.codes import codes_of

GOLDEN = Path(__file__).parent / "playthroughs" / "refusals.json"

ASKED: list[tuple[str, str, tuple[str, ...]]] = [
    # house, notice, lines: all but the last are accepted
    ("adelaide", "min=5", ("sit 1 Bob 5",)),
    ("adelaide", "min=5", ("9 bet pass 5",)),
    ("adelaide", "min=5", ("9 shoot",)),
    ("adelaide", "min=5", ("9 buyin 5",)),
    ("adelaide", "min=5", ("bet pass 5", "2 bet pass 5", "leave", "bet field 5")),
    ("adelaide", "min=5", ("bet pass 5", "2 bet pass 5", "leave", "shoot")),
    ("adelaide", "min=5", ("bet pass 5", "2 bet pass 5", "leave", "leave")),
    ("adelaide", "min=5", ("bet pass 0",)),
    ("adelaide", "min=5", ("buyin 0",)),
    ("adelaide", "min=5", ("bet pass 5.50",)),
    ("adelaide", "min=5", ("bet place_6 12", "take place_6 5.50")),
    ("sydney", "min=5", ("tokens 5.50",)),
    ("adelaide", "min=5", ("bet place_7 5",)),
    ("adelaide", "min=5", ("2 bet pass 5", "roll 4-4", "bet come_6 5")),
    ("exhibit-a", "min=5", ("bet buy_4 20",)),
    ("adelaide", "min=5", ("take field",)),
    ("adelaide", "min=1 max=999999", ("bet pass 10001",)),
    ("adelaide", "min=1 max=999999", ("bet buy_4 10000",)),
    ("sydney", "min=5", ("tokens 5", "bet pass 10 tokens=10")),
    ("adelaide", "min=5", ("bet pass 10 tokens=5",)),
    ("adelaide", "min=5", ("tokens 5",)),
    ("sydney", "min=5", ("tokens 50 by stick",)),
    ("sydney", "min=5", ("tokens 50 by dealer expired yesterday",)),
    ("adelaide", "min=5", ("bet pass 4",)),
    ("adelaide", "min=5", ("bet pass 1001",)),
    ("adelaide", "min=5 multiples", ("bet pass 7",)),
    ("sydney", "min=10 unit=5", ("bet pass 12",)),
    ("adelaide", "min=1", ("bet horn 3",)),
    ("adelaide", "min=1", ("bet world 12",)),
    ("adelaide", "min=5", ("bet come 5",)),
    ("adelaide", "min=5", ("bet pass 5", "roll 4-4", "bet pass 5")),
    ("fire-bonus", "min=5", ("2 bet pass 5", "roll 6-5", "bet fire 5")),
    ("strip", "min=5", ("2 bet pass 5", "roll 6-5", "bet all_small 5")),
    ("fire-bonus", "min=5", ("2 bet pass 5", "bet fire 5", "roll 6-5", "bet fire 5")),
    ("adelaide", "min=5", ("bet pass_odds 5",)),
    ("sydney", "min=5", ("bet pass 10", "roll 4-4", "bet pass_odds 21")),
    ("exhibit-a", "min=5", ("bet dont_pass 10", "roll 4-1", "bet dont_pass_odds 14")),
    ("adelaide", "min=5", ("bet field 5 spoken by stick",)),
    ("adelaide", "min=5", ("bet pass 5", "roll 4-4", "choose 1 2")),
    ("adelaide", "min=5", ("bet pass 5", "shoot", "choose 1 2", "die-off 1", "roll 4-4")),
    ("sydney", "min=5", ("bet field 5", "die-off 1", "die-off 2", "die-off 3", "die-off 4", "roll 4-4")),
    ("adelaide", "min=5", ("close",)),
    ("adelaide", "min=5", ("close ahead=60",)),
    ("sydney", "min=5", ("bet pass 5", "dispute 4", "no-roll fire")),
    ("sydney", "min=5", ("bet pass 5", "dice-out", "invalidate fire")),
    ("fire-bonus", "min=5", ("bet pass 5", "dice-out", "return-all fire")),
    ("sydney", "min=5", ("bet field 5", "post props=10")),
    ("strip", "min=5", ("bet come_6 5",)),
    ("adelaide", "min=5 no-roll=boxman", ("no-roll-by stickman x",)),
    ("adelaide", "min=5", ("bet field 5 cash by dealer",)),
    ("exhibit-a", "min=5", ("bet field 5 cash by box",)),
    ("exhibit-a", "min=5", ("bet pass 5 cash by dealer",)),
    ("fire-bonus", "min=5", ("bet any_seven 5 self",)),
    ("adelaide", "min=5", ("bet pass 5", "dice-out", "late field 5 by dealer,box")),
    ("exhibit-a", "min=5", ("bet pass 5", "dice-out", "late field 5 by dealer")),
    ("sydney", "min=5", ("late field 5 by dealer",)),
    ("adelaide", "min=5", ("close told=inspector", "bet field 5")),
    ("adelaide", "min=5", ("bet pass 5", "roll 4-4", "take pass")),
    ("adelaide", "min=5", ("bet field 5", "take field 5")),
    ("adelaide", "min=5", ("bet field 10", "take field 4")),
    ("adelaide", "min=5", ("bet field 5", "on field")),
    ("exhibit-a", "min=5", ("bet place_6 6", "on place_6 by box")),
    ("adelaide", "min=5", ("bet pass 5", "dice-out", "bet field 5")),
    ("adelaide", "min=5", ("bet pass 5", "dice-out", "take pass")),
    ("adelaide", "min=5", ("bet pass 5", "dice-out", "dice-out")),
    ("adelaide", "min=5", ("bet pass 5", "dice-out", "buyin 5")),
    ("adelaide", "min=5", ("bet pass 5", "dice-out", "pass-dice")),
    ("adelaide", "min=5", ("bet pass 5", "dice-out", "dispute 4", "roll 4-4")),
    ("adelaide", "min=5", ("bet pass 5", "dice-out", "dispute 4", "bet field 5")),
    ("adelaide", "min=5", ("bet pass 5", "dice-out", "dispute 4", "dispute 5")),
    ("adelaide", "min=5", ("bet pass 5", "dice-out", "dispute 4", "cocked 4 2")),
    ("adelaide", "min=5", ("bet pass 5", "dice-out", "dispute 4", "throw 4-4 stacked")),
    ("adelaide", "min=5", ("rule 5",)),
    ("adelaide", "min=5", ("bet pass 5", "dice-out", "dispute 4", "rule 5 by dealer")),
    ("sydney", "min=5", ("bet pass 5", "dice-out", "dispute 4", "rule void")),
    ("adelaide", "min=5", ("shoot", "2 shoot")),
    ("adelaide", "min=5", ("shoot", "2 decline")),
    ("adelaide", "min=5", ("pass-dice",)),
    ("adelaide", "min=5", ("order-pass delay",)),
    ("adelaide", "min=5", ("bet pass 5", "2 bet dont_pass 5", "roll 4-4", "pass-dice", "3 shoot")),
    ("adelaide", "min=5", ("roll 4-4",)),
    ("sydney", "min=5", ("dice-out",)),
    ("adelaide", "min=5", ("shoot", "choose 1 9")),
    ("adelaide", "min=5", ("shoot", "choose 1 2", "die-off 1", "die-found 1", "choose 1 3")),
    ("adelaide", "min=5", ("shoot", "choose 1 2", "die-off 1", "die-found 1", "die-checked 1 by stick")),
    ("adelaide", "min=5", ("die-found 1",)),
    ("adelaide", "min=5", ("shoot", "order-pass spite")),
    ("adelaide", "min=5", ("shoot", "order-pass delay by dealer")),
    ("adelaide", "min=5", ("no-roll-by dealer improper",)),
    ("adelaide", "min=5", ("no-roll-by box touched-chips",)),
    ("adelaide", "min=5", ("bet pass 5", "throw 4-4 bad-luck")),
    ("adelaide", "min=5", ("invalidate fire",)),
    ("adelaide", "min=5", ("return-all closing",)),
    ("sydney", "min=5", ("post min=10",)),
    ("sydney", "min=5", ("close",)),
]
"""Things asked of three players' tables that are refused."""


def answers() -> list[dict[str, object]]:
    """What the dealers say to each."""
    said: list[dict[str, object]] = []
    for house, notice, lines in ASKED:
        table = game(house, notice, seats=3)
        play(table, *lines[:-1])
        answer = table.do(line_of(table, lines[-1]))
        assert isinstance(answer, Refusal), lines
        said.append(_shown(house, lines[-1], answer))
    for command in (
        Throw(Roll(0, 7)),
        CockedDie(4, ()),
        CockedDie(9, (1,)),
        DisputeFace(0),
        Sit(0, "Bob", 5),
        Sit(7, "Bob", -1),
        BuyIn(1, -1),
        CallNoRoll("improper", "player"),
    ):
        table = game("adelaide", seats=3)
        answer = table.do(command)
        assert isinstance(answer, Refusal), command
        said.append(_shown("adelaide", repr(command), answer))
    return said + _by_option()


def _by_option() -> list[dict[str, object]]:
    """Refusals that no built-in house gives, or only with something in doubt or a sign nobody could read."""
    from tests.test_options import table_of

    said = []
    barred = table_of("adelaide", betting__dont_ban="all until come-out")
    play(barred, "2 bet pass 5", "bet dont_pass 10", "roll 4-4", "take dont_pass 5")
    said.append(_shown("adelaide", "bet dont_come 5", barred.bet(1, "dont_come", 5)))
    keeps = table_of("adelaide", shooter__voluntary_pass="come-out only")
    play(keeps, "bet pass 5", "roll 4-4")
    said += [_shown("adelaide", line, keeps.do(line_of(keeps, line))) for line in ("pass-dice", "decline")]
    doubted = game("adelaide", seats=1)
    play(doubted, "bet pass 5", "dice-out", "dispute 4")
    said.append(_shown("adelaide", "rule 9", doubted.do(RuleFace(9))))
    held = game("adelaide", seats=1)
    play(held, "shoot")
    said.append(_shown("adelaide", "choose 1", held.do(ChooseDice(1, (1,)))))
    signed = game("exhibit-a", seats=1)
    never_here = (
        signed.notice._replace(multiples=True),
        signed.notice._replace(unit=500),
        signed.notice._replace(side=(1, 2)),
    )
    said += [_shown("exhibit-a", "post a sign", signed.do(PostNotice(sign))) for sign in never_here]
    wrong = game("adelaide", seats=1)
    nowhere = (
        wrong.notice._replace(chip=0),
        wrong.notice._replace(unit=0),
        wrong.notice._replace(multiples=True, minimum=0),
    )
    said += [_shown("adelaide", "post a sign", wrong.do(PostNotice(sign))) for sign in nowhere]
    return said


def _shown(house: str, asked: str, answer: object) -> dict[str, object]:
    assert isinstance(answer, Refusal), asked
    return {
        "house": house,
        "asked": asked,
        "code": answer.code,
        "message": answer.message,
        "clause": answer.clause,
        "seat": answer.seat,
    }


def test_every_refusal_is_said_as_it_was() -> None:
    """The code, the sentence, the clause and the seat are the ones that were read and found right."""
    assert answers() == json.loads(GOLDEN.read_text(encoding="utf-8"))


WAITS = "bet field 10; take place_6; off place_6; buyin 10; leave; shoot; decline; pass-dice; choose 1 2"
THROWN = "order-pass delay; dice-out; roll 3-3; throw 3-3 improper; cocked 3 2; dispute 3"


@pytest.mark.parametrize("line", f"{WAITS}; {THROWN}".split("; "))
def test_with_a_face_in_doubt_everything_waits(line: str) -> None:
    """Whatever is asked, by players or crew, the answer is the same one."""
    table = game("adelaide", seats=2)
    play(table, "bet pass 10", "roll 4-4", "bet place_6 12", "dice-out", "dispute 4")
    answer = table.do(line_of(table, line))
    assert isinstance(answer, Refusal)
    assert answer.code == "phase.disputed"


def test_every_code_has_been_heard() -> None:
    """A refusal that nobody can provoke is no refusal."""
    assert {said["code"] for said in answers()} == codes_of("engine")


def test_every_code_of_a_live_table_stands_in_its_table() -> None:
    """And nothing stands there that nobody says; a table of somebody else's has its own codes."""
    assert set(SENTENCES) <= codes_of("live") <= {*codes_of("engine"), *codes_of("floor"), *SENTENCES}


if __name__ == "__main__":
    GOLDEN.write_text(json.dumps(answers(), indent=1) + "\n", encoding="utf-8")
