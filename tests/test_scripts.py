"""The scripts and the account of clauses do what they say."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

from scripts import broken, clauses

ROOT = Path(__file__).parents[1]
SCRIPTS = sorted(
    path for path in [*(ROOT / "scripts").iterdir(), *(ROOT / ".ci").iterdir()] if path.is_file() and not path.suffix
)

HEADER = "id,house,clause,topic,applies_to,requirement,testable_as,notes\n"
CATALOGUE = HEADER + dedent("""\
    strip:1,strip,1,wager,engine,A pass bet wins on 7.,,
    strip:2,strip,2,wager,table,The shooter throws.,,
    strip:3,strip,3,payout,display,The odds are shown.,,
    strip:4,strip,4,conduct,floor,No smoking.,,
    river:1,river,1,wager,engine,A pass bet loses on 12.,,
""")
"""A catalogue with a clause of every kind."""


def test_what_a_campaign_breaks_stands_there() -> None:
    """Every clause of the floor has its breaks, and each finds its place once: or the sweep could not begin."""
    assert len(broken.breaks()) > 200


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_a_script_is_safe_to_run_from_anywhere(script: Path) -> None:
    """It can be run, stops at the first failure, says in two lines what it is for, and finds its own way."""
    assert os.access(script, os.X_OK)
    shebang, first, second, strict, *rest = script.read_text(encoding="utf-8").splitlines()
    assert shebang == "#!/usr/bin/env bash"
    assert first.startswith("# ")
    assert second.startswith("# ")
    assert strict == "set -euo pipefail"
    assert any("BASH_SOURCE" in line for line in rest)
    subprocess.run(["bash", "-n", script], check=True)


HAS_HELP = [path for path in SCRIPTS if "/usage.sh" in path.read_text(encoding="utf-8")]


@pytest.mark.parametrize("script", HAS_HELP, ids=lambda path: path.name)
def test_help_says_what_a_script_is_for_and_begins_nothing(script: Path, tmp_path: Path) -> None:
    done = subprocess.run([script, "--help"], cwd=tmp_path, capture_output=True, text=True, check=True, timeout=300)
    first = script.read_text(encoding="utf-8").splitlines()[1]
    assert done.stdout.startswith(first.removeprefix("# ") + "\n")
    assert "BASH_SOURCE" not in done.stdout
    assert not done.stderr


def test_the_browsers_bench_listens_for_what_the_stream_sends() -> None:
    """It once waited for an event of a name that no stream uses, and measured nothing."""
    sent = set(re.findall(r"event: (\w+)", (ROOT / "src/passline/web/streams.py").read_text("utf-8")))
    listens = set(re.findall(r'\bkind === "(\w+)" && ', (ROOT / "bench/browser.py").read_text("utf-8")))
    assert listens
    assert listens <= sent


def test_continuous_integration_runs_what_people_run() -> None:
    """`.ci/run` is `scripts/test` and nothing else."""
    *_, last = (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()
    assert last == 'exec "$(dirname "${BASH_SOURCE[0]}")/../scripts/test"'


# --- scripts/clauses ----------------------------------------------------------------------------------------------


@pytest.fixture
def account(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Account:
    """A catalogue and an empty report to ask questions about."""
    return Account(tmp_path, capsys)


class Account:
    """A planted catalogue and report, and the script that reads them."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.catalogue = folder / "clauses.csv"
        self.report = folder / "report.json"
        self.capsys = capsys
        self.catalogue.write_text(CATALOGUE, encoding="utf-8")
        self.outcomes()

    def outcomes(self, **tests: str) -> None:
        """Write a report: clause ids with `_` for `:`, each with the outcomes of its tests."""
        ids = {key.replace("_", ":"): outcomes.split() for key, outcomes in tests.items()}
        report = {id_: {f"test_{n}": outcome for n, outcome in enumerate(of)} for id_, of in ids.items()}
        self.report.write_text(json.dumps({"clauses": report}), encoding="utf-8")

    def ask(self, *arguments: str) -> tuple[int, str]:
        """Run the script; its exit code, and all that it said."""
        code = clauses.main(["--catalogue", str(self.catalogue), "--report", str(self.report), *arguments])
        said = self.capsys.readouterr()
        return code, said.out + said.err


def test_everything_proved_is_enough(account: Account) -> None:
    """Of every part, the floor's too."""
    proved = {"strip_2": "passed passed", "strip_4": "passed"}
    account.outcomes(strip_1="passed", strip_3="passed", river_1="passed skipped", **proved)
    code, said = account.ask("--require", "100")
    assert code == 0
    assert (
        "engine 2/2 (100 %), table 1/1 (100 %), display 1/1 (100 %), floor 1/1 (100 %), own 0/0 (100 %);"
        " of the rule books 5 of 5" in said
    )


@pytest.mark.parametrize(
    ("outcomes", "why"), [("", "untested"), ("skipped", "skipped"), ("failed", "failing"), ("passed failed", "failing")]
)
def test_a_clause_needs_a_test_that_passed_and_none_that_failed(account: Account, outcomes: str, why: str) -> None:
    """One clause short is short, and `--missing` says which and why."""
    account.outcomes(strip_1="passed", strip_2="passed", strip_3="passed", strip_4="passed", river_1=outcomes)
    code, said = account.ask("--require", "100", "--missing")
    assert code == 1
    assert "engine has 1/2 covered; 100 % is required" in said
    assert f"river:1 [engine, {why}] A pass bet loses on 12." in said
    assert "strip:4" not in said
    assert account.ask("--require", "50")[0] == 0
    assert account.ask("--require", "51")[0] == 1


def test_the_account_has_a_row_for_each_topic_and_a_column_for_each_house(account: Account) -> None:
    """A house without a topic has a dash there."""
    account.outcomes(strip_1="passed", river_1="passed")
    _, said = account.ask()
    rows = {line.split()[0]: line.split()[1:] for line in said.splitlines() if line.strip()}
    assert rows["topic"] == ["strip", "river", "all"]
    assert rows["wager"] == ["1/2", "1/1", "2/3"]
    assert rows["payout"] == ["0/1", "-", "0/1"]
    assert rows["conduct"] == ["0/1", "-", "0/1"]
    assert rows["floor"] == ["0/1", "-", "0/1"]


def test_a_house_may_carry_its_own_clauses(account: Account) -> None:
    """They are required as those of the catalogue are."""
    house = account.catalogue.with_name("houses") / "boat.toml"
    house.parent.mkdir()
    house.write_text('id = "boat"\n[clauses]\n"odds.345" = "Odds are 3-4-5."\n"put" = "A put bet may be made."\n')
    ours = {"boat_odds.345": "passed"}
    catalogue = dict.fromkeys(("strip_1", "strip_2", "strip_3", "strip_4", "river_1"), "passed")
    account.outcomes(**catalogue, **ours)
    code, said = account.ask("--require", "100", "--missing")
    assert code == 1
    assert "own has 1/2 covered" in said
    assert "boat:put [own, untested] A put bet may be made." in said
    account.outcomes(**catalogue, **ours, boat_put="passed")
    assert account.ask("--require", "100")[0] == 0


def test_the_account_is_json_for_programs(account: Account) -> None:
    """Totals, houses by topic, and what is missing."""
    account.outcomes(strip_1="passed", strip_2="passed", river_1="failed")
    code, said = account.ask("--json")
    answer = json.loads(said)
    assert code == 0
    assert answer["totals"]["engine"] == {"covered": 1, "all": 2}
    assert answer["houses"]["strip"]["wager"] == {"covered": 2, "all": 2}
    assert [(clause["id"], clause["outcome"]) for clause in answer["missing"]] == [
        ("strip:3", "untested"),
        ("strip:4", "untested"),
        ("river:1", "failing"),
    ]


@pytest.mark.parametrize(
    ("catalogue", "report", "words"),
    [
        (CATALOGUE, None, "`scripts/test` writes one"),
        (CATALOGUE, "{", "not a report"),
        (CATALOGUE, "{}", "not a report"),
        (CATALOGUE, '{"clauses": {"strip:9": {"t": "passed"}}}', "not in the catalogue: strip:9"),
        (CATALOGUE.replace("strip:2", "strip:1"), '{"clauses": {}}', "more than one clause is called strip:1"),
        (CATALOGUE.replace(",table,", ",tabel,"), '{"clauses": {}}', "not tabel"),
    ],
)
def test_what_cannot_be_read_is_said_plainly(account: Account, catalogue: str, report: str | None, words: str) -> None:
    """Exit 2, and a sentence."""
    account.catalogue.write_text(catalogue, encoding="utf-8")
    account.report.unlink()
    if report is not None:
        account.report.write_text(report, encoding="utf-8")
    code, said = account.ask()
    assert code == 2
    assert words in said


def test_the_catalogue_itself_can_be_read(account: Account) -> None:
    """Every clause has an id of its own, a part that it applies to and a sentence."""
    found = clauses.read(clauses.CATALOGUE, account.report)
    assert len(found) >= 737
    assert all(clause.requirement.strip() and clause.id.startswith(f"{clause.house}:") for clause in found)


# --- the marks ----------------------------------------------------------------------------------------------------

MARKED = """
import pytest

pytestmark = pytest.mark.clause("strip:1")

@pytest.mark.clause("boat:put", "strip:2", "strip:3")
def test_proves(): pass

@pytest.mark.parametrize("n", [pytest.param(1, marks=pytest.mark.clause("river:1")), 2])
def test_one_of_two(n): pass

@pytest.mark.clause("strip:4")
def test_skips(): pytest.skip("not now")

@pytest.mark.clause("strip:4")
@pytest.mark.xfail
def test_known_fault(): assert False

@pytest.fixture
def broken():
    yield
    raise RuntimeError

@pytest.mark.clause("strip:3")
def test_breaks_afterwards(broken): pass
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A small project with our conftest and the planted catalogue."""
    catalogue = tmp_path / "src" / "passline" / "rulebooks" / "clauses.csv"
    catalogue.parent.mkdir(parents=True)
    catalogue.write_text(CATALOGUE, encoding="utf-8")
    house = catalogue.with_name("houses") / "boat.toml"
    house.parent.mkdir()
    house.write_text('id = "boat"\n[clauses]\nput = "A put bet may be made."\n', encoding="utf-8")
    house.with_name("torn.toml").write_text('id = "torn', encoding="utf-8")
    (tmp_path / "tests").mkdir()
    for name in ("__init__.py", "conftest.py", "tables.py"):
        shutil.copy(ROOT / "tests" / name, tmp_path / "tests")
    (tmp_path / "pytest.ini").write_text(
        "[pytest]\npythonpath = .\nmarkers = clause\naddopts = --strict-markers\n", encoding="utf-8"
    )
    return tmp_path


def pytest_in(project: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run pytest there, as a person would, without the plugins that only take time to import."""
    command = [sys.executable, "-m", "pytest", "-p", "xdist", "-p", "no:cacheprovider", "--clause-report=report.json"]
    clean = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST")}
    clean["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    return subprocess.run([*command, *arguments], cwd=project, env=clean, capture_output=True, text=True, check=False)


@pytest.mark.slow
@pytest.mark.parametrize("workers", ["0", "2"])
def test_the_report_has_every_marked_test_once(project: Path, workers: str) -> None:
    """With and without xdist: marks of modules, functions and parameters; skips and late failures are no proof."""
    (project / "tests" / "test_marked.py").write_text(MARKED, encoding="utf-8")
    run = pytest_in(project, "-n", workers)
    assert "1 error" in run.stdout
    report = json.loads((project / "report.json").read_text(encoding="utf-8"))["clauses"]
    outcomes = {
        clause: {nodeid.partition("::")[2]: outcome for nodeid, outcome in tests.items()}
        for clause, tests in report.items()
    }
    assert outcomes == {
        "boat:put": {"test_proves": "passed"},
        "strip:1": {
            "test_proves": "passed",
            "test_one_of_two[1]": "passed",
            "test_one_of_two[2]": "passed",
            "test_skips": "skipped",
            "test_known_fault": "skipped",
            "test_breaks_afterwards": "failed",
        },
        "strip:2": {"test_proves": "passed"},
        "strip:3": {"test_proves": "passed", "test_breaks_afterwards": "failed"},
        "strip:4": {"test_skips": "skipped", "test_known_fault": "skipped"},
        "river:1": {"test_one_of_two[1]": "passed"},
    }


@pytest.mark.slow
def test_a_mark_that_names_no_clause_is_an_error(project: Path) -> None:
    """No such test is collected, and the run says which it is, which clause and what is near."""
    for name, mark in (("wrong", 'clause("stripp:2")'), ("bare", "clause")):
        text = f"import pytest\n\n@pytest.mark.{mark}\ndef test_x(): pass\n"
        (project / "tests" / f"test_{name}.py").write_text(text, encoding="utf-8")
    run = pytest_in(project, "-n", "2")
    assert run.returncode in {pytest.ExitCode.INTERRUPTED, pytest.ExitCode.TESTS_FAILED}
    assert "ERROR collecting tests/test_wrong.py" in run.stdout
    near = "no clause 'stripp:2' in the rule books; did you mean strip:2"
    assert f"tests/test_wrong.py::test_x: {near}" in run.stdout
    assert "tests/test_bare.py::test_x: no clause '' in the rule books" in run.stdout
    assert "1 passed" not in run.stdout
