"""How commands print: an answer for people or programs, a word beside it, a bar while they wait, whole files."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from passline.answers import Answer, Part, print_page
from passline.cli.errors import INTERRUPTED, fail
from passline.files.whole import check_writable

if TYPE_CHECKING:  # a bar is shown without NumPy too
    from passline.sim import Progress

Job = tuple[str, Path | None, Callable[[Path], None]]


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


def apart(*paths: Path | None) -> None:
    """Refuse two results in one file."""
    named = [path.resolve() for path in paths if path is not None]
    if len(set(named)) < len(named):
        fail("--csv, --parquet and --chart: expected a file of its own for each")


def write_all(*jobs: Job) -> list[str]:
    """Do each job that has a path, and give what went wrong: a disk that fills up costs the files, not the result."""
    failed = []
    for option, path, write in jobs:
        try:
            if path is not None:
                write(path)
        except OSError as error:
            failed.append(f"{option}: {why_not(error)}")
    return failed


def why_not(error: Exception) -> str:
    words = error.strerror if isinstance(error, OSError) else None
    return f"cannot be written there: {words}" if words else str(error)
