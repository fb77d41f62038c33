"""Golden playthroughs: the examples, event by event, as they were when somebody last read them through.

`python -m tests.test_playthroughs` writes them anew; read the difference before you commit it.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from passline.codec.printed import event_json, refusal_json
from passline.engine.refusals import Refusal
from passline.record.record import read
from passline.rulebooks.read import built_in
from passline.table import replay

ROOT = Path(__file__).parent.parent
EXAMPLES = sorted((ROOT / "examples").glob("*.craps"))
GOLDEN = Path(__file__).parent / "playthroughs"


def told(path: Path) -> str:
    """A record's JSON, as `passline replay --json` prints it."""
    table = replay(path)
    lines: list[dict[str, object]] = []
    for act, moment in zip(read(path).acts, table.history, strict=True):
        if isinstance(moment.answer, Refusal):
            lines.append(refusal_json(moment.answer, act.line))
        else:
            lines += [event_json(table.house.layout, event) for event in moment.answer]
    lines.append(table.to_json())
    return "".join(json.dumps(line) + "\n" for line in lines)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_plays_as_it_did(path: Path) -> None:
    """Every event, refusal and chip of an example is the one that was read and found right."""
    assert told(path) == (GOLDEN / f"{path.stem}.jsonl").read_text(encoding="utf-8")


def test_every_house_has_a_playthrough() -> None:
    """A house without an example is a house nobody has watched."""
    assert {replay(path).house.id for path in EXAMPLES} == set(built_in())


def test_every_playthrough_has_its_example() -> None:
    """No golden file outlives its record."""
    assert {path.stem for path in GOLDEN.glob("*.jsonl")} == {path.stem for path in EXAMPLES}


if __name__ == "__main__":
    for example in EXAMPLES:
        (GOLDEN / f"{example.stem}.jsonl").write_text(told(example), encoding="utf-8")
