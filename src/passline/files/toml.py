"""A TOML file before anybody asks what it means: its bytes, its text and its tree of values."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from errno import EFBIG
from pathlib import Path
from typing import Any

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
        text = _text(read_bytes(source, FILE_BYTES_MAX) if isinstance(source, Path) else source, file, what)
        return _parsed(text, file, what)
    except OSError as failed:
        why = (failed.strerror or type(failed).__name__).lower()
        fewer = f"{what}, which needs fewer" if failed.errno == EFBIG else what
        raise error([Finding(file, "", why, fewer)]) from None
    except FileError as wrong:
        raise error(wrong.findings) from None


def _parsed(text: str, file: str, what: str) -> dict[str, Any]:
    values: dict[str, Any] = {}
    try:
        values = tomllib.loads(text)
        odd = list(odd_values(values, "", file))
    except RecursionError:
        deep = "tables or lists nested hundreds deep"
        odd = [Finding(file, "", deep, f"{what}, which needs four levels")]
    except ValueError as error:
        odd = [_syntax(str(error), text, file)]
    if odd:
        raise FileError(odd)
    return values


def _text(source: str | bytes, file: str, what: str) -> str:
    """Decode the file, refusing what is no text."""
    if len(source) > FILE_BYTES_MAX:
        raise FileError([Finding(file, "", too_long(FILE_BYTES_MAX), f"{what}, which needs fewer")])
    try:
        text = unmarked(source) if isinstance(source, str) else decoded(source)
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        byte = f"byte 0x{error.object[error.start]:02x}, which is not UTF-8"
        raise FileError([Finding(file, f"line {line}", byte, "text in UTF-8")]) from None
    if (at := _unseen(text)) is not None:
        place = f"line {text.count(chr(10), 0, at) + 1}, column {at - text.rfind(chr(10), 0, at)}"
        raise FileError([_control(text[at], place, file)])
    return text


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
            size = f"a number of {value.bit_length()} bits"
            yield Finding(file, path, size, f"a whole number up to {WHOLE_MAX}")
    else:
        yield Finding(file, path, f"`{value}`", 'a whole number, or text in quotes ("15:2", "2.5%", "2003-04-28")')
