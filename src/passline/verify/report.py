"""What was checked, how much of each, and what is wrong."""

import tomllib
from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from math import comb, erfc, sqrt
from pathlib import Path
from typing import Any, Literal, NamedTuple

# Which field is wrong, and what is wrong with it; and of which entry, where it is an earlier one.
Complaint = tuple[str, str] | tuple[str, str, int]

FAULTS_MAX = 1_000  # how many faults are listed; the rest are only counted

# Everything that is counted, in the order in which it is printed.
CHECKED: dict[str, str] = tomllib.loads(Path(__file__).with_name("counts.toml").read_text("utf-8"))


def minutes(count: int) -> str:
    return f"{count} minute{'s' * (count != 1)}"


class Book(NamedTuple):
    house: str
    digest: str
    # The one that this program has, another than it has under this name, or one that it has none of.
    known: Literal["as here", "other", "own"]

    def __str__(self) -> str:
        ends = {"as here": "as this program has it", "other": "NOT as this program has it", "own": "a house of its own"}
        return f"{self.house}, {ends[self.known]}"


class Fault(NamedTuple):
    table: str
    sequence: int | None  # the entry; None where it is no entry
    field: str
    what: str
    line: int | None = None  # the line of the export

    def __str__(self) -> str:
        entry = "" if self.sequence is None else f", entry {self.sequence}"
        line = "" if self.line is None else f"line {self.line}: "
        return f"{line}{self.table or 'export'}{entry}, {self.field}: {self.what}"


def _to_whom(bank: int) -> str:
    return f"{abs(bank)} to the {'bank' if bank >= 0 else 'players'}"


class Void(NamedTuple):
    """A void roll, and the dice that it would have been: whether voids favour anybody is for the reader to judge."""

    table: str
    sequence: int
    dice: list[int] | None  # none where a value of it was never shown
    # What it would have brought the bank, in minor units, or cost it; at worst, where its dice are not known.
    bank: int | None = None
    costs: float | None = None  # how often dice cost the bank something there

    def __str__(self) -> str:
        if self.dice is None:
            return f"its dice are not known; at worst it would have brought the bank {self.bank}"
        price = "" if self.bank is None else f", {_to_whom(self.bank)}"
        return f"{self.dice[0]}-{self.dice[1]} would have fallen{price}"


class Return(NamedTuple):
    """Between rolls the crew gave every bet back at its stake: under no cap, and so for the reader to judge."""

    table: str
    sequence: int
    bank: int  # how much more the bets were worth, in minor units; below nothing where they were worth less

    def __str__(self) -> str:
        return f"every bet was given back at its stake, {_to_whom(self.bank)}"


# Up to how many void rolls every number of sevens is counted out; above, chi-square says nearly the same.
COUNTED_OUT = 1_000


# What of a report is JSON as it is.
AS_IT_IS = (
    *("holds", "keys", "open", "unsigned", "gaps", "missing", "unagreed", "unheard", "faults_found"),
    *("void_sevens", "void_p", "void_costs", "silent", "unlisted"),
)


class Report:
    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.faults: list[Fault] = []
        self.faults_found = 0
        self.open: list[str] = []  # what is under way at the end, and no fault: a roll announced and not dealt yet
        self.unsigned: dict[str, int] = {}  # by table: the first entry that no signature covers
        # By table: the minutes of play that no head is of, each with its first entry.
        self.gaps: dict[str, dict[str, int]] = {}
        self.missing: list[str] = []  # Streams that others tell of and the export does not hold
        self.unagreed: list[str] = []  # what two people did, and the people's stream has no word of the second
        # By table: the first entry of the house's floor without which it went on, by the clock.
        self.unheard: dict[str, int] = {}
        self.books: dict[Book, list[str]] = {}  # every house file that is played by, and the tables that are
        self.voids: list[Void] = []
        self.returns: list[Return] = []
        self.silent: Counter[str] = Counter()  # by person: whose value did not arrive, and how often
        # By person: closings in which they had chips up and no hand in the dice.
        self.unlisted: Counter[str] = Counter()
        # By person, at all tables together: closings with chips of theirs up, and those of them that came to nothing.
        self.played: Counter[str] = Counter()
        self.nothing: Counter[str] = Counter()
        # The public keys that the heads are signed with: whose they are, the export cannot say.
        self.keys: list[str] = []

    def add(self, faults: Iterable[Fault]) -> None:
        for fault in faults:
            self.faults_found += 1
            if len(self.faults) < FAULTS_MAX:
                self.faults.append(fault)

    @property
    def void_sevens(self) -> int:
        return sum(sum(void.dice or ()) == 7 for void in self._known)

    @property
    def _known(self) -> list[Void]:
        return [void for void in self.voids if void.dice is not None]

    @property
    def void_costs(self) -> tuple[int, float] | None:
        """Of the void rolls with known dice, how many would have cost the bank, and how likely chance has so many."""
        priced = [void for void in self._known if void.bank is not None and void.costs is not None]
        if not priced:
            return None
        ways = [1.0]
        for void in priced:
            chance = void.costs or 0.0
            ways = [a * (1 - chance) + b * chance for a, b in zip([*ways, 0.0], [0.0, *ways], strict=True)]
        cost = sum(void.bank < 0 for void in priced if void.bank is not None)
        return cost, sum(ways[cost:])

    @property
    def void_p(self) -> float | None:
        """How often chance alone brings so unlikely a number of sevens, one due in six; None without void rolls."""
        rolls, sevens = len(self._known), self.void_sevens
        if not rolls:
            return None
        if rolls > COUNTED_OUT:
            return erfc(sqrt((sevens - rolls / 6) ** 2 / (rolls * 5 / 36) / 2))
        ways = [comb(rolls, each) * 5 ** (rolls - each) for each in range(rolls + 1)]
        return float(Fraction(sum(each for each in ways if each <= ways[sevens]), 6**rolls))

    @property
    def holds(self) -> bool:
        """Whether something was checked and nothing is wrong with it."""
        return not self.faults_found and self.counts["entries"] > 0

    def to_json(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in AS_IT_IS} | {
            "checked": {name: self.counts[name] for name in CHECKED},
            "books": [{**book._asdict(), "tables": tables} for book, tables in self.books.items()],
            "void_rolls": [void._asdict() for void in self.voids],
            "returns": [each._asdict() for each in self.returns],
            "nothing": {who: [times, self.played[who]] for who, times in self.nothing.items()},
            "faults": [fault._asdict() for fault in self.faults],
        }

    def lines(self, most: int = 20) -> list[str]:
        width = max(map(len, CHECKED.values()))
        lines = [f"{words:<{width}} {self.counts[name]:>9,}" for name, words in CHECKED.items() if self.counts[name]]
        lines += [f"book: {book}, sha256 {book.digest}: {', '.join(at)}" for book, at in self.books.items()]
        lines += [f"signed with: {key}" for key in self.keys]
        lines += [f"void: {each.table}, entry {each.sequence}: {each}" for each in self.voids]
        if self.void_p is not None:
            known, far = len(self._known), f"p {self.void_p:.2g}: how often chance alone strays as far"
            lines.append(f"void: {self.void_sevens} of {known} would have been sevens, {known / 6:.1f} are due ({far})")
        if self.void_costs is not None:
            cost, chance = self.void_costs
            far = f"p {chance:.2g}: how often chance alone has that many"
            lines.append(f"void: {cost} would have cost the bank ({far})")
        lines += [f"returned: {each.table}, entry {each.sequence}: {each}" for each in self.returns]
        lines += [f"void: a value of {who} did not arrive: rolls, {times}" for who, times in self.silent.items()]
        lines += [
            f"void: of {self.played[who]:,} rolls with chips of {who} up {times} came to nothing, at all tables here"
            for who, times in sorted(self.nothing.items())
        ]
        own = "bet on rolls without a value of their own in the dice"
        lines += [f"no hand: {who} {own}: {times}" for who, times in sorted(self.unlisted.items())]
        lines += [f"open: {each}" for each in self.open]
        lines += [f"wrong: {fault}" for fault in self.faults[:most]]
        if self.faults_found > most:
            lines.append(f"wrong: ... and {self.faults_found - most:,} more")
        if self.holds:
            return [*lines, f"Everything checks{self._but()}."]
        if not self.counts["entries"]:
            return [*lines, "Nothing was checked: there is no entry in it."]
        return [*lines, f"This journal does not check. Faults: {self.faults_found:,}."]

    def _but(self) -> str:
        """What an inspector who reads only the last line must know."""
        from_on = ", ".join(f"{table} from entry {entry} on" for table, entry in self.unsigned.items())
        parts = [f"no signature covers {from_on}"] if from_on else []
        gaps = ", ".join(f"{minutes(len(each))} of {table}" for table, each in self.gaps.items())
        parts += [f"no head is of {gaps}"] if gaps else []
        parts += [f"not in the export: {', '.join(self.missing)}"] if self.missing else []
        parts += [f"no approval of the second person for {', '.join(self.unagreed)}"] if self.unagreed else []
        unheard = ", ".join(f"{table} of entry {entry}" for table, entry in self.unheard.items())
        parts += [f"not told what the floor of the house decided: {unheard}"] if unheard else []
        others = [f"{', '.join(at)}: {book}" for book, at in self.books.items() if book.known != "as here"]
        parts += [f"by a house file that this program does not have, {each}" for each in others]
        waiting = self.counts["waiting_rolls"]
        parts += [f"the seeds of {waiting:,} rolls are not shown yet"] if waiting else []
        return "".join(f"; {part}" for part in parts)
