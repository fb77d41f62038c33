"""A sitting from the door to the cage: choosing a house, playing, and never losing the record on the way out."""

from __future__ import annotations

import os
import shlex
import signal
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from io import StringIO, TextIOWrapper
from pathlib import Path
from shutil import which
from tempfile import gettempdir
from types import FrameType
from typing import TYPE_CHECKING

from passline.errors import CannotBeSeated
from passline.sitting.door import CALLED, Setup, menu, sit_down
from passline.sitting.sitting import DEFAULT, Sitting
from passline.terminal.plain import farewell

if TYPE_CHECKING:
    from passline.sitting.keeping import Keeping

UNREADABLE = 2
BROKEN = 1


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a sitting ended: an exit code, and a sentence for standard error where there is one."""

    code: int = 0
    message: str = ""


class Stopped(BaseException):
    """The program was asked to stop."""


# --- At the table ---------------------------------------------------------------------------------------------------


def run(setup: Setup, *, plain: bool) -> Outcome:
    """Runs a whole evening; whatever happens, the record is kept and the player is told where."""
    if sys.stdin is None:  # closed before we came
        sys.stdin = StringIO()
    try:
        if not plain:
            return _drawn(setup, sit_down(setup) if setup.house or setup.resume else None)
        for stream in (sys.stdin, sys.stdout):
            if isinstance(stream, TextIOWrapper):
                stream.reconfigure(errors="replace")
        setup = _chosen(setup) if setup.house is None and setup.resume is None else setup
        return sit_at(sit_down(setup), setup, plain=True)
    except CannotBeSeated as unseated:
        return Outcome(UNREADABLE, str(unseated))


def sit_at(sitting: Sitting, setup: Setup, *, plain: bool) -> Outcome:
    """A sitting that somebody else has opened: at a table of a server."""
    from passline.terminal.plain import play

    sitting.currency = setup.currency
    if sys.stdin is None:
        sys.stdin = StringIO()
    if not plain:
        return _drawn(setup, sitting)
    with stopping(_stop):
        return keep(sitting, lambda: play(sitting))


def _chosen(setup: Setup) -> Setup:
    """Asks which house, or says which one it is where there is no terminal to ask in."""
    houses = menu()
    if not sys.stdin.isatty():
        others = ", ".join(house for house, _, _ in houses[1:])
        sys.stdout.write(f"No --house was named: {houses[0][0]} (there are also {others}).\n")
        return replace(setup, house=houses[0][0])
    for number, (_, name, line) in enumerate(houses, 1):
        sys.stdout.write(f"{number}  {name}: {line}\n")
    while True:
        sys.stdout.write(f"Which house, 1 to {len(houses)}? [1] ")
        sys.stdout.flush()
        answer = sys.stdin.readline()
        if not answer:
            raise CannotBeSeated("no house was chosen")
        answer = answer.strip() or "1"
        for number, (house, _, _) in enumerate(houses, 1):
            if answer in (str(number), house):
                return replace(setup, house=house)
        sys.stdout.write(f"{answer[:40]!r} is none of them.\n")


def _drawn(setup: Setup, sitting: Sitting | None) -> Outcome:
    from passline.terminal.app import Craps
    from passline.terminal.screen import SPEEDS

    app = Craps(setup, sitting, SPEEDS[setup.speed])
    with stopping(_stop):
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
    lost = _kept_somewhere(sitting) or _journal_closed(sitting)
    try:
        sys.stdout.write("\n".join(farewell(sitting)) + "\n")
        if sitting.path is not None and not lost:
            resume = f"{how_we_were_called()} --resume {shlex.quote(str(sitting.path))}"
            again = "" if sitting.left else f" Go on with: {resume}"
            sys.stdout.write(f"Saved to {sitting.path}.{again}\n")
        if sitting.keeping is not None and not lost:
            sys.stdout.write(_about_journal(sitting.keeping))
        elif sitting.unrolled:
            sys.stdout.write("No rolls, so no journal was written.\n")
        sys.stdout.flush()
    except OSError:
        return _unheard()
    if lost:
        return Outcome(BROKEN, lost)
    return Outcome(BROKEN, _apology(broke)) if broke else Outcome()


def _journal_closed(sitting: Sitting) -> str:
    """Writes the rest to the journal; returns what was lost if that failed."""
    try:
        if sitting.keeping is not None:
            sitting.keeping.close()
    except OSError as error:
        return f"The journal has not all of it: {error}"
    return ""


def _about_journal(keeping: Keeping) -> str:
    path = shlex.quote(str(keeping.journal.path))
    return f"In the journal {path} as {keeping.name}. Check it with: {_the_program()} verify {path}\n"


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


# --- Signals --------------------------------------------------------------------------------------------------------

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def _stop(_number: int, _frame: FrameType | None) -> None:
    raise Stopped


@contextmanager
def stopping(handler: Callable[[int, FrameType | None], None]) -> Iterator[None]:
    before = {number: signal.signal(number, handler) for number in SIGNALS}
    try:
        yield
    finally:
        for number, old in before.items():
            signal.signal(number, old)
