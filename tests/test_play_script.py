"""`scripts/play`, as somebody meets it who has installed nothing."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

SCRIPT = Path(__file__).parents[1] / "scripts" / "play"


def test_help_installs_nothing(tmp_path: Path) -> None:
    """What it does and how it is asked, from its own first lines; there is nothing else there that could run."""
    (tmp_path / "scripts").mkdir()
    shutil.copy(SCRIPT, tmp_path / "scripts")
    told = subprocess.run([tmp_path / "scripts" / "play", "--help"], capture_output=True, text=True, check=True)
    assert told.stdout.startswith("Opens a craps table in the browser")
    assert "scripts/play --terminal --house sydney" in told.stdout
    assert told.stderr == ""
