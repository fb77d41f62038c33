"""The vectors of docs/dice.md; `python -m tests.chance.vectors` writes them again."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

from passline.live.dice import (
    HAND_TAG,
    LINK_TAG,
    chain,
    commitment,
    dealt,
    message,
    mix,
    off_of,
    picked,
    player_commitment,
    roll,
)
from tests.chance.villains import tables

FILE = Path(__file__).parents[2] / "docs" / "dice-vectors.json"

MANY_TABLE = "vectors"
MANY_EPOCHS = 100
MANY_ROLLS = 1_000


def many_seed(epoch: int) -> bytes:
    """The house's seed of one of the hundred epochs."""
    return sha256(message("passline/dice/1/vectors", epoch)).digest()


def many_throws(epochs: int = MANY_EPOCHS) -> bytes:
    """Their 100,000 rolls, a byte each; or those of more epochs."""
    throws = bytearray()
    for epoch in range(1, epochs + 1):
        seed = many_seed(epoch)
        mixed = mix(MANY_TABLE, epoch, commitment(MANY_TABLE, epoch, seed), {})
        throws += bytes(roll(seed, MANY_TABLE, epoch, number, mixed).throw for number in range(1, MANY_ROLLS + 1))
    return bytes(throws)


def an_epoch(table: str, number: int, word: str, players: tuple[str, ...], rolls: int) -> dict[str, Any]:
    """A whole epoch, its seeds made from words."""
    seed = sha256(word.encode()).digest()
    house = commitment(table, number, seed)
    seeds = {player: sha256(f"{word}, {player}".encode()).digest() for player in players}
    mixed = mix(table, number, house, seeds)
    return {
        "table": table,
        "epoch": number,
        "seed": seed.hex(),
        "commitment": house.hex(),
        "players": [
            {
                "player": player,
                "seed": given.hex(),
                "commitment": player_commitment(table, number, player, house, given).hex(),
            }
            for player, given in seeds.items()
        ],
        "mix": mixed.hex(),
        "rolls": " ".join(str(roll(seed, table, number, at, mixed)) for at in range(1, rolls + 1)),
    }


def many_dealt(epochs: int = MANY_EPOCHS) -> bytes:
    """The 100,000 rolls of protocol 2 with nobody's hand in them, a byte each; or those of more epochs."""
    throws = bytearray()
    for epoch in range(1, epochs + 1):
        last = sha256(message("passline/dice/2/vectors", epoch)).digest()
        links = chain(LINK_TAG, (MANY_TABLE, epoch), last)
        throws += bytes(dealt(links[at], MANY_TABLE, epoch, at, {}).throw for at in range(1, MANY_ROLLS + 1))
    return bytes(throws)


def a_chain(table: str, epoch: int, word: str, people: tuple[str, ...], rolls: int) -> dict[str, Any]:
    """A house's chain with the hands of people, all made from words; hand `h` is that person's h-th."""
    last = sha256(word.encode()).digest()
    links = chain(LINK_TAG, (table, epoch), last)
    hands = {}
    for number, person in enumerate(people, start=1):
        end, w = (sha256(f"{word}, {person}{more}".encode()).digest() for more in ("", ", off"))
        hands[person] = chain(HAND_TAG, (table, person, number), end), number, w
    return {
        "table": table,
        "epoch": epoch,
        "last": last.hex(),
        "anchor": links[0].hex(),
        "links": {str(at): links[at].hex() for at in (1, 2, 999)},
        "hands": [
            {
                "person": person,
                "hand": number,
                "last": values[-1].hex(),
                "anchor": values[0].hex(),
                "first": values[1].hex(),
                "w": w.hex(),
                "off": off_of(table, person, number, w).hex(),
            }
            for person, (values, number, w) in hands.items()
        ],
        "rolls": " ".join(
            str(dealt(links[at], table, epoch, at, {person: hand[0][at] for person, hand in hands.items()}))
            for at in range(1, rolls + 1)
        ),
    }


def field(value: str | int | bytes) -> dict[str, object]:
    """A field as the file writes it."""
    match value:
        case str():
            return {"text": value}
        case int():
            return {"number": str(value)}
        case _:
            return {"bytes": value.hex()}


def made() -> dict[str, Any]:
    """Everything in the file."""
    messages: list[tuple[str | int | bytes, ...]] = [
        ("t", 1, b"ab"),
        ("", b"", 0),
        ("a", "b"),
        ("ab", ""),
        ("tischgespräch 🎲", 2**64 - 1, bytes(32)),
        ("t", 2**53 + 1),
    ]
    unfair = bytes(range(252, 256)) * 8
    blocks = [
        [bytes([251]) + unfair[1:]],
        [unfair[:31] + b"\x00"],
        [unfair[:5] + bytes([35, 0, 1]) + unfair[8:]],
        [unfair, unfair[:1] + bytes([36]) + bytes(30)],
    ]
    return {
        "about": "Values for every step of docs/dice.md; python -m tests.chance.vectors writes this file.",
        "messages": [
            {"fields": [field(value) for value in fields], "message": message(str(fields[0]), *fields[1:]).hex()}
            for fields in messages
        ],
        "faces": " ".join(str(picked(bytes([byte])) or "none") for byte in range(256)),
        "blocks": [
            {"blocks": [block.hex() for block in case], "roll": str(next(filter(None, map(picked, case))))}
            for case in blocks
        ],
        "chains": [
            a_chain("baize", 1, "five", (), 40),
            a_chain("baize", 2, "six", ("ann",), 40),
            a_chain("Große Runde/7", 3, "seven", ("Zoë", "zoe", "ann", "\uff5e", "🎲", "an", "", "x" * 200), 1000),
        ],
        "many2": {
            "table": MANY_TABLE,
            "epochs": MANY_EPOCHS,
            "rolls": MANY_ROLLS,
            "sha256": sha256(many_dealt()).hexdigest(),
        },
        "tables": tables(),
        "epochs": [
            an_epoch("baize", 1, "one", (), 40),
            an_epoch("baize", 2, "two", ("Ann",), 40),
            an_epoch("Große Runde/7", 1000, "three", ("Zoë", "zoe", "Ann", "\uff5e", "🎲", "An", ""), 1000),
            an_epoch("x" * 300, 2**53 - 1, "four", ("Bob", "Ann"), 40),
        ],
        "many": {
            "table": MANY_TABLE,
            "epochs": MANY_EPOCHS,
            "rolls": MANY_ROLLS,
            "sha256": sha256(many_throws()).hexdigest(),
        },
    }


def text() -> str:
    """The file as it should be."""
    return json.dumps(made(), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
