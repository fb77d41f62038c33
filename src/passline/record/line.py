"""One line of a record, read word by word, so that a complaint can point at its column."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NoReturn, TypeVar

from passline.engine.values import Role, Roll
from passline.errors import RecordError
from passline.files.amounts import AS_CHIPS, DIGITS_MAX, chips_of

T = TypeVar("T")

COUNT = re.compile(r"[1-9]\d*")
KEY = re.compile(r"[a-z][a-z0-9_]*")
DICE = re.compile(r"([1-6])-([1-6])")
FACE = re.compile(r"[1-6]")
# The crew, as houses name them, in our own words.
CREW: tuple[Role, ...] = ("dealer", "box", "stick", "supervisor", "inspector", "player")
OWN_WORDS: Mapping[str, Role] = {"boxman": "box", "boxperson": "box", "stickman": "stick", "stickperson": "stick"}
ROLES: Mapping[str, Role] = {**{role: role for role in CREW}, **OWN_WORDS}


@dataclass(slots=True)
class Words:
    """The words of one line, taken from the left."""

    number: int
    text: str
    words: list[tuple[int, str]]
    at: int = 0
    stop: str = ""  # what stands behind the last word; nothing at the end of a line

    @classmethod
    def of(cls, number: int, text: str) -> "Words":
        """Split a line; a comment ends it."""
        bare = text.split("#", 1)[0]
        line = cls(number, bare, [(match.start() + 1, match.group()) for match in re.finditer(r"\S+", bare)])
        for at, (_, word) in enumerate(line.words if not bare.isprintable() else ()):
            if not word.isprintable():  # no word holds what a terminal might obey
                line.at = at
                line.fail("words without control characters")
        return line

    def fail(self, expected: str, *, back: int = 0) -> NoReturn:
        """Complain about the next word, or about one that was taken."""
        self.at -= back
        behind = self.text if self.stop else self.text.rstrip()
        column, word = self.words[self.at] if self.more else (len(behind) + 1, self.stop)
        raise RecordError(self.number, column, word, expected)

    @property
    def more(self) -> bool:
        return self.at < len(self.words)

    @property
    def peek(self) -> str:
        return self.words[self.at][1] if self.more else ""

    def next(self, expected: str) -> str:
        if not self.more:
            self.fail(expected)
        self.at += 1
        return self.words[self.at - 1][1]

    def matching(self, pattern: re.Pattern[str], expected: str) -> re.Match[str]:
        match = pattern.fullmatch(self.peek) if self.peek.isascii() else None
        if match is None or len(self.peek) > DIGITS_MAX:
            self.fail(expected)
        self.at += 1
        return match

    def amount(self, expected: str = AS_CHIPS) -> int:
        try:
            read = chips_of(self.peek)
        except ValueError:
            self.fail(expected)
        self.at += 1
        return read

    def count(self, expected: str) -> int:
        return int(self.matching(COUNT, expected).group())

    def key(self) -> str:
        return self.matching(KEY, "a wager such as pass or place_6").group()

    def dice(self) -> Roll:
        first, second = self.matching(DICE, "two dice such as 4-2").groups()
        return Roll(int(first), int(second))

    def face(self) -> int:
        return int(self.matching(FACE, "a face from 1 to 6").group())

    def role(self) -> Role:
        if self.peek not in ROLES:
            self.fail(f"one of {', '.join(CREW)}")
        return ROLES[self.next("a role")]

    def roles(self) -> tuple[Role, ...]:
        """Take `dealer,box`, or `nobody`."""
        names = self.peek.split(",") if self.peek != "nobody" else []
        if not all(name in ROLES for name in names):
            self.fail(f"roles such as dealer,box, or nobody; the roles are {', '.join(CREW)}")
        self.at += 1
        return tuple(ROLES[name] for name in names)

    def rest(self, expected: str) -> str:
        words = [self.next(expected)]
        while self.more:
            words.append(self.next(expected))
        return " ".join(words)

    def end(self) -> None:
        if self.more:
            self.fail("nothing more on this line")

    def take(self, word: str) -> bool:
        is_next = self.peek == word
        self.at += is_next
        return is_next

    def value(self, name: str, reader: Callable[[str], T], expected: str) -> T:
        if not self.peek.startswith(f"{name}="):
            self.fail(expected)
        return self.read(reader)

    def read(self, reader: Callable[[str], T]) -> T:
        """Take a word and read what stands behind its `=`; the reader says what it expected."""
        try:
            read = reader(self.peek.partition("=")[2])
        except ValueError as error:
            self.fail(str(error))
        self.at += 1
        return read


def count_of(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= DIGITS_MAX):
        raise ValueError("a whole number")
    return int(text)
