"""How a command fails: one sentence on standard error and an exit code that means something."""

import os
import sys
from collections.abc import Generator
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from typing import NoReturn

import typer

from passline.errors import ArgumentError, CodecError, FileError, LanguageError, RecordError, UnknownClauseError

REFUSED = 1  # the table said no, or a figure falls short
UNREADABLE = 2  # a file or an argument could not be read
INTERRUPTED = 130  # the exit code after Ctrl-C, as shells have it

CANNOT_BE_READ = (ArgumentError, CodecError, FileError, LanguageError, RecordError, UnknownClauseError)


def printable(text: str) -> str:
    r"""Text for a terminal: whatever a terminal might obey is written out.

    >>> printable("a\x1b[2Jb")
    'a\\x1b[2Jb'
    """
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() or each == "\n" else repr(each)[1:-1] for each in text)


def fail(message: str, code: int = UNREADABLE) -> NoReturn:
    typer.echo(printable(message), err=True)
    raise typer.Exit(code)


# How the place of each closed stream is taken: reading finds the end, and writing to standard output fails.
CLOSED = (os.O_RDONLY, os.O_RDONLY, os.O_WRONLY)


@contextmanager
def one_sentence_errors() -> Generator[None]:
    """Have a command end with one sentence and an exit code if it cannot be heard, or if memory runs out."""
    _open_closed()
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # a caller's own need not be one
            stream.reconfigure(errors="replace")
    try:
        try:
            yield
        finally:
            sys.stdout.flush()
    except BrokenPipeError:  # whoever read us has read enough
        leave("")
    except OSError as error:
        where = f": {error.filename}" if error.filename else ""
        leave(f"passline: {error.strerror or error}{where}")
    except MemoryError:
        leave("passline: there is not memory enough for this")


def _open_closed() -> None:
    """Take the places of streams that were closed before we came, so that no file of ours gets their numbers."""
    for number, way in enumerate(CLOSED):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, way)
    if sys.stdin is None:
        sys.stdin = _stream(0, "r")
    if sys.stdout is None:
        sys.stdout = _stream(1, "w")
    if sys.stderr is None:
        sys.stderr = _stream(2, "w")


def _stream(number: int, mode: str) -> TextIOWrapper:
    stream = open(number, mode, encoding="utf-8", closefd=False)  # noqa: SIM115 - it outlives us
    assert isinstance(stream, TextIOWrapper), "text was asked for"
    return stream


def leave(sentence: str) -> None:
    """Say it where that still can be said, and leave; without a sentence nothing went wrong."""
    # What is left in the buffer would be tried again, and told of, on the way out.
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if sentence:
        with suppress(OSError, ValueError):
            sys.stderr.write(printable(sentence) + "\n")
            sys.stderr.flush()
    sys.exit(REFUSED if sentence else 0)
