"""A TOML file before anybody asks what it means: its text, its tree of values, and where each of them stands."""

import re
import tomllib
from collections.abc import Iterator
from errno import EFBIG
from pathlib import Path
from typing import Any, NamedTuple

from passline.errors import FileError, Finding
from passline.files.reading import decoded, read_bytes, too_long, unmarked

FILE_BYTES_MAX = 1_000_000  # no house and no strategy needs a longer file; a longer one is something else
WHOLE_MAX = 10**18  # no whole number of a file is larger; a larger one only costs time

# What parts words and lines.
SPACES = dict.fromkeys((9, 10, 13, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000), " ")

# How the TOML reader says that a key stands twice.
REPEATED = ("Cannot overwrite a value", "Cannot declare", "Duplicate inline table key")

# The TOML reader's message and the place it names.
PLACE = re.compile(r"^(?P<what>.*?) \(at (?:line (?P<line>\d+), column (?P<column>\d+)|end of document)\)$", re.DOTALL)


def tree(source: str | bytes | Path, file: str, what: str, error: type[FileError]) -> dict[str, Any]:
    """Read TOML, given as its text, its bytes or its path, into plain tables, lists, text, whole numbers and truths.

    `what` is what the file should be ("a house file"), and `error` is raised with everything that keeps it from that.
    """
    try:
        content = read_bytes(source, FILE_BYTES_MAX) if isinstance(source, Path) else source
    except OSError as failed:
        why = (failed.strerror or type(failed).__name__).lower()
        fewer = f"{what}, which needs fewer" if failed.errno == EFBIG else what
        raise error([Finding(file, "", why, fewer)]) from None
    if len(content) > FILE_BYTES_MAX:
        raise error([Finding(file, "", too_long(FILE_BYTES_MAX), f"{what}, which needs fewer")])
    try:
        text = unmarked(content) if isinstance(content, str) else decoded(content)
    except UnicodeDecodeError as wrong:
        line = wrong.object.count(b"\n", 0, wrong.start) + 1
        byte = f"byte 0x{wrong.object[wrong.start]:02x}, which is not UTF-8"
        raise error([Finding(file, f"line {line}", byte, "text in UTF-8")]) from None
    if (at := _unseen(text)) is not None:
        place = f"line {text.count(chr(10), 0, at) + 1}, column {at - text.rfind(chr(10), 0, at)}"
        raise error([_control(text[at], place, file)])
    values: dict[str, Any] = {}
    try:
        values = tomllib.loads(text)
        odd = list(odd_values(values, "", file))
    except RecursionError:
        odd = [Finding(file, "", "tables or lists nested hundreds deep", f"{what}, which needs four levels")]
    except ValueError as wrong:
        odd = [_syntax(str(wrong), text, file)]
    if odd:
        raise error(odd)
    return values


def _unseen(text: str) -> int | None:
    """Where the first character stands that nobody sees: a terminal may obey it, or it hides and turns the others."""
    words = text.translate(SPACES)
    return None if words.isprintable() else next(at for at, char in enumerate(words) if not char.isprintable())


def _control(character: str, path: str, file: str) -> Finding:
    name = "a NUL byte" if character == "\0" else f"the invisible character U+{ord(character):04X}"
    return Finding(file, path, name, "text")


def _syntax(message: str, text: str, file: str) -> Finding:
    """Turn the TOML reader's complaint into a finding with its line, column and the line itself."""
    match = PLACE.match(message)
    what, number = (match["what"], match["line"]) if match else (message, None)
    if match is None or number is None:
        return Finding(file, "the end" if match else "", f"broken TOML ({what})", "a complete TOML file")
    line = text.splitlines()[int(number) - 1].strip() if int(number) <= len(text.splitlines()) else ""
    path = f"line {number}, column {match['column']}"
    if what.startswith(REPEATED):
        return Finding(file, path, f"a key for the second time in `{line}`", "each key once")
    return Finding(file, path, f"broken TOML in `{line}` ({what})", "a TOML file")


def odd_values(value: object, path: str, file: str) -> Iterator[Finding]:
    """Find what no part of such a file is made of: numbers broken or endless, bare dates, control characters."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if (at := _unseen(key)) is not None:
                yield _control(key[at], path, file)
            yield from odd_values(inner, f"{path}.{key}" if path else key, file)
    elif isinstance(value, list):
        for inner in value:
            yield from odd_values(inner, path, file)
    elif isinstance(value, str):
        if (at := _unseen(value)) is not None:
            yield _control(value[at], path, file)
    elif isinstance(value, int):
        if abs(value) > WHOLE_MAX:
            yield Finding(file, path, f"a number of {value.bit_length()} bits", f"a whole number up to {WHOLE_MAX}")
    else:
        yield Finding(file, path, f"`{value}`", 'a whole number, or text in quotes ("15:2", "2.5%", "2003-04-28")')


Steps = tuple[str | int, ...]  # the keys on the way to a value, and the places in lists, counted from 0

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


def places(text: str) -> dict[Steps, Place]:
    """Every value of a TOML text that can be read, and every table by the header that opens it."""
    return _Scan(text).places


class _Scan:
    """Reads a text from its beginning to its end; what tomllib would refuse is not looked for."""

    def __init__(self, text: str) -> None:
        self.text, self.at, self.places = text, 0, dict[Steps, Place]()
        counts: dict[Steps, int] = {}
        inside: Steps = ()
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

    def _aim(self, keys: Steps, counts: dict[Steps, int]) -> Steps:
        """A header means the last table of each list on its way."""
        aimed: Steps = ()
        for place, key in enumerate(keys):
            aimed = (*aimed, key)
            if place < len(keys) - 1 and aimed in counts:
                aimed = (*aimed, counts[aimed])
        return aimed

    def _skip(self) -> None:
        match = BLANK.match(self.text, self.at)
        assert match is not None
        self.at = match.end()

    def _keys(self) -> Steps:
        """A key, and those that dots join to it."""
        keys: list[str] = []
        while match := KEY.match(self.text, self.at):
            key = match.group()
            keys.append(next(iter(tomllib.loads(f"{key} = 0"))) if key[0] in "\"'" else key)
            self.at = match.end()
            while self.text[self.at : self.at + 1] in {" ", "\t", "."}:
                self.at += 1
        return tuple(keys)

    def _pair(self, inside: Steps) -> None:
        """A key and its value."""
        began, keys = self.at, self._keys()
        self.at = self.text.index("=", self.at) + 1
        self._skip()
        self._value((*inside, *keys), began)

    def _value(self, path: Steps, key: int) -> None:
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
    begun: Steps = ()
    for step in WORD.finditer(finding.path):
        on = _step(by_path, begun, step.group(), step[1])
        if on is None:
            break
        begun = on
    place = by_path.get(begun) or next((each for path, each in by_path.items() if path[: len(begun)] == begun), None)
    return None if not begun or place is None else text.count("\n", 0, place.key) + 1


def _step(by_path: dict[Steps, Place], begun: Steps, word: str, number: str | None) -> Steps | None:
    """One step on: by a number from 1, by a key, or by a key that is among several totals."""
    if number is not None:
        on: Steps = (*begun, int(number) - 1)
        return on if any(path[: len(on)] == on for path in by_path) else None
    keys = {path[len(begun)] for path in by_path if len(path) > len(begun) and path[: len(begun)] == begun}
    for key in keys:
        if isinstance(key, str) and (key == word or word in key.split(",")):
            return (*begun, key)
    return None
