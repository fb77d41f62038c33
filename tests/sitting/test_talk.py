# ruff: noqa: E501 - a row of what is said and what comes of it is one line
"""Table talk: what dealers everywhere understand, phrase by phrase, at a $5 and at a $15 table."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

import pytest

from passline.engine import commands as c
from passline.engine.decide import decide
from passline.engine.events import WagerWon
from passline.engine.evolve import evolve
from passline.engine.postings import brought, postings
from passline.engine.refusals import Refusal
from passline.engine.values import Roll
from passline.sitting import words
from passline.sitting.orders import Order, Rail, Won
from passline.sitting.talk import talk
from passline.table import Table
from tests.tables import cases

if TYPE_CHECKING:
    from tests.sitting.conftest import Sit

ME = 1
HITS = {4: (3, 1), 5: (3, 2), 6: (4, 2), 8: (5, 3), 9: (5, 4), 10: (6, 4), 11: (6, 5), 12: (6, 6), 2: (1, 1), 3: (2, 1)}


def rail_at(
    felt: str = "", *, least: int = 5, puck: int = 0, hits: tuple[int, int] | None = None, house: str = "strip"
) -> Rail:
    """Ann at a table with some wagers up, just after a roll where one is named."""
    point = puck or "off"
    wagers = " ".join(felt.split())
    table = Table.at(f"{house} min={least} | puck={point} shooter=1 | 1 Ann 5000 {wagers}".rstrip())
    won: dict[str, Won] = {}
    taken: dict[str, int] = {}
    if hits:
        answer = table.do(c.Throw(Roll(*hits)))
        assert not isinstance(answer, Refusal), answer
        for event in answer:
            if isinstance(event, WagerWon):
                won[event.wager] = Won(event.stake, brought(postings(event), ME), event.stays)
            if getattr(event, "stays", True) is False or type(event).__name__ == "WagerLost":
                taken[event.wager] = event.stake  # type: ignore[union-attr] # a wager's own
    hards = {key: stake for key, stake in taken.items() if key.startswith("hard")}
    return Rail(table.house.layout, table.state, ME, won, taken, hards)


def outcome(rail: Rail, order: Order) -> str:
    """What an order comes to: a question, or the stakes that changed; what is refused by its code."""
    if order.question is not None:
        return f"? {order.question.asks}"
    table = rail.table
    before = table.seats[ME].felt
    calls = []
    for command in order.commands:
        if isinstance(command, c.CallOn | c.CallOff):
            calls.append(f"{command.wager}={'on' if isinstance(command, c.CallOn) else 'off'}")
        answer = decide(rail.layout, table, command)
        assert not isinstance(answer, Refusal), answer
        table = evolve(table, answer)
    after = table.seats[ME].felt
    changed = {
        key: after[key].stake if key in after else 0
        for key in (*before, *(key for key in after if key not in before))
        if (key in after and key not in before)
        or (key in before and (key not in after or after[key].stake != before[key].stake))
    }
    stakes = [f"{key}={rail.layout.money(stake)}" for key, stake in changed.items()]
    return " ".join([*stakes, *calls, *(f"no:{refused.code}" for refused in order.refused)])


def box(fives: int, sixes: int, *numbers: int) -> str:
    return " ".join(f"place_{n}={sixes if n in (6, 8) else fives}" for n in numbers)


ALL = (4, 5, 6, 8, 9, 10)

BETS: list[tuple[str, int, str, str]] = [
    # said, point, at a $5 table, at a $15 table
    ("across", 0, box(5, 6, *ALL), box(15, 18, *ALL)),
    ("32 across", 0, box(5, 6, *ALL), "? Fifteen minimum: 96?"),
    ("26 across", 8, box(5, 6, 4, 5, 6, 9, 10), "? Fifteen minimum: 78?"),
    ("27 across", 5, box(5, 6, 4, 6, 8, 9, 10), "? Fifteen minimum: 81?"),
    ("54 across", 9, box(10, 12, 4, 5, 6, 8, 10), "? Fifteen minimum: 81?"),
    ("54 across", 6, "? 52, or 64 with the six?", "? 78 or 96?"),
    ("64 across", 0, box(10, 12, *ALL), "? Fifteen minimum: 96?"),
    ("81 across", 4, box(15, 18, 5, 6, 8, 9, 10), box(15, 18, 5, 6, 8, 9, 10)),
    ("160 across", 0, box(25, 30, *ALL), box(25, 30, *ALL)),
    ("22 inside", 0, box(5, 6, 5, 6, 8, 9), "? Fifteen minimum: 66?"),
    ("44 inside", 0, box(10, 12, 5, 6, 8, 9), "? Fifteen minimum: 66?"),
    ("32 inside", 6, box(10, 12, 5, 8, 9), "? Fifteen minimum: 48?"),
    ("outside", 0, box(5, 6, 4, 5, 9, 10), box(15, 18, 4, 5, 9, 10)),
    ("60 outside", 5, "? With the five or without?", "? With the five or without?"),
    ("176 inside", 6, "? With the six or without?", "? With the six or without?"),
    ("place my numbers", 0, box(5, 6, *ALL), box(15, 18, *ALL)),
    ("all the numbers", 0, box(5, 6, *ALL), box(15, 18, *ALL)),
    ("six and eight", 0, box(5, 6, 6, 8), box(15, 18, 6, 8)),
    ("12 each six and eight", 0, box(5, 12, 6, 8), "? Fifteen minimum: 18 each?"),
    ("36 six and eight", 0, "? 18 each or 36 each?", "? 18 each or 36 each?"),
    ("ten on the nine", 0, "place_9=10", "? Fifteen minimum: 15?"),
    ("ten six", 0, "? 6 or 12 on the six?", "? Fifteen minimum: 18?"),
    ("20 on the six", 0, "? 18 or 24?", "? 18 or 24?"),
    ("5", 0, "? The five, or 5 on what?", "? The five, or 5 on what?"),
    ("bet 10", 6, "? The ten, or 10 on what?", "? The ten, or 10 on what?"),
    ("$25", 0, "? 25 on what?", "? 25 on what?"),
    ("could I get 22 inside please", 0, box(5, 6, 5, 6, 8, 9), "? Fifteen minimum: 66?"),
    ("let me have 66 inside", 0, box(15, 18, 5, 6, 8, 9), box(15, 18, 5, 6, 8, 9)),
    ("put me across for 96", 0, box(15, 18, *ALL), box(15, 18, *ALL)),
    ("I'd like a quarter on the line", 0, "pass=25", "pass=25"),
    ("I'll take the hard eight for 5", 0, "hard_8=5", "hard_8=5"),
    (": 18 on the six", 0, "place_6=18", "place_6=18"),
    ("put 18 on the six", 0, "place_6=18", "place_6=18"),
    ("put me on the nine for 15", 6, "place_9=15", "place_9=15"),
    ("six and eight for 18", 0, box(5, 18, 6, 8), box(5, 18, 6, 8)),
    ("6 and 8 for 18 each", 0, box(5, 18, 6, 8), box(5, 18, 6, 8)),
    ("$18 six and eight each", 0, box(5, 18, 6, 8), box(5, 18, 6, 8)),
    ("buy 4 and 10 for 25 each", 0, "buy_4=25 buy_10=25", "buy_4=25 buy_10=25"),
    ("lay against the six for 24", 0, "lay_6=24", "lay_6=24"),
    ("place bet on the 6 for $18", 0, "place_6=18", "place_6=18"),
    ("iron cross for 66", 0, f"{box(15, 18, 5, 6, 8)} field=15", f"{box(15, 18, 5, 6, 8)} field=15"),
    ("five on each hardway", 0, "hard_4=5 hard_6=5 hard_8=5 hard_10=5", "hard_4=5 hard_6=5 hard_8=5 hard_10=5"),
    ("sevens on the hop", 0, "hop_4_3=1 hop_5_2=1 hop_6_1=1", "hop_4_3=1 hop_5_2=1 hop_6_1=1"),
    ("six four on the hop", 0, "hop_6_4=1", "hop_6_4=1"),
    ("hop 6 4 for 5", 0, "hop_6_4=5", "hop_6_4=5"),
    ("five high yo horn", 0, "horn_high_11=5", "horn_high_11=5"),
    ("place the point", 6, "place_6=6", "place_6=18"),
    ("30 on the point", 8, "place_8=30", "place_8=30"),
    ("buy the point for 25", 4, "buy_4=25", "buy_4=25"),
    ("one unit across", 0, box(5, 6, *ALL), box(15, 18, *ALL)),
    ("two units inside", 0, box(10, 12, 5, 6, 8, 9), box(30, 36, 5, 6, 8, 9)),
    ("two units on the six and eight", 0, box(5, 12, 6, 8), box(5, 36, 6, 8)),
    ("six twelve eight twelve", 0, box(5, 12, 6, 8), "? Fifteen minimum: 18 each?"),
    ("six eighteen eight twenty-four", 0, "place_6=18 place_8=24", "place_6=18 place_8=24"),
    ("fifteen five eighteen six", 0, "place_5=15 place_6=18", "place_5=15 place_6=18"),
    ("place six 18 eight 18", 0, box(5, 18, 6, 8), box(5, 18, 6, 8)),
    ("25 4 5 9", 0, "place_4=25 place_5=25 place_9=25", "place_4=25 place_5=25 place_9=25"),
    ("5.50 on the six", 0, "? 5 or 6?", "? Fifteen minimum: 18?"),
    ("iron cross", 0, f"{box(5, 6, 5, 6, 8)} field=5", f"{box(15, 18, 5, 6, 8)} field=15"),
    ("buy the four", 0, "buy_4=20", "buy_4=20"),
    ("buy four and ten, 25 each", 0, "buy_4=25 buy_10=25", "buy_4=25 buy_10=25"),
    ("lay the four", 0, "lay_4=40", "lay_4=40"),
    ("no four", 0, "lay_4=40", "lay_4=40"),
    ("50 no ten", 0, "lay_10=50", "lay_10=50"),
    (
        "put ten on the six",
        6,
        "? The point is on: 10 put on the 6 pays even money and costs 9.09%; Place 6 costs 1.52%. Put it?",
        "? The point is on: 15 put on the 6 pays even money and costs 9.09%; Place 6 costs 1.52%. Put it?",
    ),
    (
        "put ten on the nine",
        6,
        "? The point is on: 10 put on the 9 pays even money and costs 20.00%; Place 9 costs 4.00%. Put it?",
        "? The point is on: 15 put on the 9 pays even money and costs 20.00%; Place 9 costs 4.00%. Put it?",
    ),
    (
        "ten on the line",
        4,
        "? The point is on: 10 put on the 4 pays even money and costs 33.33%; Place 4 costs 6.67%. Put it?",
        "? The point is on: 15 put on the 4 pays even money and costs 33.33%; Place 4 costs 6.67%. Put it?",
    ),
    ("five on the line", 0, "pass=5", "? Fifteen minimum: 15?"),
    ("don't pass", 0, "dont_pass=5", "dont_pass=15"),
    ("don’t come", 6, "dont_come=5", "dont_come=15"),
    ("five come", 6, "come=5", "? Fifteen minimum: 15?"),
    ("come 10", 6, "come=10", "? Fifteen minimum: 15?"),
    ("don't come 25", 6, "dont_come=25", "dont_come=25"),
    ("six for 12", 0, "place_6=12", "? Fifteen minimum: 18?"),
    ("six for 18, ten on the yo", 0, "place_6=18 eleven=10", "place_6=18 eleven=10"),
    ("field", 0, "field=5", "field=15"),
    ("yo", 0, "eleven=1", "eleven=1"),
    ("ten on the yo", 0, "eleven=10", "eleven=10"),
    ("10 on the yo", 0, "eleven=10", "eleven=10"),
    ("aces", 0, "craps_2=1", "craps_2=1"),
    ("ace-deuce", 0, "craps_3=1", "craps_3=1"),
    ("midnight", 0, "craps_12=1", "craps_12=1"),
    ("big red", 0, "any_seven=1", "any_seven=1"),
    ("any craps", 0, "any_craps=1", "any_craps=1"),
    ("craps check", 0, "any_craps=1", "any_craps=1"),
    ("hi-lo", 0, "craps_2=1 craps_12=1", "craps_2=1 craps_12=1"),
    ("hi-lo-yo", 0, "craps_2=1 craps_12=1 eleven=1", "craps_2=1 craps_12=1 eleven=1"),
    ("three-way", 0, "craps_2=1 craps_3=1 craps_12=1", "craps_2=1 craps_3=1 craps_12=1"),
    ("horn", 0, "horn=4", "horn=4"),
    ("five horn", 0, "? High what?", "? High what?"),
    ("$5 horn high twelve", 0, "horn_high_12=5", "horn_high_12=5"),
    ("5 horn high yo", 0, "horn_high_11=5", "horn_high_11=5"),
    ("world", 0, "world=5", "world=5"),
    ("whirl", 0, "world=5", "world=5"),
    ("C and E", 0, "craps_eleven=2", "craps_eleven=2"),
    ("C&E", 0, "craps_eleven=2", "craps_eleven=2"),
    ("five C and E", 0, "? 4 or 6?", "? 4 or 6?"),
    ("five on the hard eight", 0, "hard_8=5", "hard_8=5"),
    ("hard eight 5", 0, "hard_8=5", "hard_8=5"),
    ("hardways", 0, "hard_4=1 hard_6=1 hard_8=1 hard_10=1", "hard_4=1 hard_6=1 hard_8=1 hard_10=1"),
    ("dollar each hardways", 0, "hard_4=1 hard_6=1 hard_8=1 hard_10=1", "hard_4=1 hard_6=1 hard_8=1 hard_10=1"),
    ("hardways high eight", 0, "hard_4=1 hard_6=1 hard_8=2 hard_10=1", "hard_4=1 hard_6=1 hard_8=2 hard_10=1"),
    ("hop the sevens", 0, "hop_4_3=1 hop_5_2=1 hop_6_1=1", "hop_4_3=1 hop_5_2=1 hop_6_1=1"),
    ("hop the tens", 0, "hop_5_5=1 hop_6_4=1", "hop_5_5=1 hop_6_4=1"),
    ("three-three hop", 0, "hop_3_3=1", "hop_3_3=1"),
    ("hop hard six", 0, "hop_3_3=1", "hop_3_3=1"),
    ("five-one hop", 0, "hop_5_1=1", "hop_5_1=1"),
    (
        "buffalo",
        0,
        "hop_2_2=1 hop_3_3=1 hop_4_4=1 hop_5_5=1 any_seven=1",
        "hop_2_2=1 hop_3_3=1 hop_4_4=1 hop_5_5=1 any_seven=1",
    ),
    ("two-way hard eight, ten", 0, "hard_8=5", "hard_8=5"),
    ("five for the boys", 0, "", ""),
    ("change only", 0, "", ""),
    ("color me up", 0, "", ""),
    ("$10 pass", 0, "pass=10", "? Fifteen minimum: 15?"),
    ("place 6 12", 0, "place_6=12", "? Fifteen minimum: 18?"),
    ("bet place_6 12", 0, "place_6=12", "no:bet.under_minimum"),
    ("put 12 6", 0, "place_6=12", "? Fifteen minimum: 18?"),
    ("buy 25 4", 0, "buy_4=25", "buy_4=25"),
    ("12 6 8", 0, box(5, 12, 6, 8), "? Fifteen minimum: 18 each?"),
    ("6 8 12", 0, box(5, 12, 6, 8), "? Fifteen minimum: 18 each?"),
    ("lay 50 against the four", 0, "lay_4=50", "lay_4=50"),
    ("lay 60 no five", 0, "lay_5=60", "lay_5=60"),
    ("check craps 5", 0, "any_craps=5", "any_craps=5"),
    ("place 5 6 and 8", 0, box(5, 6, 5, 6, 8), box(15, 18, 5, 6, 8)),
    ("5 6 8", 0, "? The five, the six and the eight, or 5 each on the six and the eight?", box(15, 18, 5, 6, 8)),
    ("five on the hard six and eight", 0, "? Hard eight, or place eight?", "? Hard eight, or place eight?"),
    ("hard 6 hard 8 for 5 each", 0, "hard_6=5 hard_8=5", "hard_6=5 hard_8=5"),
    ("hard six hop", 0, "hop_3_3=1", "hop_3_3=1"),
    ("5 hop 6 4", 0, "hop_6_4=5", "hop_6_4=5"),
    ("hop 64 for 5", 0, "hop_6_4=5", "hop_6_4=5"),
    ("10 on the yo, field for 15", 0, "eleven=10 field=15", "eleven=10 field=15"),
    ("add 10 on the yo", 0, "eleven=10", "eleven=10"),
    ("seven", 0, "? Any seven or hop the sevens?", "? Any seven or hop the sevens?"),
    ("5 on the six, ten on the yo and a dollar horn high aces", 0, "? 6?", "? Fifteen minimum: 18?"),
]


@cases("said, point, five, fifteen", BETS, ids=[f"{row[0]} [{row[1]}]" for row in BETS])
def test_a_bet_is_booked_as_it_is_said(said: str, point: int, five: str, fifteen: str) -> None:
    for least, expected in ((5, five), (15, fifteen)):
        rail = rail_at(least=least, puck=point)
        order = talk(rail, said)
        assert order.understood, order.says
        assert outcome(rail, order) == expected, (least, order)


SIX = ("place_6=12", "place_6=18")
"""One six, which has just hit."""
BOTH = ("place_6=12 place_8=12", "place_6=18 place_8=18")

WITH_BETS: list[tuple[str, tuple[str, str], int, tuple[int, int] | None, str, str]] = [
    # said, what is up at a $5 and a $15 table, the point, the roll before it, what comes of it
    ("press it", SIX, 5, (4, 2), "place_6=24 | Six goes to 24, 2 back.", "place_6=36 | Six goes to 36, 3 back."),
    ("press my six", SIX, 5, (4, 2), "place_6=24 | Six goes to 24, 2 back.", "place_6=36 | Six goes to 36, 3 back."),
    ("double it up", SIX, 5, (4, 2), "place_6=24 | Six goes to 24, 2 back.", "place_6=36 | Six goes to 36, 3 back."),
    ("press the six one unit", SIX, 5, (4, 2), "place_6=18 | Six goes to 18, 8 back.", "place_6=24 | Six goes to 24, 15 back."),
    ("up a unit", SIX, 5, (4, 2), "place_6=18 | Six goes to 18, 8 back.", "place_6=24 | Six goes to 24, 15 back."),
    ("half press", SIX, 5, (4, 2), "place_6=18 | Six goes to 18, 8 back.", "place_6=24 | Six goes to 24, 15 back."),
    ("full press", SIX, 5, (4, 2), "place_6=24 | Six goes to 24, 2 back.", "place_6=36 | Six goes to 36, 3 back."),
    ("power press", SIX, 5, (4, 2), "place_6=24 | Six goes to 24, 2 back.", "place_6=36 | Six goes to 36, 3 back."),
    ("press it twice", SIX, 5, (4, 2), "? Two units, or double it?", "? Two units, or double it?"),
    ("press the six two times", SIX, 5, (4, 2), "? Two units, or double it?", "? Two units, or double it?"),
    ("take the six to 30", SIX, 5, (4, 2), "place_6=30 | Six goes to 30, 4 from your rail.", "place_6=30 | Six goes to 30, 9 back."),
    ("make it look like 30", SIX, 5, (4, 2), "place_6=30 | Six goes to 30, 4 from your rail.", "place_6=30 | Six goes to 30, 9 back."),
    ("press six and eight", ("place_6=12 place_8=12", "place_6=18 place_8=18"), 5, (4, 2),
     "place_6=24 place_8=24 | Six goes to 24, eight goes to 24, 10 from your rail.",
     "place_6=36 place_8=36 | Six goes to 36, eight goes to 36, 15 from your rail."),
    ("press everything a unit", (box(10, 12, *ALL), box(15, 18, *ALL)), 5, (4, 2), "? 18 more?", "? 11 more?"),
    ("parlay it", SIX, 5, (4, 2), "place_6=24 | Six goes to 24, 2 back.", "place_6=36 | Six goes to 36, 3 back."),
    ("let it ride", SIX, 5, (4, 2), "place_6=24 | Six goes to 24, 2 back.", "place_6=36 | Six goes to 36, 3 back."),
    ("same bet", SIX, 5, (4, 2), " | 14 to your rail.", " | 21 to your rail."),
    ("pay me", SIX, 5, (4, 2), " | 14 to your rail.", " | 21 to your rail."),
    ("collect", SIX, 5, (4, 2), " | 14 to your rail.", " | 21 to your rail."),
    ("same bet", SIX, 5, (4, 3), "place_6=12", "place_6=18"),
    ("same bet with the hardways", ("place_6=12 hard_8=5", "place_6=18 hard_8=5"), 5, (4, 3), "place_6=12 hard_8=5", "place_6=18 hard_8=5"),
    ("down a unit", SIX, 5, None, "place_6=6", "? Minimum's 18: all down?"),
    ("regress to 22 inside", (box(10, 12, *ALL), box(30, 36, *ALL)), 0, None,
     "place_4=0 place_5=5 place_6=6 place_8=6 place_9=5 place_10=0", "? Fifteen minimum: 66?"),
    ("down on the six", SIX, 5, None, "place_6=0", "place_6=0"),
    ("down on my place bets", ("place_6=12 place_8=12 hard_8=5", "place_6=18 place_8=18 hard_8=5"), 5, None, "place_6=0 place_8=0", "place_6=0 place_8=0"),
    ("down on my hardways", ("place_6=12 hard_8=5", "place_6=18 hard_8=5"), 5, None, "hard_8=0", "hard_8=0"),
    ("down on my odds", ("pass=5 pass_odds=10", "pass=15 pass_odds=30"), 5, None, "pass_odds=0", "pass_odds=0"),
    ("take me down", ("pass=5 pass_odds=10 place_6=12", "pass=15 pass_odds=30 place_6=18"), 5, None,
     "pass_odds=0 place_6=0 | Pass Line stays until it is decided.", "pass_odds=0 place_6=0 | Pass Line stays until it is decided."),
    ("all down", ("place_6=12 hard_8=5", "place_6=18 hard_8=5"), 5, None, "place_6=0 hard_8=0", "place_6=0 hard_8=0"),
    ("down on the line", ("pass=5 pass_odds=10", "pass=15 pass_odds=30"), 5, None, "? Pass Line stays; odds down?", "? Pass Line stays; odds down?"),
    ("pick up my don't", ("dont_pass=5", "dont_pass=15"), 5, None, "? It's ahead now: pick it up?", "? It's ahead now: pick it up?"),
    ("pick up my don't", ("dont_pass=5", "dont_pass=15"), 0, None, "dont_pass=0", "dont_pass=0"),
    ("all my numbers off", ("pass=5 place_6=12 buy_4=20 come_9=5 come_odds_9=10 hard_8=5", "pass=15 place_6=18 buy_4=20 come_9=15 come_odds_9=20 hard_8=5"), 5, None,
     "place_6=off buy_4=off come_odds_9=off", "place_6=off buy_4=off come_odds_9=off"),
    ("I'm off", ("pass=5 place_6=12 hard_8=5", "pass=15 place_6=18 hard_8=5"), 5, None, "place_6=off hard_8=off | Line stays.", "place_6=off hard_8=off | Line stays."),
    ("back on", ("place_6=12:off", "place_6=18:off"), 5, None, "place_6=on", "place_6=on"),
    ("working", ("place_6=12 hard_8=5", "place_6=18 hard_8=5"), 0, None, "place_6=on hard_8=on", "place_6=on hard_8=on"),
    ("numbers work", ("place_6=12 hard_8=5", "place_6=18 hard_8=5"), 0, None, "place_6=on", "place_6=on"),
    ("hardways work", ("place_6=12 hard_8=5", "place_6=18 hard_8=5"), 0, None, "hard_8=on", "hard_8=on"),
    ("odds working", ("come_9=5 come_odds_9=10", "come_9=15 come_odds_9=30"), 0, None, "come_odds_9=on", "come_odds_9=on"),
    ("odds off", ("come_9=5 come_odds_9=10", "come_9=15 come_odds_9=30"), 5, None, "come_odds_9=off", "come_odds_9=off"),
    ("move the six to the nine", SIX, 5, None, "place_6=0 place_9=10 | 10 on the nine, 2 back.", "place_6=0 place_9=15 | 15 on the nine, 3 back."),
    ("down with odds", ("come_6=5 place_6=12", "come_6=15 place_6=18"), 5, None, "place_6=0 come_odds_6=10", "place_6=0 come_odds_6=15"),
    ("max odds", ("pass=5", "pass=15"), 4, None, "pass_odds=15", "pass_odds=45"),
    ("full odds", ("pass=5", "pass=15"), 9, None, "pass_odds=20", "pass_odds=60"),
    ("max odds", ("pass=5", "pass=15"), 6, None, "pass_odds=25", "pass_odds=75"),
    ("double odds", ("pass=5", "pass=15"), 9, None, "pass_odds=10", "pass_odds=30"),
    ("single odds", ("pass=5", "pass=15"), 6, None, "pass_odds=5", "pass_odds=15"),
    ("single odds", ("pass=5", "pass=15"), 9, None, "pass_odds=6", "pass_odds=16"),
    ("odds on my come bets", ("pass=5 come_4=5 come_9=5", "pass=15 come_4=15 come_9=15"), 6, None, "come_odds_4=15 come_odds_9=20", "come_odds_4=45 come_odds_9=60"),
    ("20 on the pass line odds", ("pass=10", "pass=15"), 9, None, "pass_odds=20", "pass_odds=20"),
    ("20 odds on the nine", ("pass=5 come_9=5", "pass=15 come_9=15"), 6, None, "come_odds_9=20", "come_odds_9=20"),
    ("max odds", ("come_9=5 pass=5", "come_9=15 pass=15"), 6, None, "pass_odds=25", "pass_odds=75"),
    ("lay max", ("dont_pass=5", "dont_pass=15"), 4, None, "dont_pass_odds=30", "dont_pass_odds=90"),
    ("lay max", ("dont_pass=5", "dont_pass=15"), 6, None, "dont_pass_odds=30", "dont_pass_odds=90"),
    ("press it", ("place_8=12 hard_8=5", "place_8=18 hard_8=5"), 5, (4, 4), "? Eight or hard eight?", "? Eight or hard eight?"),
    ("parlay the hard eight", ("hard_8=5", "hard_8=5"), 5, (4, 4), "hard_8=50 | Hard eight goes to 50.", "hard_8=50 | Hard eight goes to 50."),
    ("take place_6 6", SIX, 5, None, "place_6=6", "no:take.leaves_wrong"),
    ("off place_6", SIX, 5, None, "place_6=off", "place_6=off"),
    ("take ten off the six", ("place_6=30", "place_6=30"), 5, None, "place_6=20", "place_6=20"),
    ("take ten off the six", SIX, 5, None, "? All down?", "? All down?"),
    ("6 more on the six", SIX, 5, None, "place_6=18", "place_6=24"),
    ("press my six two units", SIX, 5, (4, 2), "place_6=24 | Six goes to 24, 2 back.", "place_6=30 | Six goes to 30, 9 back."),
    ("make six and eight 30", BOTH, 5, (4, 2),
     "place_6=30 place_8=30 | Six goes to 30, 4 from your rail. Eight goes to 30, 18 from your rail.",
     "place_6=30 place_8=30 | Six goes to 30, 9 back. Eight goes to 30, 12 from your rail."),
    ("all six up", (box(10, 12, *ALL), box(15, 18, *ALL)), 5, (4, 2), "? 18 more?", "? 11 more?"),
    ("working odds", ("pass=5 pass_odds=10", "pass=15 pass_odds=30"), 5, None, "no:call.not_callable", "no:call.not_callable"),
    ("six off and max odds", ("pass=5 place_6=12", "pass=15 place_6=18"), 5, None, "pass_odds=20 place_6=off", "pass_odds=60 place_6=off"),
    ("take the six to 20", SIX, 5, None, "? 18 or 24?", "? 24?"),
    ("take me to 30", SIX, 5, (4, 2), "place_6=30 | Six goes to 30, 4 from your rail.", "place_6=30 | Six goes to 30, 9 back."),
    ("press it to 36", BOTH, 5, None, "? Six or eight?", "? Six or eight?"),
    ("go up a unit", SIX, 5, (4, 2), "place_6=18 | Six goes to 18, 8 back.", "place_6=24 | Six goes to 24, 15 back."),
    ("drop the six by 6", ("place_6=30", "place_6=30"), 5, None, "place_6=24", "place_6=24"),
    ("lower my six to 18", ("place_6=30", "place_6=30"), 5, None, "place_6=18", "place_6=18"),
    ("take me down to 66 inside", ("place_6=30", "place_6=30"), 0, None, "place_6=18 place_5=15 place_8=18 place_9=15", "place_6=18 place_5=15 place_8=18 place_9=15"),
    ("take the six down and put it on the nine", SIX, 5, None, "place_6=0 place_9=10 | 10 on the nine, 2 back.", "place_6=0 place_9=15 | 15 on the nine, 3 back."),
    ("press my six and put me on the nine for 15", SIX, 5, (4, 2), "place_6=24 place_9=15 | Six goes to 24, 2 back.", "place_6=36 place_9=15 | Six goes to 36, 3 back."),
    ("press the winner", SIX, 5, (4, 2), "place_6=24 | Six goes to 24, 2 back.", "place_6=36 | Six goes to 36, 3 back."),
    ("press the winner", SIX, 5, None, "no:wager.not_up", "no:wager.not_up"),
    ("my numbers are off", SIX, 5, None, "place_6=off", "place_6=off"),
    ("turn me off", SIX, 5, None, "place_6=off", "place_6=off"),
    ("place bets off", ("place_6=12 hard_8=5", "place_6=18 hard_8=5"), 5, None, "place_6=off", "place_6=off"),
    ("numbers working", SIX, 5, None, " | Working already.", " | Working already."),
    ("odds on my come", ("pass=5 come_9=5", "pass=15 come_9=15"), 6, None, "come_odds_9=20", "come_odds_9=60"),
    ("press the point", ("pass=5 place_6=12", "pass=15 place_6=18"), 6, None, "place_6=24 | Six goes to 24, 12 from your rail.", "place_6=36 | Six goes to 36, 18 from your rail."),
    ("more odds", ("pass=5 pass_odds=10", "pass=15 pass_odds=15"), 6, None, "? 10 or 15 more?", "? 15 or 60 more?"),
    ("more odds", ("pass=5", "pass=15 pass_odds=60"), 6, None, "? 5 or 25 more?", "pass_odds=75"),
    ("more odds on my come bet", ("pass=5 come_9=5", "pass=15 come_9=15"), 6, None, "? 6 or 20 more?", "? 16 or 60 more?"),
    ("10 more odds", ("pass=5 pass_odds=10", "pass=15 pass_odds=10"), 6, None, "pass_odds=20", "pass_odds=20"),
    ("odds for 20", ("pass=5", "pass=15"), 5, None, "pass_odds=20", "pass_odds=20"),
    ("all down", ("pass=5 come_9=5", "pass=15 come_9=15"), 6, None, " | Pass Line and Come 9 stay until they are decided.", " | Pass Line and Come 9 stay until they are decided."),
]  # fmt: skip


@cases("row", WITH_BETS, ids=[f"{row[0]} [{row[1][0]}, {row[2]}]" for row in WITH_BETS])
def test_what_is_up_is_pressed_taken_down_and_called(
    row: tuple[str, tuple[str, str], int, tuple[int, int] | None, str, str],
) -> None:
    said, felts, point, hits, *expected = row
    for least, felt, wanted in zip((5, 15), felts, expected, strict=True):
        rail = rail_at(felt, least=least, puck=point, hits=hits)
        order = talk(rail, said)
        assert order.understood, order.says
        stakes, _, says = wanted.partition(" | ")
        assert (outcome(rail, order), " ".join(order.says)) == (stakes, says), (least, order)


def test_a_win_is_pressed_with_once() -> None:
    """What a press took of it is not there for the next, nor to be handed over."""
    for up, said, expected in (
        ("place_6=18", "press it", "place_6=36 | Six goes to 36, 3 back."),
        ("place_6=36", "press it", "place_6=72 | Six goes to 72, 36 from your rail."),
        ("place_6=36", "same bet", " | 3 to your rail."),
        ("place_6=42", "same bet", "no:wager.not_up | "),
        ("place_6=42", "parlay it", "no:wager.not_up | "),
        ("place_6=30", "parlay it", "place_6=36 | Six goes to 36, 6 from your rail."),
        ("place_6=18 place_8=12", "press the eight", "place_8=24 | Eight goes to 24, 12 from your rail."),
    ):
        rail = replace(rail_at(up, puck=5), won={"place_6": Won(1800, 2100, stays=True)})
        order = talk(rail, said)
        assert (up, said, f"{outcome(rail, order)} | {' '.join(order.says)}") == (up, said, expected)


def test_what_is_up_counts_for_the_minimum_of_inside() -> None:
    rail = rail_at("place_5=25 place_6=60 place_8=30 place_9=15", least=15, puck=4)
    assert outcome(rail, talk(rail, "22 inside")) == "place_5=30 place_6=66 place_8=36 place_9=20"
    rail = rail_at("place_5=15 place_6=18 place_8=18", least=15, puck=9)
    assert outcome(rail, talk(rail, "17 inside")) == "place_5=20 place_6=24 place_8=24"
    assert outcome(rail, talk(rail, "22 inside")) == "? Fifteen minimum: 66?"


def test_where_no_odds_are_posted_the_rail_is_not_bet_with_a_word() -> None:
    """And odds are taken before they are laid."""
    rail = rail_at("dont_come_6=10 come_6=5 pass=10", puck=9, house="fire-bonus")
    for said in ("max odds", "odds", "odds to the max", "max out my odds"):
        assert outcome(rail, talk(rail, said)) == "? No limit here: 10 or 1000?"
        assert outcome(rail, talk(rail, "1000", said)) == "pass_odds=1000"
        assert outcome(rail, talk(rail, "10", said)) == "pass_odds=10"
    rail = rail_at("dont_come_6=10 come_6=5 pass=10 pass_odds=10", puck=9, house="fire-bonus")
    assert outcome(rail, talk(rail, "double odds")) == "come_odds_6=10"
    assert outcome(rail, talk(rail, "lay max odds")).startswith("? No limit here: ")


def test_all_the_bets_of_a_kind_are_those_bets() -> None:
    rail = rail_at("place_6=12 place_8=12 come_4=5", puck=9)
    for said, expected in (
        ("press all my place bets", "place_6=24 place_8=24"),
        ("take all my place bets down", "place_6=0 place_8=0"),
        ("all my place bets off", "place_6=off place_8=off"),
        ("off on the four", "no:call.not_callable"),
    ):
        assert (said, outcome(rail, talk(rail, said))) == (said, expected)
    rail = rail_at("pass=10 pass_odds=40", puck=9)
    assert outcome(rail, talk(rail, "odds down to 20")) == "pass_odds=20"


def test_the_same_bet_puts_no_line_bet_on_a_point() -> None:
    """A seven took the line, its odds and a horn; another shooter's point is on: the horn goes up, the line waits."""
    lost = {"pass": 1500, "pass_odds": 3000, "horn": 400}
    rail = replace(rail_at(puck=4), taken=lost)
    order = talk(rail, "same bet")
    assert (outcome(rail, order), order.says) == ("horn=4", ("Pass Line waits for the come-out.",))
    rail = replace(rail_at(puck=4), taken={"pass": 1500, "pass_odds": 3000})
    order = talk(rail, "same bet")
    assert (outcome(rail, order), order.says) == ("", ("Pass Line waits for the come-out.",))
    rail = replace(rail_at(), taken=lost)
    assert outcome(rail, talk(rail, "same bet")).startswith("pass=15 horn=4")


def test_only_a_box_is_moved_to_a_box() -> None:
    for up in ("hard_6=10", "dont_come_6=10", "lay_6=12"):
        rail = rail_at(up, puck=5)
        assert outcome(rail, talk(rail, "move the six to the nine")) == "no:wager.not_up"
    rail = rail_at("hard_6=10", puck=5)
    assert outcome(rail, talk(rail, "move the hard six to the hard eight")) == "hard_6=0 hard_8=10"


PRESSES = """
    six 12 14 | 18 8 | 18 8 | 24 2 | 24 2
    six 18 21 | 24 15 | 24 15 | 36 3 | 36 3
    six 24 28 | 30 22 | 36 16 | 48 4 | 48 4
    six 30 35 | 36 29 | 42 23 | 60 5 | 60 5
    eight 60 70 | 66 64 | 90 40 | 120 10 | 126 4
    five 10 14 | 15 9 | 15 9 | 20 4 | 20 4
    nine 15 21 | 20 16 | 20 16 | 30 6 | 35 1
    nine 25 35 | 30 30 | 35 25 | 50 10 | 60 0
    four 10 18 | 15 13 | 15 13 | 20 8 | 25 3
    four 25 45 | 30 40 | 35 35 | 50 20 | 70 0
"""


@pytest.mark.parametrize("row", [line.strip() for line in PRESSES.strip().splitlines()])
def test_press_arithmetic(row: str) -> None:
    up, *ways = row.split(" | ")
    word, stake, won = up.split()
    number = {"four": 4, "five": 5, "six": 6, "eight": 8, "nine": 9}[word]
    rail = rail_at(f"place_{number}={stake}", puck=10, hits=HITS[number])
    assert rail.won[f"place_{number}"].net == int(won) * 100
    for say, way in zip((f"press the {word} one unit", "half press", "press it", "full press"), ways, strict=True):
        to, back = way.split()
        order = talk(rail, say)
        assert outcome(rail, order) == f"place_{number}={to}"
        change = f", {back} back" if back != "0" else ""
        assert order.says == (f"{word.capitalize()} goes to {to}{change}.",)


@pytest.mark.parametrize(
    ("up", "hits", "goes"),
    [
        ("hard_8=5", (4, 4), "hard_8=50"),
        ("hard_4=5", (2, 2), "hard_4=40"),
        ("eleven=5", (6, 5), "eleven=80"),
        ("craps_eleven=2", (6, 5), "craps_eleven=16"),
        ("craps_eleven=2", (1, 1), "craps_eleven=8"),
        ("horn=4", (6, 5), "horn=16"),
        ("pass=15", (6, 5), "pass=30"),
    ],
)
def test_a_parlay_is_stake_and_winnings(up: str, hits: tuple[int, int], goes: str) -> None:
    rail = rail_at(up, puck=0 if up.startswith("pass") else 10, hits=hits)
    assert outcome(rail, talk(rail, "parlay it")) == goes


@pytest.mark.parametrize("line", ["pull my odds", "odds down", "remove my odds", "pull everything down"])
def test_odds_come_down_however_that_is_said(line: str) -> None:
    assert talk(rail_at("pass=10 pass_odds=50", puck=6), line).commands == (c.Take(ME, "pass_odds"),)


def test_max_odds_that_are_up_are_said_to_be_the_most() -> None:
    """They were once refused as one chip too many, which nobody had asked for."""
    (no,) = talk(rail_at("pass=10 pass_odds=50", puck=6), "max odds").refused
    assert (no.code, no.message) == ("bet.over_odds", "Odds (Pass Line): 50 is the most, and it is up.")


def test_there_is_no_point_to_place_before_there_is_one() -> None:
    (no,) = talk(rail_at("pass=5"), "place the point").refused
    assert no.message == "There is no point yet."


@pytest.mark.parametrize("answer", ["the max", "40", "40 more"])
def test_how_much_more_odds_is_answered(answer: str) -> None:
    rail = rail_at("pass=10 pass_odds=10", puck=6)
    assert outcome(rail, talk(rail, answer, about="more odds")) == "pass_odds=50"


def test_pairs_of_numbers_and_money_where_every_number_has_a_box() -> None:
    rail = rail_at(house="crapless")
    assert outcome(rail, talk(rail, "six twelve eight twelve")) == "place_6=12 place_8=12"
    units = talk(rail, "two units across").question
    assert units is not None
    assert outcome(rail, talk(rail, "the six", about="two units across")) == box(10, 12, *ALL)


@pytest.mark.parametrize("line", ["parlay", "parlay the hard eight", "parlay it"])
def test_a_parlay_of_nothing_is_answered(line: str) -> None:
    """It once went without a word, and then with a question which of the numbers that are up had won."""
    order = talk(rail_at(f"hard_8=5 {box(5, 6, *ALL)}"), line)
    assert [each.message for each in order.refused] == ["Nothing of yours won there to parlay."]
    assert order.question is None


@pytest.mark.parametrize("line", ["full press my five", "press the five", "half press the five", "make the five 20"])
def test_a_come_bet_on_its_point_is_raised_only_after_the_question(line: str) -> None:
    """More behind a flat bet on its point is a put, and the dealers say what it costs; odds are offered instead."""
    rail = rail_at("pass=10 come_5=10", puck=8)
    asked = talk(rail, line).question
    assert asked is not None
    assert "put on the 5 pays even money" in asked.asks
    assert [option.says for option in asked.options] == ["put", "odds"]
    assert outcome(rail, talk(rail, "put it", line)).startswith("come_5=")


NICKNAMES = {
    "pass": "line, front line, win line, do",
    "dont_pass": "don't, dp, back line, dark side, don't win, don’t pass",
    "dont_come": "dc, don't come",
    "place_4": "little joe",
    "place_5": "fever, little phoebe",
    "place_9": "nina, center field, centre field",
    "place_6": "sixie",
    "place_8": "eighter, ada",
    "place_10": "big ten",
    "lay_4": "no four, against the four",
    "big_6": "big six",
    "hard_4": "little joe hard, two-two, hard four",
    "hard_6": "three-three, pair of treys",
    "hard_8": "square pair, windows, four-four, eight the hard way",
    "hard_10": "puppy paws, five-five",
    "any_seven": "big red, red, any seven",
    "any_craps": "craps, crap check, any craps",
    "craps_2": "aces, snake eyes, eyes",
    "craps_3": "ace-deuce, cross eyes",
    "eleven": "yo, yo-leven, e, eleven",
    "craps_12": "boxcars, midnight, cars",
    "craps_eleven": "C&E, c and e, crap-eleven",
    "world": "whirl",
    "horn_high_2": "horn high aces",
    "horn_high_3": "horn high ace-deuce",
    "horn_high_11": "horn high yo",
    "horn_high_12": "horn high twelve",
    "all_small": "small",
    "all_tall": "tall",
    "make_em_all": "all",
}


HOUSES = ["adelaide", "crapless", "exhibit-a", "fire-bonus", "strip", "sydney"]


@pytest.mark.parametrize("house", HOUSES)
def test_nicknames_are_known_in_every_house(house: str) -> None:
    """Where the house books the bet, it is booked under each of its nicknames."""
    for key, names in NICKNAMES.items():
        puck = 6 if "come" in key else 0
        rail = rail_at(house=house, least=5, puck=puck)
        offered = {spot.key for spot in rail.layout.offered()}
        if key not in offered or (house == "crapless" and key.startswith(("craps_", "eleven"))):
            continue
        for name in names.split(", "):
            order = talk(
                rail, f"$100 on {name}" if "small" not in key and "tall" not in key and "all" not in key else name
            )
            booked = [command.wager for command in order.commands if isinstance(command, c.Bet)]
            asked = order.question.options[0].line if order.question else ""
            assert booked == [key] or f"bet {key} " in asked, (house, name, order)


NOT_BOOKED = {
    "crapless": "lay the four, lay 50 against the four, lay 60 no five, lay against the six for 24, no four, 50 no ten, don't pass, don’t come, don't come 25, world, whirl, hop the sevens, hop the tens, five-one hop, sevens on the hop, six four on the hop, hop 6 4 for 5, 5 hop 6 4, hop 64 for 5",
    "adelaide": "ten on the line, hop the sevens, hop the tens, five-one hop, sevens on the hop, six four on the hop, hop 6 4 for 5, 5 hop 6 4, hop 64 for 5",
    "sydney": "ten on the line, hop the sevens, hop the tens, five-one hop, sevens on the hop, six four on the hop, hop 6 4 for 5, 5 hop 6 4, hop 64 for 5, world, whirl",
    "exhibit-a": "ten on the line, hop the sevens, hop the tens, five-one hop, sevens on the hop, six four on the hop, hop 6 4 for 5, 5 hop 6 4, hop 64 for 5, buy the four, buy the point for 25, buy four and ten 25 each, buy 4 and 10 for 25 each, buy 25 4, lay against the six for 24, lay the four, no four, 50 no ten, lay 50 against the four, lay 60 no five",
    "fire-bonus": "check craps 5, ten on the line, hop the sevens, hop the tens, five-one hop, sevens on the hop, six four on the hop, hop 6 4 for 5, 5 hop 6 4, hop 64 for 5, any craps, craps check, C and E, C&E, five C and E",
    "strip": "",
}
"""What a house does not book; everything else that is said at a $5 table is booked or asked about there."""


@pytest.mark.parametrize("house", HOUSES)
def test_every_phrase_is_booked_asked_about_or_refused_for_a_reason_in_every_house(house: str) -> None:
    refused = set()
    for said, point, *_ in BETS:
        rail = rail_at(house=house, puck=point)
        order = talk(rail, said)
        assert order.understood, said
        if order.refused:
            refused.add(said.replace(",", ""))
            assert len({no.message for no in order.refused}) == len(order.refused)
            assert not any("_" in no.message for no in order.refused), order.refused
        _answers(rail, said, order)
    assert refused == set(filter(None, NOT_BOOKED[house].split(", ")))


def _answers(rail: Rail, said: str, order: Order) -> None:
    """Nothing is booked before the answer; each answer books, and a no books nothing."""
    if order.question is None:
        return
    assert order.commands == ()
    assert talk(rail, "no", said).commands == ()
    for option in order.question.options:
        answered = talk(rail, option.says, said)
        assert answered.understood
        assert answered.commands or answered.question, (said, option)
        if answered.question:
            assert answered.question.asks != order.question.asks
            _answers(rail, order.question.answered(option.says).line, answered)  # type: ignore[union-attr]


def test_an_answer_books_the_whole_line() -> None:
    """Three bets in a line, one of them unclear: all three wait, and all three are booked."""
    rail = rail_at()
    said = "ten on the yo, 20 on the six, five on the line"
    assert talk(rail, said).commands == ()
    assert outcome(rail, talk(rail, "18", said)) == "eleven=10 place_6=18 pass=5"
    asked = talk(rail_at(house="crapless"), "place 6 12").question
    assert asked is not None
    assert asked.asks == "12 on the six, or the six and the twelve?"


def test_a_place_bet_that_cannot_all_become_odds_does_as_far_as_it_can() -> None:
    rail = rail_at("come_6=5 place_6=12", puck=5, house="sydney")
    assert outcome(rail, talk(rail, "down with odds")) == "place_6=0 come_odds_6=10"


@pytest.mark.parametrize(
    ("said", "point", "answer", "expected"),
    [
        ("60 outside", 5, "without", "place_4=20 place_9=20 place_10=20"),
        ("60 outside", 5, "with the five", "place_4=15 place_5=15 place_9=15 place_10=15"),
        ("20 on the six", 0, "24", "place_6=24"),
        ("20 on the six", 0, "eighteen", "place_6=18"),
        ("20 on the six", 0, "no", ""),
        ("20 on the six", 0, "ten on the yo", "eleven=10"),
        ("five horn", 0, "twelve", "horn_high_12=5"),
        ("36 six and eight", 0, "18 each", "place_6=18 place_8=18"),
        ("3 on the field", 0, "yes", "field=5"),
        ("five C and E", 0, "6", "craps_eleven=6"),
        ("ten on the line", 6, "put it", "pass=10"),
        ("54 across", 6, "64", "place_4=10 place_5=10 place_6=12 place_8=12 place_9=10 place_10=10"),
    ],
)
def test_nothing_is_booked_until_the_question_is_answered(said: str, point: int, answer: str, expected: str) -> None:
    rail = rail_at(puck=point)
    first = talk(rail, said)
    assert first.question is not None
    assert first.commands == ()
    assert outcome(rail, talk(rail, answer, first.question.line)) == expected


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("six ace hop", "hop_6_1=1"),
        ("five on the six ace hop", "hop_6_1=5"),
        ("hop the ace deuce for 10", "hop_2_1=10"),
        ("trey deuce hop", "hop_3_2=1"),
        ("$5 each on the six ace hop and ace deuce hop", "hop_6_1=5 hop_2_1=5"),
        ("easy six hop", "hop_5_1=1 hop_4_2=1"),
        ("hop the easy tens for 5", "hop_6_4=5"),
        ("10 easy eight hopping", "hop_6_2=5 hop_5_3=5"),
        ("ace deuce, 5 on the hard six hop", "craps_3=1 hop_3_3=5"),
    ],
)
def test_faces_hop_by_their_names_and_the_easy_ways_without_the_hard_one(said: str, expected: str) -> None:
    assert outcome(rail_at(), talk(rail_at(), said)) == expected
    assert talk(rail_at(house="sydney"), said).understood


@pytest.mark.parametrize(("answer", "expected"), [("two units", "place_6=30"), ("double", "place_6=36")])
def test_pressed_twice_is_asked_about(answer: str, expected: str) -> None:
    rail = rail_at("place_6=18", puck=5, hits=(4, 2))
    assert outcome(rail, talk(rail, answer, "press it twice")).startswith(expected)


TWO_NUMBERS: list[tuple[str, str]] = [
    ("ten six", "? 6 or 12 on the six?"),
    ("12 six", "place_6=12"),
    ("ten nine", "place_9=10"),
    ("ten eleven", "eleven=10"),
    ("five twelve", "craps_12=5"),
    ("bet the 6 5", "? 6 on the six?"),
    ("bet 5 6", "? 6 on the six?"),
    ("bet my 8 10", "? 6 or 12 on the eight?"),
    ("six 30", "place_6=30"),
    ("bet eleven 1", "eleven=1"),
    ("five seven", "? Any seven or hop the sevens?"),
    ("nine 10", "place_9=10"),
    ("bet 6 12", "? 6 on the twelve, or 12 on the six?"),
    ("five ten", "? 5 on the ten, or 10 on the five?"),
    ("six eight", "? 6 on the eight, or the six and the eight?"),
    ("bet on 8 6", "? 6 on the eight, or the six and the eight?"),
    ("ten six and eight", "? 6 or 12 each?"),
    ("12 six and 10 nine", "place_6=12 place_9=10"),
]


@pytest.mark.parametrize(("said", "expected"), TWO_NUMBERS, ids=[row[0] for row in TWO_NUMBERS])
def test_of_two_numbers_the_dealer_hears_which_is_the_money(said: str, expected: str) -> None:
    """Money, then number; unless only the other way round is a bet. Where both are, or a third thing, they ask."""
    rail = rail_at()
    order = talk(rail, said)
    assert outcome(rail, order) == expected
    _answers(rail, said, order)


def test_a_number_that_is_no_bet_is_money() -> None:
    rail = rail_at(house="adelaide")
    assert outcome(rail, talk(rail, "bet eleven 1")) == "? Five minimum: 5?"


def test_six_eight_is_both_where_six_is_no_money() -> None:
    rail = rail_at(least=15)
    assert outcome(rail, talk(rail, "six eight")) == "place_6=18 place_8=18"
    assert outcome(rail, talk(rail, "six 12")) == "? 6 on the twelve, or 12 on the six?"
    assert outcome(rail, talk(rail, talk(rail, "six", "six 12").question.line)) == "? Fifteen minimum: 18?"  # type: ignore[union-attr]
    assert talk(rail_at(), "bet on_7 5").question is not None


def test_one_unclear_clause_holds_all_of_them_and_a_refusal_only_itself() -> None:
    rail = rail_at()
    assert talk(rail, "ten on the yo, 20 on the six").commands == ()
    both = talk(rail, "five on the come and ten on the yo")
    assert [refused.code for refused in both.refused] == ["bet.window"]
    assert outcome(rail, both) == "eleven=10 no:bet.window"


def test_no_without_a_rule_is_in_the_dealers_words() -> None:
    assert talk(rail_at(house="sydney"), "hop the sevens").refused[0].message == "No hops here."
    asked = talk(rail_at(house="sydney"), "hop hard eight").question
    assert asked is not None
    assert asked.asks == "No hops here; hard eight?"
    assert talk(rail_at(), "press my six").refused[0].code == "wager.not_up"
    assert not talk(rail_at(), "zorbl the quux").understood


@pytest.mark.parametrize("house", HOUSES)
def test_nothing_is_no_amount_whatever_the_minimum(house: str) -> None:
    (refused,) = talk(rail_at(house=house), "0 on the field").refused
    assert (refused.code, refused.message) == ("amount.not_positive", "Bet at least one chip.")


def test_exhibit_a_books_what_is_said_and_adds_that_it_is_paid_short() -> None:
    order = talk(rail_at(house="exhibit-a"), "32 across")
    assert len(order.commands) == 6
    assert "paid short" in order.says[0]


def test_crapless_asks_for_six_numbers_or_all_ten() -> None:
    asked = talk(rail_at(house="crapless", least=15), "across").question
    assert asked is not None
    assert asked.asks == "The six, or all ten?"
    assert [len(option.line.split(",")) for option in asked.options] == [6, 10]


def test_tokes_and_two_way_bets_are_refused_kindly() -> None:
    assert talk(rail_at(), "five for the boys").says == ("No tokes here, thanks.",)
    assert talk(rail_at(), "hard eight for the boys").says == ("No tokes here, thanks.",)
    assert talk(rail_at(), "two-way hard eight, ten").says == ("5 for you. No tokes here, thanks.",)


def test_one_letter_of_noise_after_another_never_crashes() -> None:
    """Words of the table in any order are understood, asked about or refused; nothing breaks."""
    rng = Random(7)
    words = [
        "12",
        "six",
        "eight",
        "press",
        "odds",
        "max",
        "on",
        "off",
        "down",
        "take",
        "to",
        "and",
        ",",
        "each",
        "$5",
        "horn",
        "high",
        "hard",
        "hop",
        "4-3",
        "across",
        "move",
        "it",
        "same",
        "put",
        "buy",
        "lay",
        "no",
    ]
    rail = rail_at("pass=5 place_6=12 hard_8=5 come_9=5", puck=5)
    for _ in range(3000):
        line = " ".join(rng.choices(words, k=rng.randrange(1, 6)))
        outcome(rail, talk(rail, line))


@pytest.mark.parametrize("line", ["cash out", "cash me out", "leave"])
def test_who_cashes_out_leaves_the_table(sit: Sit, line: str) -> None:
    sitting = sit(house="strip")
    words.talk(sitting, "18 on the six")
    assert words.talk(sitting, line).end == "left"
    assert sitting.left
    assert sitting.on_table == 0


def test_money_on_a_bet_is_no_seat(sit: Sit) -> None:
    """`12 on the six` is said to the dealers; `1 on place_6` is a record's."""
    sitting = sit(house="strip")
    assert words.talk(sitting, "18 on the six").lines == []
    assert sitting.seat is not None
    assert set(sitting.seat.felt) == {"place_6"}


def test_a_line_is_quoted_as_it_was_said() -> None:
    """Not as the dealers' ears had already cut it."""
    assert talk(rail_at(), "gimme a beer").says[0].startswith('I don\'t know "gimme a beer".')
    assert talk(rail_at(), "12 on the six and a beer").says[0].startswith('I don\'t know "beer".')


def test_help_says_what_may_be_said() -> None:
    """On a page, too, where *help lists more* once answered itself."""
    said = talk(rail_at("pass=10 place_6=12 place_8=12", puck=5), "help").says
    assert len(said) > 4
    rail = rail_at("pass=10 come_9=10 come_odds_9=10 place_6=12 place_8=12 hard_8=5", puck=5)
    assert all(talk(rail, phrase).understood for line in said for phrase in line.split(", "))


def test_the_dice_are_taken_and_given_away_by_word() -> None:
    table = Table.at("strip | puck=off shooter=1 | 1 Ann 500 pass=15 | 2 Bob 500")
    rail = Rail(table.house.layout, table.state, ME)
    assert talk(rail, "pass the dice").commands == (c.PassDice(ME),)


def test_of_a_wager_that_travelled_nothing_is_bet_again(sit: Sit) -> None:
    """`same bet` is what the dice took: a come bet that went to its number still stands there."""
    sitting = sit("strip", dice="3-1 4-1")
    for said in ("15 on the line", "roll", "200 on the come, 10 on the yo", "roll"):
        words.talk(sitting, said)
    assert sitting.seat is not None
    assert "come_5" in sitting.seat.felt
    words.talk(sitting, "same bet")
    assert sitting.seat.felt["eleven"].stake == 1_000
    assert "come" not in sitting.seat.felt


@pytest.mark.parametrize(
    ("said", "says"),
    [
        ("about 5 on place_6", "Place 6: 18 (at least 15, paid whole)."),
        ("about 5 on the field", "Field: 15 (the minimum)."),
        ("about 4980 on the field, about 25 on the come", "Come: 20 (all your rail covers)."),
        ("about 500 odds", "Odds (Pass Line): 75 (the most here)."),
        ("about 25 on the field", ""),
    ],
)
def test_what_is_staked_in_place_of_the_chip_is_said(said: str, says: str) -> None:
    rail = rail_at("pass=15", least=15, puck=8)
    order = talk(rail, said)
    assert order.commands
    assert " ".join(order.says) == says
