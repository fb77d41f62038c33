"""Lets mutmut 3.8 work with pytest 9.2, which no longer has the private `_nodeid` that mutmut reads.

Loaded by mutmut alone (`[tool.mutmut]` in pyproject.toml); remove it when mutmut asks for `nodeid`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest


def pytest_itemcollected(item: pytest.Item) -> None:
    """Give a test its name in the place where mutmut looks for it."""
    vars(item).setdefault("_nodeid", item.nodeid)
