"""An evening leaves nothing behind in memory; a hundred thousand rolls are the campaign's."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from tests.web.memory import BLOCKS_SHORT_MAX, evening

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.slow
def test_memory_is_flat_over_an_evening(tmp_path: Path) -> None:
    """Rolls through the whole service with a stream that is read: what each leaves behind, by the fitted slope."""
    told = asyncio.run(evening(tmp_path, 600, kept=64))
    assert told["missed"] == 0, told
    assert told["blocks_a_roll"] < BLOCKS_SHORT_MAX, told
