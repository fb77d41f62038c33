"""Bodies of acts: read once by the codec into arguments, described by the same types, wrong in all places at once."""

from __future__ import annotations

from typing import Any

import jsonschema_rs
import pytest

from passline.codec import WIRE_NAMES
from passline.engine.commands import Bet
from passline.engine.values import Roll
from passline.live.requests import Void
from passline.web.acts import COMMANDS, FORMS, TYPES, Act, read_act, schema_of
from passline.web.problems import Problem
from tests.tables import cases
from tests.web.scene import body_of


def faults(body: object, family: str = "") -> dict[str, str]:
    """By place: what is expected there."""
    with pytest.raises(Problem) as caught:
        read_act(body, family)
    assert (caught.value.status_code, caught.value.code) == (422, "body.unreadable")
    assert caught.value.detail.startswith(caught.value.more["errors"][0]["where"])
    return {each["where"]: each["expected"] for each in caught.value.more["errors"]}


@cases("kind", FORMS)
def test_what_the_schema_describes_is_read_and_makes_the_act(kind: str) -> None:
    """For every act there is: its body fits its schema, and its arguments are those of its class."""
    body = body_of(kind, "player")
    jsonschema_rs.validate(schema_of(kind), body)
    act = read_act(body)
    given = {"seat": 1, "name": "Ann", "second": "bob"} if kind in COMMANDS else {"second": "bob"}
    reason = act.arguments.pop("reason", None) if kind == "command.find_bet" else None
    wanted = {name: each for name, each in given.items() if name in TYPES[kind].__dataclass_fields__}  # type: ignore[attr-defined]
    made = TYPES[kind](**{**act.arguments, **wanted})
    assert WIRE_NAMES.get(type(made), kind) == kind
    assert (reason is None) == (kind != "command.find_bet")


def test_everything_that_is_wrong_is_said_at_once() -> None:
    """A missing field, a wrong one, one too long, one too many, each with its place and what should be there."""
    body = {
        "kind": "command.bet",
        "wager": "p" * 201,
        "amount": "5",
        "by": ["dealer", "cook"],
        "rail": 1,
        "tokens": 10**30,
    }
    assert faults(body | {"rail": 1}) == {
        "wager": f'at most 200 characters; found "{"p" * 58}…',
        "amount": 'a whole number; found "5"',
        "by.1": 'one of "dealer", "box", "stick", "supervisor", "inspector", "player"; found "cook"',
        "tokens": "a whole number from -1000000000000000 to 1000000000000000; found " + str(10**30),
        "rail": "seat, wager, amount, tender, by, tokens; there is no such field",
    }
    assert faults({"kind": "command.bet", "wager": "pass"}) == {"amount": "a whole number; it is missing"}
    assert faults({"kind": "command.throw", "roll": {"first": 6, "second": True}}) == {
        "roll.second": "a whole number; found true"
    }


@pytest.mark.parametrize("body", [None, [], "bet", {}, {"kind": 7}, {"kind": ["command.bet"]}])
def test_what_is_no_act_is_told_what_one_is(body: object) -> None:
    """Whatever JSON it is."""
    assert list(faults(body)) == ["kind"]


def test_a_wrong_name_is_answered_with_the_nearest_of_its_family() -> None:
    """The floor of the house is not told of the game's."""
    assert "command.bet;" in faults({"kind": "command.bets", "amount": 5})["kind"]
    assert "floor." in faults({"kind": "command.bet", "wager": "pass", "amount": 5}, "floor.")["kind"]


def test_who_agrees_is_no_field_of_a_body() -> None:
    """An approval comes in its header; nobody says for another that they agree."""
    void: dict[str, Any] = {"kind": "table.void", "reason": "a die fell off"}
    assert read_act(void).arguments == {"reason": "a die fell off", "returned": False}
    assert list(faults(void | {"second": "sue"})) == ["second"]
    assert list(faults({"kind": "floor.exclude", "person": "Bob", "reason": "x", "second": "sue"})) == ["second"]
    assert Void("x", "sue").second == "sue"


def test_the_same_act_is_the_same_line_whatever_goes_without_saying() -> None:
    """An approval is of the act, not of how it was written."""
    short = read_act({"kind": "command.bet", "wager": "pass", "amount": 500})
    long = read_act(
        {
            "tender": "chips",
            "amount": 500,
            "kind": "command.bet",
            "wager": "pass",
            "seat": None,
            "tokens": 0,
            "by": None,
        }
    )
    assert short.canonical() == long.canonical()
    assert short.canonical() != read_act({"kind": "command.bet", "wager": "pass", "amount": 501}).canonical()
    assert (
        Act.of(Bet(2, "pass", 500)).canonical() == short._replace(arguments={**short.arguments, "seat": 2}).canonical()
    )


def test_two_dice_are_a_list_where_they_are_read_and_a_roll_where_they_are_thrown() -> None:
    """As each has always been sent."""
    assert read_act({"kind": "table.read_dice", "dice": [4, 2]}).arguments == {"dice": (4, 2)}
    throw = {"kind": "command.throw", "roll": {"first": 4, "second": 2}}
    assert read_act(throw).arguments == {"roll": Roll(4, 2)}
