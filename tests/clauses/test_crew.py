"""What the crew of every house does with words and dice, house beside house, found out by asking at a table."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from passline.engine.commands import ChooseDice
from passline.engine.events import DiceGivenUp, DiceOffered, DiceThrown, NewSetDue, NoRollCalled, WagerWon
from passline.engine.refusals import Refusal
from passline.table import Table
from tests.clauses.table_helpers import every, gain, game, hears, only, play, refused, up
from tests.tables import cases

ROLES = ("dealer", "box", "stick", "supervisor", "inspector")
ANYBODY = "dealer box stick supervisor"


class Crew(NamedTuple):
    """Who of the crew may do what."""

    spoken: str
    """Whose word makes a spoken bet."""
    on: str
    """Whose button counts."""
    no_roll: str
    """Whose call voids a throw."""
    orders: str = "box"
    """Whose order passes the dice."""
    rules: str = "box"
    """Whose ruling names a face."""
    checks: str = "box"
    """Who checks a die that was found."""
    tokens: str = ""
    """Who changes a voucher into promotional tokens; nobody where there are none."""


CREWS = {
    "adelaide": Crew(spoken="dealer box", on="dealer box", no_roll="box stick"),
    "crapless": Crew(spoken="dealer stick", on="dealer", no_roll="box stick", tokens="dealer"),
    "exhibit-a": Crew(spoken="dealer", on="dealer", no_roll="box"),
    "fire-bonus": Crew(spoken="dealer stick", on="dealer", no_roll=ANYBODY, orders="supervisor", rules="supervisor"),
    "strip": Crew(spoken="dealer stick", on="dealer", no_roll="box stick", tokens="dealer"),
    "sydney": Crew(spoken="dealer box", on="dealer box", no_roll="box stick supervisor", tokens="dealer"),
}
ASTRAY = ("bet pass 60", "shoot", "choose 1 2", "die-off 1")
ACTS = {
    "spoken": ((), "bet field 60 spoken by {}"),
    "on": (("bet place_6 60",), "on place_6 by {}"),
    "no_roll": (("bet pass 60", "dice-out"), "no-roll-by {} improper"),
    "orders": (("bet pass 60", "2 bet pass 60", "roll 5-4"), "order-pass delay by {}"),
    "rules": (("bet pass 60", "dispute 4"), "rule 5 by {}"),
    "checks": ((*ASTRAY, "die-found 1"), "die-checked 1 by {}"),
    "tokens": ((), "tokens 20 by {}"),
}


@pytest.mark.parametrize("act", ACTS)
@pytest.mark.parametrize("house", CREWS)
def test_who_of_the_crew_may_say_it(house: str, act: str) -> None:
    """These roles are heard, and nobody else is."""
    before, line = ACTS[act]
    assert {role for role in ROLES if hears(house, before, line.format(role))} == set(
        getattr(CREWS[house], act).split()
    )


LATE = {
    "adelaide": set[str](),
    "crapless": {"dealer", "box", "dealer,box"},
    "exhibit-a": {"dealer,box"},
    "fire-bonus": set[str](),
    "strip": {"dealer", "box", "dealer,box"},
    "sydney": {"dealer", "box", "dealer,box"},
}
"""Whose word makes a bet while the dice are in the air."""


@pytest.mark.parametrize("house", LATE)
def test_who_may_confirm_a_late_bet(house: str) -> None:
    """Either of the two, both together, or nobody at all."""
    before = ("2 bet pass 60", "dice-out")
    said = ("nobody", "stick", "dealer", "box", "dealer,box")
    assert {by for by in said if hears(house, before, f"late field 60 by {by}")} == LATE[house]


CASH = {
    "adelaide": set[str](),
    "crapless": {"pass", "field"},
    "exhibit-a": {"field"},
    "fire-bonus": set[str](),
    "strip": {"pass", "field"},
    "sydney": set[str](),
}
"""What may be bet in cash: everything, everything but the line, or nothing."""


@pytest.mark.parametrize("house", CASH)
def test_what_may_be_bet_in_cash(house: str) -> None:
    """With the dealer's word for it; where cash is no bet, the dealer's word makes it none."""
    assert {key for key in ("pass", "field") if hears(house, (), f"bet {key} 60 cash by dealer")} == CASH[house]


# --- The shooter ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("house", CREWS)
@pytest.mark.parametrize("throw", ["roll 1-1", "roll 2-1", "roll 6-6", "roll 6-1", "roll 6-5"])
def test_a_come_out_that_loses_leaves_the_dice(house: str, throw: str) -> None:
    """Only a seven-out takes them away, in every house."""
    table = game(house, seats=2)
    play(table, "bet pass 60", "2 bet pass 60", throw)
    assert table.shooter == 1


@pytest.mark.parametrize("house", CREWS)
def test_who_is_offered_dice_that_were_given_up(house: str) -> None:
    """The next player clockwise; in adelaide and sydney the next with a line bet, once somebody has one."""
    table = game(house, seats=3)
    play(table, "bet pass 60", "roll 6-1", "3 bet pass 60")
    offered = only(play(table, "pass-dice"), DiceOffered).seat
    assert offered == (3 if house in ("adelaide", "sydney") else 2)


@pytest.mark.parametrize("reason", ["delay", "invalid rolls", "breach", "spite"])
@pytest.mark.parametrize("house", CREWS)
def test_what_dice_are_taken_away_for(house: str, reason: str) -> None:
    """Delay in every house; throws that do not count and breaches too, but for fire-bonus; nothing else anywhere."""
    before, _ = ACTS["orders"]
    reasons = {"delay"} if house == "fire-bonus" else {"delay", "invalid rolls", "breach"}
    assert hears(house, before, f"order-pass {reason}") == (reason in reasons)


ALWAYS, NEVER = (True, True), (False, False)
KEEPS = {
    "adelaide": (True, False),
    "exhibit-a": ALWAYS,
    "fire-bonus": ALWAYS,
    "strip": ALWAYS,
    "sydney": NEVER,
}
"""Whether a shooter without a line bet keeps the dice: alone on the line, and with somebody else there. At a crapless
table no line bet comes down once there is a point."""


@pytest.mark.parametrize("others", [False, True], ids=["alone", "with others"])
@pytest.mark.parametrize("house", KEEPS)
def test_a_shooter_who_takes_the_line_bet_down(house: str, others: bool) -> None:  # noqa: FBT001
    """With a point on: keeps the dice and throws on, or loses them at once."""
    table = game(house, seats=2)
    play(table, "bet dont_pass 60", *(["2 bet pass 60"] if others else []), "roll 5-4")
    lost = bool(every(play(table, "take dont_pass"), DiceGivenUp))
    assert lost != KEEPS[house][others]
    if not lost:
        assert only(play(table, "roll 5-1"), DiceThrown).thrower == 1


def test_in_adelaide_the_last_shooter_finishes_what_nobody_else_will() -> None:
    """Having lost the dice to others who then took their line bets down: the one who last held them throws on."""
    table = game("adelaide", seats=2)
    play(table, "bet dont_pass 60", "2 bet dont_pass 60", "roll 5-4", "take dont_pass", "2 take dont_pass")
    assert only(play(table, "roll 5-1"), DiceThrown).thrower == 1


@pytest.mark.parametrize("bet", ["place_6", "field"])
@pytest.mark.parametrize("house", CREWS)
def test_who_throws_when_nobody_will(house: str, bet: str) -> None:
    """With chips up that are no line bet, in sydney the stickperson; everywhere else the game waits for a line bet."""
    table = game(house, seats=2)
    play(table, "bet pass 60", "roll 5-4", "roll 3-4", f"bet {bet} 60", "2 decline", "decline")
    if house == "sydney":
        assert only(play(table, "roll 6-5"), DiceThrown).thrower is None
    else:
        assert refused(table, "roll 6-5").code == "dice.no_shooter"


# --- Dice -----------------------------------------------------------------------------------------------------------


class Dice(NamedTuple):
    """How many dice a house wants."""

    most: int | None
    """In a set, of which there are at least five."""
    lost: int = 1
    """So many lost call for a new set."""


DICE = {
    "adelaide": Dice(5),
    "crapless": Dice(8),
    "exhibit-a": Dice(None),
    "fire-bonus": Dice(5),
    "strip": Dice(8),
    "sydney": Dice(5, lost=2),
}


@pytest.mark.parametrize("house", DICE)
def test_how_many_dice_are_in_a_set(house: str) -> None:
    """Five at least, and at most as many as the house says."""
    most = DICE[house].most
    for dice in {5, most or 12}:
        assert Table(house, dice=dice).state.dice.in_set == dice
    for dice in (4, *([most + 1] if most else [])):
        with pytest.raises(ValueError, match="dice"):
            Table(house, dice=dice)


@pytest.mark.parametrize("house", DICE)
def test_the_shooter_picks_two_different_dice(house: str) -> None:
    """Not one, not three, not one twice."""
    table = game(house)
    play(table, "bet pass 60", "shoot")
    for wrong in ((1,), (1, 2, 3), (1, 1)):
        assert isinstance(table.do(ChooseDice(1, wrong)), Refusal)
    assert not isinstance(table.do(ChooseDice(1, (1, 2))), Refusal)


@pytest.mark.parametrize("house", DICE)
def test_how_many_lost_dice_call_for_a_new_set(house: str) -> None:
    """At that number by the house's own rule; before it, in sydney, by what was decided of one (P-101)."""
    table = game(house)
    play(table, "bet pass 60", "shoot", "choose 1 2", "roll 5-4")
    for die in range(1, DICE[house].lost + 1):
        play(table, f"die-off {die}")
        due = only(play(table, f"die-lost {die}"), NewSetDue)
        assert (due.clause != "P-101") == (die == DICE[house].lost)


READING = {
    "adelaide": ("ruling", "ruling", "face or void"),
    "crapless": ("opposite", "ruling", "face or void"),
    "exhibit-a": ("opposite", "no roll", "face or void"),
    "fire-bonus": ("opposite", "no roll", "face or void"),
    "strip": ("opposite", "ruling", "face or void"),
    "sydney": ("opposite", "no roll", "face"),
}
"""How a die that leans on one thing is read, one that leans on more, and what a ruling may say."""


@pytest.mark.parametrize("house", READING)
def test_how_a_doubtful_face_is_read(house: str) -> None:
    """Read opposite what it leans on, ruled on, or no roll; and a ruling that may say *again* or may not."""
    one, more, ruling = READING[house]
    for line, reading in (("cocked 4 2", one), ("cocked 4 2,3", more)):
        table = game(house)
        play(table, "bet pass 60", line)
        assert (table.state.phase, table.puck) == {
            "opposite": ("betting", 9),
            "no roll": ("betting", None),
            "ruling": ("disputed", None),
        }[reading]
    assert hears(house, ("bet pass 60", "dispute 4"), "rule void") == (ruling == "face or void")


# --- What spoils a throw --------------------------------------------------------------------------------------------

FLAWS = {
    "adelaide": {
        "void": "off-table left-and-returned stacked on-bank in-cup on-rail cheating unapproved-dice",
        "called": "",
        "counts": "not-together no-end-struck improper out-of-view touched-chips",
    },
    "crapless": {
        "void": "off-table left-and-returned stacked on-bank in-cup on-rail",
        "called": "cheating unapproved-dice wrong-thrower",
        "counts": "not-together no-end-struck out-of-view improper touched-chips",
    },
    "exhibit-a": {
        "void": "off-table left-and-returned stacked cocked unapproved-dice",
        "called": "",
        "counts": "not-together no-end-struck on-bank in-cup on-rail cheating improper touched-chips",
    },
    "fire-bonus": {
        "void": "off-table left-and-returned stacked cocked unapproved-dice",
        "called": "",
        "counts": "not-together no-end-struck on-bank in-cup on-rail cheating improper",
    },
    "strip": {
        "void": "off-table left-and-returned stacked on-bank in-cup on-rail",
        "called": "cheating unapproved-dice wrong-thrower",
        "counts": "not-together no-end-struck out-of-view improper touched-chips",
    },
    "sydney": {
        "void": "",
        "called": "off-table stacked on-bank in-cup on-rail cocked wrong-thrower cheating unapproved-dice",
        "counts": "left-and-returned not-together no-end-struck irregular improper",
    },
}
"""What is no roll by itself, what somebody must call, and what counts unless somebody does."""


@cases(
    "house, flaw, does",
    [
        pytest.param(house, flaw, does, id=f"{house} {flaw}")
        for house, by_kind in FLAWS.items()
        for does, flaws in by_kind.items()
        for flaw in flaws.split()
    ],
)
def test_what_a_flaw_in_a_throw_does(house: str, flaw: str, does: str) -> None:
    """The throw is void, with or without a call, and every bet stands; or it is paid."""
    table = game(house)
    events = play(table, "bet pass 60", f"throw 6-1 {flaw}")
    if does == "counts":
        assert not every(events, NoRollCalled)
        assert only(events, WagerWon).won == 60_00
    else:
        assert (only(events, NoRollCalled).by is not None) == (does == "called")
        assert up(table) == {"pass": 60}


# --- The floor ------------------------------------------------------------------------------------------------------

AHEAD = {"adelaide": 0, "crapless": 0, "exhibit-a": 0, "fire-bonus": 0, "strip": 0, "sydney": 20}
"""Minutes by which a higher minimum, and closing, are announced ahead."""


@pytest.mark.parametrize("house", AHEAD)
def test_a_higher_minimum_is_announced_ahead(house: str) -> None:
    """By so many minutes, and none where the house has no such rule; a lower one never is."""
    minutes = AHEAD[house]
    assert hears(house, (), f"post ahead={minutes} min=10")
    assert hears(house, ("post ahead=30 min=10",), "post min=5")
    if minutes:
        assert not hears(house, (), f"post ahead={minutes - 1} min=10")


@pytest.mark.parametrize("house", AHEAD)
def test_closing_is_announced_ahead_and_finishes_the_hand(house: str) -> None:
    """By so many minutes; what is up stays up."""
    minutes = AHEAD[house]
    if minutes:
        assert not hears(house, (), f"close ahead={minutes - 1}")
    table = game(house)
    told = " told=inspector" if house == "adelaide" else ""
    play(table, "bet pass 60", "roll 5-4", "bet place_6 60", f"close ahead={minutes}{told}")
    assert up(table) == {"pass": 60, "place_6": 60}


@pytest.mark.parametrize("house", AHEAD)
def test_a_result_that_is_struck_out(house: str) -> None:
    """In adelaide the felt is as it lay before the roll; elsewhere what was decided goes back to the rail (P-100)."""
    table = game(house)
    play(table, "bet pass 60", "bet field 60", "roll 4-4", "invalidate quarrel")
    assert up(table) == ({"pass": 60, "field": 60} if house == "adelaide" else {"pass": 60})
    assert (gain(table), table.puck) == (0, None)
