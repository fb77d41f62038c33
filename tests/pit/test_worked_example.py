"""The evening that the trade's own papers work out, to the cent: a table's win and hold, a drawer, a rating.

Its house lends nothing and takes no tips: the loan of the example is money paid in by transfer, half of it is paid back
so, and the tip is cashed by who had the chips. Chips that others would carry to the cage go back through the float.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import repeat
from typing import Any

import pytest

from passline.engine import commands as c
from passline.engine.floor_rules import CageHabits
from passline.engine.values import Roll
from passline.floor import cage
from passline.live.requests import Ask
from passline.pit.people.people import By
from passline.pit.pit import Opening
from passline.pit.reports.house import book
from passline.pit.reports.players import Ratings, on_paper
from passline.pit.reports.sheets import Scope
from passline.pit.table import LiveTable
from tests.pit.play import KEYS, NOW, read
from tests.pit.test_cage import House

FLOAT = {50_000: 20, 10_000: 100, 2_500: 200, 500: 400, 100: 290, 50: 20}
CLOSING = {50_000: 16, 10_000: 130, 2_500: 280, 100: 10, 50: 5}
SEATS = {"Ann": 1, "Bob": 2, "Cy": 3}


class Evening(House):
    """The club with a table of real dice for its money, whose float has chips of fifty cents."""

    def __init__(self) -> None:
        super().__init__()
        people = self.pit.people
        people.guest("Cy", NOW)
        chips = tuple(sorted(FLOAT))
        LiveTable.create(self.journal, "craps", "sydney", time=NOW, dice="real", keys=KEYS, chips=chips, wallets=True)
        crew = (("bo", "box"), ("vic", "dealer"))
        opening = Opening("sydney", "real", practice=False, listed=True, wallets=True, staff=crew)
        self.money = self.pit.open(people.persons["sue"], opening, By("sue", "supervisor", NOW), "craps")

    def plays(self, who: str, command: Any) -> None:  # noqa: ANN401 - a command
        answer = read(self.asks(self.money, command, who.lower()))
        assert answer["kind"] == "acted", answer

    def rolled(self, dice: Roll) -> None:
        at = self.money
        at.close_bets(Ask("bo", "box", f"close{at.head.sequence}", self.clock()))
        for reader, role in (("bo", "box"), ("vic", "dealer")):
            at.read_dice(dice, Ask(reader, role, f"read{at.head.sequence}", self.clock()))

    def rows(self, report: str) -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = book(self.journal, report, ("craps",) if report == "tables" else ()).to_json()[
            "rows"
        ]
        return rows


@pytest.fixture
def evening() -> Evening:
    return Evening()


def test_the_table_the_drawer_and_the_house_come_out_to_the_cent(evening: Evening) -> None:
    """Win 412.50 by count and journal, hold 10.3125 %, 20,912.50 in the drawer, 121,987.50 in the chip bank."""
    paid = evening.at_cage
    evening.done(paid(cage.OpenDrawer({10_000: 200}, "cob")))
    evening.done(paid(cage.ReceiveChips({50_000: 300}, "from the maker", "sue")))
    evening.done(evening.asks(evening.money, cage.CountFloat("opening", FLOAT, "sue"), "bo"))
    evening.done(paid(cage.PayIn("Ann", 150_000, "to play", second="sue")))
    evening.done(paid(cage.PayIn("Bob", 200_000, "to play", second="sue")))
    evening.done(paid(cage.PayIn("Cy", 100_000, "to play", "transfer", "M-1", second="sue")))
    for (who, seat), amount in zip(SEATS.items(), (100_000, 200_000, 100_000), strict=True):
        evening.plays(who, c.Sit(seat, who, amount))
    evening.done(evening.asks(evening.money, cage.FillFloat({10_000: 30, 2_500: 80}, "cay"), "bo"))
    for who, wager, amount in (
        *(("Ann", "any_craps", 4_000), ("Bob", "any_craps", 500)),
        *(("Bob", "pass", 27_500), ("Cy", "pass", 47_500)),
    ):
        evening.plays(who, c.Bet(SEATS[who], wager, amount))
    evening.rolled(Roll(1, 1))
    for who, seat in SEATS.items():
        if "any_craps" in evening.money.live.table.seats[seat].felt:
            evening.plays(who, c.Take(seat, "any_craps"))
        evening.plays(who, c.Leave(seat))
    evening.done(evening.asks(evening.money, cage.CreditFloat({50_000: 4}, "bo"), "cay"))
    evening.done(evening.asks(evening.money, cage.CreditFloat({500: 400, 100: 280, 50: 15}, "bo"), "cay"))
    evening.done(evening.asks(evening.money, cage.CountFloat("closing", CLOSING, "sue"), "bo"))
    evening.done(paid(cage.PayOut("Ann", 80_000, "goes home")))
    evening.done(paid(cage.PayOut("Bob", 176_250, "goes home", second="sue")))
    evening.done(paid(cage.PayOut("Cy", 50_000, "goes home", "transfer", "M-2")))
    evening.done(paid(cage.PayOut("Cy", 2_500, "for the crew")))
    counted = evening.done(paid(cage.CloseDrawer({10_000: 209, 100: 12, 50: 1}, "cob")))
    assert (counted["total"], counted["due"]) == (2_091_250, 2_091_250)
    first = evening.rows("tables")[0]
    assert [first[name] for name in ("opening", "fills", "drop", "closing", "variance")] == [
        *("27300", "5000", "4000", "28012.50", "0")
    ]
    assert Fraction(first["credits"]) - 2_000 == Fraction(first["returns"]) - 1_300 == Fraction("2287.50")
    assert (first["win"], first["win_by_the_journal"], first["hold"]) == ("412.50", "412.50", "10.31 %")
    evening.clock.goes_on(minutes=1)
    evening.done(paid(cage.CountChipBank({50_000: 243, 10_000: 4, 500: 17, 50: 5}, "sue")))
    chips = book(evening.journal, "chips").to_json()
    assert [(row["what"], row["due"]) for row in chips["rows"]] == [
        ("received: from the maker", "150000"),
        ("to the table, at its first count", "122700"),
        ("fill 1", "117700"),
        ("credit 2", "119700"),
        ("credit 3", "121987.50"),
        ("bank counted", "121987.50"),
    ]
    assert chips["notes"] == ["Issued 150000 = bank 121987.50 + floats 28012.50 + with players 0."]
    balance = {row["what"]: row["amount"] for row in evening.rows("balance")}
    assert (balance["paid in"], balance["paid out"], balance["left with the house"]) == ("4500", "-3087.50", "1412.50")
    held = (balance["in wallets"], balance["chips in play"], balance["won by the house"], balance["difference"])
    assert held == ("1000", "0", "412.50", "0")
    assert not [
        row for name in ("cage", "tables", "chips") for row in evening.rows(name) if row["look"].startswith("look")
    ]
    evening.verified()


def test_a_rating_is_what_the_very_bets_cost(evening: Evening) -> None:
    """42 line bets of 10, 30 with odds of 20, 36 places of 12 on six, 6 any seven of 5: 577/33, 17.48 on the page."""
    evening.done(evening.at_cage(cage.OpenDrawer({10_000: 200}, "cob")))
    evening.done(evening.at_cage(cage.PayIn("Bob", 200_000, "to play", second="sue")))
    evening.plays("Bob", c.Sit(2, "Bob", 200_000))
    for hand in (*repeat("odds", 30), *repeat("", 6), *repeat("seven", 6)):
        evening.plays("Bob", c.Bet(2, "pass", 1_000))
        if hand == "seven":
            evening.plays("Bob", c.Bet(2, "any_seven", 500))
            evening.rolled(Roll(1, 1))
            continue
        evening.rolled(Roll(3, 1))
        if hand == "odds":
            evening.plays("Bob", c.Bet(2, "pass_odds", 2_000))
        evening.plays("Bob", c.Bet(2, "place_6", 1_200))
        evening.rolled(Roll(4, 3))
    evening.clock.goes_on(minutes=85)
    evening.plays("Bob", c.Leave(2))
    rater = Ratings(evening.money.layout)
    for moment in Scope(evening.journal, ("craps",)).moments("craps"):
        rater.see(moment)
    bob = rater.players["bob"]
    assert bob.theoretical == Fraction(577, 33) * 100
    assert (bob.handle, bob.decisions, bob.minutes) == (148_200, 114, 85)
    (row,) = evening.rows("ratings")
    assert (row["theoretical"], row["comps"], row["handle"]) == ("17.48", "3.50", "1482")
    seen = Fraction(42 * 1_000 + 6 * 500 + 36 * (1_000 + 1_200) + 30 * 2_000, 78)
    assert row["average_up"] == f"{float(seen) / 100:.2f}"
    assert row["on_paper"] == f"{float(on_paper(CageHabits(), seen, 85)) / 100:.2f}"
    assert Fraction(row["on_paper"]) > Fraction(row["theoretical"]), "odds and rolls that decide nothing are rated too"


def test_a_rater_who_saw_42_up_is_over_by_three_times() -> None:
    """The trade's own figures: 42.00 x 60 x 85/60 x 1.5 % is 53.55, and a fifth of it 10.71."""
    paper = on_paper(CageHabits(), Fraction(4_200), 85)
    assert paper == 5_355
    assert round(paper * Fraction(CageHabits().comp_percent, 100)) == 1_071
