"""Who did it: the crew by name and role, and two people with a reason where one is not enough."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from passline.floor import names
from passline.floor.names import folded
from passline.verify.entry import Entry
from passline.verify.report import Complaint

CREW = frozenset(("dealer", "stick", "box", "supervisor", "inspector"))
FLOOR = frozenset(
    f"command.{name}"
    for name in ("return_all", "strike_out", "post_notice", "close_table", "order_pass", "call_no_roll", "rule_face")
)
"""What no player does at a table with a crew."""

BY_FLOOR = {
    "command.post_notice": "table.by_sign",
    "command.close_table": "table.by_sign",
    "command.take_tokens": "table.by_voucher",
}
"""What nobody does there but by way of the floor, which knows how long a sign has been up, and what was issued."""

BY_CREW = frozenset(("dice_entered", "dice_disagreed", "corrected"))
"""What no player writes there; nor a void roll, nor dice that two people read."""

ONE_CALLS = frozenset(f"command.{name}" for name in ("call_no_roll", "rule_face", "cocked_die", "lose_die"))
"""What one person says over real dice, and the roll is void by it."""

BY_THE_PROGRAM = frozenset(
    ("floor_heard", "mix_frozen", "seed_committed", "seed_revealed", "table_counted", "table_opened", "table_stopped")
)
"""What nobody asks for: the program writes it."""

OWN_SEED = frozenset(("player_seed_committed", "player_seed_revealed"))
"""What a player alone gives: nobody gives it in a player's place."""

REASONED = ("corrected", "roll_voided", "table_stopped")
"""What is never done without saying why."""


class People:
    """The people of one table."""

    def __init__(self, counts: Counter[str]) -> None:
        self._counts = counts
        self._given = False

    def see(self, entry: Entry) -> Iterator[Complaint]:
        """Names, roles, reasons and second people."""
        kind, body = entry.kind, entry.body
        if kind == "table_opened":
            self._given = body["dice"] == "given"
        yield from _by_whom(entry)
        self._counts["staff_acts"] += entry.data.get("role") in CREW
        if (kind in REASONED or (kind == "acted" and "reason" in body)) and not is_said(body.get("reason")):
            yield "body.reason", "nobody says why"
        command = body.get("command")
        if isinstance(command, dict) and "reason" in command and not is_said(command["reason"]) and kind != "refused":
            yield "body.command.reason", "nobody says why"
        asked = command.get("kind") if isinstance(command, dict) else None
        if not self._given and entry.data["role"] == "player" and for_the_crew(entry, asked):
            yield "role", f"a player does what the crew does: {asked or kind}"
        if kind == "acted" and not self._given and asked in BY_FLOOR:
            yield "body.command", f"the floor does that, by a sign or a voucher: {asked}"
        if kind == "corrected":
            yield from self._two(entry)
        elif kind == "roll_voided":
            yield from self._voided(entry)
        elif not self._given and (struck(entry) or (kind == "floor_acted" and alone(entry, body["command"]))):
            yield "body.command", "two people decide this, and this is one"

    def _voided(self, entry: Entry) -> Iterator[Complaint]:
        """One person calls a no-roll over real dice, as at any table; nobody where the house could not go on."""
        body, actor = entry.body, entry.data["actor"]
        commands = [each.get("kind") for each in body["commands"]]
        called = len(commands) == 1 and commands[0] in ONE_CALLS
        if not body["people"] and entry.data["role"] != "house":
            yield "body.people", f"{actor} does it, and nobody is named: only the house does that"
        elif body["people"] and not (called and len(body["people"]) == 1):
            yield from self._two(entry)
        elif body["people"] and body["people"] != [actor]:
            yield "body.people", f"{actor} does it, and is not among {body['people']}"
        if not body["returned"] and "command.return_all" in commands:
            yield "body.returned", "it says that no stake was asked back, and every one was"

    def _two(self, entry: Entry) -> Iterator[Complaint]:
        people = entry.body["people"]
        self._counts["corrections"] += 1
        if len(people) != 2 or not all(map(is_said, people)) or same_name(*people):
            yield "body.people", f"{people} are not two people"
        elif entry.data["actor"] not in people:
            yield "body.people", f"{entry.data['actor']} does it, and is not among {people}"


def _by_whom(entry: Entry) -> Iterator[Complaint]:
    """What only the program writes is the program's, and a player's seed the player's."""
    if entry.kind in BY_THE_PROGRAM and entry.data["role"] != "house":
        yield "role", f"the program writes {entry.kind}, and nobody else"
    if entry.kind in OWN_SEED and entry.body["player"] != entry.data["actor"]:
        yield "body.player", f"it is {entry.body['player']}'s, and {entry.data['actor']} gives it"


def for_the_crew(entry: Entry, asked: object) -> bool:
    """Whether this is what the crew does; that a die is cocked or gone, anybody may say."""
    kind, body = entry.kind, entry.body
    if kind == "rolled":
        return asked in FLOOR or body["readings"] is not None
    if kind == "roll_voided":
        return [each.get("kind") for each in body["commands"]] not in (["command.cocked_die"], ["command.lose_die"])
    return kind in BY_CREW or (kind == "acted" and asked in FLOOR)


def struck(entry: Entry) -> bool:
    """Whether an outcome is struck out by a plain act."""
    return entry.kind == "acted" and entry.body["command"].get("kind") == "command.strike_out"


def alone(entry: Entry, command: Mapping[str, Any]) -> bool:
    """Whether somebody does by themselves what takes two on the floor."""
    second, actor = command.get("second"), str(entry.data["actor"])
    return second is not None and folded(second) in ("", folded(actor))


def is_said(text: object) -> bool:
    """Whether there is anything to read in it."""
    return isinstance(text, str) and names.is_said(text)


def same_name(first: str, second: str) -> bool:
    """Whether two names are of one person."""
    return folded(first) == folded(second)
