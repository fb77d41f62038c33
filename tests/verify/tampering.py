"""Eight ways to tamper with an export, each at any place: what comes out, and where it was done."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.verify.building import head, written

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

from hashlib import sha256

FORGER = Ed25519PrivateKey.from_private_bytes(bytes(32))
"""Somebody's key, and not the house's."""


class Tampered(NamedTuple):
    """An export that is not what it was."""

    lines: list[bytes]
    line: int | None = None
    """The first line, from 1, that cannot be where it is; None where all lines are in order in themselves."""


def entries_of(lines: list[bytes]) -> range:
    """The places of the entries among the lines."""
    found = [number for number, line in enumerate(lines) if b'"previous":' in line]
    return range(found[0], found[-1] + 1)


def flip_a_bit(lines: list[bytes], random: Random) -> Tampered:
    """One bit of the whole file."""
    whole = bytearray(b"".join(lines))
    at = random.randrange(len(whole))
    whole[at] ^= 1 << random.randrange(8)
    return Tampered(bytes(whole).splitlines(keepends=True), sum(byte == 10 for byte in b"".join(lines)[:at]) + 1)


def delete(lines: list[bytes], random: Random) -> Tampered:
    """An entry is gone."""
    at = random.choice(entries_of(lines))
    return Tampered([*lines[:at], *lines[at + 1 :]], at + 1)


def swap(lines: list[bytes], random: Random) -> Tampered:
    """Two entries in each other's place."""
    first, second = sorted(random.sample(entries_of(lines), 2))
    made = list(lines)
    made[first], made[second] = made[second], made[first]
    return Tampered(made, first + 1)


def insert(lines: list[bytes], random: Random) -> Tampered:
    """An entry more, with a right hash of its own, after any other."""
    at = random.choice(entries_of(lines)[:-1])
    entry = json.loads(lines[at])
    entry |= {"previous": entry["hash"], "sequence": entry["sequence"] + 1, "key": "forged"}
    return Tampered([*lines[: at + 1], written(hashed(entry)) + b"\n", *lines[at + 1 :]], at + 3)


def cut_off(lines: list[bytes], random: Random) -> Tampered:
    """Entries from one on are gone, and the rest of the file is as it was."""
    entries = entries_of(lines)
    at = random.choice(entries)
    return Tampered([*lines[:at], *lines[entries.stop :]])


def write_anew(lines: list[bytes], random: Random, signer: str | None = None) -> Tampered:
    """One entry is changed where no rule looks, all hashes after it are made again, and a forger signs the heads.

    With a `signer` the table is opened anew as well, in the forger's name.
    """
    at = random.choice(entries_of(lines))
    made = [json.loads(line) for line in lines]
    if signer is not None:
        at = entries_of(lines).start
        made[at]["body"]["signer"] = signer
    made[at]["time"] = "2026-11-15T19:59:59Z"
    for number in entries_of(lines):
        if number >= at:
            made[number]["previous"] = made[number - 1].get("hash", "0" * 64)
            made[number] = hashed(made[number])
    chain = {made[number]["sequence"]: made[number] for number in entries_of(lines)}
    made[-1]["heads"] = [head(chain[each["sequence"]], FORGER) for each in made[-1]["heads"]]
    return Tampered([written(line) + b"\n" for line in made])


def edit_a_balance(lines: list[bytes], random: Random) -> Tampered:
    """One chip more, or less, in one account of the store."""
    at = next(number for number, line in enumerate(lines) if line.startswith(b'{"balances"'))
    data = json.loads(lines[at])
    accounts = data["balances"]["accounts"]
    account = random.choice([*sorted(accounts), "rail/9", "held/1/buy_4"])
    accounts[account] = accounts.get(account, 0) + random.choice((-1, 1))
    return Tampered([*lines[:at], written(data) + b"\n", *lines[at + 1 :]], at + 1)


TAMPERING: dict[str, Callable[[list[bytes], Random], Tampered]] = {
    "flip a bit": flip_a_bit,
    "delete": delete,
    "swap": swap,
    "insert": insert,
    "cut off": cut_off,
    "write anew": write_anew,
    "edit a balance": edit_a_balance,
}
"""All but the eighth, an older copy put back, for which there has to be an older copy."""


def hashed(entry: dict[str, Any]) -> dict[str, Any]:
    """An entry with the hash it should have."""
    bare = {name: value for name, value in entry.items() if name != "hash"}
    return {**bare, "hash": sha256(b"passline/entry/1\n" + written(bare)).hexdigest()}
