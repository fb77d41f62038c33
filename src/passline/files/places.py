"""Where everything stands in a TOML text: the line of a complaint, and the value that an editor changes."""

from __future__ import annotations

import re
import tomllib
from typing import NamedTuple

from passline.errors import Finding

Path = tuple[str | int, ...]  # the keys on the way to a value, and the places in lists, counted from 0

# What parts values: also commas, for only a text that was read before is looked at.
BLANK = re.compile(r"(?:[\s,]|#[^\n]*)*")
KEY = re.compile(r"""[A-Za-z0-9_-]+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'""")
STRING = re.compile(r'"""(?:[^\\]|\\.)*?"{3,5}|' + r"'''.*?'{3,5}" + r"""|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'""", re.DOTALL)
# A number, a truth or a time.
BARE = re.compile(r"[^\s,\]}#]+(?: [0-9:.+Z-]+)?")
# One step of a place as a complaint names it: `want[2].up.place_6`, counted from 1.
WORD = re.compile(r"[^.\[\]]+|\[(\d+)\]")
LINE = re.compile(r"line (\d+)")


class Place(NamedTuple):
    """Where a value stands in its text."""

    key: int  # where its key begins, or its bracket
    start: int
    end: int


def places(text: str) -> dict[Path, Place]:
    """Every value of a TOML text that can be read, and every table by the header that opens it."""
    return _Scan(text).places


class _Scan:
    """Reads a text from its beginning to its end; what tomllib would refuse is not looked for."""

    def __init__(self, text: str) -> None:
        self.text, self.at, self.places = text, 0, dict[Path, Place]()
        counts: dict[Path, int] = {}
        inside: Path = ()
        self._skip()
        while self.at < len(text):
            began = self.at
            if text[self.at] == "[":
                several = text.startswith("[[", self.at)
                self.at += 1 + several
                inside = self._aim(self._keys(), counts)
                if several:
                    number = counts[inside] = counts.get(inside, -1) + 1
                    inside = (*inside, number)
                self.at = text.index("]", self.at) + 1 + several
                self.places[inside] = Place(began, self.at, self.at)
            else:
                self._pair(inside)
            self._skip()

    def _aim(self, keys: Path, counts: dict[Path, int]) -> Path:
        """A header means the last table of each list on its way."""
        aimed: Path = ()
        for place, key in enumerate(keys):
            aimed = (*aimed, key)
            if place < len(keys) - 1 and aimed in counts:
                aimed = (*aimed, counts[aimed])
        return aimed

    def _skip(self) -> None:
        match = BLANK.match(self.text, self.at)
        assert match is not None
        self.at = match.end()

    def _keys(self) -> Path:
        """A key, and those that dots join to it."""
        keys: list[str] = []
        while match := KEY.match(self.text, self.at):
            key = match.group()
            keys.append(next(iter(tomllib.loads(f"{key} = 0"))) if key[0] in "\"'" else key)
            self.at = match.end()
            while self.text[self.at : self.at + 1] in {" ", "\t", "."}:
                self.at += 1
        return tuple(keys)

    def _pair(self, inside: Path) -> None:
        began, keys = self.at, self._keys()
        self.at = self.text.index("=", self.at) + 1
        self._skip()
        self._value((*inside, *keys), began)

    def _value(self, path: Path, key: int) -> None:
        start, opener = self.at, self.text[self.at]
        if opener in "[{":
            self.at += 1
            self._skip()
            place = 0
            while self.text[self.at] not in "]}":
                if opener == "{":
                    self._pair(path)
                else:
                    self._value((*path, place), self.at)
                    place += 1
                self._skip()
            self.at += 1
        else:
            match = STRING.match(self.text, self.at) or BARE.match(self.text, self.at)
            assert match is not None
            self.at = match.end()
        self.places[path] = Place(key, start, self.at)


def line_of(text: str, finding: Finding) -> int | None:
    """The line that a complaint is about, counted from 1; None where it is about the whole file."""
    if match := LINE.match(finding.path):
        return int(match[1])
    try:
        tomllib.loads(text)
        by_path = places(text)
    except (ValueError, RecursionError):
        return None
    begun: Path = ()
    for step in WORD.finditer(finding.path):
        on = _step(by_path, begun, step.group(), step[1])
        if on is None:
            break
        begun = on
    place = by_path.get(begun) or next((each for path, each in by_path.items() if path[: len(begun)] == begun), None)
    return None if not begun or place is None else text.count("\n", 0, place.key) + 1


def _step(by_path: dict[Path, Place], begun: Path, word: str, number: str | None) -> Path | None:
    """One step on: by a number from 1, by a key, or by a key that is among several totals."""
    if number is not None:
        on: Path = (*begun, int(number) - 1)
        return on if any(path[: len(on)] == on for path in by_path) else None
    keys = {path[len(begun)] for path in by_path if len(path) > len(begun) and path[: len(begun)] == begun}
    for key in keys:
        if isinstance(key, str) and (key == word or word in key.split(",")):
            return (*begun, key)
    return None
