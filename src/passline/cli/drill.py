"""`passline drill`: the school in the terminal."""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Annotated

import typer

import passline
from passline.answers import Table
from passline.cli.command import command
from passline.cli.command import count as counted
from passline.cli.printing import INTERRUPTED, REFUSED, fail, show, show_json
from passline.errors import ArgumentError
from passline.files.amounts import whole_number

if TYPE_CHECKING:
    from passline.house import House
    from passline.school.exercise import Exercise, Grade
    from passline.school.sheet import ScoreSheet, Subject

COUNT_MAX = 1_000


@command("drill")
def drill(
    name: Annotated[str | None, "A drill from --list [default: your score sheet chooses].", "DRILL"] = None,
    *,
    house: str = "adelaide",
    level: Annotated[int | None, "From 1 (the line) to 6 (side bets)."] = None,
    count: Annotated[int, "How many exercises."] = 10,
    seed: Annotated[
        int | None, counted("--seed", "Seed of the first exercise: the same seed gives the same exercises.", least=0)
    ] = None,
    score: Annotated[bool, "Show the score sheet."] = False,
    list_: Annotated[bool, "Show the drills, and at which levels the house has them."] = False,
    sheet: Annotated[str | None, "The file of your score sheet [default: in your data folder]."] = None,
    no_sheet: Annotated[bool, "Keep no score."] = False,
    as_json: Annotated[bool, "Print exercises with their answers, one a line; or the sheet, or the list."] = False,
) -> None:
    """Practise: payoffs, calls and rulings, marked to the chip.

    Exercises come from positions that were played, and the engine has the answers. Without a drill your score sheet
    chooses: what you missed comes back soon, what you knew later.

    An audition mixes everything: twenty questions (fewer where the house has fewer shapes), ten seconds each, and a
    pass mark.

    Example: `passline drill`, `passline drill audition --house strip`, `passline drill pays --house sydney --level 4`,
    or the sheet with `passline drill --score`
    """
    from platformdirs import user_data_path

    from passline.school.sheet import ScoreSheet, read_sheet
    from passline.school.syllabus import SEED_MAX

    path = None if no_sheet else Path(sheet) if sheet else user_data_path("passline") / "school.json"
    opened = passline.House(house)
    if list_:
        _show_list(opened, as_json=as_json)
        return
    known = ScoreSheet() if path is None else read_sheet(path)
    if score:
        _show_score(known, path, as_json=as_json)
        return
    if not 1 <= count <= COUNT_MAX:
        fail(f"--count: found {count}; expected a whole number from 1 to {COUNT_MAX}")
    if seed is not None:
        whole_number("seed", seed, least=0, most=SEED_MAX)
    if name == "audition":
        _audition(opened, seed, Book(known, path), as_json=as_json)
        return
    subjects = _subjects(opened, name, level)
    luck = Random()  # noqa: S311 - exercises, not dice for money
    chosen = _in_order(opened, subjects, seed) if seed is not None else None
    if as_json:
        made = chosen or _in_order(opened, subjects, luck.randrange(SEED_MAX))
        for _ in range(count):
            show_json(next(made).to_json())
        return
    book = Book(known, path)
    _teach(chosen or _due(opened, subjects, book, luck), count, book)


def _subjects(house: House, name: str | None, level: int | None) -> list[Subject]:
    from passline.school.sheet import subjects_of
    from passline.school.syllabus import drill_of

    try:
        chosen = None if name is None else drill_of(name)
    except ArgumentError as error:
        fail(str(error))
    subjects = subjects_of(house, name, level)
    if not subjects:
        there = sorted({subject.level for subject in subjects_of(house, name)})
        what = f"{chosen.name} in {house.id}" if chosen else house.id
        fail(f"--level: found {level}; expected one of {', '.join(map(str, there))}, the levels of {what}")
    return subjects


def _in_order(house: House, subjects: list[Subject], seed: int) -> Iterator[Exercise]:
    """One exercise of each subject after the other, seeds counting up."""
    from passline.school.syllabus import SEED_MAX, exercise

    for number, subject in enumerate(cycle(subjects), seed):
        yield exercise(house, subject.drill, subject.level, number % (SEED_MAX + 1))


class Book:
    """A score sheet with the file it is kept in, if it is."""

    def __init__(self, sheet: ScoreSheet, path: Path | None) -> None:
        self.sheet, self.path = sheet, path

    def keep(self, exercise: Exercise, graded: Grade, seconds: int) -> None:
        """Write an answer down; another lesson may have written since the last one."""
        from passline.school.sheet import read_sheet, write_sheet

        known = self.sheet if self.path is None else read_sheet(self.path)
        self.sheet = known.after(exercise, graded, seconds, int(time.time()))
        if self.path is not None:
            write_sheet(self.path, self.sheet)


def _due(house: House, subjects: list[Subject], book: Book, luck: Random) -> Iterator[Exercise]:
    """What the sheet says should be asked, as it stands each time."""
    from passline.school.sheet import next_seed, next_subject
    from passline.school.syllabus import exercise

    while True:
        subject = next_subject(book.sheet, subjects, int(time.time()))
        yield exercise(house, subject.drill, subject.level, next_seed(book.sheet, subject, luck))


def _teach(exercises: Iterator[Exercise], count: int, book: Book) -> None:
    from passline.terminal.lesson import reckoning, teach

    interrupted, answered = teach(exercises, count, book.keep)
    lines = ["", *reckoning(answered)]
    if book.path and answered:
        lines.append(f"The score sheet is kept in {book.path}; passline drill --score shows it.")
    typer.echo("\n".join(lines))
    if interrupted:
        raise typer.Exit(INTERRUPTED)


def _audition(house: House, seed: int | None, book: Book, *, as_json: bool) -> None:
    """Twenty mixed questions against the clock; exit code 1 where it is not passed."""
    from passline.school.audition import SECONDS
    from passline.school.syllabus import SEED_MAX, exercise, paper
    from passline.terminal.lesson import audition_result, teach

    drawn = Random().randrange(SEED_MAX) if seed is None else seed  # noqa: S311 - exercises, not dice for money
    seeds = paper(house, Random(drawn))  # noqa: S311 - as above
    exercises = (exercise(house, "audition", 1, each) for each in seeds)
    if as_json:
        for each in exercises:
            show_json(each.to_json())
        return
    typer.echo(f"An audition at {house.name}: {len(seeds)} questions, {SECONDS} seconds each (seed {drawn}).")
    _, answered = teach(exercises, len(seeds), book.keep, seconds=SECONDS)
    passed, lines = audition_result(answered, len(seeds))
    typer.echo("\n".join(["", *lines]))
    if not passed:
        raise typer.Exit(REFUSED)


def _show_list(house: House, *, as_json: bool) -> None:
    from passline.school.scene import LEVELS, levels
    from passline.school.syllabus import DRILLS, levels_of

    rows = [(each.name, each.trains, each.says, levels_of(house, each)) for each in DRILLS.values()]
    if as_json:
        drills = [{"drill": name, "trains": who, "says": says, "levels": list(at)} for name, who, says, at in rows]
        data = {"house": house.id, "levels": {each: LEVELS[each] for each in levels(house.layout)}, "drills": drills}
        show_json(data)
        return
    for name, who, says, at in rows:
        typer.echo(f"{name:<11}{who:<8}{says} ({' '.join(map(str, at)) or 'not here'})")
    typer.echo("Levels: " + ", ".join(f"{each} {LEVELS[each]}" for each in levels(house.layout)) + ".")


def _show_score(sheet: ScoreSheet, path: Path | None, *, as_json: bool) -> None:
    from passline.terminal.lesson import sheet_rows

    if as_json:
        show_json(sheet.to_json())
        return
    rows = sheet_rows(sheet, int(time.time()))
    if not rows:
        typer.echo(f"Nothing has been answered yet{f' ({path})' if path else ''}: passline drill begins.")
        return
    heads = ("House", "Drill", "Level", "Right", "Parts", "Mean", "Best", "Rung", "Due")
    show([Table(dict.fromkeys(heads, "text"), rows)])
