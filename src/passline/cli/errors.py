"""How a command fails: one sentence on standard error and an exit code that means something."""

from __future__ import annotations

from typing import NoReturn

import typer

REFUSED = 1
"""The table said no, or a figure falls short."""
UNREADABLE = 2
"""A file or an argument could not be read."""


def fail(message: str, code: int = UNREADABLE) -> NoReturn:
    """Say what is wrong and stop."""
    typer.echo(message, err=True)
    raise typer.Exit(code)
