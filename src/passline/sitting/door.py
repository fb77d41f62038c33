"""At the door: what a player asked for, and the sitting it makes, or why it cannot be."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING

from passline import errors
from passline.engine.events import DiceThrown
from passline.errors import CannotBeSeated
from passline.files.amounts import chips_of
from passline.files.reading import is_file
from passline.house import House
from passline.rulebooks.read import built_in
from passline.sitting.company import BY_NAME, COMPANY_MAX
from passline.sitting.sitting import DEFAULT, Sitting
from passline.strategies.player.follower import Guest
from passline.strategies.player.python import name_of, strategy_of
from passline.telling.card import in_a_line

if TYPE_CHECKING:
    from passline.sitting.keeping import Keeping, Luck

CALLED = "PASSLINE_CALLED"  # the variable in which a script says how it was called, in words for a shell


@dataclass(frozen=True, slots=True)
class Setup:
    """What a player asked for at the door; None where they did not say."""

    house: str | None = None
    buyin: str | None = None
    notice: str = ""
    players: int = 2
    # Strategies that sit at the table too, as they are typed: a name, a file, or Python such as `molly.py:Molly`.
    guests: tuple[str, ...] = ()
    name: str = "You"
    typed: bool = False
    seed: str | None = None
    save: Path | None = None
    resume: Path | None = None
    journal: Path | None = None
    beside: bool = False  # whether a journal is kept beside the record where none is named
    keys: Path | None = None
    speed: str = "normal"
    currency: str = ""


def sit_down(setup: Setup, house: str | None = None) -> Sitting:
    """A sitting with its journal: the one asked for, or one beside the record where the program rolls the dice."""
    sitting = _seated(setup, house)
    sitting.currency = setup.currency
    dice: Luck = "typed" if sitting.typed else "other" if sitting.practice else "drawn"
    path = setup.journal or (sitting.path and setup.beside and dice == "drawn" and sitting.path.with_suffix(".db"))
    if not path or setup.keys is None:
        return sitting
    from passline.sitting.keeping import from_the_first_roll

    if setup.journal is None and not (setup.resume and (is_file(path) or _rolled(sitting))):
        from_the_first_roll(sitting, lambda: _keeping(sitting, setup, path, dice))
        return sitting
    try:
        if setup.journal is not None or is_file(path):
            sitting.keep_in(_keeping(sitting, setup, path, dice))
            sitting.save()
    except (errors.JournalError, errors.PackageMissingError, OSError) as error:
        raise CannotBeSeated(f"--journal: {error}; --no-journal plays without it") from None
    return sitting


def _keeping(sitting: Sitting, setup: Setup, path: Path, dice: Luck) -> Keeping:
    from passline.pit.keys import keys_at
    from passline.sitting.keeping import Keeping

    assert setup.keys is not None, "a journal has keys"
    evening = sitting.table, sitting.me, keys_at(setup.keys)
    resumed = Keeping.resume(path, *evening, dice) if setup.resume else None
    # Rolls of a record that no journal has were drawn by nobody's seeds.
    return resumed or Keeping.begin(path, *evening, "other" if dice == "drawn" and _rolled(sitting) else dice)


def _rolled(sitting: Sitting) -> bool:
    return any(isinstance(event, DiceThrown) for event in sitting.table.events)


def _seated(setup: Setup, house: str | None) -> Sitting:
    if not 0 <= setup.players <= COMPANY_MAX:
        most = f"expected 0 to {COMPANY_MAX}, for there are no more regulars"
        raise CannotBeSeated(f"--players: found {setup.players}; {most}")
    if len(setup.name.split()) != 1 or "#" in setup.name:
        one = "_".join(setup.name.replace("#", " ").split()) or "Ann"
        wanted = f"expected one word, such as {one}, for a record keeps it so"
        raise CannotBeSeated(f"--name: found {setup.name!r}; {wanted}")
    seed = setup.seed
    if seed is not None and (len(seed.split()) != 1 or len(seed) > 100):
        raise CannotBeSeated(f"--seed: found {seed[:40]!r}; expected one word")
    if setup.save not in (None, setup.resume) and is_file(setup.save) and setup.save.stat().st_size:
        raise CannotBeSeated(f"--save: {setup.save} holds something already; --resume it, or name another file")
    buyin, guests = _buyin(setup.buyin), guests_of(setup.guests, setup.name)
    if setup.resume is not None:
        return _resumed(setup, buyin, guests)
    opened = _house(house or setup.house or next(iter(built_in())))
    try:
        sitting = Sitting.open(
            opened,
            name=setup.name,
            buyin=buyin,
            notice=setup.notice,
            others=setup.players,
            seed=seed,
            typed=setup.typed,
            path=setup.save,
            guests=guests,
        )
    except errors.ArgumentError as error:
        raise CannotBeSeated(f"--{error}") from None
    return _with_record(sitting)


def _with_record(sitting: Sitting) -> Sitting:
    """Starts the record before play, which claims its name and finds out whether the disk can be written."""
    try:
        if sitting.path is None:
            sitting.keep_beside(Path(DEFAULT))
        sitting.save()
    except OSError as error:
        raise CannotBeSeated(f"--save: {error}; name another place") from None
    return sitting


def menu() -> list[tuple[str, str, str]]:
    return [(house.id, house.name, in_a_line(house.layout)) for house in House.all()]


def _house(source: str) -> House:
    if len(source.split()) != 1 or "#" in source:
        why = "has a blank or a # in it, and a record could not name it; move the file"
        raise CannotBeSeated(f"--house: {source!r} {why}")
    try:
        return House(source)
    except (errors.HouseFileError, OSError, ValueError) as error:
        raise CannotBeSeated(f"--house: {error}") from None


def _buyin(text: str | None) -> int | None:
    try:
        return None if text is None else chips_of(text)
    except ValueError as error:
        raise CannotBeSeated(f"--buyin: found {text!r}; expected {error}") from None


def guests_of(strategies: Iterable[str], *taken: str) -> list[Guest]:
    guests: list[Guest] = []
    names = set(BY_NAME) | set(taken)
    for typed in strategies:
        try:
            strategy = strategy_of(typed)
        except errors.PasslineError as error:
            raise CannotBeSeated(f"--with: {error}") from None
        first = name_of(strategy)
        name = next(name for name in chain((first,), (f"{first}_{number}" for number in count(2))) if name not in names)
        names.add(name)
        guests.append(Guest(strategy, name))
    return guests


def _resumed(setup: Setup, buyin: int | None, guests: list[Guest]) -> Sitting:
    assert setup.resume is not None, "there is nothing to resume"
    if setup.house is not None or setup.notice:
        raise CannotBeSeated("--resume: the record names its house and notice; leave --house and --notice out")
    try:
        sitting = Sitting.resume(setup.resume, path=setup.save, buyin=buyin, typed=setup.typed, guests=guests)
        return _with_record(sitting)
    except (errors.RecordError, errors.RecordFileError) as error:
        raise CannotBeSeated(str(error)) from None
    except OSError as error:
        raise CannotBeSeated(f"{setup.resume}: {error.strerror or error}; give the path of a .craps record") from None
