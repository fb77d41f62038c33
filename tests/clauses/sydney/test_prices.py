"""Part 8: what every wager is paid, no more and no less."""

from __future__ import annotations

from fractions import Fraction

import pytest

from passline.engine.events import WagerUp, WagerWon
from tests.clauses.sydney.felt import HALVES, MADE, POINTS, SYDNEY, at, dealt
from tests.clauses.table_helpers import BUY_IN, THROWS, case, every, gain, only, play, refused, total, up

Lines = tuple[str, ...]
Points = tuple[int, ...]

# --- Line and odds --------------------------------------------------------------------------------------------------

FLAT = [
    case("sydney:8.1.win-line", ("bet pass 10", "roll 6-5"), "pass"),
    case("sydney:8.1.win-line", ("bet pass 10", "roll 5-4", "roll 6-3"), "pass"),
    case("sydney:8.1.dont-win", ("bet dont_pass 10", "roll 6-6"), "dont_pass"),
    case("sydney:8.1.dont-win", ("bet dont_pass 10", "roll 5-4", "roll 6-1"), "dont_pass"),
    case("sydney:8.1.come", ("roll 5-3", "bet come 10", "roll 6-5"), "come"),
    case("sydney:8.1.come", ("roll 5-3", "bet come 10", "roll 5-4", "roll 6-3"), "come_9"),
    case("sydney:8.1.dont-come", ("roll 5-3", "bet dont_come 10", "roll 1-2"), "dont_come"),
    case("sydney:8.1.dont-come", ("roll 5-3", "bet dont_come 10", "roll 5-4", "roll 6-1"), "dont_come_9"),
]


@pytest.mark.parametrize(("clause", "lines", "wager"), FLAT)
def test_flat_wagers_pay_even_money(clause: str, lines: Lines, wager: str) -> None:
    """Ten wins ten, by the price of that wager, and the stake comes back with it."""
    table, events = dealt(*lines)
    won = only(events, WagerWon, wager=wager, seat=1)
    assert (won.won, str(won.price), won.rounding, won.clause) == (1000, "1 to 1", None, clause)
    assert table.rail(1) == BUY_IN + 10


ODDS = [
    case("sydney:8.1.behind-win-6-8", "pass", (10, 12), "6 to 5", (6, 8)),
    case("sydney:8.1.behind-win-5-9", "pass", (10, 15), "3 to 2", (5, 9)),
    case("sydney:8.1.behind-win-4-10", "pass", (10, 20), "2 to 1", (4, 10)),
    case("sydney:8.1.behind-dont-win-6-8", "dont_pass", (12, 10), "5 to 6", (6, 8)),
    case("sydney:8.1.behind-dont-win-5-9", "dont_pass", (15, 10), "2 to 3", (5, 9)),
    case("sydney:8.1.behind-dont-win-4-10", "dont_pass", (20, 10), "1 to 2", (4, 10)),
    case("sydney:8.1.behind-come-6-8", "come", (10, 12), "6 to 5", (6, 8)),
    case("sydney:8.1.behind-come-5-9", "come", (10, 15), "3 to 2", (5, 9)),
    case("sydney:8.1.behind-come-4-10", "come", (10, 20), "2 to 1", (4, 10)),
    case("sydney:8.1.behind-dont-come-6-8", "dont_come", (12, 10), "5 to 6", (6, 8)),
    case("sydney:8.1.behind-dont-come-5-9", "dont_come", (15, 10), "2 to 3", (5, 9)),
    case("sydney:8.1.behind-dont-come-4-10", "dont_come", (20, 10), "1 to 2", (4, 10)),
]


@pytest.mark.parametrize(("clause", "flat", "amounts", "price", "points"), ODDS)
def test_odds_pay_true_odds_by_their_point(
    clause: str, flat: str, amounts: tuple[int, int], price: str, points: Points
) -> None:
    """Behind a flat wager of 10, this much wins that much at this very price on either of the two points."""
    stake, win = amounts
    for point in points:
        end = MADE[7] if flat.startswith("dont") else MADE[point]
        puck: Lines = ()
        odds = f"{flat}_odds"
        if flat.endswith("come"):
            puck, odds = (f"roll {MADE[5 if point != 5 else 9]}",), f"{flat}_odds_{point}"
        lines = (*puck, f"bet {flat} 10", f"roll {MADE[point]}", f"bet {odds} {stake}")
        table, events = dealt(*lines, f"roll {end}")
        won = only(events, WagerWon, wager=odds)
        assert (won.won, str(won.price), won.rounding, won.clause) == (win * 100, price, None, clause)
        assert (gain(table), up(table)) == (10 + win, {})


# --- Numbers, hardways, one roll ------------------------------------------------------------------------------------

PRICES = [
    case("sydney:8.1.hard-4", "hard_4", 2, "2-2", 15),
    case("sydney:8.1.hard-6", "hard_6", 2, "3-3", 19),
    case("sydney:8.1.hard-8", "hard_8", 2, "4-4", 19),
    case("sydney:8.1.hard-10", "hard_10", 2, "5-5", 15),
    case("sydney:8.1.place-4", "place_4", 5, "3-1", 9),
    case("sydney:8.1.place-5", "place_5", 5, "3-2", 7),
    case("sydney:8.1.place-6", "place_6", 6, "5-1", 7),
    case("sydney:8.1.place-8", "place_8", 6, "5-3", 7),
    case("sydney:8.1.place-9", "place_9", 5, "5-4", 7),
    case("sydney:8.1.place-10", "place_10", 5, "6-4", 9),
    case("sydney:8.1.place-lose-4", "place_lose_4", 11, "6-1", 5),
    case("sydney:8.1.place-lose-5", "place_lose_5", 8, "6-1", 5),
    case("sydney:8.1.place-lose-6", "place_lose_6", 5, "6-1", 4),
    case("sydney:8.1.place-lose-8", "place_lose_8", 5, "6-1", 4),
    case("sydney:8.1.place-lose-9", "place_lose_9", 8, "6-1", 5),
    case("sydney:8.1.place-lose-10", "place_lose_10", 11, "6-1", 5),
    case("sydney:8.1.any-craps", "any_craps", 2, "1-2", 15),
    case("sydney:8.1.any-craps", "any_craps", 2, "1-1", 15),
    case("sydney:8.1.any-craps", "any_craps", 2, "6-6", 15),
    case("sydney:8.1.craps-2", "craps_2", 1, "1-1", 33),
    case("sydney:8.1.craps-3", "craps_3", 1, "1-2", 16),
    case("sydney:8.1.craps-12", "craps_12", 1, "6-6", 33),
    case("sydney:8.1.eleven", "eleven", 1, "6-5", 16),
    case("sydney:8.1.any-seven", "any_seven", 5, "5-2", 20),
    case("sydney:8.1.field-single", "field", 10, "2-1", 10),
    case("sydney:8.1.field-single", "field", 10, "3-1", 10),
    case("sydney:8.1.field-single", "field", 10, "5-4", 10),
    case("sydney:8.1.field-single", "field", 10, "6-4", 10),
    case("sydney:8.1.field-single", "field", 10, "6-5", 10),
    case("sydney:8.1.field-double", "field", 10, "1-1", 20),
    case("sydney:8.1.field-double", "field", 10, "6-6", 20),
    case("sydney:8.1.big-6", "big_6", 5, "4-2", 5),
    case("sydney:8.1.big-8", "big_8", 5, "6-2", 5),
]


@pytest.mark.parametrize(("clause", "wager", "stake", "throw", "win"), PRICES)
def test_the_price_of_a_wager(clause: str, wager: str, stake: int, throw: str, win: int) -> None:
    """With a point on, this stake wins so much on this throw, and the payment rests on this clause."""
    puck = 5 if total(throw) != 5 else 9
    table, events = dealt(f"roll {MADE[puck]}", f"bet {wager} {stake}", f"roll {throw}")
    won = only(events, WagerWon, wager=wager)
    assert (won.won, won.rounding, won.clause) == (win * 100, None, clause)
    assert gain(table) == win


TRUE_ODDS = [
    case("sydney:8.1.buy-4", "buy_4", 20, "3-1", 40),
    case("sydney:8.1.buy-5", "buy_5", 20, "3-2", 30),
    case("sydney:8.1.buy-6", "buy_6", 20, "5-1", 24),
    case("sydney:8.1.buy-8", "buy_8", 20, "5-3", 24),
    case("sydney:8.1.buy-9", "buy_9", 20, "5-4", 30),
    case("sydney:8.1.buy-10", "buy_10", 20, "6-4", 40),
    case("sydney:8.1.lay-4", "lay_4", 40, "6-1", 20),
    case("sydney:8.1.lay-5", "lay_5", 30, "6-1", 20),
    case("sydney:8.1.lay-6", "lay_6", 24, "6-1", 20),
    case("sydney:8.1.lay-8", "lay_8", 24, "6-1", 20),
    case("sydney:8.1.lay-9", "lay_9", 30, "6-1", 20),
    case("sydney:8.1.lay-10", "lay_10", 40, "6-1", 20),
]


@pytest.mark.parametrize(("clause", "wager", "stake", "throw", "win"), TRUE_ODDS)
def test_buy_and_lay_pay_true_odds_less_one_commission(
    clause: str, wager: str, stake: int, throw: str, win: int
) -> None:
    """The win is at true odds; one decision costs 1 of commission, paid when the wager goes up."""
    puck = 5 if total(throw) != 5 else 9
    table, events = dealt(f"roll {MADE[puck]}", f"bet {wager} {stake}")
    assert only(events, WagerUp).commission == 100
    won = only(play(table, f"roll {throw}"), WagerWon, wager=wager)
    assert (won.won, won.rounding, won.clause) == (win * 100, None, clause)
    play(table, f"take {wager}")
    assert table.rail(1) == BUY_IN + win - 1


# --- Splits ---------------------------------------------------------------------------------------------------------


@pytest.mark.clause("sydney:8.1.horn")
@pytest.mark.parametrize(
    ("wager", "stake", "number", "result", "part"),
    [
        ("horn", 4, 2, 30, "craps-2"),
        ("horn", 4, 3, 13, "craps-3"),
        ("horn", 4, 11, 13, "eleven"),
        ("horn", 4, 12, 30, "craps-12"),
        ("horn_high_2", 5, 2, 63, "craps-2"),
        ("horn_high_3", 5, 3, 29, "craps-3"),
        ("horn_high_3", 5, 12, 29, "craps-12"),
        ("horn_high_11", 5, 11, 29, "eleven"),
        ("horn_high_12", 5, 3, 12, "craps-3"),
    ],
)
def test_horns_are_paid_as_separate_wagers(wager: str, stake: int, number: int, result: int, part: str) -> None:
    """Each quarter of a Horn is a Craps Two, Three, Twelve or Eleven, at that wager's price; the rest is lost."""
    table, events = dealt(f"bet {wager} {stake}", f"roll {MADE[number]}")
    assert gain(table) == result
    assert only(events, WagerWon, wager=wager).clause == f"sydney:8.1.{part}"
    parts = [f"bet {key} {2 if key == _high(wager) else 1}" for key in ("craps_2", "craps_3", "eleven", "craps_12")]
    apart, _ = dealt(*parts, f"roll {MADE[number]}")
    assert gain(apart) == result


def _high(wager: str) -> str:
    return {"2": "craps_2", "3": "craps_3", "11": "eleven", "12": "craps_12"}.get(wager.rpartition("_")[2], "")


@pytest.mark.parametrize(
    ("clause", "throws", "result"),
    [
        case("sydney:8.1.crap-eleven-craps", ("1-1", "1-2", "6-6"), 13),
        case("sydney:8.1.crap-eleven-11", ("6-5", "5-6"), 30),
    ],
)
def test_crap_eleven_pays_by_what_won_it(clause: str, throws: tuple[str, ...], result: int) -> None:
    """Four on Crap-Eleven: craps win 7.5 to 1 on two, less the other two; eleven wins 16 to 1 on two, less two."""
    for throw in throws:
        table, events = dealt("bet craps_eleven 4", f"roll {throw}")
        assert gain(table) == result
        assert only(events, WagerWon, seat=1).clause == clause


@pytest.mark.clause("sydney:8.1.crap-eleven-half")
@pytest.mark.parametrize("throw", ["1-1", "6-5"])
def test_half_of_a_crap_eleven_wins_and_half_is_lost(throw: str) -> None:
    """Of four, two win and come back with the winnings, and two are lost."""
    _, events = dealt("bet craps_eleven 4", f"roll {throw}")
    won = only(events, WagerWon, wager="craps_eleven")
    assert (won.returned, won.lost) == (200, 200)


@pytest.mark.clause("sydney:8.1.crap-eleven-half")
def test_a_crap_eleven_needs_two_halves() -> None:
    """Three dollars in whole dollars cannot be halved; with half dollars they can."""
    assert refused(at(), "bet craps_eleven 3").code == "bet.indivisible"
    halved, _ = dealt("bet craps_eleven 3", "roll 6-5", chips=HALVES)
    assert gain(halved) == Fraction(45, 2)


# --- The whole list -------------------------------------------------------------------------------------------------

TO_ONE = {
    "craps_2": {2: "33"}, "craps_3": {3: "16"}, "craps_12": {12: "33"}, "eleven": {11: "16"},
    "any_craps": {2: "15/2", 3: "15/2", 12: "15/2"}, "any_seven": {7: "4"},
    "field": {2: "2", 3: "1", 4: "1", 9: "1", 10: "1", 11: "1", 12: "2"},
    "place_4": {4: "9/5"}, "place_5": {5: "7/5"}, "place_6": {6: "7/6"},
    "place_8": {8: "7/6"}, "place_9": {9: "7/5"}, "place_10": {10: "9/5"},
    "place_lose_4": {7: "5/11"}, "place_lose_5": {7: "5/8"}, "place_lose_6": {7: "4/5"},
    "place_lose_8": {7: "4/5"}, "place_lose_9": {7: "5/8"}, "place_lose_10": {7: "5/11"},
    "buy_4": {4: "2"}, "buy_5": {5: "3/2"}, "buy_6": {6: "6/5"},
    "buy_8": {8: "6/5"}, "buy_9": {9: "3/2"}, "buy_10": {10: "2"},
    "lay_4": {7: "1/2"}, "lay_5": {7: "2/3"}, "lay_6": {7: "5/6"},
    "lay_8": {7: "5/6"}, "lay_9": {7: "2/3"}, "lay_10": {7: "1/2"},
    "big_6": {6: "1"}, "big_8": {8: "1"},
    "hard_4": {4: "15/2"}, "hard_6": {6: "19/2"}, "hard_8": {8: "19/2"}, "hard_10": {10: "15/2"},
}  # fmt: skip
"""The list of part 8, but for flat wagers, odds and splits: what one unit wins on each total that wins."""


@pytest.mark.clause("sydney:8.1")
@pytest.mark.parametrize("wager", TO_ONE)
def test_winners_are_paid_exactly_by_the_list(wager: str) -> None:
    """On every throw a wager is paid what the list says, not a cent more or less, and nothing is paid off the list."""
    stake = 26_400  # cents; every price of the list divides it
    for throw in THROWS:
        puck = next(point for point in POINTS if point not in (total(throw), SYDNEY.spots[wager].number))
        _, events = dealt(f"roll {MADE[puck]}", f"bet {wager} 264", f"roll {throw}", chips=("0.01", 1, 5))
        hard = not wager.startswith("hard") or throw[0] == throw[2]
        listed = TO_ONE[wager].get(total(throw)) if hard else None
        paid = [event.won for event in every(events, WagerWon, seat=1)]
        assert paid == ([Fraction(listed) * stake] if listed else [])


@pytest.mark.clause("sydney:8.1")
def test_no_one_may_pay_more_than_the_list() -> None:
    """The house has no discretion over its prices."""
    overrides = SYDNEY.book.money.price_overrides
    assert (overrides.value, overrides.clause) == ("none", "sydney:8.1")
