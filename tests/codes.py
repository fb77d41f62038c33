"""The codes that refusals carry, as the sources of each package say them."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import passline

if TYPE_CHECKING:
    from collections.abc import Iterator

MAKERS = ("Refusal", "refuse", "no", "deny", "entitled")
"""What makes a refusal, its code first."""


@cache
def codes_of(package: str) -> frozenset[str]:
    """Every code that the refusals of one package have."""
    files = (Path(passline.__file__).parent / package).glob("*.py")
    return frozenset(code for file in files for code in _said(ast.parse(file.read_text("utf-8"))) if "." in code)


def _said(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name in MAKERS:
                yield str(node.args[0].value)
