"""`passline houses`, `house`, `clause`: the rule books."""

from __future__ import annotations

import typer


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
