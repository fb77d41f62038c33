"""The stores that journals are tried in."""

from __future__ import annotations

from tests.journal.conftest import store

__all__ = ["store"]
