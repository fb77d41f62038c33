"""A house file before anybody asks what it means: its bytes, its text, its tree of values and its digest."""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from typing import TYPE_CHECKING, Any

from passline.errors import Finding, HouseFileError

if TYPE_CHECKING:
    from collections.abc import Iterator

FILE_BYTES_MAX = 1_000_000
"""No house needs a longer file; a longer one is something else."""

CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
"""Characters that no rule book is written with."""

REPEATED = ("Cannot overwrite a value", "Cannot declare", "Duplicate inline table key")
"""How the TOML reader says that a key stands twice."""

PLACE = re.compile(r"^(?P<what>.*?) \(at (?:line (?P<line>\d+), column (?P<column>\d+)|end of document)\)$", re.DOTALL)
"""The TOML reader's message and the place it names."""


def tree(source: str | bytes, file: str) -> dict[str, Any]:
    """Read TOML into plain tables, lists, text, whole numbers and truth values, or say why it is none."""
    text = _text(source, file)
    try:
        values = tomllib.loads(text)
        odd = list(_odd_values(values, "", file))
    except RecursionError:
        deep = Finding(file, "", "tables or lists nested hundreds deep", "a house file, which needs four levels")
        raise HouseFileError([deep]) from None
    except ValueError as error:
        raise HouseFileError([_syntax(str(error), text, file)]) from None
    if odd:
        raise HouseFileError(odd)
    return values


def digest(source: str | bytes, file: str = "house file") -> str:
    """Name a house by what its file says: SHA-256 of its values, whatever its comments, spacing and order.

    >>> digest("id = 'a'  # a comment") == digest('id="a"')
    True
    """
    canonical = json.dumps(tree(source, file), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(canonical.encode()).hexdigest()


def _text(source: str | bytes, file: str) -> str:
    """Decode the file, refusing what is no text."""
    if len(source) > FILE_BYTES_MAX:
        found = f"{len(source)} bytes"
        raise HouseFileError([Finding(file, "", found, f"at most {FILE_BYTES_MAX}")])
    text = source if isinstance(source, str) else _decoded(source, file)
    if control := CONTROLS.search(text):
        raise HouseFileError([_control(control.group(), _at(text, control.start()), file)])
    return text


def _decoded(source: bytes, file: str) -> str:
    """Read bytes as UTF-8, with or without a mark in front."""
    try:
        return source.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = source.count(b"\n", 0, error.start) + 1
        found = f"byte 0x{source[error.start]:02x}, which is not UTF-8"
        raise HouseFileError([Finding(file, f"line {line}", found, "text in UTF-8")]) from None


def _at(text: str, position: int) -> str:
    """Name a place in a text by line and column, both counted from one."""
    return f"line {text.count(chr(10), 0, position) + 1}, column {position - text.rfind(chr(10), 0, position)}"


def _control(character: str, path: str, file: str) -> Finding:
    """Report a character that is not for reading."""
    name = "a NUL byte" if character == "\0" else f"control character 0x{ord(character):02x}"
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


def _odd_values(value: object, path: str, file: str) -> Iterator[Finding]:
    """Find what no part of a house file is made of: numbers with a point, bare dates, control characters."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _odd_values(inner, f"{path}.{key}" if path else key, file)
    elif isinstance(value, list):
        for inner in value:
            yield from _odd_values(inner, path, file)
    elif isinstance(value, str):
        if control := CONTROLS.search(value):
            yield _control(control.group(), path, file)
    elif not isinstance(value, int):
        yield Finding(file, path, f"`{value}`", 'a whole number, or text in quotes ("15:2", "2.5%", "2003-04-28")')
