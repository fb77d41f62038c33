"""`passline replay`: play a record again."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from passline.cli.errors import REFUSED, printable
from passline.record.record import Record

if TYPE_CHECKING:
    from passline.table import Table

STANDARD_INPUT = "standard input"
EXAMPLE = """Play a record again, as the crew would tell it.

Example: `passline replay examples/hot-hand.craps`, or `passline replay --json - < evening.craps`
"""


def add_to(app: typer.Typer) -> None:
    app.command("replay", help=EXAMPLE)(replay)


def replay(
    file: Annotated[str, typer.Argument(help="A record (.craps), or - for standard input.")],
    as_json: Annotated[
        bool, typer.Option("--json", help="One JSON object a line: events, refusals, the table.")
    ] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Stop at the first refusal, exit code 1.")] = False,
) -> None:
    from passline.codec.printed import event_json, refusal_json
    from passline.engine.refusals import Refusal
    from passline.table import Table
    from passline.telling.sentences import say

    record = _read(file)
    table, out = Table.opened(record), sys.stdout.write
    layout = table.house.layout
    refused = False
    for act in record.acts:
        before = table.state
        answer = table.do(act.command)
        if isinstance(answer, Refusal):
            refused = True
            told = json.dumps(refusal_json(answer, act.line)) if as_json else f"   no: {table.say(answer)}"
            out(told + "\n")
            if strict:
                where = STANDARD_INPUT if file == "-" else file
                sys.stderr.write(f"{printable(where)}:{act.line}: refused ({answer.code})\nat: {table.position}\n")
                break
            continue
        for event in answer:
            out((json.dumps(event_json(layout, event)) if as_json else say(layout, before, event)) + "\n")
    out((json.dumps(table.to_json()) if as_json else _closing(table)) + "\n")
    if strict and refused:
        raise typer.Exit(REFUSED)


def _read(file: str) -> Record:
    """Read a record from a file or standard input."""
    from passline.record.record import read, read_text

    return read_text(_standard_input(), Path(), STANDARD_INPUT) if file == "-" else read(Path(file))


def _standard_input() -> str:
    """What stands on standard input, as far as it could be a record."""
    from passline.files.reading import read_stream
    from passline.record.record import RECORD_BYTES_MAX, text_of

    return text_of(lambda: read_stream(sys.stdin.buffer.read, RECORD_BYTES_MAX, STANDARD_INPUT), STANDARD_INPUT)


def _closing(table: Table) -> str:
    """The table at the end, for people."""
    money, state = table.house.layout.money, table.state
    lines = [f"-- puck {state.puck or 'off'}, shooter {state.shooter or 'nobody'}"]
    for number, seat in state.seats.items():
        up = ", ".join(f"{key} {money(wager.stake)}" for key, wager in seat.felt.items()) or "nothing up"
        lines.append(f"   seat {number}: {money(seat.rail)} on the rail; {up}")
    return "\n".join(lines)
