"""Somebody at the rail: a wish is planned as a dealer would, done under a key, and can be taken back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    import httpx

    from tests.web.server import Player, Server


@pytest.fixture
def ann(server: Server) -> Player:
    """Somebody at a table of their own whose dice are given."""
    return server.practice(house="adelaide", dice="given", name="Ann")


def wish(who: Player, word: str, wager: str | None = None, about: int | None = None, key: str = "") -> httpx.Response:
    """Ask for something in a word."""
    path = f"/tables/{who.table}/wishes"
    return who.post(path, {"wish": word, "wager": wager, "about": about}, key=key or None)


def up(who: Player) -> dict[str, int]:
    """What stands there."""
    seats = who.get(f"/tables/{who.table}").json()["state"]["seats"]
    return {wager: each["stake"] for wager, each in seats["1"]["up"].items()}


def throw(who: Player, first: int, second: int) -> int:
    """The dice fall so."""
    answer = who.act("command.throw", roll={"first": first, "second": second})
    sequence: int = answer.json()["sequence"]
    return sequence


def seat(who: Player) -> Any:  # noqa: ANN401 - an answer
    """Their own view."""
    return who.get(f"/tables/{who.table}/seat").json()


def test_a_wish_is_the_nearest_that_the_dealers_pay_whole_and_done_once(ann: Player) -> None:
    """Ten on the six is twelve where the house pays short; asked again under its key it is the same entry."""
    wish(ann, "bet", "pass", 500)
    throw(ann, 2, 2)
    first = wish(ann, "odds", key="mine").json()
    assert wish(ann, "odds", key="mine").json() == first
    assert up(ann) == {"pass": 500, "pass_odds": 5_000}  # ten times, as its sign allows
    assert [entry["key"].rpartition("~")[2] for entry in first["entries"]] == ["odds.0"]


def test_steps_are_taken_back_and_done_again_one_by_one(ann: Player) -> None:
    """A wish is one step, however many acts; another act forgets what was undone; a roll forgets all."""
    wish(ann, "bet", "pass", 500)
    throw(ann, 2, 2)
    wish(ann, "bet", "place_6", 600)
    wish(ann, "bet", "place_8", 600)
    wish(ann, "double")
    assert up(ann) == {"pass": 500, "place_6": 1_200, "place_8": 1_200}
    wish(ann, "undo")
    assert up(ann) == {"pass": 500, "place_6": 600, "place_8": 600}
    wish(ann, "undo")
    assert seat(ann)["offers"]["undo"]["says"] == "taking Place Bet 6 to Win down"
    wish(ann, "redo")
    assert up(ann) == {"pass": 500, "place_6": 600, "place_8": 600}
    wish(ann, "take", "place_8")
    assert wish(ann, "redo").json()["code"] == "wish.nothing"
    throw(ann, 6, 3)
    assert wish(ann, "undo").json()["code"] == "wish.nothing"


def test_what_the_dice_took_is_bet_again_and_contracts_are_not_cleared(ann: Player) -> None:
    """Repeat after the seven, clear before it."""
    wish(ann, "bet", "pass", 500)
    throw(ann, 2, 2)
    wish(ann, "bet", "place_6", 600)
    wish(ann, "clear")
    assert up(ann) == {"pass": 500}
    wish(ann, "undo")
    sequence = throw(ann, 4, 3)
    told = ann.get(f"/tables/{ann.table}/why/{sequence}").json()
    assert [(move["wager"], move["net"]) for move in told] == [("pass", -500), ("place_6", -600)]
    assert all(move["clauses"] for move in told)
    wish(ann, "repeat")
    assert up(ann) == {"pass": 500, "place_6": 600}


def test_a_refusal_has_its_clause_and_a_wager_that_is_none_its_name(ann: Player) -> None:
    """A wish that no rule allows is answered as an act would be."""
    answer = wish(ann, "bet", "come", 500)
    assert (answer.status_code, answer.json()["clause"][:9]) == (409, "adelaide:")
    assert wish(ann, "bet", "nonsense", 500).status_code == 404


def test_the_strip_counts_rolls_beside_what_was_to_be_expected(ann: Player) -> None:
    """A hand of three rolls; the seven ends it, and the last roll is told to whoever asks."""
    wish(ann, "bet", "pass", 500)
    throw(ann, 2, 2)
    throw(ann, 6, 3)
    told = ann.get(f"/tables/{ann.table}/strip").json()
    assert (told["hand"], told["points"], [roll["dice"] for roll in told["rolls"]]) == (2, 0, [[2, 2], [6, 3]])
    nine = next(count for count in told["counts"] if count["total"] == 9)
    assert (nine["hand"], nine["hand_expected"]) == (1, "0.2")
    throw(ann, 6, 1)
    told = ann.get(f"/tables/{ann.table}/strip").json()
    assert (told["hand"], told["rolls"][-1]["ends"], told["you"]["net"]) == (0, "seven out", -500)
