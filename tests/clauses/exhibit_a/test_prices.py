"""Payout odds: what every winning wager is paid, to the chip."""

from __future__ import annotations

import pytest

from passline.engine.events import WagerWon
from passline.engine.kinds import Split
from tests.clauses.exhibit_a.felt import EXHIBIT_A, dealt, net
from tests.clauses.table_helpers import THROWS, case, gain, only
from tests.tables import cases

P6, P8 = "roll 5-1", "roll 5-3"


@pytest.mark.parametrize(
    ("clause", "wager", "lines", "paid"),
    [
        case("exhibit-a:payout(1).pass", "pass", ("{bet}", "roll 6-5"), (10, 10, "1 to 1")),
        case("exhibit-a:payout(1).pass", "pass", ("{bet}", P8, "roll 4-4"), (10, 10, "1 to 1")),
        case("exhibit-a:payout(1).dont-pass", "dont_pass", ("{bet}", "roll 1-1"), (10, 10, "1 to 1")),
        case("exhibit-a:payout(1).dont-pass", "dont_pass", ("{bet}", P8, "roll 6-1"), (10, 10, "1 to 1")),
        case("exhibit-a:payout(1).come", "come", (P8, "{bet}", "roll 6-5"), (10, 10, "1 to 1")),
        case("exhibit-a:payout(1).dont-come", "dont_come", (P8, "{bet}", "roll 1-2"), (10, 10, "1 to 1")),
        case("exhibit-a:payout(1).place-4", "place_4", (P8, "{bet}", "roll 3-1"), (4, 7, "7 to 4")),
        case("exhibit-a:payout(1).place-5", "place_5", (P8, "{bet}", "roll 3-2"), (4, 5, "5 to 4")),
        case("exhibit-a:payout(1).place-6", "place_6", (P8, "{bet}", "roll 5-1"), (6, 6, "1 to 1")),
        case("exhibit-a:payout(1).place-8", "place_8", (P6, "{bet}", "roll 5-3"), (6, 6, "1 to 1")),
        case("exhibit-a:payout(1).place-9", "place_9", (P6, "{bet}", "roll 5-4"), (4, 5, "5 to 4")),
        case("exhibit-a:payout(1).place-10", "place_10", (P6, "{bet}", "roll 6-4"), (4, 7, "7 to 4")),
        case("exhibit-a:payout(1).hard-4", "hard_4", (P8, "{bet}", "roll 2-2"), (5, 35, "7 to 1")),
        case("exhibit-a:payout(1).hard-6", "hard_6", (P8, "{bet}", "roll 3-3"), (5, 45, "9 to 1")),
        case("exhibit-a:payout(1).hard-8", "hard_8", (P6, "{bet}", "roll 4-4"), (5, 45, "9 to 1")),
        case("exhibit-a:payout(1).hard-10", "hard_10", (P8, "{bet}", "roll 5-5"), (5, 35, "7 to 1")),
        case("exhibit-a:payout(1).field-single", "field", ("{bet}", "roll 1-2"), (10, 10, "1 to 1")),
        case("exhibit-a:payout(1).field-single", "field", ("{bet}", "roll 3-1"), (10, 10, "1 to 1")),
        case("exhibit-a:payout(1).field-single", "field", ("{bet}", "roll 5-4"), (10, 10, "1 to 1")),
        case("exhibit-a:payout(1).field-single", "field", ("{bet}", "roll 6-4"), (10, 10, "1 to 1")),
        case("exhibit-a:payout(1).field-single", "field", ("{bet}", "roll 6-5"), (10, 10, "1 to 1")),
        case("exhibit-a:payout(1).field-2", "field", ("{bet}", "roll 1-1"), (10, 20, "2 to 1")),
        case("exhibit-a:payout(1).field-12", "field", ("{bet}", "roll 6-6"), (10, 20, "2 to 1")),
        case("exhibit-a:payout(1).any-seven", "any_seven", ("{bet}", "roll 5-2"), (5, 20, "4 to 1")),
        case("exhibit-a:payout(1).any-craps", "any_craps", ("{bet}", "roll 1-1"), (5, 35, "7 to 1")),
        case("exhibit-a:payout(1).any-craps", "any_craps", ("{bet}", "roll 1-2"), (5, 35, "7 to 1")),
        case("exhibit-a:payout(1).any-craps", "any_craps", ("{bet}", "roll 6-6"), (5, 35, "7 to 1")),
        case("exhibit-a:payout(1).craps-2", "craps_2", ("{bet}", "roll 1-1"), (1, 30, "30 to 1")),
        case("exhibit-a:payout(1).craps-3", "craps_3", ("{bet}", "roll 1-2"), (1, 15, "15 to 1")),
        case("exhibit-a:payout(1).craps-12", "craps_12", ("{bet}", "roll 6-6"), (1, 30, "30 to 1")),
        case("exhibit-a:payout(1).eleven", "eleven", ("{bet}", "roll 6-5"), (1, 15, "15 to 1")),
    ],
)
@pytest.mark.parametrize("times", [1, 7])
def test_a_winner_is_paid_as_listed(
    clause: str, wager: str, lines: tuple[str, ...], paid: tuple[int, int, str], times: int
) -> None:
    """Stake, win and price: one unit and seven are paid so, by this clause."""
    stake, win, price = paid
    bet = f"bet {wager} {stake * times}"
    table, events = dealt(*(line.format(bet=bet) for line in lines))
    won = only(events, WagerWon, seat=1)
    assert (won.won, str(won.price), won.clause, won.rounding) == (win * times * 100, price, clause, None)
    assert gain(table) == win * times


@pytest.mark.parametrize(
    ("clause", "kind", "throw"),
    [case("exhibit-a:payout(1).come", "come", "4-2"), case("exhibit-a:payout(1).dont-come", "dont_come", "6-1")],
)
def test_a_come_bet_on_its_point_is_paid_even_money(clause: str, kind: str, throw: str) -> None:
    """The price is the same on the first roll and on the come point."""
    table, events = dealt(P8, f"bet {kind} 10", P6, f"roll {throw}")
    paid = only(events, WagerWon, wager=f"{kind}_6")
    assert (paid.won, paid.clause, gain(table)) == (10_00, clause, 10)


# --- Splits ---------------------------------------------------------------------------------------------------------

UNITS = {2: "craps_2", 3: "craps_3", 11: "eleven", 12: "craps_12"}


@pytest.mark.clause("exhibit-a:payout(2)")
@cases("throw", THROWS)
@cases("high", [None, 2, 3, 11, 12])
def test_horn_and_horn_high_are_paid_as_separate_wagers(throw: str, high: int | None) -> None:
    """All 36 throws: one bet comes to what four bets on 2, 3, 11 and 12 come to, chip for chip."""
    together = "bet horn 4" if high is None else f"bet horn_high_{high} 5"
    apart = [f"bet {wager} {2 if number == high else 1}" for number, wager in UNITS.items()]
    assert net(together, f"roll {throw}") == net(*apart, f"roll {throw}")


@pytest.mark.clause("exhibit-a:payout(2)")
@pytest.mark.parametrize(
    ("bet", "throw", "change"),
    [("horn 4", "6-6", 27), ("horn 4", "6-5", 12), ("horn_high_12 5", "6-6", 57), ("horn_high_12 5", "1-1", 26)],
)
def test_the_other_units_of_a_horn_are_lost(bet: str, throw: str, change: int) -> None:
    """30 less 3, 15 less 3, 60 less 3, 30 less 4: the part that wins is paid, the others go."""
    table, events = dealt(f"bet {bet}", f"roll {throw}")
    paid = only(events, WagerWon, seat=1)
    assert gain(table) == change == (paid.won - paid.lost) // 100
    assert paid.returned + paid.lost == paid.stake
    terms = EXHIBIT_A.spots["horn"].rule.terms
    assert isinstance(terms, Split)
    assert terms.parts.clause == "exhibit-a:payout(2)"


@pytest.mark.clause("exhibit-a:payout(3)")
@pytest.mark.parametrize("throw", THROWS)
def test_craps_eleven_is_paid_as_half_any_craps_and_half_eleven(throw: str) -> None:
    """All 36 throws: $2 comes to what $1 on Any Craps and $1 on Eleven come to; on 3 that is +$6, on 11 +$14."""
    change = net("bet craps_eleven 2", f"roll {throw}")
    assert change == net("bet any_craps 1", "bet eleven 1", f"roll {throw}")
    assert change == {2: 6, 3: 6, 12: 6, 11: 14}.get(sum(map(int, throw.split("-"))), -2)


@pytest.mark.clause("exhibit-a:payout(3)")
def test_craps_eleven_is_cited_as_two_halves() -> None:
    """The house file takes its two parts from the payout rule."""
    terms = EXHIBIT_A.spots["craps_eleven"].rule.terms
    assert isinstance(terms, Split)
    assert (dict(terms.parts.value), terms.parts.clause) == ({"any_craps": 1, "eleven": 1}, "exhibit-a:payout(3)")
