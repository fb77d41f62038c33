"""The core stands without any extra: what it does there, and what it says of what it does not do."""

import subprocess
import sys
import tomllib
from importlib.metadata import distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from passline.errors import PackageMissingError
from passline.files.needed import EXTRAS, install, missing

ROOT = Path(__file__).parents[1]
NAMES = {"argon2-cffi": "argon2", "cupy-cuda13x": "cupy", "prometheus-client": "prometheus_client"}

BARE = f"""
import sys
from importlib.abc import MetaPathFinder

class Absent(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {set(EXTRAS)!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Absent())
"""


def bare(code: str, folder: Path | None = None) -> str:
    run = subprocess.run(
        [sys.executable, "-c", BARE + code], cwd=folder, capture_output=True, text=True, check=False, timeout=120
    )
    assert run.returncode == 0, run.stderr
    return run.stdout


def test_a_table_prices_and_records_need_no_extra() -> None:
    """The engine, the houses, records, exact prices and the verifier's own reading."""
    out = bare("""
from fractions import Fraction
from passline import Table, compare, hand_of, odds_of, par_of, price_of, replay
table = Table("sydney")
table.sit(1, "Ann", 500); table.bet(1, "pass", 10); table.roll(6, 4)
assert replay(table.record()).state == table.state
assert odds_of("strip")["pass"].edge_per_bet_made == Fraction(7, 495)
assert par_of("sydney") and hand_of("crapless") and compare(["strip", "sydney"])
assert price_of("strip", "field", edge="1/20")
import passline.sitting.sitting, passline.school, passline.live, passline.verify, passline.pit, passline.cli
print("all of it")
""")
    assert out == "all of it\n"


def test_a_name_that_needs_an_extra_says_which() -> None:
    names = ("ask", "best_play", "Sample", "charts")
    out = bare(f"""
import passline
for name in {names}:
    try:
        getattr(passline, name)
    except passline.PasslineError as error:
        print(error)
""")
    lines = out.splitlines()
    assert len(lines) == len(names)
    for name, line in zip(names, lines, strict=True):
        assert f"passline.{name} needs NumPy" in line
        assert install("sim") in line


def test_a_command_of_prices_needs_no_extra() -> None:
    out = bare("""
from passline.cli import main
for words in ("par sydney", "odds --house strip", "hand --house strip", "houses"):
    sys.argv = ["passline", *words.split()]
    print("$", words, flush=True)
    try:
        main()
    except SystemExit as end:
        assert not end.code, (words, end.code)
""")
    assert all(len(each) > 100 for each in out.split("$ ")[1:])
    assert out.count("$ ") == 4


def test_a_command_that_needs_an_extra_says_which() -> None:
    out = bare("""
import contextlib, io
from passline.cli import main
for words in (["exact", "pass_flat"], ["serve"], ["paths", "pass_flat"], ["theo", "pass_flat"], ["rare", "pass_flat"],
              ["report", "q.toml"]):
    sys.argv = ["passline", *words]
    said = io.StringIO()
    with contextlib.redirect_stderr(said):
        try:
            main()
        except SystemExit as end:
            print(end.code, said.getvalue().strip())
""")
    exact, serve, *others, report = out.splitlines()
    assert exact == f"2 passline exact needs NumPy, which is not here: {install('sim')}"
    assert serve.startswith("2 passline serve needs ")
    assert serve.endswith(install("serve"))
    assert report == f"2 passline report needs Polars, which is not here: {install('analysis')}"
    assert len(others) == 3
    assert all(line.startswith("2 passline") and line.endswith(install("sim")) for line in others)


@pytest.mark.parametrize(
    ("origin", "command"),
    [
        (None, "pip install 'passline[sim]'"),
        (
            '{"url": "file:///clones/passline", "dir_info": {}}',
            "pip install 'passline[sim] @ file:///clones/passline'",
        ),
        ('{"url": "file:///clones/a%20b", "dir_info": {"editable": true}}', "pip install -e '/clones/a b[sim]'"),
        (
            '{"url": "https://forge.example/p.git", "vcs_info": {"vcs": "git", "commit_id": "ab12"}}',
            "pip install 'passline[sim] @ git+https://forge.example/p.git@ab12'",
        ),
    ],
)
def test_an_extra_comes_from_where_the_core_came(
    monkeypatch: pytest.MonkeyPatch, origin: str | None, command: str
) -> None:
    """From the index only if the core did: from there a name can be anybody's."""
    monkeypatch.setattr(
        type(distribution("passline")), "read_text", lambda *_: origin
    )  # whoever finds it, in any order
    assert install("sim") == command


def played(folder: Path, words: str, *lines: str) -> str:
    """What `passline play --plain` prints there, with no extra, of these words and these lines."""
    return bare(
        f"""
import io
from passline.cli import main
sys.stdin = io.StringIO({"".join(f"{line}{chr(10)}" for line in lines)!r})
sys.argv = ["passline", "play", "--plain", *{words.split()!r}]
try:
    main()
except SystemExit as end:
    print("left with", end.code)
""",
        folder,
    )


def test_an_evening_in_the_terminal_needs_no_extra(tmp_path: Path) -> None:
    """It has no journal, for nothing can be signed, and says so once; nor a journal's file, and so it is resumed."""
    out = played(tmp_path, "--house strip", "bet pass 15", "roll", "roll", "leave")
    assert out.count("This evening has no journal: what is signed or sealed needs Cryptography") == 1
    assert "2 rolls" in out
    assert [path.name for path in tmp_path.iterdir()] == ["evening.craps"]
    again = played(tmp_path, "--resume evening.craps", "bet pass 15", "roll", "leave")
    assert "3 rolls" in again
    assert out.count("left with 0") == again.count("left with 0") == 1


def test_the_extras_are_those_of_the_project() -> None:
    """Each package of an extra is one that a sentence can name, under that extra."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    listed = {
        NAMES.get(name, name): extra
        for extra, wants in extras.items()
        for each in wants
        if (name := Requirement(each).name) != "passline"
    }
    assert listed.items() <= EXTRAS.items()
    assert set(EXTRAS) - set(listed) <= {"starlette", "gymnasium", "pettingzoo"}


def test_an_import_that_no_extra_brings_fails_as_it_is() -> None:
    error = ModuleNotFoundError("No module named 'nothing'", name="nothing")
    assert missing(error) is error
    assert isinstance(missing(ImportError(name="polars")), PackageMissingError)


def test_the_service_is_imported_without_numpy_or_keys() -> None:
    """As a browser does, where there are none: what needs them imports them when it is asked."""
    here = {"argon2", "cryptography", "matplotlib", "numba", "numpy", "polars", "psycopg", "textual", "uvicorn"}
    code = BARE.replace(repr(set(EXTRAS)), repr(here)) + "import passline.web.worker"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120)
