"""What makes the game crapless: ten points, a come-out that cannot lose, and what the new numbers pay."""

from __future__ import annotations

import pytest

from passline.engine.events import PuckTurned, WagerUp, WagerWon
from tests.clauses.felt import MADE, Felt, another
from tests.clauses.table_helpers import THROWS, case, every, gain, only, play, refused, ruling, total, up

FELT = Felt("crapless")
at, dealt, net = FELT.at, FELT.dealt, FELT.net
BOOK = FELT.house.book

POINTS = (2, 3, 4, 5, 6, 8, 9, 10, 11, 12)
WAYS = {2: 1, 3: 2, 4: 3, 5: 4, 6: 5, 8: 5, 9: 4, 10: 3, 11: 2, 12: 1}
TRUE = {2: "6 to 1", 3: "3 to 1", 4: "2 to 1", 5: "3 to 2", 6: "6 to 5", 8: "6 to 5", 9: "3 to 2", 10: "2 to 1",
        11: "3 to 1", 12: "6 to 1"}  # fmt: skip
PLACED = {2: "11 to 2", 3: "11 to 4", 4: "9 to 5", 5: "7 to 5", 6: "7 to 6", 8: "7 to 6", 9: "7 to 5", 10: "9 to 5",
          11: "11 to 4", 12: "11 to 2"}  # fmt: skip
SEVEN = "roll 6-1"


@pytest.mark.clause("crapless:line.point")
@pytest.mark.parametrize("throw", THROWS)
def test_every_total_but_seven_is_a_point(throw: str) -> None:
    """The puck turns on ten totals."""
    events = play(at("bet pass 10"), f"roll {throw}")
    turned = [(event.to, event.clause) for event in every(events, PuckTurned)]
    assert turned == ([(total(throw), "crapless:line.point")] if total(throw) != 7 else [])


@pytest.mark.clause("crapless:line.pass-natural", "crapless:line.no-craps")
@pytest.mark.parametrize("wager", ["pass", "come"])
def test_the_first_roll_wins_on_seven_and_never_loses(wager: str) -> None:
    """A seven pays even money; on everything else the bet has a point."""
    before = () if wager == "pass" else (another(6),)
    for throw in THROWS:
        table, events = dealt(*before, f"bet {wager} 10", f"roll {throw}")
        if total(throw) == 7:
            assert (gain(table), ruling(events, wager)) == (10, "crapless:line.pass-natural")
        else:
            assert gain(table) == 0
            assert list(up(table).values()) == [10]
    rule = FELT.house.spots[wager].rule.terms
    assert (rule.loses.value, rule.loses.clause) == ((), "crapless:line.no-craps")  # type: ignore[union-attr]


@pytest.mark.clause("crapless:line.pass-point", "crapless:line.pass-seven", "crapless:line.even")
@pytest.mark.parametrize("point", POINTS)
@pytest.mark.parametrize("wager", ["pass", "come"])
def test_a_point_against_a_seven(wager: str, point: int) -> None:
    """On every point, whatever else comes first."""
    before = () if wager == "pass" else (another(point),)
    lines = (*before, f"bet {wager} 10", f"roll {MADE[point]}")
    key = wager if wager == "pass" else f"come_{point}"
    table, events = dealt(*lines, f"roll {MADE[point]}")
    assert (gain(table), ruling(events, key)) == (10, "crapless:line.pass-point")
    won = only(events, WagerWon, wager=key, seat=1)
    assert (str(won.price), won.rounding, won.clause) == ("1 to 1", None, "crapless:line.even")
    table, events = dealt(*lines, SEVEN)
    assert (gain(table), ruling(events, key)) == (-10, "crapless:line.pass-seven")


@pytest.mark.clause("crapless:line.made", "crapless:line.come")
def test_when_the_flat_bets_are_made() -> None:
    """Pass Line before a come-out, Come with a point on; a come bet travels to each of the ten points."""
    assert only(dealt("bet pass 10")[1], WagerUp).clause == "crapless:line.made"
    assert refused(at(), "bet come 10").clause == "crapless:line.come"
    assert only(dealt("roll 6-6", "bet come 10")[1], WagerUp).clause == "crapless:line.come"
    for point in POINTS:
        table, _ = dealt(another(point), "bet come 10", f"roll {MADE[point]}")
        assert up(table) == {f"come_{point}": 10}


@pytest.mark.clause("crapless:line.no-dont", "crapless:layout.only")
def test_nobody_bets_against_the_shooter() -> None:
    """No wager of the house stands on that side, none has limits of its own, and what is not listed is no bet."""
    assert not [spot.key for spot in FELT.house.layout.spots.values() if spot.side == "dont"]
    assert {rule.key for rule in BOOK.wagers} == {
        "pass", "come", "pass_odds", "come_odds", "place", "buy", "hard", "field", "any_seven", "any_craps", "craps_2",
        "craps_3", "craps_12", "eleven", "horn", "craps_eleven",
    }  # fmt: skip
    assert all(rule.offered.value for rule in BOOK.wagers)
    assert not BOOK.notice.side.value
    assert BOOK.betting.dont_ban.value == "same bet"


@pytest.mark.clause("crapless:odds.made", "crapless:odds.12345", "crapless:odds.true", "crapless:odds.decided")
@pytest.mark.parametrize("point", POINTS)
def test_odds_on_every_point(point: int) -> None:
    """As many times the flat bet as there are ways to throw the point, paid truly: six times the flat bet each."""
    lines = ("bet pass 10", f"roll {MADE[point]}")
    most = 10 * WAYS[point]
    table, events = dealt(*lines, f"bet pass_odds {most}")
    assert only(events, WagerUp).clause == "crapless:odds.made"
    no = refused(table, "bet pass_odds 1")
    assert (no.code, no.clause) == ("bet.over_odds", "crapless:odds.12345")
    won = only(play(table, f"roll {MADE[point]}"), WagerWon, wager="pass_odds")
    assert (str(won.price), won.won, won.clause) == (TRUE[point], 60_00, "crapless:odds.true")
    assert net(*lines, f"bet pass_odds {most}", SEVEN) == -10 - most
    come = (another(point), "bet come 10", f"roll {MADE[point]}", f"bet come_odds_{point} {most}")
    won = only(dealt(*come, f"roll {MADE[point]}")[1], WagerWon, wager=f"come_odds_{point}")
    assert (str(won.price), won.won) == (TRUE[point], 60_00)


@pytest.mark.parametrize("point", POINTS)
@pytest.mark.parametrize(
    ("clause", "kind", "prices"),
    [case("crapless:numbers.place", "place", PLACED), case("crapless:numbers.buy", "buy", TRUE)],
)
def test_what_a_number_pays(clause: str, kind: str, prices: dict[int, str], point: int) -> None:
    """At this very price, before a seven takes it."""
    key = f"{kind}_{point}"
    won = only(dealt(another(point), f"bet {key} 60", f"roll {MADE[point]}")[1], WagerWon, wager=key)
    assert (str(won.price), won.clause) == (prices[point], clause)
    profit, _, stake = prices[point].split()
    assert won.won == 6000 * int(profit) // int(stake)
    assert net(another(point), f"bet {key} 60", SEVEN) == -60


@pytest.mark.clause("crapless:numbers.vig", "crapless:numbers.buy-vig", "crapless:numbers.vig-on-win")
def test_buys_are_charged_on_a_win() -> None:
    """Five percent of the stake, down to a chip and at least one, when they win; nothing in front, nothing back."""
    for stake, charge in ((10, 1), (39, 1), (60, 3)):
        table, _ = dealt("roll 5-3", f"bet buy_12 {stake}")
        assert gain(table) == 0
        play(table, "roll 6-6")
        assert gain(table) == 6 * stake - charge
    assert net("roll 5-3", "bet buy_12 60", "take buy_12") == 0
    terms = FELT.house.spots["buy_12"].rule.commission
    assert terms is not None
    assert (terms.refund.value, terms.recharge.value, terms.unit_chips.value) == (False, False, 1)


@pytest.mark.clause("crapless:shooter.line", "crapless:kit.buttons")
def test_a_shooter_bets_the_pass_line() -> None:
    """There is no other line bet, and there is no Lay button."""
    assert FELT.house.layout.line == ("pass",)
    assert BOOK.shooter.needs_line_bet.value
    assert FELT.equipment("buttons") == (("On", "Off", "Buy"), "crapless:kit.buttons")
    assert BOOK.shooter.needs_line_bet.clause == "crapless:shooter.line"
