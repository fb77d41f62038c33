"""Changes one value of one house file at a time and asks whether the clause tests of that house notice.

What the checker refuses is no house and is passed over. A change that no test notices *survives*; `habits.toml` beside
this script explains those that nothing could notice.

The tests of each change run in a process of their own, in which the program finds the changed file in the place of the
real one. The test that noticed a change the last time goes first. Each house begins with no change at all, at which
nothing may fail, and with changes that any test must notice: where one passes, the tests do not see the changed file.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import signal
import sys
import tempfile
import time
import tomllib
from collections import Counter, defaultdict, deque
from dataclasses import asdict, dataclass
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TextIO

import pytest

from passline.errors import HouseFileError
from passline.house import House, _felt
from passline.rulebooks import catalogue, read
from scripts.changes import HOUSES, Change, changes, glaring, toml, unchanged

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).resolve().parents[1]
RULEBOOKS = ROOT / "src" / "passline" / "rulebooks"
EXPLAINED = ROOT / "scripts" / "habits.toml"
NOTES = ROOT / "build" / "habits.jsonl"
"""What became of each change, one a line, the latest last."""
REPORT = ROOT / "bench" / "results" / "habits.json"

CLAUSES = ROOT / "tests" / "clauses"
TEST_SECONDS_MAX = 180


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a change: `refused` by the checker, `noticed` by a test, or `survived`."""

    key: str
    came: str
    by: str = ""


# --- The trial of one change ----------------------------------------------------------------------------------------


def put_in_place(house: str, text: str, folder: Path, opened: list[House]) -> None:
    """Let this process find another file where a house's is, also in houses that are opened already."""
    (folder / "houses").mkdir()
    for path in [*RULEBOOKS.iterdir(), *HOUSES.iterdir()]:
        if path.name not in ("houses", f"{house}.toml"):
            (folder / path.relative_to(RULEBOOKS)).symlink_to(path)
    (folder / "houses" / f"{house}.toml").write_text(text, encoding="utf-8")
    vars(catalogue)["files"] = lambda _: folder
    for remembered in (catalogue.house_files, read._load_built_in, _felt):  # noqa: SLF001
        remembered.cache_clear()
    changed = House(house)
    changed.layout  # noqa: B018 - laid out here, or never
    for each in opened:
        vars(each).update(vars(changed))


def house_of(item: pytest.Item) -> str | None:
    """The house that one case of a test looks at, by its name or as a room; None where it says none."""
    params = item.callspec.params if isinstance(item, pytest.Function) and hasattr(item, "callspec") else {}
    house = params.get("house", getattr(params.get("room"), "name", None))
    return house if isinstance(house, str) else None


def tests_of(house: str) -> list[str]:
    """The folder of a house's own tests, and all that is no other house's own."""
    others = {path.stem.replace("-", "_") for path in HOUSES.glob("*.toml")} - {house.replace("-", "_")}
    return [str(path) for path in sorted(CLAUSES.iterdir()) if path.name not in others and holds_tests(path)]


def holds_tests(path: Path) -> bool:
    """Whether there are tests in a folder, or in a file."""
    return path.match("test_*.py") or bool(path.is_dir() and list(path.glob("test_*.py")))


class Sweep:
    """A plugin that runs the tests it finds not once but against every change, each time in a process of its own."""

    def __init__(
        self, wanted: list[Change], notes: dict[str, Outcome], jobs: int, tell: Callable[[Outcome], None]
    ) -> None:
        self.wanted = wanted
        self.beforehand = [unchanged(wanted[0].house), *glaring(wanted[0].house)]
        self.notes = notes
        self.jobs = jobs
        self.tell = tell
        self.failed = ""
        self.why = "its tests cannot be collected"
        """Why there is no sweep, if there is none."""
        self.opened: list[House] = []
        self.often: Counter[str] = Counter()
        self.carries: dict[str, frozenset[str]] = {}

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Of tests that look at several houses in turn keep those that look at this one."""
        items[:] = [item for item in items if house_of(item) in (None, self.wanted[0].house)]
        self.carries = {
            item.nodeid: frozenset(clause for mark in item.iter_markers("clause") for clause in mark.args)
            for item in items
        }

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Take the place of pytest's own loop."""
        if session.testsfailed:
            raise session.Interrupted(self.why)
        self.why = ""
        house = self.wanted[0].house
        self.opened = [each for each in gc.get_objects() if type(each) is House and each.source == house]
        self.opened.append(House(house))
        gc.freeze()  # what is here now is shared with every child; nobody need look through it
        waiting, running = deque([*self.beforehand, *self.wanted]), dict[int, tuple[Change, int]]()
        while waiting or running:
            while waiting and len(running) < self.jobs:
                change = waiting.popleft()
                out, into = os.pipe()
                child = os.fork()
                if not child:
                    self._be_a_child(session, change, into)
                os.close(into)
                running[child] = change, out
            child, _ = os.wait()
            change, out = running.pop(child)
            with os.fdopen(out, encoding="utf-8") as pipe:
                answer = pipe.read()
            came, by = json.loads(answer) if answer else ("noticed", "(ended or took too long)")
            self.often[by] += 1
            if any(change is each for each in self.beforehand):
                self._must_bite(session, change, came, by)
            else:
                self.tell(Outcome(change.key, came, by))
        return True

    def _must_bite(self, session: pytest.Session, change: Change, came: str, by: str) -> None:
        """Stop a sweep whose word would be worth nothing."""
        if not change.path and came != "survived":
            self.why = f"with nothing changed {by} fails"
        if change.path and came != "noticed":
            self.why = f"{change.key} {came}, which any test must notice: is the file as it was still remembered?"
        if self.why:
            raise session.Failed(self.why)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note the first failure."""
        if report.failed:
            self.failed = self.failed or report.nodeid

    def _be_a_child(self, session: pytest.Session, change: Change, into: int) -> NoReturn:
        signal.setitimer(signal.ITIMER_PROF, TEST_SECONDS_MAX)  # of its own work: a busy machine notices nothing
        with tempfile.TemporaryDirectory(prefix="habits-") as folder:
            answer = self._try(session, change, Path(folder))
        os.write(into, json.dumps(answer).encode())
        os._exit(0)

    def _try(self, session: pytest.Session, change: Change, folder: Path) -> tuple[str, str]:
        """Run the tests against one change until one fails: first those likely to."""
        book = self.opened[0].book
        try:
            put_in_place(change.house, toml(change.house, change.tree), folder, self.opened)
        except HouseFileError as error:
            return "refused", str(error).splitlines()[0]
        except Exception as error:  # noqa: BLE001 - a house that cannot be laid out has been noticed
            return "noticed", f"lay_out: {error!r}"[:200]
        if change.path and self.opened[0].book == book:
            return "refused", "it says the same"
        before = self.notes.get(change.key)
        words = [word for word in change.path.split(".") if word not in ("wager", "pays")]

        def likely(item: pytest.Item) -> tuple[bool, bool, int, int]:
            test = item.nodeid
            carries, names = change.clause in self.carries[test], sum(word in test for word in words)
            return test != (before.by if before else ""), not carries, -names, -self.often[test]

        for item in sorted(session.items, key=likely):
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
            if self.failed:
                return "noticed", self.failed
        return "survived", ""


def try_house(house: str, sweep: Sweep) -> None:
    """Collect a house's clause tests, in a process of its own, and let the sweep run them."""
    folder = CLAUSES / house.replace("-", "_")
    if not holds_tests(folder):
        raise SystemExit(f"habits: {house} has no clause tests in {folder.relative_to(ROOT)}")
    sys.stdout.flush()
    child = os.fork()
    if child:
        _, status = os.waitpid(child, 0)
        if status:
            raise SystemExit(1)
        return
    terminal = os.dup(2)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    plain = ["-q", "-s", "--tb=no", "-p", "no:xdist", "-p", "no:cacheprovider", f"--rootdir={ROOT}"]
    code = int(pytest.main([*plain, *tests_of(house)], plugins=[sweep]))
    if code:
        os.write(terminal, f"habits: {house} is not swept: {sweep.why or 'pytest stopped'}\n".encode())
    os._exit(code)


# --- The sweep ------------------------------------------------------------------------------------------------------


def main(arguments: list[str] | None = None) -> int:
    """Sweep; 1 when a change survives that nothing explains."""
    options = parser().parse_args(arguments)
    os.chdir(ROOT)
    known = sorted(path.stem for path in HOUSES.glob("*.toml"))
    every = [change for house in known for change in changes(house)]
    number, of = (int(part) for part in options.slice.split("/"))
    notes = read_notes()
    wanted = [
        change
        for at, change in enumerate(every)
        if at % of == number - 1
        and (not options.house or change.house in options.house)
        and fnmatchcase(change.path, options.path)
        and not (options.resume and change.key in notes)
        and (not options.survived or (change.key in notes and notes[change.key].came == "survived"))
        and not (options.skip_explained and reason_for(change))
    ]
    sweep(wanted, notes, options.jobs)
    return account(every, wanted, read_notes())


def parser() -> argparse.ArgumentParser:
    """The command line."""
    parser = argparse.ArgumentParser(prog="scripts/campaign habits", description=__doc__.partition("\n")[0])
    parser.add_argument("--house", action="append", metavar="ID", help="this house alone; may be repeated")
    parser.add_argument("--path", default="*", metavar="PATTERN", help="these values alone, such as 'shooter.*'")
    parser.add_argument("--slice", default="1/1", metavar="K/N", help="every Nth change, from the Kth")
    parser.add_argument("--resume", action="store_true", help="leave out what has been tried")
    parser.add_argument("--survived", action="store_true", help="try again what survived the last time, and no more")
    parser.add_argument("--skip-explained", action="store_true", help="leave out what `habits.toml` explains")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N", help="processes at once")
    return parser


def read_notes() -> dict[str, Outcome]:
    """What became of changes tried before."""
    if not NOTES.exists():
        return {}
    lines = NOTES.read_text(encoding="utf-8").splitlines()
    return {outcome.key: outcome for line in lines for outcome in [Outcome(**json.loads(line))]}


def sweep(wanted: list[Change], notes: dict[str, Outcome], jobs: int) -> None:
    """Try these changes, house by house, writing down each outcome as it comes."""
    begun, done = time.monotonic(), 0
    NOTES.parent.mkdir(exist_ok=True)
    for house in sorted({change.house for change in wanted}):
        of_house = [change for change in wanted if change.house == house]
        teller = Teller(begun, done, len(wanted), os.fdopen(os.dup(1), "w"))
        try_house(house, Sweep(of_house, notes, jobs, teller.tell))
        done += len(of_house)


@dataclass(slots=True)
class Teller:
    """Writes outcomes down and says how far the sweep is."""

    begun: float
    done: int
    all: int
    out: TextIO
    """Where it talks to, while the tests talk to nobody."""

    def tell(self, outcome: Outcome) -> None:
        """Note one outcome."""
        self.done += 1
        with NOTES.open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(outcome)) + "\n")
        if outcome.came == "survived":
            print(f"survived: {outcome.key}", file=self.out, flush=True)
        if self.done % 50 == 0 or self.done == self.all:
            minutes = (time.monotonic() - self.begun) / 60
            print(f"habits: {self.done} of {self.all} in {minutes:.1f} min", file=self.out, flush=True)


def account(every: list[Change], wanted: list[Change], notes: dict[str, Outcome]) -> int:
    """Say what survived, and keep what became of every change of every house, of those that still wait too."""
    silent = [change for change in wanted if notes[change.key].came == "survived" and not reason_for(change)]
    tally = Counter(notes[change.key].came for change in wanted)
    print(f"habits: {len(wanted)} changes: {dict(tally)}, {len(silent)} unexplained")
    write_report(every, notes)
    needed = [change for change in every if came_of(change, notes) not in ("noticed", "refused")]
    idle = [each for each in explanations() if not any(fits(each, change) for change in needed)]
    for each in idle:
        print(f"habits: nothing survives of what is explained by {each}")
    return 1 if silent or idle else 0


def came_of(change: Change, notes: dict[str, Outcome]) -> str:
    """What became of a change: as noted, or why it has not been tried."""
    if change.key in notes:
        return notes[change.key].came
    return "explained, not tried" if reason_for(change) else "not tried"


@cache
def explanations() -> list[dict[str, Any]]:
    """Which changes nothing could notice, and why."""
    return list(tomllib.loads(EXPLAINED.read_text(encoding="utf-8"))["explained"])


def reason_for(change: Change) -> str:
    """Why nothing could notice a change; empty when nobody has said."""
    return next((str(each["reason"]) for each in explanations() if fits(each, change)), "")


def fits(explained: dict[str, Any], change: Change) -> bool:
    """Whether an explanation speaks of this change."""
    there = change.house in explained.get("houses", [change.house]) and fnmatchcase(change.path, explained["path"])
    return there and ("new" not in explained or change.new in explained["new"])


def write_report(every: list[Change], notes: dict[str, Outcome]) -> None:
    """Keep the result of a whole sweep."""
    by_house: defaultdict[str, Counter[str]] = defaultdict(Counter)
    survivors = []
    for change in every:
        came = came_of(change, notes)
        by_house[change.house][came] += 1
        if came == "survived":
            entry = {"house": change.house, "path": change.path, "old": change.old, "new": change.new}
            survivors.append({**entry, "explained": reason_for(change)})
    unexplained = sum(not each["explained"] for each in survivors)
    report = {
        "what": "one value of one house file changed at a time; the clause tests of that house run against it",
        "houses": {house: dict(sorted(tally.items())) for house, tally in by_house.items()},
        "changes": len(every),
        "unexplained": unexplained,
        "survivors": survivors,
        "explanations": [str(each["reason"]) for each in explanations()],
    }
    REPORT.write_text(json.dumps(report, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
