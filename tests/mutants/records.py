"""Records changed word by word and byte by byte: replayed, or refused with line and column."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from passline.errors import RecordError
from passline.record.record import read_text
from passline.table import Table, replay
from tests.mutants.evenings import NUMBERS, ODD

if TYPE_CHECKING:
    from random import Random

EXAMPLES = Path(__file__).parents[2] / "examples"


def mutant(rng: Random) -> str:
    """Read one changed record, and replay it if it can be read."""
    lines = rng.choice(_records()).split("\n")
    for _ in range(rng.choice((1, 1, 2, 4))):
        _change(lines, rng)
    text = "\n".join(lines)
    try:
        record = read_text(text)
    except RecordError as error:
        assert 1 <= error.line <= text.count("\n") + 1
        assert error.column >= 1
        assert all(line.isprintable() and len(line) < 2000 for line in str(error).splitlines())
        return "refused"
    table = Table.opened(record)
    for act in record.acts:
        table.do(act.command)
    again = replay(table.record())
    assert again.state == table.state
    return "replayed"


@cache
def _records() -> tuple[str, ...]:
    found = tuple(path.read_text(encoding="utf-8") for path in sorted(EXAMPLES.glob("*.craps")))
    assert found
    return found


def _change(lines: list[str], rng: Random) -> None:
    """Change a line, or where it stands."""
    at = rng.randrange(len(lines))
    match rng.randrange(7):
        case 0:
            del lines[at : at + rng.randrange(1, 3)]
        case 1:
            lines.insert(at, rng.choice(lines or [""]))
        case 2:
            lines.insert(
                at, rng.choice(("post min=50", "close", "die-off 1", "1 leave", "return-all x", "1 tokens 50"))
            )
        case 3:
            place = rng.randrange(len(lines[at]) + 1)
            lines[at] = (
                lines[at][:place] + chr(rng.choice((0, 9, 27, 35, 61, 155, 8238, 65279, 128512))) + lines[at][place:]
            )
        case _:
            words = lines[at].split() or [""]
            others = rng.choice(lines).split() if lines else []
            words[rng.randrange(len(words))] = rng.choice((*NUMBERS, *ODD, *others))
            lines[at] = " ".join(words)
    if not lines:
        lines.append("")
