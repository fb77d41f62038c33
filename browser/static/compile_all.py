"""Runs under Pyodide, at the build: visits everything, and compiles what was imported into the first download."""

import ast
import io
import json
import marshal
import sys
import zipfile
from collections.abc import Iterator
from importlib.abc import MetaPathFinder
from importlib.util import MAGIC_NUMBER
from pathlib import Path
from types import CodeType

HEADER = MAGIC_NUMBER + (1).to_bytes(4, "little") + bytes(8)  # unchecked: nothing to compare it with is shipped
STDLIB = "/lib/python314.zip"
INSTEAD = ("prometheus_client", "passline_worker")
"""Modules of ours beside the library and the program."""
V1 = "pydantic.v1"
LEFT_OUT = (
    "passline.cli", "passline.terminal", "passline.sim", "passline.client", "passline.envs", V1,
)  # fmt: skip
"""What no visitor can reach: screens of a terminal, what needs NumPy or a network, and models of another Pydantic."""
ALWAYS = ("encodings.utf_8", "encodings.ascii", "encodings.latin_1", "_pyodide", "pyodide")
"""Codecs are found by name, and Pyodide asks for these before any finder of ours is there."""
UNUSED = {"antigravity", "ensurepip", "idlelib", "lib2to3", "pip", "test", "this", "tkinter", "turtle", "turtledemo"}


Files = dict[str, bytes]


class Absent(MetaPathFinder):
    """FastAPI asks for Pydantic's first version at the start, and does without where there is none."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> None:  # noqa: ARG002
        if name == V1:
            raise ModuleNotFoundError(name)


class Smaller(ast.NodeTransformer):
    """Takes out what only readers and type checkers look at; assertions stay, for they guard the money."""

    def __init__(self, *, routes: bool, docs: bool) -> None:
        self.routes, self.docs = routes, docs
        """Whether the framework reads the signatures, and whether somebody reads what is said of classes."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST | None:
        if any("overload" in ast.dump(each) for each in node.decorator_list):
            return ast.Pass()
        self.generic_visit(node)
        node.body = _undocumented(node.body)
        if not self.routes and not any("register" in ast.dump(each) for each in node.decorator_list):
            node.returns = None
            every = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs, node.args.vararg, node.args.kwarg]
            for each in every:
                if each is not None:
                    each.annotation = None
        return node

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815 - as `ast` calls it

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        """A dataclass without a docstring works out its signature at the start: it gets one."""
        before = ast.get_docstring(node)
        doc = before if self.docs else "-" if before else None
        kept = [self.visit(each) if not isinstance(each, ast.AnnAssign) else each for each in _undocumented(node.body)]
        if doc or node.decorator_list:
            kept.insert(0, ast.Expr(ast.Constant(doc or "-")))
        node.body = kept
        return node

    def visit_If(self, node: ast.If) -> ast.AST | list[ast.stmt] | None:
        if "TYPE_CHECKING" in (getattr(node.test, "id", ""), getattr(node.test, "attr", "")):
            return [self.visit(each) for each in node.orelse] or ast.Pass()
        return self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST | None:
        """Outside of classes nobody asks for the type of a name."""
        if node.value is None:
            return node  # it may be what makes a name local
        return self.generic_visit(ast.Assign([node.target], node.value))


def _is_sentence(part: ast.stmt) -> bool:
    return isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant) and isinstance(part.value.value, str)


def _undocumented(body: list[ast.stmt]) -> list[ast.stmt]:
    """A body without sentences; a sentence beneath a field is written out elsewhere."""
    kept = [each for each in body if not _is_sentence(each)]
    return kept or [ast.Pass()]


def _without_lines(code: CodeType) -> CodeType:
    """Every instruction without a place, eight to an entry: tracebacks still name functions and modules."""
    inside = tuple(_without_lines(each) if isinstance(each, CodeType) else each for each in code.co_consts)
    eights, rest = divmod(len(code.co_code) // 2, 8)
    nowhere = b"\xff" * eights + (bytes([0xF8 + rest - 1]) if rest else b"")
    return code.replace(co_consts=inside, co_linetable=nowhere, co_filename=code.co_filename.rpartition("/")[2])


def compiled(name: str, source: str) -> bytes:
    own = name.startswith("passline")
    tree = ast.parse(source)
    tree.body = _undocumented(tree.body)
    tree = Smaller(routes=name.startswith(("passline.web", "fastapi.security")), docs=own).visit(tree)
    code = compile(ast.fix_missing_locations(tree), name, "exec", dont_inherit=True)
    return HEADER + marshal.dumps(_without_lines(code))


def _stored(file: str, files: dict[str, bytes], how: int) -> None:
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w", how) as made:
        for path, data in sorted(files.items()):
            made.writestr(zipfile.ZipInfo(path, (1980, 1, 1, 0, 0, 0)), data, how)
    Path(file).write_bytes(memory.getvalue())


def _path(name: str, package: bool) -> str:  # noqa: FBT001 - two kinds of module
    return name.replace(".", "/") + ("/__init__.pyc" if package else ".pyc")


def _library() -> Iterator[tuple[str, bool, str]]:
    """Every module of the standard library: its name, whether it is a package, its source."""
    with zipfile.ZipFile(STDLIB) as archive:
        for path in archive.namelist():
            name = path.removesuffix(".py").replace("/", ".")
            if path.endswith(".py") and name.partition(".")[0] not in UNUSED:
                package = name.endswith(".__init__")
                yield name.removesuffix(".__init__"), package, archive.read(path).decode()


def _modules(folder: str) -> Iterator[tuple[str, bool, str]]:
    for path in sorted(Path(folder).rglob("*.py")):
        name = ".".join(path.relative_to(folder).with_suffix("").parts)
        if not name.startswith(LEFT_OUT):
            yield name.removesuffix(".__init__"), path.name == "__init__.py", path.read_text("utf-8")


def _sort(modules: Iterator[tuple[str, bool, str]], seen: set[str], first: Files, rest: Files) -> list[str]:
    """Put each module into the first download or the rest; the names of the rest."""
    left = []
    for name, package, source in modules:
        if name in seen and package and name.startswith("anyio"):  # reads its own source for what it imports later
            first[_path(name, package).removesuffix("c")] = source.encode()
        elif name in seen or name.startswith(ALWAYS):
            first[_path(name, package)] = compiled(name, source)
        else:
            rest[_path(name, package)] = compiled(name, source)
            left.append(name)
    return left


def _data() -> Iterator[tuple[str, bytes]]:
    """What is no Python: rule books, clauses, strategies."""
    away = tuple(each.replace(".", "/") for each in (*LEFT_OUT, "passline.web.page"))
    for path in sorted(Path("/src/passline").rglob("*")):
        where = path.relative_to("/src").as_posix()
        if path.suffix in {".toml", ".csv", ".sql", ".json", ".txt"} and not where.startswith(away):
            yield where, path.read_bytes()


def _data_of_libraries() -> Iterator[tuple[str, bytes]]:
    """The compiled half of Pydantic, and what packages say of themselves."""
    for path in sorted(Path("/site").rglob("*.so")):
        yield path.relative_to("/site").as_posix(), path.read_bytes()
    for path in sorted(Path("/site").glob("*.dist-info/*")):
        if path.parent.name.startswith(("opentelemetry", "pydantic")):
            text = path.read_text("utf-8")
            head = text.split("\n\n")[0] + "\n" if path.name == "METADATA" else text
            yield path.relative_to("/site").as_posix(), head.encode()


def write(seen: set[str]) -> None:
    """Write `stdlib.zip`, `libraries.pack`, `passline.pack` and `rest.zip`."""
    libraries, ours, rest, library = Files(), Files(), Files(), Files()
    left = _sort(_library(), seen, library, rest)
    left += _sort(_modules("/site"), seen, libraries, rest)
    left += _sort(_modules("/src"), seen, ours, rest)
    libraries.update(_data_of_libraries())
    ours.update(_data())
    for name in INSTEAD:
        ours[f"{name}.pyc"] = compiled(name, Path(f"/here/{name}.py").read_text())
    ours["rest.json"] = json.dumps(sorted(left)).encode()
    _stored("/build/stdlib.zip", library, zipfile.ZIP_STORED)
    _stored("/build/rest.zip", rest, zipfile.ZIP_DEFLATED)
    _pack("/build/libraries.pack", libraries)
    _pack("/build/passline.pack", ours)
    print(len(library), "modules of the library,", len(libraries) + len(ours), "files,", len(rest), "left for later")


def _pack(file: str, files: Files) -> None:
    """A line of JSON with names and lengths, then the bytes; like beside like, which packs better."""
    order = sorted(files, key=lambda path: (Path(path).suffix, path))
    with Path(file).open("wb") as made:
        made.write(json.dumps([[path, len(files[path])] for path in order]).encode() + b"\n")
        made.writelines(files[path] for path in order)


async def main() -> None:
    """Visit everything, then write what was imported."""
    import tour

    sys.meta_path.insert(0, Absent())
    await tour.tour()
    seen = set(sys.modules)
    write(seen)
