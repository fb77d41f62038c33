"""Rubbish over HTTP, some of it; fifty thousand are the campaign's."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.web.__main__ import malformed
from tests.web.scene import Scene

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.slow
def test_rubbish_is_answered_and_changes_nothing(tmp_path: Path) -> None:
    """No 5xx, no word of the inside, and the table goes on."""
    scene = Scene(tmp_path)
    with scene.server.closing():
        told = malformed(scene, 400, seed=11)
    assert set(told["statuses"]) <= {"200", "201", "202", "400", "401", "403", "404", "409", "413", "422"}  # type: ignore[call-overload]
