"""Plants mistakes in the rules of the floor, one at a time, and asks whether its tests notice.

A mistake is one comparison, connective, number or condition turned round in one function of `passline.floor`. The tests
are collected once; each mistake is tried in a child of that process, until the first test fails. What survives and is
no mistake stands in `scripts/planted.toml` with its reason. The result is kept in `bench/results/planted.json`.
"""

from __future__ import annotations

import argparse
import ast
import copy
import importlib
import json
import os
import signal
import sys
import tomllib
from collections import Counter
from contextlib import suppress
from pathlib import Path
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[1]
FLOOR = ROOT / "src" / "passline" / "floor"
REPORT = ROOT / "bench" / "results" / "planted.json"
EXPLAINED = ROOT / "scripts" / "planted.toml"
TESTS = (
    *("tests/floor", "tests/clauses/adelaide/test_floor.py", "tests/clauses/fire_bonus/test_floor.py"),
    *("tests/clauses/sydney/test_floor.py", "tests/clauses/sydney/test_floor_limits.py"),
    *("tests/clauses/sydney/test_promotions.py", "tests/pit/test_floor.py", "tests/pit/test_housewide.py"),
    *("tests/cage", "tests/pit/test_cage.py", "tests/pit/test_comps.py", "tests/pit/test_worked_example.py"),
)
SENTENCES = ("say", "why", "_worded", "__format__", "is_you", "who", "whose", "verb", "all", "name", "sign_time", "off")
"""What an event says of itself, and to whom, is no rule: `tests/telling` reads the sentences."""

REGISTERED = ("act", "event", "register")
"""What ran when the module was read cannot be changed afterwards: `tests/floor/test_register.py` looks at its work."""

SECONDS_MAX = 60
"""How long the tests may take; a mistake that runs for ever is noticed."""

TURNED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}


class Planted(NamedTuple):
    """One mistake: where, and what stands there now."""

    module: str
    line: int
    was: str
    now: str
    tree: ast.Module

    @property
    def name(self) -> str:
        """What it is called; lines move, what was written there does not."""
        return f"{self.module}: {self.was} -> {self.now}"


def mistakes(module: str, source: str) -> Iterator[Planted]:
    """Every mistake in one module, in order."""
    tree = ast.parse(source)
    for number, (node, _) in enumerate(_nodes(tree)):
        for change in range(len(list(_changes(node)))):
            twin = copy.deepcopy(tree)
            place, around = _nodes(twin)[number]
            shows = around if isinstance(place, ast.Constant) else place  # a number says nothing by itself
            was = ast.unparse(shows).partition("\n")[0]
            list(_changes(place))[change][1](place)
            yield Planted(module, getattr(node, "lineno", 0), was, ast.unparse(shows).partition("\n")[0], twin)


def _nodes(tree: ast.Module) -> list[tuple[ast.AST, ast.AST]]:
    """Everything that functions do, each with what stands around it; their defaults are made once, with the module."""
    left_out = (*SENTENCES, *REGISTERED)
    functions = [each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef) and each.name not in left_out]
    bodies = [(each, statement) for each in functions for statement in each.body]
    inside = [
        (node, around) for _, body in bodies for around in ast.walk(body) for node in ast.iter_child_nodes(around)
    ]
    return [(body, each) for each, body in bodies] + inside


def _changes(node: ast.AST) -> Iterator[tuple[str, Any]]:  # noqa: C901 - one case a sort of node
    """What can be turned round at a node."""
    if isinstance(node, ast.Compare):
        for at, op in enumerate(node.ops):
            if type(op) in TURNED:
                yield "compare", lambda n, at=at, op=op: n.ops.__setitem__(at, TURNED[type(op)]())
            if isinstance(op, ast.Lt | ast.LtE | ast.Gt | ast.GtE):
                turned = ast.GtE() if isinstance(op, ast.Lt | ast.LtE) else ast.LtE()
                yield "compare", lambda n, at=at, turned=turned: n.ops.__setitem__(at, turned)
    elif isinstance(node, ast.BoolOp):
        other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        yield "connective", lambda n, other=other: setattr(n, "op", other)
        for at in range(len(node.values)):
            if len(node.values) > 2:
                yield "part", lambda n, at=at: n.values.pop(at)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield "not", lambda n: setattr(n, "operand", ast.UnaryOp(ast.Not(), n.operand))
    elif isinstance(node, ast.Constant) and type(node.value) is int:
        yield "number", lambda n: setattr(n, "value", n.value + 1)
    elif isinstance(node, ast.Constant) and type(node.value) is bool:
        yield "truth", lambda n: setattr(n, "value", not n.value)
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub | ast.Mult | ast.FloorDiv):
        sums = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.FloorDiv: ast.Mult}
        turned_sum = sums[type(node.op)]
        yield "sum", lambda n: setattr(n, "op", turned_sum())
    elif isinstance(node, ast.If | ast.IfExp):
        for answer in (True, False):
            yield "if", lambda n, answer=answer: setattr(n, "test", ast.Constant(answer))


def put(planted: Planted) -> None:
    """Have the functions of the module that is loaded do what the mistaken ones would."""
    module = importlib.import_module(planted.module)
    code = compile(ast.fix_missing_locations(planted.tree), planted.module, "exec")
    for each in _codes(code):
        function = _function(module, each.co_qualname if hasattr(each, "co_qualname") else each.co_name)
        if function is not None and function.__code__.co_freevars == each.co_freevars:
            function.__code__ = each


def _codes(code: CodeType) -> Iterator[CodeType]:
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield each
            if each.co_flags & 0x2 == 0:  # a class: its methods are inside
                yield from _codes(each)


def _function(module: object, name: str) -> FunctionType | None:
    named: Any = module
    for part in name.split("."):
        named = getattr(named, part, None)
    named = getattr(named, "fget", named)
    return named if isinstance(named, FunctionType) else None


class Sweep:
    """Runs in the place of the tests: every mistake in a child, and one run without any first."""

    def __init__(self, planted: list[Planted], jobs: int) -> None:
        """Nothing has been tried."""
        self.planted, self.jobs = planted, jobs
        self.survived: list[Planted] = []
        self.sound = False
        self.items: list[pytest.Item] = []
        """In the order in which they are tried: those that noticed the last mistakes come first."""
        self.reader, self.writer = os.pipe()
        os.set_blocking(self.reader, False)

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Try them all, several at once."""
        session.config.pluginmanager.unregister(name="terminalreporter")  # each child would tell of its tests
        self.items = list(session.items)
        self.sound = not self._waited(self._child(session, None))
        running: dict[int, Planted] = {}
        waiting = list(self.planted) if self.sound else []
        while waiting or running:
            while waiting and len(running) < self.jobs:
                each = waiting.pop(0)
                running[self._child(session, each)] = each
            pid, status = os.wait()
            each = running.pop(pid)
            self._noticed_first()
            if status == 0:
                self.survived.append(each)
                print(f"survived: line {each.line}, {each.name}", flush=True)
            if len(waiting) % 50 == 0:
                print(f"{len(self.planted) - len(waiting)} of {len(self.planted)} tried", flush=True)
        return True

    def _child(self, session: pytest.Session, planted: Planted | None) -> int:
        pid = os.fork()
        if pid:
            return pid
        signal.alarm(SECONDS_MAX)
        out = os.open(os.devnull, os.O_WRONLY)
        os.dup2(out, 1)
        os.dup2(out, 2)
        try:
            if planted is not None:
                put(planted)
            for at, item in enumerate(self.items):
                following = self.items[at + 1] if at + 1 < len(self.items) else None
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
                if session.testsfailed:
                    os.write(self.writer, f"{item.nodeid}\n".encode())
                    os._exit(1)
        except BaseException:  # noqa: BLE001 - whatever it is, it was noticed
            os._exit(1)
        os._exit(0)

    def _noticed_first(self) -> None:
        """Try next whatever noticed the last mistake: its neighbours are often noticed by the same test."""
        with suppress(BlockingIOError):
            noticed = os.read(self.reader, 65_536).decode().splitlines()
            self.items.sort(key=lambda item: item.nodeid not in noticed)

    def _waited(self, pid: int) -> int:
        return os.waitpid(pid, 0)[1]


def main(arguments: list[str] | None = None) -> int:
    """Try every mistake; 1 where one survives that nobody has explained."""
    parser = argparse.ArgumentParser(prog="scripts/campaign planted", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--only", default="", metavar="WORD", help="only modules with this in their names")
    parser.add_argument("--again", action="store_true", help="only what survived the last time")
    parser.add_argument("--slice", default="1/1", metavar="N/OF", help="only a part of the mistakes")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N", help="processes at once")
    options = parser.parse_args(arguments)
    planted: list[Planted] = []
    for path in sorted(FLOOR.rglob("*.py")):
        name = ".".join(("passline", *path.relative_to(FLOOR.parent).with_suffix("").parts))
        if options.only in name:
            planted += mistakes(name, path.read_text(encoding="utf-8"))
    if options.again:
        survived = json.loads(REPORT.read_text(encoding="utf-8"))["survived"]
        planted = [each for each in planted if each.name in survived]
    number, of = map(int, options.slice.split("/"))
    sweep = Sweep(planted[number - 1 :: of], options.jobs)
    os.chdir(ROOT)
    quiet = ("-q", "-s", "--no-header", "-p", "no:xdist", "-p", "no:cacheprovider")
    pytest.main([*quiet, "-m", "not slow", *TESTS], [sweep])
    if not sweep.sound:
        print("planted: the tests fail without any mistake; mend that first", file=sys.stderr)
        return 2
    return account(sweep, whole=not options.only and of == 1, again=options.again)


def account(sweep: Sweep, *, whole: bool, again: bool) -> int:
    """Say what survived, and keep it; what is tried again takes its place in the last account."""
    explained: dict[str, str] = tomllib.loads(EXPLAINED.read_text(encoding="utf-8"))["explained"]
    left = [each for each in sweep.survived if each.name not in explained]
    report = {
        "what": "one mistake at a time in the functions of passline.floor; the tests of the floor run against it",
        "mistakes": len(sweep.planted),
        "noticed": len(sweep.planted) - len(sweep.survived),
        "survived_and_explained": len(sweep.survived) - len(left),
        "survived": [each.name for each in left],
        "by_module": dict(sorted(Counter(each.module.removeprefix("passline.") for each in sweep.planted).items())),
    }
    if again:
        last = json.loads(REPORT.read_text(encoding="utf-8"))
        noticed = last["noticed"] + len(last["survived"]) - len(left)
        report = {**last, "noticed": noticed, "survived": report["survived"]}
    print(json.dumps(report, indent=1))
    if whole:
        REPORT.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    return int(bool(left))


if __name__ == "__main__":
    raise SystemExit(main())
