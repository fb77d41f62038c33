"""A sitting from the door to the cage: choosing a house, playing, and never losing the record on the way out."""

from __future__ import annotations

import os
import signal
import sys
import traceback
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING

from passline.errors import CannotBeSeated, HouseFileError, RecordError
from passline.files.amounts import chips_of
from passline.house import House
from passline.sitting import saving
from passline.sitting.sitting import PLAYERS_MAX, Sitting
from passline.sitting.tell import about
from passline.terminal.plain import farewell

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType

UNREADABLE = 2
BROKEN = 1


@dataclass(frozen=True, slots=True)
class Wishes:
    """What a player asked for at the door; None where they did not say."""

    house: str | None = None
    buyin: str | None = None
    notice: str = ""
    players: int = 2
    name: str = "You"
    typed: bool = False
    seed: str | None = None
    save: Path | None = None
    resume: Path | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a sitting ended: an exit code, and a sentence for standard error where there is one."""

    code: int = 0
    message: str = ""


class Stopped(BaseException):
    """Somebody asked the program to stop."""


# --- At the door ----------------------------------------------------------------------------------------------------


def prepare(wishes: Wishes, house: str | None = None) -> Sitting:
    """Seat a player as they wish, or say why that cannot be."""
    if not 0 <= wishes.players <= PLAYERS_MAX:
        raise CannotBeSeated(
            f"--players: found {wishes.players}; expected 0 to {PLAYERS_MAX}, for there are no more regulars"
        )
    if len(wishes.name.split()) != 1 or "#" in wishes.name:
        raise CannotBeSeated(f"--name: found {wishes.name!r}; expected one word, for a record keeps it so")
    buyin = _buyin(wishes.buyin)
    if wishes.resume is not None:
        return _resumed(wishes, buyin)
    opened = _house(house or wishes.house or first_house())
    path = _where(wishes)
    try:
        return Sitting.open(
            opened,
            name=wishes.name,
            buyin=buyin,
            notice=wishes.notice,
            others=wishes.players,
            seed=_seed(wishes.seed),
            typed=wishes.typed,
            path=path,
        )
    except RecordError as error:
        found = f"found {error.found!r}" if error.found else "the text ends"
        raise CannotBeSeated(f"--notice, column {error.column}: {found}; expected {error.expected}") from None


def first_house() -> str:
    """The house that a player gets who does not choose."""
    from passline.rulebooks.read import built_in

    return next(iter(built_in()))


def menu() -> list[tuple[str, str, str]]:
    """Every house to choose from: its id, its name, one line about it."""
    return [(house.id, house.name, about(house)) for house in House.all()]


def _house(source: str) -> House:
    if len(source.split()) != 1 or "#" in source:
        raise CannotBeSeated(
            f"--house: {source!r} has a blank or a # in it, and a record could not name it; move the file"
        )
    try:
        return House(source)
    except (HouseFileError, OSError, ValueError) as error:
        raise CannotBeSeated(f"--house: {error}") from None


def _buyin(text: str | None) -> int | None:
    try:
        return None if text is None else chips_of(text)
    except ValueError as error:
        raise CannotBeSeated(f"--buyin: found {text!r}; expected {error}") from None


def _seed(text: str | None) -> str | None:
    if text is not None and (len(text.split()) != 1 or len(text) > 100):
        raise CannotBeSeated(f"--seed: found {text[:40]!r}; expected one word")
    return text


def _where(wishes: Wishes) -> Path:
    """Where a new record goes: never over an old one."""
    if wishes.save is None:
        return saving.free_path(Path(saving.DEFAULT))
    if wishes.save.is_dir():
        raise CannotBeSeated(f"--save: {wishes.save} is a folder; expected a file")
    if not wishes.save.absolute().parent.is_dir():
        raise CannotBeSeated(f"--save: there is no folder {wishes.save.parent}")
    if wishes.save.exists() and wishes.save.stat().st_size:
        raise CannotBeSeated(f"--save: {wishes.save} holds something already; --resume it, or name another file")
    return wishes.save


def _resumed(wishes: Wishes, buyin: int | None) -> Sitting:
    assert wishes.resume is not None, "there is nothing to resume"
    if wishes.house is not None or wishes.notice:
        raise CannotBeSeated("--resume: the record names its house and notice; leave --house and --notice out")
    try:
        return Sitting.resume(wishes.resume, path=wishes.save, buyin=buyin, typed=wishes.typed)
    except RecordError as error:
        raise CannotBeSeated(str(error)) from None
    except UnicodeDecodeError as error:
        raise CannotBeSeated(f"{wishes.resume}: byte {error.start} is not UTF-8 text; a record is plain text") from None
    except OSError as error:
        raise CannotBeSeated(f"{wishes.resume}: {error.strerror or error}; give the path of a .craps record") from None


# --- At the table ---------------------------------------------------------------------------------------------------


def attend(wishes: Wishes, *, plain: bool) -> Outcome:
    """A whole sitting: whatever happens, the record is kept and the player hears where."""
    try:
        return _in_words(wishes) if plain else _on_felt(wishes)
    except CannotBeSeated as turned:
        return Outcome(UNREADABLE, str(turned))


def _in_words(wishes: Wishes) -> Outcome:
    from passline.terminal.plain import play

    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
    if wishes.house is None and wishes.resume is None:
        wishes = _chosen(wishes)
    sitting = prepare(wishes)
    with stopping(_stop):
        return keep(sitting, lambda: play(sitting))


def _chosen(wishes: Wishes) -> Wishes:
    """Ask which house where somebody can answer; where nobody can, say which one it is."""
    houses = menu()
    if not sys.stdin.isatty():
        others = ", ".join(house for house, _, _ in houses[1:])
        sys.stdout.write(f"No --house was named: {houses[0][0]} (there are also {others}).\n")
        return replace(wishes, house=houses[0][0])
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
                return replace(wishes, house=house)
        sys.stdout.write(f"{answer[:40]!r} is none of them.\n")


def _on_felt(wishes: Wishes) -> Outcome:
    from passline.terminal.app import Craps

    sitting = prepare(wishes) if wishes.house or wishes.resume else None
    app = Craps(wishes, sitting)
    with stopping(_stop):
        try:
            app.run()
        except (KeyboardInterrupt, Stopped):
            pass
        except Exception as error:  # noqa: BLE001 - whatever broke, the player's chips are safe and no traceback is shown
            app.crash = app.crash or error
        if app.turned is not None:
            raise app.turned
        if app.sitting is None:
            return Outcome(BROKEN, _apology(app.crash)) if app.crash else Outcome()
        return _closed(app.sitting, app.crash)


def keep(sitting: Sitting, play: Callable[[], None]) -> Outcome:
    """Play, and keep the record however it ends."""
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
    """Save, then tell the reckoning and where the record lies."""
    for number in SIGNALS:
        with suppress(ValueError):
            signal.signal(number, signal.SIG_IGN)
    try:
        path = sitting.save()
    except OSError as error:
        return Outcome(BROKEN, f"The evening is lost: {error}")
    try:
        sys.stdout.write("\n".join(farewell(sitting)) + "\n")
        if path is not None:
            again = "" if sitting.left else f" Go on with: passline play --resume {path}"
            sys.stdout.write(f"Saved to {path}.{again}\n")
        sys.stdout.flush()
    except OSError:
        return _unheard()
    return Outcome(BROKEN, _apology(broke)) if broke else Outcome()


def _unheard() -> Outcome:
    """Nobody reads what we say any more: the record is kept, and nothing more is written."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return Outcome()


def _apology(error: Exception | None) -> str:
    """What a player hears when the program is at fault; the details go to a file they may send."""
    told = Path("passline-crash.txt")
    where = ""
    if error is not None:
        with suppress(OSError):
            told.write_text("".join(traceback.format_exception(error)), encoding="utf-8")
            where = f" The details are in {told}; please send them to us."
    return f"Passline broke ({type(error).__name__}: {error}). Your evening is safe.{where}"


# --- Signals --------------------------------------------------------------------------------------------------------

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""What asks a program to stop."""


def _stop(_number: int, _frame: FrameType | None) -> None:
    raise Stopped


@contextmanager
def stopping(handler: Callable[[int, FrameType | None], None]) -> Iterator[None]:
    """Hear the signals that ask us to stop."""
    before = {number: signal.signal(number, handler) for number in SIGNALS}
    try:
        yield
    finally:
        for number, old in before.items():
            signal.signal(number, old)
