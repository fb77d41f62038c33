"""What every gate has: a folder that costs no disk, and a way to tell what it exercised."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.faults.tally import Tally

MEMORY = Path("/dev/shm")  # noqa: S108 - a folder of the test's own is made in it


def in_memory() -> Path | None:
    """Where folders in memory can be made, if they can."""
    return MEMORY if MEMORY.is_dir() and os.access(MEMORY, os.W_OK) else None


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder in memory where there is one: the disks of these tests are lost on purpose, and need not be real."""
    with tempfile.TemporaryDirectory(prefix="passline-", dir=in_memory()) as made:
        yield Path(made)


@pytest.fixture
def exercised(request: pytest.FixtureRequest) -> Callable[[Tally], None]:
    """Have a gate's tally told at the end of the run, wherever the gate was run."""

    def tell(tally: Tally) -> None:
        print(tally)  # noqa: T201 - for who reads a failure
        request.node.user_properties.append(("exercised", str(tally)))

    return tell
