"""The guide about itself, and its house rules: a fair throw, no delay, and the Floor Supervisor's word."""

from __future__ import annotations

import json

import pytest

from passline.engine.events import DiceGivenUp, DiceThrown, FaceDoubted, FaceRead, NoRollCalled
from passline.engine.values import ClauseId
from passline.rulebooks.catalogue import house_files
from passline.telling.card import card_json
from tests.clauses.fire_bonus.felt import FIRE_BONUS, at, equipment
from tests.clauses.table_helpers import every, gain, only, play, refused, up

CARD = card_json(FIRE_BONUS.layout)


@pytest.mark.clause("fire-bonus:TITLE")
def test_the_guide_is_about_craps() -> None:
    """The rule card calls its game Craps."""
    assert CARD["habits"]["about.game"] == {"value": "Craps", "clause": "fire-bonus:TITLE"}


@pytest.mark.clause("fire-bonus:INTRO")
def test_the_blurb_is_shown_and_yields_no_rule() -> None:
    """The card shows a line about the game, and nothing else in the house rests on it."""
    blurb = CARD["habits"]["about.blurb"]
    assert blurb["clause"] == "fire-bonus:INTRO"
    assert "quick game" in blurb["value"]
    assert json.dumps(CARD).count("fire-bonus:INTRO") == 1
    assert house_files()["fire-bonus"].read_text(encoding="utf-8").count('"INTRO"') == 1


# --- A fair throw ---------------------------------------------------------------------------------------------------


@pytest.mark.clause("fire-bonus:HOUSE-RULES.1")
@pytest.mark.parametrize("who", ["dealer", "stick", "box", "supervisor"])
def test_a_throw_short_of_the_far_end_may_be_called(who: str) -> None:
    """Any of the crew may call it no roll: no bet and no point moves, and the dice are thrown again."""
    table = at("bet pass 10", "bet field 10", "dice-out")
    called = only(play(table, f"no-roll-by {who} no-end-struck"), NoRollCalled)
    assert (called.reason, called.by, called.clause) == ("no-end-struck", who, "fire-bonus:HOUSE-RULES.1")
    assert (gain(table), up(table), table.puck) == (0, {"pass": 10, "field": 10}, None)
    play(table, "roll 6-5")
    assert gain(table) == 20


@pytest.mark.clause("fire-bonus:HOUSE-RULES.1")
def test_a_fair_attempt_is_what_is_asked() -> None:
    """Uncalled the throw counts, and a player's or an inspector's call is none."""
    table = at("bet pass 10", "dice-out")
    for who in ("player", "inspector"):
        assert refused(table, f"no-roll-by {who} no-end-struck").code == "no_roll.caller"
    assert every(play(table, "throw 6-5 no-end-struck"), NoRollCalled) == []
    assert gain(table) == 10
    assert equipment("throw") == ("a fair try at reaching and striking the far end", "fire-bonus:HOUSE-RULES.1")


# --- No delay -------------------------------------------------------------------------------------------------------


@pytest.mark.clause("fire-bonus:HOUSE-RULES.2")
@pytest.mark.parametrize("first", [(), ("roll 5-4",)], ids=["come-out", "point on"])
def test_a_shooter_who_delays_the_game_may_lose_the_dice(first: tuple[str, ...]) -> None:
    """The supervisor takes the dice away; point and bets stay, and the next player throws."""
    table = at("shoot", "bet pass 10", "2 bet pass 10", *first, seats=2)
    puck = table.puck
    given = only(play(table, "order-pass delay by supervisor"), DiceGivenUp)
    assert given == DiceGivenUp(1, "by order", ClauseId("fire-bonus:HOUSE-RULES.2"))
    assert (table.puck, up(table)) == (puck, {"pass": 10})
    assert only(play(table, "roll 6-6"), DiceThrown).thrower == 2


@pytest.mark.clause("fire-bonus:HOUSE-RULES.2")
@pytest.mark.parametrize("who", ["player", "dealer", "stick", "inspector"])
def test_nobody_but_the_supervisor_takes_the_dice_away(who: str) -> None:
    """A neighbour's impatience, or a dealer's, is no order."""
    table = at("bet pass 10", "roll 5-4")
    no = refused(table, f"order-pass delay by {who}")
    assert (no.code, no.clause) == ("order.by", "fire-bonus:HOUSE-RULES.2")
    assert table.shooter == 1


@pytest.mark.clause("fire-bonus:HOUSE-RULES.2")
@pytest.mark.parametrize("reason", ["setting", "luck", "invalid rolls"])
def test_setting_the_dice_without_delay_is_no_offence(reason: str) -> None:
    """Only delay is named: for anything else the shooter keeps the dice (F-28)."""
    table = at("bet pass 10", "roll 5-4")
    no = refused(table, f"order-pass {reason}")
    assert (no.code, no.clause) == ("order.reason", "fire-bonus:HOUSE-RULES.2")
    assert table.shooter == 1
    assert equipment("setting_dice") == ("not so as to delay the game", "fire-bonus:HOUSE-RULES.2")


# --- The last word --------------------------------------------------------------------------------------------------


@pytest.mark.clause("fire-bonus:HOUSE-RULES.3")
def test_the_floor_supervisors_decision_is_final() -> None:
    """A disputed die is ruled a 5: 11 is settled, there is no second ruling and nobody else's counts."""
    table = at("bet pass 10", "dice-out")
    assert only(play(table, "dispute 6"), FaceDoubted).clause == "fire-bonus:HOUSE-RULES.3"
    for who in ("player", "dealer", "stick"):
        assert refused(table, f"rule 1 by {who}").code == "rule.by"
    assert only(play(table, "rule 5 by supervisor"), FaceRead) == FaceRead(5, ClauseId("fire-bonus:HOUSE-RULES.3"))
    assert gain(table) == 10
    assert refused(table, "rule 6 by supervisor").code == "phase.not_disputed"
    assert equipment("final_word") == ("supervisor", "fire-bonus:HOUSE-RULES.3")
