"""A whole record: read as one thing, before anything is played."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from passline import errors
from passline.engine import commands as c
from passline.engine.book import Book
from passline.engine.commands import Command
from passline.engine.events import Event
from passline.engine.evolve import evolve
from passline.engine.refusals import Answer, Refusal
from passline.engine.table import Notice, TableState
from passline.engine.values import CENTS, money
from passline.errors import ArgumentTypeError, Finding, RecordError, RecordFileError, short_repr
from passline.files.reading import decoded, read_bytes, unmarked
from passline.record.acts import read_act, write_act
from passline.record.line import Words
from passline.record.notice import check_sign, default_chips, default_notice, read_notice, write_notice

VERSION = "1"
SUFFIX = ".craps"  # how the files of records are named
RECORD_BYTES_MAX = 64 * 1024 * 1024  # a million acts need a third of it; a longer file is something else
FAULTS_MAX = 19  # so many faults are named after the first; somebody who has more mends those first


@dataclass(frozen=True, slots=True)
class Act:
    line: int
    command: Command


@dataclass(frozen=True, slots=True)
class Record:
    """How a table was opened, and every command asked of it."""

    house: str  # a built-in id, or the path of a house file from here
    book: Book
    notice: Notice
    chips: tuple[int, ...]
    acts: tuple[Act, ...]


def read(source: str | Path) -> Record:
    if isinstance(source, str) and "\n" not in source and source.endswith(SUFFIX):
        source = Path(source)
    if isinstance(source, Path):
        text = text_of(lambda: read_bytes(source, RECORD_BYTES_MAX), str(source))
        return read_text(text, source.parent, str(source))
    record_text: object = source  # whatever it is annotated as
    if not isinstance(record_text, str):
        raise ArgumentTypeError("source", short_repr(record_text), "the text of a record, or the path of its file")
    return read_text(record_text)


def text_of(read: Callable[[], bytes], file: str, expected: str = "a record (.craps)") -> str:
    """The text of a file, or an error that says what was expected of it."""
    try:
        return decoded(read())
    except UnicodeDecodeError as error:
        wrong = Finding(file, f"byte {error.start}", "what is not UTF-8", f"{expected}, which is plain text")
    except OSError as error:
        wrong = Finding(file, "", (error.strerror or type(error).__name__).lower(), f"the path of {expected}")
    raise RecordFileError([wrong])


def read_text(text: str, beside: Path | None = None, file: str = "record") -> Record:
    """Read a record that lies in a folder, or say at which line and column it stops making sense."""
    try:
        return _read(unmarked(text), beside)
    except RecordError as error:
        raise _in_file(error, file) from None


def _in_file(error: RecordError, file: str) -> RecordError:
    others = tuple(_in_file(each, file) for each in error.others)
    return RecordError(error.line, error.column, error.actual, error.expected, file, others)


def _read(text: str, beside: Path | None) -> Record:
    lines = [words for number, line in enumerate(text.split("\n"), 1) if (words := Words.of(number, line)).more]
    last = Words(text.count("\n") + 1, "", [])
    opening = iter([*lines, last])
    words = next(opening)
    if not words.take("passline"):
        words.fail("passline 1, the first line of every record")
    if not words.take(VERSION):
        words.fail(f"version {VERSION}, the only one there is")
    words.end()
    words = next(opening)
    if not words.take("house"):
        words.fail("house and its name, the second line of every record")
    house, book = _house(words, beside)
    words.end()
    return _play(lines[2:], house, book)


def _house(words: Words, beside: Path | None) -> tuple[str, Book]:
    """A house by its id, or by its path from where the record lies."""
    from passline.rulebooks.read import built_in, load

    named = words.next("the name of a house, or the path of a house file")
    house = named if named in built_in() or beside is None else str(beside / named)
    try:
        return house, load(house)
    except ValueError as error:
        words.fail(f"a house that can be read: {error}", back=1)


def _play(lines: list[Words], house: str, book: Book) -> Record:
    opened, acts, wrong = set[str](), list[Act](), list[RecordError]()
    chips, notice = default_chips(book), default_notice(book)
    seated, sign = False, None
    for words in lines:
        if words.peek in ("notice", "float", "house", "passline"):
            if seated or words.peek in opened or words.peek in ("house", "passline"):
                words.fail("opening lines once each, before the first sit")
            opened.add(words.peek)
            if words.next("an opening line") == "float":
                chips = _float(words)
                notice = notice._replace(chip=min(chips))
            else:
                notice, sign = read_notice(words, book, notice), words
            continue
        try:
            command = read_act(words, book, default_notice(book, chips))
        except RecordError as error:
            wrong.append(error)
            continue
        seated = seated or isinstance(command, c.Sit)
        acts.append(Act(words.number, command))
    if sign is not None and not wrong:
        check_sign(sign, notice, book)  # now that the float is known
    if wrong:
        first, *rest = wrong
        raise RecordError(first.line, first.column, first.actual, first.expected, others=tuple(rest[:FAULTS_MAX]))
    return Record(house, book, notice, chips, tuple(acts))


def _float(words: Words) -> tuple[int, ...]:
    chips: list[int] = []
    while words.more or not chips:
        chip = words.amount("the chips of the float, such as 1 5 25 100")
        if not chip:
            words.fail("a chip worth more than 0", back=1)
        chips.append(chip)
    return tuple(chips)


def can_be_written(command: Command, book: Book, notice: Notice) -> bool:
    """Whether a line of a record can say exactly this command."""
    try:
        line = write_act(command, book, notice)
        return "\n" not in line and read_act(Words.of(1, line), book, notice) == command
    except RecordError:
        return False


def write_record(house: str, book: Book, notice: Notice, chips: tuple[int, ...], commands: Iterable[Command]) -> str:
    """Write a table's opening and acts so that reading gives them back."""
    base = default_notice(book, chips)
    sign = write_notice(notice, book, base)
    own_float = tuple(chips) != default_chips(book)
    lines = [f"passline {VERSION}", f"house {house}", *([f"notice {sign}"] if sign else [])]
    lines += [f"float {' '.join(money(chip, CENTS) for chip in chips)}"] if own_float else []
    return "\n".join([*lines, *(write_act(command, book, base) for command in commands)]) + "\n"


TABLE_EVERY = 64  # how many acts lie between two that keep the table before them; for the others it is worked out again


class Moment(NamedTuple):
    """One act at a table and what came of it."""

    command: Command
    answer: Answer
    # The table before it; or the act before it, from which that table follows: a history is mostly that.
    since: "TableState | Moment"

    @property
    def before(self) -> TableState:
        acts, at = list[Moment](), self.since
        while isinstance(at, Moment):
            acts.append(at)
            at = at.since
        for act in reversed(acts):
            at = evolve(at, act.events) if act.events else at
        return at

    @property
    def events(self) -> tuple[Event, ...]:
        """What happened; nothing, where the dealers said no."""
        return () if isinstance(self.answer, Refusal) else self.answer


@dataclass(frozen=True, slots=True)
class No(Refusal):
    """A refusal as a table answers it: false, so that `if table.bet(…)` means that the bet is up."""

    def __bool__(self) -> bool:
        return False

    def __iter__(self) -> Iterator[Event]:
        """A refusal has no events: raises with the reason."""
        raise errors.RefusedError(self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Refusal) and _parts(self) == _parts(other)

    def __hash__(self) -> int:
        return hash(_parts(self))


def _parts(refusal: Refusal) -> tuple[object, ...]:
    return refusal.code, refusal.message, refusal.clause, refusal.seat
