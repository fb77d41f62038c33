"""`scripts/static`: the table that needs no server, as a folder of files."""

from __future__ import annotations

import hashlib
import json
import lzma
import re
import shutil
import subprocess
import tomllib
import zipfile
from importlib.metadata import distribution
from pathlib import Path
from urllib.request import urlopen

ROOT = Path(__file__).parents[1]
HERE, BUILD = ROOT / "browser" / "static", ROOT / "build" / "static"
TABLE, SITE = BUILD / "table", BUILD / "site"
PURE = (
    "annotated-doc", "annotated-types", "anyio", "fastapi", "idna", "opentelemetry-api", "platformdirs",
    "pydantic", "starlette", "typing-extensions", "typing-inspection",
)  # fmt: skip
"""What the service needs, of which there is one wheel for every platform."""
PACKED = ("pyodide.asm.wasm", "pyodide.asm.mjs", "stdlib.zip", "libraries.pack", "passline.pack")
WORKERS = ("worker.js", "fetching.js")
XZ = [{"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "pb": 0, "dict_size": 1 << 24}]
POLICY = (
    "default-src 'none'; script-src 'self' blob: 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self' blob:; font-src 'self'; manifest-src 'self'; worker-src 'self'; "
    "base-uri 'none'; form-action 'self'"
)


def pyodide_info() -> dict[str, str]:
    info: dict[str, str] = json.loads((HERE / "node_modules/pyodide/pyodide-lock.json").read_text("utf-8"))["info"]
    return info


def wheel_of_core() -> zipfile.ZipFile:
    """Pydantic's compiled half for Pyodide, by the address and the hash of uv.lock."""
    lock = tomllib.loads((ROOT / "uv.lock").read_text("utf-8"))
    (core,) = (each for each in lock["package"] if each["name"] == "pydantic-core")
    abi = pyodide_info()["abi_version"]
    (wheel,) = (each for each in core["wheels"] if f"cp314-cp314-pyemscripten_{abi}_" in each["url"])
    file = BUILD / wheel["url"].rpartition("/")[2]
    if not file.exists():
        with urlopen(wheel["url"]) as answer:  # noqa: S310 - an address of uv.lock
            file.write_bytes(answer.read())
    assert hashlib.sha256(file.read_bytes()).hexdigest() == wheel["hash"].removeprefix("sha256:"), (
        "not the wheel of uv.lock"
    )
    return zipfile.ZipFile(file)


def gather() -> None:
    """What is compiled, in one folder: of each package the Python alone."""
    shutil.rmtree(SITE, ignore_errors=True)
    SITE.mkdir(parents=True)
    for name in PURE:
        for file in distribution(name).files or ():
            if file.suffix in {".py", ".typed"} or file.name in {"METADATA", "entry_points.txt"}:
                to = SITE / str(file)
                if ".." not in file.parts:
                    to.parent.mkdir(parents=True, exist_ok=True)
                    shutil.copy(str(file.locate()), to)
    with wheel_of_core() as wheel:
        wheel.extractall(SITE, [name for name in wheel.namelist() if name.endswith((".py", ".so"))])


def compile_all() -> None:
    """Pyodide compiles, visits everything, and writes what a visitor needs."""
    subprocess.run(["node", HERE / "compile.mjs", BUILD, HERE, ROOT / "src"], check=True)


def assemble() -> None:
    """The folder that is served."""
    shutil.rmtree(TABLE, ignore_errors=True)
    shutil.copytree(ROOT / "src/passline/web/page", TABLE)
    shutil.copy(HERE / "node_modules/pyodide/pyodide.asm.wasm", BUILD)
    shutil.copy(HERE / "node_modules/pyodide/pyodide.asm.mjs", BUILD)
    for name in PACKED:
        (TABLE / f"{name}.xz").write_bytes(
            lzma.compress((BUILD / name).read_bytes(), lzma.FORMAT_XZ, lzma.CHECK_CRC32, filters=XZ)
        )
    shutil.copy(BUILD / "rest.zip", TABLE)
    index = (TABLE / "index.html").read_text("utf-8")
    policy = f'<meta http-equiv="Content-Security-Policy" content="{POLICY}" />'
    first = f'{policy}\n    <script type="module" src="./page.js"></script>\n    '
    index = re.sub(r'(?=<script type="module")', first, index, count=1)
    (TABLE / "index.html").write_text(index.replace(" crossorigin", ""), "utf-8")
    how = ("--bundle", "--minify", "--format=esm", "--platform=browser", "--log-level=error", "--external:node:*")
    for name in WORKERS:
        subprocess.run(
            ["npx", "esbuild", name, *how, "--external:ws", f"--outfile={TABLE / name}"], cwd=HERE, check=True
        )
    shutil.copy(HERE / "page.js", TABLE)
    files = sorted(path.relative_to(TABLE).as_posix() for path in TABLE.rglob("*") if path.is_file())
    digest = hashlib.sha256(b"".join((TABLE / name).read_bytes() for name in files)).hexdigest()[:12]
    (TABLE / "sw.js").write_text((HERE / "sw.js").read_text())
    words = {"@VERSION@": digest, "@INFO@": json.dumps(pyodide_info()), "@FILES@": json.dumps(["./", *files])}
    for name in (*WORKERS, "sw.js"):
        text = (TABLE / name).read_text("utf-8")
        for word, value in words.items():
            text = text.replace(f'"{word}"', json.dumps(value)).replace(word, value)
        (TABLE / name).write_text(text, "utf-8")


def main() -> None:
    BUILD.mkdir(parents=True, exist_ok=True)
    gather()
    compile_all()
    assemble()
    sizes = {path: path.stat().st_size for path in sorted(TABLE.rglob("*")) if path.is_file()}
    for path, size in sizes.items():
        print(f"{size:9,d}  {path.relative_to(TABLE).as_posix()}")
    first = sum(size for path, size in sizes.items() if path.name not in {"rest.zip", "sw.js"})
    print(f"{first:9,d}  with every view, {sum(sizes.values()):,} in all")
    print(f"static: {TABLE.relative_to(ROOT)}; look at it: python3 -m http.server -d {TABLE.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
