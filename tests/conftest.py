"""What every test run has: Hypothesis profiles, and the account of which clauses the tests prove.

A test names the clauses that it proves with `@pytest.mark.clause("sydney:6.5.2", …)`. With `--clause-report=FILE` the
run writes, for each clause so named, the outcome of each test that names it; `scripts/clauses` reads that file. A mark
that names a clause which is not in the catalogue is an error at collection.
"""

from __future__ import annotations

import csv
import difflib
import gc
import hashlib
import json
import os
import tempfile
import tomllib
from collections import defaultdict
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import pytest
from hypothesis import HealthCheck, settings

from tests import tables

T = TypeVar("T")

os.environ["XDG_DATA_HOME"] = tempfile.mkdtemp(prefix="passline-tests-")
"""Clients keep their hands and heads in a person's folder, and not in that of whoever runs the tests."""

RULEBOOKS = Path(__file__).parents[1] / "src" / "passline" / "rulebooks"

# Continuous integration looks at the same examples every time; a person's machine, and the campaign, at new ones.
settings.register_profile("everyday", deadline=None, derandomize="CI" in os.environ, print_blob=True)
settings.register_profile(
    "campaign", deadline=None, max_examples=5_000, print_blob=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("everyday")


@pytest.fixture(scope="session", autouse=True)
def _own_keys(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep the person's own keys out of the tests' evenings."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PASSLINE_KEYS", str(tmp_path_factory.mktemp("keys") / "keys.json"))
        yield


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the account of clauses, and the sample for every day."""
    parser.addoption(
        "--clause-report", metavar="FILE", help="write the outcome of every test that carries a clause, as JSON"
    )
    parser.addoption(
        "--sample", type=int, metavar="N", help="run at most N cases of each test that has a table of cases"
    )
    parser.addoption("--shuffle", metavar="SEED", help="files, and tests within them, in another order; other examples")


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Keep the account in one place: under xdist the workers' reports all come to the controller."""
    if seed := config.getoption("--shuffle"):
        config.option.hypothesis_seed = seed
    tables.SAMPLE[:] = [most] if (most := config.getoption("--sample")) else []
    if config.getoption("--clause-report") and not hasattr(config, "workerinput"):
        config.pluginmanager.register(ClauseAccount(config), "clause-account")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Call what is left to the campaign slow, too: whoever asks for the quick tests alone does not get it."""
    for item in items:
        if item.get_closest_marker("campaign"):
            item.add_marker("slow")
    if most := config.getoption("--sample"):
        _sample(config, items, most)
    if seed := config.getoption("--shuffle"):
        items.sort(key=lambda item: _place(seed, item.path.as_posix()) + _place(seed, item.nodeid))


def pytest_collection_finish() -> None:
    """Have the garbage collector look no more at what was collected and imported: it stays to the end."""
    gc.collect()
    gc.freeze()


def _place(seed: str, name: str) -> bytes:
    """Where something stands in the order of a seed; a file stays together, for what its tests share is made once."""
    return hashlib.sha256(f"{seed} {name}".encode()).digest()


def _sample(config: pytest.Config, items: list[pytest.Item], most: int) -> None:
    """Keep at most so many cases of each function: tables that are crossed have more than one of them alone."""
    tables: dict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        tables[item.nodeid.partition("[")[0]].append(item)
    chosen = {case.nodeid for cases in tables.values() for case in evenly(cases, most)}
    config.hook.pytest_deselected(items=[item for item in items if item.nodeid not in chosen])
    items[:] = [item for item in items if item.nodeid in chosen]


def evenly(cases: Sequence[T], most: int) -> Sequence[T]:
    """At most so many, evenly over all of them."""
    return cases if len(cases) <= most else [cases[at * len(cases) // most] for at in range(most)]


@pytest.hookimpl(tryfirst=True)
def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Make no case that a sample leaves out: making them all takes longer than running the few."""
    most = metafunc.config.getoption("--sample")
    if not most:
        return
    parametrize = metafunc.parametrize

    def sampled(argnames: str | Sequence[str], argvalues: Iterable[Any], **how: Any) -> None:  # noqa: ANN401 - pytest's
        if isinstance(ids := how.get("ids"), Iterable):
            how["ids"] = evenly(list(ids), most)
        parametrize(argnames, evenly(list(argvalues), most), **how)

    metafunc.parametrize = sampled  # type: ignore[method-assign]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Tell what the fault gates exercised: a gate that looks at nothing is green, too."""
    reports = [report for each in terminalreporter.stats.values() for report in each]
    lines = {text for report in reports for name, text in getattr(report, "user_properties", ()) if name == "exercised"}
    if lines:
        terminalreporter.section("what the fault gates exercised")
    for text in sorted(lines):
        terminalreporter.line(text)


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Give each test its clauses to carry into its reports; refuse clauses that nobody has written."""
    report = yield
    complaints = []
    for item in report.result if report.passed else ():
        if isinstance(item, pytest.Item):
            clauses = clauses_of(item)
            complaints += [f"{item.nodeid}: {complaint}" for complaint in unknown(clauses, catalogue(collector.config))]
            item.user_properties += [("clause", clause) for clause in clauses]
    if complaints:
        report.outcome = "failed"
        report.longrepr = "\n".join(complaints)
        report.result = []
    return report


def clauses_of(item: pytest.Item) -> list[str]:
    """The clauses named by the marks of a test, of its class and of its module, each once and in order."""
    return sorted({clause for mark in item.iter_markers("clause") for clause in mark.args or ("",)})


def unknown(clauses: Iterable[str], known: frozenset[str]) -> list[str]:
    """A sentence about each clause that the catalogue does not have."""
    complaints = []
    for clause in clauses:
        if clause not in known:
            near = difflib.get_close_matches(str(clause), known, n=3)
            hint = f"; did you mean {' or '.join(near)}?" if near else ""
            complaints.append(f"no clause {clause!r} in the rule books{hint}")
    return complaints


KNOWN = pytest.StashKey[frozenset[str]]()


def catalogue(config: pytest.Config) -> frozenset[str]:
    """The ids of all clauses, read once in a run."""
    if KNOWN not in config.stash:
        config.stash[KNOWN] = frozenset(read_catalogue(RULEBOOKS))
    return config.stash[KNOWN]


def read_catalogue(rulebooks: Path) -> Iterator[str]:
    """The ids of the catalogue, and of the houses that carry clauses of their own."""
    with (rulebooks / "clauses.csv").open(encoding="utf-8", newline="") as file:
        yield from (row["id"] for row in csv.DictReader(file))
    for path in rulebooks.glob("houses/*.toml"):
        with suppress(tomllib.TOMLDecodeError):  # a house file that cannot be read has tests of its own to say so
            house = tomllib.loads(path.read_text(encoding="utf-8"))
            yield from (f"{house['id']}:{name}" for name in house.get("clauses", {}))


class ClauseAccount:
    """Gathers outcomes by clause and by test, and writes them when the run ends."""

    def __init__(self, config: pytest.Config) -> None:
        self.file = config.rootpath / config.getoption("--clause-report")
        self.outcomes: defaultdict[str, dict[str, str]] = defaultdict(dict)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note one phase of one test; a failure in any phase is the test's outcome."""
        if report.failed:
            outcome = "failed"
        elif report.skipped:
            outcome = "skipped"  # or failed as expected, which proves nothing either
        elif report.when == "call":
            outcome = "passed"
        else:
            return
        for name, clause in report.user_properties:
            if name == "clause":
                tests = self.outcomes[str(clause)]
                if outcome == "failed" or tests.get(report.nodeid) != "failed":
                    tests[report.nodeid] = outcome

    def pytest_sessionfinish(self) -> None:
        """Write the account."""
        self.file.parent.mkdir(parents=True, exist_ok=True)
        account = {clause: dict(sorted(tests.items())) for clause, tests in sorted(self.outcomes.items())}
        self.file.write_text(json.dumps({"clauses": account}, indent=1) + "\n", encoding="utf-8")
