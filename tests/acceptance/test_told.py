"""What is written about strategies and analysis is complete, and the notebooks are what the program says today."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from passline.cli.app import app
from passline.house import House
from passline.strategies.language import conditions as c
from passline.strategies.language import grammar
from passline.strategies.language.read import built_in

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
NOTEBOOK_BYTES_MAX = 200_000
"""A notebook is read, diffed and cloned by everybody."""


def page(name: str) -> str:
    """A page of the documentation."""
    return (ROOT / "docs" / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("command", ["exact", "simulate"])
def test_every_option_is_documented(command: str) -> None:
    """Each option of the two commands stands on the page about them."""
    told = page("analysis.md")
    for parameter in get_command(app).commands[command].params:  # type: ignore[attr-defined]
        if parameter.param_type_name == "option":
            named = [name for name in (*parameter.opts, *parameter.secondary_opts) if name != "--exact"]
            assert all(name in told for name in named), named


def test_every_word_of_the_language_is_documented() -> None:
    """Each number, question and event that a condition can name stands on the page about strategies."""
    told = page("strategies.md")
    for word in (*c.QUANTITIES, *c.ASKS, *c.DECIDED, *c.OF_ROLL):
        assert f"`{word}" in told, word
    for word in grammar.AMOUNTS:
        assert f'`"{word}' in told, word


def test_every_strategy_is_documented() -> None:
    """The library is listed, each with its sentence."""
    told = page("strategies.md")
    assert [name for name in built_in() if f"| `{name}` |" not in told] == []


def test_houses_show_themselves() -> None:
    """A house in a notebook is its rule card, and nothing in it can break out of the page."""
    for house in House.all():
        shown = house._repr_html_()
        assert shown.startswith("<table>")
        assert shown.count("<tr>") > 20
        assert "Don't" not in shown, "quotation marks are escaped"


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_come_with_their_results(path: Path) -> None:
    """Every cell was run, in order, none failed, and the whole is small."""
    cells: list[dict[str, Any]] = [cell for cell in _read(path)["cells"] if cell["cell_type"] == "code"]
    assert [cell["execution_count"] for cell in cells] == list(range(1, len(cells) + 1))
    assert not [out for cell in cells for out in cell["outputs"] if out["output_type"] == "error"]
    assert any("image/png" in out.get("data", {}) for cell in cells for out in cell["outputs"])
    assert path.stat().st_size < NOTEBOOK_BYTES_MAX


def _read(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def test_what_we_show_needs_no_deep_import() -> None:
    """Docs, README and notebooks use public names, codec, errors, floor, live tables here and afar, environments."""
    public = "client|codec|envs|errors|floor|pit|testing"
    deep = re.compile(rf"^[ >]*(?:from|import) passline\.(?!(?:{public})\b)\S+", re.MULTILINE)
    shown = {
        path.name: path.read_text(encoding="utf-8") for path in (ROOT / "README.md", *(ROOT / "docs").rglob("*.md"))
    }
    shown |= {path.name: "\n".join("".join(cell["source"]) for cell in _read(path)["cells"]) for path in NOTEBOOKS}
    assert {name: found for name, text in shown.items() if (found := deep.findall(text))} == {}
    assert deep.search(">>> from passline.odds.wagers import odds_of"), "and it would be found"


def test_there_are_two_notebooks() -> None:
    """About houses, and about an evening."""
    assert [path.stem for path in NOTEBOOKS] == ["an-evening-of-three-point-molly", "which-house-is-kindest"]


@pytest.mark.slow
def test_notebooks_still_run() -> None:
    """From the first cell to the last."""
    command = [sys.executable, "-m", "pytest", "-p", "nbmake", "--nbmake", "-q", "-n0", "-p", "no:cacheprovider"]
    ran = subprocess.run([*command, *NOTEBOOKS], cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout
    assert f"{len(NOTEBOOKS)} passed" in ran.stdout
