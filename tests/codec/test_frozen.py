"""What was once written stays readable: a line of every kind in every version, kept for ever.

`python -m tests.codec.test_frozen` adds the lines that are missing. A line that is there is never changed: when a kind
has to be written differently, it gets an upcast (`passline.codec.UPCASTS`), and with it a new version and new lines.
"""

from __future__ import annotations

import json
from pathlib import Path

from passline.codec import KINDS, decode, encode, version_of
from tests.codec.samples import samples
from tests.tables import cases

FROZEN = Path(__file__).parent / "frozen"


def lines() -> list[str]:
    """Every line that was ever frozen."""
    return [line for path in sorted(FROZEN.glob("*.jsonl")) for line in path.read_text("ascii").splitlines()]


def of(line: str) -> tuple[str, int]:
    """The kind and version that a line says it is."""
    data = json.loads(line)
    return data["kind"], data["v"]


@cases("line", lines(), ids=lambda line: "{0[0]}-{0[1]}".format(of(line)))
def test_a_frozen_line_is_still_read(line: str) -> None:
    """Every line ever written; those of today's version are written the same way again, byte for byte."""
    value = decode(line)
    name, version = of(line)
    assert isinstance(value, KINDS[name])
    if version == version_of(name):
        assert encode(value) == line, f"{name} is written otherwise now: that needs an upcast and a new version"


def test_every_version_of_every_kind_is_frozen() -> None:
    """A new kind, and a new version of an old one, is frozen in the change that makes it."""
    frozen = {of(line) for line in lines()}
    wanted = {(name, version) for name in KINDS for version in range(1, version_of(name) + 1)}
    assert not wanted - frozen, "run `python -m tests.codec.test_frozen`"


def test_no_kind_changes_without_a_new_version() -> None:
    """A field more or less, renamed, moved or of another type changes what a full value is written as."""
    frozen = lines()
    changed = sorted({of(encode(value)) for value in samples() if encode(value) not in frozen})
    assert not changed, "these are written otherwise now: each needs an upcast and a new version"


if __name__ == "__main__":
    known = lines()
    with (FROZEN / "1.jsonl").open("a", encoding="ascii") as file:
        file.writelines(encode(value) + "\n" for value in samples() if encode(value) not in known)
