"""Where things stand in a TOML text."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import pytest

from passline.errors import Finding
from passline.files.toml import line_of, places
from passline.rulebooks.catalogue import house_files

if TYPE_CHECKING:
    from collections.abc import Iterator

ODD = """
a.b = { "c,d" = [1, 'x'], e.f = \"\"\"two
lines\"\"\" } # } not an end
[[want]]
when = "puck # off"
[[want]]
up = {
}
list = [
  [1, 2], # first
  [3],
]
[want.inner]
"quoted key" = 1979-05-27 07:32:00
"""


def values(tree: object, path: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    """Every value that is not a table, by its path."""
    if isinstance(tree, dict):
        for key, inner in tree.items():
            yield from values(inner, (*path, key))
    else:
        yield path, tree
        for place, inner in enumerate(tree if isinstance(tree, list) else ()):
            yield from values(inner, (*path, place))


def test_every_value_is_found_where_it_stands() -> None:
    """In every house, every strategy, and a text that writes the same things otherwise."""
    library = (each.read_text("utf-8") for each in (files("passline.strategies") / "library").iterdir())
    odd = ODD.replace("up = {\n}", "up = {}")
    for text in (odd, *(path.read_text("utf-8") for path in house_files().values()), *library):
        if "=" not in text:
            continue
        found = places(text)
        for path, value in values(tomllib.loads(text)):
            if path in found:
                assert tomllib.loads(f"x = {text[found[path].start : found[path].end]}")["x"] == value, path
            else:
                assert isinstance(value, list), path  # a list of tables has no value of its own
                assert (*path, 0) in found


@pytest.mark.parametrize(
    ("path", "line"),
    [("want[2].up.place_6", 4), ("want[1]", 1), ("pays.6", 6), ("pays.7", 6), ("line 3, column 1", 3), ("no", None)],
)
def test_a_complaint_has_a_line(path: str, line: int | None) -> None:
    """The deepest place of it that there is; a total may stand among others."""
    text = '[[want]]\nup = { pass = 1 }\n[[want]]\nup = { place_6 = "x" }\n\n[pays]\n"6,8" = 1\n'
    expected = 7 if path == "pays.6" else line
    assert line_of(text, Finding("f", path, "x", "y")) == expected
    assert line_of("[" * 5000, Finding("f", "a", "x", "y")) is None
