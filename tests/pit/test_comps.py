"""Comps: acts of the floor, by two above the house's sum, to nobody who has a hand in it, beside what was earned."""

from __future__ import annotations

import pytest

from passline.engine import commands as c
from passline.engine.values import Roll
from passline.errors import RoleError
from passline.floor import cage, conduct
from passline.floor.seats import GrantComp
from passline.pit.reports.house import book
from tests.pit.play import why
from tests.pit.test_worked_example import Evening


def test_a_comp_is_given_by_others_and_stands_beside_what_was_earned() -> None:
    """One within the rule is not marked, the next above it is; to oneself, to the excluded and alone is refused."""
    evening = Evening()
    evening.done(evening.at_cage(cage.OpenDrawer({10_000: 200}, "cob")))
    evening.done(evening.at_cage(cage.PayIn("Ann", 90_000, "to play")))
    evening.plays("Ann", c.Sit(1, "Ann", 90_000))
    for _ in range(4):
        evening.plays("Ann", c.Bet(1, "pass", 1_000))
        evening.plays("Ann", c.Bet(1, "any_seven", 5_000))
        evening.rolled(Roll(1, 1))
    (rated,) = evening.rows("ratings")
    evening.done(evening.at_cage(GrantComp("Ann", "a coffee", 200, "she waited"), "sue"))
    evening.done(evening.at_cage(GrantComp("Ann", "a room", 90_000, "it is late"), "sue"))
    assert why(evening.at_cage(GrantComp("Sue", "a room", 100, "tired"), "sue")) == "floor.own_comp"
    assert why(evening.at_cage(GrantComp("Ann", "a car", 200_000, "why not"), "sue")) == "table.two_people"
    with pytest.raises(RoleError, match="grant_comp"):
        evening.at_cage(GrantComp("Ann", "a coffee", 200, "she waited"), "cay")
    evening.done(evening.at_cage(conduct.ExcludeOneself("Ann", "enough"), "ann"))
    assert why(evening.at_cage(GrantComp("Ann", "a coffee", 200, "she waited"), "sue")) == "floor.barred"
    rows = evening.rows("comps")
    assert [(row["what"], row["so_far"], row["earned"], row["by"], row["look"]) for row in rows] == [
        ("a coffee", "2", rated["comps"], "sue", ""),
        ("a room", "902", rated["comps"], "sue", "look: above what was earned"),
    ]
    (note,) = book(evening.journal, "comps", player="ann").to_json()["notes"]
    assert note == f"Earned so far: {rated['comps']}. Given so far: 902."
    nobody = book(evening.journal, "comps", player="bob").to_json()
    assert (nobody["rows"], nobody["notes"]) == ([], ["Earned so far: 0. Given so far: 0."])
    kinds = [row["kind"] for row in book(evening.journal, "events").to_json()["rows"]]
    assert (kinds.count("comp granted"), kinds.count("a comp to oneself")) == (2, 1)
    evening.verified()
