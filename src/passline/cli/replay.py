"""`passline replay`: play a record again."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from passline.cli.errors import REFUSED, fail

if TYPE_CHECKING:
    from passline.record.record import Record

EXAMPLE = """Play a record again, as the crew would tell it.

Example: `passline replay examples/hot-hand.craps`, or `passline replay --json - < evening.craps`
"""


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command("replay", help=EXAMPLE)(replay)


def replay(
    file: Annotated[str, typer.Argument(help="A record (.craps), or - for standard input.")],
    as_json: Annotated[
        bool, typer.Option("--json", help="One JSON object a line: events, refusals, the table.")
    ] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Stop at the first refusal, exit code 1.")] = False,
) -> None:
    """Play a record again."""
    from passline.engine.layout import lay_out
    from passline.engine.refusals import Refusal
    from passline.engine.table import open_table
    from passline.record.replay import play
    from passline.record.wire import event_json, refusal_json, table_json
    from passline.telling.sentences import say

    record = _read(file)
    layout = lay_out(record.book)
    out = sys.stdout.write
    table = open_table(record.notice, record.book.dice.dice_set.value)
    refused = False
    for step in play(record, layout):
        if isinstance(step.answer, Refusal):
            refused = True
            told = json.dumps(refusal_json(step.answer, step.act.line)) if as_json else f"   no: {step.answer.message}"
            out(told + "\n")
            if strict:
                break
            continue
        for event in step.answer:
            out((json.dumps(event_json(layout, event)) if as_json else say(layout, step.table, event)) + "\n")
        table = step.table
    shown = table_json(layout, table)
    out((json.dumps(shown) if as_json else _closing(shown)) + "\n")
    if strict and refused:
        raise typer.Exit(REFUSED)


def _read(file: str) -> Record:
    """Read a record from a file or standard input, or leave with exit code 2."""
    from passline.errors import RecordError
    from passline.record.replay import read

    try:
        if file == "-":
            return read(sys.stdin.buffer.read().decode("utf-8"), Path(), "standard input")
        path = Path(file)
        return read(path.read_bytes().decode("utf-8"), path.parent, path.name)
    except RecordError as error:
        fail(str(error))
    except UnicodeDecodeError as error:
        fail(f"{file}: byte {error.start} is not UTF-8 text; a record is plain text")
    except OSError as error:
        fail(f"{file}: {error.strerror or error}; give the path of a .craps record, or - for standard input")


def _closing(shown: dict[str, object]) -> str:
    """The table at the end, for people."""
    seats = shown["seats"]
    assert isinstance(seats, dict)
    lines = [f"-- puck {shown['puck']}, shooter {shown['shooter'] or 'nobody'}"]
    for number, seat in seats.items():
        up = ", ".join(f"{key} {amount}" for key, amount in seat["up"].items()) or "nothing up"
        lines.append(f"   seat {number}: {seat['rail']} on the rail; {up}")
    return "\n".join(lines)
