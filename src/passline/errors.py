"""Every error of the project: what went wrong, in a sentence for people, and the parts of it for programs.

What a table will not do is a `Refusal`, which is a value; these are for what cannot be read, asked or written. Whatever
is handed to a public name, nothing else comes out. Errors travel between processes: each pickles with its parts.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from passline.engine.refusals import Refusal

LISTED_MAX = 20  # how many findings a message spells out before it only counts the rest
# What can be done about a strategy without end.
BOUNDED = "Give the table a maximum (--max, max_bet), or simulate it roll by roll (passline simulate --backend engine)."
FOUND_MAX = 60  # how much of a wrong word a message repeats


def short(text: str) -> str:
    """A wrong word as far as it helps: nobody wants a megabyte of it back."""
    return text if len(text) <= FOUND_MAX else f"{text[:FOUND_MAX]}..."


def short_repr(value: object) -> str:
    """Anything that was handed in, as far as it helps and as it can be printed: text in quotes, a number as it is.

    >>> short_repr("ten"), short_repr(None), short_repr(10**5000)
    ("'ten'", 'None', 'a number with thousands of digits')
    """
    try:
        return short(str(value) if isinstance(value, Fraction) else repr(value))
    except Exception:  # noqa: BLE001 - whoever made it may have made its repr too
        return "a number with thousands of digits" if isinstance(value, int) else f"a {type(value).__name__}"


class PasslineError(Exception):
    """Anything that Passline raises by name."""


# --- What cannot be read --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault: where it is, what stands there, what should, and the nearest name that would do."""

    file: str
    path: str
    actual: str
    expected: str
    nearest: str | None = None

    def __str__(self) -> str:
        where = f"{self.file}, {self.path}" if self.path else self.file
        hint = f" Nearest: {self.nearest}" if self.nearest else ""
        return f"{where}: found {self.actual}; expected {self.expected}.{hint}"


class FileError(PasslineError, ValueError):
    """A file that cannot be used, with every fault that was found in it."""

    def __init__(self, findings: Iterable[Finding]) -> None:
        self.findings = tuple(findings)
        super().__init__(self.findings)

    def __str__(self) -> str:
        lines = [str(finding) for finding in self.findings[:LISTED_MAX]]
        rest = len(self.findings) - len(lines)
        return "\n".join([*lines, *([f"... and {rest} more"] if rest else [])])


class HouseFileError(FileError):
    """A house file that cannot be played by."""


class StrategyFileError(FileError):
    """A strategy that cannot be played."""


class RecordFileError(FileError):
    """A file that holds no record: it cannot be opened, has no end, or is no text."""


class RecordError(PasslineError, ValueError):
    """A record that cannot be read: where, and what was expected there."""

    def __init__(  # noqa: PLR0913, PLR0917 - the parts of a complaint, as they are read
        self,
        line: int,
        column: int,
        actual: str,
        expected: str,
        file: str = "record",
        others: "tuple[RecordError, ...]" = (),
    ) -> None:
        """Keep the parts of the complaint; `others` are those about later lines of the same record."""
        super().__init__(line, column, actual, expected, file, others)
        self.line, self.column, self.actual, self.expected, self.file = line, column, actual, expected, file
        self.others = others

    def __str__(self) -> str:
        """A line for each fault, the way a compiler says it."""
        seen = f"found {short(self.actual)!r}" if self.actual else "found the end of the line"
        first = f"{self.file}:{self.line}:{self.column}: {seen}; expected {self.expected}"
        return "\n".join((first, *map(str, self.others)))


class CodecError(PasslineError, ValueError):
    """JSON that does not stand for anything of ours: of what kind it is, where, what stands there and what should."""

    def __init__(self, kind: str, where: str, actual: str, expected: str) -> None:
        super().__init__(kind, where, actual, expected)
        self.kind, self.where, self.actual, self.expected = kind, where, actual, expected

    def __str__(self) -> str:
        place = ", ".join(part for part in (self.kind, self.where) if part) or "line"
        return f"{place}: found {self.actual}; expected {self.expected}"


class LanguageError(PasslineError, ValueError):
    """Text that says nothing a player could do: what stands there, and what should."""

    def __init__(self, actual: str, expected: str, nearest: str | None = None) -> None:
        super().__init__(actual, expected, nearest)
        self.actual, self.expected, self.nearest = actual, expected, nearest

    def __str__(self) -> str:
        return f"found {self.actual}; expected {self.expected}" + (f". Nearest: {self.nearest}" if self.nearest else "")


class UnknownClauseError(PasslineError, KeyError):
    """An id that stands for nothing, with the nearest that does."""

    def __init__(self, wanted: str, nearest: str | None) -> None:
        super().__init__(wanted, nearest)
        self.wanted, self.nearest = wanted, nearest

    def __str__(self) -> str:
        """Say it without the quotes that a key error puts round its message."""
        near = f"nearest: {self.nearest}" if self.nearest else "passline house ID shows those of a house"
        return f"no clause {self.wanted!r}; {near}"


class ArgumentError(PasslineError, ValueError):
    """An argument that cannot be read, or that another contradicts: which one, what was given, what was expected."""

    def __init__(self, name: str, actual: str, expected: str, nearest: str | None = None) -> None:
        super().__init__(name, actual, expected, nearest)
        self.name, self.actual, self.expected, self.nearest = name, actual, expected, nearest

    def __str__(self) -> str:
        hint = f". Nearest: {self.nearest}" if self.nearest else ""
        return f"{self.name}: found {self.actual}; expected {self.expected}{hint}"


class CalledError(ArgumentError):
    """What somebody wants to be called, and cannot be."""

    def __str__(self) -> str:
        return f"Nobody can be called {self.actual} here: take {self.expected}, such as {self.nearest}."


class ArgumentTypeError(ArgumentError, TypeError):
    """An argument of the wrong type: what it must not be, and what it may."""


# --- What cannot be played ------------------------------------------------------------------------------------------


class RefusedError(PasslineError):
    """The dealers of a strict table said no; `refusal` has the code, the sentence and the clause."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal)
        self.refusal, self.code, self.clause = refusal, refusal.code, refusal.clause

    def __str__(self) -> str:
        return f"{self.refusal.message} ({self.code})"


class StrategyError(PasslineError, ValueError):
    """A strategy that this table, or this way of playing it, cannot have."""


class UnboundedStrategyError(StrategyError):
    """A strategy with no end to its states: it has no machine, and can only be played roll by roll."""

    def __init__(self, why: str, advice: str = BOUNDED) -> None:
        super().__init__(why, advice)
        self.why, self.advice = why, advice

    def __str__(self) -> str:
        return f"{self.why} {self.advice}"


class WagerMissingError(StrategyError):
    """A strategy that asks for wagers this house does not book."""

    def __init__(self, message: str, wagers: tuple[str, ...], houses: tuple[str, ...]) -> None:
        """Keep which wagers are missing, and which houses have them all."""
        super().__init__(message, wagers, houses)
        self.wagers, self.houses = wagers, houses

    def __str__(self) -> str:
        return str(self.args[0])


# --- What has no answer ---------------------------------------------------------------------------------------------


class QuestionError(PasslineError, ValueError):
    """A question that has no answer, or none that anybody would wait for."""


class SessionError(QuestionError):
    """A session that cannot be played or would take too long to work out; the message says which and why."""


class CheckpointError(SessionError):
    """A checkpoint of another question, or none that can be read."""


class DeviceError(SessionError):
    """A GPU that is not there, or that cannot roll this game."""


class LongRunError(QuestionError):
    """A strategy that has no single long run; the message says why."""


class SingularError(QuestionError):
    """Equations without exactly one solution."""


class StakeError(QuestionError):
    """A stake or a float that no table could use."""


# --- What was not done ----------------------------------------------------------------------------------------------


class JournalError(PasslineError):
    """A journal that cannot be read, written or believed; the message says which entry and why."""


class LiveTableError(PasslineError):
    """A live table that does not go on; the message says why."""


class InvariantError(LiveTableError):
    """Something came out that cannot be: chips that do not add up, an account below zero."""


class StoppedError(LiveTableError):
    """The table was stopped, because something came out that cannot be. Nothing is taken there any more."""


class TableClosedError(LiveTableError):
    """The table was closed for good."""


class PeopleError(PasslineError):
    """Somebody who is not known or may not, or a token that does not count; the message says which."""


class RoleError(PeopleError):
    """Somebody who asks, or the second of two who decide, holds no role that may, at this moment."""

    def __init__(self, message: str, code: str = "approval.role") -> None:
        super().__init__(message)
        self.code = code


class ServiceError(PasslineError):
    """A server that cannot be reached (status 0), or that does not do what was asked, and why."""

    def __init__(self, status: int, code: str, detail: str) -> None:
        super().__init__(status, code, detail)
        self.status, self.code, self.detail = status, code, detail

    def __str__(self) -> str:
        return f"{self.detail} ({self.code})"


class ChanceError(PasslineError, ValueError):
    """A seed, a commitment or a roll that is not in order; the message says which and what would be."""


class AwayError(JournalError):
    """The store cannot be reached. Ask again: nothing is known to be wrong with it."""


class BehindError(JournalError):
    """Somebody else wrote first: read what they wrote and decide again. Nothing was written."""


class BrokenError(JournalError):
    """The store failed in a way that leaves its state unknown: stop, open it anew, and believe only what is there."""


class BusyError(JournalError):
    """Another process has the journal, and only one may write to it."""


class FencedError(JournalError):
    """Another process has taken the table over: whoever held it writes nothing more."""


class FullError(JournalError):
    """There is no room left. Nothing was written; it can be tried again when there is."""


class InDoubtError(JournalError):
    """The connection was lost while writing: look under the key whether it is there."""


class KeyTakenError(JournalError):
    """An act has been written under this key before."""


class NewerError(JournalError):
    """A newer Passline made this store; this one would not understand it."""


class OlderError(JournalError):
    """An earlier Passline made this store, and it was opened for reading alone: it must be brought up to date first."""


class NoRecordError(JournalError):
    """A table where something was done that no record can say; the journal itself is in order."""


class OtherKeysError(JournalError):
    """What is sealed does not open: these are not the keys it was sealed with. Nothing was written."""


class OverdrawnError(JournalError):
    """An account of a player's would be below zero, and the store does not allow it. Nothing was written."""


class SheetError(PasslineError):
    """A score sheet of the school that cannot be read or kept."""


class CannotBeSaved(PasslineError, OSError):
    """A record that could not be written."""


class CannotBeSeated(PasslineError):
    """A player who cannot be seated, and why."""


class PackageMissingError(PasslineError, ImportError):
    """An answer that needs a package which is not installed; the message says which, and how to get it."""


class Halted(PasslineError):
    """Sessions that were stopped before they were over."""
