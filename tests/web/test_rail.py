"""Somebody at the rail: what is said is planned as a dealer would, done under a key, and can be taken back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from passline.engine import commands as c
from passline.engine.values import WagerKey
from passline.sitting.orders import Rail
from passline.sitting.talk import talk
from passline.table import Table

if TYPE_CHECKING:
    from tests.web.server import Player, Server


@pytest.fixture
def ann(server: Server) -> Player:
    """Somebody at a table of their own whose dice are given."""
    return server.practice(house="adelaide", dice="given", name="Ann")


def say(who: Player, line: str, key: str = "") -> Any:  # noqa: ANN401 - an answer
    """Say something to the dealers; a question with one answer is answered so."""
    answer = who.post(f"/tables/{who.table}/talk", {"say": line}, key=key or None).json()
    asked = answer["question"]
    return say(who, asked["options"][0]["line"]) if asked and len(asked["options"]) == 1 else answer


def bet(who: Player, wager: str, about: int) -> Any:  # noqa: ANN401 - an answer
    """Put a chip down, as the page does."""
    return say(who, f"about {about / 100:g} on {wager}")


def codes(answer: Any) -> list[str]:  # noqa: ANN401 - an answer
    return [each["code"] for each in answer["refused"]]


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
    bet(ann, "pass", 500)
    throw(ann, 2, 2)
    first = say(ann, "max odds", key="mine")
    assert say(ann, "max odds", key="mine") == first
    assert up(ann) == {"pass": 500, "pass_odds": 5_000}  # ten times, as its sign allows
    assert [entry["key"].rpartition("~")[2] for entry in first["entries"]] == ["talk.0"]


def test_steps_are_taken_back_and_done_again_one_by_one(ann: Player) -> None:
    """A wish is one step, however many acts; another act forgets what was undone; a roll forgets all."""
    bet(ann, "pass", 500)
    throw(ann, 2, 2)
    bet(ann, "place_6", 600)
    bet(ann, "place_8", 600)
    say(ann, "double everything")
    assert up(ann) == {"pass": 500, "place_6": 1_200, "place_8": 1_200}
    say(ann, "undo")
    assert up(ann) == {"pass": 500, "place_6": 600, "place_8": 600}
    say(ann, "undo")
    assert seat(ann)["offers"]["undo"]["says"] == "taking Place Bet 6 to Win down"
    say(ann, "redo")
    assert up(ann) == {"pass": 500, "place_6": 600, "place_8": 600}
    say(ann, "take place_8")
    assert codes(say(ann, "redo")) == ["wager.not_up"]
    throw(ann, 6, 3)
    assert codes(say(ann, "undo")) == ["wager.not_up"]


def test_who_leaves_and_sits_down_again_takes_nothing_back(ann: Player) -> None:
    """The chips of the seat that was left once went up again at a tap of Undo, and Repeat bet what it had lost."""
    bet(ann, "place_6", 600)
    throw(ann, 4, 3)
    bet(ann, "pass", 500)
    say(ann, "take me down")
    ann.act("command.leave")
    ann.act("command.sit", buyin=50_000)
    assert set(seat(ann)["offers"]) == set()
    assert codes(say(ann, "undo")) == ["wager.not_up"]
    assert codes(say(ann, "same bet")) == ["wager.not_up"]
    assert up(ann) == {}


def test_a_step_is_taken_back_whole_or_not_at_all(server: Server) -> None:
    """What is doubled may come down again; a step with a contract in it stays, and nothing of it can be done twice."""
    ann = server.practice(name="Ann", house="strip", dice="given")
    bet(ann, "pass", 4_000)
    throw(ann, 2, 2)
    bet(ann, "place_6", 1_800)
    for line in ("double everything", "undo", "redo", "undo"):
        assert say(ann, line)["entries"]
    assert up(ann) == {"pass": 4_000, "place_6": 1_800}
    say(ann, "put pass 15")  # by its name, which is theirs to do
    assert (codes(say(ann, "undo")), up(ann)) == (["take.locked"], {"pass": 5_500, "place_6": 1_800})
    assert codes(say(ann, "redo")) == ["wager.not_up"]


def test_what_can_be_done_again_only_in_part_is_not_done() -> None:
    """The second act of the step costs more than there is."""
    table = Table("strip")
    table.sit(1, "Ann", 500)
    table.bet(1, "pass", 15)
    table.roll(2, 2)
    again = [c.Bet(1, WagerKey(wager), amount) for wager, amount in (("place_6", 1_800), ("place_8", 10**6))]
    order = talk(Rail(table.house.layout, table.state, 1, undone=again), "redo")
    assert (order.commands, [no.code for no in order.refused]) == ((), ["bet.over_maximum"])


def test_an_evening_says_what_its_bets_should_bring(ann: Player) -> None:
    """By the price of the line, two fives: 7/495 of each; the throws by themselves come to something else."""
    for dice in ((4, 3), (1, 1)):
        bet(ann, "pass", 500)
        throw(ann, *dice)
    says = ann.get(f"/tables/{ann.table}/evening").json()["says"]
    assert says[1:3] == [
        "Your 2 decided bets lose 0.14 on average, priced when they were made.",
        "The chart prices each roll by itself, with the chips that lay there: +1.11 on average.",
    ]


def test_what_the_dice_took_is_bet_again_and_contracts_are_not_cleared(ann: Player) -> None:
    """Repeat after the seven, clear before it."""
    bet(ann, "pass", 500)
    throw(ann, 2, 2)
    bet(ann, "place_6", 600)
    say(ann, "take me down")
    assert up(ann) == {"pass": 500}
    say(ann, "undo")
    sequence = throw(ann, 4, 3)
    told = ann.get(f"/tables/{ann.table}/why/{sequence}").json()
    assert [(move["wager"], move["net"]) for move in told] == [("pass", -500), ("place_6", -600)]
    assert all(move["clauses"] for move in told)
    say(ann, "same bet")
    assert up(ann) == {"pass": 500, "place_6": 600}


def test_a_refusal_has_its_clause_and_a_wager_that_is_none_its_name(ann: Player) -> None:
    """A wish that no rule allows is answered as an act would be."""
    answer = bet(ann, "come", 500)
    assert (codes(answer), answer["refused"][0]["clause"][:9]) == (["bet.window"], "adelaide:")
    assert not bet(ann, "nonsense", 500)["entries"]


def spot(who: Player, wager: str) -> Any:  # noqa: ANN401 - an answer
    """All about one wager."""
    return who.get(f"/tables/{who.table}/spots/{wager}").json()


def test_a_line_bet_on_its_point_is_told_as_it_stands(ann: Player) -> None:
    """Before the point 244 in 495; on the six 5 in 11 and 1/11 from here; and it may not be touched."""
    bet(ann, "pass", 1_000)
    bet(ann, "dont_pass", 1_000)
    made = spot(ann, "pass")
    assert (made["stands"], made["exact"]["win"], made["from_here"]) == (False, "244/495", "10 to win 10")
    assert [each["move"] for each in made["moves"] if each["refused"] is None] == ["press", "take"]
    throw(ann, 4, 2)
    stands = spot(ann, "pass")
    assert (stands["stands"], stands["exact"]["win"], stands["edges"][0]["exact"]) == (True, "5/11", "1/11")
    assert stands["how"] == "wins on 6, loses on 7"
    assert stands["from_here"] == "10 to win 10, on average it costs 0.91 from here"
    assert {each["move"]: each["refused"]["clause"] for each in stands["moves"]} == {
        "press": "adelaide:4(a)",
        "off": "X-30",
        "take": "adelaide:5(c).2",
    }
    against = spot(ann, "dont_pass")
    assert against["from_here"] == "10 to win 10, on average it brings 0.91 from here"
    assert [each["move"] for each in against["moves"] if each["refused"] is None] == ["take"]


def test_a_line_bet_that_is_not_up_is_told_as_it_is_made_at_the_come_out(ann: Player) -> None:
    """Its figures are the come-out's, and so is how it wins; a come bet that travelled has its number's."""
    bet(ann, "dont_pass", 500)
    throw(ann, 2, 2)
    assert spot(ann, "pass")["exact"]["win"] == "244/495"
    assert spot(ann, "pass")["how"].startswith("wins on 7 and 11")
    bet(ann, "come", 500)
    throw(ann, 5, 4)
    nine = spot(ann, "come_9")
    assert (nine["stands"], nine["exact"]["win"]) == (True, "2/5")


def test_the_strip_counts_rolls_beside_what_was_to_be_expected(ann: Player) -> None:
    """A hand of three rolls; the seven ends it, and the last roll is told to whoever asks."""
    bet(ann, "pass", 500)
    throw(ann, 2, 2)
    throw(ann, 6, 3)
    told = ann.get(f"/tables/{ann.table}/strip").json()
    assert (told["hand"], told["points"], [roll["dice"] for roll in told["rolls"]]) == (2, 0, [[2, 2], [6, 3]])
    nine = next(count for count in told["counts"] if count["total"] == 9)
    assert (nine["hand"], nine["hand_expected"]) == (1, "0.2")
    throw(ann, 6, 1)
    told = ann.get(f"/tables/{ann.table}/strip").json()
    assert (told["hand"], told["rolls"][-1]["ends"], told["you"]["net"]) == (0, "seven out", -500)


def test_dealers_are_talked_to_and_ask_back(ann: Player) -> None:
    """A line is done once under its key; a question books nothing, and its answer names the line it is about."""
    path = f"/tables/{ann.table}/talk"
    across = ann.post(path, {"say": "32 across and ten on the yo"}, key="once").json()
    again = ann.post(path, {"say": "32 across and ten on the yo"}, key="once").json()
    assert [entry["key"] for entry in across["entries"]] == [entry["key"] for entry in again["entries"]]
    assert up(ann) == dict.fromkeys(("place_4", "place_5", "place_9", "place_10"), 500) | {
        "place_6": 600, "place_8": 600, "eleven": 1000,
    }  # fmt: skip
    asked = ann.post(path, {"say": "five horn"}).json()
    assert asked["entries"] == []
    assert asked["question"]["options"]
    refused = ann.post(path, {"say": "five come"}).json()
    assert [each["code"] for each in refused["refused"]] == ["bet.window"]
    say(ann, "undo")  # a line is one step
    assert up(ann) == {}
