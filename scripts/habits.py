"""Changes one value of one house file at a time and asks whether the clause tests of that house notice.

Numbers and prices go up and down, booleans turn, words become every other word the schema knows, lists and tables lose
an entry (and gain one, where the schema knows the others). What the checker refuses is no house and is passed over. A
change that no test notices *survives*; `habits.toml` beside this script explains those that nothing could notice.

The tests of each change run in a process of their own, in which the program finds the changed file in the place of the
real one. The test that noticed a change the last time is asked first.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import re
import signal
import sys
import tempfile
import time
import tomllib
from collections import Counter, defaultdict, deque
from copy import deepcopy
from dataclasses import asdict, dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, NoReturn, TextIO

import pytest

from passline.errors import HouseFileError
from passline.house import House
from passline.rulebooks import catalogue, read

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROOT = Path(__file__).resolve().parents[1]
RULEBOOKS = ROOT / "src" / "passline" / "rulebooks"
HOUSES = RULEBOOKS / "houses"
EXPLAINED = ROOT / "scripts" / "habits.toml"
NOTES = ROOT / "build" / "habits.jsonl"
"""What became of each change, one a line, the latest last."""
REPORT = ROOT / "bench" / "results" / "habits.json"

Path_ = tuple[str | int, ...]
Json = Any
NOT_HABITS = {"id", "name", "names", "area", "keys", "staff", "clauses", "kind", "of", "blurb"}
"""Names and keys: what a house calls things, and how its file hangs together."""
SHARED = sorted((ROOT / "tests" / "clauses").glob("test_*.py"))
"""Tests that look at the houses side by side."""
FACTS = {"about", "equipment"}
"""Free pages of a house file, which nothing but display reads."""
TEST_SECONDS_MAX = 180


@dataclass(frozen=True, slots=True)
class Change:
    """One value of one house file, made otherwise."""

    house: str
    path: str
    clause: str
    """What the file cites beside it, written out (`sydney:6.5.2`); empty where nothing is cited."""
    old: Json
    new: Json
    tree: Json
    """The whole file with the change in it."""

    @property
    def key(self) -> str:
        """What notes call it."""
        return f"{self.house} {self.path} {json.dumps(self.new, sort_keys=True)}"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a change: `refused` by the checker, `noticed` by a test, or `survived`."""

    key: str
    came: str
    by: str = ""


# --- The changes ----------------------------------------------------------------------------------------------------


def changes(house: str) -> list[Change]:
    """Every change to a house file, in the order of the file."""
    tree = tomllib.loads((HOUSES / f"{house}.toml").read_text(encoding="utf-8"))
    schema = json.loads((HOUSES / "house.schema.json").read_text(encoding="utf-8"))
    found = {}
    for path, clause, old, new in _otherwise(schema, schema, tree, ()):
        changed = deepcopy(tree)
        at: Json = changed
        for step in path[:-1]:
            at = at[step]
        if new is DROPPED:
            del at[path[-1]]
        else:
            at[path[-1]] = new
        where = ".".join(str(step) for step in path if not (step == 0 and clause))
        known = clause if not clause or re.match(r"[A-Z]-\d", clause) or ":" in clause else f"{house}:{clause}"
        change = Change(house, where, known, old, "(dropped)" if new is DROPPED else new, changed)
        found[change.key] = change
    return list(found.values())


def unchanged(house: str) -> Change:
    """No change at all, against which every test must pass."""
    tree = tomllib.loads((HOUSES / f"{house}.toml").read_text(encoding="utf-8"))
    return Change(house, "", "", None, None, tree)


DROPPED = object()
"""In the place of a new value: the entry is gone."""


def _otherwise(whole: Json, schema: Json, value: Json, path: Path_) -> Iterator[tuple[Path_, str, Json, Json]]:
    """Walk a file beside its schema: path, clause, old value and new value of each change."""
    node = _node(whole, schema, value)
    if _is_pair(node):
        facts = path[0] in FACTS
        for inside, new in _changed(whole, node["prefixItems"][0], value[0], facts=facts):
            yield (*path, 0, *inside), value[1], _at(value[0], inside), new
        return
    if isinstance(value, dict):
        for name, inner in value.items():
            if name in NOT_HABITS or (name == "name" and not path):
                continue
            is_entry = name not in node.get("properties", {})
            if is_entry and path and path[0] not in FACTS:
                yield (*path, name), _first_clause(inner), inner, DROPPED
            below = _below(node, name)
            if below is not None:
                yield from _otherwise(whole, below, inner, (*path, name))
    elif not isinstance(value, str) or "enum" in node:  # a string by itself is a clause
        for inside, new in _changed(whole, node, value, facts=False):
            yield (*path, *inside), "", _at(value, inside), new


def _first_clause(value: Json) -> str:
    """The clause beside a value, or beside the first in a table that cites one."""
    if isinstance(value, list) and len(value) == 2 and isinstance(value[1], str):
        return value[1]
    if isinstance(value, dict):
        return next((clause for inner in value.values() if (clause := _first_clause(inner))), "")
    return ""


def _node(whole: Json, schema: Json, value: Json) -> Json:
    """The part of a schema that speaks of this value."""
    if "$ref" in schema:
        return _node(whole, whole["$defs"][schema["$ref"].rpartition("/")[2]], value)
    if "discriminator" in schema:
        return _node(whole, {"$ref": schema["discriminator"]["mapping"][value["kind"]]}, value)
    for option in schema.get("anyOf", ()):
        node = _node(whole, option, value)
        if node.get("type") == _type(value) or node.get("const") == value:
            return node
    return schema


def _type(value: Json) -> str:
    names = {bool: "boolean", int: "integer", str: "string", list: "array", dict: "object"}
    return names[type(value)]


def _is_pair(node: Json) -> bool:
    """Whether this is a value with its clause."""
    return len(node.get("prefixItems", ())) == 2


def _below(node: Json, name: str) -> Json | None:
    """The schema of one entry; a clause alone has nothing to change."""
    below = node.get("properties", {}).get(name) or node.get("additionalProperties")
    below = below or next(iter(node.get("patternProperties", {}).values()), None)
    is_clause = isinstance(below, dict) and below.get("type") == "string" and "enum" not in below
    return None if is_clause or not isinstance(below, dict) else below


def _changed(whole: Json, schema: Json, value: Json, *, facts: bool) -> Iterator[tuple[Path_, Json]]:
    """What else a value could be: where inside it, and the new value there."""
    node = _node(whole, schema, value)
    options = [each for option in schema.get("anyOf", ()) if (each := option.get("const")) not in (None, value)]
    yield from (((), option) for option in options)
    match value:
        case bool():
            yield (), not value
        case int():
            yield from (((), value + by) for by in (1, -1))
        case str() if "enum" in node:
            yield from (((), word) for word in node["enum"] if word != value)
        case str() if price := re.fullmatch(r"(\d+):(\d+)( \w+)?", value):
            yield from (((), other) for other in _prices(int(price[1]), int(price[2]), price[3] or ""))
        case str() if rate := re.fullmatch(r"(\d+)%", value):
            yield from (((), f"{int(rate[1]) + by}%") for by in (1, -1))
        case str() if facts or "pattern" not in node:
            yield (), f"{value}, or not"
        case list():
            yield from _lists(node.get("items", {}), value)
        case dict():
            for name, inner in value.items():
                yield (name,), DROPPED
                yield from (((name, *at), new) for at, new in _changed(whole, {}, inner, facts=facts))
        case _:
            pass


def _prices(wins: int, stake: int, form: str) -> Iterator[str]:
    """A price a unit up and down, and so little up and down that only a test of the price itself can see it."""
    yield from (f"{wins + by}:{stake}{form}" for by in (1, -1))
    yield from (f"{1000 * wins + by}:{1000 * stake}{form}" for by in (1, -1))


def _lists(items: Json, value: list[Json]) -> Iterator[tuple[Path_, Json]]:
    """One element fewer, one more that the schema knows, and another in the place of the only one."""
    others = [word for word in items.get("enum", ()) if word not in value]
    yield from (((), [*value[:at], *value[at + 1 :]]) for at in range(len(value)))
    yield from (((), [*value, word]) for word in others)
    if len(value) == 1:
        yield from (((), [word]) for word in others)


def _at(value: Json, inside: Path_) -> Json:
    for step in inside:
        value = value[step]
    return value


# --- The trial of one change ----------------------------------------------------------------------------------------


def toml(house: str, tree: Json) -> str:
    """A house file as TOML again, under the headings it has, for tests that read or alter the text."""
    text = (HOUSES / f"{house}.toml").read_text(encoding="utf-8")
    return "\n".join(_section("", tree, frozenset(re.findall(r"^\[(.+)\]", text, re.MULTILINE)))) + "\n"


def _section(path: str, table: Json, headings: frozenset[str]) -> Iterator[str]:
    """A heading and its lines, then the sections under it."""
    below = {name: f"{path}.{name}" if path else name for name, value in table.items() if isinstance(value, dict)}
    below = {name: full for name, full in below.items() if any(f"{each}.".startswith(f"{full}.") for each in headings)}
    if path in headings:
        yield f"[{path}]"
    yield from (f"{_key(name)} = {_inline(value)}" for name, value in table.items() if name not in below)
    for name, full in below.items():
        yield from _section(full, table[name], headings)


def _key(name: str) -> str:
    return name if re.fullmatch(r"[\w-]+", name) else json.dumps(name)


def _inline(value: Json) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{_key(key)} = {_inline(inner)}" for key, inner in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(_inline, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def put_in_place(house: str, text: str, folder: Path, opened: list[House]) -> None:
    """Let this process find another file where a house's is, also in houses that are opened already."""
    (folder / "houses").mkdir()
    for path in [*RULEBOOKS.iterdir(), *HOUSES.iterdir()]:
        if path.name not in ("houses", f"{house}.toml"):
            (folder / path.relative_to(RULEBOOKS)).symlink_to(path)
    (folder / "houses" / f"{house}.toml").write_text(text, encoding="utf-8")
    vars(catalogue)["files"] = lambda _: folder
    for remembered in (catalogue.house_files, read._load_built_in):  # noqa: SLF001
        remembered.cache_clear()
    changed = House(house)
    changed.layout  # noqa: B018 - laid out here, or never
    for each in opened:
        vars(each).update(vars(changed))


ANY_HOUSE = SimpleNamespace(params={})
"""In the place of a test's parameters, where it has none."""


class Sweep:
    """A plugin that runs the tests it finds not once but against every change, each time in a process of its own."""

    def __init__(
        self, asked: list[Change], notes: dict[str, Outcome], jobs: int, tell: Callable[[Outcome], None]
    ) -> None:
        self.asked = asked
        self.notes = notes
        self.jobs = jobs
        self.tell = tell
        self.failed = ""
        self.opened: list[House] = []
        self.often: Counter[str] = Counter()

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Of tests that look at every house in turn keep those that look at this one."""
        house = self.asked[0].house
        items[:] = [item for item in items if getattr(item, "callspec", ANY_HOUSE).params.get("house", house) == house]

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Take the place of pytest's own loop."""
        if session.testsfailed:
            raise session.Interrupted("the tests cannot be collected")
        house = self.asked[0].house
        self.opened = [each for each in gc.get_objects() if type(each) is House and each.source == house]
        self.opened.append(House(house))
        gc.freeze()  # what is here now is shared with every child; nobody need look through it
        waiting, running = deque([unchanged(house), *self.asked]), dict[int, tuple[Change, int]]()
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
            with os.fdopen(out, encoding="utf-8") as said:
                answer = said.read()
            came, by = json.loads(answer) if answer else ("noticed", "(ended or took too long)")
            self.often[by] += 1
            if change.path:
                self.tell(Outcome(change.key, came, by))
            elif came != "survived":
                raise session.Failed(f"a test fails with nothing changed: {by}")
        return True

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note the first failure."""
        if report.failed:
            self.failed = self.failed or report.nodeid

    def _be_a_child(self, session: pytest.Session, change: Change, into: int) -> NoReturn:
        signal.alarm(TEST_SECONDS_MAX)
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

        def likely(item: pytest.Item) -> tuple[bool, bool, int]:
            carries = any(change.clause in mark.args for mark in item.iter_markers("clause"))
            return item.nodeid != (before.by if before else ""), not carries, -self.often[item.nodeid]

        for item in sorted(session.items, key=likely):
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
            if self.failed:
                return "noticed", self.failed
        return "survived", ""


def try_house(house: str, sweep: Sweep) -> None:
    """Collect a house's clause tests, in a process of its own, and let the sweep run them."""
    folder = f"tests/clauses/{house.replace('-', '_')}"
    if not (ROOT / folder).is_dir():
        raise SystemExit(f"habits: {house} has no clause tests in {folder}")
    sys.stdout.flush()
    child = os.fork()
    if child:
        _, status = os.waitpid(child, 0)
        if status:
            raise SystemExit(f"habits: the clause tests of {house} do not pass as they are")
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    plain = ["-q", "-s", "--tb=no", "-p", "no:xdist", "-p", "no:cacheprovider", f"--rootdir={ROOT}"]
    os._exit(int(pytest.main([*plain, folder, *map(str, SHARED)], plugins=[sweep])))


# --- The sweep ------------------------------------------------------------------------------------------------------


def main(arguments: list[str] | None = None) -> int:
    """Sweep; 1 when a change survives that nothing explains."""
    options = parser().parse_args(arguments)
    os.chdir(ROOT)
    known = sorted(path.stem for path in HOUSES.glob("*.toml"))
    every = [change for house in known for change in changes(house)]
    number, of = (int(part) for part in options.slice.split("/"))
    notes = read_notes()
    asked = [
        change
        for at, change in enumerate(every)
        if at % of == number - 1
        and (not options.house or change.house in options.house)
        and fnmatchcase(change.path, options.path)
        and not (options.resume and change.key in notes)
    ]
    sweep(asked, notes, options.jobs)
    return account(every, asked, read_notes())


def parser() -> argparse.ArgumentParser:
    """The command line."""
    parser = argparse.ArgumentParser(prog="scripts/campaign habits", description=__doc__.partition("\n")[0])
    parser.add_argument("--house", action="append", metavar="ID", help="this house alone; may be repeated")
    parser.add_argument("--path", default="*", metavar="PATTERN", help="these values alone, such as 'shooter.*'")
    parser.add_argument("--slice", default="1/1", metavar="K/N", help="every Nth change, from the Kth")
    parser.add_argument("--resume", action="store_true", help="leave out what has been tried")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N", help="processes at once")
    return parser


def read_notes() -> dict[str, Outcome]:
    """What became of changes tried before."""
    if not NOTES.exists():
        return {}
    lines = NOTES.read_text(encoding="utf-8").splitlines()
    return {outcome.key: outcome for line in lines for outcome in [Outcome(**json.loads(line))]}


def sweep(asked: list[Change], notes: dict[str, Outcome], jobs: int) -> None:
    """Try these changes, house by house, writing down each outcome as it comes."""
    begun, done = time.monotonic(), 0
    NOTES.parent.mkdir(exist_ok=True)
    for house in sorted({change.house for change in asked}):
        of_house = [change for change in asked if change.house == house]
        teller = Teller(begun, done, len(asked), os.fdopen(os.dup(1), "w"))
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


def account(every: list[Change], asked: list[Change], notes: dict[str, Outcome]) -> int:
    """Say what survived; write the report when every change of every house has been tried."""
    explained = tomllib.loads(EXPLAINED.read_text(encoding="utf-8"))["explained"]
    reasons = {change.key: _reason(change, explained) for change in every}
    silent = [change for change in asked if notes[change.key].came == "survived" and not reasons[change.key]]
    tally = Counter(notes[change.key].came for change in asked)
    print(f"habits: {len(asked)} changes: {dict(tally)}, {len(silent)} unexplained")
    if all(change.key in notes for change in every):
        write_report(every, notes, reasons)
    return 1 if silent else 0


def _reason(change: Change, explained: list[dict[str, Json]]) -> str:
    """Why nothing could notice a change; empty when nobody has said."""
    for each in explained:
        fits = fnmatchcase(change.house, each.get("house", "*")) and fnmatchcase(change.path, each["path"])
        if fits and ("new" not in each or change.new in each["new"]):
            return str(each["reason"])
    return ""


def write_report(every: list[Change], notes: dict[str, Outcome], reasons: dict[str, str]) -> None:
    """Keep the result of a whole sweep."""
    by_house: defaultdict[str, Counter[str]] = defaultdict(Counter)
    survivors = []
    for change in every:
        came = notes[change.key].came
        by_house[change.house][came] += 1
        if came == "survived":
            entry = {"house": change.house, "path": change.path, "old": change.old, "new": change.new}
            survivors.append({**entry, "explained": reasons[change.key]})
    unexplained = sum(not each["explained"] for each in survivors)
    report = {
        "what": "one value of one house file changed at a time; the clause tests of that house run against it",
        "houses": {house: dict(sorted(tally.items())) for house, tally in by_house.items()},
        "changes": len(every),
        "unexplained": unexplained,
        "survivors": survivors,
    }
    REPORT.write_text(json.dumps(report, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
