"""Breaks the rules of the floor on purpose, clause by clause, and asks whether a test that cites the clause notices.

`scripts/broken.toml` has a few breaks for every clause that is about the floor, in the sources or in a house file. Two
lots of citing tests are run against each, in children of one process: those of the rules (`tests/clauses`), and those
that ask over HTTP (`tests/web`). `bench/results/broken.json` has, by clause, how many breaks each lot noticed.
"""

from __future__ import annotations

import argparse
import ast
import csv
import functools
import gc
import importlib
import json
import os
import signal
import sys
import tempfile
import tomllib
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

import pytest

from passline.rulebooks import catalogue
from scripts import planted

ROOT = planted.ROOT
SOURCES = ROOT / "src" / "passline"
BREAKS = ROOT / "scripts" / "broken.toml"
REPORT = ROOT / "bench" / "results" / "broken.json"
TESTS = {
    "rules": (
        *("tests/clauses/adelaide/test_floor.py", "tests/clauses/fire_bonus/test_floor.py"),
        *("tests/clauses/sydney/test_floor.py", "tests/clauses/sydney/test_floor_limits.py"),
        "tests/clauses/sydney/test_promotions.py",
    ),
    "http": ("tests/web/test_floor_clauses.py", "tests/web/test_house_rules.py"),
}
PASSED, FAILED, LOADS_NOT = 0, 1, 3


class Break(NamedTuple):
    clause: str
    file: str
    was: str
    now: str

    @property
    def name(self) -> str:
        return f"{self.clause}, {self.file}: {self.was!r} -> {self.now!r}"

    def text(self) -> str:
        return (SOURCES / self.file).read_text(encoding="utf-8")

    def make(self) -> None:
        """Have what is loaded be broken; whatever was remembered is forgotten."""
        broken = self.text().replace(self.was, self.now)
        if self.file.endswith(".toml"):
            house = Path(tempfile.mkdtemp()) / Path(self.file).name
            house.write_text(broken, encoding="utf-8")
            files = {**catalogue.house_files(), house.stem: house}
            for each in gc.get_objects():
                if isinstance(each, functools._lru_cache_wrapper):  # noqa: SLF001 - it has no other name
                    each.cache_clear()
            for module in list(sys.modules.values()):
                if getattr(module, "house_files", None) is not None and module.__name__.startswith("passline."):
                    module.house_files = lambda: files  # type: ignore[attr-defined]
            importlib.import_module("passline.rulebooks.read").load(house.stem)
            return
        name, tree = "passline." + self.file.removesuffix(".py").replace("/", "."), ast.parse(broken)
        planted.put(planted.Planted(name, 0, self.was, self.now, tree))
        before = {ast.unparse(each) for each in ast.parse(self.text()).body}
        for each in tree.body:
            if (
                isinstance(each, ast.Assign)
                and isinstance(each.targets[0], ast.Name)
                and ast.unparse(each) not in before
            ):
                setattr(importlib.import_module(name), each.targets[0].id, ast.literal_eval(each.value))


def breaks() -> list[Break]:
    listed = tomllib.loads(BREAKS.read_text(encoding="utf-8"))["broken"]
    with (SOURCES / "rulebooks" / "clauses.csv").open(encoding="utf-8", newline="") as file:
        about = [row["id"] for row in csv.DictReader(file) if row["applies_to"] == "floor"]
    if missing := set(about) ^ set(listed):
        raise SystemExit(f"broken: not every clause of the floor, or others: {sorted(missing)}")
    lines = {clause: [[text.replace("\\n", "\n") for text in each] for each in listed[clause]] for clause in about}
    made = [Break(clause, *each) for clause in about for each in lines[clause]]
    for each in made:
        if (times := each.text().count(each.was)) != 1:
            raise SystemExit(f"broken: that stands there {times} times and not once: {each.name}")
    return made


class Trial:
    """Runs in the place of the tests: each break in children of its own, one for each lot of tests."""

    def __init__(self, made: list[Break]) -> None:
        self.made = made
        self.noticed: dict[Break, dict[str, bool]] = {}
        self.cited: set[str] = set()

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        session.config.pluginmanager.unregister(name="terminalreporter")
        tests: dict[tuple[str, str], list[pytest.Item]] = defaultdict(list)
        for item in session.items:
            lot = next(lot for lot, files in TESTS.items() if item.nodeid.startswith(files))
            for clause in {each for mark in item.iter_markers("clause") for each in mark.args}:
                tests[clause, lot].append(item)
        for first in {Path(each.file).suffix: each._replace(now=each.was) for each in self.made}.values():
            if any(self._notices(session, first, tests[first.clause, lot]) for lot in TESTS):
                raise SystemExit(f"broken: its tests fail with nothing broken: {first.clause}")
        for each in self.made:
            self.noticed[each] = {
                lot: self._notices(session, each, tests[each.clause, lot]) for lot in TESTS if tests[each.clause, lot]
            }
            said = ", ".join(f"{lot} {'noticed' if it else 'SURVIVED'}" for lot, it in self.noticed[each].items())
            print(f"{said or 'NO TEST'}: {each.name}", flush=True)
        return True

    def _notices(self, session: pytest.Session, each: Break, items: list[pytest.Item]) -> bool:
        pid = os.fork()
        if not pid:
            self._try(session, each, items)
        status = os.waitpid(pid, 0)[1]
        if os.waitstatus_to_exitcode(status) == LOADS_NOT:
            raise SystemExit(f"broken: nothing loads with it: {each.name}")
        return status != PASSED

    def _try(self, session: pytest.Session, each: Break, items: list[pytest.Item]) -> None:
        signal.alarm(planted.SECONDS_MAX)
        out = os.open(os.devnull, os.O_WRONLY)
        os.dup2(out, 1)
        os.dup2(out, 2)
        try:
            each.make()
        except BaseException:  # noqa: BLE001 - whatever it is, it is a mistake of the list
            os._exit(LOADS_NOT)
        try:
            for at, item in enumerate(items):
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=(*items, None)[at + 1])
                if session.testsfailed:
                    os._exit(FAILED)
        except BaseException:  # noqa: BLE001 - whatever it is, it was noticed
            os._exit(FAILED)
        os._exit(PASSED)


def main(arguments: list[str] | None = None) -> int:
    """Try every break; 1 where no citing test notices one."""
    parser = argparse.ArgumentParser(prog="scripts/campaign broken", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--only", default=[""], nargs="+", metavar="WORD", help="only clauses with this in their names")
    parser.add_argument("--slice", default="1/1", metavar="N/OF", help="only a part of the clauses")
    options = parser.parse_args(arguments)
    made = breaks()
    number, of = map(int, options.slice.split("/"))
    named = dict.fromkeys(each.clause for each in made if any(word in each.clause for word in options.only))
    clauses = list(named)[number - 1 :: of]
    trial = Trial([each for each in made if each.clause in clauses])
    os.chdir(ROOT)
    quiet = ("-q", "-s", "--no-header", "-p", "no:xdist", "-p", "no:cacheprovider")
    pytest.main([*quiet, "-m", "not slow", *(file for files in TESTS.values() for file in files)], [trial])
    report = json.loads(REPORT.read_text(encoding="utf-8")) if REPORT.exists() else {"clauses": {}}
    for clause in clauses:
        of_clause = [noticed for each, noticed in trial.noticed.items() if each.clause == clause]
        row = {"breaks": len(of_clause), "noticed": sum(any(noticed.values()) for noticed in of_clause)}
        report["clauses"][clause] = row | {lot: sum(noticed.get(lot, False) for noticed in of_clause) for lot in TESTS}
    rows = report["clauses"].values()
    report = {
        "what": "rules of the floor broken on purpose, and by how many breaks a test failed that cites the clause",
        **{name: sum(row[name] for row in rows) for name in ("breaks", "noticed")},
        "clauses_noticed_over_http": sum(bool(row["http"]) for row in rows),
        "clauses": dict(sorted(report["clauses"].items())),
    }
    REPORT.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    survived = [each.name for each, noticed in trial.noticed.items() if not any(noticed.values())]
    print("\n".join([f"{len(trial.noticed) - len(survived)} of {len(trial.noticed)} noticed", *survived]))
    return int(bool(survived))


if __name__ == "__main__":
    raise SystemExit(main())
