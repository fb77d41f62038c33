"""How a command fails: one sentence on standard error and an exit code that means something."""

from __future__ import annotations

from typing import NoReturn

import typer

from passline.errors import (
    ArgumentError,
    CodecError,
    FileError,
    LanguageError,
    RecordError,
    UnknownClauseError,
)

REFUSED = 1
"""The table said no, or a figure falls short."""
UNREADABLE = 2
"""A file or an argument could not be read."""
INTERRUPTED = 130
"""The exit code after Ctrl-C, as shells have it."""

CANNOT_BE_READ = (ArgumentError, CodecError, FileError, LanguageError, RecordError, UnknownClauseError)
OPTIONS = {"chips": "--float", "max_bet": "--max"}
"""The options that are not named as the argument they stand for."""


def printable(text: str) -> str:
    r"""Text for a terminal: whatever a terminal might obey is written out.

    >>> printable("a\x1b[2Jb")
    'a\\x1b[2Jb'
    """
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() or each == "\n" else repr(each)[1:-1] for each in text)


def fail(message: str, code: int = UNREADABLE) -> NoReturn:
    """Say what is wrong and stop."""
    typer.echo(printable(message), err=True)
    raise typer.Exit(code)
