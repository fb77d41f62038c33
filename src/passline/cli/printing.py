"""How commands end and print: exit codes and one sentence, an answer for people or programs, a bar, whole files."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import typer

from passline.answers import Answer, Part, print_page
from passline.errors import ArgumentError, CodecError, FileError, LanguageError, RecordError, UnknownClauseError
from passline.files.whole import check_writable

if TYPE_CHECKING:  # a bar is shown without NumPy too
    from passline.sim import Progress

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


def show(answer: Answer | Iterable[Part], *, as_json: bool = False) -> None:
    """Print an answer as it shows itself, or as JSON, an object a line."""
    if as_json:
        assert isinstance(answer, Answer)
        for each in answer.objects():
            show_json(each)
        return
    from rich.console import Console

    class Output(Console):
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError  # Rich would end the program with a failure

    print_page(answer, Output(highlight=False, markup=False))


def show_json(value: object) -> None:
    sys.stdout.write(json.dumps(value, ensure_ascii=False) + "\n")


def note(text: str) -> None:
    """A word beside the result, on standard error, where no program reads it as one."""
    typer.echo(text, err=True)


@contextmanager
def waiting(what: str) -> Iterator[Callable[..., None] | None]:
    """A bar that hears of work done and its size, or of sessions with their speed and mean; nothing where nobody looks.

    Ctrl-C ends the command: half an answer is none.
    """
    try:
        with bar(what) as seen:
            yield seen
    except KeyboardInterrupt:
        fail("Stopped; nothing was saved.", INTERRUPTED)


@contextmanager
def bar(what: str) -> Generator[Callable[..., None] | None]:
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    texts = [TextColumn(f"{{task.{field}}}", markup=False) for field in ("description", "fields[speed]")]
    columns = (texts[0], BarColumn(bar_width=24), MofNCompleteColumn(), texts[1], TimeRemainingColumn())
    with Bar(*columns, console=Console(stderr=True), transient=True) as display:
        task = display.add_task(what, total=None, speed="")

        def seen(now: int | Progress, total: int | None = None) -> None:
            if isinstance(now, int):
                display.update(task, completed=now, total=total)
                return
            mean = f"mean {now.mean:,.3f} ± {(now.high - now.low) / 2:,.3f}"
            speed = f"{now.rolls_per_second / 1e6:,.2f} M rolls/s, {mean}"
            display.update(task, completed=now.sessions_done, total=now.sessions, speed=speed)

        yield seen


@contextmanager
def counting(what: str) -> Iterator[Callable[[int], None]]:
    """A bar that hears of each piece of work done, of nobody knows how many."""
    done = 0

    def tell(count: int) -> None:
        nonlocal done
        done += count
        if seen is not None:
            seen(done)

    with bar(what) as seen:
        yield tell


def path_for(option: str, text: str | None, suffixes: tuple[str, ...] = (), needs: str = "") -> Path | None:
    """Where a file goes that an option names, or exit code 2 with the reason why it could never be written."""
    if text is None:
        return None
    if needs and find_spec(needs) is None:
        from passline.files.needed import missing

        fail(str(missing(ImportError(name=needs), option)))
    try:
        return check_writable(text, suffixes)
    except (OSError, ValueError) as error:
        fail(f"{option}: {why_not(error)}")


def why_not(error: Exception) -> str:
    words = error.strerror if isinstance(error, OSError) else None
    return f"cannot be written there: {words}" if words else str(error)
