"""What the tests of the commands share: a place for machines that goes away again, and a width for tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.sitting.conftest import sit

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["sit"]


@pytest.fixture(scope="session", autouse=True)
def _apart(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep the machines of these tests away from the person's own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PASSLINE_CACHE", str(tmp_path_factory.mktemp("machines")))
        patch.setenv("COLUMNS", "100")
        yield
