"""The same dice in another language, from the page alone."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import TYPE_CHECKING

import pytest

from passline.live.dice import Epoch, commitment, freeze, roll
from passline.verify.check import verify
from tests.chance import vectors
from tests.chance.node import verifier
from tests.verify.live import lines_of, whole_pit

if TYPE_CHECKING:
    from collections.abc import Callable


def test_every_vector_is_equal_in_javascript() -> None:
    """Messages, commitments, mixes, bytes and blocks, one by one."""
    ran = verifier("vectors", str(vectors.FILE))
    found = json.loads(ran.stdout)
    assert (ran.returncode, found["wrong"]) == (0, [])
    assert found["compared"] > 1_400


def test_a_wrong_vector_is_found() -> None:
    """One die of one roll."""
    data = vectors.FILE.read_text(encoding="utf-8")
    dealt = json.loads(data)["epochs"][1]["rolls"]
    ran = verifier("vectors", "-", given=data.replace(dealt, f"{dealt[:-1]}{7 - int(dealt[-1])}").encode())
    assert ran.returncode == 1
    assert json.loads(ran.stdout)["wrong"] == [
        f"roll 40 of baize: {dealt[-3:]} is not {dealt[-3:-1]}{7 - int(dealt[-1])}"
    ]


@pytest.mark.slow
def test_a_hundred_thousand_rolls_are_equal_bit_for_bit(record_property: Callable[[str, object], None]) -> None:
    """A hundred epochs of a thousand rolls, in Python and in JavaScript."""
    ran = verifier("throws1", str(vectors.MANY_EPOCHS))
    ours = vectors.many_throws()
    assert len(ours) == vectors.MANY_EPOCHS * vectors.MANY_ROLLS == 100_000
    assert ran.stdout == ours
    record_property("exercised", f"dice: {len(ours):,} rolls the same in Python and in JavaScript")
    assert sha256(ran.stdout).hexdigest() == json.loads(vectors.FILE.read_text("utf-8"))["many"]["sha256"]


@pytest.mark.slow
def test_a_hundred_thousand_rolls_of_protocol_2_are_those_of_the_page() -> None:
    """A hundred chains of a thousand links; the page has the hash of the dice."""
    ran = verifier("throws", str(vectors.MANY_EPOCHS))
    assert sha256(ran.stdout).hexdigest() == json.loads(vectors.FILE.read_text("utf-8"))["many2"]["sha256"]


def lines(dice: list[list[int]]) -> bytes:
    """As much of an exported journal as speaks of dice."""
    seed = bytes(range(32))
    house = commitment("ab" * 16, 1, seed)
    mixed = freeze(Epoch("ab" * 16, 1, house)).mix
    right = [list(roll(seed, "ab" * 16, 1, number, mixed)) for number in (1, 2, 3)]
    told = [was or shown for was, shown in zip(dice, right, strict=True)]
    bodies: list[tuple[str, dict[str, object]]] = [
        ("table_opened", {"dice": "fair", "stream": "ab" * 16}),
        ("seed_committed", {"epoch": 1, "commitment": house.hex()}),
        ("mix_frozen", {"epoch": 1, "mix": mixed.hex()}),
        *(("rolled", {"epoch": 1, "roll": number, "dice": shown}) for number, shown in enumerate(told, start=1)),
        ("seed_revealed", {"epoch": 1, "rolls": 3, "seed": seed.hex()}),
    ]
    entries = (
        {"table": "t1", "sequence": at, "kind": kind, "body": body} for at, (kind, body) in enumerate(bodies, start=1)
    )
    return "".join(f"{json.dumps(entry)}\n" for entry in entries).encode()


def test_the_dice_of_an_export_are_checked_in_javascript() -> None:
    """All of them, and it says how many."""
    ran = verifier("export", "-", given=lines([[], [], []]))
    assert ran.returncode == 0, ran.stdout
    counts = {name: number for name, number in json.loads(ran.stdout)["counts"].items() if number}
    assert counts == {"tables": 1, "epochs": 1, "rolls": 3, "first_protocol": 1}


def test_what_live_tables_wrote_is_checked_in_javascript() -> None:
    """Seeds of players, a lost epoch, void rolls, tables with other dice: both verifiers count the same rolls."""
    export = lines_of(whole_pit())
    ran = verifier("export", "-", given=b"".join(export))
    found = json.loads(ran.stdout)
    assert (ran.returncode, found["faults"]) == (0, [])
    ours = verify(export).counts
    assert found["counts"]["rolls"] == ours["rolls"] > 10
    assert found["counts"]["seeds"] == ours["player_seeds"]
    assert found["counts"]["epochs"] == ours["epochs"]


@pytest.mark.parametrize("kind", ["player_seed_revealed", "mix_frozen", "seed_revealed", "seed_committed", "rolled"])
def test_a_lie_about_seeds_or_dice_is_found_in_javascript(kind: str) -> None:
    """One hexadecimal digit or one face."""
    entries = [json.loads(line) for line in lines_of(whole_pit())]
    body = next(entry["body"] for entry in entries if entry.get("kind") == kind and entry["table"] == "fair")
    if kind == "rolled":
        body["dice"][0] = 7 - body["dice"][0]
    else:
        name = {"mix_frozen": "mix", "seed_committed": "commitment"}.get(kind, "seed")
        body[name] = f"{int(body[name][0], 16) ^ 1:x}{body[name][1:]}"
    ran = verifier("export", "-", given="".join(f"{json.dumps(entry)}\n" for entry in entries).encode())
    assert ran.returncode == 1
    assert {fault["table"] for fault in json.loads(ran.stdout)["faults"]} == {"fair"}


def test_a_wrong_roll_of_an_export_is_found_in_javascript() -> None:
    """No roll of three sixes running escapes it."""
    ran = verifier("export", "-", given=lines([[], [6, 6], []]))
    assert ran.returncode == 1
    assert "roll 2 is told as 6-6" in json.loads(ran.stdout)["faults"][0]["what"]


def test_an_export_without_dice_is_not_called_right() -> None:
    """Nothing checked is nothing shown."""
    assert verifier("export", "-", given=b"").returncode == 1
    assert verifier("export", "-", given=b"{").returncode == 2
    assert verifier("export", "nowhere.jsonl").returncode == 2
    assert verifier("what").returncode == 2
