"""The table printed line by line: for screen readers, pipes and people who like words."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable
from select import select
from shutil import get_terminal_size
from typing import TYPE_CHECKING, TextIO

from passline.sitting.hints import WORDS, what_now
from passline.sitting.log import felt
from passline.sitting.reckoning import tell
from passline.sitting.words import talk

if TYPE_CHECKING:
    from passline.sitting.sitting import Sitting


FOLLOW_S = 0.3


def play(sitting: Sitting, lines: Iterable[str] | None = None, out: TextIO | None = None) -> None:
    out = out or sys.stdout
    prompt = lines is None and sys.stdin.isatty()
    printed = len(sitting.log)
    say_lines(out, [*_opening(sitting), *felt(sitting), what_now(sitting, WORDS)])

    def print_news() -> None:
        nonlocal printed
        say_lines(out, [("no: " if entry.tone == "no" else "") + entry.text for entry in sitting.log[printed:]])
        printed = len(sitting.log)

    def follow() -> None:
        if sitting.news():
            if prompt:
                out.write("\r")
            print_news()
            if prompt:
                out.write("> ")
                out.flush()

    for line in asked_lines(out, prompt=prompt, meanwhile=follow) if lines is None else lines:
        reply = talk(sitting, line)
        sitting.news()  # at a server: whose hands are in the roll, or what is wrong with it
        print_news()
        say_lines(out, reply.lines)
        if reply.end is not None:
            break
        if line.strip():
            options = [option.says for option in sitting.question.options] if sitting.question else []
            now = f"Say {', '.join(options)} or no." if options else what_now(sitting, WORDS)
            say_lines(out, [f"[rail {sitting.money(sitting.rail)}] {now}"])


def _opening(sitting: Sitting) -> list[str]:
    lines = [f"A table at {sitting.table.house.name}. Say help for the words of the table."]
    if sitting.practice and not sitting.typed:
        lines.append(f"Practice: the dice follow seed {sitting.settings.seed}.")
    if sitting.typed:
        lines.append("Real dice: you type their faces.")
    return lines + [entry.text for entry in sitting.log if entry.tone == "no"]


def asked_lines(out: TextIO, *, prompt: bool, meanwhile: Callable[[], None] | None = None) -> Iterable[str]:
    """Lines of standard input, with a prompt where somebody types; `meanwhile` is done until they do."""
    while True:
        if prompt:
            out.write("> ")
            out.flush()
        while meanwhile is not None and prompt and os.name == "posix" and not select([sys.stdin], [], [], FOLLOW_S)[0]:
            meanwhile()
        line = sys.stdin.readline()
        if not line:
            return
        yield line


def say_lines(out: TextIO, lines: Iterable[str]) -> None:
    """Write lines: folded between words on a terminal, whole for anything that reads them."""
    if out.isatty():
        wide = get_terminal_size().columns
        lines = [part for line in lines for part in _folded(line, wide)]
    out.writelines(line + "\n" for line in lines)
    out.flush()


def _folded(line: str, wide: int) -> list[str]:
    """The line between words, and a key of many numbers that no line holds (`hop_1_1/2_1/…`) between those."""
    rows = [""]
    for word in re.findall(r"\s*\S+", line) if len(line) > wide else [line]:
        for piece in [word] if len(word) < wide else word.replace("/", "/\n").split("\n"):
            if rows != [""] and len(rows[-1] + piece) > wide:
                rows.append("    " + piece.lstrip())
            else:
                rows[-1] += piece
    return rows


def farewell(sitting: Sitting) -> list[str]:
    return [
        "",
        f"The evening at {sitting.table.house.name}",
        *tell(sitting.layout, sitting.reckoning(), sitting.currency),
    ]
