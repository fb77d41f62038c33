"""Says which clauses of the rule books the tests prove.

A clause is *covered* when at least one test that carries it passed and none failed. Every clause of the catalogue (of
the engine, the table, the display and the floor) and every one that a house carries in its own file must be covered.
"""

from __future__ import annotations

import argparse
import csv
import json
import subprocess
import sys
import tomllib
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

ROOT = Path(__file__).resolve().parents[1]
CATALOGUE = ROOT / "src" / "passline" / "rulebooks" / "clauses.csv"
"""The catalogue; the house files that carry clauses of their own lie beside it."""
REPORT = ROOT / "build" / "clauses.json"

PARTS = ("engine", "table", "display", "floor", "own")
"""Who keeps a clause; `own` are those of houses that write theirs."""


@dataclass(frozen=True, slots=True)
class Clause:
    """One requirement of one rule book, and how its tests went."""

    id: str
    house: str
    topic: str
    applies_to: str
    requirement: str
    outcome: str
    """`covered`, `failing`, `skipped` (only skipped tests carry it) or `untested`."""

    @property
    def covered(self) -> bool:
        """Whether a test proves it."""
        return self.outcome == "covered"


@dataclass(frozen=True, slots=True)
class Share:
    """How many clauses of a group are covered."""

    covered: int
    all: int

    @property
    def percent(self) -> Fraction:
        """The covered part of a hundred; a group with nothing in it is whole."""
        return Fraction(100 * self.covered, self.all) if self.all else Fraction(100)

    def __str__(self) -> str:
        return f"{self.covered}/{self.all}"


def main(arguments: list[str] | None = None) -> int:
    """Print the account; 1 when it falls short of what is required, 2 when there is none to read."""
    options = parser().parse_args(arguments)
    if options.run:
        run_tests(options.report)
    try:
        clauses = read(options.catalogue, options.report)
    except (OSError, ValueError, KeyError) as error:
        print(f"clauses: {describe(error, options.report)}", file=sys.stderr)
        return 2
    totals = {part: share(clause for clause in clauses if clause.applies_to == part) for part in PARTS}
    if options.json:
        print(json.dumps(as_json(clauses, totals), indent=1))
    else:
        print_account(clauses, totals)
        if options.missing:
            print_missing(clauses)
    short = [part for part in PARTS if totals[part].percent < options.require]
    for part in short:
        print(f"clauses: {part} has {totals[part]} covered; {options.require} % is required", file=sys.stderr)
    return 1 if short else 0


def parser() -> argparse.ArgumentParser:
    """The command line."""
    parser = argparse.ArgumentParser(prog="scripts/clauses", description=__doc__.partition("\n")[0])
    parser.add_argument("--missing", action="store_true", help="list the clauses that are not covered")
    parser.add_argument("--require", type=int, default=0, metavar="PERCENT", help="exit 1 when a part has less")
    parser.add_argument("--json", action="store_true", help="print the account as JSON")
    parser.add_argument("--run", action="store_true", help="run the tests that carry clauses first")
    parser.add_argument(
        "--report", type=Path, default=REPORT, metavar="FILE", help="a report of pytest --clause-report"
    )
    parser.add_argument("--catalogue", type=Path, default=CATALOGUE, metavar="FILE", help="the catalogue of clauses")
    return parser


def run_tests(report: Path) -> None:
    """Run the tests that carry a clause; a failing test is told by the account."""
    report.unlink(missing_ok=True)
    command = ["-m", "pytest", "-q", "-n", "auto", "-m", "clause", f"--clause-report={report.resolve()}"]
    subprocess.run([sys.executable, *command], cwd=ROOT, stdout=sys.stderr, check=False)


def read(catalogue: Path, report: Path) -> list[Clause]:
    """The catalogue, each clause with its outcome in the report."""
    tests: dict[str, dict[str, str]] = json.loads(report.read_text(encoding="utf-8"))["clauses"]
    with catalogue.open(encoding="utf-8", newline="") as file:
        clauses = [
            Clause(
                id=row["id"],
                house=row["house"],
                topic=row["topic"],
                applies_to=row["applies_to"],
                requirement=row["requirement"],
                outcome=outcome_of(set(tests.get(row["id"], {}).values())),
            )
            for row in csv.DictReader(file)
        ]
    clauses += [
        Clause(name, name.partition(":")[0], "own", "own", sentence, outcome_of(set(tests.get(name, {}).values())))
        for name, sentence in own_clauses(catalogue.parent)
    ]
    if strange := sorted({clause.applies_to for clause in clauses} - set(PARTS)):
        raise ValueError(f"{catalogue}: applies_to is one of {', '.join(PARTS)}, not {', '.join(strange)}")
    if repeated := sorted(name for name, times in Counter(clause.id for clause in clauses).items() if times > 1):
        raise ValueError(f"{catalogue}: more than one clause is called {', '.join(repeated)}")
    if unknown := sorted(tests.keys() - {clause.id for clause in clauses}):
        raise ValueError(f"{report}: clauses that are not in the catalogue: {', '.join(unknown)}")
    return clauses


def own_clauses(rulebooks: Path) -> Iterator[tuple[str, str]]:
    """The clauses that houses carry in their files: id and sentence."""
    for path in sorted(rulebooks.glob("houses/*.toml")):
        house = tomllib.loads(path.read_text(encoding="utf-8"))
        yield from ((f"{house['id']}:{name}", sentence) for name, sentence in house.get("clauses", {}).items())


def outcome_of(outcomes: set[str]) -> str:
    """What the outcomes of its tests make of a clause."""
    if "failed" in outcomes:
        return "failing"
    if "passed" in outcomes:
        return "covered"
    return "skipped" if outcomes else "untested"


def describe(error: Exception, report: Path) -> str:
    """What went wrong and what to do about it."""
    if isinstance(error, FileNotFoundError) and error.filename == str(report):
        return f"no report at {report}; `scripts/test` writes one, and so does `scripts/clauses --run`"
    if isinstance(error, (json.JSONDecodeError, KeyError)):
        return f"{report} is not a report of pytest --clause-report"
    return str(error)


def share(clauses: Iterable[Clause]) -> Share:
    """The covered part of some clauses."""
    group = list(clauses)
    return Share(sum(clause.covered for clause in group), len(group))


def table(clauses: list[Clause]) -> list[list[str]]:
    """A row for each topic, then one for each part; a column for each house, then all."""
    houses = list(dict.fromkeys(clause.house for clause in clauses))
    topics = sorted({clause.topic for clause in clauses})

    def row(name: str, group: list[Clause]) -> list[str]:
        cells = [share(clause for clause in group if clause.house == house) for house in houses]
        return [name, *(str(cell) if cell.all else "-" for cell in cells), str(share(group))]

    rule = [""] * (len(houses) + 2)
    return [
        ["topic", *houses, "all"],
        rule,
        *(row(t, [c for c in clauses if c.topic == t]) for t in topics),
        rule,
        *(row(part, [c for c in clauses if c.applies_to == part]) for part in PARTS),
    ]


def print_account(clauses: list[Clause], totals: dict[str, Share]) -> None:
    """The table, then one line with the totals."""
    rows = table(clauses)
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        name, *cells = row
        if name:
            line = "  ".join([name.ljust(widths[0]), *(c.rjust(w) for c, w in zip(cells, widths[1:], strict=True))])
        else:
            line = "-" * (sum(widths) + 2 * len(cells))
        print(line)
    parts = [f"{part} {totals[part]} ({int(totals[part].percent)} %)" for part in PARTS]
    books = share(clause for clause in clauses if clause.applies_to != "own")
    print(f"\nclauses proved: {', '.join(parts)}; of the rule books {books.covered} of {books.all}")


def print_missing(clauses: list[Clause]) -> None:
    """The clauses that nothing proves, with what they ask for."""
    missing = [clause for clause in clauses if not clause.covered]
    print(f"\nmissing: {len(missing)}")
    for clause in missing:
        print(f"  {clause.id} [{clause.applies_to}, {clause.outcome}] {clause.requirement}")


def as_json(clauses: list[Clause], totals: dict[str, Share]) -> dict[str, object]:
    """The account for programs."""
    groups: dict[str, dict[str, list[Clause]]] = {}
    for clause in clauses:
        groups.setdefault(clause.house, {}).setdefault(clause.topic, []).append(clause)
    return {
        "totals": {part: counts(total) for part, total in totals.items()},
        "houses": {
            house: {topic: counts(share(group)) for topic, group in sorted(topics.items())}
            for house, topics in groups.items()
        },
        "missing": [
            {"id": clause.id, "applies_to": clause.applies_to, "outcome": clause.outcome}
            for clause in clauses
            if not clause.covered
        ],
    }


def counts(share: Share) -> dict[str, int]:
    """A share as two numbers."""
    return {"covered": share.covered, "all": share.all}


if __name__ == "__main__":
    sys.exit(main())
