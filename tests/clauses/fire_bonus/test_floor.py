"""The house rules at the head of the guide, and its last line."""

from __future__ import annotations

import pytest

from passline.floor import conduct, disputes
from passline.floor.conduct import ConductReported
from passline.floor.disputes import DisputeDecided
from tests.clauses.floor_helpers import Pit, the


def fire_bonus() -> Pit:
    """A table with the Fire Bet and Bonus Craps."""
    return Pit("fire-bonus")


@pytest.mark.clause("fire-bonus:HOUSE-RULES.3")
def test_the_floor_supervisor_decides_and_nobody_looks_again() -> None:
    """Neither the box nor a dealer decides, and there is no review."""
    pit = fire_bonus()
    pit.does(disputes.RaiseDispute("Ann", "the payment on the hard eight"), "player", "Ann")
    for role in ("box", "dealer", "stick", "inspector"):
        assert pit.refuses(disputes.DecideDispute(1, "paid right"), role).clause == "fire-bonus:HOUSE-RULES.3"
    decided = the(pit.does(disputes.DecideDispute(1, "paid right"), "supervisor"), DisputeDecided)
    assert decided.clause == "fire-bonus:HOUSE-RULES.3"
    no = pit.refuses(disputes.AskReview(1), "player", "Ann")
    assert (no.code, no.clause) == ("floor.final", "fire-bonus:HOUSE-RULES.3")
    assert pit.refuses(disputes.SayDissatisfied(1), "player", "Ann").code == "floor.final"


@pytest.mark.clause("fire-bonus:SIDE-WAGERS")
@pytest.mark.parametrize("standing", ["player", "spectator"])
def test_a_bet_between_patrons_is_a_breach(standing: str) -> None:
    """Side wagers are bets between people, and neither the Fire Bet nor Bonus Craps."""
    pit = fire_bonus()
    report = conduct.ReportConduct("Ann", standing, "side bet", "bet Bob 50 on the next roll")  # type: ignore[arg-type]
    assert the(pit.does(report, "dealer"), ConductReported).clause == "fire-bonus:SIDE-WAGERS"
    for other in ("dealer", "staff", "inspector"):
        wrong = conduct.ReportConduct("Dan", other, "side bet", "the same")
        assert pit.refuses(wrong, "box").code == "floor.no_breach"
    assert pit.plays("bet pass 5", "bet fire 5")
