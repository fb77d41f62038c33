"""Standard input and output as they may be: closed, full, or unable to write what we say."""

from __future__ import annotations

import os
import sys
from collections.abc import Generator
from contextlib import contextmanager, suppress
from io import TextIOWrapper

from passline.cli.errors import REFUSED, printable

CLOSED = (os.O_RDONLY, os.O_RDONLY, os.O_WRONLY)
"""How the place of each closed stream is taken: reading finds the end, and writing to standard output fails."""


@contextmanager
def heard() -> Generator[None]:
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
        _leave("")
    except OSError as error:
        where = f": {error.filename}" if error.filename else ""
        _leave(f"passline: {error.strerror or error}{where}")
    except MemoryError:
        _leave("passline: there is not memory enough for this")


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


def _leave(sentence: str) -> None:
    """Say it where that still can be said, and leave."""
    # What is left in the buffer would be tried again, and told of, on the way out.
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if sentence:
        with suppress(OSError, ValueError):
            sys.stderr.write(printable(sentence) + "\n")
            sys.stderr.flush()
    sys.exit(REFUSED)
