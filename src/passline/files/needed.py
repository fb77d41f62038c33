"""Packages that only some answers need."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from passline.errors import PackageMissingError

PRINTED = {"polars": "Polars", "matplotlib": "Matplotlib"}
"""How a package writes its name."""


def needed(module: str, what: str) -> Any:  # noqa: ANN401 - a module whose package may be absent
    """The module, or an error that says what needs its package and how to get it."""
    try:
        return import_module(module)
    except ImportError as error:
        package = module.partition(".")[0]
        raise PackageMissingError(
            f"{what} needs {PRINTED.get(package, package)}, which is not here: pip install passline[analysis]"
        ) from error
