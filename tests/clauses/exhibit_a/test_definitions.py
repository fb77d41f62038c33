"""The title, the three defined terms, and the list of wagers that may be made."""

from __future__ import annotations

import pytest

from passline.engine.events import DiceThrown, PuckTurned, WagerTravelled, WagerWon
from passline.engine.values import ClauseId
from passline.telling.card import card_json
from tests.clauses.exhibit_a.felt import EXHIBIT_A, POINTS, at, dealt, net
from tests.clauses.table_helpers import THROWS, every, gain, only, play, refused, total, up
from tests.tables import cases

# --- The book about itself ------------------------------------------------------------------------------------------


@pytest.mark.clause("exhibit-a:TITLE")
@pytest.mark.parametrize(
    ("fact", "says"),
    [("title", "Exhibit A - Craps - 12 034 - Game Procedures"), ("game", "Craps"), ("number", "12 034")],
)
def test_the_card_shows_the_title(fact: str, says: str) -> None:
    """The rule card names the document, its number and its game."""
    assert card_json(EXHIBIT_A.layout)["habits"][f"about.{fact}"] == {"value": says, "clause": "exhibit-a:TITLE"}


@pytest.mark.clause("exhibit-a:definitions")
def test_three_terms_are_defined_and_no_more() -> None:
    """Come-out point, come-out roll and come point; each leads to a clause that explains it."""
    terms = EXHIBIT_A.book.about["terms"]
    assert (terms.value, terms.clause) == (("come-out point", "come-out roll", "come point"), "exhibit-a:definitions")
    explained = ("definitions(i)", "definitions(ii).1", "definitions(iii)")
    assert isinstance(terms.value, tuple)
    for term, clause in zip(terms.value, explained, strict=True):
        assert term in EXHIBIT_A.clause(clause).sentence.lower()


# --- Come-out rolls and points --------------------------------------------------------------------------------------


@pytest.mark.clause("exhibit-a:definitions(i)")
@pytest.mark.parametrize("throw", THROWS)
def test_a_come_out_point_is_a_box_number_on_the_come_out(throw: str) -> None:
    """4, 5, 6, 8, 9 and 10 become the point; any other total leaves the puck off."""
    table, events = dealt(f"roll {throw}")
    point = total(throw) if total(throw) in POINTS else None
    assert table.puck == point
    assert every(events, PuckTurned) == ([PuckTurned(point, ClauseId("exhibit-a:definitions(i)"))] if point else [])


@pytest.mark.clause("exhibit-a:definitions(ii).1")
def test_the_first_roll_is_a_come_out() -> None:
    """A table opens without a point: the first roll that counts pays Pass on 7, or sets the point."""
    _, events = dealt("bet pass 10", "roll 4-3")
    assert only(events, DiceThrown).puck == 0
    assert only(events, WagerWon, wager="pass").rule == "exhibit-a:wagers(i)(A)(1)"
    _, events = dealt("bet pass 10", "throw 5-4 stacked", "roll 6-3")
    assert (only(events, DiceThrown).puck, only(events, PuckTurned).to) == (0, 9)


@pytest.mark.clause("exhibit-a:definitions(ii).2")
@pytest.mark.parametrize(
    "decided",
    [("roll 4-3",), ("roll 6-5",), ("roll 1-1",), ("roll 6-6",), ("roll 5-4", "roll 6-3"), ("roll 5-4", "roll 6-1")],
    ids=["natural 7", "natural 11", "craps 2", "the barred 12", "point made", "7 out"],
)
def test_the_roll_after_the_line_is_decided_is_a_come_out(decided: tuple[str, ...]) -> None:
    """The next 7 is a come-out 7 and pays Pass, and the next box number is a new point."""
    table, events = dealt("2 bet pass 10", "2 bet dont_pass 10", *decided, "bet pass 10", "roll 5-2")
    assert (only(events, DiceThrown).puck, gain(table)) == (0, 10)
    table, _ = dealt("2 bet pass 10", "2 bet dont_pass 10", *decided, "bet pass 10", "roll 3-1")
    assert table.puck == 4


@pytest.mark.clause("exhibit-a:definitions(ii).2")
def test_a_roll_that_decides_no_line_bet_starts_no_new_round() -> None:
    """With the point 9 on, a 4 sets no point and an 11 pays no Pass."""
    table, events = dealt("bet pass 10", "roll 5-4", "roll 2-2")
    assert (table.puck, every(events, PuckTurned)) == (9, [])
    assert net("bet pass 10", "roll 5-4", "roll 6-5") == 0


@pytest.mark.clause("exhibit-a:definitions(iii)")
@cases("kind", ["come", "dont_come"])
@cases("throw", THROWS)
def test_a_come_point_is_the_box_number_rolled_next(kind: str, throw: str) -> None:
    """Point 9: the roll after a Come or Don't Come gives it its own point, the 9 included, or gives it none."""
    table, events = dealt("roll 5-4", f"bet {kind} 10", f"roll {throw}")
    if total(throw) in POINTS:
        moved = only(events, WagerTravelled)
        assert (moved.to, moved.clause) == (f"{kind}_{total(throw)}", "exhibit-a:definitions(iii)")
        assert up(table) == {f"{kind}_{total(throw)}": 10}
    else:
        assert every(events, WagerTravelled) == []


# --- What may be bet ------------------------------------------------------------------------------------------------

SEVENTEEN = (
    *(["pass"], ["dont_pass"], ["come"], ["dont_come"]),
    [f"place_{number}" for number in POINTS],
    *(["hard_4"], ["hard_6"], ["hard_8"], ["hard_10"]),
    *(["field"], ["any_seven"], ["any_craps"], ["eleven"], ["craps_eleven"], ["horn"]),
    [f"horn_high_{number}" for number in (2, 3, 11, 12)],
    ["world"],
)
"""The keys of each wager of the list, (i) to (xvii)."""

PRICED = {"craps_2", "craps_3", "craps_12"}
"""In the table of odds though not in the list: booked (E-02)."""

SUPPLEMENTAL = {
    *("pass_odds", "dont_pass_odds"),
    *(f"{kind}_odds_{number}" for kind in ("come", "dont_come") for number in POINTS),
}


@pytest.mark.clause("exhibit-a:wagers")
def test_seventeen_wagers_may_be_made() -> None:
    """The list, the three priced craps numbers and the supplemental bets are booked, and nothing else."""
    assert len(SEVENTEEN) == 17
    listed = {key for wager in SEVENTEEN for key in wager}
    assert {spot.key for spot in EXHIBIT_A.wagers} == listed | PRICED | SUPPLEMENTAL
    for key in sorted(listed | PRICED):
        table, _ = dealt(*(["roll 5-4"] if key in ("come", "dont_come") else []))
        play(table, f"bet {key} 20")
        assert up(table) == {key: 20}


@pytest.mark.clause("exhibit-a:wagers")
@pytest.mark.parametrize(
    "wager", ["place_lose_4", "lay_4", "big_6", "big_8", "hop_hard_6", "hop_6_5", "fire", "all_small", "make_em_all"]
)
def test_a_wager_that_is_not_in_the_list_is_refused(wager: str) -> None:
    """Bets against a number, Big 6 and 8, hops and side bets are no wagers here, with the puck on or off."""
    for table in (at("bet pass 10"), at("bet pass 10", "roll 5-4")):
        no = refused(table, f"bet {wager} 20")
        assert (no.code, no.clause) == ("wager.not_offered", "exhibit-a:wagers")


@pytest.mark.clause("exhibit-a:wagers")
@pytest.mark.parametrize("number", POINTS)
def test_a_buy_bet_is_named_in_passing_but_not_listed(number: int) -> None:
    """Buy bets have neither a place in the list nor a price: they are refused (E-01)."""
    no = refused(at("bet pass 10", "roll 5-4"), f"bet buy_{number} 20")
    assert (no.code, no.clause) == ("wager.not_offered", "E-01")
