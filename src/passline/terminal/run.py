"""A sitting from the door to the cage: choosing a house, playing, and never losing the record on the way out.

Without a screen the table is printed line by line: for screen readers, pipes and people who like words.
"""

from __future__ import annotations

import os
import re
import shlex
import signal
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from io import StringIO, TextIOWrapper
from pathlib import Path
from select import select
from shutil import get_terminal_size, which
from tempfile import gettempdir
from types import FrameType
from typing import TextIO

from passline.errors import CannotBeSeated
from passline.sitting.door import CALLED, Setup, menu, sit_down
from passline.sitting.hints import WORDS, what_now
from passline.sitting.log import felt
from passline.sitting.reckoning import tell
from passline.sitting.sitting import DEFAULT, Sitting
from passline.sitting.words import talk

UNREADABLE = 2
BROKEN = 1
FOLLOW_S = 0.3
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a sitting ended: an exit code, and a sentence for standard error where there is one."""

    code: int = 0
    message: str = ""


class Stopped(BaseException):
    """The program was asked to stop."""


def run(setup: Setup, sitting: Sitting | None = None, *, plain: bool) -> Outcome:
    """Runs a whole evening; whatever happens, the record is kept and the player is told where.

    A `sitting` is one that somebody else has opened: at a table of a server.
    """
    if sys.stdin is None:  # closed before we came
        sys.stdin = StringIO()
    is_named = sitting is not None or setup.house is not None or setup.resume is not None
    try:
        if not plain:
            return _drawn(setup, sitting or (sit_down(setup) if is_named else None))
        for stream in (sys.stdin, sys.stdout):
            if isinstance(stream, TextIOWrapper):
                stream.reconfigure(errors="replace")
        sitting = sitting or sit_down(setup if is_named else _chosen(setup))
        with stopping():
            return keep(sitting, lambda: play(sitting))
    except CannotBeSeated as unseated:
        return Outcome(UNREADABLE, str(unseated))


def _chosen(setup: Setup) -> Setup:
    """Asks which house, or says which one it is where there is no terminal to ask in."""
    houses = menu()
    first, *others = (house for house, _, _ in houses)
    if not sys.stdin.isatty():
        sys.stdout.write(f"No --house was named: {first} (there are also {', '.join(others)}).\n")
        return replace(setup, house=first)
    answers = {"": first}
    for number, (house, name, line) in enumerate(houses, 1):
        sys.stdout.write(f"{number}  {name}: {line}\n")
        answers |= {house: house, str(number): house}
    while True:
        sys.stdout.write(f"Which house, 1 to {len(houses)}? [1] ")
        sys.stdout.flush()
        line = sys.stdin.readline()
        if not line:
            raise CannotBeSeated("no house was chosen")
        answer = line.strip()
        if answer in answers:
            return replace(setup, house=answers[answer])
        sys.stdout.write(f"{answer[:40]!r} is none of them.\n")


def _drawn(setup: Setup, sitting: Sitting | None) -> Outcome:
    from passline.terminal.screen import SPEEDS, Craps

    app = Craps(setup, sitting, SPEEDS[setup.speed])
    with stopping():
        try:
            app.run()
        except (KeyboardInterrupt, Stopped):
            pass
        except Exception as error:  # noqa: BLE001 - whatever broke, the player's chips are safe and no traceback is shown
            app.crash = app.crash or error
        if app.unseated is not None:
            raise app.unseated
        if app.sitting is None:
            return Outcome(BROKEN, _apology(app.crash)) if app.crash else Outcome()
        return _closed(app.sitting, app.crash)


def keep(sitting: Sitting, play: Callable[[], None]) -> Outcome:
    broke: Exception | None = None
    try:
        play()
    except (KeyboardInterrupt, Stopped):
        sys.stdout.write("\n")
    except BrokenPipeError:
        with suppress(OSError):
            sitting.save()
        return _unheard()
    except Exception as error:  # noqa: BLE001 - as above
        broke = error
    return _closed(sitting, broke)


def _closed(sitting: Sitting, broke: Exception | None) -> Outcome:
    for number in SIGNALS:
        with suppress(ValueError):
            signal.signal(number, signal.SIG_IGN)
    lost = _kept_somewhere(sitting)
    keeping = sitting.keeping
    if keeping is not None and not lost:
        try:
            keeping.close()
        except OSError as error:
            lost = f"The journal has not all of it: {error}"
    try:
        sys.stdout.write("\n".join(farewell(sitting)) + "\n")
        if sitting.path is not None and not lost:
            resume = f"{how_we_were_called()} --resume {shlex.quote(str(sitting.path))}"
            again = "" if sitting.left else f" Go on with: {resume}"
            sys.stdout.write(f"Saved to {sitting.path}.{again}\n")
        if keeping is not None and not lost:
            path = shlex.quote(str(keeping.journal.path))
            check = f"Check it with: {_the_program()} verify {path}"
            sys.stdout.write(f"In the journal {path} as {keeping.name}. {check}\n")
        elif sitting.unrolled:
            sys.stdout.write("No rolls, so no journal was written.\n")
        sys.stdout.flush()
    except OSError:
        return _unheard()
    if lost:
        return Outcome(BROKEN, lost)
    return Outcome(BROKEN, _apology(broke)) if broke else Outcome()


def _kept_somewhere(sitting: Sitting) -> str:
    """Saves the record, if need be somewhere else; returns what was lost if that failed too."""
    try:
        sitting.save()
    except OSError as error:
        complaint = str(error)
    else:
        return ""
    for folder in (Path.home(), Path(gettempdir())):
        with suppress(OSError):
            sitting.keep_beside(folder / (sitting.path or Path(DEFAULT)).name)
            sys.stderr.write(f"{complaint}; the evening is kept elsewhere.\n")
            return ""
    return f"The evening could not be saved: {complaint}"


def how_we_were_called() -> str:
    return os.environ.get(CALLED) or f"{_the_program()} play"


def _the_program() -> str:
    if Path(sys.argv[0]).name == "__main__.py":
        return f"{shlex.quote(sys.executable)} -m passline"
    return "passline" if which("passline") else shlex.quote(sys.argv[0])


def _unheard() -> Outcome:
    """Standard output was closed: the record is kept and nothing more is printed."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return Outcome()


def _apology(error: Exception | None) -> str:
    """What a player is told after a fault of the program; the details go to a file that they can send."""
    report = Path("passline-crash.txt")
    where = ""
    if error is not None:
        with suppress(OSError):
            report.write_text("".join(traceback.format_exception(error)), encoding="utf-8")
            where = f" The details are in {report}; please send them to us."
    return f"Passline broke ({type(error).__name__}: {error}). Your evening is safe.{where}"


def _stop(_number: int, _frame: FrameType | None) -> None:
    raise Stopped


@contextmanager
def stopping() -> Iterator[None]:
    before = {number: signal.signal(number, _stop) for number in SIGNALS}
    try:
        yield
    finally:
        for number, old in before.items():
            signal.signal(number, old)


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
