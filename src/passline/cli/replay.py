"""`passline replay`: play a record again."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import passline
from passline.cli.command import command
from passline.cli.errors import REFUSED, printable
from passline.files.reading import read_bytes, read_stream

if TYPE_CHECKING:
    from passline.record.record import Record
    from passline.table import Table

STANDARD_INPUT = "standard input"


@command("replay")
def replay(
    file: Annotated[str, "A record (.craps), or - for standard input."],
    *,
    as_json: Annotated[bool, "One JSON object a line: events, refusals, the table."] = False,
    strict: Annotated[bool, "Stop at the first refusal, exit code 1."] = False,
) -> None:
    """Play a record again, called and paid as it was.

    Example: `passline replay examples/hot-hand.craps`, or `passline replay --json - < evening.craps`
    """
    from passline.codec.printed import event_json, refusal_json
    from passline.telling.sentences import say

    record, lines = _read(file)
    table, out = passline.Table.opened(record), sys.stdout.write
    layout = table.house.layout
    refused = 0
    for act in record.acts:
        before = table.state
        answer = table.do(act.command)
        if isinstance(answer, passline.Refusal):
            refused += 1
            words = lines[act.line - 1].split("#", 1)[0].strip()
            no = f"line {act.line}: {words}: no: {table.say(answer)}"
            out((json.dumps(refusal_json(answer, act.line)) if as_json else printable(no)) + "\n")
            if strict:
                where = STANDARD_INPUT if file == "-" else file
                why = f"{printable(where)}:{act.line}: refused ({answer.code}): {table.say(answer)}"
                sys.stderr.write(f"{printable(why)}\nat: {table.position}\n")
                break
            continue
        for event in answer:
            out((json.dumps(event_json(layout, event)) if as_json else say(layout, before, event)) + "\n")
    out((json.dumps(table.to_json()) if as_json else _closing(table)) + "\n")
    if refused and not as_json and not strict:
        out(f"{refused} of {len(record.acts)} lines were refused; --strict stops at the first.\n")
    if strict and refused:
        raise typer.Exit(REFUSED)


def _read(file: str) -> tuple[Record, list[str]]:
    """A record from a file or standard input, and its lines."""
    from passline.record.record import RECORD_BYTES_MAX, read_text, text_of

    where, name = (Path(), STANDARD_INPUT) if file == "-" else (Path(file).parent, file)

    def read() -> bytes:
        if file == "-":
            return read_stream(sys.stdin.buffer.read, RECORD_BYTES_MAX, STANDARD_INPUT)
        return read_bytes(Path(file), RECORD_BYTES_MAX)

    text = text_of(read, name)
    return read_text(text, where, name), text.split("\n")


def _closing(table: Table) -> str:
    money, state = table.house.layout.money, table.state
    lines = [f"-- puck {state.puck or 'off'}, {f'shooter {state.shooter}' if state.shooter else 'no shooter'}"]
    for number, seat in state.seats.items():
        up = ", ".join(f"{key} {money(wager.stake)}" for key, wager in seat.felt.items()) or "no bets up"
        lines.append(f"   seat {number}: {money(seat.rail)} on the rail; {up}")
    return "\n".join(lines)
