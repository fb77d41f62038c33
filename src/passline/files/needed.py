"""Which extra of Passline brings which package, and the one sentence that says so where it is missing."""

import json
from importlib import import_module
from importlib.metadata import PackageNotFoundError, distribution
from typing import Any

from passline.errors import PackageMissingError

# The packages that the core does without, by the extra that brings them.
BROUGHT = {
    "analysis": "matplotlib polars",
    "cluster": "distributed",
    "gpu": "cupy",
    "learn": "gymnasium pettingzoo",
    "play": "cryptography textual",
    "postgres": "psycopg",
    "serve": "argon2 fastapi httptools httpx prometheus_client starlette uvicorn uvloop",
    "sim": "numba numpy",
}
EXTRAS = {package: extra for extra, packages in BROUGHT.items() for package in packages.split()}
# How a package writes its name, where a capital letter does not do it.
PRINTED = {"cupy": "CuPy", "distributed": "Dask", "fastapi": "FastAPI", "numpy": "NumPy"}


def missing(error: ImportError, what: str = "this") -> ImportError:
    """The sentence that names the extra, of an import that failed; one that has nothing to do with extras as it is."""
    package = (error.name or "").partition(".")[0]
    if package not in EXTRAS:
        return error
    named = PRINTED.get(package, package.capitalize())
    return PackageMissingError(f"{what} needs {named}, which is not here: {install(EXTRAS[package])}")


def install(extra: str) -> str:
    """The command that brings an extra from where this Passline came; from the index only if it came from there."""
    try:
        origin = json.loads(distribution("passline").read_text("direct_url.json") or "{}")  # PEP 610
    except PackageNotFoundError:
        origin = {}
    url, source = origin.get("url", ""), origin.get("vcs_info")
    if origin.get("dir_info", {}).get("editable"):
        from urllib.request import url2pathname

        return f"pip install -e '{url2pathname(url.removeprefix('file://'))}[{extra}]'"
    if source:
        url = f"{source['vcs']}+{url}@{source['commit_id']}"
    return f"pip install 'passline[{extra}]{url and f' @ {url}'}'"


def needed(module: str, what: str) -> Any:  # noqa: ANN401 - a module whose package may be absent
    """The module, or an error that says what needs its package and how to get it."""
    try:
        return import_module(module)
    except ImportError as error:
        raise missing(error, what) from error
