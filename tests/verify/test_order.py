"""The order of seeds, bets and dice, and what people say in it: one thing out of place at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from passline.codec import to_data
from passline.engine import commands as c
from passline.engine.values import Roll
from passline.verify.check import verify
from tests.verify.building import Journal, export

if TYPE_CHECKING:
    from collections.abc import Callable

    Step = Callable[[Journal], object]


def table(dice: str = "fair") -> Journal:
    """A table with a shooter, ready to roll."""
    journal = Journal(dice=dice)
    if dice == "fair":
        journal.commit(1)
        journal.commit(2)
        journal.promise(1, "ann")
        journal.show(1, "ann")
        journal.freeze(1, ["ann"])
    journal.act(c.Sit(1, "Ann", 100_00))
    journal.act(c.Bet(1, "pass", 10_00))
    journal.act(c.Shoot(1))
    return journal


def said(kind: str, actor: str = "house", role: str = "house", key: str | None = None, **body: object) -> Step:
    """One entry more."""
    return lambda journal: journal.add(kind, body, actor, role, key)


def steps(*each: Step) -> Step:
    """One after the other."""

    def all_of_them(journal: Journal) -> None:
        for step in each:
            step(journal)

    return all_of_them


def thrown_as_an_act(journal: Journal) -> None:
    """A roll that is told as if it were a bet."""
    command = c.Throw(Roll(4, 2))
    journal.add("acted", {"command": to_data(command), **journal.happened([command])}, "ann", "player")


def under_another_key(journal: Journal) -> None:
    """A roll settled under a key that nobody asked with."""
    journal.roll()["key"] = "another"


def misnumbered(journal: Journal) -> None:
    """A roll with a number that is not due."""
    journal.rolls = 5
    journal.roll(Roll(4, 2))


def without_a_reason(journal: Journal) -> None:
    """Everything goes back, and nobody says why."""
    journal.act(c.ReturnAll(" "), "bea", "supervisor")


CLOSED = said("bets_closed", epoch=1, roll=1, asked=None)
NO = {"kind": "refusal", "v": 1, "code": "table.bets_closed", "message": "No.", "clause": None, "seat": 1}
LATE = said("refused", "ann", "player", command=None, asked="roll", refusal=NO)
READ = said("dice_entered", "sam", "stick", roll=1, commitment="ab" * 32)
SAM: dict[str, Any] = {"actor": "sam", "dice": [4, 2], "salt": "00" * 30}

ORDERS: dict[str, tuple[str, Step, str]] = {
    "an empty key": ("fair", said("table_counted", key=""), "key: '' is no key"),
    "no reason": ("fair", without_a_reason, "body.command.reason: nobody can ask for that"),
    "a player on the floor": (
        "fair",
        lambda journal: journal.act(c.ReturnAll("mine")),
        "role: the house refuses it: table.role",
    ),
    "a stop without a reason": ("fair", said("table_stopped", reason=""), "body.reason: nobody says why"),
    "dice that are none": ("loaded", lambda _journal: None, "body.dice: loaded are no dice"),
    "dice thrown in an act": ("given", thrown_as_an_act, "kind: it is acted, and by the house file rolled"),
    "closed, and they are open": ("fair", LATE, "it says table.bets_closed, and the house allows it"),
    "closed twice": ("fair", steps(CLOSED, CLOSED), "kind: the house refuses it: table.bets_closed"),
    "a table closed in mid-roll": (
        "fair",
        steps(CLOSED, said("table_closed")),
        "kind: the house refuses it: floor.still_up",
    ),
    "a seed in mid-roll": ("fair", steps(CLOSED, lambda journal: journal.commit(3)), "between the bets closed and the"),
    "a count in mid-roll": ("fair", steps(CLOSED, said("table_counted")), ""),
    "another number with real dice": (
        "real",
        said("bets_closed", epoch=0, roll=2, asked=None),
        "body.roll: it says 2, and by the house file it is 1",
    ),
    "another number with given dice": ("given", misnumbered, "body.roll: it says 6, and by the house file it is 1"),
    "another number with fair dice": ("fair", misnumbered, "body.roll: it is 6 where 1 is due"),
    "another key": ("fair", under_another_key, "key: the roll was asked for under k"),
    "a seed where dice are given": ("given", lambda journal: journal.commit(1), "a seed at a table whose dice are not"),
    "a commitment too early": ("fair", lambda journal: journal.commit(3), "before the seed of epoch 1 was shown"),
    "an epoch nobody knows": (
        "fair",
        lambda journal: journal.promise(9, "ann"),
        "none of player_seed_committed",
    ),
    "a seed nobody promised": (
        "fair",
        lambda journal: journal.show(2, "bob"),
        "bob is not committed to a seed",
    ),
    "a second promise": (
        "fair",
        steps(lambda journal: journal.promise(2, "bob"), lambda journal: journal.promise(2, "bob")),
        "bob is committed to a seed in epoch 2",
    ),
    "mixed twice": ("fair", lambda journal: journal.freeze(1, ["ann"]), "the mix of epoch 1 is frozen"),
    "mixed before its time": ("fair", lambda journal: journal.freeze(2), "epoch 2 is mixed before epoch 1 is over"),
    "dealt after the seed was shown": (
        "fair",
        steps(lambda journal: journal.reveal(1), lambda journal: journal.roll()),
        "it says 1, and by the house file it is 2",
    ),
    "shown twice": (
        "fair",
        steps(lambda journal: journal.reveal(1), lambda journal: journal.reveal(1)),
        "epoch 1 is not committed to, or is over",
    ),
    "dice read where they are drawn": ("fair", READ, "kind: the house refuses it: table.dice_drawn"),
    "dice read twice by one": (
        "real",
        steps(said("bets_closed", epoch=0, roll=1, asked=None), READ, READ),
        "actor: the house refuses it: table.two_people",
    ),
    "a dispute about nothing": (
        "real",
        steps(
            said("bets_closed", epoch=0, roll=1, asked=None),
            said("dice_disagreed", roll=1, readings=[SAM, {**SAM, "actor": "bea"}]),
        ),
        "kind: it is dice_disagreed, and by the house file dice_entered",
    ),
    "half a salt": (
        "real",
        steps(
            said("bets_closed", epoch=0, roll=1, asked=None),
            said("dice_disagreed", roll=1, readings=[{**SAM, "salt": "00"}, {**SAM, "actor": "bea"}]),
        ),
        "body.readings[0]: sam had entered something else, or nothing",
    ),
}


def told(journal: Journal) -> list[str]:
    """The faults of an export."""
    return [str(fault) for fault in verify(export(journal)).faults]


@pytest.mark.parametrize("dice", ["fair", "real", "given"])
def test_what_is_in_order_is_left_alone(dice: str) -> None:
    """Whoever makes the dice."""
    assert told(table(dice)) == []


@pytest.mark.parametrize("name", ORDERS)
def test_what_is_out_of_place_is_found(name: str) -> None:
    """And said in its own words; a count is the one thing that may stand anywhere."""
    dice, step, what = ORDERS[name]
    journal = table(dice)
    step(journal)
    faults = told(journal)
    if what:
        assert any(what in fault for fault in faults), faults
    else:
        assert not [fault for fault in faults if "between" in fault]
