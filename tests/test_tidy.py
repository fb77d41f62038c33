"""The tree keeps the house's style, where a machine can tell.

Each check is a function from the text of a file to complaints. It is run on a planted sample first, to show that it
bites, and then on the tree.
"""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "passline"
ENGINE = SOURCE / "engine"

MODULE_LINES_MAX = 600
"""A module past this is asked what it is hiding."""

LONG_MODULES: dict[str, str] = {}
"""The modules that have answered: path from the root, and the reason."""

MACHINE_PATH = re.compile(r"(?<![\w.~}])/(?:work|root|home|Users)/")
"""A path that exists on one machine only."""

TEXT = {
    "",
    ".py",
    ".toml",
    ".md",
    ".csv",
    ".json",
    ".craps",
    ".ipynb",
    ".txt",
    ".cfg",
    ".svg",
    ".tcss",
    ".c",
    ".yml",
    ".mjs",
}
FOLDERS = (".ci", "bench", "docs", "examples", "scripts", "src", "tests")


# --- the checks ---------------------------------------------------------------------------------------------------


def machine_paths(text: str) -> Iterator[str]:
    """Complaints about paths of somebody's machine."""
    for number, line in enumerate(text.splitlines(), start=1):
        if found := MACHINE_PATH.search(line):
            yield f"{number}: {found.group()} is a path of one machine"


def inexact(text: str) -> Iterator[str]:
    """Complaints about arithmetic that is not exact: money is whole minor units and prices are ratios."""
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Constant(value=float() | complex()):
                yield f"{node.lineno}: {node.value!r} is a float"
            case ast.BinOp(op=ast.Div()) | ast.AugAssign(op=ast.Div()):
                yield f"{node.lineno}: `/` may leave the whole numbers; use `//` or Fraction(a, b)"
            case ast.Name(id="float" | "round" | "complex", ctx=ast.Load()):
                yield f"{node.lineno}: {node.id} has no place near money"
            case _:
                pass


def drawn(text: str) -> tuple[list[str], set[str]]:
    """The tree that ARCHITECTURE.md draws: its rows of layers, high to low, and all its names."""
    tree = text.split("## The tree", 1)[1].split("```")[1]
    rows = [re.split(r" {2,}", line.strip(), maxsplit=1)[0] for line in tree.splitlines() if line.strip()]
    layers = [row for row in rows if "/" not in row]
    return layers, {name for row in rows for name in row.split(" | ")}


def too_long(lengths: dict[str, int], allowed: dict[str, str]) -> Iterator[str]:
    """Complaints about modules past the limit without a reason, and about reasons that are no longer needed."""
    for path, lines in lengths.items():
        if lines > MODULE_LINES_MAX and not allowed.get(path, "").strip():
            yield f"{path} has {lines} lines, and LONG_MODULES gives no reason"
    for path in allowed:
        if lengths.get(path, 0) <= MODULE_LINES_MAX:
            yield f"{path} is in LONG_MODULES and is not long"


# --- the checks bite ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("check", "sample", "line"),
    [
        (machine_paths, f"x = 1\nfile = '/{'work'}/main'", 2),
        (machine_paths, f"see /{'root'}/.cache", 1),
        (machine_paths, f"file:///{'home'}/ann/x", 1),
        (inexact, "edge = 0.014", 1),
        (inexact, "half = stake / 2", 1),
        (inexact, "\nstake /= 2", 2),
        (inexact, "paid = float(stake)", 1),
        (inexact, "paid = round(price * stake)", 1),
        (inexact, "def pay(stake: float) -> int: ...", 1),
        (inexact, "pay = map(float, stakes)", 1),
    ],
)
def test_a_planted_fault_is_found(check: Callable[[str], Iterator[str]], sample: str, line: int) -> None:
    """Each check finds what it is for, on the line where it is."""
    complaints = list(check(sample))
    assert [complaint.partition(":")[0] for complaint in complaints] == [str(line)]


HERE = "wo" + "rk"
"""A folder that machines have, in a form that is not found in this file."""


@pytest.mark.parametrize(
    ("check", "sample"),
    [
        (machine_paths, f"the frame{HERE}/main and ../{HERE}/main and https://host/{HERE}/ and $HOME/{HERE}/x"),
        (inexact, "won = Fraction(stake * pays, per); half = stake // 2; bank.float = 3; text = '1/2 or 0.5'"),
    ],
)
def test_what_is_in_order_is_left_alone(check: Callable[[str], Iterator[str]], sample: str) -> None:
    """No check complains about what it should not."""
    assert list(check(sample)) == []


def test_a_long_module_needs_a_reason_and_a_reason_needs_a_long_module() -> None:
    """The list of long modules is neither too short nor out of date."""
    assert list(too_long({"a.py": 601}, {}))
    assert list(too_long({"a.py": 601}, {"a.py": " "}))
    assert list(too_long({"a.py": 600}, {"a.py": "was long"}))
    assert list(too_long({}, {"gone.py": "was here"}))
    assert list(too_long({"a.py": 601, "b.py": 600}, {"a.py": "one table of prices"})) == []


# --- the tree -----------------------------------------------------------------------------------------------------


def texts() -> list[Path]:
    """Every text of the project that somebody wrote."""
    inside = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*")]
    return sorted(
        path
        for path in [*ROOT.iterdir(), *inside]
        if path.is_file()
        and path.suffix in TEXT
        and not {".git", "__pycache__", ".ipynb_checkpoints"} & set(path.parts)
    )


def modules(folder: Path) -> list[Path]:
    """Every module in a folder."""
    return sorted(folder.rglob("*.py"))


def complaints_about(paths: list[Path], check: Callable[[str], Iterator[str]]) -> list[str]:
    """What a check says about files, each complaint with its file and line."""
    assert paths, "there is nothing to check"
    return [
        f"{path.relative_to(ROOT)}:{complaint}"
        for path in paths
        for complaint in check(path.read_text(encoding="utf-8"))
    ]


def test_no_file_knows_the_machine_it_was_written_on() -> None:
    """A clone works anywhere."""
    assert complaints_about(texts(), machine_paths) == []


def test_the_engine_counts_in_whole_numbers() -> None:
    """Floats never touch money."""
    assert complaints_about(modules(ENGINE), inexact) == []


def test_the_tree_is_as_it_is_drawn() -> None:
    """ARCHITECTURE.md shows the layers that import-linter holds us to, and every folder there is."""
    layers, names = drawn((ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8"))
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    wanted = [row.strip("()") for row in settings["contracts"][0]["layers"] if "__main__" not in row]
    assert layers == wanted
    folders = {
        path.relative_to(SOURCE).as_posix()
        for path in SOURCE.rglob("*")
        if path.is_dir() and path.name != "__pycache__" and any(inner.is_file() for inner in path.iterdir())
    }
    alone = {path.stem for path in SOURCE.glob("*.py") if not path.stem.startswith("__")}
    assert names == folders | alone


def test_long_modules_have_a_reason() -> None:
    """A module that does not fit in an afternoon says why."""
    sources = [path for folder in (SOURCE, ROOT / "bench", ROOT / "scripts") for path in modules(folder)]
    lengths = {
        path.relative_to(ROOT).as_posix(): len(path.read_text(encoding="utf-8").splitlines()) for path in sources
    }
    assert list(too_long(lengths, LONG_MODULES)) == []


def test_each_decision_has_a_number_of_its_own() -> None:
    """In its file's name and in its title, without a gap."""
    found = sorted((ROOT / "docs" / "decisions").glob("[0-9]*.md"))
    numbers = [int(path.name[:4]) for path in found]
    assert numbers == list(range(1, len(found) + 1))
    for number, path in zip(numbers, found, strict=True):
        assert path.read_text(encoding="utf-8").startswith(f"# {number}. "), path.name
