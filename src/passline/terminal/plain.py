"""The table told line by line: for screen readers, pipes and people who like words."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, TextIO

from passline.terminal.hints import WORDS, what_now
from passline.terminal.reckoning import tell
from passline.terminal.talk import talk
from passline.terminal.tell import felt

if TYPE_CHECKING:
    from collections.abc import Iterable

    from passline.terminal.evening import Evening


def play(evening: Evening, lines: Iterable[str] | None = None, out: TextIO | None = None) -> None:
    """Read what the player says until they leave or the lines end, and tell what comes of it."""
    out = out or sys.stdout
    prompt = lines is None and sys.stdin.isatty()
    told = len(evening.log)
    _say(out, [*_opening(evening), *felt(evening), what_now(evening, WORDS)])
    for line in _asked(out, prompt=prompt) if lines is None else lines:
        reply = talk(evening, line)
        _say(out, [("no: " if entry.tone == "no" else "") + entry.text for entry in evening.log[told:]])
        told = len(evening.log)
        _say(out, reply.lines)
        if reply.end is not None:
            break
        if line.strip():
            _say(out, [f"[rail {evening.layout.money(evening.rail)}] {what_now(evening, WORDS)}"])


def _opening(evening: Evening) -> list[str]:
    """How the evening starts, and where luck comes from."""
    lines = [f"A table at {evening.table.house.name}. Say help for the words of the table."]
    if evening.practice and not evening.typed:
        lines.append(f"Practice: the dice follow seed {evening.seed}.")
    if evening.typed:
        lines.append("Real dice: you type their faces.")
    return lines


def _asked(out: TextIO, *, prompt: bool) -> Iterable[str]:
    """Lines of standard input, with a prompt where somebody types."""
    while True:
        if prompt:
            out.write("> ")
            out.flush()
        line = sys.stdin.readline()
        if not line:
            return
        yield line


def _say(out: TextIO, lines: Iterable[str]) -> None:
    out.writelines(line + "\n" for line in lines)
    out.flush()


def farewell(evening: Evening) -> list[str]:
    """The reckoning, and where the evening is kept."""
    return ["", f"The evening at {evening.table.house.name}", *tell(evening.layout, evening.reckoning())]
