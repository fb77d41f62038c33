"""House and strategy files that somebody uploads, and what is wrong with them: each fault with its line."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from passline.errors import FileError, Finding, HouseFileError
from passline.files.places import line_of
from passline.pit.people.names import letters_of
from passline.rulebooks.catalogue import house_files
from passline.strategies.language.read import read_strategy
from passline.strategies.language.strategy import Strategy
from passline.strategies.player.where import booked_anywhere
from passline.web.problems import Problem
from passline.web.schemas import File

FAULTS_MAX = 50
"""Faults of one file that are answered."""


def read_file(upload: File, **more: Any) -> Strategy:  # noqa: ANN401 - as below
    """A strategy file, or a problem that says where."""
    with faults(upload.text, **more):
        return read_strategy(upload.text, upload.file, booked_anywhere())


def check_own(upload: File) -> None:
    """Refuse a house file under the id or the name of a built-in house, unless it says what that house's file says."""
    text = tomllib.loads(upload.text)
    ours = [tomllib.loads(path.read_text(encoding="utf-8")) for path in house_files().values()]
    if text in ours:
        return
    taken = {letters_of(house[key]) for house in ours for key in ("id", "name")}
    for key, what in (("id", "an id"), ("name", "a name")):
        if letters_of(text[key]) in taken:
            expected = f"{what} of its own: a house of the program is called so, and its book says other things"
            raise HouseFileError([Finding(upload.file, key, repr(text[key]), expected)])


@contextmanager
def faults(source: str, **more: Any) -> Iterator[None]:  # noqa: ANN401 - whatever a page wants to know
    """Answer what is wrong with a file as a problem: where, what stands there, what should."""
    try:
        yield
    except FileError as error:
        findings = [
            {
                "line": line_of(source, each),
                "path": each.path,
                "found": each.found,
                "expected": each.expected,
                "nearest": each.nearest,
            }
            for each in error.findings[:FAULTS_MAX]
        ]
        what = "house" if isinstance(error, HouseFileError) else "strategy"
        raise Problem(422, f"{what}.unreadable", str(error), findings=findings, **more) from None
